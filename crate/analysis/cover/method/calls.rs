//! Starts in other states: tests that begin with other calls, and what no call ever finds, for statements that only a run takes which
//! starts with statics that are not as the program's start leaves them ([`crate::sequences`]).
//!
//! What neither tests nor claims settle needs a state that no calls are known to leave: that is open.

use super::search::{BoundedProgram, CoverSearch};
use super::test::Test;
use super::unwinding_bound::bounds;
use super::{CoverOutcome, CoverPlan, EdgeVerdict};
use crate::evidence::bounded::condition::{Helpers, condition};
use crate::evidence::bounded::unwind::unwind_each;
use crate::interp::{Input, Machine};
use crate::load::Loaded;
use crate::logic::SortedSet;
use crate::lts::assume::{Assumption, Assumptions};
use crate::lts::{EdgeId, LocationId, Lts};
use crate::run::trace::{Event, Silent, Trace};
use crate::sequences::{self, Goals, is_reachable_start, matter, with_first};
use crate::solver::meter::Meter;
use crate::solver::{Context, Reason};

/// How many edges of a run to follow.
const LONGEST_RUN: u64 = 100_000;

/// Puts tests that begin as a first call does, or with other calls, in the place of those that begin in any state. Gives for each edge
/// that no call takes what this rests on.
pub fn after_others(
    loaded: &Loaded,
    settings: &CoverPlan,
    outcome: &mut CoverOutcome,
    meter: &mut Meter,
    trace: &Trace,
) -> Vec<(EdgeId, Assumptions)> {
    if !loaded.assumed.contains(Assumption::AnyState) || Assumption::AnyState.site(&loaded.base).is_none() {
        return Vec::new();
    }
    let failing = failing_from_any_state(loaded, outcome);
    let mut goals = only_from_any_state(loaded, outcome);
    goals.extend(failing.iter().copied());
    let mut searching = |lts: &Lts, rounds: Option<(LocationId, u32)>, goals: &SortedSet<EdgeId>, meter: &mut Meter| -> Vec<Input> {
        let bound = bounds(lts, &Machine::new(lts), rounds, settings.unwind);
        search(lts, &bound, settings, goals, &[], meter).into_iter().map(|test| test.input).collect()
    };
    let first = in_first_calls(loaded, &outcome.tests, &mut goals, trace);
    let from_any =
        outcome.tests.iter().filter(|test| test.path.iter().any(|edge| goals.contains(edge))).map(|test| test.input.clone()).collect();
    let goals = Goals { edges: goals, first_searched: true, failing: !failing.is_empty(), any: false, from_any };
    let reachable = |test: &&Test| is_reachable_start(loaded, &test.input, &test.after);
    let taken = outcome.tests.iter().filter(reachable).chain(&first).flat_map(|test| test.path.iter().copied()).collect();
    let settled = sequences::settle(loaded, "cover", (goals, &taken), &mut searching, meter, trace);
    let found = first.into_iter().chain(settled.tests).collect();
    settle(loaded, settings, outcome, found, &settled.excluded, meter, trace);
    settled.excluded
}

/// Tests that begin as a first call does, with inputs of tests from other states, where they take some of the goals; these are goals no more.
fn in_first_calls(loaded: &Loaded, tests: &[Test], goals: &mut SortedSet<EdgeId>, trace: &Trace) -> Vec<Test> {
    let machine = Machine::deep(&loaded.lts);
    let others = tests.iter().filter(|test| !is_reachable_start(loaded, &test.input, &test.after));
    let mut found = Vec::new();
    for test in others {
        let input = with_first(&loaded.base, test.input.clone());
        let path = machine.run(&input, LONGEST_RUN).edges;
        let taken: SortedSet<EdgeId> = path.iter().copied().collect();
        if goals.is_disjoint(&taken) || trace.claim(Event::Reached { path: &path, input: &input, after: &[] }).is_err() {
            continue;
        }
        goals.retain(|edge| !taken.contains(edge));
        found.push(Test { input, path, after: Vec::new() });
    }
    found
}

/// The statements that only tests take which begin in any state.
fn only_from_any_state(loaded: &Loaded, outcome: &CoverOutcome) -> SortedSet<EdgeId> {
    let lts = &loaded.lts;
    let taken = |reachable_start: bool| -> SortedSet<EdgeId> {
        let tests = outcome.tests.iter().filter(|test| is_reachable_start(loaded, &test.input, &test.after) == reachable_start);
        tests.flat_map(|test| test.path.iter().copied()).collect()
    };
    let (from_first, from_any) = (taken(true), taken(false));
    from_any.iter().copied().filter(|edge| !from_first.contains(edge) && !lts.graph[*edge].library).collect()
}

/// The ways into the error location that only tests take which begin in any state.
fn failing_from_any_state(loaded: &Loaded, outcome: &CoverOutcome) -> SortedSet<EdgeId> {
    let lts = &loaded.lts;
    let fails = |edge: &EdgeId| match outcome.verdicts[edge.index()] {
        EdgeVerdict::NeverCompletes(test) => {
            let test = &outcome.tests[test];
            Some(lts.edge(*edge).2) == lts.error && !is_reachable_start(loaded, &test.input, &test.after)
        }
        _ => false,
    };
    lts.graph.edge_indices().filter(fails).collect()
}

