//! The bytes of objects: the scalars and the padding in them, and a scalar's value as an expression of the scalars that have its bits elsewhere.
//!
//! Bits are counted from the least one of an object's first byte: every target has the little end first.

use super::super::ast::{BinaryOp, Expr, ExprKind, Length, Name, Shape, StructId, Type};
use super::super::intrinsic;
use super::super::types::Integer;
use super::Checker;
use crate::logic::Int;
use crate::source::Span;

/// Objects of more scalars are not seen as bytes.
const MAX_SCALARS: usize = 128;

/// Some bits of an object.
#[derive(Clone, Debug)]
pub(super) struct BitSpan {
    pub first: i64,
    pub width: i64,
    pub content: BitContent,
}

#[derive(Clone, Debug)]
pub(super) enum BitContent {
    /// Those of a scalar, which the expression, not checked yet, reads. Of a bit-field with negative values a number has more bits.
    Scalar { value: Expr, shape: Shape, is_signed_field: bool },
    /// Padding of this structure; at most one byte.
    Padding(StructId),
}

impl BitSpan {
    fn end(&self) -> i64 {
        self.first + self.width
    }

    /// Whether the two have a bit in common.
    pub fn meets(&self, other: &BitSpan) -> bool {
        self.first < other.end() && other.first < self.end()
    }
}

