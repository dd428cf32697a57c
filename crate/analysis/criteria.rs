//! Coverage criteria: statements, branches, conditions, modified condition/decision coverage (MC/DC) and prime paths, each goal with a
//! verdict: a replayed test covers it, an accepted claim says that no execution can, or it is open.
//!
//! | criterion | its goals | settled in |
//! |---|---|---|
//! | statement | assignments, calls and conditions: each is executed | the function's graph |
//! | branch | both outcomes of each whole decision, and those of the labels of a `switch` | the function's graph |
//! | condition | both outcomes of each condition | the function's graph |
//! | MC/DC | an [independence pair](pairs) for each condition of a whole decision | the graph with its decisions unfolded |
//! | path | each [prime path](crate::lts::unfold::prime_paths) | the graph with its prime paths unfolded |
//!
//! The [schedule](super::settle) of all engines settles the goals of an [unfolded graph](crate::lts::unfold) as it settles branches: each is
//! a set of edges. Their tests and claims pass the door, and the check unfolds the graph by itself. The command line has the goals beside the
//! answer of another command; the page has a [question](Criteria) for them.

mod answer;
mod document;
mod evaluations;
mod goals;
#[cfg(feature = "cli")]
pub mod options;
mod ordinary;
pub mod pairs;
mod question;
pub mod text;

pub use answer::{criterion_document, without_claims};
pub use document::{CriterionDocument, CriterionGoal, CriterionTest, CriterionVector, GoalText};
pub use goals::OrdinaryVerdicts;
pub use question::{Criteria, CriteriaAnswer, CriteriaSettings};

use crate::lts::unfold::GraphUnfolding;
use serde::Deserialize;

/// A coverage criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Criterion {
    /// Each statement is executed
    Statement,
    /// Each decision has both outcomes
    Branch,
    /// Each condition of a decision has both outcomes
    Condition,
    /// Each condition decides the outcome of its decision by itself: modified condition/decision coverage
    Mcdc,
    /// Each prime path is taken: maximal paths without a repeated block, and loops from each of their blocks
    Path,
}

/// What two evaluations of a decision may differ in to show that a condition decides its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum PairKind {
    /// In anything, if in each of the two the condition alone would change the outcome
    Masking,
    /// In no other condition that both evaluate
    UniqueCause,
}

/// A criterion with what can be chosen of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CriterionChoice {
    pub criterion: Criterion,
    /// Of MC/DC.
    pub pairs: PairKind,
}

impl CriterionChoice {
    /// What the graph tells apart in which its goals are edges.
    pub fn unfolding(self) -> Option<GraphUnfolding> {
        match self.criterion {
            Criterion::Statement | Criterion::Branch | Criterion::Condition => None,
            Criterion::Mcdc => Some(GraphUnfolding::Decisions),
            Criterion::Path => Some(GraphUnfolding::PrimePaths),
        }
    }
}
