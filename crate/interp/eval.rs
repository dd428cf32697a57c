//! Values of expressions and effects of edges.

use super::cells::Cells;
use super::{MAX_BITS, Step, Undefined};
use crate::logic::Int;
use crate::lts::{ArrayId, BinaryOp, CompareOp, Expr, Label, Lts};

/// The values of all variables, and how far `nondet()` has come.
pub(super) struct State<'a, 'i> {
    pub lts: &'a Lts,
    pub variables: Vec<Int>,
    pub arrays: Vec<Cells>,
    pub nondet: &'i [Int],
    pub nondet_used: usize,
}

/// Why an edge could not be taken. Small, because every evaluation carries it.
pub(super) enum Stop {
    Assume,
    Undefined(Box<Undefined>),
    TooLarge,
}

impl State<'_, '_> {
    /// Applies an edge; `decided` when its condition has been evaluated already. Gives back what it returns, if it
    /// leads to the exit with a value.
    pub fn take(&mut self, step: Step<'_>, decided: bool) -> Result<Option<Int>, Stop> {
        match step.label {
            Label::Skip => {}
            Label::Assume { condition, holds } => {
                if !decided && self.eval(condition)?.is_zero() == *holds {
                    return Err(Stop::Assume);
                }
            }
            Label::Assign(variable, value) => {
                let value = self.eval(value)?;
                self.variables[variable.0 as usize] = value;
            }
            Label::Store { array, index, value } => {
                let index = self.eval(index)?;
                let value = self.eval(value)?;
                self.check_index(*array, &index)?;
                self.arrays[array.0 as usize].write(&index, value);
            }
            Label::Fill(array, elements) => {
                let first = elements.iter().map(|element| self.eval(element)).collect::<Result<Vec<_>, _>>()?;
                if let Some(last) = first.len().checked_sub(1) {
                    self.check_index(*array, &Int::from(last))?;
                }
                self.arrays[array.0 as usize] = Cells::filled(&first);
            }
            Label::Havoc(variable) => self.variables[variable.0 as usize] = self.next_nondet(),
        }
        step.returns.map(|returns| self.eval(returns)).transpose()
    }

    pub fn eval(&mut self, expr: &Expr) -> Result<Int, Stop> {
        Ok(match expr {
            Expr::Int(value) => value.clone(),
            Expr::Var(variable) => self.variables[variable.0 as usize].clone(),
            Expr::Read(array, index) => {
                let index = self.eval(index)?;
                self.check_index(*array, &index)?;
                self.arrays[array.0 as usize].read(&index)
            }
            Expr::Nondet => self.next_nondet(),
            Expr::Neg(operand) => -self.eval(operand)?,
            Expr::Not(operand) => Int::from(self.eval(operand)?.is_zero()),
            Expr::Binary(op, left, right) => {
                let left = self.eval(left)?;
                let right = self.eval(right)?;
                match op {
                    BinaryOp::Add => bounded(&left + &right)?,
                    BinaryOp::Sub => bounded(&left - &right)?,
                    // Before it is computed: a product may be twice as large as anything so far.
                    BinaryOp::Mul if left.bits() + right.bits() > MAX_BITS => return Err(Stop::TooLarge),
                    BinaryOp::Mul => &left * &right,
                    BinaryOp::Div => left.div_rem_trunc(&right).ok_or_else(division_by_zero)?.0,
                    BinaryOp::Rem => left.div_rem_trunc(&right).ok_or_else(division_by_zero)?.1,
                }
            }
            Expr::Compare(op, left, right) => {
                let left = self.eval(left)?;
                let right = self.eval(right)?;
                Int::from(match op {
                    CompareOp::Lt => left < right,
                    CompareOp::Le => left <= right,
                    CompareOp::Gt => left > right,
                    CompareOp::Ge => left >= right,
                    CompareOp::Eq => left == right,
                    CompareOp::Ne => left != right,
                })
            }
        })
    }

    /// The next value of the input; zero past its end.
    fn next_nondet(&mut self) -> Int {
        let value = self.nondet.get(self.nondet_used).cloned().unwrap_or_default();
        self.nondet_used += 1;
        value
    }

    fn check_index(&self, array: ArrayId, index: &Int) -> Result<(), Stop> {
        match &self.lts.array(array).length {
            Some(length) if index.is_negative() || index >= length => {
                Err(Stop::Undefined(Box::new(Undefined::OutOfBounds { array, index: index.clone(), length: length.clone() })))
            }
            _ => Ok(()),
        }
    }
}

fn bounded(value: Int) -> Result<Int, Stop> {
    if value.bits() > MAX_BITS { Err(Stop::TooLarge) } else { Ok(value) }
}

fn division_by_zero() -> Stop {
    Stop::Undefined(Box::new(Undefined::DivisionByZero))
}
