//! The observer of a search: hears each change of the model, and when more is known of the branches. It decides nothing.

use super::Bidirectional;
use crate::logic::FormulaId;
use crate::lts::EdgeId;

/// Hears of a search on its way.
pub trait SearchObserver {
    /// The model has changed like this.
    fn changed(&self, _: &Bidirectional, _: &ModelChange) {}

    /// More is known of the branches than at the last call.
    fn settled(&self, _: &Bidirectional) {}
}

/// An observer that ignores everything.
pub struct Unobserved;

impl SearchObserver for Unobserved {}

/// A change of the model, and the step that made it. Target states, gaps and runs are numbered as in the model.
#[derive(Clone, Copy, Debug)]
pub enum ModelChange<'c> {
    /// A run along this path joined the model.
    Run { run: usize, origin: RunOrigin, path: &'c [EdgeId] },
    /// Algorithm 3: the target states of edges that the last run takes were removed, if there were any.
    Coarsened,
    /// Edges beside the last run's path became targets, if there were any.
    Targets,
    /// Algorithm 2: the precondition of a target state along an edge became a target state too; an inexact one also has states from which
    /// no execution leads on.
    Backward { edge: EdgeId, to: usize, state: usize, exact: bool },
    /// Algorithm 2: the frontier edge is gone, since the precondition along it became no target state.
    Gone { gap: usize, precondition: FormulaId, why: GoneReason<'c> },
    /// The frontier of this target is gone: its target states, negated, are an invariant.
    Proved { target: EdgeId, states: &'c [usize] },
    /// No execution takes these edges: their target states were removed.
    Excluded { edges: &'c [EdgeId] },
    /// A prover or finder was called for the open branches; it gave so many inputs, or proved so many facts of every execution.
    Called { name: &'static str, effort: u32, inputs: usize, proved: usize },
}

/// Where a run comes from.
#[derive(Clone, Copy, Debug)]
pub enum RunOrigin {
    /// An input of the caller.
    Given,
    /// The input of zeros.
    Zeros,
    /// Algorithm 1: a known run was diverted along a frontier edge to a target state.
    Diverted { edge: EdgeId, to: usize },
    /// An input of a finder, or of the search forward.
    Found,
}

/// Why a precondition became no target state.
#[derive(Clone, Copy, Debug)]
pub enum GoneReason<'c> {
    /// With these facts of its location it contradicts itself, or is part of these target states.
    Excluded { by: &'c [usize], facts: &'c [FormulaId] },
    /// It is too large to be a target state: whether it leads there stays open.
    Large,
}
