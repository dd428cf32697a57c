//! The preconditions of a target whose frontier is gone, as an invariant.

use super::observer::ModelChange;
use super::{Bidirectional, EdgeKnowledge, add};
use crate::evidence::graph::Pruned;
use crate::invariants::{Proved, certified};
use crate::logic::{Arrange, Pool, SortedSet};
use crate::lts::{EdgeId, LocationId};
use crate::solver::meter::{Exhausted, Meter};
use crate::states::Ask;
use petgraph::Direction;
use petgraph::visit::EdgeRef;

impl Bidirectional<'_, '_, '_> {
    /// 3. for every target: what one rests on may have been settled after its last step.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn prove_all(&mut self, meter: &mut Meter) -> Result<(), Exhausted> {
        let mut targets: Vec<EdgeId> = self.model.targets.keys().copied().collect();
        targets.arrange();
        for target in targets {
            if self.model.targets.contains_key(&target) {
                self.prove(target, meter)?;
            }
        }
        Ok(())
    }

    /// 3.: makes the preconditions of a target an invariant, if its frontier is gone; gives whether the check believes it.
    pub(super) fn prove(&mut self, target: EdgeId, meter: &mut Meter) -> Result<bool, Exhausted> {
        let Some(states) = self.model.proof(target, |location| self.leading_to(location)) else { return Ok(false) };
        let (mut formulas, mut cut) = (self.invariants.clone(), Vec::new());
        for &state in &states {
            let target = &self.model.target_states[state];
            match target.way {
                None => cut.push(target.target),
                Some(_) => formulas[target.location.index()].push(self.along.walk.pool_mut().not(target.condition)),
            }
        }
        // What lies after targets only is not reached either, as far as that can be shown.
        for (location, formulas) in formulas.iter_mut().enumerate() {
            if self.model.reached_at[location].is_empty() {
                formulas.push(Pool::FALSE);
            }
        }
        cut.arrange();
        let graph = Pruned::of_locations(self.lts, formulas, &cut);
        let trace = self.trace;
        let mut ask = Ask { meter, log: trace };
        let Some((graph, certificates)) = certified(self.lts, self.along.walk.pool_mut(), graph, &mut ask)? else { return Ok(false) };
        for (node, formulas) in graph.nodes.iter().zip(&graph.invariants) {
            add(&mut self.invariants[node.location().index()], formulas);
        }
        self.tell(&ModelChange::Proved { target, states: &states });
        let proved = Proved { pool: std::mem::take(self.along.walk.pool_mut()), graph, certificates };
        let new = self.excluded(&proved);
        *self.along.walk.pool_mut() = proved.pool;
        Ok(new > 0)
    }

    /// The targets that lead to a location which no run has reached.
    fn leading_to(&self, location: LocationId) -> Vec<EdgeId> {
        let (mut seen, mut waiting, mut found) = (SortedSet::from([location]), vec![location], SortedSet::new());
        while let Some(location) = waiting.pop() {
            for edge in self.lts.graph.edges_directed(location, Direction::Incoming) {
                let (edge, from) = (edge.id(), edge.source());
                if self.edges[edge.index()] == EdgeKnowledge::Excluded {
                    continue;
                }
                if !self.model.reached_at[from.index()].is_empty() {
                    found.insert(edge);
                } else if seen.insert(from) {
                    waiting.push(from);
                }
            }
        }
        found.into_iter().collect()
    }
}
