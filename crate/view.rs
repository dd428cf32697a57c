//! Plain data for the page and `--json`: what the questions and documents of all analyses have in common.
//!
//! Nothing serialises core types; each analysis turns its result into a document of its own, which starts with a [`Header`]. Keys
//! are the command line's contract: one may add keys, never rename them; [`SCHEMA`] goes up by one when a meaning changes.
//! Numbers that can reach 2^53 are strings.

mod chosen;
mod command_line;
mod convert;
mod event;
mod form;
mod input;
mod names;
mod node_inputs;
mod parts;
mod reading;
mod reading_values;
mod syntax;
mod written;

pub use command_line::CommandLineInputs;
pub use convert::{diagnostic, place};
pub use event::{Event, News};
pub use form::{WrittenValue, plain_number, plain_value};
pub use input::{BadInput, bytes_of, fitting, input, input_view, input_view_by, quoted};
pub use parts::{InputId, InputLeaf, InputObject, input_objects};
pub use reading::{InputFields, WrittenError, read_fields, read_line};
pub use written::{line, written_plain, written_view, written_view_by};

use crate::source::files::{HeaderLines, SourceOptions};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of all documents.
pub const SCHEMA: u32 = 1;

/// What every document starts with.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Header {
    pub schema: u32,
    /// The program's name as it was given.
    pub program: String,
    pub function: String,
    /// Why this function, where the request names none of several: words that follow "since".
    pub chosen_because: Option<String>,
    /// What integers were taken for.
    pub ints: Ints,
    /// How often functions were inlined within themselves, where some are; executions that go deeper are not looked at.
    pub inline_depth: Option<u32>,
    /// What was chosen about the world, where it could matter to this function.
    pub assumptions: Vec<Assumed>,
    /// The lines on which more than one statement or condition stands: texts name the column there.
    pub crowded_lines: Vec<u32>,
    /// Whether every question was settled within the limit.
    pub complete: bool,
    /// What ended the run early, beside its steps. Only the command line has a clock and an account of memory.
    #[cfg(feature = "cli")]
    #[serde(flatten)]
    #[cfg_attr(test, ts(skip))]
    pub early_end: EarlyEnd,
    pub statistics: Statistics,
    /// Warnings about the program.
    pub diagnostics: Vec<Diagnostic>,
    /// The functions of the program that are not understood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<LeftOutFunction>,
    /// Macros, folders of headers and the target that the caller gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub options: Option<SourceOptions>,
    /// The headers of the program, whose lines have numbers after those of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub headers: Option<Vec<HeaderLines>>,
}

/// Limits of the machine that ended a run: another run may get less far, or further.
#[cfg(feature = "cli")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
pub struct EarlyEnd {
    /// Whether the caller's time was over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timeout: bool,
    /// Whether the process had more memory than the caller allows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub memory: bool,
}

/// A function that is not understood, and nothing is said of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LeftOutFunction {
    pub function: String,
    /// Of the first thing that is not understood.
    pub line: u32,
    /// Why, in a sentence.
    pub message: String,
}

/// So many lines of a run are listed in a document.
pub const MAX_LINES: usize = 10_000;

/// The first lines of a run, and how many there are where these are not all.
pub fn capped(mut lines: Vec<u32>) -> (Vec<u32>, Option<u32>) {
    let total = lines.len();
    lines.truncate(MAX_LINES);
    (lines, (total > MAX_LINES).then_some(total as u32))
}

/// A choice about the world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Assumed {
    /// As in `--assume` and in the `assumes` of a verdict.
    pub id: String,
    pub text: String,
    /// Where it matters first.
    pub line: u32,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Statistics {
    pub solver: SolverStatistics,
    /// Wall-clock milliseconds; the only entry that differs from run to run.
    pub wall_ms: f64,
    /// Deterministic steps used of the limit.
    pub steps: u64,
}

