//! What stands for memory in the program that is written anew: arrays of nodes, the number of the last one, and calls.

use super::CALLERS;
use crate::lang::ast::{
    BinaryOp, Constant, Expr, ExprKind, Function, Initial, Length, Linkage, Name, Program, Shape, Stmt, StmtKind, StructId, Type,
};
use crate::lang::intrinsic::{CAN_BE_FREED, IS_SET, NEXT_NODE, NODE, of_library};
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::source::Span;

/// What stands for the nodes of one structure.
pub(super) struct NodeArrays {
    /// The nodes.
    nodes: Name,
    /// The number of the last node that the program asked for.
    last: Name,
    /// By a node's number 1 where it was freed; `None` where the program frees none.
    freed: Option<Name>,
    /// The scalars of a node: the members on the way, their types, and whether each is the number of a node.
    scalars: Vec<NodeScalar>,
    /// Whether a node has an array among its members.
    pub has_array: bool,
    /// Whether one of these has pointers to nodes.
    pub has_node_array: bool,
    tag: String,
}

/// A scalar of a node.
struct NodeScalar {
    way: Vec<(Name, usize)>,
    ty: Integer,
}

/// What a program does with memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MemoryUse {
    /// Whether a node may hold what was never set.
    pub leaves_unset: bool,
    pub frees: bool,
    /// Whether the program asks if a call gave memory.
    pub asks: bool,
}

pub(super) fn typed(kind: ExprKind, ty: Integer, span: Span) -> Expr {
    Expr { ty, ..Expr::new(kind, span) }
}

/// The number of a node, or of the null pointer, as a constant.
pub(super) fn number(value: i64, span: Span) -> Expr {
    typed(ExprKind::Int(Int::from(value)), Integer::Node, span)
}

fn read(name: &Name, ty: Integer, span: Span) -> Expr {
    typed(ExprKind::Name(Name { span, ..name.clone() }), ty, span)
}

/// An assignment in the type.
pub(super) fn assign(target: Expr, value: Expr, ty: Integer) -> Expr {
    let span = target.span;
    typed(ExprKind::Assign { target: Box::new(target), op: None, value: Box::new(value), at: ty }, ty, span)
}

fn own(name: &str, arguments: Vec<Expr>, ty: Integer, span: Span) -> Expr {
    typed(ExprKind::Call(Name { text: name.to_owned(), span, decl: None }, arguments), ty, span)
}

/// A pointer that the program reads from memory; undefined where it was never set.
pub(super) fn set(pointer: Expr) -> Expr {
    let span = pointer.span;
    own(IS_SET, vec![pointer], Integer::Node, span)
}

impl NodeArrays {
    /// Declares what stands for the nodes of a structure; its shapes have numbers already. Callers have nodes of their own where `of_callers`.
    pub fn new(program: &mut Program, structure: StructId, usage: MemoryUse, of_callers: bool) -> NodeArrays {
        let declared = program.structure(structure);
        let tag = if declared.name.is_empty() { format!("struct#{}", structure.0) } else { declared.name.clone() };
        let span = declared.span;
        let array = |element| Shape::Array { element: Box::new(element), length: Length::Unknown };
        let mut arrays = ArrayMembers::default();
        let mut scalars = Vec::new();
        scalars_of(program, structure, &mut Vec::new(), &mut scalars, &mut arrays);
        let nodes = program.declare_memory(tag.clone(), span, array(Shape::Struct(structure)), None);
        if of_callers {
            // Other parts of the program have some of them.
            nodes.decl.iter().for_each(|id| program.decls[id.0 as usize].linkage = Linkage::External);
        }
        let first = if of_callers { CALLERS } else { 0 };
        let value = Constant { typed: Int::from(first), unbounded: Int::from(first) };
        let first = vec![Initial { path: Vec::new(), indices: Vec::new(), value }];
        let last = program.declare_memory(format!("{tag}.last"), span, Shape::Scalar(Integer::Node), Some(first));
        let freed = usage
            .frees
            .then(|| program.declare_memory(format!("{tag}.freed"), span, array(Shape::Scalar(Integer::Bool)), Some(Vec::new())));
        NodeArrays { nodes, last, freed, scalars, has_array: arrays.are_there, has_node_array: arrays.hold_nodes, tag }
    }

    /// The node to which a pointer leads, as an lvalue.
    pub fn node(&self, pointer: Expr, span: Span) -> Expr {
        let mut arguments = vec![pointer.clone()];
        arguments.extend(self.freed.as_ref().map(|freed| element(freed, pointer, Integer::Bool)));
        let index = own(NODE, arguments, Integer::Node, span);
        typed(ExprKind::Index(Box::new(read(&self.nodes, Integer::Node, span)), Box::new(index)), Integer::Node, span)
    }

    /// The node that is a variable of the program, which holds its number.
    pub fn variable(&self, number: Expr) -> Expr {
        let span = number.span;
        typed(ExprKind::Index(Box::new(read(&self.nodes, Integer::Node, span)), Box::new(number)), Integer::Node, span)
    }

