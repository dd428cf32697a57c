//! Functions that call themselves: what is infeasible is so at every depth.

use crate::common::asking::{about, ask, rejected};
use crate::differential::random::numbers;
use culdesac::interp::{Input, Machine, Outcome, Run};
use culdesac::load::load_assuming;
use culdesac::logic::Int;
use culdesac::lts::Lts;
use culdesac::view::Request;
use serde_json::{Value, json};

/// Steps of a question.
const LIMIT: u64 = 1_000_000;
/// Deeper than the copies of the shallow graph.
const DEEP: u32 = 10;

/// The verdicts on the branches of `f`, by their places and texts; the evidence is accepted.
fn verdicts(source: &str, inline_depth: Option<u32>) -> Vec<(String, String)> {
    let request = Request { function: Some("f".to_owned()), inline_depth, ..about(source, Some(LIMIT)) };
    let answered = ask("report", &request, &json!({}), &mut |_| true).unwrap_or_else(|| panic!("refused:\n{source}"));
    assert_eq!(rejected(&answered.evidence), Vec::<String>::new(), "{source}");
    let list = answered.document["list"].as_array().expect("a list");
    let text = |branch: &Value, key: &str| branch[key].as_str().unwrap_or_default().to_owned();
    list.iter()
        .map(|branch| {
            (format!("{}:{} {} {}", branch["line"], branch["column"], text(branch, "text"), text(branch, "side")), text(branch, "verdict"))
        })
        .collect()
}

/// How many branches have this verdict.
fn count(source: &str, verdict: &str) -> usize {
    verdicts(source, None).iter().filter(|(_, other)| other == verdict).count()
}

#[test]
fn what_never_runs_does_so_at_every_depth() {
    for (infeasible, source) in [
        (1, "int f(int n) { if (n < 0) return -1; if (n == 0) return 1; if (n < 0) return 2; return n * f(n - 1); }"),
        (1, "int f(int a, int b) { if (b == 0) return a; if (b == 0) return 7; return f(b, a % b); }"),
        // With arguments of calls, as deep as they go.
        (
            1,
            "static int down(int d) { if (d > 100) return 0; if (d < 0) return 1; return down(d + 1); } int f(int x) { if (x < 0) return -1; return down(x); }",
        ),
        // One run returns from the greatest depth.
        (
            1,
            "static int grow(int d) { if (d > 30) return 9; return grow(d + 1); } int f(int x) { if (x == 3 && grow(0) == 9) return 1; return 0; }",
        ),
        (
            2,
            "static int odd(int n); static int even(int n) { if (n == 0) return 1; if (n < 0) return 5; return odd(n - 1); } static int odd(int n) { if (n == 0) return 0; if (n < 0) return 6; return even(n - 1); } int f(int n) { if (n < 0) return 2; return even(n); }",
        ),
        // Arrays that are passed on, and globals.
        (1, "int f(int a[], int n) { if (n <= 0) return 0; if (n < 0) return 1; return a[n - 1] + f(a, n - 1); }"),
        (
            1,
            "static int calls; static void visit(int n) { calls = calls + 1; if (n > 0) visit(n - 1); } int f(int n) { calls = 0; if (n > 50 || n < 0) return 0; if (n > 60) return 3; visit(n); if (calls > 40) return 1; return 2; }",
        ),
    ] {
        let found = count(source, "infeasible");
        assert_eq!(found, infeasible, "{:?}\n{source}", verdicts(source, None));
    }
}

/// Programs in which a function calls itself or another one that calls it, with a global, an array, and what it returns in conditions.
fn recursive(number: u64) -> String {
    let pick = |at: u64, from: &[&str]| from[(number / 7u64.pow(at as u32) + at) as usize % from.len()].to_owned();
    let condition = pick(0, &["p == 3", "q < 0", "v > 4", "x == 2", "t[1] > p", "p + q == 7", "v == x"]);
    let other = pick(1, &["x > 5", "q == p", "t[p & 3] < 0", "v < -2", "p == 11", "x == q", "v == 8"]);
    let change = pick(2, &["x = x + 1", "t[p & 3] = q", "q = (q + v) % 20", "v = x - p", "x = 2", "t[1] = p", "q = -q"]);
    let first = pick(3, &["p - 1, q", "p / 2, p", "p - 2, q + 1", "p - 1, v", "p - 3, x", "p - 1, t[1]", "p / 3, q - p"]);
    let after = pick(4, &["v = v % 10", "x = v", "t[2] = v", "v = v - x", "q = v", "x = x - 1", "v = t[1]"]);
    let last = pick(5, &["v > 6", "x == 4", "t[2] == 3", "q == 13", "v == -1", "x < 0", "p == 1 && v == 0"]);
    let called = if number.is_multiple_of(3) { "h" } else { "g" };
    format!(
        "static int x, t[4];
static int g(int p, int q);
static int h(int p, int q) {{ if (q > 30) return 1; return g(p, q) - 1; }}
static int g(int p, int q) {{
  int v = 1;
  if (p <= 0) return q % 5;
  if ({condition}) {change};
  if ({other}) return v;
  v = {called}({first}) % 40;
  {after};
  if ({last}) return 3;
  return v + 1;
}}
int f(int n) {{ x = 1; t[0] = 0; t[1] = 1; t[2] = 2; t[3] = 3; int v = g(n % 12, n % 7); if (v == 4) return 1; if (x == 9) return 2; return v; }}
"
    )
}

