//! Expressions, by precedence climbing.

use super::super::ast::{BinaryOp, Expr, ExprKind, MAX_EXPR_DEPTH, Place, UnaryOp};
use super::super::token::{Kind, Token};
use super::Parser;
use crate::logic::Int;
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

fn binary(kind: Kind) -> Option<BinaryOp> {
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

    /// Reads an expression whose operators bind at least as strongly as `least`.
    fn expression_above(&mut self, least: u8) -> Expr {
        let start = self.token().span;
        if !self.enter() {
            self.leave();
            self.skip_expression();
            return Expr::new(ExprKind::Error, start);
        }
        let mut left = self.unary();
        while let Some(strength) = infix(self.kind()).filter(|&s| s >= least) {
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
            Kind::OrOr => ExprKind::Or(Box::new(left), Box::new(self.expression_above(strength + 1))),
            Kind::AndAnd => ExprKind::And(Box::new(left), Box::new(self.expression_above(strength + 1))),
            Kind::Question => {
                let then = self.expression();
                if self.eat(Kind::Colon).is_none() {
                    self.unexpected("`:` of `? :`");
                    ExprKind::Error
                } else {
                    let otherwise = self.expression_above(strength);
                    ExprKind::Conditional(Box::new(left), Box::new(then), Box::new(otherwise))
                }
            }
            Kind::Pipe | Kind::Caret | Kind::Amp | Kind::Shift | Kind::BitAssign => {
                self.bit_operator(operator);
                self.expression_above(if operator.kind == Kind::BitAssign { strength } else { strength + 1 });
                ExprKind::Error
            }
            _ if strength == power::ASSIGN => {
                // Right-associative: the value may be an assignment itself.
                let place = self.place(left, operator.span, "assigned to");
                let value = Box::new(self.expression_above(strength));
                match place {
                    Some(place) => ExprKind::Assign(place, binary(operator.kind), value),
                    None => ExprKind::Error,
                }
            }
            _ => {
                let right = self.expression_above(strength + 1);
                match binary(operator.kind) {
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

    fn bit_operator(&mut self, operator: Token) {
        let text = self.text(operator);
        let help = match operator.kind {
            Kind::Shift if text == "<<" => "multiply by a power of two instead",
            Kind::Shift => "divide by a power of two instead",
            Kind::Amp => "did you mean `&&`?",
            Kind::Pipe => "did you mean `||`?",
            _ => "use arithmetic or comparisons",
        };
        self.refuse(
            Diagnostic::error(
                "unsupported-operator",
                operator.span,
                format!("the bit operator `{text}` is not supported: values here are integers of any size"),
            )
            .help(help),
        );
    }

    /// What an assignment, `++` or `--` changes; says so if it cannot be changed.
    fn place(&mut self, expr: Expr, operator: Span, what: &str) -> Option<Place> {
        match expr.kind {
            ExprKind::Name(name) => Some(Place::Variable(name)),
            ExprKind::Index(name, index) => Some(Place::Element(name, index)),
            ExprKind::Error => None,
            _ => {
                if !self.panicking {
                    self.refuse(
                        Diagnostic::error("not-assignable", expr.span, format!("this cannot be {what}"))
                            .label("neither a variable nor an array element")
                            .related(operator, "needed by this operator"),
                    );
                }
                None
            }
        }
    }

    fn unary(&mut self) -> Expr {
        let token = self.token();
        let kind = match token.kind {
            Kind::Plus | Kind::Minus | Kind::Not => {
                self.bump();
                let op = match token.kind {
                    Kind::Plus => UnaryOp::Plus,
                    Kind::Minus => UnaryOp::Neg,
                    _ => UnaryOp::Not,
                };
                ExprKind::Unary(op, Box::new(self.expression_above(power::UNARY)))
            }
            Kind::PlusPlus | Kind::MinusMinus => {
                self.bump();
                let operand = self.expression_above(power::UNARY);
                let increment = token.kind == Kind::PlusPlus;
                match self.place(operand, token.span, if increment { "incremented" } else { "decremented" }) {
                    Some(place) => ExprKind::Step { place, increment, prefix: true },
                    None => ExprKind::Error,
                }
            }
            Kind::Star | Kind::Amp => {
                let (message, help) = if token.kind == Kind::Star {
                    ("following a pointer with `*` is not supported", "use an array element: `a[0]`")
                } else {
                    ("taking an address with `&` is not supported", "return the value, or pass an array")
                };
                self.refuse(Diagnostic::error("unsupported-pointer", token.span, message).help(help));
                self.bump();
                self.expression_above(power::UNARY);
                ExprKind::Error
            }
            Kind::Tilde => {
                self.bump();
                self.bit_operator(token);
                self.expression_above(power::UNARY);
                ExprKind::Error
            }
            Kind::Sizeof => {
                self.bump();
                self.refuse(Diagnostic::error("unsupported-sizeof", token.span, "`sizeof` is not supported").help("write the number"));
                if self.kind() == Kind::LParen {
                    self.skip_balanced();
                } else {
                    self.expression_above(power::UNARY);
                }
                ExprKind::Error
            }
            Kind::LParen if self.peek(1).kind.starts_type() => return self.cast(),
            _ => return self.postfix(),
        };
        self.node(kind, token.span.to(self.previous()))
    }

    /// Reads `(type) operand`. Casts between the integer types that lose nothing here are dropped.
    fn cast(&mut self) -> Expr {
        let open = self.bump();
        let mut harmless = true;
        while self.kind() != Kind::RParen {
            match self.kind() {
                Kind::Int | Kind::Long | Kind::Signed | Kind::Void | Kind::Qualifier => {}
                Kind::Eof | Kind::Semi | Kind::LBrace | Kind::RBrace => break,
                _ => harmless = false,
            }
            self.at += 1;
        }
        self.close(Kind::RParen, open.span);
        let span = open.span.to(self.previous());
        if !harmless {
            self.refuse(
                Diagnostic::error(
                    "unsupported-cast",
                    span,
                    format!("the cast `{}` is not supported", super::shorten(span.text(self.source))),
                )
                .help("only `(int)` and `(long)` are"),
            );
        }
        if self.kind() == Kind::LBrace {
            self.skip_balanced();
            return Expr::new(ExprKind::Error, span);
        }
        let mut operand = self.expression_above(power::UNARY);
        operand.span = open.span.to(operand.span);
        operand
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
                    match expr.kind {
                        ExprKind::Name(name) => ExprKind::Index(name, Box::new(index)),
                        ExprKind::Error => ExprKind::Error,
                        ExprKind::Index(..) => {
                            let span = start.to(self.previous());
                            self.refuse(
                                Diagnostic::error("unsupported-array", span, "arrays of more than one dimension are not supported")
                                    .help("use one dimension: `a[row * width + column]`"),
                            );
                            ExprKind::Error
                        }
                        _ => {
                            self.refuse(Diagnostic::error("not-an-array", start, "only a named array can be indexed"));
                            ExprKind::Error
                        }
                    }
                }
                Kind::LParen => {
                    let arguments = self.arguments();
                    match expr.kind {
                        ExprKind::Name(name) => ExprKind::Call(name, arguments),
                        ExprKind::Error => ExprKind::Error,
                        _ => {
                            self.refuse(Diagnostic::error("unsupported-function-pointer", start, "only a function's name can be called"));
                            ExprKind::Error
                        }
                    }
                }
                Kind::PlusPlus | Kind::MinusMinus => {
                    let increment = token.kind == Kind::PlusPlus;
                    self.bump();
                    match self.place(expr, token.span, if increment { "incremented" } else { "decremented" }) {
                        Some(place) => ExprKind::Step { place, increment, prefix: false },
                        None => ExprKind::Error,
                    }
                }
                Kind::Member => {
                    self.refuse(
                        Diagnostic::error("unsupported-struct", token.span, "members of structures are not supported")
                            .help("use one variable for each member"),
                    );
                    self.bump();
                    self.eat(Kind::Ident);
                    ExprKind::Error
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
                list.push(self.assignment_expression());
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
                while self.peek(1).kind == Kind::Str {
                    self.bump();
                }
                ExprKind::Str
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
        self.bump();
        self.node(kind, token.span.to(self.previous()))
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
            return ExprKind::Int(value);
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

/// The value of a character constant's inside, as gcc computes it for a signed `char`.
fn character_value(inner: &str) -> Option<i64> {
    let mut chars = inner.chars();
    let first = chars.next()?;
    if first != '\\' {
        return (chars.next().is_none() && first.is_ascii()).then_some(first as i64);
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
