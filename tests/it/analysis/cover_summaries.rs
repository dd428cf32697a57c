//! Summaries against the program with its calls inlined (CHS12, Section 6). Lemma 3 on programs made at random, in C and in the block
//! language: every test found with summaries replays in the original and takes what it claims, nothing that some input does is claimed
//! not to be done, and of programs without loops exactly the same is covered as without summaries. Then what single programs need.

use crate::common::programs::{Action, Block, Condition, Operation, Shape};
use crate::common::{cases, no_run_contradicts, parse, run_of};
use culdesac::analysis::Listener;
use culdesac::analysis::check::check;
use culdesac::analysis::cover::method::{Algorithm, CoverOutcome, CoverPlan, EdgeVerdict, run, run_with_summaries};
use culdesac::analysis::cover::{CoverDocument, CoverSettings, cover};
use culdesac::analysis::{Silent, Trace};
use culdesac::evidence::Evidence;
use culdesac::interp::{self, Input, Machine};
use culdesac::logic::Int;
use culdesac::lts::lower::Options;
use culdesac::lts::{self, EdgeId, Lts};
use culdesac::solver::meter::Meter;
use culdesac::view::{Reply, Request};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Smaller than elsewhere, as each program has three such functions; without arrays, which summaries do not speak of, and with a global.
const SHAPE: Shape = Shape {
    constants: -3..4,
    variables: &["x", "y", "z", "g"],
    expression: (2, 4),
    operations: &[(1, Operation::Sum), (1, Operation::Multiple), (1, Operation::Behind(&["/ 2", "% 3"])), (1, Operation::Quotient)],
    comparisons: &["<", "<=", "==", "!=", ">"],
    conditions: &[(5, Condition::Comparison), (1, Condition::Text("nondet()"))],
    connectives: &[],
    statements: &[
        (5, Action::Assign),
        (1, Action::Text("y = nondet() - nondet();")),
        (1, Action::Text("count++;")),
        (1, Action::Assume),
        (1, Action::Assert),
        (1, Action::Text("return nondet();")),
    ],
    nesting: (2, 8),
    blocks: &[(1, Block::IfElse), (1, Block::While)],
    length: 1..4,
    declarations: "",
};

/// Statements of C that may call the functions `called`, which have two parameters.
fn statement(called: &'static [&'static str], loops: bool) -> BoxedStrategy<String> {
    let plain = SHAPE.simple();
    let leaf = if called.is_empty() {
        plain
    } else {
        let name = prop::sample::select(called);
        let call = (name, SHAPE.expression(), SHAPE.expression(), 0..4).prop_map(|(f, a, b, how)| match how {
            0 => format!("{f}({a}, {b});"),
            1 => format!("y = x + {f}({a}, {b});"),
            2 => format!("if ({f}({a}, {b}) > 1) z = 2;"),
            _ => format!("z = {f}(x, {b}) - {f}({a}, 1);"),
        });
        prop_oneof![3 => plain, 2 => call].boxed()
    };
    let acyclic = Shape { blocks: &[(1, Block::IfElse), (1, Block::If)], ..SHAPE };
    if loops { SHAPE } else { acyclic }.statement(leaf)
}

fn body(called: &'static [&'static str], loops: bool) -> impl Strategy<Value = String> {
    prop::collection::vec(statement(called, loops), SHAPE.length).prop_map(|statements| statements.join("\n  "))
}

/// `f` calls `p` and `q`, and `q` calls `p`; all share a global and a static.
fn c_program(loops: bool) -> impl Strategy<Value = String> {
    let global = prop_oneof![Just("int g;"), Just("int g = 2;")];
    (global, body(&[], loops), body(&["p"], loops), body(&["p", "q"], loops), prop::bool::ANY).prop_map(|(global, p, q, f, ends)| {
        let end = if ends { "return z;" } else { "" };
        format!(
            "{global}\nint count = 1;\nint p(int x, int y) {{\n  static int z;\n  {p}\n  return z + y;\n}}\nint q(int x, int y) {{\n  int z = count;\n  {q}\n  {end}\n}}\nint f(int x, int y) {{\n  int z = 0;\n  {f}\n  return z;\n}}"
        )
    })
}

