//! What the evaluation of an edge gathers.

use super::bounds::TermBounds;
use crate::logic::{FormulaId, Int, Linear};

/// What the evaluation of an edge has found.
#[derive(Default)]
pub(super) struct Gathered {
    /// What passing the edge takes, but for `bounds`.
    pub defined: Vec<FormulaId>,
    /// That signed arithmetic does not overflow, and that indices and lengths are those of their arrays.
    pub bounds: Vec<FormulaId>,
    /// What holds anyway: values lie in the ranges of their types.
    pub facts: Vec<FormulaId>,
    /// What an earlier edge has said.
    pub omitted: Vec<Limits>,
    /// What the others say of single terms.
    pub term_bounds: TermBounds,
    /// Whether some value is not exact.
    pub approximate: bool,
}

/// Limits of a value.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub value: Linear,
    pub least: Option<Int>,
    pub greatest: Option<Int>,
}
