//! One case for each kind of message, as `line:column code message | help`; then texts that are meant to break things.

use super::ast::{MAX_EXPR_DEPTH, MAX_NESTING};
use super::{MAX_DIAGNOSTICS, parse};
use crate::lts::lower::lower;
use crate::source::{LineIndex, Severity};
use proptest::prelude::*;

/// All messages for a text.
fn messages(source: &str) -> Vec<String> {
    let parsed = parse(source);
    let errors = parsed.diagnostics.iter().any(|d| d.severity == Severity::Error);
    assert_eq!(parsed.program.is_none(), errors, "a program iff no error");
    let index = LineIndex::new(source);
    let print = |d: &crate::source::Diagnostic| {
        let at = index.position(d.span.start);
        let help = d.help.as_ref().map(|h| format!(" | {h}")).unwrap_or_default();
        format!("{}:{} {} {}{help}", at.line, at.column, d.code, d.message)
    };
    parsed.diagnostics.iter().map(print).collect()
}

#[track_caller]
fn check(source: &str, expected: &[&str]) {
    assert_eq!(messages(source), expected, "{source}");
}

/// The codes only.
fn codes(source: &str) -> Vec<&'static str> {
    parse(source).diagnostics.iter().map(|d| d.code).collect()
}

/// Parses and, where that works, lowers every function: nothing may panic.
fn survive(source: &str) {
    let parsed = parse(source);
    let length = source.len() as u32;
    for d in &parsed.diagnostics {
        assert!(d.span.start <= d.span.end && d.span.end <= length, "{d:?}");
        assert!(source.is_char_boundary(d.span.start as usize) && source.is_char_boundary(d.span.end as usize), "{d:?}");
    }
    assert_eq!(parsed.program.is_some(), parsed.diagnostics.iter().all(|d| d.severity == Severity::Warning));
    if let Some(program) = parsed.program {
        for function in &program.functions {
            if let Ok(lowered) = lower(&program, Some(&function.name.text)) {
                crate::lts::structure::Structure::new(&lowered.lts);
                crate::lts::dot::dot(&lowered.lts);
            }
        }
    }
}

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

#[test]
fn numbers_and_characters() {
    check(
        "int f(int x) { x = 09; x = 0x; x = 12ab; x = 1.5; x = 1e3; x = 3uLL; x = 0x1F; x = 1f; return x; }",
        &[
            "1:20 bad-number `09` is not a number | a number that starts with 0 is octal and has only the digits 0 to 7",
            "1:28 bad-number `0x` is not a number | check its digits and suffix",
            "1:36 bad-number `12ab` is not a number | check its digits and suffix",
            "1:46 unsupported-float the number `1.5` is not an integer | scale the values to integers",
            "1:55 unsupported-float the number `1e3` is not an integer | scale the values to integers",
            "1:84 bad-number `1f` is not a number | check its digits and suffix",
        ],
    );
    check(
        r#"int f(int x) { x = 'ab'; x = ''; x = '\q'; x = '\400'; return 'z'; }"#,
        &[
            r#"1:20 bad-character `'ab'` is not one character | write one ASCII character such as 'a', '\n' or '\x41'"#,
            r#"1:30 bad-character `''` is not one character | write one ASCII character such as 'a', '\n' or '\x41'"#,
            r#"1:38 bad-character `'\q'` is not one character | write one ASCII character such as 'a', '\n' or '\x41'"#,
            r#"1:48 bad-character `'\400'` is not one character | write one ASCII character such as 'a', '\n' or '\x41'"#,
        ],
    );
    check(
        "int f(int x) { x = @ 3; x = x $ 2; x = é; return x; }",
        &[
            "1:20 unknown-character `@` means nothing in C | remove it",
            "1:30 missing-semicolon expected `;`, found `$`",
            "1:40 unknown-character `é` means nothing in C | remove it",
        ],
    );
    check(
        r#"int f(int x) {
  x = 'a;
  x = "abc;
  return y;
}"#,
        &[
            "2:7 unterminated-literal this character constant is never closed | close it with `'` on the same line",
            r#"3:7 unterminated-literal this string is never closed | close it with `"` on the same line"#,
            "4:10 undeclared-name `y` is not declared | declare it first: `int y;`",
        ],
    );
    check("int f(int x) { /* open ", &["1:16 unterminated-comment this comment is never closed | close it with `*/`"]);
}

