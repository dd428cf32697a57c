//! What verdicts assume of the world, and what worlds there are: each program was answered wrongly, or without saying what its answer
//! rests on.

use culdesac::analysis::cover::{Cover, CoverDocument, CoverSettings};
use culdesac::analysis::draw::{Draw, DrawSettings, DrawnPath};
use culdesac::analysis::explain::{Explain, ExplainRoundSettings, ExplainSettings};
use culdesac::analysis::paths::{Paths, PathsDocument, PathsSettings};
use culdesac::analysis::prune::PruneGraphSettings;
use culdesac::analysis::prune::{Prune, PruneSettings};
use culdesac::analysis::run::{RunAnalysis, RunSettings};
use culdesac::analysis::{Analysis, Listener, Query, check::check};
use culdesac::evidence::{Evidence, Statement};
use culdesac::view::{Document, Input, InputValue, Number, Reply, Request};

fn request(source: &str, function: &str) -> Request {
    Request { program: "p".to_owned(), source: source.to_owned(), function: Some(function.to_owned()), ..Request::default() }
}

/// The document, and the evidence, of which nothing is rejected.
fn cover(request: &Request) -> (CoverDocument, Evidence) {
    let settings = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
    answer::<Cover>(request, settings).expect("no error")
}

/// The document, and the evidence, of which nothing is rejected; or why there is none. Evidence need not be requested.
fn answer<A: Analysis>(request: &Request, settings: A::Settings) -> Result<(A::Document, Evidence), String>
where
    A::Settings: Clone,
{
    let (mut claims, mut progress) = (Vec::new(), |_| true);
    let mut listener = Listener { claims: Some(&mut claims), ..Listener::new(&mut progress) };
    let asked = Query { request: Some(request.clone()), settings };
    let document = match asked.answer::<A>(&Default::default, &mut listener) {
        Reply::Document { document } => document,
        Reply::Refused { diagnostics } => return Err(diagnostics[0].message.clone()),
    };
    let evidence = Evidence::of(request, document.header().expect("of a program"), claims);
    assert_eq!(rejected(&evidence), Vec::<String>::new(), "{}", request.source);
    Ok((document, evidence))
}

fn rejected(evidence: &Evidence) -> Vec<String> {
    match check(evidence) {
        Reply::Document { document } => document.rejected.into_iter().map(|rejected| rejected.reason).collect(),
        Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
    }
}

/// The infeasible statements with what they assume.
fn infeasible(source: &str, function: &str) -> Vec<(String, String)> {
    let (document, _) = cover(&request(source, function));
    document.infeasible.into_iter().map(|statement| (statement.text, statement.assumes.join())).collect()
}

fn pair(text: &str, assumes: &str) -> (String, String) {
    (text.to_owned(), assumes.to_owned())
}

trait Join {
    fn join(&self) -> String;
}
impl Join for Vec<String> {
    fn join(&self) -> String {
        self[..].join(" ")
    }
}

