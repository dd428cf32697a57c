//! Safety: of each hazard at which something may be undefined, whether a run fails there, or whether a proof says that none does.
//!
//! The failing runs are those of Cover. For all other hazards the provers of infeasibility and the finders of inputs are asked about the graph
//! with undefined edges ([`crate::lts::undefined`]): a hazard is safe where no execution takes one of its edges.
//!
//! 1. What no execution gets to, since it takes none of the branches before it, is safe by the claims about these branches.
//! 2. Known runs may fail.
//! 3. Of a program with few inputs the runs on all of them come first.
//! 4. What the way within a round of a loop excludes comes first, one hazard after the other. The tests of the report are the runs from which invariants are guessed. After each graph that a prover shows, the hazards that it settles leave the query, and the claim about them is checked at once.
//! 5. Runs that fail are looked for at hazards that are left ([`super::failing`]).

use super::failing::{FailureSearch, FoundFailure};
use super::unset::{UnsetReadFinding, unset_reads};
use super::{ReportDocument, ReportFinding, ReportHazard, ReportHazardVerdict, ReportSafety, ReportUnjudged};
use crate::analysis::settle::SettledProgram;
use crate::analysis::{FINDERS, PROVERS};
use crate::evidence::Statement;
use crate::evidence::enumerated::defined_enumerated_claim;
use crate::evidence::graph::defined_claim;
use crate::interp::{Input, Machine};
use crate::invariants::backward::Round;
use crate::invariants::guesses::Guesses;
use crate::invariants::intervals::Intervals;
use crate::invariants::relations::Relations;
use crate::invariants::{FactQuery, Prover, ask};
use crate::lang::ast::Type;
use crate::lang::library::GIVING_MEMORY;
use crate::ledger::facts::FactRun;
use crate::load::{Loaded, exact};
use crate::logic::{Arrange, SortedMap, SortedSet};
use crate::lts::assume::{Assumption, Assumptions, under};
use crate::lts::sides::without_copies;
use crate::lts::undefined::{Hazard, Unchecked, UndefinedKind, WithUndefined, with_undefined};
use crate::lts::unjudged::{Unjudged, unjudged};
use crate::lts::{Edge, EdgeId, EdgePart, Expr, InputSource, Label, LocationId, Lts, Origin, ValueMeaning};
use crate::run::assumption_tracking::without;
use crate::run::enumerated::every_run;
use crate::run::listener::Listener;
use crate::run::recorder::{Used, default_limit, traced};
use crate::run::trace::{Event, Trace};
use crate::sequences::{finding, matter};
use crate::solver::meter::Meter;
use crate::source::Span;
use crate::view::{Request, Statistics};
use petgraph::visit::EdgeRef;
use std::ops::Range;

/// One of so many steps is for the proofs.
const SHARE: u64 = 3;
/// Each prover has one of so many of these steps, and so has the search for failing runs.
const PROVERS_SHARE: u64 = 4;
/// The runs on all inputs have one of so many of these steps.
const RUNS_SHARE: u64 = 4;

/// Why no hazard is proved safe.
const DEEPER: &str = "a function calls itself more often than the graph has it";

/// The verdict on a hazard of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HazardVerdict {
    Fails,
    /// Under these assumptions.
    Safe(Assumptions),
    Open,
}

/// The verdicts on all hazards of a function.
pub struct SafetyAnswer {
    pub safety: ReportSafety,
    /// Findings with the inputs of failing runs that Cover did not find.
    pub failing: Vec<ReportFinding>,
    /// What the proofs and the search used, where there were any.
    pub used: Option<Used>,
}

