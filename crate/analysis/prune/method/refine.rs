//! Refine and restart: blocks a path to a final location that only abstractions made feasible.

use super::configuration::Configuration;
use super::configuration::VertexId;
use super::red::RedBlack;
use super::{Happened, MethodKind};
use crate::logic::{FormulaId, Mentions, Pool};
use crate::lts::EdgeId;
use crate::solver::Answer;
use crate::solver::interpolate::interpolate;
use crate::solver::meter::Exhausted;
use crate::solver::projection::{Precision, ProjectionGoal, project};
use crate::states::{Ask, SetId};
use crate::symex::is_operator;

/// An abstraction that let an infeasible path through.
struct Fault {
    vertex: VertexId,
    /// How many of the vertex' abstractions, from the oldest on, are sound.
    kept: usize,
    /// The configuration with these alone, and its set.
    before: Configuration,
    set: SetId,
    /// The path from the vertex to where that set is empty.
    edges: Vec<EdgeId>,
}

impl RedBlack<'_, '_, '_> {
    /// 8. to 14.: if the path is infeasible, finds the faulty abstraction, blocks the path, and restarts there.
    pub fn refine(&mut self, path: &[VertexId], ask: &mut Ask) -> Result<(), Exhausted> {
        // 8.
        if !self.ifp(path, ask)? {
            return Ok(());
        }
        #[cfg(test)]
        if self.printed.is_some() {
            return self.refine_as_printed(path, ask);
        }
        // 9.
        let Some(fault) = self.faulty_abs(path, ask)? else { return Ok(()) };
        // 10., 11.
        let condition = self.ifp_cond(fault.set, &fault.edges, ask)?;
        self.emit(Happened::Refined { vertex: fault.vertex, condition, path });
        let location = self.vertex(fault.vertex).location;
        self.vertices[fault.vertex as usize].limit.push(condition);
        self.learned[location.index()].push(condition);
        // 12. to 14.
        let vertex = fault.vertex;
        self.restore(fault);
        self.destroy(vertex);
        self.to_visit.push(vertex);
        self.restarts += 1;
        self.all_restarts += 1;
        self.emit(Happened::Restarted { vertex });
        Ok(())
    }

    /// `ifp`: whether the path is infeasible from the initial configuration. Without abstractions on the path there is nothing to
    /// ask.
    fn ifp(&mut self, path: &[VertexId], ask: &mut Ask) -> Result<bool, Exhausted> {
        if path.iter().all(|&id| self.vertex(id).own.is_empty()) {
            return Ok(false);
        }
        let Some(initial) = self.vertices[path[0] as usize].stack[0].set else { return Ok(false) };
        Ok(self.first_contradiction(initial, path, ask)?.is_some())
    }

    /// `faulty_abs`: goes back from the end of the path to the abstraction without which what follows is infeasible. There is
    /// one: the last vertex from which the rest is infeasible has a successor whose own abstractions made it feasible.
    fn faulty_abs(&mut self, path: &[VertexId], ask: &mut Ask) -> Result<Option<Fault>, Exhausted> {
        for (at, &vertex) in path.iter().enumerate().rev() {
            for kept in (0..self.vertex(vertex).own.len()).rev() {
                let before = self.restored(vertex, kept, ask)?;
                let Some(set) = before.set else { continue };
                if let Some(length) = self.first_contradiction(set, &path[at..], ask)? {
                    let edges = self.edges(&path[at..=at + length]);
                    return Ok(Some(Fault { vertex, kept, before, set, edges }));
                }
            }
        }
        Ok(None)
    }

    /// `restore`: the configuration before the faulty abstraction, and no later one.
    ///
    /// DIVERGENCE: the analysis computes it anew from the parent's top. The paper restores the one that is stacked; where the parent
    /// was abstracted since, its configuration does not imply that one any more, and the graph is not inductive (`refine/tests.rs`).
    fn restore(&mut self, fault: Fault) {
        let vertex = &mut self.vertices[fault.vertex as usize];
        vertex.own.truncate(fault.kept);
        vertex.stack.truncate(fault.kept);
        vertex.stack.push(fault.before);
    }

    /// The configuration of a vertex with its first `kept` abstractions only.
    fn restored(&mut self, vertex: VertexId, kept: usize, ask: &mut Ask) -> Result<Configuration, Exhausted> {
        match self.vertex(vertex).parent {
            Some((parent, edge)) => {
                let before = self.vertex(parent).top().clone();
                self.configuration(vertex, &before, edge, kept, ask)
            }
            None => {
                let mut configuration = self.vertex(vertex).stack[0].clone();
                let location = self.vertex(vertex).location;
                for abstraction in &self.vertices[vertex as usize].own[..kept] {
                    configuration = configuration.abstracted(&mut self.states, location, abstraction, ask)?;
                }
                Ok(configuration)
            }
        }
    }

    fn edges(&self, path: &[VertexId]) -> Vec<EdgeId> {
        path.iter().skip(1).filter_map(|&id| self.vertex(id).parent.map(|(_, edge)| edge)).collect()
    }

    /// The conditions of the edges of a path that starts in the state in which every variable is its own symbol, without what
    /// sets leave out: no abstraction is to blame for that.
    fn conditions(&mut self, edges: &[EdgeId]) -> Vec<FormulaId> {
        let mut state = self.states.identity().clone();
        edges.iter().map(|&edge| self.states.apply(&mut state, edge).told).collect()
    }

    /// The number of edges of a path after which no state of the set at its start is left; `None` if there always is one, or
    /// that is open.
    fn first_contradiction(&mut self, set: SetId, path: &[VertexId], ask: &mut Ask) -> Result<Option<usize>, Exhausted> {
        let edges = self.edges(path);
        let mut formulas = self.states.conjuncts(set).to_vec();
        let premises = formulas.len();
        let conditions = self.conditions(&edges);
        formulas.extend(&conditions);
        let Answer::Unsat(refutation) = ask.decide(&mut self.states.pool, &formulas)? else { return Ok(None) };
        // This refutation uses conditions up to here; a shorter prefix may do.
        let mut length = refutation.core.iter().map(|&at| (at + 1).saturating_sub(premises)).max().unwrap_or(0);
        while length > 0 && matches!(ask.decide(&mut self.states.pool, &formulas[..premises + length - 1])?, Answer::Unsat(_)) {
            length -= 1;
        }
        Ok(Some(length))
    }

    /// A condition that the set implies and under which no run takes the edges one after the other: the weakest precondition of
    /// false, or, to learn from, an interpolant, which speaks of fewer things.
    fn ifp_cond(&mut self, set: SetId, edges: &[EdgeId], ask: &mut Ask) -> Result<FormulaId, Exhausted> {
        let conditions = self.conditions(edges);
        let premises = self.states.conjuncts(set).to_vec();
        if self.settings.abstraction == MethodKind::Learn {
            let mut formulas = premises.clone();
            formulas.extend(&conditions);
            if let Answer::Unsat(refutation) = ask.decide(&mut self.states.pool, &formulas)? {
                let core = |own: bool| -> Vec<FormulaId> {
                    refutation.core.iter().filter(|&&at| (at < premises.len()) == own).map(|&at| formulas[at]).collect()
                };
                let found = interpolate(&mut self.states.pool, &core(true), &core(false), &refutation.certificate, ask.meter);
                if let Ok(found) = found
                    && found != Pool::TRUE
                    && self.states.implies(set, found, ask)?
                {
                    return Ok(found);
                }
            }
        }
        // `nondet()` may give any values on the way: the condition has to block the edges for all of them.
        let fresh: Vec<_> = Mentions::of(&self.states.pool, &conditions, &[])
            .symbols
            .into_iter()
            .filter(|&symbol| {
                self.states.pool.symbol_name(symbol).starts_with("nondet#") || is_operator(self.states.pool.symbol_name(symbol))
            })
            .collect();
        let passes = project(&mut self.states.pool, &conditions, &fresh, ProjectionGoal::Exact, ask.meter)?;
        debug_assert!(passes.precision != Precision::Under);
        Ok(self.states.pool.not(passes.formula))
    }
}

#[cfg(test)]
mod tests;
