//! Expressions: a value without side effects, and steps before and after it.
//!
//! | in the text | becomes |
//! |---|---|
//! | `x = e`, `++x` inside an expression | a step before, then the value `x` |
//! | `x++` | the value `x`, then a step after the edge that uses it (after a decision: on both sides) |
//! | `f(e)` | steps before: bind, body, result; then the value `f.result` |
//! | `a && b`, `c ? a : b` inside a larger expression | a step before that sets a temporary on every side |
//!
//! At sequence points the steps after are flushed. Where C leaves an order open, operands go from left to right, so
//! that the values of `nondet()` keep the order of the text.

use super::Lowerer;
use super::graph::{ERROR, NOWHERE, Node};
use crate::lang::ast::{BinaryOp as TreeOp, Expr as Tree, ExprKind, Name, Place, UnaryOp};
use crate::lang::intrinsic::{self, Intrinsic};
use crate::logic::Int;
use crate::lts::{ArrayId, BinaryOp, CompareOp, Expr, Label, VariableId};
use crate::source::Span;

/// Something that happens before or after a value is used.
#[derive(Clone)]
pub(super) enum Step<'a> {
    Assign(VariableId, Expr, Span),
    Store(ArrayId, Expr, Expr, Span),
    /// Sets the variable to an expression that decides on the way.
    Choose(VariableId, &'a Tree),
    /// Evaluates for the side effects only.
    Effect(&'a Tree),
    Call {
        function: usize,
        arguments: &'a [Tree],
        result: VariableId,
        span: Span,
    },
}

/// The side effects of a value.
#[derive(Default)]
pub(super) struct Effects<'a> {
    pub before: Vec<Step<'a>>,
    pub after: Vec<Step<'a>>,
}

/// What an assignment changes.
#[derive(Clone)]
pub(super) enum Target {
    Variable(VariableId),
    Element(ArrayId, Expr),
}

fn one() -> Expr {
    Expr::Int(Int::ONE)
}

fn has_nondet(e: &Expr) -> bool {
    match e {
        Expr::Nondet => true,
        Expr::Int(_) | Expr::Var(_) => false,
        Expr::Read(_, a) | Expr::Neg(a) | Expr::Not(a) => has_nondet(a),
        Expr::Binary(_, a, b) | Expr::Compare(_, a, b) => has_nondet(a) || has_nondet(b),
    }
}

/// Whether the expression is made of `&&`, `||` and their negation, so that its value comes from decisions.
fn short_circuits(e: &Tree) -> bool {
    match &e.kind {
        ExprKind::And(..) | ExprKind::Or(..) => true,
        ExprKind::Unary(UnaryOp::Not, inner) => short_circuits(inner),
        _ => false,
    }
}

/// Whether evaluating the expression needs steps of its own.
fn has_steps(e: &Tree) -> bool {
    let mut found = match &e.kind {
        ExprKind::Call(name, _) => intrinsic::find(&name.text) != Some(Intrinsic::Nondet),
        ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Conditional(..) | ExprKind::Comma(..) | ExprKind::Assign(..) => true,
        _ => false,
    };
    e.kind.children(&mut |child| found = found || has_steps(child));
    found
}

fn binary(op: TreeOp, a: Expr, b: Expr) -> Expr {
    let (a, b) = (Box::new(a), Box::new(b));
    match op {
        TreeOp::Add => Expr::Binary(BinaryOp::Add, a, b),
        TreeOp::Sub => Expr::Binary(BinaryOp::Sub, a, b),
        TreeOp::Mul => Expr::Binary(BinaryOp::Mul, a, b),
        TreeOp::Div => Expr::Binary(BinaryOp::Div, a, b),
        TreeOp::Rem => Expr::Binary(BinaryOp::Rem, a, b),
        TreeOp::Lt => Expr::Compare(CompareOp::Lt, a, b),
        TreeOp::Le => Expr::Compare(CompareOp::Le, a, b),
        TreeOp::Gt => Expr::Compare(CompareOp::Gt, a, b),
        TreeOp::Ge => Expr::Compare(CompareOp::Ge, a, b),
        TreeOp::Eq => Expr::Compare(CompareOp::Eq, a, b),
        TreeOp::Ne => Expr::Compare(CompareOp::Ne, a, b),
    }
}

impl<'a> Lowerer<'a> {
    // Values

