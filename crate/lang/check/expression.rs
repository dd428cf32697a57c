//! Expressions: every name known, scalars and arrays where they belong, calls with the right arguments.

use super::super::ast::{Expr, ExprKind, Name, Place, Shape};
use super::super::intrinsic::{self, Intrinsic};
use super::super::suggest;
use super::Checker;
use crate::logic::Arrange;
use crate::source::Diagnostic;

impl Checker<'_> {
    /// Checks an expression whose value is used.
    pub(super) fn value(&mut self, e: &mut Expr) {
        self.expression(e, true);
    }

    /// Checks an expression whose value is dropped.
    pub(super) fn effect(&mut self, e: &mut Expr) {
        self.expression(e, false);
    }

    fn expression(&mut self, e: &mut Expr, used: bool) {
        let span = e.span;
        match &mut e.kind {
            ExprKind::Int(_) | ExprKind::Error => {}
            ExprKind::Str => self.report(
                Diagnostic::error("unsupported-string", span, "strings as data are not supported")
                    .help("a string can only be an argument of `printf` or `puts`"),
            ),
            ExprKind::Name(name) => self.scalar(name),
            ExprKind::Index(name, index) => {
                self.array(name);
                self.value(index);
            }
            ExprKind::Unary(_, a) => self.value(a),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.value(a);
                self.value(b);
            }
            ExprKind::Conditional(c, a, b) => {
                self.value(c);
                self.expression(a, used);
                self.expression(b, used);
            }
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.expression(b, used);
            }
            ExprKind::Assign(place, _, value) => {
                self.place(place);
                self.value(value);
            }
            ExprKind::Step { place, .. } => self.place(place),
            ExprKind::Call(name, arguments) => self.call(name, arguments, used),
        }
    }

    fn place(&mut self, place: &mut Place) {
        match place {
            Place::Variable(name) => self.scalar(name),
            Place::Element(name, index) => {
                self.array(name);
                self.value(index);
            }
        }
    }

    /// Resolves a name that must be a variable.
    fn scalar(&mut self, name: &mut Name) {
        let Some(shape) = self.resolve(name, false) else { return };
        if let Shape::Array { .. } = shape {
            let declared = name.decl.map(|id| self.decls[id.0 as usize].span).unwrap_or_default();
            name.decl = None;
            self.report(
                Diagnostic::error("array-as-scalar", name.span, format!("`{}` is an array, not a single integer", name.text))
                    .help(format!("name an element, e.g. `{}[0]`; a whole array can only be passed to a function", name.text))
                    .related(declared, "declared here"),
            );
        }
    }

    /// Resolves a name that must be an array.
    fn array(&mut self, name: &mut Name) {
        let Some(shape) = self.resolve(name, false) else { return };
        if shape == Shape::Scalar {
            let declared = name.decl.map(|id| self.decls[id.0 as usize].span).unwrap_or_default();
            name.decl = None;
            self.report(
                Diagnostic::error("scalar-as-array", name.span, format!("`{}` is a single integer, not an array", name.text))
                    .help(format!("declare it as an array, e.g. `int {}[10]`", name.text))
                    .related(declared, "declared here"),
            );
        }
    }

    /// Looks a variable or an array up; says so if there is none.
    fn resolve(&mut self, name: &mut Name, quiet: bool) -> Option<Shape> {
        if let Some(id) = self.lookup(&name.text) {
            name.decl = Some(id);
            return Some(self.decls[id.0 as usize].shape.clone());
        }
        if quiet || self.poisoned.contains(name.text.as_str()) || !self.reported.insert(name.text.clone()) {
            return None;
        }
        let diagnostic = if self.signatures.contains_key(&name.text)
            || self.prototypes.contains_key(&name.text)
            || intrinsic::find(&name.text).is_some()
        {
            Diagnostic::error("function-as-value", name.span, format!("`{}` is a function", name.text))
                .help(format!("call it: `{}(…)`", name.text))
        } else {
            let diagnostic =
                Diagnostic::error("undeclared-name", name.span, format!("`{}` is not declared", name.text)).label("not known here");
            match self.near(&name.text) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("declare it first: `int {};`", name.text)),
            }
        };
        self.report(diagnostic);
        None
    }

    /// The variable in scope that `text` resembles; innermost scopes first, in the order of declaration.
    fn near(&self, text: &str) -> Option<String> {
        if self.diagnostics.len() > super::super::MAX_DIAGNOSTICS {
            return None;
        }
        self.scopes.iter().rev().find_map(|scope| {
            let mut names: Vec<_> = scope.iter().map(|(name, id)| (*id, name.as_str())).collect();
            names.arrange();
            suggest::closest(text, names.into_iter().map(|(_, name)| name)).map(str::to_string)
        })
    }

    fn call(&mut self, name: &mut Name, arguments: &mut [Expr], used: bool) {
        let shadowed = self.lookup(&name.text).map(|id| self.decls[id.0 as usize].span);
        if let Some(declared) = shadowed {
            self.report(
                Diagnostic::error("not-a-function", name.span, format!("`{}` is a variable, not a function", name.text))
                    .related(declared, "declared here"),
            );
        } else if let Some(intrinsic) = intrinsic::find(&name.text) {
            return self.intrinsic_call(intrinsic, name, arguments, used);
        } else if let Some(signature) = self.signatures.get(&name.text) {
            self.calls[self.current].push((signature.index, name.span));
            let (span, returns_value, parameters) = (signature.span, signature.returns_value, signature.parameters.clone());
            if used && !returns_value {
                self.void_value(name, Some(span));
            }
            // After a refused parameter the count means nothing.
            if parameters.len() != arguments.len() && !self.poisoned.contains(name.text.as_str()) {
                self.wrong_count(name, parameters.len(), arguments.len(), Some(span));
            }
            for (i, argument) in arguments.iter_mut().enumerate() {
                match parameters.get(i) {
                    Some((parameter, true)) => self.array_argument(argument, parameter),
                    _ => self.value(argument),
                }
            }
            return;
        } else if let Some(prototype) = self.prototypes.get(&name.text).cloned() {
            return self.call_without_body(name, arguments, used, &prototype);
        } else if !self.poisoned.contains(name.text.as_str()) && self.reported.insert(name.text.clone()) {
            let mut known: Vec<_> = self.signatures.iter().map(|(text, s)| (s.index, text.as_str())).collect();
            known.arrange();
            let intrinsics = ["nondet", "assume", "assert", "abort", "exit", "printf"].into_iter();
            let near = suggest::closest(&name.text, known.into_iter().map(|(_, text)| text).chain(intrinsics)).map(str::to_string);
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    format!("define it, or declare it with `extern int {}();`: then its result is arbitrary, as with `nondet()`", name.text)
                }
            };
            self.report(Diagnostic::error("unknown-function", name.span, format!("there is no function `{}`", name.text)).help(help));
        }
        for argument in arguments {
            self.any_argument(argument);
        }
    }

    /// An argument of a function of which nothing is known.
    fn any_argument(&mut self, argument: &mut Expr) {
        match &mut argument.kind {
            ExprKind::Name(name) => {
                self.resolve(name, false);
            }
            ExprKind::Str => {}
            _ => self.value(argument),
        }
    }

    fn array_argument(&mut self, argument: &mut Expr, parameter: &str) {
        match &mut argument.kind {
            ExprKind::Name(name) => self.array(name),
            ExprKind::Error => {}
            _ => {
                self.report(
                    Diagnostic::error("argument-kind", argument.span, format!("the parameter `{parameter}` needs an array"))
                        .help("pass the name of an array"),
                );
            }
        }
    }

    fn wrong_count(&mut self, name: &Name, wanted: usize, given: usize, declared: Option<crate::source::Span>) {
        let plural = if wanted == 1 { "" } else { "s" };
        let mut diagnostic =
            Diagnostic::error("argument-count", name.span, format!("`{}` takes {wanted} argument{plural}, not {given}", name.text));
        if let Some(span) = declared {
            diagnostic = diagnostic.related(span, "defined here");
        }
        self.report(diagnostic);
    }

    fn void_value(&mut self, name: &Name, declared: Option<crate::source::Span>) {
        let mut diagnostic = Diagnostic::error("void-value", name.span, format!("`{}` gives back no value", name.text))
            .help("call it in a statement of its own");
        if let Some(span) = declared {
            diagnostic = diagnostic.related(span, "defined here");
        }
        self.report(diagnostic);
    }

    fn intrinsic_call(&mut self, intrinsic: Intrinsic, name: &Name, arguments: &mut [Expr], used: bool) {
        if name.text == intrinsic::ASSERT_FAIL {
            return;
        }
        if let Some(arity) = intrinsic.arity().filter(|&n| n != arguments.len()) {
            self.wrong_count(name, arity, arguments.len(), None);
        }
        if used && intrinsic != Intrinsic::Nondet {
            self.void_value(name, None);
        }
        for argument in arguments {
            if intrinsic == Intrinsic::Print {
                if matches!(argument.kind, ExprKind::Str) {
                    continue;
                }
                if let Some(culprit) = side_effect(argument) {
                    let span = culprit.span;
                    self.report(
                        Diagnostic::error("effect-in-print", span, format!("an argument of `{}` must not change anything", name.text))
                            .help("change the variable in a statement of its own"),
                    );
                }
            }
            self.value(argument);
        }
    }

    fn call_without_body(&mut self, name: &Name, arguments: &mut [Expr], used: bool, prototype: &super::Prototype) {
        if prototype.unsupported {
            if self.reported.insert(name.text.clone()) {
                self.report(
                    Diagnostic::error("unsupported-type", name.span, format!("`{}` has a type that is not supported", name.text))
                        .related(prototype.name.span, "declared here"),
                );
            }
        } else if used && !prototype.returns_value {
            self.void_value(name, Some(prototype.name.span));
        } else if self.without_body.insert(name.text.clone()) {
            let (result, help) = if prototype.returns_value {
                ("its result is taken to be arbitrary", "as `nondet()`")
            } else {
                ("a call does nothing", "")
            };
            let diagnostic = Diagnostic::warning("function-without-body", name.span, format!("`{}` has no body: {result}", name.text))
                .related(prototype.name.span, "declared here");
            let help = if help.is_empty() { "define it if it matters".to_string() } else { format!("{help}; define it if it matters") };
            self.report(diagnostic.help(help));
        }
        for argument in arguments {
            if let ExprKind::Name(argument_name) = &mut argument.kind {
                if let Some(Shape::Array { .. }) = self.resolve(argument_name, false) {
                    self.report(
                        Diagnostic::error(
                            "array-escapes",
                            argument.span,
                            format!("`{}` has no body, so it is unknown what it does to this array", name.text),
                        )
                        .help(format!("define `{}`", name.text)),
                    );
                }
                continue;
            }
            self.any_argument(argument);
        }
    }
}

/// The first part of an expression that changes something.
fn side_effect(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Assign(..) | ExprKind::Step { .. } | ExprKind::Call(..) => Some(e),
        kind => {
            let mut found = None;
            kind.children(&mut |child| found = found.or_else(|| side_effect(child)));
            found
        }
    }
}
