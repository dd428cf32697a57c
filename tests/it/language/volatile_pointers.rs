//! Plain objects that are reached through pointers to volatile: each read gives any value (C11 6.7.3p7).

use super::nodes::verdicts;
use crate::suites::{branches, exported, request};
use culdesac::analysis::branches::BranchesSettings;
use culdesac::export::TestsFormat;

const HEAD: &str = "#include <stdlib.h>
#define READ_ONCE(x) (*(volatile __typeof__(x) *)&(x))
typedef volatile int reg_t; typedef volatile int *reg_pointer;
struct s { int m, t[3]; }; struct outer { struct { int a; }; struct s inner; }; union u { int a; unsigned b; float c; };
struct node { int v; int *q; struct node *next; };
int x; static volatile int *given(int *p) { return p; } static int *plain(int *p) { return p; }
static int differ(volatile int *r) { int a = *r, b = *r; return a != b; }
static unsigned readl(const volatile void *address) { return *(const volatile unsigned *)address; }
static volatile int *get(void) { return &x; }
";

/// Each of these lvalues is read twice, and the values may differ.
const LVALUES: &[(&str, &str)] = &[
    ("int *p", "*(volatile int *)p"),
    ("void", "*(volatile int *)&x"),
    ("void", "READ_ONCE(x)"),
    ("struct s *s", "READ_ONCE(s->m)"),
    ("struct s *s", "READ_ONCE(s->t[1])"),
    ("struct s *s", "((volatile struct s *)s)->m"),
    ("struct s *s", "((volatile struct s *)s)->t[1]"),
    ("struct outer *o", "((volatile struct outer *)o)->a"),
    ("struct outer *o", "((volatile struct outer *)o)->inner.t[2]"),
    ("struct s *s", "*&((volatile struct s *)s)->m"),
    ("void *p", "*(volatile int *)p"),
    ("int *p", "*(volatile int *)(void *)p"),
    ("unsigned *p", "*(volatile int *)p"),
    ("int *p", "((volatile int *)p)[2]"),
    ("int *p", "*((volatile int *)p + 1)"),
    ("int *p", "*(reg_t *)p"),
    ("int *p", "*(reg_pointer)p"),
    ("int *p", "*given(p)"),
    ("int *p", "*(volatile int *)plain(p)"),
    ("unsigned *p", "readl(p)"),
    ("void", "*get()"),
    ("int *p, int c", "*(c ? (volatile int *)p : &x)"),
    ("int **p", "**(volatile int **)p"),
    ("int **p", "*(volatile int *)*p"),
    ("int (*m)[3]", "((volatile int (*)[3])m)[1][2]"),
    ("union u *u", "((volatile union u *)u)->a"),
    ("struct node *l", "*(volatile int *)&l->next->v"),
    ("struct node *l", "*(volatile int *)l->q"),
];

/// Statements that come before the reads of a plain variable through such a pointer: the reads give any values, too.
const VARIABLES: &[(&str, &str, &str)] = &[
    ("int *p", "volatile int *q = p;", "*q"),
    ("int *p", "__auto_type q = (volatile int *)p;", "*q"),
    ("int *p", "typeof((volatile int *)p) q = p;", "*q"),
    ("int *p", "volatile int *q; q = p; q++;", "*q"),
    ("int n", "volatile int *q = &n;", "*q"),
    ("int n", "volatile void *q = &n;", "*(volatile int *)q"),
    ("struct outer *o", "volatile struct s *q = &o->inner;", "q->m"),
    ("int *p", "volatile int *(*h)(int *) = given;", "*h(p)"),
    ("int n", "int *q = malloc(sizeof *q); if (!q) return 2; *q = n;", "*(volatile int *)q"),
    ("int n", "if (n < 1 || n > 9) return 2; int *q = calloc(n, sizeof *q); if (!q) return 2;", "((volatile int *)q)[n - 1]"),
];

fn infeasible(text: &str) -> u64 {
    verdicts(&format!("{HEAD}{text}\n"), "f")[1]
}

