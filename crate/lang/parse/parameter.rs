//! Parameters, and names for types.

use super::super::ast::{Layout, Name, Parameter, Qualifiers, Type};
use super::super::token::Kind;
use super::super::types::Integer;
use super::types::Parameters;
use super::{NO_DECL, Parser};
use crate::source::Diagnostic;

impl Parser<'_, '_> {
    /// Reads `(int a, int b)`, `(void)`, `()` or `(a, b)`.
    pub(super) fn parameters(&mut self) -> Parameters {
        let open = self.bump().span;
        let empty = self.kind() == Kind::RParen;
        let before = self.diagnostics.len();
        let (mut list, mut names) = (Vec::new(), Vec::new());
        // Their names mean nothing after the function.
        self.scopes.push(super::types::TypeScope::default());
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
                self.pending.variadic = Some(token.span);
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
        Parameters { list, names, empty, refused: self.diagnostics.len() > before, scope }
    }

    /// The parameters between two tokens, the parentheses, and whether any number of arguments may follow. It reports nothing; `None` where
    /// the parentheses say nothing of parameters, or it does not understand them.
    pub(super) fn quiet_parameters(&self, open: usize, end: usize) -> (Option<Vec<Parameter>>, bool) {
        let mut list = Vec::new();
        let (mut depth, mut start) = (0u32, open + 1);
        match (self.peek(start).kind, end.saturating_sub(open)) {
            (_, ..=2) => return (None, false),
            (Kind::Void, 3) => return (Some(list), false),
            // `f(a, b)`
            (Kind::Ident, _) if !self.type_starts(start) && matches!(self.peek(start + 1).kind, Kind::Comma | Kind::RParen) => {
                return (None, false);
            }
            _ => {}
        }
        for at in open..end {
            let kind = self.peek(at).kind;
            match kind {
                Kind::LParen | Kind::LBracket | Kind::LBrace => depth += 1,
                Kind::RParen | Kind::RBracket | Kind::RBrace => depth = depth.saturating_sub(1),
                Kind::Ellipsis if depth == 1 => return (Some(list), true),
                _ => {}
            }
            if kind == Kind::Comma && depth == 1 || at + 1 == end {
                list.push(self.quiet_parameter(start, at));
                start = at + 1;
            }
        }
        (Some(list), false)
    }

    fn quiet_parameter(&self, from: usize, to: usize) -> Parameter {
        let kinds = || (from..to).map(|at| self.peek(at).kind);
        let brackets = kinds().filter(|kind| *kind == Kind::LBracket).count();
        let mut at = kinds().position(|kind| kind == Kind::LBracket).map_or(to, |first| from + first);
        let mut name = Name { text: String::new(), span: self.peek(from).span, decl: None };
        // The name stands last, after at least one word of the type.
        if at > from + 1 && self.peek(at - 1).kind == Kind::Ident && !matches!(self.peek(at - 2).kind, Kind::Struct | Kind::Enum) {
            let before = from..at - 1;
            let typed = before.clone().any(|i| self.peek(i).kind != Kind::Qualifier);
            if typed {
                at -= 1;
                name = self.name(self.peek(at));
            }
        }
        let (mut ty, mut qualifiers) = self.quiet_type(from, at);
        if brackets > 0 {
            let element = if brackets == 1 { ty } else { Type::Opaque("unknown") };
            ty = Type::Pointer(Box::new(element));
            qualifiers = qualifiers.pointer();
        }
        if kinds().any(|kind| matches!(kind, Kind::LParen | Kind::LBrace)) {
            // Of function pointers and the like nothing is known.
            (ty, qualifiers) = (Type::Opaque("unknown"), Qualifiers::default());
            name.text.clear();
        }
        Parameter { name, ty, qualifiers, decl: NO_DECL }
    }

    fn parameter(&mut self) -> Option<Parameter> {
        let start = self.token();
        if !self.type_starts(0) {
            return self.untyped_parameter();
        }
        let specifiers = self.specifiers()?;
        let base = specifiers.base.unwrap_or(Type::Integer(Integer::Int));
        let declared = self.declarator(base, specifiers.qualifiers)?;
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
        } else if self.usable(&ty, specifiers.span, "a parameter") && self.type_is_declared(&ty, specifiers.span) {
            let mut qualifiers = declared.qualifiers;
            if matches!(ty, Type::Array(..)) {
                qualifiers = qualifiers.pointer();
            }
            return Some(Parameter { name, ty, qualifiers, decl: NO_DECL });
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
    pub(super) fn typedef_names(&mut self, base: &Type, qualifiers: Qualifiers) {
        loop {
            let Some(declared) = self.declarator(base.clone(), qualifiers) else {
                return self.recover();
            };
            match declared.name {
                Some(name) => {
                    let name = self.name(name);
                    self.type_is_declared(&declared.ty, name.span);
                    self.define_type(&name, declared.ty, declared.qualifiers);
                }
                None => self.unexpected("a name for the type"),
            }
            self.skip_attributes();
            if self.pending.layout == Layout::Unknown {
                let message = "a name for a type with an alignment of its own is not supported";
                self.refuse(Diagnostic::error("unsupported-attribute", self.previous(), message).help("write it at the variables"));
            }
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        self.end_of_statement("missing-semicolon");
    }
}
