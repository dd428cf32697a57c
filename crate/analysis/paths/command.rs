//! `culdesac paths`: options, and the answer for people.

use super::{Paths, PathsDocument, PathsSettings, PathsShortest};
use crate::analysis::Query;
use crate::analysis::options::{Command, ProgramOptions, ReadFile, length};
use crate::analysis::text::{Right, Without, assumptions, basis, counts_assuming, feasible_count, number, table};
use clap::Args;
use std::fmt::Write;

/// How many complete paths there are up to given lengths
#[derive(Args)]
pub struct PathsOptions {
    #[command(flatten)]
    program: ProgramOptions,
    /// Greatest numbers of edges, e.g. 30,50,100
    #[arg(long, value_name = "L,…", value_delimiter = ',', value_parser = length, default_value = "30,50,100", allow_hyphen_values = true)]
    lengths: Vec<u32>,
    /// Count the feasible ones among them too
    #[arg(long)]
    feasible: bool,
}

impl Command for Paths {
    type Options = PathsOptions;

    fn program(options: &PathsOptions) -> Option<&ProgramOptions> {
        Some(&options.program)
    }

    fn query(options: &PathsOptions, read: ReadFile) -> Result<Query<PathsSettings>, String> {
        options.program.query(read, PathsSettings { lengths: options.lengths.clone(), feasible: options.feasible })
    }

    fn text(document: &PathsDocument, _: &Query<PathsSettings>, options: &PathsOptions) -> String {
        text(document, options.feasible)
    }
}

fn text(document: &PathsDocument, feasible: bool) -> String {
    let mut out = format!("{}: complete paths by greatest length\n\n", document.header.function);
    if feasible {
        let rows: Vec<_> = document
            .table
            .iter()
            .map(|row| {
                [row.length.to_string(), number(&row.total), feasible_count(row.feasible.as_deref(), row.feasible_at_least.as_deref())]
            })
            .collect();
        out += &table([("length", Right), ("paths", Right), ("feasible", Right)], &rows);
    } else {
        let rows: Vec<_> = document.table.iter().map(|row| [row.length.to_string(), number(&row.total)]).collect();
        out += &table([("length", Right), ("paths", Right)], &rows);
    }
    if let Some(PathsShortest { length, exact }) = &document.shortest {
        let _ = match exact {
            true => writeln!(out, "\nthe shortest complete run needs {length} steps"),
            false => writeln!(out, "\na complete run of {length} steps is known; whether there is a shorter one is open"),
        };
    }
    if let Some(open) = &document.open {
        let _ = writeln!(out, "\nopen: {open}");
    }
    out += &counts_assuming(document.table.iter().map(|row| (row.length, &row.assumes)));
    out += basis(document.feasible_by);
    if let Some(why) = &document.enumerated {
        let _ = writeln!(out, "\nfeasible paths were enumerated one by one: {why}");
    }
    out += &assumptions(&document.header, document.table.iter().map(|row| &row.assumes), Without::Possible);
    out
}
