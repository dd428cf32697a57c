//! Programs with few inputs: the runs on all of them, where a search has left something open.

use super::assumption_tracking::Needs;
use super::trace::Trace;
use crate::evidence::enumerated::{EveryRun, MAX_STEPS, enumerated_claim};
use crate::interp::{Input, Machine};
use crate::lts::{EdgeId, Lts};
use crate::solver::meter::{Meter, RUN_STEPS};

/// The runs may take one of so many steps that are left.
const SHARE: u64 = 4;

/// What the runs on all inputs say.
#[derive(Debug)]
pub struct SettledInputs {
    /// Inputs that together take every edge that an execution takes; they are not yet replayed.
    pub inputs: Vec<Input>,
    /// The infeasible edges among the open ones; the trace has the claim.
    pub excluded: Vec<EdgeId>,
    /// What the claim rests on.
    pub needs: Needs,
}

/// The runs on all inputs of a program; `None` where these are many, and where the runs take too many steps.
pub fn every_run(lts: &Lts, meter: &mut Meter) -> Option<EveryRun> {
    let most = MAX_STEPS.min((meter.left() / SHARE).saturating_mul(RUN_STEPS));
    let mut unpaid = 0;
    let every = EveryRun::of(lts, &Machine::deep(lts), most, &mut |steps| {
        unpaid += steps;
        let paid = meter.spend(unpaid / RUN_STEPS).is_ok();
        unpaid %= RUN_STEPS;
        paid
    });
    every.is_all().ok()?;
    Some(every)
}

/// Runs the program on all its inputs to settle the open edges; `None` where these are many, where the runs take too many steps, and where
/// the check does not believe the claim.
pub fn settled_inputs(lts: &Lts, open: &[EdgeId], meter: &mut Meter, trace: &Trace) -> Option<SettledInputs> {
    let machine = Machine::deep(lts);
    if open.is_empty() {
        return None;
    }
    let every = every_run(lts, meter)?;
    let excluded: Vec<EdgeId> = open.iter().copied().filter(|&edge| !every.takes(edge)).collect();
    trace.needs();
    if !excluded.is_empty() {
        trace.proved(0, &|number| enumerated_claim(number, &excluded)).ok()?;
    }
    // Which of them satisfy a precondition, the runs do not say.
    let inputs = if lts.precondition.is_none() { &every.inputs[..] } else { &[] };
    let inputs = inputs.iter().map(|input| machine.told(input)).collect();
    Some(SettledInputs { inputs, excluded, needs: trace.needs() })
}
