//! Nodes of callers in inputs: `head = &node3, node3 = {.value = 5, .next = NULL}`.
//!
//! Pointers to linked structures are numbers ([`crate::memory`]), and so nodes have names: the tag of their structure, and the number. An
//! input has the nodes to which its pointers lead, one after the other.

use super::command_line::CommandLineInputs;
use super::form::{LIST_KEPT, WrittenNode, WrittenValue, insert_at, is_zero, value_text};
use super::names::ANY;
use super::parts::{InputLeaf, InputObject};
use super::{Input, InputValue, Number};
use crate::logic::{Arrange, Int, SortedSet};
use crate::lts::node_cells::{block_items, block_lengths, led_to, scalars_of};
use crate::lts::node_names::{NumberedNode, block_of, node_name};
use crate::lts::{ArrayId, Lts, PartStep, ValueMeaning};
use std::collections::BTreeMap;

/// Elements of an array in a node that are written where all have values.
const ELEMENTS_MOST: i64 = 256;

/// Nodes in the order in which they are met.
#[derive(Default)]
struct MetNodes {
    order: Vec<NumberedNode>,
    all: SortedSet<NumberedNode>,
}

impl MetNodes {
    fn add(&mut self, node: NumberedNode) {
        if self.all.insert(node.clone()) {
            self.order.push(node);
        }
    }

    /// Adds the nodes to which these values of an input lead.
    fn meet(&mut self, leaf: &InputLeaf, values: &[&Number]) {
        for number in values.iter().filter_map(|number| number.to_int()) {
            led_to(leaf.values, &number).into_iter().for_each(|(node, _)| self.add(node));
        }
    }
}

/// The nodes of an input, as parts of it; `None` where one has no such form.
pub fn written_nodes(lts: &Lts, input: &Input, objects: &[InputObject], is_read: &dyn Fn(&InputLeaf) -> bool) -> Option<Vec<WrittenValue>> {
    let of_nodes = |structure: u32| objects.iter().find(|object| object.structure() == Some(structure));
    let mut met = MetNodes::default();
    for leaf in objects.iter().filter(|object| object.structure().is_none()).flat_map(|object| &object.leaves).filter(|leaf| is_read(leaf))
    {
        match input.values.get(&leaf.name) {
            Some(InputValue::Scalar(value)) => met.meet(leaf, &[value]),
            Some(InputValue::Array(elements)) => met.meet(leaf, &elements.values().collect::<Vec<_>>()),
            None => {}
        }
    }
    // The program reads its own objects without pointers, too.
    for (structure, number, _) in &lts.value_names.nodes {
        let has_value = |leaf: &InputLeaf| -> Option<bool> {
            let InputValue::Array(elements) = input.values.get(&leaf.name)? else { return None };
            Some(elements_of(leaf, elements, number)?.iter().any(|(_, value)| !is_zero(value)))
        };
        let is_told = |object: &InputObject| object.leaves.iter().any(|leaf| is_read(leaf) && has_value(leaf) == Some(true));
        if of_nodes(*structure).is_some_and(is_told) {
            met.add((*structure, number.clone()));
        }
    }
    let line = CommandLineInputs::of(lts);
    let (mut parts, mut arguments) = (Vec::new(), Vec::new());
    let mut texts: Vec<(Int, WrittenValue)> = Vec::new();
    let mut first_text = 0;
    let mut next = 0;
    while let Some((structure, number)) = met.order.get(next).cloned() {
        next += 1;
        let Some(object) = of_nodes(structure) else { continue };
        let mut node = None;
        for leaf in object.leaves.iter().filter(|leaf| is_read(leaf)) {
            let Some(InputValue::Array(elements)) = input.values.get(&leaf.name) else { continue };
            let values = elements_of(leaf, elements, &number)?;
            met.meet(leaf, &values.iter().map(|(_, value)| *value).collect::<Vec<_>>());
            if line.as_ref().is_some_and(|line| line.arguments == structure) {
                let number = |(indices, value): &(Vec<Int>, &Number)| Some((indices.first()?.clone(), value.to_int()?));
                arguments.extend(values.iter().filter_map(number).filter(|(_, block)| !block.is_zero()));
            }
            insert(lts, &mut node, leaf, &values)?;
        }
        if let Some(node) = node {
            let is_last = parts.len() + texts.len() >= LIST_KEPT;
            let mut name = node_name(lts, structure, &number)?;
            // Each argument of a command line ends, whether an execution reads its end or not.
            let ends = line.as_ref().is_some_and(|line| line.characters == structure);
            let text = match block_of(lts, structure) {
                Some(_) => block_text(lts, structure, node, &mut name, ends),
                None => node.text(),
            };
            let text = if is_last { "…".to_owned() } else { text };
            if let Some(line) = line.as_ref().filter(|line| !is_last && [line.arguments, line.characters].contains(&structure)) {
                let own = arguments.iter().filter(|(_, block)| structure == line.characters && *block == number);
                let own: Vec<&Int> = own.map(|(argument, _)| argument).collect();
                let field = of_nodes(line.arguments).map(|object| object.name.clone());
                if texts.is_empty() {
                    first_text = parts.len();
                }
                texts.extend(own.iter().map(|&argument| {
                    let value = WrittenValue { name: line.name(argument), text: text.clone(), field: field.clone() };
                    (argument.clone(), value)
                }));
                if structure == line.arguments || !own.is_empty() {
                    continue;
                }
            }
            parts.push(WrittenValue { name, text, field: Some(object.name.clone()) });
            if is_last {
                break;
            }
        }
    }
    texts.arrange_by_key(|(argument, _)| argument.clone());
    parts.splice(first_text..first_text, texts.into_iter().map(|(_, value)| value));
    Some(parts)
}

