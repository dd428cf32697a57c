//! `culdesac report`: options.

use super::coverage::lcov;
use super::page::page;
use super::rows::csv;
use super::sarif::sarif;
use super::text::{markdown, text};
use super::witness::witness;
use super::{Report, ReportDocument, ReportSettings};
use crate::analysis::Query;
use crate::analysis::options::{Command, Form, ProgramOptions, ReadFile};
use crate::answer_page::html;
use clap::{Args, ValueEnum};

/// One verdict for each branch: errors with an input, what never runs and why, tests for the rest
#[derive(Args)]
pub struct ReportOptions {
    #[command(flatten)]
    program: ProgramOptions,
    /// In which form the report is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ReportFormat::Text, conflicts_with = "json")]
    format: ReportFormat,
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
        options.program.query(read, ReportSettings {})
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
        Ok(match options.format {
            ReportFormat::Markdown => markdown(document),
            ReportFormat::Sarif => sarif(document),
            ReportFormat::Csv => csv(document),
            ReportFormat::Html => html(&page(document, request, options.program.evidence.as_deref())),
            ReportFormat::Lcov | ReportFormat::LcovLegacy => lcov(document, request, options.format == ReportFormat::LcovLegacy)?,
            ReportFormat::Witness => witness(document, request)?,
            ReportFormat::Text | ReportFormat::Json => text(document),
        })
    }
}
