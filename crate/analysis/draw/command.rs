//! `culdesac draw`: options, and the answer for people.

use super::{Draw, DrawDocument, DrawSettings, DrawnPath};
use crate::analysis::Query;
use crate::analysis::options::{Command, ProgramOptions, ReadFile, count, length};
use crate::analysis::prune::report::graph_options::GraphOptions;
use crate::analysis::text::{Without, assuming, assumptions, calls_text, counted, input_text, line, runs};
use crate::load::load;
use crate::lts::EdgeId;
use clap::Args;
use std::fmt::Write;

/// Draw complete paths uniformly at random
#[derive(Args)]
pub struct DrawOptions {
    #[command(flatten)]
    program: ProgramOptions,
    /// The greatest number of edges
    #[arg(long, value_name = "L", value_parser = length, allow_hyphen_values = true)]
    length: u32,
    /// How many paths
    #[arg(long, value_name = "N", value_parser = count, default_value = "1", allow_hyphen_values = true)]
    count: u32,
    /// Draw from the pruned graph
    #[arg(long)]
    pruned: bool,
    #[command(flatten)]
    graph: GraphOptions,
    /// Draw until this many feasible paths are found, and print those only
    #[arg(long)]
    feasible_only: bool,
}

impl Command for Draw {
    type Options = DrawOptions;

    fn program(options: &DrawOptions) -> Option<&ProgramOptions> {
        Some(&options.program)
    }

    fn query(options: &DrawOptions, read: ReadFile) -> Result<Query<DrawSettings>, String> {
        let graph = options.graph.settings();
        let precondition = graph.precondition.clone();
        let (length, count, feasible_only) = (options.length, options.count, options.feasible_only);
        let pruned = options.pruned.then_some(graph);
        options.program.query(read, DrawSettings { length, count, feasible_only, pruned, precondition })
    }

    fn text(document: &DrawDocument, query: &Query<DrawSettings>, _: &DrawOptions) -> String {
        let loaded = query.request.as_ref().and_then(|request| load(request).ok());
        let label = |edge: u32| match &loaded {
            Some(loaded) => {
                let edge = EdgeId::new(edge as usize);
                if loaded.lts.graph.edge_weight(edge).is_some() { loaded.source_text(edge).text } else { String::new() }
            }
            None => String::new(),
        };
        written(document, label)
    }
}

/// `label` gives the text of an edge.
fn written(document: &DrawDocument, label: impl Fn(u32) -> String) -> String {
    let all = counted(&document.population, "complete path", "complete paths");
    let mut out = format!("{}: {} of {all}\n", document.header.function, document.paths.len());
    out += &assuming("", &document.assumes);
    for (index, path) in document.paths.iter().enumerate() {
        let _ = writeln!(out, "\npath {}: {}, {}", index + 1, counted(path.edges.len(), "edge", "edges"), verdict(path));
        let _ = writeln!(out, "  lines {}", runs(&document.header, &path.lines));
        if let Some(input) = &path.input {
            let _ = writeln!(out, "  input {}", input_text(input));
            if !path.after.is_empty() {
                let _ = writeln!(out, "  after {}", calls_text(&path.after));
            }
        }
        for &at in &path.core {
            let at = at as usize;
            let _ = writeln!(out, "  edge {:>3}, line {:>3}: {}", at + 1, line(&document.header, path.lines[at]), label(path.edges[at]));
        }
        out += &assuming("  ", &path.assumes);
    }
    if let Some(open) = &document.open {
        let _ = writeln!(out, "\nopen: {open}");
    }
    out += &assumptions(&document.header, document.paths.iter().map(|path| &path.assumes).chain([&document.assumes]), Without::Possible);
    out
}

fn verdict(path: &DrawnPath) -> String {
    match (path.feasible, path.dies_at, &path.open) {
        (Some(true), ..) => "feasible".to_owned(),
        (Some(false), Some(index), _) => format!("infeasible from edge {} on, because of", index + 1),
        (Some(false), None, _) => "infeasible".to_owned(),
        (None, _, Some(open)) => format!("open: {open}"),
        (None, _, None) => "open".to_owned(),
    }
}
