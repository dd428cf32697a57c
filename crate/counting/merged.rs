//! Counts feasible paths by merged states: two prefixes that end at one location with the same set of states go on alike.
//!
//! The *merged graph* has one node for each set of states ([`States`]) that a feasible prefix leads to, and one arc for each edge
//! that some of these states pass. If every set is exact, a path is feasible iff it is a path of this graph: by induction the
//! node's set is that of every prefix that leads to it, and none is empty. So `FP(l)` is the number of paths of the graph, which
//! [`crate::count`] counts like any other, and draws of feasible paths are uniform draws from it.
//!
//! 1. Go from the entry breadth first; leave a node alone where the exit is too far for the length asked for.
//! 2. Where a set is not exact, or an answer open, there is no such graph ([`Obstacle`]), and the caller enumerates.
//! 3. Walk along prefixes once more by themselves: refute each way out that the graph cuts from the program's edges, with a
//!    certificate of its own, and replay an input for each path to the exit. Where there are at most [`EACH_UP_TO`] paths, these
//!    are all prefixes; else one for each node, the shortest.
//!
//!    Evidence for each prefix needs no exact graph: then sets leave far ranges out ([`States::leave_out_far_ranges`]), more
//!    prefixes merge, and only where some prefix does not confirm that graph the exact one is built.
//! 4. Where there are more paths, show by induction that the graph is exact ([`crate::evidence::graph`],
//!    [`crate::evidence::counted`]), with a certificate for each step.
//!
//! What rests on what: see [`super::Basis`]. Where 4 fails, the cuts have certificates for the prefixes of 3 and follow for the
//! others from the equality of sets, which is the normal form's and the projection's; a test compares with plain enumeration.

use crate::count::{Graph, totals};
use crate::counting::instances;
use crate::evidence::counted::{Exactness, counted_claim};
use crate::evidence::graph::{Pruned, PrunedNode};
use crate::interp::Machine;
use crate::invariants::certify::{Confirmed, confirmed};
use crate::invariants::invariant_graph::Occurrence;
use crate::lts::{EdgeId, LocationId, Lts};
use crate::run::trace::{Event, Trace};
use crate::search::{PathPrefix, SearchStep};
use crate::solver::Reason;
use crate::solver::meter::Exhausted;
use crate::states::{Ask, SetId, States, Successor};
use std::collections::HashMap;

/// So many paths each get evidence of their own, if there are no more than so many prefixes and ways out to walk along for it: a
/// few feasible paths may stand beside a hundred thousand times as many that the graph cuts.
pub const EACH_UP_TO: u32 = 5_000;
pub const EACH_PREFIXES: u64 = 150_000;

/// Why there is no exact merged graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A set of states has no exact description after this edge.
    Inexact(EdgeId),
    /// It is open whether a set is empty.
    Open(EdgeId, Reason),
    /// The walk along a prefix did not confirm the graph.
    Doubt(Reason),
    /// Paths read standard input, and which values a text gives is known of each path alone.
    Stdin,
    /// The steps are used up.
    Exhausted(Exhausted),
}

impl From<Exhausted> for Obstacle {
    fn from(why: Exhausted) -> Obstacle {
        Obstacle::Exhausted(why)
    }
}

/// The feasible prefixes up to a length, merged.
#[derive(Clone, Debug)]
pub struct Merged {
    pub length: u32,
    pub nodes: Vec<MergedNode>,
    finals: Vec<LocationId>,
    /// Whether each node's set is exact; else sets may be too large.
    exact: bool,
}

/// How much of a merged graph is there.
#[derive(Clone, Copy, Debug)]
pub struct MergedExtent {
    /// A graph of this length at most is all there.
    pub length: u32,
    /// Whether it has more than [`EACH_UP_TO`] paths.
    pub is_large: bool,
}

/// How far the merged graph grew.
pub enum Grown {
    Whole(Merged),
    /// The steps did not suffice.
    Cut(MergedExtent, Exhausted),
    /// There is none.
    None(Obstacle),
}

