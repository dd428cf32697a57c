//! Reuse: questions answered from earlier answers, and questions that fall apart.
//!
//! - `Models` keeps the last few models. One that satisfies what is asserted now is the answer, without a search. It notes
//!   how many of the leading assertions each model satisfies, and evaluates only the new ones: along a path, one branch
//!   condition per question. (The idea is KLEE's: C. Cadar, D. Dunbar and D. Engler, *KLEE:
//!   Unassisted and Automatic Generation of High-Coverage Tests*, OSDI 2008, counterexample cache.) Its other half, sets
//!   that are known to be contradictory, is what the search's clauses keep.
//! - [`Context::check_independent`] decides assertions that share no symbol apart from each other (the same paper,
//!   constraint independence).
//!
//! Neither can change a verdict: an exact evaluation confirms each model, and a refutation of one part refutes the whole.

use super::meter::Meter;
use super::{Answer, Context, Reason, Refutation};
use crate::logic::{Assignment, FormulaId, Mentions, Pool};
use std::rc::Rc;

/// So many models are kept.
const KEPT: usize = 4;

/// The last few models, newest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Models {
    /// Each with the number of leading assertions that it is known to satisfy.
    kept: Vec<(Rc<Assignment>, usize)>,
}

impl Models {
    /// Of the assertions only so many are left.
    pub fn truncate(&mut self, length: usize) {
        for (_, satisfied) in &mut self.kept {
            *satisfied = length.min(*satisfied);
        }
    }

    /// A kept model of all these assertions.
    pub fn find(&mut self, pool: &Pool, assertions: &[FormulaId]) -> Option<Rc<Assignment>> {
        let at = self.kept.iter_mut().position(|(model, satisfied)| {
            while *satisfied < assertions.len() && model.formula(pool, assertions[*satisfied]) == Some(true) {
                *satisfied += 1;
            }
            *satisfied == assertions.len()
        })?;
        self.kept[..=at].rotate_right(1);
        self.kept.first().map(|(model, _)| model.clone())
    }

    /// Keeps a model of so many assertions.
    pub fn keep(&mut self, model: Rc<Assignment>, satisfied: usize) {
        self.kept.truncate(KEPT - 1);
        self.kept.insert(0, (model, satisfied));
    }
}

impl Context {
    /// Decides as [`Context::check`] does, but groups of assertions that share no symbol on their own, each from scratch:
    /// for one-off questions about many things at once. A refutation is that of one group.
    pub fn check_independent(&mut self, meter: &mut Meter) -> Answer {
        let groups = independent(&self.pool, &self.assertions);
        let mut whole = Assignment::default();
        let mut open: Option<Reason> = None;
        for group in groups {
            let formulas: Vec<FormulaId> = group.iter().map(|&position| self.assertions[position]).collect();
            match self.scratch(|context| {
                formulas.iter().for_each(|&formula| {
                    context.assert(formula);
                });
                context.check(meter)
            }) {
                Answer::Sat(model) => {
                    whole.integers.extend(model.integers.iter().map(|(symbol, value)| (*symbol, value.clone())));
                    whole.arrays.extend(model.arrays.iter().map(|(symbol, value)| (*symbol, value.clone())));
                    whole.booleans.extend(model.booleans.iter().map(|(symbol, value)| (*symbol, *value)));
                }
                Answer::Unsat(refutation) => {
                    let core = refutation.core.iter().map(|&position| group[position]).collect();
                    return Answer::Unsat(Refutation { core, ..refutation });
                }
                Answer::Unknown(reason) => open = Some(reason),
            }
        }
        open.map_or_else(|| self.confirm(whole, true), Answer::Unknown)
    }

    /// Runs something in a context of its own over the same terms.
    pub(super) fn scratch<T>(&mut self, run: impl FnOnce(&mut Context) -> T) -> T {
        let mut context = Context::new();
        context.query_limit = self.query_limit;
        std::mem::swap(&mut context.pool, &mut self.pool);
        let result = run(&mut context);
        std::mem::swap(&mut context.pool, &mut self.pool);
        result
    }
}

/// The positions of formulas in groups that share no symbol, each ascending, ordered by their first.
pub fn independent(pool: &Pool, formulas: &[FormulaId]) -> Vec<Vec<usize>> {
    let mut group_of: Vec<usize> = (0..formulas.len()).collect();
    let root = |group_of: &[usize], mut at: usize| {
        while group_of[at] != at {
            at = group_of[at];
        }
        at
    };
    let mut first_with = crate::logic::SortedMap::new();
    for (position, &formula) in formulas.iter().enumerate() {
        for symbol in Mentions::of(pool, &[formula], &[]).symbols {
            let other = *first_with.entry(symbol).or_insert(position);
            let (a, b) = (root(&group_of, position), root(&group_of, other));
            group_of[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); formulas.len()];
    (0..formulas.len()).for_each(|position| groups[root(&group_of, position)].push(position));
    groups.retain(|group| !group.is_empty());
    groups
}
