//! The oracle without the exporter: for functions that are called with numbers alone a `main` is quickly written.

use super::instrument::{instrument, unseen};
use super::oracle::{Checked, Suite, all, compilers, computed};
use crate::differential::random;
use crate::suites::{branches, request};
use culdesac::analysis::branches::{BranchesDocument, BranchesSettings, BranchesTest};
use culdesac::export::ExportedFile;
use culdesac::interp::Input;
use culdesac::lang::ast::{Decl, Shape, Storage};
use culdesac::load::{Loaded, load};
use culdesac::logic::{Int, IntRange};
use culdesac::lts::Origin;
use culdesac::lts::assume::Assumption;
use culdesac::lts::inputs::inputs;
use culdesac::source::wrapped;
use culdesac::view::{Request, fitting};
use std::fmt::Write as _;

/// A constant of C.
fn literal(value: &Int) -> String {
    match value.to_i64() {
        Some(i64::MIN) => "(-9223372036854775807LL - 1)".to_owned(),
        Some(value) => format!("{value}LL"),
        None => format!("{value}ULL"),
    }
}

/// The statements that run a test: what is in scope everywhere gets its values, then the function is called.
fn call(loaded: &Loaded, input: &Input) -> Option<String> {
    let (lts, inputs) = (&loaded.lts, inputs(&loaded.lts));
    let is_identifier = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    // A global, or a member of one that is a structure.
    let is_global = |name: &str| {
        let root = name.split('.').next().unwrap_or_default();
        let decl = loaded.program.decls.iter().find(|decl| decl.storage == Storage::Global && decl.name == root);
        let fits = |decl: &Decl| root == name || matches!(decl.shape, Shape::Struct(_));
        name.split('.').all(is_identifier) && decl.is_some_and(fits)
    };
    if !input.nondet.is_empty() || input.stdin.is_some() {
        return None;
    }
    let mut text = String::new();
    for variable in inputs.variables.iter().map(|&id| lts.variable(id)) {
        let value = input.values.get(&variable.name).cloned().unwrap_or_default();
        match variable.origin {
            Origin::Parameter if is_identifier(&variable.name) => {}
            Origin::Global if is_global(&variable.name) => {
                let _ = write!(text, "{} = {}; ", variable.name, literal(&value));
            }
            _ => return None,
        }
    }
    for array in inputs.arrays.iter().map(|&id| lts.array(id)) {
        let given = input.arrays.get(&array.name).cloned().unwrap_or_default();
        let bits = |value: &Int| literal(&IntRange::of_bits(64, true).wrap(value));
        if array.origin != Origin::Global || !is_global(&array.name) {
            return None;
        }
        let range = array.range.as_ref()?;
        let is_of = |&bytes: &u32| [true, false].iter().any(|&signed| *range == IntRange::of_bits(8 * bytes, signed));
        let is_truth = *range == IntRange::of_bits(1, false);
        let (size, name) = (if is_truth { 1 } else { [1, 2, 4, 8].into_iter().find(is_of)? }, &array.name);
        let _ = write!(text, "{{ long long v = {}; unsigned i; ", bits(&given.default));
        let _ = write!(text, "for (i = 0; i < sizeof {name} / {size}; i++) __builtin_memcpy((char *){name} + i * {size}, &v, {size}); ");
        for (index, value) in &given.elements {
            let inside = format!("{index} < sizeof {name} / {size}");
            let _ = write!(text, "v = {}; if ({inside}) __builtin_memcpy((char *){name} + {index} * {size}, &v, {size}); ", bits(value));
        }
        text.push_str("} ");
    }
    let (_, function) = loaded.program.function(&lts.function)?;
    let argument = |parameter: &culdesac::lang::ast::Parameter| match loaded.program.decl(parameter.decl).shape {
        Shape::Scalar(_) => Some(literal(&input.values.get(&parameter.name.text).cloned().unwrap_or_default())),
        _ => None,
    };
    let arguments: Vec<String> = function.parameters.iter().map(argument).collect::<Option<_>>()?;
    Some(format!("{text}(void){}({});", lts.function, arguments.join(", ")))
}

