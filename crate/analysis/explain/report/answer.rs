//! `explain`: infeasible prefixes, why they are infeasible, and the families of paths that are infeasible for the same reason.

use super::reasons::groups;
use super::texts::Texts;
use super::{
    DEFAULT_LIMIT, ExplainComparison, ExplainDocument, ExplainFamily, ExplainGeneralized, ExplainLength, ExplainRound, ExplainRounds,
    ExplainSettings, ExplainTally, ExplainUnion, MAX_INSTRUCTIONS,
};
use crate::analysis::explain::method::consistency::Strength;
use crate::analysis::explain::method::dependencies::Resources;
use crate::analysis::explain::method::family::{Extension, ProgramFacts};
use crate::analysis::explain::method::rounds::{RoundsResult, Start, refine};
use crate::analysis::explain::method::run::{ExplainOutcome, PathVerdict, judge, run};
use crate::analysis::explain::method::{ExplainPlan, Explainer, Order, Tally, prepare};
use crate::analysis::prune::method::graph;
use crate::automaton::Automaton;
use crate::counting::check_lengths;
use crate::counting::report::any_state;
use crate::evidence::graph::Pruned;
use crate::evidence::numbers;
use crate::load::{Loaded, load_under, refused};
use crate::logic::Arrange;
use crate::lts::EdgeId;
use crate::lts::assume::Assumptions;
use crate::run::listener::Listener;
use crate::run::recorder::{Used, traced};
use crate::run::trace::Trace;
use crate::solver::meter::Meter;
use crate::states::Ask;
use crate::view::{Reply, Request};
use num_bigint::BigUint;
use std::time::Duration;

/// Explores and explains, or, with a path in the settings, explains that path alone. `clock` gives the time since some fixed
/// moment; only the times in the document depend on it.
pub fn explain(
    request: &Request,
    settings: &ExplainSettings,
    clock: &dyn Fn() -> Duration,
    listener: &mut Listener,
) -> Reply<ExplainDocument> {
    let loaded = match load_under(request, None) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let chosen = match chosen(settings) {
        Ok(chosen) => chosen,
        Err(message) => return refused("bad-setting", message),
    };
    let path = match settings.path.as_ref().map(|path| edges(&loaded, path)).transpose() {
        Ok(path) => path,
        Err(message) => return refused("bad-path", message),
    };
    let lts = &loaded.lts;
    let (resources, effects) = prepare(lts);
    let program = ProgramFacts::new(lts, &effects, &resources);
    let request = &Request { limit: request.limit.or(Some(DEFAULT_LIMIT)), ..request.clone() };
    let texts = Texts { loaded: &loaded, lts };
    match path {
        None if settings.rounds.is_some() => rounds(request, &texts, settings, &chosen, (&program, &resources), clock, listener),
        None => {
            let work =
                |meter: &mut Meter, trace: &Trace| run(&program, &resources, &chosen, settings.compare as usize, clock, meter, trace);
            let (outcome, used) = traced(request, &loaded, "explaining", listener, work);
            Reply::Document { document: document(request, &texts, settings, outcome, &used) }
        }
        Some(path) => {
            let work = |meter: &mut Meter, trace: &Trace| judge(&program, &resources, &path, &chosen, clock, meter, trace);
            let (judged, used) = traced(request, &loaded, "explaining", listener, work);
            let complete = !matches!(judged.verdict, PathVerdict::Open(_)) && judged.cut.is_none();
            let mut document = document(request, &texts, settings, ExplainOutcome::default(), &used);
            document.header.complete = complete;
            document.open = match (&judged.verdict, judged.cut) {
                (_, Some(reason)) => Some(used.why_open(reason)),
                (PathVerdict::Open(reason), None) => Some(used.why_open(*reason)),
                _ => None,
            };
            document.path = Some(texts.path(&judged, settings.max_instructions));
            Reply::Document { document }
        }
    }
}

