//! All backbones that lead to the target, with what they have in common shared: a tree whose nodes are the acyclic paths from the entry.
//!
//! Source: ST12, Sections 2 and 3.1.
//!
//! | paper | here |
//! |---|---|
//! | prefix `αv` of a backbone | a node; its path is the way from the root |
//! | backbone | a node with a target edge, and that edge: a [`Goal`] |
//! | loop `C` at entry node `v` along the backbone | a node to which edges of its descendants lead back: its [`PathTree::rounds`] |
//! | backbones of the induced flowgraph `P(C, v)` | the ways from that node to these edges |
//!
//! Ways that contradict themselves at sight are left out ([`Sketch`]): inlining makes many of them, with a constant that is returned here
//! and asked about there.
//!
//! An edge back to a location on a node's path ends a round of the loop there, so the nodes with all edges are a graph that has every
//! execution as far as it can still get to the target. Parents have smaller numbers than their children.

use crate::logic::{Formula, FormulaId, Pool, SortedSet};
use crate::lts::{EdgeId, Label, LocationId, Lts};
use crate::symex::State;
use petgraph::Direction;
use petgraph::visit::EdgeRef;

/// An acyclic path from the entry.
#[derive(Clone, Debug)]
pub struct TreeNode {
    pub location: LocationId,
    /// The path without its last edge, and that edge; none for the root.
    pub parent: Option<(usize, EdgeId)>,
    /// The paths that are longer by an edge.
    pub children: Vec<(EdgeId, usize)>,
    /// Edges to a location on the path, and the node of the path up to there.
    pub back: Vec<(EdgeId, usize)>,
    /// Edges that are targets.
    pub goals: Vec<EdgeId>,
    /// Edges after which no way leads to the target.
    pub lost: Vec<EdgeId>,
    /// Edges that contradict what the path says, at sight.
    pub dead: Vec<EdgeId>,
}

/// The end of a backbone: its last edge is a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    pub node: usize,
    pub edge: EdgeId,
}

/// The end of a round of a loop: this edge leads from the node back to the loop's entry node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundEnd {
    pub node: usize,
    pub edge: EdgeId,
}

/// The tree; its root is node 0.
#[derive(Clone, Debug, Default)]
pub struct PathTree {
    pub nodes: Vec<TreeNode>,
    pub goals: Vec<Goal>,
    /// The target edges, with those that no way takes.
    pub targets: SortedSet<EdgeId>,
    /// For each node the ends of the rounds of the loop there; none where there is no loop.
    pub rounds: Vec<Vec<RoundEnd>>,
}

/// That there are more nodes than wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

impl PathTree {
    /// The tree of all backbones to one of the edges.
    ///
    /// # Errors
    /// Where it would have more than `most` nodes.
    pub fn new(lts: &Lts, targets: &SortedSet<EdgeId>, most: usize) -> Result<PathTree, TooMany> {
        let leads = leading(lts, targets);
        let mut pool = Pool::new();
        let mut tree = PathTree { targets: targets.clone(), ..PathTree::default() };
        if !leads[lts.entry.index()] {
            return Ok(tree);
        }
        tree.add(lts.entry, None);
        let mut first = Sketch { state: State::initial(lts, &mut pool), said: SortedSet::new() };
        first.arrive(lts, &mut pool, lts.entry, &[], 0);
        // Depth first, so that goals come in the order of the edges' numbers.
        let mut open = vec![(0, first)];
        while let Some((node, sketch)) = open.pop() {
            let location = tree.nodes[node].location;
            let mut longer = Vec::new();
            for (edge, to) in lts.outgoing(location) {
                let mut sketch = sketch.clone();
                if (leads[to.index()] || targets.contains(&edge)) && !sketch.passes(lts, &mut pool, edge) {
                    tree.nodes[node].dead.push(edge);
                } else if targets.contains(&edge) {
                    tree.nodes[node].goals.push(edge);
                    tree.goals.push(Goal { node, edge });
                } else if let Some(head) = tree.on_path(node, to) {
                    tree.nodes[node].back.push((edge, head));
                    tree.rounds[head].push(RoundEnd { node, edge });
                } else if leads[to.index()] {
                    if tree.nodes.len() >= most {
                        return Err(TooMany);
                    }
                    let child = tree.add(to, Some((node, edge)));
                    tree.nodes[node].children.push((edge, child));
                    let path: Vec<LocationId> =
                        tree.way(0, node).iter().map(|&(_, at)| tree.nodes[at].location).chain([lts.entry]).collect();
                    sketch.arrive(lts, &mut pool, to, &path, child);
                    longer.push((child, sketch));
                } else {
                    tree.nodes[node].lost.push(edge);
                }
            }
            open.extend(longer.into_iter().rev());
        }
        Ok(tree)
    }

