//! Constant expressions (C11 6.6), of checked expressions.

use super::super::ast::{BinaryOp, Constant, Expr, ExprKind, UnaryOp};
use super::super::floats;
use super::super::types::{Abi, Integer};
use crate::logic::Int;

/// Bits that a constant may shift by.
const MAX_SHIFT: i64 = 4096;

/// The value of an expression of numbers only, on a target. `None` if it mentions anything else, divides by zero, overflows, or grows beyond reason.
pub fn evaluate(e: &Expr, abi: Abi) -> Option<Constant> {
    Some(Constant { typed: value(e, Some(abi))?, unbounded: value(e, None)? })
}

/// The value, in C's types on a target, or without bounds.
fn value(e: &Expr, typed: Option<Abi>) -> Option<Int> {
    let truth = |b: bool| Some(Int::from(b));
    match &e.kind {
        ExprKind::Int(value) => Some(value.clone()),
        ExprKind::Convert(inner) => {
            let value = value(inner, typed)?;
            match e.ty {
                Integer::Bool => truth(!value.is_zero()),
                ty if floats::conversion(inner.ty, ty, typed.unwrap_or_default()).is_some() => {
                    floats::converted(inner.ty, ty, typed.unwrap_or_default(), &value)
                }
                ty => Some(typed.map_or_else(|| value.clone(), |abi| ty.range(abi).wrap(&value))),
            }
        }
        ExprKind::Unary(op, a) => {
            let a = value(a, typed)?;
            match op {
                UnaryOp::Plus => Some(a),
                UnaryOp::Neg if let Some(format) = e.ty.format() => Some(floats::negated(format, a)),
                UnaryOp::Neg => in_type(e.ty, -a, typed),
                UnaryOp::Complement => in_type(e.ty, &Int::MINUS_ONE - &a, typed),
                UnaryOp::Not => truth(a.is_zero()),
            }
        }
        ExprKind::Binary(op, a, b) => {
            let format = a.ty.format();
            let (a, b) = (value(a, typed)?, value(b, typed)?);
            if let Some(format) = format {
                return floats::applied(*op, format, &a, &b);
            }
            let result = match op {
                BinaryOp::Add => &a + &b,
                BinaryOp::Sub => &a - &b,
                BinaryOp::Mul => &a * &b,
                BinaryOp::Div => a.div_rem_trunc(&b)?.0,
                BinaryOp::Rem => a.div_rem_trunc(&b)?.1,
                BinaryOp::And => a.bit_and(&b),
                BinaryOp::Or => a.bit_or(&b),
                BinaryOp::Xor => a.bit_xor(&b),
                BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                    let most = typed.map_or(MAX_SHIFT, |abi| i64::from(e.ty.bits(abi)));
                    let count = b.to_i64().filter(|count| (0..most).contains(count))? as u32;
                    if *op == BinaryOp::ShiftLeft { a.shift_left(count) } else { a.shift_right(count) }
                }
                BinaryOp::Lt => return truth(a < b),
                BinaryOp::Le => return truth(a <= b),
                BinaryOp::Gt => return truth(a > b),
                BinaryOp::Ge => return truth(a >= b),
                BinaryOp::Eq => return truth(a == b),
                BinaryOp::Ne => return truth(a != b),
            };
            in_type(e.ty, result, typed)
        }
        ExprKind::And(a, b) => truth(!value(a, typed)?.is_zero() && !value(b, typed)?.is_zero()),
        ExprKind::Or(a, b) => truth(!value(a, typed)?.is_zero() || !value(b, typed)?.is_zero()),
        ExprKind::Conditional(c, a, b) => {
            if value(c, typed)?.is_zero() {
                value(b, typed)
            } else {
                value(a, typed)
            }
        }
        _ => None,
    }
}

/// The result of arithmetic in a type: unsigned wraps around, signed overflow is no constant.
fn in_type(ty: Integer, value: Int, typed: Option<Abi>) -> Option<Int> {
    match typed {
        None => Some(value),
        Some(abi) if !ty.signed(abi) => Some(ty.range(abi).wrap(&value)),
        Some(abi) => ty.range(abi).contains(&value).then_some(value),
    }
}

/// Whether something in the expression has been reported already.
pub fn has_error(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Error) || matches!(&e.kind, ExprKind::Name(name) if name.decl.is_none());
    e.kind.children(&mut |child| found = found || has_error(child));
    found
}
