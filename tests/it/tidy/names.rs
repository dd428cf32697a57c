//! One name, one meaning: no type name is defined twice, no type has more than fifteen fields, no circle of files has an analysis'
//! method in it, no prose has pronouns in place of the field's nouns, and what texts name exists.

use super::rust_text::{code, paths, without_tests};
use super::{files, is_test_file, module, name, read, report};
use std::collections::{BTreeMap, BTreeSet};

/// What stands on its own until the memory model replaces it.
const REPLACED: &[&str] = &["crate/lts/lower", "crate/lang/tables"];

/// Type names that are defined twice on purpose: C's syntax tree and the program model have the same operators and expressions; plain
/// data for page and `--json` is named as what it is written from; of two kinds of build each has its adviser.
const TWICE: &[&str] = &["BinaryOp", "Builtin", "Diagnostic", "Event", "Expr", "Input", "Severity"];

/// The most fields of a type.
const MOST_FIELDS: usize = 15;
/// Types with more: the states of searches, which algorithms share as a whole, and plain data. The number may fall, never rise.
const LARGE: &[(&str, usize)] = &[("ClaimKeys", 19), ("Parser", 16), ("RedBlack", 20), ("Search", 29), ("States", 17)];

/// Files that use each other in a circle, each circle by one of them: none may be added.
const CIRCLES: &[&[&str]] = &[&["lts::entry", "lts::lower"]];

fn is_replaced(file: &str) -> bool {
    REPLACED.iter().any(|prefix| file.starts_with(prefix))
}

fn library() -> Vec<(String, String)> {
    let all = files("crate", &["rs"]).into_iter().map(|path| (name(&path), read(&path)));
    all.filter(|(file, _)| !is_test_file(file)).map(|(file, source)| (file, without_tests(&code(&source)))).collect()
}

/// The types that a file defines at its top: each name with the text after it.
fn types(code: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = code;
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let item = match line.strip_prefix("pub(").and_then(|line| line.split_once(") ")) {
            Some((_, item)) => item,
            None => line.strip_prefix("pub ").unwrap_or(line),
        };
        let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
        if let Some(named) = kinds.iter().find_map(|kind| item.strip_prefix(kind)) {
            let end = named.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(named.len());
            found.push((&named[..end], &rest[line.find(named).unwrap_or(0) + end..]));
        }
        rest = after;
    }
    found
}

/// How many fields the body of a structure has that begins this text; 0 where there is none.
fn fields(text: &str) -> usize {
    let Some(open) = text.find(['{', ';', '(']).filter(|&at| text.as_bytes()[at] == b'{') else { return 0 };
    let body = &text[open + 1..];
    let body = &body[..body.find("\n}").unwrap_or(0)];
    let is_field = |line: &&str| {
        let line = line.strip_prefix("    ").unwrap_or("");
        let line = match line.strip_prefix("pub(").and_then(|line| line.split_once(") ")) {
            Some((_, field)) => field,
            None => line.strip_prefix("pub ").unwrap_or(line),
        };
        let end = line.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(line.len());
        end > 0 && line[..end].starts_with(|c: char| c.is_lowercase() || c == '_') && line[end..].starts_with(": ")
    };
    body.lines().filter(is_field).count()
}

fn defined_twice(sources: &[(String, String)]) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (file, code) in sources.iter().filter(|(file, _)| !is_replaced(file)) {
        types(code).into_iter().for_each(|(name, _)| places.entry(name).or_default().push(file));
    }
    let twice = places.into_iter().filter(|(name, places)| places.len() > 1 && !TWICE.contains(name));
    twice.map(|(name, places)| format!("`{name}` is defined in {}", places.join(" and "))).collect()
}

fn too_large(sources: &[(String, String)]) -> Vec<String> {
    let mut wrong = Vec::new();
    // Documents are plain data; their keys are a contract.
    for (file, code) in sources.iter().filter(|(file, _)| !is_replaced(file) && !file.ends_with("/document.rs")) {
        for (name, text) in types(code) {
            let (count, bound) = (fields(text), LARGE.iter().find(|(large, _)| *large == name).map_or(MOST_FIELDS, |(_, count)| *count));
            if count > bound {
                wrong.push(format!("{file}: `{name}` has {count} fields, of at most {bound}: group them"));
            }
        }
    }
    wrong
}

