//! One answer: what all commands say of the same edges, paths and states under the same assumptions. An edge that one calls infeasible and
//! another takes with a replayed test is a contradiction.
//!
//! `CULDESAC_DIFFERENTIAL_PROGRAMS` and `CULDESAC_DIFFERENTIAL_FIRST` say how many random programs of each kind, and which.

use crate::differential::{random, related, worlds};
use culdesac::analysis::branches::{Branches, BranchesSettings, BranchesVerdict};
use culdesac::analysis::check::check;
use culdesac::analysis::cover::{Cover, CoverSettings};
use culdesac::analysis::draw::{Draw, DrawSettings};
use culdesac::analysis::explain::{Explain, ExplainSettings};
use culdesac::analysis::paths::{Paths, PathsSettings};
use culdesac::analysis::reach::{Reach, ReachSettings, ReachVerdict};
use culdesac::analysis::{Analysis, Listener, Query};
use culdesac::evidence::Evidence;
use culdesac::view::{Document, Header, Reply, Request};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Steps of each question: what they do not suffice for is open, which contradicts nothing.
const LIMIT: u64 = 80_000;
/// Greatest length of paths that are counted and drawn, and how many are drawn.
const LENGTH: u32 = 14;
const DRAWN: u32 = 6;
/// Targets of each program.
const TARGETS: usize = 2;

/// What is assumed, and what is not.
type Assumed = (&'static [&'static str], &'static [&'static str]);

const USUAL: Assumed = (&[], &[]);
const ASSUMED: [Assumed; 5] =
    [USUAL, (&["first-call"], &[]), (&["any-state"], &[]), (&[], &["left-by-calls"]), (&[], &["distinct-parameters"])];

/// A replayed run, and what it assumes.
struct Run {
    by: String,
    edges: Vec<u32>,
    returns: bool,
    assumes: Vec<String>,
}

/// What the commands say of a program.
#[derive(Default)]
struct Said {
    runs: Vec<Run>,
    /// Edges that no execution takes, with the command and what it assumes.
    never: BTreeMap<u32, Vec<(String, Vec<String>)>>,
    /// Edges that no execution takes which returns.
    never_returns: BTreeMap<u32, Vec<(String, Vec<String>)>>,
    /// Prefixes of paths that no input takes.
    prefixes: Vec<(String, Vec<u32>, Vec<String>)>,
    /// Edges that a command leaves open.
    open: BTreeMap<u32, BTreeSet<String>>,
    /// How many paths of at most this length are feasible from any state.
    feasible: Option<(u32, String)>,
    /// Reasons for which `check` rejects a command's own evidence.
    rejected: Vec<String>,
}

/// What came of some programs.
#[derive(Default)]
struct Report {
    programs: usize,
    edges: usize,
    /// Edges that one command leaves open and another decides.
    half: usize,
    contradictions: Vec<String>,
}

fn ask<A: Analysis>(said: &mut Said, request: &Request, settings: A::Settings) -> Option<A::Document> {
    let (mut claims, mut progress) = (Vec::new(), |_| true);
    let mut listener = Listener { claims: Some(&mut claims), ..Listener::new(&mut progress) };
    match (Query { request: Some(request.clone()), settings }).answer::<A>(&Default::default, &mut listener) {
        Reply::Document { document } => {
            let header = document.header().expect("of a program");
            let faults = header.diagnostics.iter().filter(|one| one.code == "contradiction");
            said.rejected.extend(faults.map(|one| format!("{}: {}", A::NAME, one.message)));
            let evidence = Evidence::of(request, header, claims);
            if let Reply::Document { document } = check(&evidence) {
                said.rejected.extend(document.rejected.into_iter().map(|one| format!("{} {}: {}", A::NAME, one.id, one.reason)));
            }
            Some(document)
        }
        Reply::Refused { .. } => None,
    }
}

/// Whether a run counts where these are assumed: from any state calls need not come.
fn consistent(claim: &[String], run: &[String]) -> bool {
    let begins = |id: &str| id == "left-by-calls" || id == "first-call";
    !(claim.iter().any(|id| begins(id)) && run.iter().any(|id| id == "any-state"))
}

