//! A step of `branches` as plain data: what was done, and what it changed in the model.

use serde::Serialize;

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
    /// The new frontier edges, and the numbers of the edges that have left the frontier.
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
    /// Algorithm 2: what is wanted after an edge is wanted before it too; of a condition that is not exact there are states that do not
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
    /// Algorithm 1: an earlier run was diverted along a frontier edge to the wanted state after it.
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
    /// The edge to take from here, and the wanted state after it; `None` at the target.
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
