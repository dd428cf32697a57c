//! What is recorded of a run, as data.

use super::ArrayInput;
use crate::logic::Int;
use crate::lts::{ArrayId, InputSource, VariableId};

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
