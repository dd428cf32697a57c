//! Reads inputs in the form in which [`super::written`] writes them, and in that of documents: `c = 'a', s = "on", a = {3, 1, 2}`.

use super::command_line::CommandLineInputs;
use super::names::{ANY, END_OF_FILE, NOT_NULL};
use super::parts::{InputId, InputLeaf, InputObject, alone, input_objects};
use super::reading_values::scalar;
use super::syntax::{GivenKind, GivenValue, InputSyntax, ValueDesignator, WrittenFault};
use super::{Input, InputValue, Number};
use crate::logic::Int;
use crate::lts::node_cells::{block_items, block_lengths};
use crate::lts::node_names::{block_of, first_cell, node_name, node_of};
use crate::lts::{ArrayId, Lts, PartStep, ValueMeaning, text};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// An input as the fields of a form have it.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct InputFields {
    /// By the names of objects, as `'a'`, `"on"`, `{3, 1, 2}`, `{.value = 3}`, `NULL`, `any`.
    pub values: BTreeMap<String, String>,
    /// What is drawn, in order, with commas between.
    pub nondet: String,
    /// The text on standard input itself.
    pub stdin: Option<String>,
}

/// What is wrong with a written input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenError {
    /// The input or the field; empty where it is none of them.
    pub name: String,
    /// The character of the text, from 1.
    pub column: usize,
    /// What is wrong, and what helps.
    pub message: String,
}

impl fmt::Display for WrittenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.name {
            "" => write!(f, "the input, character {}: {}", self.column, self.message),
            name => write!(f, "`{name}` in the input, character {}: {}", self.column, self.message),
        }
    }
}
impl std::error::Error for WrittenError {}

/// Reads an input of the function from a line: parts with commas between.
///
/// # Errors
/// The first thing that cannot be read, or that the function has not.
pub fn read_line(lts: &Lts, line: &str) -> Result<Input, WrittenError> {
    let mut input = Input::default();
    let objects = input_objects(lts);
    let mut syntax = InputSyntax::new(line);
    let at = |name: &str, (at, message): WrittenFault| WrittenError { name: name.to_owned(), column: at + 1, message };
    if [format!("({ANY})"), "any input".to_owned()].contains(&line.trim().to_owned()) {
        return Ok(input);
    }
    let mut draws = false;
    while !syntax.at_end() {
        // `nondet() = 4, then 0`
        let _ = draws && syntax.words("then ");
        let start = syntax.position();
        let name = match syntax.name() {
            Some(name) => name,
            // Draws go on after a comma.
            None if draws => text::NONDET.to_owned(),
            None => return Err(at("", (start, "a name and `=` are missing, as in `n = 3`".to_owned()))),
        };
        draws = false;
        if name == "stdin" && !objects.iter().any(|object| object.name == "stdin") {
            input.stdin = read_stdin(&mut syntax).map_err(|fault| at("stdin", fault))?;
        } else if is_drawn(&name) && find(lts, &objects, &name).is_none() {
            draws = true;
            let given = syntax.value().map_err(|fault| at(&name, fault))?;
            input.nondet.push(drawn(&name, &given).map_err(|fault| at(&name, fault))?);
        } else {
            let Some(object) = find(lts, &objects, &name) else {
                return Err(at(&name, (start, unknown(lts, &objects))));
            };
            let given = syntax.value().map_err(|fault| at(&name, fault))?;
            put(lts, &object, &given, &mut input).map_err(|fault| at(&name, fault))?;
        }
        syntax.comma().map_err(|fault| at(&name, fault))?;
    }
    complete(lts, &mut input);
    Ok(input)
}

