//! A search for error calls: the schedule of the engines has branches as its goals, and a property has these calls.
//!
//! 1. Reach looks for each error with few steps: most inputs are found so.
//! 2. The report: its engines may have a run or claims of an error. Once there is an answer, it has few steps.
//! 3. Where there is none, Reach looks once more, with a quarter of the steps.

use super::answer::{report_with, sentence};
use super::error_call::is_whole;
use super::findings::FindingSource;
use super::property::{ErrorCalls, ErrorTarget, Property, PropertyAnswer, PropertyGoal, answer, is_defined};
use super::{ReportDocument, ReportErrorCall, ReportFinding, ReportFindingKind};
use crate::analysis::reach::report::reach_target;
use crate::analysis::reach::report::target::{labels, of_edges};
use crate::analysis::reach::{DEFAULT_K, ReachDocument, ReachTarget, ReachVerdict};
use crate::load::{Loaded, load_assuming};
use crate::logic::{Arrange, SortedMap, SortedSet};
use crate::lts::EdgeId;
use crate::run::listener::{Claims, Listener, QueryListener};
use crate::run::recorder::default_limit;
use crate::source::Span;
use crate::view::{Call, Event, Input, Reply, Request, capped};

/// One of so many steps is for Reach.
const SEARCH: u64 = 4;
/// At first Reach ends after one of so many steps, whatever it has left: with fewer steps in all its proofs would have fewer, too.
const FIRST_SEARCH: u64 = 32;
/// Once the property has an answer, one of so many steps is for the branches.
const AFTERWARDS: u64 = 32;
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
    let within = |limit: u64| Request { limit: Some(limit.max(1)), ..request.clone() };
    // The report says why a program is refused.
    let loaded = load_assuming(request, None).ok().filter(|_| property.goal != PropertyGoal::CoverageBranches);
    let targets = loaded.iter().flat_map(|loaded| error_targets(loaded, &property.target)).collect::<Vec<_>>();
    let search = |listener: &mut Listener| {
        loaded.as_ref().map_or_else(SearchedErrors::default, |loaded| search(&within(limit / SEARCH), loaded, &targets, listener))
    };
    // 1.
    let mut searched = {
        let most = limit / FIRST_SEARCH;
        let mut until = |event: Event| {
            let is_within = !matches!(event, Event::Progress { steps, .. } if steps > most);
            (listener.event)(event) && is_within
        };
        let claims: Option<&mut dyn Claims> = match &mut listener.claims {
            Some(claims) => Some(&mut **claims),
            None => None,
        };
        let query: Option<QueryListener> = match &mut listener.query {
            Some(query) => Some(&mut **query),
            None => None,
        };
        search(&mut Listener { event: &mut until, findings: listener.findings, claims, query })
    };
    // 2.
    let second_steps = if searched.is_answer() || targets.is_empty() { 0 } else { limit / SEARCH };
    let left = limit.saturating_sub(searched.steps).saturating_sub(second_steps);
    let steps = if searched.is_answer() { left.min(limit / AFTERWARDS) } else { left };
    let mut errors = None;
    let reply = report_with(&within(steps), listener, |source, document| {
        let calls = ErrorCalls::of(&property.target, source.loaded);
        let answer = answer(property, &calls, source, &document);
        // The report's graph may have calls inlined to another depth, so that its edges have other numbers.
        let targets = error_targets(source.loaded, &property.target);
        searched.is_excluded |= is_infeasible(source, &targets);
        searched.reached = searched.reached.take().or_else(|| covered(request, source, &targets));
        errors = Some(ErrorFacts {
            is_traced: calls.is_traced,
            are_all_errors: calls.are_all_errors,
            is_defined: is_defined(source) && is_whole(source.loaded),
            is_label: matches!(property.target, ErrorTarget::Label(_)),
        });
        ReportDocument { property: Some(answer), ..document }
    });
    let Reply::Document { mut document } = reply else { return reply };
    let errors = errors.expect("of a document");
    let is_open = |document: &ReportDocument| {
        property.goal != PropertyGoal::CoverageBranches && document.property.as_ref().is_some_and(|answer| answer.verdict == "UNKNOWN")
    };
    // 3.
    if is_open(&document) && !searched.is_answer() && second_steps > 0 {
        let SearchedErrors { reached, is_excluded, steps } = search(listener);
        searched = SearchedErrors { reached, is_excluded, steps: searched.steps + steps };
    }
    document.header.statistics.steps += searched.steps;
    if is_open(&document) {
        searched.take_over(property, errors, &mut document);
    }
    Reply::Document { document }
}

/// What is known of the errors beside the verdicts.
#[derive(Clone, Copy)]
struct ErrorFacts {
    /// Of [`ErrorCalls`].
    is_traced: bool,
    are_all_errors: bool,
    is_defined: bool,
    is_label: bool,
}

/// An error of a property: an execution gets to it exactly if it takes one of the edges.
struct ErrorTargetEdges {
    /// Of the call or the statement.
    span: Span,
    edges: SortedSet<EdgeId>,
}