/// Asks all commands.
fn said(source: &str, function: Option<&str>, (assume, no_assume): Assumed) -> Option<Said> {
    let own = |list: &[&str]| list.iter().map(ToString::to_string).collect();
    let request = Request {
        program: "agreement.c".to_owned(),
        source: source.to_owned(),
        function: function.map(str::to_owned),
        limit: Some(LIMIT),
        seed: 1,
        assume: own(assume),
        no_assume: own(no_assume),
        ..Request::default()
    };
    let mut said = Said::default();
    let branches = ask::<Branches>(&mut said, &request, BranchesSettings::default())?;
    let depth = |header: &Header| header.inline_depth;
    for test in &branches.tests {
        let (returns, assumes) = (test.ends == "returns", test.assumes.clone());
        said.runs.push(Run { by: "branches".to_owned(), edges: test.edges.clone(), returns, assumes });
    }
    for side in &branches.list {
        for &edge in &side.edges {
            match side.verdict {
                BranchesVerdict::Infeasible => said.never.entry(edge).or_default().push(("branches".to_owned(), side.assumes.clone())),
                BranchesVerdict::Open => drop(said.open.entry(edge).or_default().insert("branches".to_owned())),
                BranchesVerdict::Covered => {}
            }
        }
    }
    let settings = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
    if let Some(cover) = ask::<Cover>(&mut said, &request, settings).filter(|cover| depth(&cover.header) == depth(&branches.header)) {
        for test in &cover.tests {
            said.runs.push(Run { by: "cover".to_owned(), edges: test.edges.clone(), returns: true, assumes: test.assumes.clone() });
        }
        for error in &cover.errors {
            said.runs.push(Run {
                by: "cover's errors".to_owned(),
                edges: error.edges.clone(),
                returns: false,
                assumes: error.assumes.clone(),
            });
        }
        for one in &cover.infeasible {
            said.never.entry(one.edge).or_default().push(("cover".to_owned(), one.assumes.clone()));
        }
        for one in &cover.never_completes {
            said.never_returns.entry(one.edge).or_default().push(("cover".to_owned(), one.assumes.clone()));
        }
        for one in cover.open.iter().chain(&cover.not_within) {
            said.open.entry(one.edge).or_default().insert("cover".to_owned());
        }
    }
    // What is left open or infeasible first: there answers may differ.
    let mut targets: Vec<_> = branches.list.iter().collect();
    targets.sort_by_key(|side| (side.verdict == BranchesVerdict::Covered, side.line, side.column, side.side.clone()));
    let names: BTreeSet<String> = targets.iter().map(|side| format!("{}:{}", side.line, side.column)).take(TARGETS).collect();
    for target in names {
        let Some(reach) = ask::<Reach>(&mut said, &request, ReachSettings { target: Some(target.clone()), k: 25 }) else { continue };
        let by = format!("reach {target}");
        match reach.verdict {
            ReachVerdict::Reached => said.runs.push(Run { by, edges: reach.path, returns: false, assumes: reach.assumes }),
            ReachVerdict::Unreachable => {
                for &edge in &reach.target.edges {
                    said.never.entry(edge).or_default().push((by.clone(), reach.assumes.clone()));
                }
            }
            ReachVerdict::Unknown => {
                for &edge in &reach.target.edges {
                    said.open.entry(edge).or_default().insert("reach".to_owned());
                }
            }
        }
    }
    let settings = DrawSettings { length: LENGTH, count: DRAWN, feasible_only: false, pruned: None, precondition: None };
    for path in ask::<Draw>(&mut said, &request, settings).into_iter().flat_map(|draw| draw.paths) {
        match (path.feasible, path.dies_at) {
            (Some(true), _) => said.runs.push(Run { by: "draw".to_owned(), edges: path.edges, returns: true, assumes: path.assumes }),
            (Some(false), Some(at)) => said.prefixes.push(("draw".to_owned(), path.edges[..=at as usize].to_vec(), path.assumes)),
            _ => {}
        }
    }
    if let Some(paths) = ask::<Paths>(&mut said, &request, PathsSettings { lengths: vec![LENGTH], feasible: true }) {
        said.feasible = paths.table[0].feasible.clone().map(|count| (LENGTH, count));
    }
    let settings = ExplainSettings {
        max_instructions: LENGTH,
        order: "first".to_owned(),
        check: "integer".to_owned(),
        extend: "detours".to_owned(),
        path: None,
        compare: 0,
        rounds: None,
    };
    for family in ask::<Explain>(&mut said, &request, settings).into_iter().flat_map(|explain| explain.families) {
        said.prefixes.push(("explain".to_owned(), family.prefix, family.assumes));
    }
    Some(said)
}

