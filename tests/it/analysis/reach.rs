//! Reach on the paper's programs and on programs that need path counters, its evidence, and what it says to questions without an answer.

use culdesac::analysis::check::check;
use culdesac::analysis::reach::{DEFAULT_K, Reach, ReachDocument, ReachFoundBy, ReachNews, ReachSatisfiable, ReachSettings, ReachVerdict};
use culdesac::analysis::{Finding, Listener, Query};
use culdesac::evidence::{Claim, Evidence, Statement};
use culdesac::view::{InputValue, Number, Reply, Request};

fn request(source: &str) -> Request {
    Request { program: "f.c".into(), source: source.into(), ..Request::default() }
}

fn ask(source: &str, target: Option<&str>) -> (Reply<ReachDocument>, Vec<Claim>) {
    ask_within(source, target, DEFAULT_K)
}

fn ask_within(source: &str, target: Option<&str>, k: u32) -> (Reply<ReachDocument>, Vec<Claim>) {
    put(request(source), target, k)
}

fn put(request: Request, target: Option<&str>, k: u32) -> (Reply<ReachDocument>, Vec<Claim>) {
    let settings = ReachSettings { target: target.map(str::to_owned), k };
    let (mut claims, mut progress) = (Vec::new(), |_| true);
    let mut listener = Listener { claims: Some(&mut claims), ..Listener::new(&mut progress) };
    let reply = Query { request: Some(request), settings }.answer::<Reach>(&Default::default, &mut listener);
    (reply, claims)
}

/// In so many steps.
pub fn reach_within(source: &str, target: &str, limit: u64) -> (ReachDocument, Vec<Claim>) {
    found(source, put(Request { limit: Some(limit), ..request(source) }, Some(target), DEFAULT_K))
}

pub fn reach(source: &str, target: &str) -> (ReachDocument, Vec<Claim>) {
    found(source, ask(source, Some(target)))
}

fn found(source: &str, answered: (Reply<ReachDocument>, Vec<Claim>)) -> (ReachDocument, Vec<Claim>) {
    match answered {
        (Reply::Document { document }, claims) => (document, claims),
        (Reply::Refused { diagnostics }, _) => panic!("{:?}\n{source}", diagnostics[0].message),
    }
}

fn refusal(source: &str, target: Option<&str>) -> String {
    match ask(source, target).0 {
        Reply::Refused { diagnostics } => diagnostics[0].message.clone(),
        Reply::Document { document } => panic!("{:?}", document.verdict),
    }
}

fn example(name: &str) -> String {
    std::fs::read_to_string(format!("examples/{name}.c")).expect("an example")
}

/// The line of the last `return 1`.
pub fn goal(source: &str) -> String {
    let lines: Vec<&str> = source.lines().collect();
    (lines.iter().rposition(|line| line.contains("return 1;")).expect("a goal") + 1).to_string()
}

/// How many claims of an evidence file about this program the check rejects, of how many.
pub fn rejected(source: &str, document: &ReachDocument, claims: Vec<Claim>) -> (usize, usize) {
    let evidence = Evidence::of(&request(source), &document.header, claims);
    let Reply::Document { document } = check(&evidence) else { panic!("refused") };
    (document.rejected.len(), document.checked as usize)
}

/// ST12, Table 2: the five that can be reached are by the first model; Hello needs five rounds of a loop at most.
#[test]
fn the_paper_s_reachable_targets_are_reached_by_the_first_model() {
    for (name, most) in
        [("ones", 13), ("hello", 5), ("hello_world", 10), ("hello_world_at_microsoft", 25), ("matrix_row", 25), ("packets", 25)]
    {
        let source = example(name);
        let (document, claims) = reach(&source, &goal(&source));
        assert_eq!(
            (document.verdict, document.found_by),
            (ReachVerdict::Reached, Some(ReachFoundBy::Model)),
            "{name}: {:?}",
            document.open
        );
        assert!(document.k.is_some_and(|k| k <= most), "{name}: {:?}", document.k);
        assert!(document.backbones.iter().any(|backbone| backbone.verdict == ReachSatisfiable::Satisfiable), "{name}");
        assert_eq!(document.path.len(), document.lines.len());
        assert_eq!(rejected(&source, &document, claims), (0, 1), "{name}");
    }
}

