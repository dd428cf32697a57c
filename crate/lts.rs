//! The program model: a labelled transition system `(L, l0, Δ, F)` as in AGVW16, Section II-A.
//!
//! | paper | here |
//! |---|---|
//! | `L`, `l0`, `F` | [`Location`]s of the graph, [`Lts::entry`], [`Lts::exit`] (one final location) |
//! | `Δ` | [`Edge`]s: a [`Label`] and the source span it came from |
//! | `Skip`, `Assume φ`, `Assign v e` | the labels of the same names; beside them `Store`, `Fill`, `Havoc` and `HavocArray` |
//!
//! Granularity (part of the contract): one edge for each assignment and one for each atomic decision; declarations
//! without initialiser, jumps, labels, `return` and joins add none. A path's length is its number of edges.
//!
//! Invariants: a location's outgoing edges are either one edge, or the two sides of one decision (first the side that
//! holds, then the other); [`Lts::exit`] and [`Lts::error`] have none. `assume` leaves one side only. Every location is
//! reachable from the entry in the graph. Locations and edges have numbers in source order, so the same text gives the
//! same numbers everywhere.
//!
//! Modules: [`lower`] (from the syntax tree), [`structure`] (loops, dominators, reducibility), [`text`] (labels for
//! people), [`dot`], [`inputs`] (what a test may set), [`calls`] (one call after another), [`relevance`] (what decides which paths can be taken),
//! [`precondition`].
//!
//! # Example
//!
//! ```
//! use culdesac::lts::{lower::lower, text};
//!
//! let program = culdesac::lang::parse("int f(int x) { while (x > 0) x--; return x; }").program.expect("no error");
//! let lts = lower(&program, None).expect("no error").lts;
//! let labels: Vec<String> = lts.graph.edge_weights().map(|edge| text::label(&lts, edge)).collect();
//! // The two sides of the decision, and the assignment; `return` and the way back add no edge.
//! assert_eq!(labels, ["x > 0", "x <= 0", "x = x - 1"]);
//! assert_eq!(lts.outgoing(lts.entry).len(), 2);
//! ```

pub use crate::lang::ast::CommandLine;
pub use crate::lang::ast::sugar::LAST_MEMBER;
use crate::logic::Arrange;
use crate::logic::rank::FloatOp;
use crate::logic::{Int, IntRange};
use crate::source::Span;
pub use computation::Computation;
pub use deeper::{DeeperCall, DeeperPart};
pub use edge::EdgePart;
pub use entry_effects::EntryEffects;
pub use model_object::ModelObject;
pub use outside::OutsideNames;
use petgraph::Direction;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
pub use print::{Conversion, ConversionKind, MAX_WIDTH, Print, PrintPiece, StarMeaning, Strings};
pub use read::Read;
pub use requirement::Requirement;
pub use source_part::{PartStep, SourcePart};
use std::sync::Arc;
pub use value_meaning::{BlockNames, NEVER_SET, ValueMeaning, ValueNames};
pub use written::DecisionText;

pub mod assume;
mod block_text;
pub mod calls;
mod computation;
mod deeper;
pub mod dot;
mod edge;
pub mod entry;
mod entry_effects;
pub mod inputs;
pub mod lower;
mod model_object;
pub mod nesting;
pub mod node_cells;
pub mod node_names;
pub mod node_text;
pub mod number_text;
mod outside;
pub mod precondition;
mod print;
pub mod read;
mod read_unset;
pub mod relevance;
mod requirement;
mod shallow;
pub mod sides;
mod source_part;
pub mod structure;
pub mod text;
pub mod thresholds;
pub mod undefined;
#[cfg(feature = "files")]
pub mod unfold;
pub mod unjudged;
mod value_meaning;
pub mod value_range;
pub mod written;

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

/// An object of the program whose elements an array of the model keeps, in turn with those of other objects that one pointer may point to:
/// of n objects, element i of the object with index k is element n·i + k of the array.
#[derive(Clone, Debug)]
pub struct Object {
    /// As in the program, e.g. `b`, `s.x`.
    pub name: String,
    pub part: SourcePart,
    /// The end of its name that says which member of structures it is, e.g. `.x`; all objects of one array have the same.
    pub member: String,
    pub span: Span,
    /// Whether it has one element and no index.
    pub is_scalar: bool,
    /// Whether its first elements are an input under its name.
    pub is_input: bool,
}

/// An object that a caller may know: what a pointer parameter points to, or a global.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The number of the declaration: each object has another one, whatever it is called.
    pub declaration: u32,
    /// Whether a pointer parameter points to it.
    pub is_pointed: bool,
    /// How many bytes the scalars have that it has here.
    pub size: i64,
}

