//! Counting complete paths and drawing them uniformly (AGVW16, Section V; the recursive method of random generation).
//!
//! A *complete path* leads from the entry to the exit; its length is its number of edges. `P(l)` is the number of
//! complete paths of length at most `l`. Everything is exact: the counts are integers of any size.
//!
//! **Method.** Let `s_k(q)` be the number of paths of length at most `k` from `q` to the exit. Then
//! `s_k(q) = [q is final] + Σ s_{k-1}(r)` over the edges `q → r`, and `P(l) = s_l(entry)`. Dynamic programming goes up
//! in `k`; [`Counter`] forgets what it no longer needs, [`Sampler`] keeps the table and walks down it.
//!
//! **Contraction.** Only *junctions* get a row in the table: final locations with a way on and locations with two or
//! more edges that can still reach the exit. Between them lie chains, which only delay: an arm of weight `w` takes
//! `s_{k-w}` of the junction where it ends. The graph leaves out locations that cannot reach the exit.
//!
//! **Standstill.** Once no row has changed for as many layers as the longest arm is long, none ever will (a graph
//! without loops); both users stop there.
//!
//! # Example
//!
//! ```
//! use culdesac::count::{Graph, Random, Sampler, totals};
//!
//! let program = culdesac::lang::parse("int f(int x) { while (x > 0) { if (x % 2) x--; else x /= 2; } return x; }").program.expect("no error");
//! let lts = culdesac::lts::lower::lower(&program, None).expect("no error").lts;
//! let graph = Graph::of(&lts);
//! // A round has three edges and two ways through, and the way out is one edge: 1 + 2 + … + 2³³.
//! let counts = totals(&graph, &[1, 4, 100]);
//! assert_eq!(counts.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1", "3", "17179869183"]);
//!
//! let sampler = Sampler::new(&graph, 100, Sampler::DEFAULT_LIMIT).expect("a small table");
//! let path = sampler.draw(&mut Random::new(0)).expect("there are paths");
//! assert!(path.len() <= 100 && lts.is_path_prefix(&path));
//! ```

mod sample;

pub use sample::{Random, Sampler, TooLarge};

use crate::logic::Arrange;
use crate::lts::{EdgeId, LocationId, Lts};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use petgraph::visit::EdgeRef;
use std::collections::VecDeque;

/// The greatest length that can be asked for.
pub const MAX_LENGTH: u32 = 10_000;

/// A graph to count in: locations, edges, one entry, final locations; all that counting needs to know of an LTS.
#[derive(Clone, Debug)]
pub struct Graph {
    junctions: Vec<Junction>,
    /// From the entry; `None` where no complete path exists.
    start: Option<Arm>,
    /// For each location on a chain: its one edge that leads on.
    next: Vec<Option<(EdgeId, u32)>>,
    /// The greatest weight of an arm.
    longest_arm: u32,
}

#[derive(Clone, Debug)]
struct Junction {
    location: u32,
    last: bool,
    arms: Vec<Arm>,
}

/// A way from a junction (or the entry) along a chain to the next junction or to the end.
#[derive(Clone, Copy, Debug)]
struct Arm {
    /// The first edge and where it leads; `None` for an arm without edges (the entry is itself a junction or the end).
    first: Option<(EdgeId, u32)>,
    /// The number of edges.
    weight: u32,
    target: Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// A final location that nothing leaves.
    End,
    Junction(u32),
}

impl Graph {
    /// The graph of an LTS with its exit as the only final location.
    pub fn of(lts: &Lts) -> Graph {
        let edges = lts.graph.edge_references().map(|edge| (edge.id(), edge.source(), edge.target()));
        Graph::new(lts.graph.node_count(), lts.entry, &[lts.exit], edges)
    }

