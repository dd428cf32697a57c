//! Pointers that move along blocks and are kept: in structures, at file scope, where other pointers lead to them.

use super::blocks::assert_rests_on;
use super::literals::wrong_functions;
use super::nodes::{lowered, result, verdicts};
use culdesac::lts::text;
use culdesac::view::{line, read_line};
use std::process::Command;

const READER: &str = "#include <stddef.h>
#include <string.h>
#include <stdlib.h>
    struct reader { const char *next, *end; int errors; };
    static void start(struct reader *r, const char *text, int length) { r->next = text; r->end = text + length; r->errors = 0; }
    static int get(struct reader *r) { if (r->next == r->end) { r->errors++; return -1; } return *r->next++; }
    static int left(const struct reader *r) { return (int)(r->end - r->next); }
    static void skip(const char **p, char c) { while (**p == c) ++*p; }
    static int number(const char **p) { int n = 0; while (**p >= '0' && **p <= '9') n = n * 10 + *(*p)++ - '0'; return n; }
    static const char *after(const char *p, char c) { while (*p && *p != c) p++; return *p ? p + 1 : NULL; }";

/// What `main` with the statements returns.
fn with(statements: &str) -> Result<i64, String> {
    with_functions("", statements)
}

fn with_functions(functions: &str, statements: &str) -> Result<i64, String> {
    result(&format!("{READER} {functions} int main(void) {{ struct reader r; start(&r, \"a1b22\", 5); {statements} }}"))
}

#[test]
fn pointers_that_move_are_kept() {
    assert_eq!(with("int c = get(&r); return c * 1000 + get(&r);"), Ok(97_049));
    assert_eq!(with("get(&r); get(&r); return left(&r);"), Ok(3));
    assert_eq!(with("while (left(&r) > 0) get(&r); int c = get(&r); return c * 10 - r.errors;"), Ok(-11));
    assert_eq!(with("r.next += 3; struct reader s = r; s.next--; int c = get(&r); return c * 1000 + get(&s);"), Ok(50_098));
    assert_eq!(with("skip(&r.next, 'a'); int n = number(&r.next); return n * 10 + left(&r);"), Ok(13));
    assert_eq!(with("return r.next[2] + (r.end - 1)[0] + *(r.next + 1);"), Ok(98 + 50 + 49));
    assert_eq!(with("r.next = after(r.next, 'b'); return number(&r.next);"), Ok(22));
    assert_eq!(with("r.next = after(r.next, 'z'); return r.next == NULL;"), Ok(1));
    assert_eq!(with("const char *p = r.next, *q = p + 2; return (q > p) * 100 + (int)(q - p) * 10 + (q == r.next + 2);"), Ok(121));
    assert_eq!(with("const char *p = r.next; p = *p == 'a' ? p + 1 : r.end; r.next = p; return left(&r);"), Ok(4));
    assert_eq!(with("char c = *(r.next = r.end - 2); return c + r.next[1];"), Ok(100));
    assert_eq!(with("return (int)strlen(r.next + 1) * 10 + (strcmp(r.next + 3, \"22\") == 0);"), Ok(41));
    assert_eq!(with("const char *c = strchr(r.next, 'b'); r.next = c; return left(&r);"), Ok(3));
    assert_eq!(with("const char *a[2] = {r.next, r.end}; a[0]++; return (int)(a[1] - a[0]) * 100 + *a[0];"), Ok(449));
}

#[test]
fn arrays_that_pointers_lead_to_are_blocks() {
    const STACK: &str = "struct stack { int *top, *first, *end; }; static int room[4]; static struct stack all;
        static void begin(struct stack *s, int *a, int n) { s->first = s->top = a; s->end = a + n; }
        static int push(struct stack *s, int x) { if (s->top == s->end) return 0; *s->top++ = x; return 1; }
        static int pop(struct stack *s) { return s->top > s->first ? *--s->top : -1; }";
    let stack = |statements: &str| with_functions(STACK, statements);
    assert_eq!(
        stack("int a[2] = {7}; begin(&all, a, 2); push(&all, 3); push(&all, 4); return push(&all, 5) * 100 + a[0] * 10 + a[1];"),
        Ok(34)
    );
    assert_eq!(
        stack("begin(&all, room, 4); push(&all, 3); room[0]++; int x = pop(&all); return x * 10 + (pop(&all) == -1) + (int)sizeof room;"),
        Ok(57)
    );
    assert_eq!(stack("begin(&all, room + 1, 2); push(&all, 3); return room[0] * 100 + room[1] * 10 + (all.first == &room[1]);"), Ok(31));
    assert_eq!(
        stack("char text[8] = \"x,y\"; char *c; r.next = text; c = strchr(text, ','); if (c) *c = 0; return (int)strlen(r.next);"),
        Ok(1)
    );
}

