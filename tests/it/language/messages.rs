//! Every message of the front end, as people see it: `tests/it/language/messages/*.txt` hold programs with what is said of them. `UPDATE=1` writes
//! anew what is said.
//!
//! [`every_message_is_shown`] reads the sources for the messages that there are, so that none is added without a program.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const STAGES: [&str; 5] = ["preprocessor", "parser", "checker", "lowering", "several"];

/// A program with what is said of it.
struct Case {
    title: String,
    program: String,
    said: String,
}

fn file(stage: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/language/messages")).join(format!("{stage}.txt"))
}

fn cases(stage: &str) -> Vec<Case> {
    let text = fs::read_to_string(file(stage)).expect("the file is there");
    let case = |part: &str| {
        let (title, rest) = part.split_once('\n')?;
        let (program, said) = rest.split_once("\n---\n")?;
        Some(Case { title: title.to_owned(), program: program.to_owned(), said: said.to_owned() })
    };
    text.split("=== ").skip(1).map(|part| case(part).expect("a title, a program, `---`, what is said")).collect()
}

/// What the command line says of a program; where its title ends with the name of a target, for that.
fn said(title: &str, program: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_culdesac"));
    command.args(["cfg", "-"]);
    if title.ends_with(", int16") {
        command.args(["--abi", "int16"]);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    child.stdin.take().expect("piped").write_all(program.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("the program ends");
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    // One empty line after each.
    format!("{}\n\n", text.trim_end())
}

#[test]
fn what_is_said_is_as_written_down() {
    let update = std::env::var_os("UPDATE").is_some();
    for stage in STAGES {
        let mut text = String::new();
        let mut wrong = Vec::new();
        for Case { title, program, said: wanted } in cases(stage) {
            let said = said(&title, &program);
            text += &format!("=== {title}\n{program}\n---\n{said}");
            if said != wanted {
                wrong.push(format!("{title}\n{said}instead of\n{wanted}"));
            }
            let code = title.split(',').next().unwrap_or_default();
            let shown = ["error", "warning"].iter().any(|severity| said.contains(&format!("{severity}[{code}]")));
            assert!(stage == "several" || shown, "{title} is not said, but\n{said}");
        }
        if update {
            fs::write(file(stage), text).expect("it can be written");
        } else {
            assert!(wrong.is_empty(), "{stage}: {}", wrong.join("\n"));
        }
    }
}

/// Several slips give as many messages, in order, and nothing that only follows from another.
#[test]
fn one_slip_gives_one_message() {
    for (title, count) in [
        ("in every stage", 5),
        ("declarations", 5),
        ("names and calls", 5),
        ("statements", 6),
        ("what is refused hides nothing", 5),
        ("brackets", 5),
        ("types", 5),
    ] {
        let case = cases("several").into_iter().find(|case| case.title == title).expect("a case");
        let said = case.said.matches("error[").count() + case.said.matches("warning[").count();
        assert_eq!(said, count, "{title}:\n{}", case.said);
    }
}

/// A message in the sources: its code, and the parts of its text between what is filled in, where the text stands beside the code.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Message {
    code: String,
    parts: Vec<String>,
}

/// The string literal at the start of `text`, and what stands after it.
fn literal(text: &str) -> Option<(String, &str)> {
    let text = text.strip_prefix('"')?;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return Some((text[..at].replace("\\\"", "\""), &text[at + 1..])),
            _ => escaped = false,
        }
    }
    None
}

/// What stands after the next comma outside of brackets.
fn behind_argument(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => return Some(text[at + 1..].trim_start()),
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

fn messages_in(source: &str, found: &mut Vec<Message>) {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    for call in ["Diagnostic::error(", "Diagnostic::warning("] {
        for (at, _) in source.match_indices(call) {
            let Some((code, rest)) = literal(source[at + call.len()..].trim_start()) else { continue };
            let message = rest.trim_start().strip_prefix(',').and_then(behind_argument).unwrap_or_default();
            let message = message.strip_prefix("format!(").unwrap_or(message).trim_start();
            let mut parts = Vec::new();
            if let Some((text, _)) = literal(message) {
                let mut rest = text.as_str();
                while let Some((before, behind)) = rest.split_once('{') {
                    parts.push(before.to_owned());
                    rest = behind.split_once('}').map_or("", |(_, behind)| behind);
                }
                parts.push(rest.to_owned());
            }
            found.push(Message { code, parts });
        }
    }
}

fn sources(folder: &Path, found: &mut Vec<Message>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "tests") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && path.file_name().is_none_or(|name| name != "tests.rs") {
            messages_in(&fs::read_to_string(&path).expect("a source"), found);
        }
    }
}

/// Said of programs that are too large to be written down, each tried where its bound is tested (`lang::tests::huge`, `hostile`; `lower`).
const OF_BOUNDS: [&str; 10] = [
    "text-too-large",
    "more-messages",
    "too-large",
    "too-deep",
    "macro-too-large",
    "nesting-too-deep",
    "expression-too-long",
    "constant-too-long",
    "structure-too-large",
    // Of a name that is asked for, not of the text.
    "unknown-function",
];

#[test]
fn every_message_is_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("crate");
    let mut found = Vec::new();
    sources(&root.join("lang"), &mut found);
    sources(&root.join("lts"), &mut found);
    for file in ["lang.rs", "lts.rs", "source.rs"] {
        messages_in(&fs::read_to_string(root.join(file)).expect("a source"), &mut found);
    }
    found.sort();
    found.dedup();
    assert!(found.len() > 120, "the messages are not found any more: {}", found.len());
    let said: Vec<String> = STAGES.into_iter().flat_map(cases).map(|case| case.said).collect();
    let shown = |Message { code, parts }: &Message| {
        said.iter().flat_map(|said| said.lines()).any(|line| {
            let Some((before, text)) = line.split_once("]: ") else { return false };
            let mut rest = text;
            let has = |part: &String| match rest.find(part.as_str()) {
                Some(at) => {
                    rest = &rest[at + part.len()..];
                    true
                }
                None => false,
            };
            before.ends_with(&format!("[{code}")) && parts.iter().all(has)
        })
    };
    let missing: Vec<&Message> = found.iter().filter(|message| !OF_BOUNDS.contains(&message.code.as_str()) && !shown(message)).collect();
    assert!(missing.is_empty(), "no program in tests/it/language/messages shows {missing:#?}");
}
