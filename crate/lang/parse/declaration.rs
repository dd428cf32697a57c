//! Declarations: the top level, types, declarators, parameters.

use super::super::ast::{Declarator, Function, Init, Parameter, Prototype};
use super::super::intrinsic;
use super::super::token::Kind;
use super::{NO_DECL, Parser};
use crate::source::{Diagnostic, Span};

/// The words in front of a declarator.
pub(super) struct Specifiers {
    pub span: Span,
    pub is_void: bool,
    pub is_static: bool,
}

/// What a refused type is called, why it is refused, and what to write instead.
fn refusal(kind: Kind, word: &str) -> Option<(&'static str, String, &'static str)> {
    Some(match kind {
        Kind::Unsigned => (
            "unsupported-type",
            "`unsigned` integers are not supported: values here do not wrap around".to_string(),
            "use `int`; say `assume(x >= 0);` where that matters",
        ),
        Kind::Float => {
            ("unsupported-type", format!("the type `{word}` is not supported: values here are integers"), "scale the values to integers")
        }
        Kind::Bool => ("unsupported-type", format!("the type `{word}` is not supported"), "use `int` with 0 and 1"),
        Kind::Struct => ("unsupported-struct", format!("`{word}` is not supported"), "use one variable for each member"),
        Kind::Enum => ("unsupported-enum", "`enum` is not supported".to_string(), "use `#define NAME value` and `int`"),
        Kind::Typedef => ("unsupported-typedef", "`typedef` is not supported".to_string(), "write the type itself, e.g. `int`"),
        _ => return None,
    })
}

