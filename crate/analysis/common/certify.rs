//! No feasible path is missing in a graph of places: each red place has a formula, and together they are an inductive invariant.
//!
//! 0. The shape is right: place 0 is the entry; from every place each edge of `S` either goes to a place of its target location
//!    or is cut; formulas speak of the values that the program's variables and arrays have at the place, of nothing else.
//! 1. What holds before the first edge implies the formula of the entry.
//! 2. Along every edge, the formula of its start and the edge's condition imply the formula of its end, for the values after the
//!    edge. An edge to a subsumer is such an edge, so this covers subsumption. Black places have no formula.
//! 3. Where an edge of `S` is cut, the formula and the edge's condition contradict each other.
//!
//! From these every feasible path of `S` has its trace in `S'`, and from 0 every path of `S'` has its trace in `S`. Each of 1 to 3
//! is an [`Obligation`]: formulas that cannot hold together, with a certificate that the checker accepts. Projections, normal forms
//! and the construction need not be trusted for it; what is trusted is the derivation of the obligations, which is here. An edge
//! that is not confirmed leads to the black part instead, and a cut that is not confirmed becomes an edge to there; so there is
//! always a sound `S'`.

use super::places::{Place, Pruned};
use crate::logic::Arrange;
use crate::logic::{FormulaId, Mentions, Pool, SymbolId};
use crate::lts::{ArrayId, EdgeId, Lts, VariableId};
use crate::solver::certificate::Certificate;
use crate::solver::meter::Exhausted;
use crate::solver::projection::terms::Substitution;
use crate::solver::{Answer, Reason};
use crate::states::{Ask, States, first_values};
use crate::symex::State;
use std::collections::BTreeSet;

/// What an obligation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    Entry,
    /// The edge at this position.
    Edge(usize),
    /// The cut at this position.
    Cut(usize),
}

/// Formulas that cannot hold together if the graph is right.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub about: About,
    pub formulas: Vec<FormulaId>,
}

/// `S'` with everything confirmed that stands in it.
#[derive(Debug)]
pub struct Confirmed {
    pub pruned: Pruned,
    /// One for each of its obligations, in their order.
    pub certificates: Vec<Certificate>,
    /// Why something had to be changed, if so.
    pub doubt: Option<Reason>,
}

/// Confirms a graph, or what is left of it.
///
/// # Errors
/// When the steps are used up.
pub fn confirmed(states: &mut States, mut pruned: Pruned, ask: &mut Ask) -> Result<Confirmed, Exhausted> {
    let lts = states.lts;
    let mut doubt = None;
    loop {
        let (mut edges, mut cuts) = (Vec::new(), Vec::new());
        let mut certificates = Vec::new();
        if check_shape(lts, &mut states.pool, &pruned).is_err() {
            doubt = Some(Reason::Rejected);
            pruned = Pruned::original(lts);
        }
        let mut start = true;
        for Obligation { about, formulas } in obligations(lts, &mut states.pool, &pruned) {
            ask.meter.spend(1)?;
            if contradict_at_sight(&states.pool, &formulas) {
                certificates.push(Certificate::default());
                continue;
            }
            let reason = match ask.decide(&mut states.pool, &formulas)? {
                Answer::Unsat(refutation) => {
                    certificates.push(refutation.certificate);
                    continue;
                }
                Answer::Unknown(reason) => reason,
                Answer::Sat(_) => Reason::Rejected,
            };
            doubt = doubt.or(Some(reason));
            match about {
                About::Entry => start = false,
                About::Edge(at) => edges.push(at),
                About::Cut(at) => cuts.push(at),
            }
        }
        if start && edges.is_empty() && cuts.is_empty() {
            return Ok(Confirmed { pruned, certificates, doubt });
        }
        match start {
            true => pruned.undo(lts, &edges, &cuts),
            false => pruned = Pruned::original(lts),
        }
    }
}

/// A formula and its negation are both there.
fn contradict_at_sight(pool: &Pool, formulas: &[FormulaId]) -> bool {
    use crate::logic::Formula;
    formulas.iter().any(|&formula| match pool.formula(formula) {
        Formula::False => true,
        Formula::Not(inner) => formulas.contains(inner),
        _ => false,
    })
}

