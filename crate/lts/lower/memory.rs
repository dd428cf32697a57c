//! `memset` and `memcpy` of whole objects: structures, arrays of any elements, variables.

use super::expression::{Effects, Step, has_nondet};
use super::graph::{NOWHERE, Node};
use super::object::{Leaf, Part, Pointee, Target};
use super::union_bytes::whole;
use super::{IntegerModel, Lowerer};
use crate::lang::ast::{Expr as Tree, Length, Shape, StructId};
use crate::lang::types::{Abi, Integer};
use crate::logic::{Int, IntRange};
use crate::lts::{Expr, InputSource, Label};
use crate::source::{Diagnostic, Span};

/// Scalars that one call may change.
const MAX_SCALARS: usize = 4_096;

/// Scalars that an assignment of a structure may copy.
const MAX_COPIED: usize = 1_000;

impl<'a> Lowerer<'a> {
    /// The edges that copy a structure, one for each scalar.
    #[inline(never)]
    pub(super) fn copy(&mut self, to: &Part, from: &Part, span: Span, mut next: Node) -> Node {
        next = self.written_in_unions(to, span, next);
        let after = next;
        let (Some(targets), Some(sources)) = (self.scalars_in(to, MAX_COPIED), self.scalars_in(from, MAX_COPIED)) else {
            self.too_large_copy(span);
            return NOWHERE;
        };
        let mut ways = [to.clone(), from.clone()];
        let steps = self.settle_ways(&targets, &mut ways, span);
        if !steps.is_empty() {
            let copied = self.copy(&ways[0], &ways[1], span, next);
            return self.run_steps(steps, copied);
        }
        for (to, from) in targets.iter().zip(&sources).rev() {
            // A whole array of the structure is copied at once, by the first of its elements.
            if let Some(array) = whole_array(to) {
                if to.indices.iter().all(|(index, _)| matches!(index, Expr::Int(value) if value.is_zero())) {
                    let elements = targets.iter().zip(&sources).filter(|(other, _)| other.path == to.path);
                    let values = elements.filter_map(|(_, from)| Some(self.target(from)?.read())).collect();
                    if let Leaf::Array(id) = self.leaf(&array.root, &array.path) {
                        next = self.graph.operation(Label::Fill(id, values), span, next);
                    }
                }
                continue;
            }
            // What was written last is copied, too.
            if let (Some(to), Some(from)) = (self.target(to).map(whole), self.target(from)) {
                next = self.set(&to, from.read(), span, next);
            }
        }
        let copied = self.copied_from_union(&targets, from, span, next, after);
        self.before_written(to, span, copied)
    }

