//! Looping conditions, written out round by round where a model needs them.
//!
//! Source: ST12, lines 11 to 17 of Algorithm 2, and Section 4. The looping condition says of each kind `i` of rounds
//!
//! ```text
//! ∀ τᵢ (0 ≤ τᵢ < κᵢ → ∃ τⱼ (0 ≤ τⱼ ≤ κⱼ for j ≠ i, and ∃ κ' γᵢ))
//! ```
//!
//! where `γᵢ` is the condition of a round of kind `i` after `τ` rounds of each kind. An instance is one for a single round. It has symbols
//! of its own for what inner loops do and leave, since these differ from round to round. `φ̂^K` has the first `K` of each loop; a
//! model that makes no more rounds than are written out is one of `φ̂`.
//!
//! The paper takes the rounds of each kind apart, and so leaves out in which order they come (Section 2.3); a model need not be an
//! execution. Here instance `n` is the n-th round of the loop, of whatever kind: `Σ τ = n`, and the next round has one more of the kind
//! that this one is. So indices that count all rounds are numbers, and each instance says as much as those of all kinds together. For the
//! same reason a value that no term expresses is known as far as rounds are written out: it is what the round before left. Of arrays that
//! holds element by element, of those that the program reads.

mod uniform;

use super::effect::{Looped, WayEffect};
use super::program::SummarizedProgram;
use super::summary::{Left, Summary};
use crate::logic::substitution::Substitution;
use crate::logic::{
    ArrayTerm, ArrayTermId, Assignment, Atom, AtomId, FormulaId, Int, Linear, Mentions, Pool, SortedMap, SortedSet, SymbolId,
};
use crate::lts::inputs::Inputs;
use crate::lts::{ArrayId, Lts, VariableId};
use std::rc::Rc;

/// What symbols become in an instance.
#[derive(Clone, Debug, Default)]
pub struct InstanceScope {
    atoms: SortedMap<AtomId, Linear>,
    arrays: SortedMap<ArrayTermId, ArrayTermId>,
    /// The end of the names that all other symbols get; none outside of loops, where they stay.
    suffix: String,
}

impl InstanceScope {
    /// The scope in which inputs keep their names, and all other symbols get names that end like this.
    pub fn of_inputs(lts: &Lts, inputs: &Inputs, pool: &mut Pool, suffix: &str) -> InstanceScope {
        let mut scope = InstanceScope { suffix: suffix.to_owned(), ..InstanceScope::default() };
        for &id in &inputs.variables {
            let input = pool.integer(&lts.variable(id).name);
            scope.atoms.insert(input.terms()[0].0, input);
        }
        for &id in &inputs.arrays {
            let input = pool.array_symbol(&lts.array(id).name);
            scope.arrays.insert(input, input);
        }
        scope
    }

    /// Symbols without a value get one of their own.
    fn substitution(&mut self, pool: &mut Pool, mentions: &Mentions) -> Substitution {
        let scalars: Vec<AtomId> = mentions.atoms.iter().copied().filter(|&atom| matches!(pool.atom(atom), Atom::Symbol(_))).collect();
        if !self.suffix.is_empty() {
            let mut declared: SortedSet<SymbolId> = SortedSet::new();
            for atom in scalars {
                let Atom::Symbol(symbol) = *pool.atom(atom) else { continue };
                declared.insert(symbol);
                if !self.atoms.contains_key(&atom) {
                    let name = format!("{}{}", pool.symbol_name(symbol), self.suffix);
                    let renamed = pool.integer(&name);
                    self.atoms.insert(atom, renamed);
                }
            }
            // The others are arrays.
            for &symbol in mentions.symbols.iter().filter(|symbol| !declared.contains(symbol)) {
                let name = pool.symbol_name(symbol).to_owned();
                let array = pool.array_symbol(&name);
                if !self.arrays.contains_key(&array) {
                    let renamed = pool.array_symbol(&format!("{name}{}", self.suffix));
                    self.arrays.insert(array, renamed);
                }
            }
        }
        // The substitution copies the terms of the symbols that occur, and no others.
        let atoms = mentions.atoms.iter().filter_map(|&atom| Some((atom, self.atoms.get(&atom)?.clone())));
        let occurs = |array: ArrayTermId| match *pool.array(array) {
            ArrayTerm::Symbol(symbol) => mentions.symbols.contains(&symbol),
            _ => true,
        };
        let arrays = self.arrays.iter().filter(|(from, _)| occurs(**from));
        arrays.fold(Substitution::of(atoms), |all, (&from, &to)| all.and_array(from, to))
    }

