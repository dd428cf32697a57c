//! The graphs of small functions, edge by edge. `./dev update` rewrites the expectations.

use super::{check, check_body, lowered};
use expect_test::expect;

#[test]
fn merge_in_full() {
    check(
        include_str!("../../../../examples/merge.c"),
        expect![[r#"
            0 -[ia = 0]-> 1
            1 -[ib = 0]-> 2
            2 -[ia < la]-> 3
            2 -[ia >= la]-> 9
            3 -[ib < lb]-> 4
            3 -[ib >= lb]-> 9
            4 -[nondet()]-> 5
            4 -[!nondet()]-> 7
            5 -[A[ia + ib] = a[ia]]-> 6
            6 -[ia = ia + 1]-> 2
            7 -[A[ia + ib] = b[ib]]-> 8
            8 -[ib = ib + 1]-> 2
            9 -[ia < la]-> 10
            9 -[ia >= la]-> 11
            10 -[ia = ia + 1]-> 9
            11 -[ib < lb]-> 12
            11 -[ib >= lb]-> exit
            12 -[ib = ib + 1]-> 11
        "#]],
    );
}

#[test]
fn f2_in_full() {
    check(
        include_str!("../../../../examples/f2.c"),
        expect![[r#"
            0 -[i = 2]-> 1
            1 -[x >= 0]-> 2
            1 -[x < 0]-> 3
            2 -[a = x]-> 4
            3 -[a = -x]-> 4
            4 -[y]-> 5
            4 -[y == 0]-> 6
            5 -[res = 1]-> 7
            6 -[res = -1]-> 7
            7 -[i < a]-> 8
            7 -[i >= a]-> 10
            8 -[res = res * i]-> 9
            9 -[i = i + 1]-> 7
            10 -[x < 2]-> 11
            10 -[x >= 2]-> exit (res)
            11 -[res = res + 5]-> exit (res)
        "#]],
    );
}

#[test]
fn jumps_and_joins_add_no_edges() {
    check_body(
        "while (x > 0) { if (y) continue; if (x == 3) break; x--; } again: y = 1; if (y) goto again; { return x; }",
        expect![[r#"
            0 -[x > 0]-> 1
            0 -[x <= 0]-> 4
            1 -[y]-> 0
            1 -[y == 0]-> 2
            2 -[x == 3]-> 4
            2 -[x != 3]-> 3
            3 -[x = x - 1]-> 0
            4 -[y = 1]-> 5
            5 -[y]-> 4
            5 -[y == 0]-> exit (x)
        "#]],
    );
    check_body(
        "for (i = 0, j = 1; i < x; i++, j--) { if (i == 2) continue; y = i; } return 0;",
        expect![[r#"
            0 -[i = 0]-> 1
            1 -[j = 1]-> 2
            2 -[i < x]-> 3
            2 -[i >= x]-> exit (0)
            3 -[i == 2]-> 5
            3 -[i != 2]-> 4
            4 -[y = i]-> 5
            5 -[i = i + 1]-> 6
            6 -[j = j - 1]-> 2
        "#]],
    );
    check_body(
        "do { x--; if (y) continue; y = 1; } while (x); return 0;",
        expect![[r#"
            0 -[x = x - 1]-> 1
            1 -[y]-> 3
            1 -[y == 0]-> 2
            2 -[y = 1]-> 3
            3 -[x]-> 0
            3 -[x == 0]-> exit (0)
        "#]],
    );
}

#[test]
fn short_circuits_split_decisions() {
    check_body(
        "if (!(x && !y) || nondet()) i = 1; return 0;",
        expect![[r#"
            0 -[x]-> 1
            0 -[x == 0]-> 3
            1 -[y]-> 3
            1 -[y == 0]-> 2
            2 -[nondet()]-> 3
            2 -[!nondet()]-> exit (0)
            3 -[i = 1]-> exit (0)
        "#]],
    );
    check_body(
        "i = x && y; j = x < y; return !i;",
        expect![[r#"
            0 -[x]-> 1
            0 -[x == 0]-> 3
            1 -[y]-> 2
            1 -[y == 0]-> 3
            2 -[i = 1]-> 4
            3 -[i = 0]-> 4
            4 -[j = x < y]-> exit (!i)
        "#]],
    );
    check_body(
        "return x || y;",
        expect![[r#"
            0 -[x]-> exit (1)
            0 -[x == 0]-> 1
            1 -[y]-> exit (1)
            1 -[y == 0]-> exit (0)
        "#]],
    );
    check_body(
        "if ((x && y) == 1) i = 2; return 0;",
        expect![[r#"
            0 -[x]-> 1
            0 -[x == 0]-> 3
            1 -[y]-> 2
            1 -[y == 0]-> 3
            2 -[t = 1]-> 4
            3 -[t = 0]-> 4
            4 -[t == 1]-> 5
            4 -[t != 1]-> exit (0)
            5 -[i = 2]-> exit (0)
        "#]],
    );
}

#[test]
fn conditional_expressions() {
    check_body(
        "i = x ? 1 : y ? 2 : 3; return 0;",
        expect![[r#"
            0 -[x]-> 1
            0 -[x == 0]-> 2
            1 -[i = 1]-> exit (0)
            2 -[y]-> 3
            2 -[y == 0]-> 4
            3 -[i = 2]-> exit (0)
            4 -[i = 3]-> exit (0)
        "#]],
    );
    check_body(
        "i = 1 + (x ? 2 : 3); return 0;",
        expect![[r#"
            0 -[x]-> 1
            0 -[x == 0]-> 2
            1 -[t = 2]-> 3
            2 -[t = 3]-> 3
            3 -[i = 1 + t]-> exit (0)
        "#]],
    );
    check_body(
        "i += x ? 2 : 3; return 0;",
        expect![[r#"
            0 -[x]-> 1
            0 -[x == 0]-> 2
            1 -[i = i + 2]-> exit (0)
            2 -[i = i + 3]-> exit (0)
        "#]],
    );
    check_body(
        "m[i++] = x ? 2 : 3; return 0;",
        expect![[r#"
            0 -[x]-> 1
            0 -[x == 0]-> 2
            1 -[m[i] = 2]-> 3
            2 -[m[i] = 3]-> 3
            3 -[i = i + 1]-> exit (0)
        "#]],
    );
    check_body(
        "return x ? x++ : y;",
        expect![[r#"
            0 -[x]-> 1
            0 -[x == 0]-> exit (y)
            1 -[x = x + 1]-> exit (x - 1)
        "#]],
    );
    check_body(
        "x ? i++ : j++; return 0;",
        expect![[r#"
            0 -[x]-> 1
            0 -[x == 0]-> 2
            1 -[i = i + 1]-> exit (0)
            2 -[j = j + 1]-> exit (0)
        "#]],
    );
}

#[test]
fn side_effects_inside_expressions() {
    check_body(
        "m[i++] = m[j++]; return 0;",
        expect![[r#"
            0 -[m[i] = m[j]]-> 1
            1 -[i = i + 1]-> 2
            2 -[j = j + 1]-> exit (0)
        "#]],
    );
    check_body(
        "m[++i] = --j; return 0;",
        expect![[r#"
            0 -[i = i + 1]-> 1
            1 -[j = j - 1]-> 2
            2 -[m[i] = j]-> exit (0)
        "#]],
    );
    check_body(
        "i = j = x; return 0;",
        expect![[r#"
            0 -[j = x]-> 1
            1 -[i = j]-> exit (0)
        "#]],
    );
    check_body(
        "i = m[0] = x + 1; return 0;",
        expect![[r#"
            0 -[m[0] = x + 1]-> 1
            1 -[i = m[0]]-> exit (0)
        "#]],
    );
    check_body(
        "i = m[m[0]] = x + 1; return 0;",
        expect![[r#"
            0 -[t = x + 1]-> 1
            1 -[m[m[0]] = t]-> 2
            2 -[i = t]-> exit (0)
        "#]],
    );
    check_body(
        "if (i++ < 3) j = 1; return 0;",
        expect![[r#"
            0 -[i < 3]-> 1
            0 -[i >= 3]-> 2
            1 -[i = i + 1]-> 3
            2 -[i = i + 1]-> exit (0)
            3 -[j = 1]-> exit (0)
        "#]],
    );
    check_body(
        "if (i++ && ++j) x = 1; return 0;",
        expect![[r#"
            0 -[i]-> 1
            0 -[i == 0]-> 2
            1 -[i = i + 1]-> 3
            2 -[i = i + 1]-> exit (0)
            3 -[j = j + 1]-> 4
            4 -[j]-> 5
            4 -[j == 0]-> exit (0)
            5 -[x = 1]-> exit (0)
        "#]],
    );
    check_body(
        "while ((x = nondet()) != 0) i++; return x;",
        expect![[r#"
            0 -[x = nondet()]-> 1
            1 -[x != 0]-> 2
            1 -[x == 0]-> exit (x)
            2 -[i = i + 1]-> 0
        "#]],
    );
    check_body(
        "m[i++]++; m[i] *= 2; return m[i++]--;",
        expect![[r#"
            0 -[m[i] = m[i] + 1]-> 1
            1 -[i = i + 1]-> 2
            2 -[m[i] = m[i] * 2]-> 3
            3 -[t = m[i]]-> 4
            4 -[m[i] = m[i] - 1]-> 5
            5 -[i = i + 1]-> exit (t)
        "#]],
    );
    check_body(
        "return i++;",
        expect![[r#"
            0 -[i = i + 1]-> exit (i - 1)
        "#]],
    );
    check_body(
        "x = (i++, j) + 1; return 0;",
        expect![[r#"
            0 -[i = i + 1]-> 1
            1 -[x = j + 1]-> exit (0)
        "#]],
    );
    check_body(
        "m[nondet()] += 1; nondet(); return 0;",
        expect![[r#"
            0 -[t = nondet()]-> 1
            1 -[m[t] = m[t] + 1]-> 2
            2 -[t#2 = nondet()]-> exit (0)
        "#]],
    );
}

#[test]
fn declarations_and_scopes() {
    check(
        "int f(int x) { int a = 1, b; int c[3] = {x, 2}; static int s = 4; { int x = a; a = x + s; } return x; }",
        expect![[r#"
            0 -[a = 1]-> 1
            1 -[c = {x, 2}]-> 2
            2 -[x#2 = a]-> 3
            3 -[a = x#2 + s]-> exit (x)
        "#]],
    );
    let lts = lowered("int g; int h = 2; int unused; int d[] = {1, 2}; int f(int x) { static int s; int y, z[4]; return x + g + h + s + y + d[0] + z[0]; }").lts;
    let variables: Vec<_> = lts.variables.iter().map(|v| format!("{} {:?} {:?}", v.name, v.origin, v.initial)).collect();
    assert_eq!(variables, ["x Parameter None", "g Global None", "h Global None", "s Global Some(0)", "y Local None"]);
    let arrays: Vec<_> = lts.arrays.iter().map(|a| format!("{} {:?} {:?} {:?}", a.name, a.origin, a.length, a.initial)).collect();
    assert_eq!(arrays, ["d Global Some(2) None", "z Local Some(4) None"]);
}

#[test]
fn constant_decisions_have_two_sides() {
    check_body(
        "while (1) { if (0) x = 1; y = 2; } return 0;",
        expect![[r#"
            0 -[1]-> 1
            0 -[!1]-> exit (0)
            1 -[0]-> 2
            1 -[!0]-> 3
            2 -[x = 1]-> 3
            3 -[y = 2]-> 0
        "#]],
    );
}

#[test]
fn assumptions_assertions_and_errors() {
    check_body(
        "assume(x > 0 && !y); assert(x || y); return x;",
        expect![[r#"
            0 -[x > 0]-> 1
            1 -[y == 0]-> 2
            2 -[x]-> exit (x)
            2 -[x == 0]-> 3
            3 -[y]-> exit (x)
            3 -[y == 0]-> error
        "#]],
    );
    check_body(
        "if (x) reach_error(); if (y) abort(); if (i) exit(3); return 0;",
        expect![[r#"
            0 -[x]-> error
            0 -[x == 0]-> 1
            1 -[y]-> error
            1 -[y == 0]-> 2
            2 -[i]-> exit (3)
            2 -[i == 0]-> exit (0)
        "#]],
    );
    check_body(
        "assume(i++ < 3); printf(\"%d\", i); return 0;",
        expect![[r#"
            0 -[i < 3]-> 1
            1 -[i = i + 1]-> exit (0)
        "#]],
    );
    let l = lowered("void f() { abort(); }");
    assert_eq!((l.lts.error, l.lts.graph.edge_count()), (Some(l.lts.entry), 0));
}

#[test]
fn calls_are_inlined() {
    check(
        "int g(int n, int k) { if (n) return k; return n; } int main() { int x = g(1, 2); g(3, 4); x = g(x, g(5, 6)) + 1; if (x) x = 0; return x; }",
        expect![[r#"
            0 -[g.n = 1]-> 1
            1 -[g.k = 2]-> 2
            2 -[g.n]-> 3
            2 -[g.n == 0]-> 4
            3 -[g.result = g.k]-> 5
            4 -[g.result = g.n]-> 5
            5 -[x = g.result]-> 6
            6 -[g.n#2 = 3]-> 7
            7 -[g.k#2 = 4]-> 8
            8 -[g.n#2]-> 9
            8 -[g.n#2 == 0]-> 9
            9 -[g.n#3 = x]-> 10
            10 -[g.n#4 = 5]-> 11
            11 -[g.k#3 = 6]-> 12
            12 -[g.n#4]-> 13
            12 -[g.n#4 == 0]-> 14
            13 -[g.result#2 = g.k#3]-> 15
            14 -[g.result#2 = g.n#4]-> 15
            15 -[g.k#4 = g.result#2]-> 16
            16 -[g.n#3]-> 17
            16 -[g.n#3 == 0]-> 18
            17 -[g.result#3 = g.k#4]-> 19
            18 -[g.result#3 = g.n#3]-> 19
            19 -[x = g.result#3 + 1]-> 20
            20 -[x]-> 21
            20 -[x == 0]-> exit (x)
            21 -[x = 0]-> exit (x)
        "#]],
    );
    check(
        "void put(int *to, int i) { to[i] = i; } int b[5]; void f(int *a) { put(a, 1); put(b, 2); }",
        expect![[r#"
            0 -[put.i = 1]-> 1
            1 -[a[put.i] = put.i]-> 2
            2 -[put.i#2 = 2]-> 3
            3 -[b[put.i#2] = put.i#2]-> exit
        "#]],
    );
    check(
        "int g() { return nondet(); } int f() { return g(); }",
        expect![[r#"
            0 -[g.result = nondet()]-> exit (g.result)
        "#]],
    );
    check(
        "int any(int n); int f(int x) { x = any(x++); any(x); return x; }",
        expect![[r#"
            0 -[x = x + 1]-> 1
            1 -[x = any(x++)]-> exit (x)
        "#]],
    );
    check(
        "int g(int x) { if (x) return 1; } int f(int y) { y = g(y); return y; }",
        expect![[r#"
            0 -[g.x = y]-> 1
            1 -[g.x]-> 2
            1 -[g.x == 0]-> 3
            2 -[g.result = 1]-> 4
            3 -[g.result = nondet()]-> 4
            4 -[y = g.result]-> exit (y)
        "#]],
    );
    check(
        "int one(int x) { exit(x); return 1; } int f(int y) { y = one(y); y = 7; return y; }",
        expect![[r#"
            0 -[one.x = y]-> exit (one.x)
        "#]],
    );
    // The values of nondet() come in the order of the text.
    check(
        "int g() { return nondet(); } int f(int y) { y = nondet() + g(); return y; }",
        expect![[r#"
            0 -[t = nondet()]-> 1
            1 -[g.result = nondet()]-> 2
            2 -[y = t + g.result]-> exit (y)
        "#]],
    );
}

#[test]
fn main_returns_zero_at_its_end() {
    check(
        "int main() { int x = 1; }",
        expect![[r#"
            0 -[x = 1]-> exit (0)
        "#]],
    );
}

#[test]
fn a_jump_into_the_middle_keeps_the_entry_first() {
    check_body(
        "goto inside; while (x) { y = 1; inside: y = 2; x--; } return y;",
        expect![[r#"
            0 -[y = 2]-> 3
            1 -[x]-> 2
            1 -[x == 0]-> exit (y)
            2 -[y = 1]-> 0
            3 -[x = x - 1]-> 1
        "#]],
    );
}
