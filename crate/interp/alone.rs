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
use super::{ArrayInput, Input, Machine, Outcome, Run, Watch};
use crate::logic::{Int, IntRange};
use crate::lts::{ArrayId, EdgeId, VariableId};
use std::fmt;

/// A value that a run without an input is given: any of a range.
#[derive(Clone, Debug)]
pub struct GivenRange {
    /// The variable that has it at the entry; none for the next draw.
    pub variable: Option<VariableId>,
    pub range: IntRange,
}

impl GivenRange {
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

/// What a run knows of values that are missing.
#[derive(Clone, Debug, Default)]
pub(super) struct MissingValues {
    /// Where objects may have no value: the number that stands for it, and the value that an evaluation has needed in vain.
    pub none: Option<Int>,
    pub needed: Option<NeededValue>,
    /// Whether it is a run without an input. The last of its draws is no value.
    pub is_alone: bool,
    /// The ranges of its given values, where one has several values.
    pub ranges: Vec<IntRange>,
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

/// Numbers that stand for given values have more binary digits.
pub(super) const GIVEN_BITS: u64 = 120;

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
    pub fn alone(&self, given: &[GivenRange], max_steps: u64, watch: &mut dyn Watch) -> Result<Run, Undetermined> {
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
            // A first value of the program could be taken for a given one.
            let own = self.lts.variables.iter().filter_map(|variable| variable.initial.as_ref());
            let mut own = own.chain(self.lts.arrays.iter().flat_map(|array| array.initial.iter().flatten()));
            if own.any(|value| value.bits() > GIVEN_BITS) {
                return Err(Undetermined::End(Outcome::TooLarge));
            }
            state.missing.ranges = given.iter().map(|value| value.range).collect();
        }
        (state.missing.none, state.missing.is_alone) = (Some(none), true);
        let (run, state) = self.go(state, max_steps, watch);
        if let Some(needed) = state.missing.needed {
            return Err(Undetermined::Value(run.stopped_before, needed));
        }
        match run.outcome {
            Outcome::Returned | Outcome::Error | Outcome::AssumeFailed | Outcome::Undefined(_) | Outcome::Steps => Ok(run),
            outcome => Err(Undetermined::End(outcome)),
        }
    }
}