/// A set of states that feasible prefixes lead to.
#[derive(Clone, Debug)]
pub struct MergedNode {
    pub set: SetId,
    pub location: LocationId,
    /// The length of the shortest prefix that leads here.
    depth: u32,
    /// The edges that some state passes, and the nodes they lead to.
    pub arcs: Vec<(EdgeId, u32)>,
    /// Those of them in the tree of shortest prefixes.
    pub tree: Vec<(EdgeId, u32)>,
    /// The edges that no state passes.
    pub cut: Vec<EdgeId>,
}

/// Whether each path of a confirmed graph up to a length is shown to be feasible; tells the trace.
///
/// # Errors
/// When the steps are used up.
pub fn proved_exact(states: &mut States, confirmed: &Confirmed, length: u32, trace: &Trace, ask: &mut Ask) -> Result<bool, Exhausted> {
    let Confirmed { pruned: graph, certificates, doubt } = confirmed;
    // A value that is read is arbitrary here, and there may be no text that gives it.
    if doubt.is_some() || states.lts.reads_stdin() {
        return Ok(false);
    }
    let Ok(proof) = instances::prove(states, graph, length, ask)? else { return Ok(false) };
    let exactness = Exactness { certificates, instances: &proof.instances, exact: &proof.certificates };
    let claim = |number| counted_claim(number, &states.pool, graph, length, exactness);
    Ok(trace.proved(certificates.len() + proof.certificates.len(), &claim).is_ok())
}

impl Merged {
    /// 1. and 2.
    ///
    /// # Errors
    /// The first obstacle.
    pub fn new(states: &mut States, distance: &[Option<u32>], length: u32, ask: &mut Ask) -> Result<Merged, Obstacle> {
        if states.lts.reads_stdin() {
            return Err(Obstacle::Stdin);
        }
        match Merged::grown(states, distance, length, ask) {
            Grown::Whole(merged) => Ok(merged),
            Grown::Cut(_, why) => Err(why.into()),
            Grown::None(obstacle) => Err(obstacle),
        }
    }

    /// As [`Merged::new`]; where the steps do not suffice, with how far they do.
    pub fn grown(states: &mut States, distance: &[Option<u32>], length: u32, ask: &mut Ask) -> Grown {
        let mut merged = Merged { length, nodes: Vec::new(), finals: Vec::new(), exact: true };
        match merged.grow(states, distance, ask) {
            Ok(()) => Grown::Whole(merged),
            Err(Obstacle::Exhausted(why)) => {
                // It went breadth first: nodes of smaller depths than the last one with arcs have all of theirs.
                let last = merged.nodes.iter().rfind(|node| !node.arcs.is_empty() || !node.cut.is_empty());
                let length = last.map_or(0, |node| node.depth);
                let is_large = totals(&merged.graph(), &[length]).iter().any(|paths| *paths > EACH_UP_TO.into());
                Grown::Cut(MergedExtent { length, is_large }, why)
            }
            Err(obstacle) => Grown::None(obstacle),
        }
    }

