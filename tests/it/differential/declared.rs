//! Where declarations stand in a program's text, for what a harness writes beside them.

use culdesac::logic::IntRange;
use culdesac::source::Span;

/// The identifier with which a declarator starts.
pub fn identifier(source: &str, span: Span) -> &str {
    let text = source.get(span.start as usize..).unwrap_or("");
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("")
}

/// How the text names a global: members of structures by their full name.
pub fn place<'s>(source: &'s str, span: Span, name: &'s str) -> &'s str {
    if name.contains(['.', '[']) { name } else { identifier(source, span) }
}

/// After the identifier and its brackets.
pub fn declarator_end(source: &str, span: Span) -> u32 {
    let bytes = source.as_bytes();
    let mut end = span.start as usize + identifier(source, span).len();
    loop {
        let next = end + bytes[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if bytes.get(next) != Some(&b'[') {
            return end as u32;
        }
        let mut open = 0;
        for (at, byte) in bytes.iter().enumerate().skip(next) {
            open += i32::from(*byte == b'[') - i32::from(*byte == b']');
            end = at + 1;
            if open == 0 {
                break;
            }
        }
    }
}

/// Bytes of an element.
pub fn element_size(range: Option<IntRange>) -> u32 {
    let range = range.unwrap_or(IntRange::of_bits(32, true));
    ((range.greatest - range.least).ilog2() + 1).div_ceil(8)
}