#[test]
fn functions_without_a_body_write_what_they_reach() {
    assert_eq!(infeasible("int g; void update(void); int f(void) { g = 0; update(); if (g == 5) return 1; return 0; }", "f"), []);
    assert_eq!(
        infeasible(
            "extern int tab[4]; int unknown(int); int f(int x) { tab[1] = 0; x = unknown(x); if (tab[1] == 7) return x; return 0; }",
            "f"
        ),
        []
    );
    // What no other part of the program can name, and whose address goes nowhere, stays.
    let source = "static int s; void update(void); int f(void) { int x = 1; s = 0; update(); if (s == 5) return 1; if (x == 2) return 2; return 0; }";
    assert_eq!(infeasible(source, "f"), [pair("x == 2", "")], "f itself may be called back");
    let source = "static int s; void update(void); static int f(void) { s = 0; update(); if (s == 5) return 1; return 0; } int main(void) { return f(); }";
    assert_eq!(infeasible(source, "main")[0], pair("s == 5", ""));
    // An address that is given away once is known from then on.
    let source = "void keep(int *p); void tick(void); int f(void) { int x = 0, y = 2; keep(&x); x = 1; tick(); if (x == 9) return 1; if (y == 3) return 2; return 0; }";
    assert_eq!(infeasible(source, "f"), [pair("y == 3", "")]);
    let source = "void fill(int *p, int n); int f(int *q) { int a[3] = {1, 2, 3}; fill(a, 3); fill(q, 1); q[0] = 3; if (a[2] == 9 && q[1] == 4 && q[0] == 4) return 1; return 0; }";
    assert_eq!(infeasible(source, "f"), [pair("q[0] == 4", "")]);
    assert_eq!(
        infeasible("const int k = 3; void update(void); int f(void) { update(); if (k == 4) return 1; return 0; }", "f"),
        [pair("k == 4", "")]
    );
    let source = "struct S { int list[3]; }; void keep(int *p); void tick(void); int f(void) { struct S s; keep(s.list); s.list[1] = 1; tick(); if (s.list[1] == 2) return 1; return 0; }";
    assert_eq!(infeasible(source, "f"), []);
    // Objects that the program makes visible to other code; and arguments, which the caller may have passed on.
    let source = "static int s; int *place; void show(void) { place = &s; } void tick(void); int main(void) { s = 0; tick(); if (s == 5) return 1; return 0; }";
    assert_eq!(infeasible(source, "main"), []);
    let source =
        "static int s; int *show(void) { return &s; } void tick(void); int main(void) { s = 0; tick(); if (s == 5) return 1; return 0; }";
    assert_eq!(infeasible(source, "main"), []);
    assert_eq!(infeasible("void tick(void); int f(int *p) { *p = 1; tick(); if (*p == 2) return 1; return 0; }", "f"), []);
    // So is memory that was asked for.
    let source = "#include <stdlib.h>\nvoid keep(int *p); void tick(void); int f(void) { int *p = malloc(4); if (p == 0) return 3; keep(p); *p = 1; tick(); if (*p == 2) return 1; return 0; }";
    assert_eq!(infeasible(source, "f"), []);
    // A function that is called back writes a static.
    let source = "static int mode; void set(int m) { mode = m; } void run(void); int f(void) { mode = 0; run(); if (mode == 3) return 1; return 0; }";
    assert_eq!(infeasible(source, "f"), []);
}

#[test]
fn quiet_externals_are_assumed_on_request() {
    let source =
        "int g; void update(void); int f(int x) { g = 0; update(); if (g == 5) return 1; if (x > 3 && x < 2) return 2; return 0; }";
    let quiet = Request { assume: vec!["quiet-externals".to_owned()], ..request(source, "f") };
    let (document, evidence) = cover(&quiet);
    let assumed: Vec<_> = document.infeasible.iter().map(|one| (one.text.as_str(), one.assumes.join())).collect();
    assert_eq!(assumed, [("g == 5", "quiet-externals".to_owned()), ("x < 2", String::new())]);
    let listed: Vec<_> = document.header.assumptions.iter().map(|one| (one.id.as_str(), one.line)).collect();
    assert_eq!(listed, [("quiet-externals", 1)]);
    leaves_out(evidence);
}

/// Without the assumption that a claim names, the check rejects the claim.
fn leaves_out(evidence: Evidence) {
    let mut evidence = stripped(evidence);
    evidence.claims.retain(|claim| matches!(claim.statement, Statement::NotCovered { .. } | Statement::Reached { .. }));
    evidence.claims[0] = evidence.claims[0].clone().under(vec!["nothing-happens".to_owned()]);
    assert!(rejected(&evidence).iter().any(|reason| reason == "the assumption `nothing-happens` is not known here"));
}

