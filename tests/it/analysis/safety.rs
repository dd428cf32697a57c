//! Places at which C may leave an execution undefined: that the graph with undefined edges has each of them, that no run fails at a safe
//! one, and what the check makes of claims about them.

use crate::common::asking::{about, ask, rejected};
use crate::differential::draw::{Drawer, Random};
use crate::differential::random;
use crate::differential::subject::Subject;
use culdesac::evidence::{Claim, Evidence, Statement};
use culdesac::interp::{Machine, Outcome, Undefined};
use culdesac::lts::undefined::{Hazard, UndefinedKind, with_undefined};
use culdesac::lts::{InputSource, Requirement};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;

/// Programs of the daily run.
const USUAL: u64 = 10;
/// Inputs for each program.
const INPUTS: u64 = 60;
/// Edges of a run that are looked at.
const LENGTH: u64 = 400;
/// Of a report.
const STEPS: u64 = 400_000;

/// What one call leaves for the next.
const RING: &str = "static unsigned char buf[8]; static int head, count;
int put(unsigned char c) { if (count == 8) return 0; buf[(head + count) % 8] = c; count++; return 1; }
int get(void) { if (count == 0) return -1; int c = buf[head]; head = (head + 1) % 8; count--; return c; }
static int s[4], top;
int push(int x) { s[top++] = x; return top; }
static int calls;
int f(int x) { calls++; return x + 1; }
";

/// The places of a function, as line, what happens, verdict.
fn places(source: &str, function: &str) -> Vec<(u64, String, String)> {
    places_within(source, function, None)
}

fn places_within(source: &str, function: &str, limit: Option<u64>) -> Vec<(u64, String, String)> {
    let request = culdesac::view::Request { function: Some(function.to_owned()), ..about(source, limit) };
    let answered = ask("report", &request, &json!({}), &mut |_| true).unwrap_or_else(|| panic!("refused:\n{source}"));
    assert_eq!(rejected(&answered.evidence), [""; 0], "{source}");
    let list = answered.document["safety"]["list"].as_array().expect("a list").clone();
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    list.iter().map(|place| (place["line"].as_u64().expect("a line"), text(&place["what"]), text(&place["verdict"]))).collect()
}

fn sentence(source: &str, function: &str) -> String {
    let request = culdesac::view::Request { function: Some(function.to_owned()), ..about(source, None) };
    let answered = ask("report", &request, &json!({}), &mut |_| true).unwrap_or_else(|| panic!("refused:\n{source}"));
    answered.document["sentence"].as_str().expect("a text").to_owned()
}

fn expected(list: &[(u64, &str, &str)]) -> Vec<(u64, String, String)> {
    list.iter().map(|&(line, what, verdict)| (line, what.to_owned(), verdict.to_owned())).collect()
}

/// A program that does not ask whether it got memory: the use of an array fails, and that nodes are there is said as an assumption.
#[test]
fn memory_that_nothing_checks_may_be_missing() {
    let null = |line, verdict| (line, "a null pointer is used", verdict);
    let array =
        "#include <stdlib.h>\nint f(int n) {\n  int *p = malloc(4 * sizeof *p);\n  p[0] = n;\n  n = p[0];\n  free(p);\n  return n;\n}\n";
    let found = places(array, "f");
    assert!(found.contains(&expected(&[null(4, "fails")])[0]), "{found:?}");
    let node = "#include <stdlib.h>\nstruct node { int v; struct node *next; };\nstruct node *push(struct node *head, int v) {\n  struct node *n = malloc(sizeof *n);\n  n->v = v;\n  n->next = head;\n  return n;\n}\n";
    assert!(sentence(node, "push").ends_with("no place can fail if `head` and `malloc()` are not null."), "{}", sentence(node, "push"));
    let checked = node.replace("  n->v", "  if (!n) return head;\n  n->v");
    assert!(sentence(&checked, "push").ends_with("no place can fail if `head` is not null."), "{}", sentence(&checked, "push"));
}

