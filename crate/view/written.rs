//! Inputs as people write them: characters and strings in quotes, arrays as lists, structures by their members, constants by their names.
//!
//! What a run does not read is `any`: of a run that ends, the operands of its edges are all that can tell one value from another.
//! [`super::reading`] takes the same form.

use super::command_line::CommandLineInputs;
use super::form::{WrittenNode, WrittenValue, insert_at, is_zero, plain_value, value_text};
use super::input::{input_view_by, quoted};
use super::names::{ANY, END_OF_FILE, NOT_NULL};
use super::node_inputs::written_nodes;
use super::parts::{InputId, InputLeaf, InputObject, alone, input_objects};
use super::{Input, InputValue, Number};
use crate::interp::{self, Machine, Outcome, RunState, Watch};
use crate::logic::Int;
use crate::lts::inputs::{arrays_along, inputs, read_along};
use crate::lts::node_cells::of_nodes;
use crate::lts::{EdgeId, Lts, Origin, PartStep, ValueMeaning, text};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Steps of a run whose reads are looked at.
const READ_STEPS: u64 = 20_000;

/// What a run reads.
pub struct ReadInputs {
    scalars: Vec<crate::lts::VariableId>,
    arrays: Vec<crate::lts::ArrayId>,
    /// Names that the precondition reads.
    conditions: Vec<String>,
    text: Option<(bool, bool)>,
    /// How many values it draws.
    draws: usize,
}

/// Collects the edges of a run.
struct TakenEdges(Vec<EdgeId>);

impl Watch for TakenEdges {
    fn taken(&mut self, edge: EdgeId, _: &RunState<'_>) -> ControlFlow<()> {
        self.0.push(edge);
        ControlFlow::Continue(())
    }
}

impl ReadInputs {
    /// What the run on an input with a text reads; `None` where it takes too long to say.
    pub fn of(lts: &Lts, machine: &Machine, told: &interp::Input) -> Option<ReadInputs> {
        let mut taken = TakenEdges(Vec::new());
        let (run, state) = machine.finish(told, READ_STEPS, &mut taken);
        if matches!(run.outcome, Outcome::Steps | Outcome::Approximated | Outcome::NoText(_)) {
            return None;
        }
        let TakenEdges(mut path) = taken;
        path.extend(run.stopped_before);
        let condition = lts.precondition.as_deref();
        let conditions = condition.map_or_else(Vec::new, |condition| condition.variables.iter().map(|own| own.name.clone()).collect());
        Some(ReadInputs {
            scalars: read_along(lts, &path),
            arrays: arrays_along(lts, &path),
            conditions,
            text: state.text_read(),
            draws: run.nondet_used,
        })
    }

    fn has(&self, leaf: &InputLeaf) -> bool {
        let read = match leaf.id {
            InputId::Variable(id) => self.scalars.contains(&id),
            InputId::Array(id) => self.arrays.contains(&id),
        };
        read || self.conditions.contains(&leaf.name)
    }
}

/// As [`input_view`], with the form for people: for documents that answer, not for evidence.
pub fn written_view(lts: &Lts, input: &interp::Input) -> Input {
    written_view_by(lts, &interp::Machine::deep(lts), input)
}

/// The same by a machine of the graph.
pub fn written_view_by(lts: &Lts, machine: &interp::Machine, input: &interp::Input) -> Input {
    let told = machine.told(input);
    let read = ReadInputs::of(lts, machine, &told);
    let mut view = match read.as_ref().and_then(|read| with_read_arrays(lts, input, read)) {
        Some(whole) => input_view_by(lts, machine, &whole),
        None => input_view_by(lts, machine, input),
    };
    view.written_as = written(lts, &view, read.as_ref());
    view
}

/// The input with the arrays that its run reads and that it leaves out: their elements are 0. `None` where it has all.
fn with_read_arrays(lts: &Lts, input: &interp::Input, read: &ReadInputs) -> Option<interp::Input> {
    let free = inputs(lts).arrays;
    let is_left_out = |array: &&crate::lts::Array| {
        array.origin == Origin::Parameter && of_nodes(array).is_none() && !input.arrays.contains_key(&array.name)
    };
    let arrays = read.arrays.iter().filter(|id| free.contains(id)).map(|id| lts.array(*id)).filter(is_left_out);
    let mut whole = input.clone();
    arrays.for_each(|array| drop(whole.arrays.insert(array.name.clone(), interp::ArrayInput::default())));
    (whole.arrays.len() > input.arrays.len()).then_some(whole)
}

impl Input {
    /// With the form for people, whatever is read of it.
    #[must_use]
    pub fn with_parts(mut self, lts: &Lts) -> Input {
        self.written_as = written(lts, &self, None);
        self
    }
}

