//! Lists, trees and other linked structures: what a run gives, as gcc and its sanitizers have it, and what holds for any nodes of a caller.

use crate::common::asking::{about, ask, rejected};
use crate::differential::{Settings, check_texts};
use culdesac::interp::{Input, Outcome, run};
use culdesac::lts::lower::{IntegerModel, Lowered, Options, lower_with};
use culdesac::source::Diagnostic;
use culdesac::view::Request;
use serde_json::json;
use std::path::PathBuf;

pub fn lowered(source: &str, function: &str) -> Result<Lowered, Vec<Diagnostic>> {
    let parsed = culdesac::lang::parse(source);
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    lower_with(&program, Some(function), &Options { ints: IntegerModel::C32, ..Options::default() })
}

/// What `main` gives back, or what it fails.
pub fn result(source: &str) -> Result<i64, String> {
    let lts = lowered(source, "main").unwrap_or_else(|errors| panic!("{errors:?}")).lts;
    let run = run(&lts, &Input::default(), 10_000);
    match run.outcome {
        Outcome::Returned => Ok(run.value.and_then(|value| value.to_i64()).expect("a value")),
        Outcome::Undefined(reason) => Err(reason.to_string()),
        other => panic!("{other:?}"),
    }
}

const LIST: &str = "#include <stdlib.h>
    struct node { int value; struct node *next; };
    struct node *push(struct node *head, int value) { struct node *p = malloc(sizeof *p); p->value = value; p->next = head; return p; }
    int sum(struct node *p) { int s = 0; while (p) { s = s * 10 + p->value; p = p->next; } return s; }";

/// `main` with a list of 3, 2, 1.
fn with(statements: &str) -> Result<i64, String> {
    result(&format!("{LIST} int main(void) {{ struct node *a = push(push(push(NULL, 1), 2), 3); {statements} }}"))
}

/// The same with more functions.
fn with_functions(functions: &str, statements: &str) -> Result<i64, String> {
    result(&format!("{LIST} {functions} int main(void) {{ struct node *a = push(push(push(NULL, 1), 2), 3); {statements} }}"))
}

#[test]
fn lists_are_followed() {
    assert_eq!(with("return sum(a);"), Ok(321));
    assert_eq!(with("a->next->value = 7; return sum(a);"), Ok(371));
    assert_eq!(with("struct node *b = NULL; while (a) { struct node *n = a->next; a->next = b; b = a; a = n; } return sum(b);"), Ok(123));
    assert_eq!(with("struct node *b = a; b = b->next; return (a == b) * 100 + (a->next == b) * 10 + (b->next->next == NULL);"), Ok(11));
    assert_eq!(with("*a = *a->next; return sum(a);"), Ok(21));
    assert_eq!(with("struct node *t[2]; t[0] = a; t[1] = a->next; return t[1]->value * 10 + (t[0]->next == t[1]);"), Ok(21));
    assert_eq!(with("int *v = &a->next->value; *v = 5; return sum(a);"), Ok(351));
}

#[test]
fn streams_of_the_system_are_passed_on() {
    assert_eq!(
        result(&format!(
            "#include <stdio.h>\n{LIST} int main(void) {{ struct node *a = push(NULL, 1); fprintf(stderr, \"%d\", a->value); return sum(a); }}"
        )),
        Ok(1)
    );
}

/// What calls give is followed and freed, and each call is there once.
#[test]
fn calls_are_evaluated_once() {
    const POP: &str = "struct node *top; struct node *pop(void) { struct node *p = top; if (p) top = p->next; return p; }";
    let with = |statements: &str| with_functions(POP, &format!("top = a; {statements}"));
    assert_eq!(with("int v = pop()->value; return v * 100 + sum(top);"), Ok(321));
    assert_eq!(with("free(pop()); return sum(top);"), Ok(21));
    assert_eq!(with("int v = pop()->value; free(pop()); return v * 10 + top->value;"), Ok(31));
    assert_eq!(with("top = NULL; free(pop()); free(pop()); return 1;"), Ok(1));
    assert!(with("struct node *p = top; free(pop()); return p->value;").unwrap_err().contains("freed"));
    let is_refused =
        |statements: &str| lowered(&format!("{LIST} int main(void) {{ struct node *a = push(NULL, 1); {statements} }}"), "main").is_err();
    assert!(is_refused("int *v = &a->value; free(a); return *v;"));
}

/// The number of the last node is above those of callers once the function has asked for one: no proof takes it for that of the entry. With
/// 1087427240 the value is 99.
#[test]
fn numbers_of_new_nodes_are_none_of_callers() {
    let source = "#include <stdlib.h>
        struct node { int value; struct node *next; };
        unsigned hash(unsigned x) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; x *= 2654435761u; x ^= x >> 15; return x; }
        int f(struct node *a, unsigned k) { struct node *p = malloc(sizeof *p); if (!p) return 1; p->next = a;
            p->value = hash(k) ^ hash(k * 7919u + 13u); if (p->value == 99) return 3; return 4; }";
    assert_eq!(verdicts(source, "f"), [3, 0, 1]);
}

