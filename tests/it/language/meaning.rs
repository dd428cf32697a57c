//! What programs mean beyond their own text: which functions count by their body, what memory and the library give. Each program says by
//! comments what `cover` finds of the statement on their line: `// reached`, or `// never`.

use culdesac::analysis::Listener;
use culdesac::analysis::cover::{CoverDocument, CoverSettings, cover};
use culdesac::view::{InputValue, Number, Reply, Request, Severity};

/// What `cover` says of the function `f` of a program.
fn covered(source: &str) -> CoverDocument {
    let request = Request {
        program: "p".to_owned(),
        source: source.to_owned(),
        function: Some("f".to_owned()),
        limit: Some(400_000),
        seed: 0,
        ints: None,
        ..Request::default()
    };
    let settings = CoverSettings { unwind: Some(3), algorithm: "sc".to_owned(), precondition: None, summaries: false };
    match cover(&request, &settings, &mut Listener::new(&mut |_| true)) {
        Reply::Document { document } => document,
        Reply::Refused { diagnostics } => panic!("{source}\n{diagnostics:?}"),
    }
}

/// Compares what the comments say with what `cover` says: a line is never reached if one of its statements is not. For `return` to be a
/// statement of its own, something is set in front of it.
pub(super) fn as_said(source: &str) {
    let source = &source.replace("\nint f(", "\nint at = 0; int f(").lines().map(braced).collect::<Vec<_>>().join("\n");
    let document = covered(source);
    let mut compared = 0;
    for (line, text) in (1..).zip(source.lines()) {
        // Not every loop has an invariant that says so.
        let never = document.infeasible.iter().chain(&document.not_within).any(|statement| statement.line == line);
        let reached = document.tests.iter().any(|test| test.lines.contains(&line));
        let wanted = match text.split_once("// ") {
            Some((_, "reached")) => (true, false),
            Some((_, "never")) => (false, true),
            _ => continue,
        };
        compared += 1;
        assert_eq!((reached, never), wanted, "line {line} of\n{source}\n{:?}", document.reason);
    }
    assert!(compared > 0, "{source}");
}

/// A line with a `return` that a comment speaks of, as one statement.
fn braced(line: &str) -> String {
    match line.split_once("// ") {
        Some((code, said)) => format!("{{ at++; {code} }} // {said}"),
        None => line.to_owned(),
    }
}

/// A function that the program defines is what its body says.
#[test]
fn a_body_counts_whatever_the_name() {
    for source in [
        "void assume(int c) {}\nint f(int x) {\n assume(x > 3);\n if (x == 0)\n return 1; // reached\n return 0; }",
        "void assume(int c) { while (!c); }\nint f(int x) {\n assume(x > 3);\n if (x == 0)\n return 1; // never\n return 0; // reached\n }",
        "void __VERIFIER_assume(int c) { if (!c) for (;;); }\nint f(int x) {\n __VERIFIER_assume(x > 3);\n if (x == 0)\n return 1; // never\n return 0; }",
        "void abort(void);\nvoid assume(int c) { if (!c) abort(); }\nint f(int x) {\n assume(x > 3);\n if (x == 0)\n return 1; // never\n return 0; // reached\n }",
        "int nondet(void) { return 3; }\nint f(void) {\n if (nondet() == 4)\n return 1; // never\n return 0; // reached\n }",
        "int calls; int nondet_int(void) { return ++calls; }\nint f(void) { calls = 0;\n int x = 1 + nondet_int() * 2;\n if (x == 3 && calls == 1)\n return 1; // reached\n return 0; // never\n }",
        "void reach_error(void) {}\nint f(int x) {\n if (x) reach_error();\n return x + 1; // reached\n }",
        "int left; void abort(void) { left = 1; }\nint f(int x) { left = 0;\n abort();\n if (left)\n return 1; // reached\n return 0; // never\n }",
        "void __VERIFIER_error(int code) {}\nint f(int x) {\n __VERIFIER_error(3);\n return x; // reached\n }",
        "int rand(void) { return -2; }\nint f(void) {\n if (rand() < 0)\n return 1; // reached\n return 0; // never\n }",
        "int room[4]; int *calloc(unsigned long n, unsigned long size) { return room; }\nint f(void) {\n int *p = calloc(4, 4); room[0] = 3;\n if (p[0] == 3)\n return 1; // reached\n return 0; // never\n }",
        "int isdigit(int c) { return 7; }\nint f(int c) {\n if (isdigit(c) == 7)\n return 1; // reached\n return 0; // never\n }",
        // What the library itself calls is not the program's.
        "#include <stdio.h>\nint count; int putchar(int c) { count++; return c; }\nint f(void) { count = 0; char s[3] = \"ab\";\n printf(\"%s\", s);\n if (count > 0)\n return 1; // never\n return 0; // reached\n }",
        "#include <stdio.h>\nint getchar(void) { return 'x'; }\nint f(void) { char s[3];\n if (fgets(s, 3, stdin)) {\n if (s[0] == 'y')\n return 1; // reached\n }\n return getchar() == 'y'; }",
    ] {
        as_said(source);
    }
}

