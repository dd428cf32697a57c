//! Constant expressions.

use super::super::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::logic::Int;

/// The value of an expression of numbers only. `None` if it mentions anything else, divides by zero, or grows beyond reason.
pub fn evaluate(e: &Expr) -> Option<Int> {
    let truth = |b: bool| Some(Int::from(b));
    match &e.kind {
        ExprKind::Int(value) => Some(value.clone()),
        ExprKind::Unary(op, a) => {
            let a = evaluate(a)?;
            Some(match op {
                UnaryOp::Plus => a,
                UnaryOp::Neg => -a,
                UnaryOp::Not => Int::from(a.is_zero()),
            })
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (evaluate(a)?, evaluate(b)?);
            match op {
                BinaryOp::Add => Some(a + b),
                BinaryOp::Sub => Some(a - b),
                BinaryOp::Mul => Some(a * b),
                BinaryOp::Div => Some(a.div_rem_trunc(&b)?.0),
                BinaryOp::Rem => Some(a.div_rem_trunc(&b)?.1),
                BinaryOp::Lt => truth(a < b),
                BinaryOp::Le => truth(a <= b),
                BinaryOp::Gt => truth(a > b),
                BinaryOp::Ge => truth(a >= b),
                BinaryOp::Eq => truth(a == b),
                BinaryOp::Ne => truth(a != b),
            }
        }
        ExprKind::And(a, b) => truth(!evaluate(a)?.is_zero() && !evaluate(b)?.is_zero()),
        ExprKind::Or(a, b) => truth(!evaluate(a)?.is_zero() || !evaluate(b)?.is_zero()),
        ExprKind::Conditional(c, a, b) => {
            if evaluate(c)?.is_zero() {
                evaluate(b)
            } else {
                evaluate(a)
            }
        }
        _ => None,
    }
}

/// Whether something in the expression has been reported already.
pub fn has_error(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Error) || matches!(&e.kind, ExprKind::Name(name) if name.decl.is_none());
    e.kind.children(&mut |child| found = found || has_error(child));
    found
}
