//! Test inputs: turns the documents' form into the interpreter's, and back.
//!
//! A number is a JSON number where every reader keeps it exactly (below 2^53), else a decimal string. An array is an object from
//! index to value; the key `default` gives all other elements; without it they are 0.

use super::chosen::{complete, leave_out_others};
use super::{Input, InputValue, Number};
use crate::interp::{self, ArrayInput};
use crate::logic::rank::FloatFormat;
use crate::logic::{Int, IntRange, gathered};
use crate::lts::inputs::{arrays_along, read_along};
use crate::lts::{Array, ArrayId, Expr, Lts, Origin, VariableId, text};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

/// The greatest absolute value that a JSON number keeps exactly everywhere; a reader of 2^53 cannot know that the writer did not
/// mean 2^53 + 1.
const EXACT: u64 = (1 << 53) - 1;

/// How many steps of a run are looked at for the names of what it draws.
const NAMED_STEPS: u64 = 1_000_000;
/// As many for what it reads.
const READ_STEPS: u64 = 20_000;

impl From<&Int> for Number {
    fn from(value: &Int) -> Number {
        match value.to_i64() {
            Some(small) if small.unsigned_abs() <= EXACT => Number::Small(small),
            _ => Number::Large(value.to_string()),
        }
    }
}

impl Number {
    /// The integer, of a floating-point number its rank; `None` for a string that is neither.
    pub fn to_int(&self) -> Option<Int> {
        match self {
            Number::Small(small) => Some(Int::from(*small)),
            Number::Large(text) => decimal(text).or_else(|| crate::logic::decimal::parse(text).map(|(_, rank)| Int::from(rank))),
        }
    }

    /// A value of a variable with this range: of a floating-point number, which its rank is, the text in C.
    pub fn in_range(value: &Int, range: Option<IntRange>) -> Number {
        let number = range.and_then(|range| FloatFormat::of_range(&range)).zip(value.to_i64());
        number.map_or_else(|| value.into(), |(format, rank)| Number::Large(document_text(format, rank)))
    }
}

/// A floating-point number as documents have it: the text says the format.
fn document_text(format: FloatFormat, rank: i64) -> String {
    let text = format.text(rank);
    if format == FloatFormat::Single && !text.ends_with('f') { text + "f" } else { text }
}

/// Reads digits with an optional minus sign and nothing else (the number parsers would also take `+1` and `1_0`).
fn decimal(text: &str) -> Option<Int> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    Int::parse(text)
}

