//! Numbers, characters and strings.

use super::super::ast::ExprKind;
use super::super::remarks::Oversized;
use super::super::token::{Kind, Token};
use super::super::types::{Abi, Integer};
use super::Parser;
use crate::logic::Int;
use crate::logic::decimal::nearest;
use crate::source::bytes::{byte_of, encoded};
use crate::source::{Diagnostic, Span};

/// Digits that a constant may have.
const MAX_DIGITS: usize = 10_000;

impl Parser<'_, '_> {
    pub(super) fn number(&mut self, token: Token) -> ExprKind {
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
            let has_value = |ty: Integer| ty.range(self.tree.abi).contains(&value);
            let is_signed = radix == 10 && !suffix.contains('u');
            if !has_value(if is_signed { Integer::LongLong } else { Integer::UnsignedLongLong }) {
                self.tree.oversized.push(Oversized { span: token.span, lacks_suffix: has_value(Integer::UnsignedLongLong) });
            }
            return ExprKind::Int(value);
        }
        if let Some((_, rank)) = float_constant(&lower) {
            return ExprKind::Int(Int::from(rank));
        }
        let float = radix == 10 && (lower.contains('.') || lower.contains('e')) || radix == 8 && lower.contains('.');
        let diagnostic = if float {
            Diagnostic::error("unsupported-float", token.span, format!("the number `{}` is not supported", super::shorten(text)))
                .help("write a decimal number of the type `double` or `float`")
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

    pub(super) fn character(&mut self, token: Token) -> ExprKind {
        let text = self.text(token);
        let kind = self.wide_type(token);
        let inner = unquoted(text, '\'');
        let value = match kind {
            Some(kind) => wide_characters(text, kind, self.tree.abi).filter(|all| all.len() == 1).map(|all| all[0]),
            // Bytes have the values of a `char`.
            None => {
                let one = character_value(inner).map(|value| if Integer::Char.signed(self.tree.abi) { value } else { value & 0xff });
                one.or_else(|| several_characters(inner, self.tree.abi))
            }
        };
        match value {
            Some(value) => ExprKind::Int(Int::from(value)),
            None => {
                self.refuse(bad_character(token.span, text));
                ExprKind::Error
            }
        }
    }

    /// The type of wide characters in a constant or string with this prefix.
    pub(super) fn wide_type(&self, token: Token) -> Option<Integer> {
        if !matches!(token.kind, Kind::Char | Kind::Str) {
            return None;
        }
        match self.text(token).split(['\'', '"']).next()? {
            "L" => Some(self.tree.abi.wide()),
            "u" => Some(Integer::UnsignedShort),
            "U" => Some(self.tree.abi.exact(32)[1]),
            _ => None,
        }
    }
}

/// The type of a floating constant and the rank of its value (C11 6.4.4.2): `1.5`, `1e3f`, `0x1.8p3`; `None` for everything else.
fn float_constant(lower: &str) -> Option<(Integer, i64)> {
    let (digits, ty) = match lower.strip_suffix('f') {
        Some(digits) if !lower.starts_with("0x") || lower.contains('p') => (digits, Integer::Float),
        _ => (lower, Integer::Double),
    };
    let format = ty.format()?;
    if let Some(hexadecimal) = digits.strip_prefix("0x") {
        let (mantissa, exponent) = hexadecimal.split_once('p')?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mantissa = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok().filter(|mantissa| *mantissa < 1 << 53)?;
        // Both factors are exact, and so is the product but for the last rounding.
        let exponent = exponent.parse::<i32>().ok()?.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
        let power = (-1000..1000).contains(&exponent).then(|| 2f64.powi(exponent))?;
        return Some((ty, format.rank(mantissa as f64 * power)));
    }
    let is_float = digits.contains(['.', 'e']) && digits.bytes().all(|byte| byte.is_ascii_digit() || b".e+-".contains(&byte));
    // A number of the narrower format is rounded once.
    let value = if is_float { nearest(digits, format) } else { None };
    value.map(|value| (ty, format.rank(value)))
}

/// The type of a constant; of an integer (C11 6.4.4.1p5) the first that has its value. What no type has gets the last.
pub(super) fn constant_type(text: &str, value: &Int, abi: Abi) -> Integer {
    use Integer::{Long, LongLong, UnsignedInt, UnsignedLong, UnsignedLongLong};
    let lower = text.to_ascii_lowercase();
    if let Some((ty, _)) = float_constant(&lower) {
        return ty;
    }
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
        1 => !matches!(ty, Integer::Int | UnsignedInt),
        _ => matches!(ty, Integer::LongLong | Integer::UnsignedLongLong),
    };
    let mut candidates = all.iter().copied().filter(long_enough);
    let last = candidates.clone().next_back().unwrap_or(LongLong);
    candidates.find(|ty| ty.range(abi).contains(value)).unwrap_or(last)
}

/// The bytes of a string literal with its quotes; escapes that mean nothing stand for themselves.
pub(super) fn string_bytes(text: &str) -> Vec<u8> {
    let inner = unquoted(text, '"');
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

/// The value of a constant with several characters, as gcc and clang compute it: their bytes from the highest one on, as an `int`.
fn several_characters(inner: &str, abi: Abi) -> Option<i64> {
    let mut rest = inner;
    let (mut value, mut count) = (Int::ZERO, 0);
    while let Some(first) = rest.chars().next() {
        let (part, after) = rest.split_at(if first == '\\' { escape_length(rest) } else { first.len_utf8() });
        value = &(&value * &Int::from(256)) + &Int::from(character_value(part)? & 0xff);
        count += 1;
        rest = after;
    }
    let fits = (2..=Integer::Int.size(abi)).contains(&count);
    if fits { Integer::Int.range(abi).wrap(&value).to_i64() } else { None }
}

/// What stands between the quotes.
fn unquoted(text: &str, quote: char) -> &str {
    text.split_once(quote).and_then(|(_, text)| text.strip_suffix(quote)).unwrap_or("")
}

/// The values of wide characters of this type, without a zero at the end; `None` where one of them is no single value.
pub(super) fn wide_characters(text: &str, kind: Integer, abi: Abi) -> Option<Vec<i64>> {
    let quote = if text.ends_with('"') { '"' } else { '\'' };
    let mut rest = unquoted(text, quote);
    let mut values = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\\' => escape_length(rest),
            _ => first.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        let value = match part.strip_prefix('\\') {
            None => i64::from(u32::from(first)),
            // A sign is of bytes only.
            Some(_) => character_value(part)? & 0xff,
        };
        values.push(Some(value).filter(|value| kind.range(abi).contains(&Int::from(*value)))?);
        rest = after;
    }
    Some(values)
}

pub(super) fn bad_character(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error("bad-character", span, format!("`{}` is not a character", super::shorten(text)))
        .help("write one ASCII character such as 'a', '\\n' or '\\x41'")
}