/// ST12, Table 2: no execution gets past these loops, however often they run.
#[test]
fn the_paper_s_unreachable_targets_have_evidence() {
    for name in ["one_loop", "two_loops"] {
        let source = example(name);
        let (document, claims) = reach(&source, &goal(&source));
        assert_eq!((document.verdict, &*document.condition), (ReachVerdict::Unreachable, "false"), "{name}: {:?}", document.open);
        assert!(document.assumes.is_empty() && document.header.complete);
        assert_eq!(rejected(&source, &document, claims), (0, 1), "{name}");
    }
}

/// ST12, Section 2: the summary and the condition of the running example.
#[test]
fn the_running_example_reads_as_in_the_paper() {
    let source = example("ones");
    let (document, _) = reach(&source, &goal(&source));
    let [summary] = &document.loop_summaries[..] else { panic!("{:?}", document.loop_summaries) };
    let rounds: Vec<(&str, &str)> = summary.rounds.iter().map(|round| (&*round.counter, &*round.condition)).collect();
    assert_eq!(rounds, [("κ1", "i < n ∧ A[i] = 1"), ("κ2", "i < n ∧ A[i] ≠ 1")]);
    let values: Vec<(&str, &str)> = summary.values.iter().map(|value| (&*value.name, &*value.value)).collect();
    assert_eq!(values, [("k", "k + κ1"), ("i", "i + κ1 + κ2")]);
    assert_eq!(
        summary.looping_condition,
        [
            "∀ τ1 (0 ≤ τ1 < κ1 → ∃ τ2 (0 ≤ τ2 ≤ κ2 ∧ i + τ1 + τ2 < n ∧ A[i + τ1 + τ2] = 1))",
            "∀ τ2 (0 ≤ τ2 < κ2 → ∃ τ1 (0 ≤ τ1 ≤ κ1 ∧ i + τ1 + τ2 < n ∧ A[i + τ1 + τ2] ≠ 1))",
        ]
    );
    assert!(document.condition.starts_with("∃ κ1, κ2 ≥ 0 (n ≤ κ1 + κ2 + 3 ∧ 13 ≤ κ1 ∧ ∀ τ1"), "{}", document.condition);
    assert_eq!(document.k, Some(13));
    let input = document.input.expect("an input");
    assert_eq!(input.values["n"], InputValue::Scalar(Number::Small(16)));
}

/// Programs whose targets nothing gets to, for reasons that speak of how often each side of a decision in a loop was taken.
const COUNTED: [(&str, &str); 12] = [
    ("two counters share the rounds", "int f(int a[], int n) { int p = 0, q = 0; for (int i = 0; i < n; i++) if (a[i] > 0) p++; else q++;
        if (n >= 0 && p + q != n)
            return 1; return 0; }"),
    ("three counters", "int f(int a[], int n) { int l = 0, e = 0, g = 0, i; for (i = 0; i < n; i++) { if (a[i] < 0) l++; else if (a[i] == 0) e++; else g++; }
        if (l + e + g != i)
            return 1; return 0; }"),
    ("a weighted sum", "int f(int a[], int n) { int s = 0, u = 0, v = 0; for (int i = 0; i < n; i++) { if (a[i] == 7) { s = s + 3; u++; } else { s = s - 2; v++; } }
        if (s != 3 * u - 2 * v)
            return 1; return 0; }"),
    ("an inner loop of always four rounds", "int f(int n) { int c = 0, r = 0; for (int i = 0; i < n; i++) { r++; for (int j = 0; j < 4; j++) c++; }
        if (c != 4 * r)
            return 1; return 0; }"),
    ("what one gets the other loses", "int f(int n) { int x = 0, y = 100; while (x < n) { x++; y--; }
        if (x + y != 100)
            return 1; return 0; }"),
    ("depth and two counts", "int f(int s[], int n) { int o = 0, c = 0, d = 0; for (int i = 0; i < n; i++) { if (s[i] == 1) { o++; d++; } else if (s[i] == 2) { c++; d--; } }
        if (d == 0 && o != c)
            return 1; return 0; }"),
    ("an account", "int nondet(void); int f(int start) { int b = start, in = 0, out = 0; while (nondet()) { if (nondet()) { b = b + 5; in++; } else { b = b - 3; out++; } }
        if (b - start != 5 * in - 3 * out)
            return 1; return 0; }"),
    ("no more hits than elements", "int f(int a[], int n) { int k = 0; for (int i = 0; i < n; i++) if (a[i] == 1) k++;
        if (k > n && n >= 0)
            return 1; return 0; }"),
    ("steps of different size", "int f(int a[], int n) { int e = 0, o = 0, i = 0; while (i < n) { if (a[i] % 2 == 0) e = e + 2; else o++; i++; }
        if (n > 0 && e + 2 * o != 2 * n)
            return 1; return 0; }"),
    ("an inner loop of as many rounds as it likes", "int f(int n, int m) { int t = 0, s = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { t = t + 2; s++; } }
        if (t != 2 * s)
            return 1; return 0; }"),
    ("tokens", "int nondet(void); int f(void) { int t = 10, a = 0, b = 0; while (t > 0) { t--; if (nondet()) a++; else b++; }
        if (a + b != 10)
            return 1; return 0; }"),
    ("never more down than up", "int nondet(void); int f(int top) { int at = 0, up = 0, down = 0; while (nondet()) { if (at < top && nondet()) { at++; up++; } else if (at > 0) { at--; down++; } }
        if (down > up)
            return 1; return 0; }"),
];

