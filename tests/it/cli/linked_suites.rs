//! Suites of linked files: compilers take them, their tests end as expected, and gcov counts what is claimed.

use super::commands::{run, text};
use super::headers::{document, folder, name};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const HEADER: &str = "#ifndef QUEUE_H\n#define QUEUE_H\ntypedef struct { int data[4]; int count; } Queue;\nextern int limit;\nint push(Queue *q, int x);\nint pop(Queue *q);\nint sensor(void);\nstatic inline int larger(int a, int b) { return a > b ? a : b; }\n#endif\n";
/// Its `count`, `helper`, `mode` and `struct node` are not those of the other file.
const FIRST: &str = "#include \"queue.h\"\n#define N 3\nstruct node { char c; };\nstatic int count = 0;\nint mode;\nint limit = N;\nstatic int helper(int x) { count += 10; return x + 1; }\nint feed(Queue *q, int x) {\n    if (larger(x, limit) == x && push(q, helper(x)) != 0)\n        return -1;\n    if (count > 60)\n        return 200;\n    if (sensor() == 7)\n        return pop(q);\n    return 0;\n}\nint main(void) {\n    Queue q = {{0}, 0};\n    return feed(&q, 5);\n}\n";
const SECOND: &str = "#include \"queue.h\"\n#ifdef N\n#error macros of another file\n#endif\n#define N 4\nstruct node { int a, b; };\nstatic int count = 1;\nstatic volatile int busy;\nstatic struct node pool[2];\nstatic int helper(Queue *q) {\n    if (busy)\n        return 0;\n    pool[1].a++;\n    return q->count < N;\n}\nint push(Queue *q, int x) {\n    if (count == 9)\n        return 2;\n    if (!helper(q))\n        return 1;\n    count++;\n    q->data[q->count++] = x;\n    return 0;\n}\nint pop(Queue *q) {\n    if (q->count == 0)\n        return -1;\n    sensor();\n    return q->data[--q->count];\n}\nstatic int weigh(struct node *n) {\n    static int calls;\n    if (n->a > 3 && ++calls > 2)\n        return count;\n    return n->b;\n}\nint use(int x) { struct node n = {x, 1}; return weigh(&n); }\nint read_mode(int x) {\n    extern int mode;\n    if (mode == 5 && x == 2)\n        return 1;\n    return limit > 9;\n}\n";

fn project(folder_name: &str) -> PathBuf {
    folder(folder_name, &[("inc/queue.h", HEADER), ("a.c", FIRST), ("b.c", SECOND)])
}

fn export(folder: &Path, function: &str, format: &str) -> (Value, PathBuf) {
    let out = folder.join(format!("{function}-{format}"));
    let _ = std::fs::remove_dir_all(&out);
    let paths = [folder.join("a.c"), folder.join("b.c")];
    let include = format!("-I{}", name(&folder.join("inc")));
    let options = ["--function", function, &include, "--tests-out", name(&out), "--tests-format", format];
    (document(&[&["branches", "--link", name(&paths[0]), name(&paths[1])], &options[..]].concat()), out)
}

/// Runs the commands in a folder; false where a program is not there.
fn passes(folder: &Path, commands: &[Vec<&str>]) -> bool {
    for command in commands {
        let Ok(output) = Command::new(command[0]).args(&command[1..]).current_dir(folder).output() else { return false };
        assert!(output.status.success(), "{command:?}: {}{}", text(&output.stdout), text(&output.stderr));
    }
    true
}

/// The command that the head of the suite says.
fn command(out: &Path) -> Vec<String> {
    let suite = std::fs::read_to_string(out.join("suite.c")).expect("a suite");
    let line = suite.lines().find(|line| line.starts_with(" *   cc ")).expect("a command");
    line[5..].split(" && ").next().expect("a command").split(' ').map(str::to_owned).collect()
}

#[test]
fn suites_of_linked_files_run() {
    let folder = project("suites");
    for function in ["feed", "push", "pop", "weigh", "use", "read_mode", "helper@b.c", "main"] {
        let (document, out) = export(&folder, function, "c");
        assert_eq!(document["diagnostics"].as_array().map(|all| all.iter().any(|one| one["code"] == "not-written")), Some(false));
        let command = command(&out);
        for compiler in ["gcc", "clang"] {
            let compile = [&[compiler], &command.iter().skip(1).map(String::as_str).collect::<Vec<_>>()[..]].concat();
            passes(&out, &[compile, vec!["./suite"]]);
        }
    }
    // Both functions called `helper` have their own names in the suite of a third one.
    let suite = std::fs::read_to_string(folder.join("push-c/suite.c")).expect("a suite");
    assert!(suite.contains("suite.c a.c") && suite.contains("#define CULDESAC_PROGRAM \"b.c\""), "{suite}");
}

#[test]
fn other_forms_run_too() {
    let folder = project("forms");
    let (_, out) = export(&folder, "push", "freestanding");
    passes(&out, &[vec!["gcc", "-std=c11", "-o", "suite", "suite.c", "a.c"], vec!["./suite"]]);
    let (_, out) = export(&folder, "push", "cmocka");
    if Path::new("/usr/include/cmocka.h").exists() {
        passes(&out, &[vec!["gcc", "-std=c11", "-o", "suite", "suite.c", "a.c", "-lcmocka"], vec!["./suite"]]);
    }
    let paths = [folder.join("a.c"), folder.join("b.c")];
    let include = format!("-I{}", name(&folder.join("inc")));
    let out = folder.join("testcomp");
    let options = ["--function", "push", &include, "--tests-out", name(&out), "--tests-format", "testcomp"];
    let told = run(&[&["branches", "--link", name(&paths[0]), name(&paths[1])], &options[..]].concat(), "");
    assert!(text(&told.stderr).contains("a suite of Test-Comp has one file"), "{}", text(&told.stderr));
}

