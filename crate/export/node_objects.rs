//! Nodes in the text of a test: objects with pointers to each other, which the callers of a function pass to it or leave in globals; and what
//! has to hold of them afterwards.

use super::freed::is_freed;
use super::leaves::{Leaf, moved, pointer};
use super::names::{has_word, plain};
use super::nodes::{TestNode, block_cells, cells};
use super::object_part::object;
use super::replay::{ModelValues, element};
use super::step::TestStep;
use super::test::{TestLine, TestWriter};
use super::types::TypeNames;
use super::value::{ObjectValue, Scalar};
use crate::lang::ast::{Function, Length, Qualifiers, Shape, Storage, StructId};
use crate::logic::{Int, SortedSet};
use crate::lts::node_cells::{block_items, is_new, led_to, of_nodes};
use crate::lts::node_names::{NumberedNode, block_of};
use crate::lts::{Array, FREED, Lts, Origin, PartStep, ValueMeaning};
use std::collections::VecDeque;

/// Nodes that a call makes and whose members are compared, at most.
const MOST_NEW: usize = 16;

/// Whether a test makes no nodes, and all nodes that are objects of the program begin with zeros.
pub fn are_plain(types: &TypeNames, step: &TestStep) -> bool {
    let first = |node: &TestNode| value(types, step, &(node.structure, node.number.clone()), &step.replay.before, false);
    step.nodes.all.iter().all(|node| node.is_object && first(node).is_some_and(|value| value.is_zero()))
}

/// What a node has at a time, as far as the run looks at it; with `changed` only what the run changes.
fn value(types: &TypeNames, step: &TestStep, node: &NumberedNode, of: &ModelValues, changed: bool) -> Option<ObjectValue> {
    let (lts, shape) = (&step.loaded.lts, shape(step, node));
    let mut object = ObjectValue::Unset;
    let is_block = block_of(lts, node.0).is_some();
    for (array, at) in lts.arrays.iter().zip(0usize..).filter(|(array, _)| of_nodes(array) == Some(node.0)) {
        let is_items = block_items(lts, node.0).any(|items| items.0 as usize == at);
        if is_block && !is_items {
            continue;
        }
        let own = match is_block {
            true => block_cells(lts, node, at, &step.replay.touched, of),
            false => cells(array, step.replay.touched[at].as_ref(), &node.1),
        };
        for (inner, index) in own {
            let (first, value) = (element(&step.replay.before.arrays[at], &index), element(&of.arrays[at], &index));
            // What the run sets in a node that it makes is told, whatever it is.
            let is_set = || of.arrays[at].elements.contains_key(&index) && !step.replay.before.arrays[at].elements.contains_key(&index);
            let is_new = is_new(&node.1);
            let at_element = |of: &ModelValues| element_index(lts, array, &index, of);
            let is_same = first == value && at_element(&step.replay.before) == at_element(of);
            let is_other = matches!(array.values, ValueMeaning::Members(_) | ValueMeaning::ElementIndices);
            if changed && is_same && !(is_new && is_set()) || is_other {
                continue;
            }
            let (path, inner) = match &array.part.steps[..] {
                [_, PartStep::Pointers(members)] => {
                    let all = types.program.structure(StructId(node.0)).members.as_ref()?;
                    let member = members.get(usize::try_from(inner).ok()?)?;
                    (vec![all.iter().position(|own| own.name.text == *member)?], 0)
                }
                _ if is_block => (array.part.path[1..].to_vec(), inner),
                _ => (array.part.path.clone(), inner),
            };
            let value = match array.values {
                values if values.is_numeric() => ObjectValue::Scalar(value),
                values => match pointer(types, &step.model(), values, &value) {
                    Ok(text) => ObjectValue::Pointer(moved(text, at_element(of).as_ref())),
                    // A new node has no name, and what was never set has no value.
                    Err(_) if changed || value.is_negative() => continue,
                    Err(_) => return None,
                },
            };
            object.set(types.program, &shape, &path, inner, value)?;
        }
    }
    Some(object)
}

