//! Sequences of calls: tests that begin with other calls, and what no call leaves.

use crate::common::cases;
use culdesac::analysis::cover::{Cover, CoverDocument, CoverSettings};
use culdesac::analysis::{Asked, Listener, check::check};
use culdesac::evidence::{Claim, Evidence};
use culdesac::interp::{Input, Outcome, run};
use culdesac::lang;
use culdesac::lts::lower::{IntegerModel, Options, lower_with};
use culdesac::source::LineIndex;
use culdesac::view::{Call, InputValue, Number, Reply, Request};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;

fn request(source: &str, function: &str) -> Request {
    Request { program: "p".to_owned(), source: source.to_owned(), function: Some(function.to_owned()), ..Request::default() }
}

fn cover(request: &Request) -> (CoverDocument, Evidence) {
    let settings = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
    let (mut claims, mut progress) = (Vec::new(), |_| true);
    let mut listener = Listener { claims: Some(&mut claims), ..Listener::new(&mut progress) };
    let asked = Asked { request: Some(request.clone()), settings };
    let document = match asked.answer::<Cover>(&Default::default, &mut listener) {
        Reply::Document { document } => document,
        Reply::Refused { diagnostics } => panic!("{}: {diagnostics:?}", request.source),
    };
    let evidence = Evidence::of(request, &document.header, claims);
    assert_eq!(rejected(&evidence), Vec::<String>::new(), "{}", request.source);
    (document, evidence)
}

fn rejected(evidence: &Evidence) -> Vec<String> {
    match check(evidence) {
        Reply::Document { document } => document.rejected.into_iter().map(|rejected| rejected.reason).collect(),
        Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
    }
}

fn infeasible(source: &str, function: &str) -> Vec<(String, Vec<String>)> {
    let (document, _) = cover(&request(source, function));
    document.infeasible.into_iter().map(|statement| (statement.text, statement.assumes)).collect()
}

/// What each test calls, e.g. `set(2) f(1)`: of calls with one argument its value.
fn sequences(document: &CoverDocument) -> Vec<String> {
    let value = |input: &culdesac::view::Input| match input.values.values().next() {
        Some(InputValue::Scalar(Number::Small(value))) => value.to_string(),
        _ => String::new(),
    };
    let call = |call: &Call| format!("{}({})", call.function, value(&call.input));
    document.tests.iter().map(|test| test.after.iter().map(call).collect::<Vec<_>>().join(" ")).collect()
}

fn left_by_calls(text: &str) -> (String, Vec<String>) {
    (text.to_owned(), vec!["left-by-calls".to_owned()])
}

const MODE: &str = "static int mode; void set(int m) { if (m >= 0 && m < 3) mode = m; }\n\
    int f(int x) { if (mode == 2) return x; if (mode == 5) return 1; return 0; }";

