//! Calls that go deeper than the copies of their function: what a run has to know to go through them.
//!
//! Lowering makes a decision of such a call ([`super::InputSource::Deeper`]): an execution goes into the innermost copy of the function once
//! more, or is back from there with any results. An execution does one after the other, and comes back to the decision from the copy's end.
//! The objects of the copy, and of the functions between it and the call, are then as they were before: they are those of the earlier call.

use super::{ArrayId, EdgeId, Lts, VariableId};
use std::collections::HashMap;

/// What an edge is for calls that go deeper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeeperPart {
    /// A side of the decision: the one that holds leads into the copy.
    Call(Box<DeeperCall>),
    /// Between the other side and what follows the call: it stands for what the call gives and writes.
    Return,
    /// The end of the copy with this number.
    End(u32),
}

/// A call that goes deeper.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeeperCall {
    /// The number of the copy that it leads into.
    pub copy: u32,
    /// Where the copy leaves its result, and where the call has it.
    pub result: Option<[VariableId; 2]>,
    /// The variables and arrays of the copy, and of the copies that are open between it and the call.
    pub variables: Vec<VariableId>,
    pub arrays: Vec<ArrayId>,
}

impl DeeperCall {
    /// With other numbers of variables and arrays; the ones that have none are left out.
    pub(super) fn renumber(&mut self, variables: &HashMap<u32, u32>, arrays: &HashMap<u32, u32>) {
        let variable = |id: VariableId| variables.get(&id.0).map(|&new| VariableId(new));
        self.result = self.result.and_then(|[from, to]| Some([variable(from)?, variable(to)?]));
        self.variables = self.variables.iter().filter_map(|&id| variable(id)).collect();
        self.arrays = self.arrays.iter().filter_map(|id| arrays.get(&id.0).map(|&new| ArrayId(new))).collect();
    }
}

impl Lts {
    /// The call that goes deeper, of a side of its decision.
    pub fn deeper_call(&self, edge: EdgeId) -> Option<&DeeperCall> {
        match &self.graph[edge].deeper {
            Some(DeeperPart::Call(call)) => Some(call),
            _ => None,
        }
    }
}
