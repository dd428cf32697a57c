//! Covering against brute force, on programs made at random. Theorem 5.2: of a program without loops exactly the statements on feasible
//! complete paths are covered, and AlgPC finds each feasible path once. Lemma 1, and that nothing is refuted that some input of a
//! small box does, with loops too. And the evidence: all of it is accepted, and none of it once it claims too much.

use crate::common::programs::{Action, Block, Condition, Connective, Operation, Shape};
use crate::common::{OneByOne, cases, inputs_of, lower, lower_typed, no_run_contradicts, one_by_one, run_of};
use culdesac::analysis::Listener;
use culdesac::analysis::check::check;
use culdesac::analysis::cover::method::{Algorithm, CoverOutcome, CoverPlan, EdgeVerdict, run};
use culdesac::analysis::cover::{CoverSettings, cover};
use culdesac::analysis::{Silent, Trace};
use culdesac::evidence::{Evidence, Statement};
use culdesac::interp::{Input, Machine};
use culdesac::lang;
use culdesac::lts::lower::{Options, lower_with};
use culdesac::lts::{EdgeId, Lts};
use culdesac::solver::meter::Meter;
use culdesac::source::Span;
use culdesac::view::{Ints, Reply, Request, SCHEMA};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// With two operations at most to an expression, and functions that may end anywhere.
const SHAPE: Shape = Shape {
    constants: -3..4,
    variables: &["x", "y", "z"],
    expression: (2, 5),
    operations: &[
        (1, Operation::Sum),
        (1, Operation::Multiple),
        (1, Operation::Behind(&["/ 2", "% 3"])),
        (1, Operation::Element),
        (1, Operation::Quotient),
    ],
    comparisons: &["<", "<=", "==", "!=", ">"],
    conditions: &[(5, Condition::Comparison), (1, Condition::Text("nondet()"))],
    connectives: &[Connective::And, Connective::Or],
    statements: &[
        (4, Action::Assign),
        (2, Action::Store),
        (1, Action::Text("z++;")),
        (1, Action::Text("y = nondet() + nondet();")),
        (1, Action::Assume),
        (1, Action::Assert),
        (1, Action::Text("return y;")),
    ],
    nesting: (3, 12),
    blocks: &[(1, Block::If), (1, Block::IfElse), (1, Block::While)],
    length: 1..6,
    declarations: "int z = 0;",
};

/// Without loops, whose place further decisions take.
fn program(loops: bool) -> BoxedStrategy<String> {
    let acyclic = Shape { blocks: &[(1, Block::If), (1, Block::IfElse), (1, Block::If)], ..SHAPE };
    if loops { SHAPE } else { acyclic }.program()
}

fn covered(lts: &Lts, unwind: u32, algorithm: Algorithm) -> CoverOutcome {
    let settings = CoverPlan { unwind, algorithm, small: unwind == 0, verdicts: true };
    run(lts, &settings, &mut Meter::new(3_000_000), &Trace::new(&mut Silent)).expect("reducible")
}

/// The feasible complete paths, found one by one along the graph; `None` where something is open, or one is found twice.
fn feasible(lts: &Lts) -> Option<BTreeSet<Vec<EdgeId>>> {
    let OneByOne { found, open } = one_by_one(lts, 10_000, 3_000_000);
    let number = found.len();
    let paths: BTreeSet<Vec<EdgeId>> = found.into_iter().collect();
    (!open && paths.len() == number).then_some(paths)
}

/// A function that calls itself, some other statements around that.
fn recursive(numbers: &[i64]) -> String {
    let [a, b, c, d, e, k, l, m] = numbers else { panic!("eight numbers") };
    format!(
        "int g(int n) {{ int r = {b}; if (n > {a}) {{ r = g(n - 1) + {b}; if (r > {c}) r = r - 1; }} while (r > {d} && n < {e}) r--; return r; }}
int f(int x) {{ int z = 0; if (x > {m}) {{ if (x < {m} + {b}) z = 1; else return 0; }} int y = g(x); if (y == {k}) z = z + 2; assert(y < {l} || x < {k}); if (z == 3) z = 4; return z; }}"
    )
}

