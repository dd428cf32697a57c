//! The news of `branches` as plain data.

use super::document::{BranchesCounts, BranchesSide, BranchesTest};
use super::step::BranchesStep;
use serde::Serialize;

/// News of `branches`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum BranchesNews {
    /// A run that takes branches which none before it takes. They are numbered from 0.
    BranchesTest { test: BranchesTest },
    /// What is known.
    Branches {
        counts: BranchesCounts,
        cov_b: f64,
        cov_f: f64,
        iterations: u64,
        runs: u32,
        /// The branches with a new verdict; at the beginning all branches. Their tests are in this event or in earlier ones.
        changed: Vec<BranchesChange>,
    },
    /// A step of the analysis.
    BranchesStep { step: BranchesStep },
    /// There are more steps: no more of them are told.
    BranchesMore,
}

/// A branch, and its position in the list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesChange {
    pub at: u32,
    pub side: BranchesSide,
}
