//! Strings that a caller passes as elements of an array: `v[0]` is another string after the function, or what it calls, has set it to one.

use super::nodes::verdicts;
use crate::common::asking::{about, ask};
use culdesac::view::Request;
use serde_json::json;

/// Where `v[0]` began with `a` and `v[1]` with `b`, and something happened.
fn after(change: &str) -> String {
    format!(
        "void other(char **v); static void exchange(char **a, int k) {{ char *x = a[k]; a[k] = a[k - 1]; a[k - 1] = x; }}
        int f(char **v, char **w, int i) {{ if (v[0][0] != 'a' || v[1][0] != 'b') return 0; {change} if (v[0][0] == 'b') return 1; return 2; }}"
    )
}

#[test]
fn elements_lead_to_other_strings() {
    for change in
        ["v[0] = v[1];", "v[i & 1] = v[1];", "char **p = v; *p = v[1];", "exchange(v, 1);", "char *x = v[0]; v[0] = v[1]; v[1] = x;"]
    {
        let [covered, infeasible, open] = verdicts(&after(change), "f");
        assert!(covered + infeasible == 6 && open == 0 && covered >= 5, "{change}: {covered} {infeasible} {open}");
    }
    // A step, and what is not followed.
    for change in ["v[0]++;", "other(v);"] {
        assert_eq!(verdicts(&after(change), "f")[1], 0, "{change}");
    }
}

/// Only where both arrays are others is that string the same.
#[test]
fn other_arrays_may_be_the_same() {
    let source = after("w[0] = v[1];");
    assert_eq!(verdicts(&source, "f"), [5, 1, 0]);
    let request =
        Request { no_assume: vec!["distinct-parameters".to_owned()], function: Some("f".to_owned()), ..about(&source, Some(2_000_000)) };
    let answered = ask("branches", &request, &json!({}), &mut |_| true).expect("an answer");
    assert_eq!(answered.document["branches"]["infeasible"], 0, "{}", answered.document);
}

/// What nothing changes is as before.
#[test]
fn elements_that_are_read_are_kept() {
    assert_eq!(verdicts(&after("w[0][0] = 'c';"), "f")[2], 0);
    assert_eq!(verdicts(&after("i++;"), "f"), [5, 1, 0]);
}

/// Nodes of a caller have any strings, whatever strings the program has itself.
#[test]
fn nodes_have_strings_of_their_own() {
    let list = "struct node { const char *name; struct node *next; }; const char *const own[] = {\"ab\", \"c\"};
        int f(struct node *l, int i) { for (; l; l = l->next) if (l->name[0] == 'z') return 1; return own[i & 1][0] == 'a'; }";
    assert_eq!(verdicts(list, "f")[1], 0);
    let table = "struct table { const char **names; int n; }; const char *const own[] = {\"ab\", \"c\"};
        int f(struct table *t, int i) { if (t->n < 1) return 0; if (t->names[t->n - 1] == own[0]) return 1; if (t->names[0][0] == 'z') return 2; return own[i & 1][0] == 'a'; }";
    assert_eq!(verdicts(table, "f")[1], 0);
    // What the program makes itself has its strings.
    let made = "#include <stdlib.h>\nstruct node { const char *name; struct node *next; }; static struct node *cons(const char *name, struct node *next) { struct node *n = malloc(sizeof *n); if (!n) exit(1); n->name = name; n->next = next; return n; }
        int main(void) { struct node *l = cons(\"ab\", cons(\"c\", NULL)); for (; l; l = l->next) if (l->name[0] == 'z') return 1; return 0; }";
    assert_eq!(verdicts(made, "main")[1..], [1, 0]);
}
