//! Statements, backwards: each is given the node after it and gives back the node where it starts.

use super::expression::{Effects, Target};
use super::graph::{NOWHERE, Node};
use super::{Frame, Lowerer, Return};
use crate::lang::ast::{Declarator, Expr as Tree, ExprKind, Function, Init, Name, Stmt, StmtKind};
use crate::logic::Int;
use crate::lts::{Expr, Label, VariableId};
use crate::source::Span;
use std::collections::HashMap;

impl<'a> Lowerer<'a> {
    /// A function's body in the current frame.
    pub(super) fn body(&mut self, function: &'a Function) -> Node {
        let end = match self.frame().returns {
            Return::Exit => {
                let value = if function.name.text == "main" { Some(Expr::Int(Int::ZERO)) } else { None };
                let open = function.returns_value && value.is_none();
                let node = self.graph.exit(value);
                if open {
                    self.open_ends.push((function, node));
                }
                node
            }
            // C leaves the value open here, so it is arbitrary.
            Return::Continue { result: Some(result), next } if function.returns_value => {
                let node = self.graph.operation(Label::Havoc(result), function.end, next);
                self.open_ends.push((function, node));
                node
            }
            Return::Continue { next, .. } => next,
        };
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
        self.leave();
        let noted = match &stmt.kind {
            StmtKind::Expr(_) | StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => true,
            StmtKind::Declare(list) => list.iter().any(|d| d.init.is_some() && !d.is_static),
            _ => false,
        };
        if noted && self.frames.len() == 1 {
            self.starts.push((stmt.span, node));
        }
        node
    }

    fn statement_inner(&mut self, stmt: &'a Stmt, next: Node) -> Node {
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Error => next,
            StmtKind::Expr(e) => self.effect(e, next),
            StmtKind::Declare(list) => list.iter().rev().fold(next, |next, d| self.declaration(d, next)),
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
            StmtKind::Return(value) => self.return_statement(value.as_ref(), stmt.span),
            StmtKind::Goto(name) => self.label(&name.text),
            StmtKind::Labelled(name, body) => {
                let label = self.label(&name.text);
                let start = self.statement(body, next);
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

    fn declaration(&mut self, declarator: &'a Declarator, next: Node) -> Node {
        if declarator.is_static {
            // Its value is there before the program starts.
            return next;
        }
        match &declarator.init {
            None => next,
            Some(Init::Expr(e)) => {
                let variable = self.scalar(declarator.decl);
                self.assign(&Target::Variable(variable), None, e, declarator.span, next)
            }
            Some(Init::List(list, _)) => {
                let array = self.array(declarator.decl);
                let mut effects = Effects::default();
                let values = list.iter().map(|e| self.value(e, &mut effects)).collect();
                let after = self.run_steps(effects.after, next);
                let fill = self.graph.operation(Label::Fill(array, values), declarator.span, after);
                self.run_steps(effects.before, fill)
            }
        }
    }

    fn return_statement(&mut self, value: Option<&'a Tree>, span: Span) -> Node {
        match (self.frame().returns, value) {
            (Return::Exit, None) => self.graph.exit(None),
            (Return::Exit, Some(e)) => self.exit_with(e),
            (Return::Continue { result: Some(result), next }, Some(e)) => self.assign(&Target::Variable(result), None, e, span, next),
            (Return::Continue { result: None, next }, Some(e)) => self.effect(e, next),
            (Return::Continue { next, .. }, None) => next,
        }
    }

    /// The end of the whole function with the value of `e`.
    pub(super) fn exit_with(&mut self, e: &'a Tree) -> Node {
        self.choose(e, &mut |lowerer, value, effects| {
            // The value is read behind the last edge, so what changes after its use must be undone or kept.
            let (value, after) = lowerer.before_changes(value, effects.after, e.span);
            let exit = lowerer.graph.exit(Some(value));
            let start = lowerer.run_steps(after, exit);
            lowerer.run_steps(effects.before, start)
        })
    }

    /// A call of a function with a body: binds the parameters, then the body, whose end is `next`.
    pub(super) fn call(&mut self, index: usize, arguments: &'a [Tree], result: Option<VariableId>, span: Span, next: Node) -> Node {
        self.calls += 1;
        if !self.enter(span) {
            self.leave();
            return NOWHERE;
        }
        let program = self.program;
        let function = &program.functions[index];
        // Arrays are bound by reference: the callee's name stands for the caller's array.
        let mut arrays = HashMap::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            if let (true, ExprKind::Name(Name { decl: Some(decl), .. })) = (parameter.array, &argument.kind) {
                arrays.insert(parameter.decl, self.array(*decl));
            }
        }
        self.frames.push(Frame {
            function,
            scalars: HashMap::new(),
            arrays,
            labels: HashMap::new(),
            loops: Vec::new(),
            returns: Return::Continue { result, next },
        });
        let targets: Vec<Option<VariableId>> =
            function.parameters.iter().map(|p| if p.array { None } else { Some(self.scalar(p.decl)) }).collect();
        let mut start = self.body(function);
        self.frames.pop();
        for (target, argument) in targets.iter().zip(arguments).rev() {
            if let Some(variable) = target {
                start = self.assign(&Target::Variable(*variable), None, argument, argument.span, start);
            }
        }
        self.leave();
        start
    }
}
