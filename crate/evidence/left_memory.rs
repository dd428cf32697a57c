//! Nodes to which statics lead after calls: memory that one call leaves for the next.
//!
//! Each function has numbers of its own for nodes ([`crate::memory`]): its caller's from 1 on, and its own after all of these. What a call
//! leaves gets the numbers of a caller's nodes, in the order in which statics lead to them, so that the next call starts with it as with any
//! memory of a caller. The names of structures and members say what is what, since each function knows only the members that it uses.

use crate::interp::ArrayInput;
use crate::logic::{Int, SortedMap};
use crate::lts::calls::key;
use crate::lts::node_cells::{BLOCK_STRIDE, block_items, block_lengths, of_nodes, scalars_of, scalars_of_item};
use crate::lts::{Array, ArrayId, FREED, Lts, Origin, PartStep, ValueMeaning, VariableId};
use crate::source::Span;
use std::collections::VecDeque;

/// Scalars of one node in one array, at most.
const MOST_SCALARS: i64 = 1 << 12;

/// Nodes, at most.
const MOST_NODES: usize = 1 << 10;

/// The name of a static or of an array of nodes in the graphs of all functions.
pub(super) type StaticKey = (Span, String);

/// What variables and arrays of a function hold after a run.
pub struct LeftValues<'v> {
    pub variable: &'v dyn Fn(VariableId) -> Int,
    pub array: &'v dyn Fn(ArrayId) -> ArrayInput,
}

/// A node: the name of its structure, and its number.
type LeftNode = (String, Int);

/// What an array holds for nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct NodeArray {
    /// The structure of the nodes.
    of: String,
    /// How many scalars each node has, or each element of a block.
    count: i64,
    kind: NodeArrayKind,
    /// The structure to whose nodes the scalars lead.
    leads_to: Option<String>,
    contents: ArrayInput,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum NodeArrayKind {
    Member,
    /// The lengths of blocks.
    Lengths,
    /// The elements of blocks.
    Items,
}

/// Memory that calls have left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct LeftMemory {
    arrays: SortedMap<StaticKey, NodeArray>,
    /// The structures to whose nodes statics lead.
    statics: SortedMap<StaticKey, String>,
}

fn tag(lts: &Lts, structure: u32) -> String {
    let named = lts.value_names.structures.iter().find(|(own, _)| *own == structure);
    named.map(|(_, name)| name.clone()).filter(|name| !name.is_empty()).unwrap_or_else(|| format!("struct#{structure}"))
}

/// The structure to whose nodes values lead.
///
/// # Errors
/// They are pointers to pointers.
fn target(lts: &Lts, values: ValueMeaning) -> Result<Option<String>, String> {
    match values {
        ValueMeaning::Nodes { structure, .. } => Ok(Some(tag(lts, structure))),
        ValueMeaning::Cells { .. } => Err("pointers to pointers are left".to_owned()),
        _ => Ok(None),
    }
}

/// What an array of a function holds for nodes; `None` of any other array.
fn node_array(lts: &Lts, array: &Array, id: ArrayId, contents: ArrayInput) -> Result<Option<NodeArray>, String> {
    let Some(structure) = of_nodes(array) else { return Ok(None) };
    if array.part.steps.iter().any(|step| matches!(step, PartStep::Pointers(_))) {
        return Err("pointers to pointers are left".to_owned());
    }
    let is_items = block_items(lts, structure).any(|items| items == id);
    let count = match is_items {
        true => scalars_of_item(array),
        false => scalars_of(&array.part.steps, &Int::ONE).map(|(_, count)| count),
    };
    let count = count.filter(|count| *count <= MOST_SCALARS).ok_or_else(|| format!("`{}` has too many elements", array.name))?;
    let kind = match block_lengths(lts, structure) {
        _ if is_items => NodeArrayKind::Items,
        Some(lengths) if lengths == id => NodeArrayKind::Lengths,
        _ => NodeArrayKind::Member,
    };
    Ok(Some(NodeArray { of: tag(lts, structure), count, kind, leads_to: target(lts, array.values)?, contents }))
}

fn at(contents: &ArrayInput, index: &Int) -> Int {
    contents.elements.get(index).unwrap_or(&contents.default).clone()
}

