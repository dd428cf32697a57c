//! Variable arguments: as gcc passes them.

use super::literals::wrong_functions;
use super::meaning::as_said;
use crate::suites::{branches, request};
use culdesac::analysis::branches::{BranchesSettings, BranchesVerdict};
use std::process::Command;

const HEAD: &str = "#include <stdarg.h>
#include <stddef.h>
int calls;
static int next(int x) { calls++; return x; }
static int sum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; for (int i = 0; i < n; i++) s += va_arg(ap, int); va_end(ap); return s; }
static long vmixed(const char *f, va_list ap) { long s = 0; for (; *f; f++) switch (*f) {
  case 'd': s += va_arg(ap, int); break; case 'u': s += va_arg(ap, unsigned); break; case 'l': s ^= va_arg(ap, long); break;
  case 'z': s += va_arg(ap, size_t) > 9; break; case 'f': s += va_arg(ap, double) > 2.5; break; case 's': s += va_arg(ap, char *)[0]; } return s; }
static long mixed(const char *f, ...) { va_list ap, copy; va_start(ap, f); va_copy(copy, ap); long s = vmixed(f, copy); s += vmixed(f, ap) & 1; va_end(copy); va_end(ap); return s; }
static int ignored(const char *text, ...) { calls += text[0] == 'x'; return calls; }
static int step(va_list *ap) { return va_arg(*ap, int); }
static int pairs(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); int s = 0; while (n-- > 0) { int a = step(&ap); s += a * step(&ap); } __builtin_va_end(ap); return s; }
static int last(int first, ...) { va_list ap; int x = first; va_start(ap, first); while (x > 0) { first = x; x = va_arg(ap, int); } va_end(ap); return first; }
";

/// Functions with what they call in front of them; the last one is looked at.
const FUNCTIONS: &[&str] = &[
    "int sums(int x) { x &= 255; return sum(2, x, 3) > 9 ? sum(0) : sum(3, x, (char)x, (short)2) > 7 ? 1 : sum(1, x > 3); }",
    "int mixes(int x, long y, unsigned u) { x &= 63; y &= 7; u &= 3; return mixed(\"dlu\", x, y, u) > 40 ? 1 : mixed(\"zd\", sizeof(int) + x, 3) > 3 ? 2 : mixed(\"\"); }",
    "int reals(int x, int y) { double d = x & 3; float f = y & 3; return mixed(\"fdf\", d, x & 7, f) > 6 ? 1 : mixed(\"fu\", 3.0, 4u) == 6; }",
    "int texts(int x) { return mixed(\"sd\", \"ab\", x & 15) > 100 ? 1 : mixed(\"ss\", x > 3 ? \"b\" : \"c\", \"d\") & 1; }",
    "int nothing(int x) { if (ignored(\"x\", next(x), &x, \"text\", 3.5) > 1) return 1; ignored(\"y\"); return calls + (x > 3); }",
    "int by_pairs(int x, int y) { x &= 31; y &= 7; return pairs(2, x, y, next(3), 4) > 40 ? pairs(1, y, sum(2, x, next(1))) : calls; }",
    "int ends(int x) { x &= 3; return last(x, x - 1, x - 2, 0) > 1 ? last(5, 4, 3, x, 0) : last(0); }",
    "int two(int x, int y) { x &= 31; y &= 7; return sum(2, x, 3) + sum(1, y) == 12 ? sum(1, x) * sum(2, y, x) : sum(1, next(x)) - sum(1, y) > 4; }",
    "static int again(int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); va_end(ap); return n > 0 ? again(n - 1, x + 1, 0) + x : x; } int recursive(int n) { return again(n & 3, n & 7) > 8; }",
];

#[test]
fn variable_arguments_are_passed_as_gcc_passes_them() {
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let wrong = wrong_functions("variadic", HEAD, FUNCTIONS);
    assert!(wrong.is_empty(), "{wrong}");
}

/// The verdicts of the sides of a function of a program, in their order.
fn verdicts(source: &str, function: &str) -> Vec<(String, BranchesVerdict)> {
    let mut asked = request("variadic.c", source, Some(300_000));
    asked.function = Some(function.to_owned());
    let document = branches(&asked, BranchesSettings::default()).expect("it is understood");
    document.list.into_iter().map(|side| (format!("{} {}", side.text, side.side), side.verdict)).collect()
}

#[test]
fn another_type_and_one_argument_more_are_undefined() {
    let wrong_type = "#include <stdarg.h>\nstatic int g(int n, ...) { va_list ap; va_start(ap, n); long x = va_arg(ap, long); va_end(ap); return x > 3; }\nint f(int x) { if (x > 3) { g(0, x); if (x > 5) return 1; } return 0; }\n";
    let past_last = "#include <stdarg.h>\nstatic int g(int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); x += va_arg(ap, int); va_end(ap); return x > 3; }\nint f(int x) { if (x > 3) { g(0, x); if (x > 5) return 1; } return 0; }\n";
    for source in [wrong_type, past_last] {
        let found = verdicts(source, "f");
        let of = |text: &str| found.iter().filter(|(other, _)| other == text).map(|(_, verdict)| *verdict).collect::<Vec<_>>();
        assert_eq!(of("x > 5 true"), [BranchesVerdict::Infeasible], "{found:?}");
    }
}