    /// The formula in this scope; where it has no value, nothing is known.
    pub fn formula(&mut self, pool: &mut Pool, formula: FormulaId) -> FormulaId {
        let mentions = Mentions::of(pool, &[formula], &[]);
        self.substitution(pool, &mentions).formula(pool, formula).unwrap_or(Pool::TRUE)
    }

    /// The term in this scope.
    pub fn term(&mut self, pool: &mut Pool, term: &Linear) -> Linear {
        let mentions = Mentions::of(pool, &[], &[term]);
        self.substitution(pool, &mentions).term(pool, term).unwrap_or_default()
    }

    fn array(&mut self, pool: &mut Pool, array: ArrayTermId) -> ArrayTermId {
        let mentions = Mentions::of_array(pool, array);
        self.substitution(pool, &mentions).array(pool, array).unwrap_or(array)
    }

    /// The name of a symbol of this scope.
    pub fn name(&self, name: &str) -> String {
        format!("{name}{}", self.suffix)
    }
}

/// A looping condition in some scope, with those of its instances that are written out.
#[derive(Debug)]
pub struct Looping {
    /// Among all of the way.
    position: usize,
    pub summary: Rc<Summary>,
    /// What variables stand for before the first round: the scope in which the summary speaks.
    entry: InstanceScope,
    /// `κ`, in the scope of the way that goes through the loop.
    pub counters: Vec<Linear>,
    /// `Σ κ`.
    pub rounds: Linear,
    /// Where the way goes through the loop at all.
    guard: FormulaId,
    /// The rounds that are written out, from the first on.
    pub instances: Vec<RoundInstance>,
    /// `τ` after them.
    counts_after: Vec<Linear>,
    /// The totals after them.
    sums: Vec<Linear>,
}

/// A round that is written out.
#[derive(Clone, Debug)]
pub struct RoundInstance {
    /// For each kind whether the round is of it, with the scope of its symbols and the positions of its inner looping conditions.
    pub kinds: Vec<(FormulaId, InstanceScope, Vec<usize>)>,
}

/// All looping conditions of a way.
#[derive(Default, Debug)]
pub struct RoundInstances {
    pub loops: Vec<Looping>,
    /// The conditions of uniform loops that the solver has not been told yet.
    ends: Vec<FormulaId>,
    /// So many quotients have names.
    quotients: usize,
    /// How many instances there are.
    pub count: usize,
    /// What arrays that rounds change are called.
    arrays: SortedMap<ArrayTermId, Changed>,
    /// The program's names: of scalars, then of arrays.
    names: Vec<String>,
    scalars: usize,
}

/// An array as rounds of a loop leave it.
#[derive(Clone, Copy, Debug)]
struct Changed {
    /// The loop's position.
    at: usize,
    array: ArrayId,
    /// After so many rounds; after all where there is no number.
    rounds: Option<usize>,
}

impl RoundInstances {
    /// Nothing yet.
    pub fn new(lts: &Lts) -> RoundInstances {
        let names = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
        RoundInstances { names: names.cloned().collect(), scalars: lts.variables.len(), ..RoundInstances::default() }
    }

