//! Unions: as gcc runs them, where the member is read that was written last, or one with the same bits.

use super::literals::wrong_functions;
use crate::suites::{branches, compared, request};
use culdesac::analysis::branches::{BranchesSettings, BranchesVerdict};
use std::process::Command;

const HEAD: &str = "#include <string.h>
union U { int i; unsigned u; double d; char s[8]; struct { short a, b; } p; };
struct V { int tag; union { int number; long wide; struct { int x, y; }; char text[4]; }; union U more; };
union A { int words[2]; unsigned raw[2]; };
union B { int word; unsigned char part[4]; struct { short low, high; } half; };
union R { unsigned char byte; struct { unsigned low : 3, mid : 4, sign : 1; } bits; };
union N { float f; unsigned word; unsigned char b[4]; };
union M { double d; struct { unsigned low, high; } half; };
static union R flags(int x) { union R r; r.byte = x; return r; }
int calls;
static void fill(union U *u, int x) { if (x > 3) u->i = x; else u->d = 1.5; }
static int value(union U u, int is_number) { return is_number ? u.i : u.d > 1; }
static struct V made(int x) { struct V v = {.tag = x > 2}; if (v.tag) v.number = x; else v.text[1] = 'a'; return v; }
static union U kept = {.p = {3, 4}}, first = {5};
";

/// Functions with what they call in front of them; the last one is looked at.
const FUNCTIONS: &[&str] = &[
    "int same(int x) { union U u; u.i = x; if (u.u > 0x80000000u) return 1; u.u += 3; u.i--; return u.i > 9 ? 2 : u.u & 1; }",
    "int last(int x) { union U u; u.d = 2.5; if (x > 3) { u.i = x; if (u.i == 7) return 1; } else { u.p.a = x; u.p.b = 2; } return x > 3 ? u.i > 5 : u.p.a + u.p.b > 3; }",
    "int passed(int x) { union U u, v; fill(&u, x); v = u; return value(v, x > 3) > 8 ? 1 : value(u, x > 3); }",
    "int tagged(int x) { struct V v = made(x), w; w = v; switch (w.tag) { case 1: return w.number > 5; default: return w.text[1] == 'a' ? 3 : v.tag; } }",
    "int nameless(int x) { struct V v = {1, {.x = x}}; v.y = 3; struct V *p = &v; p->x += 2; p->more.s[1] = 4; return p->x > 5 ? p->y : p->more.s[1] == 4; }",
    "int arrays(int x) { union A a[3] = {{{0}}}; for (int i = 0; i < 3; i++) a[i].words[i & 1] = x + i; x &= 1; return a[x].raw[x] > 100u ? 1 : a[2].words[0] > 2; }",
    "int statics(int x) { if (x > 3) { kept.i = x; return kept.u > 5u; } kept.p.a = 3; kept.p.b = x; first.i = 4; return kept.p.b + kept.p.a > 2 ? first.u : first.i; }",
    "int whole(int x) { union U u; memset(&u, 0, sizeof u); u.p.a = x; u.p.b = 1; union U v = u, *q = &v; q->p.b++; struct V w; w.more = v; typeof(u.p) p = w.more.p; return p.b == 2 && p.a > 3 ? sizeof u + _Alignof(union U) : sizeof(struct V); }",
    "int compound(int x) { return value((union U){x}, 1) > 3 ? value((union U){.d = 3}, 0) : (union U){.u = x}.i == 2; }",
    "int sizes(int x) { int k = sizeof(union U) + 100 * (int)sizeof(struct V) + 10000 * (int)__builtin_offsetof(struct V, more) + 1000000 * (int)__builtin_offsetof(struct V, y); return k == x ? 1 : k - x > 3; }",
    "int bytes_of(int x) { union B b; b.word = x; int k = 0; for (int i = 0; i < 4; i++) k += b.part[i] == 7; return b.part[x & 3] > 5 ? k : b.half.high == 3 ? 5 + k : k + 9; }",
    "int word_of(int x) { union B b; b.word = 0x01020304; b.part[x & 3] = x; if (b.word == 0x01020304) return 1; return b.half.low > 0x0304 ? 2 : b.part[2] == 2; }",
    "int signed_of(int x) { union B b; b.half.low = x; b.half.high = -x; if (b.word < 0) return b.part[3] > 127; b.part[0]--; return b.half.low == x - 1 ? b.half.high : 7; }",
    "int flags_of(int x) { union R r = flags(x); int low = r.bits.low, sign = r.bits.sign; if (low == 3 && sign) return 1; r.bits.mid = x; low = r.bits.low; return r.byte > 100 ? 2 : low == (x & 7); }",
    "int nested_of(int x) { struct { int t; union R r[2]; } s = {0}; s.r[x & 1].byte = x; s.r[1].bits.low = 1; int mid = s.r[x & 1].bits.mid; return mid == 1 ? s.r[0].byte : s.r[1].byte > 8; }",
    "int bits_of(int x) { union N n; n.f = (x | 1) * 0.25f; int hx = n.word, ix = hx & 0x7fffffff; if (ix > 0x44000000) return n.b[3] > 127 ? 1 : 2; return n.b[0] == 0 ? 3 : n.word >> 23; }",
    "int bits_to(unsigned x) { union N n; n.word = x; if (n.f > 1.0f) return 1; if (n.f < -3.0f) return 2; return n.f != n.f ? 3 : 4; }",
    "int bits_in(int x) { union M m; m.d = (x | 1) / 64.0; m.half.low = 0; m.half.high &= 0xfffff000u; return m.d > 3.0 ? m.half.high >> 20 : (int)m.half.high < 0 ? 5 : m.d < 1.0; }",
    "static int first_bytes(union U *u) { return u->s[0] == 'x'; } int bytes(int x) { union U u; strcpy(u.s, \"abc\"); if (x > 3) u.s[0] = 'x'; return first_bytes(&u) ? strlen(u.s) == 3 : 0; }",
];

