//! How commands end before their end: at signals, when their time is over, and when the disk takes nothing.

use serde_json::Value;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Much to do for every analysis: products of unknowns, in loops.
const HARD: &str = "int f(unsigned a, unsigned b, int n) {\n  unsigned s = 0;\n  for (int i = 0; i < n; i++) {\n    s += a * b + i;\n    \
                    if (s == 77u && a > 3 && b > 3) a ^= b;\n    if (s * s == 12345u) return 3;\n    if (a * b == 4294967291u && a > 1 && b > 1) return 4;\n  }\n  \
                    return s;\n}\n";

fn culdesac(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_culdesac"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    culdesac(arguments).output().expect("the program runs")
}

/// A folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ending").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the target folder is writable");
    path
}

fn program(folder: &Path, text: &str) -> String {
    let path = folder.join("f.c");
    fs::write(&path, text).expect("writable");
    path.to_str().expect("UTF-8").to_owned()
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The first of each signal ends the analysis, which is verifiably at work: its first event has been read from a pipe.
#[cfg(unix)]
#[test]
fn signals_end_every_analysis_with_its_document() {
    let folder = folder("signals");
    let name = program(&folder, HARD);
    for (signal, command) in [
        ("-TERM", &["branches"][..]),
        ("-TERM", &["cover", "--unwind", "30"]),
        ("-INT", &["reach", "--target", "7"]),
        ("-TERM", &["explain", "--max-instructions", "400"]),
        ("-INT", &["prune", "--lookahead", "9", "--lengths", "400", "--feasible"]),
    ] {
        let (pipe, evidence) = (folder.join(format!("{}.pipe", command[0])), folder.join(format!("{}.json", command[0])));
        let [pipe_name, evidence_name] = [&pipe, &evidence].map(|path| path.to_str().expect("UTF-8"));
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo exists").success());
        let options = ["--json", "--limit", "1000000000000", "--trace", pipe_name, "--evidence", evidence_name];
        let child = culdesac(&[&[command[0], &name], &command[1..], &options].concat()).spawn().expect("the program starts");
        let mut events = BufReader::new(File::open(&pipe).expect("a pipe"));
        let mut first = String::new();
        events.read_line(&mut first).expect("an event");
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill exists").success());
        // The writer of a full pipe waits for its reader.
        let mut rest = String::new();
        events.read_to_string(&mut rest).expect("whole lines");
        assert!(rest.is_empty() || rest.ends_with('\n'), "{command:?}");
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(1), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        let document = document(&output);
        assert_eq!((&document["complete"], document.get("timeout")), (&Value::from(false), None), "{command:?}");
        let evidence: Value = serde_json::from_str(&fs::read_to_string(&evidence).expect("written")).expect("a whole file");
        assert!(evidence["claims"].is_array(), "{command:?}");
    }
}

#[test]
fn an_analysis_ends_when_its_time_is_over() {
    let folder = folder("timeout");
    let name = program(&folder, HARD);
    for command in [&["branches"][..], &["cover"], &["reach", "--target", "7"], &["explain"], &["prune"], &["paths", "--feasible"]] {
        let output = run(&[&[command[0], &name], &command[1..], &["--json", "--timeout", "0.000001"]].concat());
        let document = document(&output);
        assert_eq!(
            (output.status.code(), &document["complete"], &document["timeout"]),
            (Some(1), &false.into(), &true.into()),
            "{command:?}"
        );
    }
    for wrong in ["0", "-1", "x", "1e300", "nan"] {
        assert_eq!(run(&["cover", &name, "--timeout", wrong]).status.code(), Some(2), "{wrong}");
    }
    // Time that is not over changes nothing.
    let small = program(&folder, "int f(int x) { if (x > 3) return 1; return 0; }");
    let output = run(&["cover", &small, "--json", "--timeout", "1000000"]);
    assert_eq!((output.status.code(), document(&output).get("timeout")), (Some(0), None));
}

/// What cannot be written beside the document is said in it and on standard error; the document itself is there.
#[test]
fn a_disk_that_takes_nothing_keeps_the_document() {
    let folder = folder("disk");
    let name = program(&folder, "int f(int x) { if (x > 3) return 1; if (x + x == 7) return 2; return 0; }");
    let (blocked, nowhere) = (name.clone(), "/no/such/folder/x".to_owned());
    let folder = folder.to_str().expect("UTF-8").to_owned();
    let mut refusals = vec![
        ("--evidence", nowhere.clone(), "the evidence is not written"),
        ("--evidence", folder, "the evidence is not written"),
        ("--trace", nowhere.clone(), "the trace is not written"),
        // A file stands where a folder would have to be.
        ("--dump-queries", format!("{blocked}/queries"), "the queries are not all written"),
        ("--tests-out", format!("{blocked}/tests"), "cannot create"),
    ];
    if cfg!(target_os = "linux") {
        refusals.push(("--evidence", "/dev/full".to_owned(), "the evidence is not written"));
        refusals.push(("--trace", "/dev/full".to_owned(), "the trace is not written"));
    }
    let plain = document(&run(&["branches", &name, "--json"]));
    for (option, path, message) in &refusals {
        let output = run(&["branches", &name, "--json", option, path]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{option} {path}: {errors}");
        assert!(errors.contains(message), "{option} {path}: {errors}");
        let document = document(&output);
        assert_eq!((&document["list"], &document["tests"]), (&plain["list"], &plain["tests"]), "{option} {path}");
        let told = document["diagnostics"].as_array().expect("a list");
        assert!(told.iter().any(|one| one["code"] == "not-written" && one["message"].as_str().is_some_and(|text| text.contains(message))));
        let text = run(&["branches", &name, option, path]);
        assert!(text.status.code() == Some(1) && !text.stdout.is_empty(), "{option} {path}");
    }
}

/// The lines of a long run are folded in the text, and the document has the first 10,000.
#[test]
fn the_lines_of_a_long_run_are_few() {
    let folder = folder("lines");
    let name = program(&folder, "int f(int x) {\n  int i = 0;\n  while (i < 6000) {\n    i++;\n    x = i;\n  }\n  return x;\n}\n");
    let document = document(&run(&["branches", &name, "--json"]));
    let test = &document["tests"][0];
    let total = test["path_length"].as_u64().expect("a length");
    assert!(total > 10_000, "{total}");
    assert_eq!((test["lines"].as_array().map(Vec::len), test["lines_total"].as_u64()), (Some(10_000), Some(total)));
    let text = String::from_utf8(run(&["branches", &name]).stdout).expect("UTF-8");
    assert!(text.contains("(×") && text.len() < 5_000, "{} bytes", text.len());
    let run_document: Value = serde_json::from_slice(&run(&["run", &name, "--input", r#"{"x": 0}"#, "--json"]).stdout).expect("a document");
    assert_eq!(run_document["lines_total"], run_document["steps"]);
}

/// `check` compares with the program on disk, says of which lines it speaks, and takes no file without claims.
#[test]
fn check_says_what_it_has_checked() {
    let folder = folder("check");
    let text = "int f(int x) {\n  if (x > 3)\n    if (x < 2)\n      return 1;\n  return 0;\n}\n";
    let name = program(&folder, text);
    let evidence = folder.join("e.json");
    let evidence = evidence.to_str().expect("UTF-8");
    run(&["cover", &name, "--evidence", evidence]);
    let output = run(&["check", evidence, "--program", &name, "--json"]);
    let checked = document(&output);
    assert_eq!((output.status.code(), checked.get("differs_at")), (Some(0), None));
    let claims = checked["claims"].as_array().expect("a list");
    let refuted: Vec<(&Value, &Value)> =
        claims.iter().filter(|one| one["kind"] == "not_covered").map(|one| (&one["line"], &one["text"])).collect();
    assert!(refuted.contains(&(&3.into(), &"x < 2".into())), "{claims:?}");
    assert!(
        claims.iter().all(|one| one["id"].is_string() && one["column"].is_u64() && one["assumes"].is_array() && one["accepted"] == true)
    );
    let told = String::from_utf8(run(&["check", evidence]).stdout).expect("UTF-8");
    assert!(told.contains("3:9: not_covered x < 2"), "{told}");
    // One line is another one now.
    fs::write(&name, text.replace("x < 2", "x < 9")).expect("writable");
    let output = run(&["check", evidence, "--program", &name]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(1) && told.contains("they differ first in line 3"), "{told}");
    let output = run(&["check", evidence, "--program", &name, "--json"]);
    assert_eq!((output.status.code(), &document(&output)["differs_at"]), (Some(1), &3.into()));
    // Without claims a file shows nothing; what is no evidence is refused.
    let mut empty: Value = serde_json::from_str(&fs::read_to_string(evidence).expect("written")).expect("JSON");
    empty["claims"] = Value::Array(Vec::new());
    fs::write(evidence, empty.to_string()).expect("writable");
    let output = run(&["check", evidence]);
    assert!(output.status.code() == Some(1) && String::from_utf8_lossy(&output.stdout).contains("no claim"));
    assert_eq!((run(&["check", evidence, "--json"]).status.code(), run(&["check", &name]).status.code()), (Some(1), Some(2)));
}
