//! Floating-point numbers: verdicts, tests as gcc runs them, and runs beside gcc's.

use crate::common::asking::{about, ask};
use crate::differential::{Settings, check_texts, floats, random};
use crate::suites::{branches, compared, request, taken_though_infeasible};
use culdesac::analysis::branches::{BranchesSettings, BranchesVerdict};
use culdesac::load::load;
use culdesac::lts::text::label;
use serde_json::json;
use std::path::PathBuf;

/// The sides of a program that are infeasible, and those that are open, as `line: text`.
fn sides(source: &str) -> [Vec<String>; 2] {
    let answered = ask("branches", &about(source, Some(3_000_000)), &json!({}), &mut |_| true).expect("an answer");
    let list = answered.document["list"].as_array().expect("a list").clone();
    ["infeasible", "open"].map(|verdict| {
        let own = list.iter().filter(|side| side["verdict"] == verdict);
        own.map(|side| side["text"].as_str().unwrap_or_default().to_owned()).collect()
    })
}

fn check(source: &str, infeasible: &[&str]) {
    let [found, open] = sides(source);
    assert_eq!(found, infeasible, "{source}");
    assert_eq!(open, Vec::<String>::new(), "{source}");
}

#[test]
fn comparisons_with_constants_are_decided() {
    check("int classify(double x) { if (x < 0) return -1; if (x > 100.0) return 2; if (x > 100.5) return 3; return 0; }", &["x > 100.5"]);
    check(
        "int grade(double score) { if (score < 0.0 || score > 100.0) return -1; if (score >= 90.0) return 4; if (score >= 95.0) return 5; \
         if (score != score) return 6; return 0; }",
        &["score >= 95.0"],
    );
    check(
        "int f(float x) { if (x > 0.1f) if (x <= 0.1) return 1; if (x == 0.1) return 2; if (x == 0.5) return 3; return 0; }",
        &["x <= 0.1", "x == 0.1"],
    );
    check("int f(double x) { if (x) if (x == 0) return 1; if (-x > 5) if (x >= -5.0) return 2; return 0; }", &["x == 0", "x >= -5.0"]);
}

/// The sign of a square is known, but not that it is a number.
#[test]
fn squares_are_not_below_zero() {
    check(
        "int f(double x, float y) { if (x * x < -1) return 1; if (y * y < 0) return 2; if (x * x + 1 < 0) return 3; \
         if (x * x + x * x * 2 < -0.5) return 4; if (!(x * x >= 0)) return 5; if (x * y < 0) return 6; return 0; }",
        &["x * x < -1", "y * y < 0", "x * x + 1 < 0", "x * x + x * x * 2 < -0.5"],
    );
}

#[test]
fn numbers_are_compared_wherever_they_are_kept() {
    check(
        "struct reading { double value; int valid; }; int f(struct reading r, double limit) { if (!r.valid) return 0; \
         if (r.value > limit) { if (limit > r.value) return 9; return 1; } if (r.value == limit) return 2; return 3; }",
        &["limit > r.value"],
    );
    check(
        "static const double t[3] = {1, 2.5, 10}; int f(double x) { int i = 0; while (i < 3 && x >= t[i]) i++; \
         if (i == 3 && x < 10.0) return 99; return i; }",
        &["x < 10.0"],
    );
    check(
        "double max(double a, double b) { return a > b ? a : b; } int f(double a, double b) { double m = max(a, b); if (m < a) return 1; \
         if (m != m) return 2; return 0; }",
        &["m < a"],
    );
    check("float g; int f(float *p) { g = *p; if (g < 1) if (*p > 2) return 1; return 0; }", &["*p > 2"]);
}

#[test]
fn integers_are_compared_as_numbers() {
    check("int f(int i) { if (i > 2.5) { if (i < 3) return 1; if (i == 3.5) return 2; } return 0; }", &["i < 3", "i == 3.5"]);
    check("int f(int i, int j) { if ((double)i < j && i >= j) return 1; return 0; }", &["i >= j"]);
    // 2^53 + 1 is no `double`.
    check(
        "int f(long l) { if (l == 9007199254740993.0 && l == 9007199254740991) return 1; if (l == 9007199254740993 && l != 9007199254740992.0) return 2; return 0; }",
        &["l == 9007199254740991", "l != 9007199254740992.0"],
    );
}

#[test]
fn arithmetic_is_computed_by_runs() {
    // Nothing is claimed of what is only computed, but for the tests that runs confirm.
    let [infeasible, _] = sides("int f(double x) { double y = x * 2 + 1; if (y > 10) return 1; if (y > 11) return 2; return 0; }");
    assert_eq!(infeasible, ["y > 11"]);
    check("int f(double x) { double y = x + 0.0; if (y > 10) if (x < 10) return 1; return 0; }", &["x < 10"]);
    check("int f(void) { double y = 0.1 + 0.2; if (y == 0.3) return 1; return 0; }", &["y == 0.3"]);
}