/// The index of the element to which a pointer into a block leads that an array holds; `None` of any other scalar.
fn element_index(lts: &Lts, array: &Array, index: &Int, of: &ModelValues) -> Option<Int> {
    let is_part = |own: &&Array| own.values == ValueMeaning::ElementIndices && own.part == array.part;
    let at = lts.arrays.iter().position(|own| is_part(&own))?;
    Some(element(&of.arrays[at], index))
}

/// The shape of a node in C: a structure, or an array for a block.
fn shape(step: &TestStep, node: &NumberedNode) -> Shape {
    let block = block_of(&step.loaded.lts, node.0).map(|block| block.element.clone());
    match (step.nodes.find(node), block) {
        (Some(named), _) => named.shape.clone(),
        (None, Some(element)) => Shape::Array { element: Box::new(element), length: Length::Unknown },
        (None, None) => Shape::Struct(StructId(node.0)),
    }
}

impl TestWriter<'_> {
    /// Statements that make the nodes of a test, and give the ones that are objects of the program their values.
    ///
    /// # Errors
    /// A node that no test can make, in a sentence.
    pub fn nodes(&self, step: &TestStep, is_sequence: bool) -> Result<Vec<TestLine>, String> {
        let nodes = &step.nodes;
        if is_sequence && !nodes.is_empty() {
            return Err("it is one of several calls, and begins with nodes of its own".to_owned());
        }
        let program = self.types.program;
        let (mut declared, mut set) = (Vec::new(), Vec::new());
        let mut names: Vec<&str> = Vec::new();
        // The node at the end of a list comes first, so that the one before can have its address.
        for node in nodes.all.iter().rev() {
            let shape = node.shape.clone();
            let unnamed = || format!("the type of `{}` has no name", node.name);
            let key = (node.structure, node.number.clone());
            let first = value(&self.types, step, &key, &step.replay.before, false).ok_or("a node in it cannot be made")?;
            if node.is_object {
                // Calls before leave it as it is.
                if is_sequence {
                    continue;
                }
                if node.name != plain(&node.name) {
                    return Err(format!("`{}` is an object of another file", plain(&node.name)));
                }
                let scalars = first.scalars(program, &shape).ok_or_else(unnamed)?;
                let is_set = |scalar: &&Scalar| self.shared_state.is_some() || scalar.value != "0";
                let assigned = scalars.iter().filter(is_set).map(|scalar| format!("{}{} = {};", node.name, scalar.suffix, scalar.value));
                set.extend(assigned.map(TestLine::Statement));
                continue;
            }
            let text = first.initialiser(program, &shape).ok_or_else(unnamed)?;
            if let (true, Shape::Array { element, length: Length::Fixed(length) }) = (nodes.are_freed, &shape) {
                let object = self.types.object(element, Qualifiers::default(), format!("*{}", node.name)).ok_or_else(unnamed)?;
                declared.push(TestLine::Statement(format!("{object} = culdesac_allocate({length} * sizeof *{});", node.name)));
                let scalars = first.scalars(program, &shape).ok_or_else(unnamed)?;
                let assigned = scalars.iter().filter(|scalar| scalar.value != "0");
                declared.extend(assigned.map(|own| TestLine::Statement(format!("{}{} = {};", node.name, own.suffix, own.value))));
                names.push(&node.name);
                continue;
            }
            let pointer = format!("*{}", node.name);
            let declarator = if nodes.are_freed { &pointer } else { &node.name };
            let object = self.types.object(&shape, Qualifiers::default(), declarator.clone()).ok_or_else(unnamed)?;
            let ty = self.types.object(&shape, Qualifiers::default(), String::new()).ok_or_else(unnamed)?;
            names.push(&node.name);
            let is_declared = |other: &TestNode| names.contains(&other.name.as_str()) || !has_word(&text, &other.name);
            let (is_first, assignment) = (nodes.all.iter().all(is_declared), format!("{declarator} = ({}){text};", ty.trim_end()));
            declared.push(TestLine::Statement(match nodes.are_freed {
                true => format!("{object} = culdesac_allocate(sizeof {pointer});"),
                false if is_first => format!("{object} = {text};"),
                false => format!("{object};"),
            }));
            match (nodes.are_freed, is_first) {
                (true, true) => declared.push(TestLine::Statement(assignment)),
                (_, false) => set.push(TestLine::Statement(assignment)),
                (false, true) => {}
            }
        }
        declared.extend(set);
        Ok(declared)
    }

    /// What has to hold of nodes that the run changes or makes. `roots` are the pointers from which new nodes are reached: how C writes them,
    /// what their values mean, and these.
    pub fn changed_nodes(&self, step: &TestStep, mut roots: Vec<(String, ValueMeaning, Int)>, expected: &mut Vec<TestLine>) {
        let (program, lts) = (self.types.program, &step.loaded.lts);
        for leaf in step.leaves.iter().filter(|leaf| matches!(leaf.values, ValueMeaning::Nodes { .. })) {
            // What lies in front of an element has no name by a pointer to it.
            let is_first = |index: &i64| leaf.elements.get(index).is_none_or(|(_, after)| after.is_zero());
            let changed = leaf.cells.iter().filter(|(index, before, after)| before != after && is_first(index));
            roots.extend(changed.filter_map(|(index, _, after)| Some((self.root(leaf, *index)?, leaf.values, after.clone()))));
        }
        let is_freed = |(structure, number): &NumberedNode| {
            freed_of(lts, *structure).is_some_and(|at| !element(&step.replay.after.arrays[at], number).is_zero())
        };
        let locals = self.local_nodes(step);
        let mut open: VecDeque<(String, NumberedNode, bool)> = VecDeque::new();
        for node in &step.nodes.all {
            open.push_back((String::new(), (node.structure, node.number.clone()), false));
        }
        open.extend(roots.into_iter().filter_map(|(text, values, value)| Some((text, led_to(values, &value)?.0, true))));
        let (mut seen, mut made) = (SortedSet::new(), 0);
        while let Some((text, node, is_led_to)) = open.pop_front() {
            let named = step.nodes.find(&node);
            let is_gone = is_freed(&node) || named.is_none() && locals.contains(&node.1);
            if is_gone || is_led_to && named.is_some() || !seen.insert(node.clone()) {
                continue;
            }
            if named.is_none() {
                made += 1;
                if made > MOST_NEW {
                    break;
                }
            }
            let part = |suffix: &str| match named {
                Some(named) => step.nodes.part(named, suffix),
                None if suffix.starts_with('[') => format!("{text}{suffix}"),
                None => format!("{text}->{}", suffix.trim_start_matches('.')),
            };
            let shape = shape(step, &node);
            if let Some(scalars) = value(&self.types, step, &node, &step.replay.after, true).and_then(|last| last.scalars(program, &shape))
            {
                for Scalar { suffix, ty, value, .. } in scalars {
                    if ty.is_some() || !value.starts_with('"') {
                        expected.push(TestLine::Equal(part(&suffix), ty, value));
                    }
                }
            }
            // The nodes to which its members lead.
            for (array, at) in lts.arrays.iter().zip(0usize..).filter(|(array, _)| of_nodes(array) == Some(node.0)) {
                let ValueMeaning::Nodes { .. } = array.values else { continue };
                let is_first = |index: &Int| element_index(lts, array, index, &step.replay.after).is_none_or(|at| at.is_zero());
                let is_items = block_items(lts, node.0).any(|items| items.0 as usize == at);
                if is_items {
                    let cells = block_cells(lts, &node, at, &step.replay.touched, &step.replay.after).into_iter();
                    for (inner, index) in cells.filter(|(_, index)| is_first(index)) {
                        let mut whole = ObjectValue::Unset;
                        let leads = led_to(array.values, &element(&step.replay.after.arrays[at], &index));
                        let is_there = whole.set(program, &shape, &array.part.path[1..], inner, ObjectValue::Pointer(String::new()));
                        if let (Some((next, _)), Some(()), Some(scalars)) = (leads, is_there, whole.scalars(program, &shape))
                            && let Some(scalar) = scalars.first()
                        {
                            open.push_back((part(&scalar.suffix), next, true));
                        }
                    }
                    continue;
                }
                for (inner, index) in
                    cells(array, step.replay.touched[at].as_ref(), &node.1).into_iter().filter(|(_, index)| is_first(index))
                {
                    let member = match &array.part.steps[..] {
                        [_, PartStep::Member(member)] => member,
                        [_, PartStep::Pointers(members)] => &members[inner as usize],
                        _ => continue,
                    };
                    if let Some((next, _)) = led_to(array.values, &element(&step.replay.after.arrays[at], &index)) {
                        open.push_back((part(&format!(".{member}")), next, true));
                    }
                }
            }
        }
    }

    /// The numbers of nodes that are variables of functions: none of them is there after the call.
    fn local_nodes(&self, step: &TestStep) -> SortedSet<Int> {
        let mut found = SortedSet::new();
        for leaf in step.leaves.iter().filter(|leaf| matches!(leaf.values, ValueMeaning::Nodes { .. })) {
            let decl = self.types.program.decl(leaf.part.decl);
            let length = match (decl.storage, &decl.shape) {
                (Storage::Local, Shape::Struct(_)) if leaf.part.path.is_empty() => 1,
                (Storage::Local, Shape::Array { length: Length::Fixed(length), .. }) if leaf.part.path.is_empty() && leaf.is_single => {
                    length.to_i64().unwrap_or(1)
                }
                _ => continue,
            };
            for (_, _, first) in &leaf.cells {
                found.extend((0..length).map(|at| first + &Int::from(at)));
            }
        }
        found
    }

    /// A pointer that an object of the test or a global keeps, as C writes it.
    fn root(&self, leaf: &Leaf, index: i64) -> Option<String> {
        let decl = self.types.program.decl(leaf.part.decl);
        let name = match (decl.storage, leaf.origin) {
            (Storage::Global, Origin::Global) => self.types.name(&decl.name)?.to_owned(),
            // A parameter itself is no object after the call.
            (Storage::Parameter, Origin::Parameter) if !leaf.part.path.is_empty() && matches!(decl.shape, Shape::Pointer(_)) => {
                let is_own = |own: &&Function| own.parameters.iter().any(|parameter| parameter.decl == leaf.part.decl);
                let function = self.types.program.functions.iter().find(is_own)?;
                if is_freed(self.types.program, function, leaf.part.decl) {
                    return None;
                }
                self.local(&decl.name)
            }
            _ => return None,
        };
        // The name of an array is a pointer to its elements.
        if matches!(&decl.shape, Shape::Array { element, .. } if matches!(**element, Shape::Scalar(_))) {
            return Some(name);
        }
        let (program, shape) = (self.types.program, object(decl));
        let mut whole = ObjectValue::Unset;
        whole.set(program, shape, &leaf.part.path, index, ObjectValue::Pointer(name.clone()))?;
        let scalars = whole.scalars(program, shape)?;
        Some(format!("{name}{}", scalars.first()?.suffix))
    }

    /// The declaration of what a call gives back that leads to a node, and what has to hold of it; `None` where nothing can be said.
    pub fn returned_node(&self, step: &TestStep, result: &Shape, value: &Int) -> Option<(String, Vec<TestLine>, ValueMeaning)> {
        let Shape::Pointer(inner) = result else { return None };
        let Shape::Struct(StructId(structure)) = **inner else { return None };
        let lts = &step.loaded.lts;
        if !lts.value_names.structures.iter().any(|(number, _)| *number == structure) {
            return None;
        }
        let values = ValueMeaning::Nodes { structure, least: 0 };
        // The function may return a pointer to a constant object, and the test only reads.
        let mut constant = Qualifiers::default();
        constant.qualify("const");
        let declared = self.types.object(result, constant.pointer(), self.result.to_owned())?;
        let is = match step.nodes.pointer(lts, values, value) {
            _ if value.is_zero() => Some("0".to_owned()),
            named => named,
        };
        let lines = is.map(|is| TestLine::Equal(self.result.to_owned(), None, is)).into_iter().collect();
        Some((declared, lines, values))
    }
}

/// The array that says which nodes of a structure were freed.
fn freed_of(lts: &Lts, structure: u32) -> Option<usize> {
    let span = lts.arrays.iter().find(|array| of_nodes(array) == Some(structure))?.span;
    lts.arrays.iter().position(|array| array.span == span && array.member_of_nodes.as_deref() == Some(FREED))
}
