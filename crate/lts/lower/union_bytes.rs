//! Unions as bytes: a member of integers has the bits of another one that was written last, from the least byte on.

use super::graph::Node;
use super::object::{Leaf, Part, Target};
use super::union::UnionOnPath;
use super::{IntegerModel, Lowerer};
use crate::lang::ast::{Shape, UnionScalar};
use crate::logic::{Int, IntRange};
use crate::lts::{BinaryOp, CompareOp, Expr, InputSource, Label};
use crate::source::Span;

/// A part of an object in a member of a union.
#[derive(Clone, Copy)]
pub(super) struct PartOfUnion<'p> {
    pub part: &'p Part,
    pub union: &'p UnionOnPath,
}

/// The bits of a scalar, as another member has them.
enum Bits {
    /// This number without a sign.
    Known(Expr),
    /// The member does not have all of them, so C does not say them.
    Unspecified,
    /// Some of them are in what is no integer, or that is not known.
    Unknown,
}

impl Lowerer<'_> {
    /// The edges that read a part of a member where another one was written last: from its bits, or, where that is not possible, as `unknown`.
    pub(super) fn read_other(
        &mut self,
        to: &Target,
        PartOfUnion { part, union }: PartOfUnion,
        span: Span,
        next: Node,
        unknown: Node,
    ) -> Node {
        let own = part.path[union.members];
        let scalars: Vec<UnionScalar> =
            (self.scalars(union, own).into_iter().flatten()).filter(|scalar| scalar.path == part.path[union.members + 1..]).collect();
        let range = self.bit_range(&part.root, &part.path).or_else(|| self.range(part.shape.integer(self.abi())?));
        let (Some(last), Some(range)) = (self.last_target(part, union), range) else { return unknown };
        let mut node = unknown;
        for other in (0..union.last).filter(|other| *other != own) {
            let mut read = unknown;
            for scalar in &scalars {
                let Some(is_it) = are_indices(&part.indices[union.indices..], &scalar.indices) else { continue };
                let Bits::Known(value) = self.bits(PartOfUnion { part, union }, other, scalar) else { continue };
                let set = self.set(to, Expr::Convert(range, Box::new(value)), span, next);
                read = is_it.map_or(set, |is_it| self.graph.decision(is_it, span, set, read));
            }
            if read != unknown {
                node = self.if_written_last(&[(last.clone(), Int::from(other + 1))], span, read, node);
            }
        }
        node
    }

    fn scalars(&self, union: &UnionOnPath, member: usize) -> Option<Vec<UnionScalar>> {
        let unbounded = self.options.ints == IntegerModel::Unbounded;
        self.program.structure(union.id).union.as_ref()?.scalars.get(member)?.clone().filter(|_| !unbounded)
    }

    /// A value of bytes that another member does not say. The part is in the program's memory, and has some value.
    fn unspecified(&self, part: &Part, target: &Target) -> Expr {
        let name = self.name_and_origin(&part.root).0 + &self.along(self.root_shape(&part.root), &part.path).0;
        let range = self.bit_range(&part.root, &part.path).or_else(|| self.range(target.ty()));
        Expr::Nondet(range, InputSource::Unspecified(name.into()))
    }

    /// A scalar of a member of a union.
    fn scalar_part(&self, PartOfUnion { part, union }: PartOfUnion, member: usize, scalar: &UnionScalar) -> Part {
        let path = [&part.path[..union.members], &[member], &scalar.path[..]].concat();
        let (_, lengths, shape) = self.along(self.root_shape(&part.root), &path);
        let mut indices = part.indices[..union.indices].to_vec();
        indices.extend(
            scalar.indices.iter().zip(lengths.into_iter().skip(union.indices)).map(|(&at, length)| (Expr::Int(Int::from(at)), length)),
        );
        Part { path, indices, inner: 0, shape, ..part.clone() }
    }

    /// Where a scalar of a member of a union is kept.
    fn union_scalar(&mut self, place: PartOfUnion, member: usize, scalar: &UnionScalar) -> Option<Target> {
        let scalar = self.scalar_part(place, member, scalar);
        let ty = scalar.shape.integer(self.abi())?;
        let target = self.place_target(&scalar, ty)?;
        Some(match self.bit_range(&scalar.root, &scalar.path) {
            Some(range) => Target::Seen(Box::new(target), ty, [range, range]),
            None => target,
        })
    }

    /// The bits of a scalar, as they are in another member.
    fn bits(&mut self, place: PartOfUnion, member: usize, wanted: &UnionScalar) -> Bits {
        let power = |bits: i64| Box::new(Expr::Int(Int::ONE.shift_left(bits as u32)));
        let (mut sum, mut left) = (None, wanted.width);
        let Some(scalars) = self.scalars(place.union, member) else { return Bits::Unknown };
        for scalar in scalars {
            let from = scalar.first.max(wanted.first);
            let to = (scalar.first + scalar.width).min(wanted.first + wanted.width);
            if from >= to {
                continue;
            }
            let Some(target) = self.union_scalar(place, member, &scalar).filter(|_| scalar.is_integer && wanted.is_integer) else {
                return Bits::Unknown;
            };
            let mut value = Expr::Convert(IntRange::of_bits(scalar.width as u32, false), Box::new(target.read()));
            if from > scalar.first {
                value = Expr::Binary(BinaryOp::Div, Box::new(value), power(from - scalar.first));
            }
            if to < scalar.first + scalar.width {
                value = Expr::Binary(BinaryOp::Rem, Box::new(value), power(to - from));
            }
            if from > wanted.first {
                value = Expr::Binary(BinaryOp::Mul, Box::new(value), power(from - wanted.first));
            }
            left -= to - from;
            sum = Some(sum.map_or(value.clone(), |sum| Expr::Binary(BinaryOp::Add, Box::new(sum), Box::new(value))));
        }
        match sum {
            Some(sum) if left == 0 => Bits::Known(sum),
            _ => Bits::Unspecified,
        }
    }

    /// The edges before a part of a member of a union is written. Where another member was written last, the rest of the member has its bytes, or,
    /// where that cannot be said, unspecified ones.
    pub(super) fn before_written(&mut self, part: &Part, span: Span, next: Node) -> Node {
        let mut node = next;
        for union in self.unions_around(part) {
            let own = part.path[union.members];
            let is_whole = part.path.len() == union.members + 1 && part.indices.len() == union.indices;
            let Some(last) = self.last_target(part, &union).filter(|_| !is_whole) else { continue };
            let after = node;
            for other in (0..union.last).filter(|other| *other != own) {
                let converted = self.with_bytes_of(PartOfUnion { part, union: &union }, other, span, after);
                node = self.if_written_last(&[(last.clone(), Int::from(other + 1))], span, converted, node);
            }
        }
        node
    }

    /// The edges that give all of a large member values that are not known.
    fn unknown_member(&mut self, PartOfUnion { part, union }: PartOfUnion, span: Span, mut next: Node) -> Node {
        let own = part.path[union.members];
        let member = self.program.structure(union.id).members.as_ref().and_then(|list| list.get(own));
        let mut open: Vec<(Vec<usize>, Shape)> =
            member.map(|one| (part.path[..=union.members].to_vec(), one.shape.clone())).into_iter().collect();
        while let Some((path, shape)) = open.pop() {
            match shape {
                Shape::Array { element, .. } => open.push((path, *element)),
                Shape::Struct(id) => {
                    let members = self.program.structure(id).members.iter().flatten().enumerate();
                    open.extend(members.map(|(at, member)| ([&path[..], &[at]].concat(), member.shape.clone())));
                }
                _ => {
                    let label = match self.leaf(&part.root, &path) {
                        Leaf::Scalar(variable) => Label::Havoc(variable),
                        Leaf::Array(array) => Label::HavocArray(array),
                    };
                    next = self.graph.operation(label, span, next);
                }
            }
        }
        // No run goes on from here.
        let Some(last) = self.last_target(part, union) else { return next };
        let unknown = Expr::Nondet(self.range(last.ty()), InputSource::Approximated);
        self.set(&last, unknown, span, next)
    }

    /// The edges that give a member the bytes of another one.
    fn with_bytes_of(&mut self, place: PartOfUnion, other: usize, span: Span, mut next: Node) -> Node {
        let PartOfUnion { part, union } = place;
        let own = part.path[union.members];
        let Some(scalars) = self.scalars(union, own) else { return self.unknown_member(place, span, next) };
        for scalar in scalars.iter().rev() {
            let Some(target) = self.union_scalar(place, own, scalar) else { continue };
            let range = self.range(target.ty());
            let value = match (self.bits(place, other, scalar), range) {
                (Bits::Known(bits), Some(range)) => Expr::Convert(range, Box::new(bits)),
                (Bits::Unspecified, _) if scalar.is_integer => self.unspecified(&self.scalar_part(place, own, scalar), &target),
                _ => Expr::Nondet(range, InputSource::Approximated),
            };
            next = self.set(&target, value, span, next);
        }
        next
    }
}

/// Whether indices are these numbers: always, where that is `Some(None)`.
fn are_indices(indices: &[(Expr, Option<Int>)], numbers: &[i64]) -> Option<Option<Expr>> {
    let mut condition = None;
    for ((index, _), &number) in indices.iter().zip(numbers) {
        let number = Expr::Int(Int::from(number));
        if matches!(index, Expr::Int(_)) {
            if *index != number {
                return None;
            }
            continue;
        }
        let equal = Expr::Compare(CompareOp::Eq, Box::new(index.clone()), Box::new(number));
        condition = Some(match condition {
            None => equal,
            Some(before) => Expr::Binary(BinaryOp::Mul, Box::new(before), Box::new(equal)),
        });
    }
    Some(condition)
}

/// The target without what says that it was written last.
pub(super) fn whole(target: Target) -> Target {
    match target {
        Target::InUnion(inner, ..) => *inner,
        Target::Seen(inner, ty, ranges) => Target::Seen(Box::new(whole(*inner)), ty, ranges),
        target => target,
    }
}
