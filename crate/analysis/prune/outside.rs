//! Invariants from outside: what holds at each location in every execution (intervals, congruences, relations), as Cover infers it.
//!
//! AGVW16, Section VIII, names this as future work. A construction may keep such a formula where it abstracts, and cut what
//! contradicts it where it does not unfold. Nobody needs to trust them: they stand among the formulas of places, whose induction the
//! evidence of the graph shows.

use super::onward::Onward;
use crate::analysis::common::trace::Trace;
use crate::analysis::cover::invariant::infer;
use crate::evidence::graph::written::{read_graph, write_graph};
use crate::interp::{Input, Machine};
use crate::logic::Int;
use crate::solver::meter::Meter;
use crate::states::States;

/// So many variables and locations, multiplied, are too many to guess about.
const MOST: usize = 5_000;

/// The original with an invariant at each location, over the terms of `states`, without what contradicts it; `None` where nothing
/// is found within so many steps.
pub fn invariants(states: &mut States, steps: u64, meter: &mut Meter, trace: &Trace) -> Option<Onward> {
    let lts = states.lts;
    if lts.variables.len() * lts.graph.node_count() > MOST {
        return None;
    }
    let inputs = lts.variables.iter().filter(|variable| variable.initial.is_none());
    let zeros = Input { values: inputs.map(|variable| (variable.name.clone(), Int::ZERO)).collect(), ..Input::default() };
    let outer = meter.narrow(steps);
    let found = infer(lts, &Machine::new(lts), &[zeros], true, meter, trace);
    meter.widen(outer);
    let found = found?;
    let written = write_graph(&found.pool, &found.graph(lts));
    let graph = read_graph(&mut states.pool, &written, lts.exit).ok()?;
    Some(Onward::new(lts, &graph))
}
