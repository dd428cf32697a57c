//! The part of a text that is understood: functions and declarations without an error, and of the others what they may do.
//!
//! An error belongs to the item it is in. [`understood`] leaves out the items with errors, and whatever uses them, until no error is left
//! (a least fixpoint over the items; each round checks the rest anew, so that nothing is believed of an item that is left out). What a
//! function that is left out may do is said by one call: it gives the address of each object and function that the left-out bodies name to
//! a function without a body, which may write to them and call them at any time before the analysed function starts.
//!
//! An item is left out, too,
//!
//! - when it declares an object or function that one that is left out declares: what its first value is, or its body, is not known;
//! - when it uses a name that means something without a declaration, in the library or its headers, and that an item left out declares.

use super::approximated::{Approximations, RegionNames};
use super::ast::Program;
use super::items::{ExternalItem, declared, items};
use super::left_out::LeftOutNames;
use super::library;
use super::refused::RefusedFunction;
use super::text::PreprocessedText;
use super::token::{Kind, Token};
use crate::logic::{Arrange, SortedMap, SortedSet};
use crate::source::{Diagnostic, Severity, Span};

/// Errors after which nothing is known of the rest of the text.
const OF_THE_TEXT: [&str; 6] =
    ["error-directive", "unterminated-if", "unterminated-comment", "unterminated-macro-call", "macro-too-large", "unsupported-directive"];

/// Errors that concern a function as a whole.
const NEVER_APPROXIMATED: [&str; 7] = [
    "redefinition",
    "conflicting-declaration",
    "missing-brace",
    "unexpected-brace",
    "unknown-label",
    "duplicate-label",
    "unsupported-goto",
];

/// What stands between a name and the reason.
const NOT_UNDERSTOOD: &str = " is not understood: ";

/// Rounds after which the search is given up.
const MAX_ROUNDS: usize = 256;

/// Reads the part of a text that is understood; `None` where an error belongs to no item, or where nothing is left. `first` are the errors of
/// the whole text; `later` those that the program has in later stages, one after the other.
pub(super) fn understood(text: &PreprocessedText, first: &[Diagnostic], later: &[Diagnostic]) -> Option<(Program, Vec<Diagnostic>)> {
    let mut search = PartSearch::new(text)?;
    // After brackets that do not match the parser may have misread the rest.
    let is_unbalanced = first.iter().any(is_of_brackets);
    for error in first.iter().filter(|diagnostic| diagnostic.severity == Severity::Error && !is_unbalanced) {
        search.leave_out_with(error)?;
    }
    for error in later {
        search.approximations.checked();
        if !search.approximate(error) {
            return None;
        }
    }
    // A round leaves out all that uses what the round before left out: so many are the longest chain of uses.
    let rounds = (super::MOST_LETTERS / (text.letters.len() + 1)).clamp(8, MAX_ROUNDS);
    for _ in 0..rounds {
        search.leave_out_users();
        if !search.has_function() {
            return None;
        }
        let (program, diagnostics) = text.check(search.kept(), &search.names(), !search.approximations.is_empty());
        search.approximations.checked();
        let mut progress = false;
        for error in diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error) {
            progress |= search.leave_out_with(error)?;
        }
        match program {
            Some(program) if program.own().next().is_none() => return None,
            Some(program) => return Some(search.parsed(program, first, diagnostics)),
            None if progress => {}
            None => return None,
        }
    }
    None
}

/// Whether it says that braces do not match.
fn is_of_brackets(error: &Diagnostic) -> bool {
    matches!(error.code, "missing-brace" | "unexpected-brace")
}

/// That a name is not understood, with the first reason of all.
fn derived(name: &str, reason: &Diagnostic) -> String {
    let first = reason.message.rsplit(NOT_UNDERSTOOD).next().unwrap_or_default();
    format!("`{name}`{NOT_UNDERSTOOD}{first}")
}

/// Whether no line ends between two places.
fn on_one_line(letters: &str, one: u32, other: u32) -> bool {
    !Span { start: one.min(other), end: one.max(other) }.text(letters).contains('\n')
}

/// Names with the numbers of items, in order.
struct ItemsByName<'t>(Vec<(&'t str, usize)>);

impl<'t> ItemsByName<'t> {
    /// `names` are those of each item.
    fn new<'a>(names: impl Iterator<Item = impl Iterator<Item = &'a &'t str>>) -> Self
    where
        't: 'a,
    {
        let mut all: Vec<(&str, usize)> = names.enumerate().flat_map(|(at, names)| names.map(move |name| (*name, at))).collect();
        all.arrange();
        ItemsByName(all)
    }

    /// The items of a name.
    fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        let first = self.0.partition_point(|(other, _)| *other < name);
        self.0[first..].iter().take_while(move |(other, _)| *other == name).map(|(_, at)| *at)
    }
}

struct PartSearch<'t> {
    text: &'t PreprocessedText,
    items: Vec<ExternalItem>,
    declared: Vec<Vec<&'t str>>,
    /// All names in each item.
    names: Vec<SortedSet<&'t str>>,
    /// The items that declare a name, and those in which it stands.
    declaring: ItemsByName<'t>,
    naming: ItemsByName<'t>,
    /// Why each item is left out, where it is.
    reasons: Vec<Option<Diagnostic>>,
    /// The regions of the other functions that calls replace.
    approximations: Approximations,
}

