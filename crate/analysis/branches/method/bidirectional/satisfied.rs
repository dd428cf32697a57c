//! Which wanted states a run satisfies.

use crate::analysis::branches::method::model::Model;
use crate::interp;
use crate::logic::{ArrayValue, Assignment, Pool, SortedMap};
use crate::lts::{ArrayId, EdgeId, Lts, VariableId};
use std::ops::ControlFlow;

/// Watches which wanted states a run satisfies.
pub(super) struct Satisfied<'s, 'a> {
    pub lts: &'s Lts,
    pub model: &'s Model<'a>,
    pub pool: &'s mut Pool,
    pub path: Vec<EdgeId>,
    pub satisfied: Vec<usize>,
}

impl interp::Watch for Satisfied<'_, '_> {
    fn taken(&mut self, edge: EdgeId, after: &interp::RunState<'_>) -> ControlFlow<()> {
        self.path.push(edge);
        let states = &self.model.target_states_at[self.lts.edge(edge).2.index()];
        if !states.is_empty() {
            let values = values(self.lts, self.pool, after);
            let holds = |state: &&usize| values.formula(self.pool, self.model.target_states[**state].condition) == Some(true);
            self.satisfied.extend(states.iter().filter(holds));
        }
        ControlFlow::Continue(())
    }
}

/// The values of variables and arrays in a state of a run.
fn values(lts: &Lts, pool: &mut Pool, state: &interp::RunState<'_>) -> Assignment {
    let mut values = Assignment::default();
    let mut integers = SortedMap::new();
    for (number, variable) in lts.variables.iter().enumerate() {
        integers.insert(pool.symbol(&variable.name), state.variable(VariableId(number as u32)).clone());
    }
    for (number, array) in lts.arrays.iter().enumerate() {
        let held = state.held(ArrayId(number as u32));
        values.arrays.insert(pool.symbol(&array.name), ArrayValue { elements: held.elements, default: held.default });
    }
    values.integers = integers;
    values
}
