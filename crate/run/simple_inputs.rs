//! Simple inputs, each with one small value everywhere: what runs on them shows what to expect, before anything is known.

use crate::interp::Input;
use crate::logic::{Int, IntRange};
use crate::lts::Lts;
use crate::lts::inputs::inputs;

/// So many values are drawn before calls give 0.
const DRAWS: usize = 50;

/// Simple inputs of the function.
pub fn simple_inputs(lts: &Lts) -> [Input; 6] {
    let free = inputs(lts);
    [0, 1, 2, 5, 12, -1].map(|value| {
        let value = Int::from(value);
        let fits = |range: Option<IntRange>| range.is_none_or(|range| range.contains(&value));
        let named = free.variables.iter().map(|&id| lts.variable(id)).filter(|variable| fits(variable.range));
        Input {
            values: named.map(|variable| (variable.name.clone(), value.clone())).collect(),
            nondet: vec![value.clone(); DRAWS],
            ..Input::default()
        }
    })
}
