//! Headers that stand in the text, and those that do not yet.

use super::Preprocessor;
use crate::lang::token::{self, Kind, Token};
use crate::source::files::FileMark;
use crate::source::{Diagnostic, Span};

/// The files of the text that are being read.
#[derive(Default)]
pub(super) struct OpenFiles {
    open: Vec<OpenFile>,
    /// The text of each header, in the order of their starts.
    pub headers: Vec<Span>,
    /// The headers that ask to be read once.
    once: Vec<String>,
    /// Inside the arguments of a macro's call, which end with the file.
    pub in_arguments: bool,
    /// Where the preprocessor looks for an `#include` without its header, from this offset on.
    requested_from: Option<u32>,
    /// Whether names in angle brackets are looked for, too.
    angled: bool,
    requested: Option<OpenInclude>,
}

/// A header that is being read.
struct OpenFile {
    name: String,
    /// Its text in [`OpenFiles::headers`].
    number: usize,
    /// How many groups are open around it.
    groups: usize,
    /// What `__LINE__` and `__FILE__` mean after it.
    line: i64,
    file: Option<Span>,
}

/// An `#include` that is obeyed and whose header does not stand in the text.
#[derive(Clone, Debug)]
pub struct OpenInclude {
    /// As it is written.
    pub name: String,
    /// Whether it is written in quotes.
    pub quoted: bool,
    /// Whether the folders after that of the file around it are meant: `#include_next`.
    pub next: bool,
    pub directive: Span,
    /// Where the header's text goes, and how many lines before that are the directive.
    pub end: usize,
    pub lines: usize,
    /// The headers around it, the outermost first.
    pub chain: Vec<String>,
    /// The headers so far that are read at most once.
    pub once: Vec<String>,
}

/// The first `#include` from the byte `from` on that is obeyed and whose header does not stand in the text; `angled` says whether also one
/// with angle brackets.
pub fn next_include(source: &str, from: u32, angled: bool) -> Option<OpenInclude> {
    let (mut letters, mut diagnostics) = (source.to_owned(), Vec::new());
    let tokens = token::scan(&mut letters, &mut diagnostics);
    let mut state = Preprocessor::new(&mut letters, source.len(), &tokens, &mut diagnostics);
    (state.files.requested_from, state.files.angled) = (Some(from), angled);
    while state.pull().is_some() {}
    state.files.requested
}

impl Preprocessor<'_> {
    /// Obeys the mark at the current token.
    pub(super) fn file_mark(&mut self, token: Token) {
        let line = self.source.line_starts.partition_point(|&start| start <= token.span.start) as i64;
        let letters = self.letters(token).to_owned();
        self.source.at += 1;
        match FileMark::read(&letters) {
            Some(FileMark::Open(_, name)) => {
                let string = format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
                let file = self.make(Kind::Str, &string, token.span).spelling;
                self.source.letters_before += string.len();
                let groups = self.groups.len();
                let (number, file) = (self.files.headers.len(), self.numbering.file.replace(file));
                self.files.open.push(OpenFile { name: name.to_owned(), number, groups, line: line + self.numbering.shift, file });
                self.files.headers.push(Span { start: token.span.end, end: self.source.length as u32 });
                self.numbering.shift = -line;
            }
            Some(FileMark::Close) => {
                self.unclosed_groups();
                if let Some(OpenFile { number, groups, line: after, file, .. }) = self.files.open.pop() {
                    self.groups.truncate(groups);
                    self.files.headers[number].end = token.span.start;
                    self.numbering.file = file;
                    self.numbering.shift = after - (line + 1);
                }
            }
            Some(FileMark::Unit(name)) => {
                let string = format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
                self.numbering.file = Some(self.make(Kind::Str, &string, token.span).spelling);
                self.source.letters_before += string.len();
                self.numbering.shift = -line;
            }
            Some(option) => {
                self.numbering.shift -= 1;
                match option {
                    FileMark::Define(definition) => {
                        let mut unreadable = Vec::new();
                        token::read(definition, &mut unreadable);
                        if !unreadable.is_empty() {
                            let message = format!("the macro `{}` of the command line cannot be read", super::shorten(definition));
                            self.diagnostics.push(Diagnostic::error("bad-directive", Span::default(), message).help("close its quotes"));
                            return;
                        }
                        let (name, value) = definition.split_once('=').unwrap_or((definition, "1"));
                        self.define_all(&format!("#define {name} {value}\n"));
                    }
                    FileMark::Undefine(name) => {
                        self.macros.names.remove(name);
                    }
                    FileMark::Folder(_)
                    | FileMark::Forced(_)
                    | FileMark::Target(_)
                    | FileMark::Closed
                    | FileMark::Open(..)
                    | FileMark::Close
                    | FileMark::Unit(_) => {}
                }
            }
            None => {}
        }
    }

    /// How many groups are open around the file that is being read.
    pub(super) fn groups_outside(&self) -> usize {
        self.files.open.last().map_or(0, |file| file.groups)
    }

    /// Takes down that the file that is being read is read at most once.
    pub(super) fn once(&mut self) {
        self.files.once.extend(self.files.open.last().map(|file| file.name.clone()));
    }

    /// Whether the header of an `#include` stands in the text, after it; else takes down that it does not, where that is asked for.
    pub(super) fn has_header(&mut self, name: &str, quoted: bool, next: bool, directive: Span) -> bool {
        let rest = &self.source.tokens[self.source.at.min(self.source.tokens.len())..];
        if let [_, mark, ..] = rest
            && mark.kind == Kind::FileMark
            && matches!(FileMark::read(self.letters(*mark)), Some(FileMark::Open(..)))
        {
            return true;
        }
        if self.files.requested.is_some()
            || !(quoted || self.files.angled)
            || self.files.requested_from.is_none_or(|from| directive.start < from)
        {
            return false;
        }
        let end = rest.first().map_or(self.source.length, |newline| newline.span.end as usize);
        let line = self.source.line_starts.partition_point(|&start| start <= directive.start);
        let text = &self.text[self.source.line_starts[line - 1] as usize..end];
        let lines = text.matches('\n').count() + usize::from(!text.ends_with('\n'));
        let chain = self.files.open.iter().map(|file| file.name.clone()).collect();
        let once = self.files.once.clone();
        self.files.requested = Some(OpenInclude { name: name.to_owned(), quoted, next, directive, end, lines, chain, once });
        // Nothing after it matters.
        self.source.at = self.source.tokens.len();
        true
    }
}
