//! `--link`: several files as one program; and several files as programs of their own.

use super::commands::{refusal, run, text};
use super::headers::{compiled, document, folder, name, value};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const QUEUE: &str = "#ifndef Q\n#define Q\ntypedef struct { int data[4]; int count; } Queue;\nenum Mode { IDLE, BUSY = 5 };\nstruct item { int id; };\nextern int limit;\nint push(Queue *q, int x);\nint pop(Queue *q);\nstatic inline int larger(int a, int b) { return a > b ? a : b; }\ninline int twice(int a) { return 2 * a; }\n#endif\n";
/// Its `count`, `helper`, `node` and `Word` are not those of the other file.
const FIRST: &str = "#include \"q.h\"\n#define N 3\ntypedef int Word;\nstruct node { Word a; };\nstatic int count = 0;\nstatic Word helper(int x) { count += 10; return x + 1; }\nint limit = N;\nextern int twice(int a);\nint main(void) {\n    Queue q = {{0}, 0};\n    struct item i = {BUSY};\n    struct node n = {larger(1, 2)};\n    for (int k = 0; k < 6; k++)\n        if (push(&q, helper(k)) != 0) n.a++;\n    if (count > 60) return 200;\n    return pop(&q) + pop(&q) + count + i.id + n.a + twice(limit);\n}\n";
const SECOND: &str = "#include \"q.h\"\n#ifdef N\n#error macros of another file\n#endif\n#define N 4\nstatic int count = 1;\ntypedef long Word;\nstruct node { Word a, b; } spare;\nenum { helper = 7 };\nstatic int room(Queue *q) { extern int limit; struct node n = {.b = helper}; return q->count < N && limit > 0 && n.b == helper && (count = 1); }\nint push(Queue *q, int x) {\n    if (!room(q)) return 1;\n    q->data[q->count++] = x;\n    return 0;\n}\nint pop(Queue *q) {\n    if (q->count == 0) return -1;\n    return q->data[--q->count] + (int)sizeof(struct node) / 16 - count;\n}\n";

fn project(folder_name: &str) -> PathBuf {
    folder(folder_name, &[("inc/q.h", QUEUE), ("a.c", FIRST), ("b.c", SECOND)])
}

fn paths(folder: &Path, files: &[&str]) -> Vec<String> {
    files.iter().map(|file| name(&folder.join(file)).to_owned()).collect()
}

#[test]
fn linked_files_mean_what_a_linker_makes_of_them() {
    let folder = project("linked");
    let include = format!("-I{}", name(&folder.join("inc")));
    for order in [["a.c", "b.c"], ["b.c", "a.c"]] {
        let files = paths(&folder, &order);
        let linked = value(&["--link", &files[0], &files[1], &include, "--function", "main"]);
        assert_eq!(linked, json!(82), "{order:?}");
        if let Some(compiled) = compiled(&folder, &[&files[0], &files[1], &include]) {
            assert_eq!(compiled, linked, "{order:?}");
        }
    }
}

#[test]
fn functions_of_one_name_are_those_of_their_files() {
    let folder = folder(
        "own",
        &[
            ("x/u.c", "static int g(int x) { return x > 3; }\nint f(int x) { return g(x); }\n"),
            ("y/u.c", "static int g(int x) { if (x > 5) return 2; return 3; }\nint h(int x) { return g(x); }\n"),
        ],
    );
    let files = paths(&folder, &["x/u.c", "y/u.c"]);
    let list = document(&["cfg", "--link", &files[0], &files[1]]);
    let other = "g@u.c";
    assert_eq!(list["functions"], json!(["g", "f", other, "h"]));
    let own = document(&["branches", "--link", &files[0], &files[1], "--function", other]);
    assert_eq!((&own["branches"]["total"], &own["branches"]["covered"]), (&json!(2), &json!(2)));
    // A line of the second file, by its name.
    let reached = document(&["reach", "--link", &files[0], &files[1], "--function", "h", "--target", "y/u.c:1"]);
    assert_eq!(reached["complete"], json!(true));
}

