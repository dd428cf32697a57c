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

mod backward;
mod deep;
mod forward;
pub mod observer;
mod proof;
mod satisfied;

use super::model::{Gap, Model};
use super::order::FrontierOrder;
use super::path_replay::ModelWalk;
use super::runs::{EdgeKnowledge, KeptRun, LONG_RUN, LONG_RUNS, RUN};
use super::type_ranges::TypeRanges;
use crate::evidence::determined::DeterminedRun;
use crate::interp::{Input, Machine, Outcome, Run};
use crate::invariants::Proved;
use crate::logic::{Arrange, FormulaId, Pool, SortedSet, SymbolId};
use crate::lts::{EdgeId, LocationId, Lts};
use crate::run::assumption_tracking::Needs;
use crate::run::determined::SettledRun;
use crate::run::plain_numbers::{has_far_elements, plain_numbers};
use crate::run::trace::{Event, Trace};
use crate::solver::meter::{Exhausted, Meter, RUN_STEPS};
use crate::symex::State;
use deep::Deep;
use observer::{ModelChange, RunOrigin, SearchObserver};
use satisfied::Satisfied;

/// Paths to a location that are diverted for one frontier edge.
const TRIED: usize = 8;
/// A condition of so many parts is large: its preimage is not computed.
const LARGE: usize = 3_000;
/// Wanted states at a location that a precondition is compared with: the first ones and the last ones.
const OTHERS: usize = 60;
/// Steps for a projection.
const PROJECTION: u64 = 20_000;

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

/// The symbols of the program's variables and arrays: preimages are formulas over them alone.
struct Vocabulary {
    /// The state in which each variable and array has the symbol of its name as its value.
    identity: State,
    symbols: SortedSet<SymbolId>,
}

impl Vocabulary {
    fn of(lts: &Lts, pool: &mut Pool) -> Vocabulary {
        let identity = State::of_symbols(lts, pool, str::to_owned);
        let names = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
        Vocabulary { identity, symbols: names.map(|name| pool.symbol(name)).collect() }
    }
}

/// The analysis.
pub struct Bidirectional<'a, 't, 'r> {
    pub lts: &'a Lts,
    pub machine: &'a Machine<'a>,
    pub model: Model<'a>,
    pub tests: Vec<KeptRun>,
    /// For each edge.
    pub edges: Vec<EdgeKnowledge>,
    /// What holds at each location.
    invariants: Vec<Vec<FormulaId>>,
    along: ModelWalk<'a>,
    vocabulary: Vocabulary,
    pub types: TypeRanges,
    order: &'t mut dyn FrontierOrder,
    trace: &'t Trace<'r>,
    observer: &'t dyn SearchObserver,
    /// So many steps were made.
    pub iterations: u64,
    /// What the claims rest on that no execution takes these edges.
    pub needs: Vec<(Vec<EdgeId>, Needs)>,
    /// What graphs exclude that get to a call that lowering did not inline.
    pub deep: Deep,
}

