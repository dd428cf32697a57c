//! Guards what compilers do not: the direction of module dependencies, file sizes, headers, and words that must not
//! appear. The matchers are tested on bad snippets below, so that the guards can fail.

mod named;
mod names;
mod parameters;
mod rooms;
mod rust_text;
mod words;

use rust_text::{code, paths, without_tests};
use std::fs;
use std::path::{Path, PathBuf};

/// For each top-level module of `crate/` the others it may use. Whatever is missing here is refused.
const LAYERS: &[(&str, &[&str])] = &[
    ("logic", &[]),
    ("source", &["logic"]),
    ("lang", &["source", "logic"]),
    ("pointer", &["lang", "logic"]),
    ("memory", &["lang", "source", "logic"]),
    ("lts", &["memory", "pointer", "lang", "source", "logic"]),
    ("automaton", &["lts", "logic"]),
    ("count", &["lts", "logic"]),
    ("interp", &["lts", "logic"]),
    ("generate", &["count"]),
    ("solver", &["logic"]),
    ("symex", &["interp", "lts", "lang", "source", "logic"]),
    ("view", &["interp", "lts", "source", "logic"]),
    ("load", &["view", "symex", "lts", "lang", "source", "logic"]),
    ("evidence", &["load", "view", "symex", "interp", "count", "lts", "source", "solver", "logic"]),
    ("search", &["symex", "interp", "lts", "lang", "source", "solver", "logic"]),
    ("states", &["symex", "interp", "lts", "lang", "source", "solver", "logic"]),
    ("smtlib", &["view", "source", "solver", "logic"]),
    ("ledger", &["view", "interp", "lts", "source", "logic"]),
    ("answer_page", &["source"]),
    ("export", &["evidence", "load", "view", "interp", "lts", "lang", "source", "logic"]),
    ("run", &["evidence", "load", "view", "count", "symex", "interp", "lts", "lang", "source", "solver", "logic"]),
    ("invariants", &["run", "evidence", "search", "states", "symex", "interp", "lts", "lang", "source", "solver", "logic"]),
    (
        "counting",
        &[
            "invariants",
            "load",
            "view",
            "count",
            "run",
            "evidence",
            "search",
            "states",
            "symex",
            "interp",
            "lts",
            "lang",
            "source",
            "solver",
            "logic",
        ],
    ),
    (
        "sequences",
        &[
            "invariants",
            "load",
            "view",
            "count",
            "run",
            "evidence",
            "search",
            "states",
            "symex",
            "interp",
            "lts",
            "lang",
            "source",
            "solver",
            "logic",
        ],
    ),
    (
        "analysis",
        &[
            "run",
            "invariants",
            "ledger",
            "answer_page",
            "counting",
            "sequences",
            "evidence",
            "export",
            "load",
            "view",
            "generate",
            "smtlib",
            "search",
            "states",
            "symex",
            "automaton",
            "count",
            "interp",
            "lts",
            "lang",
            "source",
            "solver",
            "logic",
        ],
    ),
    ("justify", &["analysis", "answer_page", "export", "evidence", "load", "view", "lts", "lang", "source", "logic"]),
];

/// What is trusted: that an accepted claim is true rests on these modules alone, so they may use nothing else. The header of
/// `crate/evidence.rs` says what each must do right.
const TRUSTED: &[&str] = &[
    "source",
    "logic",
    "lang",
    "pointer",
    "memory",
    "lts",
    "interp",
    "symex",
    "count",
    "solver::certificate",
    "solver::check",
    "view",
    "load",
    "evidence",
];

/// Modules of one layer that must not know each other.
const STRANGERS: &[&str] = &["analysis"];
/// Of those, the parts that are shared by the others.
const SHARED: &[&str] = &["analysis::options", "analysis::text", "analysis::protocol"];
/// Of those, the modules that one lends to another: the borrower, and the module.
const LENT: &[(&str, &str)] = &[
    // Paths are drawn, and explained in rounds, in the pruned graph.
    ("analysis::draw", "analysis::prune::method::graph"),
    ("analysis::draw", "analysis::prune::report::graph_settings"),
    ("analysis::draw", "analysis::prune::report::graph_options"),
    ("analysis::explain", "analysis::prune::method::graph"),
    // It puts the verdicts of all engines into one ledger.
    ("analysis::report", "analysis::cover"),
    ("analysis::report", "analysis::branches"),
    ("analysis::report", "analysis::settle"),
    // It writes a report in a form that the page asks for.
    ("analysis::forms", "analysis::report"),
    // A property makes error calls its goals, which are targets of Reach.
    ("analysis::report::error_search", "analysis::reach"),
    // The goals of criteria are settled as branches are, and stand beside them.
    ("analysis::criteria", "analysis::cover"),
    ("analysis::criteria", "analysis::settle"),
    ("analysis::criteria", "analysis::report::entries"),
    ("analysis::report", "analysis::criteria"),
    ("analysis::cover::report", "analysis::criteria"),
    // It asks the engines in turn.
    ("analysis::settle", "analysis::cover"),
    ("analysis::settle", "analysis::branches"),
    ("analysis::settle", "analysis::reach"),
    // Commands answer with the verdicts of all engines.
    ("analysis::cover::report::command", "analysis::settle"),
    ("analysis::branches::report::command", "analysis::settle"),
    ("analysis::reach::report::command", "analysis::settle"),
    // It compares the algorithms that cover.
    ("analysis::compare", "analysis::cover::method"),
    ("analysis::compare", "analysis::cover::report"),
];

