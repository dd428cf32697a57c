//! Runs that the analysis keeps, and what it knows of each edge.

use crate::interp::{Input, Outcome};
use crate::logic::{Int, IntRange, gathered};
use crate::lts::inputs::inputs;
use crate::lts::{EdgeId, Lts};
use crate::view::Call;

/// Steps of a run.
pub const RUN: u64 = 20_000;
/// Steps of one that takes what none took later than that; it is looked for among so many first runs.
pub const LONG_RUN: u64 = 100_000;
pub const LONG_RUNS: usize = 20;

/// A run that was kept.
#[derive(Clone, Debug)]
pub struct KeptRun {
    pub input: Input,
    pub path: Vec<EdgeId>,
    pub outcome: Outcome,
    /// The calls since the program's start that leave the statics that the input has, where these do not have their first values.
    pub after: Vec<Call>,
    /// Where it is the only execution of a program without an input: the edges that it takes first after `path`.
    pub only: Option<Vec<EdgeId>>,
}

impl KeptRun {
    /// The edges that it takes, each at least once.
    pub fn taken(&self) -> impl Iterator<Item = EdgeId> {
        self.path.iter().chain(self.only.iter().flatten()).copied()
    }
}

/// What is known of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKnowledge {
    /// Nothing.
    Nothing,
    /// The run with this number takes it.
    Taken(usize),
    /// No execution takes it.
    Excluded,
    /// The run with this number takes it, and no calls are known to leave the state that it begins with.
    Unbacked(usize),
}

/// The input of zeros, or of what is nearest to them; statics have their first values.
pub fn zeros(lts: &Lts) -> Input {
    let variables = inputs(lts).variables.into_iter().map(|id| lts.variable(id)).filter(|variable| variable.first.is_none());
    let zero = |range: Option<IntRange>| crate::symex::nearest(Int::ZERO, range);
    Input { values: gathered(variables.map(|variable| (variable.name.clone(), zero(variable.start_range())))), ..Input::default() }
}
