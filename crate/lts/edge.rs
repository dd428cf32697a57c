//! Edges of the program model and what their labels evaluate.

use super::{Edge, Expr, Label, Print};
use crate::source::Span;

impl Label {
    /// The expressions that it evaluates, in order.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Label::Skip | Label::Havoc(_) | Label::HavocArray(_) => Vec::new(),
            Label::Assume { condition, .. } => vec![condition],
            Label::Assign(_, value) => vec![value],
            Label::Store { index, value, .. } => vec![index, value],
            Label::Fill(_, values) => values.iter().collect(),
        }
    }
}

impl Edge {
    /// An edge with this label that prints and returns nothing and is no side of a decision of the text.
    pub fn plain(label: Label, span: Span) -> Edge {
        Edge {
            label,
            span,
            external: None,
            through: None,
            order: None,
            prints: Vec::new(),
            failure: None,
            returns: None,
            returned_at: Span::default(),
            library: false,
            decision: None,
        }
    }

    /// How many values of `nondet()` it draws; the contents of an array count as one.
    pub fn nondets(&self) -> u32 {
        let drawn = u32::from(matches!(self.label, Label::Havoc(_) | Label::HavocArray(_)));
        let values = self.label.operands().into_iter().chain(self.prints.iter().flat_map(Print::operands)).chain(&self.returns);
        drawn + values.map(Expr::nondets).sum::<u32>()
    }
}
