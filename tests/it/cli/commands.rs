//! The command line as a stranger uses it: documents, exit statuses, refusals.

use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const COUNTDOWN: &str = "int f(int x) {\n  while (x > 0)\n    x = x - 1;\n  return x;\n}\n";

fn culdesac(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_culdesac"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs with this text on standard input.
pub fn run(arguments: &[&str], input: &str) -> Output {
    run_bytes(arguments, input.as_bytes())
}

pub fn run_bytes(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = culdesac(arguments).spawn().expect("the program starts");
    // It need not read its input when the options are refused.
    let _ = child.stdin.take().expect("piped").write_all(input);
    child.wait_with_output().expect("the program ends")
}

fn file(name: &str, content: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("the target folder is writable");
    path
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8 output")
}

/// The document of a run that ends with this status.
pub fn document(arguments: &[&str], input: &str, status: i32) -> Value {
    let output = run(arguments, input);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", text(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(document["schema"], 1);
    assert_eq!(document["complete"], status == 0);
    assert!(document["statistics"]["wall_ms"].is_number() && document["statistics"]["solver"]["queries"].is_number());
    document
}

/// The message of a run that is refused.
pub fn refusal(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""), "{arguments:?}");
    text(&output.stderr)
}

#[test]
fn cfg_as_a_document() {
    let path = file("countdown.c", COUNTDOWN);
    let name = path.to_str().expect("a UTF-8 path");
    let document = document(&["cfg", name, "--json"], "", 0);
    assert_eq!((&document["program"], &document["function"]), (&Value::from(name), &Value::from("f")));
    assert_eq!(document["functions"], serde_json::json!(["f"]));
    assert_eq!((document["locations"].as_array().map(Vec::len), document["edges"].as_array().map(Vec::len)), (Some(3), Some(3)));
    let kinds: Vec<_> = (document["edges"].as_array().into_iter().flatten()).map(|e| (e["kind"].as_str(), e["line"].as_u64())).collect();
    assert_eq!(kinds, [(Some("assume"), Some(2)), (Some("assume"), Some(2)), (Some("assign"), Some(3))]);
    assert_eq!(document["loop_headers"], serde_json::json!([document["entry"]]));
    assert_eq!(
        document["inputs"],
        serde_json::json!([{"name": "x", "array": false, "least": "-2147483648", "greatest": "2147483647", "length": null, "object": "x", "form": "integer"}])
    );
    assert_eq!(document["reducible"], true);
}

#[test]
fn cfg_formats() {
    let output = run(&["cfg", "-", "--format", "dot"], COUNTDOWN);
    assert!(output.status.success() && text(&output.stdout).starts_with("digraph"));
    for arguments in [&["cfg", "-", "--format", "json"][..], &["cfg", "-", "--format", "json", "--json"]] {
        assert!(serde_json::from_slice::<Value>(&run(arguments, COUNTDOWN).stdout).is_ok());
    }
    assert!(refusal(&["cfg", "-", "--format", "dot", "--json"], COUNTDOWN).contains("--format dot"));
    let output = run(&["cfg", "-"], COUNTDOWN);
    assert!(text(&output.stdout).starts_with("f: 3 locations, 3 edges"), "{}", text(&output.stdout));
    assert!(refusal(&["cfg", "-", "--format", "svg"], "").contains("text, dot, json"));
}

#[test]
fn paths_in_the_order_asked() {
    let document = document(&["paths", "-", "--json", "--lengths", "5,0,1,10000"], COUNTDOWN, 0);
    let rows: Vec<_> =
        document["table"].as_array().expect("rows").iter().map(|row| (row["length"].as_u64(), row["total"].as_str())).collect();
    assert_eq!(rows, [(Some(5), Some("3")), (Some(0), Some("0")), (Some(1), Some("1")), (Some(10_000), Some("5000"))]);
    assert!(document["table"][0]["feasible"].is_null());
    let people = text(&run(&["paths", "-", "--lengths", "5,10000"], COUNTDOWN).stdout);
    assert!(people.contains("\n     5      3\n 10000  5,000\n"), "{people}");
}

