//! Infeasible statements in reports, with statements that have no edge of their own in the graph.

use crate::common::asking::{about, ask};
use serde_json::json;

/// Line and text of each finding that a statement of a function never runs.
fn never_runs(source: &str, function: &str) -> Vec<(u64, String)> {
    let request = culdesac::view::Request { function: Some(function.to_owned()), ..about(source, None) };
    let answered = ask("report", &request, &json!({}), &mut |_| true).unwrap_or_else(|| panic!("refused:\n{source}"));
    let findings = answered.document["findings"].as_array().expect("a list").iter().filter(|one| one["kind"] == "never_runs");
    findings.map(|one| (one["line"].as_u64().expect("a line"), one["text"].as_str().expect("a text").to_owned())).collect()
}

fn expected(list: &[(u64, &str)]) -> Vec<(u64, String)> {
    list.iter().map(|&(line, text)| (line, text.to_owned())).collect()
}

#[test]
fn what_prints_jumps_and_returns_is_a_statement() {
    let source = "#include <stdio.h>\n#include <string.h>\nint f(int x) {\n  int n = 0;\n  if (x > 3) {\n    if (x < 2) {\n      printf(\"%d\\n\", x);\n      n = 1;\n      return -1;\n    }\n  }\n  while (n < 3) {\n    if (n > 5) break;\n    n++;\n  }\n  return n;\n}\n";
    assert_eq!(never_runs(source, "f"), expected(&[(7, "printf(\"%d\\n\", x)"), (8, "n = 1"), (9, "return -1"), (13, "break")]));
    // A side that leads to the same return as another does not make it dead.
    let same = "int f(int x) {\n  if (x > 3 && x < 2) x = 0;\n  return x;\n}\n";
    assert_eq!(never_runs(same, "f"), expected(&[(2, "x = 0")]));
    // Nor does one of two copies.
    let copies = "static int sign(int x) {\n  if (x < 0)\n    return -1;\n  return 1;\n}\nint f(int x) {\n  if (x > 0) return sign(x);\n  return 2 * sign(x);\n}\n";
    assert_eq!(never_runs(copies, "f"), []);
    let both = copies.replace("return 2 * sign(x)", "return x < 0 ? 0 : sign(x)");
    assert_eq!(never_runs(&both, "f"), expected(&[(3, "return -1")]));
}

/// A call whose result nothing reads executes the `return` of the function all the same.
#[test]
fn a_return_of_a_dropped_value_is_a_statement() {
    let put = "static int put(int *n, int cap) {\n  if (*n >= cap)\n    return -1;\n  (*n)++;\n  return 0;\n}\n";
    let twice = format!(
        "{put}int f(int cap) {{\n  int n = 3;\n  if (cap < 1 || cap > 2) return 0;\n  int r = put(&n, cap);\n  n = 0;\n  put(&n, cap);\n  return r;\n}}\n"
    );
    assert_eq!(never_runs(&twice, "f"), []);
    let once = twice.replace("n = 0;\n  put(&n, cap);", "n = 5;\n  put(&n, cap);");
    assert_eq!(never_runs(&once, "f"), expected(&[(4, "(*n)++"), (5, "return 0")]));
}

/// Cover has a verdict for each copy of a statement: one that only some copies have names the call.
#[test]
fn verdicts_on_a_copy_name_its_call() {
    let said = |source: &str| -> Vec<String> {
        let request = culdesac::view::Request { function: Some("f".to_owned()), ..about(source, None) };
        let document =
            ask("cover", &request, &json!({ "algorithm": "sc", "summaries": false }), &mut |_| true).expect("a program").document;
        let list = document["infeasible"].as_array().expect("a list").clone();
        let told = list.iter().map(|one| format!("{}: {} {}", one["line"], one["text"], one["copy"]).replace('"', ""));
        told.collect()
    };
    let sign = "static int sign(int x) {\n  if (x < 0)\n    return -1;\n  return x > 0;\n}\n";
    let one = said(&format!("{sign}int f(int a) {{\n  if (a > 5)\n    return sign(a);\n  return 2 * sign(a);\n}}\n"));
    assert_eq!(one[0], "2: x < 0 in the call of `sign` on line 8");
    let nested = said(&format!("{sign}int f(int a) {{\n  return sign(\n    sign(a) + 4);\n}}\n"));
    assert_eq!(nested[0], "2: x < 0 in the call of `sign` on line 7");
    let every = said(&format!("{sign}int f(int a) {{\n  if (a < 0) return 0;\n  return sign(a) + sign(a + 0);\n}}\n"));
    assert!(every.iter().all(|one| one.ends_with("null")), "{every:?}");
    let without = "static int v;\nstatic int small(void) { if (v < 0) return 1; return 0; }\nint f(int a) {\n  v = a;\n  if (small()) return 1;\n  return small() + 2;\n}\n";
    assert_eq!(said(without)[0], "2: v < 0 in one of the 2 copies of `small`");
}

/// Where no execution goes deeper than the copies, the call in the innermost one never goes on; the statement does.
#[test]
fn a_call_of_itself_runs_in_the_outer_copies() {
    let down = "void down(int n) { if (n <= 0) return;\n  down(n - 1);\n}\n";
    let f = |most: u32| format!("{down}int f(int a) {{ if (a > {most}) return -1;\n  down(a);\n return 0; }}");
    assert_eq!(never_runs(&f(3), "f"), Vec::new());
    assert_eq!(never_runs(&f(0), "f").into_iter().map(|(line, _)| line).collect::<Vec<_>>(), [2]);
}