/// The same in the block language: a diamond in each procedure, without globals.
fn block_program() -> impl Strategy<Value = String> {
    let diamond = |called: &'static [&'static str]| {
        let assign =
            (prop_oneof![Just("x"), Just("y"), Just("z")], no_globals(SHAPE.expression())).prop_map(|(v, e)| format!("{v} := {e};"));
        let step = if called.is_empty() {
            assign.boxed()
        } else {
            let call = (prop::sample::select(called), no_globals(SHAPE.expression()), no_globals(SHAPE.expression()));
            prop_oneof![assign, call.prop_map(|(p, a, b)| format!("z := call {p}({a}, {b});"))].boxed()
        };
        let steps = prop::collection::vec(step, 0..3).prop_map(|steps| steps.join(" "));
        (no_globals(SHAPE.condition()), steps.clone(), no_globals(SHAPE.condition()), steps.clone(), steps).prop_map(|(c, s, d, t, u)| {
            format!("  l0: z := 1; goto l1, l2;\n  l1: assume {c}; {s} goto l3;\n  l2: assume {d}; {t} goto l3;\n  l3: {u}\n")
        })
    };
    (diamond(&[]), diamond(&["p"]), diamond(&["p", "q"])).prop_map(|(p, q, f)| {
        let procedure = |name: &str, text: &str| format!("proc {name}(x, y) returns z {{\n{text}}}\n");
        [procedure("p", &p), procedure("q", &q), procedure("f", &f)].concat()
    })
}

fn no_globals(text: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    text.prop_map(|text| text.replace('g', "x"))
}

struct Covered {
    lts: Lts,
    with: CoverOutcome,
    without: CoverOutcome,
}

fn covered(source: &str, unwind: u32, algorithm: Algorithm) -> Covered {
    let program = parse(source);
    let lts = lts::lower::lower(&program, Some("f")).unwrap_or_else(|errors| panic!("{source}\n{errors:?}")).lts;
    let settings = CoverPlan { unwind, algorithm, small: unwind == 0, verdicts: true };
    let with = run_with_summaries(&program, &Options::default(), &lts, &settings, &mut Meter::new(2_000_000), &Trace::new(&mut Silent))
        .expect("reducible");
    let without = run(&lts, &settings, &mut Meter::new(2_000_000), &Trace::new(&mut Silent)).expect("reducible");
    Covered { lts, with, without }
}

/// What some inputs of a box do: edges, whether to the end.
fn runs(lts: &Lts) -> Vec<(Vec<EdgeId>, bool)> {
    let machine = Machine::new(lts);
    let mut all = Vec::new();
    for x in -2..=2i64 {
        for y in -2..=2i64 {
            for other in -1..=2i64 {
                let values = lts.variables.iter().map(|variable| {
                    let value = match variable.name.as_str() {
                        "x" => x,
                        "y" => y,
                        _ => other,
                    };
                    (variable.name.clone(), Int::from(value))
                });
                let nondet = (0..12i64).map(|k| Int::from((x + other * k) % 3 - 1)).collect();
                all.push(run_of(&machine, &Input { values: values.collect(), nondet, ..Input::default() }, 200));
            }
        }
    }
    all
}

/// Lemma 3, and that no verdict contradicts a run.
fn agrees(Covered { lts, with, .. }: &Covered, unwind: u32, source: &str) -> Result<(), TestCaseError> {
    let machine = Machine::new(lts);
    let report = with.summaries.as_ref().expect("asked for");
    prop_assert_eq!(report.rejected, 0, "{}", source);
    prop_assert!(report.tests <= with.complete, "{source}");
    for (number, test) in with.tests.iter().enumerate() {
        let run = machine.run(&test.input, test.path.len() as u64);
        prop_assert_eq!(&run.edges, &test.path, "{}", source);
        prop_assert_eq!(run.outcome == interp::Outcome::Returned, number < with.complete, "{}", source);
    }
    for (edge, verdict) in lts.graph.edge_indices().zip(&with.verdicts) {
        if let EdgeVerdict::Covered(test) = verdict {
            prop_assert!(*test < with.complete && with.tests[*test].path.contains(&edge), "{source}");
        }
    }
    no_run_contradicts(lts, &with.verdicts, unwind, runs(lts), source)
}

/// What verdicts say, whichever test they name.
fn kinds(cover: &CoverOutcome) -> Vec<u8> {
    let kind = |verdict: &EdgeVerdict| match verdict {
        EdgeVerdict::Covered(_) => 0,
        EdgeVerdict::Infeasible => 1,
        EdgeVerdict::NeverCompletes(_) => 2,
        EdgeVerdict::NotWithin(_) => 3,
        EdgeVerdict::Open(_) => 4,
        EdgeVerdict::Unbacked(_) => 5,
        EdgeVerdict::Reached(_) => 6,
    };
    cover.verdicts.iter().map(kind).collect()
}

