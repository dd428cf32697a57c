//! Chooses of many runs the smallest suite that takes every branch that they take.

use super::runs::KeptRun;
use crate::interp::Outcome;
use crate::logic::SortedSet;
use crate::lts::EdgeId;
use crate::lts::sides::Side;

/// The number of partial suites to examine; after them the smallest suite so far is taken.
const LOOKED_AT: u32 = 20_000;

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
        numbers.sort_by_key(|&run| runs[run].path.len());
        let sets: Vec<SortedSet<usize>> = numbers.iter().map(|&run| taken[run].difference(&covered).copied().collect()).collect();
        let found = fewest(&sets);
        covered.extend(found.iter().flat_map(|&at| &sets[at]));
        chosen.extend(found.into_iter().map(|at| numbers[at]));
    }
    chosen.sort_unstable();
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
    let (left, numbers, elements) = reduced(sets);
    let mut having: Vec<Vec<usize>> = vec![Vec::new(); elements];
    for (at, set) in left.iter().enumerate() {
        set.iter().for_each(|&element| having[element].push(at));
    }
    let mut choice = Choice { sets: &left, having: &having, chosen: Vec::new(), best: None, left: LOOKED_AT };
    choice.choose(&(0..elements).collect());
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

/// 1.: the sets that are left with their positions, and how many elements are, numbered from 0.
fn reduced(sets: &[SortedSet<usize>]) -> (Vec<SortedSet<usize>>, Vec<usize>, usize) {
    let mut left: Vec<(usize, SortedSet<usize>)> = sets.iter().cloned().enumerate().filter(|(_, set)| !set.is_empty()).collect();
    loop {
        let before = left.len();
        // The largest first, so that a set is compared with what is kept.
        left.sort_by_key(|(number, set)| (std::cmp::Reverse(set.len()), *number));
        let mut kept: Vec<(usize, SortedSet<usize>)> = Vec::new();
        for (number, set) in left {
            if !kept.iter().any(|(_, other)| set.is_subset(other)) {
                kept.push((number, set));
            }
        }
        left = kept;
        let all: SortedSet<usize> = left.iter().flat_map(|(_, set)| set).copied().collect();
        let mut having: Vec<(usize, SortedSet<usize>)> = all
            .into_iter()
            .map(|element| (element, left.iter().filter(|(_, set)| set.contains(&element)).map(|(number, _)| *number).collect()))
            .collect();
        having.sort_by_key(|(element, having)| (having.len(), *element));
        let mut needed: Vec<(usize, SortedSet<usize>)> = Vec::new();
        for (element, having) in having {
            if !needed.iter().any(|(_, other)| other.is_subset(&having)) {
                needed.push((element, having));
            }
        }
        let position = |element: &usize| needed.iter().position(|(needed, _)| needed == element);
        let size = |left: &[(usize, SortedSet<usize>)]| left.iter().map(|(_, set)| set.len()).sum::<usize>();
        let elements = size(&left);
        left = left.into_iter().map(|(number, set)| (number, set.iter().filter_map(position).collect())).collect();
        if left.len() == before && size(&left) == elements {
            let (numbers, sets) = left.into_iter().unzip();
            return (sets, numbers, needed.len());
        }
    }
}

/// 2.
struct Choice<'c> {
    sets: &'c [SortedSet<usize>],
    /// The sets that have each element.
    having: &'c [Vec<usize>],
    chosen: Vec<usize>,
    best: Option<Vec<usize>>,
    left: u32,
}

impl Choice<'_> {
    /// Looks for smaller choices with what is chosen, which leaves these elements.
    fn choose(&mut self, open: &SortedSet<usize>) {
        let Some(element) = open.iter().copied().min_by_key(|&element| self.having[element].len()) else {
            self.best = Some(self.chosen.clone());
            return;
        };
        let most = self.best.as_ref().map_or(usize::MAX, Vec::len);
        if self.left == 0 && self.best.is_some() || self.chosen.len() + self.at_least(open) >= most {
            return;
        }
        self.left = self.left.saturating_sub(1);
        let mut sets: Vec<(usize, usize)> =
            self.having[element].iter().map(|&set| (open.iter().filter(|element| self.sets[set].contains(element)).count(), set)).collect();
        sets.sort_by_key(|&(new, set)| (std::cmp::Reverse(new), set));
        for (_, set) in sets {
            self.chosen.push(set);
            self.choose(&open.difference(&self.sets[set]).copied().collect());
            self.chosen.pop();
        }
    }

    /// So many sets at least are needed for these elements.
    fn at_least(&self, open: &SortedSet<usize>) -> usize {
        let mut elements: Vec<usize> = open.iter().copied().collect();
        elements.sort_by_key(|&element| self.having[element].len());
        let (mut met, mut least): (SortedSet<usize>, usize) = (SortedSet::new(), 0);
        for element in elements {
            if self.having[element].iter().all(|set| !met.contains(set)) {
                met.extend(&self.having[element]);
                least += 1;
            }
        }
        least
    }
}
