//! The report of `reach`: settings, command and document; the condition in the notation of mathematics, and the news on the way.

mod answer;
#[cfg(feature = "cli")]
mod command;
mod description;
mod document;
mod news;
mod notation;
pub mod target;

pub use answer::{reach, reach_target};
pub use document::{
    ReachBackbone, ReachDocument, ReachFoundBy, ReachNearest, ReachRound, ReachSatisfiable, ReachSearch, ReachSettings, ReachSummary,
    ReachTarget, ReachValue, ReachVerdict,
};
pub use news::ReachNews;

/// The greatest `K` that a caller can ask for.
pub const MAX_K: u32 = 1_000;
