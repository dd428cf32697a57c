//! `justify`: coverage of others' tests, its gaps closed by tests and proofs, kept and compared with the next version.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A dead branch, a branch without a test, a static function of which one branch no caller takes, and an assertion.
const PROGRAM: &str = "#include <assert.h>
static int limit(int x) {
  if (x > 9) return 9;
  return x;
}
int f(int a, int b) {
  int r = 0;
  if (a > 3 && b > 2) r = 1;
  if (r == 2) r = 5;
  assert(r < 2);
  return r + limit(4);
}
int g(int n) {
  switch (n) {
    case 1: return 2;
    case 2: return 3;
  }
  return limit(n > 5 ? 5 : n);
}
";

/// What gcc 12 counts for the calls `f(1, 1)`, `f(4, 1)` and `g(1)`.
const COVERAGE: &str = "TN:
SF:/somewhere/src/limits.c
FN:2,limit
FN:6,f
FN:13,g
BRDA:3,0,0,0
BRDA:3,0,1,2
BRDA:8,0,0,1
BRDA:8,0,1,1
BRDA:8,0,2,0
BRDA:8,0,3,1
BRDA:9,0,0,0
BRDA:9,0,1,2
BRDA:10,0,0,0
BRDA:10,0,1,2
BRDA:14,0,0,1
BRDA:14,0,1,0
BRDA:14,0,2,0
BRDA:18,0,0,-
BRDA:18,0,1,-
BRF:15
BRH:6
DA:2,2
DA:3,2
DA:4,2
DA:6,2
DA:7,2
DA:8,2
DA:9,2
DA:10,2
DA:11,2
DA:13,1
DA:14,1
DA:15,1
DA:16,0
DA:18,0
DA:19,1
end_of_record
";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("justify").join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the target folder is writable");
        let folder = Folder(path);
        folder.write("limits.c", PROGRAM);
        folder.write("tests.info", COVERAGE);
        folder
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_culdesac")).args(arguments).current_dir(&self.0).output().expect("the program starts")
    }

    fn document(&self, arguments: &[&str]) -> (Value, i32) {
        let arguments: Vec<&str> = ["justify"].into_iter().chain(arguments.iter().copied()).chain(["--json"]).collect();
        let output = self.run(&arguments);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr)));
        (value, output.status.code().expect("a status"))
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(&["justify"].into_iter().chain(arguments.iter().copied()).collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(output.stdout.is_empty());
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

fn verdicts(document: &Value) -> Vec<String> {
    let branches = document["branches"].as_array().expect("branches");
    let of = |branch: &Value| {
        format!("{} {} {}", branch["line"], branch["text"].as_str().expect("a text"), branch["verdict"].as_str().expect("a verdict"))
    };
    branches.iter().map(of).collect()
}

/// Every branch that the coverage has not is tested, justified with accepted claims, or open; assertions are no branches.
#[test]
fn gaps_are_closed_by_tests_and_proofs() {
    let folder = Folder::new("gaps");
    let outputs =
        ["--out", "out.info", "--legacy-out", "old.info", "--html", "page.html", "--markdown", "page.md", "--justifications", "j.json"];
    let (document, status) = folder.document(&["limits.c", "tests.info"].into_iter().chain(outputs).collect::<Vec<_>>());
    assert_eq!(status, 0);
    let expected = [
        "3 x > 9 justified",
        "8 b > 2 tested",
        "9 r == 2 justified",
        "15 !(n == 1) tested",
        "16 n == 2 tested",
        "16 !(n == 2) tested",
        "18 n > 5 tested",
        "18 !(n > 5) tested",
    ];
    assert_eq!(verdicts(&document), expected);
    let counts = &document["counts"];
    assert_eq!((counts["total"].as_u64(), counts["covered"].as_u64(), counts["open"].as_u64()), (Some(14), Some(6), Some(0)));
    // The static function is judged in both of its callers.
    let evidence: Vec<&str> = document["branches"][0]["evidence"].as_array().expect("claims").iter().filter_map(Value::as_str).collect();
    assert!(evidence.iter().any(|one| one.starts_with("f:")) && evidence.iter().any(|one| one.starts_with("g:")), "{evidence:?}");
    // Each test takes its branch when it is run.
    for branch in document["branches"].as_array().expect("branches").iter().filter(|branch| branch["verdict"] == "tested") {
        let test = &document["tests"][branch["test"].as_u64().expect("a number") as usize];
        let (input, function) = (test["input"].to_string(), test["function"].as_str().expect("a name"));
        let output = folder.run(&["run", "limits.c", "--function", function, "--input", &input, "--json"]);
        let run: Value = serde_json::from_slice(&output.stdout).expect("a document");
        let count = if branch["side"] == "true" { "holds" } else { "fails" };
        let is_here = |one: &&Value| (&one["line"], &one["column"]) == (&branch["line"], &branch["column"]);
        let taken = run["branches"].as_array().expect("branches").iter().filter(is_here).any(|one| one[count] != 0);
        assert!(taken, "{branch} {run}");
    }
    let lcov = folder.read("out.info");
    assert!(lcov.contains("BRDA:3,U0,0,0\nBRDA:3,0,1,2\n") && lcov.contains("BRDA:9,U0,0,0\n"), "{lcov}");
    assert!(lcov.contains("BRDA:8,0,2,0\n") && !lcov.contains("BRDA:10,") && lcov.contains("BRF:11\nBRH:6\n"), "{lcov}");
    let old = folder.read("old.info");
    assert!(!old.contains("BRDA:3,0,0") && !old.contains('U') && old.contains("BRF:11\nBRH:6\n"), "{old}");
    let page = folder.read("page.html");
    assert!(page.contains("Reviewed by") && page.contains("r == 2") && !page.contains("http"), "{page}");
    assert!(folder.read("page.md").contains("| reviewed by |"));
    let check = folder.run(&["check", "j.json", "--program", "limits.c"]);
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}

/// A justification survives edits elsewhere; one that no longer holds, whose branch tests take or that the program has no longer ends with 3.
#[test]
fn justifications_are_proved_again() {
    let folder = Folder::new("against");
    let (_, status) = folder.document(&["limits.c", "tests.info", "--justifications", "j.json"]);
    assert_eq!(status, 0);
    let (same, status) = folder.document(&["limits.c", "tests.info", "--against", "j.json"]);
    assert_eq!(
        (status, &same["stale"], &same["moved"], &same["new"]),
        (0, &serde_json::json!([]), &serde_json::json!([]), &serde_json::json!([]))
    );
    // One line more in front.
    let moved: String = COVERAGE
        .lines()
        .map(|line| {
            let (kind, rest) = line.split_once(':').unwrap_or((line, ""));
            let moved = |rest: &str| {
                let (line, others) = rest.split_once(',').expect("a line");
                format!("{},{others}", line.parse::<u32>().expect("a number") + 1)
            };
            if matches!(kind, "FN" | "BRDA" | "DA") { format!("{kind}:{}\n", moved(rest)) } else { format!("{line}\n") }
        })
        .collect();
    folder.write("moved.info", &moved);
    folder.write("limits.c", &format!("/* a comment */\n{PROGRAM}"));
    let (document, status) = folder.document(&["limits.c", "moved.info", "--against", "j.json"]);
    assert_eq!((status, document["moved"].as_array().map(Vec::len)), (0, Some(2)));
    assert_eq!((&document["moved"][0]["from_line"], &document["moved"][0]["line"]), (&Value::from(3), &Value::from(4)));
    // A caller that takes the branch.
    folder.write("limits.c", &PROGRAM.replace("limit(4)", "limit(a)"));
    let (document, status) = folder.document(&["limits.c", "tests.info", "--against", "j.json"]);
    assert_eq!(status, 3);
    assert_eq!((&document["stale"][0]["line"], document["stale"].as_array().map(Vec::len)), (&Value::from(3), Some(1)));
    assert!(document["stale"][0]["reason"].as_str().is_some_and(|why| why.starts_with("it can run now")));
    // Tests that take it.
    folder.write("limits.c", PROGRAM);
    folder.write("hit.info", &COVERAGE.replace("BRDA:9,0,0,0", "BRDA:9,0,0,1"));
    let (document, status) = folder.document(&["limits.c", "hit.info", "--against", "j.json"]);
    assert_eq!(status, 3);
    assert!(document["stale"].to_string().contains("though it was justified"), "{}", document["stale"]);
    // A branch that is no longer there.
    folder.write("limits.c", &PROGRAM.replace("r == 2", "r == 7"));
    let (document, status) = folder.document(&["limits.c", "tests.info", "--against", "j.json"]);
    assert_eq!(status, 3);
    assert!(document["stale"].to_string().contains("no longer") && document["new"].as_array().map(Vec::len) == Some(1), "{document}");
}

/// Coupled conditions, a static function with two callers, and an assertion of two conditions.
const DECISIONS: &str = "#include <assert.h>
static int inside(int x, int low) {
  return x >= low && x <= 9;
}
int pick(int a, int b) {
  int r = 0;
  if ((a > 3 && b > 0) || (a <= 3 && b > 5))
    r = 1;
  if (b > 5 && b > 2)
    r += 2;
  assert(r < 4 && r >= 0);
  return r + inside(a, 9);
}
int other(int c) {
  return inside(c, 10);
}
";

/// What clang 19 counts for `pick(4, 1)`, `pick(4, 0)` and `pick(0, 0)`, without functions and segments.
const SHOWN: &str = r#"{"version": "2.0.1", "type": "llvm.coverage.json.export", "data": [{"functions": [], "files": [{"filename": "/x/decisions.c",
"branches": [[7, 8, 7, 13, 2, 1, 0, 0, 6], [7, 17, 7, 22, 1, 1, 0, 0, 6], [7, 28, 7, 34, 1, 1, 0, 0, 6], [7, 38, 7, 43, 0, 1, 0, 0, 6],
  [9, 7, 9, 12, 0, 3, 0, 0, 6], [9, 16, 9, 21, 0, 0, 0, 0, 6], [11, 3, 11, 3, 0, 3, 0, 0, 6], [11, 3, 11, 3, 0, 0, 0, 0, 6],
  [11, 3, 11, 3, 3, 0, 0, 0, 6], [11, 3, 11, 3, 3, 0, 0, 0, 6], [3, 10, 3, 18, 0, 3, 0, 0, 6], [3, 22, 3, 28, 0, 0, 0, 0, 6]],
"mcdc_records": [[7, 7, 7, 44, 0, 5, [true, true, false, false]], [9, 7, 9, 21, 0, 5, [false, false]], [11, 3, 11, 3, 0, 5, [false, false]],
  [11, 3, 11, 3, 0, 5, [false, false]], [3, 10, 3, 28, 0, 5, [false, false]]],
"segments": [[2, 36, 3, true, true, false], [3, 10, 3, true, true, false], [3, 31, 3, true, false, false], [4, 2, 0, false, false, false],
  [5, 24, 3, true, true, false], [7, 7, 3, true, true, false], [7, 45, 3, true, false, false], [7, 46, 1, true, false, true], [8, 5, 1, true, true, false],
  [8, 10, 3, true, false, false], [9, 7, 3, true, true, false], [9, 22, 0, true, false, true], [10, 5, 0, true, true, false], [10, 11, 3, true, false, false],
  [11, 3, 3, true, true, false], [12, 3, 3, true, true, false], [13, 2, 0, false, false, false], [14, 18, 0, true, true, false], [16, 2, 0, false, false, false]]}]}]}"#;

