//! What happens while the red–black graph is built, in the engine's terms and for the page.

use super::configuration::VertexId;
use super::document::PruneStep;
use crate::logic::{FormulaId, Pool};
use crate::lts::{EdgeId, LocationId};
use crate::symex::written;

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

/// A change of the red–black graph for the documents.
pub(super) fn written_step(happened: &Happened, pool: &Pool) -> PruneStep {
    let texts = |formulas: &[FormulaId]| formulas.iter().map(|&formula| written(pool, formula)).collect();
    match *happened {
        Happened::Added { vertex, location, index, parent } => PruneStep::Added {
            vertex,
            location: location.index() as u32,
            index,
            parent: parent.map(|(parent, _)| parent),
            edge: parent.map(|(_, edge)| edge.index() as u32),
        },
        Happened::Unsatisfiable { vertex } => PruneStep::Unsatisfiable { vertex },
        Happened::Subsumed { vertex, by } => PruneStep::Subsumed { vertex, by },
        Happened::Abstracted { vertex, for_vertex, forgotten, kept } => {
            PruneStep::Abstracted { vertex, subsumee: for_vertex, forgotten: texts(forgotten), kept: texts(kept) }
        }
        Happened::Propagated { from, to } => PruneStep::Propagated { vertex: from, vertices: to.to_vec() },
        Happened::Unmarked { vertex } => PruneStep::Unmarked { vertex },
        Happened::Refined { vertex, condition, path } => {
            PruneStep::Refined { vertex, condition: written(pool, condition), path: path.to_vec() }
        }
        Happened::Destroyed { below, vertices } => PruneStep::Destroyed { vertex: below, vertices: vertices.to_vec() },
        Happened::Restarted { vertex } => PruneStep::Restarted { vertex },
        Happened::Anew { lookahead, restarts, max_red_length, smaller } => PruneStep::Anew { lookahead, restarts, max_red_length, smaller },
        Happened::Halted { vertex } => PruneStep::Halted { vertex },
    }
}
