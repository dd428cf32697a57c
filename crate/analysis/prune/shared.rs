//! What pruning shows for other analyses: `S'` without the edges that no execution takes.

use super::graph::USUAL;
use super::{Prune, PrunePlan, run};
use crate::invariants::{FactQuery, Proved, Prover};
use crate::lts::Lts;
use crate::run::trace::Trace;
use crate::solver::meter::Meter;
use crate::states::States;

/// Steps of a construction for others: it is there for what can be seen soon.
const STEPS: u64 = 1_000_000;

impl Prover for Prune {
    fn name(&self) -> &'static str {
        "prune"
    }

    fn show(&self, lts: &Lts, _: &FactQuery, meter: &mut Meter, trace: &Trace) -> Vec<Proved> {
        let outcome =
            meter.within(STEPS, |meter| run(lts, States::new(lts), PrunePlan { farther: None, invariants: false, ..USUAL }, meter, trace));
        let shown = Proved { pool: outcome.states.pool, graph: outcome.pruned, certificates: outcome.certificates };
        (!shown.graph.cut.is_empty()).then_some(shown).into_iter().collect()
    }
}
