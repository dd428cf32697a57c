//! Orders of evaluation that C leaves open, and reads of volatile objects: what compilers do must be among what is said to be feasible.

use crate::common::cases;
use culdesac::analysis::Listener;
use culdesac::analysis::cover::{CoverDocument, CoverSettings, cover};
use culdesac::interp::{Input, Machine, Outcome};
use culdesac::lang;
use culdesac::logic::Int;
use culdesac::lts::assume::{Assumption, Assumptions, under};
use culdesac::lts::lower::{IntegerModel, Lowered, Options, lower_with};
use culdesac::lts::text;
use culdesac::source::Diagnostic;
use culdesac::view::{InputValue, Number, Reply, Request};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;

const OPTIONS: Options = Options { ints: IntegerModel::C32, inline_depth: 8, label_steps: false };

fn lowered(source: &str, options: &Options) -> Result<Lowered, Vec<Diagnostic>> {
    let parsed = lang::parse(source);
    let program = parsed.program.unwrap_or_else(|| panic!("{source}\n{:?}", parsed.diagnostics));
    lower_with(&program, Some("f"), options)
}

/// Whether C leaves an order open that makes a difference.
fn is_open(lowered: &Lowered) -> bool {
    Assumption::LeftToRight.site(&lowered.lts).is_some()
}

/// What `f` may return, whatever the orders are; nothing where some run is undefined.
fn outcomes_of(lowered: &Lowered) -> Option<BTreeSet<Int>> {
    let machine = Machine::new(&lowered.lts);
    let mut found = BTreeSet::new();
    let mut open: Vec<Vec<Int>> = vec![Vec::new()];
    while let Some(nondet) = open.pop() {
        let run = machine.run(&Input { nondet: nondet.clone(), ..Input::default() }, 10_000);
        if run.nondet_used > nondet.len() {
            open.extend([Int::ZERO, Int::ONE].map(|choice| nondet.iter().cloned().chain([choice]).collect()));
            continue;
        }
        if run.outcome != Outcome::Returned {
            return None;
        }
        found.extend(run.value);
    }
    Some(found)
}

fn outcomes(source: &str) -> Vec<i64> {
    let lowered = lowered(source, &OPTIONS).unwrap_or_else(|errors| panic!("{source}\n{errors:?}"));
    let found = outcomes_of(&lowered).unwrap_or_else(|| panic!("{source}\nis undefined"));
    found.iter().filter_map(Int::to_i64).collect()
}

fn covered(source: &str) -> CoverDocument {
    let request = Request { program: "p".to_owned(), source: source.to_owned(), function: Some("f".to_owned()), ..Request::default() };
    let settings = CoverSettings { unwind: None, algorithm: "sc".to_owned(), precondition: None, summaries: false };
    match cover(&request, &settings, &mut Listener::new(&mut |_| true)) {
        Reply::Document { document } => document,
        Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
    }
}

fn labels(source: &str) -> Vec<String> {
    let lts = lowered(source, &OPTIONS).unwrap_or_else(|errors| panic!("{source}\n{errors:?}")).lts;
    lts.graph.edge_weights().map(|edge| text::label(&lts, edge)).collect()
}

const COUNTER: &str = "int g; int inc(void) { return ++g; } int sub(int a, int b) { return a - b; } \
    int two(int a, int b, int c, int d) { return 1000 * a + 100 * b + 10 * c + d; } ";

