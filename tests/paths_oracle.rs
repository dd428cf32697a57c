//! Paths against brute force: programs made at random, run on every input of a small box. A path that some input takes is
//! never refuted, and the number of feasible paths is never below the number of paths taken. (The other direction needs
//! no oracle: every feasible path is counted only after its input was replayed.)

use culdesac::analysis::common::instances::prove;
use culdesac::analysis::common::places::Pruned;
use culdesac::analysis::paths::{merged::Merged, table};
use culdesac::analysis::prune::{MethodKind, Settings, run};
use culdesac::analysis::{Event, Feasible, Silent, Sink, Trace};
use culdesac::count::totals;
use culdesac::interp::{ArrayInput, Input, Machine, Outcome};
use culdesac::logic::{Int, Pool};
use culdesac::lts::structure::distances;
use culdesac::lts::{EdgeId, Lts};
use culdesac::search::{Step, Visitor, Walk, complete_paths};
use culdesac::solver::meter::Meter;
use culdesac::solver::{Answer, Context};
use culdesac::states::{Ask, States};
use culdesac::view::evidence;
use culdesac::{lang, lts};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (-3i64..4).prop_map(|n| if n < 0 { format!("({n})") } else { n.to_string() }),
        prop_oneof![Just("x"), Just("y"), Just("z")].prop_map(str::to_owned),
    ];
    leaf.prop_recursive(2, 5, 2, |inner| {
        prop_oneof![
            (inner.clone(), prop_oneof![Just("+"), Just("-")], inner.clone()).prop_map(|(l, op, r)| format!("({l} {op} {r})")),
            (-2i64..4, inner.clone()).prop_map(|(k, t)| format!("({k} * {t})")),
            (inner.clone(), prop_oneof![Just("/ 2"), Just("% 3"), Just("/ (-2)"), Just("% (-2)")])
                .prop_map(|(t, op)| format!("({t} {op})")),
            (inner.clone(), inner.clone()).prop_map(|(l, r)| format!("({l} < {r})")),
            inner.clone().prop_map(|i| format!("a[{i}]")),
            inner.prop_map(|d| format!("(3 / {d})")),
        ]
    })
}

fn condition() -> impl Strategy<Value = String> {
    let comparison = prop_oneof![Just("<"), Just("<="), Just("=="), Just("!="), Just(">")];
    let leaf = prop_oneof![
        5 => (expression(), comparison, expression()).prop_map(|(l, op, r)| format!("{l} {op} {r}")),
        1 => Just("nondet()".to_owned()),
        1 => expression(),
    ];
    leaf.prop_recursive(1, 3, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(l, r)| format!("({l} && {r})")),
            (inner.clone(), inner.clone()).prop_map(|(l, r)| format!("({l} || {r})")),
            inner.prop_map(|c| format!("!({c})")),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => (prop_oneof![Just("x"), Just("y"), Just("z")], expression()).prop_map(|(v, e)| format!("{v} = {e};")),
        1 => (expression(), expression()).prop_map(|(i, e)| format!("a[{i}] = {e};")),
        1 => Just("z++;".to_owned()),
        1 => Just("z = a[x++];".to_owned()),
        1 => Just("y = nondet();".to_owned()),
        1 => condition().prop_map(|c| format!("assume({c});")),
        1 => condition().prop_map(|c| format!("assert({c});")),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let block = prop::collection::vec(inner, 1..3).prop_map(|statements| format!("{{ {} }}", statements.join(" ")));
        prop_oneof![
            (condition(), block.clone()).prop_map(|(c, b)| format!("if ({c}) {b}")),
            (condition(), block.clone(), block.clone()).prop_map(|(c, t, e)| format!("if ({c}) {t} else {e}")),
            (condition(), block).prop_map(|(c, b)| format!("while ({c}) {b}")),
        ]
    })
}

fn program() -> impl Strategy<Value = String> {
    (prop::collection::vec(statement(), 1..5), prop::bool::ANY).prop_map(|(statements, known)| {
        let (parameter, local) = if known { ("", "int a[3];") } else { ("int a[], ", "") };
        format!("int f({parameter}int x, int y) {{ int z = 0; {local} {} return z; }}", statements.join("\n"))
    })
}

fn lower(source: &str) -> Lts {
    let parsed = lang::parse(source);
    let program = parsed.program.unwrap_or_else(|| panic!("{source}\n{:?}", parsed.diagnostics));
    lts::lower::lower(&program, None).unwrap_or_else(|errors| panic!("{source}\n{errors:?}")).lts
}

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

/// Counts complete paths one by one, each with a replayed input.
struct OneByOne<'a> {
    machine: &'a Machine<'a>,
    count: u32,
    open: bool,
}

