//! The block language: procedures of labelled blocks with `assume`, assignments, calls and a `goto` that chooses freely.
//!
//! Source: CHS12, Section 2, Figure 1. A text whose first word is `proc` is in this language.
//!
//! ```text
//! proc NAME(a, b) returns r {
//!   l0: goto l1, l2;
//!   l1: assume a > 0; r := a + b; goto l3;
//!   l2: assume a <= 0; r := call other(b); goto l3;
//!   l3:
//! }
//! ```
//!
//! The parser reads it into the same tree as C, so that all later passes are shared: a block is a labelled statement,
//! `goto l1, l2;` is `if (nondet()) goto l1; else goto l2;`, the last block returns the value of `r`. So a choice is one decision for each
//! target but the last, and a test says how each falls out.
//!
//! Where the paper leaves something open: expressions are those of C without side effects, and `true` and `false`; variables are integers
//! and belong to their procedure, those without a value at first are inputs; execution starts in the first block.

use super::super::ast::{Declarator, Expr, ExprKind, Function, Name, Parameter, Qualifiers, Shape, Stmt, StmtKind, Type};
use super::super::intrinsic::{self, Intrinsic};
use super::super::suggest;
use super::super::token::{Kind, Token};
use super::super::types::Integer;
use super::{NO_DECL, Parser};
use crate::logic::{Int, SortedSet};
use crate::source::{Diagnostic, Span};

/// The type of everything.
const INTEGER: Type = Type::Integer(Integer::Int);

/// What a procedure mentions.
#[derive(Default)]
struct Mentioned {
    /// The variables, each with its first occurrence.
    names: Vec<Name>,
    declared: SortedSet<String>,
    /// The names after `call`.
    calls: Vec<Token>,
}

impl Mentioned {
    fn mention(&mut self, name: &Name) {
        if self.declared.insert(name.text.clone()) {
            self.names.push(name.clone());
        }
    }
}

impl Parser<'_, '_> {
    /// Whether the text is in the block language.
    pub(super) fn in_block_language(&self) -> bool {
        self.is_word(0, "proc") && self.peek(1).kind != Kind::LParen
    }

    fn is_word(&self, ahead: usize, word: &str) -> bool {
        self.peek(ahead).kind == Kind::Ident && self.text(self.peek(ahead)) == word
    }

    /// Reads the whole text.
    pub(super) fn procedures(&mut self) {
        let mut calls = Vec::new();
        while self.kind() != Kind::Eof {
            if self.is_word(0, "proc") {
                let mut mentioned = Mentioned::default();
                self.procedure(&mut mentioned);
                calls.append(&mut mentioned.calls);
            } else {
                self.unexpected("`proc`");
                self.next_procedure();
            }
        }
        for call in calls {
            self.check_call(call);
        }
    }

    /// That there is such a procedure; what belongs to C is not suggested here.
    fn check_call(&mut self, call: Token) {
        let text = self.text(call);
        let names = || self.tree.functions.iter().map(|function| function.name.text.as_str());
        if names().any(|name| name == text) || self.poisoned.contains(text) {
            return;
        }
        let help = match suggest::closest(text, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write it: `proc {} (…) returns r {{ … }}`", super::shorten(text)),
        };
        let message = format!("there is no procedure `{}`", super::shorten(text));
        self.refuse(Diagnostic::error("unknown-procedure", call.span, message).help(help));
        self.poisoned.insert(text);
    }

