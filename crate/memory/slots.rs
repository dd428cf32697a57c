//! Holders of pointers: variables, members, elements of arrays and blocks, results of functions.

use crate::lang::ast::{BinaryOp, DeclId, Expr, ExprKind, Length, Name, Program, Shape, StructId};
use crate::lang::flow::shape_of;
use crate::lang::intrinsic::{DUPLICATE, of_library};
use crate::lang::types::Integer;
use crate::logic::SortedSet;

/// A holder of a pointer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    /// A variable, or the elements of an array.
    Decl(DeclId),
    Member(StructId, usize),
    /// The result of a function.
    Result(String),
    /// The elements to which the pointer of this holder leads, where these are pointers.
    Element(Box<Slot>),
    /// An array of scalars, whose name is a pointer to its first element.
    Object(DeclId),
    /// The rows of an array of arrays of scalars; the value of a row is the pointer to its first element.
    Rows(DeclId),
}

/// Pointers that move, and what else only a cursor can hold.
#[derive(Default)]
pub(super) struct CursorFacts {
    /// Pointers that move, are set to what another one leads to beside its first element, or whose address the program takes.
    pub moved: SortedSet<Slot>,
    /// Pointers that are set to a string of the program's text.
    pub literals: SortedSet<Slot>,
    /// The parameters of functions of the library.
    pub of_library: SortedSet<DeclId>,
    /// Pointers that the program compares with each other, or subtracts: they lead into one block.
    pub compared: Vec<(Slot, Slot)>,
    /// The ones among them that are ordered, or subtracted.
    pub ordered: Vec<(Slot, Slot)>,
}

/// The pointers that are cursors.
#[derive(Default)]
pub(super) struct Cursors {
    pub all: SortedSet<Slot>,
    /// Whether two pointers that outlive the call are ordered, or subtracted.
    pub are_ordered: bool,
}

impl Slot {
    /// The holder of the elements to which the pointer of this one leads.
    pub fn elements(self) -> Slot {
        Slot::Element(Box::new(self))
    }

    /// Whether it is an array of the program, which does not move.
    pub fn is_array(&self) -> bool {
        matches!(self, Slot::Object(_) | Slot::Rows(_))
    }
}

/// The shape of the elements to which a pointer leads, or the pointers of an array.
pub(super) fn element_of(shape: &Shape) -> Option<&Shape> {
    match shape {
        Shape::Pointer(inner) => match &**inner {
            Shape::Scalar(Integer::Node) => None,
            element @ (Shape::Scalar(_) | Shape::Struct(_)) => Some(element),
            // Where such a pointer leads is not followed.
            element @ Shape::Pointer(led_to) if matches!(**led_to, Shape::Void | Shape::Opaque) => Some(element),
            element @ Shape::Pointer(_) => element_of(element).map(|_| element),
            _ => None,
        },
        Shape::Array { element, .. } if matches!(**element, Shape::Pointer(_)) => element_of(element),
        _ => None,
    }
}

pub(super) fn is_null(e: &Expr) -> bool {
    matches!(&e.unconverted().kind, ExprKind::Int(value) if value.is_zero())
}

