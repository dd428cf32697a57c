//! Expressions, by precedence climbing.

use super::super::ast::sugar::Sugar;
use super::super::ast::{BinaryOp, Expr, ExprKind, MAX_EXPR_DEPTH, Name, Qualifiers, Type, UnaryOp};
use super::super::token::{Kind, Token};
use super::super::types::Integer;
use super::Parser;
use super::literal::{constant_type, string_bytes};
use crate::source::{Diagnostic, Span};

/// Binding strengths, weakest first.
mod power {
    pub const COMMA: u8 = 1;
    pub const ASSIGN: u8 = 2;
    pub const CONDITIONAL: u8 = 3;
    pub const OR: u8 = 4;
    pub const AND: u8 = 5;
    pub const BIT_OR: u8 = 6;
    pub const BIT_XOR: u8 = 7;
    pub const BIT_AND: u8 = 8;
    pub const EQUALITY: u8 = 9;
    pub const RELATION: u8 = 10;
    pub const SHIFT: u8 = 11;
    pub const SUM: u8 = 12;
    pub const PRODUCT: u8 = 13;
    pub const UNARY: u8 = 14;
}

fn infix(kind: Kind) -> Option<u8> {
    Some(match kind {
        Kind::Comma => power::COMMA,
        kind if kind.assigns() => power::ASSIGN,
        Kind::Question => power::CONDITIONAL,
        Kind::OrOr => power::OR,
        Kind::AndAnd => power::AND,
        Kind::Pipe => power::BIT_OR,
        Kind::Caret => power::BIT_XOR,
        Kind::Amp => power::BIT_AND,
        Kind::EqEq | Kind::Ne => power::EQUALITY,
        Kind::Lt | Kind::Le | Kind::Gt | Kind::Ge => power::RELATION,
        Kind::Shift => power::SHIFT,
        Kind::Plus | Kind::Minus => power::SUM,
        Kind::Star | Kind::Slash | Kind::Percent => power::PRODUCT,
        _ => return None,
    })
}

fn binary(kind: Kind, text: &str) -> Option<BinaryOp> {
    Some(match kind {
        Kind::Plus | Kind::PlusAssign => BinaryOp::Add,
        Kind::Minus | Kind::MinusAssign => BinaryOp::Sub,
        Kind::Star | Kind::StarAssign => BinaryOp::Mul,
        Kind::Slash | Kind::SlashAssign => BinaryOp::Div,
        Kind::Percent | Kind::PercentAssign => BinaryOp::Rem,
        Kind::Lt => BinaryOp::Lt,
        Kind::Le => BinaryOp::Le,
        Kind::Gt => BinaryOp::Gt,
        Kind::Ge => BinaryOp::Ge,
        Kind::EqEq => BinaryOp::Eq,
        Kind::Ne => BinaryOp::Ne,
        Kind::Amp => BinaryOp::And,
        Kind::Pipe => BinaryOp::Or,
        Kind::Caret => BinaryOp::Xor,
        Kind::Shift | Kind::BitAssign => match text.trim_end_matches('=') {
            "<<" => BinaryOp::ShiftLeft,
            ">>" => BinaryOp::ShiftRight,
            "&" => BinaryOp::And,
            "|" => BinaryOp::Or,
            "^" => BinaryOp::Xor,
            _ => return None,
        },
        _ => return None,
    })
}

impl Parser<'_, '_> {
    /// Reads an expression, commas included.
    pub(super) fn expression(&mut self) -> Expr {
        self.expression_above(power::COMMA)
    }

    /// Reads an expression without commas: an argument or an initialiser.
    pub(super) fn assignment_expression(&mut self) -> Expr {
        self.expression_above(power::ASSIGN)
    }

    /// Reads an expression without commas and assignments: a constant.
    pub(super) fn conditional_expression(&mut self) -> Expr {
        self.expression_above(power::CONDITIONAL)
    }

    /// Reads an expression that may decide, commas included.
    pub(super) fn deciding_expression(&mut self) -> Expr {
        self.condition_above(power::COMMA)
    }

    /// Reads an expression that may decide, whose operators bind at least as strongly as `least`.
    fn condition_above(&mut self, least: u8) -> Expr {
        let first = self.at;
        let mut expr = self.expression_above(least);
        self.note_expansion(first, &mut expr);
        expr
    }

