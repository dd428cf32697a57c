//! The preprocessor: what macros make, one case for each kind of message, and the C compiler's opinion.

use super::{check, codes, messages, survive};
use crate::lang::preprocess::{next_include, preprocess};
use crate::lang::token::{Kind, scan};
use proptest::prelude::*;
use std::io::Write;
use std::process::{Command, Stdio};

/// The letters of all tokens that come out; spans must lie in the source.
fn expand(source: &str) -> Vec<String> {
    let mut diagnostics = Vec::new();
    let mut text = source.to_string();
    let tokens = scan(&mut text, &mut diagnostics);
    let out = preprocess(&mut text, source.len(), &tokens, &mut diagnostics);
    assert!(out.tokens.iter().all(|t| t.span.start <= t.span.end && t.span.end as usize <= source.len()), "{source}");
    assert!(out.tokens.last().is_some_and(|t| t.kind == Kind::Eof));
    out.tokens.iter().filter(|t| t.kind != Kind::Eof).map(|t| t.spelling.text(&text).to_string()).collect()
}

#[track_caller]
fn gives(source: &str, expected: &str) {
    assert_eq!(expand(source).join(" "), expected, "{source}");
}

#[test]
fn macros_are_replaced() {
    gives("#define N 3\nN N", "3 3");
    gives("#define SQ(x) ((x)*(x))\nSQ(a+1) SQ SQ\n(2)", "( ( a + 1 ) * ( a + 1 ) ) SQ ( ( 2 ) * ( 2 ) )");
    gives("#define F(x, y) y x\nF(,) F((1,2),3) F( 1 \n ,\n 2 )", "3 ( 1 , 2 ) 2 1");
    gives("#define E()  e\nE() E( ) E", "e e E");
    gives("#define F (x)\nF", "( x )");
    gives("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g");
    gives("#define x x y\n#define y x\nx y", "x x x y");
    gives("#define f(x) x f\nf(1)(2)", "1 f ( 2 )");
    gives("#define f(x) [x]\n#define g f\ng(f(g)(1))", "[ [ f ] ( 1 ) ]");
    gives("#define float int\nfloat a;", "int a ;");
    gives("#define N 1\n#undef N\n#undef M\nN", "N");
}

