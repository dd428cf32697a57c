//! Findings: what a reviewer has to look at, from the verdicts on branches and statements and from the runs that fail.

use super::mistakes::Mistakes;
use super::passed::passed_never;
use super::{ReportFinding, ReportFindingKind};
use crate::analysis::cover::{CoverDocument, CoverError, CoverExclusion, CoverReason, CoverStatement};
use crate::lang::suggest::closest;
use crate::ledger::{BranchName, LedgerBranch, LedgerVerdict};
use crate::load::Loaded;
use crate::logic::{Arrange, SortedMap, SortedSet};
use crate::lts::written::{is_of_library, text_of_span};
use crate::lts::{EdgeId, ModelObject};
use crate::source::Span;
use crate::view::{Diagnostic, TextPlace, capped};

/// What findings are made from.
pub struct FindingSource<'f> {
    pub loaded: &'f Loaded,
    pub covered: &'f CoverDocument,
    pub branches: &'f [LedgerBranch<CoverExclusion>],
}

/// Why a statement without a path to it never runs.
const NO_PATH: &str = "no path leads here, whatever the values are";

/// The warning of lowering about statements to which no path leads.
const UNREACHABLE: &str = "unreachable-code";

/// Why a statement never runs.
const NEVER: &str = "no execution takes it";

/// The findings, by kind and then by place, with these of runs that fail.
pub fn findings(source: &FindingSource, failing: Vec<ReportFinding>) -> Vec<ReportFinding> {
    let document = source.covered;
    let mut found: Vec<ReportFinding> = document.errors.iter().map(error).chain(failing).collect();
    let mistakes = Mistakes::of(&source.loaded.program);
    found.extend(always(source.branches, &mistakes));
    let errors: Vec<(u32, u32)> = found.iter().map(|error| (error.line, error.column)).collect();
    let is_error = |span: Span| {
        let ends = [span.start, span.end].map(|end| source.loaded.lines.position(end)).map(|at| (at.line, at.column));
        errors.iter().any(|error| ends[0] <= *error && *error < ends[1])
    };
    // An execution that is undefined at a statement begins it.
    let span_of = |statement: &CoverStatement| source.loaded.lts.graph[EdgeId::new(statement.edge as usize)].span;
    let dead: Vec<&CoverStatement> = whole(source, &document.infeasible, &[]).filter(|statement| !is_error(span_of(statement))).collect();
    let passed = passed_never(source.loaded, &document.infeasible)
        .into_iter()
        .filter(|(span, _)| !is_in(source.loaded, *span, &dead) && !is_error(*span));
    found.extend(passed.map(|(span, by)| unpassed(source, span, by)));
    found.extend(dead.into_iter().map(|one| listed(source, ReportFindingKind::NeverRuns, NEVER, one)));
    found.extend(unreached(source, &mistakes));
    let endless = whole(source, &document.never_completes, &document.infeasible);
    found.extend(endless.map(|one| listed(source, ReportFindingKind::NeverCompletes, "what takes it fails or goes on for ever", one)));
    found.extend(source.branches.iter().filter_map(open));
    found.arrange_by_key(|finding| (finding.kind, finding.line, finding.column));
    found
}

