//! Random inputs of a function.

use super::words::{is_of_characters, random_text, string, words};
use crate::count::Random;
use crate::interp::{ArrayInput, Input};
use crate::logic::rank::FloatFormat;
use crate::logic::{Int, IntRange, SortedSet, gathered};
use crate::lts::inputs::{Inputs, inputs};
use crate::lts::{Expr, Lts};
use crate::symex::nearest;
use num_bigint::BigUint;

/// Values for `nondet()` in one input.
const DRAWN: usize = 60;
/// Characters of a text on standard input are fewer.
const TEXT: usize = 24;
/// Elements of an array of unknown length, and at most.
const ELEMENTS: usize = 8;
const MOST: usize = 40;
/// Small numbers: from the first to the last.
const SMALL: (i64, i64) = (-8, 24);

/// Draws inputs: half of the values are small, a quarter are constants of the function or beside one, the rest is uniform over the type.
pub struct RandomInputs<'a> {
    lts: &'a Lts,
    inputs: Inputs,
    constants: Vec<Int>,
    words: Vec<Vec<u8>>,
    random: Random,
    /// Whether the function reads standard input.
    reads: bool,
}

impl<'a> RandomInputs<'a> {
    /// The same seed gives the same inputs everywhere.
    pub fn new(lts: &'a Lts, seed: u64) -> RandomInputs<'a> {
        let (constants, words) = (near_constants(lts), words(lts));
        RandomInputs { lts, inputs: inputs(lts), constants, words, random: Random::new(seed), reads: lts.reads_stdin() }
    }

    /// The next input.
    pub fn draw(&mut self) -> Input {
        let lts = self.lts;
        let variables = self.inputs.variables.clone().into_iter().map(|id| &lts.variables[id.0 as usize]);
        let values = variables
            .filter(|variable| variable.first.is_none())
            .map(|variable| (variable.name.clone(), self.value(variable.start_range())));
        let values = gathered(values.collect::<Vec<_>>());
        let arrays = self.inputs.arrays.clone().into_iter().map(|id| &lts.arrays[id.0 as usize]);
        let arrays = arrays.filter(|array| array.first.is_none()).map(|array| {
            if !self.reads && is_of_characters(array) && self.draws_words() {
                return (array.name.clone(), string(&random_text(&self.words, &mut self.random)));
            }
            let length = array.length.as_ref().map_or(ELEMENTS, |length| length.to_i64().map_or(MOST, |length| MOST.min(length as usize)));
            let elements = (0..length).map(|index| (Int::from(index), self.value(array.start_range()))).collect::<Vec<_>>();
            let default = if self.below(2) == 0 { nearest(Int::ZERO, array.start_range()) } else { self.value(array.start_range()) };
            (array.name.clone(), ArrayInput { elements: gathered(elements), default })
        });
        let arrays = gathered(arrays.collect::<Vec<_>>());
        let nondet = (0..DRAWN).map(|_| self.value(None)).collect();
        let stdin = self.reads.then(|| self.text());
        Input { values, arrays, nondet, stdin, ..Input::default() }
    }

    /// A text on standard input: numbers, words, what stands between them, characters of the function; every second one of its words.
    fn text(&mut self) -> Vec<u8> {
        if self.draws_words() {
            return random_text(&self.words, &mut self.random);
        }
        let own: Vec<u8> = self.constants.iter().filter_map(|constant| u8::try_from(constant.to_i64()?).ok()).collect();
        let length = self.below(TEXT);
        let usual = b"0123456789012345678901234567890123456789 \n \n \n--+,;.abcxyz";
        (0..length)
            .map(|_| match self.below(4) {
                0 if !own.is_empty() => own[self.below(own.len())],
                _ => usual[self.below(usual.len())],
            })
            .collect()
    }

    fn draws_words(&mut self) -> bool {
        !self.words.is_empty() && self.below(2) == 0
    }

    fn value(&mut self, range: Option<IntRange>) -> Int {
        let value = match self.below(4) {
            0 if !self.constants.is_empty() => {
                let at = self.below(self.constants.len());
                self.constants[at].clone()
            }
            1 => {
                let IntRange { least, greatest } = range.unwrap_or(IntRange::of_bits(32, true));
                let size = BigUint::from((greatest - least) as u128 + 1);
                let offset = i128::try_from(self.random.below(&size)).unwrap_or(0);
                Int::from(least + offset)
            }
            _ => {
                let small = SMALL.0 + self.below((SMALL.1 - SMALL.0 + 1) as usize) as i64;
                Int::from(range.and_then(|range| FloatFormat::of_range(&range)).map_or(small, |format| format.rank(small as f64 / 2.0)))
            }
        };
        nearest(value, range)
    }

    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(&BigUint::from(bound)).try_into().unwrap_or(0)
    }
}

/// The constants of the function, and what lies beside them, in order.
pub fn near_constants(lts: &Lts) -> Vec<Int> {
    let near = constants(lts).into_iter().flat_map(|value| [&value - &Int::ONE, &value + &Int::ONE, value]);
    near.collect::<SortedSet<Int>>().into_iter().collect()
}

/// The constants of the function, in order.
pub fn constants(lts: &Lts) -> Vec<Int> {
    let mut found: SortedSet<Int> = SortedSet::new();
    for operand in lts.graph.edge_weights().flat_map(|edge| edge.label.operands()) {
        operand.walk(&mut |e| found.extend(if let Expr::Int(value) = e { Some(value.clone()) } else { None }));
    }
    found.into_iter().collect()
}
