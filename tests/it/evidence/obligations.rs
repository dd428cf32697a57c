//! What claims have to show, as SMT-LIB files: another solver confirms those of the examples, where there is one (`CULDESAC_ORACLE`, or
//! `z3` on the path; skipped without). `CULDESAC_ORACLE_ALL` asks it of all of them, not of a sample.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Of the files of one evidence so many are asked, spread evenly.
const SAMPLE: usize = 4;
/// z3's own measure of work for one file: seconds would depend on the machine.
const WORK: &str = "rlimit=20000000";

fn culdesac(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_culdesac")).args(arguments).output().expect("the program runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

/// The other solver, if there is one.
fn oracle() -> Option<String> {
    let named = std::env::var("CULDESAC_ORACLE").ok();
    named.or_else(|| Command::new("z3").arg("--version").output().ok().map(|_| "z3".to_owned()))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

/// The obligations of the evidence of a run.
fn obligations(name: &str, program: &str, command: &[&str]) -> Vec<PathBuf> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("obligations").join(format!("{name}-{}", command[0]));
    let _ = fs::remove_dir_all(&scratch);
    fs::create_dir_all(&scratch).expect("the target folder is writable");
    let (evidence, smt) = (scratch.join("evidence.json"), scratch.join("smt"));
    let [evidence, smt] = [&evidence, &smt].map(|path| path.to_str().expect("UTF-8"));
    culdesac(&[&[command[0], program], &command[1..], &["--evidence", evidence]].concat());
    let (status, text) = culdesac(&["check", evidence, "--smt", smt, "--program", program, "--json"]);
    let document: Value = serde_json::from_str(&text).expect("a document");
    assert!(document["rejected"] == serde_json::json!([]) && document["differs_at"].is_null(), "{name} {command:?}: {text}");
    let found = files(Path::new(smt));
    let replayed = document["kinds"]
        .as_array()
        .expect("a list")
        .iter()
        .all(|kind| ["reached", "dead_ends"].contains(&kind["claim"].as_str().unwrap_or("")));
    assert_eq!(found.is_empty(), replayed, "{name} {command:?}");
    assert_eq!(status, Some(i32::from(document["checked"] == 0)), "{name} {command:?}");
    found
}

#[test]
fn another_solver_confirms_what_the_claims_of_the_examples_have_to_show() {
    let Some(oracle) = oracle() else {
        eprintln!("skipped: there is no z3, and CULDESAC_ORACLE names no other solver");
        return;
    };
    let all = std::env::var_os("CULDESAC_ORACLE_ALL").is_some();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let programs = files(&examples);
    let programs = programs.iter().filter(|path| path.extension().is_some_and(|extension| extension == "c"));
    let commands: &[&[&str]] = &[
        &["cover", "--limit", "2000000"],
        &["branches", "--limit", "1000000"],
        &["prune", "--lookahead", "2", "--lengths", "10", "--limit", "1000000"],
        &["draw", "--length", "30", "--count", "3", "--limit", "1000000"],
        &["explain", "--max-instructions", "20", "--limit", "1000000"],
    ];
    let mut answers = [0; 3];
    for (number, program) in programs.enumerate() {
        let name = program.file_stem().expect("a name").to_string_lossy().into_owned();
        // Each example is asked of one command, all of them of each where everything is.
        let chosen: Vec<&[&str]> = if all { commands.to_vec() } else { vec![commands[number % commands.len()]] };
        for command in chosen {
            let found = obligations(&name, program.to_str().expect("UTF-8"), command);
            let step = if all { 1 } else { found.len().div_ceil(SAMPLE).max(1) };
            for file in found.iter().step_by(step) {
                let output = Command::new(&oracle).arg(WORK).arg(file).output().expect("the other solver runs");
                let said = String::from_utf8_lossy(&output.stdout);
                match said.lines().next().unwrap_or_default() {
                    "unsat" => answers[0] += 1,
                    "sat" => panic!("{}: the other solver finds a model", file.display()),
                    "unknown" => answers[1] += 1,
                    other if other.contains("canceled") || other.contains("resource") => answers[1] += 1,
                    other => panic!("{}: {other}", file.display()),
                }
                answers[2] += 1;
            }
        }
    }
    eprintln!("{} files, {} unsat, {} unknown", answers[2], answers[0], answers[1]);
    assert!(answers[0] * 10 >= answers[2] * 8 && answers[2] > 20, "{answers:?}");
}
