//! The form of values: characters and strings in quotes, lists, members of structures, and the names of constants and nodes.

use super::input::quoted;
use super::names::{ANY, NOT_NULL};
use super::parts::InputLeaf;
use super::{InputValue, Number};
use crate::logic::{Int, IntRange, SortedMap};
use crate::lts::node_names::{block_of, cell_name, is_word, node_name};
use crate::lts::{Lts, PartStep, ValueMeaning, text};
use serde::{Deserialize, Serialize};

/// A list with more parts than this is cut.
const LIST_MOST: usize = 40;
/// So many parts of it are written then.
pub(super) const LIST_KEPT: usize = 32;
/// So many equal elements in a row are written as one part.
const RUN_LEAST: usize = 5;
/// So many elements of the default stand in front of a later one, more are passed by its index.
const GAP_MOST: i64 = 3;

/// A part of an input: `c = 'a'`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WrittenValue {
    pub name: String,
    pub text: String,
    /// The field of a form in which it stands, where that has another name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub field: Option<String>,
}

impl WrittenValue {
    pub(super) fn new(name: String, text: String) -> WrittenValue {
        WrittenValue { name, text, field: None }
    }
}

/// What a value is, in a list or a structure.
pub(super) enum WrittenNode {
    Value(String),
    /// Elements by their index, the text of zero, and the text of all others where that is another one.
    List(SortedMap<Int, WrittenNode>, String, Option<String>),
    /// Characters by their index, and their range.
    Characters(SortedMap<Int, Int>, Option<IntRange>),
    Members(Vec<(String, WrittenNode)>),
}

impl WrittenNode {
    pub(super) fn text(&self) -> String {
        match self {
            WrittenNode::Value(text) => text.clone(),
            WrittenNode::Members(members) => {
                let members: Vec<String> = members.iter().map(|(name, value)| format!(".{name} = {}", value.text())).collect();
                format!("{{{}}}", members.join(", "))
            }
            WrittenNode::List(items, zero, rest) => {
                list(items.iter().map(|(index, item)| (index.clone(), item.text())).collect(), zero, rest.as_deref())
            }
            WrittenNode::Characters(codes, range) => string(codes, *range).unwrap_or_else(|| characters(codes, *range)),
        }
    }

    /// As the contents of so many elements: characters that fill them all are no string, which would end with a zero.
    pub(super) fn text_of(&self, count: usize) -> String {
        match self {
            WrittenNode::Characters(..) if count == 0 => "{}".to_owned(),
            WrittenNode::Characters(codes, range) if codes.len() >= count => characters(codes, *range),
            _ => self.text(),
        }
    }
}

fn characters(codes: &SortedMap<Int, Int>, range: Option<IntRange>) -> String {
    let character = |code: &Int| character(code, range).unwrap_or_else(|| code.to_string());
    list(codes.iter().map(|(index, code)| (index.clone(), character(code))).collect(), "'\\0'", None)
}