fn goals(document: &Value) -> Vec<String> {
    let of = |goal: &Value| {
        let text = goal["text"].as_str().expect("a text");
        format!(
            "{} {text} {} {}",
            goal["line"],
            goal["verdict"].as_str().expect("a verdict"),
            goal["tests"].as_array().expect("tests").len()
        )
    };
    document["criterion"]["list"].as_array().expect("goals").iter().map(of).collect()
}

/// Goals of a criterion: what the coverage shows, new pairs of tests, and proofs that there is none. Conditions of assertions are none.
#[test]
fn goals_of_criteria_are_closed() {
    let folder = Folder::new("criteria");
    folder.write("decisions.c", DECISIONS);
    folder.write("shown.json", SHOWN);
    let by = |criterion: &str| folder.document(&["decisions.c", "shown.json", "--criterion", criterion]);
    let (document, status) = by("mcdc");
    assert_eq!(status, 0, "{document}");
    let criterion = &document["criterion"];
    let counts = ["total", "covered", "tested", "justified", "open"].map(|key| criterion[key].as_u64().expect("a count"));
    assert_eq!(counts, [8, 2, 5, 1, 0], "{criterion}");
    assert_eq!(
        goals(&document),
        ["3 x >= low tested 2", "3 x <= 9 tested 2", "7 a <= 3 tested 2", "7 b > 5 tested 2", "9 b > 5 tested 2", "9 b > 2 justified 0"]
    );
    assert_eq!(criterion["pairs"], "masking");
    let why = criterion["list"][5]["why"].as_str().expect("a reason");
    assert!(why.contains("every independence pair needs TF") && why.contains("b > 5 (line 9:7)"), "{why}");
    // Sides of the assertion are no branches, though clang gives its conditions one position.
    assert!(verdicts(&document).iter().all(|branch| !branch.starts_with("11 ")), "{document}");
    let (document, _) = by("branch");
    assert_eq!(goals(&document), ["3 x >= low && x <= 9 tested 1", "9 b > 5 && b > 2 tested 1"]);
    let (document, _) = by("condition");
    assert_eq!(document["criterion"]["justified"], 1);
    let (document, _) = by("statement");
    assert_eq!(goals(&document), ["10 r += 2 tested 1", "15 return inside(c, 10) tested 1"]);
    folder.write("plain.json", &SHOWN.replace("mcdc_records", "others"));
    assert!(folder.refused(&["decisions.c", "plain.json", "--criterion", "mcdc"]).contains("-fcoverage-mcdc"));
    assert!(folder.refused(&["decisions.c", "shown.json", "--criterion", "path"]).contains("coverage counts no paths"));
    assert!(folder.refused(&["decisions.c", "shown.json", "--criterion", "branch", "--mcdc", "masking"]).contains("leave it out"));
    let (document, _) = folder.document(&["decisions.c", "shown.json", "--criterion", "mcdc", "--function", "other"]);
    // In executions of `other` alone the lower limit is 10: x <= 9 never holds there.
    assert!(goals(&document)[..2] == ["3 x >= low justified 0", "3 x <= 9 justified 0"], "{document}");
}

