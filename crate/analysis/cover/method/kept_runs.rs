//! Runs that others find: each is replayed, and changes the verdicts on what it takes.

use super::test::Test;
use super::{CoverOutcome, EdgeVerdict};
use crate::evidence::bounded::unwind::{UnwindObstacle, needed};
use crate::interp::Machine;
use crate::load::Loaded;
use crate::logic::SortedSet;
use crate::lts::{EdgeId, Lts};
use crate::run::trace::{Event, Trace};
use crate::sequences::{is_reachable_start, matter};
use crate::solver::Reason;
use crate::solver::meter::{Meter, RUN_STEPS};

/// How many edges of a run to follow.
const LONGEST_RUN: u64 = 100_000;

/// Adds the whole run with a test's input, if it takes something that no test takes, or completes where none did.
pub fn keep(
    loaded: &Loaded,
    machine: &Machine,
    Test { input, after, .. }: &Test,
    outcome: &mut CoverOutcome,
    meter: &mut Meter,
    trace: &Trace,
) -> bool {
    let lts = &loaded.lts;
    if matter(loaded) && !is_reachable_start(loaded, input, after) {
        return false;
    }
    let Some((drawn, run)) = machine.drawn_run(input, LONGEST_RUN) else { return false };
    let input = &drawn;
    // A further step finds the meter exhausted.
    let _ = meter.spend(run.edges.len() as u64 / RUN_STEPS);
    let completes = run.location == lts.exit;
    let is_new = |edge: &EdgeId| match outcome.verdicts[edge.index()] {
        EdgeVerdict::NotWithin(None) | EdgeVerdict::Infeasible | EdgeVerdict::Unbacked(_) | EdgeVerdict::Open(_) => true,
        EdgeVerdict::NotWithin(Some(_)) | EdgeVerdict::Reached(_) => completes,
        EdgeVerdict::Covered(_) | EdgeVerdict::NeverCompletes(_) => false,
    };
    let Some(last) = run.edges.iter().rposition(is_new) else { return false };
    let mut path = run.edges;
    if !completes {
        path.truncate(last + 1);
    }
    if trace.claim(Event::Reached { path: &path, input, after }).is_err() {
        return false;
    }
    // Tests that do not complete come last, before them those beyond the bound.
    let is_beyond = completes && needed(lts, &path).is_none_or(|times| times > outcome.unwind);
    let number = match (completes, is_beyond) {
        (true, false) => outcome.complete - outcome.beyond,
        (true, true) => outcome.complete,
        (false, _) => outcome.tests.len(),
    };
    renumber(outcome, &|test| if test >= number { test + 1 } else { test });
    outcome.complete += usize::from(completes);
    outcome.beyond += usize::from(is_beyond);
    let contradicted = path.iter().filter(|edge| outcome.verdicts[edge.index()] == EdgeVerdict::Infeasible);
    let contradicted: Vec<EdgeId> = contradicted.copied().collect::<SortedSet<EdgeId>>().into_iter().collect();
    if !contradicted.is_empty() {
        trace.emit(Event::Contradicted { edges: &contradicted });
    }
    for edge in &path {
        let verdict = &mut outcome.verdicts[edge.index()];
        *verdict = match *verdict {
            EdgeVerdict::Covered(test) => EdgeVerdict::Covered(test),
            EdgeVerdict::NeverCompletes(test) => EdgeVerdict::NeverCompletes(test),
            _ if completes => EdgeVerdict::Covered(number),
            EdgeVerdict::NotWithin(test) => EdgeVerdict::NotWithin(test.or(Some(number))),
            EdgeVerdict::Reached(test) => EdgeVerdict::Reached(test),
            EdgeVerdict::Infeasible | EdgeVerdict::Unbacked(_) | EdgeVerdict::Open(_) => EdgeVerdict::Reached(number),
        };
    }
    outcome.tests.insert(number, Test { input: input.clone(), path, after: after.clone() });
    true
}

/// Gives the tests that verdicts name other numbers.
fn renumber(outcome: &mut CoverOutcome, number: &dyn Fn(usize) -> usize) {
    for verdict in &mut outcome.verdicts {
        match verdict {
            EdgeVerdict::Covered(test)
            | EdgeVerdict::NeverCompletes(test)
            | EdgeVerdict::NotWithin(Some(test))
            | EdgeVerdict::Reached(test) => *test = number(*test),
            EdgeVerdict::NotWithin(None) | EdgeVerdict::Infeasible | EdgeVerdict::Unbacked(_) | EdgeVerdict::Open(_) => {}
        }
    }
    outcome.enough = outcome.enough.map(|(unwind, test)| (unwind, number(test)));
}

/// The outcome in which only what these tests cover is known.
pub fn given_tests_only(lts: &Lts, unwind: u32, mut tests: Vec<Test>, obstacle: UnwindObstacle, trace: &Trace) -> CoverOutcome {
    tests.retain(|test| trace.claim(Event::Reached { path: &test.path, input: &test.input, after: &test.after }).is_ok());
    let mut verdicts = vec![EdgeVerdict::Open(Reason::Steps); lts.graph.edge_count()];
    for (number, test) in tests.iter().enumerate().rev() {
        test.path.iter().for_each(|edge| verdicts[edge.index()] = EdgeVerdict::Covered(number));
    }
    CoverOutcome {
        unwind,
        complete: tests.len(),
        beyond: 0,
        tests,
        unbacked: Vec::new(),
        because: vec![Vec::new(); verdicts.len()],
        cut: verdicts.contains(&EdgeVerdict::Open(Reason::Steps)).then_some(Reason::Steps),
        verdicts,
        failures: Vec::new(),
        queries: 0,
        bounded: false,
        enough: None,
        summaries: None,
        obstacle: Some(obstacle),
        determined: None,
    }
}
