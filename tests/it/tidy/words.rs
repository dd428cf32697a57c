//! Guards the words: no pronouns in place of the thing that is meant, no private words in place of the field's. Prose is comments
//! and pages; names are the parts of identifiers, `is_known` has `is` and `known`.
//!
//! Not in the lists: `whose` as a relative pronoun of things ("paths whose conditions contradict each other" is the field's English),
//! and *known*, *shown*, *place* in prose, where they have their usual meaning ("a known length", "what has to be shown").

use super::rust_text::{code, without_tests};
use super::{files, is_test_file, name, read, report};

/// Words that prose may not have, with what to say.
const PROSE: &[(&str, &str)] = &[
    ("nobody", "name the caller, the request, the analysis that does not"),
    ("somebody", "name the caller, the prover, the reader"),
    ("someone", "name the caller, the prover, the reader"),
    ("whoever", "name the caller, the prover, the reader"),
    ("anybody", "name the caller, the prover, the reader"),
    ("everybody", "name all callers, provers, compilers"),
    ("who", "name the caller, the prover, the finder; things have `that` and `which`"),
    ("whom", "name the caller, the prover, the finder"),
    ("behind", "`after` in text and time, `past` an end, `of` a pointer"),
];
/// Files that speak of persons: a visitor who pays.
const OF_PERSONS: &[&str] = &["README.md"];

/// Parts that names may not have, with what to call the thing.
const NAMES: &[(&str, &str)] = &[
    ("known", "facts, invariants, premises; cached, memo; seen, existing; declared"),
    ("wanted", "goal, goals, obligation; expected, requested"),
    ("unwanted", "excluded"),
    ("shown", "proved; text, displayed"),
    ("unshown", "unproved"),
    ("behind", "after, successor, rest"),
    ("place", "node of a pruned graph, location; lvalue; span, position"),
    ("places", "nodes, locations; lvalues; spans, positions"),
    ("asked", "query, queries, requested; observer"),
    ("who", "name, prover, caller"),
    ("nobody", "name what is absent"),
    ("somebody", "name the component"),
    ("those", "name the things"),
];

/// Where names with these parts remain, how many: the number falls, it never rises. Nearly all are keys of documents and of evidence,
/// which are a contract (`place` with its `TextPlace`, `FamilyState::known`, `PrunedGraph::places`, `BranchesWanted`, `steps_shown`).
/// In `crate/lang` they are names that lowering uses, which will be replaced.
const REMAINING: &[(&str, usize)] = &[
    ("crate/analysis/branches", 32),
    ("crate/analysis/cfg", 9),
    ("crate/analysis/check", 2),
    ("crate/analysis/cover", 23),
    ("crate/analysis/protocol", 2),
    ("crate/analysis/prune", 9),
    ("crate/analysis/reach", 15),
    ("crate/analysis/report", 15),
    ("crate/analysis/run", 23),
    ("crate/bin", 9),
    ("crate/evidence", 14),
    ("crate/lang", 12),
    ("crate/load", 4),
    ("crate/view", 23),
];
/// The same for prose: nothing remains.
const REMAINING_PROSE: &[(&str, usize)] = &[];
/// These will be replaced; they are exempt until then.
const REPLACED: &[&str] = &["crate/lts/lower", "crate/lang/tables"];

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The comments of Rust code: on each line what stands after `//`, where nothing but a comment follows.
fn comments(source: &str) -> Vec<(usize, &str)> {
    let code = code(source);
    let pairs = source.lines().zip(code.lines()).zip(1..);
    let comment = |((line, code), number): ((&'_ str, &str), usize)| {
        let blank = code.trim_end().len();
        let (at, _) = line.match_indices("//").find(|(at, _)| *at >= blank)?;
        Some((number, at))
    };
    let found: Vec<(usize, usize)> = pairs.filter_map(comment).collect();
    let lines: Vec<&str> = source.lines().collect();
    found.into_iter().map(|(number, at)| (number, &lines[number - 1][at..])).collect()
}

/// Words of prose that are private.
fn in_prose(file: &str, lines: &[(usize, &str)]) -> Vec<String> {
    let is_of_persons = OF_PERSONS.contains(&file);
    let mut wrong = Vec::new();
    for (number, line) in lines {
        for word in line.split(|c: char| !is_letter(c)) {
            let found = PROSE.iter().find(|(private, _)| word.eq_ignore_ascii_case(private));
            if let Some((private, instead)) = found.filter(|(private, _)| !is_of_persons || !["who", "whom"].contains(private)) {
                wrong.push(format!("{file}:{number}: `{private}`: {instead}"));
            }
        }
    }
    wrong
}

/// The parts of a name in lower case: `PrunePlace` and `prune_place` have `prune` and `place`.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if c == '_' || (c.is_uppercase() && was_lower) {
            parts.push(String::new());
        }
        if c != '_' {
            parts.last_mut().expect("there is always one").extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    parts
}

