//! Settings and document of `report`.

use crate::analysis::cover::CoverExclusion;
#[cfg(feature = "cli")]
use crate::analysis::criteria::CriterionDocument;
use crate::view::{Call, Header, Input, TextPlace, document};
use serde::{Deserialize, Serialize};

/// Nothing can be chosen.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportSettings {}

/// `report`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    /// The answer in words: which share of the branches can never run, and how many places can fail.
    pub sentence: String,
    pub branches: ReportCounts,
    /// In a reviewer's order: by kind, then by place.
    pub findings: Vec<ReportFinding>,
    /// All branches, in the order of the text.
    pub list: Vec<ReportBranch>,
    /// The tests that branches name.
    pub tests: Vec<ReportTest>,
    /// The places at which C may leave an execution undefined; missing where they were not looked at.
    pub safety: Option<ReportSafety>,
    /// Of a program with an error call or assertions: whether an execution gets there.
    pub error_call: Option<ReportErrorCall>,
    /// The answer to the property of `--property`.
    #[cfg(feature = "cli")]
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(skip))]
    pub property: Option<super::property::PropertyAnswer>,
    /// The goals of a coverage criterion, where the command line asks for one.
    #[cfg(feature = "cli")]
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(skip))]
    pub criterion: Option<CriterionDocument>,
}

/// How many branches there are, and what is known of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportCounts {
    pub total: u32,
    pub covered: u32,
    pub infeasible: u32,
    pub open: u32,
}

/// The places at which C may leave an execution undefined, as a division by zero, an overflow, an index outside of an array, a null pointer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportSafety {
    pub total: u32,
    /// An input leads there; a finding tells it.
    pub fails: u32,
    /// A proof says that no execution fails there.
    pub safe: u32,
    pub open: u32,
    /// Pointers among the parameters that are taken to lead to something: the function does not ask whether they are null.
    pub non_null: Vec<String>,
    /// Why no proof was looked for, where that is so.
    pub why_open: Option<String>,
    /// In the order of the text.
    pub list: Vec<ReportHazard>,
    /// Statements and expressions that the graph has no edge of a failing run for, in the order of the text: uses of memory, arrays of a caller
    /// of unknown length, approximated expressions, numbers that are read. Whether C defines them has no verdict.
    pub unjudged: Vec<ReportUnjudged>,
}

/// Something that C may leave undefined, and that no verdict tells.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportUnjudged {
    pub line: u32,
    pub column: u32,
    /// What is not known: `whether …`.
    pub what: String,
}

/// A place at which C may leave an execution undefined, in one way.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportHazard {
    pub line: u32,
    pub column: u32,
    pub text: String,
    /// What would happen, in a few words.
    pub what: String,
    /// The same as a clause, for sentences; not kept.
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub clause: String,
    pub verdict: ReportHazardVerdict,
    /// The assumptions that the verdict rests on.
    pub assumes: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReportHazardVerdict {
    /// An input leads there.
    Fails,
    /// No execution fails there: an accepted claim says so.
    Safe,
    Open,
}

/// Something to look at.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportFinding {
    pub kind: ReportFindingKind,
    pub line: u32,
    pub column: u32,
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
    /// What is found, in a few words; of what is open, why.
    pub evidence: String,
    /// A usual mistake that the text looks like, and what was perhaps meant.
    pub hint: Option<String>,
    /// An input that leads there, where there is one.
    pub input: Option<Input>,
    /// The lines of its run, in order.
    pub lines: Vec<u32>,
    /// The calls before that leave the statics that the input has.
    pub after: Vec<Call>,
    /// What excludes it, where that is known.
    pub because: Option<CoverExclusion>,
    /// The assumptions that it rests on.
    pub assumes: Vec<String>,
    /// Of what never runs: why that need not worry a reviewer, where the text says so.
    #[cfg(feature = "files")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(skip))]
    pub innocuous: Option<ReportInnocuous>,
}

impl ReportFinding {
    /// A finding at a line and a column, with the text there and what is found; without an input, a reason or assumptions.
    pub fn new(kind: ReportFindingKind, line: u32, column: u32, text: String, evidence: String) -> ReportFinding {
        ReportFinding {
            kind,
            line,
            column,
            text,
            expansion: None,
            evidence,
            hint: None,
            input: None,
            lines: Vec::new(),
            after: Vec::new(),
            because: None,
            assumes: Vec::new(),
            #[cfg(feature = "files")]
            innocuous: None,
        }
    }
}

/// Infeasible branches that say nothing against a program: a label by the text of the decision, beside the verdict.
#[cfg(feature = "files")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[serde(rename_all = "snake_case")]
pub enum ReportInnocuous {
    /// No value is left for `default:`, or past the cases of a `switch`.
    ExhaustedSwitch,
    /// The program says itself that no execution comes there.
    UnreachableMarker,
    /// An assertion that holds.
    Assertion,
    /// A condition without a variable: a switch of the build.
    ConstantCondition,
    /// A loop with a condition without a variable, as `do … while (0)`.
    LoopIdiom,
    /// A check that leaves the function or ends the program, for a case that does not happen.
    DefensiveCheck,
    /// A header's text.
    IncludedText,
    /// Text that a generator made.
    GeneratedText,
}

/// A kind of finding, in a reviewer's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReportFindingKind {
    /// A run fails here: the text is what it was about to do.
    Error,
    /// The condition holds whenever it is evaluated.
    Always,
    /// No execution takes the statement.
    NeverRuns,
    /// What takes the statement fails or goes on for ever.
    NeverCompletes,
    /// Neither a test nor a proof is known for the branch.
    Open,
}

/// A branch, and the verdict on it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportBranch {
    pub line: u32,
    pub column: u32,
    pub place: TextPlace,
    /// What holds on this side, as the program has it.
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
    /// `true` where the condition holds, `false` where it does not.
    pub side: String,
    pub verdict: ReportVerdict,
    /// Of an infeasible branch: the claims of the evidence file that exclude it.
    #[cfg(feature = "files")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(skip))]
    pub claims: Vec<String>,
    /// The analysis that settled it, or that tried last.
    pub engine: String,
    /// The number of the test that takes it, from 0.
    pub test: Option<u32>,
    /// What excludes it, where that is known.
    pub because: Option<CoverExclusion>,
    /// The assumptions that the verdict rests on.
    pub assumes: Vec<String>,
    /// Why it is open.
    pub open: Option<String>,
    /// Of what is open: values of statics with which a run takes it, where no calls are known to leave these.
    pub state: Option<Input>,
    /// Of an infeasible branch: why it need not worry a reviewer, where the text says so.
    #[cfg(feature = "files")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(skip))]
    pub innocuous: Option<ReportInnocuous>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReportVerdict {
    /// A replayed test takes it.
    Covered,
    /// No execution takes it.
    Infeasible,
    Open,
}

/// A replayed test.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReportTest {
    pub input: Input,
    /// The calls before that leave the statics that the input has.
    pub after: Vec<Call>,
    /// The assumptions that it rests on.
    pub assumes: Vec<String>,
}

/// What is known of error calls and failed assertions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReportErrorCall {
    /// An input leads there.
    Reached,
    /// No execution gets there.
    Unreachable,
    Unknown,
}

document!(ReportDocument);
