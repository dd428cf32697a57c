//! What Branches says of a program beside what others see: gcov on the exported suite, and random runs.

use crate::differential::corpus;
use culdesac::analysis::branches::{Branches, BranchesDocument, BranchesSettings, BranchesTest, BranchesVerdict};
use culdesac::analysis::{Listener, Query};
use culdesac::export::{ExportTest, Exported, Suite, TestsFormat, export_with};
use culdesac::interp::Machine;
use culdesac::load::load_assuming;
use culdesac::run::random_inputs::RandomInputs;
use culdesac::source::Wrap;
use culdesac::view::{Reply, Request};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

/// The question about a program; without a limit its own.
pub fn request(name: &str, source: &str, limit: Option<u64>) -> Request {
    Request { program: name.into(), source: source.into(), limit, ..Request::default() }
}

/// The answer; none where the program is refused.
pub fn branches(request: &Request, settings: BranchesSettings) -> Option<BranchesDocument> {
    let mut progress = |_| true;
    let asked = Query { request: Some(request.clone()), settings };
    match asked.answer::<Branches>(&Default::default, &mut Listener::new(&mut progress)) {
        Reply::Document { document } => Some(document),
        Reply::Refused { .. } => None,
    }
}

/// The suite of all tests.
pub fn exported(request: &Request, document: &BranchesDocument, format: TestsFormat) -> Exported {
    exported_with(request, document, format, &[])
}

/// The suite of all tests, with text around parts of the program.
pub fn exported_with(request: &Request, document: &BranchesDocument, format: TestsFormat, extra: &[Wrap]) -> Exported {
    let of = |test: &BranchesTest| ExportTest { input: test.input.clone(), after: test.after.clone(), assumes: test.assumes.clone() };
    let tests: Vec<ExportTest> = document.tests.iter().map(of).collect();
    let infeasible = document.list.iter().filter(|side| side.verdict == BranchesVerdict::Infeasible);
    let infeasible: Vec<u32> = infeasible.flat_map(|side| side.edges.clone()).collect();
    export_with(&Suite { request, tests: &tests, infeasible: &infeasible }, format, extra).expect("tests that fit")
}

