//! The exhaustive method, with which DBG10 (Section IV-B) compares generalizing: proves every path of an automaton infeasible,
//! in turn, incrementally: a refuted prefix settles all paths through it.

use super::Tally;
use super::consistency::{Strength, check_of};
use super::dependencies::Resources;
use super::family::ProgramFacts;
use super::walker::{Walker, WalkerStep};
use crate::automaton::{Automaton, StateId};
use crate::lts::EdgeId;
use crate::solver::meter::Exhausted;
use crate::solver::questions::QueryCount;
use crate::states::Ask;
use std::time::Duration;

/// What the exhaustive method found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exhaustive {
    /// How many prefixes it refuted.
    pub refuted: u64,
    /// How many accepted paths it could not refute: of these the claim would be wrong, or Γ too weak.
    pub unrefuted: u64,
    pub tally: Tally,
}

/// Proves all accepted words of at most `length` letters infeasible; the automaton is deterministic.
///
/// # Errors
/// When the steps of the run are used up.
pub fn exhaustive(
    program: &ProgramFacts,
    resources: &Resources,
    automaton: &Automaton,
    length: usize,
    strength: Strength,
    ask: &mut Ask,
    clock: &dyn Fn() -> Duration,
) -> Result<Exhaustive, Exhausted> {
    let started = clock();
    let mut result = Exhaustive::default();
    let count = QueryCount::new(ask.log);
    let mut ask = Ask { meter: &mut *ask.meter, log: &count };
    let shortest = automaton.shortest_to_accept();
    let mut walker = Walker::new(program, resources, check_of(strength), false);
    let mut open: Vec<(StateId, usize)> = vec![(automaton.initial, 0)];
    while let Some((state, next)) = open.last_mut() {
        let Some(&(letter, to)) = automaton.transitions[*state as usize].get(*next) else {
            open.pop();
            walker.back();
            continue;
        };
        *next += 1;
        let room = length.checked_sub(walker.len() + 1);
        if shortest[to as usize].zip(room).is_none_or(|(need, room)| need as usize > room) {
            continue;
        }
        ask.meter.spend(1)?;
        match walker.step(EdgeId::new(letter as usize), &mut ask)? {
            WalkerStep::Refuted(_) => {
                result.refuted += 1;
                walker.back();
            }
            WalkerStep::Passed | WalkerStep::Open(_) => {
                result.unrefuted += u64::from(automaton.accepting[to as usize]);
                open.push((to, 0));
            }
        }
    }
    result.tally = Tally { time: clock() - started, queries: count.queries(), refutations: result.refuted };
    Ok(result)
}
