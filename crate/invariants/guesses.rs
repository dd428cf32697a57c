//! Infeasible in every execution: an inductive invariant, guessed from runs; it keeps of the guesses what is inductive.
//!
//! 1. Samples: the values of the variables at each location along runs of the tests, and of inputs like them.
//! 2. Guesses at each location, all that fit its samples: bounds of a variable (intervals), its remainder (congruences), bounds of
//!    differences, and `v = a · w + b` (affine relations). At a location without samples: that nothing reaches it.
//! 3. Until nothing changes: drop each guess that does not follow at the end of some edge from the guesses at its start (C.
//!    Flanagan and K. R. M. Leino, *Houdini, an Annotation Assistant for ESC/Java*, 2001). Where "nothing reaches it" falls, the
//!    guesses of the location before the edge take its place.
//! 4. Cut each edge that contradicts the guesses at its start.
//! 5. Refute every step from guess to guess and every cut once more, for its certificate.
//!
//! The result over-approximates all executions, however often loops run: what the graph does not reach without the cut edges, nothing
//! reaches. Samples and guesses need not be trusted. The obligations of 5 are those of a pruned graph
//! ([`crate::evidence::graph`]), in the same order.

use super::{FactQuery, Proved, Prover};
use crate::evidence::graph::Pruned;
use crate::interp::{Input, Machine};
use crate::logic::substitution::{Substitution, symbols};
use crate::logic::{Arrange, FormulaId, Int, Linear, Pool, SortedSet, SymbolId};
use crate::lts::{EdgeId, Lts, VariableId};
use crate::run::random_inputs::near_constants;
use crate::run::trace::{Event, Trace};
use crate::solver::certificate::Certificate;
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context, check};
use crate::symex::{State, first_values};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// Steps for one question: questions are small.
const QUESTION: u64 = 20_000;
/// Of so many values in a model, or goals that it is tried on, one is a step.
const MODEL: u64 = 16;
/// Of how many variables to compare all pairs.
const PAIRS: usize = 8;
/// Steps of a run that give samples.
const RUN: u64 = 100;
/// Constants of the program near the samples that are guessed as bounds.
const NEAR: usize = 3;
/// Inputs that give samples.
const INPUTS: usize = 60;

/// Guesses from runs as a prover.
pub struct Guesses {
    /// Guesses also bounds near the program's constants that are further than what runs show.
    pub widely: bool,
}

/// So many variables and locations, multiplied, are too many to guess widely about.
const MOST: usize = 5_000;

impl Prover for Guesses {
    fn name(&self) -> &'static str {
        if self.widely { "wide guesses" } else { "guesses" }
    }

    fn show(&self, lts: &Lts, query: &FactQuery, meter: &mut Meter, trace: &Trace) -> Vec<Proved> {
        if self.widely && lts.variables.len() * lts.graph.node_count() > MOST {
            return Vec::new();
        }
        infer(lts, &Machine::new(lts), query.inputs, self.widely, meter, trace).into_iter().collect()
    }
}

struct Inference<'a, 'm, 't> {
    lts: &'a Lts,
    pool: Pool,
    identity: State,
    /// Bounds to guess beside those of the samples, in order.
    near: Vec<Int>,
    meter: &'a mut Meter<'m>,
    trace: &'a Trace<'t>,
    guesses: Vec<Vec<FormulaId>>,
    /// Locations of which the guess is that nothing reaches them.
    unreached: Vec<bool>,
}

/// Infers an invariant; `None` where the steps do not suffice, or the solver does not show a step again. Its nodes are locations.
fn infer(lts: &Lts, machine: &Machine, tests: &[Input], widely: bool, meter: &mut Meter, trace: &Trace) -> Option<Proved> {
    // 1. and 2.
    let samples = samples(lts, machine, tests);
    let mut pool = Pool::new();
    let identity = State::of_symbols(lts, &mut pool, str::to_owned);
    let near = if widely { near_constants(lts) } else { Vec::new() };
    let mut inference = Inference { lts, pool, identity, near, meter, trace, guesses: Vec::new(), unreached: Vec::new() };
    for seen in &samples {
        let guesses = if seen.is_empty() { vec![Pool::FALSE] } else { inference.guess(seen) };
        inference.guesses.push(guesses);
        inference.unreached.push(seen.is_empty());
    }
    // 3.
    inference.begin();
    let mut waiting: VecDeque<EdgeId> = lts.graph.edge_indices().collect();
    let mut queued: SortedSet<EdgeId> = waiting.iter().copied().collect();
    while let Some(edge) = waiting.pop_front() {
        queued.remove(&edge);
        inference.meter.spend(1).ok()?;
        if inference.weaken(edge) {
            for (next, _) in lts.outgoing(lts.edge(edge).2) {
                if queued.insert(next) {
                    waiting.push_back(next);
                }
            }
            // All ways there have to confirm the guesses that take the place of "nothing reaches it".
            for before in lts.graph.edge_indices().filter(|&other| lts.edge(other).2 == lts.edge(edge).2) {
                if queued.insert(before) {
                    waiting.push_back(before);
                }
            }
        }
    }
    // 4. and 5.
    inference.certify()
}

