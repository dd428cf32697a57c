//! Progress of `reach`, while the analysis runs and after a cancellation: the condition as soon as there is one, then what comes of each backbone.

use super::description::{Described, decided};
use super::{ReachBackbone, ReachSatisfiable, ReachSummary, ReachTarget};
use crate::analysis::reach::method::BackboneDecided;
use crate::analysis::reach::method::effect::WayEffect;
use crate::analysis::reach::method::program::SummarizedProgram;
use crate::logic::Pool;
use crate::run::trace::MethodStep;
use crate::source::LineIndex;
use crate::view::News;
use serde::Serialize;

/// News of `reach`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum ReachNews {
    /// The necessary condition, of which nothing is decided yet; as in the document.
    ReachCondition {
        target: ReachTarget,
        condition: String,
        written_out: String,
        written_out_cut: bool,
        backbones: Vec<ReachBackbone>,
        backbones_cut: bool,
        loop_summaries: Vec<ReachSummary>,
    },
    /// What is known of the backbone with this number. What holds of the target follows from those of all.
    ReachDecided { backbone: u32, verdict: ReachSatisfiable, k: Option<u32> },
}

impl ReachNews {
    /// The condition of a program whose loops are summed up.
    pub fn condition(
        target: &ReachTarget,
        program: &SummarizedProgram,
        lines: &LineIndex,
        (pool, effects): (&Pool, &[WayEffect]),
        k: u32,
    ) -> ReachNews {
        let nothing = vec![None; program.tree.goals.len()];
        let said = Described::of(program, lines, (&mut pool.clone(), effects), &nothing, k);
        ReachNews::ReachCondition {
            target: target.clone(),
            condition: said.condition,
            written_out: said.written_out,
            written_out_cut: said.written_out_cut,
            backbones: said.backbones,
            backbones_cut: said.backbones_cut,
            loop_summaries: said.loop_summaries,
        }
    }
}

impl MethodStep for BackboneDecided<'_> {
    fn news(&self) -> Box<dyn News> {
        let (verdict, k) = decided(self.decision);
        Box::new(ReachNews::ReachDecided { backbone: self.backbone as u32, verdict, k })
    }
}
