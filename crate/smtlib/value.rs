//! What a term of a script means: an integer term, a formula or an array, with bounds on how deep and how large it is.

use super::syntax::Sort;
use crate::logic::{ArrayTermId, FormulaId, Linear, Pool};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    Int(Linear),
    Bool(FormulaId),
    Array(ArrayTermId),
}

/// A translated term. Evaluating a formula walks it as a tree; `depth` and `size` bound that tree, and `build` names
/// whatever would exceed its limits.
#[derive(Clone, Debug)]
pub struct Value {
    pub kind: ValueKind,
    pub depth: u32,
    pub size: u32,
}

impl Value {
    /// A value with nothing below it.
    pub fn leaf(kind: ValueKind) -> Value {
        Value { kind, depth: 0, size: 1 }
    }

    /// A value `levels` above the deepest of its parts.
    pub fn above<'a>(kind: ValueKind, levels: u32, parts: impl IntoIterator<Item = &'a Value>) -> Value {
        let (depth, size) =
            parts.into_iter().fold((0, 1u32), |(depth, size), part| (part.depth.max(depth), part.size.saturating_add(size)));
        Value { kind, depth: depth + levels, size }
    }

    pub fn constant(value: impl Into<crate::logic::Int>) -> Value {
        Value::leaf(ValueKind::Int(Linear::constant(value)))
    }

    pub fn truth(truth: bool) -> Value {
        Value::leaf(ValueKind::Bool(if truth { Pool::TRUE } else { Pool::FALSE }))
    }

    pub fn sort(&self) -> Sort {
        match self.kind {
            ValueKind::Int(_) => Sort::Int,
            ValueKind::Bool(_) => Sort::Bool,
            ValueKind::Array(_) => Sort::Array,
        }
    }

    /// The integer term; 0 for a value of another sort, which the caller has ruled out.
    pub fn int(&self) -> Linear {
        match &self.kind {
            ValueKind::Int(term) => term.clone(),
            _ => Linear::default(),
        }
    }

    /// The formula; `None` for a value of another sort.
    pub fn bool(&self) -> Option<FormulaId> {
        match self.kind {
            ValueKind::Bool(formula) => Some(formula),
            _ => None,
        }
    }

    pub fn array(&self) -> Option<ArrayTermId> {
        match self.kind {
            ValueKind::Array(array) => Some(array),
            _ => None,
        }
    }
}
