//! Chooses of many runs the smallest suite that takes every branch that they take.

use super::runs::KeptRun;
use crate::interp::Outcome;
use crate::logic::{Arrange, SortedMap, SortedSet};
use crate::lts::EdgeId;
use crate::lts::sides::Side;
use fixedbitset::FixedBitSet;

/// The number of elements to examine in partial suites, one more for each suite; after them the smallest suite so far is taken.
const LOOKED_AT: usize = 1_000_000;

/// The numbers of the chosen runs, in their order.
///
/// 1. What returns, fails an assertion or calls an error ends as C says; of such runs the fewest that take what such runs take.
/// 2. Of the others the fewest that take what is left.
pub fn choose(sides: &[Side], runs: &[KeptRun]) -> Vec<usize> {
    let taken = taken(sides, runs);
    let mut covered: SortedSet<usize> = SortedSet::new();
    let mut chosen = Vec::new();
    for ends in [true, false] {
        let mut numbers: Vec<usize> = (0..runs.len()).filter(|&run| ends == is_ended(&runs[run])).collect();
        // Of runs that take the same the shortest is chosen.
        numbers.arrange_by_key(|&run| runs[run].path.len());
        let sets: Vec<SortedSet<usize>> = numbers.iter().map(|&run| taken[run].difference(&covered).copied().collect()).collect();
        let found = fewest(&sets);
        covered.extend(found.iter().flat_map(|&at| &sets[at]));
        chosen.extend(found.into_iter().map(|at| numbers[at]));
    }
    chosen.arrange();
    chosen
}

/// The sides that each run takes.
pub fn taken(sides: &[Side], runs: &[KeptRun]) -> Vec<SortedSet<usize>> {
    let of_run = |run: &KeptRun| {
        let edges: SortedSet<EdgeId> = run.taken().collect();
        (0..sides.len()).filter(|&side| sides[side].edges.iter().any(|edge| edges.contains(edge))).collect()
    };
    runs.iter().map(of_run).collect()
}

/// Whether the run ends as C says.
pub fn is_ended(run: &KeptRun) -> bool {
    matches!(run.outcome, Outcome::Returned | Outcome::Error)
}

/// The positions of the fewest sets that have all elements of all, or of few where that takes too long to know; of equal ones the first.
///
/// 1. Row dominance: drop an element that another one implies. Column dominance: drop a set that is a subset of another. Repeat both up
///    to a fixpoint.
/// 2. Branch and bound: of the element that the fewest sets have one of these is chosen, first the one with the most elements that are left.
///    Elements of which no set has two need a set each.
/// 3. Among interchangeable sets the earliest is kept.
pub fn fewest(sets: &[SortedSet<usize>]) -> Vec<usize> {
    let ReducedSets { sets: left, numbers, having } = ReducedSets::of(sets);
    let mut choice = Choice { sets: &left, having: &having, chosen: Vec::new(), best: None, left: LOOKED_AT };
    choice.choose(&(0..having.len()).collect());
    let mut chosen: Vec<usize> = choice.best.unwrap_or_default().into_iter().map(|at| numbers[at]).collect();
    // 3.
    for at in (0..chosen.len()).rev() {
        let last = chosen.remove(at);
        let others: SortedSet<usize> = chosen.iter().flat_map(|&other| &sets[other]).copied().collect();
        let alone: SortedSet<usize> = sets[last].difference(&others).copied().collect();
        if !alone.is_empty() {
            let first = (0..sets.len()).find(|&other| alone.is_subset(&sets[other]));
            chosen.insert(at, first.unwrap_or(last));
        }
    }
    chosen
}

/// 1.: what is left, with its elements numbered from 0.
struct ReducedSets {
    /// Their elements.
    sets: Vec<FixedBitSet>,
    /// Their positions among all sets.
    numbers: Vec<usize>,
    /// For each element the sets that have it.
    having: Vec<FixedBitSet>,
}

