//! What a way down the tree does: the symbolic memory after it and its abstract path condition.
//!
//! Source: ST12, Algorithm 1. Symbols are the values at the start of the way, under the names of the program's variables; `★` of the
//! paper is a symbol of its own, of which nothing is known, so that what two conditions say of one unknown value stays together.
//!
//! | paper | here |
//! |---|---|
//! | `θ` | [`WayEffect::state`] |
//! | `φ` without the looping conditions | [`WayEffect::decided`], [`WayEffect::ranges`], [`WayEffect::defined`] |
//! | the looping conditions in `φ` | [`WayEffect::loops`], written out on demand ([`super::instances`]) |
//! | `θ₁⟨ψ⟩` | [`StateValues`] |

use crate::logic::substitution::Substitution;
use crate::logic::{ArrayTermId, FormulaId, Linear, Pool};
use crate::lts::{ArrayId, Lts};
use crate::symex::State;
use std::rc::Rc;

/// A loop that the way goes through, with what variables stand for before its first round.
#[derive(Clone, Debug)]
pub struct Looped {
    /// The node where the loop is entered.
    pub node: usize,
    pub before: Rc<State>,
}

/// What a way does.
#[derive(Clone, Debug)]
pub struct WayEffect {
    pub state: State,
    /// What its decisions say.
    pub decided: Vec<FormulaId>,
    /// That values lie in the ranges of their types, and that arithmetic is defined.
    pub ranges: Vec<FormulaId>,
    /// What is known of values that loops leave and that no term expresses, and that counters are not negative.
    pub defined: Vec<FormulaId>,
    /// What the last rounds of its loops say: instances of the looping conditions.
    pub facts: Vec<FormulaId>,
    pub loops: Vec<Looped>,
}

impl WayEffect {
    /// The effect of the empty way from this state.
    pub fn empty(state: State) -> WayEffect {
        WayEffect { state, decided: Vec::new(), ranges: Vec::new(), defined: Vec::new(), facts: Vec::new(), loops: Vec::new() }
    }

    /// Its condition without the looping conditions.
    pub fn parts(&self) -> impl Iterator<Item = FormulaId> + '_ {
        self.decided.iter().chain(&self.ranges).chain(&self.defined).copied()
    }

    /// Its condition, with those instances of the looping conditions that are facts.
    pub fn with_facts(&self) -> impl Iterator<Item = FormulaId> + '_ {
        self.parts().chain(self.facts.iter().copied())
    }
}

/// Puts what variables stand for in a state in place of their names: `θ⟨·⟩`.
pub struct StateValues(Substitution);

impl StateValues {
    pub fn of(lts: &Lts, pool: &mut Pool, state: &State) -> StateValues {
        let variables = lts.variables.iter().zip(state.variables());
        let values: Vec<_> = variables.map(|(variable, value)| (pool.integer(&variable.name).terms()[0].0, value.clone())).collect();
        let arrays = (0..lts.arrays.len() as u32).map(ArrayId);
        StateValues(arrays.fold(Substitution::of(values), |all, id| {
            let name = pool.array_symbol(&lts.array(id).name);
            all.and_array(name, state.array(id))
        }))
    }

    /// The term after the state. Where a divisor becomes 0 no execution gets there, and any value does.
    pub fn term(&mut self, pool: &mut Pool, term: &Linear) -> Linear {
        self.0.term(pool, term).unwrap_or_default()
    }

    /// The array after the state; `None` where a divisor becomes 0.
    pub fn array(&mut self, pool: &mut Pool, array: ArrayTermId) -> Option<ArrayTermId> {
        self.0.array(pool, array)
    }

    /// The formula after the state. Where a divisor becomes 0 nothing is known.
    pub fn formula(&mut self, pool: &mut Pool, formula: FormulaId) -> FormulaId {
        self.0.formula(pool, formula).unwrap_or(Pool::TRUE)
    }
}
