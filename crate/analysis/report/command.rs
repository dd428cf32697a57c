//! `culdesac report`: options.

use super::answer::report;
use super::error_search::report_on;
use super::forms::{ReportForm, written};
use super::property::{ErrorTarget, Property, property};
use super::text::{test_text, text};
use super::{Report, ReportDocument, ReportSettings, report_on_criterion};
use crate::analysis::criteria::options::CriterionOptions;
use crate::analysis::criteria::text as criterion_text;
use crate::analysis::options::{BatchForm, BatchOptions, BatchQuery, Command, Form, ProgramOptions, ReadFile};
use crate::analysis::{Listener, Query, Question};
use crate::lts::unfold::GraphUnfolding;
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
    #[arg(long, value_name = "FILE.prp", value_parser = property_file, conflicts_with = "criterion")]
    property: Option<Property>,
    #[command(flatten)]
    criterion: CriterionOptions,
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
    /// One page for a browser and for paper: the findings, the program with its verdicts, all branches and tests
    Html,
    /// Coverage by the report's tests as LCOV 2.5, in which an infeasible branch is unreachable
    Lcov,
    /// Coverage as each version of LCOV reads it, in which an infeasible branch was never taken
    LcovLegacy,
    /// The run into an error call as a witness of SV-COMP 2.0
    Witness,
}

impl Command for Report {
    type Options = ReportOptions;

    fn program(options: &ReportOptions) -> Option<&ProgramOptions> {
        Some(&options.program)
    }

    fn query(options: &ReportOptions, read: ReadFile) -> Result<Query<ReportSettings>, String> {
        options.criterion.checked()?;
        let mut query = options.program.query(read, ReportSettings {})?;
        if let (Some(property), Some(request)) = (&options.property, &mut query.request) {
            request.function.get_or_insert_with(|| property.entry.clone());
            request.label_steps = matches!(property.target, ErrorTarget::Label(_));
        }
        Ok(query)
    }

    fn settled(question: &Question<ReportSettings>, options: &ReportOptions, listener: &mut Listener) -> Reply<ReportDocument> {
        match (&options.property, options.criterion.choice()) {
            (Some(property), _) => report_on(question.request, property, listener),
            (None, Some(choice)) => report_on_criterion(question.request, choice, listener),
            (None, None) => report(question.request, listener),
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
            ReportFormat::Lcov | ReportFormat::LcovLegacy => BatchForm::Parts,
            ReportFormat::Html | ReportFormat::Witness => BatchForm::Single,
        };
        Some(BatchQuery { options: &options.batch, form })
    }

    fn unfolding(options: &ReportOptions) -> Option<GraphUnfolding> {
        options.criterion.unfolding()
    }

    fn form(options: &ReportOptions) -> Result<Form, String> {
        Ok(match options.format {
            ReportFormat::Text => Form::json_if(options.program.json),
            ReportFormat::Json => Form::Json,
            _ => Form::Bare,
        })
    }

    fn text(document: &ReportDocument, _: &Query<ReportSettings>, _: &ReportOptions) -> String {
        text(document)
    }

    fn printed(document: &ReportDocument, query: &Query<ReportSettings>, options: &ReportOptions) -> Result<String, String> {
        let request = query.request.as_ref().expect("a report is about a program");
        let written = |form| written(document, request, form, options.program.evidence.as_deref());
        match (options.format, &document.criterion) {
            (ReportFormat::Text | ReportFormat::Json, _) => Ok(text(document) + &property_text(document)),
            (ReportFormat::Csv, Some(criterion)) => {
                Ok(criterion_text::csv(&document.header, criterion, &|test| test_text(&document.tests[test as usize])))
            }
            (ReportFormat::Markdown, _) => written(ReportForm::Markdown),
            (ReportFormat::Sarif, _) => written(ReportForm::Sarif),
            (ReportFormat::Csv, None) => written(ReportForm::Csv),
            (ReportFormat::Html, _) => written(ReportForm::Html),
            (ReportFormat::Lcov, _) => written(ReportForm::Lcov),
            (ReportFormat::LcovLegacy, _) => written(ReportForm::LcovLegacy),
            (ReportFormat::Witness, _) => written(ReportForm::Witness),
        }
    }
}

/// The line on a property, at the end of a text.
fn property_text(document: &ReportDocument) -> String {
    document.property.as_ref().map_or_else(String::new, |property| format!("\n{}: {}\n", property.name, property.verdict))
}
