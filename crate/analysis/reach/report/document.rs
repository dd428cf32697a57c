//! Settings and document of `reach`.

use crate::analysis::reach::method::replay::By;
use crate::view::{Call, Header, Input, TextPlace, document};
use serde::{Deserialize, Serialize};

/// What to reach.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReachSettings {
    /// A line, `LINE:COLUMN`, a label, or the name of a function that is called; without it the first error call.
    #[serde(default)]
    pub target: Option<String>,
    /// `K` of `φ̂^K`: the most rounds of each loop that the search looks at.
    pub k: u32,
}

/// `reach`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReachDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    pub target: ReachTarget,
    /// What else stands on the line.
    pub others: Vec<ReachTarget>,
    /// The same list: what `--target LINE:COLUMN` takes instead.
    pub other_targets: Vec<ReachTarget>,
    pub verdict: ReachVerdict,
    /// The assumptions on which the verdict rests.
    pub assumes: Vec<String>,
    /// Why the verdict is open.
    pub open: Option<String>,
    /// `φ̂`: a condition on the inputs without which no execution gets to the target.
    pub condition: String,
    /// `φ̂^K` for the `K` that was asked for: in place of each `∀` the first `K` rounds. The symbols `τ⁽ⁿ⁾` stand for some numbers.
    pub written_out: String,
    /// Whether `written_out` leaves out rounds, with `…` in their place: there are too many for a reader.
    pub written_out_cut: bool,
    /// Steps for deciding `φ̂` without writing out rounds, and for models of `φ̂^K` with `K` up to the one asked for.
    pub condition_steps: u64,
    pub written_out_steps: u64,
    pub backbones: Vec<ReachBackbone>,
    /// Whether there are more backbones than are listed.
    pub backbones_cut: bool,
    pub loop_summaries: Vec<ReachSummary>,
    /// What gets to the target.
    pub input: Option<Input>,
    /// The edges that a run with it takes, up to the target.
    pub path: Vec<u32>,
    /// Their lines.
    pub lines: Vec<u32>,
    /// How many lines there are, where `lines` has only the first 10,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_total: Option<u32>,
    /// The most rounds of a loop in the model that the input comes from: so many instances of each looping condition suffice.
    pub k: Option<u32>,
    /// How the input was found; nothing where others than Reach found it.
    pub found_by: Option<ReachFoundBy>,
    /// What the search over path prefixes did, if the first models did not suffice.
    pub search: Option<ReachSearch>,
    /// The calls since the program's start that leave the statics as the input has them.
    pub after: Vec<Call>,
    /// Where the verdict is open: values of statics with which a run gets there, where no calls are known to leave these.
    pub state: Option<Input>,
}

/// A search over path prefixes, which the condition guides.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReachSearch {
    /// The prefixes that it went along.
    pub prefixes: u32,
    /// The prefixes that it dropped: no input takes them and satisfies the condition.
    pub dropped: u32,
    /// Whether it went along or dropped all that there are. That is no evidence that none gets to the target.
    pub ended: bool,
    /// Of the runs that miss the target, one that gets closest to it.
    pub nearest: Option<ReachNearest>,
}

/// A run that misses the target.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReachNearest {
    pub input: Input,
    /// The edges that it takes, up to the location that is closest to the target.
    pub path: Vec<u32>,
    /// Their lines.
    pub lines: Vec<u32>,
    /// How many lines there are, where `lines` has only the first 10,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_total: Option<u32>,
    /// From there, the edges of the shortest way to the target in the graph, with the target's own.
    pub distance: u32,
}

/// How an input was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReachFoundBy {
    /// A model of the condition is it.
    Model,
    /// A model gave a path, and the path's own condition the input.
    Path,
    /// A search over path prefixes, which the condition guides.
    Search,
}

impl From<By> for ReachFoundBy {
    fn from(by: By) -> ReachFoundBy {
        match by {
            By::Model => ReachFoundBy::Model,
            By::Path => ReachFoundBy::Path,
            By::Search => ReachFoundBy::Search,
        }
    }
}

/// A statement, or a part of one, that can be reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReachTarget {
    /// `LINE:COLUMN`: names it.
    pub name: String,
    pub line: u32,
    pub column: u32,
    pub text: String,
    pub place: TextPlace,
    /// It is reached where an execution takes one of these edges.
    pub edges: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReachVerdict {
    /// The input was replayed.
    Reached,
    /// In every execution; the checker has accepted the evidence.
    Unreachable,
    Unknown,
}

/// An acyclic path to the target, with its abstract path condition.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReachBackbone {
    pub edges: Vec<u32>,
    pub lines: Vec<u32>,
    /// The numbers of its loops in `loop_summaries`, in order.
    pub loops: Vec<u32>,
    pub condition: String,
    pub verdict: ReachSatisfiable,
    /// The most rounds of a loop in the model, where there is one.
    pub k: Option<u32>,
}

/// Whether an abstract path condition can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReachSatisfiable {
    Satisfiable,
    Unsatisfiable,
    Open,
    /// Not queried, since another backbone is satisfiable already.
    Unasked,
}

/// What any rounds of a loop do.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReachSummary {
    /// Of the place where the loop is entered.
    pub line: u32,
    pub rounds: Vec<ReachRound>,
    /// Of the variables that rounds change.
    pub values: Vec<ReachValue>,
    /// What has to hold for so many rounds, over the values before the first.
    pub looping_condition: Vec<String>,
    /// Whether its rounds are alike, so that what all of them do is known without writing any out: K does not bound them.
    pub uniform: bool,
}

/// A way through the loop.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReachRound {
    /// Its path counter, e.g. `κ1`.
    pub counter: String,
    pub edges: Vec<u32>,
    pub lines: Vec<u32>,
    /// Over the values before the round.
    pub condition: String,
}

/// The value of a variable after so many rounds of each kind.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReachValue {
    pub name: String,
    /// Over the values before the first round and the counters; `★` is unknown.
    pub value: String,
    pub is_known: bool,
}

document!(ReachDocument);
