//! `explain` for people: the two tables of DBG10, or one path with its reasons.

use super::{ExplainCause, ExplainComparison, ExplainDocument, ExplainPath, ExplainRounds, ExplainStep};
use crate::analysis::text::{Left, Right, Without, assuming, assumptions, at, counted, input_text, line, number, table};
use crate::view::Header;
use std::fmt::Write;

pub fn text(document: &ExplainDocument) -> String {
    let mut out = match (&document.path, &document.rounds) {
        (Some(path), _) => one_path(document, path),
        (None, Some(rounds)) => all_rounds(document, rounds),
        (None, None) => tables(document),
    };
    if let Some(open) = &document.open {
        let _ = writeln!(out, "\nopen: {open}");
    }
    out += &assumptions(&document.header, all_assume(document).into_iter(), Without::Refused);
    out
}

/// What each verdict of the document assumes.
fn all_assume(document: &ExplainDocument) -> Vec<&Vec<String>> {
    let mut all: Vec<&Vec<String>> = document.families.iter().map(|family| &family.assumes).collect();
    if let Some(path) = &document.path {
        all.push(&path.assumes);
        all.extend(path.reasons.iter().map(|reason| &reason.assumes));
        all.extend(path.corrections.iter().map(|correction| &correction.assumes));
    }
    all.extend(document.rounds.iter().map(|rounds| &rounds.assumes));
    all
}

fn tables(document: &ExplainDocument) -> String {
    let header = &document.header;
    let mut out = format!(
        "{}: prefixes of at most {}; order {}, check {}, extend {}\n\n",
        header.function,
        instructions(document.max_instructions),
        document.order,
        document.check,
        document.extend
    );
    out += &reasons(document);
    if let Some(statics) = &document.statics {
        let _ = writeln!(out, "statics: {statics}\n");
    }
    let row = [
        document.infeasible_prefixes.to_string(),
        format!("{:.2}", document.generalized.average),
        number(&document.generalized.maximum),
        document.union.as_ref().map_or_else(|| "?".to_owned(), |union| number(&union.paths)),
    ];
    out += &table(
        [("infeasible prefixes", Right), ("paths of a family: average", Right), ("maximum", Right), ("of all together", Right)],
        &[row],
    );
    if let Some(union) = &document.union {
        out += &assuming("", &union.assumes);
    }
    if document.infeasible_prefixes == 0 && is_weak(document) {
        let _ = writeln!(out, "\ncheck {} sees no contradiction in any prefix; a stronger check may", document.check);
    }
    if let Some(union) = &document.union {
        out.push('\n');
        let rows: Vec<_> = (union.lengths.iter()).map(|row| [row.length.to_string(), number(&row.total), number(&row.rest)]).collect();
        out += &table([("length", Right), ("complete paths", Right), ("without the families", Right)], &rows);
    }
    let tally = |name: &str, tally: &super::ExplainTally| {
        [name.to_owned(), tally.prefixes.to_string(), tally.queries.to_string(), tally.refutations.to_string(), millis(tally.time_us)]
    };
    let mut rows = vec![tally("as it is", &document.without)];
    rows.extend(document.with.as_ref().map(|with| tally("with the families learned", with)));
    out.push('\n');
    out += &table([("exploring", Left), ("prefixes", Right), ("queries", Right), ("refuted", Right), ("time", Right)], &rows);
    if !document.comparison.is_empty() {
        out.push('\n');
        out += &comparison(&document.comparison, document.families.len());
    }
    out
}

/// So many reasons are written out.
const REASONS: usize = 20;

