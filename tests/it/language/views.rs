//! `void *` that a program looks at through one type: as a pointer of that type, and as before where there are two.

use super::nodes::{lowered, result, verdicts};
use crate::differential::{Settings, check_texts};
use crate::suites::{compared, request};
use culdesac::analysis::branches::BranchesSettings;
use culdesac::view::Request;
use std::path::PathBuf;

const RECORDS: &str = "struct rec { int id; int score; };
    int by_score(const void *a, const void *b) { const struct rec *x = a, *y = b;
        if (x->score != y->score) return x->score < y->score ? 1 : -1; return x->id - y->id; }
    int by_int(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; if (x < y) return -1; return x > y; }";

/// Functions alone, with what callers pass.
const ALONE: &[(&str, &str, [u64; 3])] = &[
    ("f", "int f(int x, void *ctx) { int *sum = ctx; if (*sum > 5) return 1; return x; }", [2, 0, 0]),
    ("f", "int f(void *ctx) { if (!ctx) return 0; int *n = ctx; if (*n == 3) return 2; if (ctx == 0) return 3; return 1; }", [5, 1, 0]),
    (
        "f",
        "#include <stddef.h>\nint f(const void *p, size_t n) { const unsigned char *b = p; int s = 0;
            while (n--) s = (s + *b++) & 255; if (s > 255) return 1; return s > 9; }",
        [3, 1, 0],
    ),
    ("by_score", RECORDS, [4, 0, 0]),
    ("by_int", RECORDS, [2, 0, 0]),
    ("f", "int f(void *a, void *b) { int *x = a, *y = b; *x = 1; *y = 2; if (a == b) { if (*x != 2) return 1; } return 0; }", [3, 1, 0]),
    ("f", "int f(void *a, void *b) { if (a == b) return 1; return 0; }", [2, 0, 0]),
    (
        "f",
        "struct node { void *item; struct node *next; };
            int f(struct node *l) { int s = 0; for (; l; l = l->next) { int *p = l->item; s += *p; } if (s == 7) return 1; return 0; }",
        [4, 0, 0],
    ),
    (
        "f",
        "static void *first(void *p, int n) { return n ? p : 0; } int f(int n, void *p) { int *q = first(p, n); if (q && *q == 2) return n == 0; return 2; }",
        [6, 0, 0],
    ),
];

#[test]
fn a_caller_passes_objects_of_the_type() {
    for (function, source, expected) in ALONE {
        assert_eq!(verdicts(source, function), *expected, "{source}");
    }
}

/// The suites compile without a warning, and take what they say.
#[test]
fn suites_pass_objects_of_the_type() {
    if std::process::Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    for (function, source, _) in &ALONE[..5] {
        let request = Request { function: Some((*function).to_owned()), ..request("views.c", source, Some(1_000_000)) };
        let document = crate::suites::branches(&request, BranchesSettings::default()).expect("an answer");
        let agreement = compared(&request, &document);
        assert!(agreement.differences.is_empty(), "{agreement:?}");
    }
}

#[test]
fn calls_pass_objects_of_the_type() {
    let context = "static int add(int x, void *ctx) { int *sum = ctx; *sum += x; return *sum > 100; }";
    assert_eq!(
        result(&format!("{context} int main(void) {{ int n = 5; add(3, &n); int big = add(100, &n); return n * 10 + big; }}")),
        Ok(1081)
    );
    let functions = "struct task { int (*run)(void *); }; static int up(void *d) { int *n = d; return ++*n; }
        static int down(void *d) { return --*(int *)d; }";
    assert_eq!(
        result(&format!(
            "{functions} int main(void) {{ int n = 4; struct task t = {{down}}; t.run(&n); t.run = up; return t.run(&n) + t.run(&n); }}"
        )),
        Ok(9)
    );
    let sorted = "int main(void) { int v[3] = {3, 1, 2}; struct rec r[2] = {{1, 4}, {2, 9}}; qsort(v, 3, sizeof *v, by_int);
        qsort(r, 2, sizeof *r, by_score); return v[0] * 100 + v[2] * 10 + r[0].id; }";
    assert_eq!(result(&format!("#include <stdlib.h>\n{RECORDS} {sorted}")), Ok(132));
    let list = "#include <stdlib.h>\nstruct node { int value; struct node *next; }; static int first(void *p) { return ((struct node *)p)->value; }
        int main(void) { struct node *a = malloc(sizeof *a); a->value = 7; a->next = NULL; return first(a); }";
    assert_eq!(result(list), Ok(7));
}

/// Where calls pass two types, a function that is inlined is followed as before; nothing is believed of bytes of other types.
#[test]
fn two_types_are_as_before() {
    let either = "static void *same(void *p) { return p; }
        int main(void) { struct rec { int a, b; } r = {5, 6}; int n = 3; struct rec *s = same(&r); int *m = same(&n); return s->b * 10 + *m; }";
    assert_eq!(result(either), Ok(63));
    for source in [
        "int f(int k, void *p) { if (k) { int *q = p; return *q > 3; } double *d = p; return *d > 2.0; }",
        "int f(void *p) { int *q = p; void *r = p + 1; char *c = r; return *c == 3 && *q == 7; }",
        "int f(int x) { int y = x; void *p = &y; unsigned char *c = p; return c[0] == 5; }",
        "int f(void *p) { unsigned *u = p; int *s = p; return *u > 5u && *s < 0; }",
        "union u { void *p; long n; }; int f(union u *x) { int *q = x->p; return *q > 3; }",
        "struct s { int a; }; int f(void *a, void *b) { int *x = a; struct s *y = b; if (a == b) return 1; return x[0] > y->a; }",
        "#define AS(T, q) (*(T *)(q))\nint f(void *p) { return AS(int, p) > AS(short, p); }",
    ] {
        assert!(lowered(source, "f").is_err(), "{source}");
    }
}

#[test]
fn runs_are_those_of_gcc() {
    if std::process::Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let texts = [
        "struct limit { int low, high; };
            static int clamp(int x, void *ctx) { const struct limit *l = ctx; if (x < l->low) return l->low; return x > l->high ? l->high : x; }
            static int by(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
            int f(int a, int b, int low) { struct limit l = {low, 9}; int v[3] = {clamp(a, &l), clamp(b, &l), 4};
                for (int i = 0; i < 2; i++) if (by(v + i, v + i + 1) > 0) { int t = v[i]; v[i] = v[i + 1]; v[i + 1] = t; }
                if (v[0] == v[1]) return 1; return v[2]; }",
        "static int each(int (*step)(int, void *), void *ctx, int n) { int s = 0; for (int i = 0; i < n && i < 5; i++) s += step(i, ctx); return s; }
            static int add(int i, void *ctx) { unsigned *u = ctx; *u += (unsigned)i; return *u & 1; }
            static int mark(int i, void *ctx) { unsigned *u = ctx; *u ^= 1u << (i & 7); return *u > 9; }
            int f(int k, int n, unsigned first) { unsigned u = first & 15; int r = each(k > 0 ? add : mark, &u, n); if (r > 3) return -1; return (int)u + r; }",
    ];
    let texts: Vec<(PathBuf, String)> =
        texts.iter().zip(1..).map(|(text, at)| (PathBuf::from(format!("views-{at}.c")), (*text).to_owned())).collect();
    for report in check_texts(&texts, None, Settings { runs: 60, steps: 5_000, symbolic: 5, unseen: false }) {
        assert!(
            report.refused.is_none() && report.differences.is_empty(),
            "{}: {:?} {:?}",
            report.name,
            report.refused,
            report.differences
        );
        assert!(report.runs > 0, "{}", report.name);
    }
}
