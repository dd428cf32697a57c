//! Unions: reads of a member that another one may have overwritten give a value that is not known.

use super::Lowerer;
use super::expression::{Effects, Step};
use super::graph::Node;
use super::object::{Part, Root, Target};
use super::union_bytes::PartOfUnion;
use crate::lang::ast::{Linkage, Shape, Struct, StructId};
use crate::lang::types::Integer;
use crate::logic::{Int, IntRange};
use crate::lts::{CompareOp, Expr, InputSource, Origin, ValueMeaning};
use crate::source::{Diagnostic, Span};

/// A union on the way to a part of an object.
pub(super) struct UnionOnPath {
    pub id: StructId,
    /// How many members and indices lead to it.
    pub members: usize,
    pub indices: usize,
    /// The number of the member that says which was written last.
    pub last: usize,
}

impl<'a> Lowerer<'a> {
    /// Whether a member on this path says which member of its union was written last.
    pub(super) fn says_last(&self, shape: &Shape, path: &[usize]) -> bool {
        let Some((own, outer)) = path.split_last() else { return false };
        let (_, _, inner) = self.along(shape.clone(), outer);
        matches!(inner, Shape::Struct(id) if self.last_of(id) == Some(*own))
    }

    /// What the values mean that say which member was written last, and which there are, where this member says that.
    pub(super) fn members_of(&self, shape: &Shape, path: &[usize]) -> Option<(ValueMeaning, IntRange)> {
        let (own, outer) = path.split_last().filter(|_| self.says_last(shape, path))?;
        let (_, _, Shape::Struct(id)) = self.along(shape.clone(), outer) else { return None };
        Some((ValueMeaning::Members(self.classes.len() as u32 + id.0), IntRange { least: 0, greatest: *own as i128 }))
    }

    /// Whether a caller gives an object its first value. Then it is an input which member of a union was written last: whatever the bytes
    /// are, they are the value of some member.
    pub(super) fn is_set_outside(&self, root: &Root, origin: Origin) -> bool {
        let Root::Decl(_, id) = root else { return false };
        origin == Origin::Parameter || origin == Origin::Global && self.program.decl(*id).linkage == Linkage::External
    }

    /// The names of the members of unions that say which was written last, for each structure of the program, where it has such a union.
    pub(super) fn member_names(&self) -> impl Iterator<Item = Vec<String>> {
        let structs = &self.program.structs;
        let is_any = structs.iter().any(|one| one.union.as_ref().is_some_and(|union| union.last.is_some()));
        let names = |one: &Struct| -> Vec<String> {
            let last = one.union.as_ref().and_then(|union| union.last);
            last.zip(one.members.as_ref())
                .map(|(last, list)| list[..last].iter().map(|member| member.name.text.clone()).collect())
                .unwrap_or_default()
        };
        structs.iter().filter(move |_| is_any).map(names)
    }

    fn last_of(&self, id: StructId) -> Option<usize> {
        self.program.structure(id).union.as_ref()?.last
    }

    /// The unions with several members that a part of an object lies in, from outside.
    pub(super) fn unions_around(&self, part: &Part) -> Vec<UnionOnPath> {
        let (mut shape, mut members, mut indices, mut found) = (self.root_shape(&part.root), 0, 0, Vec::new());
        loop {
            shape = match shape {
                Shape::Array { element, .. } if indices < part.indices.len() => {
                    indices += 1;
                    *element
                }
                Shape::Struct(id) => {
                    let Some(&at) = part.path.get(members) else { return found };
                    if let Some(last) = self.last_of(id).filter(|last| *last != at) {
                        found.push(UnionOnPath { id, members, indices, last });
                    }
                    members += 1;
                    let Some(member) = self.program.structure(id).members.as_ref().and_then(|list| list.get(at)) else { return found };
                    member.shape.clone()
                }
                _ => return found,
            };
        }
    }