#[test]
fn sums_over_rounds_are_decided() {
    for (name, source) in COUNTED {
        let (document, claims) = reach(source, &goal(source));
        assert_eq!(document.verdict, ReachVerdict::Unreachable, "{name}: {:?}", document.open);
        assert_eq!(rejected(source, &document, claims), (0, 1), "{name}");
    }
}

/// Beside each of them one that differs in a number, so that something does get there.
#[test]
fn nearly_the_same_sums_are_reached() {
    for (source, from, to) in [
        (COUNTED[0].1, "p + q != n", "p + q == n"),
        (COUNTED[2].1, "3 * u - 2 * v", "3 * u - 2 * v + 1 && s == 7"),
        (COUNTED[3].1, "4 * r", "4 * r + 1 && c == 8"),
        (COUNTED[8].1, "2 * o != 2 * n", "3 * o != 2 * n"),
        (COUNTED[10].1, "a + b != 10", "a == 3"),
        (COUNTED[11].1, "down > up", "down == up && up == 2"),
    ] {
        let changed = source.replace(from, to);
        assert_ne!(source, changed);
        let (document, claims) = reach(&changed, &goal(&changed));
        assert_eq!(document.verdict, ReachVerdict::Reached, "{:?}\n{changed}", document.open);
        assert_eq!(rejected(&changed, &document, claims), (0, 1));
    }
}

/// Evidence that is changed in any of its parts is not believed.
#[test]
fn changed_evidence_is_rejected() {
    let source = COUNTED[0].1;
    let (document, claims) = reach(source, &goal(source));
    let [claim] = &claims[..] else { panic!("{} claims", claims.len()) };
    let whole = serde_json::to_value(claim).expect("plain data");
    let mut changes: Vec<(String, serde_json::Value)> = Vec::new();
    let mut change = |what: String, change: &dyn Fn(&mut serde_json::Value)| {
        let mut changed = whole.clone();
        change(&mut changed);
        assert_ne!(whole, changed, "{what} changes nothing");
        changes.push((what, changed));
    };
    change("another edge".into(), &|claim| claim["edges"][0] = 0.into());
    change("no cuts".into(), &|claim| claim["graph"]["cut"] = serde_json::json!([]));
    change("a ghost's name".into(), &|claim| claim["graph"]["ghosts"][0][0] = "n".into());
    change("two ghosts of a name".into(), &|claim| claim["graph"]["ghosts"][1][0] = claim["graph"]["ghosts"][0][0].clone());
    let updates = whole["graph"]["updates"].as_array().expect("updates").len();
    assert!(updates > 3);
    change("no updates".into(), &|claim| claim["graph"]["updates"] = serde_json::json!([]));
    change("an update of an edge that is not there".into(), &|claim| claim["graph"]["updates"][0][0] = 10_000.into());
    change("an update of a ghost that is not there".into(), &|claim| claim["graph"]["updates"][0][1] = 10_000.into());
    change("an update twice".into(), &|claim| {
        let first = claim["graph"]["updates"][0].clone();
        claim["graph"]["updates"].as_array_mut().expect("updates").push(first);
    });
    let certificates = whole["certificates"].as_array().expect("certificates").len();
    for at in 0..certificates {
        change(format!("certificate {at} is missing"), &|claim| {
            drop(claim["certificates"].as_array_mut().expect("certificates").remove(at))
        });
    }
    for place in 0..whole["graph"]["places"].as_array().expect("places").len() {
        if whole["graph"]["invariants"][place].as_array().is_some_and(|formulas| !formulas.is_empty()) {
            change(format!("no formulas at place {place}"), &|claim| claim["graph"]["invariants"][place] = serde_json::json!([]));
        }
    }
    for (what, changed) in changes {
        // What cannot even be read is not believed either.
        if let Ok(claim) = serde_json::from_value::<Claim>(changed) {
            assert_eq!(rejected(source, &document, vec![claim]).0, 1, "{what}");
        }
    }
    assert_eq!(rejected(source, &document, claims), (0, 1));
}

