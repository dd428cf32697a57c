//! Expressions that decide, and expressions evaluated for their side effects: edges instead of values.

use super::Lowerer;
use super::expression::{Effects, Outcome, Step, decides, has_nondet, one, short_circuits};
use super::graph::{NOWHERE, Node};
use super::object::{Part, Target};
use crate::lang::ast::{BinaryOp as TreeOp, Expr as Tree, ExprKind, Name, Shape, UnaryOp};
use crate::lang::intrinsic::{self, ErrorKind, Intrinsic};
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::lts::{CompareOp, DecisionText, Expr, FailureKind, InputSource};
use crate::source::Span;
use std::sync::Arc;

impl<'a> Lowerer<'a> {
    /// Splits `e` at its `?:`, `&&`, `||` and commas, and calls `end` for the value on every side.
    pub(super) fn choose(&mut self, e: &'a Tree, end: &mut dyn FnMut(&mut Self, Expr, Effects<'a>) -> Node) -> Node {
        if !self.enter(e.span) {
            self.leave();
            return NOWHERE;
        }
        if let Some(t) = self.evaluated(e) {
            let node = end(self, t.read(), Effects::default());
            self.leave();
            return node;
        }
        let opened = self.opens(e);
        let node = match &e.kind {
            ExprKind::Conditional(condition, then, otherwise) => {
                let fails = self.choose(otherwise, end);
                let holds = self.choose(then, end);
                self.branch(condition, holds, fails)
            }
            ExprKind::Comma(first, second) => {
                let next = self.choose(second, end);
                self.effect(first, next)
            }
            ExprKind::Convert(inner) if decides(inner) => {
                let (from, to) = (inner.ty, e.ty);
                self.choose(inner, &mut |lowerer, value, effects| {
                    let value = lowerer.converted(from, to, value);
                    end(lowerer, value, effects)
                })
            }
            ExprKind::Call(name, arguments) if self.intrinsic(name) == Some(Intrinsic::Absolute) => match &arguments[..] {
                [argument] => self.absolute(argument, e.span, end),
                _ => NOWHERE,
            },
            _ if short_circuits(e) => {
                let fails = end(self, Expr::Int(Int::ZERO), Effects::default());
                let holds = end(self, one(), Effects::default());
                self.branch(e, holds, fails)
            }
            _ => {
                let mut effects = Effects::default();
                let value = self.value(e, &mut effects);
                end(self, value, effects)
            }
        };
        let node = self.closed(opened, e, node);
        self.leave();
        node
    }

    /// `abs`: the value, or what negates it. The decision has the text of the call.
    #[inline(never)]
    fn absolute(&mut self, argument: &'a Tree, call: Span, end: &mut dyn FnMut(&mut Self, Expr, Effects<'a>) -> Node) -> Node {
        let mut effects = Effects::default();
        let value = self.value(argument, &mut effects);
        let t = self.temporary(argument.span, Integer::Int);
        let negated = self.negation(Integer::Int, t.read());
        let holds = end(self, negated, Effects::default());
        let fails = end(self, t.read(), Effects::default());
        let below = Expr::Compare(CompareOp::Lt, Box::new(t.read()), Box::new(Expr::Int(Int::ZERO)));
        let decision = self.graph.decision(below, call, holds, fails);
        let decision = self.graph.of_library(decision);
        let after = self.run_steps(effects.after, decision);
        let set = self.set(&t, value, argument.span, after);
        let set = self.graph.of_library(set);
        self.run_steps(effects.before, set)
    }

    /// `target = e` or `target op= e`, computed in a type: one edge on every side of the decisions in `e`.
    pub(super) fn assign(&mut self, target: &Target, op: Option<(TreeOp, Integer)>, e: &'a Tree, span: Span, next: Node) -> Node {
        if let (None, Some(intrinsic)) = (op, self.read_to(target, e)) {
            return self.read_into(target, intrinsic, span, next);
        }
        self.choose(e, &mut |lowerer, value, effects| {
            let value = match op {
                None => value,
                Some((op, at)) => lowerer.updated(target, op, value, at),
            };
            let after = lowerer.run_steps(effects.after, next);
            let set = lowerer.set(target, value, span, after);
            lowerer.run_steps(effects.before, set)
        })
    }

    /// A node of the decision that stands in the text as this comparison of this condition; inlined copies have the same number.
    pub(super) fn decision(&mut self, of: (&'a Tree, usize), condition: Expr, span: Span, holds: Node, fails: Node) -> Node {
        let next = self.decisions.len() as u32;
        let number = *self.decisions.entry((std::ptr::from_ref(of.0), of.1)).or_insert(next);
        let negation = self.negation.take();
        if number == next {
            self.written.push(DecisionText { callee: self.callee_of(of.0), ..written(of.0, negation) });
        }
        self.graph.numbered(number, condition, span, holds, fails)
    }

    /// Says that this decision of a `switch` is on the label at the span.
    /// The function whose address a choice among functions compares with: all of it stands where the callee does.
    fn callee_of(&self, condition: &Tree) -> Option<Arc<str>> {
        let ExprKind::Binary(TreeOp::Eq, callee, address) = &condition.kind else { return None };
        let ExprKind::Int(number) = &address.kind else { return None };
        let is_choice = address.span == condition.span && callee.span == condition.span;
        let at = number.to_i64().filter(|_| is_choice)?;
        self.program.addressed.get(usize::try_from(at).ok()?.checked_sub(1)?).map(|name| name.as_str().into())
    }

    pub(super) fn label_written(&mut self, of: (&'a Tree, usize), span: Span) {
        let number = self.decisions.get(&(std::ptr::from_ref(of.0), of.1)).copied();
        if let Some(written) = number.and_then(|number| self.written.get_mut(number as usize)) {
            written.label = Some(span);
        }
    }

    /// The decision on a whole condition, with the negation around it.
    fn condition(&mut self, e: &'a Tree, negation: Option<&'a Tree>, condition: Expr, holds: Node, fails: Node) -> Node {
        self.negation = negation;
        self.decision((e, 0), condition, e.span, holds, fails)
    }

    /// A decision: goes to `holds` where `e` is not zero, else to `fails`.
    pub(super) fn branch(&mut self, e: &'a Tree, holds: Node, fails: Node) -> Node {
        #[cfg(feature = "files")]
        self.whole.root(e);
        self.operand(e, holds, fails)
    }

    /// As [`Lowerer::branch`], of a part of a decision.
    fn operand(&mut self, e: &'a Tree, holds: Node, fails: Node) -> Node {
        if !self.enter(e.span) {
            self.leave();
            return NOWHERE;
        }
        let opened = self.opens(e);
        let negation = self.negation.take();
        let node = match &e.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => {
                self.negation = negation.or(Some(e));
                self.operand(inner, fails, holds)
            }
            ExprKind::Convert(inner) if self.keeps_truth(inner.ty, e.ty) => {
                self.negation = negation;
                self.operand(inner, holds, fails)
            }
            ExprKind::Name(_) if let Some(there) = self.not_null(e) => self.condition(e, negation, there, holds, fails),
            ExprKind::Call(..) | ExprKind::Assign { .. } if e.ty == self.abi().address() => {
                let mut effects = Effects::default();
                let condition = match self.given_test(e, &mut effects) {
                    Some(there) => there,
                    None => self.value(e, &mut effects),
                };
                let fails = self.run_steps(effects.after.clone(), fails);
                let holds = self.run_steps(effects.after, holds);
                let decision = self.condition(e, negation, condition, holds, fails);
                self.run_steps(effects.before, decision)
            }
            ExprKind::And(left, right) => {
                let second = self.operand(right, holds, fails);
                self.operand(left, second, fails)
            }
            ExprKind::Or(left, right) => {
                let second = self.operand(right, holds, fails);
                self.operand(left, holds, second)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let no = self.operand(otherwise, holds, fails);
                let yes = self.operand(then, holds, fails);
                self.operand(condition, yes, no)
            }
            ExprKind::Comma(first, second) => {
                let next = self.operand(second, holds, fails);
                self.effect(first, next)
            }
            _ => {
                let mut effects = Effects::default();
                let condition = self.value(e, &mut effects);
                let fails = self.run_steps(effects.after.clone(), fails);
                let holds = self.run_steps(effects.after, holds);
                let decision = self.condition(e, negation, condition, holds, fails);
                self.run_steps(effects.before, decision)
            }
        };
        let node = self.closed(opened, e, node);
        self.leave();
        node
    }

    /// What an opened expression begins with.
    fn closed(&mut self, opened: bool, e: &'a Tree, node: Node) -> Node {
        if !opened {
            return node;
        }
        self.close(e);
        self.ordered(e, node)
    }

    /// Evaluates `e` for its side effects.
    pub(super) fn effect(&mut self, e: &'a Tree, next: Node) -> Node {
        if !self.enter(e.span) {
            self.leave();
            return NOWHERE;
        }
        let opened = self.opens(e);
        let node = if self.evaluated(e).is_some() { next } else { self.effect_inner(e, next) };
        let node = self.closed(opened, e, node);
        self.leave();
        node
    }

    /// Whether this is a pointer to `void` that the caller of the function itself passes: it has a value, which nothing here can be read through.
    fn is_callers_void(&self, e: &Tree) -> bool {
        let ExprKind::Name(Name { decl: Some(decl), .. }) = &e.kind else { return false };
        let is_void = matches!(&self.program.decl(*decl).shape, Shape::Pointer(inner) if **inner == Shape::Void);
        is_void && self.frames[0].function.parameters.iter().any(|parameter| parameter.decl == *decl)
    }

    fn effect_inner(&mut self, e: &'a Tree, next: Node) -> Node {
        match &e.kind {
            ExprKind::Assign { target, op, value, at } => self.assignment(target, op.map(|op| (op, *at)), value, e.span, next),
            // The value is dropped, so before and after are the same.
            ExprKind::Step { target, increment, .. } => {
                let mut effects = Effects::default();
                if self.stepped_pointee(target, *increment, true, e.span, &mut effects).is_some() {
                    return self.run_steps(effects.before, next);
                }
                self.step_value(target, *increment, true, e.span, &mut effects);
                let after = self.run_steps(effects.after, next);
                self.run_steps(effects.before, after)
            }
            ExprKind::Cast(_, inner) | ExprKind::Convert(inner) => self.effect(inner, next),
            ExprKind::Name(_)
                if matches!(self.shape_of_name(e), Some(shape) if shape.integer(self.abi()).is_none())
                    || self.is_pointee(e)
                    || self.is_callers_void(e) =>
            {
                next
            }
            ExprKind::Call(name, arguments) if !intrinsic::is_own(&name.text) => self.call_effect(name, arguments, e.span, next),
            ExprKind::AddressOf(_) | ExprKind::Binary(..) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_)
                if (e.ty == self.abi().address() || !matches!(e.kind, ExprKind::Binary(..)))
                    && self.object_pointee(e, &mut Effects::default()).is_some() =>
            {
                let mut effects = Effects::default();
                self.object_pointee(e, &mut effects);
                let after = self.run_steps(effects.after, next);
                self.run_steps(effects.before, after)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let fails = self.effect(otherwise, next);
                let holds = self.effect(then, next);
                self.branch(condition, holds, fails)
            }
            ExprKind::And(left, right) => {
                let holds = self.effect(right, next);
                self.branch(left, holds, next)
            }
            ExprKind::Or(left, right) => {
                let fails = self.effect(right, next);
                self.branch(left, next, fails)
            }
            ExprKind::Comma(first, second) => {
                let next = self.effect(second, next);
                self.effect(first, next)
            }
            _ => {
                let mut effects = Effects::default();
                let value = self.value(e, &mut effects);
                let mut next = self.run_steps(effects.after, next);
                if has_nondet(&value) || value.can_be_undefined(&self.arrays) {
                    // The program drops the value but evaluates it: the values of later `nondet()`s must not move, and no execution goes on
                    // from what is undefined.
                    let t = self.temporary(e.span, e.ty);
                    next = self.set(&t, value, e.span, next);
                }
                self.run_steps(effects.before, next)
            }
        }
    }

    #[inline(never)]
    fn assignment(&mut self, place: &'a Tree, op: Option<(TreeOp, Integer)>, value: &'a Tree, span: Span, next: Node) -> Node {
        if let ExprKind::Name(_) = &place.kind
            && matches!(self.shape_of_name(place), Some(Shape::Pointer(_)))
        {
            return self.pointer_assignment(place, op.map(|(op, _)| op), value, span, next);
        }
        let mut effects = Effects::default();
        let Some(part) = self.part(place, &mut effects) else {
            self.unknown_pointer(place);
            return NOWHERE;
        };
        if let Shape::Struct(_) = part.shape {
            return self.structure_assignment(&part, value, span, effects, next);
        }
        let Some(mut target) = self.target(&part).and_then(|target| self.seen(target, place.ty)) else {
            self.unknown_pointer(place);
            return NOWHERE;
        };
        target = self.seen_outside(place, target);
        target = self.with_old_value(target, op.map(|(op, _)| op), place);
        if op.is_some() {
            target = self.with_union_read(target, place.span, &mut effects);
        }
        if let Target::Variable(..) = target
            && effects.before.is_empty()
            && effects.after.is_empty()
        {
            return self.assign(&target, op, value, span, next);
        }
        if let (Some(index), true) = (target.index(), op.is_some() || self.has_steps(value))
            && has_nondet(index)
        {
            let t = self.temporary(place.span, Integer::LongLong);
            effects.before.push(Step::Set(t.clone(), std::mem::replace(index, t.read()), place.span));
        }
        if self.has_steps(value) {
            let after = self.run_steps(effects.after, next);
            let set = self.assign(&target, op, value, span, after);
            return self.run_steps(effects.before, set);
        }
        // One edge: what changes afterwards changes in the order of the text.
        let value = self.value(value, &mut effects);
        let value = match op {
            Some((op, at)) => self.updated(&target, op, value, at),
            None => value,
        };
        let after = self.run_steps(effects.after, next);
        let set = self.set(&target, value, span, after);
        self.run_steps(effects.before, set)
    }

    #[inline(never)]
    pub(super) fn structure_assignment(&mut self, to: &Part, value: &'a Tree, span: Span, mut effects: Effects<'a>, next: Node) -> Node {
        if let ExprKind::Conditional(condition, then, otherwise) = &value.kind {
            let fails = self.structure_assignment(to, otherwise, span, Effects::default(), next);
            let holds = self.structure_assignment(to, then, span, Effects::default(), next);
            let node = self.branch(condition, holds, fails);
            return self.run_steps(effects.before, node);
        }
        let Some(from) = self.part(value, &mut effects) else {
            self.unknown_pointer(value);
            return NOWHERE;
        };
        let after = self.run_steps(effects.after, next);
        let copied = self.copy(to, &from, span, after);
        self.run_steps(effects.before, copied)
    }

    /// The pointer variable of this name gets a value: a number, since what it points to is not followed.
    #[inline(never)]
    fn pointer_assignment(&mut self, place: &'a Tree, op: Option<TreeOp>, value: &'a Tree, span: Span, next: Node) -> Node {
        if self.moving_index(place).is_some() {
            return self.move_pointer(place, op, value, span, next);
        }
        if let (ExprKind::Name(Name { decl: Some(decl), .. }), None) = (&place.kind, op) {
            let root = self.root(*decl);
            if self.moving_pointers.contains(&root) {
                return self.point(&root, value, span, next);
            }
        }
        let mut effects = Effects::default();
        let target = self.part(place, &mut effects).and_then(|part| self.target(&part));
        let (Some(target), None, false) = (target, op, self.is_pointee(place)) else {
            self.steps_away(place);
            self.unknown_pointer(place);
            return NOWHERE;
        };
        self.assign(&target, None, value, span, next)
    }

    #[inline(never)]
    fn call_effect(&mut self, name: &'a Name, arguments: &'a [Tree], span: Span, next: Node) -> Node {
        match (self.intrinsic(name), arguments) {
            (Some(Intrinsic::Nondet(ty)), _) => {
                let ty = ty.of(self.abi());
                let t = self.temporary(span, ty);
                let value = self.arbitrary(ty);
                self.set(&t, value, span, next)
            }
            (Some(Intrinsic::Random), _) => {
                let t = self.temporary(span, Integer::Int);
                self.set(&t, Expr::Nondet(Some(self.abi().random()), InputSource::External("rand()".into())), span, next)
            }
            (Some(intrinsic @ (Intrinsic::GetCharacter | Intrinsic::Letter)), _) => {
                let t = self.read_result(intrinsic, span);
                self.read_into(&t, intrinsic, span, next)
            }
            (Some(Intrinsic::NoWord), _) => self.without_word(next),
            (Some(Intrinsic::EndOfFile | Intrinsic::ReadError), _) => next,
            (Some(Intrinsic::ClearIndicators), _) => self.clear_indicators(span, next),
            (Some(Intrinsic::Assume), [condition]) => self.branch(condition, next, NOWHERE),
            (Some(Intrinsic::Assert(kind)), [condition]) => {
                let error = self.graph.error(failure(kind), span);
                self.branch(condition, next, error)
            }
            (Some(Intrinsic::Error(kind)), _) => self.graph.error(failure(kind), span),
            (Some(Intrinsic::Exit), [value]) => self.exit_with(value),
            (Some(Intrinsic::Unreachable(why)), _) => {
                let t = self.temporary(span, Integer::Int);
                self.set(&t, super::arithmetic::unreachable(why), span, next)
            }
            (Some(Intrinsic::Scan), [format, targets @ ..]) => self.scan(format, targets, None, span, next),
            (Some(Intrinsic::SetObject), [to, Tree { kind: ExprKind::Int(byte), .. }, Tree { kind: ExprKind::Int(count), .. }]) => {
                self.set_objects(to, byte, count, span, next)
            }
            (Some(Intrinsic::CopyObject), [to, from, Tree { kind: ExprKind::Int(count), .. }]) => {
                self.copy_objects(to, from, count, span, next)
            }
            (Some(Intrinsic::Bytes), _) => self.on_bytes(span, next),
            (Some(Intrinsic::PrintOpen), _) => {
                let printed = self.print_open(span, next);
                self.arguments_only(arguments, printed)
            }
            (Some(intrinsic), _) if intrinsic.prints() => self.print(intrinsic, arguments, span, next),
            (Some(_), _) => self.arguments_only(arguments, next),
            (None, _) if self.number_in_argument(name, arguments).is_some() => self.arguments_only(arguments, next),
            (None, _) => match self.functions.get(name.text.as_str()).copied() {
                Some(function) => self.call(function, arguments, Outcome::Dropped, span, next),
                None => {
                    let written = self.external(&name.text, arguments, span, next);
                    if name.text == intrinsic::APPROXIMATED {
                        // An edge of its own, also where nothing is written.
                        let t = self.temporary(span, Integer::LongLong);
                        let value = Expr::Nondet(self.range(Integer::LongLong), InputSource::Approximated);
                        return self.set(&t, value, span, written);
                    }
                    self.arguments_only(arguments, written)
                }
            },
        }
    }

    /// Arguments that are evaluated for their side effects.
    fn arguments_only(&mut self, arguments: &'a [Tree], next: Node) -> Node {
        let numbers = arguments.iter().filter(|argument| !matches!(argument.kind, ExprKind::Str(_) | ExprKind::AddressOf(_)));
        numbers.rev().fold(next, |next, e| self.effect(e, next))
    }
}

