//! The front end: text in C or in the block language to a checked syntax tree, or to messages that say what to change.
//!
//! [`parse()`] runs [`token`] → [`preprocess`] → [`parse`](mod@parse) → [`check`]. Every stage goes on after an error, so
//! one run reports several errors; one slip gives one message.
//!
//! *Subset.* C's integer types, arrays, structures, pointers to known objects, every statement, every operator on integers;
//! `web/docs/language.md` has it in full, with what the checker refuses. [`intrinsic`] lists the functions with a meaning of
//! their own. The checker types every expression and writes C's silent conversions down; lowering decides what integers are
//! (C's, or without bounds).
//!
//! *Rejected:* the crate `lang-c` 0.15 as the parser. For `a=1 a=2;` it answers with one offset (that of the second `a`, not
//! after the `1`) and an unordered set of the 38 tokens possible there; for `whlie (1) {` with the same 38 tokens, at the
//! brace; for a missing closing brace with 18 tokens at the end of the text. It stops after the first error, so three errors
//! in a text come out as one. A line `#define N 3` passes, but `N` stays as it is (the crate expects preprocessed text), and
//! the empty text passes too. 1,000 nested parentheses parse; 10,000 overflow a stack of 8 MiB (debug build), so something
//! in front of it would have to bound nesting.
//!
//! Invariants: [`Parsed::program`] is there iff no diagnostic is an error; no input panics or overflows the stack; time is
//! linear in the text but for the bounded work on messages.
//!
//! # Example
//!
//! ```
//! use culdesac::lang;
//!
//! let parsed = lang::parse("int twice(int x) { return x + x; }");
//! let program = parsed.program.expect("no error");
//! assert_eq!(program.own().next().expect("a function").name.text, "twice");
//!
//! // One slip, one message, and no program.
//! let parsed = lang::parse("int twice(int x) { return x + y; }");
//! assert!(parsed.program.is_none());
//! assert_eq!((parsed.diagnostics.len(), parsed.diagnostics[0].code), (1, "undeclared-name"));
//! ```

mod annotations;
mod approximated;
pub mod ast;
mod bit_texts;
pub mod check;
pub mod floats;
pub mod flow;
pub mod intrinsic;
mod items;
mod left_out;
mod lengths;
pub mod library;
mod linked;
mod math;
pub mod moved_pointers;
mod number_texts;
pub mod outside;
pub mod parse;
pub mod preprocess;
mod printed;
pub mod qualifiers;
pub mod refused;
pub mod remarks;
pub mod scan;
mod scanned;
mod side_effects;
pub mod sizes;
mod standard;
pub mod static_pointers;
pub mod storage;
pub mod suggest;
mod text;
pub mod token;
pub mod types;
mod understood;
pub mod views;

#[cfg(test)]
mod tests;

use crate::logic::Arrange;
use crate::source::{Diagnostic, Severity, Span};
use left_out::LeftOutNames;
use text::{PreprocessedText, has_error};

/// Messages shown at most; one more says how many there were.
pub const MAX_DIAGNOSTICS: usize = 50;
/// Bytes that a text may have.
pub const MAX_TEXT: usize = 4 << 20;

/// Bytes that all rounds of parsing one text read together, at most.
pub const MOST_LETTERS: usize = 16 << 20;

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The checked program; `None` iff there is an error.
    pub program: Option<ast::Program>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a program in C or in the block language. Takes any text; gives the tree, or why there is none.
pub fn parse(source: &str) -> Parsed {
    read(source, None)
}

/// As [`parse()`], for questions about one function at a time: what has errors is left out where the rest is understood without it. What is
/// wrong with it is then told as warnings, and [`ast::Program::refused`] lists the functions.
pub fn parse_understood(source: &str) -> Parsed {
    read(source, Some(&[]))
}

/// As [`parse_understood`], with the errors of later stages: a call of an unknown function replaces the smallest expression or statement
/// around each error. Each repetition of an error selects the next larger expression or statement.
pub fn parse_approximated(source: &str, errors: &[Diagnostic]) -> Parsed {
    read(source, Some(errors))
}

fn read(source: &str, in_part: Option<&[Diagnostic]>) -> Parsed {
    if source.len() > MAX_TEXT {
        let message = format!("the text has {} bytes; at most {MAX_TEXT} are read", source.len());
        return Parsed { program: None, diagnostics: vec![Diagnostic::error("text-too-large", Span::default(), message)] };
    }
    let text = PreprocessedText::read(source);
    let (program, told) = text.check(text.tokens.clone(), &LeftOutNames::default(), false);
    let mut diagnostics = text.diagnostics.clone();
    diagnostics.extend(told);
    let later = in_part.unwrap_or_default();
    if !has_error(&diagnostics) && later.is_empty() {
        return Parsed { program, diagnostics: tidy(diagnostics) };
    }
    let part = (in_part.is_some() && !text.is_block_language).then(|| understood::understood(&text, &diagnostics, later)).flatten();
    let (program, mut diagnostics) = part.map_or((None, diagnostics), |(program, diagnostics)| (Some(program), diagnostics));
    // What a header declares and is not understood is told where the program uses it.
    diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error || !text.is_in_header(diagnostic.span));
    Parsed { program, diagnostics: tidy(diagnostics) }
}

/// Sorts by span, drops repetitions (a macro used twice in a line), and cuts.
fn tidy(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.arrange_by_key(|d| (d.span.start, d.span.end));
    diagnostics.dedup_by(|a, b| a.span == b.span && a.code == b.code && a.message == b.message);
    if diagnostics.len() > MAX_DIAGNOSTICS {
        // Errors decide; a flood of warnings must not push the last of them out.
        if diagnostics[MAX_DIAGNOSTICS..].iter().any(|d| d.severity == Severity::Error) {
            diagnostics.arrange_by_key(|d| (d.severity, d.span.start, d.span.end));
        }
        let dropped = diagnostics.split_off(MAX_DIAGNOSTICS);
        let severity = dropped.iter().map(|d| d.severity).min().unwrap_or(Severity::Warning);
        let span = dropped[0].span;
        let message = format!("there are {} more messages like these", dropped.len());
        diagnostics.push(Diagnostic { severity, ..Diagnostic::error("more-messages", span, message) });
    }
    diagnostics
}
