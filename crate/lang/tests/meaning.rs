//! One case for each kind of message: numbers, names, calls, jumps. And what gets no message.

use super::{check, messages, survive};

#[test]
fn numbers_and_characters() {
    check(
        "int f(int x) { x = 09; x = 0x; x = 12ab; x = 1.5; x = 1.5L; x = 3uLL; x = 0x1F; x = 1f; return x; }",
        &[
            "1:20 bad-number `09` is not a number | a number that starts with 0 is octal and has only the digits 0 to 7",
            "1:28 bad-number `0x` is not a number | check its digits and suffix",
            "1:36 bad-number `12ab` is not a number | check its digits and suffix",
            "1:55 unsupported-float the number `1.5L` is not supported | write a decimal number of the type `double` or `float`",
            "1:85 bad-number `1f` is not a number | check its digits and suffix",
        ],
    );
    check(
        r#"int f(int x) { x = 'abcde'; x = ''; x = '\q'; x = '\400'; return 'z'; }"#,
        &[
            r"1:20 bad-character `'abcde'` is not a character | write one ASCII character such as 'a', '\n' or '\x41'",
            r"1:33 bad-character `''` is not a character | write one ASCII character such as 'a', '\n' or '\x41'",
            r"1:41 bad-character `'\q'` is not a character | write one ASCII character such as 'a', '\n' or '\x41'",
            r"1:51 bad-character `'\400'` is not a character | write one ASCII character such as 'a', '\n' or '\x41'",
        ],
    );
    check(
        "int f(int x) { x = @ 3; x = x $ 2; x = é; return x; }",
        &[
            "1:20 unknown-character `@` means nothing in C | remove it",
            "1:30 missing-semicolon expected `;`, found `$`",
            "1:40 undeclared-name `é` is not declared | declare it first: `int é;`",
        ],
    );
    check(
        r#"int f(int x) {
  x = 'a;
  x = "abc;
  return y;
}"#,
        &[
            "2:7 unterminated-literal this character constant is never closed | close it with `'` on the same line",
            r#"3:7 unterminated-literal this string is never closed | close it with `"` on the same line"#,
            "4:10 undeclared-name `y` is not declared | declare it first: `int y;`",
        ],
    );
    check("int f(int x) { /* open ", &["1:16 unterminated-comment this comment is never closed | close it with `*/`"]);
}

#[test]
fn declarations() {
    check(
        r#"int f(int n) { int a[n]; int b[0]; int c[]; int d[2] = {1,2,3}; int e = {1}; int g[3] = 4; char s[] = "abc"; return "abc"; }"#,
        &[
            "1:32 array-length an array cannot have 0 elements",
            "1:40 array-length the length of the array `c` is missing | write e.g. `c[10]`",
            "1:56 too-many-values 3 values do not fit into `d`",
            "1:89 array-initialiser the array `g` needs a list of values | write `{1, 2, 3}`",
            "1:117 unsupported-string strings as data are not supported | a string can be an argument of a function, or fill an array of `char`",
        ],
    );
    check(
        "int x = y; int z = 1/0; int w = 3*4; int a[2] = {1, x}; int f(int n) { static int q = n; return q; }",
        &[
            "1:9 undeclared-name `y` is not declared | declare it first: `int y;`",
            "1:20 not-constant the first value of a global or static variable must be a constant | compute it from numbers, or assign it at the start of a function",
            "1:53 not-constant an element of a global or static array must be a constant | compute it from numbers, or assign it at the start of a function",
            "1:87 not-constant the first value of a global or static variable must be a constant | compute it from numbers, or assign it at the start of a function",
        ],
    );
    check(
        "int f(int x) { int x; int y; int y; { int y; } return x; } int f(int z) { return z; } int y; int y; int y[3]; int f;",
        &[
            "1:20 redefinition `x` is defined twice | rename one of them",
            "1:34 redefinition `y` is defined twice | rename one of them",
            "1:64 redefinition `f` is defined twice | rename one of them",
            "1:105 redefinition `y` is defined twice | rename one of them",
            "1:115 redefinition `f` is defined twice | rename one of them",
        ],
    );
    check("int f(int) { return 1; }", &["1:7 missing-name this parameter has no name | a function with a body needs names, e.g. `int n`"]);
    check(
        "int f(int x) { int a[2] = {{1, 2}}; int b[2] = {[1] = 2}; return x; }",
        &["1:28 scalar-initialiser `a` is one value, not a list | write `a[]` for an array, or one value without braces"],
    );
}

