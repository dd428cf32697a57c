//! Settings and document of `prune`, and the steps of a construction.

use super::graph_settings::PruneGraphSettings;
use crate::counting::report::FeasibleBy;
use crate::view::{Header, document};
use serde::{Deserialize, Serialize};

/// How `prune` works.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PruneSettings {
    pub graph: PruneGraphSettings,
    /// The greatest numbers of edges of the paths that are counted.
    pub lengths: Vec<u32>,
    /// Whether the feasible ones are counted too.
    pub feasible: bool,
}

/// `prune`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PruneDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    pub original: PruneSize,
    pub pruned: PruneSize,
    pub table: Vec<PruneRow>,
    pub red: RedSize,
    /// What the graph was built with in the end.
    pub used: PruneUsed,
    pub graph: PruneGraph,
    /// What the feasible counts rest on.
    pub feasible_by: Option<FeasibleBy>,
    /// Why the construction stopped early or a count is open, if so.
    pub open: Option<String>,
    /// The limit of steps, if more of them would have helped: the construction or a count used them up.
    pub reached_limit: Option<u64>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PruneSize {
    pub locations: u32,
    pub edges: u32,
}

/// The new graph; place 0 is its entry.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PruneGraph {
    pub places: Vec<PrunePlace>,
    pub edges: Vec<PruneEdge>,
    /// Edges of the original that cannot be taken at a place (`to` is `null`).
    pub cut: Vec<PruneEdge>,
    /// What it rests on that no other path is feasible, and that what holds at a place holds.
    pub assumes: Vec<String>,
}

/// An occurrence of a location of the original.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PrunePlace {
    pub location: u32,
    /// The red vertex, and its number among the occurrences of the location; `null` in the part taken over from the original.
    pub vertex: Option<u32>,
    pub index: Option<u32>,
    /// What is known to hold here whenever it is reached.
    pub holds: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PruneEdge {
    pub from: u32,
    /// The edge of the original.
    pub edge: u32,
    pub to: Option<u32>,
}

/// Complete paths of length at most `length`, decimal strings.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PruneRow {
    pub length: u32,
    /// P(l).
    pub original: String,
    /// P'(l).
    pub pruned: String,
    /// FP(l); `null` when it was not asked for or is open.
    pub feasible: Option<String>,
    /// What is known when `feasible` is open: at least this many.
    pub feasible_at_least: Option<String>,
    /// What the feasible count rests on.
    pub assumes: Vec<String>,
    /// "any state" where the count is that of runs which begin with any values of statics.
    pub statics: Option<String>,
}

/// The red part when the construction ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RedSize {
    pub vertices: u32,
    /// Vertices whose configuration is unsatisfiable.
    pub marked: u32,
    pub subsumptions: u32,
    pub abstractions: u32,
    /// Refinements, each with a restart; of all attempts.
    pub restarts: u32,
}

/// The settings with which the construction came to an end: those asked for, or others where these did not within their share
/// of the steps, or left more paths.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PruneUsed {
    pub lookahead: u32,
    pub restarts: bool,
    pub max_red_length: Option<u32>,
    /// Up to this length S' has the feasible paths alone.
    pub exact_up_to: Option<u32>,
    /// Why what was asked for did not come to an end, if so: a clause that goes on after that.
    pub because: Option<String>,
}

/// A change of the red–black graph. Vertices are numbered in the order of birth; no number is used twice.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum PruneStep {
    /// The occurrence `index` of a location of the original; the root has no parent.
    Added { vertex: u32, location: u32, index: u32, parent: Option<u32>, edge: Option<u32> },
    /// No state reaches it.
    Unsatisfiable { vertex: u32 },
    /// It goes on like the other one, an earlier occurrence of its location.
    Subsumed { vertex: u32, by: u32 },
    /// So that it subsumes the other one: what is no longer known at it, and what still is.
    Abstracted { vertex: u32, subsumee: u32, forgotten: Vec<String>, kept: Vec<String> },
    /// What the abstraction changed below it.
    Propagated { vertex: u32, vertices: Vec<u32> },
    /// It is no longer unsatisfiable.
    Unmarked { vertex: u32 },
    /// The path to the exit can never run; the vertex' abstraction let it through; it must imply this condition from now on.
    Refined { vertex: u32, condition: String, path: Vec<u32> },
    /// These are gone, and with them all subsumptions of or by one of them, and those by `vertex`.
    Destroyed { vertex: u32, vertices: Vec<u32> },
    /// The construction goes on from here.
    Restarted { vertex: u32 },
    /// What was asked for did not end within its share of the steps, or this gives fewer paths (`smaller`): the construction begins anew
    /// at the root, with so many edges of lookahead, with restarts or without, down to this depth.
    Anew { lookahead: u32, restarts: bool, max_red_length: Option<u32>, smaller: bool },
    /// The construction does not go on from here: the greatest red length.
    Halted { vertex: u32 },
}

/// An event of its own.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum PruningEvent {
    /// The red–black graph changed.
    Pruning { step: PruneStep },
}

document!(PruneDocument);