#[test]
fn targets_have_names() {
    let source = "int nondet(void);
void reach_error(void);
int g(int y) {
    return y + 1;
}
int unused(int z) {
    z = 4;
    return z;
}
int f(int x) {
    int i = 0;
    for (i = 0; i < x; i++)
        x = g(x) - 2;
again:
    x = x + 2; i = 7;
    if (x == 5) reach_error();
    return x;
}
";
    let f = |target: &str| match ask_in(source, target) {
        Reply::Document { document } => (document.target.text.clone(), document.others.len()),
        Reply::Refused { diagnostics } => (diagnostics[0].message.clone(), 0),
    };
    assert_eq!(f("15"), ("i = 7".to_owned(), 1));
    assert_eq!(f("15:5"), ("x = x + 2".to_owned(), 1));
    assert_eq!(f("15:16"), ("i = 7".to_owned(), 1));
    assert_eq!(f("again"), ("x = x + 2".to_owned(), 1));
    assert_eq!(f("16"), ("reach_error()".to_owned(), 1));
    assert_eq!(f("reach_error"), ("reach_error()".to_owned(), 1));
    assert_eq!(f("4").0, "return y + 1;");
    assert!(f("7").0.contains("is in `unused`, which `f` does not call: analyse it with --function unused"), "{:?}", f("7"));
    assert!(f("99").0.contains("there is no line 99: the program has 18 lines"), "{:?}", f("99"));
    assert!(f("0").0.contains("there is no line 0"), "{:?}", f("0"));
    assert!(f("18").0.contains("near it are lines"), "{:?}", f("18"));
    assert!(f("2").0.contains("line 2 is in no function"), "{:?}", f("2"));
    assert!(f("nowhere").0.contains("`nowhere` is neither a line nor a label"), "{:?}", f("nowhere"));
}

/// Of a line with several targets the statement is meant, and the answer says which.
#[test]
fn a_line_means_its_statement() {
    let source = |line: &str| format!("int f(int x, int y, int n) {{\n    int i;\n{line}\n    return y;\n}}\n");
    for (line, text, column, others) in [
        ("    if (x > 3 && x < 2) y = 1;", "y = 1", 25, vec!["3:9", "3:18"]),
        ("    if (x > 3) y = 1; else y = 2;", "y = 2", 28, vec!["3:9", "3:16"]),
        ("    if (x > 3 && x < 2)", "x > 3", 9, vec!["3:18"]),
        ("    while (x > 3) x--;", "x--", 19, vec!["3:12"]),
        ("    for (i = 0; i < n; i++)", "i = 0", 10, vec!["3:17", "3:24"]),
        ("    for (i = 0; i < n; i++) y += i;", "y += i", 29, vec!["3:10", "3:17", "3:24"]),
        ("    if (x == 1) return 7; y = 3;", "return 7", 24, vec!["3:9", "3:27"]),
    ] {
        let whole = source(line);
        let whole = if line.ends_with(')') { whole.replace(")\n    return", ")\n        y = 5;\n    return") } else { whole };
        let Reply::Document { document } = ask_in(&whole, "3") else { panic!("{line}") };
        let names: Vec<&str> = document.other_targets.iter().map(|other| &*other.name).collect();
        assert_eq!((&*document.target.text, document.target.line, document.target.column, names), (text, 3, column, others), "{line}");
        for other in &document.other_targets {
            let Reply::Document { document } = ask_in(&whole, &other.name) else { panic!("{line}") };
            assert_eq!(document.target, *other);
        }
    }
    let (document, _) = reach(&source("    if (x > 3 && x < 2) y = 1;"), "3");
    assert_eq!(document.verdict, ReachVerdict::Unreachable);
}

