//! The state along one path, which says each range once.
//!
//! The condition of an edge by itself ([`State::apply`]) says of all that the edge reads that it lies in the range of its type, so that
//! it can stand in any conjunction. In the conjunction of a whole path most of that is there already, and each repetition costs an
//! evaluation under each model. [`Along::apply`] leaves out what earlier edges of the path have said; the conjunction is the same.
//!
//! Where the caller takes no single conditions out of that conjunction ([`Along::simplifying`]), the facts of earlier edges simplify terms
//! too: a sum that cannot leave its type need not be brought back into it.
//!
//! Facts ([`Undo::facts`]) come apart from the condition: they hold in every execution that gets to the edge, so an analysis of which
//! edges contradict each other may count them to none. The bound that signed arithmetic does not overflow stays with the first edge that
//! needs it.

use super::bounds::Interval;
use super::{State, Undo};
use crate::logic::{AtomId, FormulaId, IntRange, Linear, Pool};
use crate::lts::{EdgeId, Lts};
use rustc_hash::FxHashMap;

/// The symbolic state at the end of a path, and what was said along it.
#[derive(Clone, Debug)]
pub struct Along {
    state: State,
    said: StatedRanges,
}

/// An edge that was executed.
#[derive(Clone, Debug)]
pub struct Passage {
    undo: Undo,
    /// How much was said and learned before.
    said: usize,
    learned: usize,
}

impl Passage {
    /// What passing the edge takes beyond what the path before it takes, but for the facts.
    pub fn condition(&self, pool: &mut Pool) -> FormulaId {
        match self.undo.bounds() {
            [] => pool.and(self.undo.decided()),
            bounds => pool.and(&[self.undo.decided(), bounds].concat()),
        }
    }

    /// What holds in every execution that gets to the edge, and no earlier edge has said.
    pub fn facts(&self, pool: &mut Pool) -> FormulaId {
        pool.and(self.undo.facts())
    }

    /// What the edge adds to the path predicate: both.
    pub fn added(&self, pool: &mut Pool) -> FormulaId {
        self.undo.condition(pool)
    }

    /// The condition of the edge by itself: what [`State::apply`] gives. Not for [`Along::simplifying`].
    pub fn whole(&self, pool: &mut Pool) -> FormulaId {
        let Undo { decided, ranges, omitted, .. } = &self.undo;
        let mut parts = [&decided[..], ranges].concat();
        parts.extend(omitted.iter().flat_map(|limits| limits.formulas(pool)));
        pool.and(&parts)
    }
}

/// The values of which it was said that they lie in a range.
#[derive(Clone, Debug, Default)]
pub(super) struct StatedRanges {
    ranges: FxHashMap<Linear, Vec<IntRange>>,
    /// In the order in which it was said.
    order: Vec<Linear>,
    /// Whether later terms are simplified by it.
    pub is_used: bool,
    /// Where atoms lie by the facts; while an edge is executed, that is with its [`super::bounds::TermBounds`].
    pub atoms: FxHashMap<AtomId, Interval>,
    /// What was known of atoms before, in the order in which they were learned of.
    pub learned: Vec<(AtomId, Option<Interval>)>,
}

impl StatedRanges {
    /// Notes that a value lies in a range; gives whether that is new.
    pub fn say(&mut self, value: &Linear, range: &IntRange) -> bool {
        match self.ranges.get_mut(value) {
            Some(ranges) if ranges.contains(range) => return false,
            Some(ranges) => ranges.push(*range),
            None => drop(self.ranges.insert(value.clone(), vec![*range])),
        }
        self.order.push(value.clone());
        true
    }

    fn forget(&mut self, length: usize, learned: usize) {
        for (atom, before) in self.learned.drain(learned..).rev() {
            match before {
                Some(before) => drop(self.atoms.insert(atom, before)),
                None => drop(self.atoms.remove(&atom)),
            }
        }
        for value in self.order.drain(length..).rev() {
            if let Some(ranges) = self.ranges.get_mut(&value) {
                ranges.pop();
                if ranges.is_empty() {
                    self.ranges.remove(&value);
                }
            }
        }
    }
}

impl Along {
    /// The empty path.
    pub fn initial(lts: &Lts, pool: &mut Pool) -> Along {
        Along { state: State::initial(lts, pool), said: StatedRanges::default() }
    }

    /// The empty path; what earlier edges have said simplifies terms along it.
    pub fn simplifying(lts: &Lts, pool: &mut Pool) -> Along {
        let mut along = Along::initial(lts, pool);
        along.said.is_used = true;
        along
    }

    /// The state at the end of the path.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Executes an edge that leaves the end of the path.
    pub fn apply(&mut self, lts: &Lts, pool: &mut Pool, edge: EdgeId) -> Passage {
        let (said, learned) = (self.said.order.len(), self.said.learned.len());
        let undo = self.state.execute(lts, pool, edge, Some(&mut self.said));
        Passage { undo, said, learned }
    }

    /// Takes the last [`Along::apply`] back.
    pub fn undo(&mut self, passage: Passage) {
        self.state.undo(passage.undo);
        self.said.forget(passage.said, passage.learned);
    }
}
