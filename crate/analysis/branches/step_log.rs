//! The step log: each step of the analysis, and the changes that it makes in the model, for the listener.
//!
//! The changes come from comparing the model with the last one that was told, so that their sum is the model: the locations that runs
//! have reached, the target states, and the frontier as [`Model::is_frontier`] has it. Without a listener nothing is compared.

use super::bidirectional::{Bidirectional, EdgeKnowledge};
use super::model::{Model, TargetStates};
use super::pretty_print::TypeRanges;
use super::progress::BranchesNews;
use crate::evidence::numbers;
use crate::logic::{FormulaId, Pool, SortedSet};
use crate::lts::EdgeId;
use serde::Serialize;

/// So many steps are told.
const MOST: u32 = 2_000;

/// A step of the analysis.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesStep {
    pub did: BranchesDid,
    /// Steps at the frontier so far, with this one.
    pub iteration: u32,
    /// The locations that a run has reached for the first time, and the edges that one has taken for the first time.
    pub reached: Vec<u32>,
    pub taken: Vec<u32>,
    /// What is wanted that was not, by rising number, and the numbers of what no longer is.
    pub wanted: Vec<BranchesWanted>,
    pub removed: Vec<u32>,
    /// The numbers of the wanted states whose condition says too little: a run satisfied it and went another way.
    pub touched: Vec<u32>,
    /// The gaps that are frontier edges now, and the numbers of those that no longer are.
    pub joined: Vec<BranchesGap>,
    pub left: Vec<u32>,
}

/// What was done.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum BranchesDid {
    /// A run joined the model. Runs are numbered from 0; `edges` are those of its path, each once.
    Run { run: u32, origin: BranchesOrigin, edges: Vec<u32> },
    /// Algorithm 3: what was wanted for edges that the last run takes is removed.
    Coarsened,
    /// Edges beside the last run's path are wanted.
    Targets,
    /// Algorithm 2: what is wanted behind an edge is wanted before it too; of a condition that is not exact there are states that do not
    /// lead on.
    Backward { edge: u32, to: u32, state: u32, exact: bool },
    /// Algorithm 2: the frontier edge is gone, as what would be wanted before it is not.
    Gone { edge: u32, to: u32, before: String, why: BranchesGone },
    /// The frontier of this edge is gone: these wanted states, negated, are an invariant.
    Proved { edge: u32, states: Vec<u32> },
    /// No execution takes these edges: what was wanted for them is removed.
    Excluded { edges: Vec<u32> },
    /// A finder or prover was asked for the open branches, and found so many inputs, or proved so many facts of every execution.
    Asked { who: String, effort: u32, inputs: u32, shown: u32 },
}

/// Where a run comes from.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "from", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum BranchesOrigin {
    /// An input that was given.
    Given,
    Zeros,
    /// Algorithm 1: a known run was diverted along a frontier edge to what is wanted behind.
    Diverted {
        edge: u32,
        to: u32,
    },
    /// An input from a finder.
    Found,
}

/// Why nothing is wanted before an edge.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum BranchesGone {
    /// It contradicts itself, or what is known to hold there.
    Contradiction { known: Vec<String> },
    /// It is part of these wanted states, perhaps with what is known to hold there.
    Wanted { states: Vec<u32>, known: Vec<String> },
    /// It is too large: it is open whether it leads there.
    Large,
}

/// A wanted state.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesWanted {
    pub state: u32,
    pub location: u32,
    /// Without what the types of variables say by themselves.
    pub condition: String,
    /// The target edge, which no run takes, that it leads to.
    pub target: u32,
    /// The edge to take from here, and the wanted state behind it; none behind the target.
    pub way: Option<u32>,
    pub to: Option<u32>,
}

/// An edge into a wanted state.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesGap {
    pub gap: u32,
    pub edge: u32,
    pub to: u32,
}

/// What was told of a model.
#[derive(Debug, Default)]
pub struct ModelNews {
    steps: u32,
    reached: SortedSet<u32>,
    taken: SortedSet<u32>,
    /// So many wanted states.
    wanted: usize,
    removed: SortedSet<u32>,
    touched: SortedSet<u32>,
    frontier: SortedSet<u32>,
}