#[test]
fn the_three_answers_are_told_apart() {
    let (document, evidence) = cover(&request(MODE, "f"));
    // Reached in the first call; reached after another call; reached by no call.
    assert_eq!(sequences(&document), ["", "set(2)"]);
    assert!(document.tests.iter().all(|test| test.assumes.is_empty()));
    assert_eq!(infeasible(MODE, "f"), [left_by_calls("mode == 5")]);
    assert!(document.header.assumptions.iter().any(|one| one.id == "left-by-calls"));
    // Who does without the assumption is told a start that may be none.
    let without = Request { no_assume: vec!["left-by-calls".to_owned()], ..request(MODE, "f") };
    let (document, _) = cover(&without);
    assert_eq!(document.infeasible.len(), 0);
    assert_eq!(document.tests.iter().filter(|test| test.assumes == ["any-state"]).count(), 1);
    // The check follows the calls, and believes no other ones.
    let forged = |change: &dyn Fn(&mut Claim)| {
        let mut evidence = evidence.clone();
        evidence.claims.iter_mut().for_each(change);
        rejected(&evidence)
    };
    let calls = |change: fn(&mut Vec<Call>)| {
        forged(&move |claim| {
            if let Claim::Reached { after, .. } = claim
                && !after.is_empty()
            {
                change(after);
            }
        })
    };
    assert_eq!(calls(|after| after.truncate(0)), ["`mode` does not start with its first value, and the claim does not assume `any-state`"]);
    assert_eq!(
        calls(|after| drop(after[0].input.values.insert("m".to_owned(), InputValue::Scalar(Number::Small(1))))),
        ["the calls before it leave another value in `mode`"]
    );
    assert_eq!(
        calls(|after| drop(after[0].input.values.insert("mode".to_owned(), InputValue::Scalar(Number::Small(2))))),
        ["call 1, of `set`: `mode` is what the calls before it left"]
    );
    assert_eq!(
        calls(|after| after[0].function = "get".to_owned()),
        ["call 1, of `get`: it is no function that leaves anything for this one"]
    );
    let bare = forged(&|claim| {
        if claim.assumes() == ["left-by-calls"] {
            *claim = claim.clone().under(Vec::new());
        }
    });
    assert_eq!(bare.len(), 1, "{bare:?}");
    let borrowed = forged(&|claim| {
        if !matches!(claim, Claim::Excluded { .. }) {
            *claim = claim.clone().under(vec!["left-by-calls".to_owned()]);
        }
    });
    let refused = "only what a graph excludes can rest on `left-by-calls`";
    assert!(borrowed.len() >= 2 && borrowed.iter().all(|reason| reason == refused), "{borrowed:?}");
}

#[test]
fn a_state_machine_is_driven() {
    let source = "enum st { IDLE, RUN, DONE, LOST };\nint step(int ev) {\n  static enum st s = IDLE;\n  switch (s) {\n    case IDLE: if (ev == 1) s = RUN; break;\n    case RUN: if (ev == 2) s = DONE; break;\n    case DONE: return 1;\n    case LOST: return 2;\n  }\n  return 0;\n}\n";
    let (document, _) = cover(&request(source, "step"));
    assert!(sequences(&document).contains(&"step(1) step(2)".to_owned()), "{:?}", sequences(&document));
    assert!(document.tests.iter().all(|test| test.assumes.is_empty()));
    assert_eq!(infeasible(source, "step"), [left_by_calls("!(s == DONE)"), left_by_calls("s == LOST"), left_by_calls("!(s == LOST)")]);
}

#[test]
fn failures_come_after_calls_too() {
    let source = "#include <assert.h>\nstatic int n; void push(int v) { assert(n < 3); if (v > 0) n++; }";
    let (document, _) = cover(&request(source, "push"));
    assert_eq!(document.errors.len(), 1);
    assert_eq!((document.errors[0].after.len(), document.errors[0].assumes.len()), (3, 0));
}

#[test]
fn arrays_and_counters_are_left_by_calls() {
    let source = "static int cache[5]; static int n;\nint push(int v) { if (n >= 5) return -1; cache[n] = v; n++; return n; }\n\
        int pop(void) { if (n == 0) return -1; n--; if (cache[n] > 100) return 1; if (n == 3) return 2; return 0; }";
    for function in ["push", "pop"] {
        let (document, _) = cover(&request(source, function));
        assert_eq!(document.covered, document.statements);
        assert!(document.tests.iter().all(|test| test.assumes.is_empty()), "{function}");
    }
}