impl ReducedSets {
    fn of(all: &[SortedSet<usize>]) -> ReducedSets {
        let elements: SortedSet<usize> = all.iter().flatten().copied().collect();
        let positions: SortedMap<usize, usize> = elements.into_iter().zip(0..).collect();
        let bits = |set: &SortedSet<usize>| set.iter().map(|element| positions[element]).collect::<FixedBitSet>();
        let mut left: Vec<(usize, FixedBitSet)> = all.iter().map(bits).enumerate().filter(|(_, set)| !set.is_clear()).collect();
        loop {
            let before = size(&left);
            left = without_subsets(left);
            let elements = left.iter().map(|(_, set)| set.len()).max().unwrap_or(0);
            let mut having = vec![FixedBitSet::with_capacity(left.len()); elements];
            for (at, (_, set)) in left.iter().enumerate() {
                set.ones().for_each(|element| having[element].insert(at));
            }
            let needed = without_implied(&having);
            for (_, set) in &mut left {
                *set = needed.iter().enumerate().filter(|(_, element)| set.contains(**element)).map(|(number, _)| number).collect();
            }
            if size(&left) == before {
                let (numbers, sets) = left.into_iter().unzip();
                return ReducedSets { sets, numbers, having: needed.iter().map(|&element| having[element].clone()).collect() };
            }
        }
    }
}

/// How many sets there are, and how many elements these have together.
fn size(sets: &[(usize, FixedBitSet)]) -> (usize, usize) {
    (sets.len(), sets.iter().map(|(_, set)| set.count_ones(..)).sum())
}

/// Column dominance: the sets that are no subsets of others, the largest first; of equal ones the first.
fn without_subsets(mut sets: Vec<(usize, FixedBitSet)>) -> Vec<(usize, FixedBitSet)> {
    // The largest first, so that a set is compared with what is kept.
    sets.sort_by_cached_key(|(number, set)| (std::cmp::Reverse(set.count_ones(..)), *number));
    let mut kept: Vec<(usize, FixedBitSet)> = Vec::new();
    for (number, set) in sets {
        if !kept.iter().any(|(_, other)| set.is_subset(other)) {
            kept.push((number, set));
        }
    }
    kept
}

/// Row dominance: the elements that no other one implies, the rarest first; `having` are the sets with each element.
fn without_implied(having: &[FixedBitSet]) -> Vec<usize> {
    let mut elements: Vec<usize> = (0..having.len()).filter(|&element| !having[element].is_clear()).collect();
    elements.sort_by_cached_key(|&element| (having[element].count_ones(..), element));
    let mut needed: Vec<usize> = Vec::new();
    for element in elements {
        if !needed.iter().any(|&other| having[other].is_subset(&having[element])) {
            needed.push(element);
        }
    }
    needed
}

/// 2.
struct Choice<'c> {
    sets: &'c [FixedBitSet],
    /// The sets that have each element.
    having: &'c [FixedBitSet],
    chosen: Vec<usize>,
    best: Option<Vec<usize>>,
    left: usize,
}

impl Choice<'_> {
    /// Looks for smaller choices with what is chosen, which leaves these elements.
    fn choose(&mut self, open: &FixedBitSet) {
        let Some(element) = open.ones().min_by_key(|&element| self.having[element].count_ones(..)) else {
            self.best = Some(self.chosen.clone());
            return;
        };
        let most = self.best.as_ref().map_or(usize::MAX, Vec::len);
        if self.left == 0 && self.best.is_some() || self.chosen.len() + self.at_least(open) >= most {
            return;
        }
        self.left = self.left.saturating_sub(1 + open.count_ones(..));
        let mut sets: Vec<(usize, usize)> = self.having[element].ones().map(|set| (self.sets[set].intersection_count(open), set)).collect();
        sets.arrange_by_key(|&(new, set)| (std::cmp::Reverse(new), set));
        for (_, set) in sets {
            self.chosen.push(set);
            let mut rest = open.clone();
            rest.difference_with(&self.sets[set]);
            self.choose(&rest);
            self.chosen.pop();
        }
    }

    /// So many sets at least are needed for these elements.
    fn at_least(&self, open: &FixedBitSet) -> usize {
        let mut elements: Vec<usize> = open.ones().collect();
        elements.sort_by_cached_key(|&element| self.having[element].count_ones(..));
        let (mut met, mut least) = (FixedBitSet::with_capacity(self.sets.len()), 0);
        for element in elements {
            if met.is_disjoint(&self.having[element]) {
                met.union_with(&self.having[element]);
                least += 1;
            }
        }
        least
    }
}
