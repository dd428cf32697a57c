//! What conditions read once macros are replaced: for people, where the text has the use of a macro.

use super::super::ast::Expr;
use super::super::intrinsic::APPROXIMATED;
use super::super::remarks::Expansion;
use super::super::token::{Kind, Token};
use super::Parser;
use crate::source::Span;
use std::sync::Arc;

/// A macro whose expansion says nothing more.
const NULL: &str = "NULL";

/// Tokens of an expansion that are kept; the rest is `…`.
const MOST: usize = 48;

impl Parser<'_, '_> {
    /// Notes what the expression reads that starts at the token with this number and has just been read, where macros are used in it.
    pub(super) fn note_expansion(&self, first: usize, expr: &mut Expr) {
        let tokens = self.tokens.get(first..self.at).unwrap_or_default();
        let Some(replaced) = tokens.iter().take(MOST).find(|token| is_replaced(token) && token.span.text(self.source) != NULL) else {
            return;
        };
        // What is not understood reads as the text has it.
        if tokens.iter().take(MOST).any(|token| self.text(*token) == APPROXIMATED) {
            return;
        }
        let around = [first.checked_sub(1), Some(self.at)].into_iter().flatten().filter_map(|at| self.tokens.get(at));
        let holds = |around: Span, inner: Span| around.start <= inner.start && inner.end <= around.end;
        let is_part = around.filter(|token| is_replaced(token) && holds(token.span, replaced.span)).count() > 0
            && tokens.iter().take(MOST).all(|token| holds(replaced.span, token.span));
        expr.expansion = Some(Arc::new(Expansion { text: self.spelled(tokens), is_part }));
    }

    /// Tokens as they are spelled, with blanks between as in the definition of their macro.
    fn spelled(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        let mut before: Option<Token> = None;
        for &token in tokens.iter().take(MOST) {
            let is_near = |before: Token| {
                before.spelling.end == token.spelling.start
                    || matches!(before.kind, Kind::LParen | Kind::LBracket | Kind::Member | Kind::Not | Kind::Tilde)
                    || matches!(token.kind, Kind::RParen | Kind::RBracket | Kind::LBracket | Kind::Member | Kind::Comma)
                    || matches!((before.kind, token.kind), (Kind::Ident, Kind::LParen))
            };
            if before.is_some_and(|before| !is_near(before)) {
                text.push(' ');
            }
            text.push_str(self.text(token));
            before = Some(token);
        }
        if tokens.len() > MOST {
            text.push_str(" …");
        }
        text
    }
}

/// Whether a token comes out of a macro.
fn is_replaced(token: &Token) -> bool {
    token.span != token.spelling
}