#[test]
fn unions_run_as_gcc_runs_them() {
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let wrong = wrong_functions("unions", HEAD, FUNCTIONS);
    assert!(wrong.is_empty(), "{wrong}");
}

/// The verdicts of the sides of a function, by the text of the condition.
fn verdicts(source: &str, function: &str) -> Vec<(String, BranchesVerdict)> {
    let mut asked = request("unions.c", source, Some(300_000));
    asked.function = Some(function.to_owned());
    let document = branches(&asked, BranchesSettings::default()).expect("it is understood");
    document.list.into_iter().map(|side| (format!("{} {}", side.text, side.side), side.verdict)).collect()
}

/// What another member left there is not known: no test says that it is something, and no proof that it is not.
#[test]
fn what_another_member_left_is_not_known() {
    let shared = "union U { int i; float f; unsigned char b[4]; }; union D { unsigned char b[16]; double g[2]; };";
    for (text, wanted) in [
        // The sign of a zero, and the payload of what is not a number, are lost.
        ("int f(void) { union U u = {.f = 0.0f}; if (u.i == 0) return 1; return 0; }", ["u.i == 0 true", "!(u.i == 0) false"]),
        (
            "int f(float x) { union U u = {.f = x}; if (x != x) if (u.i == 0x7FC00000) return 1; return 0; }",
            ["u.i == 0x7FC00000 true", "!(u.i == 0x7FC00000) false"],
        ),
        ("static union U g; int f(void) { if (g.b[1] == 3) return g.i; return 0; }", ["g.b[1] == 3 true", "!(g.b[1] == 3) false"]),
        (
            "int f(union D *p) { p->g[0] = 2; p->b[1] = 1; if (p->b[3] == 2) return 1; return 0; }",
            ["p->b[3] == 2 true", "!(p->b[3] == 2) false"],
        ),
        (
            "void h(union U *); int f(void) { union U u; u.i = 3; h(&u); if (u.i == 3) return u.b[0]; return 0; }",
            ["u.i == 3 true", "!(u.i == 3) false"],
        ),
    ] {
        let found = verdicts(&format!("{shared}\n{text}\n"), "f");
        for side in wanted {
            let verdict = found.iter().find(|(other, _)| other == side).map(|(_, verdict)| *verdict);
            assert_eq!(verdict, Some(BranchesVerdict::Open), "{text}: {side}: {found:?}");
        }
    }
    // The member that was written last has its value, and so has one of which no other is named.
    for (text, side, wanted) in [
        (
            "int f(int x) { union U u; u.f = 2; u.i = x; if (u.i > 3 && u.i < 3) return u.b[0]; return 0; }",
            "u.i < 3 true",
            BranchesVerdict::Infeasible,
        ),
        ("int f(union U u) { if (u.i == 3) return 1; return 0; }", "u.i == 3 true", BranchesVerdict::Covered),
        // A member of integers has the bytes of another one.
        ("int f(int x) { union U u; u.i = x; if (u.b[0] == 3) return 1; return 0; }", "u.b[0] == 3 true", BranchesVerdict::Covered),
        (
            "int f(int x) { union U u; u.i = 0x0102; u.b[0] = x; if (u.b[1] == 1) return 1; return 0; }",
            "!(u.b[1] == 1) false",
            BranchesVerdict::Infeasible,
        ),
        ("int f(union U u) { if (u.i == 3) { if (u.b[0] == 3) return 1; } return 0; }", "u.b[0] == 3 true", BranchesVerdict::Covered),
        (
            "int f(unsigned x) { union U u; u.i = x; if (u.b[3] > 0x7F && u.i >= 0) return 1; return 0; }",
            "u.i >= 0 true",
            BranchesVerdict::Infeasible,
        ),
        (
            "int f(union U *p) { p->f = 2; p->b[1] = 1; if (p->f == 2) return p->i; return 0; }",
            "p->f == 2 true",
            BranchesVerdict::Infeasible,
        ),
        // Before the function starts any member may have been written.
        ("int f(union U u) { if (u.i == 3) return u.b[0]; return 0; }", "u.i == 3 true", BranchesVerdict::Covered),
        ("union U g; int f(void) { if (g.b[1] == 3) return g.i; return 0; }", "g.b[1] == 3 true", BranchesVerdict::Covered),
        ("int f(union U *u) { if (u->b[2] == 3) return 1; return 0; }", "u->b[2] == 3 true", BranchesVerdict::Covered),
    ] {
        let found = verdicts(&format!("{shared}\n{text}\n"), "f");
        assert!(found.iter().any(|(other, verdict)| other == side && *verdict == wanted), "{text}: {found:?}");
    }
}

