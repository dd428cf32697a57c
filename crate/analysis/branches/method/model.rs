//! The generalised control-flow graph (BDP16, Section 3): what runs have shown and what is known of the ways to untaken edges, in one model.
//!
//! | paper | here |
//! |---|---|
//! | S-state | [`ReachedState`]: a location with the path of some run to it; its predicate is the path's condition |
//! | R-state | [`TargetStates`]: a location with a condition on the variables there, from which the way to a target is known |
//! | target node | a [`TargetStates`] after a target edge, whose condition is true |
//! | frontier edge | an open [`Gap`]: an edge into a wanted state, from a location that runs have reached |
//! | call strings | the graph has a location of its own for each chain of calls (they are inlined), so that a path never returns to another caller |
//!
//! A target is any edge that no run takes and that leaves a location that some run reaches; what lies after it becomes a target when it does,
//! or cannot be reached either.
//!
//! Invariants of the paper: reached states are satisfiable, as runs got there (Inv1); wanted states are not known to be unsatisfiable: such
//! become no state (Inv2); of wanted states that a run has satisfied it is noted that their condition says too little (Inv3); each wanted
//! state leads to a target that is not taken yet (Inv4); no gap before a wanted state is gone (Inv5). [`Model::broken`] checks the last two.

use crate::logic::{Arrange, FormulaId, Pool};
use crate::lts::{EdgeId, LocationId, Lts};
use petgraph::Direction;
use petgraph::visit::EdgeRef;
use rustc_hash::FxHashMap;

/// States further along a path than this are only kept for places that no run has reached before.
const FAR: usize = 500;

/// A place that a run has got to, by its path.
#[derive(Clone, Debug)]
pub struct ReachedState {
    pub location: LocationId,
    /// The path's state before its last edge, and that edge.
    pub parent: Option<(usize, EdgeId)>,
    pub length: usize,
    /// The run that got here first.
    pub run: usize,
}

/// States at a location from which the way to a target is known.
#[derive(Clone, Debug)]
pub struct TargetStates {
    pub location: LocationId,
    /// Over the values of the variables at the location.
    pub condition: FormulaId,
    /// The edge to take from here, and the target state after it; `None` at a target.
    pub way: Option<(EdgeId, usize)>,
    pub target: EdgeId,
    /// Edges up to the target.
    pub depth: u32,
    /// Whether each state that satisfies the condition goes that way.
    pub is_exact: bool,
    /// Whether a run has satisfied the condition and gone another way, as it says too little: no proof uses it.
    pub is_touched: bool,
    pub is_removed: bool,
    /// The gaps in front of it.
    pub gaps: Vec<usize>,
}

/// An edge into a wanted state.
#[derive(Clone, Debug)]
pub struct Gap {
    pub edge: EdgeId,
    pub to: usize,
    /// So many of the reached states before the edge, in their order, cannot go on to the wanted state.
    pub tried: usize,
    pub closed: Option<Closed>,
}

/// What became of a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closed {
    /// Its precondition became a wanted state.
    Refined(usize),
    /// Its precondition contradicts itself, or is part of these wanted states.
    Excluded(Vec<usize>),
    /// Its precondition is too large.
    GivenUp,
    /// The wanted state after it is gone.
    Removed,
}

/// The model.
#[derive(Debug)]
pub struct Model<'a> {
    pub lts: &'a Lts,
    pub reached: Vec<ReachedState>,
    /// Those at each location.
    pub reached_at: Vec<Vec<usize>>,
    next: FxHashMap<(usize, EdgeId), usize>,
    pub target_states: Vec<TargetStates>,
    /// Those at each location that are not removed.
    pub target_states_at: Vec<Vec<usize>>,
    pub gaps: Vec<Gap>,
    /// The gaps whose edge leaves the location.
    pub gaps_from: Vec<Vec<usize>>,
    /// For each edge the wanted state of it as a target.
    pub targets: FxHashMap<EdgeId, usize>,
}

