//! Inputs beside an input, with one edit in a sequence: an element replaced, repeated or left out. Texts on standard input and arrays are
//! sequences; a number that is changed alone never makes one longer.

use crate::interp::Input;
use crate::logic::{Int, IntRange, SortedSet};
use crate::lts::Lts;

/// Elements at the beginning of a sequence that are edited.
const EDITED: usize = 12;
/// Values that replace an element.
const VALUES: usize = 40;

/// A sequence of an input.
enum Sequence {
    Text,
    /// Elements of an array of this name, and which values they can have.
    Array(String, Option<IntRange>),
}

/// The inputs that differ from `input` by one edit; elements get each other's values, and `constants` of the function.
pub fn edited_inputs<'a>(lts: &'a Lts, input: &'a Input, constants: &'a [Int]) -> impl Iterator<Item = Input> + 'a {
    let text = input.stdin.as_ref().map(|_| Sequence::Text);
    let arrays = lts.arrays.iter().filter(|array| array.first.is_none() && input.arrays.contains_key(&array.name));
    let arrays = arrays.map(|array| Sequence::Array(array.name.clone(), array.start_range()));
    text.into_iter().chain(arrays).flat_map(move |sequence| {
        let edits = sequence.elements(input).map_or_else(Vec::new, |elements| {
            let edits = edits(&elements, &sequence.values(&elements, constants));
            edits.into_iter().map(|edited| sequence.with(input, &edited)).collect()
        });
        edits.into_iter()
    })
}

impl Sequence {
    /// The elements up to the last that the input gives, in order.
    fn elements(&self, input: &Input) -> Option<Vec<Int>> {
        match self {
            Sequence::Text => Some(input.stdin.as_ref()?.iter().map(|&byte| Int::from(i64::from(byte))).collect()),
            Sequence::Array(name, _) => {
                let contents = input.arrays.get(name)?;
                // After a 0 a string has ended.
                let given = (0..).map_while(|index| contents.elements.get(&Int::from(index as i64)).cloned());
                Some(given.take_while(|element| !element.is_zero()).collect())
            }
        }
    }

    /// The values that elements can get.
    fn values(&self, elements: &[Int], constants: &[Int]) -> Vec<Int> {
        let range = match self {
            Sequence::Text => Some(IntRange { least: 1, greatest: 255 }),
            Sequence::Array(_, range) => *range,
        };
        let all: SortedSet<&Int> =
            elements.iter().chain(constants).filter(|value| range.is_none_or(|range| range.contains(value))).collect();
        all.into_iter().take(VALUES).cloned().collect()
    }

    /// The input with these elements.
    fn with(&self, input: &Input, elements: &[Int]) -> Input {
        let mut edited = input.clone();
        match self {
            Sequence::Text => edited.stdin = Some(elements.iter().filter_map(|element| u8::try_from(element.to_i64()?).ok()).collect()),
            Sequence::Array(name, _) => {
                let mut contents = input.arrays.get(name).cloned().unwrap_or_default();
                let old = self.elements(input).map_or(0, |elements| elements.len());
                // A 0 after the elements stays after them.
                let has_end = contents.elements.contains_key(&Int::from(old as i64));
                for (index, element) in elements.iter().enumerate() {
                    contents.elements.insert(Int::from(index as i64), element.clone());
                }
                if elements.len() < old || elements.len() > old && has_end {
                    contents.elements.insert(Int::from(elements.len() as i64), Int::ZERO);
                }
                edited.arrays.insert(name.clone(), contents);
            }
        }
        edited
    }
}

/// The sequences that differ by one edit.
fn edits(elements: &[Int], values: &[Int]) -> Vec<Vec<Int>> {
    let mut all = Vec::new();
    for position in 0..elements.len().min(EDITED) {
        let mut repeated = elements.to_vec();
        repeated.insert(position, elements[position].clone());
        let mut shorter = elements.to_vec();
        shorter.remove(position);
        all.extend([repeated, shorter]);
        for value in values.iter().filter(|value| **value != elements[position]) {
            let mut replaced = elements.to_vec();
            replaced[position] = value.clone();
            all.push(replaced);
        }
    }
    if elements.is_empty() {
        all.extend(values.iter().map(|value| vec![value.clone()]));
    }
    all
}
