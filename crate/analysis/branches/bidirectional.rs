//! Bidirectional symbolic analysis (BDP16, Sections 4 and 5): one step after the other at the frontier between what runs have reached and
//! what is wanted.
//!
//! 1. Algorithm 1: divert a known run along the frontier edge, so that it gets to what is wanted. If an input does, run it: what it reaches
//!    joins the model, and the targets that it takes leave it (Algorithm 3).
//! 2. Algorithm 2, if no run can be diverted: the precondition of what is wanted along the edge. If it contradicts itself, or what is known
//!    of its location, the frontier edge is gone. Otherwise it is wanted there.
//! 3. Where the frontier of a target is gone, its preconditions are an invariant that no execution leaves: the evidence that none takes it.
//!
//! Beyond the paper: a precondition whose states are wanted at that location already adds nothing, so that loops end (`i < 0` where `i` counts
//! up); invariants that others have shown contradict preconditions; of the paths to a location only some are tried.
//!
//! Where the paper makes values concrete that its solver has no theory of, conditions here allow such values anything within bounds: an input
//! that misses then is no verdict, and a precondition only becomes weaker, which no proof minds.

use super::model::{Closed, Gap, Model};
use super::order::Order;
use crate::analysis::common::known::{Shown, certified};
use crate::analysis::common::resting::Needs;
use crate::analysis::common::trace::{Event, Trace};
use crate::evidence::graph::{Pruned, step};
use crate::interp::{self, Input, Machine, Outcome};
use crate::logic::{Arrange, ArrayValue, Assignment, Formula, FormulaId, Mentions, Pool, SortedMap, SortedSet, SymbolId};
use crate::lts::{ArrayId, EdgeId, LocationId, Lts, VariableId};
use crate::search::{Step, Walk};
use crate::solver::meter::{Exhausted, Meter};
use crate::solver::projection::{self, Precision, project};
use crate::solver::{Answer, Context};
use crate::states::Ask;
use crate::symex::{State, assignment_of, first_values};
use petgraph::Direction;
use petgraph::visit::EdgeRef;
use std::ops::ControlFlow;
use std::rc::Rc;

/// Steps of a run.
const RUN: u64 = 20_000;
/// Steps of a run that count as one step of the analysis.
const RUN_STEPS: u64 = 20;
/// Paths to a location that are diverted for one frontier edge.
const TRIED: usize = 8;
/// A condition of so many parts is large: nobody looks for what leads to it.
const LARGE: usize = 3_000;
/// Wanted states at a location that a precondition is compared with: the first ones and the last ones.
const OTHERS: usize = 60;
/// Steps for a projection.
const PROJECTION: u64 = 20_000;

/// A run that was kept.
#[derive(Clone, Debug)]
pub struct Test {
    pub input: Input,
    pub path: Vec<EdgeId>,
    pub outcome: Outcome,
}

/// What is known of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Nothing.
    Nothing,
    /// The run with this number takes it.
    Taken(usize),
    /// No execution takes it.
    Excluded,
}

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Did {
    /// A run was diverted along the frontier edge.
    Forward,
    /// The frontier edge became a wanted state.
    Backward,
    /// The frontier edge is gone.
    Gone,
    /// No execution takes the target.
    Proved,
}

/// The analysis.
pub struct Bidirectional<'a, 't, 'r> {
    pub lts: &'a Lts,
    pub machine: &'a Machine<'a>,
    pub model: Model<'a>,
    pub tests: Vec<Test>,
    /// For each edge.
    pub edges: Vec<Known>,
    /// What holds at each location.
    invariants: Vec<Vec<FormulaId>>,
    walk: Walk<'a>,
    /// The reached state where the walk is.
    at: usize,
    identity: State,
    /// What wanted states may speak of.
    spoken: SortedSet<SymbolId>,
    order: &'t mut dyn Order,
    trace: &'t Trace<'r>,
    /// So many steps were made.
    pub iterations: u64,
    /// What the claims rest on that no execution takes these edges.
    pub needs: Vec<(Vec<EdgeId>, Needs)>,
}

