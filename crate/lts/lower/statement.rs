//! Statements, backwards: each takes the node after it and gives the node where it starts.

use super::expression::{Effects, Step};
use super::graph::{NOWHERE, Node};
use super::object::{Root, Target};
use super::{IntegerModel, Lowerer, Return};
use crate::lang::ast::{Constant, Expr as Tree, ExprKind, Function, Shape, Stmt, StmtKind};
use crate::logic::Int;
use crate::lts::{CompareOp, Expr, Label, Print};
use crate::source::Span;

/// A `switch` being lowered.
pub(super) struct Switch {
    /// The labels inside, the last first: the range of values, where it stands, the node behind it.
    cases: Vec<((Int, Int), Span, Node)>,
    default: Option<Node>,
}

impl<'a> Lowerer<'a> {
    /// A function's body in the current frame.
    pub(super) fn body(&mut self, function: &'a Function) -> Node {
        let end = match self.frame().returns {
            Return::Exit => {
                let value = if function.name.text == "main" { Some(Expr::Int(Int::ZERO)) } else { None };
                let open = function.returns_value() && value.is_none();
                let node = self.graph.exit(value, function.end);
                if open {
                    self.open_ends.push((function, node));
                }
                node
            }
            // C leaves the value open here, so it is arbitrary.
            Return::Scalar { result, next } => {
                let node = self.graph.operation(Label::Havoc(result), function.end, next);
                self.open_ends.push((function, node));
                node
            }
            Return::Structure { next, .. } | Return::Dropped { next } => next,
            Return::Pointer { ref result, next } => {
                let (result, end) = (result.clone(), function.end);
                let node = self.point_anywhere(&result, end, next);
                self.open_ends.push((function, node));
                node
            }
        };
        self.bind_pointers(&function.body);
        self.sequence(&function.body, end)
    }

    fn sequence(&mut self, list: &'a [Stmt], mut next: Node) -> Node {
        for (i, stmt) in list.iter().enumerate().rev() {
            next = self.statement(stmt, next);
            // A `return` behind an endless loop or `abort()` is what compilers ask for; behind a jump it is a mistake.
            let after_jump = i
                .checked_sub(1)
                .and_then(|i| list.get(i))
                .is_some_and(|s| matches!(s.kind, StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue));
            if self.frames.len() == 1 && after_jump && matches!(stmt.kind, StmtKind::Return(_)) {
                self.starts.push((stmt.span, next));
            }
        }
        next
    }

    fn statement(&mut self, stmt: &'a Stmt, next: Node) -> Node {
        if !self.enter(stmt.span) {
            self.leave();
            return NOWHERE;
        }
        let node = self.statement_inner(stmt, next);
        let node = self.passing(stmt, node);
        self.leave();
        let noted = match &stmt.kind {
            StmtKind::Expr(_)
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::Switch { .. } => true,
            StmtKind::Declare(_, list) => list.iter().any(|d| d.init.is_some() && !d.is_static),
            _ => false,
        };
        if noted && self.frames.len() == 1 {
            self.starts.push((stmt.span, node));
        }
        node
    }

    /// The node of a jump or a call, which may have no edge of its own.
    #[inline(never)]
    fn passing(&mut self, stmt: &Stmt, node: Node) -> Node {
        let is_passed = match &stmt.kind {
            StmtKind::Expr(e) => matches!(e.unconverted().kind, ExprKind::Call(..) | ExprKind::CallAt(..)),
            kind => matches!(kind, StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Return(_)),
        };
        if is_passed { self.graph.pass(stmt.span, node) } else { node }
    }

