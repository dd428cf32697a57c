//! The condition of `#if`: integers of 64 bits, signed or not (C11 6.10.1).

use super::{PendingToken, Preprocessor, is_word};
use crate::lang::token::{Kind, Token};
use crate::lang::types::{Abi, Integer};
use crate::logic::Int;
use crate::source::bytes::encoded;
use crate::source::{Diagnostic, Span};

/// How deep conditions may nest.
const MAX_NESTING: u32 = 200;

/// A value: the bits, and whether they are read without a sign.
#[derive(Clone, Copy)]
struct ConditionValue {
    bits: i64,
    unsigned: bool,
}

impl ConditionValue {
    fn truth(holds: bool) -> ConditionValue {
        ConditionValue { bits: i64::from(holds), unsigned: false }
    }
}

/// What is wrong with a condition, and where; nothing if that was said already.
struct Wrong(Option<(Span, String)>);

impl Preprocessor<'_> {
    /// The value of the condition after `#if`; `None` (and a message) if it has none.
    pub(super) fn condition(&mut self, line: &[Token], whole: Span) -> Option<bool> {
        let items = self.items(line);
        let before = std::mem::replace(&mut self.expansion.in_condition, true);
        let said = self.diagnostics.len();
        let items = self.expand_all(items);
        self.expansion.in_condition = before;
        if self.diagnostics.len() > said {
            return None;
        }
        let mut evaluator = Evaluator {
            abi: self.abi(),
            text: self.text,
            items: &items,
            at: 0,
            nesting: 0,
            end: Span { start: whole.end, end: whole.end },
        };
        let result = evaluator.ternary(true).and_then(|value| match items.get(evaluator.at) {
            None => Ok(value),
            Some(_) => Err(evaluator.expected("an operator")),
        });
        match result {
            Ok(value) => Some(value.bits != 0),
            Err(Wrong(Some((span, message)))) => {
                let span = self.in_source(span);
                let help = "only integers, operators, and `defined(NAME)` may stand here";
                self.diagnostics.push(Diagnostic::error("bad-condition", span, message).help(help));
                None
            }
            Err(Wrong(None)) => None,
        }
    }

    /// `defined NAME` or `defined(NAME)`, whose first word has been read.
    pub(super) fn defined_operator(&mut self, item: PendingToken) -> PendingToken {
        let mut next = self.raw();
        let paren = next.is_some_and(|i| i.token.kind == Kind::LParen);
        if paren {
            next = self.raw();
        }
        let name = next.filter(|i| self.is_name(i.token));
        let closed = !paren || self.raw().is_some_and(|i| i.token.kind == Kind::RParen);
        let Some(name) = name.filter(|_| closed) else {
            let span = self.in_source(item.token.span);
            self.diagnostics.push(Diagnostic::error("bad-condition", span, "`defined` needs a name").help("write `defined(NAME)`"));
            return item;
        };
        let letters = if self.defined(self.letters(name.token)).is_some() { "1" } else { "0" };
        PendingToken { token: self.make(Kind::Number, letters, item.token.span), ..item }
    }
}

struct Evaluator<'e> {
    abi: Abi,
    text: &'e str,
    items: &'e [PendingToken],
    at: usize,
    nesting: u32,
    end: Span,
}

/// How tightly an operator of two operands binds.
fn strength(operator: &str) -> Option<u32> {
    Some(match operator {
        "*" | "/" | "%" => 10,
        "+" | "-" => 9,
        "<<" | ">>" => 8,
        "<" | ">" | "<=" | ">=" => 7,
        "==" | "!=" => 6,
        "&" => 5,
        "^" => 4,
        "|" => 3,
        "&&" => 2,
        "||" => 1,
        _ => return None,
    })
}

