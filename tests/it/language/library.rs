//! Functions of C's library, one group after the other: what they give, and what they print as gcc's library does.

use super::meaning::as_said;
use crate::differential::{Settings, check_texts};
use culdesac::lang::parse;
use std::path::PathBuf;
use std::process::Command;

/// Functions that print, each the whole of a program.
const PRINTING: &[&str] = &[
    "int strings(int n) { char s[8] = \"hello\"; const char *t = n & 1 ? \"world\" : \"x\"; int k = n & 7; printf(\"<%.*s|%*s|%-8s|%8s|%.2s>\", k, s, 7, s, s, s, s);
        printf(\"<%.*s|%*s|%-8s|%8s|%.2s|%s>\", k, t, k - 4, t, t, t, t, t); printf(\"<%.*s|%*s|%-8s|%*.*s>\", k - 2, \"abcdef\", -k, \"abc\", \"abc\", k + 4, k - 1, \"abc\"); return k > 3; }",
    "int numbers(int n) { int k = n & 15; printf(\"<%*d|%-*d|%.*d|%0*d|%*c>\", k - 8, n, k, n, k - 2, n, k, n, k, 'x'); printf(\"<%.*x|%*.*d>\", k, 10, k, k - 5, n);
        printf(\"<%*.*f|%.*e>\", k, k - 3, 2.5, k, 1.25); return k > 3; }",
];

/// A width or a precision may be computed: by arguments for numbers, strings of the text and arrays.
#[test]
fn widths_and_precisions_are_arguments() {
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let texts: Vec<(PathBuf, String)> = (PRINTING.iter().zip(0..))
        .map(|(source, number)| (PathBuf::from(format!("printing-{number}.c")), format!("#include <stdio.h>\n{source}\n")))
        .collect();
    for report in check_texts(&texts, None, Settings { runs: 40, steps: 5_000, symbolic: 2, unseen: false }) {
        assert!(
            report.refused.is_none() && report.differences.is_empty() && report.runs > 20,
            "{:?} {:?}",
            report.refused,
            report.differences
        );
    }
}

/// Searches, comparisons and numbers.
#[test]
fn searches_and_numbers_are_exact() {
    as_said(
        "#include <string.h>\n#include <strings.h>\nint f(int c) { char s[8] = \"a,b\"; s[1] = c; char *p = memchr(s, 'b', 3);\n if (!p)\n return 1; // never\n if (p - s == 1)\n return 2; // reached\n if (strcasecmp(s, \"A,B\") == 0)\n return 3; // reached\n if (strncasecmp(s, \"Ax\", 1) != 0)\n return 4; // never\n return 0; // reached\n }",
    );
    as_said(
        "#include <stdlib.h>\nint f(int c) { char s[8] = \"2.5e1x\", *end; double x = strtod(s, &end);\n if (c == 1 && x == 25 && *end == 'x')\n return 1; // reached\n if (atol(\" -42a\") != -42 || atoll(\"+7\") != 7)\n return 3; // never\n if (atof(\"-0.125\") == -0.125)\n return 0; // reached\n return 2; }",
    );
}

/// What the library only gives is any value, and changes nothing.
#[test]
fn values_of_the_system_are_drawn() {
    as_said(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\nint g;\nint f(void) { g = 3; char *home = getenv(\"HOME\");\n if (!home)\n return 1; // reached\n if (remove(\"x\") == 7 && clock() > 5)\n return 2; // reached\n if (g != 3)\n return 3; // never\n return 0; // reached\n }",
    );
    // A function that is called back may change the program's objects.
    as_said(
        "#include <stdlib.h>\nstatic int g; static void last(void) { g = 4; }\nint f(void) { g = 3; atexit(last);\n if (g == 4)\n return 1; // reached\n return 0; // reached\n }",
    );
}

/// A stream that the program opens is an input.
#[test]
fn streams_of_the_program_are_inputs() {
    as_said(
        "#include <stdio.h>\nint f(const char *name) { char s[4]; FILE *p = fopen(name, \"r\");\n if (!p)\n return 1; // reached\n int c = fgetc(p);\n if (c < EOF || c > 255)\n return 2; // never\n if (!fgets(s, 4, p))\n return 3; // reached\n if (s[3] != 0 && s[0] != 0 && s[1] != 0 && s[2] != 0)\n return 4; // never\n fputs(s, p); fclose(p);\n return 0; // reached\n }",
    );
    as_said(
        "#include <stdio.h>\nint f(const char *name) { short t[3] = {1, 2, 3}; FILE *p = fopen(name, \"r\"); size_t n = fread(t, sizeof(short), 2, p);\n if (n > 2 || t[2] != 3)\n return 1; // never\n if (n < 2 && t[1] != 2)\n return 2; // never\n if (t[0] == 9 && n == 1)\n return 3; // reached\n return 0; // reached\n }",
    );
}

/// Sorts and searches by comparators of the program: sorted in the end, equal elements in any order.
#[test]
fn elements_are_sorted_and_found() {
    as_said(
        "#include <stdlib.h>\nstruct P { int x, y; };\nstatic int up(const void *a, const void *b) { const struct P *p = a, *q = b; return p->x < q->x ? -1 : p->x > q->x; }\nint f(int x, int y) { struct P s[2] = {{x, 1}, {y, 2}}; qsort(s, 2, sizeof(struct P), up);\n if (s[0].x > s[1].x)\n return 1; // never\n if (x == y && s[0].y == 2)\n return 2; // reached\n if (x < y && s[0].y == 2)\n return 3; // never\n if (s[0].x + 0L == x + 1L && s[0].x != y)\n return 4; // never\n return 0; // reached\n }",
    );
    as_said(
        "#include <stdlib.h>\nstatic int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\nint f(int x) { int a[4] = {1, 3, 3, 9}, *p = bsearch(&x, a, 4, sizeof(int), up);\n if (!p && x == 9)\n return 1; // never\n if (p && *p != x)\n return 2; // never\n if (p && p - a == 2)\n return 3; // reached\n if (p && p - a == 1)\n return 4; // reached\n return 0; // reached\n }",
    );
    // Pointers to what is compared.
    let nodes = "#include <stdlib.h>\nstruct person { int age; }; static int older(const void *a, const void *b) { const struct person *x = *(struct person *const *)a, *y = *(struct person *const *)b; return x->age < y->age ? -1 : x->age > y->age; }
        int f(int x) { struct person a = {x}, b = {3}, *v[2] = {&a, &b}; qsort(v, 2, sizeof *v, older); if (v[0]->age > v[1]->age) return 1; if (v[0] == &b && x < 3) return 2; return v[0] == &b; }";
    assert_eq!(super::nodes::verdicts(nodes, "f")[2], 0);
    // A comparator that counts is none.
    let counting = "#include <stdlib.h>\nint calls; static int up(const void *a, const void *b) { calls++; return *(const int *)a - *(const int *)b; }\nint f(int *a) { calls = 0; qsort(a, 3, sizeof(int), up); if (calls == 7) return 1; return 0; }";
    assert!(parse(counting).diagnostics.iter().any(|said| said.message.contains("the comparator may change something")));
}

/// Numbers and words in an array of characters.
#[test]
fn texts_are_scanned() {
    as_said(
        "#include <stdio.h>\nint f(int c) { char s[16] = \"12:ab\", w[8]; int a, k; s[2] = c; int n = sscanf(s, \"%d:%[a-c]%n\", &a, w, &k);\n if (n == 2 && (k != 5 || w[2] != 0))\n return 1; // never\n if (n == 2)\n return 2; // reached\n if (n == 1 && a == 127)\n return 3; // reached\n if (n < 1)\n return 4; // never\n return 0; // reached\n }",
    );
    as_said(
        "#include <stdio.h>\nint f(void) { unsigned u = 5; unsigned char b; char c;\n if (sscanf(\"\", \"%u\", &u) != -1 || sscanf(\"x\", \"%u\", &u) != 0 || u != 5)\n return 1; // never\n if (sscanf(\" 0xfg\", \"%x%c\", &u, &c) != 2 || u != 15 || c != 'g')\n return 2; // never\n if (sscanf(\"-1 255\", \"%*d%hhu\", &b) != 1 || b != 255)\n return 3; // never\n return 0; // reached\n }",
    );
}

/// Numbers with fractions, in other bases, and within widths.
#[test]
fn texts_are_scanned_for_other_numbers() {
    as_said(
        "#include <stdio.h>\nint f(void) { double d = 9; float x = 9; int i, o, n; char c[4] = {0};\n if (sscanf(\" -2.5e1 0.1\", \"%lf%f\", &d, &x) != 2 || d != -25 || x != 0.1f)\n return 1; // open\n if (sscanf(\"12.345\", \"%4lf%d\", &d, &n) != 2 || d != 12.3 || n != 45)\n return 2; // open\n if (sscanf(\"x\", \"%lf\", &d) != 0 || sscanf(\"-.\", \"%lf\", &d) != 0 || sscanf(\" \", \"%lf\", &d) != -1 || d != 12.3)\n return 3; // open\nreturn 0; // reached\n }",
    );
    as_said(
        "#include <stdio.h>\nint f(void) { int i, o, n; char c[4] = {0};\n if (sscanf(\"0x1f 017 -9\", \"%i%i%i\", &i, &o, &n) != 3 || i != 31 || o != 15 || n != -9)\n return 4; // never\n if (sscanf(\"0x5 0189\", \"%1x%*c%d%o%d\", (unsigned *)&i, &n, (unsigned *)&o, &n) != 4 || i != 0 || o != 1 || n != 89)\n return 5; // never\n if (sscanf(\"abc\", \"%2c%1s\", c, c + 2) != 2 || c[0] != 'a' || c[1] != 'b' || c[2] != 'c')\n return 6; // never\n return 0; // reached\n }",
    );
    as_said(
        "#include <stdio.h>\nint f(const char *s) { double d; int i; if (sscanf(s, \"%lf:%i\", &d, &i) != 2)\n return 1; // reached\n if (d > 2.5 && i == 8)\n return 2; // open\n return 0; // reached\n }",
    );
}

const SCANNED: &str = "#include <stdio.h>
static const char texts[16][10] = {\"12.5x\", \" -3\", \"+.25e1:\", \"1e\", \"0x1F\", \"017 9\", \"-0\", \"\", \"x\", \"7e-2z\", \".\", \"2147483\", \"  5.\", \"1.5.5\", \"08\", \"-+1\"};
";

/// As gcc's library scans them, but for what each library does in its own way.
#[test]
fn texts_are_scanned_as_the_library_scans_them() {
    let functions = [
        "int wide(int x) { double d = 1; char c = 0; x &= 15; if (x == 3 || x == 4) return 0; int n = sscanf(texts[x], \"%lf%c\", &d, &c); return n * 1000 + (d > 2) * 100 + (d == 2.5 || d == -3 || d == 0.07) * 300 + c; }",
        "int narrow(int x) { float d = 1; int i = 0; x &= 15; if (x == 3 || x == 4) return 0; int n = sscanf(texts[x], \"%3f%d\", &d, &i); return n * 1000 + (d > 2) * 100 + (d == 0.25f || d == 12.5f) * 300 + (i & 63); }",
        "int bases(int x) { int i = 5, o = 6; x &= 15; int n = sscanf(texts[x], \"%i%o\", &i, (unsigned *)&o); return n * 1000 + (i & 255) + (o & 63) * 3; }",
        "int within(int x) { int i = 5; unsigned o = 6; char c[3] = {1, 2, 3}; x &= 15; int n = sscanf(texts[x], \"%1i%3x%c\", &i, &o, c); return n * 1000 + (i & 255) + (int)(o & 63) * 3 + c[0]; }",
    ];
    let wrong = super::literals::wrong_functions("scanned", SCANNED, &functions);
    assert!(wrong.is_empty(), "{wrong}");
}

/// As gcc's library reads them in other bases, wherever their end is kept.
#[test]
fn numbers_are_read_as_the_library_reads_them() {
    let texts = "#include <stdlib.h>\nstruct reader { char *at; };\nstatic const char texts[16][24] = {\"12,5\", \" -3\", \"+0x1Fg\", \"0x\", \"0xg\", \"017 9\", \"-0\", \"\", \"x\", \"7fffffffffffffff\", \"-8000000000000000\", \"-8000000000000001\", \"9223372036854775808\", \"zz\", \"08\", \"18446744073709551616\"};\nstatic void copy(char *to, int x) { int i = 0; do to[i] = texts[x & 15][i]; while (to[i++]); }\n";
    let functions = [
        "int sixteen(int x) { char s[24], *end; copy(s, x); long n = strtol(s, &end, 16); return (int)(n % 10007) * 16 + (int)(end - s); }",
        "int prefixed(int x) { char s[24], *end; copy(s, x); long long n = strtoll(s, &end, 0); return (int)(n % 10007) * 16 + (int)(end - s); }",
        "int unsigned_prefixed(int x) { char s[24], *end; copy(s, x); unsigned long n = strtoul(s, &end, 0); return (int)(n % 10007) * 16 + (int)(end - s); }",
        "int greatest(int x) { char s[24], *end; copy(s, x); unsigned long long n = strtoull(s, &end, 36); return (int)(n % 10007) * 16 + (int)(end - s) + (strtol(s, NULL, 8) > 7) * 1000; }",
        "int kept(int x) { char s[24]; copy(s, x); struct reader r = {s}; long n = strtol(r.at, &r.at, 10); return (int)(n % 10007) * 16 + (int)(r.at - s); }",
        "static long next(char **at) { return strtol(*at, at, 10); } int twice(int x) { char s[8] = \"12 -7 5\", *at = s; s[2] = ' ' + (x & 31); long n = next(&at) * 100; n += next(&at); return (int)n * 16 + (int)(at - s); }",
    ];
    let wrong = super::literals::wrong_functions("read", texts, &functions);
    assert!(wrong.is_empty(), "{wrong}");
}

/// The end of a number is kept in a member, or in the pointer to the text itself.
#[test]
fn ends_of_numbers_are_kept() {
    as_said(
        "#include <stdlib.h>\nstruct reader { const char *at; };\nint f(struct reader *r) { char *end; long v = strtol(r->at, &end, 16);\n if (v == 31 && *end == ';')\n return 3; // reached\n r->at = end; v = strtol(r->at, &end, 0);\n if (v == 8)\n return 4; // reached\n return 0; // reached\n }",
    );
    as_said(
        "#include <stdlib.h>\nint f(char *s, char **rest) { int n = 0; while (*s) { long v = strtol(s, &s, 10);\n if (*s == ',') s++; else if (*s)\n return -1; // reached\n n += v > 5; if (v > 5 && v < 5)\n return -2; // never\n }\n return n; // reached\n }",
    );
}

/// As gcc's library writes numbers to texts.
#[test]
fn numbers_are_written_as_the_library_writes_them() {
    let functions = [
        "int bases(int x) { char s[64]; int n = sprintf(s, \"%X|%06lX|%o|%3llo|%x\", x, x & 0xffffL, (unsigned)x, x & 511ULL, x & 255), k = 0; for (int i = 0; s[i]; i++) k = (k * 7 + s[i]) % 10007; return k * 100 + n; }",
        "int bounded(int x) { char s[8]; int n = snprintf(s, sizeof s, \"%X-%o\", x & 0xfff, x & 63); return n * 1000 + s[0] * 3 + s[2] + s[3]; }",
    ];
    let wrong = super::literals::wrong_functions("written", "#include <stdio.h>\n", &functions);
    assert!(wrong.is_empty(), "{wrong}");
}

/// As gcc's library takes the whole part of numbers.
#[test]
fn whole_parts_are_those_of_the_library() {
    let functions = [
        "int parts(int x) { double whole, rest = modf(x / 8.0, &whole); return (int)whole * 10 + (int)(rest * 8) + (whole < 0) + 2 * (rest > 0.5); }",
        "int parts_of_float(int x) { float whole, rest = modff((x & 0xffff) / -4.0f, &whole); return (int)whole * 10 + (int)(rest * 4); }",
        "int ends(int x) { double whole = 1, rest = modf(x > 3 ? 1e308 * 10 : -1e308 * 10, &whole); return rest == 0 ? whole > 0 : 7; }",
    ];
    let wrong = super::literals::wrong_functions("whole-parts", "#include <math.h>\n", &functions);
    assert!(wrong.is_empty(), "{wrong}");
}

/// Memory that a pointer gets behind its declaration is as that of its first value.
#[test]
fn memory_is_followed_where_a_pointer_is_set_later() {
    as_said(
        "#include <stdlib.h>\n#include <string.h>\nint f(const char *s, int n) { int *a, i; char *p = NULL; i = n; if (n < 1 || n > 9)\n return 1; // reached\n a = (int *)malloc(n * sizeof *a); if ((p = strdup(s)) == NULL || !a)\n return 2; // reached\n a[0] = i; p[0] = 'x';\n if (a[0] != n || p[0] != 'x')\n return 3; // never\n if (s[0] == 'y' && a[0] == 4)\n return 4; // reached\n free(a); free(p);\n return 0; // reached\n }",
    );
    // A way that leads past the call finds a null pointer, as one finds that is set to memory again.
    as_said(
        "#include <stdlib.h>\nint f(int x) { int *p = 0; if (x > 3) goto past; p = malloc(8); past: if (x > 3 && p)\n return 1; // open\n if (x > 5 && x < 4)\n return 2; // never\n return 0; // open\n }",
    );
}

/// A stream is an argument like any other to what follows addresses.
#[test]
fn streams_are_no_places() {
    as_said(
        "#include <stdio.h>\n#include <stdlib.h>\nstatic int g; static void bye(void) { g++; }\nint f(int x) { int a[2] = {0}, *p = x > 7 ? a : &g; atexit(bye); fputs(\"ok\", stdout); fprintf(stderr, \"%d\", x); if (x > 3)\n return 1; // reached\n return p == a; // reached\n }",
    );
    as_said(
        "#include <stdio.h>\nint f(FILE *in) { int c = fgetc(in); if (ferror(in))\n return 1; // reached\n if (feof(in) && c > 255)\n return 2; // never\n return 0; // reached\n }",
    );
    // Before a function is called, the end may have been met; any value but zero says so.
    as_said(
        "#include <stdio.h>\nint f(void) { int e = feof(stdin); if (e && getchar() != EOF)\n return 1; // never\n if (!e && getchar() == EOF && !feof(stdin))\n return 2; // never\n if (feof(stdin) > 5)\n return 3; // reached\n return 0; // reached\n }",
    );
}

/// A copy of a string has memory of its own, or there is none.
#[test]
fn strings_are_duplicated() {
    as_said(
        "#include <stdlib.h>\n#include <string.h>\nint f(int c) { char s[4] = \"ab\"; s[1] = c; char *p = strdup(s);\n if (!p)\n return 1; // reached\n p[0] = 'x';\n if (s[0] != 'a' || strlen(p) != strlen(s))\n return 2; // never\n char *q = strndup(p, 1);\n if (q && (q[0] != 'x' || q[1] != 0))\n return 3; // never\n return 0; // reached\n }",
    );
}

/// Also where it is kept: another pointer than to the program's own strings, and null where the program compares it.
#[test]
fn duplicates_are_kept() {
    as_said(
        "#include <stdlib.h>\n#include <string.h>\nchar *names[8]; int count;\nint f(const char *s) { if (count < 0 || count >= 8)\n return 1; // reached\n names[count] = strdup(s);\n if (names[count] == NULL)\n return 2; // reached\n if (names[count][0] != s[0])\n return 3; // never\n names[count][0] = 'y';\n if (s[0] == 'x')\n return 4; // reached\n count++;\n return 0; // reached\n }\nint g(char *line) { line[strcspn(line, \"y\")] = 0; return f(line); }",
    );
    as_said(
        "#include <stdlib.h>\n#include <string.h>\nchar *name;\nint f(const char *s) { name = strdup(s);\n if (!name)\n return 1; // reached\n return name[0] == s[0]; // reached\n }",
    );
}

/// Structures and generic functions of headers.
#[test]
fn headers_declare_what_they_have() {
    as_said(
        "#include <stdlib.h>\nint f(int x) { div_t d = div(x, 3); ldiv_t e = ldiv(7L, -2L);\n if (d.rem > 2 || d.quot * 3 + d.rem != x)\n return 1; // never\n if (e.quot != -3 || e.rem != 1)\n return 2; // never\n return d.rem; // reached\n }",
    );
    as_said(
        "#include <stdatomic.h>\nstatic _Atomic(int) c; atomic_flag lock = ATOMIC_FLAG_INIT;\nint f(int n) { atomic_int k; int e = 3; atomic_init(&k, 2147483647);\n if (atomic_fetch_add(&k, 1) != 2147483647 || k != -2147483647 - 1)\n return 1; // never\n atomic_store_explicit(&c, n, memory_order_release);\n if (atomic_compare_exchange_strong(&c, &e, 9) ? n != 3 || c != 9 : e != n)\n return 2; // never\n if (atomic_flag_test_and_set(&lock))\n return 3; // reached\n return 0; // reached\n }",
    );
    as_said(
        "#include <signal.h>\nstatic int seen; static void stop(int s) { seen = s; }\nint f(int n) { seen = 0; signal(SIGINT, stop);\n if (seen == SIGINT)\n return 1; // reached\n return 0; // reached\n }",
    );
}

/// What a handler writes through a pointer, or by a function without a body, may be any object at file scope.
#[test]
fn handlers_may_write_what_they_do_not_name() {
    for (declared, body) in [
        ("static int *const place = &seen;", "*place = 1;"),
        ("void other(void); void set(void) { seen = 1; }", "other();"),
        ("static int *where(void) { return &seen; }", "where()[0] = 1;"),
        ("static int seen_too[2];", "seen_too[s & 1] = 1; seen = 1;"),
    ] {
        as_said(&format!(
            "#include <signal.h>\nstatic int seen; {declared} static void stop(int s) {{ {body} }}\nint f(int n) {{ seen = 0; signal(SIGINT, stop);\n if (seen == 1)\n return 1; // reached\n return 0; // reached\n }}"
        ));
    }
}

/// An unknown function of the library says its header, and no declaration is advised.
#[test]
fn unknown_functions_of_the_library_name_their_header() {
    for (call, header) in [("strftime(0, 0, 0, 0)", "time.h"), ("lgammaf(x)", "math.h"), ("ungetc(x, stdin)", "stdio.h")] {
        let said = parse(&format!("int f(int x) {{ return {call}; }}")).diagnostics;
        assert_eq!(said[0].code, "unsupported-function");
        assert!(
            said[0].message.contains(&format!("of `<{header}>`")) && !format!("{:?}", said[0].help).contains("declare"),
            "{:?}",
            said[0]
        );
    }
}
