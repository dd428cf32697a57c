//! Compound literals: as gcc runs them.

use crate::differential::{Settings, check_texts};
use std::path::PathBuf;
use std::process::Command;

const HEAD: &str = "struct P { int x, y; };
struct Q { struct P p[2]; short s[3]; int k; };
int calls;
static int next(int x) { calls++; return x; }
static int sum(struct P p) { return p.x * 2 + p.y; }
static int total(const int *t, int n) { int s = 0; for (int i = 0; i < n; i++) s += t[i]; return s; }
static void set(struct P *p) { p->x += 1; p->y = p->x; }
static struct P made(int x) { return (struct P){x, .y = 7}; }
";

/// Functions with what they call in front of them; the last one is looked at.
const FUNCTIONS: &[&str] = &[
    "int argument(int x) { x &= 255; return sum((struct P){x, 3}) > 9 ? sum((struct P){.y = x}) : calls; }",
    "int elements(int i) { int *q = (int[]){1, 2, 3}; i &= 3; return i < 3 && q[i] == 2 ? total((int[4]){i, [3] = 5}, 4) : (int[]){4, 5, 6, 7}[i]; }",
    "int assigned(struct P *p, int x) { *p = (struct P){.x = 1}; if (x > 3) *p = (struct P){p->y, x}; return p->x > p->y ? 1 : p->y > 9; }",
    "int returned(int x) { struct P p = made(x & 15), q; q = p; return q.x > 3 && q.y == 7 ? (struct P){q.y, x}.x : made(2).x; }",
    "int address(int x) { struct P *p = &(struct P){x & 63, 2}; set(p); set(&(struct P){p->y}); return p->y > 9 ? p->x == p->y : (&(struct P){3, 4})->y; }",
    "int chosen(int x, int y) { return (x > 3 ? sum((struct P){next(1), 2}) : y) > 4 || x && (int){next(y)} == 3 ? calls : 0; }",
    "int looped(int n) { int s = 0; n &= 7; for (int i = 0; i < n; i++) { struct P *p = &(struct P){i}; p->y += i; s += sum(*p); (struct P){s}.y = 3; } return s > 20 ? 1 : s; }",
    "int kept(int n) { int *p = (int[]){1, 5}, j = n & 3; again: p = (int[]){p[0] + 1, n}; if (j-- > 0) goto again; return p[1] > 9 ? p[0] : p[1]; }",
    "int nested(int x) { x &= 31; struct Q q = (struct Q){.p[1] = {x, 2}, {1, 2}, x}; const struct Q *r = &(const struct Q){{[0].y = x, (struct P){4, 5}}, .k = 6}; return q.p[1].x + q.k > 40 ? r->p[1].y : r->p[0].y > 20 ? r->k : q.s[1]; }",
    "int text(int i) { char *s = (char[]){\"abc\"}, *t = (char[8]){'x'}; i &= 3; t[i] = s[i]; s[0] = 'z'; return t[0] == 'x' ? s[i] == 'c' : t[1] + s[0]; }",
    "static struct P first = (struct P){3, 4}; static int *const list = (int[]){1, 2}; struct P *const there = &(struct P){5, 6}; int before(int x) { static struct P own = (struct P){.y = 8}; own.x += x & 3; return own.x > first.x ? own.y : sizeof(struct P){1} + sizeof (int[]){1, 2, 3}; }",
    "int scalar(int x) { int *p = &(int){x & 127}, y = (long){x} > 5; *p += 1; return *p > 9 ? y : (unsigned char){x} > 200; }",
    "int inside(int x) { return ({ struct P p = (struct P){x & 3, 1}; sum(p); }) > 4 ? sum((struct P){({ int t = x & 1; t; }), (x & 2) ?: 5}) : 0; }",
    "static int deeper(int n) { int *p = &(int){n}; if (n > 0) deeper(n - 1); return *p; } int again(int x) { x &= 3; return deeper(x) == x ? x > 1 : 9; }",
];

#[test]
fn compound_literals_run_as_gcc_runs_them() {
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let wrong = wrong_functions("literals", HEAD, FUNCTIONS);
    assert!(wrong.is_empty(), "{wrong}");
}

/// What differs between gcc and the interpreter for the last function of each text, after `head`.
pub fn wrong_functions(name: &str, head: &str, functions: &[&str]) -> String {
    let texts: Vec<(PathBuf, String)> = (functions.iter().zip(0..))
        .map(|(source, number)| (PathBuf::from(format!("{name}-{number:02}.c")), format!("{head}{source}\n")))
        .collect();
    let reports = check_texts(&texts, None, Settings { runs: 60, steps: 5_000, symbolic: 5, unseen: false });
    let mut wrong = String::new();
    for (report, (_, source)) in reports.iter().zip(&texts) {
        println!("{}: {} runs, {:?}, {:?}", report.name, report.runs, report.outcomes, report.left_out);
        let source = source.strip_prefix(head).unwrap_or(source);
        if report.refused.is_some() || !report.differences.is_empty() || report.runs <= 20 {
            wrong += &format!("{source}{:?} {}\n{}\n", report.refused, report.runs, report.differences.join("\n"));
        }
    }
    wrong
}
