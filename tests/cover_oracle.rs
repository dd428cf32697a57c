//! Covering against brute force, on programs made at random. Theorem 5.2: of a program without loops exactly the statements on feasible
//! complete paths are covered, and AlgPC finds each feasible path once. Lemma 1, and that nothing is refuted that some input of a
//! small box does, with loops too. And the evidence: all of it is accepted, and none of it once it claims too much.

use culdesac::analysis::cover::{Algorithm, Cover, Settings, Verdict, run};
use culdesac::analysis::{Silent, Trace};
use culdesac::interp::{ArrayInput, Input, Machine, Outcome};
use culdesac::logic::Int;
use culdesac::lts::structure::{Structure, distances};
use culdesac::lts::{EdgeId, Lts};
use culdesac::search::{Step, Visitor, Walk, complete_paths};
use culdesac::solver::meter::Meter;
use culdesac::solver::{Answer, Context};
use culdesac::view::evidence::{Claim, Evidence};
use culdesac::view::{CoverSettings, Listener, Reply, Request, SCHEMA, check, cover};
use culdesac::{lang, lts};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (-3i64..4).prop_map(|n| if n < 0 { format!("({n})") } else { n.to_string() }),
        prop_oneof![Just("x"), Just("y"), Just("z")].prop_map(str::to_owned),
    ];
    leaf.prop_recursive(2, 5, 2, |inner| {
        prop_oneof![
            (inner.clone(), prop_oneof![Just("+"), Just("-")], inner.clone()).prop_map(|(l, op, r)| format!("({l} {op} {r})")),
            (-2i64..4, inner.clone()).prop_map(|(k, t)| format!("({k} * {t})")),
            (inner.clone(), prop_oneof![Just("/ 2"), Just("% 3")]).prop_map(|(t, op)| format!("({t} {op})")),
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
    ];
    leaf.prop_recursive(1, 3, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(l, r)| format!("({l} && {r})")),
            (inner.clone(), inner).prop_map(|(l, r)| format!("({l} || {r})")),
        ]
    })
}

fn statement(loops: bool) -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => (prop_oneof![Just("x"), Just("y"), Just("z")], expression()).prop_map(|(v, e)| format!("{v} = {e};")),
        2 => (expression(), expression()).prop_map(|(i, e)| format!("a[{i}] = {e};")),
        1 => Just("z++;".to_owned()),
        1 => Just("y = nondet() + nondet();".to_owned()),
        1 => condition().prop_map(|c| format!("assume({c});")),
        1 => condition().prop_map(|c| format!("assert({c});")),
        1 => Just("return y;".to_owned()),
    ];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let block = prop::collection::vec(inner, 1..3).prop_map(|statements| format!("{{ {} }}", statements.join(" ")));
        let word = if loops { "while" } else { "if" };
        prop_oneof![
            (condition(), block.clone()).prop_map(|(c, b)| format!("if ({c}) {b}")),
            (condition(), block.clone(), block.clone()).prop_map(|(c, t, e)| format!("if ({c}) {t} else {e}")),
            (condition(), block).prop_map(move |(c, b)| format!("{word} ({c}) {b}")),
        ]
    })
}

fn program(loops: bool) -> impl Strategy<Value = String> {
    (prop::collection::vec(statement(loops), 1..6), prop::bool::ANY).prop_map(|(statements, known)| {
        let (parameter, local) = if known { ("", "int a[3];") } else { ("int a[], ", "") };
        format!("int f({parameter}int x, int y) {{ int z = 0; {local} {} return z; }}", statements.join("\n"))
    })
}

fn lower(source: &str) -> Lts {
    let parsed = lang::parse(source);
    let program = parsed.program.unwrap_or_else(|| panic!("{source}\n{:?}", parsed.diagnostics));
    lts::lower::lower(&program, None).unwrap_or_else(|errors| panic!("{source}\n{errors:?}")).lts
}

fn covered(lts: &Lts, unwind: u32, algorithm: Algorithm) -> Cover {
    let settings = Settings { unwind, algorithm, small: unwind == 0, verdicts: true };
    run(lts, &settings, &mut Meter::new(3_000_000), &Trace::new(&mut Silent)).expect("reducible")
}

/// The feasible complete paths, found one by one along the graph; `None` where something is open.
fn feasible(lts: &Lts) -> Option<BTreeSet<Vec<EdgeId>>> {
    struct All<'a> {
        machine: &'a Machine<'a>,
        found: BTreeSet<Vec<EdgeId>>,
        open: bool,
    }
    impl Visitor for All<'_> {
        fn stepped(&mut self, _: &mut Walk, _: EdgeId, _: &Step) -> bool {
            true
        }
        fn complete(&mut self, walk: &mut Walk) {
            match walk.witness(self.machine) {
                Ok(Ok(_)) => self.open |= !self.found.insert(walk.path()),
                _ => self.open = true,
            }
        }
        fn asked(&mut self, _: &Context, _: &Answer) {}
    }
    let machine = Machine::new(lts);
    let mut all = All { machine: &machine, found: BTreeSet::new(), open: false };
    let ended = complete_paths(lts, &distances(lts, lts.exit), 10_000, &mut Meter::new(3_000_000), &mut all);
    (ended.is_ok() && !all.open).then_some(all.found)
}