/// The evidence with no assumption in any claim: exactly those that had some are rejected.
fn stripped(mut evidence: Evidence) -> Evidence {
    let mut left = 0;
    for claim in &mut evidence.claims {
        if !claim.assumes.as_slice().is_empty() {
            *claim = claim.clone().under(Vec::new());
            left += 1;
        }
    }
    assert!(left > 0, "some claim assumes something");
    assert_eq!(rejected(&evidence).len(), left, "{:?}", rejected(&evidence));
    evidence
}

const STEP: &str = "enum st { IDLE, RUN, DONE };\nint step(int ev) {\n  static enum st s = IDLE;\n  switch (s) {\n    case IDLE: if (ev == 1) s = RUN; break;\n    case RUN: if (ev == 2) s = DONE; break;\n    case DONE: return 1;\n  }\n  return 0;\n}\n";

#[test]
fn statics_may_hold_what_earlier_calls_left() {
    let (document, _) = cover(&request(STEP, "step"));
    // What is left has no other state.
    assert_eq!((document.covered + 1, document.infeasible.len()), (document.statements, 1));
    assert!(document.tests.iter().all(|test| test.input.values.contains_key("s") != test.after.is_empty() && test.assumes.is_empty()));
    // What the first call reaches needs nothing; what needs another state says so where no call leads there.
    let within = format!("{STEP} int twice(int ev) {{ return step(step(ev)); }}");
    let (document, evidence) =
        cover(&Request { no_assume: vec!["left-by-calls".to_owned()], ..request(&within.replace("if (ev == 1) s = RUN;", ";"), "step") });
    let assumed: Vec<_> = document.tests.iter().map(|test| (test.input.values.contains_key("s"), test.assumes.join())).collect();
    assert!(assumed.iter().all(|(set, assumes)| assumes == if *set { "any-state" } else { "" }), "{assumed:?}");
    assert_eq!(assumed.iter().filter(|(set, _)| !set).count(), 1, "{assumed:?}");
    leaves_out(evidence);
    let first = Request { assume: vec!["first-call".to_owned()], ..request(STEP, "step") };
    let (document, _) = cover(&first);
    assert!(!document.infeasible.is_empty() && document.infeasible.iter().all(|one| one.assumes == ["first-call"]));
    // Without `any-state` nothing is said of what only another state reaches.
    let neither = Request { no_assume: vec!["any-state".to_owned()], ..request(STEP, "step") };
    let (document, _) = cover(&neither);
    assert_eq!(document.infeasible.len(), 0);
    assert!(document.open.iter().all(|one| one.evidence.contains("which is not assumed")) && !document.open.is_empty());
    assert_eq!(
        infeasible("static int mode = 0; void set(int m) { mode = m; } int f(int x) { if (mode == 3) return x; return 0; }", "f"),
        []
    );
    assert_eq!(infeasible("int f(int x) { static int cache[5]; if (cache[2] == 3) return 1; cache[x & 3] = x; return 0; }", "f"), []);
    // An array inside of another object is changed through its address, too.
    let member = "static struct S { int list[3]; } s; static void put(int *p) { p[0] = 7; } void set(void) { put(s.list); } int f(void) { if (s.list[0] == 7) return 1; return 0; }";
    let row = "static int m[2][3]; static void put(int *p) { p[0] = 7; } void set(void) { put(m[1]); } int f(void) { if (m[1][0] == 7) return 1; return 0; }";
    assert_eq!((infeasible(member, "f"), infeasible(row, "f")), (Vec::new(), Vec::new()));
    // What nothing changes keeps its first value.
    assert_eq!(infeasible("static int limit = 3; int f(int x) { if (limit == 4) return x; return 0; }", "f"), [pair("limit == 4", "")]);
}

