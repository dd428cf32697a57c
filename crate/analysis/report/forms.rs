//! The forms of a report that are files: what `culdesac report --format` prints and the page saves.

use super::ReportDocument;
use super::coverage::lcov;
use super::page::page;
use super::rows::csv;
use super::sarif::sarif;
use super::text::markdown;
use super::witness::witness;
use crate::answer_page::html;
use crate::view::Request;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReportForm {
    /// The document itself, on one line.
    Json,
    Markdown,
    Sarif,
    Csv,
    Html,
    /// LCOV 2.5.
    Lcov,
    /// LCOV for each version.
    LcovLegacy,
    /// A witness of SV-COMP 2.0.
    Witness,
}

/// A report as a file. `evidence` is the name of the file that has its proofs, where one is written.
///
/// # Errors
/// Why the form cannot hold this report.
pub fn written(document: &ReportDocument, request: &Request, form: ReportForm, evidence: Option<&Path>) -> Result<String, String> {
    Ok(match form {
        ReportForm::Json => serde_json::to_string(document).map_err(|error| error.to_string())? + "\n",
        ReportForm::Markdown => markdown(document),
        ReportForm::Sarif => sarif(document),
        ReportForm::Csv => csv(document),
        ReportForm::Html => html(&page(document, request, evidence)),
        ReportForm::Lcov | ReportForm::LcovLegacy => lcov(document, request, form == ReportForm::LcovLegacy)?,
        ReportForm::Witness => witness(document, request)?,
    })
}
