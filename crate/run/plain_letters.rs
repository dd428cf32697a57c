//! Test inputs with letters for other characters, and without what stands after the end of a string, as long as the execution stays the same.
//!
//! A model of a path's condition has the least character that differs from others, as `\001`, which is correct and hard to read.

use super::input_numbers::{NumberOfInput, numbers};
use crate::interp::{Input, Machine};
use crate::logic::Int;
use crate::lts::{EdgeId, Lts, ValueMeaning};
use crate::solver::meter::{Meter, RUN_STEPS};

/// Characters that are looked at one by one.
const MOST: usize = 16;
/// What replaces a character, the first that leaves the execution as it is.
const LETTERS: &[u8] = b"xa0 -~";

/// The input with letters for its characters that no keyboard has, where its run still takes `path` first.
pub fn plain_letters(lts: &Lts, machine: &Machine, input: Input, path: &[EdgeId], meter: &mut Meter) -> Input {
    let mut stays = |tried: &Input| meter.spend(path.len() as u64 / RUN_STEPS + 1).is_ok() && machine.replay(tried, path).is_ok();
    let mut plain = input;
    let ended = without_rest(lts, &plain);
    if ended != plain && stays(&ended) {
        plain = ended;
    }
    let is_character = |name: &str| {
        let variable = lts.variables.iter().any(|one| one.name == name && one.values == ValueMeaning::Characters);
        variable || lts.arrays.iter().any(|one| one.name == name && one.values == ValueMeaning::Characters)
    };
    let mut other = Vec::new();
    for (number, _) in numbers(lts, &plain, path) {
        let (NumberOfInput::Value(name) | NumberOfInput::Element(name, _)) = &number else { continue };
        if is_character(name) && number.value(&mut plain).is_some_and(|value| !is_readable(value)) {
            other.push(number);
        }
    }
    let with = |from: &Input, number: &NumberOfInput, letter: u8| {
        let mut tried = from.clone();
        if let Some(value) = number.value(&mut tried) {
            *value = Int::from(i64::from(letter));
        }
        tried
    };
    let all = other.iter().fold(plain.clone(), |input, number| with(&input, number, LETTERS[0]));
    if other.is_empty() || stays(&all) {
        return all;
    }
    for number in other.iter().take(MOST) {
        if let Some(tried) = LETTERS.iter().map(|&letter| with(&plain, number, letter)).find(|tried| stays(tried)) {
            plain = tried;
        }
    }
    plain
}

/// Whether a text can show the character: an end, white space, or a printable character of ASCII.
fn is_readable(value: &Int) -> bool {
    value.to_i64().is_some_and(|value| matches!(value, 0 | 9 | 10 | 32..=126))
}

/// The input without the elements of strings after their ends.
fn without_rest(lts: &Lts, input: &Input) -> Input {
    let mut ended = input.clone();
    for array in lts.arrays.iter().filter(|array| array.values == ValueMeaning::Characters) {
        let Some(contents) = ended.arrays.get_mut(&array.name) else { continue };
        let value = |index: i64| contents.elements.get(&Int::from(index)).unwrap_or(&contents.default).is_zero();
        let most = contents.elements.len() as i64;
        let Some(end) = (0..=most).find(|&index| value(index)) else { continue };
        contents.elements = contents
            .elements
            .iter()
            .filter(|(index, _)| **index <= Int::from(end))
            .map(|(index, value)| (index.clone(), value.clone()))
            .collect();
        contents.default = Int::ZERO;
    }
    ended
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::ArrayInput;
    use crate::lts::lower::lower;

    /// Characters that nothing tests become letters, what is tested stays, and a string ends at its end.
    #[test]
    fn letters_stand_for_other_characters() {
        let text = "int f(const char *s, char c) { if (s[0] == ':' && s[1] != '/' && s[2] > 126 - 1 && c < 0) return 1; return 0; }";
        let lts = lower(&crate::lang::parse(text).program.expect("no error"), None).expect("no error").lts;
        let machine = Machine::new(&lts);
        let given = |text: &[i64], default: i64| ArrayInput {
            elements: (0..).map(Int::from).zip(text.iter().map(|&byte| Int::from(byte))).collect(),
            default: Int::from(default),
        };
        let input = Input {
            values: [("c".to_owned(), Int::from(-5))].into_iter().collect(),
            arrays: [(lts.arrays[0].name.clone(), given(&[i64::from(b':'), 1, 127, 0, 3], 4))].into_iter().collect(),
            ..Input::default()
        };
        let path = machine.run(&input, 100).edges;
        let plain = plain_letters(&lts, &machine, input.clone(), &path, &mut Meter::new(1_000));
        assert_eq!(machine.run(&plain, 100).edges, path);
        assert_eq!(plain.values, input.values);
        assert_eq!(plain.arrays.values().next(), Some(&given(&[i64::from(b':'), i64::from(b'x'), i64::from(b'~'), 0], 0)));
    }
}
