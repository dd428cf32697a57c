//! What a branch is: one side of one decision in the text, whatever is inlined where.
//!
//! A decision is a single condition, as in the paper: those of `a && b` are two. The function's graph has a copy of it for each call that is
//! inlined there; a side is covered if one copy is, and infeasible only if all are.

use crate::logic::{Arrange, SortedMap};
use crate::lts::{EdgeId, Label, Lts};
use crate::source::Span;

/// One side of a decision of the text.
#[derive(Clone, Debug)]
pub struct Side {
    pub span: Span,
    pub holds: bool,
    /// Its copies.
    pub edges: Vec<EdgeId>,
}

/// The sides of all decisions of the program's own text, in its order: first the one that holds.
pub fn sides(lts: &Lts) -> Vec<Side> {
    let mut found: SortedMap<(u32, bool), Side> = SortedMap::new();
    for location in lts.graph.node_indices() {
        let edges = lts.outgoing(location);
        for (edge, _) in edges.iter().copied().filter(|_| edges.len() > 1) {
            let taken = &lts.graph[edge];
            let (Label::Assume { holds, .. }, Some(decision), false) = (&taken.label, taken.decision, taken.library) else { continue };
            let side = found.entry((decision, !*holds)).or_insert_with(|| Side { span: taken.span, holds: *holds, edges: Vec::new() });
            side.edges.push(edge);
        }
    }
    let mut sides: Vec<Side> = found.into_values().collect();
    sides.arrange_by_key(|side| (side.span.start, side.span.end, side.edges[0]));
    sides
}

/// The text of a condition without the marks that tell the copies of a variable apart: `f.x#2` is `f.x`.
pub fn without_copies(text: &str) -> String {
    let mut plain = String::new();
    let mut quote: Option<char> = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            // A character or string of the program is as it is.
            (Some(_), '\\') => {
                plain.push(letter);
                plain.extend(letters.next());
                continue;
            }
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '#') if letters.peek().is_some_and(char::is_ascii_digit) => {
                while letters.next_if(char::is_ascii_digit).is_some() {}
                continue;
            }
            _ => {}
        }
        plain.push(letter);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::without_copies;

    #[test]
    fn only_marks_of_copies_are_left_out() {
        for (text, plain) in [
            ("f.x#2 > 3", "f.x > 3"),
            ("a[i#12 * 3 + i#4] == '#'", "a[i * 3 + i] == '#'"),
            ("c == '\\'' && t#1 == \"#1\\\"#2\" && u#3", "c == '\\'' && t == \"#1\\\"#2\" && u"),
        ] {
            assert_eq!(without_copies(text), plain);
        }
    }
}
