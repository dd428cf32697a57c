//! A reason in an order that people follow: which of the sides that exclude a statement stand on one way to it, and which on another; and
//! of a condition that is false by itself the assignments that make it so.
//!
//! 1. The sides that [`super::because`] found exclude a statement together; no execution passes all of them. Along each way through the graph
//!    to the statement those that stand on it contradict each other, or what is assigned on it.
//! 2. So the ways are told apart by the sides on them.

use crate::lts::{EdgeId, Expr, Label, LocationId, Lts, VariableId};
use petgraph::Direction::Incoming;

/// Sides of one reason, at most, that are told apart.
const SIDES: usize = 16;
/// Ways to one location, at most.
const WAYS: usize = 64;
/// Assignments to one condition, at most, that are told.
const ASSIGNMENTS: usize = 6;

/// What may still be looked at: a reason must not take longer than its verdict.
pub struct Effort(pub usize);

/// For each way to the edge which of the sides stand on it, by their positions; with `completes` for each way through it to the exit. Nothing
/// where they are too many to tell apart.
pub fn alternatives(lts: &Lts, edge: EdgeId, completes: bool, sides: &[EdgeId], effort: &mut Effort) -> Vec<Vec<u32>> {
    if sides.len() > SIDES {
        return Vec::new();
    }
    let bit = |edge: EdgeId| sides.iter().position(|&side| side == edge).map_or(0u32, |at| 1 << at);
    let (_, from, to) = lts.edge(edge);
    let mut found = ways(lts, (lts.entry, from), vec![0], &bit, effort);
    found.iter_mut().for_each(|way| *way |= bit(edge));
    if completes {
        found = ways(lts, (to, lts.exit), found, &bit, effort);
    }
    found.sort_unstable();
    found.dedup();
    let mut found: Vec<Vec<u32>> = found.into_iter().map(|way| (0..sides.len() as u32).filter(|at| way >> at & 1 != 0).collect()).collect();
    // Those with the first sides of the text come first, one without any comes last.
    found.sort_by_key(|way| (way.is_empty(), way.clone()));
    found
}

/// Which sides stand on each way between two locations, with those that stand before it.
fn ways(
    lts: &Lts,
    (first, last): (LocationId, LocationId),
    before: Vec<u32>,
    bit: &dyn Fn(EdgeId) -> u32,
    effort: &mut Effort,
) -> Vec<u32> {
    // Only what leads to the last location counts.
    let mut leads = vec![false; lts.graph.node_count()];
    let mut open = vec![last];
    while let Some(location) = open.pop() {
        if !std::mem::replace(&mut leads[location.index()], true) {
            open.extend(lts.graph.neighbors_directed(location, Incoming));
        }
    }
    let mut ways: Vec<Vec<u32>> = vec![Vec::new(); lts.graph.node_count()];
    ways[first.index()] = before;
    let mut open: Vec<LocationId> = vec![first];
    while let Some(location) = open.pop() {
        for (next, to) in lts.outgoing(location).into_iter().filter(|(_, to)| leads[to.index()]) {
            let from = ways[location.index()].clone();
            let mut changed = false;
            for way in from {
                effort.0 = effort.0.saturating_sub(1);
                changed |= add(&mut ways[to.index()], way | bit(next));
            }
            if effort.0 == 0 || ways[to.index()].len() > WAYS {
                return Vec::new();
            }
            if changed && !open.contains(&to) {
                open.push(to);
            }
        }
    }
    std::mem::take(&mut ways[last.index()])
}

/// Adds a way; whether it is new.
fn add(ways: &mut Vec<u32>, way: u32) -> bool {
    let is_new = !ways.contains(&way);
    if is_new {
        ways.push(way);
    }
    is_new
}

/// The assignments to the variables of a condition that get to it, where its values come from nothing else.
pub fn assignments(lts: &Lts, edge: EdgeId) -> Vec<EdgeId> {
    let Label::Assume { condition, .. } = &lts.graph[edge].label else { return Vec::new() };
    let (mut variables, mut is_plain): (Vec<VariableId>, bool) = (Vec::new(), true);
    condition.walk(&mut |e| match e {
        Expr::Var(variable) if !variables.contains(variable) => variables.push(*variable),
        Expr::Read(..) | Expr::Nondet(..) => is_plain = false,
        _ => {}
    });
    let mut found = Vec::new();
    for variable in variables.into_iter().filter(|_| is_plain) {
        let mut seen = vec![false; lts.graph.node_count()];
        let mut open = vec![lts.edge(edge).1];
        while let Some(location) = open.pop() {
            if std::mem::replace(&mut seen[location.index()], true) {
                continue;
            }
            if location == lts.entry {
                return Vec::new();
            }
            for before in lts.graph.edges_directed(location, Incoming) {
                use petgraph::visit::EdgeRef;
                match &before.weight().label {
                    Label::Assign(assigned, _) if *assigned == variable => found.push(before.id()),
                    Label::Havoc(assigned) if *assigned == variable => return Vec::new(),
                    _ => open.push(before.source()),
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|&assignment| !lts.graph[assignment].library);
    if found.len() > ASSIGNMENTS { Vec::new() } else { found }
}
