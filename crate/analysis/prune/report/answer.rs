//! `prune`: the transformed graph, its path counts beside those of the original, and the steps that made it.

use super::{DEFAULT_LIMIT, PruneDocument, PruneEdge, PruneGraph, PrunePlace, PruneRow, PruneSettings, PruneSize, PruneUsed, RedSize};
use crate::analysis::prune::method::{Unended, run};
use crate::count::{Graph, totals};
use crate::counting::merged::Obstacle;
use crate::counting::report::{FeasibleBy, any_state};
use crate::counting::{Row, check_lengths, table};
use crate::evidence::graph::{Pruned, PrunedNode};
use crate::load::{Loaded, load_under, refused};
use crate::logic::Pool;
use crate::lts::EdgeId;
use crate::run::listener::Listener;
use crate::run::recorder::traced;
use crate::solver::Reason;
use crate::states::States;
use crate::symex::written;
use crate::view::{Reply, Request};

/// The pruned graph, and P(l), P'(l) and, if the settings ask for it, FP(l) for each of the settings' lengths. Refuses lengths
/// that are too great, and a program or a precondition with errors.
pub fn prune(request: &Request, settings: &PruneSettings, listener: &mut Listener) -> Reply<PruneDocument> {
    let lengths = &settings.lengths[..];
    if let Some(refusal) = check_lengths(lengths) {
        return refusal;
    }
    let loaded = match load_under(request, settings.graph.precondition.as_deref()) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let chosen = match settings.graph.chosen() {
        Ok(chosen) => chosen,
        Err(message) => return refused("bad-setting", message),
    };
    let lts = &loaded.lts;
    let request = &Request { limit: request.limit.or(Some(DEFAULT_LIMIT)), ..request.clone() };
    let ((outcome, needs, table), used) = traced(request, &loaded, "pruning", listener, |meter, trace| {
        let _ = trace.needs();
        let outcome = run(lts, States::new(lts), chosen, meter, trace);
        let needs = trace.needs();
        let table = settings.feasible.then(|| table(lts, lengths, true, meter, trace));
        (outcome, needs, table)
    });
    let (original, pruned) = (totals(&Graph::of(lts), lengths), totals(&outcome.pruned.graph(), lengths));
    let counts = |length: u32| {
        table.as_ref().and_then(|table| table.rows.iter().find(|row| row.length == length).map(Row::counts)).unwrap_or_default()
    };
    let rows = lengths.iter().zip(original.iter().zip(&pruned)).map(|(&length, (original, pruned))| {
        let (feasible, feasible_at_least, assumes) = counts(length);
        PruneRow {
            length,
            original: original.to_string(),
            pruned: pruned.to_string(),
            feasible,
            feasible_at_least,
            statics: any_state(&assumes),
            assumes,
        }
    });
    let inexact = outcome.exact.and_then(Result::err);
    let cut = outcome.cut.or(table.as_ref().and_then(|table| table.cut));
    let document = PruneDocument {
        header: used.header(request, &loaded, cut.is_none() && inexact.is_none()),
        original: PruneSize { locations: lts.graph.node_count() as u32, edges: lts.graph.edge_count() as u32 },
        pruned: PruneSize { locations: outcome.pruned.nodes.len() as u32, edges: outcome.pruned.edges.len() as u32 },
        table: rows.collect(),
        red: RedSize {
            vertices: outcome.red.vertices as u32,
            marked: outcome.red.marked as u32,
            subsumptions: outcome.red.subsumptions as u32,
            abstractions: outcome.red.abstractions as u32,
            restarts: outcome.restarts,
        },
        used: PruneUsed {
            lookahead: outcome.used.lookahead,
            restarts: outcome.used.restarts,
            max_red_length: outcome.used.max_red_length,
            exact_up_to: outcome.exact.and_then(Result::ok),
            because: outcome.unended.map(|unended| because(&loaded, unended, chosen.settings.lookahead)),
        },
        graph: graph_view(&outcome.pruned, &outcome.states.pool, needs.all.ids()),
        feasible_by: table.as_ref().and_then(|table| table.basis).map(FeasibleBy::from),
        open: inexact.map(|obstacle| not_exact(&loaded, obstacle)).or(cut.map(|reason| match (outcome.cut, reason) {
            (Some(_), Reason::NonLinear) => format!("{reason}: some edges could not be confirmed and go on in the original"),
            (Some(_), Reason::Steps) => {
                "the construction did not end within its share of the steps; it goes on in the original from there".to_owned()
            }
            (Some(_), _) => used.why_open(reason),
            (None, _) => table.as_ref().and_then(|table| table.why_open(&used)).unwrap_or_else(|| used.why_open(reason)),
        })),
        // A single question that takes too long does so under any limit.
        reached_limit: request.limit.filter(|&limit| cut == Some(Reason::Steps) && (outcome.cut.is_some() || used.steps > limit)),
    };
    Reply::Document { document }
}

/// Why the construction did not end with what the settings ask for, for people.
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

/// Why the graph is not exact up to the length asked for, for people.
fn not_exact(loaded: &Loaded, obstacle: Obstacle) -> String {
    let line = |edge: EdgeId| loaded.lines.line(loaded.lts.graph[edge].span.start);
    let why = match obstacle {
        Obstacle::Stdin => "which values a text on standard input gives is known of each path alone".to_owned(),
        Obstacle::Inexact(edge) => format!("the set of states behind line {} has no exact description", line(edge)),
        Obstacle::Open(edge, reason) => format!("it is open whether a state passes line {} ({reason})", line(edge)),
        Obstacle::Doubt(reason) => format!("some edges could not be confirmed ({reason})"),
        Obstacle::Exhausted(why) => Reason::from(why).to_string(),
    };
    format!("no graph that is exact so far: {why}; this one is built without that")
}

fn graph_view(pruned: &Pruned, pool: &Pool, assumes: Vec<String>) -> PruneGraph {
    let nodes = pruned.nodes.iter().zip(&pruned.invariants).map(|(node, formulas)| {
        let (vertex, index) = match *node {
            PrunedNode::Red { vertex, index, .. } => (Some(vertex), Some(index)),
            PrunedNode::Black(_) | PrunedNode::Carried { .. } => (None, None),
        };
        let holds = formulas.iter().map(|&formula| written(pool, formula)).collect();
        PrunePlace { location: node.location().index() as u32, vertex, index, holds }
    });
    let edges = pruned.edges.iter().map(|&(from, edge, to)| PruneEdge { from, edge: edge.index() as u32, to: Some(to) });
    let cut = pruned.cut.iter().map(|&(from, edge)| PruneEdge { from, edge: edge.index() as u32, to: None });
    PruneGraph { places: nodes.collect(), edges: edges.collect(), cut: cut.collect(), assumes }
}
