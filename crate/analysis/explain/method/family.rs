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
//! Going backwards from the last edge of `N`, an edge is *indispensable* if it is in `N` or writes something live. Between two
//! indispensable edges the family may go any way through the program that writes nothing live.
//!
//! `DIVERGENCE:` Fig. 6 makes a copy of the program for each decision on the path, from its other side on (the print says the
//! decision's own side, which misses a path of Fig. 2), and the copies of one leg differ only in where paths enter them. Here a
//! leg has one copy, and the path runs through it. The languages are those of Definition 3: besides Fig. 6's also rounds through
//! a loop that the path itself passes without a decision.
//!
//! `DIVERGENCE:` in Fig. 7 all transitions at a statement that writes `V` go. Here only those after it go: the family may reach
//! a statement that is indispensable and writes `V`. The entry counts as a statement that writes everything: no path passes
//! through it twice.
//!
//! `DIVERGENCE:` arrays. The paper leaves `maywrite` to the user. Here a store anywhere but on the path writes every element
//! unless its index is a constant of the text. On the path the index is mostly known: a store to another element than the live
//! one may then stay where it is, provided that its index is the same in the whole family. If the index follows from what is live
//! at the leg's beginning, the path keeps a *lane* of its own beside the copy up to the store; else the store becomes
//! indispensable for its index.

mod plans;

use super::dependencies::{Access, Effects, Mask, Resource, Resources, WriteTarget};
use crate::automaton::{Automaton, Letter, StateId};
use crate::logic::Arrange;
use crate::lts::{EdgeId, LocationId, Lts};
use plans::Plans;
use std::cell::RefCell;

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

/// A family of paths that contain an explanation, as [`extend`] builds it: it accepts a word as soon as the word contains the
/// explanation.
#[derive(Clone, Debug, Default)]
pub struct Family {
    pub initial: StateId,
    /// Only this state accepts.
    pub accepting: StateId,
    /// From, edge, to; some may be there twice.
    pub transitions: Vec<(StateId, Letter, StateId)>,
    /// For each state its location; the accepting state has the location after the last edge.
    pub locations: Vec<LocationId>,
    /// For each leg the number of states up to its end; the accepting state comes after all legs.
    ends: Vec<StateId>,
    /// What is live on each leg.
    pub live: ResourceLists,
    /// Transitions that are edges of the path: from, to, position on the path.
    pub on_path: Vec<(StateId, StateId, usize)>,
    /// The positions of the indispensable edges, ascending; each ends a leg.
    pub indispensable: Vec<usize>,
}

impl Family {
    /// Empties it, but for its memory.
    fn clear(&mut self) {
        self.transitions.clear();
        self.locations.clear();
        self.ends.clear();
        self.live.clear();
        self.on_path.clear();
        self.indispensable.clear();
    }

    /// The leg that a state belongs to; for the accepting state how many legs there are.
    pub fn leg_of(&self, state: StateId) -> usize {
        self.ends.partition_point(|&end| end <= state)
    }

    /// The automaton, which need not be deterministic.
    pub fn automaton(&self) -> Automaton {
        let mut transitions = vec![Vec::new(); self.locations.len()];
        self.transitions.iter().for_each(|&(from, letter, to)| transitions[from as usize].push((letter, to)));
        for ways in &mut transitions {
            ways.arrange();
            ways.dedup();
        }
        let accepting = (0..self.locations.len() as StateId).map(|state| state == self.accepting).collect();
        Automaton { initial: self.initial, accepting, transitions }
    }
}

/// Lists of resources, one after the other; the construction adds them from the last to the first.
#[derive(Clone, Debug, Default)]
pub struct ResourceLists {
    flat: Vec<Resource>,
    ends: Vec<usize>,
}

impl ResourceLists {
    fn clear(&mut self) {
        self.flat.clear();
        self.ends.clear();
    }

    fn push(&mut self, list: &[Resource]) {
        self.flat.extend(list);
        self.ends.push(self.flat.len());
    }

