//! Builtins of compilers, `errno`, and functions of the library that are made for a call: what `cover` says of programs with them.

use super::meaning::as_said;

/// What the comments of a program say that begins with its function.
fn said(source: &str) {
    as_said(&format!("\n{source}"));
}

#[test]
fn overflow_is_told_exactly() {
    // Addresses of an operand, of a narrower and a wider type; an operand with an effect has it once.
    said(
        "int f(int a, unsigned b) { unsigned char r; int n = a;\n if (__builtin_add_overflow(a++, b, &r)) {\n if (n == 200 && b == 100 && r != 44)\n return 1; // never\n return 2; // reached\n }\n if (r != n + (long)b)\n return 3; // never\n if (a != n + 1)\n return 4; // never\n return 0; // reached\n }",
    );
    said(
        "int f(unsigned long a, long b) { unsigned long r;\n if (__builtin_mul_overflow(a, b, &r))\n return 1; // reached\n if (b < 0 && a > 0)\n return 2; // never\n return 0; // reached\n }",
    );
    said(
        "int f(int a) { \n if (__builtin_smul_overflow(a, 2, &a)) {\n if (a % 2)\n return 1; // never\n return 2; // reached\n }\n return 0; // reached\n }",
    );
}

#[test]
fn bits_are_counted() {
    for source in [
        "int f(unsigned x) {\n if (__builtin_popcount(x) > 32)\n return 1; // never\n return 0; // reached\n }",
        "int f(int x) {\n if (__builtin_ffs(x) == 5)\n return 2; // reached\n return 0; // reached\n }",
        "int f(unsigned x) {\n if (x == 8 && __builtin_ctz(x) != 3)\n return 3; // never\n return 0; // reached\n }",
        "int f(unsigned x) {\n if (__builtin_clz(x) > 31)\n return 4; // never\n return 0; // reached\n }",
    ] {
        said(source);
    }
    // Nothing goes on from what is undefined: `__builtin_clz(0)`, and what is unreachable.
    said(
        "int f(unsigned x) { __builtin_clz(x);\n if (x == 0)\n return 1; // never\n if (x > 9) __builtin_unreachable();\n if (x == 10)\n return 2; // never\n return 0; // reached\n }",
    );
}

/// A builtin with the name of a function is that of the library; where the program defines one, none is taken for the other.
#[test]
fn builtins_are_functions_of_the_library() {
    said(
        "int f(int x) { char s[4] = \"ab\";\n if (__builtin_strlen(s) != 2)\n return 1; // never\n if (__builtin_abs(x) == 7)\n return 2; // reached\n return 0; // reached\n }",
    );
    let found = culdesac::lang::parse("int abs(int x) { return 1; } int f(int x) { return __builtin_abs(x); }").diagnostics;
    assert_eq!(found.iter().map(|said| said.code).collect::<Vec<_>>(), ["unknown-function"]);
}

#[test]
fn errno_is_what_calls_leave() {
    as_said(
        "#include <errno.h>\n#include <stdio.h>\nint f(int x) { errno = 0;\n if (errno)\n return 1; // never\n puts(\"a\");\n if (errno == ERANGE)\n return 2; // reached\n if (errno < 0)\n return 3; // never\n return 0; // reached\n }",
    );
    // A caller may have left any value, and what gets memory may set it, also in a declaration.
    as_said("#include <errno.h>\nint f(void) {\n if (errno == EINTR)\n return 1; // reached\n return 0; // reached\n }");
    as_said(
        "#include <errno.h>\n#include <stdlib.h>\nint f(void) { errno = 0; int *p = malloc(4);\n if (!p) {\n if (errno == ENOMEM)\n return 1; // reached\n return 2; // reached\n }\n if (errno)\n return 3; // reached\n return 0; // reached\n }",
    );
    // The program's own functions leave it alone.
    as_said(
        "#include <errno.h>\nint g(int x) { return x + 1; }\nint f(int x) { errno = 0; x = g(x);\n if (errno)\n return 1; // never\n return 0; // reached\n }",
    );
}

#[test]
fn texts_become_numbers_and_numbers_texts() {
    as_said(
        "#include <stdlib.h>\n#include <errno.h>\nint f(int c) { char s[4] = \"42\", *end; s[2] = c; errno = 0; long n = strtol(s, &end, 10);\n if (errno == ERANGE)\n return 1; // never\n if (n < 42)\n return 2; // never\n if (n == 427 && *end == 0)\n return 3; // reached\n if (*end == 'x')\n return 4; // reached\n return 0; // reached\n }",
    );
    as_said(
        "#include <stdlib.h>\n#include <errno.h>\nint f(void) { errno = 0;\n if (strtoul(\"-1\", NULL, 10) != 18446744073709551615u)\n return 2; // never\n return 0; // reached\n }",
    );
    as_said(
        "#include <stdio.h>\n#include <string.h>\nint f(int c) { char s[8]; int n = snprintf(s, 4, \"%c%03d\", c, 7);\n if (n != 4)\n return 1; // never\n if (s[0] == 'x' && strcmp(s, \"x00\") != 0)\n return 2; // never\n return 0; // reached\n }",
    );
}
