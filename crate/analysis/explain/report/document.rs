//! Settings and document of `explain`.

use crate::view::{Header, Input, document};
use serde::{Deserialize, Serialize};

/// How `explain` works.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainSettings {
    /// The greatest number of instructions of a prefix: its edges and one more.
    pub max_instructions: u32,
    /// `first`, `last` or `all`.
    pub order: String,
    /// `interval`, `rational` or `integer`.
    pub check: String,
    /// `detours` (from the path, as the paper's algorithm has it) or `any_way` (between indispensable edges).
    pub extend: String,
    /// Only this path, by the numbers of its edges, instead of all prefixes.
    pub path: Option<Vec<u32>>,
    /// For so many families, evenly chosen, the exhaustive proof is done for comparison.
    pub compare: u32,
    /// Instead of all prefixes: draw paths, explain, take away.
    pub rounds: Option<ExplainRoundSettings>,
}

/// What is drawn from when paths are drawn, explained and taken away.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainRoundSettings {
    /// The greatest number of edges.
    pub length: u32,
    /// Whether from the pruned graph.
    pub pruned: bool,
}

/// `explain`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    pub max_instructions: u32,
    pub order: String,
    pub check: String,
    pub extend: String,
    /// How many minimal infeasible prefixes there are.
    pub infeasible_prefixes: u32,
    /// "any state" where prefixes run or not whichever values statics begin with.
    pub statics: Option<String>,
    /// Families with the same reason together, those of most prefixes first.
    pub reasons: Vec<ExplainGroup>,
    /// One for each explanation of each prefix, in the order found.
    pub families: Vec<ExplainFamily>,
    pub generalized: ExplainGeneralized,
    /// The same of each prefix' families together: differs with the order `all`.
    pub united: ExplainGeneralized,
    /// All families together; `null` where that would need too many states, or nothing was explored.
    pub union: Option<ExplainUnion>,
    /// What exploring took without what was learned on the way, and with it.
    pub without: ExplainTally,
    pub with: Option<ExplainTally>,
    /// Prefixes that exploring with what was learned did not ask about.
    pub skipped: u64,
    /// Generalizing beside proving path by path, for some families and for all bounds asked for.
    pub comparison: Vec<ExplainComparison>,
    /// The path asked for, if one was.
    pub path: Option<ExplainPath>,
    /// The rounds, if they were asked for.
    pub rounds: Option<ExplainRounds>,
    /// Why the exploration stopped early or something is open, if so.
    pub open: Option<String>,
}

/// A reason: edges of the program that contradict each other, and the infeasible prefixes that end for it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainGroup {
    /// The edges that contradict each other, ascending.
    pub edges: Vec<u32>,
    /// How many infeasible prefixes have it.
    pub prefixes: u32,
    /// The shortest of these, and its explanation.
    pub prefix: Vec<u32>,
    pub explanation: Vec<ExplainStep>,
    /// Whether in some of its families the conditions of the inputs, or the assignments that make a decision false, are others, as
    /// in another round of a loop.
    pub varies: bool,
    /// The greatest number of paths of one of its families, a decimal string.
    pub paths: String,
    /// Its families, by their places in the document's list, ascending.
    pub families: Vec<u32>,
}

/// Paths that cannot run for the same reason.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainFamily {
    /// The infeasible prefix that it was made from: its edges, and the line of each.
    pub prefix: Vec<u32>,
    pub lines: Vec<u32>,
    pub explanation: Vec<ExplainStep>,
    /// The size of the minimal automaton.
    pub states: u32,
    pub transitions: u32,
    /// Over lines, with the side of a decision; `null` where it would be too long to be read.
    pub regex: Option<String>,
    /// How many accepted paths have at most the number of instructions asked for, a decimal string.
    pub paths: String,
    /// What it rests on that none of them runs.
    pub assumes: Vec<String>,
}

/// A constraint of an explanation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainStep {
    /// Its place in the path, from 0.
    pub index: u32,
    pub edge: u32,
    pub line: u32,
    pub column: u32,
    /// As the program has it.
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
    /// As a condition of the inputs.
    pub condition: String,
    /// If that is `false`: the assignments that make it so, in path order, for each edge the last.
    pub causes: Vec<ExplainCause>,
}

/// An assignment that makes a decision false whatever the inputs are.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainCause {
    /// Its place in the path, from 0.
    pub index: u32,
    pub edge: u32,
    pub line: u32,
    pub column: u32,
    /// As the program has it.
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
    /// What it assigns to, and what that is then, where it is one number (a decimal string).
    pub name: String,
    pub value: Option<String>,
}

/// Accepted paths of each family.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainGeneralized {
    pub average: f64,
    /// A decimal string.
    pub maximum: String,
}

