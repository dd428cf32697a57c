//! Approximated regions: expressions and statements that the front end or lowering does not support, each replaced by a call.
//!
//! A *region* is a sequence of tokens in a function body: an expression statement, a declaration, or an expression whose context uses its
//! value alone (a condition, an operand of `&&`, the right side of an assignment, a returned value, an argument, an index). The called
//! function, [`APPROXIMATED`](super::intrinsic::APPROXIMATED), has no body; its arguments are the addresses of all objects that the region
//! may write, and the values of its pointers. An operand of arithmetic is no region: the product of a variable and an arbitrary integer is
//! not an arbitrary product.

mod regions;

use super::items::{ExternalItem, closing, declared};
use super::text::PreprocessedText;
use super::token::{Kind, Token};
use crate::logic::SortedSet;
use crate::source::files::named;
use crate::source::{Diagnostic, LineIndex, Severity, Span};
use regions::regions;
use std::collections::BTreeMap;
use std::ops::Range;

/// A sequence of tokens that a call replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApproximatedRegion {
    pub tokens: Range<usize>,
    /// Whether the call is a statement.
    is_statement: bool,
}

/// Functions whose callers are never approximated: such a call returns twice, or starts a thread or process.
const NEVER: [&str; 7] = ["setjmp", "_setjmp", "sigsetjmp", "vfork", "pthread_create", "thrd_create", "__builtin_setjmp"];

/// The regions of a program, pairwise disjoint, by their first tokens.
#[derive(Default)]
pub struct Approximations(BTreeMap<usize, Approximation>);

/// Predicates on the names in a region.
pub struct RegionNames<'n> {
    /// Whether the name occurs in the function.
    pub is_in_function: &'n dyn Fn(&str) -> bool,
    /// Whether the name, in front of a parenthesis, denotes a function and no unknown macro.
    pub is_function: &'n dyn Fn(&str) -> bool,
    /// Whether it denotes a function of C's library, which does nothing but to what it is given.
    pub is_library: &'n dyn Fn(&str) -> bool,
    /// Whether every declaration of the name is left out.
    pub is_gone: &'n dyn Fn(&str) -> bool,
}

struct Approximation {
    region: ApproximatedRegion,
    because: Diagnostic,
    /// Whether the region may write every object that it names: it contains assembly, or a call that may be one of a macro.
    writes_all: bool,
    /// Tokens that are names of the library's functions in calls.
    library: Vec<usize>,
    /// Whether the region was added after the last check of the program: errors within its tokens are then those that it replaces.
    is_new: bool,
}

impl Approximations {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Marks all regions as checked: the errors that follow are those of the program with these regions.
    pub fn checked(&mut self) {
        self.0.values_mut().for_each(|existing| existing.is_new = false);
    }

    /// Adds the smallest new region around an error in a function; gives whether there is one. Only unsupported constructs, names that a
    /// header of the system may declare, and their consequences have regions: an error that a C compiler reports, too, has none.
    pub fn add(&mut self, text: &PreprocessedText, item: &ExternalItem, error: &Diagnostic, names: &RegionNames<'_>) -> bool {
        let start = error.span.start;
        let PreprocessedText { letters, tokens, .. } = text;
        let is_open = |at: &usize| tokens[*at].kind == Kind::LBrace;
        let Some(open) = item.tokens.clone().find(is_open).filter(|open| tokens[*open].span.start <= start) else { return false };
        let body = open..item.tokens.end;
        if NEVER.iter().any(|name| (names.is_in_function)(name)) {
            return false;
        }
        // All tokens of a macro call have the span of the call; a position between two tokens belongs to the first.
        let last = open + tokens[body.clone()].partition_point(|token| token.span.start <= start) - 1;
        let first = (open..last).rev().take_while(|at| tokens[*at].span == tokens[last].span).last().unwrap_or(last);
        for at in first..=last {
            if self.around(at).is_some_and(|existing| existing.is_new) {
                return true;
            }
            let around = regions(letters, tokens, body.clone(), at);
            let is_new = |region: &&ApproximatedRegion| {
                !self.around(region.tokens.start).is_some_and(|existing| covers(&existing.region.tokens, &region.tokens))
            };
            let Some(region) = around.iter().find(is_new).cloned() else { continue };
            let name = |at: usize| tokens[at].spelling.text(letters);
            let is_kept = |at: usize| !(names.is_gone)(name(at)) && self.declaring(text, name(at)).is_none() && !is_assembly(name(at));
            let is_existing = self.around(at).is_some();
            let may_be_declared = || text.is_incomplete && ["unknown-function", "undeclared-name", "unknown-type"].contains(&error.code);
            let is_unsupported = error.code.starts_with("unsupported") || error.code == "not-understood" || may_be_declared();
            if !is_unsupported && !is_existing && region.tokens.clone().all(is_kept) {
                return false;
            }
            if region.is_statement && self.hides(text, item, &region) {
                return false;
            }
            // The errors of the outer region follow from the first one.
            let inner: Vec<usize> = self.0.range(region.tokens.clone()).map(|(at, _)| *at).collect();
            let inner: Vec<Approximation> = inner.iter().filter_map(|at| self.0.remove(at)).collect();
            let because = inner.first().map_or(error, |inner| &inner.because).clone();
            let is_call = |at: usize| tokens[at].kind == Kind::Ident && tokens[at + 1].kind == Kind::LParen;
            let writes_all = region.tokens.clone().any(|at| is_call(at) && !(names.is_function)(name(at)))
                || region.tokens.clone().any(|at| is_assembly(name(at)));
            let library = region.tokens.clone().filter(|at| is_call(*at) && (names.is_library)(name(*at))).collect();
            self.0.insert(region.tokens.start, Approximation { region, because, writes_all, library, is_new: true });
            return true;
        }
        false
    }

