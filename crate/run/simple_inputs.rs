//! Simple inputs, each with one small value everywhere: what runs on them shows what to expect, before anything is known.

use crate::interp::Input;
use crate::logic::rank::FloatFormat;
use crate::logic::{Int, IntRange};
use crate::lts::inputs::inputs;
use crate::lts::{Lts, Origin, ValueMeaning};

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

/// Parameters that get the ends of their ranges, at most.
const EXTREME: usize = 3;

/// Inputs with the least or the greatest value of its type for each of the first parameters, in all combinations: long loops overflow
/// there, and operations that are undefined for one value of a type.
pub fn extreme_inputs(lts: &Lts) -> Vec<Input> {
    let variables = lts.variables.iter().filter(|variable| {
        variable.origin == Origin::Parameter && matches!(variable.values, ValueMeaning::Integers | ValueMeaning::Characters)
    });
    let ranges = variables.filter_map(|variable| Some((variable.name.clone(), variable.start_range()?)));
    let ranges: Vec<(String, IntRange)> = ranges.filter(|(_, range)| FloatFormat::of_range(range).is_none()).take(EXTREME).collect();
    let of_mask = |mask: usize| Input {
        values: (ranges.iter().enumerate())
            .map(|(at, (name, range))| (name.clone(), if mask >> at & 1 == 0 { range.greatest() } else { range.least() }))
            .collect(),
        ..Input::default()
    };
    (0..1 << ranges.len()).map(of_mask).filter(|input| *input != Input::default()).collect()
}
