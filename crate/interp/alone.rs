//! Runs without an input: executions that nothing outside the program has a part in, but for a few given values.
//!
//! The run begins with no value in whatever the program does not give a first value: parameters, statics that earlier calls may have changed,
//! locals without initialiser. A draw leaves no value either. The run ends before an evaluation that needs a value where there is none. So a
//! run that goes on to one of its own ends is the only execution that there is; with given values, the only one that begins with and draws
//! these.
//!
//! No value is a number outside the words: the code of an expression (`code`) gives way to its definition (`eval`), which compares. A
//! program that computes this very number ends its run, too, and nothing is claimed of it.
//!
//! A given value may be any of a range. Then a number below that of no value stands for it. It can be copied and printed, and compared with a
//! value that it is less than, equal to or greater than whichever of the range it is; other evaluations end the run, which says whether a
//! part of the range would do, or one value.

use super::cells::Cells;
use super::eval::Stop;
use super::{ArrayInput, Input, Machine, Outcome, Run, RunState, Watch};
use crate::logic::{Int, IntRange};
use crate::lts::{ArrayId, BinaryOp, CompareOp, EdgeId, Expr, VariableId};
use std::fmt;

/// A value that a run without an input is given: any of a range.
#[derive(Clone, Debug)]
pub struct GivenValue {
    /// The variable that has it at the entry; none for the next draw.
    pub variable: Option<VariableId>,
    pub range: IntRange,
}

impl GivenValue {
    /// The value, or with its number among the given ones the number that stands for it.
    fn told(&self, number: usize) -> Int {
        if self.range.least == self.range.greatest { self.range.least() } else { &no_value() - &Int::from(number + 1) }
    }
}

/// A value that an evaluation needs and the run does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NeededValue {
    /// That of a variable.
    Variable(VariableId),
    /// That of an element of this array.
    Element(ArrayId),
    /// The next draw: any value in this range.
    Draw(IntRange),
    /// Of the given value with this number whether it is at most this one, which is in its range.
    Half(usize, Int),
    /// Which value of its range the given one with this number is.
    One(usize),
    /// Another one.
    Other,
}

/// Why a run without an input is not the only execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undetermined {
    /// The edge needs a value that nothing in the program determines: a parameter, a draw, a volatile read, what a function without a body
    /// gives or writes, what is not initialised, an order of evaluation that is open. Without an edge the entry needs it.
    Value(Option<EdgeId>, NeededValue),
    /// The run came to an end that is none of an execution: a limit, a call that was cut off, a place that is approximated.
    End(Outcome),
}

impl fmt::Display for Undetermined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undetermined::Value(Some(edge), _) => write!(f, "edge {} needs a value that nothing in the program determines", edge.index()),
            Undetermined::Value(None, _) => f.write_str("the entry needs a value that nothing in the program determines"),
            Undetermined::End(Outcome::Cut) => f.write_str("a function calls itself more often than calls are inlined"),
            Undetermined::End(Outcome::Approximated) => f.write_str("the run comes to a place that is approximated"),
            Undetermined::End(Outcome::TooLarge) => f.write_str("the run computes a number that is too large"),
            Undetermined::End(_) => f.write_str("the run takes more steps than are allowed"),
        }
    }
}

/// The number that stands for no value: outside the words.
pub(super) fn no_value() -> Int {
    Int::from(i64::MIN).shift_left(64)
}

impl Machine<'_> {
    /// Runs without an input but for the given values, for at most `max_steps` edges or until `watch` breaks ([`Outcome::Steps`]); the `edges` and `variables` of the
    /// result stay empty.
    ///
    /// # Errors
    /// Why other executions may exist.
    pub fn alone(&self, given: &[GivenValue], max_steps: u64, watch: &mut dyn Watch) -> Result<Run, Undetermined> {
        let none = no_value();
        let told = given.iter().enumerate().map(|(number, value)| (value.variable, value.told(number)));
        let (variables, draws): (Vec<_>, Vec<_>) = told.partition(|(variable, _)| variable.is_some());
        // A draw in the code of an expression gets no word.
        let nondet = draws.into_iter().map(|(_, value)| value).chain([none.clone()]).collect();
        let input = Input { nondet, ..Input::default() };
        let mut state = self.initial(&input);
        for (variable, value) in self.lts.variables.iter().zip(&mut state.variables) {
            if variable.initial.is_none() {
                *value = none.clone();
            }
        }
        for (array, cells) in self.lts.arrays.iter().zip(&mut state.arrays) {
            if array.initial.is_none() {
                *cells = Cells::given(&ArrayInput { default: none.clone(), ..ArrayInput::default() });
            }
        }
        for (variable, value) in variables {
            if let Some(variable) = variable {
                state.variables[variable.0 as usize] = value;
            }
        }
        if given.iter().any(|value| value.range.least < value.range.greatest) {
            state.given = given.iter().map(|value| value.range).collect();
        }
        (state.none, state.is_alone) = (Some(none), true);
        let (run, state) = self.go(state, max_steps, watch);
        if let Some(needed) = state.needed {
            return Err(Undetermined::Value(run.stopped_before, needed));
        }
        match run.outcome {
            Outcome::Returned | Outcome::Error | Outcome::AssumeFailed | Outcome::Undefined(_) | Outcome::Steps => Ok(run),
            outcome => Err(Undetermined::End(outcome)),
        }
    }
}

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
        let none = self.none.as_ref().filter(|none| !self.given.is_empty() && value < *none)?;
        let number = (none - value).to_i64().and_then(|number| usize::try_from(number - 1).ok())?;
        (number < self.given.len()).then_some(number)
    }

    /// The given value that an expression is, where it is one. It is not evaluated yet.
    pub(super) fn given_operand(&mut self, e: &Expr) -> Option<GivenOperand> {
        if self.given.is_empty() {
            return None;
        }
        let plain = |number: usize, is_draw: bool| GivenOperand { number, added: Int::ZERO, is_draw };
        match e {
            Expr::Var(variable) => self.given_number(&self.variables[variable.0 as usize]).map(|number| plain(number, false)),
            Expr::Read(array, index) => {
                let needed = self.needed.take();
                let index = self.eval(index);
                self.needed = needed;
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
                let given = self.given[operand.number];
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
        self.needed = None;
        self.none.as_ref().map(|none| none - &Int::from(operand.number + 1))
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
        let given = self.given[operand.number];
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
