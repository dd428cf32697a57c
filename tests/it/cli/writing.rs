//! Folders that commands write beside their answer: all files or none, and nothing that is there is lost.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PROGRAM: &str = "int f(int x) {\n  if (x > 3)\n    return 1;\n  if (x + x == 7)\n    return 2;\n  return 0;\n}\n";

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_culdesac")).args(arguments).output().expect("the program runs")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder of a test's own, and a program in it.
fn scratch(name: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("writing").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the target folder is writable");
    let program = path.join("f.c");
    fs::write(&program, PROGRAM).expect("writable");
    let program = program.to_str().expect("UTF-8").to_owned();
    (path, program)
}

/// The files of a folder.
fn state(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    entries.map(|entry| (entry.file_name().into_string().expect("UTF-8"), fs::read(entry.path()).unwrap_or_default())).collect()
}

#[test]
fn a_suite_is_written_with_one_sentence() {
    let (folder, program) = scratch("sentence");
    let out = folder.join("a/b");
    let name = out.to_str().expect("UTF-8");
    let arguments = ["branches", &program, "--json", "--tests-out", name];
    let output = run(&arguments);
    let document: Value = serde_json::from_slice(&output.stdout).expect("the document alone");
    let (tests, branches) = (document["tests"].as_array().map_or(0, Vec::len), &document["branches"]);
    let summary = format!("{tests} of {tests} tests, which take {} of {} branch sides\n", branches["covered"], branches["total"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(errors(&output), format!("wrote tests.json, coverage.info, coverage-2.info to {name}: {summary}"));
    let written = state(&out);
    assert_eq!(written.keys().collect::<Vec<_>>(), ["coverage-2.info", "coverage.info", "tests.json"]);
    // The same once more is no error, and another form stands beside it.
    let again = run(&arguments);
    assert_eq!(again.status.code(), Some(0));
    assert_eq!(errors(&again), format!("{name} has tests.json, coverage.info, coverage-2.info already: {summary}"));
    let beside = run(&[&arguments[..], &["--tests-format", "c"]].concat());
    assert_eq!(beside.status.code(), Some(0), "{}", errors(&beside));
    let both = state(&out);
    assert!(both.contains_key("suite.c") && written.iter().all(|(name, bytes)| both.get(name) == Some(bytes)));
}

#[test]
fn nothing_is_overwritten_unasked() {
    let (folder, program) = scratch("overwrite");
    let out = folder.join("out");
    fs::create_dir(&out).expect("writable");
    fs::write(out.join("tests.json"), "mine").expect("writable");
    fs::write(out.join("notes.txt"), "mine, too").expect("writable");
    let before = state(&out);
    let name = out.to_str().expect("UTF-8");
    let arguments = ["branches", &program, "--json", "--tests-out", name];
    let output = run(&arguments);
    let message = format!(
        "nothing is written: {name} has tests.json already, with another content; give another directory, or `--overwrite` to replace what is there"
    );
    assert_eq!((output.status.code(), state(&out)), (Some(1), before));
    assert!(errors(&output).contains(&message), "{}", errors(&output));
    let document: Value = serde_json::from_slice(&output.stdout).expect("the document");
    let told = document["diagnostics"].as_array().expect("a list");
    assert!(told.iter().any(|one| one["code"] == "not-written" && one["message"] == message.as_str()), "{told:?}");
    let output = run(&[&arguments[..], &["--overwrite"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let after = state(&out);
    assert_eq!(after.keys().collect::<Vec<_>>(), ["coverage-2.info", "coverage.info", "notes.txt", "tests.json"]);
    assert!(after["notes.txt"] == b"mine, too" && after["tests.json"].starts_with(b"["));
    // Without a folder there is nothing to overwrite.
    assert_eq!(run(&["branches", &program, "--overwrite"]).status.code(), Some(2));
}

#[test]
fn obligations_follow_the_same_rule() {
    let (folder, program) = scratch("obligations");
    let [evidence, out] = ["evidence.json", "smt"].map(|name| folder.join(name).to_str().expect("UTF-8").to_owned());
    run(&["branches", &program, "--evidence", &evidence]);
    let arguments = ["check", &evidence, "--smt", &out];
    let output = run(&arguments);
    let (before, said) = (state(Path::new(&out)), errors(&output));
    assert!(output.status.code() == Some(0) && said.starts_with("wrote 0") && said.ends_with(&format!(" to {out}\n")), "{said}");
    let first = before.keys().next().expect("an obligation");
    assert_eq!(run(&arguments).status.code(), Some(0));
    fs::write(Path::new(&out).join(first), "another").expect("writable");
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains(&format!("nothing is written: {out} has {first} already")), "{}", errors(&output));
    assert_eq!(run(&[&arguments[..], &["--overwrite"]].concat()).status.code(), Some(0));
    assert_eq!(state(Path::new(&out)), before);
}

/// A file may have one block only, as on a disk that is nearly full: the answer is there, and nothing beside it.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_has_nothing_of_the_suite() {
    let (folder, program) = scratch("full");
    let (deep, there) = (folder.join("a/b"), folder.join("there"));
    fs::create_dir(&there).expect("writable");
    fs::write(there.join("tests.json"), "mine").expect("writable");
    let before = state(&there);
    for out in [&deep, &there] {
        let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" branches \"$1\" --json --tests-out \"$2\" --tests-format c --overwrite";
        let output = Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_culdesac"), &program]).arg(out).output().expect("a shell");
        let said = errors(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(&format!("nothing is written: cannot write {}", out.display())) && said.contains("make room"), "{said}");
        assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
    }
    assert_eq!((state(&there), folder.join("a").exists()), (before, false));
}

/// No user may write there, the superuser neither.
#[test]
fn a_folder_that_takes_no_files_is_named() {
    let (_, program) = scratch("nowhere");
    let below = format!("{program}/tests");
    let mut folders = vec![(below.as_str(), "a file stands where a directory would have to be")];
    if cfg!(target_os = "linux") {
        folders.push(("/proc/culdesac/tests", "give another directory"));
        folders.push(("/proc", "give another directory"));
    }
    for (out, helps) in folders {
        let output = run(&["branches", &program, "--tests-out", out]);
        let said = errors(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("nothing is written: cannot ") && said.contains("(os error") && said.contains(helps), "{said}");
        assert!(!output.stdout.is_empty());
    }
}