    /// The target of a part of an object, with what says that it was written last.
    pub(super) fn in_unions(&mut self, part: &Part, target: Target) -> Target {
        let around = self.unions_around(part);
        if around.is_empty() {
            return target;
        }
        if let Root::Joined(_) = part.root {
            let span = self.name_and_origin(&part.root).2;
            self.fail(
                Diagnostic::error("unsupported-union", span, "pointers lead to several unions, or to this one beside others")
                    .help("use the variables by their names"),
            );
            return target;
        }
        let lasts = around
            .into_iter()
            .filter_map(|union| Some((self.last_target(part, &union)?, Int::from(part.path[union.members] + 1))))
            .collect();
        Target::InUnion(Box::new(target), lasts, Box::new(part.clone()))
    }

    pub(super) fn last_target(&mut self, part: &Part, union: &UnionOnPath) -> Option<Target> {
        let mut path = part.path[..union.members].to_vec();
        path.push(union.last);
        let indices = part.indices[..union.indices].to_vec();
        let last = Part { path, indices, inner: 0, shape: Shape::Scalar(Integer::Int), ..part.clone() };
        self.target(&last)
    }

    /// A target in unions whose value is read before it is used.
    pub(super) fn with_union_read(&mut self, target: Target, span: Span, effects: &mut Effects<'a>) -> Target {
        if lasts_of(&target).is_empty() {
            return target;
        }
        let t = self.temporary(span, target.ty());
        effects.before.push(Step::ReadUnion(t.clone(), Box::new(target.clone()), span));
        Target::Kept(Box::new(target), t.read())
    }

    /// The edges that read a member of unions: its value where it was written last; the bytes of another member that was, where both have
    /// integers only; and else a value that is not known.
    pub(super) fn read_union(&mut self, to: &Target, from: &Target, span: Span, next: Node) -> Node {
        let unknown = Expr::Nondet(self.range(from.ty()), InputSource::Approximated);
        let unknown = self.set(to, unknown, span, next);
        let unknown = match part_of(from) {
            Some(part) if let [union] = &self.unions_around(part)[..] => {
                self.read_other(to, PartOfUnion { part, union }, span, next, unknown)
            }
            _ => unknown,
        };
        let known = self.set(to, from.read(), span, next);
        self.if_written_last(&lasts_of(from), span, known, unknown)
    }

    /// Decides whether members of unions were written last.
    pub(super) fn if_written_last(&mut self, lasts: &[(Target, Int)], span: Span, known: Node, unknown: Node) -> Node {
        let mut node = known;
        for (last, number) in lasts.iter().rev() {
            let is_last = Expr::Compare(CompareOp::Eq, Box::new(last.read()), Box::new(Expr::Int(number.clone())));
            node = self.graph.decision(is_last, span, node, unknown);
        }
        node
    }

    /// The edges that say that the member of unions which this part lies in was written last.
    pub(super) fn written_in_unions(&mut self, part: &Part, span: Span, mut next: Node) -> Node {
        for union in self.unions_around(part) {
            if let Some(last) = self.last_target(part, &union) {
                next = self.set(&last, Expr::Int(Int::from(part.path[union.members] + 1)), span, next);
            }
        }
        next
    }

    /// The edges that copy a structure out of a union, where it is in one: from `known` on the copy is made.
    pub(super) fn copied_from_union(&mut self, targets: &[Part], from: &Part, span: Span, known: Node, next: Node) -> Node {
        let around = self.unions_around(from);
        if around.is_empty() {
            return known;
        }
        let lasts: Vec<(Target, Int)> =
            around.iter().filter_map(|union| Some((self.last_target(from, union)?, Int::from(from.path[union.members] + 1)))).collect();
        let mut unknown = next;
        for part in targets.iter().rev() {
            if let Some(target) = self.target(part) {
                let value = Expr::Nondet(self.range(target.ty()), InputSource::Approximated);
                unknown = self.set(&target, value, span, unknown);
            }
        }
        self.if_written_last(&lasts, span, known, unknown)
    }
}

fn part_of(target: &Target) -> Option<&Part> {
    match target {
        Target::InUnion(_, _, part) => Some(part),
        Target::Seen(inner, ..) => part_of(inner),
        _ => None,
    }
}

fn lasts_of(target: &Target) -> Vec<(Target, Int)> {
    match target {
        Target::InUnion(_, lasts, _) => lasts.clone(),
        Target::Seen(inner, ..) => lasts_of(inner),
        _ => Vec::new(),
    }
}
