//! The pruned graph for other analyses: all that they may use of this one.

#[cfg(feature = "cli")]
pub use super::command::GraphOptions;
use super::{MethodKind, PruneChoices, PrunePlan, run};
use crate::evidence::graph::Pruned;
use crate::lts::Lts;
use crate::run::trace::Trace;
use crate::solver::meter::Meter;
use crate::states::States;
use serde::Deserialize;

/// How a graph is pruned.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PruneGraphSettings {
    /// `drop`, `havoc` or `learn`.
    pub abstraction: String,
    pub restarts: bool,
    /// Without one [`USUAL`]'s, and a longer one where that leaves fewer paths.
    pub lookahead: Option<u32>,
    /// The greatest red length; without it none.
    pub max_red_length: Option<u32>,
    /// Whether `learn` knows the invariants that hold at each location.
    pub invariants: bool,
    /// Up to which length there shall be no infeasible path at all.
    pub exact_up_to: Option<u32>,
    /// What is assumed of the inputs, as a condition in C.
    pub precondition: Option<String>,
}

impl PruneGraphSettings {
    /// What is chosen.
    ///
    /// # Errors
    /// Which abstraction there is not.
    pub fn chosen(&self) -> Result<PrunePlan, String> {
        let abstraction = match self.abstraction.as_str() {
            "drop" => MethodKind::Drop,
            "havoc" => MethodKind::Havoc,
            "learn" => MethodKind::Learn,
            other => return Err(format!("there is no abstraction `{other}`, only drop, havoc and learn")),
        };
        let lookahead = self.lookahead.unwrap_or(USUAL.settings.lookahead);
        let settings = PruneChoices { abstraction, restarts: self.restarts, lookahead, max_red_length: self.max_red_length };
        let farther = USUAL.farther.filter(|_| self.lookahead.is_none());
        Ok(PrunePlan { settings, farther, invariants: self.invariants, exact_up_to: self.exact_up_to })
    }
}

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
