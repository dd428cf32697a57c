//! Programs that read no input: which they are, what the check makes of claims about them, and that no other execution exists.

use crate::common::asking::{about, ask, rejected};
use crate::common::cases;
use crate::common::programs::{Action, Block, Condition, Connective, Operation, Shape};
use culdesac::evidence::check::check_assuming;
use culdesac::evidence::determined::DeterminedRun;
use culdesac::evidence::{Claim, Evidence, Statement};
use culdesac::interp::{ArrayInput, Input, Machine, Outcome};
use culdesac::load::{Loaded, load};
use culdesac::logic::Int;
use culdesac::lts::inputs::inputs;
use culdesac::view::Request;
use proptest::prelude::*;
use serde_json::json;

/// Steps of a run.
const STEPS: u64 = 2_000;

fn loaded(request: &Request) -> Loaded {
    load(request).unwrap_or_else(|errors| panic!("{}\n{errors:?}", request.source))
}

/// How the one run ends, or why there may be others.
fn run(source: &str, assume: &[&str]) -> Result<Outcome, String> {
    let function = source.contains(" main(").then(|| "main".to_owned());
    let request = Request { function, assume: assume.iter().map(ToString::to_string).collect(), ..about(source, None) };
    let loaded = loaded(&request);
    let run = DeterminedRun::of(&loaded.lts, &Machine::new(&loaded.lts), STEPS);
    run.map(|run| run.run.outcome).map_err(|why| why.to_string())
}

#[test]
fn programs_without_an_input_have_one_run() {
    let returning = [
        "int main(void) { int a[4], s = 0; for (int i = 0; i < 4; i++) a[i] = i * i; for (int i = 0; i < 4; i++) s += a[i]; if (s == 14) return 1; return 0; }",
        // What is not read is no input.
        "int nondet(void); int main(int argc, char **argv) { int unread = nondet(), other; if (3 > 2) return 1; return unread + other; }",
        "static int count; int main(void) { while (count < 5) count++; return count; }",
        "int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); } int main(void) { return fact(3) == 6; }",
    ];
    for source in returning {
        assert_eq!(run(source, &[]), Ok(Outcome::Returned), "{source}");
    }
    assert_eq!(run("int main(void) { int x = 3; assert(x == 4); return 0; }", &[]), Ok(Outcome::Error));
    assert_eq!(run("int main(void) { int x = 3; assume(x == 4); return 0; }", &[]), Ok(Outcome::AssumeFailed));
    // The state comes back.
    assert_eq!(run("int main(void) { int x = 0; while (1) { x ^= 1; if (x > 2) return 1; } }", &[]), Ok(Outcome::Steps));
    let zero = run("int main(void) { int x = 0; if (x == 0) x = 5 / x; if (x > 1) return 1; return 0; }", &[]);
    assert!(matches!(zero, Ok(Outcome::Undefined(_))), "{zero:?}");
}

#[test]
fn whatever_is_not_determined_ends_the_run() {
    let value = [
        "int nondet(void); int main(void) { int x = nondet(); if (x > 3) return 1; return 0; }",
        "int f(int x) { if (x > 3) return 1; return 0; }",
        "int main(int argc, char **argv) { if (argc > 1) return 1; return 0; }",
        "volatile int v; int main(void) { if (v) return 1; return 0; }",
        "int other(void); int main(void) { if (other()) return 1; return 0; }",
        "void other(int *p); int main(void) { int x = 1; other(&x); if (x) return 1; return 0; }",
        "int main(void) { int x; if (x) return 1; return 0; }",
        "int main(void) { int a[3]; a[0] = 1; a[2] = 2; for (int i = 0; i < 3; i++) if (a[i] == 5) return 1; return 0; }",
        "int g; int s(int v) { g = v; return v; } int main(void) { int r = s(1) + s(2); if (g == 2) return r; return 0; }",
        "static int s; void set(int x) { s = x; } int f(void) { if (s) return 1; return 0; }",
        "int g; int f(void) { if (g) return 1; return 0; }",
        "int main(void) { int c = getchar(); if (c == 65) return 1; return 0; }",
    ];
    for source in value {
        let why = run(source, &[]);
        assert!(matches!(&why, Err(why) if why.contains("nothing in the program determines")), "{why:?}: {source}");
    }
    // Under an assumption that takes the choice away there is none.
    assert_eq!(run(value[5], &["quiet-externals"]), Ok(Outcome::Returned));
    assert_eq!(run(value[8], &["left-to-right"]), Ok(Outcome::Returned));
    assert_eq!(run(value[9], &["first-call"]), Ok(Outcome::Returned));
    let deep = "int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; } int main(void) { if (f(5000) > 3) return 1; return 0; }";
    assert!(run(deep, &[]).is_err_and(|why| why.contains("calls itself")));
    let counts = "int main(void) { unsigned x = 0; while (1) x++; return x; }";
    assert!(run(counts, &[]).is_err_and(|why| why.contains("steps")));
}

