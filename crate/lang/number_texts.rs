//! Functions of C's library that read a number at the start of a text, as C text of our own (C11 7.22.1).

use super::types::{Abi, Integer};

/// The conversion of `atol`.
pub const ATOL: &str = "long atol(const char *s) { ptrdiff_t i = 0; long n = 0; while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13) i++; \
    if (s[i] == '-') { i++; while (s[i] >= '0' && s[i] <= '9') { n = n * 10 - (s[i] - '0'); i++; } return n; } \
    if (s[i] == '+') i++; while (s[i] >= '0' && s[i] <= '9') { n = n * 10 + (s[i] - '0'); i++; } return n; }";

/// The conversion of `atof`. A decimal number of at most 15 digits with an exponent of at most 15 is the product or quotient of two integers
/// that a `double` represents exactly, so that the arithmetic rounds once, as C requires. Longer numbers, infinities and hexadecimal numbers
/// give an arbitrary value.
pub const ATOF: &str = "double atof(const char *s) { long long n = 0, p = 1; ptrdiff_t i = 0; int minus = 0, digits = 0, move = 0, e = 0, down = 0; \
    while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13) i++; if (s[i] == '-') { minus = 1; i++; } else if (s[i] == '+') i++; \
    if (s[i] == 'i' || s[i] == 'I' || s[i] == 'n' || s[i] == 'N' || s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X')) return unknown(0.0); \
    while (s[i] >= '0' && s[i] <= '9') { n = n * 10 + (s[i] - '0'); digits = 1; i++; if (n > 99999999999999) return unknown(0.0); } \
    if (s[i] == '.') { i++; while (s[i] >= '0' && s[i] <= '9') { n = n * 10 + (s[i] - '0'); digits = 1; move--; i++; \
    if (n > 99999999999999 || move < -15) return unknown(0.0); } } if (!digits) { invalid(); return 0; } \
    if (s[i] == 'e' || s[i] == 'E') { i++; if (s[i] == '-') { down = 1; i++; } else if (s[i] == '+') i++; \
    while (s[i] >= '0' && s[i] <= '9') { if (e < 1000) e = e * 10 + (s[i] - '0'); i++; } } if (down) e = -e; e = e + move; \
    if (e > 15 || e < -15) return unknown(0.0); while (e > 0) { p = p * 10; e--; } down = e < 0; while (e < 0) { p = p * 10; e++; } \
    if (minus) n = -n; if (down) return (double)n / (double)p; return (double)n * (double)p; }";

/// Where that number ends. Of infinity, of what is no number and of numbers in base 16 the end is not known.
pub const FLOAT_END: &str = "char *place(char *s) { ptrdiff_t i = 0, k = 0; int digits = 0; while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13) i++; \
    if (s[i] == '-' || s[i] == '+') i++; \
    if (s[i] == 'i' || s[i] == 'I' || s[i] == 'n' || s[i] == 'N' || s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X')) { i = 0; \
    while (unknown(0.0) > 0 && s[i] != 0) i++; return s + i; } \
    while (s[i] >= '0' && s[i] <= '9') { digits = 1; i++; } if (s[i] == '.') { k = i; i++; while (s[i] >= '0' && s[i] <= '9') { digits = 1; i++; } \
    if (!digits) i = k; } if (!digits) return s; if (s[i] == 'e' || s[i] == 'E') { k = i + 1; if (s[k] == '-' || s[k] == '+') k++; \
    if (s[k] >= '0' && s[k] <= '9') { i = k; while (s[i] >= '0' && s[i] <= '9') i++; } } return s + i; }";

/// The number at the start of a text in decimal, as `strtol` has it. `most` is the greatest value, `tenth` a tenth of it. `range();` and `invalid();` are what becomes of `errno`.
pub const STRTOL: &str = "long strtol(const char *s) { long n = 0; ptrdiff_t i = 0; int d = 0, minus = 0, beyond = 0; while (s[i] == ' ' || s[i] >= 9 \
    && s[i] <= 13) i++; if (s[i] == '-') { minus = 1; i++; } else if (s[i] == '+') i++; if (s[i] < '0' || s[i] > '9') { \
    invalid(); return 0; } while (s[i] >= '0' && s[i] <= '9') { d = s[i] - '0'; i++; if (n < -tenth || n == \
    -tenth && d > 7 + minus) beyond = 1; else n = n * 10 - d; } if (beyond) { range(); if (minus) return \
    -most - 1; return most; } if (minus) return n; return -n; }";

/// As `strtoul` has it.
pub const STRTOUL: &str = "unsigned long strtoul(const char *s) { unsigned long n = 0; ptrdiff_t i = 0; int d = 0, minus = 0, beyond = 0; while (s[i] \
    == ' ' || s[i] >= 9 && s[i] <= 13) i++; if (s[i] == '-') { minus = 1; i++; } else if (s[i] == '+') i++; if (s[i] < '0' \
    || s[i] > '9') { invalid(); return 0; } while (s[i] >= '0' && s[i] <= '9') { d = s[i] - '0'; i++; if (n > \
    tenth || n == tenth && d > 5) beyond = 1; else n = n * 10 + d; } if (beyond) { \
    range(); return most; } if (minus) return -n; return n; }";

/// Where that number ends; at the start where there is none.
pub const END: &str = "char *place(char *s) { ptrdiff_t i = 0; while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13) i++; if (s[i] == '-' || s[i] == '+') \
    i++; if (s[i] < '0' || s[i] > '9') return s; while (s[i] >= '0' && s[i] <= '9') i++; return s + i; }";