impl<'t> PartSearch<'t> {
    fn new(text: &'t PreprocessedText) -> Option<PartSearch<'t>> {
        let PreprocessedText { letters, tokens, poisoned, .. } = text;
        let items = items(letters, tokens);
        let name = |token: &Token| token.spelling.text(letters);
        let names: Vec<SortedSet<&str>> = items
            .iter()
            .map(|item| tokens[item.tokens.clone()].iter().filter(|token| token.kind == Kind::Ident).map(name).collect())
            .collect();
        let declared: Vec<Vec<&str>> = items.iter().map(|item| declared(letters, tokens, item)).collect();
        let declaring = ItemsByName::new(declared.iter().map(|names| names.iter()));
        let naming = ItemsByName::new(names.iter().map(|names| names.iter()));
        let mut search = PartSearch {
            text,
            declared,
            names,
            declaring,
            naming,
            reasons: vec![None; items.len()],
            items,
            approximations: Approximations::default(),
        };
        for error in text.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error) {
            let is_within = search.at(error.span).is_some_and(|at| error.span.start < search.items[at].span.end);
            // What a macro that cannot be read stands for is not known where it is used.
            let is_of_names = || poisoned.iter().any(|name| on_one_line(letters, name.start, error.span.start));
            if OF_THE_TEXT.contains(&error.code) && !(is_within && error.code == "error-directive") || !is_within && !is_of_names() {
                return None;
            }
        }
        let poisoned: SortedMap<&str, Span> = poisoned.iter().map(|span| (span.text(letters), *span)).collect();
        for at in 0..search.items.len() {
            let item = &search.items[at];
            if let Some(name) = search.names[at].iter().find(|name| poisoned.contains_key(**name)) {
                let message = format!("`{name}` is defined in a way that is not understood");
                let here = item.function.map_or(item.span, |name| tokens[name].span);
                let because = Diagnostic::error("not-understood", here, message).related(poisoned[name], "defined here");
                search.reasons[at] = Some(because);
            } else if !item.balanced {
                let message = "the brackets of this declaration do not match";
                let first = tokens[item.tokens.start].span;
                search.reasons[at] = Some(Diagnostic::error("unclosed", first, message).help("close each bracket that is opened"));
            }
        }
        Some(search)
    }

    /// The item that a place belongs to: the last one that begins before it.
    fn at(&self, span: Span) -> Option<usize> {
        self.items.partition_point(|item| item.span.start <= span.start).checked_sub(1)
    }

    /// Leaves out the item with this error, and both where it is about two; gives whether that is new, and nothing where it is in none.
    fn leave_out_with(&mut self, error: &Diagnostic) -> Option<bool> {
        // No compiler takes the text with an assertion that fails.
        if is_of_brackets(error) || error.code == "static-assertion" {
            return None;
        }
        if self.approximate(error) {
            return Some(true);
        }
        let name = error.span.text(&self.text.letters);
        if error.code == "unknown-type" && !self.is_kept(name) {
            // The parser says so once.
            let mut progress = false;
            for at in self.naming.of(name) {
                progress |= self.reasons[at].is_none();
                self.reasons[at].get_or_insert_with(|| error.clone());
            }
            return Some(progress);
        }
        let both = matches!(error.code, "redefinition" | "conflicting-declaration");
        let others = error.related.iter().filter(|_| both).filter_map(|(span, _)| self.at(*span));
        let mut progress = false;
        for at in others.chain([self.at(error.span)?]).collect::<SortedSet<usize>>() {
            progress |= self.reasons[at].is_none();
            let reason = self.explained(error);
            self.reasons[at].get_or_insert(reason);
        }
        Some(progress)
    }

    /// Approximates the smallest new region around an error in a function; gives whether there is one.
    fn approximate(&mut self, error: &Diagnostic) -> bool {
        let Some(at) = self.at(error.span) else { return false };
        let item = &self.items[at];
        if !item.balanced || item.function.is_none() {
            return false;
        }
        if NEVER_APPROXIMATED.contains(&error.code) || self.text.diagnostics.iter().any(|other| other.code == "unknown-include") {
            return false;
        }
        let because = self.explained(error);
        let mut approximations = std::mem::take(&mut self.approximations);
        let is_function =
            |name: &str| self.declaring.of(name).next().is_some() || library::has_meaning(name) || library::instead_of(name).is_some();
        let is_defined = |name: &str| self.declaring.of(name).any(|at| self.items[at].function.is_some());
        let is_library = |name: &str| library::has_meaning(name) && !is_defined(name);
        let is_gone = |name: &str| self.gone(name).is_some();
        let is_in_function = |name: &str| self.names[at].contains(name);
        let names = RegionNames { is_in_function: &is_in_function, is_function: &is_function, is_library: &is_library, is_gone: &is_gone };
        let is_new = approximations.add(self.text, item, &because, &names);
        self.approximations = approximations;
        is_new
    }