/// The errors of a program that its graph has an edge to.
fn error_targets(loaded: &Loaded, target: &ErrorTarget) -> Vec<ErrorTargetEdges> {
    let lts = &loaded.lts;
    let mut edges: SortedMap<(u32, u32), SortedSet<EdgeId>> = SortedMap::new();
    let spans: Vec<Span> = match target {
        ErrorTarget::Label(name) => labels(&loaded.program, name).into_iter().map(|(span, _)| span).collect(),
        ErrorTarget::Calls | ErrorTarget::Assertions => Vec::new(),
    };
    let calls = ErrorCalls::of(target, loaded);
    for edge in lts.graph.edge_indices() {
        let (label, _, to) = lts.edge(edge);
        let failure = label.failure.filter(|failure| calls.has(*failure) && Some(to) == lts.error);
        if let Some(span) = failure.map(|failure| failure.span).or_else(|| spans.iter().copied().find(|span| *span == label.span)) {
            edges.entry((span.start, span.end)).or_default().insert(edge);
        }
    }
    edges.into_iter().map(|((start, end), edges)| ErrorTargetEdges { span: Span { start, end }, edges }).collect()
}

/// Asks Reach for each error, with the steps of the request in all.
fn search(request: &Request, loaded: &Loaded, targets: &[ErrorTargetEdges], listener: &mut Listener) -> SearchedErrors {
    let mut searched = SearchedErrors { is_excluded: !targets.is_empty() && targets.len() <= MOST_CALLS, ..SearchedErrors::default() };
    for target in targets.iter().take(MOST_CALLS) {
        let share = request.limit.map(|limit| (limit / targets.len() as u64).max(1));
        let request = Request { limit: share, ..request.clone() };
        let targets = of_edges(loaded, &request.source, target.span, target.edges.clone());
        let Reply::Document { document } = reach_target(&request, loaded, targets, DEFAULT_K, listener) else { break };
        searched.steps += document.header.statistics.steps;
        searched.is_excluded &= document.verdict == ReachVerdict::Unreachable;
        if document.verdict == ReachVerdict::Reached {
            searched.reached = Some(finding(document));
            break;
        }
    }
    searched
}

/// Whether the report says of each edge of the errors that no execution takes it.
fn is_infeasible(source: &FindingSource, targets: &[ErrorTargetEdges]) -> bool {
    let infeasible: SortedSet<u32> = source.covered.infeasible.iter().map(|statement| statement.edge).collect();
    let is_excluded = |edge: &EdgeId| infeasible.contains(&(edge.index() as u32));
    source.loaded.lts.cut.is_none() && !targets.is_empty() && targets.iter().all(|target| target.edges.iter().all(is_excluded))
}

/// A run of the report's tests to an error.
fn covered(request: &Request, source: &FindingSource, targets: &[ErrorTargetEdges]) -> Option<ReportFinding> {
    let loaded = source.loaded;
    let found = targets.iter().find_map(|target| {
        let is_one = |edge: &u32| target.edges.contains(&EdgeId::new(*edge as usize));
        source.covered.tests.iter().find_map(|test| Some((target, test, test.edges.iter().position(is_one)?)))
    });
    let (target, test, at) = found?;
    let lines = test.edges[..=at].iter().map(|&edge| loaded.lines.line(loaded.lts.graph[EdgeId::new(edge as usize)].span.start));
    let of_target = of_edges(loaded, &request.source, target.span, target.edges.clone()).chosen;
    let (lines, _) = capped(lines.collect());
    Some(error_finding(
        of_target,
        FoundRun { input: Some(test.input.clone()), lines, after: test.after.clone(), assumes: test.assumes.clone() },
    ))
}

/// A run into an error.
struct FoundRun {
    input: Option<Input>,
    lines: Vec<u32>,
    after: Vec<Call>,
    assumes: Vec<String>,
}

/// A run to an error, found by Reach.
fn finding(document: ReachDocument) -> ReportFinding {
    let ReachDocument { target, input, lines, after, assumes, .. } = document;
    error_finding(target, FoundRun { input, lines, after, assumes })
}

fn error_finding(target: ReachTarget, FoundRun { input, lines, after, assumes }: FoundRun) -> ReportFinding {
    ReportFinding {
        input,
        lines,
        after,
        assumes,
        ..ReportFinding::new(ReportFindingKind::Error, target.line, target.column, target.text, "the error of the property".to_owned())
    }
}

impl SearchedErrors {
    fn is_answer(&self) -> bool {
        self.is_excluded || self.reached.is_some()
    }

    /// Puts the answer of Reach or of an engine into a report that leaves the property open.
    fn take_over(self, property: &Property, errors: ErrorFacts, document: &mut ReportDocument) {
        let ErrorFacts { is_traced, are_all_errors, is_defined, is_label } = errors;
        let verdict = match self.reached {
            Some(finding) => {
                document.findings.push(finding);
                document.findings.arrange_by_key(|finding| (finding.kind, finding.line, finding.column));
                document.sentence = sentence(document.branches, &document.findings, document.safety.as_ref());
                if !is_label {
                    document.error_call = Some(ReportErrorCall::Reached);
                }
                "FALSE(unreach-call)"
            }
            None if self.is_excluded && is_defined && (is_traced || is_label) => {
                if document.error_call == Some(ReportErrorCall::Unknown) && are_all_errors && !is_label {
                    document.error_call = Some(ReportErrorCall::Unreachable);
                }
                "TRUE"
            }
            None => return,
        };
        let verdict = if property.goal == PropertyGoal::UnreachCall { verdict } else { "DONE" };
        document.property = Some(PropertyAnswer { name: property.goal.name(), verdict });
    }
}
