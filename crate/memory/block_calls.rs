//! Functions that give blocks: `malloc`, `calloc` and `realloc` as functions of the program that is written anew.
//!
//! A block that `realloc` gives has a number of its own, and the elements of the old one: they lie where those of the old number lie, so
//! that nothing is copied. Where the new block is shorter, its elements are copied one by one, since the elements after them are lost.

use super::block_arrays::{BlockArrays, ITEMS, LENGTH_TYPE, MOST};
use super::block_values::{ElementStatements, ElementValues};
use super::build::NodeArrays;
use super::tree::{assign, element, giving_node, number, own, read, statement, typed};
use crate::lang::ast::{
    BinaryOp, Decl, DeclId, Expr, ExprKind, Function, Linkage, Name, Parameter, Program, Qualifiers, Shape, Stmt, StmtKind, Storage, Type,
};
use crate::lang::intrinsic::{ALLOCATION_FAILS, CAN_BE_FREED, NEXT_NODE, of_library};
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::source::Span;

fn binary(op: BinaryOp, a: Expr, b: Expr, ty: Integer) -> Expr {
    let span = a.span;
    typed(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
}

fn count_of(value: i64, span: Span) -> Expr {
    typed(ExprKind::Int(Int::from(value)), LENGTH_TYPE, span)
}

fn block(list: Vec<Stmt>, span: Span) -> Stmt {
    Stmt { kind: StmtKind::Block(list), span }
}

fn when(condition: Expr, then: Stmt, otherwise: Option<Stmt>) -> Stmt {
    let span = condition.span;
    Stmt { kind: StmtKind::If { arms: vec![(condition, then)], otherwise: otherwise.map(Box::new) }, span }
}

/// Declares a parameter of a function that the program gets.
fn parameter(program: &mut Program, name: &str, ty: Integer, qualifiers: Qualifiers, span: Span) -> Parameter {
    let decl = DeclId(u32::try_from(program.decls.len()).unwrap_or(u32::MAX));
    program.decls.push(Decl {
        name: name.to_owned(),
        span,
        shape: Shape::Scalar(ty),
        qualifiers,
        storage: Storage::Parameter,
        linkage: Linkage::Internal,
        initial: None,
        assigned: false,
    });
    let name = Name { text: name.to_owned(), span, decl: Some(decl) };
    Parameter { name, ty: Type::Integer(ty), qualifiers: Qualifiers::default(), decl }
}

impl NodeArrays {
    fn item(&self, block: &BlockArrays, number: Expr, index: Expr) -> Expr {
        let (span, items) = (number.span, self.part(number, "items", ITEMS));
        let ty = if let Shape::Scalar(ty) = block.element { ty } else { LENGTH_TYPE };
        typed(ExprKind::Index(Box::new(items), Box::new(index)), ty, span)
    }

    /// The name of the function in place of the system's function.
    fn name_of_block_call(&self, function: &str) -> String {
        format!("{function} ({})", self.tag)
    }

    /// A call that asks for a block; `None` of a function that gives none.
    pub fn ask_block(&self, function: &str, arguments: Vec<Expr>, span: Span) -> Option<Expr> {
        let is_given = matches!((function, arguments.len()), ("malloc" | "calloc" | "array" | "zeros", 1) | ("realloc", 2));
        is_given.then(|| own(&self.name_of_block_call(function), arguments, Integer::Node, span))
    }

    /// The functions that ask for a block; `None` where an element has parts that they cannot set.
    pub fn block_calls(&self, block: &BlockArrays, program: &mut Program, asks: bool) -> Option<Vec<Function>> {
        let names: &[&str] = if block.moved.is_some() {
            &["malloc", "calloc", "array", "zeros", "realloc"]
        } else {
            &["malloc", "calloc", "array", "zeros"]
        };
        names.iter().map(|name| self.block_call(block, program, name, asks)).collect()
    }

    fn block_call(&self, block: &BlockArrays, program: &mut Program, function: &str, asks: bool) -> Option<Function> {
        let span = self.nodes.span;
        let mut parameters = Vec::new();
        let old = (function == "realloc")
            .then(|| parameter(program, "old", Integer::Node, Qualifiers::default().leading_to(block.structure.0), span));
        let count = parameter(program, "count", LENGTH_TYPE, Qualifiers::default(), span);
        let length = || read(&count.name, LENGTH_TYPE, span);
        let last = || read(&self.last, Integer::Node, span);
        let null = || Stmt { kind: StmtKind::Return(Some(number(0, span))), span };
        let mut body = Vec::new();
        // An object of the program is there.
        let is_object = matches!(function, "array" | "zeros");
        if asks && !is_object {
            body.push(when(own(&of_library(ALLOCATION_FAILS), Vec::new(), Integer::Bool, span), null(), None));
        }
        let is_too_long = || binary(BinaryOp::Gt, length(), count_of(MOST, span), Integer::Int);
        body.extend((!is_object).then(|| when(is_too_long(), null(), None)));
        body.push(statement(assign(last(), own(NEXT_NODE, vec![last()], Integer::Node, span), Integer::Node)));
        body.push(statement(assign(self.length(last()), length(), LENGTH_TYPE)));
        let index = || read(&block.index, LENGTH_TYPE, span);
        let mut set_each = |values: &ElementValues| {
            let mut set = ElementStatements { program, tag: &self.tag, made: Vec::new() };
            set.set(&block.element, self.item(block, last(), index()), values, 0)?;
            let mut set = set.made;
            let next = binary(BinaryOp::Add, index(), count_of(1, span), LENGTH_TYPE);
            set.push(statement(assign(index(), next, LENGTH_TYPE)));
            let condition = binary(BinaryOp::Lt, index(), length(), Integer::Int);
            Some(Stmt { kind: StmtKind::While { condition, body: Box::new(self::block(set, span)) }, span })
        };
        // How many of its elements have values.
        let is_set = |count: Expr| statement(assign(index(), count, LENGTH_TYPE));
        let mut leaves_unset = block.has_node;
        let is_zero = matches!(function, "calloc" | "zeros");
        if is_zero || leaves_unset {
            body.push(is_set(count_of(0, span)));
        }
        if is_zero {
            body.push(set_each(&ElementValues::Zeros)?);
            leaves_unset = false;
        }
        if let (Some(old), Some(moved), Some(freed)) = (&old, &block.moved, &self.freed) {
            let old = || read(&old.name, Integer::Node, span);
            let moved = |number: Expr| element(moved, number, Integer::LongLong);
            let can_be = own(CAN_BE_FREED, vec![old(), element(freed, number(0, span), Integer::Bool)], Integer::Node, span);
            let ends = statement(assign(
                element(freed, can_be, Integer::Bool),
                typed(ExprKind::Int(Int::ONE), Integer::Bool, span),
                Integer::Bool,
            ));
            let before = binary(BinaryOp::Sub, old(), last(), Integer::LongLong);
            let before = binary(BinaryOp::Add, before, moved(old()), Integer::LongLong);
            let stays = statement(assign(moved(last()), before, Integer::LongLong));
            let copied = set_each(&ElementValues::Of(self.item(block, old(), index())))?;
            let is_longer = binary(BinaryOp::Le, self.length(old()), length(), Integer::Int);
            let (stays, copied) = match leaves_unset {
                true => (self::block(vec![stays, is_set(self.length(old()))], span), copied),
                false => (stays, self::block(vec![is_set(count_of(0, span)), copied], span)),
            };
            let copy = when(is_longer, stays, Some(copied));
            let none = statement(assign(self.length(old()), count_of(0, span), LENGTH_TYPE));
            let is_object = binary(BinaryOp::Ne, old(), number(0, span), Integer::Int);
            body.push(when(is_object, self::block(vec![ends, copy, none], span), None));
        }
        if leaves_unset {
            body.push(set_each(&ElementValues::NeverSet)?);
        }
        body.push(Stmt { kind: StmtKind::Return(Some(last())), span });
        parameters.extend(old);
        parameters.push(count.clone());
        Some(giving_node(self.name_of_block_call(function), parameters, body, span))
    }
}
