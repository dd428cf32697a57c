//! `θ^κ` in the making: lines 2 to 10 of Algorithm 2, and the facts about last rounds.

use super::{EarlierRounds, KINDS, Left, LoopRound, Rule, Summary, Total};
use crate::analysis::reach::method::program::SummarizedProgram;
use crate::logic::substitution::Substitution;
use crate::logic::{Atom, AtomId, FormulaId, Int, Linear, Mentions, Pool, SortedSet};
use crate::lts::{ArrayId, VariableId};
use crate::symex::State;

/// `θ^κ` in the making.
pub(super) struct Iterated<'a> {
    program: &'a SummarizedProgram<'a>,
    rounds: &'a [LoopRound],
    identity: State,
    /// For each variable its value and the rule, where there is one that needs no symbol.
    pub values: Vec<Option<(Linear, Rule)>>,
    /// The arrays that rounds change.
    pub written: SortedSet<ArrayId>,
    /// The atoms of the program's names, in the order of variables.
    names: Vec<AtomId>,
    node: usize,
    pub totals: Vec<Total>,
}

impl<'a> Iterated<'a> {
    pub fn new(
        program: &'a SummarizedProgram<'a>,
        pool: &mut Pool,
        identity: &State,
        rounds: &'a [LoopRound],
        node: usize,
    ) -> Iterated<'a> {
        let lts = program.lts;
        let arrays = (0..lts.arrays.len() as u32).map(ArrayId);
        let written = arrays.filter(|&id| rounds.iter().any(|round| round.effect.state.array(id) != identity.array(id))).collect();
        let names = lts.variables.iter().map(|variable| pool.integer(&variable.name).terms()[0].0).collect();
        Iterated {
            program,
            rounds,
            identity: identity.clone(),
            values: vec![None; lts.variables.len()],
            written,
            names,
            node,
            totals: Vec::new(),
        }
    }

    /// Finds values that follow from those that are known; gives whether there were any.
    pub fn improve(&mut self, pool: &mut Pool) -> bool {
        let mut changed = false;
        for index in 0..self.values.len() {
            if self.values[index].is_none() {
                self.values[index] = self.value(pool, VariableId(index as u32));
                changed |= self.values[index].is_some();
            }
        }
        changed
    }

    /// Rules 1 and 2.
    fn value(&mut self, pool: &mut Pool, id: VariableId) -> Option<(Linear, Rule)> {
        let start = self.identity.variable(id).clone();
        let changing: Vec<usize> = (0..self.rounds.len()).filter(|&at| *self.rounds[at].effect.state.variable(id) != start).collect();
        if changing.is_empty() {
            return Some((start, Rule::Unchanged));
        }
        self.added(pool, &changing, &start, id).or_else(|| self.wrapped(pool, &changing, &start, id))
    }

    /// Rule 2.
    fn added(&mut self, pool: &mut Pool, changing: &[usize], start: &Linear, id: VariableId) -> Option<(Linear, Rule)> {
        let mut sum = start.clone();
        for &kind in changing {
            let added = self.rounds[kind].effect.state.variable(id).sub(start);
            let (same, own) = self.apart(pool, &added);
            let same = self.lifted(pool, &same).filter(|same| self.is_constant(pool, same))?;
            sum = sum.add(&pool.product(&Linear::atom(self.rounds[kind].counter), &same));
            for (symbol, factor) in own {
                let total = self.total(pool, kind, symbol);
                sum = sum.add_scaled(&Linear::atom(total), &factor);
            }
        }
        Some((sum, Rule::Added))
    }

    /// Rule 2 for sums that wrap around: what each round adds, but for multiples of the size of the type, is a constant. The sum that is
    /// brought back into the type begins at the end of it that the rounds move away from, so that it is never negative.
    fn wrapped(&self, pool: &mut Pool, changing: &[usize], start: &Linear, id: VariableId) -> Option<(Linear, Rule)> {
        let range = self.program.lts.variable(id).range?;
        let size = range.size();
        let mut added = Vec::new();
        for &kind in changing {
            let value = self.rounds[kind].effect.state.variable(id).sub(start);
            let constant = residue(pool, &value, &size).as_constant()?.div_rem_floor(&size)?.1;
            added.push((self.rounds[kind].counter, constant));
        }
        let is_down = added.iter().all(|(_, constant)| *constant > &size - constant);
        let (first, away) = if is_down { (range.greatest(), start.neg()) } else { (range.least(), start.clone()) };
        let first_away = if is_down { first.clone() } else { -&first };
        let mut sum = away.add_constant(&first_away);
        for (counter, constant) in added {
            let constant = if is_down { &size - &constant } else { constant };
            sum = sum.add_scaled(&Linear::atom(counter), &constant);
        }
        let (_, left) = pool.div_rem_trunc(&sum, &Linear::constant(size))?;
        Some((if is_down { left.neg() } else { left }.add_constant(&first), Rule::Added))
    }

    /// A term apart from the multiples of symbols in it that belong to the round alone.
    fn apart(&self, pool: &Pool, term: &Linear) -> (Linear, Vec<(AtomId, Int)>) {
        let is_own = |atom: AtomId| matches!(pool.atom(atom), Atom::Symbol(_)) && !self.names.contains(&atom);
        let (own, same): (Vec<_>, Vec<_>) = term.terms().iter().cloned().partition(|(atom, _)| is_own(*atom));
        (Linear::new(same, term.offset().clone()), own)
    }

    /// The total of a symbol over the rounds of a kind.
    fn total(&mut self, pool: &mut Pool, kind: usize, of: AtomId) -> AtomId {
        if let Some(total) = self.totals.iter().find(|total| (total.kind, total.of) == (kind, of)) {
            return total.symbol;
        }
        let name = match pool.atom(of) {
            Atom::Symbol(symbol) => pool.symbol_name(*symbol).trim_start_matches('@').to_owned(),
            _ => String::new(),
        };
        let symbol = pool.integer(&format!("@Σ{name}@{}.{kind}", self.node)).terms()[0].0;
        self.totals.push(Total { symbol, kind, of });
        symbol
    }

    /// The conditions of the last round, and of the last round of each kind; what is not negative comes to the definitions.
    pub fn facts(&self, pool: &mut Pool, summary: &mut Summary) -> Vec<FormulaId> {
        let zero = Linear::default();
        let counters: Vec<Linear> = self.rounds.iter().map(|round| Linear::atom(round.counter)).collect();
        let mut facts = Vec::new();
        summary.definitions.extend(counters.iter().map(|counter| pool.at_most(&zero, counter)));
        for total in summary.totals.clone() {
            let (symbol, summed) = (Linear::atom(total.symbol), Linear::atom(total.of));
            // Over no rounds it is 0.
            let (some, nothing) = (pool.at_most(&Linear::constant(1), &counters[total.kind]), pool.equal(&symbol, &zero));
            summary.definitions.push(pool.or(&[some, nothing]));
            // A total of what is never negative is not.
            let at_least = pool.at_most(&zero, &summed);
            if self.rounds[total.kind].effect.parts().any(|part| part == at_least) {
                summary.definitions.push(pool.at_most(&zero, &symbol));
            }
        }
        let none: Vec<FormulaId> = counters.iter().map(|counter| pool.equal(counter, &zero)).collect();
        let mut ways = vec![pool.and(&none)];
        for kind in 0..self.rounds.len() {
            let mut parts = vec![pool.at_most(&Linear::constant(1), &counters[kind])];
            parts.extend(self.before_round(pool, summary, kind, &counters));
            ways.push(pool.and(&parts));
        }
        facts.push(pool.or(&ways));
        if (2..=KINDS).contains(&self.rounds.len()) {
            for kind in 0..self.rounds.len() {
                let before: Vec<Linear> =
                    (0..self.rounds.len()).map(|other| Linear::atom(self.before(pool, summary, kind, other))).collect();
                let mut parts = self.before_round(pool, summary, kind, &before);
                for other in (0..self.rounds.len()).filter(|&other| other != kind) {
                    parts.push(pool.at_most(&zero, &before[other]));
                    parts.push(pool.at_most(&before[other], &counters[other]));
                }
                let (no_round, holds) = (pool.at_most(&counters[kind], &zero), pool.and(&parts));
                facts.push(pool.or(&[no_round, holds]));
                // Of the last rounds of two kinds one is the later, and all rounds of the other came before it.
                for other in 0..kind {
                    let earlier = Linear::atom(self.before(pool, summary, other, kind));
                    let ways = [
                        pool.at_most(&counters[kind], &zero),
                        pool.at_most(&counters[other], &zero),
                        pool.equal(&before[other], &counters[other]),
                        pool.equal(&earlier, &counters[kind]),
                    ];
                    facts.push(pool.or(&ways));
                }
            }
        }
        facts
    }

    /// What the condition of a round says where one round less of its kind came before it, and of the others so many. Without what
    /// speaks of values that only the round knows, or that no term expresses.
    fn before_round(&self, pool: &mut Pool, summary: &Summary, kind: usize, counts: &[Linear]) -> Vec<FormulaId> {
        let lts = self.program.lts;
        let mut counted: Vec<(AtomId, Linear)> = Vec::new();
        for (other, round) in self.rounds.iter().enumerate() {
            let count = match other == kind {
                true => Linear::atom(round.counter).add_constant(&Int::MINUS_ONE),
                false => counts[other].clone(),
            };
            counted.push((round.counter, count));
        }
        let unknown: SortedSet<AtomId> =
            summary.left.iter().map(|left| left.symbol).chain(summary.totals.iter().map(|total| total.symbol)).collect();
        let mut values = Vec::new();
        let mut constants: SortedSet<_> = SortedSet::new();
        for (index, &name) in self.names.iter().enumerate() {
            let value = summary.memory.variable(VariableId(index as u32));
            if Mentions::of(pool, &[], &[value]).atoms.is_disjoint(&unknown) {
                let value = Substitution::of(counted.iter().cloned()).term(pool, value);
                values.extend(value.map(|value| (name, value)));
                constants.insert(pool.symbol(&lts.variables[index].name));
            }
        }
        let arrays = (0..lts.arrays.len() as u32).map(ArrayId).filter(|id| !self.written.contains(id));
        constants.extend(arrays.map(|id| pool.symbol(&lts.array(id).name)).collect::<Vec<_>>());
        let mut values = Substitution::of(values);
        let parts = self.rounds[kind].effect.with_facts().filter(|&part| Mentions::of(pool, &[part], &[]).symbols.is_subset(&constants));
        let parts: Vec<FormulaId> = parts.collect();
        parts.into_iter().filter_map(|part| values.formula(pool, part)).collect()
    }

    /// The name of the counter of a kind, for people.
    fn name(&self, pool: &Pool, kind: usize) -> String {
        match pool.atom(self.rounds[kind].counter) {
            Atom::Symbol(symbol) => pool.symbol_name(*symbol).trim_start_matches('@').to_owned(),
            _ => String::new(),
        }
    }

    /// How many rounds of the kind `counted` came before the last one of the kind `last`.
    fn before(&self, pool: &mut Pool, summary: &mut Summary, last: usize, counted: usize) -> AtomId {
        match summary.before.iter().find(|before| (before.last, before.counted) == (last, counted)) {
            Some(total) => total.symbol,
            None => {
                let symbol = pool.integer(&format!("@{}|{}@{}", self.name(pool, counted), self.name(pool, last), self.node)).terms()[0].0;
                summary.before.push(EarlierRounds { symbol, last, counted });
                symbol
            }
        }
    }

    /// Whether a term speaks of no counter.
    fn is_constant(&self, pool: &Pool, term: &Linear) -> bool {
        let atoms = Mentions::of(pool, &[], &[term]).atoms;
        !self.rounds.iter().any(|round| atoms.contains(&round.counter))
    }

    /// `θ^κ⟨·⟩` of a term over the values before a round; `None` where it speaks of what is not known.
    fn lifted(&self, pool: &mut Pool, term: &Linear) -> Option<Linear> {
        let mentioned = Mentions::of(pool, &[], &[term]);
        let mut values = Vec::new();
        for &atom in &mentioned.atoms {
            if let Atom::Symbol(_) = pool.atom(atom) {
                let index = self.names.iter().position(|&name| name == atom)?;
                values.push((atom, self.values[index].as_ref()?.0.clone()));
            }
        }
        let lts = self.program.lts;
        let arrays: Vec<_> = (0..lts.arrays.len() as u32).map(ArrayId).filter(|id| !self.written.contains(id)).collect();
        let constant: SortedSet<_> = arrays.iter().map(|&id| pool.symbol(&lts.array(id).name)).collect();
        let scalars: SortedSet<_> = lts.variables.iter().map(|variable| pool.symbol(&variable.name)).collect();
        if !mentioned.symbols.iter().all(|symbol| scalars.contains(symbol) || constant.contains(symbol)) {
            return None;
        }
        Substitution::of(values).term(pool, term)
    }

    /// Rules 3 and 4: a symbol for the value, and what is known of it.
    pub fn leave(&self, pool: &mut Pool, id: VariableId, summary: &mut Summary) -> (Linear, Rule) {
        let start = self.identity.variable(id);
        let name = format!("@{}@{}", self.program.lts.variable(id).name, summary.node);
        let value = pool.integer(&name);
        summary.left.push(Left { symbol: value.terms()[0].0, variable: id });
        let changing: Vec<usize> = (0..self.rounds.len()).filter(|&at| self.rounds[at].effect.state.variable(id) != start).collect();
        let none: Vec<FormulaId> =
            changing.iter().map(|&at| pool.equal(&Linear::atom(self.rounds[at].counter), &Linear::default())).collect();
        let (none, same) = (pool.and(&none), pool.equal(&value, start));
        let mut ways = vec![pool.and(&[none, same])];
        let mut rule = Rule::Set;
        for &at in &changing {
            let counter = Linear::atom(self.rounds[at].counter);
            let mut parts = vec![pool.at_most(&Linear::constant(1), &counter)];
            let set = self.rounds[at].effect.state.variable(id).clone();
            match self.lifted(pool, &set) {
                None => rule = Rule::Unknown,
                Some(lifted) => {
                    let last = self.last(pool, at, &lifted, summary, &mut parts);
                    parts.push(pool.equal(&value, &last));
                }
            }
            ways.push(pool.and(&parts));
        }
        summary.definitions.push(pool.or(&ways));
        (value, rule)
    }

    /// A term with counters as they were before the last round of kind `at`: one round of it less, and of the others some that were
    /// not more than there are now.
    fn last(&self, pool: &mut Pool, at: usize, term: &Linear, summary: &mut Summary, parts: &mut Vec<FormulaId>) -> Linear {
        let mentioned = Mentions::of(pool, &[], &[term]).atoms;
        let mut values = Vec::new();
        for (kind, round) in self.rounds.iter().enumerate().filter(|(_, round)| mentioned.contains(&round.counter)) {
            let counter = Linear::atom(round.counter);
            if kind == at {
                values.push((round.counter, counter.add_constant(&Int::MINUS_ONE)));
                continue;
            }
            let symbol = self.before(pool, summary, at, kind);
            let count = Linear::atom(symbol);
            parts.push(pool.at_most(&Linear::default(), &count));
            parts.push(pool.at_most(&count, &counter));
            values.push((round.counter, count));
        }
        Substitution::of(values).term(pool, term).unwrap_or_default()
    }
}

/// The term without multiples of a positive number, as far as that is plain to see.
fn residue(pool: &Pool, term: &Linear, size: &Int) -> Linear {
    let mut left = Linear::constant(term.offset().clone());
    for (atom, factor) in term.terms().iter().filter(|(_, factor)| !factor.is_multiple_of(size)) {
        let part = match pool.atom(*atom) {
            Atom::RemTrunc(value, by) if by.as_constant().is_some_and(|by| by.is_multiple_of(size)) => residue(pool, value, size),
            _ => Linear::atom(*atom),
        };
        left = left.add_scaled(&part, factor);
    }
    left
}
