//! The report: its verdicts contradict neither runs nor those of the commands, and its findings are those of the verdicts.

use crate::common::cases::cases;
use crate::differential::random;
use crate::suites::{branches, request};
use culdesac::analysis::branches::{BranchesSettings, BranchesVerdict};
use culdesac::analysis::check::check;
use culdesac::analysis::cover::CoverReason;
use culdesac::analysis::report::{
    Report, ReportBranch, ReportDocument, ReportErrorCall, ReportFinding, ReportFindingKind, ReportSettings, ReportVerdict,
};
use culdesac::analysis::{Listener, Query};
use culdesac::evidence::Evidence;
use culdesac::interp::Machine;
use culdesac::load::{Loaded, load_assuming};
use culdesac::lts::EdgeId;
use culdesac::lts::sides::sides;
use culdesac::run::random_inputs::RandomInputs;
use culdesac::view::{Reply, Request, fitting, place};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Edges of a run.
const RUN: u64 = 100_000;

/// The report and the evidence of its run; none where the program is refused.
fn reported(request: &Request) -> Option<(ReportDocument, Evidence)> {
    let (mut claims, mut progress) = (Vec::new(), |_| true);
    let mut listener = Listener { claims: Some(&mut claims), ..Listener::new(&mut progress) };
    let query = Query { request: Some(request.clone()), settings: ReportSettings {} };
    match query.answer::<Report>(&Default::default, &mut listener) {
        Reply::Document { document } => {
            let evidence = Evidence::of(request, &document.header, claims);
            Some((document, evidence))
        }
        Reply::Refused { .. } => None,
    }
}

fn document(source: &str) -> ReportDocument {
    reported(&request("f.c", source, Some(2_000_000))).unwrap_or_else(|| panic!("refused:\n{source}")).0
}

/// The edges of a branch of the report.
fn edges(loaded: &Loaded, branch: &ReportBranch) -> BTreeSet<EdgeId> {
    let is =
        |start: u32, end: u32, holds: bool| (start, end, holds.to_string()) == (branch.place.start, branch.place.end, branch.side.clone());
    let of = sides(&loaded.lts).into_iter().filter(|side| {
        let place = place(&loaded.lines, side.span);
        is(place.start, place.end, side.holds)
    });
    of.flat_map(|side| side.edges).collect()
}

/// What is wrong with a report about a program.
fn faults(request: &Request) -> Vec<String> {
    let Some((document, evidence)) = reported(request) else { return Vec::new() };
    let mut wrong: Vec<String> =
        document.header.diagnostics.iter().filter(|one| one.code == "contradiction").map(|one| one.message.clone()).collect();
    let Reply::Document { document: checked } = check(&evidence) else { return vec!["the evidence is not read".into()] };
    wrong.extend(checked.rejected.iter().map(|claim| format!("{}: {}", claim.id, claim.reason)));
    let counts = document.branches;
    let of = |verdict: ReportVerdict| document.list.iter().filter(|branch| branch.verdict == verdict).count() as u32;
    let counted = [of(ReportVerdict::Covered), of(ReportVerdict::Infeasible), of(ReportVerdict::Open), document.list.len() as u32];
    if counted != [counts.covered, counts.infeasible, counts.open, counts.total] {
        wrong.push(format!("{counted:?} branches are counted as {counts:?}"));
    }
    if document.header.complete != (counts.open == 0) {
        wrong.push("what is open is said to be complete".into());
    }
    // Each named test takes its branch, in a run of its own.
    let loaded = load_assuming(request, None).expect("it was read");
    let machine = Machine::new(&loaded.lts);
    for branch in &document.list {
        let Some(test) = branch.test else { continue };
        let input = fitting(&loaded.lts, &document.tests[test as usize].input).expect("an input");
        let (of_branch, path) = (edges(&loaded, branch), machine.run(&input, RUN).edges);
        if !path.iter().any(|edge| of_branch.contains(edge)) {
            wrong.push(format!("test {} does not take `{}` of line {}", test + 1, branch.text, branch.line));
        }
    }
    // No random run takes an infeasible branch that rests on nothing.
    let never = document.list.iter().filter(|branch| branch.verdict == ReportVerdict::Infeasible && branch.assumes.is_empty());
    let never: Vec<(&ReportBranch, BTreeSet<EdgeId>)> = never.map(|branch| (branch, edges(&loaded, branch))).collect();
    let mut inputs = RandomInputs::new(&loaded.lts, 0);
    for _ in 0..if never.is_empty() { 0 } else { 30 } {
        let input = inputs.draw();
        let path = machine.run(&input, 2_000).edges;
        let taken = never.iter().filter(|(_, edges)| path.iter().any(|edge| edges.contains(edge)));
        wrong.extend(taken.map(|(branch, _)| format!("{input:?} takes `{}` of line {}", branch.text, branch.line)));
    }
    // Branches decides no branch otherwise; with all the steps it may decide more.
    if let Some(other) = branches(request, BranchesSettings::default()) {
        for (branch, side) in document.list.iter().zip(&other.list) {
            let is_other = matches!(
                (branch.verdict, side.verdict),
                (ReportVerdict::Covered, BranchesVerdict::Infeasible) | (ReportVerdict::Infeasible, BranchesVerdict::Covered)
            );
            if (branch.place, &branch.text) != (side.place, &side.text) || is_other {
                wrong.push(format!("line {}: `{}`: {:?} here, {:?} there", branch.line, branch.text, branch.verdict, side.verdict));
            }
        }
    }
    wrong
}