const SORT: &str = "int main(void) {\n  int a[5] = {4, 1, 3, 5, 2}, swaps = 0;\n  for (int i = 0; i < 5; i++)\n    for (int j = 0; j + 1 < 5 - i; j++)\n      \
    if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; swaps++; }\n  if (swaps > 10) return 2;\n  if (a[0] != 1) return 3;\n  return 0;\n}\n";
const ABORTS: &str =
    "int main(void) {\n  int x = 1;\n  while (x < 100) x *= 3;\n  assert(x == 81);\n  if (x > 3) return 1;\n  return 0;\n}\n";

#[test]
fn a_forged_claim_is_rejected() {
    for (source, taken) in [(SORT, true), (ABORTS, true), (ABORTS, false)] {
        let settings = json!({ "unwind": null, "algorithm": "prefer", "precondition": null });
        let answered = ask("cover", &about(source, None), &settings, &mut |_| true).expect("a program");
        assert_eq!(rejected(&answered.evidence), [""; 0]);
        let is_meant = |claim: &&Claim| matches!(claim.statement, Statement::Determined { taken: of, .. } if of == taken);
        let claim = answered.evidence.claims.iter().find(is_meant).expect("the claim");
        let base = loaded(&about(source, None)).base;
        let is_believed = |taken: bool, edges: Vec<u32>| {
            let statement = Statement::Determined { taken, edges };
            check_assuming(&base, &Claim { statement, ..claim.clone() }).is_ok()
        };
        let edges = claim.statement.edges().to_vec();
        assert!(!edges.is_empty() && is_believed(taken, edges.clone()) && !is_believed(!taken, edges.clone()));
        // An edge more, an edge less, one that does not exist.
        for edge in 0..=base.graph.edge_count() as u32 {
            let mut changed: Vec<u32> = edges.iter().copied().filter(|&one| one != edge).collect();
            if changed.len() == edges.len() {
                changed.push(edge);
            }
            assert!(!is_believed(taken, changed), "edge {edge} of\n{source}");
        }
        // Another program: with other constants, with a draw.
        let drawing = "int nondet(void); int main(void) { if (nondet()) return 9;";
        for (from, to) in [("x < 100", "x < 50"), ("4, 1, 3, 5, 2", "1, 2, 3, 4, 5"), ("int main(void) {", drawing)] {
            if source.contains(from) {
                let evidence = Evidence { source: source.replace(from, to), claims: vec![claim.clone()], ..answered.evidence.clone() };
                assert_eq!(rejected(&evidence).len(), 1, "{}", evidence.source);
            }
        }
    }
}

#[test]
fn a_claim_needs_the_assumptions_that_determine_the_run() {
    let source = "int g; int s(int v) { g = v; return v; } int main(void) { int r = s(1) + s(2); if (g == 2) return r; return 0; }";
    let request = Request { assume: vec!["left-to-right".to_owned()], ..about(source, None) };
    let answered = ask("branches", &request, &json!({}), &mut |_| true).expect("a program");
    assert_eq!(answered.document["branches"], json!({ "total": 2, "covered": 1, "infeasible": 1, "open": 0 }));
    assert_eq!(rejected(&answered.evidence), [""; 0]);
    let claim = answered.evidence.claims.iter().find(|claim| claim.statement.kind() == "determined").expect("the claim");
    assert_eq!(claim.assumes, ["left-to-right"]);
    let without = Evidence { claims: vec![claim.clone().under(Vec::new())], ..answered.evidence.clone() };
    assert_eq!(rejected(&without).len(), 1);
}

/// An undefined end is told with its line, and nothing behind it is taken.
#[test]
fn an_undefined_end_is_told() {
    let source = "int main(void) {\n  int a[3] = {1, 2, 3}, i = 0;\n  while (a[i] > 0)\n    i++;\n  if (i > 3) return 1;\n  return 0;\n}\n";
    for (name, settings) in [("cover", json!({ "unwind": null, "algorithm": "prefer", "precondition": null })), ("branches", json!({}))] {
        let answered = ask(name, &about(source, None), &settings, &mut |_| true).expect("a program");
        let told = answered.document["diagnostics"].as_array().expect("a list").iter().find(|one| one["code"] == "undefined-run").cloned();
        assert_eq!(told.expect("a warning")["place"]["line"], 3, "{name}");
        assert_eq!(answered.document["complete"], true, "{name}");
        if name == "branches" {
            assert_eq!(answered.document["branches"], json!({ "total": 4, "covered": 1, "infeasible": 3, "open": 0 }));
        }
    }
}

/// A run of more edges than a path keeps: what it takes at its end is covered all the same.
#[test]
fn a_long_run_settles_what_it_takes_last() {
    let source =
        "int main(void) {\n  unsigned s = 0;\n  for (int i = 0; i < 40000; i++) s += i & 3;\n  if (s != 60000) return 1;\n  return 0;\n}\n";
    let answered = ask("branches", &about(source, None), &json!({}), &mut |_| true).expect("a program");
    assert_eq!(answered.document["branches"], json!({ "total": 4, "covered": 3, "infeasible": 1, "open": 0 }));
    assert_eq!(answered.document["tests"][0]["edges"].as_array().expect("edges").len(), 100_000);
    assert_eq!(answered.document["tests"][0]["takes"], json!([0, 1, 3]));
    assert_eq!(rejected(&answered.evidence), [""; 0]);
}