#[test]
fn calls_that_conflict_come_in_every_order() {
    let set = "int y; int g(void) { y = 5; return 1; } ";
    let array = "int i, a[3]; int next(void) { i = 1; a[0] = 7; a[1] = 9; return 3; } ";
    let add = "int x; int add(int n) { x += n; return n; } ";
    for (globals, body, all) in [
        (COUNTER, "g = 0; return sub(inc(), inc());", vec![-1, 1]),
        (COUNTER, "g = 0; return inc() - inc() * 10;", vec![-19, -8]),
        (set, "y = 1; return y + g();", vec![2, 6]),
        (set, "y = 1; int r = g() * y; return r;", vec![1, 5]),
        (set, "y = 1; if (y == g()) return 1; return 0;", vec![0, 1]),
        // Each operand is evaluated in parts: `i` before `a[i]`, and the call anywhere between.
        (array, "i = 0; a[0] = a[1] = 0; return a[i] + next();", vec![3, 10, 12]),
        (array, "i = 0; a[0] = a[1] = 5; a[i] = next(); return a[0] * 10 + a[1];", vec![39, 73]),
        // To what is outside, an assignment is one evaluation.
        (add, "x = 1; x += add(3); return x;", vec![4, 7]),
        (add, "x = 1; return x++ * 10 + add(2);", vec![12, 32]),
        (add, "x = 1; return (x += add(3)) * 100 + add(5);", vec![405, 705, 905, 1205]),
        // The index is evaluated once.
        (COUNTER, "int a[3]; g = 0; a[0] = a[1] = a[2] = 0; a[inc()] += inc(); return a[1] * 10 + a[2];", vec![1, 20]),
        (array, "i = 0; a[0] = a[1] = 5; a[i++] += next(); return a[0] * 100 + a[1] * 10 + i;", vec![822, 891, 1091]),
        // Pairs that have nothing to do with each other.
        (
            "int x, y; int p(void) { x = 2; return 0; } int q(void) { y = 3; return 0; } ",
            "x = y = 0; return x + p() + 10 * y + q();",
            vec![0, 2, 30, 32],
        ),
        // Through pointers.
        ("int put(int *p, int v) { *p = v; return v; } ", "int x = 1; return x * 10 + put(&x, 2);", vec![12, 22]),
        ("int put(int *p, int v) { *p = v; return v; } ", "int a[2] = {1, 1}; return a[1] * 10 + put(a + 1, 2);", vec![12, 22]),
        // What ends the execution keeps the others from it.
        (
            "void exit(int); int die(void) { exit(7); return 0; } int r; int set(void) { r = 1; exit(8); return 0; } ",
            "return die() + set();",
            vec![7, 8],
        ),
        // What cannot end comes first, and so is reached.
        (
            "void exit(int); int r; int die(void) { exit(7); return 0; } int run(int n) { if (n) return 0; return 1; } ",
            "return die() + run(1) + run(2) + run(3) + run(4) + run(5);",
            vec![7],
        ),
    ] {
        let source = format!("{globals}int f(void) {{ {body} }}");
        assert_eq!(outcomes(&source), all, "{source}");
    }
    let four = format!("{COUNTER}int f(void) {{ g = 0; return two(inc(), inc(), inc(), inc()); }}");
    assert_eq!(outcomes(&four).len(), 24);
}

#[test]
fn sequence_points_order() {
    for (globals, body, value) in [
        (COUNTER, "g = 0; return inc() && inc() ? g : 0;", 2),
        (COUNTER, "g = 0; int r = (inc(), g); return r;", 1),
        (COUNTER, "g = 4; return sub(g, 1) ? inc() : g;", 5),
        (COUNTER, "g = 0; g = inc() + 5; return g;", 6),
        (COUNTER, "int i = 3; i = sub(i++, 1); return i;", 2),
        (COUNTER, "int i = 3, a[5]; a[3] = a[4] = 0; a[i] = 1; i = i + 1; return a[3] * 10 + a[4];", 10),
        // They have nothing to do with each other, or read only.
        ("int x, y; int p(void) { return x; } int q(void) { return y; } ", "x = y = 2; return p() * q() + x + y;", 8),
    ] {
        let source = format!("{globals}int f(void) {{ {body} }}");
        let lowered = lowered(&source, &OPTIONS).expect("no error");
        assert!(!is_open(&lowered) && lowered.warnings.is_empty(), "{source}: {:?}", lowered.warnings);
        assert_eq!(outcomes(&source), [value], "{source}");
    }
}