    /// The graph with locations `0..locations` and these edges (number, from, to). Arms stand in the order of their edges'
    /// numbers, so the numbers alone decide what a seed draws.
    pub fn new(
        locations: usize,
        entry: LocationId,
        finals: &[LocationId],
        edges: impl IntoIterator<Item = (EdgeId, LocationId, LocationId)>,
    ) -> Graph {
        let mut outgoing: Vec<Vec<(EdgeId, u32)>> = vec![Vec::new(); locations];
        let mut incoming: Vec<Vec<u32>> = vec![Vec::new(); locations];
        for (edge, from, to) in edges {
            outgoing[from.index()].push((edge, to.index() as u32));
            incoming[to.index()].push(from.index() as u32);
        }
        let mut last = vec![false; locations];
        finals.iter().for_each(|location| last[location.index()] = true);
        let live = reaching(&incoming, &last);
        for edges in &mut outgoing {
            edges.retain(|&(_, to)| live[to as usize]);
            edges.arrange();
        }

        let mut number = vec![None; locations];
        let mut junctions = Vec::new();
        for (location, edges) in outgoing.iter().enumerate().filter(|&(location, _)| live[location]) {
            if edges.len() > 1 || (last[location] && !edges.is_empty()) {
                number[location] = Some(Target::Junction(junctions.len() as u32));
                junctions.push(Junction { location: location as u32, last: last[location], arms: Vec::new() });
            } else if edges.is_empty() {
                number[location] = Some(Target::End);
            }
        }
        let next: Vec<_> =
            (0..locations).map(|l| if number[l].is_none() && live[l] { outgoing[l].first().copied() } else { None }).collect();

        let mut ends: Vec<Option<(Target, u32)>> = number.iter().map(|target| target.map(|target| (target, 0))).collect();
        let mut longest_arm = 0;
        for junction in &mut junctions {
            for &(edge, to) in &outgoing[junction.location as usize] {
                let (target, weight) = chain_end(&next, &mut ends, to);
                junction.arms.push(Arm { first: Some((edge, to)), weight: weight + 1, target });
                longest_arm = longest_arm.max(weight + 1);
            }
        }
        // A graph without locations has no path.
        let start = live.get(entry.index()).is_some_and(|live| *live).then(|| {
            let (target, weight) = chain_end(&next, &mut ends, entry.index() as u32);
            Arm { first: next[entry.index()], weight, target }
        });
        Graph { junctions, start, next, longest_arm }
    }

    /// Calls `visit` with the edges of an arm.
    fn walk(&self, arm: &Arm, mut visit: impl FnMut(EdgeId)) {
        let mut at = arm.first;
        for _ in 0..arm.weight {
            let (edge, to) = at.expect("an arm has as many edges as its weight");
            visit(edge);
            at = self.next[to as usize];
        }
    }

    /// One entry of a new layer: the number of suffixes of length at most `k` from `junction`, where `before(j, w)` is
    /// that number for `k - w` and junction `j` (not asked for `w > k`).
    fn suffixes<'a>(&self, junction: &Junction, k: u32, before: impl Fn(u32, u32) -> &'a BigUint) -> BigUint {
        let mut sum = BigUint::from(u8::from(junction.last));
        for arm in junction.arms.iter().filter(|arm| arm.weight <= k) {
            match arm.target {
                Target::End => sum += 1u8,
                Target::Junction(target) => sum += before(target, arm.weight),
            }
        }
        sum
    }
}

/// Which locations can reach a final one.
fn reaching(incoming: &[Vec<u32>], last: &[bool]) -> Vec<bool> {
    let mut live = last.to_vec();
    let mut work: Vec<u32> = (0..last.len() as u32).filter(|&location| last[location as usize]).collect();
    while let Some(location) = work.pop() {
        for &from in &incoming[location as usize] {
            if !std::mem::replace(&mut live[from as usize], true) {
                work.push(from);
            }
        }
    }
    live
}

