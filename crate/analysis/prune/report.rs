//! The report of `prune`: settings, command and document, and the construction step by step.

mod answer;
#[cfg(feature = "cli")]
mod command;
mod document;
#[cfg(feature = "cli")]
pub mod graph_options;
pub mod graph_settings;
mod news;

pub use answer::prune;
pub use document::{
    PruneDocument, PruneEdge, PruneGraph, PrunePlace, PruneRow, PruneSettings, PruneSize, PruneStep, PruneUsed, PruningEvent, RedSize,
};

/// The farthest lookahead that a caller can ask for, in edges.
pub const MAX_LOOKAHEAD: u32 = 200;

/// Steps that a construction may take when the request gives no limit: some five to ten seconds.
pub const DEFAULT_LIMIT: u64 = 5_000_000;