/// Runs on simple inputs complete, or only the run on one special input does, or none.
#[test]
fn where_no_path_is_short_enough_the_shortest_run_is_told() {
    const FIVE: &str = "int five(int x) { int i = 0; while (i < 5) { x = x / 3; i = i + 1; } if (x > 1) return 1; return 0; }";
    const SPECIAL: &str = "int special(int x) { int i = 0; while (i < 20) { if (x != 77) for (;;) ; i++; } return 0; }";
    const ENDLESS: &str = "int endless(int x) { while (1) { if (x > 9) x = 1; else x = x + 2; } }";
    let shortest = |source: &str, lengths: &str| {
        document(&["paths", "-", "--json", "--feasible", "--lengths", lengths], source, 0)["shortest"].clone()
    };
    for (source, length) in [(FIVE, 18), (SPECIAL, 62)] {
        assert_eq!(shortest(source, "5,10"), serde_json::json!({ "length": length, "exact": true }), "{source}");
        // As counting says.
        let lengths = format!("{},{length}", length - 1);
        let counted = document(&["paths", "-", "--json", "--feasible", "--lengths", &lengths], source, 0);
        let counts: Vec<_> = counted["table"].as_array().into_iter().flatten().map(|row| row["feasible"].as_str() == Some("0")).collect();
        assert_eq!((counts, &counted["shortest"]), (vec![true, false], &Value::Null), "{source}");
    }
    assert_eq!(shortest(ENDLESS, "5,10"), Value::Null);
    let people = text(&run(&["paths", "-", "--feasible", "--lengths", "10"], FIVE).stdout);
    assert!(people.contains("\nthe shortest complete run needs 18 steps\n"), "{people}");
    // Feasibility was not requested.
    assert_eq!(document(&["paths", "-", "--json", "--lengths", "10"], FIVE, 0)["shortest"], Value::Null);
}

#[test]
fn a_program_without_a_decision_is_one_path() {
    let hello = "#include <stdio.h>\nint main(void) { puts(\"hi\"); return 0; }\n";
    let of = |command: &str| text(&run(&[command, "-"], hello).stdout);
    assert!(of("cover").starts_with("main: 1 path, it runs"), "{}", of("cover"));
    assert!(of("branches").starts_with("main: it decides nothing"), "{}", of("branches"));
    let warned = text(&run(&["cfg", "-"], "int f(int x) {\n  while (1) x++;\n}\n").stderr);
    assert!(!warned.contains("without returning"), "{warned}");
}

#[test]
fn a_limit_leaves_rows_open() {
    let document = document(&["paths", "-", "--json", "--lengths", "1,10000", "--limit", "2"], COUNTDOWN, 1);
    assert_eq!(document["table"].as_array().map(Vec::len), Some(1));
    assert!(document["open"].as_str().is_some_and(|why| why.contains("limit of 2 steps")), "{document}");
}

#[test]
fn drawings_depend_on_the_seed_only() {
    let draw = |seed: &str| {
        let mut document = document(&["draw", "-", "--json", "--length", "400", "--count", "5", "--seed", seed], COUNTDOWN, 0);
        document["statistics"]["wall_ms"] = Value::Null;
        document
    };
    let first = draw("1");
    assert_eq!(first, draw("1"));
    assert_ne!(first["paths"], draw("2")["paths"]);
    assert_eq!((&first["population"], first["paths"].as_array().map(Vec::len)), (&Value::from("200"), Some(5)));
    for path in first["paths"].as_array().into_iter().flatten() {
        let edges: Vec<_> = path["edges"].as_array().into_iter().flatten().map(|edge| edge.as_u64().expect("a number")).collect();
        assert!(edges.len() <= 400 && edges.len() % 2 == 1 && edges.last() == Some(&1), "{edges:?}");
        assert_eq!(path["lines"].as_array().map(Vec::len), Some(edges.len()));
    }
}

