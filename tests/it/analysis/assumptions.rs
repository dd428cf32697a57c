//! What verdicts assume of the world, and what worlds there are: each program was answered wrongly, or without saying what its answer
//! rests on.

use culdesac::analysis::cover::{Cover, CoverDocument, CoverSettings};
use culdesac::analysis::{Asked, Listener, check::check};
use culdesac::evidence::{Claim, Evidence};
use culdesac::view::{Reply, Request};

fn request(source: &str, function: &str) -> Request {
    Request { program: "p".to_owned(), source: source.to_owned(), function: Some(function.to_owned()), ..Request::default() }
}

/// The document, and the evidence, of which nothing is rejected.
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
    // What the program puts where others can look for it; and what a caller passes, who may have told others of it.
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
fn leaves_out(mut evidence: Evidence) {
    let mut left = 0;
    for claim in &mut evidence.claims {
        if !claim.assumes().is_empty() {
            *claim = claim.clone().under(Vec::new());
            left += 1;
        }
    }
    assert!(left > 0, "some claim assumes something");
    assert_eq!(rejected(&evidence).len(), left, "{:?}", rejected(&evidence));
    evidence.claims.retain(|claim| matches!(claim, Claim::NotCovered { .. } | Claim::Reached { .. }));
    evidence.claims[0] = evidence.claims[0].clone().under(vec!["nothing-happens".to_owned()]);
    assert!(rejected(&evidence).iter().any(|reason| reason == "the assumption `nothing-happens` is not known here"));
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
    // Arguments are there up to `argc`, where a null pointer stands; there is nothing behind it.
    let source = "int main(int argc, char **argv) { if (argc == 1 && argv[1]) return 1; if (argc == 2 && argv[1] == 0) return 2; if (argv[0] == 0) return 3; return 0; }";
    assert_eq!(infeasible(source, "main"), [pair("1 < argc", ""), pair("(1 < argc) == 0", "")]);
    let source = "int main(int argc, char **argv) { int n = 0; for (int i = 1; argv[i]; i++) n++; if (n != argc - 1) return 1; return 0; }";
    let (document, _) = cover(&request(source, "main"));
    assert!(document.infeasible.iter().chain(&document.not_within).any(|one| one.text == "n != argc - 1"));
    assert!(
        document.errors.iter().any(|error| error.input.values.contains_key("argc")),
        "without a name of the program argv[1] may not be there"
    );
}

#[test]
fn parameters_may_meet() {
    let source = "int f(int *p, int *q, int x) { *p = 1; *q = 2; if (*p == 2) return 1; if (x > 3) if (x < 2) return 2; return 0; }";
    let (document, evidence) = cover(&request(source, "f"));
    let found: Vec<_> = document.infeasible.iter().map(|one| (one.text.as_str(), one.assumes.join())).collect();
    assert_eq!(found, [("p[0] == 2", "distinct-parameters".to_owned()), ("x < 2", String::new())]);
    leaves_out(evidence);
    let (document, _) = cover(&Request { no_assume: vec!["distinct-parameters".to_owned()], ..request(source, "f") });
    assert_eq!(document.infeasible.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["x < 2"]);
    assert_eq!(document.open.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["p[0] == 2"]);
    let assumed = "distinct-parameters";
    assert_eq!(infeasible("struct S { int a; }; int f(struct S *s, struct S *t) { if (s == t) return 1; return 0; }", "f")[0].1, assumed);
    assert_eq!(infeasible("int g; int f(int *p) { g = 1; *p = 2; if (g == 2) return 1; return 0; }", "f"), [pair("g == 2", assumed)]);
    // A global that a parameter hides is another object all the same.
    let source =
        "int g; int get(void) { return g; } void set(void) { g = 1; } int f(int *g) { set(); *g = 2; if (get() == 2) return 1; return 0; }";
    assert_eq!(infeasible(source, "f")[0].1, assumed);
    // Objects of types that cannot be one are different; so is a static whose address goes nowhere.
    assert_eq!(infeasible("int f(int *p, long *q) { *p = 1; *q = 2; if (*p == 2) return 1; return 0; }", "f"), [pair("p[0] == 2", "")]);
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

/// The other analyses do not say of each verdict what it needs: they refuse to do without what they would assume.
#[test]
fn only_cover_does_without_what_matters() {
    let meet = "int f(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) return 1; return 0; }";
    let settings = || culdesac::analysis::paths::PathsSettings { lengths: vec![10], feasible: true };
    let paths = |request: Request| {
        let asked = Asked { request: Some(request), settings: settings() };
        match asked.answer::<culdesac::analysis::paths::Paths>(&Default::default, &mut Listener::new(&mut |_| true)) {
            Reply::Document { document } => Ok(document.header.assumptions.into_iter().map(|one| one.id).collect::<Vec<_>>()),
            Reply::Refused { diagnostics } => Err(diagnostics[0].message.clone()),
        }
    };
    assert_eq!(paths(request(meet, "f")), Ok(vec!["distinct-parameters".to_owned()]));
    let without = |source: &str| Request { no_assume: vec!["distinct-parameters".to_owned()], ..request(source, "f") };
    let reason = "only `cover` can do without `distinct-parameters` here: it says of each verdict whether that needs it";
    assert_eq!(paths(without(meet)), Err(reason.to_owned()));
    assert_eq!(paths(without("int f(int *p) { *p = 1; return *p; }")), Ok(Vec::new()));
}
