//! Numbers of nodes, which [`crate::memory`] has made of pointers: what such a number leads to.

use super::Lowerer;
use super::expression::Effects;
use super::object::Root;
use crate::lang::ast::{Expr as Tree, Name, Qualifiers, Shape, Storage};
use crate::lang::intrinsic::{CAN_BE_FREED, IS_SET, NEXT_NODE, NODE, NODE_CELL, NODE_ELEMENT, is_of_nodes};
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::lts::{ArrayId, BinaryOp, CompareOp, Expr, FREED, Requirement, ValueMeaning};

/// The number of no structure: of values of calls no declaration says to which nodes they lead.
const UNKNOWN_STRUCTURE: u32 = u32::MAX;

fn compare(op: CompareOp, a: &Expr, b: Int) -> Expr {
    Expr::Compare(op, Box::new(a.clone()), Box::new(Expr::Int(b)))
}

/// The node with a pointer, where each node has so many: `count * node - (count - 1)` to `count * node`.
fn node_of_cell(cell: &Expr, count: &Int) -> Expr {
    if *count == Int::ONE {
        return cell.clone();
    }
    Expr::Binary(BinaryOp::Div, Box::new(plus(cell, Expr::Int(count - &Int::ONE))), Box::new(Expr::Int(count.clone())))
}

fn plus(a: &Expr, b: Expr) -> Expr {
    match b {
        Expr::Int(value) if value.is_zero() => a.clone(),
        b => Expr::Binary(BinaryOp::Add, Box::new(a.clone()), Box::new(b)),
    }
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
        let is_there = |freed: &ArrayId, node: Expr| compare(CompareOp::Eq, &Expr::Read(*freed, Box::new(node)), Int::ZERO);
        match (name.text.as_str(), &values[..]) {
            (NODE, [node, freed @ ..]) => {
                let alive = match freed {
                    [] => node.clone(),
                    [Expr::Read(freed, _)] => where_so(Requirement::Allocated, is_there(freed, node.clone()), node.clone()),
                    [Expr::Read(freed, _), Expr::Int(count)] => {
                        where_so(Requirement::Allocated, is_there(freed, node_of_cell(node, count)), node.clone())
                    }
                    _ => return None,
                };
                Some(where_so(Requirement::Pointer, compare(CompareOp::Ne, node, Int::ZERO), alive))
            }
            (IS_SET, [node]) => Some(where_so(Requirement::Set, compare(CompareOp::Ge, node, Int::ZERO), node.clone())),
            (CAN_BE_FREED, [node, Expr::Read(freed, _)]) => {
                Some(where_so(Requirement::Allocated, is_there(freed, node.clone()), node.clone()))
            }
            (NEXT_NODE, [last]) => Some(plus(last, Expr::Int(Int::ONE))),
            (NEXT_NODE, [last, count]) => Some(plus(last, count.clone())),
            (NODE_ELEMENT, [first, index, Expr::Int(length)]) => {
                let from_zero = where_so(Requirement::Index, compare(CompareOp::Ge, index, Int::ZERO), plus(first, index.clone()));
                Some(where_so(Requirement::Index, compare(CompareOp::Lt, index, length.clone()), from_zero))
            }
            (NODE_CELL, [node, Expr::Int(count), Expr::Int(which)]) => {
                let last = Expr::Binary(BinaryOp::Mul, Box::new(Expr::Int(count.clone())), Box::new(node.clone()));
                Some(plus(&last, Expr::Int(which - &(count - &Int::ONE))))
            }
            _ => None,
        }
    }

    /// What the scalars of an object mean that hold numbers of nodes.
    pub(super) fn meaning_of_nodes(&self, root: &Root, shape: &Shape, qualifiers: Qualifiers) -> Option<ValueMeaning> {
        if *shape != Shape::Scalar(Integer::Node) {
            return None;
        }
        let structure = qualifiers.nodes().unwrap_or(UNKNOWN_STRUCTURE);
        let Root::Decl(_, id) = root else { return Some(ValueMeaning::Nodes { structure, may_start_null: true }) };
        let nodes = &self.program.nodes;
        let may_start_null = !nodes.present.contains(id);
        let Some(&class) = nodes.cells.get(id) else { return Some(ValueMeaning::Nodes { structure, may_start_null }) };
        let count = u8::try_from(nodes.members.get(class as usize)?.len()).ok()?;
        let members = u32::try_from(self.classes.len() + self.member_names().count()).ok()? + class;
        Some(ValueMeaning::Cells { structure, may_start_null, members, count })
    }

    /// The member of nodes that an array with so many dimensions holds, whose name ends so.
    pub(super) fn member_of_nodes(&self, root: &Root, dimensions: usize, suffix: &str) -> Option<String> {
        let Root::Decl(_, id) = root else { return None };
        let decl = self.program.decl(*id);
        match &decl.shape {
            Shape::Array { element, .. } if decl.storage == Storage::Memory && dimensions == 1 => match **element {
                Shape::Struct(_) => Some(suffix.strip_prefix('.').unwrap_or(suffix).to_owned()),
                Shape::Scalar(Integer::Bool) => Some(FREED.to_owned()),
                Shape::Scalar(Integer::Node) => decl.name.split_once('.').map(|(_, members)| members.to_owned()),
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