const TWICE: &str = "int f(int n) {\n  int i = 0;\n  while (i < n) i++;\n  i = 0;\n  while (i < n) i++;\n  return i;\n}\n";

#[test]
fn pruning_as_a_document() {
    let arguments = ["prune", "-", "--json", "--lengths", "12,40", "--feasible", "--lookahead", "4"];
    let document = document(&arguments, TWICE, 0);
    let row = |index: usize, key: &str| document["table"][index][key].as_str().and_then(|text| text.parse::<u64>().ok()).expect("a number");
    for index in [0, 1] {
        assert!(row(index, "feasible") <= row(index, "pruned") && row(index, "pruned") < row(index, "original"), "{document}");
    }
    assert_eq!((row(0, "original"), row(0, "feasible")), (15, 3));
    assert!(document["pruned"]["locations"].as_u64() > document["original"]["locations"].as_u64());
    for key in ["vertices", "marked", "subsumptions", "abstractions", "restarts"] {
        assert!(document["red"][key].is_u64(), "{key}");
    }
    for abstraction in ["drop", "havoc", "learn"] {
        for restarts in ["on", "off"] {
            let arguments = ["prune", "-", "--abstraction", abstraction, "--restarts", restarts, "--max-red-length", "15"];
            assert!(run(&arguments, TWICE).status.success(), "{abstraction} {restarts}");
        }
    }
    assert!(refusal(&["prune", "-", "--abstraction", "guess"], TWICE).contains("drop, havoc, learn"));
    assert!(refusal(&["prune", "-", "--lookahead", "-1"], TWICE).contains("from 0 to 200"));
}

/// A message that more steps would have helped names the limit; a single question that takes too long is none.
#[test]
fn a_limit_that_was_reached_is_named() {
    let mut arguments = vec!["prune", "-", "--json", "--lengths", "12", "--feasible", "--lookahead", "4"];
    assert_eq!(document(&arguments, TWICE, 0)["reached_limit"], Value::Null);
    arguments.extend(["--limit", "300"]);
    let cut = document(&arguments, TWICE, 1);
    assert_eq!((&cut["reached_limit"], &cut["complete"]), (&Value::from(300), &Value::from(false)), "{}", cut["open"]);
    // What was not unfolded goes on in the original: nothing is lost.
    let number = |key: &str| cut["table"][0][key].as_str().and_then(|text| text.parse::<u64>().ok()).expect("a number");
    assert!(number("pruned") >= 3 && number("pruned") <= number("original"), "{cut}");
}

#[test]
fn a_precondition_is_assumed_and_checked() {
    let evidence = file("pruned.json", "");
    let name = evidence.to_str().expect("a UTF-8 path");
    let arguments = [
        "prune",
        "-",
        "--json",
        "--lengths",
        "40",
        "--feasible",
        "--precondition",
        "n == 2 || n < 0",
        "--evidence",
        name,
        "--lookahead",
        "9",
    ];
    let document = document(&arguments, TWICE, 0);
    assert_eq!((&document["table"][0]["feasible"], &document["table"][0]["pruned"]), (&Value::from("2"), &Value::from("2")));
    assert!(text(&run(&["check", name], "").stdout).contains(", 0 rejected"));
    let claims = std::fs::read_to_string(&evidence).expect("written").replace("n == 2 || n < 0", "n == 3 || n < 0");
    std::fs::write(&evidence, claims).expect("written");
    assert_eq!(run(&["check", name], "").status.code(), Some(1));
    assert!(refusal(&["prune", "-", "--precondition", "n >"], TWICE).contains("precondition"));
    assert!(refusal(&["prune", "-", "--precondition", "i == 0"], TWICE).contains("precondition"));
}

