//! Conditions that never hold, whatever the values are: for `s * s < 0` no other condition and no assignment needs to be known.
//!
//! Each condition is asked of by itself, over arbitrary values of its variables' types. A search that follows paths asks the same with all
//! that stands before, where one hard condition may leave all after it open.

use super::{FactQuery, Proved, Prover, certified};
use crate::evidence::graph::Pruned;
use crate::logic::Pool;
use crate::lts::{EdgeId, Label, Lts};
use crate::run::trace::Trace;
use crate::solver::Answer;
use crate::solver::meter::{Exhausted, Meter};
use crate::states::Ask;
use crate::symex::State;

/// Steps for one condition.
const ONE: u64 = 4_000;

/// Single conditions as a prover.
pub struct Conditions;

impl Prover for Conditions {
    fn name(&self) -> &'static str {
        "conditions"
    }

    fn show(&self, lts: &Lts, query: &FactQuery, meter: &mut Meter, trace: &Trace) -> Vec<Proved> {
        excluding(lts, query.untaken, &mut Ask { meter, log: trace }).ok().flatten().into_iter().collect()
    }
}

/// The function's graph without those of these edges whose conditions never hold; `None` where each may hold.
fn excluding(lts: &Lts, edges: &[EdgeId], ask: &mut Ask) -> Result<Option<Proved>, Exhausted> {
    let mut pool = Pool::new();
    let identity = State::of_symbols(lts, &mut pool, str::to_owned);
    let mut cut = Vec::new();
    for &edge in edges {
        if !matches!(lts.graph[edge].label, Label::Assume { .. }) {
            continue;
        }
        let condition = identity.clone().apply(lts, &mut pool, edge).0;
        if let Ok(Answer::Unsat(_)) = ask.within(ONE, |ask| ask.decide(&mut pool, &[condition])) {
            cut.push(edge);
        }
        ask.meter.spend(1)?;
    }
    if cut.is_empty() {
        return Ok(None);
    }
    let graph = Pruned::of_locations(lts, vec![Vec::new(); lts.graph.node_count()], &cut);
    let certified = certified(lts, &mut pool, graph, ask)?;
    Ok(certified.map(|(graph, certificates)| Proved { pool, graph, certificates }))
}
