//! The paper's way of counting branches (Section 7.3): before BiTe counts, a compiler's constant propagation has decided what it can and has
//! removed the code that is dead then.
//!
//! Source of the propagation: M. N. Wegman and F. K. Zadeck, *Constant Propagation with Conditional Branches*, 1991, where the state of a
//! location has a constant for each variable that has the same one on each way there.

use crate::logic::{Int, Linear, Pool, SortedMap, SortedSet};
use crate::lts::sides::Side;
use crate::lts::{EdgeId, Lts, VariableId};
use crate::symex::State;
use std::collections::VecDeque;

/// The variables that are constant.
type Constants = SortedMap<VariableId, Int>;

/// For each side whether the paper counts it: whether both sides of one of its decision's copies stay.
pub fn undecided(lts: &Lts, sides: &[Side]) -> Vec<bool> {
    let taken = propagate(lts);
    let stays = |edge: &EdgeId| {
        let (_, from, _) = lts.edge(*edge);
        lts.outgoing(from).iter().all(|(edge, _)| taken.contains(edge))
    };
    sides.iter().map(|side| side.edges.iter().any(stays)).collect()
}

/// The edges that constants do not exclude.
pub fn propagate(lts: &Lts) -> SortedSet<EdgeId> {
    let mut pool = Pool::new();
    let identity = State::of_symbols(lts, &mut pool, str::to_owned);
    let initial = (0..).zip(&lts.variables).filter_map(|(at, variable)| Some((VariableId(at), variable.initial.clone()?)));
    let mut at: Vec<Option<Constants>> = vec![None; lts.graph.node_count()];
    at[lts.entry.index()] = Some(initial.collect());
    let mut taken = SortedSet::new();
    let mut waiting = VecDeque::from([lts.entry]);
    let mut waits = vec![false; lts.graph.node_count()];
    while let Some(location) = waiting.pop_front() {
        waits[location.index()] = false;
        let Some(constants) = at[location.index()].clone() else { continue };
        for (edge, to) in lts.outgoing(location) {
            let mut state = identity.clone();
            for (variable, value) in &constants {
                state.set_variable(*variable, Linear::constant(value.clone()));
            }
            if state.apply(lts, &mut pool, edge).0 == Pool::FALSE {
                continue;
            }
            taken.insert(edge);
            let constant = |(at, term): (usize, &Linear)| term.as_constant().map(|value| (VariableId(at as u32), value.clone()));
            let after: Constants = state.variables().enumerate().filter_map(constant).collect();
            let before = at[to.index()].clone();
            let joined = match &before {
                None => after,
                Some(before) => before
                    .iter()
                    .filter(|(variable, value)| after.get(variable) == Some(value))
                    .map(|(&variable, value)| (variable, value.clone()))
                    .collect(),
            };
            if before.as_ref() != Some(&joined) {
                at[to.index()] = Some(joined);
                if !std::mem::replace(&mut waits[to.index()], true) {
                    waiting.push_back(to);
                }
            }
        }
    }
    taken
}
