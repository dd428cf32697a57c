//! Loop summaries: what rounds of a loop do, in any number and order.
//!
//! Source: ST12, Section 3.3 and Algorithm 2. A *path counter* `κᵢ` counts the rounds along the i-th way through the loop; the
//! *iterated memory* `θ^κ` says what each variable is after so many rounds of each kind. Lines 2 to 10 find it by these rules, again
//! until nothing changes, where `a` is the value before the first round:
//!
//! 1. No round changes the variable: `a`.
//! 2. Each round adds something, if anything: what is the same in all rounds, `dᵢ · κᵢ` in all, or multiples of what only the round knows,
//!    such as the counters of an inner loop. Of those the *total* over all rounds of a kind is a symbol of its own.
//! 3. and 4. Rounds that change it set it to something that depends on counters at most: that of the last round that did so. With
//!    several kinds of rounds, how often each of the others came before that one is unknown but bounded, where the paper gives up.
//!
//! Where no term expresses the value it is a symbol, of which rules 3 and 4 say what they know; of the paper's `★` they say only that it
//! is `a` before the first round that changes it. What a round adds may look like more than it is: a sum that does not wrap around, an
//! inner loop of always four rounds. The paper has a heavyweight version for that, which asks the solver; here it is asked whether
//! the difference is one constant.
//!
//! The second half of the algorithm, the looping condition, is in [`super::instances`]. Two instances of it are facts of the summary,
//! since they need no quantifier: the condition of the last round, and that of the last round of each kind.

use super::effect::{Effect, Program};
use super::tree::RoundEnd;
use crate::logic::substitution::Substitution;
use crate::logic::{Assignment, Atom, AtomId, FormulaId, Int, Linear, Mentions, Pool, SortedSet};
use crate::lts::{ArrayId, VariableId};
use crate::solver::Answer;
use crate::solver::meter::Exhausted;
use crate::states::Ask;
use crate::symex::State;
use std::rc::Rc;

/// Of loops with more kinds of rounds no facts relate the kinds: there would be one for each pair.
const KINDS: usize = 8;

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

/// The sum over all rounds of a kind of something that only the round knows.
#[derive(Clone, Copy, Debug)]
pub struct Total {
    pub symbol: AtomId,
    /// A position in [`Summary::rounds`].
    pub kind: usize,
    /// What is summed up: a symbol of the round.
    pub of: AtomId,
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
    /// What holds of the counters besides: the conditions of last rounds.
    pub facts: Vec<FormulaId>,
    pub left: Vec<Left>,
    pub before: Vec<Before>,
    pub totals: Vec<Total>,
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
            let parts: Vec<FormulaId> = effect.with_facts().collect();
            if matches!(ask.decide(pool, &parts)?, Answer::Unsat(_)) {
                continue;
            }
            *counters += 1;
            rounds.push(Round { end, effect, counter: pool.integer(&format!("@κ{counters}")).terms()[0].0 });
        }
        let identity = State::of_symbols(program.lts, pool, str::to_owned);
        for round in &mut rounds {
            add_constants(program, pool, &identity, &mut round.effect, ask)?;
        }
        let mut iterated = Iterated::new(program, pool, &identity, &rounds, node);
        // Lines 3 to 10.
        while iterated.improve(pool) {}
        let mut summary = Summary {
            node,
            memory: identity,
            rules: vec![Rule::Unchanged; program.lts.variables.len()],
            definitions: Vec::new(),
            facts: Vec::new(),
            left: Vec::new(),
            before: Vec::new(),
            totals: iterated.totals.clone(),
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
        summary.facts = iterated.facts(pool, &mut summary);
        Ok(summary)
    }
}

/// Where what a round adds to a variable is one constant whatever holds before it, makes it that constant.
fn add_constants(program: &Program, pool: &mut Pool, identity: &State, effect: &mut Effect, ask: &mut Ask) -> Result<(), Exhausted> {
    let mut parts: Option<(Vec<FormulaId>, Rc<Assignment>)> = None;
    for id in (0..program.lts.variables.len() as u32).map(VariableId) {
        let added = effect.state.variable(id).sub(identity.variable(id));
        if added.as_constant().is_some() {
            continue;
        }
        let (parts, model) = match &parts {
            Some(known) => known,
            None => {
                let known: Vec<FormulaId> = effect.with_facts().collect();
                let Answer::Sat(model) = ask.decide(pool, &known)? else { return Ok(()) };
                parts.insert((known, model))
            }
        };
        let Some(constant) = model.linear(pool, &added) else { continue };
        let same = pool.equal(&added, &Linear::constant(constant.clone()));
        let other = pool.not(same);
        if matches!(ask.decide(pool, &[&parts[..], &[other]].concat())?, Answer::Unsat(_)) {
            effect.state.set_variable(id, identity.variable(id).add(&Linear::constant(constant)));
        }
    }
    Ok(())
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
    node: usize,
    totals: Vec<Total>,
}