#[test]
fn two_reads_may_differ() {
    for (parameters, read) in LVALUES {
        let text = format!("int f({parameters}) {{ int a = {read}, b = {read}; if (a != b) return 1; return 0; }}");
        assert_eq!(infeasible(&text), 0, "{text}");
    }
    for (parameters, before, read) in VARIABLES {
        let text = format!("int f({parameters}) {{ {before} int a = {read}, b = {read}; if (a != b) return 1; return 0; }}");
        assert_eq!(infeasible(&text), 0, "{text}");
    }
}

/// A structure as a whole is read member by member.
#[test]
fn members_of_a_volatile_structure_may_differ() {
    for text in [
        "int f(struct s *p) { struct s a = *(volatile struct s *)p, b = *(volatile struct s *)p; if (a.m != b.m) return 1; return a.t[1] != b.t[1]; }",
        "int f(struct s *p) { volatile struct s *q = p; struct s a, b; a = *q; b = *q; if (a.m != b.m) return 1; return 0; }",
        "static int g(struct s a, struct s b) { return a.t[2] != b.t[2]; } int f(struct s *p) { if (g(*(volatile struct s *)p, *p)) return 1; return 0; }",
        "static struct s g(volatile struct s *p) { return *p; } int f(struct s *p) { if (g(p).m != p->m) return 1; return 0; }",
    ] {
        assert_eq!(infeasible(text), 0, "{text}");
    }
}

/// What the program writes decides nothing of later volatile reads, but of plain ones of a plain object.
#[test]
fn a_plain_read_of_a_plain_object_gives_what_was_written() {
    let text = "int f(int *p) { *(volatile int *)p = 3; if (*(volatile int *)p != 3) return 1; return 0; }";
    assert_eq!(infeasible(text), 0, "{text}");
    let text = "int f(int *p) { *p = 1; *(volatile int *)p += 1; if (*p != 2) return 1; return 0; }";
    assert_eq!(infeasible(text), 0, "{text}");
    let text = "int f(int *p) { *(volatile int *)p = 3; if (*p != 3) return 1; return 0; }";
    assert_eq!(infeasible(text), 1, "{text}");
    let text = "int f(int *p) { volatile int *q = p; int *r = p; *q = 3; if (*r != 3) return 1; return 0; }";
    assert_eq!(infeasible(text), 1, "{text}");
}

/// Of a pointer that only a cast makes volatile nothing is claimed.
#[test]
fn a_pointer_as_a_volatile_one_is_approximated() {
    for text in [
        "int f(int *p) { int *a = *(int *volatile *)&p; if (a != p) return 1; return 0; }",
        "static struct node *all; int f(void) { struct node *a = READ_ONCE(all), *b = READ_ONCE(all); if (a != b) return 1; return 0; }
            void push(struct node *n) { n->next = all; all = n; }",
        "int f(struct node *l) { if (((volatile struct node *)l)->next != l->next) return 1; return 0; }",
    ] {
        let found = verdicts(&format!("{HEAD}{text}\n"), "f");
        assert_eq!(found[..2], [0, 0], "{text}");
    }
}

/// A test sets each of these reads, also one that a macro makes.
#[test]
fn suites_set_what_is_read() {
    for (parameters, read) in
        [("int *p", "*(volatile int *)p"), ("struct s *s", "READ_ONCE(s->t[1])"), ("struct s *s", "((volatile struct s *)s)->m")]
    {
        let text = format!("{HEAD}int f({parameters}) {{ if ({read} == 4 && {read} == 5) return 1; return 0; }}\n");
        let mut request = request("volatile.c", &text, Some(300_000));
        request.function = Some("f".to_owned());
        let document = branches(&request, BranchesSettings::default()).expect("it is understood");
        let suite = exported(&request, &document, TestsFormat::C);
        assert_eq!((document.tests.len(), suite.notes.as_slice()), (3, &[][..]), "{text}");
    }
}
