//! What a function does before its first edge.

use super::{Expr, Failure, Print};
use crate::source::Span;

/// What happens at the entry, where no edge of the graph carries it.
#[derive(Clone, Debug, Default)]
pub struct EntryEffects {
    /// Where the entry is the error location: what happens there.
    pub failure: Option<Failure>,
    /// What the function prints before the first edge.
    pub prints: Vec<Print>,
    /// What the entry itself returns, where the function has no edge at all.
    pub returns: Option<Expr>,
    /// Where that value stands.
    pub returned_at: Span,
}

impl EntryEffects {
    /// What is evaluated, in order: the operands of what is printed, the returned value.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        self.prints.iter().flat_map(Print::operands).chain(&self.returns)
    }
}
