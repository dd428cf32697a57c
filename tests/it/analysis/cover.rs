//! What `cover` says: of the examples in the block language, of each way of not being covered, and how many questions it takes.

use culdesac::analysis::Listener;
use culdesac::analysis::check::check;
use culdesac::analysis::cover::method::{Algorithm, CoverPlan, EdgeVerdict, run};
use culdesac::analysis::cover::{CoverDocument, CoverReason, CoverSettings, CoverStatement, cover};
use culdesac::analysis::{Silent, Trace};
use culdesac::evidence::{Claim, Evidence, Statement};
use culdesac::solver::meter::Meter;
use culdesac::view::{InputValue, Reply, Request};
use culdesac::{generate, lang, lts};
use std::fs;
use std::path::Path;

fn request(source: &str) -> Request {
    Request {
        program: "p".to_owned(),
        source: source.to_owned(),
        function: None,
        limit: None,
        seed: 0,
        ints: None,
        inline_depth: None,
        ..Request::default()
    }
}

/// The document and the evidence of a run.
fn covered(source: &str, unwind: u32, algorithm: &str) -> (CoverDocument, Evidence) {
    let mut claims = Vec::new();
    let mut events = |_| true;
    let mut listener = Listener::new(&mut events);
    listener.claims = Some(&mut claims);
    let settings = CoverSettings { unwind: Some(unwind), algorithm: algorithm.to_owned(), precondition: None, summaries: false };
    match cover(&request(source), &settings, &mut listener) {
        Reply::Document { document } => {
            let evidence = Evidence::of(&request(source), &document.header, claims);
            (document, evidence)
        }
        Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
    }
}

/// Why `cover` is refused.
fn refusal(source: &str, unwind: u32, algorithm: &str) -> String {
    let settings = CoverSettings { unwind: Some(unwind), algorithm: algorithm.to_owned(), precondition: None, summaries: false };
    match cover(&request(source), &settings, &mut Listener::new(&mut |_| true)) {
        Reply::Document { .. } => panic!("accepted"),
        Reply::Refused { diagnostics } => format!("{} {}", diagnostics[0].code, diagnostics[0].place.line),
    }
}

fn rejected(evidence: &Evidence) -> usize {
    match check(evidence) {
        Reply::Document { document } => document.rejected.len(),
        Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
    }
}

fn lines(statements: &[CoverStatement]) -> Vec<u32> {
    let mut lines: Vec<u32> = statements.iter().map(|statement| statement.line).collect();
    lines.dedup();
    lines
}

