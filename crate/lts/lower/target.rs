//! Where a scalar is kept, so that it can be read and set.

use super::object::Part;
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::lts::{ArrayId, Expr, VariableId};

/// What an assignment of a scalar changes, with its type.
#[derive(Clone)]
pub(super) enum Target {
    Variable(VariableId, Integer),
    Element(ArrayId, Expr, Integer),
    /// A character of a string that is a value.
    Text(ArrayId, Expr),
}

impl Target {
    pub fn ty(&self) -> Integer {
        match self {
            Target::Variable(_, ty) | Target::Element(_, _, ty) => *ty,
            Target::Text(..) => Integer::Char,
        }
    }

    /// Its value.
    pub fn read(&self) -> Expr {
        match self {
            Target::Variable(variable, _) => Expr::Var(*variable),
            Target::Element(array, index, _) => Expr::Read(*array, Box::new(index.clone())),
            Target::Text(array, index) => super::texts::character(*array, index),
        }
    }

    /// Of a pointer that moves: the variables that say which row its array is.
    pub(super) fn of_rows(part: &Part) -> Vec<Target> {
        let row = |(index, _): &(Expr, Option<Int>)| match index {
            Expr::Var(variable) => Some(Target::Variable(*variable, Integer::Long)),
            _ => None,
        };
        part.indices.iter().filter_map(row).collect()
    }
}
