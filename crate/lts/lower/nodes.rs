//! Numbers of nodes, which [`crate::memory`] has made of pointers: what such a number leads to.

use super::Lowerer;
use super::expression::Effects;
use super::object::Root;
use crate::lang::ast::{Expr as Tree, Name, Shape, Storage};
use crate::lang::intrinsic::{CAN_BE_FREED, IS_SET, NEXT_NODE, NODE, is_of_nodes};
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::lts::{BinaryOp, CompareOp, Expr, FREED, Requirement, ValueMeaning};

fn compare(op: CompareOp, a: &Expr, b: Int) -> Expr {
    Expr::Compare(op, Box::new(a.clone()), Box::new(Expr::Int(b)))
}

fn where_so(requirement: Requirement, condition: Expr, value: Expr) -> Expr {
    Expr::Guarded(requirement, Box::new(condition), Box::new(value))
}

impl<'a> Lowerer<'a> {
    /// The value of what stands for the use of a pointer to a node; `None` of any other call.
    pub(super) fn of_nodes(&mut self, name: &Name, arguments: &'a [Tree], effects: &mut Effects<'a>) -> Option<Expr> {
        if !is_of_nodes(&name.text) {
            return None;
        }
        let values: Vec<Expr> = arguments.iter().map(|argument| self.value(argument, effects)).collect();
        let is_there = |freed: &Expr| compare(CompareOp::Eq, freed, Int::ZERO);
        match (name.text.as_str(), &values[..]) {
            (NODE, [node, freed @ ..]) => {
                let alive = freed.iter().fold(node.clone(), |node, freed| where_so(Requirement::Allocated, is_there(freed), node));
                Some(where_so(Requirement::Pointer, compare(CompareOp::Ne, node, Int::ZERO), alive))
            }
            (IS_SET, [node]) => Some(where_so(Requirement::Set, compare(CompareOp::Ge, node, Int::ZERO), node.clone())),
            (CAN_BE_FREED, [node, freed]) => Some(where_so(Requirement::Allocated, is_there(freed), node.clone())),
            (NEXT_NODE, [last]) => Some(Expr::Binary(BinaryOp::Add, Box::new(last.clone()), Box::new(Expr::Int(Int::ONE)))),
            _ => None,
        }
    }

    /// What the scalars of an object mean that hold numbers of nodes.
    pub(super) fn meaning_of_nodes(&self, root: &Root, shape: &Shape) -> Option<ValueMeaning> {
        let is_present = matches!(root, Root::Decl(_, id) if self.program.present.contains(id));
        (*shape == Shape::Scalar(Integer::Node)).then_some(ValueMeaning::Nodes { may_start_null: !is_present })
    }

    /// The member of nodes that an array with so many dimensions holds, whose name ends so.
    pub(super) fn member_of_nodes(&self, root: &Root, dimensions: usize, suffix: &str) -> Option<String> {
        let Root::Decl(_, id) = root else { return None };
        let decl = self.program.decl(*id);
        match &decl.shape {
            Shape::Array { element, .. } if decl.storage == Storage::Memory && dimensions == 1 => match **element {
                Shape::Struct(_) => Some(suffix.strip_prefix('.').unwrap_or(suffix).to_owned()),
                Shape::Scalar(Integer::Bool) => Some(FREED.to_owned()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The first value of a local pointer to a node: it was never set.
    pub(super) fn first_node(&self, root: &Root, shape: &Shape) -> Option<Vec<Int>> {
        let is_local = matches!(root, Root::Decl(_, id) if self.program.decl(*id).storage == Storage::Local);
        (is_local && *shape == Shape::Scalar(Integer::Node)).then(|| vec![Int::MINUS_ONE])
    }
}
