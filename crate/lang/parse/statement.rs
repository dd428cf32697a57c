//! Statements.

use super::super::ast::{Expr, ExprKind, Layout, Stmt, StmtKind};
use super::super::token::Kind;
use super::Parser;
use crate::source::{Diagnostic, Span};

impl Parser<'_, '_> {
    /// Reads `{ … }`.
    pub(super) fn block_body(&mut self) -> Vec<Stmt> {
        let open = self.bump().span;
        self.braces.push(open);
        self.scopes.push(super::types::TypeScope::default());
        let mut list = Vec::new();
        loop {
            match self.kind() {
                Kind::RBrace => {
                    let close = self.bump().span;
                    if self.suspicious.is_none() && self.first_on_line(close) && self.indentation(close) < self.indentation(open) {
                        self.suspicious = Some(open);
                    }
                    break;
                }
                Kind::Eof => {
                    if !self.abandoned {
                        self.panicking = false;
                        self.missing_brace(open);
                        self.abandoned = true;
                    }
                    break;
                }
                _ if self.abandoned => break,
                _ if self.function_begins() && self.nested_function(open) => continue,
                _ if self.function_begins() => {
                    self.panicking = false;
                    self.missing_brace_before_function(open);
                    self.abandoned = true;
                    break;
                }
                _ => {}
            }
            let before = self.at;
            list.push(self.statement());
            if self.at == before {
                self.bump();
            }
        }
        self.braces.pop();
        self.scopes.pop();
        list
    }

    /// Whether a function's definition starts at the current token: inside a function that means a missing brace.
    fn function_begins(&self) -> bool {
        let mut i = 0;
        while self.peek(i).kind.starts_type() && self.peek(i).kind != Kind::Attribute && self.peek(i).kind != Kind::Struct {
            i += 1;
        }
        if i == 0 || self.peek(i).kind != Kind::Ident || self.peek(i + 1).kind != Kind::LParen {
            return false;
        }
        self.peek(self.after_parens(i + 1)).kind == Kind::LBrace
    }

    /// A function inside a function, unless it stands where only a function outside would: then a brace is missing.
    fn nested_function(&mut self, open: Span) -> bool {
        let token = self.token();
        let outermost = self.braces.first().copied().unwrap_or(open);
        if self.first_on_line(token.span) && self.indentation(token.span) <= self.indentation(outermost) {
            return false;
        }
        self.refuse(
            Diagnostic::error("unsupported-nested-function", token.span, "a function inside a function is not supported")
                .help("move it out; if it stands outside already, a closing brace `}` is missing before it"),
        );
        self.skip_declaration();
        true
    }

    fn missing_brace_before_function(&mut self, open: Span) {
        let culprit = self.suspicious.unwrap_or(open);
        let end = self.previous().end;
        self.syntax_error(
            Diagnostic::error("missing-brace", Span { start: end, end }, "a closing brace `}` is missing before this function")
                .label("a function begins inside another one")
                .related(culprit, "this brace is not closed"),
        );
        // The functions after this point are read normally: nothing is misread.
    }

    pub(super) fn statement(&mut self) -> Stmt {
        let start = self.token().span;
        if !self.enter() {
            self.leave();
            self.skip_statement();
            return Stmt { kind: StmtKind::Error, span: start };
        }
        let kind = self.statement_kind();
        self.leave();
        Stmt { kind, span: start.to(self.previous()) }
    }

    /// The body of what is named: one statement, but no declaration (6.8p1).
    fn body(&mut self, of: &str) -> Stmt {
        if self.declaration_starts() {
            let message = format!("a declaration cannot be the whole body of {of}");
            self.refuse(Diagnostic::error("declaration-as-body", self.token().span, message).help("put it between braces: `{ … }`"));
        }
        self.statement()
    }

    /// Skips a statement without reading it: a balanced block, or up to a `;`.
    fn skip_statement(&mut self) {
        loop {
            match self.kind() {
                Kind::Eof | Kind::RBrace => break,
                Kind::Semi => {
                    self.bump();
                    break;
                }
                Kind::LBrace => {
                    self.skip_balanced();
                    break;
                }
                _ => self.at += 1,
            }
        }
        self.panicking = false;
    }