/// The verdicts on all hazards of a function.
pub fn safety(request: &Request, settled: &SettledProgram, listener: &mut Listener) -> SafetyAnswer {
    let loaded = &settled.sized.loaded;
    let whole = with_undefined(&loaded.base);
    let outcome = settled.covered.as_ref().map(|covered| &covered.outcome);
    let failing: SortedSet<(EdgeId, EdgePart, UndefinedKind)> =
        outcome.into_iter().flat_map(|outcome| &outcome.failures).map(|run| (run.edge, run.part, run.reason.kind())).collect();
    let is_failing = |hazard: &Hazard| hazard.edge.is_some_and(|edge| failing.contains(&(edge, hazard.part, hazard.kind)));
    let mut verdicts: Vec<HazardVerdict> =
        whole.hazards.iter().map(|hazard| if is_failing(hazard) { HazardVerdict::Fails } else { HazardVerdict::Open }).collect();
    // 1.
    let (reached, assumed) = reached_without(&loaded.base, settled.excluded());
    for (hazard, verdict) in whole.hazards.iter().zip(&mut verdicts).filter(|(_, verdict)| **verdict == HazardVerdict::Open) {
        if hazard.edge.is_some_and(|edge| !reached.contains(&loaded.base.edge(edge).1)) {
            *verdict = HazardVerdict::Safe(assumed);
        }
    }
    let limit = request.limit.unwrap_or_else(|| default_limit(&request.source)) / SHARE;
    let within = Request { limit: Some(limit.max(1)), ..request.clone() };
    let goes_deeper = loaded.lts.cut.is_some();
    let mut failing = Vec::new();
    let used = verdicts.contains(&HazardVerdict::Open).then(|| {
        let inputs = if goes_deeper { None } else { Some(settled.inputs()) };
        let is_determined = outcome.is_some_and(|outcome| outcome.determined.is_some());
        let is_run = is_determined || settled.used.excluding.iter().any(|claim| matches!(claim.statement, Statement::Enumerated { .. }));
        let begin = SafetyBegin { inputs: inputs.as_deref(), earlier: settled.runs(), is_run };
        judge(&within, loaded, &whole, begin, &mut verdicts, &mut failing, listener)
    });
    let mut safety = ReportSafety { why_open: goes_deeper.then(|| DEEPER.to_owned()), ..view(loaded, &whole, &verdicts) };
    for UnsetReadFinding { finding, judges } in unset_reads(settled) {
        safety.unjudged.retain(|one| one.what != without_copies(&judges));
        failing.push(finding);
    }
    SafetyAnswer { safety, failing, used }
}

/// What proofs of safety begin with.
#[derive(Clone, Copy)]
struct SafetyBegin<'s> {
    /// Inputs of known runs; without them no proof is possible.
    inputs: Option<&'s [Input]>,
    earlier: &'s [FactRun],
    /// Whether runs on all inputs have settled branches.
    is_run: bool,
}

/// Judges open hazards.
fn judge(
    request: &Request,
    loaded: &Loaded,
    whole: &WithUndefined,
    SafetyBegin { inputs, earlier, is_run }: SafetyBegin,
    verdicts: &mut [HazardVerdict],
    failing: &mut Vec<ReportFinding>,
    listener: &mut Listener,
) -> Used {
    let lts = under(&whole.lts, exact(loaded.assumed));
    let judging = traced(request, loaded, "proving that no place fails", listener, |meter, trace| {
        let text = |hazard: usize| text_of(loaded, &whole.hazards[hazard]);
        let search = FailureSearch { loaded, whole, lts: &lts, text: &text };
        // Copies of one hazard have one finding.
        let is_told = |hazard: usize, verdicts: &[HazardVerdict]| {
            let fails = |other: &usize| {
                verdicts[*other] == HazardVerdict::Fails
                    && key(&loaded.base, &whole.hazards[*other]) == key(&loaded.base, &whole.hazards[hazard])
            };
            (0..verdicts.len()).any(|other| fails(&other))
        };
        let open = |verdicts: &[HazardVerdict]| -> Vec<usize> {
            let is_open = |hazard: &usize| verdicts[*hazard] == HazardVerdict::Open && !is_told(*hazard, verdicts);
            (0..verdicts.len()).filter(is_open).collect()
        };
        let mut note = |found: Vec<FoundFailure>, verdicts: &mut [HazardVerdict]| {
            for FoundFailure { hazard, finding } in found {
                if !is_told(hazard, verdicts) {
                    failing.push(finding);
                }
                verdicts[hazard] = HazardVerdict::Fails;
            }
        };
        // 2.
        note(search.of_earlier(&open(verdicts), earlier, trace), verdicts);
        // 3.
        let in_runs = if is_run {
            meter.within(meter.limit() / RUNS_SHARE, |meter| run_all(whole, &lts, verdicts, meter, trace))
        } else {
            Vec::new()
        };
        if let Some(inputs) = inputs {
            meter.within(meter.limit() / 2, |meter| {
                // What bounds prove costs few steps, and the others are asked of less.
                let query = SafetyQuery { provers: &[&Intervals], hazards: 0..verdicts.len(), inputs };
                prove(whole, &lts, query, verdicts, meter, trace);
                for hazard in 0..verdicts.len() {
                    let query = SafetyQuery { provers: &[&Round], hazards: hazard..hazard + 1, inputs };
                    prove(whole, &lts, query, verdicts, meter, trace);
                }
                prove(whole, &lts, SafetyQuery { provers: PROVERS, hazards: 0..verdicts.len(), inputs }, verdicts, meter, trace);
                if matter(loaded) && Assumption::LeftByCalls.site(&loaded.base).is_some() {
                    after_calls(whole, exact(loaded.assumed).that_matter(&loaded.base), verdicts, meter, trace);
                    trace.emit(Event::Assuming(exact(loaded.assumed)));
                }
            });
        }
        // 5.
        let open = open(verdicts);
        let found = meter.within(meter.limit() / PROVERS_SHARE, |meter| search.runs(&open, &in_runs, meter, trace));
        note(found, verdicts);
    });
    judging.1
}