    fn statement_inner(&mut self, stmt: &'a Stmt, next: Node) -> Node {
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Error => next,
            StmtKind::Expr(e) => self.effect(e, next),
            StmtKind::Declare(_, list) => list.iter().rev().fold(next, |next, d| self.declaration(d, next)),
            StmtKind::Block(list) => self.sequence(list, next),
            StmtKind::If { arms, otherwise } => {
                let mut fails = match otherwise {
                    Some(stmt) => self.statement(stmt, next),
                    None => next,
                };
                for (condition, body) in arms.iter().rev() {
                    let holds = self.statement(body, next);
                    fails = self.branch(condition, holds, fails);
                }
                fails
            }
            StmtKind::While { condition, body } => {
                let head = self.graph.forward();
                let inside = self.in_loop(body, head, next, head);
                let start = self.branch(condition, inside, next);
                self.graph.bind(head, start, stmt.span);
                head
            }
            StmtKind::DoWhile { body, condition } => {
                let head = self.graph.forward();
                let check = self.branch(condition, head, next);
                let start = self.in_loop(body, check, next, check);
                self.graph.bind(head, start, stmt.span);
                head
            }
            StmtKind::For { init, condition, step, body } => {
                let head = self.graph.forward();
                let again = match step {
                    Some(step) => self.effect(step, head),
                    None => head,
                };
                let inside = self.in_loop(body, again, next, again);
                let start = match condition {
                    Some(condition) => self.branch(condition, inside, next),
                    None => inside,
                };
                self.graph.bind(head, start, stmt.span);
                match init {
                    Some(init) => self.statement(init, head),
                    None => head,
                }
            }
            StmtKind::Break => self.frame().loops.last().map_or(next, |&(target, _)| target),
            StmtKind::Continue => self.frame().loops.last().map_or(next, |&(_, target)| target),
            StmtKind::Switch { value, body } => self.switch(value, body, next),
            StmtKind::Case { range, body, .. } => {
                let start = self.statement(body, next);
                if let (Some(range), Some(switch)) = (self.case_range(range.as_ref()), self.frame().switches.last_mut()) {
                    switch.cases.push((range, stmt.span, start));
                }
                start
            }
            StmtKind::Default(body) => {
                let start = self.statement(body, next);
                if let Some(switch) = self.frame().switches.last_mut() {
                    switch.default = Some(start);
                }
                start
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref(), stmt.span),
            StmtKind::Goto(name) => self.label(&name.text),
            StmtKind::Labelled(name, body) => {
                let label = self.label(&name.text);
                let start = self.statement(body, next);
                let start = if self.options.label_steps { self.graph.operation(Label::Skip, name.span, start) } else { start };
                self.graph.bind(label, start, name.span);
                if self.frames.len() == 1 {
                    self.labels.push((&name.text, label));
                }
                label
            }
        }
    }

    fn in_loop(&mut self, body: &'a Stmt, next: Node, on_break: Node, on_continue: Node) -> Node {
        self.frame().loops.push((on_break, on_continue));
        let start = self.statement(body, next);
        self.frame().loops.pop();
        start
    }

    /// The node of a label of the current frame.
    fn label(&mut self, name: &'a str) -> Node {
        if let Some(&node) = self.frame().labels.get(name) {
            return node;
        }
        let node = self.graph.forward();
        self.frame().labels.insert(name, node);
        node
    }

    /// The values of a `case`.
    fn case_range(&self, range: Option<&(Constant, Constant)>) -> Option<(Int, Int)> {
        let (first, last) = range?;
        Some(match self.options.ints {
            IntegerModel::C32 => (first.typed.clone(), last.typed.clone()),
            IntegerModel::Unbounded => (first.unbounded.clone(), last.unbounded.clone()),
        })
    }

    /// One decision for each label in the order of the text, `default` last.
    #[inline(never)]
    fn switch(&mut self, value: &'a Tree, body: &'a Stmt, next: Node) -> Node {
        let on_continue = self.frame().loops.last().map_or(next, |&(_, target)| target);
        self.frame().loops.push((next, on_continue));
        self.frame().switches.push(Switch { cases: Vec::new(), default: None });
        self.statement(body, next);
        self.frame().loops.pop();
        let Some(switch) = self.frame().switches.pop() else { return next };
        if switch.cases.is_empty() {
            return self.effect(value, switch.default.unwrap_or(next));
        }
        let mut effects = Effects::default();
        let mut decided = self.value(value, &mut effects);
        if decided.nondets() > 0 || !effects.after.is_empty() {
            let t = self.temporary(value.span, value.ty);
            let after = std::mem::take(&mut effects.after);
            effects.before.push(Step::Set(t.clone(), decided, value.span));
            effects.before.extend(after);
            decided = t.read();
        }
        let compare = |op, bound: Int| Expr::Compare(op, Box::new(decided.clone()), Box::new(Expr::Int(bound)));
        let mut at = switch.default.unwrap_or(next);
        for (number, ((first, last), span, start)) in switch.cases.into_iter().enumerate() {
            let span = Span { end: span.end.min(span.start + LABEL_LENGTH), ..span };
            at = if first == last {
                let decision = self.decision((value, 2 * number), compare(CompareOp::Eq, first), span, start, at);
                self.label_written((value, 2 * number), span);
                decision
            } else {
                let below = self.decision((value, 2 * number), compare(CompareOp::Le, last), span, start, at);
                self.decision((value, 2 * number + 1), compare(CompareOp::Ge, first), span, below, at)
            };
        }
        self.run_steps(effects.before, at)
    }

    #[inline(never)]
    fn return_statement(&mut self, value: Option<&'a Tree>, span: Span) -> Node {
        match (self.frame().returns.clone(), value) {
            (Return::Exit, None) => self.graph.exit(None, span),
            (Return::Exit, Some(e)) if !self.frame().function.returns_value() => {
                let exit = self.graph.exit(None, span);
                self.effect(e, exit)
            }
            (Return::Exit, Some(e)) => self.exit_with(e),
            (Return::Scalar { result, next }, Some(e)) => {
                let target = Target::Variable(result, e.ty);
                self.assign(&target, None, e, span, next)
            }
            (Return::Scalar { result, next }, None) => self.graph.operation(Label::Havoc(result), span, next),
            (Return::Structure { result, next }, Some(e)) => self.structure_assignment(&result, e, span, Effects::default(), next),
            (Return::Dropped { next }, Some(e)) => {
                // The statement has no edge of its own; the edge in front of it passes it, as it passes what prints nothing.
                let is_own = !self.frame().function.library;
                let next = if is_own { self.graph.print(Print { pieces: Vec::new(), span }, next) } else { next };
                self.effect(e, next)
            }
            (Return::Pointer { result, next }, Some(e)) => self.point(&result, e, span, next),
            (Return::Structure { next, .. } | Return::Dropped { next } | Return::Pointer { next, .. }, None) => next,
        }
    }

    /// The end of the whole function with the value of `e`.
    pub(super) fn exit_with(&mut self, e: &'a Tree) -> Node {
        let structure = self.frames.len() == 1
            && match &self.frames[0].function.result {
                Shape::Pointer(_) => self.pointee(e, &mut Effects::default()).is_some_and(|pointee| pointee.part().root != Root::Strings),
                shape => shape.integer(self.abi()).is_none(),
            };
        if structure {
            // A structure or an address is no value to show, but computing it may have effects.
            let exit = self.graph.exit(None, e.span);
            return self.effect(e, exit);
        }
        self.choose(e, &mut |lowerer, value, effects| {
            // The value is read behind the last edge, so what changes after its use must be undone or kept.
            let (value, after) = lowerer.before_changes(value, effects.after, e.span);
            let exit = lowerer.graph.exit(Some(value), e.span);
            let start = lowerer.run_steps(after, exit);
            lowerer.run_steps(effects.before, start)
        })
    }
}

/// Bytes of a label that stand for it: `case` with some of its value.
const LABEL_LENGTH: u32 = 40;
