//! The lengths of arrays of arrays.

use super::ast::{Expr, Length, Shape, Type};

impl Type {
    /// The lengths of an array and of its rows, from outside, where they are written.
    pub fn lengths(&self) -> impl Iterator<Item = Option<&Expr>> {
        let mut ty = self;
        std::iter::from_fn(move || {
            let Type::Array(element, length) = ty else { return None };
            ty = element;
            Some(length.as_deref())
        })
    }
}

impl Shape {
    /// The lengths of an array and of its rows, from outside.
    pub fn lengths(&self) -> impl Iterator<Item = &Length> {
        let mut shape = self;
        std::iter::from_fn(move || {
            let Shape::Array { element, length } = shape else { return None };
            shape = element;
            Some(length)
        })
    }

    /// Whether it is an array of which some length is computed.
    pub fn is_computed(&self) -> bool {
        self.lengths().any(|length| *length == Length::Variable)
    }
}
