//! `culdesac branches`: options.

use super::text::text;
use super::{BranchesDocument, BranchesOrder, BranchesSettings, BranchesTest, BranchesVerdict};
use crate::analysis::branches::Branches;
use crate::analysis::options::{Beside, Command, ProgramOptions, ReadFile};
use crate::analysis::settle::settled_branches;
use crate::analysis::{Analysis, Listener, Query, Question};
use crate::export::{ExportTest, Suite, TestsFormat, export};
use crate::view::{Reply, Request};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Every branch tested or proved infeasible: a suite of tests, and evidence for the branches that no execution takes
#[derive(Args)]
pub struct BranchesOptions {
    #[command(flatten)]
    program: ProgramOptions,
    /// Begin with the inputs of this file: a JSON array of inputs, or of tests as this command prints them
    #[arg(long, value_name = "FILE")]
    tests: Option<PathBuf>,
    /// Write the tests, and their coverage as LCOV, to this directory, which is made if there is none; files in it stay as they are
    #[arg(long, value_name = "DIR")]
    tests_out: Option<PathBuf>,
    /// In which form the tests are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TestsFormat::Json, requires = "tests_out")]
    tests_format: TestsFormat,
    /// Replace files of that directory that have the names of those to write
    #[arg(long, requires = "tests_out")]
    overwrite: bool,
    /// Which edge of the frontier comes next
    #[arg(long, value_enum, default_value_t = OrderOption::Fair)]
    order: OrderOption,
    /// Compare with random inputs, a depth-first search and a search by distance, which are given the same steps
    #[arg(long)]
    baselines: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OrderOption {
    /// The target with the fewest turns first
    Fair,
    /// In the order of discovery, as in the paper
    Discovery,
}

impl Command for Branches {
    type Options = BranchesOptions;

    fn program(options: &BranchesOptions) -> Option<&ProgramOptions> {
        Some(&options.program)
    }

    fn query(options: &BranchesOptions, read: ReadFile) -> Result<Query<BranchesSettings>, String> {
        let tests = match &options.tests {
            Some(file) => inputs(&read(file, None)?.1).map_err(|error| format!("{}: {error}", file.display()))?,
            None => Vec::new(),
        };
        let order = match options.order {
            OrderOption::Fair => BranchesOrder::Fair,
            OrderOption::Discovery => BranchesOrder::Discovery,
        };
        options.program.query(read, BranchesSettings { tests, order, baselines: options.baselines })
    }

    fn exported(document: &BranchesDocument, query: &Query<BranchesSettings>, options: &BranchesOptions) -> Result<Option<Beside>, String> {
        let (Some(folder), Some(request)) = (&options.tests_out, &query.request) else { return Ok(None) };
        // The edges are those of the graph that was searched.
        let request = &Request { inline_depth: document.header.inline_depth.or(request.inline_depth), ..request.clone() };
        let of = |test: &BranchesTest| ExportTest { input: test.input.clone(), after: test.after.clone(), assumes: test.assumes.clone() };
        let tests: Vec<ExportTest> = document.tests.iter().map(of).collect();
        let infeasible =
            document.list.iter().filter(|side| side.verdict == BranchesVerdict::Infeasible).flat_map(|side| side.edges.clone());
        let infeasible: Vec<u32> = infeasible.collect();
        let exported = export(&Suite { request, tests: &tests, infeasible: &infeasible }, options.tests_format)?;
        Ok(Some(Beside { folder: folder.clone(), overwrite: options.overwrite, exported }))
    }

    fn settled(question: &Question<BranchesSettings>, options: &BranchesOptions, listener: &mut Listener) -> Reply<BranchesDocument> {
        match options.program.only {
            true => Branches::answer(question, listener),
            false => settled_branches(question.request, question.settings, listener),
        }
    }

    fn text(document: &BranchesDocument, _: &Query<BranchesSettings>, _: &BranchesOptions) -> String {
        text(document)
    }
}

/// The inputs in a JSON array, or in the tests of a document.
fn inputs(text: &str) -> Result<Vec<crate::view::Input>, String> {
    let wrong = |error: serde_json::Error| format!("no inputs in JSON: {error}");
    let value: serde_json::Value = serde_json::from_str(text).map_err(wrong)?;
    let list = match value {
        serde_json::Value::Object(mut document) => document.remove("tests").unwrap_or_default(),
        other => other,
    };
    let serde_json::Value::Array(list) = list else { return Err("no inputs in JSON: give an array of inputs".to_owned()) };
    let of = |one: serde_json::Value| match one.get("input") {
        Some(input) if input.is_object() => input.clone(),
        _ => one,
    };
    list.into_iter().map(|one| serde_json::from_value(of(one)).map_err(wrong)).collect()
}