impl Said {
    /// What contradicts.
    fn contradictions(&self) -> Vec<String> {
        let mut found: Vec<String> = self.rejected.iter().map(|reason| format!("evidence: {reason}")).collect();
        for run in &self.runs {
            for (edges, what) in [(&self.never, "infeasible"), (&self.never_returns, "never to return")] {
                if what != "infeasible" && !run.returns {
                    continue;
                }
                for edge in &run.edges {
                    for (by, assumes) in edges.get(edge).into_iter().flatten().filter(|(_, assumes)| consistent(assumes, &run.assumes)) {
                        found.push(format!("{by} says edge {edge} is {what} ({assumes:?}), {} takes it ({:?})", run.by, run.assumes));
                    }
                }
            }
            for (by, prefix, assumes) in self.prefixes.iter().filter(|(_, _, assumes)| consistent(assumes, &run.assumes)) {
                if run.edges.starts_with(prefix) {
                    found.push(format!("{by} says no input takes {prefix:?} ({assumes:?}), {} takes it", run.by));
                }
            }
        }
        if let Some((length, count)) = &self.feasible {
            let known: BTreeSet<&Vec<u32>> =
                self.runs.iter().filter(|run| run.returns && run.edges.len() <= *length as usize).map(|run| &run.edges).collect();
            if count.parse::<usize>().is_ok_and(|count| count < known.len()) {
                found.push(format!("paths counts {count} feasible ones up to {length}, {} are known", known.len()));
            }
        }
        found
    }

    /// Edges that one command leaves open and another decides.
    fn half(&self) -> usize {
        let taken: BTreeSet<u32> = self.runs.iter().flat_map(|run| run.edges.iter().copied()).collect();
        self.open.keys().filter(|edge| taken.contains(edge) || self.never.contains_key(edge)).count()
    }
}

/// Compares what is said of these programs: name, text, function and assumptions of each.
fn compare(programs: &[(String, String, Option<String>, Assumed)]) -> Report {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Report::default()));
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((name, source, function, assumed)) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(said) = said(source, function.as_deref(), *assumed) else { continue };
                    let told = said.contradictions().into_iter().map(|what| format!("{name}, {assumed:?}: {what}\n{source}"));
                    let mut all = all.lock().expect("no worker panics with it");
                    all.programs += 1;
                    all.edges += said.open.len() + said.never.len();
                    all.half += said.half();
                    all.contradictions.extend(told);
                }
            });
        }
    });
    let report = all.into_inner().expect("no worker panics with it");
    println!(
        "{} programs, {} contradictions, {} edges open in one command and decided in another",
        report.programs,
        report.contradictions.len(),
        report.half
    );
    report
}

fn agree(programs: &[(String, String, Option<String>, Assumed)]) {
    let report = compare(programs);
    let first: Vec<&str> = report.contradictions.iter().take(3).map(String::as_str).collect();
    assert!(first.is_empty(), "{} contradictions\n\n{}", report.contradictions.len(), first.join("\n\n"));
    assert!(report.programs * 2 > programs.len(), "only {} of {} were answered", report.programs, programs.len());
}

