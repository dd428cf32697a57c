//! Recorded runs: what a run draws, in its order, and which elements of arrays it reads and writes.
//!
//! A test that is written down in another language needs both: what is drawn becomes what stubs give back, and an array of unknown length
//! needs as many elements as the run looks at.

use super::cells::Cells;
use super::stdin::InputText;
use super::{ArrayInput, Input, Machine, Run, RunState, Watch};
use crate::logic::Int;
use crate::lts::{ArrayId, Expr, InputSource, VariableId};

/// A value that a run draws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedDraw {
    /// Its number in the input's `nondet`; none where it is read from standard input.
    pub number: Option<usize>,
    pub drawn: Drawn,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// A value in an expression.
    Value(InputSource, Int),
    /// A new value of a scalar, and its value before.
    Scalar { variable: VariableId, before: Int, after: Int },
    /// New contents of an array, and those before.
    Contents { array: ArrayId, before: ArrayInput, after: ArrayInput },
}

/// What is recorded of a run.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// In the order of the run.
    pub draws: Vec<RecordedDraw>,
    /// For each array the least and the greatest index of an element that the run reads or writes; none where there is no such element.
    pub touched: Vec<Option<(Int, Int)>>,
}

impl Record {
    pub(super) fn new(arrays: usize) -> Record {
        Record { draws: Vec::new(), touched: vec![None; arrays] }
    }

    /// Notes that the run reads or writes this element.
    pub(super) fn touch(&mut self, array: ArrayId, index: &Int) {
        let range = &mut self.touched[array.0 as usize];
        *range = Some(match range.take() {
            None => (index.clone(), index.clone()),
            Some((least, greatest)) => (least.min(index.clone()), greatest.max(index.clone())),
        });
    }
}

/// What decides how a run goes on from a location, but for the location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    variables: Vec<Int>,
    arrays: Vec<Cells>,
    /// How many of the input's values are left, and where in the text on standard input the run is.
    left: usize,
    read: usize,
}

impl RunState<'_> {
    /// What decides how the run goes on.
    pub fn snapshot(&self) -> Snapshot {
        let (left, read) = self.position();
        Snapshot { variables: self.variables.clone(), arrays: self.arrays.clone(), left, read }
    }

    /// Whether the run goes on from here as it would from a state of this snapshot.
    pub fn is_like(&self, earlier: &Snapshot) -> bool {
        self.position() == (earlier.left, earlier.read) && self.variables == earlier.variables && self.arrays == earlier.arrays
    }

    fn position(&self) -> (usize, usize) {
        let read = if let Some(InputText::Given(given)) = &self.text { given.position() } else { 0 };
        (self.nondet.len().saturating_sub(self.nondet_used), read)
    }

    /// What is recorded so far; nothing where the run is not recorded.
    pub fn record(&self) -> Option<&Record> {
        self.record.as_deref()
    }

    /// The value of an expression that draws nothing; none where it is undefined.
    pub fn value_of(&self, expr: &Expr) -> Option<Int> {
        let mut copy = RunState { record: None, ..self.clone() };
        copy.eval(expr).ok()
    }

    pub(super) fn note(&mut self, number: Option<usize>, drawn: impl FnOnce() -> Drawn) {
        if let Some(record) = &mut self.record {
            record.draws.push(RecordedDraw { number, drawn: drawn() });
        }
    }

    pub(super) fn touch(&mut self, array: ArrayId, index: &Int) {
        if let Some(record) = &mut self.record {
            record.touch(array, index);
        }
    }
}

impl Machine<'_> {
    /// As [`Machine::finish`], recorded. Takes several times as long.
    pub fn record<'s>(&'s self, input: &'s Input, max_steps: u64, watch: &mut impl Watch) -> (Run, RunState<'s>) {
        let mut state = self.initial(input);
        state.record = Some(Box::new(Record::new(self.lts.arrays.len())));
        self.go(state, max_steps, watch)
    }
}
