//! `cover`: tests for every statement that can be executed within a bound, and why the others cannot.

use super::reasons::{Explaining, exclusion};
use super::{
    CoverDocument, CoverDraw, CoverEnough, CoverError, CoverExclusion, CoverReason, CoverSettings, CoverStatement, CoverSummaries,
    CoverSummary, CoverTest,
};
use crate::analysis::cover::method::assumption_search::{needs, run_from_first};
use crate::analysis::cover::method::calls::after_others;
use crate::analysis::cover::method::determined::cover_determined;
use crate::analysis::cover::method::errors::FailingRun;
use crate::analysis::cover::method::past_bound::found_by_others;
use crate::analysis::cover::method::reason_paths::ExcludedStatement;
use crate::analysis::cover::method::summary::{Callee, SummaryUsage};
use crate::analysis::cover::method::test::Test;
use crate::analysis::cover::method::unwinding_bound::usual;
use crate::analysis::cover::method::{Algorithm, CoverOutcome, CoverPlan, EdgeVerdict, run_with_summaries};
use crate::evidence::bounded::MAX_UNWIND;
use crate::evidence::bounded::unwind::{UnwindObstacle, unwind};
use crate::evidence::determined::DeterminedRun;
use crate::evidence::numbers;
use crate::interp::{Machine, Undefined};
use crate::load::{Loaded, about_the_question, load_assuming};
use crate::logic::Arrange;
use crate::lts::assume::{Assumption, Assumptions};
use crate::lts::written::WrittenEdge;
use crate::lts::{EdgeId, FailureKind, Lts, Print, text};
use crate::run::assumption_tracking::{assumed_after, assumed_by, without};
use crate::run::determined::{NEVER_TAKEN, allowed};
use crate::run::listener::Listener;
use crate::run::recorder::{default_limit, traced};
use crate::sequences::needed;
use crate::source::{self, Position, Span};
use crate::view::{self, InputValue, Number, Reply, Request, capped, diagnostic, input_view, place};

/// Functions that call themselves are inlined less deeply where the unwound program has more arcs than this: they grow with each level by
/// a factor, and what deeper levels show is mostly the same.
const COMFORTABLE: usize = 2_000;

/// The function, how often its loops are unwound, and whether it reads no input. Where the request names no number of unwindings, or for a depth of calls within
/// themselves, and the usual ones make too large a program, they are halved.
fn sized(request: &Request, settings: &CoverSettings) -> Result<SizedProgram, Vec<view::Diagnostic>> {
    let mut request = request.clone();
    let (requested, fixed_depth) = (settings.unwind, request.inline_depth.is_some());
    loop {
        let loaded = load_assuming(&request, settings.precondition.as_deref())?;
        let machine = Machine::new(&loaded.lts);
        if requested.is_none() && settings.precondition.is_none() && !settings.summaries && reads_nothing(&request, &loaded, &machine) {
            let unwind = usual(&loaded.lts, &machine, MAX_UNWIND);
            return Ok(SizedProgram { loaded, unwind, reads_nothing: true });
        }
        let fits = |times: u32, most: usize| match unwind(&loaded.lts, times) {
            Ok(unwound) => unwound.arcs.len() <= most,
            Err(obstacle) => obstacle != UnwindObstacle::TooLarge,
        };
        let mut times = requested.unwrap_or_else(|| usual(&loaded.lts, &machine, MAX_UNWIND));
        let depth = loaded.options.inline_depth;
        let is_deep = !fixed_depth && depth > 1 && loaded.lts.cut.is_some();
        if is_deep && !fits(times, COMFORTABLE) {
            request.inline_depth = Some(depth / 2);
            continue;
        }
        while requested.is_none() && times > 1 && !fits(times, usize::MAX) {
            times /= 2;
        }
        return Ok(SizedProgram { loaded, unwind: times, reads_nothing: false });
    }
}

/// A program, and how it is covered.
struct SizedProgram {
    loaded: Loaded,
    unwind: u32,
    /// Whether one run without an input is its only execution.
    reads_nothing: bool,
}

fn reads_nothing(request: &Request, loaded: &Loaded, machine: &Machine) -> bool {
    let limit = request.limit.unwrap_or_else(|| default_limit(&request.source));
    DeterminedRun::of(&loaded.lts, machine, allowed(limit)).is_ok()
}

/// Covers the function within the bound of the settings; refuses a bound above [`MAX_UNWIND`], and a program or precondition with
/// errors.
pub fn cover(request: &Request, settings: &CoverSettings, listener: &mut Listener) -> Reply<CoverDocument> {
    match covered(request, settings, listener) {
        Ok(CoveredProgram { document, .. }) => Reply::Document { document },
        Err(diagnostics) => Reply::Refused { diagnostics },
    }
}

/// A document with what it is written from.
pub struct CoveredProgram {
    pub loaded: Loaded,
    pub outcome: CoverOutcome,
    pub document: CoverDocument,
}

