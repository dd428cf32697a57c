//! Algorithm 2, SymbolicReachabilityAnalysisStep: what has to hold before a frontier edge.

use super::observer::{GoneReason, ModelChange};
use super::{Bidirectional, LARGE, OTHERS, PROJECTION};
use crate::analysis::branches::method::model::{Closed, Gap};
use crate::evidence::graph::step;
use crate::logic::{Formula, FormulaId, Mentions, Pool, SymbolId};
use crate::lts::EdgeId;
use crate::solver::Answer;
use crate::solver::meter::{Exhausted, Meter};
use crate::solver::projection::{self, Precision, project};
use crate::states::Ask;
use crate::symex::first_values_for;

impl Bidirectional<'_, '_, '_> {
    /// Algorithm 2: looks before the gap. Gives whether nothing is wanted there.
    pub(super) fn refine(&mut self, gap: usize, meter: &mut Meter) -> Result<bool, Exhausted> {
        let Gap { edge, to, .. } = self.model.gaps[gap];
        let from = self.lts.edge(edge).1;
        let (condition, is_exact) = self.precondition(edge, to, meter)?;
        let size = self.along.walk.pool().size(condition, LARGE + 1);
        if size > LARGE {
            self.model.gaps[gap].closed = Some(Closed::GivenUp);
            self.tell(&ModelChange::Gone { gap, precondition: condition, why: GoneReason::Large });
            return Ok(true);
        }
        // A question about large formulas costs before its first step.
        meter.spend(((size + 1) * (self.model.target_states_at[from.index()].len().min(OTHERS) + 1)) as u64 / 8)?;
        let mut others = self.model.target_states_at[from.index()].clone();
        if others.len() > OTHERS {
            others.drain(OTHERS / 2..others.len() - OTHERS / 2);
        }
        let mut formulas = vec![condition];
        formulas.extend(&self.invariants[from.index()]);
        let premises = formulas.len();
        formulas.extend(
            others.iter().map(|&other| self.model.target_states[other].condition).map(|other| self.along.walk.pool_mut().not(other)),
        );
        let trace = self.trace;
        let answer = Ask { meter, log: trace }.decide(self.along.walk.pool_mut(), &formulas)?;
        if let Answer::Unsat(refutation) = answer {
            let by: Vec<usize> = refutation.core.iter().filter_map(|&at| at.checked_sub(premises)).map(|at| others[at]).collect();
            self.model.gaps[gap].closed = Some(Closed::Excluded(by.clone()));
            let holds: Vec<FormulaId> = refutation.core.iter().filter(|at| (1..premises).contains(*at)).map(|&at| formulas[at]).collect();
            let why = GoneReason::Excluded { by: &by, facts: &holds };
            self.tell(&ModelChange::Gone { gap, precondition: condition, why });
            return Ok(true);
        }
        let (state, gaps) = self.model.refine(gap, condition, is_exact);
        if from == self.lts.entry && self.begins(condition, meter)? {
            self.model.target_states[state].is_touched = true;
        }
        self.tell(&ModelChange::Backward { edge, to, state, exact: is_exact });
        for gap in gaps {
            self.order.offer(&self.model, gap);
        }
        Ok(false)
    }

    /// Whether an execution may begin with this condition.
    fn begins(&mut self, condition: FormulaId, meter: &mut Meter) -> Result<bool, Exhausted> {
        let mut formulas = first_values_for(self.lts, self.along.walk.pool_mut(), &self.vocabulary.identity, condition);
        formulas.push(condition);
        let trace = self.trace;
        let answer = Ask { meter, log: trace }.decide(self.along.walk.pool_mut(), &formulas)?;
        Ok(!matches!(answer, Answer::Unsat(_)))
    }

    /// The weakest condition before an edge under which it may lead to what is wanted after, and whether it is no weaker than that.
    fn precondition(&mut self, edge: EdgeId, to: usize, meter: &mut Meter) -> Result<(FormulaId, bool), Exhausted> {
        let target = self.model.target_states[to].condition;
        let pool = self.along.walk.pool_mut();
        let (condition, mut values) = step(self.lts, pool, &self.vocabulary.identity, edge, Vec::new());
        let preimage = values.formula(pool, target);
        let is_exact = preimage.is_some();
        let both = pool.and(&[condition, preimage.unwrap_or(Pool::TRUE)]);
        let drawn: Vec<SymbolId> =
            Mentions::of(pool, &[both], &[]).symbols.into_iter().filter(|symbol| !self.vocabulary.symbols.contains(symbol)).collect();
        if drawn.is_empty() {
            return Ok((both, is_exact));
        }
        let conjuncts = conjuncts_of(pool, both);
        let projected = meter.within(PROJECTION, |meter| project(pool, &conjuncts, &drawn, projection::ProjectionGoal::Over, meter));
        meter.spend(0)?;
        let left = match projected {
            Ok(projected) if Mentions::of(pool, &[projected.formula], &[]).symbols.is_subset(&self.vocabulary.symbols) => {
                return Ok((projected.formula, is_exact && projected.precision == Precision::Exact));
            }
            Ok(projected) => conjuncts_of(pool, projected.formula),
            Err(_) => conjuncts,
        };
        // What speaks of drawn values is left out: that only makes it weaker.
        let spoken: Vec<FormulaId> =
            left.into_iter().filter(|&part| Mentions::of(pool, &[part], &[]).symbols.is_subset(&self.vocabulary.symbols)).collect();
        Ok((pool.and(&spoken), false))
    }
}

/// The parts of a conjunction.
fn conjuncts_of(pool: &Pool, formula: FormulaId) -> Vec<FormulaId> {
    match pool.formula(formula) {
        Formula::And(parts) => parts.to_vec(),
        _ => vec![formula],
    }
}
