//! The report of `cover`: settings, command and document; what excludes a statement, in the words of the program.

pub mod answer;
pub mod branch_facts;
#[cfg(feature = "cli")]
mod command;
mod copies;
mod document;
#[cfg(feature = "files")]
pub mod exclusion_text;
mod reasons;
pub mod sized;
#[cfg(feature = "cli")]
pub mod text;
pub mod writing;

pub use answer::cover;
pub use document::{
    CoverDocument, CoverDraw, CoverEnough, CoverError, CoverExclusion, CoverReason, CoverRuns, CoverSettings, CoverStatement,
    CoverSummaries, CoverSummary, CoverTest, CoverValue, CoverValues,
};
pub use sized::{algorithm, no_algorithm};
