//! Arithmetic in C's types, or on integers without bounds.

use super::expression::Effects;
use super::{IntegerModel, Lowerer};
use crate::lang::ast::{BinaryOp as TreeOp, Expr as Tree, ExprKind};
use crate::lang::floats;
use crate::lang::intrinsic::{Intrinsic, UnreachableWhy};
use crate::lang::types::Integer;
use crate::logic::{Int, IntRange};
use crate::lts::{BinaryOp, CompareOp, Expr, Requirement, UNBOUNDED_WIDTH};

/// The comparison of the operator; `None` for arithmetic.
pub(super) fn comparison(op: TreeOp) -> Option<CompareOp> {
    Some(match op {
        TreeOp::Lt => CompareOp::Lt,
        TreeOp::Le => CompareOp::Le,
        TreeOp::Gt => CompareOp::Gt,
        TreeOp::Ge => CompareOp::Ge,
        TreeOp::Eq => CompareOp::Eq,
        TreeOp::Ne => CompareOp::Ne,
        _ => return None,
    })
}

/// What no execution evaluates.
pub(super) fn unreachable(why: UnreachableWhy) -> Expr {
    let requirement = match why {
        UnreachableWhy::Marked => Requirement::Reached,
        UnreachableWhy::NoBit => Requirement::Bit,
        UnreachableWhy::NoNumber => Requirement::Text,
    };
    Expr::Guarded(requirement, Box::new(Expr::Int(Int::ZERO)), Box::new(Expr::Int(Int::ZERO)))
}

impl<'a> Lowerer<'a> {
    /// `a op b`, both of this type (of a shift the left one).
    pub(super) fn arithmetic(&self, op: TreeOp, ty: Integer, a: Expr, b: Expr) -> Expr {
        if let Some(format) = ty.format() {
            return self.float_arithmetic(op, format, a, b);
        }
        if let Some(compare) = comparison(op) {
            return Expr::Compare(compare, Box::new(a), Box::new(b));
        }
        let bounded = self.options.ints == IntegerModel::C32;
        let width = if bounded { ty.bits(self.abi()) } else { UNBOUNDED_WIDTH };
        let operator = match op {
            TreeOp::Sub => BinaryOp::Sub,
            TreeOp::Mul => BinaryOp::Mul,
            TreeOp::Div => BinaryOp::Div,
            TreeOp::Rem => BinaryOp::Rem,
            TreeOp::And => BinaryOp::And,
            TreeOp::Or => BinaryOp::Or,
            TreeOp::Xor => BinaryOp::Xor,
            TreeOp::ShiftLeft => BinaryOp::ShiftLeft(width),
            TreeOp::ShiftRight => BinaryOp::ShiftRight(width),
            _ => BinaryOp::Add,
        };
        // Only division by -1 can leave the type.
        let harmless = match (op, &b) {
            (TreeOp::Div | TreeOp::Rem, Expr::Int(divisor)) => *divisor != Int::MINUS_ONE,
            (TreeOp::And | TreeOp::Or | TreeOp::Xor | TreeOp::ShiftRight, _) => true,
            (TreeOp::Div | TreeOp::Rem, _) => !ty.signed(self.abi()),
            _ => false,
        };
        let value = Expr::Binary(operator, Box::new(a), Box::new(b));
        if !bounded || harmless { value } else { self.in_type(ty, value) }
    }

    /// The result of an operation in a type: signed overflow is undefined, unsigned arithmetic wraps around.
    fn in_type(&self, ty: Integer, value: Expr) -> Expr {
        if ty.signed(self.abi()) {
            Expr::Checked(ty.range(self.abi()), Box::new(value))
        } else {
            Expr::Convert(ty.range(self.abi()), Box::new(value))
        }
    }