fn ask_in(source: &str, target: &str) -> Reply<ReachDocument> {
    let settings = ReachSettings { target: Some(target.to_owned()), k: DEFAULT_K };
    let request = Request { function: Some("f".into()), ..request(source) };
    Query { request: Some(request), settings }.answer::<Reach>(&Default::default, &mut Listener::new(&mut |_| true))
}

#[test]
fn without_a_target_it_is_the_first_error_call() {
    let source = "void reach_error(void); int f(int x) { if (x > 3 && x * 2 == 10) reach_error(); return 0; }";
    let Reply::Document { document } = ask(source, None).0 else { panic!("refused") };
    assert_eq!((document.verdict, &*document.target.text), (ReachVerdict::Reached, "reach_error()"));
    assert!(refusal("int f(int x) { return x; }", None).contains("there is no error call and no assertion in `f`"));
}

/// Where the loop needs more than the summary says, the answer is open, not wrong (ST12, Theorem 2).
#[test]
fn what_no_summary_expresses_stays_open() {
    let source = "int f(int n) { int x = 2; while (n-- > 0) x = x * 3 % 700000001; if (x == 5)
        return 1; return 0; }";
    let (document, claims) = reach(source, &goal(source));
    assert_eq!(document.verdict, ReachVerdict::Unknown);
    assert!(claims.is_empty() && !document.header.complete);
    assert_eq!(
        document.open.as_deref(),
        Some("no input gets there with at most 25 rounds of each loop, and more are possible; a greater K allows more")
    );
    // The search goes round and round; what it keeps gets to where only the way out of the loop is left.
    let search = document.search.expect("a search");
    let nearest = search.nearest.expect("a run");
    assert!(search.prefixes > 100 && nearest.distance == 1, "{} prefixes, {nearest:?}", search.prefixes);
    assert_eq!(nearest.path.len(), nearest.lines.len());
}

/// Where more rounds are needed than are written out, the search over prefixes gets there, and its run is one of the evidence.
#[test]
fn the_guided_search_gets_behind_many_rounds() {
    let thirds = "int f(int n) { int i = 0, s = 0; while (i < n) { i++; if (i % 3 == 0) s++; } if (s == 40)
        return 1; return 0; }";
    let word = "int nondet(void);
        int f(int n) {
          int state = 0, count = 0;
          while (count < n) {
            int c = nondet();
            if (state == 0 && c == 'h') state = 1; else if (state == 1 && c == 'e') state = 2;
            else if (state == 2 && c == 'y') state = 3; else state = 0;
            count++;
            if (state == 3 && count > 30)
              return 1;
          }
          return 0; }";
    let two = "int f(int n, int m) { int i = 0, j = 0, k = 0; while (i < n) { i++; if (i % 2) j++; } while (j < m) { j += 2; k++; }
        if (k == 3 && i > 60 && j - m == 1)
          return 1; return 0; }";
    for source in [thirds, word, two] {
        let (document, claims) = reach(source, &goal(source));
        assert_eq!(
            (document.verdict, document.found_by, document.k),
            (ReachVerdict::Reached, Some(ReachFoundBy::Search), None),
            "{source}"
        );
        let search = document.search.as_ref().expect("a search");
        assert!(search.dropped > 0 && search.nearest.is_none());
        assert_eq!(rejected(source, &document, claims), (0, 1));
    }
}

