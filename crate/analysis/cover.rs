//! Cover: tests for every statement that an execution can take within a bound, and why no execution takes the others.
//!
//! [`method`] is the algorithm of CHS12; [`report`] has the settings, the command and the document, which it writes from the tests and
//! verdicts of the method. Other analyses call the method as a finder.

pub mod method;
pub mod report;

pub use report::{
    CoverDocument, CoverDraw, CoverEnough, CoverError, CoverExclusion, CoverReason, CoverRuns, CoverSettings, CoverStatement,
    CoverSummaries, CoverSummary, CoverTest, CoverValue, CoverValues, cover,
};

use crate::analysis::{Analysis, Question};
use crate::invariants::{FactQuery, Finder, Searched};
use crate::lts::Lts;
use crate::run::listener::{Finding, Listener};
use crate::run::trace::Trace;
use crate::solver::meter::Meter;
use crate::view::Reply;

/// `cover`.
pub struct Cover;

impl Analysis for Cover {
    const NAME: &'static str = "cover";
    const DOCS: &'static str = "cover";
    /// Runs that were replayed.
    const FINDINGS: &'static [Finding] = &[Finding::Reached];
    type Settings = CoverSettings;
    type Document = CoverDocument;

    fn precondition(settings: &CoverSettings) -> Option<&str> {
        settings.precondition.as_deref()
    }

    fn answer(question: &Question<CoverSettings>, listener: &mut Listener) -> Reply<CoverDocument> {
        cover(question.request, question.settings, listener)
    }

    #[cfg(test)]
    fn declare(protocol: &mut crate::analysis::protocol::Protocol) {
        protocol.bound("MAX_UNWIND", crate::evidence::bounded::MAX_UNWIND);
        protocol.analysis::<Self>().parts::<(
            CoverTest,
            CoverDraw,
            CoverEnough,
            CoverError,
            CoverStatement,
            CoverExclusion,
            CoverReason,
            CoverSummaries,
            CoverSummary,
        )>().parts::<(CoverRuns, CoverValue, CoverValues)>();
    }
}

impl Finder for Cover {
    fn name(&self) -> &'static str {
        "cover"
    }

    fn find(&self, lts: &Lts, query: &FactQuery, effort: u32, meter: &mut Meter, trace: &Trace) -> Searched {
        method::finder::find(lts, query, effort, meter, trace)
    }
}