/// The new numbers of nodes.
struct Carrying<'c> {
    arrays: &'c SortedMap<StaticKey, NodeArray>,
    /// By structure how far the elements of a block lie from where its number says, and which nodes were freed.
    moved: SortedMap<String, ArrayInput>,
    freed: SortedMap<String, ArrayInput>,
    numbers: SortedMap<LeftNode, Int>,
    open: VecDeque<LeftNode>,
    next: SortedMap<String, i64>,
}

impl Carrying<'_> {
    /// The new number to which a value leads.
    fn number(&mut self, structure: &str, value: &Int) -> Result<Int, String> {
        if value.is_zero() {
            return Ok(Int::ZERO);
        }
        // It was never set, and reading it is undefined.
        if value.is_negative() {
            return Ok(value.clone());
        }
        let node = (structure.to_owned(), value.clone());
        if let Some(number) = self.numbers.get(&node) {
            return Ok(number.clone());
        }
        if self.freed.get(structure).is_some_and(|freed| !at(freed, value).is_zero()) {
            return Err("a pointer is left to memory that was freed".to_owned());
        }
        if self.numbers.len() >= MOST_NODES {
            return Err(format!("more than {MOST_NODES} objects are left"));
        }
        let next = self.next.entry(structure.to_owned()).or_insert(1);
        let number = Int::from(*next);
        *next += 1;
        self.numbers.insert(node.clone(), number.clone());
        self.open.push_back(node);
        Ok(number)
    }

    /// The indices of a node's scalars in an array, before and with its new number.
    fn scalars(&self, array: &NodeArray, left: &LeftNode, number: &Int) -> Result<Vec<(Int, Int)>, String> {
        let (structure, node) = left;
        let count = Int::from(array.count);
        let (from, to, length) = match array.kind {
            NodeArrayKind::Member | NodeArrayKind::Lengths => (node * &count, number * &count, array.count),
            NodeArrayKind::Items => {
                let is_lengths = |other: &&NodeArray| other.kind == NodeArrayKind::Lengths && other.of == *structure;
                let lengths = self.arrays.values().find(is_lengths);
                let length = lengths.map(|lengths| at(&lengths.contents, node)).ok_or("a block without a length is left")?;
                let length = length.to_i64().and_then(|length| length.checked_mul(array.count)).filter(|length| *length <= MOST_SCALARS);
                let length = length.ok_or("a block with too many elements is left")?;
                let row = self.moved.get(structure).map_or_else(|| node.clone(), |moved| node + &at(moved, node));
                let stride = &Int::from(BLOCK_STRIDE) * &count;
                (&row * &stride, number * &stride, length)
            }
        };
        Ok((0..length).map(Int::from).map(|inner| (&from + &inner, &to + &inner)).collect())
    }
}

impl LeftMemory {
    /// What a run of a function leaves that began with this memory; `values` are what statics hold, in which pointers get new numbers.
    ///
    /// # Errors
    /// What is left cannot be carried over, in words.
    pub fn taken(
        &self,
        lts: &Lts,
        left: &LeftValues<'_>,
        values: &mut SortedMap<StaticKey, Int>,
        contents: &mut SortedMap<StaticKey, ArrayInput>,
    ) -> Result<LeftMemory, String> {
        let mut statics = self.statics.clone();
        for (name, span, values) in statics_of(lts) {
            let key = key(name, span);
            match target(lts, values)? {
                Some(to) if statics.get(&key).is_some_and(|other| *other != to) => return Err(other_view(name)),
                Some(to) => drop(statics.insert(key, to)),
                None if statics.contains_key(&key) => return Err(other_view(name)),
                None => {}
            }
        }
        if statics.is_empty() {
            return Ok(LeftMemory::default());
        }
        let mut arrays = self.arrays.clone();
        let (mut moved, mut freed) = (SortedMap::new(), SortedMap::new());
        for (array, id) in lts.arrays.iter().zip(0..).map(|(array, id)| (array, ArrayId(id))) {
            if let Some(own) = node_array(lts, array, id, (left.array)(id))? {
                arrays.insert(key(&array.name, array.span), own);
            }
            let structure = || array.name.rsplit_once('.').map(|(structure, _)| structure.to_owned());
            if array.member_of_nodes.as_deref() == Some(FREED) {
                freed.extend(structure().map(|structure| (structure, (left.array)(id))));
            }
        }
        for block in &lts.value_names.blocks {
            let contents = block.moved.as_ref().and_then(|name| lts.arrays.iter().position(|array| array.name == *name));
            moved.extend(contents.map(|id| (tag(lts, block.structure), (left.array)(ArrayId(id as u32)))));
        }
        let mut carrying =
            Carrying { arrays: &arrays, moved, freed, numbers: SortedMap::new(), open: VecDeque::new(), next: SortedMap::new() };
        for (key, structure) in &statics {
            if let Some(value) = values.get_mut(key) {
                *value = carrying.number(structure, value)?;
            }
            for value in contents.get_mut(key).into_iter().flat_map(|contents| contents.elements.values_mut()) {
                *value = carrying.number(structure, value)?;
            }
        }
        let mut carried: SortedMap<StaticKey, NodeArray> =
            arrays.iter().map(|(key, array)| (key.clone(), NodeArray { contents: ArrayInput::default(), ..array.clone() })).collect();
        while let Some(node) = carrying.open.pop_front() {
            let number = carrying.numbers[&node].clone();
            for (key, array) in arrays.iter().filter(|(_, array)| array.of == node.0) {
                for (from, to) in carrying.scalars(array, &node, &number)? {
                    let mut value = at(&array.contents, &from);
                    if let Some(structure) = &array.leads_to {
                        value = carrying.number(structure, &value)?;
                    }
                    if let Some(own) = carried.get_mut(key) {
                        own.contents.elements.insert(to, value);
                    }
                }
            }
        }
        Ok(LeftMemory { arrays: carried, statics })
    }