/// For each edge its place in the text and which side of a decision it is.
fn statements(lts: &Lts) -> impl Iterator<Item = (Span, usize)> + '_ {
    lts.graph.edge_indices().map(|edge| {
        let (label, from, _) = lts.edge(edge);
        (label.span, lts.outgoing(from).iter().position(|(other, _)| *other == edge).expect("an edge leaves where it starts"))
    })
}

fn edges_of(cover: &CoverOutcome) -> BTreeSet<usize> {
    (0..cover.verdicts.len()).filter(|&edge| matches!(cover.verdicts[edge], EdgeVerdict::Covered(_))).collect()
}

/// Everything that a run says about a program, against what inputs do.
fn agrees(lts: &Lts, cover: &CoverOutcome, unwind: u32, source: &str) -> Result<(), TestCaseError> {
    let machine = Machine::new(lts);
    for (number, test) in cover.tests.iter().enumerate() {
        let run = machine.run(&test.input, test.path.len() as u64);
        prop_assert_eq!(&run.edges, &test.path, "{}", source);
        prop_assert_eq!(run.location == lts.exit, number < cover.complete, "{}", source);
    }
    let runs = inputs_of(lts, -3..=3, 6).into_iter().map(|input| run_of(&machine, &input, 60));
    no_run_contradicts(lts, &cover.verdicts, unwind, runs, source)
}

