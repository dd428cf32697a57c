//! Simple inputs, each with one small value everywhere: what runs on them shows what to expect, before anything is known.

use crate::interp::Input;
use crate::logic::rank::FloatFormat;
use crate::logic::{Int, IntRange};
use crate::lts::Lts;
use crate::lts::inputs::inputs;

/// So many values are drawn before calls give 0.
const DRAWS: usize = 50;

/// Simple inputs of the function.
pub fn simple_inputs(lts: &Lts) -> [Input; 6] {
    let free = inputs(lts);
    [0i64, 1, 2, 5, 12, -1].map(|value| {
        let in_range = |range: Option<IntRange>| {
            let format = range.and_then(|range| FloatFormat::of_range(&range));
            let value = Int::from(format.map_or(value, |format| format.rank_of_integer(value.into())));
            range.is_none_or(|range| range.contains(&value)).then_some(value)
        };
        let named = free.variables.iter().map(|&id| lts.variable(id));
        Input {
            values: named.filter_map(|variable| Some((variable.name.clone(), in_range(variable.start_range())?))).collect(),
            nondet: vec![Int::from(value); DRAWS],
            ..Input::default()
        }
    })
}