/// Where in an input something is not an integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadInput {
    /// E.g. `x`, `a["3"]`, `nondet[0]`.
    pub place: String,
    pub text: String,
}

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` in the input: \"{}\" is not an integer", self.place, self.text)
    }
}
impl std::error::Error for BadInput {}

/// Turns an input into the interpreter's form; names need not be those of a function.
///
/// # Errors
/// The first string that should be an integer and is not.
pub fn input(input: &Input) -> Result<interp::Input, BadInput> {
    let number = |number: &Number, place: &dyn Fn() -> String| {
        number
            .to_int()
            .ok_or_else(|| BadInput { place: place(), text: if let Number::Large(text) = number { text.clone() } else { String::new() } })
    };
    let array = |elements: &BTreeMap<String, Number>, name: &str| {
        let mut contents = ArrayInput::default();
        for (key, value) in elements {
            let value = number(value, &|| format!("{name}[\"{key}\"]"))?;
            if key == "default" {
                contents.default = value;
            } else {
                let index = decimal(key).ok_or_else(|| BadInput { place: name.to_owned(), text: key.clone() })?;
                contents.elements.insert(index, value);
            }
        }
        Ok(contents)
    };
    let mut result = interp::Input::default();
    for (name, value) in &input.values {
        match value {
            InputValue::Scalar(value) => drop(result.values.insert(name.clone(), number(value, &|| name.clone())?)),
            InputValue::Array(elements) => drop(result.arrays.insert(name.clone(), array(elements, name)?)),
        }
    }
    for (value, index) in input.nondet.iter().zip(0..) {
        let place = || format!("nondet[{index}]");
        result.nondet.push(match value {
            InputValue::Scalar(value) => number(value, &place)?,
            InputValue::Array(elements) => {
                result.contents.insert(index, array(elements, &place())?);
                Int::ZERO
            }
        });
    }
    result.stdin = input.stdin.as_deref().map(bytes_of);
    Ok(result)
}

/// The bytes of a text on standard input.
pub fn bytes_of(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for character in text.chars() {
        match u8::try_from(u32::from(character)) {
            Ok(byte) => bytes.push(byte),
            Err(_) => bytes.extend(character.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    bytes
}

/// A text on standard input as a string of C.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    let bytes = bytes_of(text);
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            b' '..=b'~' => out.push(char::from(byte)),
            // A digit after it would be read as a part of it.
            0 if !bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => out.push_str("\\0"),
            byte => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}

/// The inverse of [`bytes_of`].
fn text_of(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// Turns an input into the interpreter's form, as one of this function.
///
/// # Errors
/// Something is no integer, or does not fit the function, in words for people.
pub fn fitting(lts: &Lts, given: &Input) -> Result<interp::Input, String> {
    let read = input(&typed(lts, given)?).map_err(|error| error.to_string())?.together(lts).map_err(|error| error.to_string())?;
    interp::check_input(lts, &read).map_err(|error| error.to_string())?;
    Ok(read)
}

/// The input with the numbers of floating-point variables in the form of their format, whatever form they have.
fn typed(lts: &Lts, given: &Input) -> Result<Input, String> {
    let mut typed = given.clone();
    complete(lts, &mut typed);
    for (name, value) in &mut typed.values {
        let is_of = |own: &str| own == name;
        let objects = |array: &Array| array.objects.iter().any(|object| is_of(&object.name));
        let range = match (
            lts.variables.iter().find(|variable| is_of(&variable.name)),
            lts.arrays.iter().find(|array| is_of(&array.name) || objects(array)),
        ) {
            (Some(variable), _) => variable.start_range(),
            (None, Some(array)) => array.start_range(),
            (None, None) => continue,
        };
        let format = range.and_then(|range| FloatFormat::of_range(&range));
        let numbers: Vec<&mut Number> = match value {
            InputValue::Scalar(number) => vec![number],
            InputValue::Array(elements) => elements.values_mut().collect(),
        };
        for number in numbers {
            let text = match number {
                Number::Small(value) => value.to_string(),
                Number::Large(text) => text.clone(),
            };
            match (format, decimal(&text)) {
                (Some(format), Some(_)) => *number = Number::Large(format!("{text}.0{}", suffix(format))),
                (Some(format), None) => *number = Number::Large(format!("{}{}", text.trim_end_matches('f'), suffix(format))),
                (None, None) => return Err(format!("`{name}` in the input: \"{text}\" is not an integer")),
                (None, Some(_)) => {}
            }
        }
    }
    Ok(typed)
}

fn suffix(format: FloatFormat) -> &'static str {
    if format == FloatFormat::Single { "f" } else { "" }
}

/// Turns an input of `lts` into the documents' form. Where the function reads standard input, it has the text there.
pub fn input_view(lts: &Lts, input: &interp::Input) -> Input {
    if !input.nondet.is_empty() || lts.reads_stdin() || input.stdin.is_some() {
        input_view_by(lts, &interp::Machine::deep(lts), input)
    } else {
        viewed(lts, None, input)
    }
}

/// The same by a machine of the graph.
pub fn input_view_by(lts: &Lts, machine: &interp::Machine, input: &interp::Input) -> Input {
    let is_run = !input.nondet.is_empty() || lts.reads_stdin() || input.stdin.is_some();
    viewed(lts, is_run.then_some(machine), input)
}

/// The machine is there where the input draws values or has a text.
fn viewed(lts: &Lts, machine: Option<&interp::Machine>, input: &interp::Input) -> Input {
    let mut names = Vec::new();
    let mut told = None;
    let mut ranges = Vec::new();
    if let Some(machine) = machine.filter(|_| !input.nondet.is_empty() || lts.reads_stdin()) {
        let input = told.insert(machine.told(input));
        (names, ranges) = drawn_names(lts, machine, input);
    }
    let mut input = told.as_ref().unwrap_or(input).apart(lts);
    if let Some(machine) = machine.filter(|_| input.stdin.is_some()) {
        // Where conversions succeed, nothing reads what the objects have before.
        let path = machine.run(told.as_ref().unwrap_or(&input), READ_STEPS).edges;
        let (read, arrays) = (read_along(lts, &path), arrays_along(lts, &path));
        for (number, variable) in (0..).zip(&lts.variables) {
            if matches!(variable.origin, Origin::Local | Origin::Inlined) && !read.contains(&VariableId(number)) {
                input.values.remove(&variable.name);
            }
        }
        for (number, array) in (0..).zip(&lts.arrays) {
            if matches!(array.origin, Origin::Local | Origin::Inlined) && !arrays.contains(&ArrayId(number)) {
                input.arrays.remove(&array.name);
            }
        }
    }
    leave_out_others(lts, &mut input);
    // A static with its first value is what a run finds anyway.
    for variable in lts.variables.iter().filter(|variable| variable.first.is_some()) {
        if input.values.get(&variable.name) == variable.first.as_ref() {
            input.values.remove(&variable.name);
        }
    }
    for array in &lts.arrays {
        let is_first = |contents: &ArrayInput| array.first.as_ref().is_some_and(|first| contents.starts_as(first, array.length.as_ref()));
        if input.arrays.get(&array.name).is_some_and(is_first) {
            input.arrays.remove(&array.name);
        }
    }
    let of_variable =
        |name: &String| lts.variables.iter().find(|variable| variable.name == *name).and_then(|variable| variable.start_range());
    let is_of = |array: &Array, name: &String| array.name == *name || array.objects.iter().any(|object| object.name == *name);
    let of_array = |name: &String| lts.arrays.iter().find(|array| is_of(array, name)).and_then(|array| array.start_range());
    let scalar = |value: &Int, range| InputValue::Scalar(Number::in_range(value, range));
    let scalars = input.values.iter().map(|(name, value)| (name.clone(), scalar(value, of_variable(name))));
    let array = |contents: &ArrayInput, range| {
        let elements = contents.elements.iter().map(|(index, value)| (index.to_string(), Number::in_range(value, range)));
        InputValue::Array(gathered(elements.chain([("default".to_owned(), Number::in_range(&contents.default, range))])))
    };
    let arrays = input.arrays.iter().map(|(name, contents)| (name.clone(), array(contents, of_array(name))));
    // A value that only stands for what is computed is in no test, where none of the others is after it.
    let is_input = |(at, _): &(usize, &Int)| names.get(*at).is_none_or(|name| name != text::COMPUTED);
    let count = input.nondet.iter().enumerate().rfind(is_input).map_or(0, |(at, _)| at + 1);
    names.truncate(count);
    if names.iter().all(|name| name == text::NONDET) {
        names.clear();
    }
    let range_of = |number: u32| ranges.get(number as usize).copied().flatten();
    let drawn = input.nondet.iter().take(count).zip(0..).map(|(value, number)| match input.contents.get(&number) {
        Some(contents) => array(contents, range_of(number)),
        None => scalar(value, range_of(number)),
    });
    let stdin = input.stdin.as_deref().map(text_of);
    Input { values: gathered(scalars.chain(arrays)), nondet: drawn.collect(), nondet_names: names, written_as: Vec::new(), stdin }
}

/// What each drawn value of an input is, and which values it can have; no names where all are values of `nondet()`.
fn drawn_names(lts: &Lts, machine: &interp::Machine, input: &interp::Input) -> (Vec<String>, Vec<Option<IntRange>>) {
    let count = input.nondet.len();
    let before: Vec<&Expr> = lts.at_entry.prints.iter().flat_map(crate::lts::Print::operands).collect();
    let mut names: Vec<String> = before.iter().flat_map(|operand| text::drawn_in(lts, operand)).collect();
    let mut ranges: Vec<Option<IntRange>> = before.iter().flat_map(|operand| text::ranges_in(operand, false)).collect();
    machine.follow(input, NAMED_STEPS, |edge| {
        names.extend(text::drawn_by(lts, &lts.graph[edge]));
        ranges.extend(text::drawn_ranges(lts, &lts.graph[edge], false));
        if names.len() < count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    names.resize(count, text::NONDET.to_owned());
    if names.iter().all(|name| name == text::NONDET) {
        return (Vec::new(), ranges);
    }
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for name in names.iter_mut().filter(|name| ![text::NONDET, text::COMPUTED].contains(&name.as_str())) {
        // Calls of one function count together, whatever their arguments.
        let key = if name.ends_with("()") { &**name } else { name.split('(').next().unwrap_or_default() };
        let count = counts.entry(key.to_owned()).or_insert(0);
        *count += 1;
        *name = format!("{name} #{count}");
    }
    (names, ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<interp::Input, BadInput> {
        input(&serde_json::from_str(json).expect("an input document"))
    }

    #[test]
    fn inputs_go_both_ways() {
        let json = r#"{"a":{"-1":2,"10":"123456789012345678901234567890","default":-7},"x":-3,"y":"-9007199254740993","nondet":[1,{"2":-4,"default":3},9007199254740991]}"#;
        let parsed = read(json).expect("a valid input");
        let program = crate::lang::parse("int f(void) { return 0; }").program.expect("a program");
        let lts = crate::lts::lower::lower(&program, None).expect("a graph").lts;
        assert_eq!(parsed.values["y"], Int::parse("-9007199254740993").expect("digits"));
        assert_eq!(parsed.arrays["a"].default, Int::from(-7));
        assert_eq!(parsed.arrays["a"].elements[&Int::from(-1)], Int::from(2));
        assert_eq!(serde_json::to_string(&input_view(&lts, &parsed)).expect("plain data"), json);
        assert_eq!(read("{}"), Ok(interp::Input::default()));
        // A leading zero or an integer as a string is accepted, and written back in the normal form.
        let parsed = read(r#"{"x":"007"}"#).expect("a valid input");
        assert_eq!(serde_json::to_string(&input_view(&lts, &parsed)).expect("plain data"), r#"{"x":7,"nondet":[]}"#);
    }

    #[test]
    fn numbers_are_strings_beyond_exactness() {
        let json = |value: i64| serde_json::to_string(&Number::from(&Int::from(value))).expect("plain data");
        assert_eq!(
            [(1 << 53) - 1, 1 - (1 << 53), 1 << 53, -(1 << 53), i64::MIN].map(json),
            ["9007199254740991", "-9007199254740991", "\"9007199254740992\"", "\"-9007199254740992\"", "\"-9223372036854775808\""]
        );
    }

    #[test]
    fn what_is_no_integer_is_refused() {
        let error = |json| read(json).expect_err("not an integer").to_string();
        assert_eq!(error(r#"{"x":"1,5"}"#), "`x` in the input: \"1,5\" is not an integer");
        assert_eq!(error(r#"{"a":{"0":"+1"}}"#), "`a[\"0\"]` in the input: \"+1\" is not an integer");
        assert_eq!(error(r#"{"a":{"one":1}}"#), "`a` in the input: \"one\" is not an integer");
        assert_eq!(error(r#"{"nondet":[0,"-"]}"#), "`nondet[1]` in the input: \"-\" is not an integer");
        assert_eq!(error(r#"{"nondet":[0,{"3":"x"}]}"#), "`nondet[1][\"3\"]` in the input: \"x\" is not an integer");
        for json in [r#"{"x":1.5}"#, r#"{"x":null}"#, r#"{"x":[1]}"#, r#"{"nondet":3}"#] {
            assert!(serde_json::from_str::<Input>(json).is_err(), "{json}");
        }
    }
}