/// A quotient on a side that is not taken: where the divisor is 0 there, evaluation has no outcome, though another side decides.
#[test]
fn a_division_that_is_not_reached_does_no_harm() -> Result<(), TestCaseError> {
    let source = "int f(int a[], int x, int y) { int z = 0; if (nondet()) { a[x] = a[3 / y]; if (0 < 0 && 0 < y % 3) assume(x > a[z] && -2 > a[z]); }
        if (3 * y == y / 2 && nondet()) { if (3 / 2 <= -1 * (2 * 0) && a[3 / 1] != 0 / 2) y = nondet() + nondet(); } return z; }";
    let lts = lower_typed(source, None, true);
    for algorithm in [Algorithm::Pc, Algorithm::Sc, Algorithm::Prefer, Algorithm::Fm, Algorithm::Vstte] {
        agrees(&lts, &covered(&lts, 0, algorithm), 0, source)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(20)))]

    /// Theorems 5.1 and 5.2.
    #[test]
    fn without_loops_exactly_what_is_feasible_is_covered(source in program(false), seed in prop::option::weighted(0.3, any::<u64>())) {
        let lts = lower_typed(&source, seed, true);
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
                prop_assert!(!matches!(verdict, EdgeVerdict::NotWithin(_)), "without loops nothing depends on the bound\n{source}");
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
    fn with_loops_no_verdict_contradicts_a_run(source in program(true), unwind in 0u32..4, seed in prop::option::weighted(0.3, any::<u64>())) {
        let lts = lower_typed(&source, seed, true);
        for algorithm in [Algorithm::Sc, Algorithm::Prefer] {
            agrees(&lts, &covered(&lts, unwind, algorithm), unwind, &source)?;
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(6)))]

    /// Where calls are inlined less deep than executions go, and loops unwound less often, what is said of every execution still holds.
    #[test]
    fn recursion_cut_short_contradicts_no_run(numbers in prop::collection::vec(-3i64..5, 8), depth in 0u32..4, unwind in 0u32..3) {
        let source = recursive(&numbers);
        let program = lang::parse(&source).program.expect("a program");
        let at_depth = |inline_depth| lower_with(&program, Some("f"), &Options { inline_depth, ..Options::default() }).expect("a graph").lts;
        let (shallow, deep) = (at_depth(depth), at_depth(12));
        let cover = covered(&shallow, unwind, Algorithm::Sc);
        let settled: BTreeSet<_> = statements(&shallow).zip(&cover.verdicts).filter(|(_, verdict)| **verdict == EdgeVerdict::Infeasible).map(|(at, _)| at).collect();
        let possible: BTreeSet<_> = statements(&shallow).zip(&cover.verdicts).filter(|(_, verdict)| **verdict != EdgeVerdict::Infeasible).map(|(at, _)| at).collect();
        let never: BTreeSet<_> = statements(&shallow).zip(&cover.verdicts).filter(|(_, verdict)| matches!(verdict, EdgeVerdict::NeverCompletes(_))).map(|(at, _)| at).collect();
        let of_deep: Vec<_> = statements(&deep).collect();
        let machine = Machine::new(&deep);
        for x in -4..9 {
            let mut input = Input::default();
            input.values.insert("x".to_owned(), x.into());
            let run = machine.run(&input, 400);
            let taken: BTreeSet<_> = run.edges.iter().map(|edge| of_deep[edge.index()]).collect();
            // A statement of which every copy is infeasible.
            prop_assert_eq!(settled.difference(&possible).find(|at| taken.contains(at)), None, "x = {}\n{}", x, source);
            if run.location == deep.exit {
                // Those of `f` itself have one copy.
                let own = source.find("int f(").expect("f") as u32;
                prop_assert_eq!(never.iter().find(|at| at.0.start >= own && taken.contains(at)), None, "x = {}\n{}", x, source);
            }
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(10)))]

    /// The checker derives every claim anew and accepts it; one that names a covered statement too it does not.
    #[test]
    fn evidence_is_accepted_and_overstated_evidence_is_not(source in program(true), unwind in 0u32..3) {
        let mut claims = Vec::new();
        let mut events = |_| true;
        let mut listener = Listener::new(&mut events);
        listener.claims = Some(&mut claims);
        let request = Request { program: "p".to_owned(), source: source.clone(), function: None, limit: Some(2_000_000), seed: 0, ints: Some(Ints::Unbounded), inline_depth: None, ..Request::default() };
        let settings = CoverSettings { unwind: Some(unwind), algorithm: "sc".to_owned(), precondition: None, summaries: false };
        let Reply::Document { document } = cover(&request, &settings, &mut listener) else { panic!("refused: {source}") };
        let function = document.header.function.clone();
        let mut evidence =
            Evidence { schema: SCHEMA, program: "p".to_owned(), source: source.clone(), function, ints: "unbounded".to_owned(), inline_depth: None, options: None, precondition: None, unfolding: None, label_steps: false, claims };
        let rejected = |evidence: &Evidence| match check(evidence) {
            Reply::Document { document } => document.rejected,
            Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
        };
        prop_assert!(rejected(&evidence).is_empty(), "{:?}\n{source}", rejected(&evidence));
        let reached = evidence.claims.iter().filter(|claim| claim.is_run()).count();
        prop_assert!(reached >= document.tests.len());
        let Some(known) = document.tests.first().and_then(|test| test.edges.first()) else { return Ok(()) };
        let mut overstated = 0;
        for claim in &mut evidence.claims {
            if let Statement::NotCovered { edges, .. } = &mut claim.statement {
                edges.push(*known);
                overstated += 1;
            }
        }
        prop_assert_eq!(rejected(&evidence).len(), overstated, "{}", source);
    }
}

/// Two edges lead back to the same header: taking each of them once is returning twice.
#[test]
fn returns_by_different_edges_count_together() {
    let source = "int f(int a[], int x, int y) { int z = 0;  while (((0 + y) != z && 0 != 1)) { if (0 < (0 + x)) { assume(((3 / (x % 3)) < a[(-2 * y)] && (1 * z) > (3 / 3))); } else { y = nondet() + nondet(); } while (((3 / (-2)) != a[y] && (3 / (3 / (-2))) > ((3 / y) + 2))) { return y; } } return z; }";
    let lts = lower(source);
    for unwind in [1, 2, 3] {
        let cover = covered(&lts, unwind, Algorithm::Sc);
        agrees(&lts, &cover, unwind, source).unwrap_or_else(|error| panic!("{error}"));
    }
}
