//! A reason in an order that people follow: what excludes a statement on one way to it, and what on another.
//!
//! 1. The sides that [`super::because`] found exclude a statement together; no execution passes all of them. Along each way through the graph
//!    to the statement those that stand on it contradict each other, with the assignments that their values come from.
//! 2. So the ways are told apart by the sides on them and by these assignments.
//! 3. What stands on all ways is told once; what differs is told for each way, where the ways are few ([`exclusion`]).

use super::document::{CoverExclusion, CoverReason};
use crate::logic::{SortedMap, SortedSet};
use crate::lts::{EdgeId, Expr, Label, LocationId, Lts, VariableId};
use petgraph::Direction::Incoming;

/// Sides of one reason, and assignments to what they read, at most, that are told apart.
const BITS: usize = 64;
/// Ways to one location, at most.
const WAYS: usize = 64;

/// Ways that a reader keeps apart, at most.
const TOLD: usize = 4;
/// Conditions and assignments, at most, of which one or more exclude a statement.
const SOME: usize = 8;

/// What may still be looked at: a reason must not take longer than its verdict.
pub struct Effort(pub usize);

/// What excludes a statement, of which these sides are the reason. With `completes` it may be taken, but by no execution that ends. Conditions
/// of copies of one call that read alike are one.
pub fn exclusion(
    lts: &Lts,
    (edge, completes): (EdgeId, bool),
    because: &[EdgeId],
    name: &dyn Fn(&EdgeId) -> CoverReason,
    effort: &mut Effort,
) -> CoverExclusion {
    let named = |edges: &[EdgeId]| distinct(edges.iter().filter(|&&side| side != edge).map(name).collect());
    let sides = named(because);
    // What is not taken within a bound is so by how often loops go round, not by assignments.
    let assigned = |way: &Way| if completes { Vec::new() } else { named(&way.assigned) };
    // 1. and 2.
    let ways: Vec<[Vec<CoverReason>; 2]> =
        ways(lts, (edge, completes), because, effort).iter().map(|way| [named(&way.sides), assigned(way)]).collect();
    if ways.is_empty() {
        return if sides.len() == 1 { CoverExclusion { all: sides, ..CoverExclusion::default() } } else { some(Vec::new(), sides) };
    }
    // 3.
    let is_on_all = |at: usize, one: &CoverReason| ways.iter().all(|way| way[at].iter().any(|other| alike(one, other)));
    let on_all = |at: usize| ways[0][at].iter().filter(|one| is_on_all(at, one)).cloned().collect::<Vec<CoverReason>>();
    let (mut all, assigned) = (on_all(0), on_all(1));
    let differs = |one: &&CoverReason| !all.iter().chain(&assigned).any(|common| alike(one, common));
    let rests = ways.iter().map(|way| way.iter().flatten().filter(differs).cloned().collect::<Vec<_>>());
    let mut either: Vec<Vec<CoverReason>> = Vec::new();
    for rest in rests {
        let is_told = |told: &Vec<CoverReason>| told.len() == rest.len() && told.iter().zip(&rest).all(|(one, other)| alike(one, other));
        if !either.iter().any(is_told) {
            either.push(rest);
        }
    }
    if let [_] = &either[..] {
        if all.is_empty() {
            all = assigned;
        }
        return CoverExclusion { all, ..CoverExclusion::default() };
    }
    if either.len() > TOLD || either.iter().any(Vec::is_empty) {
        let others = distinct(either.into_iter().flatten().collect());
        // Where there is a common one, that assignments differ says nothing more.
        let says_more = all.is_empty() || others.iter().any(|one| sides.iter().any(|side| alike(one, side)));
        return if says_more { some(all, others) } else { CoverExclusion { all, ..CoverExclusion::default() } };
    }
    CoverExclusion { all, either, some: Vec::new() }
}

/// What excludes it where one or more of the second ones do, with all of the first.
fn some(all: Vec<CoverReason>, mut some: Vec<CoverReason>) -> CoverExclusion {
    if some.len() > SOME {
        some.clear();
    }
    CoverExclusion { all, either: Vec::new(), some }
}

fn alike(one: &CoverReason, other: &CoverReason) -> bool {
    (one.line, one.column, &one.text) == (other.line, other.column, &other.text)
}

fn distinct(reasons: Vec<CoverReason>) -> Vec<CoverReason> {
    let mut found: Vec<CoverReason> = Vec::new();
    for reason in reasons {
        if !found.iter().any(|other| alike(&reason, other)) {
            found.push(reason);
        }
    }
    found
}

/// What stands on a way to a statement: sides of its reason, and assignments that the values of their conditions come from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    sides: Vec<EdgeId>,
    assigned: Vec<EdgeId>,
}

