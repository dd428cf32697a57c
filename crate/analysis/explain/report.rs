//! The report of `explain`: settings, command and document; what the method finds, as plain data and as text.

mod answer;
#[cfg(feature = "cli")]
mod command;
mod document;
pub mod reasons;
#[cfg(feature = "cli")]
mod text;
mod texts;

pub use answer::explain;
pub use document::{
    ExplainAutomaton, ExplainCause, ExplainComparison, ExplainConstraint, ExplainCorrection, ExplainDependency, ExplainDocument,
    ExplainFamily, ExplainGeneralized, ExplainGroup, ExplainLength, ExplainPath, ExplainReason, ExplainRound, ExplainRoundSettings,
    ExplainRounds, ExplainSettings, ExplainStep, ExplainTally, ExplainUnion,
};

/// The greatest number of instructions that a caller can ask for.
pub const MAX_INSTRUCTIONS: u32 = 2_000;

/// Steps that an explanation run may take when the request gives no limit: some seconds.
pub const DEFAULT_LIMIT: u64 = 5_000_000;
