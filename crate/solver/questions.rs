//! Questions made of several checks: under assumptions, all solutions, minimal cores.

use super::meter::Meter;
use super::{Answer, Context, Reason, Refutation, encode};
use crate::logic::FormulaId;
use std::cell::Cell;
use std::ops::ControlFlow;

/// A core that needs all of its formulas, as far as the solver could decide.
#[derive(Clone, Debug)]
pub struct MinimalCore {
    pub refutation: Refutation,
    /// Whether the core without any one of its formulas is satisfiable, by a model each; `false` where one such question stayed open.
    pub is_minimal: bool,
}

/// Observes the queries of a run, each with the context that answered it: for statistics, and for writing queries down.
pub trait QueryLog {
    fn query(&self, context: &Context, answer: &Answer);
}

impl<F: Fn(&Context, &Answer)> QueryLog for F {
    fn query(&self, context: &Context, answer: &Answer) {
        self(context, answer);
    }
}

/// Keeps nothing.
pub struct NoLog;

impl QueryLog for NoLog {
    fn query(&self, _: &Context, _: &Answer) {}
}

/// Counts queries, and hands them on.
pub struct QueryCount<'a> {
    log: &'a dyn QueryLog,
    queries: Cell<u64>,
}

impl QueryCount<'_> {
    pub fn new(log: &dyn QueryLog) -> QueryCount<'_> {
        QueryCount { log, queries: Cell::new(0) }
    }

    /// The queries so far.
    pub fn queries(&self) -> u64 {
        self.queries.get()
    }
}

impl QueryLog for QueryCount<'_> {
    fn query(&self, context: &Context, answer: &Answer) {
        self.queries.set(self.queries.get() + 1);
        self.log.query(context, answer);
    }
}

impl Context {
    /// Decides whether these formulas can hold together with all assertions, which stay as they are. In a core, the
    /// assumptions have the positions after the assertions, in this order.
    pub fn check_assuming(&mut self, assumptions: &[FormulaId], meter: &mut Meter) -> Answer {
        self.check_logged(assumptions, meter, &NoLog)
    }

    /// As [`Context::check_assuming`]; the log sees the context while the assumptions are among its assertions.
    pub fn check_logged(&mut self, assumptions: &[FormulaId], meter: &mut Meter, log: &dyn QueryLog) -> Answer {
        self.push();
        for &formula in assumptions {
            self.assert(formula);
        }
        let answer = self.check(meter);
        log.query(self, &answer);
        self.pop();
        answer
    }

    /// A core within the one given of which every formula is needed, by leaving out each in turn, the last
    /// first; each question may take [`Context::query_limit`] steps. A formula stays where that question is open.
    pub fn minimal_core(&mut self, refutation: &Refutation, meter: &mut Meter) -> MinimalCore {
        let mut best = refutation.clone();
        let mut is_minimal = true;
        let mut needed: Vec<usize> = Vec::new();
        while let Some(&candidate) = best.core.iter().rev().find(|position| !needed.contains(position)) {
            let others: Vec<usize> = best.core.iter().copied().filter(|&position| position != candidate).collect();
            let formulas: Vec<FormulaId> = others.iter().map(|&position| self.assertions[position]).collect();
            match self.scratch(|context| context.check_assuming(&formulas, meter)) {
                Answer::Unsat(smaller) => {
                    let core = smaller.core.iter().map(|&position| others[position]).collect();
                    best = Refutation { core, ..smaller };
                }
                Answer::Sat(_) => needed.push(candidate),
                Answer::Unknown(_) => {
                    is_minimal = false;
                    needed.push(candidate);
                }
            }
        }
        MinimalCore { refutation: best, is_minimal }
    }

    /// Hands every combination of truth values that these formulas can have under the assertions to `found`, once each,
    /// excluding each by a blocking clause; ends early where `found` breaks. The assertions stay as they are.
    ///
    /// # Errors
    /// Where a question stays open: combinations may be missing then.
    pub fn all_solutions(
        &mut self,
        formulas: &[FormulaId],
        meter: &mut Meter,
        found: &mut dyn FnMut(&[bool]) -> ControlFlow<()>,
    ) -> Result<(), Reason> {
        self.push();
        let outcome = loop {
            match self.check(meter) {
                Answer::Unsat(_) => break Ok(()),
                Answer::Unknown(reason) => break Err(reason),
                Answer::Sat(model) => {
                    let values: Vec<bool> = formulas.iter().map(|&formula| model.formula(&self.pool, formula) == Some(true)).collect();
                    if found(&values).is_break() {
                        break Ok(());
                    }
                    let differ = |pool: &mut crate::logic::Pool| {
                        let parts: Vec<FormulaId> = formulas
                            .iter()
                            .zip(&values)
                            .map(|(&formula, &value)| if value { pool.not(formula) } else { formula })
                            .collect();
                        pool.or(&parts)
                    };
                    let blocking = differ(&mut self.pool);
                    self.assert(blocking);
                }
            }
        };
        self.pop();
        outcome
    }

    /// From now on the search looks for a model of the assertions in which these formulas hold, the earlier ones before the
    /// later: it tries each true first, after the assertions and before anything else.
    pub fn prefer(&mut self, formulas: &[FormulaId]) {
        self.search.backtrack(self.assertions.len());
        self.preferred = formulas.iter().map(|&formula| encode::literal(&mut self.pool, &mut self.search, formula)).collect();
        self.models = Default::default();
    }
}