/// A string beside other memory that a pointer may lead to is a block like that.
#[test]
fn strings_beside_other_texts_are_followed() {
    let of = |function: &str| verdicts(&format!("{READER} {function}"), "f");
    assert_eq!(of("int f(char **t, int i) { t[0] = \"a\"; if (i == 0 && t[i][0] != 'a') return 1; return 0; }"), [3, 1, 0]);
    assert_eq!(of("static const char *s; int f(int i) { s = \"ab\"; if (i >= 0 && i < 3 && s[i] == 'c') return 1; return 0; }"), [5, 1, 0]);
    assert_eq!(
        of(
            "struct S { const char *name; }; int f(struct S a, int i) { if (i) a.name = \"x\"; if (i && a.name[0] != 'x') return 1; return a.name[0] == 'y'; }"
        )[1],
        1
    );
    assert_eq!(
        of("struct P { int x, y; } *other; int f(struct P *p, int i) { p = other; p += i; if (p->x > 3 && p->x < 3) return 1; return 0; }"),
        [3, 1, 0]
    );
}

/// Functions whose pointers lead to strings by way of others, that may be declared after them.
const STRINGS: &[&str] = &[
    "int escaped(int c) { const char *p, *from = \"\\n\\t\\\\\", *to = \"nt\\\\\"; int way = c & 1; for (p = way ? from : to; *p != 0; p++) if (*p == (c >> 1)) return way ? to[p - from] : from[p - to]; return 0; }",
    "int chosen(int x) { const char *a = \"ab\", *b = \"xyz\"; const char *p = x > 3 ? a : b; if (p == a) return 1; return p[x & 1] + (p == b); }",
    "int later(int x) { const char *p, *q = \"hello\"; p = q; p += x & 3; if (p > q) return *p; return p - q; }",
    "int stepped(int x) { const char *p, *hex = \"0123\", *low = \"ab\"; int n = 0; p = hex + (x & 3); if (x > 5) p = low + 1; while (*p) n = n * 3 + *p++; return n; }",
    "int nulls(int x) { const char *yes = \"yes\", *no = \"no\", *p = NULL; if (x > 9) p = yes; else if (x > 3) p = no; if (!p) return 1; return *++p; }",
    "int beside(int x) { const char *p = \"abc\", *q = \"de\"; while (*p && x-- > 2) p++; if (!*p) p = q; return *p; }",
];

