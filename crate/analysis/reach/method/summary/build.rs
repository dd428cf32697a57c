//! Builds the summaries of a program's loops (ST12, Algorithm 2), inner loops first.

use super::iterated::Iterated;
use super::uniform::Uniform;
use super::{LoopRound, Rule, Summary, eliminate};
use crate::analysis::reach::method::effect::WayEffect;
use crate::analysis::reach::method::program::SummarizedProgram;
use crate::logic::{Assignment, FormulaId, Linear, Pool};
use crate::lts::{ArrayId, VariableId};
use crate::solver::Answer;
use crate::solver::meter::Exhausted;
use crate::states::Ask;
use crate::symex::State;
use std::rc::Rc;

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
            let (value, rule) = match &iterated.values[id.0 as usize] {
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
            let premises = summary.definitions.iter().chain(&summary.facts).copied().chain([denied]);
            if !matches!(ask.decide(pool, &premises.collect::<Vec<_>>())?, Answer::Unsat(_)) {
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
            Some(existing) => existing,
            None => {
                let premises: Vec<FormulaId> = effect.with_facts().collect();
                let Answer::Sat(model) = ask.decide(pool, &premises)? else { return Ok(()) };
                parts.insert((premises, model))
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
