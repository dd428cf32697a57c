//! Paths against brute force: programs made at random, run on every input of a small box. A path that some input takes is
//! never refuted, and the number of feasible paths is never below the number of paths taken. (The other direction needs
//! no oracle: every feasible path is counted only after its input was replayed.)

use crate::common::programs::{Action, Block, Condition, Connective, Operation, Shape};
use crate::common::{OneByOne, cases, inputs_of, lower_typed, one_by_one, run_of};
use culdesac::analysis::prune::method::{MethodKind, PruneChoices, run};
use culdesac::analysis::{Event, Silent, Sink, Trace};
use culdesac::count::totals;
use culdesac::counting::instances::prove;
use culdesac::counting::{Feasible, merged::Merged, table};
use culdesac::evidence;
use culdesac::evidence::graph::Pruned;
use culdesac::interp::{Input, Machine};
use culdesac::logic::Pool;
use culdesac::lts::structure::distances;
use culdesac::lts::{EdgeId, Lts};
use culdesac::solver::meter::Meter;
use culdesac::solver::questions::NoLog;
use culdesac::states::{Ask, States};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// With all that may be undefined or is translated in a way of its own: division by negative numbers, comparisons as numbers,
/// conditions without a comparison, and a side effect in an index.
const SHAPE: Shape = Shape {
    constants: -3..4,
    variables: &["x", "y", "z"],
    expression: (2, 5),
    operations: &[
        (1, Operation::Sum),
        (1, Operation::Multiple),
        (1, Operation::Behind(&["/ 2", "% 3", "/ (-2)", "% (-2)"])),
        (1, Operation::Less),
        (1, Operation::Element),
        (1, Operation::Quotient),
    ],
    comparisons: &["<", "<=", "==", "!=", ">"],
    conditions: &[(5, Condition::Comparison), (1, Condition::Text("nondet()")), (1, Condition::Expression)],
    connectives: &[Connective::And, Connective::Or, Connective::Not],
    statements: &[
        (4, Action::Assign),
        (1, Action::Store),
        (1, Action::Text("z++;")),
        (1, Action::Text("z = a[x++];")),
        (1, Action::Text("y = nondet();")),
        (1, Action::Assume),
        (1, Action::Assert),
    ],
    nesting: (2, 8),
    blocks: &[(1, Block::If), (1, Block::IfElse), (1, Block::While)],
    length: 1..5,
    declarations: "int z = 0;",
};

#[derive(Default)]
struct Refuted {
    prefixes: BTreeSet<Vec<EdgeId>>,
    unknown: bool,
}

impl Sink for Refuted {
    fn event(&mut self, event: Event<'_>) -> bool {
        match event {
            Event::Refuted { path, .. } => {
                self.prefixes.insert(path.to_vec());
            }
            Event::Open { .. } => self.unknown = true,
            _ => {}
        }
        true
    }
}

const LENGTH: u32 = 14;

/// Complete paths of length at most [`LENGTH`] that some input of the box takes.
fn taken(lts: &Lts) -> (BTreeSet<Vec<EdgeId>>, BTreeMap<Vec<EdgeId>, Input>) {
    let machine = Machine::new(lts);
    let mut complete = BTreeSet::new();
    let mut all = BTreeMap::new();
    for input in inputs_of(lts, -3..=3, 6) {
        let (edges, returned) = run_of(&machine, &input, u64::from(LENGTH));
        if returned {
            complete.insert(edges.clone());
        }
        all.insert(edges, input);
    }
    (complete, all)
}

