//! Where calls may have changed statics: branches are covered by runs alone that begin as the first call does, or after calls that are known
//! to leave the state ([`crate::sequences`]).
//!
//! 1. Look for branches in the first call.
//! 2. Look for them from any state, beginning with those runs: what is infeasible there is infeasible for all calls.
//! 3. Settle what only runs from some state take, or none: by tests after calls, and by what no sequence of calls takes.
//!
//! A branch that is left is open, with the statics that a run needs.

use super::bidirectional::observer::{SearchObserver, Unobserved};
use super::order::{Fair, FrontierOrder};
use super::runs::{EdgeKnowledge, KeptRun, RUN};
use super::{BranchGoals, BranchesOutcome, search, status, suite};
use crate::analysis::FINDERS;
use crate::interp::{Input, Machine};
use crate::invariants::Quiet;
use crate::load::{Loaded, exact};
use crate::logic::SortedSet;
use crate::lts::EdgeId;
use crate::lts::assume::{Assumption, under};
use crate::lts::sides::Side;
use crate::run::assumption_tracking::Needs;
use crate::run::trace::{Event, Trace};
use crate::sequences::{Goals, finding, is_reachable_start, settle, with_first};
use crate::solver::meter::Meter;

/// The share of the steps that the first call may take.
const FIRST_SHARE: u64 = 3;

/// Tests or excludes every branch, where a run that begins in any state decides nothing.
pub fn run(
    loaded: &Loaded,
    goals: BranchGoals,
    order: &mut dyn FrontierOrder,
    meter: &mut Meter,
    trace: &Trace,
    observer: &dyn SearchObserver,
) -> BranchesOutcome {
    let BranchGoals { sides, start, facts } = goals;
    // 1.
    let first = under(&loaded.base, exact(loaded.assumed).with(Assumption::FirstCall));
    let mut quiet = Quiet(trace);
    let in_first = meter.within(meter.left() / FIRST_SHARE, |meter| {
        search(&first, goals, &mut Fair::default(), meter, &Trace::new(&mut quiet), &Unobserved)
    });
    let chosen = suite::choose(sides, &in_first.runs);
    let begun: Vec<Input> = start.iter().cloned().chain(chosen.iter().map(|&run| in_first.runs[run].input.clone())).collect();
    // 2.
    let mut outcome = search(&loaded.lts, BranchGoals { sides, start: &begun, facts }, order, meter, trace, observer);
    if outcome.cut.is_some() {
        // The search may have ended before it came to these.
        let is_kept = |run: &usize| outcome.runs.iter().any(|kept| kept.path == in_first.runs[*run].path);
        let lost: Vec<KeptRun> = chosen.iter().filter(|run| !is_kept(run)).map(|&run| in_first.runs[run].clone()).collect();
        outcome.runs.extend(lost);
    }
    in_first_calls(loaded, &mut outcome.runs);
    // 3.
    let taken = edges_of_reachable_starts(loaded, &outcome.runs);
    let is_settled = |side: &&Side| {
        side.edges.iter().any(|edge| taken.contains(edge))
            || side.edges.iter().all(|edge| outcome.edges[edge.index()] == EdgeKnowledge::Excluded)
    };
    let left = sides.iter().filter(|side| !is_settled(side)).flat_map(|side| side.edges.iter().copied());
    let edges: SortedSet<EdgeId> = left.filter(|edge| outcome.edges[edge.index()] != EdgeKnowledge::Excluded).collect();
    let from_any =
        outcome.runs.iter().filter(|run| run.path.iter().any(|edge| edges.contains(edge))).map(|run| run.input.clone()).collect();
    let call_goals = Goals { edges, first_searched: false, failing: loaded.lts.error.is_some(), any: false, from_any };
    let settled = settle(loaded, "branches", (call_goals, &taken), &mut *finding(FINDERS, trace), meter, trace);
    trace.needs();
    let machine = Machine::deep(&loaded.lts);
    for test in settled.tests {
        let run = machine.run(&test.input, RUN);
        outcome.runs.push(KeptRun { input: test.input, path: run.edges, outcome: run.outcome, after: test.after, only: None });
    }
    for (edge, assumed) in settled.excluded {
        outcome.edges[edge.index()] = EdgeKnowledge::Excluded;
        outcome.needs.push((vec![edge], Needs { all: assumed, ..Needs::default() }));
    }
    let told = believed(loaded, &outcome.edges, &outcome.runs);
    let contradicted: Vec<EdgeId> =
        loaded.lts.graph.edge_indices().filter(|edge| is_contradicted(outcome.edges[edge.index()], told[edge.index()])).collect();
    if !contradicted.is_empty() {
        trace.emit(Event::Contradicted { edges: &contradicted });
    }
    outcome.edges = told;
    if sides.iter().all(|side| status(side, &outcome.edges) != super::SideStatus::Open) {
        outcome.cut = None;
    }
    outcome
}

/// Adds runs that begin as a first call does, with inputs of runs from other states, where they take something new: of what such a run
/// takes, the state may matter to other branches alone.
fn in_first_calls(loaded: &Loaded, runs: &mut Vec<KeptRun>) {
    let machine = Machine::deep(&loaded.lts);
    let mut taken = edges_of_reachable_starts(loaded, runs);
    let others: Vec<Input> =
        runs.iter().filter(|run| !is_reachable_start(loaded, &run.input, &run.after)).map(|run| run.input.clone()).collect();
    for input in others {
        let input = with_first(&loaded.base, input);
        let run = machine.run(&input, RUN);
        if run.edges.iter().any(|edge| !taken.contains(edge)) {
            taken.extend(run.edges.iter().copied());
            runs.push(KeptRun { input, path: run.edges, outcome: run.outcome, after: Vec::new(), only: None });
        }
    }
}

fn is_contradicted(before: EdgeKnowledge, after: EdgeKnowledge) -> bool {
    before == EdgeKnowledge::Excluded && matches!(after, EdgeKnowledge::Taken(_))
}

/// The edges that runs take which begin as a first call does, or after known calls.
fn edges_of_reachable_starts(loaded: &Loaded, runs: &[KeptRun]) -> SortedSet<EdgeId> {
    let reachable = runs.iter().filter(|run| is_reachable_start(loaded, &run.input, &run.after));
    reachable.flat_map(KeptRun::taken).collect()
}

/// What is known of each edge, where runs from some state decide nothing.
pub fn believed(loaded: &Loaded, edges: &[EdgeKnowledge], runs: &[KeptRun]) -> Vec<EdgeKnowledge> {
    let mut first: Vec<Option<usize>> = vec![None; edges.len()];
    for (number, run) in runs.iter().enumerate().filter(|(_, run)| is_reachable_start(loaded, &run.input, &run.after)) {
        for edge in run.taken() {
            first[edge.index()].get_or_insert(number);
        }
    }
    let each = edges.iter().zip(first).map(|(knowledge, first)| match (*knowledge, first) {
        (_, Some(run)) => EdgeKnowledge::Taken(run),
        (EdgeKnowledge::Taken(run), None) => EdgeKnowledge::Unbacked(run),
        (knowledge, None) => knowledge,
    });
    each.collect()
}
