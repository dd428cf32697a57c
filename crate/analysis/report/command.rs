//! `culdesac report`: options.

use super::answer::report;
use super::error_search::report_on;
use super::property::{Property, property};
use super::rows::csv;
use super::sarif::sarif;
use super::text::{markdown, text};
use super::{Report, ReportDocument, ReportSettings};
use crate::analysis::options::{BatchForm, BatchOptions, BatchQuery, Command, Form, ProgramOptions, ReadFile};
use crate::analysis::{Listener, Query, Question};
use crate::view::Reply;
use clap::{Args, ValueEnum};
use std::path::Path;

/// One verdict for each branch: errors with an input, what never runs and why, tests for the rest
#[derive(Args)]
pub struct ReportOptions {
    #[command(flatten)]
    program: ProgramOptions,
    /// In which form the report is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ReportFormat::Text, conflicts_with = "json")]
    format: ReportFormat,
    /// Answer this property of SV-COMP or Test-Comp: unreach-call, coverage-branches or coverage-error-call
    #[arg(long, value_name = "FILE.prp", value_parser = property_file)]
    property: Option<Property>,
    #[command(flatten)]
    batch: BatchOptions,
}

/// Reads a property file.
fn property_file(path: &str) -> Result<Property, String> {
    let text = std::fs::read_to_string(Path::new(path)).map_err(|error| format!("it cannot be read: {error}"))?;
    property(&text)
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// For the terminal
    Text,
    /// One JSON document, as with `--json`
    Json,
    /// Tables for a review or an issue
    Markdown,
    /// Findings for code hosts and editors: SARIF 2.1.0
    Sarif,
    /// A row for each branch
    Csv,
}

impl Command for Report {
    type Options = ReportOptions;

    fn program(options: &ReportOptions) -> Option<&ProgramOptions> {
        Some(&options.program)
    }

    fn query(options: &ReportOptions, read: ReadFile) -> Result<Query<ReportSettings>, String> {
        let mut query = options.program.query(read, ReportSettings {})?;
        if let (Some(property), Some(request)) = (&options.property, &mut query.request) {
            request.function.get_or_insert_with(|| property.entry.clone());
        }
        Ok(query)
    }

    fn settled(question: &Question<ReportSettings>, options: &ReportOptions, listener: &mut Listener) -> Reply<ReportDocument> {
        match &options.property {
            Some(property) => report_on(question.request, property, listener),
            None => report(question.request, listener),
        }
    }

    fn batch(options: &ReportOptions) -> Option<BatchQuery<'_>> {
        let form = match options.format {
            ReportFormat::Text if options.program.json => BatchForm::Lines,
            ReportFormat::Json => BatchForm::Lines,
            ReportFormat::Text => BatchForm::Text,
            ReportFormat::Markdown => BatchForm::Markdown,
            ReportFormat::Sarif => BatchForm::Log,
            ReportFormat::Csv => BatchForm::Rows,
        };
        Some(BatchQuery { options: &options.batch, form })
    }

    fn form(options: &ReportOptions) -> Result<Form, String> {
        Ok(match options.format {
            ReportFormat::Text => Form::json_if(options.program.json),
            ReportFormat::Json => Form::Json,
            ReportFormat::Markdown | ReportFormat::Sarif | ReportFormat::Csv => Form::Bare,
        })
    }

    fn text(document: &ReportDocument, _: &Query<ReportSettings>, options: &ReportOptions) -> String {
        match options.format {
            ReportFormat::Markdown => markdown(document),
            ReportFormat::Sarif => sarif(document),
            ReportFormat::Csv => csv(document),
            ReportFormat::Text | ReportFormat::Json => text(document) + &property_text(document),
        }
    }
}

/// The line on a property, at the end of a text.
fn property_text(document: &ReportDocument) -> String {
    document.property.as_ref().map_or_else(String::new, |property| format!("\n{}: {}\n", property.name, property.verdict))
}
