//! The parts of the program between two indispensable edges, kept for the next family that needs the same.

use super::super::dependencies::{Resource, Resources};
use super::{Leg, Program};
use crate::lts::{EdgeId, LocationId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Ways in all plans together that are kept.
const MAX_KEPT: usize = 1 << 20;

/// What leads to a goal without writing anything live.
#[derive(Debug)]
pub struct Plan {
    /// For each location where its ways begin, and at the end where the last ones end.
    starts: Vec<u32>,
    ways: Vec<(EdgeId, LocationId)>,
    leads_on: Vec<bool>,
}

impl Plan {
    /// Whether some way from this location gets to the goal.
    pub fn leads_on(&self, location: LocationId) -> bool {
        self.leads_on[location.index()]
    }

    /// The edges out of a location that leads on to others that do.
    pub fn ways(&self, location: LocationId) -> &[(EdgeId, LocationId)] {
        &self.ways[self.starts[location.index()] as usize..self.starts[location.index() + 1] as usize]
    }
}

/// Plans by goal and what is live.
pub struct Plans {
    /// Resources from here on are elements that came up on some path: their numbers differ between explorations.
    known: Resource,
    kept: RefCell<Kept>,
}

#[derive(Default)]
struct Kept {
    plans: FxHashMap<Vec<u32>, Rc<Plan>>,
    ways: usize,
    /// Kept for its memory.
    key: Vec<u32>,
}

impl Plans {
    /// For a program whose text has these resources.
    pub fn new(resources: &Resources) -> Plans {
        Plans { known: resources.len() as Resource, kept: RefCell::default() }
    }

    /// The plan of a leg.
    pub(super) fn plan(&self, program: &Program, resources: &Resources, leg: &Leg, goal: LocationId) -> Rc<Plan> {
        let kept = &mut *self.kept.borrow_mut();
        kept.key.clear();
        kept.key.push(goal.index() as u32);
        // No edge is known to write just this one element, so only its array matters.
        let any = |one: Resource| resources.array(one).map_or(one, |array| u32::MAX - array.0);
        kept.key.extend(leg.live.iter().map(|&one| if one < self.known { one } else { any(one) }));
        if let Some(plan) = kept.plans.get(&kept.key) {
            return plan.clone();
        }
        let plan = Rc::new(plan(program, resources, leg, goal));
        if kept.ways + plan.ways.len() + plan.starts.len() > MAX_KEPT {
            (kept.plans, kept.ways) = (FxHashMap::default(), 0);
        }
        kept.ways += plan.ways.len() + plan.starts.len();
        kept.plans.insert(kept.key.clone(), plan.clone());
        plan
    }
}

/// Backwards from the goal.
fn plan(program: &Program, resources: &Resources, leg: &Leg, goal: LocationId) -> Plan {
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
    Plan { starts, ways, leads_on }
}
