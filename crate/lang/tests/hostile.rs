//! Texts that are meant to break things: deep, long, huge, cut off, random.

use super::{codes, messages, survive};
use crate::lang::ast::{MAX_EXPR_DEPTH, MAX_NESTING};
use crate::lang::{MAX_DIAGNOSTICS, parse};
use crate::lts::lower::lower;
use proptest::prelude::*;

#[test]
fn huge_constants_are_exact() {
    let digits = "7".repeat(5000);
    let program = parse(&format!("int f() {{ return {digits}; }}")).program.unwrap_or_default();
    let returned = lower(&program, None).ok().and_then(|l| l.lts.at_entry.returns);
    assert_eq!(returned, crate::logic::Int::parse(&digits).map(crate::lts::Expr::Int));
    assert_eq!(codes(&format!("int f() {{ return {}; }}", "7".repeat(20_000))), ["constant-too-long"]);
}

#[test]
fn nesting_is_bounded() {
    let within = MAX_NESTING as usize / 4;
    let around = |n: usize, open: &str, inside: &str, close: &str| {
        format!("int f(int x) {{ {}{inside}{} return x; }}", open.repeat(n), close.repeat(n))
    };
    let cases: [(&str, &str, &str); 7] = [
        ("x = (", "x", ")"),
        ("{", ";", "}"),
        ("if (x) {", "x = 1;", "}"),
        ("while (x) ", "x--;", ""),
        ("if (x) ; else { ", "x--;", "}"),
        ("do ", "x--;", " while (x);"),
        ("for (;x;) {", "x--;", "}"),
    ];
    for (open, inside, close) in cases {
        survive(&around(within, open, inside, close));
        for n in [1_000, 100_000] {
            let found = codes(&around(n, open, inside, close));
            assert!(found.contains(&"nesting-too-deep"), "{open}: {found:?}");
        }
    }
    for (open, close) in
        [("(", ")"), ("-", ""), ("!", ""), ("a[", "]"), ("g(", ")"), ("x ? x : ", ""), ("x = ", ""), ("(x || ", ")"), ("(int)", "")]
    {
        for n in [1_000, 100_000] {
            let source =
                format!("int a[3]; int g(int x) {{ return x; }} int f(int x) {{ x = {}1{}; return x; }}", open.repeat(n), close.repeat(n));
            assert_eq!(codes(&source), ["nesting-too-deep"], "{open}");
        }
        survive(&format!(
            "int a[3]; int g(int x) {{ return x; }} int f(int x) {{ x = {}1{}; return x; }}",
            open.repeat(within),
            close.repeat(within)
        ));
    }
    for n in [1_000, 100_000] {
        survive(&format!("int a[3] = {}1{};", "{".repeat(n), "}".repeat(n)));
        survive(&around(n, "a: ", ";", ""));
        survive(&"(".repeat(n));
        survive(&"{".repeat(n));
        survive(&"int f() { ".repeat(n));
        survive(&"int f(int (".repeat(n));
    }
}

#[test]
fn a_hundred_nested_ifs() {
    let source = format!("int f(int x) {{ {} x = 1; {} return x; }}", "if (x > 0) { x = x - 1; ".repeat(100), "}".repeat(100));
    assert_eq!(messages(&source), [""; 0]);
    survive(&source);
}

#[test]
fn chains_of_operators_are_bounded() {
    for operator in ["+", "&&", "<", ",", "||", "- -"] {
        let chain = |n: usize| format!("int f(int x) {{ x = 1; if (x {}) x = 2; return x; }}", format!("{operator} x ").repeat(n));
        survive(&chain(MAX_EXPR_DEPTH as usize / 2));
        assert_eq!(messages(&chain(MAX_EXPR_DEPTH as usize / 2)), [""; 0]);
        assert_eq!(codes(&chain(10_000)), ["expression-too-long"], "{operator}");
    }
}

#[test]
fn else_if_chains_are_no_nesting() {
    let source = format!("int f(int x) {{ if (x == 0) x = 1; {} return x; }}", "else if (x == 2) x = 3;\n".repeat(3_000));
    assert_eq!(messages(&source), [""; 0]);
    survive(&source);
}

#[test]
fn long_functions() {
    survive(&format!("int f(int x) {{ {} return x; }}", "x = x + 1; if (x > 3) { x--; }\n".repeat(3_000)));
    survive(&format!("int f(int x) {{ {} return x; }}", "L: x++;\n".repeat(3_000)));
    survive(&"int f(int x) { return x; }\n".repeat(3_000));
}

#[test]
fn macros_are_bounded() {
    let mut source = String::from("#define M0 1\n");
    for i in 1..60 {
        source += &format!("#define M{i} M{0} + M{0}\n", i - 1);
    }
    source += "int f() { return M59; }";
    assert!(codes(&source).contains(&"macro-too-large"));
    let mut source = String::from("#define E0\n");
    for i in 1..60 {
        source += &format!("#define E{i} E{0} E{0}\n", i - 1);
    }
    source += "int f() { return E59 1; }";
    assert!(codes(&source).contains(&"macro-too-large"));
    survive(&format!("#define A {}\nint f() {{ return A; }}", "A ".repeat(10_000)));
}

