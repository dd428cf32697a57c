//! The whole decisions of the text, from the expressions that lowering branches on.

use super::Lowerer;
use crate::lang::ast::{Expr as Tree, ExprKind, UnaryOp};
use crate::logic::{Arrange, SortedMap};
use crate::lts::unfold::decisions::{ConditionTree, WholeDecision};

/// What lowering notes of them on its way.
#[derive(Default)]
pub(super) struct DecisionRoots<'a> {
    roots: SortedMap<*const Tree, &'a Tree>,
}

impl<'a> DecisionRoots<'a> {
    pub(super) fn root(&mut self, e: &'a Tree) {
        self.roots.insert(std::ptr::from_ref(e), e);
    }
}

impl<'a> Lowerer<'a> {
    /// Writes the whole decisions beside their first conditions.
    pub(super) fn write_whole_decisions(&mut self) {
        let mut decisions: Vec<WholeDecision> = (self.whole.roots.values())
            .map(|root| {
                let mut decision =
                    WholeDecision { span: root.span, conditions: Vec::new(), tree: ConditionTree::Always, is_partial: false };
                decision.tree = self.tree(root, &mut decision);
                decision
            })
            .filter(|decision| !decision.conditions.is_empty())
            .collect();
        // A condition of two decisions is a part of one in some copies only.
        let mut uses: SortedMap<u32, usize> = SortedMap::new();
        decisions.iter().flat_map(|decision| &decision.conditions).for_each(|&number| *uses.entry(number).or_default() += 1);
        for decision in &mut decisions {
            decision.is_partial |= decision.conditions.iter().any(|number| uses[number] > 1);
        }
        // The map's order is that of addresses.
        decisions.arrange_by_key(|decision| (decision.span.start, decision.span.end));
        for decision in decisions {
            self.written[decision.conditions[0] as usize].wholes.push(decision);
        }
    }

    /// The tree of an expression: it has the shape in which [`Lowerer::branch`] takes it apart.
    fn tree(&self, e: &'a Tree, decision: &mut WholeDecision) -> ConditionTree {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => ConditionTree::Not(Box::new(self.tree(operand, decision))),
            ExprKind::Convert(operand) if self.keeps_truth(operand.ty, e.ty) => self.tree(operand, decision),
            ExprKind::And(left, right) => ConditionTree::And(Box::new([left, right].map(|operand| self.tree(operand, decision)))),
            ExprKind::Or(left, right) => ConditionTree::Or(Box::new([left, right].map(|operand| self.tree(operand, decision)))),
            ExprKind::Conditional(condition, then, otherwise) => {
                ConditionTree::Choice(Box::new([condition, then, otherwise].map(|operand| self.tree(operand, decision))))
            }
            ExprKind::Comma(_, value) => self.tree(value, decision),
            _ => {
                let pointer = std::ptr::from_ref(e);
                let Some(&number) = self.decisions.get(&(pointer, 0)) else {
                    decision.is_partial = true;
                    return ConditionTree::Always;
                };
                decision.conditions.push(number);
                ConditionTree::Condition(decision.conditions.len() - 1)
            }
        }
    }
}
