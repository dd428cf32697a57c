//! The settings of a pruned graph, for `prune` and for analyses that work in the pruned graph.

use crate::analysis::prune::method::graph::USUAL;
use crate::analysis::prune::method::{MethodKind, PruneChoices, PrunePlan};
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