/// A program whose tests `./suite N` runs, each by a call.
fn suite(name: &str, loaded: &Loaded, tests: &[BranchesTest]) -> (String, Vec<usize>) {
    let mut text = format!("#include \"{name}\"\nint main(int argc, char **argv) {{\n  int number = 0;\n  (void)argc;\n");
    text.push_str("  for (char *c = argv[1]; *c; c++) number = 10 * number + *c - '0';\n  switch (number) {\n");
    let mut called = Vec::new();
    for (number, test) in tests.iter().enumerate().filter(|(_, test)| test.is_defined) {
        if let Some(call) = fitting(&loaded.lts, &test.input).ok().and_then(|input| call(loaded, &input)) {
            called.push(number);
            let _ = writeln!(text, "  case {}: {call} return 0;", called.len());
        }
    }
    text.push_str("  }\n  return 99;\n}\n");
    (text, called)
}

/// Checks a program whose document is changed first; how many of its tests cannot be run so is told.
fn check(name: &str, source: &str, change: impl Fn(&mut BranchesDocument)) -> Checked {
    // Statics of functions cannot be set from outside.
    let assume = vec![Assumption::FirstCall.id().to_owned()];
    let request = Request { assume, ..request(name, source, Some(200_000)) };
    let mut checked = Checked::default();
    let (Ok(loaded), Some(mut document)) = (load(&request), branches(&request, BranchesSettings::default())) else {
        checked.left_out.push(format!("{name}: refused"));
        return checked;
    };
    change(&mut document);
    let reports = instrument(&loaded);
    let (text, tests) = suite(name, &loaded, &document.tests);
    checked.left_out.extend(unseen(name, &reports));
    if tests.len() < document.tests.len() {
        checked.left_out.push(format!("{name}: {} of {} tests run", tests.len(), document.tests.len()));
    }
    let suite = Suite {
        claims: None,
        source: source.to_owned(),
        name: format!("alone-{name}"),
        document: &document,
        files: vec![ExportedFile { name: "suite.c".to_owned(), text }],
        program: ExportedFile { name: name.to_owned(), text: source.to_owned() },
        instrumented: wrapped(source, &reports.wraps),
        reports: &reports,
        tests,
        is_exported: false,
        headers: Vec::new(),
    };
    checked.add(suite.check());
    checked
}

