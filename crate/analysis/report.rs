//! Report: one verdict for each branch of a function, from all engines, and what a reviewer has to know of it.
//!
//! The [schedule](super::settle) asks the engines; what they settle is entered in a [ledger](crate::ledger).
//!
//! The document has the ledger's verdicts, and findings in the order in which a reviewer needs them.

mod answer;
#[cfg(feature = "files")]
pub mod citations;
#[cfg(feature = "cli")]
mod command;
#[cfg(feature = "files")]
mod coverage;
mod document;
pub mod entries;
mod error_call;
#[cfg(feature = "cli")]
mod error_search;
mod failing;
mod findings;
#[cfg(feature = "files")]
mod forms;
#[cfg(feature = "files")]
mod graph;
#[cfg(feature = "files")]
mod innocuous;
mod mistakes;
#[cfg(feature = "files")]
mod page;
mod passed;
#[cfg(feature = "cli")]
mod property;
#[cfg(feature = "files")]
mod rows;
mod safety;
#[cfg(feature = "files")]
mod safety_section;
#[cfg(feature = "files")]
mod sarif;
#[cfg(feature = "files")]
mod sentences;
#[cfg(feature = "files")]
mod text;
mod unset;
#[cfg(feature = "files")]
mod witness;

#[cfg(feature = "files")]
pub use text::{code, escaped};

pub use answer::report;
#[cfg(feature = "cli")]
pub use answer::report_on_criterion;
#[cfg(feature = "files")]
pub use answer::settled_report;
#[cfg(feature = "files")]
pub use document::ReportInnocuous;
pub use document::{
    ReportBranch, ReportCounts, ReportDocument, ReportErrorCall, ReportFinding, ReportFindingKind, ReportHazard, ReportHazardVerdict,
    ReportSafety, ReportSettings, ReportTest, ReportUnjudged, ReportVerdict,
};
#[cfg(feature = "files")]
pub use forms::{ReportForm, written};
#[cfg(feature = "cli")]
pub use property::{Property, PropertyAnswer, PropertyGoal, property};

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
        protocol
            .analysis::<Self>()
            .parts::<(
                ReportBranch,
                ReportCounts,
                ReportErrorCall,
                ReportFinding,
                ReportFindingKind,
                ReportHazard,
                ReportHazardVerdict,
                ReportSafety,
                ReportTest,
                ReportVerdict,
            )>()
            .parts::<(ReportUnjudged,)>();
    }
}
