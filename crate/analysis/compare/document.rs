//! Settings and document of `compare`.

use crate::view::{Header, document};
use serde::{Deserialize, Serialize};

/// What is compared.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CompareSettings {
    /// The least and the greatest number of diamonds.
    pub least: u32,
    pub most: u32,
    /// Programs of each size, with consecutive seeds from `seed` on.
    pub programs: u32,
    pub seed: u32,
    /// Of `sc`, `pc`, `fm`, `vstte` and `prefer`.
    pub algorithms: Vec<String>,
    /// Steps for each program and algorithm.
    #[serde(default)]
    pub limit: Option<u64>,
}

/// `compare`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CompareDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    /// By size, then seed, then algorithm.
    pub runs: Vec<ComparedRun>,
}

/// A program covered by an algorithm.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ComparedRun {
    /// `culdesac generate` prints the program for these two.
    pub diamonds: u32,
    pub seed: u32,
    pub algorithm: String,
    /// Questions to the solver.
    pub queries: u32,
    pub tests: u32,
    /// From the graph to the last answer; all that depends on the clock.
    pub time_us: u64,
    /// Whether it came to its end within the limit.
    pub complete: bool,
}

/// An event of its own.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum ComparedEvent {
    /// A random program was covered by one of the algorithms that are compared.
    Compared { run: ComparedRun },
}

document!(CompareDocument);
