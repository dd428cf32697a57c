//! The report of `cover`: settings, command and document; what excludes a statement, in the words of the program.

pub mod answer;
pub mod branch_facts;
#[cfg(feature = "cli")]
mod command;
mod document;
mod reasons;
#[cfg(feature = "cli")]
pub mod text;

pub use answer::{algorithm, cover, no_algorithm};
pub use document::{
    CoverDocument, CoverDraw, CoverEnough, CoverError, CoverExclusion, CoverReason, CoverSettings, CoverStatement, CoverSummaries,
    CoverSummary, CoverTest,
};
