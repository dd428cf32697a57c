//! Counts of paths as the documents of several analyses have them.

use super::{Basis, Feasible, Row, Table};
use crate::lts::assume::Assumption;
use crate::run::recorder::Used;
use crate::run::trace::Trace;
use crate::solver::Reason;
use serde::Serialize;

/// What feasible counts rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum FeasibleBy {
    /// Each path has a replayed input, every other one a refuted prefix.
    Paths,
    /// An induction over merged prefixes, every step with a certificate.
    Induction,
    /// Merged prefixes, one of each class replayed; that the others go on alike rests on projections, which are trusted.
    Projection,
}

/// Complete paths of length at most `length`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PathsRow {
    pub length: u32,
    /// P(l), a decimal string.
    pub total: String,
    /// FP(l), a decimal string; `null` when it was not asked for or is open.
    pub feasible: Option<String>,
    /// What is known when `feasible` is open: at least this many.
    pub feasible_at_least: Option<String>,
    /// What the feasible count rests on.
    pub assumes: Vec<String>,
    /// "any state" where the count is that of runs which begin with any values of statics.
    pub statics: Option<String>,
}

/// An event of its own.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum RowEvent {
    /// A row of the table is known.
    Row { row: PathsRow },
}

impl From<Basis> for FeasibleBy {
    fn from(basis: Basis) -> FeasibleBy {
        match basis {
            Basis::Each => FeasibleBy::Paths,
            Basis::Induction => FeasibleBy::Induction,
            Basis::Projection => FeasibleBy::Projection,
        }
    }
}

impl From<&Row> for PathsRow {
    fn from(row: &Row) -> PathsRow {
        let (feasible, feasible_at_least, assumes) = row.counts();
        PathsRow { length: row.length, total: row.total.to_string(), feasible, feasible_at_least, statics: any_state(&assumes), assumes }
    }
}

impl Row {
    /// Tells the row as it is known now; gives whether to go on.
    pub(super) fn tell(&self, trace: &Trace) -> bool {
        trace.result(&|| RowEvent::Row { row: self.into() })
    }
}

impl Feasible {
    /// The count where it is known, and what is known where it is open, as decimal strings.
    pub fn written(count: Option<&Feasible>) -> (Option<String>, Option<String>) {
        match count {
            None => (None, None),
            Some(Feasible::Exactly(count)) => (Some(count.to_string()), None),
            Some(Feasible::AtLeast(count, _)) => (None, Some(count.to_string())),
        }
    }
}

impl Table {
    /// Why rows are missing or open, for people, if some are.
    pub fn why_open(&self, used: &Used) -> Option<String> {
        Some(match (self.cut?, self.reached) {
            (Reason::Steps, Some(reached)) => {
                format!("the steps suffice for all paths of at most {reached} edges; a limit above {} steps leads on", used.limit)
            }
            (reason, _) => used.why_open(reason),
        })
    }
}

/// With which statics runs begin that are counted under these assumptions, where that matters.
pub fn any_state(assumes: &[String]) -> Option<String> {
    assumes.iter().any(|id| id == Assumption::AnyState.id()).then(|| "any state".to_owned())
}
