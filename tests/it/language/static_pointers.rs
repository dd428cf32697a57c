//! Static pointers that lead into one array of the program, in every function.

use super::blocks::{numbers_below, programs_run_as_gcc_runs_them};
use super::nodes::{lowered, verdicts};
use crate::differential::random;

const STACK: &str = "static int stack[3], *sp = stack;
    int push(int v) { if (sp == stack + 3) return -1; *sp++ = v; return 0; }
    int pop(int *out) { if (sp == stack) return -1; *out = *--sp; return 0; }
    int is_top(int v) { if (sp > stack) return sp[-1] == v; return 0; }";

/// What calls leave in such a pointer, the next one finds.
#[test]
fn stacks_are_followed_over_calls() {
    assert_eq!(verdicts(STACK, "push"), [2, 0, 0]);
    assert_eq!(verdicts(STACK, "pop"), [2, 0, 0]);
    assert_eq!(verdicts(STACK, "is_top"), [2, 0, 0]);
    let pool = "static char pool[256]; static char *next = pool;
        void *pool_alloc(unsigned n) { if (n > (unsigned)(pool + sizeof pool - next)) return 0; void *p = next; next += n; return p; }";
    assert_eq!(verdicts(pool, "pool_alloc"), [2, 0, 0]);
    let ring = "static char buf[4], *head = buf, *tail = buf;
        int put(char c) { char *n = head + 1; if (n == buf + 4) n = buf; if (n == tail) return 0; *head = c; head = n; return 1; }
        int get(void) { if (head == tail) return -1; int c = *tail++; if (tail == buf + 4) tail = buf; return c; }";
    assert_eq!(verdicts(ring, "put"), [4, 0, 0]);
    assert_eq!(verdicts(ring, "get"), [4, 0, 0]);
    let items = "struct item { int key, value; }; static struct item all[2], *last = all;
        int add(int key, int value) { if (last >= &all[2]) return -1; last->key = key; last->value = value; last++; return 0; }
        int find(int key) { struct item *p; for (p = all; p < last; p++) if (p->key == key) return p->value; return -1; }";
    assert_eq!(verdicts(items, "add"), [2, 0, 0]);
    assert_eq!(verdicts(items, "find"), [4, 0, 0]);
}

/// A null pointer is no element, and its index none of an element.
#[test]
fn static_pointers_may_be_null() {
    const TEXT: &str = "static char line[3], *at; void start(void) { at = line; } void stop(void) { at = 0; }
        int put(char c) { if (!at) return -1; if (at - line >= 2) return -2; *at++ = c; return 0; }
        int is_open(void) { if (at != 0) return 1; return 0; }
        int both(void) { if (at == 0) { if (at) return 1; } return 0; }";
    assert_eq!(verdicts(TEXT, "put"), [4, 0, 0]);
    assert_eq!(verdicts(TEXT, "is_open"), [2, 0, 0]);
    assert_eq!(verdicts(TEXT, "both"), [3, 1, 0]);
}

/// A function that writes to the array and not to the pointer changes what the pointer leads to.
#[test]
fn other_writes_to_the_array_count() {
    for poke in ["stack[0] = v;", "int *p = sp; *p = v;", "*sp = v;", "int *p = stack; p[0] = v;"] {
        let source =
            format!("static int stack[3], *sp = stack; void poke(int v) {{ {poke} }} int f(void) {{ if (*sp == 7) return 1; return 0; }}");
        let [covered, infeasible, open] = verdicts(&source, "f");
        assert_eq!((covered + open, infeasible), (2, 0), "{poke}");
    }
}

/// What else may lead elsewhere is followed in no function.
#[test]
fn other_static_pointers_are_refused() {
    for other in [
        "void g(int *p) { sp = p; }",
        "void g(int **p) { *p = 0; } void h(void) { g(&sp); }",
        "int other[2]; void g(void) { sp = other; }",
        "struct s { int *p; } s; void g(void) { sp = s.p; }",
        "int *of(void); void g(void) { sp = of(); }",
        "int x; void g(void) { sp = &x; }",
        "void g(long n) { sp = (int *)n; }",
    ] {
        let source = format!("static int stack[3], *sp = stack; {other} int f(void) {{ return *sp; }}");
        assert_eq!(lowered(&source, "f").err().map(|errors| errors[0].code), Some("unsupported-pointer"), "{other}");
    }
    for same in [
        "static int *first(int n) { return n ? stack : stack + n; } void g(int n) { sp = first(n); }",
        "void g(int n) { int *p = sp; p = n ? p + 1 : &stack[n]; sp = p; }",
        "static int *mark; void g(void) { mark = sp; } void h(void) { sp = mark; }",
        "void g(void) { static int *last; last = sp; sp = last; }",
    ] {
        let source = format!("static int stack[3], *sp = stack; {same} int f(void) {{ return *sp; }}");
        assert_eq!(lowered(&source, "f").err().map(|errors| errors[0].code), None, "{same}");
    }
}

