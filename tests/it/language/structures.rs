//! Parameters that lead to arrays of structures: as gcc runs them, and what their inputs are.

use crate::differential::{Settings, check_texts};
use std::path::PathBuf;

const TYPES: &str = "#include <stddef.h>
struct P { int x, y; };
struct I { int k; short m[3]; };
struct N { struct I in; struct I two[2]; signed char c; };
typedef struct { long a; unsigned char b; } T;
";

/// Functions with what they call in front of them; the last one is looked at.
const FUNCTIONS: &[&str] = &[
    "int sum(struct P *p, int n) { int s = 0; for (int i = 0; i < n && i < 3; i++) if (p[i].x > 1) s += p[i].y & 15; return s == 2; }",
    "int find(struct P *p, int n) { while (n-- > 0) { if (p->x == 7) return p->y; p++; } return -1; }",
    "int brackets(struct P p[], int n) { return n >= 0 && n < 9 ? p[n].x > p[n + 1].x : 2; }",
    "int length(struct P p[4]) { return p[3].x > 3 ? p[0].y : p[2].y; }",
    "int at_least(struct P p[static 4]) { return (p + 3)->x > 3 ? (*(p + 1)).y : p->y; }",
    "int one(const struct P *q) { return q->x == 3 ? 1 : q->y; } int each(const struct P *p, int i) { return i & 7 ? one(&p[i & 7]) : one(p); }",
    "int most(const struct P *q, int n) { int m = -9; for (int i = 0; i < n; i++) if (q[i].y > m) m = q[i].y; return m; }
        int passed_on(struct P *p, int n) { return most(p, n & 3) > 5 ? 1 : most(p + 2, 2); }",
    "int nested(struct N *p, int i, int j) { if (i < 0 || i > 5 || j < 0 || j > 2) return 0; p[i].two[1].m[j] = 5; p[i + 1].in = p[i].two[1];
        return p[i + 1].in.k > p[i].in.m[2] ? p[i].c : p[i + 1].in.m[j]; }",
    "int copied(struct P *p, int i, int j) { i &= 3; j &= 3; p[i] = p[j]; struct P t = p[1]; p[1] = p[0]; p[0] = t; return p[i].x == p[j].x ? p[0].y : p[1].y; }",
    "int depends(struct P *p) { p[p[0].x & 3] = p[1]; p[2] = p[p[2].y & 3]; return p[0].y > 3 ? p[1].x : p[2].y; }",
    "int null(struct P *p, int i) { if (!p) return -1; if (i < -2 || i > 4) return 0; return p[i].x > 2 ? p[i].y : 7; }",
    "int null_moves(struct P *p, int n) { if (p == NULL) return -1; while (n-- > 0 && n < 5) p++; return p->x > 2 ? 1 : p[-1].x; }",
    "int two(struct P *p, struct P *q, int i) { i &= 3; p[i].x = q[i].y; q[0] = p[1]; return p[i].x > q[0].x ? p[0].y : 3; }",
    "int two_null(struct P *p, struct P *q, int i) { i &= 3; if (!q || !p) return q ? q[i].x > 0 : -5; return p[i].x > q[i + 1].x; }",
    "int typed(T *p, int n) { n &= 3; p[n].b += 200; return p[n].a > p[n + 1].a ? p[n].b : 1; }",
    "int pointers(struct P *p, int n) { int s = 0; for (const struct P *q = p; q < p + n && q - p < 5; q++) if (q->x > 1) s++; return s; }",
    "int to_the_end(struct P *p, int n) { int s = 0; struct P *e = p + (n & 3); for (; p != e; ++p) s += p->x > 2; return s; }",
    "struct P *find(struct P *p, int n, int k) { for (int i = 0; i < n; i++) if (p[i].x == k) return &p[i]; return 0; }
        int found(struct P *p, int n) { struct P *r = find(p, n & 7, 1); return r ? r->y > 2 : -1; }",
    "void swap(struct P *a, struct P *b) { struct P t = *a; *a = *b; *b = t; }
        int sorted(struct P *p, int n) { for (int i = 0; i + 1 < n && i < 4; i++) if (p[i].x > p[i + 1].x) swap(&p[i], &p[i + 1]); return p[2].x > 1; }",
    "int ends(struct P *p, int n) { struct P *lo = p, *hi = p + (n & 3); while (lo < hi) { if (lo->x > hi->x) { struct P t = *lo; *lo = *hi; *hi = t; } lo++; hi--; }
        return p[0].x > 1; }",
    "int member(struct P *p, int i) { int *x = &p[i & 3].x; *x = 4; return p[0].x > 3 ? p[1].x : 9; }",
    "struct P more(struct P p) { if (p.x < 100) p.x++; return p; } int values(struct P *p, int i) { i &= 3; p[i + 1] = more(p[i]); return p[1].x > 3; }",
    "int rest(struct P *p, int n) { return n > 0 && n < 5 ? (p->x > 1) + rest(p + 1, n - 1) : 0; }",
    "int greatest(struct P *p, int n) { struct P *m = p; for (int i = 1; i < n && i < 6; i++) if (p[i].x > m->x) m = &p[i]; return m->y > 0; }",
    "int stops(struct P *p, int n) { for (struct P *q = p; q; q = q->x > 0 && q - p < 6 ? q + 1 : NULL) if (q->y == n) return 1; return 0; }",
    "int back(struct P *p, int i) { p += i & 7; if (p[-1].x > p->x) p -= 2; return p->y > 1; }",
    "int own(struct P *p) { if (p->x > 2) p->y = 1; return p[0].y > (*p).x; }",
    "int own_null(struct P *p, int i) { if (p && i > 1) return p->x > 2 ? p->y : 2; return 3; }",
    "int own_nested(struct N *p, int i) { p->in.m[i & 1] = 3; return p->two[i & 1].m[2] > 1 ? p->in.m[0] : p->c; }",
    "struct P made(int a) { struct P r = { a, a & 7 }; return r; } int chosen(struct P *p, int c) { struct P t = c > 0 ? made(c) : p[1]; return t.x > t.y; }",
    "struct P made(int a) { struct P r = { a, a & 7 }; return r; }
        int both(struct P *p, int c) { struct P t; t = c > 0 ? made(c & 3) : made(p->x); return t.x > 2 ? t.y : 9; }",
    "struct P either(int c, struct P a, struct P b) { return c ? a : c > 3 ? b : a; }
        int returned(struct P *p, int c) { struct P t = either(c, p[0], p[1]); return t.x > 3; }",
    "int part(struct P *p, int c) { return (c > 2 ? p[0] : c ? p[1] : p[2]).x > 2; }",
    "int first(struct P q) { return q.x > q.y; } int given(struct P *p, int c) { return first(c > 2 ? p[0] : (c++, p[1])) ? c : -c; }",
    "int nested_part(struct N *p, int c) { struct I t = (c ? p[0].in : p[1].two[c & 1]); return (c > 1 ? t : p->two[0]).m[c & 1] > t.k; }",
];

/// Inputs are the members' arrays, so the compiler's structures get what ours have.
#[test]
fn arrays_of_structures_run_as_gcc_runs_them() {
    if std::process::Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let texts: Vec<(PathBuf, String)> = (FUNCTIONS.iter().zip(0..))
        .map(|(source, number)| (PathBuf::from(format!("structures-{number:02}.c")), format!("{TYPES}{source}\n")))
        .collect();
    let reports = check_texts(&texts, None, Settings { runs: 60, steps: 5_000, symbolic: 5, unseen: false });
    for (report, (_, source)) in reports.iter().zip(&texts) {
        println!("{}: {} runs, {:?}, {:?}", report.name, report.runs, report.outcomes, report.left_out);
        assert!(report.refused.is_none(), "{:?}\n{source}", report.refused);
        assert!(report.differences.is_empty(), "{}\n{source}", report.differences.join("\n"));
        assert!(report.runs > 20, "{}\n{source}", report.runs);
    }
}