/// The ends of types make long loops overflow, and texts of numbers longest.
#[test]
fn the_ends_of_types_are_tried() {
    let root = "int f(int n) {\n  if (n < 0) return -1;\n  int r = 0;\n  while ((r + 1) * (r + 1) <= n) r++;\n  return r;\n}\n";
    assert!(places(root, "f").contains(&(4, "signed overflow".to_owned(), "fails".to_owned())), "{:?}", places(root, "f"));
    let text = "#include <stdio.h>\nint f(int x) {\n  char b[10];\n  sprintf(b, \"%d\", x);\n  return b[0];\n}\n";
    assert!(places(text, "f").iter().any(|(line, _, verdict)| (*line, verdict.as_str()) == (4, "fails")), "{:?}", places(text, "f"));
}

/// A conversion of a number with a fraction has its own bounds; counters of the library do not overflow.
#[test]
fn conversions_and_texts_are_judged() {
    let rounded = "int f(double x) {\n  if (!(x > -1e9 && x < 1e9)) return 0;\n  return (int)(x * 2 + 0.5);\n}\n";
    let conversion = |line, verdict| (line, "a conversion of a number beyond the integer type", verdict);
    assert_eq!(places(rounded, "f"), expected(&[conversion(3, "safe")]));
    assert_eq!(places(&rounded.replace("1e9", "2e9"), "f"), expected(&[conversion(3, "fails")]));
    let text = "#include <string.h>\nint f(const char *s) { return strlen(s) > 3 && strchr(s, 'x'); }\n";
    assert_eq!(places(text, "f"), []);
}

#[test]
fn what_lists_use_is_there_for_lists_of_every_length() {
    let node = "struct node { int value; struct node *next; };\n";
    let reverse = "struct node *reverse(struct node *head) {\n  struct node *prev = 0;\n  while (head) {\n    struct node *next = head->next;\n    head->next = prev;\n    prev = head;\n    head = next;\n  }\n  return prev;\n}\n";
    let null = |line, verdict| (line, "a null pointer is used", verdict);
    assert_eq!(places(&format!("{node}{reverse}"), "reverse"), expected(&[null(5, "safe"), null(6, "safe")]));
    let last = "int last(struct node *head) {\n  while (head->next) head = head->next;\n  return head->value;\n}\n";
    assert!(places(&format!("{node}{last}"), "last").iter().all(|(_, _, verdict)| verdict == "safe"));
    // The function does not ask whether the list is empty, so that is said.
    assert!(sentence(&format!("{node}{last}"), "last").ends_with("no place can fail if `head` is not null."));
    assert!(sentence(&format!("{node}{reverse}"), "reverse").ends_with("no place can fail."));
    let unset = "int second(struct node *head) {\n  if (!head) return 0;\n  return head->next->value;\n}\n";
    assert_eq!(places(&format!("{node}{unset}"), "second"), expected(&[null(4, "fails")]));
    let tree = "struct tree { int key; struct tree *left, *right; };\nstruct tree *insert(struct tree *root, struct tree *n) {\n  if (!n || !root) return n;\n  struct tree *t = root;\n  for (;;) {\n    struct tree **link = n->key < t->key ? &t->left : &t->right;\n    if (!*link) { *link = n; return root; }\n    t = *link;\n  }\n}\n";
    assert!(places(tree, "insert").iter().all(|(_, _, verdict)| verdict == "safe"), "{:?}", places(tree, "insert"));
}

