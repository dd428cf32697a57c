//! Relations between statics that calls keep: invariants where calls and loops begin, and what follows from them in between.
//!
//! [`super::guesses`] has formulas at each location that samples fit, which is enough where a single step keeps them. In the middle of a
//! call a relation between several variables is broken for a while (`owner` is set, `depth` not yet), so this prover states relations at
//! *cut points* alone, and in between the weakest precondition of what has to hold at the next one.
//!
//! 1. Cut points are the entry, where loops begin (in a chain of calls that is the hub), and where an edge draws a value, which no formula
//!    after it could speak of.
//! 2. Samples: the values of the variables at the cut points along runs on the known inputs and on random ones.
//! 3. Candidates at each cut point: what fits its samples ([`templates`]).
//! 4. Until nothing changes: drop each candidate that does not follow along some way from a cut point to the next (Houdini, as in
//!    [`super::guesses`]).
//! 5. Of the edges keep those that the candidates exclude; of the candidates those that the proofs need.
//! 6. The graph of locations has at each location the preconditions of these; [`super::certified`] proves it step by step.
//!
//! All is bounded, and asks of chains of calls alone, so other programs do not pay.

mod templates;

use super::{FactQuery, Proved, Prover, certified};
use crate::evidence::graph::{Pruned, step};
use crate::interp::{Input, Machine, RunState as Values, Watch};
use crate::logic::substitution::Substitution;
use crate::logic::{FormulaId, Int, Mentions, Pool, SortedMap, SortedSet, SymbolId};
use crate::lts::structure::Structure;
use crate::lts::{EdgeId, Label, LocationId, Lts, Origin, VariableId};
use crate::run::random_inputs::{RandomInputs, near_constants};
use crate::run::trace::Trace;
use crate::solver::meter::{Exhausted, Meter};
use crate::solver::{Answer, Context};
use crate::states::Ask;
use crate::symex::{State, first_values};
use std::ops::ControlFlow;

/// Random inputs that give samples, beside the known ones; steps of a run; samples of a cut point.
const INPUTS: u64 = 60;
const RUN: u64 = 2_000;
const SAMPLES: usize = 300;
/// Variables between which relations are guessed.
const RELATED: usize = 8;
/// Candidates at a cut point.
const CANDIDATES: usize = 600;
/// A precondition of so many parts is large: nothing is required instead.
const LARGE: usize = 2_000;
/// Steps for one question.
const QUESTION: u64 = 20_000;
/// Locations and edges that are excluded, at most.
const LOCATIONS: usize = 3_000;
const EXCLUDED: usize = 40;

/// Relations as a prover.
pub struct Relations;

impl Prover for Relations {
    fn name(&self) -> &'static str {
        "relations"
    }

    fn show(&self, lts: &Lts, query: &FactQuery, meter: &mut Meter, trace: &Trace) -> Vec<Proved> {
        if lts.graph.node_count() > LOCATIONS {
            return Vec::new();
        }
        let mut ask = Ask { meter, log: trace };
        excluding(lts, query, &mut ask).ok().flatten().into_iter().collect()
    }
}

/// A graph that excludes as many of the edges as it can.
fn excluding(lts: &Lts, query: &FactQuery, ask: &mut Ask) -> Result<Option<Proved>, Exhausted> {
    let related = related(lts);
    if query.untaken.is_empty() || related.is_empty() {
        return Ok(None);
    }
    // 1.
    let mut proving = Proving::new(lts);
    // 2. and 3.
    let near = near_constants(lts);
    for (at, seen) in samples(lts, &proving.cuts, query.inputs, ask.meter)?.into_iter().enumerate() {
        let mut found = templates::candidates(lts, &mut proving.pool, &proving.identity, (&related, &near), &seen);
        found.truncate(CANDIDATES);
        ask.meter.spend(found.len() as u64)?;
        proving.candidates[at] = found;
    }
    // 4.
    proving.begin(ask)?;
    while proving.weaken(ask)? {}
    // 5.
    let Some((cut, needed)) = proving.needed(query.untaken, ask)? else { return Ok(None) };
    // 6.
    let formulas = proving.stated(&cut, &needed, ask)?;
    let Proving { mut pool, .. } = proving;
    let graph = Pruned::of_locations(lts, formulas, &cut);
    let Some((graph, certificates)) = certified(lts, &mut pool, graph, ask)? else { return Ok(None) };
    Ok(Some(Proved { pool, graph, certificates }))
}

/// The variables between which relations are guessed: those that last and change.
fn related(lts: &Lts) -> Vec<VariableId> {
    let mut set = SortedSet::new();
    for edge in lts.graph.edge_weights() {
        if let Label::Assign(id, _) = &edge.label {
            set.insert(*id);
        }
    }
    let lasts = |id: &VariableId| lts.variable(*id).origin == Origin::Global && set.contains(id);
    (0..lts.variables.len() as u32).map(VariableId).filter(lasts).take(RELATED).collect()
}

