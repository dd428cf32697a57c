//! The program with its tree of backbones and the summaries of its loops: the effects of its ways (ST12, Algorithm 1).

use super::effect::{Looped, StateValues, WayEffect};
use super::summary::Summary;
use super::tree::{Goal, PathTree};
use crate::logic::Pool;
use crate::lts::{ArrayId, EdgeId, Lts, VariableId};
use crate::symex::State;
use std::rc::Rc;

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
            if let Some(array) = values.array(pool, summary.memory.array(id)) {
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
