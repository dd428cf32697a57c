//! Functions that call themselves: what graphs exclude that get to a call which lowering did not inline.
//!
//! Such a graph says nothing of what the function executes after that call, so alone it is no evidence. Where another graph shows that no
//! execution makes the call, the product of all graphs has every execution, and excludes what each of them excludes.

use super::Bidirectional;
use crate::evidence::graph::Pruned;
use crate::evidence::graph::written::{PrunedGraph, read_graph, write_graph};
use crate::invariants::product::product;
use crate::invariants::{Proved, certified};
use crate::lts::{EdgeId, Lts};
use crate::solver::meter::{Exhausted, Meter};
use crate::states::{Ask, States};

/// Graphs of a function that calls itself, and what they exclude without a claim.
#[derive(Debug, Default)]
pub struct Deep {
    graphs: Vec<PrunedGraph>,
    /// Edges that no execution takes that goes no deeper than calls were inlined.
    pub unclaimed: Vec<EdgeId>,
}

impl Deep {
    /// Keeps a graph, if it may be needed; `waiting` are the edges that it excludes and of which there is no claim.
    pub(super) fn keep(&mut self, lts: &Lts, proved: &Proved, waiting: &[EdgeId]) {
        if lts.cut.is_some() {
            self.graphs.push(write_graph(&proved.pool, &proved.graph));
            self.unclaimed.extend(waiting);
        }
    }
}

impl Bidirectional<'_, '_, '_> {
    /// Claims what the product of all graphs excludes, if no path of it gets to a call that lowering did not inline.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn close(&mut self, meter: &mut Meter) -> Result<(), Exhausted> {
        if self.deep.unclaimed.is_empty() {
            return Ok(());
        }
        let (lts, trace) = (self.lts, self.trace);
        let mut ask = Ask { meter, log: trace };
        let mut states = States::new(lts);
        let mut whole: Option<Pruned> = None;
        for written in &self.deep.graphs {
            let Ok(graph) = read_graph(&mut states.pool, written, lts.exit) else { continue };
            whole = match whole {
                None => Some(graph),
                Some(before) => product(&mut states, &before, &graph, &mut ask)?.or(Some(before)),
            };
        }
        let Some(whole) = whole else { return Ok(()) };
        let Some((graph, certificates)) = certified(lts, &mut states.pool, whole, &mut ask)? else { return Ok(()) };
        let proved = Proved { pool: states.pool, graph, certificates };
        if proved.gets_to_cut(lts) {
            return Ok(());
        }
        let excluded = proved.excluded(lts);
        let claimed: Vec<EdgeId> = self.deep.unclaimed.iter().copied().filter(|edge| excluded.contains(edge)).collect();
        trace.needs();
        if !claimed.is_empty() && proved.emit("branches", (&claimed, true), trace).is_ok() {
            self.needs.push((claimed, trace.needs()));
            self.deep.unclaimed.retain(|edge| !excluded.contains(edge));
        }
        Ok(())
    }
}
