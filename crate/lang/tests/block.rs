//! The block language: its graph, one case for each kind of message, and texts that are meant to break it.

use super::{check, codes, survive};
use crate::lang::parse;
use crate::lts::lower::lower;
use crate::lts::text;
use proptest::prelude::*;

/// The edges of the procedure as `from label to`.
fn edges(source: &str, procedure: &str) -> Vec<String> {
    let parsed = parse(source);
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let lts = lower(&program, Some(procedure)).unwrap_or_else(|errors| panic!("{errors:?}")).lts;
    let edge = |id| {
        let (edge, from, to) = lts.edge(id);
        format!("{} {} {}", from.index(), text::label(&lts, edge), to.index())
    };
    lts.graph.edge_indices().map(edge).collect()
}

const FOO: &str = "
proc foo(x, y) returns z {
  l0: goto l1, l2, l3;
  l1: assume y > 0; z := x + y; goto l3;
  l2: assume !(y > 0); goto l0;
  l3:
}
proc main() { start: r := call foo(0, n); }";

#[test]
fn a_choice_is_a_decision_for_each_target_but_the_last() {
    let expected = ["0 nondet() 2", "0 !nondet() 1", "1 nondet() 4", "1 !nondet() 5", "2 y > 0 3", "3 z = x + y 5", "4 y <= 0 0"];
    assert_eq!(edges(FOO, "foo"), expected);
    // Inlined: parameters are bound, the result is given back.
    let main = edges(FOO, "main");
    assert_eq!((main.first().map(String::as_str), main.last().map(String::as_str)), (Some("0 foo.x = 0 1"), Some("8 r = foo.result 9")));
}

#[test]
fn truth_values_and_statements_in_a_row() {
    assert_eq!(
        edges("proc f() { l: assume true && x; y := nondet(); ; x := -y; goto m; m: }", "f"),
        ["0 1 1", "1 x 2", "2 y = nondet() 3", "3 x = -y 4"]
    );
}

#[test]
fn every_slip_has_its_message() {
    let cases: [(&str, &[&str]); 21] = [
        ("proc", &["1:5 syntax expected the procedure's name, found the end of the text"]),
        ("proc f {", &["1:7 syntax expected `(`, found `{`"]),
        ("proc f() { }", &["1:10 no-block the procedure `f` has no block | write at least one, e.g. `l0:`"]),
        ("proc f() {", &["1:11 missing-brace a closing brace `}` is missing"]),
        (
            "proc f() { a: goto a; }",
            &["1:6 no-final-block the procedure `f` has no final block | leave out the `goto` of the block in which it ends"],
        ),
        (
            "proc f() { a: b: }",
            &[
                "1:15 two-final-blocks the block `b` has no `goto`, but `a` is the final block already | write `goto a;` at its end, or name its successors",
            ],
        ),
        ("proc f() { one: goto oen; two: }", &["1:22 unknown-label there is no label `oen` in this function | did you mean `one`?"]),
        ("proc f() { a: goto a; a: }", &["1:23 duplicate-label the label `a` stands twice in this function | rename one of them"]),
        (
            "proc f() { x := 1; }",
            &["1:12 statement-without-block a block starts with its label | write a label and a colon in front of `x`, e.g. `l1:`"],
        ),
        ("proc f() { a: x = 1; }", &["1:17 syntax `=` does not assign in the block language | write `:=`"]),
        (
            "proc f() { a: x := (y = 1); }",
            &["1:20 side-effect expressions have no side effects in the block language | write `==` to compare, `:=` to assign"],
        ),
        (
            "proc f() { a: x := y++ + g(1); }",
            &[
                "1:20 side-effect expressions have no side effects in the block language | write `x := x + 1;`",
                "1:26 call-inside-expression a call stands alone in the block language | assign its result first: `x := call f(…);`",
            ],
        ),
        ("proc f() { a: x := b[0]; }", &["1:20 unsupported-array the block language has no arrays | write the program in C"]),
        (
            "proc f() { a: x := call h(1); call h(2); }",
            &["1:25 unknown-procedure there is no procedure `h` | write it: `proc h (…) returns r { … }`"],
        ),
        ("proc f() { a: if (x) goto b; b: }", &["1:15 syntax expected `assume`, an assignment `x := …`, `goto` or a label, found `if`"]),
        (
            "proc f(x) returns r, s { a: r, s, x := call f(x); r := 1; }",
            &[
                "1:20 several-results a procedure gives back one variable | keep `r`, and write a procedure of its own for each other result",
                "1:30 several-results a procedure gives back one variable | keep `r`, and write a procedure of its own for each other result",
            ],
        ),
        (
            "proc f(x, y) { a: } proc g() { a: call f(1); }",
            &["1:40 argument-count `f` takes 2 arguments, not 1 | give every parameter a value: `f(x, y)`"],
        ),
        (
            "proc f(x) { a: } proc g() { a: z := call f(1); }",
            &["1:42 void-value `f` gives back no value | call it in a statement of its own"],
        ),
        ("proc f() { a: goto; }", &["1:19 syntax expected a label, found `;`"]),
        ("proc f(x, x) { a: goto b; b: }", &["1:11 redefinition `x` is defined twice | rename one of them"]),
        ("proc f() { a: } int main() { }", &["1:17 syntax expected `proc`, found `int`"]),
    ];
    for (source, expected) in cases {
        check(source, expected);
    }
}

/// A parameter is a variable like any other.
#[test]
fn a_parameter_may_be_assigned_and_returned() {
    assert_eq!(edges("proc f(x) returns x { a: x := x + 1; }", "f"), ["0 x = x + 1 1"]);
}

#[test]
fn a_c_function_may_be_called_proc() {
    assert_eq!(codes("proc(int x) { return x; } int main() { return proc(1); }"), [""; 0]);
}

#[test]
fn long_texts_end() {
    let many = |part: fn(usize) -> String| (0..50_000).map(part).collect::<String>();
    survive(&format!("proc f() {{ a: goto {}z; z: }}", many(|_| "a, ".to_owned())));
    survive(&format!("proc f() {{ a: {} }}", many(|n| format!("v{n} := v{}; ", n + 1))));
    survive(&format!("proc f() {{ {} z: }}", many(|n| format!("l{n}: goto z; "))));
    survive(&"proc f() { a: ".repeat(20_000));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(128)))]
    /// Any words of the language in any order.
    #[test]
    fn random_words_survive(words in prop::collection::vec(prop::sample::select(vec![
        "proc", "f", "(", ")", "{", "}", "returns", "l0", "l1", ":", ":=", "=", "x", "y", "+", "1", "assume", "call", "goto", ",", ";", "if",
        "while", "int", "[", "]", "++", "==", "true", "nondet()", "proc f() { l0: ", "l1: goto l0, l1;", "}",
    ]), 0..40)) {
        survive(&format!("proc {}", words.join(" ")));
    }
}