/// A scalar program variable. Names are unique within an LTS (`x`, then `x#2` for a second one in another scope,
/// `f.x` for those of an inlined call).
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub part: SourcePart,
    pub origin: Origin,
    pub span: Span,
    /// The value before the first edge; `None` is arbitrary: an input.
    pub initial: Option<Int>,
    /// Of an input: the value with which the program starts, where earlier calls may have changed it and no caller can set it.
    pub first: Option<Int>,
    /// The values it can have; `None` is any integer. No edge gives it another one.
    pub range: Option<IntRange>,
    pub values: ValueMeaning,
    /// The objects of a caller of which it may be a part.
    pub owners: Vec<Owner>,
}

/// An array of integers indexed by integers from 0. One that keeps several objects has the names of all of them, `a|b`.
#[derive(Clone, Debug)]
pub struct Array {
    pub name: String,
    pub part: SourcePart,
    pub origin: Origin,
    pub span: Span,
    /// The number of elements where it is known; an access outside is undefined. Without it every index is allowed.
    pub length: Option<Int>,
    /// The first contents, the rest zero; `None` is arbitrary: an input.
    pub initial: Option<Vec<Int>>,
    /// As [`Variable::first`], the rest zero.
    pub first: Option<Vec<Int>>,
    /// The values that its elements can have; `None` is any integer. No edge gives one another.
    pub range: Option<IntRange>,
    pub values: ValueMeaning,
    /// The objects that it keeps, where these are several; else empty.
    pub objects: Vec<Object>,
    /// The member of nodes that it holds, by the number of the node: `next`, `at.x`; `None` where it holds none, or an array of each node.
    pub member_of_nodes: Option<String>,
    /// As [`Variable::owners`].
    pub owners: Vec<Owner>,
}

impl Array {
    /// Whether it holds the strings of the program whose addresses are values, one in each row.
    pub fn is_of_strings(&self) -> bool {
        self.origin == Origin::Inlined && self.range == Some(STRING_ELEMENTS)
    }
}

/// The member of nodes that says whether one was freed: none of the program's.
pub const FREED: &str = "(freed)";

/// Indices for each block in the array of its elements: element i of block n has the index `BLOCK_INDICES * n + i`.
pub const BLOCK_INDICES: i64 = crate::memory::MOST;

/// What elements of the array of all strings can be: a `char`, or 128 after a string's end.
pub const STRING_ELEMENTS: IntRange = IntRange { least: -128, greatest: 128 };

/// The index that stands for a null pointer, where a pointer is an array and an index: it is further from every element than any object is
/// large.
pub fn null_index() -> Int {
    Int::from(i64::MIN / 2)
}

/// An integer expression over program variables, without side effects. Truth values are 0 and 1, as in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    Int(Int),
    Var(VariableId),
    /// An array element.
    Read(ArrayId, Box<Expr>),
    /// A fresh arbitrary value of the range (of all integers where there is none) at each evaluation, from left to right: `nondet()`.
    Nondet(Option<IntRange>, InputSource),
    Neg(Box<Expr>),
    /// 1 where the operand is 0, else 0.
    Not(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// 1 where the comparison holds, else 0.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// The value of the range that differs from the operand by a multiple of the range's size: a conversion, or unsigned arithmetic.
    Convert(IntRange, Box<Expr>),
    /// The operand, an operation of C's signed arithmetic; undefined where its result lies outside the range: overflow. Of a remainder
    /// it is the quotient that must lie in the range (C11 6.5.5p6), and a left shift needs an operand that is not negative (6.5.7p4).
    Checked(IntRange, Box<Expr>),
    /// The operand, whatever it is; undefined where its value lies outside the range.
    Within(Requirement, IntRange, Box<Expr>),
    /// The second operand; undefined where the first is 0.
    Guarded(Requirement, Box<Expr>, Box<Expr>),
}

/// Where an arbitrary value comes from. For analyses it is arbitrary wherever it comes from; for people it has a name, and a run takes what
/// comes from standard input from the text there ([`crate::interp`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum InputSource {
    /// A call of `nondet()` or its like.
    #[default]
    Call,
    /// Whether a call that asks for memory gives none.
    Allocation,
    /// A call of a function without a body, as it stands in the text.
    External(Arc<str>),
    /// A read of the volatile object that this names in the text.
    Volatile(Arc<str>),
    /// The choice of an order of evaluation: what comes first where the value is not 0, and where it is.
    Order(Arc<str>, Arc<str>),
    /// Whether this function without a body writes nodes, or has pointers lead to others.
    WrittenNodes(Arc<str>),
    /// Bytes of a part of a union, which this names, that a write of another member does not say.
    Unspecified(Arc<str>),
    /// A read of standard input.
    Stdin(Read),
    /// Whether an execution is inside of a call that is not inlined any more, or comes back from it ([`lower`]).
    Deeper,
    /// An approximated region of the program: no execution through it is known to exist.
    Approximated,
    /// Arithmetic on floating-point numbers: a run computes it.
    Computed(Box<Computation>),
}