/// The graph of `f` with so many copies of a function within itself.
fn graph(source: &str, inline_depth: u32) -> Lts {
    let request = Request { function: Some("f".to_owned()), inline_depth: Some(inline_depth), ..about(source, None) };
    load_assuming(&request, None).unwrap_or_else(|_| panic!("refused:\n{source}")).base
}

/// Runs that go deeper than the copies are those of graphs with more copies.
#[test]
fn deep_runs_are_those_of_more_copies() {
    let sources = numbers(12).map(|number| recursive(number.wrapping_mul(2_654_435_761) % 1_000_003));
    let others = [
        // Two calls, whose results both count, and a static that all calls change.
        "static int calls; static int fib(int n) { calls++; if (n < 2) return n; int one = fib(n - 1), other = fib(n - 2); return one + other; }
            int f(int n) { calls = 0; return fib(n % 7) * 1000 + calls; }",
        // A local array and one that is passed on, a loop around the call, and a result that is dropped.
        "static void fill(int *t, int n) { int own[3] = {n, n + 1, n + 2}; if (n <= 0) return;
            for (int i = 0; i < 3; i++) { own[i] += t[i]; if (i == n % 3) fill(t, n - 1); t[i] += own[i] % 5; } }
            int f(int n) { int t[3] = {1, 2, 3}; fill(t, n % 9); return t[0] * 100 + t[1] * 10 + t[2]; }",
        // Functions that call each other, through a third one.
        "static int odd(int n, int k); static int through(int n, int k) { int before = k % 4; return odd(n - 1, k + 1) + before; }
            static int even(int n, int k) { if (n <= 0) return k; int own = k * 2; int v = through(n, k); return v + own % 3; }
            static int odd(int n, int k) { if (n <= 0) return -k; int own = k + n; return even(n - 1, k) - own % 5; }
            int f(int n) { return even(n % 13, n % 3); }",
        // The function itself.
        "int f(int n) { if (n <= 0 || n > 11) return 3; int before = n * n; int v = f(n - 1); return v * 2 % 101 + before; }",
        // Several returns, one of them in a loop, and calls as arguments of a call.
        "static int g(int n, int m) { for (int i = 0; i < n; i++) { if ((i + m) % 5 == 3) return g(n - 1, i) + i; } if (n < 1) return m;
            return g(n - 1, g(n - 2, m + 1) % 7) + 1; } int f(int n) { return g(n % 6, n % 4); }",
    ];
    let mut deep_runs = 0;
    for source in sources.chain(others.map(str::to_owned)) {
        let (few, many) = (graph(&source, 1), graph(&source, 14));
        let (deep, shallow) = (Machine::deep(&few), Machine::new(&many));
        for n in 0..14 {
            let input = Input { values: [("n".to_owned(), Int::from(n))].into_iter().collect(), ..Input::default() };
            let (one, other) = (deep.run(&input, 200_000), shallow.run(&input, 200_000));
            let kind = |run: &Run| (std::mem::discriminant(&run.outcome), run.value.clone());
            if other.outcome != Outcome::Cut {
                assert_eq!(kind(&one), kind(&other), "n = {n}\n{source}");
                deep_runs +=
                    usize::from(Machine::new(&few).run(&input, 200_000).outcome == Outcome::Cut && other.outcome == Outcome::Returned);
            }
        }
    }
    assert!(deep_runs > 60, "{deep_runs}");
}

/// How deep calls go is no decision of the program.
#[test]
fn a_run_goes_as_deep_as_calls_do() {
    let source = "int down(int n) { if (n <= 0) return 7; return down(n - 1) + 1; } int f(int n) { return down(n); }";
    let request = Request { function: Some("f".to_owned()), inline_depth: Some(2), ..about(source, None) };
    let answered = ask("run", &request, &json!({ "input": { "n": 300 } }), &mut |_| true).expect("it is accepted");
    assert_eq!((&answered.document["value"], &answered.document["outcome"]), (&json!(307), &json!("returned")), "{}", answered.document);
    let texts: Vec<&Value> = answered.document["branches"].as_array().expect("a list").iter().map(|branch| &branch["text"]).collect();
    assert!(!texts.is_empty() && texts.iter().all(|text| *text == "n <= 0"), "{texts:?}");
}

