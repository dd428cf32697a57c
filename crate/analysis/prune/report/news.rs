//! The news of `prune`: each change of the red–black graph.

use super::{PruneStep, PruningEvent};
use crate::analysis::prune::method::{GraphChange, Happened};
use crate::logic::{FormulaId, Pool};
use crate::run::trace::MethodStep;
use crate::symex::written;
use crate::view::News;

impl MethodStep for GraphChange<'_, '_> {
    fn news(&self) -> Box<dyn News> {
        Box::new(PruningEvent::Pruning { step: written_step(self.happened, self.pool) })
    }
}

/// A change of the red–black graph for the documents.
fn written_step(happened: &Happened, pool: &Pool) -> PruneStep {
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
