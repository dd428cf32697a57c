//! The pruned graph for other analyses: all that they may use of this method.

use super::{MethodKind, PruneChoices, PrunePlan, run};
use crate::evidence::graph::Pruned;
use crate::lts::Lts;
use crate::run::trace::Trace;
use crate::solver::meter::Meter;
use crate::states::States;

/// The settings of page and command line where the user says nothing.
pub const USUAL: PrunePlan = PrunePlan {
    settings: PruneChoices { abstraction: MethodKind::Learn, restarts: true, lookahead: 16, max_red_length: None },
    farther: Some(32),
    invariants: true,
    exact_up_to: None,
};

/// A graph with the feasible paths of the function and fewer infeasible ones.
pub fn graph_of(lts: &Lts, plan: &PrunePlan, meter: &mut Meter, trace: &Trace) -> Pruned {
    run(lts, States::new(lts), *plan, meter, trace).pruned
}
