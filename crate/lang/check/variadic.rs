//! Variable arguments (C11 7.16). A call puts them into an array of structures, one for each: what it is, and its value. A parameter after the
//! others leads there, also in functions that get a `va_list`, which is the number of the next argument. Where no function reads any, none
//! is passed. An argument of another type than asked for, or one past the last, is undefined (7.16.1.1p2).
//!
//! A function may hand its list to a function without a body, which may write to all objects that arguments lead to, from then on. At a call
//! of such a function an approximated place stands in front, with the names in its pointers.

use super::super::ast::sugar::{ARGUMENT, ARGUMENT_LIST, ARGUMENTS, Sugar, each_expression};
use super::super::ast::{
    DeclId, Declarator, Designator, Expr, ExprKind, Function, Init, Item, Name, Parameter, Qualifiers, Shape, Stmt, StmtKind, StructId,
    Type,
};
use super::super::intrinsic::{APPROXIMATED, ONE_OF_FUNCTIONS};
use super::super::types::Integer;
use super::Checker;
use super::indirect::changes;
use crate::logic::SortedSet;
use crate::source::{Diagnostic, Span};

/// What an argument is beside an integer of so many bytes.
const REAL: i64 = 100;
const TEXT: i64 = 101;

/// Functions of the library that print what a list of arguments leads to: only the conversion `%n` writes to it.
const PRINTING: [&str; 6] = ["vprintf", "vfprintf", "vsprintf", "vsnprintf", "vdprintf", "vsyslog"];

/// Macros of `<stdarg.h>`, which are written as calls of functions.
const OF_LISTS: [&str; 7] =
    ["va_start", "va_end", "va_copy", "__builtin_va_start", "__builtin_c23_va_start", "__builtin_va_end", "__builtin_va_copy"];

/// What a call needs to know of a function.
pub(super) struct Signature {
    pub span: Span,
    pub result: Shape,
    /// For each parameter its name and shape.
    pub parameters: Vec<(String, Shape)>,
    pub variadic: bool,
    /// Whether its variable arguments may get to a function without a body.
    pub hands_on: bool,
}

impl Signature {
    /// Whether it can be called with so many arguments.
    pub(super) fn takes(&self, arguments: usize) -> bool {
        let passed = usize::from(self.parameters.last().is_some_and(|(name, _)| name == ARGUMENTS));
        let own = self.parameters.len() - passed;
        own == arguments || self.variadic && own < arguments
    }
}

