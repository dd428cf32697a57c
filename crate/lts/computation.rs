//! Operations on floating-point numbers, whose results are arbitrary values to all analyses but for their
//! [`thresholds`](super::thresholds), and computed by runs.

use super::thresholds::Thresholds;
use super::{Expr, InputSource, Label, Lts};
use crate::logic::IntRange;
use crate::logic::rank::{FloatFormat, FloatOp};

/// An operation on floating-point numbers by their ranks ([`crate::logic::rank`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computation {
    pub op: FloatOp,
    /// Of the operands and the result; of a conversion that of the result, or to an integer that of the operand.
    pub format: FloatFormat,
    pub operands: Vec<Expr>,
    /// The thresholds that analyses use, where the operation is monotone.
    pub thresholds: Option<Thresholds>,
}

fn is_number(range: Option<IntRange>) -> bool {
    range.is_some_and(|range| FloatFormat::of_range(&range).is_some())
}

impl InputSource {
    /// Whether a run computes the value.
    pub fn is_computed(&self) -> bool {
        matches!(self, InputSource::Computed(_))
    }
}

impl Lts {
    /// Whether an input has floating-point numbers.
    pub fn has_numbers(&self) -> bool {
        let mut ranges = self.variables.iter().map(|variable| variable.range).chain(self.arrays.iter().map(|array| array.range));
        ranges.any(is_number) || self.draws_numbers()
    }

    /// Whether something outside gives floating-point numbers.
    pub fn draws_numbers(&self) -> bool {
        let mut found = false;
        for edge in self.graph.edge_indices() {
            match self.graph[edge].label {
                Label::Havoc(variable) => found |= is_number(self.variable(variable).range),
                Label::HavocArray(array) => found |= is_number(self.array(array).range),
                _ => {}
            }
            self.operands(edge).for_each(|operand| {
                operand.walk(&mut |e| found |= matches!(e, Expr::Nondet(range, source) if !source.is_computed() && is_number(*range)));
            });
        }
        found
    }
}
