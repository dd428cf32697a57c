//! Which conditions and assignments on a path to an excluded statement are needed.
//!
//! A path is passed symbolically with some of its conditions and assignments: the other conditions are not assumed, and the other assignments
//! give arbitrary values. Where the statement's condition is still false, these conditions and assignments are a reason by themselves. One
//! after another is left out, as long as that is so. Where the path goes round a loop, any number of rounds may come before; where it passes
//! an undistinguished decision of a library function, that call may have given anything.
//!
//! A way on which no execution comes to the statement's condition says nothing of that condition. Its needed conditions and assignments
//! tell it apart from the other ways, and no reader has to hear of it.

use super::values::OWN;
use crate::analysis::cover::method::reason_paths::ReasonPaths;
use crate::logic::{Pool, SortedSet};
use crate::lts::{Edge, EdgeId, Expr, Label, LocationId, Lts, ModelObject, Origin};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context};
use crate::source::Span;
use crate::symex::{State, first_values};
use petgraph::Direction;

/// The greatest number of conditions and assignments that are left out one after another.
const MANY: usize = 24;
/// The greatest number of ways whose paths are passed.
const WAYS: usize = 12;

/// Conditions and assignments that exclude a statement by themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NeededReasons {
    pub sides: Vec<EdgeId>,
    pub assigned: Vec<EdgeId>,
    /// Whether they contradict each other before the statement's own condition, and no reason of another way has a side of a decision there.
    pub is_without_condition: bool,
    /// Whether they do so, or exclude the statement, only with the first values of statics.
    pub needs_first_values: bool,
}

impl NeededReasons {
    fn edges(&self) -> impl Iterator<Item = EdgeId> {
        self.sides.iter().chain(&self.assigned).copied()
    }

    fn without(&self, left_out: EdgeId) -> NeededReasons {
        let other = |edges: &[EdgeId]| edges.iter().copied().filter(|&edge| edge != left_out).collect();
        NeededReasons { sides: other(&self.sides), assigned: other(&self.assigned), ..NeededReasons::default() }
    }
}

/// The needed conditions and assignments on each of these ways to an edge; `None` where the conditions and assignments of some way are not
/// shown to exclude the edge by themselves. `effort` is a budget in edges passed.
pub fn needed(lts: &Lts, edge: EdgeId, ways: &[ReasonPaths], effort: &mut usize) -> Option<Vec<NeededReasons>> {
    if ways.is_empty() || ways.len() > WAYS {
        return None;
    }
    let is_condition = matches!(lts.graph[edge].label, Label::Assume { .. });
    let mut found: Vec<NeededReasons> = Vec::new();
    for way in ways {
        let conditions = conditions_on(lts, &way.path);
        let mut passing =
            PassedPath { lts, edge, way, rounds: rounds(lts, way, effort), effort, length: way.path.len(), has_first_values: true };
        // Where the same conditions and assignments exclude the edge on several ways, there is one reason.
        let is_on = |one: &&NeededReasons| one.edges().all(|edge| conditions.contains(&edge) || way.own.contains(&edge));
        if let Some(same) = found.iter().filter(is_on).find(|one| passing.excludes(one)) {
            found.push(same.clone());
            continue;
        }
        let few = NeededReasons { sides: way.sides.clone(), assigned: way.relevant.clone(), ..NeededReasons::default() };
        let many = NeededReasons { sides: conditions, assigned: way.own.clone(), ..NeededReasons::default() };
        let mut sufficient = |length: usize| {
            passing.length = length;
            [&few, &many].into_iter().find(|one| one.edges().count() <= MANY && passing.excludes(one)).cloned()
        };
        let up_to = way.path.len();
        let without = if is_condition { sufficient(up_to - 1) } else { None };
        let is_without_condition = without.is_some();
        let mut kept = without.or_else(|| sufficient(up_to))?;
        // Assignments first: a condition is easier to find in the text.
        for candidate in [&kept.assigned[..], &kept.sides].concat().into_iter().filter(|&candidate| candidate != edge) {
            let fewer = kept.without(candidate);
            if passing.excludes(&fewer) {
                kept = fewer;
            }
        }
        passing.has_first_values = false;
        let needs_first_values = !passing.excludes(&kept);
        found.push(NeededReasons { is_without_condition, needs_first_values, ..kept });
    }
    let reach: Vec<bool> = found.iter().map(|way| !way.is_without_condition).collect();
    for at in 0..found.len() {
        // A reason that names one side of a decision says nothing of the paths that take the other side: these need a reason, too.
        let is_other = |side: &EdgeId| {
            let path = &ways[at].path;
            !path.contains(side) && path.iter().any(|edge| lts.edge(*edge).1 == lts.edge(*side).1)
        };
        let mut reasons = found.iter().zip(&reach).filter(|(_, reaches)| **reaches);
        let is_missing = reasons.any(|(reason, _)| reason.sides.iter().any(is_other));
        found[at].is_without_condition &= !is_missing && reach.contains(&true);
    }
    Some(found)
}