    /// The error, or of a name that an item left out declares the reason for that.
    fn explained(&self, error: &Diagnostic) -> Diagnostic {
        let name = error.span.text(&self.text.letters);
        match self.gone(name).or_else(|| self.approximations.declaring(self.text, name)) {
            Some(reason) if matches!(error.code, "undeclared-name" | "unknown-function" | "unknown-type" | "not-a-function" | "syntax") => {
                Diagnostic::error("not-understood", error.span, derived(name, reason)).related(reason.span, "here")
            }
            _ => error.clone(),
        }
    }

    /// Whether what is left declares this name.
    fn is_kept(&self, name: &str) -> bool {
        self.declaring.of(name).any(|at| self.reasons[at].is_none())
    }

    /// Why the item that declares this name is left out, if it is.
    fn gone(&self, name: &str) -> Option<&Diagnostic> {
        self.declaring.of(name).find_map(|at| self.reasons[at].as_ref())
    }

    /// Leaves out what declares a name anew that is gone, and what uses one that means something else without its declaration.
    fn leave_out_users(&mut self) {
        loop {
            let gone: SortedSet<&str> =
                (0..self.items.len()).filter(|&at| self.reasons[at].is_some()).flat_map(|at| self.declared[at].iter().copied()).collect();
            let mut found: SortedMap<usize, &str> = SortedMap::new();
            for name in &gone {
                let using = if library::has_meaning(name) { &self.naming } else { &self.declaring };
                for at in using.of(name).filter(|&at| self.reasons[at].is_none()) {
                    found.insert(at, name);
                }
            }
            if found.is_empty() {
                return;
            }
            for (at, name) in found {
                let item = &self.items[at];
                let is_name = |token: &&Token| token.kind == Kind::Ident && token.spelling.text(&self.text.letters) == name;
                let span = self.text.tokens[item.tokens.clone()].iter().find(is_name).map_or(item.span, |token| token.span);
                let message = self.gone(name).map(|reason| derived(name, reason)).unwrap_or_default();
                self.reasons[at] = Some(Diagnostic::error("not-understood", span, message));
            }
        }
    }

    /// Whether a function is left.
    fn has_function(&self) -> bool {
        self.items.iter().zip(&self.reasons).any(|(item, reason)| item.function.is_some() && reason.is_none())
    }

    /// The tokens of what is left.
    fn kept(&self) -> Vec<Token> {
        let tokens = &self.text.tokens;
        let kept = self.items.iter().zip(&self.reasons).filter(|(_, reason)| reason.is_none());
        let mut found = Vec::new();
        for (item, _) in kept {
            self.approximations.write(self.text, item.tokens.clone(), &mut found);
        }
        found.extend(tokens.last());
        found
    }

    /// The names in the functions that are left out.
    fn names(&self) -> LeftOutNames<'t> {
        let left_out = self.items.iter().zip(&self.reasons).zip(&self.names).filter(|((_, reason), _)| reason.is_some());
        left_out.flat_map(|(_, names)| names.iter().copied()).collect()
    }

    /// What is understood, with the messages on the rest as warnings: those of the whole text, and of each item that has none there its own.
    fn parsed(&self, mut program: Program, first: &[Diagnostic], diagnostics: Vec<Diagnostic>) -> (Program, Vec<Diagnostic>) {
        let letters = &self.text.letters;
        let tokens = &self.text.tokens;
        let mut told = diagnostics;
        // What the preprocessor warns of may be why names are missing.
        told.extend(self.text.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning).cloned());
        let mut with_message: SortedSet<usize> = SortedSet::new();
        for error in first.iter().filter(|diagnostic| diagnostic.severity == Severity::Error) {
            // Of a function that is kept in part the approximated places are told.
            let at = self.at(error.span);
            if at.is_none_or(|at| self.reasons[at].is_some()) {
                with_message.extend(at);
                told.push(error.clone());
            }
        }
        for (at, reason) in self.reasons.iter().enumerate() {
            if let Some(reason) = reason.as_ref().filter(|_| !with_message.contains(&at)) {
                told.push(reason.clone());
            }
        }
        for diagnostic in told.iter_mut().filter(|diagnostic| diagnostic.severity == Severity::Error) {
            let item = self.at(diagnostic.span).map(|at| &self.items[at]).filter(|item| diagnostic.span.start <= item.span.end);
            let what = match item.map(|item| item.function) {
                Some(Some(name)) => format!("`{}`", tokens[name].spelling.text(letters)),
                Some(None) => "this declaration".to_owned(),
                None => "this line".to_owned(),
            };
            diagnostic.message = format!("{what} is left out: {}", diagnostic.message);
            diagnostic.severity = Severity::Warning;
        }
        told.extend(self.approximations.remarks(self.text));
        for (item, reason) in self.items.iter().zip(&self.reasons) {
            if let (Some(name), Some(because)) = (item.function, reason) {
                let (name, span) = (tokens[name].spelling.text(letters).to_owned(), tokens[name].span);
                program.refused.push(RefusedFunction { name, span, because: because.clone() });
            }
        }
        (program, told)
    }
}