impl Expr {
    /// An arbitrary value of the range that a call gives.
    pub fn nondet(range: Option<IntRange>) -> Expr {
        Expr::Nondet(range, InputSource::Call)
    }
}

/// Division and remainder round towards zero and are undefined for a zero divisor. The operators on bits take integers as two's
/// complement without end, so they are right for every width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    /// `a · 2^b`; undefined where `b` is negative or not less than the width.
    ShiftLeft(u32),
    /// `a / 2^b` rounded down; undefined where `b` is negative or not less than the width.
    ShiftRight(u32),
}

impl BinaryOp {
    /// Whether it takes its operands as rows of bits.
    pub fn is_on_bits(self) -> bool {
        !matches!(self, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem)
    }

    /// Whether the right operand decides if the operation is defined.
    pub fn needs_right(self) -> bool {
        matches!(self, BinaryOp::Div | BinaryOp::Rem | BinaryOp::ShiftLeft(_) | BinaryOp::ShiftRight(_))
    }
}

/// The width for shifts of integers without one.
pub const UNBOUNDED_WIDTH: u32 = 1 << 16;

/// A comparison of two integers.
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
    /// The comparison that says of `b op a` what `self` says of `a op b`.
    pub fn turned(self) -> CompareOp {
        match self {
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
            other => other,
        }
    }
}

impl Expr {
    /// Visits the direct operands from left to right.
    pub fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Expr::Nondet(_, InputSource::Computed(computation)) => computation.operands.iter().for_each(visit),
            Expr::Int(_) | Expr::Var(_) | Expr::Nondet(..) => {}
            Expr::Read(_, a) | Expr::Neg(a) | Expr::Not(a) | Expr::Convert(_, a) | Expr::Checked(_, a) | Expr::Within(_, _, a) => visit(a),
            Expr::Binary(_, a, b) | Expr::Compare(_, a, b) | Expr::Guarded(_, a, b) => {
                visit(a);
                visit(b);
            }
        }
    }

    /// As [`Expr::children`], to change them.
    pub fn children_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Expr::Nondet(_, InputSource::Computed(computation)) => computation.operands.iter_mut().for_each(visit),
            Expr::Int(_) | Expr::Var(_) | Expr::Nondet(..) => {}
            Expr::Read(_, a) | Expr::Neg(a) | Expr::Not(a) | Expr::Convert(_, a) | Expr::Checked(_, a) | Expr::Within(_, _, a) => visit(a),
            Expr::Binary(_, a, b) | Expr::Compare(_, a, b) | Expr::Guarded(_, a, b) => {
                visit(a);
                visit(b);
            }
        }
    }

    /// Whether its evaluation can be undefined: a division, a shift, overflow, an access to one of the `arrays` whose length is known.
    pub fn can_be_undefined(&self, arrays: &[Array]) -> bool {
        let mut found = match self {
            Expr::Read(array, index) => match (&arrays[array.0 as usize].length, &**index) {
                (Some(length), Expr::Int(index)) => index.is_negative() || index >= length,
                (length, _) => length.is_some(),
            },
            Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => !matches!(&**divisor, Expr::Int(by) if !by.is_zero()),
            Expr::Binary(op, ..) => op.needs_right(),
            Expr::Checked(..) | Expr::Within(..) | Expr::Guarded(..) => true,
            Expr::Nondet(_, InputSource::Computed(computation)) => matches!(computation.op, FloatOp::ToInteger(_)),
            _ => false,
        };
        self.children(&mut |child| found = found || child.can_be_undefined(arrays));
        found
    }

    /// How many values of `nondet()` it draws.
    pub fn nondets(&self) -> u32 {
        let mut count = u32::from(matches!(self, Expr::Nondet(..)));
        self.children(&mut |child| count += child.nondets());
        count
    }

    /// Whether it draws a value of such a source.
    pub fn draws_from(&self, is_match: &dyn Fn(&InputSource) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |part| found = found || matches!(part, Expr::Nondet(_, source) if is_match(source)));
        found
    }

    /// Visits this expression and all inside it; what draws values, in the order in which it does.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        let is_drawn_last = matches!(self, Expr::Nondet(..));
        if !is_drawn_last {
            visit(self);
        }
        self.children(&mut |child| child.walk(visit));
        if is_drawn_last {
            visit(self);
        }
    }
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
    /// An arbitrary value of the variable's range: `x = nondet()`.
    Havoc(VariableId),
    /// Arbitrary contents: an arbitrary value of the array's range in each element.
    HavocArray(ArrayId),
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
    /// Where the edge is a write of a function without a body: its name, as an index into [`OutsideNames::functions`].
    pub external: Option<u32>,
    /// Of such a write: the argument of the call through which the function reaches the object, where one leads there.
    pub through: Option<Box<Through>>,
    /// Where the edge is an order of evaluation that an assumption makes or rules out: that order, for people.
    pub order: Option<Arc<str>>,
    /// What the edge prints after its label, in order, before it evaluates `returns`.
    pub prints: Vec<Print>,
    /// For edges into the error location: what happens there.
    pub failure: Option<Failure>,
    /// For edges into the exit: the value that `return` gives back, evaluated after the label.
    pub returns: Option<Expr>,
    /// Where that value stands; empty without one.
    pub returned_at: Span,
    /// Whether it is of a function of the library: then `span` is that of the call.
    pub library: bool,
    /// The copy of a function that it stands in: one for each call that is inlined.
    pub copy: u32,
    /// Where the edge is a side of a decision that stands in the text: the decision's number, the same wherever it is inlined.
    pub decision: Option<u32>,
    /// What it is for a call that goes deeper than the copies of its function.
    pub deeper: Option<DeeperPart>,
}

