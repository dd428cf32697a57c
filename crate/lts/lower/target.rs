//! Where a scalar is kept, so that it can be read and set; the values of types.

use super::object::{Part, Root};
use super::{IntegerModel, Lowerer};
use crate::lang::ast::Shape;
use crate::lang::types::{Abi, Integer};
use crate::logic::{Int, IntRange};
use crate::lts::{ArrayId, Expr, VariableId};

/// What an assignment of a scalar changes, with its type.
#[derive(Clone)]
pub(super) enum Target {
    Variable(VariableId, Integer),
    Element(ArrayId, Expr, Integer),
    /// A character of a string that is a value, and the values of characters.
    Text(ArrayId, Expr, IntRange),
    /// One of a string that may be another part's: where it is, its value, and where the others' strings keep it, that it is one of these.
    Outside(Expr, ArrayId, Box<[Expr; 2]>),
    /// Another one as an integer of another type of the same size, e.g. a `char` as an `unsigned char`: the values of both.
    Seen(Box<Target>, Integer, [IntRange; 2]),
    /// Another one whose value before a change is this: one read before, or one from outside of the program.
    Kept(Box<Target>, Expr),
    /// One in a member of unions: what says of each which member was written last, and the number that says it is this one.
    InUnion(Box<Target>, Vec<(Target, Int)>, Box<Part>),
}

impl Target {
    pub fn ty(&self) -> Integer {
        match self {
            Target::Variable(_, ty) | Target::Element(_, _, ty) => *ty,
            Target::Text(..) | Target::Outside(..) => Integer::Char,
            Target::Seen(_, ty, _) => *ty,
            Target::Kept(inner, _) | Target::InUnion(inner, ..) => inner.ty(),
        }
    }

    /// Its value.
    pub fn read(&self) -> Expr {
        match self {
            Target::Variable(variable, _) => Expr::Var(*variable),
            Target::Element(array, index, _) => Expr::Read(*array, Box::new(index.clone())),
            Target::Text(array, index, range) => super::texts::character(*array, index, *range),
            Target::Outside(value, ..) => value.clone(),
            Target::Seen(inner, _, [_, range]) => Expr::Convert(*range, Box::new(inner.read())),
            Target::Kept(_, value) => value.clone(),
            Target::InUnion(inner, ..) => inner.read(),
        }
    }

    /// The index of an element.
    pub fn index(&mut self) -> Option<&mut Expr> {
        match self {
            Target::Element(_, index, _) => Some(index),
            Target::Seen(inner, ..) | Target::Kept(inner, _) | Target::InUnion(inner, ..) => inner.index(),
            _ => None,
        }
    }
}

impl Lowerer<'_> {
    /// The target.
    pub(super) fn abi(&self) -> Abi {
        self.program.abi
    }

    /// The value of a string's byte as a character of this type.
    pub(super) fn character(&self, ty: Integer, byte: u8) -> Int {
        ty.range(self.abi()).wrap(&Int::from(i64::from(byte)))
    }

    /// The values of a type, where integers have bounds.
    pub(super) fn range(&self, ty: Integer) -> Option<IntRange> {
        match self.options.ints {
            _ if ty == Integer::Node => None,
            IntegerModel::Unbounded if ty != Integer::Bool && ty.format().is_none() => None,
            _ => Some(ty.range(self.abi())),
        }
    }

    /// The values of a member of some bits, where integers have bounds.
    pub(super) fn bit_range(&self, root: &Root, path: &[usize]) -> Option<IntRange> {
        if path.is_empty() || self.options.ints == IntegerModel::Unbounded {
            return None;
        }
        let (mut shape, mut path) = (self.root_shape(root), path.iter());
        let mut bits = None;
        loop {
            shape = match shape {
                Shape::Array { element, .. } => *element,
                Shape::Struct(id) => {
                    let Some(member) = path.next().and_then(|&at| self.program.structure(id).members.as_ref()?.get(at)) else {
                        return bits;
                    };
                    bits = member.bits.as_ref().map(|bits| bits.values);
                    member.shape.clone()
                }
                _ => return bits,
            };
        }
    }

    /// A scalar as an integer of a type; `None` where it has another size.
    pub(super) fn seen(&self, target: Target, ty: Integer) -> Option<Target> {
        let own = target.ty();
        if own.range(self.abi()) == ty.range(self.abi()) && own.size(self.abi()) == ty.size(self.abi()) {
            return Some(target);
        }
        if own.size(self.abi()) != ty.size(self.abi()) || own.format() != ty.format() || [own, ty].contains(&Integer::Bool) {
            return None;
        }
        Some(match self.options.ints {
            IntegerModel::Unbounded => target,
            IntegerModel::C32 => Target::Seen(Box::new(target), ty, [own.range(self.abi()), ty.range(self.abi())]),
        })
    }
}