    fn grow(&mut self, states: &mut States, distance: &[Option<u32>], ask: &mut Ask) -> Result<(), Obstacle> {
        let length = self.length;
        let merged = self;
        let lts = states.lts;
        let within = |location: LocationId, depth: u32| {
            distance[location.index()].is_some_and(|rest| u64::from(depth) + u64::from(rest) <= length.into())
        };
        let (set, exact) = states.initial(ask)?;
        if !exact {
            let first = states.outgoing(lts.entry).first().map_or(EdgeId::new(0), |arc| arc.0);
            return Err(Obstacle::Inexact(first));
        }
        let mut numbers: HashMap<SetId, u32> = HashMap::from([(set, 0)]);
        merged.nodes.push(MergedNode { set, location: lts.entry, depth: 0, arcs: Vec::new(), tree: Vec::new(), cut: Vec::new() });
        let mut next = 0;
        while next < merged.nodes.len() {
            let MergedNode { set, location, depth, .. } = merged.nodes[next];
            if location == lts.exit {
                merged.finals.push(LocationId::new(next));
            }
            for (edge, to) in states.outgoing(location).to_vec() {
                if !within(to, depth + 1) {
                    continue;
                }
                match states.successor(set, edge, ask)? {
                    Successor::Empty(_) => merged.nodes[next].cut.push(edge),
                    Successor::States { open: Some(reason), .. } => return Err(Obstacle::Open(edge, reason)),
                    Successor::States { exact: false, .. } => {
                        // Without this, the caller would build anew with far ranges, and end here too.
                        if states.has_left_out() && !states.is_exact_with_far_ranges(set, edge, ask)? {
                            states.keep_far_ranges();
                        }
                        return Err(Obstacle::Inexact(edge));
                    }
                    Successor::States { set, .. } => {
                        let new = merged.nodes.len() as u32;
                        let number = *numbers.entry(set).or_insert(new);
                        if number == new {
                            merged.nodes.push(MergedNode {
                                set,
                                location: to,
                                depth: depth + 1,
                                arcs: Vec::new(),
                                tree: Vec::new(),
                                cut: Vec::new(),
                            });
                            merged.nodes[next].tree.push((edge, new));
                        }
                        merged.nodes[next].arcs.push((edge, number));
                    }
                }
            }
            next += 1;
        }
        merged.exact = !states.has_left_out();
        Ok(())
    }

    /// Whether each node's set is exact.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether each path can have evidence of its own; `distance` is that of each location to the exit, in edges.
    pub fn is_small(&self, lts: &Lts, distance: &[Option<u32>]) -> bool {
        if totals(&self.graph(), &[self.length]).iter().any(|paths| *paths > EACH_UP_TO.into()) {
            return false;
        }
        // The prefixes of each length that lead to a node.
        let mut prefixes: Vec<u64> = vec![0; self.nodes.len()];
        prefixes[0] = 1;
        let mut all = 0u64;
        for depth in 0..=self.length as usize {
            let mut next = vec![0u64; self.nodes.len()];
            for (node, &count) in self.nodes.iter().zip(&prefixes).filter(|(_, count)| **count > 0) {
                let cuts = node.cut.iter().filter(|&&edge| self.within(lts, distance, edge, depth)).count() as u64;
                all = all.saturating_add(count.saturating_mul(1 + cuts));
                for &(_, to) in node.arcs.iter().filter(|&&(edge, _)| self.within(lts, distance, edge, depth)) {
                    next[to as usize] = next[to as usize].saturating_add(count);
                }
            }
            if all > EACH_PREFIXES {
                return false;
            }
            prefixes = next;
        }
        true
    }

    /// Whether an edge after a prefix of this length leads to the exit within the length asked for.
    fn within(&self, lts: &Lts, distance: &[Option<u32>], edge: EdgeId, depth: usize) -> bool {
        distance[lts.edge(edge).2.index()].is_some_and(|rest| depth as u64 + u64::from(rest) < self.length.into())
    }

    /// How many sets of states there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The graph as places with what holds there. Edges that lead too far from the exit go on in the function itself: so it has
    /// all feasible paths of any length, and up to the length of the request the same as [`Merged::graph`].
    pub fn pruned(&self, states: &States) -> Pruned {
        let node = |number: u32| {
            let location = self.nodes[number as usize].location;
            PrunedNode::Red { vertex: number, location, index: 0 }
        };
        Pruned::closed(states.lts, node(0), &mut |at| {
            let PrunedNode::Red { vertex, .. } = at else { unreachable!("every node here is red or black") };
            self.occurrence(states, vertex, &node, &|_, black| Some(PrunedNode::Black(black)))
        })
    }

