//! What is recorded of a run, as data.

use super::ArrayInput;
use crate::logic::{Int, SortedSet};
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
    /// For each array whether the run reads an element that it has not written before.
    pub reads_first: Vec<bool>,
    /// For each array the elements that the run has written one by one; none where it has written them all.
    written: Vec<Option<SortedSet<Int>>>,
}

impl Record {
    pub(super) fn new(arrays: usize) -> Record {
        let written = vec![Some(SortedSet::new()); arrays];
        Record { draws: Vec::new(), touched: vec![None; arrays], reads_first: vec![false; arrays], written }
    }

    /// Notes that the run reads this element.
    pub(super) fn reads(&mut self, array: ArrayId, index: &Int) {
        self.touch(array, index);
        let at = array.0 as usize;
        self.reads_first[at] |= self.written[at].as_ref().is_some_and(|written| !written.contains(index));
    }

    /// Notes that the run writes this element.
    pub(super) fn writes(&mut self, array: ArrayId, index: &Int) {
        self.touch(array, index);
        if let Some(written) = &mut self.written[array.0 as usize] {
            written.insert(index.clone());
        }
    }

    /// Notes that the run writes all elements of the array; the elements up to this index matter.
    pub(super) fn writes_all(&mut self, array: ArrayId, last: Option<&Int>) {
        self.written[array.0 as usize] = None;
        if let Some(last) = last {
            self.touch(array, &Int::ZERO);
            self.touch(array, last);
        }
    }

    /// Notes that the array has new contents from outside.
    pub(super) fn is_given(&mut self, array: ArrayId) {
        self.written[array.0 as usize] = Some(SortedSet::new());
    }

    fn touch(&mut self, array: ArrayId, index: &Int) {
        let range = &mut self.touched[array.0 as usize];
        *range = Some(match range.take() {
            None => (index.clone(), index.clone()),
            Some((least, greatest)) => (least.min(index.clone()), greatest.max(index.clone())),
        });
    }
}
