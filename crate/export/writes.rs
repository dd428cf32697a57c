//! What a stub writes, as statements: into globals by their names, into objects that its arguments lead to through these.

use super::object_part::part_of;
use super::script::StubWrite;
use super::step::TestStep;
use super::stubs::Stub;
use super::types::{TypeNames, constant};
use super::value::{ObjectValue, Scalar, count_of};
use crate::lang::ast::{Length, Qualifiers, Shape, Storage};
use crate::lang::types::{Abi, Integer};
use crate::logic::Int;

/// What a stub assigns: the target as C names it, and its value.
#[derive(Clone, Debug)]
pub struct StubAssignment {
    pub target: String,
    pub ty: Integer,
    pub number: Int,
}

impl StubAssignment {
    /// The statement.
    pub fn statement(&self, abi: Abi) -> String {
        format!("{} = {};", self.target, constant(self.ty, abi, &self.number))
    }
}

/// The assignments of a write.
///
/// # Errors
/// The stub cannot reach the object, in a sentence.
pub fn assignments(
    types: &TypeNames,
    step: &TestStep,
    (stub, parameters): (&Stub, &[String]),
    write: &StubWrite,
) -> Result<Vec<StubAssignment>, String> {
    let program = types.program;
    let unreachable = || {
        let object = write.name.split('|').next().unwrap_or_default();
        format!("`{}` has to change `{object}`, which the call does not get", stub.function)
    };
    if write.is_memory {
        let (_, decl) = super::script::allocations(program).get(&write.span).cloned().ok_or_else(unreachable)?;
        let Shape::Pointer(element) = &program.decl(decl).shape else { return Err(unreachable()) };
        return through_pointer(types, ("memory", "void *", false), element, &write.elements, 0, &[]).ok_or_else(unreachable);
    }
    // An array of the model may keep several objects, of which each has its turn.
    let mut found = Vec::new();
    for (name, span, elements) in apart(step, write) {
        if elements.is_empty() {
            continue;
        }
        let part = part_of(program, &name, span).ok_or_else(unreachable)?;
        let decl = program.decl(part.decl);
        let shape = super::object_part::object(decl);
        if decl.storage == Storage::Global {
            if decl.qualifiers.fixed() {
                return Err(unreachable());
            }
            let mut value = ObjectValue::Unset;
            for (index, element) in &elements {
                let index = index.to_i64().ok_or_else(unreachable)?;
                value.set(program, shape, &part.path, index, ObjectValue::Scalar(element.clone())).ok_or_else(unreachable)?;
            }
            for Scalar { suffix, ty, number, .. } in value.scalars(program, shape).ok_or_else(unreachable)? {
                let (ty, number) = ty.zip(number).ok_or_else(unreachable)?;
                found.push(StubAssignment { target: format!("{}{suffix}", types.name(&decl.name).ok_or_else(unreachable)?), ty, number });
            }
            continue;
        }
        let (through, indices) = write.through.as_ref().ok_or_else(unreachable)?;
        let argument = parameters.get(through.argument as usize).ok_or_else(unreachable)?;
        let rest = part.path.strip_prefix(&through.path[..]).ok_or_else(unreachable)?;
        let (element, first) = pointed(types, decl, shape, &through.path, indices).ok_or_else(unreachable)?;
        let is_single = !matches!(decl.shape, Shape::Array { .. }) && part.path.is_empty();
        let list = super::stubs::prototype(program, &stub.function).and_then(|prototype| prototype.parameters.as_ref());
        let declared = list.and_then(|list| list.get(through.argument as usize));
        let own = declared.and_then(|declared| types.parameter(&declared.ty, declared.qualifiers, String::new())).unwrap_or_default();
        found.extend(through_pointer(types, (argument, &own, is_single), &element, &elements, first, rest).ok_or_else(unreachable)?);
    }
    Ok(found)
}

/// An object by its name and span, with the elements that are written.
type WrittenPart = (String, crate::source::Span, Vec<(Int, Int)>);

