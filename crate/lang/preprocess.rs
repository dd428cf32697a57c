//! The preprocessor (C11 6.10): macros, conditional groups, the standard headers.
//!
//! Messages show what a macro stands for at the macro's use, the text the author is looking at; an argument where it
//! stands. What the program defines wins over everything known here, as in C: a program's own `assert` means what it says.
//! The preprocessor reads no files: headers stand in the text ([`crate::source::files`]), and of the known ones it has the macros for
//! integers ([`header`]).
//!
//! The stream of tokens is a stack of *contexts* over the text: what a macro stands for goes on top, and the macro stays
//! closed until that is used up. A name met while its macro is closed never expands any more (6.10.3.4).
//!
//! *Bounds.* The preprocessor counts all tokens and letters that macros make, and macro calls inside arguments of macro
//! calls: nothing else recurses, and time is linear in the text and these bounds.

mod condition;
pub mod declarations;
mod define;
pub mod directive;
mod expand;
mod files;
pub mod header;
mod numbers;

pub use files::{OpenInclude, next_include};

use super::token::{self, Kind, Token, only_splices};
use crate::source::files::FileMark;
use crate::source::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Tokens that all macros of a program together may make.
const MAX_EXPANDED: usize = 500_000;
/// Bytes of letters that stand nowhere in the text.
const MAX_LETTERS: usize = 4 << 20;
/// How deep calls of macros may stand in arguments of calls.
const MAX_DEPTH: usize = 64;

/// What comes out.
#[derive(Default)]
pub struct Preprocessed {
    /// Ends with [`Kind::Eof`].
    pub tokens: Vec<Token>,
    /// The offsets at which translation units after the first start.
    pub units: Vec<u32>,
    /// Names that a refused construct would have introduced: no later stage complains about them a second time.
    pub poisoned: Vec<Span>,
    /// What line markers say is of the system's headers, in order.
    pub system_headers: Vec<Span>,
    /// Whether the program says that its integers have no bounds, or that they have those of C.
    pub unbounded: Option<bool>,
    /// The text of headers.
    pub headers: Vec<Span>,
    /// Whether the program includes a system header with declarations that the front end lacks ([`header::of_system`]).
    pub is_incomplete: bool,
}

/// Expands the tokens of the first `length` bytes of `text`. Letters that stand nowhere in them are appended: the
/// tokens' spellings point there, their spans do not.
pub fn preprocess(text: &mut String, length: usize, tokens: &[Token], diagnostics: &mut Vec<Diagnostic>) -> Preprocessed {
    let mut whole = Preprocessed::default();
    let is_unit = |token: &Token| token.kind == Kind::FileMark && matches!(FileMark::read(token.span.text(text)), Some(FileMark::Unit(_)));
    let starts = tokens.iter().enumerate().filter(|(_, token)| is_unit(token)).map(|(at, _)| at);
    let starts: Vec<usize> = starts.collect();
    whole.units = starts.iter().map(|&at| tokens[at].span.start).collect();
    let ends = starts.iter().copied().chain([tokens.len()]);
    for (start, end) in [0].into_iter().chain(starts.iter().copied()).zip(ends) {
        whole.add_unit(text, length, &tokens[start..end], diagnostics);
    }
    let end = Span::new(length, length);
    whole.tokens.push(Token { kind: Kind::Eof, span: end, spelling: end });
    whole
}

impl Preprocessed {
    /// Adds a translation unit, which has macros of its own.
    fn add_unit(&mut self, text: &mut String, length: usize, tokens: &[Token], diagnostics: &mut Vec<Diagnostic>) {
        let mut state = Preprocessor::new(text, length, tokens, diagnostics);
        loop {
            let item = state.pull();
            // An `#include` stands in front of the token.
            self.tokens.append(&mut state.declared);
            match item {
                Some(item) => self.tokens.push(item.token),
                None => break,
            }
        }
        state.unclosed_groups();
        let Preprocessor { poisoned, quiet, numbering, diagnostics, unbounded, files, included, .. } = state;
        // Drop the scanner's diagnostics about text in skipped groups.
        diagnostics.retain(|d| {
            let group = quiet.partition_point(|q| q.end <= d.span.start);
            d.code != "unterminated-literal" && d.code != "unknown-character" || quiet.get(group).is_none_or(|q| d.span.start < q.start)
        });
        self.poisoned.extend(poisoned);
        self.system_headers.extend(numbering.system_headers);
        self.headers.extend(files.headers);
        self.unbounded = unbounded.or(self.unbounded);
        self.is_incomplete |= included.iter().any(|name| header::of_system(name).is_some());
    }
}

/// A token on its way.
#[derive(Clone, Copy, Debug)]
struct PendingToken {
    token: Token,
    /// Whether a blank stands before it.
    spaced: bool,
    /// Its name was met inside its own macro: it stays as it is.
    painted: bool,
}

/// What a name stands for.
struct Macro {
    meaning: Meaning,
    /// Where the program defines it; `None` if it comes from a header or from the language.
    defined_at: Option<Span>,
    /// Whether it is being expanded.
    open: bool,
}

