//! Tables of pointers to the rows of an array: each row is an object of its own, whichever name leads there.

use super::literals::wrong_functions;
use super::meaning::as_said;
use super::nodes::verdicts;

const HEAD: &str = "#include <stddef.h>\n";

const FUNCTIONS: &[&str] = &[
    "int first_values(int x) { int m[3][2] = {{1, 2}, {3, 4}}; int *p[3]; p[0] = m[2]; p[1] = m[0]; p[2] = m[1]; int i = (unsigned)x % 3, k = x & 1; p[i][k] += 5; return m[0][k] * 100 + p[0][k] * 10 + m[i][1]; }",
    "int texts(int x) { char buf[3][4] = {\"ab\", \"c\"}; char *n[3] = {buf[1], buf[0], NULL}; int i = (unsigned)x % 3; if (n[i] == NULL) return 1; n[i][1] = 'z'; return buf[0][1] * 3 + buf[1][1] + n[i][0]; }",
    "int exchanged(int x) { short rows[2][3]; short *p[2]; for (int i = 0; i < 2; i++) { p[i] = rows[i]; for (int k = 0; k < 3; k++) rows[i][k] = 10 * i + k; } short *t = p[0]; p[0] = p[1]; p[1] = t; int k = (unsigned)x % 3; *p[0] += x & 7; p[1][k] = 7; return rows[0][k] * 100 + rows[1][0] + p[0][k]; }",
    "int lines(int x) { char store[3][4], *at[3]; int n = 0, used[3]; for (; n < (x & 3) && n < 3; n++) { at[n] = store[n]; used[n] = 0; while (used[n] < 3) *(at[n] + used[n]++) = 'a' + n; store[n][used[n]] = 0; } return n == 0 ? 0 : store[n - 1][1] + at[n - 1][2] - used[0] + (int)sizeof store + (int)sizeof store[0]; }",
    "int moving(int x) { int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; int *p[2] = {m[1], m[0]}; int s = 0; for (int i = 0; i < 2; i++) { int *q = p[i] + (x & 1); while (q < p[i] + 3) s = s * 7 + *q++; p[i] = q - 1; } return s + *p[x > 9] + (p[0] == &m[1][2]); }",
];

#[test]
fn rows_are_those_of_the_array() {
    let wrong = wrong_functions("rows", HEAD, FUNCTIONS);
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn rows_are_followed_for_all_values() {
    as_said(
        "#include <stddef.h>\nint f(int i, int k) { int m[3][2] = {{1, 2}, {3, 4}}; int *p[3]; p[0] = m[2]; p[1] = m[0]; p[2] = m[1];\n if (i < 0 || i > 2 || k < 0 || k > 1)\n return 1; // reached\n if (p[i][k] == 7)\n return 2; // never\n if (p[i][k] == 4)\n return 3; // reached\n p[0][k] = 9;\n if (m[2][k] != 9)\n return 4; // never\n return 0; // reached\n }",
    );
    // An array of the whole program, in `main`.
    let global = "int buf[3][2] = {{0, 1}}, *p[3]; int main(int argc, char **argv) { for (int n = 0; n < 3; n++) p[n] = buf[n];
        if (p[0][1] != 1) return 1; p[2][0] = argc; if (buf[2][0] == 3) return 2; return 0; }";
    assert_eq!(verdicts(global, "main"), [5, 1, 0]);
}

/// What looks at all rows at once, or passes the end of one, is not followed, or undefined.
#[test]
fn rows_stay_apart() {
    let whole = "int f(int i) { int m[2][2] = {{1, 2}, {3, 4}}, *p[2]; p[0] = m[0]; p[1] = m[1]; int (*q)[2] = m; if (p[i & 1][0] != 1 && q[1][0] == 3) return 1; return 2; }";
    assert_eq!(verdicts(whole, "f")[1], 0);
    let later = "int f(int i) { int m[2][2] = {{1, 2}, {3, 4}}, *p[2] = {m[0], m[1]}; if (p[i & 1][0] == 3) return 1; return 2; }";
    assert_eq!(verdicts(later, "f")[1], 0);
    let past = "int f(int i) { int m[2][2] = {{1, 2}, {3, 4}}, *p[2]; p[0] = m[0]; p[1] = m[1]; if (p[0][i] == 3) return 1; return 2; }";
    assert_eq!(verdicts(past, "f"), [1, 1, 0]);
}
