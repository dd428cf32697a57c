//! `prune`: the transformed graph, its path counts beside those of the original, and how it came about.

use super::load::{Loaded, load_assuming, refused};
use super::paths::{check_lengths, feasible_by, traced};
use super::recorder::Listener;
use super::{
    PruneDocument, PruneEdge, PruneGraph, PrunePlace, PruneRow, PruneSettings, PruneSize, PruneStep, PruneUsed, RedSize, Reply, Request,
};
use crate::analysis::prune::unfolded::{Place, Pruned};
use crate::analysis::prune::{DEFAULT_LIMIT, Happened, MethodKind, Settings, Unended, run};
use crate::analysis::{Feasible, paths};
use crate::count::{Graph, totals};
use crate::logic::{FormulaId, Pool};
use crate::solver::Reason;
use crate::states::States;
use crate::symex::written;

/// The farthest lookahead that the command line and the page take.
pub const MAX_LOOKAHEAD: u32 = 200;

/// The pruned graph, and P(l), P'(l) and, if asked for, FP(l) for each of these lengths.
pub fn prune(
    request: &Request,
    settings: &PruneSettings,
    lengths: &[u32],
    feasible: bool,
    listener: &mut Listener,
) -> Reply<PruneDocument> {
    if let Some(refusal) = check_lengths(lengths) {
        return refusal;
    }
    let loaded = match load_assuming(request, settings.precondition.as_deref()) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let chosen = match chosen(settings) {
        Ok(chosen) => chosen,
        Err(message) => return refused("bad-setting", message),
    };
    let lts = &loaded.lts;
    let request = &Request { limit: request.limit.or(Some(DEFAULT_LIMIT)), ..request.clone() };
    let ((outcome, table), used) = traced(request, &loaded, "pruning", listener, |meter, trace| {
        let outcome = run(lts, States::new(lts), &chosen, meter, trace);
        let table = feasible.then(|| paths::table(lts, lengths, true, meter, trace));
        (outcome, table)
    });
    let (original, pruned) = (totals(&Graph::of(lts), lengths), totals(&outcome.pruned.graph(), lengths));
    let known = |length: u32| table.as_ref().and_then(|table| table.rows.iter().find(|row| row.length == length)?.feasible.clone());
    let rows = lengths.iter().zip(original.iter().zip(&pruned)).map(|(&length, (original, pruned))| {
        let (exactly, at_least) = match known(length) {
            Some(Feasible::Exactly(count)) => (Some(count.to_string()), None),
            Some(Feasible::AtLeast(count, _)) => (None, Some(count.to_string())),
            None => (None, None),
        };
        PruneRow { length, original: original.to_string(), pruned: pruned.to_string(), feasible: exactly, feasible_at_least: at_least }
    });
    let cut = outcome.cut.or(table.as_ref().and_then(|table| table.cut));
    let document = PruneDocument {
        header: loaded.header(request, cut.is_none(), used.statistics, used.steps),
        original: PruneSize { locations: lts.graph.node_count() as u32, edges: lts.graph.edge_count() as u32 },
        pruned: PruneSize { locations: outcome.pruned.places.len() as u32, edges: outcome.pruned.edges.len() as u32 },
        table: rows.collect(),
        red: RedSize {
            vertices: outcome.red.vertices as u32,
            marked: outcome.red.marked as u32,
            subsumptions: outcome.red.subsumptions as u32,
            abstractions: outcome.red.abstractions as u32,
            restarts: used.restarts,
        },
        used: PruneUsed {
            lookahead: outcome.used.lookahead,
            restarts: outcome.used.restarts,
            because: outcome.unended.map(|unended| because(&loaded, unended, chosen.lookahead)),
        },
        graph: graph_view(&outcome.pruned, &outcome.states.pool),
        feasible_by: table.as_ref().and_then(|table| table.basis).map(feasible_by),
        open: cut.map(|reason| match (outcome.cut, reason) {
            (Some(_), Reason::NonLinear) => format!("{reason}: some edges could not be confirmed and go on in the original"),
            (Some(_), Reason::Steps) => {
                "the construction did not end within its share of the steps; it goes on in the original from there".to_owned()
            }
            _ => used.why_open(reason),
        }),
        // A single question that takes too long does so under any limit.
        reached_limit: request.limit.filter(|&limit| cut == Some(Reason::Steps) && (outcome.cut.is_some() || used.steps > limit)),
    };
    Reply::Document { document }
}

