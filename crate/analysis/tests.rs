//! Documents of small programs, and the paper's path counts.

use super::branches::{BranchesSettings, report::branches};
use super::cfg::{EdgeKind, cfg};
use super::check::{CheckDocument, check};
use super::draw::{DrawSettings, draw};
use super::paths::paths;
use super::run::{MAX_RECORDED_STEPS, RunChange, RunDocument, RunOutcome, run};
use super::{Analysis, Listener, Query, Visitor, with};
use crate::counting::report::PathsRow;
use crate::counting::report::RowEvent;
use crate::evidence;
use crate::load::{MAX_INLINE_DEPTH, load};
use crate::view::{Event, Input, InputValue, Number, Reply, Request, SCHEMA, Severity};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

const MERGE: &str = include_str!("../../examples/merge.c");
const F2: &str = include_str!("../../examples/f2.c");
const BUBBLE: &str = include_str!("../../examples/bubble.c");
const SUBSTRING: &str = include_str!("../../examples/substring.c");

fn request(source: &str) -> Request {
    Request {
        program: "test".into(),
        source: source.into(),
        function: None,
        limit: None,
        seed: 1,
        ints: None,
        inline_depth: None,
        ..Request::default()
    }
}

fn drawing(length: u32, count: u32) -> DrawSettings {
    DrawSettings { length, count, feasible_only: false, pruned: None, precondition: None }
}

fn accepted<T>(reply: Reply<T>) -> T {
    match reply {
        Reply::Document { document } => document,
        Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
    }
}

fn totals(source: &str) -> Vec<String> {
    let document = accepted(paths(&request(source), &[30, 50, 100], false, &mut Listener::new(&mut |_| true)));
    assert!(document.header.complete && document.open.is_none());
    document.table.into_iter().map(|row| row.total).collect()
}

#[test]
fn agvw16_tables_one_to_three() {
    assert_eq!(totals(MERGE), ["1224", "24434", "25862000"]);
    assert_eq!(totals(BUBBLE), ["1474", "643910", "2375643869269"]);
    assert_eq!(totals(SUBSTRING), ["1433", "195874", "42493470745"]);
}

#[test]
fn a_graph() {
    let document = accepted(cfg(&request(SUBSTRING)));
    assert_eq!((document.functions.as_slice(), document.header.function.as_str()), (["substring".to_owned()].as_slice(), "substring"));
    assert_eq!((document.locations.len(), document.edges.len(), document.loop_headers.len()), (9, 12, 2));
    assert!(document.reducible && document.error.is_none());
    let names: Vec<_> = document.inputs.iter().map(|input| (input.name.as_str(), input.array)).collect();
    assert_eq!(names, [("l1", false), ("l2", false), ("s1", true), ("s2", true)]);
    let first = &document.edges[0];
    assert_eq!((first.kind, first.label.as_str(), first.holds), (EdgeKind::Assign, "i = 0", None));
    for location in &document.locations {
        assert_eq!(location.loop_header, document.loop_headers.contains(&location.id));
        assert_eq!(location.dominator.is_none(), location.id == document.entry);
    }
    for edge in document.edges.iter().filter(|edge| edge.kind == EdgeKind::Assume) {
        assert_eq!(document.edges.iter().filter(|other| other.from == edge.from && other.holds != edge.holds).count(), 1);
    }
}

#[test]
fn programs_and_questions_are_refused() {
    let codes = |request: &Request| match cfg(request) {
        Reply::Document { .. } => Vec::new(),
        Reply::Refused { diagnostics } => diagnostics.into_iter().map(|d| (d.severity, d.place.line)).collect(),
    };
    assert_eq!(codes(&request("int f() {\n  return x;\n}")), [(Severity::Error, 2)]);
    assert_eq!(codes(&Request { function: Some("g".into()), ..request(MERGE) }).len(), 1);
    assert!(matches!(paths(&request(MERGE), &[30, 10_001], false, &mut Listener::new(&mut |_| true)), Reply::Refused { .. }));
    assert!(matches!(draw(&request(MERGE), &drawing(10_001, 1), &mut Listener::new(&mut |_| true)), Reply::Refused { .. }));
}