/// The edges that runs on these inputs, and on inputs like them, take.
pub fn taken(lts: &Lts, machine: &Machine, tests: &[Input]) -> SortedSet<EdgeId> {
    let mut found = SortedSet::new();
    for input in sampled(lts, tests) {
        found.extend(machine.run(&input, RUN).edges);
    }
    found
}

/// These inputs and some like them.
fn sampled(lts: &Lts, tests: &[Input]) -> Vec<Input> {
    let mut inputs: Vec<Input> = tests.to_vec();
    let first = tests.first().cloned().unwrap_or_else(|| {
        let inputs = lts.variables.iter().filter(|variable| variable.initial.is_none());
        Input { values: inputs.map(|variable| (variable.name.clone(), Int::ZERO)).collect(), ..Input::default() }
    });
    let alone = |value: i64| {
        let first = &first;
        first.values.keys().map(move |name| {
            let mut input = first.clone();
            input.values.insert(name.clone(), Int::from(value));
            input
        })
    };
    let everywhere = |value: i64| {
        let mut input = first.clone();
        input.values.values_mut().for_each(|other| *other = Int::from(value));
        Input { nondet: vec![Int::from(value); 20], ..input }
    };
    // Functions that are inlined have thousands of variables: no more inputs are made than are used.
    let like = [-9i64, 0, 1, 2, 5, 12].into_iter().flat_map(|value| alone(value).chain(std::iter::once_with(move || everywhere(value))));
    inputs.extend(like.take(INPUTS.saturating_sub(tests.len())));
    inputs.truncate(INPUTS);
    inputs
}

/// The values that variables have at each location along the runs.
fn samples(lts: &Lts, machine: &Machine, tests: &[Input]) -> Vec<Vec<Vec<Int>>> {
    let mut found: Vec<SortedSet<Vec<Int>>> = vec![SortedSet::new(); lts.graph.node_count()];
    for input in &sampled(lts, tests) {
        for steps in 0..=RUN {
            let run = machine.run(input, steps);
            found[run.location.index()].insert(run.variables);
            if (run.edges.len() as u64) < steps {
                break;
            }
        }
    }
    found.into_iter().map(|seen| seen.into_iter().collect()).collect()
}

