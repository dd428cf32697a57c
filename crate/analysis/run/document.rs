//! Settings and document of `run`.

use crate::view::{Header, Input, InputFields, InputValue, Number, TextPlace, document};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// On what the function is run.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunSettings {
    #[serde(default)]
    pub input: Input,
    /// In place of `input`: the fields of a form.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub fields: Option<InputFields>,
    /// In place of `input`: a line such as `c = 'a', n = 3`.
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub line: Option<String>,
    /// Whether more text may come on standard input: a read past the given text ends the run.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub is_open: bool,
}

/// `run`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    /// The input of the run.
    pub input: Input,
    pub outcome: RunOutcome,
    /// What it rests on that this input can be.
    pub assumes: Vec<String>,
    /// What the function returned, if it returned a value.
    pub value: Option<Number>,
    /// The node that this value is the number of, where the function returned a pointer to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub value_name: Option<String>,
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
    /// The linked structures, whose nodes pointers lead to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<RunStructure>>", optional))]
    pub structures: Vec<RunStructure>,
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

/// A linked structure: pointers to its nodes are their numbers, 0 is null and -1 was never set. Each member of all nodes is an array, indexed
/// by the number of the node.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunStructure {
    /// Its tag.
    pub name: String,
    /// The members that the function reads or writes, as the structure has them.
    pub members: Vec<RunMember>,
    /// The array that has 1 for each node that was freed.
    pub freed: Option<String>,
    /// The number of the first node that the function asks for; lower ones are there before it starts. `null` where it asks for none.
    pub first_new: Option<u32>,
    /// The variables, and the arrays of pointers, whose values are numbers of its nodes.
    pub pointers: Vec<String>,
    /// The variables whose values are numbers of pointers in its nodes, node after node from 1.
    pub cells: Vec<String>,
    /// The members that are such pointers, in the order of their numbers in a node.
    pub cell_members: Vec<String>,
    /// What the nodes are called that the shown steps come upon, by their numbers in decimal.
    pub names: BTreeMap<String, String>,
    /// Where the nodes are blocks of any number of elements: their arrays. Then there are no members.
    pub block: Option<RunBlock>,
}

/// The arrays of blocks. The scalars of the element `i` of the block `n` have the indices from `((n + moved[n]) * stride + i) * count` on.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunBlock {
    /// The array with the number of elements of each block.
    pub lengths: String,
    /// The arrays with the scalars of the elements.
    pub items: Vec<RunBlockItem>,
    /// The array that says how far the elements of a block that `realloc` gave lie from its own; `null` where the program does not call it.
    pub moved: Option<String>,
    /// In decimal.
    pub stride: String,
}

/// An array with scalars of the elements of blocks.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunBlockItem {
    /// What follows an element's index in C: `.x`; empty where the elements are scalars.
    pub name: String,
    pub array: String,
    /// How many scalars each element has there.
    pub count: u32,
    /// The structure to which they lead, where they are pointers.
    pub leads_to: Option<String>,
}

/// A scalar member of nodes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunMember {
    /// With the members on the way: `at.x`.
    pub name: String,
    /// The array that holds it.
    pub array: String,
    /// How many elements of the array each node has; this member of node `n` is the one with the index `count * n - (count - 1) + which`.
    pub count: u32,
    /// From 0.
    pub which: u32,
    /// The structure whose nodes its values are the numbers of, where it is such a pointer.
    pub leads_to: Option<String>,
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