/// The same verdicts as without summaries, unless something is open; with AlgPC the same paths.
fn loses_nothing(covered: &Covered, algorithm: Algorithm, source: &str) -> Result<(), TestCaseError> {
    let Covered { with, without, .. } = covered;
    let (kinds, expected) = (kinds(with), kinds(without));
    if !kinds.contains(&4) && !expected.contains(&4) {
        prop_assert_eq!(kinds, expected, "{}", source);
    }
    if algorithm == Algorithm::Pc && with.cut.is_none() && without.cut.is_none() {
        let paths = |cover: &CoverOutcome| cover.tests[..cover.complete].iter().map(|test| test.path.clone()).collect::<BTreeSet<_>>();
        prop_assert_eq!(paths(with), paths(without), "{}", source);
        prop_assert_eq!(with.complete, paths(with).len(), "{}", source);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(6)))]

    #[test]
    fn summaries_change_no_verdict_without_loops(source in prop_oneof![c_program(false), block_program()]) {
        for algorithm in [Algorithm::Sc, Algorithm::Prefer, Algorithm::Pc] {
            let covered = covered(&source, 0, algorithm);
            prop_assert!(!covered.with.bounded);
            agrees(&covered, 0, &source)?;
            loses_nothing(&covered, algorithm, &source)?;
        }
    }

    #[test]
    fn with_loops_no_verdict_contradicts_a_run(source in c_program(true), unwind in 0u32..2) {
        agrees(&covered(&source, unwind, Algorithm::Sc), unwind, &source)?;
    }
}

/// The document with summaries; its evidence is accepted.
fn document(source: &str, function: &str, unwind: u32) -> CoverDocument {
    let request = Request {
        program: "p".to_owned(),
        source: source.to_owned(),
        function: Some(function.to_owned()),
        limit: None,
        seed: 0,
        ints: None,
        inline_depth: None,
        ..Request::default()
    };
    let mut claims = Vec::new();
    let mut events = |_| true;
    let mut listener = Listener::new(&mut events);
    listener.claims = Some(&mut claims);
    let settings = CoverSettings { unwind: Some(unwind), algorithm: "sc".to_owned(), precondition: None, summaries: true };
    let Reply::Document { document } = cover(&request, &settings, &mut listener) else { panic!("refused: {source}") };
    match check(&Evidence::of(&request, &document.header, claims)) {
        Reply::Document { document } => assert!(document.rejected.is_empty(), "{:?}", document.rejected),
        Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
    }
    document
}

/// What became of the functions that are called, and the tests found with summaries: `name pairs recomputed`.
fn summaries(document: &CoverDocument) -> (Vec<String>, u32, u32) {
    let found = document.summaries.as_ref().expect("asked for");
    let line = |summary: &culdesac::analysis::cover::CoverSummary| match &summary.inlined {
        Some(why) => format!("{}: {why}", summary.function),
        None => format!("{} {} {}", summary.function, summary.pairs, summary.recomputed),
    };
    (found.functions.iter().map(line).collect(), found.tests, found.queries)
}

/// Section 6: foo's two tests have the values 0 and 1 for b. A call with 1 finds its pair, one with another constant
/// needs a new one; two more show how foo gives back what was first guessed.
#[test]
fn the_papers_example() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/foo_bar.blocks");
    let source = fs::read_to_string(&path).expect("the example");
    let fits = document(&source, "bar", 1);
    assert_eq!(summaries(&fits), (vec!["foo 2 0".to_owned()], 1, 3));
    assert_eq!((fits.tests.len(), fits.infeasible.len(), fits.covered), (1, 2, 7));
    let other = document(&source.replace("foo(x, 1)", "foo(x, 5)"), "bar", 1);
    let (functions, tests, _) = summaries(&other);
    assert_eq!((functions, tests), (vec!["foo 5 1".to_owned()], 1));
    assert_eq!((other.tests.len(), other.infeasible.len(), other.covered), (1, 2, 7));
}

/// What comes out decides as well: line 6 needs the one value with which `g` gives back 7, line 7 what `nondet()` is to be in it.
#[test]
fn what_the_caller_wants_back_is_asked_for() {
    let source = "int g(int x) {\n if (x > 20) return nondet();\n return x - 4; }\nint f(int x, int y) {\n int n = nondet();\n if (g(x) == 7) x = 1;\n if (g(y + 30) == 99 && n == 5 && y > 0) x = nondet() / 2;\n return x; }";
    let found = document(source, "f", 0);
    let (functions, tests, _) = summaries(&found);
    assert!(functions[0].starts_with("g ") && tests as usize == found.tests.len(), "{functions:?}");
    assert_eq!(found.covered, found.statements);
}