impl Inference<'_, '_, '_> {
    fn guess(&mut self, seen: &[Vec<Int>]) -> Vec<FormulaId> {
        let mut guesses = Vec::new();
        let terms: Vec<Linear> = self.identity.variables().cloned().collect();
        for (index, term) in terms.iter().enumerate() {
            let values: Vec<Int> = seen.iter().map(|state| state[index].clone()).collect();
            self.bounds(term, &values, &mut guesses);
            let step = values.iter().fold(Int::ZERO, |step, value| step.gcd(&(value - &values[0])));
            if step > Int::ONE {
                let shifted = term.add_constant(&-&values[0]);
                if let Some((_, remainder)) = self.pool.div_rem_trunc(&shifted, &Linear::constant(step)) {
                    guesses.push(self.pool.equal(&remainder, &Linear::default()));
                }
            }
        }
        for left in 0..terms.len().min(PAIRS) {
            for right in 0..terms.len().min(PAIRS) {
                if left == right {
                    continue;
                }
                let differences: Vec<Int> = seen.iter().map(|state| &state[left] - &state[right]).collect();
                if left < right {
                    self.bounds(&terms[left].sub(&terms[right]), &differences, &mut guesses);
                }
                if let Some(relation) = self.line(left, right, seen, &terms) {
                    guesses.push(relation);
                }
            }
        }
        guesses.retain(|&guess| guess != Pool::TRUE);
        guesses.arrange();
        guesses.dedup();
        guesses
    }

    /// Guesses bounds of a term: those of the samples, and 0 where it fits.
    fn bounds(&mut self, term: &Linear, values: &[Int], guesses: &mut Vec<FormulaId>) {
        let (Some(least), Some(most)) = (values.iter().min(), values.iter().max()) else { return };
        let mut at_least = vec![least.clone()];
        let mut at_most = vec![most.clone()];
        if !least.is_negative() {
            at_least.push(Int::ZERO);
        }
        if !most.is_positive() {
            at_most.push(Int::ZERO);
        }
        if term.terms().len() == 1 {
            at_least.extend(self.near.iter().rev().filter(|&bound| bound < least).take(NEAR).cloned());
            at_most.extend(self.near.iter().filter(|&bound| bound > most).take(NEAR).cloned());
        }
        guesses.extend(at_least.into_iter().map(|bound| self.pool.at_most(&Linear::constant(bound), term)));
        guesses.extend(at_most.into_iter().map(|bound| self.pool.at_most(term, &Linear::constant(bound))));
    }

    /// `left = a · right + b` for whole `a ≠ 0` and whole `b`, where all samples lie on such a line and `right` varies.
    fn line(&mut self, left: usize, right: usize, seen: &[Vec<Int>], terms: &[Linear]) -> Option<FormulaId> {
        let first = &seen[0];
        let other = seen.iter().find(|state| state[right] != first[right])?;
        let (rise, run) = (&other[left] - &first[left], &other[right] - &first[right]);
        if rise.is_zero() || !rise.is_multiple_of(&run) {
            return None;
        }
        let slope = rise.div_exact(&run);
        let offset = &first[left] - &(&slope * &first[right]);
        let fits = seen.iter().all(|state| state[left] == &(&slope * &state[right]) + &offset);
        fits.then(|| self.pool.equal(&terms[left], &terms[right].scale(&slope).add_constant(&offset)))
    }

    /// Runs something in a context over the same terms in which these formulas hold.
    fn assuming<T>(&mut self, formulas: &[FormulaId], run: impl FnOnce(&mut Context, &mut Meter, &Trace) -> T) -> T {
        let mut context = Context::new();
        context.query_limit = QUESTION;
        context.pool = std::mem::take(&mut self.pool);
        formulas.iter().for_each(|&formula| {
            context.assert(formula);
        });
        let result = run(&mut context, self.meter, self.trace);
        self.pool = context.pool;
        result
    }

    /// Which of the goals do not follow from the premises, by their positions; an open answer counts as such.
    fn failing(&mut self, premises: &[FormulaId], goals: &[FormulaId]) -> Vec<usize> {
        // Most edges change a variable or none: of the others, the guesses after the edge stand among the premises.
        let held: FxHashSet<FormulaId> = premises.iter().copied().collect();
        let goals: Vec<(usize, FormulaId)> = goals.iter().copied().enumerate().filter(|(_, goal)| !held.contains(goal)).collect();
        if goals.is_empty() {
            return Vec::new();
        }
        let about: Vec<FormulaId> = goals.iter().map(|(_, goal)| *goal).collect();
        let premises = related(&self.pool, premises, &about);
        self.assuming(&premises, |context, meter, _| {
            let mut failing: SortedSet<usize> = SortedSet::new();
            for (number, &(at, formula)) in goals.iter().enumerate() {
                if failing.contains(&at) {
                    continue;
                }
                let denied = context.pool.not(formula);
                match context.check_assuming(&[denied], meter) {
                    Answer::Unsat(_) => {}
                    Answer::Unknown(_) => drop(failing.insert(at)),
                    // One model may show it of many formulas.
                    Answer::Sat(model) => {
                        failing.insert(at);
                        // A further question finds the meter exhausted.
                        let _ = meter.spend((goals.len() + model.integers.len()) as u64 / MODEL);
                        let mut truth = model.truths(&context.pool);
                        for &(other, goal) in &goals[number + 1..] {
                            if !failing.contains(&other) && truth(goal) == Some(false) {
                                failing.insert(other);
                            }
                        }
                    }
                }
            }
            failing.into_iter().collect()
        })
    }

    /// Drops the guesses at the entry that do not follow from the first values.
    fn begin(&mut self) {
        let premises = first_values(self.lts, &mut self.pool, &self.identity);
        let entry = self.lts.entry.index();
        let failing = self.failing(&premises, &self.guesses[entry].clone());
        self.drop_guesses(entry, &failing);
    }

    fn drop_guesses(&mut self, location: usize, failing: &[usize]) {
        let mut at = 0;
        self.guesses[location].retain(|_| {
            at += 1;
            !failing.contains(&(at - 1))
        });
    }

    /// The guesses before the edge with its condition; and the guesses after it in terms of the values before.
    fn step(&mut self, edge: EdgeId) -> (Vec<FormulaId>, Vec<FormulaId>) {
        let (_, from, to) = self.lts.edge(edge);
        let mut state = self.identity.clone();
        let (condition, _) = state.apply(self.lts, &mut self.pool, edge);
        let mut premises = self.guesses[from.index()].clone();
        premises.push(condition);
        let variables = (0..self.lts.variables.len() as u32).map(VariableId);
        let mut values = Substitution::of(variables.map(|id| (self.identity.variable(id).terms()[0].0, state.variable(id).clone())));
        let after = self.guesses[to.index()].clone();
        let claimed = after.into_iter().map(|guess| values.formula(&mut self.pool, guess).unwrap_or(Pool::FALSE)).collect();
        (premises, claimed)
    }

    /// Drops the guesses after an edge that do not follow; gives whether there were any.
    fn weaken(&mut self, edge: EdgeId) -> bool {
        let (premises, claimed) = self.step(edge);
        let (_, from, to) = self.lts.edge(edge);
        let (from, to) = (from.index(), to.index());
        let failing = self.failing(&premises, &claimed);
        if failing.is_empty() {
            return false;
        }
        if std::mem::take(&mut self.unreached[to]) {
            self.guesses[to] = if self.unreached[from] { Vec::new() } else { self.guesses[from].clone() };
        } else {
            self.drop_guesses(to, &failing);
        }
        true
    }

    /// The certificate that these formulas contradict each other.
    fn refuted(&mut self, formulas: &[FormulaId]) -> Option<Certificate> {
        self.assuming(formulas, |context, meter, trace| {
            let answer = context.check(meter);
            trace.emit(Event::Query { context, answer: &answer });
            let Answer::Unsat(refutation) = answer else { return None };
            check::check(&context.pool, context.assertions(), &refutation.certificate).ok().map(|()| refutation.certificate)
        })
    }

    fn certify(mut self) -> Option<Proved> {
        let lts = self.lts;
        let mut certificates = Vec::new();
        let premises = first_values(lts, &mut self.pool, &self.identity);
        for guess in self.guesses[lts.entry.index()].clone() {
            let denied = self.pool.not(guess);
            certificates.push(self.refuted(&[&premises[..], &[denied]].concat())?);
        }
        let (mut cut, mut of_cuts) = (Vec::new(), Vec::new());
        for edge in lts.graph.edge_indices() {
            let (premises, claimed) = self.step(edge);
            if let Some(certificate) = self.refuted(&premises) {
                cut.push(edge);
                of_cuts.push(certificate);
                continue;
            }
            for formula in claimed {
                let denied = self.pool.not(formula);
                certificates.push(self.refuted(&[&premises[..], &[denied]].concat())?);
            }
        }
        certificates.extend(of_cuts);
        let graph = Pruned::of_locations(lts, self.guesses, &cut);
        Some(Proved { pool: self.pool, graph, certificates })
    }
}

/// The premises that share symbols with the goals or with other such premises, and all that have no symbol. What else there is holds in
/// some sample beside them: it proves nothing of the goals.
fn related(pool: &Pool, premises: &[FormulaId], goals: &[FormulaId]) -> Vec<FormulaId> {
    let mut reached = symbols(pool, goals);
    let mut rest: Vec<(FormulaId, SortedSet<SymbolId>)> = premises.iter().map(|&one| (one, symbols(pool, &[one]))).collect();
    let mut related = Vec::new();
    loop {
        let (near, far): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|(_, of)| of.is_empty() || of.iter().any(|one| reached.contains(one)));
        if near.is_empty() {
            return related;
        }
        for (premise, of) in near {
            related.push(premise);
            reached.extend(of);
        }
        rest = far;
    }
}
