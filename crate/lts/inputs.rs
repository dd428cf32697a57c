//! Which variables and arrays are inputs: all parameters, and whatever else starts with an arbitrary value that some
//! path may read before writing it.
//!
//! The latter is liveness at the entry; the solution goes backwards over sets of bits until nothing changes. A `Store` writes one
//! element only, so the array stays live; a `Fill` writes all of it.

use super::{ArrayId, EdgeId, Expr, Label, Lts, Origin, Print, VariableId};
use petgraph::Direction;
use petgraph::visit::EdgeRef;

/// The inputs of a function, in the order of their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    pub variables: Vec<VariableId>,
    pub arrays: Vec<ArrayId>,
}

/// The inputs of `lts`.
pub fn inputs(lts: &Lts) -> Inputs {
    let live = live_at_entry(lts);
    let arbitrary = |origin: Origin, initialised: bool, live: bool| !initialised && (origin == Origin::Parameter || live);
    let split = lts.variables.len();
    Inputs {
        variables: (lts.variables.iter().enumerate())
            .filter(|(i, variable)| arbitrary(variable.origin, variable.initial.is_some(), live.contains(*i)))
            .map(|(i, _)| VariableId(i as u32))
            .collect(),
        arrays: (lts.arrays.iter().enumerate())
            .filter(|(i, array)| {
                // What a new node holds is no input.
                let is_new = array.member_of_nodes.is_some() && array.origin == Origin::Inlined;
                let set = is_new || !array.objects.is_empty() && !array.objects.iter().any(|object| object.is_input);
                arbitrary(array.origin, set || array.initial.is_some(), live.contains(split + i))
            })
            .map(|(i, _)| ArrayId(i as u32))
            .collect(),
    }
}

/// The scalars that some edge of the path reads before any writes them.
pub fn read_along(lts: &Lts, path: &[EdgeId]) -> Vec<VariableId> {
    let (mut read, mut written) = (vec![false; lts.variables.len()], vec![false; lts.variables.len()]);
    let entry = lts.at_entry.operands().map(|operand| (operand, None));
    let edges = path.iter().flat_map(|&edge| {
        let count = lts.graph[edge].label.operands().len();
        lts.operands(edge).enumerate().map(move |(at, operand)| (operand, Some((edge, at + 1 == count))))
    });
    for (operand, of) in entry.chain(edges) {
        operand.walk(&mut |part| {
            if let Expr::Var(id) = part {
                read[id.0 as usize] |= !written[id.0 as usize];
            }
        });
        if let Some((edge, true)) = of
            && let Label::Assign(id, value) = &lts.graph[edge].label
        {
            // A conversion of `scanf` may leave it as it is.
            written[id.0 as usize] |= !matches!(value, Expr::Nondet(_, super::InputSource::Stdin(super::Read::Value { begins: true, .. })));
        }
    }
    (0..).zip(read).filter(|(_, read)| *read).map(|(id, _)| VariableId(id)).collect()
}

/// The arrays that conditions or values along the path read.
pub fn arrays_along(lts: &Lts, path: &[EdgeId]) -> Vec<ArrayId> {
    let mut found = Vec::new();
    let entry = lts.at_entry.operands();
    for operand in entry.chain(path.iter().flat_map(|&edge| lts.operands(edge))) {
        operand.walk(&mut |part| {
            if let Expr::Read(id, _) = part
                && !found.contains(id)
            {
                found.push(*id);
            }
        });
    }
    found
}

/// Scalars by their number, then arrays.
fn live_at_entry(lts: &Lts) -> NumberSet {
    let names = lts.variables.len() + lts.arrays.len();
    let mut live = vec![NumberSet::new(names); lts.graph.node_count()];
    for value in lts.at_entry.operands() {
        read(lts, value, &mut live[lts.entry.index()]);
    }
    let mut work: Vec<EdgeId> = lts.graph.edge_indices().collect();
    let mut waiting = vec![true; work.len()];
    let mut before = NumberSet::new(names);
    while let Some(id) = work.pop() {
        waiting[id.index()] = false;
        let (edge, from, to) = lts.edge(id);
        before.clone_from(&live[to.index()]);
        for value in edge.prints.iter().flat_map(Print::operands).chain(&edge.returns) {
            read(lts, value, &mut before);
        }
        transfer(lts, &edge.label, &mut before);
        if live[from.index()].absorb(&before) {
            for incoming in lts.graph.edges_directed(from, Direction::Incoming) {
                if !std::mem::replace(&mut waiting[incoming.id().index()], true) {
                    work.push(incoming.id());
                }
            }
        }
    }
    live.swap_remove(lts.entry.index())
}

/// From what is live after `label` to what is live before.
fn transfer(lts: &Lts, label: &Label, live: &mut NumberSet) {
    match label {
        Label::Skip => {}
        Label::Assume { condition, .. } => read(lts, condition, live),
        Label::Assign(variable, value) => {
            live.remove(variable.0 as usize);
            read(lts, value, live);
        }
        Label::Store { index, value, .. } => {
            read(lts, index, live);
            read(lts, value, live);
        }
        Label::Fill(array, elements) => {
            live.remove(lts.variables.len() + array.0 as usize);
            elements.iter().for_each(|element| read(lts, element, live));
        }
        Label::Havoc(variable) => live.remove(variable.0 as usize),
        Label::HavocArray(array) => live.remove(lts.variables.len() + array.0 as usize),
    }
}