    /// The value of `e`; what happens before and after its use goes to `effects`.
    pub(super) fn value(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Expr {
        if !self.enter(e.span) {
            self.leave();
            return Expr::Int(Int::ZERO);
        }
        let value = self.value_inner(e, effects);
        self.leave();
        value
    }

    fn value_inner(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Expr {
        if short_circuits(e) {
            return self.chosen(e, effects);
        }
        match &e.kind {
            ExprKind::Int(value) => Expr::Int(value.clone()),
            ExprKind::Str | ExprKind::Error => Expr::Int(Int::ZERO),
            ExprKind::Name(name) => self.read(name.decl),
            ExprKind::Index(name, index) => {
                let index = self.value(index, effects);
                self.element(name, index)
            }
            ExprKind::Unary(op, operand) => {
                let value = self.value(operand, effects);
                match op {
                    UnaryOp::Plus => value,
                    UnaryOp::Not => Expr::Not(Box::new(value)),
                    UnaryOp::Neg => match value {
                        // A negative constant, not a computation.
                        Expr::Int(number) => Expr::Int(-number),
                        value => Expr::Neg(Box::new(value)),
                    },
                }
            }
            ExprKind::Binary(op, left, right) => {
                let mut left_value = self.value(left, effects);
                let mark = effects.before.len();
                let right_value = self.value(right, effects);
                // Steps of the right side must not overtake a `nondet()` of the left.
                if effects.before.len() > mark && has_nondet(&left_value) {
                    let t = self.temporary(left.span);
                    effects.before.insert(mark, Step::Assign(t, left_value, left.span));
                    left_value = Expr::Var(t);
                }
                binary(*op, left_value, right_value)
            }
            ExprKind::Conditional(..) => self.chosen(e, effects),
            ExprKind::And(..) | ExprKind::Or(..) => self.chosen(e, effects),
            ExprKind::Comma(first, second) => {
                effects.before.push(Step::Effect(first));
                self.value(second, effects)
            }
            ExprKind::Assign(place, op, value) => self.assignment_value(place, *op, value, e.span, effects),
            ExprKind::Step { place, increment, prefix } => self.step_value(place, *increment, *prefix, e.span, effects),
            ExprKind::Call(name, arguments) => self.call_value(name, arguments, e, effects),
        }
    }

    fn element(&mut self, name: &Name, index: Expr) -> Expr {
        match name.decl {
            Some(decl) => Expr::Read(self.array(decl), Box::new(index)),
            None => Expr::Int(Int::ZERO),
        }
    }

    /// The value of an expression that decides, through a temporary.
    fn chosen(&mut self, e: &'a Tree, effects: &mut Effects<'a>) -> Expr {
        let t = self.temporary(e.span);
        effects.before.push(Step::Choose(t, e));
        Expr::Var(t)
    }

    /// The index of an assigned element. It is used twice, so an arbitrary one is fixed first.
    fn fixed_index(&mut self, index: &'a Tree, effects: &mut Effects<'a>) -> Expr {
        let value = self.value(index, effects);
        if !has_nondet(&value) {
            return value;
        }
        let t = self.temporary(index.span);
        effects.before.push(Step::Assign(t, value, index.span));
        Expr::Var(t)
    }

    fn assignment_value(&mut self, place: &'a Place, op: Option<TreeOp>, value: &'a Tree, span: Span, effects: &mut Effects<'a>) -> Expr {
        match place {
            Place::Variable(name) => {
                let Some(variable) = name.decl.map(|decl| self.scalar(decl)) else { return Expr::Int(Int::ZERO) };
                match op {
                    None if short_circuits(value) || matches!(value.kind, ExprKind::Conditional(..)) => {
                        effects.before.push(Step::Choose(variable, value));
                    }
                    _ => {
                        let value = self.value(value, effects);
                        let value = op.map_or(value.clone(), |op| binary(op, Expr::Var(variable), value));
                        effects.before.push(Step::Assign(variable, value, span));
                    }
                }
                Expr::Var(variable)
            }
            Place::Element(name, index) => {
                let Some(array) = name.decl.map(|decl| self.array(decl)) else { return Expr::Int(Int::ZERO) };
                let index = self.fixed_index(index, effects);
                let value = self.value(value, effects);
                let value = op.map_or(value.clone(), |op| binary(op, Expr::Read(array, Box::new(index.clone())), value));
                if matches!(value, Expr::Int(_) | Expr::Var(_)) {
                    effects.before.push(Step::Store(array, index, value.clone(), span));
                    return value;
                }
                if matches!(index, Expr::Int(_) | Expr::Var(_)) {
                    effects.before.push(Step::Store(array, index.clone(), value, span));
                    return Expr::Read(array, Box::new(index));
                }
                // Neither can be evaluated again behind the store.
                let t = self.temporary(span);
                effects.before.push(Step::Assign(t, value, span));
                effects.before.push(Step::Store(array, index, Expr::Var(t), span));
                Expr::Var(t)
            }
        }
    }

    fn step_value(&mut self, place: &'a Place, increment: bool, prefix: bool, span: Span, effects: &mut Effects<'a>) -> Expr {
        let op = if increment { TreeOp::Add } else { TreeOp::Sub };
        // What changes the index afterwards must come behind the change of the element.
        let mark = effects.after.len();
        let (value, step) = match place {
            Place::Variable(name) => {
                let Some(variable) = name.decl.map(|decl| self.scalar(decl)) else { return Expr::Int(Int::ZERO) };
                (Expr::Var(variable), Step::Assign(variable, binary(op, Expr::Var(variable), one()), span))
            }
            Place::Element(name, index) => {
                let Some(array) = name.decl.map(|decl| self.array(decl)) else { return Expr::Int(Int::ZERO) };
                let index = self.fixed_index(index, effects);
                let value = Expr::Read(array, Box::new(index.clone()));
                (value.clone(), Step::Store(array, index, binary(op, value, one()), span))
            }
        };
        if prefix {
            effects.before.push(step);
        } else {
            effects.after.insert(mark, step);
        }
        value
    }

    fn call_value(&mut self, name: &'a Name, arguments: &'a [Tree], e: &'a Tree, effects: &mut Effects<'a>) -> Expr {
        match intrinsic::find(&name.text) {
            Some(Intrinsic::Nondet) => return Expr::Nondet,
            Some(_) => {
                effects.before.push(Step::Effect(e));
                return Expr::Int(Int::ZERO);
            }
            None => {}
        }
        match self.functions.get(name.text.as_str()).copied() {
            Some(function) => {
                let result = self.variable(format!("{}.result", name.text), crate::lts::Origin::Inlined, name.span, None);
                effects.before.push(Step::Call { function, arguments, result, span: e.span });
                Expr::Var(result)
            }
            // Only declared: its arguments are evaluated, its result is arbitrary.
            None => {
                effects.before.extend(arguments.iter().map(Step::Effect));
                Expr::Nondet
            }
        }
    }

    // Steps

    /// Carries out steps in order, then goes to `next`.
    pub(super) fn run_steps(&mut self, steps: Vec<Step<'a>>, mut next: Node) -> Node {
        for step in steps.into_iter().rev() {
            next = match step {
                Step::Assign(variable, value, span) => self.set(&Target::Variable(variable), value, span, next),
                Step::Store(array, index, value, span) => self.set(&Target::Element(array, index), value, span, next),
                Step::Choose(variable, e) => self.assign(&Target::Variable(variable), None, e, e.span, next),
                Step::Effect(e) => self.effect(e, next),
                Step::Call { function, arguments, result, span } => self.call(function, arguments, Some(result), span, next),
            };
        }
        next
    }

    /// The edge that sets `target`.
    fn set(&mut self, target: &Target, value: Expr, span: Span, next: Node) -> Node {
        let label = match (target, value) {
            (Target::Variable(variable), Expr::Nondet) => Label::Havoc(*variable),
            (Target::Variable(variable), value) => Label::Assign(*variable, value),
            (Target::Element(array, index), value) => Label::Store { array: *array, index: index.clone(), value },
        };
        self.graph.operation(label, span, next)
    }

    /// `value` as it reads behind the steps `after` it: the value of `x++` is then `x - 1`. Where that cannot be said, a
    /// temporary keeps it, set in front of the steps.
    pub(super) fn before_changes(&mut self, value: Expr, after: Vec<Step<'a>>, span: Span) -> (Expr, Vec<Step<'a>>) {
        if after.is_empty() || matches!(value, Expr::Int(_)) {
            return (value, after);
        }
        if let ([Step::Assign(variable, Expr::Binary(op, _, step), _)], Expr::Var(read)) = (after.as_slice(), &value) {
            if read == variable {
                let back = if *op == BinaryOp::Add { BinaryOp::Sub } else { BinaryOp::Add };
                return (Expr::Binary(back, Box::new(value), step.clone()), after);
            }
            return (value, after);
        }
        let t = self.temporary(span);
        let mut steps = vec![Step::Assign(t, value, span)];
        steps.extend(after);
        (Expr::Var(t), steps)
    }

    // Control

    /// Splits `e` at its `?:`, `&&`, `||` and commas, and calls `end` for the value on every side.
    pub(super) fn choose(&mut self, e: &'a Tree, end: &mut dyn FnMut(&mut Self, Expr, Effects<'a>) -> Node) -> Node {
        if !self.enter(e.span) {
            self.leave();
            return NOWHERE;
        }
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
        self.leave();
        node
    }

    /// `target = e` or `target op= e`: one edge on every side of the decisions in `e`.
    pub(super) fn assign(&mut self, target: &Target, op: Option<TreeOp>, e: &'a Tree, span: Span, next: Node) -> Node {
        self.choose(e, &mut |lowerer, value, effects| {
            let value = match (op, target) {
                (None, _) => value,
                (Some(op), Target::Variable(variable)) => binary(op, Expr::Var(*variable), value),
                (Some(op), Target::Element(array, index)) => binary(op, Expr::Read(*array, Box::new(index.clone())), value),
            };
            let after = lowerer.run_steps(effects.after, next);
            let set = lowerer.set(target, value, span, after);
            lowerer.run_steps(effects.before, set)
        })
    }

    /// A decision: goes to `holds` where `e` is not zero, else to `fails`.
    pub(super) fn branch(&mut self, e: &'a Tree, holds: Node, fails: Node) -> Node {
        if !self.enter(e.span) {
            self.leave();
            return NOWHERE;
        }
        let node = match &e.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.branch(inner, fails, holds),
            ExprKind::And(left, right) => {
                let second = self.branch(right, holds, fails);
                self.branch(left, second, fails)
            }
            ExprKind::Or(left, right) => {
                let second = self.branch(right, holds, fails);
                self.branch(left, holds, second)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let no = self.branch(otherwise, holds, fails);
                let yes = self.branch(then, holds, fails);
                self.branch(condition, yes, no)
            }
            ExprKind::Comma(first, second) => {
                let next = self.branch(second, holds, fails);
                self.effect(first, next)
            }
            _ => {
                let mut effects = Effects::default();
                let condition = self.value(e, &mut effects);
                let fails = self.run_steps(effects.after.clone(), fails);
                let holds = self.run_steps(effects.after, holds);
                let decision = self.graph.decision(condition, e.span, holds, fails);
                self.run_steps(effects.before, decision)
            }
        };
        self.leave();
        node
    }

