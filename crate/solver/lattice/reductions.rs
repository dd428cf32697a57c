//! The reduced bases that a solver keeps.

use super::super::simplex::ColumnId;
use crate::logic::{AtomId, Int, Linear};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The reduced bases of the systems of rows met so far.
#[derive(Clone, Debug, Default)]
pub struct Reductions {
    pub(super) of_rows: FxHashMap<Vec<ColumnId>, Rc<Reduced>>,
    /// The columns that are there for splits only.
    pub directions: FxHashSet<ColumnId>,
    /// Whether this check began anew with a reduced basis, and how often it has split since.
    pub(super) splits: Option<u32>,
    /// Whether the bounds gave each atom of the basis used last a finite range.
    pub is_finite: bool,
}

impl Reductions {
    /// A new check begins.
    pub fn begin(&mut self) {
        self.splits = None;
    }
}

/// `x = U z`.
#[derive(Debug)]
pub struct Reduced {
    pub atoms: Vec<AtomId>,
    /// The columns of `U`.
    pub columns: Vec<Vec<Int>>,
    /// The rows of its inverse, the widest direction first.
    pub forms: Vec<Linear>,
    pub is_finite: bool,
}
