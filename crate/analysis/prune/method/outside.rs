//! What holds from outside: at each location in every execution (intervals, congruences, relations), and what other analyses show.
//!
//! AGVW16, Section VIII, names invariants as future work. A construction may keep such a formula where it abstracts, and cut what
//! contradicts it where it does not unfold. Where `S'` still has edges that no run is known to take, it is multiplied with what the other
//! provers show of them ([`crate::invariants`]). They need not be trusted: their formulas stand among those of places,
//! whose induction the evidence of the graph proves.

use super::onward::Onward;
use crate::analysis::PROVERS;
use crate::count::totals;
use crate::evidence::graph::Pruned;
use crate::interp::Machine;
use crate::invariants::certify::{Confirmed, confirmed};
use crate::invariants::guesses::{Guesses, taken};
use crate::invariants::product::product;
use crate::invariants::{FactQuery, Proved, Prover, ask};
use crate::logic::SortedSet;
use crate::lts::EdgeId;
use crate::run::trace::Trace;
use crate::solver::meter::Meter;
use crate::states::{Ask, States};

/// The length up to which the paths of a product are compared with those of `S'`.
const COMPARED: u32 = 100;

/// The original with an invariant at each location, over the terms of `states`, without what contradicts it; `None` where nothing
/// is found within so many steps.
pub fn invariants(states: &mut States, steps: u64, meter: &mut Meter, trace: &Trace) -> Option<Onward> {
    let lts = states.lts;
    let found = meter.within(steps, |meter| Guesses { widely: true }.show(lts, &FactQuery::default(), meter, trace).pop());
    let graph = found?.graph_in(&mut states.pool, lts)?;
    Some(Onward::new(lts, &graph))
}

/// `S'` with what the other provers show of edges that no run is known to take, where that leaves fewer paths and is confirmed.
pub fn strengthened(states: &mut States, pruned: &Pruned, solver: &mut Ask, trace: &Trace) -> Option<Confirmed> {
    let lts = states.lts;
    let runs = taken(lts, &Machine::new(lts), &[]);
    let untaken: SortedSet<EdgeId> = pruned.edges.iter().map(|&(_, edge, _)| edge).filter(|edge| !runs.contains(edge)).collect();
    if untaken.is_empty() {
        return None;
    }
    let untaken: Vec<EdgeId> = untaken.into_iter().collect();
    let mut left: SortedSet<EdgeId> = untaken.iter().copied().collect();
    let mut useful = Vec::new();
    let mut enough = |proved: &Proved| {
        let (excluded, before) = (proved.excluded(lts), left.len());
        left.retain(|edge| !excluded.contains(edge));
        useful.push(left.len() < before);
        left.is_empty()
    };
    let (share, query) = (solver.meter.left() / 8, FactQuery { untaken: &untaken, ..FactQuery::default() });
    let found = ask((PROVERS, &["prune"]), (lts, &query), share, (solver.meter, trace), &mut enough);
    let paths = |graph: &Pruned| totals(&graph.graph(), &[COMPARED]);
    let mut best = pruned.clone();
    for (proved, _) in found.iter().zip(useful).filter(|(_, is_useful)| *is_useful) {
        let whole = solver.within(solver.meter.left() / 4, |solver| {
            proved.graph_in(&mut states.pool, lts).and_then(|other| product(states, &best, &other, solver).ok().flatten())
        });
        best = whole.filter(|whole| paths(whole) < paths(&best)).unwrap_or(best);
    }
    if best.nodes.len() == pruned.nodes.len() && best.cut.len() == pruned.cut.len() {
        return None;
    }
    let confirmed = solver.within(solver.meter.left() / 2, |solver| confirmed(states, best, solver).ok());
    confirmed.filter(|confirmed| confirmed.doubt.is_none())
}
