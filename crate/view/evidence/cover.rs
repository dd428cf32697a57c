//! What covering claims of edges, and what believes it.

use super::super::cover::MAX_UNWIND;
use super::{Claim, Proof, PrunedGraph, WrittenWay};
use crate::analysis::cover::invariant::Invariant;
use crate::analysis::cover::within::{Within, check_within};
use crate::analysis::cover::{self, Refuted};
use crate::analysis::prune::unfolded::{Place, Pruned};
use crate::logic::Pool;
use crate::lts::structure::distances;
use crate::lts::{EdgeId, Lts};

/// The claim about edges that are not covered.
pub(in crate::view) fn not_covered_claim(refuted: &Refuted, pool: &Pool, number: usize) -> Claim {
    Claim::NotCovered {
        id: format!("cover-{}", number + 1),
        unwind: refuted.unwind,
        taken: refuted.taken,
        edges: refuted.edges.iter().map(|edge| edge.index() as u32).collect(),
        certificate: super::write(pool, &refuted.refutation.certificate),
    }
}

/// The claim about edges for which the bound does not matter.
pub(in crate::view) fn within_claim(within: &Within, pool: &Pool, number: usize) -> Claim {
    let numbers = |edges: &[EdgeId]| edges.iter().map(|edge| edge.index() as u32).collect();
    Claim::WithinBound {
        id: format!("cover-{}", number + 1),
        unwind: within.unwind,
        taken: within.taken,
        edges: numbers(within.edges),
        ways: (within.refuted.iter())
            .map(|(edges, certificate)| WrittenWay { edges: numbers(edges), certificate: super::write(pool, certificate) })
            .collect(),
    }
}

/// The claim about edges that an invariant excludes. Its graph has a place for each location, place 0 for the entry.
pub(in crate::view) fn excluded_claim(lts: &Lts, (edges, taken): (&[EdgeId], bool), invariant: &Invariant, number: usize) -> Claim {
    // The entry comes first, as location 0 does; the place of a location is its number.
    let places = lts.graph.node_indices().map(Place::Black).collect();
    let ends = |edge: EdgeId| (lts.edge(edge).1.index() as u32, lts.edge(edge).2.index() as u32);
    let pruned = Pruned {
        places,
        edges: invariant.kept.iter().map(|&edge| (ends(edge).0, edge, ends(edge).1)).collect(),
        finals: vec![lts.exit],
        invariants: invariant.formulas.clone(),
        cut: invariant.cut.iter().map(|&edge| (ends(edge).0, edge)).collect(),
    };
    Claim::Excluded {
        id: format!("cover-{}", number + 1),
        taken,
        edges: edges.iter().map(|edge| edge.index() as u32).collect(),
        graph: super::write_graph(&invariant.pool, &pruned),
        certificates: invariant.certificates.iter().map(|certificate| super::write(&invariant.pool, certificate)).collect(),
    }
}

/// That the function's graph has no way from behind these edges to the exit.
///
/// # Errors
/// From behind which one there is a way.
pub(in crate::view) fn dead_ends(lts: &Lts, edges: &[u32]) -> Result<(), String> {
    let distance = distances(lts, lts.exit);
    for &edge in edges {
        let ends = lts.graph.edge_endpoints(EdgeId::new(edge as usize)).ok_or("an edge that the function does not have")?;
        if distance[ends.1.index()].is_some() {
            return Err(format!("there is a way from behind edge {edge} to the exit"));
        }
    }
    Ok(())
}

/// That no path from place 0 of the graph, which has been found right, takes one of these edges, or (without `taken`) gets from behind
/// one to a final place.
///
/// # Errors
/// Which one is taken.
pub(in crate::view) fn not_in_graph(lts: &Lts, taken: bool, edges: &[u32], graph: &PrunedGraph) -> Result<(), String> {
    let exit = lts.exit.index() as u32;
    // Where one can get from these places.
    let spread = |mut waiting: Vec<u32>| {
        let mut reached = vec![false; graph.places.len()];
        while let Some(place) = waiting.pop() {
            if !std::mem::replace(&mut reached[place as usize], true) {
                waiting.extend(graph.edges.iter().filter(|(from, ..)| *from == place).map(|(.., to)| *to));
            }
        }
        reached
    };
    let reached = spread(vec![0]);
    for &(from, edge, to) in graph.edges.iter().filter(|(from, edge, _)| reached[*from as usize] && edges.contains(edge)) {
        let completes = || spread(vec![to]).iter().zip(&graph.places).any(|(reached, location)| *reached && *location == exit);
        if taken || completes() {
            return Err(format!("a path of the graph takes edge {edge} from place {from}"));
        }
    }
    match edges.iter().find(|&&edge| edge as usize >= lts.graph.edge_count()) {
        Some(edge) => Err(format!("there is no edge {edge}")),
        None => Ok(()),
    }
}

/// Checks such a claim.
///
/// # Errors
/// Why it is not believed.
pub(in crate::view) fn not_covered(lts: &Lts, (unwind, taken): (u32, bool), edges: &[u32], certificate: &Proof) -> Result<(), String> {
    cover::check_refutation(lts, (at_most(unwind)?, taken), &ids(edges), |pool| super::read(pool, certificate))
}

/// Checks such a claim.
///
/// # Errors
/// Why it is not believed.
pub(in crate::view) fn within_bound(lts: &Lts, (unwind, taken): (u32, bool), edges: &[u32], ways: &[WrittenWay]) -> Result<(), String> {
    let ways = ways.iter().map(|way| (ids(&way.edges), |pool: &mut Pool| super::read(pool, &way.certificate))).collect();
    check_within(lts, (at_most(unwind)?, taken), &ids(edges), ways)
}

fn ids(edges: &[u32]) -> Vec<EdgeId> {
    edges.iter().map(|&edge| EdgeId::new(edge as usize)).collect()
}

fn at_most(unwind: u32) -> Result<u32, String> {
    if unwind > MAX_UNWIND { Err(format!("{unwind} unwindings are more than {MAX_UNWIND}")) } else { Ok(unwind) }
}