/// Evaluations that only different callers lack do not exclude a pair: it may have one of each.
#[test]
fn pairs_of_two_callers_are_not_excluded() {
    let folder = Folder::new("callers");
    let source = "static int both(int x, int y) {\n  if (x && y) return 1;\n  return 0;\n}\nint f(void) { return both(1, 1); }\nint g(void) { return both(1, 0); }\n";
    folder.write("callers.c", source);
    let lcov = "TN:\nSF:callers.c\nBRDA:2,0,0,-\nBRDA:2,0,1,-\nBRDA:2,0,2,-\nBRDA:2,0,3,-\nMCDC:2,2,t,0,0,x\nMCDC:2,2,f,0,0,x\nMCDC:2,2,t,0,1,y\nMCDC:2,2,f,0,1,y\nDA:2,0\nend_of_record\n";
    folder.write("callers.info", lcov);
    let (document, _) = folder.document(&["callers.c", "callers.info", "--criterion", "mcdc"]);
    assert_eq!(goals(&document), ["2 x open 0", "2 y open 0"], "{document}");
    let shown = lcov.replace(",0,1,y", ",1,1,y");
    folder.write("callers.info", &shown);
    let (document, status) = folder.document(&["callers.c", "callers.info", "--criterion", "mcdc"]);
    assert_eq!((goals(&document), document["criterion"]["covered"].as_u64()), (vec!["2 x open 0".to_owned()], Some(1)), "{status}");
}

