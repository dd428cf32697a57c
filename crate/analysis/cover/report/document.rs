//! Settings and document of `cover`.

#[cfg(feature = "cli")]
use crate::analysis::criteria::CriterionDocument;
use crate::view::{Call, Header, Input, InputValue, TextPlace, document};
use serde::{Deserialize, Serialize};

/// How `cover` works.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverSettings {
    /// How often each loop's header may be returned to before the loop is left; nothing: what is usual ([`super::unwinding_bound::usual`]), and
    /// tests beyond that where others find some ([`super::past_bound`]).
    pub unwind: Option<u32>,
    /// `sc`, `pc`, `fm`, `vstte` or `prefer`.
    pub algorithm: String,
    /// What is assumed of the inputs, as a condition in C.
    pub precondition: Option<String>,
    /// Whether summaries of the functions that are called find tests first.
    #[serde(default)]
    pub summaries: bool,
}

/// `cover`. Statements are edges: assignments and sides of decisions. Each is in one of the lists, or covered by a test.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    pub unwind: u32,
    pub algorithm: String,
    /// Complete executions, in the order in which they were found; those beyond the bound come last.
    pub tests: Vec<CoverTest>,
    /// No execution takes these.
    pub infeasible: Vec<CoverStatement>,
    /// Some execution takes these, but none that does completes: it fails or never ends.
    pub never_completes: Vec<CoverStatement>,
    /// No execution within the bound takes these and completes; with a larger bound there may be one.
    pub not_within: Vec<CoverStatement>,
    /// Nothing is known of these.
    pub open: Vec<CoverStatement>,
    /// Runs that end in an error: at most one for each place, and perhaps not all.
    pub errors: Vec<CoverError>,
    /// How many statements there are, and how many of them tests cover.
    pub statements: u32,
    pub covered: u32,
    /// The queries of the algorithm; the queries of the verdicts are in `statistics` only.
    pub queries: u32,
    /// Whether some loop was cut short by the bound.
    pub bounded: bool,
    /// A larger bound within which a run completes that takes statements of `not_within`, where one is known.
    pub enough: Option<CoverEnough>,
    /// Why something is open, if so.
    pub reason: Option<String>,
    /// How summaries were used, where they were asked for.
    pub summaries: Option<CoverSummaries>,
    /// The goals of a coverage criterion, where the command line asks for one.
    #[cfg(feature = "cli")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(skip))]
    pub criterion: Option<CriterionDocument>,
}

/// A bound within which the run with this input completes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverEnough {
    pub unwind: u32,
    pub input: Input,
}

/// How summaries of the functions that are called were used. They find tests; verdicts rest on the program with its calls inlined.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverSummaries {
    /// The functions that are called, callees first.
    pub functions: Vec<CoverSummary>,
    /// The first so many tests were found with summaries.
    pub tests: u32,
    /// The questions that were asked with summaries; they are among the document's.
    pub queries: u32,
}

/// The summary of a function.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverSummary {
    pub function: String,
    /// How many pairs of inputs and outputs are known.
    pub pairs: u32,
    /// How often it was covered again because a caller had other values.
    pub recomputed: u32,
    /// Why it is inlined instead, if so.
    pub inlined: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverTest {
    pub input: Input,
    /// The assumptions that it rests on.
    pub assumes: Vec<String>,
    /// The calls since the program's start that leave the statics that `input` has; empty where these have their first values, or the test
    /// assumes that calls may have left them.
    pub after: Vec<Call>,
    /// The maximal straight runs of edges that it passes, in order, numbered in source order.
    pub blocks: Vec<u32>,
    /// The line of each edge, in order.
    pub lines: Vec<u32>,
    /// How many lines there are, where `lines` has only the first 10,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_total: Option<u32>,
    pub edges: Vec<u32>,
    /// What the values in `input.nondet` are, one by one.
    pub draws: Vec<CoverDraw>,
    /// Whether the run leaves the bound. It takes a statement that no execution within the bound takes and completes.
    pub beyond: bool,
}

/// A value that the run draws: of a call of `nondet()` and its like, of a read of a volatile object, or which evaluation comes first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverDraw {
    pub line: u32,
    pub column: u32,
    /// `nondet()`, `r (volatile)`, `inc() first`.
    pub text: String,
    pub value: InputValue,
}