/// Files with stricter rules than their module: which paths below `crate` they may use.
const STRICT: &[(&str, &[&str])] = &[("solver::check", &["logic", "solver::certificate", "solver::check"])];

/// Words that the library must not contain outside tests, and why.
const FORBIDDEN: &[(&str, &str)] = &[
    (".unwrap()", "say with `expect` which invariant holds"),
    ("todo!", "no unfinished code"),
    ("unimplemented!", "no unfinished code"),
    ("panic!", "errors are values; for a broken invariant use `expect` or `unreachable!`"),
    ("dbg!", "no debugging output"),
    ("println!", "the library does not print"),
    ("eprintln!", "the library does not print"),
    ("Instant", "there is no clock in WebAssembly"),
    ("SystemTime", "there is no clock in WebAssembly"),
    ("thread_rng", "random bits come from a seed"),
    (".sort()", ARRANGE),
    (".sort_unstable()", ARRANGE),
    (".sort_by", ARRANGE),
    (".sort_by_key", ARRANGE),
    (".sort_unstable_by", ARRANGE),
    (".sort_unstable_by_key", ARRANGE),
];

/// Where the standard library sorts, and where `sort` is the type of a term; the page has nothing of the latter.
const SORTS: &[&str] = &["crate/logic/ascending.rs", "crate/smtlib"];
const ARRANGE: &str = "`Arrange` is one routine for all types of elements";