/// The locations to which executions can get that take none of the excluded edges, and what it rests on that they get to no others.
fn reached_without(lts: &Lts, excluded: &SortedMap<EdgeId, Assumptions>) -> (SortedSet<LocationId>, Assumptions) {
    let mut reached: SortedSet<LocationId> = [lts.entry].into_iter().collect();
    let mut waiting = vec![lts.entry];
    let mut assumed = Assumptions::default();
    while let Some(at) = waiting.pop() {
        for edge in lts.graph.edges(at) {
            if let Some(needed) = excluded.get(&edge.id()) {
                assumed = assumed.and(*needed);
            } else if reached.insert(edge.target()) {
                waiting.push(edge.target());
            }
        }
    }
    (reached, assumed)
}

/// Proofs that no call fails, whatever calls came before: about the chain of calls, with as few other assumptions as possible.
fn after_calls(whole: &WithUndefined, world: Assumptions, verdicts: &mut [HazardVerdict], meter: &mut Meter, trace: &Trace) {
    const ON_CALLS: &[&dyn Prover] = &[&Guesses { widely: true }, &Relations];
    for assumed in [Assumptions::default(), world] {
        if verdicts.contains(&HazardVerdict::Open) {
            let assumed = assumed.with(Assumption::LeftByCalls);
            let chain = under(&whole.lts, assumed);
            let all: SortedSet<EdgeId> = chain.graph.edge_indices().collect();
            let runs = meter.within(meter.left() / PROVERS_SHARE, |meter| finding(FINDERS, trace)(&chain, None, &all, meter));
            trace.emit(Event::Assuming(assumed));
            let query = SafetyQuery { provers: ON_CALLS, hazards: 0..verdicts.len(), inputs: &runs };
            prove(whole, &chain, query, verdicts, meter, trace);
        }
    }
}

/// Which hazards are to be proved safe.
struct SafetyQuery<'a> {
    provers: &'a [&'a dyn Prover],
    /// The open ones of these.
    hazards: Range<usize>,
    /// What the provers guess from.
    inputs: &'a [Input],
}

/// Runs every input of a program that has few: what no run comes to is safe. Gives inputs of runs that may fail.
fn run_all(whole: &WithUndefined, lts: &Lts, verdicts: &mut [HazardVerdict], meter: &mut Meter, trace: &Trace) -> Vec<Input> {
    let Some(every) = every_run(lts, meter) else { return Vec::new() };
    let is_safe =
        |number: &usize| verdicts[*number] == HazardVerdict::Open && !whole.hazards[*number].edges.iter().any(|&edge| every.takes(edge));
    let safe: Vec<usize> = (0..verdicts.len()).filter(is_safe).collect();
    let edges: Vec<EdgeId> = safe.iter().flat_map(|&number| whole.hazards[number].edges.iter().copied()).collect();
    trace.needs();
    if !edges.is_empty() && trace.proved(0, &|number| defined_enumerated_claim(number, &edges)).is_ok() {
        let needs = trace.needs();
        if without(needs.missing).is_none() {
            safe.iter().for_each(|&number| verdicts[number] = HazardVerdict::Safe(needs.all));
        }
    }
    let machine = Machine::deep(lts);
    every.inputs.iter().map(|input| machine.told(input)).collect()
}

