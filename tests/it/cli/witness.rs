//! `report --format witness`: the waypoints stand where the format wants them, with the values of the run.
//!
//! `witness.schema.json` is the format's shape as far as culdesac writes it; PyPI's `check-jsonschema` checks files against it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An error function with a body of its own, calls in a loop and in a function that is called, and another call in a comment's words.
const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error() { }
void __VERIFIER_assert(int cond) {
  if (!cond) {
    ERROR: { reach_error(); abort(); }
  }
}
static int read_two(void) {
  return __VERIFIER_nondet_int() - __VERIFIER_nondet_int();
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int n = 0;
  while (n < 2) {
    if (__VERIFIER_nondet_int( ) == 12)
      n += 2;
    n++;
  }
  int d = read_two();
  __VERIFIER_assert(x != 7 || n != 3 || d != 40);
  return 0;
}
";

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("witness").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the target folder is writable");
    path
}

fn run(folder: &Path, source: &str, arguments: &[&str]) -> Output {
    std::fs::write(folder.join("f.c"), source).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_culdesac"));
    command.current_dir(folder).args(["report", "f.c"]).args(arguments).output().expect("the program starts")
}

fn witness(folder: &Path, source: &str) -> Value {
    let output = run(folder, source, &["--format", "witness"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The waypoints, each with the text of the program from its location on.
fn waypoints<'s>(witness: &Value, source: &'s str) -> Vec<(Value, &'s str)> {
    let content = witness[0]["content"].as_array().expect("segments");
    let waypoint = |segment: &Value| {
        let waypoint = segment["segment"][0]["waypoint"].clone();
        let (line, column) = (&waypoint["location"]["line"], &waypoint["location"]["column"]);
        let line = source.lines().nth(line.as_u64().expect("a line") as usize - 1).expect("a line of the program");
        let text = line.char_indices().nth(column.as_u64().expect("a column") as usize - 1).map_or("", |(at, _)| &line[at..]);
        (waypoint, text)
    };
    content.iter().map(waypoint).collect()
}

#[test]
fn waypoints_stand_at_calls() {
    let folder = scratch("calls");
    let witness = witness(&folder, PROGRAM);
    let entry = &witness[0];
    assert_eq!(witness.as_array().map(Vec::len), Some(1));
    assert_eq!(entry["entry_type"], "violation_sequence");
    assert_eq!(entry["metadata"]["format_version"], "2.0");
    let task = &entry["metadata"]["task"];
    assert_eq!(task["specification"], "CHECK( init(main()), LTL(G ! call(reach_error())) )");
    assert_eq!((&task["data_model"], &task["input_files"][0]), (&Value::from("LP64"), &Value::from("f.c")));
    assert_eq!(task["input_file_hashes"]["f.c"].as_str().map(str::len), Some(64));
    let all = waypoints(&witness, PROGRAM);
    let (target, returned) = all.split_last().expect("a target");
    assert_eq!(target.0["type"], "target");
    assert!(target.1.starts_with("reach_error(); abort();"), "{}", target.1);
    assert!(target.0["constraint"].is_null());
    // The values are those of the input of the finding, in the order of the run.
    let document: Value = serde_json::from_slice(&run(&folder, PROGRAM, &["--json"]).stdout).expect("JSON");
    let findings = document["findings"].as_array().expect("findings");
    let finding = findings.iter().find(|finding| finding["evidence"] == "abort()").expect("a run that fails");
    let values: Vec<String> =
        finding["input"]["nondet"].as_array().expect("values").iter().map(|value| format!("\\result == {value}")).collect();
    let constraints: Vec<&str> = returned.iter().map(|(waypoint, _)| waypoint["constraint"]["value"].as_str().expect("a text")).collect();
    assert_eq!(constraints, values);
    for (waypoint, text) in returned {
        assert_eq!((&waypoint["type"], &waypoint["action"]), (&Value::from("function_return"), &Value::from("follow")));
        assert_eq!(waypoint["constraint"]["format"], "ext_c_expression");
        assert!(text.starts_with(')'), "{text}");
    }
    let functions: Vec<&str> = all.iter().map(|(waypoint, _)| waypoint["location"]["function"].as_str().expect("a name")).collect();
    assert_eq!(functions, ["main", "main", "read_two", "read_two", "__VERIFIER_assert"]);
}

/// Parameters have their values before the first statement; a number that is no constant of C is written as an expression.
#[test]
fn parameters_are_assumed() {
    let folder = scratch("parameters");
    let source = "void reach_error(void);\nint f(int a, unsigned b) {\n  int c = 3;\n  if (a < -2147483647 && b == 4294967295u && c == 3)\n    reach_error();\n  return 0;\n}\n";
    let witness = witness(&folder, source);
    let all = waypoints(&witness, source);
    assert_eq!(all.len(), 2);
    assert_eq!((&all[0].0["type"], all[0].1), (&Value::from("assumption"), "int c = 3;"));
    assert_eq!(all[0].0["constraint"]["value"], "a == (-2147483647 - 1) && b == 4294967295LL");
    assert_eq!(all[1].1, "reach_error();");
}

#[test]
fn no_witness_is_no_file() {
    let folder = scratch("none");
    for (source, arguments, why) in [
        ("int f(int a) { if (a) return 1; return 0; }\n", &[][..], "no error call and no assertion"),
        ("#include <assert.h>\nint f(int a) {\n  if (a > 3)\n    assert(a != 3);\n  return 0;\n}\n", &[], "--evidence FILE"),
        ("void reach_error(void);\nint f(int a) { if (a == 3) reach_error(); return 0; }\n", &["--abi", "int16"], "--abi lp64"),
        ("void reach_error(void);\nint f(int a) { if (a == N) reach_error(); return 0; }\n", &["-DN=3"], "preprocess"),
    ] {
        let output = run(&folder, source, &[arguments, &["--format", "witness"]].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(why) && output.stdout.is_empty(), "{told}");
    }
}
