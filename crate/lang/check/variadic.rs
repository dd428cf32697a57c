//! Variable arguments (C11 7.16). A call puts them into an array of structures, one for each: what it is, and its value. A parameter after the
//! others leads there, also in functions that get a `va_list`, which is the number of the next argument. Where no function reads any, none
//! is passed. An argument of another type than asked for, or one past the last, is undefined (7.16.1.1p2).

use super::super::ast::sugar::{ARGUMENT, ARGUMENT_LIST, ARGUMENTS, Sugar};
use super::super::ast::{
    DeclId, Designator, Expr, ExprKind, Function, Init, Item, Name, Parameter, Qualifiers, Shape, Stmt, StructId, Type,
};
use super::super::intrinsic::ONE_OF_FUNCTIONS;
use super::super::types::Integer;
use super::indirect::changes;
use super::{Checker, Signature};
use crate::logic::SortedSet;
use crate::source::{Diagnostic, Span};

/// What an argument is beside an integer of so many bytes.
const REAL: i64 = 100;
const TEXT: i64 = 101;

impl Signature {
    /// Whether it can be called with so many arguments.
    pub(super) fn takes(&self, arguments: usize) -> bool {
        let passed = usize::from(self.parameters.last().is_some_and(|(name, _)| name == ARGUMENTS));
        let own = self.parameters.len() - passed;
        own == arguments || self.variadic && own < arguments
    }
}

impl Checker<'_> {
    /// Gives the functions that read variable arguments, or call one that does, the parameter that leads to these.
    pub(super) fn pass_arguments_on(&mut self, functions: &mut [Function]) {
        let (Some(list), Some(argument)) = (self.structure_named(ARGUMENT_LIST), self.structure_named(ARGUMENT)) else { return };
        let takes_list =
            |function: &Function| function.variadic || function.parameters.iter().any(|parameter| leads_to(&parameter.ty, list));
        let mut found: SortedSet<String> = SortedSet::new();
        let uses: Vec<BodyUses> = functions.iter().map(BodyUses::of).collect();
        loop {
            let before = found.len();
            for (function, uses) in functions.iter().zip(&uses).filter(|(function, _)| takes_list(function)) {
                if uses.reads || uses.calls.iter().any(|name| found.contains(name)) {
                    found.insert(function.name.text.clone());
                }
            }
            if found.len() == before {
                break;
            }
        }
        for function in functions.iter_mut().filter(|function| found.contains(&function.name.text)) {
            let ty = Type::Pointer(Box::new(Type::Struct(argument)));
            let name = Name { text: ARGUMENTS.to_owned(), span: function.name.span, decl: None };
            function.parameters.push(Parameter { name, ty, qualifiers: Qualifiers::default(), decl: DeclId(u32::MAX) });
            if let Some(signature) = self.signatures.get_mut(&function.name.text) {
                signature.parameters.push((ARGUMENTS.to_owned(), Shape::Pointer(Box::new(Shape::Struct(argument)))));
            }
        }
    }

    fn structure_named(&self, name: &str) -> Option<StructId> {
        let at = self.structs.iter().position(|structure| structure.name == name)?;
        Some(StructId(u32::try_from(at).ok()?))
    }

    /// Makes of the arguments after the last parameter of a function one that leads to them, or leaves them out where none is read.
    pub(super) fn variable_arguments(&mut self, parameters: &[(String, Shape)], variadic: bool, arguments: &mut Vec<Expr>, span: Span) {
        let is_passed = parameters.last().is_some_and(|(name, _)| name == ARGUMENTS);
        let own = parameters.len() - usize::from(is_passed);
        if arguments.len() < own || !variadic && !is_passed {
            return;
        }
        if !variadic {
            if arguments.len() > own {
                return;
            }
            // Those of the function around.
            let kind = match self.lookup(ARGUMENTS) {
                Some(_) => ExprKind::Name(Name { text: ARGUMENTS.to_owned(), span, decl: None }),
                None => ExprKind::Int(0.into()),
            };
            return arguments.push(Expr::new(kind, span));
        }
        let mut others = arguments.split_off(own);
        if !is_passed {
            // Each is evaluated in front of the last parameter's value.
            others.iter().filter(|argument| !matches!(argument.kind, ExprKind::Str(_))).for_each(|argument| {
                self.value(&mut argument.clone());
            });
            others.retain(super::shape::has_effect);
            if let Some(last) = arguments.pop() {
                arguments.push(others.into_iter().rev().fold(last, |last, argument| {
                    let span = last.span;
                    Expr::new(ExprKind::Comma(Box::new(argument), Box::new(last)), span)
                }));
            }
            return;
        }
        let Some(argument) = self.structure_named(ARGUMENT) else { return };
        let mut list: Vec<Item> = others.into_iter().filter_map(|value| self.variable_argument(value)).collect();
        if list.is_empty() {
            list.push(argument_of(0, "whole", Expr::new(ExprKind::Int(0.into()), span), span));
        }
        let ty = Type::Array(Box::new(Type::Struct(argument)), None);
        let literal = Sugar::Literal(ty, Qualifiers::default(), Init::List(list, span));
        arguments.push(Expr::new(ExprKind::Sugar(Box::new(literal)), span));
    }

    fn variable_argument(&mut self, value: Expr) -> Option<Item> {
        let span = value.span;
        let before = self.diagnostics.len();
        let shape = self.value(&mut value.clone());
        if self.diagnostics.len() > before {
            return None;
        }
        match shape {
            Shape::Scalar(ty) => {
                let passed = ty.passed(self.abi());
                let (kind, member, ty) = match passed.format() {
                    Some(_) => (REAL, "real", Integer::Double),
                    None => (passed.size(self.abi()), "whole", Integer::LongLong),
                };
                let value = Expr::new(ExprKind::Cast(Type::Integer(ty), Box::new(value)), span);
                Some(argument_of(kind, member, value, span))
            }
            Shape::Pointer(inner) if self.is_text(&inner) => Some(argument_of(TEXT, "text", value, span)),
            _ => {
                let message = "of variable arguments that the function reads only numbers and strings are supported";
                self.report(Diagnostic::error("unsupported-variadic", span, message).help("give the function a parameter of this type"));
                None
            }
        }
    }

    fn is_text(&self, shape: &Shape) -> bool {
        matches!(shape, Shape::Scalar(ty) if ty.size(self.abi()) == 1 && *ty != Integer::Bool)
    }

    /// `va_start`: the next argument is the first.
    pub(super) fn argument_list_starts(&mut self, e: &mut Expr, list: Expr) -> Shape {
        let span = e.span;
        let target = Box::new(member(list, "next", span));
        e.kind = ExprKind::Assign { target, op: None, value: Box::new(Expr::new(ExprKind::Int(0.into()), span)), at: Integer::Int };
        self.expression(e, false);
        Shape::Void
    }

    /// `va_arg`: the next argument, which has to be of this type.
    pub(super) fn next_argument(&mut self, e: &mut Expr, list: Expr, mut ty: Type) -> Shape {
        let span = e.span;
        let shape = self.shape(&mut ty, false);
        let (kind, part) = match &shape {
            Shape::Scalar(ty) if ty.passed(self.abi()) != *ty => (0, "whole"),
            Shape::Scalar(ty) if ty.format().is_some() => (REAL, "real"),
            Shape::Scalar(ty) => (ty.size(self.abi()), "whole"),
            Shape::Pointer(inner) if self.is_text(inner) => (TEXT, "text"),
            _ => return self.no_argument(e, "of variable arguments only numbers and strings are supported"),
        };
        if self.lookup(ARGUMENTS).is_none() {
            return self.no_argument(e, "this function gets no variable arguments");
        }
        if changes(&list) {
            return self.no_argument(e, "the list is looked at several times here, so nothing may change in it");
        }
        let arguments = || Expr::new(ExprKind::Name(Name { text: ARGUMENTS.to_owned(), span, decl: None }), span);
        let indexed = |index| Expr::new(ExprKind::Index(Box::new(arguments()), Box::new(index)), span);
        let next = member(list, "next", span);
        let mut of_kind = member(indexed(next.clone()), "kind", span);
        self.value(&mut of_kind);
        let wanted = Expr::new(ExprKind::Int(kind.into()), span);
        let check = ExprKind::Call(Name { text: ONE_OF_FUNCTIONS.to_owned(), span, decl: None }, vec![of_kind, wanted]);
        let step = ExprKind::Step { target: Box::new(next), increment: true, prefix: false };
        let value = member(indexed(Expr::new(step, span)), part, span);
        let mut value = match &shape {
            Shape::Scalar(ty) => Expr::new(ExprKind::Cast(Type::Integer(*ty), Box::new(value)), span),
            _ => value,
        };
        self.value(&mut value);
        let ty = value.ty;
        let whole = Expr::new(ExprKind::Comma(Box::new(Expr::new(check, span)), Box::new(value)), span);
        (e.kind, e.depth, e.ty) = (whole.kind, whole.depth, ty);
        shape
    }

    fn no_argument(&mut self, e: &mut Expr, message: &str) -> Shape {
        self.report(Diagnostic::error("unsupported-variadic", e.span, message).help("list the parameters"));
        e.kind = ExprKind::Error;
        Shape::INT
    }
}

