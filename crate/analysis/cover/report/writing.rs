//! The document of `cover`, written from the outcome of the method.

use super::copies::InlinedCopies;
use super::reasons::beside::BesideSides;
use super::reasons::enclosing::Enclosing;
use super::reasons::names::ReasonNames;
use super::reasons::{Explaining, SidesExclusion, exclusion, of_copies};
use super::sized::SizedProgram;
use super::{
    CoverDocument, CoverDraw, CoverEnough, CoverError, CoverExclusion, CoverReason, CoverStatement, CoverSummaries, CoverSummary, CoverTest,
};
use crate::analysis::cover::method::errors::FailingRun;
use crate::analysis::cover::method::others::CoveredProgram;
use crate::analysis::cover::method::reason_paths::ExcludedStatement;
use crate::analysis::cover::method::summary::{Callee, SummaryUsage};
use crate::analysis::cover::method::test::Test;
use crate::analysis::cover::method::{CoverOutcome, EdgeVerdict};
use crate::evidence::bounded::MAX_UNWIND;
use crate::evidence::{Claim, numbers};
use crate::interp::Undefined;
use crate::load::Loaded;
use crate::logic::{Arrange, SortedSet};
use crate::lts::assume::Assumption;
use crate::lts::sides::Side;
use crate::lts::written::{WrittenEdge, assignment_text, text_of_span};
use crate::lts::{Edge, EdgeId, FailureKind, Lts, Print, text};
use crate::run::assumption_tracking::{assumed_after, assumed_by, without};
use crate::run::determined::NEVER_TAKEN;
use crate::run::recorder::Used;
use crate::sequences::needed;
use crate::source::Position;
use crate::view::{InputValue, Number, Request, capped, diagnostic, input_view, place, written_view};

/// The document.
pub fn document(
    request: &Request,
    SizedProgram { loaded, plan, settings, .. }: &SizedProgram,
    covered: &CoveredProgram,
    used: &Used,
) -> CoverDocument {
    let CoveredProgram { outcome, needs } = covered;
    // Edges of the library are no statements of the program: an open one leaves nothing open.
    let verdicts_of = |library: bool| {
        let edges = loaded.lts.graph.edge_weights().zip(&outcome.verdicts);
        edges.filter(move |(edge, _)| edge.library == library).map(|(_, verdict)| verdict)
    };
    let open_of =
        |library| verdicts_of(library).find_map(|verdict| if let EdgeVerdict::Open(reason) = verdict { Some(*reason) } else { None });
    let is_left = verdicts_of(false).any(|verdict| matches!(verdict, EdgeVerdict::Unbacked(_) | EdgeVerdict::Reached(_)));
    let reason = open_of(false).or(outcome.cut.filter(|_| open_of(true).is_none()));
    let header = used.header(request, loaded, reason.is_none() && !is_left);
    let mut document = CoverDocument {
        header,
        unwind: plan.unwind,
        algorithm: settings.algorithm.clone(),
        tests: Vec::new(),
        infeasible: Vec::new(),
        never_completes: Vec::new(),
        not_within: Vec::new(),
        open: Vec::new(),
        errors: Vec::new(),
        statements: loaded.lts.graph.edge_weights().filter(|edge| !edge.library).count() as u32,
        covered: 0,
        queries: outcome.queries,
        bounded: outcome.bounded,
        enough: (outcome.enough)
            .filter(|(unwind, _)| *unwind <= MAX_UNWIND)
            .map(|(unwind, test)| CoverEnough { unwind, input: written_view(&loaded.lts, &outcome.tests[test].input) }),
        reason: reason.map(|reason| match outcome.obstacle {
            Some(obstacle) if outcome.summaries.is_some() => format!("{obstacle}; what is open was not covered with summaries"),
            Some(obstacle) => obstacle.to_string(),
            None => used.why_open(reason),
        }),
        summaries: outcome.summaries.as_ref().map(summaries),
        #[cfg(feature = "cli")]
        criterion: None,
    };
    if needs.iter().any(|needed| needed.contains(Assumption::LeftByCalls)) {
        document.header.assumptions.extend(loaded.told(Assumption::LeftByCalls));
    }
    let warning = outcome.determined.as_ref().and_then(|only| only.warning(&loaded.lts));
    document.header.diagnostics.extend(warning.map(|warning| diagnostic(&loaded.lines, &warning)));
    fill(&mut document, loaded, covered, &used.excluding);
    document
}