#[test]
fn a_listener_may_stop_the_count() {
    let mut rows = 0;
    let mut stop_after_two = |event: Event| {
        rows += u32::from(event.news::<RowEvent>().is_some());
        rows < 2
    };
    let document = accepted(paths(&request(BUBBLE), &[90, 50, 30], false, &mut Listener::new(&mut stop_after_two)));
    // Rows are counted by length and listed as asked.
    assert_eq!(document.table.iter().map(|row| row.length).collect::<Vec<_>>(), [50, 30]);
    assert_eq!((document.header.complete, document.open.as_deref()), (false, Some("cancelled")));
    let limited = Request { limit: Some(1), ..request(BUBBLE) };
    let document = accepted(paths(&limited, &[10_000, 5], false, &mut Listener::new(&mut |_| true)));
    assert_eq!(document.table.iter().map(|row| row.length).collect::<Vec<_>>(), [5]);
    assert!(!document.header.complete && document.open.is_some());
}

#[test]
fn what_was_covered_before_a_cancellation_stays() {
    // The search of the first call, which a function with statics begins with, takes long here.
    let text = "static int n; int f(unsigned x, unsigned y) { n++; if (x > 3) return 1; if (x * y * (x + y) == 7) return 2; if (n > 9) return 3; return 0; }";
    let mut most = 0;
    for stop in 1..6 {
        let mut events = 0;
        let mut stop_then = |event: Event| {
            events += u32::from(matches!(event, Event::Progress { .. }));
            events < stop
        };
        let document = accepted(branches(&request(text), &BranchesSettings::default(), &mut Listener::new(&mut stop_then)));
        assert!(document.branches.covered >= most.max(1), "after {stop}");
        most = document.branches.covered;
    }
}

#[test]
fn drawn_paths_are_complete() {
    let document = accepted(draw(&request(MERGE), &drawing(30, 50), &mut Listener::new(&mut |_| true)));
    let loaded = load(&request(MERGE)).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"));
    assert_eq!((document.population.as_str(), document.paths.len()), ("1224", 50));
    for path in &document.paths {
        let edges: Vec<_> = path.edges.iter().map(|&edge| crate::lts::EdgeId::new(edge as usize)).collect();
        let last = *edges.last().expect("the entry is not the exit");
        assert!(edges.len() <= 30 && loaded.lts.is_path_prefix(&edges) && loaded.lts.edge(last).2 == loaded.lts.exit);
    }
    // What a seed draws is the same everywhere, for ever.
    assert_eq!(document.paths[0].edges, [0, 1, 2, 4, 7, 10, 11, 2, 4, 7, 10, 11, 3, 12, 14, 13, 15, 17, 15, 17, 16]);
    // Where nothing can be drawn nothing is open.
    let endless = accepted(draw(&request("void f() { for (;;) ; }"), &drawing(100, 3), &mut Listener::new(&mut |_| true)));
    assert_eq!((endless.population.as_str(), endless.paths.len(), endless.header.complete), ("0", 0, true));
}

/// Outcome, value and reason of a run.
fn outcome(source: &str, input: &str) -> (RunOutcome, Option<Number>, Option<String>) {
    let input: Input = serde_json::from_str(input).expect("an input");
    let document = accepted(run(&request(source), &input));
    (document.outcome, document.value, document.reason)
}

