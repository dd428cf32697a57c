//! The product of two pruned graphs: the facts of both.
//!
//! A node of the product is a node of each, at the same location; the formulas of both hold there, and it cuts what either cuts. So each
//! of its paths is one of both, and where both are inductive it is too.

use super::induction::Induction;
use crate::evidence::graph::{Pruned, PrunedNode, Update};
use crate::logic::{Arrange, SortedMap};
use crate::lts::{LocationId, Lts};
use crate::solver::meter::{Exhausted, Meter};
use crate::states::{Ask, States};

/// A product with more nodes than this is not made.
const MOST: usize = 5_000;

/// What of a product comes from the first graph.
struct Product {
    graph: Pruned,
    /// For each node that of the first graph.
    first: Vec<u32>,
}

/// The product, with the formulas of the first graph and what the cuts need of the others'. `None` where there would be too many nodes, or
/// a cut cannot be shown again. Both graphs are over the terms of `states`.
///
/// # Errors
/// When the steps are used up.
pub fn product(states: &mut States, first: &Pruned, second: &Pruned, ask: &mut Ask) -> Result<Option<Pruned>, Exhausted> {
    let lts = states.lts;
    let Some(Product { mut graph, first: of_first }) = whole(lts, first, second, ask.meter)? else { return Ok(None) };
    let Some(needed) = Induction::new(lts, &mut states.pool, &graph).needed(ask)? else { return Ok(None) };
    for ((formulas, needed), &at) in graph.invariants.iter_mut().zip(needed).zip(&of_first) {
        formulas.clone_from(&first.invariants[at as usize]);
        formulas.extend(needed.into_iter().filter(|formula| !first.invariants[at as usize].contains(formula)));
    }
    Ok(Some(graph))
}

/// The product with all formulas. Each node and each of its formulas is a step.
///
/// # Errors
/// When the steps are used up.
fn whole(lts: &Lts, first: &Pruned, second: &Pruned, meter: &mut Meter) -> Result<Option<Product>, Exhausted> {
    if !first.ghosts.is_empty() && !second.ghosts.is_empty() {
        return Ok(None);
    }
    let arcs = [arcs(first), arcs(second)];
    let mut numbers = SortedMap::from([((0u32, 0u32), 0u32)]);
    let mut pairs = vec![(0u32, 0u32)];
    let mut graph = Pruned { ghosts: [&first.ghosts[..], &second.ghosts].concat(), ..Pruned::default() };
    let mut named = vec![false; first.nodes.len()];
    let mut next = first.nodes.len() as u32 + carried(first);
    while let Some(&(one, other)) = pairs.get(graph.nodes.len()) {
        let number = graph.nodes.len() as u32;
        let node = first.nodes[one as usize];
        let location = node.location();
        // A black node is that of the original, without facts.
        graph.nodes.push(match node {
            PrunedNode::Red { .. } | PrunedNode::Carried { .. } if !std::mem::replace(&mut named[one as usize], true) => node,
            _ => {
                next += 1;
                PrunedNode::Carried { number: next, location }
            }
        });
        let mut formulas = first.invariants[one as usize].clone();
        formulas
            .extend(second.invariants[other as usize].iter().copied().filter(|formula| !first.invariants[one as usize].contains(formula)));
        meter.spend(1 + formulas.len() as u64)?;
        graph.invariants.push(formulas);
        if location == lts.exit {
            graph.finals.push(LocationId::new(number as usize));
        }
        for (edge, _) in lts.outgoing(location) {
            let (Some(&(to, at)), Some(&(other_to, other_at))) = (arcs[0].get(&(one, edge)), arcs[1].get(&(other, edge))) else {
                graph.cut.push((number, edge));
                continue;
            };
            let fresh = pairs.len() as u32;
            let to = *numbers.entry((to, other_to)).or_insert_with(|| {
                pairs.push((to, other_to));
                fresh
            });
            for (updates, at, ghosts) in [(&first.updates, at, 0), (&second.updates, other_at, first.ghosts.len())] {
                let moved = updates.iter().filter(|update| update.edge == at);
                graph.updates.extend(moved.map(|update| Update {
                    edge: graph.edges.len(),
                    ghost: update.ghost + ghosts,
                    value: update.value.clone(),
                }));
            }
            graph.edges.push((number, edge, to));
        }
        if pairs.len() > MOST {
            return Ok(None);
        }
    }
    Ok(Some(Product { graph, first: pairs.into_iter().map(|(one, _)| one).collect() }))
}

/// Where each edge leads from each node, and its position.
fn arcs(graph: &Pruned) -> SortedMap<(u32, crate::lts::EdgeId), (u32, usize)> {
    let mut found: Vec<_> = graph.edges.iter().enumerate().map(|(at, &(from, edge, to))| ((from, edge), (to, at))).collect();
    found.arrange();
    found.into_iter().collect()
}

/// The greatest number of a node that is carried on.
fn carried(graph: &Pruned) -> u32 {
    let numbers = graph.nodes.iter().map(|node| if let PrunedNode::Carried { number, .. } = node { *number } else { 0 });
    numbers.max().unwrap_or(0)
}
