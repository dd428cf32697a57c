//! Given values that may be any of a range ([`super::alone`]): what a run makes of them.

use super::alone::NeededValue;
use super::eval::{RunState, Stop};
use crate::logic::Int;
use crate::lts::{BinaryOp, CompareOp, Expr};

/// A given value that an expression is, but for a constant that is added.
pub(super) struct GivenOperand {
    /// Its number.
    pub number: usize,
    pub added: Int,
    /// Whether evaluating the expression draws it.
    is_draw: bool,
}

impl RunState<'_> {
    /// The number of the given value that a number stands for, where it does.
    pub(super) fn given_number(&self, value: &Int) -> Option<usize> {
        let none = self.missing.none.as_ref().filter(|none| !self.missing.ranges.is_empty() && value < *none)?;
        let number = (none - value).to_i64().and_then(|number| usize::try_from(number - 1).ok())?;
        (number < self.missing.ranges.len()).then_some(number)
    }

    /// The least and the greatest value that a variable or an element may have, of a run without an input those of the given range that it is
    /// any of; none where it is undefined, and where the run has no value there.
    pub fn range_of(&self, part: &Expr) -> Option<(Int, Int)> {
        let value = match part {
            Expr::Var(variable) => self.variables[variable.0 as usize].clone(),
            Expr::Read(array, index) => {
                let index = self.value_of(index)?;
                self.check_index(*array, &index).ok()?;
                self.arrays[array.0 as usize].read(&index).clone()
            }
            other => self.value_of(other)?,
        };
        let Some(none) = self.missing.none.as_ref().filter(|none| value <= **none) else { return Some((value.clone(), value)) };
        let range = self.missing.ranges[self.given_number(&value).filter(|_| value < *none)?];
        Some((range.least(), range.greatest()))
    }

    /// The given value that an expression is, where it is one. It is not evaluated yet.
    pub(super) fn given_operand(&mut self, e: &Expr) -> Option<GivenOperand> {
        if self.missing.ranges.is_empty() {
            return None;
        }
        let plain = |number: usize, is_draw: bool| GivenOperand { number, added: Int::ZERO, is_draw };
        match e {
            Expr::Var(variable) => self.given_number(&self.variables[variable.0 as usize]).map(|number| plain(number, false)),
            Expr::Read(array, index) => {
                let needed = self.missing.needed.take();
                let index = self.eval(index);
                self.missing.needed = needed;
                let index = index.ok().filter(|index| self.check_index(*array, index).is_ok())?;
                self.given_number(&self.arrays[array.0 as usize].read(&index)).map(|number| plain(number, false))
            }
            Expr::Nondet(_, source) if !source.is_computed() => {
                self.nondet.get(self.nondet_used).and_then(|value| self.given_number(value)).map(|number| plain(number, true))
            }
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let Expr::Int(constant) = &**right else { return None };
                let operand = self.given_operand(left)?;
                let added = if *op == BinaryOp::Add { &operand.added + constant } else { &operand.added - constant };
                Some(GivenOperand { added, ..operand })
            }
            Expr::Convert(range, inner) | Expr::Checked(range, inner) | Expr::Within(_, range, inner) => {
                let operand = self.given_operand(inner)?;
                let given = self.missing.ranges[operand.number];
                let is_inside = [given.least(), given.greatest()].iter().all(|end| range.contains(&(end + &operand.added)));
                is_inside.then_some(operand)
            }
            _ => None,
        }
    }

    /// Evaluates an expression that is a given value as it is: gives the number that stands for it.
    pub(super) fn copied_given(&mut self, e: &Expr) -> Option<Int> {
        let operand = self.given_operand(e).filter(|operand| operand.added.is_zero())?;
        self.nondet_used += usize::from(operand.is_draw);
        self.missing.needed = None;
        self.missing.none.as_ref().map(|none| none - &Int::from(operand.number + 1))
    }

    /// A comparison of a given value with another one, where one of its sides is one.
    pub(super) fn compared_given(&mut self, op: CompareOp, left: &Expr, right: &Expr) -> Option<Result<bool, Stop>> {
        if let Some(operand) = self.given_operand(left) {
            self.nondet_used += usize::from(operand.is_draw);
            return Some(self.eval(right).and_then(|value| self.compared(op, &operand, &value)));
        }
        // What draws comes in its order.
        if left.nondets() > 0 {
            return None;
        }
        let operand = self.given_operand(right)?;
        let value = self.eval(left);
        self.nondet_used += usize::from(operand.is_draw);
        Some(value.and_then(|value| self.compared(op.turned(), &operand, &value)))
    }

    fn compared(&mut self, op: CompareOp, operand: &GivenOperand, value: &Int) -> Result<bool, Stop> {
        let value = value - &operand.added;
        let given = self.missing.ranges[operand.number];
        let (least, greatest) = (given.least(), given.greatest());
        let before = &value - &Int::ONE;
        let mut is_at_most = |value: &Int| match () {
            () if greatest <= *value => Ok(true),
            () if least > *value => Ok(false),
            () => Err(self.without(NeededValue::Half(operand.number, value.clone()))),
        };
        match op {
            CompareOp::Le => is_at_most(&value),
            CompareOp::Gt => is_at_most(&value).map(|holds| !holds),
            CompareOp::Lt => is_at_most(&before),
            CompareOp::Ge => is_at_most(&before).map(|holds| !holds),
            CompareOp::Eq | CompareOp::Ne => {
                let is_equal = is_at_most(&value)? && !is_at_most(&before)?;
                Ok(is_equal == (op == CompareOp::Eq))
            }
        }
    }
}