#[test]
fn changes_without_an_order_are_undefined() {
    for body in [
        "i = i++ + 1;",
        "i = ++i + 1;",
        "x = x + x++;",
        "a[i] = i++;",
        "h(i, i++);",
        "x = (i = 1) + (i = 2);",
        "a[1] = a[1]++;",
        "s.m = s.m--;",
        "int *p = a; *p = (*p)++;",
    ] {
        let source = format!(
            "int x; struct S {{ int m, n; }} s; int h(int a, int b) {{ return a + b; }} int f(int i) {{ int a[4] = {{0}};\n{body}\nreturn 1; }}"
        );
        let document = covered(&source);
        let warning = document.header.diagnostics.iter().find(|warning| warning.code == "unsequenced").unwrap_or_else(|| panic!("{body}"));
        assert!(warning.message.contains("without an order between: undefined (C11 6.5p2)"), "{}", warning.message);
        assert_eq!((warning.place.line, document.tests.len()), (2, 0), "{body}");
        assert!(document.errors.iter().any(|error| error.error.contains("without an order")), "{body}");
    }
    // Where the elements are the same only.
    let document = covered(
        "int f(int i, int j, int *a) { a[0] = 0; a[1] = 0; if (i < 0 || i > 1 || j < 0 || j > 1) return 0; a[i] = a[j]++; return i == j ? 1 : 2; }",
    );
    assert_eq!(document.infeasible.iter().map(|s| s.text.as_str()).collect::<Vec<_>>(), ["i == j"]);
    for body in ["s.m = s.n++;", "a[0] = a[1]++;", "i = (i++, i + 1);", "i = h(i++, 2);", "i += i; i = i + 1;", "i = i++ && 1;"] {
        let source = format!(
            "struct S {{ int m, n; }} s; int h(int a, int b) {{ return a; }} int f(int i) {{ int a[4] = {{0}}; {body} return 1; }}"
        );
        let lowered = lowered(&source, &OPTIONS).expect("no error");
        assert!(lowered.warnings.iter().all(|warning| warning.code != "unsequenced"), "{body}");
    }
}

#[test]
fn tests_name_the_orders_and_what_is_read() {
    let document = covered("int g; int inc(void) { return ++g; } int f(void) { g = 0;\nif (inc() - inc() == 1) return 1;\nreturn 0; }");
    assert_eq!((document.covered, document.infeasible.len()), (document.statements, 0));
    let drawn = |line, text: &str, value| (line, text.to_owned(), InputValue::Scalar(Number::Small(value)));
    let draws = |document: &CoverDocument| -> BTreeSet<(u32, String, String)> {
        let all = document.tests.iter().flat_map(|test| &test.draws);
        all.map(|draw| (draw.line, draw.text.clone(), format!("{:?}", draw.value))).collect()
    };
    let expected = |all: &[(u32, String, InputValue)]| -> BTreeSet<(u32, String, String)> {
        all.iter().map(|(line, text, value)| (*line, text.clone(), format!("{value:?}"))).collect()
    };
    assert_eq!(draws(&document), expected(&[drawn(2, "left inc() first", 1), drawn(2, "right inc() first", 0)]));
    let document = covered("volatile int r; int f(void) { int n = 0;\nif (r == 1) n = 1;\nreturn n; }");
    assert_eq!(draws(&document), expected(&[drawn(2, "r (volatile)", 1), drawn(2, "r (volatile)", 0)]));
    assert!(labels("int y; int g(void) { y = 5; return 1; } int f(void) { return y + g(); }").starts_with(&["y first".into()]));
}

#[test]
fn from_left_to_right_there_is_one_order() {
    for (body, value) in [("return sub(inc(), inc());", -1), ("return g + inc();", 1), ("g += inc(); return g;", 1)] {
        let mut lowered = lowered(&format!("{COUNTER}int f(void) {{ g = 0; {body} }}"), &OPTIONS).expect("no error");
        assert!(is_open(&lowered), "{body}");
        lowered.lts = under(&lowered.lts, Assumptions::default().with(Assumption::LeftToRight));
        assert_eq!(outcomes_of(&lowered), Some(BTreeSet::from([Int::from(value)])), "{body}");
    }
}

