//! The inputs of a function by the objects that the text has: what a test is written by, and read.

use crate::logic::{Arrange, Int, IntRange};
use crate::lts::inputs::inputs;
use crate::lts::node_names::nodes_name;
use crate::lts::{ArrayId, Lts, Origin, PartStep, SourcePart, ValueMeaning, VariableId};
use crate::source::Span;

/// A variable or an array of the model whose value an input gives.
#[derive(Clone, Debug)]
pub struct InputLeaf {
    /// As documents have it.
    pub name: String,
    /// The way to it from the object.
    pub steps: Vec<PartStep>,
    pub values: ValueMeaning,
    pub range: Option<IntRange>,
    pub id: InputId,
}

/// The number of an input in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputId {
    Variable(VariableId),
    Array(ArrayId),
}

/// An object with the inputs that are parts of it.
#[derive(Clone, Debug)]
pub struct InputObject {
    pub name: String,
    pub origin: Origin,
    pub leaves: Vec<InputLeaf>,
}

impl InputObject {
    /// The structure whose nodes these are; `None` of any other object.
    pub fn structure(&self) -> Option<u32> {
        let first = self.leaves.first().and_then(|leaf| leaf.steps.first());
        if let Some(PartStep::Node(structure)) = first { Some(*structure) } else { None }
    }
}

/// Where an input stands among all: its origin, its object, and the members on the way.
type InputOrder = (u8, Span, Vec<usize>);

/// The objects, in the order of their declarations: parameters first. Two of one name stand under the names that documents have.
pub fn input_objects(lts: &Lts) -> Vec<InputObject> {
    let all = inputs(lts);
    let mut found: Vec<(InputOrder, Origin, String, InputLeaf)> = Vec::new();
    let mut add = |origin: Origin, span: Span, part: &SourcePart, leaf: InputLeaf| {
        if found.iter().all(|(.., other)| other.name != leaf.name) {
            let rank = [Origin::Parameter, Origin::Global, Origin::Local, Origin::Inlined].iter().position(|&other| other == origin);
            let mut path = part.path.clone();
            // It follows the block.
            path.extend((leaf.values == ValueMeaning::ElementIndices).then_some(0));
            found.push(((rank.unwrap_or(0) as u8, span, path), origin, part.object.clone(), leaf));
        }
    };
    for &id in &all.variables {
        let variable = lts.variable(id);
        let (name, steps) = (variable.name.clone(), variable.part.steps.clone());
        let leaf = InputLeaf { name, steps, values: variable.values, range: variable.start_range(), id: InputId::Variable(id) };
        add(variable.origin, variable.span, &variable.part, leaf);
    }
    for &id in &all.arrays {
        let array = lts.array(id);
        let leaf = |name: &str, part: &SourcePart| InputLeaf {
            name: name.to_owned(),
            steps: part.steps.clone(),
            values: array.values,
            range: array.start_range(),
            id: InputId::Array(id),
        };
        if array.objects.is_empty() {
            let mut part = array.part.clone();
            if let Some(PartStep::Node(structure)) = part.steps.first() {
                part.object = nodes_name(lts, *structure).unwrap_or(part.object);
            }
            add(array.origin, array.span, &part, leaf(&array.name, &part));
        }
        for object in array.objects.iter().filter(|object| object.is_input) {
            add(array.origin, object.span, &object.part, leaf(&object.name, &object.part));
        }
    }
    found.arrange_by_key(|(rank, ..)| rank.clone());
    let mut objects: Vec<InputObject> = Vec::new();
    for (_, origin, name, leaf) in found {
        match objects.iter_mut().find(|object| object.name == name) {
            Some(object) => object.leaves.push(leaf),
            None => objects.push(InputObject { name, origin, leaves: vec![leaf] }),
        }
    }
    objects.into_iter().flat_map(told_apart).collect()
}

/// The object, or where two of its inputs are the same part of it, these as objects of their own.
fn told_apart(object: InputObject) -> Vec<InputObject> {
    let kind = |leaf: &InputLeaf| match leaf.values {
        ValueMeaning::Null => 0,
        ValueMeaning::ElementIndices => 1,
        _ => 2,
    };
    let same = |a: &InputLeaf, b: &InputLeaf| a.name != b.name && a.steps == b.steps && kind(a) == kind(b);
    if !object.leaves.iter().any(|a| object.leaves.iter().any(|b| same(a, b))) {
        return vec![object];
    }
    object.leaves.into_iter().map(|leaf| InputObject { leaves: vec![alone(&leaf)], origin: object.origin, name: leaf.name }).collect()
}

/// An input as an object with the name that documents have, not a part of one.
pub fn alone(leaf: &InputLeaf) -> InputLeaf {
    let length = leaf.lengths().into_iter().reduce(|all, own| Some(&all? * &own?)).flatten();
    let values =
        if matches!(leaf.values, ValueMeaning::Null | ValueMeaning::ElementIndices) { ValueMeaning::Integers } else { leaf.values };
    InputLeaf { steps: if leaf.is_array() { vec![PartStep::Elements(length)] } else { Vec::new() }, values, ..leaf.clone() }
}

impl InputLeaf {
    /// Whether it has elements.
    pub fn is_array(&self) -> bool {
        self.steps.iter().any(|step| !matches!(step, PartStep::Member(_)))
    }

    /// Whether it has rows of elements, and nothing else.
    pub fn is_rows(&self) -> bool {
        self.steps.iter().all(|step| matches!(step, PartStep::Elements(_)))
    }

    /// The lengths on the way to it, from outside; of the row of all nodes there is none.
    fn lengths(&self) -> Vec<Option<Int>> {
        let mut found = Vec::new();
        for step in &self.steps {
            match step {
                PartStep::Elements(length) => found.push(length.clone()),
                PartStep::Pointers(members) => found.push(Some(Int::from(members.len()))),
                PartStep::Node(_) => found.push(None),
                PartStep::Member(_) => {}
            }
        }
        found
    }

    /// The indices on the way to the element with this index, from outside; `None` where a length on the way is missing.
    pub fn indices(&self, index: &Int) -> Option<Vec<Int>> {
        let lengths = self.lengths();
        let (mut rest, mut found) = (index.clone(), Vec::new());
        if let [PartStep::Node(_), PartStep::Pointers(members)] = &self.steps[..] {
            // The numbers of pointers begin with 1.
            rest = rest + Int::from(members.len() - 1);
        }
        for length in lengths.iter().skip(1).rev() {
            let (outer, inner) = rest.div_rem_floor(length.as_ref()?)?;
            found.push(inner);
            rest = outer;
        }
        found.push(rest);
        found.reverse();
        Some(found)
    }
}