impl<'e> Evaluator<'e> {
    fn peek(&self) -> &'e str {
        self.items.get(self.at).map_or("", |item| item.token.spelling.text(self.text))
    }

    fn span(&self) -> Span {
        self.items.get(self.at).map_or(self.end, |item| item.token.span)
    }

    fn expected(&self, what: &str) -> Wrong {
        // The scanner spoke about what it could not read.
        if self.items.get(self.at).is_some_and(|i| i.token.kind == Kind::Unknown) {
            return Wrong(None);
        }
        let found = match self.peek() {
            "" => "the end of the line".to_string(),
            text => format!("`{}`", super::shorten(text)),
        };
        Wrong(Some((self.span(), format!("expected {what}, found {found}"))))
    }

    /// Only operands that are `live` may fail to have a value.
    fn ternary(&mut self, live: bool) -> Result<ConditionValue, Wrong> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(Wrong(Some((self.span(), format!("this is nested more than {MAX_NESTING} levels deep")))));
        }
        let condition = self.binary(1, live)?;
        let mut value = condition;
        if self.peek() == "?" {
            self.at += 1;
            let holds = condition.bits != 0;
            let first = self.ternary(live && holds)?;
            if self.peek() != ":" {
                return Err(self.expected("`:` of `? :`"));
            }
            self.at += 1;
            let second = self.ternary(live && !holds)?;
            value = ConditionValue { bits: if holds { first.bits } else { second.bits }, unsigned: first.unsigned || second.unsigned };
        }
        self.nesting -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u32, live: bool) -> Result<ConditionValue, Wrong> {
        let mut left = self.unary(live)?;
        loop {
            let operator = self.peek();
            let span = self.span();
            let Some(strength) = strength(operator).filter(|&s| s >= least) else { return Ok(left) };
            self.at += 1;
            let decided = matches!((operator, left.bits != 0), ("&&", false) | ("||", true));
            let right = self.binary(strength + 1, live && !decided)?;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None if !live => ConditionValue::truth(false),
                None => return Err(Wrong(Some((span, "division by zero".into())))),
            };
        }
    }

    fn unary(&mut self, live: bool) -> Result<ConditionValue, Wrong> {
        let first = self.at;
        while matches!(self.peek(), "+" | "-" | "!" | "~") {
            self.at += 1;
        }
        let operators = first..self.at;
        let mut value = self.primary(live)?;
        for at in operators.rev() {
            value = match self.items[at].token.spelling.text(self.text) {
                "-" => ConditionValue { bits: value.bits.wrapping_neg(), ..value },
                "~" => ConditionValue { bits: !value.bits, ..value },
                "!" => ConditionValue::truth(value.bits == 0),
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self, live: bool) -> Result<ConditionValue, Wrong> {
        let text = self.peek();
        let kind = self.items.get(self.at).map(|i| i.token.kind);
        let value = match kind {
            Some(Kind::LParen) => {
                self.at += 1;
                let value = self.ternary(live)?;
                if self.peek() != ")" {
                    return Err(self.expected("`)`"));
                }
                value
            }
            Some(Kind::Number) => {
                number(text).ok_or_else(|| Wrong(Some((self.span(), format!("`{}` is no integer of 64 bits", super::shorten(text))))))?
            }
            Some(Kind::Char) => character(text, self.abi).ok_or_else(|| self.expected("a character"))?,
            // Also keywords: no name means anything here.
            _ if is_word(text) => ConditionValue::truth(false),
            _ => return Err(self.expected("a value")),
        };
        self.at += 1;
        Ok(value)
    }
}

/// `None` for a division by zero.
fn apply(operator: &str, a: ConditionValue, b: ConditionValue) -> Option<ConditionValue> {
    let unsigned = a.unsigned || b.unsigned;
    let (x, y) = (a.bits, b.bits);
    let (ux, uy) = (x as u64, y as u64);
    let value = |bits: i64| ConditionValue { bits, unsigned };
    let less = if unsigned { ux < uy } else { x < y };
    Some(match operator {
        "*" => value(x.wrapping_mul(y)),
        "/" if y == 0 => return None,
        "%" if y == 0 => return None,
        "/" => value(if unsigned { (ux / uy) as i64 } else { x.wrapping_div(y) }),
        "%" => value(if unsigned { (ux % uy) as i64 } else { x.wrapping_rem(y) }),
        "+" => value(x.wrapping_add(y)),
        "-" => value(x.wrapping_sub(y)),
        "<<" | ">>" => {
            let left = (operator == "<<") != (!b.unsigned && y < 0);
            ConditionValue { bits: shift(a, left, if b.unsigned { uy } else { y.unsigned_abs() }), unsigned: a.unsigned }
        }
        "<" => ConditionValue::truth(less),
        ">=" => ConditionValue::truth(!less),
        ">" => ConditionValue::truth(!less && x != y),
        "<=" => ConditionValue::truth(less || x == y),
        "==" => ConditionValue::truth(x == y),
        "!=" => ConditionValue::truth(x != y),
        "&" => value(x & y),
        "^" => value(x ^ y),
        "|" => value(x | y),
        "&&" => ConditionValue::truth(x != 0 && y != 0),
        _ => ConditionValue::truth(x != 0 || y != 0),
    })
}

fn shift(a: ConditionValue, left: bool, by: u64) -> i64 {
    let by = u32::try_from(by).unwrap_or(u32::MAX);
    match (left, a.unsigned) {
        (true, _) => a.bits.checked_shl(by).unwrap_or(0),
        (false, true) => (a.bits as u64).checked_shr(by).unwrap_or(0) as i64,
        (false, false) => a.bits >> by.min(63),
    }
}

fn number(text: &str) -> Option<ConditionValue> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    if !matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu") {
        return None;
    }
    let (digits, radix) = match digits.strip_prefix('0') {
        Some(rest) if rest.starts_with('x') => (&rest[1..], 16),
        Some(rest) if rest.starts_with('b') => (&rest[1..], 2),
        Some(rest) if !rest.is_empty() => (rest, 8),
        _ => (digits, 10),
    };
    if digits.starts_with('+') {
        return None;
    }
    let value = u64::from_str_radix(digits, radix).ok()?;
    Some(ConditionValue { bits: value as i64, unsigned: suffix.contains('u') || i64::try_from(value).is_err() })
}