impl Statistics {
    /// Those of two runs together.
    pub fn and(self, other: Statistics) -> Statistics {
        let (own, more) = (self.solver, other.solver);
        Statistics {
            solver: SolverStatistics {
                queries: own.queries + more.queries,
                sat: own.sat + more.sat,
                unsat: own.unsat + more.unsat,
                unknown: own.unknown + more.unknown,
                checked: own.checked + more.checked,
            },
            wall_ms: self.wall_ms + other.wall_ms,
            steps: self.steps + other.steps,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SolverStatistics {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Certificates accepted by the checker.
    pub checked: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Severity {
    Error,
    Warning,
}

/// A span of the text: lines and columns from 1, columns in characters; `start` and `end` in UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TextPlace {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Diagnostic {
    pub severity: Severity,
    pub code: String,
    pub message: String,
    pub label: Option<String>,
    pub help: Option<String>,
    pub place: TextPlace,
    pub related: Vec<Related>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Related {
    pub place: TextPlace,
    pub text: String,
}

/// What the integers of a program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Ints {
    /// Integers of any size: nothing overflows.
    Unbounded,
    /// C's types on a machine with 32 bits in an `int`.
    C32,
}

impl Ints {
    /// The name, as options, documents and evidence have it.
    pub fn name(self) -> &'static str {
        match self {
            Ints::Unbounded => "unbounded",
            Ints::C32 => "c32",
        }
    }
}

/// What every analysis is asked with.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Request {
    /// The program's name, for the document only.
    pub program: String,
    pub source: String,
    /// The function to analyse; without it the contract's default.
    pub function: Option<String>,
    /// Steps; without it the analysis' default.
    pub limit: Option<u64>,
    pub seed: u64,
    /// What integers are; without it what is usual for the language.
    #[serde(default)]
    pub ints: Option<Ints>,
    /// How often a function is inlined within itself; without it the engine's default.
    #[serde(default)]
    pub inline_depth: Option<u32>,
    /// What to assume besides what is usual, and what not to assume, by name.
    #[serde(default)]
    pub assume: Vec<String>,
    #[serde(default)]
    pub no_assume: Vec<String>,
    /// Whether each label is a step of its own, so that there is an edge that executions take if they get to it.
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub label_steps: bool,
}

/// The answer of an analysis, as plain data.
pub trait Document: Serialize {
    /// Its header, if it is about a program.
    fn header(&self) -> Option<&Header>;
    fn header_mut(&mut self) -> Option<&mut Header>;
}

/// Makes documents of types with a field `header`.
macro_rules! document {
    ($Document:ty) => {
        impl $crate::view::Document for $Document {
            fn header(&self) -> Option<&$crate::view::Header> {
                Some(&self.header)
            }
            fn header_mut(&mut self) -> Option<&mut $crate::view::Header> {
                Some(&mut self.header)
            }
        }
    };
}
pub(crate) use document;

/// A document, or why the program was refused.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Reply<T> {
    Document { document: T },
    Refused { diagnostics: Vec<Diagnostic> },
}

/// A test input: names to values, what other draws give in order (`nondet()`, reads of volatile objects, functions without a body; where the contents of a whole array are arbitrary, these), and the text on standard input. Numbers are decimal strings from 2^53 on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Input {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub values: BTreeMap<String, InputValue>,
    #[serde(default)]
    pub nondet: Vec<InputValue>,
    /// What the values in `nondet` are, one by one: `nondet()`, `volatile reg #1`, `read(fd) #2`. Left out where all are `nondet()`, and for inputs of no program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    pub nondet_names: Vec<String>,
    /// The same for people, part by part: characters in quotes, arrays as lists, constants by name, `any` where the run reads nothing. Runs take it. Only in answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<WrittenValue>>", optional))]
    pub written_as: Vec<WrittenValue>,
    /// The text on standard input, where the program reads it. A character up to U+00FF is the byte with its number, any other its bytes in UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub stdin: Option<String>,
}

/// A call of a function that comes before a test, with its arguments; statics are as the calls before it left them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Call {
    pub function: String,
    pub input: Input,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum InputValue {
    Scalar(Number),
    /// Index (a decimal string) to value; `default` elsewhere.
    Array(BTreeMap<String, Number>),
}

/// An integer: a JSON number where it is exact there (below 2^53), else a decimal string.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Number {
    Small(i64),
    Large(String),
}
