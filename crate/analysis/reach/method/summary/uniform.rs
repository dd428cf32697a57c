//! Loops whose rounds are alike: what all rounds do, exactly and without writing them out.
//!
//! Source: ST12, Section 4, which writes out the first `K` rounds of every loop. Filling an array of 441 elements takes 441 of them, and
//! the paper's condition says nothing of arrays that rounds write.
//!
//! A loop is *uniform* where there is one kind of rounds, without inner loops; where each scalar is a term over the values before the
//! first round and the counter `κ`, or what the last round left; where each array is written once in a round, at an index that moves by
//! a constant; and where what a round requires is linear in `κ`. Then:
//!
//! * All rounds meet their conditions if the first and the last do: the rounds that meet a conjunction of linear conditions have no gap.
//! * An element was written by one round at most, and division tells by which.
//!
//! What rounds draw is an array of its own, with an element for each round, or the array itself that they write it to. Conditions on single elements (the ranges of what is read
//! or drawn) are stated where the program reads the element: elsewhere any value in range will do.

use super::{LoopRound, Summary};
use crate::analysis::reach::method::program::SummarizedProgram;
use crate::logic::substitution::{Substitution, coefficient};
use crate::logic::{ArrayTerm, Atom, AtomId, Formula, FormulaId, Int, Linear, Mentions, Pool, SortedSet, SymbolId};
use crate::lts::{ArrayId, Label, VariableId};
use crate::symex::nondet_name;

/// What all rounds of a loop do. Terms are over the values before the first round, the counter (how many rounds came before), and what
/// the round draws.
#[derive(Clone, Debug)]
pub struct Uniform {
    /// What a round requires: it holds in all rounds if it holds in the first and in the last.
    pub conditions: Vec<FormulaId>,
    /// What a round requires of single elements that it reads or draws.
    pub elements: Vec<FormulaId>,
    pub writes: Vec<RoundWrite>,
    /// Symbols of [`Summary::left`] with what a round leaves there.
    pub left: Vec<(AtomId, Linear)>,
    /// The numbers of what a round draws.
    pub draws: Vec<u32>,
}

impl Uniform {
    /// The write that puts a drawn value into an array as it is, one element after the other. With gaps between them the round that wrote
    /// an element has a name, and its element another one, without end.
    pub fn filled_with(&self, pool: &Pool, k: u32) -> Option<&RoundWrite> {
        self.writes.iter().filter(|write| write.stride.abs().is_one()).find(|write| {
            match (write.value.terms(), write.value.offset().is_zero()) {
                ([(atom, factor)], true) => {
                    factor.is_one() && matches!(pool.atom(*atom), Atom::Symbol(name) if pool.symbol_name(*name) == nondet_name(k))
                }
                _ => false,
            }
        })
    }
}

/// What a round writes to an array.
#[derive(Clone, Debug)]
pub struct RoundWrite {
    pub array: ArrayId,
    pub index: Linear,
    /// By how much the index moves in a round; not 0.
    pub stride: Int,
    pub value: Linear,
}

impl Uniform {
    /// Whether the loop is uniform, and how.
    pub fn of(program: &SummarizedProgram, pool: &mut Pool, summary: &Summary) -> Option<Uniform> {
        let [round] = &summary.rounds[..] else { return None };
        if !round.effect.loops.is_empty() {
            return None;
        }
        let draws = draws(program, summary.node, round)?;
        let mut lifting = Lifting::new(program, pool, summary, round, &draws);
        let mut uniform = Uniform { conditions: Vec::new(), elements: Vec::new(), writes: Vec::new(), left: Vec::new(), draws };
        for &part in round.effect.decided.iter().chain(&round.effect.defined) {
            let part = lifting.formula(pool, part)?;
            if !lifting.is_convex(pool, part) {
                return None;
            }
            uniform.conditions.push(part);
        }
        for &part in &round.effect.ranges {
            let part = lifting.formula(pool, part)?;
            if lifting.is_convex(pool, part) {
                uniform.conditions.push(part);
            } else if lifting.is_of_elements(pool, part) {
                uniform.elements.push(part);
            } else {
                return None;
            }
        }
        for left in &summary.left {
            let value = lifting.term(pool, round.effect.state.variable(left.variable))?;
            uniform.left.push((left.symbol, value));
        }
        for id in (0..program.lts.arrays.len() as u32).map(ArrayId) {
            let after = round.effect.state.array(id);
            let before = pool.array_symbol(&program.lts.array(id).name);
            if after == before {
                continue;
            }
            let ArrayTerm::Store(inner, index, value) = pool.array(after).clone() else { return None };
            if inner != before {
                return None;
            }
            let (index, value) = (lifting.term(pool, &index)?, lifting.term(pool, &value)?);
            let stride = lifting.stride(pool, &index)?;
            uniform.writes.push(RoundWrite { array: id, index, stride, value });
        }
        Some(uniform)
    }
}