/// The objects of a write, each with its own elements.
fn apart(step: &TestStep, write: &StubWrite) -> Vec<WrittenPart> {
    let lts = &step.loaded.lts;
    let array = lts.arrays.iter().find(|array| array.name == write.name && array.span == write.span && !array.objects.is_empty());
    let Some(array) = array else { return vec![(write.name.clone(), write.span, write.elements.clone())] };
    let count = Int::from(array.objects.len());
    let own = |turn: usize| {
        let of = |(index, value): &(Int, Int)| {
            let (index, remainder) = index.div_rem_floor(&count)?;
            (remainder == Int::from(turn)).then(|| (index, value.clone()))
        };
        write.elements.iter().filter_map(of).collect()
    };
    array.objects.iter().enumerate().map(|(turn, object)| (object.name.clone(), object.span, own(turn))).collect()
}

/// What a pointer leads to that goes into an object by these members and indices: the shape, and how many elements of that shape stand in front
/// of it in their array.
fn pointed(types: &TypeNames, decl: &crate::lang::ast::Decl, object: &Shape, path: &[usize], indices: &[Int]) -> Option<(Shape, i64)> {
    let program = types.program;
    let is_pointer = decl.storage == Storage::Parameter && matches!(decl.shape, Shape::Pointer(_));
    let mut shape = object.clone();
    let (mut members, mut indices) = (path.iter(), indices.iter());
    let mut flat = 0i64;
    // What a pointer parameter points to is an array without a length, or one structure.
    if is_pointer && (!matches!(shape, Shape::Struct(_)) || path.is_empty() && indices.len() == 1) {
        flat = indices.next().map_or(Some(0), Int::to_i64)?;
    }
    loop {
        shape = match shape {
            Shape::Array { element, length } => match indices.next() {
                Some(index) => {
                    let length = if let Length::Fixed(length) = length { length.to_i64()? } else { 0 };
                    flat = flat.checked_mul(length)?.checked_add(index.to_i64()?)?;
                    *element
                }
                // A pointer to the whole array.
                None => return Some((Shape::Array { element, length }, 0)),
            },
            Shape::Struct(id) => match members.next() {
                Some(&at) => {
                    flat = 0;
                    program.structure(id).members.as_ref()?.get(at)?.shape.clone()
                }
                None => return Some((Shape::Struct(id), flat)),
            },
            other => return Some((other, flat)),
        };
    }
}

/// Assignments through a pointer to elements of this shape, which points to the one with index `first`.
fn through_pointer(
    types: &TypeNames,
    (pointer, own, is_single): (&str, &str, bool),
    element: &Shape,
    elements: &[(Int, Int)],
    first: i64,
    rest: &[usize],
) -> Option<Vec<StubAssignment>> {
    let program = types.program;
    let element = match element {
        Shape::Array { element, .. } => element,
        other => other,
    };
    let inner = count_of(program, element)(rest).unwrap_or(1);
    let shape = Shape::Array { element: Box::new(element.clone()), length: Length::Unknown };
    let mut value = ObjectValue::Unset;
    for (index, written) in elements {
        value.set(program, &shape, rest, index.to_i64()? - first * inner, ObjectValue::Scalar(written.clone()))?;
    }
    let declarator = if matches!(element, Shape::Array { .. }) { "(*)" } else { "*" };
    let cast = types.object(element, Qualifiers::default(), declarator.to_owned())?;
    // A parameter of this very type needs no cast.
    let target = if cast == own { pointer.to_owned() } else { format!("(({cast}){pointer})") };
    let scalars = value.scalars(program, &shape)?;
    scalars
        .into_iter()
        .map(|scalar| {
            let target = match scalar.suffix.strip_prefix("[0].") {
                Some(member) => format!("{target}->{member}"),
                None if scalar.suffix == "[0]" && is_single => format!("*{target}"),
                None => format!("{target}{}", scalar.suffix),
            };
            Some(StubAssignment { target, ty: scalar.ty?, number: scalar.number? })
        })
        .collect()
}
