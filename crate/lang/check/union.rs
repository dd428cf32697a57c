//! Unions (C11 6.5.2.3): which members stand for which others, and what says which one was written last.

use super::super::ast::sugar::LAST_MEMBER;
use super::super::ast::{
    Constant, Expr, ExprKind, Init, Initial, Item, Length, Member, Name, PartPath, Qualifiers, Shape, StructId, Type, UnionMembers,
    UnionScalar,
};
use super::super::types::{Abi, Integer};
use super::Checker;
use crate::logic::Int;
use crate::source::{Diagnostic, Span};

impl UnionMembers {
    /// The members that are kept, where these are all. One stands for others that are read with the same bits.
    pub(super) fn kept_members(&mut self, declared: Vec<Member>, abi: Abi) -> Vec<Member> {
        let mut kept: Vec<Member> = Vec::new();
        let is_any_named = self.is_named.iter().any(|is_named| *is_named);
        self.stands_for.clear();
        for (number, member) in declared.iter().enumerate() {
            // A union without an access to any of its members keeps the first member.
            if !self.is_named[number] && (is_any_named || number > 0) {
                self.stands_for.push(None);
                continue;
            }
            let same = |other: &Member| {
                !other.name.text.is_empty() && !member.name.text.is_empty() && has_bits_of(&other.shape, &member.shape, abi)
            };
            let at = kept.iter().position(same).unwrap_or(kept.len());
            match kept.get_mut(at) {
                // An access to one of them is none to the others, but here they are one.
                Some(other) => {
                    other.qualifiers = other.qualifiers.and(Qualifiers::of_volatile(member.qualifiers.volatile_bits()));
                }
                None => kept.push(member.clone()),
            }
            self.stands_for.push(Some(at));
        }
        if let (2.., Some(first)) = (kept.len(), kept.first()) {
            self.last = Some(kept.len());
            let name = Name { text: LAST_MEMBER.to_owned(), ..first.name.clone() };
            let (ty, shape) = (Type::Integer(Integer::Int), Shape::INT);
            kept.push(Member { name, ty, qualifiers: Qualifiers::default(), shape, bits: None });
        }
        self.declared = declared;
        kept
    }
}

/// Whether two shapes are the same but for the signs of integers.
fn has_bits_of(a: &Shape, b: &Shape, abi: Abi) -> bool {
    match (a, b) {
        (Shape::Scalar(a), Shape::Scalar(b)) => {
            a == b || a.size(abi) == b.size(abi) && a.format() == b.format() && ![*a, *b].contains(&Integer::Bool)
        }
        (Shape::Array { element: a, length: m }, Shape::Array { element: b, length: n }) => m == n && has_bits_of(a, b, abi),
        (a, b) => a == b,
    }
}

/// Members of more scalars are not seen as bytes.
const MAX_SCALARS: usize = 32;

impl Checker<'_> {
    /// Finds the scalars in the members of unions.
    pub(super) fn scalars_of_unions(&mut self) {
        for at in 0..self.structs.len() {
            let structure = &self.structs[at];
            let (Some(last), Some(members)) = (structure.union.as_ref().and_then(|union| union.last), &structure.members) else { continue };
            let scalars = members[..last].iter().map(|member| {
                let mut found = Vec::new();
                let start = UnionScalar { path: Vec::new(), indices: Vec::new(), first: 0, width: 0, is_integer: false, format: None };
                self.scalars_within(&member.shape, start, &mut found).map(|()| found)
            });
            let scalars = scalars.collect();
            if let Some(union) = &mut self.structs[at].union {
                union.scalars = scalars;
            }
        }
    }

    /// Adds the scalars of a part that starts at this bit; `None` where it has something else, or too many.
    fn scalars_within(&self, shape: &Shape, start: UnionScalar, found: &mut Vec<UnionScalar>) -> Option<()> {
        match shape {
            Shape::Scalar(_) | Shape::Pointer(_) => {
                let width = self.size(shape)?.0 * 8;
                let is_integer = matches!(shape, Shape::Scalar(ty) if ty.format().is_none() && *ty != Integer::Bool);
                let format = if let Shape::Scalar(ty) = shape { ty.format() } else { None };
                found.push(UnionScalar { width, is_integer, format, ..start });
            }
            Shape::Array { element, length: Length::Fixed(length) } => {
                let size = self.size(element)?.0.checked_mul(8)?;
                for index in 0..length.to_i64().filter(|&length| length <= MAX_SCALARS as i64)? {
                    let indices = [&start.indices[..], &[index]].concat();
                    self.scalars_within(element, UnionScalar { indices, first: start.first + index * size, ..start.clone() }, found)?;
                }
            }
            Shape::Struct(id) if self.structs[id.0 as usize].union.is_none() => {
                for (number, member) in self.structs[id.0 as usize].members.as_ref()?.iter().enumerate() {
                    let first = start.first + self.sizes().bit_layout(*id, number)?.0;
                    let inner = UnionScalar { path: [&start.path[..], &[number]].concat(), first, ..start.clone() };
                    match &member.bits {
                        Some(bits) => {
                            let width = i64::from((bits.values.greatest - bits.values.least + 1).ilog2());
                            let is_integer = member.shape != Shape::Scalar(Integer::Bool);
                            found.push(UnionScalar { width, is_integer, ..inner });
                        }
                        None => self.scalars_within(&member.shape, inner, found)?,
                    }
                }
            }
            _ => return None,
        }
        (found.len() <= MAX_SCALARS).then_some(())
    }

    /// The number of the member of a union that a first value without a name is for; says so where it is not kept.
    pub(super) fn first_of_union(&mut self, id: StructId, span: Span) -> usize {
        let union = self.structs[id.0 as usize].union.as_ref();
        let first = union.and_then(|union| union.stands_for.first().copied().flatten());
        if first.is_none() && union.is_some_and(|union| !union.declared.is_empty()) {
            self.report(
                Diagnostic::error("unsupported-union", span, "this is the first value of a member that the program never names")
                    .help("name the member that gets the value: `.member = …`"),
            );
        }
        first.unwrap_or(0)
    }

    /// That a member of a union is written by first values, as a first value.
    pub(super) fn written_last(&self, id: StructId, member: usize, path: &PartPath) -> Option<Item> {
        let last = self.structs[id.0 as usize].union.as_ref()?.last?;
        let mut path = path.clone();
        path.0.push(last);
        let value = Expr::new(ExprKind::Int(Int::from(member + 1)), self.structs[id.0 as usize].span);
        Some(Item { designators: Vec::new(), value: Init::Expr(value), part_path: Some(path) })
    }
}

/// A first value that is a number, as one of an object that has its values before the program starts.
pub(super) fn as_initial(item: &Item) -> Option<Initial> {
    let (Init::Expr(Expr { kind: ExprKind::Int(value), .. }), Some((path, indices))) = (&item.value, &item.part_path) else { return None };
    let value = Constant { typed: value.clone(), unbounded: value.clone() };
    Some(Initial { path: path.clone(), indices: indices.clone(), value })
}