impl<'s> Parser<'s, '_> {
    pub(super) fn translation_unit(&mut self) {
        while self.kind() != Kind::Eof {
            let before = self.at;
            self.external_declaration();
            self.nesting = 0;
            self.abandoned = false;
            self.braces.clear();
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
            _ if self.prototype() => {}
            kind if kind.starts_type() => self.declaration_or_function(),
            Kind::Ident => {
                let next = self.peek(1).kind;
                if next == Kind::LParen {
                    // Old C: a function without a type returns `int`.
                    let span = self.token().span;
                    self.after_specifiers(Specifiers { span, is_void: false, is_static: false });
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
            self.syntax_error(
                Diagnostic::error("unknown-type", token.span, format!("`{}` is not a type that is known here", super::shorten(text)))
                    .help("the types are `int`, `long`, `short`, `char`, `signed` and, for functions, `void`"),
            );
        }
        self.skip_declaration();
    }

    /// Reads a function declaration without body. Its types are not looked into: what matters is only its name.
    fn prototype(&mut self) -> bool {
        let mut i = 0;
        let mut unsupported = false;
        let mut is_void = false;
        loop {
            let kind = self.peek(i).kind;
            match kind {
                Kind::Attribute => {
                    i = self.after_parens(i + 1);
                    continue;
                }
                Kind::Ident if self.peek(i + 1).kind == Kind::LParen => break,
                Kind::Void => is_void = true,
                Kind::Star | Kind::Ident | Kind::Unsigned | Kind::Float | Kind::Bool | Kind::Struct | Kind::Enum => unsupported = true,
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
        while self.peek(end).kind == Kind::Attribute {
            end = self.after_parens(end + 1);
        }
        if self.peek(end).kind != Kind::Semi {
            return false;
        }
        self.at += end;
        self.bump();
        if intrinsic::find(self.text(name)).is_none() {
            let name = self.name(name);
            self.tree.prototypes.push(Prototype { name, returns_value: !is_void || unsupported, unsupported });
        }
        true
    }

    fn declaration_or_function(&mut self) {
        if let Some(specifiers) = self.specifiers() {
            self.after_specifiers(specifiers);
        }
    }

    /// Reads the words of a type. A type outside the subset is reported and the declaration skipped.
    pub(super) fn specifiers(&mut self) -> Option<Specifiers> {
        let start = self.token().span;
        let (mut is_void, mut is_static, mut has_base) = (false, false, false);
        loop {
            let token = self.token();
            match token.kind {
                Kind::Attribute => {
                    self.skip_attributes();
                    continue;
                }
                Kind::Static => is_static = true,
                Kind::Void => (is_void, has_base) = (true, true),
                Kind::Int | Kind::Long | Kind::Short | Kind::CharType | Kind::Signed => has_base = true,
                Kind::Extern | Kind::Qualifier => {}
                kind => match refusal(kind, self.text(token)) {
                    Some((code, message, help)) => {
                        self.refuse(Diagnostic::error(code, token.span, message).help(help));
                        self.skip_declaration();
                        return None;
                    }
                    None => break,
                },
            }
            self.bump();
        }
        if !has_base && self.kind() == Kind::Ident && self.peek(1).kind == Kind::Ident {
            self.unknown_type();
            return None;
        }
        Some(Specifiers { span: start.to(self.previous()), is_void, is_static })
    }

    fn after_specifiers(&mut self, specifiers: Specifiers) {
        if self.kind() == Kind::Ident && self.peek(1).kind == Kind::LParen {
            return self.function(specifiers);
        }
        if self.kind() == Kind::Star && self.function_follows() {
            self.refuse_pointer(self.token().span, "functions that return pointers are not supported");
            return self.skip_declaration();
        }
        let mut list = Vec::new();
        self.declarators(&specifiers, &mut list);
        self.tree.globals.append(&mut list);
    }

    fn function_follows(&self) -> bool {
        let stars = (0..).take_while(|&i| self.peek(i).kind == Kind::Star).count();
        self.peek(stars).kind == Kind::Ident && self.peek(stars + 1).kind == Kind::LParen
    }

    fn refuse_pointer(&mut self, span: Span, message: &str) {
        self.refuse(
            Diagnostic::error("unsupported-pointer", span, message)
                .help("pass an array as a parameter `int *a` or `int a[]` and use indices"),
        );
    }

    /// Reads `a, b[3] = {…}, c = 1;`.
    pub(super) fn declarators(&mut self, specifiers: &Specifiers, list: &mut Vec<Declarator>) {
        if self.eat(Kind::Semi).is_some() {
            return;
        }
        loop {
            match self.declarator(specifiers) {
                Some(declarator) => list.push(declarator),
                None if self.panicking => return self.recover(),
                None => {}
            }
            self.skip_attributes();
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        self.end_of_statement("missing-semicolon");
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

    fn declarator(&mut self, specifiers: &Specifiers) -> Option<Declarator> {
        if self.kind() == Kind::LParen {
            self.refuse_function_pointer();
            return None;
        }
        if self.kind() == Kind::Star {
            self.refuse_pointer(self.token().span, "pointer variables are not supported");
            self.skip_declarator();
            return None;
        }
        let token = self.token();
        if token.kind != Kind::Ident {
            self.unexpected("a name");
            return None;
        }
        self.bump();
        let name = self.name(token);
        if self.kind() == Kind::LParen {
            self.refuse(
                Diagnostic::error("unsupported-declaration", token.span, "a function cannot be declared among variables here")
                    .help("declare it in a line of its own outside of functions"),
            );
            self.poisoned.insert(self.text(token));
            self.skip_declarator();
            return None;
        }
        if specifiers.is_void {
            self.refuse(
                Diagnostic::error("void-variable", specifiers.span, format!("the variable `{}` cannot be `void`", name.text))
                    .help("use `int`"),
            );
            self.poisoned.insert(self.text(token));
            self.skip_declarator();
            return None;
        }
        let array = self.brackets(token.span)?;
        let mut init = None;
        if self.eat(Kind::Assign).is_some() {
            init = Some(self.initialiser()?);
        }
        let span = token.span.to(self.previous());
        Some(Declarator { name, array, init, is_static: specifiers.is_static, span, decl: NO_DECL })
    }

    fn refuse_function_pointer(&mut self) {
        let span = self.token().span;
        self.refuse(
            Diagnostic::error("unsupported-function-pointer", span, "function pointers and declarators in parentheses are not supported")
                .help("call the function by its name"),
        );
        self.skip_declarator();
    }

    /// Reads `[length]` or `[]`; the outer `None` says that the declarator was refused.
    #[allow(clippy::option_option, clippy::type_complexity)]
    fn brackets(&mut self, name: Span) -> Option<Option<Option<super::super::ast::Expr>>> {
        let Some(open) = self.eat(Kind::LBracket) else { return Some(None) };
        let length = if self.kind() == Kind::RBracket { None } else { Some(self.assignment_expression()) };
        self.close(Kind::RBracket, open.span);
        if self.kind() == Kind::LBracket {
            let span = name.to(self.token().span);
            self.refuse(
                Diagnostic::error("unsupported-array", span, "arrays of more than one dimension are not supported")
                    .help("use one dimension: `a[row * width + column]`"),
            );
            let text = self.source.get(name.start as usize..name.end as usize).unwrap_or("");
            self.poisoned.insert(text);
            self.skip_declarator();
            return None;
        }
        Some(Some(length))
    }

    fn initialiser(&mut self) -> Option<Init> {
        let Some(open) = self.eat(Kind::LBrace) else { return Some(Init::Expr(self.assignment_expression())) };
        let mut list = Vec::new();
        while !self.at_any(&[Kind::RBrace, Kind::Eof, Kind::Semi]) {
            if self.at_any(&[Kind::LBrace, Kind::LBracket, Kind::Member]) {
                let span = self.token().span;
                self.refuse(
                    Diagnostic::error("unsupported-initialiser", span, "only a plain list of values is supported here")
                        .help("list the elements in order: `{1, 2, 3}`"),
                );
                while self.kind() != Kind::Eof && self.kind() != Kind::RBrace && self.kind() != Kind::Semi {
                    if self.kind() == Kind::LBrace {
                        self.skip_balanced();
                    } else {
                        self.at += 1;
                    }
                }
                break;
            }
            list.push(self.assignment_expression());
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
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

    /// Skips the rest of one declarator (to a `,` or `;` outside brackets) and poisons its names.
    fn skip_declarator(&mut self) {
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

    fn function(&mut self, specifiers: Specifiers) {
        let token = self.bump();
        let name = self.name(token);
        if intrinsic::find(&name.text).is_some() {
            // The analyses know what it means; its body is not looked at.
            return self.skip_intrinsic();
        }
        if self.old_style_parameters() {
            self.refuse(
                Diagnostic::error("unsupported-old-style", token.span, "parameter types after the parentheses are not supported")
                    .help("write the types inside: `int f(int a, int b)`"),
            );
            self.poisoned.insert(self.text(token));
            return self.skip_declaration();
        }
        let before = self.diagnostics.len();
        let parameters = self.parameters();
        if self.diagnostics.len() > before {
            // What was refused among the parameters counts nothing at calls.
            self.poisoned.insert(self.text(token));
        }
        self.skip_attributes();
        if self.kind() != Kind::LBrace {
            if self.at_any(&[Kind::Comma, Kind::Semi]) {
                // One of several declarations in a line: only the name matters.
                self.tree.prototypes.push(Prototype { name, returns_value: !specifiers.is_void, unsupported: false });
                self.bump();
            } else {
                self.expect(Kind::LBrace, "`{`", "syntax");
                self.skip_declaration();
                self.poisoned.insert(self.text(token));
            }
            return;
        }
        let body = self.block_body();
        let end = self.previous();
        self.tree.functions.push(Function {
            name,
            returns_value: !specifiers.is_void,
            parameters,
            body,
            span: specifiers.span.to(end),
            end,
        });
    }

    /// Whether `(a, b)` is followed by declarations, as in the C of old.
    fn old_style_parameters(&self) -> bool {
        let end = self.after_parens(0);
        let after = self.peek(end).kind;
        let names = self.peek(1).kind == Kind::Ident && matches!(self.peek(2).kind, Kind::Comma | Kind::RParen);
        names && (after == Kind::LBrace || after == Kind::Ident || after.starts_type() && after != Kind::Attribute)
    }

    fn skip_intrinsic(&mut self) {
        while !self.at_any(&[Kind::LBrace, Kind::Semi, Kind::Eof]) {
            self.at += 1;
        }
        let open = self.token();
        if open.kind == Kind::LBrace {
            if !self.skip_balanced() {
                self.missing_brace(open.span);
            }
        } else {
            self.bump();
        }
    }

    fn parameters(&mut self) -> Vec<Parameter> {
        let open = self.bump().span;
        let mut list = Vec::new();
        if self.kind() == Kind::Void && self.peek(1).kind == Kind::RParen {
            self.bump();
        }
        while !self.at_any(&[Kind::RParen, Kind::Eof, Kind::LBrace, Kind::Semi]) {
            if let Some(parameter) = self.parameter() {
                list.push(parameter);
            }
            if self.panicking || self.eat(Kind::Comma).is_none() {
                break;
            }
            if self.kind() == Kind::RParen {
                self.unexpected("a parameter");
            }
        }
        self.close(Kind::RParen, open);
        if self.panicking {
            while !self.at_any(&[Kind::LBrace, Kind::Semi, Kind::Eof, Kind::RBrace]) {
                self.at += 1;
            }
        }
        list
    }

    fn parameter(&mut self) -> Option<Parameter> {
        let start = self.token();
        let mut has_base = false;
        let mut is_void = false;
        loop {
            let token = self.token();
            match token.kind {
                Kind::Void => (has_base, is_void) = (true, true),
                Kind::Int | Kind::Long | Kind::Short | Kind::CharType | Kind::Signed => has_base = true,
                Kind::Qualifier | Kind::Static | Kind::Extern => {}
                Kind::Attribute => {
                    self.skip_attributes();
                    continue;
                }
                Kind::Ellipsis => {
                    self.refuse(
                        Diagnostic::error("unsupported-variadic", token.span, "a variable number of arguments is not supported")
                            .help("list the parameters"),
                    );
                    self.bump();
                    return None;
                }
                kind => match refusal(kind, self.text(token)) {
                    Some((code, message, help)) => {
                        self.refuse(Diagnostic::error(code, token.span, message).help(help));
                        self.skip_declarator();
                        return None;
                    }
                    None => break,
                },
            }
            self.bump();
        }
        if !has_base {
            return self.untyped_parameter();
        }
        let mut stars = 0;
        while self.kind() == Kind::Star || self.kind() == Kind::Qualifier {
            stars += usize::from(self.kind() == Kind::Star);
            self.bump();
        }
        if self.kind() == Kind::LParen {
            self.refuse_function_pointer();
            return None;
        }
        let name = match self.eat(Kind::Ident) {
            Some(token) => self.name(token),
            None => super::super::ast::Name { text: String::new(), span: start.span.to(self.previous()), decl: None },
        };
        let array = self.brackets(name.span)?.is_some() || stars > 0;
        let problem = match (stars, is_void) {
            (2.., _) => Some("pointers to pointers are not supported"),
            (1, true) => Some("`void *` is not supported"),
            (_, true) => Some("a parameter cannot be `void`"),
            _ => None,
        };
        if let Some(problem) = problem {
            self.refuse_pointer(start.span.to(name.span), problem);
            let text = self.source.get(name.span.start as usize..name.span.end as usize).unwrap_or("");
            self.poisoned.insert(text);
            return None;
        }
        Some(Parameter { name, array, decl: NO_DECL })
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
}
