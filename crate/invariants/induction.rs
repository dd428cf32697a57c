//! Of the formulas at the nodes of a graph those that its cuts need, as far as they are inductive.
//!
//! Each formula that a cut needs has to hold after every edge into its node, for which the formulas at the node before are needed, and so
//! on. One that cannot be shown is dropped, and the cuts begin anew.

use crate::evidence::graph::{Pruned, step};
use crate::logic::{AtomId, FormulaId, Linear, Pool, SortedSet};
use crate::lts::Lts;
use crate::solver::Answer;
use crate::solver::meter::Exhausted;
use crate::states::Ask;
use crate::symex::{State, first_values_for};

/// Which of the formulas are needed, and whether they are inductive.
pub struct Induction<'i> {
    lts: &'i Lts,
    pool: &'i mut Pool,
    graph: &'i Pruned,
    identity: State,
    incoming: Vec<Vec<usize>>,
    updates: Vec<Vec<(AtomId, Linear)>>,
    dropped: Vec<SortedSet<FormulaId>>,
}

impl<'i> Induction<'i> {
    pub fn new(lts: &'i Lts, pool: &'i mut Pool, graph: &'i Pruned) -> Induction<'i> {
        let identity = State::of_symbols(lts, pool, str::to_owned);
        let mut incoming = vec![Vec::new(); graph.nodes.len()];
        for (position, &(.., to)) in graph.edges.iter().enumerate() {
            incoming[to as usize].push(position);
        }
        let mut updates = vec![Vec::new(); graph.edges.len()];
        for update in &graph.updates {
            let ghost = pool.integer(&graph.ghosts[update.ghost].name).terms()[0].0;
            updates[update.edge].push((ghost, update.value.clone()));
        }
        let dropped = vec![SortedSet::new(); graph.nodes.len()];
        Induction { lts, pool, graph, identity, incoming, updates, dropped }
    }

    /// For each node the formulas that the cuts need; `None` if some cut cannot be shown.
    pub fn needed(&mut self, ask: &mut Ask) -> Result<Option<Vec<Vec<FormulaId>>>, Exhausted> {
        'anew: loop {
            let mut needed: Vec<SortedSet<FormulaId>> = vec![SortedSet::new(); self.graph.nodes.len()];
            let mut waiting: Vec<(u32, FormulaId)> = Vec::new();
            let want = |needed: &mut Vec<SortedSet<FormulaId>>, waiting: &mut Vec<_>, node: u32, core: Vec<FormulaId>| {
                waiting.extend(core.into_iter().filter(|&formula| needed[node as usize].insert(formula)).map(|formula| (node, formula)));
            };
            for &(node, edge) in &self.graph.cut {
                let (condition, _) = step(self.lts, self.pool, &self.identity, edge, Vec::new());
                match self.core(node, &[condition], ask)? {
                    Some(core) => want(&mut needed, &mut waiting, node, core),
                    None => return Ok(None),
                }
            }
            while let Some((node, formula)) = waiting.pop() {
                if node == 0 && !self.begins(formula, ask)? {
                    self.dropped[0].insert(formula);
                    continue 'anew;
                }
                for at in self.incoming[node as usize].clone() {
                    let (from, edge, _) = self.graph.edges[at];
                    let (condition, mut values) = step(self.lts, self.pool, &self.identity, edge, self.updates[at].clone());
                    let claimed = values.formula(self.pool, formula).unwrap_or(Pool::FALSE);
                    let denied = self.pool.not(claimed);
                    match self.core(from, &[condition, denied], ask)? {
                        Some(core) => want(&mut needed, &mut waiting, from, core),
                        None => {
                            self.dropped[node as usize].insert(formula);
                            continue 'anew;
                        }
                    }
                }
            }
            return Ok(Some(needed.into_iter().map(|formulas| formulas.into_iter().collect()).collect()));
        }
    }

    /// Formulas at the node that contradict the others; `None` where that is not shown.
    fn core(&mut self, node: u32, others: &[FormulaId], ask: &mut Ask) -> Result<Option<Vec<FormulaId>>, Exhausted> {
        let dropped = &self.dropped[node as usize];
        let facts: Vec<FormulaId> =
            self.graph.invariants[node as usize].iter().copied().filter(|formula| !dropped.contains(formula)).collect();
        if others.contains(&Pool::FALSE) {
            return Ok(Some(Vec::new()));
        }
        // Most formulas speak of what the edge does not change.
        if let Some(&same) = facts.iter().find(|&&formula| others.contains(&self.pool.not(formula))) {
            return Ok(Some(vec![same]));
        }
        let formulas = [others, &facts].concat();
        Ok(match ask.decide(self.pool, &formulas)? {
            Answer::Unsat(refutation) => {
                Some(refutation.core.iter().filter_map(|&at| at.checked_sub(others.len())).map(|at| facts[at]).collect())
            }
            _ => None,
        })
    }

    /// Whether the formula holds before the first edge.
    fn begins(&mut self, formula: FormulaId, ask: &mut Ask) -> Result<bool, Exhausted> {
        let mut premises = first_values_for(self.lts, self.pool, &self.identity, formula);
        for ghost in &self.graph.ghosts {
            let name = self.pool.integer(&ghost.name);
            premises.push(self.pool.equal(&name, &ghost.initial));
        }
        premises.push(self.pool.not(formula));
        Ok(matches!(ask.decide(self.pool, &premises)?, Answer::Unsat(_)))
    }
}
