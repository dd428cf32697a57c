//! Which variables and arrays matter at a location: those whose values there can decide which paths go on from it.
//!
//! A variable matters where it is read by a later decision, or decides whether a later edge is defined (a divisor, an index
//! into an array of known length), or flows into one that does, before a write. Liveness would keep more: what the program
//! only computes and returns never decides anything. Two states that agree on what matters can go on along the same paths.
//!
//! The solution goes backwards over sets of bits until nothing changes.

use super::inputs::{NumberSet, read};
use super::{ArrayId, EdgeId, Expr, Label, LocationId, Lts, VariableId};
use crate::logic::IntRange;
use petgraph::Direction;
use petgraph::visit::EdgeRef;

/// For each location what matters there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relevance {
    /// Scalars by their number, then arrays.
    sets: Vec<NumberSet>,
    split: usize,
}

impl Relevance {
    /// What matters at each location of the graph.
    pub fn new(lts: &Lts) -> Relevance {
        Relevance::ignoring(lts, &|_| false)
    }

    /// What matters to an analysis that ignores whether results of arithmetic lie in the ranges that `ignored` holds of. A counter that
    /// decides nothing but whether its own counting overflows does not matter to it.
    pub fn ignoring(lts: &Lts, ignored: &dyn Fn(IntRange) -> bool) -> Relevance {
        Relevance::backward(lts, &|id, set| {
            let edge = lts.edge(id).0;
            for value in edge.prints.iter().flat_map(super::Print::operands).chain(&edge.returns) {
                defined(lts, value, ignored, set);
            }
            transfer(lts, &edge.label, ignored, set);
        })
    }

    /// What flows into the conditions of the edges that `decides` holds of, whatever else decides which paths lead there. Elements of arrays
    /// are not followed.
    pub fn flowing(lts: &Lts, decides: &dyn Fn(EdgeId) -> bool) -> Relevance {
        Relevance::backward(lts, &|id, set| match &lts.edge(id).0.label {
            Label::Assume { condition, .. } if decides(id) => read(lts, condition, set),
            Label::Assign(variable, value) if set.contains(variable.0 as usize) => {
                set.remove(variable.0 as usize);
                read(lts, value, set);
            }
            Label::Havoc(variable) => set.remove(variable.0 as usize),
            _ => {}
        })
    }

    /// The least solution of: what matters before an edge is what this makes of what matters after it.
    fn backward(lts: &Lts, before: &dyn Fn(EdgeId, &mut NumberSet)) -> Relevance {
        let split = lts.variables.len();
        let names = split + lts.arrays.len();
        let mut sets = vec![NumberSet::new(names); lts.graph.node_count()];
        let mut work: Vec<EdgeId> = lts.graph.edge_indices().collect();
        let mut waiting = vec![true; work.len()];
        while let Some(id) = work.pop() {
            waiting[id.index()] = false;
            let (_, from, to) = lts.edge(id);
            let mut set = sets[to.index()].clone();
            before(id, &mut set);
            if sets[from.index()].absorb(&set) {
                for incoming in lts.graph.edges_directed(from, Direction::Incoming) {
                    if !std::mem::replace(&mut waiting[incoming.id().index()], true) {
                        work.push(incoming.id());
                    }
                }
            }
        }
        Relevance { sets, split }
    }

    /// Whether the scalar matters at the location.
    pub fn variable(&self, location: LocationId, id: VariableId) -> bool {
        self.sets[location.index()].contains(id.0 as usize)
    }

    /// Whether the contents of the array matter at the location.
    pub fn array(&self, location: LocationId, id: ArrayId) -> bool {
        self.sets[location.index()].contains(self.split + id.0 as usize)
    }
}

