//! Makes pruned graphs ([`crate::evidence::graph`]) from the facts at each node, and makes them weaker.

use crate::evidence::graph::{Pruned, PrunedNode};
use crate::logic::{FormulaId, SortedMap, gathered};
use crate::lts::{EdgeId, LocationId, Lts};

/// The facts at a node, and where each edge of its location leads (`None`: the graph cuts it).
#[derive(Clone, Debug)]
pub struct Occurrence {
    pub holds: Vec<FormulaId>,
    pub ways: Vec<(EdgeId, Option<PrunedNode>)>,
}

/// The facts at a node that is not black.
type LocationFacts<'r> = &'r mut dyn FnMut(PrunedNode) -> Occurrence;

impl Pruned {
    /// Lets these edges (by position) lead to the black part instead, and takes these cuts back.
    pub fn undo(&mut self, lts: &Lts, edges: &[usize], cuts: &[usize]) {
        if edges.is_empty() && cuts.is_empty() {
            return;
        }
        let first = self.nodes.len();
        let numbers = gathered(self.nodes.iter().enumerate().map(|(number, &node)| (node, number as u32)));
        let mut building = GraphBuilder { pruned: self, numbers };
        for &at in edges {
            let edge = building.pruned.edges[at].1;
            building.pruned.edges[at].2 = building.number(PrunedNode::Black(lts.edge(edge).2), lts);
        }
        for &at in cuts {
            let (from, edge) = building.pruned.cut[at];
            let to = building.number(PrunedNode::Black(lts.edge(edge).2), lts);
            building.pruned.edges.push((from, edge, to));
        }
        building.close(first, None, lts);
        let mut at = 0;
        self.cut.retain(|_| {
            at += 1;
            !cuts.contains(&(at - 1))
        });
    }

    /// The graph of all nodes that paths from this one reach.
    pub fn closed(lts: &Lts, entry: PrunedNode, facts: LocationFacts) -> Pruned {
        let mut pruned = Pruned::default();
        let mut building = GraphBuilder { pruned: &mut pruned, numbers: SortedMap::new() };
        building.number(entry, lts);
        building.close(0, Some(facts), lts);
        pruned
    }

    /// The function's graph with these formulas at its locations, without the edges.
    pub fn of_locations(lts: &Lts, mut formulas: Vec<Vec<FormulaId>>, cut: &[EdgeId]) -> Pruned {
        // The entry comes first: it is exchanged with location 0.
        let node = |location: LocationId| match location.index() {
            0 => lts.entry.index() as u32,
            _ if location == lts.entry => 0,
            other => other as u32,
        };
        let mut nodes: Vec<PrunedNode> = lts.graph.node_indices().map(PrunedNode::Black).collect();
        nodes.swap(0, lts.entry.index());
        formulas.swap(0, lts.entry.index());
        let (mut kept, mut without) = (Vec::new(), Vec::new());
        for edge in lts.graph.edge_indices() {
            let (_, from, to) = lts.edge(edge);
            if cut.contains(&edge) {
                without.push((node(from), edge));
            } else {
                kept.push((node(from), edge, node(to)));
            }
        }
        let finals = vec![LocationId::new(node(lts.exit) as usize)];
        Pruned { nodes, edges: kept, finals, invariants: formulas, cut: without, ..Pruned::default() }
    }

    /// The original as a graph of black nodes: what is left where no formula could be confirmed.
    pub fn original(lts: &Lts) -> Pruned {
        let mut pruned = Pruned::default();
        let mut building = GraphBuilder { pruned: &mut pruned, numbers: SortedMap::new() };
        building.number(PrunedNode::Black(lts.entry), lts);
        building.close(0, None, lts);
        pruned
    }
}

struct GraphBuilder<'p> {
    pruned: &'p mut Pruned,
    numbers: SortedMap<PrunedNode, u32>,
}

impl GraphBuilder<'_> {
    fn number(&mut self, node: PrunedNode, lts: &Lts) -> u32 {
        let new = self.pruned.nodes.len() as u32;
        let number = *self.numbers.entry(node).or_insert(new);
        if number == new {
            self.pruned.nodes.push(node);
            self.pruned.invariants.push(Vec::new());
            if node.location() == lts.exit {
                self.pruned.finals.push(LocationId::new(number as usize));
            }
        }
        number
    }

    /// Adds the edges of every node in turn, from this one on.
    fn close(&mut self, first: usize, mut facts: Option<LocationFacts>, lts: &Lts) {
        let mut next = first;
        while let Some(&node) = self.pruned.nodes.get(next) {
            let from = next as u32;
            next += 1;
            match (node, &mut facts) {
                (PrunedNode::Black(_), _) | (_, None) => {
                    for (edge, to) in lts.outgoing(node.location()) {
                        let to = self.number(PrunedNode::Black(to), lts);
                        self.pruned.edges.push((from, edge, to));
                    }
                }
                (node, Some(facts)) => {
                    let Occurrence { holds, ways } = facts(node);
                    self.pruned.invariants[from as usize] = holds;
                    for (edge, to) in ways {
                        match to {
                            Some(node) => {
                                let to = self.number(node, lts);
                                self.pruned.edges.push((from, edge, to));
                            }
                            None => self.pruned.cut.push((from, edge)),
                        }
                    }
                }
            }
        }
    }
}
