//! Calls that go deeper than the copies of their function ([`crate::lts::DeeperCall`]): a run goes through the innermost copy once more, and comes
//! back from its end to the call.

use super::cells::Cells;
use super::{EdgeChoice, Machine, NextEdge, RunState};
use crate::logic::Int;
use crate::lts::{DeeperCall, LocationId, Lts};

/// So many calls may be open: a stack holds no more of them for long.
const DEEPEST: usize = 20_000;

/// A call that a run is inside of.
#[derive(Clone, Debug)]
pub(super) struct OpenCall<'a> {
    call: &'a DeeperCall,
    /// The location of its decision.
    at: LocationId,
    /// What the objects of its copies held before.
    variables: Vec<Int>,
    arrays: Vec<Cells>,
}

impl<'a> Machine<'a> {
    /// As [`Machine::new`]; runs go as deep as calls do, as long as no more than some thousands of them are open.
    pub fn deep(lts: &'a Lts) -> Machine<'a> {
        Machine { is_deep: true, ..Machine::new(lts) }
    }

    /// The edge with which a run comes back from the call that it is inside of, if this edge ends its copy: to the decision of the call, whose other
    /// side leads on from there.
    pub(super) fn after_call<'s>(&'s self, step: &'s EdgeChoice<'a>, state: &mut RunState<'_>) -> &'s EdgeChoice<'a> {
        let Some(copy) = step.ends else { return step };
        let Some(open) = state.open.pop_if(|open| open.call.copy == copy) else { return step };
        let OpenCall { call, at, variables, arrays } = open;
        let result = call.result.map(|[from, to]| (to, state.variables[from.0 as usize].clone()));
        for (id, value) in call.variables.iter().zip(variables) {
            state.variables[id.0 as usize] = value;
        }
        for (id, cells) in call.arrays.iter().zip(arrays) {
            state.arrays[id.0 as usize] = cells;
        }
        if let Some((to, value)) = result {
            state.variables[to.0 as usize] = value;
        }
        match &self.ways[at.index()] {
            NextEdge::Deeper(_, [_, returns]) => returns,
            _ => step,
        }
    }
}

impl<'a> RunState<'a> {
    /// Goes into a call, from the location of its decision; false where too many are open.
    pub(super) fn open_call(&mut self, call: &'a DeeperCall, at: LocationId) -> bool {
        if self.open.len() == DEEPEST {
            return false;
        }
        let variables = call.variables.iter().map(|id| self.variables[id.0 as usize].clone()).collect();
        let arrays = call.arrays.iter().map(|id| self.arrays[id.0 as usize].clone()).collect();
        self.open.push(OpenCall { call, at, variables, arrays });
        true
    }
}
