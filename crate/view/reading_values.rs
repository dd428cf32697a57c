//! Reads the values of scalars in written inputs: numbers, characters, names of constants, and addresses.

use super::Number;
use super::names::NOT_NULL;
use super::parts::InputLeaf;
use super::syntax::{GivenKind, GivenValue, WrittenFault};
use crate::logic::{Int, IntRange};
use crate::lts::node_names::{block_of, cell_of, node_of};
use crate::lts::{Lts, ValueMeaning, null_index};

/// A value of a scalar or an element.
pub(super) fn scalar(lts: Option<&Lts>, leaf: &InputLeaf, given: &GivenValue) -> Result<Number, WrittenFault> {
    let is_real = leaf.range.and_then(|range| crate::logic::rank::FloatFormat::of_range(&range)).is_some();
    let value = match &given.kind {
        // `NAN` and `INFINITY` are words.
        GivenKind::Number(number) | GivenKind::Word(number) if is_real => {
            let is_number = |text: &str| crate::logic::decimal::parse(text).is_some() || Int::parse(text).is_some();
            return match is_number(number.trim_end_matches('f')) || is_number(number) {
                true => Ok(Number::Large(number.clone())),
                false => Err((given.at, format!("`{number}` is not a number, as `-2.5` is"))),
            };
        }
        GivenKind::Number(number) => integer(number).ok_or_else(|| (given.at, format!("`{number}` is not an integer")))?,
        GivenKind::Character(byte) => {
            let code = Int::from(i64::from(*byte));
            leaf.range.filter(|range| range.greatest < 256).map_or(code.clone(), |range| range.wrap(&code))
        }
        GivenKind::Word(word) => constant(lts, leaf, word).ok_or_else(|| (given.at, unknown_word(lts, leaf, word)))?,
        GivenKind::Address(name) => {
            let number = match (leaf.values, lts) {
                (ValueMeaning::Nodes { structure, .. }, Some(lts)) => {
                    node_of(lts, name).filter(|(own, _)| *own == structure).map(|(_, number)| number)
                }
                (ValueMeaning::Cells { structure, members, .. }, Some(lts)) => {
                    lts.value_names.classes.get(members as usize).and_then(|members| cell_of(lts, structure, members, name))
                }
                _ => None,
            };
            number.ok_or_else(|| (given.at, unknown_word(lts, leaf, &format!("&{name}"))))?
        }
        GivenKind::Moved(name, _) => return Err((given.at, format!("one value is needed here, not a sum with `{name}`"))),
        GivenKind::Text(_) => {
            return Err((given.at, "a string is for an array of characters: one character stands in single quotes".to_owned()));
        }
        GivenKind::List(_) => return Err((given.at, "one value is needed here, not a list".to_owned())),
    };
    match leaf.range {
        Some(_)
            if value.is_zero()
                && matches!(leaf.values, ValueMeaning::Nodes { least: 1, .. } | ValueMeaning::Cells { may_start_null: false, .. }) =>
        {
            Err((given.at, format!("the function expects that this is not NULL: give an address, as `{}`", node_example(lts, leaf))))
        }
        Some(IntRange { least, greatest }) if !is_real && !leaf.range.is_some_and(|range| range.contains(&value)) => {
            Err((given.at, format!("{value} is no value of its type: those are from {least} to {greatest}")))
        }
        _ => Ok(Number::from(&value)),
    }
}

/// An integer: decimal, or hexadecimal after `0x`.
fn integer(text: &str) -> Option<Int> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => Int::parse_radix(digits, 16)?,
        None if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => Int::parse(digits)?,
        None => return None,
    };
    Some(if negative { -value } else { value })
}

/// The value that a word stands for.
fn constant(lts: Option<&Lts>, leaf: &InputLeaf, word: &str) -> Option<Int> {
    let number = |names: &[String]| names.iter().position(|name| name == word);
    match (leaf.values, word) {
        (ValueMeaning::Indices | ValueMeaning::Objects(_), "NULL") => return Some(null_index()),
        (ValueMeaning::Functions | ValueMeaning::Addresses | ValueMeaning::Nodes { .. } | ValueMeaning::Cells { .. }, "NULL") => {
            return Some(Int::ZERO);
        }
        (ValueMeaning::Nodes { structure, .. }, _) if block_of(lts?, structure).is_some() => {
            return node_of(lts?, word).filter(|(own, _)| *own == structure).map(|(_, number)| number);
        }
        (ValueMeaning::Addresses, NOT_NULL) => return Some(Int::ONE),
        (ValueMeaning::Functions, _) => return number(&lts?.value_names.functions).map(|at| Int::from(at + 1)),
        (ValueMeaning::Objects(class), _) => return number(lts?.value_names.classes.get(class as usize)?).map(Int::from),
        (_, "true") => return Some(Int::ONE),
        (_, "false") => return Some(Int::ZERO),
        _ => {}
    }
    let mut constants = match leaf.values {
        ValueMeaning::Constants(own) => vec![lts?.value_names.enumerations.get(own as usize)?],
        _ => Vec::new(),
    };
    // Other constants are integers, too.
    constants.extend(lts?.value_names.enumerations.iter());
    constants.into_iter().flatten().find(|(name, _)| name == word).map(|(_, value)| value.clone())
}

/// A value of a pointer to nodes, or to pointers in nodes.
fn node_example(lts: Option<&Lts>, leaf: &InputLeaf) -> String {
    match lts {
        Some(lts) => super::form::value_text(lts, leaf, &Number::Small(1)),
        None => "&node1".to_owned(),
    }
}

fn unknown_word(lts: Option<&Lts>, leaf: &InputLeaf, word: &str) -> String {
    let names: Vec<&str> = match (leaf.values, lts) {
        (ValueMeaning::Constants(own), Some(lts)) => {
            lts.value_names.enumerations.get(own as usize).into_iter().flatten().map(|(name, _)| name.as_str()).collect()
        }
        (ValueMeaning::Functions, Some(lts)) => lts.value_names.functions.iter().map(String::as_str).chain(["NULL"]).collect(),
        (ValueMeaning::Nodes { .. } | ValueMeaning::Cells { .. }, Some(_)) => {
            return format!("`{word}` is no value of its type: NULL, {} and so on are", node_example(lts, leaf));
        }
        (ValueMeaning::Truths, _) => vec!["true", "false"],
        (ValueMeaning::Characters, _) => return format!("`{word}` is no value: a character stands in single quotes, as `'a'`"),
        _ => return format!("`{word}` is not an integer"),
    };
    format!("`{word}` is no value of its type: {}, or an integer, are", names.join(", "))
}
