//! Source text: spans, line index and diagnostics.
//!
//! Everything that comes from a program's text carries a [`Span`], so that a verdict can stand where it belongs.
//! A [`Diagnostic`] says what is wrong, where, why, and what to do about it; rendering is left to the command line
//! and the page.
//!
//! # Example
//!
//! ```
//! use culdesac::source::{Diagnostic, LineIndex, Span};
//!
//! let text = "int x = 1;\nint y = z;\n";
//! let message = Diagnostic::error("undeclared-name", Span::new(19, 20), "`z` is not declared").help("declare it first");
//! let at = LineIndex::new(text).position(message.span.start);
//! assert_eq!((message.span.text(text), at.line, at.column), ("z", 2, 9));
//! ```

pub mod abi;
pub mod bytes;
pub mod files;
mod wrap;

pub use wrap::{Wrap, wrapped};

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

/// Where each line of a text starts, and where a byte is not a character. Every query is a binary search.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    /// One entry for each character that is not ASCII, in order.
    wide: Vec<WideCharacter>,
    /// The numbers of the lines, where the text is made of several files.
    files: files::FileLines,
    text: std::sync::Arc<str>,
}

/// By how much the other counts are below the byte count after a character that is not ASCII.
#[derive(Clone, Copy, Debug)]
struct WideCharacter {
    /// Offset one past the character.
    end: u32,
    /// Bytes less characters, from the text's start.
    characters: u32,
    /// Bytes less UTF-16 code units, from the text's start.
    units: u32,
}

impl LineIndex {
    /// Scans `text` once; lines end at `\n`. Those of a text of several files have the numbers of [`files`].
    pub fn new(text: &str) -> LineIndex {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| Span::new(i + 1, i + 1).start));
        let mut wide = Vec::new();
        if !text.is_ascii() {
            let (mut characters, mut units) = (0, 0);
            for (start, c) in text.char_indices().filter(|(_, c)| !c.is_ascii()) {
                characters += c.len_utf8() as u32 - 1;
                units += (c.len_utf8() - c.len_utf16()) as u32;
                wide.push(WideCharacter { end: Span::new(start, start + c.len_utf8()).end, characters, units });
            }
        }
        LineIndex { starts, wide, files: files::FileLines::of(text), text: text.into() }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line, from 1, on which the byte at `offset` stands.
    pub fn line(&self, offset: u32) -> u32 {
        self.files.number(self.line_in_text(offset))
    }

    fn line_in_text(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32
    }

    /// The headers that the text includes.
    pub fn headers(&self) -> &[files::HeaderLines] {
        &self.files.headers
    }

    /// The position of the byte at `offset`; an offset past the end counts as the end, one inside a character as its
    /// start.
    pub fn position(&self, offset: u32) -> Position {
        let offset = self.boundary(offset);
        let line = self.line_in_text(offset);
        let start = self.starts[line as usize - 1];
        Position { line: self.files.number(line), column: self.characters(offset) - self.characters(start) + 1 }
    }

    /// The same offset counted in UTF-16 code units, as editors in a browser count.
    pub fn utf16(&self, offset: u32) -> u32 {
        let offset = self.boundary(offset);
        offset - self.last_wide(offset).map_or(0, |wide| wide.units)
    }

    fn characters(&self, offset: u32) -> u32 {
        offset - self.last_wide(offset).map_or(0, |wide| wide.characters)
    }

    fn boundary(&self, offset: u32) -> u32 {
        self.text.floor_char_boundary(offset as usize) as u32
    }

    /// The last wide character that ends at or before `offset`.
    fn last_wide(&self, offset: u32) -> Option<&WideCharacter> {
        self.wide[..self.wide.partition_point(|wide| wide.end <= offset)].last()
    }
}

/// How serious a diagnostic is. Only an error stops an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

/// A message for the author of a program, with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// A stable kebab-case name of the kind of message, e.g. `undeclared-name`.
    pub code: &'static str,
    pub span: Span,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What stands at the span, printed under the caret.
    pub label: Option<String>,
    /// What to do instead.
    pub help: Option<String>,
    /// Related spans, e.g. the first definition of a name defined twice.
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

    /// `what` (a name in backquotes, as a rule) is defined at `span`, but was defined at `first` already.
    pub fn redefinition(span: Span, what: &str, first: Span) -> Diagnostic {
        Diagnostic::error("redefinition", span, format!("{what} is defined twice"))
            .label("defined again here")
            .help("rename one of them")
            .related(first, "first defined here")
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

    /// The same with a related span.
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

    #[test]
    fn every_offset_agrees_with_counting() {
        let text = "é\n\nx𝛼ü\r\n→→ end\n";
        let index = LineIndex::new(text);
        for offset in 0..text.len() + 3 {
            let before = &text[..text.floor_char_boundary(offset)];
            let last = before.rsplit('\n').next().unwrap_or("");
            let position = Position { line: before.matches('\n').count() as u32 + 1, column: last.chars().count() as u32 + 1 };
            assert_eq!(index.position(offset as u32), position, "offset {offset}");
            assert_eq!(index.utf16(offset as u32), before.encode_utf16().count() as u32, "offset {offset}");
        }
    }
}
