//! Pointers that move and are kept: what a run gives, as gcc and its sanitizers have it.

use super::nodes::{lowered, result};

const PAIR: &str = "#include <stddef.h>
    struct pair { char *p, *q; };
    static const char *input;
    const char *word(void) { return \"ab\"; }";

/// `main` with a structure whose pointers lead into an array.
fn with(statements: &str) -> Result<i64, String> {
    result(&format!("{PAIR} int main(void) {{ char text[8] = \"abc,de\"; struct pair s = {{text, text + 2}}; s.p++; {statements} }}"))
}

#[test]
fn cursors_are_compared_with_arrays() {
    assert_eq!(with("return s.p < text + 6;"), Ok(1));
    assert_eq!(with("return (int)(text + 6 - s.p);"), Ok(5));
    assert_eq!(with("int n = 0; for (s.p = text; s.p < text + 6; s.p++) n++; return n * 10 + (s.p != text);"), Ok(61));
    assert_eq!(with("int n = (&text[6] - &s.p[1]) * 10; return n + (s.p++ == text + 1);"), Ok(41));
    assert_eq!(
        with(
            "int stack[4], *top = stack; struct { int *base, *top; } k = {stack, stack}; *k.top++ = 7; *k.top++ = 2; k.top--; int n = (k.top - k.base) * 10; n += *--k.top; return n + (top == k.top);"
        ),
        Ok(18)
    );
}

#[test]
fn elements_of_local_arrays_are_cursors() {
    let of =
        |statements: &str| result(&format!("int main(void) {{ char text[8] = \"abc\"; char *all[2] = {{text, text + 1}}; {statements} }}"));
    assert_eq!(of("all[0]++; return *all[0] * 2 - *all[1];"), Ok(98));
    assert_eq!(of("all[1] += 1; all[0] = all[1]++; return *all[0] * 1000 + (all[1] - text);"), Ok(99_003));
}

/// A string of the text is one object, however often it is evaluated.
#[test]
fn strings_are_single_objects() {
    assert_eq!(with("input = word(); input++; int n = word() + 1 == input; input = word(); return n * 10 + (word() == input);"), Ok(11));
    assert_eq!(
        with(
            "const char *old = NULL; int n = 0; for (int i = 0; i < 3; i++) { input = \"xy\"; n += old == input; old = input++; } return n;"
        ),
        Ok(2)
    );
}

#[test]
fn cursors_are_named_by_their_addresses() {
    assert_eq!(with("return **&s.q + ((*&s.p)++ == text + 1);"), Ok(100));
    assert_eq!(with("char **p = &s.q; return **p;"), Ok(99));
    assert_eq!(with("(*&s.q)[1] = 5; s.q = *&s.p; return text[3] * 10 + (s.q - text);"), Ok(51));
}

#[test]
fn one_of_two_cursors_moves() {
    assert_eq!(with("text[0] == 'a' ? s.p++ : s.q++; return (s.p - text) * 10 + (s.q - text);"), Ok(22));
}

#[test]
fn elements_of_structures_by_changing_indices_move() {
    let of = |statements: &str| with(&format!("struct pair all[2] = {{{{text, text}}, {{text, text}}}}; int i = 0; {statements}"));
    assert_eq!(of("*all[i++].p++ = 1; all[i].q = all[0].p; return (all[1].q - text) * 100 + text[0] * 10 + i;"), Ok(111));
    assert_eq!(of("all[i++].p += 2; all[i--].q = all[0].p; return (all[1].q - text) * 10 + i;"), Ok(20));
}

/// A buffer that grows keeps its first, next and last element.
#[test]
fn buffers_of_cursors_grow() {
    let of = |statements: &str| {
        result(&format!(
            "#include <stdlib.h>\nstruct buffer {{ char *base, *next, *end; }};
            void put(struct buffer *b, char c) {{
                if (b->next == b->end) {{ size_t n = b->next - b->base; char *more = realloc(b->base, n * 2 + 1); if (!more) return;
                    b->base = more; b->next = more + n; b->end = more + n * 2 + 1; }}
                *b->next++ = c; }}
            int main(void) {{ struct buffer b = {{NULL, NULL, NULL}}; for (int i = 1; i < 6; i++) put(&b, i); {statements} }}"
        ))
    };
    assert_eq!(of("int n = b.base[0] * 100 + b.next[-1] * 10 + (b.end - b.next); free(b.base); return n;"), Ok(152));
    assert!(of("char *old = b.base; free(b.base); return *old;").unwrap_err().contains("freed memory"));
}

/// A jump that passes the declaration of an array leaves no block for it.
#[test]
fn jumps_past_arrays_are_refused() {
    let is_refused = |statements: &str| {
        let source = format!("struct pair {{ char *p; }}; int main(void) {{ struct pair s; int n = 1; {statements} }}");
        lowered(&source, "main").is_err()
    };
    assert!(is_refused("switch (n) { char text[4]; case 1: text[1] = 5; s.p = text; s.p++; return *s.p; } return 0;"));
    assert!(is_refused("goto inside; { char text[4]; inside: text[1] = 5; s.p = text; s.p++; return *s.p; }"));
    assert!(!is_refused("char text[4]; again: text[n] = 5; s.p = text; s.p++; if (n++ < 2) goto again; return *s.p;"));
    assert!(!is_refused("char text[4]; switch (n) { case 1: text[1] = 5; s.p = text; s.p++; return *s.p; } return 0;"));
}
