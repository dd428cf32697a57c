//! Recorded runs: what a run draws, in its order, and which elements of arrays it reads and writes.
//!
//! A test that is written down in another language needs both: what is drawn becomes what stubs give back, and an array of unknown length
//! needs as many elements as the run looks at.

use super::cells::Cells;
use super::code::{CodeExpr, CodeWords};
use super::recorded::{Drawn, Record, RecordedDraw};
use super::stdin::InputText;
use super::{Input, Machine, Run, RunState, Watch};
use crate::logic::Int;
use crate::lts::{ArrayId, Expr};

/// What decides how a run goes on from a location, but for the location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    variables: Vec<Int>,
    arrays: Vec<Cells>,
    /// How many of the input's values are left, and where in the text on standard input the run is.
    left: usize,
    read: usize,
    /// Whether the run is inside of a call that goes deeper than the copies of its function: nothing is like that.
    is_inside: bool,
}

impl RunState<'_> {
    /// What decides how the run goes on.
    pub fn snapshot(&self) -> Snapshot {
        let (left, read) = self.position();
        Snapshot { variables: self.variables.clone(), arrays: self.arrays.clone(), left, read, is_inside: !self.open.is_empty() }
    }

    /// Whether the run goes on from here as it would from a state of this snapshot.
    pub fn is_like(&self, earlier: &Snapshot) -> bool {
        let is_there = !earlier.is_inside && self.open.is_empty() && self.position() == (earlier.left, earlier.read);
        is_there && self.variables == earlier.variables && self.arrays == earlier.arrays
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
        // Most values are words, and what they read stays where it is.
        let (mut nondet_used, mut stack) = (self.nondet_used, Vec::new());
        let words = CodeWords {
            variables: &self.variables,
            arrays: &self.arrays,
            nondet: self.nondet,
            nondet_used: &mut nondet_used,
            stack: &mut stack,
        };
        if let Some(word) = CodeExpr::new(self.lts, expr).word(words) {
            return Some(Int::from(word));
        }
        let mut copy = RunState { record: None, ..self.clone() };
        copy.eval(expr).ok()
    }

    pub(super) fn note(&mut self, number: Option<usize>, drawn: impl FnOnce() -> Drawn) {
        if let Some(record) = &mut self.record {
            record.draws.push(RecordedDraw { number, drawn: drawn() });
        }
    }

    pub(super) fn reads(&mut self, array: ArrayId, index: &Int) {
        if let Some(record) = &mut self.record {
            record.reads(array, index);
        }
    }

    pub(super) fn writes(&mut self, array: ArrayId, index: &Int) {
        if let Some(record) = &mut self.record {
            record.writes(array, index);
        }
    }

    pub(super) fn is_given(&mut self, array: ArrayId) {
        if let Some(record) = &mut self.record {
            record.is_given(array);
        }
    }

    pub(super) fn writes_all(&mut self, array: ArrayId, last: Option<&Int>) {
        if let Some(record) = &mut self.record {
            record.writes_all(array, last);
        }
    }
}

impl Machine<'_> {
    /// As [`Machine::finish`], recorded. Takes several times as long.
    pub fn record<'s>(&'s self, input: &'s Input, max_steps: u64, watch: &mut dyn Watch) -> (Run, RunState<'s>) {
        let mut state = self.initial(input);
        state.record = Some(Box::new(Record::new(self.lts.arrays.len())));
        self.go(state, max_steps, watch)
    }
}
