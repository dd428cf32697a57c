//! Test inputs with plain floating-point numbers: 3.5 rather than the next number above 3, as long as the execution stays the same.
//!
//! A model of a path's condition has the numbers that are nearest to its bounds, which are correct and hard to read.

use crate::interp::{Input, Machine};
use crate::logic::rank::FloatFormat;
use crate::logic::{Int, IntRange};
use crate::lts::{EdgeId, Lts};
use crate::run::input_numbers::numbers;
use crate::run::plain_letters::plain_letters;
use crate::run::plain_nodes::plain_nodes;
use crate::solver::meter::{Meter, RUN_STEPS};

/// Numbers of an input that are looked at.
const MOST: usize = 64;

/// The input with plain numbers for its floating-point numbers, one after the other, for its nodes and for its characters, where its run still takes `path` first.
pub fn plain_numbers(lts: &Lts, machine: &Machine, mut input: Input, path: &[EdgeId], meter: &mut Meter) -> Input {
    input = plain_nodes(lts, machine, without_far_elements(machine, input, path), path, meter);
    input = plain_letters(lts, machine, input, path, meter);
    if !lts.has_numbers() {
        return input;
    }
    let format = |range: Option<IntRange>| range.and_then(|range| FloatFormat::of_range(&range));
    let numbers = numbers(lts, &input, path).into_iter().filter_map(|(number, range)| Some((number, format(range)?)));
    for (number, format) in numbers.take(MOST) {
        let Some(before) = number.value(&mut input).map(|value| value.clone()) else { continue };
        let Some(rank) = before.to_i64() else { continue };
        for candidate in plainer(format, rank) {
            if meter.spend(path.len() as u64 / RUN_STEPS + 1).is_err() {
                return input;
            }
            let mut tried = input.clone();
            if let Some(value) = number.value(&mut tried) {
                *value = Int::from(candidate);
            }
            if machine.replay(&tried, path).is_ok() {
                input = tried;
                break;
            }
        }
    }
    input
}

/// Whether an input gives values to elements that no run can read.
pub fn has_far_elements(input: &Input) -> bool {
    input.arrays.values().any(|array| array.elements.keys().any(is_far))
}

/// Whether an index lies outside of each array that a computer has.
fn is_far(index: &Int) -> bool {
    index.is_negative() || *index > Int::from(1_i64 << 48)
}

/// The input without values of elements that no run can read, where its run still takes `path` first: a model of a path's condition has them
/// where an index of a type without a sign may have wrapped around.
fn without_far_elements(machine: &Machine, input: Input, path: &[EdgeId]) -> Input {
    if !has_far_elements(&input) {
        return input;
    }
    let mut tried = input.clone();
    for array in tried.arrays.values_mut() {
        let near = |(index, value): (&Int, &Int)| (!is_far(index)).then(|| (index.clone(), value.clone()));
        array.elements = array.elements.iter().filter_map(near).collect();
    }
    if machine.replay(&tried, path).is_ok() { tried } else { input }
}

/// Plain numbers of the same sign around the number of a rank, plainest first; none where it is plain.
fn plainer(format: FloatFormat, rank: i64) -> Vec<i64> {
    let value = format.value(rank);
    let (size, sign) = (value.abs(), if rank < 0 { -1.0 } else { 1.0 });
    if (size * 100.0).fract() == 0.0 && size < 1e6 {
        return Vec::new();
    }
    let mut sizes = vec![0.0, 1.0];
    if size.is_nan() || size > 1e6 {
        sizes.extend([10.0, 1000.0, 1e6, 1e9]);
    }
    if size.is_finite() {
        let mut power = 1.0;
        while power <= size {
            power *= 10.0;
        }
        let parts = |scale: f64| [0.0, 1.0, 2.0].map(|more| ((size * scale).floor() + more) / scale);
        sizes.extend(parts(1.0));
        sizes.push(power);
        sizes.extend([2.0, 10.0, 100.0, 1000.0].into_iter().flat_map(parts));
    }
    let mut found: Vec<i64> = Vec::new();
    for size in sizes.into_iter().filter(|size| size.is_finite()) {
        let candidate = format.rank(sign * size);
        if candidate != rank && !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}
