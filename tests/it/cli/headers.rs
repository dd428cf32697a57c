//! Headers, macros and bytes: `-I`, `-D`, `-U` as with a C compiler.

use super::commands::{refusal, run, run_bytes, text};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with these files.
pub(super) fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("headers").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (name, content) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the target folder is writable");
        std::fs::write(path, content).expect("the target folder is writable");
    }
    folder
}

pub(super) fn name(path: &Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}

/// The document of a run that is not refused.
pub(super) fn document(arguments: &[&str]) -> Value {
    let output = run(&[arguments, &["--json"]].concat(), "");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {}", text(&output.stderr)))
}

/// What `main` gives back.
pub(super) fn value(arguments: &[&str]) -> Value {
    document(&[&["run"], arguments].concat())["value"].clone()
}

/// What gcc's program of these arguments gives back; `None` without gcc.
pub(super) fn compiled(folder: &Path, arguments: &[&str]) -> Option<Value> {
    let binary = folder.join("a.out");
    let output = Command::new("gcc").args(["-w", "-o", name(&binary)]).args(arguments).output().ok()?;
    assert!(output.status.success(), "{}", text(&output.stderr));
    Some(json!(Command::new(binary).status().ok()?.code()))
}

/// The same value as gcc's program.
fn agrees(folder: &Path, arguments: &[&str], expected: i64) {
    assert_eq!(value(arguments), json!(expected), "{arguments:?}");
    if let Some(compiled) = compiled(folder, arguments) {
        assert_eq!(compiled, json!(expected), "{arguments:?}");
    }
}

const PROGRAM: &str = "#include <stdio.h>\n#include \"mine.h\"\n#include <cfg.h>\nint f(int x) {\n    if (x > LIMIT) return clamp(x);\n    if (N == 3) return 1;\n    if (x > LIMIT + 1) return 2;\n    return MODE;\n}\n";
const MINE: &str = "#ifndef MINE_H\n#define MINE_H\n#define LIMIT 10\nstatic inline int clamp(int v) {\n    if (v < 5) return 5;\n    return v;\n}\n#endif\n";

fn project(name: &str) -> PathBuf {
    folder(
        name,
        &[
            ("src/main.c", PROGRAM),
            ("src/mine.h", MINE),
            ("inc/cfg.h", "#pragma once\n#include \"deep.h\"\nenum { MODE = DEEP };\n"),
            ("inc/deep.h", "#define DEEP 7\n"),
        ],
    )
}

#[test]
fn headers_are_read_and_lines_keep_their_files() {
    let folder = project("project");
    let (program, include) = (folder.join("src/main.c"), folder.join("inc"));
    let arguments = ["cover", name(&program), "-I", name(&include), "-DN=3"];
    let document = self::document(&arguments);
    let infeasible: Vec<_> =
        document["infeasible"].as_array().expect("a list").iter().map(|one| (one["line"].clone(), one["text"].clone())).collect();
    // Lines of headers have numbers after those of the program.
    let expected = [(15, "v < 5"), (15, "clamp.result = 5"), (6, "!(N == 3)"), (7, "x > LIMIT + 1"), (7, "!(x > LIMIT + 1)")];
    assert_eq!(infeasible, expected.map(|(line, text)| (json!(line), json!(text))));
    assert_eq!(document["options"], json!({"define": ["N=3"], "include": [name(&include)]}));
    let headers = document["headers"].as_array().expect("a list");
    let lines: Vec<_> =
        headers.iter().map(|header| (header["first"].clone(), header["lines"].clone(), header["included_at"].clone())).collect();
    assert_eq!(lines, [(json!(11), json!(8), json!(2)), (json!(19), json!(3), json!(3)), (json!(22), json!(1), json!(20))]);
    assert_eq!(document["diagnostics"], json!([]));
    let told = text(&run(&arguments, "").stdout);
    assert!(told.contains("src/mine.h:5:9: v < 5\n") && told.contains("  line   7: x > LIMIT + 1"), "{told}");
    // Such a line can be a target.
    let reach = ["reach", name(&program), "-I", name(&include), "-DN=3", "--target", "mine.h:6"];
    assert_eq!(self::document(&reach)["target"]["line"], 16);
    // Options may stand anywhere, joined or not, and after them `--`.
    let elsewhere = ["cover", "-I", name(&include), "-D", "N=3", "--", name(&program)];
    assert_eq!(text(&run(&elsewhere, "").stdout), told);
    // A program without them says nothing of them.
    let plain = super::commands::document(&["cover", "-", "--json"], "int f(int x) { return x ? 1 : 2; }", 0);
    assert!(plain.get("options").is_none() && plain.get("headers").is_none());
}