/// Names in Rust code that are private.
fn in_names(file: &str, source: &str) -> Vec<String> {
    let code = without_tests(&code(source));
    let mut wrong = Vec::new();
    for (line, number) in code.lines().zip(1..) {
        for word in line.split(|c: char| !is_letter(c)).filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_')) {
            let parts = parts(word);
            if let Some((private, instead)) = NAMES.iter().find(|(private, _)| parts.iter().any(|part| part == private)) {
                wrong.push(format!("{file}:{number}: `{word}` has `{private}`: {instead}"));
            }
        }
    }
    wrong
}

/// What is wrong beyond what may remain: each finding belongs to the longest of the folders that it lies in.
fn beyond(remaining: &[(&str, usize)], found: Vec<String>) -> Vec<String> {
    let folder = |finding: &str| {
        let folders = remaining.iter().filter(|(folder, _)| finding.starts_with(folder)).map(|(folder, _)| *folder);
        folders.max_by_key(|folder| folder.len())
    };
    let mut wrong: Vec<String> = found.iter().filter(|finding| folder(finding).is_none()).cloned().collect();
    for (own, most) in remaining {
        let here: Vec<&String> = found.iter().filter(|finding| folder(finding) == Some(own)).collect();
        if here.len() > *most {
            wrong.push(format!("{own}: {} private words, of at most {most}:", here.len()));
            wrong.extend(here.into_iter().cloned());
        }
    }
    wrong
}

fn is_replaced(file: &str) -> bool {
    REPLACED.iter().any(|prefix| file.starts_with(prefix))
}

#[test]
fn comments_name_what_they_mean() {
    let all = files("crate", &["rs"]).into_iter().map(|path| (name(&path), read(&path)));
    let found = all.filter(|(file, _)| !is_replaced(file)).flat_map(|(file, source)| in_prose(&file, &comments(&source)));
    report(beyond(REMAINING_PROSE, found.collect()));
}

#[test]
fn pages_name_what_they_mean() {
    let pages = files("web/docs", &["md"])
        .into_iter()
        .chain(["README.md", "CONTRIBUTING.md", "crate/DECISIONS.md"].map(|file| super::root().join(file)));
    let found = pages.flat_map(|path| {
        let text = read(&path);
        let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).collect();
        in_prose(&name(&path), &lines)
    });
    report(beyond(REMAINING_PROSE, found.collect()));
}

#[test]
fn names_are_those_of_the_field() {
    let all = files("crate", &["rs"]).into_iter().map(|path| (name(&path), read(&path)));
    let found = all.filter(|(file, _)| !is_replaced(file) && !is_test_file(file)).flat_map(|(file, source)| in_names(&file, &source));
    report(beyond(REMAINING, found.collect()));
}

#[test]
fn private_words_are_seen() {
    let prose = |source: &str| in_prose("crate/logic.rs", &comments(source)).len();
    assert_eq!(prose("/// Whoever knows first concludes.\nfn f() {} // nobody\n//! behind it, and behind that\n"), 4);
    assert_eq!(prose("let nobody = \"who // whoever\"; // the prover\nlet url = \"https://nobody\";\n"), 0);
    assert_eq!(prose("// Paths whose conditions contradict each other, whole.\n"), 0);
    assert_eq!(in_prose("README.md", &[(1, "A visitor who pays is somebody.")]).len(), 1);
    let names = |source: &str| in_names("crate/logic.rs", source).len();
    assert_eq!(names("fn is_known(wanted: u8) -> PrunePlace { sums_behind.asked }"), 5);
    assert_eq!(names("fn replace(unknown: Unknown) { placement = showing; } // known\nconst S: &str = \"known\";"), 0);
    assert_eq!(names("#[cfg(test)]\nmod tests { fn known() {} }\n"), 0);
    assert_eq!(parts("MAX_STEPS_SHOWN"), ["max", "steps", "shown"]);
    let found = || vec!["crate/a/b.rs:1: x".to_owned(), "crate/a/c.rs:1: x".to_owned(), "crate/d.rs:1: x".to_owned()];
    assert_eq!(beyond(&[("crate/a", 2), ("crate/d", 1)], found()).len(), 0);
    assert_eq!(
        beyond(&[("crate/a", 1)], found()),
        ["crate/d.rs:1: x", "crate/a: 2 private words, of at most 1:", "crate/a/b.rs:1: x", "crate/a/c.rs:1: x"]
    );
    assert_eq!(beyond(&[("crate/a", 1), ("crate/a/b", 1), ("crate/d", 1)], found()).len(), 0);
}
