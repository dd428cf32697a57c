//! The options of commands that report on a criterion.

use super::{Criterion, CriterionChoice, PairKind};
use crate::lts::unfold::GraphUnfolding;
use clap::Args;

/// Which criterion, if any.
#[derive(Args)]
pub struct CriterionOptions {
    /// Report on the goals of this coverage criterion, too
    #[arg(long, value_enum, value_name = "CRITERION", conflicts_with = "only")]
    criterion: Option<Criterion>,
    /// Of `--criterion mcdc`: in what the two evaluations of a pair may differ [default: masking]
    #[arg(long, value_enum, value_name = "PAIRS", requires = "criterion")]
    mcdc: Option<PairKind>,
}

impl CriterionOptions {
    /// Refuses kinds of pairs for a criterion without pairs.
    ///
    /// # Errors
    /// What to write instead.
    pub fn checked(&self) -> Result<(), String> {
        match (self.criterion, self.mcdc) {
            (Some(other), Some(_)) if other != Criterion::Mcdc => {
                Err(format!("--mcdc chooses the pairs of --criterion mcdc: `{}` has none, leave it out", other.id()))
            }
            _ => Ok(()),
        }
    }

    /// The criterion that is chosen.
    pub fn choice(&self) -> Option<CriterionChoice> {
        self.criterion.map(|criterion| CriterionChoice { criterion, pairs: self.mcdc.unwrap_or(PairKind::Masking) })
    }

    /// What the graph tells apart that the claims are about.
    pub fn unfolding(&self) -> Option<GraphUnfolding> {
        self.choice().and_then(CriterionChoice::unfolding)
    }
}
