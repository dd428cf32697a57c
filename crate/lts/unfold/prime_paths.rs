//! Prime paths: the maximal simple paths of a graph, as in Ammann and Offutt, *Introduction to Software Testing*, Section 7.2.1.
//!
//! A path is simple if it has no node twice, but for its first, which may be its last; it is prime if it is part of no other simple path. To
//! cover all prime paths is to run each loop not at all, once and again, wherever it can be entered and left.
//!
//! The nodes are basic blocks: maximal chains of locations of which each has one way on, and the next one way in. Two edges between the same
//! blocks are two paths. A path is given by its edges, with those inside of its first and last block.

use crate::logic::SortedMap;
use crate::lts::{EdgeId, LocationId, Lts};
use petgraph::Direction;

/// At most so many prime paths are listed.
pub const MAX_PATHS: usize = 200;
/// At most so many simple paths are looked at.
const MAX_SIMPLE: usize = 200_000;

/// The prime paths of a graph.
#[derive(Clone, Debug, Default)]
pub struct PrimePaths {
    /// Each as its edges, in the order of the blocks that they begin with.
    pub paths: Vec<Vec<EdgeId>>,
    /// Whether there are more than are listed.
    pub is_cut: bool,
}

/// A basic block.
struct PathBlock {
    /// The edges inside.
    inner: Vec<EdgeId>,
    /// The edges to other blocks, with the numbers of these.
    ways: Vec<(EdgeId, usize)>,
    /// The numbers of the blocks from which edges lead here.
    before: Vec<usize>,
}

/// The prime paths of a function with its calls inlined, without those that end where calls were not inlined any more: [`Lts::cut`].
pub fn prime_paths(lts: &Lts) -> PrimePaths {
    let blocks = blocks(lts);
    let mut found = PrimePaths::default();
    let mut looked = 0;
    for first in 0..blocks.len() {
        // Each entry is the next way to take out of a block on the path.
        let mut path: Vec<usize> = vec![first];
        let mut edges: Vec<EdgeId> = Vec::new();
        let mut ways: Vec<usize> = vec![0];
        let mut is_maximal = vec![true];
        while let Some(&last) = path.last() {
            let depth = path.len() - 1;
            let Some(&(edge, next)) = blocks[last].ways.get(ways[depth]) else {
                looked += 1;
                // No way on: the path is prime if no block before its first one makes it longer.
                if is_maximal[depth]
                    && (depth > 0 || !blocks[first].inner.is_empty())
                    && blocks[first].before.iter().all(|before| path.contains(before))
                {
                    found.paths.push(word(&blocks, &path, &edges));
                }
                path.pop();
                edges.pop();
                ways.pop();
                is_maximal.pop();
                continue;
            };
            ways[depth] += 1;
            if next == first {
                let cycle: Vec<EdgeId> = edges.iter().copied().chain([edge]).collect();
                let closed: Vec<usize> = path.iter().copied().chain([first]).collect();
                found.paths.push(word(&blocks, &closed, &cycle));
                is_maximal[depth] = false;
            } else if !path.contains(&next) {
                is_maximal[depth] = false;
                path.push(next);
                edges.push(edge);
                ways.push(0);
                is_maximal.push(true);
            }
            if found.paths.len() > MAX_PATHS || looked > MAX_SIMPLE {
                found.paths.truncate(MAX_PATHS);
                found.is_cut = true;
                return found;
            }
        }
    }
    found
}

/// The edges of a path through blocks, with those inside of them.
fn word(blocks: &[PathBlock], path: &[usize], edges: &[EdgeId]) -> Vec<EdgeId> {
    let mut word = blocks[path[0]].inner.clone();
    for (edge, &block) in edges.iter().zip(&path[1..]) {
        word.push(*edge);
        word.extend(&blocks[block].inner);
    }
    word
}