/// Of each line of a file: how many branches there are, and how many are taken.
type Branches = BTreeMap<(String, u64), (usize, usize)>;

fn claimed(document: &Value, left_out: &[u64]) -> Branches {
    let mut found = Branches::new();
    let files = document["headers"].as_array().expect("files");
    let tests = document["tests"].as_array().expect("tests").iter().zip(0u64..).filter(|(_, at)| !left_out.contains(at));
    let taken: Vec<u64> = tests.flat_map(|(test, _)| test["takes"].as_array().expect("sides")).filter_map(Value::as_u64).collect();
    for (at, side) in (0u64..).zip(document["list"].as_array().expect("sides")) {
        let line = side["line"].as_u64().expect("a line");
        let number = |file: &Value, key: &str| file[key].as_u64().unwrap_or(0);
        let file = files.iter().find(|file| (number(file, "first")..number(file, "first") + number(file, "lines")).contains(&line));
        let key = file.map_or(("a.c".to_owned(), line), |file| {
            let name = file["name"].as_str().expect("a name");
            (name.rsplit('/').next().expect("a name").to_owned(), line + 1 - number(file, "first"))
        });
        let entry = found.entry(key).or_default();
        entry.0 += 1;
        entry.1 += usize::from(taken.contains(&at));
    }
    found.retain(|(file, _), _| file.ends_with(".c"));
    found
}

/// What gcov counts of the files of a suite.
fn measured(out: &Path) -> Option<Branches> {
    let options = ["-w", "-O0", "-fno-builtin", "--coverage", "-std=c11", "-c"];
    let objects = ["suite.o", "a.o", "b.o"];
    let sources: Vec<&str> =
        command(out).iter().filter_map(|word| ["suite.c", "a.c", "b.c"].into_iter().find(|file| file == word)).collect();
    let linked: Vec<&str> = objects.into_iter().filter(|object| sources.contains(&object.replace(".o", ".c").as_str())).collect();
    let commands =
        [[&["gcc"], &options[..], &sources].concat(), [&["gcc", "--coverage", "-o", "suite"], &linked[..]].concat(), vec!["./suite"]];
    if !passes(out, &commands) {
        return None;
    }
    let mut found = Branches::new();
    for source in sources {
        let data = source.replace(".c", ".gcda");
        let output = Command::new("gcov").current_dir(out).args(["-b", "-j", "-t", &data]).output().ok()?;
        let report: Value = serde_json::from_str(text(&output.stdout).lines().next()?).expect("gcov's report");
        for file in report["files"].as_array().expect("files") {
            for line in file["lines"].as_array().expect("lines") {
                let key = (file["file"].as_str().expect("a name").to_owned(), line["line_number"].as_u64().expect("a number"));
                let branches = line["branches"].as_array().expect("branches");
                let entry = found.entry(key).or_default();
                entry.0 += branches.len();
                entry.1 += branches.iter().filter(|branch| branch["count"].as_u64() > Some(0)).count();
            }
        }
    }
    Some(found)
}

#[test]
fn gcov_counts_what_is_claimed_in_all_files() {
    let folder = project("measured");
    let mut compared = 0;
    for function in ["feed", "push", "pop", "weigh", "use", "read_mode"] {
        let (document, out) = export(&folder, function, "c");
        let left_out = left_out(&out);
        let Some(measured) = measured(&out) else { return };
        for (place, (all, taken)) in claimed(&document, &left_out) {
            let Some((sides, counted)) = measured.get(&place).filter(|(sides, _)| *sides == all) else { continue };
            assert_eq!((all, taken), (*sides, *counted), "{function}: {place:?}");
            compared += 1;
        }
    }
    assert!(compared >= 12, "{compared} lines compared");
}

/// The tests that the head of a suite says are left out, from 0.
fn left_out(out: &Path) -> Vec<u64> {
    let suite = std::fs::read_to_string(out.join("suite.c")).expect("a suite");
    let lines = suite.lines().filter(|line| line.contains(" left out: "));
    let numbers =
        lines.flat_map(|line| line.split(" left out").next().expect("words").split([' ', ',']).filter_map(|word| word.parse::<u64>().ok()));
    numbers.map(|number| number - 1).collect()
}

#[test]
fn coverage_has_a_record_for_each_file() {
    let folder = project("records");
    let (_, out) = export(&folder, "feed", "lcov");
    let text = std::fs::read_to_string(out.join("coverage.info")).expect("a file");
    let files: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("SF:")).collect();
    assert_eq!(files, ["a.c", "b.c"], "{text}");
    // The decision on line 17 of the second file, by its number there.
    assert!(text.split("SF:b.c").nth(1).is_some_and(|record| record.contains("\nBRDA:17,")), "{text}");
    let (_, out) = export(&folder, "weigh", "lcov");
    let text = std::fs::read_to_string(out.join("coverage.info")).expect("a file");
    assert!(text.starts_with("TN:culdesac\nSF:b.c\nFN:31,weigh\n") && !text.contains("SF:a.c"), "{text}");
}
