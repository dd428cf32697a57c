//! Expressions, by precedence climbing.

use super::super::ast::{BinaryOp, Expr, ExprKind, MAX_EXPR_DEPTH, UnaryOp};
use super::super::remarks::Oversized;
use super::super::token::{Kind, Token};
use super::super::types::Integer;
use super::Parser;
use crate::logic::Int;
use crate::source::bytes::{byte_of, encoded};
use crate::source::{Diagnostic, Span};

/// Digits that a constant may have.
const MAX_DIGITS: usize = 10_000;

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
        Kind::Assign
        | Kind::PlusAssign
        | Kind::MinusAssign
        | Kind::StarAssign
        | Kind::SlashAssign
        | Kind::PercentAssign
        | Kind::BitAssign => power::ASSIGN,
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
                    Some(op) => ExprKind::Binary(op, Box::new(left), Box::new(right)),
                    None => ExprKind::Error,
                }
            }
        };
        self.node(kind, start.to(self.previous()))
    }

    /// A node of the tree, unless the tree grows too deep with it.
    fn node(&mut self, kind: ExprKind, span: Span) -> Expr {
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
            Kind::Star | Kind::Amp => {
                self.bump();
                let operand = Box::new(self.expression_above(power::UNARY));
                if token.kind == Kind::Star { ExprKind::Deref(operand) } else { ExprKind::AddressOf(operand) }
            }
            Kind::Sizeof => {
                self.bump();
                if self.kind() == Kind::LParen && self.type_starts(1) {
                    let open = self.bump();
                    let ty = self.type_name();
                    self.close(Kind::RParen, open.span);
                    ty.map_or(ExprKind::Error, ExprKind::SizeofType)
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
        let ty = self.type_name();
        self.close(Kind::RParen, open.span);
        let span = open.span.to(self.previous());
        if self.kind() == Kind::LBrace {
            self.refuse(
                Diagnostic::error("unsupported-initialiser", span, "a list of values inside an expression is not supported")
                    .help("declare a variable with these values"),
            );
            self.skip_balanced();
            return Expr::new(ExprKind::Error, span);
        }
        let operand = self.expression_above(power::UNARY);
        let kind = match ty {
            Some(ty) => ExprKind::Cast(ty, Box::new(operand)),
            None => ExprKind::Error,
        };
        self.node(kind, open.span.to(self.previous()))
    }

    fn postfix(&mut self) -> Expr {
        let mut expr = self.primary();
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
            Kind::Ident => ExprKind::Name(self.name(token)),
            Kind::Number => self.number(token),
            Kind::Char => self.character(token),
            Kind::Str => {
                let mut bytes = Vec::new();
                loop {
                    bytes.extend(string_bytes(self.text(self.token())));
                    if self.peek(1).kind != Kind::Str {
                        break;
                    }
                    self.bump();
                }
                ExprKind::Str(bytes)
            }
            // GNU's statements inside an expression.
            Kind::LParen if self.peek(1).kind == Kind::LBrace => {
                self.refuse(
                    Diagnostic::error("unsupported-expression", token.span, "statements inside an expression are not supported")
                        .help("write them in front of the expression"),
                );
                self.skip_balanced();
                return Expr::new(ExprKind::Error, token.span.to(self.previous()));
            }
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
            ExprKind::Int(value) if token.kind == Kind::Number => constant_type(self.text(token), value),
            _ => Integer::Int,
        };
        self.bump();
        Expr { ty, ..self.node(kind, token.span.to(self.previous())) }
    }

    fn number(&mut self, token: Token) -> ExprKind {
        let text = self.text(token);
        let lower = text.to_ascii_lowercase();
        let digits = lower.trim_end_matches(['u', 'l']);
        let (digits, radix) = match digits.strip_prefix("0x") {
            Some(hex) => (hex, 16),
            None => match digits.strip_prefix("0b") {
                Some(bits) => (bits, 2),
                None if digits.len() > 1 && digits.starts_with('0') => (&digits[1..], 8),
                None => (digits, 10),
            },
        };
        if digits.len() > MAX_DIGITS {
            self.refuse(Diagnostic::error("constant-too-long", token.span, format!("this constant has more than {MAX_DIGITS} digits")));
            return ExprKind::Error;
        }
        let suffix = &lower[lower.trim_end_matches(['u', 'l']).len()..];
        let good_suffix = matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu");
        let readable = good_suffix && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_alphanumeric());
        if let Some(value) = readable.then(|| Int::parse_radix(digits, radix)).flatten() {
            let has_value = |ty: Integer| ty.range().contains(&value);
            let is_signed = radix == 10 && !suffix.contains('u');
            if !has_value(if is_signed { Integer::LongLong } else { Integer::UnsignedLongLong }) {
                self.tree.oversized.push(Oversized { span: token.span, lacks_suffix: has_value(Integer::UnsignedLongLong) });
            }
            return ExprKind::Int(value);
        }
        if let Some(below) = fraction(&lower) {
            return ExprKind::Fraction(below);
        }
        let float = radix == 10 && (lower.contains('.') || lower.contains('e')) || radix == 8 && lower.contains('.');
        let diagnostic = if float {
            Diagnostic::error("unsupported-float", token.span, format!("the number `{}` is not an integer", super::shorten(text)))
                .help("scale the values to integers")
        } else {
            let reason = if radix == 8 {
                "a number that starts with 0 is octal and has only the digits 0 to 7"
            } else {
                "check its digits and suffix"
            };
            Diagnostic::error("bad-number", token.span, format!("`{}` is not a number", super::shorten(text))).help(reason)
        };
        self.refuse(diagnostic);
        ExprKind::Error
    }

    fn character(&mut self, token: Token) -> ExprKind {
        let text = self.text(token);
        let inner = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or("");
        match character_value(inner) {
            Some(value) => ExprKind::Int(Int::from(value)),
            None => {
                self.refuse(
                    Diagnostic::error("bad-character", token.span, format!("`{}` is not one character", super::shorten(text)))
                        .help("write one ASCII character such as 'a', '\\n' or '\\x41'"),
                );
                ExprKind::Error
            }
        }
    }
}