    fn add(&mut self, location: LocationId, parent: Option<(usize, EdgeId)>) -> usize {
        let (children, back) = (Vec::new(), Vec::new());
        self.nodes.push(TreeNode { location, parent, children, back, goals: Vec::new(), lost: Vec::new(), dead: Vec::new() });
        self.rounds.push(Vec::new());
        self.nodes.len() - 1
    }

    fn on_path(&self, mut node: usize, location: LocationId) -> Option<usize> {
        loop {
            if self.nodes[node].location == location {
                return Some(node);
            }
            node = self.nodes[node].parent?.0;
        }
    }

    /// Whether a loop is entered at the node.
    pub fn is_entry(&self, node: usize) -> bool {
        !self.rounds[node].is_empty()
    }

    /// The way from one node down to another: each edge with the node that it leads to.
    pub fn way(&self, from: usize, to: usize) -> Vec<(EdgeId, usize)> {
        let mut way = Vec::new();
        let mut at = to;
        while at != from {
            let Some((parent, edge)) = self.nodes[at].parent else { break };
            way.push((edge, at));
            at = parent;
        }
        way.reverse();
        way
    }

    /// The edges of a backbone.
    pub fn backbone(&self, goal: Goal) -> Vec<EdgeId> {
        self.way(0, goal.node).into_iter().map(|(edge, _)| edge).chain([goal.edge]).collect()
    }
}

/// From which locations a way leads to one of the edges.
pub fn leading(lts: &Lts, targets: &SortedSet<EdgeId>) -> Vec<bool> {
    let mut leads = vec![false; lts.graph.node_count()];
    let mut open: Vec<LocationId> = targets.iter().map(|&edge| lts.edge(edge).1).collect();
    while let Some(location) = open.pop() {
        if !std::mem::replace(&mut leads[location.index()], true) {
            open.extend(lts.graph.edges_directed(location, Direction::Incoming).map(|edge| edge.source()));
        }
    }
    leads
}

/// What is plain to see of an execution along a path: terms and decisions, where values that a loop may have changed are arbitrary.
#[derive(Clone, Debug)]
struct Sketch {
    state: State,
    said: SortedSet<FormulaId>,
}

impl Sketch {
    /// Goes along an edge; gives whether that does not contradict what was said.
    fn passes(&mut self, lts: &Lts, pool: &mut Pool, edge: EdgeId) -> bool {
        let (_, undo) = self.state.apply(lts, pool, edge);
        undo.decided().iter().all(|&part| match pool.formula(part) {
            Formula::False => false,
            Formula::True => true,
            _ => {
                let denied = pool.not(part);
                self.said.insert(part);
                !self.said.contains(&denied)
            }
        })
    }

    /// Arrives at a location: what rounds of a loop there may change is arbitrary from now on.
    fn arrive(&mut self, lts: &Lts, pool: &mut Pool, location: LocationId, path: &[LocationId], node: usize) {
        for edge in looping(lts, location, path) {
            match &lts.graph[edge].label {
                Label::Assign(id, _) | Label::Havoc(id) => self.state.set_variable(*id, pool.integer(&format!("@{}@{node}", id.0))),
                Label::Store { array, .. } | Label::Fill(array, _) | Label::HavocArray(array) => {
                    self.state.replace_array(*array, pool.array_symbol(&format!("@[{}]@{node}", array.0)));
                }
                Label::Skip | Label::Assume { .. } => {}
            }
        }
        // Draws have numbers of their own at each node.
        self.state.set_nondet_count(node as u32 * DRAWS);
    }
}

/// More values than an edge draws.
const DRAWS: u32 = 1 << 12;

/// The edges of the loop at a location: those on ways from there and back that avoid the path.
fn looping(lts: &Lts, location: LocationId, path: &[LocationId]) -> Vec<EdgeId> {
    let spread = |direction: Direction| {
        let mut seen = vec![false; lts.graph.node_count()];
        path.iter().for_each(|on| seen[on.index()] = true);
        let mut open = vec![location];
        let mut found = vec![false; lts.graph.node_count()];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut seen[at.index()], true) {
                found[at.index()] = true;
                open.extend(lts.graph.neighbors_directed(at, direction));
            }
        }
        found
    };
    let (after, before) = (spread(Direction::Outgoing), spread(Direction::Incoming));
    let inside = |at: LocationId| after[at.index()] && before[at.index()];
    let is_inside = |edge: &EdgeId| inside(lts.edge(*edge).1) && inside(lts.edge(*edge).2);
    lts.graph.edge_indices().filter(is_inside).collect()
}
