//! Concrete execution of an LTS with unbounded integers: the judge of every claimed input.
//!
//! A run starts at the entry with the input's values and follows edges until one of the [`Outcome`]s. At a decision
//! the condition is evaluated once (its `nondet()` calls consumed once, from left to right) and the edge whose side
//! holds is taken; a lone `Assume` edge (an `assume`) stops the run where it does not hold. Division rounds towards
//! zero. A division by zero and an index outside a *known* length are undefined; the run stops before that edge.
//!
//! What the input leaves out is zero: scalars, elements, and `nondet()` values past the end.
//!
//! The interpreter is trusted (and tested against a C compiler): it shares no code with the solver or with symbolic
//! execution. It never panics on an LTS that keeps its invariants: steps are limited, and so is the size of numbers,
//! since repeated squaring would otherwise fill any memory within a few steps.

mod cells;
mod eval;

use crate::logic::Int;
use crate::lts::{ArrayId, EdgeId, Expr, Label, LocationId, Lts};
use cells::Cells;
use eval::{State, Stop};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

/// Sums and products with more binary digits than this stop a run ([`Outcome::TooLarge`]): some 20,000 decimal ones.
pub const MAX_BITS: u64 = 1 << 16;

/// What a run starts from: values of inputs by name. Names left out are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Scalars: parameters, globals and uninitialised locals.
    pub values: BTreeMap<String, Int>,
    pub arrays: BTreeMap<String, ArrayInput>,
    /// What `nondet()` gives back, call by call.
    pub nondet: Vec<Int>,
}

/// The contents of an array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayInput {
    /// Index to value.
    pub elements: BTreeMap<Int, Int>,
    /// The value everywhere else.
    pub default: Int,
}

/// Why an input does not fit a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputError {
    /// The function has no variable or array of this name.
    Unknown(String),
    /// The variable starts with a value that the program sets.
    Initialised(String),
    /// A value is given for an array.
    NotScalar(String),
    /// Elements are given for a scalar.
    NotArray(String),
    /// The array has no element with this index.
    NoElement { array: String, index: Int, length: Int },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Unknown(name) => write!(f, "the function has no input `{name}`"),
            InputError::Initialised(name) => write!(f, "`{name}` is not an input: the program sets its first value"),
            InputError::NotScalar(name) => write!(f, "`{name}` is an array: give its elements, e.g. {{\"0\": 3, \"default\": 0}}"),
            InputError::NotArray(name) => write!(f, "`{name}` is not an array: give one integer"),
            InputError::NoElement { array, index, length } => {
                write!(f, "`{array}` has {length} elements, so there is none at index {index}")
            }
        }
    }
}
impl std::error::Error for InputError {}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// At the exit: the path is complete.
    Returned,
    /// At the error location: a failed `assert`, `abort()` or an error call.
    Error,
    /// Before an `assume` that does not hold.
    AssumeFailed,
    /// Before an edge without a defined meaning.
    Undefined(Undefined),
    /// The step limit was reached.
    Steps,
    /// A sum or product exceeded [`MAX_BITS`].
    TooLarge,
}

/// What C leaves undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undefined {
    DivisionByZero,
    /// `index` is below zero or not below the array's known length.
    OutOfBounds {
        array: ArrayId,
        index: Int,
        length: Int,
    },
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: Outcome,
    /// What the function returned, if it returned a value.
    pub value: Option<Int>,
    /// The edges taken, in order. Its length is the number of steps.
    pub edges: Vec<EdgeId>,
    /// Where the run ended.
    pub location: LocationId,
    /// For `AssumeFailed`, `Undefined` and `TooLarge`: the edge that was not taken (for a decision its first side).
    pub stopped_before: Option<EdgeId>,
    /// How many values `nondet()` gave back, given or not.
    pub nondet_used: usize,
    /// The last value of each scalar, by its number.
    pub variables: Vec<Int>,
}

/// How a replay departed from its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayMismatch {
    /// At this index of the path the run took another edge.
    Other { index: usize, taken: EdgeId },
    /// Before this index of the path the run ended.
    Ended { index: usize, outcome: Outcome },
}