/// Why the prefixes cannot run, before anything is counted.
fn reasons(document: &ExplainDocument) -> String {
    let prefixes = |count: u32| counted(count, "prefix", "prefixes");
    let mut out = String::new();
    if document.reasons.is_empty() {
        return out;
    }
    let _ = writeln!(out, "{}, {}", counted(document.reasons.len(), "reason", "reasons"), prefixes(document.infeasible_prefixes));
    for (number_, reason) in document.reasons.iter().enumerate().take(REASONS) {
        let most = counted(&reason.paths, "path", "paths");
        let families = if reason.families.len() == 1 { "its family has" } else { "a family has at most" };
        let _ = writeln!(out, "\nreason {}: {}; {families} {most}", number_ + 1, prefixes(reason.prefixes));
        for step in &reason.explanation {
            let _ = writeln!(out, "  line {}: {} ({})", at(&document.header, step.line, step.column), step.text, step.condition);
            for cause in &step.causes {
                let _ = writeln!(out, "    as line {}", by(&document.header, cause));
            }
        }
        let path: Vec<String> = reason.prefix.iter().map(ToString::to_string).collect();
        let so = if reason.varies { ", of which this is told" } else { "" };
        let _ = writeln!(out, "  the shortest{so}: --path {}", path.join(","));
    }
    if let Some(more) = document.reasons.len().checked_sub(REASONS).filter(|&more| more > 0) {
        let _ = writeln!(out, "\nand {} (--json has all)", counted(more, "more reason", "more reasons"));
    }
    out.push('\n');
    out
}

/// An assignment with what it comes to, where its text does not say so.
fn by(header: &Header, cause: &ExplainCause) -> String {
    let line = at(header, cause.line, cause.column);
    let says = |value: &String| cause.text.ends_with(&format!("= {value}"));
    match cause.value.as_ref().filter(|value| !says(value)) {
        Some(value) => format!("{line}: {} ({} is {value})", cause.text, cause.name),
        None => format!("{line}: {}", cause.text),
    }
}

fn instructions(count: u32) -> String {
    counted(count, "instruction", "instructions")
}

/// Whether there are contradictions that the check cannot see.
fn is_weak(document: &ExplainDocument) -> bool {
    document.check != "integer"
}

fn millis(micros: f64) -> String {
    format!("{:.3} ms", micros / 1e3)
}

/// Table III.
fn comparison(rows: &[ExplainComparison], families: usize) -> String {
    let least = rows.iter().map(|row| row.bound).min().unwrap_or(0);
    let rows: Vec<&ExplainComparison> = rows.iter().filter(|row| row.bound == least).collect();
    let count = rows.len() as f64;
    let sum = |of: fn(&ExplainComparison) -> f64| rows.iter().map(|row| of(row)).sum::<f64>();
    let most = |of: fn(&ExplainComparison) -> f64| rows.iter().map(|row| of(row)).fold(0.0, f64::max);
    let (generation, exhaustive) = (sum(|row| row.generation_us), sum(|row| row.exhaustive_us));
    let line = [
        millis(generation / count),
        millis(most(|row| row.generation_us)),
        millis(exhaustive / count),
        millis(most(|row| row.exhaustive_us)),
        if generation > 0.0 { format!("{:.1}", exhaustive / generation) } else { "?".to_owned() },
    ];
    let head =
        [("generalizing: average", Right), ("maximum", Right), ("path by path: average", Right), ("maximum", Right), ("speed-up", Right)];
    format!("{} of {} compared\n{}", rows.len(), counted(families, "family", "families"), table(head, &[line]))
}