/// The verdicts are those of what gcc's preprocessor makes of it.
#[test]
fn verdicts_are_those_of_the_preprocessed_program() {
    let folder = project("preprocessed");
    let (program, include) = (folder.join("src/main.c"), format!("-I{}", name(&folder.join("inc"))));
    let Ok(output) = Command::new("gcc").args(["-E", "-P", "-DN=3", &include, name(&program)]).output() else { return };
    let source = text(&output.stdout);
    let own = source.find("static inline int clamp").expect("the header's function");
    std::fs::write(folder.join("made.c"), &source[own..]).expect("writable");
    let infeasible = |arguments: &[&str]| {
        let document = document(arguments);
        let list = document["infeasible"].as_array().expect("a list").clone();
        let mut texts: Vec<String> =
            list.iter().map(|one| one["expansion"].as_str().or_else(|| one["text"].as_str()).expect("a text").to_owned()).collect();
        texts.sort();
        texts
    };
    let theirs = infeasible(&["cover", name(&folder.join("made.c")), "--function", "f"]);
    assert_eq!(infeasible(&["cover", name(&program), &include, "-DN=3"]), theirs);
    assert_eq!(theirs.len(), 5);
}

/// Functions of the library that are understood, that are not, and whose declarations alone the system's headers have.
const OF_THE_LIBRARY: &[&str] = &[
    "int f(char *s, int x) { char text[9]; if (!s) return 1; sprintf(text, \"%d\", x); if (strlen(text) > 8) return 2; errno = 0; return isdigit(text[0]) ? 3 : errno; }",
    "int f(double x) { if (erf(x) > 0.5) return 1; return 0; }",
    "int f(int x) { if (x > 3) { if (strxfrm(NULL, \",\", 0)) return 1; } return 0; }",
    "static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; } int f(int x, int y) { int all[2] = {x, y}; qsort(all, 2, sizeof *all, order); if (all[0] > all[1]) return 1; assert(all[1] >= x); return fabs(x) > 2; }",
    "struct node { struct node *next; int value; }; int f(struct node *n) { if (n->next->next->value == 3) return 1; return 0; }",
];

#[test]
fn systems_headers_change_no_verdict() {
    let headers = ["stdio", "stdlib", "string", "math", "errno", "ctype", "assert"].map(|name| format!("#include <{name}.h>\n")).concat();
    for (program, number) in OF_THE_LIBRARY.iter().zip(0..) {
        let folder = folder(&format!("system{number}"), &[("source.c", &format!("{headers}{program}\n"))]);
        let (source, made) = (folder.join("source.c"), folder.join("made.c"));
        let preprocessed = Command::new("gcc").args(["-E", "-std=gnu11", name(&source), "-o", name(&made)]).status();
        if !preprocessed.is_ok_and(|status| status.success()) {
            return;
        }
        let verdicts = |path: &Path| {
            let document = document(&["branches", name(path), "--limit", "200000"]);
            let list = document["list"].as_array().expect("branches").iter();
            let verdicts: Vec<Value> = list.map(|side| json!([side["holds"], side["verdict"]])).collect();
            json!([document["function"], verdicts])
        };
        assert_eq!(verdicts(&made), verdicts(&source), "{program}");
    }
}

