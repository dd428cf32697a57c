//! Mistakes in comparisons of numbers: what the types of both sides have, and what arithmetic on them can give.

use super::{MistakeSearch, compared, number, without_silent_conversions};
use crate::lang::ast::{BinaryOp, Expr, ExprKind, Init, Shape, Stmt, StmtKind, UnaryOp};
use crate::lang::flow::shape_of;
use crate::lang::types::Integer;
use crate::logic::{Int, SortedSet};

const ROUNDED: &str = "numbers with fractions are rounded: their difference is compared with a small bound";
const QUOTIENT: &str = "the division of two integers drops the fraction: `(double)a / b` keeps it";
const COMPLEMENT: &str =
    "a number narrower than `int` becomes an `int` before `~`, which sets the bits above it: a conversion back drops them";
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

impl MistakeSearch<'_> {
    /// The hint for a comparison `e` of `a` and `b`.
    pub(super) fn numbers(&mut self, e: &Expr, op: BinaryOp, a: &Expr, b: &Expr) {
        let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let hint = match (number(a), number(b)) {
            _ if a.ty.format().is_some() && [a, b].into_iter().any(|side| self.is_quotient(side)) => Some(QUOTIENT.to_owned()),
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
        let inner = without_silent_conversions(value);
        let (own, common) = (inner.ty, literal.ty);
        if inner.ty.format().is_some() {
            return None;
        }
        if limit.is_negative() && !common.signed(self.program.abi) {
            let converted = common.range(self.program.abi).wrap(limit);
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
        if let ExprKind::Unary(UnaryOp::Complement, operand) = &inner.kind
            && self.is_promoted(operand)
            && !limit.is_negative()
        {
            return Some(COMPLEMENT.to_owned());
        }
        if let Some((least, greatest)) = self.member_bounds(inner)
            && (*limit < least || *limit > greatest || *limit == least && op == BinaryOp::Lt || *limit == greatest && op == BinaryOp::Gt)
        {
            return Some(format!("this member of some bits has values from {least} to {greatest}"));
        }
        let range = own.range(self.program.abi);
        let is_beyond = match op {
            BinaryOp::Lt | BinaryOp::Ge => *limit <= Int::from(range.least) || *limit > Int::from(range.greatest),
            BinaryOp::Gt | BinaryOp::Le => *limit >= Int::from(range.greatest) || *limit < Int::from(range.least),
            _ => !range.contains(limit),
        };
        if is_beyond && own.bits(self.program.abi) < 64 {
            return Some(format!("an object of type `{}` has values from {} to {}", own.name(), range.least, range.greatest));
        }
        if let Some(name) = self.wrapping(inner, limit) {
            return Some(format!(
                "a number of type `{name}` becomes an `int` before the arithmetic, which does not wrap around at its end"
            ));
        }
        (limit.is_zero() && self.overflows(value, None)).then(|| OVERFLOW.to_owned())
    }

    /// The name of the unsigned type narrower than `int` in which a sum would be 0, or a difference the greatest number, by wrapping around.
    fn wrapping(&self, value: &Expr, limit: &Int) -> Option<&'static str> {
        let ExprKind::Binary(op, left, right) = &value.kind else { return None };
        let narrow = [left, right].into_iter().find(|operand| self.is_promoted(operand))?.unconverted().ty;
        let is_wrapped = match op {
            BinaryOp::Add => limit.is_zero(),
            BinaryOp::Sub => *limit == Int::from(narrow.range(self.program.abi).greatest),
            _ => false,
        };
        let is_narrow = |operand: &Expr| self.is_promoted(operand) || number(operand).is_some();
        (is_wrapped && !narrow.signed(self.program.abi) && is_narrow(left) && is_narrow(right)).then(|| narrow.name())
    }

    /// Whether it is a number narrower than `int`, which arithmetic converts first.
    fn is_promoted(&self, e: &Expr) -> bool {
        let ty = e.unconverted().ty;
        ty.format().is_none() && ty.bits(self.program.abi) < Integer::Int.bits(self.program.abi) && number(e).is_none()
    }

    /// The least and the greatest value of a member of some bits.
    fn member_bounds(&self, e: &Expr) -> Option<(Int, Int)> {
        let ExprKind::Member(base, _, at) = &e.kind else { return None };
        let Shape::Struct(id) = shape_of(self.program, base)? else { return None };
        let member = self.program.structure(*id).members.as_ref()?.get(*at)?;
        let values = member.bits.as_ref()?.values;
        Some((Int::from(values.least), Int::from(values.greatest)))
    }

    /// Whether it is the quotient of two integers, or an object that gets one, as a floating-point number.
    fn is_quotient(&self, e: &Expr) -> bool {
        let inner = e.unconverted();
        match &inner.kind {
            _ if is_whole_quotient(e) => true,
            ExprKind::Name(name) | ExprKind::Member(_, name, _) => self.quotients.contains(name.text.as_str()),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div, a, b) => {
                inner.ty.format().is_some() && (self.is_quotient(a) || self.is_quotient(b))
            }
            _ => false,
        }
    }

    /// Whether a value is a result of signed arithmetic whose sign, or whose order with an operand, is compared.
    fn overflows(&self, value: &Expr, with: Option<&Expr>) -> bool {
        let inner = value.unconverted();
        let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, left, right) = &inner.kind else { return false };
        let is_signed = inner.ty.signed(self.program.abi) && inner.ty.format().is_none();
        let is_of = |operand: &Expr| with.is_some_and(|with| is_same(operand, with));
        let is_difference = matches!(inner.kind, ExprKind::Binary(BinaryOp::Sub, ..));
        is_signed && (with.is_none() && !is_difference || is_of(left) || is_of(right))
    }
}

/// Whether a number is converted to a floating-point one that is the quotient of two integers.
fn is_whole_quotient(e: &Expr) -> bool {
    let inner = e.unconverted();
    e.ty.format().is_some() && inner.ty.format().is_none() && matches!(inner.kind, ExprKind::Binary(BinaryOp::Div, ..))
}

/// Adds the names of the floating-point variables and members that a statement sets to the quotient of two integers.
pub fn quotients<'p>(stmt: &'p Stmt, names: &mut SortedSet<&'p str>) {
    if let StmtKind::Declare(_, list) = &stmt.kind {
        let set = list.iter().filter(|own| matches!(&own.init, Some(Init::Expr(value)) if is_whole_quotient(value)));
        names.extend(set.map(|own| own.name.text.as_str()));
    }
    stmt.expressions(&mut |e| quotients_in(e, names));
    stmt.children(&mut |child| quotients(child, names));
}

fn quotients_in<'p>(e: &'p Expr, names: &mut SortedSet<&'p str>) {
    if let ExprKind::Assign { target, op: None, value, .. } = &e.kind
        && is_whole_quotient(value)
        && let ExprKind::Name(name) | ExprKind::Member(_, name, _) = &target.kind
    {
        names.insert(&name.text);
    }
    e.kind.children(&mut |child| quotients_in(child, names));
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
