//! Pointers that mean one of several objects, or none: what a run gives, where inputs have no counterpart in a text for gcc.

use super::nodes::verdicts;
use culdesac::interp::{ArrayInput, Input, Outcome, run};
use culdesac::logic::Int;
use culdesac::lts::lower::{IntegerModel, Options, lower_with};

/// What the last function gives back with these scalars and these elements of arrays; `None` where that is undefined.
fn result(source: &str, values: &[(&str, i64)], elements: &[(&str, &[i64])]) -> Option<i64> {
    let parsed = culdesac::lang::parse(source);
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let options = Options { ints: IntegerModel::C32, ..Options::default() };
    let lts = lower_with(&program, None, &options).unwrap_or_else(|errors| panic!("{errors:?}")).lts;
    let mut input = Input::default();
    input.values.extend(values.iter().map(|(name, value)| ((*name).to_owned(), Int::from(*value))));
    for (name, given) in elements {
        let elements = given.iter().enumerate().map(|(index, value)| (Int::from(index), Int::from(*value))).collect();
        input.arrays.insert((*name).to_owned(), ArrayInput { elements, default: Int::ZERO });
    }
    let input = input.together(&lts).expect("one default");
    assert_eq!(input.apart(&lts).together(&lts).as_ref(), Ok(&input));
    if lts.arrays.iter().any(|array| !array.objects.is_empty() && input.arrays.contains_key(&array.name)) {
        assert!(input.clone().together(&lts).is_err(), "names of the model are none of the program");
    }
    culdesac::interp::check_input(&lts, &input).unwrap_or_else(|error| panic!("{error}"));
    let run = run(&lts, &input, 1_000);
    match run.outcome {
        Outcome::Returned => run.value.and_then(|value| value.to_i64()),
        Outcome::Undefined(_) => None,
        other => panic!("{other:?}"),
    }
}

/// Whether a structure is there is an input where the function asks; its members keep their names.
#[test]
fn structures_may_not_be_there() {
    const SOURCE: &str = "struct S { int m, n[2]; }; int f(struct S *s, struct S *t, int c) {
        if (s == NULL || !t) return c == 3 ? s->m : -1; struct S *p = c ? s : t; p->n[1] += 5; if (p == s) p->m++; return s->m * 10 + t->n[1]; }";
    let source = &format!("#include <stddef.h>\n{SOURCE}");
    // Whether both are one is asked, so they lie in one array: here the second after the first.
    let given = |s: i64, t: i64, c: i64| {
        let values = [("s.null", s), ("t.null", t), ("t - s", 1 - t), ("c", c)];
        result(source, &values, &[("s.m", &[4, 6]), ("s.n", &[0, 1, 0, 7])])
    };
    assert_eq!([given(0, 0, 0), given(0, 0, 1), given(1, 0, 1), given(0, 1, 0)], [Some(52), Some(57), Some(-1), Some(-1)]);
    assert_eq!([given(1, 0, 3), given(0, 1, 3)], [None, Some(4)]);
}

/// Arrays of unknown length that one pointer may point to are one in the model, and inputs of their own.
#[test]
fn arrays_take_turns() {
    let source = "int f(int *a, int *b, int c) { int *p = a, *q = b; if (c) { p = b; q = a; } *p++ += 10; return *p * 100 + q[0] + b[0]; }";
    let given = |c| result(source, &[("c", c)], &[("a", &[1, 3]), ("b", &[2, 4])]);
    assert_eq!([given(0), given(1)], [Some(3 * 100 + 2 + 2), Some(4 * 100 + 1 + 12)]);
}