#[test]
fn headers_are_looked_for_where_gcc_does() {
    let folder = folder(
        "search",
        &[
            ("a/x.h", "#define X 1\n#include \"y.h\"\n#include_next <x.h>\n"),
            ("a/y.h", "#define Y 10\n"),
            ("b/x.h", "#define Z 100\n"),
            ("b/y.h", "#define Y 20\n"),
            ("b/limits.h", "#define INT_MAX 5\n"),
            ("b/once.h", "#pragma once\nint once = 3;\n"),
            ("list.h", "ITEM(1) ITEM(2)\n"),
            ("sub/main.h", "#include \"../list.h\"\n"),
            (
                "main.c",
                "#include <x.h>\n#include \"y.h\"\n#include \"once.h\"\n#include \"../search/b/once.h\"\n#define LIST \"sub/main.h\"\nint main(void) {\n  int sum = X + Y + Z + once;\n#define ITEM(n) sum += n;\n#include LIST\n#include LIST\n  return sum;\n}\n",
            ),
            ("limits.c", "#include <limits.h>\nint main(void) { return INT_MAX == 5; }\n"),
            ("quoted.c", "#include \"limits.h\"\nint main(void) { return INT_MAX == 5; }\n"),
            (
                "lines.c",
                "#include \"lines.h\"\nint main(void) { return here() * 10 + __LINE__ + (__FILE__[sizeof __FILE__ - 2] == 'c') * 100; }\n",
            ),
            ("lines.h", "\n\nint here(void) { return __LINE__ + (__FILE__[sizeof __FILE__ - 2] == 'h'); }"),
        ],
    );
    let at = |file: &str| folder.join(file);
    let (a, b) = (format!("-I{}", name(&at("a"))), format!("-I{}", name(&at("b"))));
    agrees(&folder, &[name(&at("main.c")), &a, &b], 1 + 10 + 100 + 3 + 6);
    // The built-in header of the name counts where no folder has one.
    agrees(&folder, &[name(&at("limits.c")), &a], 0);
    agrees(&folder, &[name(&at("limits.c")), &b], 1);
    agrees(&folder, &[name(&at("quoted.c")), &a], 0);
    std::fs::copy(at("b/limits.h"), at("limits.h")).expect("copied");
    agrees(&folder, &[name(&at("quoted.c"))], 1);
    agrees(&folder, &[name(&at("limits.c"))], 0);
    agrees(&folder, &[name(&at("lines.c"))], 142);
}

#[test]
fn of_a_macro_the_last_option_counts() {
    let folder = folder(
        "macros",
        &[("n.c", "#ifndef N\n#define N 9\n#endif\n#ifndef F\n#define F(x) x\n#endif\nint main(void) { return F(N + 0); }\n")],
    );
    let path = folder.join("n.c");
    for (options, expected) in [
        (&["-DN"][..], 1),
        (&["-DN=3"], 3),
        (&["-D", "N=3", "-DN=4"], 4),
        (&["-DN=3", "-UN"], 9),
        (&["-UN", "-DN=3"], 3),
        (&["-DN="], 0),
        (&["-UN", "-DF(x)=x*2+1", "-DN=2"], 1 + 2),
    ] {
        agrees(&folder, &[&[name(&path)], options].concat(), expected);
    }
    for (options, message) in [
        (&["-D", "3x"][..], "write NAME, NAME=VALUE"),
        (&["-Ddefined"], "write NAME, NAME=VALUE"),
        (&["-U", "N=3"], "a macro's name is needed"),
        (&["-DN=\"a"], "the macro `N=\"a` of the command line cannot be read"),
        (&["-I"], "a value is required for '-I <DIR>'"),
        (&["-I", ""], "the name of a directory is needed"),
    ] {
        let told = refusal(&[&["run", name(&path)], options].concat(), "");
        assert!(told.contains(message), "{options:?}: {told}");
    }
}