/// What is assumed of the inputs holds for tests found with summaries, of a global too that only a callee reads.
#[test]
fn preconditions_hold_for_tests_found_with_summaries() {
    let source = "int g;\nint p(int x) { if (x > 4) return g; return x; }\nint f(int x) {\n if (p(x) > 2) return 1;\n return 0; }";
    let request = Request {
        program: "p".to_owned(),
        source: source.to_owned(),
        function: Some("f".to_owned()),
        limit: None,
        seed: 0,
        ints: None,
        inline_depth: None,
        ..Request::default()
    };
    let settings = CoverSettings {
        unwind: Some(0),
        algorithm: "sc".to_owned(),
        precondition: Some("x > 7 && g < 3 && g > 0".to_owned()),
        summaries: true,
    };
    let Reply::Document { document } = cover(&request, &settings, &mut Listener::new(&mut |_| true)) else { panic!("refused") };
    assert!(summaries(&document).1 > 0 && document.tests.len() == 1);
    let input = serde_json::to_value(&document.tests[0].input).expect("plain data");
    assert!(input["x"].as_i64() > Some(7) && (input["g"] == 1 || input["g"] == 2), "{input}");
    assert_eq!((document.covered, document.infeasible.len()), (document.statements - document.infeasible.len() as u32, 3));
}

/// Functions that a pair of values cannot speak for.
#[test]
fn some_functions_are_inlined_and_why() {
    let source = "int b[3];\nint main() { return 1; }\nint array(int a[], int i) { return a[i]; }\nint global(int i) { b[0] = i; return 2; }\nint ends(int x) { if (x > 3) exit(1); return 2; }\nint through(int x) { return ends(x); }\nint unset(int x) { int y; if (x) y = 1; return y; }\nint own(int x) { int c[2] = {x, 4}; return c[0]; }\nint f(int x) {\n int a[2] = {1, 2};\n int t = through(x);\n return array(a, 1) + global(x) + t + unset(x) + own(x) + main(); }";
    let found = document(source, "f", 0);
    let (mut functions, tests, _) = summaries(&found);
    functions.sort();
    let expected = [
        "array: it uses an array that is not its own",
        "ends: it may end the program",
        "global: it uses an array that is not its own",
        "main: it is `main`",
        "own 2 1",
        "through: it may end the program",
        "unset: it reads a variable of its own before that has a value",
    ];
    assert_eq!(functions, expected);
    assert!(tests > 0 && found.covered == found.statements);
}

/// Wherever the steps end, also before it begins: nothing but what was replayed is claimed.
#[test]
fn a_limit_is_not_a_verdict() {
    let source =
        "int g(int a) { if (a > 3) { return 1; } return 0; } int f(int x) { int y = g(x); if (y == 1) { return g(2); } return y; }";
    let program = parse(source);
    let lts = lts::lower::lower(&program, Some("f")).expect("a program").lts;
    let settings = CoverPlan { unwind: 1, algorithm: Algorithm::Sc, small: false, verdicts: true };
    for limit in [0, 1, 5, 20, 50, 100, 1_000] {
        let mut meter = Meter::new(limit);
        while limit == 0 && meter.spend(1).is_ok() {}
        let with =
            run_with_summaries(&program, &Options::default(), &lts, &settings, &mut meter, &Trace::new(&mut Silent)).expect("reducible");
        no_run_contradicts(&lts, &with.verdicts, 1, runs(&lts), source).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Each procedure calls the one before twice, so that inlining doubles with each.
fn doubling(procedures: usize) -> String {
    let first = "proc p0(x) returns r {\n  l0: goto l1, l2;\n  l1: assume x > 0; r := x - 1; goto l3;\n  l2: assume x <= 0; r := x; goto l3;\n  l3:\n}\n";
    let next = |n: usize| format!("proc p{n}(x) returns r {{\n  l0: r := call p{0}(x); r := call p{0}(r);\n}}\n", n - 1);
    first.to_owned() + &(1..procedures).map(next).collect::<String>()
}

/// Too large to be unwound with calls inlined, though not to be run: tests are found, what they leave is open, and why is said.
#[test]
fn what_is_too_large_to_be_inlined_is_covered_in_part() {
    let small = document(&doubling(4), "p3", 0);
    assert_eq!((small.covered, small.open.len(), small.reason), (small.statements, 0, None));
    let large = document(&doubling(12), "p11", 0);
    assert!(large.covered > 0 && large.infeasible.is_empty() && large.not_within.is_empty() && large.never_completes.is_empty());
    assert_eq!(large.covered + large.open.len() as u32, large.statements);
    assert!(!large.header.complete && large.reason.as_deref().is_some_and(|reason| reason.ends_with("was not covered with summaries")));
}
