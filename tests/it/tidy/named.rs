//! Paths and commands that documents name exist: files of the repository, commands of `dev`, scripts, benches, tests by their module.

use super::{files, name, read, report, root};
use std::collections::BTreeSet;
use std::path::Path;

/// Documents of which paths and commands are looked up.
const DOCUMENTS: &[&str] = &["README.md", "CONTRIBUTING.md", "crate/DECISIONS.md", "dev"];

/// Paths that are no files of the repository: where a run writes to, folders that a reader brings, and patterns.
const ELSEWHERE: &[&str] = &["target/", "dist/", "stubs/", "web/docs/*.md", "lattice/reduced.rs"];

/// The backquoted parts of a text outside its blocks of code that look like a path of the repository: words with a slash, or with the
/// ending of a source or document file.
fn paths(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut is_block = false;
    for line in text.lines() {
        is_block ^= line.trim_start().starts_with("```");
        if !is_block {
            found.extend(line.split('`').skip(1).step_by(2).filter(|part| is_path(part)));
        }
    }
    found
}

fn is_path(part: &str) -> bool {
    let is_plain = part.chars().all(|c| c.is_ascii_alphanumeric() || "._-/*".contains(c));
    is_plain && part.contains('/') && part.starts_with(|c: char| c.is_ascii_lowercase() || c == '.')
}

fn missing_paths(file: &str, text: &str) -> Vec<String> {
    let is_there = |path: &&str| root().join(path).exists() || ELSEWHERE.iter().any(|prefix| path.starts_with(prefix));
    paths(text).into_iter().filter(|path| !is_there(path)).map(|path| format!("{file}: there is no `{path}`")).collect()
}

/// What a word names: lower case, without the punctuation of the sentence around it.
fn word(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !"._-/*:".contains(c)).unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ':', ','])
}

/// What `dev` has for each of its commands: the patterns of its last `case`.
fn commands_of_dev() -> BTreeSet<String> {
    let dev = read(&root().join("dev"));
    let cases = dev.rsplit_once("case \"${1:-}\" in").map_or("", |(_, cases)| cases);
    cases.lines().filter_map(|line| line.trim().split_once(") ")).map(|(command, _)| command.to_owned()).collect()
}

/// The modules of the tests, by name.
fn test_modules() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in files("tests/it", &["rs"]) {
        found.extend(read(&file).lines().filter_map(|line| line.trim().strip_prefix("mod ")).map(|rest| word(rest).to_owned()));
        found.extend(file.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        found.extend(file.parent().and_then(Path::file_name).map(|folder| folder.to_string_lossy().into_owned()));
    }
    found
}

/// The commands of a text that name what is not there.
fn missing_commands(file: &str, text: &str) -> Vec<String> {
    let (dev, modules) = (commands_of_dev(), test_modules());
    let named = |before: &'static str| text.match_indices(before).map(move |(at, _)| word(&text[at + before.len()..]));
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
    let mut wrong = Vec::new();
    for command in named("./dev ").filter(is_name).filter(|command| !dev.contains(*command)) {
        wrong.push(format!("{file}: `./dev {command}` does not exist"));
    }
    for script in named("node scripts/").filter(|script| !root().join("scripts").join(script).exists()) {
        wrong.push(format!("{file}: `scripts/{script}` does not exist"));
    }
    for bench in named("--bench ").filter(is_name).filter(|bench| !root().join(format!("benches/{bench}.rs")).exists()) {
        wrong.push(format!("{file}: there is no bench `{bench}`"));
    }
    for tests in named("--test it ").filter(is_name) {
        for part in tests.split("::").filter(|part| !part.is_empty() && !modules.contains(*part)) {
            wrong.push(format!("{file}: there are no tests `{part}` (`--test it {tests}`)"));
        }
    }
    wrong
}

#[test]
fn documents_name_what_exists() {
    let mut documents: Vec<_> = DOCUMENTS.iter().map(|path| root().join(path)).collect();
    documents.extend(files("web/docs", &["md"]));
    let wrong = documents.iter().flat_map(|path| {
        let (file, text) = (name(path), read(path));
        [missing_paths(&file, &text), missing_commands(&file, &text)].concat()
    });
    report(wrong.collect());
}

#[test]
fn what_does_not_exist_is_seen() {
    let text = "The reader is in `crate/nowhere.rs`, the checker in `crate/evidence/check.rs`, and `a/b` or `P -> Q/2` is no sentence.\n\
        ```\n`crate/code.rs`\n```\n";
    assert_eq!(missing_paths("a.md", text), ["a.md: there is no `crate/nowhere.rs`", "a.md: there is no `a/b`"]);
    assert!(missing_commands("a.md", "Call `./dev test`, or ./dev COMMAND; `cargo bench --bench cover`, `--test it solver::`").is_empty());
    let wrong = missing_commands("a.md", "`./dev tests`, `node scripts/none.mjs`, `--bench none`, `cargo test --test it none::`.");
    assert_eq!(wrong.len(), 4, "{wrong:?}");
}