/// The values of all variables at each cut point along runs.
fn samples(lts: &Lts, cuts: &[LocationId], inputs: &[Input], meter: &mut Meter) -> Result<Vec<Vec<Vec<Int>>>, Exhausted> {
    struct Sampling<'s> {
        lts: &'s Lts,
        numbers: SortedMap<LocationId, usize>,
        found: Vec<SortedSet<Vec<Int>>>,
        steps: u64,
    }
    impl Watch for Sampling<'_> {
        fn taken(&mut self, edge: EdgeId, after: &Values<'_>) -> ControlFlow<()> {
            self.steps += 1;
            if let Some(&number) = self.numbers.get(&self.lts.edge(edge).2)
                && self.found[number].len() < SAMPLES
            {
                self.found[number].insert((0..self.lts.variables.len() as u32).map(|id| after.variable(VariableId(id)).clone()).collect());
            }
            ControlFlow::Continue(())
        }
    }
    let numbers = cuts.iter().copied().zip(0..).collect();
    let mut sampling = Sampling { lts, numbers, found: vec![SortedSet::new(); cuts.len()], steps: 0 };
    let machine = Machine::new(lts);
    let mut random = RandomInputs::new(lts, 1);
    let drawn: Vec<Input> = (0..INPUTS).map(|_| random.draw()).collect();
    for input in inputs.iter().chain(&drawn) {
        if let Some(&number) = sampling.numbers.get(&lts.entry) {
            sampling.found[number].insert(machine.run(input, 0).variables);
        }
        machine.watch(input, RUN, &mut sampling);
        meter.spend(std::mem::take(&mut sampling.steps) / 10)?;
    }
    Ok(sampling.found.into_iter().map(|seen| seen.into_iter().collect()).collect())
}

/// What has to hold before each location so that a goal holds at the next cut point.
type CutPreconditions = SortedMap<LocationId, FormulaId>;

/// What has to hold: a candidate at a cut point, or that an edge is not taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CutObligation {
    At(usize, FormulaId),
    Untaken(EdgeId),
}

/// Candidates at cut points, by the numbers of these.
type Cores = Vec<(usize, Vec<FormulaId>)>;
/// Edges that are excluded, and the candidates at each cut point that this needs.
type NeededCandidates = (Vec<EdgeId>, Vec<SortedSet<FormulaId>>);

struct Proving<'l> {
    lts: &'l Lts,
    pool: Pool,
    identity: State,
    /// What formulas may speak of.
    spoken: SortedSet<SymbolId>,
    cuts: Vec<LocationId>,
    /// The number of each cut point, by location.
    number: Vec<Option<usize>>,
    /// The locations that are no cut points, each after those to which its edges lead.
    order: Vec<LocationId>,
    /// The condition of each edge and what it changes.
    steps: Vec<(FormulaId, Substitution)>,
    candidates: Vec<Vec<FormulaId>>,
    memo: SortedMap<CutObligation, CutPreconditions>,
}

