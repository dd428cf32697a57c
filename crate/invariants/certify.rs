//! Confirms pruned graphs: the solver refutes the obligations of [`crate::evidence::graph`], or the graph becomes weaker.
//!
//! An edge that the solver does not confirm leads to the black part instead, and a cut that it does not confirm becomes an edge to
//! there; so there is always a sound `S'`.

use crate::evidence::graph::{About, Obligation, Pruned, check_shape, obligations};
use crate::logic::{Formula, FormulaId, Pool};
use crate::solver::certificate::Certificate;
use crate::solver::meter::Exhausted;
use crate::solver::{Answer, Reason};
use crate::states::{Ask, States};

/// `S'` with everything confirmed that stands in it.
#[derive(Debug)]
pub struct Confirmed {
    pub pruned: Pruned,
    /// One certificate for each obligation of `S'`, in their order.
    pub certificates: Vec<Certificate>,
    /// Why the graph had to change, if it did.
    pub doubt: Option<Reason>,
}

/// Confirms a graph; gives it, or a weaker one that the solver confirms.
///
/// # Errors
/// When the steps are used up.
pub fn confirmed(states: &mut States, mut pruned: Pruned, ask: &mut Ask) -> Result<Confirmed, Exhausted> {
    let lts = states.lts;
    let mut doubt = None;
    loop {
        let (mut edges, mut cuts) = (Vec::new(), Vec::new());
        let mut certificates = Vec::new();
        if check_shape(lts, &mut states.pool, &pruned).is_err() {
            doubt = Some(Reason::Rejected);
            pruned = Pruned::original(lts);
        }
        let mut start = true;
        for Obligation { about, formulas } in obligations(lts, &mut states.pool, &pruned) {
            ask.meter.spend(1)?;
            if contradict_at_sight(&states.pool, &formulas) {
                certificates.push(Certificate::default());
                continue;
            }
            let reason = match ask.decide(&mut states.pool, &formulas)? {
                Answer::Unsat(refutation) => {
                    certificates.push(refutation.certificate);
                    continue;
                }
                Answer::Unknown(reason) => reason,
                Answer::Sat(_) => Reason::Rejected,
            };
            doubt = doubt.or(Some(reason));
            match about {
                About::Entry => start = false,
                About::Edge(at) => edges.push(at),
                About::Cut(at) => cuts.push(at),
            }
        }
        if start && edges.is_empty() && cuts.is_empty() {
            return Ok(Confirmed { pruned, certificates, doubt });
        }
        match start {
            true => pruned.undo(lts, &edges, &cuts),
            false => pruned = Pruned::original(lts),
        }
    }
}

/// Whether a formula and its negation are both there, or one that is false.
fn contradict_at_sight(pool: &Pool, formulas: &[FormulaId]) -> bool {
    formulas.iter().any(|&formula| match pool.formula(formula) {
        Formula::False => true,
        Formula::Not(inner) => formulas.contains(inner),
        _ => false,
    })
}
