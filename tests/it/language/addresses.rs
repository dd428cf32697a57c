//! Pointers to `void` that memory holds, as in containers of any objects: values that the program copies and compares.

use super::nodes::verdicts;

const VECTOR: &str = include_str!("../suites/programs/block_addresses.c");

#[test]
fn containers_of_addresses_are_followed() {
    for (function, covered) in [("append", 4), ("position", 4), ("removed", 6)] {
        assert_eq!(verdicts(VECTOR, function), [covered, 0, 0], "{function}");
    }
}

/// What was put into a container is there, also after it was moved to another place or made shorter.
#[test]
fn addresses_are_kept() {
    let both = format!(
        "{VECTOR} int f(void *a, void *b) {{ struct vector v = {{0}}; if (!append(&v, a) || !append(&v, b)) return 0; if (position(&v, a) != 0) return 1;
        if (v.data[1] != b) return 2; if (removed(&v, 0) != a) return 3; if (v.data[0] != b) return 4; if (position(&v, a) == 0) return 5; return 6; }}"
    );
    // The second item needs no memory, and is the first one again.
    assert_eq!(verdicts(&both, "f"), [21, 7, 0]);
    let shorter = format!(
        "{VECTOR} int f(struct vector *v, void *x) {{ if (v->size != 3) return 0; v->data[1] = x; void **d = realloc(v->data, 2 * sizeof *d); if (!d) return 1;
        v->data = d; v->size = 2; if (v->data[1] != x) return 2; if (v->data[0] == x) return 3; return 4; }}"
    );
    assert_eq!(verdicts(&shorter, "f"), [7, 1, 0]);
    let list = "#include <stdlib.h>\nstruct node { void *data; struct node *next; };
        struct node *cons(void *d, struct node *n) { struct node *p = malloc(sizeof *p); if (!p) return n; p->data = d; p->next = n; return p; }
        int has(struct node *n, void *d) { for (; n; n = n->next) if (n->data == d) return 1; return 0; }
        int f(void *a, void *b) { struct node *l = cons(a, cons(b, NULL)); if (!l) return 0; if (l->next && l->data != a) return 1; if (has(l, b)) return 2; return 3; }";
    assert_eq!(verdicts(list, "has"), [4, 0, 0]);
    assert_eq!(verdicts(list, "f")[2], 0);
}

/// What such a pointer leads to is not followed: any value, and no test goes there.
#[test]
fn what_addresses_lead_to_is_not_followed() {
    let source = format!(
        "{VECTOR} int f(struct vector *v) {{ if (v->size != 2) return 0; if (*(int *)v->data[0] == 3) return 1; if (*(char *)v->data[1] == 4) return 2; return 3; }}"
    );
    assert_eq!(verdicts(&source, "f"), [2, 0, 4]);
}
