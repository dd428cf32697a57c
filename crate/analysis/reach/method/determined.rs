//! The target of a program that reads no input, or that has few inputs, where the method leaves it open: a run gets there, or no execution
//! does ([`crate::run::determined`], [`crate::run::enumerated`]).

use super::TargetVerdict;
use crate::interp::{Input, Machine};
use crate::logic::SortedSet;
use crate::lts::{EdgeId, Lts};
use crate::run::assumption_tracking::Needs;
use crate::run::determined::settled;
use crate::run::enumerated::settled_inputs;
use crate::run::trace::{Event, Trace};
use crate::solver::meter::Meter;

/// How many edges of a run to follow.
const LONGEST_RUN: u64 = 100_000;

/// The verdict of the runs, and what it rests on; `None` where there may be other runs, and where a very long run gets to the target late.
/// The run has the steps of the whole limit for itself: it takes few, and the method may have used them.
pub fn reach_determined(lts: &Lts, targets: &SortedSet<EdgeId>, meter: &Meter, trace: &Trace) -> Option<(TargetVerdict, Needs)> {
    let machine = Machine::deep(lts);
    let Some(only) = settled(lts, false, &mut Meter::new(meter.limit()), trace) else {
        let open: Vec<EdgeId> = targets.iter().copied().collect();
        let every = settled_inputs(lts, &open, &mut Meter::new(meter.limit()), trace)?;
        if every.excluded.len() == open.len() {
            return Some((TargetVerdict::Unreachable, every.needs));
        }
        return every.inputs.into_iter().find_map(|input| reached(targets, machine.run(&input, LONGEST_RUN).edges, input, trace));
    };
    if !only.run.edges(true).iter().any(|edge| targets.contains(edge)) {
        return Some((TargetVerdict::Unreachable, only.needs));
    }
    reached(targets, only.run.run.edges, only.input, trace)
}

/// The run on an input that takes a target.
fn reached(targets: &SortedSet<EdgeId>, mut path: Vec<EdgeId>, input: Input, trace: &Trace) -> Option<(TargetVerdict, Needs)> {
    path.truncate(path.iter().position(|edge| targets.contains(edge))? + 1);
    trace.claim(Event::Reached { path: &path, input: &input, after: &[] }).ok()?;
    Some((TargetVerdict::Reached { input, path, k: None, by: None }, trace.needs()))
}
