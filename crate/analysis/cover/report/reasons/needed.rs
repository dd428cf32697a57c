//! Which conditions and assignments on a path to an excluded statement are needed.
//!
//! A path is passed symbolically with some of its conditions and assignments: the other conditions are not assumed, and the other assignments
//! give arbitrary values. Where the statement's condition is still false, these conditions and assignments are a reason by themselves. One
//! after another is left out, as long as that is so.

use super::values::OWN;
use crate::analysis::cover::method::reason_paths::ReasonPaths;
use crate::logic::SortedSet;
use crate::lts::{EdgeId, Label, Lts, ModelObject};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context};
use crate::symex::{State, first_values};

/// The greatest number of conditions and assignments that are left out one after another.
const MANY: usize = 16;
/// The greatest number of ways whose paths are passed.
const WAYS: usize = 12;

/// Conditions and assignments that exclude a statement by themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needed {
    pub sides: Vec<EdgeId>,
    pub assigned: Vec<EdgeId>,
}

impl Needed {
    fn edges(&self) -> impl Iterator<Item = EdgeId> {
        self.sides.iter().chain(&self.assigned).copied()
    }

    fn without(&self, left_out: EdgeId) -> Needed {
        let other = |edges: &[EdgeId]| edges.iter().copied().filter(|&edge| edge != left_out).collect();
        Needed { sides: other(&self.sides), assigned: other(&self.assigned) }
    }
}

/// The needed ones on each of these ways to an edge; `None` where those of some way do not exclude it by themselves, as far as this can be
/// seen. `effort` is a budget in edges passed.
pub fn needed(lts: &Lts, edge: EdgeId, ways: &[ReasonPaths], effort: &mut usize) -> Option<Vec<Needed>> {
    if ways.is_empty() || ways.len() > WAYS {
        return None;
    }
    let mut found: Vec<Needed> = Vec::new();
    for way in ways {
        let mut passing = Passing { lts, edge, path: &way.path, told: &way.assigned, effort };
        // Where the same ones exclude it on several ways, there is one reason.
        let is_on = |one: &&Needed| one.edges().all(|edge| way.sides.contains(&edge) || way.assigned.contains(&edge));
        if let Some(same) = found.iter().filter(is_on).find(|one| passing.excludes(one)) {
            found.push(same.clone());
            continue;
        }
        let mut kept = Needed { sides: way.sides.clone(), assigned: way.assigned.clone() };
        if kept.edges().count() > MANY || !passing.excludes(&kept) {
            return None;
        }
        // Assignments first: a condition is easier to find in the text.
        for candidate in way.assigned.iter().chain(&way.sides).filter(|&&candidate| candidate != edge) {
            let fewer = kept.without(*candidate);
            if passing.excludes(&fewer) {
                kept = fewer;
            }
        }
        found.push(kept);
    }
    Some(found)
}

/// A path that is passed with some of its conditions and assignments.
struct Passing<'p> {
    lts: &'p Lts,
    edge: EdgeId,
    path: &'p [EdgeId],
    /// The assignments that may be left out.
    told: &'p [EdgeId],
    effort: &'p mut usize,
}

impl Passing<'_> {
    /// Whether the path cannot be passed with these conditions and assignments.
    fn excludes(&mut self, kept: &Needed) -> bool {
        let Some(rest) = self.effort.checked_sub(self.path.len()) else { return false };
        *self.effort = rest;
        let lts = self.lts;
        let kept: SortedSet<EdgeId> = kept.edges().chain([self.edge]).collect();
        let mut context = Context::new();
        let mut state = State::initial(lts, &mut context.pool);
        let identity = state.clone();
        let first = first_values(lts, &mut context.pool, &identity);
        for formula in first {
            context.assert(formula);
        }
        for (at, &edge) in self.path.iter().enumerate() {
            let label = &lts.graph[edge].label;
            let is_left_out = !kept.contains(&edge) && (self.told.contains(&edge) || matches!(label, Label::Assume { .. }));
            if !is_left_out {
                let formula = state.apply(lts, &mut context.pool, edge).0;
                context.assert(formula);
                continue;
            }
            match label.assigned() {
                Some(ModelObject::Variable(variable)) => {
                    let value = context.pool.integer(&format!("left out {at}"));
                    state.set_variable(variable, value);
                }
                Some(ModelObject::Array(array)) => {
                    let contents = context.pool.array_symbol(&format!("left out {at}"));
                    state.replace_array(array, contents);
                }
                None => {}
            }
        }
        matches!(context.check(&mut Meter::new(OWN)), Answer::Unsat(_))
    }
}