const SHAPE: Shape = Shape {
    constants: -3..6,
    variables: &["x", "y", "z"],
    expression: (2, 5),
    operations: &[
        (4, Operation::Sum),
        (1, Operation::Multiple),
        (2, Operation::Behind(&["/ 2", "% 3", "& 5"])),
        (1, Operation::Element),
        (1, Operation::Quotient),
    ],
    comparisons: &["<", "<=", "==", "!=", ">"],
    conditions: &[(8, Condition::Comparison), (1, Condition::Text("nondet()"))],
    connectives: &[Connective::And, Connective::Or],
    statements: &[
        (4, Action::Assign),
        (1, Action::Store),
        (1, Action::Text("z++;")),
        (1, Action::Text("w = nondet();")),
        (1, Action::Text("y = other();")),
        (1, Action::Text("y = s(x) + s(z);")),
        (1, Action::Assume),
        (1, Action::Assert),
        (1, Action::Text("return y;")),
    ],
    nesting: (3, 12),
    blocks: &[(1, Block::If), (2, Block::IfElse), (1, Block::While)],
    length: 2..7,
    declarations: "int z = x - y, w;",
};

/// A program whose `main` gives the function constants.
fn program() -> impl Strategy<Value = String> {
    (SHAPE.program(), -2i64..5, -2i64..5).prop_map(|(function, x, y)| {
        let array = if function.contains("int a[],") { "b, " } else { "" };
        format!(
            "int nondet(void); int other(void); int g; int s(int v) {{ g += v; return g; }}\n{function}\n\
             int main(void) {{ int b[4] = {{1, 2, 0, 3}}; return f({array}{x}, {y}); }}"
        )
    })
}

/// Some inputs that give arbitrary values to whatever has none.
fn arbitrary(loaded: &Loaded) -> Vec<Input> {
    let free = inputs(&loaded.lts);
    let input = |seed: i64| {
        let value = |at: usize| Int::from((seed * 7 + at as i64 * 3) % 11 - 5);
        let values = free.variables.iter().enumerate().map(|(at, &id)| (loaded.lts.variable(id).name.clone(), value(at)));
        let arrays = free.arrays.iter().enumerate().map(|(at, &id)| {
            let elements = (0..4usize).map(|index| (Int::from(index), value(at + index))).collect();
            (loaded.lts.array(id).name.clone(), ArrayInput { elements, default: value(at) })
        });
        Input {
            values: values.collect::<Vec<_>>().into_iter().collect(),
            arrays: arrays.collect::<Vec<_>>().into_iter().collect(),
            nondet: (0..20).map(value).collect(),
            ..Input::default()
        }
    };
    (0..12).map(input).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(60), ..ProptestConfig::default() })]

    /// Where the run counts, no values of whatever the program leaves open make another one; and the verdicts are what the run does.
    #[test]
    fn no_input_makes_another_run(source in program()) {
        let request = Request { function: Some("main".to_owned()), ..about(&source, Some(20_000)) };
        let loaded = loaded(&request);
        let machine = Machine::new(&loaded.lts);
        let Ok(only) = DeterminedRun::of(&loaded.lts, &machine, STEPS) else { return Ok(()) };
        for input in arbitrary(&loaded) {
            let run = machine.run(&input, STEPS);
            let length = only.run.edges.len().min(run.edges.len());
            prop_assert_eq!((&run.edges[..length], &run.outcome), (&only.run.edges[..], &only.run.outcome), "{}", source);
            prop_assert!(run.edges.iter().all(|&edge| only.edges(true).contains(&edge)), "{}", source);
        }
        let answered = ask("branches", &request, &json!({}), &mut |_| true).expect("a program");
        prop_assert_eq!(rejected(&answered.evidence), [""; 0], "{}", source);
        let taken = only.edges(true);
        for side in answered.document["list"].as_array().expect("a list") {
            let is_taken = taken.iter().any(|edge| side["edges"].as_array().expect("edges").contains(&json!(edge.index())));
            prop_assert_eq!(&side["verdict"], if is_taken { "covered" } else { "infeasible" }, "{} in {}", side, source);
        }
        let settings = json!({ "unwind": null, "algorithm": "prefer", "precondition": null });
        let covered = ask("cover", &request, &settings, &mut |_| true).expect("a program");
        prop_assert_eq!(rejected(&covered.evidence), [""; 0], "{}", source);
        for statement in covered.document["infeasible"].as_array().expect("a list") {
            prop_assert!(!taken.iter().any(|edge| statement["edge"] == json!(edge.index())), "{} in {}", statement, source);
        }
        let untaken = loaded.lts.graph.edge_count() - taken.len();
        prop_assert_eq!(covered.document["infeasible"].as_array().expect("a list").len(), untaken, "{}", source);
    }
}