#[test]
fn declarations() {
    check(
        r#"int f(int n) { int a[n]; int b[0]; int c[]; int d[2] = {1,2,3}; int e = {1}; int g[3] = 4; char s[] = "abc"; return "abc"; }"#,
        &[
            "1:22 unsupported-array the length of an array must be a constant | use a number or a `#define`d name, or make the array a parameter: its length is then open",
            "1:32 array-length an array cannot have 0 elements",
            "1:40 array-length the length of the array `c` is missing | write e.g. `c[10]`",
            "1:56 too-many-values 3 values do not fit into the array `d`",
            "1:73 scalar-initialiser `e` is one integer, not an array | write `e[]` for an array, or one value without braces",
            "1:89 array-initialiser the array `g` needs a list of values | write `{1, 2, 3}`",
            "1:103 unsupported-string strings as data are not supported | list the characters: `{'a', 'b', 0}`",
            "1:117 unsupported-string strings as data are not supported | a string can only be an argument of `printf` or `puts`",
        ],
    );
    check(
        "int x = y; int z = 1/0; int w = 3*4; int a[2] = {1, x}; int f(int n) { static int q = n; return q; }",
        &[
            "1:9 undeclared-name `y` is not declared | declare it first: `int y;`",
            "1:20 not-constant the first value of a global or static variable must be a constant | compute it from numbers, or assign it at the start of a function",
            "1:53 not-constant an element of a global or static array must be a constant | compute it from numbers, or assign it at the start of a function",
            "1:87 not-constant the first value of a global or static variable must be a constant | compute it from numbers, or assign it at the start of a function",
        ],
    );
    check(
        "int f(int x) { int x; int y; int y; { int y; } return x; } int f(int z) { return z; } int y; int y; int y[3]; int f;",
        &[
            "1:20 redefinition `x` is defined twice | rename one of them",
            "1:34 redefinition `y` is defined twice | rename one of them",
            "1:64 redefinition `f` is defined twice | rename one of them",
            "1:105 redefinition `y` is defined twice | rename one of them",
            "1:115 redefinition `f` is defined twice | rename one of them",
        ],
    );
    check("int f(int) { return 1; }", &["1:7 missing-name this parameter has no name | a function with a body needs names, e.g. `int n`"]);
    check(
        "int f(int x) { int a[2] = {{1, 2}}; int b[2] = {[1] = 2}; return x; }",
        &[
            "1:28 unsupported-initialiser only a plain list of values is supported here | list the elements in order: `{1, 2, 3}`",
            "1:49 unsupported-initialiser only a plain list of values is supported here | list the elements in order: `{1, 2, 3}`",
        ],
    );
}

#[test]
fn unknown_names_get_a_suggestion_once() {
    check(
        "int f(int count) { int swapped; coutn = 1; swaped = 2; swaped = 3; zzz = 3; return count; }",
        &[
            "1:33 undeclared-name `coutn` is not declared | did you mean `count`?",
            "1:44 undeclared-name `swaped` is not declared | did you mean `swapped`?",
            "1:68 undeclared-name `zzz` is not declared | declare it first: `int zzz;`",
        ],
    );
}

#[test]
fn scalars_arrays_and_functions() {
    check(
        "int a[3]; int s; int g(int x) { return x; } int f(int x) { s[1] = 2; a = 3; x = a + 1; x = g; a(3); return g(a); }",
        &[
            "1:60 scalar-as-array `s` is a single integer, not an array | declare it as an array, e.g. `int s[10]`",
            "1:70 array-as-scalar `a` is an array, not a single integer | name an element, e.g. `a[0]`; a whole array can only be passed to a function",
            "1:81 array-as-scalar `a` is an array, not a single integer | name an element, e.g. `a[0]`; a whole array can only be passed to a function",
            "1:92 function-as-value `g` is a function | call it: `g(…)`",
            "1:95 not-a-function `a` is a variable, not a function",
            "1:110 array-as-scalar `a` is an array, not a single integer | name an element, e.g. `a[0]`; a whole array can only be passed to a function",
        ],
    );
    check(
        "int g(int *p, int n) { return p[n]; } int f(int x) { return g(x, x) + g(x + 1, 2); }",
        &[
            "1:63 scalar-as-array `x` is a single integer, not an array | declare it as an array, e.g. `int x[10]`",
            "1:73 argument-kind the parameter `p` needs an array | pass the name of an array",
        ],
    );
    check(
        "int g(int x) { return x; } int f(int x) { g(x) = 3; x++ = 4; 5 = x; ++(x+1); (x) = 2; return 3[x]; }",
        &[
            "1:43 not-assignable this cannot be assigned to",
            "1:53 not-assignable this cannot be assigned to",
            "1:62 not-assignable this cannot be assigned to",
            "1:71 not-assignable this cannot be incremented",
            "1:94 not-an-array only a named array can be indexed",
        ],
    );
}

