//! The paths to an excluded statement, grouped by the sides of decisions on them that exclude it and by the assignments that define the
//! values in the conditions of these sides.

use crate::logic::{Arrange, SortedMap, SortedSet};
use crate::lts::{ArrayId, Edge, EdgeId, Expr, Label, LocationId, Lts, ModelObject, Origin};
use crate::source::Span;
use petgraph::Direction::Incoming;
use std::collections::VecDeque;

/// The greatest number of sides in one reason, and of assignments to the variables and arrays that their conditions read.
const BITS: usize = 64;
/// The greatest number of ways to one location.
const WAYS: usize = 64;

/// A statement that the sides of decisions exclude.
#[derive(Clone, Copy, Debug)]
pub struct ExcludedStatement {
    pub edge: EdgeId,
    /// Whether executions may pass its edge, but none of them within the bound gets to the exit.
    pub completes: bool,
}

/// Paths to a statement that pass the same sides of its reason, with the same assignments to the variables in their conditions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReasonPaths {
    pub sides: Vec<EdgeId>,
    pub assigned: Vec<EdgeId>,
    /// One of the paths.
    pub path: Vec<EdgeId>,
    /// The assignments on it that can be listed, and those among them to variables that are relevant to the conditions.
    pub own: Vec<EdgeId>,
    pub relevant: Vec<EdgeId>,
}

/// The ways to the edge; with `completes` the ways through it to the exit. Empty where the ways are too many. Assignments to the
/// parameters that are declared at these spans are left out; `effort` is a budget in edges passed.
pub fn ways(
    lts: &Lts,
    ExcludedStatement { edge, completes }: ExcludedStatement,
    sides: &[EdgeId],
    parameters: &SortedSet<Span>,
    effort: &mut usize,
) -> Vec<ReasonPaths> {
    let relevant = relevant(lts, sides);
    // Edges of the library stand nowhere in the text, nor do assignments of arguments to parameters; their values' assignments are listed.
    // An arbitrary value excludes nothing.
    let is_own = |edge: &EdgeId| {
        let Edge { label, library, .. } = &lts.graph[*edge];
        let Some(object) = label.assigned() else { return false };
        let passes = matches!(object, ModelObject::Variable(id) if lts.variable(id).origin == Origin::Inlined && parameters.contains(&lts.variable(id).span));
        !library && !passes && !is_arbitrary(label)
    };
    let is_relevant = |edge: &EdgeId| lts.graph[*edge].label.assigned().is_some_and(|object| relevant.contains(&object));
    let assignments: Vec<EdgeId> = lts.graph.edge_indices().filter(is_own).filter(is_relevant).collect();
    if sides.len() > BITS || assignments.len() > BITS {
        return Vec::new();
    }
    let mut walk = ReasonWalk { lts, sides, assignments: &assignments, relevant: &relevant, effort };
    let (_, from, to) = lts.edge(edge);
    let mut found = walk.between(lts.entry, from, vec![Walked::default()]);
    found = found
        .into_iter()
        .map(|Walked { state, path }| Walked { state: walk.after(&state, edge), path: [path, vec![edge]].concat() })
        .collect();
    if completes {
        found = walk.between(to, lts.exit, found);
    }
    let edges_of = |bits: u64, edges: &[EdgeId]| (0..edges.len()).filter(|at| bits >> at & 1 != 0).map(|at| edges[at]).collect::<Vec<_>>();
    let mut ways: Vec<ReasonPaths> = (found.iter())
        .map(|Walked { state, path }| ReasonPaths {
            sides: edges_of(state.sides, sides),
            assigned: edges_of(state.used, &assignments),
            own: gathered_edges(path.iter().copied().filter(is_own)),
            relevant: gathered_edges(path.iter().copied().filter(|edge| assignments.contains(edge))),
            path: path.clone(),
        })
        .collect();
    ways.arrange_by_key(|way| (way.sides.clone(), way.assigned.clone(), way.path.len()));
    ways.dedup_by(|one, other| (&one.sides, &one.assigned) == (&other.sides, &other.assigned));
    ways
}

