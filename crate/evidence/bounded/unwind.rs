//! Loop unwinding and blocks: from an LTS to a graph without loops (CHS12, Section 3, Figure 3).
//!
//! A node is a location together with how often an execution has returned to the headers of the loops around it since it entered
//! each (loops with the same header are one). There is no node for the (k+1)-th return. So a `while` loop has k iterations and a
//! last look at its condition, as in Figure 3, where the last back edge goes on after the loop; for loops that an execution
//! leaves elsewhere the same holds without a case of its own. A loop is entered at its header or, where it has several entrances, at any of
//! them, and getting to the header from inside is a return. Nothing is added: every path of the result is a path of the LTS
//! (Lemma 1).
//!
//! A block is a maximal straight run of arcs: it starts at the entry, at a join or as one side of a decision.

use crate::lts::nesting::LoopNesting;
use crate::lts::structure::Structure;
use crate::lts::{ArrayId, EdgeId, LocationId, Lts};
use std::collections::BTreeMap;
use std::fmt;

/// How many nodes an unwound graph may have.
pub const MAX_NODES: usize = 20_000;

/// An edge of the LTS between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    pub from: usize,
    pub edge: EdgeId,
    pub to: usize,
}

/// A maximal straight run of arcs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// At least one.
    pub arcs: Vec<usize>,
    pub start: usize,
    pub end: usize,
}

/// The LTS unwound. Nodes and blocks are in topological order; node 0 is the entry.
#[derive(Clone, Debug)]
pub struct Unwound {
    /// The location that each node is a copy of.
    pub nodes: Vec<LocationId>,
    pub arcs: Vec<Arc>,
    /// The arcs that leave each node, in the order of their edges.
    pub outgoing: Vec<Vec<usize>>,
    pub blocks: Vec<Block>,
    /// The blocks that start at each node.
    pub starting: Vec<Vec<usize>>,
    /// The blocks that end at each node.
    pub ending: Vec<Vec<usize>>,
    /// What the bound cuts off, the returns to a header and the calls that go deeper than the copies of their function: a node and the edge
    /// that would leave it. Only where there are some, the LTS has more paths than this graph.
    pub cut: Vec<(usize, EdgeId)>,
}

/// Why there is no unwound graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnwindObstacle {
    /// It would have more than [`MAX_NODES`] nodes.
    TooLarge,
    /// Two contents of this array without anything in common meet, and too many of its elements are read, or at an index with a divisor.
    Arrays(ArrayId),
}

impl fmt::Display for UnwindObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnwindObstacle::TooLarge => write!(f, "unwound so often the program has more than {MAX_NODES} places"),
            UnwindObstacle::Arrays(_) => f.write_str("two contents of a large array meet here that have nothing in common"),
        }
    }
}
impl std::error::Error for UnwindObstacle {}

/// How often an execution has returned to headers at the end of an edge; `None` where it is more than `bound` times for one (each has its own).
fn after(loops: &LoopNesting, from: LocationId, to: LocationId, taken: &[u32], bound: &dyn Fn(LocationId) -> u32) -> Option<Vec<u32>> {
    let before = &loops.around[from.index()];
    loops.around[to.index()]
        .iter()
        .map(|number| match before.iter().position(|other| other == number) {
            None => Some(0),
            Some(at) if loops.headers[*number] == to => Some(taken[at] + 1).filter(|&count| count <= bound(to)),
            Some(at) => Some(taken[at]),
        })
        .collect()
}

/// Unwinds every loop: an execution returns to its header at most `bound` times after it enters it. Loops with the same header
/// are one.
///
/// # Errors
/// Where the result grows beyond [`MAX_NODES`].
pub fn unwind(lts: &Lts, bound: u32) -> Result<Unwound, UnwindObstacle> {
    unwind_each(lts, &|_| bound)
}