/// The elements of a block, as a string where its characters end; adds its length to the name, as C declares an array.
fn block_text(lts: &Lts, structure: u32, node: WrittenNode, name: &mut String, ends: bool) -> String {
    let member_of = |array: Option<ArrayId>| match array.and_then(|array| lts.array(array).part.steps.get(1)) {
        Some(PartStep::Member(member)) => Some(member.as_str()),
        _ => None,
    };
    let (length, items) = (member_of(block_lengths(lts, structure)), member_of(block_items(lts, structure).next()));
    let WrittenNode::Members(members) = node else { return node.text() };
    let of = |field: Option<&str>| members.iter().find(|(member, _)| Some(member.as_str()) == field).map(|(_, value)| value);
    let count = of(length).map(WrittenNode::text);
    if let Some(count) = &count {
        name.push_str(&format!("[{count}]"));
    }
    match (of(items), count.and_then(|count| count.parse().ok())) {
        (Some(elements), Some(count)) if !ends => elements.text_of(count),
        (Some(elements), _) => elements.text(),
        (None, _) => ANY.to_owned(),
    }
}

/// The values of a node in the array of its member, by their indices in the node.
fn elements_of<'v>(leaf: &InputLeaf, elements: &'v BTreeMap<String, Number>, node: &Int) -> Option<Vec<(Vec<Int>, &'v Number)>> {
    static ZERO: Number = Number::Small(0);
    let default = elements.get("default").unwrap_or(&ZERO);
    let (first, count) = scalars_of(&leaf.steps, node)?;
    let inner = |index: &Int| leaf.indices(index).map(|indices| indices[1..].to_vec());
    if leaf.steps.iter().any(|step| matches!(step, PartStep::Elements(_))) && is_zero(default) {
        let own = elements.iter().filter_map(|(key, value)| Some((Int::parse(key)?, value))).filter(|(_, value)| !is_zero(value));
        let mut own: Vec<(Int, &Number)> = own.filter(|(index, _)| *index >= first && *index < &first + &Int::from(count)).collect();
        own.arrange_by_key(|(index, _)| index.clone());
        return own.into_iter().map(|(index, value)| Some((inner(&index)?, value))).collect();
    }
    let count = Some(count).filter(|count| *count <= ELEMENTS_MOST)?;
    let index = |at: i64| &first + &Int::from(at);
    (0..count).map(|at| Some((inner(&index(at))?, elements.get(&index(at).to_string()).unwrap_or(default)))).collect()
}

fn insert(lts: &Lts, node: &mut Option<WrittenNode>, leaf: &InputLeaf, values: &[(Vec<Int>, &Number)]) -> Option<()> {
    let [PartStep::Node(_), steps @ ..] = &leaf.steps[..] else { return None };
    if matches!(leaf.values, ValueMeaning::Members(_)) {
        return Some(());
    }
    if steps.iter().any(|step| matches!(step, PartStep::Elements(_))) {
        insert_at(node, leaf, lts, steps, &[], None, None)?;
    }
    values.iter().try_for_each(|(indices, value)| {
        let text = WrittenNode::Value(value_text(lts, leaf, value));
        insert_at(node, leaf, lts, steps, indices, Some(text), Some(value))
    })
}