/// Proves open hazards safe in a graph with undefined edges.
fn prove(
    whole: &WithUndefined,
    lts: &Lts,
    SafetyQuery { provers, hazards, inputs }: SafetyQuery,
    verdicts: &mut [HazardVerdict],
    meter: &mut Meter,
    trace: &Trace,
) {
    let open = hazards.clone().filter(|&number| verdicts[number] == HazardVerdict::Open);
    let untaken: Vec<EdgeId> = open.flat_map(|number| whole.hazards[number].edges.iter().copied()).collect();
    if untaken.is_empty() {
        return;
    }
    let query = FactQuery { untaken: &untaken, inputs, ..FactQuery::default() };
    let steps = meter.limit() / PROVERS_SHARE;
    // 4.
    ask((provers, &[]), (lts, &query), steps, (meter, trace), &mut |proved| {
        let excluded = proved.excluded(lts);
        let is_settled = |number: &usize| {
            verdicts[*number] == HazardVerdict::Open && whole.hazards[*number].edges.iter().all(|edge| excluded.contains(edge))
        };
        let settled: Vec<usize> = hazards.clone().filter(is_settled).collect();
        if settled.is_empty() {
            return false;
        }
        let edges: Vec<EdgeId> = settled.iter().flat_map(|&number| whole.hazards[number].edges.iter().copied()).collect();
        trace.needs();
        let claim = trace.proved(proved.certificates.len(), &|number| {
            defined_claim(format!("defined-{number}"), &edges, &proved.pool, &proved.graph, &proved.certificates)
        });
        let needs = trace.needs();
        if claim.is_ok() && without(needs.missing).is_none() {
            settled.iter().for_each(|&number| verdicts[number] = HazardVerdict::Safe(needs.all));
        }
        !verdicts[hazards.clone()].contains(&HazardVerdict::Open)
    });
}

/// The document with the steps and queries of the proofs, and with what went wrong in them.
pub fn with_used(mut document: ReportDocument, used: Option<Used>) -> ReportDocument {
    let Some(Used { statistics, steps, faults, .. }) = used else { return document };
    let header = &mut document.header;
    header.statistics = header.statistics.and(Statistics { solver: statistics, wall_ms: 0.0, steps });
    header.diagnostics.extend(faults);
    document
}

/// What tells a hazard from others in the text of the program.
fn key(lts: &Lts, hazard: &Hazard) -> (u32, u32, String) {
    let span = hazard.span(lts);
    (span.start, span.end, without_copies(&hazard.kind.text(lts)))
}

/// The verdicts as the text of the program has the hazards: several copies of a hazard are one.
fn view(loaded: &Loaded, whole: &WithUndefined, verdicts: &[HazardVerdict]) -> ReportSafety {
    let lts = &loaded.base;
    let mut joined: SortedMap<(u32, u32, String), (&Hazard, HazardVerdict)> = SortedMap::new();
    for (hazard, &verdict) in whole.hazards.iter().zip(verdicts) {
        let together = joined.entry(key(lts, hazard)).or_insert((hazard, verdict));
        together.1 = match (together.1, verdict) {
            (HazardVerdict::Fails, _) | (_, HazardVerdict::Fails) => HazardVerdict::Fails,
            (HazardVerdict::Open, _) | (_, HazardVerdict::Open) => HazardVerdict::Open,
            (HazardVerdict::Safe(one), HazardVerdict::Safe(other)) => HazardVerdict::Safe(one.and(other)),
        };
    }
    let list: Vec<ReportHazard> =
        joined.into_iter().map(|((.., what), (hazard, verdict))| written(loaded, hazard, what, verdict)).collect();
    let of = |verdict: ReportHazardVerdict| list.iter().filter(|hazard| hazard.verdict == verdict).count() as u32;
    ReportSafety {
        total: list.len() as u32,
        fails: of(ReportHazardVerdict::Fails),
        safe: of(ReportHazardVerdict::Safe),
        open: of(ReportHazardVerdict::Open),
        non_null: non_null(loaded),
        why_open: None,
        list,
        unjudged: not_judged(loaded, whole),
    }
}

/// Lines that are named beside the first one.
const MORE_LINES: usize = 3;

/// The statements and conditions that have no check of a kind, as one entry at the first of them.
fn without_check(loaded: &Loaded, whole: &WithUndefined, kind: Unchecked) -> Option<ReportUnjudged> {
    let of_kind = whole.unchecked.iter().filter(|(_, other)| *other == kind);
    let spans: SortedSet<(u32, u32)> = of_kind.map(|(edge, _)| loaded.base.graph[*edge].span).map(|span| (span.start, span.end)).collect();
    let first = loaded.lines.position(spans.iter().next()?.0);
    let mut lines: Vec<u32> =
        spans.iter().map(|(start, _)| loaded.lines.position(*start).line).filter(|line| *line != first.line).collect();
    lines.dedup();
    let what = match kind {
        Unchecked::Length => "whether each index is inside its array, whose length is not known",
        Unchecked::Approximated => "whether an expression that is approximated is defined",
        Unchecked::Number => "whether each number that is read fits its object",
    };
    let told: Vec<String> = lines.iter().take(MORE_LINES).map(u32::to_string).collect();
    let more = match lines.len() {
        0 => String::new(),
        1 => format!("; also on line {}", told[0]),
        count if count <= MORE_LINES => format!("; also on lines {}", told.join(", ")),
        count => format!("; also on lines {} and {} more", told.join(", "), count - MORE_LINES),
    };
    Some(ReportUnjudged { line: first.line, column: first.column, what: format!("{what}{more}") })
}

