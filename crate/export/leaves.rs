//! What a run finds in the objects of the program and leaves there, scalar by scalar.

mod unions;

use super::nodes::TestModel;
use super::object_part::{ObjectPart, part_of};
use super::replay::{Replay, element};
use super::types::{TypeNames, string};
use super::value::ObjectValue;
use crate::lang::ast::{DeclId, Length, Program, Qualifiers, Shape};
use crate::logic::{Int, SortedMap};
use crate::lts::inputs::{arrays_along, inputs, read_along};
use crate::lts::node_cells::of_nodes;
use crate::lts::{Array, ArrayId, Lts, Origin, ValueMeaning, VariableId, null_index};
pub use unions::is_in_union;

/// All scalars of an object with the same members on the way.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub part: ObjectPart,
    pub origin: Origin,
    /// Whether it is one scalar; else they have indices.
    pub is_single: bool,
    /// Whether the number of scalars is known.
    pub has_length: bool,
    /// Whether the run starts with values that the test gives.
    pub is_input: bool,
    /// Whether the run may read values that it has not written.
    pub is_read: bool,
    pub values: ValueMeaning,
    /// The scalars that the run looks at: index, value before the run, value after it.
    pub cells: Vec<(i64, Int, Int)>,
    /// The indices of the elements to which pointers into blocks lead, by the indices of the scalars: before the run, and after it.
    pub elements: SortedMap<i64, (Int, Int)>,
}

impl Leaf {
    /// The scalars that the run changes.
    pub fn changed(&self) -> Vec<(i64, Int, Int)> {
        let is_moved = |index: &i64| self.elements.get(index).is_some_and(|(before, after)| before != after);
        self.cells.iter().filter(|(index, before, after)| before != after || is_moved(index)).cloned().collect()
    }
}

/// The leaves of all declared objects.
///
/// # Errors
/// The run looks at more elements of an array than a test can hold, in a sentence.
pub fn leaves(program: &Program, lts: &Lts, replay: &Replay) -> Result<Vec<Leaf>, String> {
    let mut found = Vec::new();
    let all = inputs(lts);
    let (scalars_read, arrays_read) = (read_along(lts, &replay.edges), arrays_along(lts, &replay.edges));
    for (at, variable) in lts.variables.iter().enumerate() {
        let name = variable.name.strip_suffix(".at").filter(|_| variable.values == ValueMeaning::ElementIndices);
        let Some(part) = part_of(program, name.unwrap_or(&variable.name), variable.span) else { continue };
        if is_memory(program, &part, variable.values) {
            continue;
        }
        found.push(Leaf {
            part,
            origin: variable.origin,
            is_single: true,
            has_length: true,
            is_input: all.variables.contains(&VariableId(at as u32)),
            is_read: scalars_read.contains(&VariableId(at as u32)),
            values: variable.values,
            cells: vec![(0, replay.before.scalars[at].clone(), replay.after.scalars[at].clone())],
            elements: SortedMap::new(),
        });
    }
    // Nodes are objects of their own.
    let is_of_nodes = |array: &Array| array.member_of_nodes.is_some() || of_nodes(array).is_some();
    for (at, array) in lts.arrays.iter().enumerate().filter(|(_, array)| !is_of_nodes(array)) {
        let touched = match &replay.touched[at] {
            Some((least, greatest)) => match (least.to_i64(), greatest.to_i64()) {
                (Some(least), Some(greatest)) if greatest.checked_sub(least).is_some_and(|size| size < super::LARGEST) => {
                    least..greatest + 1
                }
                _ => return Err(format!("its run looks at elements of `{}` that lie too far apart for an array in a test", array.name)),
            },
            None => 0..0,
        };
        let value = |index: i64| {
            let index = Int::from(index);
            (element(&replay.before.arrays[at], &index), element(&replay.after.arrays[at], &index))
        };
        let leaf = |part, is_single, cells| Leaf {
            part,
            origin: array.origin,
            is_single,
            has_length: array.length.is_some(),
            is_input: all.arrays.contains(&ArrayId(at as u32)),
            is_read: arrays_read.contains(&ArrayId(at as u32)) && replay.reads_first[at],
            values: array.values,
            cells,
            elements: SortedMap::new(),
        };
        if array.objects.is_empty() {
            let name = array.name.strip_suffix(".at").filter(|_| array.values == ValueMeaning::ElementIndices);
            let Some(part) = part_of(program, name.unwrap_or(&array.name), array.span) else { continue };
            if is_memory(program, &part, array.values) {
                continue;
            }
            let cell = |index: i64| {
                let (before, after) = value(index);
                (index, before, after)
            };
            found.push(leaf(part, false, touched.map(cell).collect()));
            continue;
        }
        // Of n objects, element i of the object with index k is element n·i + k.
        let count = array.objects.len() as i64;
        for (turn, object) in (0..).zip(&array.objects) {
            let name = object.name.strip_suffix(".at").filter(|_| array.values == ValueMeaning::ElementIndices);
            let Some(part) = part_of(program, name.unwrap_or(&object.name), object.span) else { continue };
            let own = touched.clone().filter(|index| index.rem_euclid(count) == turn);
            let cell = |index: i64| {
                let (before, after) = value(index);
                (index.div_euclid(count), before, after)
            };
            let declared = program.decl(part.decl);
            let origin = match declared.storage {
                crate::lang::storage::Storage::Parameter if lts_parameter(lts, program, part.decl) => Origin::Parameter,
                crate::lang::storage::Storage::Global | crate::lang::storage::Storage::Static => Origin::Global,
                _ => array.origin,
            };
            let leaf = Leaf {
                is_input: object.is_input && all.arrays.contains(&ArrayId(at as u32)),
                origin,
                ..leaf(part, object.is_scalar, own.map(cell).collect())
            };
            found.push(leaf);
        }
    }
    Ok(unions::chosen(program, with_elements(merged(found))))
}

