//! What functions change, by their text: the handlers of signals, which may run at any time, and comparators, which should change nothing.

use super::ast::{Expr, ExprKind, Function, Stmt, StmtKind};
use super::parse::ParseTree;
use crate::logic::SortedSet;
use crate::source::{Diagnostic, Span};

/// What the text of a function's body says.
#[derive(Default)]
struct BodyEffects<'a> {
    /// The names that it assigns to, or whose addresses it takes, and its own.
    written: SortedSet<&'a str>,
    own: SortedSet<&'a str>,
    /// Whether it writes through a pointer.
    is_through_pointer: bool,
    calls: SortedSet<&'a str>,
}

impl<'a> BodyEffects<'a> {
    fn of(function: &'a Function) -> BodyEffects<'a> {
        let mut found = BodyEffects::default();
        found.own.extend(function.parameters.iter().map(|parameter| parameter.name.text.as_str()));
        let mut open: Vec<&Stmt> = function.body.iter().collect();
        while let Some(stmt) = open.pop() {
            if let StmtKind::Declare(_, list) = &stmt.kind {
                found.own.extend(list.iter().filter(|one| !one.is_static && !one.is_extern).map(|one| one.name.text.as_str()));
            }
            stmt.expressions(&mut |e| found.expression(e));
            stmt.children(&mut |child| open.push(child));
        }
        found
    }

    fn expression(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } | ExprKind::AddressOf(target) => {
                self.is_through_pointer |= !matches!(target.kind, ExprKind::Name(_)) && !matches!(e.kind, ExprKind::AddressOf(_));
                self.written.extend(target.root().map(|name| name.text.as_str()));
            }
            ExprKind::Call(name, _) => drop(self.calls.insert(&name.text)),
            ExprKind::CallAt(..) | ExprKind::Sugar(_) => self.is_through_pointer = true,
            _ => {}
        }
        e.kind.children(&mut |child| self.expression(child));
    }
}

/// The functions whose calls change nothing but their own variables.
pub fn pure_functions(functions: &[Function]) -> SortedSet<String> {
    let mut all: Vec<(&str, BodyEffects<'_>)> = functions
        .iter()
        .filter(|function| !function.library)
        .map(|function| (function.name.text.as_str(), BodyEffects::of(function)))
        .collect();
    all.retain(|(_, effects)| !effects.is_through_pointer && effects.written.iter().all(|name| effects.own.contains(name)));
    loop {
        let names: SortedSet<&str> = all.iter().map(|(name, _)| *name).collect();
        let is_pure = |name: &str| {
            names.contains(name) || ["strcmp", "strncmp", "strcasecmp", "strlen", "memcmp", "abs", "toupper", "tolower"].contains(&name)
        };
        let before = all.len();
        all.retain(|(_, effects)| effects.calls.iter().all(|name| is_pure(name)));
        if all.len() == before {
            return all.into_iter().map(|(name, _)| name.to_owned()).collect();
        }
    }
}

/// Makes volatile each object at file scope that a handler of a signal writes which the program installs: the handler may run between any two
/// steps. Says so once for each handler.
pub fn handle_signals(tree: &mut ParseTree, diagnostics: &mut Vec<Diagnostic>) {
    let is_defined = |name: &str| tree.functions.iter().any(|function| function.name.text == name && !function.library);
    if is_defined("signal") {
        return;
    }
    let all: Vec<(&str, BodyEffects<'_>)> =
        tree.functions.iter().map(|function| (function.name.text.as_str(), BodyEffects::of(function))).collect();
    if all.iter().all(|(_, effects)| !effects.calls.contains("signal")) {
        return;
    }
    let mut handlers: Vec<(String, Span)> = Vec::new();
    for function in &tree.functions {
        let mut open: Vec<&Stmt> = function.body.iter().collect();
        while let Some(stmt) = open.pop() {
            stmt.expressions(&mut |e| installed(e, &mut handlers));
            stmt.children(&mut |child| open.push(child));
        }
    }
    handlers.retain(|(name, _)| is_defined(name));
    let mut marked: SortedSet<String> = SortedSet::new();
    for (handler, span) in handlers {
        let mut open = vec![handler.as_str()];
        let mut seen: SortedSet<&str> = SortedSet::new();
        let mut written: SortedSet<&str> = SortedSet::new();
        while let Some(name) = open.pop() {
            for (_, effects) in all.iter().filter(|(other, _)| *other == name && seen.insert(name)) {
                written.extend(effects.written.iter().copied());
                open.extend(effects.calls.iter().copied());
            }
        }
        let names: Vec<String> =
            tree.globals.iter().map(|global| &global.name.text).filter(|name| written.contains(name.as_str())).cloned().collect();
        let what = if names.is_empty() { String::new() } else { format!(": each read of `{}` may give any value", names.join("`, `")) };
        let message = format!("`{handler}` may run at any time{what}");
        let help = "an object that the handler changes should be a `volatile sig_atomic_t`";
        diagnostics.push(Diagnostic::warning("signal-handler", span, message).help(help));
        marked.extend(names);
    }
    for global in tree.globals.iter_mut().filter(|global| marked.contains(&global.name.text)) {
        global.qualifiers.qualify("volatile");
    }
}

/// The functions that an expression installs for a signal.
fn installed(e: &Expr, found: &mut Vec<(String, Span)>) {
    if let ExprKind::Call(name, arguments) = &e.kind
        && name.text == "signal"
        && let [_, handler] = &arguments[..]
        && let Some(handler) = handler.root().or(match &handler.kind {
            ExprKind::AddressOf(inner) => inner.root(),
            _ => None,
        })
    {
        found.push((handler.text.clone(), name.span));
    }
    e.kind.children(&mut |child| installed(child, found));
}