fn member(object: Expr, text: &str, span: Span) -> Expr {
    let name = Name { text: text.to_owned(), span, decl: None };
    Expr::new(ExprKind::Member(Box::new(object), name, 0), span)
}

fn argument_of(kind: i64, part: &str, value: Expr, span: Span) -> Item {
    let item = |name: &str, value| {
        let name = Name { text: name.to_owned(), span, decl: None };
        Item { designators: vec![Designator::Member(name)], value: Init::Expr(value), part_path: None }
    };
    let kind = item("kind", Expr::new(ExprKind::Int(kind.into()), span));
    Item { designators: Vec::new(), value: Init::List(vec![kind, item(part, value)], span), part_path: None }
}

/// Whether a type is this structure, or a pointer to it or array of it.
fn leads_to(ty: &Type, structure: StructId) -> bool {
    match ty {
        Type::Struct(id) => *id == structure,
        Type::Pointer(inner) | Type::Array(inner, _) => leads_to(inner, structure),
        _ => false,
    }
}

/// What a function's body does with variable arguments.
#[derive(Default)]
struct BodyUses {
    reads: bool,
    calls: SortedSet<String>,
}

impl BodyUses {
    fn of(function: &Function) -> BodyUses {
        let mut uses = BodyUses::default();
        let mut open: Vec<&Stmt> = function.body.iter().collect();
        while let Some(stmt) = open.pop() {
            stmt.expressions(&mut |e| uses.expression(e));
            stmt.children(&mut |child| open.push(child));
        }
        uses
    }

    fn expression(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Call(name, _) => {
                self.calls.insert(name.text.clone());
            }
            ExprKind::Sugar(sugar) => self.reads |= matches!(**sugar, Sugar::NextArgument(..)),
            _ => {}
        }
        e.kind.children(&mut |child| self.expression(child));
    }
}