/// The sides of decisions of the program on a path.
fn conditions_on(lts: &Lts, path: &[EdgeId]) -> Vec<EdgeId> {
    let is_condition = |edge: &EdgeId| matches!(lts.graph[*edge].label, Label::Assume { .. }) && !lts.graph[*edge].library;
    let found: SortedSet<EdgeId> = path.iter().copied().filter(is_condition).collect();
    found.into_iter().collect()
}

/// For each edge of a way's path the variables and arrays that rounds of loops may have changed before: the path stands for all paths of the
/// way, however many rounds of loops they have. The first location of a loop on the path begins the rounds of the loop.
fn rounds(lts: &Lts, way: &ReasonPaths, effort: &mut usize) -> Vec<SortedSet<ModelObject>> {
    let read = |edge: &EdgeId| {
        let label = &lts.graph[*edge].label;
        let assigned = label.assigned();
        // The used assignments of a value do not include the ones before `i = i + 1`.
        let is_own = |e: &&Expr| !matches!(assigned, Some(ModelObject::Variable(id)) if e.reads(id));
        label.operands().into_iter().filter(is_own).flat_map(Expr::objects).collect::<Vec<_>>()
    };
    // The used assignments include the last one to each variable in these expressions.
    let tracked: SortedSet<ModelObject> = way.sides.iter().chain(&way.assigned).flat_map(read).collect();
    let mut seen = vec![false; lts.graph.node_count()];
    let mut found = Vec::new();
    for &edge in &way.path {
        let at = lts.edge(edge).1;
        let within = if seen[at.index()] { Vec::new() } else { around(lts, at, &seen, effort) };
        seen[at.index()] = true;
        let used: SortedSet<ModelObject> =
            within.iter().filter(|edge| way.assigned.contains(edge)).filter_map(|&edge| lts.graph[edge].label.assigned()).collect();
        let changed = within.iter().filter_map(|&edge| lts.graph[edge].label.assigned());
        found.push(changed.filter(|object| used.contains(object) || !tracked.contains(object)).collect());
    }
    found
}

/// The edges on ways from a location back to it that pass none of these others; `effort` is a budget in edges passed.
fn around(lts: &Lts, location: LocationId, others: &[bool], effort: &mut usize) -> Vec<EdgeId> {
    // A loop has an edge to its first location beside the one that leads into it.
    if lts.graph.edges_directed(location, Direction::Incoming).count() < 2 && location != lts.entry {
        return Vec::new();
    }
    let mut reached = |direction: Direction| {
        let (mut reached, mut open) = (vec![false; others.len()], vec![location]);
        while let Some(at) = open.pop() {
            for next in lts.graph.neighbors_directed(at, direction) {
                *effort = effort.saturating_sub(1);
                if !others[next.index()] && !std::mem::replace(&mut reached[next.index()], true) {
                    open.push(next);
                }
            }
        }
        reached
    };
    let [after, before] = [Direction::Outgoing, Direction::Incoming].map(&mut reached);
    let is_on = |at: LocationId| after[at.index()] && before[at.index()];
    let edges = lts.graph.edge_indices();
    edges.filter(|&edge| lts.graph.edge_endpoints(edge).is_some_and(|(from, to)| is_on(from) && is_on(to))).collect()
}

