//! Expressions: a value without side effects, and steps before and after it.
//!
//! | in the text | becomes |
//! |---|---|
//! | `x = e`, `++x` inside an expression | a step before, then the value `x` |
//! | `x++` | the value `x`, then a step after the edge that uses it (after a decision: on both sides) |
//! | `f(e)` | steps before: bind, body, result; then the value `f.result` |
//! | `a && b`, `c ? a : b` inside a larger expression | a step before that sets a temporary on every side |
//!
//! At a sequence point the steps after a value are carried out. Where C leaves an order open, operands go from left to
//! right, so that the values of `nondet()` keep the order of the text.

use super::Lowerer;
use super::floating::{Operand, compared_operand};
use super::flow::shape_of;
use super::graph::Node;
use super::object::{Part, Root, Target};
use crate::lang::ast::{BinaryOp as TreeOp, Expr as Tree, ExprKind, Name, Shape, UnaryOp};
use crate::lang::intrinsic::Intrinsic;
use crate::lang::sizes::Sizes;
use crate::lang::types::Integer;
use crate::logic::{Int, IntRange};
use crate::lts::{BinaryOp, Expr, InputSource, Label, Requirement, VariableId};
use crate::source::Span;

/// Something that happens before or after a value is used.
#[derive(Clone)]
pub(super) enum Step<'a> {
    Set(Target, Expr, Span),
    /// Copies a structure: to the first from the second.
    Copy(Part, Part, Span),
    /// Sets the target to an expression that decides on the way.
    Choose(Target, &'a Tree),
    /// Copies the structure that an expression decides on to the object.
    ChooseStructure(Part, &'a Tree),
    /// Evaluates for the side effects only.
    Effect(&'a Tree),
    /// Reads a character of standard input.
    Read(Target, Intrinsic, Span),
    /// Calls `scanf`; the number that it gives back goes to the target.
    Scan(&'a Tree, Target),
    /// Reads a member of unions into the first; of one that was not written last the value is not known.
    ReadUnion(Target, Box<Target>, Span),
    /// Evaluates the parts of an expression whose order C leaves open.
    Order(&'a Tree),
    /// Has a pointer point to this.
    Point(Root, &'a Tree),
    /// Lets a function without a body write to what it reaches.
    External(&'a str, &'a [Tree], Span),
    /// Sets the variable to the number of a node that this function without a body gives.
    NodeFromOutside(VariableId, &'a str, Span),
    Call {
        function: usize,
        arguments: &'a [Tree],
        result: Outcome,
        span: Span,
    },
}

/// Where the result of a call goes.
#[derive(Clone)]
pub(super) enum Outcome {
    Dropped,
    Scalar(VariableId),
    Structure(Part),
    /// A pointer with these variables.
    Pointer(Root),
}

/// The side effects of a value.
#[derive(Default)]
pub(super) struct Effects<'a> {
    pub before: Vec<Step<'a>>,
    pub after: Vec<Step<'a>>,
}

/// What `getchar` gives.
pub(super) const CHARACTER: IntRange = IntRange { least: -1, greatest: 255 };

pub(super) fn one() -> Expr {
    Expr::Int(Int::ONE)
}

pub(super) fn has_nondet(e: &Expr) -> bool {
    e.nondets() > 0
}

/// Whether the expression is made of `&&`, `||` and their negation, so that its value comes from decisions.
pub(super) fn short_circuits(e: &Tree) -> bool {
    match &e.kind {
        ExprKind::And(..) | ExprKind::Or(..) => true,
        ExprKind::Unary(UnaryOp::Not, inner) | ExprKind::Convert(inner) => short_circuits(inner),
        _ => false,
    }
}

/// Whether the value comes from decisions.
pub(super) fn decides(e: &Tree) -> bool {
    short_circuits(e) || matches!(e.unconverted().kind, ExprKind::Conditional(..))
}

impl<'a> Lowerer<'a> {
    /// Whether evaluating the expression needs steps of its own.
    pub(super) fn has_steps(&self, e: &Tree) -> bool {
        let mut found = match &e.kind {
            ExprKind::Call(name, _) => !matches!(
                self.intrinsic(name),
                Some(Intrinsic::Nondet(_) | Intrinsic::Character | Intrinsic::Overflows | Intrinsic::Wraps | Intrinsic::Number(_))
            ),
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Conditional(..) | ExprKind::Comma(..) | ExprKind::Assign { .. } => true,
            _ => false,
        };
        e.kind.children(&mut |child| found = found || self.has_steps(child));
        found
    }

    // Values

    /// The value of `e`; what happens before and after its use goes to `effects`.
    pub(super) fn value(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Expr {
        if !self.enter(e.span) {
            self.leave();
            return Expr::Int(Int::ZERO);
        }
        let opened = self.opens(e);
        if opened {
            effects.before.push(Step::Order(e));
        }
        let value = match self.evaluated(e) {
            Some(t) => t.read(),
            None => self.value_inner(e, effects),
        };
        if opened {
            self.close(e);
        }
        self.leave();
        value
    }

    fn value_inner(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Expr {
        if short_circuits(e) {
            return self.chosen(e, effects);
        }
        match &e.kind {
            ExprKind::Int(value) => Expr::Int(value.clone()),
            ExprKind::Str(bytes) => Expr::Int(self.address_of_string(bytes)),
            ExprKind::SizeofExpr(inner) => self.computed_size(inner),
            ExprKind::Error | ExprKind::CallAt(..) | ExprKind::SizeofType(_) | ExprKind::Cast(..) | ExprKind::Sugar(_) => {
                Expr::Int(Int::ZERO)
            }
            ExprKind::AddressOf(_) => {
                self.unknown_pointer(e);
                Expr::Int(Int::ZERO)
            }
            ExprKind::Name(_) if self.is_pointee(e) => {
                self.unknown_pointer(e);
                Expr::Int(Int::ZERO)
            }
            ExprKind::Index(base, index)
                if e.ty == self.abi().address()
                    && let Some(there) = self.argument_is_there(base, index, effects) =>
            {
                there
            }
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) => {
                self.scalar_target(e, effects).map_or(Expr::Int(Int::ZERO), |target| self.read(target, e, effects))
            }
            ExprKind::Convert(inner) => {
                let value = self.value(inner, effects);
                self.converted(inner.ty, e.ty, value)
            }
            ExprKind::Unary(UnaryOp::Not, operand) if let Some(there) = self.given_test(operand, effects) => negated(there),
            ExprKind::Unary(op, operand) => {
                let value = self.value(operand, effects);
                match op {
                    UnaryOp::Plus => value,
                    UnaryOp::Not => Expr::Not(Box::new(value)),
                    UnaryOp::Neg => self.negation(e.ty, value),
                    UnaryOp::Complement => self.complement(e.ty, value),
                }
            }
            ExprKind::Binary(op, left, right) => {
                if let Some(value) = self.null_comparison(*op, left, right, effects) {
                    return value;
                }
                if let Some(value) = self.literal_comparison(*op, left, right, effects) {
                    return value;
                }
                if let Some(value) = self.address_comparison(*op, left, right, effects) {
                    return value;
                }
                if let Some(value) = self.printing_test(*op, left, right, effects) {
                    return value;
                }
                if *op == TreeOp::Sub
                    && e.ty == self.abi().distance()
                    && left.ty == self.abi().address()
                    && right.ty == self.abi().address()
                {
                    self.unknown_pointer(e);
                    return Expr::Int(Int::ZERO);
                }
                if matches!(op, TreeOp::Add | TreeOp::Sub) && (self.counts_elements(left) || self.counts_elements(right)) {
                    self.unknown_pointer(e);
                    return Expr::Int(Int::ZERO);
                }
                let format = left.ty.format().filter(|_| op.compares());
                let [left, right] =
                    if format.is_some() { [left, right].map(|side| compared_operand(*op, side)) } else { [&**left, &**right] };
                let mut left_value = self.value(left, effects);
                if format.is_some() {
                    left_value = self.kept(left, left_value, effects);
                }
                let mark = effects.before.len();
                let right_value = self.value(right, effects);
                // Steps of the right side must not overtake a `nondet()` of the left.
                if effects.before.len() > mark && has_nondet(&left_value) {
                    let t = self.temporary(left.span, left.ty);
                    effects.before.insert(mark, Step::Set(t.clone(), left_value, left.span));
                    left_value = t.read();
                }
                if let Some(format) = format {
                    let right_value = self.kept(right, right_value, effects);
                    let [a, b] = [(left, left_value), (right, right_value)].map(|(side, value)| Operand { ty: side.ty, value });
                    return self.numbers_compared(*op, format, a, b);
                }
                self.arithmetic(*op, left.ty, left_value, right_value)
            }
            ExprKind::Conditional(..) | ExprKind::And(..) | ExprKind::Or(..) => self.chosen(e, effects),
            ExprKind::Comma(first, second) => {
                effects.before.push(Step::Effect(first));
                self.value(second, effects)
            }
            ExprKind::Assign { target, op, value, at } => self.assignment_value(target, *op, value, *at, e.span, effects),
            ExprKind::Step { target, increment, prefix } => self.step_value(target, *increment, *prefix, e.span, effects),
            ExprKind::Call(name, arguments) => self.call_value(name, arguments, e, effects),
        }
    }

    /// A value that is read more than once: an arbitrary one is fixed first.
    fn kept(&mut self, e: &'a Tree, value: Expr, effects: &mut Effects<'a>) -> Expr {
        if !has_nondet(&value) {
            return value;
        }
        let t = self.temporary(e.span, e.ty);
        effects.before.push(Step::Set(t.clone(), value, e.span));
        t.read()
    }

    /// The value of a place.
    fn read(&mut self, target: Target, e: &Tree, effects: &mut Effects<'a>) -> Expr {
        let target = self.with_union_read(target, e.span, effects);
        // That the place is one must be so even where its value comes from elsewhere.
        if let Target::Kept(inner, _) = &target
            && inner.read().can_be_undefined(&self.arrays)
        {
            let t = self.temporary(e.span, e.ty);
            effects.before.push(Step::Set(t, inner.read(), e.span));
        }
        target.read()
    }

    /// How many bytes an array takes whose length is computed.
    fn computed_size(&mut self, array: &Tree) -> Expr {
        let ExprKind::Name(Name { decl: Some(decl), .. }) = &array.kind else { return Expr::Int(Int::ZERO) };
        let root = self.root(*decl);
        let size = match &self.program.decl(*decl).shape {
            Shape::Array { element, .. } => self.size_of(element),
            _ => None,
        };
        match (self.computed_lengths.get(&root).and_then(|lengths| lengths.first().cloned().flatten()), size) {
            (Some(count), Some(size)) => self.arithmetic(TreeOp::Mul, self.abi().address(), count, Expr::Int(Int::from(size))),
            _ => {
                self.unknown_pointer(array);
                Expr::Int(Int::ZERO)
            }
        }
    }

    /// The comparison with a null pointer of one that points to something known.
    #[inline(never)]
    fn null_comparison(&mut self, op: TreeOp, left: &'a Tree, right: &'a Tree, effects: &mut Effects<'a>) -> Option<Expr> {
        let null = |e: &Tree| matches!(&e.unconverted().kind, ExprKind::Int(value) if value.is_zero());
        let pointer = if null(right) { left } else { right };
        if !(null(left) || null(right)) || !matches!(op, TreeOp::Eq | TreeOp::Ne) {
            return None;
        }
        let there = self.given_test(pointer, effects)?;
        Some(match (op, there) {
            (TreeOp::Ne, there) => there,
            (_, there) => negated(there),
        })
    }

    /// The value of an expression that decides, through a temporary.
    pub(super) fn chosen(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Expr {
        let t = self.temporary(e.span, e.ty);
        effects.before.push(Step::Choose(t.clone(), e));
        t.read()
    }

    /// A target whose index is used twice: an arbitrary one is fixed first.
    fn fixed_target(&mut self, place: &'a Tree, effects: &mut Effects<'a>) -> Option<Target> {
        let mut target = self.scalar_target(place, effects)?;
        if let Some(index) = target.index()
            && has_nondet(index)
        {
            let t = self.temporary(place.span, Integer::LongLong);
            effects.before.push(Step::Set(t.clone(), std::mem::replace(index, t.read()), place.span));
        }
        Some(target)
    }

    /// A target whose value is read only here, though it is used more often.
    fn read_once(&mut self, target: Target, span: Span, effects: &mut Effects<'a>) -> Target {
        match target {
            Target::Kept(inner, value) if has_nondet(&value) => {
                let t = self.temporary(span, inner.ty());
                effects.before.push(Step::Set(t.clone(), value, span));
                Target::Kept(inner, t.read())
            }
            target => target,
        }
    }

    /// The target of a compound assignment whose old value is read before what else is evaluated.
    pub(super) fn with_old_value(&mut self, target: Target, op: Option<TreeOp>, place: &Tree) -> Target {
        if op.is_some() && self.counts_elements(place) {
            self.unknown_pointer(place);
        }
        match op.and_then(|_| self.evaluated(place)) {
            Some(old) => Target::Kept(Box::new(target), old.read()),
            None => target,
        }
    }

    /// Whether a number that is added to the value of an expression counts elements of more than one byte: its address is not that number greater.
    fn counts_elements(&self, e: &Tree) -> bool {
        let sizes = Sizes { structs: &self.program.structs, abi: self.abi() };
        match shape_of(self.program, e).filter(|_| !matches!(e.kind, ExprKind::Binary(..))) {
            Some(Shape::Pointer(inner)) if !matches!(**inner, Shape::Function(_)) => sizes.size(inner).is_none_or(|(size, _)| size != 1),
            _ => false,
        }
    }

    /// `target op value`, as a value of the target's type.
    pub(super) fn updated(&self, target: &Target, op: TreeOp, value: Expr, at: Integer) -> Expr {
        let old = self.converted(target.ty(), at, target.read());
        let new = self.arithmetic(op, at, old, value);
        self.converted(at, target.ty(), new)
    }

    #[inline(never)]
    fn assignment_value(
        &mut self,
        place: &'a Tree,
        op: Option<TreeOp>,
        value: &'a Tree,
        at: Integer,
        span: Span,
        effects: &mut Effects<'a>,
    ) -> Expr {
        let Some(target) = self.fixed_target(place, effects) else { return Expr::Int(Int::ZERO) };
        let mut target = self.with_old_value(target, op, place);
        if op.is_some() {
            target = self.with_union_read(target, span, effects);
        }
        if let (Target::Variable(..), None, true) = (&target, op, decides(value)) {
            effects.before.push(Step::Choose(target.clone(), value));
            return target.read();
        }
        if let (None, Some(intrinsic)) = (op, self.read_to(&target, value)) {
            effects.before.push(Step::Read(target.clone(), intrinsic, span));
            return target.read();
        }
        let value = self.value(value, effects);
        let value = match op {
            Some(op) => self.updated(&target, op, value, at),
            None => value,
        };
        match &target {
            Target::Variable(..) | Target::Text(..) | Target::Outside(..) => {
                effects.before.push(Step::Set(target.clone(), value, span));
                target.read()
            }
            Target::Seen(inner, ..) if matches!(**inner, Target::Variable(..)) => {
                effects.before.push(Step::Set(target.clone(), value, span));
                target.read()
            }
            Target::Element(..) | Target::Seen(..) | Target::Kept(..) | Target::InUnion(..) => {
                if matches!((&target, &value), (Target::Element(..), Expr::Int(_) | Expr::Var(_))) {
                    effects.before.push(Step::Set(target.clone(), value.clone(), span));
                    return value;
                }
                if !matches!(target, Target::Kept(..))
                    && target.clone().index().is_some_and(|index| matches!(index, Expr::Int(_) | Expr::Var(_)))
                {
                    effects.before.push(Step::Set(target.clone(), value, span));
                    return target.read();
                }
                // Neither can be evaluated again behind the store.
                let t = self.temporary(span, target.ty());
                effects.before.push(Step::Set(t.clone(), value, span));
                effects.before.push(Step::Set(target.clone(), t.read(), span));
                t.read()
            }
        }
    }

    #[inline(never)]
    pub(super) fn step_value(&mut self, place: &'a Tree, increment: bool, prefix: bool, span: Span, effects: &mut Effects<'a>) -> Expr {
        let op = if increment { TreeOp::Add } else { TreeOp::Sub };
        // What changes the index afterwards must come behind the change of the element.
        let mark = effects.after.len();
        let Some(target) = self.fixed_target(place, effects) else { return Expr::Int(Int::ZERO) };
        if place.ty == self.abi().address() && self.is_pointee(place) || self.counts_elements(place) {
            self.unknown_pointer(place);
        }
        let target = self.with_union_read(target, place.span, effects);
        let target = self.read_once(target, place.span, effects);
        let one = self.converted(Integer::Int, target.ty(), one());
        let new = self.updated(&target, op, one, target.ty().promoted(self.abi()));
        let value = target.read();
        let step = Step::Set(target, new, span);
        if prefix {
            effects.before.push(step);
        } else {
            effects.after.insert(mark, step);
        }
        value
    }

    /// The structure that an expression computes, as an object.
    #[inline(never)]
    pub(super) fn structure_value(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Option<Part> {
        match &e.kind {
            ExprKind::Call(name, arguments) => {
                let function = *self.functions.get(name.text.as_str())?;
                let shape @ Shape::Struct(_) = self.program.functions[function].result.clone() else { return None };
                let part = self.temporary_object(format!("{}.result", name.text), shape, name.span);
                effects.before.push(Step::Call { function, arguments, result: Outcome::Structure(part.clone()), span: e.span });
                Some(part)
            }
            ExprKind::Assign { target, op: None, value, .. } => {
                let to = self.part(target, effects)?;
                if !matches!(to.shape, Shape::Struct(_)) {
                    return None;
                }
                let from = self.part(value, effects)?;
                effects.before.push(Step::Copy(to.clone(), from, e.span));
                Some(to)
            }
            ExprKind::Conditional(_, then, _) => {
                let shape = self.structure_shape(then)?;
                let part = self.temporary_object("value".to_owned(), shape, e.span);
                effects.before.push(Step::ChooseStructure(part.clone(), e));
                Some(part)
            }
            _ => None,
        }
    }

    /// The type of an expression, where that is a structure.
    fn structure_shape(&self, e: &Tree) -> Option<Shape> {
        match &e.kind {
            ExprKind::Conditional(_, value, _) | ExprKind::Comma(_, value) => self.structure_shape(value),
            _ => shape_of(self.program, e).filter(|shape| matches!(shape, Shape::Struct(_))).cloned(),
        }
    }

    // Steps

    /// Carries out steps in order, then goes to `next`.
    pub(super) fn run_steps(&mut self, steps: Vec<Step<'a>>, mut next: Node) -> Node {
        for step in steps.into_iter().rev() {
            next = match step {
                Step::Set(target, value, span) => self.set(&target, value, span, next),
                Step::Copy(to, from, span) => self.copy(&to, &from, span, next),
                Step::Choose(target, e) => self.assign(&target, None, e, e.span, next),
                Step::ChooseStructure(to, e) => self.structure_assignment(&to, e, e.span, Effects::default(), next),
                Step::Effect(e) => self.effect(e, next),
                Step::External(name, arguments, span) => self.external(name, arguments, span, next),
                Step::NodeFromOutside(result, name, span) => self.node_from_outside(result, name, span, next),
                Step::ReadUnion(to, from, span) => self.read_union(&to, &from, span, next),
                Step::Order(e) => self.ordered(e, next),
                Step::Read(target, intrinsic, span) => self.read_into(&target, intrinsic, span, next),
                Step::Scan(e, status) => self.scan_for(e, status, next),
                Step::Point(root, e) => self.point(&root, e, e.span, next),
                Step::Call { function, arguments, result, span } => self.call(function, arguments, result, span, next),
            };
        }
        next
    }

    /// The edge that sets `target`.
    pub(super) fn set(&mut self, target: &Target, value: Expr, span: Span, mut next: Node) -> Node {
        let label = match (target, value) {
            (Target::Variable(variable, ty), Expr::Nondet(range, InputSource::Call)) if range == self.range(*ty) => Label::Havoc(*variable),
            (Target::Variable(variable, _), value) => Label::Assign(*variable, value),
            // A string in the text does not change: to try is undefined (6.4.5p7).
            (Target::Text(array, index, _), value) => Label::Store { array: *array, index: index.clone(), value: unchangeable(value) },
            (Target::Outside(_, array, at), value) => {
                let [index, is_theirs] = &**at;
                let value = Expr::Guarded(Requirement::Changeable, Box::new(is_theirs.clone()), Box::new(value));
                Label::Store { array: *array, index: index.clone(), value }
            }
            (Target::Element(array, index, _), value) if self.literal_arrays.contains(array) => {
                Label::Store { array: *array, index: index.clone(), value: unchangeable(value) }
            }
            (Target::Element(array, index, _), value) => Label::Store { array: *array, index: index.clone(), value },
            (Target::Kept(inner, _), value) => return self.set(inner, value, span, next),
            (Target::InUnion(inner, lasts, part), value) => {
                for (last, number) in lasts.iter().rev() {
                    next = self.set(last, Expr::Int(number.clone()), span, next);
                }
                next = self.set(inner, value, span, next);
                return self.before_written(part, span, next);
            }
            (Target::Seen(inner, _, [own, _]), value) => return self.set(inner, Expr::Convert(*own, Box::new(value)), span, next),
        };
        self.graph.operation(label, span, next)
    }

    /// `value` as it reads behind the steps `after` it: the value of `x++` is then `x - 1`. Where that cannot be said, a
    /// temporary keeps it, set in front of the steps.
    pub(super) fn before_changes(&mut self, value: Expr, after: Vec<Step<'a>>, span: Span) -> (Expr, Vec<Step<'a>>) {
        if after.is_empty() || matches!(value, Expr::Int(_)) {
            return (value, after);
        }
        if let ([Step::Set(Target::Variable(variable, ty), new, _)], Expr::Var(read)) = (after.as_slice(), &value) {
            if read != variable {
                return (value, after);
            }
            if let Some((op, step)) = stepped(new) {
                let back = if op == BinaryOp::Add { BinaryOp::Sub } else { BinaryOp::Add };
                let old = Expr::Binary(back, Box::new(value), Box::new(step));
                // Where the step went around, so does the way back.
                let around = self.range(*ty).filter(|_| !ty.signed(self.abi()) || ty.promoted(self.abi()) != *ty);
                return (around.map_or(old.clone(), |range| self.wrapped(range, old)), after);
            }
        }
        let t = self.temporary(span, Integer::LongLong);
        let mut steps = vec![Step::Set(t.clone(), value, span)];
        steps.extend(after);
        (t.read(), steps)
    }
}

/// The value that a string in the text would get: there is no such execution.
pub(super) fn unchangeable(value: Expr) -> Expr {
    Expr::Guarded(Requirement::Changeable, Box::new(Expr::Int(Int::ZERO)), Box::new(value))
}

/// Whether a pointer is null, by whether it is not.
fn negated(there: Expr) -> Expr {
    match there {
        Expr::Int(_) => Expr::Int(Int::ZERO),
        Expr::Compare(op, a, b) => Expr::Compare(op.negated(), a, b),
        there => Expr::Not(Box::new(there)),
    }
}

/// The operator and the step of `x + 1` and the like, whatever their type.
fn stepped(e: &Expr) -> Option<(BinaryOp, Expr)> {
    match e {
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), _, step) => Some((*op, (**step).clone())),
        Expr::Checked(_, inner) | Expr::Convert(_, inner) => stepped(inner),
        _ => None,
    }
}
