//! Numbers that pointers are converted to: an element further on is as many bytes further as it has.

use super::nodes::verdicts;

#[test]
fn what_is_added_to_a_pointer_counts_elements() {
    let of = |body: &str| verdicts(&format!("struct S {{ int *p; struct S *next; char *c; }}; int f(struct S *s) {{ {body} }}"), "f")[1];
    // No machine lets these be equal.
    for body in [
        "long a = (long)s->p; s->p++; long b = (long)s->p; if (b - a == 1) return 1; return 0;",
        "long a = (long)s->p; s->p += 2; long b = (long)s->p; if (b - a == 2) return 1; return 0;",
        "long a = (long)s->p, b = (long)(s->p + 1); if (b - a == 1) return 1; return 0;",
        "long a = (long)s->next; --s->next; long b = (long)s->next; if (a - b == 1) return 1; return 0;",
    ] {
        assert_eq!(of(body), 0, "{body}");
    }
}