#[test]
fn calls() {
    check(
        "int g(int x) { return x; } void v(void) { } int f(int x) { x = g(1, 2); x = v(); x = h(1); x = prinft(1); return 0; }",
        &[
            "1:64 argument-count `g` takes 1 argument, not 2",
            "1:77 void-value `v` gives back no value | call it in a statement of its own",
            "1:86 unknown-function there is no function `h` | define it, or declare it with `extern int h();`: then its result is arbitrary, as with `nondet()`",
            "1:96 unknown-function there is no function `prinft` | did you mean `printf`?",
        ],
    );
    check(
        r#"int f(int x) { printf("a %d", x++); puts("b"); printf("c"); assume(); assert(x, x); x = assume(x); exit(); nondet(3); return x; }"#,
        &[
            "1:31 effect-in-print an argument of `printf` must not change anything | change the variable in a statement of its own",
            "1:61 argument-count `assume` takes 1 argument, not 0",
            "1:71 argument-count `assert` takes 1 argument, not 2",
            "1:89 void-value `assume` gives back no value | call it in a statement of its own",
            "1:100 argument-count `exit` takes 1 argument, not 0",
            "1:108 argument-count `nondet` takes 0 arguments, not 1",
        ],
    );
    check(
        "void nobody(int x); int arb(int x); double dbl(double x); int f(int x) { int a[3]; nobody(x); x = arb(x); x = nobody(x); dbl(x); arb(a); return x; }",
        &[
            "1:84 function-without-body `nobody` has no body: a call does nothing | define it if it matters",
            "1:99 function-without-body `arb` has no body: its result is taken to be arbitrary | as `nondet()`; define it if it matters",
            "1:111 void-value `nobody` gives back no value | call it in a statement of its own",
            "1:122 unsupported-type `dbl` has a type that is not supported",
            "1:134 array-escapes `arb` has no body, so it is unknown what it does to this array | define `arb`",
        ],
    );
}

#[test]
fn recursion_names_the_cycle() {
    check(
        "int f(int x) { return g(x); } int g(int x) { return h(x); } int h(int x) { return f(x) + h(x); }",
        &[
            "1:83 unsupported-recursion recursion is not supported: f → g → h → f | write it as a loop",
            "1:90 unsupported-recursion `h` calls itself: recursion is not supported | write it as a loop",
        ],
    );
}

#[test]
fn jumps_and_returns() {
    check(
        "void f(int x) { return x; break; continue; goto nowhere; l1: x = 1; l1: x = 2; goto l2; }",
        &[
            "1:24 unexpected-value a `void` function returns no value | give the function the type `int`, or write `return;`",
            "1:27 outside-loop `break` stands outside of a loop",
            "1:34 outside-loop `continue` stands outside of a loop",
            "1:49 unknown-label there is no label `nowhere` in this function | write `nowhere:` in front of the statement to go to",
            "1:69 duplicate-label the label `l1` stands twice in this function | rename one of them",
            "1:85 unknown-label there is no label `l2` in this function | did you mean `l1`?",
        ],
    );
    check(
        "int f(int x) { return; }",
        &["1:16 missing-value this function must return a value | write `return 0;`, or give the function the type `void`"],
    );
}

#[test]
fn an_assignment_as_condition_is_a_warning() {
    check(
        "int f(int x) { if (x = 1) x = 2; while ((x = nondet())) x = 3; return x; }",
        &[
            "1:20 assignment-in-condition this condition assigns to `x` | use `==` to compare; a second pair of parentheses says that the assignment is meant",
        ],
    );
}

#[test]
fn for_headers() {
    check(
        "int f(int x) { for (x = 0, x < 3, x++) x = 1; for (int i = 0; i < 3) x = 2; for (i = 0; x; ) { } return x; }",
        &[
            "1:38 syntax expected `;` (a `for` has three parts: `for (start; condition; step)`), found `)`",
            "1:68 syntax expected `;` (a `for` has three parts: `for (start; condition; step)`), found `)`",
            "1:82 undeclared-name `i` is not declared | declare it first: `int i;`",
        ],
    );
}

