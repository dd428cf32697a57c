//! Test-Comp's own tool on our suites: PyPI's `testcov`, which `CULDESAC_TESTCOV` names. It runs every test, and counts branches as gcov
//! does: those of the text, the infeasible ones and those of the suite's own `main` with them.

use super::oracle::scratch;
use super::subject::Subject;
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

/// The percentage that stands behind a word in what it prints.
fn percentage(printed: &str, word: &str) -> Option<f64> {
    let line = printed.lines().find(|line| line.contains(word))?;
    line.split_whitespace().find_map(|part| part.trim_end_matches('%').parse().ok())
}

/// Runs it on the suite of a program: what is wrong.
fn check(testcov: &Path, name: &str, source: &str) -> Vec<String> {
    let subject = Subject::new(name.to_owned(), source.to_owned());
    let answered = subject.answered().expect("an answer");
    let exported = exported(&answered.request, &answered.document, TestsFormat::Testcomp);
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
    println!("{name}: {printed}");
    let taken: BTreeSet<usize> = exported.claims.iter().flat_map(|(_, sides)| sides).copied().collect();
    let ours = 100.0 * taken.len() as f64 / answered.document.list.len() as f64;
    let mut wrong: Vec<String> = exported.notes.iter().map(|note| format!("{name}: {note}")).collect();
    if !output.status.success() {
        wrong.push(format!("{name}: testcov ends with {}", output.status));
    }
    let refused = ["Can't parse", "Wrong format", "ERROR", "Error"].into_iter().find(|word| printed.contains(word));
    wrong.extend(refused.map(|word| format!("{name}: testcov says {word}")));
    match percentage(&printed, "Coverage") {
        Some(theirs) if theirs + 0.01 >= ours => {}
        theirs => wrong.push(format!("{name}: {ours:.2} % of the sides are taken, of the branches by testcov {theirs:?}")),
    }
    wrong
}

#[test]
fn testcov_accepts_the_suites() {
    match std::env::var_os("CULDESAC_TESTCOV") {
        Some(testcov) => {
            let wrong: Vec<String> = PROGRAMS.iter().flat_map(|(name, source)| check(Path::new(&testcov), name, source)).collect();
            assert_eq!(wrong, Vec::<String>::new());
        }
        None => println!("skipped: CULDESAC_TESTCOV is not set"),
    }
}