/// What is not judged, with functions that end without the value that they are to return.
fn not_judged(loaded: &Loaded, whole: &WithUndefined) -> Vec<ReportUnjudged> {
    let kinds = [Unchecked::Length, Unchecked::Approximated, Unchecked::Number];
    let unchecked = kinds.into_iter().filter_map(|kind| without_check(loaded, whole, kind));
    let ends = loaded.warnings.iter().filter(|warning| warning.code == "missing-return").map(|warning| ReportUnjudged {
        line: warning.place.line,
        column: warning.place.column,
        what: "whether the value of a function is used that ends without returning one".to_owned(),
    });
    let uses = unjudged(&loaded.program, &loaded.base).into_iter().map(|Unjudged { start, what }| {
        let position = loaded.lines.position(start);
        ReportUnjudged { line: position.line, column: position.column, what: without_copies(&what) }
    });
    let mut all: Vec<ReportUnjudged> = uses.chain(ends).chain(unchecked).collect();
    all.arrange_by_key(|one| (one.line, one.column));
    // What stands in several copies of a function is one.
    let mut told = SortedSet::new();
    all.retain(|one| told.insert((one.line, one.column, one.what.clone())));
    all
}

/// The names of the pointer parameters that no input of the program model makes null.
fn non_null(loaded: &Loaded) -> Vec<String> {
    let lts = &loaded.base;
    let function = loaded.program.functions.iter().find(|function| function.name.text == lts.function && lts.function != "main");
    let parameters = function.into_iter().flat_map(|function| &function.parameters);
    let pointers = parameters.filter(|parameter| matches!(parameter.ty, Type::Pointer(..) | Type::Array(..)));
    let may_be_null = |name: &str| {
        lts.variables.iter().filter(|variable| variable.origin == Origin::Parameter).any(|variable| {
            let is_own = variable.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
            match variable.values {
                ValueMeaning::Nodes { least, .. } => is_own && least < 1,
                ValueMeaning::Functions => variable.name == name && variable.start_range().is_none_or(|range| range.least <= 0),
                ValueMeaning::Cells { may_start_null, .. } => is_own && may_start_null,
                _ => variable.name == format!("{name}.null"),
            }
        })
    };
    let names = pointers.map(|parameter| parameter.name.text.clone());
    names.filter(|name| !name.is_empty() && !may_be_null(name)).chain(sure_memory(lts)).collect()
}

/// The functions of the library whose calls give memory in every execution of the model, since the program never asks whether they did.
fn sure_memory(lts: &Lts) -> Vec<String> {
    let library = || lts.graph.edge_weights().filter(|edge| edge.library);
    let draws = |edge: &&Edge| edge.label.operands().iter().any(|e| e.draws_from(&|source| *source == InputSource::Allocation));
    let may_fail: SortedSet<Span> = library().filter(draws).map(|edge| edge.span).collect();
    let giving = library().filter(|edge| !may_fail.contains(&edge.span)).filter_map(|edge| {
        let Label::Assign(to, Expr::Var(_)) = edge.label else { return None };
        let (function, result) = lts.variable(to).name.split_once('.')?;
        (GIVING_MEMORY.contains(&function) && without_copies(result) == "result").then(|| format!("{function}()"))
    });
    giving.collect::<SortedSet<String>>().into_iter().collect()
}

fn written(loaded: &Loaded, hazard: &Hazard, what: String, verdict: HazardVerdict) -> ReportHazard {
    let position = loaded.lines.position(hazard.span(&loaded.base).start);
    let (verdict, assumes) = match verdict {
        HazardVerdict::Fails => (ReportHazardVerdict::Fails, Vec::new()),
        HazardVerdict::Safe(assumed) => (ReportHazardVerdict::Safe, assumed.ids()),
        HazardVerdict::Open => (ReportHazardVerdict::Open, Vec::new()),
    };
    let (text, clause) = (text_of(loaded, hazard), hazard.kind.clause(&loaded.base));
    ReportHazard { line: position.line, column: position.column, text, what, clause, verdict, assumes }
}

/// The expression or statement of a hazard.
fn text_of(loaded: &Loaded, hazard: &Hazard) -> String {
    loaded.text_of_part(hazard.edge, hazard.part).text
}
