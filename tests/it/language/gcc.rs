//! The interpreter against gcc, and symbolic execution against the interpreter, on the examples and on a corpus of real programs.
//!
//! `CULDESAC_CORPUS` names the corpus's folder: `*.c`, and headers that they include in `stubs/`. `CULDESAC_DIFFERENTIAL_RUNS` says how
//! many inputs each function is run on, `CULDESAC_DIFFERENTIAL_ONLY` a part of the names of the files to look at; `./dev differential` is
//! the long run, `CULDESAC_DIFFERENTIAL_CC` another compiler than gcc. `--nocapture` prints a line for each program.

use crate::differential::compare::compare;
use crate::differential::harness::{self, Binary};
use crate::differential::subject::Subject;
use crate::differential::{Report, Settings, check, check_all, check_texts, corpus, programs, random};
use std::path::Path;

fn settings() -> Settings {
    let runs = std::env::var("CULDESAC_DIFFERENTIAL_RUNS").map_or(10, |text| text.parse().expect("CULDESAC_DIFFERENTIAL_RUNS is a number"));
    Settings { runs, steps: 20_000, symbolic: runs.min(10), unseen: false }
}

fn examples() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/examples"))
}

/// Whether there is a gcc; says so where there is none.
fn compiler() -> bool {
    let found = std::process::Command::new("gcc").arg("--version").output().is_ok();
    if !found {
        println!("skipped: there is no gcc");
    }
    found
}

fn line(report: &Report) -> String {
    match &report.refused {
        Some(refusal) => format!("{:<60} refused: {} at line {}: {}", report.name, refusal.code, refusal.line, refusal.message),
        None => format!(
            "{:<60} {} of {}: {:?}, {} sides of {} decisions ({} not counted), {} bytes printed; conditions {} held, {} failed{}",
            report.name,
            report.runs,
            report.functions.join(" and "),
            report.outcomes,
            report.sides,
            report.decisions,
            report.uncounted,
            report.printed,
            report.held,
            report.failed,
            if report.left_out.is_empty() { String::new() } else { format!("; left out: {:?}", report.left_out) },
        ),
    }
}

/// Prints the reports, and fails where anything differs.
fn agree(reports: &[Report]) {
    reports.iter().for_each(|report| println!("{}", line(report)));
    let differences: Vec<&String> = reports.iter().flat_map(|report| &report.differences).collect();
    assert!(
        differences.is_empty(),
        "{} differences\n\n{}\n",
        differences.len(),
        differences.iter().map(|d| d.as_str()).collect::<Vec<_>>().join("\n\n")
    );
}

#[test]
fn examples_run_as_gcc_runs_them() {
    if compiler() {
        agree(&check_all(&programs(examples()), None, settings()));
    }
}

/// Programs that use much of the language: types and their conversions, structures, jumps, recursion, strings, output.
#[test]
fn constructs_run_as_gcc_runs_them() {
    if compiler() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/differential/programs"));
        let settings = settings();
        agree(&check_all(&programs(folder), None, Settings { runs: settings.runs.max(100), ..settings }));
    }
}

#[test]
fn the_corpus_runs_as_gcc_runs_it() {
    let Some(folder) = corpus() else {
        println!("skipped: CULDESAC_CORPUS is not set");
        return;
    };
    if compiler() {
        let reports = check_all(&programs(&folder), Some(&folder.join("stubs")), settings());
        let accepted = reports.iter().filter(|report| report.refused.is_none()).count();
        println!("{accepted} of {} accepted", reports.len());
        agree(&reports);
    }
}

/// `CULDESAC_DIFFERENTIAL_PROGRAMS` says how many; the program with number N is the same everywhere.
#[test]
fn random_programs_run_as_gcc_runs_them() {
    if !compiler() {
        return;
    }
    // Kept, so that what is told of one can be repeated.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random-programs");
    std::fs::create_dir_all(&folder).expect("a folder");
    let texts: Vec<_> = random::numbers(40)
        .map(|number| (folder.join(format!("random-{number}.c")), random::program(number)))
        .inspect(|(path, text)| std::fs::write(path, text).expect("a file"))
        .collect();
    let reports = check_texts(&texts, None, Settings { unseen: !harness::sees_everything(), ..settings() });
    let refused: Vec<String> = reports.iter().filter(|report| report.refused.is_some()).map(line).collect();
    agree(&reports);
    assert_eq!(refused, Vec::<String>::new());
}

/// Everything that is an input, each kind of outcome, and decisions inside of each other.
const EVERYTHING: &str = "int g, table[3];
extern int elsewhere;
int nondet(void);
void note(void);
int maybe(void);
int f(int a, int b[], int c) {
  int x, y[2], i = 0, n;
  if (!(a > x) && (b[1], g) || (y[1] == table[2])) { note(); a = c ? b[0] : elsewhere; }
  while (i < 3) { int kept; if (kept > 2 || i) kept = i; i++; a = kept > 0 ? 1 : a; }
  if (maybe()) n = 7;
  assume(n != 4);
  assert(c != 3);
  if (c == 5) exit(b[2]);
  if (c == 6) return 10 / x;
  if (c == 2) return y[nondet()];
  return a == g ? nondet() : 0;
}
";

#[test]
fn everything_is_fed_and_counted() {
    if !compiler() {
        return;
    }
    let report = check(Path::new("everything.c"), EVERYTHING, None, Settings { runs: 400, steps: 10_000, symbolic: 20, unseen: false });
    println!("{}", line(&report));
    assert_eq!(report.differences, Vec::<String>::new());
    assert_eq!(report.uncounted, 0);
    for outcome in ["returned", "error", "assumption failed", "undefined"] {
        assert!(report.outcomes.contains_key(outcome), "{outcome}: {:?}", report.outcomes);
    }
    assert!(report.held >= 20 && report.failed > 0);
}

/// What gcc is given differs in one place from what is interpreted.
#[test]
fn differences_are_seen() {
    if !compiler() {
        return;
    }
    for (number, (ours, theirs)) in [
        ("a > x", "a < x"),
        ("i < 3", "i < 2"),
        ("n != 4", "n != 5"),
        ("c != 3", "c != 2"),
        ("b[2]", "b[1]"),
        ("10 / x", "9  / x"),
        ("c == 2", "c == 3"),
        ("nondet() : 0", "nondet() : 1"),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("different-{number}.c");
        let mut subject = Subject::read(Path::new(&name), EVERYTHING).expect("an accepted program");
        subject.source = EVERYTHING.replacen(ours, theirs, 1);
        let binary = Binary::build(&subject, None).expect("gcc compiles it");
        let mut report = Report { name, ..Report::default() };
        compare(&subject, &binary, Settings { runs: 400, steps: 10_000, symbolic: 0, unseen: false }, &mut report);
        assert!(!report.differences.is_empty(), "{ours} and {theirs} are not told apart");
    }
}

#[test]
fn decisions_are_found_in_the_text() {
    let source = "#define LIMIT 3\n#define BOTH a && b\nint f(int a, int b) { if (!(a > b) && a != LIMIT) a = b ? 1 : 2; while (BOTH) a--; return a; }\n";
    let subject = Subject::read(Path::new("f.c"), source).expect("an accepted program");
    let texts: Vec<&str> = subject.decisions.keys().map(|span| span.text(source)).collect();
    assert_eq!((texts, subject.uncounted), (vec!["(a > b)", "a != LIMIT", "b"], 1));
    assert_eq!(subject.functions[0].decisions.len(), 5);
}
