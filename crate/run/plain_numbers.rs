//! Test inputs with plain floating-point numbers: 3.5 rather than the next number above 3, as long as the execution stays the same.
//!
//! A model of a path's condition has the numbers that are nearest to its bounds, which are correct and hard to read.

use crate::interp::{Input, Machine};
use crate::logic::rank::FloatFormat;
use crate::logic::{Int, IntRange};
use crate::lts::text::{drawn_ranges, ranges_in};
use crate::lts::{EdgeId, Lts, Print};
use crate::solver::meter::{Meter, RUN_STEPS};

/// Numbers of an input that are looked at.
const MOST: usize = 64;

/// A number of an input; of an array the element, or the default of all others.
enum NumberOfInput {
    Value(String),
    Element(String, Option<Int>),
    Draw(usize),
    DrawnElement(u32, Option<Int>),
}

/// The input with plain numbers for its floating-point numbers, one after the other, where its run still takes `path` first.
pub fn plain_numbers(lts: &Lts, machine: &Machine, mut input: Input, path: &[EdgeId], meter: &mut Meter) -> Input {
    if !lts.has_numbers() {
        return input;
    }
    for (number, format) in numbers(lts, &input, path).into_iter().take(MOST) {
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

impl NumberOfInput {
    fn value<'i>(&self, input: &'i mut Input) -> Option<&'i mut Int> {
        let (contents, index) = match self {
            NumberOfInput::Value(name) => return input.values.get_mut(name),
            NumberOfInput::Draw(number) => return input.nondet.get_mut(*number),
            NumberOfInput::Element(name, index) => (input.arrays.get_mut(name)?, index),
            NumberOfInput::DrawnElement(number, index) => (input.contents.get_mut(number)?, index),
        };
        match index {
            Some(index) => contents.elements.get_mut(index),
            None => Some(&mut contents.default),
        }
    }
}

/// The floating-point numbers of an input whose run takes the path.
fn numbers(lts: &Lts, input: &Input, path: &[EdgeId]) -> Vec<(NumberOfInput, FloatFormat)> {
    let format = |range: Option<IntRange>| range.and_then(|range| FloatFormat::of_range(&range));
    let mut found = Vec::new();
    for variable in &lts.variables {
        let number = format(variable.range).filter(|_| input.values.contains_key(&variable.name));
        found.extend(number.map(|format| (NumberOfInput::Value(variable.name.clone()), format)));
    }
    for array in &lts.arrays {
        let Some((format, contents)) = format(array.range).zip(input.arrays.get(&array.name)) else { continue };
        let indices = contents.elements.keys().cloned().map(Some).chain([None]);
        found.extend(indices.map(|index| (NumberOfInput::Element(array.name.clone(), index), format)));
    }
    // Where the input has a text, what reads of it give is in that.
    let reads = input.stdin.is_none();
    let before = lts.entry_prints.iter().flat_map(Print::operands).flat_map(|operand| ranges_in(operand, reads));
    let drawn = before.chain(path.iter().flat_map(|&edge| drawn_ranges(lts, &lts.graph[edge], reads)));
    for ((number, _), range) in input.nondet.iter().enumerate().zip(drawn) {
        let Some(format) = format(range) else { continue };
        match u32::try_from(number).ok().and_then(|number| Some((number, input.contents.get(&number)?))) {
            Some((number, contents)) => {
                let indices = contents.elements.keys().cloned().map(Some).chain([None]);
                found.extend(indices.map(|index| (NumberOfInput::DrawnElement(number, index), format)));
            }
            None => found.push((NumberOfInput::Draw(number), format)),
        }
    }
    found
}

/// Plain numbers of the same sign around the number of a rank, plainest first; none where it is plain.
fn plainer(format: FloatFormat, rank: i64) -> Vec<i64> {
    let value = format.value(rank);
    let (size, sign) = (value.abs(), if rank < 0 { -1.0 } else { 1.0 });
    if (size * 100.0).fract() == 0.0 && size < 1e6 {
        return Vec::new();
    }
    let mut sizes = vec![0.0, 1.0];
    if !(size <= 1e6) {
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
