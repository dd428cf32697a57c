//! What documents say of a criterion.

use crate::analysis::cover::CoverExclusion;
use crate::source::Span;
use crate::view::{Call, Header, Input};
use serde::Serialize;

/// The goals of a criterion with their verdicts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CriterionDocument {
    /// `statement`, `branch`, `condition`, `mcdc` or `path`.
    pub name: String,
    /// Of MC/DC, which pairs count: `masking` or `unique-cause`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub pairs: Option<String>,
    /// The answer in words.
    pub sentence: String,
    pub total: u32,
    pub covered: u32,
    pub infeasible: u32,
    pub open: u32,
    /// Why there are goals that are not listed, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub left_out: Option<String>,
    pub list: Vec<CriterionGoal>,
    /// Of MC/DC: the evaluations of decisions with several conditions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub vectors: Vec<CriterionVector>,
    /// The tests that goals name; a report has them among its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub tests: Vec<CriterionTest>,
    /// What the run on an unfolded graph says beside its verdicts.
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub header: Option<Box<Header>>,
}

impl CriterionDocument {
    /// Enters in the header of a document whatever the criterion adds: assumptions, warnings, steps, and whether all is settled.
    pub fn tell(&mut self, header: &mut Header) {
        header.complete &= self.is_complete();
        let Some(own) = self.header.take() else { return };
        header.statistics = header.statistics.and(own.statistics);
        for assumed in own.assumptions {
            if !header.assumptions.contains(&assumed) {
                header.assumptions.push(assumed);
            }
        }
        for told in own.diagnostics {
            if !header.diagnostics.iter().any(|other| other.message == told.message) {
                header.diagnostics.push(told);
            }
        }
    }

    /// Whether each goal of the criterion is settled.
    pub fn is_complete(&self) -> bool {
        self.open == 0 && self.left_out.is_none()
    }
}

/// Where the text has a goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoalText {
    /// Of the statement, the decision or the condition.
    pub span: Span,
    /// Of a condition of MC/DC, the decision that it is a part of.
    pub decision: Span,
    /// Of an outcome of a decision: the branches with which an execution has this outcome, by their numbers among all branches.
    pub sides: Vec<usize>,
}

/// A goal, and the verdict on it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CriterionGoal {
    pub line: u32,
    pub column: u32,
    /// The statement, the outcome or the condition as the program has it; of a path its decisions.
    pub text: String,
    /// Of a condition: the decision that it is a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub decision: Option<String>,
    /// `covered`, `infeasible` or `open`.
    #[cfg_attr(test, ts(as = "crate::analysis::report::ReportVerdict"))]
    pub verdict: &'static str,
    /// The numbers of the tests that cover it, from 0: of MC/DC a pair, first the one in which the condition holds.
    pub tests: Vec<u32>,
    /// Of MC/DC: the evaluations of that pair, or those without which there is none, by their numbers in `vectors`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub vectors: Vec<u32>,
    /// What excludes it, where that is one thing.
    pub because: Option<CoverExclusion>,
    /// Why it is infeasible or open, in words.
    pub why: Option<String>,
    /// The assumptions that the verdict rests on.
    pub assumes: Vec<String>,
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub written: GoalText,
}

/// An evaluation of a decision with several conditions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CriterionVector {
    pub line: u32,
    pub column: u32,
    /// The decision as the program has it.
    pub decision: String,
    /// For each condition in the order of the text `T`, `F`, or `-` where it is not evaluated.
    pub values: String,
    pub outcome: bool,
    #[cfg_attr(test, ts(as = "crate::analysis::report::ReportVerdict"))]
    pub verdict: &'static str,
    /// The number of the test that evaluates it so, from 0.
    pub test: Option<u32>,
    pub because: Option<CoverExclusion>,
    /// Why it is open.
    pub why: Option<String>,
    pub assumes: Vec<String>,
}

/// A replayed test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CriterionTest {
    pub input: Input,
    /// The calls before that leave the statics that the input has.
    pub after: Vec<Call>,
    /// The assumptions that it rests on.
    pub assumes: Vec<String>,
}
