//! Values that decide, and conversions to `_Bool`: of a number whether it differs from 0, of a pointer whether it is not null (C11 6.3.1.2).

use super::super::ast::{BinaryOp, Expr, ExprKind, Shape, UnaryOp};
use super::super::types::Integer;
use super::{Checker, UsedAs};

use crate::source::Diagnostic;

impl Checker<'_> {
    /// Checks an expression that decides: not zero, or not a null pointer.
    pub(super) fn truth(&mut self, e: &mut Expr) {
        if matches!(e.kind, ExprKind::Str(_)) {
            // Its address is not null, as in `assert(x && "text")`.
            e.kind = ExprKind::Int(1.into());
        }
        self.uses(e, UsedAs::Truth);
        let shape = self.value(e);
        if matches!(shape, Shape::Pointer(_)) && self.is_address_of_object(e) {
            // A decision like any other, with a branch that never runs.
            let (span, expansion) = (e.span, e.expansion.clone());
            let address = std::mem::replace(e, Expr::new(ExprKind::Error, span));
            let mut none = Expr::new(ExprKind::Int(0.into()), span);
            self.convert(&mut none, self.abi().address());
            *e = Expr { expansion, ..Expr::new(ExprKind::Binary(BinaryOp::Ne, Box::new(address), Box::new(none)), span) };
        }
        if let Shape::Struct(_) = shape {
            self.report(Diagnostic::error("struct-as-scalar", e.span, "a structure is neither true nor false").help("compare its members"));
        }
    }

    /// Checks an expression whose value becomes one of this type.
    pub(super) fn value_as(&mut self, e: &mut Expr, ty: Integer) {
        let shape = self.value(e);
        match shape {
            Shape::Pointer(_) if ty == Integer::Bool => is_not_null(e),
            shape => {
                self.as_scalar(shape, e);
            }
        }
        self.convert(e, ty);
    }
}

/// Makes of a checked pointer the number 1 where it is not null, else 0.
pub(super) fn is_not_null(e: &mut Expr) {
    let (span, expansion) = (e.span, e.expansion.clone());
    let not = |inner: Expr| Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(inner)), span);
    *e = match e.kind {
        ExprKind::Str(_) => Expr::new(ExprKind::Int(1.into()), span),
        _ => Expr { expansion, ..not(not(std::mem::replace(e, Expr::new(ExprKind::Error, span)))) },
    };
}