/// Adds what `expr` reads.
pub(super) fn read(lts: &Lts, expr: &Expr, live: &mut NumberSet) {
    match expr {
        Expr::Var(variable) => live.insert(variable.0 as usize),
        Expr::Read(array, _) => live.insert(lts.variables.len() + array.0 as usize),
        _ => {}
    }
    expr.children(&mut |child| read(lts, child, live));
}

/// A set of small numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NumberSet(Vec<u64>);

impl NumberSet {
    pub(super) fn new(size: usize) -> NumberSet {
        NumberSet(vec![0; size.div_ceil(64)])
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    /// Adds all of `other`; whether that added anything.
    pub(super) fn absorb(&mut self, other: &NumberSet) -> bool {
        let mut grew = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            grew |= more & !*word != 0;
            *word |= more;
        }
        grew
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Array, Edge, Location, LocationId, Variable};
    use super::*;
    use crate::source::Span;
    use petgraph::graph::DiGraph;

    fn var(id: u32) -> Expr {
        Expr::Var(VariableId(id))
    }

    /// Parameters p0.., then locals without a first value, arrays likewise; edges as given, the last location the exit.
    fn inputs_of(variables: &[Origin], arrays: &[Origin], locations: usize, edges: Vec<(usize, usize, Label)>) -> (Vec<u32>, Vec<u32>) {
        let mut graph = DiGraph::default();
        for _ in 0..locations {
            graph.add_node(Location::default());
        }
        for (from, to, label) in edges {
            graph.add_edge(LocationId::new(from), LocationId::new(to), Edge::plain(label, Span::default()));
        }
        let lts = Lts {
            function: "f".into(),
            graph,
            entry: LocationId::new(0),
            exit: LocationId::new(locations - 1),
            error: None,
            cut: None,
            inline_depth: None,
            at_entry: Default::default(),
            precondition: None,
            calls: None,
            written: Vec::new(),
            variables: (variables.iter())
                .map(|&origin| Variable {
                    name: String::new(),
                    part: crate::lts::SourcePart::default(),
                    origin,
                    span: Span::default(),
                    initial: None,
                    first: None,
                    range: None,
                    values: crate::lts::ValueMeaning::Integers,
                    owners: Vec::new(),
                })
                .collect(),
            arrays: (arrays.iter())
                .map(|&origin| Array {
                    name: String::new(),
                    part: crate::lts::SourcePart::default(),
                    origin,
                    span: Span::default(),
                    length: None,
                    initial: None,
                    first: None,
                    range: None,
                    values: crate::lts::ValueMeaning::Integers,
                    objects: Vec::new(),
                    member_of_nodes: None,
                    owners: Vec::new(),
                })
                .collect(),
            outside: Default::default(),
            value_names: Default::default(),
        };
        let inputs = inputs(&lts);
        (inputs.variables.iter().map(|id| id.0).collect(), inputs.arrays.iter().map(|id| id.0).collect())
    }

    use Origin::{Global, Local, Parameter};

    #[test]
    fn parameters_always_and_others_when_read_first() {
        // x1 = x2; x0 is never used, x1 is written first.
        let assign = Label::Assign(VariableId(1), var(2));
        let after = Label::Assign(VariableId(2), var(1));
        assert_eq!(inputs_of(&[Parameter, Local, Local], &[], 3, vec![(0, 1, assign), (1, 2, after)]), (vec![0, 2], vec![]));
    }

    #[test]
    fn one_path_that_reads_is_enough() {
        // if (nondet()) x0 = 1; x1 = x0; in a loop back to the start.
        let decide = |holds| Label::Assume { condition: Expr::nondet(None), holds };
        let edges = vec![
            (0, 1, decide(true)),
            (0, 2, decide(false)),
            (1, 2, Label::Havoc(VariableId(0))),
            (2, 3, Label::Assign(VariableId(1), var(0))),
            (3, 0, decide(true)),
            (3, 4, decide(false)),
        ];
        assert_eq!(inputs_of(&[Local, Local], &[], 5, edges), (vec![0], vec![]));
    }

    #[test]
    fn a_store_leaves_the_array_live_and_a_fill_does_not() {
        let store = |array| Label::Store { array: ArrayId(array), index: Expr::Int(0.into()), value: var(0) };
        let read = |array| Label::Assume { condition: Expr::Read(ArrayId(array), Expr::Int(1.into()).into()), holds: true };
        let fill = Label::Fill(ArrayId(1), vec![]);
        let edges = vec![(0, 1, store(0)), (1, 2, fill), (2, 3, read(0)), (3, 4, read(1)), (4, 5, store(2))];
        assert_eq!(inputs_of(&[Local], &[Global, Local, Local, Parameter], 6, edges), (vec![0], vec![0, 3]));
    }
}