    /// What is known of a node; `node_of` gives that of a node, and `beyond` where an edge leads that is too far from the exit.
    pub fn occurrence(
        &self,
        states: &States,
        number: u32,
        node_of: &dyn Fn(u32) -> PrunedNode,
        beyond: &dyn Fn(EdgeId, LocationId) -> Option<PrunedNode>,
    ) -> Occurrence {
        let node = &self.nodes[number as usize];
        let to = |edge: EdgeId, black: LocationId| match node.arcs.iter().find(|arc| arc.0 == edge) {
            Some(&(_, to)) => Some(node_of(to)),
            None if node.cut.contains(&edge) => None,
            None => beyond(edge, black),
        };
        let ways = states.outgoing(node.location).iter().map(|&(edge, black)| (edge, to(edge, black)));
        Occurrence { holds: states.conjuncts(node.set).to_vec(), ways: ways.collect() }
    }

    /// Step 4: whether it shows that the graph is exact; tells the trace.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn induction(&self, states: &mut States, trace: &Trace, ask: &mut Ask) -> Result<bool, Exhausted> {
        let pruned = self.pruned(states);
        let confirmed = confirmed(states, pruned, ask)?;
        proved_exact(states, &confirmed, self.length, trace, ask)
    }

    /// The graph to count and draw in; its paths are edges of the program. Up to the length its paths are the feasible ones.
    pub fn graph(&self) -> Graph {
        let of_node = |(from, node)| {
            let node: &MergedNode = node;
            node.arcs.iter().map(move |&(edge, to)| (edge, LocationId::new(from), LocationId::new(to as usize)))
        };
        let arcs = self.nodes.iter().enumerate().flat_map(of_node);
        Graph::new(self.nodes.len(), LocationId::new(0), &self.finals, arcs)
    }

    /// Step 3: walks along all prefixes (`each`), or along the tree of shortest prefixes; `distance` is that of each location to
    /// the exit. Gives a reason not to believe the graph, if there is one.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn confirm(
        &self,
        lts: &Lts,
        machine: &Machine,
        distance: &[Option<u32>],
        each: bool,
        trace: &Trace,
        ask: &mut Ask,
    ) -> Result<Option<Reason>, Exhausted> {
        let within = |edge: EdgeId, depth: usize| self.within(lts, distance, edge, depth);
        let mut walk = PathPrefix::new(lts);
        let mut doubt = None;
        let mut open = vec![(0u32, 0usize)];
        while let Some((number, next)) = open.last_mut() {
            let node = &self.nodes[*number as usize];
            let depth = walk.len();
            if *next == 0 {
                for &edge in node.cut.iter().filter(|&&edge| within(edge, depth)) {
                    match walk.step(edge, ask.meter, ask.log) {
                        SearchStep::Infeasible(refutation) => {
                            let mut path = walk.path();
                            path.push(edge);
                            let claimed = trace.claim(Event::Refuted { path: &path, pool: walk.pool(), refutation: &refutation });
                            doubt = claimed.err().or(doubt);
                        }
                        SearchStep::Open(reason) => {
                            doubt = Some(reason);
                            walk.back();
                        }
                        SearchStep::Feasible => {
                            debug_assert!(!self.exact, "a merged state was cut wrongly");
                            doubt = Some(Reason::Rejected);
                            walk.back();
                        }
                    }
                }
                if node.location == lts.exit {
                    let claimed = super::believed(walk.witness(machine))
                        .and_then(|input| trace.claim(Event::Reached { path: &walk.path(), input: &input, after: &[] }));
                    doubt = claimed.err().or(doubt);
                }
            }
            let ways = if each { &node.arcs } else { &node.tree };
            match ways.get(*next) {
                Some(&(edge, _)) if !within(edge, depth) => *next += 1,
                Some(&(edge, to)) => {
                    *next += 1;
                    match walk.step(edge, ask.meter, ask.log) {
                        SearchStep::Infeasible(_) => {
                            debug_assert!(!self.exact, "a merged state is empty");
                            return Ok(Some(Reason::Rejected));
                        }
                        SearchStep::Open(reason) => doubt = Some(reason),
                        SearchStep::Feasible => {}
                    }
                    open.push((to, 0));
                }
                None => {
                    open.pop();
                    walk.back();
                }
            }
            ask.meter.spend(1)?;
        }
        Ok(doubt)
    }
}
