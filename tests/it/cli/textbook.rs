//! Programs as textbooks have them, pasted as they are: what they do is what C says, and every command has an answer.

use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// Runs a command on a program of `tests/it/cli/textbook`; gives the document and the exit status.
fn ask(program: &str, arguments: &[&str]) -> (Value, i32) {
    let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/cli/textbook")).join(format!("{program}.c"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_culdesac"));
    command.arg(arguments[0]).arg(file).arg("--json").args(&arguments[1..]);
    let output = command.output().expect("the program starts");
    let status = output.status.code().expect("no signal");
    let document = serde_json::from_slice(&output.stdout);
    (document.unwrap_or_else(|_| panic!("{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr))), status)
}

/// What the program prints on this text from its standard input.
fn output(program: &str, typed: &str) -> String {
    let input = json!({ "stdin": typed }).to_string();
    let (document, _) = ask(program, &["run", "--function", "main", "--input", &input]);
    assert_eq!(document["outcome"], "returned", "{program}: {}", document["reason"]);
    document["output"].as_str().expect("text").to_owned()
}

/// The numbers that the program counts its statements by: covered, all.
fn covered(program: &str, arguments: &[&str]) -> (u64, u64) {
    let all = [&["cover", "--function", "main"], arguments].concat();
    let (document, _) = ask(program, &all);
    (document["covered"].as_u64().expect("a number"), document["statements"].as_u64().expect("a number"))
}

#[test]
fn what_they_print_is_what_c_says() {
    for (program, typed, printed) in [
        ("bubble", "5\n1\n4\n2\n3", "Sorted array: 1 2 3 4 5 \n"),
        ("matrix", "", "19\t22\t\n43\t50\t\n"),
        ("sieve", "", "Primes up to 30: 2 3 5 7 11 13 17 19 23 29 "),
        ("reverse", "", "Reversed: shtap\nas expected\n"),
        ("palindrome", "", "\"Was it a rat?\" is not a palindrome\n"),
        ("fib", "4", "How many terms? 0 1 1 2 "),
        ("bank", "1\n1234\n1234\n700", "not possible\n"),
        ("bank", "1\n1\n2\n3", "card kept\n"),
        ("leap", "1/3/2000", "Day 61 of the year\n"),
        ("leap", "29/2/1900", "Invalid day\n"),
        ("quick", "", "1 5 7 8 9 10 "),
        ("list", "", "sum = 12\n"),
        ("tictactoe", "", "X wins\n"),
        ("roman", "", "MCMIV = 1904"),
        ("bits", "255", "8"),
        ("lexer", "", "word number plus number e\n"),
        ("menu", "list", "nothing\n"),
        ("month", "2", "February F\nshort\n"),
        ("month", "7", "Illegal month I\n"),
        ("morse", "3\n1", "3 ...-- 3\n"),
    ] {
        assert_eq!(output(program, typed), printed, "{program} {typed:?}");
    }
    let moves = output("hanoi", "");
    assert!(moves.starts_with("Move disk 1 from A to C\n") && moves.ends_with("\n7 moves\n"), "{moves}");
    let found = output("search", "3\n10\n20\n30\n20");
    assert!(found.ends_with("20 found at location 2.\n"), "{found}");
}

/// To read past the end of a string, in front of it, or through a null pointer is undefined, wherever the next string lies.
#[test]
fn strings_end_where_they_end() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ends.c");
    let text = "const char *const t[] = {\"ab\", \"cdefg\", 0}; int f(int i, int k) { return t[i][k]; }";
    std::fs::write(&file, text).expect("a file of the test's own");
    let file = file.to_str().expect("a path in UTF-8");
    for (i, k, outcome, value) in [
        (0, 1, "returned", Some('b' as i64)),
        (0, 2, "returned", Some(0)),
        (0, 3, "undefined", None),
        (0, 6, "undefined", None),
        (1, -1, "undefined", None),
        (1, 5, "returned", Some(0)),
        (1, 6, "undefined", None),
        (2, 0, "undefined", None),
        (3, 0, "undefined", None),
    ] {
        let input = json!({ "i": i, "k": k }).to_string();
        let output = Command::new(env!("CARGO_BIN_EXE_culdesac"))
            .args(["run", file, "--json", "--input", &input])
            .output()
            .expect("the program starts");
        let document: Value = serde_json::from_slice(&output.stdout).expect("a document");
        assert_eq!((&document["outcome"], &document["value"]), (&json!(outcome), &json!(value)), "{i} {k}: {document}");
    }
}

/// Every statement of these is covered, within loops as often as the programs have them.
#[test]
fn they_are_covered() {
    for (program, arguments, open) in [
        ("search", &[][..], 0),
        ("leap", &[], 0),
        ("bits", &[], 0),
        ("matrix", &[], 0),
        // What stands after the conditions on strings that never hold.
        ("month", &[], 1),
        ("morse", &["--unwind", "6"], 1),
        // `default` is never met, nor what the account's first values exclude.
        ("bank", &["--unwind", "5"], 8),
    ] {
        let (covered, all) = covered(program, arguments);
        assert!(covered + open >= all && covered <= all, "{program}: {covered} of {all}");
    }
}

/// Each command has an answer: no refusal, and what a limit leaves open is said.
#[test]
fn every_command_has_an_answer() {
    for program in
        ["search", "bubble", "matrix", "reverse", "bank", "leap", "list", "tictactoe", "roman", "bits", "lexer", "menu", "month", "morse"]
    {
        for arguments in [
            &["cfg"][..],
            &["paths", "--lengths", "10,20"],
            &["prune", "--lengths", "10", "--limit", "20000"],
            &["cover", "--unwind", "1", "--limit", "20000"],
            &["explain", "--max-instructions", "12", "--limit", "20000"],
        ] {
            let (document, status) = ask(program, &[arguments, &["--function", "main"]].concat());
            assert_eq!(document["function"], "main", "{program} {arguments:?}");
            assert_eq!(document["complete"], status == 0, "{program} {arguments:?}");
        }
    }
}
