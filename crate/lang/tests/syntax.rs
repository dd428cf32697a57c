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
        "int f(int x) { unsigned u = 3; float g, h; double d = 1.5; struct s *p; u = x; return u + g; }",
        &[
            "1:16 unsupported-type `unsigned` integers are not supported: values here do not wrap around | use `int`; say `assume(x >= 0);` where that matters",
            "1:32 unsupported-type the type `float` is not supported: values here are integers | scale the values to integers",
            "1:44 unsupported-type the type `double` is not supported: values here are integers | scale the values to integers",
            "1:60 unsupported-struct `struct` is not supported | use one variable for each member",
        ],
    );
    check(
        "typedef int T; T g; T f(T x) { T y = 3; return x.y + x->z; }",
        &["1:1 unsupported-typedef `typedef` is not supported | write the type itself, e.g. `int`"],
    );
    check(
        "enum e { A, B }; int f(int x) { return A + undefd; }",
        &[
            "1:1 unsupported-enum `enum` is not supported | use `#define NAME value` and `int`",
            "1:44 undeclared-name `undefd` is not declared | declare it first: `int undefd;`",
        ],
    );
    check(
        "int f(int x) { foo y; size_t z = 3; return z + y; }",
        &[
            "1:16 unknown-type `foo` is not a type that is known here | the types are `int`, `long`, `short`, `char`, `signed` and, for functions, `void`",
            "1:23 unknown-type `size_t` is not a type that is known here | the types are `int`, `long`, `short`, `char`, `signed` and, for functions, `void`",
        ],
    );
    check("int f(int x) { _Bool b; return b; }", &["1:16 unsupported-type the type `_Bool` is not supported | use `int` with 0 and 1"]);
    check(
        "double d(double x) { return x * 2; } int f(int x) { return d(x); }",
        &["1:1 unsupported-type the type `double` is not supported: values here are integers | scale the values to integers"],
    );
    check(
        "int f(unsigned x, float y) { return x + y; } int g() { return f(1, 2); }",
        &[
            "1:7 unsupported-type `unsigned` integers are not supported: values here do not wrap around | use `int`; say `assume(x >= 0);` where that matters",
            "1:19 unsupported-type the type `float` is not supported: values here are integers | scale the values to integers",
        ],
    );
}

#[test]
fn pointers_and_arrays_outside_the_subset() {
    check(
        "int f(int x) { int *p; int a[3][4]; p = &x; *p = 3; a[1][2] = x; return sizeof(int); }",
        &[
            "1:20 unsupported-pointer pointer variables are not supported | pass an array as a parameter `int *a` or `int a[]` and use indices",
            "1:28 unsupported-array arrays of more than one dimension are not supported | use one dimension: `a[row * width + column]`",
            "1:41 unsupported-pointer taking an address with `&` is not supported | return the value, or pass an array",
            "1:45 unsupported-pointer following a pointer with `*` is not supported | use an array element: `a[0]`",
            "1:53 unsupported-array arrays of more than one dimension are not supported | use one dimension: `a[row * width + column]`",
            "1:73 unsupported-sizeof `sizeof` is not supported | write the number",
        ],
    );
    check(
        "int *f(int x) { return x; } int g(void x, void) { void y; return x; }",
        &[
            "1:5 unsupported-pointer functions that return pointers are not supported | pass an array as a parameter `int *a` or `int a[]` and use indices",
            "1:35 unsupported-pointer a parameter cannot be `void` | pass an array as a parameter `int *a` or `int a[]` and use indices",
            "1:43 unsupported-pointer a parameter cannot be `void` | pass an array as a parameter `int *a` or `int a[]` and use indices",
            "1:51 void-variable the variable `y` cannot be `void` | use `int`",
        ],
    );
    check(
        "int l(void *p, int **q, char *s, int m[][3]) { return 0; }",
        &[
            "1:7 unsupported-pointer `void *` is not supported | pass an array as a parameter `int *a` or `int a[]` and use indices",
            "1:16 unsupported-pointer pointers to pointers are not supported | pass an array as a parameter `int *a` or `int a[]` and use indices",
            "1:38 unsupported-array arrays of more than one dimension are not supported | use one dimension: `a[row * width + column]`",
        ],
    );
    check(
        "int k(int (*g)(int)) { return g(3); } int f() { int (*p)(void); return p(); }",
        &[
            "1:11 unsupported-function-pointer function pointers and declarators in parentheses are not supported | call the function by its name",
            "1:53 unsupported-function-pointer function pointers and declarators in parentheses are not supported | call the function by its name",
        ],
    );
}

