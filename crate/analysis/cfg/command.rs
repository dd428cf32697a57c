//! `culdesac cfg`: options, and the answer for people.

use super::{Cfg, CfgDocument, CfgSettings};
use crate::analysis::Query;
use crate::analysis::options::{Command, Form, ProgramOptions, ReadFile};
use crate::analysis::text::{Left, Right, counted, join, line, table};
use crate::load::load;
use crate::lts::dot;
use clap::{Args, ValueEnum};
use std::fmt::Write;

/// The control-flow graph: locations, edges, loops
#[derive(Args)]
pub struct CfgOptions {
    #[command(flatten)]
    program: ProgramOptions,
    #[arg(long, value_enum, default_value_t = FormatOption::Text)]
    format: FormatOption,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatOption {
    /// A table
    Text,
    /// A graph for Graphviz
    Dot,
    /// The same as `--json`
    Json,
}

impl Command for Cfg {
    type Options = CfgOptions;

    fn program(options: &CfgOptions) -> Option<&ProgramOptions> {
        Some(&options.program)
    }

    fn query(options: &CfgOptions, read: ReadFile) -> Result<Query<CfgSettings>, String> {
        options.program.query(read, CfgSettings {})
    }

    fn form(options: &CfgOptions) -> Result<Form, String> {
        match options.format {
            FormatOption::Dot if options.program.json => Err("`--json` prints a document: leave it out for `--format dot`".to_owned()),
            FormatOption::Dot => Ok(Form::Bare),
            format => Ok(Form::json_if(options.program.json || format == FormatOption::Json)),
        }
    }

    fn text(document: &CfgDocument, query: &Query<CfgSettings>, options: &CfgOptions) -> String {
        match (options.format, &query.request) {
            (FormatOption::Dot, Some(request)) => load(request).map(|loaded| dot::dot(&loaded.lts)).unwrap_or_default(),
            _ => text(document),
        }
    }
}

fn text(document: &CfgDocument) -> String {
    let mut out = format!(
        "{}: {}, {}",
        document.header.function,
        counted(document.locations.len(), "location", "locations"),
        counted(document.edges.len(), "edge", "edges")
    );
    let _ = write!(out, ", entry {}, exit {}", document.entry, document.exit);
    if let Some(error) = document.error {
        let _ = write!(out, ", error {error}");
    }
    if !document.loop_headers.is_empty() {
        let _ = write!(out, ", loop headers {}", join(&document.loop_headers));
    }
    if !document.reducible {
        out.push_str(", irreducible");
    }
    out.push('\n');
    if !document.inputs.is_empty() {
        let names: Vec<_> = document.inputs.iter().map(|input| format!("{}{}", input.name, if input.array { "[]" } else { "" })).collect();
        let _ = writeln!(out, "inputs: {}", join(&names));
    }
    let rows: Vec<_> = (document.edges.iter())
        .map(|edge| {
            [
                edge.id.to_string(),
                edge.from.to_string(),
                edge.to.to_string(),
                format!("{}:{}", line(&document.header, edge.line), edge.column),
                edge.label.clone(),
            ]
        })
        .collect();
    out + "\n" + &table([("edge", Right), ("from", Right), ("to", Right), ("at", Left), ("label", Left)], &rows)
}
