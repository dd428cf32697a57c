//! `culdesac report`: options.

use super::rows::csv;
use super::sarif::sarif;
use super::text::{markdown, text};
use super::{Report, ReportDocument, ReportSettings};
use crate::analysis::Query;
use crate::analysis::options::{Command, Form, ProgramOptions, ReadFile};
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
            ReportFormat::Markdown | ReportFormat::Sarif | ReportFormat::Csv => Form::Bare,
        })
    }

    fn text(document: &ReportDocument, _: &Query<ReportSettings>, options: &ReportOptions) -> String {
        match options.format {
            ReportFormat::Markdown => markdown(document),
            ReportFormat::Sarif => sarif(document),
            ReportFormat::Csv => csv(document),
            ReportFormat::Text | ReportFormat::Json => text(document),
        }
    }
}