    /// The list of this number.
    pub fn get(&self, number: usize) -> &[Resource] {
        let number = self.ends.len() - 1 - number;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.flat[start..self.ends[number]]
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// The program as the construction needs it.
pub struct ProgramFacts<'a> {
    pub lts: &'a Lts,
    pub effects: &'a Effects,
    outgoing: Vec<Vec<(EdgeId, LocationId)>>,
    ends: Vec<(LocationId, LocationId)>,
    /// What each edge may write anywhere, roughly.
    masks: Vec<Mask>,
    plans: Plans,
    scratch: RefCell<Scratch>,
}

impl<'a> ProgramFacts<'a> {
    pub fn new(lts: &'a Lts, effects: &'a Effects, resources: &Resources) -> ProgramFacts<'a> {
        ProgramFacts {
            lts,
            effects,
            outgoing: lts.graph.node_indices().map(|location| lts.outgoing(location)).collect(),
            ends: lts.graph.edge_indices().map(|edge| (lts.edge(edge).1, lts.edge(edge).2)).collect(),
            masks: lts.graph.edge_indices().map(|edge| effects.may_write(edge).mask(resources)).collect(),
            plans: Plans::new(resources),
            scratch: RefCell::default(),
        }
    }

    /// The edges that leave a location.
    pub fn outgoing(&self, location: LocationId) -> &[(EdgeId, LocationId)] {
        &self.outgoing[location.index()]
    }
}

/// Puts the indispensable positions, ascending, and what is live just before each, last first, into a family that has none yet.
fn legs(resources: &Resources, trail: &Trail, explanation: &[usize], all_stores: bool, family: &mut Family) {
    let (positions, lists) = (&mut family.indispensable, &mut family.live);
    let last = explanation.last().map_or(0, |last| last + 1);
    let mut live: Vec<Resource> = Vec::new();
    let mut mask = 0;
    let mut explained = explanation.iter().rev().peekable();
    for position in (0..last).rev() {
        let access = &trail.accesses[position];
        let in_explanation = explained.next_if(|&&at| at == position).is_some();
        let near = access.mask & mask != 0;
        if !in_explanation && !near {
            continue;
        }
        let writes = near && access.write.meets(resources, &live);
        let mut more: &[Resource] = if in_explanation || writes { &access.reads } else { &[] };
        if writes {
            match access.write {
                WriteTarget::Nothing => {}
                WriteTarget::Variable(written) | WriteTarget::Element(_, written) => live.retain(|&one| one != written),
                WriteTarget::Somewhere(array) => {
                    live.retain(|&one| resources.array(one) != Some(array));
                    live.push(resources.whole(array));
                }
                WriteTarget::Fill(array) => live.retain(|&one| resources.array(one) != Some(array)),
            }
        } else if let WriteTarget::Element(array, _) = access.write
            && all_stores
            && !in_explanation
            && live.iter().any(|&one| resources.array(one) == Some(array))
        {
            // A store to another element of a live array: its index has to stay what it is.
            more = &access.index_reads;
        } else if !in_explanation {
            continue;
        }
        for &read in more {
            if !live.contains(&read) {
                live.push(read);
            }
        }
        mask = resources.mask(&live);
        positions.push(position);
        lists.push(&live);
    }
    positions.reverse();
}

/// The way from the end of one indispensable edge to the start of the next.
struct Leg<'f> {
    number: u32,
    /// Where it begins.
    first: LocationId,
    /// The edges of the path on it; the next indispensable edge comes after.
    positions: std::ops::Range<usize>,
    live: &'f [Resource],
    mask: Mask,
}

impl Leg<'_> {
    /// Whether an edge may write something live.
    fn blocks(&self, program: &ProgramFacts, resources: &Resources, edge: EdgeId) -> bool {
        program.masks[edge.index()] & self.mask != 0 && program.effects.may_write(edge).meets(resources, self.live)
    }

    /// The position after the last store of the path that cannot stay in the copy (that of the leg's beginning if there is
    /// none). `None` if the index of such a store does not follow from what is live at the leg's beginning, or just before it
    /// (`before`).
    fn lane(&self, program: &ProgramFacts, resources: &Resources, trail: &Trail, before: &[Resource]) -> Option<usize> {
        let blocked = |position: &usize| self.blocks(program, resources, trail.edges[*position]);
        let Some(last) = self.positions.clone().rev().find(blocked) else { return Some(self.positions.start) };
        let mut available = self.live.to_vec();
        if let Some(entered) = self.positions.start.checked_sub(1) {
            available.extend(before.iter().filter(|&&one| !trail.accesses[entered].write.meets(resources, &[one])));
        }
        for position in self.positions.start..=last {
            let access = &trail.accesses[position];
            if blocked(&position) && !access.index_reads.iter().all(|read| available.contains(read)) {
                return None;
            }
            let follows = access.reads.iter().all(|read| available.contains(read));
            match access.write {
                WriteTarget::Variable(written) | WriteTarget::Element(_, written) if follows => available.push(written),
                WriteTarget::Variable(written) | WriteTarget::Element(_, written) => available.retain(|&one| one != written),
                WriteTarget::Somewhere(array) | WriteTarget::Fill(array) => available.retain(|&one| resources.array(one) != Some(array)),
                WriteTarget::Nothing => {}
            }
        }
        Some(last + 1)
    }
}