/// Where a start of the function may be in the middle of something, what calls leave says nothing.
#[test]
fn what_is_no_sequence_of_calls_is_not_assumed() {
    let of = |rest: &str| infeasible(&format!("static int mode; int f(int x) {{ if (mode == 1) return 1; return 0; }} {rest}"), "f");
    let excluded = left_by_calls("mode == 1");
    assert_eq!(of("void off(void) { mode = 0; }"), std::slice::from_ref(&excluded));
    // A function of the program calls it in between, itself or through others.
    assert_eq!(of("int g(int x) { mode = 1; int r = f(x); mode = 0; return r; }"), []);
    assert_eq!(of("static int h(int x) { return f(x); } int g(int x) { mode = 1; int r = h(x); mode = 0; return r; }"), []);
    assert_eq!(of("int main(void) { mode = 1; int r = f(3); mode = 0; return r; }"), []);
    // Somebody else does while it waits.
    assert_eq!(of("void wait(void); void g(void) { mode = 1; wait(); mode = 0; }"), []);
    // Its address is known to others.
    assert_eq!(of("int *share(void) { mode = 0; return &mode; }"), []);
    // What only calls one after another is no middle.
    assert_eq!(of("void off(void) { mode = 0; } int main(void) { off(); int r = f(3); off(); return r; }"), [excluded]);
    // A function that only others call is called by these alone.
    let inner = "static void set(int m) { mode = m; } void g(int x) { set(1); set(0); }";
    assert_eq!(of(inner), [left_by_calls("mode == 1")]);
    assert_eq!(of(&format!("{inner} int main(void) {{ set(1); return f(2); }}")), []);
    // No test begins with a call that nobody can make.
    let (document, _) = cover(&request(
        "static int mode; static void set(int m) { mode = m; } int main(void) { set(1); return 0; } int f(void) { if (mode == 1) return 1; return 0; }",
        "f",
    ));
    assert!(document.tests.iter().all(|test| test.after.is_empty()));
}

/// Contents that a function without a body may write on one way only meet those of the other way: of these what is read counts.
#[test]
fn contents_without_a_common_beginning_meet() {
    let source = "void tick(void); int f(int *p, int x) {\n p[1] = 3;\n if (x > 3)\n tick();\n if (*p == 1) {\n if (p[1] != 3 && x < 2)\n return 5;\n return 1; }\n return 0; }";
    let excluded = infeasible(source, "f");
    assert_eq!(excluded.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(), ["x < 2"]);
    let (document, evidence) = cover(&request(source, "f"));
    assert_eq!(document.covered + 1, document.statements);
    // The same text with another bound is not what the certificate shows.
    let other = Evidence { source: source.replace("x < 2", "x < 9"), ..evidence };
    assert!(!rejected(&other).is_empty());
    // An element at a place that only a run knows.
    let walk = "void tick(void); int f(int *p, int n, int k) { for (int i = 0; i < 3; i++) { if (n > i) tick(); if (k == 2) p[i] = 7; } if (k == 2 && n < 0 && p[1] != 7) return 9; if (p[k] == 5) return 2; return 0; }";
    assert_eq!(infeasible(walk, "f").into_iter().map(|(text, _)| text).collect::<Vec<_>>(), ["p[1] != 7"]);
}

/// A condition (variable, comparison, constant) and what is done where it holds, with its constant.
type Statement = (u8, u8, i8, u8, i8);

/// A program whose functions change two statics at random; each statement stands on its own line.
#[derive(Clone, Debug)]
struct Program {
    bodies: Vec<Vec<Statement>>,
    shape: u8,
}

const VARIABLES: [&str; 3] = ["a", "b", "x"];

impl Program {
    fn source(&self) -> String {
        let mut out = String::from("static int a;\nstatic int b = 2;\n");
        for (number, body) in self.bodies.iter().enumerate() {
            let name = ["g", "h", "f"][number];
            let qualifier = if number == 1 && self.shape & 1 == 1 { "static " } else { "" };
            let _ = writeln!(out, "{qualifier}int {name}(int x) {{\nint r = 0;");
            for &(left, op, constant, effect, by) in body {
                let (left, op) = (VARIABLES[usize::from(left % 3)], ["==", "<", ">", "!="][usize::from(op % 4)]);
                let effect = match effect % 8 {
                    0 => format!("a = {by};"),
                    1 => format!("b = {by};"),
                    2 => "if (a < 6)\na = a + 1;".to_owned(),
                    3 => "a = b;".to_owned(),
                    4 => "if (x > 0 && x < 4)\nb = x;".to_owned(),
                    5 if number == 1 => "g(x);".to_owned(),
                    6 if number == 2 && self.shape & 2 == 2 => "h(x);".to_owned(),
                    _ => format!("r = {by};"),
                };
                let _ = writeln!(out, "if ({left} {op} {constant}) {{\n{effect}\n}}");
            }
            out.push_str("return r;\n}\n");
        }
        if self.shape & 4 == 4 {
            out.push_str("int k(int x) {\ng(x);\nreturn f(x);\n}\n");
        }
        if self.shape & 8 == 8 {
            out.push_str("int m(int x) {\na = 4;\nf(x);\na = 0;\nreturn 0;\n}\n");
        }
        out
    }