/// The graph in another pool: formulas are of the pool they were made in.
fn write_and_read(pool: &Pool, graph: &Pruned, lts: &Lts, states: &mut States) -> Result<Pruned, String> {
    evidence::read_graph(&mut states.pool, &evidence::write_graph(pool, graph), lts.exit)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(100)))]

    #[test]
    fn no_path_taken_is_refuted(source in SHAPE.program(), seed in any::<Option<u64>>()) {
        let lts = lower_typed(&source, seed, true);
        let mut refuted = Refuted::default();
        let mut meter = Meter::new(300_000);
        let rows = {
            let trace = Trace::new(&mut refuted);
            table(&lts, &[LENGTH], true, &mut meter, &trace).rows
        };
        let (complete, all) = taken(&lts);
        for (path, input) in &all {
            let dead = (0..=path.len()).find(|&length| refuted.prefixes.contains(&path[..length]));
            prop_assert!(dead.is_none(), "refuted but taken by {input:?}: {path:?}\n{source}");
        }
        match rows.first().and_then(|row| row.feasible.as_ref()) {
            Some(Feasible::Exactly(count)) => prop_assert!(*count >= complete.len().into(), "{count} < {}\n{source}", complete.len()),
            Some(Feasible::AtLeast(_, _)) => {}
            None => prop_assert!(meter.is_exhausted()),
        }
    }

    #[test]
    fn merged_states_count_what_enumeration_counts(source in SHAPE.program(), seed in any::<Option<u64>>()) {
        let lts = lower_typed(&source, seed, true);
        let table = table(&lts, &[LENGTH], true, &mut Meter::new(300_000), &Trace::new(&mut Silent));
        let merged = table.enumerated.is_none();
        if let (true, Some(Feasible::Exactly(count))) = (merged, table.rows.first().and_then(|row| row.feasible.as_ref())) {
            let OneByOne { found, open } = one_by_one(&lts, LENGTH, 3_000_000);
            if !open {
                prop_assert_eq!(count, &found.len().into(), "{}", source);
            }
        }
    }

    /// What is shown of a graph by induction holds: of the merged one, which is exact where it is merged at all; of pruned
    /// ones, which mostly have infeasible paths left; and of the program itself, where nothing is known anywhere.
    #[test]
    fn graphs_shown_to_be_exact_are(source in SHAPE.program(), seed in any::<Option<u64>>()) {
        let lts = lower_typed(&source, seed, true);
        let OneByOne { found, open } = one_by_one(&lts, LENGTH, 3_000_000);
        if open {
            return Ok(());
        }
        let distance = distances(&lts, lts.exit);
        let mut meter = Meter::new(300_000);
        let mut states = States::new(&lts);
        let mut graphs = vec![Pruned::original(&lts)];
        if let Ok(merged) = Merged::new(&mut states, &distance, LENGTH, &mut Ask { meter: &mut meter, log: &NoLog }) {
            graphs.push(merged.pruned(&states));
        }
        for lookahead in [0, 2] {
            let settings = PruneChoices { abstraction: MethodKind::Learn, restarts: false, lookahead, max_red_length: None };
            let outcome = run(&lts, States::new(&lts), &settings, &mut Meter::new(100_000), &Trace::new(&mut Silent));
            let Ok(merged) = write_and_read(&outcome.states.pool, &outcome.pruned, &lts, &mut states) else { continue };
            graphs.push(merged);
        }
        for graph in graphs.iter().filter(|graph| !graph.nodes.is_empty()) {
            let shown = prove(&mut states, graph, LENGTH, &mut Ask { meter: &mut meter, log: &NoLog });
            if matches!(shown, Ok(Ok(_))) {
                let count = totals(&graph.graph(), &[LENGTH]).remove(0);
                prop_assert!(count <= found.len().into(), "{} feasible, {} claimed\n{}", found.len(), count, source);
            }
        }
    }
}

/// The element of a read of an eliminated array is replaced before another read of that array is seen: they are still equal where
/// their indices are.
#[test]
fn elements_that_are_known_stay_congruent() {
    let source = "int f(int x, int y) { int z = 0; int a[3]; while (!((x + (-1)))) { x = 0; }
if (((z - x) <= (3 * (z + y)) && (-1 * a[z]))) { z++; }
if ((((-1) + a[x]) && 0 < 0)) { x = 0; } else { if (((y + 3) < 0) < 0) { x = 0; } } return z; }";
    let lts = lower_typed(source, Some(9_646_556_300_510_726_654), true);
    let table = table(&lts, &[LENGTH], true, &mut Meter::new(300_000), &Trace::new(&mut Silent));
    assert!(matches!(table.rows[0].feasible, Some(Feasible::Exactly(_))));
}