impl Checker<'_> {
    /// The bits of an object of this shape; `None` where it has unions, something volatile or too many scalars.
    pub(super) fn bits_of(&self, object: &Expr, shape: &Shape, first: i64, found: &mut Vec<BitSpan>) -> Option<()> {
        let span = object.span;
        match shape {
            Shape::Scalar(_) | Shape::Pointer(_) => {
                let width = self.size(shape)?.0 * 8;
                let content = BitContent::Scalar { value: object.clone(), shape: shape.clone(), is_signed_field: false };
                found.push(BitSpan { first, width, content });
            }
            Shape::Array { element, length: Length::Fixed(length) } => {
                let size = self.size(element)?.0.checked_mul(8)?;
                for index in 0..length.to_i64().filter(|&length| length <= MAX_SCALARS as i64)? {
                    let element_object = Expr::new(ExprKind::Index(Box::new(object.clone()), Box::new(self.distance(index, span))), span);
                    self.bits_of(&element_object, element, first + index * size, found)?;
                }
            }
            Shape::Struct(id) => self.bits_of_structure(object, *id, first, found)?,
            _ => return None,
        }
        (found.len() <= MAX_SCALARS).then_some(())
    }

    fn bits_of_structure(&self, object: &Expr, id: StructId, first: i64, found: &mut Vec<BitSpan>) -> Option<()> {
        let structure = &self.structs[id.0 as usize];
        if structure.union.is_some() {
            return None;
        }
        let size = self.layout(id, usize::MAX)?.0 * 8;
        // The bits before are those of members, or padding.
        let mut end = 0;
        for (number, member) in structure.members.as_ref()?.iter().enumerate() {
            if member.qualifiers.is_volatile() {
                return None;
            }
            let from = self.sizes().bit_layout(id, number)?.0;
            if matches!(member.shape, Shape::Array { length: Length::Unknown, .. }) {
                // The bytes of the array at the end may be padding of the structure.
                return (from == size).then_some(());
            }
            padding(id, first, end..from, found);
            let name = member.name.clone();
            let object = match (name.text.is_empty(), &member.shape) {
                (false, _) => Expr::new(ExprKind::Member(Box::new(object.clone()), Name { span: object.span, ..name }, 0), object.span),
                // The members of a structure without a name are those of the one around it.
                (true, Shape::Struct(_)) => object.clone(),
                (true, _) => return None,
            };
            let width = match &member.bits {
                Some(bits) => {
                    let width = i64::from((bits.values.greatest - bits.values.least + 1).ilog2());
                    let content = BitContent::Scalar { value: object, shape: member.shape.clone(), is_signed_field: bits.values.least < 0 };
                    found.push(BitSpan { first: first + from, width, content });
                    width
                }
                None => {
                    self.bits_of(&object, &member.shape, first + from, found)?;
                    self.size(&member.shape)?.0 * 8
                }
            };
            end = from + width;
        }
        padding(id, first, end..size, found);
        Some(())
    }

    /// The value that gives a scalar the bits that others have there; `None` where some of the bits are in what is no integer.
    pub(super) fn assembled(&self, target: &BitSpan, sources: &[BitSpan]) -> Option<Expr> {
        let BitContent::Scalar { value: object, shape, .. } = &target.content else { return None };
        let sources: Vec<&BitSpan> = sources.iter().filter(|source| source.meets(target)).collect();
        if let [BitSpan { first, width, content: BitContent::Scalar { value, shape: other, is_signed_field } }] = sources[..] {
            let is_exact = other == shape || self.takes_all_bits(shape) && self.is_of_integer(other);
            if (*first, *width) == (target.first, target.width) && !is_signed_field && is_exact {
                return Some(value.clone());
            }
        }
        if !self.takes_all_bits(shape) {
            return None;
        }
        let widest = sources.iter().map(|source| source.width).max()?.max(target.width);
        let unit = self.unsigned_of(widest)?;
        let pieces = sources.iter().map(|source| self.piece(target, source, unit)).collect::<Option<Vec<Expr>>>()?;
        pieces.into_iter().reduce(|sum, piece| binary(BinaryOp::Add, sum, piece, object.span))
    }

    /// The bits that a source shares with a target, as an integer of the unsigned type `unit`, shifted to the target's bits.
    fn piece(&self, target: &BitSpan, source: &BitSpan, unit: Integer) -> Option<Expr> {
        let (from, to) = (source.first.max(target.first), source.end().min(target.end()));
        let BitContent::Scalar { value: object, .. } = &target.content else { return None };
        let span = object.span;
        let power = |bits: i64| number(Int::ONE.shift_left(bits as u32), unit, span);
        let mut value = self.unsigned_bits(source, unit, span)?;
        if from > source.first {
            value = binary(BinaryOp::Div, value, power(from - source.first), span);
        }
        // The conversion to the target's type drops the bits after its last one.
        if to < source.end() && (from > target.first || to < target.end()) {
            value = binary(BinaryOp::Rem, value, power(to - from), span);
        }
        if from > target.first {
            value = binary(BinaryOp::Mul, value, power(from - target.first), span);
        }
        Some(value)
    }

    /// All bits of a scalar, or of padding, as a number of the unsigned type.
    pub(super) fn unsigned_bits(&self, source: &BitSpan, unit: Integer, span: Span) -> Option<Expr> {
        let cast = |ty: Integer, value: Expr| Expr::new(ExprKind::Cast(Type::Integer(ty), Box::new(value)), span);
        Some(match &source.content {
            BitContent::Scalar { value, shape: shape @ Shape::Scalar(ty), is_signed_field } if self.is_of_integer(shape) => {
                let is_signed = ty.signed(self.abi());
                let value = match is_signed && !is_signed_field {
                    true => cast(self.abi().exact(u32::try_from(source.width).ok()?)[1], value.clone()),
                    false => value.clone(),
                };
                let value = cast(unit, value);
                // The number that stands for a negative one has more bits.
                match *is_signed_field && source.width < i64::from(unit.bits(self.abi())) {
                    true => binary(BinaryOp::Rem, value, number(Int::ONE.shift_left(source.width as u32), unit, span), span),
                    false => value,
                }
            }
            BitContent::Padding(id) => {
                let name = Name { text: intrinsic::PADDING.to_owned(), span, decl: None };
                let structure = number(Int::from(i64::from(id.0)), Integer::Int, span);
                let byte = cast(unit, Expr::new(ExprKind::Call(name, vec![structure]), span));
                match source.width < 8 {
                    true => binary(BinaryOp::Rem, byte, number(Int::ONE.shift_left(source.width as u32), unit, span), span),
                    false => byte,
                }
            }
            BitContent::Scalar { .. } => return None,
        })
    }

    /// The unsigned type in which numbers of so many bits are computed.
    pub(super) fn unsigned_of(&self, bits: i64) -> Option<Integer> {
        [Integer::UnsignedInt, Integer::UnsignedLongLong].into_iter().find(|ty| i64::from(ty.bits(self.abi())) >= bits)
    }

    /// Whether the bits of a value of this shape are those of an integer.
    fn is_of_integer(&self, shape: &Shape) -> bool {
        matches!(shape, Shape::Scalar(ty) if ty.format().is_none() && *ty != Integer::Node)
    }

    /// Whether all bits are those of some value of an integer type.
    pub(super) fn takes_all_bits(&self, shape: &Shape) -> bool {
        self.is_of_integer(shape) && *shape != Shape::Scalar(Integer::Bool)
    }

    /// A number of elements.
    pub(super) fn distance(&self, value: i64, span: Span) -> Expr {
        number(Int::from(value), self.abi().distance(), span)
    }
}

/// Adds padding of a structure that starts at the first bit, byte by byte.
fn padding(id: StructId, first: i64, bits: std::ops::Range<i64>, found: &mut Vec<BitSpan>) {
    let mut from = bits.start;
    while from < bits.end {
        let to = (from / 8 * 8 + 8).min(bits.end);
        found.push(BitSpan { first: first + from, width: to - from, content: BitContent::Padding(id) });
        from = to;
    }
}

pub(super) fn number(value: Int, ty: Integer, span: Span) -> Expr {
    Expr { ty, ..Expr::new(ExprKind::Int(value), span) }
}

pub(super) fn binary(op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
    Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), span)
}
