//! Calls: of functions with a body, of intrinsics, and of functions that are only declared, not defined.

use super::super::ast::{BinaryOp, Expr, ExprKind, Name, Prototype, Shape, Type};
use super::super::intrinsic::{self, Intrinsic};
use super::super::library;
use super::super::standard;
use super::super::suggest;
use super::super::types::Integer;
use super::shape::has_effect;
use super::{Checker, Entity, UsedAs};
use crate::logic::{Arrange, Int};
use crate::source::{Diagnostic, Span};

impl Checker<'_> {
    pub(super) fn call(&mut self, name: &mut Name, arguments: &mut Vec<Expr>, used: bool) -> Shape {
        if name.text == intrinsic::APPROXIMATED {
            return self.approximated(arguments);
        }
        let part = self.part_of.take().filter(|(call, _)| *call == name.span).map(|(_, part)| part);
        if let Some(own) = name.text.strip_prefix(intrinsic::OF_PROGRAM).filter(|_| self.library.is_current) {
            name.text = own.to_owned();
        } else if self.library.is_current && intrinsic::find(&intrinsic::of_library(&name.text)).is_some() {
            name.text = intrinsic::of_library(&name.text);
        }
        if !used {
            self.open_print(name, arguments);
        }
        let is_truth = !used || part == Some(UsedAs::Truth);
        if !self.builtin_call(name, arguments) || !self.stream_call(name, arguments, is_truth) || !self.memory_call(name, arguments) {
            return Shape::INT;
        }
        if used && part != Some(UsedAs::Truth) && library::gives_truth(&name.text) && self.library.names.contains(&name.text) {
            let position_function = library::of_position(&name.text);
            name.text = position_function;
        }
        let enough = part == Some(UsedAs::Truth) || part == Some(UsedAs::Sign) && library::gives_sign(&name.text);
        let any = library::of_value(&name.text);
        if used && !enough && self.library.names.contains(&any) {
            name.text = any;
        }
        let shadowed = match self.lookup(&name.text) {
            Some(entity @ Entity::Decl(_)) => Some(self.declaration_span(entity)),
            _ => None,
        };
        let intrinsic = intrinsic::find(&name.text).filter(|_| !self.signatures.contains_key(&name.text));
        if let Some(declared) = shadowed {
            self.report(
                Diagnostic::error("not-a-function", name.span, format!("`{}` is a variable, not a function", name.text))
                    .related(declared, "declared here"),
            );
        } else if let Some(intrinsic) = intrinsic {
            return self.intrinsic_call(intrinsic, name, arguments, used);
        } else if let Some(signature) = self.signatures.get(&name.text) {
            let (span, result, parameters) = (signature.span, signature.result.clone(), signature.parameters.clone());
            let passing = if signature.variadic { Some(signature.hands_on) } else { None };
            self.variable_arguments(&parameters, passing, arguments, name.span);
            if used && result == Shape::Void {
                self.void_value(name, Some(span));
            }
            // After a refused parameter the count means nothing.
            if parameters.len() != arguments.len() && !self.poisoned.contains(name.text.as_str()) {
                let names: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
                self.wrong_count(name, parameters.len(), arguments.len(), Some((span, Some(names.join(", ")))));
            }
            for (i, argument) in arguments.iter_mut().enumerate() {
                match parameters.get(i) {
                    Some((parameter, shape)) => self.argument(argument, parameter, shape),
                    None => {
                        self.value(argument);
                    }
                }
            }
            return result;
        } else if let Some(prototype) = self.prototypes.get(&name.text).filter(|_| !standard::is_unknown(&name.text)).cloned() {
            return self.call_without_body(name, arguments, used, &prototype);
        } else if !self.poisoned.contains(name.text.as_str()) && self.reported.insert(name.text.clone()) {
            self.unknown_function(name);
        }
        for argument in arguments {
            self.any_argument(argument);
        }
        Shape::INT
    }

    /// What stands for a part that is not understood, with the names in it: of what it may write the addresses, `&x`. Of these the names of
    /// objects and functions are kept, but for scalars that it only reads.
    fn approximated(&mut self, arguments: &mut Vec<Expr>) -> Shape {
        for mut argument in std::mem::take(arguments) {
            let (name, is_written) = match &argument.kind {
                ExprKind::AddressOf(object) => (object.root(), true),
                _ => (argument.root(), false),
            };
            let Some(text) = name.map(|name| name.text.clone()).filter(|text| !self.is_stream(text)) else { continue };
            let shape = match self.lookup(&text) {
                Some(Entity::Decl(id)) => Some(self.decls[id.0 as usize].shape.clone()),
                Some(Entity::Constant(..)) => None,
                None => self.signatures.contains_key(&text).then_some(Shape::Void),
            };
            let span = argument.span;
            let plain = || Expr::new(ExprKind::Name(Name { text: text.clone(), span, decl: None }), span);
            argument = match shape {
                None | Some(Shape::Opaque) => continue,
                Some(Shape::Scalar(_)) if !is_written => continue,
                Some(Shape::Scalar(_) | Shape::Struct(_)) => Expr::new(ExprKind::AddressOf(Box::new(plain())), span),
                Some(Shape::Pointer(_)) if is_written => Expr::new(ExprKind::AddressOf(Box::new(plain())), span),
                Some(_) => plain(),
            };
            self.value(&mut argument);
            arguments.push(argument);
        }
        Shape::Scalar(Integer::LongLong)
    }

    fn unknown_function(&mut self, name: &Name) {
        if let Some(help) = library::instead_of(&name.text) {
            let header = standard::header_of(&name.text).map_or(String::new(), |header| format!(", of `<{header}>`,"));
            let message = format!("the library's `{}`{header} is not supported", name.text);
            return self.report(Diagnostic::error("unsupported-function", name.span, message).help(help));
        }
        let mut declared: Vec<_> = self.signatures.iter().map(|(text, s)| (s.span, text.as_str())).collect();
        declared.arrange();
        let intrinsics = ["nondet", "assume", "assert", "abort", "exit", "printf"].into_iter();
        let near = suggest::closest(&name.text, declared.into_iter().map(|(_, text)| text).chain(intrinsics)).map(str::to_string);
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                format!("define it, or declare it with `extern int {}();`: then its result is arbitrary, as with `nondet()`", name.text)
            }
        };
        self.report(Diagnostic::error("unknown-function", name.span, format!("there is no function `{}`", name.text)).help(help));
    }

    /// An argument for a parameter of this shape.
    fn argument(&mut self, argument: &mut Expr, parameter: &str, shape: &Shape) {
        match shape {
            Shape::Pointer(_) => match self.value(argument) {
                Shape::Pointer(_) => {}
                // The null pointer, or an address from elsewhere.
                Shape::Scalar(_) if matches!(argument.unconverted().kind, ExprKind::Int(_)) => self.convert(argument, self.abi().address()),
                _ if matches!(argument.kind, ExprKind::Error) => {}
                _ => {
                    if let ExprKind::Name(name) = &mut argument.kind {
                        let declared = name.decl.map(|id| self.decls[id.0 as usize].span).unwrap_or_default();
                        let message = format!("`{}` is a single integer, not an array", name.text);
                        let help = format!("declare it as an array, e.g. `int {0}[10]`, or pass its address `&{0}`", name.text);
                        self.report(Diagnostic::error("scalar-as-array", name.span, message).help(help).related(declared, "declared here"));
                    } else {
                        self.report(
                            Diagnostic::error(
                                "argument-kind",
                                argument.span,
                                format!("the parameter `{parameter}` needs an array or an address"),
                            )
                            .help("pass the name of an array, or an address `&x`"),
                        );
                    }
                }
            },
            Shape::Struct(_) => {
                if self.value(argument) != *shape && !super::constant::has_error(argument) {
                    self.wrong_struct(argument.span, parameter);
                }
            }
            _ => match shape.integer(self.abi()) {
                Some(integer) => self.value_as(argument, integer),
                None => {
                    self.scalar_value(argument);
                }
            },
        }
    }

    /// An argument of a function of which nothing is known.
    fn any_argument(&mut self, argument: &mut Expr) {
        if !matches!(argument.kind, ExprKind::Str(_)) {
            self.value(argument);
        }
    }

    fn wrong_count(&mut self, name: &Name, expected: usize, given: usize, declared: Option<(Span, Option<String>)>) {
        let display_name = library::written_name(&name.text);
        let plural = if expected == 1 { "" } else { "s" };
        let mut diagnostic =
            Diagnostic::error("argument-count", name.span, format!("`{display_name}` takes {expected} argument{plural}, not {given}"));
        if let Some((span, parameters)) = declared {
            let help = if given < expected { "give every parameter a value" } else { "leave out what is too much" };
            diagnostic = match parameters {
                // What is of the library is defined nowhere.
                Some(parameters) if self.library.names.contains(&name.text) => {
                    diagnostic.help(format!("{help}: `{display_name}({parameters})`"))
                }
                Some(parameters) => diagnostic.help(format!("{help}: `{display_name}({parameters})`")).related(span, "defined here"),
                None => diagnostic.help(help).related(span, "declared here"),
            };
        }
        self.report(diagnostic);
    }

    fn void_value(&mut self, name: &Name, declared: Option<Span>) {
        let mut diagnostic = Diagnostic::error("void-value", name.span, format!("`{}` gives back no value", name.text))
            .help("call it in a statement of its own");
        if let Some(span) = declared {
            diagnostic = diagnostic.related(span, "defined here");
        }
        self.report(diagnostic);
    }

    /// Checks a condition that is an argument. That of a pointer is a comparison with null: what follows pointers would take it for one that is
    /// passed on.
    fn condition_argument(&mut self, e: &mut Expr) {
        let is_object = matches!(e.kind, ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Deref(_));
        if is_object && !has_effect(e) {
            let before = self.diagnostics.len();
            let is_pointer = matches!(self.lvalue(&mut e.clone()), Shape::Pointer(_));
            self.diagnostics.truncate(before);
            if is_pointer {
                let span = e.span;
                let pointer = std::mem::replace(e, Expr::new(ExprKind::Error, span));
                let (expansion, parenthesised) = (pointer.expansion.clone(), pointer.parenthesised);
                let kind = ExprKind::Binary(BinaryOp::Ne, Box::new(pointer), Box::new(Expr::new(ExprKind::Int(Int::ZERO), span)));
                *e = Expr { expansion, parenthesised, ..Expr::new(kind, span) };
            }
        }
        self.truth(e);
    }

    fn intrinsic_call(&mut self, intrinsic: Intrinsic, name: &Name, arguments: &mut [Expr], used: bool) -> Shape {
        let result = intrinsic.result(self.abi()).map_or(Shape::Void, Shape::Scalar);
        if name.text == intrinsic::ASSERT_FAIL {
            return result;
        }
        if let Some(arity) = intrinsic.arity().filter(|&n| n != arguments.len()) {
            self.wrong_count(name, arity, arguments.len(), None);
        }
        if used && result == Shape::Void {
            self.void_value(name, None);
        }
        match intrinsic {
            Intrinsic::Assume | Intrinsic::Assert(_) => arguments.iter_mut().for_each(|argument| self.condition_argument(argument)),
            Intrinsic::Number(_) => {
                for argument in arguments {
                    self.scalar_value(argument);
                    self.convert(argument, Integer::Double);
                }
            }
            Intrinsic::Exit | Intrinsic::Absolute => {
                for argument in arguments {
                    self.scalar_value(argument);
                    self.convert(argument, Integer::Int);
                }
            }
            Intrinsic::First => {
                let ty = arguments.first_mut().map_or(Integer::Int, |argument| self.scalar_value(argument));
                arguments.iter_mut().skip(1).for_each(|argument| {
                    self.scalar_value(argument);
                });
                return Shape::Scalar(ty);
            }
            Intrinsic::Wraps => {
                let types: Vec<Integer> = arguments.iter_mut().map(|argument| self.scalar_value(argument)).collect();
                return types.last().map_or(Shape::INT, |ty| Shape::Scalar(*ty));
            }
            Intrinsic::Address => {
                arguments.iter_mut().for_each(|argument| self.any_argument(argument));
                return Shape::Pointer(Box::new(Shape::Void));
            }
            Intrinsic::SetObject | Intrinsic::CopyObject => arguments.iter_mut().for_each(|argument| {
                self.value(argument);
            }),
            Intrinsic::Nothing | Intrinsic::OfStream | Intrinsic::PrintOpen => {
                arguments.iter_mut().for_each(|argument| self.any_argument(argument))
            }
            Intrinsic::Scan => self.scan(arguments, name),
            Intrinsic::ArgumentValue => arguments.iter_mut().for_each(|argument| self.pointer_value(argument)),
            intrinsic if intrinsic.prints() => self.print(intrinsic, name, arguments),
            _ => arguments.iter_mut().for_each(|argument| {
                self.scalar_value(argument);
            }),
        }
        result
    }

    /// The arguments of `printf` and its like.
    fn print(&mut self, intrinsic: Intrinsic, name: &Name, arguments: &mut [Expr]) {
        let stream = usize::from(intrinsic == Intrinsic::PrintTo);
        for argument in arguments.iter_mut().skip(stream) {
            if matches!(argument.kind, ExprKind::Str(_)) {
                continue;
            }
            match self.value(argument) {
                Shape::Scalar(integer) => self.convert(argument, integer.passed(self.abi())),
                // Printed character by character.
                Shape::Pointer(inner) if matches!(*inner, Shape::Scalar(integer) if integer.size(self.abi()) == 1) => {}
                Shape::Pointer(_) if constant_has_error(argument) => {}
                Shape::Pointer(_) => self.report(
                    Diagnostic::error(
                        "unsupported-string",
                        argument.span,
                        format!("`{}` can print integers and fixed strings only", name.text),
                    )
                    .help("print the characters one by one"),
                ),
                _ => {}
            }
        }
    }

    fn call_without_body(&mut self, name: &Name, arguments: &mut [Expr], used: bool, prototype: &Prototype) -> Shape {
        let mut returns = prototype.returns.clone();
        let result = self.shape(&mut returns, false);
        let unknown = matches!(returns, Type::Opaque(_)) || matches!(result, Shape::Struct(_));
        if unknown {
            if self.reported.insert(name.text.clone()) {
                self.report(
                    Diagnostic::error("unsupported-type", name.span, format!("`{}` has a type that is not supported", name.text))
                        .help("define the function, or declare it with a type of integers")
                        .related(prototype.name.span, "declared here"),
                );
            }
        } else if let Some(expected) = prototype.arity().filter(|&expected| expected != arguments.len())
            && !self.poisoned.contains(name.text.as_str())
        {
            self.wrong_count(name, expected, arguments.len(), Some((prototype.name.span, None)));
        } else if used && result == Shape::Void {
            self.void_value(name, Some(prototype.name.span));
        } else if name.text != intrinsic::ANYTHING
            && !intrinsic::only_draws(&name.text, arguments.len())
            && self.without_body.insert(name.text.clone())
        {
            let result = if result == Shape::Void { "" } else { ", and give any value" };
            let message = format!("`{}` has no body: a call may change all that it can reach{result}", name.text);
            let diagnostic = Diagnostic::warning("function-without-body", name.span, message)
                .help("define it if it matters; what it can reach are globals that are not `static`, what it gets the address of, and what a caller passes by a pointer")
                .related(prototype.name.span, "declared here");
            self.report(diagnostic);
        }
        for argument in arguments {
            if matches!(argument.kind, ExprKind::Str(_)) {
                continue;
            }
            self.value(argument);
        }
        if unknown || result == Shape::Opaque { Shape::INT } else { result }
    }
}

fn constant_has_error(e: &Expr) -> bool {
    super::constant::has_error(e)
}
