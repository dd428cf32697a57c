//! The values that the elements of a new block begin with.

use super::block_arrays::LENGTH_TYPE;
use super::tree::{assign, read, statement, typed};
use crate::lang::ast::{BinaryOp, Constant, Expr, ExprKind, Initial, Length, Name, Program, Shape, Stmt, StmtKind, StructId};
use crate::lang::types::Integer;
use crate::logic::Int;

/// The greatest number of elements of an array in an element that are set without a loop.
const UNROLLED: i64 = 4;

/// What the elements of a block begin with.
pub(super) enum ElementValues {
    Zeros,
    /// Pointers were never set; anything else has any value.
    NeverSet,
    /// What another element has.
    Of(Expr),
}

impl ElementValues {
    /// What a part of an element begins with.
    fn part(&self, part: &dyn Fn(&Expr) -> Expr) -> ElementValues {
        match self {
            ElementValues::Zeros => ElementValues::Zeros,
            ElementValues::NeverSet => ElementValues::NeverSet,
            ElementValues::Of(from) => ElementValues::Of(part(from)),
        }
    }
}

/// Statements that set an element.
pub(super) struct ElementStatements<'p> {
    pub program: &'p mut Program,
    /// Names the variables that count elements.
    pub tag: &'p str,
    pub made: Vec<Stmt>,
}

impl ElementStatements<'_> {
    /// Sets an object of this shape, in so many arrays; `None` of one with a part that has no such value.
    pub fn set(&mut self, shape: &Shape, target: Expr, values: &ElementValues, depth: u32) -> Option<()> {
        let span = target.span;
        let constant = |value: Int, ty: Integer| Some(typed(ExprKind::Int(value), ty, span));
        let is_union = |id: &StructId| self.program.structure(*id).union.is_some();
        match shape {
            Shape::Scalar(ty) => {
                let value = match values {
                    ElementValues::Zeros => constant(Int::ZERO, *ty),
                    ElementValues::NeverSet if *ty == Integer::Node => constant(Int::MINUS_ONE, *ty),
                    ElementValues::NeverSet => None,
                    ElementValues::Of(from) => Some(from.clone()),
                };
                self.made.extend(value.map(|value| statement(assign(target, value, *ty))));
            }
            Shape::Struct(id) if is_union(id) => match values {
                ElementValues::Zeros => return None,
                ElementValues::NeverSet => {}
                ElementValues::Of(from) => {
                    let ty = target.ty;
                    self.made.push(statement(assign(target, from.clone(), ty)));
                }
            },
            Shape::Struct(id) => {
                let structure = self.program.structure(*id);
                for (member, at) in structure.members.clone()?.into_iter().zip(0..) {
                    let ty = member.shape.integer(self.program.abi).unwrap_or(LENGTH_TYPE);
                    let part = |of: &Expr| {
                        let name = Name { span, ..member.name.clone() };
                        typed(ExprKind::Member(Box::new(of.clone()), name, at), ty, span)
                    };
                    self.set(&member.shape, part(&target), &values.part(&part), depth)?;
                }
            }
            Shape::Array { element, length: Length::Fixed(length) } => {
                let length = length.to_i64()?;
                let ty = element.integer(self.program.abi).unwrap_or(LENGTH_TYPE);
                let item = |of: &Expr, index: Expr| typed(ExprKind::Index(Box::new(of.clone()), Box::new(index)), ty, span);
                let count = |value: i64| typed(ExprKind::Int(Int::from(value)), LENGTH_TYPE, span);
                if length <= UNROLLED {
                    for at in 0..length {
                        self.set(element, item(&target, count(at)), &values.part(&|of| item(of, count(at))), depth)?;
                    }
                    return Some(());
                }
                let index = self.index(&target, depth);
                let index = || read(&index, LENGTH_TYPE, span);
                let before = std::mem::take(&mut self.made);
                self.set(element, item(&target, index()), &values.part(&|of| item(of, index())), depth + 1)?;
                let mut body = std::mem::replace(&mut self.made, before);
                if body.is_empty() {
                    return Some(());
                }
                let binary = |op, other: i64, ty| typed(ExprKind::Binary(op, Box::new(index()), Box::new(count(other))), ty, span);
                body.push(statement(assign(index(), binary(BinaryOp::Add, 1, LENGTH_TYPE), LENGTH_TYPE)));
                let body = Box::new(Stmt { kind: StmtKind::Block(body), span });
                self.made.push(statement(assign(index(), count(0), LENGTH_TYPE)));
                self.made.push(Stmt { kind: StmtKind::While { condition: binary(BinaryOp::Lt, length, Integer::Int), body }, span });
            }
            Shape::Pointer(inner) if matches!(**inner, Shape::Function(_) | Shape::Void) => {
                let ty = self.program.abi.address();
                let value = match values {
                    ElementValues::Zeros => constant(Int::ZERO, ty),
                    ElementValues::NeverSet => None,
                    ElementValues::Of(from) => Some(from.clone()),
                };
                self.made.extend(value.map(|value| statement(assign(target, value, ty))));
            }
            // No use of such a pointer is followed.
            Shape::Pointer(_) => {}
            _ => return None,
        }
        Some(())
    }

    /// A variable that counts the elements of an array in so many others.
    fn index(&mut self, target: &Expr, depth: u32) -> Name {
        let name = format!("{}.index{}", self.tag, depth + 2);
        let declared = self.program.decls.iter().zip(0..).find(|(decl, _)| decl.name == name);
        if let Some((_, at)) = declared {
            return Name { text: name, span: target.span, decl: Some(crate::lang::ast::DeclId(at)) };
        }
        let value = Constant { typed: Int::ZERO, unbounded: Int::ZERO };
        let zero = vec![Initial { path: Vec::new(), indices: Vec::new(), value }];
        self.program.declare_memory(name, target.span, Shape::Scalar(LENGTH_TYPE), Some(zero))
    }
}
