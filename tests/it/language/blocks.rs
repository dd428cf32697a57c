//! Blocks of scalars in members and static pointers: what a run gives, as gcc and its sanitizers have it, and what holds for any block of a
//! caller.

use super::nodes::{lowered, result, verdicts};
use crate::common::asking::{about, ask, rejected};
use crate::differential::{Settings, check_texts, random};
use culdesac::view::Request;
use serde_json::json;
use std::ops::Range;
use std::path::PathBuf;

const VECTOR: &str = "#include <stdlib.h>
#include <string.h>
    struct vector { int *data; int size, room; };
    int push(struct vector *v, int x) {
        if (v->size == v->room) {
            int room = v->room ? 2 * v->room : 1;
            int *data = realloc(v->data, room * sizeof *data);
            if (!data) return 0;
            v->data = data;
            v->room = room;
        }
        v->data[v->size++] = x;
        return 1;
    }
    int sum(const int *a, int n) { int i, s = 0; for (i = 0; i < n; i++) s = s * 10 + a[i]; return s; }
    int last(const struct vector *v) { const int *p = v->data, *end = p + v->size; int x = 0; while (p != end) x = *p++; return x; }";

/// `main` with a vector of 3, 2, 1, and the functions.
fn with_functions(functions: &str, statements: &str) -> Result<i64, String> {
    result(&format!(
        "{VECTOR} {functions} int main(void) {{ struct vector v = {{NULL, 0, 0}}; push(&v, 3); push(&v, 2); push(&v, 1); {statements} }}"
    ))
}

fn with(statements: &str) -> Result<i64, String> {
    with_functions("", statements)
}

#[test]
fn blocks_are_followed() {
    assert_eq!(with("return sum(v.data, v.size);"), Ok(321));
    assert_eq!(with("*v.data = 5; v.data[1] += 2; return sum(v.data, 3);"), Ok(541));
    assert_eq!(with("return last(&v) * 10 + v.room;"), Ok(14));
    assert_eq!(with("return sum(v.data + 1, 2) * 10 + *(v.data + 2) + (&v.data[1])[1];"), Ok(212));
    assert_eq!(with("return (int)(sizeof v.data[0] + sizeof *v.data);"), Ok(8));
    assert_eq!(with("struct vector w = v; w.data[0] = 7; return sum(v.data, 3);"), Ok(721));
    assert_eq!(with("struct vector w = {malloc(8), 0, 2}; push(&w, 9); v.data = w.data; return v.data[0];"), Ok(9));
    assert_eq!(with("int *old = v.data; v.data = calloc(2, sizeof(int)); v.data[1] = old[0]; free(old); return sum(v.data, 2);"), Ok(3));
    assert_eq!(with("v.data = v.size > 5 ? NULL : v.data; if (!v.data) return 1; return v.data == NULL ? 2 : v.data[2];"), Ok(1));
    assert_eq!(
        with("int *small = realloc(v.data, 2 * sizeof(int)); small = realloc(small, 12); small[2] = 9; return sum(small, 3);"),
        Ok(329)
    );
    assert_eq!(with("int *a = v.data; for (int i = 0; i < 3; i++) a[i]++; free(a); v.data = NULL; return v.data == NULL;"), Ok(1));
    assert_eq!(with("free(v.data); v.data = NULL; return sum(v.data, 0);"), Ok(0));
}

