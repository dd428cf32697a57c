//! Arrays of rows whose length is computed: what a run gives, as gcc and its sanitizers have it.

use culdesac::interp::{Input, Outcome, run};
use culdesac::lts::Requirement;
use culdesac::lts::lower::{IntegerModel, Options, lower_with};

/// What `main` gives back, or what it fails.
fn result(body: &str) -> Result<i64, String> {
    let parsed = culdesac::lang::parse(body);
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    let options = Options { ints: IntegerModel::C32, ..Options::default() };
    let lts = lower_with(&program, Some("main"), &options).unwrap_or_else(|errors| panic!("{errors:?}")).lts;
    let run = run(&lts, &Input::default(), 10_000);
    match run.outcome {
        Outcome::Returned => Ok(run.value.and_then(|value| value.to_i64()).expect("a value")),
        Outcome::Undefined(reason) => Err(reason.to_string()),
        other => panic!("{other:?}"),
    }
}

/// `main` with a matrix `a` of `m` rows, each of `n` elements.
fn with(m: i64, n: i64, statements: &str) -> Result<i64, String> {
    result(&format!("int main(void) {{ int m = {m}, n = {n}; int a[m][n]; {statements} }}"))
}

const FILL: &str = "for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) a[i][j] = i * 10 + j;";

/// An element is where C puts it, with the lengths that the declaration saw.
#[test]
fn elements_stand_row_by_row() {
    assert_eq!(with(4, 3, &format!("{FILL} int *p = &a[0][0]; return p[2 * n + 1] * 100 + p[m * n - 1];")), Ok(2132));
    assert_eq!(with(4, 3, &format!("{FILL} n = 1; m = 0; return a[3][2] * 100 + *(a[1] + 2) + (*(a + 2))[1];")), Ok(3200 + 12 + 21));
    let deep = "int main(void) { int x = 2, y = 3, z = 4; int a[x][y][z]; for (int i = 0; i < x * y * z; i++) (&a[0][0][0])[i] = i;
        int b[2][z]; b[1][3] = 7; return a[1][2][3] * 1000 + a[0][1][0] * 10 + b[1][3]; }";
    assert_eq!(result(deep), Ok(23_047));
    let anew = "int main(void) { int s = 0; for (int k = 1; k < 4; k++) { int a[k][k + 1]; a[k - 1][k] = k; s = s * 10 + (&a[0][0])[k * (k + 1) - 1]; }
        return s; }";
    assert_eq!(result(anew), Ok(123));
}

/// A name leads to no other row, a pointer to no other object; lengths are positive.
#[test]
fn bounds_are_those_of_each_length() {
    let outside = Err(Requirement::Index.to_string());
    for access in ["a[1][3]", "a[1][-1]", "a[4][0]", "a[-1][2]", "(*(a + 1))[3]", "(&a[0][0])[12]", "(&a[0][0])[-1]", "(&a[1][0])[9]"] {
        assert_eq!(with(4, 3, &format!("{FILL} return {access};")), outside, "{access}");
    }
    assert_eq!(with(4, 3, &format!("{FILL} return (&a[1][0])[8] * 100 + (&a[1][0])[-3];")), Ok(3200));
    let empty = Err(Requirement::Length.to_string());
    for (m, n) in [(0, 3), (3, 0), (-1, 3), (3, -1), (-2, -2)] {
        assert_eq!(with(m, n, "return 0;"), empty, "{m} {n}");
    }
}

/// A parameter's rows are as long as the argument's, or the call is undefined.
#[test]
fn rows_are_passed() {
    let sum =
        "int sum(int m, int n, int a[m][n]) { int s = 0; for (; m > 0; m--, a++) for (int j = 0; j < n; j++) s += (*a)[j]; return s; }";
    let call = |arguments: &str| {
        result(&format!(
            "{sum} int main(void) {{ int m = 4, n = 3; int a[m][n]; int b[2][3] = {{{{1, 2, 3}}, {{4, 5, 6}}}}; {FILL} return sum({arguments}); }}"
        ))
    };
    assert_eq!([call("m, n, a"), call("1, 3, a + 2"), call("2, n, b")], [Ok(192), Ok(63), Ok(21)]);
    let other = Err(Requirement::Rows.to_string());
    assert_eq!([call("3, 4, a"), call("2, 2, b")], [other.clone(), other]);
}

/// An arbitrary index is drawn once, though each of its bounds is checked.
#[test]
fn an_index_is_drawn_once() {
    let source =
        "int f(int n) { int a[n], b[n][n]; return a[__VERIFIER_nondet_int()] + b[__VERIFIER_nondet_int()][__VERIFIER_nondet_int()]; }";
    let program = culdesac::lang::parse(source).program.expect("a program");
    let lts = lower_with(&program, None, &Options::default()).unwrap_or_else(|errors| panic!("{errors:?}")).lts;
    assert_eq!(lts.graph.edge_weights().map(|edge| edge.nondets()).sum::<u32>(), 3, "no bound is checked with a draw of its own");
}
