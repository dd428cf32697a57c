//! The two promises of `prune` (AGVW16, Section III), on the examples and on programs made at random: every path of the new
//! graph is one of the old graph; every path that some input takes, or that solving path by path finds feasible, is one of the
//! new graph. For every abstraction, with and without restarts, for lookaheads from 0 to 3.

use culdesac::analysis::prune::unfolded::Pruned;
use culdesac::analysis::prune::{MethodKind, Settings, run};
use culdesac::analysis::{Silent, Trace};
use culdesac::interp::{ArrayInput, Input, Machine, Outcome};
use culdesac::logic::Int;
use culdesac::lts::structure::distances;
use culdesac::lts::{EdgeId, Lts};
use culdesac::search::{Step, Visitor, Walk, complete_paths};
use culdesac::solver::meter::Meter;
use culdesac::solver::{Answer, Context};
use culdesac::states::States;
use culdesac::{lang, lts};
use proptest::prelude::*;
use std::collections::BTreeSet;

const LENGTH: u32 = 12;

fn lower(source: &str) -> Lts {
    let parsed = lang::parse(source);
    let program = parsed.program.unwrap_or_else(|| panic!("{source}\n{:?}", parsed.diagnostics));
    lts::lower::lower(&program, None).unwrap_or_else(|errors| panic!("{source}\n{errors:?}")).lts
}

/// All complete paths of a pruned graph up to a length; the edges are those of the original.
fn paths(pruned: &Pruned, length: u32) -> BTreeSet<Vec<EdgeId>> {
    let mut found = BTreeSet::new();
    if pruned.places.is_empty() {
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

/// Collects the complete paths that are feasible by solving each by itself.
struct Feasible<'a> {
    machine: &'a Machine<'a>,
    paths: BTreeSet<Vec<EdgeId>>,
}

impl Visitor for Feasible<'_> {
    fn stepped(&mut self, _: &mut Walk, _: EdgeId, _: &Step) -> bool {
        true
    }
    fn complete(&mut self, walk: &mut Walk) {
        if let Ok(Ok(_)) = walk.witness(self.machine) {
            self.paths.insert(walk.path());
        }
    }
    fn asked(&mut self, _: &Context, _: &Answer) {}
}

/// The complete paths up to the length that some input takes.
fn feasible(lts: &Lts) -> BTreeSet<Vec<EdgeId>> {
    let machine = Machine::new(lts);
    let mut by_solving = Feasible { machine: &machine, paths: BTreeSet::new() };
    let _ = complete_paths(lts, &distances(lts, lts.exit), LENGTH, &mut Meter::new(300_000), &mut by_solving);
    let mut found = by_solving.paths;
    for x in -2..=3i64 {
        for y in -2..=3i64 {
            for bits in 0..8i64 {
                let elements = (0..3i64).map(|k| (Int::from(k), Int::from((bits >> k & 1) * (k + 1) - 1))).collect();
                let input = Input {
                    values: [("x", x), ("y", y)].map(|(name, value)| (name.to_owned(), Int::from(value))).into(),
                    arrays: [("a".to_owned(), ArrayInput { elements, default: Int::ZERO })].into(),
                    nondet: (0..8i64).map(|k| Int::from((x + bits + k) % 3 - 1)).collect(),
                };
                let finished = machine.run(&input, u64::from(LENGTH));
                if finished.outcome == Outcome::Returned {
                    found.insert(finished.edges);
                }
            }
        }
    }
    found
}

fn all_settings() -> impl Iterator<Item = Settings> {
    let methods = [MethodKind::Drop, MethodKind::Havoc, MethodKind::Learn];
    methods.into_iter().flat_map(|abstraction| {
        (0..=3).flat_map(move |lookahead| {
            [false, true].map(|restarts| Settings { abstraction, restarts, lookahead, max_red_length: Some(20 + lookahead) })
        })
    })
}

/// What is wrong with the graph of these settings, if anything.
fn wrong(lts: &Lts, feasible: &BTreeSet<Vec<EdgeId>>, settings: &Settings, limit: u64) -> Option<String> {
    let outcome = run(lts, States::new(lts), settings, &mut Meter::new(limit), &Trace::new(&mut Silent));
    let paths = paths(&outcome.pruned, LENGTH);
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
        for settings in all_settings() {
            assert_eq!(wrong(&lts, &feasible, &settings, 3_000_000), None, "{name}");
        }
    }
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (-2i64..4).prop_map(|n| if n < 0 { format!("({n})") } else { n.to_string() }),
        prop_oneof![Just("x"), Just("y"), Just("z"), Just("w")].prop_map(str::to_owned),
    ];
    leaf.prop_recursive(1, 3, 2, |inner| {
        prop_oneof![
            6 => (inner.clone(), prop_oneof![Just("+"), Just("-")], inner.clone()).prop_map(|(l, op, r)| format!("({l} {op} {r})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(l, r)| format!("({l} * {r})")),
            1 => (inner.clone(), prop_oneof![Just("/ 2"), Just("% 3")]).prop_map(|(t, op)| format!("({t} {op})")),
            2 => inner.prop_map(|i| format!("a[{i}]")),
        ]
    })
}

fn condition() -> impl Strategy<Value = String> {
    let comparison = prop_oneof![Just("<"), Just("<="), Just("=="), Just("!=")];
    prop_oneof![
        6 => (expression(), comparison, expression()).prop_map(|(l, op, r)| format!("{l} {op} {r}")),
        1 => Just("nondet()".to_owned()),
    ]
}

fn statement() -> impl Strategy<Value = String> {
    let variable = || prop_oneof![Just("x"), Just("y"), Just("z"), Just("w")];
    let leaf = prop_oneof![
        3 => (variable(), expression()).prop_map(|(v, e)| format!("{v} = {e};")),
        3 => (variable(), prop_oneof![Just("++"), Just("--")]).prop_map(|(v, op)| format!("{v}{op};")),
        1 => (expression(), expression()).prop_map(|(i, e)| format!("a[{i}] = {e};")),
        1 => condition().prop_map(|c| format!("assume({c});")),
        1 => Just("w = nondet();".to_owned()),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        let block = prop::collection::vec(inner, 1..3).prop_map(|statements| format!("{{ {} }}", statements.join(" ")));
        prop_oneof![
            1 => (condition(), block.clone()).prop_map(|(c, b)| format!("if ({c}) {b}")),
            1 => (condition(), block.clone(), block.clone()).prop_map(|(c, t, e)| format!("if ({c}) {t} else {e}")),
            3 => (condition(), block).prop_map(|(c, b)| format!("while ({c}) {b}")),
        ]
    })
}

fn program() -> impl Strategy<Value = String> {
    (prop::collection::vec(statement(), 1..4), prop::bool::ANY).prop_map(|(statements, known)| {
        let (parameter, local) = if known { ("", "int a[3];") } else { ("int a[], ", "") };
        format!("int f({parameter}int x, int y) {{ int z = 0; int w; {local} {} return z; }}", statements.join("\n"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60),
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_feasible_path_is_lost_and_none_is_made_up(source in program()) {
        let lts = lower(&source);
        let feasible = feasible(&lts);
        for settings in all_settings() {
            let wrong = wrong(&lts, &feasible, &settings, 100_000);
            prop_assert!(wrong.is_none(), "{}\n{source}", wrong.unwrap_or_default());
        }
    }
}