/// A function without a body may call functions that move the pointer.
#[test]
fn unknown_functions_move_static_pointers() {
    let source = |moves: &str| {
        format!(
            "static int stack[3], *sp = stack; void other(void); void reset(void) {{ {moves} }}
            int f(void) {{ if (sp != stack) return 2; other(); if (sp == stack) return 0; return 1; }}"
        )
    };
    assert_eq!(verdicts(&source("if (sp < stack + 3) sp++;"), "f"), [4, 0, 0]);
    assert_eq!(verdicts(&source(""), "f"), [2, 2, 0]);
}

/// A handler of a signal may move the pointer at any time.
#[test]
fn handlers_move_static_pointers() {
    let source = "#include <signal.h>
        static int stack[3], *sp = stack; static void move(int n) { (void)n; sp = stack + 1; }
        int f(void) { signal(SIGINT, move); if (sp == stack) { if (sp != stack) return 1; } return 0; }";
    assert_eq!(verdicts(source, "f")[1], 0);
}

/// Calls in some order of functions with pointers along two arrays.
fn random_calls(number: u64) -> String {
    let mut next = numbers_below(number);
    let mut below = |n: u64| next(n);
    let mut text = "static int stack[4], *sp = stack, *mark; static char line[6], *head = line, *tail;
static int push(int v) { if (sp == stack + 4) return -1; *sp++ = v; return 0; }
static int pop(void) { return sp > stack ? *--sp : -1; }
static int top(int n) { int *p = sp; while (p > stack && n-- > 0) p--; return p < sp ? *p : -2; }
static void keep(void) { mark = sp; }
static int *at(int n) { return n > 3 ? stack : stack + n; }
static void put(char c) { char *n = head + 1; if (n == line + 6) n = line; if (n == tail) return; *head = c; head = n; if (!tail) tail = line; }
static int get(void) { if (!tail || tail == head) return -1; int c = *tail; if (++tail == &line[6]) tail = line; return c; }
static int has(char c) { char *p; int n = 0; for (p = line; p < head; ++p) n += *p == c; return n; }
int f(int a, int b, int c) { int i; unsigned s = 0; a &= 7; b &= 3; c &= 7; sp = stack; mark = 0; head = line; tail = 0;
for (i = 0; i < 4; i++) stack[i] = 0; for (i = 0; i < 6; i++) line[i] = 0;\n"
        .to_owned();
    for _ in 0..6 + below(12) {
        let value = ["a", "b", "c", "2", "a + b"][below(5) as usize];
        text.push_str(&match below(16) {
            0 | 1 => format!("s = s * 3 + push({value});"),
            2 => "s = s * 3 + pop();".to_owned(),
            3 => format!("s = s * 5 + top({value});"),
            4 => "keep();".to_owned(),
            5 => "if (mark) sp = mark; else s++;".to_owned(),
            6 => format!("mark = {value} > 2 ? stack : mark ? mark : sp;"),
            7 => "s += mark ? (unsigned)(sp - mark) : 7;".to_owned(),
            8 | 9 => format!("put('a' + {value});"),
            10 => "s = s * 3 + get();".to_owned(),
            11 => format!("s += has('a' + {value});"),
            12 => "if (tail && tail <= head) s += head - tail; else s *= 2;".to_owned(),
            13 => format!("sp = at({value}); s += (sp - stack) + (sp == mark);"),
            14 => "if (sp != stack + 4) { *sp = s & 15; s += *sp++; s += sp[-1]; }".to_owned(),
            _ => "{ int *p = mark; if (p && p < stack + 4) s += *p + (p - stack); tail = tail ? tail : line; }".to_owned(),
        });
        text.push('\n');
    }
    text + "s = s * 3 + (sp - stack) * 2 + (head - line); if (mark) s += mark - stack; if (tail) s += tail - line; return s; }\n"
}

#[test]
fn random_static_pointers_run_as_gcc_runs_them() {
    programs_run_as_gcc_runs_them("static-pointers", random::numbers(20), random_calls);
}
