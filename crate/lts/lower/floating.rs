//! Expressions of floating-point types, whose values are ranks ([`crate::logic::rank`]).
//!
//! Comparisons are comparisons of integers: each is false where an operand is not a number, but for `!=`. The comparison of a converted
//! value with a constant is one of the value itself with a threshold, since conversions are monotone. What arithmetic gives is arbitrary
//! within bounds to all analyses, and computed by a run ([`InputSource::Computed`]).

use super::Lowerer;
use super::arithmetic::comparison;
use crate::lang::ast::{BinaryOp as TreeOp, Expr as Tree, ExprKind};
use crate::lang::types::Integer;
use crate::lang::{floats, intrinsic};
use crate::logic::rank::{FloatFormat, FloatOp, threshold};
use crate::logic::{Int, IntRange};
use crate::lts::{BinaryOp, CompareOp, Computation, Expr, InputSource};

/// An operand of a comparison: a value, and the type that it has before it is converted to that of the comparison.
pub(super) struct Operand {
    pub ty: Integer,
    pub value: Expr,
}

/// An operand of a comparison of floating-point numbers, without its conversion where the comparison does not need that.
pub(super) fn compared_operand(op: TreeOp, e: &Tree) -> &Tree {
    match &e.kind {
        ExprKind::Convert(inner) if op.compares() && e.ty.format().is_some() && inner.ty != Integer::Bool && !is_approximated(inner) => {
            inner
        }
        _ => e,
    }
}

/// Whether the expression stands for a part that is not understood: its type is not that of the part.
pub(super) fn is_approximated(e: &Tree) -> bool {
    match &e.kind {
        ExprKind::Call(name, _) => name.text == intrinsic::APPROXIMATED,
        ExprKind::Comma(_, last) | ExprKind::Convert(last) => is_approximated(last),
        _ => false,
    }
}

fn rank(rank: i64) -> Expr {
    Expr::Int(Int::from(rank))
}

fn compare(op: CompareOp, a: &Expr, b: Expr) -> Expr {
    Expr::Compare(op, Box::new(a.clone()), Box::new(b))
}

fn both(a: Expr, b: Expr) -> Expr {
    Expr::Binary(BinaryOp::And, Box::new(a), Box::new(b))
}

/// A condition, and that a value is a number; of an integer it is.
fn where_number(condition: Expr, format: Option<FloatFormat>, value: &Expr) -> Expr {
    match format {
        Some(format) if !matches!(value, Expr::Int(_)) => both(condition, compare(CompareOp::Le, value, rank(format.infinity()))),
        _ => condition,
    }
}

/// A comparison of two numbers of one format.
fn compare_numbers(op: CompareOp, format: FloatFormat, a: &Expr, b: &Expr) -> Expr {
    let condition = compare(op, a, b.clone());
    // A constant on the other side bounds an operand already.
    match op {
        CompareOp::Lt | CompareOp::Le => where_number(condition, Some(format), b),
        CompareOp::Gt | CompareOp::Ge => where_number(condition, Some(format), a),
        CompareOp::Eq if matches!(b, Expr::Int(_)) => condition,
        CompareOp::Eq => where_number(condition, Some(format), a),
        CompareOp::Ne if matches!(a, Expr::Int(_)) || matches!(b, Expr::Int(_)) => condition,
        CompareOp::Ne => {
            let is_none = compare(CompareOp::Gt, a, rank(format.infinity()));
            Expr::Binary(BinaryOp::Or, Box::new(condition), Box::new(is_none))
        }
    }
}