/// The parts of an input of the function, as the documents have it. What its run does not read is `any` or left out.
pub fn written(lts: &Lts, input: &Input, read: Option<&ReadInputs>) -> Vec<WrittenValue> {
    let mut parts = Vec::new();
    let objects = input_objects(lts);
    let line = CommandLineInputs::of(lts);
    let of_nodes = written_nodes(lts, input, &objects, &|leaf| read.is_none_or(|read| read.has(leaf)));
    // What nodes have that the function does not read is of no interest.
    let is_of_nodes =
        |name: &str| lts.arrays.iter().any(|array| array.name == name && matches!(array.part.steps.first(), Some(PartStep::Node(_))));
    let others = input.values.iter().map(|(name, value)| (name.as_str(), value)).filter(|(name, _)| !is_of_nodes(name));
    let mut others: BTreeMap<&str, &InputValue> = others.collect();
    for object in &objects {
        let is_given = |leaf: &InputLeaf| input.values.contains_key(&leaf.name);
        object.leaves.iter().for_each(|leaf| {
            others.remove(leaf.name.as_str());
        });
        let is_list = |leaf: &InputLeaf| line.as_ref().is_some_and(|line| line.is_list(leaf.values));
        if of_nodes.is_some() && (object.structure().is_some() || object.leaves.iter().all(is_list)) {
            continue;
        }
        if object.leaves.iter().any(is_given) {
            parts.extend(written_object(lts, input, object, read));
        } else if read.is_some_and(|read| !object.leaves.iter().any(|leaf| read.has(leaf))) {
            parts.extend(unread(object));
        }
    }
    parts.extend(of_nodes.into_iter().flatten());
    parts.extend(others.into_iter().map(|(name, value)| WrittenValue::new(name.to_owned(), plain_value(value))));
    parts.extend(drawn(input, read.map_or(usize::MAX, |read| read.draws)));
    if let Some(text) = &input.stdin {
        let (is_unread, met_end) = read.and_then(|read| read.text).unwrap_or_default();
        let text = match is_unread && text.is_empty() {
            true => ANY.to_owned(),
            false => format!("{}{}", quoted(text), if met_end { format!(" {END_OF_FILE}") } else { String::new() }),
        };
        parts.push(WrittenValue::new("stdin".to_owned(), text));
    }
    parts
}

/// The parts of an input without its function.
pub fn written_plain(input: &Input) -> Vec<WrittenValue> {
    let is_of_text = |name: &str| !name.ends_with(crate::lts::LAST_MEMBER);
    let values = input.values.iter().filter(|(name, _)| is_of_text(name));
    let mut parts: Vec<_> = values.map(|(name, value)| WrittenValue::new(name.clone(), plain_value(value))).collect();
    parts.extend(drawn(input, usize::MAX));
    parts.extend(input.stdin.as_ref().map(|text| WrittenValue::new("stdin".to_owned(), quoted(text))));
    parts
}

/// What is drawn, in order, up to so many values. That a call gives memory is said only before one that gives none, and that a call writes no nodes only before
/// another value.
fn drawn(input: &Input, most: usize) -> Vec<WrittenValue> {
    let names = input.nondet_names.iter().map(String::as_str).chain(std::iter::repeat(text::NONDET));
    let is_usual = |value: &InputValue, name: &str| {
        [text::ALLOCATION, text::WRITTEN_NODES].iter().any(|kind| name.starts_with(kind)) && is_all_zero(value)
    };
    let of_one = |(value, name): (&InputValue, &str)| match name.starts_with(text::ALLOCATION) {
        true => WrittenValue::new(name.to_owned(), if is_all_zero(value) { NOT_NULL } else { "NULL" }.to_owned()),
        false => WrittenValue::new(name.to_owned(), plain_value(value)),
    };
    let drawn: Vec<(&InputValue, &str)> = input.nondet.iter().zip(names).take(most).collect();
    let count = drawn.iter().rposition(|(value, name)| !is_usual(value, name)).map_or(0, |at| at + 1);
    drawn.into_iter().take(count).map(of_one).collect()
}

/// The part of an input for an object that the run does not read: `any` for a parameter, nothing for another object.
fn unread(object: &InputObject) -> Option<WrittenValue> {
    let is_told = |leaf: &InputLeaf| !matches!(leaf.values, ValueMeaning::Addresses | ValueMeaning::Members(_)) || !leaf.is_array();
    let is_named = object.origin == Origin::Parameter && object.leaves.iter().any(is_told);
    is_named.then(|| WrittenValue::new(object.name.clone(), ANY.to_owned()))
}