/// Each kind of decision.
const PROGRAMS: &[(&str, &str)] = &[
    ("and_or.c", "int f(int a, int b, int c) { if ((a > 2 && b < 3) || !(c == 4)) return 1; return a && !b || c; }"),
    (
        "negations.c",
        "int f(int a, int b) { int n = 0; if (!a) n++; if (!!b) n++; if (!(a && !b)) n += 2; while (!(n > 4)) n++; return !(a == b); }",
    ),
    ("choices.c", "int f(int a, int b) { int x = a > 0 ? b > 0 ? 1 : 2 : a < -5 ? 3 : 4; return (x == 3 ? a : b) > 7 ? (a, b != 0) : x; }"),
    (
        "effects.c",
        "static int g(int x) { return x > 3; }\nint f(int a, int b) { int x, y = 0; if ((x = a + 1) && b++) y = 1; if (x++, b) y++; if (g(a) && g(b - 1)) y += 2; return (x -= b) ? y : -y; }",
    ),
    (
        "loops.c",
        "int f(unsigned char a, int b) { int i, s = 0; for (i = 0; i < a % 5; i++) { if (i == b) continue; if (i > 3) break; s += i; } do s--; while (s > 2 && b);\n while (1) { if (s++ > 4) break; } for (;;) { if (a) return s; goto out; } out: return -s; }",
    ),
    (
        "switches.c",
        "int f(int a, unsigned b, char c) { int r = 0; switch (a) { case 1: r = 1; case 2: r += 2; break; case 10 ... 20: r = 5; break; default: r = 9; case -1: r++; }\n switch (b + 1u) { case 0: return 7; case 4294967295u: return r; }\n switch (c) { case 'a' ... 'c': switch (a & 3) { case 0: return 3; case 2: r--; } break; case -128: return 8; }\n return r; }",
    ),
    (
        "labels.c",
        "enum e { A, B = 5, C };\nint f(enum e x, long long y, _Bool z) { switch (x) { case A: if (y > 3) case B: return 1; else break; case C: ; }\n switch (y) { default: return z ? 4 : 5; case 0x100000000LL: return 6; case -0x7fffffffffffffffLL - 1: return 7; } }",
    ),
    (
        "pointers.c",
        "int f(int n, int m) { int a[4] = {1, 0, 3, 0}, s = 0; int *p = n ? a : 0; if (p) s++; if (!p || p[m & 3]) s += 2; for (p = a; *p; p++) s++; return s; }",
    ),
    (
        "macros.c",
        "#define MAX 10\n#define BLANK(c) ((c) == ' ')\n#define BOTH(x, y) ((x) > 1 && (y) > 1)\nint f(int a, int b) { if (a > MAX) return 1; if (!BLANK(a) || b == MAX) return 2; if (BOTH(a, b)) return 3; return BLANK(b) ? MAX : -MAX; }",
    ),
    (
        "asserts.c",
        "#include <assert.h>\n#include <stdlib.h>\nint f(int a, int b) { assert(a < 100 || b < 100); if (abs(a) > 3) exit(0); assert(!(a == 2 && b)); return b ? a / 2 : 0; }",
    ),
    (
        "calls.c",
        "static int up(int x) { return x > 5 ? x : x + 1; }\nstatic int down(int x) { if (x > 2) return x - 1; return x; }\nstatic int same(int x) { return x; }\nint f(int a, int b) { int (*g)(int) = a > 9 ? up : a > 4 ? down : same; return g(b) == 5 || up(down(a)) == 6; }",
    ),
    (
        "pointed.c",
        "static int odd(int x) { return x & 1; }\nstatic int big(int x) { if (x > 9) return 1; return 0; }\nstatic int (*g)(int);\nstatic int swap(int x) { g = big; return x == 3; }\nint f(int a, int b) { g = a > 9 ? odd : a > 4 ? swap : big; if (g(a && b)) return 1; if (!g(b > 3 ? b : a)) b = 9; return (g(b) && a != 2) || (*g)(a || b) ? 5 : 6; }",
    ),
    (
        "members.c",
        "struct s { unsigned low : 3; int high : 5; _Bool flag : 1; };\nint g; static int t[3];\nint f(int a, short b) { struct s v = { 0 }; v.low = a & 7; v.high = b & 15; v.flag = b > 20; if (v.low) g++; if (v.high && v.flag) t[a & 1]++; return t[1] ? g > 3 : v.flag; }",
    ),
    (
        "dead.c",
        "static int never(int x) { return x ? 1 : 2; }\nint f(int a) { if (sizeof(int) == 4 && a) { if (0) return never(a); return 1; }\n return a; if (a > 3) return 5; return 0; }",
    ),
    (
        "recursive.c",
        "static int g(int n) { return n < 1 ? 0 : g(n - 1) + (n & 1 ? 1 : 0); }\nint f(int n) { if (n > 3) return -1; return g(n) == 2; }",
    ),
    (
        "lines.c",
        "int f(int a,\n  int b) {\n  if (a == 1 &&\n      /* not ( */ b !=\n        2)\n    return '\\'' == a ? 1 : ')' == b;\n  return a\n    ? 1 : 2;\n}",
    ),
];

/// Random programs, where no more are asked for.
const RANDOM: u64 = 6;

#[test]
fn calls_take_the_sides_that_are_claimed() {
    let start = computed();
    let numbers = random::numbers(RANDOM);
    let mut programs: Vec<(String, String)> = PROGRAMS.iter().map(|(name, text)| ((*name).to_owned(), format!("{text}\n"))).collect();
    programs.extend(numbers.map(|number| (format!("random-{number}.c"), random::program(number))));
    let checked = all(&programs, |(name, source)| check(name, source, |_| ()));
    checked.left_out.iter().for_each(|sentence| println!("{sentence}"));
    let seconds = computed() - start;
    println!("{} programs, {} runs, {} sides claimed; {seconds:.1} s computed", programs.len(), checked.runs, checked.claims);
    assert_eq!(checked.differences, Vec::<String>::new());
    assert!(checked.runs > 100, "{} runs", checked.runs);
}

/// The last side that a test takes is moved to another place, where it does not.
#[test]
fn claims_that_are_wrong_are_noticed() {
    let source = "int f(int a) { if (a > 3) return 1; if (a < -3) return 2; return 0; }\n";
    let wrong = |document: &mut BranchesDocument| {
        let takes = &mut document.tests[0].takes;
        let other = (0..4).find(|side| !takes.contains(side)).expect("a side that is not taken");
        *takes.last_mut().expect("a side") = other;
    };
    let (right, wrong) = (check("right.c", source, |_| ()), check("wrong.c", source, wrong));
    assert_eq!(right.differences, Vec::<String>::new());
    let count = |part: &str| wrong.differences.iter().filter(|sentence| sentence.contains(part)).count();
    let each = compilers().count();
    assert_eq!((count("takes what it does not claim: 1:"), count("claims what it does not take: 1:")), (each, each), "{wrong:?}");
}
