//! A walk along a path prefix under any Γ: the symbolic state, the constraints, and what the edges read and write.
//!
//! Unlike [`crate::search::PathPrefix`] a walker also goes along an edge that Γ refutes, so that there is a path that cannot run to
//! explain; [`Walker::back`] takes the edge back.
//!
//! Γ gets the prefix as a whole, so it need not hear again what earlier edges have said of ranges ([`Along`]). An explanation
//! picks out constraints, and each has to say all that it needs: the walker writes these down only where the caller asks for an
//! explanation.

use super::consistency::{Consistency, ConsistencyVerdict};
use super::dependencies::Resources;
use super::family::{ProgramFacts, Trail};
use super::minimal::CachedModels;
use crate::logic::{Assignment, FormulaId, Pool};
use crate::lts::EdgeId;
use crate::solver::Reason;
use crate::solver::meter::Exhausted;
use crate::states::Ask;
use crate::symex::{Along, Passage, State};
use std::rc::Rc;

/// What a step found.
#[derive(Clone, Debug)]
pub enum WalkerStep {
    /// Γ does not refute the longer prefix.
    Passed,
    /// Γ refutes it; the positions of constraints that suffice, if Γ says so.
    Refuted(Option<Vec<usize>>),
    /// Γ gave no answer, though it should have known.
    Open(Reason),
}

/// A path prefix.
pub struct Walker<'p, 'a> {
    pub program: &'p ProgramFacts<'a>,
    pub pool: Pool,
    pub resources: Resources,
    pub trail: Trail,
    /// The conditions that are not always true, in path order, as far as [`Walker::write_down`] has written them down.
    pub constraints: Vec<FormulaId>,
    /// For each constraint its position on the path.
    pub owners: Vec<usize>,
    /// Values that explanations came across: there is no need to ask about constraints that these satisfy.
    pub satisfied: CachedModels,
    /// How many edges' constraints are written down.
    written: usize,
    /// What the edges add to the path predicate, where that is something, and their positions.
    added: Vec<FormulaId>,
    adders: Vec<usize>,
    gamma: Box<dyn Consistency>,
    /// Whether the walker takes down reads and writes.
    follows: bool,
    along: Along,
    passages: Vec<Passage>,
    /// For each prefix values that satisfy its constraints, where they are known.
    models: Vec<Option<Rc<Assignment>>>,
}

impl<'p, 'a> Walker<'p, 'a> {
    /// The empty prefix. The walker takes down reads and writes if `follows`.
    pub fn new(program: &'p ProgramFacts<'a>, resources: &Resources, gamma: Box<dyn Consistency>, follows: bool) -> Walker<'p, 'a> {
        let mut pool = Pool::new();
        let along = Along::initial(program.lts, &mut pool);
        Walker {
            program,
            pool,
            resources: resources.clone(),
            trail: Trail::default(),
            constraints: Vec::new(),
            owners: Vec::new(),
            satisfied: CachedModels::default(),
            written: 0,
            added: Vec::new(),
            adders: Vec::new(),
            gamma,
            follows,
            along,
            passages: Vec::new(),
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
        self.along.state()
    }

    /// Values under which an execution takes the path, where they are known.
    pub fn model(&self) -> Option<&Rc<Assignment>> {
        self.models.last().and_then(Option::as_ref)
    }

    /// Goes along an edge, whatever Γ says of it.
    ///
    /// # Errors
    /// When the steps of the run are used up; the walker has gone along the edge all the same.
    pub fn step(&mut self, edge: EdgeId, ask: &mut Ask) -> Result<WalkerStep, Exhausted> {
        let condition = self.enter(edge);
        let model_before = self.models.last().cloned().flatten();
        self.models.push(None);
        let model = self.models.len() - 1;
        if condition == Pool::TRUE {
            self.models[model] = model_before;
            return Ok(WalkerStep::Passed);
        }
        if condition == Pool::FALSE {
            return Ok(WalkerStep::Refuted(Some(self.sufficient(&[self.added.len() - 1]))));
        }
        if let Some(values) = model_before
            && values.formula(&self.pool, condition) == Some(true)
        {
            self.models[model] = Some(values);
            return Ok(WalkerStep::Passed);
        }
        Ok(match self.gamma.decide(&mut self.pool, &self.added, ask)? {
            ConsistencyVerdict::Consistent(values) => {
                self.models[model] = Some(values);
                WalkerStep::Passed
            }
            ConsistencyVerdict::Inconsistent(refutation) => {
                self.write_down();
                WalkerStep::Refuted(refutation.map(|refutation| self.sufficient(&refutation.core)))
            }
            ConsistencyVerdict::Inconclusive(None) => WalkerStep::Passed,
            ConsistencyVerdict::Inconclusive(Some(reason)) => WalkerStep::Open(reason),
        })
    }

    /// The positions in [`Walker::constraints`] of what these positions of `added` say.
    fn sufficient(&mut self, added: &[usize]) -> Vec<usize> {
        self.write_down();
        added.iter().filter_map(|&at| self.owners.binary_search(&self.adders[at]).ok()).collect()
    }

    /// Executes an edge symbolically; gives what it adds to the path predicate.
    fn enter(&mut self, edge: EdgeId) -> FormulaId {
        let lts = self.program.lts;
        if self.follows {
            let state = self.along.state();
            let access = self.program.effects.access(lts, &mut self.resources, &mut self.pool, state, edge);
            self.trail.accesses.push(access);
            self.trail.nondet.push(state.nondet_count());
        }
        let passage = self.along.apply(lts, &mut self.pool, edge);
        let new = passage.added(&mut self.pool);
        if new != Pool::TRUE {
            self.added.push(new);
            self.adders.push(self.trail.edges.len());
        }
        self.trail.edges.push(edge);
        self.passages.push(passage);
        new
    }

    /// Writes down the constraints of the path.
    pub fn write_down(&mut self) {
        for (position, passage) in self.passages.iter().enumerate().skip(self.written) {
            let condition = passage.whole(&mut self.pool);
            if condition != Pool::TRUE {
                self.constraints.push(condition);
                self.owners.push(position);
            }
        }
        self.written = self.passages.len();
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
        let Some(passage) = self.passages.pop() else { return };
        self.along.undo(passage);
        self.trail.edges.pop();
        self.models.pop();
        if self.follows {
            self.trail.accesses.pop();
            self.trail.nondet.pop();
        }
        let length = self.trail.edges.len();
        if self.adders.last() == Some(&length) {
            self.adders.pop();
            self.added.pop();
        }
        self.written = self.written.min(length);
        if self.owners.last() == Some(&length) {
            self.owners.pop();
            self.constraints.pop();
        }
    }
}
