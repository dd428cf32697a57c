//! What `sscanf` reads from an array of characters, as C text made for one format and the types of its objects (C11 7.21.6.7).
//!
//! `done` is 1 once a conversion is complete: an end of the text before that gives -1. A number that its object cannot hold is undefined
//! (7.21.6.2p10). What `0x` without digits gives is another thing in each library, and nothing is known of it.

use super::scan::{ByteSet, Directive, Format, ScanConversion};
use super::types::{Abi, Integer};
use std::fmt::Write as _;

/// Where the text ends before a conversion.
const AT_END: &str = "if (s[i] == 0) { if (done) return n; return -1; } ";

/// Skips white space.
const SKIP: &str = "while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13) i++; ";

/// The text of a function that reads by this format into objects of these types.
///
/// # Errors
/// The conversion that is not read here.
pub fn text(format: &Format, types: &[Integer], abi: Abi) -> Result<String, String> {
    let (mut parameters, mut body) = (String::new(), String::new());
    let mut objects = types.iter().copied().enumerate();
    for directive in &format.directives {
        match directive {
            Directive::Space => body += SKIP,
            Directive::Literal(byte) => {
                let _ = write!(body, "{AT_END}if ((unsigned char)s[i] != {byte}) return n; i++; ");
            }
            Directive::Convert(read) => {
                let object = if read.kept { Some(objects.next().ok_or("it has more conversions than objects")?) } else { None };
                if let Some((number, ty)) = object {
                    let _ = write!(parameters, ", {} *v{number}", ty.name());
                }
                body += &conversion(read, object, abi)?;
            }
        }
    }
    Ok(format!(
        "int scanned(const char *s{parameters}) {{ ptrdiff_t i = 0, k = 0; int n = 0, done = 0, minus = 0, d = 0; long long x = 0; \
         unsigned long long u = 0; {body}return n; }}"
    ))
}

/// The text of one conversion, with the number and the type of its object.
fn conversion(read: &ScanConversion, object: Option<(usize, Integer)>, abi: Abi) -> Result<String, String> {
    let other = || Err(format!("`%{}` is not read here", char::from(read.kind)));
    let is_character = object.is_none_or(|(_, ty)| ty.size(abi) == 1 && ty != Integer::Bool);
    let is_integer = object.is_none_or(|(_, ty)| ty.format().is_none() && ty != Integer::Bool);
    let in_front = if read.skips() { format!("{SKIP}{AT_END}") } else { AT_END.to_owned() };
    let count = if read.kept { "n++; done = 1; " } else { "done = 1; " };
    let room = if read.width == 0 { String::new() } else { format!("k < {} && ", read.width) };
    let stored = |value: &str| object.map_or_else(String::new, |(number, _)| format!("*v{number} = {value}; "));
    Ok(match read.kind {
        b'n' if is_integer => stored("i"),
        b'c' if is_character && read.width <= 1 => format!("{in_front}{}i++; {count}", stored("s[i]")),
        b's' | b'[' if is_character => {
            let put = object.map_or_else(String::new, |(number, _)| format!("v{number}[k] = s[i]; "));
            let end = object.map_or_else(String::new, |(number, _)| format!("v{number}[k] = 0; "));
            let letters = in_set(read.letters());
            format!("{in_front}k = 0; while ({room}s[i] != 0 && ({letters})) {{ {put}i++; k++; }} if (k == 0) return n; {end}{count}")
        }
        b'd' | b'u' | b'x' | b'X' if is_integer => {
            let ty = object.map_or(Integer::LongLong, |(_, ty)| ty);
            let sign = format!(
                "{in_front}k = 0; minus = 0; if ({room}(s[i] == '-' || s[i] == '+')) {{ minus = s[i] == '-'; i++; k++; }} x = 0; u = 0; "
            );
            let (range, value) = (ty.range(abi), "s[i] - '0'");
            let (greatest, least) = (range.greatest, range.least);
            if read.kind == b'd' {
                // Below zero there is one number more.
                format!(
                    "{sign}if (!({room}s[i] >= '0' && s[i] <= '9')) return n; \
                     while ({room}s[i] >= '0' && s[i] <= '9') {{ x = x * 10 - ({value}); i++; k++; }} if (!minus) x = -x; {}{}{count}",
                    if object.is_some() && ty.bits(abi) < 64 && ty.signed(abi) {
                        format!("if (x > {greatest}ll || x < {least}ll) __builtin_unreachable(); ")
                    } else {
                        String::new()
                    },
                    stored("x")
                )
            } else {
                let (digit, value, base) = if read.kind == b'u' {
                    ("s[i] >= '0' && s[i] <= '9'", value, 10)
                } else {
                    (
                        "(s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'f' || s[i] >= 'A' && s[i] <= 'F')",
                        "s[i] <= '9' ? s[i] - '0' : s[i] >= 'a' ? s[i] - 'a' + 10 : s[i] - 'A' + 10",
                        16,
                    )
                };
                let prefix = format!(
                    "if (s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X')) {{ if ({}) {{ i = i + 2; k = k + 2; }} else if (unknown(0.0) > 0) return n; }} ",
                    digit.replace("s[i]", "s[i + 2]")
                );
                let prefix = if base == 16 { prefix } else { String::new() };
                let most = if ty.signed(abi) { &greatest * 2 + 1 } else { greatest };
                format!(
                    "{sign}{prefix}if (!({room}{digit})) return n; while ({room}{digit}) {{ d = {value}; \
                     if (u > ({most}ull - d) / {base}) __builtin_unreachable(); u = u * {base} + d; i++; k++; }} if (minus) u = -u; {}{count}",
                    stored("u")
                )
            }
        }
        _ => return other(),
    })
}

/// The condition that the current character is in a set.
fn in_set(set: ByteSet) -> String {
    let range = |(first, last): (u8, u8)| format!("(unsigned char)s[i] >= {first} && (unsigned char)s[i] <= {last}");
    let ranges: Vec<String> = set.ranges().into_iter().map(range).collect();
    if ranges.is_empty() { "0".to_owned() } else { ranges.join(" || ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text is C, and a conversion that is not read is named.
    #[test]
    fn formats_become_text_or_are_named() {
        let read = |format: &str, types: &[Integer]| text(&Format::read(format.as_bytes()), types, Abi::default());
        let types = [Integer::Int, Integer::Char, Integer::Char, Integer::UnsignedLong, Integer::Char, Integer::Int];
        let text = read("%d , %c%*d%3s%lx%[^:]%n", &types).expect("a text").replace("unknown(", "fabs(");
        assert_eq!(super::super::parse(&text).diagnostics, [], "{text}");
        assert_eq!(read("%lf", &[Integer::Double]), Err("`%f` is not read here".to_owned()));
        assert_eq!(read("%d", &[Integer::Float]), Err("`%d` is not read here".to_owned()));
        assert!(read("%d%d", &[Integer::Int]).is_err());
    }
}
