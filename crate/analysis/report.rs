//! Report: one verdict for each branch of a function, from all engines, and what a reviewer has to know of it.
//!
//! The [schedule](super::settle) asks the engines; what they settle is entered in a [ledger](crate::ledger).
//!
//! The document has the ledger's verdicts, and findings in the order in which a reviewer needs them.

mod answer;
#[cfg(feature = "cli")]
mod command;
mod document;
pub mod entries;
mod findings;
mod mistakes;
#[cfg(feature = "cli")]
mod rows;
#[cfg(feature = "cli")]
mod sarif;
#[cfg(feature = "cli")]
mod text;

pub use answer::report;
#[cfg(feature = "cli")]
pub use answer::report_on;
pub use document::{
    ReportBranch, ReportCounts, ReportDocument, ReportErrorCall, ReportFinding, ReportFindingKind, ReportSettings, ReportTest,
    ReportVerdict,
};

use super::{Analysis, Question};
use crate::run::listener::Listener;
use crate::view::Reply;

/// `report`.
pub struct Report;

impl Analysis for Report {
    const NAME: &'static str = "report";
    const DOCS: &'static str = "report";
    type Settings = ReportSettings;
    type Document = ReportDocument;

    fn answer(question: &Question<ReportSettings>, listener: &mut Listener) -> Reply<ReportDocument> {
        report(question.request, listener)
    }

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        protocol.analysis::<Self>().parts::<(
            ReportBranch,
            ReportCounts,
            ReportErrorCall,
            ReportFinding,
            ReportFindingKind,
            ReportTest,
            ReportVerdict,
        )>();
    }
}