/// The text of a program with its function, or none for the usual one.
const OWN: &[(&str, &str)] = &[
    (
        "f",
        "static int mode; void set(int m) { if (m >= 0 && m < 3) mode = m; } int f(int x) { if (mode == 2) return x > 3; if (mode == 5) return 1; if (x > 3 && x < 2) return 2; return 0; }",
    ),
    (
        "put",
        "static int q[8]; static unsigned head, tail; int put(int v) { if (head - tail == 8) return -1; if (head - tail > 8) return -2; q[head++ % 8] = v; return 0; } int get(void) { if (head == tail) return -1; tail++; return 0; }",
    ),
    (
        "idle",
        "static int owner, depth; int lock(int me) { if (me <= 0) return -1; if (owner == 0) { owner = me; depth = 1; } else if (owner == me && depth < 9) depth++; return 0; } int unlock(int me) { if (owner != me || me <= 0) return -1; depth--; if (depth == 0) owner = 0; return 0; } int idle(void) { if (owner == 0 && depth != 0) return 1; if (owner && !depth) return 2; return 0; }",
    ),
    (
        "both",
        "static int red, green; void go(int x) { if (x > 3) { red = 0; green = 1; } } void stop(int x) { if (x < 3) { green = 0; red = 1; } } int both(void) { if (red && green) return 1; return 0; }",
    ),
    (
        "ok",
        "static unsigned locks, unlocks, held; void lock(void) { if (held < 5) { locks++; held++; } } void unlock(void) { if (held > 0) { unlocks++; held--; } } int ok(void) { if (locks != unlocks + held) return 1; if (held > 5) return 2; return 0; }",
    ),
    (
        "pop",
        "static int item[4]; static unsigned char first, count; int push(int v) { if (count == 4) return -1; item[(first + count) & 3] = v; count++; return 0; } int pop(void) { if (count == 0) return -1; if (first > 3) return -2; first = (first + 1) & 3; count--; return 0; }",
    ),
    (
        "step",
        "enum st { IDLE, RUN, DONE, LOST }; int step(int ev) { static enum st s = IDLE; switch (s) { case IDLE: if (ev == 1) s = RUN; break; case RUN: if (ev == 2) s = DONE; break; case DONE: return 1; case LOST: return 2; } return 0; }",
    ),
    (
        "f",
        "static int mode; static void hidden(void) { mode = 1; mode = 0; } void (*hook)(void) = hidden; int f(int x) { if (mode == 1) return 1; return x; }",
    ),
    ("f", "static int mode; void each(void (*cb)(void)) { mode = 1; cb(); mode = 0; } int f(int x) { if (mode == 1) return 1; return 0; }"),
    ("f", "static int mode; int *shared = &mode; int f(int x) { if (mode == 1) return 1; return 0; } void g(void) { mode = 0; }"),
    ("f", "static int mode; static int *p = &mode; void set(int x) { *p = x; } int f(int x) { if (mode == 1) return 1; return 0; }"),
    (
        "f",
        "void tick(void); static int mode; void g(void) { mode = 1; tick(); mode = 0; } int f(int x) { if (mode == 1) return 1; return 0; }",
    ),
    (
        "main",
        "static int mode; void set(int m) { mode = m; } int main(void) { if (mode == 5) return 1; set(3); if (mode == 3) return 2; return 0; }",
    ),
    (
        "f",
        "static int n; void push(int v) { if (n < 3 && v > 0) n++; } int f(int x) { int i = 0; while (i < n) i++; if (i == 3) return 1; if (i > 3) return 2; return 0; }",
    ),
    (
        "f",
        "static volatile int ready; static int seen; void on(void) { ready = 1; } int f(void) { if (ready) seen = 1; if (seen && !ready) return 1; if (seen > 1) return 2; return 0; }",
    ),
    ("f", "int f(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) return 1; if (*q != 2) return 2; return 0; }"),
    ("f", "int f(int *p) { if (!p) return 1; *p = 3; if (*p == 4) return 2; return 0; }"),
    ("f", "struct S { int a; int b; }; int f(struct S *s) { s->a = 1; s->b = s->a + 1; if (s->b != 2) return 1; return 0; }"),
    (
        "f",
        "static int fac(int n) { if (n <= 1) return 1; return n * fac(n - 1); } int f(int n) { if (n < 0 || n > 4) return 0; if (fac(n) == 24) return 1; if (fac(n) == 5) return 2; return 3; }",
    ),
    ("f", "int f(int n) { int s = 0; for (int i = 0; i < n && i < 6; i++) s += 2; if (s == 7) return 1; if (s == 8) return 2; return 0; }"),
    ("f", "int f(int n) { int i = 0; do { i++; if (i == 3 && n == 3) return 5; } while (i < n); if (i < 1) return 1; return 0; }"),
    (
        "f",
        "int f(int x) { switch (x & 3) { case 0: return 1; case 1: x = 7; case 2: return x; case 3: break; case 4: return 9; default: return 8; } return 0; }",
    ),
    (
        "f",
        "#define CLAMP(v) ((v) < 0 ? 0 : (v) > 9 ? 9 : (v))\nint f(int x) { int y = CLAMP(x) + CLAMP(x - 3); if (y > 18) return 1; if (y == 18) return 2; return 0; }",
    ),
    (
        "f",
        "static int up(int x) { return x + 1; } static int down(int x) { return x - 1; } static int (*const ops[2])(int) = { up, down }; int f(int x) { if (x < 0 || x > 1) return 0; int y = ops[x](5); if (y == 5) return 1; if (y == 6) return 2; return 3; }",
    ),
    (
        "f",
        "#include <assert.h>\nstatic int n; void add(int v) { assert(n < 3); if (v > 0) n++; } int f(void) { if (n == 4) return 1; if (n == 3) return 2; return 0; }",
    ),
    ("push", "#include <assert.h>\nstatic int n; void push(int v) { assert(n < 3); if (v > 0) n++; if (n > 3) n = 9; }"),
    (
        "f",
        "int nondet(void); int f(void) { int a = nondet(), b = nondet(); if (a > b) { int t = a; a = b; b = t; } if (a > b) return 1; return 0; }",
    ),
    (
        "f",
        "static int cache[5], n; int push(int v) { if (n >= 5) return -1; cache[n] = v & 15; n++; return n; } int f(int i) { if (i < 0 || i >= n) return 0; if (cache[i] > 15) return 1; if (cache[i] == 15) return 2; return 3; }",
    ),
];