#[test]
fn each_kind_of_place_has_its_verdict() {
    let source = "int f(int x, unsigned n) {\n  int a[4] = {1, 2, 3, 4}, s = 0;\n  for (int i = 0; i < 4; i++) s += a[i];\n  if (x > 0 && x < 10) s += 100 / x;\n  if (n < 8) s += 1 << n;\n  return a[n % 5];\n}\nint g(unsigned x) {\n  unsigned r = 7 / (x - 3);\n  return r;\n}\n";
    let whats: Vec<(u64, String, String)> = places(source, "f").into_iter().filter(|(line, ..)| *line != 3).collect();
    let has = |line: u64, what: &str, verdict: &str| whats.contains(&(line, what.to_owned(), verdict.to_owned()));
    assert!(has(4, "division by zero", "safe"), "{whats:?}");
    assert!(has(6, "an index outside of `a`", "fails"), "{whats:?}");
    assert!(whats.iter().any(|(line, what, verdict)| *line == 5 && what.starts_with("a shift") && verdict == "safe"), "{whats:?}");
    assert_eq!(places(source, "g"), expected(&[(9, "division by zero", "fails")]));
    let loops = "int g(int n) {\n  int a[8];\n  for (int i = 0; i < 8; i++) a[i] = i;\n  int s = 0;\n  for (int i = 0; i < n && i < 8; i++) s += a[i] & 7;\n  return s;\n}\n";
    let of_index: Vec<_> = places(loops, "g").into_iter().filter(|(_, what, _)| what.starts_with("an index")).collect();
    assert_eq!(of_index, expected(&[(3, "an index outside of `a`", "safe"), (5, "an index outside of `a`", "safe")]));
}

/// What no execution gets to is safe by the claims about the branches before it, and a division that executions get to is not.
#[test]
fn places_in_code_that_never_runs_are_safe() {
    let of = |kind: &str, list: Vec<(u64, String, String)>| list.into_iter().filter(|place| place.1.contains(kind)).collect::<Vec<_>>();
    let digits = |bound: u32| {
        format!(
            "int f(const unsigned char a[5], int z) {{\n  unsigned x = 0;\n  for (int i = 0; i < 5; i++) x = x * 3 + (a[i] & 1);\n  if (x > {bound})\n    return 100 / z;\n  return 0;\n}}\n"
        )
    };
    let divides = "division by zero";
    assert_eq!(of(divides, places(&digits(121), "f")), expected(&[(5, divides, "safe")]));
    assert_eq!(of(divides, places(&digits(120), "f")), expected(&[(5, divides, "fails")]));
    let squares = "int f(unsigned char a, int z) {\n  if (a * a % 4 == 3)\n    return 100 / z;\n  return 0;\n}\n";
    assert_eq!(of(divides, places(squares, "f")), expected(&[(3, divides, "safe")]));
}

#[test]
fn what_types_say_is_no_place() {
    assert_eq!(places("int f(unsigned char c, short s) { return c + s * 2 + c / 3 + (c << 3); }\n", "f"), []);
    // Nor what first contents of an array that nothing changes say.
    let table = "int f(unsigned m) { static const int days[4] = {31, 28, 31, 30}; return 365 / days[m & 3]; }\n";
    assert_eq!(places(table, "f"), []);
    for other in [table.replace("31, 30}", "31}"), table.replace("31, 30}", "31, 0}")] {
        assert_eq!(places(&other, "f"), expected(&[(1, "division by zero", "fails")]), "{other}");
    }
}

/// What a conversion in front of a call says of its argument is found in few steps, however hard the rest is.
#[test]
fn conversions_decide_arguments_of_calls() {
    let source = "#include <stdio.h>\n#include <string.h>\n#include <ctype.h>\nint main(void) {\n  char s[32];\n  int u = 0, l = 0, d = 0;\n\
                  if (!fgets(s, sizeof s, stdin)) return 1;\n  s[strcspn(s, \"\\n\")] = 0;\n  for (size_t i = 0; i < strlen(s); i++) {\n\
                  if (isupper((unsigned char)s[i])) u++;\n  else if (islower((unsigned char)s[i])) l++;\n\
                  else if (isdigit((unsigned char)s[i])) d++;\n  }\n  return u && l && d;\n}\n";
    let arguments = places_within(source, "main", Some(1_500_000)).into_iter().filter(|(_, what, _)| what.contains("ctype"));
    let verdicts: Vec<(u64, String)> = arguments.map(|(line, _, verdict)| (line, verdict)).collect();
    assert_eq!(verdicts, [10, 11, 12].map(|line| (line, "safe".to_owned())));
}