/// The way by which a function without a body reaches an object that it writes: a pointer among its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Through {
    /// The position of the argument, from 0.
    pub argument: u32,
    /// The members on the way from the object to what the pointer points to, by position.
    pub path: Vec<usize>,
    /// The indices on that way, evaluated at the call.
    pub indices: Vec<Expr>,
}

/// What leads to the error location, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    pub span: Span,
}

/// What an execution does that gets to the error location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// An assertion that does not hold.
    Assertion,
    /// `abort()`.
    Abort,
    /// `reach_error()` and its like.
    ErrorCall,
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
    /// Where executions end that call a function within itself more often than lowering inlined calls. If there is such a location,
    /// what holds of this graph holds of every execution only as far as none gets here.
    pub cut: Option<LocationId>,
    /// How often a function is inlined within itself, where some function calls itself.
    pub inline_depth: Option<u32>,
    pub at_entry: EntryEffects,
    pub variables: Vec<Variable>,
    pub arrays: Vec<Array>,
    pub outside: OutsideNames,
    /// What values stand for.
    pub value_names: ValueNames,
    /// What the analysis assumes of the inputs: a graph without loops, which exactly the inputs that satisfy it pass from entry to exit; see
    /// [`precondition`].
    pub precondition: Option<Box<Lts>>,
    /// The functions whose calls leave the statics that this one finds, where it finds any; see [`calls`].
    pub calls: Option<Arc<calls::Calls>>,
    /// How the text has its decisions, by their numbers ([`Edge::decision`]).
    pub written: Vec<DecisionText>,
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

    /// What an edge evaluates, in order: the operands of its label, what it prints, what it returns.
    pub fn operands(&self, edge: EdgeId) -> impl Iterator<Item = &Expr> {
        let Edge { label, prints, returns, .. } = &self.graph[edge];
        label.operands().into_iter().chain(prints.iter().flat_map(Print::operands)).chain(returns)
    }

    /// Whether some edge reads standard input.
    pub fn reads_stdin(&self) -> bool {
        self.draws_from(&|source| matches!(source, InputSource::Stdin(_)))
    }

    /// Whether something draws a value of such a source.
    pub fn draws_from(&self, is_match: &dyn Fn(&InputSource) -> bool) -> bool {
        let draws = |e: &Expr| e.draws_from(is_match);
        let entry = self.at_entry.operands();
        self.graph.edge_indices().any(|edge| self.operands(edge).any(draws)) || entry.into_iter().any(draws)
    }

    /// The edges of approximated regions of the program, and of floating-point arithmetic.
    pub fn approximated(&self) -> Vec<EdgeId> {
        let is_open =
            |e: &Expr| e.draws_from(&|source| matches!(source, InputSource::Approximated | InputSource::Deeper | InputSource::Computed(_)));
        self.graph.edge_indices().filter(|&edge| self.operands(edge).any(is_open)).collect()
    }

    /// The scalar of this number.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// The array of this number.
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0 as usize]
    }
}