    /// Adds the looping conditions of a way in this scope; gives their positions.
    pub fn add(
        &mut self,
        program: &SummarizedProgram,
        pool: &mut Pool,
        loops: &[Looped],
        scope: &mut InstanceScope,
        guard: FormulaId,
    ) -> Vec<usize> {
        let mut positions = Vec::new();
        for Looped { node, before } in loops {
            let Some(summary) = program.summaries[*node].clone() else { continue };
            let mut entry = InstanceScope { suffix: scope.suffix.clone(), ..InstanceScope::default() };
            for (variable, value) in program.lts.variables.iter().zip(before.variables()) {
                let name = pool.integer(&variable.name).terms()[0].0;
                let value = scope.term(pool, value);
                entry.atoms.insert(name, value);
            }
            for (index, array) in program.lts.arrays.iter().enumerate() {
                let name = pool.array_symbol(&array.name);
                let value = scope.array(pool, before.array(ArrayId(index as u32)));
                entry.arrays.insert(name, value);
            }
            let counters: Vec<Linear> = summary.rounds.iter().map(|round| scope.term(pool, &Linear::atom(round.counter))).collect();
            let rounds = counters.iter().fold(Linear::default(), |sum, counter| sum.add(counter));
            let (counts_after, sums) = (vec![Linear::default(); counters.len()], vec![Linear::default(); summary.totals.len()]);
            positions.push(self.loops.len());
            for array in (0..program.lts.arrays.len() as u32).map(ArrayId) {
                let left = summary.memory.array(array);
                if left != pool.array_symbol(&program.lts.array(array).name) {
                    let left = scope.array(pool, left);
                    self.arrays.insert(left, Changed { at: self.loops.len(), array, rounds: None });
                }
            }
            let position = self.loops.len();
            self.loops.push(Looping { position, summary, entry, counters, rounds, guard, instances: Vec::new(), counts_after, sums });
            let ends = self.ends(pool, position);
            self.ends.extend(ends);
        }
        positions
    }

    /// The conditions of uniform loops that are new; each is guarded.
    pub fn new_ends(&mut self) -> Vec<FormulaId> {
        std::mem::take(&mut self.ends)
    }

