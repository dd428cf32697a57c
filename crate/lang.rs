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

pub mod ast;
pub mod check;
pub mod flow;
pub mod intrinsic;
mod lengths;
pub mod library;
pub mod outside;
pub mod parse;
pub mod preprocess;
pub mod qualifiers;
pub mod remarks;
pub mod scan;
pub mod storage;
pub mod suggest;
pub mod tables;
pub mod token;
pub mod types;

#[cfg(test)]
mod tests;

use crate::logic::{Arrange, SortedSet};
use crate::source::{Diagnostic, Severity, Span};
use std::collections::BTreeMap;

/// Messages shown at most; one more says how many there were.
pub const MAX_DIAGNOSTICS: usize = 50;
/// Bytes that a text may have.
const MAX_TEXT: usize = 4 << 20;

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
    let mut diagnostics = Vec::new();
    if source.len() > MAX_TEXT {
        let message = format!("the text has {} bytes; at most {MAX_TEXT} are read", source.len());
        return Parsed { program: None, diagnostics: vec![Diagnostic::error("text-too-large", Span::default(), message)] };
    }
    // The text, and after it letters that stand nowhere in it: those of a pasted token, of a header's macro.
    let mut text = source.to_string();
    let tokens = token::scan(&mut text, &mut diagnostics);
    let preprocessed = preprocess::preprocess(&mut text, source.len(), &tokens, &mut diagnostics);
    let mut poisoned: SortedSet<&str> = preprocessed.poisoned.iter().map(|name| name.text(&text)).collect();
    let mut tree = parse::parse(&text, preprocessed.tokens, &mut diagnostics, &mut poisoned);
    // The integers of the block language have no bounds.
    tree.unbounded = preprocessed.unbounded.or(tree.unbounded);
    let mut program = None;
    if !tree.unbalanced {
        let empty = tree.functions.is_empty();
        add_library(&mut tree, &poisoned);
        program = Some(check::check(tree, &mut diagnostics, &poisoned));
        if empty && !has_error(&diagnostics) {
            diagnostics.push(
                Diagnostic::error("no-function", Span::default(), "there is no function to look at")
                    .help("define one, e.g. `int main() { … }`"),
            );
        }
    }
    if has_error(&diagnostics) {
        program = None;
    }
    program.iter_mut().for_each(tables::follow);
    program.iter_mut().for_each(outside::follow);
    Parsed { program, diagnostics: tidy(diagnostics) }
}

/// Adds the functions of the library that the program calls and does not define.
fn add_library(tree: &mut parse::ParseTree, poisoned: &SortedSet<&str>) {
    let defined: SortedSet<&str> = tree.functions.iter().map(|function| function.name.text.as_str()).collect();
    let mut called_functions: BTreeMap<&'static str, Span> = BTreeMap::new();
    let mut open: Vec<&ast::Stmt> = tree.functions.iter().flat_map(|function| &function.body).collect();
    while let Some(stmt) = open.pop() {
        stmt.expressions(&mut |e| {
            called(e, &mut |name, span| {
                if !defined.contains(name) && !poisoned.contains(name) {
                    called_functions.entry(name).and_modify(|first| *first = (*first).min(span)).or_insert(span);
                }
            })
        });
        stmt.children(&mut |child| open.push(child));
    }
    for (name, span) in called_functions {
        for library::LibraryFunction { name, text } in library::texts(name) {
            let mut tokens = token::read(&text, &mut Vec::new());
            tokens.iter_mut().for_each(|token| (token.span, token.spelling) = (span, token.span));
            tokens.retain(|token| token.kind != token::Kind::Newline);
            let end = Span::new(text.len(), text.len());
            tokens.push(token::Token { kind: token::Kind::Eof, span, spelling: end });
            for mut function in parse::parse(&text, tokens, &mut Vec::new(), &mut SortedSet::new()).functions {
                function.name.text.clone_from(&name);
                function.library = true;
                tree.functions.push(function);
            }
        }
    }
}

/// The functions of the library that an expression calls.
fn called(e: &ast::Expr, visit: &mut dyn FnMut(&'static str, Span)) {
    if let ast::ExprKind::Call(name, arguments) = &e.kind {
        let prints = name.text == "fputs" || intrinsic::find(&name.text).is_some_and(|intrinsic| intrinsic.prints());
        // An argument that is a string may be one that is not known yet.
        let strings = prints && arguments.iter().any(|argument| !matches!(argument.kind, ast::ExprKind::Str(_)));
        if matches!(name.text.as_str(), "scanf" | "fscanf") {
            let formats = arguments.iter().filter_map(|argument| match &argument.kind {
                ast::ExprKind::Str(format) => Some(scan::Format::read(format)),
                _ => None,
            });
            for read in formats.flat_map(|format| format.directives).filter_map(scan::Directive::read).filter(scan::ScanConversion::is_word)
            {
                visit(read.function(), e.span);
            }
        }
        let name = if strings { library::PRINT_STRING } else { name.text.as_str() };
        if let Some(builtin) = library::names().find(|builtin| *builtin == name) {
            visit(builtin, e.span);
        }
    }
    e.kind.children(&mut |child| called(child, visit));
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
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
