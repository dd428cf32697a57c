//! The sides of decisions around a statement that no execution takes: what comes after them never runs either.
//!
//! 1. Executions get to the locations to which edges lead that some execution may take. The infeasible edges that leave these
//!    locations are the *first* ones.
//! 2. Every path to a statement after them passes a first edge. The first edges with a way to the statement are its reason; each of them has
//!    a reason of its own.

use crate::logic::Arrange;
use crate::lts::{EdgeId, LocationId, Lts};
use petgraph::Direction::Incoming;
use petgraph::visit::EdgeRef;

/// What executions get to.
pub struct Enclosing<'e> {
    lts: &'e Lts,
    /// For each edge whether no execution takes it.
    infeasible: &'e [bool],
    /// For each location whether a path of other edges leads there.
    reached: Vec<bool>,
}

impl<'e> Enclosing<'e> {
    /// 1. `infeasible` says of each edge of the graph, by its number, whether no execution takes it.
    pub fn new(lts: &'e Lts, infeasible: &'e [bool]) -> Enclosing<'e> {
        let mut reached = vec![false; lts.graph.node_count()];
        let mut waiting = vec![lts.entry];
        reached[lts.entry.index()] = true;
        while let Some(location) = waiting.pop() {
            for (edge, to) in lts.outgoing(location) {
                if !infeasible[edge.index()] && !std::mem::replace(&mut reached[to.index()], true) {
                    waiting.push(to);
                }
            }
        }
        Enclosing { lts, infeasible, reached }
    }

    /// Whether no execution takes an edge.
    pub fn is_infeasible(&self, edge: EdgeId) -> bool {
        self.infeasible[edge.index()]
    }

    /// Whether a path of edges that are not infeasible leads to this location.
    pub fn is_reached(&self, location: LocationId) -> bool {
        self.reached[location.index()]
    }

    /// 2. The first edges on the paths to this one; empty where it is one itself.
    pub fn of(&self, edge: EdgeId) -> Vec<EdgeId> {
        let start = self.lts.edge(edge).1;
        if self.is_reached(start) {
            return Vec::new();
        }
        let (mut seen, mut waiting, mut found) = (vec![false; self.reached.len()], vec![start], Vec::new());
        seen[start.index()] = true;
        while let Some(location) = waiting.pop() {
            for arc in self.lts.graph.edges_directed(location, Incoming) {
                let from = arc.source();
                if self.is_reached(from) {
                    if self.infeasible[arc.id().index()] {
                        found.push(arc.id());
                    }
                } else if !std::mem::replace(&mut seen[from.index()], true) {
                    waiting.push(from);
                }
            }
        }
        found.arrange();
        found.dedup();
        found
    }
}