#[test]
fn a_program_starts_as_programs_do() {
    let source = "int counter; static int own = 3; extern int others; int main(int argc, char **argv) { if (counter == 1) return 1; if (own == 4) return 2; if (argc < 0) return 3; if (others == 7) return 4; return 0; }";
    assert_eq!(infeasible(source, "main"), [pair("counter == 1", ""), pair("own == 4", ""), pair("argc < 0", "")]);
    let source = "int main(int argc, char **argv) { argc = argc - 2; if (argc < -2) return 1; if (argc < 0) return 2; return 0; }";
    assert_eq!(infeasible(source, "main"), [pair("argc < -2", "")]);
    // Arguments are there up to `argc`, where a null pointer stands; there is nothing after it.
    let source = "int main(int argc, char **argv) { if (argc == 1 && argv[1]) return 1; if (argc == 2 && argv[1] == 0) return 2; if (argv[0] == 0) return 3; return 0; }";
    assert_eq!(infeasible(source, "main"), [pair("argv[1]", ""), pair("argv[1] == 0", "")]);
    let source = "int main(int argc, char **argv) { int n = 0; for (int i = 1; argv[i]; i++) n++; if (n != argc - 1) return 1; return 0; }";
    let (document, _) = cover(&request(source, "main"));
    assert!(document.infeasible.iter().chain(&document.not_within).any(|one| one.text == "n != argc - 1"));
    assert!(
        document.errors.iter().any(|error| error.input.values.contains_key("argc")),
        "without a name of the program argv[1] may not be there"
    );
}

#[test]
fn an_order_that_is_ruled_out_still_has_its_name() {
    let source = "int g; int inc(void) { return ++g; } int sub(int a, int b) { return a - b; } int f(void) { g = 0; if (sub(inc(), inc()) == 1) return 1; return 0; }";
    assert_eq!(infeasible(source, "f"), []);
    let ordered = Request { assume: vec!["left-to-right".to_owned()], ..request(source, "f") };
    let (document, evidence) = cover(&ordered);
    let found: Vec<_> = document.infeasible.iter().map(|one| (one.text.as_str(), one.assumes.join())).collect();
    assert!(found.contains(&("right inc() first", "left-to-right".to_owned())), "{found:?}");
    assert!(found.iter().all(|(text, assumes)| !text.contains("!1") && assumes == "left-to-right"), "{found:?}");
    stripped(evidence);
}

#[test]
fn parameters_may_meet() {
    let source = "int f(int *p, int *q, int x) { *p = 1; *q = 2; if (*p == 2) return 1; if (x > 3) if (x < 2) return 2; return 0; }";
    let (document, evidence) = cover(&request(source, "f"));
    let found: Vec<_> = document.infeasible.iter().map(|one| (one.text.as_str(), one.assumes.join())).collect();
    assert_eq!(found, [("*p == 2", "distinct-parameters".to_owned()), ("x < 2", String::new())]);
    leaves_out(evidence);
    let (document, _) = cover(&Request { no_assume: vec!["distinct-parameters".to_owned()], ..request(source, "f") });
    assert_eq!(document.infeasible.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["x < 2"]);
    assert_eq!(document.open.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["*p == 2"]);
    let assumed = "distinct-parameters";
    // Where the function asks whether they are one, both can be.
    assert_eq!(infeasible("struct S { int a; }; int f(struct S *s, struct S *t) { if (s == t) return 1; return 0; }", "f"), []);
    assert_eq!(infeasible("int g; int f(int *p) { g = 1; *p = 2; if (g == 2) return 1; return 0; }", "f"), [pair("g == 2", assumed)]);
    // A global that a parameter hides is another object all the same.
    let source =
        "int g; int get(void) { return g; } void set(void) { g = 1; } int f(int *g) { set(); *g = 2; if (get() == 2) return 1; return 0; }";
    assert_eq!(infeasible(source, "f")[0].1, assumed);
    // Objects of types that cannot be one are different; so is a static whose address goes nowhere.
    assert_eq!(infeasible("int f(int *p, long *q) { *p = 1; *q = 2; if (*p == 2) return 1; return 0; }", "f"), [pair("*p == 2", "")]);
    assert_eq!(infeasible("static int g; int f(int *p) { g = 1; *p = 2; if (g == 2) return 1; return 0; }", "f"), [pair("g == 2", "")]);
}