#[test]
fn what_no_check_has_is_not_judged() {
    for (source, function) in [
        ("int f(int *a, int i) { if (i > 3) return 1 / 2; return a[i]; }\n", "f"),
        ("int f(void) { int x; if (scanf(\"%d\", &x) != 1) return 1; if (x > 3) return 2; return 0; }\n", "f"),
        ("int f(int x) { __asm__(\"nop\" : \"+r\"(x)); if (x > 3) return 2; return 0; }\n", "f"),
    ] {
        let said = sentence(source, function);
        assert!(!said.contains("no place can fail"), "{said}: {source}");
        let request = culdesac::view::Request { function: Some(function.to_owned()), ..about(source, None) };
        let answered = ask("report", &request, &json!({}), &mut |_| true).expect("a program");
        assert!(answered.document["safety"]["unjudged"].as_array().is_some_and(|list| !list.is_empty()), "{source}");
    }
}

/// Where Cover finds no failing run: in what a function returns without an edge, and where few inputs fail.
#[test]
fn finders_look_for_runs_that_fail() {
    for (source, what) in [
        ("int f(int a, int b) { return (a + b) / 2; }\n", "signed overflow"),
        ("int f(int n) { return (n & 255) << 24 >> 2; }\n", "signed overflow"),
        ("unsigned f(unsigned n) { return 100 / (n - 7); }\n", "division by zero"),
        (
            "int f(int n) { int a[3], b[3]; int *p = a, *q = n ? b : a + 1; if (p < q) return 1; return q - p; }\n",
            "pointers into different objects are ordered or subtracted",
        ),
    ] {
        assert!(places(source, "f").contains(&(1, what.to_owned(), "fails".to_owned())), "{source}");
        let request = culdesac::view::Request { function: Some("f".to_owned()), ..about(source, None) };
        let answered = ask("report", &request, &json!({}), &mut |_| true).expect("a program");
        assert_eq!(rejected(&answered.evidence), [""; 0], "{source}");
        let errors: Vec<_> =
            answered.document["findings"].as_array().expect("a list").iter().filter(|one| one["kind"] == "error").collect();
        assert_eq!(errors.len(), 1, "{source}");
        assert!(errors[0]["input"].is_object(), "{source}");
        assert!(sentence(source, "f").contains("1 place can fail"), "{source}");
    }
}

/// What is not judged of a function, beside edges of its graph.
/// A run that fails begins with statics as calls leave them, and what holds of all that calls leave keeps places safe.
#[test]
fn statics_are_as_calls_leave_them() {
    for function in ["put", "get"] {
        assert!(sentence(RING, function).ends_with("no place can fail."), "{function}: {}", sentence(RING, function));
    }
    let verdicts = |function| places(RING, function).into_iter().map(|(line, _, verdict)| format!("{line} {verdict}")).collect::<Vec<_>>();
    assert_eq!(verdicts("push"), ["5 fails", "5 safe"]);
    // Two thousand million calls would have to come before.
    assert_eq!(verdicts("f"), ["7 open", "7 fails"]);
    let request = culdesac::view::Request { function: Some("push".to_owned()), ..about(RING, None) };
    let answered = ask("report", &request, &json!({}), &mut |_| true).expect("an answer");
    let error = &answered.document["findings"][0];
    assert_eq!((error["kind"].as_str(), error["after"].as_array().map(Vec::len)), (Some("error"), Some(4)), "{error}");
    assert_eq!(error["assumes"], json!([]));
}

fn not_judged(source: &str) -> Vec<String> {
    let request = culdesac::view::Request { function: Some("f".to_owned()), ..about(source, None) };
    let answered = ask("report", &request, &json!({}), &mut |_| true).unwrap_or_else(|| panic!("refused:\n{source}"));
    let list = answered.document["safety"]["unjudged"].as_array().expect("a list");
    let texts = list.iter().map(|one| one["what"].as_str().expect("a text").to_owned());
    texts.filter(|what| !what.starts_with("whether each index")).collect()
}

