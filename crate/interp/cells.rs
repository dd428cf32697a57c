//! The contents of one array during a run.
//!
//! Invariant: elements with an index in `0..DENSE` stand in `dense` once written (or have the default value), all
//! others in `sparse`. Small arrays are thus plain vectors, and an array without a known length may still be written
//! at any index.

use super::ArrayInput;
use crate::logic::{Int, gathered};
use rustc_hash::FxHashMap;

/// Indices below this stand in a vector.
const DENSE: usize = 4096;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cells {
    dense: Vec<Int>,
    /// Looked up by index only, so its order cannot show.
    sparse: FxHashMap<Int, Int>,
    default: Int,
}

impl Cells {
    /// These elements, then zeros.
    pub fn filled(first: &[Int]) -> Cells {
        let mut cells = Cells::default();
        for (index, value) in first.iter().enumerate() {
            cells.write(&Int::from(index), value.clone());
        }
        cells
    }

    /// An input's contents.
    pub fn given(contents: &ArrayInput) -> Cells {
        let mut cells = Cells { default: contents.default.clone(), ..Cells::default() };
        for (index, value) in &contents.elements {
            cells.write(index, value.clone());
        }
        cells
    }

    /// The inverse of [`Cells::given`]: all elements that differ from the default.
    pub fn held(&self) -> ArrayInput {
        let dense = self.dense.iter().enumerate().map(|(index, value)| (Int::from(index), value.clone()));
        let sparse = self.sparse.iter().map(|(index, value)| (index.clone(), value.clone()));
        let elements = gathered(dense.chain(sparse).filter(|(_, value)| *value != self.default));
        ArrayInput { elements, default: self.default.clone() }
    }

    pub fn read(&self, index: &Int) -> Int {
        let element = match slot(index) {
            Some(slot) => self.dense.get(slot),
            None => self.sparse.get(index),
        };
        element.unwrap_or(&self.default).clone()
    }

    /// The element where it is a word.
    #[inline]
    pub fn word(&self, index: i64) -> Option<i64> {
        match usize::try_from(index) {
            Ok(slot) if slot < DENSE => self.dense.get(slot).unwrap_or(&self.default).to_i64(),
            _ => self.read(&Int::from(index)).to_i64(),
        }
    }

    pub fn write(&mut self, index: &Int, value: Int) {
        match slot(index) {
            Some(slot) => {
                if slot >= self.dense.len() {
                    self.dense.resize(slot + 1, self.default.clone());
                }
                self.dense[slot] = value;
            }
            None => {
                self.sparse.insert(index.clone(), value);
            }
        }
    }
}

/// The position in the vector of an index that has one.
fn slot(index: &Int) -> Option<usize> {
    index.to_i64().and_then(|index| usize::try_from(index).ok()).filter(|&index| index < DENSE)
}
