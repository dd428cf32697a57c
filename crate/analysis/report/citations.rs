//! Which claims exclude a branch.

use crate::evidence::{Claim, Statement};
use crate::logic::SortedSet;
use crate::lts::sides::Side;

/// The names of claims which together say that no execution takes one of the side's edges; empty if some edge has none.
pub fn cited(claims: &[Claim], side: &Side) -> Vec<String> {
    let mut names: SortedSet<&str> = SortedSet::new();
    for edge in side.edges.iter().map(|edge| edge.index() as u32) {
        let of_edge = of_edge(claims, edge);
        if of_edge.is_empty() {
            return Vec::new();
        }
        names.extend(of_edge);
    }
    names.into_iter().map(str::to_owned).collect()
}

/// The claims about one edge: one about all executions, or one about those within a bound and one about the others.
fn of_edge(claims: &[Claim], edge: u32) -> Vec<&str> {
    let whole = claims.iter().find(|claim| match &claim.statement {
        Statement::Excluded { taken, edges, .. } | Statement::Determined { taken, edges } => *taken && edges.contains(&edge),
        Statement::Enumerated { edges } => edges.contains(&edge),
        _ => false,
    });
    if let Some(whole) = whole {
        return vec![&whole.id];
    }
    let mut inside = None;
    let bounded = claims.iter().filter_map(|claim| match &claim.statement {
        Statement::NotCovered { unwind, taken: true, edges, .. } if edges.contains(&edge) => Some((claim, *unwind)),
        _ => None,
    });
    for (claim, unwind) in bounded {
        let beyond = claims.iter().find(|other| match &other.statement {
            Statement::WithinBound { unwind: of, taken: true, edges, .. } => *of == unwind && edges.contains(&edge),
            _ => false,
        });
        if let Some(beyond) = beyond {
            return vec![&claim.id, &beyond.id];
        }
        inside.get_or_insert(claim);
    }
    // Without loops and recursion nothing is beyond a bound.
    inside.map(|claim| vec![claim.id.as_str()]).unwrap_or_default()
}
