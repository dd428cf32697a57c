//! From the red–black graph to the new LTS `S'`.
//!
//! 1. Leave edges to marked vertices out; let edges to subsumed vertices go to their subsumers.
//! 2. Let edges to vertices from which the analysis did not go on (their depth, or the step limit) go to the black location.
//! 3. Leave out what the root does not reach, and renumber the rest.

use super::red::{RedBlack, VertexId};
use crate::analysis::common::places::Occurrence;
use crate::evidence::graph::{Place, Pruned};
use crate::lts::Lts;

/// Where an edge to a red vertex leads in `S'`; `None` for a marked one.
fn resolve(graph: &RedBlack, vertex: VertexId, lts: &Lts) -> Option<Place> {
    // 1.
    let mut at = vertex;
    while let Some(&by) = graph.subsumption.get(&at) {
        at = by;
    }
    let found = graph.vertex(at);
    if found.marked {
        return None;
    }
    // 2.
    let ends = found.location == lts.exit || Some(found.location) == lts.error;
    if found.unfolded || ends {
        Some(Place::Red { vertex: at, location: found.location, index: found.index })
    } else {
        Some(Place::Black(found.location))
    }
}

/// `S'` of a red–black graph; a graph without places where the root is marked.
pub fn unfolded(graph: &RedBlack) -> Pruned {
    let lts = graph.states.lts;
    match resolve(graph, 0, lts) {
        Some(root) => Pruned::closed(lts, root, &mut |vertex| occurrence(graph, vertex)),
        None => Pruned { places: Vec::new(), edges: Vec::new(), finals: Vec::new(), invariants: Vec::new(), cut: Vec::new() },
    }
}

fn occurrence(graph: &RedBlack, vertex: VertexId) -> Occurrence {
    let found = graph.vertex(vertex);
    let holds = found.set().map_or_else(Vec::new, |set| graph.states.conjuncts(set).to_vec());
    let ways = found.children.iter().map(|&(edge, child)| (edge, resolve(graph, child, graph.states.lts)));
    Occurrence { holds, ways: ways.collect() }
}