#[test]
fn messages_name_the_header() {
    let folder = folder(
        "wrong",
        &[
            ("main.c", "#include \"one.h\"\nint f(int x) { return x; }\n"),
            ("one.h", "\n#include \"two.h\"\n"),
            ("two.h", "int a;\nint g(int x) { return missing; }\n"),
            ("missing.c", "int f(int x) {\n#include \"nope.h\"\n  return x; }\n"),
            ("folder.c", "#include \"sub\"\nint f(int x) { return x; }\n"),
            ("sub/x.h", ""),
            ("loop.c", "\n  #include \"loop.h\"\nint f(int x) { return x; }\n"),
            ("loop.h", "#include \"pool.h\"\n"),
            ("pool.h", "#include \"loop.h\"\n"),
            ("open.c", "#include \"open.h\"\n#endif\nint f(int x) { return x; }\n"),
            ("open.h", "#if 1\n"),
            ("comment.c", "#include \"comment.h\"\n */ int f(int x) { return x; }\n"),
            ("comment.h", "/* \n"),
            ("end.c", "#if 1\n#include \"end.h\"\n#endif\nint f(int x) { return x; }\n"),
            ("end.h", "#endif\n"),
            ("call.c", "#define F(x) x\n#include \"call.h\"\n(3); int f(int x) { return x; }\n"),
            ("call.h", "int a = F(\n"),
            ("mark.c", "int f(int x) { /* \u{1c} */ return x; }\n"),
            ("guarded.c", "#if 0\n#include \"nope.h\"\n#endif\nint f(int x) { return x; }\n"),
        ],
    );
    let errors = |file: &str| text(&run(&["cover", name(&folder.join(file))], "").stderr);
    let told = errors("main.c");
    for part in ["wrong/two.h:2:23", "included from", "one.h:2\n", "main.c:1\n"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let told = errors("missing.c");
    assert!(told.contains("`nope.h` is not here") && told.contains("missing.c:2:1") && told.contains("-I DIR"), "{told}");
    for (file, parts) in [
        ("folder.c", &["folder.c:1:1: the header ", "sub is a directory"][..]),
        ("loop.c", &["pool.h:1:1: the headers include each other 200 deep", "loop.h includes ", "`#pragma once`"]),
        ("open.c", &["open.h:1:1", "this `#if` is never closed", "open.c:2:1", "this `#endif` belongs to no `#if`"]),
        ("comment.c", &["comment.h:1:1", "this comment is never closed"]),
        ("end.c", &["end.h:1:1", "this `#endif` belongs to no `#if`"]),
        ("call.c", &["call.h:1:9", "the call of the macro `F` is never closed"]),
        ("mark.c", &["mark.c:1:19: the byte 0x1C means nothing in C"]),
    ] {
        let told = refusal(&["cover", name(&folder.join(file))], "");
        parts.iter().for_each(|part| assert!(told.contains(part), "{file}: {part}: {told}"));
    }
    assert_eq!(errors("guarded.c"), "");
}

/// A header of a gigabyte is not read to its end, and neither are many small ones without one.
#[test]
fn headers_have_a_limit_together() {
    let folder =
        folder("large", &[("main.c", "int a;\n#include \"large.h\"\nint f(int x) { return x; }\n"), ("many.c", "#include \"many.h\"\n")]);
    std::fs::File::create(folder.join("large.h")).and_then(|file| file.set_len(1 << 30)).expect("a sparse file");
    let told = refusal(&["cover", name(&folder.join("main.c"))], "");
    assert!(
        told.contains("main.c:2:1: ") && told.contains("large.h is larger than 3 MB; a program with its headers may have 4 MB"),
        "{told}"
    );
    std::fs::write(folder.join("many.h"), format!("//{}\n{}", "x".repeat(500_000), "#include \"many.h\"\n".repeat(3))).expect("writable");
    let told = refusal(&["cover", name(&folder.join("many.c"))], "");
    assert!(told.contains("many.h is too large; a program with its headers may have 4 MB"), "{told}");
}

#[test]
fn evidence_has_the_headers() {
    let folder = project("evidence");
    let (program, include, evidence) = (folder.join("src/main.c"), folder.join("inc"), folder.join("e.json"));
    let files = ["--evidence", name(&evidence)];
    document(&[&["branches", name(&program), "-I", name(&include), "-DN=3"][..], &files].concat());
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&evidence).expect("written")).expect("JSON");
    assert_eq!(written["options"], json!({"define": ["N=3"], "include": [name(&include)]}));
    let check = ["check", name(&evidence), "--program", name(&program)];
    let output = run(&check, "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("src/mine.h:5:9: "), "{}", text(&output.stdout));
    // Other options than those of its text are no options of it.
    let other = folder.join("other.json");
    std::fs::write(&other, written.to_string().replace("[\"N=3\"]", "[\"N=4\"]")).expect("writable");
    assert_eq!(run(&["check", name(&other)], "").status.code(), Some(1));
    // A header that has changed since is told with its line.
    std::fs::write(folder.join("src/mine.h"), MINE.replace("v < 5", "v < 6")).expect("writable");
    let output = run(&check, "");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).contains("they differ first in line ") && text(&output.stdout).contains("src/mine.h:5\n"),
        "{}",
        text(&output.stdout)
    );
}

