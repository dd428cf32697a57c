//! The page's files are the command line's: a question of the page gives the texts that the commands write.

use culdesac::analysis::forms::Forms;
use culdesac::analysis::{Analysis, Listener, Query};
use culdesac::justify::question::Justify;
use culdesac::view::Reply;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page_files").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the target folder is writable");
    path
}

fn culdesac(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_culdesac")).args(arguments).current_dir(folder).output().expect("the program starts")
}

/// Asks as the page does; the document as data, or the message of the refusal.
fn asked<A: Analysis>(program: &str, source: &str, settings: Value) -> Result<Value, String> {
    let question = json!({ "request": { "program": program, "source": source, "seed": 0 }, "settings": settings });
    let query: Query<A::Settings> = serde_json::from_value(question).expect("a question");
    match query.answer::<A>(&Default::default, &mut Listener::new(&mut |_| true)) {
        Reply::Document { document } => Ok(serde_json::to_value(&document).expect("a document")),
        Reply::Refused { diagnostics } => Err(diagnostics[0].message.clone()),
    }
}

/// The coverage of the first test that `branches` finds for an example.
fn coverage_of_one_test(folder: &Path, name: &str) -> String {
    let output = culdesac(folder, &["branches", name, "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("a document");
    let inputs = json!([{ "input": document["tests"][0]["input"] }]);
    fs::write(folder.join("one.json"), inputs.to_string()).expect("a file");
    let output =
        culdesac(folder, &["branches", name, "--tests", "one.json", "--limit", "1", "--tests-out", "suite", "--tests-format", "lcov"]);
    fs::read_to_string(folder.join("suite/coverage.info")).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn justified_coverage_is_that_of_the_command() {
    for example in ["tritype", "advisory"] {
        let folder = scratch(example);
        let name = format!("{example}.c");
        let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(&name)).expect("an example");
        fs::write(folder.join(&name), &source).expect("a file");
        let coverage = coverage_of_one_test(&folder, &name);
        fs::write(folder.join("tests.info"), &coverage).expect("a file");
        let outputs = ["--out", "o.info", "--html", "o.html", "--markdown", "o.md", "--justifications", "o.json", "--json"];
        let output = culdesac(&folder, &["justify", &name, "tests.info"].into_iter().chain(outputs).collect::<Vec<_>>());
        let document: Value = serde_json::from_slice(&output.stdout).expect("a document");
        assert!(document["counts"]["covered"].as_u64() > Some(0) && !document["tests"].as_array().expect("tests").is_empty(), "{document}");
        // A text that was pasted has no name of its own.
        for program in [&*name, "program"] {
            let settings = json!({ "coverage": [{ "name": "tests.info", "text": coverage }] });
            let answer = asked::<Justify>(program, &source, settings).expect("an answer");
            for key in ["program", "sentence", "counts", "branches", "tests", "notes", "assumptions", "complete"] {
                assert_eq!(answer[key], document[key], "{key}");
            }
            let files = answer["files"].as_array().expect("files");
            assert_eq!(files.len(), 4);
            for file in files {
                let ending = file["name"].as_str().and_then(|name| name.rsplit('.').next()).expect("a name");
                let written = fs::read_to_string(folder.join(format!("o.{ending}"))).expect("a file");
                assert!(file["text"] == written, "{example}: justified.{ending}");
            }
            let reasons = answer["reasons"].as_array().expect("reasons");
            let branches = answer["branches"].as_array().expect("branches");
            assert_eq!(reasons.len(), branches.len());
            for (reason, branch) in reasons.iter().zip(branches) {
                assert_eq!(reason.as_str().expect("a text").is_empty(), branch["verdict"] == "tested", "{branch}");
            }
        }
    }
}

#[test]
fn coverage_of_another_program_is_refused_with_the_reason() {
    let source = "int f(int x) {\n  if (x > 1)\n    return 1;\n  return 0;\n}\n";
    let asked =
        |text: &str| asked::<Justify>("program", source, json!({ "coverage": [{ "name": "tests.info", "text": text }] })).expect_err(text);
    assert!(asked("TN:\nSF:a.c\nFN:9,f\nBRDA:2,0,0,1\nBRDA:2,0,1,0\nend_of_record\n").contains("another text than a.c"));
    assert!(asked("TN:\nSF:a.c\nBRDA:2,0\nend_of_record\n").starts_with("tests.info: line 3"));
    assert!(asked("{\"claims\": []}").contains("neither gcov's JSON"));
    let two = "TN:\nSF:a.c\nFN:1,g\nend_of_record\nSF:b.c\nFN:1,h\nend_of_record\n";
    assert!(asked(two).contains("not of program, but of a.c, b.c"));
}

#[test]
fn forms_of_a_report_are_those_of_the_command() {
    let folder = scratch("forms");
    // An error call, a label of an innocuous branch, an infeasible branch, a static.
    let source = "#include <assert.h>\nstatic int level;\nint f(int x, unsigned n) {\n  if (n < 0) return -1;\n  switch (x & 1) {\n    \
                  case 0: level = 2; break;\n    case 1: level = 3; break;\n    default: return 9;\n  }\n  assert(x != 7);\n  \
                  if (level > 5) return 1;\n  return level / x;\n}\n";
    fs::write(folder.join("two words.c"), source).expect("a file");
    let reported = |form: &str| {
        let output = culdesac(&folder, &["report", "two words.c", "--format", form]);
        String::from_utf8(output.stdout).expect("a text")
    };
    let json_text = reported("json");
    let document: Value = serde_json::from_str(&json_text).expect("JSON");
    assert!(document["list"].as_array().expect("a list").iter().any(|branch| branch["innocuous"] == "exhausted_switch"), "{document}");
    for form in ["json", "markdown", "sarif", "csv", "html", "lcov", "lcov_legacy", "witness"] {
        let answer = asked::<Forms>("two words.c", source, json!({ "document": document, "form": form })).expect(form);
        let text = reported(&form.replace('_', "-"));
        // Only the time differs from run to run.
        let written = if form == "json" { &json_text } else { &text };
        assert!(!written.is_empty() && answer["text"] == *written, "{form}:\n{}\n{written}", answer["text"].as_str().expect("a text"));
    }
    let plain = "int f(int x) {\n  if (x > 1)\n    return 1;\n  return 0;\n}\n";
    fs::write(folder.join("plain.c"), plain).expect("a file");
    let output = culdesac(&folder, &["report", "plain.c", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let refusal = asked::<Forms>("plain.c", plain, json!({ "document": document, "form": "witness" })).expect_err("no error call");
    assert!(refusal.contains("nothing to witness"), "{refusal}");
}
