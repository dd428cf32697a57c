//! One query to the solver. The checker accepts a refutation before it counts.

use crate::logic::{FormulaId, Pool};
use crate::solver::meter::{Exhausted, Meter, within};
use crate::solver::questions::QueryLog;
use crate::solver::{Answer, Context, Reason, check};

/// The context of a method's queries: the meter that pays for them, and the log that observes them.
pub struct Ask<'x, 'p> {
    pub meter: &'x mut Meter<'p>,
    pub log: &'x dyn QueryLog,
}

/// Steps for one question: questions here are small, and their callers can do with an open answer.
const QUERY_LIMIT: u64 = 20_000;

impl Ask<'_, '_> {
    /// Asks with at most `steps` of the steps that are left.
    pub fn within<T>(&mut self, steps: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        within(self, |ask| &mut *ask.meter, steps, work)
    }

    /// Whether the formulas can hold together; `Unsat` only with a certificate that the checker accepted.
    ///
    /// # Errors
    /// When the steps of the run are used up; a question that is too hard is `Unknown`.
    pub fn decide(&mut self, pool: &mut Pool, formulas: &[FormulaId]) -> Result<Answer, Exhausted> {
        self.meter.spend(1)?;
        // A context of its own: the next question has little in common with this one.
        let mut context = Context::new();
        (context.pool, context.query_limit) = (std::mem::take(pool), QUERY_LIMIT);
        for &formula in formulas {
            context.assert(formula);
        }
        let mut answer = context.check(self.meter);
        self.log.query(&context, &answer);
        if let Answer::Unsat(refutation) = &answer {
            let core: Vec<FormulaId> = refutation.core.iter().map(|&at| formulas[at]).collect();
            let verdict = check::check(&context.pool, &core, &refutation.certificate);
            debug_assert!(verdict.is_ok(), "{verdict:?}");
            if verdict.is_err() {
                answer = Answer::Unknown(Reason::Rejected);
            }
        }
        *pool = context.pool;
        // An answer cut short by a limit other than the question's own is not an answer.
        self.meter.spend(0)?;
        Ok(answer)
    }
}
