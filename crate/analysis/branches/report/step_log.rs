//! The step log: each change of the model, with the step that made it, for the listener.
//!
//! The log compares the model with the model at the last step that it told, so that the sum of the changes is the model: the locations that
//! runs have reached, the target states, and the frontier as [`Model::is_frontier`] has it. Without a listener nothing is compared.

use super::news::BranchesNews;
use super::pretty_print::text;
use super::step::{BranchesDid, BranchesGap, BranchesGone, BranchesOrigin, BranchesStep, BranchesWanted};
use crate::analysis::branches::method::bidirectional::Bidirectional;
use crate::analysis::branches::method::bidirectional::observer::{GoneReason, ModelChange, RunOrigin, SearchObserver};
use crate::analysis::branches::method::model::{Model, TargetStates};
use crate::analysis::branches::method::runs::EdgeKnowledge;
use crate::analysis::branches::method::type_ranges::TypeRanges;
use crate::evidence::numbers;
use crate::logic::{Pool, SortedSet};
use crate::lts::EdgeId;
use crate::run::trace::Trace;
use std::cell::RefCell;

/// So many steps are told.
const MOST: u32 = 2_000;

/// What was told of a model.
#[derive(Debug, Default)]
pub struct ModelNews {
    steps: u32,
    reached: SortedSet<u32>,
    taken: SortedSet<u32>,
    /// So many wanted states.
    target_states: usize,
    removed: SortedSet<u32>,
    touched: SortedSet<u32>,
    frontier: SortedSet<u32>,
}

/// Tells the trace each change of the model.
pub struct StepLog<'t, 'r> {
    trace: &'t Trace<'r>,
    told: RefCell<ModelNews>,
}

impl<'t, 'r> StepLog<'t, 'r> {
    pub fn new(trace: &'t Trace<'r>) -> StepLog<'t, 'r> {
        StepLog { trace, told: RefCell::default() }
    }

    /// How many steps the log has told.
    pub fn steps(&self) -> u32 {
        self.told.borrow().steps
    }
}

impl SearchObserver for StepLog<'_, '_> {
    fn changed(&self, analysis: &Bidirectional, change: &ModelChange) {
        if matches!(change, ModelChange::Coarsened | ModelChange::Targets) && !self.told.borrow().is_changed(&analysis.model) {
            return;
        }
        if self.steps() <= MOST {
            self.trace.step(&|| {
                let mut told = self.told.borrow_mut();
                told.steps += 1;
                if told.steps > MOST {
                    BranchesNews::BranchesMore
                } else {
                    BranchesNews::BranchesStep { step: told.step(analysis, did(analysis, change)) }
                }
            });
        }
    }
}

/// The change as data.
fn did(analysis: &Bidirectional, change: &ModelChange) -> BranchesDid {
    match *change {
        ModelChange::Run { run, origin, path } => {
            let edges: Vec<EdgeId> = path.iter().copied().collect::<SortedSet<EdgeId>>().into_iter().collect();
            BranchesDid::Run { run: run as u32, origin: origin.into(), edges: numbers(&edges) }
        }
        ModelChange::Coarsened => BranchesDid::Coarsened,
        ModelChange::Targets => BranchesDid::Targets,
        ModelChange::Backward { edge, to, state, exact } => {
            BranchesDid::Backward { edge: edge.index() as u32, to: to as u32, state: state as u32, exact }
        }
        ModelChange::Gone { gap: number, precondition, why } => {
            let BranchesGap { edge, to, .. } = gap(&analysis.model, number as u32);
            BranchesDid::Gone { edge, to, before: text(&analysis.types, analysis.pool(), precondition), why: gone(analysis, why) }
        }
        ModelChange::Proved { target, states: proved } => {
            BranchesDid::Proved { edge: target.index() as u32, states: proved.iter().map(|&state| state as u32).collect() }
        }
        ModelChange::Excluded { edges } => BranchesDid::Excluded { edges: numbers(edges) },
        ModelChange::Called { name, effort, inputs, proved } => {
            BranchesDid::Asked { who: name.to_owned(), effort, inputs: inputs as u32, shown: proved as u32 }
        }
    }
}