    /// Of an operation on integers its exact result brought into a type, or whether it has no value there.
    pub(super) fn exactly(&mut self, intrinsic: Intrinsic, operation: &'a Tree, ty: Integer, effects: &mut Effects<'a>) -> Expr {
        let ExprKind::Binary(op, a, b) = &operation.unconverted().kind else { return Expr::Int(Int::ZERO) };
        let (a, b) = (self.value(a.unconverted(), effects), self.value(b.unconverted(), effects));
        let op = match op {
            TreeOp::Add => BinaryOp::Add,
            TreeOp::Sub => BinaryOp::Sub,
            _ => BinaryOp::Mul,
        };
        let exact = Expr::Binary(op, Box::new(a), Box::new(b));
        let overflows = intrinsic == Intrinsic::Overflows;
        match self.range(ty) {
            None if overflows => Expr::Int(Int::ZERO),
            None => exact,
            Some(range) if overflows => {
                let beyond = |op, bound| Box::new(Expr::Compare(op, Box::new(exact.clone()), Box::new(Expr::Int(bound))));
                Expr::Binary(BinaryOp::Or, beyond(CompareOp::Lt, range.least()), beyond(CompareOp::Gt, range.greatest()))
            }
            Some(range) => self.wrapped(range, exact),
        }
    }

    pub(super) fn negation(&self, ty: Integer, value: Expr) -> Expr {
        if let Some(format) = ty.format() {
            return self.float_negation(format, value);
        }
        let bounded = self.options.ints == IntegerModel::C32;
        match value {
            // A negative constant, not a computation.
            Expr::Int(number) if !bounded || ty.range(self.abi()).contains(&-&number) => Expr::Int(-number),
            value if bounded => self.in_type(ty, Expr::Neg(Box::new(value))),
            value => Expr::Neg(Box::new(value)),
        }
    }

    /// `~value`.
    pub(super) fn complement(&self, ty: Integer, value: Expr) -> Expr {
        let ones = match self.options.ints {
            IntegerModel::C32 if !ty.signed(self.abi()) => ty.range(self.abi()).greatest(),
            _ => Int::MINUS_ONE,
        };
        match value {
            Expr::Int(number) => Expr::Int(&ones - &number),
            value => Expr::Binary(BinaryOp::Sub, Box::new(Expr::Int(ones)), Box::new(value)),
        }
    }

    /// A value of one type as one of another (6.3.1.2, 6.3.1.3).
    pub(super) fn converted(&self, from: Integer, to: Integer, value: Expr) -> Expr {
        if to != Integer::Bool && floats::conversion(from, to, self.abi()).is_some() {
            return self.float_converted(from, to, value);
        }
        if truth_value(&value) && from.format().is_none() || from == to {
            return value;
        }
        if to == Integer::Bool {
            return match value {
                Expr::Int(number) => Expr::Int(Int::from(!number.is_zero())),
                value => Expr::Compare(CompareOp::Ne, Box::new(value), Box::new(Expr::Int(Int::ZERO))),
            };
        }
        if self.options.ints == IntegerModel::Unbounded || to.range(self.abi()).covers(&from.range(self.abi())) {
            return value;
        }
        self.wrapped(to.range(self.abi()), value)
    }

    /// A value brought into a range.
    pub(super) fn wrapped(&self, range: IntRange, value: Expr) -> Expr {
        match value {
            Expr::Int(number) => Expr::Int(range.wrap(&number)),
            value => Expr::Convert(range, Box::new(value)),
        }
    }

    /// Whether a conversion leaves zero zero and all else what it is to a decision.
    pub(super) fn keeps_truth(&self, from: Integer, to: Integer) -> bool {
        match (from.format(), to.format()) {
            (None, None) => {}
            // The least numbers of the wider format are zero in the narrower one.
            (from, to_format) => return from.is_none() || to == Integer::Bool || from <= to_format,
        }
        self.options.ints == IntegerModel::Unbounded
            || to == Integer::Bool
            || to.range(self.abi()).covers(&from.range(self.abi()))
            || from.bits(self.abi()) <= to.bits(self.abi())
    }
}

/// Whether the value is 0 or 1 by its form.
pub(super) fn truth_value(e: &Expr) -> bool {
    match e {
        Expr::Compare(..) | Expr::Not(_) => true,
        Expr::Int(value) => value.is_zero() || value.is_one(),
        _ => false,
    }
}
