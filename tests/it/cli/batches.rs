//! Batches: many programs and functions, parts of them, resumed ones, and processes that end without an answer.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const ONE: &str = "int f(int x) {\n  if (x > 3)\n    return 1;\n  return 0;\n}\n";
/// Functions in this order; one has an infeasible branch, one an error.
const THREE: &str = "static int sign(int x) {\n  if (x < 0)\n    return -1;\n  return x > 0;\n}\nint clamp(int x) {\n  if (x > 100)\n    return 100;\n  if (x > 200)\n    return 0;\n  return sign(x) * 3;\n}\nint ratio(int x, int y) {\n  if (x > 3 && y < x)\n    return x / y;\n  return 0;\n}\n";
/// The second function is not understood.
const PARTIAL: &str = "int g(int x) {\n  if (x)\n    return 2;\n  return 1;\n}\nint h(int x) {\n  return x +;\n}\n";
/// Much to do: products of unknowns, in a loop.
const HARD: &str = "int f(unsigned a, unsigned b, int n) {\n  unsigned s = 0;\n  for (int i = 0; i < n; i++) {\n    s += a * b + i;\n    if (s == 77u && a > 3 && b > 3) a ^= b;\n    if (s * s == 12345u) return 3;\n    if (a * b == 4294967291u && a > 1 && b > 1) return 4;\n  }\n  return s;\n}\n";

/// A folder of a test's own with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("batches").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the target folder is writable");
    for (file, text) in files {
        fs::write(path.join(file), text).expect("the target folder is writable");
    }
    path
}

