//! The declarations and function definitions of a text, told apart by brackets and semicolons alone: so that one that cannot be read ends
//! where the next one begins.

use super::token::{Kind, Token};
use crate::source::Span;
use std::ops::Range;

/// Tokens of declarations between the parentheses and the body of a definition of the old style that are looked at.
const MOST_OF_PARAMETERS: usize = 200;

/// A declaration or a function definition at file scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalItem {
    /// Its tokens.
    pub tokens: Range<usize>,
    /// From the first token to the last one.
    pub span: Span,
    /// The token that names the function, where it is a definition with a body.
    pub function: Option<usize>,
    /// Whether its brackets close.
    pub balanced: bool,
}

/// The items of a token stream that ends with [`Kind::Eof`], in the order of the text.
pub fn items(text: &str, tokens: &[Token]) -> Vec<ExternalItem> {
    let mut found = Vec::new();
    let mut at = 0;
    while tokens.get(at).is_some_and(|token| token.kind != Kind::Eof) {
        let item = ItemReader { text, tokens, start: at }.item();
        at = item.tokens.end;
        found.push(item);
    }
    found
}

/// The names that an item introduces at file scope: of the function, of objects, of types, not of parameters and members.
pub fn declared<'t>(text: &'t str, tokens: &[Token], item: &ExternalItem) -> Vec<&'t str> {
    let name = |at: usize| tokens[at].spelling.text(text);
    if let Some(function) = item.function {
        return vec![name(function)];
    }
    let (mut depth, mut names, mut in_initialiser) = (0u32, Vec::new(), false);
    for at in item.tokens.clone() {
        let before = at.checked_sub(1).filter(|before| item.tokens.contains(before)).map_or(Kind::Semi, |before| tokens[before].kind);
        let after = tokens.get(at + 1).map_or(Kind::Eof, |token| token.kind);
        let is_named = |at: usize| tokens[at].kind == Kind::Ident && name(at).trim_matches('_') == "asm";
        match tokens[at].kind {
            kind if kind.opens() => depth += 1,
            kind if kind.closes() => depth = depth.saturating_sub(1),
            Kind::Assign if depth == 0 => in_initialiser = true,
            Kind::Comma if depth == 0 => in_initialiser = false,
            // The type of `(*p)(…)`.
            Kind::Ident if after == Kind::LParen && tokens.get(at + 2).is_some_and(|token| token.kind == Kind::Star) => {}
            Kind::Ident if in_initialiser || matches!(before, Kind::Struct | Kind::Enum) => {}
            Kind::Ident if depth == 0 && (ends_declarator(after) || is_named(at + 1)) => names.push(name(at)),
            // Its name.
            Kind::Ident if depth == 1 && before == Kind::Star && matches!(after, Kind::RParen | Kind::LBracket) => {
                let is_pointer = |before: &usize| matches!(tokens[*before].kind, Kind::Star | Kind::Qualifier);
                let first = (item.tokens.start..at).rev().find(|before| !is_pointer(before));
                if first.is_some_and(|first| tokens[first].kind == Kind::LParen) {
                    names.push(name(at));
                }
            }
            _ => {}
        }
    }
    names
}

fn ends_declarator(kind: Kind) -> bool {
    matches!(kind, Kind::Semi | Kind::Comma | Kind::Assign | Kind::LBracket | Kind::LParen | Kind::Attribute | Kind::Eof)
}

/// The token before `end` that closes the bracket at `open`, or `end`.
pub fn closing(tokens: &[Token], open: usize, end: usize) -> usize {
    let mut depth = 0u32;
    for (at, token) in tokens.iter().enumerate().take(end).skip(open) {
        depth = (depth + u32::from(token.kind.opens())).saturating_sub(u32::from(token.kind.closes()));
        if depth == 0 {
            return at;
        }
    }
    end
}

struct ItemReader<'t> {
    text: &'t str,
    tokens: &'t [Token],
    start: usize,
}

