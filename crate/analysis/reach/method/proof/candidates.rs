//! Step 2: the formulas that may hold at the places.

use super::ghosts::{changed_inputs, drawn, first_value};
use crate::analysis::reach::method::effect::WayEffect;
use crate::analysis::reach::method::program::SummarizedProgram;
use crate::evidence::graph::Pruned;
use crate::logic::substitution::Substitution;
use crate::logic::{ArrayTerm, AtomId, FormulaId, Linear, Mentions, Pool, SortedSet, SymbolId};
use crate::lts::{ArrayId, Label};
use crate::symex::nondet_name;

/// Of how many writes to an array, the latest ones, a formula says what they wrote.
const WRITES: usize = 32;

/// The formulas that may hold at the places.
pub(super) struct Candidates {
    /// Of symbols of the analysis to those of the graph.
    renamed: Substitution,
    /// What formulas may speak of.
    spoken: SortedSet<SymbolId>,
}

impl Candidates {
    pub fn of(program: &SummarizedProgram, pool: &mut Pool, effects: &[WayEffect], graph: &Pruned) -> Vec<Vec<FormulaId>> {
        let lts = program.lts;
        let mut renamed: Vec<(AtomId, Linear)> = Vec::new();
        for (variable, first) in lts.variables.iter().zip(changed_inputs(lts)) {
            if first {
                let (name, ghost) = (pool.integer(&variable.name).terms()[0].0, first_value(pool, &variable.name));
                renamed.push((name, Linear::atom(ghost)));
            }
        }
        let draws = program.draws.last().copied().unwrap_or(0) + 4;
        for k in 0..draws {
            let (name, ghost) = (pool.integer(&nondet_name(k)).terms()[0].0, drawn(pool, k));
            renamed.push((name, Linear::atom(ghost)));
        }
        let stored: SortedSet<ArrayId> = (lts.graph.edge_weights())
            .filter_map(|edge| match edge.label {
                Label::Store { array, .. } | Label::Fill(array, _) | Label::HavocArray(array) => Some(array),
                _ => None,
            })
            .collect();
        let arrays = (0..lts.arrays.len() as u32).map(ArrayId).filter(|id| !stored.contains(id));
        let names = lts.variables.iter().map(|variable| &variable.name).chain(arrays.map(|id| &lts.array(id).name));
        let ghosts = graph.ghosts.iter().map(|ghost| &ghost.name);
        let spoken = names.chain(ghosts).map(|name| pool.symbol(name)).collect();
        let mut candidates = Candidates { renamed: Substitution::of(renamed), spoken };
        let mut found = vec![Vec::new(); graph.nodes.len()];
        for (node, effect) in effects.iter().enumerate() {
            found[node] = candidates.at(program, pool, effect);
        }
        found
    }

    /// The formulas at a node.
    fn at(&mut self, program: &SummarizedProgram, pool: &mut Pool, effect: &WayEffect) -> Vec<FormulaId> {
        let mut formulas = Vec::new();
        for (variable, value) in program.lts.variables.iter().zip(effect.state.variables()) {
            let name = pool.integer(&variable.name);
            if let Some(value) = self.renamed.term(pool, value) {
                formulas.push(pool.equal(&name, &value));
            }
        }
        formulas.extend(effect.with_facts().filter_map(|part| self.renamed.formula(pool, part)));
        formulas.retain(|&formula| Mentions::of(pool, &[formula], &[]).symbols.is_subset(&self.spoken));
        formulas.extend(self.elements(program, pool, effect));
        let mut kept: Vec<FormulaId> = Vec::new();
        for formula in formulas {
            if formula != Pool::TRUE && !kept.contains(&formula) {
                kept.push(formula);
            }
        }
        kept
    }

    /// What the elements are that the path wrote. Of an array that changes its name stands for what it is at the node, so index and value
    /// must not speak of its first contents.
    fn elements(&mut self, program: &SummarizedProgram, pool: &mut Pool, effect: &WayEffect) -> Vec<FormulaId> {
        let mut found = Vec::new();
        for (number, array) in program.lts.arrays.iter().enumerate() {
            let (term, name) = (effect.state.array(ArrayId(number as u32)), pool.array_symbol(&array.name));
            let mut at = term;
            for _ in 0..WRITES {
                let ArrayTerm::Store(inner, index, _) = pool.array(at).clone() else { break };
                at = inner;
                let value = pool.select(term, &index);
                let (Some(index), Some(value)) = (self.renamed.term(pool, &index), self.renamed.term(pool, &value)) else { continue };
                if Mentions::of(pool, &[], &[&index, &value]).symbols.is_subset(&self.spoken) {
                    let element = pool.select(name, &index);
                    found.push(pool.equal(&element, &value));
                }
            }
        }
        found
    }
}
