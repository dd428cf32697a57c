//! Unions as bytes: a member of integers has the bits of another one that was written last, from the least byte on.
//!
//! The bits of a floating-point number follow from its rank ([`crate::logic::rank`]): they are the rank where that is positive, and half of all
//! patterns more than its magnitude where it is negative. Of a zero the rank does not say the sign, and of what is not a number neither sign nor
//! payload, so there the bits are any of a range, and no run goes on. The other way round each pattern has one rank.

use super::graph::Node;
use super::object::{Leaf, Part, Target};
use super::union::UnionOnPath;
use super::{IntegerModel, Lowerer};
use crate::lang::ast::{Shape, UnionScalar};
use crate::logic::rank::FloatFormat;
use crate::logic::{Int, IntRange};
use crate::lts::{BinaryOp, CompareOp, Expr, InputSource, Label};
use crate::source::Span;

/// A part of an object in a member of a union.
#[derive(Clone, Copy)]
pub(super) struct PartOfUnion<'p> {
    pub part: &'p Part,
    pub union: &'p UnionOnPath,
}

/// What a rank says of the bits.
#[derive(Clone, Copy)]
enum RankKind {
    Positive,
    Negative,
    Zero,
    NoNumber,
}

/// A floating-point number whose bits are read: its rank.
struct NumberRead {
    rank: Expr,
    format: FloatFormat,
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
        let place = PartOfUnion { part, union };
        let mut node = unknown;
        for other in (0..union.last).filter(|other| *other != own) {
            let mut read = unknown;
            for scalar in &scalars {
                let Some(is_it) = are_indices(&part.indices[union.indices..], &scalar.indices) else { continue };
                let set = match (scalar.format, self.same_number(place, other, scalar)) {
                    (Some(_), Some(number)) => self.set(to, number, span, next),
                    (format, _) => {
                        let Some(numbers) = self.numbers_within(place, other, scalar) else { continue };
                        self.by_rank(numbers.as_ref(), span, |lowerer, kind| match (lowerer.bits(place, other, scalar, kind), format) {
                            (Bits::Known(bits), Some(format)) => lowerer.set_number(to, format, &bits, span, next),
                            (Bits::Known(bits), None) if scalar.is_integer => {
                                lowerer.set(to, Expr::Convert(range, Box::new(bits)), span, next)
                            }
                            _ => unknown,
                        })
                    }
                };
                if set != unknown {
                    read = is_it.map_or(set, |is_it| self.graph.decision(is_it, span, set, read));
                }
            }
            if read != unknown {
                node = self.if_written_last(&[(last.clone(), Int::from(other + 1))], span, read, node);
            }
        }
        node
    }

    /// The number that another member has in place of this one, where it has one of the same format there.
    fn same_number(&mut self, place: PartOfUnion, member: usize, scalar: &UnionScalar) -> Option<Expr> {
        let format = scalar.format?;
        let same = self.scalars(place.union, member)?.into_iter().find(|one| one.format == Some(format) && one.first == scalar.first)?;
        Some(self.union_scalar(place, member, &same)?.read())
    }

    /// The floating-point number of a member whose bits are among those of a scalar; `None` where there are several, or the bits are not seen.
    fn numbers_within(&mut self, place: PartOfUnion, member: usize, scalar: &UnionScalar) -> Option<Option<NumberRead>> {
        let mut found = None;
        for one in self.scalars(place.union, member)? {
            let is_apart = one.first + one.width <= scalar.first || scalar.first + scalar.width <= one.first;
            let Some(format) = one.format.filter(|_| !is_apart) else { continue };
            if found.is_some() {
                return None;
            }
            found = Some(NumberRead { rank: self.union_scalar(place, member, &one)?.read(), format });
        }
        Some(found)
    }

    /// The edges for each kind of rank of a number whose bits are read.
    fn by_rank(&mut self, number: Option<&NumberRead>, span: Span, mut edges: impl FnMut(&mut Self, RankKind) -> Node) -> Node {
        let positive = edges(self, RankKind::Positive);
        let Some(NumberRead { rank, format }) = number else { return positive };
        let [negative, zero, none] = [RankKind::Negative, RankKind::Zero, RankKind::NoNumber].map(|kind| edges(self, kind));
        let is = |op, bound: i64| Expr::Compare(op, Box::new(rank.clone()), Box::new(Expr::Int(Int::from(bound))));
        let not_negative = self.graph.decision(is(CompareOp::Eq, 0), span, zero, positive);
        let of_number = self.graph.decision(is(CompareOp::Lt, 0), span, negative, not_negative);
        self.graph.decision(is(CompareOp::Gt, format.infinity()), span, none, of_number)
    }

    /// The edges that set a floating-point number to that with these bits.
    fn set_number(&mut self, to: &Target, format: FloatFormat, bits: &Expr, span: Span, next: Node) -> Node {
        let (sign, infinity) = (sign_bit(format), i128::from(format.infinity()));
        let number = |value: i128| Box::new(Expr::Int(Int::from(value)));
        let positive = self.set(to, bits.clone(), span, next);
        let negative = self.set(to, Expr::Binary(BinaryOp::Sub, number(sign), Box::new(bits.clone())), span, next);
        let none = self.set(to, Expr::Int(Int::from(format.not_a_number())), span, next);
        let at_most = |bound: i128| Expr::Compare(CompareOp::Le, Box::new(bits.clone()), number(bound));
        let below = self.graph.decision(at_most(sign + infinity), span, negative, none);
        let with_sign = self.graph.decision(at_most(sign - 1), span, none, below);
        self.graph.decision(at_most(infinity), span, positive, with_sign)
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

    /// The bits of a scalar, as they are in another member, in which a floating-point number has a rank of this kind.
    fn bits(&mut self, place: PartOfUnion, member: usize, wanted: &UnionScalar, kind: RankKind) -> Bits {
        let power = |bits: i64| Box::new(Expr::Int(Int::ONE.shift_left(bits as u32)));
        let (mut sum, mut left) = (None, wanted.width);
        let Some(scalars) = self.scalars(place.union, member) else { return Bits::Unknown };
        for scalar in scalars {
            let from = scalar.first.max(wanted.first);
            let to = (scalar.first + scalar.width).min(wanted.first + wanted.width);
            if from >= to {
                continue;
            }
            let Some(target) = self.union_scalar(place, member, &scalar) else { return Bits::Unknown };
            let mut value = match scalar.format {
                Some(format) => number_bits(format, kind, target.read()),
                None if scalar.is_integer => Expr::Convert(IntRange::of_bits(scalar.width as u32, false), Box::new(target.read())),
                None => return Bits::Unknown,
            };
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
    fn with_bytes_of(&mut self, place: PartOfUnion, other: usize, span: Span, next: Node) -> Node {
        let own = place.part.path[place.union.members];
        let Some(scalars) = self.scalars(place.union, own) else { return self.unknown_member(place, span, next) };
        let bytes = UnionScalar { path: Vec::new(), indices: Vec::new(), first: 0, width: i64::MAX, is_integer: true, format: None };
        let number = self.numbers_within(place, other, &bytes).flatten();
        let has_one = number.is_some();
        self.by_rank(number.as_ref(), span, |lowerer, kind| {
            scalars.iter().rev().fold(next, |next, scalar| {
                let Some(target) = lowerer.union_scalar(place, own, scalar) else { return next };
                let value = lowerer.value_of_bytes(place, other, scalar, has_one.then_some(kind));
                let value = value.unwrap_or_else(|| lowerer.unspecified(&lowerer.scalar_part(place, own, scalar), &target));
                lowerer.set(&target, value, span, next)
            })
        })
    }

    /// The value of a scalar that has the bytes of another member, whose only floating-point number has a rank of this kind; `None` where C does not say
    /// it.
    fn value_of_bytes(&mut self, place: PartOfUnion, other: usize, scalar: &UnionScalar, kind: Option<RankKind>) -> Option<Expr> {
        let own = place.part.path[place.union.members];
        let ty = self.union_scalar(place, own, scalar)?.ty();
        let range = self.range(ty);
        if let Some(number) = self.same_number(place, other, scalar) {
            return Some(number);
        }
        let unknown = Expr::Nondet(range, InputSource::Approximated);
        let bits = match (self.numbers_within(place, other, scalar), kind) {
            _ if !scalar.is_integer => Bits::Unknown,
            (Some(None), _) => self.bits(place, other, scalar, RankKind::Positive),
            (Some(Some(_)), Some(kind)) => self.bits(place, other, scalar, kind),
            _ => Bits::Unknown,
        };
        match (bits, range) {
            (Bits::Known(bits), Some(range)) => Some(Expr::Convert(range, Box::new(bits))),
            (Bits::Unspecified, _) => None,
            _ => Some(unknown),
        }
    }
}

/// The bit of a number that is negative.
fn sign_bit(format: FloatFormat) -> i128 {
    if format == FloatFormat::Single { 1 << 31 } else { 1 << 63 }
}

/// The bits of a number whose rank is of this kind.
fn number_bits(format: FloatFormat, kind: RankKind, rank: Expr) -> Expr {
    let sign = sign_bit(format);
    let any = |least, greatest| Box::new(Expr::Nondet(Some(IntRange { least, greatest }), InputSource::Approximated));
    let any_sign = || Expr::Binary(BinaryOp::Mul, any(0, 1), Box::new(Expr::Int(Int::from(sign))));
    match kind {
        RankKind::Positive => rank,
        RankKind::Negative => Expr::Binary(BinaryOp::Sub, Box::new(Expr::Int(Int::from(sign))), Box::new(rank)),
        RankKind::Zero => any_sign(),
        RankKind::NoNumber => Expr::Binary(BinaryOp::Add, any(format.not_a_number().into(), sign - 1), Box::new(any_sign())),
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