/// Executions that complete and take some of these edges, and none of the forbidden ones.
pub(super) fn search(
    lts: &Lts,
    bound: &dyn Fn(LocationId) -> u32,
    settings: &CoverPlan,
    goals: &SortedSet<EdgeId>,
    forbidden: &[EdgeId],
    meter: &mut Meter,
) -> Vec<Test> {
    let mut silent = Silent;
    let trace = Trace::new(&mut silent);
    let Ok(unwound) = unwind_each(lts, bound) else { return Vec::new() };
    let mut context = Context::new();
    let Ok(condition) = condition(lts, &unwound, &mut context.pool, Helpers::None) else { return Vec::new() };
    let machine = Machine::new(lts);
    let mut search =
        CoverSearch::new(&machine, BoundedProgram { lts, unwound: &unwound, condition: &condition }, context, settings, meter, &trace);
    search.only(goals);
    search.forbid(forbidden);
    // What it leaves is looked for in other ways.
    let _ = search.statements(true);
    search.tests
}

/// Gives the verdicts that these tests and claims leave.
fn settle(
    loaded: &Loaded,
    settings: &CoverPlan,
    outcome: &mut CoverOutcome,
    found: Vec<Test>,
    excluded: &[(EdgeId, Assumptions)],
    meter: &mut Meter,
    trace: &Trace,
) {
    let lts = &loaded.lts;
    let forbidden: Vec<EdgeId> = excluded.iter().map(|(edge, _)| *edge).collect();
    let allowed = |path: &[EdgeId]| !path.iter().any(|edge| forbidden.contains(edge));
    let believed = |test: &Test| !matter(loaded) || is_reachable_start(loaded, &test.input, &test.after);
    let (mut complete, rest) = (std::mem::take(&mut outcome.tests), outcome.complete);
    let rest_before = complete.split_off(rest);
    let ends = |test: &Test| test.path.last().is_some_and(|&edge| lts.edge(edge).2 == lts.exit);
    let (found, failing): (Vec<Test>, Vec<Test>) = found.into_iter().partition(ends);
    // Tests that begin where calls leave the statics come first; of the others only those that still show something.
    let (mut tests, mut others): (Vec<Test>, Vec<Test>) =
        complete.iter().cloned().partition(|test| is_reachable_start(loaded, &test.input, &test.after));
    tests.extend(found);
    let mut taken: SortedSet<EdgeId> = tests.iter().flat_map(|test| test.path.iter().copied()).collect();
    others.retain(|test| allowed(&test.path));
    let covered = |verdict: &EdgeVerdict| matches!(verdict, EdgeVerdict::Covered(_));
    let before: Vec<EdgeId> = lts.graph.edge_indices().filter(|edge| covered(&outcome.verdicts[edge.index()])).collect();
    let lost: SortedSet<EdgeId> = before
        .iter()
        .copied()
        .filter(|edge| !forbidden.contains(edge) && !taken.contains(edge) && !others.iter().any(|test| test.path.contains(edge)))
        .collect();
    if !lost.is_empty() {
        others.extend(search(lts, &|_| settings.unwind, settings, &lost, &forbidden, meter));
    }
    // Runs that show what is open: no calls are known to leave the state that they need.
    let mut unbacked: Vec<Test> = Vec::new();
    for test in others {
        if test.path.iter().any(|edge| !taken.contains(edge)) {
            if !believed(&test) {
                unbacked.push(test);
            } else if trace.claim(Event::Reached { path: &test.path, input: &test.input, after: &test.after }).is_ok() {
                taken.extend(test.path.iter().copied());
                tests.push(test);
            }
        }
    }
    unbacked.extend(complete.into_iter().filter(|test| !believed(test)));
    unbacked.extend(rest_before.iter().filter(|test| !believed(test)).cloned());
    // Tests that do not complete come last.
    let first_failing = rest_before.len();
    let rest: Vec<Test> = rest_before.into_iter().chain(failing).collect();
    let moved = |test: usize| test - outcome.complete + tests.len();
    let reached: Vec<bool> = rest.iter().map(believed).collect();
    let of_rest = |edge: EdgeId, usual: Option<usize>| {
        let mut numbers = (first_failing..rest.len()).chain(usual).chain(0..first_failing);
        numbers.find(|&at| reached[at] && rest[at].path.contains(&edge)).map(|at| tests.len() + at)
    };
    let open = |edge: EdgeId| unbacked.iter().position(|test| test.path.contains(&edge)).map(EdgeVerdict::Unbacked);
    for edge in lts.graph.edge_indices() {
        let verdict = &mut outcome.verdicts[edge.index()];
        *verdict = match *verdict {
            _ if forbidden.contains(&edge) => EdgeVerdict::Infeasible,
            EdgeVerdict::Covered(_) => match tests.iter().position(|test| test.path.contains(&edge)) {
                Some(test) => EdgeVerdict::Covered(test),
                None => open(edge).unwrap_or(EdgeVerdict::Open(Reason::Steps)),
            },
            EdgeVerdict::NeverCompletes(test) => match of_rest(edge, Some(test - outcome.complete)) {
                Some(test) => EdgeVerdict::NeverCompletes(test),
                None => open(edge).unwrap_or(EdgeVerdict::Open(Reason::Steps)),
            },
            EdgeVerdict::NotWithin(Some(test)) => EdgeVerdict::NotWithin(of_rest(edge, Some(test - outcome.complete))),
            EdgeVerdict::NotWithin(None)
            | EdgeVerdict::Infeasible
            | EdgeVerdict::Unbacked(_)
            | EdgeVerdict::Reached(_)
            | EdgeVerdict::Open(_) => continue,
        };
    }
    outcome.enough = outcome.enough.filter(|&(_, test)| test < outcome.complete || reached[test - outcome.complete]);
    outcome.enough = outcome.enough.map(|(unwind, test)| (unwind, moved(test)));
    outcome.failures.retain(|failure| allowed(&failure.path));
    outcome.complete = tests.len();
    tests.extend(rest);
    outcome.tests = tests;
    outcome.unbacked = unbacked;
}
