//! What several analyses need: the trace and who listens to it, graphs of places and how they are confirmed, feasible paths counted.

pub mod calls;
#[cfg(feature = "cli")]
pub mod command;
pub mod confirm;
pub mod door;
pub mod feasible;
pub mod instances;
pub mod known;
pub mod listener;
pub mod places;
pub mod random;
pub mod recorder;
pub mod resting;
pub mod simple;
#[cfg(feature = "cli")]
pub mod text;
pub mod trace;