/// `extendPath(π, N, D)`: the family of the paths that contain the constraints at these positions (ascending) of the path as they
/// are there.
pub fn extend(program: &ProgramFacts, resources: &Resources, trail: &Trail, explanation: &[usize], extension: Extension) -> Family {
    build(program, resources, trail, explanation, extension, false)
        .or_else(|| build(program, resources, trail, explanation, extension, true))
        .expect("with all stores indispensable no lane is needed")
}

/// Makes a family; `None` if some leg has no lane.
fn build(
    program: &ProgramFacts,
    resources: &Resources,
    trail: &Trail,
    explanation: &[usize],
    extension: Extension,
    all_stores: bool,
) -> Option<Family> {
    let Scratch { mut family, marks, mark, entries, sides, leaves, next_leaves } = program.scratch.take();
    family.clear();
    legs(resources, trail, explanation, all_stores, &mut family);
    let mut builder = FamilyBuilder { program, resources, trail, family, marks, mark, entries, sides, extension, leaves, next_leaves };
    builder.marks.resize(program.outgoing.len(), 0);
    let live = std::mem::take(&mut builder.family.live);
    let accepting = builder.legs_of(&live, extension);
    let FamilyBuilder { mut family, marks, mark, entries, sides, mut leaves, mut next_leaves, .. } = builder;
    family.live = live;
    leaves.clear();
    next_leaves.clear();
    // The clone has just the memory that it needs.
    let built = accepting.map(|accepting| Family { accepting, ..family.clone() });
    program.scratch.replace(Scratch { family, marks, mark, entries, sides, leaves, next_leaves });
    built
}

/// Memory that one construction leaves to the next.
#[derive(Default)]
struct Scratch {
    family: Family,
    marks: Vec<u64>,
    mark: u64,
    entries: Vec<LocationId>,
    sides: Vec<(usize, EdgeId, LocationId)>,
    leaves: Vec<(StateId, usize)>,
    next_leaves: Vec<(StateId, usize)>,
}

struct FamilyBuilder<'p, 'a> {
    program: &'p ProgramFacts<'a>,
    resources: &'p Resources,
    trail: &'p Trail,
    family: Family,
    /// For each location the number of the last leg that paths enter there.
    marks: Vec<u64>,
    /// The number of this leg among all legs of all constructions.
    mark: u64,
    /// Where paths enter the leg at hand, each place once.
    entries: Vec<LocationId>,
    /// The detours from the lane: from which position, along which edge, to where.
    sides: Vec<(usize, EdgeId, LocationId)>,
    extension: Extension,
    /// Where the leg before ends: states, and the position of the edge that leaves them.
    leaves: Vec<(StateId, usize)>,
    /// Empty; kept for its memory.
    next_leaves: Vec<(StateId, usize)>,
}

impl FamilyBuilder<'_, '_> {
    /// Builds all legs and the accepting state; gives the latter, or `None` if some leg has no lane.
    fn legs_of(&mut self, live: &ResourceLists, extension: Extension) -> Option<StateId> {
        let (program, resources, trail) = (self.program, self.resources, self.trail);
        let mut first = program.lts.entry;
        let mut from = 0;
        for number in 0..live.len() {
            let to = self.family.indispensable[number];
            let mask = resources.mask(live.get(number));
            let leg = Leg { number: number as u32, first, positions: from..to, live: live.get(number), mask };
            let before: &[Resource] = number.checked_sub(1).map_or(&[], |before| live.get(before));
            let lane = leg.lane(program, resources, trail, before)?;
            self.leg(&leg, if extension == Extension::Detours { to } else { lane });
            first = program.ends[trail.edges[to].index()].1;
            from = to + 1;
        }
        let accepting = self.add_state(first);
        self.enter(accepting);
        Some(accepting)
    }

