//! Types: as the text writes them, and as the analyses see them.

use super::{Expr, StructId};
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::source::Span;

/// A type as it is written.
#[derive(Clone, Debug)]
pub enum Type {
    Void,
    Integer(Integer),
    /// Elements and length; no length is `[]`.
    Array(Box<Type>, Option<Box<Expr>>),
    Struct(StructId),
    Pointer(Box<Type>),
    /// What a function of the type gives back.
    Function(Box<Type>),
    /// That of an expression, in its first form; the checker writes it down as a type of its own.
    Typeof(Box<Expr>),
    /// A type outside of the subset, under this name. A program can do nothing with it but pass pointers to it around.
    Opaque(&'static str),
}

impl Type {
    /// How many types wrap the innermost; at most [`MAX_NESTING`].
    pub fn depth(&self) -> u32 {
        let (mut depth, mut ty) = (0, self);
        while let Type::Array(inner, _) | Type::Pointer(inner) | Type::Function(inner) = ty {
            (depth, ty) = (depth + 1, inner);
        }
        depth
    }

    /// This type and another without the outer layers that both have: arrays of (whatever their lengths), pointers to, functions that return.
    pub fn innermost<'t>(&'t self, other: &'t Type) -> (&'t Type, &'t Type) {
        let (mut a, mut b) = (self, other);
        while let (Type::Array(x, _), Type::Array(y, _)) | (Type::Pointer(x), Type::Pointer(y)) | (Type::Function(x), Type::Function(y)) =
            (a, b)
        {
            (a, b) = (x, y);
        }
        (a, b)
    }
}

/// What a type is to the analyses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Void,
    Scalar(Integer),
    Array {
        element: Box<Shape>,
        length: Length,
    },
    Struct(StructId),
    /// A pointer, or a parameter declared as an array.
    Pointer(Box<Shape>),
    /// A function that gives this back; only pointers to it are values.
    Function(Box<Shape>),
    /// A type of which nothing is known.
    Opaque,
}

/// How many elements an array has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Length {
    Fixed(Int),
    /// Computed where the array is declared.
    Variable,
    Unknown,
}

impl Shape {
    /// The shape of `int`.
    pub const INT: Shape = Shape::Scalar(Integer::Int);
}

/// A cast from `void *` to a pointer with a type, which the checked tree does not have.
#[derive(Clone, Debug)]
pub struct PointerCast {
    pub span: Span,
    /// What the pointer leads to after it.
    pub to: Shape,
}
