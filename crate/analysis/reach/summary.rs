//! Loop summaries: what rounds of a loop do, in any number and order.
//!
//! Source: ST12, Section 3.3 and Algorithm 2. A *path counter* `κᵢ` counts the rounds along the i-th way through the loop; the
//! *iterated memory* `θ^κ` says what each variable is after so many rounds of each kind. Lines 2 to 10 find it by these rules, again
//! until nothing changes, where `a` is the value before the first round:
//!
//! 1. No round changes the variable: `a`.
//! 2. Each round adds something, if anything: what is the same in all rounds, `dᵢ · κᵢ` in all, or multiples of what only the round knows,
//!    such as the counters of an inner loop. Of those the *total* over all rounds of a kind is a symbol of its own. Where sums of constants
//!    wrap around, so does the whole.
//! 3. and 4. Rounds that change it set it to something that depends on counters at most: that of the last round that did so. With
//!    several kinds of rounds, how often each of the others came before that one is unknown but bounded, where the paper gives up.
//!
//! Where no term expresses the value it is a symbol, of which rules 3 and 4 say what they know; of the paper's `★` they say only that it
//! is `a` before the first round that changes it. What a round adds may look like more than it is: a sum that does not wrap around, an
//! inner loop of always four rounds. The paper has a heavyweight version for that, which asks the solver; here it is asked whether
//! the difference is one constant.
//!
//! The second half of the algorithm, the looping condition, is in [`super::instances`]. Two instances of it are facts of the summary,
//! since they need no quantifier: the condition of the last round, and that of the last round of each kind. So is what is left of it when its
//! quantifiers are eliminated ([`eliminate`]).

pub mod eliminate;
mod iterated;
pub mod uniform;

use super::effect::{SummarizedProgram, WayEffect};
use super::tree::RoundEnd;
use crate::logic::{Assignment, AtomId, FormulaId, Linear, Pool};
use crate::lts::{ArrayId, VariableId};
use crate::solver::Answer;
use crate::solver::meter::Exhausted;
use crate::states::Ask;
use crate::symex::State;
use iterated::Iterated;
use std::rc::Rc;
use uniform::Uniform;

/// Of loops with more kinds of rounds no facts relate the kinds: there would be one for each pair.
const KINDS: usize = 8;

/// A way through the loop: a backbone of the flowgraph that the loop induces.
#[derive(Clone, Debug)]
pub struct LoopRound {
    pub end: RoundEnd,
    /// Over the values before the round.
    pub effect: WayEffect,
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
pub struct EarlierRounds {
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
    pub rounds: Vec<LoopRound>,
    /// `θ^κ`, over the values before the first round, the counters, and symbols of what is left.
    pub memory: State,
    /// For each variable how it was found.
    pub rules: Vec<Rule>,
    /// What is known of the symbols in `memory`.
    pub definitions: Vec<FormulaId>,
    /// What holds of the counters besides: the conditions of last rounds, and looping conditions without quantifiers.
    pub facts: Vec<FormulaId>,
    pub left: Vec<Left>,
    pub before: Vec<EarlierRounds>,
    pub totals: Vec<Total>,
    /// What all rounds do, where they are alike.
    pub uniform: Option<Uniform>,
}

impl Summary {
    /// Lines 1 to 10, from what single rounds do.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn new(program: &SummarizedProgram, pool: &mut Pool, node: usize, counters: &mut u32, ask: &mut Ask) -> Result<Summary, Exhausted> {
        let mut rounds: Vec<LoopRound> = Vec::new();
        for &end in &program.tree.rounds[node] {
            let effect = program.round(pool, node, end.node, end.edge);
            // A way that contradicts itself is none.
            let parts: Vec<FormulaId> = effect.with_facts().collect();
            if matches!(ask.decide(pool, &parts)?, Answer::Unsat(_)) {
                continue;
            }
            *counters += 1;
            rounds.push(LoopRound { end, effect, counter: pool.integer(&format!("@κ{counters}")).terms()[0].0 });
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
            uniform: None,
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
        summary.uniform = Uniform::of(program, pool, &summary);
        for part in eliminate::looping(program, pool, &summary, ask.meter) {
            // Most of it the last rounds say already.
            let denied = pool.not(part);
            let known = summary.definitions.iter().chain(&summary.facts).copied().chain([denied]);
            if !matches!(ask.decide(pool, &known.collect::<Vec<_>>())?, Answer::Unsat(_)) {
                summary.facts.push(part);
            }
        }
        Ok(summary)
    }
}

/// Where what a round adds to a variable is one constant whatever holds before it, makes it that constant.
fn add_constants(
    program: &SummarizedProgram,
    pool: &mut Pool,
    identity: &State,
    effect: &mut WayEffect,
    ask: &mut Ask,
) -> Result<(), Exhausted> {
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

/// All summaries of a program, inner loops first.
///
/// # Errors
/// When the steps are used up.
pub fn summarise(program: &mut SummarizedProgram, pool: &mut Pool, ask: &mut Ask) -> Result<(), Exhausted> {
    let mut counters = 0;
    for node in (0..program.tree.nodes.len()).rev() {
        if program.tree.is_entry(node) {
            let summary = Summary::new(program, pool, node, &mut counters, ask)?;
            program.summaries[node] = Some(Rc::new(summary));
        }
    }
    Ok(())
}
