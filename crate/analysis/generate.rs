//! `generate`: a random program of the kind that CHS12 was measured on ([`crate::generate`]).

#[cfg(feature = "cli")]
mod command;
mod document;

pub use document::{GenerateDocument, GenerateSettings};

use super::{Analysis, Question};
use crate::generate::diamonds;
use crate::run::listener::Listener;
use crate::view::Reply;

/// `generate`.
pub struct Generate;

impl Analysis for Generate {
    const NAME: &'static str = "generate";
    const DOCS: &'static str = "cover";
    const OF_PROGRAM: bool = false;
    type Settings = GenerateSettings;
    type Document = GenerateDocument;

    fn answer(question: &Question<GenerateSettings>, _: &mut Listener) -> Reply<GenerateDocument> {
        Reply::Document { document: GenerateDocument { text: diamonds(question.settings.diamonds, question.settings.seed) } }
    }

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        protocol.analysis::<Self>();
    }
}
