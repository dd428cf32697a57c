//! What parameters point to that lead to structures: for each function a C function with the same parameters sets their members, so that the
//! program's own text says what their types are, also where these have no name.

use super::declared::element_size;
use super::subject::{Function, Subject};
use culdesac::lang::ast::{Length, Parameter, Program, Shape};
use culdesac::lts::Origin;
use std::fmt::Write as _;

/// Bytes on each side of where such a parameter leads that can be touched, as in the runtime.
const SIDE: u32 = 1 << 14;

/// An input that is a member of a structure, or of all structures of an array.
pub struct Member {
    slot: usize,
    /// Where it is after the structure: `.in.m`; of arrays of structures inside, each: `.two[0].m`, `.two[1].m`.
    places: Vec<String>,
    /// Bytes of an element, where it is an array, and whether that goes on for ever.
    array: Option<(u32, bool)>,
}

/// The members that a parameter leads to; none where it leads to no structure, or to one with members that have no address, or where a
/// structure is passed beside it.
pub fn members(subject: &Subject, function: &Function, parameter: &Parameter) -> Vec<Member> {
    let Shape::Pointer(inner) = &subject.program.decl(parameter.decl).shape else { return Vec::new() };
    let Shape::Struct(id) = **inner else { return Vec::new() };
    if subject.program.structure(id).members.iter().flatten().any(|member| member.bits.is_some()) {
        return Vec::new();
    }
    let Some((_, tree)) = subject.program.function(&function.lts.function) else { return Vec::new() };
    if tree.parameters.iter().any(|parameter| matches!(subject.program.decl(parameter.decl).shape, Shape::Struct(_))) {
        return Vec::new();
    }
    let lts = &function.lts;
    let places = |origin: Origin, name: &str| {
        let rest = name.strip_prefix(&parameter.name.text)?.strip_prefix('.')?;
        let is_member = origin == Origin::Parameter && rest != "null" && !rest.contains('|');
        // A number makes a name another one's, and is no part of the member.
        is_member.then(|| places(&subject.program, inner, rest.split('#').next().unwrap_or(rest)))
    };
    let scalars = function.inputs.variables.iter().enumerate().filter_map(|(slot, &id)| {
        let variable = lts.variable(id);
        Some(Member { slot, places: places(variable.origin, &variable.name)?, array: None })
    });
    let arrays = function.inputs.arrays.iter().enumerate().filter_map(|(slot, &id)| {
        let array = lts.array(id);
        Some(Member { slot, places: places(array.origin, &array.name)?, array: Some((element_size(array.range), array.length.is_none())) })
    });
    scalars.chain(arrays).collect()
}

/// The C functions that set the members of one function's parameters.
pub fn fillers(subject: &Subject, number: usize, function: &Function, text: &mut String) {
    let Some((_, tree)) = subject.program.function(&function.lts.function) else { return };
    for parameter in &tree.parameters {
        let name = &parameter.name.text;
        let members = members(subject, function, parameter);
        let Some(list) = parameters(&subject.source, tree.name.span.end as usize).filter(|_| !members.is_empty()) else { continue };
        let _ = writeln!(text, "static void __culdesac_fill_{number}_{name}{list} {{\n  {name} = __culdesac_structure;");
        let several = members.iter().any(|member| matches!(member.array, Some((_, true))));
        let _ = match several {
            true => writeln!(text, "  long __culdesac_n = {SIDE} / (long)sizeof *{name}, __culdesac_i = -__culdesac_n;"),
            false => writeln!(text, "  long __culdesac_n = 1, __culdesac_i = 0;"),
        };
        text.push_str("  for (; __culdesac_i < __culdesac_n; __culdesac_i++) {\n");
        for Member { slot, places, array } in members {
            for (at, path) in places.iter().enumerate() {
                let place = format!("{name}[__culdesac_i]{path}");
                let _ = match array {
                    None => writeln!(text, "    __culdesac_set((void *)&{place}, sizeof {place}, {slot});"),
                    Some((size, _)) => writeln!(
                        text,
                        "    __culdesac_fill_part((void *)&{place}, sizeof {place}, {size}, {slot}, (__culdesac_i * {} + {at}) * (long)(sizeof {place} / {size}));",
                        places.len()
                    ),
                };
            }
        }
        text.push_str("  }\n}\n");
    }
}

/// The places of a member in a structure, row by row.
fn places(program: &Program, structure: &Shape, member: &str) -> Vec<String> {
    let (mut shape, mut places) = (structure.clone(), vec![String::new()]);
    for name in member.split('.') {
        while let Shape::Array { element, length: Length::Fixed(length) } = shape {
            let count = length.to_i64().unwrap_or(0);
            places = places.iter().flat_map(|place| (0..count).map(move |at| format!("{place}[{at}]"))).collect();
            shape = *element;
        }
        places.iter_mut().for_each(|place| *place = format!("{place}.{name}"));
        let Shape::Struct(id) = shape else { return places };
        let found = program.structure(id).members.iter().flatten().find(|member| member.name.text == name);
        shape = found.map_or(Shape::Opaque, |member| member.shape.clone());
    }
    places
}

/// The list of parameters that stands after a place in the text, with its parentheses.
fn parameters(source: &str, from: usize) -> Option<&str> {
    let rest = source.get(from..)?.trim_start();
    let mut open = 0;
    for (at, byte) in rest.bytes().enumerate() {
        open += i32::from(byte == b'(') - i32::from(byte == b')');
        if open == 0 {
            return rest.get(..=at).filter(|list| list.starts_with('('));
        }
    }
    None
}

/// What is passed for a parameter that leads to structures.
pub fn argument(subject: &Subject, (number, function): (usize, &Function), parameter: &Parameter, cases: &mut String) -> String {
    let (name, lts) = (&parameter.name.text, &function.lts);
    let Some((_, tree)) = subject.program.function(&lts.function) else { return "0".to_owned() };
    let others: Vec<&str> = (tree.parameters.iter())
        .map(|parameter| if matches!(subject.program.decl(parameter.decl).shape, Shape::Pointer(_)) { "0" } else { "1" })
        .collect();
    let _ = writeln!(cases, "    void *{name}_structures = __culdesac_structure = __culdesac_structures();");
    let _ = writeln!(cases, "    __culdesac_fill_{number}_{name}({});", others.join(", "));
    let null = function.inputs.variables.iter().position(|&id| lts.variable(id).name == format!("{name}.null"));
    match null {
        Some(null) => format!("__culdesac_scalar({null}) ? 0 : {name}_structures"),
        None => format!("{name}_structures"),
    }
}