/// The program of a suite is one file, and its tests take the sides that they are said to take.
#[test]
fn suites_need_no_headers() {
    let folder = project("suite");
    let (program, include) = (folder.join("src/main.c"), folder.join("inc"));
    for format in ["testcomp", "c"] {
        let out = folder.join(format);
        let output =
            run(&["branches", name(&program), "-I", name(&include), "-DN=3", "--tests-out", name(&out), "--tests-format", format], "");
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let out = folder.join("c");
    let copy = std::fs::read_to_string(out.join("main.c")).expect("the program");
    assert!(!copy.contains('\u{1c}') && copy.contains("#line 4 \"main.c\"\nint f(int x)"), "{copy}");
    let lcov = std::fs::read_to_string(out.join("coverage.info")).expect("the coverage");
    assert!(!lcov.contains("BRDA:15,") && lcov.contains("BRDA:5,"), "{lcov}");
    let suite = out.join("suite.c");
    let binary = out.join("suite");
    let Ok(built) = Command::new("gcc").args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o", name(&binary), name(&suite)]).output()
    else {
        return;
    };
    assert!(built.status.success(), "{}", text(&built.stderr));
    assert!(Command::new(&binary).status().expect("it runs").success());
}

#[test]
fn bytes_that_are_no_utf8_keep_their_values() {
    let folder = folder("bytes", &[]);
    std::fs::create_dir_all(&folder).expect("writable");
    let path = folder.join("latin1.c");
    std::fs::write(&path, b"/* caf\xe9 */ int main(void) { const char *s = \"\xe9\\xe8\xff\"; // \x80\n  return (s[0] == -23) + (s[1] == -24) * 2 + (s[2] == -1) * 4 + (sizeof \"\xe9\" == 2) * 8 + ('\xe9' == -23) * 16; }\n").expect("writable");
    agrees(&folder, &[name(&path)], 31);
    // Evidence and suites have the same bytes.
    let evidence = folder.join("e.json");
    document(&["run", name(&path), "--evidence", name(&evidence)]);
    assert_eq!(run(&["check", name(&evidence), "--program", name(&path)], "").status.code(), Some(0));
    let output = run_bytes(&["cover", "-"], b"int f(int x) { /* \xe9\xe9 */ return \xe9; }");
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(told.contains("-:1:32") && told.contains("the byte 0xE9, which is no UTF-8, means nothing in C"), "{told}");
    let told = text(&run_bytes(&["cover", "-"], b"int f(int x) { return x; } \0").stderr);
    assert!(told.contains("means nothing in C"), "{told}");
}

/// A project with a compilation database, and its document of a command line.
fn with_database(name: &str, database: &str) -> PathBuf {
    let program = "#include <cfg.h>\nint f(int x) {\n    if (x + 1L > 2147483647) return N;\n    if (FORCED && x == -5) return 1;\n    return MODE;\n}\n";
    let files = [
        ("src/a.c", program),
        ("inc/cfg.h", "enum { MODE = 4 };\n"),
        ("build/forced.h", "#define FORCED 1\n"),
        ("build/compile_commands.json", database),
    ];
    folder(name, &files)
}

const DATABASE: &str = r#"[
  {"directory": ".", "file": "../src/b.c", "command": "cc -c b.c"},
  {"directory": ".", "file": "../src/a.c", "arguments": ["cc", "-O2", "-I../inc", "-D", "N=7", "-UM", "-include", "forced.h", "-m32", "-funsigned-char", "-c", "../src/a.c"]}
]"#;