/// The modules that a file uses, apart from those above and below it: a module and its parts are one thing.
fn uses(file: &str, code: &str, modules: &BTreeSet<String>) -> Option<(String, BTreeSet<String>)> {
    let own = module(file)?;
    let full = own.join("::");
    let related = |other: &str| other.starts_with(&format!("{full}::")) || full.starts_with(&format!("{other}::")) || other == full;
    let mut used = BTreeSet::new();
    for path in paths(code, &own) {
        let longest = (1..=path.len()).rev().map(|length| path[..length].join("::")).find(|name| modules.contains(name));
        used.extend(longest.filter(|other| !related(other)));
    }
    Some((full, used))
}

/// The circles among modules: sets of more than one that use each other.
fn circles(uses: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reachable = |from: &String| {
        let (mut seen, mut work) = (BTreeSet::new(), vec![from]);
        while let Some(module) = work.pop() {
            for next in uses.get(module).into_iter().flatten() {
                if seen.insert(next) {
                    work.push(next);
                }
            }
        }
        seen
    };
    let all: BTreeMap<&String, BTreeSet<&String>> = uses.keys().map(|module| (module, reachable(module))).collect();
    let mut found = BTreeSet::new();
    for (module, reached) in all.iter().filter(|(module, reached)| reached.contains(*module)) {
        let circle = reached.iter().filter(|other| all.get(*other).is_some_and(|back| back.contains(module)));
        found.insert(circle.map(|&other| other.clone()).collect::<Vec<String>>());
    }
    found.into_iter().collect()
}

#[test]
fn type_names_are_defined_once() {
    report(defined_twice(&library()));
}

#[test]
fn types_have_few_fields() {
    report(too_large(&library()));
}

#[test]
fn files_use_each_other_one_way() {
    let library = library();
    let modules: BTreeSet<String> = library.iter().filter_map(|(file, _)| module(file)).map(|module| module.join("::")).collect();
    let uses =
        library.iter().filter(|(file, _)| !file.starts_with("crate/lts/lower/")).filter_map(|(file, code)| uses(file, code, &modules));
    let found = circles(&uses.collect());
    let is_known = |circle: &Vec<String>| CIRCLES.iter().any(|known| circle.iter().all(|module| known.contains(&module.as_str())));
    report(
        found.into_iter().filter(|circle| !is_known(circle)).map(|circle| format!("a circle of files: {}", circle.join(", "))).collect(),
    );
}

#[test]
fn names_and_fields_are_seen() {
    let sources = |texts: &[&str]| -> Vec<(String, String)> {
        texts.iter().enumerate().map(|(at, text)| (format!("crate/{at}.rs"), (*text).to_owned())).collect()
    };
    assert_eq!(defined_twice(&sources(&["pub struct A;\n", "enum B { A }\n"])).len(), 0);
    assert_eq!(defined_twice(&sources(&["pub struct A;\n", "pub(super) enum A { B }\n"])), ["`A` is defined in crate/0.rs and crate/1.rs"]);
    assert_eq!(fields("<'a> {\n    a: u8,\n    pub b: u8,\n    pub(super) c: Vec<(u8, u8)>,\n}\n    d: u8,\n"), 3);
    assert_eq!(fields("(u8, u8);\nstruct B {\n    a: u8,\n}"), 0);
    let body: String = (0..16).map(|at| format!("    a{at}: u8,\n")).collect();
    assert_eq!(too_large(&sources(&[&format!("struct A {{\n{body}}}\n")])).len(), 1);
    let uses = |pairs: &[(&str, &str)]| {
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        pairs.iter().for_each(|(from, to)| {
            uses.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        });
        circles(&uses)
    };
    assert!(uses(&[("a", "b"), ("b", "c"), ("a", "c")]).is_empty());
    assert_eq!(uses(&[("a", "b"), ("b", "c"), ("c", "b")]), [["b", "c"]]);
}