impl From<RunOrigin> for BranchesOrigin {
    fn from(origin: RunOrigin) -> BranchesOrigin {
        match origin {
            RunOrigin::Given => BranchesOrigin::Given,
            RunOrigin::Zeros => BranchesOrigin::Zeros,
            RunOrigin::Diverted { edge, to } => BranchesOrigin::Diverted { edge: edge.index() as u32, to: to as u32 },
            RunOrigin::Found => BranchesOrigin::Found,
        }
    }
}

/// Why a precondition is not wanted, as data.
fn gone(analysis: &Bidirectional, why: GoneReason) -> BranchesGone {
    let GoneReason::Excluded { by, facts } = why else { return BranchesGone::Large };
    let known = facts.iter().map(|&fact| text(&analysis.types, analysis.pool(), fact)).filter(|text| text != "true").collect();
    if by.is_empty() {
        return BranchesGone::Contradiction { known };
    }
    BranchesGone::Wanted { states: by.iter().map(|&state| state as u32).collect(), known }
}

/// Adds what is new of `now` to `known`, and gives it.
fn added(seen: &mut SortedSet<u32>, now: impl Iterator<Item = u32>) -> Vec<u32> {
    now.filter(|&one| seen.insert(one)).collect()
}

impl ModelNews {
    /// Whether target states have joined or left the model since the last step; after a first step only.
    fn is_changed(&self, model: &Model) -> bool {
        let removed = || model.target_states.iter().filter(|state| state.is_removed).count();
        self.steps > 0 && (self.target_states < model.target_states.len() || self.removed.len() < removed())
    }

    fn step(&mut self, analysis: &Bidirectional, did: BranchesDid) -> BranchesStep {
        let model = &analysis.model;
        let reached = model.lts.graph.node_indices().filter(|at| !model.reached_at[at.index()].is_empty());
        let is_taken = |edge: &EdgeId| matches!(analysis.edges[edge.index()], EdgeKnowledge::Taken(_));
        let states = |such: fn(&TargetStates) -> bool| {
            (0..).zip(&model.target_states).filter(move |(_, state)| such(state)).map(|(number, _)| number)
        };
        let first = self.target_states;
        self.target_states = model.target_states.len();
        let frontier: SortedSet<u32> = (0..model.gaps.len()).filter(|&gap| model.is_frontier(gap)).map(|gap| gap as u32).collect();
        let before = std::mem::replace(&mut self.frontier, frontier);
        BranchesStep {
            did,
            iteration: analysis.iterations as u32,
            reached: added(&mut self.reached, reached.map(|at| at.index() as u32)),
            taken: added(&mut self.taken, numbers(&model.lts.graph.edge_indices().filter(is_taken).collect::<Vec<_>>()).into_iter()),
            wanted: (first..self.target_states).map(|state| target_state(model, (analysis.pool(), &analysis.types), state)).collect(),
            removed: added(&mut self.removed, states(|state| state.is_removed)),
            touched: added(&mut self.touched, states(|state| state.is_touched && !state.is_removed)),
            joined: self.frontier.difference(&before).map(|&gap| self::gap(model, gap)).collect(),
            left: before.difference(&self.frontier).copied().collect(),
        }
    }
}

fn target_state(model: &Model, (pool, types): (&Pool, &TypeRanges), number: usize) -> BranchesWanted {
    let state = &model.target_states[number];
    BranchesWanted {
        state: number as u32,
        location: state.location.index() as u32,
        condition: text(types, pool, state.condition),
        target: state.target.index() as u32,
        way: state.way.map(|(edge, _)| edge.index() as u32),
        to: state.way.map(|(_, to)| to as u32),
    }
}

fn gap(model: &Model, gap: u32) -> BranchesGap {
    let there = &model.gaps[gap as usize];
    BranchesGap { gap, edge: there.edge.index() as u32, to: there.to as u32 }
}
