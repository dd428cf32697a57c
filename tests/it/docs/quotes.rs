//! What a page quotes comes out: its blocks are files, commands with what they print, and parts of files that commands write.

use super::read;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The fenced blocks of a page: what stands after the fence, the text, and the line of the fence.
pub fn blocks(page: &str) -> Vec<(String, String, usize)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let text: String =
                lines.by_ref().map(|(line, _)| line).take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
            blocks.push((info.to_owned(), text, number));
        }
    }
    blocks
}

/// The program run in a folder; its standard output.
pub fn culdesac(arguments: &[&str], folder: &Path) -> String {
    both(arguments, folder).0
}

/// The program run in a folder; its standard output and its standard error.
fn both(arguments: &[&str], folder: &Path) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_culdesac")).args(arguments).current_dir(folder).output().expect("the program starts");
    let [printed, told] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{told}");
    (printed, told)
}

pub fn json(arguments: &[&str], folder: &Path) -> Value {
    serde_json::from_str(&culdesac(&[arguments, &["--json"]].concat(), folder)).expect("JSON")
}

/// A folder of its own with the examples in it.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the target folder is writable");
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")).expect("the examples").flatten() {
        fs::copy(entry.path(), folder.join(entry.file_name())).expect("the target folder is writable");
    }
    folder
}

/// Blocks marked `c NAME`, `blocks NAME` or `text NAME` are files, those marked `console` commands with what they print, run one after the other in a
/// folder with the examples. Every `json` block is a claim of an evidence file written there. Of commands that write files (`console files`)
/// sentences on standard error are quoted, and of tables with times (`console seconds`) all but these; blocks marked `file PATH` are together the content of such a file, one after the other, and
/// those marked `lines PATH` lines of it that follow each other. `shell FOLDER` has commands for a shell, with what they print.
pub fn come_out_as_quoted(path: &str, name: &str, least: (usize, usize)) {
    let page = read(path);
    let folder = folder(name);
    let written = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{path}: {name}: {error}"));
    let mut claims: Vec<Value> = Vec::new();
    // What is left to quote of files that are quoted in full.
    let mut rest: BTreeMap<String, String> = BTreeMap::new();
    let (mut commands, mut quoted) = (0, 0);
    for (info, text, line) in blocks(&page) {
        if let Some(name) = ["c ", "blocks ", "coverage ", "text "].iter().find_map(|kind| info.strip_prefix(kind)) {
            fs::write(folder.join(name), &text).expect("the target folder is writable");
        } else if let Some(name) = info.strip_prefix("file ") {
            let left = rest.entry(name.to_owned()).or_insert_with(|| written(name));
            let Some(after) = left.trim_start_matches('\n').strip_prefix(&text) else {
                panic!("{path}:{line}: {name} goes on with\n{left}")
            };
            *left = after.to_owned();
            quoted += 1;
        } else if let Some(name) = info.strip_prefix("lines ") {
            let content = written(name);
            assert!(format!("\n{content}").contains(&format!("\n{text}")), "{path}:{line}: {name} has no such lines:\n{content}");
            quoted += 1;
        } else if let Some(place) = info.strip_prefix("shell ") {
            if Command::new("cc").arg("--version").output().is_err() {
                continue;
            }
            for (command, expected) in asked(&text) {
                let output = Command::new("sh").args(["-c", command]).current_dir(folder.join(place)).output().expect("a shell");
                let printed = String::from_utf8_lossy(&output.stdout);
                assert_eq!(printed.trim_end(), expected.trim_end(), "{path}:{line}: {command}");
            }
        } else if ["console", "console files", "console seconds"].contains(&info.as_str()) {
            for (command, expected) in asked(&text) {
                let arguments: Vec<_> = command.split(' ').collect();
                assert_eq!(arguments[0], "culdesac", "{path}:{line}");
                let (printed, told) = both(&arguments[1..], &folder);
                if info == "console seconds" {
                    assert_eq!(without_seconds(&printed), without_seconds(expected), "{path}:{line}: {command}");
                } else if info == "console" {
                    assert_eq!(printed.trim_end(), expected.trim_end(), "{path}:{line}: {command}");
                } else {
                    let told: BTreeSet<&str> = told.lines().collect();
                    assert!(expected.lines().all(|sentence| told.contains(sentence)), "{path}:{line}: {command}\n{told:#?}");
                }
                if let Some(at) = arguments.iter().position(|argument| *argument == "--evidence") {
                    let evidence: Value = serde_json::from_str(&written(arguments[at + 1])).expect("JSON");
                    claims.extend(evidence["claims"].as_array().expect("claims").iter().cloned());
                }
                commands += 1;
            }
        } else if info == "json" {
            let claim: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}:{line}: {error}"));
            let same = claims.iter().find(|other| other["id"] == claim["id"]);
            let Some(same) = same else { panic!("{path}:{line}: there is no claim {}", claim["id"]) };
            assert_eq!(&claim, same, "{path}:{line}: the claim is now\n{same}\n");
            quoted += 1;
        }
    }
    for (name, left) in rest {
        assert!(left.trim().is_empty(), "{path} lacks the end of {name}:\n{left}");
    }
    assert!((commands, quoted) >= least && quoted >= least.1, "the blocks were not found: {commands} commands, {quoted} quotes");
}

/// The commands of a block, each after `$ `, with what they print.
fn asked(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = text.split("$ ").filter(|part| !part.is_empty());
    parts.map(|part| part.split_once('\n').expect("a command is a line"))
}

/// A table without the seconds at the ends of its lines.
fn without_seconds(text: &str) -> String {
    let is_time = |word: &str| word.contains('.') && word.parse::<f64>().is_ok();
    let timeless = |line: &str| {
        let (rest, last) = line.rsplit_once(' ').unwrap_or(("", line));
        if is_time(last) { rest.trim_end().to_owned() } else { line.trim_end().to_owned() }
    };
    text.trim_end().lines().map(timeless).collect::<Vec<_>>().join("\n")
}
