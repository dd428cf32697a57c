//! Floating-point numbers in the texts of conditions and values: which integers are ranks, and what of a condition only says that a value
//! is a number.

use super::{BinaryOp, CompareOp, Expr, Lts};
use crate::logic::Int;
use crate::logic::rank::{FloatFormat, FloatOp};

/// The format of the numbers whose ranks an expression has as values, as far as its form says it.
pub fn format_of(lts: &Lts, e: &Expr) -> Option<FloatFormat> {
    let range = match e {
        Expr::Var(id) => lts.variable(*id).range,
        Expr::Read(id, _) => lts.array(*id).range,
        Expr::Nondet(range, _) => *range,
        Expr::Guarded(_, _, inner) => return format_of(lts, inner),
        Expr::Binary(..) => return negated_number(lts, e).and_then(|inner| format_of(lts, inner)),
        _ => None,
    };
    range.and_then(|range| FloatFormat::of_range(&range))
}

/// The comparison of numbers that a condition stands for; the rest of the condition is that an operand is a number.
pub fn of_numbers<'e>(lts: &Lts, condition: &'e Expr) -> Option<&'e Expr> {
    let Expr::Binary(BinaryOp::And | BinaryOp::Or, comparison, is_number) = condition else { return None };
    let (Expr::Compare(..), Expr::Compare(_, value, bound)) = (&**comparison, &**is_number) else { return None };
    let is_infinity = |format: FloatFormat| matches!(&**bound, Expr::Int(bound) if *bound == Int::from(format.infinity()));
    format_of(lts, value).is_some_and(is_infinity).then_some(comparison)
}

/// The number that an expression is the negation of.
pub fn negated_number<'e>(lts: &Lts, e: &'e Expr) -> Option<&'e Expr> {
    let Expr::Binary(BinaryOp::Sub, kept, value) = e else { return None };
    let Expr::Binary(BinaryOp::Mul, is_none, _) = &**kept else { return None };
    let Expr::Compare(CompareOp::Gt, same, _) = &**is_none else { return None };
    (same == value && format_of(lts, value).is_some()).then_some(value)
}

/// How C writes an operation: the operator, the type, or the function.
pub fn sign(op: FloatOp, format: FloatFormat) -> &'static str {
    let name = |format: FloatFormat| if format == FloatFormat::Single { "float" } else { "double" };
    match op {
        FloatOp::Add => " + ",
        FloatOp::Sub => " - ",
        FloatOp::Mul => " * ",
        FloatOp::Div => " / ",
        FloatOp::Convert(_) | FloatOp::FromInteger => name(format),
        FloatOp::ToInteger(_) => "int",
        FloatOp::Remainder => "fmod",
        FloatOp::SquareRoot => "sqrt",
        FloatOp::Floor => "floor",
        FloatOp::Ceiling => "ceil",
        FloatOp::Truncate => "trunc",
        FloatOp::Round => "round",
        FloatOp::Unknown => "unknown",
    }
}

/// The format of an operation's operands; `None` of an integer.
pub fn operand_format(op: FloatOp, format: FloatFormat) -> Option<FloatFormat> {
    match op {
        FloatOp::FromInteger => None,
        FloatOp::Convert(from) => Some(from),
        _ => Some(format),
    }
}