/// What some inputs of a box do: edges, whether to the end.
fn runs(lts: &Lts) -> Vec<(Vec<EdgeId>, bool)> {
    let machine = Machine::new(lts);
    let mut all = Vec::new();
    for x in -3..=3i64 {
        for y in -3..=3i64 {
            for bits in 0..8i64 {
                let values = [("x", x), ("y", y)].map(|(name, value)| (name.to_owned(), Int::from(value)));
                let elements = (0..3i64).map(|k| (Int::from(k), Int::from((bits >> k & 1) * (k + 1) - 1))).collect();
                let nondet = (0..6i64).map(|k| Int::from((x + bits + k) % 3 - 1)).collect();
                let input =
                    Input { values: values.into(), arrays: [("a".to_owned(), ArrayInput { elements, default: Int::ZERO })].into(), nondet };
                let run = machine.run(&input, 60);
                all.push((run.edges, run.outcome == Outcome::Returned));
            }
        }
    }
    all
}

fn edges_of(cover: &Cover) -> BTreeSet<usize> {
    (0..cover.verdicts.len()).filter(|&edge| matches!(cover.verdicts[edge], Verdict::Covered(_))).collect()
}

/// Everything that a run says about a program, against what inputs do.
fn agrees(lts: &Lts, cover: &Cover, unwind: u32, source: &str) -> Result<(), TestCaseError> {
    let machine = Machine::new(lts);
    for (number, test) in cover.tests.iter().enumerate() {
        let run = machine.run(&test.input, test.path.len() as u64);
        prop_assert_eq!(&run.edges, &test.path, "{}", source);
        prop_assert_eq!(run.location == lts.exit, number < cover.complete, "{}", source);
    }
    let back = Structure::new(lts).back_edges;
    for (edges, complete) in runs(lts) {
        let within = back.iter().all(|edge| edges.iter().filter(|other| *other == edge).count() <= unwind as usize);
        for edge in edges {
            let verdict = &cover.verdicts[edge.index()];
            let contradicts = match verdict {
                Verdict::Covered(_) | Verdict::Open(_) => false,
                Verdict::Infeasible => true,
                Verdict::NeverCompletes(_) => complete,
                Verdict::NotWithin(_) => complete && within,
            };
            prop_assert!(!contradicts, "edge {}: {verdict:?}\n{source}", edge.index());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(50),
        ..ProptestConfig::default()
    })]

    /// Theorems 5.1 and 5.2.
    #[test]
    fn without_loops_exactly_what_is_feasible_is_covered(source in program(false)) {
        let lts = lower(&source);
        let paths = covered(&lts, 0, Algorithm::Pc);
        agrees(&lts, &paths, 0, &source)?;
        prop_assert!(!paths.bounded);
        if let (Some(feasible), None) = (feasible(&lts), paths.cut) {
            let found: Vec<Vec<EdgeId>> = paths.tests[..paths.complete].iter().map(|test| test.path.clone()).collect();
            prop_assert_eq!(found.len(), feasible.len(), "{}", &source);
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), feasible.clone(), "{}", &source);
            let expected: BTreeSet<usize> = feasible.iter().flatten().map(|edge| edge.index()).collect();
            prop_assert_eq!(edges_of(&paths), expected, "{}", &source);
            for verdict in &paths.verdicts {
                prop_assert!(!matches!(verdict, Verdict::NotWithin(_)), "without loops nothing depends on the bound\n{source}");
            }
        }
        for algorithm in [Algorithm::Sc, Algorithm::Prefer, Algorithm::Fm, Algorithm::Vstte] {
            let other = covered(&lts, 0, algorithm);
            agrees(&lts, &other, 0, &source)?;
            if paths.cut.is_none() && other.cut.is_none() {
                prop_assert_eq!(edges_of(&other), edges_of(&paths), "{:?}\n{}", algorithm, &source);
            }
        }
    }

    /// Lemma 1, and soundness of every verdict with loops.
    #[test]
    fn with_loops_no_verdict_contradicts_a_run(source in program(true), unwind in 0u32..4) {
        let lts = lower(&source);
        for algorithm in [Algorithm::Sc, Algorithm::Prefer] {
            agrees(&lts, &covered(&lts, unwind, algorithm), unwind, &source)?;
        }
    }

    /// The checker derives every claim anew and accepts it; one that names a covered statement too it does not.
    #[test]
    fn evidence_is_accepted_and_overstated_evidence_is_not(source in program(true), unwind in 0u32..3) {
        let mut claims = Vec::new();
        let mut events = |_| true;
        let mut listener = Listener::new(&mut events);
        listener.claims = Some(&mut claims);
        let request = Request { program: "p".to_owned(), source: source.clone(), function: None, limit: Some(2_000_000), seed: 0 };
        let settings = CoverSettings { unwind, algorithm: "sc".to_owned(), precondition: None };
        let Reply::Document { document } = cover(&request, &settings, &mut listener) else { panic!("refused: {source}") };
        let function = document.header.function.clone();
        let mut evidence =
            Evidence { schema: SCHEMA, program: "p".to_owned(), source: source.clone(), function, ints: "unbounded".to_owned(), precondition: None, claims };
        let rejected = |evidence: &Evidence| match check(evidence) {
            Reply::Document { document } => document.rejected,
            Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
        };
        prop_assert!(rejected(&evidence).is_empty(), "{:?}\n{source}", rejected(&evidence));
        let reached = evidence.claims.iter().filter(|claim| matches!(claim, Claim::Reached { .. })).count();
        prop_assert!(reached >= document.tests.len());
        let Some(known) = document.tests.first().and_then(|test| test.edges.first()) else { return Ok(()) };
        let mut overstated = 0;
        for claim in &mut evidence.claims {
            if let Claim::NotCovered { edges, .. } = claim {
                edges.push(*known);
                overstated += 1;
            }
        }
        prop_assert_eq!(rejected(&evidence).len(), overstated, "{}", source);
    }
}
