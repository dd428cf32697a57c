//! Instances of looping conditions chosen by models: for conditions that stay satisfiable however many rounds are written out.
//!
//! Source: ST12, Section 4. `∀ τ` is instantiated where a model violates it. An instance for a number of rounds, "at most `t` rounds, or
//! the one after `t` satisfies its condition", needs no quantifier, and rounds keep it; so it joins the facts of the summary, from which
//! the evidence is made. With several kinds of rounds only the first round is known by its number: `τ` is 0 for all kinds.

use super::effect::{StateValues, WayEffect};
use super::program::SummarizedProgram;
use super::summary::Summary;
use super::tree::Goal;
use crate::logic::substitution::Substitution;
use crate::logic::{FormulaId, Linear, Mentions, Pool};
use crate::lts::{Lts, VariableId};
use crate::run::trace::{Event, Trace};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context};
use crate::symex::State;
use std::rc::Rc;

/// So many instances are chosen for one backbone.
const INSTANCES: usize = 12;
/// Later rounds than this are not looked at.
const ROUNDS: u64 = 200;

/// Adds instances to the program's summaries until the condition of a backbone contradicts itself; gives whether it does.
pub fn refute(program: &mut SummarizedProgram, pool: &mut Pool, goal: Goal, meter: &mut Meter, trace: &Trace) -> bool {
    for _ in 0..INSTANCES {
        let effects = program.effects(pool);
        let effect = program.whole(pool, &effects, goal);
        let mut context = Context::new();
        context.pool = std::mem::take(pool);
        for part in effect.with_facts() {
            context.assert(part);
        }
        let answer = context.check(meter);
        trace.emit(Event::Query { context: &context, answer: &answer });
        *pool = context.pool;
        let model = match answer {
            Answer::Unsat(_) => return true,
            Answer::Unknown(_) => return false,
            Answer::Sat(model) => model,
        };
        let holds = |pool: &Pool, formula| model.formula(pool, formula) != Some(false);
        let count = |pool: &Pool, term: &Linear| model.linear(pool, term).and_then(|count| u64::try_from(count.to_i64()?).ok());
        let Some((node, instance)) = violated(program, pool, &effect, &holds, &count, meter) else { return false };
        if let Some(summary) = &mut program.summaries[node] {
            Rc::make_mut(summary).facts.push(instance);
        }
    }
    false
}

/// An instance that does not hold.
fn violated(
    program: &SummarizedProgram,
    pool: &mut Pool,
    effect: &WayEffect,
    holds: &dyn Fn(&Pool, FormulaId) -> bool,
    count: &dyn Fn(&Pool, &Linear) -> Option<u64>,
    meter: &mut Meter,
) -> Option<(usize, FormulaId)> {
    for looped in &effect.loops {
        let summary = program.summaries[looped.node].clone()?;
        let counters = summary.rounds.iter().map(|round| Linear::atom(round.counter));
        let made = counters.fold(Linear::default(), |sum, counter| sum.add(&counter));
        let most = if summary.rounds.len() == 1 { ROUNDS } else { 1 };
        for rounds in 0..count(pool, &made).unwrap_or(most).min(most) {
            meter.spend(1).ok()?;
            let instance = instance(program.lts, pool, &summary, rounds);
            let here = StateValues::of(program.lts, pool, &looped.before).formula(pool, instance);
            if !holds(pool, here) {
                return Some((looped.node, instance));
            }
        }
    }
    None
}

/// The instance for the round after so many of the only kind, or after none: over the values before the first round.
fn instance(lts: &Lts, pool: &mut Pool, summary: &Summary, rounds: u64) -> FormulaId {
    let rounds = Linear::constant(rounds);
    let counters: Vec<Linear> = summary.rounds.iter().map(|round| Linear::atom(round.counter)).collect();
    let mut turn = Substitution::of(summary.rounds.iter().map(|round| (round.counter, rounds.clone())));
    let mut state = summary.memory.clone();
    for id in (0..lts.variables.len() as u32).map(VariableId) {
        // Without a value the term stays, and with it a counter: what speaks of one is left out below.
        if let Some(value) = turn.term(pool, summary.memory.variable(id)) {
            state.set_variable(id, value);
        }
    }
    let names = ProgramNames::of(lts, pool);
    let mut values = StateValues::of(lts, pool, &state);
    let ways = summary.rounds.iter().map(|round| {
        let said: Vec<FormulaId> = round.effect.decided.iter().map(|&part| values.formula(pool, part)).collect();
        let said: Vec<FormulaId> = said.into_iter().filter(|&part| names.are_all_of(pool, part)).collect();
        pool.and(&said)
    });
    let mut ways: Vec<FormulaId> = ways.collect();
    let made = counters.iter().fold(Linear::default(), |sum, counter| sum.add(counter));
    ways.push(pool.at_most(&made, &rounds));
    pool.or(&ways)
}

/// The program's own names: other symbols stand for what only one round knows, or for what all rounds leave.
struct ProgramNames(Mentions);

impl ProgramNames {
    fn of(lts: &Lts, pool: &mut Pool) -> ProgramNames {
        let state = State::of_symbols(lts, pool, str::to_owned);
        let variables: Vec<&Linear> = state.variables().collect();
        let mut all = Mentions::of(pool, &[], &variables);
        for array in &lts.arrays {
            let symbol = pool.symbol(&array.name);
            all.symbols.insert(symbol);
        }
        ProgramNames(all)
    }

    fn are_all_of(&self, pool: &Pool, formula: FormulaId) -> bool {
        Mentions::of(pool, &[formula], &[]).symbols.iter().all(|symbol| self.0.symbols.contains(symbol))
    }
}