impl<'a, 't, 'r> Bidirectional<'a, 't, 'r> {
    /// Begins with no run.
    pub fn new(lts: &'a Lts, machine: &'a Machine<'a>, order: &'t mut dyn Order, trace: &'t Trace<'r>) -> Bidirectional<'a, 't, 'r> {
        let mut walk = Walk::new(lts);
        let identity = State::of_symbols(lts, walk.pool_mut(), str::to_owned);
        let names = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
        let spoken = names.map(|name| walk.pool_mut().symbol(name)).collect();
        Bidirectional {
            lts,
            machine,
            model: Model::new(lts),
            tests: Vec::new(),
            edges: vec![Known::Nothing; lts.graph.edge_count()],
            invariants: vec![Vec::new(); lts.graph.node_count()],
            walk,
            at: 0,
            identity,
            spoken,
            order,
            trace,
            iterations: 0,
            needs: Vec::new(),
        }
    }

    /// One iteration, at the frontier edge whose turn it is; `None` if there is none.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn step(&mut self, meter: &mut Meter) -> Result<Option<Did>, Exhausted> {
        let Some(gap) = self.order.next(&self.model) else { return Ok(None) };
        self.iterations += 1;
        meter.spend(1)?;
        // 1.
        if let Some(input) = self.diverted(gap, meter)? {
            self.run(&input, meter)?;
            self.order.offer(&self.model, gap);
            return Ok(Some(Did::Forward));
        }
        // 2.
        if !self.refine(gap, meter)? {
            self.order.offer(&self.model, gap);
            return Ok(Some(Did::Backward));
        }
        // 3.
        let target = self.model.wanted[self.model.gaps[gap].to].target;
        Ok(Some(if self.prove(target, meter)? { Did::Proved } else { Did::Gone }))
    }

    /// Algorithm 1: an input that goes along a known run up to the gap, and then to what is wanted.
    fn diverted(&mut self, gap: usize, meter: &mut Meter) -> Result<Option<Input>, Exhausted> {
        let Gap { edge, to, tried, .. } = self.model.gaps[gap];
        let from = self.lts.edge(edge).1;
        let states: Vec<usize> = self.model.reached_at[from.index()][tried..].to_vec();
        // The first ones are near the entry; the last ones have got furthest.
        let (first, last) = states.split_at(states.len().saturating_sub(TRIED / 2));
        let chosen: Vec<usize> = last.iter().rev().chain(first.iter().take(TRIED / 2)).copied().collect();
        self.model.gaps[gap].tried += states.len();
        let wanted = self.model.wanted[to].condition;
        for state in chosen {
            meter.spend(1)?;
            if !self.go(state, meter) {
                continue;
            }
            let trace = self.trace;
            let mut asked = |context: &Context, answer: &Answer| {
                trace.emit(Event::Query { context, answer });
            };
            if let Step::Infeasible(_) = self.walk.step(edge, meter, &mut asked) {
                continue;
            }
            let there = self.walk.here(&self.identity, wanted).unwrap_or(Pool::FALSE);
            let answer = self.walk.ask(there, meter, &mut asked);
            let input = match answer {
                Answer::Sat(model) => Some(self.walk.input(&model, there)),
                _ => None,
            };
            self.walk.back();
            meter.spend(0)?;
            // Only what the run shows counts.
            let length = self.model.reached[state].length;
            if let Some(input) = input.filter(|input| self.goes(input, length, edge)) {
                return Ok(Some(input));
            }
        }
        Ok(None)
    }

    /// Whether a run's edge at this position is the edge.
    fn goes(&self, input: &Input, position: usize, edge: EdgeId) -> bool {
        let (mut at, mut goes) = (0, false);
        self.machine.follow(input, position as u64 + 1, |taken| {
            goes = at == position && taken == edge;
            at += 1;
            ControlFlow::Continue(())
        });
        goes
    }

    /// Moves the walk to a reached state; gives whether it got there.
    fn go(&mut self, to: usize, meter: &mut Meter) -> bool {
        let (mut ahead, mut edges) = (to, Vec::new());
        while self.at != ahead {
            let (here, there) = (&self.model.reached[self.at], &self.model.reached[ahead]);
            match (here.parent, there.parent) {
                (Some((shorter, _)), _) if here.length >= there.length => {
                    self.walk.back();
                    self.at = shorter;
                }
                (_, Some((shorter, edge))) => {
                    edges.push((edge, ahead));
                    ahead = shorter;
                }
                _ => break,
            }
        }
        // The input of the run that got there takes the path, so no step has to ask.
        let run = self.model.reached[to].run;
        if let Some(test) = self.tests.get(run) {
            if meter.spend(edges.len() as u64).is_err() {
                return false;
            }
            let values = Rc::new(assignment_of(&test.input, self.walk.pool_mut()));
            for (edge, behind) in edges.into_iter().rev() {
                self.walk.adopt(values.clone());
                let trace = self.trace;
                let step = self.walk.step(edge, meter, &mut |context, answer| {
                    trace.emit(Event::Query { context, answer });
                });
                if let Step::Infeasible(_) = step {
                    break;
                }
                self.at = behind;
            }
        }
        self.at == to
    }

    /// Runs an input; the run joins the model, and what it takes and satisfies leaves it. Gives whether it takes an edge that none took.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn run(&mut self, input: &Input, meter: &mut Meter) -> Result<bool, Exhausted> {
        let mut watch =
            Satisfied { lts: self.lts, model: &self.model, pool: self.walk.pool_mut(), path: Vec::new(), satisfied: Vec::new() };
        let run = self.machine.watch(input, RUN, &mut watch);
        let Satisfied { path, satisfied, .. } = watch;
        meter.spend(path.len() as u64 / RUN_STEPS)?;
        let number = self.tests.len();
        let is_new = |edge: &&EdgeId| !matches!(self.edges[edge.index()], Known::Taken(_));
        let new: SortedSet<EdgeId> = path.iter().filter(is_new).copied().collect();
        for &edge in &new {
            self.edges[edge.index()] = Known::Taken(number);
        }
        // Inv3: what a run satisfies is not wanted any more, or says too little.
        for state in satisfied {
            self.model.wanted[state].is_touched |= !new.contains(&self.model.wanted[state].target);
        }
        let states = self.model.add_run(number, &path);
        self.tests.push(Test { input: input.clone(), path, outcome: run.outcome });
        // Algorithm 3.
        for &edge in &new {
            self.settled(edge);
        }
        for state in states {
            let location = self.model.reached[state].location;
            if self.model.reached[state].run == number || number == 0 {
                self.reached(location);
            }
        }
        debug_assert_eq!(self.model.broken(|edge| self.edges[edge.index()] != Known::Nothing), None);
        Ok(!new.is_empty())
    }

    /// Removes a target.
    fn settled(&mut self, target: EdgeId) {
        for gap in self.model.coarsen(target) {
            self.order.offer(&self.model, gap);
        }
    }

    /// A run has got to the location: the gaps behind it are frontier edges, and untaken edges are targets.
    fn reached(&mut self, location: LocationId) {
        for (edge, _) in self.lts.outgoing(location) {
            if self.edges[edge.index()] == Known::Nothing && !self.model.targets.contains_key(&edge) {
                let gap = self.model.add_target(edge);
                self.order.offer(&self.model, gap);
            }
        }
        for &gap in &self.model.gaps_from[location.index()] {
            self.order.offer(&self.model, gap);
        }
    }

    /// Algorithm 2: looks before the gap. Gives whether nothing is wanted there.
    fn refine(&mut self, gap: usize, meter: &mut Meter) -> Result<bool, Exhausted> {
        let Gap { edge, to, .. } = self.model.gaps[gap];
        let from = self.lts.edge(edge).1;
        let (condition, is_exact) = self.precondition(edge, to, meter)?;
        let size = self.size(condition);
        if size > LARGE {
            self.model.gaps[gap].closed = Some(Closed::GivenUp);
            return Ok(true);
        }
        // A question about large formulas costs before its first step.
        meter.spend(((size + 1) * (self.model.wanted_at[from.index()].len().min(OTHERS) + 1)) as u64 / 8)?;
        let mut others = self.model.wanted_at[from.index()].clone();
        if others.len() > OTHERS {
            others.drain(OTHERS / 2..others.len() - OTHERS / 2);
        }
        let mut formulas = vec![condition];
        formulas.extend(&self.invariants[from.index()]);
        let known = formulas.len();
        formulas.extend(others.iter().map(|&other| self.model.wanted[other].condition).map(|other| self.walk.pool_mut().not(other)));
        let trace = self.trace;
        let mut asked = |context: &Context, answer: &Answer| {
            trace.emit(Event::Query { context, answer });
        };
        let answer = Ask { meter, asked: &mut asked }.decide(self.walk.pool_mut(), &formulas)?;
        if let Answer::Unsat(refutation) = answer {
            let by = refutation.core.iter().filter_map(|&at| at.checked_sub(known)).map(|at| others[at]).collect();
            self.model.gaps[gap].closed = Some(Closed::Excluded(by));
            return Ok(true);
        }
        let (state, gaps) = self.model.refine(gap, condition, is_exact);
        if from == self.lts.entry && self.begins(condition, meter)? {
            self.model.wanted[state].is_touched = true;
        }
        for gap in gaps {
            self.order.offer(&self.model, gap);
        }
        Ok(false)
    }

    /// Whether an execution may begin with this condition.
    fn begins(&mut self, condition: FormulaId, meter: &mut Meter) -> Result<bool, Exhausted> {
        let mut formulas = first_values(self.lts, self.walk.pool_mut(), &self.identity);
        formulas.push(condition);
        let trace = self.trace;
        let mut asked = |context: &Context, answer: &Answer| {
            trace.emit(Event::Query { context, answer });
        };
        let answer = Ask { meter, asked: &mut asked }.decide(self.walk.pool_mut(), &formulas)?;
        Ok(!matches!(answer, Answer::Unsat(_)))
    }

    /// The weakest condition before an edge under which it may lead to what is wanted behind, and whether it is no weaker than that.
    fn precondition(&mut self, edge: EdgeId, to: usize, meter: &mut Meter) -> Result<(FormulaId, bool), Exhausted> {
        let wanted = self.model.wanted[to].condition;
        let pool = self.walk.pool_mut();
        let (condition, mut values) = step(self.lts, pool, &self.identity, edge, Vec::new());
        let behind = values.formula(pool, wanted);
        let is_exact = behind.is_some();
        let both = pool.and(&[condition, behind.unwrap_or(Pool::TRUE)]);
        let drawn: Vec<SymbolId> =
            Mentions::of(pool, &[both], &[]).symbols.into_iter().filter(|symbol| !self.spoken.contains(symbol)).collect();
        if drawn.is_empty() {
            return Ok((both, is_exact));
        }
        let conjuncts = conjuncts_of(pool, both);
        let outer = meter.narrow(PROJECTION);
        let projected = project(pool, &conjuncts, &drawn, projection::Wanted::Over, meter);
        meter.widen(outer);
        meter.spend(0)?;
        let left = match projected {
            Ok(projected) if Mentions::of(pool, &[projected.formula], &[]).symbols.is_subset(&self.spoken) => {
                return Ok((projected.formula, is_exact && projected.precision == Precision::Exact));
            }
            Ok(projected) => conjuncts_of(pool, projected.formula),
            Err(_) => conjuncts,
        };
        // What speaks of drawn values is left out: that only makes it weaker.
        let spoken: Vec<FormulaId> =
            left.into_iter().filter(|&part| Mentions::of(pool, &[part], &[]).symbols.is_subset(&self.spoken)).collect();
        Ok((pool.and(&spoken), false))
    }

    /// How many formulas a formula is made of, counted no further than what is large.
    fn size(&self, formula: FormulaId) -> usize {
        let (mut seen, mut waiting) = (SortedSet::new(), vec![formula]);
        while let Some(formula) = waiting.pop().filter(|_| seen.len() <= LARGE) {
            if seen.insert(formula) {
                match self.walk.pool().formula(formula) {
                    Formula::And(parts) | Formula::Or(parts) => waiting.extend(parts.iter()),
                    Formula::Not(inner) => waiting.push(*inner),
                    _ => {}
                }
            }
        }
        seen.len()
    }

    /// 3. for every target: what one rests on may have been settled behind its last step.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn prove_all(&mut self, meter: &mut Meter) -> Result<(), Exhausted> {
        let mut targets: Vec<EdgeId> = self.model.targets.keys().copied().collect();
        targets.sort_unstable();
        for target in targets {
            if self.model.targets.contains_key(&target) {
                self.prove(target, meter)?;
            }
        }
        Ok(())
    }

    /// 3.: makes the preconditions of a target an invariant, if its frontier is gone; gives whether the check believes it.
    fn prove(&mut self, target: EdgeId, meter: &mut Meter) -> Result<bool, Exhausted> {
        let Some(states) = self.model.proof(target, |location| self.leading_to(location)) else { return Ok(false) };
        let (mut formulas, mut cut) = (self.invariants.clone(), Vec::new());
        for &state in &states {
            let wanted = &self.model.wanted[state];
            match wanted.way {
                None => cut.push(wanted.target),
                Some(_) => formulas[wanted.location.index()].push(self.walk.pool_mut().not(wanted.condition)),
            }
        }
        // What lies behind targets only is not reached either, as far as that can be shown.
        for (location, formulas) in formulas.iter_mut().enumerate() {
            if self.model.reached_at[location].is_empty() {
                formulas.push(Pool::FALSE);
            }
        }
        cut.sort_unstable();
        let graph = Pruned::of_locations(self.lts, formulas, &cut);
        let trace = self.trace;
        let mut asked = |context: &Context, answer: &Answer| {
            trace.emit(Event::Query { context, answer });
        };
        let mut ask = Ask { meter, asked: &mut asked };
        let Some((graph, certificates)) = certified(self.lts, self.walk.pool_mut(), graph, &mut ask)? else { return Ok(false) };
        for (place, formulas) in graph.places.iter().zip(&graph.invariants) {
            add(&mut self.invariants[place.location().index()], formulas);
        }
        let shown = Shown { pool: std::mem::take(self.walk.pool_mut()), graph, certificates };
        let new = self.excluded(&shown);
        *self.walk.pool_mut() = shown.pool;
        Ok(new > 0)
    }

    /// The targets that lead to a location which no run has reached.
    fn leading_to(&self, location: LocationId) -> Vec<EdgeId> {
        let (mut seen, mut waiting, mut found) = (SortedSet::from([location]), vec![location], SortedSet::new());
        while let Some(location) = waiting.pop() {
            for edge in self.lts.graph.edges_directed(location, Direction::Incoming) {
                let (edge, from) = (edge.id(), edge.source());
                if self.edges[edge.index()] == Known::Excluded {
                    continue;
                }
                if !self.model.reached_at[from.index()].is_empty() {
                    found.insert(edge);
                } else if seen.insert(from) {
                    waiting.push(from);
                }
            }
        }
        found.into_iter().collect()
    }

    /// Takes over what somebody has shown; gives how many edges no execution takes of which nothing was known.
    pub fn learn(&mut self, shown: &Shown) -> usize {
        for (location, formulas) in shown.at_locations(self.walk.pool_mut(), self.lts) {
            add(&mut self.invariants[location.index()], &formulas);
        }
        self.excluded(shown)
    }

    /// Tells the trace which edges are newly excluded, and settles them.
    fn excluded(&mut self, shown: &Shown) -> usize {
        let excluded = shown.excluded(self.lts).into_iter();
        let new: Vec<EdgeId> = excluded.filter(|edge| self.edges[edge.index()] == Known::Nothing).collect();
        if !new.is_empty() {
            self.trace.needs();
            shown.emit("branches", (&new, true), self.trace);
            let needs = self.trace.needs();
            self.exclude(&new, needs);
        }
        new.len()
    }

    /// Settles edges that no execution takes; the trace has the claims, which rest on this.
    pub fn exclude(&mut self, edges: &[EdgeId], needs: Needs) {
        let new: Vec<EdgeId> = edges.iter().copied().filter(|edge| self.edges[edge.index()] == Known::Nothing).collect();
        for &edge in &new {
            self.edges[edge.index()] = Known::Excluded;
            self.settled(edge);
        }
        self.needs.push((new, needs));
    }

    /// Edges of which nothing is known.
    pub fn unknown(&self) -> Vec<EdgeId> {
        self.lts.graph.edge_indices().filter(|edge| self.edges[edge.index()] == Known::Nothing).collect()
    }
}

