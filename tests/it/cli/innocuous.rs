//! Infeasible branches that need not worry a reviewer have a label, and those that merely look like one have none.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("innocuous").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the target folder is writable");
    path
}

fn document(folder: &Path, source: &str) -> Value {
    std::fs::write(folder.join("f.c"), source).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_culdesac"));
    let output = command.current_dir(folder).args(["report", "f.c", "--function", "f", "--json"]).output().expect("the program starts");
    assert!(!output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The infeasible branches: for each its text and its label, or `-`.
fn labels(document: &Value) -> Vec<String> {
    let list = document["list"].as_array().expect("branches");
    // Only what is infeasible has a label.
    assert!(list.iter().all(|branch| branch["verdict"] == "infeasible" || branch.get("innocuous").is_none()));
    let infeasible = list.iter().filter(|branch| branch["verdict"] == "infeasible");
    infeasible.map(|one| format!("{}: {}", one["text"].as_str().expect("a text"), one["innocuous"].as_str().unwrap_or("-"))).collect()
}

/// The body of a function that has a number `a` from 0 to 2, a number `n` of 1 or more, and any number `x`; with its labels.
const BODIES: &[(&str, &[&str])] = &[
    // All values have a case; one of them has none.
    ("switch (a) { case 0: s = 1; break; case 1: s = 2; break; case 2: s = 3; break; default: s = 4; }", &["!(a == 2): exhausted_switch"]),
    ("switch (a) { default: s = 4; break; case 0: s = 1; break; case 1: s = 2; break; case 2: s = 3; }", &["!(a == 2): exhausted_switch"]),
    ("switch (a) { case 0: s = 1; break; case 1: s = 2; break; default: s = 4; }", &[]),
    ("switch (a) { case 0: s = 1; break; case 3: s = 2; break; default: s = 4; }", &["a == 3: -"]),
    // The text says that nothing comes there; it says so only after something else.
    ("if (a > 2) __builtin_unreachable();", &["a > 2: unreachable_marker"]),
    ("if (a > 2) assert(0);", &["a > 2: unreachable_marker", "0: -", "!0: -"]),
    ("if (a > 2) { s = 1; __builtin_unreachable(); }", &["a > 2: -"]),
    ("assert(a < 3 && n > 0);", &["!(a < 3): assertion", "!(n > 0): assertion"]),
    // Numbers alone, a variable beside them, and a variable that is a number.
    ("if (DEBUG) s = 1;", &["DEBUG: constant_condition"]),
    ("if (!DEBUG && 2 > 1) s = 1; else s = 2;", &["DEBUG: -", "!(2 > 1): -"]),
    ("if (DEBUG + a > 2) s = 1;", &["DEBUG + a > 2: -"]),
    ("int debug = 0; if (debug) s = 1;", &["debug: -"]),
    ("do s++; while (0);", &["0: loop_idiom"]),
    ("while (1) { if (s > x) break; if (s > 3) break; s++; }", &["!1: loop_idiom"]),
    // The loop of a macro is an idiom, what the macro checks is not.
    (
        "\n#define CHECK(x) do { if (!(x)) s = 5; } while (0)\n  CHECK(n > 0);",
        &["CHECK(n > 0): !(n > 0): -", "CHECK(n > 0): 0: loop_idiom"],
    ),
    // A check that leaves; one that goes on, one of a call's result, one that does not decide by itself, and one that looks like a mistake.
    ("if (n < 1) return -1;", &["n < 1: defensive_check"]),
    ("if (!n || a < 0 || a > 2) { return -1; }", &["!n: defensive_check", "a < 0: defensive_check", "a > 2: defensive_check"]),
    ("if (!(n > 0)) goto out;", &["!(n > 0): defensive_check"]),
    ("if (n == 0) return 0; if (n <= -1) return -1;", &["n == 0: defensive_check", "n <= -1: defensive_check"]),
    // A case of the computation that never comes to its turn is no check: it returns a result.
    ("if (n < 1) return 4;", &["n < 1: -"]),
    ("if (n < 1) return 0;", &["n < 1: -"]),
    ("if (n % 7 == 9) return -1;", &["n % 7 == 9: -"]),
    ("if (a == 5) return -1;", &["a == 5: -"]),
    ("if (a >= 1) return 1; else if (a >= 2) return 2;", &["a >= 2: -"]),
    ("if (n < 1) s = 1;", &["n < 1: -"]),
    ("if (-1 < 1u) s = 1;", &["-1 < 1u: -"]),
    ("if (0.1 + 0.2 == 0.3) s = 1;", &["0.1 + 0.2 == 0.3: -"]),
    ("if (n < 1) { s = 1; return -1; }", &["n < 1: -"]),
    ("if (x > 3 && n < 1) return -1;", &["n < 1: -"]),
    ("if (x > 3) if (one(x) != 1) return -1;", &["one(x) != 1: -"]),
    ("if (x > 3 && x < 2) return -1;", &["x < 2: -"]),
    ("unsigned u = x; if (u < 0) return -1;", &["u < 0: -"]),
];

#[test]
fn kinds_are_told_apart() {
    let folder = scratch("kinds");
    let mut wrong = Vec::new();
    for (body, expected) in BODIES {
        let source = format!(
            "#include <assert.h>\n#define DEBUG 0\nstatic int one(int x) {{ return x - x + 1; }}\nint f(unsigned w, int x) {{\n  int a = w % 3, n = w % 5 + 1, s = 0;\n  {body}\nout:\n  return s + one(x);\n}}\n"
        );
        let found = labels(&document(&folder, &source));
        if found != *expected {
            wrong.push(format!("{body}\n  {found:?}\n  {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Findings have the label of their branch, and statements that of the branch that alone leads to them.
#[test]
fn findings_have_the_labels() {
    let folder = scratch("findings");
    let source = "enum color { RED, GREEN };\nint f(unsigned w) {\n  enum color c = w % 2;\n  int s = 0;\n  switch (c) {\n  case RED: s = 1; break;\n  case GREEN: s = 2; break;\n  default:\n    s = 3;\n    s += 4;\n    break;\n  }\n  if (s > 5)\n    s = 0;\n  return s;\n}\n";
    let document = document(&folder, source);
    let findings = document["findings"].as_array().expect("findings");
    let found: Vec<(u64, bool)> =
        findings.iter().map(|finding| (finding["line"].as_u64().expect("a line"), finding["innocuous"] == "exhausted_switch")).collect();
    assert_eq!(found, [(7, true), (13, false), (9, true), (10, true), (11, true), (14, false)]);
}

/// A header's text and a grammar's.
#[test]
fn files_tell_of_their_origin() {
    let folder = scratch("files");
    std::fs::write(folder.join("h.h"), "static int g(int x) {\n  if (x > 9)\n    x = 9;\n  return x;\n}\n").expect("a file");
    let source = "#include \"h.h\"\nint f(unsigned w) {\n  int a = w % 3;\n#line 7 \"scan.l\"\n  if (a > 4)\n    a = 4;\n#line 8 \"f.c\"\n  if (a > 5)\n    a = 5;\n  return g(a);\n}\n";
    let mut found = labels(&document(&folder, source));
    found.sort();
    assert_eq!(found, ["a > 4: generated_text", "a > 5: -", "x > 9: included_text"]);
}

/// A branch in which a run fails is never called innocuous.
#[test]
fn failing_text_has_no_label() {
    let folder = scratch("failing");
    let document = document(&folder, "int f(int x) {\n  if (x == 77)\n    return 1 / (x - 77);\n  return x;\n}\n");
    assert!(document["findings"].as_array().expect("findings").iter().any(|finding| finding["kind"] == "error"));
    assert!(document["list"].as_array().expect("branches").iter().all(|branch| branch.get("innocuous").is_none()));
}