#[test]
fn operators_and_casts_outside_the_subset() {
    check(
        "int f(int x) { x = x & 3 | 4; x <<= 2; x = ~x ^ 1; return x; }",
        &[
            "1:22 unsupported-operator the bit operator `&` is not supported: values here are integers of any size | did you mean `&&`?",
            "1:26 unsupported-operator the bit operator `|` is not supported: values here are integers of any size | did you mean `||`?",
            "1:33 unsupported-operator the bit operator `<<=` is not supported: values here are integers of any size | use arithmetic or comparisons",
            "1:44 unsupported-operator the bit operator `~` is not supported: values here are integers of any size | use arithmetic or comparisons",
            "1:47 unsupported-operator the bit operator `^` is not supported: values here are integers of any size | use arithmetic or comparisons",
        ],
    );
    check(
        "int f(int x) { return (char)x + (int)x + (long)x + (unsigned)x; }",
        &[
            "1:23 unsupported-cast the cast `(char)` is not supported | only `(int)` and `(long)` are",
            "1:52 unsupported-cast the cast `(unsigned)` is not supported | only `(int)` and `(long)` are",
        ],
    );
    check("int f(int x) { x = sizeof x; return x; }", &["1:20 unsupported-sizeof `sizeof` is not supported | write the number"]);
}

#[test]
fn statements_and_functions_outside_the_subset() {
    check(
        "int f(int x) { switch (x) { case 1: x = 2; break; default: x = 3; } return x; }",
        &["1:16 unsupported-switch `switch` is not supported | write it as `if (x == 1) … else if (x == 2) … else …`"],
    );
    check(
        "int f(int x) { else x = 2; case 3: x = 1; do x--; until (x); return x; }",
        &[
            "1:16 else-without-if this `else` belongs to no `if` | an `if` with several statements needs braces around them",
            "1:28 unsupported-switch `case` stands outside of a `switch`",
            "1:50 syntax expected `while` after the body of `do`, found `until`",
        ],
    );
    check(
        "int f(int x, ...) { return x; }",
        &["1:14 unsupported-variadic a variable number of arguments is not supported | list the parameters"],
    );
    check(
        "int f(a, b) int a; int b; { return a; } int g(a) { return a; } int h() { return f(1, 2); }",
        &[
            "1:5 unsupported-old-style parameter types after the parentheses are not supported | write the types inside: `int f(int a, int b)`",
            "1:45 unsupported-old-style parameter types after the parentheses are not supported | write the types inside: `int f(int a, int b)`",
        ],
    );
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

#[test]
fn the_preprocessor_s_limits() {
    check(
        r"#define SQ(x) ((x)*(x))
#if 1
int g(int y) { return y; }
#endif
#ifdef X
#else
#endif
#foo
#define 3
#define
int f(int x) { return SQ(x) + g(x); }",
        &[
            "1:9 unsupported-macro `SQ` is a macro with parameters, which is not supported | write `SQ` as a function",
            "2:1 unsupported-directive conditional compilation is not supported | keep the branch you want to look at and remove the directives",
            "5:1 unsupported-directive conditional compilation is not supported | keep the branch you want to look at and remove the directives",
            "8:1 unsupported-directive the directive `#foo` is not supported | remove the line; `#define NAME value` and `#include` are understood",
            "9:9 bad-directive `3` cannot be the name of a macro | write `#define NAME value`",
            "10:1 bad-directive `#define` needs a name | write `#define NAME value`",
        ],
    );
}