#[test]
fn what_has_too_many_orders_is_refused() {
    let six = format!("{COUNTER}int f(void) {{ return inc() + inc() + inc() + inc() + inc() + inc(); }}");
    let between = format!("{COUNTER}int f(void) {{ return (inc() && inc()) + inc(); }}");
    for source in [six, between] {
        let errors = lowered(&source, &OPTIONS).expect_err("refused");
        assert_eq!(errors[0].code, "unsupported-order");
    }
}

#[test]
fn volatile_reads_are_inputs() {
    for (globals, body) in [
        ("volatile int r;", "r = 0; if (r == 1) return 1;"),
        ("static volatile unsigned char r;", "r = 0; if (r == 255) return 1;"),
        ("int volatile r[3];", "r[1] = 0; if (r[1] == 1) return 1;"),
        ("struct D { volatile int status; int other; } d;", "d.status = 0; if (d.status == 1) return 1;"),
        ("struct D { int status; }; volatile struct D d;", "d.status = 0; if (d.status == 1) return 1;"),
        ("struct D { volatile unsigned status : 3; } d;", "d.status = 0; if (d.status == 7) return 1;"),
        ("typedef volatile int reg; reg r;", "r = 0; if (r == 1) return 1;"),
        ("", "volatile int r = 0; if (r == 1) return 1;"),
        ("", "volatile int r = 0; if (r == 1) if (r == 2) return 1;"),
        ("volatile int r;", "r = 0; volatile int *p = &r; if (*p == 1) return 1;"),
        ("volatile int r; int g(volatile int *p) { *p = 0; return *p; }", "if (g(&r) == 1) return 1;"),
        ("volatile int ready;", "ready = 0; while (ready == 0) { } return 1;"),
        ("volatile int r;", "r = 0; if (r++ == 5 && r == 9) return 1;"),
        ("volatile int r;", "r = 0; r += 2; if (r == 1) return 1;"),
        ("struct D { volatile int a; int b; }; struct D d;", "d.a = 0; struct D e = d; if (e.a == 1) return 1;"),
    ] {
        let document = covered(&format!("{globals} int f(void) {{ {body} return 0; }}"));
        let wanted = document.infeasible.iter().chain(&document.never_completes).chain(&document.open);
        let wanted: Vec<_> =
            wanted.filter(|statement| !statement.text.contains("!(ready == 0)")).map(|statement| &statement.text).collect();
        assert!(wanted.is_empty() && document.tests.iter().any(|test| !test.draws.is_empty()), "{globals} {body}: {wanted:?}");
    }
    // Values of their types only; and what is no part of an array is undefined all the same.
    let document = covered("volatile unsigned char r; int f(void) { if (r == 256) return 1; return 0; }");
    assert_eq!(document.infeasible.len(), 1);
    let document = covered("volatile int r[2]; int f(void) { int x = r[2]; return x; }");
    assert_eq!((document.tests.len(), document.errors.len()), (0, 1));
    assert_eq!(
        labels("volatile int r[2]; int f(int i) { if (r[0] == 1) return 1; return 0; }"),
        ["r[0] (volatile) == 1", "r[0] (volatile) != 1"]
    );
}

/// Functions that read and change `x`, `y`, `z` and `a`.
const FUNCTIONS: &str = "unsigned x, y, z, a[2];
unsigned inc(void) { return ++x; }
unsigned add(unsigned n) { x = x * 3 + n; z ^= x; return y; }
unsigned set(unsigned i) { a[i & 1] += x; y = y * 2 + 1; return a[0]; }
unsigned bump(unsigned *p) { *p += 2; return *p * 5 + z; }
unsigned same(unsigned n) { return n * 7; }
";