#[derive(Clone)]
enum Meaning {
    Tokens(Rc<define::Definition>),
    Line,
    File,
}

/// Tokens that are read before those below.
struct TokenStack {
    /// The macro that they stand for; `None` for an argument or a condition, at whose end reading stops.
    of: Option<usize>,
    items: Vec<PendingToken>,
    at: usize,
}

/// A conditional group that is open.
struct Group {
    directive: Span,
    /// A branch of it was taken.
    taken: bool,
    has_else: bool,
}

/// What `#line` and line markers say.
#[derive(Default)]
struct LineNumbering {
    /// What is added to the number of a line.
    shift: i64,
    /// The spelling of the name that the file got.
    file: Option<Span>,
    /// The name in the first line marker.
    main: Option<Span>,
    /// Text of the system's headers; the last one may be open.
    system_headers: Vec<Span>,
}

/// The tokens of the text, and how far they are read.
struct SourceTokens<'a> {
    tokens: &'a [Token],
    at: usize,
    line_start: bool,
    line_starts: Vec<u32>,
    /// Bytes of the text that are the program's.
    length: usize,
    letters_before: usize,
}

/// Macros, and their numbers by name.
#[derive(Default)]
struct MacroTable {
    names: FxHashMap<Box<str>, usize>,
    all: Vec<Macro>,
}

/// How far macros are being replaced.
#[derive(Default)]
struct ExpansionState {
    contexts: Vec<TokenStack>,
    /// Inside `#if`, where `defined` is an operator.
    in_condition: bool,
    expanded: usize,
    depth: usize,
    full: bool,
}

struct Preprocessor<'a> {
    text: &'a mut String,
    source: SourceTokens<'a>,
    numbering: LineNumbering,
    files: files::OpenFiles,
    macros: MacroTable,
    expansion: ExpansionState,
    groups: Vec<Group>,
    included: Vec<&'static str>,
    /// Declarations of headers that come next.
    declared: Vec<Token>,
    /// Text whose tokens mean nothing, in order.
    quiet: Vec<Span>,
    diagnostics: &'a mut Vec<Diagnostic>,
    unbounded: Option<bool>,
    poisoned: Vec<Span>,
}

impl<'a> Preprocessor<'a> {
    fn new(text: &'a mut String, length: usize, tokens: &'a [Token], diagnostics: &'a mut Vec<Diagnostic>) -> Preprocessor<'a> {
        let line_starts =
            std::iter::once(0).chain(text.bytes().take(length).zip(1..).filter(|&(b, _)| b == b'\n').map(|(_, i)| i)).collect();
        let mut state = Preprocessor {
            source: SourceTokens { tokens, at: 0, line_start: true, line_starts, length, letters_before: text.len() },
            text,
            numbering: LineNumbering::default(),
            files: files::OpenFiles::default(),
            macros: MacroTable::default(),
            expansion: ExpansionState::default(),
            groups: Vec::new(),
            included: Vec::new(),
            declared: Vec::new(),
            quiet: Vec::new(),
            diagnostics,
            poisoned: Vec::new(),
            unbounded: None,
        };
        state.predefine();
        state
    }
}

impl Preprocessor<'_> {
    fn letters(&self, token: Token) -> &str {
        token.spelling.text(self.text)
    }

    /// Whether the token is a name: an identifier or a keyword.
    fn is_name(&self, token: Token) -> bool {
        token.kind == Kind::Ident || is_word(self.letters(token))
    }

    fn defined(&self, name: &str) -> Option<usize> {
        self.macros.names.get(name).copied()
    }

    /// A new token with these letters, shown at `span`.
    fn make(&mut self, kind: Kind, letters: &str, span: Span) -> Token {
        let start = self.text.len();
        self.text.push_str(letters);
        Token { kind, span, spelling: Span::new(start, self.text.len()) }
    }

    /// Counts tokens that macros make; false (and a message, once) where they are too many.
    fn charge(&mut self, tokens: usize, blamed: Span) -> bool {
        self.expansion.expanded = self.expansion.expanded.saturating_add(tokens);
        let letters = self.text.len() - self.source.letters_before;
        if self.expansion.full || (self.expansion.expanded <= MAX_EXPANDED && letters <= MAX_LETTERS && self.expansion.depth <= MAX_DEPTH) {
            return !self.expansion.full;
        }
        self.expansion.full = true;
        let blamed = self.in_source(blamed);
        self.diagnostics.push(Diagnostic::error("macro-too-large", blamed, "the macros grow too large when they are replaced").help(
            format!("all macros together may make {MAX_EXPANDED} tokens and {MAX_LETTERS} letters, and their calls nest {MAX_DEPTH} deep"),
        ));
        false
    }

    /// A span that is sure to lie in the program's text.
    fn in_source(&self, span: Span) -> Span {
        if span.end as usize <= self.source.length { span } else { Span::default() }
    }

