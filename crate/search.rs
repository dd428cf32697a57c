//! Walking along paths with an incremental solver: which edges can still be taken from here?
//!
//! A [`PathPrefix`] is a path prefix together with its symbolic state, its conditions in the solver, and an assignment that
//! satisfies them. [`PathPrefix::step`] extends it by one edge and says whether any input is left; a step whose condition the
//! known assignment satisfies already asks the solver nothing. [`complete_paths`] is the depth-first order over all
//! complete paths up to a length; it never enters an edge from which the exit is too far.
//!
//! # Example
//!
//! ```
//! use culdesac::evidence::path::check_refutation;
//! use culdesac::interp::Machine;
//! use culdesac::search::{PathPrefix, SearchStep};
//! use culdesac::solver::meter::Meter;
//! use culdesac::solver::questions::NoLog;
//!
//! let source = "int f(int x) { if (x > 3) x = x + 1; if (x == 4) return 1; return 0; }";
//! let program = culdesac::lang::parse(source).program.expect("no error");
//! let lts = culdesac::lts::lower::lower(&program, None).expect("no error").lts;
//! let (machine, mut meter) = (Machine::new(&lts), Meter::new(100_000));
//! let mut walk = PathPrefix::new(&lts);
//! let mut at = lts.entry;
//! // Along the first side of each decision, until no input is left.
//! let refutation = loop {
//!     let (edge, to) = lts.outgoing(at)[0];
//!     match walk.step(edge, &mut meter, &NoLog) {
//!         SearchStep::Feasible => at = to,
//!         SearchStep::Infeasible(refutation) => break refutation,
//!         SearchStep::Open(reason) => panic!("{reason}"),
//!     }
//! };
//! // The prefix has an input, replayed; one edge more is refuted, and the refutation holds against conditions derived anew.
//! assert!(matches!(walk.witness(&machine), Ok(Ok(_))));
//! let mut path = walk.path();
//! path.push(lts.outgoing(at)[0].0);
//! assert_eq!(path.len(), 3);
//! assert_eq!(check_refutation(&lts, &mut walk.pool().clone(), &path, &refutation.core, &refutation.certificate), Ok(()));
//! ```

use crate::interp::{Input, Machine, ReplayMismatch};
use crate::logic::{Assignment, FormulaId, Linear, Pool};
use crate::lts::inputs::{Inputs, inputs};
use crate::lts::{EdgeId, InputSource, LocationId, Lts};
use crate::solver::adviser::Builtin;
use crate::solver::meter::{Exhausted, Meter};
use crate::solver::optimise::smallest_witness;
use crate::solver::questions::QueryLog;
use crate::solver::{Answer, Context, QUERY_LIMIT, Reason, Refutation, check};
use crate::symex::{self, Along, Passage, State};
use std::rc::Rc;

mod settle;

pub use settle::{no_text, settle, settle_text};

/// What a step found.
#[derive(Clone, Debug)]
pub enum SearchStep {
    /// The longer prefix is feasible; the walk went there.
    Feasible,
    /// No input is left, and the checker accepted why; the walk stays where it was. The refutation's core are indices of
    /// edges of the longer prefix; it may use besides that values lie in the ranges of their types ([`symex::Undo::facts`]).
    Infeasible(Refutation),
    /// Open; the walk went there all the same.
    Open(Reason),
}

struct SearchFrame {
    edge: EdgeId,
    passage: Passage,
    /// Whether the edge has a condition, and so a scope in the solver.
    conditional: bool,
    /// Satisfies all conditions up to here, or why that is open.
    model: Result<Rc<Assignment>, Reason>,
}

/// A path prefix that is not known to be infeasible.
pub struct PathPrefix<'a> {
    lts: &'a Lts,
    inputs: Inputs,
    context: Context,
    along: Along,
    frames: Vec<SearchFrame>,
    /// For each assertion after the precondition the index of its edge on the path; none for what is so on every path.
    owners: Vec<Option<usize>>,
    /// How many assertions the precondition is: none or one.
    assumed: usize,
    /// Satisfies the empty prefix, or why that is open.
    anything: Result<Rc<Assignment>, Reason>,
}

