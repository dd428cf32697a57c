//! Draw, explain, refine: draws infeasible paths and takes them away, each with its family, until none is left.
//!
//! Neither paper has this; it joins them. AGVW16 draws paths uniformly from the program or its pruned graph, some of which cannot
//! run; DBG10 says which others cannot for the same reason.
//!
//! 1. Draw a complete path of at most `l` edges uniformly from what is left.
//! 2. If it cannot run, explain it, and take the family of its explanation away: a round. Back to 1.
//! 3. If [`PATIENCE`] paths in a row can run, count `FP(l)` over merged prefixes ([`counting::table`]), with at most half of the
//!    steps. As soon as so many paths are left, these are the feasible ones, since no round takes one of them away. Until then
//!    draw on, with more patience.
//! 4. Else go over all that is left depth first; every refuted prefix is a round of its own. When that ends, every complete path
//!    left has an input that takes it: `P(l)` is `FP(l)`.
//!
//! Invariant: no round takes a path away that can run, since families accept none. Every round takes at least its own path away,
//! and there are finitely many of at most `l` edges.

use super::causes::{Cause, causes};
use super::explore::walker_of;
use super::family::ProgramFacts;
use super::learned::{Learned, avoiding};
use super::run::{Claimed, claim, feasible as is_feasible};
use super::walker::{Walker, WalkerStep};
use super::{ExplainPlan, Explainer};
use crate::automaton::{Automaton, Letter, StateId};
use crate::count::{Graph, Random, Sampler};
use crate::counting::{self, Basis, Feasible};
use crate::interp::Machine;
use crate::logic::FormulaId;
use crate::lts::assume::Assumptions;
use crate::lts::{EdgeId, LocationId};
use crate::run::trace::Trace;
use crate::solver::Reason;
use crate::solver::meter::Exhausted;
use crate::states::Ask;
use num_bigint::BigUint;

/// So many paths in a row that can run end the draws.
pub const PATIENCE: u32 = 12;
/// And so many where it is known that others are left.
pub const PATIENCE_COUNTED: u32 = 400;

/// What one round took away.
#[derive(Clone, Debug)]
pub struct RoundGain {
    /// Whether the round drew the path, or the sweep over all paths left found it.
    pub drawn: bool,
    /// The path up to the edge at which no input is left.
    pub prefix: Vec<EdgeId>,
    /// Its explanation: positions on the path and constraints.
    pub explanation: Vec<(usize, FormulaId)>,
    /// What makes it false, if it is a decision that is false whatever the inputs are.
    pub causes: Vec<Cause>,
    /// How many complete paths are left after it.
    pub left: BigUint,
    /// What the explanation rests on.
    pub assumes: Assumptions,
}

/// What the rounds left.
#[derive(Debug, Default)]
pub struct RoundsResult {
    /// How many complete paths there are before the first round.
    pub start: BigUint,
    pub rounds: Vec<RoundGain>,
    /// The complete paths that are left.
    pub rest: Automaton,
    pub left: BigUint,
    /// How many of these run: counted over merged prefixes, or each with a replayed input that the sweep found.
    pub feasible: BigUint,
    /// Whether that is all of them.
    pub settled: bool,
    /// What all that was taken away rests on, and what was seen to run.
    pub assumes: Assumptions,
    /// The terms of the explanations.
    pub pool: crate::logic::Pool,
    /// Why it ended early, or something is open.
    pub cut: Option<Reason>,
}

/// Where the rounds start.
pub struct Start {
    /// Accepts complete paths of the program; deterministic.
    pub automaton: Automaton,
    /// The greatest number of edges of a path.
    pub length: u32,
    pub seed: u64,
}

/// Takes infeasible paths away until none is left, or the steps are used up.
pub fn refine(
    program: &ProgramFacts,
    explainer: &mut Explainer,
    Start { automaton: start, length, seed }: Start,
    settings: &ExplainPlan,
    ask: &mut Ask,
    trace: &Trace,
) -> RoundsResult {
    let mut result =
        RoundsResult { start: start.total(length as usize).unwrap_or_default(), rest: start.trimmed(), ..RoundsResult::default() };
    result.left = result.start.clone();
    let mut walker = walker_of(program, explainer, settings.strength, true);
    let mut run = RoundsRun { program, explainer, settings, length, trace, machine: Machine::new(program.lts), counted: None };
    let outcome = run.rounds(&mut walker, seed, ask, &mut result);
    if let Err(why) = outcome {
        result.cut = Some(why.into());
    }
    result.settled = result.cut.is_none() && result.left == result.feasible;
    result.pool = walker.pool;
    result
}