/// Reads an input of the function from the fields of a form; empty ones are left out.
///
/// # Errors
/// The first field that is wrong.
pub fn read_fields(lts: &Lts, fields: &InputFields) -> Result<Input, WrittenError> {
    let mut input = Input { stdin: fields.stdin.clone(), ..Input::default() };
    let objects = input_objects(lts);
    let at = |name: &str, (at, message): WrittenFault| WrittenError { name: name.to_owned(), column: at + 1, message };
    for (name, text) in fields.values.iter().filter(|(_, text)| !text.trim().is_empty()) {
        let mut syntax = InputSyntax::new(text);
        if objects.iter().any(|object| object.name == *name && object.structure().is_some()) {
            while !syntax.at_end() {
                let start = syntax.position();
                let node = syntax.name().and_then(|node| find(lts, &objects, &node).filter(|object| object.node.is_some()));
                let node = node.ok_or_else(|| at(name, (start, "nodes have names and values, as in `node1 = {.value = 3}`".to_owned())))?;
                let given = syntax.value().map_err(|fault| at(name, fault))?;
                put(lts, &node, &given, &mut input).map_err(|fault| at(name, fault))?;
                syntax.comma().map_err(|fault| at(name, fault))?;
            }
            continue;
        }
        // A field of another program is none of this one's.
        let Some(object) = find(lts, &objects, name) else { continue };
        let given = syntax.value().map_err(|fault| at(name, fault))?;
        syntax.end().map_err(|fault| at(name, fault))?;
        put(lts, &object, &given, &mut input).map_err(|fault| at(name, fault))?;
    }
    let mut syntax = InputSyntax::new(&fields.nondet);
    while !syntax.at_end() {
        let name = syntax.name().unwrap_or_default();
        let given = syntax.value().map_err(|fault| at("nondet", fault))?;
        input.nondet.push(drawn(&name, &given).map_err(|fault| at("nondet", fault))?);
        syntax.comma().map_err(|fault| at("nondet", fault))?;
    }
    complete(lts, &mut input);
    Ok(input)
}

fn complete(lts: &Lts, input: &mut Input) {
    if let Some(line) = CommandLineInputs::of(lts) {
        line.complete(input);
    }
}

/// Whether this is the name of what is drawn: `nondet()`, `read(fd) #2`.
fn is_drawn(name: &str) -> bool {
    let numbered = |(_, number): (&str, &str)| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    name == "nondet" || name.ends_with(')') || name.rsplit_once(" #").is_some_and(numbered)
}

fn unknown(lts: &Lts, objects: &[InputObject]) -> String {
    let name = |object: &InputObject| object.structure().and_then(|structure| node_name(lts, structure, &Int::ONE));
    let names: Vec<String> = objects.iter().map(|object| format!("`{}`", name(object).as_ref().unwrap_or(&object.name))).collect();
    match names.len() {
        0 => "the function has no such input: it has none".to_owned(),
        1..=8 => format!("the function has no such input: it has {}", names.join(", ")),
        more => format!("the function has no such input: it has {} and {} more", names[..8].join(", "), more - 8),
    }
}

/// What an input gives a value to: an object, or with the number of a node this one of its nodes.
struct NamedObject {
    object: InputObject,
    node: Option<Int>,
    /// The length that is given for a block, as of `data1[3]`.
    length: Option<Int>,
    /// The number of an argument of the command line.
    argument: Option<Int>,
}