#[test]
fn paths_are_drawn_from_what_is_asked_for() {
    let population = |options: &[&str]| {
        let arguments = [&["draw", "-", "--json", "--length", "30", "--count", "20", "--lookahead", "6"], options].concat();
        let document = document(&arguments, TWICE, 0);
        let feasible = document["paths"].as_array().into_iter().flatten().filter(|path| path["feasible"] == true).count();
        (document["population"].as_str().and_then(|text| text.parse::<u64>().ok()).expect("a number"), feasible)
    };
    let (all, pruned, feasible) = (population(&[]), population(&["--pruned"]), population(&["--feasible-only"]));
    assert!(feasible.0 <= pruned.0 && pruned.0 < all.0, "{all:?} {pruned:?} {feasible:?}");
    assert_eq!(feasible.1, 20);
}

/// Every input that is written is one that is read, and takes the side that it was written for.
#[test]
fn witnesses_of_joined_objects_are_read_back() {
    const SOURCE: &str = "struct P { int x, y; };\nint f(struct P *a, struct P *b, int k) {\n  struct P *p = k ? a : b;\n  if (p == b && p->x == 7) return 1;\n  return 2;\n}\n";
    let covered = document(&["cover", "-", "--json"], SOURCE, 0);
    let tests = covered["tests"].as_array().expect("tests");
    let mut returned: Vec<i64> = Vec::new();
    for test in tests {
        let names: Vec<&str> = test["input"].as_object().expect("an input").keys().map(String::as_str).collect();
        assert!(names.iter().all(|name| ["a.x", "a.y", "b - a", "k", "nondet", "written_as"].contains(name)), "{names:?}");
        let ran = document(&["run", "-", "--json", "--input", &test["input"].to_string()], SOURCE, 0);
        assert_eq!(ran["outcome"], "returned");
        assert_eq!(ran["lines"], test["lines"]);
        returned.extend(ran["value"].as_i64());
    }
    assert!(returned.contains(&1) && returned.contains(&2), "{returned:?}");
}