/// The numbers of what a round draws; `None` where it draws the contents of an array.
fn draws(program: &SummarizedProgram, node: usize, round: &LoopRound) -> Option<Vec<u32>> {
    let mut at = node;
    let way = program.tree.way(node, round.end.node).into_iter().map(|(edge, to)| (edge, std::mem::replace(&mut at, to)));
    let edges: Vec<_> = way.chain([(round.end.edge, round.end.node)]).collect();
    let mut draws = Vec::new();
    for (edge, from) in edges {
        let edge = &program.lts.graph[edge];
        if let Label::HavocArray(_) = edge.label {
            return None;
        }
        draws.extend(program.draws[from]..program.draws[from] + edge.nondets());
    }
    Some(draws)
}

/// `θ^κ⟨·⟩` of what a round says, over the values before the first round and the counter.
struct Lifting {
    values: Substitution,
    counter: AtomId,
    /// What terms may speak of.
    liftable: SortedSet<SymbolId>,
    draws: SortedSet<SymbolId>,
}

impl Lifting {
    fn new(program: &SummarizedProgram, pool: &mut Pool, summary: &Summary, round: &LoopRound, draws: &[u32]) -> Lifting {
        let lts = program.lts;
        let names: Vec<Linear> = lts.variables.iter().map(|variable| pool.integer(&variable.name)).collect();
        let allowed: SortedSet<AtomId> = names.iter().map(|name| name.terms()[0].0).chain([round.counter]).collect();
        let (mut values, mut liftable) = (Vec::new(), SortedSet::new());
        for (index, name) in names.iter().enumerate() {
            let value = summary.memory.variable(VariableId(index as u32));
            // Totals and what the last round left differ from round to round.
            if summary.left.iter().any(|left| left.variable.0 as usize == index) {
                continue;
            }
            let mentioned = Mentions::of(pool, &[], &[value]);
            if mentioned.atoms.iter().all(|&atom| !is_symbol(pool, atom) || allowed.contains(&atom)) {
                values.push((name.terms()[0].0, value.clone()));
                liftable.insert(pool.symbol(&lts.variables[index].name));
            }
        }
        for array in (0..lts.arrays.len() as u32).map(ArrayId) {
            let name = pool.array_symbol(&lts.array(array).name);
            if summary.memory.array(array) == name {
                liftable.insert(pool.symbol(&lts.array(array).name));
            }
        }
        let draws: SortedSet<SymbolId> = draws.iter().map(|&k| pool.symbol(&nondet_name(k))).collect();
        liftable.extend(draws.iter().copied().collect::<Vec<_>>());
        Lifting { values: Substitution::of(values), counter: round.counter, liftable, draws }
    }

    fn formula(&mut self, pool: &mut Pool, formula: FormulaId) -> Option<FormulaId> {
        let is_liftable = Mentions::of(pool, &[formula], &[]).symbols.is_subset(&self.liftable);
        is_liftable.then(|| self.values.formula(pool, formula))?
    }

    fn term(&mut self, pool: &mut Pool, term: &Linear) -> Option<Linear> {
        let is_liftable = Mentions::of(pool, &[], &[term]).symbols.is_subset(&self.liftable);
        is_liftable.then(|| self.values.term(pool, term))?
    }

    /// Whether the rounds that meet this have no gap, and it speaks of no drawn value.
    fn is_convex(&self, pool: &Pool, formula: FormulaId) -> bool {
        if self.is_fixed(&Mentions::of(pool, &[formula], &[])) {
            return true;
        }
        match pool.formula(formula) {
            Formula::Le(term) | Formula::Eq(term) => self.is_linear(pool, term),
            Formula::And(parts) => parts.iter().all(|&part| self.is_convex(pool, part)),
            _ => false,
        }
    }

    /// Whether this speaks of elements that a round reads or of what it draws.
    fn is_of_elements(&self, pool: &Pool, formula: FormulaId) -> bool {
        let Mentions { symbols, atoms } = Mentions::of(pool, &[formula], &[]);
        let is_element = |&atom: &AtomId| matches!(pool.atom(atom), Atom::Select(..));
        !symbols.is_disjoint(&self.draws) || atoms.iter().any(is_element)
    }

    /// Whether the counter stands in a term with a constant factor only, and no drawn value does.
    fn is_linear(&self, pool: &Pool, term: &Linear) -> bool {
        let rest = term.add_scaled(&Linear::atom(self.counter), &-coefficient(term, self.counter));
        self.is_fixed(&Mentions::of(pool, &[], &[&rest]))
    }

    /// By how much a term moves in a round, where that is a constant but 0.
    fn stride(&self, pool: &Pool, term: &Linear) -> Option<Int> {
        let stride = coefficient(term, self.counter);
        (!stride.is_zero() && self.is_linear(pool, term)).then_some(stride)
    }

    /// Whether something is the same in all rounds.
    fn is_fixed(&self, mentioned: &Mentions) -> bool {
        !mentioned.atoms.contains(&self.counter) && mentioned.symbols.is_disjoint(&self.draws)
    }
}

fn is_symbol(pool: &Pool, atom: AtomId) -> bool {
    matches!(pool.atom(atom), Atom::Symbol(_))
}
