//! Γ: consistency checks of different strength, with one trait (DBG10, Section II-A).
//!
//! | [`Strength`] | what it does | stands for |
//! |---|---|---|
//! | `IntervalConsistency` | propagates bounds of single atoms | IC |
//! | `RationalConsistency` | solves the linear relaxation | Colibri (somewhere in between) |
//! | `IntegerConsistency` | decides, with the whole solver | Z3 |
//!
//! All of them are sound and monotone: what they call inconsistent is, and so is every larger set of formulas. Only `IntegerConsistency`
//! gives models, and only its refutations carry certificates; so it confirms whatever a weaker one calls inconsistent before the
//! analysis claims it.

use super::intervals;
use crate::logic::{Assignment, FormulaId, Pool};
use crate::solver::meter::Exhausted;
use crate::solver::relaxation::Relaxation;
use crate::solver::{Answer, Context, Reason, Refutation, check};
use crate::states::Ask;
use std::rc::Rc;

/// How strong a check is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strength {
    Interval,
    Rational,
    #[default]
    Integer,
}

/// What a check says of some formulas.
#[derive(Clone, Debug)]
pub enum ConsistencyVerdict {
    /// *true*: these values satisfy them.
    Consistent(Rc<Assignment>),
    /// *false*; with a refutation where the check gives one, its core positions in `formulas`. The checker has accepted it.
    Inconsistent(Option<Refutation>),
    /// *inconclusive*; with a reason where the check should have known and does not.
    Inconclusive(Option<Reason>),
}

impl ConsistencyVerdict {
    /// Γ = *false*.
    pub fn is_inconsistent(&self) -> bool {
        matches!(self, ConsistencyVerdict::Inconsistent(_))
    }
}

/// Γ.
pub trait Consistency {
    /// Whether the formulas, which are terms of the pool, can hold together.
    ///
    /// # Errors
    /// When the steps of the run are used up.
    fn decide(&mut self, pool: &mut Pool, formulas: &[FormulaId], ask: &mut Ask) -> Result<ConsistencyVerdict, Exhausted>;
}

/// Γ of a strength.
pub fn check_of(strength: Strength) -> Box<dyn Consistency> {
    match strength {
        Strength::Interval => Box::new(IntervalConsistency),
        Strength::Rational => Box::new(RationalConsistency::default()),
        Strength::Integer => Box::new(IntegerConsistency::default()),
    }
}

/// Propagation of bounds.
pub struct IntervalConsistency;

impl Consistency for IntervalConsistency {
    fn decide(&mut self, pool: &mut Pool, formulas: &[FormulaId], ask: &mut Ask) -> Result<ConsistencyVerdict, Exhausted> {
        Ok(match intervals::refuted(pool, formulas, ask.meter)? {
            true => ConsistencyVerdict::Inconsistent(None),
            false => ConsistencyVerdict::Inconclusive(None),
        })
    }
}

/// The linear relaxation.
#[derive(Default)]
pub struct RationalConsistency {
    relaxation: Relaxation,
}

impl Consistency for RationalConsistency {
    fn decide(&mut self, pool: &mut Pool, formulas: &[FormulaId], ask: &mut Ask) -> Result<ConsistencyVerdict, Exhausted> {
        Ok(match self.relaxation.refuted(pool, formulas, ask.meter)? {
            true => ConsistencyVerdict::Inconsistent(None),
            false => ConsistencyVerdict::Inconclusive(None),
        })
    }
}

/// The solver, which keeps what two questions in a row have in common at their beginning.
#[derive(Default)]
pub struct IntegerConsistency {
    context: Context,
    stack: Vec<FormulaId>,
}

impl Consistency for IntegerConsistency {
    fn decide(&mut self, pool: &mut Pool, formulas: &[FormulaId], ask: &mut Ask) -> Result<ConsistencyVerdict, Exhausted> {
        ask.meter.spend(1)?;
        std::mem::swap(pool, &mut self.context.pool);
        let common = self.stack.iter().zip(formulas).take_while(|(asserted, formula)| asserted == formula).count();
        while self.stack.len() > common {
            self.context.pop();
            self.stack.pop();
        }
        for &formula in &formulas[common..] {
            self.context.push();
            self.context.assert(formula);
            self.stack.push(formula);
        }
        let answer = self.context.check(ask.meter);
        ask.log.query(&self.context, &answer);
        let verdict = match answer {
            Answer::Sat(model) => ConsistencyVerdict::Consistent(model),
            Answer::Unknown(reason) => ConsistencyVerdict::Inconclusive(Some(reason)),
            Answer::Unsat(refutation) => {
                let core: Vec<FormulaId> = refutation.core.iter().map(|&at| formulas[at]).collect();
                let accepted = check::check(&self.context.pool, &core, &refutation.certificate);
                debug_assert!(accepted.is_ok(), "{accepted:?}");
                match accepted {
                    Ok(()) => ConsistencyVerdict::Inconsistent(Some(refutation)),
                    Err(_) => ConsistencyVerdict::Inconclusive(Some(Reason::Rejected)),
                }
            }
        };
        std::mem::swap(pool, &mut self.context.pool);
        // An answer that the limit of the run cuts short is no answer.
        if ask.meter.is_exhausted() {
            ask.meter.spend(0)?;
        }
        Ok(verdict)
    }
}
