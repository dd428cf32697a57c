//! Functions of C's library, one group after the other: what they give, and what they print as gcc's library does.

use super::meaning::as_said;
use crate::differential::{Settings, check_texts};
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
        assert!(report.refused.is_none() && report.differences.is_empty() && report.runs > 20, "{:?} {:?}", report.refused, report.differences);
    }
}

/// Searches, comparisons and numbers.
#[test]
fn searches_and_numbers_are_exact() {
    as_said(
        "#include <string.h>\n#include <strings.h>\nint f(int c) { char s[8] = \"a,b\"; s[1] = c; char *p = memchr(s, 'b', 3);\n if (!p)\n return 1; // never\n if (p - s == 1)\n return 2; // reached\n if (strcasecmp(s, \"A,B\") == 0)\n return 3; // reached\n if (strncasecmp(s, \"Ax\", 1) != 0)\n return 4; // never\n return 0; // reached\n }",
    );
    as_said(
        "#include <stdlib.h>\nint f(void) { char s[8] = \"2.5e1x\", *end; double x = strtod(s, &end);\n if (x != 25)\n return 1; // never\n if (*end != 'x' || atof(\"-0.125\") != -0.125)\n return 2; // never\n if (atol(\" -42a\") != -42 || atoll(\"+7\") != 7)\n return 3; // never\n return 0; // reached\n }",
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
