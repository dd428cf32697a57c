//! Constants of floating-point types: conversions and operators on the ranks of numbers.

use super::ast::BinaryOp;
use super::types::{Abi, Integer};
use crate::logic::Int;
use crate::logic::rank::{self, FloatFormat, FloatOp};

/// A constant of one type as one of another, where one of them is of floating-point numbers and the other is not `_Bool`; `None` where it has
/// no value there.
pub fn converted(from: Integer, to: Integer, abi: Abi, value: &Int) -> Option<Int> {
    match conversion(from, to, abi) {
        None => Some(value.clone()),
        Some(op) => rank::compute_exactly(op, to.format().or(from.format())?, std::slice::from_ref(value)),
    }
}

/// The operation that converts a value of one type to one of another; `None` where it stays the same integer.
pub fn conversion(from: Integer, to: Integer, abi: Abi) -> Option<FloatOp> {
    match (from.format(), to.format()) {
        (Some(_), None) => Some(FloatOp::ToInteger(to.range(abi))),
        (Some(format), Some(result)) if format != result => Some(FloatOp::Convert(format)),
        (None, Some(_)) => Some(FloatOp::FromInteger),
        _ => None,
    }
}

/// The number with the other sign; what is not a number stays so.
pub fn negated(format: FloatFormat, rank: Int) -> Int {
    if rank > Int::from(format.infinity()) { rank } else { -rank }
}

/// The operation that an operator on floating-point numbers stands for; `None` of a comparison.
pub fn operation(op: BinaryOp) -> Option<FloatOp> {
    Some(match op {
        BinaryOp::Add => FloatOp::Add,
        BinaryOp::Sub => FloatOp::Sub,
        BinaryOp::Mul => FloatOp::Mul,
        BinaryOp::Div => FloatOp::Div,
        _ => return None,
    })
}

/// An operator on numbers of a format, by their ranks; `None` where it has no value, or its value depends on the sign of a zero.
pub fn applied(op: BinaryOp, format: FloatFormat, a: &Int, b: &Int) -> Option<Int> {
    if let Some(op) = operation(op) {
        return rank::compute_exactly(op, format, &[a.clone(), b.clone()]);
    }
    let infinity = Int::from(format.infinity());
    let are_numbers = *a <= infinity && *b <= infinity;
    Some(Int::from(match op {
        BinaryOp::Lt => are_numbers && a < b,
        BinaryOp::Le => are_numbers && a <= b,
        BinaryOp::Gt => are_numbers && a > b,
        BinaryOp::Ge => are_numbers && a >= b,
        BinaryOp::Eq => are_numbers && a == b,
        BinaryOp::Ne => !are_numbers || a != b,
        _ => return None,
    }))
}
