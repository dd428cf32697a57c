//! A suite in the format of Test-Comp 1.1: `metadata.xml`, and an XML file for each test with the values of its nondet calls in order.
//!
//! The time of creation is always the same, so that the same suite is the same text. Where a program takes its inputs otherwise than by `__VERIFIER_nondet_*` in `main`, `tested.c` stands beside it, which takes them so.

use super::externals::{externals, giving_anything};
use super::inputs::Taking;
use super::{Exported, ExportedFile, Suite, harness};
use crate::interp::Input;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// The suite.
pub fn suite(suite: &Suite) -> Exported {
    let taking = Taking::new(suite);
    let lts = &suite.loaded.lts;
    let is_plain = lts.function == "main" && taking.is_empty() && draws_by_verifier(suite);
    let mut exported = Exported { files: vec![harness::program(suite, &taking)], notes: Vec::new() };
    let mut program = suite.program().to_owned();
    if !is_plain {
        program = "tested.c".to_owned();
        exported.files = harness::reading(suite, &taking).into();
        exported.notes.push(format!(
            "the suite is one of `tested.c`: `{}` takes inputs that no call of __VERIFIER_nondet_* gives, or calls what nobody defines",
            lts.function
        ));
    }
    for (number, input) in suite.tests.iter().enumerate() {
        match values(suite, &taking, input) {
            Ok(values) => {
                let mut text = format!(
                    "{XML}<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase>\n"
                );
                for (name, values) in values {
                    for value in values {
                        let _ = writeln!(text, "  <input variable=\"{}\">{value}</input>", escaped(&name));
                    }
                }
                text += "</testcase>\n";
                exported.files.push(ExportedFile { name: format!("test-{}.xml", number + 1), text });
            }
            Err(why) => exported.notes.push(format!("test {} is left out: {why}", number + 1)),
        }
    }
    let of_program = exported.files.iter().find(|file| file.name == program).map_or("", |file| &file.text);
    let metadata = format!(
        "{XML}<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">
<test-metadata>
  <sourcecodelang>C</sourcecodelang>
  <producer>culdesac</producer>
  <specification>COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )</specification>
  <programfile>{}</programfile>
  <programhash>{}</programhash>
  <entryfunction>main</entryfunction>
  <architecture>64bit</architecture>
  <creationtime>1970-01-01T00:00:00Z</creationtime>
</test-metadata>
",
        escaped(&program),
        digest(of_program),
    );
    exported.files.push(ExportedFile { name: "metadata.xml".to_owned(), text: metadata });
    exported
}

/// The values of a test.
///
/// # Errors
/// Why the form cannot hold it.
pub fn values(suite: &Suite, taking: &Taking, input: &Input) -> Result<Vec<(String, Vec<i64>)>, String> {
    match &input.stdin {
        Some(_) if suite.loaded.lts.reads_stdin() => Err("it is a text on standard input, for which Test-Comp has no form".to_owned()),
        _ => taking.values(suite, input),
    }
}

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

/// Whether all values are drawn by functions that Test-Comp knows, and nothing else is called that nobody defines.
fn draws_by_verifier(suite: &Suite) -> bool {
    giving_anything(suite).is_empty() && externals(suite, true).is_empty()
}

/// The SHA-256 of a file in hexadecimal digits.
fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
