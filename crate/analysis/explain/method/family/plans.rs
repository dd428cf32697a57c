//! The parts of the program between two indispensable edges; [`Plans`] keeps them for the next family that needs the same.

use super::super::dependencies::{Resource, Resources};
use super::{Leg, ProgramFacts};
use crate::automaton::{Letter, StateId};
use crate::lts::{EdgeId, LocationId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// How many ways and transitions [`Plans`] keeps, those of all plans and copies together.
const MAX_KEPT: usize = 1 << 20;

/// `extension(s, d, V)` (Fig. 7) for all places `s` where paths can enter a leg: what they can reach from these and what leads to
/// the goal, without writing anything live. States have numbers from 0, those at the entries first.
#[derive(Debug)]
pub struct ExtensionSource {
    /// For each state its location.
    pub locations: Vec<LocationId>,
    pub transitions: Vec<(StateId, Letter, StateId)>,
    /// For each location its state, or [`NO_STATE`].
    states: Vec<StateId>,
}

const NO_STATE: StateId = StateId::MAX;

impl ExtensionSource {
    fn new(plan: &LegPlan, entries: &[LocationId]) -> ExtensionSource {
        let mut copy = ExtensionSource { locations: Vec::new(), transitions: Vec::new(), states: vec![NO_STATE; plan.leads_on.len()] };
        entries.iter().filter(|&&entry| plan.leads_on[entry.index()]).for_each(|&entry| {
            copy.reach(entry);
        });
        // Breadth first.
        let mut at = 0;
        while at < copy.locations.len() {
            for &(edge, to) in plan.ways(copy.locations[at]) {
                let to = copy.reach(to);
                copy.transitions.push((at as StateId, edge.index() as Letter, to));
            }
            at += 1;
        }
        copy
    }

    fn reach(&mut self, location: LocationId) -> StateId {
        let next = self.locations.len() as StateId;
        let state = &mut self.states[location.index()];
        if *state == NO_STATE {
            *state = next;
            self.locations.push(location);
        }
        *state
    }

    /// The state at a location, if there is one.
    pub fn state_at(&self, location: LocationId) -> Option<StateId> {
        Some(self.states[location.index()]).filter(|&state| state != NO_STATE)
    }
}

/// What leads to a goal without writing anything live.
#[derive(Debug)]
struct LegPlan {
    /// For each location where its ways begin in `ways`, and at last where the last ones end.
    starts: Vec<u32>,
    ways: Vec<(EdgeId, LocationId)>,
    leads_on: Vec<bool>,
}

impl LegPlan {
    /// The edges from a location on ways to the goal.
    fn ways(&self, location: LocationId) -> &[(EdgeId, LocationId)] {
        &self.ways[self.starts[location.index()] as usize..self.starts[location.index() + 1] as usize]
    }
}

/// Plans by goal and what is live.
pub struct Plans {
    /// Resources from here on are elements that some path brings up: their numbers differ between explorations.
    resources: Resource,
    kept: RefCell<KeptPlans>,
}

#[derive(Default)]
struct KeptPlans {
    plans: FxHashMap<Vec<u32>, Rc<LegPlan>>,
    /// By the key of a plan and the entries.
    copies: FxHashMap<Vec<u32>, Rc<ExtensionSource>>,
    size: usize,
    /// Kept for its memory.
    key: Vec<u32>,
}

impl Plans {
    /// For a program whose text has these resources.
    pub fn new(resources: &Resources) -> Plans {
        Plans { resources: resources.len() as Resource, kept: RefCell::default() }
    }

    /// The copy of a leg that paths enter at these locations.
    pub(super) fn copy(
        &self,
        program: &ProgramFacts,
        resources: &Resources,
        leg: &Leg,
        goal: LocationId,
        entries: &[LocationId],
    ) -> Rc<ExtensionSource> {
        let kept = &mut *self.kept.borrow_mut();
        kept.key.clear();
        kept.key.extend([goal.index() as u32, leg.live.len() as u32]);
        // No edge writes just this one element for certain, so only its array matters.
        let any = |one: Resource| resources.array(one).map_or(one, |array| u32::MAX - array.0);
        kept.key.extend(leg.live.iter().map(|&one| if one < self.resources { one } else { any(one) }));
        let shared = kept.key.len();
        kept.key.extend(entries.iter().map(|entry| entry.index() as u32));
        if let Some(copy) = kept.copies.get(&kept.key) {
            return copy.clone();
        }
        let plan = match kept.plans.get(&kept.key[..shared]) {
            Some(plan) => plan.clone(),
            None => {
                let plan = Rc::new(plan(program, resources, leg, goal));
                kept.make_room(plan.ways.len() + plan.starts.len());
                kept.plans.insert(kept.key[..shared].to_vec(), plan.clone());
                plan
            }
        };
        let copy = Rc::new(ExtensionSource::new(&plan, entries));
        kept.make_room(copy.transitions.len() + copy.states.len());
        kept.copies.insert(kept.key.clone(), copy.clone());
        copy
    }
}

impl KeptPlans {
    /// Forgets everything if so much more would be too much.
    fn make_room(&mut self, more: usize) {
        if self.size + more > MAX_KEPT {
            (self.plans, self.copies, self.size) = (FxHashMap::default(), FxHashMap::default(), 0);
        }
        self.size += more;
    }
}

/// Finds, backwards from the goal, what leads there.
fn plan(program: &ProgramFacts, resources: &Resources, leg: &Leg, goal: LocationId) -> LegPlan {
    let locations = program.outgoing.len();
    let open: Vec<bool> = (0..program.ends.len()).map(|edge| !leg.blocks(program, resources, EdgeId::new(edge))).collect();
    let mut incoming: Vec<Vec<LocationId>> = vec![Vec::new(); locations];
    for (edge, (from, to)) in program.ends.iter().enumerate() {
        if open[edge] {
            incoming[to.index()].push(*from);
        }
    }
    let mut leads_on = vec![false; locations];
    leads_on[goal.index()] = true;
    let mut waiting = vec![goal];
    while let Some(location) = waiting.pop() {
        for from in &incoming[location.index()] {
            if !std::mem::replace(&mut leads_on[from.index()], true) {
                waiting.push(*from);
            }
        }
    }
    let (mut starts, mut ways) = (vec![0], Vec::new());
    for (location, outgoing) in program.outgoing.iter().enumerate() {
        if leads_on[location] {
            ways.extend(outgoing.iter().filter(|(edge, to)| open[edge.index()] && leads_on[to.index()]));
        }
        starts.push(ways.len() as u32);
    }
    LegPlan { starts, ways, leads_on }
}
