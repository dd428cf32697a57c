//! The text of SMT-LIB scripts: nothing that stands in a file makes the reader panic, overflow the stack or take a broken script.

use crate::common::cases;
use culdesac::smtlib::run;
use culdesac::source::{Diagnostic, Span};
use proptest::prelude::*;
use std::time::Duration;

/// The answers of a script, or where and why it is refused.
fn answers(text: &str) -> Result<String, Box<Diagnostic>> {
    let checks = run(text, 10_000, &|| Duration::ZERO, &mut |_| {})?;
    Ok(checks.iter().map(|check| check.result.as_str()).collect::<Vec<_>>().join(" "))
}

/// All kinds of token, and all places in which a list can stand.
const SCRIPT: &str = r#"; a comment with ) and "
(set-logic QF_ALIA)(set-info :status sat)(set-info :source |two
lines|)(set-option :global-declarations false)
(declare-const x Int)(declare-fun |a b| () (Array Int Int))(define-fun f ((u Int) (v Bool)) Int (ite v (+ u 10) u))
(assert (! (> x 0) :named positive :weight 0.5 :bits #b01 :mark #xaF :pattern (x (f x true)) :plain))
(assert (let ((y (+ x 1)) (z x)) (= (f y true) (+ z 11))))
(push 1)(assert ((_ divisible 3) x))(assert (= 7 (select ((as const (Array Int Int)) 7) x)))(check-sat)(pop 1)
(echo "say ""é""")(check-sat-assuming (positive (not (< x 0))))(get-value (x))(exit)
"#;

#[test]
fn all_kinds_of_token() {
    assert_eq!(answers(SCRIPT).expect("a script"), "sat sat");
}

/// A script that ends early is refused exactly where a parenthesis is open, at a place in the text and with a remedy.
#[test]
fn cut_anywhere() {
    for end in (0..SCRIPT.len()).filter(|&end| SCRIPT.is_char_boundary(end)) {
        let text = &SCRIPT[..end];
        match answers(text) {
            Ok(_) => assert!(text.trim_end().ends_with(')') || end <= SCRIPT.find('(').expect("a command"), "{text}"),
            Err(error) => {
                assert!(error.span.end as usize <= end, "{error:?}");
                let remedy = error.help.is_some() || error.message.ends_with("is not a token of SMT-LIB");
                assert!(remedy && error.code == "smtlib-syntax", "{error:?}");
            }
        }
    }
}

/// Lists as deep as memory allows: the stack of the thread is small.
#[test]
fn lists_without_recursion() {
    let depth = 100_000;
    let (open, close) = ("(".repeat(depth), ")".repeat(depth));
    let nest = move |part: &str, middle: &str| format!("{}{middle}{}", part.repeat(depth), ")".repeat(depth));
    let cases = [
        (open.clone(), "unexpected `(`"),
        (close.clone(), "unexpected `)`"),
        (format!("(assert {open}"), "the text ends inside a command"),
        (format!("(assert {open}{close})"), "unexpected `(`"),
        (format!("(assert {}", nest("(not ", "true")), "the text ends inside a command"),
        (format!("(assert {}{close}{close}{close})", "(let ((x ".repeat(depth)), "unexpected `)`"),
        (format!("(declare-const x {})", nest("(Array ", "Int")), "arrays other than (Array Int Int) are not supported"),
        (format!("(declare-const x {})", nest("(_ ", "Int")), "unexpected `(`"),
        (format!("(assert {})", nest("(as ", "f")), "unexpected `as`"),
        (format!("(set-info :source {open}{close})"), "unexpected `(`"),
        (format!("(define-funs-rec {open}{close})"), "recursive functions are not supported"),
    ];
    let check = move || {
        for (text, message) in cases {
            assert_eq!(answers(&text).expect_err("not a script").message, message, "{}", &text[..40]);
        }
        assert_eq!(answers(&format!("(assert {})(check-sat)", nest("(not ", "true"))).expect("a script"), "sat");
    };
    std::thread::Builder::new().stack_size(1 << 19).spawn(check).expect("a thread").join().expect("no overflow");
}

#[test]
fn refusals_have_remedies() {
    for (text, place, message, help) in [
        ("(assert true", (12, 12), "the text ends inside a command", "close the open parentheses"),
        (
            "(assert true\n(check-sat)",
            (14, 23),
            "unexpected `check-sat`",
            "no command stands inside another: close the parentheses before it",
        ),
        ("assert", (0, 6), "unexpected `assert`", "a command stands between parentheses"),
        ("(goal)", (1, 5), "unexpected `goal`", "the name of a command stands here"),
        ("(push)", (5, 6), "unexpected `)`", "the number of scopes is missing before it"),
        ("(push 1 2)", (8, 9), "unexpected `2`", "`)` stands here"),
        ("(echo x)", (6, 7), "unexpected `x`", "a string stands here"),
        ("(declare-const |let| Int)", (15, 20), "unexpected `|let|`", "a symbol stands here"),
        ("(assert (and))", (12, 13), "unexpected `)`", "a term is missing before it"),
        ("(assert let)", (8, 11), "unexpected `let`", "a term stands here"),
        ("(echo \"a", (6, 8), "`\"a` is not a token of SMT-LIB", "close the string with `\"`; a quote in a string is written twice"),
        ("(assert |a b)", (8, 13), "`|a b)` is not a token of SMT-LIB", "close the symbol with `|`"),
    ] {
        let error = answers(text).expect_err("not a script");
        let found = (error.span, &*error.message, error.help.as_deref());
        assert_eq!(found, (Span::new(place.0, place.1), message, Some(help)), "{text}");
    }
    for text in ["12x", "00", "1.", "#b2", "#x", "#", "[", "|a\\b|", "\"a\"b", "|a|b", ":let", ":", ":1", "\u{1}", "'", "a\"b\"", "é"] {
        let error = answers(&format!("(assert {text} )")).expect_err("not a script");
        let found = (error.span, &*error.message);
        assert_eq!(found, (Span::new(8, 8 + text.len()), &*format!("`{text}` is not a token of SMT-LIB")));
    }
}

/// Pieces of scripts, in any order.
fn pieces() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "(",
        ")",
        "(assert ",
        "(check-sat)",
        "(declare-const ",
        "(let ((",
        "(! ",
        ":named ",
        ":pattern ",
        "(_ ",
        "(as ",
        "x ",
        "Int ",
        "true ",
        "0 ",
        "1.5 ",
        "#b1 ",
        "#xF ",
        "\"",
        "|",
        "; ",
        "\n",
        "\\",
        "é",
        "(= x 1)",
        "(push 1)",
        "(pop 1)",
        "not ",
        "(define-fun f (",
    ];
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(250), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_text_panics(text in pieces(), bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        for text in [text, String::from_utf8_lossy(&bytes).into_owned()] {
            if let Err(error) = answers(&text) {
                prop_assert!(text.get(error.span.start as usize..error.span.end as usize).is_some(), "{error:?}");
            }
        }
    }
}
