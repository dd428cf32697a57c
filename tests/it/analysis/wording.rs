//! Words of reports: values and inputs as a reader of C writes them.

use crate::common::asking::{about, ask};
use serde_json::{Value, json};

/// The report on a function, within so many steps.
fn report(source: &str, function: &str, limit: Option<u64>) -> Value {
    let request = culdesac::view::Request { function: Some(function.to_owned()), ..about(source, limit) };
    ask("report", &request, &json!({}), &mut |_| true).unwrap_or_else(|| panic!("refused:\n{source}")).document
}

fn has(document: &Value, text: &str) -> bool {
    serde_json::to_string(document).expect("a document").contains(text)
}

#[test]
fn values_of_numbers_are_numbers() {
    let sum = "int main(void) {\n  double sum = 0;\n  for (int i = 1; i <= 10; i++) sum += 1.0 / i;\n  if (sum > 2.92) return 1;\n  return 0;\n}\n";
    let document = report(sum, "main", None);
    assert!(has(&document, r#""name":"sum","values":[{"value":"2.9289682539682538""#), "{document}");
    let assigned =
        "int f(int x) {\n  double level = 0;\n  if (x > 3) level = 2.5;\n  else level = 1.5;\n  if (level > 3) return 1;\n  return 0;\n}\n";
    let document = report(assigned, "f", None);
    for value in ["1.5", "2.5"] {
        let reasons = [format!(r#""value":"{value}""#), format!(r#""text":"level = {value}""#)];
        assert!(reasons.iter().any(|reason| has(&document, reason)), "{document}");
    }
}

#[test]
fn a_pointer_to_a_function_that_may_be_null_is_not_assumed_to_be_there() {
    let document = report("int f(void (*each)(int), int x) {\n  if (each) each(x);\n  return x > 2;\n}\n", "f", None);
    assert_eq!(document["safety"]["non_null"], json!([]));
    let document = report("int f(void (*each)(int), int x) {\n  each(x);\n  return x > 2;\n}\n", "f", None);
    assert_eq!((&document["safety"]["non_null"], &document["safety"]["fails"]), (&json!([]), &json!(1)));
}

/// Characters that fill their array are no string: that would end with a zero.
#[test]
fn characters_without_an_end_are_a_list() {
    let source = "struct view { const char *at; };\nint f(const char *s, int n, struct view *to) {\n  to->at = s;\n  if (n == 2 && s[0] == 'a' && s[1] == 'b') return 1;\n  return 0;\n}\n";
    let document = report(source, "f", None);
    assert!(has(&document["tests"], r#""text":"{'a', 'b'}""#), "{}", document["tests"]);
}

#[test]
fn conversions_of_numbers_to_integers_are_told_as_such() {
    let document = report("int f(double x) {\n  int n = x;\n  if (n > 3) return 1;\n  return 0;\n}\n", "f", None);
    assert!(has(&document, "a conversion of a number beyond the integer type") && !has(&document, "overflow"), "{document}");
}

/// What a call gives is told as the call: the variable of the model is in no text.
#[test]
fn reasons_name_calls() {
    let source = "#include <stdlib.h>\nstruct s { int v; };\nint f(int n) {\n  struct s *q = malloc(sizeof *q);\n  if (!q) return -1;\n  q->v = n;\n  free(q);\n  return q->v > 2 ? 1 : 0;\n}\n";
    let document = report(source, "f", None);
    assert!(!has(&document, "malloc.result"), "{document}");
    assert!(has(&document, "freed memory, or memory that `malloc` never gave, is used or freed"), "{document}");
}

#[test]
fn a_report_without_verdicts_says_so() {
    let source = "int f(int x, int y) {\n  if (x * y == 7921 && x > 1 && y > 1) return 1;\n  return 0;\n}\n";
    let sentence = report(source, "f", Some(1))["sentence"].as_str().expect("a text").to_owned();
    assert!(!sentence.contains("0 of"), "{sentence}");
}

/// A character of the program stays as it is, and an array that a test reads is not any: its elements are 0.
#[test]
fn marks_are_told_apart_from_characters_and_read_arrays_are_said() {
    let source = "int f(const char *s, int n) {\n  int k = 0;\n  if (s[0] == '#') return 1;\n  if (s[k] == '#' && n > 3) return 2;\n  return 0;\n}\n";
    let document = report(source, "f", None);
    assert!(has(&document, "s[0] == '#'") && !has(&document, "''"), "{document}");
    let request = culdesac::view::Request { function: Some("f".to_owned()), ..about(source, None) };
    let branches = ask("branches", &request, &json!({}), &mut |_| true).expect("an answer").document;
    let tests = branches["tests"].as_array().expect("tests");
    assert!(tests.iter().all(|test| test["input"]["s"].is_object()), "{tests:?}");
}

/// Parameters and locals of the library, results of calls, numbers of objects and what arguments are kept in stand in no reason.
#[test]
fn reasons_have_no_names_of_the_model() {
    let source = "#include <stdarg.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nstatic const char *kind(int v) {\n  if (v > 3) return \"many\";\n  \
                  return \"none\";\n}\nstatic int most(int n, ...) {\n  va_list ap;\n  va_start(ap, n);\n  int m = va_arg(ap, int);\n  va_end(ap);\n  return m;\n}\n\
                  int main(void) {\n  int t = 0;\n  char name[4];\n  if (scanf(\"%3s %d\", name, &t) != 2) return 1;\n  if (strlen(name) > 3) return 2;\n  \
                  if (kind(t) == NULL) return 3;\n  if (strlen(kind(t)) > 4) return 4;\n  if (most(1, 7) < 0) return 5;\n  if (t > -9 && abs(t) < 0) return 6;\n  return 0;\n}\n";
    let document = report(source, "main", None);
    let reasons: Vec<&Value> =
        document["list"].as_array().expect("a list").iter().map(|branch| &branch["because"]).filter(|one| !one.is_null()).collect();
    assert!(reasons.len() > 4, "{document}");
    for name in [".result", "4294967296", "8589934592", ".next", "literal", "0 <= t"] {
        assert!(!reasons.iter().any(|reason| has(reason, name)), "{name}: {reasons:?}");
    }
}

/// A statement is excluded by the condition before it, which never holds: the statement is no condition.
#[test]
fn conditions_that_never_hold_are_named() {
    let document = report("int f(unsigned n) {\n  if (n < 0) return 1;\n  return 0;\n}\n", "f", None);
    let findings = document["findings"].as_array().expect("a list");
    let never = findings.iter().find(|one| one["kind"] == "never_runs").expect("a statement");
    assert_eq!((&never["because"]["itself"], &never["because"]["enclosing"][0]["text"]), (&json!(false), &json!("n < 0")));
}

/// Bounds of types are no facts, and numbers are numbers.
#[test]
fn facts_say_no_bounds_of_types() {
    let source = "#include <stdio.h>\nstruct st { int n; double avg[4]; };\nint main(void) {\n  struct st s = {0};\n  double x;\n  while (s.n < 4 && scanf(\"%lf\", &x) == 1) {\n    \
                  if (!(x >= 0 && x <= 60)) return 1;\n    s.avg[s.n++] = x;\n  }\n  for (int i = 0; i < s.n; i++) {\n    if (s.avg[i] > 66.5f) return 2;\n    \
                  if (s.avg[i] == 66.5f) return 3;\n  }\n  return 0;\n}\n";
    let document = report(source, "main", None);
    assert!(has(&document, r#""facts":[["s.avg[0], ..., s.avg[3] <= 60.0"]]"#), "{document}");
    for text in ["INFINITY", "NAN", "46336410666"] {
        assert!(!has(&document["list"], text), "{document}");
    }
}