#[test]
fn inlining_is_bounded() {
    let chain = |n: usize, calls: &str| {
        let mut source = String::from("void f0(int x) { x++; }\n");
        for i in 1..n {
            source += &format!("void f{i}(int x) {{ {} }}\n", calls.replace('@', &format!("f{}", i - 1)));
        }
        source
    };
    let reason = |source: &str| {
        let program = parse(source).program.unwrap_or_default();
        lower(&program, None).err().map(|e| e[0].code)
    };
    assert_eq!(reason(&chain(40, "@(x); @(x);")), Some("too-large"));
    assert_eq!(reason(&chain(5_000, "@(x);")), Some("too-deep"));
    assert_eq!(reason(&chain(100, "@(x);")), None);
    // Calls that make no edges at all still cost time.
    let silent = chain(60, "@(); @();").replace("(int x)", "()").replace("x++;", "");
    assert_eq!(reason(&silent), Some("too-large"));
}

#[test]
fn a_flood_of_messages_is_cut() {
    let source = format!("int f(int x) {{ {} return x; }}", "x = @; ".repeat(300));
    let parsed = parse(&source);
    assert_eq!(parsed.diagnostics.len(), MAX_DIAGNOSTICS + 1);
    assert_eq!(parsed.diagnostics.last().map(|d| d.message.as_str()), Some("there are 250 more messages like these"));
}

#[test]
fn strange_texts() {
    for source in [
        "\0",
        "\0\0int f() { return 0; }\0",
        "#",
        "#define",
        "#define X",
        "#if",
        "#if\n#if\n#endif",
        "/*",
        "//",
        "\\",
        "\\\n",
        "'",
        "\"",
        "\"\\",
        "'\\",
        "𝛼𝛽",
        "int 𝛼;",
        "int f() { return 𝛼; }",
        "int f(",
        "int f()",
        "int f() {",
        "int f() { if",
        "int f() { if (",
        "int f() { for (;",
        "int f() { do",
        "int f() { return",
        "int f() { goto",
        "int f() { x",
        "int f() { x(",
        "int f() { x[",
        "int f() { int",
        "int f() { int a[",
        "int f() { int a = {",
        "int f() { switch",
        "int f() { switch (",
        "int f() { switch (x) {",
        "struct",
        "struct {",
        "struct { int x; } y;",
        "typedef",
        "enum",
        "int",
        "int a[",
        "int a = {1,",
        "__attribute__",
        "__attribute__((",
        "int f() __attribute__((x)) { return 0; }",
        "int main(int argc, char **argv) { return 0; }",
        "else",
        "case 1:",
        "}",
        "{",
        ")",
        "(",
        ";",
        "=",
        "...",
        "int f(...) {}",
        "int (",
        "int *",
        "int **",
        "x y z",
        "x y",
        "x",
        "int f() { a b c d; }",
        "static",
        "extern",
        "const",
        "int f() { static; const; }",
        "int f() { int; }",
        "int f(int a[) { }",
        "int f(int a[3]) { return a[0]; }",
        "int f() { return (int) ; }",
        "int f() { return (int",
        "int f() { return (struct s){1}; }",
        "int f() { L: }",
        "int f() { L:",
        "int f() { L: L: L: ; goto L; }",
        "#define f f(\nint f() {}",
        "#define x x x x\nint x;",
        "#define int\nint f() { return 0; }",
        "#define A ) {\nint f(A return 0; }",
    ] {
        survive(source);
    }
}

#[test]
fn every_prefix_of_a_program() {
    let source = include_str!("../../../examples/substring.c");
    for (end, _) in source.char_indices() {
        survive(&source[..end]);
    }
}

/// Words that make the parser's life interesting.
const WORDS: [&str; 74] = [
    "int",
    "void",
    "char",
    "long",
    "const",
    "static",
    "extern",
    "unsigned",
    "float",
    "struct",
    "enum",
    "typedef",
    "if",
    "else",
    "while",
    "for",
    "do",
    "break",
    "continue",
    "return",
    "goto",
    "switch",
    "case",
    "default",
    "sizeof",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ":",
    "?",
    "=",
    "+=",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    "+",
    "-",
    "*",
    "/",
    "%",
    "++",
    "--",
    "!",
    "&&",
    "||",
    "&",
    "|",
    "~",
    ".",
    "->",
    "...",
    "#",
    "\n#define A x +\n",
    "\n#if\n",
    "\n#endif\n",
    "A",
    "f",
    "g",
    "x",
    "y",
    "a",
    "assert",
    "nondet",
    "0",
    "1",
    "'c'",
    "\"s\"",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(200)))]

    #[test]
    fn token_soup_never_panics(words in proptest::collection::vec(0..WORDS.len(), 0..120)) {
        let soup: Vec<&str> = words.iter().map(|&i| WORDS[i]).collect();
        let soup = soup.join(" ");
        survive(&soup);
        survive(&format!("int a[3]; int g(int x) {{ return x; }} int f(int x, int y) {{ {soup} }}"));
    }

    #[test]
    fn mutated_programs_never_panic(which in 0usize..4, edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..WORDS.len(), 0u8..3), 1..6)) {
        let examples = [
            include_str!("../../../examples/merge.c"), include_str!("../../../examples/bubble.c"),
            include_str!("../../../examples/substring.c"), include_str!("../../../examples/f2.c"),
        ];
        let mut text: Vec<String> = examples[which].split_inclusive([' ', '(', ')', ';', '\n', '[', ']']).map(str::to_string).collect();
        for (at, word, kind) in edits {
            let at = at.index(text.len());
            match kind {
                0 => text[at] = WORDS[word].to_string(),
                1 => text.insert(at, WORDS[word].to_string()),
                _ => {
                    text.remove(at);
                }
            }
        }
        survive(&text.concat());
    }

    #[test]
    fn random_text_never_panics(text in "\\PC{0,80}", bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        survive(&text);
        survive(&String::from_utf8_lossy(&bytes));
        survive(&format!("int f(int x) {{ {text} }}"));
    }
}