/// The settings as the analysis has them, or which value does not exist.
fn chosen(settings: &ExplainSettings) -> Result<ExplainPlan, String> {
    let order = match settings.order.as_str() {
        "first" => Order::First,
        "last" => Order::Last,
        "all" => Order::All,
        other => return Err(format!("there is no order `{other}`, only first, last and all")),
    };
    let strength = match settings.check.as_str() {
        "interval" => Strength::Interval,
        "rational" => Strength::Rational,
        "integer" => Strength::Integer,
        other => return Err(format!("there is no check `{other}`, only interval, rational and integer")),
    };
    let extension = match settings.extend.as_str() {
        "detours" => Extension::Detours,
        "any_way" => Extension::AnyWay,
        other => return Err(format!("there is no extension `{other}`, only detours and any_way")),
    };
    if !(1..=MAX_INSTRUCTIONS).contains(&settings.max_instructions) {
        return Err(format!("the number of instructions is from 1 to {MAX_INSTRUCTIONS}"));
    }
    Ok(ExplainPlan { max_instructions: settings.max_instructions, order, strength, extension, ..ExplainPlan::default() })
}

/// The path, or where it breaks off.
fn edges(loaded: &Loaded, path: &[u32]) -> Result<Vec<EdgeId>, String> {
    let lts = &loaded.lts;
    let mut at = lts.entry;
    let mut last = None;
    for &number in path {
        let edge = EdgeId::new(number as usize);
        let Some((from, to)) = lts.graph.edge_endpoints(edge) else {
            return Err(format!(
                "there is no edge {number}: `{}` has the edges 0 to {}",
                lts.function,
                lts.graph.edge_count().saturating_sub(1)
            ));
        };
        if from != at {
            let ways: Vec<String> = lts.outgoing(at).iter().map(|(edge, _)| edge.index().to_string()).collect();
            let ways = if ways.is_empty() { "nothing".to_owned() } else { ways.join(" or ") };
            return Err(match last {
                None => format!("a path starts at the entry, with edge {ways}; edge {number} leaves location {}", from.index()),
                Some(last) => format!("edge {number} does not follow edge {last}: after that comes {ways}"),
            });
        }
        (at, last) = (to, Some(number));
    }
    Ok(lts_path(path))
}

fn lts_path(path: &[u32]) -> Vec<EdgeId> {
    path.iter().map(|&edge| EdgeId::new(edge as usize)).collect()
}

/// What all families rest on together.
fn all_assume(outcome: &ExplainOutcome) -> Assumptions {
    let explanations = outcome.findings.iter().flat_map(|finding| &finding.explained.explanations);
    explanations.fold(Assumptions::default(), |all, one| all.and(one.assumes))
}

/// Average and maximum of counts.
fn generalized(counts: &[&BigUint]) -> ExplainGeneralized {
    ExplainGeneralized { average: average(counts), maximum: counts.iter().max().map_or_else(|| "0".to_owned(), |most| most.to_string()) }
}

/// The average of a list of counts.
fn average(counts: &[&BigUint]) -> f64 {
    let sum: BigUint = counts.iter().copied().sum();
    if counts.is_empty() { 0.0 } else { sum.to_string().parse().unwrap_or(f64::INFINITY) / counts.len() as f64 }
}

fn document(request: &Request, texts: &Texts, settings: &ExplainSettings, outcome: ExplainOutcome, used: &Used) -> ExplainDocument {
    let counts: Vec<&BigUint> = outcome.findings.iter().flat_map(|finding| finding.paths.iter()).collect();
    let united: Vec<&BigUint> = outcome.findings.iter().map(|finding| &finding.united).collect();
    let reason = outcome.cut.or(outcome.open);
    let mut copy = None;
    let families: Vec<ExplainFamily> =
        outcome.findings.iter().flat_map(|finding| texts.families(&outcome.pool, &mut copy, finding)).collect();
    let header = used.header(request, texts.loaded, reason.is_none());
    let named: Vec<String> = header.assumptions.iter().map(|one| one.id.clone()).collect();
    ExplainDocument {
        header,
        statics: any_state(&named),
        max_instructions: settings.max_instructions,
        order: settings.order.clone(),
        check: settings.check.clone(),
        extend: settings.extend.clone(),
        infeasible_prefixes: outcome.findings.len() as u32,
        reasons: groups(&families),
        families,
        generalized: generalized(&counts),
        united: generalized(&united),
        union: outcome.union.as_ref().map(|union| ExplainUnion {
            automaton: texts.automaton(&union.automaton, None),
            paths: union.paths.to_string(),
            assumes: all_assume(&outcome).ids(),
            lengths: (union.lengths.iter())
                .map(|(length, total, rest)| ExplainLength { length: *length, total: total.to_string(), rest: rest.to_string() })
                .collect(),
        }),
        without: tally_view(&outcome.without, outcome.without_prefixes),
        with: outcome.with.as_ref().map(|(tally, prefixes)| tally_view(tally, *prefixes)),
        skipped: outcome.skipped,
        comparison: (outcome.comparison.iter())
            .map(|one| ExplainComparison {
                instructions: one.instructions as u32,
                paths: one.paths.to_string(),
                bound: one.bound,
                generation_us: micros(one.generation),
                exhaustive_us: micros(one.exhaustive.tally.time),
                generation_queries: one.generation_queries,
                exhaustive_queries: one.exhaustive.tally.queries,
                refuted: one.exhaustive.refuted,
            })
            .collect(),
        path: None,
        rounds: None,
        open: reason.map(|reason| used.why_open(reason)),
    }
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}