    /// The region with this token.
    fn around(&self, at: usize) -> Option<&Approximation> {
        self.0.range(..=at).next_back().map(|(_, existing)| existing).filter(|existing| existing.region.tokens.contains(&at))
    }

    /// Why the declaration of this name in a function body is approximated, if it is.
    pub fn declaring(&self, text: &PreprocessedText, name: &str) -> Option<&Diagnostic> {
        let declaring = self.0.values().find(|existing| existing.region.declared(text).contains(&name))?;
        Some(&declaring.because)
    }

    /// Whether the region declares a name with a second declaration: without the region the name would denote another object.
    fn hides(&self, text: &PreprocessedText, item: &ExternalItem, region: &ApproximatedRegion) -> bool {
        let PreprocessedText { letters, tokens, .. } = text;
        let kind = |at: usize| tokens[at].kind;
        let first = region.tokens.start;
        let names = region.declared(text);
        let is_name = |at: usize| kind(at) == Kind::Ident && names.contains(tokens[at].spelling.text(letters));
        // The braces of a structure, union or enumeration may define further names.
        let defines = |at: usize| {
            let word = |back: usize| tokens[at.saturating_sub(back)].spelling.text(letters);
            kind(at) == Kind::LBrace && [1, 2].into_iter().any(|back| ["struct", "union", "enum"].contains(&word(back)))
        };
        region.tokens.clone().any(defines)
            || !names.is_empty() && (0..item.tokens.start).chain(item.tokens.start..first).chain(item.tokens.end..tokens.len()).any(is_name)
    }

    /// Appends the tokens of a range, with a call for each region in it.
    pub fn write(&self, text: &PreprocessedText, range: Range<usize>, found: &mut Vec<Token>) {
        let mut at = range.start;
        while at < range.end {
            match self.0.get(&at) {
                Some(approximation) => {
                    approximation.write(text, found);
                    at = approximation.region.tokens.end;
                }
                None => {
                    found.push(text.tokens[at]);
                    at += 1;
                }
            }
        }
    }

    /// A warning for each region, with the error that it replaces.
    pub fn remarks<'a>(&'a self, text: &'a PreprocessedText) -> impl Iterator<Item = Diagnostic> + 'a {
        let lines = LineIndex::new(&text.letters);
        self.0.values().map(move |Approximation { region, because, .. }| {
            let span = region.span(&text.tokens);
            let line = named(lines.headers(), lines.line(span.start));
            let is_assembly = region.tokens.clone().any(|at| is_assembly(text.tokens[at].spelling.text(&text.letters)));
            if is_assembly {
                return Diagnostic::warning("unsupported-assembly", span, format!("approximated: line {line}: asm"))
                    .help("any value and any change of what it can reach is possible here");
            }
            let message = format!("approximated: line {line}: {}", because.message);
            Diagnostic { severity: Severity::Warning, span, message, ..because.clone() }
        })
    }
}