fn one_path(document: &ExplainDocument, path: &ExplainPath) -> String {
    let mut out = format!("{}: a path of {}, {}", document.header.function, counted(path.edges.len(), "edge", "edges"), path.verdict);
    if let Some(at) = path.dies_at {
        let _ = write!(out, " from edge {} on", at + 1);
    }
    out.push('\n');
    if let Some(input) = &path.input {
        let _ = writeln!(out, "  input {}", input_text(input));
    }
    out += &assuming("  ", &path.assumes);
    if path.input.is_some() {
        return out;
    }
    let rows: Vec<_> = (path.constraints.iter())
        .map(|constraint| {
            let condition = if constraint.never { "never".to_owned() } else { constraint.condition.clone() };
            [
                (constraint.index + 1).to_string(),
                at(&document.header, constraint.line, constraint.column),
                constraint.text.clone(),
                condition,
            ]
        })
        .collect();
    out.push('\n');
    out += &table([("edge", Right), ("line", Right), ("constraint", Left), ("of the inputs", Left)], &rows);
    if path.verdict == "infeasible" && path.reasons.is_empty() {
        let _ = match is_weak(document) {
            true => writeln!(
                out,
                "\nno explanation: check {} sees no contradiction among these constraints; a stronger one does",
                document.check
            ),
            false => writeln!(out, "\nno explanation was found"),
        };
    }
    for (number_, reason) in path.reasons.iter().enumerate() {
        let steps: Vec<String> = reason.explanation.iter().map(|one| step(&document.header, one)).collect();
        let _ = writeln!(out, "\nexplanation {}: {}", number_ + 1, steps.join("; "));
        for dependency in &reason.dependencies {
            let named = |index: u32| line(&document.header, path.lines.get(index as usize).copied().unwrap_or(0));
            let from = dependency.writer.map_or_else(|| "the entry".to_owned(), |writer| format!("line {}", named(writer)));
            let _ = writeln!(out, "  line {} reads {} from {from}", named(dependency.reader), dependency.name);
        }
        let _ = writeln!(
            out,
            "  automaton: {}, {} (as built: {}, {})",
            counted(reason.automaton.states, "state", "states"),
            counted(reason.automaton.transitions.len(), "transition", "transitions"),
            reason.raw.states,
            reason.raw.transitions.len()
        );
        let _ = writeln!(out, "  {}", reason.regex.as_deref().unwrap_or("(too long to be read)"));
        let _ = writeln!(out, "  {} of at most {}", counted(&reason.paths, "path", "paths"), instructions(path.max_instructions));
        out += &assuming("  ", &reason.assumes);
    }
    for correction in &path.corrections {
        let lines: Vec<String> = correction.indices.iter().map(|&index| line(&document.header, path.lines[index as usize])).collect();
        let _ = write!(out, "\nwithout the constraint of line {} the rest can hold", lines.join(" and "));
        if let Some(input) = &correction.input {
            let _ = write!(out, ": {}", input_text(input));
            if !correction.assumes.is_empty() {
                let _ = write!(out, "; {}", assuming("", &correction.assumes).trim_end());
            }
        }
    }
    if !path.corrections.is_empty() {
        out.push('\n');
    }
    out
}

fn all_rounds(document: &ExplainDocument, rounds: &ExplainRounds) -> String {
    let from = if rounds.pruned { "the pruned graph" } else { "the program" };
    let edges = counted(rounds.length, "edge", "edges");
    let mut out = format!("{}: complete paths of at most {edges} of {from}: {}\n\n", document.header.function, number(&rounds.start));
    let rows: Vec<_> = (rounds.rounds.iter().enumerate())
        .map(|(round, one)| {
            let steps: Vec<String> =
                one.explanation.iter().map(|step| format!("{}: {}", line(&document.header, step.line), step.text)).collect();
            let how = if one.drawn { "drawn" } else { "found" };
            [(round + 1).to_string(), how.to_owned(), number(&one.left), steps.join("; ")]
        })
        .collect();
    out += &table([("round", Right), ("path", Left), ("left", Right), ("because of", Left)], &rows);
    let _ = match rounds.settled {
        true => writeln!(out, "\nleft: {}, and each of them can run", number(&rounds.left)),
        false => writeln!(out, "\nleft: {}; {} of them were seen to run", number(&rounds.left), number(&rounds.feasible)),
    };
    out += &assuming("", &rounds.assumes);
    out
}

fn step(header: &Header, step: &ExplainStep) -> String {
    let causes: Vec<String> = step.causes.iter().map(|cause| by(header, cause)).collect();
    let why = if causes.is_empty() { String::new() } else { format!(", as line {}", causes.join(", line ")) };
    format!("line {}: {} ({}{why})", at(header, step.line, step.column), step.text, step.condition)
}
