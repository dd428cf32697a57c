//! Constructs of C11 and GNU that are written with others: as gcc runs them.

use crate::differential::{Settings, check_texts};
use crate::suites::{branches, request};
use culdesac::analysis::branches::{BranchesSettings, BranchesVerdict};
use culdesac::lang::{parse, parse_understood};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const HEAD: &str = "#include <stddef.h>
#include <wchar.h>
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define CHECK(c) ({ if (c) ; else calls += 100; })
#define TYPE(x) _Generic((x), char: 1, signed char: 2, int: 3, unsigned: 4, long: 5, long long: 6, char *: 7, const char *: 8, default: 9)
struct F { char c; int n; struct { short s[3]; long l; } in; unsigned a : 3, : 7, b : 9; char tail[]; };
struct U { struct { int a, b; }; int k; struct { struct { signed char c; }; } named; };
struct __attribute__((packed)) K { char c; long l; short s; };
struct G { char c; int : 0; char d; unsigned : 20; char e; };
struct M { struct { int x, y; } p; int z; int t[3]; };
int calls;
static int next(int x) { calls++; return x; }
";

/// Functions with what they call in front of them; the last one is looked at.
const FUNCTIONS: &[&str] = &[
    "int otherwise(int x, int y, signed char c) { int a = x ?: y, b = next(x) ?: 5, d = (c ?: 7u) > 3; return a == 3 ? b : a + b * 2 > 9 ? d : calls; }",
    "int otherwise_bits(unsigned char u, int n) { static struct { int b : 3; } s; s.b = n; long a = u ?: -1L, b = s.b ?: n; return a > b ? 1 : (n & 1 ?: n > 5) + 2; }",
    "int largest(int x, int y, long z) { return MAX(x, MAX(y & 15, 3)) > 7 ? MAX(z, x) == z : MAX(next(y), x) > 2 ? calls : 0; }",
    "int inside(int x) { int m = ({ int t = x & 63; int u = t * 2; if (u > 9) t++; else if (u > 5) { t = u; t--; } t; }); int t = m + 1; return t > 20 ? m : t; }",
    "int inside_loop(int n) { int s = 0; for (int i = 0; ({ int k = i * 2; k < (n & 7); }); i++) s += ({ const int i2 = i; i2 > 1 ? i2 : next(1); }); return s > 3 ? s : calls; }",
    "int inside_void(int x) { CHECK(x > 3); CHECK(next(x) && x < 9); ({ do { calls++; if (x == 5) calls += 7; } while (0); }); return calls > 100 ? 1 : calls; }",
    "int inside_both(int x, int y) { return ({ int t = x; t > 3; }) && ({ int t = y; t > 4 || t == x; }) ? 1 : 0; }",
    "int inside_structure(int x) { struct M m = {{x, 2}, 3, {0}}; int y = ({ struct M n = m; n.p.x &= 7; n.p.x + n.z; }); return y > 5 ? m.p.x > 3 : y; }",
    "int types(int x, char c, long long l) { typeof(x) y = c; __typeof__(l + y) z = x; typeof(int[3]) a = {x, y}; __auto_type w = z; const typeof(&x) p = &y; *p += 1;
        return sizeof z + sizeof a + sizeof w > 27 && y > 3 ? a[1] == y - 1 : w > 5; }",
    "int types_of(struct M *m, const char *s) { typeof(m->t) t = {1, 2}; typeof(*m) n = *m; typeof(m->p) q = n.p; return sizeof t == 12 && q.x > t[1] ? 1 : n.z > 5; }",
    "int generic(int x, char c, signed char d, long l, const char *s, char *t) { int k = TYPE(x) * 100000 + TYPE(c) * 10000 + TYPE(d) * 1000 + TYPE(l + x) * 100 + TYPE(s) * 10 + TYPE(t);
        int j = TYPE('a') * 10 + TYPE(3u) + TYPE(*s) + TYPE(c + d) + TYPE(1ll) + TYPE(sizeof x) + TYPE(\"a\") + TYPE(next(x)); return k == 312587 ? j : x > 4 ? k : 0; }",
    "int generic_choice(int x) { return _Generic(x++, int: x, default: x + 1) == 4 ? 1 : _Generic((long)x, default: 2, int: x + 3) + (x > 6); }",
    "int compatible(int x, long y) { int k = __builtin_types_compatible_p(typeof(x), int) * 8 + __builtin_types_compatible_p(long, long long) * 4
        + __builtin_types_compatible_p(const int, int) * 2 + __builtin_types_compatible_p(char *, const char *); return __builtin_choose_expr(sizeof(y) == 8, x, (struct M *)0) > 2 ? k : __builtin_constant_p(3 + sizeof y); }",
    "int offsets(int x) { int k = offsetof(struct F, n) + 10 * offsetof(struct F, in.s[2]) + 100 * offsetof(struct F, in.l) + 10000 * offsetof(struct F, tail) + 1000000 * (int)sizeof(struct F); return k == x ? 1 : k - x > 3; }",
    "int sizes(int x) { int k = sizeof(struct U) + 100 * (int)sizeof(struct K) + 10000 * (int)offsetof(struct K, s) + 1000000 * (int)sizeof(struct G);
        int j = offsetof(struct U, b) + 10 * offsetof(struct U, named.c) + 1000 * offsetof(struct G, d) + 100000 * offsetof(struct G, e) + 1000000 * _Alignof(long) + 10000000 * _Alignof(struct F); return k == x ? 1 : j - x > 3; }",
    "int nameless(struct U *p, int x) { struct U u = *p; u.a = x & 15; u.k = p->named.c; p->b = u.a; struct U v = {1, 2, 3}, w = {.b = 5, 6, {{7}}}, z = {{.a = 4}, .k = u.k}; v.named.c = w.named.c + p->a;
        return v.a + v.b * w.k > u.k ? z.a + z.k + w.a : v.named.c > 3 ? p->b : w.b; }",
    "static struct U first = {.k = 3, .a = 4, 5}; int nameless_static(int x) { struct U u = first; u.a = x; struct U w = u; return w.a > w.b ? w.k : w.named.c; }",
    "int designated(int i) { int t[9] = {[2] = 5, [4 ... 6] = 1, 8, [0 ... 1] = 3}; static const int s[] = {[1 ... 3] = 7, [2] = 4, 9}; struct M m = {.p.x = 1, 2, 3, .t[1] = 6, 7}, n = {.t = {[1 ... 2] = 4}, .p = {.y = i}};
        i &= 7; return t[i] > 4 ? s[i & 3] + (int)sizeof s : m.p.y * 1000 + m.z * 100 + m.t[1] * 10 + m.t[2] > 2367 ? n.t[i & 1] : n.p.y; }",
    "struct O { struct M m[2]; int k; }; int nested(int i) { struct O o = {.m[1].t[1] = 4, 5, 6}, q = {.m = {[0 ... 1] = {.z = 2}}, .m[0].p.y = 3, 7, 8}; i &= 1; return o.m[i].t[2] + o.k > 6 ? q.m[i].z : q.m[0].t[0] * 10 + q.m[0].p.y; }",
    "struct N { char name[4]; int k; }; static char kept_names[2][4] = {{\"ab\"}, {'c', 'd'}}; static struct N named = {{\"x\"}, 3};
        int texts_in_braces(int i) { char t[3][8] = {{\"fo\"}, {\"bar\"}}; struct N n[2] = {{{\"pq\"}, 4}, {.name = {\"r\"}}}; i &= 1;
        return t[i][1] == 'a' ? n[i].name[0] + kept_names[i][1] : t[i + 1][0] == 'b' && n[i].name[1] == 'q' ? named.name[i] + named.k : t[2][i]; }",
    "int swapped(int i) { int t[4] = {1, 2, 3, 4}; i &= 3; 1[t] = i; return 2[t] > i[t] ? (i + 0)[t] : 0[t + 1]; }",
    "int wide(wchar_t c, unsigned short u) { wchar_t s[] = L\"a\\x80\" L\"b\"; unsigned short t[5] = u\"xy\"; char v[] = u8\"ab\";
        return c == L'x' ? s[1] + (int)sizeof s : u == u'\\xff' ? 2 : c == L'\u{e9}' ? t[1] : sizeof(u'x') + sizeof(L'x') == 6 && v[1] == U'b' && c > L'0' ? 4 : t[4] + 5; }",
    "int texts(int x) { if (!\"no\") return 1; if (x > 3 && \"big\") return 2; return x == 2 || !\"two\" ? 3 : \"a\" ? 4 : 5; }",
    "_Static_assert(sizeof(struct K) == 11, \"packed\"); static _Thread_local int kept = 2; int attributes(int x __attribute__((unused)), [[maybe_unused]] int y) {
        [[maybe_unused]] __attribute__((aligned(8))) int z = x; static __thread int own; own++; switch (x) { case 1: z++; __attribute__((fallthrough)); case 2: z += 2; [[fallthrough]]; case 3: { z++; break; } default: ; }
        _Static_assert(sizeof z == 4, \"an int\"); if (z > 3) goto out; kept += y > 2; out: __attribute__((unused)); return z > y ? kept : own; }",
    "static __inline __attribute__((__noinline__)) int helper(const int *__restrict p) { return *p > 3; } int spelled(__const int *p, __signed__ char c, __volatile__ int v) { __extension__ long long w = helper(p) + (__extension__ 3); return w > c ? 1 : __extension__ (c > 3); }",
];

#[test]
fn constructs_run_as_gcc_runs_them() {
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let texts: Vec<(PathBuf, String)> = (FUNCTIONS.iter().zip(0..))
        .map(|(source, number)| (PathBuf::from(format!("constructs-{number:02}.c")), format!("{HEAD}{source}\n")))
        .collect();
    let reports = check_texts(&texts, None, Settings { runs: 60, steps: 5_000, symbolic: 5, unseen: false });
    let mut wrong = String::new();
    for (report, (_, source)) in reports.iter().zip(&texts) {
        println!("{}: {} runs, {:?}, {:?}", report.name, report.runs, report.outcomes, report.left_out);
        let source = source.strip_prefix(HEAD).unwrap_or(source);
        if report.refused.is_some() || !report.differences.is_empty() || report.runs <= 20 {
            wrong += &format!("{source}{:?} {}\n{}\n", report.refused, report.runs, report.differences.join("\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A program that uses what headers declare, define and write with their macros.
const WITH_HEADERS: &str = "#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <ctype.h>
#include <assert.h>
#include <stdint.h>
#include <limits.h>
#include <stddef.h>
struct P { char c; int n; };
static int kind(int c) {
  if (isdigit(c)) return 1;
  if (toupper(c) == 'Q') return 2;
  return 0;
}
int main(void) {
  int x, y = 0;
  uint8_t small;
  char line[20];
  if (scanf(\"%d\", &x) != 1) return 1;
  small = (uint8_t)x;
  if (small > 200 && x < INT_MAX) y = 1;
  assert(x != 7 && \"not seven\");
  if (x == 7) return 2;
  if (offsetof(struct P, n) != 4) return 3;
  if (fgets(line, sizeof line, stdin) == NULL) return 4;
  if (strlen(line) > 25) return 5;
  if (kind(getchar()) == 1) return 6;
  if (x > 3 && abs(x) < 2) return EXIT_FAILURE;
  return y ? EXIT_SUCCESS : EOF;
}
";

/// The verdicts of a program's sides in their order.
fn verdicts(source: &str) -> Vec<(String, BranchesVerdict)> {
    let asked = request("headers.c", source, Some(300_000));
    let document = branches(&asked, BranchesSettings::default()).unwrap_or_else(|| panic!("{:?}", parse_understood(source).diagnostics));
    document.list.into_iter().map(|side| (side.side, side.verdict)).collect()
}

/// What another preprocessor makes of a text is read as the text itself is, and nothing is told of what headers declare.
#[test]
fn preprocessed_texts_are_read_as_they_were() {
    let expected = verdicts(WITH_HEADERS);
    assert!(expected.iter().any(|(_, verdict)| *verdict == BranchesVerdict::Infeasible), "{expected:?}");
    for (compiler, standard) in [("gcc", "-std=gnu11"), ("gcc", "-std=c11"), ("clang", "-std=gnu11")] {
        let mut command = Command::new(compiler);
        command.args(["-E", standard, "-xc", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else {
            println!("skipped: there is no {compiler}");
            continue;
        };
        child.stdin.take().expect("piped").write_all(WITH_HEADERS.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("the program ends");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(verdicts(&text), expected, "{compiler} {standard}");
        let told = parse_understood(&text).diagnostics;
        assert!(told.is_empty(), "{compiler} {standard}: {told:?}");
    }
}

/// What would have another meaning is refused, and sizes that attributes change are not guessed.
#[test]
fn what_has_another_meaning_is_refused() {
    for (text, code) in [
        ("typedef int w __attribute__((__mode__(__QI__))); int f(w x) { return x; }", "unsupported-attribute"),
        ("int g(int x) { return x; } int h(int x) __attribute__((alias(\"g\"))); int f(int x) { return h(x); }", "unsupported-attribute"),
        ("int f(int x) { [[gnu::cleanup(f)]] int y = x; return y; }", "unsupported-attribute"),
        ("struct s { int a __attribute__((aligned(16))); }; int f(int x) { return sizeof(struct s) == x; }", "unsupported-sizeof"),
        ("struct s { _Alignas(16) char a; }; int f(int x) { return sizeof(struct s) == x; }", "unsupported-sizeof"),
        (
            "_Pragma(\"once\")\n#pragma pack(push, 1)\nstruct s { char c; int a; }; int f(int x) { return sizeof(struct s) == x; }",
            "unsupported-sizeof",
        ),
        ("struct s { char c; int a : 3; } __attribute__((packed)); int f(int x) { return sizeof(struct s) == x; }", "unsupported-sizeof"),
        ("int f(int x) { return ({ if (x > 3) goto out; x; }); out: return 1; }", "unsupported-expression"),
        ("int f(int x) { return ({ static int n; n += x; n; }); }", "unsupported-expression"),
        ("int f(int x) { return x + ({ ; }); }", "void-value"),
        ("int n; int f(int x) { return ({ int y = x; y; }) + y; }", "undeclared-name"),
        ("static_assert(1 > 2); int f(int x) { return x; }", "static-assertion"),
        ("typedef struct { int a; } T; struct s { T; int b; }; int f(struct s x) { return x.a; }", "unknown-member"),
        ("struct s { struct { int a; }; int a; }; int f(struct s x) { return x.a; }", "redefinition"),
        ("extern int g(int) __asm__(\"f\"); int f(int x) { return x > 3 ? g(x - 1) : 0; }", "missing-semicolon"),
        ("int n; int f(int n, typeof(n) x) { return x; }", "unsupported-typeof"),
        ("int f(int x) { typeof(x) *y = x; const typeof(x) z = 3; z = 4; return *y; }", "constant-assignment"),
    ] {
        let found = parse(text).diagnostics;
        assert!(found.iter().any(|diagnostic| diagnostic.code == code), "{text}: {found:?}");
    }
}

/// `const` and `volatile` belong to the type of an expression: a copy of the type has them, too.
#[test]
fn types_of_expressions_have_their_qualifiers() {
    let said = |text: &str| parse(text).diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>();
    assert_eq!(said("const int a = 1; typeof(a) b = 2; int f(int x) { b = x; return b; }"), ["constant-assignment"]);
    assert_eq!(said("const int a = 1; typeof(&a) b; int f(int x) { b = &x; return *b; }"), Vec::<&str>::new());
    assert_eq!(said("const int a[2] = {1}; int f(int x) { typeof(a) b = {3}; b[1] = x; return b[0]; }"), ["constant-assignment"]);
    let infeasible = |text: &str| verdicts(text).iter().filter(|(_, verdict)| *verdict == BranchesVerdict::Infeasible).count();
    assert_eq!(infeasible("const int a = 1; typeof(a) b = 2; int f(int x) { if (b == 5) return x; return 0; }"), 1);
    assert_eq!(infeasible("int a = 1; typeof(a) b = 2; int f(int x) { if (b == 5) return x; return 0; }"), 0);
    assert_eq!(infeasible("int f(int x) { volatile int a = 1; typeof(a) b = x; if (b != b) return x; return 0; }"), 0);
}
