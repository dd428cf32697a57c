//! Suites of programs whose names are those of a suite's own files, have spaces or stand in folders compile and pass in every form.

use super::frameworks::Place;
use super::oracle::{STRICT, compiled, compilers, scratch};
use super::subject::Subject;
use super::testcomp::{nondet, program_file};
use crate::suites::exported;
use culdesac::export::{ExportedFile, TestsFormat};
use culdesac::view::Request;
use std::fs;
use std::path::Path;

/// With a guard as headers have it, a value that a stub gives, an output, and a name of the suite.
const PROGRAM: &str = "#ifndef PROGRAM_H
#define PROGRAM_H
#include <stdio.h>
#define TEST 3
int level;
int read_value(void);
int f(int a, const char *word) {
  static int calls;
  if (a > level) return TEST;
  if (word[0] == 'x' && read_value() > 3) {
    puts(\"yes\");
    calls++;
  }
  return calls > 1;
}
int main(void) { return f(1, \"x\"); }
#endif
";

/// Names of programs, with folders.
const NAMES: &[&str] = &[
    "main.c",
    "suite.c",
    "test_suite.c",
    "tested.c",
    "culdesac.h",
    "culdesac_runner.h",
    "culdesac-main.h",
    "program.h",
    "unity.c",
    "unity.h",
    "cmocka.h",
    "my program.c",
    "folder/program.c",
    "two words/a b.c",
    "/an/absolute path/it's.c",
    "folder\\program.c",
    "say \"hello\".c",
    "percent%d.c",
    "null??/.c",
    "umlaut-ä.c",
    "no_ending",
    "-",
    "",
];

const FORMS: &[TestsFormat] = &[TestsFormat::C, TestsFormat::Freestanding, TestsFormat::Unity, TestsFormat::Cmocka, TestsFormat::Testcomp];

/// Two files of one name, or one with a folder, would be written over each other or elsewhere.
fn wrong_names(files: &[ExportedFile]) -> Vec<&str> {
    let is_wrong = |at: usize| files[at].name.contains(['/', '\\']) || files[..at].iter().any(|file| file.name == files[at].name);
    (0..files.len()).filter(|&at| is_wrong(at)).map(|at| files[at].name.as_str()).collect()
}

fn compiles(folder: &Path, compiler: &str, files: &[ExportedFile]) -> Result<(), String> {
    fs::create_dir_all(folder).expect("a folder");
    files.iter().for_each(|file| fs::write(folder.join(&file.name), &file.text).expect("a file"));
    fs::write(folder.join("nondet.c"), nondet(files)).expect("a file");
    compiled(folder, compiler, &["-w"], &[&format!("./{}", program_file(files)), "nondet.c"], &[])
}

#[test]
fn suites_pass_whatever_the_program_is_called() {
    let subject = Subject::new("program.c".to_owned(), PROGRAM.to_owned());
    let answered = subject.answered().expect("an answer");
    let Some(compiler) = compilers().next() else { return };
    let mut wrong = Vec::new();
    for (number, &name) in NAMES.iter().enumerate() {
        let request = Request { program: name.to_owned(), ..answered.request.clone() };
        for &format in FORMS {
            let folder = scratch().join("names, and spaces").join(format!("{number} {format:?}"));
            let _ = fs::remove_dir_all(&folder);
            let exported = exported(&request, &answered.document, format);
            let twice = wrong_names(&exported.files);
            let outcome = match format {
                _ if !twice.is_empty() => Err(format!("files are called {twice:?}")),
                TestsFormat::Testcomp => compiles(&folder, compiler, &exported.files),
                _ => Place { folder: &folder, compiler, format, headers: &[] }.passes(&exported.files, STRICT),
            };
            wrong.extend(outcome.err().map(|why| format!("`{name}`, {format:?}: {why}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let _ = fs::remove_dir_all(scratch().join("names, and spaces"));
}
