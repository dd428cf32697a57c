//! Tables of pointers that `malloc` makes: what a run gives, as gcc and its sanitizers have it.

use culdesac::interp::{Input, Outcome, run};
use culdesac::lts::Requirement;
use culdesac::lts::lower::{IntegerModel, Lowered, Options, lower_with};
use culdesac::source::Diagnostic;

fn lowered(source: &str, function: &str) -> Result<Lowered, Vec<Diagnostic>> {
    let parsed = culdesac::lang::parse(source);
    let program = parsed.program.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    lower_with(&program, Some(function), &Options { ints: IntegerModel::C32, ..Options::default() })
}

/// What `main` gives back, or what it fails.
fn result(source: &str) -> Result<i64, String> {
    let lts = lowered(source, "main").unwrap_or_else(|errors| panic!("{errors:?}")).lts;
    let run = run(&lts, &Input::default(), 10_000);
    match run.outcome {
        Outcome::Returned => Ok(run.value.and_then(|value| value.to_i64()).expect("a value")),
        Outcome::Undefined(reason) => Err(reason.to_string()),
        other => panic!("{other:?}"),
    }
}

const MAKE: &str = "#include <stdlib.h>
    int **make(int m, int n) { int **t = malloc(m * sizeof(int *)); int i, j; for (i = 0; i < m; i++) t[i] = malloc(n * sizeof(int));
        for (i = 0; i < m; i++) for (j = 0; j < n; j++) t[i][j] = i * 10 + j; return t; }
    int sum(int **t, int m, int n) { int s = 0; for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) s += t[i][j]; return s; }
    void drop(int **t, int m) { for (int i = 0; i < m; i++) free(t[i]); free(t); }";

/// `main` with a table of four rows, each of three elements.
fn with(statements: &str) -> Result<i64, String> {
    result(&format!("{MAKE} int main(void) {{ int **t = make(4, 3); {statements} }}"))
}

/// Each element stands alone, wherever the table goes.
#[test]
fn elements_are_kept() {
    assert_eq!(with("int s = sum(t, 4, 3); drop(t, 4); return s;"), Ok(192));
    assert_eq!(with("t[1][2] = 5; t[2][0] += 7; (*t)[1]--; ++*t[3]; return sum(t, 4, 3) + t[1][2] * 1000;"), Ok(5192));
    // Two tables, and copies of their addresses.
    let two = "int **u = make(2, 2), **v; u[1][1] = 100; v = t; t = u; u = v; v = NULL; return sum(t, 2, 2) * 1000 + sum(u, 4, 3);";
    assert_eq!(with(two), Ok(111_192));
    // Rows of different lengths, and tables in a loop.
    let steps = "int main(void) { int s = 0; for (int k = 1; k < 4; k++) { long **t = (long **)malloc(sizeof(long *) * k);
        for (int i = 0; i < k; i++) { t[i] = malloc(sizeof(long) * (i + 1)); t[i][i] = i + k; } for (int i = k; i-- > 0; ) s = s * 10 + t[i][i]; } return s; }";
    assert_eq!(result(&format!("#include <stdlib.h>\n{steps}")), Ok(132_543));
    let kinds = "int main(void) { unsigned char **t = malloc(2 * sizeof *t); short **u = malloc(sizeof(short *)); t[1] = malloc(3); u[0] = malloc(2 * sizeof(short));
        t[1][2] = 300; u[0][1] = t[1][2] * 1000; return u[0][1] + t[1][2]; }";
    assert_eq!(result(&format!("#include <stdlib.h>\n{kinds}")), Ok(-21_492));
}

/// Two slots may hold one row; a row that is replaced is another one.
#[test]
fn rows_are_shared_and_replaced() {
    assert_eq!(with("t[0] = t[3]; t[0][1] = 77; return t[3][1] + t[1][1];"), Ok(88));
    assert_eq!(with("t[0] = t[1]; t[1] = malloc(sizeof(int)); t[1][0] = 5; return t[0][0] * 100 + t[1][0];"), Ok(1005));
    assert_eq!(with("free(t[2]); t[2] = NULL; free(t[2]); return (t[2] == 0) * 10 + !t[2] + (t[2] != NULL ? 100 : 0);"), Ok(11));
    assert_eq!(with("if (t == NULL) return 1; if (!t[1]) return 2; return t && t[3] && t[0] != 0 ? 7 : 3;"), Ok(7));
    assert_eq!(
        with("if ((t[1] = malloc(8)) == NULL) return 1; if (!(t[2] = t[1])) return 2; t[2][1] = 6; return (t[3] = 0) ? 3 : t[1][1];"),
        Ok(6)
    );
    assert_eq!(with("int **u = 0; free(u); u = t; return u[3][2] + (u == 0);"), Ok(32));
}

