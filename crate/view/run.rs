//! `run`: one concrete execution.

use super::load::load;
use super::{Input, Place, Reply, Request, RunBranch, RunDocument, RunOutcome, SolverStatistics, input, place};
use crate::interp::{self, Machine, Outcome, Undefined};

use crate::lts::{Label, Lts, text};
use std::collections::BTreeMap;

/// The step limit where the request has none.
const DEFAULT_LIMIT: u64 = 1_000_000;

/// How many executed lines a document lists.
const MAX_LINES: usize = 10_000;

/// Runs the function on `given`.
///
/// # Errors
/// What is wrong with the input, in one sentence.
pub fn run(request: &Request, given: &Input) -> Result<Reply<RunDocument>, String> {
    let start = input(given).map_err(|error| error.to_string())?;
    let loaded = match load(request) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Ok(Reply::Refused { diagnostics }),
    };
    let lts = &loaded.lts;
    interp::check_input(lts, &start).map_err(|error| error.to_string())?;
    let limit = request.limit.unwrap_or(DEFAULT_LIMIT);

    let mut taken = vec![0u64; lts.graph.edge_count()];
    let mut lines = Vec::new();
    let mut steps = 0;
    let finished = Machine::new(lts).follow(&start, limit, |edge| {
        steps += 1;
        taken[edge.index()] += 1;
        if lines.len() < MAX_LINES {
            lines.push(loaded.lines.line(lts.graph[edge].span.start));
        }
        std::ops::ControlFlow::Continue(())
    });
    let (outcome, reason) = outcome(lts, finished.outcome, limit);
    let document = RunDocument {
        header: loaded.header(request, outcome != RunOutcome::Steps, SolverStatistics::default(), steps),
        outcome,
        value: finished.value.as_ref().map(Into::into),
        reason,
        place: finished.stopped_before.map(|edge| place(&loaded.lines, lts.graph[edge].span)),
        steps,
        output: None,
        lines,
        branches: branches(lts, &taken, |span| place(&loaded.lines, span)),
    };
    Ok(Reply::Document { document })
}

fn outcome(lts: &Lts, outcome: Outcome, limit: u64) -> (RunOutcome, Option<String>) {
    match outcome {
        Outcome::Returned => (RunOutcome::Returned, None),
        Outcome::Error => (RunOutcome::ErrorCall, None),
        Outcome::AssumeFailed => (RunOutcome::AssumeFailed, None),
        Outcome::Undefined(Undefined::DivisionByZero) => (RunOutcome::Undefined, Some("division by zero".to_owned())),
        Outcome::Undefined(Undefined::OutOfBounds { array, index, length }) => {
            (RunOutcome::Undefined, Some(format!("index {index} outside {}[{length}]", lts.array(array).name)))
        }
        Outcome::Steps => (RunOutcome::Steps, Some(format!("the limit of {limit} steps was reached"))),
        Outcome::TooLarge => (RunOutcome::Steps, Some(format!("a number has more than {} binary digits", interp::MAX_BITS))),
    }
}

/// The decisions in the order of their edges' numbers: how often each side was taken.
fn branches(lts: &Lts, taken: &[u64], place: impl Fn(crate::source::Span) -> Place) -> Vec<RunBranch> {
    let mut branches: BTreeMap<_, RunBranch> = BTreeMap::new();
    for id in lts.graph.edge_indices() {
        let (edge, from, _) = lts.edge(id);
        let Label::Assume { condition, holds } = &edge.label else { continue };
        let branch = branches.entry(from).or_insert_with(|| {
            let place = place(edge.span);
            RunBranch { line: place.line, column: place.column, text: text::expr(lts, condition), place, holds: 0, fails: 0 }
        });
        *(if *holds { &mut branch.holds } else { &mut branch.fails }) += taken[id.index()];
    }
    branches.into_values().collect()
}