#[test]
fn what_is_no_assumption_is_refused_with_the_list() {
    let refused = |assume: &[&str], no_assume: &[&str]| {
        let own = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        let request = Request { assume: own(assume), no_assume: own(no_assume), ..request("int f(int x) { return x; }", "f") };
        match culdesac::analysis::cfg::cfg(&request) {
            Reply::Refused { diagnostics } => diagnostics[0].message.clone(),
            Reply::Document { .. } => String::new(),
        }
    };
    for (assume, no_assume, begins) in [
        (&["magic"][..], &[][..], "there is no assumption `magic`; there are `distinct-parameters` ("),
        (&[], &["magic"], "there is no assumption `magic`"),
        (&["first-call"], &["first-call"], "`first-call` cannot be assumed and not assumed"),
        (&["first-call", "any-state"], &[], "`first-call` and `any-state` contradict each other"),
    ] {
        assert!(refused(assume, no_assume).starts_with(begins), "{}", refused(assume, no_assume));
    }
    assert_eq!(refused(&["first-call"], &["any-state"]), "");
}

const MEET: &str =
    "int f(int *p, int *q, int x) {\n  *p = 1;\n  *q = 2;\n  if (*p == 2) return 1;\n  if (x > 3) if (x < 2) return 2;\n  return 0;\n}\n";
/// As [`MEET`], without the decision for which it matters whether the pointers meet.
const APART: &str = "int f(int *p, int *q, int x) {\n  *p = 1;\n  *q = 2;\n  if (x > 3) if (x < 2) return *p;\n  return 0;\n}\n";
const DISTINCT: &str = "distinct-parameters";

fn without(id: &str, source: &str, function: &str) -> Request {
    Request { no_assume: vec![id.to_owned()], ..request(source, function) }
}

fn counts(request: &Request, length: u32) -> (PathsDocument, Evidence) {
    answer::<Paths>(request, PathsSettings { lengths: vec![length], feasible: true }).expect("no error")
}

#[test]
fn counts_of_paths_assume() {
    let (document, evidence) = counts(&request(MEET, "f"), 10);
    let row = &document.table[0];
    assert_eq!((row.feasible.as_deref(), row.assumes.join()), (Some("2"), DISTINCT.to_owned()));
    stripped(evidence);
    let (document, evidence) = counts(&request(APART, "f"), 10);
    assert_eq!((document.header.assumptions.len(), document.table[0].assumes.join()), (1, String::new()));
    assert!(evidence.claims.iter().all(|claim| claim.assumes.as_slice().is_empty()));
    // Without it the count of all paths that run is not known, only that these do.
    let (document, _) = counts(&without(DISTINCT, MEET, "f"), 10);
    let row = &document.table[0];
    assert_eq!((row.feasible.as_deref(), row.feasible_at_least.as_deref(), row.assumes.join()), (None, Some("2"), String::new()));
    assert!(
        !document.header.complete && document.open.as_ref().is_some_and(|why| why.ends_with("which is not assumed")),
        "{:?}",
        document.open
    );
    let (document, _) = counts(&without(DISTINCT, APART, "f"), 10);
    assert_eq!((document.table[0].feasible.as_deref(), document.header.complete), (Some("2"), true));
    // Without counts of feasible ones nothing is said of any run.
    let (document, _) = answer::<Paths>(&request(MEET, "f"), PathsSettings { lengths: vec![10], feasible: false }).expect("no error");
    assert_eq!(document.table[0].assumes.join(), "");
}