/// Puts a value where these steps lead; without one only makes the first list on the way.
pub(super) fn insert_at(
    node: &mut Option<WrittenNode>,
    leaf: &InputLeaf,
    lts: &Lts,
    steps: &[PartStep],
    indices: &[Int],
    made: Option<WrittenNode>,
    number: Option<&Number>,
) -> Option<()> {
    match (steps, indices) {
        ([], _) if leaf.values == ValueMeaning::ElementIndices => {
            let (made, own) = (made?, node.take());
            *node = Some(match (own, made) {
                (Some(WrittenNode::Value(block)), WrittenNode::Value(at)) if at == "0" || block == "NULL" => WrittenNode::Value(block),
                (Some(WrittenNode::Value(block)), WrittenNode::Value(at)) => WrittenNode::Value(format!("{block} + {at}")),
                // The block is not read.
                (None, _) => WrittenNode::Value(ANY.to_owned()),
                (Some(own), _) => own,
            });
            Some(())
        }
        ([], _) => {
            *node = Some(made?);
            Some(())
        }
        ([PartStep::Member(name), rest @ ..], _) => {
            let WrittenNode::Members(members) = node.get_or_insert_with(|| WrittenNode::Members(Vec::new())) else { return None };
            let at = members.iter().position(|(own, _)| own == name);
            let mut inner = at.map(|at| members.remove(at).1);
            let done = insert_at(&mut inner, leaf, lts, rest, indices, made, number);
            let inner = inner?;
            members.insert(at.unwrap_or(members.len()), (name.clone(), inner));
            done
        }
        ([PartStep::Elements(_)], _) if leaf.values == ValueMeaning::Characters => {
            let WrittenNode::Characters(codes, _) = node.get_or_insert_with(|| WrittenNode::Characters(SortedMap::new(), leaf.range))
            else {
                return None;
            };
            if let [index, ..] = indices {
                codes.insert(index.clone(), number?.to_int()?);
            }
            Some(())
        }
        ([PartStep::Pointers(members), rest @ ..], [which, indices @ ..]) => {
            let member = members.get(usize::try_from(which.to_i64()?).ok()?)?;
            let steps: Vec<PartStep> = std::iter::once(PartStep::Member(member.clone())).chain(rest.iter().cloned()).collect();
            insert_at(node, leaf, lts, &steps, indices, made, number)
        }
        ([PartStep::Node(_) | PartStep::Pointers(_), ..], _) => None,
        ([PartStep::Elements(_), rest @ ..], _) => {
            let zero = if rest.is_empty() { value_text(lts, leaf, &Number::Small(0)) } else { "{0}".to_owned() };
            let WrittenNode::List(items, ..) = node.get_or_insert_with(|| WrittenNode::List(SortedMap::new(), zero, None)) else {
                return None;
            };
            let [index, inner @ ..] = indices else { return Some(()) };
            let mut item = items.remove(index);
            let done = insert_at(&mut item, leaf, lts, rest, inner, made, number);
            items.insert(index.clone(), item?);
            done
        }
    }
}

/// Elements in C's order, the first ones without their indices.
fn list(items: Vec<(Int, String)>, zero: &str, rest: Option<&str>) -> String {
    let mut parts: Vec<(String, usize)> = Vec::new();
    let mut next = Int::ZERO;
    for group in items.chunk_by(|(a, x), (b, y)| x == y && a + &Int::ONE == *b) {
        let (first, text) = &group[0];
        let gap = (first - &next).to_i64();
        let is_run = group.len() >= RUN_LEAST;
        if let Some(gap @ 0..=GAP_MOST) = gap.filter(|gap| rest.is_none() && !is_run || *gap == 0) {
            parts.extend((0..gap).map(|_| (zero.to_owned(), 1)));
        }
        let follows = gap.is_some_and(|gap| gap == 0 || rest.is_none() && (0..=GAP_MOST).contains(&gap));
        let last = &group[group.len() - 1].0;
        if is_run {
            parts.push((format!("[{first} ... {last}] = {text}"), group.len()));
        } else {
            let own = group.iter().enumerate().map(|(at, (index, _))| match follows || at > 0 {
                true => (text.clone(), 1),
                false => (format!("[{index}] = {text}"), 1),
            });
            parts.extend(own);
        }
        next = last + &Int::ONE;
    }
    if parts.len() > LIST_MOST {
        let more: usize = parts.split_off(LIST_KEPT).iter().map(|(_, count)| count).sum();
        parts.push((format!("… {more} more"), 0));
    }
    match rest {
        Some(rest) if parts.is_empty() => parts.push((format!("all {rest}"), 0)),
        Some(rest) => parts.push((format!("then {rest}"), 0)),
        None if parts.is_empty() => parts.push((zero.to_owned(), 0)),
        None => {}
    }
    let parts: Vec<String> = parts.into_iter().map(|(part, _)| part).collect();
    format!("{{{}}}", parts.join(", "))
}

/// Characters that start at the first element as a string, if none comes after its end and all are bytes.
fn string(codes: &SortedMap<Int, Int>, range: Option<IntRange>) -> Option<String> {
    let mut bytes = String::new();
    for ((index, code), at) in codes.iter().zip(0i64..) {
        if *index != Int::from(at) || code.is_zero() {
            return None;
        }
        bytes.push(char::from(byte(code, range)?));
    }
    Some(quoted(&bytes))
}

