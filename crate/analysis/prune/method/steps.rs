//! What happens while the red–black graph is built.

use super::configuration::VertexId;
use crate::logic::{FormulaId, Pool};
use crate::lts::{EdgeId, LocationId};

/// An event of the construction; `vertex` numbers follow the order of birth, and none comes twice.
#[derive(Clone, Debug)]
pub enum Happened<'a> {
    Added {
        vertex: VertexId,
        location: LocationId,
        index: u32,
        parent: Option<(VertexId, EdgeId)>,
    },
    Unsatisfiable {
        vertex: VertexId,
    },
    Subsumed {
        vertex: VertexId,
        by: VertexId,
    },
    /// The abstraction took these conjuncts from the vertex' set and left those, both over the program variables.
    Abstracted {
        vertex: VertexId,
        for_vertex: VertexId,
        forgotten: &'a [FormulaId],
        kept: &'a [FormulaId],
    },
    Propagated {
        from: VertexId,
        to: &'a [VertexId],
    },
    Unmarked {
        vertex: VertexId,
    },
    /// The path to the exit is infeasible; the vertex' abstraction let it through; the condition joins its `Φ`.
    Refined {
        vertex: VertexId,
        condition: FormulaId,
        path: &'a [VertexId],
    },
    Destroyed {
        below: VertexId,
        vertices: &'a [VertexId],
    },
    Restarted {
        vertex: VertexId,
    },
    /// The construction did not end within its share of the steps, or another is smaller. It begins anew at the root, comparing so many
    /// edges ahead, with restarts or without, unfolding down to this depth.
    Anew {
        lookahead: u32,
        restarts: bool,
        max_red_length: Option<u32>,
        smaller: bool,
    },
    /// Not unfolded: the greatest red length, or the limit.
    Halted {
        vertex: VertexId,
    },
}

/// A step of the method: a change of the red–black graph, in the terms of this pool.
pub struct GraphChange<'h, 'a> {
    pub happened: &'h Happened<'a>,
    pub pool: &'h Pool,
}
