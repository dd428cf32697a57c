//! Plain data for the page and `--json`: the boundary of the engine.
//!
//! Core types are never serialised; each command turns its result into one of these documents. Keys are the command
//! line's contract: they may be added, never renamed; [`SCHEMA`] goes up by one when a meaning changes. Numbers that
//! can reach 2^53 are strings. `web/ui/protocol.ts` is generated from these types by `protocol_test`.

mod cfg;
mod check;
mod compare;
mod convert;
mod cover;
pub mod evidence;
mod explain;
mod explain_types;
mod input;
mod load;
mod paths;
mod prune;
mod prune_types;
mod recorder;
mod run;
mod run_types;
mod solve;

pub use cfg::{cfg, cfg_dot};
pub use check::{check, check_listened, not_evidence};
pub use compare::{
    COMPARE_LIMIT, CompareDocument, CompareSettings, ComparedRun, MAX_COMPARED_DIAMONDS, MAX_COMPARED_PROGRAMS, MAX_COMPARED_SEED, compare,
};
pub use convert::{diagnostic, place};
pub use cover::{
    CoverDocument, CoverEnough, CoverError, CoverReason, CoverSettings, CoverStatement, CoverSummaries, CoverSummary, CoverTest,
    MAX_UNWIND, cover,
};
pub use explain::{MAX_INSTRUCTIONS, explain};
pub use explain_types::{
    ExplainAutomaton, ExplainComparison, ExplainConstraint, ExplainCorrection, ExplainDependency, ExplainDocument, ExplainFamily,
    ExplainGeneralized, ExplainLength, ExplainPath, ExplainReason, ExplainRound, ExplainRoundSettings, ExplainRounds, ExplainSettings,
    ExplainStep, ExplainTally, ExplainUnion,
};
pub use input::{BadInput, input, input_view};
pub use load::{Loaded, MAX_INLINE_DEPTH, load};
pub use paths::{MAX_LENGTH, draw, draw_with, paths};
pub use prune::{MAX_LOOKAHEAD, prune};
pub use prune_types::{
    PruneDocument, PruneEdge, PruneGraph, PrunePlace, PruneRow, PruneSettings, PruneSize, PruneStep, PruneUsed, RedSize,
};
pub use recorder::{Claims, Listener};
pub use run::{MAX_STEPS_SHOWN, RUN_LIMIT, run, run_claiming};
pub use run_types::{RunBranch, RunChange, RunDocument, RunOutcome, RunStep, RunVariable};
pub use solve::{SolveCheck, SolveDocument, SolveResult, solve_document};

pub use crate::generate::diamonds;
pub use crate::lts::lower::INLINE_DEPTH;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[cfg(test)]
mod protocol_test;

/// The version of all documents.
pub const SCHEMA: u32 = 1;

/// What every document starts with.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Header {
    pub schema: u32,
    /// The program's name as it was given.
    pub program: String,
    pub function: String,
    /// What integers were taken for.
    pub ints: Ints,
    /// How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
    pub inline_depth: Option<u32>,
    /// Whether every question was settled within the limit.
    pub complete: bool,
    pub statistics: Statistics,
    /// Warnings about the program.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Statistics {
    pub solver: SolverStatistics,
    /// Wall-clock milliseconds; the only entry that differs from run to run.
    pub wall_ms: f64,
    /// Deterministic steps used of the limit.
    pub steps: u64,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SolverStatistics {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Certificates accepted by the checker.
    pub checked: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Severity {
    Error,
    Warning,
}

/// A place in the text: lines and columns from 1, columns in characters; `start` and `end` in UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TextPlace {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Diagnostic {
    pub severity: Severity,
    pub code: String,
    pub message: String,
    pub label: Option<String>,
    pub help: Option<String>,
    pub place: TextPlace,
    pub related: Vec<Related>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Related {
    pub place: TextPlace,
    pub text: String,
}

/// What the integers of a program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Ints {
    /// Integers of any size: nothing overflows.
    Unbounded,
    /// C's types on a machine with 32 bits in an `int`.
    C32,
}

/// What every analysis is asked with.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Request {
    /// The program's name, for the document only.
    pub program: String,
    pub source: String,
    /// The function to analyse; without it the contract's default.
    pub function: Option<String>,
    /// Steps; without it the analysis' default.
    pub limit: Option<u64>,
    pub seed: u64,
    /// What integers are; without it what is usual for the language.
    #[serde(default)]
    pub ints: Option<Ints>,
    /// How often a function is inlined within itself; without it the engine's default.
    #[serde(default)]
    pub inline_depth: Option<u32>,
}

/// What all documents have in common.
pub trait Document: Serialize {
    fn header(&self) -> &Header;
    fn header_mut(&mut self) -> &mut Header;
}