struct RoundsRun<'r, 'p, 'a, 't, 's> {
    program: &'p ProgramFacts<'a>,
    explainer: &'r mut Explainer<'t>,
    settings: &'r ExplainPlan,
    length: u32,
    trace: &'r Trace<'s>,
    machine: Machine<'a>,
    /// `FP(l)`, once it is known.
    counted: Option<BigUint>,
}

impl RoundsRun<'_, '_, '_, '_, '_> {
    fn rounds(&mut self, walker: &mut Walker, seed: u64, ask: &mut Ask, result: &mut RoundsResult) -> Result<(), Exhausted> {
        let mut random = Random::new(seed);
        self.draw(walker, &mut random, PATIENCE, ask, result)?;
        if let Some(count) = self.count(ask, result) {
            self.counted = Some(count);
            self.draw(walker, &mut random, PATIENCE_COUNTED, ask, result)?;
        }
        if !self.is_done(result) {
            self.sweep(walker, ask, result)?;
        }
        if self.is_done(result) {
            result.feasible = result.left.clone();
        }
        Ok(())
    }

    /// Whether as many paths are left as are known to run.
    fn is_done(&self, result: &RoundsResult) -> bool {
        self.counted.as_ref() == Some(&result.left)
    }

    /// 1. and 2.: draws until so many paths in a row can run, or no other is left.
    fn draw(
        &mut self,
        walker: &mut Walker,
        random: &mut Random,
        patience: u32,
        ask: &mut Ask,
        result: &mut RoundsResult,
    ) -> Result<(), Exhausted> {
        let mut feasible = 0;
        while feasible < patience && !self.is_done(result) {
            let graph = graph(&result.rest);
            let Ok(sampler) = Sampler::new(&graph, self.length, Sampler::DEFAULT_LIMIT) else { return Ok(()) };
            let mut drawn = None;
            while feasible < patience && drawn.is_none() {
                let Some(path) = sampler.draw(random) else { return Ok(()) };
                ask.meter.spend(1 + path.len() as u64)?;
                for edge in path {
                    if let WalkerStep::Refuted(core) = walker.step(edge, ask)? {
                        drawn = Some(core);
                        break;
                    }
                }
                if drawn.is_none() {
                    feasible += 1;
                    unwind(walker);
                }
            }
            if let Some(core) = drawn {
                let taken = self.round(walker, core.as_deref(), true, ask, result)?;
                // A later draw may bring again what this round could not take away.
                feasible = if taken.is_empty() { feasible + 1 } else { 0 };
                unwind(walker);
            }
        }
        Ok(())
    }

    /// A round for the path of the walker; gives the automata that it takes away.
    fn round(
        &mut self,
        walker: &mut Walker,
        core: Option<&[usize]>,
        drawn: bool,
        ask: &mut Ask,
        result: &mut RoundsResult,
    ) -> Result<Vec<Automaton>, Exhausted> {
        let passed = walker.constraints.len() - 1;
        let explained = self.explainer.explain(self.program, walker, core, passed, self.settings, ask)?;
        let mut taken = Vec::new();
        let mut first = None;
        for explanation in &explained.explanations {
            let assumes = match claim(self.program, walker, explanation, ask, self.trace)? {
                Claimed::Made(assumes) => assumes,
                Claimed::Open(reason) => {
                    result.cut = result.cut.or(Some(reason));
                    continue;
                }
                Claimed::Stopped => return Err(Exhausted::Cancelled),
            };
            let Ok(automaton) = explanation.family.automaton().minimized() else { continue };
            let rest = avoiding(&result.rest, &automaton);
            ask.meter.spend(1 + rest.size() as u64)?;
            result.rest = rest.minimized().unwrap_or(rest);
            taken.push(automaton);
            result.assumes = result.assumes.and(assumes);
            first = first.or(Some((explanation, assumes)));
        }
        // Without a confirmed explanation the round has nothing to show.
        let Some((first, assumes)) = first else { return Ok(taken) };
        result.left = result.rest.total(self.length as usize).unwrap_or_default();
        result.rounds.push(RoundGain {
            drawn,
            prefix: explained.edges.clone(),
            causes: causes(walker, first),
            explanation: first.positions.iter().copied().zip(first.constraints.iter().copied()).collect(),
            left: result.left.clone(),
            assumes,
        });
        Ok(taken)
    }

    /// 3.: how many paths can run, counted over merged prefixes, if that is shown.
    fn count(&self, ask: &mut Ask, result: &mut RoundsResult) -> Option<BigUint> {
        let mut table = ask.within(ask.meter.limit().saturating_sub(ask.meter.used()) / 2, |ask| {
            counting::table(self.program.lts, &[self.length], true, ask.meter, self.trace)
        });
        let row = table.rows.pop().filter(|row| row.needs.missing.is_empty())?;
        let is_proved = table.basis.is_some_and(|basis| basis != Basis::Projection);
        let Some(Feasible::Exactly(count)) = row.feasible.filter(|_| is_proved) else { return None };
        result.assumes = result.assumes.and(row.needs.all);
        Some(count)
    }

    /// 4.: goes over all that is left.
    fn sweep(&mut self, walker: &mut Walker, ask: &mut Ask, result: &mut RoundsResult) -> Result<(), Exhausted> {
        let automaton = result.rest.clone();
        let shortest = automaton.shortest_to_accept();
        let mut learned = Learned::default();
        let mut open: Vec<(StateId, usize)> = vec![(automaton.initial, 0)];
        while let Some((state, next)) = open.last_mut() {
            if *next == 0 && automaton.accepting[*state as usize] {
                let _ = self.trace.needs();
                match is_feasible(self.program.lts, &self.machine, walker, self.trace) {
                    Ok(()) => {
                        result.feasible += 1u32;
                        result.assumes = result.assumes.and(self.trace.needs().all);
                    }
                    Err(reason) => result.cut = result.cut.or(Some(reason)),
                }
            }
            let way = automaton.transitions[*state as usize].get(*next).copied();
            *next += 1;
            let Some((letter, to)) = way else {
                open.pop();
                walker.back();
                learned.back();
                continue;
            };
            let room = (self.length as usize).checked_sub(walker.len() + 1);
            if shortest[to as usize].zip(room).is_none_or(|(need, room)| need as usize > room) {
                continue;
            }
            ask.meter.spend(1)?;
            learned.step(letter);
            if learned.accepts() {
                learned.back();
                continue;
            }
            match walker.step(EdgeId::new(letter as usize), ask)? {
                WalkerStep::Passed | WalkerStep::Open(_) => open.push((to, 0)),
                WalkerStep::Refuted(core) => {
                    let taken = self.round(walker, core.as_deref(), false, ask, result)?;
                    if self.is_done(result) {
                        return Ok(());
                    }
                    walker.back();
                    learned.back();
                    let word: Vec<Letter> = walker.trail.edges.iter().map(|edge| edge.index() as Letter).collect();
                    taken.iter().for_each(|automaton| learned.add(automaton, &word));
                }
            }
        }
        Ok(())
    }
}

fn unwind(walker: &mut Walker) {
    while !walker.is_empty() {
        walker.back();
    }
}

/// The automaton as a graph to draw from.
fn graph(automaton: &Automaton) -> Graph {
    let location = |state: StateId| LocationId::new(state as usize);
    let finals: Vec<LocationId> =
        (0..automaton.states() as StateId).filter(|&state| automaton.accepting[state as usize]).map(location).collect();
    let edges = automaton
        .transitions
        .iter()
        .zip(0..)
        .flat_map(|(ways, from)| ways.iter().map(move |&(letter, to)| (EdgeId::new(letter as usize), location(from), location(to))));
    Graph::new(automaton.states(), location(automaton.initial), &finals, edges)
}
