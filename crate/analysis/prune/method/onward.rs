//! Where paths go on after the places at which a construction stopped: in another graph that is known to have all feasible paths.
//!
//! Each place of such a graph has formulas. A path may go on at it from any set of states that implies them; the obligations of
//! [`crate::evidence::graph`] say so once more, with certificates. Without such a place the path goes on in the original.

use crate::evidence::graph::{Pruned, PrunedNode};
use crate::invariants::invariant_graph::Occurrence;
use crate::logic::{Arrange, FormulaId};
use crate::lts::{EdgeId, LocationId, Lts};
use crate::solver::meter::Exhausted;
use crate::states::{Ask, SetId, States};

/// Up to how many edges ahead places are compared by how many complete paths they have.
const AHEAD: usize = 60;

/// A graph in which paths go on.
#[derive(Debug)]
pub struct Onward {
    occurrences: Vec<(LocationId, Occurrence)>,
    /// For each location its places, those with the fewest paths first.
    at: Vec<Vec<u32>>,
}

impl Onward {
    /// The graph may have formulas at places of any kind; it must be one of the function.
    pub fn new(lts: &Lts, graph: &Pruned) -> Onward {
        let node = |number: u32| PrunedNode::Carried { number, location: graph.nodes[number as usize].location() };
        let mut ways: Vec<Vec<(EdgeId, Option<PrunedNode>)>> = vec![Vec::new(); graph.nodes.len()];
        for &(from, edge, to) in &graph.edges {
            ways[from as usize].push((edge, Some(node(to))));
        }
        for &(from, edge) in &graph.cut {
            ways[from as usize].push((edge, None));
        }
        // Nothing is decided after the exit; a proof that a graph is exact needs no formulas there.
        let holds = |number: usize, location: LocationId| if location == lts.exit { Vec::new() } else { graph.invariants[number].clone() };
        let occurrences: Vec<_> = (graph.nodes.iter().zip(ways).enumerate())
            .map(|(number, (node, ways))| (node.location(), Occurrence { holds: holds(number, node.location()), ways }))
            .collect();
        let paths = paths(&occurrences, lts.exit);
        let mut at = vec![Vec::new(); lts.graph.node_count()];
        for (number, (location, _)) in occurrences.iter().enumerate() {
            at[location.index()].push(number as u32);
        }
        at.iter_mut().for_each(|nodes| nodes.arrange_by_key(|&number| paths[number as usize]));
        Onward { occurrences, at }
    }

    /// The place at which paths go on from a set: of those whose formulas it implies one with the fewest paths.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn node(&self, states: &mut States, set: SetId, ask: &mut Ask) -> Result<Option<PrunedNode>, Exhausted> {
        let location = states.location(set);
        for &number in &self.at[location.index()] {
            let mut fits = true;
            for &formula in &self.occurrences[number as usize].1.holds {
                fits = fits && states.implies(set, formula, ask)?;
            }
            if fits {
                return Ok(Some(PrunedNode::Carried { number, location }));
            }
        }
        Ok(None)
    }

    pub fn occurrence(&self, number: u32) -> Occurrence {
        self.occurrences[number as usize].1.clone()
    }

    /// The formulas that hold at a location wherever it occurs, of a graph with one place for each location.
    pub fn formulas(&self, location: LocationId) -> &[FormulaId] {
        self.at[location.index()].first().map_or(&[], |&number| &self.occurrences[number as usize].1.holds)
    }
}

/// For each place how many paths of up to [`AHEAD`] edges lead to the exit.
fn paths(occurrences: &[(LocationId, Occurrence)], exit: LocationId) -> Vec<u128> {
    let ends = |location: LocationId| u128::from(location == exit);
    let mut counts: Vec<u128> = occurrences.iter().map(|&(location, _)| ends(location)).collect();
    for _ in 0..AHEAD {
        counts = (occurrences.iter())
            .map(|(location, occurrence)| {
                let next = occurrence.ways.iter().filter_map(|(_, to)| match to {
                    Some(PrunedNode::Carried { number, .. }) => Some(counts[*number as usize]),
                    _ => None,
                });
                next.fold(ends(*location), u128::saturating_add)
            })
            .collect();
    }
    counts
}
