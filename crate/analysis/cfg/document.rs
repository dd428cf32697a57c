//! Settings and document of `cfg`.

use crate::view::{Header, TextPlace, document};
use serde::{Deserialize, Serialize};

/// How `cfg` works: nothing can be chosen.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CfgSettings {}

/// `cfg`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CfgDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    /// All functions of the program in source order.
    pub functions: Vec<String>,
    pub locations: Vec<CfgLocation>,
    pub edges: Vec<CfgEdge>,
    pub entry: u32,
    /// The lines that each execution of the function executes before its first edge.
    pub entry_passes: Vec<u32>,
    pub exit: u32,
    /// Where failed assertions lead, if there are any.
    pub error: Option<u32>,
    pub loop_headers: Vec<u32>,
    pub reducible: bool,
    /// Inputs of the function: what a test may set.
    pub inputs: Vec<InputName>,
    /// Whether values of `nondet()` are drawn, which a test may set, too.
    pub nondet: bool,
    /// Whether the function reads standard input: a test has a text for it.
    pub stdin: bool,
    /// The choices about the world that could matter to the function.
    pub assumable: Vec<Assumable>,
}

/// A choice about the world.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Assumable {
    pub id: String,
    pub text: String,
    /// Where it matters first.
    pub line: u32,
    pub assumed: bool,
    /// Whether it is assumed by default.
    pub usual: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CfgLocation {
    pub id: u32,
    pub line: u32,
    pub loop_header: bool,
    /// The immediate dominator; `null` for the entry.
    pub dominator: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum EdgeKind {
    Skip,
    Assume,
    Assign,
    Store,
    Call,
    Havoc,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CfgEdge {
    pub id: u32,
    pub from: u32,
    pub to: u32,
    pub kind: EdgeKind,
    pub label: String,
    pub line: u32,
    pub column: u32,
    pub place: TextPlace,
    /// For a decision: whether this is the side on which the condition holds.
    pub holds: Option<bool>,
    /// Whether it is of a function of the library that the program calls at this place.
    pub library: bool,
    /// The function in whose text it stands, as an index into `functions`: that of a called function where its call is inlined.
    pub function: Option<u32>,
    /// Other lines that each execution of the edge executes: of statements without an edge of their own, such as `break`, `printf` and
    /// `return`, ascending.
    pub passes: Vec<u32>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct InputName {
    pub name: String,
    pub array: bool,
    /// The least and greatest value of it or of its elements, decimal; `null` where every integer is allowed.
    pub least: Option<String>,
    pub greatest: Option<String>,
    /// An array's number of elements, decimal, where it is known.
    pub length: Option<String>,
    /// The object of the text that it is a part of, for which a form has one field.
    pub object: String,
    pub form: InputForm,
    /// The names of its values, of an enumeration; of a pointer to nodes `NULL` and the first node.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    pub constants: Vec<String>,
}

/// How a value of an input is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum InputForm {
    Integer,
    /// `2.5`
    Number,
    /// `'a'`, and several as `"text"`
    Character,
    /// `true` or `false`
    Truth,
    /// `NULL`, or what it points to
    Pointer,
    /// One of its constants.
    Constant,
}

document!(CfgDocument);
