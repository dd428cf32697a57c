//! Edges of the program model and what their labels evaluate.

use super::{Edge, EdgeId, Expr, Label, Lts, Print};
use crate::source::Span;

/// A part of what an edge evaluates, or of what the function evaluates before its first edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgePart {
    #[default]
    Label,
    /// The printing call of this number among the calls on the edge.
    Print(u32),
    /// The value that the function returns after the edge.
    Return,
}

impl Lts {
    /// The span of a part in the program; without an edge of what the function evaluates before its first edge.
    pub fn span_of(&self, edge: Option<EdgeId>, part: EdgePart) -> Span {
        let (own, prints, returned_at) = match edge.map(|edge| &self.graph[edge]) {
            Some(edge) => (edge.span, &edge.prints, edge.returned_at),
            None => (self.graph[self.entry].span, &self.at_entry.prints, self.at_entry.returned_at),
        };
        match part {
            EdgePart::Label => own,
            EdgePart::Print(number) => prints.get(number as usize).map_or(own, |print| print.span),
            EdgePart::Return => returned_at,
        }
    }
}

impl Label {
    /// Of a side of a decision whether its condition holds there.
    pub fn side(&self) -> Option<bool> {
        if let Label::Assume { holds, .. } = self { Some(*holds) } else { None }
    }

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

    /// As [`Label::operands`], to change them.
    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Label::Skip | Label::Havoc(_) | Label::HavocArray(_) => Vec::new(),
            Label::Assume { condition, .. } => vec![condition],
            Label::Assign(_, value) => vec![value],
            Label::Store { index, value, .. } => vec![index, value],
            Label::Fill(_, values) => values.iter_mut().collect(),
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
            copy: 0,
            decision: None,
            deeper: None,
        }
    }

    /// How many values of `nondet()` it draws; the contents of an array count as one.
    pub fn nondets(&self) -> u32 {
        let drawn = u32::from(matches!(self.label, Label::Havoc(_) | Label::HavocArray(_)));
        let values = self.label.operands().into_iter().chain(self.prints.iter().flat_map(Print::operands)).chain(&self.returns);
        drawn + values.map(Expr::nondets).sum::<u32>()
    }
}
