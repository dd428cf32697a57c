//! Expressions and statements of a program that is written anew.

use crate::lang::ast::{Expr, ExprKind, Function, Name, Parameter, Shape, Stmt, StmtKind, Type};
use crate::lang::intrinsic::{IS_SET, NODE_ELEMENT};
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::source::Span;

pub(super) fn typed(kind: ExprKind, ty: Integer, span: Span) -> Expr {
    Expr { ty, ..Expr::new(kind, span) }
}

/// The number of a node, or of the null pointer, as a constant.
pub(super) fn number(value: i64, span: Span) -> Expr {
    integer(value, span)
}

pub(super) fn read(name: &Name, ty: Integer, span: Span) -> Expr {
    typed(ExprKind::Name(Name { span, ..name.clone() }), ty, span)
}

/// The value of an integer of the program's text.
pub(super) fn integer(value: i64, span: Span) -> Expr {
    typed(ExprKind::Int(Int::from(value)), Integer::Node, span)
}

/// The number of an element in an array of nodes.
pub(super) fn element_number(first: Expr, index: Expr, length: i64) -> Expr {
    let span = first.span;
    own(NODE_ELEMENT, vec![first, index, integer(length, span)], Integer::Node, span)
}

/// An assignment in the type.
pub(super) fn assign(target: Expr, value: Expr, ty: Integer) -> Expr {
    let span = target.span;
    typed(ExprKind::Assign { target: Box::new(target), op: None, value: Box::new(value), at: ty }, ty, span)
}

pub(super) fn own(name: &str, arguments: Vec<Expr>, ty: Integer, span: Span) -> Expr {
    typed(ExprKind::Call(Name { text: name.to_owned(), span, decl: None }, arguments), ty, span)
}

/// A pointer that the program reads from memory; undefined where it was never set.
pub(super) fn set(pointer: Expr) -> Expr {
    let span = pointer.span;
    own(IS_SET, vec![pointer], Integer::Node, span)
}

pub(super) fn statement(e: Expr) -> Stmt {
    let span = e.span;
    Stmt { kind: StmtKind::Expr(e), span }
}

pub(super) fn element(array: &Name, index: Expr, ty: Integer) -> Expr {
    let span = index.span;
    typed(ExprKind::Index(Box::new(read(array, ty, span)), Box::new(index)), ty, span)
}

/// A function of the program that is written anew which gives the number of a node; it counts as one of the library.
pub(super) fn giving_node(name: String, parameters: Vec<Parameter>, body: Vec<Stmt>, span: Span) -> Function {
    Function {
        name: Name { text: name, span, decl: None },
        returns: Type::Integer(Integer::Node),
        result: Shape::Scalar(Integer::Node),
        parameters,
        body,
        span,
        end: span,
        library: true,
        is_static: true,
        old_style: false,
        variadic: false,
        casts: Vec::new(),
    }
}
