//! The syntax tree.
//!
//! The parser builds it as the text has it; the checker resolves names, gives every expression its type, and writes the conversions down
//! that C makes silently ([`ExprKind::Convert`]). After checking, every [`Name`] of a variable has its declaration.
//!
//! Invariants: expressions are at most [`MAX_EXPR_DEPTH`] deep ([`Expr::depth`]; conversions, of which at most two stand on each other, do
//! not count) and statements [`MAX_NESTING`] (a chain of `else if` counts once), so that recursion over the tree is safe.

mod functions;
mod layout;
mod memory;
mod shape;
pub mod sugar;

pub use super::qualifiers::Qualifiers;
use super::refused::{LEFT_OUT, RefusedFunction};
use super::remarks::{Expansion, Oversized};
pub use super::storage::{Linkage, Storage};
use super::types::{Abi, Integer};
use crate::logic::{Int, IntRange};
use crate::source::Span;
pub use functions::Functions;
pub use layout::{BitGap, Layout, UnionMembers, UnionScalar, find_member};
pub use memory::{BlockKind, CommandLine, NodeNumbers, NodeObject, StaticTarget};
pub use shape::{Length, PointerCast, Shape, Type};
use sugar::Sugar;

/// How deep parentheses, blocks and other constructs may nest.
pub const MAX_NESTING: u32 = 256;
/// How deep an expression's tree may be; a chain `a + b + c` counts each operator.
pub const MAX_EXPR_DEPTH: u16 = 500;

/// A checked program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Functions with a body, in source order; after them those of [`super::library`] that the program calls.
    pub functions: Functions,
    /// Functions that are only declared.
    pub prototypes: Vec<Prototype>,
    /// Every variable and array of the program; a [`DeclId`] is an index.
    pub decls: Vec<Decl>,
    /// Every structure; a [`StructId`] is an index.
    pub structs: Vec<Struct>,
    /// The strings whose addresses are values, each once; see [`string_address`].
    pub strings: Vec<Vec<u8>>,
    /// The functions whose addresses are values; the first one's is 1.
    pub addressed: Vec<String>,
    /// The constants of the enumerations, by the numbers that [`Qualifiers::enumeration`] has.
    pub enumerations: Vec<Vec<(String, Constant)>>,
    /// The functions that attributes mark as handlers of interrupts.
    pub interrupts: Vec<String>,
    /// The variables that initialisers at file scope name: pointers there may lead to them, and may write to them.
    pub pointed: Vec<DeclId>,
    /// Whether the program says that its integers have no bounds: by a pragma, or by being in the block language.
    pub unbounded: Option<bool>,
    /// The target.
    pub abi: Abi,
    /// Integer constants that fit no type of C, in the order of the text.
    pub oversized: Vec<Oversized>,
    /// The functions that are not understood and left out, in the order of the text.
    pub refused: Vec<RefusedFunction>,
    /// The parts of the text that are headers, in the order of their starts.
    pub headers: Vec<Span>,
    /// What is said of numbers of nodes, where they stand for pointers.
    pub nodes: NodeNumbers,
}

impl Program {
    /// Whether a span starts in a header.
    pub fn is_in_header(&self, span: Span) -> bool {
        self.headers.iter().any(|header| header.start <= span.start && span.start < header.end)
    }

    /// The function of this name and its index.
    pub fn function(&self, name: &str) -> Option<(usize, &Function)> {
        self.functions.named(name)
    }

    /// The program's own functions that are understood.
    pub fn own(&self) -> impl DoubleEndedIterator<Item = &Function> {
        self.functions.iter().filter(|function| !function.library && function.name.text != LEFT_OUT)
    }

    pub fn decl(&self, id: DeclId) -> &Decl {
        &self.decls[id.0 as usize]
    }

    pub fn structure(&self, id: StructId) -> &Struct {
        &self.structs[id.0 as usize]
    }
}

/// The address of the string with this number in [`Program::strings`]: not null, and so far from the others that no offset leads to them.
pub fn string_address(number: usize) -> Int {
    Int::from((number as i64 + 1) << 32)
}

/// The address of an object that is there before the program starts, as a first value: it can be compared, and not followed.
pub fn object_address(decl: DeclId) -> Int {
    Int::from((i64::from(decl.0) + 1) << 16 | 1)
}