    /// Writes out the next round of a loop; gives it as a formula.
    pub fn write(&mut self, program: &SummarizedProgram, pool: &mut Pool, at: usize) -> FormulaId {
        self.count += 1;
        let Looping { position: _, summary, counters, rounds, guard, entry, counts_after: before, sums, instances } = &self.loops[at];
        let (summary, counters, rounds) = (summary.clone(), counters.clone(), rounds.clone());
        let (before, sums) = (before.clone(), sums.clone());
        let (number, entry_suffix) = (instances.len(), entry.suffix.clone());
        let suffix = format!("{}~{at}.{number}", entry.suffix);
        let goes = pool.less(&Linear::constant(number), &rounds);
        let goes = pool.and(&[*guard, goes]);
        // What variables are before the round.
        let mut there = InstanceScope { suffix: suffix.clone(), ..entry.clone() };
        for (round, count) in summary.rounds.iter().zip(&before) {
            there.atoms.insert(round.counter, count.clone());
        }
        for (total, sum) in summary.totals.iter().zip(&sums) {
            there.atoms.insert(total.symbol, sum.clone());
        }
        let mut parts: Vec<FormulaId> = summary.definitions.iter().map(|&definition| there.formula(pool, definition)).collect();
        let mut values = InstanceScope { suffix, ..InstanceScope::default() };
        for (index, variable) in program.lts.variables.iter().enumerate() {
            let name = pool.integer(&variable.name).terms()[0].0;
            let value = there.term(pool, summary.memory.variable(VariableId(index as u32)));
            values.atoms.insert(name, value);
        }
        for (index, array) in program.lts.arrays.iter().enumerate() {
            let name = pool.array_symbol(&array.name);
            let id = ArrayId(index as u32);
            let value = there.array(pool, summary.memory.array(id));
            if summary.memory.array(id) != name {
                self.arrays.insert(value, Changed { at, array: id, rounds: Some(number) });
            }
            values.arrays.insert(name, value);
        }
        for left in &summary.left {
            let value = there.term(pool, &Linear::atom(left.symbol));
            parts.push(self.left_before(pool, at, left, &value));
        }
        // `γᵢ` for one kind.
        let (mut kinds, mut ways) = (Vec::new(), Vec::new());
        for (kind, round) in summary.rounds.iter().enumerate() {
            let is_of_kind = match summary.rounds.len() {
                1 => Pool::TRUE,
                _ => pool.boolean(&format!("@kind{kind}{}", values.suffix)),
            };
            let mut scope = InstanceScope { suffix: format!("{}.{kind}", values.suffix), ..values.clone() };
            let effect: &WayEffect = &round.effect;
            let mut said: Vec<FormulaId> = effect.parts().map(|part| scope.formula(pool, part)).collect();
            let taken = pool.and(&[goes, is_of_kind]);
            let inner = self.add(program, pool, &effect.loops, &mut scope, taken);
            said.push(is_of_kind);
            let denied: Vec<FormulaId> =
                kinds.iter().map(|(other, ..): &(FormulaId, InstanceScope, Vec<usize>)| pool.not(*other)).collect();
            said.extend(denied);
            ways.push(pool.and(&said));
            kinds.push((is_of_kind, scope, inner));
        }
        parts.push(pool.or(&ways));
        // `τ` after the round: of the last kind are as many as are left.
        let mut counts_after = Vec::new();
        let mut left = Linear::constant(number + 1);
        for (kind, (is_of_kind, ..)) in kinds.iter().enumerate() {
            if kind + 1 == kinds.len() {
                counts_after.push(left.clone());
                break;
            }
            let count = pool.integer(&format!("@τ{kind}{}", values.suffix));
            let (more, same) = (before[kind].add_constant(&Int::ONE), before[kind].clone());
            let (more, same) = (pool.equal(&count, &more), pool.equal(&count, &same));
            let denied = pool.not(*is_of_kind);
            let (of_kind, of_other) = (pool.and(&[*is_of_kind, more]), pool.and(&[denied, same]));
            parts.push(pool.or(&[of_kind, of_other]));
            left = left.sub(&count);
            counts_after.push(count);
        }
        let mut sums_after = Vec::new();
        for (total, sum) in summary.totals.iter().zip(&sums) {
            let (is_of_kind, scope, _) = &mut kinds[total.kind];
            let more = sum.add(&scope.term(pool, &Linear::atom(total.of)));
            if *is_of_kind == Pool::TRUE {
                sums_after.push(more);
                continue;
            }
            let sum_after = values.term(pool, &Linear::atom(total.symbol));
            let (more, same, denied) = (pool.equal(&sum_after, &more), pool.equal(&sum_after, sum), pool.not(*is_of_kind));
            let (of_kind, of_other) = (pool.and(&[*is_of_kind, more]), pool.and(&[denied, same]));
            parts.push(pool.or(&[of_kind, of_other]));
            sums_after.push(sum_after);
        }
        // After the last round these are `κ` and the totals.
        let is_last = pool.equal(&rounds, &Linear::constant(number + 1));
        let mut counted: Vec<FormulaId> = counters.iter().zip(&counts_after).map(|(counter, count)| pool.equal(counter, count)).collect();
        let mut outside = InstanceScope { suffix: entry_suffix, ..InstanceScope::default() };
        for (total, sum) in summary.totals.iter().zip(&sums_after) {
            let symbol = outside.term(pool, &Linear::atom(total.symbol));
            counted.push(pool.equal(&symbol, sum));
        }
        parts.push(implication(pool, is_last, &counted));
        let looping = &mut self.loops[at];
        looping.instances.push(RoundInstance { kinds });
        (looping.counts_after, looping.sums) = (counts_after, sums_after);
        for left in &summary.left {
            let value = outside.term(pool, &Linear::atom(left.symbol));
            let said = self.left_before(pool, at, left, &value);
            parts.push(implication(pool, is_last, &[said]));
        }
        implication(pool, goes, &parts)
    }

    /// That a value is what the rounds that are written out so far leave of a variable.
    fn left_before(&self, pool: &mut Pool, at: usize, left: &Left, value: &Linear) -> FormulaId {
        let looping = &self.loops[at];
        let Some(last) = looping.instances.last() else {
            let name = pool.integer(&self.names[left.variable.0 as usize]);
            let before = looping.entry.clone().term(pool, &name);
            return pool.equal(value, &before);
        };
        let kinds = last.kinds.iter().zip(&looping.summary.rounds).map(|((is_of_kind, scope, _), round)| {
            let value_after = scope.clone().term(pool, round.effect.state.variable(left.variable));
            let same = pool.equal(value, &value_after);
            implication(pool, *is_of_kind, &[same])
        });
        let kinds: Vec<FormulaId> = kinds.collect();
        pool.and(&kinds)
    }