#[test]
fn nothing_to_look_at() {
    check("", &["1:1 no-function there is no function to look at | define one, e.g. `int main() { … }`"]);
    check("   /* nothing */ int x; ", &["1:1 no-function there is no function to look at | define one, e.g. `int main() { … }`"]);
    check("int f(int x);", &["1:1 no-function there is no function to look at | define one, e.g. `int main() { … }`"]);
}
#[test]
fn what_is_accepted() {
    for source in [
        "int f() { return 1; }",
        "extern int printf(const char *format, ...); void *malloc(unsigned long n); int f(void) { printf(\"%d\\n\", 1); return 1; }",
        "static const int n = 3, m = 4; long long g; int f(const int *a, register int n) { volatile int x = a[n]; return (x); }",
        "# 1 \"x.c\"\n#include <stdio.h>\n#pragma once\n#define N (2 * 3)\nint a[N]; int f(void) { return a[N - 1]; }",
        "__attribute__((noreturn)) void stop(void) __attribute__((cold)); int f(int x) { do { x--; } while (x > 0); return x; }",
        "#define assert(e) ((e) ? 0 : 1)\nvoid abort(void); int f(int x) { assert(x); if (x) abort(); return 0; }",
        "void assert(int c) { if (!c) { ERROR: goto ERROR; } } int f(int x) { assert(x); return 0; }",
        "int f(int x) { int y = x, *z; }".replace(", *z", "").as_str(),
        "main() { return 0; }",
        "int f(int x) { int a[] = {1, 2, 3,}; for (int i = 0, j = 2; i < j; i++, j--) x += a[i]; return x; }",
        "int f(int x) { return x ? x > 1 ? 1 : 2 : x, 3; }",
        "int f(int x) { x = 'a' + '\\n' + '\\\\' + '\\0' + '\\x7f' + 0x1F + 017 + 10uLL; // comment \\\n continued\n return x; }",
        "int f(int x) { x = 1 \\\n + 2; return x; }\r\nint g(int x) { return x; }\r\n",
        "#define A B\n#define B A\nint f(int A) { return A; }",
        "\u{FEFF}int f(void) { return 0; }",
        "int f(int x) { end: return x; } int g(int end) { goto end; end: return end; }",
    ] {
        assert_eq!(messages(source), [""; 0], "{source}");
        survive(source);
    }
}

#[test]
fn macros_are_shown_where_they_are_used() {
    check(
        "#define LIMIT limt\nint f(int limit) {\n  return LIMIT;\n}",
        &["3:10 undeclared-name `limt` is not declared | did you mean `limit`?"],
    );
}

#[test]
fn huge_constants_are_exact() {
    let digits = "7".repeat(5000);
    let program = parse(&format!("int f() {{ return {digits}; }}")).program.unwrap_or_default();
    let returned = lower(&program, None).ok().and_then(|l| l.lts.entry_returns);
    assert_eq!(returned, crate::logic::Int::parse(&digits).map(crate::lts::Expr::Int));
    assert_eq!(codes(&format!("int f() {{ return {}; }}", "7".repeat(20_000))), ["constant-too-long"]);
}

#[test]
fn nesting_is_bounded() {
    let within = MAX_NESTING as usize / 4;
    let around = |n: usize, open: &str, inside: &str, close: &str| {
        format!("int f(int x) {{ {}{inside}{} return x; }}", open.repeat(n), close.repeat(n))
    };
    let cases: [(&str, &str, &str); 7] = [
        ("x = (", "x", ")"),
        ("{", ";", "}"),
        ("if (x) {", "x = 1;", "}"),
        ("while (x) ", "x--;", ""),
        ("if (x) ; else { ", "x--;", "}"),
        ("do ", "x--;", " while (x);"),
        ("for (;x;) {", "x--;", "}"),
    ];
    for (open, inside, close) in cases {
        survive(&around(within, open, inside, close));
        for n in [1_000, 100_000] {
            let found = codes(&around(n, open, inside, close));
            assert!(found.contains(&"nesting-too-deep"), "{open}: {found:?}");
        }
    }
    for (open, close) in
        [("(", ")"), ("-", ""), ("!", ""), ("a[", "]"), ("g(", ")"), ("x ? x : ", ""), ("x = ", ""), ("(x || ", ")"), ("(int)", "")]
    {
        for n in [1_000, 100_000] {
            let source =
                format!("int a[3]; int g(int x) {{ return x; }} int f(int x) {{ x = {}1{}; return x; }}", open.repeat(n), close.repeat(n));
            assert_eq!(codes(&source), ["nesting-too-deep"], "{open}");
        }
        survive(&format!(
            "int a[3]; int g(int x) {{ return x; }} int f(int x) {{ x = {}1{}; return x; }}",
            open.repeat(within),
            close.repeat(within)
        ));
    }
    for n in [1_000, 100_000] {
        survive(&format!("int a[3] = {}1{};", "{".repeat(n), "}".repeat(n)));
        survive(&around(n, "a: ", ";", ""));
        survive(&"(".repeat(n));
        survive(&"{".repeat(n));
        survive(&"int f() { ".repeat(n));
        survive(&"int f(int (".repeat(n));
    }
}

