//! Whether a backbone's abstract path condition can hold, and for which input.
//!
//! Source: ST12, Section 4. `φ̂^K` without quantifiers has the first `K` instances of each looping condition. Which `K` suffices is not
//! known beforehand, so the bound on the rounds of each loop grows: 1, 2, 5, … A model within the bound, with an instance for each of
//! its rounds, is one of `φ̂` itself. Instances are written out only for rounds that some model makes. `φ̂` has no model at all if the
//! contradiction does not use the bound.

use super::effect::WayEffect;
use super::instances::{InstanceScope, RoundInstances};
use super::program::SummarizedProgram;
use super::tree::{Goal, RoundEnd};
use crate::interp::Input;
use crate::logic::{Assignment, Atom, AtomId, FormulaId, Int, Linear, Pool, SortedMap};
use crate::lts::inputs::Inputs;
use crate::lts::{EdgeId, Label};
use crate::run::trace::{Event, Trace};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context, Reason};
use crate::symex::{contents_name, contents_of, drawn_contents, nearest, nondet_name};

/// Bounds on the rounds of each loop, below the greatest.
const BOUNDS: [u32; 10] = [0, 1, 2, 5, 10, 15, 25, 50, 100, 200];
/// The last bound on the rounds of uniform loops, which are not written out: a run makes them all. Below, the square of the others' bound.
const UNIFORM: u32 = 10_000;
/// Steps for looking whether a condition can hold at all.
const REFUTATION: u64 = 100_000;
/// How questions are put, with steps for one: where one way does not suffice the next takes its place. A search that tries first that
/// loops make no round finds models with few rounds, which is where most of them are; where many rounds are needed, trying that costs more
/// than it helps.
const WAYS: [(bool, u64); 3] = [(true, 200_000), (false, 1_000_000), (true, 1_000_000)];
/// So many rounds of a loop are written out before the next question.
const AT_ONCE: usize = 25;
/// Elements of changed arrays of which one backbone's question is told.
const READS: usize = 5_000;
/// So many instances are written out for one backbone.
const INSTANCES: usize = 4_000;

/// What is known of a backbone.
#[derive(Clone, Debug)]
pub enum Decision {
    /// Its condition cannot hold.
    Unsatisfiable,
    /// It has a model; this is the first.
    Model(ConditionModel),
    /// It has no model with so few rounds, and may have one with more.
    Beyond,
    Open(Reason),
}

/// What a model of a condition says.
#[derive(Clone, Debug)]
pub struct ConditionModel {
    pub input: Input,
    /// The edges up to the target: the backbone with the rounds of its loops.
    pub path: Vec<EdgeId>,
    /// The greatest number of rounds of a loop.
    pub k: u32,
}

/// The question of one backbone.
pub struct BackboneQuery<'q, 'a> {
    pub program: &'q SummarizedProgram<'a>,
    pub inputs: &'q Inputs,
    pub goal: Goal,
    /// The greatest bound.
    pub most: u32,
}

impl BackboneQuery<'_, '_> {
    /// Whether what needs no round to be written out contradicts itself.
    pub fn is_refuted(&self, pool: &mut Pool, effect: &WayEffect, meter: &mut Meter, trace: &Trace) -> bool {
        let mut context = Context::new();
        (context.pool, context.query_limit) = (std::mem::take(pool), REFUTATION);
        for part in effect.with_facts() {
            context.assert(part);
        }
        let answer = context.check(meter);
        trace.emit(Event::Query { context: &context, answer: &answer });
        *pool = context.pool;
        matches!(answer, Answer::Unsat(_))
    }

    /// Looks for models until `accept` takes one. Facts of last rounds stand in the way here, where all rounds are written out.
    pub fn models(
        &self,
        pool: &mut Pool,
        effect: &WayEffect,
        meter: &mut Meter,
        trace: &Trace,
        accept: &mut dyn FnMut(&ConditionModel, &mut Meter) -> bool,
    ) -> Decision {
        let mut context = Context::new();
        context.pool = std::mem::take(pool);
        let decision = self.within(&mut context, effect, meter, trace, accept);
        *pool = context.pool;
        decision
    }

