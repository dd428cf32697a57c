//! One case for each kind of message: form, and what is outside the subset.

use super::check;

#[test]
fn recovery_goes_on_after_a_syntax_error() {
    check(
        "int f(void) { int a; a = 1 a = 2; b = ; return a; }",
        &[
            "1:27 missing-semicolon expected `;`, found `a`",
            "1:35 undeclared-name `b` is not declared | declare it first: `int b;`",
            "1:39 syntax expected an expression, found `;`",
        ],
    );
    check(
        r"int f(int x) {
  x = 1
  x = 2;
  return x
}",
        &["2:8 missing-semicolon expected `;`, found `x`", "4:11 missing-semicolon expected `;`, found `}`"],
    );
    check(
        "int f(int x) { int y = 3 int z = 4; y = z return y; }",
        &["1:25 missing-semicolon expected `;`, found `int`", "1:42 missing-semicolon expected `;`, found `return`"],
    );
    check(
        "int f(int x) { return x ? 1; } int g(int x) { return x ? 1 : ; }",
        &["1:28 syntax expected `:` of `? :`, found `;`", "1:62 syntax expected an expression, found `;`"],
    );
    check(
        "int f(int x) { break x; }",
        &["1:16 outside-loop `break` stands outside of a loop", "1:21 missing-semicolon expected `;`, found `x`"],
    );
    check("int f(int x, ) { return x; }", &["1:14 syntax expected a parameter, found `)`"]);
}

#[test]
fn misspelt_keywords_are_taken_for_what_was_meant() {
    check(
        "int f(int x) { whlie (x > 0) { x--; } retrun x; }",
        &[
            "1:16 misspelt-keyword `whlie` is not a keyword | did you mean `while`?",
            "1:39 misspelt-keyword `retrun` is not a keyword | did you mean `return`?",
        ],
    );
    check(
        "int f(int x) { fro (x = 0; x < 3; x++) x = 1; if (x) { x = 1; } esle { x = 2; } return x; }",
        &[
            "1:16 misspelt-keyword `fro` is not a keyword | did you mean `for`?",
            "1:65 misspelt-keyword `esle` is not a keyword | did you mean `else`?",
        ],
    );
    check(
        "Int f(int x) { inr y = 3; return x; }",
        &[
            "1:1 misspelt-keyword `Int` is not a keyword | did you mean `int`?",
            "1:16 misspelt-keyword `inr` is not a keyword | did you mean `int`?",
        ],
    );
    check("int f(int x) { while (x) { braek; } return x; }", &["1:28 misspelt-keyword `braek` is not a keyword | did you mean `break`?"]);
}

#[test]
fn unclosed_parentheses_and_brackets() {
    check("int f(int x) { if (x { x = 1; } return x; }", &["1:21 unclosed expected `)`, found `{`"]);
    check(
        "int f(int x) { if x > 0 { x = 1; } while x x--; return x; }",
        &[
            "1:18 syntax expected `(` after `if`, found `x` | write `if (condition)`",
            "1:41 syntax expected `(` after `while`, found `x` | write `while (condition)`",
        ],
    );
    check(
        "int f(int x) { int m[3]; x = (x + 1; x = m[3; return f2(x; } int f2(int x) { return x; }",
        &["1:36 unclosed expected `)`, found `;`", "1:45 unclosed expected `]`, found `;`", "1:58 unclosed expected `)`, found `;`"],
    );
    check("int f(int x) { x = 1); return x; }", &["1:21 syntax expected `;`, found `)`"]);
}

#[test]
fn unbalanced_braces() {
    check(
        r"int f(int x) {
  if (x) {
    x = 1;
  return x;
}",
        &["5:2 missing-brace a closing brace `}` is missing"],
    );
    check(
        r"int f(int x) {
  while (x) {
    x = 1;
  return x;
}
int g(int y) { return y; }
int h(int y) { return z; }",
        &[
            "5:2 missing-brace a closing brace `}` is missing before this function",
            "7:23 undeclared-name `z` is not declared | declare it first: `int z;`",
        ],
    );
    check(
        r"int f(int x) { return x; } }
int g(int y) { return z; }",
        &["1:28 unexpected-brace this closing brace `}` closes nothing | remove it, or add the `{` that it belongs to"],
    );
    check("int f(int x) {", &["1:15 missing-brace a closing brace `}` is missing"]);
}

