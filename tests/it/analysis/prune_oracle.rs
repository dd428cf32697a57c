//! The two promises of `prune` (AGVW16, Section III), on the examples and on programs made at random: every path of the new
//! graph is one of the old graph; every path that some input takes, or that solving path by path finds feasible, is one of the
//! new graph. For every abstraction, with and without restarts, for lookaheads from 0 to 3.

use crate::common::programs::{Action, Block, Condition, Operation, Shape};
use crate::common::{cases, inputs_of, lower, lower_typed, one_by_one, run_of};
use culdesac::analysis::prune::method::{MethodKind, PruneChoices, PrunePlan, run};
use culdesac::analysis::{Silent, Trace};
use culdesac::evidence::graph::Pruned;
use culdesac::interp::Machine;
use culdesac::lts::{EdgeId, Lts};
use culdesac::solver::meter::Meter;
use culdesac::states::States;
use proptest::prelude::*;
use std::collections::BTreeSet;

const LENGTH: u32 = 12;

/// All complete paths of a pruned graph up to a length; the edges are those of the original.
fn paths(pruned: &Pruned, length: u32) -> BTreeSet<Vec<EdgeId>> {
    let mut found = BTreeSet::new();
    if pruned.nodes.is_empty() {
        return found;
    }
    let mut open = vec![(0u32, Vec::new())];
    while let Some((at, path)) = open.pop() {
        if pruned.finals.iter().any(|last| last.index() as u32 == at) {
            found.insert(path.clone());
        }
        if path.len() < length as usize {
            for &(from, edge, to) in pruned.edges.iter().filter(|(from, ..)| *from == at) {
                debug_assert!(from == at);
                open.push((to, [&path[..], &[edge]].concat()));
            }
        }
    }
    found
}

/// Whether the edges lead from the entry to the exit, naively.
fn is_complete(lts: &Lts, path: &[EdgeId]) -> bool {
    let mut at = lts.entry;
    for &edge in path {
        let (_, from, to) = lts.edge(edge);
        if from != at {
            return false;
        }
        at = to;
    }
    at == lts.exit
}

/// The complete paths up to the length that some input takes.
fn feasible(lts: &Lts) -> BTreeSet<Vec<EdgeId>> {
    let machine = Machine::new(lts);
    let mut found: BTreeSet<Vec<EdgeId>> = one_by_one(lts, LENGTH, 300_000).found.into_iter().collect();
    let runs = inputs_of(lts, -2..=3, 8).into_iter().map(|input| run_of(&machine, &input, u64::from(LENGTH)));
    found.extend(runs.filter(|(_, complete)| *complete).map(|(edges, _)| edges));
    found
}

fn all_settings() -> impl Iterator<Item = PruneChoices> {
    let methods = [MethodKind::Drop, MethodKind::Havoc, MethodKind::Learn];
    methods.into_iter().flat_map(|abstraction| {
        (0..=3).flat_map(move |lookahead| {
            [false, true].map(|restarts| PruneChoices { abstraction, restarts, lookahead, max_red_length: Some(20 + lookahead) })
        })
    })
}

/// Everything that may come to the settings: attempts with a depth of their own, and the graph that goes on after it; a longer
/// lookahead; invariants from outside; an exact graph in front.
fn all_plans() -> impl Iterator<Item = PrunePlan> {
    let shallow = all_settings().map(|settings| PrunePlan::from(&settings));
    let further = [MethodKind::Drop, MethodKind::Havoc, MethodKind::Learn].into_iter().flat_map(|abstraction| {
        let settings = PruneChoices { abstraction, restarts: true, lookahead: 1, max_red_length: None };
        [None, Some(EXACT)].map(|exact_up_to| PrunePlan { settings, farther: Some(3), invariants: true, exact_up_to })
    });
    shallow.chain(further)
}

const EXACT: u32 = 8;

/// What is wrong with the graph of this plan, if anything.
fn wrong(lts: &Lts, feasible: &BTreeSet<Vec<EdgeId>>, settings: &PrunePlan, limit: u64) -> Option<String> {
    let outcome = run(lts, States::new(lts), *settings, &mut Meter::new(limit), &Trace::new(&mut Silent));
    let paths = paths(&outcome.pruned, LENGTH);
    if let Some(Ok(length)) = outcome.exact {
        let short = |paths: &BTreeSet<Vec<EdgeId>>| paths.iter().filter(|path| path.len() <= length as usize).count();
        if short(&paths) > short(feasible) {
            return Some(format!("{settings:?}: a path of at most {length} edges is infeasible"));
        }
    }
    if let Some(path) = paths.iter().find(|path| !is_complete(lts, path)) {
        return Some(format!("{settings:?}: {path:?} is no path of the program"));
    }
    let lost = feasible.difference(&paths).next()?;
    Some(format!("{settings:?}: the feasible path {lost:?} is lost"))
}

#[test]
fn examples_keep_their_feasible_paths() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for name in ["merge", "bubble", "substring", "f2"] {
        let lts = lower(&std::fs::read_to_string(folder.join(format!("{name}.c"))).expect("an example"));
        let feasible = feasible(&lts);
        assert!(!feasible.is_empty());
        for settings in all_plans() {
            assert_eq!(wrong(&lts, &feasible, &settings, 3_000_000), None, "{name}");
        }
    }
}

/// Mostly loops that count, as what is pruned are ways through loops; every program is pruned under many settings, so that it is small.
const SHAPE: Shape = Shape {
    constants: -2..4,
    variables: &["x", "y", "z", "w"],
    expression: (1, 3),
    operations: &[(6, Operation::Sum), (1, Operation::Product), (1, Operation::Behind(&["/ 2", "% 3"])), (2, Operation::Element)],
    comparisons: &["<", "<=", "==", "!="],
    conditions: &[(6, Condition::Comparison), (1, Condition::Text("nondet()"))],
    connectives: &[],
    statements: &[(3, Action::Assign), (3, Action::Count), (1, Action::Store), (1, Action::Assume), (1, Action::Text("w = nondet();"))],
    nesting: (3, 10),
    blocks: &[(1, Block::If), (1, Block::IfElse), (3, Block::While)],
    length: 1..4,
    declarations: "int z = 0; int w;",
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(20)))]

    #[test]
    fn no_feasible_path_is_lost_and_none_is_made_up(source in SHAPE.program(), seed in any::<Option<u64>>()) {
        let lts = lower_typed(&source, seed, true);
        let feasible = feasible(&lts);
        for settings in all_plans() {
            let wrong = wrong(&lts, &feasible, &settings, 100_000);
            prop_assert!(wrong.is_none(), "{}\n{source}", wrong.unwrap_or_default());
        }
    }
}
