//! The reference of the language is right: what it calls understood is understood, what it calls refused is refused.

use super::read;
use culdesac::analysis::cfg::cfg;
use culdesac::view::{Ints, Reply, Request};

const LANGUAGE: &str = "web/docs/language.md";

/// The examples of a section: the last code of each row, with what stands in front of it.
fn examples_of(page: &str, heading: &str) -> Vec<(String, Vec<String>)> {
    let section = page.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("there is no section `{heading}`")).1;
    let rows = section.lines().take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| ")).skip(1);
    rows.filter(|row| !row.starts_with("|---"))
        .map(|row| {
            let codes: Vec<String> = row.split('`').skip(1).step_by(2).map(str::to_owned).collect();
            (codes.last().cloned().unwrap_or_default(), codes)
        })
        .collect()
}

/// What the language reference calls understood is understood, in both modes; what it calls refused is refused with that message.
#[test]
fn the_language_is_as_the_reference_says() {
    let page = read(LANGUAGE);
    let request = |source: &str, ints| Request {
        program: "example.c".to_owned(),
        source: source.to_owned(),
        function: None,
        limit: None,
        seed: 0,
        ints: Some(ints),
        inline_depth: None,
        ..Request::default()
    };
    let mut accepted = 0;
    for heading in ["## What is exact", "## What is an input", "## What is approximated"] {
        for (example, _) in examples_of(&page, heading) {
            for ints in [Ints::C32, Ints::Unbounded] {
                let reply = cfg(&request(&example, ints));
                assert!(matches!(reply, Reply::Document { .. }), "{example}: {reply:?}");
                accepted += 1;
            }
        }
    }
    let mut refused = 0;
    for (example, codes) in examples_of(&page, "## What is refused") {
        let reply = cfg(&request(&example, Ints::C32));
        // Of a place that is approximated a warning says the same.
        let diagnostics = match reply {
            Reply::Refused { diagnostics } => diagnostics,
            Reply::Document { document } => document.header.diagnostics,
        };
        let found: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect();
        assert!(codes.iter().any(|code| found.contains(&code.as_str())), "{example}: {found:?}");
        refused += 1;
    }
    assert!(accepted >= 50 && refused >= 9, "{accepted} and {refused} examples");
}

/// The language reference has a row for each function of the library, and for each that has a meaning of its own.
#[test]
fn every_function_of_the_library_is_listed() {
    let page = read(LANGUAGE);
    let table = page.split("## The library, one function at a time").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("the table");
    let first: String = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()).collect::<Vec<_>>().join(" ");
    // What the text of a program does not call by its name.
    let hidden = |name: &&str| !name.contains([' ', '%']);
    let intrinsics =
        ["assert", "abs", "atoi", "rand", "srand", "malloc", "calloc", "realloc", "free", "exit", "abort", "printf", "fprintf"];
    let others = ["puts", "putchar", "fputs", "fputc", "putc", "getchar", "getc", "scanf", "fscanf", "time", "fflush", "perror"];
    for name in culdesac::lang::library::names().filter(hidden).chain(intrinsics).chain(others) {
        assert!(first.contains(&format!("`{name}`")), "{LANGUAGE} does not list `{name}`");
    }
}