/// The infeasible branches of a function, and its open branches.
fn without_tests(source: &str) -> [Vec<String>; 2] {
    let found = verdicts(source, "f");
    [BranchesVerdict::Infeasible, BranchesVerdict::Open].map(|wanted| {
        found
            .iter()
            .filter(|(_, verdict)| *verdict == wanted)
            .map(|(side, _)| side.trim_end_matches(" true").trim_end_matches(" false").to_owned())
            .collect()
    })
}

/// The bits of a floating-point number follow from it, and it from its bits.
#[test]
fn bits_of_numbers_are_those_of_integers() {
    let shared = "union W { float value; unsigned word; unsigned char b[4]; };
        union L { double value; struct { unsigned low, high; } words; unsigned long long all; };
        union B { float value; struct { unsigned mantissa : 23, exponent : 8, negative : 1; } bits; };";
    for (text, infeasible) in [
        (
            "int f(float x) { union W u; u.value = x; int hx = u.word, ix = hx & 0x7fffffff; if (ix > 0x3f800000) { if (x > -1.0f && x < 1.0f) return 1; \
             return 2; } if (x > 0.5f) { if (hx < 0x3f000000) return 3; return 4; } return 5; }",
            &["x < 1.0f", "hx < 0x3f000000"][..],
        ),
        (
            "int f(unsigned w) { union W u; u.word = w; if (u.value > 2.0f) { if (w < 0x40000000) return 1; if (w >> 31) return 2; return 3; } \
             if (u.value != u.value) { if (!(w & 0x7fffff)) return 4; return 5; } return 6; }",
            &["w < 0x40000000", "w >> 31", "!(w & 0x7fffff)"],
        ),
        (
            "int f(double x) { union L u; u.value = x; int high = u.words.high; if (x > 1.0) { if (high < 0x3ff00000) return 1; return 2; } \
             if (x < 0 && high >= 0) return 3; return u.words.low == 7 ? 4 : 5; }",
            &["high < 0x3ff00000", "high >= 0"],
        ),
        (
            "int f(float x) { union B u; u.value = x; if (u.bits.negative) { if (x > 3) return 1; return 2; } if (u.bits.exponent == 127) \
             { if (x >= 2.0f) return 3; if (x == 1.5f) return 4; } return 5; }",
            &["x > 3", "x >= 2.0f"],
        ),
        // A part of the bits is written.
        (
            "int f(double x) { union L u; u.value = x; if (!(x >= 1.0 && x < 2.0)) return 0; u.words.low = 0; u.words.high &= 0xfff00000u; \
             if (u.value == 1.0) return 1; return 2; }",
            &["!(u.value == 1.0)"],
        ),
    ] {
        let source = format!("{shared}\n{text}\n");
        let [found, open] = without_tests(&source);
        assert_eq!((found, open), (infeasible.iter().map(|side| (*side).to_owned()).collect(), Vec::new()), "{text}");
        // The check accepts what is claimed.
        assert_eq!(super::nodes::verdicts(&source, "f")[1], infeasible.len() as u64, "{text}");
    }
}

