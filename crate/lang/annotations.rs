//! What compilers let a text say beside C's own words: `__attribute__((…))`, `[[…]]`, `__extension__`, `__asm__("name")` after a
//! declarator.
//!
//! Most of it changes no meaning, and it may stand in many places: so it is taken out of the tokens before they are parsed. What says how
//! objects lie in memory, and which functions handle interrupts, stays for the parser; what changes a meaning otherwise is refused.

use super::ast::Layout;
use super::items;
use super::token::{Kind, Token};
use crate::source::{Diagnostic, Span};

/// Tokens between brackets that are looked at.
const MOST_WITHIN: usize = 2_000;

/// What an attribute of a handler of interrupts says, by compilers for microcontrollers and by gcc.
pub const MARKS: [&str; 8] =
    ["interrupt", "__interrupt__", "interrupt_handler", "__interrupt_handler__", "signal", "__signal__", "isr", "__isr__"];

/// Attributes without which a declaration means something else.
const OF_MEANING: [&str; 10] = [
    "mode",
    "vector_size",
    "cleanup",
    "constructor",
    "alias",
    "ifunc",
    "weakref",
    "transparent_union",
    "ms_struct",
    "scalar_storage_order",
];

/// What an attribute says of the layout.
pub fn layout(word: &str) -> Layout {
    match word.trim_matches('_') {
        "packed" => Layout::Packed,
        "aligned" => Layout::Unknown,
        _ => Layout::Natural,
    }
}

/// Takes out of the tokens what changes no meaning.
pub fn strip(text: &str, tokens: Vec<Token>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let letters = |token: &Token| token.spelling.text(text);
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    let (mut at, mut depth) = (0, 0u32);
    while let Some(token) = tokens.get(at) {
        let next = tokens.get(at + 1).map_or(Kind::Eof, |token| token.kind);
        let brackets = match (token.kind, next) {
            (Kind::Attribute, Kind::LParen) => closing(&tokens, at + 1),
            (Kind::LBracket, Kind::LBracket) => closing(&tokens, at).filter(|end| tokens[end - 1].kind == Kind::RBracket),
            _ => None,
        };
        if let Some(end) = brackets {
            let said = &tokens[at..=end];
            let of = |list: &[&str]| said.iter().find(|token| list.contains(&letters(token).trim_matches('_')));
            let of_layout = said.iter().find(|token| layout(letters(token)) != Layout::Natural);
            let is_word = token.kind == Kind::Attribute;
            let meant = of(&OF_MEANING).or_else(|| of_layout.filter(|_| !is_word));
            if let Some(word) = meant {
                let message = format!("the attribute `{}` changes what the declaration means", letters(word));
                let span = Span { start: token.span.start, end: tokens[end].span.end.max(token.span.end) };
                diagnostics.push(
                    Diagnostic::error("unsupported-attribute", span, message).help("leave it out if the program means the same without it"),
                );
            }
            let aligns = letters(token).ends_with("lignas");
            if is_word && (aligns || of_layout.is_some() || of(&MARKS).is_some()) {
                kept.extend_from_slice(said);
            }
            at = end + 1;
            continue;
        }
        match token.kind {
            Kind::Qualifier if letters(token) == "__extension__" => {
                at += 1;
                continue;
            }
            Kind::Ident if depth == 0 && next == Kind::LParen && letters(token).trim_matches('_') == "asm" => {
                let end = closing(&tokens, at + 1).filter(|&end| is_same_name(text, &kept, &tokens[at + 2..end]));
                if let Some(end) = end {
                    at = end + 1;
                    continue;
                }
            }
            Kind::LBrace => depth += 1,
            Kind::RBrace => depth = depth.saturating_sub(1),
            _ => {}
        }
        kept.push(*token);
        at += 1;
    }
    kept
}

/// The bracket that closes the one at `open`, if it is near.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let bound = tokens.len().min(open + MOST_WITHIN);
    Some(items::closing(tokens, open, bound)).filter(|end| *end < bound)
}

/// Whether these strings are a version's name for the function or object whose declarator ends here, as headers have it: `__isoc99_scanf` for
/// `scanf`. Any other name may be that of something else.
fn is_same_name(text: &str, before: &[Token], strings: &[Token]) -> bool {
    let letters = |token: &Token| token.spelling.text(text);
    let mut depth = 0u32;
    let declared = before.iter().rev().take(MOST_WITHIN).find(|token| {
        match token.kind {
            Kind::RParen | Kind::RBracket => depth += 1,
            Kind::LParen | Kind::LBracket => depth = depth.saturating_sub(1),
            kind => return depth == 0 && kind != Kind::Star,
        }
        false
    });
    let name: String = strings.iter().map(|token| letters(token).trim_matches('"')).collect();
    let strings_only = strings.iter().all(|token| token.kind == Kind::Str);
    strings_only && declared.is_some_and(|token| token.kind == Kind::Ident && name.contains(letters(token)))
}