    /// Has the indices of parts keep their values where what is written decides on them, as in `a[a[0].x] = a[1]`, or they are drawn: gives
    /// the steps before.
    fn settle_ways(&mut self, written: &[Part], ways: &mut [Part], span: Span) -> Vec<Step<'a>> {
        let several = written.len() > 1;
        let leaf = |part: &Part| self.leaves.get(&(part.root.clone(), part.path.clone())).cloned();
        let written: Vec<Leaf> = written.iter().filter_map(leaf).collect();
        let mut steps = Vec::new();
        for (index, _) in ways.iter_mut().flat_map(|part| &mut part.indices) {
            let mut depends = several && has_nondet(index);
            index.walk(&mut |e| {
                depends |= match e {
                    Expr::Var(id) => written.iter().any(|leaf| matches!(leaf, Leaf::Scalar(other) if other == id)),
                    Expr::Read(id, _) => written.iter().any(|leaf| matches!(leaf, Leaf::Array(other) if other == id)),
                    _ => false,
                };
            });
            if depends {
                let t = self.temporary(span, Integer::LongLong);
                steps.push(Step::Set(t.clone(), std::mem::replace(index, t.read()), span));
            }
        }
        steps
    }

    fn too_large_copy(&mut self, span: Span) {
        self.fail(
            crate::source::Diagnostic::error(
                "structure-too-large",
                span,
                format!("a structure with more than {MAX_COPIED} scalars is copied here"),
            )
            .help("pass its address instead"),
        );
    }

    /// `memset`: every byte of `count` objects from an address on.
    #[inline(never)]
    pub(super) fn set_objects(&mut self, to: &'a Tree, byte: &Int, count: &Int, span: Span, mut next: Node) -> Node {
        let mut effects = Effects::default();
        let Some(mut parts) = self.objects(to, count, &mut effects) else { return NOWHERE };
        next = self.run_steps(effects.after, next);
        let written = self.scalars_of(&parts);
        let steps = self.settle_ways(&written, &mut parts, span);
        for part in parts.iter().rev() {
            let set = self.set_bytes(part, byte, span, next);
            let Some(set) = set else {
                self.fail(
                    Diagnostic::error(
                        "structure-too-large",
                        span,
                        format!("more than {MAX_SCALARS} scalars are set here, or some in an unknown place"),
                    )
                    .help("assign them in a loop"),
                );
                return NOWHERE;
            };
            next = set;
        }
        next = self.run_steps(steps, next);
        self.run_steps(effects.before, next)
    }

    /// `memcpy` of objects that are the same or do not overlap.
    #[inline(never)]
    pub(super) fn copy_objects(&mut self, to: &'a Tree, from: &'a Tree, count: &Int, span: Span, mut next: Node) -> Node {
        let mut effects = Effects::default();
        let (Some(mut targets), Some(mut sources)) = (self.objects(to, count, &mut effects), self.objects(from, count, &mut effects))
        else {
            return NOWHERE;
        };
        if targets.len() != sources.len() {
            // One side is a whole array, the other consists of elements.
            let whole = targets.first().filter(|_| targets.len() == 1).cloned();
            for side in [&mut targets, &mut sources] {
                if let [array] = &side[..] {
                    *side = elements_of(array);
                }
            }
            if targets.len() != sources.len() {
                self.unknown_pointer(from);
                return NOWHERE;
            }
            if let Some(fill) = whole.and_then(|array| self.filled(&array, &sources)) {
                next = self.run_steps(effects.after, next);
                next = self.graph.operation(fill, span, next);
                return self.run_steps(effects.before, next);
            }
        }
        next = self.run_steps(effects.after, next);
        let written = self.scalars_of(&targets);
        let mut steps = self.settle_ways(&written, &mut targets, span);
        steps.append(&mut self.settle_ways(&written, &mut sources, span));
        for (to, from) in targets.iter().zip(&sources).rev() {
            next = self.copy(to, from, span, next);
        }
        next = self.run_steps(steps, next);
        self.run_steps(effects.before, next)
    }

    /// What sets all of an array of scalars to parts elsewhere; `None` where unions or several values of one element are in the way.
    fn filled(&mut self, array: &Part, sources: &[Part]) -> Option<Label> {
        let Shape::Array { element, .. } = &array.shape else { return None };
        let is_plain = matches!(**element, Shape::Scalar(_)) && array.indices.is_empty() && self.unions_around(array).is_empty();
        if !is_plain || sources.iter().any(|from| !self.unions_around(from).is_empty()) {
            return None;
        }
        let Leaf::Array(id) = self.leaf(&array.root, &array.path) else { return None };
        if self.literal_arrays.contains(&id) {
            return None;
        }
        let values: Option<Vec<Expr>> = sources.iter().map(|from| Some(self.target(from)?.read())).collect();
        Some(Label::Fill(id, values.filter(|values| !values.iter().any(has_nondet))?))
    }

    /// A byte of padding of a structure (6.2.6.1p6). Where the program or what runs before it gives padding values, it is not followed which.
    pub(super) fn padding(&self, id: StructId) -> Expr {
        let has = |shape: &Shape| {
            let mut open = vec![shape];
            while let Some(shape) = open.pop() {
                match shape {
                    Shape::Struct(other) if *other == id => return true,
                    Shape::Struct(other) => {
                        open.extend(self.program.structure(*other).members.iter().flatten().map(|member| &member.shape))
                    }
                    Shape::Array { element, .. } => open.push(element),
                    _ => {}
                }
            }
            false
        };
        let structure = self.program.structure(id);
        let is_set = structure.sets_padding || self.program.decls.iter().any(|decl| decl.storage.lasts() && has(&decl.shape));
        let name = if structure.name.is_empty() {
            "the padding of a structure".to_owned()
        } else {
            format!("the padding of struct {}", structure.name)
        };
        let source = if is_set { InputSource::Approximated } else { InputSource::Unspecified(name.into()) };
        Expr::Nondet(self.range(Integer::UnsignedChar), source)
    }

    /// In front of what takes integers for bytes.
    pub(super) fn on_bytes(&mut self, span: Span, next: Node) -> Node {
        if self.options.ints == IntegerModel::Unbounded {
            let message = "integers without bounds have no bytes";
            self.fail(Diagnostic::error("unsupported-memory", span, message).help("assign the members one by one"));
            return NOWHERE;
        }
        next
    }

    /// The scalars inside of parts, where these are not too many.
    fn scalars_of(&self, parts: &[Part]) -> Vec<Part> {
        parts.iter().filter_map(|part| self.scalars_in(part, MAX_SCALARS)).flatten().collect()
    }

    /// The objects that start at an address; one, if they are a whole array.
    fn objects(&mut self, address: &'a Tree, count: &Int, effects: &mut Effects<'a>) -> Option<Vec<Part>> {
        let found = match (self.pointee(address, effects), count.to_i64()) {
            (Some(Pointee::Single(part)), Some(1)) => Some(vec![part]),
            (Some(Pointee::Element(array, Expr::Int(first))), _)
                if first.is_zero() && matches!(&array.shape, Shape::Array { length: Length::Fixed(length), .. } if length == count) =>
            {
                Some(vec![array])
            }
            (Some(pointee), Some(count)) if count as usize <= MAX_SCALARS => {
                (0..count).map(|at| self.element(pointee.clone(), Expr::Int(Int::from(at)))).collect()
            }
            _ => None,
        };
        if found.is_none() {
            self.unknown_pointer(address);
        }
        found
    }

    /// The edges that give every byte of a part one value; `None` where it has too many scalars.
    fn set_bytes(&mut self, part: &Part, byte: &Int, span: Span, mut next: Node) -> Option<Node> {
        next = self.written_in_unions(part, span, next);
        if !part.indices.is_empty() {
            let targets = self.scalars_in(part, MAX_SCALARS)?;
            for target in targets.iter().rev() {
                let says_last = self.says_last(&self.root_shape(&target.root), &target.path);
                let target = whole(self.target(target)?);
                let value = if says_last { Int::ZERO } else { of_bytes(byte, target.ty(), self.abi()) };
                let value = Expr::Int(value);
                next = self.set(&target, value, span, next);
            }
            return Some(next);
        }
        let mut leaves = Vec::new();
        let mut open = vec![(part.path.clone(), 1usize, part.shape.clone())];
        while let Some((path, count, shape)) = open.pop() {
            match shape {
                Shape::Array { element, length: Length::Fixed(length) } => {
                    let length = usize::try_from(length.to_i64()?).ok()?;
                    open.push((path, count.checked_mul(length)?, *element));
                }
                Shape::Struct(id) => {
                    for (at, member) in self.program.structure(id).members.as_ref()?.iter().enumerate() {
                        open.push((path.iter().copied().chain([at]).collect(), count, member.shape.clone()));
                    }
                }
                shape => leaves.push((path, count, shape.integer(self.abi())?)),
            }
        }
        for (path, count, ty) in leaves {
            // Which member that would be is not known.
            let says_last = self.says_last(&self.root_shape(&part.root), &path);
            let mut value = if says_last { Int::ZERO } else { of_bytes(byte, ty, self.abi()) };
            if let Some(range) = self.bit_range(&part.root, &path) {
                // Only where all bits are the same it does not matter which they are.
                if !value.is_zero() && value != Int::MINUS_ONE {
                    return None;
                }
                value = range.wrap(&value);
            }
            next = match self.leaf(&part.root, &path) {
                Leaf::Scalar(variable) => self.set(&Target::Variable(variable, ty), Expr::Int(value), span, next),
                Leaf::Array(array) if self.literal_arrays.contains(&array) => {
                    let value = super::expression::unchangeable(Expr::Int(value));
                    self.graph.operation(Label::Store { array, index: Expr::Int(Int::ZERO), value }, span, next)
                }
                // What is not mentioned becomes zero.
                Leaf::Array(array) if value.is_zero() => self.graph.operation(Label::Fill(array, Vec::new()), span, next),
                Leaf::Array(_) if count > MAX_SCALARS => return None,
                Leaf::Array(array) => self.graph.operation(Label::Fill(array, vec![Expr::Int(value); count]), span, next),
            };
        }
        Some(next)
    }

    /// Every scalar inside a part, with the members and the indices on the way to it.
    pub(super) fn scalars_in(&self, part: &Part, most: usize) -> Option<Vec<Part>> {
        let mut done = Vec::new();
        let mut open = vec![part.clone()];
        while let Some(part) = open.pop() {
            match &part.shape {
                Shape::Struct(id) => {
                    let members = self.program.structure(*id).members.as_ref()?;
                    for (at, member) in members.iter().enumerate().rev() {
                        let mut inner = part.clone();
                        inner.path.push(at);
                        inner.shape = member.shape.clone();
                        open.push(inner);
                    }
                }
                Shape::Array { element, length: Length::Fixed(length) } => {
                    let count = length.to_i64().filter(|&count| count as usize <= most)?;
                    for index in (0..count).rev() {
                        let mut inner = part.clone();
                        inner.indices.push((Expr::Int(Int::from(index)), Some(length.clone())));
                        inner.inner += 1;
                        inner.shape = (**element).clone();
                        open.push(inner);
                    }
                }
                Shape::Array { .. } => return None,
                _ => done.push(part),
            }
            if done.len() + open.len() > most {
                return None;
            }
        }
        Some(done)
    }
}

