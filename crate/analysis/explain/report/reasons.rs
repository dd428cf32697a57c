//! Which families have the same reason.
//!
//! Two explanations are the same reason if the same edges of the program contradict each other: as a set, so that it does not
//! matter how often a path goes around a loop before, or between, them, nor what the conditions say of the inputs in that round.
//! Both sides of a decision are different edges, and so are two calls of one function. A decision that is false whatever the
//! inputs are is a reason by itself, whichever assignments make it so.

use super::{ExplainFamily, ExplainGroup, ExplainStep};
use crate::logic::Arrange;
use rustc_hash::FxHashMap;

/// The edges that contradict each other in a family's explanation, ascending.
fn contradicting(family: &ExplainFamily) -> Vec<u32> {
    let mut edges: Vec<u32> = family.explanation.iter().map(|step| step.edge).collect();
    edges.arrange();
    edges.dedup();
    edges
}

/// The reasons, those of most prefixes first; of as many prefixes, that of the shortest prefix, then of the smallest edges. Each
/// family belongs to one. Families of one prefix have to stand together.
pub fn groups(families: &[ExplainFamily]) -> Vec<ExplainGroup> {
    let mut numbers: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    let mut members: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
    for (family, at) in families.iter().zip(0..) {
        let edges = contradicting(family);
        let number = *numbers.entry(edges.clone()).or_insert_with(|| {
            members.push((edges, Vec::new()));
            members.len() - 1
        });
        members[number].1.push(at);
    }
    let mut groups: Vec<ExplainGroup> = members.into_iter().map(|(edges, members)| group(families, edges, members)).collect();
    groups.arrange_by_key(|group| (std::cmp::Reverse(group.prefixes), group.prefix.len(), group.edges.clone()));
    groups
}

fn group(families: &[ExplainFamily], edges: Vec<u32>, members: Vec<u32>) -> ExplainGroup {
    let of = |&member: &u32| &families[member as usize];
    let mut prefixes: Vec<&[u32]> = members.iter().map(|member| &of(member).prefix[..]).collect();
    prefixes.dedup();
    let shortest = members.iter().map(of).min_by(|one, other| {
        let rank = |family: &ExplainFamily| (family.prefix.len(), family.explanation.len());
        rank(one).cmp(&rank(other)).then_with(|| one.prefix.cmp(&other.prefix))
    });
    let (prefix, explanation) = shortest.map(|family| (family.prefix.clone(), family.explanation.clone())).unwrap_or_default();
    let varies = members.iter().map(of).any(|family| !says_the_same(&explanation, &family.explanation));
    let paths = members.iter().map(|member| &of(member).paths).max_by_key(|paths| (paths.len(), *paths)).cloned().unwrap_or_default();
    ExplainGroup { edges, prefixes: prefixes.len() as u32, prefix, explanation, varies, paths, families: members }
}

/// Whether two explanations are the same conditions of the inputs, made by the same assignments.
fn says_the_same(one: &[ExplainStep], other: &[ExplainStep]) -> bool {
    let of = |step: &ExplainStep| (step.edge, step.condition.clone());
    let causes = |step: &ExplainStep| step.causes.iter().map(|cause| (cause.edge, cause.value.clone())).collect::<Vec<_>>();
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| of(one) == of(other) && causes(one) == causes(other))
}
