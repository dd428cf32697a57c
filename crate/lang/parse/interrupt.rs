//! Functions that the text marks as handlers of interrupts: they run between any two steps of the others.

use super::Parser;
use crate::lang::annotations::MARKS;
use crate::lang::token::Kind;
use crate::logic::SortedSet;

impl Parser<'_, '_> {
    /// The names of functions in whose declarations such an attribute stands: all names before `(` in such a declaration.
    pub(super) fn interrupts(&self) -> Vec<String> {
        let mut found: SortedSet<String> = SortedSet::new();
        let (mut start, mut depth, mut is_marked) = (0, 0u32, false);
        for (at, token) in self.tokens.iter().enumerate() {
            match token.kind {
                Kind::LParen => depth += 1,
                Kind::RParen => depth = depth.saturating_sub(1),
                Kind::Semi | Kind::LBrace | Kind::RBrace => {
                    if std::mem::take(&mut is_marked) {
                        let called =
                            self.tokens[start..at].windows(2).filter(|pair| pair[0].kind == Kind::Ident && pair[1].kind == Kind::LParen);
                        found.extend(called.map(|pair| self.text(pair[0]).to_owned()).filter(|name| !MARKS.contains(&name.as_str())));
                    }
                    (start, depth) = (at + 1, 0);
                }
                Kind::Ident if depth >= 2 && MARKS.contains(&self.text(*token)) => {
                    is_marked |= self.tokens[start..at].iter().any(|token| token.kind == Kind::Attribute);
                }
                _ => {}
            }
        }
        found.into_iter().collect()
    }
}
