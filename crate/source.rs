//! Source text: spans, line index and diagnostics.
//!
//! Everything that comes from a program's text carries a [`Span`], so that a verdict can be shown where it belongs.
//! A [`Diagnostic`] says what is wrong, where, why, and what to do about it; rendering is left to the command line
//! and the page.

/// A half-open range of byte offsets into a source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from byte `start` up to, not including, byte `end`.
    pub fn new(start: usize, end: usize) -> Span {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: clamp(start), end: clamp(end.max(start)) }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The text below the span; empty where the span does not fit the text.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A position for people: line and column, both from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// Where each line of a text starts.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    text: std::sync::Arc<str>,
}

impl LineIndex {
    /// Scans `text` once; lines end at `\n`.
    pub fn new(text: &str) -> LineIndex {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| Span::new(i + 1, i + 1).start));
        LineIndex { starts, text: text.into() }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line, from 1, on which the byte at `offset` stands.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32
    }

    /// The position of the byte at `offset`; an offset past the end counts as the end.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line(offset);
        let start = self.starts[line as usize - 1] as usize;
        let end = self.text.floor_char_boundary((offset as usize).min(self.text.len()).max(start));
        Position { line, column: self.text[start..end].chars().count() as u32 + 1 }
    }

    /// The same offset counted in UTF-16 code units, as editors in a browser count.
    pub fn utf16(&self, offset: u32) -> u32 {
        let end = self.text.floor_char_boundary((offset as usize).min(self.text.len()));
        self.text[..end].chars().map(|c| c.len_utf16() as u32).sum()
    }
}

/// How serious a diagnostic is. Only an error stops an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

/// Something to tell the author of a program, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// A stable kebab-case name of the kind of message, e.g. `undeclared-name`.
    pub code: &'static str,
    pub span: Span,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What stands at the place, shown under the caret.
    pub label: Option<String>,
    /// What to do instead.
    pub help: Option<String>,
    /// Related places, e.g. the first definition of a name defined twice.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, code, span, message: message.into(), label: None, help: None, related: Vec::new() }
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// The same with a text under the caret.
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = Some(label.into());
        self
    }

    /// The same with a remedy.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The same with a related place.
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.related.push((span, text.into()));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_utf16_units() {
        let index = LineIndex::new("a𝛼b\n\ncé");
        assert_eq!(index.position(0), Position { line: 1, column: 1 });
        assert_eq!(index.position(5), Position { line: 1, column: 3 });
        assert_eq!(index.position(7), Position { line: 2, column: 1 });
        assert_eq!(index.position(999), Position { line: 3, column: 3 });
        assert_eq!(index.utf16(5), 3);
        // An offset inside a character counts as its start.
        assert_eq!(index.position(2), Position { line: 1, column: 2 });
    }
}