/// Why what was asked for did not come to an end.
fn because(loaded: &Loaded, unended: Unended, lookahead: u32) -> String {
    match unended {
        Unended::Restarts(restarts) => format!("one restart led to the next, {restarts} in all"),
        Unended::Unfolded { header, times } => {
            let line = loaded.lts.outgoing(header).first().map_or(0, |(edge, _)| loaded.lines.line(loaded.lts.graph[*edge].span.start));
            let ahead = match lookahead {
                0 => String::new(),
                _ => {
                    format!(", and none can forget so much that it has them without letting in infeasible paths of up to {lookahead} edges")
                }
            };
            format!("the loop in line {line} was unfolded {times} times: no round has all states of a later one{ahead}")
        }
    }
}

fn graph_view(pruned: &Pruned, pool: &Pool) -> PruneGraph {
    let places = pruned.places.iter().zip(&pruned.invariants).map(|(place, formulas)| {
        let (vertex, index) = match *place {
            Place::Red { vertex, index, .. } => (Some(vertex), Some(index)),
            Place::Black(_) => (None, None),
        };
        let holds = formulas.iter().map(|&formula| written(pool, formula)).collect();
        PrunePlace { location: place.location().index() as u32, vertex, index, holds }
    });
    let edges = pruned.edges.iter().map(|&(from, edge, to)| PruneEdge { from, edge: edge.index() as u32, to: Some(to) });
    let cut = pruned.cut.iter().map(|&(from, edge)| PruneEdge { from, edge: edge.index() as u32, to: None });
    PruneGraph { places: places.collect(), edges: edges.collect(), cut: cut.collect() }
}

pub(super) fn chosen(settings: &PruneSettings) -> Result<Settings, String> {
    let abstraction = match settings.abstraction.as_str() {
        "drop" => MethodKind::Drop,
        "havoc" => MethodKind::Havoc,
        "learn" => MethodKind::Learn,
        other => return Err(format!("there is no abstraction `{other}`, only drop, havoc and learn")),
    };
    Ok(Settings { abstraction, restarts: settings.restarts, lookahead: settings.lookahead, max_red_length: settings.max_red_length })
}

/// A change of the red–black graph for the documents.
pub(super) fn step_view(happened: &Happened, pool: &Pool) -> PruneStep {
    let texts = |formulas: &[FormulaId]| formulas.iter().map(|&formula| written(pool, formula)).collect();
    match *happened {
        Happened::Added { vertex, location, index, parent } => PruneStep::Added {
            vertex,
            location: location.index() as u32,
            index,
            parent: parent.map(|(parent, _)| parent),
            edge: parent.map(|(_, edge)| edge.index() as u32),
        },
        Happened::Unsatisfiable { vertex } => PruneStep::Unsatisfiable { vertex },
        Happened::Subsumed { vertex, by } => PruneStep::Subsumed { vertex, by },
        Happened::Abstracted { vertex, for_vertex, forgotten, kept } => {
            PruneStep::Abstracted { vertex, subsumee: for_vertex, forgotten: texts(forgotten), kept: texts(kept) }
        }
        Happened::Propagated { from, to } => PruneStep::Propagated { vertex: from, vertices: to.to_vec() },
        Happened::Unmarked { vertex } => PruneStep::Unmarked { vertex },
        Happened::Refined { vertex, condition, path } => {
            PruneStep::Refined { vertex, condition: written(pool, condition), path: path.to_vec() }
        }
        Happened::Destroyed { below, vertices } => PruneStep::Destroyed { vertex: below, vertices: vertices.to_vec() },
        Happened::Restarted { vertex } => PruneStep::Restarted { vertex },
        Happened::Anew { lookahead, restarts } => PruneStep::Anew { lookahead, restarts },
        Happened::Halted { vertex } => PruneStep::Halted { vertex },
    }
}