#[test]
fn pointers_into_blocks_may_be_null() {
    const FIND: &str = "int *find(const struct vector *v, int x) { int i; for (i = 0; i < v->size; i++) if (v->data[i] == x) return &v->data[i]; return NULL; }";
    let find = |statements: &str| with_functions(FIND, statements);
    assert_eq!(find("int *p = find(&v, 2), *q = find(&v, 9); if (!p || q) return 1; *p = 8; return sum(v.data, 3);"), Ok(381));
    assert_eq!(find("return find(&v, 1) ? *find(&v, 1) + 5 : 0;"), Ok(6));
    assert_eq!(find("int *p = find(&v, 7); if (p == NULL) p = v.data; return *p;"), Ok(3));
    assert_eq!(find("int *p = v.data; p++; return p != NULL && *p == 2;"), Ok(1));
    assert_eq!(
        find("struct vector w = {NULL, 0, 0}; int *p = w.data, *q = find(&w, 3); return (p == q) * 10 + (w.data == p) + (p == v.data);"),
        Ok(11)
    );
    assert_eq!(find("int *p, n = 0; for (p = v.data; p && p < v.data + v.size; p++) n += *p; return n;"), Ok(6));
    assert!(find("return *find(&v, 9);").unwrap_err().contains("null pointer"));
}

#[test]
fn blocks_of_other_types_are_followed() {
    const TEXT: &str = "struct text { char *chars; unsigned length; }; static double *numbers; static unsigned char *bytes[3];
        int set(struct text *t, const char *from) { t->length = strlen(from); t->chars = malloc(t->length + 1);
            if (!t->chars) return 0; strcpy(t->chars, from); return 1; }
        int *make(int n) { int *made = malloc(n * sizeof *made); for (int i = 0; i < n; i++) made[i] = n - i; return made; }";
    assert_eq!(with_functions(TEXT, "struct text t; set(&t, \"abc\"); return t.chars[1] * 10 + strlen(t.chars);"), Ok(983));
    assert_eq!(with_functions(TEXT, "struct text t; set(&t, \"ab\"); return strcmp(t.chars, \"ab\") == 0;"), Ok(1));
    assert_eq!(
        with_functions(TEXT, "struct text t; t.chars = strdup(\"abc\"); t.chars[0]++; return strcmp(t.chars, \"bbc\") == 0;"),
        Ok(1)
    );
    assert_eq!(with_functions(TEXT, "struct text t; t.chars = strndup(\"abc\", 2); return strlen(t.chars) * 1000 + t.chars[1];"), Ok(2098));
    assert_eq!(with_functions(TEXT, "numbers = malloc(16); numbers[1] = 2.5; free(v.data); return numbers[1] > 2.4;"), Ok(1));
    assert_eq!(
        with_functions(TEXT, "for (int i = 0; i < 3; i++) bytes[i] = malloc(1); bytes[v.data[1]][0] = 255; return bytes[2][0] + 1;"),
        Ok(256)
    );
    assert_eq!(with_functions(TEXT, "struct vector w = {make(4), 4, 4}; return sum(w.data, w.size);"), Ok(4321));
}

#[test]
fn undefined_uses_are_named() {
    let is = |statements: &str, word: &str| {
        let reason = with(statements).expect_err(statements);
        assert!(reason.contains(word), "{statements}: {reason}");
    };
    is("return v.data[4];", "index");
    is("return v.data[-1];", "index");
    is("int *p = v.data + 3; return p[1];", "index");
    is("v.data = NULL; return v.data[0];", "null pointer");
    is("struct vector *w = malloc(sizeof *w); return w->data[0];", "never set");
    is("free(v.data); return v.data[0];", "freed memory");
    is("free(v.data); free(v.data); return 0;", "freed memory");
    is("int *p = v.data; push(&v, 0); push(&v, 0); return p[0];", "freed memory");
    is("const int *p = v.data; int n = 0; while (n < 2) { n++; p++; } free(v.data); return *p;", "index");
    is("int *p = malloc(4), *q = p; free(p); free(q); return 0;", "freed memory");
    is("int *p = realloc(v.data, 8); return p[2];", "index");
}

