//! `export`: tests for other tools, asked by the page ([`crate::export`]). `branches --tests-out` writes the same files.

use super::{Analysis, Question};
use crate::export::{ExportTest, Exported, ExportedFile, Suite, TestsFormat, export};
use crate::load::refused;
use crate::run::listener::Listener;
use crate::view::{Document, Header, Reply};
use serde::{Deserialize, Serialize};

/// What to export of a program.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExportSettings {
    pub tests: Vec<ExportTest>,
    /// Edges that no execution takes, by their numbers.
    pub infeasible: Vec<u32>,
    pub format: TestsFormat,
}

/// The files.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExportDocument {
    pub files: Vec<ExportedFile>,
    /// What they do not hold, in sentences.
    pub notes: Vec<String>,
    /// How many tests they hold, and how many were asked for.
    pub tests_kept: usize,
    pub tests_all: usize,
    /// How many branch sides the tests that they hold take, and how many there are.
    pub sides_taken: usize,
    pub sides_all: usize,
}

impl From<Exported> for ExportDocument {
    fn from(exported: Exported) -> ExportDocument {
        let Exported { files, notes, tests: (tests_kept, tests_all), sides: (sides_taken, sides_all), .. } = exported;
        ExportDocument { files, notes, tests_kept, tests_all, sides_taken, sides_all }
    }
}

impl Document for ExportDocument {
    fn header(&self) -> Option<&Header> {
        None
    }

    fn header_mut(&mut self) -> Option<&mut Header> {
        None
    }
}

/// `export`.
pub struct Export;

impl Analysis for Export {
    const NAME: &'static str = "export";
    const DOCS: &'static str = "branches";
    type Settings = ExportSettings;
    type Document = ExportDocument;

    fn answer(question: &Question<ExportSettings>, _: &mut Listener) -> Reply<ExportDocument> {
        let ExportSettings { tests, infeasible, format } = question.settings;
        match export(&Suite { request: question.request, tests, infeasible }, *format) {
            Ok(exported) => Reply::Document { document: exported.into() },
            Err(error) => refused("input", error),
        }
    }

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        protocol.analysis::<Self>().parts::<(ExportTest, ExportedFile, TestsFormat)>();
    }
}