/// From what matters after `label` to what matters before.
fn transfer(lts: &Lts, label: &Label, ignored: &dyn Fn(IntRange) -> bool, set: &mut NumberSet) {
    let defined = |lts: &Lts, expr: &Expr, set: &mut NumberSet| defined(lts, expr, ignored, set);
    match label {
        Label::Skip => {}
        Label::Assume { condition, .. } => read(lts, condition, set),
        Label::Assign(variable, value) => {
            let variable = variable.0 as usize;
            if set.contains(variable) {
                set.remove(variable);
                read(lts, value, set);
            } else {
                defined(lts, value, set);
            }
        }
        Label::Store { array, index, value } => {
            let matters = set.contains(lts.variables.len() + array.0 as usize);
            // An element is replaced, the others stay.
            let part: &dyn Fn(&Lts, &Expr, &mut NumberSet) = if matters { &read } else { &defined };
            part(lts, value, set);
            part(lts, index, set);
            if lts.array(*array).length.is_some() {
                read(lts, index, set);
            }
        }
        Label::Fill(array, values) => {
            let array = lts.variables.len() + array.0 as usize;
            let part: &dyn Fn(&Lts, &Expr, &mut NumberSet) = if set.contains(array) { &read } else { &defined };
            set.remove(array);
            values.iter().for_each(|value| part(lts, value, set));
        }
        Label::Havoc(variable) => set.remove(variable.0 as usize),
        Label::HavocArray(array) => set.remove(lts.variables.len() + array.0 as usize),
    }
}

/// Adds what decides whether `expr` is defined.
fn defined(lts: &Lts, expr: &Expr, ignored: &dyn Fn(IntRange) -> bool, set: &mut NumberSet) {
    match expr {
        Expr::Read(array, index) if lts.array(*array).length.is_some() => read(lts, index, set),
        Expr::Binary(op, _, right) if op.needs_right() => read(lts, right, set),
        Expr::Checked(range, value) | Expr::Within(_, range, value) if !ignored(*range) => read(lts, value, set),
        Expr::Guarded(_, condition, _) => read(lts, condition, set),
        _ => {}
    }
    expr.children(&mut |child| defined(lts, child, ignored, set));
}

#[cfg(test)]
mod tests {
    use super::Relevance;
    use crate::lang;
    use crate::logic::IntRange;
    use crate::lts::lower::{IntegerModel, Options, lower_with};
    use crate::lts::{ArrayId, VariableId};

    /// The names that matter at the entry.
    fn at_entry(source: &str) -> Vec<String> {
        at_entry_ignoring(source, IntegerModel::Unbounded, &|_| false)
    }

    fn at_entry_ignoring(source: &str, ints: IntegerModel, ignored: &dyn Fn(IntRange) -> bool) -> Vec<String> {
        let program = lang::parse(source).program.unwrap_or_default();
        let options = Options { ints, ..Options::default() };
        let lts = lower_with(&program, None, &options).map(|l| l.lts).unwrap_or_else(|e| panic!("{e:?}"));
        let relevance = Relevance::ignoring(&lts, ignored);
        let variables = (0..lts.variables.len() as u32).map(VariableId).filter(|&id| relevance.variable(lts.entry, id));
        let arrays = (0..lts.arrays.len() as u32).map(ArrayId).filter(|&id| relevance.array(lts.entry, id));
        let names = variables.map(|id| lts.variable(id).name.clone());
        names.chain(arrays.map(|id| lts.array(id).name.clone())).collect()
    }

    #[test]
    fn what_is_only_computed_does_not_matter() {
        assert_eq!(at_entry("int f(int x, int y, int n) { while (x < n) { x++; y = y + x; } return y; }"), ["x", "n"]);
        assert_eq!(at_entry("int f(int *a, int *b, int i) { b[0] = a[i]; if (b[0]) return 1; return 0; }"), ["i", "a", "b"]);
        assert_eq!(at_entry("int f(int *a, int *b, int i) { b[0] = a[i]; return 0; }"), [""; 0]);
    }

    #[test]
    fn overflows_matter_on_request() {
        let source = "int f(int n, int k, int a[]) { int i = 0; while (i < n) { a[k] = i; k++; i++; } return k; }";
        assert_eq!(at_entry_ignoring(source, IntegerModel::C32, &|_| false), ["n", "k"]);
        assert_eq!(at_entry_ignoring(source, IntegerModel::C32, &|range| range.greatest > 1 << 16), ["n"]);
        assert_eq!(at_entry_ignoring(source, IntegerModel::C32, &|range| range.least >= 0), ["n", "k"]);
        assert_eq!(at_entry(source), ["n"]);
    }

    #[test]
    fn what_decides_whether_it_is_defined_matters() {
        assert_eq!(at_entry("int f(int x, int y) { x = 1; return x / y; }"), ["y"]);
        assert_eq!(at_entry("int f(int i, int x) { int a[3]; a[i] = x; return 0; }"), ["i"]);
        assert_eq!(at_entry("int f(int i, int x) { x = nondet(); if (x) return 1; return 0; }"), [""; 0]);
    }
}
