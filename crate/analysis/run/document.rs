//! Settings and document of `run`.

use crate::view::{Header, Input, InputValue, Number, TextPlace, document};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// On what the function is run.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunSettings {
    pub input: Input,
}

/// `run`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    pub outcome: RunOutcome,
    /// What it rests on that this input can be.
    pub assumes: Vec<String>,
    /// What the function returned, if it returned a value.
    pub value: Option<Number>,
    /// Why the run stopped early.
    pub reason: Option<String>,
    /// Where it stopped early.
    pub place: Option<TextPlace>,
    /// Edges taken.
    pub steps: u64,
    /// The edge that was not taken, where the run stopped before one; of a decision its first side.
    pub stopped_before: Option<u32>,
    /// What was printed.
    pub output: String,
    /// How many bytes of the output are kept, where there was more.
    pub output_cut: Option<u64>,
    /// How many values of `nondet()` were drawn.
    pub nondet_used: u64,
    /// The line of each edge taken, in order, up to 10,000.
    pub lines: Vec<u32>,
    /// How many lines there are, where `lines` has only the first 10,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_total: Option<u32>,
    /// Scalars, then arrays, as they were before the first step.
    pub variables: Vec<RunVariable>,
    /// The first steps, up to 2,000 and as long as what they change is not much.
    pub steps_shown: Vec<RunStep>,
    pub branches: Vec<RunBranch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    Returned,
    /// A failed `assert` or `abort()`, in a program without error calls.
    Aborted,
    /// An error call; also a failed `assert` or `abort()` in a program that has both.
    ErrorCall,
    AssumeFailed,
    Undefined,
    /// A limit was reached.
    Steps,
}

/// A variable or an array.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunVariable {
    pub name: String,
    /// Before the first step.
    pub start: InputValue,
    /// A scalar's value after the last step.
    pub end: Option<Number>,
    /// What its values mean where it is (a part of) a pointer, by value in decimal: `NULL`, functions, or objects.
    pub addresses: BTreeMap<String, String>,
}

/// An edge that was taken.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunStep {
    pub edge: u32,
    pub line: u32,
    pub change: Option<RunChange>,
    /// What else it changed, where one edge gives several objects their values.
    pub also: Vec<RunChange>,
}

/// What a step changed.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum RunChange {
    Variable {
        name: String,
        value: Number,
    },
    /// The index is a decimal string.
    Element {
        name: String,
        index: String,
        value: Number,
    },
    /// The first elements, from 0 on; all others are 0.
    Array {
        name: String,
        elements: Vec<Number>,
    },
    /// All of an array: index (a decimal string) to value, `default` elsewhere.
    Contents {
        name: String,
        contents: BTreeMap<String, Number>,
    },
}

/// How often each side of a decision was taken.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunBranch {
    pub line: u32,
    pub column: u32,
    pub place: TextPlace,
    /// The condition, as the program has it.
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
    pub holds: u64,
    pub fails: u64,
}

document!(RunDocument);
