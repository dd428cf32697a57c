//! Loop summaries: what rounds of a loop do, in any number and order.
//!
//! Source: ST12, Section 3.3 and Algorithm 2. A *path counter* `κᵢ` counts the rounds along the i-th way through the loop; the
//! *iterated memory* `θ^κ` says what each variable is after so many rounds of each kind. Lines 2 to 10 find it by these rules, again
//! until nothing changes, where `a` is the value before the first round:
//!
//! 1. No round changes the variable: `a`.
//! 2. Each round adds something, if anything, that is the same in all rounds: `a + Σ dᵢ · κᵢ`.
//! 3. and 4. Rounds that change it set it to something that depends on counters at most: that of the last round that did so. With
//!    several kinds of rounds, how often each of the others came before that one is unknown but bounded, where the paper gives up.
//!
//! Where no term expresses the value it is a symbol, of which rules 3 and 4 say what they know; of the paper's `★` they say only that it
//! is `a` before the first round that changes it. The second half of the algorithm, the looping condition, is in [`super::instances`].

use super::effect::{Effect, Program};
use super::tree::RoundEnd;
use crate::logic::substitution::Substitution;
use crate::logic::{Atom, AtomId, FormulaId, Int, Linear, Mentions, Pool, SortedSet};
use crate::lts::{ArrayId, VariableId};
use crate::solver::Answer;
use crate::solver::meter::Exhausted;
use crate::states::Ask;
use crate::symex::State;
use std::rc::Rc;

/// A way through the loop: a backbone of the flowgraph that the loop induces.
#[derive(Clone, Debug)]
pub struct Round {
    pub end: RoundEnd,
    /// Over the values before the round.
    pub effect: Effect,
    /// `κᵢ`.
    pub counter: AtomId,
}

/// How a variable comes through the loop, for people and for evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// 1.
    Unchanged,
    /// 2.
    Added,
    /// 3. and 4.: the value is a symbol.
    Set,
    /// The value is a symbol, and what it is after a round that changes it is unknown: `★`.
    Unknown,
}

/// A symbol that stands for the value of a variable after some rounds.
#[derive(Clone, Debug)]
pub struct Left {
    pub symbol: AtomId,
    pub variable: VariableId,
}

/// How often rounds of one kind came before the last one of another kind.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    pub symbol: AtomId,
    /// The kind of the last round that counts, and the kind of those before it: positions in [`Summary::rounds`].
    pub last: usize,
    pub counted: usize,
}

/// A loop summary.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Where the loop is entered.
    pub node: usize,
    pub rounds: Vec<Round>,
    /// `θ^κ`, over the values before the first round, the counters, and symbols of what is left.
    pub memory: State,
    /// For each variable how it was found.
    pub rules: Vec<Rule>,
    /// What is known of the symbols in `memory`.
    pub definitions: Vec<FormulaId>,
    pub left: Vec<Left>,
    pub before: Vec<Before>,
}

impl Summary {
    /// Lines 1 to 10, from what single rounds do.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn new(program: &Program, pool: &mut Pool, node: usize, counters: &mut u32, ask: &mut Ask) -> Result<Summary, Exhausted> {
        let mut rounds: Vec<Round> = Vec::new();
        for &end in &program.tree.rounds[node] {
            let effect = program.round(pool, node, end.node, end.edge);
            // A way that contradicts itself is none.
            let parts: Vec<FormulaId> = effect.parts().collect();
            if matches!(ask.decide(pool, &parts)?, Answer::Unsat(_)) {
                continue;
            }
            *counters += 1;
            rounds.push(Round { end, effect, counter: pool.integer(&format!("@κ{counters}")).terms()[0].0 });
        }
        let identity = State::of_symbols(program.lts, pool, str::to_owned);
        let mut iterated = Iterated::new(program, pool, &identity, &rounds);
        // Lines 3 to 10.
        while iterated.improve(pool) {}
        let mut summary = Summary {
            node,
            memory: identity,
            rules: vec![Rule::Unchanged; program.lts.variables.len()],
            definitions: Vec::new(),
            left: Vec::new(),
            before: Vec::new(),
            rounds: rounds.clone(),
        };
        for id in (0..program.lts.variables.len() as u32).map(VariableId) {
            let (value, rule) = match &iterated.known[id.0 as usize] {
                Some((value, rule)) => (value.clone(), rule.clone()),
                None => iterated.leave(pool, id, &mut summary),
            };
            summary.memory.set_variable(id, value);
            summary.rules[id.0 as usize] = rule;
        }
        for id in (0..program.lts.arrays.len() as u32).map(ArrayId) {
            if iterated.written.contains(&id) {
                let array = pool.array_symbol(&format!("{}★{node}", program.lts.array(id).name));
                summary.memory.replace_array(id, array);
            }
        }
        Ok(summary)
    }
}