/// The leaves in which a pointer into a block is one scalar.
fn with_elements(all: Vec<Leaf>) -> Vec<Leaf> {
    let (indices, mut pointers): (Vec<Leaf>, Vec<Leaf>) = all.into_iter().partition(|leaf| leaf.values == ValueMeaning::ElementIndices);
    for own in indices {
        if let Some(pointer) = pointers.iter_mut().find(|pointer| pointer.part == own.part && pointer.is_single == own.is_single) {
            pointer.elements = own.cells.into_iter().map(|(index, before, after)| (index, (before, after))).collect();
        }
    }
    pointers
}

/// Whether it is memory that a pointer was set to, which has the pointer's name.
fn is_memory(program: &Program, part: &ObjectPart, values: ValueMeaning) -> bool {
    let decl = program.decl(part.decl);
    let is_number = values.is_numeric() && values != ValueMeaning::ElementIndices;
    is_number && matches!(decl.shape, Shape::Pointer(_)) && decl.storage != crate::lang::storage::Storage::Parameter
}

/// Whether two leaves are the same part of an object: a pointer, and the index of its element, are not.
fn is_same(one: &Leaf, other: &Leaf) -> bool {
    let is_index = |leaf: &Leaf| leaf.values == ValueMeaning::ElementIndices;
    one.part == other.part && one.is_single == other.is_single && is_index(one) == is_index(other)
}

/// An object that is kept with others starts as an input of its own: of both, the input has the first values, the other the last ones.
fn merged(all: Vec<Leaf>) -> Vec<Leaf> {
    let mut found: Vec<Leaf> = Vec::new();
    let (inputs, others): (Vec<Leaf>, Vec<Leaf>) = all.into_iter().partition(|leaf| leaf.is_input);
    for mut leaf in inputs {
        let kept = others.iter().filter(|other| is_same(other, &leaf));
        let last: SortedMap<i64, Int> = kept.flat_map(|other| &other.cells).map(|(index, _, after)| (*index, after.clone())).collect();
        for (index, _, after) in &mut leaf.cells {
            if let Some(last) = last.get(index) {
                after.clone_from(last);
            }
        }
        found.push(leaf);
    }
    let is_new = |leaf: &Leaf| !found.iter().any(|other| is_same(other, leaf));
    let rest: Vec<Leaf> = others.into_iter().filter(is_new).collect();
    found.extend(rest);
    found
}

/// Whether it is a parameter of the analysed function.
fn lts_parameter(lts: &Lts, program: &Program, decl: DeclId) -> bool {
    program.function(&lts.function).is_some_and(|(_, function)| function.parameters.iter().any(|parameter| parameter.decl == decl))
}

