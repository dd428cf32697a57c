//! Text around parts of a text.

use super::Span;
use crate::logic::Arrange;

/// What is put in front of a part of a text and after it. Around an empty part that is an insertion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrap {
    pub span: Span,
    pub before: String,
    pub after: String,
}

impl Wrap {
    /// What is inserted at the byte offset.
    pub fn insertion(at: u32, text: impl Into<String>) -> Wrap {
        Wrap { span: Span { start: at, end: at }, before: text.into(), after: String::new() }
    }
}

/// The order of pieces: the offset, the kind, the order among those.
type WrapOrder = (u32, u8, u32, usize);

/// The text with these wraps, of which two are disjoint or one holds the other; of equal spans the first is the outer one.
///
/// At one offset, what ends comes first (the inner wraps before the outer ones), then insertions in their order, then what starts (the outer
/// wraps before the inner ones). Nothing of the text is lost, so that its lines keep their numbers where the wraps have no newline.
pub fn wrapped(text: &str, wraps: &[Wrap]) -> String {
    let mut pieces: Vec<(WrapOrder, &str)> = Vec::new();
    for (number, wrap) in wraps.iter().enumerate() {
        let Span { start, end } = wrap.span;
        if start == end {
            pieces.push(((start, 1, 0, 2 * number), &wrap.before));
            pieces.push(((start, 1, 0, 2 * number + 1), &wrap.after));
        } else {
            pieces.push(((start, 2, u32::MAX - end, number), &wrap.before));
            pieces.push(((end, 0, u32::MAX - start, usize::MAX - number), &wrap.after));
        }
    }
    pieces.arrange();
    let (mut whole, mut from) = (String::new(), 0);
    for ((at, ..), piece) in pieces {
        whole += Span { start: from, end: at }.text(text);
        whole += piece;
        from = at;
    }
    whole + text.get(from as usize..).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::{Wrap, wrapped};
    use crate::source::Span;

    fn wrap(start: usize, end: usize, before: &str, after: &str) -> Wrap {
        Wrap { span: Span::new(start, end), before: before.into(), after: after.into() }
    }

    #[test]
    fn wraps_nest_whatever_their_order() {
        let text = "a < b + c";
        let mut wraps = vec![wrap(0, 9, "<", ">"), wrap(4, 9, "[", "]"), wrap(4, 5, "{", "}"), wrap(8, 9, "(", ")")];
        for _ in 0..4 {
            wraps.rotate_left(1);
            assert_eq!(wrapped(text, &wraps), "<a < [{b} + (c)]>");
        }
    }

    #[test]
    fn what_ends_comes_before_insertions_and_these_before_what_starts() {
        let wraps = [wrap(1, 2, "(", ")"), Wrap::insertion(1, "+"), wrap(1, 1, "-", "*"), wrap(0, 1, "[", "]")];
        assert_eq!(wrapped("ab", &wraps), "[a]+-*(b)");
    }

    #[test]
    fn of_equal_spans_the_first_is_the_outer() {
        assert_eq!(wrapped("xy", &[wrap(0, 1, "(", ")"), wrap(0, 1, "[", "]")]), "([x])y");
    }

    #[test]
    fn lines_and_ends_stay() {
        let text = "é\n\nif (ü)\r\n";
        assert_eq!(wrapped(text, &[]), text);
        let end = text.len();
        assert_eq!(wrapped(text, &[wrap(8, 10, "f(", ")"), Wrap::insertion(end as u32, "!")]), "é\n\nif (f(ü))\r\n!");
        assert_eq!(wrapped("", &[Wrap::insertion(0, "a")]), "a");
    }
}