impl Bidirectional<'_, '_, '_> {
    /// Tells what was done, and what that changed.
    pub fn tell(&self, did: impl Fn() -> BranchesDid) {
        if self.told.borrow().steps <= MOST {
            self.trace.step(&|| {
                let mut told = self.told.borrow_mut();
                told.steps += 1;
                if told.steps > MOST { BranchesNews::BranchesMore } else { BranchesNews::BranchesStep { step: told.step(self, did()) } }
            });
        }
    }

    /// Tells this, if it changed what is wanted; behind a first step only.
    pub(super) fn tell_change(&self, did: BranchesDid) {
        let is_new = {
            let told = self.told.borrow();
            let removed = || self.model.wanted.iter().filter(|state| state.is_removed).count();
            told.steps > 0 && (told.wanted < self.model.wanted.len() || told.removed.len() < removed())
        };
        if is_new {
            self.tell(|| did.clone());
        }
    }

    /// That nothing is wanted before a gap.
    pub(super) fn gone(&self, gap: usize, before: FormulaId, why: BranchesGone) -> BranchesDid {
        let BranchesGap { edge, to, .. } = self::gap(&self.model, gap as u32);
        BranchesDid::Gone { edge, to, before: self.types.text(self.pool(), before), why }
    }

    /// Why: it is part of these wanted states, or contradicts itself, with what holds.
    pub(super) fn because(&self, by: &[usize], holds: &[FormulaId]) -> BranchesGone {
        let known = holds.iter().map(|&formula| self.types.text(self.pool(), formula)).filter(|text| text != "true").collect();
        if by.is_empty() {
            return BranchesGone::Contradiction { known };
        }
        BranchesGone::Wanted { states: by.iter().map(|&state| state as u32).collect(), known }
    }
}

/// A prover or finder was called, with its result.
pub(super) fn asked(who: &str, effort: u32, inputs: usize, shown: usize) -> BranchesDid {
    BranchesDid::Asked { who: who.to_owned(), effort, inputs: inputs as u32, shown: shown as u32 }
}

/// Adds what is new of `now` to `known`, and gives it.
fn added(known: &mut SortedSet<u32>, now: impl Iterator<Item = u32>) -> Vec<u32> {
    now.filter(|&one| known.insert(one)).collect()
}

impl ModelNews {
    fn step(&mut self, analysis: &Bidirectional, did: BranchesDid) -> BranchesStep {
        let model = &analysis.model;
        let reached = model.lts.graph.node_indices().filter(|at| !model.reached_at[at.index()].is_empty());
        let is_taken = |edge: &EdgeId| matches!(analysis.edges[edge.index()], EdgeKnowledge::Taken(_));
        let states =
            |such: fn(&TargetStates) -> bool| (0..).zip(&model.wanted).filter(move |(_, state)| such(state)).map(|(number, _)| number);
        let first = self.wanted;
        self.wanted = model.wanted.len();
        let frontier: SortedSet<u32> = (0..model.gaps.len()).filter(|&gap| model.is_frontier(gap)).map(|gap| gap as u32).collect();
        let before = std::mem::replace(&mut self.frontier, frontier);
        BranchesStep {
            did,
            iteration: analysis.iterations as u32,
            reached: added(&mut self.reached, reached.map(|at| at.index() as u32)),
            taken: added(&mut self.taken, numbers(&model.lts.graph.edge_indices().filter(is_taken).collect::<Vec<_>>()).into_iter()),
            wanted: (first..self.wanted).map(|state| wanted(model, (analysis.pool(), &analysis.types), state)).collect(),
            removed: added(&mut self.removed, states(|state| state.is_removed)),
            touched: added(&mut self.touched, states(|state| state.is_touched && !state.is_removed)),
            joined: self.frontier.difference(&before).map(|&gap| self::gap(model, gap)).collect(),
            left: before.difference(&self.frontier).copied().collect(),
        }
    }
}

fn wanted(model: &Model, (pool, types): (&Pool, &TypeRanges), number: usize) -> BranchesWanted {
    let state = &model.wanted[number];
    BranchesWanted {
        state: number as u32,
        location: state.location.index() as u32,
        condition: types.text(pool, state.condition),
        target: state.target.index() as u32,
        way: state.way.map(|(edge, _)| edge.index() as u32),
        to: state.way.map(|(_, to)| to as u32),
    }
}

fn gap(model: &Model, gap: u32) -> BranchesGap {
    let there = &model.gaps[gap as usize];
    BranchesGap { gap, edge: there.edge.index() as u32, to: there.to as u32 }
}