/// The statements of a list that are no branches: a statement with several inlined copies is given once, where each copy is in the list or in
/// `besides`.
fn whole<'s>(
    source: &'s FindingSource<'s>,
    list: &'s [CoverStatement],
    besides: &'s [CoverStatement],
) -> impl Iterator<Item = &'s CoverStatement> + use<'s> {
    let lts = &source.loaded.lts;
    let listed: SortedSet<u32> = list.iter().chain(besides).map(|statement| statement.edge).collect();
    let edges = lts.graph.edge_indices().filter(|&edge| lts.graph[edge].decision.is_none());
    let others = edges.filter(|edge| !listed.contains(&(edge.index() as u32)));
    let elsewhere: SortedSet<(u32, u32)> = others.map(|edge| (lts.graph[edge].span.start, lts.graph[edge].span.end)).collect();
    // Of the function's own copy, a return has no edge of its own.
    let left = lts.graph.edge_indices().filter(|edge| !listed.contains(&(edge.index() as u32)));
    let left = left.map(|edge| &lts.graph[edge]).flat_map(|edge| edge.prints.iter().map(|print| print.span).chain([edge.returned_at]));
    let left: Vec<Span> = left.chain([lts.at_entry.returned_at]).filter(|span| *span != Span::default()).collect();
    let returns = move |(start, end): (u32, u32)| left.iter().any(|span| start <= span.start && span.end <= end);
    let mut seen: SortedSet<(u32, u32)> = SortedSet::new();
    let is_decision = |edge: u32| lts.graph[EdgeId::new(edge as usize)].decision.is_some();
    let is_argument = |edge: u32| match lts.graph[EdgeId::new(edge as usize)].label.assigned() {
        Some(ModelObject::Variable(id)) => is_of_library(lts.variable(id)),
        _ => false,
    };
    let own = list.iter().filter(move |statement| !statement.library && !is_decision(statement.edge) && !is_argument(statement.edge));
    own.filter(move |CoverStatement { place, .. }| {
        let ends = (place.start, place.end);
        !returns(ends) && !elsewhere.contains(&ends) && seen.insert(ends)
    })
}

/// A statement as the program has it, where that is one line without macros; else as the graph has it.
fn written(source: &FindingSource, statement: &CoverStatement) -> String {
    let span = source.loaded.lts.graph[EdgeId::new(statement.edge as usize)].span;
    let text = source.loaded.lines.text().get(span.start as usize..span.end as usize).map(|text| text.trim_end_matches(';').trim());
    let text = text.filter(|text| !text.is_empty() && !text.contains('\n') && statement.expansion.is_none());
    text.map_or_else(|| statement.text.clone(), str::to_owned)
}

fn error(error: &CoverError) -> ReportFinding {
    ReportFinding {
        expansion: error.expansion.clone(),
        input: Some(error.input.clone()),
        lines: error.lines.clone(),
        after: error.after.clone(),
        assumes: error.assumes.clone(),
        ..ReportFinding::new(ReportFindingKind::Error, error.line, error.column, error.text.clone(), error.error.clone())
    }
}

fn listed(source: &FindingSource, kind: ReportFindingKind, evidence: &str, statement: &CoverStatement) -> ReportFinding {
    ReportFinding {
        expansion: statement.expansion.clone(),
        input: statement.reached_by.clone(),
        lines: lines_of(source.loaded, &statement.reached_edges),
        because: statement.is_explained().then(|| statement.excluded_by.clone()),
        assumes: statement.assumes.clone(),
        ..ReportFinding::new(kind, statement.line, statement.column, written(source, statement), evidence.to_owned())
    }
}

/// Whether a span lies in one of these statements.
fn is_in(loaded: &Loaded, span: Span, statements: &[&CoverStatement]) -> bool {
    let mut spans = statements.iter().map(|statement| loaded.lts.graph[EdgeId::new(statement.edge as usize)].span);
    spans.any(|own| own.start <= span.start && span.end <= own.end)
}

/// A statement without an edge of its own that never runs, as this edge does not.
fn unpassed(source: &FindingSource, span: Span, by: &CoverStatement) -> ReportFinding {
    let position = source.loaded.lines.position(span.start);
    let listed = listed(source, ReportFindingKind::NeverRuns, NEVER, by);
    ReportFinding {
        because: listed.because.map(|because| of_condition(because, by)),
        line: position.line,
        column: position.column,
        text: statement_text(span, source.loaded.lines.text()),
        expansion: None,
        input: None,
        lines: Vec::new(),
        ..listed
    }
}

/// What excludes a statement after a condition that excludes itself: "it" would be the statement.
fn of_condition(because: CoverExclusion, condition: &CoverStatement) -> CoverExclusion {
    if !because.itself {
        return because;
    }
    let CoverStatement { line, column, text, expansion, edge, .. } = condition;
    let never =
        CoverReason { line: *line, column: *column, text: text.clone(), expansion: expansion.clone(), edge: *edge, in_another_call: false };
    CoverExclusion { itself: false, enclosing: [vec![never], because.enclosing].concat(), ..because }
}