fn tally_view(tally: &Tally, prefixes: u64) -> ExplainTally {
    ExplainTally { prefixes, queries: tally.queries, refutations: tally.refutations, time_us: micros(tally.time) }
}

/// `explain` with rounds: draws infeasible paths of the program, or of its pruned graph, explains them and takes them away.
fn rounds(
    request: &Request,
    texts: &Texts,
    settings: &ExplainSettings,
    chosen: &ExplainPlan,
    (program, resources): (&ProgramFacts, &Resources),
    clock: &dyn Fn() -> Duration,
    listener: &mut Listener,
) -> Reply<ExplainDocument> {
    let Some(rounds) = &settings.rounds else { return refused("bad-setting", "no length was given".to_owned()) };
    if let Some(refusal) = check_lengths(&[rounds.length]) {
        return refusal;
    }
    let lts = texts.lts;
    let settled = ExplainPlan { strength: Strength::Integer, ..*chosen };
    let (refinement, used) = traced(request, texts.loaded, "drawing and explaining", listener, |meter, trace| {
        let _ = trace.needs();
        let start = match rounds.pruned {
            true => pruned_automaton(&graph::graph_of(lts, &graph::USUAL, meter, trace)),
            false => Automaton::of_program(lts),
        };
        let of_graph = trace.needs().all;
        let mut explainer = Explainer::new(resources.clone(), Strength::Integer, clock);
        let start = Start { automaton: start, length: rounds.length, seed: request.seed };
        let refinement = refine(program, &mut explainer, start, &settled, &mut Ask { meter, log: trace }, trace);
        RoundsResult { assumes: refinement.assumes.and(of_graph), ..refinement }
    });
    let mut document = document(request, texts, settings, ExplainOutcome::default(), &used);
    let mut copy = None;
    document.header.complete = refinement.settled;
    document.open = refinement.cut.map(|reason| used.why_open(reason));
    document.rounds = Some(ExplainRounds {
        length: rounds.length,
        pruned: rounds.pruned,
        start: refinement.start.to_string(),
        rounds: (refinement.rounds.iter())
            .map(|round| ExplainRound {
                drawn: round.drawn,
                prefix: numbers(&round.prefix),
                lines: round.prefix.iter().map(|&edge| texts.line(edge)).collect(),
                explanation: texts.step_list(&refinement.pool, &mut copy, &round.prefix, &round.explanation, &round.causes),
                left: round.left.to_string(),
                assumes: round.assumes.ids(),
            })
            .collect(),
        left: refinement.left.to_string(),
        feasible: refinement.feasible.to_string(),
        settled: refinement.settled,
        assumes: refinement.assumes.ids(),
    });
    Reply::Document { document }
}

/// A pruned graph as an automaton over the edges of the original.
fn pruned_automaton(pruned: &Pruned) -> Automaton {
    let mut automaton =
        Automaton { initial: 0, accepting: vec![false; pruned.nodes.len()], transitions: vec![Vec::new(); pruned.nodes.len()] };
    pruned.finals.iter().for_each(|last| automaton.accepting[last.index()] = true);
    pruned.edges.iter().for_each(|&(from, edge, to)| automaton.transitions[from as usize].push((edge.index() as u32, to)));
    automaton.transitions.iter_mut().for_each(|ways| ways.arrange());
    automaton
}