fn summaries(report: &SummaryUsage) -> CoverSummaries {
    let function = |callee: &Callee| CoverSummary {
        function: callee.name.clone(),
        pairs: callee.pairs.unwrap_or(0) as u32,
        recomputed: callee.recomputed,
        inlined: callee.inlined.map(|why| why.to_string()),
    };
    CoverSummaries { functions: report.callees.iter().map(function).collect(), tests: report.tests as u32, queries: report.queries }
}

/// What a test draws, in the order of its run.
fn draws(loaded: &Loaded, test: &Test) -> Vec<CoverDraw> {
    let lts = &loaded.lts;
    let drawn = test.path.iter().flat_map(|&edge| {
        let at = loaded.lines.position(lts.graph[edge].span.start);
        text::draws(lts, &lts.graph[edge]).into_iter().map(move |texts| (at, texts))
    });
    // What the function prints before its first edge draws first.
    let before = lts.at_entry.prints.iter().flat_map(Print::operands).flat_map(|operand| text::drawn_in(lts, operand)).count();
    let values = input_view(lts, &test.input).nondet.into_iter().skip(before);
    let zero = |value: &InputValue| *value == InputValue::Scalar(Number::Small(0));
    let draw = |((at, [first, other]), value): ((Position, [String; 2]), InputValue)| CoverDraw {
        line: at.line,
        column: at.column,
        text: if zero(&value) { other } else { first },
        value,
    };
    drawn.zip(values).map(draw).collect()
}

/// An edge with its position and text; one in a function of the library with the text of the call.
fn reason(loaded: &Loaded, edge: EdgeId) -> CoverReason {
    let Edge { span, library, .. } = &loaded.lts.graph[edge];
    let place = place(&loaded.lines, *span);
    let call = loaded.lines.text().get(span.start as usize..span.end as usize);
    let WrittenEdge { text, expansion } = match call {
        Some(call) if *library => WrittenEdge { text: call.to_owned(), expansion: None },
        _ => match assignment_text(&loaded.lts, loaded.lines.text(), &loaded.lts.graph[edge]) {
            Some(text) => WrittenEdge { text, expansion: None },
            None => loaded.source_text(edge),
        },
    };
    CoverReason { line: place.line, column: place.column, text, expansion, edge: edge.index() as u32, in_another_call: false }
}

/// The reasons of branches that claims exclude, where Cover itself has no verdict on them; `infeasible` says of each edge whether no execution
/// takes it, and `claims` are those of the run.
pub fn reasons_of(
    loaded: &Loaded,
    outcome: &CoverOutcome,
    infeasible: &[bool],
    claims: &[Claim],
    branches: &[&Side],
) -> Vec<CoverExclusion> {
    let name = |edge: &EdgeId| reason(loaded, *edge);
    let enclosing = Enclosing::new(&loaded.lts, infeasible);
    let names = ReasonNames::new(&loaded.lts, &name);
    let mut beside = BesideSides::new(&loaded.lts, &names, &enclosing, outcome, claims);
    let mut of = |branch: &&Side| {
        let copies: Vec<CoverExclusion> = branch.edges.iter().map(|&edge| beside.of(edge)).collect();
        of_copies(&copies.iter().collect::<Vec<_>>())
    };
    branches.iter().map(&mut of).collect()
}

/// Of an open statement that runs take.
const REACHED: &str = "an input takes it; whether an execution that does completes is not known";