/// Elements of local arrays: a loop over all of them, rows of rows, and a function of the library set them, single assignments do not.
#[test]
fn elements_that_may_never_be_set_are_not_judged() {
    let not_set = "whether the elements of `t` are set before they are read";
    for (source, is_told) in [
        ("int f(int n) { int t[8]; for (int i = 0; i < 8; i++) t[i] = i; return t[n & 7] > 3; }", false),
        (
            "int f(int n) { int t[2][3]; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) t[i][j] = i; return t[n & 1][1] > 0; }",
            false,
        ),
        ("#include <string.h>\nint f(int n) { char t[8]; memset(t, 0, sizeof t); return t[n & 7] > 3; }", false),
        ("int f(int n) { int t[8] = {1}; return t[n & 7] > 3; }", false),
        ("int f(int n) { int t[8]; t[0] = n; return t[n & 7] > 3; }", true),
        ("int f(int n) { int t[8]; for (int i = 0; i < 7; i++) t[i] = i; return t[n & 7] > 3; }", true),
    ] {
        assert_eq!(not_judged(source).iter().any(|what| what == not_set), is_told, "{source}");
    }
}

/// A test that reads a variable or an element which nothing has set is an error, with an input that leaves the value open.
#[test]
fn values_that_nothing_has_set_are_errors() {
    let scan = "int scanf(const char *, ...);\n";
    for (error, place, input, source) in [
        ("`r` is read before", "r == 1", "x = 0", "int f(int x) { int r; if (x > 0) r = 1; if (r == 1) return 10; return 0; }".to_owned()),
        (
            "`n` is read before",
            "n > 3",
            "stdin",
            format!("{scan}int f(void) {{ int n; scanf(\"%d\", &n); if (n > 3) return 1; return 0; }}"),
        ),
        // Only a text that breaks off leaves it unset.
        (
            "`n` is read before",
            "n > 3",
            "stdin",
            format!(
                "{scan}int getchar(void); int f(void) {{ int n; if (getchar() != '2') return 0; scanf(\"%d\", &n); if (n > 3) return 1; return 2; }}"
            ),
        ),
        (
            "an element of `seen` is read before",
            "seen[x & 3]",
            "x = ",
            "int f(int x) { int seen[4]; seen[1] = 1; if (seen[x & 3]) return 1; return 0; }".to_owned(),
        ),
    ] {
        let request = culdesac::view::Request { function: Some("f".to_owned()), ..about(&source, None) };
        let answered = ask("report", &request, &json!({}), &mut |_| true).unwrap_or_else(|| panic!("refused:\n{source}"));
        let errors: Vec<&serde_json::Value> =
            answered.document["findings"].as_array().expect("a list").iter().filter(|finding| finding["kind"] == "error").collect();
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        assert_eq!(errors.len(), 1, "{source}: {errors:?}");
        assert!(text(&errors[0]["evidence"]).starts_with(error), "{:?}", errors[0]);
        assert_eq!(text(&errors[0]["text"]), place, "{source}");
        assert!(errors[0]["input"].to_string().contains(input.split(' ').next().unwrap_or_default()), "{:?}", errors[0]["input"]);
        assert!(!not_judged(&source).iter().any(|what| what.contains("before")), "{source}");
    }
    let counted = format!("{scan}int f(void) {{ int n, m; int read = scanf(\"%d %d\", &n, &m); if (read != 2) return 0; return n > m; }}");
    assert!(!not_judged(&counted).iter().any(|what| what.contains("before")));
    let guarded = format!("{scan}int f(void) {{ int n; if (scanf(\"%d\", &n) != 1) return 0; if (n > 3) return 1; return 0; }}");
    assert!(!sentence(&guarded, "f").contains("can fail"));
}

/// How long a caller's array is, a function does not know, wherever it keeps the pointer.
#[test]
fn indices_in_arrays_of_callers_are_not_judged() {
    let source = "struct view { int first; const unsigned char *at; };
        int f(const unsigned char *bytes, unsigned long length, struct view *to) { if (!bytes || !to) return -1; if (length < 2) return -2;
            to->first = bytes[1]; to->at = bytes; if (to->first == 7) return 1; return 0; }";
    assert!(!sentence(source, "f").contains("can fail"));
}