/// The ways to the edge; with `completes` the ways through it to the exit. Empty where they are too many to tell apart.
fn ways(lts: &Lts, (edge, completes): (EdgeId, bool), sides: &[EdgeId], effort: &mut Effort) -> Vec<Way> {
    let relevant = relevant(lts, sides);
    let assigns = |edge: &EdgeId| matches!(written(&lts.graph[*edge].label), Some((variable, _)) if relevant.contains(&variable));
    let assignments: Vec<EdgeId> = lts.graph.edge_indices().filter(assigns).collect();
    if sides.len() > BITS || assignments.len() > BITS {
        return Vec::new();
    }
    let mut walk = Walk { lts, sides, assignments: &assignments, relevant: &relevant, effort };
    let (_, from, to) = lts.edge(edge);
    let mut found = walk.between((lts.entry, from), vec![State::default()]);
    found = found.iter().map(|state| walk.after(state, edge)).collect();
    if completes {
        found = walk.between((to, lts.exit), found);
    }
    let those = |bits: u64, edges: &[EdgeId]| (0..edges.len()).filter(|at| bits >> at & 1 != 0).map(|at| edges[at]).collect::<Vec<_>>();
    // What is none of the text's own says nothing to its reader.
    let told = |edge: &EdgeId| !lts.graph[*edge].library;
    let those = |bits: u64, edges: &[EdgeId]| those(bits, edges).into_iter().filter(told).collect::<Vec<_>>();
    let mut ways: Vec<Way> =
        (found.iter()).map(|state| Way { sides: those(state.sides, sides), assigned: those(state.used, &assignments) }).collect();
    ways.sort();
    ways.dedup();
    ways
}

/// The variables that the conditions of these sides read, and those that their values are computed from.
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

/// The variable that a label gives a value, and which, where it is not arbitrary.
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

/// What a way has passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    /// The sides.
    sides: u64,
    /// The assignments that the value of a variable comes from.
    from: SortedMap<VariableId, u64>,
    /// Those that the values of the conditions come from.
    used: u64,
}

struct Walk<'a> {
    lts: &'a Lts,
    sides: &'a [EdgeId],
    assignments: &'a [EdgeId],
    relevant: &'a SortedSet<VariableId>,
    effort: &'a mut Effort,
}

impl Walk<'_> {
    fn after(&self, state: &State, edge: EdgeId) -> State {
        let mut state = state.clone();
        let label = &self.lts.graph[edge].label;
        if let Some(at) = self.sides.iter().position(|&side| side == edge) {
            state.sides |= 1 << at;
            let read = label.operands().into_iter().flat_map(read);
            state.used |= read.fold(0, |bits, variable| bits | state.from.get(&variable).unwrap_or(&0));
        }
        if let Some((variable, value)) = written(label).filter(|(variable, _)| self.relevant.contains(variable)) {
            let own = self.assignments.iter().position(|&one| one == edge).map_or(0, |at| 1 << at);
            // What is computed from itself tells where it comes from.
            let before = value.map(read).filter(|read| !read.contains(&variable)).unwrap_or_default();
            let bits = before.iter().fold(own, |bits, variable| bits | state.from.get(variable).unwrap_or(&0));
            state.from.insert(variable, bits);
        }
        state
    }

    /// What has been passed at the end of each way between two locations, with what was before; none where they are too many.
    fn between(&mut self, (first, last): (LocationId, LocationId), before: Vec<State>) -> Vec<State> {
        // Only what leads to the last location counts.
        let mut leads = vec![false; self.lts.graph.node_count()];
        let mut open = vec![last];
        while let Some(location) = open.pop() {
            if !std::mem::replace(&mut leads[location.index()], true) {
                open.extend(self.lts.graph.neighbors_directed(location, Incoming));
            }
        }
        let mut passed: Vec<Vec<State>> = vec![Vec::new(); self.lts.graph.node_count()];
        let mut open: Vec<(LocationId, State)> = Vec::new();
        for state in before {
            if !passed[first.index()].contains(&state) {
                passed[first.index()].push(state.clone());
                open.push((first, state));
            }
        }
        while let Some((location, state)) = open.pop() {
            for (next, to) in self.lts.outgoing(location).into_iter().filter(|(_, to)| leads[to.index()]) {
                self.effort.0 = self.effort.0.saturating_sub(1 + state.from.len());
                let after = self.after(&state, next);
                let at = &mut passed[to.index()];
                if at.contains(&after) {
                    continue;
                }
                if self.effort.0 == 0 || at.len() == WAYS {
                    return Vec::new();
                }
                at.push(after.clone());
                open.push((to, after));
            }
        }
        std::mem::take(&mut passed[last.index()])
    }
}