#[test]
fn a_hundred_nested_ifs() {
    let source = format!("int f(int x) {{ {} x = 1; {} return x; }}", "if (x > 0) { x = x - 1; ".repeat(100), "}".repeat(100));
    assert_eq!(messages(&source), [""; 0]);
    survive(&source);
}

#[test]
fn chains_of_operators_are_bounded() {
    for operator in ["+", "&&", "<", ",", "||", "- -"] {
        let chain = |n: usize| format!("int f(int x) {{ x = 1; if (x {}) x = 2; return x; }}", format!("{operator} x ").repeat(n));
        survive(&chain(MAX_EXPR_DEPTH as usize / 2));
        assert_eq!(messages(&chain(MAX_EXPR_DEPTH as usize / 2)), [""; 0]);
        assert_eq!(codes(&chain(10_000)), ["expression-too-long"], "{operator}");
    }
}

#[test]
fn else_if_chains_are_no_nesting() {
    let source = format!("int f(int x) {{ if (x == 0) x = 1; {} return x; }}", "else if (x == 2) x = 3;\n".repeat(3_000));
    assert_eq!(messages(&source), [""; 0]);
    survive(&source);
}

#[test]
fn long_functions() {
    survive(&format!("int f(int x) {{ {} return x; }}", "x = x + 1; if (x > 3) { x--; }\n".repeat(3_000)));
    survive(&format!("int f(int x) {{ {} return x; }}", "L: x++;\n".repeat(3_000)));
    survive(&"int f(int x) { return x; }\n".repeat(3_000));
}

#[test]
fn macros_are_bounded() {
    let mut source = String::from("#define M0 1\n");
    for i in 1..60 {
        source += &format!("#define M{i} M{0} + M{0}\n", i - 1);
    }
    source += "int f() { return M59; }";
    assert!(codes(&source).contains(&"macro-too-large"));
    let mut source = String::from("#define E0\n");
    for i in 1..60 {
        source += &format!("#define E{i} E{0} E{0}\n", i - 1);
    }
    source += "int f() { return E59 1; }";
    assert!(codes(&source).contains(&"macro-too-large"));
    survive(&format!("#define A {}\nint f() {{ return A; }}", "A ".repeat(10_000)));
}

#[test]
fn inlining_is_bounded() {
    let chain = |n: usize, calls: &str| {
        let mut source = String::from("void f0(int x) { x++; }\n");
        for i in 1..n {
            source += &format!("void f{i}(int x) {{ {} }}\n", calls.replace('@', &format!("f{}", i - 1)));
        }
        source
    };
    let reason = |source: &str| {
        let program = parse(source).program.unwrap_or_default();
        lower(&program, None).err().map(|e| e[0].code)
    };
    assert_eq!(reason(&chain(40, "@(x); @(x);")), Some("too-large"));
    assert_eq!(reason(&chain(5_000, "@(x);")), Some("too-deep"));
    assert_eq!(reason(&chain(100, "@(x);")), None);
    // Calls that make no edges at all still cost time.
    let silent = chain(60, "@(); @();").replace("(int x)", "()").replace("x++;", "");
    assert_eq!(reason(&silent), Some("too-large"));
}

#[test]
fn a_flood_of_messages_is_cut() {
    let source = format!("int f(int x) {{ {} return x; }}", "x = @; ".repeat(300));
    let parsed = parse(&source);
    assert_eq!(parsed.diagnostics.len(), MAX_DIAGNOSTICS + 1);
    assert_eq!(parsed.diagnostics.last().map(|d| d.message.as_str()), Some("there are 250 more messages like these"));
}

