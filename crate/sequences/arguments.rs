//! Arguments that calls are tried with.

use crate::interp::{ArrayInput, Input};
use crate::logic::rank::FloatFormat;
use crate::logic::{Arrange, Int, IntRange, SortedSet};
use crate::lts::inputs::inputs;
use crate::lts::node_cells::of_nodes;
use crate::lts::{Lts, Origin, ValueMeaning};
use crate::run::random_inputs::near_constants;

/// The inputs that one function is called with, at most.
const MOST_ARGUMENTS: usize = 32;

/// Integers that are arguments besides the ones that other inputs of the function have.
const USUAL: [i64; 5] = [0, 1, 2, -1, 3];

/// The first characters of texts that are arguments.
const LETTERS: [i64; 3] = [0, 97, 98];

/// The greatest integer that is taken from another input or from the function.
const GREATEST: i64 = 1 << 31;

/// Integers that are taken from other inputs, and from the function, at most.
const MOST_INTEGERS: usize = 8;
const MOST_CONSTANTS: usize = 24;

/// Values that a call draws, at most.
const DRAWS: usize = 20;

/// What a function can be called with.
pub struct CallArguments {
    /// Parameters that are numbers, with the ranges of their types.
    scalars: Vec<(String, Option<IntRange>)>,
    /// Parameters that are texts.
    texts: Vec<String>,
    draws: bool,
    /// What calls from every state have.
    pub usual: Vec<Input>,
}

impl CallArguments {
    /// Those of the function, beginning with `given`; `from_any` are inputs of functions of the program.
    pub fn new(lts: &Lts, given: Vec<Input>, from_any: &[Input]) -> CallArguments {
        let all = inputs(lts);
        let variables = all.variables.iter().map(|id| lts.variable(*id));
        let scalars = variables.filter(|variable| variable.origin == Origin::Parameter && variable.values.is_numeric());
        let arrays = all.arrays.iter().map(|id| lts.array(*id));
        let texts = arrays.filter(|array| array.first.is_none() && of_nodes(array).is_none() && array.values == ValueMeaning::Characters);
        let mut arguments = CallArguments {
            scalars: scalars.map(|variable| (variable.name.clone(), variable.start_range())).collect(),
            texts: texts.map(|array| array.name.clone()).collect(),
            draws: lts.graph.edge_weights().any(|edge| edge.nondets() > 0),
            usual: given,
        };
        let mut integers = integers(from_any);
        arguments.usual.extend(arguments.combined(&integers));
        let mut constants = near_constants(lts);
        constants.arrange_by_key(Int::abs);
        constants.retain(|value| value.abs() <= Int::from(GREATEST) && !integers.contains(value));
        integers.extend(constants.into_iter().take(MOST_CONSTANTS));
        for value in &integers {
            arguments.usual.extend(arguments.with_value(value));
        }
        let mut distinct: Vec<Input> = Vec::new();
        for input in arguments.usual.drain(..) {
            if distinct.len() < MOST_ARGUMENTS && !distinct.contains(&input) {
                distinct.push(input);
            }
        }
        CallArguments { usual: distinct, ..arguments }
    }

    /// Every combination of a few of these integers.
    fn combined(&self, integers: &[Int]) -> Vec<Input> {
        let each = match self.scalars.len() {
            0 | 1 => integers.len(),
            2 => 4,
            3 => 3,
            _ => 2,
        };
        let integers = &integers[..each.min(integers.len())];
        let least = if self.texts.is_empty() { 1 } else { LETTERS.len() };
        let count = integers.len().pow(self.scalars.len().min(4) as u32).clamp(least, MOST_ARGUMENTS);
        let of_number = |number: usize| {
            let mut rest = number;
            let mut input = Input::default();
            for (at, (name, range)) in self.scalars.iter().enumerate() {
                let value = integers.get(rest % integers.len()).cloned().unwrap_or_default();
                rest /= integers.len();
                input.values.insert(name.clone(), in_type(if at < 4 { &value } else { &Int::ONE }, *range)?);
            }
            for name in &self.texts {
                let letter = Int::from(LETTERS[number % LETTERS.len()]);
                let elements = [(Int::ZERO, letter)].into_iter().filter(|(_, letter)| !letter.is_zero()).collect();
                input.arrays.insert(name.clone(), ArrayInput { elements, default: Int::ZERO });
            }
            Some(input)
        };
        (0..count).filter_map(of_number).collect()
    }

    /// One parameter has this value, or all that the call draws; everything else is 0.
    pub fn with_value(&self, value: &Int) -> Vec<Input> {
        let zero = || -> Option<Input> {
            let values = self.scalars.iter().map(|(name, range)| Some((name.clone(), in_type(&Int::ZERO, *range)?)));
            Some(Input { values: values.collect::<Option<_>>()?, ..Input::default() })
        };
        let of_one = |(name, range): &(String, Option<IntRange>)| {
            let mut input = zero()?;
            input.values.insert(name.clone(), in_type(value, *range)?);
            Some(input)
        };
        let drawn = self.draws.then(|| Some(Input { nondet: vec![value.clone(); DRAWS], ..zero()? })).flatten();
        self.scalars.iter().filter_map(of_one).chain(drawn).collect()
    }
}

/// The integer as a value of a type, if it is one.
fn in_type(value: &Int, range: Option<IntRange>) -> Option<Int> {
    let format = range.and_then(|range| FloatFormat::of_range(&range));
    let value = match (format, value.to_i64()) {
        (Some(format), Some(value)) => Int::from(format.rank_of_integer(value.into())),
        _ => value.clone(),
    };
    range.is_none_or(|range| range.contains(&value)).then_some(value)
}

/// The integers in inputs, and usual ones.
fn integers(from_any: &[Input]) -> Vec<Int> {
    let mut found: SortedSet<Int> = SortedSet::new();
    for input in from_any {
        let elements = input.arrays.values().flat_map(|array| array.elements.values());
        let numbers = input.values.values().chain(elements).chain(&input.nondet);
        found.extend(numbers.filter(|value| value.abs() <= Int::from(GREATEST)).cloned());
    }
    let usual: Vec<Int> = USUAL.into_iter().map(Int::from).collect();
    let mut others = found.into_iter().filter(|value| !usual[..3].contains(value)).collect::<Vec<_>>();
    others.arrange_by_key(Int::abs);
    others.truncate(MOST_INTEGERS);
    let rest = usual[3..].iter().filter(|value| !others.contains(value)).cloned().collect::<Vec<_>>();
    usual[..3].iter().cloned().chain(others).chain(rest).collect()
}