impl<'a, 't, 'r> Bidirectional<'a, 't, 'r> {
    /// Begins with no run.
    pub fn new(
        lts: &'a Lts,
        machine: &'a Machine<'a>,
        order: &'t mut dyn FrontierOrder,
        trace: &'t Trace<'r>,
        observer: &'t dyn SearchObserver,
    ) -> Bidirectional<'a, 't, 'r> {
        let mut along = ModelWalk::new(lts);
        let vocabulary = Vocabulary::of(lts, along.walk.pool_mut());
        let types = TypeRanges::of(lts, along.walk.pool_mut());
        Bidirectional {
            lts,
            machine,
            model: Model::new(lts),
            tests: Vec::new(),
            edges: vec![EdgeKnowledge::Nothing; lts.graph.edge_count()],
            invariants: vec![Vec::new(); lts.graph.node_count()],
            along,
            vocabulary,
            types,
            order,
            trace,
            observer,
            iterations: 0,
            needs: Vec::new(),
            deep: Deep::default(),
        }
    }

    /// Tells the observer a change of the model.
    pub fn tell(&self, change: &ModelChange) {
        self.observer.changed(self, change);
    }

    /// Tells the observer that more is known of the branches.
    pub fn tell_settled(&self) {
        self.observer.settled(self);
    }

    /// The terms of what is wanted.
    pub fn pool(&self) -> &Pool {
        self.along.walk.pool()
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
            let Gap { edge, to, .. } = self.model.gaps[gap];
            self.run(&input, RunOrigin::Diverted { edge, to }, meter)?;
            self.order.offer(&self.model, gap);
            return Ok(Some(Did::Forward));
        }
        // 2.
        if !self.refine(gap, meter)? {
            self.order.offer(&self.model, gap);
            return Ok(Some(Did::Backward));
        }
        // 3.
        let target = self.model.target_states[self.model.gaps[gap].to].target;
        Ok(Some(if self.prove(target, meter)? { Did::Proved } else { Did::Gone }))
    }

    /// Runs an input; the run joins the model, and what it takes and satisfies leaves it. Gives whether it takes an edge that none took.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn run(&mut self, input: &Input, origin: RunOrigin, meter: &mut Meter) -> Result<bool, Exhausted> {
        let drawn = if self.machine.reads_stdin() { self.machine.drawn_run(input, RUN) } else { None };
        let input = match &drawn {
            Some((drawn, _)) => drawn,
            None if self.machine.reads_stdin() => return Ok(false),
            None => input,
        };
        let plain = self.plain(input, meter);
        let input = plain.as_ref().unwrap_or(input);
        let steps = self.steps(input, meter)?;
        let mut watch =
            Satisfied { lts: self.lts, model: &self.model, pool: self.along.walk.pool_mut(), path: Vec::new(), satisfied: Vec::new() };
        let run = self.machine.watch(input, steps, &mut watch);
        let Satisfied { path, satisfied, .. } = watch;
        meter.spend(path.len() as u64 / RUN_STEPS)?;
        let number = self.tests.len();
        let is_new = |edge: &&EdgeId| !matches!(self.edges[edge.index()], EdgeKnowledge::Taken(_));
        let new: SortedSet<EdgeId> = path.iter().filter(is_new).copied().collect();
        let contradicted: Vec<EdgeId> = new.iter().copied().filter(|edge| self.edges[edge.index()] == EdgeKnowledge::Excluded).collect();
        if !contradicted.is_empty() {
            self.trace.emit(Event::Contradicted { edges: &contradicted });
        }
        for &edge in &new {
            self.edges[edge.index()] = EdgeKnowledge::Taken(number);
        }
        // Inv3: what a run satisfies is not wanted any more, or says too little.
        for state in satisfied {
            self.model.target_states[state].is_touched |= !new.contains(&self.model.target_states[state].target);
        }
        let states = self.model.add_run(number, &path);
        self.tell(&ModelChange::Run { run: number, origin, path: &path });
        self.tests.push(KeptRun { input: input.clone(), path, outcome: run.outcome, after: Vec::new(), only: None });
        let deeper = if self.tests[number].outcome == Outcome::Cut { self.go_deeper(number, meter)? } else { Vec::new() };
        // Algorithm 3.
        for &edge in new.iter().chain(&deeper) {
            self.settled(edge);
        }
        self.tell(&ModelChange::Coarsened);
        for state in states {
            let location = self.model.reached[state].location;
            if self.model.reached[state].run == number || number == 0 {
                self.reached(location);
            }
        }
        self.tell(&ModelChange::Targets);
        debug_assert_eq!(self.model.broken(|edge| self.edges[edge.index()] != EdgeKnowledge::Nothing), None);
        Ok(!new.is_empty())
    }

    /// Takes a kept run on through calls that go deeper than the copies of their function: what it takes there leaves the model, which knows no
    /// such calls. Gives the edges that no run took.
    ///
    /// # Errors
    /// When the steps are used up.
    fn go_deeper(&mut self, number: usize, meter: &mut Meter) -> Result<Vec<EdgeId>, Exhausted> {
        let Run { edges: path, outcome, .. } = Machine::deep(self.lts).run(&self.tests[number].input, LONG_RUN);
        meter.spend(path.len() as u64 / RUN_STEPS)?;
        let new: SortedSet<EdgeId> =
            path.iter().copied().filter(|edge| !matches!(self.edges[edge.index()], EdgeKnowledge::Taken(_))).collect();
        for &edge in &new {
            self.edges[edge.index()] = EdgeKnowledge::Taken(number);
        }
        let kept = &mut self.tests[number];
        (kept.path, kept.outcome) = (path, outcome);
        Ok(new.into_iter().collect())
    }

    /// How many steps of the run on an input count: more than the usual ones where an edge that no run took comes later.
    fn steps(&self, input: &Input, meter: &mut Meter) -> Result<u64, Exhausted> {
        if self.tests.len() >= LONG_RUNS || self.machine.run(input, RUN).outcome != Outcome::Steps {
            return Ok(RUN);
        }
        let path = self.machine.run(input, LONG_RUN).edges;
        meter.spend(path.len() as u64 / RUN_STEPS)?;
        let (mut seen, mut needed) = (SortedSet::new(), 0);
        for (edge, steps) in path.iter().zip(1..) {
            if self.edges[edge.index()] == EdgeKnowledge::Nothing && seen.insert(*edge) {
                needed = steps;
            }
        }
        Ok(match needed {
            0..=RUN => RUN,
            // Up to the end of a run that comes to one.
            _ if (path.len() as u64) < LONG_RUN => LONG_RUN,
            _ => needed,
        })
    }

    /// The input with plain floating-point numbers and nodes, where it has any.
    fn plain(&self, input: &Input, meter: &mut Meter) -> Option<Input> {
        let is_needed = self.lts.has_numbers() || !self.lts.value_names.structures.is_empty() || has_far_elements(input);
        is_needed.then(|| plain_numbers(self.lts, self.machine, input.clone(), &self.machine.run(input, RUN).edges, meter))
    }

    /// Settles every edge by the only execution; the trace has the claims.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn settle(&mut self, only: &SettledRun, meter: &mut Meter) -> Result<(), Exhausted> {
        self.run(&only.input, RunOrigin::Zeros, meter)?;
        let number = self.tests.len() - 1;
        let DeterminedRun { run, later, .. } = &only.run;
        let kept = &mut self.tests[number];
        (kept.path, kept.outcome, kept.only) = (run.edges.clone(), run.outcome.clone(), Some(later.clone()));
        for edge in only.run.edges(true) {
            if self.edges[edge.index()] == EdgeKnowledge::Nothing {
                self.edges[edge.index()] = EdgeKnowledge::Taken(number);
                self.settled(edge);
            }
        }
        self.exclude(&only.run.edges(false), only.needs);
        Ok(())
    }

    /// Removes a target.
    fn settled(&mut self, target: EdgeId) {
        for gap in self.model.coarsen(target) {
            self.order.offer(&self.model, gap);
        }
    }

    /// A run has got to the location: the gaps after it are frontier edges, and untaken edges are targets.
    fn reached(&mut self, location: LocationId) {
        for (edge, _) in self.lts.outgoing(location) {
            if self.edges[edge.index()] == EdgeKnowledge::Nothing && !self.model.targets.contains_key(&edge) {
                let gap = self.model.add_target(edge);
                self.order.offer(&self.model, gap);
            }
        }
        for &gap in &self.model.gaps_from[location.index()] {
            self.order.offer(&self.model, gap);
        }
    }

    /// Takes over a prover's invariants; gives how many edges are newly excluded.
    pub fn learn(&mut self, proved: &Proved) -> usize {
        for (location, formulas) in proved.at_locations(self.along.walk.pool_mut(), self.lts) {
            add(&mut self.invariants[location.index()], &formulas);
        }
        self.excluded(proved)
    }

    /// Tells the trace which edges are newly excluded, and settles them. A graph that gets to a call that lowering did not inline excludes
    /// them as far as it goes: they leave the search, and the claim waits ([`Bidirectional::close`]).
    fn excluded(&mut self, proved: &Proved) -> usize {
        let excluded = proved.excluded(self.lts).into_iter();
        let new: Vec<EdgeId> = excluded.filter(|edge| self.edges[edge.index()] == EdgeKnowledge::Nothing).collect();
        if new.is_empty() {
            return 0;
        }
        let is_deep = proved.gets_to_cut(self.lts);
        self.deep.keep(self.lts, proved, if is_deep { &new } else { &[] });
        if is_deep {
            self.exclude(&new, Needs::default());
            return new.len();
        }
        self.trace.needs();
        if proved.emit("branches", (&new, true), self.trace).is_err() {
            return 0;
        }
        let needs = self.trace.needs();
        self.exclude(&new, needs);
        new.len()
    }

    /// Settles edges that no execution takes; the trace has the claims, which rest on this.
    pub fn exclude(&mut self, edges: &[EdgeId], needs: Needs) {
        let new: Vec<EdgeId> = edges.iter().copied().filter(|edge| self.edges[edge.index()] == EdgeKnowledge::Nothing).collect();
        for &edge in &new {
            self.edges[edge.index()] = EdgeKnowledge::Excluded;
            self.settled(edge);
        }
        if !new.is_empty() {
            self.tell(&ModelChange::Excluded { edges: &new });
            self.needs.push((new, needs));
        }
    }

    /// Edges of which nothing is known.
    pub fn unknown(&self) -> Vec<EdgeId> {
        let is_unknown = |edge: &EdgeId| self.edges[edge.index()] == EdgeKnowledge::Nothing && !self.lts.graph[*edge].library;
        self.lts.graph.edge_indices().filter(is_unknown).collect()
    }
}

/// Adds formulas to a set.
fn add(facts: &mut Vec<FormulaId>, formulas: &[FormulaId]) {
    facts.extend(formulas);
    facts.arrange();
    facts.dedup();
}
