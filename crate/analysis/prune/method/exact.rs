//! Exact up to a length: the merged graph of the feasible prefixes ([`Merged`]) as `S'`.
//!
//! Each of its nodes is a set of states that feasible prefixes lead to, so that up to its length it has the feasible paths alone.
//! Beyond that, paths go on in the graph that the construction builds otherwise. As steps for people it is a red–black graph: the
//! shortest prefixes are its tree, and a longer one is subsumed by the node it leads to.

use super::onward::Onward;
use super::red::RedBlack;
use super::{Counts, Happened};
use crate::counting::merged::{Merged, MergedNode};
use crate::evidence::graph::{Pruned, PrunedNode};
use crate::logic::SortedMap;
use crate::lts::{EdgeId, LocationId};
use crate::solver::meter::Exhausted;
use crate::states::{Ask, Successor};

/// `S'` and the size of its red part; tells the trace the steps that make it.
///
/// # Errors
/// When the steps are used up.
pub fn exact(merged: &Merged, graph: &mut RedBlack, onward: &Onward, ask: &mut Ask) -> Result<(Pruned, Counts), Exhausted> {
    let lts = graph.states.lts;
    // Where the edges lead that are too far from the exit.
    let mut beyond: SortedMap<(u32, EdgeId), Option<PrunedNode>> = SortedMap::new();
    for (number, MergedNode { set, location, arcs, cut, .. }) in merged.nodes.iter().enumerate() {
        for (edge, black) in graph.states.outgoing(*location).to_vec() {
            if cut.contains(&edge) || arcs.iter().any(|arc| arc.0 == edge) {
                continue;
            }
            let node = match graph.states.successor(*set, edge, ask)? {
                Successor::Empty(_) => None,
                Successor::States { set, .. } => Some(onward.node(&mut graph.states, set, ask)?.unwrap_or(PrunedNode::Black(black))),
            };
            beyond.insert((number as u32, edge), node);
        }
    }
    let UnfoldedParts { vertices, counts } = tell(merged, graph, &beyond);
    let node = |number: u32| {
        let (vertex, index) = vertices[number as usize];
        PrunedNode::Red { vertex, location: merged.nodes[number as usize].location, index }
    };
    let numbers: SortedMap<u32, u32> = vertices.iter().zip(0..).map(|(&(vertex, _), number)| (vertex, number)).collect();
    let pruned = Pruned::closed(lts, node(0), &mut |at| match at {
        PrunedNode::Red { vertex, .. } => {
            let number = numbers[&vertex];
            merged.occurrence(&graph.states, number, &node, &|edge, _| beyond.get(&(number, edge)).copied().flatten())
        }
        PrunedNode::Carried { number, .. } => onward.occurrence(number),
        PrunedNode::Black(_) => unreachable!("what a black place is like is known"),
    });
    Ok((pruned, counts))
}

struct UnfoldedParts {
    /// The red vertex of each node, and its index among those of its location.
    vertices: Vec<(u32, u32)>,
    counts: Counts,
}

fn tell(merged: &Merged, graph: &RedBlack, beyond: &SortedMap<(u32, EdgeId), Option<PrunedNode>>) -> UnfoldedParts {
    let lts = graph.states.lts;
    let mut occurrences = vec![0; lts.graph.node_count()];
    let mut counts = Counts::default();
    let mut add = |location: LocationId, parent: Option<(u32, EdgeId)>, counts: &mut Counts| {
        let (vertex, index) = (counts.vertices as u32, occurrences[location.index()]);
        counts.vertices += 1;
        occurrences[location.index()] += 1;
        graph.emit(Happened::Added { vertex, location, index, parent });
        (vertex, index)
    };
    let mut vertices = vec![add(lts.entry, None, &mut counts)];
    // A node is older than those that it is the first to lead to, and they follow in this order.
    for (number, node) in merged.nodes.iter().enumerate() {
        let from = vertices[number].0;
        for &(edge, to) in graph.states.outgoing(node.location) {
            let added = add(to, Some((from, edge)), &mut counts);
            let vertex = added.0;
            if node.tree.iter().any(|arc| arc.0 == edge) {
                vertices.push(added);
            } else if let Some(&(_, number_of_subsumer)) = node.arcs.iter().find(|arc| arc.0 == edge) {
                counts.subsumptions += 1;
                graph.emit(Happened::Subsumed { vertex, by: vertices[number_of_subsumer as usize].0 });
            } else if matches!(beyond.get(&(number as u32, edge)), Some(Some(_))) {
                graph.emit(Happened::Halted { vertex });
            } else {
                counts.marked += 1;
                graph.emit(Happened::Unsatisfiable { vertex });
            }
        }
    }
    UnfoldedParts { vertices, counts }
}
