//! `culdesac prune`: options, and the answer for people.

use super::graph_options::GraphOptions;
use super::{PruneDocument, PruneSettings};
use crate::analysis::Query;
use crate::analysis::options::{Command, ProgramOptions, ReadFile, length};
use crate::analysis::prune::Prune;
use crate::analysis::prune::method::graph::USUAL;
use crate::analysis::text::{Right, Without, assuming, assumptions, basis, counted, counts_assuming, feasible_count, number, table};
use clap::Args;
use std::fmt::Write;

/// A graph with the same feasible paths and fewer infeasible ones
#[derive(Args)]
pub struct PruneOptions {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    graph: GraphOptions,
    /// Greatest numbers of edges, e.g. 30,50,100
    #[arg(long, value_name = "L,…", value_delimiter = ',', value_parser = length, default_value = "30,50,100", allow_hyphen_values = true)]
    lengths: Vec<u32>,
    /// Count the feasible ones too
    #[arg(long)]
    feasible: bool,
}

impl Command for Prune {
    type Options = PruneOptions;

    fn program(options: &PruneOptions) -> Option<&ProgramOptions> {
        Some(&options.program)
    }

    fn query(options: &PruneOptions, read: ReadFile) -> Result<Query<PruneSettings>, String> {
        let settings = PruneSettings { graph: options.graph.settings(), lengths: options.lengths.clone(), feasible: options.feasible };
        options.program.query(read, settings)
    }

    fn text(document: &PruneDocument, query: &Query<PruneSettings>, _: &PruneOptions) -> String {
        text(document, &query.settings)
    }
}

fn text(document: &PruneDocument, query: &PruneSettings) -> String {
    let PruneDocument { header, original, pruned, red, used, .. } = document;
    let mut out = format!(
        "{}: {} and {} become {} and {}\n",
        header.function,
        counted(original.locations, "location", "locations"),
        counted(original.edges, "edge", "edges"),
        pruned.locations,
        pruned.edges
    );
    out += &assuming("", &document.graph.assumes);
    let _ = writeln!(
        out,
        "red vertices {}: {} unsatisfiable, {} subsumed; {}, {}",
        red.vertices,
        red.marked,
        red.subsumptions,
        counted(red.abstractions, "abstraction", "abstractions"),
        counted(red.restarts, "restart", "restarts")
    );
    if let Some(length) = used.exact_up_to {
        let _ = writeln!(out, "exact up to length {length}: no infeasible path of so many edges is left");
    } else if let Some(because) = &used.because {
        let with = if used.restarts { "with" } else { "without" };
        let depth = used.max_red_length.map_or(String::new(), |depth| format!(", greatest red length {depth}"));
        let _ = writeln!(out, "what was asked for did not come to an end; built with lookahead {}, {with} restarts{depth}", used.lookahead);
        let _ = writeln!(out, "  {because}");
    } else if query.graph.lookahead.is_none() && used.lookahead != USUAL.settings.lookahead {
        let _ = writeln!(out, "built with lookahead {}, which leaves fewer paths than {}", used.lookahead, USUAL.settings.lookahead);
    }
    out.push('\n');
    if query.feasible {
        let rows: Vec<_> = (document.table.iter())
            .map(|row| {
                [
                    row.length.to_string(),
                    number(&row.original),
                    number(&row.pruned),
                    feasible_count(row.feasible.as_deref(), row.feasible_at_least.as_deref()),
                ]
            })
            .collect();
        out += &table([("length", Right), ("paths", Right), ("pruned", Right), ("feasible", Right)], &rows);
    } else {
        let rows: Vec<_> = document.table.iter().map(|row| [row.length.to_string(), number(&row.original), number(&row.pruned)]).collect();
        out += &table([("length", Right), ("paths", Right), ("pruned", Right)], &rows);
    }
    out += &counts_assuming(document.table.iter().map(|row| (row.length, &row.assumes)));
    out += basis(document.feasible_by);
    if let Some(open) = &document.open {
        let _ = writeln!(out, "\nopen: {open}");
    }
    out += &assumptions(&document.header, document.table.iter().map(|row| &row.assumes).chain([&document.graph.assumes]), Without::Refused);
    out
}