const TAGGED: &str = "enum tag { INT, CHAR, POINT, RAW };
struct point { int x, y; };
struct value { enum tag t; union { int i; char c; struct point p; short raw[3]; } u; };
struct value current;
int by_value(struct value v) {
    if (v.t == INT) {
        if (v.u.i > 1000)
            return 1;
        return 2;
    }
    if (v.t == CHAR && v.u.c == 'x')
        return 3;
    if (v.t == POINT && v.u.p.x > v.u.p.y)
        return 4;
    return 5;
}
int by_pointer(struct value *v) {
    if (v->t == INT && v->u.i == 500) {
        v->t = POINT;
        v->u.p.x = 1;
        v->u.p.y = 2;
        return 1;
    }
    if (v->t == RAW && v->u.raw[1] == 6) {
        v->u.raw[0] = 4;
        return 2;
    }
    return 0;
}
int of_array(struct value *all, int n) {
    int s = 0;
    for (int k = 0; k < n && k < 3; k++) {
        if (all[k].t == INT && all[k].u.i > 5)
            s++;
        if (all[k].t == POINT && all[k].u.p.x == 77)
            s += 2;
    }
    return s;
}
int of_global(int x) {
    if (current.t == CHAR && current.u.c == 'x')
        return 3;
    if (current.t == INT && current.u.i == 12345) {
        current.t = CHAR;
        current.u.c = 'z';
        return x;
    }
    return 0;
}
";

/// Which member a caller has written last is an input: every branch on a tag has a test, and gcov counts it in the suite.
#[test]
fn tagged_unions_are_inputs() {
    for function in ["by_value", "by_pointer", "of_array", "of_global"] {
        let mut asked = request("tagged.c", TAGGED, Some(300_000));
        asked.function = Some(function.to_owned());
        let document = branches(&asked, BranchesSettings::default()).expect("it is understood");
        assert_eq!(document.branches.covered, document.branches.total, "{function}");
        if Command::new("gcov").arg("--version").output().is_ok() {
            let found = compared(&asked, &document);
            assert_eq!((found.differences, found.left_out), (Vec::new(), 0), "{function}");
        }
    }
}

/// An input has values of the member that was written last alone; one that has these alone says which member that is.
#[test]
fn inputs_have_the_chosen_member() {
    let mut asked = request("tagged.c", TAGGED, Some(300_000));
    asked.function = Some("by_value".to_owned());
    let document = branches(&asked, BranchesSettings::default()).expect("it is understood");
    let members = ["v.u.i", "v.u.c", "v.u.p.", "v.u.raw"];
    for test in &document.tests {
        let given = members.iter().filter(|member| test.input.values.keys().any(|name| name.starts_with(**member))).count();
        assert!(given <= 1, "{:?}", test.input);
    }
    let lts = culdesac::load::load(&asked).expect("it is understood").lts;
    let written = serde_json::from_str(r#"{"v.t":1,"v.u.c":120}"#).expect("an input");
    let input = culdesac::view::fitting(&lts, &written).expect("it fits");
    assert_eq!(culdesac::interp::Machine::new(&lts).run(&input, 1_000).value, Some(3.into()));
}