fn fill(document: &mut CoverDocument, loaded: &Loaded, CoveredProgram { outcome, needs }: &CoveredProgram, claims: &[Claim]) {
    let lts = &loaded.lts;
    let blocks = blocks(lts);
    let line = |edge: &EdgeId| loaded.lines.line(lts.graph[*edge].span.start);
    let reason = |edge: &EdgeId| reason(loaded, *edge);
    let parameters = loaded.program.functions.iter().flat_map(|function| &function.parameters);
    let parameters = parameters.map(|parameter| loaded.program.decl(parameter.decl).span).collect();
    let mut explaining = Explaining { name: &reason, parameters, effort: 500_000 };
    document.tests = (outcome.tests.iter().take(outcome.complete).enumerate())
        .map(|(number, test)| {
            let (lines, lines_total) = capped(test.path.iter().map(line).collect());
            CoverTest {
                input: written_view(lts, &test.input),
                assumes: assumed_after(loaded, &test.input, &test.after),
                after: test.after.clone(),
                blocks: test.path.iter().filter_map(|edge| blocks[edge.index()]).collect(),
                lines,
                lines_total,
                edges: numbers(&test.path),
                draws: draws(loaded, test),
                beyond: number + outcome.beyond >= outcome.complete,
            }
        })
        .collect();
    // Copies of an expression are one place.
    let mut seen = SortedSet::new();
    let mut is_first = |failure: &&FailingRun| {
        let span = lts.span_of(Some(failure.edge), failure.part);
        seen.insert((span.start, span.end, failure.reason.kind().text(lts)))
    };
    document.errors = (outcome.failures.iter().filter(&mut is_first))
        .map(|failure| {
            let WrittenEdge { text, expansion } = loaded.text_of_part(Some(failure.edge), failure.part);
            let place = place(&loaded.lines, lts.span_of(Some(failure.edge), failure.part));
            let (lines, lines_total) = capped(failure.path.iter().map(line).collect());
            CoverError {
                line: place.line,
                column: place.column,
                text,
                expansion,
                error: failure_text(lts, &failure.reason),
                input: written_view(lts, &failure.input),
                after: Vec::new(),
                assumes: assumed_by(loaded, &failure.input),
                edge: failure.edge.index() as u32,
                is_raised: false,
                is_arithmetic: matches!(
                    failure.reason,
                    Undefined::DivisionByZero | Undefined::Overflow { .. } | Undefined::Conversion { .. } | Undefined::Shift
                ),
                edges: numbers(&failure.path),
                lines,
                lines_total,
            }
        })
        .collect();
    document.errors.extend(failed(loaded, outcome));
    document.errors.arrange_by_key(|error| (error.line, error.column, error.edge));
    let infeasible: Vec<bool> = outcome.verdicts.iter().map(|verdict| *verdict == EdgeVerdict::Infeasible).collect();
    let enclosing = Enclosing::new(lts, &infeasible);
    let names = ReasonNames::new(lts, &reason);
    let mut beside = BesideSides::new(lts, &names, &enclosing, outcome, claims);
    let copies = InlinedCopies::new(loaded);
    for (edge, verdict) in lts.graph.edge_indices().zip(&outcome.verdicts) {
        let (bound, mut state) = (document.unwind, None);
        let (list, evidence, test) = match *verdict {
            EdgeVerdict::Covered(_) => {
                document.covered += u32::from(!lts.graph[edge].library);
                continue;
            }
            EdgeVerdict::Infeasible => {
                let why = if outcome.determined.is_some() { NEVER_TAKEN } else { "a certificate over all executions" };
                (&mut document.infeasible, format!("no execution takes it: {why}"), None)
            }
            EdgeVerdict::NeverCompletes(test) => {
                (&mut document.never_completes, "an input takes it; no execution that does completes".to_owned(), Some(test))
            }
            EdgeVerdict::NotWithin(test) => {
                let unwindings = if bound == 1 { "unwinding" } else { "unwindings" };
                let sentence = format!("bounded: no execution with at most {bound} {unwindings} takes it and completes");
                (&mut document.not_within, sentence, test)
            }
            EdgeVerdict::Unbacked(test) => {
                let of_edge = needed(loaded, &outcome.unbacked[test].input, &[edge]);
                let why = of_edge.why();
                state = Some(of_edge.state);
                (&mut document.open, why, None)
            }
            EdgeVerdict::Reached(test) => (&mut document.open, REACHED.to_owned(), Some(test)),
            EdgeVerdict::Open(_) => (&mut document.open, String::new(), None),
        };
        let needed = needs[edge.index()];
        let rests = !matches!(verdict, EdgeVerdict::Open(_) | EdgeVerdict::Unbacked(_) | EdgeVerdict::Reached(_));
        let missing = without(needed.iter().filter(|&one| rests && !loaded.assumed.contains(one)).collect());
        let is_claimed = rests && missing.is_none();
        let (list, evidence) = match missing {
            Some(why) => (&mut document.open, why),
            None => (list, evidence),
        };
        let place = place(&loaded.lines, lts.graph[edge].span);
        let WrittenEdge { text, expansion } = loaded.source_text(edge);
        let because = &outcome.because[edge.index()];
        let excluded = matches!(verdict, EdgeVerdict::Infeasible);
        list.push(CoverStatement {
            assumes: if is_claimed { needed.ids() } else { Vec::new() },
            line: place.line,
            column: place.column,
            text,
            expansion,
            copy: copies.told(edge, |other| std::mem::discriminant(&outcome.verdicts[other.index()]) == std::mem::discriminant(verdict)),
            edge: edge.index() as u32,
            place,
            library: lts.graph[edge].library,
            evidence,
            state,
            excluded_by: {
                let by_sides = match because.is_empty() {
                    true => SidesExclusion { exclusion: CoverExclusion::default(), is_proved: false },
                    false => exclusion(lts, ExcludedStatement { edge, completes: !excluded }, because, &mut explaining),
                };
                if excluded { beside.or_better(edge, because, by_sides) } else { by_sides.exclusion }
            },
            because: because.iter().map(reason).collect(),
            reached_by: test.map(|test| written_view(lts, &outcome.tests[test].input)),
            reached_edges: test.map_or_else(Vec::new, |test| numbers(&outcome.tests[test].path)),
        });
    }
}

