//! Settings and document of `branches`.

use crate::analysis::branches::method::baselines::BaselineSearch;
use crate::view::{Call, Header, Input, TextPlace, document};
use serde::{Deserialize, Serialize};

/// How branches are looked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesSettings {
    /// Inputs to begin with.
    #[serde(default)]
    pub tests: Vec<Input>,
    /// Which frontier edge comes next.
    #[serde(default)]
    pub order: BranchesOrder,
    /// Whether other searches are given the same steps, for comparison.
    #[serde(default)]
    pub baselines: bool,
}

/// An order of frontier edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum BranchesOrder {
    /// The target with the fewest turns first.
    #[default]
    Fair,
    /// In the order of discovery.
    Discovery,
}

/// `branches`. A branch is a side of a decision in the text; it may have several copies, one for each call that is inlined.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    pub branches: BranchesCounts,
    /// The same where each copy counts for itself.
    pub copies: BranchesCounts,
    /// The same as the paper counts: without decisions that constant propagation decides.
    pub without_constants: BranchesCounts,
    /// All branches, in the order of the text.
    pub list: Vec<BranchesSide>,
    /// The share of covered branches among all branches, and among the branches that are not infeasible: from 0 to 1; 1 of no branches.
    pub cov_b: f64,
    pub cov_f: f64,
    /// The suite.
    pub tests: Vec<BranchesTest>,
    /// How many inputs were run in all.
    pub runs: u32,
    /// Steps at the frontier: all, up to the last branch that was covered, and up to the last one that was settled.
    pub iterations: u64,
    pub iterations_covered: u64,
    pub iterations_settled: u64,
    /// Why something is open, if so.
    pub reason: Option<String>,
    /// What other searches cover with the same steps, if that was asked.
    pub baselines: Vec<BranchesCompared>,
}

/// What another search covers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesCompared {
    pub search: BranchesBaseline,
    pub covered: u32,
    /// The share of covered branches among all branches, from 0 to 1.
    pub cov_b: f64,
    pub runs: u64,
    /// Steps in all, and until the last branch was covered.
    pub steps: u64,
    pub steps_covered: u64,
}

/// A search without preconditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum BranchesBaseline {
    Random,
    Depth,
    Distance,
}

impl From<BaselineSearch> for BranchesBaseline {
    fn from(search: BaselineSearch) -> BranchesBaseline {
        match search {
            BaselineSearch::Random => BranchesBaseline::Random,
            BaselineSearch::Depth => BranchesBaseline::Depth,
            BaselineSearch::Distance => BranchesBaseline::Distance,
        }
    }
}

/// How many branches there are, and what is known of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesCounts {
    pub total: u32,
    pub covered: u32,
    pub infeasible: u32,
    pub open: u32,
}

/// A branch.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesSide {
    pub line: u32,
    pub column: u32,
    pub place: TextPlace,
    /// What holds on this side, as the program has it; the other side of a condition is `!(…)`.
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
    /// `true` where the condition holds, `false` where it does not.
    pub side: String,
    pub verdict: BranchesVerdict,
    /// What makes it believable, in a sentence; empty for what is open.
    pub evidence: String,
    /// The assumptions that the verdict rests on.
    pub assumes: Vec<String>,
    /// The first test of the suite that takes it, from 0.
    pub test: Option<u32>,
    /// Its copies.
    pub edges: Vec<u32>,
    /// Why it is open.
    pub open: Option<String>,
    /// Of what is open: values of statics with which a run takes it, where no calls are known to leave these.
    pub state: Option<Input>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum BranchesVerdict {
    /// A test takes it.
    Covered,
    /// No execution takes it.
    Infeasible,
    Open,
}

/// A test of the suite.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesTest {
    pub input: Input,
    /// How its run ends, in a few words: it returns, fails an assertion, …
    pub ends: String,
    /// Whether it ends as C says: in anything but that, what is printed here need not be what a compiled program does.
    pub is_defined: bool,
    /// The edges that it takes, and the line of each.
    pub path_length: u32,
    pub edges: Vec<u32>,
    pub lines: Vec<u32>,
    /// How many lines there are, where `lines` has only the first 10,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_total: Option<u32>,
    /// The branches that it takes, by their position in the list.
    pub takes: Vec<u32>,
    /// The assumptions that it rests on.
    pub assumes: Vec<String>,
    /// The calls since the program's start that leave the statics as the input has them.
    pub after: Vec<Call>,
}

document!(BranchesDocument);
