//! What the variables and arrays are in the text, and what their values mean there.

use super::object::{Root, Temporary};
use super::{IntegerModel, Lowerer};
use crate::lang::ast::{BlockKind, Constant, Length, Linkage, NodeObject, Qualifiers, Shape, Storage, StructId};
use crate::lang::types::Integer;
use crate::logic::{Int, SortedSet};
use crate::lts::{Array, BlockNames, Origin, PartStep, SourcePart, ValueMeaning, ValueNames};
use crate::source::Span;
use std::sync::Arc;

impl Lowerer<'_> {
    /// The part of an object with these members on the way, and what its declaration says beside the type.
    pub(super) fn source_part(&self, root: &Root, path: &[usize]) -> (SourcePart, Qualifiers) {
        let mut qualifiers = match root {
            Root::Decl(_, id) => self.program.decl(*id).qualifiers,
            _ => Qualifiers::default(),
        };
        let mut part = SourcePart { path: path.to_vec(), ..SourcePart::whole(self.name_and_origin(root).0) };
        let (mut shape, mut members) = (self.root_shape(root), path.iter());
        if let (Root::Decl(_, id), Shape::Array { element, .. }) = (root, &shape)
            && self.program.decl(*id).storage == Storage::Memory
            && let Shape::Struct(structure) = **element
        {
            part.steps.push(PartStep::Node(structure.0));
            shape = Shape::Struct(structure);
        }
        if let Root::Decl(_, id) = root
            && let Some(&class) = self.program.nodes.rows.get(id)
        {
            let pointers = &self.program.nodes.members[class as usize];
            let structures = self.program.structs.iter().zip(0..);
            for (structure, number) in structures.filter(|(own, _)| own.span == self.program.decl(*id).span) {
                part.steps.push(PartStep::Node(number));
                part.path.extend(structure.members.iter().flatten().position(|member| Some(&member.name.text) == pointers.first()));
            }
            part.steps.push(PartStep::Pointers(pointers.clone()));
            return (part, qualifiers);
        }
        loop {
            shape = match shape {
                Shape::Array { element, length } => {
                    part.steps.push(PartStep::Elements(if let Length::Fixed(length) = length { Some(length) } else { None }));
                    *element
                }
                // The parts of a pointer into a block are one pointer in the text.
                Shape::Struct(id) if self.program.nodes.cursors.contains_key(&id) => {
                    let list = self.program.structure(id).members.as_ref();
                    let member = members.next().and_then(|&at| list?.get(at));
                    part.path.truncate(part.path.len().saturating_sub(usize::from(member.is_some())));
                    return (part, member.map_or(qualifiers, |member| member.qualifiers));
                }
                Shape::Struct(id) => {
                    let list = self.program.structure(id).members.as_ref();
                    let Some(member) = members.next().and_then(|&at| list?.get(at)) else { return (part, qualifiers) };
                    if !member.name.text.is_empty() {
                        part.steps.push(PartStep::Member(member.name.text.clone()));
                    }
                    qualifiers = member.qualifiers;
                    member.shape.clone()
                }
                _ => return (part, qualifiers),
            }
        }
    }

    /// Whether the members on the way lead to this one of a pointer into a block.
    pub(super) fn is_of_cursor(&self, root: &Root, path: &[usize], part: usize) -> bool {
        let Some((last, before)) = path.split_last() else { return false };
        *last == part
            && matches!(self.along(self.root_shape(root), before).2, Shape::Struct(id) if self.program.nodes.cursors.contains_key(&id))
    }

    /// What an object is called, and where it comes from.
    pub(super) fn name_and_origin(&self, root: &Root) -> (String, Origin, Span) {
        match root {
            Root::Temporary(number) => {
                let Temporary { name, span, .. } = &self.temporaries[*number as usize];
                (name.clone(), Origin::Inlined, *span)
            }
            Root::Joined(class) => self.joined_name(*class),
            Root::Strings => ("strings".to_owned(), Origin::Inlined, self.frames[0].function.name.span),
            Root::Argument(id, number) | Root::ArgumentValue(id, number) => {
                let decl = self.program.decl(*id);
                (format!("{}[{number}]", decl.name), Origin::Local, decl.span)
            }
            Root::Decl(frame, id) => {
                let decl = self.program.decl(*id);
                let name = decl.name.clone();
                let (name, origin) = match decl.storage {
                    Storage::Global | Storage::Static => (name, Origin::Global),
                    Storage::Memory if decl.linkage == Linkage::External => (name, Origin::Global),
                    Storage::Memory => (name, Origin::Inlined),
                    _ if *frame != self.frames[0].id => {
                        (format!("{}.{name}", self.names.get(frame).map_or("", |name| name)), Origin::Inlined)
                    }
                    Storage::Parameter => (name, Origin::Parameter),
                    Storage::Local => (name, Origin::Local),
                };
                (name, origin, decl.span)
            }
        }
    }

    /// What the values stand for.
    pub(super) fn value_names(&self) -> ValueNames {
        let of_values = |values: ValueMeaning| match values {
            ValueMeaning::Nodes { structure, .. } | ValueMeaning::Cells { structure, .. } => Some(structure),
            _ => None,
        };
        let of_object = |object: &NodeObject| {
            let (structure, named) = (object.structure.0, object.named(&self.program.decl(object.decl).name));
            named.into_iter().map(move |(number, name)| (structure, Int::from(number), name))
        };
        let pointers = self.variables.iter().map(|own| own.values).chain(self.arrays.iter().map(|own| own.values)).filter_map(of_values);
        let of_part = |array: &Array| if let Some(PartStep::Node(structure)) = array.part.steps.first() { Some(*structure) } else { None };
        let is_declared = |number: &u32| (*number as usize) < self.program.structs.len();
        let structures: SortedSet<u32> = pointers.filter(is_declared).chain(self.arrays.iter().filter_map(of_part)).collect();
        ValueNames {
            functions: self.program.addressed.clone(),
            classes: self.class_names(),
            enumerations: self.enumerations(),
            structures: structures.into_iter().map(|number| (number, self.program.structure(StructId(number)).name.clone())).collect(),
            nodes: self.program.nodes.objects.iter().flat_map(of_object).collect(),
            blocks: self.block_names(),
        }
    }

    /// Blocks of memory.
    fn block_names(&self) -> Vec<BlockNames> {
        let of_one = |(&structure, kind): (&StructId, &BlockKind)| {
            let moved = kind.moved.map(|moved| self.program.decl(moved).name.clone());
            BlockNames { structure: structure.0, element: kind.element.clone(), moved, line: kind.line }
        };
        self.program.nodes.blocks.iter().map(of_one).collect()
    }

    /// The constants of the enumerations, by their numbers.
    fn enumerations(&self) -> Arc<Vec<Vec<(String, Int)>>> {
        let value = |constant: &Constant| match self.options.ints {
            IntegerModel::Unbounded => constant.unbounded.clone(),
            IntegerModel::C32 => constant.typed.clone(),
        };
        let of_one =
            |constants: &Vec<(String, Constant)>| constants.iter().map(|(name, constant)| (name.clone(), value(constant))).collect();
        Arc::new(self.program.enumerations.iter().map(of_one).collect())
    }

    /// What the integers of a scalar of this shape mean, whose declaration says this beside its type.
    pub(super) fn meaning(&self, shape: &Shape, qualifiers: Qualifiers) -> ValueMeaning {
        let constants = qualifiers.enumeration().filter(|&number| self.program.enumerations.get(number).is_some_and(|all| !all.is_empty()));
        match (shape, constants) {
            (Shape::Pointer(inner), _) if matches!(**inner, Shape::Function(_)) => ValueMeaning::Functions,
            (Shape::Pointer(_), _) => ValueMeaning::Addresses,
            (Shape::Scalar(Integer::Char), _) => ValueMeaning::Characters,
            (Shape::Scalar(Integer::Bool), _) => ValueMeaning::Truths,
            (Shape::Scalar(Integer::Int | Integer::UnsignedInt), Some(number)) => ValueMeaning::Constants(number as u32),
            _ => ValueMeaning::Integers,
        }
    }
}
