//! Whether an execution gets to an error call.

use super::ReportErrorCall;
use super::findings::FindingSource;
use crate::interp::{Input, Outcome, run};
use crate::load::Loaded;
use crate::lts::{Failure, FailureKind};

/// What counts as an error call: failed assertions and `reach_error()`. A program that calls `abort()` ends as it means to.
pub fn is_error(failure: Failure) -> bool {
    matches!(failure.kind, FailureKind::Assertion | FailureKind::ErrorCall)
}

/// Whether an execution gets to the error location by such a failure; `None` where the graph has no such failure.
pub fn error_call(source: &FindingSource, is_error: impl Fn(Failure) -> bool) -> Option<ReportErrorCall> {
    let lts = &source.loaded.lts;
    if let Some(failure) = lts.at_entry.failure {
        // Each run begins with it, as the run on the empty input.
        let is_reached = is_error(failure) && run(lts, &Input::default(), 1).outcome == Outcome::Error;
        return is_reached.then_some(ReportErrorCall::Reached);
    }
    let error = lts.error?;
    let of_kind = lts.graph.edge_indices().filter(|&edge| {
        let (label, _, to) = lts.edge(edge);
        to == error && label.failure.is_none_or(&is_error)
    });
    let ways: Vec<u32> = of_kind.map(|edge| edge.index() as u32).collect();
    let document = source.covered;
    let is_infeasible = |way: &u32| document.infeasible.iter().any(|statement| statement.edge == *way);
    Some(match () {
        () if ways.is_empty() => return None,
        () if document.errors.iter().any(|error| error.is_raised && ways.contains(&error.edge)) => ReportErrorCall::Reached,
        () if lts.cut.is_none() && ways.iter().all(is_infeasible) && is_whole(source.loaded) => ReportErrorCall::Unreachable,
        () => ReportErrorCall::Unknown,
    })
}

/// Whether no part of the program is approximated that may have error calls, or call a function whose address it is given.
pub fn is_whole(loaded: &Loaded) -> bool {
    let has_addresses = !loaded.program.addressed.is_empty();
    loaded.warnings.iter().all(|warning| warning.code != "not-understood" && (warning.code != "function-without-body" || !has_addresses))
}