/// The byte that is a character of this range.
fn byte(code: &Int, range: Option<IntRange>) -> Option<u8> {
    let code = code.to_i64()?;
    let is_within = match range {
        Some(range) => range.contains(&Int::from(code)) && (-128..=255).contains(&code),
        None => (0..=127).contains(&code),
    };
    is_within.then_some(code as u8)
}

/// A character in quotes.
fn character(code: &Int, range: Option<IntRange>) -> Option<String> {
    let byte = byte(code, range)?;
    Some(match byte {
        b'\n' => "'\\n'".to_owned(),
        b'\t' => "'\\t'".to_owned(),
        b'\r' => "'\\r'".to_owned(),
        0 => "'\\0'".to_owned(),
        b'\'' | b'\\' => format!("'\\{}'", char::from(byte)),
        b' '..=b'~' => format!("'{}'", char::from(byte)),
        byte => format!("'\\x{byte:02x}'"),
    })
}

/// A value of an input.
pub(super) fn value_text(lts: &Lts, leaf: &InputLeaf, value: &Number) -> String {
    let plain = || plain_number(value);
    let Some(number) =
        value.to_int().filter(|_| !matches!(value, Number::Large(text) if text.contains(|c: char| !c.is_ascii_digit() && c != '-')))
    else {
        return plain();
    };
    match leaf.values {
        ValueMeaning::Characters => character(&number, leaf.range).unwrap_or_else(plain),
        ValueMeaning::Nodes { structure, .. } if !number.is_zero() && !number.is_negative() => match node_name(lts, structure, &number) {
            Some(name) if block_of(lts, structure).is_some() => name,
            name => name.map_or_else(plain, |name| format!("&{name}")),
        },
        ValueMeaning::Cells { structure, members, .. } if !number.is_zero() && !number.is_negative() => {
            let members = lts.value_names.classes.get(members as usize);
            members.and_then(|members| cell_name(lts, structure, members, &number)).map_or_else(plain, |name| format!("&{name}"))
        }
        // It was never set.
        ValueMeaning::Nodes { .. } | ValueMeaning::Cells { .. } if number.is_negative() => ANY.to_owned(),
        ValueMeaning::Truths if number.is_zero() => "false".to_owned(),
        ValueMeaning::Truths if number.is_one() => "true".to_owned(),
        ValueMeaning::Addresses if number.is_zero() => "NULL".to_owned(),
        ValueMeaning::Addresses if number.is_one() => NOT_NULL.to_owned(),
        values => text::named(lts, values, &number).filter(|name| is_word(name)).map_or_else(plain, str::to_owned),
    }
}

pub(super) fn is_zero(value: &Number) -> bool {
    value.to_int().is_some_and(|value| value.is_zero())
}

/// A number; leaves out the middle of a very long one.
pub fn plain_number(value: &Number) -> String {
    match value {
        Number::Small(value) => value.to_string(),
        Number::Large(digits) if digits.len() > 100 => {
            format!("{}…{} ({} digits)", &digits[..20], &digits[digits.len() - 20..], digits.len())
        }
        // Documents say the format of every number; these have one name in all formats.
        Number::Large(digits) if digits.ends_with("INFINITYf") || digits == "NANf" => digits.trim_end_matches('f').to_owned(),
        Number::Large(digits) => digits.clone(),
    }
}

/// A value by its numbers alone.
pub fn plain_value(value: &InputValue) -> String {
    match value {
        InputValue::Scalar(value) => plain_number(value),
        InputValue::Array(elements) => {
            let zero = Number::Small(0);
            let default = elements.get("default").unwrap_or(&zero);
            let own = elements.iter().filter(|(index, value)| *index != "default" && *value != default);
            let items: SortedMap<Int, String> = own.filter_map(|(index, value)| Some((Int::parse(index)?, plain_number(value)))).collect();
            list(items.into_iter().collect(), "0", Some(default).filter(|default| !is_zero(default)).map(plain_number).as_deref())
        }
    }
}
