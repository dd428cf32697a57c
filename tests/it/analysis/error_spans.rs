//! Where errors are told: at the call that evaluates a value, also where that prints, and not at what the graph has next.

use crate::common::asking::{about, ask, rejected};
use serde_json::{Value, json};

/// The report on a function.
fn report(source: &str, function: &str) -> Value {
    let request = culdesac::view::Request { function: Some(function.to_owned()), ..about(source, None) };
    let answered = ask("report", &request, &json!({}), &mut |_| true).unwrap_or_else(|| panic!("refused:\n{source}"));
    assert_eq!(rejected(&answered.evidence), [""; 0], "{source}");
    answered.document
}

/// Line and text of each error, and what happens there.
fn errors(document: &Value) -> Vec<(u64, String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let findings = document["findings"].as_array().expect("a list").iter().filter(|one| one["kind"] == "error");
    findings.map(|one| (one["line"].as_u64().expect("a line"), text(&one["text"]), text(&one["evidence"]))).collect()
}

fn expected(list: &[(u64, &str, &str)]) -> Vec<(u64, String, String)> {
    list.iter().map(|&(line, text, what)| (line, text.to_owned(), what.to_owned())).collect()
}

#[test]
fn what_a_printing_call_evaluates_is_told_there() {
    let source = "#include <stdio.h>\nint f(unsigned a, unsigned b) {\n  printf(\"%u\\n\", a / b);\n  if (a > 3) return 1;\n  return 0;\n}\n\
                  void g(unsigned a, unsigned b, int op) {\n  switch (op) {\n  case 1:\n    printf(\"%u\\n\", a % b);\n    putchar(10);\n    break;\n  \
                  case 2:\n    putchar(10);\n    putchar(a / b);\n    break;\n  }\n}\n\
                  unsigned h(unsigned a, unsigned b) {\n  unsigned c = a + 1;\n  printf(\"%u\",\n    7 / c);\n  return a / b;\n}\n";
    let division = "division by zero";
    for (function, list) in [
        ("f", &[(3, "printf(\"%u\\n\", a / b)", division)][..]),
        ("g", &[(10, "printf(\"%u\\n\", a % b)", division), (15, "putchar(a / b)", division)]),
    ] {
        assert_eq!(errors(&report(source, function)), expected(list), "{function}");
    }
    let lines: Vec<u64> = errors(&report(source, "h")).into_iter().map(|(line, ..)| line).collect();
    assert_eq!(lines, [21, 23]);
}

/// The counts of the sentence are those of the list, also where an error lies in the code of the library.
#[test]
fn the_sentence_counts_what_the_list_has() {
    let whole = "#include <stdio.h>\nint f(int x) {\n  char b[4];\n  sprintf(b, \"%d\", x);\n  return b[0];\n}\n";
    let division = "#include <stdio.h>\nvoid f(int a, int b) {\n  printf(\"%d\\n\", a / b);\n}\n";
    for source in [whole, division] {
        let document = report(source, "f");
        let count = document["safety"]["fails"].as_u64().expect("a number");
        let noun = if count == 1 { "place" } else { "places" };
        let sentence = document["sentence"].as_str().expect("a text");
        assert!(sentence.contains(&format!("{count} {noun} can fail")), "{sentence}: {}", document["safety"]);
        assert_eq!(errors(&document).len() as u64, count, "{source}");
        assert!(errors(&document).iter().all(|(_, text, _)| text.contains("printf(")), "{:?}", errors(&document));
    }
}