fn gathered_edges(edges: impl Iterator<Item = EdgeId>) -> Vec<EdgeId> {
    edges.collect::<SortedSet<EdgeId>>().into_iter().collect()
}

/// The variables and arrays in the conditions of these sides, and, transitively, those in the values assigned to them.
pub fn relevant(lts: &Lts, sides: &[EdgeId]) -> SortedSet<ModelObject> {
    // An array has no assignment in the program where only functions of the library write its elements.
    let own = lts.graph.edge_weights().filter(|edge| !edge.library).filter_map(|edge| edge.label.assigned());
    let own: SortedSet<ModelObject> = own.collect();
    let is_variable = |object: &ModelObject| matches!(object, ModelObject::Variable(_));
    let read = |value: &Expr| value.objects().into_iter().filter(|object| is_variable(object) || own.contains(object)).collect::<Vec<_>>();
    let mut found: SortedSet<ModelObject> = sides.iter().flat_map(|&side| lts.graph[side].label.operands()).flat_map(read).collect();
    loop {
        let from = lts.graph.edge_weights().filter(|edge| edge.label.assigned().is_some_and(|object| found.contains(&object)));
        let more: Vec<ModelObject> = from.flat_map(|edge| edge.label.operands()).flat_map(read).collect();
        let before = found.len();
        found.extend(more);
        if found.len() == before {
            return found;
        }
    }
}

/// The values that a label assigns: of a list of first values all.
fn values(label: &Label) -> &[Expr] {
    match label {
        Label::Assign(_, value) | Label::Store { value, .. } => std::slice::from_ref(value),
        Label::Fill(_, values) => values,
        _ => &[],
    }
}

/// Whether a label assigns arbitrary values alone.
pub fn is_arbitrary(label: &Label) -> bool {
    let values = values(label);
    matches!(label, Label::Havoc(_) | Label::HavocArray(_)) || !values.is_empty() && values.iter().all(is_drawn)
}

fn is_drawn(value: &Expr) -> bool {
    match value {
        // The operands of an operation on floating-point numbers bound its result.
        Expr::Nondet(_, source) => !source.is_computed(),
        Expr::Convert(_, inner) => is_drawn(inner),
        _ => false,
    }
}

/// The sides and assignments on a path, as sets of bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct SideBits {
    sides: u64,
    /// For each relevant variable and array the assignments that define its value.
    from: SortedMap<ModelObject, u64>,
    /// For each relevant array the last assignment to an element, as long as its index has the same value, and the assignments that define the
    /// element's value.
    last: SortedMap<ArrayId, (EdgeId, u64)>,
    /// The assignments that define the values in the conditions of the passed sides.
    used: u64,
}

/// A path with the sides and assignments on it.
#[derive(Clone, Debug, Default)]
struct Walked {
    state: SideBits,
    path: Vec<EdgeId>,
}

/// A state of paths to a location, and the state from which the path's last edge leads to it.
struct Passed {
    state: SideBits,
    before: Option<(LocationId, usize, EdgeId)>,
}

struct ReasonWalk<'a> {
    lts: &'a Lts,
    sides: &'a [EdgeId],
    assignments: &'a [EdgeId],
    relevant: &'a SortedSet<ModelObject>,
    effort: &'a mut usize,
}