/// A declaration's number in [`Program::decls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeclId(pub u32);

/// A structure's number in [`Program::structs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructId(pub u32);

/// A structure.
#[derive(Clone, Debug)]
pub struct Struct {
    /// The tag; empty where there is none.
    pub name: String,
    pub span: Span,
    /// `None` while it is only declared.
    pub members: Option<Vec<Member>>,
    pub layout: Layout,
    pub gaps: Vec<BitGap>,
    /// Whether the program copies or sets whole objects of it, and so gives its padding values.
    pub sets_padding: bool,
    /// Of a union, what its text has for members.
    pub union: Option<UnionMembers>,
}

/// A member of a structure.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: Name,
    pub ty: Type,
    pub qualifiers: Qualifiers,
    /// What the checker makes of the type.
    pub shape: Shape,
    /// Of a member of some bits how many.
    pub bits: Option<BitWidth>,
}

/// The width of a member of some bits.
#[derive(Clone, Debug)]
pub struct BitWidth {
    pub width: Box<Expr>,
    /// The values that it has, and the bytes of its type; filled in by the checker.
    pub values: IntRange,
    pub bytes: i64,
}

/// A variable, an array, or a structure.
#[derive(Clone, Debug)]
pub struct Decl {
    pub name: String,
    pub span: Span,
    pub shape: Shape,
    pub qualifiers: Qualifiers,
    pub storage: Storage,
    pub linkage: Linkage,
    /// The first values of a global, a static or a compound literal: of its scalars, in the order of their places; `None` without initialiser.
    pub initial: Option<Vec<Initial>>,
    /// Whether something assigns to it after its declaration, or takes its address.
    pub assigned: bool,
}

/// A scalar of an initialised object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial {
    /// Which member of which member, from outside.
    pub path: Vec<usize>,
    /// The indices of the arrays on the way.
    pub indices: Vec<usize>,
    pub value: Constant,
}

/// The value of a constant expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// In C's types.
    pub typed: Int,
    /// Where integers have no bounds.
    pub unbounded: Int,
}

/// A function with its body.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    pub returns: Type,
    /// What the checker makes of the type.
    pub result: Shape,
    pub parameters: Vec<Parameter>,
    pub body: Vec<Stmt>,
    /// From the return type to the closing brace.
    pub span: Span,
    /// The closing brace.
    pub end: Span,
    /// Whether it is not the program's but of [`super::library`].
    pub library: bool,
    /// Whether its definition says `static`: no other part of the program can call it by its name.
    pub is_static: bool,
    /// Whether its parameters are declared after the parentheses, as in the C of old.
    pub old_style: bool,
    /// Whether any number of arguments may follow: `...`.
    pub variadic: bool,
    /// The casts from `void *` in its text; filled in by the checker.
    pub casts: Vec<PointerCast>,
}

impl Function {
    /// Whether it returns a value.
    pub fn returns_value(&self) -> bool {
        self.result != Shape::Void
    }

