//! A script as data: terms in one flat list, so that neither reading, walking nor dropping a deep term recurses.

use super::Verdict;
use crate::logic::Int;
use crate::source::Span;

/// A symbol or a string, by its position in [`SmtScript::names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NameIndex(pub u32);

/// A term, by its position in [`SmtScript::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub u32);

/// The sorts that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    Int,
    Bool,
    /// `(Array Int Int)`.
    Array,
}

impl std::fmt::Display for Sort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Sort::Int => "Int",
            Sort::Bool => "Bool",
            Sort::Array => "(Array Int Int)",
        })
    }
}

/// What a term applies.
#[derive(Clone, Debug)]
pub enum Head {
    Name(NameIndex),
    /// `(as const (Array Int Int))`.
    ConstantArray,
    /// `(_ divisible n)`, n positive.
    Divisible(Int),
}

#[derive(Clone, Debug)]
pub enum Term {
    Numeral(Int),
    Truth(bool),
    Name(NameIndex),
    Apply(Head, Box<[NodeId]>),
    Let(Box<[(NameIndex, NodeId)]>, NodeId),
    /// `(! t :named n)`.
    Named(NodeId, NameIndex),
}

#[derive(Clone, Debug)]
pub struct Node {
    pub term: Term,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Action {
    /// `set-info :status`; `None` for `unknown`.
    Status(Option<Verdict>),
    /// `set-option :global-declarations`.
    GlobalDeclarations(bool),
    Declare(NameIndex, Sort),
    Define {
        name: NameIndex,
        parameters: Box<[(NameIndex, Sort)]>,
        sort: Sort,
        body: NodeId,
    },
    Push(u32),
    Pop(u32),
    Assert(NodeId),
    CheckSat,
    CheckSatAssuming(Box<[NodeId]>),
    GetModel,
    Echo(NameIndex),
    Exit,
    Reset,
    ResetAssertions,
    /// Other `get-` commands: answered `unsupported`, as the standard says.
    Unsupported,
    /// Says nothing that matters here.
    Nothing,
}

#[derive(Clone, Debug)]
pub struct ScriptCommand {
    pub action: Action,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct SmtScript {
    pub names: Vec<String>,
    pub nodes: Vec<Node>,
    pub commands: Vec<ScriptCommand>,
}

impl SmtScript {
    pub fn name(&self, name: NameIndex) -> &str {
        &self.names[name.0 as usize]
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}
