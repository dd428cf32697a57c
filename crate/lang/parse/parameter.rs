//! Parameters, and names for types.

use super::super::ast::{Constness, Name, Parameter, Type};
use super::super::token::Kind;
use super::super::types::Integer;
use super::types::Parameters;
use super::{NO_DECL, Parser};
use crate::source::Diagnostic;

impl Parser<'_, '_> {
    /// Reads `(int a, int b)`, `(void)`, `()` or `(a, b)`.
    pub(super) fn parameters(&mut self) -> Parameters {
        let open = self.bump().span;
        let before = self.diagnostics.len();
        let (mut list, mut names) = (Vec::new(), Vec::new());
        // Their names mean nothing behind the function.
        self.scopes.push(super::types::Scope::default());
        if self.kind() == Kind::Void && self.peek(1).kind == Kind::RParen {
            self.bump();
        }
        let old = self.kind() == Kind::Ident && !self.type_starts(0) && matches!(self.peek(1).kind, Kind::Comma | Kind::RParen);
        while !self.at_any(&[Kind::RParen, Kind::Eof, Kind::LBrace, Kind::Semi]) {
            if old {
                match self.eat(Kind::Ident) {
                    Some(name) => names.push(name),
                    None => self.unexpected("a parameter"),
                }
            } else if self.kind() == Kind::Ellipsis {
                let token = self.bump();
                self.variadic = Some(token.span);
            } else if let Some(parameter) = self.parameter() {
                list.push(parameter);
            }
            if self.panicking || self.eat(Kind::Comma).is_none() {
                break;
            }
            if self.kind() == Kind::RParen {
                self.unexpected("a parameter");
            }
        }
        let scope = self.scopes.pop().unwrap_or_default();
        self.close(Kind::RParen, open);
        if self.panicking {
            while !self.at_any(&[Kind::LBrace, Kind::Semi, Kind::Eof, Kind::RBrace]) {
                self.at += 1;
            }
        }
        Parameters { list, names, refused: self.diagnostics.len() > before, scope }
    }

    fn parameter(&mut self) -> Option<Parameter> {
        let start = self.token();
        if !self.type_starts(0) {
            return self.untyped_parameter();
        }
        let specifiers = self.specifiers()?;
        let base = specifiers.base.unwrap_or(Type::Integer(Integer::Int));
        let declared = self.declarator(base, specifiers.constness)?;
        let ty = match declared.ty {
            // A function stands for a pointer to it.
            Type::Function(result) => Type::Pointer(Box::new(Type::Function(result))),
            ty => ty,
        };
        let span = start.span.to(self.previous());
        let name = match declared.name {
            Some(token) => {
                let name = self.name(token);
                self.hide_type(&name);
                name
            }
            None => Name { text: String::new(), span, decl: None },
        };
        self.skip_attributes();
        if matches!(ty, Type::Void) {
            self.refuse(Diagnostic::error("void-variable", span, "a parameter cannot be `void`").help("use `int`"));
        } else if self.usable(&ty, specifiers.span, "a parameter") {
            let mut constness = declared.constness;
            if matches!(ty, Type::Array(..)) {
                constness = constness.pointer();
            }
            return Some(Parameter { name, ty, constness, decl: NO_DECL });
        }
        if let Some(token) = declared.name {
            let text = self.text(token);
            self.poisoned.insert(text);
        }
        None
    }

    fn untyped_parameter(&mut self) -> Option<Parameter> {
        let token = self.token();
        if token.kind == Kind::Ident && matches!(self.peek(1).kind, Kind::Ident | Kind::Star) {
            if self.correct_keyword(&[Kind::Int, Kind::CharType, Kind::Qualifier]) {
                return self.parameter();
            }
            if !self.poisoned.contains(self.text(token)) {
                let text = super::shorten(self.text(token));
                self.refuse(
                    Diagnostic::error("unknown-type", token.span, format!("`{text}` is not a type that is known here")).help("write `int`"),
                );
            }
            self.skip_declarator();
        } else if token.kind == Kind::Ident && self.poisoned.contains(self.text(token)) {
            self.skip_declarator();
        } else if token.kind == Kind::Ident {
            let text = super::shorten(self.text(token));
            self.refuse(
                Diagnostic::error("missing-type", token.span, format!("the parameter `{text}` has no type"))
                    .help(format!("write `int {text}`")),
            );
            self.skip_declarator();
        } else {
            self.unexpected("a parameter");
        }
        None
    }

    /// Enters a `typedef`'s names into the scope.
    pub(super) fn typedef_names(&mut self, base: &Type, constness: Constness) {
        loop {
            let Some(declared) = self.declarator(base.clone(), constness) else {
                return self.recover();
            };
            match declared.name {
                Some(name) => {
                    let name = self.name(name);
                    self.define_type(&name, declared.ty, declared.constness);
                }
                None => self.unexpected("a name for the type"),
            }
            self.skip_attributes();
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        self.end_of_statement("missing-semicolon");
    }
}