/// `θ^κ` in the making.
struct Iterated<'a> {
    program: &'a Program<'a>,
    rounds: &'a [Round],
    identity: State,
    /// For each variable its value and the rule, where there is one that needs no symbol.
    known: Vec<Option<(Linear, Rule)>>,
    /// The arrays that rounds change.
    written: SortedSet<ArrayId>,
    /// The atoms of the program's names, in the order of variables.
    names: Vec<AtomId>,
}

impl<'a> Iterated<'a> {
    fn new(program: &'a Program<'a>, pool: &mut Pool, identity: &State, rounds: &'a [Round]) -> Iterated<'a> {
        let lts = program.lts;
        let arrays = (0..lts.arrays.len() as u32).map(ArrayId);
        let written = arrays.filter(|&id| rounds.iter().any(|round| round.effect.state.array(id) != identity.array(id))).collect();
        let names = lts.variables.iter().map(|variable| pool.integer(&variable.name).terms()[0].0).collect();
        Iterated { program, rounds, identity: identity.clone(), known: vec![None; lts.variables.len()], written, names }
    }

    /// Finds values that follow from those that are known; gives whether there were any.
    fn improve(&mut self, pool: &mut Pool) -> bool {
        let mut changed = false;
        for index in 0..self.known.len() {
            if self.known[index].is_none() {
                self.known[index] = self.value(pool, VariableId(index as u32));
                changed |= self.known[index].is_some();
            }
        }
        changed
    }

    /// Rules 1 and 2.
    fn value(&self, pool: &mut Pool, id: VariableId) -> Option<(Linear, Rule)> {
        let start = self.identity.variable(id);
        let changing = || self.rounds.iter().filter(|round| round.effect.state.variable(id) != start);
        if changing().next().is_none() {
            return Some((start.clone(), Rule::Unchanged));
        }
        let mut sum = start.clone();
        for round in changing() {
            let added = round.effect.state.variable(id).sub(start);
            let added = self.lifted(pool, &added).filter(|added| self.is_constant(pool, added))?;
            sum = sum.add(&pool.product(&Linear::atom(round.counter), &added));
        }
        Some((sum, Rule::Added))
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
                values.push((atom, self.known[index].as_ref()?.0.clone()));
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
    fn leave(&self, pool: &mut Pool, id: VariableId, summary: &mut Summary) -> (Linear, Rule) {
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
            let symbol = match summary.before.iter().find(|before| (before.last, before.counted) == (at, kind)) {
                Some(known) => known.symbol,
                None => {
                    let name = format!("@before{at}.{kind}@{}", summary.node);
                    let symbol = pool.integer(&name).terms()[0].0;
                    summary.before.push(Before { symbol, last: at, counted: kind });
                    symbol
                }
            };
            let count = Linear::atom(symbol);
            parts.push(pool.at_most(&Linear::default(), &count));
            parts.push(pool.at_most(&count, &counter));
            values.push((round.counter, count));
        }
        Substitution::of(values).term(pool, term).unwrap_or_default()
    }
}

/// All summaries of a program, inner loops first.
///
/// # Errors
/// When the steps are used up.
pub fn summarise(program: &mut Program, pool: &mut Pool, ask: &mut Ask) -> Result<(), Exhausted> {
    let mut counters = 0;
    for node in (0..program.tree.nodes.len()).rev() {
        if program.tree.is_entry(node) {
            let summary = Summary::new(program, pool, node, &mut counters, ask)?;
            program.summaries[node] = Some(Rc::new(summary));
        }
    }
    Ok(())
}