/// As the page writes it: the text in front of the mark has its places.
#[test]
fn a_mark_after_the_last_line_says_the_target() {
    let mark = '\u{1c}';
    let text = "#define LONG sizeof(long)\n#if __SIZEOF_LONG__ == 4\nint same(void);\n#define IS 1\n#else\n#define IS 0\n#endif\nint f(int x) { return x > 0 && LONG == 4 && IS; }\n";
    let units = format!("{mark}=a.c\nstatic int n;\nint g(void) {{ return n; }}\n{mark}=b.c\nstatic int n;\n{text}");
    for source in [text.to_owned(), units] {
        let value = |source: String, precondition: Option<&str>| {
            let mut request = crate::suites::request("t.c", &source, None);
            request.function = Some("f".to_owned());
            let lts = culdesac::load::load_assuming(&request, precondition).expect("it is understood").lts;
            let input = serde_json::from_str(r#"{"x":1}"#).expect("an input");
            let input = culdesac::view::fitting(&lts, &input).expect("it fits");
            culdesac::interp::Machine::new(&lts).run(&input, 1_000).value
        };
        assert_eq!(value(source.clone(), None), Some(0.into()));
        assert_eq!(value(format!("{source}{mark}-Tilp32\n"), None), Some(1.into()));
        assert_eq!(value(format!("{source}{mark}-Tilp32\n"), Some("x > 0")), Some(1.into()));
    }
}

#[test]
fn an_object_has_one_definition() {
    let folder = folder(
        "twice",
        &[("a.c", "int shared = 1;\nint f(int x) { return x > shared; }\n"), ("b.c", "int shared = 2;\nint g(int x) { return x > 1; }\n")],
    );
    let files = paths(&folder, &["a.c", "b.c"]);
    let output = run(&["branches", "--link", &files[0], &files[1], "--function", "g"], "");
    let told = text(&output.stderr);
    assert!(told.contains("`shared` is defined twice") && told.contains("b.c:1:5") && told.contains("a.c:1:5"), "{told}");
    assert!(output.status.success(), "a function that does not need it is answered");
}

#[test]
fn evidence_is_of_all_files() {
    let folder = project("evidence");
    let files = paths(&folder, &["a.c", "b.c"]);
    let include = format!("-I{}", name(&folder.join("inc")));
    let evidence = name(&folder.join("e.json")).to_owned();
    let options = ["--function", "push", &include, "--evidence", &evidence];
    document(&[&["branches", "--link", &files[0], &files[1]], &options[..]].concat());
    let checked = |programs: &[&str]| document(&[&["check", &evidence, "--program"], programs].concat());
    assert_eq!(checked(&[&files[0], &files[1]])["complete"], json!(true));
    assert_eq!(checked(&[&files[0]])["complete"], json!(false));
    std::fs::write(&files[1], SECOND.replace("== 0", "== 1")).expect("the file is writable");
    let changed = checked(&[&files[0], &files[1]]);
    let line = FIRST.lines().count() + QUEUE.lines().count() + 18;
    assert_eq!((&changed["complete"], &changed["differs_at"]), (&json!(false), &json!(line)));
}

#[test]
fn files_that_are_not_linked_are_programs_of_their_own() {
    let folder = project("apart");
    let files = paths(&folder, &["a.c", "b.c"]);
    let include = format!("-I{}", name(&folder.join("inc")));
    let output = run(&["cfg", &files[0], &files[1], &include, "--json"], "");
    let documents: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("a document on each line")).collect();
    let programs: Vec<&Value> = documents.iter().map(|document| &document["program"]).collect();
    assert_eq!(programs, [&json!(files[0]), &json!(files[1])]);
    let told = run(&["cfg", &files[0], &files[1], &include], "");
    assert!(text(&told.stdout).contains(&format!("{}:\n", files[1])));
    assert!(refusal(&["branches", &files[0], &files[1], &include, "--evidence", "e.json"], "").contains("one program"));
}

#[test]
fn nothing_outside_of_a_closed_program_writes_or_calls() {
    let text = "int mode, level;\nint ext(int *);\nvoid set(int m) { if (m == 1) mode = 1; }\nint f(int x) {\n  if (mode == 2) return 1;\n  set(x);\n  ext(&level);\n  if (mode == 2) return 2;\n  if (level == 3) return 3;\n  return 0;\n}\nint main(void) { return f(1); }\n";
    let folder = folder("closed", &[("f.c", text)]);
    let file = name(&folder.join("f.c")).to_owned();
    let infeasible = |document: &Value| -> Vec<i64> {
        let list = document["list"].as_array().expect("branches").iter();
        list.filter(|side| side["verdict"] == "infeasible").filter_map(|side| side["line"].as_i64()).collect()
    };
    let open = document(&["branches", &file, "--function", "f"]);
    assert_eq!((infeasible(&open), &open["options"]), (vec![], &Value::Null));
    let evidence = name(&folder.join("e.json")).to_owned();
    let closed = document(&["branches", &file, "--function", "f", "--closed", "--evidence", &evidence]);
    // The function without a body gets the address of `level`.
    assert_eq!((infeasible(&closed), &closed["options"]["closed"]), (vec![8], &json!(true)));
    assert_eq!(document(&["check", &evidence, "--program", &file])["complete"], json!(true));
    let told = run(&["branches", &file, "--function", "f", "--closed"], "");
    assert!(super::commands::text(&told.stdout).starts_with("closed: nothing outside"));
}

/// Where a closed program has begun a call of `main`, that has left things behind before it calls others.
#[test]
fn main_of_a_closed_program_writes_before_it_calls() {
    for (name, text) in [
        (
            "calls",
            "static int n;\nstatic void add(void) { n++; }\nstatic int f(void) {\n  if (n == 0) return 0;\n  return 1;\n}\nint main(void) { add(); return f(); }\n",
        ),
        ("itself", "static int n;\nint f(void) {\n\n  if (n == 0) return 0;\n  return 1;\n}\nint main(void) { n++; return f(); }\n"),
        (
            "none",
            "static int n;\nint f(void) {\n\n  if (n == 0) return 0;\n  return 1;\n}\nint run(void) { n = 2; int r = f(); n = 0; return r; }\n",
        ),
    ] {
        let folder = folder(name, &[("f.c", text)]);
        let file = paths(&folder, &["f.c"]).remove(0);
        let closed = document(&["branches", &file, "--function", "f", "--closed"]);
        assert_eq!(closed["branches"]["infeasible"], json!(0), "{closed}");
    }
    // In the only execution it is 1.
    let folder = folder(
        "never",
        &[("f.c", "static int n;\nint f(void) { if (n == 3) return 0; return 1; }\nint main(void) { n = 1; return f(); }\n")],
    );
    let file = paths(&folder, &["f.c"]).remove(0);
    let closed = document(&["branches", &file, "--function", "main", "--closed"]);
    assert_eq!(closed["branches"]["infeasible"], json!(1), "{closed}");
}