/// As [`unwind`], with a bound for each header.
///
/// # Errors
/// As [`unwind`].
pub fn unwind_each(lts: &Lts, bound: &dyn Fn(LocationId) -> u32) -> Result<Unwound, UnwindObstacle> {
    let structure = Structure::new(lts);
    let loops = LoopNesting::new(lts, &structure);
    let first = (lts.entry, vec![0; loops.around[lts.entry.index()].len()]);
    let mut numbers = BTreeMap::from([(first.clone(), 0)]);
    let mut found = vec![first];
    let mut arcs: Vec<Arc> = Vec::new();
    let mut cut = Vec::new();
    let mut next = 0;
    while next < found.len() {
        let (location, taken) = found[next].clone();
        for (edge, to) in lts.outgoing(location) {
            let counts = after(&loops, location, to, &taken, bound).filter(|_| !lts.goes_deeper(edge));
            let Some(counts) = counts else {
                cut.push((next, edge));
                continue;
            };
            let key = (to, counts);
            let new = found.len();
            let number = *numbers.entry(key.clone()).or_insert(new);
            if number == new {
                if new >= MAX_NODES {
                    return Err(UnwindObstacle::TooLarge);
                }
                found.push(key);
            }
            arcs.push(Arc { from: next, edge, to: number });
        }
        next += 1;
    }
    let nodes = found.into_iter().map(|(location, _)| location).collect();
    Ok(in_order(nodes, arcs, cut))
}

/// The smallest bound within which this path lies; `None` where it is no path of the graph, as that of a run through calls deeper than the copies.
/// The graph has to be one that [`unwind`] can unwind.
pub fn needed(lts: &Lts, path: &[EdgeId]) -> Option<u32> {
    if !lts.is_path_prefix(path) {
        return None;
    }
    let loops = LoopNesting::new(lts, &Structure::new(lts));
    let mut taken = vec![0; loops.around[lts.entry.index()].len()];
    let mut most = 0;
    for &edge in path {
        let (_, from, to) = lts.edge(edge);
        taken = after(&loops, from, to, &taken, &|_| u32::MAX).unwrap_or(taken);
        most = taken.iter().copied().fold(most, u32::max);
    }
    Some(most)
}

/// How often a path returns to each header at most, after it enters the loop; the graph has to be one that [`unwind`] can unwind.
pub fn needed_each(lts: &Lts, path: &[EdgeId]) -> BTreeMap<LocationId, u32> {
    let loops = LoopNesting::new(lts, &Structure::new(lts));
    let mut taken = vec![0; loops.around[lts.entry.index()].len()];
    let mut most = BTreeMap::new();
    for &edge in path {
        let (_, from, to) = lts.edge(edge);
        taken = after(&loops, from, to, &taken, &|_| u32::MAX).unwrap_or(taken);
        for (number, &times) in loops.around[to.index()].iter().zip(&taken) {
            let header = most.entry(loops.headers[*number]).or_insert(0);
            *header = times.max(*header);
        }
    }
    most
}

