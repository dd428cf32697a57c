//! Exported suites: a compiler runs them, and its coverage is ours.

use crate::differential::{corpus, programs};
use culdesac::analysis::branches::{Branches, BranchesDocument, BranchesSettings, BranchesVerdict};
use culdesac::analysis::common::export::{Exported, TestsFormat, export};
use culdesac::analysis::{Asked, Listener};
use culdesac::view::{Reply, Request};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Steps for each program: what is open then is taken by no test, and that has to agree, too.
const LIMIT: u64 = 200_000;

fn request(name: &str, source: &str) -> Request {
    Request { program: name.into(), source: source.into(), limit: Some(LIMIT), ..Request::default() }
}

fn branches(request: &Request) -> Option<BranchesDocument> {
    let mut progress = |_| true;
    let asked = Asked { request: Some(request.clone()), settings: BranchesSettings::default() };
    match asked.answer::<Branches>(&Default::default, &mut Listener::new(&mut progress)) {
        Reply::Document { document } => Some(document),
        Reply::Refused { .. } => None,
    }
}

fn exported(request: &Request, document: &BranchesDocument, format: TestsFormat) -> Exported {
    // The others end in ways about which C says nothing.
    let tests: Vec<_> = document.tests.iter().filter(|test| test.is_defined).map(|test| test.input.clone()).collect();
    let infeasible = document.list.iter().filter(|side| side.verdict == BranchesVerdict::Infeasible);
    let infeasible: Vec<u32> = infeasible.flat_map(|side| side.edges.clone()).collect();
    export(request, &tests, &infeasible, format).expect("tests that fit")
}

