//! What a branch is: one side of one decision in the text, whatever is inlined where.
//!
//! A decision is a single condition, as in the paper: those of `a && b` are two. The function's graph has a copy of it for each call that is
//! inlined there; a side is covered if one copy is, and infeasible only if all are.

use crate::logic::SortedMap;
use crate::lts::{EdgeId, Label, Lts, text};
use crate::source::Span;

/// One side of a decision of the text.
#[derive(Clone, Debug)]
pub struct Side {
    pub span: Span,
    pub holds: bool,
    /// The condition of the first copy.
    pub text: String,
    /// Its copies.
    pub edges: Vec<EdgeId>,
}

/// The sides of all decisions of the program's own text, in its order: first the one that holds.
pub fn sides(lts: &Lts) -> Vec<Side> {
    let mut found: SortedMap<(u32, u32, u32, bool), Side> = SortedMap::new();
    // Several decisions may stand at one place: the cases of a `switch`, what a macro stands for.
    let mut copies: SortedMap<(u32, u32, String), u32> = SortedMap::new();
    let mut numbers: SortedMap<String, u32> = SortedMap::new();
    for location in lts.graph.node_indices() {
        let edges = lts.outgoing(location);
        if edges.len() < 2 {
            continue;
        }
        for (edge, _) in edges {
            let taken = &lts.graph[edge];
            let Label::Assume { condition, holds } = &taken.label else { continue };
            if taken.library || taken.order.is_some() {
                continue;
            }
            let place = (taken.span.start, taken.span.end);
            let plain = without_copies(&text::expr(lts, condition));
            let next = numbers.get(&format!("{place:?}")).copied().unwrap_or(0);
            let number = *copies.entry((place.0, place.1, plain.clone())).or_insert_with(|| {
                numbers.insert(format!("{place:?}"), next + 1);
                next
            });
            let side = found.entry((place.0, place.1, number, !*holds)).or_insert_with(|| Side {
                span: taken.span,
                holds: *holds,
                text: plain.clone(),
                edges: Vec::new(),
            });
            side.edges.push(edge);
        }
    }
    found.into_values().collect()
}

/// The text of a condition without the marks that tell the copies of a variable apart: `f.x#2` is `f.x`.
fn without_copies(text: &str) -> String {
    let mut parts = text.split('#');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}
