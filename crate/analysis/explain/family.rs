//! From an explanation to the family of paths that contain it (DBG10, Figs. 6 and 7, Definition 3).
//!
//! | paper | here |
//! |---|---|
//! | path `π`, statements `π_i` | [`Trail`]: its edges, positions from 0 |
//! | `onPath_π(K) = N` | the positions of the explanation's constraints |
//! | `k`, `L` of `extendPath` | a *leg*: the way to the next indispensable edge, and what must not be written on it |
//! | `extension(s, d, V)` | the part of the program graph between two indispensable edges that does not write `V` |
//! | `ω` | the accepting state |
//!
//! Going backwards from the last edge of `N`, an edge is *indispensable* if it is in `N` or writes something that is live.
//! Between two indispensable edges the family may go any way through the program that writes nothing live.
//!
//! `DIVERGENCE:` Fig. 6 makes a copy of the program for each decision on the path, from its other side on (the print says the
//! decision's own side, which misses a path of Fig. 2), and copies of one leg differ in nothing but where they are
//! entered. Here a leg has one copy, and the path runs through it. The languages are those of Definition 3: besides Fig. 6's
//! also rounds through a loop that the path itself passes without a decision.
//!
//! `DIVERGENCE:` in Fig. 7 all transitions at a statement that writes `V` go. Here only those behind it go: a statement that is
//! indispensable and writes `V` may be reached. The entry counts as a statement that writes everything: no path passes
//! through it twice.
//!
//! `DIVERGENCE:` arrays. The paper leaves `maywrite` to the user. Here a store anywhere but on the path writes every element unless
//! its index is a constant of the text. On the path the index is mostly known: a store to another element than the live
//! one may then stay where it is, provided that its index is the same in the whole family. If it follows from what is
//! live at the leg's beginning, the path keeps a *lane* of its own beside the copy up to the store; else the store becomes
//! indispensable for its index.

use super::dependencies::{Access, Effects, Resource, Resources, Write};
use crate::automaton::{Automaton, StateId};
use crate::lts::{EdgeId, LocationId, Lts};

/// How far a family reaches around its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extension {
    /// Fig. 6: detours from the path, each from the other side of a decision on it to the next indispensable edge.
    #[default]
    Detours,
    /// Definition 3: any way from one indispensable edge to the next.
    AnyWay,
}

/// A path with what its edges read and write.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    pub edges: Vec<EdgeId>,
    pub accesses: Vec<Access>,
    /// How many values `nondet()` gave before each edge.
    pub nondet: Vec<u32>,
}

/// A family of paths that contain an explanation.
#[derive(Clone, Debug)]
pub struct Family {
    /// As built: a word is accepted as soon as it contains the explanation.
    pub automaton: Automaton,
    /// For each state its location; the accepting state has that behind the last edge.
    pub locations: Vec<LocationId>,
    /// For each state the leg that it belongs to; the accepting state has none.
    pub legs: Vec<Option<u32>>,
    /// What is live on each leg.
    pub live: Vec<Vec<Resource>>,
    /// Transitions that are edges of the path: from, to, position on the path.
    pub on_path: Vec<(StateId, StateId, usize)>,
    /// The positions of the indispensable edges, ascending; each ends a leg.
    pub indispensable: Vec<usize>,
}

/// The program as the construction needs it.
pub struct Program<'a> {
    pub lts: &'a Lts,
    pub effects: &'a Effects,
    outgoing: Vec<Vec<(EdgeId, LocationId)>>,
    ends: Vec<(LocationId, LocationId)>,
}

impl<'a> Program<'a> {
    pub fn new(lts: &'a Lts, effects: &'a Effects) -> Program<'a> {
        Program {
            lts,
            effects,
            outgoing: lts.graph.node_indices().map(|location| lts.outgoing(location)).collect(),
            ends: lts.graph.edge_indices().map(|edge| (lts.edge(edge).1, lts.edge(edge).2)).collect(),
        }
    }

    /// The edges that leave a location.
    pub fn outgoing(&self, location: LocationId) -> &[(EdgeId, LocationId)] {
        &self.outgoing[location.index()]
    }
}