/// Where the chain that starts at `location` ends and after how many edges; notes that for the whole chain.
fn chain_end(next: &[Option<(EdgeId, u32)>], ends: &mut [Option<(Target, u32)>], location: u32) -> (Target, u32) {
    let mut chain = Vec::new();
    let mut at = location;
    let (target, mut weight) = loop {
        if let Some(end) = ends[at as usize] {
            break end;
        }
        chain.push(at);
        // Live locations without a number have one live edge, and a cycle of such could not reach the exit.
        at = next[at as usize].expect("a chain leads on").1;
    };
    for &location in chain.iter().rev() {
        weight += 1;
        ends[location as usize] = Some((target, weight));
    }
    (target, weight)
}

/// Counts `P(0), P(1), P(2), …` in turn.
pub struct Counter<'g> {
    graph: &'g Graph,
    length: u32,
    /// For each junction its newest values, as many as an arm or the start may still ask for.
    history: Vec<VecDeque<BigUint>>,
    keep: Vec<usize>,
    /// How many layers in a row were equal to the one before.
    equal: u32,
}

impl<'g> Counter<'g> {
    /// Stands at length 0.
    pub fn new(graph: &'g Graph) -> Counter<'g> {
        let mut keep = vec![1; graph.junctions.len()];
        for arm in graph.junctions.iter().flat_map(|junction| &junction.arms).chain(&graph.start) {
            if let Target::Junction(target) = arm.target {
                // Besides `k - 1` to `k - weight` the newest value itself, for the total.
                keep[target as usize] = keep[target as usize].max(arm.weight as usize + 1);
            }
        }
        let history = graph.junctions.iter().map(|junction| VecDeque::from([BigUint::from(u8::from(junction.last))])).collect();
        Counter { graph, length: 0, history, keep, equal: 0 }
    }

    /// The length `l` at which the counter stands.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// `P(l)` for the current length `l`.
    pub fn total(&self) -> BigUint {
        match &self.graph.start {
            Some(arm) if arm.weight <= self.length => match arm.target {
                Target::End => BigUint::one(),
                Target::Junction(target) => newest(&self.history[target as usize], arm.weight).cloned().unwrap_or_default(),
            },
            _ => BigUint::zero(),
        }
    }

    /// Goes on to the next length. Gives back what it cost: machine words written, the same on every machine.
    pub fn advance(&mut self) -> u64 {
        self.length += 1;
        if self.stands_still() {
            return 1;
        }
        let k = self.length;
        let layer: Vec<BigUint> = (self.graph.junctions.iter())
            .map(|junction| {
                self.graph.suffixes(junction, k, |target, weight| {
                    newest(&self.history[target as usize], weight - 1).expect("values are kept as long as an arm is")
                })
            })
            .collect();
        let mut cost = 1;
        let mut changed = false;
        for ((values, value), &keep) in self.history.iter_mut().zip(layer).zip(&self.keep) {
            cost += words(&value);
            changed |= values.back() != Some(&value);
            values.push_back(value);
            if values.len() > keep {
                values.pop_front();
            }
        }
        self.equal = if changed { 0 } else { self.equal + 1 };
        cost
    }

    /// Whether no longer length adds a path.
    fn stands_still(&self) -> bool {
        let prologue = self.graph.start.map_or(0, |arm| arm.weight);
        self.equal >= self.graph.longest_arm.max(prologue)
    }
}

/// The value `back` layers before the newest.
fn newest(values: &VecDeque<BigUint>, back: u32) -> Option<&BigUint> {
    values.len().checked_sub(back as usize + 1).map(|index| &values[index])
}

/// The size of a number in 64-bit words, at least 1.
fn words(value: &BigUint) -> u64 {
    value.bits().div_ceil(64).max(1)
}

/// `P(l)` for each of these lengths, in the order given.
pub fn totals(graph: &Graph, lengths: &[u32]) -> Vec<BigUint> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.arrange_by_key(|&index| lengths[index]);
    let mut counter = Counter::new(graph);
    let mut totals = vec![BigUint::zero(); lengths.len()];
    for index in order {
        while counter.length() < lengths[index] {
            counter.advance();
        }
        totals[index] = counter.total();
    }
    totals
}

#[cfg(test)]
mod tests;