/// Renumbers nodes topologically and finds the blocks.
fn in_order(nodes: Vec<LocationId>, arcs: Vec<Arc>, cut: Vec<(usize, EdgeId)>) -> Unwound {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut waiting: Vec<usize> = vec![0; nodes.len()];
    for (number, arc) in arcs.iter().enumerate() {
        leaving[arc.from].push(number);
        waiting[arc.to] += 1;
    }
    let mut order = vec![0];
    let mut position = vec![0; nodes.len()];
    let mut next = 0;
    while next < order.len() {
        let node = order[next];
        position[node] = next;
        for &arc in &leaving[node] {
            waiting[arcs[arc].to] -= 1;
            if waiting[arcs[arc].to] == 0 {
                order.push(arcs[arc].to);
            }
        }
        next += 1;
    }
    debug_assert_eq!(order.len(), nodes.len(), "a graph without loops");
    let nodes: Vec<LocationId> = order.iter().map(|&node| nodes[node]).collect();
    let arcs: Vec<Arc> = arcs.into_iter().map(|arc| Arc { from: position[arc.from], edge: arc.edge, to: position[arc.to] }).collect();
    let cut = cut.into_iter().map(|(from, edge)| (position[from], edge)).collect();
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut incoming = vec![0; nodes.len()];
    for (number, arc) in arcs.iter().enumerate() {
        outgoing[arc.from].push(number);
        incoming[arc.to] += 1;
    }
    let breaks = |node: usize| node == 0 || outgoing[node].len() != 1 || incoming[node] != 1;
    let mut blocks = Vec::new();
    let (mut starting, mut ending) = (vec![Vec::new(); nodes.len()], vec![Vec::new(); nodes.len()]);
    for start in (0..nodes.len()).filter(|&node| breaks(node)) {
        for &first in &outgoing[start] {
            let mut run = vec![first];
            let mut end = arcs[first].to;
            while !breaks(end) {
                run.push(outgoing[end][0]);
                end = arcs[outgoing[end][0]].to;
            }
            starting[start].push(blocks.len());
            ending[end].push(blocks.len());
            blocks.push(Block { arcs: run, start, end });
        }
    }
    Unwound { nodes, arcs, outgoing, blocks, starting, ending, cut }
}

impl Unwound {
    /// Whether the LTS has more paths than this graph.
    pub fn is_bounded(&self) -> bool {
        !self.cut.is_empty()
    }

    /// The same graph with the returns that the bound cuts off: each leads to a node of its own, at the header, where paths end.
    pub fn with_returns(&self, lts: &Lts) -> Unwound {
        let mut nodes = self.nodes.clone();
        let mut arcs = self.arcs.clone();
        for &(from, edge) in &self.cut {
            arcs.push(Arc { from, edge, to: nodes.len() });
            nodes.push(lts.edge(edge).2);
        }
        in_order(nodes, arcs, Vec::new())
    }

    /// The edges of a run of arcs.
    pub fn edges<'u>(&'u self, arcs: &'u [usize]) -> impl Iterator<Item = EdgeId> + 'u {
        arcs.iter().map(|&arc| self.arcs[arc].edge)
    }

    /// For each node whether it has a path to the exit.
    pub fn completes(&self, exit: LocationId) -> Vec<bool> {
        let mut completes: Vec<bool> = self.nodes.iter().map(|&location| location == exit).collect();
        for node in (0..self.nodes.len()).rev() {
            completes[node] |= self.outgoing[node].iter().any(|&arc| completes[self.arcs[arc].to]);
        }
        completes
    }

    /// Groups of blocks that are copies of each other, by their first edge, in order.
    pub fn clones(&self) -> BTreeMap<EdgeId, Vec<usize>> {
        let mut clones: BTreeMap<EdgeId, Vec<usize>> = BTreeMap::new();
        for (number, block) in self.blocks.iter().enumerate() {
            for edge in self.edges(&block.arcs) {
                clones.entry(edge).or_default().push(number);
            }
        }
        clones
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{lang, lts::lower::lower};

    fn lts(source: &str) -> Lts {
        let program = lang::parse(source).program.expect("a program");
        lower(&program, None).expect("a graph").lts
    }

    /// Complete paths of the unwound graph, as edge numbers.
    fn paths(unwound: &Unwound, lts: &Lts) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        let mut open = vec![(0, Vec::new())];
        while let Some((node, path)) = open.pop() {
            if unwound.nodes[node] == lts.exit {
                found.push(path.clone());
            }
            for &arc in unwound.outgoing[node].iter().rev() {
                let longer = [&path[..], &[unwound.arcs[arc].edge.index()]].concat();
                open.push((unwound.arcs[arc].to, longer));
            }
        }
        found
    }