impl ItemReader<'_> {
    fn item(&self) -> ExternalItem {
        // The last name in front of a parenthesis, and whether such a parenthesis has closed: `f(a) int a; {` is a definition, too.
        let (mut depth, mut name, mut after_parameters, mut is_initialised) = (0u32, None, false, false);
        let mut at = self.start;
        while let Some(token) = self.tokens.get(at).filter(|token| token.kind != Kind::Eof) {
            let before = if at > self.start { self.tokens[at - 1].kind } else { Kind::Semi };
            match token.kind {
                Kind::RBrace if depth == 0 => return self.ended(at + 1, None, false),
                Kind::LBrace
                    if depth == 0 && after_parameters && !is_initialised && matches!(before, Kind::RParen | Kind::Semi | Kind::Ident) =>
                {
                    let end = self.closing(at);
                    return match end {
                        Some(end) => self.ended(end + 1, name, true),
                        None => self.ended(self.next(at), name, false),
                    };
                }
                Kind::LParen if depth == 0 && before == Kind::Ident && name.is_none() && !self.points(at + 1) => {
                    name = Some(at - 1);
                    depth += 1;
                }
                kind if kind.opens() => depth += 1,
                kind if kind.closes() => {
                    depth = depth.saturating_sub(1);
                    after_parameters |= depth == 0 && kind == Kind::RParen && name.is_some();
                }
                Kind::Assign if depth == 0 => is_initialised = true,
                Kind::Semi if depth == 0 => {
                    let old_style = after_parameters && !is_initialised && before != Kind::RParen && self.parameters_declared(at);
                    if !old_style {
                        return self.ended(at + 1, None, true);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        if depth == 0 { self.ended(at, None, true) } else { self.ended(self.next(self.start), None, false) }
    }

    /// Whether a declarator of a pointer begins here: what stands before it is a type.
    fn points(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Star)
    }

    /// Whether what ends with this semicolon declares the parameters of a definition of the old style: a body or one more of them follows.
    fn parameters_declared(&self, semicolon: usize) -> bool {
        for at in semicolon + 1..self.tokens.len().min(semicolon + MOST_OF_PARAMETERS) {
            match self.tokens[at].kind {
                Kind::LBrace => return self.tokens[at - 1].kind == Kind::Semi,
                Kind::Eof | Kind::RBrace | Kind::Assign | Kind::Typedef | Kind::Static | Kind::Extern => return false,
                _ => {}
            }
        }
        false
    }

    /// The brace that closes the one at `open`.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0u32;
        for at in open..self.tokens.len() {
            match self.tokens[at].kind {
                Kind::LBrace => depth += 1,
                Kind::RBrace => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Where the next item begins after brackets that do not close: at the beginning of a line, after a semicolon or a brace, with what can
    /// begin a declaration.
    fn next(&self, after: usize) -> usize {
        let begins = |at: &usize| {
            let (token, before) = (self.tokens[*at], self.tokens[at - 1]);
            let starts_line = token.span.start == 0 || self.text.as_bytes().get(token.span.start as usize - 1) == Some(&b'\n');
            starts_line && matches!(before.kind, Kind::Semi | Kind::RBrace) && (token.kind == Kind::Ident || token.kind.starts_type())
        };
        let end = self.tokens.len() - 1;
        (after + 1..end).find(begins).unwrap_or(end)
    }

    fn ended(&self, end: usize, function: Option<usize>, balanced: bool) -> ExternalItem {
        let tokens = self.start..end;
        let last = self.tokens[end - 1].span;
        ExternalItem { tokens, span: self.tokens[self.start].span.to(last), function, balanced }
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::{Kind, read};
    use super::{declared, items};

    /// The items of a text: their texts, with the function's name or the names that they declare.
    fn found(text: &str) -> Vec<(String, String)> {
        let mut tokens = read(text, &mut Vec::new());
        tokens.retain(|token| token.kind != Kind::Newline);
        let end = crate::source::Span::new(text.len(), text.len());
        tokens.push(super::Token { kind: Kind::Eof, span: end, spelling: end });
        let items = items(text, &tokens);
        let kind = |item: &super::ExternalItem| match (item.function, item.balanced) {
            (_, false) => "open".to_owned(),
            (Some(_), true) => format!("{}()", declared(text, &tokens, item).concat()),
            (None, true) => declared(text, &tokens, item).join(" "),
        };
        items.iter().map(|item| (item.span.text(text).to_owned(), kind(item))).collect()
    }

    fn kinds(text: &str) -> Vec<String> {
        found(text).into_iter().map(|(_, kind)| kind).collect()
    }

    #[test]
    fn declarations_and_definitions_are_told_apart() {
        let text = "typedef unsigned int u32; struct s { int a, b; } one, *two; int x = (3), y[4] = { 1, 2 }; extern int g(int a, char *b); \
            int f(int a) { if (a) { return g(a); } return 0; } enum { A, B }; u32 (*handler)(u32 n), z; old(a, b) int a; char b; { return a; } ;";
        assert_eq!(kinds(text), ["u32", "one two", "x y", "g", "f()", "", "handler z", "old()", ""]);
    }

    #[test]
    fn what_never_closes_ends_at_the_next_line_that_begins_one() {
        let text = "int f(int x) {\n  if (x) {\n    return 1;\n  return 0;\n}\nint g(int x) {\n  return x;\n}\nint h;";
        assert_eq!(kinds(text), ["open", "g()", "h"]);
        assert_eq!(kinds("int g; } int h;"), ["g", "open", "h"]);
        assert_eq!(found(text)[1].0, "int g(int x) {\n  return x;\n}");
        assert_eq!(kinds("int a = (3;\nint f(void) { return 1; }"), ["open", "f()"]);
    }

    #[test]
    fn any_tokens_are_items_once() {
        for text in ["", "}", "{", "(", "int", "{ } { }", "= { } ;", "f(", "f() {", "f() int x; int y;", "a ( ) ; {"] {
            let all: String = found(text).into_iter().map(|(text, _)| text).collect();
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            assert_eq!(letters(&all), letters(text));
        }
    }
}