/// Too many ways are a limit like others: the answer is open, unless a search without the condition gets there.
#[test]
fn too_many_paths_leave_it_open() {
    let decisions: String = (0..16).map(|i| format!("if (x % {} == 0) y = y + {i};\n", i + 2)).collect();
    let source = format!("int f(int x) {{ int y = 0;\n{decisions}if (y == 3)\n    return 1;\nreturn 0; }}");
    let (document, _) = reach(&source, &goal(&source));
    assert_eq!((document.verdict, &*document.condition), (ReachVerdict::Reached, "true"));
    // An invariant of the locations needs no paths.
    let excluded = source.replace("if (y == 3)", "if (x > 0 && x < 0)");
    let (document, claims) = reach(&excluded, &goal(&excluded));
    assert_eq!(document.verdict, ReachVerdict::Unreachable, "{:?}", document.open);
    assert_eq!(rejected(&excluded, &document, claims), (0, 1));
    let missed = source.replace("if (y == 3)", "if (y == 3 && x * x % 1000003 == 3)");
    let (document, claims) = reach(&missed, &goal(&missed));
    assert_eq!((document.verdict, &*document.condition), (ReachVerdict::Unknown, "true"));
    assert!(document.open.is_some_and(|open| open.contains("4000 acyclic paths")) && claims.is_empty() && document.backbones.is_empty());
}

/// Instances of `∀ τ` that models choose show what last rounds do not, with evidence (ST12, Section 4).
#[test]
fn chosen_instances_show_what_last_rounds_do_not() {
    let programs = [
        "int f(int a[], int n) { int i = 0; while (i < n && a[i] != 7) i++; if (i > 3 && a[3] == 7)
          return 1; return 0; }",
        "int f(int a[], int n) { int i = 0, s = 0, z = 0;
          while (i < n) { if (a[i] > 0) s++; else if (a[i] == 0) z++; else return 0; i++; }
          if (i > 0 && a[0] < 0)
            return 1;
          return 0; }",
        "int f(int n) { int i = 0; while (i != 5 && i < n) i++; if (i > 7)
          return 1; return 0; }",
        // Whatever K is, more rounds are possible.
        "int f(int n, int m) { int i = 0, j = 100; while (i < n && i != m) { i++; j -= 2; } if (m == 10 && j < 50)
          return 1; return 0; }",
    ];
    for source in programs {
        let (document, claims) = reach(source, &goal(source));
        assert_eq!(document.verdict, ReachVerdict::Unreachable, "{:?}\n{source}", document.open);
        assert_eq!(rejected(source, &document, claims), (0, 1), "{source}");
    }
    // Without the contradiction they are reached.
    for (source, from, to) in [(programs[0], "i > 3", "i == 3"), (programs[2], "i > 7", "i > 4"), (programs[3], "j < 50", "j == 80")] {
        let changed = source.replace(from, to);
        assert_eq!(reach(&changed, &goal(&changed)).0.verdict, ReachVerdict::Reached, "{changed}");
    }
}

/// ST12, Section 4: in place of each `∀` the condition has its first `K` rounds, as far as a reader may want them.
#[test]
fn the_condition_is_written_out_for_each_k() {
    let source = "int f(int a[], int n) { int i = 0; while (i < n && a[i] != 7) i++; if (i > 2)
        return 1; return 0; }";
    let written = |k| match ask_within(source, Some(&goal(source)), k).0 {
        Reply::Document { document } => document,
        Reply::Refused { diagnostics } => panic!("{:?}", diagnostics[0].message),
    };
    let rounds = |k: u32| {
        let rounds = (0..k).map(|n| match n {
            0 => " ∧ (0 < κ1 → 1 ≤ n ∧ a[0] ≠ 7)".to_owned(),
            _ => format!(" ∧ ({n} < κ1 → {} ≤ n ∧ a[{n}] ≠ 7)", n + 1),
        });
        rounds.collect::<String>()
    };
    for k in [0, 1, 2, 5] {
        let document = written(k);
        let each: Vec<&str> = document.written_out.split(" ∨ (∃").collect();
        assert!(each.len() == 2 && each.iter().all(|one| one.contains(&format!("{})", rounds(k)))), "K = {k}: {}", document.written_out);
        assert!(!document.written_out.contains(&format!("({k} < κ1")) && !document.written_out_cut);
        assert!(document.condition.contains("∀ τ1") && !document.written_out.contains('∀'));
    }
    let document = written(DEFAULT_K);
    assert!(document.written_out_cut && document.written_out.contains('…'), "{}", document.written_out);
    assert!(document.condition_steps > 0 && document.written_out_steps > 0);
    assert!(document.condition_steps + document.written_out_steps <= document.header.statistics.steps);
}