/// A statement of the text in one line, without its `;`.
fn statement_text(span: Span, source: &str) -> String {
    text_of_span(span, source).trim_end_matches(';').trim_end().to_owned()
}

/// Statements to which no path of the graph leads.
fn unreached(source: &FindingSource, mistakes: &Mistakes) -> Vec<ReportFinding> {
    let text = source.loaded.lines.text();
    let warnings = source.loaded.warnings.iter().filter(|warning| warning.code == UNREACHABLE);
    let finding = |warning: &Diagnostic| {
        let TextPlace { line, column, start, end, .. } = warning.place;
        // A label in front of it that no jump names, and that has almost the letters of one of a `switch`.
        let before = text.get(..start as usize).unwrap_or_default().trim_end();
        let label = before.strip_suffix(':').and_then(|before| before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next());
        let is_default = |label: &&str| *label != "default" && closest(label, std::iter::once("default")).is_some();
        let misspelled = label.filter(is_default).map(|label| format!("`{label}` is a label for `goto`: `default` is another word"));
        ReportFinding {
            hint: misspelled.or_else(|| mistakes.before(start).map(str::to_owned)),
            ..ReportFinding::new(ReportFindingKind::NeverRuns, line, column, statement_text(Span { start, end }, text), NO_PATH.to_owned())
        }
    };
    warnings.map(finding).collect()
}

/// The lines of a run, as many as documents hold.
fn lines_of(loaded: &Loaded, edges: &[u32]) -> Vec<u32> {
    let line = |edge: &u32| loaded.lines.line(loaded.lts.graph[EdgeId::new(*edge as usize)].span.start);
    capped(edges.iter().map(line).collect()).0
}

/// A finding for each decision with one infeasible branch and one covered branch: the condition of the covered branch always holds.
fn always(branches: &[LedgerBranch<CoverExclusion>], mistakes: &Mistakes) -> Vec<ReportFinding> {
    let decision = |name: &BranchName| (name.span.start, name.span.end, name.number);
    let dead = branches.iter().filter_map(|branch| match &branch.verdict {
        LedgerVerdict::Infeasible { assumes, because } => Some(((decision(&branch.name), !branch.name.holds), (assumes, because))),
        _ => None,
    });
    let dead: SortedMap<_, _> = dead.collect();
    let always = |LedgerBranch { name, verdict, .. }: &LedgerBranch<CoverExclusion>| {
        let LedgerVerdict::Covered { .. } = verdict else { return None };
        let (assumes, because) = *dead.get(&(decision(name), name.holds))?;
        Some(ReportFinding {
            expansion: name.expansion.clone(),
            hint: mistakes.at(name.span).map(str::to_owned).or(too_late(name, because.as_ref())),
            because: because.clone(),
            assumes: assumes.clone(),
            ..ReportFinding::new(
                ReportFindingKind::Always,
                name.line,
                name.column,
                name.text.clone(),
                "it holds in every execution that gets here".to_owned(),
            )
        })
    };
    branches.iter().filter_map(always).collect()
}

/// The usual mistake where an operation before a condition excludes it.
fn too_late(name: &BranchName, because: Option<&CoverExclusion>) -> Option<String> {
    let is_before = |operation: &CoverReason| (operation.line, operation.column) != (name.line, name.column);
    let is_late = because.is_some_and(|because| because.operations.iter().any(is_before));
    is_late.then(|| "the check comes after the operation that needs it".to_owned())
}

fn open(branch: &LedgerBranch<CoverExclusion>) -> Option<ReportFinding> {
    let LedgerVerdict::Open { why, state } = &branch.verdict else { return None };
    Some(ReportFinding {
        expansion: branch.name.expansion.clone(),
        input: state.clone(),
        ..ReportFinding::new(ReportFindingKind::Open, branch.name.line, branch.name.column, branch.name.text.clone(), why.clone())
    })
}
