//! Parts of a function that are not understood, each in place of a call that may do anything it could do.
//!
//! A *region* is a run of tokens in a function's body: a whole expression statement or declaration, or within a statement an expression
//! of which nothing but its value matters to the rest (a condition, an operand of `&&`, an assigned or returned value, an argument, an
//! index). In place of a region stands a call of [`APPROXIMATED`](super::intrinsic::APPROXIMATED), a function without a body that gets the address of each object that the
//! region may write, and the value of each pointer in it. Nothing is computed with the value of a region but by operators on truth values:
//! the product of an arbitrary integer is no arbitrary product.

mod regions;

use super::items::{ExternalItem, declared};
use super::text::PreprocessedText;
use super::token::{Kind, Token};
use crate::logic::SortedSet;
use crate::source::files::named;
use crate::source::{Diagnostic, LineIndex, Severity, Span};
use regions::regions;
use std::ops::Range;

/// A run of tokens in place of which a call stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApproximatedRegion {
    pub tokens: Range<usize>,
    /// Whether the call is a statement.
    is_statement: bool,
}

/// Names that functions have in them of which no part is approximated: control comes back to such a place more than once, or goes on at two.
const NEVER: [&str; 7] = ["setjmp", "_setjmp", "sigsetjmp", "vfork", "pthread_create", "thrd_create", "__builtin_setjmp"];

/// The regions of a text in place of which calls stand, each apart from the others.
#[derive(Default)]
pub struct Approximations(Vec<Approximation>);

/// Facts about names.
pub struct RegionNames<'n> {
    /// Whether a name in front of a parenthesis is one of a function.
    pub is_function: &'n dyn Fn(&str) -> bool,
    /// Whether only what is left out declares it.
    pub is_gone: &'n dyn Fn(&str) -> bool,
}

struct Approximation {
    region: ApproximatedRegion,
    because: Diagnostic,
    /// Whether the region calls what may be no function, so that each name in it may be that of an object that it writes.
    writes_all: bool,
    /// Whether it was added since the functions were last checked, so that errors in it are those that it is for.
    is_new: bool,
}

impl Approximations {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Says that what follows are errors that the text has with the regions so far.
    pub fn checked(&mut self) {
        self.0.iter_mut().for_each(|existing| existing.is_new = false);
    }

    /// Adds the smallest region around an error in a function that is in none yet; gives whether there is one. Only constructs that are not
    /// supported have one, and what follows from these: an error of the program is none of the front end's.
    pub fn add(&mut self, text: &PreprocessedText, item: &ExternalItem, error: &Diagnostic, names: &RegionNames<'_>) -> bool {
        let start = error.span.start;
        let PreprocessedText { letters, tokens, .. } = text;
        let is_open = |at: &usize| tokens[*at].kind == Kind::LBrace;
        let Some(open) = item.tokens.clone().find(is_open).filter(|open| tokens[*open].span.start <= start) else { return false };
        let body = open..item.tokens.end;
        if item.tokens.clone().any(|at| NEVER.contains(&tokens[at].spelling.text(letters))) {
            return false;
        }
        // All tokens of a macro's call have its place; between two tokens the first is meant.
        let first = body.clone().rev().find(|at| tokens[*at].span.start <= start).unwrap_or(open);
        for at in body.clone().filter(|at| *at == first || tokens[*at].span == tokens[first].span) {
            if self.0.iter().any(|existing| existing.is_new && existing.region.tokens.contains(&at)) {
                return true;
            }
            let around = regions(letters, tokens, body.clone(), at);
            let is_new = |region: &&ApproximatedRegion| !self.0.iter().any(|existing| covers(&existing.region.tokens, &region.tokens));
            let Some(region) = around.iter().find(is_new).cloned() else { continue };
            let name = |at: usize| tokens[at].spelling.text(letters);
            let is_kept = |at: usize| !(names.is_gone)(name(at)) && !self.declares(text, name(at)) && !is_assembly(name(at));
            let is_existing = self.0.iter().any(|existing| existing.region.tokens.contains(&at));
            if !error.code.starts_with("unsupported")
                && error.code != "not-understood"
                && !is_existing
                && region.tokens.clone().all(is_kept)
            {
                return false;
            }
            if region.is_statement && self.hides(text, item, &region) {
                return false;
            }
            // The first reason is the one that the others follow from.
            let inner = self.0.iter().find(|existing| covers(&region.tokens, &existing.region.tokens));
            let because = inner.map_or(error, |inner| &inner.because).clone();
            self.0.retain(|existing| !covers(&region.tokens, &existing.region.tokens));
            let is_call = |at: usize| tokens[at].kind == Kind::Ident && tokens[at + 1].kind == Kind::LParen;
            let writes_all = region.tokens.clone().any(|at| is_call(at) && !(names.is_function)(name(at)))
                || region.tokens.clone().any(|at| is_assembly(name(at)));
            self.0.push(Approximation { region, because, writes_all, is_new: true });
            return true;
        }
        false
    }

    /// Whether one of the regions is the declaration of this name.
    fn declares(&self, text: &PreprocessedText, name: &str) -> bool {
        self.0.iter().any(|existing| existing.region.declared(text).contains(&name))
    }

    /// Whether a declaration without which a name would mean another object.
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
            || (0..item.tokens.start).chain(item.tokens.start..first).chain(item.tokens.end..tokens.len()).any(is_name)
    }

    /// Appends these tokens, with the calls in place of the regions among them.
    pub fn write(&self, text: &PreprocessedText, range: Range<usize>, found: &mut Vec<Token>) {
        let mut at = range.start;
        while at < range.end {
            match self.0.iter().find(|existing| existing.region.tokens.start == at) {
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

    /// A warning for each region, with why it is one.
    pub fn remarks<'a>(&'a self, text: &'a PreprocessedText) -> impl Iterator<Item = Diagnostic> + 'a {
        let lines = LineIndex::new(&text.letters);
        self.0.iter().map(move |Approximation { region, because, .. }| {
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
    /// The call: decisions within the region stay decisions, of which nothing is existing.
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
        for at in range.clone().filter(|at| tokens[*at].kind == Kind::Ident && (*at == range.start || tokens[at - 1].kind != Kind::Member))
        {
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
            Kind::LBracket => {
                let mut depth = 0u32;
                while after < range.end {
                    match kind(after) {
                        Kind::LBracket => depth += 1,
                        Kind::RBracket => depth -= 1,
                        _ => {}
                    }
                    after += 1;
                    if depth == 0 {
                        break;
                    }
                }
            }
            Kind::RParen => after += 1,
            Kind::Member => after += 2,
            Kind::Assign
            | Kind::PlusAssign
            | Kind::MinusAssign
            | Kind::StarAssign
            | Kind::SlashAssign
            | Kind::PercentAssign
            | Kind::BitAssign
            | Kind::PlusPlus
            | Kind::MinusMinus => return true,
            _ => return false,
        }
    }
}

/// Whether a word begins an instruction in assembly.
fn is_assembly(name: &str) -> bool {
    name.trim_matches('_') == "asm"
}

impl ApproximatedRegion {
    /// The names that it declares, if it is a declaration.
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