#[test]
fn counts_of_paths_of_later_calls_assume_that_there_are_some() {
    let (document, evidence) = counts(&request(STEP, "step"), 20);
    assert_eq!((document.table[0].assumes.join(), document.table[0].statics.as_deref()), ("any-state".to_owned(), Some("any state")));
    stripped(evidence);
    let first = Request { assume: vec!["first-call".to_owned()], ..request(STEP, "step") };
    assert_eq!(counts(&first, 20).0.table[0].assumes.join(), "first-call");
    // So many paths that one claim counts them all.
    let many = |condition: &str| {
        format!(
            "int nondet(void); int f(int n) {{ static int s; int i = 0; while (i < n) {{ if (nondet()) i = i + 1; else i = i + 2; }} if ({condition}) return 1; s = n; return 0; }}"
        )
    };
    let (document, evidence) = counts(&request(&many("s == 3"), "f"), 70);
    assert!(evidence.claims.iter().any(|claim| matches!(claim.statement, Statement::Counted { .. })), "{:?}", document.feasible_by);
    assert_eq!(document.table[0].assumes.join(), "any-state");
    stripped(evidence);
}

#[test]
fn drawn_paths_assume() {
    let settings =
        |pruned: Option<PruneGraphSettings>| DrawSettings { length: 10, count: 30, feasible_only: false, pruned, precondition: None };
    let drawn = |request: &Request| answer::<Draw>(request, settings(None)).expect("no error");
    let (document, evidence) = drawn(&request(MEET, "f"));
    let dies_at_line = |path: &DrawnPath| path.dies_at.map(|at| path.lines[at as usize]);
    let said = |path: &DrawnPath| (path.feasible, dies_at_line(path), path.assumes.join());
    let all: std::collections::BTreeSet<_> = document.paths.iter().map(said).collect();
    let expected = [(Some(false), Some(4), DISTINCT.to_owned()), (Some(false), Some(5), String::new()), (Some(true), None, String::new())];
    assert_eq!(all, expected.clone().into_iter().collect());
    stripped(evidence);
    let (document, _) = drawn(&without(DISTINCT, MEET, "f"));
    let all: std::collections::BTreeSet<_> = document.paths.iter().map(said).collect();
    assert_eq!(all, [(None, None, String::new()), expected[1].clone(), expected[2].clone()].into_iter().collect());
    assert!(!document.header.complete && document.paths.iter().all(|path| path.feasible.is_some() != path.open.is_some()));
    // Paths of later calls come with these calls; with any state, if the request assumes it.
    let (document, _) = drawn(&request(STEP, "step"));
    let other = |path: &&DrawnPath| {
        path.input.as_ref().is_some_and(|input| input.values.get("s").is_some_and(|s| *s != InputValue::Scalar(Number::Small(0))))
    };
    assert!(document.paths.iter().filter(other).all(|path| !path.after.is_empty() && path.assumes.is_empty()));
    assert!(document.paths.iter().any(|path| !path.after.is_empty()));
    let any = Request { assume: vec!["any-state".to_owned()], ..request(STEP, "step") };
    let (document, _) = drawn(&any);
    assert!(document.paths.iter().filter(other).all(|path| path.after.is_empty() && path.assumes.join() == "any-state"));
    assert!(document.paths.iter().any(|path| !path.assumes.is_empty()));
    let fewer = answer::<Draw>(&request(MEET, "f"), settings(Some(pruned()))).expect("no error").0;
    assert_eq!(fewer.assumes.join(), DISTINCT);
}

fn pruned() -> PruneGraphSettings {
    PruneGraphSettings {
        abstraction: "learn".to_owned(),
        restarts: true,
        lookahead: Some(16),
        max_red_length: None,
        invariants: true,
        exact_up_to: None,
        precondition: None,
    }
}