    fn within(
        &self,
        context: &mut Context,
        effect: &WayEffect,
        meter: &mut Meter,
        trace: &Trace,
        accept: &mut dyn FnMut(&ConditionModel, &mut Meter) -> bool,
    ) -> Decision {
        for part in effect.parts() {
            context.assert(part);
        }
        let mut instances = RoundInstances::new(self.program.lts);
        let top = instances.add(self.program, &mut context.pool, &effect.loops, &mut InstanceScope::default(), Pool::TRUE);
        tell_ends(context, &mut instances);
        let mut reads = Reads::default();
        let (mut missed, mut way) = (None, 0);
        let bounds = BOUNDS.iter().copied().filter(|&bound| bound < self.most).chain([self.most]);
        let bounds = bounds
            .map(|bound| RoundBounds { written: bound, uniform: (bound * bound).min(UNIFORM) })
            .chain([RoundBounds { written: self.most, uniform: UNIFORM }]);
        let mut last = None;
        for bounds in bounds {
            // Without uniform loops the last bounds are those before them.
            let assumed = within(&mut context.pool, &instances, bounds);
            if last.replace(assumed.clone()) == Some(assumed) {
                break;
            }
            loop {
                let assumed = within(&mut context.pool, &instances, bounds);
                let (fewest, limit) = WAYS[way];
                let preferred = if fewest { none(&mut context.pool, &instances) } else { Vec::new() };
                context.prefer(&preferred);
                context.query_limit = limit;
                let answer = context.check_logged(&assumed, meter, trace);
                let model = match answer {
                    Answer::Unknown(_) if way + 1 < WAYS.len() && !meter.is_exhausted() => {
                        way += 1;
                        continue;
                    }
                    Answer::Unsat(refutation) => {
                        let free = refutation.core.iter().all(|&position| position < context.assertions().len());
                        if free {
                            return missed.unwrap_or(Decision::Unsatisfiable);
                        }
                        break;
                    }
                    Answer::Unknown(reason) => return missed.unwrap_or(Decision::Open(reason)),
                    Answer::Sat(model) => model,
                };
                let missing = instances.missing(&context.pool, &model);
                if missing.is_empty() && reads.tell(context, &mut instances, &model) {
                    if meter.spend(reads.memo.len() as u64).is_err() || reads.told > READS {
                        return missed.unwrap_or(Decision::Open(Reason::Steps));
                    }
                } else if missing.is_empty() {
                    let model = self.model(&mut context.pool, &instances, &top, &model);
                    let accepted = accept(&model, meter);
                    let first = missed.get_or_insert(Decision::Model(model));
                    if accepted {
                        return first.clone();
                    }
                    break;
                }
                // Each instance says what all variables are.
                let cost = 1 + (self.program.lts.variables.len() + self.program.lts.arrays.len()) as u64 / 4;
                for (at, count) in missing {
                    for _ in 0..count.min(AT_ONCE) {
                        if instances.count >= INSTANCES || meter.spend(cost).is_err() {
                            return missed.unwrap_or(Decision::Open(Reason::Steps));
                        }
                        let instance = instances.write(self.program, &mut context.pool, at);
                        context.assert(instance);
                        tell_ends(context, &mut instances);
                    }
                }
            }
        }
        missed.unwrap_or(Decision::Beyond)
    }

    /// What a model says.
    fn model(&self, pool: &mut Pool, instances: &RoundInstances, top: &[usize], model: &Assignment) -> ConditionModel {
        let lts = self.program.lts;
        let mut input = Input::default();
        for &id in &self.inputs.variables {
            let variable = lts.variable(id);
            let symbol = pool.symbol(&variable.name);
            let value = model.integers.get(&symbol).cloned().unwrap_or_default();
            input.values.insert(variable.name.clone(), nearest(value, variable.start_range()));
        }
        for &id in &self.inputs.arrays {
            let array = lts.array(id);
            let symbol = pool.symbol(&array.name);
            input.arrays.insert(array.name.clone(), contents_of(array, model.arrays.get(&symbol)));
        }
        let k = instances.greatest(pool, model).to_i64().and_then(|k| u32::try_from(k).ok()).unwrap_or(u32::MAX);
        let mut execution = Execution { question: self, pool, instances, model, input, path: Vec::new() };
        let end = RoundEnd { node: self.goal.node, edge: self.goal.edge };
        execution.along(0, end, top, &DrawLocation::In(&InstanceScope::default()), true);
        ConditionModel { input: execution.input, path: execution.path, k }
    }
}

/// The elements of arrays that rounds change and that the program reads.
#[derive(Default)]
struct Reads {
    /// With how many rounds said something of it, and what they say.
    memo: SortedMap<AtomId, (usize, FormulaId)>,
    /// So many were told.
    told: usize,
}

impl Reads {
    /// Tells the context of elements of which the model has it wrong; gives whether there are any. To tell of all of them makes a question
    /// of four words in a text ten times as dear.
    fn tell(&mut self, context: &mut Context, instances: &mut RoundInstances, model: &Assignment) -> bool {
        let told = self.told;
        let mut next = 0;
        // What is said of one element speaks of others. And the solver reads over writes on its own, so it meets elements that no
        // assertion speaks of.
        while next < context.pool.atom_count() {
            let atom = AtomId(next as u32);
            next += 1;
            let Atom::Select(array, index) = context.pool.atom(atom).clone() else { continue };
            let Some(rounds) = instances.told_by(array) else { continue };
            if self.memo.len() > READS {
                self.told = READS + 1;
                return true;
            }
            let said = match self.memo.get(&atom) {
                Some(&(at_rounds, said)) if at_rounds == rounds => said,
                _ => instances.element(&mut context.pool, array, &index).unwrap_or(Pool::TRUE),
            };
            self.memo.insert(atom, (rounds, said));
            if model.formula(&context.pool, said) != Some(true) {
                context.assert(said);
                self.told += 1;
            }
        }
        self.told > told
    }
}