fn written_object(lts: &Lts, input: &Input, object: &InputObject, read: Option<&ReadInputs>) -> Vec<WrittenValue> {
    let is_read = |leaf: &InputLeaf| read.is_none_or(|read| read.has(leaf));
    if !object.leaves.iter().any(is_read) {
        return unread(object).into_iter().collect();
    }
    // What a local array holds before it is written is of no interest as long as it is nothing.
    let is_empty = |leaf: &InputLeaf| leaf.is_array() && !leaf.name.ends_with(']') && input.values.get(&leaf.name).is_none_or(is_all_zero);
    if matches!(object.origin, Origin::Local | Origin::Inlined) && object.leaves.iter().all(is_empty) {
        return Vec::new();
    }
    // No defined run reads a member of what is not there.
    let is_run = read.is_some();
    if let Some(text) = together(lts, input, object, &is_read, is_run) {
        return vec![WrittenValue::new(object.name.clone(), text)];
    }
    let is_told = |leaf: &&InputLeaf| is_read(leaf) && !matches!(leaf.values, ValueMeaning::Members(_) | ValueMeaning::ElementIndices);
    let one = |leaf: &InputLeaf| {
        let leaf = alone(leaf);
        let mut node = None;
        insert(lts, &mut node, &leaf, input.values.get(&leaf.name)?)?;
        Some(WrittenValue::new(leaf.name, node?.text()))
    };
    object.leaves.iter().filter(is_told).filter_map(one).collect()
}

/// An object as one value; `None` where it has no such form.
fn together(lts: &Lts, input: &Input, object: &InputObject, is_read: &dyn Fn(&InputLeaf) -> bool, is_run: bool) -> Option<String> {
    let mut node = None;
    let mut null = None;
    for leaf in object.leaves.iter().filter(|leaf| is_read(leaf)) {
        let Some(value) = input.values.get(&leaf.name) else { continue };
        match leaf.values {
            ValueMeaning::Null => null = Some(*value != InputValue::Scalar(Number::Small(0))),
            // The member that is there says so.
            ValueMeaning::Members(_) => {}
            _ => insert(lts, &mut node, leaf, value)?,
        }
    }
    let is_other = |leaf: &&InputLeaf| leaf.values != ValueMeaning::Null;
    let is_zero = object.leaves.iter().filter(is_other).filter_map(|leaf| input.values.get(&leaf.name)).all(is_all_zero);
    match (null, node) {
        (Some(true), node) if node.is_none() || is_zero || is_run => Some("NULL".to_owned()),
        (Some(true), _) | (None, None) => None,
        (Some(false), None) => Some(NOT_NULL.to_owned()),
        (_, Some(node)) => Some(node.text()),
    }
}

/// Puts the values of an input in their places.
fn insert(lts: &Lts, node: &mut Option<WrittenNode>, leaf: &InputLeaf, value: &InputValue) -> Option<()> {
    match value {
        InputValue::Scalar(value) => {
            let made = WrittenNode::Value(value_text(lts, leaf, value));
            if leaf.is_array() { None } else { insert_at(node, leaf, lts, &leaf.steps, &[], Some(made), None) }
        }
        InputValue::Array(elements) => {
            let zero = Number::Small(0);
            let default = elements.get("default").unwrap_or(&zero);
            let is_zero = is_zero(default);
            if !leaf.is_array() || !is_zero && leaf.steps.len() > 1 {
                return None;
            }
            insert_at(node, leaf, lts, &leaf.steps, &[], None, None)?;
            for (index, value) in elements.iter().filter(|(index, value)| *index != "default" && *value != default) {
                let index = Int::parse(index)?;
                let indices = leaf.indices(&index).filter(|indices| indices.iter().skip(1).all(|index| !index.is_negative()))?;
                insert_at(node, leaf, lts, &leaf.steps, &indices, Some(WrittenNode::Value(value_text(lts, leaf, value))), Some(value))?;
            }
            if !is_zero && let Some(WrittenNode::List(_, _, rest)) = node {
                *rest = Some(value_text(lts, leaf, default));
            } else if !is_zero {
                let Some(WrittenNode::Characters(codes, _)) = node.take() else { return None };
                let items =
                    codes.into_iter().map(|(at, code)| (at, WrittenNode::Value(value_text(lts, leaf, &Number::from(&code))))).collect();
                *node = Some(WrittenNode::List(items, value_text(lts, leaf, &zero), Some(value_text(lts, leaf, default))));
            }
            Some(())
        }
    }
}

fn is_all_zero(value: &InputValue) -> bool {
    match value {
        InputValue::Scalar(value) => is_zero(value),
        InputValue::Array(elements) => elements.values().all(is_zero),
    }
}

/// An input as a line. Draws of one name stand together.
pub fn line(parts: &[WrittenValue]) -> String {
    let mut told: Vec<String> = Vec::new();
    let mut before = None;
    for WrittenValue { name, text, .. } in parts {
        match told.last_mut().filter(|_| name == text::NONDET && before == Some(name)) {
            Some(part) => part.extend([", ", text]),
            None => told.push(format!("{name} = {text}")),
        }
        before = Some(name);
    }
    if parts.iter().all(|part| part.text == ANY) { format!("({ANY})") } else { told.join(", ") }
}
