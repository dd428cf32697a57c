//! Test-Comp's own tool on our suites: PyPI's `testcov`, which `CULDESAC_TESTCOV` names. It runs every test, and counts branches as gcov
//! does, the infeasible ones with them. With `CULDESAC_SUITES=all` it looks at all programs of `tests/it/suites/programs`, too.

use super::oracle::scratch;
use super::subject::{Subject, is_thorough, of_folder};
use super::testcomp::program_file;
use crate::suites::exported;
use culdesac::export::TestsFormat;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Test-Comp's coverage of branches.
const GOAL: &str = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n";

/// Programs without infeasible branches, of which all are taken: a structure, a buffer that a stub fills, and one of SV-COMP.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "structure.c",
        "struct order { int count; unsigned char kind; short price[2]; };\nint f(struct order o, struct order *p) {\n  if (o.count > 10 && o.kind == 3) return 1;\n  if (p->price[1] < -5) return 2;\n  return 0;\n}\n",
    ),
    (
        "buffer.c",
        "int receive(char *buffer, int size);\nint f(void) {\n  char buffer[4] = { 0 };\n  int size = receive(buffer, 4);\n  if (size < 2) return -1;\n  if (buffer[0] == 'o' && buffer[1] == 'k') return 1;\n  return 0;\n}\n",
    ),
    (
        "plain.c",
        "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\nint main(void) {\n  int a = __VERIFIER_nondet_int();\n  unsigned char n = __VERIFIER_nondet_uchar();\n  int sum = 0;\n  for (int i = 0; i < n; i++) {\n    if (i > 2) break;\n    sum += __VERIFIER_nondet_int() == 7;\n  }\n  if (a == 1000 && sum > 1) return 1;\n  return 0;\n}\n",
    ),
];

/// The number that stands after these words in what it prints.
fn number(printed: &str, words: &str) -> Option<f64> {
    let rest = printed.lines().find_map(|line| line.trim_start().strip_prefix(words))?;
    rest.trim().trim_end_matches('%').parse().ok()
}

/// Runs it on the suite of a program: what is wrong. Where compilers make other branches than the text has, shares say nothing.
fn check(testcov: &Path, subject: &Subject, is_compared: bool) -> Vec<String> {
    let (name, Some(answered)) = (&subject.name, subject.answered()) else { return Vec::new() };
    let exported = exported(&answered.request, &answered.document, TestsFormat::Testcomp);
    if exported.claims.is_empty() {
        return Vec::new();
    }
    let folder = scratch().join(format!("testcov-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("suite")).expect("a folder");
    fs::write(folder.join("goal.prp"), GOAL).expect("a file");
    exported.files.iter().for_each(|file| {
        let is_suite = file.name.ends_with(".xml");
        fs::write(if is_suite { folder.join("suite").join(&file.name) } else { folder.join(&file.name) }, &file.text).expect("a file");
    });
    let zip = "import shutil; shutil.make_archive('suite', 'zip', 'suite')";
    assert!(Command::new("python3").current_dir(&folder).args(["-c", zip]).status().is_ok_and(|status| status.success()), "no zip");
    let output = Command::new(testcov)
        .current_dir(&folder)
        .args(["-64", "--no-isolation", "--use-gcov", "--no-plots", "--no-individual-test-coverage", "--goal", "goal.prp", "--test-suite"])
        .args(["suite.zip", &program_file(&exported.files)])
        .output()
        .expect("testcov starts");
    let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let taken: BTreeSet<usize> = exported.claims.iter().flat_map(|(_, sides)| sides).copied().collect();
    let (taken, sides) = (taken.len(), answered.document.list.len());
    let ours = 100.0 * taken as f64 / sides as f64;
    let [run, coverage, goals] = ["Tests run:", "Coverage:", "Number of goals:"].map(|words| number(&printed, words));
    println!("{name}: {taken} of {sides} sides, {ours:.2} %; testcov: tests {run:?}, coverage {coverage:?}, goals {goals:?}");
    let mut wrong = Vec::new();
    if !output.status.success() || !printed.contains("Result: DONE") {
        wrong.push(format!("{name}: testcov ends with {}: {printed}", output.status));
    }
    // It stops where all is covered.
    if run != Some(exported.claims.len() as f64) && coverage != Some(100.0) {
        wrong.push(format!("{name}: testcov runs {run:?} of {} tests", exported.claims.len()));
    }
    if goals.is_none_or(|goals| goals == 0.0) {
        wrong.push(format!("{name}: testcov has no coverage: no run ends as a program does"));
    }
    let refused = ["Can't parse", "rror", "arning", "imeout"].into_iter().find(|word| printed.contains(word));
    wrong.extend(refused.map(|word| format!("{name}: testcov says `{word}`: {printed}")));
    if is_compared && coverage.is_none_or(|theirs| theirs + 0.01 < ours) {
        wrong.push(format!("{name}: {ours:.2} % of the sides are taken, of the branches by testcov {coverage:?}"));
    }
    wrong
}

#[test]
fn testcov_accepts_the_suites() {
    match std::env::var_os("CULDESAC_TESTCOV") {
        Some(testcov) => {
            let own = PROGRAMS.iter().map(|(name, source)| (Subject::new((*name).to_owned(), (*source).to_owned()), true));
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/suites/programs");
            let others = if is_thorough() { of_folder(&folder) } else { Vec::new() };
            let all = own.chain(others.into_iter().map(|subject| (subject, false)));
            let wrong: Vec<String> = all.flat_map(|(subject, is_compared)| check(Path::new(&testcov), &subject, is_compared)).collect();
            assert_eq!(wrong, Vec::<String>::new());
        }
        None => println!("skipped: CULDESAC_TESTCOV is not set"),
    }
}
