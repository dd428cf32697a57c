//! The shape of the graph: dominators, loops, reducibility, distances. All of it is iterative, and linear or nearly so in
//! the number of edges.

use super::{EdgeId, Expr, InputSource, LocationId, Lts};
use petgraph::Direction;
use petgraph::algo::dominators::{self, Dominators};
use petgraph::visit::EdgeRef;
use std::collections::VecDeque;

/// What the graph alone says about a function.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Targets of retreating edges, in ascending order: the locations where an iteration starts. In a reducible graph
    /// these are exactly the targets of back edges (edges to a location that dominates their source).
    pub loop_headers: Vec<LocationId>,
    /// The ends of the retreating edges.
    pub retreating: Vec<(LocationId, LocationId)>,
    /// Whether every retreating edge goes to a dominator, i.e. every loop has one entrance.
    pub reducible: bool,
    /// The edges to a location that dominates their source, in ascending order.
    pub back_edges: Vec<EdgeId>,
    dominators: Dominators<LocationId>,
    /// For each location its position in a walk of the dominator tree, and the position after all it dominates.
    interval: Vec<(u32, u32)>,
    is_header: Vec<bool>,
    to_exit: Vec<Option<u32>>,
}

impl Structure {
    /// Analyses the graph of `lts`.
    pub fn new(lts: &Lts) -> Structure {
        let dominators = dominators::simple_fast(&lts.graph, lts.entry);
        let retreating = retreating_edges(lts);
        // A chain of dominators may be long; the numbering of the dominator tree answers in one step.
        let interval = tree_intervals(lts, &dominators);
        let reducible = retreating.iter().all(|&(from, to)| within(&interval, to, from));
        let back_edges = lts.graph.edge_references().filter(|e| within(&interval, e.target(), e.source())).map(|e| e.id()).collect();
        let mut is_header = vec![false; lts.graph.node_count()];
        retreating.iter().for_each(|(_, to)| is_header[to.index()] = true);
        let loop_headers = lts.graph.node_indices().filter(|l| is_header[l.index()]).collect();
        Structure { loop_headers, retreating, reducible, back_edges, dominators, interval, is_header, to_exit: distances(lts, lts.exit) }
    }

    /// Whether an iteration of a loop starts at `location`.
    pub fn is_loop_header(&self, location: LocationId) -> bool {
        self.is_header[location.index()]
    }

    /// The closest other location that every path to `location` passes; `None` for the entry and for what it does not reach.
    pub fn immediate_dominator(&self, location: LocationId) -> Option<LocationId> {
        self.dominators.immediate_dominator(location)
    }

    /// Whether every path from the entry to `b` passes `a`; a location dominates itself.
    pub fn dominates(&self, a: LocationId, b: LocationId) -> bool {
        within(&self.interval, a, b)
    }

    /// The number of edges on a shortest path from `location` to the exit; `None` where there is no path.
    pub fn distance_to_exit(&self, location: LocationId) -> Option<u32> {
        self.to_exit[location.index()]
    }
}

/// The number of edges on a shortest path from each location to `target`, indexed by location.
pub fn distances(lts: &Lts, target: LocationId) -> Vec<Option<u32>> {
    let mut distance = vec![None; lts.graph.node_count()];
    distance[target.index()] = Some(0);
    let mut queue = VecDeque::from([(target, 0)]);
    while let Some((location, d)) = queue.pop_front() {
        for before in lts.graph.neighbors_directed(location, Direction::Incoming) {
            if distance[before.index()].is_none() {
                distance[before.index()] = Some(d + 1);
                queue.push_back((before, d + 1));
            }
        }
    }
    distance
}

/// The edges that lead back to a location still open in a depth-first search that follows edges in their order.
fn retreating_edges(lts: &Lts) -> Vec<(LocationId, LocationId)> {
    let successors = |l: LocationId| lts.outgoing(l).into_iter().map(|(_, to)| to).collect::<Vec<_>>().into_iter();
    let (mut seen, mut open) = (vec![false; lts.graph.node_count()], vec![false; lts.graph.node_count()]);
    let mut found = Vec::new();
    (seen[lts.entry.index()], open[lts.entry.index()]) = (true, true);
    let mut path = vec![(lts.entry, successors(lts.entry))];
    while let Some((location, rest)) = path.last_mut() {
        match rest.next() {
            None => {
                open[location.index()] = false;
                path.pop();
            }
            Some(to) if open[to.index()] => found.push((*location, to)),
            Some(to) if seen[to.index()] => {}
            Some(to) => {
                (seen[to.index()], open[to.index()]) = (true, true);
                path.push((to, successors(to)));
            }
        }
    }
    found
}

