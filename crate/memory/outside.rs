//! Functions without a body in a program with nodes: such a function may write all nodes, free them, and have pointers lead to others.

use super::expressions::{take, writes_nothing};
use super::follow::Walk;
use super::structures::{NodeStructures, NotFollowed, Rewritten, each_call};
use crate::lang::ast::{Expr, ExprKind, Program, Shape};

/// Whether the functions that matter call functions without a body, and these find nothing but numbers and scalars in nodes.
pub(super) fn may_be_followed(program: &Program, nodes: &NodeStructures) -> bool {
    let calls = |at: &usize| {
        let mut found = false;
        program.functions[*at].body.iter().for_each(|stmt| {
            each_call(stmt, &mut |name| found |= program.function(name).is_none() && !writes_nothing(name, usize::MAX));
        });
        found
    };
    // A function without a body may let pointers to blocks lead to what is no block.
    program.nodes.blocks.is_empty() && nodes.reached.iter().any(calls)
}

/// Whether a pointer to a node may lead into an object that is no node, once a function without a body has set it.
pub(super) fn may_lead_inside(program: &Program, nodes: &NodeStructures) -> bool {
    let of_structure = nodes.all.iter().flat_map(|id| program.structure(*id).members.iter().flatten()).map(|member| &member.shape);
    let is_node = |shape: &Shape| matches!(shape, Shape::Struct(id) if nodes.all.contains(id));
    let of_decls = program.decls.iter().map(|decl| &decl.shape).filter(|shape| match shape {
        Shape::Array { element, .. } => !is_node(element),
        shape => !is_node(shape),
    });
    of_structure.chain(of_decls).any(|shape| nodes.has_object(program, shape))
}

impl Walk<'_> {
    /// An argument of a function without a body: of a pointer to a node its number.
    pub(super) fn passed_outside(&mut self, argument: &mut Expr) -> Rewritten<()> {
        if self.is_split(argument) && self.of_value(argument).is_none() {
            return Err(NotFollowed);
        }
        if let Some(to) = self.of_value(argument) {
            return self.change(argument, |walk, e| walk.pointer(e, to));
        }
        match &mut argument.kind {
            // As a pointer to another type.
            ExprKind::Convert(inner) | ExprKind::Cast(_, inner) if self.of_value(inner).is_some() => {
                *argument = take(inner);
                self.passed_outside(argument)
            }
            ExprKind::AddressOf(inner) => match self.object(inner) {
                Some(object) => {
                    *argument = self.number_of(&object, argument.span)?;
                    Ok(())
                }
                None => self.lvalue(inner),
            },
            _ => self.plain(argument),
        }
    }
}