#[test]
fn declarations_inside_functions() {
    check("int f(int x) { extern int n; int g(int y); return n + x; }", &[]);
}

#[test]
fn unknown_names_get_a_suggestion_once() {
    check(
        "int f(int count) { int swapped; coutn = 1; swaped = 2; swaped = 3; zzz = 3; return count; }",
        &[
            "1:33 undeclared-name `coutn` is not declared | did you mean `count`?",
            "1:44 undeclared-name `swaped` is not declared | did you mean `swapped`?",
            "1:68 undeclared-name `zzz` is not declared | declare it first: `int zzz;`",
        ],
    );
}

#[test]
fn scalars_arrays_and_functions() {
    check(
        "int a[3]; int s; int g(int x) { return x; } int f(int x) { s[1] = 2; a = 3; x = a + 1; x = g; a(3); return g(a); }",
        &[
            "1:60 scalar-as-array `s` is a single integer, not an array | declare it as an array, e.g. `int s[10]`",
            "1:70 array-as-scalar `a` is an array, not a single integer | name an element, e.g. `a[0]`; a whole array can only be passed to a function",
            "1:81 pointer-as-integer an address stands where an integer is needed | follow it with `*`, or name an element",
            "1:92 function-as-value `g` is a function | call it: `g(…)`",
            "1:95 not-a-function `a` is a variable, not a function",
            "1:110 array-as-scalar `a` is an array, not a single integer | name an element, e.g. `a[0]`; a whole array can only be passed to a function",
        ],
    );
    check(
        "int g(int *p, int n) { return p[n]; } int f(int x) { return g(x, x) + g(x + 1, 2); }",
        &[
            "1:63 scalar-as-array `x` is a single integer, not an array | declare it as an array, e.g. `int x[10]`, or pass its address `&x`",
            "1:73 argument-kind the parameter `p` needs an array or an address | pass the name of an array, or an address `&x`",
        ],
    );
    check(
        "int g(int x) { return x; } int f(int x) { g(x) = 3; x++ = 4; 5 = x; ++(x+1); (x) = 2; return 3[x]; }",
        &[
            "1:43 not-assignable this cannot be assigned to",
            "1:53 not-assignable this cannot be assigned to",
            "1:62 not-assignable this cannot be assigned to",
            "1:71 not-assignable this cannot be incremented",
            "1:94 not-an-array only an array or a pointer has elements | index an array's name",
        ],
    );
}

#[test]
fn calls() {
    check(
        "int g(int x) { return x; } void v(void) { } int f(int x) { x = g(1, 2); x = v(); x = h(1); x = prinft(1); return 0; }",
        &[
            "1:64 argument-count `g` takes 1 argument, not 2 | leave out what is too much: `g(x)`",
            "1:77 void-value `v` gives back no value | call it in a statement of its own",
            "1:86 unknown-function there is no function `h` | define it, or declare it with `extern int h();`: then its result is arbitrary, as with `nondet()`",
            "1:96 unknown-function there is no function `prinft` | did you mean `printf`?",
        ],
    );
    check(
        r#"int f(int x) { printf("a %d", x++); puts("b"); printf("c"); assume(); assert(x, x); x = assume(x); exit(); nondet(3); return x; }"#,
        &[
            "1:61 argument-count `assume` takes 1 argument, not 0",
            "1:71 argument-count `assert` takes 1 argument, not 2",
            "1:89 void-value `assume` gives back no value | call it in a statement of its own",
            "1:100 argument-count `exit` takes 1 argument, not 0",
            "1:108 argument-count `nondet` takes 0 arguments, not 1",
        ],
    );
    check(
        "void absent(int x); int arb(int x); long double dbl(long double x); int f(int x) { int a[3]; absent(x); x = arb(x); x = absent(x); dbl(x); arb(a); return x; }",
        &[
            "1:94 function-without-body `absent` has no body: a call may change all that it can reach | define it if it matters; what it can reach are globals that are not `static`, what it gets the address of, and what a caller passes by a pointer",
            "1:109 function-without-body `arb` has no body: a call may change all that it can reach, and give any value | define it if it matters; what it can reach are globals that are not `static`, what it gets the address of, and what a caller passes by a pointer",
            "1:121 void-value `absent` gives back no value | call it in a statement of its own",
            "1:132 unsupported-type `dbl` has a type that is not supported | define the function, or declare it with a type of integers",
        ],
    );
}