#[test]
fn options_of_a_compilation_database_are_taken() {
    let folder = with_database("database", DATABASE);
    let (program, database) = (folder.join("src/a.c"), folder.join("build"));
    let given = [name(&program), "--compile-commands", name(&database)];
    let found = document(&[&["branches"], &given[..]].concat());
    assert_eq!(found["options"]["target"], json!({ "abi": "ilp32", "char": "unsigned" }));
    assert_eq!(found["options"]["define"], json!(["N=7"]));
    assert_eq!(found["options"]["undefine"], json!(["M"]));
    assert_eq!(found["branches"], json!({ "total": 6, "covered": 4, "infeasible": 2, "open": 0 }));
    let lines: Vec<&Value> = found["list"].as_array().expect("sides").iter().map(|side| &side["line"]).collect();
    assert_eq!(lines, [3, 3, 4, 4, 4, 4], "the program's lines keep their numbers");
    // The command line wins.
    let file = folder.join("build/compile_commands.json");
    let other = document(&["branches", name(&program), "--compile-commands", name(&file), "-DN=8", "--abi", "lp64", "--char", "signed"]);
    assert_eq!((&other["options"]["target"], &other["options"]["define"]), (&Value::Null, &json!(["N=8"])));
    assert_eq!(other["branches"]["covered"], json!(5));
    // The evidence has all of it, and the check reads the same files.
    let evidence = folder.join("evidence.json");
    document(&[&["branches"], &given[..], &["--evidence", name(&evidence)]].concat());
    let check = || document(&["check", name(&evidence), "--program", name(&program)]);
    assert_eq!((&check()["differs_at"], &check()["rejected"]), (&Value::Null, &json!([])));
    std::fs::write(folder.join("build/forced.h"), "#define FORCED 0\n").expect("a file");
    assert!(check()["differs_at"].is_number());
}

/// A command is split as a shell does, and means the same as a list.
#[test]
fn commands_mean_what_lists_do() {
    let command = r#"[{"directory": "", "file": "../src/a.c", "command": "cc -I../inc '-DN=7' -DFORCED=\"1\" -m32 -c ../src/a.c"}]"#;
    let folder = with_database("database-command", command);
    let found = document(&["branches", name(&folder.join("src/a.c")), "--compile-commands", name(&folder.join("build"))]);
    assert_eq!(found["options"]["define"], json!(["N=7", "FORCED=1"]));
    assert_eq!(found["options"]["target"], json!({ "abi": "ilp32", "char": "signed" }));
}

