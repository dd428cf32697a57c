//! Mistakes in comparisons of numbers: what the types of both sides have, and what arithmetic on them can give.

use super::{Mistakes, compared, number};
use crate::lang::ast::{BinaryOp, Expr, ExprKind};
use crate::logic::Int;

const ROUNDED: &str = "numbers with fractions are rounded: their difference is compared with a small bound";
const OVERFLOW: &str = "signed arithmetic that overflows is undefined, so its result tells nothing of it: the operands are compared before";

/// Numbers between two bounds; without one there is no least or no greatest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundedRange {
    least: Option<Int>,
    greatest: Option<Int>,
}

impl BoundedRange {
    /// Whether all numbers of the other ones are among these.
    pub fn include(&self, other: &BoundedRange) -> bool {
        let least = self.least.as_ref().is_none_or(|least| other.least.as_ref().is_some_and(|other| other >= least));
        least && self.greatest.as_ref().is_none_or(|greatest| other.greatest.as_ref().is_some_and(|other| other <= greatest))
    }
}

/// The variable that a condition compares with a number, and the numbers for which it holds.
pub fn bounded(condition: &Expr) -> Option<(&str, BoundedRange)> {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt};
    let (name, limit) = compared(condition, &[Lt, Le, Gt, Ge, Eq])?;
    let ExprKind::Binary(op, ..) = &condition.unconverted().kind else { return None };
    let (least, greatest) = match op {
        Lt => (None, Some(limit - Int::ONE)),
        Le => (None, Some(limit)),
        Gt => (Some(limit + Int::ONE), None),
        Ge => (Some(limit), None),
        _ => (Some(limit.clone()), Some(limit)),
    };
    Some((name, BoundedRange { least, greatest }))
}

impl Mistakes {
    /// The hint for a comparison `e` of `a` and `b`.
    pub(super) fn numbers(&mut self, e: &Expr, op: BinaryOp, a: &Expr, b: &Expr) {
        let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let hint = match (number(a), number(b)) {
            _ if is_equality && a.ty.format().is_some() => Some(ROUNDED.to_owned()),
            (None, Some(limit)) => self.limit(op, a, b, &limit),
            (Some(limit), None) => self.limit(turned(op), b, a, &limit),
            _ if self.overflows(a, Some(b)) || self.overflows(b, Some(a)) => Some(OVERFLOW.to_owned()),
            _ => None,
        };
        if let Some(hint) = hint {
            self.tell(e, hint);
        }
    }

    /// The hint where `value`, on the left, is compared with the number `limit`, written as `literal`.
    fn limit(&self, op: BinaryOp, value: &Expr, literal: &Expr, limit: &Int) -> Option<String> {
        let inner = value.unconverted();
        let (own, common) = (inner.ty, literal.ty);
        if inner.ty.format().is_some() {
            return None;
        }
        if limit.is_negative() && !common.signed(self.abi) {
            let converted = common.range(self.abi).wrap(limit);
            return Some(format!("{limit} is compared as a number of type `{}`: {converted}", common.name()));
        }
        if let ExprKind::Binary(BinaryOp::Rem, _, divisor) = &inner.kind
            && let Some(divisor) = number(divisor)
            && (limit.clone() >= divisor || -limit.clone() >= divisor)
            && !divisor.is_negative()
        {
            return Some(format!("a remainder by {divisor} is less than {divisor}"));
        }
        if let ExprKind::Binary(BinaryOp::And, left, right) = &inner.kind
            && let Some(mask) = number(left).or_else(|| number(right))
            && matches!(op, BinaryOp::Eq | BinaryOp::Ne)
            && limit.bit_and(&mask) != *limit
        {
            return Some(format!("`&` with {mask} leaves no other bits than its own"));
        }
        let range = own.range(self.abi);
        let is_beyond = match op {
            BinaryOp::Lt | BinaryOp::Ge => *limit <= Int::from(range.least) || *limit > Int::from(range.greatest),
            BinaryOp::Gt | BinaryOp::Le => *limit >= Int::from(range.greatest) || *limit < Int::from(range.least),
            _ => !range.contains(limit),
        };
        if is_beyond && own.bits(self.abi) < 64 {
            return Some(format!("an object of type `{}` has values from {} to {}", own.name(), range.least, range.greatest));
        }
        (limit.is_zero() && self.overflows(value, None)).then(|| OVERFLOW.to_owned())
    }

    /// Whether a value is a result of signed arithmetic whose sign, or whose order with an operand, is compared.
    fn overflows(&self, value: &Expr, with: Option<&Expr>) -> bool {
        let inner = value.unconverted();
        let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, left, right) = &inner.kind else { return false };
        let is_signed = inner.ty.signed(self.abi) && inner.ty.format().is_none();
        let is_of = |operand: &Expr| with.is_some_and(|with| is_same(operand, with));
        let is_difference = matches!(inner.kind, ExprKind::Binary(BinaryOp::Sub, ..));
        is_signed && (with.is_none() && !is_difference || is_of(left) || is_of(right))
    }
}

/// The comparison that says of `b` and `a` what `op` says of `a` and `b`.
fn turned(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

/// Whether both are the same variable.
fn is_same(a: &Expr, b: &Expr) -> bool {
    matches!((&a.unconverted().kind, &b.unconverted().kind), (ExprKind::Name(a), ExprKind::Name(b)) if a.text == b.text)
}
