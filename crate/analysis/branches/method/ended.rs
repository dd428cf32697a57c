//! Runs that end as C says, for sides that only undefined runs take: a test that is undefined further on is no test.

use super::bidirectional::Bidirectional;
use super::bidirectional::observer::RunOrigin;
use super::runs::RUN;
use super::suite::{is_ended, taken};
use crate::interp::{Input, Outcome};
use crate::invariants::Quiet;
use crate::logic::SortedSet;
use crate::lts::EdgeId;
use crate::lts::sides::Side;
use crate::run::trace::Trace;
use crate::search::{PathPrefix, SearchStep};
use crate::solver::meter::Meter;
use crate::symex::assignment_of;
use std::rc::Rc;

/// Undefined runs that are looked at, at most.
const RUNS: usize = 24;

/// Operations that a run is led past, one after the other.
const OPERATIONS: usize = 8;

/// Steps for all of them.
const STEPS: u64 = 20_000;

/// Edges of a run that is looked at, at most.
const LONGEST: usize = 2_000;

/// For each side that only undefined runs take: an input that takes the same path, and the edge before which the run is undefined, as long as
/// there is one.
pub fn end_as_said(sides: &[Side], analysis: &mut Bidirectional, meter: &mut Meter, trace: &Trace) {
    let of_runs = taken(sides, &analysis.tests);
    let mut ended: SortedSet<usize> = SortedSet::new();
    for (_, sides) in analysis.tests.iter().zip(&of_runs).filter(|(run, _)| is_ended(run)) {
        ended.extend(sides.iter().copied());
    }
    let mut quiet = Quiet(trace);
    let quiet = Trace::new(&mut quiet);
    let is_undefined = |outcome: &Outcome| matches!(outcome, Outcome::Undefined(_));
    let numbers: Vec<usize> = (0..analysis.tests.len()).filter(|&number| is_undefined(&analysis.tests[number].outcome)).collect();
    let mut left = RUNS;
    for number in numbers {
        let test = &analysis.tests[number];
        if left == 0 || test.path.len() > LONGEST || of_runs[number].is_subset(&ended) {
            continue;
        }
        left -= 1;
        let mut input = test.input.clone();
        for _ in 0..OPERATIONS {
            let found = meter.within(STEPS.min(meter.left()), |meter| past(analysis, &input, meter, &quiet));
            let Some(next) = found else { break };
            if analysis.run(&next, RunOrigin::Found, meter).is_err() {
                return;
            }
            input = next;
            let Some(last) = analysis.tests.last() else { break };
            if is_ended(last) {
                ended.extend(taken(sides, std::slice::from_ref(last)).into_iter().flatten());
            }
            if !is_undefined(&last.outcome) {
                break;
            }
        }
    }
}

/// An input whose run takes the same edges, and the one before which the run on this input is undefined.
fn past(analysis: &Bidirectional, input: &Input, meter: &mut Meter, trace: &Trace) -> Option<Input> {
    let run = analysis.machine.run(input, RUN);
    let stopped: EdgeId = run.stopped_before.filter(|_| run.edges.len() <= LONGEST)?;
    meter.spend(run.edges.len() as u64).ok()?;
    let mut walk = PathPrefix::new(analysis.lts);
    let values = Rc::new(assignment_of(input, walk.pool_mut()));
    for &edge in &run.edges {
        walk.adopt(values.clone());
        let SearchStep::Feasible = walk.step(edge, meter, trace) else { return None };
    }
    match walk.step(stopped, meter, trace) {
        SearchStep::Feasible => walk.smallest_witness(analysis.machine, meter).ok()?.ok(),
        _ => None,
    }
}