const MAX_LINES: usize = 600;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below `folder` whose name ends in one of these, in order, without what is built.
fn files(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() && !["target", "node_modules", "dist"].contains(&name.as_str()) && !name.starts_with('.') {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extensions.iter().any(|e| extension == *e)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// The module path of a library file: `crate/lts/dot.rs` is `["lts", "dot"]`; `None` for the root and the binary.
fn module(file: &str) -> Option<Vec<String>> {
    let inner = file.strip_prefix("crate/")?.strip_suffix(".rs")?;
    if inner == "lib" || inner.starts_with("bin/") {
        return None;
    }
    Some(inner.split('/').filter(|part| *part != "mod").map(str::to_owned).collect())
}

fn is_test_file(file: &str) -> bool {
    file.ends_with("/tests.rs") || file.contains("/tests/")
}

/// What is wrong with the dependencies of a library file.
fn check_direction(file: &str, source: &str) -> Vec<String> {
    let Some(module) = module(file).filter(|_| !is_test_file(file)) else { return Vec::new() };
    let own = module[0].as_str();
    let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| *layer == own) else {
        return vec![format!("{file}: `{own}` has no place in LAYERS of tests/it/tidy.rs")];
    };
    let mut wrong = Vec::new();
    let full_name = module.join("::");
    for path in paths(&without_tests(&code(source)), &module) {
        let Some(used) = path.first() else { continue };
        if used != own && LAYERS.iter().any(|(layer, _)| layer == used) && !allowed.contains(&used.as_str()) {
            wrong.push(format!("{file}: `{own}` must not use `{}`", path.join("::")));
        }
        let below = |name: &str, prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
        let is_trusted = |name: &str| TRUSTED.iter().any(|trusted| below(name, trusted));
        let is_layer = LAYERS.iter().any(|(layer, _)| layer == used);
        if is_trusted(&full_name) && is_layer && allowed.contains(&used.as_str()) && !is_trusted(&path.join("::")) {
            wrong.push(format!("{file}: `{full_name}` is trusted and must not use `{}`", path.join("::")));
        }
        let under = |prefix: &str| path.join("::").starts_with(prefix) || prefix.starts_with(&path.join("::"));
        for (strict, allowed) in STRICT {
            if full_name.starts_with(strict) && !allowed.iter().any(|prefix| under(prefix)) {
                wrong.push(format!("{file}: `{strict}` must not use `{}`", path.join("::")));
            }
        }
        if STRANGERS.contains(&own) && used == own && module.len() > 1 && path.len() > 1 {
            // Only modules count, and those are lower case.
            let is_module =
                root().join(format!("crate/{own}/{}.rs", path[1])).exists() || root().join(format!("crate/{own}/{}", path[1])).is_dir();
            let is_lent = LENT.iter().any(|(to, lent)| below(&full_name, to) && below(&path.join("::"), lent));
            if is_module && path[1] != module[1] && !is_lent && !SHARED.iter().any(|shared| under(shared)) {
                wrong.push(format!("{file}: `{full_name}` must not use `{}`", path.join("::")));
            }
        }
    }
    wrong
}

/// Forbidden words in a library file.
fn check_words(file: &str, source: &str) -> Vec<String> {
    if is_test_file(file) || file.starts_with("crate/bin/") {
        return Vec::new();
    }
    let code = without_tests(&code(source));
    let boundary = |at: Option<u8>| !at.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let mut wrong = Vec::new();
    for &(word, why) in FORBIDDEN.iter().filter(|(_, why)| *why != ARRANGE || !SORTS.iter().any(|own| file.starts_with(own))) {
        for (at, _) in code.match_indices(word) {
            let before = at.checked_sub(1).map(|i| code.as_bytes()[i]);
            let after = code.as_bytes().get(at + word.len()).copied();
            if (word.starts_with('.') || boundary(before)) && (word.ends_with(['!', ')']) || boundary(after)) {
                wrong.push(format!("{file}:{}: `{word}`: {why}", code[..at].matches('\n').count() + 1));
            }
        }
    }
    wrong
}

/// The header and the size of a source file.
fn check_shape(file: &str, source: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let header: Vec<_> = source.lines().take_while(|line| line.starts_with("//!")).collect();
    if header.is_empty() {
        wrong.push(format!("{file}: starts without a `//!` header"));
    }
    let lines = source.lines().count();
    if lines > MAX_LINES && !header.iter().any(|line| line.contains("Longer than")) {
        wrong.push(format!("{file}: {lines} lines; split it, or give the reason in the header (\"Longer than …\")"));
    }
    wrong
}

/// Paths of one machine, and notes to oneself.
fn check_text(file: &str, text: &str) -> Vec<String> {
    // In pieces, since this file is checked too.
    let machine =
        [["/", "tmp/"], ["/", "home/"], ["/", "root/"], ["/", "work/"], ["/", "Users/"], ["C:", "\\"], ["TO", "DO"], ["FIX", "ME"]];
    let mut wrong = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for pieces in &machine {
            let word = pieces.concat();
            // `node_modules/tmp/…` and addresses on the web are not paths of a machine.
            let hit = line.match_indices(&word).any(|(at, _)| {
                !pieces[0].starts_with('/') || !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.' || c == '-' || c == '_')
            });
            if hit {
                wrong.push(format!("{file}:{}: contains `{word}`", number + 1));
            }
        }
    }
    wrong
}

