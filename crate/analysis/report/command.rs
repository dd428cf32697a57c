//! `culdesac report`: options.

use super::rows::csv;
use super::sarif::sarif;
use super::text::{markdown, test_text, text};
use super::{Report, ReportDocument, ReportSettings, report_on};
use crate::analysis::criteria::options::CriterionOptions;
use crate::analysis::criteria::text as criterion_text;
use crate::analysis::options::{Command, Form, ProgramOptions, ReadFile};
use crate::analysis::{Analysis, Listener, Query, Question};
use crate::lts::unfold::GraphUnfolding;
use crate::view::Reply;
use clap::{Args, ValueEnum};

/// One verdict for each branch: errors with an input, what never runs and why, tests for the rest
#[derive(Args)]
pub struct ReportOptions {
    #[command(flatten)]
    program: ProgramOptions,
    /// In which form the report is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ReportFormat::Text, conflicts_with = "json")]
    format: ReportFormat,
    #[command(flatten)]
    criterion: CriterionOptions,
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
        options.criterion.checked()?;
        options.program.query(read, ReportSettings {})
    }

    fn settled(question: &Question<ReportSettings>, options: &ReportOptions, listener: &mut Listener) -> Reply<ReportDocument> {
        match options.criterion.choice() {
            Some(choice) => report_on(question.request, choice, listener),
            None => Report::answer(question, listener),
        }
    }

    fn unfolding(options: &ReportOptions) -> Option<GraphUnfolding> {
        options.criterion.unfolding()
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
            ReportFormat::Csv => match &document.criterion {
                Some(criterion) => criterion_text::csv(&document.header, criterion, &|test| test_text(&document.tests[test as usize])),
                None => csv(document),
            },
            ReportFormat::Text | ReportFormat::Json => text(document),
        }
    }
}