impl ReasonWalk<'_> {
    fn after(&self, state: &SideBits, edge: EdgeId) -> SideBits {
        let mut state = state.clone();
        let label = &self.lts.graph[edge].label;
        if let Some(at) = self.sides.iter().position(|&side| side == edge) {
            state.sides |= 1 << at;
            state.used |= label.operands().into_iter().fold(0, |bits, operand| bits | self.defining(&state, operand));
        }
        if let Some(object) = label.assigned().filter(|object| self.relevant.contains(object)) {
            let own = self.assignments.iter().position(|&one| one == edge).map_or(0, |at| 1 << at);
            let read = values(label).iter();
            match object {
                ModelObject::Variable(variable) => {
                    // An assignment such as `i = i + 1` stands for its whole loop.
                    let bits = read.filter(|value| !value.reads(variable)).fold(own, |bits, value| bits | self.defining(&state, value));
                    state.from.insert(object, bits);
                    let has_index =
                        |edge: &EdgeId| matches!(&self.lts.graph[*edge].label, Label::Store { index, .. } if index.reads(variable));
                    state.last = state.last.into_iter().filter(|(_, (edge, _))| !has_index(edge)).collect();
                }
                ModelObject::Array(array) => {
                    let bits = read.fold(own, |bits, value| bits | self.defining(&state, value));
                    // The other elements keep their values.
                    let is_element = matches!(label, Label::Store { .. });
                    let before = state.from.get(&object).copied().filter(|_| is_element).unwrap_or_default();
                    state.from.insert(object, before | bits);
                    if is_element {
                        state.last.insert(array, (edge, bits));
                    } else {
                        state.last.remove(&array);
                    }
                }
            }
        }
        state
    }

    /// The assignments that define the value of an expression.
    fn defining(&self, state: &SideBits, value: &Expr) -> u64 {
        let of = |object: ModelObject| state.from.get(&object).copied().unwrap_or_default();
        match value {
            Expr::Var(variable) => of(ModelObject::Variable(*variable)),
            Expr::Read(array, index) => match state.last.get(array) {
                Some((edge, bits)) if matches!(&self.lts.graph[*edge].label, Label::Store { index: own, .. } if **index == *own) => *bits,
                _ => of(ModelObject::Array(*array)) | self.defining(state, index),
            },
            _ => {
                let mut bits = 0;
                value.children(&mut |child| bits |= self.defining(state, child));
                bits
            }
        }
    }

    /// The states of all ways between two locations that begin with these, each with a path; none where the ways are too many.
    fn between(&mut self, first: LocationId, last: LocationId, begin: Vec<Walked>) -> Vec<Walked> {
        // Only what leads to the last location counts.
        let mut leads = vec![false; self.lts.graph.node_count()];
        let mut open = vec![last];
        while let Some(location) = open.pop() {
            if !std::mem::replace(&mut leads[location.index()], true) {
                open.extend(self.lts.graph.neighbors_directed(location, Incoming));
            }
        }
        let mut passed: Vec<Vec<Passed>> = self.lts.graph.node_indices().map(|_| Vec::new()).collect();
        let mut open = VecDeque::new();
        let mut begun = Vec::new();
        for Walked { state, path } in begin {
            if !passed[first.index()].iter().any(|other| other.state == state) {
                open.push_back((first, passed[first.index()].len()));
                passed[first.index()].push(Passed { state, before: None });
                begun.push(path);
            }
        }
        // Breadth first: the paths are short.
        while let Some((location, at)) = open.pop_front() {
            for (next, to) in self.lts.outgoing(location).into_iter().filter(|(_, to)| leads[to.index()]) {
                let state = &passed[location.index()][at].state;
                *self.effort = self.effort.saturating_sub(1 + state.from.len());
                let state = self.after(state, next);
                let there = &mut passed[to.index()];
                if there.iter().any(|other| other.state == state) {
                    continue;
                }
                if *self.effort == 0 || there.len() == WAYS {
                    return Vec::new();
                }
                open.push_back((to, there.len()));
                there.push(Passed { state, before: Some((location, at, next)) });
            }
        }
        let path_to = |at: usize| {
            let (mut at, mut location, mut path) = (at, last, Vec::new());
            while let Some((from, before, edge)) = passed[location.index()][at].before {
                path.push(edge);
                (location, at) = (from, before);
            }
            path.reverse();
            [&begun[at][..], &path].concat()
        };
        let there = &passed[last.index()];
        there.iter().enumerate().map(|(at, one)| Walked { state: one.state.clone(), path: path_to(at) }).collect()
    }
}