/// The caller's blocks are others than the ones that the function asks for; two of its pointers may lead to one block.
#[test]
fn blocks_of_callers_are_others() {
    let of = |function: &str| verdicts(&format!("{VECTOR} {function}"), "f");
    assert_eq!(
        of(
            "int f(struct vector *v) { int *p = malloc(4); if (!p) return 0; p[0] = 1; if (p == v->data) return 1; v->data = p; return 2; }"
        ),
        [3, 1, 0]
    );
    assert_eq!(of("int f(struct vector *v, int i) { if (v->data[i] > 3) { if (i < 0) return 1; return 2; } return 3; }"), [3, 1, 0]);
    assert_eq!(of("int f(struct vector *v, int i) { free(v->data); v->data = malloc(8); if (v->data && i > 1) { v->data[i] = 0; if (i) return 1; return 2; } return 3; }").map(|n| n.min(9))[2], 0);
    assert_eq!(
        of(
            "struct pair { int *a, *b; int n; }; int f(struct pair *p) { p->a[0] = 1; p->b = p->a; p->b[0] = 2; if (p->a[0] == 1) return 1; return 0; }"
        ),
        [1, 1, 0]
    );
}

/// The infeasible branch of `f` rests on an assumption, and is none without it.
pub fn assert_rests_on(source: &str, assumption: &str) {
    let request = |no_assume: &[&str]| Request {
        function: Some("f".to_owned()),
        no_assume: no_assume.iter().map(|id| (*id).to_owned()).collect(),
        ..about(source, Some(2_000_000))
    };
    let settings = json!({ "unwind": null, "algorithm": "prefer", "precondition": null });
    let answered = ask("cover", &request(&[]), &settings, &mut |_| true).expect("an answer");
    assert_eq!(answered.document["infeasible"][0]["assumes"], json!([assumption]));
    assert_eq!(rejected(&answered.evidence), Vec::<String>::new());
    let answered = ask("cover", &request(&[assumption]), &settings, &mut |_| true).expect("an answer");
    assert_eq!(answered.document["infeasible"], json!([]));
}

/// An index before the first element of a caller's block is outside only where pointers lead to first elements.
#[test]
fn what_rests_on_whole_objects_says_so() {
    let source =
        format!("{VECTOR} int f(struct vector *v, int i) {{ if (v->data[i] > 3) {{ if (i < 0) return 1; return 2; }} return 3; }}");
    assert_rests_on(&source, "whole-objects");
}

/// Memory of two factors, and the number of a pointer, are not followed: the plain lowering says what it can.
#[test]
fn other_uses_are_refused() {
    for statements in [
        "int **p = &v.data, ***q = &p; return ***q;",
        "v.data = calloc(v.size, v.room); return v.data[0];",
        "long n = (long)v.data; return n > 3;",
    ] {
        let source = format!("{VECTOR} int main(void) {{ struct vector v = {{NULL, 0, 0}}; push(&v, 1); {statements} }}");
        assert!(lowered(&source, "main").is_err(), "{statements}");
    }
}

/// Random numbers below a bound, the same ones for each seed.
pub fn numbers_below(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |n| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % n
    }
}