/// Adds formulas to a set.
fn add(known: &mut Vec<FormulaId>, formulas: &[FormulaId]) {
    known.extend(formulas);
    known.arrange();
    known.dedup();
}

/// The parts of a conjunction.
fn conjuncts_of(pool: &Pool, formula: FormulaId) -> Vec<FormulaId> {
    match pool.formula(formula) {
        Formula::And(parts) => parts.to_vec(),
        _ => vec![formula],
    }
}

/// Watches which wanted states a run satisfies.
struct Satisfied<'s, 'a> {
    lts: &'s Lts,
    model: &'s Model<'a>,
    pool: &'s mut Pool,
    path: Vec<EdgeId>,
    satisfied: Vec<usize>,
}

impl interp::Watch for Satisfied<'_, '_> {
    fn taken(&mut self, edge: EdgeId, after: &interp::State<'_>) -> ControlFlow<()> {
        self.path.push(edge);
        let wanted = &self.model.wanted_at[self.lts.edge(edge).2.index()];
        if !wanted.is_empty() {
            let values = values(self.lts, self.pool, after);
            let holds = |state: &&usize| values.formula(self.pool, self.model.wanted[**state].condition) == Some(true);
            self.satisfied.extend(wanted.iter().filter(holds));
        }
        ControlFlow::Continue(())
    }
}

/// The values of variables and arrays in a state of a run.
fn values(lts: &Lts, pool: &mut Pool, state: &interp::State<'_>) -> Assignment {
    let mut values = Assignment::default();
    let mut integers = SortedMap::new();
    for (number, variable) in lts.variables.iter().enumerate() {
        integers.insert(pool.symbol(&variable.name), state.variable(VariableId(number as u32)).clone());
    }
    for (number, array) in lts.arrays.iter().enumerate() {
        let held = state.held(ArrayId(number as u32));
        values.arrays.insert(pool.symbol(&array.name), ArrayValue { elements: held.elements, default: held.default });
    }
    values.integers = integers;
    values
}