#[test]
fn examples_in_the_block_language_have_what_their_headers_expect() {
    let mut compared = 0;
    for name in ["diamonds", "foo_bar"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(format!("{name}.blocks"));
        let source = fs::read_to_string(&path).expect("the example");
        for algorithm in ["sc", "prefer", "vstte"] {
            let (document, evidence) = covered(&source, 1, algorithm);
            assert!(document.header.complete && !document.bounded && rejected(&evidence) == 0, "{name}");
            for (what, value) in source.lines().filter_map(|line| line.split_once("expect: ")?.1.split_once(" = ")) {
                let found = match what {
                    "tests" => document.tests.len().to_string(),
                    "infeasible lines" => lines(&document.infeasible).iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
                    other => panic!("{other}"),
                };
                assert_eq!(found, value, "{name} {algorithm}: {what}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 12);
}

const ROUNDS: &str = "int rounds(int n) {
    int i = 0, s = 0;
    while (i < n) { i++; s = s + 2; }
    if (i == 2)
        s = s + 1;
    else if (s == 3) s = 0;
    assert(s != 2);
    return s;
}";

/// One program with a statement of each kind.
#[test]
fn each_way_of_not_being_covered_is_told_apart() {
    let (once, evidence) = covered(ROUNDS, 1, "sc");
    assert!(once.bounded && once.header.complete);
    // However often the loop runs, s is even.
    assert_eq!(lines(&once.infeasible), [6]);
    assert_eq!(lines(&once.never_completes), [7]);
    assert_eq!(lines(&once.not_within), [3, 4, 5]);
    assert!(once.open.is_empty());
    let failing = once.never_completes[0].reached_by.as_ref().expect("an input that fails");
    assert_eq!(serde_json::to_value(failing).expect("plain data")["n"], 1);
    // One round reaches the assertion and fails; a second one is needed for line 4.
    assert!(once.not_within.iter().all(|statement| statement.reached_by.is_some() == (statement.line == 3)));
    assert_eq!(once.not_within.iter().find(|statement| statement.line == 4).map(|s| s.because[0].text.clone()).as_deref(), Some("i == 2"));
    assert_eq!(rejected(&evidence), 0);
    let (twice, evidence) = covered(ROUNDS, 2, "prefer");
    assert!(twice.not_within.is_empty() && lines(&twice.infeasible) == [6] && lines(&twice.never_completes) == [7]);
    assert_eq!((twice.covered + 3, rejected(&evidence)), (twice.statements, 0));
}

/// An invariant that is said to exclude more than it does, or that lacks a step, is not believed; nor is a larger bound than that of
/// the certificate.
#[test]
fn tampered_claims_are_rejected() {
    let (document, original) = covered(ROUNDS, 1, "sc");
    let tampered = |change: &dyn Fn(&mut Claim) -> bool| {
        let mut evidence = original.clone();
        assert!(evidence.claims.iter_mut().any(change));
        rejected(&evidence)
    };
    let known = document.not_within[0].edge;
    // Changes the first claim of a kind.
    macro_rules! change {
        ($pattern:pat => $change:expr) => {
            assert_eq!(
                tampered(&|claim| match &mut claim.statement {
                    $pattern => {
                        $change;
                        true
                    }
                    _ => false,
                }),
                1
            )
        };
    }
    change!(Statement::Excluded { edges, .. } => edges.push(known));
    change!(Statement::Excluded { edges, .. } => edges.push(9_999));
    change!(Statement::Excluded { certificates, .. } => certificates.pop());
    change!(Statement::Excluded { graph, .. } => graph.edges.pop());
    change!(Statement::DeadEnds { edges, .. } => edges.push(known));
    change!(Statement::NotCovered { unwind, .. } => *unwind += 1);
    change!(Statement::NotCovered { edges, .. } => edges.push(9_999));
}

#[test]
fn what_cannot_be_covered_is_refused_with_its_place() {
    let deep = "int f(int x) { while (x) while (x > 1) while (x > 2) while (x > 3) x--; return 0; }";
    assert_eq!(refusal(deep, 30, "sc"), "too-large 1");
    assert_eq!(refusal(ROUNDS, 1, "best"), "bad-setting 1");
    assert_eq!(refusal(ROUNDS, 1_001, "sc"), "bad-setting 1");
}

/// From each entrance the loop is left at once, or goes on.
#[test]
fn loops_with_several_entrances_are_covered() {
    let two = "int f(int x, int y) {\n if (x) goto inside;\n again: y--; x++;\n inside: y--;\n if (y > 0) goto again;\n return x == 3 && y > 0;\n}";
    let (document, evidence) = covered(two, 2, "prefer");
    let places: Vec<u32> = document.infeasible.iter().map(|statement| statement.place.line).collect();
    assert_eq!((document.open.len(), places, rejected(&evidence)), (0, vec![6], 0), "{:?}", document.open);
}

/// An entry that is the exit, nothing to decide, and nothing that ends.
#[test]
fn small_programs() {
    let (nothing, _) = covered("void f() { }", 1, "sc");
    assert_eq!((nothing.tests.len(), nothing.statements), (1, 0));
    let (endless, evidence) = covered("void f(int x) { while (1) { if (x) x = 0; } }", 2, "prefer");
    assert!(endless.tests.is_empty() && endless.infeasible.len() + endless.never_completes.len() == endless.statements as usize);
    assert_eq!(rejected(&evidence), 0);
    // That nothing leaves the loop is an invariant's claim; of an edge that leaves it in another program it is not believed.
    let mut other = evidence.clone();
    other.source = other.source.replace("while (1)", "while (x)");
    assert!(
        evidence.claims.iter().any(|claim| matches!(claim.statement, Statement::Excluded { taken: false, .. })) && rejected(&other) > 0
    );
}

/// Tests that provoke runtime errors, each at its place; where one cannot happen there is none.
#[test]
fn runtime_errors_have_their_inputs() {
    let source = "int f(int x, int i) {\n int a[3] = {1, 2, 3};\n int y = 6 / (x - 4);\n if (i >= 0) y += a[i];\n if (x > 0) y = y / x;\n return y;\n}\n#pragma culdesac ints unbounded";
    let (document, evidence) = covered(source, 1, "sc");
    let found: Vec<(u32, String)> = document.errors.iter().map(|error| (error.line, error.error.clone())).collect();
    let index = serde_json::to_value(&document.errors[1].input).expect("plain data")["i"].as_i64().expect("an index");
    assert!(index > 2);
    let outside = format!("`a` has 3 elements, so there is none at index {index}");
    assert_eq!(found, [(3, "division by zero".to_owned()), (4, outside)]);
    assert_eq!(serde_json::to_value(&document.errors[0].input).expect("plain data")["x"], 4);
    assert_eq!((rejected(&evidence), document.covered), (0, document.statements));
}

/// A run to each of the errors: one for the assertion, whose edge it takes, and one for the division, whose edge it does not pass.
#[test]
fn failed_assertions_are_errors_too() {
    let source =
        "int f(int x) {\n int y = 0;\n if (x > 2) y = 1;\n assert(x != 5);\n return 10 / (x - 7);\n}\n#pragma culdesac ints unbounded";
    let (document, _) = covered(source, 1, "sc");
    let found: Vec<(u32, &str)> = document.errors.iter().map(|error| (error.line, error.error.as_str())).collect();
    assert_eq!(found, [(4, "a failed assertion"), (5, "division by zero")]);
    let inputs: Vec<_> = document.errors.iter().map(|error| serde_json::to_value(&error.input).expect("plain data")["x"].clone()).collect();
    assert_eq!(inputs, [5, 7]);
    let [assertion, division] = &document.errors[..] else { panic!("{found:?}") };
    assert_eq!((division.edges.contains(&division.edge), assertion.edges.last()), (false, Some(&assertion.edge)));
    assert_eq!((division.column, division.text.as_str()), (9, "return 10 / (x - 7)"));
    let never = &document.never_completes;
    assert_eq!((never.len(), never[0].edge, &never[0].reached_edges), (1, assertion.edge, &assertion.edges));
}

/// What happens first does not hide what else can happen there: each kind of error has its own run.
#[test]
fn each_kind_of_error_is_told() {
    let source = "int f(int x, int y, int i) {\n int a[3] = {1, 2, 3};\n int z = (x + y) / (x - y) + a[i];\n return z > 0;\n}";
    let (document, evidence) = covered(source, 1, "sc");
    let told: Vec<(u32, &str)> = document.errors.iter().map(|error| (error.line, error.error.as_str())).collect();
    let has = |text: &str| told.iter().filter(|(line, error)| *line == 3 && error.contains(text)).count();
    assert_eq!(["signed overflow", "division by zero", "`a` has 3 elements"].map(has), [1, 1, 1], "{told:?}");
    assert_eq!((told.len(), rejected(&evidence)), (3, 0), "{told:?}");
    let source = "int f(int x, int y) {\n if (x > 3) return 1 / (y - x);\n return x / y;\n}";
    let (document, _) = covered(source, 1, "sc");
    let told: Vec<(u32, &str)> = document.errors.iter().map(|error| (error.line, error.text.as_str())).collect();
    for wanted in [(2, "return 1 / (y - x)"), (3, "return x / y")] {
        assert!(told.contains(&wanted), "{told:?}");
    }
}

/// An assertion, an abort and an error call are told apart.
#[test]
fn what_ends_a_program_is_told_by_its_name() {
    let source = "int f(int x) {\n assert(x != 1);\n if (x == 2) abort();\n if (x == 3) reach_error();\n return x;\n}";
    let (document, _) = covered(source, 1, "sc");
    let told: Vec<(u32, &str)> = document.errors.iter().map(|error| (error.line, error.error.as_str())).collect();
    assert_eq!(told, [(2, "a failed assertion"), (3, "abort()"), (4, "an error call")]);
}

/// A limit is never a verdict.
#[test]
fn a_limit_leaves_things_open() {
    let settings = CoverSettings { unwind: Some(3), algorithm: "sc".to_owned(), precondition: None, summaries: false };
    let request = Request { limit: Some(40), ..request(&generate::diamonds(4, 1)) };
    let Reply::Document { document } = cover(&request, &settings, &mut Listener::new(&mut |_| true)) else { panic!("refused") };
    assert!(!document.header.complete && document.reason.is_some());
    assert!(document.infeasible.is_empty() && document.never_completes.is_empty() && document.not_within.is_empty());
    assert_eq!(document.open.len() as u32 + document.covered, document.statements);
}

/// Table 1's programs: AlgSC asks at most 11 questions for each on average, AlgFM one for each side of an inner choice, and ours 6.5.
#[test]
fn questions_for_eighty_random_programs() {
    let programs: Vec<lts::Lts> = (2..=9)
        .flat_map(|diamonds| (0..10).map(move |seed| generate::diamonds(diamonds, seed)))
        .map(|source| lts::lower::lower(&lang::parse(&source).program.expect("a program"), None).expect("a graph").lts)
        .collect();
    let queries = |algorithm| {
        let settings = CoverPlan { unwind: 0, algorithm, small: false, verdicts: false };
        let covers =
            programs.iter().map(|lts| run(lts, &settings, &mut Meter::new(500_000_000), &Trace::new(&mut Silent)).expect("no loops"));
        covers.map(|cover| cover.queries).sum::<u32>()
    };
    let [sc, prefer, fm] = [Algorithm::Sc, Algorithm::Prefer, Algorithm::Fm].map(queries);
    assert!(sc <= 880 && prefer <= 520, "{sc} {prefer}");
    assert_eq!(fm, 1_760);
}

/// One question that decides two thousand sides at once has the steps for it.
#[test]
fn a_long_row_of_decisions_is_covered_by_two_tests() {
    let decisions: String = (0..2_000).map(|number| format!("  if (x > {number}) y = y + x;\n")).collect();
    let program = lang::parse(&format!("int f(int x) {{\n  int y = 0;\n{decisions}  return y;\n}}")).program.expect("a program");
    let lts = lts::lower::lower(&program, None).expect("a graph").lts;
    let settings = CoverPlan { unwind: 0, algorithm: Algorithm::Prefer, small: false, verdicts: false };
    let cover = run(&lts, &settings, &mut Meter::new(50_000_000), &Trace::new(&mut Silent)).expect("reducible");
    assert_eq!((cover.tests.len(), cover.cut), (2, None));
    let taken: std::collections::BTreeSet<_> = cover.tests.iter().flat_map(|test| &test.path).collect();
    assert_eq!(taken.len(), lts.graph.edge_count());
}

/// Where calls were cut off, nothing is said of every execution.
#[test]
fn a_cut_recursion_is_a_bound() {
    let source = "int f(int x) { int y = 0; if (x > 5) { assert(x == 3); y = 1; } if (x < 0 && x > 0) y = 2; return y; }";
    let program = lang::parse(source).program.expect("a program");
    let whole = lts::lower::lower(&program, None).expect("a graph").lts;
    let mut cut = whole.clone();
    cut.cut = cut.error.take();
    let settings = CoverPlan { unwind: 3, algorithm: Algorithm::Sc, small: false, verdicts: true };
    let verdicts = |lts| {
        let cover = run(lts, &settings, &mut Meter::new(1_000_000), &Trace::new(&mut Silent)).expect("reducible");
        let of_all =
            cover.verdicts.iter().filter(|verdict| matches!(verdict, EdgeVerdict::Infeasible | EdgeVerdict::NeverCompletes(_))).count();
        let within = cover.verdicts.iter().filter(|verdict| matches!(verdict, EdgeVerdict::NotWithin(_))).count();
        (cover.bounded, of_all, within)
    };
    let (bounded, of_all, within) = verdicts(&whole);
    assert!(!bounded && of_all > 0 && within == 0);
    assert_eq!(verdicts(&cut), (true, 0, of_all));
}

/// What no loop leads to, and what only loops lead to whose last round is within the bound, holds of every execution.
#[test]
fn what_the_bound_does_not_cut_short_holds_of_every_execution() {
    let before = "int f(int a, int b) {\n  int r = 0;\n  if (a > b) {\n    if (b > a)\n      r = 1;\n  }\n  for (int i = 0; i < a; i++)\n    r++;\n  if (r == 7)\n    r = 8;\n  return r;\n}";
    let (document, evidence) = covered(before, 1, "sc");
    assert!(document.bounded);
    assert_eq!((lines(&document.infeasible), lines(&document.not_within)), (vec![4, 5], vec![9, 10]));
    assert_eq!(rejected(&evidence), 0);
    let rounds =
        "int f(int a) {\n  int s = 0;\n  for (int i = 0; i < 3; i++)\n    s += a;\n  if (s == 3 * a + 1)\n    return 1;\n  return s;\n}";
    let (document, evidence) = covered(rounds, 3, "sc");
    assert!(!document.bounded, "no run returns four times");
    assert_eq!((lines(&document.infeasible), document.not_within.len()), (vec![5], 0));
    assert_eq!(rejected(&evidence), 0);
    assert!(covered(rounds, 2, "sc").0.bounded, "but three times each does");
    // Not only statements that are never taken: those after which nothing completes.
    let fails = "int f(int a) {\n  int s = 0;\n  for (int i = 0; i < 3; i++)\n    s += 2;\n  if (a == 4)\n    s++;\n  assert(s == 6);\n  return s;\n}";
    let (document, evidence) = covered(fails, 3, "sc");
    assert_eq!((lines(&document.never_completes), document.not_within.len()), (vec![5, 6, 7], 0));
    assert_eq!(rejected(&evidence), 0);
}

/// A run of which statements are not covered within the bound tells how far to go; without a bound that is looked for first.
#[test]
fn constant_rounds_are_unwound_as_often_as_they_are_run() {
    let source = "int f(int a) {\n  int s = 0;\n  for (int i = 0; i < 7; i++)\n    for (int j = 0; j < 5; j++)\n      s += a;\n  if (s == 70)\n    s = 1;\n  return s;\n}";
    let (document, _) = covered(source, 3, "sc");
    assert_eq!((document.tests.len(), document.enough.map(|enough| enough.unwind)), (0, Some(7)));
    let (document, _) = covered(source, 7, "sc");
    assert!(document.enough.is_none() && document.covered == document.statements);
    let usual = |source: &str| {
        let settings = CoverSettings { unwind: None, algorithm: "sc".to_owned(), precondition: None, summaries: false };
        match cover(&request(source), &settings, &mut Listener::new(&mut |_| true)) {
            Reply::Document { document } => (document.unwind, document.covered == document.statements),
            Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
        }
    };
    assert_eq!(usual(source), (7, true));
    assert_eq!(usual("int f(int n) { int s = 0; for (int i = 0; i < n; i++) s++; return s; }"), (3, true));
    let square = "int f(int a) { for (int i = 0; i < 90; i++) for (int j = 0; j < 90; j++) a /= 2; return a; }";
    assert_eq!([square, "int f(int a) { for (;;) if (a > 0) a = a / 2; return a; }"].map(|source| usual(source).0), [3, 3]);
}

/// A function that calls itself so often that no call is left out.
#[test]
fn a_recursion_within_its_bound_is_none() {
    let source = "int fac(int n) {\n  if (n <= 1) return 1;\n  return n * fac(n - 1);\n}\nint f(int a) {\n  if (a < 0 || a > 3) return 0;\n  int r = fac(a);\n  if (r == 5)\n    return 1;\n  return r;\n}";
    // A deeper call may come back with anything: the product is not 5, but it may be 7!.
    for (most, result, excluded) in [("3", "5", true), ("30", "5", true), ("30", "5040", false)] {
        let source = source.replace("a > 3", &format!("a > {most}")).replace("r == 5", &format!("r == {result}"));
        let (document, evidence) = covered(&source, 1, "sc");
        assert_eq!((document.bounded, lines(&document.infeasible).contains(&8)), (most != "3", excluded), "{most} {result}");
        assert_eq!((document.not_within.is_empty(), rejected(&evidence)), (most == "3", 0));
    }
}

/// That the bound does not matter is not believed of more statements, of fewer unwindings, or without its certificate.
#[test]
fn tampered_bounds_are_rejected() {
    let source = "int f(int a) {\n  int s = 0;\n  for (int i = 0; i < 3; i++)\n    s += a;\n  if (s == 3 * a + 1)\n    s = 1;\n  while (a > 0)\n    a -= s;\n  return a;\n}";
    let (document, original) = covered(source, 3, "sc");
    assert_eq!((lines(&document.infeasible), rejected(&original)), (vec![5, 6], 0));
    let last = document.statements - 1;
    type Change = fn(&mut Claim, u32);
    let changes: [Change; 4] = [
        |claim, last| {
            if let Statement::WithinBound { edges, .. } = &mut claim.statement {
                edges.push(last)
            }
        },
        |claim, _| {
            if let Statement::WithinBound { edges, .. } = &mut claim.statement {
                edges.push(9_999)
            }
        },
        |claim, _| {
            if let Statement::WithinBound { unwind, .. } = &mut claim.statement {
                *unwind -= 1
            }
        },
        |claim, _| {
            if let Statement::WithinBound { ways, .. } = &mut claim.statement {
                ways.clear()
            }
        },
    ];
    for change in changes {
        let mut evidence = original.clone();
        evidence.claims.iter_mut().for_each(|claim| change(claim, last));
        assert_eq!(rejected(&evidence), 1);
    }
}

/// Why statements are excluded is a help to the reader: it takes its own few steps, however many statements there are, and the list of
/// reasons ends there. Before it did, this program took minutes at nine unwindings.
#[test]
fn reasons_take_no_longer_than_their_share() {
    let source = r"
    int f(unsigned long x0, signed char x1) {
        assume(x0 <= 7);
        assume(x1 >= 1 && x1 <= 9);
        unsigned y0 = (7 >> 2);
        int z[2] = {1, 2};
        y0 -= z[x1];
        if (((z[1] >= (-z[1]) && ((x1 <= z[0]) == (x1 + y0)) != ((int)x1)) && ((z[1] - (-x1)) >= ((long)x0) || z[x0] != z[0]))) {
            if (z[1] <= z[1]) {
                assert((-7) > (-z[0]));
                z[1] = ((6 ^ 7) * 1);
            } else {
                x1 += (((_Bool)z[y0]) / 2);
            }
        }
        int w0 = 3;
        while (w0 > 0 && (x1 & 7) > x0) {
            w0--;
            int w1 = 1;
            while (w1 > 0 && (z[x1] ^ 1) > (x0 % 2)) {
                w1--;
                y0++;
                x1 -= (z[0] % 3);
            }
            int w2 = 4;
            while (w2 > 0 && (y0 ^ 7) != z[y0]) {
                w2--;
                y0 -= (x0 >> 1);
            }
            y0 = ((z[x1] + z[0]) - (3 + z[y0]));
        }
        int w3 = 1;
        while (w3 > 0 && !(x0)) {
            w3--;
            x1++;
            if (x1 > x1) {
                y0 += ((z[x0] + x0) / (z[y0] / (-2)));
            } else {
                z[0] = z[1];
                x0 -= (-z[0]);
            }
        }
        return x0;
    }
";
    let (document, _) = covered(source, 1, "sc");
    assert!(document.header.complete && document.header.statistics.steps < 4_500_000, "{:?}", document.header.statistics);
    let excluded = [&document.infeasible, &document.never_completes, &document.not_within];
    let reasons = excluded.into_iter().flatten().filter(|statement| !statement.because.is_empty()).count();
    assert!(reasons >= 20, "{reasons}");
}

/// Each place of a long run can fail: looking for all of them takes no time that grows with the cube of its length.
#[test]
fn errors_of_a_long_run_are_found_within_the_limit() {
    let statements: String = (0..1_500).map(|number| format!("  x = x + {number};\n")).collect();
    let (document, _) = covered(&format!("int f(int x) {{\n{statements}  return x;\n}}"), 1, "sc");
    assert_eq!(document.covered, document.statements);
    let edges: usize = document.errors.iter().map(|error| error.edges.len()).sum();
    assert!(document.errors.len() > 500 && edges < 1_000_000, "{} errors, {edges} edges", document.errors.len());
}

/// Loops over the bits of a word, each with lines that no execution takes, and how often it goes around.
#[test]
fn what_loops_over_bits_never_do_is_shown() {
    let clearing = |bits: u32| {
        format!(
            "#include <stdint.h>\nint f(uint{bits}_t x) {{\n int n = 0;\n while (x) {{ x &= x - 1; n++; }}\n if (n > {bits})\n  return 1;\n return n; }}"
        )
    };
    let reversing = |bits: u32| {
        let most = (1u64 << bits) - 1;
        format!(
            "#include <stdint.h>\nint f(uint{bits}_t x) {{\n unsigned r = 0;\n for (int i = 0; i < {bits}; i++) r = (r << 1) | ((x >> i) & 1);\n if (r > {most})\n  return 1;\n return 0; }}"
        )
    };
    let counting = "#include <stdint.h>\nint f(uint32_t x) {\n int n = 0;\n for (int i = 0; i < 32; i++) n += (x >> i) & 1;\n if (n > 32)\n  return 1;\n return 0; }";
    for (source, unwind) in [(clearing(8), 9), (clearing(32), 33), (reversing(8), 8), (reversing(16), 16), (counting.to_owned(), 32)] {
        let (document, evidence) = covered(&source, unwind, "prefer");
        assert!(document.header.complete && !document.bounded, "{source}");
        assert_eq!((lines(&document.infeasible), rejected(&evidence)), (vec![5], 0), "{source}");
    }
}

/// A question that took too long is asked once more with more of the steps that are left.
#[test]
fn what_took_too_long_is_asked_again() {
    let source = "int f(int x, int y) {\n if (x > 1 && y > 1 && x < 10000 && y < 10000 && x * y == 7919)\n  return 1;\n return 0; }";
    let (document, evidence) = covered(source, 1, "prefer");
    assert!(document.header.complete && document.open.is_empty(), "{:?}", document.reason);
    assert_eq!((lines(&document.infeasible), rejected(&evidence)), (vec![2], 0));
}

/// Without a requested bound, what other finders reach of the statements that are not within the usual one is a test, too.
#[test]
fn what_others_reach_beyond_the_bound_is_a_test() {
    let source = "int f(int n, int m) {
        int i = 0, s = 0, t = 0;
        while (i < n) { i++; s += 2; }
        if (s == 40) {
            while (t < m) t += 3;
            if (t == 60)
                return 2;
            return 1;
        }
        return 0;
    }";
    let asked = |unwind| {
        let (mut claims, mut events) = (Vec::new(), |_| true);
        let mut listener = Listener { claims: Some(&mut claims), ..Listener::new(&mut events) };
        let settings = CoverSettings { unwind, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
        let Reply::Document { document } = cover(&request(source), &settings, &mut listener) else { panic!("refused") };
        let evidence = Evidence::of(&request(source), &document.header, claims);
        (document, evidence)
    };
    let (within, _) = asked(Some(3));
    assert_eq!(lines(&within.not_within), [4, 5, 6]);
    assert!(within.tests.iter().all(|test| !test.beyond));
    let (document, evidence) = asked(None);
    assert_eq!((document.unwind, document.bounded), (3, true));
    assert_eq!((document.covered, document.not_within.len()), (document.statements, 0));
    let beyond: Vec<bool> = document.tests.iter().map(|test| test.beyond).collect();
    assert!(beyond.is_sorted() && beyond.iter().filter(|&&beyond| beyond).count() >= 2, "{beyond:?}");
    // With a bound that these runs do not leave, the same statements are covered.
    assert_eq!(asked(Some(20)).0.covered, document.covered);
    assert_eq!(rejected(&evidence), 0);
    assert!(evidence.claims.iter().filter(|claim| claim.is_run()).count() >= document.tests.len());
}

/// Reasons on different ways to a statement are not joined: no way has both sides of a decision. A condition that is false by itself names
/// the assignments before it.
#[test]
fn reasons_on_different_ways_are_kept_apart() {
    let source = "int f(int d, int b) {\n  int s;\n  if (d > 9)\n    s = 9;\n  else if (d < -9)\n    s = -9;\n  else\n    s = d;\n  if (s == 9 && d < 9)\n    return 1;\n  if (s == -9 && d > -9)\n    return 2;\n  return b;\n}\n";
    let (document, _) = covered(source, 1, "sc");
    let statement = |line: u32, text: &str| {
        let found = document.infeasible.iter().find(|one| (one.line, one.text.as_str()) == (line, text));
        found.unwrap_or_else(|| panic!("{line} {text}: {:?}", document.infeasible))
    };
    let texts = |reasons: &[CoverReason]| reasons.iter().map(|reason| reason.text.clone()).collect::<Vec<String>>();
    for (line, text, own) in [(9, "d < 9", "s == 9"), (11, "d > -9", "s == -9")] {
        let excluded = &statement(line, text).excluded_by;
        assert!(excluded.either.len() > 1 && excluded.some.is_empty(), "{excluded:?}");
        for way in excluded.either.iter().map(|way| texts(&[&excluded.all[..], way].concat())) {
            assert!(!way.iter().any(|one| way.contains(&format!("!({one})"))), "{way:?}");
            let is_assigned = way.iter().any(|one| ["s = 9", "s = -9", "s = d"].contains(&&one[..]));
            assert!(is_assigned && way.contains(&own.to_owned()) || way.len() == 1 && way[0].contains("d "), "{way:?}");
        }
    }
    let source = "int f(int key) {\n  int mode;\n  switch (key) {\n    case 'a': mode = 1; break;\n    case 'b': mode = 2; break;\n    default: mode = 3;\n  }\n  if (mode == 0 || mode > 3) return -1;\n  return mode;\n}\n";
    let (document, _) = covered(source, 1, "sc");
    let given = |one: &CoverStatement| one.excluded_by.values.iter().flat_map(|part| part.values.clone()).collect::<Vec<_>>();
    let is_so = |one: &&CoverStatement| given(one).iter().flat_map(|one| texts(&one.assigned)).eq(["mode = 1", "mode = 2", "mode = 3"]);
    assert_eq!(document.infeasible.iter().filter(is_so).count(), 2, "{:?}", document.infeasible);
    assert_eq!(document.header.crowded_lines, [4, 5, 8]);
}

/// A value that no text on standard input gives is open for that reason; decisions within `scanf` are no statements, and arrays that a run does
/// not read are no inputs.
#[test]
fn what_is_read_is_told_as_texts() {
    let source = "#include <stdio.h>\nint main(void) {\n  int a;\n  char b, s[8];\n  if (scanf(\"%d%c\", &a, &b) == 2) {\n    if (b == '7')\n      return 4;\n  }\n  if (scanf(\"%3s\", s) == 1) {\n    if (s[0] == ' ')\n      return 3;\n  }\n  return 0;\n}\n";
    let (document, evidence) = covered(source, 1, "prefer");
    assert_eq!(document.reason.as_deref(), Some("no text on standard input was found that is read like this"));
    let open: Vec<(u32, &str)> = document.open.iter().filter(|one| !one.library).map(|one| (one.line, &*one.text)).collect();
    assert_eq!(open, [(6, "b == '7'")]);
    for test in &document.tests {
        let read = test.input.stdin.as_deref().expect("a text");
        let is_unread = |value: &InputValue| matches!(value, InputValue::Array(elements) if elements.len() == 1);
        assert!(test.input.values.get("s").is_none_or(is_unread), "{read:?}: {:?}", test.input);
    }
    assert_eq!(rejected(&evidence), 0);
    // The library's own choices are no statements: there are as many as the text has.
    let (document, _) = covered(
        "#include <stdio.h>\nint main(void) {\n  int x = 5;\n  if (scanf(\"%d\", &x) != 1)\n    return 1;\n  return x;\n}\n",
        1,
        "prefer",
    );
    assert_eq!((document.statements, document.covered, document.header.complete), (5, 5, true));
}

/// Conditions in several calls of one function have the same text: the other call is said, and arguments are no assignments of the text.
#[test]
fn a_condition_in_another_call_is_said() {
    let source = "int pos(int x) {\n  if (x > 3)\n    return 1;\n  return 0;\n}\nint f(int x) {\n  if (!pos(x))\n    return 0;\n  if (pos(-x))\n    return 2;\n  return 1;\n}\n";
    let (document, _) = covered(source, 1, "sc");
    let statement = document.infeasible.iter().find(|one| (one.line, &*one.text) == (2, "x > 3")).expect("the second call never returns 1");
    let reasons = || statement.excluded_by.all.iter().chain(statement.excluded_by.either.iter().flatten());
    assert!(reasons().any(|one| one.in_another_call && one.edge != statement.edge), "{statement:?}");
    assert!(reasons().all(|one| !one.text.contains("pos.x")), "{statement:?}");
    assert!(!statement.excluded_by.itself);
    // A condition that holds nowhere, and only that, is excluded by itself.
    let (document, _) = covered("int f(unsigned x) {\n  if (x < 0)\n    return 1;\n  return 0;\n}\n#pragma culdesac ints c32\n", 1, "sc");
    let itself: Vec<bool> = document.infeasible.iter().map(|one| one.excluded_by.itself).collect();
    assert_eq!(itself, [true], "{:?}", document.infeasible);
}
