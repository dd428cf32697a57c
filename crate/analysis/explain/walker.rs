//! A path prefix being walked under any Γ: the symbolic state, the constraints, and what the edges read and write.
//!
//! Unlike [`crate::search::Walk`] a walker goes along an edge that Γ refutes too, so that the path that cannot run is there to
//! be explained; [`Walker::back`] takes it back.

use super::consistency::{Consistency, Verdict};
use super::dependencies::Resources;
use super::family::{Program, Trail};
use super::minimal::Models;
use crate::logic::{Assignment, FormulaId, Pool};
use crate::lts::EdgeId;
use crate::solver::Reason;
use crate::solver::meter::Exhausted;
use crate::states::Ask;
use crate::symex::{State, Undo};
use std::rc::Rc;

/// What a step found.
#[derive(Clone, Debug)]
pub enum Step {
    /// Γ does not refute the longer prefix.
    Passed,
    /// Γ refutes it; the positions of constraints that suffice, if Γ says so.
    Refuted(Option<Vec<usize>>),
    /// Γ should have known and does not.
    Open(Reason),
}

/// A path prefix.
pub struct Walker<'p, 'a> {
    pub program: &'p Program<'a>,
    pub pool: Pool,
    pub resources: Resources,
    pub trail: Trail,
    /// The conditions that are not always true, in path order.
    pub constraints: Vec<FormulaId>,
    /// For each constraint its position on the path.
    pub owners: Vec<usize>,
    /// Values that explanations came across: whatever these satisfy need not be asked.
    pub satisfied: Models,
    gamma: Box<dyn Consistency>,
    /// Whether reads and writes are taken down.
    follows: bool,
    state: State,
    undo: Vec<Undo>,
    /// For each prefix values that satisfy its constraints, where they are known.
    models: Vec<Option<Rc<Assignment>>>,
}

impl<'p, 'a> Walker<'p, 'a> {
    /// The empty prefix. Reads and writes are taken down if `follows`.
    pub fn new(program: &'p Program<'a>, resources: &Resources, gamma: Box<dyn Consistency>, follows: bool) -> Walker<'p, 'a> {
        let mut pool = Pool::new();
        let state = State::initial(program.lts, &mut pool);
        Walker {
            program,
            pool,
            resources: resources.clone(),
            trail: Trail::default(),
            constraints: Vec::new(),
            owners: Vec::new(),
            satisfied: Models::default(),
            gamma,
            follows,
            state,
            undo: Vec::new(),
            models: vec![Some(Rc::default())],
        }
    }

    pub fn len(&self) -> usize {
        self.trail.edges.len()
    }

    pub fn is_empty(&self) -> bool {
        self.trail.edges.is_empty()
    }

    /// The state at the end.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Values under which the path is taken, where they are known.
    pub fn model(&self) -> Option<&Rc<Assignment>> {
        self.models.last().and_then(Option::as_ref)
    }

    /// Goes along an edge, whatever Γ says of it.
    ///
    /// # Errors
    /// When the steps of the run are used up; the walker went along the edge all the same.
    pub fn step(&mut self, edge: EdgeId, ask: &mut Ask) -> Result<Step, Exhausted> {
        let condition = self.enter(edge);
        let known = self.models.last().cloned().flatten();
        self.models.push(None);
        let model = self.models.len() - 1;
        if condition == Pool::TRUE {
            self.models[model] = known;
            return Ok(Step::Passed);
        }
        if condition == Pool::FALSE {
            return Ok(Step::Refuted(Some(vec![self.constraints.len() - 1])));
        }
        if let Some(values) = known
            && values.formula(&self.pool, condition) == Some(true)
        {
            self.models[model] = Some(values);
            return Ok(Step::Passed);
        }
        Ok(match self.gamma.decide(&mut self.pool, &self.constraints, ask)? {
            Verdict::Consistent(values) => {
                self.models[model] = Some(values);
                Step::Passed
            }
            Verdict::Inconsistent(refutation) => Step::Refuted(refutation.map(|refutation| refutation.core)),
            Verdict::Inconclusive(None) => Step::Passed,
            Verdict::Inconclusive(Some(reason)) => Step::Open(reason),
        })
    }

    /// Executes an edge and takes its condition down.
    fn enter(&mut self, edge: EdgeId) -> FormulaId {
        let lts = self.program.lts;
        if self.follows {
            let access = self.program.effects.access(lts, &mut self.resources, &mut self.pool, &self.state, edge);
            self.trail.accesses.push(access);
            self.trail.nondet.push(self.state.nondet_count());
        }
        let (condition, undo) = self.state.apply(lts, &mut self.pool, edge);
        if condition != Pool::TRUE {
            self.constraints.push(condition);
            self.owners.push(self.trail.edges.len());
        }
        self.trail.edges.push(edge);
        self.undo.push(undo);
        condition
    }

    /// Goes along edges without asking Γ.
    pub fn follow(&mut self, edges: &[EdgeId]) {
        for &edge in edges {
            self.enter(edge);
            self.models.push(None);
        }
    }

    /// Takes the last edge back.
    pub fn back(&mut self) {
        let Some(undo) = self.undo.pop() else { return };
        self.state.undo(undo);
        self.trail.edges.pop();
        self.models.pop();
        if self.follows {
            self.trail.accesses.pop();
            self.trail.nondet.pop();
        }
        if self.owners.last() == Some(&self.trail.edges.len()) {
            self.owners.pop();
            self.constraints.pop();
        }
    }
}