    /// Reads an expression whose operators bind at least as strongly as `least`.
    fn expression_above(&mut self, least: u8) -> Expr {
        let start = self.token().span;
        if !self.enter() {
            self.leave();
            self.skip_expression();
            return Expr::new(ExprKind::Error, start);
        }
        let first = self.at;
        let mut left = self.unary();
        while let Some(strength) = infix(self.kind()).filter(|&s| s >= least) {
            if matches!(self.kind(), Kind::AndAnd | Kind::OrOr | Kind::Question) {
                self.note_expansion(first, &mut left);
            }
            let operator = self.bump();
            left = self.infix_expression(left, operator, strength);
        }
        self.leave();
        left
    }

    /// Skips what is nested too deep: to a `;`, a brace, or the parenthesis that closes it.
    fn skip_expression(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.kind() {
                Kind::Eof | Kind::Semi | Kind::LBrace | Kind::RBrace => return,
                Kind::LParen | Kind::LBracket => depth += 1,
                Kind::RParen | Kind::RBracket if depth == 0 => return,
                Kind::RParen | Kind::RBracket => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    fn infix_expression(&mut self, left: Expr, operator: Token, strength: u8) -> Expr {
        let start = left.span;
        let kind = match operator.kind {
            Kind::Comma => ExprKind::Comma(Box::new(left), Box::new(self.expression_above(strength + 1))),
            Kind::OrOr => ExprKind::Or(Box::new(left), Box::new(self.condition_above(strength + 1))),
            Kind::AndAnd => ExprKind::And(Box::new(left), Box::new(self.condition_above(strength + 1))),
            // GNU's `x ?: y`.
            Kind::Question if self.eat(Kind::Colon).is_some() => {
                let otherwise = self.condition_above(strength);
                ExprKind::Sugar(Box::new(Sugar::Otherwise(left, otherwise)))
            }
            Kind::Question => {
                let then = self.condition_above(power::COMMA);
                if self.eat(Kind::Colon).is_none() {
                    self.unexpected("`:` of `? :`");
                    ExprKind::Error
                } else {
                    let otherwise = self.condition_above(strength);
                    ExprKind::Conditional(Box::new(left), Box::new(then), Box::new(otherwise))
                }
            }
            _ if strength == power::ASSIGN => {
                // Right-associative: the value may be an assignment itself.
                let target = self.lvalue(left, operator.span, "assigned to");
                let value = Box::new(self.expression_above(strength));
                let op = binary(operator.kind, self.text(operator));
                match target {
                    Some(target) => ExprKind::Assign { target: Box::new(target), op, value, at: Integer::Int },
                    None => ExprKind::Error,
                }
            }
            _ => {
                let right = self.expression_above(strength + 1);
                match binary(operator.kind, self.text(operator)) {
                    Some(BinaryOp::And) if let Some(call) = classification(&left, &right) => call,
                    Some(op) => ExprKind::Binary(op, Box::new(left), Box::new(right)),
                    None => ExprKind::Error,
                }
            }
        };
        self.node(kind, start.to(self.previous()))
    }

    /// A node of the tree, unless the tree grows too deep with it.
    pub(super) fn node(&mut self, kind: ExprKind, span: Span) -> Expr {
        let expr = Expr::new(kind, span);
        if expr.depth <= MAX_EXPR_DEPTH {
            return expr;
        }
        self.syntax_error(
            Diagnostic::error("expression-too-long", span, format!("this expression has more than {MAX_EXPR_DEPTH} operators in a row"))
                .help("split it into several statements"),
        );
        Expr::new(ExprKind::Error, span)
    }

    /// What an assignment, `++` or `--` changes; says so if it cannot be changed.
    fn lvalue(&mut self, expr: Expr, operator: Span, what: &str) -> Option<Expr> {
        if expr.is_place() {
            return Some(expr);
        }
        if !matches!(expr.kind, ExprKind::Error) && !self.panicking {
            self.refuse(
                Diagnostic::error("not-assignable", expr.span, format!("this cannot be {what}"))
                    .label("neither a variable nor a part of one")
                    .related(operator, "needed by this operator"),
            );
        }
        None
    }

    fn unary(&mut self) -> Expr {
        let token = self.token();
        let kind = match token.kind {
            Kind::Plus | Kind::Minus | Kind::Not | Kind::Tilde => {
                self.bump();
                let op = match token.kind {
                    Kind::Plus => UnaryOp::Plus,
                    Kind::Minus => UnaryOp::Neg,
                    Kind::Tilde => UnaryOp::Complement,
                    _ => UnaryOp::Not,
                };
                ExprKind::Unary(op, Box::new(self.condition_above(power::UNARY)))
            }
            Kind::PlusPlus | Kind::MinusMinus => {
                self.bump();
                let operand = self.expression_above(power::UNARY);
                let increment = token.kind == Kind::PlusPlus;
                match self.lvalue(operand, token.span, if increment { "incremented" } else { "decremented" }) {
                    Some(target) => ExprKind::Step { target: Box::new(target), increment, prefix: true },
                    None => ExprKind::Error,
                }
            }
            Kind::AndAnd if self.peek(1).kind == Kind::Ident => {
                self.bump();
                let label = self.bump();
                self.computed_goto(token.span.to(label.span), "the address of a label is not supported");
                return Expr::new(ExprKind::Error, token.span.to(label.span));
            }
            Kind::Star | Kind::Amp => {
                self.bump();
                let operand = Box::new(self.expression_above(power::UNARY));
                match &operand.kind {
                    // What the library's headers write for `errno`.
                    ExprKind::Call(name, _) if token.kind == Kind::Star && name.text == "__errno_location" => {
                        ExprKind::Name(Name { text: "errno".to_owned(), ..name.clone() })
                    }
                    _ if token.kind == Kind::Star => ExprKind::Deref(operand),
                    _ => ExprKind::AddressOf(operand),
                }
            }
            Kind::Sizeof => {
                self.bump();
                let of_type = self.kind() == Kind::LParen && self.type_starts(1);
                if self.text(token) != "sizeof" {
                    if of_type {
                        let kind = self.alignment(token.span).unwrap_or(ExprKind::Error);
                        return self.node(kind, token.span.to(self.previous()));
                    }
                    self.unexpected("a type in parentheses");
                    return Expr::new(ExprKind::Error, token.span);
                }
                if of_type {
                    let open = self.bump();
                    let ty = self.named_value_type();
                    self.close(Kind::RParen, open.span);
                    match ty {
                        Some((ty, qualifiers)) if self.kind() == Kind::LBrace => {
                            ExprKind::SizeofExpr(Box::new(self.literal(ty, qualifiers, open.span)))
                        }
                        ty => ty.map_or(ExprKind::Error, |(ty, _)| ExprKind::SizeofType(ty)),
                    }
                } else {
                    ExprKind::SizeofExpr(Box::new(self.expression_above(power::UNARY)))
                }
            }
            Kind::LParen if self.type_starts(1) => return self.cast(),
            _ => return self.postfix(),
        };
        self.node(kind, token.span.to(self.previous()))
    }

    /// Reads `(type) operand`.
    fn cast(&mut self) -> Expr {
        let open = self.bump();
        let ty = self.named_value_type();
        self.close(Kind::RParen, open.span);
        if self.kind() == Kind::LBrace {
            let Some((ty, qualifiers)) = ty else {
                self.skip_balanced();
                return Expr::new(ExprKind::Error, open.span.to(self.previous()));
            };
            return self.literal(ty, qualifiers, open.span);
        }
        let operand = self.expression_above(power::UNARY);
        let qualifiers = ty.as_ref().map_or_else(Qualifiers::default, |(_, qualifiers)| *qualifiers);
        let kind = match ty {
            Some((ty @ Type::Pointer(_), qualifiers)) if is_number(&operand) => {
                ExprKind::Sugar(Box::new(Sugar::Address(ty, qualifiers, operand)))
            }
            Some((ty, _)) => ExprKind::Cast(ty, Box::new(operand)),
            None => ExprKind::Error,
        };
        let mut cast = self.node(kind, open.span.to(self.previous()));
        cast.volatile = qualifiers.volatile_bits();
        cast
    }

    /// Reads the list of a compound literal, and what stands after it.
    fn literal(&mut self, ty: Type, qualifiers: Qualifiers, open: Span) -> Expr {
        let init = self.initialiser();
        let span = open.to(self.previous());
        let kind = match init {
            Some(init) => ExprKind::Sugar(Box::new(Sugar::Literal(ty, qualifiers, init))),
            None => ExprKind::Error,
        };
        let literal = self.node(kind, span);
        self.postfix_of(literal)
    }

    /// Refuses a part of a jump to a computed label.
    pub(super) fn computed_goto(&mut self, span: Span, message: &str) {
        self.refuse(Diagnostic::error("unsupported-goto", span, message).help("jump to the labels by their names, e.g. in a `switch`"));
    }

    fn postfix(&mut self) -> Expr {
        let expr = self.primary();
        self.postfix_of(expr)
    }

    /// What stands after an operand.
    pub(super) fn postfix_of(&mut self, mut expr: Expr) -> Expr {
        loop {
            let token = self.token();
            let start = expr.span;
            let kind = match token.kind {
                Kind::LBracket => {
                    self.bump();
                    let index = self.expression();
                    self.close(Kind::RBracket, token.span);
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                Kind::LParen => {
                    let arguments = self.arguments();
                    match expr.kind {
                        ExprKind::Name(name) => ExprKind::Call(name, arguments),
                        ExprKind::Error => ExprKind::Error,
                        _ => ExprKind::CallAt(Box::new(expr), arguments),
                    }
                }
                Kind::PlusPlus | Kind::MinusMinus => {
                    let increment = token.kind == Kind::PlusPlus;
                    self.bump();
                    match self.lvalue(expr, token.span, if increment { "incremented" } else { "decremented" }) {
                        Some(target) => ExprKind::Step { target: Box::new(target), increment, prefix: false },
                        None => ExprKind::Error,
                    }
                }
                Kind::Member => {
                    let arrow = self.text(token) == "->";
                    self.bump();
                    match self.eat(Kind::Ident) {
                        Some(member) => {
                            let base = if arrow { Expr::new(ExprKind::Deref(Box::new(expr)), start) } else { expr };
                            ExprKind::Member(Box::new(base), self.name(member), 0)
                        }
                        None => {
                            self.unexpected("a member's name");
                            ExprKind::Error
                        }
                    }
                }
                _ => return expr,
            };
            let span = start.to(self.previous());
            expr = self.node(kind, span);
        }
    }

    fn arguments(&mut self) -> Vec<Expr> {
        let open = self.bump();
        let mut list = Vec::new();
        if self.kind() != Kind::RParen {
            loop {
                list.push(self.condition_above(power::ASSIGN));
                if self.panicking || self.eat(Kind::Comma).is_none() {
                    break;
                }
            }
        }
        self.close(Kind::RParen, open.span);
        list
    }

    fn primary(&mut self) -> Expr {
        let token = self.token();
        let kind = match token.kind {
            Kind::Ident => match self.special(token) {
                Some(kind) => return self.node(kind, token.span.to(self.previous())),
                None => ExprKind::Name(self.name(token)),
            },
            Kind::Number => self.number(token),
            Kind::Char => self.character(token),
            Kind::Str => {
                let mut bytes = Vec::new();
                loop {
                    if self.wide_type(self.token()).is_some() {
                        self.refuse(
                            Diagnostic::error("unsupported-string", self.token().span, "strings of wide characters are not supported here")
                                .help("have one fill an array of `wchar_t`"),
                        );
                    }
                    bytes.extend(string_bytes(self.text(self.token())));
                    if self.peek(1).kind != Kind::Str {
                        break;
                    }
                    self.bump();
                }
                ExprKind::Str(bytes)
            }
            // GNU's statements inside an expression.
            Kind::LParen if self.peek(1).kind == Kind::LBrace => return self.statement_expression(),
            Kind::LParen => {
                self.bump();
                let mut inner = self.expression();
                self.close(Kind::RParen, token.span);
                inner.span = token.span.to(self.previous());
                inner.parenthesised = true;
                return inner;
            }
            _ => {
                self.unexpected("an expression");
                return Expr::new(ExprKind::Error, token.span);
            }
        };
        let ty = match &kind {
            ExprKind::Int(value) if token.kind == Kind::Number => constant_type(self.text(token), value, self.tree.abi),
            ExprKind::Int(_) => self.wide_type(token).unwrap_or(Integer::Int),
            _ => Integer::Int,
        };
        self.bump();
        Expr { ty, ..self.node(kind, token.span.to(self.previous())) }
    }
}

/// Whether an expression is made of constants, sums and conversions, judging by its form, and is not zero.
fn is_number(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(value) => !value.is_zero(),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Mul | BinaryOp::Or | BinaryOp::ShiftLeft, a, b) => is_constant(a) && is_constant(b),
        ExprKind::Cast(Type::Integer(_), inner) => is_number(inner),
        _ => false,
    }
}

fn is_constant(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Int(_)) || is_number(e)
}

/// What the library's headers write for `isdigit(c)` and its like, `(*__ctype_b_loc())[(int)(c)] & (unsigned short)_ISdigit`, as that call.
fn classification(left: &Expr, right: &Expr) -> Option<ExprKind> {
    let (ExprKind::Index(table, index), ExprKind::Cast(_, class)) = (&left.kind, &right.kind) else { return None };
    let (ExprKind::Deref(call), ExprKind::Name(class)) = (&table.kind, &class.kind) else { return None };
    let ExprKind::Call(name, _) = &call.kind else { return None };
    let (class, ExprKind::Cast(_, argument)) = (class.text.strip_prefix("_IS")?, &index.kind) else { return None };
    let call = Name { text: format!("is{class}"), ..name.clone() };
    (name.text == "__ctype_b_loc").then(|| ExprKind::Call(call, vec![(**argument).clone()]))
}
