//! Functions without a body in programs with lists: what such a function may do to nodes contradicts no verdict.

use super::nodes::verdicts;
use crate::common::asking::{about, ask, rejected};
use culdesac::logic::SortedMap;
use culdesac::view::Request;
use serde_json::json;

const LIST: &str = "#include <stdlib.h>
struct node { int value; struct node *next; };
struct list { struct node *head; int count; };
struct node *global; static struct node *kept;
int helper(struct node *p) { kept = p; return 0; }
void visit(struct node *p); void begin(struct list *l); void vague(void *p); struct node *find(int key);
";

/// Functions that call others, each with its decisions.
const FUNCTIONS: [&str; 8] = [
    "int f(struct node *p) { int n = 0; while (p) { visit(p); if (p->value > 10) n++; p = p->next; } if (n > 1) return 1; return 0; }",
    "int f(struct node *p) { struct node *q = p; if (!p) return 0; p->next = 0; visit(p); if (p->next) { if (p->next == p) return 2; return 1; } if (q != p) return 3; return 4; }",
    "int f(int k) { struct list l; l.head = 0; l.count = 3; begin(&l); if (l.head) { if (l.head->next == 0) return 4; return 1; } if (l.count == 5) return 2; return 3; }",
    "int f(struct node *p) { struct node *q = p; if (!p) return 0; vague(&q); if (q == p) return 1; if (q) { if (q->next == p) return 2; return 3; } return 4; }",
    "int f(struct node *p) { global = 0; visit(p); if (global) { if (global->next) return 1; return 2; } return 3; }",
    "int f(struct node *p) { kept = p; vague(p); if (kept != p) return 1; if (p) { if (p->next == p) return 2; return 3; } return 4; }",
    "int f(int key) { struct node *p = find(key); if (!p) return 1; if (p->next == p) return 2; p->next = 0; if (p->next) return 3; return 4; }",
    "int f(struct node *a) { struct node *p = malloc(sizeof *p); if (!p) return 0; p->next = 0; p->value = 5; visit(p); if (p->next) { if (p->next->value == 4) return 1; return 2; } if (p->value != 5) return 3; struct node *q = malloc(sizeof *q); if (q == p) return 4; return 5; }",
];

/// What the functions without a body may be.
const BODIES: [&str; 5] = [
    "void visit(struct node *p) { } void begin(struct list *l) { } void vague(void *p) { } struct node *find(int key) { return 0; }",
    "void visit(struct node *p) { if (p) { p->next = p; p->value = 11; } global = p; }
     void begin(struct list *l) { l->count = 5; } void vague(void *p) { helper(0); }
     struct node *find(int key) { struct node *p = malloc(sizeof *p); p->next = p; return p; }",
    "void visit(struct node *p) { struct node *n = malloc(sizeof *n); n->value = 4; n->next = 0; if (p) p->next = n; global = n; }
     void begin(struct list *l) { l->head = malloc(sizeof *l->head); l->head->next = 0; } void vague(void *p) { }
     struct node *find(int key) { struct node *p = malloc(sizeof *p); p->next = 0; return p; }",
    "void visit(struct node *p) { if (p) p->value = 4; global = 0; }
     void begin(struct list *l) { l->head = malloc(sizeof *l->head); l->head->next = l->head; } void vague(void *p) { helper(0); }
     struct node *find(int key) { return global; }",
    "void visit(struct node *p) { if (p) { p->value = 20; p->next = global; } }
     void begin(struct list *l) { l->head = 0; l->count = 7; } void vague(void *p) { helper(global); }
     struct node *find(int key) { kept = global; return kept; }",
];

/// The verdicts of the branches, by line and text; the evidence is accepted.
fn of_branches(source: &str) -> SortedMap<String, String> {
    let request = Request { function: Some("f".to_owned()), ..about(source, Some(1_000_000)) };
    let answered = ask("branches", &request, &json!({}), &mut |_| true).expect("an answer");
    assert_eq!(rejected(&answered.evidence), Vec::<String>::new(), "{source}");
    let list = answered.document["list"].as_array().expect("branches");
    let text = |branch: &serde_json::Value, key: &str| branch[key].as_str().unwrap_or_default().to_owned();
    list.iter().map(|branch| (format!("{}: {}", branch["line"], text(branch, "text")), text(branch, "verdict"))).collect()
}

#[test]
fn no_body_contradicts_a_verdict() {
    for function in FUNCTIONS {
        let function = function.replace("; ", ";\n").replace("{ ", "{\n");
        let without = of_branches(&format!("{LIST}{function}\n"));
        for body in BODIES {
            let with = of_branches(&format!("{LIST}{function}\n{body}\n"));
            for (branch, verdict) in with.iter().filter(|(_, verdict)| *verdict == "covered") {
                assert_ne!(without.get(branch).map(String::as_str), Some("infeasible"), "{branch} is {verdict} with {body} in {function}");
            }
        }
    }
}

/// Tests go on after such a call where it leaves the nodes as they are, and what no function can change is infeasible.
#[test]
fn nodes_are_followed_beyond_such_calls() {
    let of = |function: &str| verdicts(&format!("{LIST}{function}"), "f");
    assert_eq!(of(FUNCTIONS[0]), [6, 0, 0]);
    assert_eq!(of("int f(struct node *p) { visit(p); if (!p) return 0; p->next = 0; if (p->next) return 1; return 2; }"), [3, 1, 0]);
    // Only another function may have set it.
    assert_eq!(of(FUNCTIONS[1]), [4, 1, 3]);
    assert_eq!(of("int f(int key) { struct node *p = find(key); if (!p) return 1; return p->value > 3; }"), [1, 0, 1]);
}