/// SV-COMP's convention: of whatever type, such a function draws a value and changes nothing; what gets an argument is another one.
#[test]
fn a_function_of_the_verifier_changes_nothing() {
    let program = |call: &str, declared: &str| {
        format!(
            "typedef char msg; int g; {declared};\nint f(void) {{ g = 3; msg m = {call};\n if (m == 7)\n return 1; // reached\n if (g != 3)\n return 2; // never\n return 0; // reached\n }}"
        )
    };
    as_said(&program("__VERIFIER_nondet_msg()", "msg __VERIFIER_nondet_msg(void)"));
    as_said(&program("__VERIFIER_nondet_packet_t()", "char __VERIFIER_nondet_packet_t()"));
    as_said(&program("__VERIFIER_nondet_of(1)", "char __VERIFIER_nondet_of(int)").replace("// never", "// reached"));
    as_said(&program("nondet_msg()", "msg nondet_msg(void)").replace("// never", "// reached"));
    // Its value has its type, and its body counts if it has one.
    as_said(
        "typedef unsigned char msg; msg __VERIFIER_nondet_msg(void);\nint f(void) {\n if (__VERIFIER_nondet_msg() > 255)\n return 1; // never\n return 0; // reached\n }",
    );
    as_said(
        "int g; int __VERIFIER_nondet_msg(void) { g = 4; return 1; }\nint f(void) { g = 3;\n if (__VERIFIER_nondet_msg() != 1)\n return 1; // never\n if (g == 4)\n return 1; // reached\n return 0; // never\n }",
    );
    // It passes no address of a static on to other code.
    as_said(
        "void other(int *); static int g; int __VERIFIER_nondet_msg(void);\nint f(void) { other(&g); g = 3; __VERIFIER_nondet_msg();\n if (g != 3)\n return 1; // never\n return 0; // reached\n }",
    );
}

/// A body that gives back a variable without a value says that the value is arbitrary, at each call.
#[test]
fn a_variable_without_a_value_is_arbitrary() {
    as_said(
        "int any(void) { int x; return x; }\nint f(void) { int s = 0;\n for (int i = 0; i < 2; i++) s = s * 10 + (any() == i + 5);\n if (s == 11)\n return 1; // reached\n return 0; }",
    );
    as_said("int nondet(void) { int x; return x; }\nint f(void) {\n if (nondet() != nondet())\n return 1; // reached\n return 0; }");
    as_said("int five(void) { static int x = 5; return x; }\nint f(void) {\n if (five() != five())\n return 1; // never\n return 0; }");
}

/// An error location is reached as before where the program only declares what leads there, and where its body does.
#[test]
fn errors_are_reached() {
    for source in [
        "void reach_error(void);\nint f(int x) { if (x == 3) reach_error(); return x; }",
        "#include <assert.h>\nvoid reach_error(void) { assert(0); }\nint f(int x) { if (x == 3) reach_error(); return x; }",
        "void __assert_fail(const char *, const char *, unsigned int, const char *);\nvoid reach_error() { __assert_fail(\"0\", \"a.c\", 3, \"reach_error\"); }\nint f(int x) { if (x == 3) reach_error(); return x; }",
        "void abort(void);\nvoid __VERIFIER_assert(int c) { if (!c) { ERROR: abort(); } }\nint f(int x) { __VERIFIER_assert(x != 3); return x; }",
    ] {
        let document = covered(source);
        let shown: Vec<_> = document.errors.iter().map(|error| error.input.values.get("x").cloned()).collect();
        assert_eq!(shown, [Some(InputValue::Scalar(Number::Small(3)))], "{source}");
    }
}