    /// The end of a node's life.
    pub fn free(&self, pointer: Expr, span: Span) -> Expr {
        let Some(freed) = &self.freed else { return pointer };
        let is_object = typed(ExprKind::Binary(BinaryOp::Ne, Box::new(pointer.clone()), Box::new(number(0, span))), Integer::Int, span);
        let is_object = typed(ExprKind::Convert(Box::new(is_object)), Integer::Bool, span);
        let index = own(CAN_BE_FREED, vec![pointer.clone(), element(freed, pointer, Integer::Bool)], Integer::Node, span);
        Expr { span, ..assign(element(freed, index, Integer::Bool), is_object, Integer::Bool) }
    }

    /// The name of the function that asks for a node.
    fn name_of_call(&self, is_zero: bool) -> String {
        format!("{} (struct {})", if is_zero { "calloc" } else { "malloc" }, self.tag)
    }

    /// A call that asks for a node.
    pub fn ask(&self, is_zero: bool, span: Span) -> Expr {
        own(&self.name_of_call(is_zero), Vec::new(), Integer::Node, span)
    }

    /// The number of a new node that is a variable of the program.
    pub fn next(&self, span: Span) -> Expr {
        let next = own(NEXT_NODE, vec![read(&self.last, Integer::Node, span)], Integer::Node, span);
        assign(read(&self.last, Integer::Node, span), next, Integer::Node)
    }

    /// An lvalue of the member with this way in the node with this number.
    pub fn scalar(&self, number: &Expr, way: &[(Name, usize)], ty: Integer) -> Expr {
        let span = number.span;
        let node = ExprKind::Index(Box::new(read(&self.nodes, Integer::Node, span)), Box::new(number.clone()));
        let lvalue = way.iter().fold(typed(node, Integer::Node, span), |object, (name, at)| {
            typed(ExprKind::Member(Box::new(object), Name { span, ..name.clone() }, *at), ty, span)
        });
        Expr { ty, ..lvalue }
    }

    /// Statements that give the pointers of a new node their first value, of `calloc` all its scalars; `listed` are the ways that get others.
    pub fn first_values(&self, node: &Expr, is_zero: bool, listed: &[Vec<usize>]) -> Vec<Stmt> {
        let mut made = Vec::new();
        for NodeScalar { way, ty } in &self.scalars {
            let is_listed = listed.iter().any(|path| path.iter().eq(way.iter().map(|(_, at)| at)));
            if is_listed || !is_zero && *ty != Integer::Node {
                continue;
            }
            let value = if is_zero { Int::ZERO } else { Int::MINUS_ONE };
            let value = typed(ExprKind::Int(value), *ty, node.span);
            made.push(statement(assign(self.scalar(node, way, *ty), value, *ty)));
        }
        made
    }

    /// The functions that ask for a node.
    pub fn calls(&self, asks: bool) -> [Function; 2] {
        [false, true].map(|is_zero| self.call(is_zero, asks))
    }

    fn call(&self, is_zero: bool, asks: bool) -> Function {
        let span = self.nodes.span;
        let last = read(&self.last, Integer::Node, span);
        let mut body = Vec::new();
        if asks {
            let draw = own(&of_library("__VERIFIER_nondet_bool"), Vec::new(), Integer::Bool, span);
            let failed = Stmt { kind: StmtKind::Return(Some(number(0, span))), span };
            body.push(Stmt { kind: StmtKind::If { arms: vec![(draw, failed)], otherwise: None }, span });
        }
        body.push(statement(self.next(span)));
        body.extend(self.first_values(&last, is_zero, &[]));
        body.push(Stmt { kind: StmtKind::Return(Some(last)), span });
        Function {
            name: Name { text: self.name_of_call(is_zero), span, decl: None },
            returns: Type::Integer(Integer::Node),
            result: Shape::Scalar(Integer::Node),
            parameters: Vec::new(),
            body,
            span,
            end: span,
            library: true,
            is_static: true,
            old_style: false,
            variadic: false,
        }
    }
}

pub(super) fn statement(e: Expr) -> Stmt {
    let span = e.span;
    Stmt { kind: StmtKind::Expr(e), span }
}

fn element(array: &Name, index: Expr, ty: Integer) -> Expr {
    let span = index.span;
    typed(ExprKind::Index(Box::new(read(array, ty, span)), Box::new(index)), ty, span)
}

/// Arrays among the members of a node.
#[derive(Default)]
struct ArrayMembers {
    are_there: bool,
    hold_nodes: bool,
}

fn scalars_of(program: &Program, id: StructId, way: &mut Vec<(Name, usize)>, found: &mut Vec<NodeScalar>, arrays: &mut ArrayMembers) {
    for (member, at) in program.structure(id).members.iter().flatten().zip(0..) {
        way.push((member.name.clone(), at));
        match &member.shape {
            Shape::Scalar(ty) => found.push(NodeScalar { way: way.clone(), ty: *ty }),
            Shape::Struct(inner) => scalars_of(program, *inner, way, found, arrays),
            Shape::Array { element, .. } => {
                arrays.are_there = true;
                arrays.hold_nodes |= holds_node(program, element);
            }
            _ => {}
        }
        way.pop();
    }
}

fn holds_node(program: &Program, shape: &Shape) -> bool {
    match shape {
        Shape::Scalar(ty) => *ty == Integer::Node,
        Shape::Array { element, .. } => holds_node(program, element),
        Shape::Struct(id) => program.structure(*id).members.iter().flatten().any(|member| holds_node(program, &member.shape)),
        _ => false,
    }
}