/// Coverage of another text, what is no coverage, and files that are missing are refused with what differs.
#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::new("refused");
    let with = |from: &str, to: &str| folder.write("bad.info", &COVERAGE.replace(from, to));
    with("FN:6,f", "FN:7,f");
    assert!(folder.refused(&["limits.c", "bad.info"]).contains("`f` starts on line 7 in the coverage, and on line 6 in the program"));
    with("DA:19,1", "DA:40,1");
    assert!(folder.refused(&["limits.c", "bad.info"]).contains("line 40, and the program has 19 lines"));
    with("BRDA:3,0,0,0", "BRDA:3,0");
    assert!(folder.refused(&["limits.c", "bad.info"]).contains("bad.info: line 6: "));
    with("limits.c", "other.c");
    assert!(folder.refused(&["limits.c", "bad.info"]).contains("the coverage is not of limits.c, but of /somewhere/src/other.c"));
    let lines: String = COVERAGE.lines().filter(|line| !line.starts_with("BR")).map(|line| format!("{line}\n")).collect();
    folder.write("bad.info", &lines);
    assert!(folder.refused(&["limits.c", "bad.info"]).contains("lcov_branch_coverage"));
    assert!(folder.refused(&["limits.c"]).contains("none of the files is coverage"));
    assert!(folder.refused(&["tests.info"]).contains("all of the files are coverage"));
    assert!(folder.refused(&["limits.c", "no.info"]).contains("no.info"));
    folder.write("bad.json", "{}");
    assert!(folder.refused(&["limits.c", "tests.info", "--against", "bad.json"]).contains("not a file that"));
    // What cannot be written is said, and the answer stands.
    let output = folder.run(&["justify", "limits.c", "tests.info", "--out", "nowhere/out.info"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!output.stdout.is_empty() && String::from_utf8_lossy(&output.stderr).contains("out.info is not written"));
}

