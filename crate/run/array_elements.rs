//! Arrays of callers that have elements: C has no array of none, and a failing run with one would tell a reader little.

use crate::interp::Input;
use crate::logic::Int;
use crate::lts::{BLOCK_INDICES, Lts};

/// A letter for arrays of characters that nothing is said of.
const LETTER: i64 = 120;

/// How many of a caller's arrays get elements.
const ARRAYS: i64 = 4;

/// An input with one element in each array of a caller that has none: a letter, or another value that is no end of a string.
pub fn with_elements(lts: &Lts, mut input: Input) -> Input {
    for items in &lts.arrays {
        let length = items.name.strip_suffix(".items").map(|stem| format!("{stem}.length"));
        let Some(length) = length.filter(|length| lts.arrays.iter().any(|other| other.name == *length)) else { continue };
        let letter = Int::from(LETTER);
        let value = if items.range.is_none_or(|range| range.contains(&letter)) { letter } else { Int::ONE };
        for number in 1..=ARRAYS {
            let lengths = input.arrays.entry(length.clone()).or_default();
            let is_empty = lengths.elements.get(&Int::from(number)).unwrap_or(&lengths.default).is_zero();
            if is_empty {
                lengths.elements.insert(Int::from(number), Int::ONE);
                let first = &Int::from(BLOCK_INDICES) * &Int::from(number);
                input.arrays.entry(items.name.clone()).or_default().elements.insert(first, value.clone());
            }
        }
    }
    input
}
