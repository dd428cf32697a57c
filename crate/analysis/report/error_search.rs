//! A search for error calls: the schedule of the engines has branches as its goals, and a property has these calls.
//!
//! Reach comes first, with a quarter of the steps: a condition for each call, an input or a proof. The report has the steps that are left.

use super::answer::{report_with, sentence};
use super::property::{ErrorCalls, ErrorTarget, Property, PropertyAnswer, PropertyGoal, answer, is_defined};
use super::{ReportDocument, ReportErrorCall, ReportFinding, ReportFindingKind};
use crate::analysis::reach::report::reach;
use crate::analysis::reach::{DEFAULT_K, ReachDocument, ReachSettings, ReachVerdict};
use crate::load::load;
use crate::logic::Arrange;
use crate::run::listener::Listener;
use crate::run::recorder::default_limit;
use crate::source::Span;
use crate::view::{Reply, Request, place};

/// One of so many steps is for Reach.
const SEARCH: u64 = 4;
/// So many calls are searched for at most.
const MOST_CALLS: usize = 16;

/// What Reach finds of the error calls of a program.
#[derive(Default)]
struct SearchedErrors {
    /// Of a call that is reached: the finding.
    reached: Option<ReportFinding>,
    /// Whether no execution gets to any of them.
    is_excluded: bool,
    steps: u64,
}

/// The report with the answer to a property.
pub fn report_on(request: &Request, property: &Property, listener: &mut Listener) -> Reply<ReportDocument> {
    let limit = request.limit.unwrap_or_else(|| default_limit(&request.source));
    let searched = match property.goal {
        PropertyGoal::CoverageBranches => SearchedErrors::default(),
        PropertyGoal::UnreachCall | PropertyGoal::CoverageErrorCall => search(request, limit / SEARCH, &property.target, listener),
    };
    let rest = Request { limit: Some(limit.saturating_sub(searched.steps).max(1)), ..request.clone() };
    report_with(&rest, listener, |source, mut document| {
        document.header.statistics.steps += searched.steps;
        let calls = ErrorCalls::of(&property.target, source.loaded);
        let mut answer = answer(property, &calls, source, &document);
        if answer.verdict == "UNKNOWN" {
            let searched = SearchedErrors { is_excluded: searched.is_excluded && is_defined(source), ..searched };
            answer = searched.take_over(answer, property, &calls, &mut document);
        }
        ReportDocument { property: Some(answer), ..document }
    })
}

/// Asks Reach for each error, with so many steps in all.
fn search(request: &Request, limit: u64, target: &ErrorTarget, listener: &mut Listener) -> SearchedErrors {
    let targets = match target {
        ErrorTarget::Label(name) => vec![name.clone()],
        target => error_positions(request, target),
    };
    let mut searched = SearchedErrors { is_excluded: !targets.is_empty() && targets.len() <= MOST_CALLS, ..SearchedErrors::default() };
    for target in targets.iter().take(MOST_CALLS) {
        let settings = ReachSettings { target: Some(target.clone()), k: DEFAULT_K };
        let request = Request { limit: Some((limit / targets.len() as u64).max(1)), ..request.clone() };
        // The report says why a program is refused.
        let Reply::Document { document } = reach(&request, &settings, listener) else { return SearchedErrors::default() };
        searched.steps += document.header.statistics.steps;
        searched.is_excluded &= document.verdict == ReachVerdict::Unreachable;
        if document.verdict == ReachVerdict::Reached {
            searched.reached = Some(finding(document));
            break;
        }
    }
    searched
}

/// The positions of the errors in the text, as targets of Reach.
fn error_positions(request: &Request, target: &ErrorTarget) -> Vec<String> {
    let Ok(loaded) = load(request) else { return Vec::new() };
    let calls = ErrorCalls::of(target, &loaded);
    let failures = loaded.lts.graph.edge_weights().filter_map(|edge| edge.failure).filter(|failure| calls.has(*failure));
    let mut spans: Vec<Span> = failures.map(|failure| failure.span).collect();
    spans.arrange_by_key(|span| (span.start, span.end));
    spans.dedup();
    let position = |span: &Span| {
        let start = place(&loaded.lines, *span);
        format!("{}:{}", start.line, start.column)
    };
    spans.iter().map(position).collect()
}

/// A run to an error call.
fn finding(document: ReachDocument) -> ReportFinding {
    let ReachDocument { target, input, lines, after, assumes, .. } = document;
    ReportFinding {
        innocuous: None,
        kind: ReportFindingKind::Error,
        line: target.line,
        column: target.column,
        text: target.text,
        expansion: None,
        evidence: "the error of the property".to_owned(),
        hint: None,
        input,
        lines,
        after,
        because: None,
        assumes,
    }
}

impl SearchedErrors {
    /// Puts what Reach found into a report that leaves the error calls open.
    fn take_over(self, answer: PropertyAnswer, property: &Property, calls: &ErrorCalls, document: &mut ReportDocument) -> PropertyAnswer {
        let is_of_calls = property.goal == PropertyGoal::UnreachCall;
        let is_label = matches!(property.target, ErrorTarget::Label(_));
        if let Some(finding) = self.reached {
            document.findings.push(finding);
            document.findings.arrange_by_key(|finding| (finding.kind, finding.line, finding.column));
            document.sentence = sentence(document.branches, &document.findings);
            if !is_label {
                document.error_call = Some(ReportErrorCall::Reached);
            }
            return PropertyAnswer { verdict: if is_of_calls { "FALSE(unreach-call)" } else { "DONE" }, ..answer };
        }
        if self.is_excluded && (calls.is_traced || is_label) {
            if document.error_call == Some(ReportErrorCall::Unknown) && calls.are_all_errors && !is_label {
                document.error_call = Some(ReportErrorCall::Unreachable);
            }
            return PropertyAnswer { verdict: if is_of_calls { "TRUE" } else { "DONE" }, ..answer };
        }
        answer
    }
}