/// A variable of the program is a node where its address is taken.
#[test]
fn variables_are_nodes() {
    assert_eq!(with("struct node last = {4, 0}, *p = a; while (p->next) p = p->next; p->next = &last; return sum(a);"), Ok(3214));
    assert_eq!(with("struct node b; b.value = 9; b.next = a; return sum(&b);"), Ok(9321));
    assert_eq!(with("struct node b = *a; b.value = 8; return sum(&b) * 10000 + sum(a);"), Ok(8_210_321));
    assert_eq!(
        with(
            "struct node *p = a; for (int i = 0; i < 2; i++) { struct node b = {i, p}; if (sum(&b) != i * 1000 + 321) return -1; } return 1;"
        ),
        Ok(1)
    );
}

#[test]
fn undefined_uses_are_named() {
    let fails = |statements: &str, reason: &str| {
        let found = with(statements);
        assert!(matches!(&found, Err(found) if found.contains(reason)), "{statements}: {found:?}");
    };
    fails("return a->next->next->next->value;", "a null pointer is used");
    fails("free(a); return a->value;", "freed memory, or memory that `malloc` never gave, is used or freed");
    fails("free(a); free(a); return 0;", "freed memory, or memory that `malloc` never gave, is used or freed");
    fails("struct node *p = malloc(sizeof *p); return p->next == NULL;", "a pointer is used that was never set");
    fails("struct node *p; if (a->value > 5) p = a; return p->value;", "a pointer is used that was never set");
    assert_eq!(with("a = a->next->next->next; free(a); free(a); return a == NULL;"), Ok(1));
    assert_eq!(with("struct node *p = calloc(1, sizeof *p); return (p->next == NULL) + p->value;"), Ok(1));
}

const TREE: &str = "#include <stdlib.h>
    typedef struct tree { int key; struct tree *left, *right; } Tree;
    Tree *insert(Tree *t, int key) {
        if (t == NULL) { Tree *n = malloc(sizeof(Tree)); n->key = key; n->left = n->right = NULL; return n; }
        if (key < t->key) t->left = insert(t->left, key); else if (key > t->key) t->right = insert(t->right, key);
        return t; }
    int height(Tree *t) { if (!t) return 0; int l = height(t->left), r = height(t->right); return 1 + (l > r ? l : r); }";

#[test]
fn trees_are_followed() {
    let with = |statements: &str| result(&format!("{TREE} int main(void) {{ Tree *t = NULL; {statements} }}"));
    assert_eq!(
        with("t = insert(t, 5); t = insert(t, 3); t = insert(t, 8); t = insert(t, 3); return height(t) * 10 + (t->left->key == 3);"),
        Ok(21)
    );
}

/// Functions that go through a list by pointers to its pointers.
const BY_ADDRESS: &str = "
    void insert(struct node **p, int value) { struct node *n = malloc(sizeof *n);
        while (*p && (*p)->value < value) p = &(*p)->next; n->value = value; n->next = *p; *p = n; }
    int delete(struct node **p, int value) { for (; *p; p = &(*p)->next) if ((*p)->value == value) {
        struct node *dead = *p; *p = dead->next; dead->value = -1; return 1; } return 0; }
    struct node **last(struct node **p) { while (*p) p = &(*p)->next; return p; }";

#[test]
fn pointers_to_pointers_are_followed() {
    let with = |statements: &str| with_functions(BY_ADDRESS, statements);
    let pool = "struct node pool[3]; int used; struct node *from_pool(void) { return used < 3 ? &pool[used++] : NULL; }";
    let with_pool = |statements: &str| with_functions(&format!("{BY_ADDRESS} {pool}"), statements);
    assert_eq!(with("insert(&a, 2); insert(&a, 0); insert(&a, 9); return sum(a);"), Ok(23_219));
    assert_eq!(with("delete(&a, 2); return sum(a);"), Ok(31));
    assert_eq!(with("int gone = delete(&a, 7); return gone * 1000 + sum(a);"), Ok(321));
    assert_eq!(
        with("struct node **p = last(&a); *p = push(NULL, 8); p = last(&a->next->next); *p = push(NULL, 9); return sum(a);"),
        Ok(32_189)
    );
    assert_eq!(
        with_pool(
            "struct node **p = last(&a); *p = from_pool(); (*p)->value = 4; return (*p == &pool[0] && pool[1].value == 0) * 10000 + sum(a);"
        ),
        Ok(13_214)
    );
    assert_eq!(with("struct node **p = &a; p = &(*p)->next->next; *p = NULL; return sum(a);"), Ok(32));
    let undefined = |statements: &str| with(statements).unwrap_err();
    assert!(undefined("struct node *b; return delete(&b, 1);").contains("set"));
    assert!(undefined("struct node **p = &a->next->next->next->next; *p = NULL; return 0;").contains("null"));
    assert!(undefined("struct node **p = &a->next; free(a); return *p == NULL;").contains("freed"));
    assert!(with_pool("pool[used + 3].value = 1; return 0;").unwrap_err().contains("index"));
}