impl Visitor for OneByOne<'_> {
    fn stepped(&mut self, _: &mut Walk, _: EdgeId, _: &Step) -> bool {
        true
    }
    fn complete(&mut self, walk: &mut Walk) {
        match walk.witness(self.machine) {
            Ok(Ok(_)) => self.count += 1,
            _ => self.open = true,
        }
    }
    fn asked(&mut self, _: &Context, _: &Answer) {}
}

/// Complete paths of length at most [`LENGTH`] that some input of the box takes.
fn taken(lts: &Lts) -> (BTreeSet<Vec<EdgeId>>, BTreeMap<Vec<EdgeId>, Input>) {
    let machine = Machine::new(lts);
    let mut complete = BTreeSet::new();
    let mut all = BTreeMap::new();
    for x in -3..=3i64 {
        for y in -3..=3i64 {
            for bits in 0..8i64 {
                let values = [("x", x), ("y", y)].map(|(name, value)| (name.to_owned(), Int::from(value)));
                let elements = (0..3i64).map(|k| (Int::from(k), Int::from((bits >> k & 1) * (k + 1) - 1))).collect();
                let nondet = (0..6i64).map(|k| Int::from((x + bits + k) % 3 - 1)).collect();
                let input =
                    Input { values: values.into(), arrays: [("a".to_owned(), ArrayInput { elements, default: Int::ZERO })].into(), nondet };
                let run = machine.run(&input, u64::from(LENGTH));
                if run.outcome == Outcome::Returned {
                    complete.insert(run.edges.clone());
                }
                all.insert(run.edges, input);
            }
        }
    }
    (complete, all)
}

/// The graph in another pool: formulas are of the pool they were made in.
fn write_and_read(pool: &Pool, graph: &Pruned, lts: &Lts, states: &mut States) -> Result<Pruned, String> {
    evidence::read_graph(&mut states.pool, &evidence::write_graph(pool, graph), lts.exit)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300),
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_path_taken_is_refuted(source in program()) {
        let lts = lower(&source);
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
    fn merged_states_count_what_enumeration_counts(source in program()) {
        let lts = lower(&source);
        let table = table(&lts, &[LENGTH], true, &mut Meter::new(300_000), &Trace::new(&mut Silent));
        let merged = table.enumerated.is_none();
        if let (true, Some(Feasible::Exactly(count))) = (merged, table.rows.first().and_then(|row| row.feasible.as_ref())) {
            let machine = Machine::new(&lts);
            let mut one_by_one = OneByOne { machine: &machine, count: 0, open: false };
            let distance = distances(&lts, lts.exit);
            let ended = complete_paths(&lts, &distance, LENGTH, &mut Meter::new(3_000_000), &mut one_by_one);
            if ended.is_ok() && !one_by_one.open {
                prop_assert_eq!(count, &one_by_one.count.into(), "{}", source);
            }
        }
    }

    /// What is shown of a graph by induction holds: of the merged one, which is exact where it is merged at all; of pruned
    /// ones, which mostly have infeasible paths left; and of the program itself, where nothing is known anywhere.
    #[test]
    fn graphs_shown_to_be_exact_are(source in program()) {
        let lts = lower(&source);
        let machine = Machine::new(&lts);
        let distance = distances(&lts, lts.exit);
        let mut one_by_one = OneByOne { machine: &machine, count: 0, open: false };
        let ended = complete_paths(&lts, &distance, LENGTH, &mut Meter::new(3_000_000), &mut one_by_one);
        if ended.is_err() || one_by_one.open {
            return Ok(());
        }
        let (mut meter, mut asked) = (Meter::new(300_000), |_: &Context, _: &Answer| {});
        let mut states = States::new(&lts);
        let mut graphs = vec![Pruned::original(&lts)];
        if let Ok(merged) = Merged::new(&mut states, &distance, LENGTH, &mut Ask { meter: &mut meter, asked: &mut asked }) {
            graphs.push(merged.places(&states));
        }
        for lookahead in [0, 2] {
            let settings = Settings { abstraction: MethodKind::Learn, restarts: false, lookahead, max_red_length: None };
            let outcome = run(&lts, States::new(&lts), &settings, &mut Meter::new(100_000), &Trace::new(&mut Silent));
            let Ok(merged) = write_and_read(&outcome.states.pool, &outcome.pruned, &lts, &mut states) else { continue };
            graphs.push(merged);
        }
        for graph in graphs.iter().filter(|graph| !graph.places.is_empty()) {
            let shown = prove(&mut states, graph, LENGTH, &mut Ask { meter: &mut meter, asked: &mut asked });
            if matches!(shown, Ok(Ok(_))) {
                let count = totals(&graph.graph(), &[LENGTH]).remove(0);
                prop_assert!(count <= one_by_one.count.into(), "{} feasible, {} claimed\n{}", one_by_one.count, count, source);
            }
        }
    }
}
