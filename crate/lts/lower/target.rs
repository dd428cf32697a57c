//! Where a scalar is kept, so that it can be read and set.

use super::object::Root;
use super::{IntegerModel, Lowerer};
use crate::lang::ast::Shape;
use crate::lang::types::Integer;
use crate::logic::IntRange;
use crate::lts::{ArrayId, Expr, VariableId};

/// What an assignment of a scalar changes, with its type.
#[derive(Clone)]
pub(super) enum Target {
    Variable(VariableId, Integer),
    Element(ArrayId, Expr, Integer),
    /// A character of a string that is a value.
    Text(ArrayId, Expr),
    /// One of a string that may be another part's: where it is, its value, and where the others' strings keep it, that it is one of these.
    Outside(Expr, ArrayId, Box<[Expr; 2]>),
    /// Another one as an integer of another type of the same size, e.g. a `char` as an `unsigned char`: the values of both.
    Seen(Box<Target>, Integer, [IntRange; 2]),
    /// Another one whose value before a change is this: one read before, or one from outside of the program.
    Kept(Box<Target>, Expr),
}

impl Target {
    pub fn ty(&self) -> Integer {
        match self {
            Target::Variable(_, ty) | Target::Element(_, _, ty) => *ty,
            Target::Text(..) | Target::Outside(..) => Integer::Char,
            Target::Seen(_, ty, _) => *ty,
            Target::Kept(inner, _) => inner.ty(),
        }
    }

    /// Its value.
    pub fn read(&self) -> Expr {
        match self {
            Target::Variable(variable, _) => Expr::Var(*variable),
            Target::Element(array, index, _) => Expr::Read(*array, Box::new(index.clone())),
            Target::Text(array, index) => super::texts::character(*array, index),
            Target::Outside(value, ..) => value.clone(),
            Target::Seen(inner, _, [_, range]) => Expr::Convert(*range, Box::new(inner.read())),
            Target::Kept(_, value) => value.clone(),
        }
    }

    /// The index of an element.
    pub fn index(&mut self) -> Option<&mut Expr> {
        match self {
            Target::Element(_, index, _) => Some(index),
            Target::Seen(inner, ..) | Target::Kept(inner, _) => inner.index(),
            _ => None,
        }
    }
}

impl Lowerer<'_> {
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
        if own.range() == ty.range() && own.size() == ty.size() {
            return Some(target);
        }
        if own.size() != ty.size() || own.format() != ty.format() || [own, ty].contains(&Integer::Bool) {
            return None;
        }
        Some(match self.options.ints {
            IntegerModel::Unbounded => target,
            IntegerModel::C32 => Target::Seen(Box::new(target), ty, [own.range(), ty.range()]),
        })
    }
}
