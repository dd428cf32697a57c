//! Prune: a graph with the same feasible paths and fewer infeasible ones.
//!
//! [`method`] is the algorithm of AGVW16; [`report`] has the settings, the command and the document, which it writes from the pruned
//! graph of the method. Other analyses call the method as a prover, and draw and explain paths of the pruned graph.

pub mod method;
pub mod report;

pub use report::graph_settings::PruneGraphSettings;
pub use report::{
    DEFAULT_LIMIT, MAX_LOOKAHEAD, PruneDocument, PruneEdge, PruneGraph, PrunePlace, PruneRow, PruneSettings, PruneSize, PruneStep,
    PruneUsed, PruningEvent, RedSize, prune,
};

use crate::analysis::{Analysis, Question};
use crate::invariants::{FactQuery, Proved, Prover};
use crate::lts::Lts;
use crate::run::listener::{Finding, Listener};
use crate::run::trace::Trace;
use crate::solver::meter::Meter;
use crate::view::Reply;

/// `prune`.
pub struct Prune;

impl Analysis for Prune {
    const NAME: &'static str = "prune";
    const DOCS: &'static str = "prune";
    const FINDINGS: &'static [Finding] = &[Finding::Step];
    type Settings = PruneSettings;
    type Document = PruneDocument;

    fn precondition(settings: &PruneSettings) -> Option<&str> {
        settings.graph.precondition.as_deref()
    }

    fn answer(question: &Question<PruneSettings>, listener: &mut Listener) -> Reply<PruneDocument> {
        prune(question.request, question.settings, listener)
    }

    #[cfg(test)]
    fn declare(protocol: &mut crate::analysis::protocol::Protocol) {
        protocol.bound("MAX_LOOKAHEAD", MAX_LOOKAHEAD);
        protocol.constant("Steps of a pruning to which no limit is given.", "PRUNE_LIMIT", DEFAULT_LIMIT);
        protocol
            .analysis::<Self>()
            .parts::<(PruneGraphSettings, PruneSize, PruneUsed, PruneRow, PruneGraph, PrunePlace, PruneEdge, RedSize, PruneStep)>()
            .event::<PruningEvent>();
    }
}

impl Prover for Prune {
    fn name(&self) -> &'static str {
        "prune"
    }

    fn show(&self, lts: &Lts, _: &FactQuery, meter: &mut Meter, trace: &Trace) -> Vec<Proved> {
        method::prover::show(lts, meter, trace)
    }
}
