//! Reads of volatile objects: something outside of the program can change them at any time (C11 6.7.3p7), so each read is an input.

use super::Lowerer;
use super::object::{Part, Root};
use super::spelling::spelled;
use super::target::Target;
use crate::lang::ast::{BinaryOp, Expr as Tree, ExprKind, Name, Program, Qualifiers, Shape};
use crate::lang::types::Integer;
use crate::lts::{Expr, InputSource};

/// What qualifiers say of a place or of an address, and its shape; both as far as the form of the expression tells.
pub fn qualifiers<'p>(program: &'p Program, e: &Tree) -> Option<(Qualifiers, &'p Shape)> {
    match &e.kind {
        ExprKind::Name(Name { decl: Some(decl), .. }) => {
            let decl = program.decl(*decl);
            Some((decl.qualifiers, &decl.shape))
        }
        ExprKind::Index(base, _) | ExprKind::Deref(base) => match qualifiers(program, base)? {
            (qualifiers, Shape::Array { element, .. }) => Some((qualifiers, &**element)),
            (qualifiers, Shape::Pointer(inner)) => Some((qualifiers.pointee(), &**inner)),
            _ => None,
        },
        ExprKind::Member(base, _, at) => {
            let (whole, Shape::Struct(id)) = qualifiers(program, base)? else { return None };
            let member = program.structure(*id).members.as_ref()?.get(*at)?;
            Some((member.qualifiers.and(whole.own()), &member.shape))
        }
        // What an address of a structure leads to has the same qualifiers again.
        ExprKind::AddressOf(inner) => match &inner.kind {
            ExprKind::Index(base, _) | ExprKind::Deref(base) => qualifiers(program, base),
            _ => None,
        },
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => match qualifiers(program, a) {
            known @ Some((_, Shape::Array { .. } | Shape::Pointer(_))) => known,
            _ => qualifiers(program, b),
        },
        ExprKind::Step { target, .. } | ExprKind::Assign { target, .. } => qualifiers(program, target),
        ExprKind::Comma(_, last) | ExprKind::Convert(last) => qualifiers(program, last),
        _ => None,
    }
}

/// Whether an lvalue of a scalar is volatile: as its form tells, or as the checker found.
pub fn is_volatile(program: &Program, e: &Tree) -> bool {
    let by_form = || matches!(qualifiers(program, e), Some((qualifiers, Shape::Scalar(_))) if qualifiers.is_volatile());
    e.volatile & 1 == 1 || by_form()
}

impl Lowerer<'_> {
    /// The target of a place, whose value is an input where the place is volatile.
    pub(super) fn seen_outside(&self, e: &Tree, target: Target) -> Target {
        let volatile = is_volatile(self.program, e) && target.ty() != Integer::Node;
        if volatile || matches!(target, Target::Kept(..)) { self.drawn(target, &spelled(e)) } else { target }
    }

    /// The target of a part of an object, whose value is an input where the object or one of the members on the way is volatile.
    pub(super) fn part_seen_outside(&self, part: &Part, target: Target) -> Target {
        let by_lvalue = part.volatile && matches!(part.shape, Shape::Scalar(ty) if ty != Integer::Node);
        let volatile = by_lvalue
            || match &part.root {
                Root::Decl(_, id) => {
                    let decl = self.program.decl(*id);
                    let own = if self.is_own_pointer(&part.root) { decl.qualifiers.pointee() } else { decl.qualifiers };
                    own.is_volatile() && matches!(part.shape, Shape::Scalar(_)) || self.member_is_volatile(part)
                }
                _ => self.member_is_volatile(part),
            };
        if volatile { self.drawn(target, &self.name_and_origin(&part.root).0) } else { target }
    }

    fn member_is_volatile(&self, part: &Part) -> bool {
        let mut shape = self.root_shape(&part.root);
        let mut path = part.path.iter();
        let mut volatile = false;
        loop {
            shape = match shape {
                Shape::Array { element, .. } => *element,
                Shape::Struct(id) => {
                    let members = self.program.structure(id).members.as_ref();
                    let Some(member) = path.next().and_then(|&at| members?.get(at)) else { return volatile };
                    volatile |= member.qualifiers.is_volatile();
                    member.shape.clone()
                }
                _ => return volatile,
            };
        }
    }

    /// A target whose value is an input, called this in the text.
    fn drawn(&self, target: Target, text: &str) -> Target {
        let inner = match target {
            Target::Kept(inner, _) => inner,
            target => Box::new(target),
        };
        let range = match &*inner {
            Target::Seen(_, _, [_, range]) => Some(*range),
            target => self.range(target.ty()),
        };
        Target::Kept(inner, Expr::Nondet(range, InputSource::Volatile(text.into())))
    }
}