fn own() -> Vec<(String, String, Option<String>, Assumed)> {
    let mut found = Vec::new();
    for (at, (function, source)) in OWN.iter().enumerate() {
        let other = (at % 4 == 0).then(|| ASSUMED[1 + at / 4 % (ASSUMED.len() - 1)]);
        for assumed in std::iter::once(USUAL).chain(other) {
            found.push((format!("own {at}"), (*source).to_owned(), Some((*function).to_owned()), assumed));
        }
    }
    found
}

#[test]
fn commands_agree_on_own_programs() {
    agree(&own());
}

/// The short ones.
#[test]
fn commands_agree_on_the_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files: Vec<_> = fs::read_dir(folder).expect("examples").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let programs: Vec<_> = files
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| (path.display().to_string(), fs::read_to_string(path).expect("readable"), None, USUAL))
        .filter(|(_, source, ..)| source.lines().count() < 28)
        .collect();
    assert!(programs.len() > 5);
    agree(&programs);
}

/// Related statics, and the programs of two units of `tests/it/differential/worlds.rs`.
#[test]
fn commands_agree_on_random_programs() {
    let mut programs = Vec::new();
    for number in random::numbers(3) {
        let assumed = ASSUMED[if number.is_multiple_of(3) { 1 + number as usize / 3 % (ASSUMED.len() - 1) } else { 0 }];
        programs.push((format!("related {number}"), related::program(number).plain, Some("look".to_owned()), assumed));
        let unit = worlds::program::program(number);
        programs.push((format!("worlds {number}"), unit.plain(), Some(unit.function.clone()), assumed));
    }
    agree(&programs);
}