/// Memory of `calloc` is zero, and one call of `malloc` either fails or does not.
#[test]
fn memory_is_what_the_call_gives() {
    for source in [
        "#include <stdlib.h>\nint f(void) { int *q = calloc(2, 4);\n if (q && q[1] != 0)\n return 1; // never\n return 0; // reached\n }",
        "#include <stdlib.h>\nint f(int n) { char *q = calloc(n, 1); int s = 0;\n for (int i = 0; q && i < n; i++) s += q[i];\n if (s)\n return 1; // never\n return 0; // reached\n }",
        "#include <stdlib.h>\nint f(void) { int *q = malloc(8);\n if (q && q[1] != 0)\n return 1; // reached\n return 0; // reached\n }",
        "#include <stdlib.h>\nint f(void) { int *q = realloc(NULL, 8);\n if (q == NULL)\n return 1; // reached\n if (q[1] != 0)\n return 1; // reached\n return 0; // reached\n }",
        "#include <stdlib.h>\nint f(void) { int *a = malloc(4);\n if (a == 0)\n return 1; // reached\n if (a == 0)\n return 2; // never\n return 0; // reached\n }",
        "#include <stdlib.h>\nint f(void) { int *a; a = malloc(4);\n if (a == 0)\n return 1; // reached\n if (a == 0)\n return 2; // never\n return 0; // reached\n }",
        "#include <stdlib.h>\nint f(void) { int *a = malloc(4);\n if (!a && a)\n return 2; // never\n return a != 0; // reached\n }",
        // A null pointer stays one in what is called.
        "#include <stdlib.h>\nint g(int *p) { return p == NULL; }\nint f(void) { int *a = malloc(4);\n if (g(a)) {\n if (a)\n return 1; // never\n return 2; // reached\n }\n return 0; // reached\n }",
        "#include <stdlib.h>\nint f(void) { int *a = malloc(4);\n *a = 3;\n if (a == 0)\n return 1; // never\n return 0; // reached\n }",
    ] {
        as_said(source);
    }
}

/// The functions of `<ctype.h>` give any value but zero for true, anew at each call, and take characters and `EOF` only.
#[test]
fn kinds_of_characters_are_any_truth() {
    for source in [
        "#include <ctype.h>\nint f(int c) {\n if (isdigit(c) > 1)\n return 1; // reached\n if (isdigit(c) < 0)\n return 2; // reached\n return 0; }",
        "#include <ctype.h>\nint f(int c) {\n if (isdigit('7') == 0)\n return 1; // never\n if (isdigit('7') != isdigit('7'))\n return 2; // reached\n return isalpha('7'); }",
        "#include <ctype.h>\nint f(int c) {\n int d = isspace(c), e = !isspace(c);\n if (d && e)\n return 1; // never\n if (d == 8)\n return 2; // reached\n return isupper(c) ? 3 : 4; // reached\n }",
        "#include <ctype.h>\nint f(int c) {\n if (isdigit(c) || 1) {\n if (c == -2)\n return 1; // never\n if (c == 256)\n return 1; // never\n if (c == -1)\n return 2; // reached\n if (c == 255)\n return 3; // reached\n }\n return 0; }",
        "#include <ctype.h>\nint f(signed char c) {\n int u = toupper(c);\n if (c == -7)\n return 1; // never\n return u == 'A'; // reached\n }",
    ] {
        as_said(source);
    }
}