#[test]
fn one_run() {
    let document = document(&["run", "-", "--json", "--input", r#"{"x": 2}"#], COUNTDOWN, 0);
    assert_eq!((&document["outcome"], &document["value"]), (&Value::from("returned"), &Value::from(0)));
    assert_eq!(document["lines"], serde_json::json!([2, 3, 2, 3, 2]));
    assert_eq!((&document["branches"][0]["holds"], &document["branches"][0]["fails"]), (&Value::from(2), &Value::from(1)));
    let huge = run(&["run", "-", "--json", "--ints", "unbounded", "--input", r#"{"x": "-123456789012345678901234567890"}"#], COUNTDOWN);
    assert!(text(&huge.stdout).contains(r#""value":"-123456789012345678901234567890""#));
    assert!(refusal(&["run", "-", "--input", r#"{"x": 2147483648}"#], COUNTDOWN).contains("2147483647"));
    assert!(run(&["run", "-", "--input", r#"{"x": 1000000}"#, "--limit", "100"], COUNTDOWN).status.code() == Some(1));
    let message = |input: &str| refusal(&["run", "-", "--input", input], COUNTDOWN);
    assert!(message(r#"{"y": 2}"#).contains("no input `y`"));
    assert!(message(r#"{"x": {"0": 1}}"#).contains("`x` is not an array"));
    let keys = |change: &Value| (change["kind"].clone(), change["name"].clone(), change["value"].clone());
    assert_eq!(keys(&document["steps_shown"][1]["change"]), (Value::from("variable"), Value::from("x"), Value::from(1)));
    assert_eq!((&document["output"], &document["steps_shown"][0]["change"]), (&Value::from(""), &Value::Null));
    let told = text(&run(&["run", "-", "--input", r#"{"x": "2"}"#], COUNTDOWN).stdout);
    assert!(told.starts_with("returned 0 after 5 steps\nvalues x = 0\nlines 2 3 2 3 2\n"), "{told}");
    assert!(message(r#"{"x": 1.5}"#).contains("`x` in the input: 1.5 is not an integer"));
    assert!(message(r#"{"nondet": 3}"#).contains("3 is not a list of integers"));
    assert!(message("[1]").contains("not a JSON object"));
}

#[test]
fn options_out_of_range_are_refused() {
    for lengths in ["abc", "10001", "-1", "1,,2", "", "1.5", "99999999999999999999"] {
        let message = refusal(&["paths", "-", "--lengths", lengths], COUNTDOWN);
        assert!(message.contains("from 0 to 10000"), "{lengths}: {message}");
    }
    for count in ["0", "-3", "100001", "x"] {
        let message = refusal(&["draw", "-", "--length", "9", "--count", count], COUNTDOWN);
        assert!(message.contains("from 1 to 100000"), "{count}: {message}");
    }
    assert!(refusal(&["paths", "-", "--limit", "0"], COUNTDOWN).contains("from 1 to"));
    assert!(refusal(&["paths", "-", "--ints", "c64"], COUNTDOWN).contains("c64"));
    assert!(refusal(&["draw", "-"], COUNTDOWN).contains("--length"));
    assert!(refusal(&["paths", "-", "--seed", "-1"], COUNTDOWN).contains("a seed is a whole number"));
    assert!(refusal(&["frobnicate", "-"], COUNTDOWN).contains("frobnicate"));
    assert!(refusal(&[], "").contains("Usage"));
}

#[test]
fn files_that_cannot_be_read_are_refused() {
    assert!(refusal(&["cfg", "there/is/no/such/file.c"], "").contains("cannot read there/is/no/such/file.c"));
    assert!(refusal(&["cfg", env!("CARGO_MANIFEST_DIR")], "").contains("cannot read"));
    let output = run_bytes(&["solve", "-"], b"(check-sat) ; \xff");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("standard input is not UTF-8 text: the byte at offset 14"), "{}", text(&output.stderr));
}

#[test]
fn programs_that_are_wrong_are_refused_with_their_place() {
    let path = file("wrong.c", "int main(int é) {\n  int x = é + missing;\n  return x;\n}\n");
    let name = path.to_str().expect("a UTF-8 path");
    for json in [false, true] {
        let arguments: &[&str] = if json { &["paths", name, "--json"] } else { &["paths", name] };
        let message = refusal(arguments, "");
        assert!(message.starts_with("error"), "{message}");
        assert!(message.contains("wrong.c:") && message.contains('^'), "{message}");
        assert!(!message.contains('\u{1b}'), "no colours into a pipe: {message}");
    }
    let message = refusal(&["paths", "-"], "int main() {\n  return missing;\n}\n");
    assert!(message.contains("-:2:10") && message.contains("missing"), "{message}");
    assert!(refusal(&["paths", "-", "--function", "g"], COUNTDOWN).contains('g'));
    assert!(refusal(&["paths", "-"], "").starts_with("error"), "an empty program has no function");
    // A program in one huge line is not printed back.
    let long = format!("int main() {{ {} return missing; }}", "int a;".to_owned() + &" ".repeat(100_000));
    assert!(refusal(&["paths", "-"], &long).len() < 10_000);
}

#[test]
fn the_trace_is_json_lines() {
    let path = file("trace.jsonl", "");
    let name = path.to_str().expect("a UTF-8 path");
    document(&["paths", "-", "--json", "--lengths", "5,200", "--trace", name], COUNTDOWN, 0);
    let trace = std::fs::read_to_string(&path).expect("the trace was written");
    let kinds: Vec<_> = trace.lines().map(|line| serde_json::from_str::<Value>(line).expect("one object a line")["kind"].clone()).collect();
    assert_eq!(kinds.iter().filter(|kind| *kind == "row").count(), 2);
    // Where there can be no trace, the answer is still given.
    let output = run(&["paths", "-", "--trace", "there/is/no/such/folder/t"], COUNTDOWN);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("complete paths") && text(&output.stderr).contains("not-written"), "{}", text(&output.stderr));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = culdesac(&["draw", "-", "--length", "9000", "--count", "20"]).spawn().expect("the program starts");
    drop(child.stdout.take());
    child.stdin.take().expect("piped").write_all(COUNTDOWN.as_bytes()).expect("the program reads");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_known() {
    let decisions = "if (nondet()) x = x + 1;\n".repeat(3000);
    let program = file("long.c", &format!("int f(int x) {{ while (nondet()) {{ {decisions} }} return x; }}"));
    let trace = file("interrupted.jsonl", "");
    let names = [&program, &trace].map(|path| path.to_str().expect("a UTF-8 path"));
    let child = culdesac(&["paths", names[0], "--lengths", "10,10000", "--json", "--trace", names[1]]).spawn().expect("the program starts");
    // The first row is in the trace as soon as it is known; the second takes seconds.
    while std::fs::read_to_string(&trace).expect("a text").is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill exists");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(1), ""));
    let document: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!((&document["complete"], document["table"].as_array().map(Vec::len)), (&Value::from(false), Some(1)));
    assert!(document["open"].as_str().is_some_and(|why| why == "cancelled"), "{document}");
}

/// Summaries: what became of the callees, evidence that is accepted, and the text; without the option there is nothing of it.
#[test]
fn cover_with_summaries() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/foo_bar.blocks");
    let name = path.to_str().expect("a UTF-8 path");
    let evidence = file("summaries.json", "");
    let evidence = evidence.to_str().expect("a UTF-8 path");
    let with = document(&["cover", name, "--function", "bar", "--summaries", "--evidence", evidence, "--json"], "", 0);
    let foo = serde_json::json!({"function": "foo", "pairs": 2, "recomputed": 0, "inlined": null});
    assert_eq!(with["summaries"], serde_json::json!({"functions": [foo], "tests": 1, "queries": 3}));
    let checked = run(&["check", evidence], "");
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
    let without = document(&["cover", name, "--function", "bar", "--json"], "", 0);
    assert_eq!(without["summaries"], Value::Null);
    for list in ["tests", "infeasible", "never_completes", "not_within", "open", "covered"] {
        assert_eq!(with[list], without[list], "{list}");
    }
    let told = text(&run(&["cover", name, "--function", "bar", "--summaries"], "").stdout);
    assert!(told.contains("with summaries: 1 test by 3 queries; the rest with calls inlined\n  foo: 2 pairs\n"), "{told}");
}

#[test]
fn cover_and_generate() {
    let path = file("cover.c", COUNTDOWN);
    let name = path.to_str().expect("a UTF-8 path");
    let evidence = file("cover.json", "");
    let evidence = evidence.to_str().expect("a UTF-8 path");
    let document = document(&["cover", name, "--unwind", "1", "--algorithm", "prefer", "--evidence", evidence, "--json"], "", 0);
    assert_eq!((&document["queries"], &document["tests"].as_array().map(Vec::len)), (&1.into(), &Some(1)));
    assert_eq!(document["tests"][0]["lines"], serde_json::json!([2, 3, 2]));
    assert_eq!(document["infeasible"], serde_json::json!([]));
    let checked = run(&["check", evidence], "");
    assert_eq!(
        (checked.status.code(), text(&checked.stdout).as_str()),
        (Some(0), "1 claim checked, 0 rejected\n  2:10: reached !(x > 0)\n")
    );
    let program = text(&run(&["generate", "--diamonds", "2", "--seed", "7"], "").stdout);
    assert_eq!(program, text(&run(&["generate", "--diamonds", "2", "--seed", "7"], "").stdout));
    let output = run(&["cover", "-"], &program);
    assert!(text(&output.stdout).starts_with("main: "), "{}", text(&output.stderr));
    assert!(refusal(&["generate", "--diamonds", "0"], "").contains("from 1 to 200"));
    assert!(refusal(&["cover", name, "--unwind", "-1"], "").contains("from 0 to 1000"));
}

#[test]
fn one_of_something_is_said_in_the_singular() {
    const STRAIGHT: &str = "int f(int x) {\n  x = x + 1;\n  return x;\n}\n";
    let said = |arguments: &[&str]| text(&run(arguments, STRAIGHT).stdout);
    assert!(said(&["cfg", "-"]).starts_with("f: 2 locations, 1 edge, "), "{}", said(&["cfg", "-"]));
    let drawn = said(&["draw", "-", "--length", "5", "--count", "1"]);
    assert!(drawn.starts_with("f: 1 of 1 complete path\n") && drawn.contains("\npath 1: 1 edge, feasible"), "{drawn}");
    let explained = said(&["explain", "-", "--path", "0"]);
    assert!(explained.starts_with("f: a path of 1 edge, feasible"), "{explained}");
    assert!(said(&["explain", "-", "--max-instructions", "1"]).starts_with("f: prefixes of at most 1 instruction; "));
    let pruned = said(&["prune", "-"]);
    assert!(
        pruned.starts_with("f: 2 locations and 1 edge become 2 and 1\n") && pruned.contains("; 0 abstractions, 0 restarts"),
        "{pruned}"
    );
}

#[test]
fn a_check_that_sees_no_contradiction_is_said_to_see_none() {
    const BOTH: &str = "int f(int x, int y) {\n  if (x > y) {\n    if (y > x)\n      return 1;\n  }\n  return 0;\n}\n";
    let said = |check: &str, more: &[&str]| text(&run(&[&["explain", "-", "--check", check], more].concat(), BOTH).stdout);
    let path = said("interval", &["--path", "0,2"]);
    assert!(path.contains("infeasible") && path.contains("check interval sees no contradiction among these constraints"), "{path}");
    assert!(said("interval", &[]).contains("check interval sees no contradiction in any prefix"), "{}", said("interval", &[]));
    for more in [&["--path", "0,2"][..], &[]] {
        let stronger = said("rational", more);
        assert!(!stronger.contains("sees no contradiction"), "{stronger}");
    }
    assert!(said("rational", &["--path", "0,2"]).contains("  1 path of at most 50 instructions"));
}

/// That a value lies in the range of its type is told in words, and only where it is a reason; operators on bits are told as in C.
#[test]
fn conditions_of_c_are_told_as_people_say_them() {
    let source = "int f(int x, int y) {\n  if (x > 2147483647) return 1;\n  if (x > 10) { if (x < 5) return 2; }\n  \
                  if ((x & y) > 5) { if (y < 3) { if (y >= 0) return 3; } }\n  return 0;\n}\n";
    let document = document(&["explain", "-", "--ints", "c32", "--json"], source, 0);
    let steps =
        document["families"].as_array().expect("a list").iter().flat_map(|family| family["explanation"].as_array().expect("a list"));
    let told: Vec<&str> = steps.map(|step| step["condition"].as_str().expect("a text")).collect();
    assert!(told.contains(&"2147483648 <= x && x is an int"), "{told:?}");
    assert!(told.contains(&"11 <= x") && told.contains(&"x <= 4"), "{told:?}");
    assert!(told.iter().any(|condition| condition.contains("6 <= (x & y)")), "{told:?}");
    assert!(!told.iter().any(|condition| condition.contains('#') || condition.contains("-2147483648")), "{told:?}");
}

const RECURSIVE: &str =
    "int depth(int n) {\n  return n > 0 ? depth(n - 1) + 1 : 0;\n}\nint f(int n) {\n  if (depth(n) > 3) return 1;\n  return 0;\n}\n";

/// Deeper executions are beyond the bound, which is said, also in the evidence, and is part of what is checked.
#[test]
fn recursion_is_inlined_as_deep_as_asked() {
    let evidence = file("recursion.json", "");
    let path = evidence.to_str().expect("a UTF-8 path");
    let arguments = ["cover", "-", "--json", "--function", "f", "--inline-depth", "2", "--evidence", path];
    let shallow = document(&arguments, RECURSIVE, 0);
    assert_eq!(shallow["inline_depth"], 2);
    assert_eq!(shallow["diagnostics"][0]["code"], "recursion-approximated");
    let covers = |document: &Value| {
        document["tests"].as_array().into_iter().flatten().any(|test| {
            let is_deep = test["input"]["n"].as_i64() > Some(3);
            test["lines"].as_array().is_some_and(|lines| lines.last() == Some(&5.into())) && is_deep && test["beyond"] == false
        })
    };
    assert!(!covers(&shallow), "{shallow}");
    let written: Value = serde_json::from_slice(&std::fs::read(&evidence).expect("evidence")).expect("JSON");
    assert_eq!(written["inline_depth"], 2);
    assert_eq!(document(&["check", path, "--json"], "", 0)["rejected"], serde_json::json!([]));
    for other in [serde_json::json!(3), Value::Null] {
        let mut changed = written.clone();
        changed["inline_depth"] = other;
        let forged = file("recursion-forged.json", &changed.to_string());
        let output = run(&["check", forged.to_str().expect("a UTF-8 path"), "--json"], "");
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    }
    let deep = document(&["cover", "-", "--json", "--function", "f", "--inline-depth", "6"], RECURSIVE, 0);
    assert_eq!(deep["inline_depth"], 6);
    assert!(covers(&deep), "{deep}");
    // Where nothing calls itself the depth means nothing.
    assert!(document(&["cfg", "-", "--json", "--inline-depth", "0"], COUNTDOWN, 0)["inline_depth"].is_null());
    for depth in ["-1", "1001", "deep"] {
        assert!(refusal(&["cfg", "-", "--inline-depth", depth], COUNTDOWN).contains("from 0 to 1000"), "{depth}");
    }
}

/// What `return` computes stands at the `return`, not at the statement before.
#[test]
fn an_undefined_result_is_told_at_its_return() {
    let source = "int f(int x) {\n  int y = x;\n  y = y + 1;\n  return 10 / (x - 7);\n}\n";
    let stopped = document(&["run", "-", "--json", "--input", "{\"x\": 7}"], source, 0);
    assert_eq!((&stopped["outcome"], &stopped["place"]["line"], &stopped["place"]["column"]), (&"undefined".into(), &4.into(), &10.into()));
    let before = document(&["run", "-", "--json", "--input", "{\"x\": 2147483647}"], source, 0);
    assert_eq!(before["place"]["line"], 3);
    // Without any edge, too.
    let alone = document(&["run", "-", "--json"], "int f(int x) {\n  return\n    1 / x;\n}\n", 0);
    assert_eq!((&alone["outcome"], &alone["place"]["line"]), (&"undefined".into(), &3.into()));
}

/// The options that all commands have do something in all of them: a run's evidence is that its input takes its path, and a graph has
/// nothing to show.
#[test]
fn every_command_writes_what_it_is_asked_to() {
    let path = file("written.c", COUNTDOWN);
    let name = path.to_str().expect("a UTF-8 path");
    for (command, claims) in
        [(vec!["cfg", name], 0), (vec!["cfg", name, "--format", "dot"], 0), (vec!["run", name, "--input", r#"{"x":2}"#], 1)]
    {
        let (evidence, trace) = (file("written.json", ""), file("written.jsonl", ""));
        let (evidence, trace) = (evidence.to_str().expect("a UTF-8 path"), trace.to_str().expect("a UTF-8 path"));
        let output = run(&[&command[..], &["--evidence", evidence, "--trace", trace]].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{command:?}: {}", text(&output.stderr));
        // A file without claims shows nothing.
        assert_eq!(document(&["check", evidence, "--json"], "", i32::from(claims == 0))["checked"], claims, "{command:?}");
    }
}