impl<'a> Model<'a> {
    /// The entry alone.
    pub fn new(lts: &'a Lts) -> Model<'a> {
        let empty = vec![Vec::new(); lts.graph.node_count()];
        let mut model = Model {
            lts,
            reached: vec![ReachedState { location: lts.entry, parent: None, length: 0, run: 0 }],
            reached_at: empty.clone(),
            next: FxHashMap::default(),
            target_states: Vec::new(),
            target_states_at: empty.clone(),
            gaps: Vec::new(),
            gaps_from: empty,
            targets: FxHashMap::default(),
        };
        model.reached_at[lts.entry.index()].push(0);
        model
    }

    /// Adds the states along a run's path; gives them in the order of the path.
    pub fn add_run(&mut self, run: usize, path: &[EdgeId]) -> Vec<usize> {
        let mut at = 0;
        let mut states = vec![0];
        for &edge in path {
            let location = self.lts.edge(edge).2;
            at = match self.next.get(&(at, edge)) {
                Some(&next) => next,
                None => {
                    let next = self.reached.len();
                    let length = self.reached[at].length + 1;
                    self.reached.push(ReachedState { location, parent: Some((at, edge)), length, run });
                    // Far along a path each step costs more, and what is there is mostly nearer on another one.
                    let there = &mut self.reached_at[location.index()];
                    if length <= FAR || there.is_empty() {
                        there.push(next);
                    }
                    self.next.insert((at, edge), next);
                    next
                }
            };
            states.push(at);
        }
        states
    }

    /// Whether a run has gone from the reached state along the edge.
    pub fn follows(&self, state: usize, edge: EdgeId) -> bool {
        self.next.contains_key(&(state, edge))
    }

    /// Makes an edge a target, with its gap, and gives the number of the gap.
    pub fn add_target(&mut self, edge: EdgeId) -> usize {
        let location = self.lts.edge(edge).2;
        let state = self.push(TargetStates {
            location,
            condition: Pool::TRUE,
            way: None,
            target: edge,
            depth: 0,
            is_exact: true,
            is_touched: false,
            is_removed: false,
            gaps: Vec::new(),
        });
        self.targets.insert(edge, state);
        self.add_gap(edge, state)
    }

    /// Adds what is wanted before a gap, which this closes; gives its number, and those of the gaps before it.
    pub fn refine(&mut self, gap: usize, condition: FormulaId, is_exact: bool) -> (usize, Vec<usize>) {
        let Gap { edge, to, .. } = self.gaps[gap];
        let location = self.lts.edge(edge).1;
        let next = &self.target_states[to];
        let state = TargetStates {
            location,
            condition,
            way: Some((edge, to)),
            target: next.target,
            depth: next.depth + 1,
            is_exact: is_exact && next.is_exact,
            is_touched: false,
            is_removed: false,
            gaps: Vec::new(),
        };
        let state = self.push(state);
        self.target_states_at[location.index()].push(state);
        self.gaps[gap].closed = Some(Closed::Refined(state));
        let mut into: Vec<EdgeId> = self.lts.graph.edges_directed(location, Direction::Incoming).map(|edge| edge.id()).collect();
        into.arrange();
        (state, into.into_iter().map(|edge| self.add_gap(edge, state)).collect())
    }

    fn push(&mut self, state: TargetStates) -> usize {
        self.target_states.push(state);
        self.target_states.len() - 1
    }

    fn add_gap(&mut self, edge: EdgeId, to: usize) -> usize {
        let number = self.gaps.len();
        self.gaps.push(Gap { edge, to, tried: 0, closed: None });
        self.gaps_from[self.lts.edge(edge).1.index()].push(number);
        self.target_states[to].gaps.push(number);
        number
    }

    /// Whether the gap is a frontier edge.
    pub fn is_frontier(&self, gap: usize) -> bool {
        let Gap { edge, to, ref closed, .. } = self.gaps[gap];
        closed.is_none() && !self.target_states[to].is_touched && !self.reached_at[self.lts.edge(edge).1.index()].is_empty()
    }

    /// Algorithm 3, ModelCoarseningStep: removes what is wanted for a target that is settled. Gaps of others that are part of what goes are
    /// open again; gives those.
    pub fn coarsen(&mut self, target: EdgeId) -> Vec<usize> {
        let Some(first) = self.targets.remove(&target) else { return Vec::new() };
        let mut waiting = vec![first];
        while let Some(state) = waiting.pop() {
            self.target_states[state].is_removed = true;
            for gap in std::mem::take(&mut self.target_states[state].gaps) {
                if let Some(Closed::Refined(before)) = self.gaps[gap].closed.replace(Closed::Removed) {
                    waiting.push(before);
                }
            }
        }
        for states in &mut self.target_states_at {
            states.retain(|&state| !self.target_states[state].is_removed);
        }
        for gaps in &mut self.gaps_from {
            gaps.retain(|&gap| self.gaps[gap].closed != Some(Closed::Removed));
        }
        let mut open = Vec::new();
        for number in 0..self.gaps.len() {
            let gap = &mut self.gaps[number];
            if let Some(Closed::Excluded(by)) = &gap.closed
                && by.iter().any(|&state| self.target_states[state].is_removed)
            {
                gap.closed = None;
                open.push(number);
            }
        }
        open
    }

    /// The states on which it rests that no execution takes the target, if there is no open gap before them; `leads_to` gives the targets
    /// without which no way leads to a location that no run has reached.
    pub fn proof(&self, target: EdgeId, leads_to: impl Fn(LocationId) -> Vec<EdgeId>) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        let mut seen = vec![false; self.target_states.len()];
        let mut waiting = vec![*self.targets.get(&target)?];
        while let Some(state) = waiting.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            let target_state = &self.target_states[state];
            if target_state.is_touched || target_state.is_removed {
                return None;
            }
            found.push(state);
            for &gap in &target_state.gaps {
                let Gap { edge, closed, .. } = &self.gaps[gap];
                match closed {
                    Some(Closed::Refined(before)) => waiting.push(*before),
                    Some(Closed::Excluded(by)) => waiting.extend(by),
                    Some(Closed::GivenUp | Closed::Removed) => return None,
                    None if self.is_frontier(gap) => return None,
                    None => {
                        for edge in leads_to(self.lts.edge(*edge).1) {
                            waiting.push(*self.targets.get(&edge)?);
                        }
                    }
                }
            }
        }
        Some(found)
    }

    /// Which of the invariants does not hold, if any; those that need no solver.
    pub fn broken(&self, is_taken: impl Fn(EdgeId) -> bool) -> Option<&'static str> {
        let live = || self.target_states.iter().filter(|state| !state.is_removed);
        if live().any(|state| is_taken(state.target) || !self.targets.contains_key(&state.target)) {
            return Some("Inv4: a state leads to no target");
        }
        let leads_on = |state: &TargetStates| {
            state.way.is_none_or(|(edge, to)| !self.target_states[to].is_removed && self.lts.edge(edge).1 == state.location)
        };
        if !live().all(leads_on) {
            return Some("Inv4: the way of a state ends");
        }
        if live().any(|state| state.gaps.iter().any(|&gap| self.gaps[gap].closed == Some(Closed::Removed))) {
            return Some("Inv5: a gap before a state is gone");
        }
        None
    }
}