/// Whether each token of the second range is in the first.
fn covers(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

impl Approximation {
    /// The call, and in front of it one decision with an arbitrary outcome for each logical operator of the region.
    fn write(&self, text: &PreprocessedText, found: &mut Vec<Token>) {
        let PreprocessedText { letters, tokens, .. } = text;
        let range = self.region.tokens.clone();
        let (span, is_statement) = (self.region.span(tokens), self.region.is_statement);
        let call = Token { kind: Kind::Ident, span, spelling: text.approximated() };
        let sign = |kind: Kind, span: Span| Token { kind, span, spelling: span };
        let decisions = range.clone().filter(|at| matches!(tokens[*at].kind, Kind::AndAnd | Kind::OrOr | Kind::Question));
        let decisions: Vec<Span> = decisions.map(|at| tokens[at].span).collect();
        if !is_statement {
            found.push(sign(Kind::LParen, span));
        }
        for decision in decisions {
            let brackets = [Kind::LParen, Kind::RParen].map(|kind| sign(kind, decision));
            let call = Token { span: decision, ..call };
            if is_statement {
                found.extend([
                    sign(Kind::If, decision),
                    brackets[0],
                    call,
                    brackets[0],
                    brackets[1],
                    brackets[1],
                    sign(Kind::Semi, decision),
                ]);
            } else {
                let zero = text.zero(decision);
                found.extend([call, brackets[0], brackets[1], sign(Kind::Question, decision), zero, sign(Kind::Colon, decision), zero]);
                found.push(sign(Kind::Comma, decision));
            }
        }
        found.extend([call, sign(Kind::LParen, span)]);
        let mut is_first = true;
        let mut seen: SortedSet<(&str, bool)> = SortedSet::new();
        let is_member = |at: usize| at > range.start && tokens[at - 1].kind == Kind::Member;
        let is_name = |at: &usize| tokens[*at].kind == Kind::Ident && !is_member(*at) && !self.library.contains(at);
        for at in range.clone().filter(is_name) {
            let is_written = self.writes_all || is_written(tokens, range.clone(), at);
            if !seen.insert((tokens[at].spelling.text(letters), is_written)) {
                continue;
            }
            if !std::mem::take(&mut is_first) {
                found.push(sign(Kind::Comma, span));
            }
            if is_written {
                found.push(sign(Kind::Amp, span));
            }
            found.push(tokens[at]);
        }
        found.push(sign(Kind::RParen, span));
        found.push(sign(if is_statement { Kind::Semi } else { Kind::RParen }, span));
    }
}

/// Whether the object of this name, or a part of it, may be written at this occurrence.
fn is_written(tokens: &[Token], range: Range<usize>, at: usize) -> bool {
    let kind = |at: usize| if range.contains(&at) { tokens[at].kind } else { Kind::Eof };
    let mut before = at;
    while before > range.start && matches!(kind(before - 1), Kind::LParen | Kind::Star) {
        before -= 1;
    }
    if before > range.start && matches!(kind(before - 1), Kind::PlusPlus | Kind::MinusMinus | Kind::Amp) {
        return true;
    }
    let mut after = at + 1;
    loop {
        match kind(after) {
            Kind::LBracket => after = closing(tokens, after, range.end) + 1,
            Kind::RParen => after += 1,
            Kind::Member => after += 2,
            kind => return kind.assigns() || matches!(kind, Kind::PlusPlus | Kind::MinusMinus),
        }
    }
}

/// Whether a name is the keyword of inline assembly.
fn is_assembly(name: &str) -> bool {
    name.trim_matches('_') == "asm"
}

impl ApproximatedRegion {
    /// The names that the region declares.
    fn declared<'t>(&self, text: &'t PreprocessedText) -> SortedSet<&'t str> {
        let PreprocessedText { letters, tokens, .. } = text;
        let (first, second) = (tokens[self.tokens.start].kind, tokens[self.tokens.start + 1].kind);
        let is_declaration = self.is_statement
            && (first.starts_type() || first == Kind::Ident && matches!(second, Kind::Ident | Kind::Star | Kind::Struct | Kind::Enum));
        if !is_declaration {
            return SortedSet::new();
        }
        let span = self.span(tokens);
        declared(letters, tokens, &ExternalItem { tokens: self.tokens.clone(), span, function: None, balanced: true }).into_iter().collect()
    }

    fn span(&self, tokens: &[Token]) -> Span {
        tokens[self.tokens.start].span.to(tokens[self.tokens.end - 1].span)
    }
}