    fn procedure(&mut self, mentioned: &mut Mentioned) {
        let start = self.bump().span;
        let Some(name) = self.word("the procedure's name") else { return self.next_procedure() };
        let open = self.token().span;
        if !self.expect(Kind::LParen, "`(`", "syntax") {
            return self.next_procedure();
        }
        let mut parameters = Vec::new();
        while self.kind() == Kind::Ident {
            let name = self.name(self.token());
            self.bump();
            parameters.push(Parameter { name, ty: INTEGER, qualifiers: Qualifiers::default(), decl: NO_DECL });
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        self.close(Kind::RParen, open);
        let mut result = None;
        if self.is_word(0, "returns") {
            self.bump();
            result = self.word("the variable that is returned");
            self.one_result(result.as_ref());
        }
        let brace = self.token().span;
        if !self.expect(Kind::LBrace, "`{`", "syntax") {
            return self.next_procedure();
        }
        result.iter().for_each(|name| mentioned.mention(name));
        let mut body = Vec::new();
        let slips = self.diagnostics.len();
        let mut finals: Vec<Name> = Vec::new();
        let mut first = true;
        while self.kind() == Kind::Ident && !self.is_word(0, "proc") {
            let final_block = self.block(&mut body, mentioned, result.as_ref());
            first = false;
            finals.extend(final_block);
        }
        let end = self.token().span;
        if self.eat(Kind::RBrace).is_none() {
            match self.kind() {
                Kind::Eof => self.missing_brace(brace),
                _ if self.is_word(0, "proc") => self.missing_brace(brace),
                _ => self.unexpected("a label, as in `l0:`"),
            }
            self.next_procedure();
        } else if first {
            self.refuse(
                Diagnostic::error("no-block", brace.to(end), format!("the procedure `{}` has no block", name.text))
                    .help("write at least one, e.g. `l0:`"),
            );
        } else if !finals.is_empty() || self.diagnostics.len() == slips {
            // A `goto` that cannot be read says nothing of how the procedure ends.
            self.check_finals(&name, &finals);
        }
        let given: SortedSet<&str> = parameters.iter().map(|parameter| parameter.name.text.as_str()).collect();
        mentioned.names.retain(|variable| !given.contains(variable.text.as_str()));
        if !mentioned.names.is_empty() {
            let declare = |name: Name| Declarator {
                qualifiers: Qualifiers::default(),
                span: name.span,
                name,
                ty: INTEGER,
                init: None,
                is_static: false,
                is_extern: false,
                decl: NO_DECL,
            };
            let kind = StmtKind::Declare(Vec::new(), std::mem::take(&mut mentioned.names).into_iter().map(declare).collect());
            body.insert(0, Stmt { kind, span: brace });
        }
        let span = start.to(end);
        let returns = if result.is_some() { INTEGER } else { Type::Void };
        self.tree.functions.push(Function {
            name,
            returns,
            result: Shape::Void,
            parameters,
            body,
            span,
            end,
            library: false,
            is_static: false,
            old_style: false,
            variadic: false,
            casts: Vec::new(),
        });
    }

    /// Refuses further names after a result, and skips them.
    fn one_result(&mut self, first: Option<&Name>) {
        let mut span = self.token().span;
        if self.kind() != Kind::Comma {
            return;
        }
        while self.eat(Kind::Comma).is_some() && self.kind() == Kind::Ident {
            span = span.to(self.bump().span);
        }
        let name = first.map_or("r", |name| name.text.as_str());
        self.refuse(
            Diagnostic::error("several-results", span, "a procedure gives back one variable")
                .help(format!("keep `{name}`, and write a procedure of its own for each other result")),
        );
    }

    /// One final block, as the paper assumes.
    fn check_finals(&mut self, procedure: &Name, finals: &[Name]) {
        match finals {
            [_] => {}
            [] => self.refuse(
                Diagnostic::error("no-final-block", procedure.span, format!("the procedure `{}` has no final block", procedure.text))
                    .help("leave out the `goto` of the block in which it ends"),
            ),
            [first, others @ ..] => {
                for other in others {
                    self.refuse(
                        Diagnostic::error(
                            "two-final-blocks",
                            other.span,
                            format!("the block `{}` has no `goto`, but `{}` is the final block already", other.text, first.text),
                        )
                        .help(format!("write `goto {};` at its end, or name its successors", first.text))
                        .related(first.span, "the first block without `goto`"),
                    );
                }
            }
        }
    }

    /// Reads a block; gives its label where it is final.
    fn block(&mut self, body: &mut Vec<Stmt>, mentioned: &mut Mentioned, result: Option<&Name>) -> Option<Name> {
        let label = self.name(self.token());
        if self.peek(1).kind != Kind::Colon || self.assigns(1) {
            self.syntax_error(
                Diagnostic::error("statement-without-block", label.span, "a block starts with its label")
                    .help(format!("write a label and a colon in front of `{}`, e.g. `l1:`", super::shorten(&label.text))),
            );
            self.panicking = false;
        } else {
            self.bump();
            self.bump();
        }
        let empty = Stmt { kind: StmtKind::Empty, span: label.span };
        body.push(Stmt { kind: StmtKind::Labelled(label.clone(), Box::new(empty)), span: label.span });
        loop {
            match self.kind() {
                Kind::Goto => {
                    let jump = self.free_goto();
                    body.push(jump);
                    return None;
                }
                Kind::Ident if !self.is_word(0, "proc") && (self.peek(1).kind != Kind::Colon || self.assigns(1)) => {
                    let before = self.at;
                    let statement = self.block_statement(mentioned);
                    body.push(statement);
                    if self.at == before {
                        self.at += 1;
                    }
                }
                Kind::Semi => {
                    self.bump();
                }
                Kind::Ident | Kind::RBrace | Kind::Eof => break,
                _ => {
                    self.unexpected("`assume`, an assignment `x := …`, `goto` or a label");
                    self.at += 1;
                    self.recover();
                }
            }
        }
        let value = result.map(|name| Expr::new(ExprKind::Name(name.clone()), name.span));
        body.push(Stmt { kind: StmtKind::Return(value), span: label.span });
        Some(label)
    }

    /// Whether `:=` stands there: two tokens without a gap.
    fn assigns(&self, ahead: usize) -> bool {
        let (colon, equals) = (self.peek(ahead), self.peek(ahead + 1));
        colon.kind == Kind::Colon && equals.kind == Kind::Assign && colon.span.end == equals.span.start
    }

    fn block_statement(&mut self, mentioned: &mut Mentioned) -> Stmt {
        let start = self.token().span;
        let kind = match self.text(self.token()) {
            "assume" => {
                let token = self.bump();
                let assume = self.name(token);
                let condition = self.pure_expression(mentioned);
                StmtKind::Expr(Expr { span: start.to(self.previous()), ..Expr::new(ExprKind::Call(assume, vec![condition]), start) })
            }
            "call" => {
                self.bump();
                StmtKind::Expr(self.procedure_call(mentioned))
            }
            _ if self.assigns(1) => {
                let token = self.bump();
                let target = self.name(token);
                mentioned.mention(&target);
                self.bump();
                self.bump();
                let value = if self.is_word(0, "call") && self.peek(1).kind == Kind::Ident {
                    self.bump();
                    self.procedure_call(mentioned)
                } else {
                    self.pure_expression(mentioned)
                };
                let assignment = ExprKind::Assign {
                    target: Box::new(Expr::new(ExprKind::Name(target.clone()), target.span)),
                    op: None,
                    value: Box::new(value),
                    at: Integer::Int,
                };
                StmtKind::Expr(Expr { span: start.to(self.previous()), ..Expr::new(assignment, start) })
            }
            _ if self.peek(1).kind == Kind::Comma => {
                let token = self.bump();
                let target = self.name(token);
                self.one_result(Some(&target));
                self.panicking = true;
                self.recover();
                return Stmt { kind: StmtKind::Error, span: start };
            }
            _ if self.peek(1).kind == Kind::Assign => {
                let span = self.peek(1).span;
                self.syntax_error(Diagnostic::error("syntax", span, "`=` does not assign in the block language").help("write `:=`"));
                self.recover();
                return Stmt { kind: StmtKind::Error, span: start };
            }
            _ => {
                self.unexpected("`assume`, an assignment `x := …`, `goto` or a label");
                self.recover();
                return Stmt { kind: StmtKind::Error, span: start };
            }
        };
        let span = start.to(self.previous());
        if self.panicking {
            self.recover();
        } else {
            self.end_of_statement("missing-semicolon");
        }
        Stmt { kind, span }
    }

    /// `f(a, b)` after `call`.
    fn procedure_call(&mut self, mentioned: &mut Mentioned) -> Expr {
        let start = self.token().span;
        let token = self.token();
        let Some(name) = self.word("a procedure's name") else { return Expr::new(ExprKind::Error, start) };
        mentioned.calls.push(token);
        let open = self.token().span;
        if !self.expect(Kind::LParen, "`(`", "syntax") {
            return Expr::new(ExprKind::Error, start);
        }
        let mut arguments = Vec::new();
        while !self.at_any(&[Kind::RParen, Kind::Semi, Kind::Eof, Kind::RBrace]) {
            arguments.push(self.pure_expression(mentioned));
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        self.close(Kind::RParen, open);
        Expr { span: start.to(self.previous()), ..Expr::new(ExprKind::Call(name, arguments), start) }
    }

    /// `goto l1, l2, …;`: the first, or else the rest.
    fn free_goto(&mut self) -> Stmt {
        let word = self.bump().span;
        let mut targets = Vec::new();
        while let Some(target) = self.word("a label") {
            targets.push(target);
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        let span = word.to(self.previous());
        if self.panicking {
            self.recover();
        } else {
            self.end_of_statement("missing-semicolon");
        }
        let jump = |target: Name| Stmt { span: target.span, kind: StmtKind::Goto(target) };
        let Some(last) = targets.pop() else { return Stmt { kind: StmtKind::Error, span } };
        let choice = |span: Span| {
            let nondet = Name { text: "nondet".to_owned(), span, decl: None };
            Expr::new(ExprKind::Call(nondet, Vec::new()), span)
        };
        if targets.is_empty() {
            return Stmt { span, ..jump(last) };
        }
        let arms = targets.into_iter().map(|target| (choice(target.span), jump(target))).collect();
        Stmt { kind: StmtKind::If { arms, otherwise: Some(Box::new(jump(last))) }, span }
    }

    fn word(&mut self, what: &str) -> Option<Name> {
        if self.kind() != Kind::Ident {
            self.unexpected(what);
            return None;
        }
        let token = self.bump();
        Some(self.name(token))
    }

    /// To the next procedure, in silence.
    fn next_procedure(&mut self) {
        while self.kind() != Kind::Eof && !self.is_word(0, "proc") {
            self.at += 1;
        }
        self.panicking = false;
    }

    /// An expression without side effects.
    fn pure_expression(&mut self, mentioned: &mut Mentioned) -> Expr {
        let mut expr = self.assignment_expression();
        self.purify(&mut expr, mentioned);
        expr
    }

    /// Refuses side effects, reads `true` and `false`, and notes the variables. Expressions are not nested too deeply to recurse.
    fn purify(&mut self, expr: &mut Expr, mentioned: &mut Mentioned) {
        match &mut expr.kind {
            ExprKind::Name(name) => match name.text.as_str() {
                "true" => expr.kind = ExprKind::Int(Int::ONE),
                "false" => expr.kind = ExprKind::Int(Int::ZERO),
                _ => mentioned.mention(name),
            },
            ExprKind::Unary(_, operand) => self.purify(operand, mentioned),
            ExprKind::Binary(_, left, right) | ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.purify(left, mentioned);
                self.purify(right, mentioned);
            }
            ExprKind::Conditional(condition, left, right) => {
                self.purify(condition, mentioned);
                self.purify(left, mentioned);
                self.purify(right, mentioned);
            }
            ExprKind::Call(name, arguments)
                if arguments.is_empty() && matches!(intrinsic::find(&name.text), Some(Intrinsic::Nondet(_))) => {}
            ExprKind::Call(..) | ExprKind::CallAt(..) => {
                self.refuse(
                    Diagnostic::error("call-inside-expression", expr.span, "a call stands alone in the block language")
                        .help("assign its result first: `x := call f(…);`"),
                );
                expr.kind = ExprKind::Error;
            }
            ExprKind::Assign { target, value, .. } => {
                target.root().into_iter().for_each(|name| mentioned.mention(name));
                self.purify(value, mentioned);
                self.refuse(
                    Diagnostic::error("side-effect", expr.span, "expressions have no side effects in the block language")
                        .help("write `==` to compare, `:=` to assign"),
                );
            }
            ExprKind::Step { target, .. } => {
                target.root().into_iter().for_each(|name| mentioned.mention(name));
                self.refuse(
                    Diagnostic::error("side-effect", expr.span, "expressions have no side effects in the block language")
                        .help("write `x := x + 1;`"),
                );
            }
            ExprKind::Comma(left, right) => {
                self.purify(left, mentioned);
                self.purify(right, mentioned);
                self.refuse(
                    Diagnostic::error("side-effect", expr.span, "there is no comma operator in the block language")
                        .help("write two statements"),
                );
            }
            ExprKind::Index(..) => {
                self.refuse(
                    Diagnostic::error("unsupported-array", expr.span, "the block language has no arrays").help("write the program in C"),
                );
                expr.kind = ExprKind::Error;
            }
            ExprKind::Int(_) if expr.ty.format().is_none() => {}
            ExprKind::Str(_) | ExprKind::Error => {}
            ExprKind::Int(_)
            | ExprKind::Member(..)
            | ExprKind::Deref(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Cast(..)
            | ExprKind::Convert(_)
            | ExprKind::SizeofType(_)
            | ExprKind::Sugar(_)
            | ExprKind::SizeofExpr(_) => {
                self.refuse(
                    Diagnostic::error("not-in-block-language", expr.span, "the block language has integers and nothing else")
                        .help("write the program in C"),
                );
                expr.kind = ExprKind::Error;
            }
        }
    }
}