/// Examples, and random programs, as many as asked for.
#[test]
fn verdicts_contradict_nothing() {
    let mut wrong = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = fs::read_dir(folder).expect("the examples").flatten().map(|entry| entry.path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    files.sort();
    assert!(files.len() > 20);
    let examples = files.iter().map(|path| (path.display().to_string(), fs::read_to_string(path).expect("a text")));
    let random = (0..u64::from(cases(8))).map(|number| (format!("random {number}"), random::program(number)));
    for (name, source) in examples.chain(random) {
        wrong.extend(faults(&request(&name, &source, Some(100_000))).into_iter().map(|fault| format!("{name}: {fault}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The kinds of the findings, with line and text.
fn found(document: &ReportDocument) -> Vec<(ReportFindingKind, u32, &str)> {
    document.findings.iter().map(|ReportFinding { kind, line, text, .. }| (*kind, *line, text.as_str())).collect()
}

#[test]
fn findings_are_in_a_reviewers_order() {
    use ReportFindingKind::{Always, Error, NeverCompletes, NeverRuns};
    let source = "int f(int a, int n) {
  int t[4] = {1, 2, 3, 4}, s = 0;
  if (n < 0) return -1;
  if (n > 3 && n < 3)
    s = 7;
  s += t[n];
  if (a == 5)
    for (;;) s = 1;
  return s / a;
}
";
    let document = document(source);
    assert_eq!(
        found(&document),
        [
            (Error, 6, "s = s + t[n]"),
            (Error, 9, "return s / a"),
            (Always, 4, "!(n < 3)"),
            (NeverRuns, 5, "s = 7"),
            (NeverCompletes, 8, "s = 1"),
        ]
    );
    assert_eq!(document.sentence, "1 of 8 branches can never run, and 2 places can fail.");
    assert_eq!((document.error_call, document.branches.infeasible), (None, 1));
    let dead = document.list.iter().find(|branch| branch.verdict == ReportVerdict::Infeasible).expect("one");
    let because = dead.because.as_ref().expect("an explanation");
    assert_eq!(because.all.iter().map(|reason| reason.text.as_str()).collect::<Vec<_>>(), ["n > 3"]);
}

/// A statement of a function that is called twice never runs only if no copy of it does.
#[test]
fn copies_of_a_statement_are_one() {
    let source = "static int g(int x) {\n  if (x > 3)\n    return 1;\n  return 0;\n}\nint f(int y) {\n  return g(2) + g(y) + g(1);\n}\n";
    assert_eq!(found(&document(source)), []);
    let never = source.replace("g(y)", "g(3)");
    assert_eq!(found(&document(&never)), [(ReportFindingKind::Always, 2, "!(x > 3)"), (ReportFindingKind::NeverRuns, 3, "return 1")]);
}

/// A failing call is told once, with the first input that reaches it, however many copies and conditions lead there.
#[test]
fn copies_of_a_failing_call_are_one() {
    let source = "#include <assert.h>
#include <stdlib.h>
static int g(int x) {
  assert(x != 3);
  if (x == 5)
    abort();
  return x & 7;
}
int f(int a, int b) {
  if (a == 11 || b == 12)
    abort();
  a = g(a);
  return a + g(b);
}
";
    let document = document(source);
    let errors = document.findings.iter().filter(|finding| finding.kind == ReportFindingKind::Error);
    assert_eq!(
        errors.map(|finding| (finding.line, finding.text.as_str(), finding.evidence.as_str())).collect::<Vec<_>>(),
        [(4, "!(x != 3)", "a failed assertion"), (6, "abort()", "abort()"), (11, "abort()", "abort()")]
    );
    assert!(document.sentence.contains("3 places can fail"), "{}", document.sentence);
}

#[test]
fn error_calls_are_reached_or_not() {
    let of = |condition: &str| {
        document(&format!("#include <assert.h>\nint f(int x) {{ if (x > 3) assert({condition}); return x; }}")).error_call
    };
    assert_eq!(of("x != 9"), Some(ReportErrorCall::Reached));
    assert_eq!(of("x > 2"), Some(ReportErrorCall::Unreachable));
    assert_eq!(document("int f(int x) { return x > 3; }").error_call, None);
    // Of a run beyond the bound of Cover, too.
    let sequence = "int nondet(void); void reach_error(void);
        int f(void) { int wanted[6] = {7, 2, 9, 4, 1, 8}, at = 0;
        while (1) { int c = nondet(); if (c == 0) return 0;
        if (c == wanted[at]) at++; else at = 0; if (at == 6) { reach_error(); return 1; } } }";
    let document = document(sequence);
    assert_eq!(document.error_call, Some(ReportErrorCall::Reached), "{}", document.sentence);
    assert!(document.findings.iter().any(|finding| finding.kind == ReportFindingKind::Error && finding.input.is_some()));
}

/// A branch that Cover leaves open is asked of Branches.
#[test]
fn engines_work_together() {
    let source = "int f(int n) {\n  int i = 0;\n  while (i < n)\n    i++;\n  if (i == 60)\n    return 1;\n  if (i < 0)\n    return 2;\n  return 0;\n}\n";
    let document = document(source);
    assert_eq!((document.branches.open, document.branches.infeasible), (0, 1));
    assert!(document.header.complete);
}

#[test]
fn a_function_without_decisions_has_a_sentence() {
    assert_eq!(document("int f(int x) { return x; }").sentence, "The function decides nothing, so it has no branch.");
    assert_eq!(document("int f(int x) { if (x > 3) return 1; return 0; }").sentence, "Both branches can run.");
}

/// A condition that always holds has the usual mistake that its text looks like, and one without a mistake has none.
#[test]
fn usual_mistakes_are_told() {
    let hint = |condition: &str| {
        let source = format!(
            "#include <stdio.h>\nint f(int x, unsigned u, int a) {{\n char s[4] = \"no\", t[4] = \"no\";\n unsigned char d = getchar();\n \
             unsigned short h = u; double q = x / 4; struct {{ unsigned mode : 3; int level : 4; }} m = {{u & 7, 1}};\n \
             if ({condition}) return s[0] + t[0] + h + m.mode;\n return d;\n}}"
        );
        let document = document(&source);
        let always: Vec<&ReportFinding> = document.findings.iter().filter(|one| one.kind == ReportFindingKind::Always).collect();
        assert_eq!(always.len(), 1, "{condition}: {:?}", document.findings);
        always[0].hint.clone().unwrap_or_default()
    };
    for (condition, words) in [
        ("x = 5", "`==` compares"),
        ("u >= 0", "never below 0"),
        ("u < 0", "never below 0"),
        ("0 > u", "never below 0"),
        ("(a > 3) & (a < 2)", "`&&` combines"),
        ("d == EOF", "`EOF`"),
        ("a != 1 || a != 2", "perhaps `&&`"),
        ("a == 1 && a == 2", "perhaps `||`"),
        ("a > 5 && a < 3", "perhaps `||`"),
        ("a < 5 || a > 3", "perhaps `&&`"),
        ("x > 3 && a == 1 && a == 2", "perhaps `||`"),
        ("0 <= a <= 100", "gives 0 or 1"),
        ("2 < a < 9", "gives 0 or 1"),
        ("x & 4 == 0", "binds tighter"),
        ("!x == 3", "`!` binds tighter"),
        ("(x > a) == 2", "is 0 or 1"),
        ("x == 1 || 2", "a number alone"),
        ("x | 4", "sets bits"),
        ("(x & 6) == 9", "no other bits"),
        ("x + 1 < x", "overflows is undefined"),
        ("x * x < 0", "overflows is undefined"),
        ("d > 255", "from 0 to 255"),
        ("300 == d", "from 0 to 255"),
        ("d < 0", "from 0 to 255"),
        ("u % 5 == 5", "less than 5"),
        ("u % 5 == -1", "4294967295"),
        ("0.1 + 0.2 == 0.3", "rounded"),
        ("q == 0.5", "drops the fraction"),
        ("x / 4 == 2.5", "drops the fraction"),
        ("h + 1 == 0", "does not wrap around"),
        ("d - 1 == 255", "does not wrap around"),
        ("~d == 0xff", "before `~`"),
        ("m.level > 7", "from -8 to 7"),
        ("m.mode == 9", "from 0 to 7"),
        ("s == \"no\"", "`strcmp("),
        ("\"no\" != s", "`strcmp("),
        ("s == t", "`strcmp("),
    ] {
        assert!(hint(condition).contains(words), "{condition}: {}", hint(condition));
    }
    // A cast gives another number.
    let casts = ["u == 70000 && (unsigned char)u == 1", "(signed char)h == 100 && h == 99"];
    for condition in ["(x = 5)", "(0 <= a) <= 1", "a > 5 && a * 2 < 3 && a < 1000", "u + 1 == 0 && u < 3"].into_iter().chain(casts) {
        assert_eq!(hint(condition), "", "{condition}");
    }
}

/// Of `else if`, a condition that one before it includes; of a jump after a condition with a `;`, what follows.
#[test]
fn usual_mistakes_in_statements_are_told() {
    let hints = |source: &str, kind: ReportFindingKind| -> Vec<String> {
        document(source).findings.into_iter().filter(|one| one.kind == kind).filter_map(|one| one.hint).collect()
    };
    let grade = "int f(int s) { if (s >= 60) return 1; else if (s >= 70) return 2; else if (s == 65) return 3; else if (s > 50) return 4; return 5; }";
    let narrower = hints(grade, ReportFindingKind::Always);
    assert!(narrower.len() == 2 && narrower.iter().all(|hint| hint.contains("narrower")), "{narrower:?}");
    let bare = "int f(int x) { if (x > 3); return 1; return x; }";
    let never = hints(bare, ReportFindingKind::NeverRuns);
    assert!(never.len() == 1 && never[0].contains("`;`"), "{never:?}");
    // Where the check is an operation that is undefined by itself, no other one comes before it.
    assert_eq!(hints("int f(unsigned x) { if (x >> 32) return 1; return 0; }", ReportFindingKind::Always), [""; 0]);
}

/// A statement to which no path leads has no edge; a label in front of it may be a word that is misspelled.
#[test]
fn statements_without_a_path_never_run() {
    let document =
        document("int f(int y) {\n  int r = 0;\n  switch (y) {\n  case 1: r = 20; break;\n  defualt: r = 99;\n  }\n  return r;\n}\n");
    let dead: Vec<&ReportFinding> = document.findings.iter().filter(|finding| finding.kind == ReportFindingKind::NeverRuns).collect();
    let [finding] = dead[..] else { panic!("{dead:?}") };
    assert_eq!((finding.line, &finding.text[..]), (5, "r = 99"));
    assert!(finding.hint.as_ref().is_some_and(|hint| hint.contains("`defualt`")), "{finding:?}");
}

/// The text of a statement is cut from the program by bytes, whatever characters come before it.
#[test]
fn statements_after_other_characters_are_whole() {
    let found = document("int f(int x) {\n  /* a \u{202e} and a 𝕊 */\n  if (x > 3 && x < 2)\n    x = x == '<';\n  return x;\n}\n");
    let never: Vec<&str> = found.findings.iter().filter(|one| one.kind == ReportFindingKind::NeverRuns).map(|one| &*one.text).collect();
    assert_eq!(never, ["x = x == '<'"]);
}

/// A branch whose next expression is undefined is taken all the same: its run fails behind it.
#[test]
fn a_branch_before_an_undefined_value_is_taken() {
    for source in [
        "int f(int x) { if (x == 77) return 1 / (x - 77); return x; }",
        "int f(int x) { int a[3] = {1, 2, 3}; if (x > 5) return a[x]; return 0; }",
        "int f(int x) { if (x == 77) printf(\"%d\", 1 / (x - 77)); return x; }",
    ] {
        let document = document(source);
        let verdicts: Vec<_> = document.list.iter().map(|branch| branch.verdict).collect();
        assert_eq!(verdicts, [ReportVerdict::Covered, ReportVerdict::Covered], "{source}");
        let errors = document.findings.iter().filter(|finding| finding.kind == ReportFindingKind::Error);
        assert_eq!(errors.count(), 1, "{source}");
    }
}

/// What excludes the branches of a report: the reasons on all paths, and those of alternatives.
fn reasons(document: &ReportDocument) -> Vec<String> {
    let dead = document.list.iter().filter(|branch| branch.verdict == ReportVerdict::Infeasible);
    let told = |branch: &ReportBranch| {
        let because = branch.because.as_ref().unwrap_or_else(|| panic!("no reason: {branch:?}"));
        let list = |reasons: &[CoverReason]| reasons.iter().map(|one| one.text.as_str()).collect::<Vec<_>>().join(" and ");
        let either: Vec<String> = because.either.iter().map(|one| list(one)).collect();
        let [all, some, enclosing] = [&because.all, &because.some, &because.enclosing].map(|reasons| list(reasons));
        format!("{}: all {all}; either {}; some {some}; behind {enclosing}", branch.text, either.join(" or "))
    };
    dead.map(told).collect()
}

/// A branch of a function that is called several times is excluded in each call, by what is passed there.
#[test]
fn branches_in_several_calls_have_reasons() {
    let step = "static int step(int x, int y) {\n  if (x > 9 && y == 3)\n    return 1;\n  return 0;\n}\n";
    let of = |body: &str| reasons(&document(&format!("{step}int f(int a, int b) {{\n  {body}\n}}\n")));
    assert_eq!(of("if (a > 5) return step(3, b); return step(4, b);")[0], "x > 9: all ; either step.x = 3 or step.x = 4; some ; behind ");
    assert_eq!(of("if (b != 5) return 0; return step(a, b) + step(b, b);"), ["y == 3: all !(b != 5); either ; some ; behind "]);
    assert_eq!(of("return step(a, 1) + step(b, 2) + step(1, b);"), ["y == 3: all ; either step.y = 1 or step.y = 2; some ; behind x > 9"]);
}
