//! The paths to an excluded statement, grouped by the sides of decisions on them that exclude it and by the assignments that define the
//! values in the conditions of these sides.

use crate::logic::{Arrange, Int, SortedMap, SortedSet};
use crate::lts::{ArrayId, EdgeId, Expr, Label, LocationId, Lts, Origin, Variable, VariableId};
use crate::source::Span;
use petgraph::Direction::Incoming;

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
    let assigns = |edge: &EdgeId| written(&lts.graph[*edge].label).is_some_and(|(to, _)| relevant.contains(&to));
    // Edges of the library stand nowhere in the text, nor do assignments of arguments to parameters; their values' assignments are listed.
    // An arbitrary value excludes nothing.
    let told = |edge: &EdgeId| {
        let (passes, is_arbitrary) = match written(&lts.graph[*edge].label) {
            Some((Stored::Variable(variable), value)) => {
                let Variable { origin, span, .. } = lts.variable(variable);
                (*origin == Origin::Inlined && parameters.contains(span), value.is_none_or(is_arbitrary))
            }
            Some((Stored::Array(_), value)) => (false, value.is_none_or(is_arbitrary)),
            None => (false, false),
        };
        !lts.graph[*edge].library && !passes && !is_arbitrary
    };
    let assignments: Vec<EdgeId> = lts.graph.edge_indices().filter(|edge| assigns(edge) && told(edge)).collect();
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
    let mut ways: Vec<ReasonPaths> = (found.iter())
        .map(|state| ReasonPaths { sides: edges_of(state.sides, sides), assigned: edges_of(state.used, &assignments) })
        .collect();
    ways.arrange();
    ways.dedup();
    ways
}

/// Where a label puts a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stored {
    Variable(VariableId),
    Array(ArrayId),
}

/// The variables and arrays in the conditions of these sides, and, transitively, those in the values assigned to them.
fn relevant(lts: &Lts, sides: &[EdgeId]) -> SortedSet<Stored> {
    // An array has no assignment in the program where only functions of the library write its elements.
    let own = lts.graph.edge_weights().filter(|edge| !edge.library).filter_map(|edge| Some(written(&edge.label)?.0));
    let own: SortedSet<Stored> = own.collect();
    let read =
        |value| read(value).into_iter().filter(|stored| matches!(stored, Stored::Variable(_)) || own.contains(stored)).collect::<Vec<_>>();
    let mut found: SortedSet<Stored> = sides.iter().flat_map(|&side| lts.graph[side].label.operands()).flat_map(read).collect();
    loop {
        let from = lts.graph.edge_weights().filter(|edge| written(&edge.label).is_some_and(|(to, _)| found.contains(&to)));
        let more: Vec<Stored> = from.flat_map(|edge| edge.label.operands()).flat_map(read).collect();
        let before = found.len();
        found.extend(more);
        if found.len() == before {
            return found;
        }
    }
}

/// What a label assigns to, and the assigned value, where it is not arbitrary and one.
fn written(label: &Label) -> Option<(Stored, Option<&Expr>)> {
    match label {
        Label::Assign(variable, value) => Some((Stored::Variable(*variable), Some(value))),
        Label::Havoc(variable) => Some((Stored::Variable(*variable), None)),
        Label::Store { array, value, .. } => Some((Stored::Array(*array), Some(value))),
        Label::HavocArray(array) => Some((Stored::Array(*array), None)),
        Label::Fill(array, values) => Some((Stored::Array(*array), values.first().or(Some(&Expr::Int(Int::ZERO))))),
        Label::Skip | Label::Assume { .. } => None,
    }
}

fn is_arbitrary(value: &Expr) -> bool {
    match value {
        Expr::Nondet(..) => true,
        Expr::Convert(_, inner) => is_arbitrary(inner),
        _ => false,
    }
}

fn read(value: &Expr) -> Vec<Stored> {
    let mut found = Vec::new();
    value.walk(&mut |e| {
        found.extend(match e {
            Expr::Var(variable) => Some(Stored::Variable(*variable)),
            Expr::Read(array, _) => Some(Stored::Array(*array)),
            _ => None,
        })
    });
    found
}

fn mentions(value: &Expr, variable: VariableId) -> bool {
    read(value).contains(&Stored::Variable(variable))
}

/// The sides and assignments on a path, as sets of bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct SideBits {
    sides: u64,
    /// For each relevant variable and array the assignments that define its value.
    from: SortedMap<Stored, u64>,
    /// For each relevant array the last assignment to an element, as long as its index has the same value, and the assignments that define the
    /// element's value.
    last: SortedMap<ArrayId, (EdgeId, u64)>,
    /// The assignments that define the values in the conditions of the passed sides.
    used: u64,
}

struct ReasonWalk<'a> {
    lts: &'a Lts,
    sides: &'a [EdgeId],
    assignments: &'a [EdgeId],
    relevant: &'a SortedSet<Stored>,
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
        if let Some((to, value)) = written(label).filter(|(to, _)| self.relevant.contains(to)) {
            let own = self.assignments.iter().position(|&one| one == edge).map_or(0, |at| 1 << at);
            let from_values = |values: &[&Expr]| values.iter().fold(own, |bits, value| bits | self.defining(&state, value));
            match (to, label) {
                (Stored::Variable(variable), _) => {
                    // An assignment such as `i = i + 1` stands for its whole loop.
                    let bits = from_values(value.filter(|value| !mentions(value, variable)).as_slice());
                    state.from.insert(to, bits);
                    let has_index =
                        |edge: &EdgeId| matches!(&self.lts.graph[*edge].label, Label::Store { index, .. } if mentions(index, variable));
                    state.last = state.last.into_iter().filter(|(_, (edge, _))| !has_index(edge)).collect();
                }
                (Stored::Array(array), Label::Store { value, .. }) => {
                    let bits = from_values(&[value]);
                    state.last.insert(array, (edge, bits));
                    let before = state.from.get(&to).copied().unwrap_or_default();
                    state.from.insert(to, before | bits);
                }
                (Stored::Array(array), _) => {
                    state.from.insert(to, own);
                    state.last.remove(&array);
                }
            }
        }
        state
    }

    /// The assignments that define the value of an expression.
    fn defining(&self, state: &SideBits, value: &Expr) -> u64 {
        let of = |stored: Stored| state.from.get(&stored).copied().unwrap_or_default();
        match value {
            Expr::Var(variable) => of(Stored::Variable(*variable)),
            Expr::Read(array, index) => match state.last.get(array) {
                Some((edge, bits)) if matches!(&self.lts.graph[*edge].label, Label::Store { index: own, .. } if **index == *own) => *bits,
                _ => of(Stored::Array(*array)) | self.defining(state, index),
            },
            _ => {
                let mut bits = 0;
                value.children(&mut |child| bits |= self.defining(state, child));
                bits
            }
        }
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