/// What is wrong with a database is said with its place and a remedy.
#[test]
fn broken_databases_are_refused() {
    let entry = |keys: &str| format!("[{{{keys}}}]");
    let file = r#""file": "../src/a.c""#;
    let cases = [
        ("[{\"directory\": \".\",,}]".to_owned(), "compile_commands.json:1:20: key must be a string"),
        ("{}".to_owned(), "a compilation database is a JSON array"),
        ("[]".to_owned(), "has no entry for"),
        (entry(r#""directory": ".", "file": "b.c", "command": "cc""#), "it has b.c; name another file, or give its options with -I and -D"),
        (entry(file), "entry 1 has no `directory`"),
        (entry(r#""directory": ".""#), "entry 1 has no `file`"),
        (entry(&format!(r#""directory": ".", {file}"#)), "entry 1 has no `arguments`"),
        (entry(&format!(r#""directory": ".", {file}, "command": "cc '-DA""#)), "a quote in `command` is never closed"),
        (entry(&format!(r#""directory": ".", {file}, "arguments": ["cc", "-I"]"#)), "`-I` is the last argument; it needs a value"),
        (entry(&format!(r#""directory": ".", {file}, "arguments": ["cc", "-D1=2"]"#)), "`-D 1=2`: write NAME, NAME=VALUE"),
        (entry(&format!(r#""directory": ".", {file}, "arguments": ["cc", "-include", "none.h"]"#)), "none.h: "),
    ];
    for (at, (database, expected)) in cases.iter().enumerate() {
        let folder = with_database(&format!("database-{at}"), database);
        let said = refusal(&["branches", name(&folder.join("src/a.c")), "--compile-commands", name(&folder.join("build"))], "");
        assert!(said.contains(expected), "{database}: {said}");
    }
    let folder = with_database("database-none", "[]");
    let said = refusal(&["branches", name(&folder.join("src/a.c")), "--compile-commands", name(&folder.join("inc"))], "");
    assert!(said.contains("cannot read") && said.contains("compile_commands.json"), "{said}");
}

/// A suite says its target, and compilers for another target refuse it.
#[test]
fn suites_are_for_one_target() {
    let source = "int g(char c, long x, unsigned u) {\n    if (c > 127 && x > 2147483646) return 1;\n    if (x == -1 && x > u) return 2;\n    return c + sizeof(long);\n}\n";
    let folder = folder("suites", &[("g.c", source)]);
    let targets = [
        ("lp64", "x86_64-linux-gnu", "64bit"),
        ("ilp32", "i386-linux-gnu", "32bit"),
        ("llp64", "x86_64-w64-windows-gnu", "64bit"),
        ("int16", "msp430-none-elf", "16bit"),
    ];
    for (model, target, bits) in targets {
        let out = |format: &str| {
            let out = folder.join(format!("{model}-{format}"));
            let program = folder.join("g.c");
            let options = ["--abi", model, "--char", "unsigned", "--tests-format", format, "--tests-out", name(&out)];
            document(&[&["branches", name(&program)], &options[..]].concat());
            out
        };
        let metadata = std::fs::read_to_string(out("testcomp").join("metadata.xml")).expect("metadata");
        assert!(metadata.contains(&format!("<architecture>{bits}</architecture>")), "{metadata}");
        let suite = out("c").join("suite.c");
        assert!(std::fs::read_to_string(&suite).expect("a suite").contains(&format!("For the target {model} (")));
        let compiles = |target: &str, sign: &str| {
            let target = format!("--target={target}");
            let clang = Command::new("clang").args(["-fsyntax-only", "-w", &target, sign, name(&suite)]).output().ok();
            clang.map(|output| output.status.success())
        };
        for (other, triple, _) in targets {
            assert!(compiles(triple, "-funsigned-char").is_none_or(|compiles| compiles == (other == model)), "{model} for {triple}");
        }
        assert_ne!(compiles(target, "-fsigned-char"), Some(true), "{model}");
    }
}

#[test]
fn streams_as_values_are_approximated() {
    let text = "#include <stdio.h>\nstatic int get(FILE *in) { return fgetc(in); }\nint main(void) {\n  int c = getchar();\n  if (c == 'y') return 3;\n  c = get(stdin);\n  if (c == 'x') return 1;\n  return 0;\n}\n";
    let folder = folder("streams", &[("f.c", text)]);
    let (file, made) = (folder.join("f.c"), folder.join("made.c"));
    let mut forms = vec![file.clone()];
    if Command::new("gcc").args(["-E", name(&file), "-o", name(&made)]).status().is_ok_and(|status| status.success()) {
        forms.push(made);
    }
    for form in forms {
        let document = document(&["branches", name(&form), "--function", "main", "--limit", "200000"]);
        let verdicts: Vec<&Value> = document["list"].as_array().expect("branches").iter().map(|side| &side["verdict"]).collect();
        // Which character the function reads is one of standard input, which no draw stands for.
        assert_eq!(verdicts, ["covered", "covered", "open", "open"], "{}", form.display());
    }
}

#[test]
fn variables_may_have_the_names_of_other_parts_of_an_input() {
    let text = "int nondet_names;\nint f(int nondet, int stdin, int after) {\n  if (nondet > 3) return 1;\n  if (stdin == 4) return 2;\n  if (after) return 3;\n  return nondet_names > 7;\n}\n";
    let folder = folder("keys", &[("f.c", text)]);
    let (file, suite) = (folder.join("f.c"), folder.join("suite"));
    let document = document(&["branches", name(&file), "--tests-out", name(&suite), "--tests-format", "c"]);
    assert_eq!(document["branches"]["covered"], json!(6));
    assert_eq!(document["diagnostics"], json!([]));
    let binary = folder.join("a.out");
    if Command::new("gcc").args(["-o", name(&binary), name(&suite.join("suite.c"))]).status().is_ok_and(|status| status.success()) {
        assert!(Command::new(&binary).status().expect("the suite starts").success());
    }
}