    /// Evaluates `e` for its side effects.
    pub(super) fn effect(&mut self, e: &'a Tree, next: Node) -> Node {
        if !self.enter(e.span) {
            self.leave();
            return NOWHERE;
        }
        let node = self.effect_inner(e, next);
        self.leave();
        node
    }

    fn effect_inner(&mut self, e: &'a Tree, next: Node) -> Node {
        match &e.kind {
            ExprKind::Assign(place, op, value) => self.assignment(place, *op, value, e.span, next),
            // The value is dropped, so before and after are the same.
            ExprKind::Step { place, increment, .. } => {
                let mut effects = Effects::default();
                self.step_value(place, *increment, true, e.span, &mut effects);
                let after = self.run_steps(effects.after, next);
                self.run_steps(effects.before, after)
            }
            ExprKind::Call(name, arguments) => self.call_effect(name, arguments, e.span, next),
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
                if has_nondet(&value) {
                    // Dropped, but drawn: the values of later `nondet()`s must not move.
                    let t = self.temporary(e.span);
                    next = self.set(&Target::Variable(t), value, e.span, next);
                }
                self.run_steps(effects.before, next)
            }
        }
    }

    fn assignment(&mut self, place: &'a Place, op: Option<TreeOp>, value: &'a Tree, span: Span, next: Node) -> Node {
        match place {
            Place::Variable(name) => match name.decl.map(|decl| self.scalar(decl)) {
                Some(variable) => self.assign(&Target::Variable(variable), op, value, span, next),
                None => next,
            },
            Place::Element(name, index) => {
                let Some(array) = name.decl.map(|decl| self.array(decl)) else { return next };
                let mut effects = Effects::default();
                let index =
                    if op.is_some() || has_steps(value) { self.fixed_index(index, &mut effects) } else { self.value(index, &mut effects) };
                if has_steps(value) {
                    let after = self.run_steps(effects.after, next);
                    let set = self.assign(&Target::Element(array, index), op, value, span, after);
                    return self.run_steps(effects.before, set);
                }
                // One edge: what changes afterwards changes in the order of the text.
                let value = self.value(value, &mut effects);
                let value = match op {
                    Some(op) => binary(op, Expr::Read(array, Box::new(index.clone())), value),
                    None => value,
                };
                let after = self.run_steps(effects.after, next);
                let set = self.set(&Target::Element(array, index), value, span, after);
                self.run_steps(effects.before, set)
            }
        }
    }

    fn call_effect(&mut self, name: &'a Name, arguments: &'a [Tree], span: Span, next: Node) -> Node {
        match (intrinsic::find(&name.text), arguments) {
            (Some(Intrinsic::Nondet), _) => {
                let t = self.temporary(span);
                self.set(&Target::Variable(t), Expr::Nondet, span, next)
            }
            (Some(Intrinsic::Assume), [condition]) => self.branch(condition, next, NOWHERE),
            (Some(Intrinsic::Assert), [condition]) => self.branch(condition, next, ERROR),
            (Some(Intrinsic::Error), _) => ERROR,
            (Some(Intrinsic::Exit), [value]) => self.exit_with(value),
            (Some(_), _) => next,
            (None, _) => match self.functions.get(name.text.as_str()).copied() {
                Some(function) => self.call(function, arguments, None, span, next),
                None => arguments.iter().rev().fold(next, |next, e| self.effect(e, next)),
            },
        }
    }
}