/// What is not there is neither read nor written.
#[test]
fn bounds_hold() {
    let outside = Err(Requirement::Index.to_string());
    for access in ["t[4][0]", "t[-1][0]", "t[0][3]", "t[1][-1]", "t[3][4]"] {
        assert_eq!(with(&format!("return {access};")), outside, "{access}");
        assert_eq!(with(&format!("{access} = 3; return 0;")), outside, "{access}");
    }
    let null = Err(Requirement::Pointer.to_string());
    assert_eq!(with("t[2] = 0; return t[2][0];"), null);
    assert_eq!(with("t = NULL; t[0][0] = 1; return 0;"), null);
    let gone = Err(Requirement::Allocated.to_string());
    let fresh = "int **u = malloc(2 * sizeof(int *));";
    for statements in [
        "free(t[1]); return t[1][0];",
        "free(t[1]); t[1][0] = 1; return 0;",
        "free(t[1]); free(t[1]); return 0;",
        "int **u = t; free(t); return u[0][0];",
        "free(t); t[0] = 0; return 0;",
        "free(t); free(t); return 0;",
        "t[0] = t[1]; free(t[0]); return t[1][2];",
        "drop(t, 4); return sum(t, 1, 1);",
    ] {
        assert_eq!(with(statements), gone, "{statements}");
    }
    assert_eq!(with("free(t[4]); return 0;"), outside);
    let never_set = Err(Requirement::Set.to_string());
    for statements in
        [&format!("{fresh} return u[1][0];"), &format!("{fresh} u[0] = u[1]; return u[0][0];"), &format!("{fresh} free(u[1]); return 0;")]
    {
        assert_eq!(with(statements), never_set, "{statements}");
    }
}

/// Whether memory is there is drawn where the program uses it or asks for it.
#[test]
fn memory_may_be_missing() {
    let draws = |statements: &str| {
        let lts =
            lowered(&format!("#include <stdlib.h>\nint main(void) {{ int **t = malloc(8); {statements} }}"), "main").expect("followed").lts;
        lts.graph.edge_weights().any(|edge| edge.nondets() > 0)
    };
    assert!(draws("t[0] = malloc(4); t[0][0] = 1; return t[0][0];"));
    assert!(draws("if (t == 0) return 1; t[0] = malloc(4); return 0;"));
}

/// Rows are pointers as any others.
#[test]
fn rows_are_pointers() {
    const FIRST: &str = "int first(const int *p) { return p[0]; } static int **kept;";
    let with = |statements: &str| result(&format!("{MAKE} {FIRST} int main(void) {{ int **t = make(2, 2); {statements} }}"));
    for (statements, expected) in [
        ("int *p = t[1]; return p[0];", 10),
        ("return *(*(t + 1) + 1);", 11),
        ("int i = 0; int x = t[i++][0]; return x + i;", 1),
        ("int i = 0; int x = t[1][i++]; return x + i;", 11),
        ("t[0] = calloc(3, sizeof(int)); return t[0][0];", 0),
        ("int **u = t + 1; return u[0][0];", 10),
        ("return first(t[1]);", 10),
        ("int *p = &t[0][0] + 1; return *p;", 1),
        ("int *p = &t[1][0]; return p[1];", 11),
        ("kept = t; return kept[1][1];", 11),
        ("int ***v = &t; return (*v)[1][0];", 10),
        ("int a[3] = {7}; t[1] = a; return t[1][0];", 7),
        ("if (t[0]) goto end; t = NULL; end: return t[1][0];", 10),
    ] {
        assert_eq!(with(statements), Ok(expected), "{statements}");
    }
}

/// What is done with such a pointer besides is refused, whatever else the program does.
#[test]
fn other_uses_are_refused() {
    for statements in ["int x = 3; t[0] = &x; return t[0][0];", "other(t); return t[0][0];", "long x = (long)(t[0] = NULL); return x;"] {
        let source = format!("{MAKE} void other(int **); int main(void) {{ int **t = make(2, 2); {statements} }}");
        let errors = lowered(&source, "main").map(|_| ()).expect_err(statements);
        assert_eq!(errors[0].code, "unsupported-pointer", "{statements}");
    }
}