/// The value of an object before the run, and after it, from its leaves.
///
/// # Errors
/// A pointer in it that no test can set, in a sentence.
pub fn values<'l>(
    types: &TypeNames,
    model: &TestModel<'_>,
    shape: &Shape,
    leaves: impl Iterator<Item = &'l Leaf>,
) -> Result<(ObjectValue, ObjectValue), String> {
    let program = types.program;
    let (mut first, mut last) = (ObjectValue::Unset, ObjectValue::Unset);
    for leaf in leaves {
        for (index, before, after) in &leaf.cells {
            let elements = leaf.elements.get(index);
            let told = |value: &Int, element: Option<&Int>, of: &mut ObjectValue| {
                let value = match leaf.values {
                    values if values.is_numeric() => ObjectValue::Scalar(value.clone()),
                    ValueMeaning::Indices => ObjectValue::Pointer(static_pointer(types, leaf.part.decl, value)?),
                    other => ObjectValue::Pointer(moved(pointer(types, model, other, value)?, element)),
                };
                of.set(program, shape, &leaf.part.path, *index, value).ok_or_else(unnamed)
            };
            told(before, elements.map(|(before, _)| before), &mut first)?;
            told(after, elements.map(|(_, after)| after), &mut last)
                .or_else(|why| if leaf.values.is_numeric() { Err(why) } else { Ok(()) })?;
        }
    }
    Ok((first, last))
}

/// A pointer to an element of a block.
pub fn moved(block: String, element: Option<&Int>) -> String {
    match element.filter(|element| !element.is_zero() && block != "0") {
        Some(element) => format!("{block} + {element}"),
        None => block,
    }
}

/// A static pointer into one array, as C writes it.
fn static_pointer(types: &TypeNames, pointer: DeclId, index: &Int) -> Result<String, String> {
    if *index == null_index() {
        return Ok("0".to_owned());
    }
    let program = types.program;
    let array = program.nodes.static_pointers.get(&pointer).map(|target| program.decl(target.array));
    let length =
        array.and_then(|array| if let Shape::Array { length: Length::Fixed(length), .. } = &array.shape { Some(length) } else { None });
    let is_inside = !index.is_negative() && length.is_some_and(|length| index <= length);
    let name = array.filter(|_| is_inside).and_then(|array| types.name(&array.name));
    Ok(moved(name.ok_or("a pointer leads to no element that has a name")?.to_owned(), Some(index)))
}

fn unnamed() -> String {
    "an object that it sets has a type without a name".to_owned()
}

/// A pointer that is a value of the model, as C writes it.
pub fn pointer(types: &TypeNames, model: &TestModel<'_>, values: ValueMeaning, value: &Int) -> Result<String, String> {
    let TestModel { lts, nodes } = *model;
    if value.is_zero() {
        return Ok("0".to_owned());
    }
    let constant = match values {
        ValueMeaning::Functions => {
            let at = value.to_i64().and_then(|number| usize::try_from(number - 1).ok());
            at.and_then(|at| lts.value_names.functions.get(at)).and_then(|name| types.name(name)).map(str::to_owned)
        }
        ValueMeaning::Nodes { .. } | ValueMeaning::Cells { .. } => nodes.pointer(lts, values, value),
        ValueMeaning::Addresses => {
            let row = (0..types.program.strings.len()).find(|&row| crate::lang::ast::string_address(row) == *value);
            row.map(|row| string(&types.program.strings[row]))
        }
        _ => None,
    };
    constant.ok_or_else(|| match values {
        ValueMeaning::Functions => "a pointer leads to a function of another part of the program".to_owned(),
        _ => "a pointer leads to an object of another part of the program".to_owned(),
    })
}

/// Whether something other than the program may read or write the object.
pub fn is_volatile(program: &Program, part: &ObjectPart) -> bool {
    let decl = program.decl(part.decl);
    let own = |qualifiers: Qualifiers| qualifiers.is_volatile();
    if own(decl.qualifiers) || matches!(decl.shape, Shape::Pointer(_)) && own(decl.qualifiers.pointee()) {
        return true;
    }
    let mut shape = super::object_part::object(decl);
    for &at in &part.path {
        while let Shape::Array { element, .. } = shape {
            shape = element;
        }
        let Shape::Struct(id) = shape else { return false };
        let Some(member) = program.structure(*id).members.as_ref().and_then(|members| members.get(at)) else { return false };
        if own(member.qualifiers) {
            return true;
        }
        shape = &member.shape;
    }
    false
}
