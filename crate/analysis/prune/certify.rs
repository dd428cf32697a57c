//! Confirms `S'`: each red place has a formula, and together they are an inductive invariant.
//!
//! 1. What holds before the first edge implies the formula of the entry.
//! 2. Along every edge between red places, the formula of its start and the edge's condition imply the formula of its end, for
//!    the values after the edge. An edge to a subsumer is such an edge, so this covers subsumption.
//! 3. Where an edge of `S` is cut, the formula and the edge's condition contradict each other.
//!
//! Each of these is a question of its own whose certificate the checker accepts; projections, normal forms and the construction need
//! not be trusted for it. From 1 to 3 every feasible path of `S` has its trace in `S'`. An edge that is not confirmed leads to the
//! black part instead, and a cut that is not confirmed becomes an edge to there; so there is always a sound `S'`.

use super::unfolded::Pruned;
use crate::logic::{FormulaId, Pool};
use crate::lts::{ArrayId, EdgeId, Lts, VariableId};
use crate::solver::meter::Exhausted;
use crate::solver::projection::terms::Substitution;
use crate::solver::{Answer, Reason};
use crate::states::{Ask, States};
use crate::symex::State;

/// `S'` with everything confirmed that stands in it, and why something had to be changed, if so.
///
/// # Errors
/// When the steps are used up.
pub fn confirmed(states: &mut States, mut pruned: Pruned, ask: &mut Ask) -> Result<(Pruned, Option<Reason>), Exhausted> {
    let lts = states.lts;
    // 1.
    let known = states.first_values();
    for formula in pruned.invariants.first().cloned().unwrap_or_default() {
        if !states.implies(&known, formula, ask)? {
            return Ok((Pruned::original(lts), Some(Reason::Rejected)));
        }
    }
    // 2.
    let mut doubtful_edges = Vec::new();
    for (at, &(from, edge, to)) in pruned.edges.iter().enumerate() {
        if !step_holds(states, &pruned.invariants[from as usize], edge, &pruned.invariants[to as usize], ask)? {
            doubtful_edges.push(at);
        }
    }
    // 3.
    let mut doubtful_cuts = Vec::new();
    for (at, &(from, edge)) in pruned.cut.iter().enumerate() {
        let mut formulas = pruned.invariants[from as usize].clone();
        formulas.push(passed(lts, states, edge).0);
        if !matches!(ask.decide(&mut states.pool, &formulas)?, Answer::Unsat(_)) {
            doubtful_cuts.push(at);
        }
    }
    let doubt = (!doubtful_edges.is_empty() || !doubtful_cuts.is_empty()).then_some(Reason::Steps);
    pruned.undo(lts, &doubtful_edges, &doubtful_cuts);
    Ok((pruned, doubt))
}

/// The condition of an edge and the state after it, from the state in which every variable is its own symbol.
fn passed(lts: &Lts, states: &mut States, edge: EdgeId) -> (FormulaId, State) {
    let mut state = states.identity().clone();
    let (condition, _) = state.apply(lts, &mut states.pool, edge);
    (condition, state)
}

fn step_holds(states: &mut States, before: &[FormulaId], edge: EdgeId, after: &[FormulaId], ask: &mut Ask) -> Result<bool, Exhausted> {
    if after.is_empty() {
        return Ok(true);
    }
    let lts = states.lts;
    let (condition, state) = passed(lts, states, edge);
    let mut assumed = before.to_vec();
    if condition != Pool::TRUE {
        assumed.push(condition);
    }
    let variables = (0..lts.variables.len() as u32).map(VariableId);
    let mut substitution = Substitution::of(variables.map(|id| (states.identity().variable(id).terms()[0].0, state.variable(id).clone())));
    for id in (0..lts.arrays.len() as u32).map(ArrayId) {
        substitution = substitution.and_array(states.identity().array(id), state.array(id));
    }
    for &formula in after {
        let Some(claimed) = substitution.formula(&mut states.pool, formula) else { return Ok(false) };
        if !states.implies(&assumed, claimed, ask)? {
            return Ok(false);
        }
    }
    Ok(true)
}