/// The coverage that the tests of `branches` write has all that they cover; what it has not is what `branches` calls infeasible or open.
#[test]
fn coverage_of_own_tests_leaves_what_branches_leaves() {
    let folder = Folder::new("own");
    for (name, function) in [("tritype", "tritype"), ("merge", "merge"), ("gcd", "gcd"), ("advisory", "advisory")] {
        let file = format!("{}/examples/{name}.c", env!("CARGO_MANIFEST_DIR"));
        let _ = fs::remove_dir_all(folder.0.join("suite"));
        let output = folder.run(&["branches", &file, "--json", "--tests-out", "suite", "--tests-format", "lcov"]);
        let branches: Value = serde_json::from_slice(&output.stdout).expect("a document");
        let function = branches["function"].as_str().unwrap_or(function).to_owned();
        for lcov in ["suite/coverage.info", "suite/coverage-2.info"] {
            let (document, _) = folder.document(&[&file, lcov, "--function", &function]);
            let of =
                |verdict: &str| branches["list"].as_array().expect("a list").iter().filter(|one| one["verdict"] == verdict).count() as u64;
            assert_eq!(document["counts"]["covered"].as_u64(), Some(of("covered")), "{name} {document}");
            assert_eq!(document["counts"]["justified"].as_u64(), Some(of("infeasible")), "{name} {document}");
            assert_eq!(document["counts"]["tested"].as_u64(), Some(0), "{name}");
        }
    }
}