#[test]
fn jumps_and_returns() {
    check(
        "void f(int x) { return x; break; continue; goto nowhere; l1: x = 1; l1: x = 2; goto l2; }",
        &[
            "1:24 unexpected-value a `void` function returns no value: this one goes nowhere | give the function the type `int`, or write `return;`",
            "1:27 outside-loop `break` stands outside of a loop",
            "1:34 outside-loop `continue` stands outside of a loop",
            "1:49 unknown-label there is no label `nowhere` in this function | write `nowhere:` in front of the statement to go to",
            "1:69 duplicate-label the label `l1` stands twice in this function | rename one of them",
            "1:85 unknown-label there is no label `l2` in this function | did you mean `l1`?",
        ],
    );
    check(
        "int f(int x) { return; }",
        &["1:16 missing-value this function should return a value | write `return 0;`, or give the function the type `void`"],
    );
}

#[test]
fn an_assignment_as_condition_is_a_warning() {
    check(
        "int f(int x) { if (x = 1) x = 2; while ((x = nondet())) x = 3; return x; }",
        &[
            "1:20 assignment-in-condition this condition assigns to `x` | use `==` to compare; a second pair of parentheses says that the assignment is meant",
        ],
    );
}

#[test]
fn for_headers() {
    check(
        "int f(int x) { for (x = 0, x < 3, x++) x = 1; for (int i = 0; i < 3) x = 2; for (i = 0; x; ) { } return x; }",
        &[
            "1:38 syntax expected `;` (a `for` has three parts: `for (start; condition; step)`), found `)`",
            "1:68 syntax expected `;` (a `for` has three parts: `for (start; condition; step)`), found `)`",
            "1:82 undeclared-name `i` is not declared | declare it first: `int i;`",
        ],
    );
}

#[test]
fn nothing_to_look_at() {
    check("", &["1:1 no-function there is no function to look at | define one, e.g. `int main() { … }`"]);
    check("   /* nothing */ int x; ", &["1:1 no-function there is no function to look at | define one, e.g. `int main() { … }`"]);
    check("int f(int x);", &["1:1 no-function there is no function to look at | define one, e.g. `int main() { … }`"]);
}
#[test]
fn what_is_accepted() {
    for source in [
        "int f() { return 1; }",
        "extern int printf(const char *format, ...); void *malloc(unsigned long n); int f(void) { printf(\"%d\\n\", 1); return 1; }",
        "static const int n = 3, m = 4; long long g; int f(const int *a, register int n) { volatile int x = a[n]; return (x); }",
        "# 1 \"x.c\"\n#include <stdio.h>\n#pragma once\n#define N (2 * 3)\nint a[N]; int f(void) { return a[N - 1]; }",
        "__attribute__((noreturn)) void stop(void) __attribute__((cold)); int f(int x) { do { x--; } while (x > 0); return x; }",
        "#define assert(e) ((e) ? 0 : 1)\nvoid abort(void); int f(int x) { assert(x); if (x) abort(); return 0; }",
        "void assert(int c) { if (!c) { ERROR: goto ERROR; } } int f(int x) { assert(x); return 0; }",
        "int f(int x) { int y = x, *z; }".replace(", *z", "").as_str(),
        "main() { return 0; }",
        "int f(int x) { int a[] = {1, 2, 3,}; for (int i = 0, j = 2; i < j; i++, j--) x += a[i]; return x; }",
        "int f(int x) { return x ? x > 1 ? 1 : 2 : x, 3; }",
        "int f(int x) { x = 'a' + '\\n' + '\\\\' + '\\0' + '\\x7f' + 0x1F + 017 + 10uLL; // comment \\\n continued\n return x; }",
        "int f(int x) { x = 1 \\\n + 2; return x; }\r\nint g(int x) { return x; }\r\n",
        "#define A B\n#define B A\nint f(int A) { return A; }",
        "\u{FEFF}int f(void) { return 0; }",
        "extern int n; int n = 3; int n; extern void __assert_fail(const char *a, const char *b, unsigned int c); int f() { __assert_fail(\"a\", \"b\", 3); return n; }",
        "int f(int x) { end: return x; } int g(int end) { goto end; end: return end; }",
    ] {
        assert_eq!(messages(source), [""; 0], "{source}");
        survive(source);
    }
}

#[test]
fn macros_are_shown_where_they_are_used() {
    check(
        "#define LIMIT limt\nint f(int limit) {\n  return LIMIT;\n}",
        &["3:10 undeclared-name `limt` is not declared | did you mean `limit`?"],
    );
}
