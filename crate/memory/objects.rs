//! Objects of the program that have the number of a node: variables and arrays of a node's structure, and the pointers that pointers to
//! pointers lead to.

use super::structures::{NodeStructures, NotFollowed, Pointee, Rewritten};
use crate::lang::ast::{Decl, DeclId, Expr, ExprKind, Length, Linkage, Name, NodeObject, Program, Shape, Stmt, Storage, object_address};
use crate::lang::types::Integer;
use crate::logic::{SortedMap, SortedSet};

/// An object with the number of a node; an array has one for each element, in their order.
#[derive(Clone, Debug)]
pub(super) struct NumberedObject {
    /// What the address of the object, or of an element, is.
    pub to: Pointee,
    pub number: ObjectNumber,
    /// The number of elements; `None` of no array.
    pub length: Option<i64>,
}

/// The number of an object, or of its first element.
#[derive(Clone, Debug)]
pub(super) enum ObjectNumber {
    /// Of an object that lasts.
    Fixed(i64),
    /// The variable with it.
    Held(Name),
}

impl NumberedObject {
    /// The nodes that these are, where the object lasts.
    pub fn lasting(&self, decl: DeclId) -> Option<NodeObject> {
        match (self.to, &self.number) {
            (Pointee::Node(structure), ObjectNumber::Fixed(number)) => {
                Some(NodeObject { structure, decl, number: *number, length: self.length })
            }
            _ => None,
        }
    }
}

/// The objects with numbers by their declarations, and the next number that is fixed.
pub(super) struct NumberedObjects {
    pub all: SortedMap<DeclId, NumberedObject>,
    pub next: i64,
}

/// The objects of a program that have numbers, for one of its functions: `of_callers` says whether a caller has nodes of its own, `is_main`
/// whether objects that last have their first values at its start. Declares what holds the numbers of parameters.
pub(super) fn numbered(
    program: &Program,
    new: &mut Program,
    nodes: &NodeStructures,
    of_callers: bool,
    is_main: bool,
) -> Rewritten<NumberedObjects> {
    let mut taken = SortedSet::new();
    let mut anywhere = SortedSet::new();
    for (function, at) in program.functions.iter().zip(0..) {
        let mut found = AddressesTaken { program, found: SortedSet::new() };
        function.body.iter().for_each(|stmt| found.statement(stmt));
        if nodes.reached.contains(&at) {
            taken.extend(found.found.iter().copied());
        }
        anywhere.extend(found.found);
    }
    let mut objects = NumberedObjects { all: SortedMap::new(), next: 1 };
    for (decl, at) in program.decls.iter().zip(0..) {
        let id = DeclId(at);
        if decl.storage == Storage::Memory {
            continue;
        }
        let Some((to, length)) = kind(nodes, &decl.shape) else {
            // A pointer of a caller may lead into it.
            if of_callers && decl.storage.lasts() && nodes.has_object(program, &decl.shape) {
                return Err(NotFollowed);
            }
            continue;
        };
        let starts_led_to = decl.storage.lasts() && is_address_of_first_value(program, id);
        let is_of_callers = of_callers && decl.storage.lasts();
        let is_led_to = starts_led_to || is_of_callers && (decl.linkage != Linkage::Internal || anywhere.contains(&id));
        if !taken.contains(&id) && !is_led_to {
            continue;
        }
        let length = match length {
            Some(Length::Fixed(length)) => Some(length.to_i64().filter(|length| *length <= MOST).ok_or(NotFollowed)?),
            Some(_) => return Err(NotFollowed),
            None => None,
        };
        // What earlier calls have left in it is no input of a caller.
        let is_left_by_calls = decl.storage.lasts() && decl.linkage == Linkage::Internal && !is_main;
        // A caller's pointer to a node leads to no variable that is a pointer, so that none of its numbers may be that of one.
        let is_pointer_of_callers = is_of_callers && matches!(to, Pointee::Cell(_));
        if decl.qualifiers.names_volatile() || is_left_by_calls || is_pointer_of_callers {
            return Err(NotFollowed);
        }
        let number = match decl.storage {
            Storage::Parameter if matches!(to, Pointee::Node(_)) => return Err(NotFollowed),
            Storage::Parameter => ObjectNumber::Held(number_of_parameter(new, decl)),
            Storage::Local => ObjectNumber::Held(Name { text: decl.name.clone(), span: decl.span, decl: Some(id) }),
            _ => {
                let first = objects.next;
                objects.next += length.unwrap_or(1);
                ObjectNumber::Fixed(first)
            }
        };
        objects.all.insert(id, NumberedObject { to, number, length });
    }
    Ok(objects)
}

/// The most elements of an array of nodes.
const MOST: i64 = 1024;

/// What the address of an object of this shape leads to, and the length of an array.
fn kind<'s>(nodes: &NodeStructures, shape: &'s Shape) -> Option<(Pointee, Option<&'s Length>)> {
    match shape {
        Shape::Array { element, length } => match kind(nodes, element)? {
            (to, None) => Some((to, Some(length))),
            _ => None,
        },
        Shape::Struct(id) if nodes.all.contains(id) => Some((Pointee::Node(*id), None)),
        shape => match nodes.pointed(shape)? {
            Pointee::Node(id) if nodes.cells.contains_key(&id) => Some((Pointee::Cell(id), None)),
            _ => None,
        },
    }
}

/// Whether an object that lasts starts with the address of this one.
fn is_address_of_first_value(program: &Program, id: DeclId) -> bool {
    let address = object_address(id);
    program.decls.iter().flat_map(|decl| decl.initial.iter().flatten()).any(|initial| initial.value.typed == address)
}

/// A variable for the number of the object that holds what is passed.
fn number_of_parameter(new: &mut Program, parameter: &Decl) -> Name {
    let id = DeclId(u32::try_from(new.decls.len()).unwrap_or(u32::MAX));
    let name = format!("&{}", parameter.name);
    new.decls.push(Decl {
        name: name.clone(),
        shape: Shape::Scalar(Integer::Node),
        storage: Storage::Local,
        initial: None,
        assigned: false,
        ..parameter.clone()
    });
    Name { text: name, span: parameter.span, decl: Some(id) }
}

/// The variables whose address a program takes, and the arrays that it uses as pointers or takes an element's address of.
struct AddressesTaken<'p> {
    program: &'p Program,
    found: SortedSet<DeclId>,
}

impl AddressesTaken<'_> {
    fn statement(&mut self, stmt: &Stmt) {
        stmt.expressions(&mut |e| self.expression(e));
        stmt.children(&mut |child| self.statement(child));
    }

    fn expression(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::AddressOf(inner) => {
                let mut object = inner;
                while let ExprKind::Index(base, _) = &object.kind {
                    object = base;
                }
                if let ExprKind::Name(Name { decl: Some(decl), .. }) = &object.kind {
                    self.found.insert(*decl);
                }
                e.kind.children(&mut |child| self.expression(child));
            }
            ExprKind::Index(base, index) if matches!(base.kind, ExprKind::Name(_)) => self.expression(index),
            ExprKind::SizeofExpr(_) => {}
            ExprKind::Name(Name { decl: Some(decl), .. }) if matches!(self.program.decl(*decl).shape, Shape::Array { .. }) => {
                self.found.insert(*decl);
            }
            kind => kind.children(&mut |child| self.expression(child)),
        }
    }
}