#[test]
fn types_outside_the_subset() {
    check(
        "int f(int x) { unsigned u = 3; long double g, h; double long d = 1.5; struct s *p; u = x; return u + g; }",
        &[
            "1:32 unsupported-type the type `long double` is not supported | use `double`",
            "1:50 unsupported-type the type `long double` is not supported | use `double`",
        ],
    );
    check(
        "typedef int T; T g; T f(T x) { T y = 3; return x.y + x->z; }",
        &[
            "1:48 not-a-struct this is not a structure | only structures have members",
            "1:54 not-a-pointer only a pointer can be followed with `*` or `->` | use the value itself, or `.` for a member",
        ],
    );
    check(
        "enum e { A, B }; int f(int x) { return A + undefd; }",
        &["1:44 undeclared-name `undefd` is not declared | declare it first: `int undefd;`"],
    );
    check(
        "int f(int x) { foo y; size_t z = 3; return z + y; }",
        &["1:16 unknown-type `foo` is not a type that is known here | define it, e.g. `typedef int foo;`, or use C's own types"],
    );
    check("int f(int x) { _Bool b; return b; }", &[]);
    check(
        "long double d(long double x) { return x * 2; } int f(int x) { return d(x); }",
        &[
            "1:1 unsupported-type the type `long double` is not supported | use `double`",
            "1:15 unsupported-type the type `long double` is not supported | use `double`",
        ],
    );
    check(
        "int f(unsigned x, long double y) { return x + y; } int g() { return f(1, 2); }",
        &["1:19 unsupported-type the type `long double` is not supported | use `double`"],
    );
}

#[test]
fn pointers_and_arrays_outside_the_subset() {
    check("int f(int x) { int *p; int a[3][4]; p = &x; *p = 3; a[1][2] = x; return sizeof(int); }", &[]);
    check(
        "int *f(int x) { return x; } int g(void x, void) { void y; return x; }",
        &[
            "1:35 void-variable a parameter cannot be `void` | use `int`",
            "1:43 void-variable a parameter cannot be `void` | use `int`",
            "1:51 void-variable the variable `y` cannot be `void` | use `int`",
        ],
    );
    check("int l(void *p, int **q, char *s, int m[][3]) { return 0; }", &[]);
    check("int k(int (*g)(int)) { return g(3) + (*g)(4); } int f() { int (*p)(void); return p() + k(f); }", &[]);
    check(
        "int f(int x) { return (x + 1)(3); }",
        &[
            "1:23 unsupported-function-pointer only functions and pointers to them can be called | call the functions by their names, e.g. in a `switch`",
        ],
    );
}

#[test]
fn operators_and_casts_outside_the_subset() {
    check("int f(int x) { x = x & 3 | 4; x <<= 2; x = ~x ^ 1; return x; }", &[]);
    check("int f(int x) { return (char)x + (int)x + (long)x + (unsigned)x; }", &[]);
    check("int f(int x) { x = sizeof x; return x; }", &[]);
}

#[test]
fn statements_and_functions_outside_the_subset() {
    check("int f(int x) { switch (x) { case 1: x = 2; break; default: x = 3; } return x; }", &[]);
    check(
        "int f(int x) { else x = 2; case 3: x = 1; do x--; until (x); return x; }",
        &[
            "1:16 else-without-if this `else` belongs to no `if` | an `if` with several statements needs braces around them",
            "1:28 outside-switch this label stands outside of a `switch` | put it between the braces of `switch (…) { … }`",
            "1:50 syntax expected `while` after the body of `do`, found `until`",
        ],
    );
    check("int f(int x, ...) { return x; }", &[]);
    check("int f(a, b) int a; int b; { return a; } int g(a) { return a; } int h() { return f(1, 2); }", &[]);
    check(
        "int f(int x) { int f2(int y) { return y; } return f2(x); }",
        &[
            "1:16 unsupported-nested-function a function inside a function is not supported | move it out; if it stands outside already, a closing brace `}` is missing before it",
        ],
    );
    check(
        "x = 3; if (x) y = 2; int f(int x) { return x; }",
        &[
            "1:1 statement-outside a statement stands outside of a function, at `x` | put statements into a function, e.g. `int main() { … }`",
            "1:8 statement-outside a statement stands outside of a function, at `if` | put statements into a function, e.g. `int main() { … }`",
        ],
    );
}
