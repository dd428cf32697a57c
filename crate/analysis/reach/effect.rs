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

use super::summary::Summary;
use super::tree::{Goal, PathTree};
use crate::logic::substitution::Substitution;
use crate::logic::{FormulaId, Linear, Pool};
use crate::lts::{ArrayId, EdgeId, Lts, VariableId};
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

/// A program with its tree and the summaries of its loops as far as they are known.
#[derive(Clone)]
pub struct SummarizedProgram<'a> {
    pub lts: &'a Lts,
    pub tree: PathTree,
    /// For each node where a loop is entered its summary.
    pub summaries: Vec<Option<Rc<Summary>>>,
    /// For each node the number of the first value that an edge from it draws.
    pub draws: Vec<u32>,
}

impl<'a> SummarizedProgram<'a> {
    pub fn new(lts: &'a Lts, tree: PathTree) -> SummarizedProgram<'a> {
        let mut next = 0;
        let draws = tree.nodes.iter().map(|node| {
            let most = lts.outgoing(node.location).into_iter().map(|(edge, _)| lts.graph[edge].nondets()).max().unwrap_or(0);
            next += most;
            next - most
        });
        let draws = draws.collect();
        SummarizedProgram { lts, summaries: vec![None; tree.nodes.len()], tree, draws }
    }

    /// Lines 14 to 17: the effect of one edge more, which leaves `node`.
    pub fn extend(&self, pool: &mut Pool, effect: &mut WayEffect, node: usize, edge: EdgeId) {
        effect.state.set_nondet_count(self.draws[node]);
        let (_, undo) = effect.state.apply(self.lts, pool, edge);
        effect.decided.extend(undo.decided().iter().filter(|&&part| part != Pool::TRUE));
        effect.ranges.extend(undo.ranges().iter().filter(|&&part| part != Pool::TRUE));
    }

    /// Lines 18 to 22: the rounds of the loop that is entered at `node`, if there is one.
    pub fn enter(&self, pool: &mut Pool, effect: &mut WayEffect, node: usize) {
        let Some(summary) = &self.summaries[node] else { return };
        let mut values = StateValues::of(self.lts, pool, &effect.state);
        effect.loops.push(Looped { node, before: Rc::new(effect.state.clone()) });
        for id in (0..self.lts.variables.len() as u32).map(VariableId) {
            let value = values.term(pool, summary.memory.variable(id));
            effect.state.set_variable(id, value);
        }
        for id in (0..self.lts.arrays.len() as u32).map(ArrayId) {
            if let Some(array) = values.0.array(pool, summary.memory.array(id)) {
                effect.state.replace_array(id, array);
            }
        }
        effect.defined.extend(summary.definitions.iter().map(|&formula| values.formula(pool, formula)));
        effect.facts.extend(summary.facts.iter().map(|&formula| values.formula(pool, formula)));
    }

    /// The effect of the way from the node where a loop is entered down to `node` and along `edge`, in a round of the loop.
    pub fn round(&self, pool: &mut Pool, from: usize, node: usize, edge: EdgeId) -> WayEffect {
        let mut effect = WayEffect::empty(State::of_symbols(self.lts, pool, str::to_owned));
        let mut at = from;
        for (taken, to) in self.tree.way(from, node) {
            self.extend(pool, &mut effect, at, taken);
            self.enter(pool, &mut effect, to);
            at = to;
        }
        self.extend(pool, &mut effect, at, edge);
        effect
    }

    /// The effect of the path of each node, from the first values on.
    pub fn effects(&self, pool: &mut Pool) -> Vec<WayEffect> {
        let mut effects = vec![self.first(pool)];
        for (node, parent) in self.tree.nodes.iter().map(|node| node.parent).enumerate() {
            let Some((parent, edge)) = parent else { continue };
            let mut effect: WayEffect = effects[parent].clone();
            self.extend(pool, &mut effect, parent, edge);
            self.enter(pool, &mut effect, node);
            effects.push(effect);
        }
        effects
    }

    /// The effect of a whole backbone.
    pub fn whole(&self, pool: &mut Pool, effects: &[WayEffect], goal: Goal) -> WayEffect {
        let mut effect = effects[goal.node].clone();
        self.extend(pool, &mut effect, goal.node, goal.edge);
        effect
    }

    fn first(&self, pool: &mut Pool) -> WayEffect {
        let mut effect = WayEffect::empty(State::initial(self.lts, pool));
        effect.decided.extend(Some(crate::symex::precondition(self.lts, pool)).filter(|&part| part != Pool::TRUE));
        self.enter(pool, &mut effect, 0);
        effect
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

    /// The formula after the state. Where a divisor becomes 0 nothing is known.
    pub fn formula(&mut self, pool: &mut Pool, formula: FormulaId) -> FormulaId {
        self.0.formula(pool, formula).unwrap_or(Pool::TRUE)
    }
}
