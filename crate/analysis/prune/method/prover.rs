//! What pruning shows for other analyses: `S'` without the edges that no execution takes.

use super::graph::USUAL;
use super::{PrunePlan, run};
use crate::invariants::Proved;
use crate::lts::Lts;
use crate::run::trace::Trace;
use crate::solver::meter::Meter;
use crate::states::States;

/// Steps of a construction for others: it is there for what can be seen soon.
const STEPS: u64 = 1_000_000;

/// The pruned graph of a function, where it excludes an edge at a location: of [`Prover::show`](crate::invariants::Prover::show).
pub fn show(lts: &Lts, meter: &mut Meter, trace: &Trace) -> Vec<Proved> {
    let plan = PrunePlan { farther: None, invariants: false, ..USUAL };
    let outcome = meter.within(STEPS, |meter| run(lts, States::new(lts), plan, meter, trace));
    let proved = Proved { pool: outcome.states.pool, graph: outcome.pruned, certificates: outcome.certificates };
    (!proved.graph.cut.is_empty()).then_some(proved).into_iter().collect()
}
