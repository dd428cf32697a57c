//! Ways out of a bound: where an execution leaves the unwound graph.
//!
//! It returns to a header once more, or calls a function within itself once more than lowering inlined calls. Such a node is a
//! [`Way`] out. It is of no concern for a statement that the function's graph does not lead to from there (nor, for completing
//! executions, the other way round), and of none at all where the solver refutes that an execution ever takes it.

use super::condition::Condition;
use super::unwind::Unwound;
use crate::logic::{Arrange, FormulaId, Pool, SortedMap};
use crate::lts::{EdgeId, LocationId, Lts};
use petgraph::Direction;
use petgraph::visit::EdgeRef;

/// Edges by which an execution leaves the unwound graph at one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The header, or [`Lts::cut`].
    pub to: LocationId,
    /// In order.
    pub edges: Vec<EdgeId>,
}

/// The ways out of an unwound graph.
#[derive(Debug)]
pub struct Ways {
    pub ways: Vec<Way>,
    /// For each way the locations to which the function's graph leads from there.
    after: Vec<Vec<bool>>,
    /// For each way the locations from which the function's graph leads there.
    before: Vec<Vec<bool>>,
    cut: Option<LocationId>,
}

impl Ways {
    pub fn new(lts: &Lts, unwound: &Unwound) -> Ways {
        let mut ways: SortedMap<LocationId, Vec<EdgeId>> = SortedMap::new();
        for &(_, edge) in &unwound.cut {
            ways.entry(lts.edge(edge).2).or_default().push(edge);
        }
        if let Some(cut) = lts.cut {
            ways.insert(cut, lts.graph.edges_directed(cut, Direction::Incoming).map(|edge| edge.id()).collect());
        }
        let spread = |direction| move |to: &LocationId| spread(lts, *to, direction);
        let after = ways.keys().map(spread(Direction::Outgoing)).collect();
        let before = ways.keys().map(spread(Direction::Incoming)).collect();
        let ways = (ways.into_iter())
            .map(|(to, mut edges)| {
                edges.arrange();
                edges.dedup();
                Way { to, edges }
            })
            .collect();
        Ways { ways, after, before, cut: lts.cut }
    }

    /// The ways by which an execution may leave the bound before it takes the edge, or (without `taken`) before or after that.
    pub fn concerning(&self, lts: &Lts, edge: EdgeId, taken: bool) -> Vec<usize> {
        let (_, from, to) = lts.edge(edge);
        let concerns = |way: usize| {
            // After a call that lowering did not inline anything of the function may follow.
            let recursion = self.cut.is_some_and(|cut| self.after[way][cut.index()]);
            recursion || self.after[way][from.index()] || (!taken && self.before[way][to.index()])
        };
        (0..self.ways.len()).filter(|&way| concerns(way)).collect()
    }
}

/// The locations to which edges lead from a location, which is among them, or (incoming) from which they lead to it.
fn spread(lts: &Lts, from: LocationId, direction: Direction) -> Vec<bool> {
    let mut found = vec![false; lts.graph.node_count()];
    found[from.index()] = true;
    let mut waiting = vec![from];
    while let Some(location) = waiting.pop() {
        for next in lts.graph.neighbors_directed(location, direction) {
            if !std::mem::replace(&mut found[next.index()], true) {
                waiting.push(next);
            }
        }
    }
    found
}

/// The formulas that say that an execution takes one of these edges out of the unwound graph; `unwound` has its ways out
/// ([`Unwound::with_returns`]).
pub(crate) fn left_by(condition: &Condition, unwound: &Unwound, pool: &mut Pool, edges: &[EdgeId]) -> [FormulaId; 2] {
    let taken = condition.taken(unwound, pool);
    let out = |arc: &usize| edges.contains(&unwound.arcs[*arc].edge) && unwound.outgoing[unwound.arcs[*arc].to].is_empty();
    let parts: Vec<FormulaId> = (0..unwound.arcs.len()).filter(out).map(|arc| taken[arc]).collect();
    [condition.precondition, pool.or(&parts)]
}
