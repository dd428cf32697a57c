//! Which frontier edge comes next (BDP16, Section 3.2).

use super::model::Model;
use crate::lts::EdgeId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// An order of frontier edges.
pub trait FrontierOrder {
    /// A gap may be a frontier edge now.
    fn offer(&mut self, model: &Model, gap: usize);

    /// The next frontier edge; `None` if none was offered that still is one.
    fn next(&mut self, model: &Model) -> Option<usize>;
}

/// In the order of their discovery, as in the paper.
#[derive(Default)]
pub struct Discovery {
    waiting: VecDeque<usize>,
    offered: FxHashSet<usize>,
}

impl FrontierOrder for Discovery {
    fn offer(&mut self, model: &Model, gap: usize) {
        if model.is_frontier(gap) && self.offered.insert(gap) {
            self.waiting.push_back(gap);
        }
    }

    fn next(&mut self, model: &Model) -> Option<usize> {
        while let Some(gap) = self.waiting.pop_front() {
            self.offered.remove(&gap);
            if model.is_frontier(gap) {
                return Some(gap);
            }
        }
        None
    }
}

/// The target with the fewest turns first, so that a hard one stops no other; then what is nearest to it.
#[derive(Default)]
pub struct Fair {
    waiting: BinaryHeap<(Reverse<u32>, Reverse<u32>, Reverse<usize>)>,
    offered: FxHashSet<usize>,
    turns: FxHashMap<EdgeId, u32>,
}

impl Fair {
    fn key(&self, model: &Model, gap: usize) -> (Reverse<u32>, Reverse<u32>, Reverse<usize>) {
        let state = &model.target_states[model.gaps[gap].to];
        (Reverse(self.turns.get(&state.target).copied().unwrap_or(0)), Reverse(state.depth), Reverse(gap))
    }
}

impl FrontierOrder for Fair {
    fn offer(&mut self, model: &Model, gap: usize) {
        if model.is_frontier(gap) && self.offered.insert(gap) {
            self.waiting.push(self.key(model, gap));
        }
    }

    fn next(&mut self, model: &Model) -> Option<usize> {
        while let Some((turns, _, Reverse(gap))) = self.waiting.pop() {
            if !model.is_frontier(gap) {
                self.offered.remove(&gap);
                continue;
            }
            let key = self.key(model, gap);
            if key.0 != turns {
                self.waiting.push(key);
                continue;
            }
            self.offered.remove(&gap);
            *self.turns.entry(model.target_states[model.gaps[gap].to].target).or_insert(0) += 1;
            return Some(gap);
        }
        None
    }
}