/// Runs that are known tell of errors, also where no step is left to look for any.
#[test]
fn known_runs_that_fail_are_errors() {
    let source = "int f(int n) { int a[4] = {0}; int at = n; if (n > 3 || n < 0) at = 4; if (n == 77) a[at] = 1; return a[0]; }";
    for limit in [40_000, 1_000] {
        let request = culdesac::view::Request { function: Some("f".to_owned()), ..about(source, Some(limit)) };
        let answered = ask("report", &request, &json!({}), &mut |_| true).expect("a program");
        let findings = answered.document["findings"].as_array().expect("a list");
        let of_kind = |kind: &str| findings.iter().filter(|finding| finding["kind"] == kind).count();
        assert_eq!((of_kind("error"), of_kind("never_runs")), (1, 0), "{limit}: {findings:?}");
    }
}

#[test]
fn uses_of_memory_without_a_check_are_not_judged() {
    for (what, source) in [
        (
            "whether `a` is used after",
            "static int *p; static void set(int n) { int a[3] = {n}; p = a; } int f(int n) { set(n); return *p; }",
        ),
        (
            "whether `a` is used after",
            "struct s { int *p; }; static void set(struct s *s) { int a[3] = {0}; s->p = a; } int f(void) { struct s s; set(&s); return s.p[1]; }",
        ),
        ("whether `a` is used after", "int f(int n) { int *p = 0; if (n) { int a[3] = {1, n, 3}; p = a; } return p ? p[1] : 0; }"),
        (
            "whether `m` is used after",
            "struct n { int v; struct n *next; }; static struct n *head; static void push(int v) { struct n m; m.v = v; m.next = head; head = &m; } int f(int n) { push(n); return head->v; }",
        ),
        (
            "whether `free` gets",
            "#include <stdlib.h>\nstruct v { int *data, *next; }; int f(struct v *v, int n) { v->data = malloc(16); if (!v->data) return 1; v->next = v->data; if (n) *v->next++ = n; free(v->next); return 0; }",
        ),
        ("whether `free` gets", "#include <stdlib.h>\nint f(int n) { int a[3] = {n}; int *p = a; if (n) free(p); return 0; }"),
        (
            "whether `free` gets",
            "#include <stdlib.h>\nstatic int a[4]; static int *p = a; int f(int n) { if (n) { p = malloc(8); if (!p) return 1; } free(p); return n; }",
        ),
        (
            "whether the arguments of `vfprintf` fit its format",
            "#include <stdarg.h>\n#include <stdio.h>\nstatic void say(const char *t, ...) { va_list ap; va_start(ap, t); vfprintf(stderr, t, ap); va_end(ap); } int f(int n) { if (n) say(\"%s\", n); return 0; }",
        ),
        (
            "whether `realloc` gets",
            "#include <stdlib.h>\nint f(int n) { char *p = malloc(8); if (!p) return 1; char *q = n ? p + 1 : p; char *r = realloc(q, 16); if (r) free(r); return 0; }",
        ),
        (
            "whether a constant",
            "struct r { char *at; }; int f(int n) { struct r r = {\"abc\"}; char own[4] = \"xyz\"; if (n > 2) r.at = own; *r.at = 'x'; r.at++; return *r.at; }",
        ),
        (
            "whether a constant",
            "struct r { char *at; }; static struct r r = {\"abc\"}; int f(int n) { char own[4] = \"xyz\"; if (n > 2) r.at = own; *r.at = 'x'; r.at++; return *r.at; }",
        ),
        ("whether a constant", "static const int k = 3; int f(int n) { int *p = (int *)&k; *p = n; return k / 2; }"),
        (
            "whether what `memcpy` reads",
            "#include <string.h>\nint f(int n) { char a[8] = \"abcdef\"; memcpy(a + 1, a, n & 7); return a[0]; }",
        ),
        (
            "whether what `strcpy` reads",
            "#include <string.h>\nint f(int n) { char a[8] = \"ab\", *p = n ? a : a + 1; strcpy(p, a); return a[0]; }",
        ),
        ("whether `x` is set", "int f(int n) { int x; if (n > 2) x = 1; if (n > 3) return x; return 0; }"),
        (
            "whether `x` is set",
            "int scanf(const char *, ...); int f(int n) { int x; if (n < 7) return 1; scanf(\"%d\", &x); if (n > 7 && n < 7) return x; return 0; }",
        ),
        (
            "whether `g.x` is set",
            "static int g(int n) { int x; if (n > 2) x = 1; if (n > 3) return x; return 0; } int f(int n) { return g(n); }",
        ),
        ("whether the value of a function", "static int g(int n) { if (n > 2) return 1; } int f(int n) { return g(n); }"),
    ] {
        let found = not_judged(source);
        assert!(found.iter().any(|one| one.starts_with(what)), "{found:?}: {source}");
        assert!(!sentence(source, "f").contains("no place can fail"), "{source}");
    }
    for source in [
        // A flag says that it is set.
        "int f(int x) { int found = 0, at; for (int i = 0; i < 4; i++) if (i == x) { found = 1; at = i; } if (found) return at; return -1; }",
        "static int sum(int *p, int n) { int s = 0; while (n-- > 0) s += *p++ & 1; return s; } int f(int n) { int a[3] = {n, 2, 3}; return sum(a, 3); }",
        "#include <stdlib.h>\nint f(int n) { int *p = malloc(8); if (!p) return 1; p[0] = n; free(p); return 0; }",
        "#include <stdlib.h>\nstruct n { int v; struct n *next; }; void f(struct n *p) { while (p) { struct n *q = p->next; free(p); p = q; } }",
        "#include <stdlib.h>\nstruct v { int *data; int n; }; int f(struct v *v) { int *more = realloc(v->data, 16); if (!more) return 1; v->data = more; return 0; }",
        "#include <string.h>\nint f(int n) { char a[8], b[8] = \"ab\"; strcpy(a, b); memcpy(b, a, 3); memmove(a + 1, a, 3); return a[n & 7]; }",
        "struct r { const char *at; }; static int get(struct r *r) { return *r->at ? *r->at++ : -1; } int f(int n) { struct r r = {\"abc\"}; char own[4] = \"xyz\"; if (n > 2) r.at = own; own[0] = 'y'; return get(&r); }",
        "int f(int n) { int x, y = 0; if (n > 2) x = 1; else x = 2; for (int i = 0; i < 3; i++) { int z; z = i; y += z; } return x + y; }",
    ] {
        assert_eq!(not_judged(source), [""; 0], "{source}");
    }
}

