//! The preprocessor: object-like macros; `#include`, `#pragma`, `#line` are ignored; the rest is refused.
//!
//! What a macro stands for is shown at its use, so that messages point to text the author is looking at. A macro is
//! not expanded inside itself, as in C; the number of tokens that macros make and their nesting are bounded.

use super::intrinsic;
use super::token::{Kind, Token};
use crate::source::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};

/// Tokens that all macros of a program together may make.
const MAX_EXPANDED: usize = 200_000;
/// How deep macros may refer to macros.
const MAX_DEPTH: usize = 64;

/// Expands the token stream of `source`. Names that a refused construct would have introduced go to `poisoned`:
/// nobody complains about them a second time.
pub fn preprocess<'s>(source: &'s str, tokens: &[Token], diagnostics: &mut Vec<Diagnostic>, poisoned: &mut HashSet<&'s str>) -> Vec<Token> {
    let mut state = Preprocessor { source, macros: HashMap::new(), out: Vec::new(), expanded: 0, full: false, diagnostics, poisoned };
    let mut at = 0;
    let mut line_start = true;
    while let Some(&token) = tokens.get(at) {
        match token.kind {
            Kind::Newline => {
                line_start = true;
                at += 1;
            }
            Kind::Hash if line_start => {
                let length = line(&tokens[at..]);
                at += length + state.directive(&tokens[at..at + length], &tokens[at + length..]);
            }
            _ => {
                line_start = false;
                state.expand(token, token.span, &mut Vec::new());
                at += 1;
            }
        }
    }
    let end = Span::new(source.len(), source.len());
    state.out.push(Token { kind: Kind::Eof, span: end, spelling: end });
    state.out
}

/// The number of tokens up to the end of the line.
fn line(tokens: &[Token]) -> usize {
    tokens.iter().position(|t| t.kind == Kind::Newline).unwrap_or(tokens.len())
}

struct Preprocessor<'s, 'd> {
    source: &'s str,
    macros: HashMap<&'s str, Vec<Token>>,
    out: Vec<Token>,
    expanded: usize,
    full: bool,
    diagnostics: &'d mut Vec<Diagnostic>,
    poisoned: &'d mut HashSet<&'s str>,
}

impl<'s> Preprocessor<'s, '_> {
    fn text(&self, token: Token) -> &'s str {
        self.source.get(token.spelling.start as usize..token.spelling.end as usize).unwrap_or("")
    }

    fn expand(&mut self, token: Token, shown: Span, active: &mut Vec<&'s str>) {
        let name = self.text(token);
        let body = match token.kind {
            Kind::Ident if !active.contains(&name) => self.macros.get(name).cloned(),
            _ => None,
        };
        let Some(body) = body else {
            if !active.is_empty() {
                self.expanded += 1;
            }
            self.out.push(Token { span: shown, ..token });
            return;
        };
        if active.len() >= MAX_DEPTH || self.expanded + body.len() > MAX_EXPANDED {
            if !self.full {
                self.full = true;
                self.diagnostics.push(
                    Diagnostic::error("macro-too-large", shown, format!("the macro `{name}` grows too large when it is replaced"))
                        .help(format!("all macros together may make {MAX_EXPANDED} tokens and nest {MAX_DEPTH} deep")),
                );
            }
            // Keeps the parser silent about the gap.
            self.out.push(Token { kind: Kind::Unknown, span: shown, ..token });
            return;
        }
        active.push(name);
        // Counted here as well, so that macros that make nothing cannot run for ever.
        self.expanded += 1;
        for inner in body {
            if self.full {
                break;
            }
            self.expand(inner, shown, active);
        }
        active.pop();
    }

    /// Handles one directive (a line that starts with `#`); gives back how many of the tokens `after` it are skipped.
    fn directive(&mut self, tokens: &[Token], after: &[Token]) -> usize {
        let [hash, rest @ ..] = tokens else { return 0 };
        let Some(&word) = rest.first() else { return 0 };
        let span = hash.span.to(word.span);
        match self.text(word) {
            "include" | "pragma" | "line" | "ident" => 0,
            "define" => {
                self.define(&rest[1..], span);
                0
            }
            "undef" => {
                if let Some(&name) = rest.get(1) {
                    let name = self.text(name);
                    self.macros.remove(name);
                }
                0
            }
            "if" | "ifdef" | "ifndef" => {
                let skipped = self.conditional(after);
                for &token in after[..skipped].iter().filter(|t| t.kind == Kind::Ident) {
                    let name = self.text(token);
                    self.poisoned.insert(name);
                }
                self.diagnostics.push(
                    Diagnostic::error("unsupported-directive", span, "conditional compilation is not supported")
                        .label("everything up to the matching `#endif` is left out")
                        .help("keep the branch you want to look at and remove the directives"),
                );
                skipped
            }
            // A line marker left by another preprocessor.
            _ if word.kind == Kind::Number => 0,
            name => {
                self.diagnostics.push(
                    Diagnostic::error("unsupported-directive", span, format!("the directive `#{name}` is not supported"))
                        .help("remove the line; `#define NAME value` and `#include` are understood"),
                );
                0
            }
        }
    }

    /// How many tokens belong to a conditional whose first line has been read.
    fn conditional(&self, tokens: &[Token]) -> usize {
        let mut depth = 1;
        let mut line_start = true;
        for (i, token) in tokens.iter().enumerate() {
            if token.kind == Kind::Hash && line_start {
                match tokens.get(i + 1).map(|&t| self.text(t)) {
                    Some("if" | "ifdef" | "ifndef") => depth += 1,
                    Some("endif") => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    return i + line(&tokens[i..]);
                }
            }
            line_start = token.kind == Kind::Newline;
        }
        tokens.len()
    }

    fn define(&mut self, tokens: &[Token], directive: Span) {
        let Some((&name, body)) = tokens.split_first() else {
            self.diagnostics
                .push(Diagnostic::error("bad-directive", directive, "`#define` needs a name").help("write `#define NAME value`"));
            return;
        };
        let text = self.text(name);
        if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            self.diagnostics.push(
                Diagnostic::error("bad-directive", name.span, format!("`{text}` cannot be the name of a macro"))
                    .help("write `#define NAME value`"),
            );
            return;
        }
        if intrinsic::find(text).is_some() {
            return;
        }
        if let Some(paren) = body.first().filter(|t| t.kind == Kind::LParen && t.span.start == name.span.end) {
            self.poisoned.insert(text);
            self.diagnostics.push(
                Diagnostic::error(
                    "unsupported-macro",
                    name.span.to(paren.span),
                    format!("`{text}` is a macro with parameters, which is not supported"),
                )
                .help(format!("write `{text}` as a function")),
            );
            return;
        }
        self.macros.insert(text, body.to_vec());
    }
}
