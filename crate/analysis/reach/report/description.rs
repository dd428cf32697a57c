//! Summaries, backbones and conditions as the document has them, whatever is decided by then.

use super::notation::{Notation, WrittenRounds};
use super::{ReachBackbone, ReachSatisfiable, ReachSummary};
use crate::analysis::reach::method::effect::WayEffect;
use crate::analysis::reach::method::program::SummarizedProgram;
use crate::analysis::reach::method::satisfiability::Decision;
use crate::logic::{Arrange, Pool};
use crate::source::LineIndex;
use std::cell::Cell;

/// Backbones that are listed.
const LISTED: usize = 50;
/// Rounds that are written out for people.
const MOST_ROUNDS: u32 = 12;

/// What the condition says, for people.
pub struct Described {
    pub loop_summaries: Vec<ReachSummary>,
    pub backbones: Vec<ReachBackbone>,
    /// Whether there are more than are listed.
    pub backbones_cut: bool,
    /// `φ̂`, without backbones that are known to be refuted.
    pub condition: String,
    /// `φ̂^K`.
    pub written_out: String,
    pub written_out_cut: bool,
}

impl Described {
    /// What is known of each backbone comes in their order.
    pub fn of(
        program: &SummarizedProgram,
        lines: &LineIndex,
        pool: &mut Pool,
        effects: &[WayEffect],
        decisions: &[Option<Decision>],
        k: u32,
    ) -> Described {
        let notation = Notation { program, lines, written: None };
        let writing = Notation { written: Some(WrittenRounds { most: k, left: Cell::new(MOST_ROUNDS) }), ..notation };
        let mut numbered = vec![0; program.tree.nodes.len()];
        let mut loop_summaries = Vec::new();
        for (node, summary) in program.summaries.iter().enumerate() {
            if let Some(summary) = summary {
                numbered[node] = loop_summaries.len() as u32;
                loop_summaries.push(notation.summary(pool, summary));
            }
        }
        let mut backbones = Vec::new();
        let (mut conditions, mut written) = (Vec::new(), Vec::new());
        for (&goal, decision) in program.tree.goals.iter().zip(decisions).take(LISTED) {
            let effect = program.whole(pool, effects, goal);
            let condition = notation.bound(pool, &effect);
            if !matches!(decision, Some(Decision::Unsatisfiable)) {
                conditions.push(condition.clone());
                written.push(writing.bound(pool, &effect));
            }
            let (edges, lines) = notation.way(&program.tree.backbone(goal));
            let (verdict, k) = decided(decision.as_ref());
            let loops = effect.loops.iter().map(|looped| numbered[looped.node]).collect();
            backbones.push(ReachBackbone { edges, lines, loops, condition, verdict, k });
        }
        let backbones_cut = program.tree.goals.len() > LISTED;
        let nothing = if effects.is_empty() { "true" } else { "false" };
        let condition = any(conditions, nothing, backbones_cut);
        let written_out_cut = backbones_cut || written.iter().any(|text| text.contains('…'));
        let written_out = any(written, nothing, backbones_cut);
        Described { loop_summaries, backbones, backbones_cut, condition, written_out, written_out_cut }
    }
}

/// What is known of a backbone, and the rounds of a loop in its model.
pub fn decided(decision: Option<&Decision>) -> (ReachSatisfiable, Option<u32>) {
    match decision {
        None => (ReachSatisfiable::Unasked, None),
        Some(Decision::Unsatisfiable) => (ReachSatisfiable::Unsatisfiable, None),
        Some(Decision::Model(model)) => (ReachSatisfiable::Satisfiable, Some(model.k)),
        Some(Decision::Open(_) | Decision::Beyond) => (ReachSatisfiable::Open, None),
    }
}

/// A disjunction; `nothing` is one of no conditions.
fn any(mut conditions: Vec<String>, nothing: &str, is_cut: bool) -> String {
    conditions.arrange();
    conditions.dedup();
    match conditions.as_slice() {
        [] if !is_cut => nothing.to_owned(),
        [only] if !is_cut => only.clone(),
        several => {
            let more = if is_cut { " ∨ …" } else { "" };
            several.iter().map(|one| format!("({one})")).collect::<Vec<_>>().join(" ∨ ") + more
        }
    }
}