    fn statement_kind(&mut self) -> StmtKind {
        let token = self.token();
        match token.kind {
            Kind::Semi => {
                self.bump();
                StmtKind::Empty
            }
            Kind::LBrace => StmtKind::Block(self.block_body()),
            Kind::If => self.if_statement(),
            Kind::While => {
                self.bump();
                let condition = self.condition("while");
                StmtKind::While { condition, body: Box::new(self.body("a `while`")) }
            }
            Kind::Do => self.do_statement(),
            Kind::For => self.for_statement(),
            Kind::Break | Kind::Continue => {
                self.bump();
                self.end_of_statement("missing-semicolon");
                if token.kind == Kind::Break { StmtKind::Break } else { StmtKind::Continue }
            }
            Kind::Return => {
                self.bump();
                let value = if self.kind() == Kind::Semi || self.kind() == Kind::RBrace { None } else { Some(self.expression()) };
                self.end_of_statement("missing-semicolon");
                StmtKind::Return(value)
            }
            Kind::Goto => self.goto_statement(),
            Kind::Switch => self.switch_statement(),
            Kind::Else => {
                self.syntax_error(
                    Diagnostic::error("else-without-if", token.span, "this `else` belongs to no `if`")
                        .help("an `if` with several statements needs braces around them"),
                );
                self.bump();
                self.panicking = false;
                self.statement();
                StmtKind::Error
            }
            Kind::Case => self.case_statement(),
            Kind::Default => {
                self.bump();
                self.expect(Kind::Colon, "`:`", "syntax");
                StmtKind::Default(Box::new(self.labelled_body(token.span)))
            }
            Kind::StaticAssert => {
                self.static_assertion();
                StmtKind::Declare(std::mem::take(&mut self.pending.enumerators), Vec::new())
            }
            _ if self.declaration_starts() => self.local_declaration(),
            Kind::Ident => self.identifier_statement(),
            _ => self.expression_statement(),
        }
    }

    /// The statement after a label; a label may be the last thing in a block.
    fn labelled_body(&mut self, label: Span) -> Stmt {
        if self.kind() == Kind::RBrace { Stmt { kind: StmtKind::Empty, span: label } } else { self.statement() }
    }

    /// A declaration inside a function.
    fn local_declaration(&mut self) -> StmtKind {
        let mut list = Vec::new();
        self.pending.layout = Layout::Natural;
        let specifiers = self.specifiers();
        if let Some(specifiers) = &specifiers {
            self.declarators(specifiers, &mut list);
        }
        let enumerators = std::mem::take(&mut self.pending.enumerators);
        if specifiers.is_none() && enumerators.is_empty() { StmtKind::Error } else { StmtKind::Declare(enumerators, list) }
    }

    /// `case value: statement`, or GNU's `case value ... last: statement`.
    fn case_statement(&mut self) -> StmtKind {
        let start = self.bump().span;
        let value = self.conditional_expression();
        let last = self.eat(Kind::Ellipsis).map(|_| self.conditional_expression());
        self.expect(Kind::Colon, "`:`", "syntax");
        let body = Box::new(self.labelled_body(start));
        StmtKind::Case { value, last, range: None, body }
    }

    fn expression_statement(&mut self) -> StmtKind {
        let expr = self.expression();
        if self.panicking {
            self.recover();
        } else {
            self.end_of_statement("missing-semicolon");
        }
        StmtKind::Expr(expr)
    }

    fn identifier_statement(&mut self) -> StmtKind {
        let token = self.token();
        let next = self.peek(1);
        match next.kind {
            Kind::Colon => {
                self.bump();
                self.bump();
                let name = self.name(token);
                self.skip_attributes();
                StmtKind::Labelled(name, Box::new(self.labelled_body(token.span)))
            }
            // `name (…) {` or `name (…) word`: a control word with a slip.
            Kind::LParen => {
                let after = self.peek(self.after_parens(1)).kind;
                let control = matches!(after, Kind::LBrace | Kind::Ident | Kind::Number) || after.starts_statement();
                let keywords = [Kind::If, Kind::While, Kind::For, Kind::Switch];
                if control && self.correct_keyword(&keywords) { self.statement_kind() } else { self.expression_statement() }
            }
            Kind::Ident | Kind::Number | Kind::LBrace | Kind::Semi | Kind::Minus if self.word_with_a_slip(next.kind) => {
                self.statement_kind()
            }
            Kind::Ident => {
                let same_line = !self.source.get(token.span.end as usize..next.span.start as usize).unwrap_or("").contains('\n');
                let follows = self.peek(2).kind;
                if same_line && matches!(follows, Kind::Semi | Kind::Assign | Kind::Comma | Kind::LBracket) {
                    self.unknown_type();
                    StmtKind::Error
                } else {
                    self.expression_statement()
                }
            }
            _ => self.expression_statement(),
        }
    }

    /// Whether the identifier here is a statement's word or type misspelt, judging by the token after it.
    fn word_with_a_slip(&mut self, next: Kind) -> bool {
        match next {
            Kind::Ident => self.correct_keyword(&[Kind::Return, Kind::Goto, Kind::Int, Kind::CharType, Kind::Else, Kind::Qualifier]),
            Kind::Number => self.correct_keyword(&[Kind::Return]),
            Kind::LBrace => self.correct_keyword(&[Kind::Else, Kind::Do]),
            Kind::Semi => {
                // `x;` is a statement; only a long word that resembles one is taken for it.
                let text = self.text(self.token());
                text.len() >= 5 && !self.source_mentions_twice(text) && self.correct_keyword(&[Kind::Break, Kind::Continue, Kind::Return])
            }
            _ => false,
        }
    }

    fn source_mentions_twice(&self, text: &str) -> bool {
        self.tokens.iter().filter(|t| t.kind == Kind::Ident && self.text(**t) == text).nth(1).is_some()
    }