/// Whether a call stands for an expression that binds less than a call.
fn is_comparison(name: &str) -> bool {
    [intrinsic::APPROXIMATED, intrinsic::SAME_ELEMENT, intrinsic::OTHER_ELEMENT].contains(&name)
}

/// How the text has a condition.
fn written(condition: &Tree, negation: Option<&Tree>) -> DecisionText {
    let outer = negation.unwrap_or(condition);
    let (mut inner, mut negations) = (outer, 0);
    let mut operand = None;
    while !std::ptr::eq(inner, condition) {
        match &inner.kind {
            ExprKind::Unary(UnaryOp::Not, next) => {
                operand = operand.or(Some(next.span));
                negations += 1;
                inner = next;
            }
            ExprKind::Convert(next) => inner = next,
            _ => break,
        }
    }
    let is_compound = matches!(
        outer.unconverted().kind,
        ExprKind::Binary(..)
            | ExprKind::Assign { .. }
            | ExprKind::Conditional(..)
            | ExprKind::Comma(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
    ) || matches!(outer.kind, ExprKind::Convert(_))
        // The text has a comparison, or any expression, in the place of this call.
        || matches!(&outer.unconverted().kind, ExprKind::Call(name, _) if is_comparison(&name.text));
    let expansion = outer.expansion.clone().or_else(|| outer.unconverted().expansion.clone());
    DecisionText {
        span: outer.span,
        operand,
        is_flipped: negations % 2 == 1,
        is_compound,
        expansion,
        label: None,
        callee: None,
        #[cfg(feature = "files")]
        wholes: Vec::new(),
    }
}

/// What leads to the error location.
fn failure(kind: ErrorKind) -> FailureKind {
    match kind {
        ErrorKind::Assertion => FailureKind::Assertion,
        ErrorKind::Abort => FailureKind::Abort,
        ErrorKind::ErrorCall => FailureKind::ErrorCall,
    }
}