fn culdesac(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_culdesac"));
    command.arg("report").args(arguments).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    culdesac(folder, arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The lines of items without the times in them.
fn lines(text: &str) -> Vec<Value> {
    let timeless = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        line["statistics"]["wall_ms"] = Value::Null;
        line
    };
    text.lines().filter(|line| !line.contains("through_callers")).map(timeless).collect()
}

/// The lines of a run that ends with this status.
fn reported(folder: &Path, arguments: &[&str], status: i32) -> Vec<Value> {
    let output = run(folder, &[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", text(&output.stderr));
    lines(&text(&output.stdout))
}

/// The items of lines: file and function.
fn items(lines: &[Value]) -> Vec<String> {
    let name = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    lines.iter().map(|line| format!("{} {}", name(&line["belongs_to"]["file"]), name(&line["function"]))).collect()
}

#[test]
fn items_come_in_the_order_of_the_text_however_many_processes_there_are() {
    let folder = folder("order", &[("one.c", ONE), ("three.c", THREE), ("partial.c", PARTIAL)]);
    let arguments = ["three.c", "one.c", "partial.c", "--each-function"];
    let alone = reported(&folder, &arguments, 2);
    assert_eq!(items(&alone), ["three.c sign", "three.c clamp", "three.c ratio", "one.c f", "partial.c g", "partial.c h"]);
    for jobs in ["4", "0"] {
        assert_eq!(reported(&folder, &[&arguments[..], &["--jobs", jobs]].concat(), 2), alone, "{jobs}");
    }
    assert!(alone[..5].iter().all(|line| line["complete"] == true && line.get("failed").is_none()));
    assert!(alone[5]["failed"].as_str().is_some_and(|reason| reason.starts_with("partial.c:7:13: ")), "{}", alone[5]["failed"]);
    // A line is the document of the function, and what it belongs to.
    let single = run(&folder, &["three.c", "--function", "clamp", "--json"]);
    let mut own = alone[1].clone();
    own.as_object_mut().expect("an object").remove("belongs_to");
    assert_eq!(lines(&text(&single.stdout)), [own]);
    let of = &alone[1]["belongs_to"];
    assert_eq!((&of["file"], &of["function"], &of["version"]), (&json!("three.c"), &json!("clamp"), &json!(env!("CARGO_PKG_VERSION"))));
    assert_eq!((of["text"].as_str().map(str::len), &of["settings"]), (Some(64), &json!({"memory": "4096", "seed": "0"})));
}

#[test]
fn functions_of_headers_belong_to_their_own_file() {
    let folder = folder(
        "headers",
        &[
            ("h.h", "static int in_header(int x) { if (x) return 1; return 0; }\n"),
            ("a.c", "#include \"h.h\"\nint f(int x) { return in_header(x); }\n"),
        ],
    );
    assert_eq!(items(&reported(&folder, &["a.c", "--each-function"], 0)), ["a.c f"]);
    let linked = folder.join("b.c");
    fs::write(&linked, "int g(int x) { return x > 7; }\n").expect("writable");
    assert!(items(&reported(&folder, &["--link", "a.c", "b.c", "--each-function"], 0)).contains(&"a.c g".to_owned()));
}

#[test]
fn parts_of_a_batch_are_a_partition() {
    let folder = folder("shards", &[("one.c", ONE), ("three.c", THREE)]);
    let all = reported(&folder, &["three.c", "one.c", "--each-function"], 0);
    let part = |part: &str| reported(&folder, &["three.c", "one.c", "--each-function", "--shard", part], 0);
    let parts: Vec<Vec<Value>> = ["1/3", "2/3", "3/3"].into_iter().map(part).collect();
    for (at, line) in all.iter().enumerate() {
        assert_eq!(&parts[at % 3][at / 3], line);
    }
    assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), all.len());
    assert!(part("5/5").is_empty());
    for wrong in ["0/2", "3/2", "1/0", "2", "x/y", "-1/2"] {
        let output = run(&folder, &["one.c", "--shard", wrong]);
        assert!(output.status.code() == Some(2) && text(&output.stderr).contains("I from 1 to N"), "{wrong}");
    }
}

#[test]
fn a_batch_goes_on_where_it_was_cut() {
    let folder = folder("resume", &[("one.c", ONE), ("three.c", THREE)]);
    let arguments = ["three.c", "one.c", "--each-function", "--resume", "all.jsonl"];
    let whole = reported(&folder, &arguments, 0);
    let file = folder.join("all.jsonl");
    let read = || fs::read_to_string(&file).expect("written");
    let first = read();
    assert_eq!(lines(&first), whole);
    // Nothing is left to do: the file stays as it is, and the lines are there again.
    let output = run(&folder, &arguments);
    assert!(text(&output.stderr).contains("all.jsonl has 4 of 4 items") && read() == first, "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("file ") && text(&output.stdout).contains("4 items; "));
    // In the middle of any line.
    for cut in [1, first.find('\n').expect("a line") + 20, first.len() - 1] {
        fs::write(&file, &first[..cut]).expect("writable");
        assert_eq!(reported(&folder, &arguments, 0), whole);
        assert_eq!(lines(&read()), whole, "{cut}");
    }
    // Another text, and other settings.
    fs::write(folder.join("one.c"), ONE.replace('3', "4")).expect("writable");
    let output = run(&folder, &arguments);
    assert!(text(&output.stderr).contains("1 lines of all.jsonl are of another text"), "{}", text(&output.stderr));
    assert_eq!(lines(&read())[..3], whole[..3]);
    assert_ne!(lines(&read())[3], whole[3]);
    let output = run(&folder, &[&arguments[..], &["--seed", "7"]].concat());
    assert!(text(&output.stderr).contains("4 lines of all.jsonl are of another text"), "{}", text(&output.stderr));
    assert!(lines(&read()).iter().all(|line| line["belongs_to"]["settings"]["seed"] == "7"));
    // A file of something else is not touched.
    fs::write(&file, "my notes\n").expect("writable");
    let output = run(&folder, &arguments);
    assert_eq!((output.status.code(), read().as_str()), (Some(2), "my notes\n"));
    assert!(text(&output.stderr).contains("all.jsonl:1 is no line of a batch"));
}

#[test]
fn a_missing_file_is_one_line() {
    let folder = folder("missing", &[("one.c", ONE), ("three.c", THREE)]);
    let found = reported(&folder, &["one.c", "none.c", "three.c"], 2);
    assert_eq!(items(&found), ["one.c f", "none.c -", "three.c ratio"]);
    assert!(found[1]["failed"].as_str().is_some_and(|reason| reason.contains("cannot read none.c")));
    assert_eq!((&found[0]["complete"], &found[1]["complete"]), (&json!(true), &json!(false)));
    let output = run(&folder, &["one.c", "none.c", "three.c"]);
    let printed = text(&output.stdout);
    assert!(output.status.code() == Some(2) && printed.contains("none.c:\nnot answered: cannot read none.c"), "{printed}");
    assert!(printed.ends_with("3 items, 1 without an answer; 6 branches: 6 covered, 0 infeasible, 0 open\n"), "{printed}");
}

/// The processes of the batch that answer items.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir("/proc").expect("processes").flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let of = |file: &str| fs::read_to_string(entry.path().join(file)).unwrap_or_default();
        let is_child = of("stat").rsplit_once(')').is_some_and(|(_, rest)| rest.split_whitespace().nth(1) == Some(&parent.to_string()));
        if is_child && of("cmdline").contains("--is-item") {
            found.insert(id);
        }
    }
    found
}

