//! The loops around each location, and the size of a graph with its loops unwound.

use super::structure::Structure;
use super::{LocationId, Lts};
use crate::logic::Arrange;
use petgraph::Direction;

/// The loops around each location, the outermost first, as numbers of headers.
pub struct LoopNesting {
    /// For each location the numbers of the loops around it.
    pub around: Vec<Vec<usize>>,
    pub headers: Vec<LocationId>,
}

impl LoopNesting {
    /// Finds the loops of `lts`, whose shape is `structure`.
    pub fn new(lts: &Lts, structure: &Structure) -> LoopNesting {
        let headers = structure.loop_headers.clone();
        let mut bodies: Vec<(usize, Vec<LocationId>)> = Vec::new();
        for (number, &header) in headers.iter().enumerate() {
            // Ways back from the header lead out of a loop with several entrances; ways on from it do not lead back there.
            let onward = lts.graph.neighbors_directed(header, Direction::Outgoing).collect();
            let after = (!structure.reducible).then(|| spread(lts, header, onward, Direction::Outgoing));
            let ends = structure.retreating.iter().filter(|ends| ends.1 == header).map(|ends| ends.0).collect();
            let before = spread(lts, header, ends, Direction::Incoming);
            let is_inside = |location: &LocationId| before[location.index()] && after.as_ref().is_none_or(|after| after[location.index()]);
            bodies.push((number, lts.graph.node_indices().filter(is_inside).collect()));
        }
        // Of two loops around a location the outer one is larger.
        bodies.arrange_by_key(|(number, body)| (std::cmp::Reverse(body.len()), *number));
        let mut around = vec![Vec::new(); lts.graph.node_count()];
        for (number, body) in &bodies {
            body.iter().for_each(|location| around[location.index()].push(*number));
        }
        LoopNesting { around, headers }
    }

    /// About how many edges the graph has once each loop has so many rounds: an edge stands once for each number of rounds of the loops
    /// around it.
    pub fn unwound_edges(&self, lts: &Lts, rounds: usize) -> usize {
        let copies =
            |location: LocationId| self.around[location.index()].iter().fold(1, |copies: usize, _| copies.saturating_mul(rounds + 1));
        lts.graph.edge_indices().map(|edge| copies(lts.edge(edge).1)).fold(0, usize::saturating_add)
    }
}

/// For each location whether it is the header, or ways lead there from the waiting ones without passing the header.
fn spread(lts: &Lts, header: LocationId, mut waiting: Vec<LocationId>, direction: Direction) -> Vec<bool> {
    let mut inside = vec![false; lts.graph.node_count()];
    inside[header.index()] = true;
    while let Some(location) = waiting.pop() {
        if !std::mem::replace(&mut inside[location.index()], true) {
            waiting.extend(lts.graph.neighbors_directed(location, direction));
        }
    }
    inside
}
