//! Failing runs that begin with statics which no calls are known to leave: they decide nothing ([`crate::sequences`]).
//!
//! Where the same input fails alike in a first call, that run takes the stead of such a one.

use super::CoverOutcome;
use super::errors::FailingRun;
use crate::interp::{Machine, Outcome};
use crate::load::Loaded;
use crate::run::trace::{Event, Trace};
use crate::sequences::{is_reachable_start, matter, with_first};

/// How many edges of a run to follow.
const LONGEST_RUN: u64 = 100_000;

/// Leaves the failing runs that begin as a first call does.
pub fn failing_from_first(loaded: &Loaded, outcome: &mut CoverOutcome, trace: &Trace) {
    if !matter(loaded) {
        return;
    }
    let machine = Machine::deep(&loaded.lts);
    let in_first_call = |failure: FailingRun| -> Option<FailingRun> {
        if is_reachable_start(loaded, &failure.input, &[]) {
            return Some(failure);
        }
        let FailingRun { edge, reason, part, input, .. } = failure;
        let input = with_first(&loaded.base, input);
        let run = machine.run(&input, LONGEST_RUN);
        let fails_alike = matches!(&run.outcome, Outcome::Undefined(other) if other.is_alike(&reason));
        let is_there = run.stopped_before == Some(edge) && run.stopped_in == part;
        let is_replayed = !machine.reads_stdin() || machine.replay(&input, &run.edges).is_ok();
        let Outcome::Undefined(reason) = run.outcome else { return None };
        let path = run.edges;
        let is_claimed = || trace.claim(Event::Reached { path: &path, input: &input, after: &[] }).is_ok();
        let is_believed = fails_alike && is_there && is_replayed && is_claimed();
        is_believed.then_some(FailingRun { edge, reason, part, input, path })
    };
    outcome.failures = std::mem::take(&mut outcome.failures).into_iter().filter_map(in_first_call).collect();
}
