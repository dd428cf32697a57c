//! Properties and task definitions of SV-COMP and Test-Comp, and what counts as an error call.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const UNREACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void abort(void);\n";
/// The function's body never returns: competitions write it so.
const OWN: &str = "extern void __assert_fail(const char *, const char *, unsigned, const char *);\nvoid reach_error(void) { ((void) sizeof ((0) ? 1 : 0), __extension__ ({ if (0) ; else __assert_fail(\"0\", \"t.c\", 3, \"reach_error\"); })); }\n";

/// A folder of a test's own with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("properties").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the target folder is writable");
    for (file, text) in files {
        fs::write(path.join(file), text).expect("the target folder is writable");
    }
    path
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_culdesac")).arg("report").args(arguments).current_dir(folder).output().expect("the program runs")
}

fn document(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, &[arguments, &["--json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The verdict on `unreach-call` of a program, and what is said of its error calls.
fn verdicts(folder: &Path, program: &str) -> [Value; 2] {
    fs::write(folder.join("t.c"), program).expect("writable");
    let document = document(folder, &["t.c", "--property", "unreach.prp"]);
    [document["property"]["verdict"].clone(), document["error_call"].clone()]
}

#[test]
fn calls_of_the_error_function_are_the_property() {
    let folder = folder("verdicts", &[("unreach.prp", UNREACH)]);
    let declared = format!("{HEAD}extern void reach_error(void);\n");
    let own = format!("{HEAD}{OWN}");
    let body = |body: &str| format!("int main(void) {{\n  int x = __VERIFIER_nondet_int();\n  {body}\n  return 0;\n}}\n");
    for head in [&declared, &own] {
        let of = |text: &str| verdicts(&folder, &(head.clone() + &body(text)));
        assert_eq!(of("if (x > 5) x = 5; if (x > 5) reach_error();"), [json!("TRUE"), json!("unreachable")], "{head}");
        assert_eq!(of("if (x > 5) reach_error();"), [json!("FALSE(unreach-call)"), json!("reached")], "{head}");
        // A program that ends by `abort()` ends as it means to.
        assert_eq!(of("if (!(x > 5)) abort(); if (x <= 5) reach_error();"), [json!("TRUE"), json!("unreachable")], "{head}");
        assert_eq!(of("if (x > 5) abort();"), [json!("TRUE"), Value::Null], "{head}");
    }
    // The entry is the error itself.
    let at_once = format!("{declared}int main(void) {{ reach_error(); return 0; }}\n");
    assert_eq!(verdicts(&folder, &at_once), [json!("FALSE(unreach-call)"), json!("reached")]);
    // A failed assertion is an error, and no call of the error function.
    let asserts = format!("#include <assert.h>\n{declared}{}", body("assert(x > 5); if (x <= 5) reach_error();"));
    assert_eq!(verdicts(&folder, &asserts), [json!("TRUE"), json!("reached")]);
    // After a run with undefined behaviour nothing is excluded.
    let undefined = format!("{declared}{}", body("int t[2] = {0, 1}; if (x < 0 || x > 2) return 1; if (t[x] > 1) reach_error();"));
    assert_eq!(verdicts(&folder, &undefined)[0], "UNKNOWN");
    // Arithmetic without a defined value is a finding of its own.
    let overflows = format!("{declared}{}", body("int y = x + 1; if (x > 5) x = 5; if (x > 5) reach_error(); return y;"));
    assert_eq!(verdicts(&folder, &overflows)[0], "TRUE");
    // A macro has its decision and its error call at one position.
    let at_one_position =
        "extern void __VERIFIER_error(void) __attribute__((noreturn));\n#define assert(X) if (!(X)) { __VERIFIER_error(); }\n";
    for (condition, verdict) in [("x >= 5", "TRUE"), ("x > 5", "FALSE(unreach-call)")] {
        let program = format!("{HEAD}{at_one_position}{}", body(&format!("if (x < 5) return 1; assert({condition})")));
        assert_eq!(verdicts(&folder, &program)[0], verdict, "{condition}");
    }
    // A function that is left out may have an error call, and one without a body may call a function that it is given.
    let left_out = "#include <setjmp.h>\njmp_buf b;\nvoid bad(int x) { if (setjmp(b) == 0 && x == 7) reach_error(); }\n";
    let given = "void bad(int x) { if (x == 7) reach_error(); }\nvoid each(void (*call)(int));\n";
    for (head, call) in [(left_out, "bad(x);"), (given, "each(bad);")] {
        let program = format!("{declared}{head}{}", body(&format!("if (x > 5 && x < 5) reach_error(); {call}")));
        assert_eq!(verdicts(&folder, &program), [json!("UNKNOWN"), json!("unknown")], "{call}");
    }
    // Labels are errors of older competitions.
    fs::write(folder.join("label.prp"), "CHECK( init(main()), LTL(G ! label(ERROR)) )\n").expect("writable");
    for (condition, verdict) in [("x > 5 && x < 5", "TRUE"), ("x == 77", "FALSE(unreach-call)")] {
        fs::write(folder.join("t.c"), format!("{HEAD}{}", body(&format!("if ({condition}) goto ERROR; return 1; ERROR:"))))
            .expect("writable");
        assert_eq!(document(&folder, &["t.c", "--property", "label.prp"])["property"]["verdict"], verdict);
    }
    // A label before a statement without a step, before an endless loop, and in a function that is called twice.
    let check = "void check(int holds) { if (!holds) { ERROR: return; } }\n";
    for (text, verdict) in [
        ("if (x > 5 && x < 5) { ERROR: ; } return 1;", "TRUE"),
        ("if (x == 77) { ERROR: ; } return 1;", "FALSE(unreach-call)"),
        ("if (x == 77) { ERROR: goto ERROR; } return 1;", "FALSE(unreach-call)"),
        ("if (x == 78 && x == 77) { ERROR: goto ERROR; } return 1;", "TRUE"),
        ("if (x < 5) return 1; check(x > 3); check(x >= 5); return 1;", "TRUE"),
        ("if (x < 5) return 1; check(x > 3); check(x > 5); return 1;", "FALSE(unreach-call)"),
    ] {
        fs::write(folder.join("t.c"), format!("{HEAD}{check}{}", body(text))).expect("writable");
        assert_eq!(document(&folder, &["t.c", "--property", "label.prp"])["property"]["verdict"], verdict, "{text}");
        // The proofs are about the graph in which the label is a step.
        let arguments = ["t.c", "--property", "label.prp", "--evidence", "proofs.json"];
        run(&folder, &arguments);
        let checked = Command::new(env!("CARGO_BIN_EXE_culdesac")).args(["check", "proofs.json", "--json"]).current_dir(&folder).output();
        let checked: Value = serde_json::from_slice(&checked.expect("the program runs").stdout).expect("a document");
        assert_eq!(checked["rejected"], json!([]), "{text}");
    }
    // Calls of a function that returns leave no trace, so that nothing is proved.
    let returning = format!("{HEAD}void reach_error(void) {{}}\n{}", body("if (x > 5) reach_error();"));
    assert_eq!(verdicts(&folder, &returning), [json!("UNKNOWN"), Value::Null]);
    // Statics have their initial values when `main` starts.
    let statics = format!("{declared}static int mode;\nint main(void) {{\n  if (mode != 0) reach_error();\n  return 0;\n}}\n");
    assert_eq!(verdicts(&folder, &statics), [json!("TRUE"), json!("unreachable")]);
    let text = String::from_utf8(run(&folder, &["t.c", "--property", "unreach.prp"]).stdout).expect("UTF-8");
    assert!(text.ends_with("\nunreach-call: TRUE\n"), "{text}");
}

#[test]
fn other_properties_are_refused_with_the_possible_ones() {
    let folder = folder("refused", &[("t.c", "int main(void) { return 0; }\n"), ("o.prp", "CHECK( init(main()), LTL(G ! overflow) )\n")]);
    for property in ["o.prp", "none.prp", "t.c"] {
        let output = run(&folder, &["t.c", "--property", property]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{property}");
        assert!(told.contains("coverage-branches") || property == "none.prp", "{told}");
    }
}

#[test]
fn tasks_name_program_target_property_and_verdict() {
    let program = format!(
        "{HEAD}extern void reach_error(void);\nint main(void) {{\n  long x = __VERIFIER_nondet_int();\n  if (sizeof(long) == 8 && x == 3)\n    reach_error();\n  return 0;\n}}\n"
    );
    let task = |model: &str, expected: &str| {
        format!(
            "format_version: '2.0'\ninput_files: 't.c'\nproperties:\n  - property_file: p/overflow.prp\n    expected_verdict: true\n  - property_file: p/unreach.prp\n    expected_verdict: {expected}\n  - property_file: p/branches.prp\noptions:\n  language: C\n  data_model: {model}\n"
        )
    };
    let folder = folder(
        "tasks",
        &[
            ("t.c", &program),
            ("wide.yml", &task("LP64", "false")),
            ("narrow.yml", &task("ILP32", "false")),
            ("two.yml", "input_files: [a.c, b.c]\n"),
            ("other.yml", "input_files: [t.c]\nproperties: [{property_file: p/overflow.prp}]\n"),
            ("wrong.yml", "input_files: [\n"),
        ],
    );
    fs::create_dir(folder.join("p")).expect("writable");
    fs::write(folder.join("p/unreach.prp"), UNREACH).expect("writable");
    fs::write(folder.join("p/overflow.prp"), "CHECK( init(main()), LTL(G ! overflow) )\n").expect("writable");
    fs::write(folder.join("p/branches.prp"), "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n").expect("writable");
    let wide = document(&folder, &["wide.yml"]);
    assert_eq!((&wide["program"], &wide["property"]), (&json!("t.c"), &json!({"name": "unreach-call", "verdict": "FALSE(unreach-call)"})));
    assert_eq!(wide["task"], json!({"property_file": "p/unreach.prp", "expected": false, "correct": true}));
    // Of a target without such a `long` the expected verdict is wrong, as the row says.
    let narrow = run(&folder, &["wide.yml", "narrow.yml"]);
    let printed = String::from_utf8(narrow.stdout).expect("UTF-8");
    assert!(printed.contains("FALSE(unreach-call), as expected") && printed.contains("TRUE, not as expected"), "{printed}");
    let branches = document(&folder, &["wide.yml", "--property", "p/branches.prp"]);
    assert_eq!((&branches["property"]["verdict"], &branches["task"]["expected"]), (&json!("DONE"), &Value::Null));
    for (task, reason) in [
        ("two.yml", "2 input files"),
        ("other.yml", "no property that a report answers"),
        ("wrong.yml", "wrong.yml: "),
        ("none.yml", "cannot read"),
    ] {
        let output = run(&folder, &[task]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && told.contains(reason), "{task}: {told}");
    }
}