impl<'a> Iterated<'a> {
    fn new(program: &'a Program<'a>, pool: &mut Pool, identity: &State, rounds: &'a [Round], node: usize) -> Iterated<'a> {
        let lts = program.lts;
        let arrays = (0..lts.arrays.len() as u32).map(ArrayId);
        let written = arrays.filter(|&id| rounds.iter().any(|round| round.effect.state.array(id) != identity.array(id))).collect();
        let names = lts.variables.iter().map(|variable| pool.integer(&variable.name).terms()[0].0).collect();
        Iterated {
            program,
            rounds,
            identity: identity.clone(),
            known: vec![None; lts.variables.len()],
            written,
            names,
            node,
            totals: Vec::new(),
        }
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
    fn value(&mut self, pool: &mut Pool, id: VariableId) -> Option<(Linear, Rule)> {
        let start = self.identity.variable(id).clone();
        let changing: Vec<usize> = (0..self.rounds.len()).filter(|&at| *self.rounds[at].effect.state.variable(id) != start).collect();
        if changing.is_empty() {
            return Some((start, Rule::Unchanged));
        }
        let mut sum = start.clone();
        for &kind in &changing {
            let added = self.rounds[kind].effect.state.variable(id).sub(&start);
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

    /// A term apart from the multiples of symbols in it that belong to the round alone.
    fn apart(&self, pool: &Pool, term: &Linear) -> (Linear, Vec<(AtomId, Int)>) {
        let is_own = |atom: AtomId| matches!(pool.atom(atom), Atom::Symbol(_)) && !self.names.contains(&atom);
        let (own, same): (Vec<_>, Vec<_>) = term.terms().iter().cloned().partition(|(atom, _)| is_own(*atom));
        (Linear::new(same, term.offset().clone()), own)
    }

    /// The total of a symbol over the rounds of a kind.
    fn total(&mut self, pool: &mut Pool, kind: usize, of: AtomId) -> AtomId {
        if let Some(known) = self.totals.iter().find(|total| (total.kind, total.of) == (kind, of)) {
            return known.symbol;
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
    fn facts(&self, pool: &mut Pool, summary: &mut Summary) -> Vec<FormulaId> {
        let zero = Linear::default();
        let counters: Vec<Linear> = self.rounds.iter().map(|round| Linear::atom(round.counter)).collect();
        let mut facts = Vec::new();
        summary.definitions.extend(counters.iter().map(|counter| pool.at_most(&zero, counter)));
        // A total of what is never negative is not.
        for total in summary.totals.clone() {
            let summed = Linear::atom(total.of);
            let at_least = pool.at_most(&zero, &summed);
            if self.rounds[total.kind].effect.parts().any(|part| part == at_least) {
                summary.definitions.push(pool.at_most(&zero, &Linear::atom(total.symbol)));
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
        let mut known: SortedSet<_> = SortedSet::new();
        for (index, &name) in self.names.iter().enumerate() {
            let value = summary.memory.variable(VariableId(index as u32));
            if Mentions::of(pool, &[], &[value]).atoms.is_disjoint(&unknown) {
                let value = Substitution::of(counted.iter().cloned()).term(pool, value);
                values.extend(value.map(|value| (name, value)));
                known.insert(pool.symbol(&lts.variables[index].name));
            }
        }
        let arrays = (0..lts.arrays.len() as u32).map(ArrayId).filter(|id| !self.written.contains(id));
        known.extend(arrays.map(|id| pool.symbol(&lts.array(id).name)).collect::<Vec<_>>());
        let mut values = Substitution::of(values);
        let parts = self.rounds[kind].effect.with_facts().filter(|&part| Mentions::of(pool, &[part], &[]).symbols.is_subset(&known));
        let parts: Vec<FormulaId> = parts.collect();
        parts.into_iter().filter_map(|part| values.formula(pool, part)).collect()
    }

    /// How many rounds of the kind `counted` came before the last one of the kind `last`.
    fn before(&self, pool: &mut Pool, summary: &mut Summary, last: usize, counted: usize) -> AtomId {
        match summary.before.iter().find(|before| (before.last, before.counted) == (last, counted)) {
            Some(known) => known.symbol,
            None => {
                let symbol = pool.integer(&format!("@before{last}.{counted}@{}", self.node)).terms()[0].0;
                summary.before.push(Before { symbol, last, counted });
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
            let symbol = self.before(pool, summary, at, kind);
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
