//! The statements of functions, and the work of the analysis: constraints of functions that are called, and facts.

use super::accesses::{Lvalue, PointerValueKind};
use super::build::{Address, CallOrigin, FactBuilder, FunctionInstance, GuardedCall};
use super::cells::OUTSIDE;
use super::constraints::GraphDiscovery;
use crate::lang::ast::{Expr, ExprKind, Init, Item, Stmt, StmtKind};

impl<'a> FactBuilder<'a> {
    /// Makes constraints and derives facts until there are no more.
    pub fn run(&mut self) {
        loop {
            self.open_instances();
            match self.graph.solve() {
                Some(GraphDiscovery::Chosen(choice)) => self.choose(choice),
                Some(GraphDiscovery::Escaped(object)) => self.escape(object),
                None => break,
            }
        }
        if self.graph.is_cut() {
            // Anything may be called.
            for function in 0..self.program.functions.len() {
                self.instance(function, CallOrigin::Outside);
            }
            self.open_instances();
        }
    }

    fn open_instances(&mut self) {
        while let Some(at) = self.open.pop() {
            self.at = at;
            let function = &self.program.functions[self.instances[at].function];
            self.instances[at].locals.extend(function.parameters.iter().map(|parameter| parameter.decl));
            function.body.iter().for_each(|stmt| self.statement(stmt));
        }
    }

    fn statement(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Declare(_, list) => {
                for declarator in list {
                    declarator.ty.lengths().flatten().for_each(|length| self.effect(length));
                    if declarator.is_extern {
                        continue;
                    }
                    self.instances[self.at].locals.push(declarator.decl);
                    let shape = &self.program.decl(declarator.decl).shape;
                    let object = Lvalue { address: Address::Of(self.variable(declarator.decl)), shape: Some(shape) };
                    match &declarator.init {
                        Some(Init::Expr(e)) => self.initialise(object, e),
                        Some(Init::List(items, _)) => self.list(items, object),
                        None => {}
                    }
                }
            }
            StmtKind::Return(Some(e)) => {
                let FunctionInstance { function, result, .. } = self.instances[self.at];
                let shape = &self.program.functions[function].result;
                self.initialise(Lvalue { address: Address::Of(result), shape: Some(shape) }, e);
            }
            _ => stmt.expressions(&mut |e| self.effect(e)),
        }
        stmt.children(&mut |child| self.statement(child));
    }

    fn effect(&mut self, e: &'a Expr) {
        self.value(e, None);
    }

    /// The first value of an object, or of a part of one.
    fn initialise(&mut self, object: Lvalue<'a>, e: &'a Expr) {
        let value = self.value(e, object.pointee());
        self.note_write(object);
        // An array is initialised with the characters of a string.
        if !matches!(e.kind, ExprKind::Str(_)) || object.pointee().is_some() {
            self.put(object, value);
        }
    }

    fn list(&mut self, items: &'a [Item], object: Lvalue<'a>) {
        for item in items {
            match (&item.value, item.path()) {
                (Init::Expr(e), Some(path)) => {
                    let part = path.iter().fold(object, |object, &member| self.member(object, member));
                    self.initialise(part.element(), e);
                }
                (Init::Expr(e), None) => self.effect(e),
                (Init::List(inner, _), _) => self.list(inner, object),
            }
        }
    }

    /// The constraints of a choice that may be taken.
    fn choose(&mut self, number: usize) {
        let GuardedCall { call, at, result, is_taken } = &mut self.choices[number];
        let (call, at, result) = (*call, *at, *result);
        if std::mem::replace(is_taken, true) {
            return;
        }
        self.at = at;
        let value = self.value(call, None);
        match (value.node, value.kind) {
            (Some(node), _) => self.graph.edge(node, result),
            (None, PointerValueKind::Null) => {}
            (None, _) => self.graph.edge(OUTSIDE, result),
        }
    }
}