    /// Lets a function start with it: the contents of its arrays of nodes, by their names.
    ///
    /// # Errors
    /// The function sees what a static leads to as something else.
    pub fn given(&self, lts: &Lts) -> Result<Vec<(String, ArrayInput)>, String> {
        if self.arrays.values().all(|array| array.contents.elements.is_empty()) {
            return Ok(Vec::new());
        }
        // What a caller passes, or sets in a global, may be what is left, or not.
        let is_of_caller = |origin: Origin, values: ValueMeaning| {
            matches!(origin, Origin::Parameter | Origin::Global)
                && matches!(values, ValueMeaning::Nodes { .. } | ValueMeaning::Cells { .. })
        };
        let variables =
            lts.variables.iter().filter(|own| own.first.is_none() && own.initial.is_none() && is_of_caller(own.origin, own.values));
        let is_member = |array: &Array| of_nodes(array).is_some() || array.member_of_nodes.is_some();
        let arrays = lts
            .arrays
            .iter()
            .filter(|own| own.first.is_none() && own.initial.is_none() && !is_member(own) && is_of_caller(own.origin, own.values));
        if let Some(name) = variables.map(|own| &own.name).chain(arrays.map(|own| &own.name)).next() {
            return Err(format!("`{name}` is a pointer of a caller to such objects"));
        }
        for (name, span, values) in statics_of(lts) {
            if let Some(to) = self.statics.get(&key(name, span))
                && target(lts, values)?.as_ref() != Some(to)
            {
                return Err(other_view(name));
            }
        }
        let mut given = Vec::new();
        for (array, id) in lts.arrays.iter().zip(0..) {
            let Some(own) = node_array(lts, array, ArrayId(id), ArrayInput::default())? else { continue };
            // No call before has set such members.
            let Some(left) = self.arrays.get(&key(&array.name, array.span)) else {
                given.push((array.name.clone(), ArrayInput::default()));
                continue;
            };
            if (&own.of, own.count, own.kind, &own.leads_to) != (&left.of, left.count, left.kind, &left.leads_to) {
                return Err(other_view(&array.name));
            }
            given.push((array.name.clone(), left.contents.clone()));
        }
        Ok(given)
    }
}

/// The statics of a function: names, where they are declared, and what their values are.
fn statics_of(lts: &Lts) -> impl Iterator<Item = (&str, Span, ValueMeaning)> {
    let variables = lts.variables.iter().filter(|own| own.first.is_some()).map(|own| (own.name.as_str(), own.span, own.values));
    let arrays = lts.arrays.iter().filter(|own| own.first.is_some()).map(|own| (own.name.as_str(), own.span, own.values));
    variables.chain(arrays)
}

fn other_view(name: &str) -> String {
    format!("what `{name}` leads to is not the same for all calls")
}