/// What one pointer may point to keeps its name and its own input, also where only some of it is an array that the caller has.
#[test]
fn inputs_are_those_of_the_program() {
    let names = |source: &str| -> (Vec<String>, Vec<String>) {
        let program = culdesac::lang::parse(source).program.expect("a program");
        let lts = lower_with(&program, None, &Options::default()).unwrap_or_else(|errors| panic!("{errors:?}")).lts;
        let inputs = culdesac::lts::inputs::inputs(&lts);
        let objects = |id: &culdesac::lts::ArrayId| {
            let array = lts.array(*id);
            array.objects.iter().filter(|object| object.is_input).map(|object| format!("{}[]", object.name)).collect::<Vec<_>>()
        };
        let scalars = inputs.variables.iter().map(|id| lts.variable(*id).name.clone());
        let labels = lts.graph.edge_weights().map(|edge| culdesac::lts::text::label(&lts, edge)).collect();
        (scalars.chain(inputs.arrays.iter().flat_map(objects)).collect(), labels)
    };
    let members = "struct P { int x, y; }; int f(struct P *a, struct P *b, int k) { struct P *p = k ? a : b; p->x = 3; return a->x * 10 + b->x + p->y; }";
    let (inputs, labels) = names(members);
    assert_eq!(inputs, ["a.x", "a.y", "b.x", "b.y", "k"]);
    assert!(
        ["p.object = a", "p.object = b", "p.object.x[p.index] = 3"].iter().all(|label| labels.contains(&(*label).to_owned())),
        "{labels:?}"
    );
    let given = |k| result(members, &[("a.x", 1), ("a.y", 100), ("b.x", 2), ("b.y", 200), ("k", k)], &[]);
    assert_eq!([given(0), given(1)], [Some(10 + 3 + 200), Some(30 + 2 + 100)]);

    let mixed = "int f(int *a, int s, int k) { int u[2] = {5, 6}; int *p = a; if (k == 1) p = &s; if (k == 2) p = u; *p += 7; return s * 100 + a[0] + u[0]; }";
    let (inputs, labels) = names(mixed);
    assert_eq!(inputs, ["s", "k", "a[]"]);
    assert!(["u[0] = 5", "u[1] = 6"].iter().all(|label| labels.contains(&(*label).to_owned())), "{labels:?}");
    let given = |k| result(mixed, &[("s", 3), ("k", k)], &[("a", &[1, 2])]);
    assert_eq!([given(0), given(1), given(2)], [Some(300 + 8 + 5), Some(1000 + 1 + 5), Some(300 + 1 + 12)]);
}

/// A parameter among what a pointer may mean is an array of structures where that pointer moves on.
#[test]
fn structures_follow_each_other() {
    let source =
        "struct P { int x, y; }; int f(struct P *p, struct P *q, int c) { struct P l[2] = {{1, 2}, {3, 4}}; struct P *r = c ? p : q;
        if (c == 2) r = l; r++; if (r->x > 5) r[-1].x = 7; return (p[0].x * 10 + q[0].x) * 10 + r->x; }";
    let given = |c| result(source, &[("c", c)], &[("p.x", &[1, 6]), ("q.x", &[2, 5])]);
    assert_eq!([given(0), given(1), given(2)], [Some(125), Some(726), Some(123)]);
    let source = "struct P { int x, y; }; struct P *find(struct P *p, int n, int k) { for (int i = 0; i < n; i++) if (p[i].x == k) return &p[i]; return 0; }
        int f(struct P *p, int n, int k) { if (!p) return -1; struct P *r = find(p, n, k); return r ? r->y * 10 + (r - p) : -2; }";
    let given = |null, n, k| result(source, &[("p.null", null), ("n", n), ("k", k)], &[("p.x", &[4, 5, 6]), ("p.y", &[7, 8, 9])]);
    assert_eq!([given(0, 3, 6), given(0, 2, 6), given(0, 3, 4), given(1, 3, 4)], [Some(92), Some(-2), Some(70), Some(-1)]);
    let source = "struct P { int x, y; }; int f(struct P *p, int i) { if (p) i++; return p[i].x; }";
    let given = |null| result(source, &[("p.null", null), ("i", 1)], &[("p.x", &[4, 5, 6])]);
    assert_eq!([given(0), given(1)], [Some(6), None]);
}

/// Each object has its own length, and no order among others.
#[test]
fn objects_keep_apart() {
    let source =
        "int f(int c, int i) { int a[2] = {1, 2}, b[4] = {3, 4, 5, 6}; int *p = c ? a : b; if (i > 8) return p < b; return p[i]; }";
    let given = |c, i| result(source, &[("c", c), ("i", i)], &[]);
    assert_eq!([given(1, 1), given(1, 2), given(0, 2), given(0, 4), given(1, -1)], [Some(2), None, Some(5), None, None]);
    assert_eq!([given(0, 9), given(1, 9)], [Some(0), None]);
}

/// A number that is no function's calls nothing.
#[test]
fn only_functions_are_called() {
    let source = "int g(int x) { return x + 1; } int h(int x) { return x * 2; } int k(void) { return 7; }
        int f(int c, int x) { int (*t[3])(int) = {g, &h}; int (*p)(void) = k; if (c == 9) return p() + (*p)(); return t[c](x) + (t[c] == g); }";
    let given = |c, x| result(source, &[("c", c), ("x", x)], &[]);
    assert_eq!([given(0, 5), given(1, 5), given(2, 5), given(9, 0)], [Some(7), Some(10), None, Some(14)]);
}

