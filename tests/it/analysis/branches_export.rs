//! Exported suites: a compiler runs them, and its coverage is ours.

use crate::common::cases::cases;
use crate::differential::{corpus, programs};
use crate::suites::{branches, compared, exported, request, taken_though_infeasible};
use culdesac::analysis::branches::BranchesSettings;
use culdesac::export::{ExportTest, Suite, TestsFormat, export};
use culdesac::view::{Input, Request};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Steps for each program: what is open then is taken by no test, and that has to agree, too.
const LIMIT: u64 = 200_000;

fn asked(file: &Path) -> Request {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    request(&name, &std::fs::read_to_string(file).expect("a program"), Some(LIMIT))
}

/// Random inputs for each program in the daily run.
const RUNS: u32 = 1_000;

fn has_gcov() -> bool {
    let is_there = Command::new("gcov").arg("--version").output().is_ok();
    if !is_there {
        println!("skipped: there is no gcov");
    }
    is_there
}

/// What is said of these programs, worked out once for both: gcov counts what we count, in those that are `chosen` for it, and no random
/// run takes an infeasible branch.
fn agree(files: &[PathBuf], chosen: impl Fn(&Path) -> bool) {
    let has_gcov = has_gcov();
    let runs = cases(RUNS) as usize;
    let (mut same, mut other, mut left_out, mut differences, mut taken) = (0, 0, 0, Vec::new(), Vec::new());
    for file in files {
        let request = asked(file);
        let Some(document) = branches(&request, BranchesSettings::default()) else { continue };
        taken.extend(taken_though_infeasible(&request, &document, runs));
        if has_gcov && chosen(file) {
            let found = compared(&request, &document);
            (same, other) = (same + found.same, other + found.other.len());
            left_out += found.left_out;
            differences.extend(found.differences);
        }
    }
    println!("{same} lines compared, {other} not; {left_out} tests left out");
    assert_eq!(differences, Vec::<String>::new());
    assert!(!has_gcov || same > 3 * other, "{same} lines compared, {other} not");
    assert_eq!(taken, Vec::<String>::new());
}

