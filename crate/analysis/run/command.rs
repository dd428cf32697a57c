//! `culdesac run`: options, and the answer for people.

use super::{RunAnalysis, RunDocument, RunOutcome, RunSettings, RunVariable};
use crate::analysis::Query;
use crate::analysis::options::{Command, ProgramOptions, ReadFile};
use crate::analysis::text::{Left, Right, Without, assuming, assumptions, counted, line, plain, runs_of, table};
use crate::lts::sides::without_copies;
use crate::view::Input;
use clap::Args;
use std::fmt::Write;

/// Run the function on one input
#[derive(Args)]
pub struct RunOptions {
    #[command(flatten)]
    program: ProgramOptions,
    /// As tests are written: 'n = 3, c = '\''a'\'', a = {7, 1}, p = {.value = 3}, nondet() = 1, 2, stdin = "43\n"', or as JSON: '{"n": 3, "a": {"0": 7, "default": 0}, "nondet": [1, 2], "stdin": "43\n"}'; what is left out is 0, and the text on standard input empty
    #[arg(long, value_name = "INPUT", default_value = "{}")]
    input: String,
    /// End the run where it needs more text on standard input than is given, not at the end of the file
    #[arg(long)]
    open_stdin: bool,
}

impl Command for RunAnalysis {
    type Options = RunOptions;

    fn program(options: &RunOptions) -> Option<&ProgramOptions> {
        Some(&options.program)
    }

    fn query(options: &RunOptions, read: ReadFile) -> Result<Query<RunSettings>, String> {
        let mut query = options.program.query(read, RunSettings { is_open: options.open_stdin, ..RunSettings::default() })?;
        match options.input.trim_start().starts_with(['{', '[']) {
            true => query.settings.input = read_input(&options.input)?,
            false => query.settings.line = Some(options.input.clone()),
        }
        Ok(query)
    }

    fn text(document: &RunDocument, _: &Query<RunSettings>, _: &RunOptions) -> String {
        text(document)
    }
}

/// Reads a test input, part by part, so that a message can name the part.
fn read_input(json: &str) -> Result<Input, String> {
    let parts: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).map_err(|error| {
        format!("--input is not a JSON object from names to integers or arrays, e.g. {{\"n\": 3, \"nondet\": [1, 2]}}: {error}")
    })?;
    let mut input = Input::default();
    for (name, part) in parts {
        let wrong = format!("`{name}` in the input: {part} is not");
        if name == "stdin" {
            input.stdin = serde_json::from_value(part).map_err(|_| format!("{wrong} a string, the text on standard input"))?;
        } else if name == "nondet_names" || name == "written_as" {
            // They say what the values are, and so do the values.
        } else if name == "nondet" {
            input.nondet = serde_json::from_value(part)
                .map_err(|_| format!("{wrong} a list of integers, or of arrays like {{\"0\": 3, \"default\": 0}}"))?;
        } else {
            let value = serde_json::from_value(part)
                .map_err(|_| format!("{wrong} an integer or an array like {{\"0\": 3, \"default\": 0}} (large integers are strings)"))?;
            input.values.insert(name, value);
        }
    }
    Ok(input)
}

/// So many variables of copies of functions stand in the text.
const FEW: usize = 12;

fn text(document: &RunDocument) -> String {
    let mut out = match document.outcome {
        RunOutcome::Returned => match &document.value {
            Some(value) => format!("returned {}", document.value_name.clone().unwrap_or_else(|| plain(value))),
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
        let _ = write!(out, " at {}:{}", line(&document.header, place.line), place.column);
    }
    let _ = writeln!(out, " after {}", counted(document.steps, "step", "steps"));
    out += &assuming("", &document.assumes);
    let value = |variable: &RunVariable| {
        let end = plain(variable.end.as_ref()?);
        Some(format!("{} = {}", variable.name, variable.addresses.get(&end).unwrap_or(&end)))
    };
    // Each inlined call has copies of the variables of its function; the JSON document has all of them.
    let (first, copies): (Vec<&RunVariable>, Vec<&RunVariable>) =
        document.variables.iter().partition(|variable| !variable.name.contains('#'));
    let mut values: Vec<_> = first.into_iter().filter_map(value).collect();
    if copies.len() <= FEW {
        values.extend(copies.into_iter().filter_map(value));
    } else {
        values.push(format!("and those of {} copies in further calls", copies.len()));
    }
    if !values.is_empty() {
        let _ = writeln!(out, "values {}", values.join(", "));
    }
    let _ = writeln!(out, "lines {}", runs_of(&document.header, &document.lines, document.lines_total));
    if !document.output.is_empty() {
        let _ = writeln!(out, "\noutput:\n{}", document.output.strip_suffix('\n').unwrap_or(&document.output));
    }
    if let Some(bytes) = document.output_cut {
        let _ = writeln!(out, "(there was more: the first {bytes} bytes are kept)");
    }
    // Copies of a decision are one row.
    let mut decisions: Vec<(String, String, [u64; 2])> = Vec::new();
    for branch in &document.branches {
        let (at, text) = (format!("{}:{}", line(&document.header, branch.line), branch.column), without_copies(&branch.text));
        let counts = [branch.holds, branch.fails];
        match decisions.iter_mut().find(|(other, other_text, _)| (other, other_text) == (&at, &text)) {
            Some((.., all)) => all.iter_mut().zip(counts).for_each(|(all, count)| *all += count),
            None => decisions.push((at, text, counts)),
        }
    }
    let rows: Vec<_> = decisions.into_iter().map(|(at, text, [holds, fails])| [at, holds.to_string(), fails.to_string(), text]).collect();
    if !rows.is_empty() {
        out += "\n";
        out += &table([("decision", Left), ("true", Right), ("false", Right), ("", Left)], &rows);
    }
    out += &assumptions(&document.header, [&document.assumes].into_iter(), Without::Possible);
    out
}