impl Lowerer<'_> {
    /// The comparison of two values in a format.
    pub(super) fn numbers_compared(&self, op: TreeOp, format: FloatFormat, a: Operand, b: Operand) -> Expr {
        let Some(operator) = comparison(op) else { return Expr::Int(Int::ZERO) };
        let wanted = if format == FloatFormat::Single { Integer::Float } else { Integer::Double };
        let constant = |operand: &Operand| match &operand.value {
            Expr::Int(value) => floats::converted(operand.ty, wanted, self.abi(), value),
            _ => None,
        };
        match (constant(&a), constant(&b)) {
            (Some(a), Some(b)) => return Expr::Int(floats::applied(op, format, &a, &b).unwrap_or_default()),
            (None, Some(bound)) => {
                if let Some(condition) = self.with_threshold(operator, format, &a, &bound) {
                    return condition;
                }
            }
            (Some(bound), None) => {
                if let Some(condition) = self.with_threshold(operator.turned(), format, &b, &bound) {
                    return condition;
                }
            }
            (None, None) if a.ty == b.ty && a.ty.format().is_some() => {
                return compare_numbers(operator, a.ty.format().unwrap_or(format), &a.value, &b.value);
            }
            (None, None) if [&a, &b].into_iter().all(|operand| self.converts_exactly(operand.ty, format)) => {
                return compare(operator, &a.value, b.value);
            }
            (None, None) => {}
        }
        let (a, b) = (self.converted(a.ty, wanted, a.value), self.converted(b.ty, wanted, b.value));
        compare_numbers(operator, format, &a, &b)
    }

    /// Whether each integer of the type is a number of the format.
    fn converts_exactly(&self, ty: Integer, format: FloatFormat) -> bool {
        let greatest = if format == FloatFormat::Single { 1 << 24 } else { 1 << 53 };
        ty.format().is_none() && self.range(ty).is_some_and(|range| IntRange { least: -greatest, greatest }.covers(&range))
    }

    /// The comparison of a converted value with a constant, by its rank. `None` where integers have no bounds, and the constant is too large
    /// for integers to be exact.
    fn with_threshold(&self, op: CompareOp, format: FloatFormat, operand: &Operand, bound: &Int) -> Option<Expr> {
        let bound = bound.to_i64()?;
        let value = &operand.value;
        if bound > format.infinity() {
            // The value is evaluated all the same.
            return Some(compare(if op == CompareOp::Ne { CompareOp::Eq } else { CompareOp::Ne }, value, value.clone()));
        }
        let from = operand.ty.format();
        if from == Some(format) {
            return Some(compare_numbers(op, format, value, &rank(bound)));
        }
        let range = match (from, self.range(operand.ty)) {
            (Some(format), _) => IntRange { greatest: format.infinity().into(), ..format.range() },
            (None, Some(range)) => range,
            (None, None) => {
                let greatest = if format == FloatFormat::Single { 1 << 24 } else { 1 << 53 };
                let is_small = format.rank_of_integer(greatest) > bound && bound > -format.rank_of_integer(greatest);
                is_small.then_some(IntRange { least: -greatest, greatest })?
            }
        };
        let (first, after) = (threshold(from, range, format, bound), threshold(from, range, format, bound + 1));
        let is_between = first == after;
        let least = |at: i128| match is_between {
            true => compare(CompareOp::Gt, value, Expr::Int(Int::from(at - 1))),
            false => compare(CompareOp::Ge, value, Expr::Int(Int::from(at))),
        };
        let below = |at: i128| match is_between {
            true => compare(CompareOp::Le, value, Expr::Int(Int::from(at - 1))),
            false => compare(CompareOp::Lt, value, Expr::Int(Int::from(at))),
        };
        let above = || compare(CompareOp::Gt, value, Expr::Int(Int::from(after - 1)));
        Some(match op {
            CompareOp::Lt => below(first),
            CompareOp::Le => compare(CompareOp::Le, value, Expr::Int(Int::from(after - 1))),
            CompareOp::Ge => where_number(least(first), from, value),
            CompareOp::Gt => where_number(above(), from, value),
            CompareOp::Eq if after == first + 1 => compare(CompareOp::Eq, value, Expr::Int(Int::from(first))),
            CompareOp::Eq => both(least(first), below(after)),
            CompareOp::Ne if after == first + 1 => compare(CompareOp::Ne, value, Expr::Int(Int::from(first))),
            CompareOp::Ne => Expr::Binary(BinaryOp::Or, Box::new(below(first)), Box::new(least(after))),
        })
    }

    /// A value of one type as one of another, where one of them is of floating-point numbers and the other not `_Bool`.
    pub(super) fn float_converted(&self, from: Integer, to: Integer, value: Expr) -> Expr {
        let Some(op) = floats::conversion(from, to, self.abi()) else { return value };
        if let Expr::Nondet(_, InputSource::Approximated) = value {
            // What the part that is not understood gives has any type.
            return Expr::Nondet(self.range(to), InputSource::Approximated);
        }
        if let Expr::Int(number) = &value
            && let Some(constant) = floats::converted(from, to, self.abi(), number)
        {
            return Expr::Int(constant);
        }
        let (Some(format), is_truth) = (to.format().or(from.format()), from == Integer::Bool || super::arithmetic::truth_value(&value))
        else {
            return value;
        };
        let range = match (op, self.range(from)) {
            (FloatOp::FromInteger, _) if is_truth => {
                let one = rank(format.rank_of_integer(1));
                return Expr::Binary(BinaryOp::Mul, Box::new(value), Box::new(one));
            }
            (FloatOp::FromInteger, Some(range)) => {
                let [least, greatest] = [range.least, range.greatest].map(|value| format.rank_of_integer(value).into());
                Some(IntRange { least, greatest })
            }
            (FloatOp::FromInteger, None) => Some(IntRange { greatest: format.infinity().into(), ..format.range() }),
            _ => self.range(to),
        };
        computed(op, format, range, vec![value])
    }

    /// `a op b` on numbers of a format.
    pub(super) fn float_arithmetic(&self, op: TreeOp, format: FloatFormat, a: Expr, b: Expr) -> Expr {
        if let Some(op) = comparison(op) {
            return compare_numbers(op, format, &a, &b);
        }
        let is = |e: &Expr, number: i128| *e == rank(format.rank_of_integer(number));
        match (floats::operation(op), a, b) {
            (Some(_), Expr::Int(x), Expr::Int(y)) if floats::applied(op, format, &x, &y).is_some() => {
                Expr::Int(floats::applied(op, format, &x, &y).unwrap_or_default())
            }
            (Some(FloatOp::Add | FloatOp::Sub), a, b) if is(&b, 0) => a,
            (Some(FloatOp::Add), a, b) if is(&a, 0) => b,
            (Some(FloatOp::Mul | FloatOp::Div), a, b) if is(&b, 1) => a,
            (Some(FloatOp::Mul), a, b) if is(&a, 1) => b,
            (Some(op), a, b) => {
                // A square is not below zero, nor is a sum or a product of such numbers; what is not a number has the greatest rank.
                let is_square = op == FloatOp::Mul && a == b && a.nondets() == 0;
                let is_positive = matches!(op, FloatOp::Add | FloatOp::Mul) && [&a, &b].into_iter().all(is_not_negative);
                let least = if is_square || is_positive { 0 } else { format.range().least };
                computed(op, format, Some(IntRange { least, ..format.range() }), vec![a, b])
            }
            (None, a, _) => a,
        }
    }

    /// A number with the other sign.
    pub(super) fn float_negation(&self, format: FloatFormat, value: Expr) -> Expr {
        if let Expr::Int(constant) = value {
            return Expr::Int(floats::negated(format, constant));
        }
        if value.nondets() > 0 {
            return computed(FloatOp::Sub, format, Some(format.range()), vec![Expr::Int(Int::ZERO), value]);
        }
        // What is not a number stays so.
        let is_none = compare(CompareOp::Gt, &value, rank(format.infinity()));
        let twice = &Int::from(format.not_a_number()) + &Int::from(format.not_a_number());
        let kept = Expr::Binary(BinaryOp::Mul, Box::new(is_none), Box::new(Expr::Int(twice)));
        Expr::Binary(BinaryOp::Sub, Box::new(kept), Box::new(value))
    }
}

/// Whether a number is known not to be below zero, or to be none.
fn is_not_negative(value: &Expr) -> bool {
    match value {
        Expr::Int(rank) => !rank.is_negative(),
        Expr::Nondet(Some(range), InputSource::Computed(_)) => range.least >= 0,
        _ => false,
    }
}

/// What a function of the library gives for numbers of the type `double`.
pub(super) fn operation_value(op: FloatOp, operands: Vec<Expr>) -> Expr {
    let format = FloatFormat::Double;
    // No root is below zero.
    let least = if op == FloatOp::SquareRoot { 0 } else { format.range().least };
    computed(op, format, Some(IntRange { least, ..format.range() }), operands)
}

/// What an operation gives: arbitrary within the range, but for runs.
fn computed(op: FloatOp, format: FloatFormat, range: Option<IntRange>, operands: Vec<Expr>) -> Expr {
    Expr::Nondet(range, InputSource::Computed(Box::new(Computation { op, format, operands, thresholds: None })))
}
