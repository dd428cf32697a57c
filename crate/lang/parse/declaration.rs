//! Declarations: the top level, variables and their first values, functions.

use super::super::ast::{
    Declarator, Designator, Enumerator, Expr, ExprKind, Function, Init, Item, Layout, Name, Parameter, Prototype, Qualifiers, Shape, Type,
};
use super::super::intrinsic;
use super::super::standard;
use super::super::token::{Kind, Token};
use super::super::types::Integer;
use super::literal::{bad_character, wide_characters};
use super::types::{AUTO, Declared, Parameters, Specifiers};
use super::{NO_DECL, Parser};
use crate::source::{Diagnostic, Span};

impl Parser<'_, '_> {
    pub(super) fn translation_unit(&mut self) {
        self.define_arguments();
        while self.kind() != Kind::Eof {
            let before = self.at;
            self.external_declaration();
            self.nesting = 0;
            self.abandoned = false;
            self.braces.clear();
            self.scopes.truncate(1);
            let mut enumerators = std::mem::take(&mut self.pending.enumerators);
            self.tree.enumerators.append(&mut enumerators);
            if self.at == before {
                self.bump();
            }
        }
    }

    fn external_declaration(&mut self) {
        match self.kind() {
            Kind::Semi => {
                self.bump();
            }
            Kind::RBrace => {
                let span = self.token().span;
                if !self.tree.unbalanced {
                    self.syntax_error(
                        Diagnostic::error("unexpected-brace", span, "this closing brace `}` closes nothing")
                            .help("remove it, or add the `{` that it belongs to"),
                    );
                }
                self.tree.unbalanced = true;
                self.bump();
            }
            Kind::StaticAssert => self.static_assertion(),
            _ if self.prototype() => {}
            _ if self.type_starts(0) => self.declaration_or_function(),
            Kind::Ident => {
                let next = self.peek(1).kind;
                if next == Kind::LParen {
                    // Old C: a function without a type returns `int`.
                    let span = self.token().span;
                    let specifiers = Specifiers {
                        span,
                        base: None,
                        is_static: false,
                        is_extern: false,
                        is_typedef: false,
                        qualifiers: Qualifiers::default(),
                    };
                    self.after_specifiers(&specifiers);
                } else if (next == Kind::Ident || next.starts_type())
                    && self.correct_keyword(&[Kind::Int, Kind::Void, Kind::CharType, Kind::Qualifier])
                {
                    self.declaration_or_function();
                } else if matches!(next, Kind::Ident | Kind::Star) {
                    self.unknown_type();
                } else {
                    self.statement_outside();
                }
            }
            kind => {
                if kind.starts_statement() {
                    return self.statement_outside();
                }
                self.unexpected("a function or a declaration");
                self.skip_declaration();
            }
        }
    }

    /// Reads `_Static_assert(condition, "text");`, which waits for the declaration's end as constants of enumerations do.
    pub(super) fn static_assertion(&mut self) {
        let word = self.bump();
        let open = self.token().span;
        if !self.expect(Kind::LParen, "`(`", "syntax") {
            return self.recover();
        }
        let value = self.conditional_expression();
        let mut text = String::new();
        if self.eat(Kind::Comma).is_some() {
            while let Some(part) = self.eat(Kind::Str) {
                text += self.text(part).trim_matches('"');
            }
        }
        self.close(Kind::RParen, open);
        let name = Name { text, span: word.span.to(self.previous()), decl: None };
        self.end_of_statement("missing-semicolon");
        self.pending.enumerators.push(Enumerator { name, value: Some(value), first: false, enumeration: 0, is_assertion: true });
    }

    fn statement_outside(&mut self) {
        let span = self.token().span;
        let message = format!("a statement stands outside of a function, at {}", self.found());
        self.syntax_error(
            Diagnostic::error("statement-outside", span, message).help("put statements into a function, e.g. `int main() { … }`"),
        );
        self.skip_declaration();
    }

    /// `name other …` where a declaration or statement starts: an unknown type, reported once, and skipped.
    pub(super) fn unknown_type(&mut self) {
        let token = self.token();
        let text = self.text(token);
        if !self.poisoned.contains(text) {
            let help = match standard::header_of_type(text) {
                Some((header, true)) => format!("write `#include <{header}>` above"),
                Some((header, false)) => format!("it is a type of `<{header}>`: leave such a part out"),
                None => format!("define it, e.g. `typedef int {};`, or use C's own types", super::shorten(text)),
            };
            let message = format!("`{}` is not a type that is known here", super::shorten(text));
            self.syntax_error(Diagnostic::error("unknown-type", token.span, message).help(help));
        }
        self.skip_declaration();
    }