/// Whether `b` stands below `a` in the dominator tree. What the entry does not reach has an empty interval.
fn within(interval: &[(u32, u32)], a: LocationId, b: LocationId) -> bool {
    let ((start, end), (at, after)) = (interval[a.index()], interval[b.index()]);
    start <= at && at < end && at < after
}

/// Numbers the dominator tree; see [`Structure::interval`].
fn tree_intervals(lts: &Lts, dominators: &Dominators<LocationId>) -> Vec<(u32, u32)> {
    let mut children: Vec<Vec<LocationId>> = vec![Vec::new(); lts.graph.node_count()];
    for location in lts.graph.node_indices() {
        if let Some(parent) = dominators.immediate_dominator(location) {
            children[parent.index()].push(location);
        }
    }
    let mut interval = vec![(0, 0); lts.graph.node_count()];
    let mut clock = 0;
    let mut stack = vec![(lts.entry, false)];
    while let Some((location, done)) = stack.pop() {
        if done {
            interval[location.index()].1 = clock;
            continue;
        }
        interval[location.index()].0 = clock;
        clock += 1;
        stack.push((location, true));
        stack.extend(children[location.index()].iter().map(|&c| (c, false)));
    }
    interval
}

/// For each edge whether a run may take it: whether a path without an approximated region leads over it.
pub fn runnable(lts: &Lts) -> Vec<bool> {
    let is_approximated = |e: &Expr| e.draws_from(&|source| matches!(source, InputSource::Approximated | InputSource::Deeper));
    let mut runnable = vec![false; lts.graph.edge_count()];
    let (mut open, mut seen) = (vec![lts.entry], vec![false; lts.graph.node_count()]);
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        for (edge, to) in lts.outgoing(at) {
            if !lts.operands(edge).any(is_approximated) {
                runnable[edge.index()] = true;
                open.push(to);
            }
        }
    }
    runnable
}

#[cfg(test)]
mod tests {
    use super::Structure;
    use crate::lts::Lts;
    use crate::{lang, lts::lower::lower};

    fn lts(body: &str) -> Lts {
        let program = lang::parse(&format!("int f(int x, int y) {{ {body} }}")).program.unwrap_or_default();
        lower(&program, None).map(|l| l.lts).unwrap_or_else(|e| panic!("{e:?}"))
    }

    fn headers(structure: &Structure) -> Vec<usize> {
        structure.loop_headers.iter().map(|l| l.index()).collect()
    }

    #[test]
    fn nested_loops() {
        let lts = lts("while (x > 0) { y = 0; while (y < x) y++; x--; } return y;");
        // 0: x > 0, 1: y = 0, 2: y < x, 3: y++, 4: x--, 5: exit
        let structure = Structure::new(&lts);
        assert_eq!(headers(&structure), [0, 2]);
        assert!(structure.reducible);
        assert_eq!(structure.back_edges.len(), 2);
        let dominators: Vec<_> = lts.graph.node_indices().map(|l| structure.immediate_dominator(l).map(|d| d.index())).collect();
        assert_eq!(dominators, [None, Some(0), Some(1), Some(2), Some(2), Some(0)]);
        let distances: Vec<_> = lts.graph.node_indices().map(|l| structure.distance_to_exit(l)).collect();
        assert_eq!(distances, [Some(1), Some(4), Some(3), Some(4), Some(2), Some(0)]);
        assert!(structure.dominates(lts.entry, lts.exit) && !structure.dominates(lts.exit, lts.entry));
    }

    #[test]
    fn a_loop_with_two_entrances() {
        let lts = lts("if (x) goto inside; again: y = 1; inside: y = 2; if (y) goto again; return y;");
        let structure = Structure::new(&lts);
        assert!(!structure.reducible && !structure.retreating.is_empty());
        assert_eq!(structure.loop_headers.len(), 1);
        assert!(structure.back_edges.is_empty());
    }

    #[test]
    fn no_way_out() {
        let lts = lts("for (;;) x++; return 0;");
        let structure = Structure::new(&lts);
        assert_eq!(headers(&structure), [0]);
        assert_eq!(structure.distance_to_exit(lts.entry), None);
        assert!(!structure.dominates(lts.entry, lts.exit));
    }
}