/// The indispensable positions, last first, each with what is live just before it.
fn legs(resources: &Resources, trail: &Trail, explanation: &[usize], all_stores: bool) -> Vec<(usize, Vec<Resource>)> {
    let Some(&last) = explanation.last() else { return Vec::new() };
    let mut live: Vec<Resource> = Vec::new();
    let mut found = Vec::new();
    let mut explained = explanation.iter().rev().peekable();
    for position in (0..=last).rev() {
        let access = &trail.accesses[position];
        let in_explanation = explained.next_if(|&&at| at == position).is_some();
        let writes = access.write.meets(resources, &live);
        let mut more: &[Resource] = if in_explanation || writes { &access.reads } else { &[] };
        if writes {
            match access.write {
                Write::Nothing => {}
                Write::Variable(written) | Write::Element(_, written) => live.retain(|&one| one != written),
                Write::Somewhere(array) => {
                    live.retain(|&one| resources.array(one) != Some(array));
                    live.push(resources.whole(array));
                }
                Write::Fill(array) => live.retain(|&one| resources.array(one) != Some(array)),
            }
        } else if let Write::Element(array, _) = access.write
            && all_stores
            && !in_explanation
            && live.iter().any(|&one| resources.array(one) == Some(array))
        {
            // Another element of a live array: the index has to stay what it is.
            more = &access.index_reads;
        } else if !in_explanation {
            continue;
        }
        live.extend(more);
        live.sort_unstable();
        live.dedup();
        found.push((position, live.clone()));
    }
    found
}

/// Whether the stores of a leg that cannot stay in the copy have indices that follow from what is live at its beginning, or
/// was live just before; gives the position behind the last one (or that of the beginning if there is none).
fn lane(
    program: &Program,
    resources: &Resources,
    trail: &Trail,
    live: &[Resource],
    before: &[Resource],
    positions: std::ops::Range<usize>,
) -> Option<usize> {
    let mut known = live.to_vec();
    if let Some(entered) = positions.start.checked_sub(1) {
        known.extend(before.iter().filter(|&&one| !trail.accesses[entered].write.meets(resources, &[one])));
    }
    let mut end = positions.start;
    for position in positions {
        let access = &trail.accesses[position];
        if program.effects.may_write(trail.edges[position]).meets(resources, live) {
            if !access.index_reads.iter().all(|read| known.contains(read)) {
                return None;
            }
            end = position + 1;
        }
        let follows = access.reads.iter().all(|read| known.contains(read));
        match access.write {
            Write::Variable(written) | Write::Element(_, written) if follows => known.push(written),
            Write::Variable(written) | Write::Element(_, written) => known.retain(|&one| one != written),
            Write::Somewhere(array) | Write::Fill(array) => known.retain(|&one| resources.array(one) != Some(array)),
            Write::Nothing => {}
        }
    }
    Some(end)
}

/// `extendPath(π, N, D)`: the family of the paths that contain the constraints at these positions (ascending) of the
/// path as they are there.
pub fn extend(program: &Program, resources: &Resources, trail: &Trail, explanation: &[usize], extension: Extension) -> Family {
    build(program, resources, trail, explanation, extension, false)
        .or_else(|| build(program, resources, trail, explanation, extension, true))
        .unwrap_or_else(|| only_the_path(program, trail, explanation))
}

/// The family of one path; never needed as long as the second way of building cannot fail.
fn only_the_path(program: &Program, trail: &Trail, explanation: &[usize]) -> Family {
    let length = explanation.last().map_or(0, |last| last + 1);
    let word: Vec<u32> = trail.edges[..length].iter().map(|edge| edge.index() as u32).collect();
    let mut locations: Vec<LocationId> = vec![program.lts.entry];
    locations.extend(trail.edges[..length].iter().map(|edge| program.ends[edge.index()].1));
    Family {
        automaton: Automaton::of_word(&word),
        legs: (0..length as u32).map(Some).chain([None]).collect(),
        live: vec![Vec::new(); length],
        on_path: (0..length).map(|position| (position as u32, position as u32 + 1, position)).collect(),
        indispensable: (0..length).collect(),
        locations,
    }
}