    /// The parameters that its text has: not what passes variable arguments on.
    pub fn written_parameters(&self) -> &[Parameter] {
        match self.parameters.split_last() {
            Some((last, others)) if last.name.text == sugar::ARGUMENTS => others,
            _ => &self.parameters,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Parameter {
    /// Empty text where the parameter has no name.
    pub name: Name,
    pub ty: Type,
    pub qualifiers: Qualifiers,
    pub decl: DeclId,
}

/// A declaration without a body.
#[derive(Clone, Debug)]
pub struct Prototype {
    pub name: Name,
    pub returns: Type,
    /// `None` where the text does not tell: `()`, or the parser refused one of them.
    pub parameters: Option<Vec<Parameter>>,
    /// Whether any number of arguments may follow: `...`.
    pub variadic: bool,
}

impl Prototype {
    /// How many arguments a call has, where the declaration says so.
    pub fn arity(&self) -> Option<usize> {
        self.parameters.as_ref().filter(|_| !self.variadic).map(Vec::len)
    }
}

/// An identifier in the text.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
    /// Filled in by the checker for variables and arrays.
    pub decl: Option<DeclId>,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    /// The constants of enumerations in the declaration, then its names.
    Declare(Vec<Enumerator>, Vec<Declarator>),
    Block(Vec<Stmt>),
    /// `if`, then any number of `else if`, then perhaps `else`.
    If {
        arms: Vec<(Expr, Stmt)>,
        otherwise: Option<Box<Stmt>>,
    },
    While {
        condition: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        condition: Expr,
    },
    For {
        /// A declaration or an expression statement.
        init: Option<Box<Stmt>>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    /// `case value:`, or with GNU's range `case value ... last:`.
    Case {
        value: Expr,
        last: Option<Expr>,
        /// Their values, filled in by the checker.
        range: Option<(Constant, Constant)>,
        body: Box<Stmt>,
    },
    Default(Box<Stmt>),
    Break,
    Continue,
    Return(Option<Expr>),
    Goto(Name),
    Labelled(Name, Box<Stmt>),
    /// What was refused or could not be read; only in programs with errors.
    Error,
}

/// A constant of an enumeration.
#[derive(Clone, Debug)]
pub struct Enumerator {
    pub name: Name,
    pub value: Option<Expr>,
    /// Whether it is the first of its enumeration.
    pub first: bool,
    /// The number of its enumeration, from 0.
    pub enumeration: u32,
    /// Whether it is no constant but a static assertion: the name is its text, and the value must not be zero.
    pub is_assertion: bool,
}

/// One name of a declaration with its initialiser.
#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: Name,
    pub ty: Type,
    pub qualifiers: Qualifiers,
    pub init: Option<Init>,
    pub is_static: bool,
    pub is_extern: bool,
    pub span: Span,
    pub decl: DeclId,
}

/// An initialiser: one expression, or a list in braces.
#[derive(Clone, Debug)]
pub enum Init {
    Expr(Expr),
    List(Vec<Item>, Span),
}

/// The way to a part of an object: the members by position, and the indices.
pub type PartPath = (Vec<usize>, Vec<usize>);

/// A value in a list of first values.
#[derive(Clone, Debug)]
pub struct Item {
    pub designators: Vec<Designator>,
    pub value: Init,
    /// Where the checker puts it: members and indices, as in [`Initial`]; only of values that are expressions.
    pub part_path: Option<PartPath>,
}

impl Item {
    /// The members on the way to the part of an object that the value initialises.
    pub fn path(&self) -> Option<&[usize]> {
        self.part_path.as_ref().map(|(path, _)| path.as_slice())
    }
}

#[derive(Clone, Debug)]
pub enum Designator {
    Member(Name),
    Index(Expr),
    /// GNU's `[4 ... 6]`; the checker makes one for each.
    Range(Expr, Expr),
}

impl Init {
    /// Visits the expressions of the initialiser in order.
    pub fn expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Init::Expr(e) => visit(e),
            Init::List(items, _) => items.iter().for_each(|item| item.value.expressions(visit)),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    /// 1 more than the deepest operand's.
    pub depth: u16,
    /// Whether it stood in parentheses of its own.
    pub parenthesised: bool,
    /// The type of its value, filled in by the checker; of addresses [`super::types::Abi::address`], of no matter for arrays and structures.
    pub ty: Integer,
    /// Of a checked lvalue and of what a cast gives: what is volatile, bit 0 the object itself, bit 1 its elements or what it points to.
    pub volatile: u32,
    /// Of a condition in which macros are used: what they are replaced by.
    pub expansion: Option<std::sync::Arc<Expansion>>,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number with the type that its spelling gives it; of `float` and `double` its rank.
    Int(Int),
    /// A string's bytes, without the zero at its end.
    Str(Vec<u8>),
    Name(Name),
    /// An element of an array, or what a pointer with an offset points to.
    Index(Box<Expr>, Box<Expr>),
    /// A member, and its number in the structure, filled in by the checker.
    Member(Box<Expr>, Name, usize),
    /// What a pointer points to.
    Deref(Box<Expr>),
    AddressOf(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    /// `target = value`, or `target op= value`, computed in the type `at`, to which the checker converts the value.
    Assign {
        target: Box<Expr>,
        op: Option<BinaryOp>,
        value: Box<Expr>,
        at: Integer,
    },
    /// `++` or `--`.
    Step {
        target: Box<Expr>,
        increment: bool,
        prefix: bool,
    },
    Call(Name, Vec<Expr>),
    /// A call of an expression that is no name; the checker makes it a choice.
    CallAt(Box<Expr>, Vec<Expr>),
    /// A cast.
    Cast(Type, Box<Expr>),
    /// A conversion to [`Expr::ty`], from a cast or one that C makes silently; made by the checker.
    Convert(Box<Expr>),
    SizeofType(Type),
    SizeofExpr(Box<Expr>),
    /// What the checker writes with the others.
    Sugar(Box<Sugar>),
    /// What was refused or could not be read; only in programs with errors.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Neg,
    Not,
    /// `~`
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

impl BinaryOp {
    /// Whether it is a comparison: its value is 0 or 1.
    pub fn compares(self) -> bool {
        matches!(self, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne)
    }

    /// Whether it is `<<` or `>>`: each operand is promoted by itself.
    pub fn shifts(self) -> bool {
        matches!(self, BinaryOp::ShiftLeft | BinaryOp::ShiftRight)
    }
}

impl Expr {
    /// The expression with its depth counted; the checker fills in the type.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        let mut depth = 0;
        kind.children(&mut |child| depth = depth.max(child.depth));
        Expr { kind, span, depth: depth.saturating_add(1), parenthesised: false, ty: Integer::Int, volatile: 0, expansion: None }
    }

    /// The name at the root of an lvalue: the variable whose element or member it is.
    pub fn root(&self) -> Option<&Name> {
        match &self.kind {
            ExprKind::Name(name) => Some(name),
            ExprKind::Index(base, _) | ExprKind::Member(base, ..) | ExprKind::Deref(base) => base.root(),
            _ => None,
        }
    }

    /// Whether it names something that can have an address: not whether that is supported.
    pub fn is_place(&self) -> bool {
        match &self.kind {
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) => true,
            ExprKind::Sugar(sugar) => matches!(**sugar, Sugar::Literal(..)),
            _ => false,
        }
    }

    /// The expression without the conversions around it.
    pub fn unconverted(&self) -> &Expr {
        match &self.kind {
            ExprKind::Convert(inner) => inner.unconverted(),
            _ => self,
        }
    }
}

impl ExprKind {
    /// Visits the direct operands from left to right.
    pub fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::Name(_) | ExprKind::SizeofType(_) | ExprKind::Error => {}
            ExprKind::Unary(_, e)
            | ExprKind::Member(e, ..)
            | ExprKind::Deref(e)
            | ExprKind::AddressOf(e)
            | ExprKind::Cast(_, e)
            | ExprKind::Convert(e)
            | ExprKind::SizeofExpr(e) => visit(e),
            ExprKind::Binary(_, a, b)
            | ExprKind::Index(a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Assign { target: a, value: b, .. } => {
                visit(a);
                visit(b);
            }
            ExprKind::Conditional(c, a, b) => {
                visit(c);
                visit(a);
                visit(b);
            }
            ExprKind::Step { target, .. } => visit(target),
            ExprKind::Sugar(sugar) => sugar.children(visit),
            ExprKind::Call(_, arguments) => arguments.iter().for_each(visit),
            ExprKind::CallAt(callee, arguments) => {
                visit(callee);
                arguments.iter().for_each(visit);
            }
        }
    }
}

impl Stmt {
    /// Visits the direct sub-statements in source order.
    pub fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        match &self.kind {
            StmtKind::Block(list) => list.iter().for_each(visit),
            StmtKind::If { arms, otherwise } => {
                arms.iter().for_each(|(_, s)| visit(s));
                otherwise.iter().for_each(|s| visit(s));
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::Labelled(_, body)
            | StmtKind::Switch { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default(body) => visit(body),
            StmtKind::For { init, body, .. } => {
                init.iter().for_each(|s| visit(s));
                visit(body);
            }
            _ => {}
        }
    }

    /// Visits the expressions that belong to this statement itself, in source order.
    pub fn expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => visit(e),
            StmtKind::Declare(_, list) => {
                for declarator in list {
                    declarator.ty.lengths().flatten().for_each(&mut *visit);
                    declarator.init.iter().for_each(|init| init.expressions(visit));
                }
            }
            StmtKind::If { arms, .. } => arms.iter().for_each(|(c, _)| visit(c)),
            StmtKind::While { condition, .. } | StmtKind::DoWhile { condition, .. } => visit(condition),
            StmtKind::Switch { value, .. } => visit(value),
            StmtKind::For { condition, step, .. } => condition.iter().chain(step).for_each(visit),
            _ => {}
        }
    }
}