    /// Reads `(condition)`.
    fn condition(&mut self, word: &str) -> Expr {
        let open = self.token().span;
        if self.eat(Kind::LParen).is_none() {
            let end = self.previous().end;
            let message = format!("expected `(` after `{word}`, found {}", self.found());
            self.syntax_error(
                Diagnostic::error("syntax", Span { start: end, end }, message)
                    .label("`(` is missing here")
                    .help(format!("write `{word} (condition)`")),
            );
            // Without parentheses the condition may still be readable.
            if self.at_any(&[Kind::LBrace, Kind::Semi, Kind::Eof, Kind::RBrace]) {
                return Expr::new(ExprKind::Error, open);
            }
            let expr = self.deciding_expression();
            self.eat(Kind::RParen);
            return expr;
        }
        let expr = self.deciding_expression();
        self.close_condition(open);
        expr
    }

    fn close_condition(&mut self, open: Span) {
        self.close(Kind::RParen, open);
        if self.panicking {
            // Go on with the body if its start can be seen.
            let mut depth = 1u32;
            let start = self.at;
            while depth > 0 && !self.at_any(&[Kind::Eof, Kind::LBrace, Kind::RBrace, Kind::Semi]) && !self.kind().starts_statement() {
                match self.kind() {
                    Kind::LParen => depth += 1,
                    Kind::RParen => depth -= 1,
                    _ => {}
                }
                self.at += 1;
            }
            if depth > 0 && !self.at_any(&[Kind::LBrace]) && !self.kind().starts_statement() {
                self.at = start;
            }
        }
    }

    fn if_statement(&mut self) -> StmtKind {
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            self.bump();
            let condition = self.condition("if");
            let body = self.body("an `if`");
            arms.push((condition, body));
            if self.kind() == Kind::Ident && matches!(self.peek(1).kind, Kind::If | Kind::LBrace) && !self.abandoned {
                self.correct_keyword(&[Kind::Else]);
            }
            if self.eat(Kind::Else).is_none() {
                break;
            }
            if self.kind() != Kind::If {
                otherwise = Some(Box::new(self.body("an `else`")));
                break;
            }
        }
        StmtKind::If { arms, otherwise }
    }

    fn do_statement(&mut self) -> StmtKind {
        self.bump();
        let body = Box::new(self.body("a `do`"));
        if self.eat(Kind::While).is_none() {
            let end = self.previous().end;
            let message = format!("expected `while` after the body of `do`, found {}", self.found());
            self.syntax_error(Diagnostic::error("syntax", Span { start: end, end }, message).label("`while (condition);` is missing here"));
            self.recover();
            return StmtKind::Error;
        }
        let condition = self.condition("while");
        self.end_of_statement("missing-semicolon");
        StmtKind::DoWhile { body, condition }
    }

    fn for_statement(&mut self) -> StmtKind {
        self.bump();
        let open = self.token().span;
        if !self.expect(Kind::LParen, "`(`", "syntax") {
            self.recover();
            return StmtKind::Error;
        }
        let start = self.token().span;
        self.scopes.push(super::types::TypeScope::default());
        let init = match self.kind() {
            Kind::Semi => {
                self.bump();
                None
            }
            _ if self.declaration_starts() => Some(self.local_declaration()),
            _ => {
                if self.kind() == Kind::Ident && self.peek(1).kind == Kind::Ident {
                    self.correct_keyword(&[Kind::Int, Kind::CharType]);
                }
                if self.kind().starts_type() {
                    Some(self.local_declaration())
                } else {
                    let expr = self.expression();
                    self.for_semicolon();
                    Some(StmtKind::Expr(expr))
                }
            }
        };
        let init = init.map(|kind| Box::new(Stmt { kind, span: start.to(self.previous()) }));
        let condition = if self.kind() == Kind::Semi { None } else { Some(self.deciding_expression()) };
        self.for_semicolon();
        let step = if self.kind() == Kind::RParen { None } else { Some(self.expression()) };
        self.close_condition(open);
        let body = Box::new(self.body("a `for`"));
        self.scopes.pop();
        StmtKind::For { init, condition, step, body }
    }

    fn for_semicolon(&mut self) {
        if self.eat(Kind::Semi).is_some() {
            return;
        }
        if self.kind() == Kind::Comma || self.kind() == Kind::RParen {
            self.unexpected("`;` (a `for` has three parts: `for (start; condition; step)`)");
        } else {
            self.expect(Kind::Semi, "`;`", "syntax");
        }
    }

    fn goto_statement(&mut self) -> StmtKind {
        self.bump();
        match self.eat(Kind::Ident) {
            Some(token) => {
                let name = self.name(token);
                self.end_of_statement("missing-semicolon");
                StmtKind::Goto(name)
            }
            None if self.kind() == Kind::Star => {
                let star = self.bump().span;
                let to = self.expression();
                self.computed_goto(star.to(to.span), "a jump to a computed label is not supported");
                self.end_of_statement("missing-semicolon");
                StmtKind::Error
            }
            None => {
                self.unexpected("a label");
                self.recover();
                StmtKind::Error
            }
        }
    }

    fn switch_statement(&mut self) -> StmtKind {
        self.bump();
        let value = self.condition("switch");
        StmtKind::Switch { value, body: Box::new(self.statement()) }
    }
}