/// For people, who count steps from 1.
impl fmt::Display for ReplayMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayMismatch::Other { index, taken } => write!(f, "step {} takes edge {} instead", index + 1, taken.index()),
            ReplayMismatch::Ended { index, outcome } => write!(f, "the run ends before step {}: {outcome:?}", index + 1),
        }
    }
}
impl std::error::Error for ReplayMismatch {}

/// Checks that every name and index of `input` exists in the function and is an input of it.
///
/// # Errors
/// The first thing that does not fit, scalars first, in alphabetical order.
pub fn check_input(lts: &Lts, input: &Input) -> Result<(), InputError> {
    let variable = |name: &String| lts.variables.iter().find(|variable| variable.name == *name);
    let array = |name: &String| lts.arrays.iter().find(|array| array.name == *name);
    for name in input.values.keys() {
        match (variable(name), array(name)) {
            (Some(variable), _) if variable.initial.is_some() => return Err(InputError::Initialised(name.clone())),
            (Some(_), _) => {}
            (None, Some(_)) => return Err(InputError::NotScalar(name.clone())),
            (None, None) => return Err(InputError::Unknown(name.clone())),
        }
    }
    for (name, contents) in &input.arrays {
        match (array(name), variable(name)) {
            (Some(array), _) if array.initial.is_some() => return Err(InputError::Initialised(name.clone())),
            (Some(array), _) => {
                let Some(length) = &array.length else { continue };
                if let Some(index) = contents.elements.keys().find(|index| index.is_negative() || *index >= length) {
                    return Err(InputError::NoElement { array: name.clone(), index: index.clone(), length: length.clone() });
                }
            }
            (None, Some(_)) => return Err(InputError::NotArray(name.clone())),
            (None, None) => return Err(InputError::Unknown(name.clone())),
        }
    }
    Ok(())
}

/// Runs `lts` on `input` for at most `max_steps` edges. Names that do not fit are ignored: see [`check_input`].
pub fn run(lts: &Lts, input: &Input, max_steps: u64) -> Run {
    Machine::new(lts).run(input, max_steps)
}

/// Whether the run on `input` takes exactly the edges of `path` first, all of them defined. What comes after is free.
///
/// # Errors
/// The first departure.
pub fn replay(lts: &Lts, input: &Input, path: &[EdgeId]) -> Result<(), ReplayMismatch> {
    Machine::new(lts).replay(input, path)
}

/// An LTS prepared for many runs.
pub struct Machine<'a> {
    lts: &'a Lts,
    /// The ways out of each location.
    ways: Vec<Way<'a>>,
}

/// What happens at a location.
enum Way<'a> {
    /// Nothing more: the exit, the error location.
    End,
    /// One edge; an `assume` if its label is `Assume`.
    Edge(Step<'a>),
    /// A decision: the side that holds and the other.
    Decision(&'a Expr, [Step<'a>; 2]),
}

/// An edge to take.
#[derive(Clone, Copy)]
struct Step<'a> {
    edge: EdgeId,
    to: LocationId,
    label: &'a Label,
    returns: Option<&'a Expr>,
}