    /// Reads a function declaration without body. It leaves open what it does not understand among the types: they may come from a header.
    fn prototype(&mut self) -> bool {
        let mut i = 0;
        loop {
            let kind = self.peek(i).kind;
            match kind {
                Kind::Attribute => {
                    i = self.after_parens(i + 1);
                    continue;
                }
                Kind::Ident if self.peek(i + 1).kind == Kind::LParen => break,
                Kind::Star | Kind::Ident => {}
                Kind::Typedef => return false,
                _ if kind.starts_type() => {}
                _ => return false,
            }
            i += 1;
        }
        if i == 0 {
            return false;
        }
        let name = self.peek(i);
        let mut end = self.after_parens(i + 1);
        let (parameters, variadic) = self.quiet_parameters(i + 1, end);
        while self.peek(end).kind == Kind::Attribute {
            end = self.after_parens(end + 1);
        }
        if self.peek(end).kind != Kind::Semi {
            return false;
        }
        let (returns, qualifiers) = self.quiet_type(0, i);
        self.gives_volatile(name, qualifiers);
        self.at += end;
        self.bump();
        self.declare_function(name, returns, parameters, variadic);
        true
    }

    fn declare_function(&mut self, name: Token, returns: Type, parameters: Option<Vec<Parameter>>, variadic: bool) {
        let name = self.name(name);
        self.hide_type(&name);
        if intrinsic::find(&name.text).is_none() {
            self.tree.prototypes.push(Prototype { name, returns, parameters, variadic });
        }
    }

    /// Notes that a function gives a pointer to something volatile back.
    fn gives_volatile(&mut self, name: Token, result: Qualifiers) {
        if result.names_volatile() {
            self.tree.volatile_results.insert(self.text(name).to_owned(), result);
        }
    }

    fn declaration_or_function(&mut self) {
        self.pending.layout = Layout::Natural;
        if let Some(specifiers) = self.specifiers() {
            self.after_specifiers(&specifiers);
        }
    }

    fn after_specifiers(&mut self, specifiers: &Specifiers) {
        let mut list = Vec::new();
        self.declarators(specifiers, &mut list);
        self.tree.globals.append(&mut list);
    }