/// Left and right of a tree are two pointers in each node.
#[test]
fn pointers_to_several_members_are_followed() {
    const BY_ADDRESS: &str = "#include <stdlib.h>
        typedef struct tree { int key; struct tree *left, *right; } Tree;
        void insert(Tree **t, int key) { while (*t) t = key < (*t)->key ? &(*t)->left : &(*t)->right;
            *t = calloc(1, sizeof **t); (*t)->key = key; }
        Tree **lookup(Tree **t, int key) { while (*t && (*t)->key != key) { if (key < (*t)->key) t = &(*t)->left; else t = &(*t)->right; } return t; }
        int count(Tree *t) { return t ? 1 + count(t->left) + count(t->right) : 0; }";
    let with = |statements: &str| {
        let inserted = "Tree *t = NULL; insert(&t, 5); insert(&t, 2); insert(&t, 8); insert(&t, 3);";
        result(&format!("{BY_ADDRESS} int main(void) {{ {inserted} {statements} }}"))
    };
    assert_eq!(with("return count(t) * 100 + t->left->right->key * 10 + t->right->key;"), Ok(438));
    assert_eq!(
        with("return (lookup(&t, 3) == &t->left->right) * 100 + (lookup(&t, 7) == &t->right->left) * 10 + (lookup(&t, 5) == &t);"),
        Ok(111)
    );
    assert_eq!(with("*lookup(&t, 2) = NULL; return count(t);"), Ok(2));
    assert!(with("Tree **p = lookup(&t, 8); free(*p); return (*p)->key;").unwrap_err().contains("freed"));
}

#[test]
fn objects_that_last_are_nodes() {
    let with = |declared: &str, statements: &str| result(&format!("{LIST} {declared} int main(void) {{ {statements} }}"));
    assert_eq!(with("struct node b = {7, NULL}, c = {8, &b};", "return sum(&c);"), Ok(87));
    assert_eq!(
        with("struct node pool[4] = {{1}, {2, NULL}};", "pool[3].next = &pool[1]; pool[1].next = pool; return sum(&pool[3]);"),
        Ok(21)
    );
    assert_eq!(
        with(
            "static struct node pool[4];",
            "for (int i = 0; i < 3; i++) { pool[i].value = i + 1; pool[i].next = &pool[i + 1]; } return sum(pool);"
        ),
        Ok(1230)
    );
    assert_eq!(with("", "struct node own[3] = {{4, NULL}}; own[2].value = 6; own[2].next = &own[0]; return sum(&own[2]);"), Ok(64));
    assert!(with("struct node pool[2];", "struct node *p = &pool[sum(NULL) + 2]; return p == NULL;").unwrap_err().contains("index"));
}