macro_rules! documents {
    ($($Document:ty),* $(,)?) => {$(
        impl Document for $Document {
            fn header(&self) -> &Header {
                &self.header
            }
            fn header_mut(&mut self) -> &mut Header {
                &mut self.header
            }
        }
    )*};
}
documents!(
    SolveDocument,
    CfgDocument,
    PathsDocument,
    DrawDocument,
    PruneDocument,
    ExplainDocument,
    CoverDocument,
    CompareDocument,
    RunDocument,
    CheckDocument,
);

/// A document, or why the program was refused.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Reply<T> {
    Document { document: T },
    Refused { diagnostics: Vec<Diagnostic> },
}

/// `cfg`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CfgDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    /// All functions of the program in source order.
    pub functions: Vec<String>,
    pub locations: Vec<CfgLocation>,
    pub edges: Vec<CfgEdge>,
    pub entry: u32,
    pub exit: u32,
    /// Where failed assertions lead, if there are any.
    pub error: Option<u32>,
    pub loop_headers: Vec<u32>,
    pub reducible: bool,
    /// Inputs of the function: what a test may set.
    pub inputs: Vec<InputName>,
    /// Whether values of `nondet()` are drawn, which a test may set, too.
    pub nondet: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CfgLocation {
    pub id: u32,
    pub line: u32,
    pub loop_header: bool,
    /// The immediate dominator; `null` for the entry.
    pub dominator: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum EdgeKind {
    Skip,
    Assume,
    Assign,
    Store,
    Call,
    Havoc,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CfgEdge {
    pub id: u32,
    pub from: u32,
    pub to: u32,
    pub kind: EdgeKind,
    pub label: String,
    pub line: u32,
    pub column: u32,
    pub place: TextPlace,
    /// For a decision: whether this is the side on which the condition holds.
    pub holds: Option<bool>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct InputName {
    pub name: String,
    pub array: bool,
    /// The least and greatest value of it or of its elements, decimal; `null` where every integer is allowed.
    pub least: Option<String>,
    pub greatest: Option<String>,
    /// An array's number of elements, decimal, where it is known.
    pub length: Option<String>,
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
    /// What the feasible counts rest on.
    pub feasible_by: Option<FeasibleBy>,
}

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
}

/// `draw`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DrawDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    /// How many complete paths there are to draw from, a decimal string.
    pub population: String,
    pub paths: Vec<DrawnPath>,
    /// Why fewer paths than asked for are there, or why some are open.
    pub open: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DrawnPath {
    pub edges: Vec<u32>,
    /// The line of each edge.
    pub lines: Vec<u32>,
    /// `true` with a replayed input, `false` with a checked certificate, `null` open.
    pub feasible: Option<bool>,
    /// For a feasible path: an input that takes it, replayed.
    pub input: Option<Input>,
    /// For an infeasible path: the index into `edges` of the first edge at which no input is left.
    pub dies_at: Option<u32>,
    /// For an infeasible path: the indices into `edges` of the constraints the certificate uses.
    pub core: Vec<u32>,
    /// For an open path: why.
    pub open: Option<String>,
}

/// A test input: names to values, and what `nondet()` returns in order. Numbers are decimal strings from 2^53 on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Input {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub values: BTreeMap<String, InputValue>,
    #[serde(default)]
    pub nondet: Vec<Number>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum InputValue {
    Scalar(Number),
    /// Index (a decimal string) to value; `default` elsewhere.
    Array(BTreeMap<String, Number>),
}

/// An integer: a JSON number where it is exact there (below 2^53), else a decimal string.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Number {
    Small(i64),
    Large(String),
}

/// What a long analysis reports while it runs.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Event {
    /// Steps used so far of the limit.
    Progress { steps: u64, limit: u64, text: String },
    /// A row of the paths table is known.
    Row { row: PathsRow },
    /// A drawn path got its verdict.
    Path { index: u32, path: DrawnPath },
    /// So many claims of all are checked; whether the last one was rejected.
    Checked { claims: u32, of: u32, rejected: Option<Rejected> },
    // In a detailed trace only:
    /// The solver was asked about so many assertions.
    Query { assertions: u32, answer: String },
    /// An input that takes these edges was replayed.
    Reached { path: Vec<u32>, input: Input },
    /// These edges are infeasible; `core` are the indices of those that contradict each other.
    Refuted { path: Vec<u32>, core: Vec<u32> },
    /// These edges stay open.
    Open { path: Vec<u32>, reason: String },
    /// The red–black graph changed.
    Pruning { step: PruneStep },
    /// A random program was covered by one of the algorithms that are compared.
    Compared { run: ComparedRun },
}

/// `check`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CheckDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    /// How many claims were looked at.
    pub checked: u32,
    /// The same by kind of claim, in the order of the file.
    pub kinds: Vec<CheckedKind>,
    pub rejected: Vec<Rejected>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CheckedKind {
    /// The kind's name in the file, such as `reached`.
    pub claim: String,
    pub accepted: u32,
    pub rejected: u32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rejected {
    /// The claim's name, or `file` if the file as a whole is not known here.
    pub id: String,
    /// The claim's place in the file, from 0.
    pub index: Option<u32>,
    pub reason: String,
}

#[cfg(test)]
mod tests;