/// Programs that use vectors with some of their arguments, whose random operations the number says.
fn random_program(number: u64) -> String {
    let mut below = numbers_below(number);
    // No call of gcc's fails.
    let vector = VECTOR.replace("if (!data) return 0;", "");
    let mut text = format!(
        "{vector}
        int pop(struct vector *v) {{ if (v->size == 0) return -1; return v->data[--v->size]; }}
        void cut(struct vector *v) {{ int *data; if (v->size == 0) return; data = realloc(v->data, v->size * sizeof(int)); v->data = data; v->room = v->size; }}
        void turn(struct vector *v) {{ int i = 0, j = v->size - 1; while (i < j) {{ int t = v->data[i]; v->data[i++] = v->data[j]; v->data[j--] = t; }} }}
        int find(const struct vector *v, int x) {{ int i; for (i = 0; i < v->size; i++) if (v->data[i] == x) return i; return -1; }}
        int largest(const struct vector *v) {{ const int *p; int most = -1; for (p = v->data; p < v->data + v->size; p++) if (*p > most) most = *p; return most; }}
        void drop(struct vector *v) {{ free(v->data); v->data = NULL; v->size = v->room = 0; }}
        int f(int a, int b, int c) {{ struct vector x = {{NULL, 0, 0}}, y = {{NULL, 0, 0}}; int s = 0; unsigned char *seen = calloc(4, 1);\n"
    );
    for _ in 0..5 + below(8) {
        let value = ["a", "b", "c", "s", "1", "2"][below(6) as usize];
        let vector = ["x", "y"][below(2) as usize];
        text.push_str(&match below(11) {
            0..=3 => format!("push(&{vector}, {value} & 3);"),
            4 => format!("s += pop(&{vector});"),
            5 => format!("cut(&{vector});"),
            6 => format!("turn(&{vector});"),
            7 => format!("s += find(&{vector}, {value} & 3); seen[{value} & 3]++;"),
            8 => format!("s += {vector}.size ? largest(&{vector}) : 0;"),
            9 => "if (a > b) { int *t = x.data; int n = x.size, r = x.room; x = y; y.data = t; y.size = n; y.room = r; }".to_owned(),
            _ => format!("if (c > {value}) drop(&{vector}); s += seen[c & 3];"),
        });
        text.push('\n');
    }
    text.push_str("s = s * 7 + x.size * 2 + y.size; drop(&x); drop(&y); free(seen); return s; }\n");
    text
}

#[test]
fn random_vectors_run_as_gcc_runs_them() {
    programs_run_as_gcc_runs_them("vector", random::numbers(20), random_program);
}

/// Whether the random programs of some numbers give the same here and with gcc, whatever they begin with.
pub fn programs_run_as_gcc_runs_them(name: &str, numbers: Range<u64>, program: fn(u64) -> String) {
    if std::process::Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let texts: Vec<(PathBuf, String)> = numbers.map(|number| (PathBuf::from(format!("{name}-{number}.c")), program(number))).collect();
    let reports = check_texts(&texts, None, Settings { runs: 20, steps: 5_000, symbolic: 3, unseen: false });
    let mut failed = Vec::new();
    for report in &reports {
        if report.refused.is_some() || !report.differences.is_empty() || report.runs == 0 {
            failed.push(format!("{}: {:?} {:?}", report.name, report.refused, report.differences));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Memory that is freed last, and that nothing else holds, is an array of its own, as ever.
#[test]
fn memory_that_ends_last_is_an_array() {
    let is_block = |statements: &str| {
        let source = format!(
            "#include <stdlib.h>\nstatic void release(int *p) {{ free(p); }} static int first(const int *p) {{ return p[0]; }}
            int f(int n) {{ int i, r = 0, *p = malloc(4 * sizeof(int)), *q = malloc(8); if (!p || !q) return -1; {statements} }}"
        );
        let lts = lowered(&source, "f").unwrap_or_else(|errors| panic!("{errors:?}")).lts;
        !lts.value_names.blocks.is_empty()
    };
    for statements in [
        "p[0] = n; r = first(p); free(p); free(q); return r;",
        "for (i = 0; i < n && i < 4; i++) p[i] = i; if (n > 2) { free(q); free(p); return 1; } q[0] = 1; free(p); return q[0];",
    ] {
        assert!(!is_block(statements), "{statements}");
    }
    for statements in [
        "p[0] = n; free(p); r = p[0]; free(q); return r;",
        "free(p); free(q); if (n) free(p); return 0;",
        "for (i = 0; i < n; i++) { p[0] = i; free(p); } return 0;",
        "again: p[0] = 1; free(p); if (n-- > 0) goto again; return 0;",
        "p = realloc(p, 8); p[1] = n; return p[1];",
        "release(p); return n ? p[0] : 0;",
    ] {
        assert!(is_block(statements), "{statements}");
    }
}
