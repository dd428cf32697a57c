//! The syntax tree.
//!
//! What the checker lets through is typed: an assignment's target is a [`Place`], an index stands on a name. After
//! checking, every [`Name`] of a variable or an array has its declaration.
//!
//! Invariants: an expression's [`Expr::depth`] is at most [`MAX_EXPR_DEPTH`] and statements nest at most
//! [`MAX_NESTING`] deep (a chain of `else if` counts once), so that recursion over the tree is safe.

use crate::logic::Int;
use crate::source::Span;

/// How deep parentheses, blocks and other constructs may nest.
pub const MAX_NESTING: u32 = 256;
/// How deep an expression's tree may be; a chain `a + b + c` counts each operator.
pub const MAX_EXPR_DEPTH: u16 = 500;

/// A checked program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Functions with a body, in source order.
    pub functions: Vec<Function>,
    /// Functions that are only declared.
    pub prototypes: Vec<Prototype>,
    /// Every variable and array of the program; a [`DeclId`] is an index.
    pub decls: Vec<Decl>,
}

impl Program {
    /// The function of this name and its index.
    pub fn function(&self, name: &str) -> Option<(usize, &Function)> {
        self.functions.iter().enumerate().find(|(_, f)| f.name.text == name)
    }

    pub fn decl(&self, id: DeclId) -> &Decl {
        &self.decls[id.0 as usize]
    }
}

/// A declaration's number in [`Program::decls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeclId(pub u32);

/// A variable or an array.
#[derive(Clone, Debug)]
pub struct Decl {
    pub name: String,
    pub span: Span,
    pub shape: Shape,
    pub storage: Storage,
    /// The first value of a global or a static: one number for a scalar, the given elements for an array. `None`
    /// where it has no initialiser.
    pub initial: Option<Vec<Int>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Scalar,
    /// The length is unknown only for parameters.
    Array {
        length: Option<Int>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Global,
    /// A `static` inside a function: one variable for all calls, zero at first where not initialised.
    Static,
    Parameter,
    Local,
}

/// A function with its body.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    /// Whether it returns `int` (or nothing).
    pub returns_value: bool,
    pub parameters: Vec<Parameter>,
    pub body: Vec<Stmt>,
    /// From the return type to the closing brace.
    pub span: Span,
    /// The closing brace.
    pub end: Span,
}

#[derive(Clone, Debug)]
pub struct Parameter {
    /// Empty text where the parameter has no name.
    pub name: Name,
    pub array: bool,
    pub decl: DeclId,
}

/// A declaration without a body.
#[derive(Clone, Debug)]
pub struct Prototype {
    pub name: Name,
    pub returns_value: bool,
    /// Whether its types are beyond the subset; then it must not be called.
    pub unsupported: bool,
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
    Declare(Vec<Declarator>),
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
    Break,
    Continue,
    Return(Option<Expr>),
    Goto(Name),
    Labelled(Name, Box<Stmt>),
    /// What was refused or could not be read; only in programs with errors.
    Error,
}

/// One name of a declaration with its initialiser.
#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: Name,
    /// The brackets: `None` for a scalar, `Some(None)` for `[]`.
    pub array: Option<Option<Expr>>,
    pub init: Option<Init>,
    pub is_static: bool,
    pub span: Span,
    pub decl: DeclId,
}

#[derive(Clone, Debug)]
pub enum Init {
    Expr(Expr),
    List(Vec<Expr>, Span),
}

/// Something that can be assigned to.
#[derive(Clone, Debug)]
pub enum Place {
    Variable(Name),
    Element(Name, Box<Expr>),
}

impl Place {
    pub fn name(&self) -> &Name {
        match self {
            Place::Variable(name) | Place::Element(name, _) => name,
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
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(Int),
    /// Only as an argument of `printf` and its like.
    Str,
    Name(Name),
    Index(Name, Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    /// `target = value`, or `target op= value`.
    Assign(Place, Option<BinaryOp>, Box<Expr>),
    /// `++` or `--`.
    Step {
        place: Place,
        increment: bool,
        prefix: bool,
    },
    Call(Name, Vec<Expr>),
    /// What was refused or could not be read; only in programs with errors.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Neg,
    Not,
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
}

impl Expr {
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        let mut depth = 0;
        kind.children(&mut |child| depth = depth.max(child.depth));
        Expr { kind, span, depth: depth.saturating_add(1), parenthesised: false }
    }
}

impl ExprKind {
    /// Visits the direct operands from left to right.
    pub fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            ExprKind::Int(_) | ExprKind::Str | ExprKind::Name(_) | ExprKind::Error => {}
            ExprKind::Index(_, e) | ExprKind::Unary(_, e) => visit(e),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Comma(a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::Conditional(c, a, b) => {
                visit(c);
                visit(a);
                visit(b);
            }
            ExprKind::Assign(place, _, value) => {
                if let Place::Element(_, index) = place {
                    visit(index);
                }
                visit(value);
            }
            ExprKind::Step { place, .. } => {
                if let Place::Element(_, index) = place {
                    visit(index);
                }
            }
            ExprKind::Call(_, arguments) => arguments.iter().for_each(visit),
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
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::Labelled(_, body) => visit(body),
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
            StmtKind::Declare(list) => {
                for declarator in list {
                    match &declarator.init {
                        Some(Init::Expr(e)) => visit(e),
                        Some(Init::List(list, _)) => list.iter().for_each(&mut *visit),
                        None => {}
                    }
                }
            }
            StmtKind::If { arms, .. } => arms.iter().for_each(|(c, _)| visit(c)),
            StmtKind::While { condition, .. } | StmtKind::DoWhile { condition, .. } => visit(condition),
            StmtKind::For { condition, step, .. } => condition.iter().chain(step).for_each(visit),
            _ => {}
        }
    }
}
