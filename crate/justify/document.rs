//! The document of `justify`.

use crate::analysis::cover::CoverExclusion;
use crate::view::{Call, Header, Input, document};
use serde::Serialize;

/// `justify`, for one program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JustifyDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    /// The answer in words.
    pub sentence: String,
    /// The functions that were analysed, each with any arguments.
    pub entries: Vec<String>,
    pub counts: JustifyCounts,
    /// With `--criterion`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(skip))]
    pub criterion: Option<JustifyCriterion>,
    /// The branches that the coverage has not, in the order of the text.
    pub branches: Vec<JustifiedBranch>,
    /// The tests that they name.
    pub tests: Vec<JustifyTest>,
    /// Justifications of the earlier file that no longer hold, and branches that tests take though they were justified.
    pub stale: Vec<StaleJustification>,
    /// Justifications of the earlier file that hold on another line.
    pub moved: Vec<MovedJustification>,
    /// Of branches that are justified and were not in the earlier file: their numbers in `branches`; `None` without such a file.
    pub new: Option<Vec<u32>>,
    /// Limits of what the coverage says, in sentences.
    pub notes: Vec<String>,
}

/// How many branches there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JustifyCounts {
    /// Branches of the program's text, without sides of assertions and constant conditions.
    pub total: u32,
    /// The coverage has them.
    pub covered: u32,
    /// The coverage has them not, and a new test takes them.
    pub tested: u32,
    /// The coverage has them not, and no execution takes them.
    pub justified: u32,
    pub open: u32,
    /// The coverage has no record of them.
    pub unmeasured: u32,
}

impl JustifyCounts {
    /// Those of two programs together.
    pub fn and(self, other: JustifyCounts) -> JustifyCounts {
        JustifyCounts {
            total: self.total + other.total,
            covered: self.covered + other.covered,
            tested: self.tested + other.tested,
            justified: self.justified + other.justified,
            open: self.open + other.open,
            unmeasured: self.unmeasured + other.unmeasured,
        }
    }
}

/// The goals of a criterion.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JustifyCriterion {
    /// `statement`, `branch`, `condition` or `mcdc`.
    pub name: String,
    /// Of MC/DC, which pairs count: `masking` or `unique-cause`.
    pub pairs: Option<String>,
    /// The answer in words.
    pub sentence: String,
    /// Without goals in assertions.
    pub total: u32,
    /// The coverage has them.
    pub covered: u32,
    pub tested: u32,
    pub justified: u32,
    pub open: u32,
    /// The goals that the coverage has not, in the order of the text.
    pub list: Vec<JustifiedGoal>,
    /// Why there are goals that are not listed, if so.
    pub left_out: Vec<String>,
}

/// A goal of a criterion that the coverage has not.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JustifiedGoal {
    pub function: String,
    pub line: u32,
    pub column: u32,
    /// The statement, the outcome or the condition as the program has it.
    pub text: String,
    /// Of a condition: the decision that it is a part of.
    pub decision: Option<String>,
    pub verdict: JustifyVerdict,
    /// Whether the coverage has a record of this very goal.
    pub measured: bool,
    /// The numbers of the tests that cover it, from 0: of MC/DC a pair.
    pub tests: Vec<u32>,
    /// What excludes it, or why it is open.
    pub why: Option<String>,
    pub assumes: Vec<String>,
}

/// A branch that the coverage has not.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JustifiedBranch {
    pub function: String,
    pub line: u32,
    pub column: u32,
    /// What holds on this side, as the program has it.
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
    /// `true` where the condition holds, `false` where it does not; empty for a branch of a function that is not understood.
    pub side: String,
    pub verdict: JustifyVerdict,
    /// Whether the coverage has a record of this very branch: it counts other branches on the line otherwise.
    pub measured: bool,
    /// The number of the test that takes it, from 0.
    pub test: Option<u32>,
    /// What excludes it in each function that judges it, where that is given.
    pub because: Vec<JustifyReason>,
    /// The claims that exclude it: the function that was analysed, a colon, and the claim's name in its evidence.
    pub evidence: Vec<String>,
    pub assumes: Vec<String>,
    /// Why it is open.
    pub open: Option<String>,
}

/// What excludes a branch in the executions of one function.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JustifyReason {
    pub function: String,
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub exclusion: CoverExclusion,
}

/// The verdict on a branch that the coverage has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum JustifyVerdict {
    /// A new, replayed test takes it.
    Tested,
    /// No execution takes it.
    Justified,
    Open,
}

/// A new test: a call of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JustifyTest {
    pub function: String,
    pub input: Input,
    /// The calls before that leave the statics that the input has.
    pub after: Vec<Call>,
    /// The assumptions that it rests on.
    pub assumes: Vec<String>,
}

/// A justification that no longer holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StaleJustification {
    /// Of the branch; where the program has it no longer, of the earlier text.
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub text: String,
    pub reason: String,
}

/// A justification that holds on another line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MovedJustification {
    pub from_line: u32,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub text: String,
}

document!(JustifyDocument);