impl Checker<'_> {
    /// Gives each function that reads variable arguments, or calls one that does, the parameter that leads to these arguments; and finds the
    /// functions that hand their list of arguments on.
    pub(super) fn pass_arguments_on(&mut self, functions: &mut [Function], globals: &[Declarator]) {
        self.library.counts_output = counts_output(functions, globals);
        let (Some(list), Some(argument)) = (self.structure_named(ARGUMENT_LIST), self.structure_named(ARGUMENT)) else { return };
        let takes_list =
            |function: &Function| function.variadic || function.parameters.iter().any(|parameter| leads_to(&parameter.ty, list));
        let mut found: SortedSet<String> = SortedSet::new();
        let uses: Vec<BodyUses> = functions.iter().map(|function| BodyUses::of(function, list)).collect();
        let members = self.structs.iter().flat_map(|structure| structure.members.iter().flatten());
        let is_kept = members.map(|member| &member.ty).chain(globals.iter().map(|global| &global.ty)).any(|ty| leads_to(ty, list));
        let mut handing: SortedSet<String> = SortedSet::new();
        loop {
            let before = handing.len();
            for (function, uses) in functions.iter().zip(&uses) {
                let has_body = |name: &String| functions.iter().any(|other| other.name.text == *name);
                let only_prints = |name: &String| PRINTING.contains(&name.as_str()) && !self.library.counts_output;
                let is_function = |name: &String| !OF_LISTS.contains(&name.as_str());
                let leaves = |name: &String| handing.contains(name) || is_function(name) && !has_body(name) && !only_prints(name);
                if is_kept || uses.elsewhere != 0 || uses.given_to.iter().any(leaves) {
                    handing.insert(function.name.text.clone());
                }
            }
            if handing.len() == before {
                break;
            }
        }
        for name in handing {
            if let Some(signature) = self.signatures.get_mut(&name) {
                signature.hands_on = signature.variadic;
            }
        }
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

    /// Makes of the arguments after the last parameter of a function one that leads to them, or leaves them out where none is read. Of a
    /// variadic function `passing` says whether it hands them on.
    pub(super) fn variable_arguments(
        &mut self,
        parameters: &[(String, Shape)],
        passing: Option<bool>,
        arguments: &mut Vec<Expr>,
        span: Span,
    ) {
        let variadic = passing.is_some();
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
        if passing == Some(true) {
            let reached = self.reached_by(&others, span);
            stand_before(reached, arguments);
        }
        if !is_passed {
            // Each is evaluated in front of the last parameter's value.
            others.iter().filter(|argument| !matches!(argument.kind, ExprKind::Str(_))).for_each(|argument| {
                self.value(&mut argument.clone());
            });
            others.retain(super::shape::has_effect);
            return stand_before(others, arguments);
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

    /// An approximated place that may write to what these arguments lead to; none where they lead nowhere.
    fn reached_by(&mut self, arguments: &[Expr], span: Span) -> Vec<Expr> {
        let mut reached = Vec::new();
        for argument in arguments.iter().filter(|argument| !matches!(argument.kind, ExprKind::Str(_))) {
            if matches!(self.value(&mut argument.clone()), Shape::Scalar(_)) {
                continue;
            }
            if calls_function(argument) {
                let message = "a function without a body gets this argument, and it is not followed where the result of a call leads";
                let help = "pass a variable that has the result, or give that function a body";
                self.report(Diagnostic::error("unsupported-variadic", argument.span, message).help(help));
            }
            names_in(argument, &mut reached);
        }
        if reached.is_empty() {
            return Vec::new();
        }
        let name = Name { text: APPROXIMATED.to_owned(), span, decl: None };
        vec![Expr::new(ExprKind::Call(name, reached), span)]
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

/// Has these evaluated in front of the last argument.
fn stand_before(others: Vec<Expr>, arguments: &mut Vec<Expr>) {
    let Some(last) = arguments.pop() else { return };
    arguments.push(others.into_iter().rev().fold(last, |last, other| {
        let span = last.span;
        Expr::new(ExprKind::Comma(Box::new(other), Box::new(last)), span)
    }));
}

/// The names in an expression; of what it takes the address of, the address.
fn names_in(e: &Expr, found: &mut Vec<Expr>) {
    match &e.kind {
        ExprKind::AddressOf(object) if object.root().is_some() => found.push(e.clone()),
        ExprKind::Name(_) => found.push(e.clone()),
        _ => {}
    }
    e.kind.children(&mut |child| names_in(child, found));
}

fn calls_function(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Call(..) | ExprKind::CallAt(..));
    e.kind.children(&mut |child| found = found || calls_function(child));
    found
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
    /// Its lists, and the functions that it gives one.
    lists: SortedSet<String>,
    given_to: SortedSet<String>,
    /// How often its lists are named other than as an argument of a call.
    elsewhere: i64,
}

impl BodyUses {
    fn of(function: &Function, list: StructId) -> BodyUses {
        let mut uses = BodyUses::default();
        let parameters = function.parameters.iter().filter(|parameter| leads_to(&parameter.ty, list));
        uses.lists = parameters.map(|parameter| parameter.name.text.clone()).collect();
        function.body.iter().for_each(|stmt| uses.declared(stmt, list));
        function.body.iter().for_each(|stmt| each_expression(stmt, &mut |e| uses.expression(e)));
        uses
    }

    fn declared(&mut self, stmt: &Stmt, list: StructId) {
        if let StmtKind::Declare(_, declarators) = &stmt.kind {
            let lists = declarators.iter().filter(|declarator| leads_to(&declarator.ty, list));
            self.lists.extend(lists.map(|declarator| declarator.name.text.clone()));
        }
        stmt.children(&mut |child| self.declared(child, list));
    }

    fn is_list(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Name(name) => self.lists.contains(&name.text),
            ExprKind::AddressOf(inner) | ExprKind::Deref(inner) => self.is_list(inner),
            _ => false,
        }
    }

    fn expression(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Call(name, arguments) => {
                let lists = arguments.iter().filter(|argument| self.is_list(argument)).count();
                if lists > 0 {
                    self.given_to.insert(name.text.clone());
                }
                self.elsewhere -= lists as i64;
                self.calls.insert(name.text.clone());
            }
            ExprKind::Name(_) if self.is_list(e) => self.elsewhere += 1,
            ExprKind::Sugar(sugar) => {
                if let Sugar::NextArgument(list, _) = &**sugar {
                    self.reads = true;
                    self.elsewhere -= i64::from(self.is_list(list));
                }
            }
            _ => {}
        }
        e.kind.children(&mut |child| self.expression(child));
    }
}

/// Whether a string of the program may be a format with the conversion `%n`: `%`, flags, widths and lengths, `n`.
fn counts_output(functions: &[Function], globals: &[Declarator]) -> bool {
    let mut found = false;
    let mut of = |e: &Expr| found = found || has_count(e);
    functions
        .iter()
        .filter(|function| !function.library)
        .flat_map(|function| &function.body)
        .for_each(|stmt| each_expression(stmt, &mut of));
    globals.iter().filter_map(|global| global.init.as_ref()).for_each(|init| init.expressions(&mut of));
    found
}

fn has_count(e: &Expr) -> bool {
    if let ExprKind::Str(bytes) = &e.kind {
        let between = |byte: &u8| byte.is_ascii_digit() || b" #+-.*'hjlLtz".contains(byte);
        let after = |at: usize| bytes[at + 1..].iter().find(|&byte| !between(byte));
        return (0..bytes.len()).any(|at| bytes[at] == b'%' && after(at) == Some(&b'n'));
    }
    let mut found = false;
    e.kind.children(&mut |child| found = found || has_count(child));
    found
}