fn report(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

fn check(folders: &[&str], extensions: &[&str], check: impl Fn(&str, &str) -> Vec<String>) {
    let files: Vec<_> = folders.iter().flat_map(|folder| files(folder, extensions)).collect();
    assert!(!files.is_empty(), "no files found in {folders:?}");
    report(files.iter().flat_map(|path| check(&name(path), &read(path))).collect());
}

#[test]
fn modules_point_one_way() {
    check(&["crate"], &["rs"], check_direction);
}

#[test]
fn the_library_has_no_forbidden_words() {
    check(&["crate"], &["rs"], check_words);
}

#[test]
fn files_have_headers_and_bounds() {
    check(&["crate", "tests", "web", "benches", "fuzz"], &["rs"], check_shape);
}

#[test]
fn texts_name_no_machine() {
    check(&["crate", "tests", "web", "benches", "examples", "fuzz"], &["rs", "ts", "html", "css", "toml", "md", "c", "txt"], check_text);
}

#[test]
fn the_page_sees_only_what_is_asked_and_answered() {
    check(&["web"], &["rs"], |file, source| {
        let code = code(source);
        let paths = rust_text::paths_from("culdesac", &code);
        paths
            .iter()
            .filter(|path| path.first().is_some_and(|first| !["analysis", "evidence", "view"].contains(&first.as_str())))
            .filter(|path| !path.starts_with(&["justify".to_owned(), "question".to_owned()]))
            .map(|path| format!("{file}: uses culdesac::{}", path.join("::")))
            .collect()
    });
}

// The guards guarded.

#[test]
fn direction_is_seen() {
    let wrong = |file: &str, source: &str| check_direction(file, source).len();
    assert_eq!(wrong("crate/solver/simplex.rs", "use crate::logic::Int;\nuse super::check::Row;"), 0);
    assert_eq!(wrong("crate/solver/simplex.rs", "use crate::lts::Edge;"), 1);
    assert_eq!(wrong("crate/solver/simplex.rs", "use crate::{\n    logic::Int,\n    symex::{State, step as s},\n    lang,\n};"), 3);
    assert_eq!(wrong("crate/solver.rs", "fn f() { let x = crate::lts::Lts::new(); }"), 1);
    assert_eq!(wrong("crate/lts/text.rs", "use super::super::view::Place;"), 1);
    assert_eq!(wrong("crate/lts/text.rs", "use super::{lower, super::count::Graph};"), 1);
    assert_eq!(wrong("crate/count.rs", "use crate::interp::run;"), 1);
    assert_eq!(wrong("crate/unheard_of.rs", ""), 1);
    // What is trusted uses nothing else; analyses know each other only as far as one lends something.
    assert_eq!(wrong("crate/evidence/path.rs", "use crate::search::Walk;"), 1);
    assert_eq!(wrong("crate/evidence/path.rs", "use crate::solver::{certificate::Certificate, check};"), 0);
    assert_eq!(wrong("crate/evidence/graph.rs", "use crate::solver::Context;"), 1);
    assert_eq!(wrong("crate/evidence/graph.rs", "use crate::solver;"), 1);
    assert_eq!(wrong("crate/analysis/draw.rs", "use super::prune::method::graph::graph_of;"), 0);
    assert_eq!(wrong("crate/analysis/draw.rs", "use super::prune::run;"), 1);
    assert_eq!(wrong("crate/analysis/draw/sampled.rs", "use crate::analysis::cover::run;"), 1);
    // Comments, strings and tests do not count.
    assert_eq!(wrong("crate/solver.rs", "//! See [`crate::lts`].\n/* use crate::lts; */ const S: &str = \"crate::lts::X\";"), 0);
    assert_eq!(wrong("crate/solver.rs", "#[cfg(test)]\nmod tests { use crate::lts::Lts; }\n"), 0);
    assert_eq!(wrong("crate/solver.rs", "#[cfg(test)]\nmod tests;\nuse crate::lts::Lts;"), 1);
    assert_eq!(wrong("crate/solver/tests.rs", "use crate::lts::Lts;"), 0);
    // The checker knows the certificate and the terms, nothing else of the solver.
    assert_eq!(wrong("crate/solver/check.rs", "use super::certificate::Step;\nuse crate::logic::Int;"), 0);
    assert_eq!(wrong("crate/solver/check.rs", "use super::simplex::Row;"), 1);
    assert_eq!(wrong("crate/solver/check.rs", "use crate::solver::{certificate, Context};"), 1);
}

#[test]
fn words_are_seen() {
    let wrong = |source: &str| check_words("crate/logic.rs", source).len();
    assert_eq!(wrong("fn f() { x.unwrap(); todo!(); unimplemented!(\"later\"); panic!(\"{x}\") }"), 4);
    assert_eq!(wrong("use std::time::Instant;"), 1);
    assert_eq!(wrong("fn f() { x.sort(); y.sort_by_key(|y| y.0); z.sort_by(cmp); x.sort_of(1); x.arrange(); }"), 3);
    assert_eq!(wrong("fn f() { x.unwrap_or(1); y.expect(\"a panic! in a text .unwrap()\"); } // todo!"), 0);
    assert_eq!(wrong("struct Instantiation; fn f<'a>(c: &'a char) -> bool { *c == '\"' || *c == '\\'' } // panic!()"), 0);
    assert_eq!(wrong("const A: &str = r#\"x.unwrap() \"quoted\" \"#; fn f() { dbg!(1) }"), 1);
    assert_eq!(wrong("#[cfg(test)]\nmod tests {\n fn f() { x.unwrap(); } }\nfn g() { y.unwrap(); }"), 1);
    assert_eq!(check_words("crate/logic.rs", "\n\nfn f() { todo!() }"), ["crate/logic.rs:3: `todo!`: no unfinished code"]);
}

#[test]
fn shapes_and_texts_are_seen() {
    assert_eq!(check_shape("a.rs", "fn f() {}").len(), 1);
    assert_eq!(check_shape("a.rs", &format!("//! A.\n{}", "\n".repeat(MAX_LINES - 1))).len(), 0);
    assert_eq!(check_shape("a.rs", &format!("//! A.\n{}", "\n".repeat(MAX_LINES))).len(), 1);
    assert_eq!(check_shape("a.rs", &format!("//! A.\n//! Longer than most: a table.\n{}", "\n".repeat(MAX_LINES))).len(), 0);
    let path = ["see /", "home/me/x"].concat();
    assert_eq!(check_text("a.md", &path).len(), 1);
    assert_eq!(check_text("a.md", &["https://example.org/", "home/x"].concat()).len(), 0);
    assert_eq!(check_text("a.rs", &["// TO", "DO: later"].concat()).len(), 1);
}
