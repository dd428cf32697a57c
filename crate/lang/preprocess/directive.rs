//! Lines that start with `#`.

use super::{Group, Macro, Meaning, Preprocessor, declarations, header};
use crate::lang::token::{self, Kind, Token};
use crate::source::abi::Abi;
use crate::source::files::{FileMark, target};
use crate::source::{Diagnostic, Span};

/// The code of the warning that a pragma packs structures.
pub const PACKING: &str = "packing-pragma";

impl Preprocessor<'_> {
    /// What is defined before the first line.
    pub(super) fn predefine(&mut self) {
        for (name, meaning) in [("__LINE__", Meaning::Line), ("__FILE__", Meaning::File)] {
            self.macros.names.insert(name.into(), self.macros.all.len());
            self.macros.all.push(Macro { meaning, defined_at: None, open: false });
        }
        self.define_all(header::PREDEFINED);
        self.define_all(&header::target(self.abi()));
    }

    /// The target of the text.
    pub(super) fn abi(&self) -> Abi {
        // What is appended to the text is none of its lines.
        target(self.text.get(..self.source.length).unwrap_or(self.text))
    }

    /// Takes definitions that stand nowhere in the program's text.
    pub(super) fn define_all(&mut self, definitions: &str) {
        let base = self.text.len();
        self.text.push_str(definitions);
        self.source.letters_before += definitions.len();
        let mut tokens = token::read(definitions, &mut Vec::new());
        for token in &mut tokens {
            let span = Span::new(base + token.span.start as usize, base + token.span.end as usize);
            (token.span, token.spelling) = (span, span);
        }
        for line in tokens.split(|t| t.kind == Kind::Newline) {
            if let [_, _, definition @ ..] = line {
                self.define(definition, None);
            }
        }
    }

    /// The declarations of a header that the rest of the program needs, shown at its `#include`.
    fn declare_all(&mut self, header: &str, whole: Span) {
        let rest = &self.source.tokens[self.source.at.min(self.source.tokens.len())..];
        let is_named = |name: &str| rest.iter().any(|&token| token.kind == Kind::Ident && self.letters(token) == name);
        let text = declarations::declarations(header, &is_named);
        let base = self.text.len();
        self.text.push_str(&text);
        self.source.letters_before += text.len();
        let mut tokens = token::read(&text, &mut Vec::new());
        tokens.retain(|token| token.kind != Kind::Newline);
        for token in &mut tokens {
            let spelling = Span::new(base + token.span.start as usize, base + token.span.end as usize);
            (token.span, token.spelling) = (whole, spelling);
        }
        self.declared.append(&mut tokens);
    }

    /// `#pragma culdesac ints unbounded` or `c32`: the default model of the program's integers.
    fn own_pragma(&mut self, line: &[Token], whole: Span) {
        let words: Vec<&str> = line.iter().map(|&token| self.letters(token)).collect();
        match words[..] {
            ["ints", "unbounded"] => self.unbounded = Some(true),
            ["ints", "c32"] => self.unbounded = Some(false),
            _ => self.diagnostics.push(
                Diagnostic::warning("unknown-pragma", whole, "this pragma means nothing here")
                    .help("write `#pragma culdesac ints unbounded` or `#pragma culdesac ints c32`"),
            ),
        }
    }

    /// The tokens of the current line from `from` on; steps after them, in front of the line's end.
    fn rest_of_line(&mut self, from: usize) -> Vec<Token> {
        let rest = &self.source.tokens[from..];
        let length = rest.iter().position(|t| t.kind == Kind::Newline).unwrap_or(rest.len());
        self.source.at = from + length;
        rest[..length].to_vec()
    }

    /// Obeys the directive at the current `#`.
    pub(super) fn directive(&mut self) {
        let hash = self.source.tokens[self.source.at];
        let mut line = self.rest_of_line(self.source.at + 1);
        self.source.line_start = false;
        if line.is_empty() {
            return;
        }
        let word = line.remove(0);
        let span = hash.span.to(word.span);
        let whole = line.last().map_or(span, |last| span.to(last.span));
        match self.letters(word).to_string().as_str() {
            "define" => self.define(&line, Some(span)),
            "undef" => match line.first() {
                Some(&name) if self.is_name(name) => {
                    self.macros.names.remove(name.spelling.text(self.text));
                }
                _ => self.bad(span, "`#undef` needs a name", "write `#undef NAME`"),
            },
            name @ ("include" | "include_next" | "import") => self.include(&line, whole, name == "include_next"),
            "if" => {
                let holds = self.condition(&line, whole);
                self.open_group(span, holds);
            }
            name @ ("ifdef" | "ifndef") => match line.first() {
                Some(&macro_name) if self.is_name(macro_name) => {
                    let is_defined = self.defined(self.letters(macro_name)).is_some();
                    self.open_group(span, Some(is_defined == (name == "ifdef")));
                }
                _ => {
                    self.bad(span, &format!("`#{name}` needs a name"), "write `#ifdef NAME`");
                    self.open_group(span, None);
                }
            },
            name @ ("elif" | "else" | "elifdef" | "elifndef" | "endif") => self.next_branch(name, &line, span, whole),
            "line" => self.number_lines(&line, span),
            // A line marker left by another preprocessor.
            _ if word.kind == Kind::Number => {
                line.insert(0, word);
                self.number_lines(&line, span);
            }
            "error" | "warning" => {
                let rest = whole_line(whole, &self.source.line_starts, self.source.length);
                let start = line.first().map_or(rest.end, |first| first.span.start);
                let text = Span { start, ..rest }.text(self.text).trim().to_string();
                let told = if text.is_empty() { String::new() } else { format!(": {}", super::shorten(&text)) };
                self.quiet.push(rest);
                let error = self.letters(word) == "error";
                self.diagnostics.push(if error {
                    Diagnostic::error("error-directive", whole, format!("the program asks for an error here{told}"))
                        .help("define what it needs, e.g. with `#define`, or remove the line")
                } else {
                    Diagnostic::warning("warning-directive", whole, format!("the program asks for a warning here{told}"))
                });
            }
            "pragma" if line.first().is_some_and(|own| self.letters(*own) == "culdesac") => self.own_pragma(&line[1..], whole),
            "pragma" if line.first().is_some_and(|first| self.letters(*first) == "pack") => self.diagnostics.push(
                Diagnostic::warning(PACKING, whole, "the sizes of structures are not known with this pragma")
                    .help("remove it if nothing depends on them"),
            ),
            "pragma" | "ident" | "sccs" => {
                if line.first().is_some_and(|first| self.letters(*first) == "once") {
                    self.once();
                }
                self.quiet.push(whole_line(whole, &self.source.line_starts, self.source.length));
            }
            name => {
                let message = format!("the directive `#{}` is not supported", super::shorten(name));
                self.diagnostics.push(
                    Diagnostic::error("unsupported-directive", span, message)
                        .help("remove the line; those of C are understood, from `#define` to `#endif`"),
                );
            }
        }
    }

    fn bad(&mut self, span: Span, message: &str, help: &str) {
        self.diagnostics.push(Diagnostic::error("bad-directive", span, message).help(help));
    }

    fn include(&mut self, line: &[Token], whole: Span, is_next: bool) {
        self.quiet.push(whole_line(whole, &self.source.line_starts, self.source.length));
        let Some(first) = line.first() else {
            self.bad(whole, "`#include` needs the name of a file", "write `#include <stdio.h>`");
            return;
        };
        let mut text = Span { start: first.span.start, end: whole.end }.text(self.text).trim().to_owned();
        if !text.starts_with(['<', '"']) {
            // A macro stands for the name.
            let tokens = self.expand_all(self.items(line));
            let letters = tokens.iter().map(|item| format!("{}{}", if item.spaced { " " } else { "" }, self.letters(item.token)));
            text = letters.collect::<String>().trim().to_owned();
        }
        let quoted = !text.starts_with('<');
        let name = text.get(1..).unwrap_or("");
        let name = name[..name.find(if quoted { '"' } else { '>' }).unwrap_or(name.len())].trim().to_string();
        if self.has_header(&name, quoted, is_next, whole) {
            return;
        }
        match header::find(&name, self.abi()) {
            Some((name, _)) if self.included.contains(&name) => {}
            Some((name, definitions)) => {
                self.included.push(name);
                // The header takes back any definition of its own name.
                if name == "assert.h" {
                    self.macros.names.remove("assert");
                }
                self.define_all(&definitions);
                self.declare_all(name, whole);
                if name == "assert.h" && self.defined("NDEBUG").is_some() {
                    self.define_all(header::NO_ASSERTIONS);
                }
            }
            None => match header::of_system(&name) {
                Some(name) => self.included.push(name),
                None => self.diagnostics.push(
                    Diagnostic::warning("unknown-include", whole, format!("`{}` is not here: it is left out", super::shorten(&name)))
                        .label("names it would define are missing")
                        .help(
                            "paste what the program needs from it in front of the program; on the command line `-I DIR` says where headers are",
                        ),
                ),
            },
        }
    }

    /// `#line` and line markers: the next line's number, perhaps the file's name.
    fn number_lines(&mut self, line: &[Token], span: Span) {
        let tokens = self.expand_all(self.items(line));
        let number = tokens.first().and_then(|t| self.letters(t.token).parse::<u32>().ok());
        let Some(number) = number else {
            self.bad(span, "`#line` needs the number of a line", "remove it, or write `#line 1`");
            return;
        };
        self.numbering.shift = i64::from(number) - (self.line() + 1);
        if let Some(file) = tokens.get(1).filter(|t| t.token.kind == Kind::Str) {
            self.numbering.file = Some(file.token.spelling);
        }
        // The flag 3 of a line marker; the main file has it where macros of headers are replaced.
        let main = *self.numbering.main.get_or_insert_with(|| self.numbering.file.unwrap_or_default());
        let is_flagged = tokens.iter().skip(2).any(|flag| self.letters(flag.token) == "3");
        let is_header = is_flagged && self.numbering.file.unwrap_or_default().text(self.text) != main.text(self.text);
        match self.numbering.system_headers.last_mut().filter(|header| header.end == u32::MAX) {
            Some(open) if !is_header => open.end = span.start,
            None if is_header => self.numbering.system_headers.push(Span { start: span.end, end: u32::MAX }),
            _ => {}
        }
    }

    // Groups

    /// Enters a conditional group; `None` is a condition that is none.
    fn open_group(&mut self, directive: Span, holds: Option<bool>) {
        let taken = holds == Some(true);
        self.groups.push(Group { directive, taken, has_else: false });
        if !taken {
            self.skip(holds.is_none());
        }
    }

    /// The current branch ends here: at its `#endif`, or at another branch.
    fn next_branch(&mut self, name: &str, line: &[Token], span: Span, whole: Span) {
        let outside = self.groups_outside();
        let Some(group) = self.groups.get_mut(outside..).and_then(<[Group]>::last_mut) else {
            let help = "remove it, or add the `#if` that it belongs to";
            self.bad(span, &format!("this `#{name}` belongs to no `#if`"), help);
            return;
        };
        if name == "endif" {
            self.groups.pop();
            return;
        }
        if group.has_else {
            let first = group.directive;
            self.diagnostics.push(
                Diagnostic::error("bad-directive", span, format!("`#{name}` stands behind the `#else` of the same `#if`"))
                    .help("remove it")
                    .related(first, "the `#if`"),
            );
        }
        group.has_else |= name == "else";
        // The last branch was left out because its condition could not be read: what follows is not for sure either.
        if group.taken {
            self.skip(false);
            return;
        }
        let holds = match name {
            "else" => Some(true),
            "elif" => self.condition(line, whole),
            _ => line.first().map(|&t| self.defined(self.letters(t)).is_some() == (name == "elifdef")),
        };
        if let Some(group) = self.groups.last_mut() {
            group.taken = holds == Some(true);
        }
        if holds != Some(true) {
            self.skip(holds.is_none());
        }
    }

    /// Skips to the next branch of the innermost group, or to its end.
    fn skip(&mut self, poison: bool) {
        let start = self.source.at;
        let mut depth = 0u32;
        let mut files = 0u32;
        let mut line_start = false;
        while let Some(token) = self.source.tokens.get(self.source.at) {
            if token.kind == Kind::Hash && line_start {
                match self.source.tokens.get(self.source.at + 1).map(|&t| self.letters(t)) {
                    Some("if" | "ifdef" | "ifndef") => depth += 1,
                    Some("endif") if depth > 0 => depth -= 1,
                    Some("endif" | "else" | "elif" | "elifdef" | "elifndef") if depth == 0 => break,
                    _ => {}
                }
            }
            if token.kind == Kind::FileMark {
                match FileMark::read(self.letters(*token)) {
                    Some(FileMark::Open(..)) => files += 1,
                    // A group ends with its file at the latest.
                    Some(FileMark::Close) if files == 0 => break,
                    Some(FileMark::Close) => files -= 1,
                    _ => {}
                }
            }
            line_start = token.kind == Kind::Newline;
            self.source.at += 1;
        }
        let skipped = &self.source.tokens[start..self.source.at];
        if let (Some(first), Some(last)) = (skipped.first(), skipped.last()) {
            let end = if self.source.at < self.source.tokens.len() { last.span } else { Span::new(self.source.length, self.source.length) };
            self.quiet.push(first.span.to(end));
        }
        if poison {
            self.poisoned.extend(skipped.iter().filter(|t| t.kind == Kind::Ident).map(|t| t.spelling));
        }
        self.source.line_start = true;
    }

    /// Says which groups are never closed.
    pub(super) fn unclosed_groups(&mut self) {
        if let Some(group) = self.groups.get(self.groups_outside()..).and_then(<[Group]>::last) {
            self.diagnostics.push(
                Diagnostic::error("unterminated-if", group.directive, "this `#if` is never closed")
                    .label("opened here")
                    .help("close it with `#endif` on a line of its own"),
            );
        }
    }
}

/// From a directive to its line's end: what the scanner could not read there has no token.
fn whole_line(span: Span, line_starts: &[u32], length: usize) -> Span {
    let next = line_starts.partition_point(|&start| start <= span.end);
    let end = line_starts.get(next).map_or(length as u32, |&start| start - 1);
    Span { start: span.start, end: end.max(span.end) }
}