/// As [`cover`], with the program that the document's edges are of.
///
/// # Errors
/// Why the program or the settings are refused.
pub fn covered(request: &Request, settings: &CoverSettings, listener: &mut Listener) -> Result<CoveredProgram, Vec<view::Diagnostic>> {
    let refused = |message: String| vec![about_the_question("bad-setting", message)];
    if let Some(unwind) = settings.unwind.filter(|&unwind| unwind > MAX_UNWIND) {
        return Err(refused(format!("{unwind} unwindings: at most {MAX_UNWIND} can be asked for")));
    }
    let Some(algorithm) = algorithm(&settings.algorithm) else {
        return Err(refused(no_algorithm(&settings.algorithm)));
    };
    let SizedProgram { loaded, unwind, reads_nothing } = sized(request, settings)?;
    let chosen = CoverPlan { unwind, algorithm, small: true, verdicts: true };
    let (outcome, used) = traced(request, &loaded, "covering", listener, |meter, trace| {
        if reads_nothing && let Some(outcome) = cover_determined(&loaded.lts, &chosen, meter, trace) {
            let needed = outcome.determined.as_ref().map_or_else(Assumptions::default, |only| only.needs.all);
            return Ok((outcome, vec![needed; loaded.lts.graph.edge_count()]));
        }
        let mut outcome = match settings.summaries {
            true => run_with_summaries(&loaded.program, &loaded.options, &loaded.lts, &chosen, meter, trace),
            false => run_from_first(&loaded, &chosen, meter, trace),
        }?;
        let mut needs = needs(&loaded, &chosen, &outcome, meter, trace);
        for (edge, assumed) in after_others(&loaded, &chosen, &mut outcome, meter, trace) {
            needs[edge.index()] = assumed;
        }
        // A request with a bound is about executions within it.
        if settings.unwind.is_none() {
            found_by_others(&loaded, &mut outcome, meter, trace);
        }
        Ok((outcome, needs))
    });
    let (outcome, needs) = outcome.map_err(|obstacle| vec![diagnostic(&loaded.lines, &refusal(&loaded, obstacle))])?;
    // Edges of the library are no statements of the program: an open one leaves nothing open.
    let verdicts_of = |library: bool| {
        let edges = loaded.lts.graph.edge_weights().zip(&outcome.verdicts);
        edges.filter(move |(edge, _)| edge.library == library).map(|(_, verdict)| verdict)
    };
    let open_of =
        |library| verdicts_of(library).find_map(|verdict| if let EdgeVerdict::Open(reason) = verdict { Some(*reason) } else { None });
    let is_unbacked = verdicts_of(false).any(|verdict| matches!(verdict, EdgeVerdict::Unbacked(_)));
    let reason = open_of(false).or(outcome.cut.filter(|_| open_of(true).is_none()));
    let header = used.header(request, &loaded, reason.is_none() && !is_unbacked);
    let mut document = CoverDocument {
        header,
        unwind,
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
            .map(|(unwind, test)| CoverEnough { unwind, input: input_view(&loaded.lts, &outcome.tests[test].input) }),
        reason: reason.map(|reason| match outcome.obstacle {
            Some(obstacle) => format!("{obstacle}; what is open was not covered with summaries"),
            None => used.why_open(reason),
        }),
        summaries: outcome.summaries.as_ref().map(summaries),
    };
    if needs.iter().any(|needed| needed.contains(Assumption::LeftByCalls)) {
        document.header.assumptions.extend(loaded.told(Assumption::LeftByCalls));
    }
    let warning = outcome.determined.as_ref().and_then(|only| only.warning(&loaded.lts));
    document.header.diagnostics.extend(warning.map(|warning| diagnostic(&loaded.lines, &warning)));
    fill(&mut document, &loaded, &outcome, &needs);
    Ok(CoveredProgram { loaded, outcome, document })
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
    let before = lts.entry_prints.iter().flat_map(Print::operands).flat_map(|operand| text::drawn_in(lts, operand)).count();
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

fn fill(document: &mut CoverDocument, loaded: &Loaded, outcome: &CoverOutcome, needs: &[Assumptions]) {
    let lts = &loaded.lts;
    let blocks = blocks(lts);
    let line = |edge: &EdgeId| loaded.lines.line(lts.graph[*edge].span.start);
    let reason = |edge: &EdgeId| {
        let (place, WrittenEdge { text, expansion }) = (place(&loaded.lines, lts.graph[*edge].span), loaded.source_text(*edge));
        CoverReason { line: place.line, column: place.column, text, expansion, edge: edge.index() as u32, in_another_call: false }
    };
    let parameters = loaded.program.functions.iter().flat_map(|function| &function.parameters);
    let parameters = parameters.map(|parameter| loaded.program.decl(parameter.decl).span).collect();
    let mut explaining = Explaining { name: &reason, parameters, effort: 300_000 };
    document.tests = (outcome.tests.iter().take(outcome.complete).enumerate())
        .map(|(number, test)| {
            let (lines, lines_total) = capped(test.path.iter().map(line).collect());
            CoverTest {
                input: input_view(lts, &test.input),
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
    document.errors = (outcome.failures.iter())
        .map(|failure| {
            let edge = &lts.graph[failure.edge];
            let (span, WrittenEdge { text, expansion }) = match &edge.returns {
                Some(value) if failure.at_return => {
                    (edge.returned_at, WrittenEdge { text: format!("return {}", text::expr(lts, value)), expansion: None })
                }
                _ => (edge.span, loaded.source_text(failure.edge)),
            };
            let place = place(&loaded.lines, span);
            let (lines, lines_total) = capped(failure.path.iter().map(line).collect());
            CoverError {
                line: place.line,
                column: place.column,
                text,
                expansion,
                error: failure_text(lts, failure),
                input: input_view(lts, &failure.input),
                after: Vec::new(),
                assumes: assumed_by(loaded, &failure.input),
                edge: failure.edge.index() as u32,
                edges: numbers(&failure.path),
                lines,
                lines_total,
            }
        })
        .collect();
    document.errors.extend(failed(loaded, outcome));
    document.errors.arrange_by_key(|error| (error.line, error.column, error.edge));
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
            EdgeVerdict::Open(_) => (&mut document.open, String::new(), None),
        };
        let needed = needs[edge.index()];
        let rests = !matches!(verdict, EdgeVerdict::Open(_) | EdgeVerdict::Unbacked(_));
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
            edge: edge.index() as u32,
            place,
            library: lts.graph[edge].library,
            evidence,
            state,
            excluded_by: match because.is_empty() {
                true => CoverExclusion::default(),
                false => exclusion(lts, ExcludedStatement { edge, completes: !excluded }, because, &mut explaining),
            },
            because: because.iter().map(reason).collect(),
            reached_by: test.map(|test| input_view(lts, &outcome.tests[test].input)),
            reached_edges: test.map_or_else(Vec::new, |test| numbers(&outcome.tests[test].path)),
        });
    }
}

