//! `forms`: a report as a file, asked by the page. `culdesac report --format` prints the same.

use super::report::{ReportDocument, ReportForm, written};
use super::{Analysis, Question};
use crate::load::refused;
use crate::run::listener::Listener;
use crate::view::{Document, Header, Reply};
use serde::{Deserialize, Serialize};

/// A report, and the form of its file.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FormsSettings {
    /// The answer of `report` to the same request.
    pub document: ReportDocument,
    pub form: ReportForm,
}

/// The file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FormsDocument {
    pub text: String,
}

impl Document for FormsDocument {
    fn header(&self) -> Option<&Header> {
        None
    }

    fn header_mut(&mut self) -> Option<&mut Header> {
        None
    }
}

/// `forms`.
pub struct Forms;

impl Analysis for Forms {
    const NAME: &'static str = "forms";
    const DOCS: &'static str = "report";
    type Settings = FormsSettings;
    type Document = FormsDocument;

    fn answer(question: &Question<FormsSettings>, _: &mut Listener) -> Reply<FormsDocument> {
        let FormsSettings { document, form } = question.settings;
        match written(document, question.request, *form, None) {
            Ok(text) => Reply::Document { document: FormsDocument { text } },
            Err(error) => refused("form", error),
        }
    }

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        protocol.analysis::<Self>().parts::<(ReportForm,)>();
    }
}