/// A run that ends in an error: a division by zero, an index outside an array, or the error location.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverError {
    pub line: u32,
    pub column: u32,
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
    /// What happens there.
    pub error: String,
    pub input: Input,
    /// As [`CoverTest::after`].
    pub after: Vec<Call>,
    /// The assumptions that it rests on.
    pub assumes: Vec<String>,
    /// The edge at which it happens: not passed, but for those that lead to the error location.
    pub edge: u32,
    /// Whether the edge is passed, so that the run is at the error location; else what it was about to do is undefined.
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub is_raised: bool,
    /// Whether arithmetic has no defined value here: memory is as before.
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub is_arithmetic: bool,
    /// The edges that are passed, and the line of each.
    pub edges: Vec<u32>,
    pub lines: Vec<u32>,
    /// How many lines there are, where `lines` has only the first 10,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_total: Option<u32>,
}

/// A statement that no test covers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverStatement {
    pub line: u32,
    pub column: u32,
    /// As the program has it; the other side of a condition is `!(…)`.
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
    /// Where an inlined copy of the statement has another verdict than other copies: which copy it is, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub copy: Option<String>,
    pub edge: u32,
    pub place: TextPlace,
    /// The assumptions that its verdict rests on.
    pub assumes: Vec<String>,
    /// Whether it is of a function of the library: the program has no such statement, and the numbers leave it out.
    pub library: bool,
    /// What makes it believable, in a sentence; empty for what is open.
    pub evidence: String,
    /// The conditions of which each is needed to exclude it, where they were looked for.
    pub because: Vec<CoverReason>,
    /// The explanation of the exclusion for readers, without the statement's own condition.
    pub excluded_by: CoverExclusion,
    /// An input that takes it, though the run does not complete within the bound.
    pub reached_by: Option<Input>,
    /// The edges of the run with that input up to the last one that it is there for; without an input none.
    pub reached_edges: Vec<u32>,
    /// Of what is open: values of statics with which a run takes it, where no calls are known to leave these.
    pub state: Option<Input>,
}

/// The explanation of an excluded statement: conditions and assignments on the paths to it, grouped by the conditions and assignments that they
/// pass. With empty lists and without `itself`, the decisions and assignments before the statement exclude it, but were too many to list.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverExclusion {
    /// Whether the statement's own condition holds in no execution, whatever comes before.
    pub itself: bool,
    /// Conditions on every path; with one group only and no such condition, its assignments.
    pub all: Vec<CoverReason>,
    /// Of each group of paths its other conditions and assignments; empty where `all` suffices or `some` takes its place.
    pub either: Vec<Vec<CoverReason>>,
    /// Without groups: alternative conditions and assignments, one of which excludes the statement.
    pub some: Vec<CoverReason>,
    /// Operations that are undefined where the statement's condition holds: every path to it passes one of them.
    pub operations: Vec<CoverReason>,
    /// Sides that no execution takes: every path to the statement passes one of them. Of a statement that is not inlined several times this and
    /// the following lists have nothing where the lists before them have something.
    pub enclosing: Vec<CoverReason>,
    /// The values that parts of the condition have here, or the assignments that they have them from.
    pub values: Vec<CoverValues>,
    /// What holds here in every execution: conditions that contradict the statement's own, in each case that the proof tells apart.
    pub facts: Vec<Vec<String>>,
    /// What shows it instead of conditions: that the program has one run, or few inputs.
    pub runs: Option<CoverRuns>,
}

/// A part of a condition and its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverValues {
    pub name: String,
    pub values: Vec<CoverValue>,
}

/// A value, or the range `0 to 99` of many values; `null` where only the assignments are known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverValue {
    pub value: Option<String>,
    /// The assignments that give it; none where the variable has it from the start, or a run shows it.
    pub assigned: Vec<CoverReason>,
}

/// The runs that show a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum CoverRuns {
    /// The only run of a program that reads no input.
    Only,
    /// A run on each of few inputs.
    EveryInput,
}

/// A side of a decision, as a condition; or an assignment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverReason {
    pub line: u32,
    pub column: u32,
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
    pub edge: u32,
    /// Whether it is the condition of the excluded statement in another inlined call of its function.
    pub in_another_call: bool,
}

document!(CoverDocument);