    #[test]
    fn a_while_loop_runs_up_to_k_times() {
        let lts = lts("int f(int x) { while (x > 0) x--; return x; }");
        // 0: x > 0, 1: x <= 0, 2: x = x - 1.
        for bound in 0..4 {
            let unwound = unwind(&lts, bound).expect("reducible");
            let found = paths(&unwound, &lts);
            let expected: Vec<Vec<usize>> = (0..=bound).rev().map(|n| [[0, 2].repeat(n as usize), vec![1]].concat()).collect();
            assert_eq!((found, unwound.is_bounded()), (expected, true), "{bound}");
        }
    }

    #[test]
    fn a_path_needs_as_many_unwindings_as_its_longest_loop() {
        let lts = lts("int f(int n, int m) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) n--; return n; }");
        let run = |n: i64, m: i64| {
            let mut input = crate::interp::Input::default();
            input.values.extend([("n".to_owned(), n.into()), ("m".to_owned(), m.into())]);
            needed(&lts, &crate::interp::run(&lts, &input, 1_000).edges)
        };
        assert_eq!([run(0, 0), run(2, 0), run(5, 1), run(9, 4), run(1, 3)], [0, 2, 3, 4, 3].map(Some));
    }

    #[test]
    fn nested_loops_start_anew() {
        let lts = lts("int f(int x, int y) { do { x++; do { x--; } while (x > y); y--; } while (y > 0); return x; }");
        // Each loop once or twice: the inner one for each round of the outer one.
        assert_eq!(paths(&unwind(&lts, 1).expect("reducible"), &lts).len(), 2 + 4);
        assert_eq!(paths(&unwind(&lts, 0).expect("reducible"), &lts).len(), 1);
    }

    #[test]
    fn loops_with_one_header_count_together() {
        let lts = lts("int f(int x, int y) { do { do { x--; } while (x > y); y--; } while (y > 0); return x; }");
        assert_eq!(paths(&unwind(&lts, 1).expect("reducible"), &lts).len(), 3);
    }

    #[test]
    fn blocks_are_straight_runs() {
        let lts = lts("int f(int x) { x++; x++; if (x) { x = 1; x = 2; } x = 3; return x; }");
        let unwound = unwind(&lts, 3).expect("reducible");
        assert!(!unwound.is_bounded());
        let blocks: Vec<Vec<usize>> = unwound.blocks.iter().map(|b| unwound.edges(&b.arcs).map(|edge| edge.index()).collect()).collect();
        assert_eq!(blocks, [vec![0, 1], vec![2, 4, 5], vec![3], vec![6]]);
    }

    #[test]
    fn loops_with_several_entrances_return_to_their_header_from_inside() {
        let two = lts("int f(int x, int y) { if (x) goto inside; again: y = 1; inside: y = 2; if (y) goto again; return y; }");
        for bound in 0..4 {
            let unwound = unwind(&two, bound).expect("small enough");
            // From the header as many rounds as the bound allows, or none; from the other entrance getting to the header is one of them.
            assert_eq!((paths(&unwound, &two).len(), unwound.is_bounded()), (2 * bound as usize + 1, true), "{bound}");
        }
        let inner = lts(
            "int f(int x, int y) { if (x) goto inside; again: y--; do { x--; inside: y++; } while (x > y); if (y) goto again; return y; }",
        );
        for bound in 0..4 {
            let found = paths(&unwind(&inner, bound).expect("small enough"), &inner);
            let needed = |path: &Vec<usize>| needed(&inner, &path.iter().map(|&edge| EdgeId::new(edge)).collect::<Vec<_>>());
            assert!(found.iter().all(|path| needed(path).is_some_and(|times| times <= bound)));
        }
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let deep = lts("int f(int x) { while (x) while (x > 1) while (x > 2) while (x > 3) x--; return 0; }");
        assert_eq!(unwind(&deep, 30).map(|_| ()), Err(UnwindObstacle::TooLarge));
    }
}