/// A character constant; several characters make one number, as compilers do.
fn character(text: &str, abi: Abi) -> Option<ConditionValue> {
    let (prefix, inner) = text.split_once('\'')?;
    let inner = inner.strip_suffix('\'')?;
    let mut bytes: Vec<u8> = Vec::new();
    let mut rest = inner;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c != '\\' {
            bytes.extend_from_slice(&encoded(c.encode_utf8(&mut [0; 4])));
            continue;
        }
        let escaped = rest.chars().next()?;
        let (digits, radix, skip) = match escaped {
            'x' => (rest[1..].bytes().take_while(u8::is_ascii_hexdigit).count(), 16, 1),
            _ => (rest.bytes().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count(), 8, 0),
        };
        if digits > 0 {
            bytes.push((u32::from_str_radix(&rest[skip..skip + digits], radix).ok()? & 0xff) as u8);
            rest = &rest[skip + digits..];
            continue;
        }
        bytes.push(match escaped {
            'n' => b'\n',
            't' => b'\t',
            'r' => b'\r',
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' => 27,
            '\\' | '\'' | '"' | '?' => escaped as u8,
            _ => return None,
        });
        rest = &rest[escaped.len_utf8()..];
    }
    let bits = match bytes.as_slice() {
        [] => return None,
        [one] if prefix.is_empty() || one.is_ascii() => Integer::Char.range(abi).wrap(&Int::from(i64::from(*one))).to_i64()?,
        _ if !prefix.is_empty() => return None,
        many => i64::from(many.iter().fold(0i32, |sum, &b| sum.wrapping_shl(8) | i32::from(b))),
    };
    Some(ConditionValue { bits, unsigned: false })
}
