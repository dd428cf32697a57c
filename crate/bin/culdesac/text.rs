//! Results for people: aligned tables.

use culdesac::view::{
    CfgDocument, CheckDocument, DrawDocument, DrawnPath, FeasibleBy, Input, InputValue, Number, PathsDocument, PruneDocument,
    PruneSettings, RunDocument, RunOutcome, RunVariable,
};
use std::fmt::Write;

/// How a column lines up.
#[derive(Clone, Copy)]
pub enum Align {
    Left,
    Right,
}
pub use Align::{Left, Right};

/// Rows under a head, columns two spaces apart.
pub fn table<const N: usize>(columns: [(&str, Align); N], rows: &[[String; N]]) -> String {
    let mut widths = columns.map(|(head, _)| head.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut out = String::new();
    let mut line = |cells: &[&str]| {
        let mut text = String::new();
        for ((cell, width), (_, align)) in cells.iter().zip(widths).zip(columns) {
            let _ = match align {
                Left => write!(text, "{cell:<width$}  "),
                Right => write!(text, "{cell:>width$}  "),
            };
        }
        out.push_str(text.trim_end());
        out.push('\n');
    };
    line(&columns.map(|(head, _)| head));
    rows.iter().for_each(|row| line(&row.each_ref().map(String::as_str)));
    out
}

/// How many of something, as [`number`] writes it.
pub fn counted(count: impl ToString, one: &str, many: &str) -> String {
    let digits = count.to_string();
    format!("{} {}", number(&digits), if digits == "1" { one } else { many })
}

/// A decimal number with its digits in groups of three; one of more than 30 digits rounded.
pub fn number(digits: &str) -> String {
    if digits.len() > 30 {
        return format!("≈ {}.{}e{}", &digits[..1], &digits[1..4], digits.len() - 1);
    }
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn join<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

pub fn cfg(document: &CfgDocument) -> String {
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
            [edge.id.to_string(), edge.from.to_string(), edge.to.to_string(), format!("{}:{}", edge.line, edge.column), edge.label.clone()]
        })
        .collect();
    out + "\n" + &table([("edge", Right), ("from", Right), ("to", Right), ("at", Left), ("label", Left)], &rows)
}

pub fn paths(document: &PathsDocument, feasible: bool) -> String {
    let mut out = format!("{}: complete paths by greatest length\n\n", document.header.function);
    if feasible {
        let known = |row: &culdesac::view::PathsRow| match (&row.feasible, &row.feasible_at_least) {
            (Some(feasible), _) => number(feasible),
            (None, Some(least)) => format!("≥ {}", number(least)),
            (None, None) => "open".to_owned(),
        };
        let rows: Vec<_> = document.table.iter().map(|row| [row.length.to_string(), number(&row.total), known(row)]).collect();
        out += &table([("length", Right), ("paths", Right), ("feasible", Right)], &rows);
    } else {
        let rows: Vec<_> = document.table.iter().map(|row| [row.length.to_string(), number(&row.total)]).collect();
        out += &table([("length", Right), ("paths", Right)], &rows);
    }
    if let Some(open) = &document.open {
        let _ = writeln!(out, "\nopen: {open}");
    }
    out += basis(document.feasible_by);
    if let Some(why) = &document.enumerated {
        let _ = writeln!(out, "\nfeasible paths were enumerated one by one: {why}");
    }
    out
}

pub fn prune(document: &PruneDocument, asked: &PruneSettings, feasible: bool) -> String {
    let PruneDocument { header, original, pruned, red, used, .. } = document;
    let mut out = format!(
        "{}: {} and {} become {} and {}\n",
        header.function,
        counted(original.locations, "location", "locations"),
        counted(original.edges, "edge", "edges"),
        pruned.locations,
        pruned.edges
    );
    let _ = writeln!(
        out,
        "red vertices {}: {} unsatisfiable, {} subsumed; {}, {}",
        red.vertices,
        red.marked,
        red.subsumptions,
        counted(red.abstractions, "abstraction", "abstractions"),
        counted(red.restarts, "restart", "restarts")
    );
    if (used.lookahead, used.restarts) != (asked.lookahead, asked.restarts) {
        let with = if used.restarts { "with" } else { "without" };
        let _ = writeln!(out, "what was asked for did not come to an end; built with lookahead {}, {with} restarts", used.lookahead);
        if let Some(because) = &used.because {
            let _ = writeln!(out, "  {because}");
        }
    }
    out.push('\n');
    if feasible {
        let known = |row: &culdesac::view::PruneRow| match (&row.feasible, &row.feasible_at_least) {
            (Some(feasible), _) => number(feasible),
            (None, Some(least)) => format!("≥ {}", number(least)),
            (None, None) => "open".to_owned(),
        };
        let rows: Vec<_> =
            (document.table.iter()).map(|row| [row.length.to_string(), number(&row.original), number(&row.pruned), known(row)]).collect();
        out += &table([("length", Right), ("paths", Right), ("pruned", Right), ("feasible", Right)], &rows);
    } else {
        let rows: Vec<_> = document.table.iter().map(|row| [row.length.to_string(), number(&row.original), number(&row.pruned)]).collect();
        out += &table([("length", Right), ("paths", Right), ("pruned", Right)], &rows);
    }
    out += basis(document.feasible_by);
    if let Some(open) = &document.open {
        let _ = writeln!(out, "\nopen: {open}");
    }
    out
}