#[test]
fn pruned_graphs_assume() {
    let prune = |request: &Request| answer::<Prune>(request, PruneSettings { graph: pruned(), lengths: vec![10], feasible: true });
    let (document, evidence) = prune(&request(MEET, "f")).expect("no error");
    assert_eq!((document.graph.assumes.join(), document.table[0].assumes.join()), (DISTINCT.to_owned(), DISTINCT.to_owned()));
    stripped(evidence);
    let (document, _) = prune(&request(APART, "f")).expect("no error");
    assert_eq!((document.graph.assumes.len(), document.graph.cut.is_empty()), (0, false));
    // The graph is built from every state; that its paths run is another matter.
    let (document, _) = prune(&request(STEP, "step")).expect("no error");
    assert_eq!((document.graph.assumes.join(), document.table[0].assumes.join()), (String::new(), "any-state".to_owned()));
}

#[test]
fn explanations_assume() {
    let settings = |path: Option<Vec<u32>>, rounds: Option<ExplainRoundSettings>| ExplainSettings {
        max_instructions: 20,
        order: "first".to_owned(),
        check: "integer".to_owned(),
        extend: "detours".to_owned(),
        path,
        compare: 0,
        rounds,
    };
    let explain = |source: &str, settings: ExplainSettings| answer::<Explain>(&request(source, "f"), settings).expect("no error");
    let (document, evidence) = explain(MEET, settings(None, None));
    let families: Vec<_> = document.families.iter().map(|one| (one.lines[one.lines.len() - 1], one.assumes.join())).collect();
    assert_eq!(families, [(4, DISTINCT.to_owned()), (5, String::new())]);
    assert_eq!(document.union.map(|union| union.assumes.join()), Some(DISTINCT.to_owned()));
    stripped(evidence);
    let first = document.families[0].prefix.clone();
    let (document, _) = explain(MEET, settings(Some(first), None));
    let path = document.path.expect("a path");
    assert_eq!(
        (path.verdict.as_str(), path.assumes.join(), path.reasons[0].assumes.join()),
        ("infeasible", DISTINCT.to_owned(), DISTINCT.to_owned())
    );
    let (document, _) = explain(MEET, settings(None, Some(ExplainRoundSettings { length: 10, pruned: false })));
    let rounds = document.rounds.expect("rounds");
    let mut each: Vec<_> = rounds.rounds.iter().map(|round| round.assumes.join()).collect();
    each.sort();
    assert_eq!((each, rounds.assumes.join()), (vec![String::new(), DISTINCT.to_owned()], DISTINCT.to_owned()));
    let (document, _) = explain(APART, settings(None, None));
    assert!(document.families.len() == 1 && document.families[0].assumes.is_empty());
}

#[test]
fn runs_from_another_state_assume_that_there_is_one() {
    let run = |value: i64| {
        let mut input = Input::default();
        input.values.insert("s".to_owned(), InputValue::Scalar(Number::Small(value)));
        answer::<RunAnalysis>(&request(STEP, "step"), RunSettings { input, ..RunSettings::default() }).expect("no error")
    };
    let (document, evidence) = run(2);
    assert_eq!((document.value, document.assumes.join()), (Some(Number::Small(1)), "any-state".to_owned()));
    stripped(evidence);
    assert_eq!(run(0).0.assumes.join(), "");
}

/// Where an answer stands or falls as a whole, doing without what it needs is refused.
#[test]
fn graphs_and_families_do_not_do_without_what_matters() {
    let prune = |source: &str| {
        answer::<Prune>(&without(DISTINCT, source, "f"), PruneSettings { graph: pruned(), lengths: vec![10], feasible: false })
    };
    let reason = "only `cover`, `paths` and `draw` of unpruned paths can do without `distinct-parameters` here: a graph or a family of paths has no part that holds without it";
    assert_eq!(prune(MEET).map(|_| ()), Err(reason.to_owned()));
    assert_eq!(prune("int f(int *p) { *p = 1; return *p; }").map(|_| ()), Ok(()));
}

