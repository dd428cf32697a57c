//! The two rooms of an analysis: `method` is the algorithm of the paper, `report` has settings, documents, sentences and command. The
//! report knows the method; the method knows nothing of the report, so that no serialisable type gets into an algorithm.

use super::rust_text::{code, paths, without_tests};
use super::{files, is_test_file, module, name, read, report, root};

/// The analyses with two rooms.
const ROOMS: &[&str] = &["branches", "cover", "explain", "prune", "reach"];

/// What no method uses: plain data for page and `--json`, and the run that writes it.
const DOCUMENTS: &[&str] = &["view", "run::recorder", "run::listener"];
/// Of that, what methods use, and why.
const NAMED: &[(&str, &str)] =
    &[("view::Call", "the calls before a run: claims, sequences of calls and the trace have them in the same form")];
/// Words of libraries that write data or read options.
const LIBRARIES: &[&str] = &["serde", "Serialize", "Deserialize", "ts_rs", "clap"];

/// The analysis whose method the module belongs to.
fn method_of(module: &[String]) -> Option<&str> {
    match module {
        [analysis, room, method, ..] if analysis == "analysis" && method == "method" && ROOMS.contains(&&**room) => Some(room),
        _ => None,
    }
}

/// What a method uses that is not its to use.
fn check_method(file: &str, source: &str) -> Vec<String> {
    let Some(module) = module(file).filter(|_| !is_test_file(file)) else { return Vec::new() };
    if method_of(&module).is_none() {
        return Vec::new();
    }
    let code = without_tests(&code(source));
    let below = |name: &str, prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    let mut wrong = Vec::new();
    for path in paths(&code, &module) {
        let full = path.join("::");
        let is_document = DOCUMENTS.iter().any(|prefix| below(&full, prefix)) && !NAMED.iter().any(|(named, _)| full == *named);
        // What a room's own file has beside the method are the documents and the command.
        let is_report = matches!(&path[..], [analysis, room, part, ..]
            if analysis == "analysis" && ROOMS.contains(&&**room) && part != "method");
        if is_document || is_report {
            wrong.push(format!("{file}: a method must not use `{full}`"));
        }
    }
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    wrong.extend(words.filter(|word| LIBRARIES.contains(word)).map(|word| format!("{file}: a method must not use `{word}`")));
    wrong
}

#[test]
fn methods_know_no_reports() {
    for room in ROOMS {
        for part in ["method.rs", "report.rs"] {
            let path = root().join("crate/analysis").join(room).join(part);
            assert!(path.exists(), "{} is missing", path.display());
        }
    }
    report(files("crate/analysis", &["rs"]).iter().flat_map(|path| check_method(&name(path), &read(path))).collect());
}

#[test]
fn what_methods_use_is_seen() {
    let wrong = |file: &str, source: &str| check_method(file, source).len();
    let method = "crate/analysis/explain/method/run.rs";
    assert_eq!(wrong(method, "use super::walker::Walker;\nuse crate::run::trace::Trace;\nuse crate::analysis::PROVERS;"), 0);
    assert_eq!(wrong(method, "use crate::analysis::explain::report::texts::Texts;"), 1);
    assert_eq!(wrong(method, "use super::super::ExplainDocument;"), 1);
    assert_eq!(wrong("crate/analysis/explain/method.rs", "use super::{report, method::run};"), 1);
    assert_eq!(wrong(method, "use serde::Serialize;\n#[derive(Serialize)]\nstruct Step;"), 3);
    assert_eq!(wrong(method, "use crate::view::Header;\nuse crate::run::recorder::traced;"), 2);
    assert_eq!(wrong("crate/analysis/explain/report/answer.rs", "use crate::view::Header;\nuse serde::Serialize;"), 0);
}
