//! What is said of programs whose statics are related ([`related`]), against compiled sequences of calls: no sequence takes what is called
//! infeasible, and each test's calls, made one after another, execute the lines that the test names.
//!
//! `CULDESAC_DIFFERENTIAL_PROGRAMS` and `CULDESAC_DIFFERENTIAL_FIRST` say how many programs, and which.

use crate::differential::worlds::missing;
use crate::differential::{random, related};
use culdesac::analysis::Listener;
use culdesac::analysis::cover::{CoverDocument, CoverSettings, cover};
use culdesac::load::load;
use culdesac::view::{Input, InputValue, Number, Reply, Request};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Programs, unless the environment says otherwise.
const USUAL: u64 = 6;
/// Sequences of calls for each, and calls of each.
const SEQUENCES: u32 = 150;
const CALLS: u32 = 700;

/// What each process of the compiled program shares with its children, and how sequences are run: each in a child of its own, since each
/// begins with the first values.
const RUNTIME: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static unsigned char *hits;
#define H(line) (hits[line] = 1)
static unsigned long seed;
static unsigned draw(unsigned bound) { seed = seed * 6364136223846793005UL + 1442695040888963407UL; return (unsigned)(seed >> 33) % bound; }
static int value(void) { unsigned kind = draw(12); return kind == 0 ? 77 : (int)draw(12) - 3; }
static void call(unsigned function, int x);
"#;
const MAIN: &str = r#"
static void replay(int test);
static void show(const char *name, int number) {
  printf("%s %d", name, number);
  for (int i = 0; i < 4096; i++) if (hits[i]) printf(" %d", i);
  printf("\n");
}
int main(void) {
  hits = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < SEQUENCES; i++) {
    if (fork() == 0) {
      seed = i * 977 + 5;
      /* Some sequences prefer a function. */
      unsigned preferred = draw(FUNCTIONS);
      for (int n = 0; n < CALLS; n++) call(i % 3 == 0 && draw(3) ? preferred : draw(FUNCTIONS), value());
      _exit(0);
    }
    int status;
    wait(&status);
    if (status != 0) { printf("stopped %d\n", i); return 0; }
  }
  show("all", 0);
  for (int i = 0; i < TESTS; i++) {
    for (int line = 0; line < 4096; line++) hits[line] = 0;
    if (fork() == 0) { replay(i); _exit(0); }
    wait(0);
    show("test", i);
  }
  return 0;
}
"#;

fn covered(source: &str, function: &str) -> (Request, CoverDocument) {
    let request = Request {
        program: "related.c".to_owned(),
        source: source.to_owned(),
        function: Some(function.to_owned()),
        limit: Some(5_000_000),
        ..Request::default()
    };
    let settings = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
    match cover(&request, &settings, &mut Listener::new(&mut |_| true)) {
        Reply::Document { document } => (request, document),
        Reply::Refused { diagnostics } => panic!("{source}\n{diagnostics:?}"),
    }
}

/// The lines that no execution of the function takes after any calls.
fn dead(request: &Request, document: &CoverDocument) -> BTreeSet<u32> {
    let excluded: BTreeSet<u32> = document.infeasible.iter().map(|one| one.edge).collect();
    let Ok(loaded) = load(request) else { panic!("it was covered") };
    let mut lines: BTreeMap<u32, bool> = BTreeMap::new();
    for (edge, number) in loaded.lts.graph.edge_weights().zip(0..) {
        *lines.entry(loaded.lines.line(edge.span.start)).or_insert(true) &= excluded.contains(&number);
    }
    lines.into_iter().filter(|(_, is_dead)| *is_dead).map(|(line, _)| line).collect()
}

fn x(input: &Input) -> i64 {
    match input.values.get("x") {
        Some(InputValue::Scalar(Number::Small(x))) => *x,
        _ => 0,
    }
}