#[test]
fn strings_and_pasting() {
    gives(
        r#"#define S(x) #x
S(a  +
b) S("q\n" '\'') S()"#,
        r#""a + b" "\"q\\n\" '\\''" """#,
    );
    gives("#define C(a,b) a##b\nC(x,1) C(+,+) C(,y) C(z,) C(,) C(1,2 3)", "x1 ++ y z 12 3");
    gives("#define X 1\n#define C(a,b) a##b\n#define D(a,b) C(a,b)\nC(X,X) D(X,X)", "XX 11");
    gives("#define O a ## b\nO", "ab");
    gives("#define P(...) p(__VA_ARGS__)\nP() P(1,2)", "p ( ) p ( 1 , 2 )");
    gives("#define P(f, ...) p(f, ## __VA_ARGS__)\nP(1) P(1,2,3) P(1,)", "p ( 1 ) p ( 1 , 2 , 3 ) p ( 1 , )");
    gives("#define P(a...) #a\nP(1, 2)", r#""1, 2""#);
    gives("#define T(x) S(x+1)\n#define S(x) #x\nT(a)", r#""a+1""#);
}

#[test]
fn lines_and_files() {
    gives("__LINE__\n\n__LINE__\n#line 40 \"a.c\"\n__LINE__ __FILE__\n# 7 \"b.c\"\n__LINE__ __FILE__", r#"1 3 40 "a.c" 7 "b.c""#);
    gives("#define \\\nN 1\\\n2\nN a\\\nb \"x\\\ny\" // c\\\nd\ne", "12 ab \"xy\" e");
    gives("_Pragma(\"x\") a _Pragma", "a _Pragma");
    gives("__STDC__ __func__", "1 __func__");
    gives("#define assert(x) if (!(x)) abort();\nassert(a);", "if ( ! ( a ) ) abort ( ) ; ;");
}

#[test]
fn known_headers() {
    gives("#include <limits.h>\n#include <stdbool.h>\nINT_MIN true", "( - 2147483647 - 1 ) 1");
    gives("#include \"stdio.h\"\n#include <stdio.h>\nEOF NULL", "( - 1 ) 0");
    gives("#include <stdint.h>\nINT64_C(3) size_t", "3L size_t");
    gives("#include <inttypes.h>\nINT32_MAX PRId64", "2147483647 \"ld\"");
    gives("INT_MAX", "INT_MAX");
    gives("#define NDEBUG\n#include <assert.h>\nassert(x);", "( ( void ) 0 ) ;");
    gives("#define assert(x)\n#include <assert.h>\nassert(x);", "assert ( x ) ;");
}

#[test]
fn conditions() {
    let holds = |condition: &str| expand(&format!("#define A 3\n#define F(x) (x)\n#if {condition}\nyes\n#else\nno\n#endif")) == ["yes"];
    for condition in [
        "1",
        "A == 3",
        "defined A",
        "defined(A) && !defined B",
        "B == 0",
        "F(1) + F(1) == 2",
        "-1 < 0",
        "-1 > 0u",
        "1 ? 2 : 1/0",
        "0 && 1/0 || 1",
        "'a' == 97",
        "'\\n' == 10",
        "'\\xff' < 0",
        "0x10 == 16 && 010 == 8 && 0b11 == 3",
        "int == 0",
        "7 % 4 == 3",
        "(1 << 3) == 8",
        "-8 >> 1 == -4",
        "~0 == -1",
        "!!5 == 1",
        "1 == 1 ? 1 : 0",
        "18446744073709551615 == -1",
        "1 - - 1 == 2",
        "(2 || 1/0) == 1",
        "0 ? 0 : 0 ? 0 : 5",
        "5 & 4 ^ 1 | 2",
        "'ab' == 24930",
        "1UL << 63 > 0",
    ] {
        assert!(holds(condition), "{condition}");
    }
    for condition in
        ["0", "A != 3", "!defined A", "-1 > 0", "(0, 0)", "1.5", "1 +", "(1", "", "defined", "1 / 0", "1 1", "''", "@", "\"s\""]
    {
        assert!(!holds(condition), "{condition}");
    }
    gives("#ifdef A\n1\n#elif 1\n2\n#elif 1/0\n3\n#else\n4\n#endif", "2");
    gives("#ifndef A\n1\n#if 0\n5\n#else\n6\n#endif\n#else\n4\n#endif 7", "1 6");
    gives("#if 0\n#if 1\n1\n#else\n2\n#endif\n#else\n3\n#endif", "3");
    gives("#define F(x) x\nF(\n#if 1\n1\n#else\n2\n#endif\n)", "1");
    check("#if 0\ndon't @ #error \\ \"\n#foo\n#elif 0\n'\n#endif\nint f(int x) { return x; }", &[]);
}

#[test]
fn messages_about_directives() {
    check(
        r#"#foo
#define 3
#define
#define F(x
#define G(x, x) x
#define H(x,) x
#define I(..., x) x
#define J(x) #y
#define K ## x
#define N 1
#define N  1
#define N 2
#undef
#include
#include "mine.h"
#line x
int f(int x) { return F(x) + G(x, x) + H(x) + x; }"#,
        &[
            "1:1 unsupported-directive the directive `#foo` is not supported | remove the line; those of C are understood, from `#define` to `#endif`",
            "2:9 bad-directive `3` cannot be the name of a macro | write `#define NAME value` or `#define NAME(a, b) value`",
            "3:1 bad-directive `#define` needs a name | write `#define NAME value` or `#define NAME(a, b) value`",
            "4:9 bad-directive the parameters of `F` have no closing `)` | write `#define NAME value` or `#define NAME(a, b) value`",
            "5:14 bad-directive the parameter `x` is there twice | give it another name",
            "6:12 bad-directive expected a parameter, found `,` | write `#define NAME value` or `#define NAME(a, b) value`",
            "7:14 bad-directive expected `,` or `)`, found `,` | `...` is the last parameter",
            "8:14 bad-directive `#` needs a parameter of the macro behind it | remove it",
            "9:11 bad-directive `##` needs a token on both sides | remove it",
            "12:9 macro-redefined the macro `N` is defined again, differently | write `#undef N` before it if that is meant",
            "13:1 bad-directive `#undef` needs a name | write `#undef NAME`",
            "14:1 bad-directive `#include` needs the name of a file | write `#include <stdio.h>`",
            "15:1 unknown-include `mine.h` is not here: it is left out | paste what the program needs from it in front of the program; on the command line `-I DIR` says where headers are",
            "16:1 bad-directive `#line` needs the number of a line | remove it, or write `#line 1`",
        ],
    );
    check(
        "#error Don't do this\n#warning it's old\nint f(int x) { return x; }",
        &[
            "1:1 error-directive the program asks for an error here: Don't do this | define what it needs, e.g. with `#define`, or remove the line",
            "2:1 warning-directive the program asks for a warning here: it's old",
        ],
    );
}

#[test]
fn messages_about_groups() {
    check(
        "#else\n#endif\n#if 1 +\nint q;\n#endif\n#ifdef\n#endif\n#if 1\n#else\n#else\n#endif\nint f(int x) { return x + q; }\n#if 1",
        &[
            "1:1 bad-directive this `#else` belongs to no `#if` | remove it, or add the `#if` that it belongs to",
            "2:1 bad-directive this `#endif` belongs to no `#if` | remove it, or add the `#if` that it belongs to",
            "3:8 bad-condition expected a value, found the end of the line | only integers, operators, and `defined(NAME)` may stand here",
            "6:1 bad-directive `#ifdef` needs a name | write `#ifdef NAME`",
            "10:1 bad-directive `#else` stands behind the `#else` of the same `#if` | remove it",
            "13:1 unterminated-if this `#if` is never closed | close it with `#endif` on a line of its own",
        ],
    );
    let conditions = "#if 1 / 0\n#elif 2 2\n#elif (1\n#elif 1.5\n#elif 1 ? 2\n#elif defined 3\n#endif\nint f(int x) { return x; }";
    check(
        conditions,
        &[
            "1:7 bad-condition division by zero | only integers, operators, and `defined(NAME)` may stand here",
            "2:9 bad-condition expected an operator, found `2` | only integers, operators, and `defined(NAME)` may stand here",
            "3:9 bad-condition expected `)`, found the end of the line | only integers, operators, and `defined(NAME)` may stand here",
            "4:7 bad-condition `1.5` is no integer of 64 bits | only integers, operators, and `defined(NAME)` may stand here",
            "5:12 bad-condition expected `:` of `? :`, found the end of the line | only integers, operators, and `defined(NAME)` may stand here",
            "6:7 bad-condition `defined` needs a name | write `defined(NAME)`",
        ],
    );
}

#[test]
fn messages_about_uses() {
    check(
        "#define F(x) x\n#define C(a, b) a ## b\n#define V(a, ...) a\nint f(int x) { x = F(x, 1); x = C(x, +); x = F(); x = V(1); return x; }",
        &[
            "4:20 macro-arguments the macro `F` takes 1 argument, 2 given here",
            "4:33 bad-paste `##` makes no token of `x` and `+` | leave out the `##`",
            "4:40 syntax expected an expression, found `;`",
            "4:49 syntax expected an expression, found `;`",
        ],
    );
    assert!(codes("#define F(x) x\nint f(int x) { return F(x; }").contains(&"unterminated-macro-call"));
}

#[test]
fn identifiers_of_any_script() {
    check("int größe(int 数) { int плюс = 数; return плюс + 1; }", &[]);
    check("int f(int x) { return x → 1; }", &["1:25 unknown-character `→` means nothing in C | remove it"]);
    gives("a→b int“x”", "a → b int “ x ”");
    gives("\u{FEFF}int", "int");
}

#[test]
fn bounds_of_the_preprocessor() {
    let large = |source: &str| assert!(codes(source).contains(&"macro-too-large"), "{}", &source[..source.len().min(80)]);
    survive(&("#if 1\n".repeat(10_000) + &"#endif\n".repeat(10_000)));
    survive(&("#if 0\n".repeat(10_000) + &"#endif\n".repeat(10_000)));
    survive(&"#if 1\n".repeat(10_000));
    survive(&format!("#if {}1{}\n#endif", "(".repeat(100_000), ")".repeat(100_000)));
    survive(&format!("#if {}1\n#endif", "- ".repeat(100_000)));
    survive(&format!("#if {}1\n#endif", "1 ? 1 : ".repeat(100_000)));
    survive(&format!("#define A {}\nA", "a ## ".repeat(200_000)));
    large(&format!("#define A {} a\nA", "a ## ".repeat(200_000)));
    survive(&"##".repeat(500_000));
    survive(&format!("#define A(x) x\n{}", "A(".repeat(100_000)));
    large(&format!("#define A(x) x\n{}1{}", "A(".repeat(1_000), ")".repeat(1_000)));
    large(&format!("#define D(x) x x x x x x\n{}1{}", "D(".repeat(60), ")".repeat(60)));
    large(&format!("#define D(x) {}\n{}1{}", "x ".repeat(10_000), "D(".repeat(60), ")".repeat(60)));
    large(&format!("#define S(x) {}\nS({})", "#x ".repeat(10_000), "a ".repeat(10_000)));
    survive("#define A A A\n#define B A B A\nB A B");
    let mut chain = String::from("#define M0 1\n");
    for i in 1..10_000 {
        chain += &format!("#define M{i} M{}\n", i - 1);
    }
    assert_eq!(messages(&(chain + "int f(int x) { return M9999; }")), [""; 0]);
    survive(&"#define F(x) x\nF(".repeat(10_000));
    survive(&"\\\n".repeat(500_000));
    survive(&format!("#define F(a) a\n{}", "F(1)\n\n\n".repeat(50_000)));
}

/// The C compiler's preprocessor; `None` if there is no compiler.
fn compiler(source: &str) -> Option<(String, bool)> {
    let mut child = Command::new("gcc")
        .args(["-E", "-P", "-undef", "-std=gnu11", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(source.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.success()))
}

const NAMES: [&str; 4] = ["A", "B", "F", "G"];
const BODY: [&str; 22] = [
    "A",
    "B",
    "F",
    "G",
    "(",
    ")",
    ",",
    "x",
    "y",
    "1",
    "+",
    "F(x)",
    "G(x, y)",
    "G(A, F(B))",
    " x ## y ",
    " #x ",
    "\"s\"",
    "  ",
    "(x)",
    "__VA_ARGS__",
    "F(",
    "x##1",
];
const LINES: [&str; 16] = [
    "#undef A\n",
    "#ifdef A\n",
    "#if defined B && (2 > 1u)\n",
    "#if A + 1\n",
    "#else\n",
    "#endif\n",
    "#elif 'a' - 97 || defined(F)\n",
    "#ifndef G\n",
    "\n",
    "F(A, B)\n",
    "G(F(1), (2, B))\n",
    "F(F)(x)\n",
    "G(A\n, B)\n",
    "F(G(1, 2))\n",
    "__LINE__ F\n(1)\n",
    "G(,)\n",
];

fn program() -> impl Strategy<Value = String> {
    let body = proptest::collection::vec(proptest::sample::select(&BODY[..]), 0..6).prop_map(|words| words.join(" "));
    let define = (0usize..4, body).prop_map(|(name, body)| {
        let parameters = ["", "", "(x)", "(x, y)"][name];
        let parameters = if name == 3 && body.contains("VA") { "(x, ...)" } else { parameters };
        format!("#define {}{parameters} {body}\n", NAMES[name])
    });
    let line = prop_oneof![3 => define, 4 => proptest::sample::select(&LINES[..]).prop_map(str::to_string)];
    proptest::collection::vec(line, 1..14).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(150)))]

    #[test]
    fn macros_agree_with_the_c_compiler(source in program()) {
        survive(&source);
        match compiler(&source) {
            None => eprintln!("skipped: there is no C compiler here"),
            // What it refuses is looked at above, message by message.
            Some((_, false)) => {}
            Some((text, true)) => prop_assert_eq!(expand(&source), expand(&text.replace('#', "\u{2205}")).iter().map(|t| t.replace('\u{2205}', "#")).collect::<Vec<_>>()),
        }
    }
}

/// What a text of several files means: see [`crate::source::files`].
#[test]
fn headers_stand_in_the_text() {
    gives("\u{1c}-DN=3\n\u{1c}-DM\n\u{1c}-U__STDC__\n\u{1c}-Idir\n__LINE__ N M __STDC__", "1 3 1 __STDC__");
    let header = "a __LINE__\n#include \"x.h\"\n\u{1c}>1 d/x.h\n__LINE__ __FILE__\n#line 9\n__LINE__\n\u{1c}<\n__LINE__ __FILE__";
    gives(header, r#"a 1 1 "d/x.h" 9 3 "program.c""#);
    // Arguments, groups and comments end with their file.
    gives("#define F(x) [x]\n\u{1c}>1 x.h\nF\n\u{1c}<\n(2)", "F ( 2 )");
    let of = |text: &str, code: &str| assert!(codes(&format!("{text}\nint f(int x) {{ return x; }}")).contains(&code), "{text}");
    of("#define F(x) [x]\n\u{1c}>1 x.h\nint F(\n\u{1c}<\n2);", "unterminated-macro-call");
    of("\u{1c}>1 x.h\n#if 0\n\u{1c}<\n", "unterminated-if");
    of("#if 1\n\u{1c}>1 x.h\n#else\n\u{1c}<\n#endif", "bad-directive");
    of("\u{1c}>1 x.h\n/*\n\u{1c}<\n", "unterminated-comment");
    of("int a; \u{1c}<", "unknown-character");
    of("\u{1c}?", "unknown-character");
    for text in ["\u{1c}<\n\u{1c}<\n#endif", "\u{1c}>1 x.h\n#if 1", "#if 0\n\u{1c}>1 x.h\n#else\n\u{1c}<\n", "\u{1c}>9 x.h\n\u{1c}<"] {
        survive(&format!("{text}\nint f(int x) {{ return x; }}"));
    }
}

#[test]
fn open_includes_are_found_in_order() {
    let next = |source: &str, from: u32, angled: bool| {
        next_include(source, from, angled).map(|open| (open.name, open.quoted, open.next, open.end, open.lines, open.chain, open.once))
    };
    let text = "#if 0\n#include \"no.h\"\n#endif\n#include <a.h>\n\u{1c}>1 b.h\n#pragma once\n#define C \"c.h\"\n# \\\ninclude C // x\nint a;\n\u{1c}<\n#include_next <d.h>";
    let (b, end) = (vec!["b.h".to_owned()], text.find("int a;").expect("a declaration"));
    assert_eq!(next(text, 0, true), Some(("c.h".to_owned(), true, false, end, 2, b.clone(), b.clone())));
    let last = text.find("#include_next").expect("a directive") as u32;
    assert_eq!(next(text, last, true), Some(("d.h".to_owned(), false, true, text.len(), 1, Vec::new(), b)));
    assert_eq!(next(text, last, false), None);
}
