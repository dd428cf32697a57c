//! Integers, terms, formulas and their evaluation: the language in which constraints are written.

mod int;

pub use int::Int;