/// Of what `strcmp` and its like give, C says the sign.
#[test]
fn comparisons_of_strings_are_any_value_of_the_sign() {
    for source in [
        "#include <string.h>\nint f(void) { int r = strcmp(\"a\", \"b\");\n if (r == -1)\n return 1; // reached\n if (r == -70)\n return 2; // reached\n if (r >= 0)\n return 3; // never\n return 0; }",
        "#include <string.h>\nint f(int c) { char a[2] = {1, 2}, b[2] = {1, 3};\n if (memcmp(b, a, 2) == 300)\n return 1; // reached\n if (memcmp(a, b, 2) > 0)\n return 2; // never\n if (memcmp(a, b, 1))\n return 3; // never\n return strncmp(\"ab\", \"ac\", 1) == 0; }",
    ] {
        as_said(source);
    }
    // Only the sign: nothing is drawn, so no test names a value.
    let document = covered("#include <string.h>\nint f(char *s) { if (strcmp(s, \"a\") < 0) return 1; return !strcmp(s, \"a\"); }");
    assert!(document.tests.iter().all(|test| test.input.nondet.is_empty()));
}

/// What memory holds is arbitrary at each call, not what an earlier call's held.
#[test]
fn memory_is_new_at_each_call() {
    as_said(
        "#include <stdlib.h>\nint f(void) { int old = 0;\n for (int i = 0; i < 2; i++) { int *p = malloc(4);\n if (!p) return 1;\n if (i == 1 && *p == 5 && old == 3)\n old = 9; // reached\n old = *p = 3; }\n return 0; }",
    );
    as_said(
        "#include <stdlib.h>\nint f(void) {\n for (int i = 0; i < 2; i++) { int *p = calloc(1, 4);\n if (!p) return 1;\n if (*p)\n return 9; // never\n *p = 3; }\n return 0; }",
    );
}

/// What the library does inside is none of the program's statements: it is not listed and not counted.
#[test]
fn what_is_not_the_programs_is_not_listed() {
    let source = "#include <ctype.h>\n#include <stdio.h>\nint f(void) { char s[4] = \"abc\"; scanf(\"%3s\", s);\n if (isdigit(5)) return 1;\n return s[0]; }";
    let document = covered(source);
    let own: Vec<&str> =
        document.infeasible.iter().filter(|statement| !statement.library).map(|statement| statement.text.as_str()).collect();
    assert_eq!(own, ["isdigit(5)"]);
    assert!(document.infeasible.iter().any(|statement| statement.library && statement.text.starts_with("isdigit.c")));
    assert_eq!(document.covered + 1, document.statements);
}

/// Where compilers warn, so does the front end: a value that a `void` function returns is computed and dropped.
#[test]
fn a_value_from_void_is_dropped() {
    let source = "int g; void f(int x) { g = 0;\n if (x) return (-1);\n g = 2; }";
    let document = covered(source);
    let said: Vec<_> = document.header.diagnostics.iter().map(|diagnostic| (diagnostic.severity, diagnostic.code.as_str())).collect();
    assert_eq!(said, [(Severity::Warning, "unexpected-value")]);
    assert_eq!(document.covered, document.statements);
    as_said(
        "int g; void h(int x) { if (x) return (void)(g = 5); g = 2; }\nint f(int x) {\n h(x);\n if (g == 5)\n return 1; // reached\n return 0; }",
    );
}

/// The header says why a function is analysed that the request did not name.
#[test]
fn the_choice_is_said() {
    let header = |source: &str, function: Option<&str>| {
        let request = Request { source: source.to_owned(), function: function.map(str::to_owned), ..Request::default() };
        let header =
            culdesac::load::load(&request).unwrap_or_else(|errors| panic!("{errors:?}")).header(&request, true, Default::default(), 0);
        (header.function, header.chosen_because)
    };
    let source = "int g(int x) { if (x > 3) return 1; return 0; } int main(void) { int i; for (i = 0; i < 3; i++) g(i); return 0; }";
    assert_eq!(header(source, None), ("g".to_owned(), Some("`main`, which calls it, reads no input".to_owned())));
    assert_eq!(header(source, Some("main")), ("main".to_owned(), None));
    assert_eq!(header("int f(int x) { return x; }", None), ("f".to_owned(), None));
}

