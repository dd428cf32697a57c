//! Models as SMT-LIB prints them.

use super::names::{integer, symbol};
use super::syntax::Sort;
use crate::logic::{Assignment, SymbolId};
use std::fmt::Write;

/// A `define-fun` for each symbol, in order; arrays as writes to a constant array.
pub fn print(model: &Assignment, symbols: &[(&str, SymbolId, Sort)]) -> String {
    let mut text = String::from("(\n");
    for (name, id, sort) in symbols {
        let value = match sort {
            Sort::Int => integer(&model.integers.get(id).cloned().unwrap_or_default()),
            Sort::Bool => model.booleans.get(id).copied().unwrap_or_default().to_string(),
            Sort::Array => {
                let contents = model.arrays.get(id).cloned().unwrap_or_default();
                let written: Vec<_> = contents.elements.iter().filter(|(_, value)| **value != contents.default).collect();
                let mut value = "(store ".repeat(written.len());
                let _ = write!(value, "((as const (Array Int Int)) {})", integer(&contents.default));
                for (index, element) in written {
                    let _ = write!(value, " {} {})", integer(index), integer(element));
                }
                value
            }
        };
        let _ = writeln!(text, "  (define-fun {} () {sort} {value})", symbol(name));
    }
    text.push(')');
    text
}
