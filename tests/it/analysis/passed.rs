//! The lines of statements that have no edge of their own, in the graph and as targets; the functions whose text edges are of.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "#include <assert.h>
#include <stdlib.h>
static void help(void) {}
int f(int x)
{
    if (x > 3)
        x = 3;
    assert(x <= 3);
    while (x < 0) {
        help();
        break;
    }
    if (x == 2)
        abort();
    if (x > 5)
        return 1;
    goto out;
out:
    return 2;
}
";

fn answer(arguments: &[&str]) -> Value {
    answer_about("passed", SOURCE, arguments)
}

/// The answer about `f` of a program, in a folder of its own.
fn answer_about(folder: &str, source: &str, arguments: &[&str]) -> Value {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    std::fs::write(folder.join("f.c"), source).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_culdesac"));
    let output = command.current_dir(folder).args(arguments).args(["f.c", "--function", "f", "--json"]).output().expect("it starts");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// For each edge its line, its label and the lines that it passes.
#[test]
fn edges_tell_the_lines_that_they_pass() {
    let document = answer(&["cfg"]);
    let edges = document["edges"].as_array().expect("edges");
    let passed: Vec<String> = edges
        .iter()
        .filter(|edge| edge["passes"].as_array().is_some_and(|lines| !lines.is_empty()))
        .map(|edge| format!("{} {}", edge["label"].as_str().expect("a label"), edge["passes"]))
        .collect();
    assert_eq!(passed, ["x > 3 [8]", "x < 0 [10,11]", "x == 2 [14]", "x > 5 [16]", "x <= 5 [17,19]"]);
}

/// An assertion is a target by its failure alone, and a statement without an edge by the edges that lead to it.
#[test]
fn statements_without_edges_are_targets() {
    let verdict = |line: &str| answer(&["reach", "--target", line])["verdict"].as_str().expect("a verdict").to_owned();
    assert_eq!(verdict("10"), "reached");
    assert_eq!(verdict("11"), "reached");
    assert_eq!(verdict("14"), "reached");
    // Nothing above 3 is left, and the assertion says so.
    assert_eq!(verdict("16"), "unreachable");
    assert_eq!(verdict("8"), "unreachable");
}

const CALLING: &str = "#include <ctype.h>
static int twice(int x)
{
    return x + x;
}
int f(int a)
{
    int b = twice(a);
    if (isdigit(b))
        b = 0;
    return b;
}
";

/// Arguments and results of a call are of the caller's text, and so is a function of the library where it is called.
#[test]
fn edges_name_the_function_of_their_text() {
    let document = answer_about("inlined", CALLING, &["cfg"]);
    let edges = document["edges"].as_array().expect("edges");
    let function = |edge: &Value| document["functions"][edge["function"].as_u64().expect("a function") as usize].clone();
    let inlined: Vec<&Value> = edges.iter().filter(|edge| function(edge) == "twice").map(|edge| &edge["label"]).collect();
    assert_eq!(inlined, ["twice.result = twice.x + twice.x"]);
    assert!(edges.iter().any(|edge| edge["library"] == true && function(edge) == "f"));
    assert!(edges.iter().all(|edge| ["twice", "f"].contains(&function(edge).as_str().expect("a name"))));
}
