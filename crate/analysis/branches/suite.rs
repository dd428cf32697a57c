//! Chooses of many runs a small suite that takes every branch that they take.

use super::bidirectional::Test;
use crate::analysis::common::sides::Side;
use crate::interp::Outcome;
use crate::logic::SortedSet;
use crate::lts::EdgeId;

/// The numbers of the chosen runs, in their order.
///
/// 1. What returns, fails an assertion or calls an error ends as C says; such runs come first, others only for what they alone take.
/// 2. Of those the one that takes the most sides that are left comes next; of several the one with the shortest path.
/// 3. One of which the others take everything is dropped.
pub fn choose(sides: &[Side], runs: &[Test]) -> Vec<usize> {
    let taken: Vec<SortedSet<usize>> = runs
        .iter()
        .map(|run| {
            let edges: SortedSet<EdgeId> = run.path.iter().copied().collect();
            (0..sides.len()).filter(|&side| sides[side].edges.iter().any(|edge| edges.contains(edge))).collect()
        })
        .collect();
    let mut left: SortedSet<usize> = taken.iter().flatten().copied().collect();
    let mut chosen: Vec<usize> = Vec::new();
    // 1. and 2.
    for ends in [true, false] {
        loop {
            let new = |run: usize| taken[run].iter().filter(|side| left.contains(side)).count();
            let candidates = (0..runs.len()).filter(|&run| ends == is_ended(&runs[run]));
            let best = candidates.max_by_key(|&run| (new(run), std::cmp::Reverse(runs[run].path.len()), std::cmp::Reverse(run)));
            let Some(best) = best.filter(|&run| new(run) > 0) else { break };
            left.retain(|side| !taken[best].contains(side));
            chosen.push(best);
        }
    }
    // 3.
    for candidate in chosen.clone().into_iter().rev() {
        let others: SortedSet<usize> = chosen.iter().filter(|&&run| run != candidate).flat_map(|&run| &taken[run]).copied().collect();
        if taken[candidate].iter().all(|side| others.contains(side)) {
            chosen.retain(|&run| run != candidate);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Whether the run ends as C says.
pub fn is_ended(run: &Test) -> bool {
    matches!(run.outcome, Outcome::Returned | Outcome::Error)
}
