//! The answer of `cover` for people.

use super::exclusion_text::excluded;
use super::{CoverDocument, CoverEnough, CoverStatement, CoverSummaries, CoverSummary};
use crate::analysis::text::{Without, assuming, assumptions, at, bracketed, calls_text, input_text, input_value, runs_of};
use crate::view::Header;
use std::fmt::Write;

pub fn text(document: &CoverDocument) -> String {
    let CoverDocument { header, tests, queries, covered, statements, unwind, .. } = document;
    let mut out = format!(
        "{}: {covered} of {statements} statements covered by {} {}",
        document.header.function,
        tests.len(),
        if tests.len() == 1 { "test" } else { "tests" }
    );
    if *statements == 0 && !tests.is_empty() {
        out = format!("{}: 1 path, it runs; there is no statement to cover", document.header.function);
    }
    let (times, questions) = (if *unwind == 1 { "once" } else { "times" }, if *queries == 1 { "query" } else { "queries" });
    let bound = if *unwind == 1 { times.to_owned() } else { format!("{unwind} {times}") };
    // Writing to a string cannot fail.
    let _ = match (document.bounded, &document.reason) {
        (true, _) => writeln!(out, " ({queries} {questions}; loops unwound {bound})"),
        (false, None) => writeln!(out, " ({queries} {questions}; all executions)"),
        (false, Some(_)) => writeln!(out, " ({queries} {questions})"),
    };
    if let Some(summaries) = &document.summaries {
        let CoverSummaries { functions, tests, queries } = summaries;
        let count = |number: u32, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
        let (found, calls) = (count(*tests, "test", "tests"), count(*queries, "query", "queries"));
        let _ = writeln!(out, "with summaries: {found} by {calls}; the rest with calls inlined");
        for CoverSummary { function, pairs, recomputed, inlined } in functions {
            let pairs = count(*pairs, "pair", "pairs");
            let _ = match (inlined, recomputed) {
                (Some(why), _) => writeln!(out, "  {function}: inlined, since {why}"),
                (None, 0) => writeln!(out, "  {function}: {pairs}"),
                (None, _) => writeln!(out, "  {function}: {pairs}, covered again {} for callers", count(*recomputed, "time", "times")),
            };
        }
    }
    for (index, test) in tests.iter().enumerate() {
        let _ = writeln!(out, "\ntest {}: {}", index + 1, input_text(&test.input));
        if test.beyond {
            let _ = writeln!(out, "  beyond {unwind} {}", if *unwind == 1 { "unwinding" } else { "unwindings" });
        }
        if !test.after.is_empty() {
            let _ = writeln!(out, "  after {}", calls_text(&test.after));
        }
        let _ = writeln!(out, "  lines {}", runs_of(header, &test.lines, test.lines_total));
        // The calls are in the text; what else is drawn is not.
        if test.draws.iter().any(|draw| draw.text != "nondet()") {
            let drawn = test.draws.iter().map(|draw| match draw.text.strip_suffix(" (volatile)") {
                Some(lvalue) => format!("line {}: {lvalue} = {}", at(header, draw.line, draw.column), input_value(&draw.value)),
                None if draw.text == "nondet()" => {
                    format!("line {}: nondet() = {}", at(header, draw.line, draw.column), input_value(&draw.value))
                }
                None => {
                    format!("line {}: {}", at(header, draw.line, draw.column), draw.text.replace("nondet()", &input_value(&draw.value)))
                }
            });
            let _ = writeln!(out, "  drawn {}", drawn.collect::<Vec<_>>().join(", "));
        }
        out += &assuming("  ", &test.assumes);
    }
    list(&mut out, header, "infeasible: no execution takes", &document.infeasible);
    list(&mut out, header, "never completes: what takes one of these fails or goes on for ever", &document.never_completes);
    list(
        &mut out,
        header,
        &format!("not within {unwind} {}; perhaps with more", if *unwind == 1 { "unwinding" } else { "unwindings" }),
        &document.not_within,
    );
    if let Some(CoverEnough { unwind, input }) = &document.enough {
        let _ = writeln!(out, "\nwith `--unwind {unwind}` the run with {} completes", input_text(input));
    }
    list(&mut out, header, "open", &document.open);
    if !document.errors.is_empty() {
        out.push_str("\nerrors:\n");
    }
    for error in &document.errors {
        // The text of a call may say what happens.
        let what = if error.error == error.text { String::new() } else { format!(": {}", error.error) };
        let text = bracketed(&error.text, error.expansion.as_ref());
        let _ = writeln!(out, "  line {:>3}: {text}{what}", at(header, error.line, error.column));
        let _ = writeln!(out, "            reached with {}", input_text(&error.input));
        if !error.after.is_empty() {
            let _ = writeln!(out, "            after {}", calls_text(&error.after));
        }
        out += &assuming("            ", &error.assumes);
    }
    if let Some(reason) = &document.reason {
        let _ = writeln!(out, "\nopen: {reason}");
    }
    let named = document.tests.iter().map(|test| &test.assumes).chain(statements_of(document));
    out += &assumptions(&document.header, named, Without::Possible);
    out
}

fn statements_of(document: &CoverDocument) -> impl Iterator<Item = &Vec<String>> {
    let all = [&document.infeasible, &document.never_completes, &document.not_within];
    all.into_iter().flatten().map(|statement| &statement.assumes).chain(document.errors.iter().map(|error| &error.assumes))
}

fn list(out: &mut String, header: &Header, title: &str, statements: &[CoverStatement]) {
    // What is not the program's is not listed.
    let statements: Vec<_> = statements.iter().filter(|statement| !statement.library).collect();
    if statements.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}:");
    for statement in statements {
        let _ = writeln!(
            out,
            "  line {:>3}: {}{}",
            at(header, statement.line, statement.column),
            bracketed(&statement.text, statement.expansion.as_ref()),
            statement.copy.as_ref().map_or_else(String::new, |copy| format!(", {copy}"))
        );
        if title == "open" && !statement.evidence.is_empty() {
            let _ = writeln!(out, "            {}", statement.evidence);
        }
        if let Some(because) = because(header, statement, title.starts_with("infeasible")) {
            let _ = writeln!(out, "            excluded by {because}");
        }
        *out += &assuming("            ", &statement.assumes);
        if let Some(input) = &statement.reached_by {
            let _ = writeln!(out, "            reached with {}", input_text(input));
        }
    }
}

/// The explanation of an exclusion as a sentence; `None` where there is none, or where a statement is excluded by itself within a bound only.
fn because(header: &Header, statement: &CoverStatement, is_infeasible: bool) -> Option<String> {
    statement.is_explained().then(|| excluded(header, &statement.excluded_by, is_infeasible)).flatten()
}