/// The object of this name, or the part of one: `p`, `p.value`, or as documents have it; or the node of this name.
fn find(lts: &Lts, objects: &[InputObject], name: &str) -> Option<NamedObject> {
    if let Some(object) = objects.iter().find(|object| object.name == name && object.structure().is_none()) {
        return Some(NamedObject { object: object.clone(), node: None, length: None, argument: None });
    }
    if let Some(line) = CommandLineInputs::of(lts)
        && let Some(number) = line.number(name)
    {
        let object = objects.iter().find(|object| object.structure() == Some(line.characters))?.clone();
        return Some(NamedObject { object, node: Some(CommandLineInputs::block(&number)), length: None, argument: Some(number) });
    }
    if let Some((structure, number)) = node_of(lts, name.split('[').next().unwrap_or(name)) {
        let is_block = block_of(lts, structure).is_some();
        let length = name.split_once('[').and_then(|(_, length)| Int::parse(length.strip_suffix(']')?));
        if is_block || !name.contains('[') {
            let object = objects.iter().find(|object| object.structure() == Some(structure))?;
            return Some(NamedObject { object: object.clone(), node: Some(number), length, argument: None });
        }
    }
    if let Some((structure, number)) = node_of(lts, name) {
        let object = objects.iter().find(|object| object.structure() == Some(structure))?;
        return Some(NamedObject { object: object.clone(), node: Some(number), length: None, argument: None });
    }
    let of = |object: &InputObject, leaves| NamedObject {
        object: InputObject { name: name.to_owned(), leaves, ..object.clone() },
        node: None,
        length: None,
        argument: None,
    };
    let of_document = |object: &InputObject| {
        let leaf = object.leaves.iter().find(|leaf| leaf.name == name)?;
        Some(of(object, vec![alone(leaf)]))
    };
    if let Some(object) = objects.iter().find_map(of_document) {
        return Some(object);
    }
    objects.iter().find_map(|object| {
        let members = name.strip_prefix(object.name.as_str())?.strip_prefix('.')?;
        let mut leaves = object.leaves.clone();
        for member in members.split('.') {
            leaves.retain_mut(|leaf| {
                let is_own = leaf.steps.first() == Some(&PartStep::Member(member.to_owned()));
                if is_own {
                    leaf.steps.remove(0);
                }
                is_own
            });
        }
        (!leaves.is_empty()).then(|| of(object, leaves))
    })
}

fn read_stdin(syntax: &mut InputSyntax) -> Result<Option<String>, WrittenFault> {
    let given = syntax.value()?;
    match given.kind {
        GivenKind::Text(bytes) => {
            syntax.words(END_OF_FILE);
            Ok(Some(bytes.into_iter().map(char::from).collect()))
        }
        GivenKind::Word(word) if word == ANY => Ok(None),
        _ => Err((given.at, "the text on standard input stands in quotes, as in `\"12 a\\n\"`".to_owned())),
    }
}

/// A value that is drawn: a number, or the contents of an array.
fn drawn(name: &str, given: &GivenValue) -> Result<InputValue, WrittenFault> {
    let leaf = InputLeaf {
        name: text::NONDET.to_owned(),
        steps: Vec::new(),
        values: ValueMeaning::Integers,
        range: None,
        id: InputId::Variable(crate::lts::VariableId(0)),
    };
    match &given.kind {
        GivenKind::List(..) => {
            let leaf = InputLeaf { steps: vec![PartStep::Elements(None)], ..leaf };
            let mut input = Input::default();
            put_at(None, &[(&leaf, &leaf.steps, Int::ZERO)], given, &mut input)?;
            Ok(input.values.remove(text::NONDET).unwrap_or(InputValue::Array(BTreeMap::new())))
        }
        GivenKind::Number(number) if number.contains('.') || number.contains('e') && !number.starts_with("0x") => {
            Ok(InputValue::Scalar(Number::Large(number.clone())))
        }
        GivenKind::Word(word) if word == ANY => Ok(InputValue::Scalar(Number::Small(0))),
        GivenKind::Word(word) if name.starts_with(text::ALLOCATION) && [NOT_NULL, "NULL"].contains(&word.as_str()) => {
            Ok(InputValue::Scalar(Number::Small(i64::from(word == "NULL"))))
        }
        _ => Ok(InputValue::Scalar(scalar(None, &leaf, given)?)),
    }
}

/// Sets the inputs of an object to what is given.
fn put(lts: &Lts, named: &NamedObject, given: &GivenValue, input: &mut Input) -> Result<(), WrittenFault> {
    if let (Some(number), Some(line)) = (&named.argument, CommandLineInputs::of(lts)) {
        line.point(number, input);
    }
    let start = |leaf: &InputLeaf| usize::from(named.node.is_some() && !leaf.steps.is_empty());
    let index = named.node.clone().unwrap_or_default();
    // Elements of rows without the braces of the rows, as C has them.
    let parts: Vec<&InputLeaf> = named.object.leaves.iter().filter(|leaf| leaf.values != ValueMeaning::Null).collect();
    let flat = match (&parts[..], &given.kind) {
        ([leaf], GivenKind::List(items)) if named.node.is_none() && leaf.steps.len() > 1 && leaf.is_rows() && has_no_rows(items) => {
            Some(alone(leaf))
        }
        _ => None,
    };
    if let Some(leaf) = flat {
        return put_at(Some(lts), &[(&leaf, &leaf.steps, Int::ZERO)], given, input);
    }
    let leaves: Vec<_> = named.object.leaves.iter().map(|leaf| (leaf, &leaf.steps[start(leaf)..], index.clone())).collect();
    match named.object.structure().filter(|structure| named.node.is_some() && block_of(lts, *structure).is_some()) {
        Some(structure) => put_block(lts, structure, named, &leaves, given, input),
        None => put_at(Some(lts), &leaves, given, input),
    }
}