#[test]
fn runs_end_in_every_way() {
    let value = |value| Some(Number::Small(value));
    assert_eq!(outcome(SUBSTRING, r#"{"l1": 5, "l2": 2, "nondet": [1, 0, 0, 1, 1]}"#), (RunOutcome::Returned, value(1), None));
    assert_eq!(outcome(SUBSTRING, r#"{"l1": 5, "l2": 9}"#), (RunOutcome::Returned, value(0), None));
    assert_eq!(outcome(MERGE, r#"{"la": 2, "lb": 2}"#), (RunOutcome::Returned, None, None));
    let asserted = "int f(int x) { assume(x > 0); assert(10 / (x - 2) != 10); return x; }";
    assert_eq!(outcome(asserted, r#"{"x": 1}"#), (RunOutcome::Returned, value(1), None));
    assert_eq!(outcome(asserted, r#"{"x": 3}"#), (RunOutcome::Aborted, None, Some("a failed assertion".into())));
    assert_eq!(outcome(asserted, r#"{"x": 0}"#), (RunOutcome::AssumeFailed, None, None));
    assert_eq!(outcome(asserted, r#"{"x": 2}"#), (RunOutcome::Undefined, None, Some("division by zero".into())));
    let array = "int f(int i) { int a[3] = {7, 8}; return a[i]; }";
    assert_eq!(outcome(array, r#"{"i": 1}"#), (RunOutcome::Returned, value(8), None));
    assert_eq!(outcome(array, r#"{"i": 3}"#), (RunOutcome::Undefined, None, Some("index 3 outside a[3]".into())));
    let endless = Request { limit: Some(10), ..request("void f() { while (1) ; }") };
    let document = accepted(run(&endless, &Input::default()));
    assert_eq!((document.outcome, document.steps, document.header.complete), (RunOutcome::Steps, 10, false));
}

/// What leads to an error is told by the edge.
#[test]
fn errors_and_aborts_are_told_apart() {
    let of = |body: &str| outcome(&format!("int f(int x) {{ {body} return x; }} // reach_error"), "{}");
    let reason = |text: &str| Some(text.to_owned());
    assert_eq!(of("if (x == 0) abort();"), (RunOutcome::Aborted, None, reason("abort()")));
    assert_eq!(of("assert(x);"), (RunOutcome::Aborted, None, reason("a failed assertion")));
    assert_eq!(of("if (x == 0) reach_error();"), (RunOutcome::ErrorCall, None, reason("an error call")));
    assert_eq!(of("if (x == 1) abort(); if (x == 0) reach_error();"), (RunOutcome::ErrorCall, None, reason("an error call")));
    assert_eq!(of("if (x == 1) reach_error(); if (x == 0) abort();"), (RunOutcome::Aborted, None, reason("abort()")));
}

/// The values of all variables after each step, by replaying the changes of the document.
fn replayed(document: &RunDocument) -> Vec<BTreeMap<String, InputValue>> {
    let mut values: BTreeMap<_, _> = document.variables.iter().map(|v| (v.name.clone(), v.start.clone())).collect();
    let mut all = vec![values.clone()];
    for step in &document.steps_shown {
        for change in step.change.iter().chain(&step.also).cloned() {
            match change {
                RunChange::Variable { name, value } => {
                    values.insert(name, InputValue::Scalar(value));
                }
                RunChange::Array { name, elements } => {
                    let elements = elements.into_iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect();
                    values.insert(name, InputValue::Array(elements));
                }
                RunChange::Contents { name, contents } => {
                    values.insert(name, InputValue::Array(contents));
                }
                RunChange::Element { name, index, value } => match values.get_mut(&name) {
                    Some(InputValue::Array(elements)) => {
                        elements.insert(index, value);
                    }
                    other => panic!("{name} is {other:?}"),
                },
            }
        }
        all.push(values.clone());
    }
    all
}

#[test]
fn steps_say_what_they_change() {
    let source =
        "int f(int x, int b[]) { int a[3] = {7, x}; int i = 0;\n while (i < x) { a[i] = a[i] + b[i];\n i = i + 1; } return a[1]; }";
    let input = serde_json::from_str(r#"{"x": 2, "b": {"1": 5, "default": 1}}"#).expect("an input");
    let document = accepted(run(&request(source), &input));
    let all = replayed(&document);
    assert_eq!((all.len() as u64, document.value.clone()), (document.steps + 1, Some(Number::Small(7))));
    let last = all.last().expect("the start at least");
    for variable in &document.variables {
        if let Some(end) = &variable.end {
            assert_eq!(last[&variable.name], InputValue::Scalar(end.clone()), "{}", variable.name);
        }
    }
    let array = |elements: &[(&str, i64)]| InputValue::Array(elements.iter().map(|&(i, v)| (i.to_owned(), Number::Small(v))).collect());
    assert_eq!(last["a"], array(&[("0", 8), ("1", 7)]));
    assert_eq!(last["b"], array(&[("1", 5), ("default", 1)]));
    assert_eq!(document.steps_shown.iter().map(|step| step.line).collect::<Vec<_>>(), document.lines);
    // Objects that one pointer may point to are called by their names, as pointers to them and to functions are.
    let source = "int up(int x) { return x + 1; } int f(int s, int k) { int a[2] = {1, 2}, (*g)(int) = up; int *p = k ? a + 1 : &s; *p = g(*p); return s + a[1]; }";
    let input = serde_json::from_str(r#"{"s": 5, "k": 0}"#).expect("an input");
    let document = accepted(run(&request(source), &input));
    let all = replayed(&document);
    let last = all.last().expect("the start at least");
    assert_eq!((&last["s"], &last["a"]), (&InputValue::Scalar(Number::Small(6)), &array(&[("0", 1), ("1", 2)])));
    let named = |name: &str| {
        let variable = document.variables.iter().find(|variable| variable.name == name).expect("a variable");
        let InputValue::Scalar(Number::Small(value)) = last[name] else { panic!("{name}") };
        variable.addresses[&value.to_string()].clone()
    };
    assert_eq!((named("g"), named("p.object")), ("up".to_owned(), "s".to_owned()));
    assert_eq!(document.variables.iter().filter(|variable| variable.name == "s").count(), 1);
    // However many objects and functions there are.
    let source = "int f(int *a, int *b, int *c, int k) { int *p = a; if (k > 0) p = b; if (k > 1) p = c; return *p; }";
    let input = serde_json::from_str(r#"{"k": 2}"#).expect("an input");
    let document = accepted(run(&request(source), &input));
    let variable = document.variables.iter().find(|variable| variable.name == "p.object").expect("a variable");
    let names: Vec<_> = ["0", "1", "2"].iter().map(|value| variable.addresses[*value].as_str()).collect();
    assert_eq!((names, variable.end.clone()), (vec!["a", "b", "c"], Some(Number::Small(2))));
    // Only so many are recorded, and none after a change that there is no room for.
    let long = accepted(run(&request("int f() { int i = 0; while (i < 5000) i = i + 1; return i; }"), &Input::default()));
    assert_eq!((long.steps_shown.len(), long.lines.len(), long.steps), (MAX_RECORDED_STEPS, 10_000, 10_002));
    let large = accepted(run(
        &request(
            "#pragma culdesac ints unbounded\nint f() { int x = 3; int i = 0; while (i < 14) { x = x * x; i = i + 1; } while (i < 600) { x = x + 1; i = i + 1; } return i; }",
        ),
        &Input::default(),
    ));
    assert!(large.steps_shown.len() < 1000 && large.steps > 1700, "{} of {}", large.steps_shown.len(), large.steps);
}

/// The check of the evidence of drawing, with one claim's part exchanged.
fn tampered(source: &str, change: impl Fn(&mut evidence::Claim) -> bool) -> CheckDocument {
    let mut claims = Vec::new();
    let mut events = |_| true;
    let mut listener = Listener::new(&mut events);
    listener.claims = Some(&mut claims);
    let drawn = accepted(draw(&request(source), &drawing(30, 30), &mut listener));
    let mut evidence = evidence::Evidence::of(&request(source), &drawn.header, claims);
    assert!(evidence.claims.iter_mut().any(change), "a claim to tamper with");
    accepted(check(&evidence))
}

#[test]
fn tampered_claims_are_rejected_one_by_one() {
    use evidence::{Derivation, ProofRule, Statement};
    let untouched = tampered(MERGE, |_| true);
    assert_eq!((untouched.checked, untouched.rejected.len()), (30, 0));
    assert_eq!(untouched.kinds.iter().map(|kind| kind.accepted).sum::<u32>(), 30);

    let other_input = tampered(MERGE, |claim| match &mut claim.statement {
        Statement::Reached { input, .. } => {
            input.values.insert("la".to_owned(), InputValue::Scalar(Number::Small(1_000)));
            true
        }
        _ => false,
    });
    let other_core = tampered(MERGE, |claim| match &mut claim.statement {
        Statement::Infeasible { core, .. } => {
            core[0] -= 1;
            true
        }
        _ => false,
    });
    let other_factor = tampered(F2, |claim| match &mut claim.statement {
        Statement::Infeasible { certificate, .. } => certificate.lines.iter_mut().any(|line| match &mut line.by {
            ProofRule::Linear(steps) => steps.iter_mut().any(|step| match step {
                Derivation::Combine(parts) => {
                    parts[0].1 += "0";
                    true
                }
                _ => false,
            }),
            _ => false,
        }),
        _ => false,
    });
    for document in [other_input, other_core, other_factor] {
        assert!(!document.header.complete);
        let [rejected] = document.rejected.as_slice() else { panic!("{:?}", document.rejected) };
        assert_eq!(rejected.id, format!("path-{}", rejected.index.expect("a claim") + 1));
        assert_eq!((document.checked, document.kinds.iter().map(|kind| kind.rejected).sum::<u32>()), (30, 1));
    }
}

/// What a file says of integers and recursion is not left open.
#[test]
fn evidence_says_what_integers_are() {
    let source = "int f(int x) { if (x > 3) return 1; return 0; }";
    let file = |ints: &str, inline_depth| evidence::Evidence {
        schema: SCHEMA,
        program: "p".to_owned(),
        source: source.to_owned(),
        function: "f".to_owned(),
        ints: ints.to_owned(),
        inline_depth,
        options: None,
        precondition: None,
        unfolding: None,
        label_steps: false,
        claims: Vec::new(),
    };
    let rejected = |evidence| match check(&evidence) {
        Reply::Document { document } => document.rejected.len(),
        Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
    };
    assert_eq!(rejected(file("unbounded", None)), 0);
    assert_eq!(rejected(file("c32", None)), 0);
    assert_eq!(rejected(file("c64", None)), 1);
    assert_eq!(rejected(file("unbounded", Some(8))), 1);
}

/// Beyond what fits, a function that calls itself is inlined less often; one that calls others too deep is refused.
#[test]
fn deep_calls_get_an_answer() {
    let recursive = "int f(int x) { int y = x; if (y > 0) return f(y - 1); return 1; }";
    let at = |depth| accepted(cfg(&Request { inline_depth: Some(depth), ..request(recursive) })).header.inline_depth;
    assert_eq!([at(0), at(8), at(60)], [Some(0), Some(8), Some(60)]);
    let most = at(MAX_INLINE_DEPTH).expect("the recursion is cut off");
    assert!((60..MAX_INLINE_DEPTH).contains(&most), "{most}");
    let chain: Vec<String> =
        (0..2_000).map(|n: u32| format!("int f{n}(int x) {{ if (x > {n}) return f{}(x); return x; }}\n", n.saturating_sub(1))).collect();
    match cfg(&request(&chain.concat())) {
        Reply::Refused { diagnostics } => assert!(diagnostics.iter().any(|diagnostic| diagnostic.code == "too-deep")),
        Reply::Document { .. } => panic!("2,000 calls within each other fit"),
    }
}

/// What the page does: a question as plain data, put to the analysis of that name.
#[test]
fn queries_go_by_name() {
    struct Ask(Value);
    impl Visitor for Ask {
        type Output = Value;
        fn visit<A: Analysis>(self) -> Value {
            let query: Query<A::Settings> = serde_json::from_value(self.0).expect("a question");
            let reply = query.answer::<A>(&|| Duration::ZERO, &mut Listener::new(&mut |_| true));
            serde_json::to_value(reply).expect("plain data")
        }
    }
    let ask = |name: &str, request: Value, settings: Value| with(name, Ask(json!({ "request": request, "settings": settings })));
    let request = json!({ "program": "test", "source": F2, "function": null, "limit": null, "seed": 0 });
    let document = |name, settings| ask(name, request.clone(), settings).expect("an analysis")["document"].clone();
    assert!(document("cfg", json!({}))["edges"].is_array());
    assert_eq!(document("paths", json!({ "lengths": [5, 9], "feasible": true }))["table"][1]["length"], 9);
    assert_eq!(document("run", json!({ "input": {} }))["outcome"], "returned");
    assert_eq!(document("branches", json!({}))["branches"]["open"], 0);
    assert!(ask("certify", request.clone(), json!({})).is_none());
    let refused = |name, settings| ask(name, Value::Null, settings).expect("an analysis")["diagnostics"][0]["code"].clone();
    assert_eq!(refused("cfg", json!({})), "no-program");
    // What is no evidence is an answer, not an error in asking.
    assert_eq!(refused("check", json!({ "evidence": null, "unreadable": "it is empty" })), "not-evidence");
    assert_eq!(refused("check", json!({ "evidence": { "schema": 1 }, "unreadable": null })), "not-evidence");
    let generated = ask("generate", Value::Null, json!({ "diamonds": 2, "seed": 4 })).expect("an analysis");
    assert_eq!(generated["document"]["text"], crate::generate::diamonds(2, 4));
}

/// News are written like every other event.
#[test]
fn news_have_a_kind() {
    let row = PathsRow { length: 3, total: "2".to_owned(), feasible: None, feasible_at_least: None, assumes: Vec::new(), statics: None };
    let event = Event::News(Box::new(RowEvent::Row { row }));
    let written = r#"{"kind":"row","row":{"length":3,"total":"2","feasible":null,"feasible_at_least":null,"assumes":[],"statics":null}}"#;
    assert_eq!(serde_json::to_string(&event).expect("plain data"), written);
}