/// 0.
///
/// # Errors
/// What is wrong.
pub fn check_shape(lts: &Lts, pool: &mut Pool, pruned: &Pruned) -> Result<(), String> {
    let location = |place: u32| pruned.places.get(place as usize).map(Place::location).ok_or_else(|| format!("there is no place {place}"));
    if location(0)? != lts.entry {
        return Err("place 0 is not the entry".to_owned());
    }
    if pruned.invariants.len() != pruned.places.len() {
        return Err("each place has its formulas".to_owned());
    }
    // A symbol such as that of a value of `nondet()` would mean one value here and another after the next edge.
    let variables = lts.variables.iter().map(|variable| &variable.name).chain(lts.arrays.iter().map(|array| &array.name));
    let known: BTreeSet<SymbolId> = variables.map(|name| pool.symbol(name)).collect();
    if !pruned.invariants.iter().all(|formulas| Mentions::of(pool, formulas, &[]).symbols.is_subset(&known)) {
        return Err("a formula speaks of something that is no variable of the function".to_owned());
    }
    let mut ways: Vec<Vec<EdgeId>> = vec![Vec::new(); pruned.places.len()];
    let arcs = pruned.edges.iter().map(|&(from, edge, to)| (from, edge, Some(to)));
    for (from, edge, to) in arcs.chain(pruned.cut.iter().map(|&(from, edge)| (from, edge, None))) {
        let ends = lts.graph.edge_endpoints(edge).ok_or("an edge that the function does not have")?;
        if location(from)? != ends.0 || to.is_some_and(|to| location(to) != Ok(ends.1)) {
            return Err(format!("edge {} does not fit its places", edge.index()));
        }
        ways[from as usize].push(edge);
    }
    for (place, mut found) in ways.into_iter().enumerate() {
        found.arrange();
        let expected: Vec<EdgeId> = lts.outgoing(location(place as u32)?).into_iter().map(|(edge, _)| edge).collect();
        if found != expected {
            return Err(format!("place {place} does not have each edge of its location once"));
        }
    }
    for (place, number) in pruned.places.iter().zip(0..) {
        if (place.location() == lts.exit) != pruned.finals.iter().any(|last| last.index() == number) {
            return Err(format!("place {number} is final and should not be, or the other way round"));
        }
    }
    Ok(())
}

/// 1. to 3.: everything that has to be refuted, in the order of entry, edges, cuts. The shape must be right.
pub fn obligations(lts: &Lts, pool: &mut Pool, pruned: &Pruned) -> Vec<Obligation> {
    let mut found = Vec::new();
    let identity = State::of_symbols(lts, pool, str::to_owned);
    // 1.
    let known = first_values(lts, pool, &identity);
    for &formula in pruned.invariants.first().into_iter().flatten() {
        let denied = pool.not(formula);
        found.push(Obligation { about: About::Entry, formulas: [&known[..], &[denied]].concat() });
    }
    // 2.
    for (at, &(from, edge, to)) in pruned.edges.iter().enumerate() {
        let after = &pruned.invariants[to as usize];
        if after.is_empty() {
            continue;
        }
        let mut state = identity.clone();
        let (condition, _) = state.apply(lts, pool, edge);
        let mut known = pruned.invariants[from as usize].clone();
        known.push(condition);
        let mut values = values_after(lts, &identity, &state);
        for &formula in after {
            // Without a term for it the formula is denied outright.
            let claimed = values.formula(pool, formula).unwrap_or(Pool::FALSE);
            let denied = pool.not(claimed);
            found.push(Obligation { about: About::Edge(at), formulas: [&known[..], &[denied]].concat() });
        }
    }
    // 3.
    for (at, &(from, edge)) in pruned.cut.iter().enumerate() {
        let condition = identity.clone().apply(lts, pool, edge).0;
        found.push(Obligation { about: About::Cut(at), formulas: [&pruned.invariants[from as usize][..], &[condition]].concat() });
    }
    found
}

/// Puts what variables and arrays stand for in the place of their names.
fn values_after(lts: &Lts, identity: &State, state: &State) -> Substitution {
    let variables = (0..lts.variables.len() as u32).map(VariableId);
    let arrays = (0..lts.arrays.len() as u32).map(ArrayId);
    let values = variables.map(|id| (identity.variable(id).terms()[0].0, state.variable(id).clone()));
    arrays.fold(Substitution::of(values), |all, id| all.and_array(identity.array(id), state.array(id)))
}
