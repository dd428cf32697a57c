//! Tests as data: JSON, and a table of comma-separated values (RFC 4180).

use super::step::is_exit;
use super::suite::covers;
use super::{ExportTest, ExportedFile};
use crate::interp::{Input, Machine, Outcome};
use crate::load::Loaded;
use crate::lts::sides::sides;
use crate::lts::text::label;
use crate::view::{self, InputValue, Number, input_view};
use std::fmt::Write as _;

/// Inputs, as `--tests` reads them.
pub fn json(loaded: &Loaded, inputs: &[Input]) -> ExportedFile {
    let inputs: Vec<String> = inputs.iter().map(|input| object(&input_view(&loaded.lts, input))).collect();
    ExportedFile { name: "tests.json".to_owned(), text: format!("[\n  {}\n]\n", inputs.join(",\n  ")) }
}

/// A text as a string of JSON.
fn string(text: &str) -> String {
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if u32::from(c) < 32 => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

/// An input as JSON; names are identifiers and signs between them, which need no escapes.
fn object(input: &view::Input) -> String {
    let number = |number: &Number| match number {
        Number::Small(small) => small.to_string(),
        Number::Large(text) => format!("\"{text}\""),
    };
    let value = |value: &InputValue| match value {
        InputValue::Scalar(scalar) => number(scalar),
        InputValue::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(|(index, element)| format!("\"{index}\": {}", number(element))).collect();
            format!("{{{}}}", elements.join(", "))
        }
    };
    let mut members: Vec<String> = input.values.iter().map(|(name, given)| format!("\"{name}\": {}", value(given))).collect();
    let drawn: Vec<String> = input.nondet.iter().map(value).collect();
    members.push(format!("\"nondet\": [{}]", drawn.join(", ")));
    members.extend(input.stdin.as_ref().map(|text| format!("\"stdin\": {}", string(text))));
    format!("{{{}}}", members.join(", "))
}

/// A table: for each test its number, its input and the calls before it as JSON, how its run ends, what it gives back, what it covers, and what
/// it assumes.
pub fn csv(loaded: &Loaded, tests: &[ExportTest], inputs: &[Input]) -> ExportedFile {
    let (machine, all) = (Machine::deep(&loaded.lts), sides(&loaded.lts));
    let mut text = "test,input,after,ends,value,covers,assumes\r\n".to_owned();
    for ((number, test), input) in (1..).zip(tests).zip(inputs) {
        let run = machine.run(input, super::replay::ENDLESS);
        let ends = match &run.outcome {
            Outcome::Returned if is_exit(loaded, run.edges.last().copied()) => "exits".to_owned(),
            Outcome::Returned => "returns".to_owned(),
            Outcome::Error => "fails".to_owned(),
            Outcome::Steps => "goes on".to_owned(),
            Outcome::Undefined(why) => match run.stopped_before {
                Some(edge) => format!("undefined: {why}, at `{}`", label(&loaded.lts, &loaded.lts.graph[edge])),
                None => format!("undefined: {why}"),
            },
            Outcome::AssumeFailed => "ends at an assumption".to_owned(),
            Outcome::Cut => "calls itself more often than was followed".to_owned(),
            Outcome::TooLarge => "computes too large a number".to_owned(),
            Outcome::NoText(_) => "ends at a read of standard input".to_owned(),
            Outcome::Approximated => "goes on at an approximated place".to_owned(),
        };
        let calls: Vec<String> = test
            .after
            .iter()
            .map(|call| format!("{{\"function\": {}, \"input\": {}}}", string(&call.function), object(&call.input)))
            .collect();
        let takes: Vec<usize> = (0..all.len()).filter(|&at| all[at].edges.iter().any(|edge| run.edges.contains(edge))).collect();
        let fields = [
            number.to_string(),
            object(&input_view(&loaded.lts, input)),
            format!("[{}]", calls.join(", ")),
            ends,
            run.value.map(|value| value.to_string()).unwrap_or_default(),
            covers(loaded, &all, &takes),
            test.assumes.join(" "),
        ];
        let _ = write!(text, "{}\r\n", fields.map(|field| quoted(&field)).join(","));
    }
    ExportedFile { name: "tests.csv".to_owned(), text }
}

/// A field, in quotes where it needs some.
fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.to_owned() }
}