/// Expressions without changes but by calls.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["x", "y", "a[0]", "a[y & 1]", "inc()", "bump(&x)", "bump(a)", "bump(a + 1)", "3"])
        .prop_map(str::to_owned);
    leaf.prop_recursive(3, 6, 2, |inner| {
        prop_oneof![
            4 => (inner.clone(), prop::sample::select(vec!["+", "-", "*", "^", "<"]), inner.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            2 => (prop::sample::select(vec!["add", "set", "same"]), inner.clone()).prop_map(|(name, a)| format!("{name}({a})")),
            1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} && {b})")),
            1 => (inner.clone(), inner).prop_map(|(a, b)| format!("({a}, {b})")),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => expression().prop_map(|e| format!("r = {e};")),
        1 => expression().prop_map(|e| format!("x += {e};")),
        1 => (expression(), expression()).prop_map(|(i, e)| format!("a[{i} & 1] = {e};")),
        1 => (expression(), expression()).prop_map(|(i, e)| format!("a[{i} & 1] += {e};")),
        1 => expression().prop_map(|e| format!("r = z++ + {e};")),
        1 => expression().prop_map(|e| format!("r = (z += 2) ^ {e};")),
    ]
}

fn program_of(statement: &str) -> String {
    format!(
        "{FUNCTIONS}unsigned f(void) {{ unsigned r = 1; x = 1; y = 2; z = 3; a[0] = 4; a[1] = 5; {statement} return ((((r * 31 + x) * 31 + y) * 31 + z) * 31 + a[0]) * 31 + a[1]; }}\n"
    )
}

/// The outcome of each program in turn, by one compiler.
fn compiled(compiler: &str, level: &str, statements: &[String]) -> Option<Vec<u32>> {
    let folder = std::env::temp_dir().join(format!("culdesac-order-{}-{compiler}{level}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut source = format!("#include <stdio.h>\n{FUNCTIONS}");
    for (statement, at) in statements.iter().zip(0..) {
        let body = program_of(statement).replace(FUNCTIONS, "").replace("f(void)", &format!("f{at}(void)"));
        source.push_str(&body);
    }
    source.push_str("int main(void) {");
    for at in 0..statements.len() {
        let _ = write!(source, " printf(\"%u\\n\", f{at}());");
    }
    source.push_str(" return 0; }\n");
    let (text, binary) = (folder.join("p.c"), folder.join("p"));
    std::fs::write(&text, source).expect("a file");
    let built = Command::new(compiler).args(["-w", level, "-o"]).arg(&binary).arg(&text).status().ok()?;
    assert!(built.success(), "{compiler} {level}");
    let output = Command::new(&binary).output().expect("it runs");
    std::fs::remove_dir_all(&folder).expect("the folder is there");
    Some(String::from_utf8_lossy(&output.stdout).lines().map(|line| line.parse().expect("a number")).collect())
}

/// What compilers make of random expressions is among what is feasible.
#[test]
fn compilers_take_orders_that_are_feasible() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut known = Vec::new();
    let (mut refused, mut open) = (0, 0);
    let wanted = cases(24) as usize;
    while known.len() < wanted {
        let statement = statement().new_tree(&mut runner).expect("a statement").current();
        let Ok(lowered) = lowered(&program_of(&statement), &OPTIONS) else {
            refused += 1;
            continue;
        };
        if let Some(outcomes) = outcomes_of(&lowered).filter(|_| lowered.warnings.iter().all(|warning| warning.code != "unsequenced")) {
            open += usize::from(is_open(&lowered));
            known.push((statement, outcomes));
        }
    }
    assert!(open * 3 > known.len(), "many have several orders: {open} of {}, {refused} refused", known.len());
    let statements: Vec<String> = known.iter().map(|(statement, _)| statement.clone()).collect();
    for (compiler, level) in [("gcc", "-O0"), ("gcc", "-O2"), ("clang", "-O0"), ("clang", "-O2")] {
        let Some(results) = compiled(compiler, level, &statements) else {
            println!("skipped: there is no {compiler}");
            continue;
        };
        assert_eq!(results.len(), known.len());
        for ((statement, outcomes), result) in known.iter().zip(results) {
            assert!(
                outcomes.contains(&Int::from(u64::from(result))),
                "{compiler} {level}: {statement} gives {result}, not among {outcomes:?}"
            );
        }
    }
}
