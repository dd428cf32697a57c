//! The paths to an excluded statement, grouped by the sides of decisions on them that exclude it and by the assignments that define the
//! values in the conditions of these sides.

use crate::logic::{Arrange, SortedMap, SortedSet};
use crate::lts::{EdgeId, Expr, Label, LocationId, Lts, Origin, Variable, VariableId};
use crate::source::Span;
use petgraph::Direction::Incoming;

/// The greatest number of sides in one reason, and of assignments to the variables that their conditions read.
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
    let assigns = |edge: &EdgeId| matches!(written(&lts.graph[*edge].label), Some((variable, _)) if relevant.contains(&variable));
    let assignments: Vec<EdgeId> = lts.graph.edge_indices().filter(assigns).collect();
    if sides.len() > BITS || assignments.len() > BITS {
        return Vec::new();
    }
    let mut walk = ReasonWalk { lts, sides, assignments: &assignments, relevant: &relevant, effort };
    let (_, from, to) = lts.edge(edge);
    let mut found = walk.between(lts.entry, from, vec![SideBits::default()]);
    found = found.iter().map(|state| walk.after(state, edge)).collect();
    if completes {
        found = walk.between(to, lts.exit, found);
    }
    let edges_of = |bits: u64, edges: &[EdgeId]| (0..edges.len()).filter(|at| bits >> at & 1 != 0).map(|at| edges[at]).collect::<Vec<_>>();
    // Edges of the library stand nowhere in the text, nor do assignments of arguments to parameters; their values' assignments are listed.
    let told = |edge: &EdgeId| {
        let passes = written(&lts.graph[*edge].label).is_some_and(|(variable, _)| {
            let Variable { origin, span, .. } = lts.variable(variable);
            *origin == Origin::Inlined && parameters.contains(span)
        });
        !lts.graph[*edge].library && !passes
    };
    let edges_of = |bits: u64, edges: &[EdgeId]| edges_of(bits, edges).into_iter().filter(told).collect::<Vec<_>>();
    let mut ways: Vec<ReasonPaths> = (found.iter())
        .map(|state| ReasonPaths { sides: edges_of(state.sides, sides), assigned: edges_of(state.used, &assignments) })
        .collect();
    ways.arrange();
    ways.dedup();
    ways
}

/// The variables in the conditions of these sides, and, transitively, the variables in the values assigned to them.
fn relevant(lts: &Lts, sides: &[EdgeId]) -> SortedSet<VariableId> {
    let mut found: SortedSet<VariableId> = sides.iter().flat_map(|&side| lts.graph[side].label.operands()).flat_map(read).collect();
    loop {
        let from = lts.graph.edge_weights().filter_map(|edge| written(&edge.label)).filter(|(to, _)| found.contains(to));
        let more: Vec<VariableId> = from.flat_map(|(_, value)| value.map(read).unwrap_or_default()).collect();
        let before = found.len();
        found.extend(more);
        if found.len() == before {
            return found;
        }
    }
}

/// The variable that a label assigns to, and the assigned value, where it is not arbitrary.
fn written(label: &Label) -> Option<(VariableId, Option<&Expr>)> {
    match label {
        Label::Assign(variable, value) => Some((*variable, Some(value))),
        Label::Havoc(variable) => Some((*variable, None)),
        _ => None,
    }
}

fn read(value: &Expr) -> Vec<VariableId> {
    let mut found = Vec::new();
    value.walk(&mut |e| found.extend(if let Expr::Var(variable) = e { Some(*variable) } else { None }));
    found
}

/// The sides and assignments on a path, as sets of bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct SideBits {
    sides: u64,
    /// For each relevant variable the assignments that define its value.
    from: SortedMap<VariableId, u64>,
    /// The assignments that define the values in the conditions of the passed sides.
    used: u64,
}

struct ReasonWalk<'a> {
    lts: &'a Lts,
    sides: &'a [EdgeId],
    assignments: &'a [EdgeId],
    relevant: &'a SortedSet<VariableId>,
    effort: &'a mut usize,
}

impl ReasonWalk<'_> {
    fn after(&self, state: &SideBits, edge: EdgeId) -> SideBits {
        let mut state = state.clone();
        let label = &self.lts.graph[edge].label;
        if let Some(at) = self.sides.iter().position(|&side| side == edge) {
            state.sides |= 1 << at;
            let read = label.operands().into_iter().flat_map(read);
            state.used |= read.fold(0, |bits, variable| bits | state.from.get(&variable).unwrap_or(&0));
        }
        if let Some((variable, value)) = written(label).filter(|(variable, _)| self.relevant.contains(variable)) {
            let own = self.assignments.iter().position(|&one| one == edge).map_or(0, |at| 1 << at);
            // An assignment such as `i = i + 1` stands for its whole loop.
            let before = value.map(read).filter(|read| !read.contains(&variable)).unwrap_or_default();
            let bits = before.iter().fold(own, |bits, variable| bits | state.from.get(variable).unwrap_or(&0));
            state.from.insert(variable, bits);
        }
        state
    }

    /// The states of all ways between two locations that begin with the states `before`; none where the ways are too many.
    fn between(&mut self, first: LocationId, last: LocationId, before: Vec<SideBits>) -> Vec<SideBits> {
        // Only what leads to the last location counts.
        let mut leads = vec![false; self.lts.graph.node_count()];
        let mut open = vec![last];
        while let Some(location) = open.pop() {
            if !std::mem::replace(&mut leads[location.index()], true) {
                open.extend(self.lts.graph.neighbors_directed(location, Incoming));
            }
        }
        let mut passed: Vec<Vec<SideBits>> = vec![Vec::new(); self.lts.graph.node_count()];
        let mut open: Vec<(LocationId, SideBits)> = Vec::new();
        for state in before {
            if !passed[first.index()].contains(&state) {
                passed[first.index()].push(state.clone());
                open.push((first, state));
            }
        }
        while let Some((location, state)) = open.pop() {
            for (next, to) in self.lts.outgoing(location).into_iter().filter(|(_, to)| leads[to.index()]) {
                *self.effort = self.effort.saturating_sub(1 + state.from.len());
                let after = self.after(&state, next);
                let at = &mut passed[to.index()];
                if at.contains(&after) {
                    continue;
                }
                if *self.effort == 0 || at.len() == WAYS {
                    return Vec::new();
                }
                at.push(after.clone());
                open.push((to, after));
            }
        }
        std::mem::take(&mut passed[last.index()])
    }
}
