//! What flows into the condition of a side: what its value is computed from, and what decides about these computations.
//!
//! 1. The condition reads variables and arrays; so do the values assigned to them, and so on.
//! 2. A decision decides about an assignment if only one of its sides leads there before the decision is passed again. It counts if both sides
//!    lead to the condition: of the others each execution that comes to the condition has the same side.

use crate::logic::SortedSet;
use crate::lts::{EdgeId, Expr, Label, LocationId, Lts, ModelObject};
use petgraph::Direction::Incoming;

/// The greatest number of edges of a graph in which decisions are looked at.
const EDGES: usize = 2_000;

/// The variables and arrays that flow into the condition of an edge; `None` where the graph is too large.
pub fn flowing(lts: &Lts, edge: EdgeId) -> Option<SortedSet<ModelObject>> {
    if lts.graph.edge_count() > EDGES {
        return None;
    }
    let target = lts.edge(edge).1;
    let decided = decided(lts, target);
    let mut found: SortedSet<ModelObject> = read_by(lts, edge).collect();
    loop {
        let before = found.len();
        // 1.
        let assigned = |edge: &EdgeId| lts.graph[*edge].label.assigned().is_some_and(|object| found.contains(&object));
        let more: Vec<ModelObject> = lts.graph.edge_indices().filter(assigned).flat_map(|edge| read_by(lts, edge)).collect();
        // 2.
        let decides = |(_, objects): &&(EdgeId, SortedSet<ModelObject>)| objects.iter().any(|object| found.contains(object));
        let deciding: Vec<ModelObject> = decided.iter().filter(decides).flat_map(|(side, _)| read_by(lts, *side)).collect();
        found.extend(more.into_iter().chain(deciding));
        if found.len() == before {
            return Some(found);
        }
    }
}

fn read_by(lts: &Lts, edge: EdgeId) -> impl Iterator<Item = ModelObject> {
    lts.graph[edge].label.operands().into_iter().flat_map(Expr::objects)
}

/// A side of each decision, with what is assigned after one of its sides alone.
fn decided(lts: &Lts, target: LocationId) -> Vec<(EdgeId, SortedSet<ModelObject>)> {
    let leads = leading_to(lts, target);
    let mut found = Vec::new();
    for location in lts.graph.node_indices() {
        let sides: Vec<(EdgeId, LocationId)> = lts.outgoing(location);
        let is_decision = sides.len() > 1 && sides.iter().all(|(side, _)| matches!(lts.graph[*side].label, Label::Assume { .. }));
        if !is_decision || !sides.iter().all(|(_, to)| leads[to.index()]) {
            continue;
        }
        let after: Vec<SortedSet<EdgeId>> = sides.iter().map(|&(_, to)| edges_after(lts, to, [location, target])).collect();
        let is_on_all = |edge: &EdgeId| after.iter().all(|edges| edges.contains(edge));
        let own = after.iter().flatten().filter(|edge| !is_on_all(edge));
        let objects: SortedSet<ModelObject> = own.filter_map(|&edge| lts.graph[edge].label.assigned()).collect();
        found.push((sides[0].0, objects));
    }
    found
}

/// For each location whether a path leads from there to this one.
fn leading_to(lts: &Lts, target: LocationId) -> Vec<bool> {
    let (mut leads, mut waiting) = (vec![false; lts.graph.node_count()], vec![target]);
    while let Some(location) = waiting.pop() {
        if !std::mem::replace(&mut leads[location.index()], true) {
            waiting.extend(lts.graph.neighbors_directed(location, Incoming));
        }
    }
    leads
}

/// The edges on paths from a location, up to these others.
fn edges_after(lts: &Lts, from: LocationId, ends: [LocationId; 2]) -> SortedSet<EdgeId> {
    let (mut seen, mut waiting, mut found) = (vec![false; lts.graph.node_count()], vec![from], SortedSet::new());
    while let Some(location) = waiting.pop() {
        if ends.contains(&location) || std::mem::replace(&mut seen[location.index()], true) {
            continue;
        }
        for (edge, to) in lts.outgoing(location) {
            found.insert(edge);
            waiting.push(to);
        }
    }
    found
}