/// The basic blocks, in the order of their first locations.
fn blocks(lts: &Lts) -> Vec<PathBlock> {
    let is_listed = |location: LocationId| Some(location) != lts.cut;
    let incoming = |location: LocationId| lts.graph.edges_directed(location, Direction::Incoming).count();
    let outgoing = |location: LocationId| {
        let mut edges = lts.outgoing(location);
        edges.retain(|edge| is_listed(edge.1));
        edges
    };
    // A location goes on inside of its block if it has one way on, to a location with one way in.
    let inside = |location: LocationId| match (lts.graph.edges(location).count(), outgoing(location).first()) {
        (1, Some(&(edge, next))) if incoming(next) == 1 && next != lts.entry => Some((edge, next)),
        _ => None,
    };
    let reached: Vec<LocationId> = lts.graph.node_indices().filter(|&location| is_listed(location)).collect();
    let mut is_first = vec![true; lts.graph.node_count()];
    for &location in &reached {
        if let Some((_, next)) = inside(location) {
            is_first[next.index()] = false;
        }
    }
    let firsts: Vec<LocationId> = reached.into_iter().filter(|location| is_first[location.index()]).collect();
    let numbers: SortedMap<LocationId, usize> = firsts.iter().enumerate().map(|(number, &location)| (location, number)).collect();
    let mut blocks = Vec::new();
    for &first in &firsts {
        let (mut last, mut inner) = (first, Vec::new());
        while let Some((edge, next)) = inside(last) {
            inner.push(edge);
            last = next;
        }
        let ways = outgoing(last).into_iter().map(|(edge, next)| (edge, numbers[&next])).collect();
        blocks.push(PathBlock { inner, ways, before: Vec::new() });
    }
    for number in 0..blocks.len() {
        for way in 0..blocks[number].ways.len() {
            let next = blocks[number].ways[way].1;
            blocks[next].before.push(number);
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::{blocks, prime_paths, word};
    use crate::lts::{EdgeId, Lts};
    use crate::{lang, lts::lower::lower};

    fn lts(source: &str) -> Lts {
        lower(&lang::parse(source).program.expect("no error"), None).expect("no error").lts
    }

    /// All simple paths by the definition, without those that are a part of another one.
    fn naive(lts: &Lts) -> Vec<Vec<EdgeId>> {
        let blocks = blocks(lts);
        let mut simple: Vec<(Vec<usize>, Vec<EdgeId>)> = (0..blocks.len()).map(|first| (vec![first], Vec::new())).collect();
        let mut at = 0;
        while let Some((path, edges)) = simple.get(at).cloned() {
            at += 1;
            let (first, last) = (path[0], path[path.len() - 1]);
            if path.len() > 1 && first == last {
                continue;
            }
            for &(edge, next) in &blocks[last].ways {
                if next == first || !path.contains(&next) {
                    simple.push(([&path[..], &[next]].concat(), [&edges[..], &[edge]].concat()));
                }
            }
        }
        let is_part = |one: &[EdgeId], other: &[EdgeId]| one.len() < other.len() && other.windows(one.len()).any(|part| part == one);
        let prime = simple.iter().filter(|(_, edges)| !edges.is_empty() && !simple.iter().any(|(_, other)| is_part(edges, other)));
        let mut words: Vec<Vec<EdgeId>> = prime.map(|(path, edges)| word(&blocks, path, edges)).collect();
        words.sort();
        words
    }

    #[test]
    fn prime_paths_are_the_maximal_simple_ones() {
        let programs = [
            "int f(int x) { if (x > 3) return 1; return 0; }",
            "int f(int x) { while (x > 0) x--; return x; }",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 3) continue; if (s > 9) break; s += i; } return s; }",
            "int f(int n) { int s = 0; do { for (int j = 0; j < n; j++) s++; if (s > 20) n = 0; } while (n-- > 0); return s; }",
            "int f(int x, int y) { if (x > 0 && y > 0 || x == y) y = 2; switch (x) { case 1: y++; case 2: y--; break; default: y = 0; } return y; }",
            "int f(int x) { top: if (x > 9) goto out; x += 2; if (x & 1) goto top; x++; goto top; out: return x; }",
            "int f(int x) { if (x) while (1) x++; return 0; }",
            "int f(int x) { if (x > 2) { } if (x > 3) { } return x; }",
        ];
        for source in programs {
            let lts = lts(source);
            let mut found = prime_paths(&lts).paths;
            found.sort();
            assert_eq!(found, naive(&lts), "{source}");
        }
    }

    #[test]
    fn a_loop_has_its_paths_around_and_through() {
        // Around from the header and from the body, and out after a round; to leave it at once is a part of that.
        let lengths: Vec<usize> = prime_paths(&lts("int f(int x) { while (x > 0) x--; return x; }")).paths.iter().map(Vec::len).collect();
        assert_eq!(lengths, [2, 2, 2]);
    }

    #[test]
    fn too_many_paths_are_cut() {
        let decisions: String = (0..9).map(|at| format!("if (x > {at}) y += {at}; ")).collect();
        let found = prime_paths(&lts(&format!("int f(int x) {{ int y = 0; {decisions} return y; }}")));
        assert!(found.is_cut && found.paths.len() == super::MAX_PATHS);
    }
}
