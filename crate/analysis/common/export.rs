//! Tests for other tools: a suite as a C harness, as a Test-Comp suite, as JSON, and its coverage as LCOV.
//!
//! A harness reads the values of an input one after the other, in an order that [`inputs`] decides once for all formats: what the function
//! is called with and what globals begin with, then the values that its calls of functions without a body draw.

mod externals;
mod harness;
pub mod inputs;
mod lcov;
mod testcomp;

use crate::interp::{Input, Machine};
use crate::load::{Loaded, load};
use crate::logic::SortedSet;
use crate::lts::EdgeId;
use crate::view::{self, InputValue, Number, Request, fitting, input_view};
use serde::{Deserialize, Serialize};

/// In which form tests are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum TestsFormat {
    /// Inputs, as `--tests` reads them
    #[default]
    Json,
    /// A C program that runs them
    C,
    /// A suite of Test-Comp
    Testcomp,
    /// Their coverage alone
    Lcov,
}

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExportedFile {
    /// Without a folder.
    pub name: String,
    pub text: String,
}

/// What is exported.
pub struct Suite<'s> {
    pub request: &'s Request,
    pub loaded: &'s Loaded,
    pub tests: &'s [Input],
    /// Edges that no execution takes.
    pub infeasible: &'s SortedSet<EdgeId>,
}

/// What is exported, and what it cannot hold.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    pub files: Vec<ExportedFile>,
    /// Sentences for people.
    pub notes: Vec<String>,
}

/// Steps of a run.
const RUN: u64 = 20_000;

/// Exports these tests of the request's program, and their coverage; `infeasible` are the numbers of edges that no execution takes.
///
/// # Errors
/// The program has errors, or an input does not fit it.
pub fn export(request: &Request, tests: &[view::Input], infeasible: &[u32], format: TestsFormat) -> Result<Exported, String> {
    let mut exported = files(request, tests, infeasible, format)?;
    if format != TestsFormat::Lcov {
        // What the files lack they do not cover.
        let kept = kept(request, tests, format)?;
        exported.files.extend(files(request, &kept, infeasible, TestsFormat::Lcov)?.files);
    }
    Ok(exported)
}

/// The tests that files of this form have.
fn kept(request: &Request, tests: &[view::Input], format: TestsFormat) -> Result<Vec<view::Input>, String> {
    let loaded = load(request).map_err(|_| "the program has errors".to_owned())?;
    let read = tests.iter().map(|test| fitting(&loaded.lts, test)).collect::<Result<Vec<_>, _>>()?;
    let infeasible = SortedSet::new();
    let suite = Suite { request, loaded: &loaded, tests: &read, infeasible: &infeasible };
    let taking = inputs::Taking::new(&suite);
    let has = |input: &Input| match format {
        TestsFormat::C => harness::values(&suite, &taking, input).is_ok(),
        TestsFormat::Testcomp => testcomp::values(&suite, &taking, input).is_ok(),
        TestsFormat::Json | TestsFormat::Lcov => true,
    };
    let machine = Machine::new(&loaded.lts);
    Ok(tests.iter().zip(&read).filter(|(_, input)| has(&machine.told(input))).map(|(test, _)| test.clone()).collect())
}

/// The files of this form alone.
///
/// # Errors
/// The program has errors, or an input does not fit it.
pub fn files(request: &Request, tests: &[view::Input], infeasible: &[u32], format: TestsFormat) -> Result<Exported, String> {
    let loaded = load(request).map_err(|_| "the program has errors".to_owned())?;
    let (mut read, machine) = (Vec::new(), Machine::new(&loaded.lts));
    for (test, number) in tests.iter().zip(1..) {
        let input = fitting(&loaded.lts, test).map_err(|error| format!("test {number}: {error}"))?;
        read.push(machine.told(&input));
    }
    let infeasible = infeasible.iter().map(|&edge| EdgeId::new(edge as usize)).collect();
    Ok(Suite { request, loaded: &loaded, tests: &read, infeasible: &infeasible }.files(format))
}

impl Suite<'_> {
    /// The tests in this form, or their coverage.
    pub fn files(&self, format: TestsFormat) -> Exported {
        match format {
            TestsFormat::Json => Exported { files: vec![self.json()], notes: Vec::new() },
            TestsFormat::C => harness::suite(self),
            TestsFormat::Testcomp => testcomp::suite(self),
            TestsFormat::Lcov => Exported { files: lcov::files(self).into(), notes: Vec::new() },
        }
    }

    fn json(&self) -> ExportedFile {
        let inputs: Vec<String> = self.tests.iter().map(|input| json(&input_view(&self.loaded.lts, input))).collect();
        ExportedFile { name: "tests.json".to_owned(), text: format!("[\n  {}\n]\n", inputs.join(",\n  ")) }
    }

    /// The edges that each test takes.
    fn runs(&self) -> Vec<Vec<EdgeId>> {
        let machine = Machine::new(&self.loaded.lts);
        self.tests.iter().map(|input| machine.run(input, RUN).edges).collect()
    }

    /// Whether a call of a function without a body gives objects other values on the input's run.
    fn is_changed_by_call(&self, input: &Input) -> bool {
        let graph = &self.loaded.lts.graph;
        let changes = |edge: EdgeId| graph[edge].external.is_some();
        graph.edge_indices().any(changes) && Machine::new(&self.loaded.lts).run(input, RUN).edges.into_iter().any(changes)
    }

    /// The program's file without its folder.
    fn program(&self) -> &str {
        let name = self.request.program.rsplit(['/', '\\']).next().unwrap_or_default();
        if name.is_empty() || name == "-" || name.contains(['"', '\n']) { "program.c" } else { name }
    }
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
fn json(input: &view::Input) -> String {
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
