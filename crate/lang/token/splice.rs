//! Lines that a backslash at their end joins with the next (C11 5.1.1.2, phase 2); blanks after it are allowed, as
//! compilers do.

use crate::source::Span;

/// A text without its splices, and where each of them stood.
pub struct Spliced {
    pub text: String,
    /// For each splice: its offset in the new text, and how many bytes are gone up to and with it. In order.
    cuts: Vec<(u32, u32)>,
}

/// The length of the splice that starts `text`.
fn splice(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('\\')?.trim_start_matches([' ', '\t', '\r']);
    rest.starts_with('\n').then(|| text.len() - rest.len() + 1)
}

/// Whether `gap`, what stands between two tokens, is nothing but splices: the tokens touch.
pub fn only_splices(mut gap: &str) -> bool {
    while let Some(length) = splice(gap) {
        gap = &gap[length..];
    }
    gap.is_empty()
}

impl Spliced {
    /// Takes all splices out of `source`; `None` if there are none.
    pub fn new(source: &str) -> Option<Spliced> {
        let (mut text, mut cuts) = (String::new(), Vec::new());
        let (mut copied, mut gone) = (0, 0);
        for (at, _) in source.match_indices('\\') {
            let Some(length) = splice(&source[at..]) else { continue };
            text.push_str(&source[copied..at]);
            copied = at + length;
            gone += length;
            let end = Span::new(text.len(), text.len());
            cuts.push((end.start, u32::try_from(gone).unwrap_or(u32::MAX)));
        }
        if cuts.is_empty() {
            return None;
        }
        text.push_str(&source[copied..]);
        Some(Spliced { text, cuts })
    }

    /// Where a span of the new text stood: from its first letter to its last.
    pub fn original(&self, span: Span) -> Span {
        let gone = |cuts: usize| cuts.checked_sub(1).and_then(|i| self.cuts.get(i)).map_or(0, |&(_, gone)| gone);
        let start = span.start + gone(self.cuts.partition_point(|&(at, _)| at <= span.start));
        let end = span.end + gone(self.cuts.partition_point(|&(at, _)| at < span.end));
        Span { start, end: end.max(start) }
    }

    /// Where a token of the new text stood, and where its letters stand: after `letters` if it was cut.
    pub fn locate(&self, span: Span, letters: &mut String) -> (Span, Span) {
        let original = self.original(span);
        if original.end - original.start == span.end - span.start {
            return (original, original);
        }
        let start = letters.len();
        letters.push_str(span.text(&self.text));
        (original, Span::new(start, letters.len()))
    }
}
