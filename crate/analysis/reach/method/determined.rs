//! The target of a program that reads no input, where the method leaves it open: the one run gets there, or no execution does
//! ([`crate::run::determined`]).

use super::TargetVerdict;
use crate::interp::Machine;
use crate::logic::SortedSet;
use crate::lts::{EdgeId, Lts};
use crate::run::assumption_tracking::Needs;
use crate::run::determined::settled;
use crate::run::trace::{Event, Trace};
use crate::solver::meter::Meter;

/// The verdict of the one run, and what it rests on; `None` where there may be other runs, and where a very long run gets to the target late.
/// The run has the steps of the whole limit for itself: it takes few, and the method may have used them.
pub fn reach_determined(lts: &Lts, targets: &SortedSet<EdgeId>, meter: &Meter, trace: &Trace) -> Option<(TargetVerdict, Needs)> {
    let only = settled(lts, &Machine::new(lts), false, &mut Meter::new(meter.limit()), trace)?;
    if !only.run.edges(true).iter().any(|edge| targets.contains(edge)) {
        return Some((TargetVerdict::Unreachable, only.needs));
    }
    let mut path = only.run.run.edges;
    path.truncate(path.iter().position(|edge| targets.contains(edge))? + 1);
    let input = only.input;
    trace.claim(Event::Reached { path: &path, input: &input, after: &[] }).ok()?;
    Some((TargetVerdict::Reached { input, path, k: None, by: None }, trace.needs()))
}
