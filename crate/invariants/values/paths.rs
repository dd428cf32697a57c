//! Explicit values as a finder: paths of the graph of values to an edge, as far as inputs take them.
//!
//! 1. Make the graph of values ([`super::Unfolding`]) for the first of the edges. It tells apart the rounds of a loop that differ in what is
//!    followed, so that its paths to an edge come by the right values; the distance of each node to the edge is known.
//! 2. Go along the graph from the entry, depth first, the nearest node first, and never twice to one node on a path. A solver says whether
//!    inputs take the path so far.
//! 3. A path that takes the edge gives an input; it is not yet replayed.

use super::{Deciding, Unfolding, Values};
use crate::evidence::graph::Pruned;
use crate::interp::{Input, Machine};
use crate::invariants::{FactQuery, Finder, Searched};
use crate::logic::{Arrange, Pool};
use crate::lts::{EdgeId, Lts};
use crate::run::trace::Trace;
use crate::search::{PathPrefix, SearchStep};
use crate::solver::meter::{Exhausted, Meter};
use std::collections::VecDeque;

/// Steps for all edges, and for one; with each more effort four times as many.
const STEPS: u64 = 1_000_000;
const ONE: u64 = 250_000;
/// So many edges are looked for at most.
const EDGES: usize = 8;
/// A path is lengthened so often at most in the search for an edge.
const STEPS_ALONG: u32 = 4_000;

impl Finder for Values {
    fn name(&self) -> &'static str {
        "values"
    }

    fn find(&self, lts: &Lts, query: &FactQuery, effort: u32, meter: &mut Meter, trace: &Trace) -> Searched {
        let (all, one) = (STEPS << (2 * effort.min(8)), ONE << (2 * effort.min(8)));
        let machine = Machine::new(lts);
        let mut inputs: Vec<Input> = Vec::new();
        let mut taken: Vec<EdgeId> = Vec::new();
        meter.within(all.min(meter.left() / 2), |meter| {
            for &edge in query.first(lts).iter().take(EDGES) {
                if taken.contains(&edge) || meter.is_exhausted() {
                    continue;
                }
                let found = meter.within(one, |meter| ValuePaths::to(lts, edge, meter).ok().flatten()?.search(&machine, meter, trace));
                if let Some(input) = found {
                    machine.follow(&input, u64::from(STEPS_ALONG), |edge| {
                        taken.push(edge);
                        std::ops::ControlFlow::Continue(())
                    });
                    inputs.push(input);
                }
            }
        });
        Searched { inputs, excluded: Vec::new() }
    }
}

/// The graph of values with the distances to an edge.
struct ValuePaths<'v> {
    lts: &'v Lts,
    edge: EdgeId,
    /// For each node the edges that leave it, the one that leads nearest first: how far it leads, edge, to.
    ways: Vec<Vec<(u32, EdgeId, u32)>>,
}

impl<'v> ValuePaths<'v> {
    /// 1.; `None` where no path of the graph takes the edge, or the graph has too many nodes.
    fn to(lts: &'v Lts, edge: EdgeId, meter: &mut Meter) -> Result<Option<ValuePaths<'v>>, Exhausted> {
        for deciding in [Deciding::Set, Deciding::Ways] {
            let Some(graph) = Unfolding::new(lts, &mut Pool::new(), &[edge], deciding).unfold(meter)? else { continue };
            let paths = ValuePaths::of(lts, edge, &graph);
            // More values exclude no less.
            return Ok(Some(paths).filter(|paths| !paths.ways[0].is_empty()));
        }
        Ok(None)
    }

    fn of(lts: &'v Lts, edge: EdgeId, graph: &Pruned) -> ValuePaths<'v> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); graph.nodes.len()];
        for &(from, _, to) in &graph.edges {
            before[to as usize].push(from);
        }
        let mut distance: Vec<Option<u32>> = vec![None; graph.nodes.len()];
        let ends = graph.edges.iter().filter(|(_, other, _)| *other == edge);
        let mut waiting: VecDeque<u32> = ends.map(|&(from, ..)| from).collect();
        waiting.iter().for_each(|&node| distance[node as usize] = Some(1));
        while let Some(node) = waiting.pop_front() {
            let next = distance[node as usize].map(|far| far + 1);
            for &other in &before[node as usize] {
                if distance[other as usize].is_none() {
                    distance[other as usize] = next;
                    waiting.push_back(other);
                }
            }
        }
        let mut ways: Vec<Vec<(u32, EdgeId, u32)>> = vec![Vec::new(); graph.nodes.len()];
        for &(from, taken, to) in &graph.edges {
            let far = if taken == edge { Some(0) } else { distance[to as usize] };
            ways[from as usize].extend(far.map(|far| (far, taken, to)));
        }
        ways.iter_mut().for_each(|ways| ways.arrange());
        ValuePaths { lts, edge, ways }
    }

    /// 2. and 3.
    fn search(&self, machine: &Machine, meter: &mut Meter, trace: &Trace) -> Option<Input> {
        let mut walk = PathPrefix::new(self.lts);
        let (mut on_path, mut left) = (vec![false; self.ways.len()], STEPS_ALONG);
        // The nodes of the path, and which of the ways from there is next.
        let mut path: Vec<(u32, usize)> = vec![(0, 0)];
        on_path[0] = true;
        while let Some((node, at)) = path.last_mut() {
            let Some(&(_, edge, to)) = self.ways[*node as usize].get(*at) else {
                on_path[*node as usize] = false;
                path.pop();
                if !path.is_empty() {
                    walk.back();
                }
                continue;
            };
            *at += 1;
            left = left.checked_sub(1)?;
            meter.spend(1).ok()?;
            if edge != self.edge && on_path[to as usize] {
                continue;
            }
            if let SearchStep::Infeasible(_) = walk.step(edge, meter, trace) {
                continue;
            }
            if edge == self.edge {
                if let Ok(Ok(input)) = walk.witness(machine) {
                    return Some(input);
                }
                walk.back();
                continue;
            }
            on_path[to as usize] = true;
            path.push((to, 0));
        }
        None
    }
}
