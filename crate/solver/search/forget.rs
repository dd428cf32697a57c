//! Forgetting learned clauses, so that a long search neither slows down nor fills the memory.
//!
//! A learned clause that joins few decisions is used again more often than one that joins many: G. Audemard and L. Simon,
//! *Predicting Learnt Clauses Quality in Modern SAT Solvers*, IJCAI 2009. The search no longer watches forgotten clauses. They stay as
//! long as something that it keeps derives from them, since certificates need such ancestors.

use super::super::certificate::Step;
use super::super::literal::Lit;
use super::{ClauseId, ClauseOrigin, LiteralReason, Search};
use crate::logic::ascending;
use std::cmp::Reverse;

/// The search keeps clauses that join this many decisions or fewer for ever.
const ALWAYS_KEPT: usize = 2;
/// How many more it keeps after each time.
const GROWTH: usize = 500;

impl Search {
    /// How many decisions the literals of a clause come from, all assumptions counting as one. All of them have a value.
    pub(super) fn decisions_joined(&self, lits: &[Lit]) -> usize {
        let assumed = self.assumptions.len() as u32;
        ascending(lits.iter().map(|lit| self.level[lit.var() as usize].max(assumed)).collect()).len()
    }

    /// Forgets the worse half of the learned clauses, once there are too many. No conflict is pending.
    pub fn forget(&mut self) {
        if self.learned.len() < self.allowance {
            return;
        }
        self.allowance += GROWTH;
        let mut order = ascending(self.learned.iter().map(|&(joined, id)| (joined, Reverse(id))).collect());
        let good = order.partition_point(|&(joined, _)| joined <= ALWAYS_KEPT);
        let forgotten = order.split_off(good.max(order.len() / 2));
        let mut gone = vec![false; self.clauses.len()];
        for (_, Reverse(id)) in &forgotten {
            gone[*id as usize] = true;
        }
        self.learned.retain(|&(_, id)| !gone[id as usize]);
        for watches in &mut self.watches {
            watches.retain(|watch| !gone[watch.clause as usize]);
        }
        self.free();
    }

    /// Empties the lemmas and learned clauses from which nothing derives that is watched or a reason now.
    fn free(&mut self) {
        let mut needed: Vec<bool> = self
            .clauses
            .iter()
            .map(|clause| !matches!(clause.origin, ClauseOrigin::Learned(_) | ClauseOrigin::Given(Step::Linear(_))))
            .collect();
        let reasons = self.trail.iter().filter_map(|lit| match self.reason[lit.var() as usize] {
            LiteralReason::Clause(id) => Some(id),
            LiteralReason::Decision | LiteralReason::Bound(_) => None,
        });
        let mut stack: Vec<ClauseId> = reasons.chain(self.watches.iter().flatten().map(|watch| watch.clause)).collect();
        while let Some(id) = stack.pop() {
            // Whatever has ancestors starts as not needed.
            if !std::mem::replace(&mut needed[id as usize], true)
                && let ClauseOrigin::Learned(antecedents) = &self.clauses[id as usize].origin
            {
                stack.extend(antecedents);
            }
        }
        self.bound_lemmas.retain(|_, id| needed[*id as usize]);
        for (clause, needed) in self.clauses.iter_mut().zip(needed) {
            if !needed {
                clause.lits = Vec::new();
                clause.origin = ClauseOrigin::Learned(Vec::new());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::logic::{FormulaId, Linear};
    use crate::solver::{Answer, Context, check, meter::Meter};
    use proptest::prelude::*;

    /// Clauses of three literals over `VARIABLES` truth values, about as many as make half of the sets contradictory.
    const VARIABLES: usize = 9;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(64)))]
        #[test]
        fn forgetting_changes_no_answer(
            groups in proptest::collection::vec(proptest::collection::vec(proptest::collection::vec((0..VARIABLES, any::<bool>()), 3), 1..30), 1..4)
        ) {
            let mut context = Context::new();
            context.search.allowance = 3;
            let names: Vec<FormulaId> = (0..VARIABLES).map(|at| {
                // Half of them are inequalities, so that lemmas of simplex take part.
                let x = context.pool.integer(&format!("x{}", at / 2));
                context.pool.at_most(&Linear::constant(at as i64 % 2), &x)
            }).collect();
            let mut so_far: Vec<Vec<(usize, bool)>> = Vec::new();
            for group in &groups {
                context.push();
                for clause in group {
                    let literals: Vec<FormulaId> = clause.iter().map(|&(at, sign)| if sign { names[at] } else { context.pool.not(names[at]) }).collect();
                    let clause_formula = context.pool.or(&literals);
                    context.assert(clause_formula);
                    so_far.push(clause.clone());
                }
                // x ≥ 1 implies x ≥ 0.
                let possible = (0u32..1 << VARIABLES).filter(|bits| (0..VARIABLES / 2).all(|x| bits >> (2 * x) & 3 != 2));
                let expected = possible.clone().any(|bits| so_far.iter().all(|clause| clause.iter().any(|&(at, sign)| (bits >> at & 1 == 1) == sign)));
                let answer = context.check(&mut Meter::new(1_000_000));
                match &answer {
                    Answer::Sat(_) => prop_assert!(expected),
                    Answer::Unsat(refutation) => {
                        prop_assert!(!expected);
                        let core: Vec<FormulaId> = refutation.core.iter().map(|&at| context.assertions()[at]).collect();
                        prop_assert!(check::check(&context.pool, &core, &refutation.certificate).is_ok());
                    }
                    Answer::Unknown(_) => prop_assert!(false, "decided within the limit"),
                }
                context.search.allowance = 3;
            }
        }
    }
}
