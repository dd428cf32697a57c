//! What makes a decision false whatever the inputs are: the assignments that its values come from.
//!
//! Such a decision is an explanation by itself, and says nothing of inputs. What it reads follows from constants of the program, by
//! the assignments on the path that it depends on (DBG10, Definition 2). Where one edge assigns several times, as in a loop, the
//! last time counts.

use super::Explanation;
use super::dependencies::{Resource, ResourceKind, dependencies};
use super::walker::Walker;
use crate::logic::{Arrange, Int, Linear, Pool, SortedMap};
use crate::lts::EdgeId;
use crate::symex::State;

/// An assignment that a decision's value comes from, directly or through others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Its position on the path.
    pub position: usize,
    /// What it assigns to.
    pub resource_kind: ResourceKind,
    /// What that is then, where it is one number.
    pub value: Option<Int>,
}

/// The causes of an explanation of the walker's path, in path order; none unless it is a decision that is false whatever the
/// inputs are.
pub fn causes(walker: &mut Walker, explanation: &Explanation) -> Vec<Cause> {
    if explanation.constraints != [Pool::FALSE] {
        return Vec::new();
    }
    let mut last: SortedMap<(EdgeId, Resource), usize> = SortedMap::new();
    for dependency in dependencies(&walker.resources, &walker.trail.accesses, &explanation.positions) {
        let Some(writer) = dependency.writer else { continue };
        let edge = walker.trail.edges[writer];
        let earlier = last.get(&(edge, dependency.resource)).copied().unwrap_or(writer);
        last.insert((edge, dependency.resource), earlier.max(writer));
    }
    let mut reads: Vec<(usize, Resource)> = last.into_iter().map(|((_, resource), position)| (position, resource)).collect();
    reads.arrange();
    let lts = walker.program.lts;
    let mut state = State::initial(lts, &mut walker.pool);
    let mut found = Vec::with_capacity(reads.len());
    let mut reads = reads.into_iter().peekable();
    for (position, &edge) in walker.trail.edges.iter().enumerate() {
        if reads.peek().is_none() {
            break;
        }
        state.apply(lts, &mut walker.pool, edge);
        while let Some((position, resource)) = reads.next_if(|&(at, _)| at == position) {
            let resource_kind = walker.resources.kind(resource).clone();
            let value = match &resource_kind {
                ResourceKind::Variable(id) => state.variable(*id).as_constant().cloned(),
                ResourceKind::Element(id, index) => {
                    walker.pool.select(state.array(*id), &Linear::constant(index.clone())).as_constant().cloned()
                }
                ResourceKind::Whole(_) => None,
            };
            found.push(Cause { position, resource_kind, value });
        }
    }
    found
}