/// What happens in a failing run, for people.
fn failure_text(lts: &Lts, failure: &FailingRun) -> String {
    match &failure.reason {
        Undefined::OutOfBounds { array, index, length } => {
            format!("`{}` has {length} elements, so there is none at index {index}", lts.array(*array).name)
        }
        other => other.to_string(),
    }
}

/// What leads to the error location.
fn raised(kind: Option<FailureKind>) -> &'static str {
    match kind {
        Some(FailureKind::Assertion) => "a failed assertion",
        Some(FailureKind::Abort) => "abort()",
        Some(FailureKind::ErrorCall) | None => "an error call",
    }
}

/// The runs that end in the error location.
fn failed(loaded: &Loaded, outcome: &CoverOutcome) -> impl Iterator<Item = CoverError> {
    let lts = &loaded.lts;
    lts.graph.edge_indices().zip(&outcome.verdicts).filter_map(move |(edge, verdict)| {
        let (EdgeVerdict::NeverCompletes(test), true) = (verdict, Some(lts.edge(edge).2) == lts.error) else { return None };
        let test = &outcome.tests[*test];
        // Of a very long run the path has the first edges only.
        let path = &test.path[..test.path.iter().position(|other| *other == edge).map_or(test.path.len(), |at| at + 1)];
        let failure = lts.graph[edge].failure;
        let place = place(&loaded.lines, lts.graph[edge].span);
        let WrittenEdge { text, expansion } = loaded.source_text(edge);
        let (lines, lines_total) = capped(path.iter().map(|edge| loaded.lines.line(lts.graph[*edge].span.start)).collect());
        Some(CoverError {
            line: place.line,
            column: place.column,
            text,
            expansion,
            error: raised(failure.map(|failure| failure.kind)).to_owned(),
            input: input_view(lts, &test.input),
            after: test.after.clone(),
            assumes: assumed_after(loaded, &test.input, &test.after),
            edge: edge.index() as u32,
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

pub fn algorithm(name: &str) -> Option<Algorithm> {
    Some(match name {
        "sc" => Algorithm::Sc,
        "pc" => Algorithm::Pc,
        "fm" => Algorithm::Fm,
        "vstte" => Algorithm::Vstte,
        "prefer" => Algorithm::Prefer,
        _ => return None,
    })
}

pub fn no_algorithm(name: &str) -> String {
    format!("there is no algorithm `{name}`, only sc, pc, fm, vstte and prefer")
}

fn refusal(loaded: &Loaded, obstacle: UnwindObstacle) -> source::Diagnostic {
    let (code, span, help) = match obstacle {
        UnwindObstacle::TooLarge => (
            "too-large",
            Span::default(),
            "unwind less often, look at a smaller function, or let summaries of the functions it calls find tests",
        ),
        UnwindObstacle::Arrays(array) => ("unsupported-array", loaded.lts.array(array).span, "initialise it on every way, or on none"),
    };
    source::Diagnostic::error(code, span, obstacle.to_string()).help(help)
}
