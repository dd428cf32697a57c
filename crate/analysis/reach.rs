//! Reach: whether and how execution gets to a place of the program.
//!
//! [`method`] is the algorithm of ST12; [`report`] has the settings, the command and the document, which it writes from the condition
//! and the verdict of the method. Other analyses call the method as a prover and as a finder.

pub mod method;
pub mod report;

pub use method::DEFAULT_K;
pub use report::{
    MAX_K, ReachBackbone, ReachDocument, ReachFoundBy, ReachNearest, ReachNews, ReachRound, ReachSatisfiable, ReachSearch, ReachSettings,
    ReachSummary, ReachTarget, ReachValue, ReachVerdict,
};

use crate::analysis::{Analysis, Question};
use crate::invariants::{FactQuery, Finder, Proved, Prover, Searched};
use crate::lts::Lts;
use crate::run::listener::{Finding, Listener};
use crate::run::trace::Trace;
use crate::solver::meter::Meter;
use crate::view::Reply;
use method::prover;

/// `reach`.
pub struct Reach;

impl Analysis for Reach {
    const NAME: &'static str = "reach";
    const DOCS: &'static str = "reach";
    /// The run that gets there, and what is known before ([`ReachNews`]).
    const FINDINGS: &'static [Finding] = &[Finding::Reached, Finding::Step];
    type Settings = ReachSettings;
    type Document = ReachDocument;

    fn answer(question: &Question<ReachSettings>, listener: &mut Listener) -> Reply<ReachDocument> {
        report::reach(question.request, question.settings, listener)
    }

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        protocol.bound("DEFAULT_K", DEFAULT_K);
        protocol.bound("MAX_K", MAX_K);
        protocol.analysis::<Self>().event::<ReachNews>().parts::<(
            ReachTarget,
            ReachVerdict,
            ReachFoundBy,
            ReachSearch,
            ReachNearest,
            ReachBackbone,
            ReachSatisfiable,
            ReachSummary,
            ReachRound,
            ReachValue,
        )>();
    }
}

impl Prover for Reach {
    fn name(&self) -> &'static str {
        "reach"
    }

    fn show(&self, lts: &Lts, query: &FactQuery, meter: &mut Meter, trace: &Trace) -> Vec<Proved> {
        prover::show(lts, query, meter, trace)
    }
}

impl Finder for Reach {
    fn name(&self) -> &'static str {
        "reach"
    }

    fn find(&self, lts: &Lts, query: &FactQuery, effort: u32, meter: &mut Meter, trace: &Trace) -> Searched {
        prover::find(lts, query, effort, meter, trace)
    }
}
