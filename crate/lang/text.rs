//! A text after the preprocessor, and the stages that follow: of all its tokens, or of some of them.

use super::left_out::{self, LeftOutNames};
use super::{annotations, ast, check, intrinsic, items, library, outside, parse, preprocess, scan, tables, token};
use crate::logic::SortedSet;
use crate::source::{Diagnostic, Severity, Span};
use std::collections::BTreeMap;

/// A text after the preprocessor.
pub struct PreprocessedText {
    /// The text, and after it letters that stand nowhere in it: those of a pasted token, of a header's macro.
    pub letters: String,
    /// End with [`token::Kind::Eof`].
    pub tokens: Vec<token::Token>,
    /// Names that a refused directive would have introduced.
    pub poisoned: Vec<Span>,
    /// The text between line markers of headers.
    pub headers: Vec<Span>,
    /// See [`ast::Program::unbounded`].
    unbounded: Option<bool>,
    pub is_block_language: bool,
    /// What the scanner and the preprocessor say.
    pub diagnostics: Vec<Diagnostic>,
}

impl PreprocessedText {
    pub fn read(source: &str) -> PreprocessedText {
        let mut diagnostics = Vec::new();
        let mut letters = source.to_string();
        let tokens = token::scan(&mut letters, &mut diagnostics);
        let preprocess::Preprocessed { mut tokens, poisoned, headers, unbounded } =
            preprocess::preprocess(&mut letters, source.len(), &tokens, &mut diagnostics);
        let is_block_language = parse::is_block_language(&letters, &tokens);
        if !is_block_language {
            tokens = annotations::strip(&letters, tokens, &mut diagnostics);
            if !headers.is_empty() {
                tokens = without_library(&letters, tokens, &headers);
            }
        }
        PreprocessedText { letters, tokens, poisoned, headers, unbounded, is_block_language, diagnostics }
    }

    /// Whether the place is in a header that another preprocessor put into the text.
    pub fn is_in_header(&self, span: Span) -> bool {
        is_within(&self.headers, span)
    }

    /// Parses and checks these of its tokens, beside functions that are left out and have these names in them. Gives the program, if it has
    /// no error, and what is to say.
    pub fn check(&self, tokens: Vec<token::Token>, left_out: &LeftOutNames<'_>) -> (Option<ast::Program>, Vec<Diagnostic>) {
        // The stages look at the messages before theirs.
        let mut diagnostics = self.diagnostics.clone();
        let mut poisoned: SortedSet<&str> = self.poisoned.iter().map(|name| name.text(&self.letters)).collect();
        let mut tree = parse::parse(&self.letters, tokens, &mut diagnostics, &mut poisoned);
        // The integers of the block language have no bounds.
        tree.unbounded = self.unbounded.or(tree.unbounded);
        let mut program = None;
        if !tree.unbalanced {
            let empty = tree.functions.is_empty();
            add_library(&mut tree, &poisoned);
            left_out::add(&mut tree, left_out);
            program = Some(check::check(tree, &mut diagnostics, &poisoned));
            if empty && !has_error(&diagnostics) {
                diagnostics.push(
                    Diagnostic::error("no-function", Span::default(), "there is no function to look at")
                        .help("define one, e.g. `int main() { … }`"),
                );
            }
        }
        let diagnostics = diagnostics.split_off(self.diagnostics.len());
        if has_error(&diagnostics) || has_error(&self.diagnostics) && left_out.is_empty() {
            return (None, diagnostics);
        }
        program.iter_mut().for_each(tables::follow);
        program.iter_mut().for_each(outside::follow);
        (program, diagnostics)
    }
}

/// Whether the place is in one of these, which stand in order.
fn is_within(all: &[Span], span: Span) -> bool {
    let at = all.partition_point(|one| one.start <= span.start);
    at.checked_sub(1).is_some_and(|at| span.start < all[at].end)
}

/// The tokens without the bodies that headers have for functions of the library: what these mean is known here.
fn without_library(letters: &str, tokens: Vec<token::Token>, headers: &[Span]) -> Vec<token::Token> {
    let has_meaning = |name: &str| intrinsic::find(name).is_some() || library::names().any(|other| other == name);
    let is_kept = |item: &items::ExternalItem| {
        let name = item.function.map(|at| tokens[at].spelling.text(letters));
        !name.is_some_and(|name| is_within(headers, item.span) && has_meaning(name))
    };
    let items = items::items(letters, &tokens);
    items.iter().filter(|item| is_kept(item)).flat_map(|item| &tokens[item.tokens.clone()]).chain(tokens.last()).copied().collect()
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

/// Whether one of these is an error.
pub fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}