    /// Of an array that rounds change, how many rounds say something of it now; `None` for other arrays.
    pub fn told_by(&self, array: ArrayTermId) -> Option<usize> {
        let changed = self.arrays.get(&array)?;
        if self.loops[changed.at].uniform().is_some() {
            return Some(0);
        }
        Some(changed.rounds.unwrap_or(self.loops[changed.at].instances.len()))
    }

    /// What is known of an element of an array that rounds change: what the last round before left there. `None` for other arrays.
    pub fn element(&mut self, pool: &mut Pool, array: ArrayTermId, index: &Linear) -> Option<FormulaId> {
        let changed = *self.arrays.get(&array)?;
        let Changed { at, array: id, rounds } = changed;
        let looping = &self.loops[at];
        let element = pool.select(array, index);
        let name = pool.array_symbol(&self.names[self.scalars + id.0 as usize]);
        let first = looping.entry.clone().array(pool, name);
        if looping.uniform().is_some() {
            let first = pool.select(first, index);
            return Some(self.written(pool, changed, &element, index, &first));
        }
        let mut said = Vec::new();
        for rounds_before in 0..=looping.instances.len() {
            if rounds.is_some_and(|rounds| rounds != rounds_before) {
                continue;
            }
            // Without a number of rounds: where there are so many.
            let so_many = match rounds {
                Some(_) => pool.less(&Linear::constant(rounds_before), &looping.rounds),
                None => pool.equal(&looping.rounds, &Linear::constant(rounds_before)),
            };
            let guard = pool.and(&[looping.guard, so_many]);
            if rounds_before == 0 {
                let before = pool.select(first, index);
                let same = pool.equal(&element, &before);
                said.push(implication(pool, guard, &[same]));
                continue;
            }
            for ((is_of_kind, scope, _), round) in looping.instances[rounds_before - 1].kinds.iter().zip(&looping.summary.rounds) {
                let left = scope.clone().array(pool, round.effect.state.array(id));
                let left = pool.select(left, index);
                let (same, guard) = (pool.equal(&element, &left), pool.and(&[guard, *is_of_kind]));
                said.push(implication(pool, guard, &[same]));
            }
        }
        Some(pool.and(&said))
    }

    /// The loops of which a model makes more rounds than are written out, with how many more.
    pub fn missing(&self, pool: &Pool, model: &Assignment) -> Vec<(usize, usize)> {
        let live = self.live(pool, model).filter(|(_, looping)| looping.uniform().is_none()).map(|(at, looping)| {
            let rounds = model.linear(pool, &looping.rounds).and_then(|rounds| usize::try_from(rounds.to_i64()?).ok());
            (at, rounds.unwrap_or(usize::MAX).saturating_sub(looping.instances.len()))
        });
        live.filter(|(_, missing)| *missing > 0).collect()
    }

    /// The greatest number of rounds of a loop in a model, of those whose rounds are written out.
    pub fn greatest(&self, pool: &Pool, model: &Assignment) -> Int {
        let written = self.live(pool, model).filter(|(_, looping)| looping.uniform().is_none());
        written.filter_map(|(_, looping)| model.linear(pool, &looping.rounds)).max().unwrap_or_default()
    }

    /// The loops that the model goes through.
    fn live<'s>(&'s self, pool: &'s Pool, model: &'s Assignment) -> impl Iterator<Item = (usize, &'s Looping)> {
        self.loops.iter().enumerate().filter(|(_, looping)| model.formula(pool, looping.guard) == Some(true))
    }
}

/// That the guard does not hold, or all parts do.
fn implication(pool: &mut Pool, guard: FormulaId, parts: &[FormulaId]) -> FormulaId {
    let (holds, denied) = (pool.and(parts), pool.not(guard));
    pool.or(&[denied, holds])
}
