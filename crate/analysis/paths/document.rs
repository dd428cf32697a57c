//! Settings and document of `paths`.

use crate::counting::report::{FeasibleBy, PathsRow};
use crate::view::{Header, document};
use serde::{Deserialize, Serialize};

/// What `paths` counts.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PathsSettings {
    /// The greatest numbers of edges.
    pub lengths: Vec<u32>,
    /// Whether the feasible ones are counted too.
    pub feasible: bool,
}

/// `paths`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PathsDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    pub table: Vec<PathsRow>,
    /// Why rows are open, if any are.
    pub open: Option<String>,
    /// Why the feasible paths were enumerated one by one instead of merged by their states, if they were.
    pub enumerated: Option<String>,
    /// Where no path of the greatest length is feasible: the shortest one that is, as far as that is known.
    pub shortest: Option<PathsShortest>,
    /// What the feasible counts rest on.
    pub feasible_by: Option<FeasibleBy>,
}

/// A feasible complete path that is longer than all lengths asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PathsShortest {
    /// Its number of edges.
    pub length: u32,
    /// Whether no shorter one is feasible; otherwise that is open.
    pub exact: bool,
}

document!(PathsDocument);