/// What one program shows: contradictions, lines that are dead by what calls leave, and tests that were repeated.
fn check(number: u64) -> (Vec<String>, usize, usize) {
    let program = related::program(number);
    let callable: BTreeMap<&str, bool> = program.functions.iter().map(|(name, has)| (name.as_str(), *has)).collect();
    let call = |name: &str, x: i64| if callable[name] { format!("{name}({x});") } else { format!("{name}();") };
    // The function that is looked at, and one of those that change something: its lines run wherever it is called.
    let other = &program.functions[1 + number as usize % (program.functions.len() - 1)].0;
    let (mut lines, mut by_calls, mut tests) = (BTreeMap::new(), 0, Vec::new());
    for function in ["look", other.as_str()] {
        let (request, document) = covered(&program.plain, function);
        by_calls += document.infeasible.iter().filter(|one| !one.assumes.is_empty()).count();
        let ends = program.plain.lines().count() as u32;
        for line in dead(&request, &document).into_iter().filter(|line| *line <= ends && program.reporting.contains(line)) {
            lines.insert(line, function.to_owned());
        }
        for test in document.tests.iter().filter(|test| test.assumes.is_empty()) {
            let mut calls: String = test.after.iter().map(|one| call(&one.function, x(&one.input))).collect();
            calls.push_str(&call(function, x(&test.input)));
            let reported: BTreeSet<u32> = test.lines.iter().copied().filter(|line| program.reporting.contains(line)).collect();
            tests.push((calls, reported));
        }
    }
    let mut text = format!("#define SEQUENCES {SEQUENCES}\n#define CALLS {CALLS}\n#define TESTS {}\n", tests.len());
    let _ = writeln!(text, "#define FUNCTIONS {}\n{RUNTIME}\n#line 1 \"related.c\"\n{}", program.functions.len(), program.hooked);
    text.push_str("static void call(unsigned function, int x) {\n  switch (function) {\n");
    for (at, (name, has)) in program.functions.iter().enumerate() {
        let _ = writeln!(text, "    case {at}: {name}({}); break;", if *has { "x" } else { "" });
    }
    text.push_str("  }\n}\nstatic void replay(int test) {\n  switch (test) {\n");
    for (at, (calls, _)) in tests.iter().enumerate() {
        let _ = writeln!(text, "    case {at}: {calls} break;");
    }
    text.push_str("  }\n}\n");
    let text = text.replace("static void replay(int test) {", "static void replay(int test);\nstatic void replay(int test) {")
        + &MAIN.replace("static void replay(int test);", "");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("related");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (source, binary) = (folder.join(format!("{number}.c")), folder.join(format!("{number}")));
    std::fs::write(&source, text).expect("a file");
    let compiled = Command::new("gcc")
        .args(["-std=gnu11", "-w", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"])
        .arg(&source)
        .arg("-o")
        .arg(&binary)
        .output();
    let compiled = compiled.expect("gcc runs");
    assert!(compiled.status.success(), "{}: {}", source.display(), String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&binary).output().expect("it runs");
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut found = Vec::new();
    for row in output.lines() {
        let mut words = row.split(' ');
        let (name, at) = (words.next().unwrap_or_default(), words.next().and_then(|word| word.parse::<usize>().ok()).unwrap_or(0));
        let hit: BTreeSet<u32> = words.filter_map(|word| word.parse().ok()).collect();
        match name {
            "all" => {
                let taken = lines.iter().filter(|(line, _)| hit.contains(line));
                found.extend(taken.map(|(line, function)| {
                    format!("program {number}: line {line} of {function} is said to be infeasible, and runs\n{}", program.plain)
                }));
            }
            "test" => {
                let (calls, reported) = &tests[at];
                let missed = reported.iter().find(|line| !hit.contains(line));
                found.extend(missed.map(|line| format!("program {number}: {calls} does not execute line {line}\n{}", program.plain)));
            }
            _ => found.push(format!("program {number}: {row}\n{}", program.plain)),
        }
    }
    if found.is_empty() {
        let _ = std::fs::remove_file(source);
    }
    let _ = std::fs::remove_file(binary);
    (found, by_calls, tests.len())
}

#[test]
fn no_sequence_of_calls_contradicts_what_is_said_of_related_statics() {
    if missing().contains(&"gcc") {
        println!("skipped: there is no gcc");
        return;
    }
    let numbers: Vec<u64> = random::numbers(USUAL).collect();
    let (mut contradictions, mut by_calls, mut tests) = (Vec::new(), 0, 0);
    for &number in &numbers {
        let (found, of_calls, repeated) = check(number);
        contradictions.extend(found);
        (by_calls, tests) = (by_calls + of_calls, tests + repeated);
    }
    println!("{} programs, {by_calls} statements infeasible by what calls leave, {tests} tests repeated", numbers.len());
    let first: Vec<&str> = contradictions.iter().take(3).map(String::as_str).collect();
    assert!(first.is_empty(), "{} contradictions\n\n{}", contradictions.len(), first.join("\n\n"));
    if numbers.len() >= USUAL as usize {
        assert!(by_calls >= numbers.len() && tests > numbers.len(), "{by_calls} by calls, {tests} tests");
    }
}
