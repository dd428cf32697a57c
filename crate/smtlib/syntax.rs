//! A script as data: terms in one flat list, so that neither reading, walking nor dropping a deep term recurses.

use super::Verdict;
use crate::logic::Int;
use crate::source::Span;

/// A symbol or a string, by its position in [`Script::names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name(pub u32);

/// A term, by its position in [`Script::nodes`].
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
    Name(Name),
    /// `(as const (Array Int Int))`.
    ConstantArray,
    /// `(_ divisible n)`, n positive.
    Divisible(Int),
}

#[derive(Clone, Debug)]
pub enum Term {
    Numeral(Int),
    Truth(bool),
    Name(Name),
    Apply(Head, Box<[NodeId]>),
    Let(Box<[(Name, NodeId)]>, NodeId),
    /// `(! t :named n)`.
    Named(NodeId, Name),
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
    Declare(Name, Sort),
    Define {
        name: Name,
        parameters: Box<[(Name, Sort)]>,
        sort: Sort,
        body: NodeId,
    },
    Push(u32),
    Pop(u32),
    Assert(NodeId),
    CheckSat,
    CheckSatAssuming(Box<[NodeId]>),
    GetModel,
    Echo(Name),
    Exit,
    Reset,
    ResetAssertions,
    /// Other `get-` commands: answered `unsupported`, as the standard says.
    Unsupported,
    /// Says nothing that matters here.
    Nothing,
}

#[derive(Clone, Debug)]
pub struct Command {
    pub action: Action,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Script {
    pub names: Vec<String>,
    pub nodes: Vec<Node>,
    pub commands: Vec<Command>,
}

impl Script {
    pub fn name(&self, name: Name) -> &str {
        &self.names[name.0 as usize]
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}