/// What happens in a failing run, for people.
pub fn failure_text(lts: &Lts, reason: &Undefined) -> String {
    match reason {
        Undefined::OutOfBounds { array, index, length } => {
            format!("`{}` has {length} elements, so there is none at index {index}", lts.array(*array).name)
        }
        other => other.to_string(),
    }
}

/// What leads to the error location.
fn raised(kind: Option<FailureKind>) -> &'static str {
    let [assertion, abort, error_call] = RAISED;
    match kind {
        Some(FailureKind::Assertion) => assertion,
        Some(FailureKind::Abort) => abort,
        Some(FailureKind::ErrorCall) | None => error_call,
    }
}

/// What leads to the error location: a run fails there by what the program says, and by no undefined behaviour.
pub const RAISED: [&str; 3] = ["a failed assertion", "abort()", "an error call"];

/// The runs that end in the error location, one for each place of the text: calls are inlined, and several conditions may lead to one place.
fn failed(loaded: &Loaded, outcome: &CoverOutcome) -> impl Iterator<Item = CoverError> {
    let lts = &loaded.lts;
    let mut seen = SortedSet::new();
    lts.graph.edge_indices().zip(&outcome.verdicts).filter_map(move |(edge, verdict)| {
        // Runs that others find may lead there only beyond the bound.
        let (EdgeVerdict::NeverCompletes(test) | EdgeVerdict::NotWithin(Some(test)) | EdgeVerdict::Reached(test)) = verdict else {
            return None;
        };
        let test = (Some(lts.edge(edge).2) == lts.error).then(|| &outcome.tests[*test])?;
        // Of a very long run the path has the first edges only.
        let path = &test.path[..test.path.iter().position(|other| *other == edge).map_or(test.path.len(), |at| at + 1)];
        let failure = lts.graph[edge].failure;
        // Of an assertion each condition that does not hold is told, else the call: what leads there is told by its path.
        let call = failure.filter(|failure| failure.kind != FailureKind::Assertion && failure.span.start < failure.span.end);
        let span = call.map_or(lts.graph[edge].span, |failure| failure.span);
        let WrittenEdge { text, expansion } = match call {
            Some(_) => WrittenEdge { text: text_of_span(span, loaded.lines.text()).trim_end_matches(';').to_owned(), expansion: None },
            None => loaded.source_text(edge),
        };
        if !seen.insert((span.start, span.end, text.clone())) {
            return None;
        }
        let place = place(&loaded.lines, span);
        let (lines, lines_total) = capped(path.iter().map(|edge| loaded.lines.line(lts.graph[*edge].span.start)).collect());
        Some(CoverError {
            line: place.line,
            column: place.column,
            text,
            expansion,
            error: raised(failure.map(|failure| failure.kind)).to_owned(),
            input: written_view(lts, &test.input),
            after: test.after.clone(),
            assumes: assumed_after(loaded, &test.input, &test.after),
            edge: edge.index() as u32,
            is_raised: true,
            is_arithmetic: false,
            edges: numbers(path),
            lines,
            lines_total,
        })
    })
}

/// For each edge with which a maximal straight run of the graph starts, the run's number.
fn blocks(lts: &Lts) -> Vec<Option<u32>> {
    use petgraph::Direction::{Incoming, Outgoing};
    let degree = |location, direction| lts.graph.edges_directed(location, direction).count();
    let mut next = 0;
    (lts.graph.edge_indices())
        .map(|edge| {
            let from = lts.edge(edge).1;
            let starts = from == lts.entry || degree(from, Incoming) != 1 || degree(from, Outgoing) != 1;
            next += u32::from(starts);
            starts.then(|| next - 1)
        })
        .collect()
}