/// An assertion of a pointer asks whether it is null, as a comparison does.
#[test]
fn assertions_ask_for_null() {
    for (text, wanted) in [
        ("int f(int *p) { assert(p); if (!p) return 1; return *p > 3 ? 2 : 3; }", [5, 1, 0]),
        (
            "struct s { int *cells; int length; }; int f(struct s *p) { assert((p)); return p->length && p->cells[1] > 3 ? 1 : 2; }",
            [6, 0, 0],
        ),
        (
            "struct n { int v; struct n *next; }; int f(struct n *p) { assert(p); assert(p->next); return p->next->v > p->v ? 1 : 2; }",
            [6, 0, 0],
        ),
        ("int f(int **p, int i) { assert(p[1]); return *p[1] > 3 ? 1 : 2; }", [4, 0, 0]),
        ("int a[3]; int f(int i) { assert(a); int *p = i > 3 ? a : 0; assert(p); return p == a; }", [5, 1, 0]),
    ] {
        assert_eq!(verdicts(&format!("#include <assert.h>\n{text}"), "f"), wanted, "{text}");
    }
}

/// What a caller passes as a pointer to `void` goes on to functions without a body; what else the call may change is any value afterwards.
#[test]
fn pointers_to_void_are_passed_on() {
    for (text, wanted) in [
        ("unsigned hash(void *v); int f(void *v) { unsigned h = hash(v); if (h > 3) return 0; return 1; }", [2, 0, 0]),
        (
            "int f(int (*visit)(void *, int), void *data, int n) { for (int i = 0; i < n; i++) if (visit(data, i)) return i; return n; }",
            [4, 0, 0],
        ),
        ("int g; int use(void *v); int f(void *v, int n) { g = n; use(v); if (g != n) return 1; return 0; }", [2, 0, 0]),
        ("int use(void *v); int f(void *v, int *p) { int n = *p; use(v); if (n != *p) return 1; return 0; }", [2, 0, 0]),
        (
            "int use(void *v); static int own(void *v) { return use(v); } int f(void *v) { int n = 3; own(&n); if (n != 3) return own(v); return 0; }",
            [2, 0, 0],
        ),
    ] {
        assert_eq!(verdicts(text, "f"), wanted, "{text}");
    }
}

/// A caller's pointer is null where the program tests it, or a copy, for that: in the function or in one that it calls.
#[test]
fn tests_for_null_count_wherever_they_stand() {
    const CALLED: &str = "struct P { int x, y; }; static int use(struct P *p) { if (!p) return -1; return p->x; }
        static int through(struct P *p) { return use(p); } static int there(const struct P *p) { return p ? 1 : 0; }
        static int get(const struct P *p, int *out) { if (!p || !out) return 0; *out = p->x; return 1; }
        static int total(int *a, int n) { if (a == NULL || n <= 0) return 0; int s = 0; for (int i = 0; i < n; i++) s += a[i] & 7; return s; }
        static struct P *same(struct P *p) { return p; }";
    for (branches, source) in [
        (4, "int f(struct P *p, int x) { int a = use(p); if (x > 3) return a; return 0; }"),
        (4, "int f(struct P *p) { if (through(p) > 0) return 1; return 0; }"),
        (4, "int f(struct P *p) { if (!there(p)) return -1; return 1; }"),
        (2, "int f(struct P *p) { struct P *q = p; if (!q) return -1; return q->x; }"),
        (2, "int f(struct P *p) { struct P *q; q = p; if (q == NULL) return -1; return q->x; }"),
        (2, "int f(struct P *p) { if (same(p)) return p->y; return 0; }"),
        (2, "int f(void *v) { struct P *p = (struct P *)v; if (!p) return -1; return p->x; }"),
        (2, "int f(int *p) { int *q = p; if (q != NULL) return *q; return -1; }"),
        (8, "int f(int *a, int n) { if (total(a, n) == 5) return 1; return 0; }"),
        (2, "int f(const char *s) { const char *t = s; if (!t) return -1; return t[0]; }"),
    ] {
        let source = format!("#include <stddef.h>\n{CALLED}\n{source}");
        assert_eq!(verdicts(&source, "f"), [branches, 0, 0], "{source}");
    }
}