impl<'a> PathPrefix<'a> {
    /// The empty prefix.
    pub fn new(lts: &'a Lts) -> PathPrefix<'a> {
        PathPrefix::over(lts, Pool::new())
    }

    /// The empty prefix, with formulas of the caller's pool; [`PathPrefix::into_pool`] gives it back.
    pub fn over(lts: &'a Lts, pool: Pool) -> PathPrefix<'a> {
        let mut context = Context::new();
        context.pool = pool;
        let along = Along::simplifying(lts, &mut context.pool);
        let precondition = symex::precondition(lts, &mut context.pool);
        let mut anything = Ok(Rc::default());
        if precondition != Pool::TRUE {
            context.assert(precondition);
            anything = match context.check(&mut Meter::new(QUERY_LIMIT)) {
                Answer::Sat(model) => Ok(model),
                Answer::Unknown(reason) => Err(reason),
                // The walk claims nothing here; it will refute every step.
                Answer::Unsat(_) => Err(Reason::Steps),
            };
        }
        let assumed = context.assertions().len();
        PathPrefix { lts, inputs: inputs(lts), context, along, frames: Vec::new(), owners: Vec::new(), assumed, anything }
    }

    /// The edges so far.
    pub fn path(&self) -> Vec<EdgeId> {
        self.frames.iter().map(|frame| frame.edge).collect()
    }

    /// The number of edges so far.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether the path has no edge yet.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The terms of the walk's formulas.
    pub fn pool(&self) -> &Pool {
        &self.context.pool
    }

    /// The terms of the walk's formulas, for building more.
    pub fn pool_mut(&mut self) -> &mut Pool {
        &mut self.context.pool
    }

    /// Ends the walk.
    pub fn into_pool(self) -> Pool {
        self.context.pool
    }

    /// Whether the path's conditions can hold together with another formula. The walk goes on with the model of both, where there is one.
    pub fn ask(&mut self, also: FormulaId, meter: &mut Meter, log: &dyn QueryLog) -> Answer {
        if let Ok(model) = self.model()
            && model.formula(&self.context.pool, also) == Some(true)
        {
            return Answer::Sat(model);
        }
        let answer = self.context.check_logged(&[also], meter, log);
        if let Answer::Sat(model) = &answer {
            self.adopt(model.clone());
        }
        answer
    }

    /// Goes on with this model, of the path's conditions.
    pub fn adopt(&mut self, model: Rc<Assignment>) {
        match self.frames.last_mut() {
            Some(frame) => frame.model = Ok(model),
            None => self.anything = Ok(model),
        }
    }

    /// A formula over the program's variables, for the values that these have at the path's end; `identity` is the state in which each stands
    /// for itself. `None` where a divisor becomes 0.
    pub fn here(&mut self, identity: &State, formula: FormulaId) -> Option<FormulaId> {
        self.along.state().substitution(self.lts, identity).formula(&mut self.context.pool, formula)
    }

    /// The input that a model of the path's conditions and another formula gives; it is not yet replayed.
    pub fn input(&mut self, model: &Assignment, also: FormulaId) -> Input {
        let conditions: Vec<FormulaId> = self.context.assertions().iter().copied().chain([also]).collect();
        self.along.state().input(self.lts, &self.inputs, &mut self.context.pool, model, &conditions)
    }

    /// As [`PathPrefix::input`]; where no text on standard input gives the model's values, that of another model, as far as there is one.
    pub fn told_input(&mut self, machine: &Machine, model: &Assignment, also: FormulaId, meter: &mut Meter) -> Input {
        let mut input = self.input(model, also);
        let path = self.path();
        let why = if machine.reads_stdin() { machine.replay(&input, &path).err().and_then(no_text) } else { None };
        if let Some(why) = why {
            self.context.push();
            self.context.assert(also);
            let conditions = self.context.assertions().to_vec();
            let PathPrefix { lts, inputs, context, along, .. } = self;
            settle_text(context, model, why, meter, &mut nth_draw, &mut |context, model| {
                let other = along.state().input(lts, inputs, &mut context.pool, model, &conditions);
                machine.replay(&other, &path).map(|()| input = other)
            });
            self.context.pop();
        }
        input
    }

    /// An assignment that satisfies all conditions up to here, or why that is open.
    ///
    /// # Errors
    /// Why it is open whether there is one.
    pub fn model(&self) -> Result<Rc<Assignment>, Reason> {
        self.frames.last().map_or_else(|| self.anything.clone(), |frame| frame.model.clone())
    }

    /// Extends the path by an edge that leaves its end.
    pub fn step(&mut self, edge: EdgeId, meter: &mut Meter, log: &dyn QueryLog) -> SearchStep {
        let passage = self.along.apply(self.lts, &mut self.context.pool, edge);
        let pool = &mut self.context.pool;
        let said = [(passage.facts(pool), None), (passage.condition(pool), Some(self.frames.len()))];
        let conditional = said.iter().any(|(formula, _)| *formula != Pool::TRUE);
        let mut model = self.model();
        if conditional {
            self.context.push();
            for (formula, owner) in said.into_iter().filter(|(formula, _)| *formula != Pool::TRUE) {
                self.context.assert(formula);
                self.owners.push(owner);
            }
            let pool = &self.context.pool;
            let satisfied = model.as_ref().is_ok_and(|model| said.iter().all(|(formula, _)| model.formula(pool, *formula) == Some(true)));
            if !satisfied {
                let answer = self.context.check(meter);
                log.query(&self.context, &answer);
                model = match answer {
                    Answer::Sat(found) => Ok(found),
                    Answer::Unknown(reason) => Err(reason),
                    Answer::Unsat(refutation) if self.is_believed(&refutation) => {
                        let positions = refutation.core.iter().filter_map(|&position| position.checked_sub(self.assumed));
                        let core = positions.filter_map(|position| self.owners[position]).collect();
                        self.pop();
                        self.along.undo(passage);
                        return SearchStep::Infeasible(Refutation { core, ..refutation });
                    }
                    Answer::Unsat(_) => Err(Reason::Rejected),
                };
            }
        }
        let step = model.as_ref().map_or_else(|&reason| SearchStep::Open(reason), |_| SearchStep::Feasible);
        self.frames.push(SearchFrame { edge, passage, conditional, model });
        step
    }

    /// Drops what the last edge with a condition has asserted.
    fn pop(&mut self) {
        self.context.pop();
        self.owners.truncate(self.context.assertions().len() - self.assumed);
    }

    /// Whether the checker accepts the refutation of the assertions in its core.
    fn is_believed(&self, refutation: &Refutation) -> bool {
        let core: Vec<FormulaId> = refutation.core.iter().map(|&position| self.context.assertions()[position]).collect();
        let verdict = check::check(&self.context.pool, &core, &refutation.certificate);
        debug_assert!(verdict.is_ok(), "{verdict:?}");
        verdict.is_ok()
    }

    /// Takes the last edge back.
    pub fn back(&mut self) {
        if let Some(frame) = self.frames.pop() {
            if frame.conditional {
                self.pop();
            }
            self.along.undo(frame.passage);
        }
    }

    /// An input that takes the path, replayed by the interpreter, or why its feasibility is open.
    ///
    /// # Errors
    /// Where the replay leaves the path: then symbolic execution and interpreter disagree, and nothing may be claimed.
    pub fn witness(&mut self, machine: &Machine) -> Result<Result<Input, Reason>, ReplayMismatch> {
        let model = match self.model() {
            Ok(model) => model,
            Err(reason) => return Ok(Err(reason)),
        };
        self.replayed(machine, &model, &model, &mut Meter::new(QUERY_LIMIT))
    }

    /// The smallest input that takes the path, as far as a bounded number of steps finds it; the rest as [`PathPrefix::witness`].
    ///
    /// # Errors
    /// As [`PathPrefix::witness`].
    pub fn smallest_witness(&mut self, machine: &Machine, meter: &mut Meter) -> Result<Result<Input, Reason>, ReplayMismatch> {
        let model = match self.model() {
            Ok(model) => model,
            Err(reason) => return Ok(Err(reason)),
        };
        let conditions: Vec<FormulaId> = self.context.assertions().to_vec();
        let inputs = self.along.state().input_terms(self.lts, &self.inputs, &mut self.context.pool, &conditions);
        let smallest = smallest_witness(&mut self.context, &inputs, Assignment::clone(&model), &mut Builtin::default(), meter);
        self.replayed(machine, &smallest.model, &model, meter)
    }

    /// The input that the preferred model gives, or else the other one, replayed.
    fn replayed(
        &mut self,
        machine: &Machine,
        preferred: &Assignment,
        other: &Assignment,
        meter: &mut Meter,
    ) -> Result<Result<Input, Reason>, ReplayMismatch> {
        let (path, conditions) = (self.path(), self.context.assertions().to_vec());
        let PathPrefix { lts, inputs, context, along, .. } = self;
        let state = along.state();
        let input = state.input(lts, inputs, &mut context.pool, preferred, &conditions);
        let Err(mismatch) = machine.replay(&input, &path) else { return Ok(Ok(input)) };
        if mismatch.is_approximated() {
            return Ok(Err(approximation_reason(lts)));
        }
        let mut found = None;
        if let Some(why) = no_text(mismatch.clone()) {
            settle_text(context, preferred, why, meter, &mut nth_draw, &mut |context, model| {
                let input = state.input(lts, inputs, &mut context.pool, model, &conditions);
                machine.replay(&input, &path).map(|()| found = Some(input))
            });
            return Ok(found.ok_or(Reason::Text));
        }
        let settled = settle(context, other, meter, &mut |context, model| {
            let input = state.input(lts, inputs, &mut context.pool, model, &conditions);
            let goes = machine.replay(&input, &path).is_ok();
            found = goes.then_some(input);
            goes
        });
        match (settled, found) {
            (None, _) => Err(mismatch),
            (_, found) => Ok(found.ok_or(Reason::Bits)),
        }
    }
}

/// Why a question stays open whose answer leads through what is approximated, through computed floating-point numbers, or through what only
/// another sort does.
pub fn approximation_reason(lts: &Lts) -> Reason {
    if lts.draws_from(&|source| matches!(source, InputSource::Approximated)) {
        Reason::Approximated
    } else if lts.draws_from(&|source| matches!(source, InputSource::Deeper)) {
        Reason::Deeper
    } else if lts.draws_from(&|source| matches!(source, InputSource::Computed(_))) {
        Reason::Computed
    } else {
        Reason::Pair
    }
}

/// The value that is drawn with this number along a path.
pub fn nth_draw(context: &mut Context, number: usize) -> Option<Linear> {
    Some(context.pool.integer(&symex::nondet_name(u32::try_from(number).ok()?)))
}

/// What happens along the depth-first walk.
pub trait PathVisitor {
    /// Hears of each step, with the edge tried; gives whether to go on along it. The walk never goes on along an infeasible edge.
    fn stepped(&mut self, walk: &mut PathPrefix, edge: EdgeId, step: &SearchStep) -> bool;
    /// A complete path, feasible or open.
    fn complete(&mut self, walk: &mut PathPrefix);
    /// Observes every query.
    fn log(&self) -> &dyn QueryLog;
}

/// Visits all complete paths of length at most `length` that are not known to be infeasible, depth first, edges in
/// their order.
///
/// # Errors
/// When the steps are used up; what was visited until then stands.
pub fn complete_paths(
    lts: &Lts,
    distance: &[Option<u32>],
    length: u32,
    meter: &mut Meter,
    visitor: &mut dyn PathVisitor,
) -> Result<(), Exhausted> {
    let reachable =
        |at: LocationId, used: usize| distance[at.index()].is_some_and(|rest| used as u64 + u64::from(rest) <= u64::from(length));
    if !reachable(lts.entry, 0) {
        return Ok(());
    }
    let outgoing: Vec<Vec<(EdgeId, LocationId)>> = lts.graph.node_indices().map(|location| lts.outgoing(location)).collect();
    let mut walk = PathPrefix::new(lts);
    // For each location on the path the edges still to try.
    let mut open: Vec<(LocationId, usize)> = vec![(lts.entry, 0)];
    while let Some((at, next)) = open.last_mut() {
        let used = walk.len();
        if *at == lts.exit && *next == 0 {
            visitor.complete(&mut walk);
        }
        match outgoing[at.index()].get(*next) {
            Some(&(edge, to)) => {
                *next += 1;
                if !reachable(to, used + 1) {
                    continue;
                }
                meter.spend(1)?;
                let step = walk.step(edge, meter, visitor.log());
                let went = !matches!(step, SearchStep::Infeasible(_));
                let on = visitor.stepped(&mut walk, edge, &step);
                // An answer cut short by the limit of the run is not an answer.
                if meter.is_exhausted() {
                    meter.spend(0)?;
                }
                if went && on {
                    open.push((to, 0));
                } else if went {
                    walk.back();
                }
            }
            None => {
                open.pop();
                walk.back();
            }
        }
    }
    Ok(())
}
