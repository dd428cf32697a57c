//! Functions that a caller passes: a call of one is as a call of a function without a body.

use crate::suites::{branches, request};
use culdesac::analysis::branches::{BranchesDocument, BranchesSettings, BranchesVerdict};
use culdesac::load::load;
use culdesac::view::Request;

fn asked(source: &str) -> Request {
    Request { function: Some("f".to_owned()), ..request("callbacks.c", source, Some(300_000)) }
}

fn document(source: &str) -> BranchesDocument {
    branches(&asked(source), BranchesSettings::default()).unwrap_or_else(|| panic!("refused:\n{source}"))
}

fn verdict(document: &BranchesDocument, text: &str) -> BranchesVerdict {
    document.list.iter().find(|side| side.text == text).map(|side| side.verdict).unwrap_or_else(|| panic!("no side `{text}`"))
}

/// The same body, with calls of a function without a body, of a parameter, and of members.
#[test]
fn a_passed_function_is_as_one_without_a_body() {
    let bodies = [
        "int y = CALL(x); if (y > 3) { if (y < 2) return 1; return 2; } return 0;",
        "if (CALL(x) == CALL(x)) return 1; return 2;",
        "int i = 0; while (i < 3) { if (CALL(i) == 7) break; i++; } if (i > 3) return 1; return i;",
        "unsigned r = (unsigned)CALL(x) % 8; if (r > 7) return 1; if (r == 5 && x == 2) return 2; return 0;",
        "int a[3] = {1, 2, 3}; int y = CALL(a[1]); if (a[1] != 2) return 1; if (y == 5) return 2; return 0;",
        "level = 4; CALL(x); if (level != 4) return 1; return 0;",
        "own = 4; CALL(x); if (own != 4) return 1; return 0;",
    ];
    let rest = "int level; static int own; int known(int x) { return x + 1; } int (*kept(void))(int) { return known; }";
    for body in bodies {
        let with = |head: &str, call: &str| document(&format!("{rest} {head} {{ {} }}", body.replace("CALL", call)));
        let extern_function = with("int outside(int); int f(int x)", "outside");
        for (head, call) in [
            ("int f(int (*outside)(int), int x)", "outside"),
            ("typedef int (*Call)(int); int f(int x, Call outside)", "(*outside)"),
            ("struct Calls { int n; int (*outside)(int); }; int f(struct Calls *calls, int x)", "calls->outside"),
            ("struct Calls { int n; int (*outside)(int); }; int f(struct Calls calls, int x)", "calls.outside"),
        ] {
            let passed = with(head, call);
            for side in &extern_function.list {
                let text = side.text.replace("outside", call);
                let same = passed.list.iter().find(|other| other.text == text).map(|other| other.verdict);
                // The called function may change the member that the next call reads.
                let is_open = same == Some(BranchesVerdict::Open) && call == "calls->outside";
                assert!(same == Some(side.verdict) || is_open, "{text} in {head}: {same:?}, not {:?}: {body}", side.verdict);
            }
        }
    }
}

/// A caller may pass null, the program's own functions, and others.
#[test]
fn a_caller_passes_any_function() {
    let source = "int own(int x) { return 4; } int unused(int x) { return 5; }\n\
        int f(int (*g)(int), int x) { if (!g) return 0; if (g == own) { if (g(x) != 4) return 1; return 2; } if (g(x) == 9) return 3; return 4; }";
    let document = document(source);
    for (text, expected) in [
        ("!g", BranchesVerdict::Covered),
        ("g == own", BranchesVerdict::Covered),
        ("g(x) != 4", BranchesVerdict::Infeasible),
        ("!(g(x) != 4)", BranchesVerdict::Covered),
        ("g(x) == 9", BranchesVerdict::Covered),
    ] {
        assert_eq!(verdict(&document, text), expected, "{text}");
    }
}

/// A function inlined with a known argument calls that one alone.
#[test]
fn what_the_program_passes_is_known() {
    let source = "int own(int x) { return 4; } int apply(int (*g)(int), int x) { if (g(x) != 4) return 1; return 0; }\n\
        int f(int x) { return apply(own, x); }";
    assert_eq!(verdict(&document(source), "g(x) != 4"), BranchesVerdict::Infeasible);
}

/// What a function gives back as a structure is not known.
#[test]
fn passed_functions_of_structures_are_refused() {
    let errors = load(&asked("struct P { int x; }; int f(struct P (*g)(int)) { return g(3).x; }")).map(|_| ()).unwrap_err();
    assert_eq!(errors[0].code, "unsupported-function-pointer");
}
