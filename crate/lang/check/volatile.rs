//! Which lvalues are volatile, whatever the declarations of their objects say (C11 6.7.3p7): by the pointers that lead there, by casts of
//! these, and by the functions that give them back.

use super::super::ast::{BinaryOp, Expr, ExprKind, Qualifiers, Shape, StructId};
use super::Checker;
use crate::source::Diagnostic;

impl Checker<'_> {
    /// Notes what is volatile of an lvalue of this shape whose operands are checked.
    pub(super) fn note_volatile(&mut self, e: &mut Expr, shape: &Shape) {
        let levels = match &e.kind {
            ExprKind::Member(..) => e.volatile,
            ExprKind::Name(name) => {
                let decl = name.decl.and_then(|id| self.decls.get(id.0 as usize));
                decl.map_or(0, |decl| volatile_levels(decl.qualifiers, &decl.shape))
            }
            ExprKind::Index(base, _) | ExprKind::Deref(base) => self.volatile_levels(base) >> 1,
            _ => return,
        };
        e.volatile = levels & !u32::from(matches!(shape, Shape::Pointer(_)));
        if levels != e.volatile && !self.qualifiers(e).0.is_volatile() {
            self.report(
                Diagnostic::error("unsupported-pointer", e.span, "this pointer is read or set as a volatile one that is not declared so")
                    .help("declare the pointer itself as `volatile`"),
            );
        }
    }

    /// The volatile levels of a member of a structure, as [`volatile_levels`] has them; `structure` are the ones of the structure itself.
    pub(super) fn volatile_of_member(&self, structure: u32, id: StructId, at: usize) -> u32 {
        let member = self.structs[id.0 as usize].members.as_ref().and_then(|members| members.get(at));
        let whole = Qualifiers::of_volatile(structure & 1);
        member.map_or(0, |member| volatile_levels(member.qualifiers.and(whole), &member.shape))
    }

    /// What is volatile of a checked expression, as [`volatile_levels`] says it; an array is a pointer to its elements.
    pub(super) fn volatile_levels(&self, e: &Expr) -> u32 {
        let of_operands = match &e.kind {
            ExprKind::AddressOf(inner) => self.volatile_levels(inner) << 1,
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) | ExprKind::Conditional(_, a, b) => {
                self.volatile_levels(a) | self.volatile_levels(b)
            }
            ExprKind::Comma(_, e) | ExprKind::Convert(e) | ExprKind::Assign { target: e, .. } | ExprKind::Step { target: e, .. } => {
                self.volatile_levels(e)
            }
            ExprKind::Call(name, _) => self.library.volatile_results.get(&name.text).map_or(0, |result| result.volatile_bits()),
            _ => 0,
        };
        e.volatile | of_operands
    }
}

/// What qualifiers say is volatile of an object of this shape: bit 0 the object itself, bit 1 its elements or what it points to, and so on.
pub(super) fn volatile_levels(qualifiers: Qualifiers, mut shape: &Shape) -> u32 {
    let (mut levels, mut bits) = (0, qualifiers.volatile_bits());
    for level in 0..u32::BITS {
        match shape {
            Shape::Array { element, .. } => shape = element,
            Shape::Pointer(inner) => {
                levels |= (bits & 1) << level;
                bits >>= 1;
                shape = inner;
            }
            _ => return levels | (bits & 1) << level,
        }
    }
    levels
}

/// The qualifiers of a declaration of this shape whose volatile levels are `levels`, as [`volatile_levels`] has them.
pub(super) fn of_volatile_levels(levels: u32, mut shape: &Shape) -> Qualifiers {
    let (mut bits, mut bit) = (0, 1u32);
    for level in 0..u32::BITS {
        let own = if levels >> level & 1 == 1 { bit } else { 0 };
        match shape {
            Shape::Array { element, .. } => shape = element,
            Shape::Pointer(inner) => {
                bits |= own;
                bit <<= 1;
                shape = inner;
            }
            _ => return Qualifiers::of_volatile(bits | own),
        }
    }
    Qualifiers::of_volatile(bits)
}