/// Whether a run can end so at a place.
fn has_place(reason: &Undefined) -> bool {
    let without = [Requirement::Callers, Requirement::CommandLine, Requirement::Inside, Requirement::OneObject, Requirement::Text];
    !without.map(UndefinedKind::Unmet).contains(&reason.kind())
}

#[test]
fn runs_fail_in_both_graphs_at_one_place_and_never_at_a_safe_one() {
    let (mut failed, mut safe) = (0, 0);
    for number in random::numbers(USUAL) {
        let source = random::program(number);
        let subject = Subject::read(Path::new("random.c"), &source).unwrap_or_else(|refusal| panic!("{refusal:?}\n{source}"));
        let function = &subject.functions[0];
        let lts = &function.lts;
        let whole = with_undefined(lts);
        let (machine, with_edges) = (Machine::new(lts), Machine::new(&whole.lts));
        // A check draws values of its own.
        let is_alike = !lts.draws_from(&|source| !matches!(source, InputSource::Approximated));
        let request = culdesac::view::Request { function: Some(lts.function.clone()), ..about(&source, Some(STEPS)) };
        let answered = ask("report", &request, &json!({}), &mut |_| true).unwrap_or_else(|| panic!("refused:\n{source}"));
        assert_eq!(rejected(&answered.evidence), [""; 0], "{source}");
        let claims = &answered.evidence.claims;
        let excluded: BTreeSet<u32> = claims.iter().flat_map(|claim| defined(claim).to_vec()).collect();
        let is_safe = |hazard: &Hazard| hazard.edges.iter().all(|edge| excluded.contains(&(edge.index() as u32)));
        safe += whole.hazards.iter().filter(|hazard| is_safe(hazard)).count();
        let drawer = Drawer::new(function);
        for input in 0..INPUTS {
            let input = drawer.input(&mut Random::new(&source, input));
            let run = machine.run(&input, LENGTH);
            let Outcome::Undefined(reason) = &run.outcome else { continue };
            let place = whole
                .hazards
                .iter()
                .position(|place| place.edge == run.stopped_before && place.part == run.stopped_in && place.kind == reason.kind());
            let Some(place) = place else {
                assert!(!has_place(reason), "program {number}: no place for {reason:?} before {:?}\n{source}", run.stopped_before);
                continue;
            };
            failed += 1;
            assert!(!is_safe(&whole.hazards[place]), "program {number}: a run fails at a safe place: {reason:?}\n{source}");
            if is_alike {
                let again = with_edges.run(&input, 64 * LENGTH);
                let last = again.edges.last().expect("an edge");
                assert!(whole.hazards[place].edges.contains(last), "program {number}: {reason:?}, {:?}\n{source}", again.outcome);
            }
        }
    }
    assert!(failed > 0 && safe > 0, "{failed} runs fail, {safe} places are safe");
}

