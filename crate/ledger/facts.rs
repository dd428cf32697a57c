//! Facts about the edges of one graph: what engines tell each other, so that none searches for what another has settled.

use crate::interp::Input;
use crate::logic::{SortedMap, SortedSet};
use crate::lts::EdgeId;
use crate::lts::assume::Assumptions;
use crate::lts::sides::Side;
use crate::view::Call;

/// A replayed run.
#[derive(Clone, Debug)]
pub struct FactRun {
    pub input: Input,
    /// The edges that it takes, each at least once; of a long run those up to the last one that no other run takes.
    pub path: Vec<EdgeId>,
    /// The calls before that leave the statics that the input has.
    pub after: Vec<Call>,
}

/// What engines have settled of the edges of a graph.
#[derive(Clone, Debug, Default)]
pub struct EdgeFacts {
    pub runs: Vec<FactRun>,
    /// The edges that no execution takes, with the assumptions that the claims need: each of them is made.
    pub excluded: SortedMap<EdgeId, Assumptions>,
}

impl EdgeFacts {
    /// Adds other facts: runs that take an edge which no run took, and excluded edges.
    pub fn add(&mut self, other: EdgeFacts) {
        let mut taken = self.taken();
        for run in other.runs {
            if run.path.iter().any(|edge| !taken.contains(edge)) {
                taken.extend(run.path.iter().copied());
                self.runs.push(run);
            }
        }
        for (edge, assumed) in other.excluded {
            self.excluded.entry(edge).or_insert(assumed);
        }
    }

    /// The edges that runs take.
    pub fn taken(&self) -> SortedSet<EdgeId> {
        self.runs.iter().flat_map(|run| run.path.iter().copied()).collect()
    }

    /// The edges that are settled.
    pub fn edges(&self) -> SortedSet<EdgeId> {
        let mut edges = self.taken();
        edges.extend(self.excluded.keys().copied());
        edges
    }

    /// Whether each of these branches is taken by a run or excluded in all copies.
    pub fn settle(&self, sides: &[Side]) -> bool {
        self.open_edges(sides).is_empty()
    }

    /// The edges of those branches that no run takes and that are not excluded in all copies.
    pub fn open_edges(&self, sides: &[Side]) -> SortedSet<EdgeId> {
        let taken = self.taken();
        let is_settled = |side: &&Side| {
            side.edges.iter().any(|edge| taken.contains(edge)) || side.edges.iter().all(|edge| self.excluded.contains_key(edge))
        };
        sides.iter().filter(|side| !is_settled(side)).flat_map(|side| side.edges.iter().copied()).collect()
    }
}
