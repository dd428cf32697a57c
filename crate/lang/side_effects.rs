//! What functions change, by their text: the handlers of signals, which may run at any time, and comparators, which should change nothing.

use super::ast::{Declarator, Expr, ExprKind, Function, Stmt, StmtKind, Type};
use super::parse::ParseTree;
use crate::logic::SortedSet;
use crate::source::{Diagnostic, Span};

/// What the text of a function's body says.
#[derive(Default)]
struct BodyEffects<'a> {
    /// The names that it assigns to, or whose addresses it takes, and its own.
    written: SortedSet<&'a str>,
    own: SortedSet<&'a str>,
    /// Whether it writes to anything but a variable as a whole.
    is_through_pointer: bool,
    /// The lvalues that it assigns to.
    targets: Vec<&'a Expr>,
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
                if !matches!(e.kind, ExprKind::AddressOf(_)) {
                    self.targets.push(target);
                }
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

/// Functions of the library that write to no object of the program.
const WRITE_NOTHING: &[&str] = &[
    "signal", "alarm", "printf", "fprintf", "puts", "putchar", "fputs", "fputc", "putc", "perror", "fflush", "exit", "_exit", "_Exit",
    "abort", "strlen", "strcmp", "strncmp", "abs",
];

/// Whether an assignment to an lvalue of a function's body may write to an object that it does not name.
fn is_to_any_object(target: &Expr, is_array: &dyn Fn(&str) -> bool) -> bool {
    match &target.kind {
        ExprKind::Name(_) => false,
        ExprKind::Member(base, ..) => is_to_any_object(base, is_array),
        ExprKind::Index(base, _) => match &base.kind {
            ExprKind::Name(name) => !is_array(&name.text),
            _ => is_to_any_object(base, is_array),
        },
        _ => true,
    }
}

/// Makes volatile each object at file scope that a handler of a signal writes which the program installs, or all of them where the handler
/// writes through a pointer or calls a function without a body: the handler may run between any two steps. Says so once for each handler.
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
    let is_array = |global: &&Declarator| matches!(global.ty, Type::Array(..));
    let arrays: SortedSet<&str> = tree.globals.iter().filter(is_array).map(|global| global.name.text.as_str()).collect();
    let mut marked: SortedSet<String> = SortedSet::new();
    for (handler, span) in handlers {
        let mut open = vec![handler.as_str()];
        let mut seen: SortedSet<&str> = SortedSet::new();
        let mut written: SortedSet<&str> = SortedSet::new();
        let mut is_any_written = false;
        while let Some(name) = open.pop() {
            is_any_written |= !is_defined(name) && !WRITE_NOTHING.contains(&name);
            for (_, effects) in all.iter().filter(|(other, _)| *other == name && seen.insert(name)) {
                written.extend(effects.written.iter().copied());
                open.extend(effects.calls.iter().copied());
                let is_array = |name: &str| arrays.contains(name) && !effects.own.contains(name);
                is_any_written |= effects.targets.iter().any(|target| is_to_any_object(target, &is_array));
            }
        }
        let is_changed =
            |global: &&Declarator| !global.qualifiers.fixed() && (is_any_written || written.contains(global.name.text.as_str()));
        let names: Vec<String> = tree.globals.iter().filter(is_changed).map(|global| global.name.text.clone()).collect();
        let what = match &names[..] {
            [] => String::new(),
            _ if is_any_written => ": each read of an object at file scope may give any value".to_owned(),
            _ => format!(": each read of `{}` may give any value", names.join("`, `")),
        };
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