fn said(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What gcov says of a line.
#[derive(Default)]
struct MeasuredLine {
    sides: usize,
    taken: usize,
    /// How often it was executed.
    count: u64,
}

/// What gcov says of each line.
fn measured(folder: &Path, name: &str) -> BTreeMap<u64, MeasuredLine> {
    let mut gcc = Command::new("gcc");
    gcc.current_dir(folder).args(["-w", "-O0", "-fno-builtin", "--coverage", "-ftrivial-auto-var-init=zero", "-o", "suite", "suite.c"]);
    // Of a function that is inlined in spite of `-O0` gcov counts the body where nothing runs. What the attribute asks for changes no run.
    gcc.arg("-Dalways_inline=");
    if let Some(corpus) = corpus() {
        gcc.arg("-I").arg(corpus.join("stubs"));
    }
    said(&mut gcc);
    said(Command::new("./suite").current_dir(folder));
    let text = said(Command::new("gcov").current_dir(folder).args(["-b", "-j", "-t", "suite.gcda"]));
    let report: serde_json::Value = serde_json::from_str(text.lines().next().unwrap_or_default()).expect("gcov's report");
    let mut found: BTreeMap<u64, MeasuredLine> = BTreeMap::new();
    for file in report["files"].as_array().expect("files").iter().filter(|file| file["file"] == name) {
        for line in file["lines"].as_array().expect("lines") {
            let branches = line["branches"].as_array().expect("branches");
            let entry = found.entry(line["line_number"].as_u64().expect("a number")).or_default();
            entry.sides += branches.len();
            entry.taken += branches.iter().filter(|branch| branch["count"].as_u64() > Some(0)).count();
            entry.count = entry.count.max(line["count"].as_u64().expect("a number"));
        }
    }
    found
}

/// The text without what says of its lines that they are others': gcov would count them there.
fn without_markers(text: &str) -> String {
    let is_marker = |line: &str| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        directive.is_some_and(|rest| rest.starts_with("line ") || rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    text.lines().map(|line| if is_marker(line) { "\n".to_owned() } else { format!("{line}\n") }).collect()
}

/// What gcov says of an exported suite.
#[derive(Debug, Default)]
pub struct Agreement {
    /// Lines on which both see as many branches.
    pub same: usize,
    /// Lines on which they do not, so that nothing can be compared, and why.
    pub other: Vec<String>,
    /// Tests that cannot be exported: what only they take counts on neither side.
    pub left_out: usize,
    /// Where taken branches differ.
    pub differences: Vec<String>,
    /// Lines that both count.
    pub lines: usize,
    /// Lines that one counts otherwise than the other.
    pub other_counts: Vec<String>,
}

/// The tests of an export that it leaves out, by their numbers from 0: it says so.
fn left_out(exported: &Exported) -> Vec<usize> {
    let number = |note: &String| note.strip_prefix("test ")?.split(' ').next()?.parse::<usize>().ok();
    exported.notes.iter().map(|note| number(note).unwrap_or_else(|| panic!("{note}")) - 1).collect()
}

/// Compiles and runs the suite, and compares what it covers.
pub fn compared(request: &Request, document: &BranchesDocument) -> Agreement {
    let name = &request.program;
    let exported = exported(request, document, TestsFormat::C);
    let left_out = left_out(&exported);
    let tests = document.tests.iter().enumerate();
    let tests: Vec<_> = tests.filter(|(number, _)| !left_out.contains(number)).map(|(_, test)| test).collect();
    let mut ours: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    for (at, side) in document.list.iter().enumerate() {
        let entry = ours.entry(u64::from(side.line)).or_default();
        entry.0 += 1;
        entry.1 += usize::from(tests.iter().any(|test| test.takes.contains(&(at as u32))));
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported").join(name);
    // Counts of an earlier run would be added to.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    for file in &exported.files {
        std::fs::write(folder.join(&file.name), without_markers(&file.text)).expect("a file");
    }
    let theirs = measured(&folder, name);
    let mut found = Agreement { left_out: left_out.len(), ..Agreement::default() };
    for (line, (all, taken)) in ours {
        match theirs.get(&line) {
            Some(&MeasuredLine { sides, taken: counted, .. }) if sides == all => {
                found.same += 1;
                if counted != taken {
                    found.differences.push(format!("{name}:{line}: {taken} of {all} branches here, {counted} by gcov"));
                }
            }
            counted => {
                found.other.push(format!("{name}:{line}: {all} branches here, {} by gcov", counted.map_or(0, |counted| counted.sides)))
            }
        }
    }
    let coverage = exported.files.iter().find(|file| file.name == "coverage.info").expect("a file");
    for (line, count) in coverage.text.lines().filter_map(|record| record.strip_prefix("DA:")?.split_once(',')) {
        let (line, count): (u64, u64) = (line.parse().expect("a number"), count.parse().expect("a number"));
        found.lines += 1;
        if let Some(theirs) = theirs.get(&line).filter(|theirs| theirs.count != count) {
            found.other_counts.push(format!("{name}:{line}: executed {count} times here, {} by gcov", theirs.count));
        }
    }
    found
}

/// Steps of a random run.
const RUN: u64 = 1_000;

/// The branches called infeasible that some of so many random runs take, in words.
pub fn taken_though_infeasible(request: &Request, document: &BranchesDocument, runs: usize) -> Vec<String> {
    let Ok(loaded) = load_assuming(request, None) else { panic!("{} was answered", request.program) };
    let (lts, machine) = (&loaded.lts, Machine::new(&loaded.lts));
    let mut infeasible = vec![None; lts.graph.edge_count()];
    for side in document.list.iter().filter(|side| side.verdict == BranchesVerdict::Infeasible) {
        side.edges.iter().for_each(|&edge| infeasible[edge as usize] = Some(side));
    }
    let mut found = Vec::new();
    if infeasible.iter().all(Option::is_none) {
        return found;
    }
    let mut inputs = RandomInputs::new(lts, 0);
    for _ in 0..runs {
        let input = inputs.draw();
        machine.follow(&input, RUN, |edge| {
            if let Some(side) = infeasible[edge.index()] {
                found.push(format!("{}:{}: `{}` with {input:?}", request.program, side.line, side.text));
            }
            ControlFlow::Continue(())
        });
    }
    found
}