impl<'l> Proving<'l> {
    fn new(lts: &'l Lts) -> Proving<'l> {
        let mut pool = Pool::new();
        let identity = State::of_symbols(lts, &mut pool, str::to_owned);
        let names = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
        let spoken = names.map(|name| pool.symbol(name)).collect();
        let structure = Structure::new(lts);
        let draws = lts.graph.edge_indices().filter(|&edge| lts.graph[edge].nondets() > 0).map(|edge| lts.edge(edge).1);
        let cuts: SortedSet<LocationId> = structure.loop_headers.iter().copied().chain(draws).chain([lts.entry]).collect();
        let mut number = vec![None; lts.graph.node_count()];
        cuts.iter().zip(0..).for_each(|(cut, at)| number[cut.index()] = Some(at));
        let steps = lts.graph.edge_indices().map(|edge| step(lts, &mut pool, &identity, edge, Vec::new())).collect();
        let order = order(lts, &number);
        let candidates = vec![Vec::new(); cuts.len()];
        let cuts = cuts.into_iter().collect();
        Proving { lts, pool, identity, spoken, cuts, number, order, steps, candidates, memo: SortedMap::new() }
    }

    /// What has to hold at a location for the goal, if its edges are taken.
    fn before(&mut self, location: LocationId, goal: CutObligation, preconditions: &CutPreconditions) -> FormulaId {
        let mut parts = Vec::new();
        for (edge, to) in self.lts.outgoing(location) {
            let after = match (goal, self.number[to.index()]) {
                (CutObligation::Untaken(untaken), _) if untaken == edge => Pool::FALSE,
                (CutObligation::At(number, formula), Some(at)) if number == at => formula,
                (_, Some(_)) => Pool::TRUE,
                (_, None) => preconditions.get(&to).copied().unwrap_or(Pool::TRUE),
            };
            if after == Pool::TRUE {
                continue;
            }
            let (condition, values) = &mut self.steps[edge.index()];
            let claimed = values.formula(&mut self.pool, after).unwrap_or(Pool::FALSE);
            let not = self.pool.not(*condition);
            parts.push(self.pool.or(&[not, claimed]));
        }
        self.pool.and(&parts)
    }

    /// The preconditions of a goal at all locations but cut points, then at the cut points.
    fn preconditions(&mut self, goal: CutObligation, ask: &mut Ask) -> Result<CutPreconditions, Exhausted> {
        if let Some(cached) = self.memo.get(&goal) {
            return Ok(cached.clone());
        }
        let mut found = CutPreconditions::new();
        for location in self.order.clone().into_iter().chain(self.cuts.clone()) {
            let formula = self.before(location, goal, &found);
            if formula != Pool::TRUE {
                let size = self.pool.size(formula, LARGE);
                ask.meter.spend(1 + size as u64 / 20)?;
                found.insert(location, if size < LARGE { formula } else { Pool::FALSE });
            }
        }
        self.memo.insert(goal, found.clone());
        Ok(found)
    }

    /// Which of the goals do not follow from the premises, by their positions; an open answer counts as such.
    fn failing(&mut self, premises: &[FormulaId], goals: &[FormulaId], ask: &mut Ask) -> Result<SortedSet<usize>, Exhausted> {
        let mut context = Context::new();
        (context.pool, context.query_limit) = (std::mem::take(&mut self.pool), QUESTION);
        premises.iter().for_each(|&formula| {
            context.assert(formula);
        });
        let mut failing: SortedSet<usize> = SortedSet::new();
        let mut stop = Ok(());
        for (at, &formula) in goals.iter().enumerate() {
            if failing.contains(&at) || premises.contains(&formula) {
                continue;
            }
            let denied = context.pool.not(formula);
            stop = ask.meter.spend(1);
            let answer = context.check_assuming(&[denied], ask.meter);
            match answer {
                Answer::Unsat(_) => {}
                Answer::Unknown(_) => drop(failing.insert(at)),
                // One model may show it of many formulas.
                Answer::Sat(model) => {
                    failing.insert(at);
                    failing.extend((0..goals.len()).filter(|&at| model.formula(&context.pool, goals[at]) == Some(false)));
                }
            }
            if stop.is_err() {
                break;
            }
        }
        self.pool = context.pool;
        stop.and_then(|()| ask.meter.spend(0)).map(|()| failing)
    }

    /// Drops the candidates at the entry that do not hold before the first edge.
    fn begin(&mut self, ask: &mut Ask) -> Result<(), Exhausted> {
        let premises = first_values(self.lts, &mut self.pool, &self.identity);
        let Some(entry) = self.number[self.lts.entry.index()] else { return Ok(()) };
        let goals = self.candidates[entry].clone();
        let failing = self.failing(&premises, &goals, ask)?;
        drop_at(&mut self.candidates[entry], &failing);
        Ok(())
    }

    /// 4., once for each cut point from which ways begin; gives whether something was dropped.
    fn weaken(&mut self, ask: &mut Ask) -> Result<bool, Exhausted> {
        let mut is_changed = false;
        for from in 0..self.cuts.len() {
            let mut goals: Vec<(usize, FormulaId)> = Vec::new();
            for (at, candidates) in self.candidates.iter().enumerate() {
                goals.extend(candidates.iter().map(|&candidate| (at, candidate)));
            }
            let (mut ways, mut formulas) = (Vec::new(), Vec::new());
            for (at, candidate) in goals {
                let before = self.preconditions(CutObligation::At(at, candidate), ask)?;
                if let Some(&formula) = before.get(&self.cuts[from]) {
                    ways.push((at, candidate));
                    formulas.push(formula);
                }
            }
            let premises = self.candidates[from].clone();
            let failing = self.failing(&premises, &formulas, ask)?;
            for position in failing {
                let (at, candidate) = ways[position];
                self.candidates[at].retain(|&other| other != candidate);
                is_changed = true;
            }
        }
        Ok(is_changed)
    }

    /// Candidates at the cut point from which the formula follows; `None` where it does not.
    fn core(&mut self, from: usize, formula: FormulaId, ask: &mut Ask) -> Result<Option<Vec<FormulaId>>, Exhausted> {
        if self.candidates[from].contains(&formula) {
            return Ok(Some(vec![formula]));
        }
        let denied = self.pool.not(formula);
        let formulas = [&[denied], &self.candidates[from][..]].concat();
        Ok(match ask.decide(&mut self.pool, &formulas)? {
            Answer::Unsat(refutation) => Some(refutation.core.into_iter().filter(|&at| at > 0).map(|at| formulas[at]).collect()),
            _ => None,
        })
    }

    /// 5.: the edges that the candidates exclude, and the candidates at each cut point that this needs.
    fn needed(&mut self, edges: &[EdgeId], ask: &mut Ask) -> Result<Option<NeededCandidates>, Exhausted> {
        let mut needed: Vec<SortedSet<FormulaId>> = vec![SortedSet::new(); self.cuts.len()];
        let mut waiting: Vec<CutObligation> = Vec::new();
        let mut cut = Vec::new();
        let mut tried = SortedSet::new();
        while let Some(edge) = reached(self.lts, &cut).into_iter().find(|edge| edges.contains(edge) && !tried.contains(edge)) {
            if tried.len() >= EXCLUDED {
                break;
            }
            tried.insert(edge);
            if let Some(found) = self.cores(CutObligation::Untaken(edge), ask)? {
                cut.push(edge);
                keep(&mut needed, &mut waiting, found);
            }
        }
        while let Some(goal) = waiting.pop() {
            let Some(found) = self.cores(goal, ask)? else { return Ok(None) };
            keep(&mut needed, &mut waiting, found);
        }
        Ok((!cut.is_empty()).then_some((cut, needed)))
    }

    /// What the goal needs at each cut point; `None` where the candidates do not suffice.
    fn cores(&mut self, goal: CutObligation, ask: &mut Ask) -> Result<Option<Cores>, Exhausted> {
        let before = self.preconditions(goal, ask)?;
        let mut found = Vec::new();
        for from in 0..self.cuts.len() {
            if let Some(&formula) = before.get(&self.cuts[from]) {
                let Some(core) = self.core(from, formula, ask)? else { return Ok(None) };
                found.push((from, core));
            }
        }
        Ok(Some(found))
    }

    /// 6.: the formulas at each location.
    fn stated(&mut self, cut: &[EdgeId], needed: &[SortedSet<FormulaId>], ask: &mut Ask) -> Result<Vec<Vec<FormulaId>>, Exhausted> {
        let mut formulas: Vec<Vec<FormulaId>> = vec![Vec::new(); self.lts.graph.node_count()];
        let mut goals: Vec<CutObligation> = cut.iter().map(|&edge| CutObligation::Untaken(edge)).collect();
        for (at, candidates) in needed.iter().enumerate() {
            formulas[self.cuts[at].index()] = candidates.iter().copied().collect();
            goals.extend(candidates.iter().map(|&candidate| CutObligation::At(at, candidate)));
        }
        for goal in goals {
            for (location, formula) in self.preconditions(goal, ask)? {
                let is_spoken = Mentions::of(&self.pool, &[formula], &[]).symbols.is_subset(&self.spoken);
                let here = &mut formulas[location.index()];
                if self.number[location.index()].is_none() && is_spoken && !here.contains(&formula) {
                    here.push(formula);
                }
            }
        }
        Ok(formulas)
    }
}

/// The edges to which ways lead without these.
fn reached(lts: &Lts, cut: &[EdgeId]) -> Vec<EdgeId> {
    let mut seen = SortedSet::from([lts.entry]);
    let (mut waiting, mut found) = (vec![lts.entry], Vec::new());
    while let Some(location) = waiting.pop() {
        for (edge, to) in lts.outgoing(location) {
            found.push(edge);
            if !cut.contains(&edge) && seen.insert(to) {
                waiting.push(to);
            }
        }
    }
    found
}

/// Adds what is needed, and lets what is new wait for its own needs.
fn keep(needed: &mut [SortedSet<FormulaId>], waiting: &mut Vec<CutObligation>, found: Cores) {
    for (at, formulas) in found {
        waiting.extend(formulas.into_iter().filter(|&formula| needed[at].insert(formula)).map(|formula| CutObligation::At(at, formula)));
    }
}

fn drop_at(candidates: &mut Vec<FormulaId>, failing: &SortedSet<usize>) {
    let mut at = 0;
    candidates.retain(|_| {
        at += 1;
        !failing.contains(&(at - 1))
    });
}

/// The locations that are no cut points, each after those to which its edges lead.
fn order(lts: &Lts, number: &[Option<usize>]) -> Vec<LocationId> {
    let mut seen = vec![false; lts.graph.node_count()];
    let mut order = Vec::new();
    for start in lts.graph.node_indices() {
        let mut waiting = vec![(start, false)];
        while let Some((location, is_done)) = waiting.pop() {
            if number[location.index()].is_some() {
                continue;
            }
            if is_done {
                order.push(location);
            } else if !std::mem::replace(&mut seen[location.index()], true) {
                waiting.push((location, true));
                waiting.extend(lts.outgoing(location).into_iter().map(|(_, to)| (to, false)));
            }
        }
    }
    order
}
