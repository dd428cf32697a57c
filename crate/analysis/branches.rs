//! Branches: a suite of tests for every branch that an execution can take, and evidence for the others that none does.
//!
//! [`method`] is the algorithm of BDP16; [`report`] has the settings, the command and the document, which it writes from the runs and the
//! claims of the method, and the news of each step.

pub mod method;
pub mod report;

pub use report::{
    BranchesBaseline, BranchesChange, BranchesCompared, BranchesCounts, BranchesDid, BranchesDocument, BranchesGap, BranchesGone,
    BranchesNews, BranchesOrder, BranchesOrigin, BranchesSettings, BranchesSide, BranchesStep, BranchesTest, BranchesVerdict,
    BranchesWanted,
};

use crate::analysis::{Analysis, Question};
use crate::run::listener::{Finding, Listener};
use crate::view::Reply;

/// `branches`.
pub struct Branches;

impl Analysis for Branches {
    const NAME: &'static str = "branches";
    const DOCS: &'static str = "branches";
    type Settings = BranchesSettings;
    type Document = BranchesDocument;

    fn answer(question: &Question<BranchesSettings>, listener: &mut Listener) -> Reply<BranchesDocument> {
        report::branches(question.request, question.settings, listener)
    }

    const FINDINGS: &'static [Finding] = &[Finding::Step];

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        protocol.analysis::<Self>().event::<BranchesNews>().parts::<(
            BranchesOrder,
            BranchesBaseline,
            BranchesCompared,
            BranchesCounts,
            BranchesSide,
            BranchesTest,
            BranchesVerdict,
            BranchesChange,
            BranchesStep,
        )>();
        protocol.parts::<(BranchesDid, BranchesOrigin, BranchesGone, BranchesWanted, BranchesGap)>();
    }
}
