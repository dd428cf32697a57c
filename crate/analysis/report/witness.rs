//! The report's run into an error call as a witness of SV-COMP.

use super::{ReportDocument, ReportErrorCall, ReportFinding, ReportFindingKind};
use crate::export::{ERROR_FUNCTIONS, violation_witness};
use crate::view::Request;

/// The witness of the first run into an error call that begins with the program.
///
/// # Errors
/// There is no such run, and why; or the format cannot say it.
pub fn witness(document: &ReportDocument, request: &Request) -> Result<String, String> {
    let request = Request { inline_depth: document.header.inline_depth.or(request.inline_depth), ..request.clone() };
    let is_run = |finding: &&ReportFinding| finding.kind == ReportFindingKind::Error && finding.after.is_empty();
    match document.error_call {
        // An error function with a body of its own: the program ends in it, or after its call.
        None if !ERROR_FUNCTIONS.iter().any(|name| request.source.contains(name)) => Err(NO_ERROR_CALL.to_owned()),
        Some(ReportErrorCall::Unreachable) => Err(UNREACHABLE.to_owned()),
        Some(ReportErrorCall::Unknown) => Err(UNKNOWN.to_owned()),
        reached @ (None | Some(ReportErrorCall::Reached)) => {
            for finding in document.findings.iter().filter(is_run) {
                let Some(input) = &finding.input else { continue };
                if let Some(witness) = violation_witness(&request, input)? {
                    return Ok(witness);
                }
            }
            Err(if reached.is_some() { AFTER_CALLS } else { NO_ERROR_CALL }.to_owned())
        }
    }
}

const NO_ERROR_CALL: &str =
    "the function has no error call and no assertion, so there is nothing to witness: --format sarif has the other findings";
const UNREACHABLE: &str = "no execution reaches an error call; the invariants of the proof are formulas over the program's model, which an \
     invariant_set cannot hold, and an empty one would say nothing: --evidence FILE writes the proof, which `culdesac check` confirms";
const UNKNOWN: &str = "whether an execution reaches an error call is open: a larger --limit may settle it";
const AFTER_CALLS: &str = "the runs into error calls begin after other calls, and a witness begins with the program: report on the function that makes these calls";