fn defined(claim: &Claim) -> &[u32] {
    if let Statement::Defined { edges, .. } = &claim.statement { edges } else { &[] }
}

#[test]
fn a_forged_claim_is_rejected() {
    let source = "int f(int y, int x) {\n  int a[4] = {0};\n  for (int i = 0; i < 4; i++) a[i] = i;\n  if (x != 0) return 8 / x;\n  return a[x & 3] + 6 / y;\n}\n";
    let answered = ask("report", &about(source, None), &json!({}), &mut |_| true).expect("a program");
    assert_eq!(rejected(&answered.evidence), [""; 0]);
    let claims: Vec<&Claim> = answered.evidence.claims.iter().filter(|claim| !defined(claim).is_empty()).collect();
    assert!(!claims.is_empty());
    let base = culdesac::load::load(&about(source, None)).expect("a program").base;
    let whole = with_undefined(&base);
    let proved: BTreeSet<u32> = claims.iter().flat_map(|claim| defined(claim).to_vec()).collect();
    let failing = whole.hazards.iter().flat_map(|hazard| &hazard.edges).map(|edge| edge.index() as u32).find(|edge| !proved.contains(edge));
    let failing = failing.expect("a hazard is not safe");
    let is_believed = |claim: Claim| rejected(&Evidence { claims: vec![claim], ..answered.evidence.clone() }).is_empty();
    let mut tried = 0;
    for claim in claims {
        let Statement::Defined { edges: places, graph, certificates } = &claim.statement else { continue };
        assert!(is_believed(claim.clone()));
        let with = |edges: Vec<u32>, graph: &culdesac::evidence::PrunedGraph, certificates: &[culdesac::evidence::Proof]| Claim {
            statement: Statement::Defined { edges, graph: graph.clone(), certificates: certificates.to_vec() },
            ..claim.clone()
        };
        for other in [failing, whole.lts.graph.edge_count() as u32] {
            assert!(!is_believed(with([&places[..], &[other]].concat(), graph, certificates)), "edge {other}");
            tried += 1;
        }
        for at in 0..certificates.len() {
            let mut fewer = certificates.clone();
            fewer.remove(at);
            assert!(!is_believed(with(places.clone(), graph, &fewer)), "certificate {at}");
            tried += 1;
        }
        for at in 0..graph.edges.len() {
            let mut other = graph.clone();
            other.edges.remove(at);
            assert!(!is_believed(with(places.clone(), &other, certificates)), "edge {at}");
            tried += 1;
        }
        // The claim is about the graph with undefined edges.
        let edges = places.clone();
        let excluded = Statement::Excluded { taken: true, edges, graph: graph.clone(), certificates: certificates.clone() };
        assert!(!is_believed(Claim { statement: excluded, ..claim.clone() }));
    }
    assert!(tried > 20, "{tried}");
    for (from, to) in [("i < 4", "i < 5"), ("x != 0", "x != 1"), ("x & 3", "y & 7")] {
        let changed = source.replace(from, to);
        let evidence = Evidence { source: changed, ..answered.evidence.clone() };
        assert!(!rejected(&evidence).is_empty(), "{}", evidence.source);
    }
}