/// Makes a family; `None` if a lane cannot be justified.
fn build(
    program: &Program,
    resources: &Resources,
    trail: &Trail,
    explanation: &[usize],
    extension: Extension,
    all_stores: bool,
) -> Option<Family> {
    let mut found = legs(resources, trail, explanation, all_stores);
    found.reverse();
    let mut builder = Builder {
        program,
        trail,
        automaton: Automaton { initial: 0, accepting: Vec::new(), transitions: Vec::new() },
        locations: Vec::new(),
        legs: Vec::new(),
        on_path: Vec::new(),
        state_at: vec![NONE; program.outgoing.len()],
        seen: Vec::new(),
        blocked: vec![false; program.ends.len()],
        extension,
    };
    let mut first = program.lts.entry;
    let mut from = 0;
    let mut entered: Vec<(StateId, usize)> = Vec::new();
    for (number, (to, live)) in found.iter().enumerate() {
        let before: &[Resource] = number.checked_sub(1).map_or(&[], |before| &found[before].1);
        let end = lane(program, resources, trail, live, before, from..*to)?;
        let end = if extension == Extension::Detours { *to } else { end };
        for (edge, blocked) in builder.blocked.iter_mut().enumerate() {
            *blocked = program.effects.may_write(EdgeId::new(edge)).meets(resources, live);
        }
        entered = builder.leg(number as u32, first, from..*to, end, &entered);
        first = program.ends[trail.edges[*to].index()].1;
        from = *to + 1;
    }
    let accepting = builder.add_state(first, None);
    builder.automaton.accepting[accepting as usize] = true;
    builder.enter(&entered, accepting);
    let mut automaton = builder.automaton;
    for ways in &mut automaton.transitions {
        ways.sort_unstable();
        ways.dedup();
    }
    let (indispensable, live) = found.into_iter().unzip();
    Some(Family { automaton, locations: builder.locations, legs: builder.legs, live, on_path: builder.on_path, indispensable })
}

const NONE: StateId = StateId::MAX;

struct Builder<'p, 'a> {
    program: &'p Program<'a>,
    trail: &'p Trail,
    automaton: Automaton,
    locations: Vec<LocationId>,
    legs: Vec<Option<u32>>,
    on_path: Vec<(StateId, StateId, usize)>,
    /// The state of each location in the leg being built.
    state_at: Vec<StateId>,
    /// Locations that have such a state.
    seen: Vec<LocationId>,
    /// Edges that write something live on the leg being built.
    blocked: Vec<bool>,
    extension: Extension,
}

impl Builder<'_, '_> {
    fn add_state(&mut self, location: LocationId, leg: Option<u32>) -> StateId {
        self.locations.push(location);
        self.legs.push(leg);
        self.automaton.add_state(false)
    }

    fn add(&mut self, from: StateId, edge: EdgeId, to: StateId) {
        self.automaton.transitions[from as usize].push((edge.index() as u32, to));
    }

    /// Lets the edge at the end of the leg before lead to this state.
    fn enter(&mut self, entered: &[(StateId, usize)], to: StateId) {
        for &(from, position) in entered {
            self.add(from, self.trail.edges[position], to);
            self.on_path.push((from, to, position));
        }
    }