/// What becomes of the end of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberEnd {
    /// Nothing.
    Nowhere,
    /// A pointer is set to it, whose address is the second argument.
    Set,
    /// The same, where the second argument is no null pointer.
    SetWhereNotNull,
    /// It is the result, in place of the number.
    Returned,
}

/// A function for some calls of `strtol` and its like.
pub struct NumberText {
    /// The type of the number.
    pub ty: Integer,
    /// 0 where the prefix says it.
    pub base: i64,
    pub end: NumberEnd,
    /// Whether the program looks at `errno`.
    pub sets_errno: bool,
}

/// Whether a character is a digit in base 16, in C.
fn is_hexadecimal(c: &str) -> String {
    format!("({c} >= '0' && {c} <= '9' || {c} >= 'a' && {c} <= 'f' || {c} >= 'A' && {c} <= 'F')")
}

impl NumberText {
    /// The loop over the digits in a base: `any` says whether there is one, `beyond` that the number has no value of the type.
    fn digits(&self, base: i64, abi: Abi) -> String {
        let most = self.ty.range(abi).greatest;
        let base_of_type = i128::from(base);
        let beyond = |most: i128, sign: &str| {
            let (part, rest) = (most / base_of_type, most % base_of_type);
            let compared = if sign.is_empty() { ">" } else { "<" };
            format!("(n {compared} {sign}{part}ull || n == {sign}{part}ull && d > {rest})")
        };
        let (is_beyond, next) = if self.ty.signed(abi) {
            let limits = format!("minus ? {} : {}", beyond(most + 1, "-"), beyond(most, "-"));
            (limits.replace("ull", "ll"), format!("n = n * {base} - d;"))
        } else {
            (beyond(most, ""), format!("n = n * {base} + d;"))
        };
        let step = match self.end {
            NumberEnd::Returned => "any = 1; i++;".to_owned(),
            _ => format!("any = 1; i++; if ({is_beyond}) beyond = 1; else {next}"),
        };
        if base <= 10 {
            let last = char::from(b'0' + base as u8 - 1);
            return format!("while (s[i] >= '0' && s[i] <= '{last}') {{ d = s[i] - '0'; {step} }}");
        }
        format!(
            "while (1) {{ d = 36; if (s[i] >= '0' && s[i] <= '9') d = s[i] - '0'; else if (s[i] >= 'a' && s[i] <= 'z') d = s[i] - 'a' + 10; \
             else if (s[i] >= 'A' && s[i] <= 'Z') d = s[i] - 'A' + 10; if (d >= {base}) break; {step} }}"
        )
    }

    /// Its text in C.
    pub fn text(&self, abi: Abi) -> String {
        let is_prefixed = format!("s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X') && {}", is_hexadecimal("s[i + 2]"));
        let number = match self.base {
            0 => {
                let [of_16, of_8, of_10] = [16, 8, 10].map(|base| self.digits(base, abi));
                format!("if ({is_prefixed}) {{ i = i + 2; {of_16} }} else if (s[i] == '0') {{ {of_8} }} else {{ {of_10} }}")
            }
            16 => format!("if ({is_prefixed}) i = i + 2; {}", self.digits(16, abi)),
            base => self.digits(base, abi),
        };
        let (parameter, set) = match self.end {
            NumberEnd::Nowhere | NumberEnd::Returned => ("", ""),
            NumberEnd::Set => (", char **end", "*end = s + i;"),
            NumberEnd::SetWhereNotNull => (", char **end", "if (end != 0) *end = s + i;"),
        };
        let start = "ptrdiff_t i = 0; int d = 0, minus = 0, beyond = 0, any = 0; \
                     while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13) i++; if (s[i] == '-') { minus = 1; i++; } else if (s[i] == '+') i++;";
        if self.end == NumberEnd::Returned {
            return format!("char *place(char *s) {{ {start} {number} if (!any) return s; return s + i; }}");
        }
        let (invalid, range) = if self.sets_errno { ("if (nondet_bool()) errno = 22;", "errno = 34;") } else { ("", "") };
        let ty = self.ty.name();
        let most = self.ty.range(abi).greatest;
        let result = if self.ty.signed(abi) {
            format!("if (beyond) {{ {range} if (minus) return -{most}ll - 1; return {most}ll; }} if (minus) return n; return -n;")
        } else {
            format!("if (beyond) {{ {range} return {most}ull; }} if (minus) return -n; return n;")
        };
        format!(
            "{ty} number(char *s{parameter}) {{ {ty} n = 0; {start} {number} if (!any) {{ i = 0; {set} {invalid} return 0; }} {set} {result} }}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text is C, whatever the base and the type.
    #[test]
    fn numbers_have_texts_in_all_bases() {
        for ty in [Integer::Long, Integer::UnsignedLong, Integer::LongLong, Integer::UnsignedLongLong] {
            for base in [0, 2, 8, 10, 16, 36] {
                for end in [NumberEnd::Nowhere, NumberEnd::Set, NumberEnd::SetWhereNotNull, NumberEnd::Returned] {
                    let text = NumberText { ty, base, end, sets_errno: false }.text(Abi::default());
                    assert_eq!(super::super::parse(&text).diagnostics, [], "{text}");
                }
            }
        }
    }
}