/// Programs that use lists with some of their arguments, whose random operations the number says.
fn random_program(number: u64) -> String {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % n
    };
    let by_address = number % 2 == 1;
    let mut text = format!("{LIST}
        struct node *append(struct node *head, struct node *tail) {{ if (!head) return tail; struct node *p = head; while (p->next) p = p->next; p->next = tail; return head; }}
        struct node *find(struct node *p, int value) {{ for (; p != NULL; p = p->next) if (p->value == value) break; return p; }}
        struct node *reverse(struct node *p) {{ struct node *r = NULL; while (p) {{ struct node *n = p->next; p->next = r; r = p; p = n; }} return r; }}
        struct node *drop(struct node *p, int value) {{ struct node *before = NULL, *head = p; while (p && p->value != value) {{ before = p; p = p->next; }}
            if (!p) return head; if (before) before->next = p->next; else head = p->next; free(p); return head; }}
        {}
        int f(int a, int b, int c) {{ struct node *x = NULL, *y = NULL, *found; int s = 0;\n", if by_address { BY_ADDRESS } else { "" });
    for _ in 0..4 + below(8) {
        let value = ["a", "b", "c", "s", "1", "2"][below(6) as usize];
        let list = ["x", "y"][below(2) as usize];
        let line = match below(if by_address { 13 } else { 9 }) {
            9 | 10 => format!("insert(&{list}, {value} & 3);"),
            11 => format!("s += delete(&{list}, {value} & 3);"),
            12 => format!("s += *last(&{list}) == NULL;"),
            0..=2 => format!("{list} = push({list}, {value} & 3);"),
            3 => format!("{list} = reverse({list});"),
            4 => format!("found = find({list}, {value} & 3); if (found) s += found->value + 1; else s -= 1;"),
            5 => format!("{list} = drop({list}, {value} & 3);"),
            6 => "if (a > b) { x = append(x, y); y = NULL; }".to_owned(),
            7 => format!("if ({list} && {list}->next) {list}->next->value ^= 1;"),
            _ => format!("for (found = {list}; found; found = found->next) {{ s = s + found->value; if (s > 9) break; }}"),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str("return s * 7 + (x == NULL) * 2 + (y == NULL); }\n");
    text
}

#[test]
fn random_lists_run_as_gcc_runs_them() {
    if std::process::Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let texts: Vec<(PathBuf, String)> = (0..20).map(|number| (PathBuf::from(format!("list-{number}.c")), random_program(number))).collect();
    let reports = check_texts(&texts, None, Settings { runs: 20, steps: 5_000, symbolic: 3, unseen: false });
    for report in &reports {
        assert!(report.refused.is_none() && report.differences.is_empty(), "{}: {:?}", report.name, report.differences);
        assert!(report.runs > 0, "{}", report.name);
    }
}

/// How many branches of a function are covered, infeasible and open; the evidence is accepted.
pub fn verdicts(source: &str, function: &str) -> [u64; 3] {
    let request = Request { function: Some(function.to_owned()), ..about(source, Some(2_000_000)) };
    let answered = ask("branches", &request, &json!({}), &mut |_| true).expect("an answer");
    assert_eq!(rejected(&answered.evidence), Vec::<String>::new());
    ["covered", "infeasible", "open"]
        .map(|key| answered.document["branches"][key].as_u64().unwrap_or_else(|| panic!("{}", answered.document)))
}

/// No node of a caller is one that the function asks for, and two pointers of a caller may lead to one node.
#[test]
fn nodes_of_callers_are_others() {
    const NODE: &str = "#include <stdlib.h>\nstruct node { int value; struct node *next; };";
    let source = format!(
        "{NODE} int f(struct node *p, struct node *q) {{ struct node *n = malloc(sizeof *n); n->next = NULL;
        if (p->next == n) return 1; if (p == q) return 2; if (p->next == q) return 3; return 0; }}"
    );
    assert_eq!(verdicts(&source, "f"), [5, 1, 0]);
    let source = format!(
        "{NODE} int f(struct node *p) {{ int n = 0; while (p) {{ if (p->value == 3) n++; p = p->next; }} if (n < 0) return 1; return 0; }}"
    );
    assert_eq!(verdicts(&source, "f"), [5, 1, 0]);
    let at_file_scope = format!(
        "{NODE} struct node *head; void push(void) {{ struct node *n = malloc(sizeof *n); n->next = head; head = n; }}
        int f(void) {{ int n = 0; struct node *t = head; while (t) {{ t = t->next; n = 1; }} return n; }}"
    );
    assert_eq!(verdicts(&at_file_scope, "f"), [2, 0, 0]);
}

/// Where a program does something else with a pointer, no node stands for what it leads to.
#[test]
fn other_uses_are_refused() {
    for statements in ["return (long)a > 3;", "void *p = a; return *(char *)p;"] {
        let source = format!("{LIST} int main(void) {{ struct node *a = push(push(NULL, 1), 2); {statements} }}");
        assert!(lowered(&source, "main").is_err(), "{statements}");
    }
}

/// A structure that a pointer of a caller leads to is gone once it is freed, also where the pointer goes no further.
#[test]
fn freed_structures_of_callers_are_gone() {
    const S: &str = "#include <stdlib.h>\nstruct s { int v; };";
    for (expected, source) in [
        ([2, 2, 0], "int f(struct s *p) { if (!p) return 0; free(p); if (p->v > 3) return 1; return 0; }"),
        // A null pointer can be freed twice.
        ([1, 1, 0], "int f(struct s *p) { free(p); free(p); if (p == NULL) return 1; return 0; }"),
        ([2, 0, 0], "int f(struct s *p, struct s *q) { free(p); if (q->v > 3) return 1; return 0; }"),
        ([2, 0, 0], "int f(struct s *p) { int v = p->v; free(p); if (v > 3) return 1; return 0; }"),
        (
            [0, 2, 0],
            "static void drop(struct s *q) { free(q); } int f(struct s *p) { p->v = 1; drop(p); if (p->v > 3) return 1; return 0; }",
        ),
    ] {
        let source = format!("{S} {source}");
        assert_eq!(verdicts(&source, "f"), expected, "{source}");
    }
}
