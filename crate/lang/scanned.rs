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
        "int scanned(const char *s{parameters}) {{ ptrdiff_t i = 0, k = 0; int n = 0, done = 0, minus = 0, d = 0, b = 10, e = 0; \
         long long x = 0, p = 1; unsigned long long u = 0; double y = 0; {body}return n; }}"
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
        b'c' if is_character => {
            let put = object.map_or_else(String::new, |(number, _)| format!("v{number}[k] = s[i]; "));
            let fewer = format!("if (k < {} && unknown(0.0) > 0) return n; ", read.width);
            format!("{in_front}k = 0; while ({room}s[i] != 0) {{ {put}i++; k++; }} {fewer}{count}")
        }
        b's' | b'[' if is_character => {
            let put = object.map_or_else(String::new, |(number, _)| format!("v{number}[k] = s[i]; "));
            let end = object.map_or_else(String::new, |(number, _)| format!("v{number}[k] = 0; "));
            let letters = in_set(read.letters());
            format!("{in_front}k = 0; while ({room}s[i] != 0 && ({letters})) {{ {put}i++; k++; }} if (k == 0) return n; {end}{count}")
        }
        b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G' if object.is_none_or(|(_, ty)| ty.format().is_some()) => {
            format!("{in_front}{}{}{count}", fraction(&room, object.is_some_and(|(_, ty)| ty == Integer::Float)), stored("y"))
        }
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' if is_integer => {
            let ty = object.map_or(Integer::LongLong, |(_, ty)| ty);
            let (greatest, least) = (ty.range(abi).greatest, ty.range(abi).least);
            let hexadecimal = "s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'f' || s[i] >= 'A' && s[i] <= 'F'";
            let digit = match read.kind {
                b'd' | b'u' => "s[i] >= '0' && s[i] <= '9'".to_owned(),
                b'o' => "s[i] >= '0' && s[i] <= '7'".to_owned(),
                b'i' => format!("(b == 16 ? {hexadecimal} : s[i] >= '0' && s[i] < '0' + b)"),
                _ => format!("({hexadecimal})"),
            };
            // The two characters of `0x` and a digit after them have to fit into the width.
            let within = |characters: u32| if read.width == 0 { String::new() } else { format!("k < {} - {characters} && ", read.width) };
            let base = match read.kind {
                b'd' | b'u' => "b = 10; ".to_owned(),
                b'o' => "b = 8; ".to_owned(),
                kind => {
                    let otherwise = if kind == b'i' { format!("b = {room}s[i] == '0' ? 8 : 10; ") } else { "b = 16; ".to_owned() };
                    format!(
                        "{otherwise}if ({}s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X')) {{ \
                         if ({}({})) {{ b = 16; i = i + 2; k = k + 2; }} else if (unknown(0.0) > 0) return n; }} ",
                        within(1),
                        within(2),
                        hexadecimal.replace("s[i]", "s[i + 2]")
                    )
                }
            };
            let begin = format!(
                "{in_front}k = 0; minus = 0; if ({room}(s[i] == '-' || s[i] == '+')) {{ minus = s[i] == '-'; i++; k++; }} x = 0; u = 0; \
                 {base}if (!({room}{digit})) return n; while ({room}{digit}) {{ \
                 d = s[i] <= '9' ? s[i] - '0' : s[i] >= 'a' ? s[i] - 'a' + 10 : s[i] - 'A' + 10; "
            );
            if matches!(read.kind, b'd' | b'i') {
                // Below zero there is one number more.
                let bounds = if object.is_some() && ty.bits(abi) < 64 && ty.signed(abi) {
                    format!("if (x > {greatest}ll || x < {least}ll) no_number(); ")
                } else {
                    String::new()
                };
                format!("{begin}x = x * b - d; i++; k++; }} if (!minus) x = -x; {bounds}{}{count}", stored("x"))
            } else {
                let most = if ty.signed(abi) { &greatest * 2 + 1 } else { greatest };
                format!(
                    "{begin}if (u > ({most}ull - d) / b) no_number(); u = u * b + d; i++; k++; }} if (minus) u = -u; {}{count}",
                    stored("u")
                )
            }
        }
        _ => return other(),
    })
}

/// Reads a decimal number with few enough digits that one operation on integers that a `double`, or a `float`, represents exactly rounds it
/// as C requires. Of any other number neither value nor end is known.
fn fraction(room: &str, is_float: bool) -> String {
    let (most, power) = if is_float { (16_777_215_u64, 10) } else { (999_999_999_999_999, 15) };
    let (digit, open) = (format!("{room}s[i] >= '0' && s[i] <= '9'"), "b = 1; ");
    // As in `number_texts::ATOF`; `b` says that the number is not known, `d` that there are digits.
    format!(
        "k = 0; minus = 0; x = 0; p = 1; d = 0; e = 0; b = 0; y = 0; \
         if ({room}(s[i] == '-' || s[i] == '+')) {{ minus = s[i] == '-'; i++; k++; }} \
         if ({room}(s[i] == 'i' || s[i] == 'I' || s[i] == 'n' || s[i] == 'N' || s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X'))) {open}\
         while ({digit} && !b) {{ x = x * 10 + (s[i] - '0'); d = 1; i++; k++; if (x > {most}) {open}}} \
         if ({room}s[i] == '.' && !b) {{ i++; k++; while ({digit} && !b) {{ x = x * 10 + (s[i] - '0'); d = 1; e--; i++; k++; \
         if (x > {most} || e < -{power}) {open}}} }} if (!b && !d) return n; \
         if ({room}(s[i] == 'e' || s[i] == 'E') && !b) {{ int down = 0, more = 0, digits = 0; i++; k++; \
         if ({room}(s[i] == '-' || s[i] == '+')) {{ down = s[i] == '-'; i++; k++; }} \
         while ({digit}) {{ if (more < 1000) more = more * 10 + (s[i] - '0'); digits = 1; i++; k++; }} if (!digits) {open}\
         e = down ? e - more : e + more; }} if (e > {power} || e < -{power}) {open}\
         if (b) {{ if (unknown(0.0) > 0) return n; y = unknown(0.0); while (unknown(0.0) > 0 && s[i] != 0) i++; }} else {{ \
         d = e < 0; if (d) e = -e; while (e > 0) {{ p = p * 10; e--; }} if (minus) x = -x; \
         if (d) y = (double)x / (double)p; else y = (double)x * (double)p; }} "
    )
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
        // No program can name these.
        let named = |text: String| text.replace("unknown(", "fabs(").replace("no_number();", "__builtin_unreachable();");
        let types = [Integer::Int, Integer::Char, Integer::Char, Integer::UnsignedLong, Integer::Char, Integer::Int, Integer::Double];
        let text = named(read("%d , %c%*d%3s%lx%[^:]%n%9lf", &types).expect("a text"));
        assert_eq!(super::super::parse(&text).diagnostics, [], "{text}");
        let text = named(read("%3i%o%g%2c", &[Integer::Int, Integer::UnsignedInt, Integer::Float, Integer::Char]).expect("a text"));
        assert_eq!(super::super::parse(&text).diagnostics, [], "{text}");
        assert_eq!(read("%p", &[Integer::Double]), Err("`%p` is not read here".to_owned()));
        assert_eq!(read("%d", &[Integer::Float]), Err("`%d` is not read here".to_owned()));
        assert!(read("%d%d", &[Integer::Int]).is_err());
    }
}