/// Where `_Bool` is needed a pointer says whether it is not null (C11 6.3.1.2), in each of its forms.
#[test]
fn a_pointer_becomes_a_truth_value() {
    for source in [
        "#include <stdbool.h>\nint f(int *p) {\n bool ok = p;\n if (ok != (p != 0))\n return 1; // never\n if (ok)\n return 2; // reached\n return 0; // reached\n }",
        "#include <stdbool.h>\n#include <stddef.h>\nstatic bool is_there(const char *text) { return text; }\nint f(const char *text) {\n if (is_there(text) && text == NULL)\n return 1; // never\n if (!is_there(text))\n return 2; // reached\n return 0; // reached\n }",
        "#include <stdbool.h>\nstatic int count(bool is_more) { return is_more == 1 ? 7 : is_more; }\nint f(int *p) {\n if (count(p) > 1 && !p)\n return 1; // never\n if (count(p) == 7)\n return 2; // reached\n return 0; // reached\n }",
        "#include <stdbool.h>\nstruct entry { bool is_used; int *value; };\nint f(int *p) {\n struct entry e = { p, p };\n bool other;\n other = e.value;\n if (e.is_used != (bool)p || other != e.is_used)\n return 1; // never\n if ((bool)p + 1 == 2)\n return 2; // reached\n return 0; // reached\n }",
        "#include <stdbool.h>\n#include <stdlib.h>\nint f(int x) {\n int a[3];\n bool always = a, text = \"\", memory = malloc(4);\n if (!always || !text)\n return 1; // never\n if (memory)\n return 2; // reached\n return 0; // reached\n }",
    ] {
        as_said(source);
    }
}

/// A constant of several characters has its bytes from the highest one on, as gcc and clang have it.
#[test]
fn several_characters_are_one_number() {
    as_said(
        r"enum { TAG = 'ab' };
int f(int x) {
 if (x == TAG && x != 24930)
 return 1; // never
 switch (x) {
 case 'abcd':
 return 2; // reached
 case '\xff\1':
 return x == 65281; // reached
 }
 if ('\n\'' != 10 * 256 + 39 || '\377\377\377\377' != -1 || sizeof 'ab' != sizeof(int))
 return 3; // never
 return 0;
 }",
    );
}

/// An array and the address of an object are never null (C11 6.3.2.3p3): a comparison with null, or a truth, is a decision with a branch that
/// never runs. What a pointer leads to may be nothing.
#[test]
fn objects_are_not_null() {
    as_said(
        "struct s { int m[2]; int n; };
int f(int k) {
 char local[4] = \"abc\"; struct s s = {{k}}; static int t[3]; struct s u[2] = {{{0}}};
 if (local == 0)
 return 1; // never
 if (!t)
 return 2; // never
 if (&k == 0 || 0 == &t[2])
 return 3; // never
 if (s.m && u[1].m != 0 && &s.n && &u[0] && (void *)0 != &u[1].m[1])
 return 4; // reached
 return 5; // never
 }",
    );
    as_said(
        "#include <stddef.h>
int f(int *p) {
 if (!p)
 return 1; // reached
 if (&p == 0)
 return 2; // never
 return 0; // reached
 }",
    );
}

/// Structures that a condition chooses are values: compound literals, results of calls, objects.
#[test]
fn conditions_choose_structures() {
    as_said(
        "struct pt { int x, y; };
struct pt flip(struct pt a, int f) { return f ? (struct pt){a.y, a.x} : a; }
struct pt made(int x) { return (struct pt){x, x + 1}; }
int f(int a, int b, int c) {
 if (a < -9 || a > 9 || b < -9 || b > 9)
 return 0;
 struct pt p = {a, b};
 if (flip(p, 1).x != b)
 return 1; // never
 if (flip(p, c).y == b && c && a != b)
 return 2; // never
 if ((c ? (struct pt){1, 2} : (struct pt){3, 4}).y == 3)
 return 3; // never
 if ((c > 2 ? made(a) : c ? p : (struct pt){.y = 7}).x == 10)
 return 4; // never
 if ((c > 2 ? made(a) : c ? p : (struct pt){.y = 7}).y == 7)
 return 5; // reached
 p = c ? (struct pt){b, a} : made(b);
 if (p.x != b)
 return 6; // never
 return 7; // reached
 }",
    );
}