#[test]
fn what_c_refuses_is_refused() {
    for body in
        ["return x % 2;", "return x << 1;", "return a[x];", "switch (x) { case 1: return 1; }", "return ~x;", "x &= 1;", "return *(a + x);"]
    {
        let source = format!("int f(int a[3], double x) {{ {body} return 0; }}");
        let parsed = culdesac::lang::parse(&source);
        assert!(parsed.diagnostics.iter().any(|diagnostic| diagnostic.code == "float-as-integer"), "{source}: {:?}", parsed.diagnostics);
    }
}

/// Programs with numbers made from integers, run by the interpreter and by gcc.
#[test]
fn random_programs_run_as_gcc_runs_them() {
    let texts: Vec<(PathBuf, String)> =
        random::numbers(16).map(|number| (PathBuf::from(format!("floats-{number}.c")), floats::program(number, true))).collect();
    let reports = check_texts(&texts, None, Settings { runs: 40, steps: 5_000, symbolic: 10, unseen: true });
    for report in &reports {
        let text = &texts.iter().find(|(path, _)| path.as_os_str() == report.name.as_str()).expect("its text").1;
        assert!(report.refused.is_none(), "{:?}\n{text}", report.refused);
        assert!(report.differences.is_empty(), "{}\n{text}", report.differences.join("\n"));
    }
}

/// Programs whose parameters are numbers: no random run takes a side called infeasible, and gcc's programs take the sides that tests say.
#[test]
fn tests_of_random_programs_run_as_gcc_runs_them() {
    let mut counts = [0; 3];
    for number in random::numbers(8) {
        let source = floats::program(number, false);
        let request = request(&format!("numbers-{number}.c"), &source, Some(200_000));
        let document = branches(&request, BranchesSettings::default()).unwrap_or_else(|| panic!("refused:\n{source}"));
        for side in &document.list {
            counts[match side.verdict {
                BranchesVerdict::Covered => 0,
                BranchesVerdict::Infeasible => 1,
                BranchesVerdict::Open => 2,
            }] += 1;
        }
        assert_eq!(taken_though_infeasible(&request, &document, 400), Vec::<String>::new(), "{source}");
        assert_eq!(compared(&request, &document).differences, Vec::<String>::new(), "{source}");
    }
    println!("covered, infeasible, open: {counts:?}");
}

/// C says of a predicate's value no more than whether it is 0: gcc's `isinf` gives −1 for negative infinity.
#[test]
fn predicates_give_any_value_but_zero() {
    let source = "#include <math.h>\nint f(double x) { if (isinf(x) < 0) return 1; if (isnan(x) == 0 && x != x) return 2; return 0; }";
    let [infeasible, _] = sides(source);
    assert_eq!(infeasible, ["x != x"]);
    check("#include <math.h>\nint f(double x) { if (isinf(x)) return 1; if (isfinite(x) && isnan(x)) return 2; return 0; }", &["isnan(x)"]);
}

/// Of a number and one that is none no comparison but `!=` holds, and so no other one stands for the negation.
#[test]
fn labels_of_negations_say_so() {
    let source = "int f(double x) { if (x <= 0) return 1; if (x == 2.5) return 2; return 0; }";
    let loaded = load(&about(source, None)).unwrap_or_else(|errors| panic!("{errors:?}"));
    let labels: Vec<String> = loaded.lts.graph.edge_weights().map(|edge| label(&loaded.lts, edge)).collect();
    for text in ["x <= 0.0", "!(x <= 0.0)", "x == 2.5", "x != 2.5"] {
        assert!(labels.contains(&text.to_owned()), "{text} in {labels:?}");
    }
}

/// Usual inputs of what a program computes are found, and the tests replay.
#[test]
fn computed_conditions_are_tested() {
    for source in [
        "int f(double x) { double y = x * 2 + 1; if (y > 5) return 1; if (y < -3) return 2; return 0; }",
        "int f(int total, int count) { if (count <= 0) return -1; float mean = (float)total / count; if (mean >= 2.5f) return 1; return 0; }",
        "int f(double c) { int k = (int)c; if (k == 3) return 1; return 0; }",
        "#include <math.h>\nint f(double x) { if (x >= 0 && sqrt(x) > 2) return 1; return 0; }",
        // Few inputs are near enough for a random one.
        "int f(double w, double h) { double r = w / (h * h); if (r < 18.5) return 1; if (r < 25) return 2; return 3; }",
        "int f(double x, int n) { if (x / 7 + n > 104.2 && x / 7 + n < 104.3) return 1; if (3 * x + n > 10.5 && 3 * x + n < 10.51) return 2; return 0; }",
    ] {
        check(source, &[]);
        let settings = json!({ "algorithm": "prefer" });
        let answered = ask("cover", &about(source, Some(3_000_000)), &settings, &mut |_| true).expect("an answer").document;
        assert_eq!(answered["covered"], answered["statements"], "{source}");
    }
}