impl<'a> Machine<'a> {
    /// Looks up every location's edges once.
    pub fn new(lts: &'a Lts) -> Machine<'a> {
        let step = |edge: EdgeId, to| Step { edge, to, label: &lts.graph[edge].label, returns: lts.graph[edge].returns.as_ref() };
        let way = |location| match lts.outgoing(location)[..] {
            [] => Way::End,
            [(edge, to)] => Way::Edge(step(edge, to)),
            [(first, a), (second, b), ..] => match &lts.graph[first].label {
                Label::Assume { condition, holds: true } => Way::Decision(condition, [step(first, a), step(second, b)]),
                Label::Assume { condition, holds: false } => Way::Decision(condition, [step(second, b), step(first, a)]),
                _ => unreachable!("two edges leave a location only at a decision"),
            },
        };
        Machine { lts, ways: lts.graph.node_indices().map(way).collect() }
    }

    /// As the function [`run`].
    pub fn run(&self, input: &Input, max_steps: u64) -> Run {
        let mut edges = Vec::new();
        let mut run = self.follow(input, max_steps, |edge| {
            edges.push(edge);
            ControlFlow::Continue(())
        });
        run.edges = edges;
        run
    }

    /// As the function [`replay`].
    pub fn replay(&self, input: &Input, path: &[EdgeId]) -> Result<(), ReplayMismatch> {
        let mut index = 0;
        let mut other = None;
        let run = self.follow(input, path.len() as u64, |edge| {
            if edge != path[index] {
                other = Some(edge);
                return ControlFlow::Break(());
            }
            index += 1;
            ControlFlow::Continue(())
        });
        match other {
            Some(taken) => Err(ReplayMismatch::Other { index, taken }),
            None if index < path.len() => Err(ReplayMismatch::Ended { index, outcome: run.outcome }),
            None => Ok(()),
        }
    }

    /// Executes at most `max_steps` edges and calls `taken` after each, until the run ends or `taken` breaks (outcome
    /// `Steps`, unless the last edge reached an end anyway). `edges` of the result stays empty.
    pub fn follow(&self, input: &Input, max_steps: u64, mut taken: impl FnMut(EdgeId) -> ControlFlow<()>) -> Run {
        let mut state = self.initial(input);
        let mut at = self.lts.entry;
        let mut value = None;
        let mut left = max_steps;
        let (outcome, stopped_before) = loop {
            if at == self.lts.exit {
                break (Outcome::Returned, None);
            }
            if Some(at) == self.lts.error {
                break (Outcome::Error, None);
            }
            if left == 0 {
                break (Outcome::Steps, None);
            }
            let step = match &self.ways[at.index()] {
                // No such location exists by the model's invariants; a run cannot go on from it.
                Way::End => break (Outcome::Error, None),
                Way::Edge(step) => *step,
                Way::Decision(condition, [holds, fails]) => match state.eval(condition) {
                    Ok(value) => *if value.is_zero() { fails } else { holds },
                    Err(stop) => break (stop.into(), Some(holds.edge.min(fails.edge))),
                },
            };
            let decided = matches!(self.ways[at.index()], Way::Decision(..));
            match state.take(step, decided) {
                Ok(returned) => value = returned,
                Err(stop) => break (stop.into(), Some(step.edge)),
            }
            at = step.to;
            left = if taken(step.edge).is_break() { 0 } else { left - 1 };
        };
        // A function without any edge returns from the entry.
        let outcome = match &self.lts.entry_returns {
            Some(returns) if outcome == Outcome::Returned && self.lts.entry == self.lts.exit => match state.eval(returns) {
                Ok(returned) => {
                    value = Some(returned);
                    outcome
                }
                Err(stop) => stop.into(),
            },
            _ => outcome,
        };
        let returned = if outcome == Outcome::Returned { value } else { None };
        let State { variables, nondet_used, .. } = state;
        Run { outcome, value: returned, edges: Vec::new(), location: at, stopped_before, nondet_used, variables }
    }

    fn initial<'i>(&self, input: &'i Input) -> State<'a, 'i> {
        let variables = (self.lts.variables.iter())
            .map(|variable| variable.initial.as_ref().or_else(|| input.values.get(&variable.name)).cloned().unwrap_or_default())
            .collect();
        let arrays = (self.lts.arrays.iter())
            .map(|array| match (&array.initial, input.arrays.get(&array.name)) {
                (Some(first), _) => Cells::filled(first),
                (None, Some(contents)) => Cells::given(contents),
                (None, None) => Cells::default(),
            })
            .collect();
        State { lts: self.lts, variables, arrays, nondet: &input.nondet, nondet_used: 0 }
    }
}

impl From<Stop> for Outcome {
    fn from(stop: Stop) -> Outcome {
        match stop {
            Stop::Assume => Outcome::AssumeFailed,
            Stop::Undefined(reason) => Outcome::Undefined(*reason),
            Stop::TooLarge => Outcome::TooLarge,
        }
    }
}

#[cfg(test)]
mod tests;