#[test]
fn gcov_and_random_runs_agree_in_the_examples() {
    agree(&programs(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/examples"))), |_| true);
}

/// The texts come out of a pipe, and the C library reads them; Test-Comp has no form for them.
#[test]
fn gcov_counts_what_we_count_of_texts() {
    if !has_gcov() {
        return;
    }
    let programs = [
        "#include <stdio.h>\nint main(void) {\n  int m;\n  if (scanf(\"%d\", &m) != 1)\n    return 1;\n  if (m == 7)\n    return 2;\n  return 0;\n}\n",
        "#include <stdio.h>\nint main(void) {\n  int x, s = 0;\n  while (scanf(\"%d\", &x) == 1)\n    s += x & 7;\n  if (s == 9)\n    return 2;\n  return getchar() == 'q';\n}\n",
        "#include <stdio.h>\nint main(void) {\n  char w[8];\n  int c;\n  if (scanf(\"%7s\", w) == 1 && w[0] == 'a')\n    return 1;\n  while ((c = getchar()) != EOF)\n    if (c == '\\\"')\n      return 2;\n  return 0;\n}\n",
    ];
    for source in programs {
        let request = request("stdin.c", source, Some(LIMIT));
        let document = branches(&request, BranchesSettings::default()).expect("it is accepted");
        assert_eq!(document.branches.covered, document.branches.total, "{source}");
        let found = compared(&request, &document);
        assert_eq!((found.differences, found.left_out), (Vec::new(), 0), "{source}");
        let suite = exported(&request, &document, TestsFormat::Testcomp);
        let left_out = suite.notes.iter().filter(|note| note.contains("for which Test-Comp has no form")).count();
        assert_eq!(left_out, document.tests.len(), "{:?}", suite.notes);
        let coverage = suite.files.iter().find(|file| file.name == "coverage.info").expect("a file");
        assert!(coverage.text.contains("FNDA:0,main"), "{}", coverage.text);
    }
}

/// An element of a volatile array at an index that is computed is read as the text has it.
#[test]
fn reads_of_volatile_elements_are_in_tests() {
    let source = "static volatile unsigned char storage[4];\nstatic unsigned char tail;\nint f(void) {\n  unsigned char c = storage[tail & 3];\n  \
                  tail++;\n  if (c > 5) return 1;\n  return c;\n}\n";
    let request = request("volatile_element.c", source, Some(LIMIT));
    let document = branches(&request, BranchesSettings::default()).expect("it is accepted");
    let suite = exported(&request, &document, TestsFormat::C);
    assert_eq!((suite.notes, suite.tests), (Vec::<String>::new(), (2, 2)));
    runs_as_its_head_says(&request);
}

/// A function with variable arguments, which calls pass in an array.
const VARIADIC: &str = "#include <stdarg.h>\nstatic int sum(int n, ...) {\n  va_list ap;\n  int s = 0;\n  va_start(ap, n);\n  for (int i = 0; i < n; i++) s += va_arg(ap, int);\n  va_end(ap);\n  return s;\n}\nint f(int a, int b) {\n  if (a < 0)\n    return 1;\n  if (b == 3)\n    a = sum(2, a & 7, 1);\n  while (b > 8 && b < 11) {\n    a = sum(1, b) + sum(2, a & 3, 2);\n    b++;\n  }\n  return a == 5;\n}\n";

/// The array of variable arguments gets its values at the call: a test that does not call the function has no line of the call.
#[test]
fn variable_arguments_are_passed_at_the_call() {
    let request = request("variadic.c", VARIADIC, Some(LIMIT));
    let document = branches(&request, BranchesSettings::default()).expect("it is accepted");
    let is_call = |line: &u32| [14, 16].contains(line);
    let without_calls = document.tests.iter().filter(|test| test.lines == [11]);
    assert_eq!((without_calls.count(), document.tests.iter().any(|test| test.lines.iter().any(is_call))), (1, true));
}

/// What is not a number has a sign that C leaves open: a machine may print `-nan`.
#[test]
fn outputs_of_what_is_not_a_number_are_not_compared() {
    let source = "#include <stdio.h>\nint main(void) {\n  double a, b;\n  if (scanf(\"%lf %lf\", &a, &b) != 2) return 1;\n  double x = a * b;\n  printf(\"%g\\n\", x);\n  if (x != x) return 2;\n  return 0;\n}\n";
    let request = request("product.c", source, Some(LIMIT));
    let document = branches(&request, BranchesSettings::default()).expect("it is accepted");
    assert_eq!(document.branches.covered, 4);
    let suite = exported(&request, &document, TestsFormat::C);
    let text = &suite.files.iter().find(|file| file.name == "suite.c").expect("a file").text;
    assert!(!text.contains("nan\\n") && text.contains("line 7 true; its output is not compared"), "{text}");
    // The others are, that of no text and that of a product.
    assert_eq!(text.matches(".output = STRING(").count(), 2, "{text}");
    runs_as_its_head_says(&request);
}

/// Lines are executed as often as compilers' tools count: those of decisions, of labels with a statement, of returns, of several copies, of
/// variable arguments and compound literals, and of structures that are copied.
#[test]
fn gcov_counts_our_lines() {
    if !has_gcov() {
        return;
    }
    let programs = [
        ("decision", "int f(int x)\n{\n  int r = 0;\n  if (x > 3)\n    r = 1;\n  return r;\n}\n"),
        ("labels", "int f(int x)\n{\n  switch (x & 1) {\n  case 0: return 10;\n  case 2: return 20;\n  default: return 30;\n  }\n}\n"),
        (
            "dropped",
            "static int put(int *n, int cap)\n{\n  if (*n >= cap)\n    return -1;\n  (*n)++;\n  return 0;\n}\nint f(int cap)\n{\n  int n = 3;\n  put(&n, cap);\n  n = 0;\n  put(&n, cap);\n  return n;\n}\n",
        ),
        (
            "scanned",
            "#include <stdio.h>\nint main(void)\n{\n  int a = 0, b = 0;\n  scanf(\"%d,%d\", &a, &b);\n  if (a > b)\n    puts(\"a\");\n  return 0;\n}\n",
        ),
        ("variadic", VARIADIC),
        (
            "literals",
            "static int add(const int *a, int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++)\n    s += a[i];\n  return s;\n}\nint f(int a, int b) {\n  if (a < 0)\n    return 1;\n  a &= 15;\n  if (b == 3)\n    a = add((int[]){1, a, 3}, 3);\n  for (int i = 0; i < 2; i++)\n    a += add((int[3]){i, 2}, 3);\n  return a == 5;\n}\n",
        ),
        (
            "objects",
            "struct pair { int x, y, t[2]; };\nstatic struct pair all[3];\nstatic void set(int *p) {\n  *p = 1;\n}\nstatic void fill(struct pair *q, int n) {\n  q->x = n;\n  q->t[0] = n;\n}\nint f(int a, int b) {\n  int x = 0, y = 0;\n  set(&x);\n  set(&y);\n  struct pair one = {1, 2, {3, 4}};\n  if (a == 1)\n    all[1] = one;\n  fill(&one, b);\n  fill(&all[2], b);\n  return one.x == all[1].t[0] + x + y;\n}\n",
        ),
    ];
    for (name, source) in programs {
        let request = request(&format!("{name}.c"), source, Some(LIMIT));
        let document = branches(&request, BranchesSettings::default()).expect("it is accepted");
        let found = compared(&request, &document);
        assert_eq!((found.differences, found.left_out), (Vec::new(), 0), "{source}");
        assert!(found.lines >= 3 && found.other_counts.is_empty(), "{source}\n{:?}", found.other_counts);
    }
}

/// A pointer that the function leaves in an object of a caller leads to the element that it moved to.
#[test]
fn pointers_left_in_objects_keep_their_element() {
    let source = include_str!("../suites/programs/moving_view.c");
    let request = request("view.c", source, Some(LIMIT));
    let document = branches(&request, BranchesSettings::default()).expect("it is accepted");
    assert_eq!((document.branches.covered, document.branches.open), (10, 0));
    let suite = exported(&request, &document, TestsFormat::C);
    let text = suite.files.iter().find(|file| file.name == "suite.c").map(|file| file.text.as_str()).unwrap_or_default();
    assert!(text.contains("EXPECT(to.bytes == bytes1 + 2);"), "{text}");
}

/// Functions of the program are passed as they are; functions without a body leave lists alone.
#[test]
fn gcov_counts_what_we_count_of_lists() {
    if !has_gcov() {
        return;
    }
    let each = include_str!("../suites/programs/function_pointer_each.c");
    let report = include_str!("../suites/programs/list_report.c");
    for (source, function, is_passed) in [(each, "each", true), (report, "run_all", false)] {
        let request = Request { function: Some(function.to_owned()), ..request("list.c", source, Some(LIMIT)) };
        let document = branches(&request, BranchesSettings::default()).expect("it is accepted");
        assert_eq!(document.branches.open, 0, "{source}");
        assert_eq!(compared(&request, &document).differences, Vec::<String>::new(), "{source}");
        let suite = exported(&request, &document, TestsFormat::C);
        let calls = suite.files.iter().find(|file| file.name == "suite.c").map(|file| file.text.contains(", count_large, &context)"));
        assert_eq!(calls, Some(is_passed), "{:?}", suite.notes);
    }
}

/// Strings of a command line, locals without initialiser, `exit`, failing assertions, endless loops.
#[test]
fn gcov_and_random_runs_agree_in_the_corpus() {
    let Some(folder) = corpus() else {
        println!("skipped: CULDESAC_CORPUS is not set");
        return;
    };
    // All of them: `CULDESAC_DIFFERENTIAL_PROGRAMS`, as in the nightly run.
    let daily = ["kbfiltr_simpl1", "pex_DOIF", "middleNumber"];
    let others = ["siemens__tcas", "floppy", "s3_srvr_1a", "pc_sfifo", "crest_"];
    let is_nightly = std::env::var_os("CULDESAC_DIFFERENTIAL_PROGRAMS").is_some();
    let chosen: Vec<&str> = daily.into_iter().chain(others.into_iter().filter(|_| is_nightly)).collect();
    agree(&programs(&folder), |file| chosen.iter().any(|part| file.to_string_lossy().contains(part)));
}

const SMALL: &str = "int g, table[3];
int nondet(void);
int f(int x, char *s) {
    if (x > 2) { if (x < 1) return 7; if (s[1] == 'q') return g; }
    if (table[1] == 5) return nondet() > 3;
    return 0; }";

#[test]
fn a_suite_of_test_comp_has_the_values_in_their_order() {
    let request = request("small.c", SMALL, Some(LIMIT));
    let document = branches(&request, BranchesSettings::default()).expect("a program");
    let exported = exported(&request, &document, TestsFormat::Testcomp);
    let text = |name: &str| &exported.files.iter().find(|file| file.name == name).expect("a file").text;
    assert!(text("metadata.xml").contains("<programfile>tested.c</programfile>"));
    assert!(text("tested.c").contains(SMALL) && text("culdesac-main.h").contains("x = __VERIFIER_nondet_int();"));
    // One value for each scalar that some test sets, and one for each result of a stub.
    let values = |name: &str| text(name).matches("<input ").count();
    assert!((1..=document.tests.len()).all(|number| values(&format!("test-{number}.xml")) >= 3));
    // No execution takes `x < 1` after `x > 2`: it leaves the denominator where a record can say so.
    let line = |name: &str, start: &str| text(name).lines().find(|line| line.starts_with(start)).map(str::to_owned);
    assert!(text("coverage-2.info").contains("BRDA:4,U") && !text("coverage.info").contains(",U"));
    let branches = document.branches;
    assert_eq!(line("coverage.info", "BRF:"), Some(format!("BRF:{}", branches.total)));
    assert_eq!(line("coverage-2.info", "BRF:"), Some(format!("BRF:{}", branches.total - branches.infeasible)));
    assert_eq!(line("coverage-2.info", "BRH:"), Some(format!("BRH:{}", branches.covered)));
}

/// Exports the suite, runs the command that its head says, and the tests; gives the suite's text.
fn runs_as_its_head_says(request: &Request) -> String {
    let document = branches(request, BranchesSettings::default()).expect("a program");
    let suite = exported(request, &document, TestsFormat::C);
    assert_eq!((&suite.notes, suite.tests), (&Vec::new(), (document.tests.len(), document.tests.len())), "{}", request.source);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("commands").join(&request.program);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    for file in &suite.files {
        std::fs::write(folder.join(&file.name), &file.text).expect("a file");
    }
    let text = suite.files.into_iter().find(|file| file.name == "suite.c").expect("a suite").text;
    let command = text.lines().find_map(|line| line.strip_prefix(" *   ")).expect("a command");
    if has_gcov() {
        let output = Command::new("sh").args(["-c", command]).current_dir(&folder).output().expect("it starts");
        assert!(output.status.success(), "{command}: {}{text}", String::from_utf8_lossy(&output.stderr));
    }
    text
}

#[test]
fn the_command_of_a_suite_names_the_library_of_mathematics_where_the_program_needs_it() {
    let body = "int f(double x) { if (sqrt(x) > 2) return 1; return 0; }";
    for head in ["#include <math.h>\n", "double sqrt(double x);\n"] {
        let request = request("root.c", &format!("{head}{body}"), Some(LIMIT));
        assert!(runs_as_its_head_says(&request).contains("-o suite suite.c -lm && ./suite"));
        let document = branches(&request, BranchesSettings::default()).expect("a program");
        for (format, command) in [(TestsFormat::Unity, "unity.c -lm && ./suite"), (TestsFormat::Cmocka, "-lcmocka -lm && ./suite")] {
            let suite = exported(&request, &document, format);
            assert!(suite.files.iter().any(|file| file.text.contains(command)), "{format:?}");
        }
    }
    let request = request("small.c", "int f(int x) { return x > 2 ? 1 : 0; }", Some(LIMIT));
    assert!(!runs_as_its_head_says(&request).contains("-lm"));
}

#[test]
fn a_main_that_is_left_out_is_renamed() {
    let source = "#include <setjmp.h>\nstatic jmp_buf start;\nint half(int n) { if (n % 2) return -1; return n / 2; }\nint main(void) { if (setjmp(start)) return 1; return half(4); }\n";
    let request = request("jumps.c", source, Some(LIMIT));
    assert!(runs_as_its_head_says(&request).contains("#define CULDESAC_RENAMES_MAIN"));
    let document = branches(&request, BranchesSettings::default()).expect("a program");
    let suite = exported(&request, &document, TestsFormat::Testcomp);
    let tested = suite.files.iter().find(|file| file.name == "tested.c").expect("the program");
    assert!(tested.text.contains("#define main program_main"), "{}", tested.text);
}

/// What calls of the library do to `errno`, and which value they give of those that C allows, is in no test; a test that needs it is left out.
#[test]
fn what_the_library_leaves_open_is_in_no_test() {
    let source = "#include <ctype.h>\n#include <errno.h>\n#include <stdio.h>\nint main(void) {\n  int c = getchar();\n  if (c == EOF) return 1;\n  errno = 0;\n  if (isdigit(c)) errno = ERANGE;\n  if (errno == ERANGE) { puts(\"range\"); return 2; }\n  return 0;\n}\n";
    runs_as_its_head_says(&request("errors.c", source, Some(LIMIT)));
    let classes = "#include <ctype.h>\nint f(int c) { int k = isalpha((unsigned char)c); if (k != 0) return 1; return k > 3; }\n";
    runs_as_its_head_says(&request("classes.c", classes, Some(LIMIT)));
    let head = "#include <ctype.h>\n#include <errno.h>\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\n";
    for (body, why) in [
        ("int f(int c) { int k = isdigit((unsigned char)c); if (k == 3) return 1; return 0; }", "it depends on the result of `isdigit`"),
        ("int f(const char *s) { int k = strcmp(s, \"m\"); if (k < -5) return 1; return 0; }", "it depends on the result of `strcmp`"),
        ("int f(int c) { errno = 0; puts(\"\"); if (errno == 25) return 1; return 0; }", "`puts` has to set `errno`"),
        ("int f(double x) { errno = 0; x = sqrt(x); if (errno) return 1; return x > 2; }", "it depends on what `sqrt` does to `errno`"),
    ] {
        let request = request("open.c", &format!("{head}{body}\n"), Some(LIMIT));
        let document = branches(&request, BranchesSettings::default()).expect("a program");
        let suite = exported(&request, &document, TestsFormat::C);
        assert!(suite.notes.iter().any(|note| note.contains(why)), "{body}: {:?}", suite.notes);
        assert_eq!(suite.tests.0 + suite.notes.len(), suite.tests.1, "{body}: {:?}", suite.notes);
    }
}

/// The time and random numbers are what a test says.
#[test]
fn a_test_says_the_time() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\nstruct span { int time; };\nint main(void) {\n  srand((unsigned)time(NULL));\n  struct span last = {3};\n  int secret = rand() % 10 + 1, guess;\n  if (scanf(\"%d\", &guess) != 1) return 1;\n  if (guess < secret) puts(\"low\");\n  else if (guess > secret) puts(\"high\");\n  if (time(0) == 77) return last.time;\n  return 0;\n}\n";
    runs_as_its_head_says(&request("guess.c", source, Some(LIMIT)));
    let clock = "#include <time.h>\nint f(void) { if (clock() == 5 && time(NULL) > 7) return 1; return 0; }\n";
    runs_as_its_head_says(&request("clock.c", clock, Some(LIMIT)));
}

#[test]
fn exported_inputs_are_read_again() {
    let request = request("small.c", SMALL, Some(LIMIT));
    let document = branches(&request, BranchesSettings::default()).expect("a program");
    let exported = exported(&request, &document, TestsFormat::Json);
    let tests: Vec<Input> = serde_json::from_str(&exported.files[0].text).expect("inputs");
    // What people read of an input is in answers alone.
    let values = |input: &Input| Input { written_as: Vec::new(), ..input.clone() };
    assert_eq!(tests.iter().map(values).collect::<Vec<_>>(), document.tests.iter().map(|test| values(&test.input)).collect::<Vec<_>>());
    let with = |json: &str| ExportTest { input: serde_json::from_str(json).expect("an input"), ..ExportTest::default() };
    let suite = |tests: &[ExportTest]| export(&Suite { request: &request, tests, infeasible: &[] }, TestsFormat::C);
    assert!(suite(&[with("{}")]).is_ok());
    assert!(suite(&[with(r#"{"nothing": 3}"#)]).is_err_and(|error| error.contains("nothing")));
}

/// What no test in C can give is left out with its reason, and counts nowhere.
#[test]
fn what_is_left_out_counts_nowhere() {
    let source = "int keep(int *p); char other(void);
int f(int x) { int own = 0; keep(&own); if (x > 3 && other() == 2) return 1; other(); if (own > 5) return 2; return 0; }
int g(int x) { int a[3] = {0}, v = 0; if (x > 5) { v = a[x]; v++; } return v; }";
    let of = |function: &str| {
        let request = Request { function: Some(function.into()), ..request("other.c", source, Some(LIMIT)) };
        let document = branches(&request, BranchesSettings::default()).expect("a program");
        (exported(&request, &document, TestsFormat::C), document)
    };
    let (suite, document) = of("g");
    assert!(suite.notes.iter().any(|note| note.contains("index 6 is outside of `a`")), "{:?}", suite.notes);
    assert_eq!((document.branches.covered, suite.sides, suite.tests), (2, (1, 2), (1, 2)));
    let text = |name: &str| &suite.files.iter().find(|file| file.name == name).expect("a file").text;
    assert!(text("coverage.info").contains("BRH:1\n") && text("suite.c").contains("Test 2 is left out"));
    let (suite, _) = of("f");
    assert!(suite.notes.iter().all(|note| note.contains("`other` has to change `own`, which the call does not get")), "{:?}", suite.notes);
}