/// Sets the length and the elements of a block. Without a length it has the elements that are given.
fn put_block(
    lts: &Lts,
    structure: u32,
    named: &NamedObject,
    leaves: &[OpenLeaf<'_>],
    given: &GivenValue,
    input: &mut Input,
) -> Result<(), WrittenFault> {
    let of = |array: Option<ArrayId>| leaves.iter().find(|(leaf, ..)| array.is_some_and(|array| leaf.id == InputId::Array(array)));
    if let Some((leaf, _, index)) = of(block_lengths(lts, structure)) {
        let length = named.length.clone().or_else(|| given_length(given));
        let length = length
            .ok_or_else(|| (given.at, "how many elements are there? give them, or their number, as in `data1[3] = any`".to_owned()))?;
        if leaf.range.is_some_and(|range| !range.contains(&length)) {
            return Err((given.at, format!("{length} elements cannot be there")));
        }
        set(leaf, Some(index), Number::from(&length), input);
    }
    let items: Vec<OpenLeaf<'_>> = block_items(lts, structure)
        .filter_map(|array| match of(Some(array))? {
            (leaf, [PartStep::Member(_), rest @ ..], index) => Some((*leaf, rest, index.clone())),
            _ => None,
        })
        .collect();
    if items.is_empty() { Ok(()) } else { put_at(Some(lts), &items, given, input) }
}

/// How many elements a list or a string gives; `None` of anything else.
fn given_length(given: &GivenValue) -> Option<Int> {
    match &given.kind {
        GivenKind::Text(bytes) => Some(Int::from(bytes.len() + 1)),
        GivenKind::List(items) => {
            let (mut next, mut length) = (Int::ZERO, Int::ZERO);
            for (designators, _) in items {
                match designators.first() {
                    Some(ValueDesignator::Elements(_, last)) => next = last + &Int::ONE,
                    Some(_) => return None,
                    None => next = &next + &Int::ONE,
                }
                length = length.max(next.clone());
            }
            Some(length)
        }
        _ => None,
    }
}

fn has_no_rows(items: &[(Vec<ValueDesignator>, GivenValue)]) -> bool {
    let is_row = |given: &GivenValue| matches!(given.kind, GivenKind::List(_) | GivenKind::Text(_));
    !items.is_empty() && items.iter().all(|(designators, given)| designators.len() < 2 && !is_row(given))
}

/// An input, the steps that are left to it, and the index of its element so far.
type OpenLeaf<'l> = (&'l InputLeaf, &'l [PartStep], Int);

fn put_at(lts: Option<&Lts>, leaves: &[OpenLeaf<'_>], given: &GivenValue, input: &mut Input) -> Result<(), WrittenFault> {
    let parts: Vec<&OpenLeaf<'_>> =
        leaves.iter().filter(|(leaf, ..)| !matches!(leaf.values, ValueMeaning::Null | ValueMeaning::Members(_))).collect();
    let null = leaves.iter().find(|(leaf, ..)| leaf.values == ValueMeaning::Null);
    let is_null = |value: i64, input: &mut Input| {
        if let Some((leaf, ..)) = null {
            input.values.insert(leaf.name.clone(), InputValue::Scalar(Number::Small(value)));
        }
        null.is_some()
    };
    match &given.kind {
        GivenKind::Word(word) if word == ANY => return Ok(()),
        GivenKind::Word(word) if word == NOT_NULL && !matches!(parts[..], [(InputLeaf { values: ValueMeaning::Addresses, .. }, [], _)]) => {
            return if is_null(0, input) {
                Ok(())
            } else {
                Err((given.at, format!("this is no pointer that can be null: give a value, or `{ANY}`")))
            };
        }
        GivenKind::Word(word) if word == "NULL" && is_null(1, input) => return Ok(()),
        // Unless the input says it in a part of its own.
        _ if null.is_some_and(|(leaf, ..)| input.values.contains_key(&leaf.name)) => {}
        _ => drop(is_null(0, input)),
    }
    let elements = parts.iter().any(|(_, steps, _)| matches!(steps, [PartStep::Elements(_), ..]));
    match &given.kind {
        GivenKind::List(items) => put_list(lts, &parts, elements, items, given, input),
        GivenKind::Text(bytes) => match parts[..] {
            [(leaf, [PartStep::Elements(length)], index)] => {
                let mut all: Vec<u8> = bytes.clone();
                // The end of the string, where it has a place.
                all.push(0);
                let most = length.as_ref().and_then(Int::to_i64).map_or(usize::MAX, |length| length as usize);
                if bytes.len() > most {
                    return Err((given.at, format!("there are only {most} elements, and {} characters", bytes.len())));
                }
                for (at, byte) in all.into_iter().take(most).enumerate() {
                    let code = Int::from(i64::from(byte));
                    let code = leaf.range.map_or(code.clone(), |range| range.wrap(&code));
                    set(leaf, Some(&flat(index, length.as_ref(), at as i64)), Number::from(&code), input);
                }
                Ok(())
            }
            _ => Err((given.at, "a string is for an array of characters".to_owned())),
        },
        GivenKind::Moved(name, by) => match parts[..] {
            [(leaf, [], index), (at, [], second)] if at.values == ValueMeaning::ElementIndices => {
                let block = GivenValue { at: given.at, kind: GivenKind::Word(name.clone()) };
                set(leaf, leaf.is_array().then_some(index), scalar(lts, leaf, &block)?, input);
                set(at, at.is_array().then_some(second), Number::from(by), input);
                Ok(())
            }
            _ => Err((given.at, "this is no pointer that can lead to any element of an array".to_owned())),
        },
        _ if elements => Err((given.at, "this is an array: give its elements, as in `{3, 1, 2}`".to_owned())),
        _ => match parts[..] {
            [(leaf, [], index), (at, [], _)] if at.values == ValueMeaning::ElementIndices => {
                let value = scalar(lts, leaf, given)?;
                set(leaf, leaf.is_array().then_some(index), value, input);
                Ok(())
            }
            [(leaf, [], index)] => {
                let value = scalar(lts, leaf, given)?;
                set(leaf, leaf.is_array().then_some(index), value, input);
                Ok(())
            }
            _ => Err((given.at, "this is a structure: give its members, as in `{.value = 3}`".to_owned())),
        },
    }
}

fn put_list(
    lts: Option<&Lts>,
    parts: &[&OpenLeaf<'_>],
    elements: bool,
    items: &[(Vec<ValueDesignator>, GivenValue)],
    whole: &GivenValue,
    input: &mut Input,
) -> Result<(), WrittenFault> {
    if !elements && !matches!(parts, [(_, [PartStep::Member(_) | PartStep::Pointers(_), ..], _), ..]) {
        return Err((whole.at, "this is one value: give it without braces".to_owned()));
    }
    if elements {
        // An array that is there has elements, and be they all zero.
        for (leaf, steps, _) in parts {
            if matches!(steps, [PartStep::Elements(_), ..]) {
                input.values.entry(leaf.name.clone()).or_insert_with(|| InputValue::Array(BTreeMap::new()));
            }
        }
    }
    let mut next = Int::ZERO;
    for (designators, given) in items {
        let (first, rest) = match designators.split_first() {
            Some((first, rest)) => (Some(first), rest),
            None => (None, &[][..]),
        };
        let inner = match rest {
            [] => given.clone(),
            rest => GivenValue { at: given.at, kind: GivenKind::List(vec![(rest.to_vec(), given.clone())]) },
        };
        match first {
            Some(ValueDesignator::Rest) => match parts {
                [(leaf, [PartStep::Elements(_)], index)] if index.is_zero() && leaf.steps.len() == 1 => {
                    set_key(leaf, "default", scalar(lts, leaf, given)?, input);
                }
                _ => return Err((given.at, "what all other elements are can only be said of a list of numbers".to_owned())),
            },
            Some(ValueDesignator::Member(name)) => {
                let own: Vec<OpenLeaf<'_>> = (parts.iter())
                    .filter_map(|(leaf, steps, index)| match steps {
                        [PartStep::Member(member), rest @ ..] if member == name => Some((*leaf, rest, index.clone())),
                        [PartStep::Pointers(members), rest @ ..] => {
                            let which = members.iter().position(|member| member == name)?;
                            Some((*leaf, rest, first_cell(index, members.len()) + Int::from(which)))
                        }
                        _ => None,
                    })
                    .collect();
                if own.is_empty() {
                    return Err((given.at, format!("there is no member `{name}` that the function reads")));
                }
                put_at(lts, &own, &inner, input)?;
            }
            Some(ValueDesignator::Elements(..)) | None => {
                // `{0}` is all of a structure, as in C.
                if !elements && first.is_none() && matches!(&given.kind, GivenKind::Number(zero) if zero == "0") {
                    continue;
                }
                if !elements {
                    return Err((given.at, "a structure's values need the names of their members, as in `{.value = 3}`".to_owned()));
                }
                let (from, to) = if let Some(ValueDesignator::Elements(from, to)) = first {
                    (from.clone(), to.clone())
                } else {
                    (next.clone(), next.clone())
                };
                let count = (&to - &from).to_i64().filter(|count| (0..MOST_ELEMENTS).contains(count));
                let count = count.ok_or_else(|| (given.at, "so many elements cannot be given".to_owned()))?;
                for at in 0..=count {
                    let at = &from + &Int::from(at);
                    put_at(lts, &element(parts, &at).map_err(|message| (given.at, message))?, &inner, input)?;
                }
                next = &to + &Int::ONE;
            }
        }
    }
    Ok(())
}

/// The most elements that a range gives a value.
const MOST_ELEMENTS: i64 = 1 << 16;

/// The parts of the element with this index.
fn element<'l>(parts: &[&OpenLeaf<'l>], at: &Int) -> Result<Vec<OpenLeaf<'l>>, String> {
    let mut own = Vec::new();
    for (leaf, steps, index) in parts {
        let [PartStep::Elements(length), rest @ ..] = steps else { continue };
        if let Some(length) = length.as_ref().filter(|length| at.is_negative() || at >= length) {
            return Err(format!("there are only {length} elements"));
        }
        let inner = steps.len() < leaf.steps.len()
            && leaf.steps[..leaf.steps.len() - steps.len()].iter().any(|step| !matches!(step, PartStep::Member(_)));
        if inner && length.is_none() {
            return Err("rows whose length is not known can only be given all in one list".to_owned());
        }
        let at = if inner { flat(index, length.as_ref(), 0) + at.clone() } else { at.clone() };
        own.push((*leaf, rest, at));
    }
    Ok(own)
}

/// The index of an element within a row.
fn flat(row: &Int, length: Option<&Int>, at: i64) -> Int {
    length.map_or(Int::ZERO, |length| row * length) + Int::from(at)
}

fn set(leaf: &InputLeaf, index: Option<&Int>, value: Number, input: &mut Input) {
    match index {
        Some(index) => set_key(leaf, &index.to_string(), value, input),
        None => drop(input.values.insert(leaf.name.clone(), InputValue::Scalar(value))),
    }
}

fn set_key(leaf: &InputLeaf, key: &str, value: Number, input: &mut Input) {
    let entry = input.values.entry(leaf.name.clone()).or_insert_with(|| InputValue::Array(BTreeMap::new()));
    if let InputValue::Array(elements) = entry {
        elements.insert(key.to_owned(), value);
    }
}