/// All families together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainUnion {
    pub automaton: ExplainAutomaton,
    /// Accepted paths, none of which begins another, a decimal string.
    pub paths: String,
    /// What it rests on that none of them runs.
    pub assumes: Vec<String>,
    pub lengths: Vec<ExplainLength>,
}

/// Complete paths of at most `length` edges, decimal strings.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainLength {
    pub length: u32,
    pub total: String,
    /// Those that no family accounts for.
    pub rest: String,
}

/// What an exploration asked.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainTally {
    /// Infeasible prefixes found.
    pub prefixes: u64,
    pub queries: u64,
    /// How many of the queries were refuted.
    pub refutations: u64,
    /// Microseconds in walking and asking, without explaining.
    pub time_us: f64,
}

/// Generalizing beside proving path by path, for one family.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainComparison {
    /// Of the prefix.
    pub instructions: u32,
    /// The greatest number of instructions of the paths proved.
    pub bound: u32,
    /// How many these are, a decimal string.
    pub paths: String,
    pub generation_us: f64,
    pub exhaustive_us: f64,
    pub generation_queries: u64,
    pub exhaustive_queries: u64,
    /// Prefixes refuted in the exhaustive proof.
    pub refuted: u64,
}

/// An automaton over the program's edges.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainAutomaton {
    pub states: u32,
    pub initial: u32,
    pub accepting: Vec<u32>,
    /// From, edge, to.
    pub transitions: Vec<(u32, u32, u32)>,
    /// The location of each state, where a state has one.
    pub locations: Option<Vec<u32>>,
}

/// A path that was asked about.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainPath {
    pub edges: Vec<u32>,
    pub lines: Vec<u32>,
    /// `feasible`, `infeasible` or `open`.
    pub verdict: String,
    /// For a feasible path: an input that takes it, replayed.
    pub input: Option<Input>,
    /// For an infeasible path: the index of the first edge at which no input is left.
    pub dies_at: Option<u32>,
    /// What the verdict rests on.
    pub assumes: Vec<String>,
    /// All conditions along the path that are not always true.
    pub constraints: Vec<ExplainConstraint>,
    /// Its minimal explanations, as many as the order asks for.
    pub reasons: Vec<ExplainReason>,
    /// Whether these are all that were asked for.
    pub all_reasons: bool,
    /// The smallest sets of constraints without which the path could run.
    pub corrections: Vec<ExplainCorrection>,
    /// Families are counted up to so many instructions.
    pub max_instructions: u32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainConstraint {
    /// Its place in the path, from 0.
    pub index: u32,
    pub edge: u32,
    pub line: u32,
    pub column: u32,
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
    /// As a condition of the inputs.
    pub condition: String,
    /// False whatever the inputs are.
    pub never: bool,
}

/// A minimal explanation and its family.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainReason {
    pub explanation: Vec<ExplainStep>,
    /// The path flow dependencies, direct and indirect.
    pub dependencies: Vec<ExplainDependency>,
    /// The places of the edges that every path of the family has.
    pub indispensable: Vec<u32>,
    /// As built, and minimal.
    pub raw: ExplainAutomaton,
    pub automaton: ExplainAutomaton,
    pub regex: Option<String>,
    pub paths: String,
    /// Whether the checker accepted that no path of the family can run.
    pub confirmed: bool,
    /// What it rests on that none of them runs.
    pub assumes: Vec<String>,
}

/// What an edge reads that another one wrote.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainDependency {
    /// Places in the path; without a writer it is the entry.
    pub reader: u32,
    pub writer: Option<u32>,
    pub name: String,
}

/// Constraints without which the path could run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainCorrection {
    /// The places of their edges in the path.
    pub indices: Vec<u32>,
    /// Inputs that satisfy all the other constraints.
    pub input: Option<Input>,
    /// What a run with this input rests on.
    pub assumes: Vec<String>,
}

/// Infeasible paths drawn, explained and taken away until none is left.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainRounds {
    /// The greatest number of edges.
    pub length: u32,
    pub pruned: bool,
    /// Complete paths before the first round, a decimal string.
    pub start: String,
    pub rounds: Vec<ExplainRound>,
    /// Complete paths left, and how many of them were seen to run when all were gone over, decimal strings.
    pub left: String,
    pub feasible: String,
    /// Whether these are all: P(l) has become FP(l).
    pub settled: bool,
    /// What the counts rest on: those of all rounds, and of what was seen to run.
    pub assumes: Vec<String>,
}

/// One infeasible path with its family taken away.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainRound {
    /// Whether it was drawn, or found when all that was left was gone over.
    pub drawn: bool,
    /// The path up to the edge at which no input is left.
    pub prefix: Vec<u32>,
    pub lines: Vec<u32>,
    pub explanation: Vec<ExplainStep>,
    /// Complete paths left after it, a decimal string.
    pub left: String,
    /// What it rests on that none of them runs.
    pub assumes: Vec<String>,
}

document!(ExplainDocument);
