//! The program model: a labelled transition system `(L, l0, Δ, F)` as in AGVW16, Section II-A.
//!
//! | paper | here |
//! |---|---|
//! | `L`, `l0`, `F` | [`Location`]s of the graph, [`Lts::entry`], [`Lts::exit`] (one final location) |
//! | `Δ` | [`Edge`]s: a [`Label`] and the source span it came from |
//! | `Skip`, `Assume φ`, `Assign v e` | the labels of the same names; beside them `Store`, `Fill` and `Havoc` |
//!
//! Granularity (part of the contract): one edge for each assignment and one for each atomic decision; declarations
//! without initialiser, jumps, labels, `return` and joins add none. A path's length is its number of edges.
//!
//! Invariants: a location's outgoing edges are either one edge, or the two sides of one decision (first the side that
//! holds, then the other); [`Lts::exit`] and [`Lts::error`] have none. `assume` leaves one side only. Every location is
//! reachable from the entry in the graph. Locations and edges are numbered in source order, so their numbers are
//! stable: the same text gives the same numbers everywhere.
//!
//! Modules: [`lower`] (from the syntax tree), [`structure`] (loops, dominators, reducibility), [`text`] (labels for
//! people), [`dot`], [`inputs`] (what a test may set), [`relevance`] (what decides which paths can be taken),
//! [`precondition`].

use crate::logic::Arrange;
use crate::logic::Int;
use crate::source::Span;
use petgraph::Direction;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

pub mod dot;
pub mod inputs;
pub mod lower;
pub mod precondition;
pub mod relevance;
pub mod structure;
pub mod text;

/// A location's number: `0..lts.graph.node_count()`.
pub type LocationId = NodeIndex<u32>;
/// An edge's number: `0..lts.graph.edge_count()`.
pub type EdgeId = EdgeIndex<u32>;

/// A scalar's number in [`Lts::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// An array's number in [`Lts::arrays`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayId(pub u32);

/// Where a variable or an array comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Parameter,
    Global,
    /// A local of the analysed function; uninitialised ones hold an arbitrary value and so are inputs too.
    Local,
    /// A parameter, local or result of an inlined call.
    Inlined,
}

/// A scalar program variable. Names are unique within an LTS (`x`, then `x#2` for a second one in another scope,
/// `f.x` for those of an inlined call).
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub origin: Origin,
    pub span: Span,
    /// The value before the first edge; `None` is arbitrary: an input.
    pub initial: Option<Int>,
}

/// An array of integers indexed by integers from 0.
#[derive(Clone, Debug)]
pub struct Array {
    pub name: String,
    pub origin: Origin,
    pub span: Span,
    /// The number of elements where it is known; an access outside is undefined. Without it every index is allowed.
    pub length: Option<Int>,
    /// The first contents, the rest zero; `None` is arbitrary: an input.
    pub initial: Option<Vec<Int>>,
}

/// An integer expression over program variables, without side effects. Truth values are 0 and 1, as in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    Int(Int),
    Var(VariableId),
    /// An array element.
    Read(ArrayId, Box<Expr>),
    /// A fresh arbitrary value at each evaluation, from left to right: `nondet()`.
    Nondet,
    Neg(Box<Expr>),
    /// 1 where the operand is 0, else 0.
    Not(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// 1 where the comparison holds, else 0.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
}

/// Division and remainder round towards zero and are undefined for a zero divisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl CompareOp {
    /// The comparison that holds exactly where this one does not.
    pub fn negated(self) -> CompareOp {
        use CompareOp::{Eq, Ge, Gt, Le, Lt, Ne};
        match self {
            Lt => Ge,
            Le => Gt,
            Gt => Le,
            Ge => Lt,
            Eq => Ne,
            Ne => Eq,
        }
    }
}

/// The basic operation of an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// Nothing; only where an edge is needed for itself (an empty endless loop).
    Skip,
    /// One side of an atomic decision: passes where `condition ≠ 0` is `holds`.
    Assume {
        condition: Expr,
        holds: bool,
    },
    Assign(VariableId, Expr),
    /// `array[index] = value`: index first, then value.
    Store {
        array: ArrayId,
        index: Expr,
        value: Expr,
    },
    /// An array declaration's initialiser: these elements, the rest zero.
    Fill(ArrayId, Vec<Expr>),
    /// An arbitrary value: `x = nondet()`.
    Havoc(VariableId),
}

/// A program location.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// The statement that starts here; empty for the exit.
    pub span: Span,
}

/// A transition: its operation and where it stands in the text.
#[derive(Clone, Debug)]
pub struct Edge {
    pub label: Label,
    pub span: Span,
    /// For edges into the exit: the value that `return` gives back, evaluated after the label.
    pub returns: Option<Expr>,
}

/// A function as a labelled transition system, calls inlined.
#[derive(Clone, Debug)]
pub struct Lts {
    pub function: String,
    pub graph: DiGraph<Location, Edge, u32>,
    pub entry: LocationId,
    pub exit: LocationId,
    /// Where a failed `assert`, `abort()` and `reach_error()` lead; no path through it is complete.
    pub error: Option<LocationId>,
    /// What the entry itself returns, where the function has no edge at all.
    pub entry_returns: Option<Expr>,
    pub variables: Vec<Variable>,
    pub arrays: Vec<Array>,
    /// What is assumed of the inputs: a graph without loops that is passed from entry to exit where it holds; see [`precondition`].
    pub precondition: Option<Box<Lts>>,
}

impl Lts {
    /// The edge with its ends.
    pub fn edge(&self, edge: EdgeId) -> (&Edge, LocationId, LocationId) {
        let (from, to) = self.graph.edge_endpoints(edge).expect("an edge of this LTS");
        (&self.graph[edge], from, to)
    }

    /// The edges that leave `location`, in source order: for a decision first the side that holds.
    pub fn outgoing(&self, location: LocationId) -> Vec<(EdgeId, LocationId)> {
        let mut edges: Vec<_> = self.graph.edges_directed(location, Direction::Outgoing).map(|e| (e.id(), e.target())).collect();
        edges.arrange();
        edges
    }

    /// Whether `edges` is a path: each edge starts where the one before ends, the first at the entry.
    pub fn is_path_prefix(&self, edges: &[EdgeId]) -> bool {
        let mut at = self.entry;
        edges.iter().all(|&edge| match self.graph.edge_endpoints(edge) {
            Some((from, to)) if from == at => {
                at = to;
                true
            }
            _ => false,
        })
    }

    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0 as usize]
    }
}