/// The value of a type each of whose bytes is the given one. A `_Bool` has no other values than 0 and 1, so of others it is their lowest bit.
fn of_bytes(byte: &Int, ty: Integer, abi: Abi) -> Int {
    let byte = IntRange::of_bits(8, false).wrap(byte);
    let whole = (0..ty.size(abi)).fold(Int::ZERO, |sum, _| &(&sum * &Int::from(256)) + &byte);
    match ty.format() {
        Some(format) => Int::from(format.rank_of_bits(whole.to_i64().unwrap_or(i64::MIN) as u64)),
        None => ty.range(abi).wrap(&whole),
    }
}

/// The elements of an array.
fn elements_of(array: &Part) -> Vec<Part> {
    let Shape::Array { element, length: Length::Fixed(length) } = &array.shape else { return vec![array.clone()] };
    let count = length.to_i64().filter(|&count| count as usize <= MAX_SCALARS).unwrap_or_default();
    let element_at = |index| {
        let indices = array.indices.iter().cloned().chain([(Expr::Int(Int::from(index)), Some(length.clone()))]).collect();
        Part { indices, shape: (**element).clone(), ..array.clone() }
    };
    (0..count).map(element_at).collect()
}

/// The part itself, where all its indices come from inside of the structure that is copied: so that all elements of its array are.
fn whole_array(to: &Part) -> Option<&Part> {
    (!to.indices.is_empty() && to.indices.len() == to.inner).then_some(to)
}