/// A program without inputs that calls itself is decided by its run, and one with few by the runs on all of them; so are its hazards.
#[test]
fn few_inputs_decide_at_every_depth() {
    let fact = "#include <stdio.h>\nint fact(int n) { if (n <= 1) return 1; return n * fact(n - 1); }\n";
    for (main, infeasible, safe) in [
        ("int f(void) { int v = fact(12); if (v <= 0) return 1; return 0; }", 1, true),
        (
            "int f(void) { int n = 0; if (scanf(\"%d\", &n) != 1 || n < 0 || n > 12) return 1; int v = fact(n); if (v <= 0) return 2; return 0; }",
            1,
            true,
        ),
        ("int f(int n) { if (n < 0 || n > 13) return 1; int v = fact(n); if (v <= 0) return 2; return 0; }", 1, false),
    ] {
        let source = format!("{fact}{main}");
        let request = Request { function: Some("f".to_owned()), ..about(&source, Some(LIMIT)) };
        let answered = ask("report", &request, &json!({}), &mut |_| true).expect("a program");
        assert_eq!(rejected(&answered.evidence), Vec::<String>::new(), "{source}");
        let count = |verdict: &str| {
            answered.document["list"].as_array().map_or(0, |list| list.iter().filter(|one| one["verdict"] == verdict).count())
        };
        assert_eq!((count("infeasible"), count("open")), (infeasible, 0), "{source}");
        let safety = &answered.document["safety"];
        assert_eq!((&safety["open"], safety["fails"] == 0), (&json!(0), safe), "{source}\n{safety}");
    }
}

/// A tree that is built by calls which give pointers: what a run through deeper calls takes is covered, beyond each bound.
#[test]
fn trees_are_built_by_calls() {
    let source = "#include <stdlib.h>
struct node { int key; struct node *left, *right; };
static struct node *insert(struct node *root, int key) {
    if (root == NULL) { struct node *n = malloc(sizeof *n); if (n == NULL) exit(1); n->key = key; n->left = n->right = NULL; return n; }
    if (key < root->key) root->left = insert(root->left, key);
    else if (key > root->key) root->right = insert(root->right, key);
    return root;
}
static int height(struct node *r) { if (!r) return 0; int a = height(r->left), b = height(r->right); return 1 + (a > b ? a : b); }
int f(void) {
    int v[] = {2, 1, 3, 4};
    struct node *root = NULL;
    for (int i = 0; i < 4; i++) root = insert(root, v[i]);
    if (height(root) > 3) return 1;
    return 0;
}
";
    let request = Request { function: Some("f".to_owned()), ..about(source, Some(LIMIT / 50)) };
    let answered = ask("report", &request, &json!({}), &mut |_| true).expect("a program");
    assert_eq!(rejected(&answered.evidence), Vec::<String>::new());
    let list = answered.document["list"].as_array().expect("a list");
    let count = |verdict: &str| list.iter().filter(|one| one["verdict"] == verdict).count();
    assert_eq!((count("covered"), count("infeasible"), count("open")), (13, 3, 0));
}

/// What a graph with two copies of a function excludes, no run takes that goes deeper.
#[test]
fn deep_runs_contradict_no_shallow_proof() {
    for number in numbers(12) {
        let source = recursive(number.wrapping_mul(2_654_435_761) % 1_000_003);
        let shallow = verdicts(&source, Some(1));
        let deep = verdicts(&source, Some(DEEP));
        let is = |verdict: &'static str| move |one: &&(String, String)| one.1 == verdict;
        let excluded: Vec<&str> = shallow.iter().filter(is("infeasible")).map(|(name, _)| name.as_str()).collect();
        let taken = deep.iter().filter(is("covered")).find(|(name, _)| excluded.contains(&name.as_str()));
        assert_eq!(taken, None, "{source}");
        let (taken, excluded) = (
            shallow.iter().filter(is("covered")).map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            deep.iter().filter(is("infeasible")).map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        );
        assert!(taken.iter().all(|name| !excluded.contains(name)), "{source}");
    }
}

/// No run goes along a path into a deeper call: such paths are open for that reason, and no fault.
#[test]
fn paths_into_deeper_calls_are_open() {
    let source = "int f(int n) { if (n <= 0) return 1; return n * f(n - 1); }";
    let request = Request { function: Some("f".to_owned()), inline_depth: Some(2), ..about(source, Some(LIMIT)) };
    let answered = ask("paths", &request, &json!({"lengths": [40], "feasible": true}), &mut |_| true).expect("a program");
    let text = answered.document.to_string();
    assert!(text.contains("deeper calls may take it") && !text.contains("did not accept"), "{text}");
}

/// The search among executions that go no deeper than the copies of functions makes no claim about the others.
#[test]
fn searches_in_copies_claim_nothing_of_deeper_calls() {
    let source = "static int g(int n) { if (n > 0) { if (n == 0) return 5; return g(n - 1) + 1; } return n < 0; }
        int f(int n) { int i = 0; while (i < 4 && n > 3) { n = g(n); i++; } return i > 0 && n > 9; }";
    let request = Request { function: Some("f".to_owned()), ..about(source, Some(300_000)) };
    let answered = ask("branches", &request, &json!({}), &mut |_| true).expect("it is accepted");
    let diagnostics = answered.document["diagnostics"].as_array().expect("a list");
    let faults: Vec<&Value> = diagnostics.iter().filter(|one| one["code"] == "fault").collect();
    assert_eq!((faults, rejected(&answered.evidence)), (Vec::new(), Vec::new()));
}
