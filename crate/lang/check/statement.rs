//! Statements: conditions, jumps, cases, results.

use super::super::ast::{Constant, Expr, ExprKind, Function, Shape, Stmt, StmtKind};
use super::{Checker, SwitchScope, constant};
use crate::logic::{Arrange, SortedMap};
use crate::source::{Diagnostic, Span};
use std::collections::BTreeMap;

impl Checker<'_> {
    pub(super) fn statement(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Empty | StmtKind::Goto(_) | StmtKind::Error => {}
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Declare(enumerators, list) => {
                self.enumerators(enumerators);
                list.iter_mut().for_each(|d| self.declare(d, false));
            }
            StmtKind::Block(list) => {
                self.scopes.push(SortedMap::new());
                self.statements(list);
                self.scopes.pop();
            }
            StmtKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.condition(condition);
                    self.scoped(body);
                }
                if let Some(body) = otherwise {
                    self.scoped(body);
                }
            }
            StmtKind::While { condition, body } => {
                self.condition(condition);
                self.in_loop(body);
            }
            StmtKind::DoWhile { body, condition } => {
                self.in_loop(body);
                self.condition(condition);
            }
            StmtKind::For { init, condition, step, body } => {
                self.scopes.push(SortedMap::new());
                if let Some(init) = init {
                    self.statement(init);
                }
                if let Some(condition) = condition {
                    self.condition(condition);
                }
                if let Some(step) = step {
                    self.effect(step);
                }
                self.in_loop(body);
                self.scopes.pop();
            }
            StmtKind::Break if self.here.loops == 0 && self.here.switches.is_empty() => {
                self.report(Diagnostic::error("outside-loop", stmt.span, "`break` stands outside of a loop"));
            }
            StmtKind::Continue if self.here.loops == 0 => {
                self.report(Diagnostic::error("outside-loop", stmt.span, "`continue` stands outside of a loop"));
            }
            StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Switch { value, body } => {
                let ty = self.integer_value(value).promoted(self.abi());
                self.convert(value, ty);
                self.here.switches.push(SwitchScope { ty, cases: BTreeMap::new(), default: None });
                self.scoped(body);
                self.here.switches.pop();
            }
            StmtKind::Case { value, last, range, body } => {
                *range = self.case(stmt.span, value, last.as_mut());
                self.statement(body);
            }
            StmtKind::Default(body) => {
                let span = Span { start: stmt.span.start, end: stmt.span.start + "default".len() as u32 };
                match self.here.switches.last_mut().map(|switch| switch.default.replace(span)) {
                    None => self.outside_switch(span),
                    Some(Some(first)) => self.report(
                        Diagnostic::error("duplicate-case", span, "`default` stands twice in this `switch`")
                            .help("remove one of them")
                            .related(first, "first here"),
                    ),
                    Some(None) => {}
                }
                self.statement(body);
            }
            StmtKind::Return(value) => self.return_statement(value.as_mut(), stmt.span),
            StmtKind::Labelled(_, body) => self.statement(body),
        }
    }

    fn return_statement(&mut self, value: Option<&mut Expr>, span: Span) {
        let result = self.here.result.clone();
        let Some(value) = value else {
            if result != Shape::Void {
                // Legal in C as long as no caller uses the value.
                self.report(
                    Diagnostic::warning("missing-value", span, "this function should return a value")
                        .help("write `return 0;`, or give the function the type `void`"),
                );
            }
            return;
        };
        match &result {
            Shape::Void => {
                self.effect(value);
                if self.shape_of(value) != Shape::Void && !constant::has_error(value) {
                    self.report(
                        Diagnostic::warning("unexpected-value", value.span, "a `void` function returns no value: this one goes nowhere")
                            .help("give the function the type `int`, or write `return;`"),
                    );
                }
            }
            Shape::Struct(_) => {
                if self.value(value) != result && !constant::has_error(value) {
                    self.wrong_struct(value.span, "the result");
                }
            }
            Shape::Pointer(_) => self.pointer_value(value),
            _ => match result.integer(self.abi()) {
                Some(integer) => self.value_as(value, integer),
                None => {
                    self.scalar_value(value);
                }
            },
        }
    }

    fn outside_switch(&mut self, span: Span) {
        self.report(
            Diagnostic::error("outside-switch", span, "this label stands outside of a `switch`")
                .help("put it between the braces of `switch (…) { … }`"),
        );
    }

    /// The values of a `case`, converted to the type of the `switch`.
    fn case(&mut self, span: Span, value: &mut Expr, last: Option<&mut Expr>) -> Option<(Constant, Constant)> {
        let ty = self.here.switches.last().map(|switch| switch.ty);
        let bound = |checker: &mut Self, e: &mut Expr| {
            checker.scalar_value(e);
            if let Some(ty) = ty {
                checker.convert(e, ty);
            }
            checker.constant(e, "a `case`")
        };
        let first = bound(self, value);
        let last = match last {
            Some(last) => bound(self, last),
            None => first.clone(),
        };
        let span = span.to(value.span);
        let span = Span { start: span.start, end: value.span.end.max(span.start) };
        if ty.is_none() {
            self.outside_switch(span);
        }
        let (first, last) = (first?, last?);
        // The ranges kept do not meet, so the last that starts in time is the one to ask.
        let clash = self.here.switches.last().and_then(|switch| {
            switch.cases.range(..=&last.typed).next_back().filter(|(_, (high, _))| first.typed <= *high).map(|(_, (_, span))| *span)
        });
        if first.typed > last.typed {
            self.report(
                Diagnostic::warning("empty-range", span, format!("there is no value from {} to {}", first.typed, last.typed))
                    .help("write the smaller value first"),
            );
        } else if let Some(before) = clash {
            self.report(
                Diagnostic::error("duplicate-case", span, format!("the value {} stands twice in this `switch`", first.typed))
                    .help("remove one of them")
                    .related(before, "first here"),
            );
        } else if let Some(switch) = self.here.switches.last_mut() {
            switch.cases.insert(first.typed.clone(), (last.typed.clone(), span));
        }
        Some((first, last))
    }

    /// A body that is one statement has a scope of its own.
    fn scoped(&mut self, body: &mut Stmt) {
        self.scopes.push(SortedMap::new());
        self.statement(body);
        self.scopes.pop();
    }

    fn in_loop(&mut self, body: &mut Stmt) {
        self.here.loops += 1;
        self.scoped(body);
        self.here.loops -= 1;
    }

    /// Labels are known in the whole function, so they are looked at last.
    pub(super) fn labels(&mut self, function: &Function) {
        let mut labels: SortedMap<&str, Span> = SortedMap::new();
        let mut jumps = Vec::new();
        let mut stack: Vec<&Stmt> = function.body.iter().rev().collect();
        while let Some(stmt) = stack.pop() {
            match &stmt.kind {
                StmtKind::Labelled(name, _) => match labels.get(name.text.as_str()) {
                    Some(&first) => self.report(
                        Diagnostic::error("duplicate-label", name.span, format!("the label `{}` stands twice in this function", name.text))
                            .help("rename one of them")
                            .related(first, "first here"),
                    ),
                    None => {
                        labels.insert(&name.text, name.span);
                    }
                },
                StmtKind::Goto(name) => jumps.push(name),
                _ => {}
            }
            let mut children = Vec::new();
            stmt.children(&mut |child| children.push(child));
            stack.extend(children.into_iter().rev());
        }
        for name in jumps {
            if !labels.contains_key(name.text.as_str()) && !self.poisoned.contains(name.text.as_str()) {
                let mut diagnostic =
                    Diagnostic::error("unknown-label", name.span, format!("there is no label `{}` in this function", name.text));
                let mut defined: Vec<_> = labels.iter().collect();
                defined.arrange_by_key(|(_, span)| **span);
                diagnostic = match super::super::suggest::closest(&name.text, defined.into_iter().map(|(&text, _)| text)) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help(format!("write `{}:` in front of the statement to go to", name.text)),
                };
                self.report(diagnostic);
            }
        }
    }

    pub(super) fn condition(&mut self, e: &mut Expr) {
        if let (ExprKind::Assign { target, op: None, .. }, false) = (&e.kind, e.parenthesised) {
            let name = target.root().map_or("", |name| name.text.as_str());
            let diagnostic = Diagnostic::warning("assignment-in-condition", e.span, format!("this condition assigns to `{name}`"))
                .help("use `==` to compare; a second pair of parentheses says that the assignment is meant");
            self.report(diagnostic);
        }
        self.truth(e);
    }
}
