//! The numbers of an input, one by one.

use crate::interp::Input;
use crate::logic::{Int, IntRange};
use crate::lts::text::{drawn_ranges, ranges_in};
use crate::lts::{EdgeId, Lts, Print};

/// A number of an input; of an array the element, or the default of all others.
pub enum NumberOfInput {
    Value(String),
    Element(String, Option<Int>),
    Draw(usize),
    DrawnElement(u32, Option<Int>),
}

impl NumberOfInput {
    /// Where the input has it.
    pub fn value<'i>(&self, input: &'i mut Input) -> Option<&'i mut Int> {
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

/// The numbers of an input whose run takes the path, with the ranges of their types.
pub fn numbers(lts: &Lts, input: &Input, path: &[EdgeId]) -> Vec<(NumberOfInput, Option<IntRange>)> {
    let mut found = Vec::new();
    for variable in lts.variables.iter().filter(|variable| input.values.contains_key(&variable.name)) {
        found.push((NumberOfInput::Value(variable.name.clone()), variable.start_range()));
    }
    for array in &lts.arrays {
        let Some(contents) = input.arrays.get(&array.name) else { continue };
        let indices = contents.elements.keys().cloned().map(Some).chain([None]);
        found.extend(indices.map(|index| (NumberOfInput::Element(array.name.clone(), index), array.start_range())));
    }
    // Where the input has a text, what reads of it give is in that.
    let reads = input.stdin.is_none();
    let before = lts.at_entry.prints.iter().flat_map(Print::operands).flat_map(|operand| ranges_in(operand, reads));
    let drawn = before.chain(path.iter().flat_map(|&edge| drawn_ranges(lts, &lts.graph[edge], reads)));
    for ((number, _), range) in input.nondet.iter().enumerate().zip(drawn) {
        match u32::try_from(number).ok().and_then(|number| Some((number, input.contents.get(&number)?))) {
            Some((number, contents)) => {
                let indices = contents.elements.keys().cloned().map(Some).chain([None]);
                found.extend(indices.map(|index| (NumberOfInput::DrawnElement(number, index), range)));
            }
            None => found.push((NumberOfInput::Draw(number), range)),
        }
    }
    found
}