    /// Reads `a, b[3] = {…}, c = 1;`, or a function at the top level.
    pub(super) fn declarators(&mut self, specifiers: &Specifiers, list: &mut Vec<Declarator>) {
        let inside = !self.braces.is_empty();
        let base = specifiers.base.clone().unwrap_or(Type::Integer(Integer::Int));
        if specifiers.is_typedef {
            return self.typedef_names(&base, specifiers.qualifiers);
        }
        if self.eat(Kind::Semi).is_some() {
            return;
        }
        let mut first = true;
        loop {
            let start = self.at;
            let declared = match self.declared(base.clone(), specifiers.qualifiers) {
                Some(declared) => declared,
                None => return self.recover(),
            };
            self.skip_attributes();
            let qualifiers = declared.qualifiers;
            match (declared.name, declared.ty, declared.parameters) {
                (Some(name), Type::Function(returns), Some(parameters)) => {
                    self.gives_volatile(name, qualifiers);
                    let begins = self.kind() == Kind::LBrace || !parameters.names.is_empty() && self.type_starts(0);
                    if begins && first && !inside {
                        return self.function(specifiers, name, *returns, parameters);
                    }
                    let said = !parameters.empty && parameters.names.is_empty() && !parameters.refused;
                    let variadic = self.pending.variadic.take().is_some();
                    self.declare_function(name, *returns, said.then_some(parameters.list), variadic);
                }
                (Some(name), ty, _) => {
                    if let Some(declarator) = self.variable(specifiers, name, (ty, qualifiers)) {
                        list.push(declarator);
                    } else if self.panicking {
                        return self.recover();
                    }
                }
                (None, ..) => {
                    self.at = start;
                    self.unexpected("a name");
                    return self.recover();
                }
            }
            first = false;
            self.skip_attributes();
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        self.end_of_statement("missing-semicolon");
    }

    fn declared(&mut self, base: Type, qualifiers: Qualifiers) -> Option<Declared> {
        if !self.at_any(&[Kind::Ident, Kind::Star, Kind::LParen, Kind::Qualifier, Kind::Attribute]) {
            self.unexpected("a name");
            return None;
        }
        self.declarator(base, qualifiers)
    }

    /// Steps over the `;` of a statement or declaration, or says that it is missing and gets going again.
    pub(super) fn end_of_statement(&mut self, code: &'static str) {
        if self.eat(Kind::Semi).is_some() {
            return;
        }
        let next = self.token();
        let same_line = !self.source.get(self.previous().end as usize..next.span.start as usize).unwrap_or("").contains('\n');
        if matches!(next.kind, Kind::RParen | Kind::RBracket) {
            self.unexpected("`;`");
        } else {
            self.expect(Kind::Semi, "`;`", code);
        }
        // A new statement clearly begins: nothing to skip.
        let starts =
            next.kind.starts_statement() || next.kind.starts_type() || matches!(next.kind, Kind::RBrace | Kind::LBrace | Kind::Eof);
        if starts || (!same_line && matches!(next.kind, Kind::Ident | Kind::PlusPlus | Kind::MinusMinus)) {
            self.panicking = false;
        } else {
            self.recover();
        }
    }

    /// A variable with its first value, if it has one.
    fn variable(&mut self, specifiers: &Specifiers, token: Token, (mut ty, qualifiers): (Type, Qualifiers)) -> Option<Declarator> {
        let name = self.name(token);
        self.hide_type(&name);
        let is_auto = matches!(ty, Type::Opaque(AUTO));
        let problem = if matches!(ty, Type::Void) {
            self.refuse(
                Diagnostic::error("void-variable", specifiers.span, format!("the variable `{}` cannot be `void`", name.text))
                    .help("use `int`"),
            );
            true
        } else {
            !is_auto && !self.usable(&ty, specifiers.span, "a variable")
        };
        if problem {
            self.poisoned.insert(self.text(token));
            self.skip_declarator();
            return None;
        }
        let mut init = None;
        if self.eat(Kind::Assign).is_some() {
            init = match self.wide_string(&ty) {
                Some(list) => Some(list),
                None => Some(self.initialiser()?),
            };
        }
        if is_auto {
            let Some(Init::Expr(value)) = &init else {
                self.usable(&ty, specifiers.span, "a variable without a value");
                return None;
            };
            // After a comma it is a value: no array.
            let zero = Expr::new(ExprKind::Int(0.into()), value.span);
            let value = Expr::new(ExprKind::Comma(Box::new(zero), Box::new(value.clone())), value.span);
            ty = Type::Typeof(Box::new(value));
        }
        let span = token.span.to(self.previous());
        let (is_static, is_extern) = (specifiers.is_static, specifiers.is_extern);
        Some(Declarator { name, ty, qualifiers, init, is_static, is_extern, span, decl: NO_DECL })
    }

    /// A string of wide characters as the first value of an array: a list of numbers.
    fn wide_string(&mut self, ty: &Type) -> Option<Init> {
        let (Type::Array(element, length), Some(kind)) = (ty, self.wide_type(self.token())) else { return None };
        if !matches!(**element, Type::Integer(integer) if integer == kind) {
            return None;
        }
        let span = self.token().span;
        let mut values = Vec::new();
        while let Some(part) = self.eat(Kind::Str) {
            let Some(mut numbers) = wide_characters(self.text(part), kind, self.tree.abi) else {
                self.refuse(bad_character(part.span, self.text(part)));
                break;
            };
            values.append(&mut numbers);
        }
        if length.is_none() {
            values.push(0);
        }
        let item = |value: i64| {
            let value = Expr { ty: kind, ..Expr::new(ExprKind::Int(value.into()), span) };
            item(Vec::new(), Init::Expr(value))
        };
        Some(Init::List(values.into_iter().map(item).collect(), span.to(self.previous())))
    }

    pub(super) fn initialiser(&mut self) -> Option<Init> {
        let Some(open) = self.eat(Kind::LBrace) else { return Some(Init::Expr(self.assignment_expression())) };
        if !self.enter() {
            self.leave();
            self.recover();
            return None;
        }
        let mut list = Vec::new();
        while !self.at_any(&[Kind::RBrace, Kind::Eof, Kind::Semi]) {
            let designators = self.designators();
            let Some(value) = self.initialiser() else {
                self.leave();
                return None;
            };
            list.push(item(designators, value));
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        self.leave();
        let span = open.span.to(self.token().span);
        if self.eat(Kind::RBrace).is_none() {
            let end = self.previous().end;
            let message = format!("expected `}}`, found {}", self.found());
            self.syntax_error(
                Diagnostic::error("unclosed", Span { start: end, end }, message)
                    .label("`}` is missing here")
                    .related(open.span, "opened here"),
            );
            return None;
        }
        Some(Init::List(list, span))
    }

    /// `.member = `, `[3] = ` or GNU's `member: ` in front of a value.
    fn designators(&mut self) -> Vec<Designator> {
        let mut list = Vec::new();
        if self.kind() == Kind::Ident && self.peek(1).kind == Kind::Colon {
            let member = self.bump();
            self.bump();
            return vec![Designator::Member(self.name(member))];
        }
        loop {
            match self.kind() {
                Kind::Member => {
                    self.bump();
                    match self.eat(Kind::Ident) {
                        Some(member) => list.push(Designator::Member(self.name(member))),
                        None => self.unexpected("a member's name"),
                    }
                }
                Kind::LBracket => {
                    let open = self.bump();
                    let index = self.conditional_expression();
                    list.push(match self.eat(Kind::Ellipsis) {
                        Some(_) => Designator::Range(index, self.conditional_expression()),
                        None => Designator::Index(index),
                    });
                    self.close(Kind::RBracket, open.span);
                }
                _ => break,
            }
        }
        if !list.is_empty() {
            self.eat(Kind::Assign);
        }
        list
    }

    /// Skips the rest of one declarator (to a `,` or `;` outside brackets) and poisons its names.
    pub(super) fn skip_declarator(&mut self) {
        loop {
            let token = self.token();
            match token.kind {
                Kind::Eof | Kind::Semi | Kind::Comma | Kind::RParen | Kind::RBrace => return,
                Kind::LParen | Kind::LBracket | Kind::LBrace => {
                    self.skip_balanced();
                }
                Kind::Ident => {
                    self.poisoned.insert(self.text(token));
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
    }

    fn function(&mut self, specifiers: &Specifiers, token: Token, returns: Type, parameters: Parameters) {
        let name = self.name(token);
        self.hide_type(&name);
        self.scopes.push(parameters.scope);
        let old_style = !parameters.names.is_empty();
        let list = if old_style { self.old_parameters(&parameters.names) } else { parameters.list };
        let mut refused = parameters.refused;
        let variadic = self.pending.variadic.take().is_some();
        if !self.usable(&returns, specifiers.span, "the result of a function") || !self.type_is_declared(&returns, specifiers.span) {
            refused = true;
        }
        if refused {
            // What was refused among the parameters counts nothing at calls.
            self.poisoned.insert(self.text(token));
        }
        if self.kind() != Kind::LBrace {
            self.expect(Kind::LBrace, "`{`", "syntax");
            self.skip_declaration();
            self.poisoned.insert(self.text(token));
            return;
        }
        let body = self.block_body();
        let end = self.previous();
        let span = specifiers.span.to(end);
        self.tree.functions.push(Function {
            name,
            returns,
            result: Shape::Void,
            parameters: list,
            body,
            span,
            end,
            library: false,
            is_static: specifiers.is_static,
            old_style,
            variadic,
            casts: Vec::new(),
        });
    }

    /// The declarations between the parentheses of old C's `f(a, b)` and the body; a name without one is an `int`.
    fn old_parameters(&mut self, names: &[Token]) -> Vec<Parameter> {
        let mut declared: Vec<Declarator> = Vec::new();
        while self.type_starts(0) {
            let Some(specifiers) = self.specifiers() else { break };
            // Not a body's declarations: functions may not begin there.
            self.braces.push(specifiers.span);
            self.declarators(&specifiers, &mut declared);
            self.braces.pop();
        }
        let mut list = Vec::new();
        for &token in names {
            let name: Name = self.name(token);
            let found = declared.iter().position(|declarator| declarator.name.text == name.text);
            list.push(match found {
                Some(at) => {
                    let declarator = declared.swap_remove(at);
                    let mut qualifiers = declarator.qualifiers;
                    if matches!(declarator.ty, Type::Array(..)) {
                        qualifiers = qualifiers.pointer();
                    }
                    Parameter { name: declarator.name, ty: declarator.ty, qualifiers, decl: NO_DECL }
                }
                None => Parameter { name, ty: Type::Integer(Integer::Int), qualifiers: Qualifiers::default(), decl: NO_DECL },
            });
        }
        for declarator in declared {
            self.refuse(
                Diagnostic::error("unknown-parameter", declarator.name.span, format!("`{}` is not a parameter", declarator.name.text))
                    .help("name it in the parentheses, or declare it inside the braces"),
            );
        }
        list
    }
}

/// A value of a list, of which it is not known yet where it goes.
fn item(designators: Vec<Designator>, value: Init) -> Item {
    Item { designators, value, part_path: None }
}