/// The first process that answers an item, once it is there.
#[cfg(target_os = "linux")]
fn first_child(parent: u32) -> u32 {
    loop {
        if let Some(child) = children(parent).first() {
            return *child;
        }
        std::thread::yield_now();
    }
}

#[cfg(target_os = "linux")]
fn signal(name: &str, process: u32) {
    assert!(Command::new("kill").args([name, &process.to_string()]).status().expect("kill exists").success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_dies_is_one_line() {
    let folder = folder("killed", &[("hard.c", HARD), ("one.c", ONE)]);
    let batch = culdesac(&folder, &["hard.c", "one.c", "--json", "--limit", "1000000000000"]).spawn().expect("the program starts");
    signal("-KILL", first_child(batch.id()));
    let output = batch.wait_with_output().expect("the program ends");
    let found = lines(&text(&output.stdout));
    assert_eq!((output.status.code(), items(&found)), (Some(2), vec!["hard.c -".to_owned(), "one.c f".to_owned()]));
    let failed = found[0]["failed"].as_str().expect("a reason");
    assert!(failed.contains("without an answer") && failed.contains("signal: 9"), "{failed}");
    assert_eq!(found[1]["complete"], true);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_batch_prints_what_is_settled_and_keeps_whole_lines() {
    let folder = folder("interrupted", &[("hard.c", HARD), ("one.c", ONE)]);
    let arguments = ["one.c", "hard.c", "one.c", "--json", "--resume", "all.jsonl", "--limit", "1000000000000"];
    let batch = culdesac(&folder, &arguments).spawn().expect("the program starts");
    // The first item is there: its line ends.
    while !fs::read_to_string(folder.join("all.jsonl")).is_ok_and(|text| text.ends_with('\n')) {
        std::thread::yield_now();
    }
    first_child(batch.id());
    signal("-TERM", batch.id());
    let output = batch.wait_with_output().expect("the program ends");
    let found = lines(&text(&output.stdout));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(found.len() <= 2 && found.iter().all(|line| line["complete"] == (line["program"] == "one.c")));
    assert!(text(&output.stderr).contains("of 3 items were answered before the interruption"), "{}", text(&output.stderr));
    let kept = lines(&fs::read_to_string(folder.join("all.jsonl")).expect("written"));
    assert_eq!(items(&kept), ["one.c f"]);
}

#[test]
fn memory_has_a_limit() {
    let folder = folder("memory", &[("one.c", ONE), ("three.c", THREE)]);
    let output = run(&folder, &["one.c", "--json", "--memory", "1"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("a document");
    assert_eq!((output.status.code(), &document["complete"], &document["memory"]), (Some(1), &json!(false), &json!(true)));
    let output = run(&folder, &["one.c", "--memory", "1"]);
    assert!(text(&output.stdout).ends_with("\nThe run ended early: its memory was used up (--memory).\n"));
    let found = reported(&folder, &["one.c", "three.c", "--memory", "1"], 1);
    assert!(found.len() == 2 && found.iter().all(|line| line["memory"] == true));
    assert!(reported(&folder, &["one.c", "three.c"], 0).iter().all(|line| line.get("memory").is_none()));
    for wrong in ["0", "-1", "x", "99999999999"] {
        let output = run(&folder, &["one.c", "--memory", wrong]);
        assert!(output.status.code() == Some(2) && text(&output.stderr).contains("from 1 to"), "{wrong}");
    }
}

/// The forms that other programs read are one output of that form.
#[test]
fn forms_are_joined() {
    let folder = folder("forms", &[("one.c", ONE), ("three.c", THREE)]);
    let printed = |format: &str| text(&run(&folder, &["one.c", "none.c", "three.c", "--each-function", "--format", format]).stdout);
    let log: Value = serde_json::from_str(&printed("sarif")).expect("a log");
    let runs = log["runs"].as_array().expect("runs");
    let successful: Vec<bool> = runs.iter().map(|run| run["invocations"][0]["executionSuccessful"] == true).collect();
    assert_eq!(successful, [true, false, true, true, true]);
    let rows = printed("csv");
    let mut reader = csv::Reader::from_reader(rows.as_bytes());
    let functions: BTreeSet<String> = reader.records().map(|row| row.expect("a row")[1].to_owned()).collect();
    assert_eq!(functions, ["clamp", "f", "ratio", "sign"].map(str::to_owned).into());
    assert_eq!(rows.matches("program,function").count(), 1);
    let markdown = printed("markdown");
    assert!(markdown.starts_with("| file | function |") && markdown.contains("\n# `clamp` in `three.c`\n"), "{markdown}");
    for wrong in [
        &["-", "one.c"][..],
        &["one.c", "--each-function", "--function", "f"],
        &["one.c", "three.c", "--evidence", "e.json"],
        &["one.c", "three.c", "--format", "csv", "--resume", "r"],
    ] {
        let output = run(&folder, wrong);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""), "{wrong:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_takes_nothing_is_said() {
    let folder = folder("disk", &[("one.c", ONE), ("three.c", THREE)]);
    let full = fs::File::options().write(true).open("/dev/full").expect("a device");
    let output = culdesac(&folder, &["one.c", "three.c", "--json"]).stdout(full).output().expect("the program runs");
    assert!(output.status.code() == Some(2) && text(&output.stderr).contains("cannot write the result"), "{}", text(&output.stderr));
    for path in ["/dev/full", "/no/such/folder/x", "."] {
        let output = run(&folder, &["one.c", "three.c", "--resume", path]);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""), "{path}");
    }
}

/// What a static function does for any arguments is one question, and what its file lets it do another.
#[test]
fn static_functions_have_verdicts_through_their_callers() {
    const ONCE: &str = "static int busy;\nstatic int once(int x) {\n  if (busy)\n    return 1;\n  if (x > 10)\n    return 2;\n  if (x < 0)\n    return 3;\n  return 0;\n}\n";
    const WORK: &str = "int work(int x) {\n  int result;\n  busy = 1;\n  result = once(x > 5 ? 5 : x);\n  busy = 0;\n  return result;\n}\n";
    const IDLE: &str = "int idle(int x) {\n  if (x < 0 || x > 9)\n    return 0;\n  return once(x);\n}\n";
    let folder = folder("callers", &[("h.h", "int outside(int x) { return x; }\n")]);
    let called = |text: &str| -> Vec<(String, String, Value)> {
        fs::write(folder.join("t.c"), text).expect("writable");
        let printed = self::text(&run(&folder, &["t.c", "--each-function", "--json"]).stdout);
        let Some(last) = printed.lines().last().filter(|line| line.contains("through_callers")) else { return Vec::new() };
        let last: Value = serde_json::from_str(last).expect("JSON");
        let list = last["through_callers"][0]["list"].as_array().expect("branches").clone();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        list.iter().map(|branch| (text(&branch["text"]), text(&branch["verdict"]), branch["by"].clone())).collect()
    };
    let expect = |infeasible: &str, not_called: Value| {
        let covered = |text: &str, by: &Value| (text.to_owned(), "covered".to_owned(), by.clone());
        let excluded = |text: &str| (text.to_owned(), infeasible.to_owned(), Value::Null);
        vec![
            covered("busy", &json!("work")),
            covered("!busy", &not_called),
            excluded("x > 10"),
            covered("!(x > 10)", &not_called),
            excluded("x < 0"),
            covered("!(x < 0)", &not_called),
        ]
    };
    assert_eq!(called(&[ONCE, WORK, IDLE].concat()), expect("infeasible", json!("idle")));
    // An entry in a header may call it with anything; one that is not understood may take its address.
    assert_eq!(called(&[ONCE, WORK, IDLE, "int more(int x) { return once(x) +; }\n"].concat()), []);
    assert_eq!(called(&["#include \"h.h\"\n", ONCE, WORK, IDLE].concat()), expect("open", json!("idle")));
    // A function whose address is taken, and one that is not static, are entries themselves.
    assert_eq!(called(&[ONCE, WORK, IDLE, "int (*hook)(int) = once;\n"].concat()), []);
    assert_eq!(called(&[&ONCE.replace("static int once", "int once"), WORK, IDLE].concat()), []);
    // A part of the batch knows only a part of the callers.
    let output = run(&folder, &["t.c", "--each-function", "--json", "--shard", "1/1"]);
    assert!(!text(&output.stdout).contains("through_callers"));
}