/// Pointers into one array: what is so only where they are, says so; what is not, is found.
#[test]
fn ordered_parameters_point_into_one_object() {
    for (source, count) in [
        ("int f(const char *b, const char *e) { int n = 0; for (; b < e; b++) if (*b == 'x') n++; return n; }", 0),
        ("long f(const int *b, const int *e) { long n = e - b; if (n == 3) return b[0]; if (n < 0) return -1; return 0; }", 0),
        ("int f(int *b, int *m, int *e) { if (b < m && m < e) return *m; if (e < b) return 2; return 0; }", 0),
        ("static int less(int *a, int *b) { return a < b; } int f(int *b, int *e) { if (less(b, e)) return *b; return 0; }", 0),
        ("int f(int *p, int *q) { *p = 1; *q = 2; if (p == q) return 1; if (*p == 2) return 3; return 0; }", 1),
        ("int f(int *b, int *e) { if (b < e) if (e <= b) return 1; return 0; }", 1),
        ("int a[9]; int f(int *p) { if (p < a) return 1; return 0; }", 1),
        // Pointers that are set to places in the other's array start where the caller has them.
        ("int f(int *l, int *h) { while (l < h) { int *m = l + (h - l) / 2; if (*m < 3) l = m + 1; else h = m; } return 0; }", 0),
        ("int f(int *p, int *q) { int *t = p; p = q; q = t; if (p - q == 4) return 1; return 0; }", 0),
        ("int f(char *s, char *e) { char *p = e; while (p > s && p[-1] == ' ') p--; if (p == s) return 1; return 0; }", 0),
        ("int f(char *s, char *e) { while (e != s) { e = e - 1; if (*e == 'x') s = e; } return 0; }", 0),
    ] {
        let usual = infeasible(source, "f");
        assert_eq!(usual.len(), count, "{source}: {usual:?}");
        // Leaving an assumption out only adds executions.
        for id in ["one-object", "distinct-parameters"] {
            let (document, _) = cover(&Request { no_assume: vec![id.to_owned()], ..request(source, "f") });
            assert!(document.infeasible.len() <= count, "{source} without {id}");
        }
    }
    assert_eq!(infeasible("int f(int *b, int *e) { if (b < e) if (e <= b) return 1; return 0; }", "f")[0].1, "one-object");
}

/// What functions of the file, or other parts of the program, may have stored in pointers; what nothing stores is as it was.
#[test]
fn pointers_at_file_scope_hold_what_may_be_stored() {
    for (source, expected) in [
        ("static int *p; void set(int *q) { p = q; } int f(int x) { if (p) return 1; return 0; }", 0),
        ("int *p; int f(int x) { if (p) return 1; return 0; }", 0),
        (
            "static void put(int **t, int *q) { *t = q; } static int *p; void set(int *q) { put(&p, q); } int f(int x) { if (p) return 1; return 0; }",
            0,
        ),
        ("static void (*h)(int); void on(void (*c)(int)) { h = c; } int f(int x) { if (h) { h(x); return 1; } return 0; }", 0),
        ("const char *s = \"ab\"; int f(int x) { if (s && s[0] == 'c') return 1; return 0; }", 0),
        ("static int *p; int f(int x) { if (p) return 1; return 0; }", 1),
        ("static const char *const t[] = {\"ab\", \"cd\"}; int f(unsigned i) { if (t[i & 1][0] == 'x') return 1; return 0; }", 1),
        ("static const char *t[] = {\"ab\", \"cd\"}; int f(unsigned i) { if (t[i & 1][0] == 'x') return 1; return 0; }", 1),
        ("void out(const char *s); int f(int x) { const char *s = \"ab\"; out(s); if (s[0] != 'a') return 1; return 0; }", 1),
        ("int f(int x) { char *s = \"ab\"; if (x) s[0] = 'x'; if (s[0] == 'x') return 1; return 0; }", 2),
    ] {
        let found = infeasible(source, "f");
        assert_eq!(found.len(), expected, "{source}: {found:?}");
    }
}