/// Of the function that a caller calls with any arguments, the place is approximated where it reads one.
#[test]
fn arguments_of_a_caller_are_approximated() {
    let source = "#include <stdarg.h>\nint f(int n, ...) { if (n > 3) return 1; va_list ap; va_start(ap, n); int x = va_arg(ap, int); if (n > 5) return 2; if (x > 2) return 3; return 0; }\nint g(int x) { return f(2, x); }\n";
    let found = verdicts(source, "f");
    let of = |text: &str| found.iter().filter(|(other, _)| other == text).map(|(_, verdict)| *verdict).collect::<Vec<_>>();
    assert_eq!(of("n > 3 true"), [BranchesVerdict::Covered], "{found:?}");
    assert_eq!(of("n > 5 true"), [BranchesVerdict::Infeasible], "{found:?}");
    assert_eq!(of("x > 2 true"), [BranchesVerdict::Open], "{found:?}");
    assert!(verdicts(source, "g").iter().any(|(text, verdict)| text == "x > 2 true" && *verdict == BranchesVerdict::Covered));
}

/// Messages go to another stream: what a function prints there decides nothing. So it is of what goes to standard output, which is not known.
#[test]
fn messages_to_other_streams_decide_nothing() {
    let source = |stream: &str| {
        format!(
            "#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static void warn(const char *format, ...) {{ va_list ap; va_start(ap, format); vfprintf({stream}, format, ap); va_end(ap); }}
static void die(const char *format, ...) {{ va_list ap; va_start(ap, format); vfprintf({stream}, format, ap); va_end(ap); exit(1); }}
int f(int x, const char *name) {{ if (x > 3) warn(\"%d of %s\\n\", x, name); if (x > 100) die(\"too large\"); if (x > 200) return 1; return 0; }}
"
        )
    };
    assert_eq!(super::nodes::verdicts(&source("stderr"), "f"), [5, 1, 0]);
    assert_eq!(super::nodes::verdicts(&source("stdout"), "f"), [5, 1, 0]);
    let used = "#include <stdarg.h>\n#include <stdio.h>\nstatic int say(const char *format, ...) { va_list ap; va_start(ap, format); int n = vfprintf(stderr, format, ap); va_end(ap); return n; }\nint f(int x) { if (say(\"%d\", x) > 3) return 1; return 0; }\n";
    assert_eq!(super::nodes::verdicts(used, "f"), [0, 0, 2]);
}

/// A function without a body that gets the list may write to what arguments lead to, and so may `%n`.
#[test]
fn lists_of_arguments_lead_to_objects() {
    let infeasible = |declared: &str, handed: &str, called: &str| {
        let source = format!(
            "#include <stdarg.h>
#include <stdio.h>
{declared}
static void inner(const char *format, va_list ap) {{ {handed}; }}
static void say(const char *format, ...) {{ va_list ap; va_start(ap, format); inner(format, ap); va_end(ap); }}
int f(int x) {{ int n = 0, m[3] = {{0}}, *p = m; {called}; if (n) return 1; if (m[1]) return 2; return p == m; }}
"
        );
        super::nodes::verdicts(&source, "f")[1]
    };
    let write = "int write_to(const char *format, va_list ap);";
    assert_eq!(infeasible("", "vfprintf(stderr, format, ap)", "say(\"%d\", x)"), 2);
    assert_eq!(infeasible("", "vfprintf(stderr, format, ap)", "say(\"%d %p\", x, &n)"), 2);
    assert_eq!(infeasible("", "vfprintf(stderr, format, ap)", "say(\"%d%+5hhn\", x, &n)"), 1);
    assert_eq!(infeasible(write, "write_to(format, ap)", "say(\"%d\", x)"), 2);
    assert_eq!(infeasible(write, "write_to(format, ap)", "say(\"%d\", x, &n)"), 1);
    assert_eq!(infeasible(write, "write_to(format, ap)", "say(\"%d\", &n, p + 1)"), 0);
    // Where a result leads is not followed: the whole call is approximated.
    let cell = "int write_to(const char *format, va_list ap); static int kept; static int *cell(void) { return &kept; }";
    assert_eq!(infeasible(cell, "write_to(format, ap)", "kept = 0; say(\"%d\", cell()); if (kept) return 5"), 2);
    assert_eq!(infeasible(write, "va_list *at = &ap; write_to(format, *at)", "say(\"%d\", m + x)"), 1);
    assert_eq!(infeasible(write, "void *at = &ap; write_to(format, *(va_list *)at)", "say(\"%d\", &m[0])"), 1);
}

/// What is printed by a list of arguments, or by a format that a caller passes, is not known, and changes nothing.
#[test]
fn open_formats_only_print() {
    as_said(
        "#include <stdarg.h>\n#include <stdio.h>\nstatic int level; static void say(const char *fmt, ...) { va_list ap; va_start(ap, fmt); vprintf(fmt, ap); va_end(ap); }\n\
         int f(int x, const char *fmt) { level = 2; say(\"%d %s\\n\", x, \"a\"); printf(fmt, x); printf(x > 3 ? \"many\" : \"few %d\", x);\n if (level != 2)\n return 1; // never\n if (x > 3)\n return 2; // reached\n return 0; // reached\n }",
    );
    // The arguments are evaluated.
    as_said(
        "#include <stdio.h>\nint f(const char *fmt, int n) { n &= 7; fprintf(stdout, fmt, n++, 3);\n if (n == 0)\n return 1; // never\n if (n == 8)\n return 2; // reached\n return 0; // reached\n }",
    );
    // What is printed may be counted.
    let counted =
        "#include <stdio.h>\nint n; int f(const char *fmt) { n = 0; printf(fmt[0] == 'x' ? fmt : \"%n\", &n); if (n) return 1; return 0; }";
    assert_eq!(super::nodes::verdicts(counted, "f")[1], 0);
}