/// That no loop makes a round, loop by loop.
fn none(pool: &mut Pool, instances: &RoundInstances) -> Vec<FormulaId> {
    instances.loops.iter().map(|looping| pool.at_most(&looping.rounds, &Linear::default())).collect()
}

/// Bounds of the rounds of each loop.
#[derive(Clone, Copy)]
struct RoundBounds {
    /// Of a loop whose rounds are written out.
    written: u32,
    /// Of a uniform loop.
    uniform: u32,
}

/// That no loop makes more rounds than its bound.
fn within(pool: &mut Pool, instances: &RoundInstances, bounds: RoundBounds) -> Vec<FormulaId> {
    let bounds = [bounds.written, bounds.uniform].map(|bound| Linear::constant(Int::from(u64::from(bound))));
    instances.loops.iter().map(|looping| pool.at_most(&looping.rounds, &bounds[usize::from(looping.uniform().is_some())])).collect()
}

/// Tells the context of the conditions of uniform loops that are new.
fn tell_ends(context: &mut Context, instances: &mut RoundInstances) {
    for ends in instances.new_ends() {
        context.assert(ends);
    }
}

/// Where a model has what an edge draws.
enum DrawLocation<'s> {
    /// In symbols of a scope.
    In(&'s InstanceScope),
    /// In the arrays of a uniform loop, at its position, for the round after so many.
    Round(usize, Int),
}

/// The execution that a model describes: its path, and what it draws.
struct Execution<'d, 'q, 'a> {
    question: &'d BackboneQuery<'q, 'a>,
    pool: &'d mut Pool,
    instances: &'d RoundInstances,
    model: &'d Assignment,
    input: Input,
    path: Vec<EdgeId>,
}

impl Execution<'_, '_, '_> {
    /// Goes along the way from a node down to an edge; `enters` whether it goes through the loop at its start.
    fn along(&mut self, from: usize, end: RoundEnd, loops: &[usize], drawn: &DrawLocation, enters: bool) {
        let program = self.question.program;
        let mut loops = loops.iter();
        if enters && program.tree.is_entry(from) {
            loops.next().iter().for_each(|&&at| self.rounds(at));
        }
        let mut node = from;
        for (edge, next) in program.tree.way(from, end.node) {
            self.take(node, edge, drawn);
            node = next;
            if program.tree.is_entry(node) {
                loops.next().iter().for_each(|&&at| self.rounds(at));
            }
        }
        self.take(node, end.edge, drawn);
    }

    fn rounds(&mut self, at: usize) {
        let looping = &self.instances.loops[at];
        let count = self.model.linear(self.pool, &looping.rounds).unwrap_or_default();
        if looping.uniform().is_some() {
            let end = looping.summary.rounds[0].end;
            for number in 0..count.to_i64().unwrap_or_default().min(i64::from(UNIFORM)) {
                self.along(looping.summary.node, end, &[], &DrawLocation::Round(at, Int::from(number)), false);
            }
            return;
        }
        for (_, instance) in looping.instances.iter().enumerate().filter(|(number, _)| Int::from(*number) < count) {
            let kind = instance.kinds.iter().position(|(is_of_kind, ..)| self.model.formula(self.pool, *is_of_kind) == Some(true));
            let Some(kind) = kind else { continue };
            let (end, (_, scope, inner)) = (looping.summary.rounds[kind].end, &instance.kinds[kind]);
            self.along(looping.summary.node, end, inner, &DrawLocation::In(scope), false);
        }
    }

    fn take(&mut self, node: usize, edge: EdgeId, drawn: &DrawLocation) {
        self.path.push(edge);
        let program = self.question.program;
        let edge = &program.lts.graph[edge];
        for k in program.draws[node]..program.draws[node] + edge.nondets() {
            let value = match drawn {
                DrawLocation::Round(at, number) => Some(self.instances.drawn(self.pool, self.model, *at, number, k)),
                DrawLocation::In(scope) => {
                    if let Label::HavocArray(_) = edge.label {
                        let symbol = self.pool.symbol(&scope.name(&contents_name(k)));
                        if let Some(contents) = self.model.arrays.get(&symbol) {
                            self.input.contents.insert(self.input.nondet.len() as u32, drawn_contents(contents));
                        }
                    }
                    let symbol = self.pool.symbol(&scope.name(&nondet_name(k)));
                    self.model.integers.get(&symbol).cloned()
                }
            };
            self.input.nondet.push(value.unwrap_or_default());
        }
    }
}
