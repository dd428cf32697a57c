//! Unions in objects of a test: of each only the member that was written last has a value.

use super::super::object_part::{ObjectPart, object};
use super::super::step::initial;
use super::super::value::count_of;
use super::Leaf;
use crate::lang::ast::{Program, Shape};
use crate::logic::Int;
use crate::lts::ValueMeaning;

/// The leaves without the scalars of members that were not written last, and without the numbers that say which one was.
pub fn chosen(program: &Program, all: Vec<Leaf>) -> Vec<Leaf> {
    let (lasts, mut leaves): (Vec<Leaf>, Vec<Leaf>) = all.into_iter().partition(|leaf| matches!(leaf.values, ValueMeaning::Members(_)));
    for leaf in &mut leaves {
        for last in lasts.iter().filter(|last| last.part.decl == leaf.part.decl) {
            let outer = &last.part.path[..last.part.path.len() - 1];
            let Some(&member) = leaf.part.path.strip_prefix(outer).and_then(<[usize]>::first) else { continue };
            let decl = program.decl(leaf.part.decl);
            let count = count_of(program, object(decl));
            // So many scalars of the leaf lie in one union.
            let inner = match (count(&leaf.part.path), count(&last.part.path)) {
                (Some(inner), Some(outer)) if outer > 0 => (inner / outer).max(1),
                _ => 1,
            };
            let number = Int::from(member + 1);
            let cells = std::mem::take(&mut leaf.cells);
            leaf.cells = (cells.into_iter())
                .filter_map(|(index, before, after)| {
                    let of_last = last.cells.iter().find(|(other, ..)| *other == index.div_euclid(inner));
                    let (is_before, is_after) = of_last.map_or((false, false), |(_, before, after)| (*before == number, *after == number));
                    match (is_before, is_after) {
                        (true, true) => Some((index, before, after)),
                        (true, false) => Some((index, before.clone(), before)),
                        (false, true) => Some((index, initial(program, decl, &leaf.part.path, index), after)),
                        (false, false) => None,
                    }
                })
                .collect();
        }
    }
    leaves
}

/// Whether a part of an object lies in a union of several members.
pub fn is_in_union(program: &Program, part: &ObjectPart) -> bool {
    let mut shape = object(program.decl(part.decl));
    for &at in &part.path {
        while let Shape::Array { element, .. } = shape {
            shape = element;
        }
        let Shape::Struct(id) = shape else { return false };
        let structure = program.structure(*id);
        if structure.union.as_ref().is_some_and(|union| union.last.is_some()) {
            return true;
        }
        let Some(member) = structure.members.as_ref().and_then(|members| members.get(at)) else { return false };
        shape = &member.shape;
    }
    false
}