/// What feasible counts rest on, where that is not all shown.
fn basis(by: Option<FeasibleBy>) -> &'static str {
    match by {
        Some(FeasibleBy::Projection) => {
            "\nfeasible paths were counted by merging; that merged paths are feasible alike rests on projections, which are trusted\n"
        }
        Some(FeasibleBy::Paths | FeasibleBy::Induction) | None => "",
    }
}

/// `label` gives the text of an edge.
pub fn draw(document: &DrawDocument, label: impl Fn(u32) -> String) -> String {
    let all = counted(&document.population, "complete path", "complete paths");
    let mut out = format!("{}: {} of {all}\n", document.header.function, document.paths.len());
    for (index, path) in document.paths.iter().enumerate() {
        let _ = writeln!(out, "\npath {}: {}, {}", index + 1, counted(path.edges.len(), "edge", "edges"), verdict(path));
        let _ = writeln!(out, "  lines {}", runs(&path.lines));
        if let Some(input) = &path.input {
            let _ = writeln!(out, "  input {}", input_text(input));
        }
        for &at in &path.core {
            let at = at as usize;
            let _ = writeln!(out, "  edge {:>3}, line {:>3}: {}", at + 1, path.lines[at], label(path.edges[at]));
        }
    }
    if let Some(open) = &document.open {
        let _ = writeln!(out, "\nopen: {open}");
    }
    out
}

/// What differs from zero, and all scalars.
pub fn input_text(input: &Input) -> String {
    let zero =
        |value: &InputValue| matches!(value, InputValue::Array(elements) if elements.values().all(|value| *value == Number::Small(0)));
    let shown = input.values.iter().filter(|(_, value)| !zero(value));
    let mut parts: Vec<_> = shown.map(|(name, value)| format!("{name} = {}", input_value(value))).collect();
    if !input.nondet.is_empty() {
        parts.push(format!("nondet() = {}", join(&input.nondet.iter().map(plain).collect::<Vec<_>>())));
    }
    if parts.is_empty() { "(any)".to_owned() } else { parts.join(", ") }
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

/// Line numbers in order, repetitions of one line once.
pub fn runs(lines: &[u32]) -> String {
    let mut lines = lines.to_vec();
    lines.dedup();
    lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn plain(number: &Number) -> String {
    match number {
        Number::Small(value) => value.to_string(),
        Number::Large(digits) if digits.len() > 100 => {
            format!("{}…{} ({} digits)", &digits[..20], &digits[digits.len() - 20..], digits.len())
        }
        Number::Large(digits) => digits.clone(),
    }
}

fn input_value(value: &InputValue) -> String {
    match value {
        InputValue::Scalar(value) => plain(value),
        InputValue::Array(elements) => {
            let parts: Vec<_> = elements.iter().map(|(index, value)| format!("{index}: {}", plain(value))).collect();
            format!("{{{}}}", parts.join(", "))
        }
    }
}

pub fn check(document: &CheckDocument) -> String {
    let (checked, rejected) = (document.checked as usize, document.rejected.len());
    let mut out = format!("{} checked, {rejected} rejected\n", counted(checked, "claim", "claims"));
    for rejected in &document.rejected {
        let _ = writeln!(out, "{}: {}", rejected.id, rejected.reason);
    }
    out
}

pub fn run(document: &RunDocument) -> String {
    let mut out = match document.outcome {
        RunOutcome::Returned => match &document.value {
            Some(value) => format!("returned {}", plain(value)),
            None => "returned".to_owned(),
        },
        RunOutcome::Aborted => "aborted".to_owned(),
        RunOutcome::ErrorCall => "reached an error".to_owned(),
        RunOutcome::AssumeFailed => "stopped: an assumption does not hold".to_owned(),
        RunOutcome::Undefined => "stopped: undefined behaviour".to_owned(),
        RunOutcome::Steps => "stopped: the limit was reached".to_owned(),
    };
    if let Some(reason) = &document.reason {
        let _ = write!(out, " ({reason})");
    }
    if let Some(place) = &document.place {
        let _ = write!(out, " at {}:{}", place.line, place.column);
    }
    let _ = writeln!(out, " after {}", counted(document.steps, "step", "steps"));
    let value = |variable: &RunVariable| {
        let end = plain(variable.end.as_ref()?);
        Some(format!("{} = {}", variable.name, variable.addresses.get(&end).unwrap_or(&end)))
    };
    let values: Vec<_> = document.variables.iter().filter_map(value).collect();
    if !values.is_empty() {
        let _ = writeln!(out, "values {}", values.join(", "));
    }
    let _ = writeln!(out, "lines {}", runs(&document.lines));
    if !document.output.is_empty() {
        let _ = writeln!(out, "\noutput:\n{}", document.output.strip_suffix('\n').unwrap_or(&document.output));
    }
    if let Some(bytes) = document.output_cut {
        let _ = writeln!(out, "(there was more: the first {bytes} bytes are kept)");
    }
    let rows: Vec<_> = (document.branches.iter())
        .map(|branch| {
            [format!("{}:{}", branch.line, branch.column), branch.holds.to_string(), branch.fails.to_string(), branch.text.clone()]
        })
        .collect();
    if !rows.is_empty() {
        out += "\n";
        out += &table([("decision", Left), ("true", Right), ("false", Right), ("", Left)], &rows);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_line_up() {
        let rows = [["1".to_owned(), "x".to_owned()], ["100".to_owned(), "ä = b".to_owned()]];
        assert_eq!(table([("n", Right), ("label", Left)], &rows), "  n  label\n  1  x\n100  ä = b\n");
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(["0", "999", "1000", "1234567"].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(number(&"12345".repeat(10)), "≈ 1.234e49");
    }
}