    /// What may be called from outside.
    fn callable(&self) -> Vec<&'static str> {
        let named = [(true, "f"), (true, "g"), (self.shape & 1 == 0, "h"), (self.shape & 4 == 4, "k"), (self.shape & 8 == 8, "m")];
        named.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect()
    }
}

/// The lines of the program that run when these calls are made one after another; `None` where that is undefined.
fn driven(source: &str, calls: &[(String, i64)]) -> Option<BTreeSet<u32>> {
    let body: String = calls.iter().map(|(name, x)| format!("{name}({x}); ")).collect();
    let text = format!("{source}int main(void) {{ {body} return 0; }}\n");
    let program = lang::parse(&text).program.expect("no error");
    let options = Options { ints: IntegerModel::C32, ..Options::default() };
    let lts = lower_with(&program, Some("main"), &options).expect("no error").lts;
    let run = run(&lts, &Input::default(), 100_000);
    let lines = LineIndex::new(&text);
    (run.outcome == Outcome::Returned).then(|| run.edges.iter().map(|&edge| lines.line(lts.graph[edge].span.start)).collect())
}

fn program() -> impl Strategy<Value = Program> {
    let statement = (any::<u8>(), any::<u8>(), -1..6i8, any::<u8>(), -1..6i8);
    (prop::collection::vec(prop::collection::vec(statement, 1..4), 3), 0..16u8).prop_map(|(bodies, shape)| Program { bodies, shape })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(60)))]

    /// Whatever is called, no line runs that is said to be infeasible, and each sequence of a test runs the lines that it says.
    #[test]
    fn no_sequence_contradicts(program in program(), seeds in prop::collection::vec(prop::collection::vec((any::<prop::sample::Index>(), -2..7i64), 1..9), 25)) {
        let source = program.source();
        let (document, _) = cover(&request(&source, "f"));
        let plain = |line: u32| source.lines().nth(line as usize - 1).is_some_and(|text| !text.starts_with("if"));
        let dead: Vec<u32> = document.infeasible.iter().map(|one| one.line).filter(|&line| plain(line)).collect();
        // A line that is inlined more than once is dead only if each copy is.
        let alive: BTreeSet<u32> = document.tests.iter().flat_map(|test| test.lines.iter().copied()).collect();
        let of_f = |line: u32| source.lines().take(line as usize - 1).filter(|text| text.starts_with("int f(")).count() == 1
            && source.lines().take(line as usize - 1).filter(|text| text.starts_with("int k(") || text.starts_with("int m(")).count() == 0;
        for calls in &seeds {
            let calls: Vec<(String, i64)> = calls.iter().map(|(name, x)| ((*name.get(&program.callable())).to_owned(), *x)).collect();
            if let Some(lines) = driven(&source, &calls) {
                for line in &dead {
                    prop_assert!(!of_f(*line) || alive.contains(line) || !lines.contains(line), "{source}\nline {line} is run by {calls:?}");
                }
            }
        }
        for test in document.tests.iter().filter(|test| !test.after.is_empty() || test.assumes.is_empty()) {
            let x = |input: &culdesac::view::Input| match input.values.get("x") {
                Some(InputValue::Scalar(Number::Small(x))) => *x,
                _ => 0,
            };
            let mut calls: Vec<(String, i64)> = test.after.iter().map(|call| (call.function.clone(), x(&call.input))).collect();
            calls.push(("f".to_owned(), x(&test.input)));
            let lines = driven(&source, &calls);
            let lines = lines.unwrap_or_else(|| panic!("{source}\n{calls:?} does not return"));
            prop_assert!(test.lines.iter().all(|line| lines.contains(line)), "{source}\n{calls:?} runs {lines:?}, not {:?}", test.lines);
        }
    }
}