/// The greatest integer below a decimal number with a fraction that is not zero; `None` for everything else, and for numbers so large that a
/// `double` may have no fraction.
fn fraction(text: &str) -> Option<Int> {
    let (whole, part) = text.trim_end_matches(['f', 'l']).split_once('.')?;
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let short = digits(whole) && digits(part) && whole.len() <= 9 && part.len() <= 15 && part.bytes().any(|b| b != b'0');
    if short { Int::parse(if whole.is_empty() { "0" } else { whole }) } else { None }
}

/// The type of an integer constant (C11 6.4.4.1p5): the first that has its value. What no type has gets the last.
fn constant_type(text: &str, value: &Int) -> Integer {
    use Integer::{Long, LongLong, UnsignedInt, UnsignedLong, UnsignedLongLong};
    let lower = text.to_ascii_lowercase();
    let suffix = &lower[lower.trim_end_matches(['u', 'l']).len()..];
    // The `b` and digits of a hexadecimal constant are no suffix, but neither are they `u` or `l`.
    let decimal = !lower.starts_with('0');
    let longs = suffix.matches('l').count();
    let all: &[Integer] = match (suffix.contains('u'), decimal) {
        (true, _) => &[UnsignedInt, UnsignedLong, UnsignedLongLong],
        (false, true) => &[Integer::Int, Long, LongLong],
        (false, false) => &[Integer::Int, UnsignedInt, Long, UnsignedLong, LongLong, UnsignedLongLong],
    };
    let long_enough = |ty: &Integer| match longs {
        0 => true,
        1 => ty.size() == 8,
        _ => matches!(ty, Integer::LongLong | Integer::UnsignedLongLong),
    };
    let mut candidates = all.iter().copied().filter(long_enough);
    let last = candidates.clone().next_back().unwrap_or(LongLong);
    candidates.find(|ty| ty.range().contains(value)).unwrap_or(last)
}

/// The bytes of a string literal with its quotes; escapes that mean nothing stand for themselves.
fn string_bytes(text: &str) -> Vec<u8> {
    let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or("");
    let mut bytes = Vec::new();
    let mut rest = inner;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\\' => escape_length(rest),
            _ => first.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        match part.strip_prefix('\\') {
            // A line that goes on.
            Some("\n" | "\r\n") => {}
            Some(_) => match character_value(part) {
                Some(value) => bytes.push(value as u8),
                None => bytes.extend_from_slice(&encoded(&part[1..])),
            },
            None => bytes.extend_from_slice(&encoded(part)),
        }
        rest = after;
    }
    bytes
}

/// How many bytes the escape takes that `text` starts with.
fn escape_length(text: &str) -> usize {
    let digits = |from: usize, most: usize, radix: u32| text[from..].chars().take(most).take_while(|c| c.is_digit(radix)).count();
    match text[1..].chars().next() {
        Some('x') => 2 + digits(2, usize::MAX, 16),
        Some('0'..='7') => 1 + digits(1, 3, 8),
        Some('\r') if text[2..].starts_with('\n') => 3,
        Some(c) => 1 + c.len_utf8(),
        None => 1,
    }
}

/// The value of a character constant's inside, as gcc computes it for a signed `char`.
fn character_value(inner: &str) -> Option<i64> {
    let mut chars = inner.chars();
    let first = chars.next()?;
    if first != '\\' {
        let value = byte_of(first).map_or(first as i64, |byte| i64::from(byte as i8));
        return (chars.next().is_none() && value < 128).then_some(value);
    }
    let rest = chars.as_str();
    let escape = chars.next()?;
    let simple = match escape {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        '\\' | '\'' | '"' | '?' => escape as i64,
        _ => {
            let (digits, radix) = if escape == 'x' { (chars.as_str(), 16) } else { (rest, 8) };
            let value = i64::from_str_radix(digits, radix).ok().filter(|v| (0..256).contains(v) && !digits.starts_with('+'))?;
            return Some(if value > 127 { value - 256 } else { value });
        }
    };
    chars.next().is_none().then_some(simple)
}