/// A total over no rounds is 0, so a condition on it needs a round.
#[test]
fn totals_of_no_rounds_are_nothing() {
    let source = "int nondet(void); int f(int n) { int s = 0, i; for (i = 0; i < n; i++) s = s + nondet();
        if (s == 12345 && i == 0)
            return 1; return 0; }";
    let (document, claims) = reach(source, &goal(source));
    assert_eq!(document.verdict, ReachVerdict::Unreachable, "{:?}", document.open);
    assert_eq!(rejected(source, &document, claims), (0, 1));
    let other = source.replace("i == 0", "i == 2");
    assert_eq!(reach(&other, &goal(&other)).0.verdict, ReachVerdict::Reached);
}

/// What the path wrote to arrays and through pointers is known at each place.
#[test]
fn written_elements_are_part_of_the_invariant() {
    let through = "int f(int *p, int *q) { *p = 1; *q = 2; if (*p == 2)
        return 1; return 0; }";
    let array = "int f(int i, int n) { int a[3] = {4, 5, 6}; a[i] = 7; int k = 0; while (k < n) k += 2; if (a[i] == k + 8 || a[i] != 7)
        return 1; return 0; }";
    for source in [through, array] {
        let (document, claims) = reach(source, &goal(source));
        assert_eq!(document.verdict, ReachVerdict::Unreachable, "{:?}\n{source}", document.open);
        // The claim is about the target, even where nothing leads there at first sight.
        let [claim] = &claims[..] else { panic!("{claims:?}") };
        assert!(matches!(&claim.statement, Statement::Excluded { edges, .. } if *edges == document.target.edges));
        assert_eq!(rejected(source, &document, claims), (0, 1));
    }
    assert_eq!(reach(through, &goal(through)).0.assumes, ["distinct-parameters"]);
}

/// What is told on the way: the condition as it is before anything is decided, then each backbone; so a cancelled run keeps that.
#[test]
fn news_are_what_the_document_says_in_the_end() {
    let source = "int f(int a[], int n) { int i = 0; while (i < n && a[i] != 7) i++; if (i > 3 && a[3] == 7)
        return 1; return 0; }";
    let told = |source: &str, cancelled: bool| {
        let (mut first, mut decided) = (None, Vec::new());
        let mut hear = |event: culdesac::view::Event| {
            match event.news::<ReachNews>() {
                Some(ReachNews::ReachCondition { condition, backbones, loop_summaries, .. }) => {
                    first = Some((condition.clone(), backbones.clone(), loop_summaries.len()));
                }
                Some(ReachNews::ReachDecided { backbone, verdict, .. }) => decided.push((*backbone as usize, *verdict)),
                None => {}
            }
            !cancelled || decided.is_empty()
        };
        let settings = ReachSettings { target: Some(goal(source)), k: DEFAULT_K };
        let mut listener = Listener { findings: &[Finding::Step], ..Listener::new(&mut hear) };
        let reply = Query { request: Some(request(source)), settings }.answer::<Reach>(&Default::default, &mut listener);
        let Reply::Document { document } = reply else { panic!("refused") };
        (first.expect("a condition"), decided, document)
    };
    let ((condition, backbones, loops), decided, document) = told(source, false);
    assert_eq!((backbones.len(), loops), (document.backbones.len(), document.loop_summaries.len()));
    assert!(backbones.len() > 1 && backbones.iter().all(|backbone| backbone.verdict == ReachSatisfiable::Unasked));
    assert!(backbones.iter().all(|backbone| condition.contains(&backbone.condition)));
    for (number, backbone) in document.backbones.iter().enumerate() {
        let last = decided.iter().rev().find(|(at, _)| *at == number).map(|(_, verdict)| *verdict);
        assert_eq!(last, Some(backbone.verdict));
    }
    assert_eq!(document.verdict, ReachVerdict::Unreachable);
    // A long run that is cancelled after the first backbone has reported as much.
    let long = "int f(int n) { int x = 2; while (n-- > 0) x = x * 3 % 700000001; if (x == 5)
        return 1; return 0; }";
    let (whole, part) = (told(long, false), told(long, true));
    assert_eq!((&part.0.0, part.1.first()), (&whole.0.0, whole.1.first()));
    assert!(!part.1.is_empty() && part.2.header.statistics.steps < whole.2.header.statistics.steps);
}