/// A path that is passed with some of its conditions and assignments.
struct PassedPath<'p> {
    lts: &'p Lts,
    edge: EdgeId,
    way: &'p ReasonPaths,
    rounds: Vec<SortedSet<ModelObject>>,
    effort: &'p mut usize,
    /// How many edges of the path are passed.
    length: usize,
    /// Whether statics have their first values before the first edge, or any.
    has_first_values: bool,
}

impl PassedPath<'_> {
    /// The calls of the library in which the path passes a decision that does not distinguish the ways, with what they assign: another path
    /// gives other values.
    fn vague_calls(&self) -> (SortedSet<Span>, SortedSet<ModelObject>) {
        let graph = &self.lts.graph;
        let is_vague = |edge: &&EdgeId| {
            let Edge { label, library, .. } = &graph[**edge];
            *library && matches!(label, Label::Assume { .. }) && !self.way.sides.contains(edge)
        };
        let calls: SortedSet<Span> = self.way.path.iter().filter(is_vague).map(|edge| graph[*edge].span).collect();
        let of_calls = graph.edge_weights().filter(|edge| edge.library && calls.contains(&edge.span));
        let assigned = of_calls.filter_map(|edge| edge.label.assigned()).collect();
        (calls, assigned)
    }

    /// Whether the path cannot be passed with these conditions and assignments.
    fn excludes(&mut self, kept: &NeededReasons) -> bool {
        let path = &self.way.path;
        let Some(rest) = self.effort.checked_sub(path.len()) else { return false };
        *self.effort = rest;
        let lts = self.lts;
        let kept: SortedSet<EdgeId> = kept.edges().chain([self.edge]).collect();
        let mut context = Context::new();
        let mut state = State::initial(lts, &mut context.pool);
        let identity = state.clone();
        for formula in first_values(lts, &mut context.pool, &identity) {
            context.assert(formula);
        }
        let mut count = 0;
        let (calls, given) = self.vague_calls();
        for object in if self.has_first_values { Vec::new() } else { statics(lts) } {
            set_any(&mut state, &mut context.pool, object, &mut count);
        }
        for (&edge, changed) in path.iter().zip(&self.rounds).take(self.length) {
            let label = &lts.graph[edge].label;
            if lts.graph[edge].library && calls.contains(&lts.graph[edge].span) {
                for &object in &given {
                    set_any(&mut state, &mut context.pool, object, &mut count);
                }
                continue;
            }
            for &object in changed {
                set_any(&mut state, &mut context.pool, object, &mut count);
            }
            let is_left_out = !kept.contains(&edge) && (self.way.own.contains(&edge) || matches!(label, Label::Assume { .. }));
            if !is_left_out {
                let formula = state.apply(lts, &mut context.pool, edge).0;
                context.assert(formula);
            } else if let Some(object) = label.assigned() {
                set_any(&mut state, &mut context.pool, object, &mut count);
            }
        }
        matches!(context.check(&mut Meter::new(OWN)), Answer::Unsat(_))
    }
}

/// The statics of the program that an edge changes: the others are constants.
fn statics(lts: &Lts) -> Vec<ModelObject> {
    let assigned = lts.graph.edge_weights().filter(|edge| !edge.library).filter_map(|edge| edge.label.assigned());
    let is_static = |object: &ModelObject| matches!(object, ModelObject::Variable(id) if lts.variable(*id).origin == Origin::Global);
    assigned.filter(is_static).collect::<SortedSet<ModelObject>>().into_iter().collect()
}

/// Gives a variable or an array any value.
fn set_any(state: &mut State, pool: &mut Pool, object: ModelObject, count: &mut u32) {
    *count += 1;
    let name = format!("any {count}");
    match object {
        ModelObject::Variable(variable) => {
            let value = pool.integer(&name);
            state.set_variable(variable, value);
        }
        ModelObject::Array(array) => {
            let contents = pool.array_symbol(&name);
            state.replace_array(array, contents);
        }
    }
}
