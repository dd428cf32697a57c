//! Explain: why paths of a program cannot run, and which other paths cannot run for the same reason.
//!
//! [`method`] is the algorithm of DBG10; [`report`] has the settings, the command and the document, which it writes from the
//! explanations of the method.

pub mod method;
pub mod report;

pub use report::{
    DEFAULT_LIMIT, ExplainAutomaton, ExplainCause, ExplainComparison, ExplainConstraint, ExplainCorrection, ExplainDependency,
    ExplainDocument, ExplainFamily, ExplainGeneralized, ExplainGroup, ExplainLength, ExplainPath, ExplainReason, ExplainRound,
    ExplainRoundSettings, ExplainRounds, ExplainSettings, ExplainStep, ExplainTally, ExplainUnion, MAX_INSTRUCTIONS, explain,
};

use crate::analysis::{Analysis, Question};
use crate::run::listener::{Finding, Listener};
use crate::view::Reply;

/// `explain`.
pub struct Explain;

impl Analysis for Explain {
    const NAME: &'static str = "explain";
    const DOCS: &'static str = "explain";
    /// Explained prefixes: so a cancelled run has shown what it found.
    const FINDINGS: &'static [Finding] = &[Finding::Refuted, Finding::Step];
    type Settings = ExplainSettings;
    type Document = ExplainDocument;

    fn answer(question: &Question<ExplainSettings>, listener: &mut Listener) -> Reply<ExplainDocument> {
        explain(question.request, question.settings, question.clock, listener)
    }

    #[cfg(test)]
    fn declare(protocol: &mut crate::analysis::protocol::Protocol) {
        protocol.bound("MAX_INSTRUCTIONS", MAX_INSTRUCTIONS);
        protocol
            .analysis::<Self>()
            .parts::<(
                ExplainRoundSettings,
                ExplainFamily,
                ExplainStep,
                ExplainGeneralized,
                ExplainUnion,
                ExplainLength,
                ExplainTally,
                ExplainComparison,
                ExplainAutomaton,
                ExplainPath,
            )>()
            .parts::<(
                ExplainGroup,
                ExplainRounds,
                ExplainRound,
                ExplainCause,
                ExplainConstraint,
                ExplainReason,
                ExplainDependency,
                ExplainCorrection,
            )>();
    }
}