    /// Whether a blank or a line's end stands between the token at `at` and the one before.
    fn spaced(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|i| self.source.tokens.get(i)) else { return false };
        let Some(token) = self.source.tokens.get(at) else { return false };
        before.kind == Kind::Newline || !self.touch(*before, *token)
    }

    fn touch(&self, before: Token, token: Token) -> bool {
        before.span.end == token.span.start
            || only_splices(self.text.get(before.span.end as usize..token.span.start as usize).unwrap_or(" "))
    }

    /// Tokens of one line as items.
    fn items(&self, tokens: &[Token]) -> Vec<PendingToken> {
        let spaced = |i: usize| i > 0 && !self.touch(tokens[i - 1], tokens[i]);
        (0..tokens.len()).map(|i| PendingToken { token: tokens[i], spaced: spaced(i), painted: false }).collect()
    }

    /// The next token, without expanding it; `None` at the end of the text or of an argument.
    fn raw(&mut self) -> Option<PendingToken> {
        while let Some(context) = self.expansion.contexts.last_mut() {
            if let Some(&item) = context.items.get(context.at) {
                context.at += 1;
                return Some(item);
            }
            self.close_context()?;
        }
        self.next_in_text()
    }

    /// Takes off a context that is used up; `None` if it is one at whose end reading stops.
    fn close_context(&mut self) -> Option<()> {
        let of = self.expansion.contexts.last()?.of?;
        self.macros.all[of].open = false;
        self.expansion.contexts.pop();
        Some(())
    }

    /// The next token of the text itself. Directives in front of it are obeyed.
    fn next_in_text(&mut self) -> Option<PendingToken> {
        loop {
            let &token = self.source.tokens.get(self.source.at)?;
            match token.kind {
                Kind::Newline => {
                    self.source.line_start = true;
                    self.source.at += 1;
                }
                // Arguments of a macro end with their file.
                Kind::FileMark if self.files.in_arguments => return None,
                Kind::FileMark => self.file_mark(token),
                Kind::Hash if self.source.line_start => self.directive(),
                _ => {
                    let spaced = self.spaced(self.source.at);
                    self.source.line_start = false;
                    self.source.at += 1;
                    return Some(PendingToken { token, spaced, painted: false });
                }
            }
        }
    }

    /// Whether the next token is an opening parenthesis.
    fn at_paren(&mut self) -> bool {
        while let Some(context) = self.expansion.contexts.last() {
            if let Some(item) = context.items.get(context.at) {
                return item.token.kind == Kind::LParen;
            }
            if self.close_context().is_none() {
                return false;
            }
        }
        let mut rest = self.source.tokens[self.source.at..].iter();
        rest.find(|t| t.kind != Kind::Newline).is_some_and(|t| t.kind == Kind::LParen)
    }

    /// The next token when all macros are replaced; `None` at the end of the text or of an argument.
    fn pull(&mut self) -> Option<PendingToken> {
        loop {
            let mut item = self.raw()?;
            if item.painted || !self.is_name(item.token) {
                return Some(item);
            }
            let name = self.letters(item.token);
            if name == "_Pragma" && self.at_paren() {
                self.skip_call();
                continue;
            }
            if self.expansion.in_condition && self.letters(item.token) == "defined" {
                return Some(self.defined_operator(item));
            }
            let Some(of) = self.defined(self.letters(item.token)) else { return Some(item) };
            if self.macros.all[of].open {
                item.painted = true;
                return Some(item);
            }
            if self.enter(of, item) {
                continue;
            }
            if self.expansion.full {
                // Keeps the parser silent about the gap.
                item.token.kind = Kind::Unknown;
            }
            return Some(item);
        }
    }

    /// Skips the parentheses that follow.
    fn skip_call(&mut self) {
        let mut depth = 0u32;
        while let Some(item) = self.raw() {
            match item.token.kind {
                Kind::LParen => depth += 1,
                Kind::RParen => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// All of `items` with macros replaced.
    fn expand_all(&mut self, items: Vec<PendingToken>) -> Vec<PendingToken> {
        self.expansion.depth += 1;
        self.expansion.contexts.push(TokenStack { of: None, items, at: 0 });
        let bottom = self.expansion.contexts.len();
        let mut out = Vec::new();
        while let Some(item) = self.pull() {
            if self.expansion.full {
                break;
            }
            out.push(item);
        }
        while self.expansion.contexts.len() > bottom {
            if self.close_context().is_none() {
                self.expansion.contexts.pop();
            }
        }
        self.expansion.contexts.pop();
        self.expansion.depth -= 1;
        out
    }

    /// The number of the line that is being read.
    fn line(&self) -> i64 {
        let last = self.source.at.checked_sub(1).and_then(|i| self.source.tokens.get(i)).map_or(0, |t| t.span.start);
        self.source.line_starts.partition_point(|&start| start <= last) as i64
    }
}

/// Whether the letters are those of an identifier or keyword.
fn is_word(letters: &str) -> bool {
    letters.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$' || !c.is_ascii())
        && !letters.ends_with(['\'', '"'])
        && token::single(letters).is_some()
}

/// Long spellings cut for messages.
fn shorten(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_string() } else { text.chars().take(37).chain("...".chars()).collect() }
}