fn said(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Of each line: how many branches gcov sees, and how many were taken.
fn measured(folder: &Path, name: &str) -> BTreeMap<u64, (usize, usize)> {
    let mut gcc = Command::new("gcc");
    gcc.current_dir(folder).args(["-w", "-O0", "-fno-builtin", "--coverage", "-ftrivial-auto-var-init=zero", "-o", "suite", "suite.c"]);
    if let Some(corpus) = corpus() {
        gcc.arg("-I").arg(corpus.join("stubs"));
    }
    said(&mut gcc);
    said(Command::new("./suite").current_dir(folder));
    let text = said(Command::new("gcov").current_dir(folder).args(["-b", "-j", "-t", "suite.gcda"]));
    let report: serde_json::Value = serde_json::from_str(text.lines().next().unwrap_or_default()).expect("gcov's report");
    let mut found: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    for file in report["files"].as_array().expect("files").iter().filter(|file| file["file"] == name) {
        for line in file["lines"].as_array().expect("lines") {
            let branches = line["branches"].as_array().expect("branches");
            let entry = found.entry(line["line_number"].as_u64().expect("a number")).or_default();
            entry.0 += branches.len();
            entry.1 += branches.iter().filter(|branch| branch["count"].as_u64() > Some(0)).count();
        }
    }
    found
}

/// The lines on which both see as many branches, those on which they do not, and where taken ones differ.
fn compared(path: &Path) -> Option<(usize, usize, Vec<String>)> {
    let name = path.file_name()?.to_str()?;
    let source = std::fs::read_to_string(path).expect("a program");
    let request = request(name, &source);
    let document = branches(&request)?;
    let exported = exported(&request, &document, TestsFormat::C);
    if !exported.notes.is_empty() {
        return Some((0, document.list.len(), Vec::new()));
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported").join(name);
    // Counts of an earlier run would be added to.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    for file in &exported.files {
        std::fs::write(folder.join(&file.name), &file.text).expect("a file");
    }
    let theirs = measured(&folder, name);
    let mut ours: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    for (at, side) in document.list.iter().enumerate() {
        let entry = ours.entry(u64::from(side.line)).or_default();
        entry.0 += 1;
        entry.1 += usize::from(document.tests.iter().any(|test| test.is_defined && test.takes.contains(&(at as u32))));
    }
    let (mut same, mut other, mut differences) = (0, 0, Vec::new());
    for (line, (all, taken)) in ours {
        match theirs.get(&line) {
            Some(&(sides, counted)) if sides == all => {
                same += 1;
                if counted != taken {
                    differences.push(format!("{name}:{line}: {taken} of {all} branches here, {counted} by gcov"));
                }
            }
            _ => other += 1,
        }
    }
    Some((same, other, differences))
}

fn agree(files: &[std::path::PathBuf]) {
    if Command::new("gcov").arg("--version").output().is_err() {
        println!("skipped: there is no gcov");
        return;
    }
    let (mut same, mut other, mut differences) = (0, 0, Vec::new());
    for (lines, others, different) in files.iter().filter_map(|file| compared(file)) {
        (same, other) = (same + lines, other + others);
        differences.extend(different);
    }
    println!("{same} lines compared, {other} not");
    assert_eq!(differences, Vec::<String>::new());
    assert!(same > 3 * other, "{same} lines compared, {other} not");
}

#[test]
fn gcov_counts_what_we_count_in_the_examples() {
    agree(&programs(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/examples"))));
}

/// Strings of a command line, locals without initialiser, `exit`, failing assertions, endless loops.
#[test]
fn gcov_counts_what_we_count_in_the_corpus() {
    let Some(folder) = corpus() else {
        println!("skipped: CULDESAC_CORPUS is not set");
        return;
    };
    let wanted = ["siemens__tcas", "kbfiltr_simpl1", "floppy", "s3_srvr_1a", "pex_DOIF", "middleNumber", "pc_sfifo", "crest_"];
    let files = programs(&folder);
    agree(&files.into_iter().filter(|file| wanted.iter().any(|part| file.to_string_lossy().contains(part))).collect::<Vec<_>>());
}

const SMALL: &str = "int g, table[3];
int nondet(void);
int f(int x, char *s) {
    if (x > 2) { if (x < 1) return 7; if (s[1] == 'q') return g; }
    if (table[1] == 5) return nondet() > 3;
    return 0; }";

#[test]
fn a_suite_of_test_comp_has_the_values_in_their_order() {
    let request = request("small.c", SMALL);
    let document = branches(&request).expect("a program");
    let exported = exported(&request, &document, TestsFormat::Testcomp);
    let text = |name: &str| &exported.files.iter().find(|file| file.name == name).expect("a file").text;
    assert!(text("metadata.xml").contains("<programfile>tested.c</programfile>"));
    assert!(text("tested.c").contains(SMALL) && text("culdesac-main.h").contains("__VERIFIER_nondet_longlong"));
    // Two numbers for an array without other elements; two for each of those.
    let values = |name: &str| text(name).matches("<input ").count();
    assert!((1..=document.tests.len()).all(|number| values(&format!("test-{number}.xml")) >= 6));
    // Nobody takes `x < 1` behind `x > 2`: it leaves the denominator where a record can say so.
    let line = |name: &str, start: &str| text(name).lines().find(|line| line.starts_with(start)).map(str::to_owned);
    assert!(text("coverage-2.info").contains("BRDA:4,U") && !text("coverage.info").contains(",U"));
    let branches = document.branches;
    assert_eq!(line("coverage.info", "BRF:"), Some(format!("BRF:{}", branches.total)));
    assert_eq!(line("coverage-2.info", "BRF:"), Some(format!("BRF:{}", branches.total - branches.infeasible)));
    assert_eq!(line("coverage-2.info", "BRH:"), Some(format!("BRH:{}", branches.covered)));
}

#[test]
fn exported_inputs_are_read_again() {
    let request = request("small.c", SMALL);
    let document = branches(&request).expect("a program");
    let exported = exported(&request, &document, TestsFormat::Json);
    let tests: Vec<culdesac::view::Input> = serde_json::from_str(&exported.files[0].text).expect("inputs");
    assert_eq!(tests, document.tests.iter().map(|test| test.input.clone()).collect::<Vec<_>>());
    assert!(export(&request, &[culdesac::view::Input::default()], &[], TestsFormat::C).is_ok());
    let wrong = r#"{"nothing": 3}"#;
    assert!(
        export(&request, &[serde_json::from_str(wrong).expect("an input")], &[], TestsFormat::C)
            .is_err_and(|error| error.contains("nothing"))
    );
}

#[test]
fn what_no_harness_can_give_is_said() {
    let request =
        request("volatile.c", "volatile int v; int nondet(void); int f(void) { if (v > 3 && nondet() == 8) return 1; return 0; }");
    let document = branches(&request).expect("a program");
    let exported = exported(&request, &document, TestsFormat::C);
    assert!(exported.notes.iter().any(|note| note.contains("volatile")), "{:?}", exported.notes);
}