    fn add_state(&mut self, location: LocationId) -> StateId {
        self.family.locations.push(location);
        self.family.locations.len() as StateId - 1
    }

    fn add(&mut self, from: StateId, edge: EdgeId, to: StateId) {
        self.family.transitions.push((from, edge.index() as Letter, to));
    }

    /// Lets the edge at the end of the leg before lead to this state.
    fn enter(&mut self, to: StateId) {
        for at in 0..self.leaves.len() {
            let (from, position) = self.leaves[at];
            self.add(from, self.trail.edges[position], to);
            self.family.on_path.push((from, to, position));
        }
        self.leaves.clear();
    }

    fn enter_at(&mut self, location: LocationId) {
        if self.marks[location.index()] != self.mark {
            self.marks[location.index()] = self.mark;
            self.entries.push(location);
        }
    }

    /// Builds one leg: from where the edge before leads to the start of the next indispensable edge. The path has a lane up to
    /// position `lane`; with detours that is all of the leg.
    fn leg(&mut self, leg: &Leg, lane: usize) {
        let program = self.program;
        let detours = self.extension == Extension::Detours;
        let end_of = leg.positions.end;
        let goal = program.ends[self.trail.edges[end_of].index()].0;
        // Places to enter: beside the lane, and without detours at the leg's beginning and along the lane.
        self.entries.clear();
        self.sides.clear();
        self.mark += 1;
        if !detours {
            self.enter_at(leg.first);
        }
        for position in leg.positions.start..lane {
            let edge = self.trail.edges[position];
            let (from, to) = program.ends[edge.index()];
            if !detours {
                self.enter_at(to);
            }
            let sides = program.outgoing(from);
            for &(other, to) in if sides.len() > 1 { sides } else { &[] } {
                if other != edge && !leg.blocks(program, self.resources, other) {
                    self.enter_at(to);
                    self.sides.push((position, other, to));
                }
            }
        }
        // `extension(s, d, V)` for all `s` to enter at: states and transitions for what lies between them and the goal without
        // writing anything live. Without places to enter there is none.
        let base = self.family.locations.len() as StateId;
        let copy = (!self.entries.is_empty()).then(|| program.plans.copy(program, self.resources, leg, goal, &self.entries));
        if let Some(copy) = &copy {
            self.family.locations.extend(&copy.locations);
            self.family.transitions.extend(copy.transitions.iter().map(|&(from, letter, to)| (base + from, letter, base + to)));
        }
        let state_at = |location: LocationId| copy.as_ref()?.state_at(location).map(|state| base + state);
        // Without a detour that gets there the lane ends in a state of its own.
        let end = state_at(goal).unwrap_or_else(|| self.add_state(goal));
        let mut ways_out = std::mem::take(&mut self.next_leaves);
        ways_out.push((end, end_of));
        let mut begin = if detours { end } else { state_at(leg.first).unwrap_or(end) };
        if lane > leg.positions.start {
            begin = self.add_state(leg.first);
            let mut at = begin;
            let mut side = 0;
            for position in leg.positions.start..lane {
                let edge = self.trail.edges[position];
                let (location, target) = program.ends[edge.index()];
                if location == goal && !detours {
                    ways_out.push((at, end_of));
                }
                while let Some(&(_, other, to)) = self.sides.get(side).filter(|&&(from, ..)| from == position) {
                    side += 1;
                    if let Some(to) = state_at(to) {
                        self.add(at, other, to);
                    }
                }
                let next = match position + 1 == lane {
                    true if detours => end,
                    true => state_at(target).unwrap_or(end),
                    false => self.add_state(target),
                };
                self.add(at, edge, next);
                self.family.on_path.push((at, next, position));
                at = next;
            }
        }
        if leg.number == 0 {
            self.family.initial = begin;
        }
        self.enter(begin);
        self.next_leaves = std::mem::replace(&mut self.leaves, ways_out);
        self.family.ends.push(self.family.locations.len() as StateId);
    }
}