    /// One leg: from `first`, where the edge before leads, to the start of the edge at the end of `positions`. The path
    /// has a lane up to position `lane`; with detours that is all of the leg. Gives the states where that edge starts, with its position.
    fn leg(
        &mut self,
        number: u32,
        first: LocationId,
        positions: std::ops::Range<usize>,
        lane: usize,
        entered: &[(StateId, usize)],
    ) -> Vec<(StateId, usize)> {
        let program = self.program;
        let detours = self.extension == Extension::Detours;
        let goal = program.ends[self.trail.edges[positions.end].index()].0;
        // What can be entered: beside the lane, and without one at its beginning.
        for location in self.seen.drain(..) {
            self.state_at[location.index()] = NONE;
        }
        let mut starts = if detours { Vec::new() } else { vec![first] };
        for &edge in &self.trail.edges[positions.start..lane] {
            let (from, to) = program.ends[edge.index()];
            if !detours {
                starts.push(to);
            }
            let sides = program.outgoing(from).iter();
            starts.extend(sides.filter(|(other, _)| *other != edge && !self.blocked[other.index()]).map(|way| way.1));
        }
        self.copy(number, &starts, goal);
        let copied = self.state_at[goal.index()];
        // Without a detour that gets there the lane ends in a state of its own.
        let end = if copied == NONE { self.add_state(goal, Some(number)) } else { copied };
        let mut leaves = vec![(end, positions.end)];
        let mut begin = if detours { end } else { self.state_at[first.index()] };
        if lane > positions.start {
            begin = self.add_state(first, Some(number));
            let mut at = begin;
            for position in positions.start..lane {
                let edge = self.trail.edges[position];
                let (location, target) = program.ends[edge.index()];
                if location == goal && !detours {
                    leaves.push((at, positions.end));
                }
                for &(other, to) in program.outgoing(location) {
                    let to = self.state_at[to.index()];
                    if other != edge && !self.blocked[other.index()] && to != NONE {
                        self.add(at, other, to);
                    }
                }
                let next = match position + 1 == lane {
                    true if detours => end,
                    true => self.state_at[target.index()],
                    false => self.add_state(target, Some(number)),
                };
                self.add(at, edge, next);
                self.on_path.push((at, next, position));
                at = next;
            }
        }
        if number == 0 {
            self.automaton.initial = begin;
        }
        self.enter(entered, begin);
        leaves
    }

    /// `extension(s, d, V)` for all these `s` at once: states and transitions for what lies between them and the goal
    /// without writing anything live.
    fn copy(&mut self, number: u32, starts: &[LocationId], goal: LocationId) {
        let program = self.program;
        // A place in `seen` first, later a state.
        for &start in starts {
            if self.state_at[start.index()] == NONE {
                self.state_at[start.index()] = 0;
                self.seen.push(start);
            }
        }
        let mut at = 0;
        while at < self.seen.len() {
            for &(edge, to) in program.outgoing(self.seen[at]) {
                if !self.blocked[edge.index()] && self.state_at[to.index()] == NONE {
                    self.state_at[to.index()] = 0;
                    self.seen.push(to);
                }
            }
            at += 1;
        }
        // Of these, what leads on to the goal: going over the locations until nothing is added (few rounds: `seen` is in
        // breadth-first order and gone through backwards).
        let reached = self.state_at[goal.index()] != NONE;
        let mut useful = vec![false; self.state_at.len()];
        useful[goal.index()] = reached;
        let mut grew = reached;
        while std::mem::take(&mut grew) {
            for location in self.seen.iter().rev() {
                if !useful[location.index()] {
                    let leads = program.outgoing(*location).iter().any(|(edge, to)| !self.blocked[edge.index()] && useful[to.index()]);
                    useful[location.index()] = leads;
                    grew |= leads;
                }
            }
        }
        for at in 0..self.seen.len() {
            let location = self.seen[at];
            self.state_at[location.index()] = if useful[location.index()] { self.add_state(location, Some(number)) } else { NONE };
        }
        for at in 0..self.seen.len() {
            let location = self.seen[at];
            let from = self.state_at[location.index()];
            if from == NONE {
                continue;
            }
            for &(edge, to) in program.outgoing(location) {
                let to = self.state_at[to.index()];
                if !self.blocked[edge.index()] && to != NONE {
                    self.add(from, edge, to);
                }
            }
        }
    }
}