#[test]
fn strange_texts() {
    for source in [
        "\0",
        "\0\0int f() { return 0; }\0",
        "#",
        "#define",
        "#define X",
        "#if",
        "#if\n#if\n#endif",
        "/*",
        "//",
        "\\",
        "\\\n",
        "'",
        "\"",
        "\"\\",
        "'\\",
        "𝛼𝛽",
        "int 𝛼;",
        "int f() { return 𝛼; }",
        "int f(",
        "int f()",
        "int f() {",
        "int f() { if",
        "int f() { if (",
        "int f() { for (;",
        "int f() { do",
        "int f() { return",
        "int f() { goto",
        "int f() { x",
        "int f() { x(",
        "int f() { x[",
        "int f() { int",
        "int f() { int a[",
        "int f() { int a = {",
        "int f() { switch",
        "int f() { switch (",
        "int f() { switch (x) {",
        "struct",
        "struct {",
        "struct { int x; } y;",
        "typedef",
        "enum",
        "int",
        "int a[",
        "int a = {1,",
        "__attribute__",
        "__attribute__((",
        "int f() __attribute__((x)) { return 0; }",
        "int main(int argc, char **argv) { return 0; }",
        "else",
        "case 1:",
        "}",
        "{",
        ")",
        "(",
        ";",
        "=",
        "...",
        "int f(...) {}",
        "int (",
        "int *",
        "int **",
        "x y z",
        "x y",
        "x",
        "int f() { a b c d; }",
        "static",
        "extern",
        "const",
        "int f() { static; const; }",
        "int f() { int; }",
        "int f(int a[) { }",
        "int f(int a[3]) { return a[0]; }",
        "int f() { return (int) ; }",
        "int f() { return (int",
        "int f() { return (struct s){1}; }",
        "int f() { L: }",
        "int f() { L:",
        "int f() { L: L: L: ; goto L; }",
        "#define f f(\nint f() {}",
        "#define x x x x\nint x;",
        "#define int\nint f() { return 0; }",
        "#define A ) {\nint f(A return 0; }",
    ] {
        survive(source);
    }
}

#[test]
fn every_prefix_of_a_program() {
    let source = include_str!("../../examples/substring.c");
    for (end, _) in source.char_indices() {
        survive(&source[..end]);
    }
}

/// Words that make the parser's life interesting.
const WORDS: [&str; 74] = [
    "int",
    "void",
    "char",
    "long",
    "const",
    "static",
    "extern",
    "unsigned",
    "float",
    "struct",
    "enum",
    "typedef",
    "if",
    "else",
    "while",
    "for",
    "do",
    "break",
    "continue",
    "return",
    "goto",
    "switch",
    "case",
    "default",
    "sizeof",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ":",
    "?",
    "=",
    "+=",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    "+",
    "-",
    "*",
    "/",
    "%",
    "++",
    "--",
    "!",
    "&&",
    "||",
    "&",
    "|",
    "~",
    ".",
    "->",
    "...",
    "#",
    "\n#define A x +\n",
    "\n#if\n",
    "\n#endif\n",
    "A",
    "f",
    "g",
    "x",
    "y",
    "a",
    "assert",
    "nondet",
    "0",
    "1",
    "'c'",
    "\"s\"",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn token_soup_never_panics(words in proptest::collection::vec(0..WORDS.len(), 0..120)) {
        let soup: Vec<&str> = words.iter().map(|&i| WORDS[i]).collect();
        let soup = soup.join(" ");
        survive(&soup);
        survive(&format!("int a[3]; int g(int x) {{ return x; }} int f(int x, int y) {{ {soup} }}"));
    }

    #[test]
    fn mutated_programs_never_panic(which in 0usize..4, edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..WORDS.len(), 0u8..3), 1..6)) {
        let examples = [
            include_str!("../../examples/merge.c"), include_str!("../../examples/bubble.c"),
            include_str!("../../examples/substring.c"), include_str!("../../examples/f2.c"),
        ];
        let mut text: Vec<String> = examples[which].split_inclusive([' ', '(', ')', ';', '\n', '[', ']']).map(str::to_string).collect();
        for (at, word, kind) in edits {
            let at = at.index(text.len());
            match kind {
                0 => text[at] = WORDS[word].to_string(),
                1 => text.insert(at, WORDS[word].to_string()),
                _ => {
                    text.remove(at);
                }
            }
        }
        survive(&text.concat());
    }

    #[test]
    fn random_text_never_panics(text in "\\PC{0,80}", bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        survive(&text);
        survive(&String::from_utf8_lossy(&bytes));
        survive(&format!("int f(int x) {{ {text} }}"));
    }
}