#[test]
fn strings_of_other_pointers_run_as_gcc_runs_them() {
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let wrong = wrong_functions("strings-of-pointers", "#include <stddef.h>\n", STRINGS);
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn strings_of_other_pointers_are_followed() {
    for (function, infeasible) in [
        (
            "int f(int n) { const char *p, *a = \"ab\", *b = \"xy\"; p = n ? a : b; if (*p == 'b') return 1; if (n && *p != 'a') return 2; return 0; }",
            2,
        ),
        (
            "int f(int n) { const char *a = \"ab\", *b = \"xyz\", *p; for (p = n ? a : b; *p; p++); if (n && p - a != 2) return 1; return 0; }",
            1,
        ),
        // Which of two strings comes first is undefined.
        ("int f(int n) { const char *a = \"ab\", *b = \"xy\", *p; p = n ? a : b; if (p < a) return 1; return 0; }", 1),
    ] {
        let [_, found, open] = verdicts(function, "f");
        assert_eq!((found, open), (infeasible, 0), "{function}");
    }
}

#[test]
fn words_of_a_text_are_followed() {
    let words = |statements: &str| {
        result(&format!("{READER} int main(void) {{ char text[] = \" ab,c  d\", *words[4], *rest, *w; int n = 0; {statements} }}"))
    };
    assert_eq!(
        words(
            "for (w = strtok(text, \" ,\"); w; w = strtok(NULL, \" ,\")) words[n++] = w; return n * 1000 + words[2][0] * 2 + (int)strlen(words[0]);"
        ),
        Ok(3202)
    );
    assert_eq!(
        words("for (w = strtok_r(text, \" \", &rest); w; w = strtok_r(NULL, \" \", &rest)) words[n++] = w; return n * 1000 + words[1][0];"),
        Ok(2100)
    );
    assert_eq!(words("rest = text; while ((w = strsep(&rest, \",\")) != NULL) words[n++] = w; return n * 1000 + words[1][0];"), Ok(2099));
    assert_eq!(words("w = strtok(text, \"-\"); n = w == text; return n * 10 + (strtok(NULL, \"-\") == NULL);"), Ok(11));
}

#[test]
fn undefined_uses_are_named() {
    let is = |statements: &str, word: &str| {
        let reason = with(statements).expect_err(statements);
        assert!(reason.contains(word), "{statements}: {reason}");
    };
    is("r.next += 6; return *r.next;", "index");
    is("r.next -= 1; return *r.next;", "index");
    is("r.next = NULL; return get(&r);", "null pointer");
    is("struct reader s; char b[2]; b[0] = 0; start(&s, b, 2); return (int)(s.end - r.end);", "different objects");
    is("char *m = malloc(4); m[0] = 1; r.next = m + 1; r.end = m + 2; free(m); return *r.next;", "freed memory");
}

/// A caller's pointers lead to any element, or past the last; two of them that are ordered or subtracted lead into one array.
#[test]
fn inputs_lead_to_any_element() {
    let of = |function: &str| verdicts(&format!("{READER} {function}"), "f");
    assert_eq!(
        of("int f(struct reader *r) { if (r->end - r->next < 2) return 0; if (r->next == r->end) return 1; return *r->next; }"),
        [3, 1, 0]
    );
    assert_eq!(of("int f(struct reader *r) { if (get(r) == 'x' && r->next == r->end) return 1; return 0; }").map(|n| n.min(9))[2], 0);
    assert_eq!(of("int f(const char **p) { const char *q = *p; skip(p, ' '); if (*p < q) return 1; return *p > q; }")[0], 3);
    assert_eq!(of("int f(const char *s) { struct reader r = {s, s + 1, 0}; if (r.next > r.end) return 1; return 0; }"), [1, 1, 0]);
}

/// What rests on the assumption that a caller's pointers lead into one array says so.
#[test]
fn what_rests_on_one_object_says_so() {
    let source = format!("{READER} int f(struct reader *r) {{ if (r->end - r->next < 0 && r->next < r->end) return 1; return 0; }}");
    assert_rests_on(&source, "one-object");
}

/// What inputs are written as is read again.
#[test]
fn inputs_are_read_as_they_are_written() {
    let source = format!("{READER} int f(struct reader *r, const char **p) {{ int c = get(r); ++*p; return c + **p; }}");
    let lts = lowered(&source, "f").unwrap_or_else(|errors| panic!("{errors:?}")).lts;
    for text in [
        "r = {.next = next1 + 2, .end = next1 + 3, .errors = 0}, p = p_item1 + 1, next1[4] = \"abc\", p_item1[2] = \"x\"",
        "r = {.next = NULL, .end = NULL, .errors = 0}, p = p_item1, p_item1[1] = \"\"",
    ] {
        let input = read_line(&lts, text).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
        assert_eq!(line(&input.with_parts(&lts).written_as), text);
    }
}

/// What is not followed stays approximated.
#[test]
fn other_uses_are_refused() {
    for statements in [
        "long n = (long)r.next; return n > 3;",
        "return (long)r.next > r.errors;",
        "return (int)((unsigned long)r.next & 3);",
        "return *(const short *)(r.next + 1);",
        // C leaves open whether the pointer or the call comes first.
        "return left(&r) + *(after(r.next, 'a') + get(&r));",
        "const unsigned short *s = (const unsigned short *)r.next; return *s;",
    ] {
        let source = format!("{READER} int main(void) {{ struct reader r; start(&r, \"abc\", 3); get(&r); {statements} }}");
        assert!(lowered(&source, "main").is_err(), "{statements}");
    }
}

/// Graphs have the program's words for what a pointer leads to, and for comparisons of pointers.
#[test]
fn labels_are_as_the_program_writes_them() {
    let source = format!(
        "{READER} struct P {{ int x, y; }}; struct Q {{ struct P *at, *end; }};
        int f(struct reader *r, struct Q *q) {{ if (r->next == r->end) return 0; if (q->at != q->end - 1) q->at->y = r->next[2]; q->at++; return *r->next++ + q->at[1].x; }}"
    );
    let lts = lowered(&source, "f").unwrap_or_else(|errors| panic!("{errors:?}")).lts;
    let labels: Vec<String> = lts.graph.edge_weights().map(|edge| text::label(&lts, edge)).collect();
    for label in
        ["r.next == r.end", "r.next != r.end", "q.at != q.end - 1", "q.at == q.end - 1", "q.at->y = r.next[2]", "q.at.at = q.at.at + 1"]
    {
        assert!(labels.iter().any(|own| own == label), "{label}: {labels:?}");
    }
}