/// The arguments of the system's `malloc`, `calloc` or `realloc`.
pub(super) fn allocation<'e>(program: &Program, e: &'e Expr) -> Option<(&'e str, &'e [Expr])> {
    match &e.unconverted().kind {
        ExprKind::Call(name, arguments) if program.function(&name.text).is_none() => match (name.text.as_str(), arguments.len()) {
            (name, 1) if name == DUPLICATE || name == of_library("malloc") => Some(("malloc", arguments)),
            (name, 1) if name == of_library("array") => Some(("array", arguments)),
            (name, 1) if name == of_library("zeros") => Some(("zeros", arguments)),
            ("malloc", 1) | ("calloc" | "realloc", 2) => Some((&name.text, arguments)),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn is_free(program: &Program, name: &Name) -> bool {
    name.text == "free" && program.function("free").is_none()
}

/// The holder of the pointer that is the value of an expression.
pub(super) fn slot_of(program: &Program, e: &Expr) -> Option<Slot> {
    let is_pointer = |shape: &Shape| matches!(shape, Shape::Pointer(_)) && element_of(shape).is_some();
    match &e.kind {
        ExprKind::Name(Name { decl: Some(decl), .. }) if is_array_of_scalars(&program.decl(*decl).shape) => Some(Slot::Object(*decl)),
        ExprKind::Name(_) | ExprKind::Member(..) => shape_of(program, e).filter(|shape| is_pointer(shape)).and_then(|_| holder(program, e)),
        ExprKind::Deref(base) if let ExprKind::AddressOf(object) = &base.kind => slot_of(program, object),
        ExprKind::Index(base, _) | ExprKind::Deref(base) => match shape_of(program, base)? {
            Shape::Array { element, .. } if is_pointer(element) => holder(program, base),
            Shape::Array { .. } => array_of_rows(program, base).map(Slot::Rows),
            Shape::Pointer(element) if is_pointer(element) => elements_led_to(program, base),
            _ => None,
        },
        ExprKind::Call(name, _) => {
            let (_, function) = program.function(&name.text)?;
            is_pointer(&function.result).then(|| Slot::Result(name.text.clone()))
        }
        ExprKind::Assign { target, op: None, .. } => slot_of(program, target),
        ExprKind::Comma(_, last) => slot_of(program, last),
        ExprKind::Conditional(_, a, b) => slot_of(program, a).or_else(|| slot_of(program, b)),
        _ => None,
    }
}

/// The length of an array of scalars that has a fixed one.
pub(super) fn is_array_of_scalars(shape: &Shape) -> bool {
    matches!(shape, Shape::Array { element, length: Length::Fixed(_) } if matches!(**element, Shape::Scalar(_)))
}

/// The array of arrays of scalars that an expression names, where all lengths are fixed.
pub(super) fn array_of_rows(program: &Program, e: &Expr) -> Option<DeclId> {
    let ExprKind::Name(Name { decl: Some(decl), .. }) = &e.kind else { return None };
    is_array_of_rows(&program.decl(*decl).shape).then_some(*decl)
}

pub(super) fn is_array_of_rows(shape: &Shape) -> bool {
    matches!(shape, Shape::Array { element, length: Length::Fixed(_) } if is_array_of_scalars(element))
}

/// The pointer from whose target an expression computes another one in the same object: `p` of `p + n`, `&p[n]` or `p++`.
pub(super) fn moved_from<'e>(program: &Program, e: &'e Expr) -> Option<&'e Expr> {
    let leads = |e: &Expr| slot_of(program, e).is_some() || moved_from(program, e).is_some();
    match &e.kind {
        ExprKind::Binary(BinaryOp::Add, a, b) if leads(a) != leads(b) => Some(if leads(a) { a } else { b }),
        ExprKind::Binary(BinaryOp::Sub, a, b) if leads(a) && !leads(b) => Some(a),
        ExprKind::AddressOf(inner) => match &inner.kind {
            ExprKind::Index(base, _) | ExprKind::Deref(base) if leads(base) => Some(base),
            _ => None,
        },
        ExprKind::Step { target, .. } | ExprKind::Assign { target, op: Some(_), .. } if leads(target) => Some(target),
        _ => None,
    }
}

/// The holder of the pointer from which an expression computes its value.
pub(super) fn first_slot(program: &Program, e: &Expr) -> Option<Slot> {
    match moved_from(program, e) {
        Some(from) => first_slot(program, from),
        None => slot_of(program, e),
    }
}

/// The holder of the pointers to which a pointer leads that is the value of an expression.
pub(super) fn elements_led_to(program: &Program, e: &Expr) -> Option<Slot> {
    match &e.kind {
        ExprKind::AddressOf(inner) => slot_of(program, inner),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => elements_led_to(program, a).or_else(|| elements_led_to(program, b)),
        ExprKind::Step { target, .. } => elements_led_to(program, target),
        _ if matches!(shape_of(program, e), Some(Shape::Array { .. })) => holder(program, e),
        _ => slot_of(program, e).map(Slot::elements),
    }
}

/// The variable or member that an lvalue names.
pub(super) fn holder(program: &Program, e: &Expr) -> Option<Slot> {
    match &e.kind {
        ExprKind::Name(name) => name.decl.map(Slot::Decl),
        ExprKind::Member(base, _, at) => match shape_of(program, base)? {
            Shape::Struct(id) => Some(Slot::Member(*id, *at)),
            _ => None,
        },
        _ => None,
    }
}

/// The holder of the pointer in an object with these members on the way.
pub(super) fn slot_at(program: &Program, decl: DeclId, path: &[usize]) -> Option<Slot> {
    let mut shape = &program.decl(decl).shape;
    let mut slot = Slot::Decl(decl);
    let mut path = path.iter();
    loop {
        match shape {
            Shape::Array { element, .. } => shape = element,
            Shape::Struct(id) => {
                let Some(&at) = path.next() else { return Some(slot) };
                slot = Slot::Member(*id, at);
                shape = &program.structure(*id).members.as_ref()?.get(at)?.shape;
            }
            _ => return Some(slot),
        }
    }
}
