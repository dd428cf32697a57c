//! The values that the elements of a new block begin with.

use super::block_arrays::LENGTH_TYPE;
use super::tree::{assign, read, statement, typed};
use crate::lang::ast::{BinaryOp, Constant, Expr, ExprKind, Initial, Length, Name, Program, Shape, Stmt, StmtKind};
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

/// Statements that set an element.
pub(super) struct Values<'p> {
    pub program: &'p mut Program,
    /// Names the variables that count elements.
    pub tag: &'p str,
    pub made: Vec<Stmt>,
}

impl Values<'_> {
    /// Sets an object of this shape, in so many arrays; `None` of one with a part that has no such value.
    pub fn set(&mut self, shape: &Shape, target: Expr, values: &ElementValues, depth: u32) -> Option<()> {
        let span = target.span;
        let value = match (shape, values) {
            (Shape::Scalar(Integer::Node), ElementValues::NeverSet) => Some((Int::MINUS_ONE, Integer::Node)),
            (Shape::Scalar(ty), ElementValues::Zeros) => Some((Int::ZERO, *ty)),
            _ => None,
        };
        if let Some((value, ty)) = value {
            self.made.push(statement(assign(target, typed(ExprKind::Int(value), ty, span), ty)));
            return Some(());
        }
        match (shape, values) {
            (_, ElementValues::Of(from)) => {
                let ty = target.ty;
                self.made.push(statement(assign(target, from.clone(), ty)));
            }
            (Shape::Scalar(_), _) => {}
            (Shape::Struct(id), _) => {
                let structure = self.program.structure(*id);
                if structure.union.is_some() {
                    return matches!(values, ElementValues::NeverSet).then_some(());
                }
                for (member, at) in structure.members.clone()?.into_iter().zip(0..) {
                    let ty = member.shape.integer(self.program.abi).unwrap_or(LENGTH_TYPE);
                    let part = ExprKind::Member(Box::new(target.clone()), Name { span, ..member.name }, at);
                    self.set(&member.shape, typed(part, ty, span), values, depth)?;
                }
            }
            (Shape::Array { element, length: Length::Fixed(length) }, _) => {
                let length = length.to_i64()?;
                let ty = element.integer(self.program.abi).unwrap_or(LENGTH_TYPE);
                let item = |index: Expr| typed(ExprKind::Index(Box::new(target.clone()), Box::new(index)), ty, span);
                let count = |value: i64| typed(ExprKind::Int(Int::from(value)), LENGTH_TYPE, span);
                if length <= UNROLLED {
                    for at in 0..length {
                        self.set(element, item(count(at)), values, depth)?;
                    }
                    return Some(());
                }
                let index = self.index(&target, depth);
                let index = || read(&index, LENGTH_TYPE, span);
                let before = std::mem::take(&mut self.made);
                self.set(element, item(index()), values, depth + 1)?;
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
