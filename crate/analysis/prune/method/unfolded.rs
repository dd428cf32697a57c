//! From the red–black graph to the new LTS `S'`.
//!
//! 1. Leave edges to marked vertices out; let edges to subsumed vertices go to their subsumers.
//! 2. Let edges to vertices from which the analysis did not go on (their depth, or the step limit) go to a place of another graph whose
//!    formulas hold there ([`Onward`]), or else to the black location.
//! 3. Leave out what the root does not reach, and renumber the rest.

use super::configuration::VertexId;
use super::onward::Onward;
use super::red::RedBlack;
use crate::evidence::graph::{Pruned, PrunedNode};
use crate::invariants::invariant_graph::Occurrence;
use crate::logic::SortedMap;
use crate::states::Ask;

/// Where the edges to vertices lead in `S'`.
struct EdgeTargets<'g, 'a, 's, 't> {
    graph: &'g RedBlack<'a, 's, 't>,
    onward: &'g SortedMap<VertexId, PrunedNode>,
}

impl EdgeTargets<'_, '_, '_, '_> {
    /// `None` for a marked vertex.
    fn resolve(&self, vertex: VertexId) -> Option<PrunedNode> {
        // 1.
        let at = standing_for(self.graph, vertex);
        let found = self.graph.vertex(at);
        if found.marked {
            return None;
        }
        // 2.
        match self.onward.get(&at) {
            Some(&node) => Some(node),
            None if goes_on(self.graph, at) => Some(PrunedNode::Red { vertex: at, location: found.location, index: found.index }),
            None => Some(PrunedNode::Black(found.location)),
        }
    }

    fn occurrence(&self, vertex: VertexId) -> Occurrence {
        let found = self.graph.vertex(vertex);
        let holds = found.set().map_or_else(Vec::new, |set| self.graph.states.conjuncts(set).to_vec());
        let ways = found.children.iter().map(|&(edge, child)| (edge, self.resolve(child)));
        Occurrence { holds, ways: ways.collect() }
    }
}

fn standing_for(graph: &RedBlack, vertex: VertexId) -> VertexId {
    let mut at = vertex;
    while let Some(&by) = graph.subsumption.get(&at) {
        at = by;
    }
    at
}

/// Whether the vertex has its own place: it is unfolded, or paths end there.
fn goes_on(graph: &RedBlack, vertex: VertexId) -> bool {
    let (lts, found) = (graph.states.lts, graph.vertex(vertex));
    found.unfolded || found.location == lts.exit || Some(found.location) == lts.error
}

/// `S'` of a red–black graph; a graph without places where the root is marked.
pub fn unfolded(graph: &mut RedBlack, onward: Option<&Onward>, ask: &mut Ask) -> Pruned {
    // 2.
    let mut nodes = SortedMap::new();
    for id in 0..graph.vertices.len() as VertexId {
        let vertex = graph.vertex(id);
        if !vertex.alive || vertex.marked || graph.subsumption.contains_key(&id) || goes_on(graph, id) {
            continue;
        }
        let found = match (onward, vertex.set()) {
            (Some(onward), Some(set)) => onward.node(&mut graph.states, set, ask),
            _ => break,
        };
        // Without steps the rest goes on in the original.
        let Ok(found) = found else { break };
        nodes.extend(found.map(|node| (id, node)));
    }
    let lts = graph.states.lts;
    let targets = EdgeTargets { graph, onward: &nodes };
    match targets.resolve(0) {
        Some(root) => Pruned::closed(lts, root, &mut |node| match (node, onward) {
            (PrunedNode::Red { vertex, .. }, _) => targets.occurrence(vertex),
            (PrunedNode::Carried { number, .. }, Some(onward)) => onward.occurrence(number),
            _ => unreachable!("a black place is known, and without another graph nothing is carried on"),
        }),
        None => Pruned::default(),
    }
}
