//! Unreachable: summaries as an invariant of the program, with a ghost for each path counter.
//!
//! A summary need not be trusted: what it says is a formula over variables and counters at each node of the tree, and that these formulas
//! hold is shown edge by edge ([`crate::evidence::graph`]).
//!
//! 1. Places are the nodes of the tree, and after edges that lose the target the locations of the function. An edge back to where a
//!    loop is entered counts a round of its kind, an edge that enters a loop sets its counters to 0. Ghosts also keep what no later
//!    place could say otherwise: first values of inputs that change, drawn values, what a variable is after some rounds.
//! 2. At each node the memory of its path is a formula for each variable; its condition is others. A looping condition comes in as the
//!    facts of the summary: that no round was made, or that the last round was of some kind and its condition held then.
//! 3. A target edge is cut if these formulas contradict its condition. Of the formulas the cuts need, and the formulas that show them,
//!    and so on, each is shown along each edge into its place; one that cannot be shown is dropped, and the cuts begin anew.
//! 4. What is left is refuted once more for its certificates, and the check reads it.

mod candidates;
mod ghosts;

use super::effect::WayEffect;
use super::program::SummarizedProgram;
use crate::evidence::graph::{Pruned, check_excluded};
use crate::evidence::{numbers, write_graph};
use crate::invariants::certified;
use crate::logic::{FormulaId, Pool, SortedMap};
use crate::lts::{EdgeId, LocationId};
use crate::run::trace::Trace;
use crate::solver::certificate::Certificate;
use crate::solver::meter::{Exhausted, Meter};
use crate::states::Ask;
use candidates::Candidates;
use ghosts::Ghosts;

/// A graph that excludes the target, with the certificates of its obligations; `None` where that is not shown. At each location more
/// formulas may hold (`known`).
///
/// # Errors
/// When the steps are used up.
pub fn prove(
    (program, pool): (&SummarizedProgram, &mut Pool),
    effects: &[WayEffect],
    facts: &SortedMap<LocationId, Vec<FormulaId>>,
    (meter, trace): (&mut Meter, &Trace),
) -> Result<Option<(Pruned, Vec<Certificate>)>, Exhausted> {
    // 1. and 2.
    let mut graph = candidates(program, pool, effects);
    for (node, formulas) in graph.nodes.iter().zip(&mut graph.invariants) {
        let more = facts.get(&node.location()).into_iter().flatten();
        let more: Vec<FormulaId> = more.copied().filter(|formula| !formulas.contains(formula)).collect();
        formulas.extend(more);
    }
    let mut ask = Ask { meter, log: trace };
    // 3. and 4.
    let Some((graph, certificates)) = certified(program.lts, pool, graph, &mut ask)? else { return Ok(None) };
    let is_excluded = check_excluded(program.lts, true, &numbers(&targets(program)), &write_graph(pool, &graph)).is_ok();
    Ok(is_excluded.then_some((graph, certificates)))
}

/// The edges of the target.
pub fn targets(program: &SummarizedProgram) -> Vec<EdgeId> {
    program.tree.targets.iter().copied().collect()
}

/// The tree as a graph of places with ghosts, and at each node all that the path's effect says; none of it is proved yet.
pub fn candidates(program: &SummarizedProgram, pool: &mut Pool, effects: &[WayEffect]) -> Pruned {
    let mut graph = Ghosts::graph(program, pool);
    graph.invariants = Candidates::of(program, pool, effects, &graph);
    graph
}
