//! The report of `branches`: settings, command and document; the branches and the steps of the search, as news on the way.

pub mod answer;
#[cfg(feature = "cli")]
mod command;
mod document;
mod listing;
mod news;
pub mod pretty_print;
mod progress;
mod step;
pub mod step_log;
#[cfg(feature = "cli")]
mod text;

pub use answer::branches;
pub use document::{
    BranchesBaseline, BranchesCompared, BranchesCounts, BranchesDocument, BranchesOrder, BranchesSettings, BranchesSide, BranchesTest,
    BranchesVerdict,
};
pub use news::{BranchesChange, BranchesNews};
pub use step::{BranchesDid, BranchesGap, BranchesGone, BranchesOrigin, BranchesStep, BranchesWanted};
