//! Pruning with the default settings on small programs of many shapes, beyond the examples: which paths are left, and how
//! many of them are feasible. For some of them what is asked for does not come to an end, and a later attempt does.

use culdesac::analysis::prune::DEFAULT_LIMIT;
use culdesac::analysis::prune::method::graph::USUAL;
use culdesac::analysis::prune::method::{PruneChoices, Unended, run};
use culdesac::analysis::{Silent, Trace};
use culdesac::count::{Graph, totals};
use culdesac::counting::{Feasible, table};
use culdesac::lts::Lts;
use culdesac::lts::lower::{IntegerModel, Options, lower_with};
use culdesac::solver::meter::Meter;
use culdesac::states::States;
use culdesac::{lang, lts};
use num_bigint::BigUint;

/// What is left of lengths up to these, and what of that is feasible.
const LENGTHS: [u32; 3] = [10, 20, 30];

const PROGRAMS: &[(&str, [u32; 3], [u32; 3])] = &[
    // Brackets that open and close, read from anywhere.
    (
        "int f(int n) { int depth = 0, i = 0; while (i < n) { int c = nondet(); if (c == 1) { depth++; } else if (c == 2) { if (depth == 0) return -1; depth--; } i++; } while (depth > 0) depth--; if (depth < 0) return 1; return 0; }",
        [3, 13, 64],
        [3, 13, 64],
    ),
    // A ring buffer.
    (
        "int f(int n, int cap) { if (cap <= 0) return 0; int h = 0, c = 0; while (n > 0) { if (nondet()) { if (c < cap) { c++; } } else { if (c > 0) { c--; h++; if (h == cap) h = 0; } } if (c < 0 || c > cap) return 1; if (h >= cap) return 2; n--; } return c; }",
        [2, 8, 24],
        [2, 8, 24],
    ),
    // Doubling and halving again.
    (
        "int f(int n) { int p = 1; int k = 0; while (p < n) { p = p * 2; k++; } while (k > 0) { k--; p = p / 2; } if (p != 1) return 1; return 0; }",
        [1, 3, 5],
        [1, 3, 5],
    ),
    // Searching twice for the same element.
    (
        "int f(int *a, int n, int x) { for (int i = 0; i < n; i++) { if (a[i] == x) return i; } for (int i = 0; i < n; i++) { if (a[i] == x) return -2; } return -1; }",
        [5, 9, 15],
        [5, 9, 15],
    ),
    // What was written is read again.
    (
        "int f(int *a, int n) { for (int i = 0; i < n; i++) a[i] = i; for (int i = 0; i < n; i++) if (a[i] != i) return 1; return 0; }",
        [2, 3, 5],
        [2, 3, 5],
    ),
    // The greatest element, looked for again.
    (
        "int f(int *a, int n) { if (n <= 0) return 0; int m = a[0]; for (int i = 1; i < n; i++) if (a[i] > m) m = a[i]; for (int i = 0; i < n; i++) if (a[i] > m) return 1; return m; }",
        [2, 17, 207],
        [2, 4, 16],
    ),
    // A product as the bound of a loop.
    ("int f(int x, int n) { int i = 0; while (i * i < n) { i++; } if (x * i < 0 && x > 0) return 1; return i; }", [7, 17, 27], [7, 17, 27]),
    // A flag that ends a search.
    (
        "int f(int n, int k) { int found = 0; int i = 0; while (i < n && !found) { if (i == k) found = 1; else i++; } if (found && i != k) return 2; return found; }",
        [3, 8, 13],
        [3, 8, 13],
    ),
    // A lock that is free only where a copy differs.
    (
        "int f(int n) { int lock = 0, old, new = n; do { if (lock) return 9; lock = 1; old = new; if (nondet()) { lock = 0; new++; } } while (new != old); if (!lock) return 8; return 0; }",
        [1, 2, 4],
        [1, 2, 4],
    ),
    // Up to three and down again.
    (
        "int f(int n) { int up = 1, x = 0, i = 0; while (i < n) { if (up) { x++; if (x == 3) up = 0; } else { x--; if (x == 0) up = 1; } if (x < 0 || x > 3) return 1; i++; } return x; }",
        [1, 3, 4],
        [1, 3, 4],
    ),
    // A loop of jumps.
    (
        "int f(int n) { int i = 0; again: if (i >= n) goto done; i++; if (i % 3 == 0) goto again; if (i < 0) goto bad; goto again; bad: return 1; done: if (i < n) goto bad; return 0; }",
        [2, 5, 8],
        [2, 5, 8],
    ),
    // Readers and a writer.
    (
        "int f(int a, int b, int n) { int r = 0, w = 0; while (n > 0) { if (nondet()) { if (w == 0) r++; } else if (nondet()) { if (r == 0 && w == 0) w = 1; } else { if (w == 1) w = 0; else if (r > 0)r--; } if (w == 1 && r > 0) return 1; n--; } return 0; }",
        [3, 13, 70],
        [3, 13, 70],
    ),
    // Endless loops left by break.
    (
        "int f(int n) { int i = 0; for (; ; ) { if (i >= n)break; int j = 0; for (; ; ) { if (j > i)break; if (nondet())break; j++; } if (j > i + 1) return 1; i++; } return 0; }",
        [3, 9, 31],
        [3, 9, 31],
    ),
    // Halving with remainders.
    (
        "int f(int n) { int c = 0; while (n > 1) { if (n % 2 == 0)n = n / 2; else n = n - 1; c++; } if (n < 1 && c > 0) return 1; return c; }",
        [3, 13, 34],
        [3, 13, 34],
    ),
    // A table of known contents.
    (
        "int f(int x) { int a[4]={ 1, 2, 3, 4 }; int s = 0; for (int i = 0; i < 4; i++) { if (a[i] > x)s++; else s--; } if (s > 4) return 1; if (s == 4 && x > 0) return 2; return s; }",
        [0, 0, 5],
        [0, 0, 5],
    ),
    // Counting elements by their sign.
    (
        "int f(int *a, int n) { int pos = 0, neg = 0; for (int i = 0; i < n; i++) { if (a[i] > 0)pos++; else if (a[i] < 0)neg++; } if (pos + neg > n && n >= 0) return 1; if (pos < 0) return 2; return 0; }",
        [4, 40, 428],
        [4, 40, 428],
    ),
    // A loop whose body never runs.
    (
        "int f(int n) { int i = 0; int z = 0; while (i < n) { i++; while (z > 0) { z--; i--; } } while (i < 0)i++; return i; }",
        [3, 6, 9],
        [3, 6, 9],
    ),
    // Two loops that run at least once.
    (
        "int f(int n) { int i = 0; do { i++; } while (i < n); int j = i; do { j--; } while (j > 0); if (j > 0) return 1; if (i < 1) return 2; return 0; }",
        [1, 4, 6],
        [1, 4, 6],
    ),
    // An assumption that relates two inputs.
    (
        "int f(int n, int m) { assume(n >= 0 && m >= n); int i = 0; while (i < n)i++; while (i < m)i++; if (i != m) return 1; return 0; }",
        [6, 36, 91],
        [6, 36, 91],
    ),
    // A chain of cases.
    (
        "int f(int op, int n) { int x = 0; for (int i = 0; i < n; i++) { if (op == 0) { x++; op = 1; } else if (op == 1) { x--; op = 2; } else if (op == 2) { op = 0; } else return -1; } if (x > 1) return 5; return x; }",
        [5, 8, 14],
        [5, 8, 14],
    ),
];

fn lower(source: &str) -> Lts {
    let parsed = lang::parse(source);
    let program = parsed.program.unwrap_or_else(|| panic!("{source}\n{:?}", parsed.diagnostics));
    lts::lower::lower(&program, None).unwrap_or_else(|errors| panic!("{source}\n{errors:?}")).lts
}

fn numbers(numbers: [u32; 3]) -> Vec<BigUint> {
    numbers.map(BigUint::from).to_vec()
}

fn default() -> PruneChoices {
    USUAL.settings
}

#[test]
fn paths_that_are_left() {
    for &(source, left, feasible) in PROGRAMS {
        let lts = lower(source);
        let outcome = run(&lts, States::new(&lts), USUAL, &mut Meter::new(DEFAULT_LIMIT), &Trace::new(&mut Silent));
        assert_eq!(outcome.cut, None, "{source}");
        assert_eq!(totals(&outcome.pruned.graph(), &LENGTHS), numbers(left), "{source}");
        let table = self::table(&lts, &LENGTHS, true, &mut Meter::new(50_000_000), &Trace::new(&mut Silent));
        let counted: Vec<_> = table.rows.iter().map(|row| row.feasible.clone()).collect();
        assert_eq!(counted, numbers(feasible).into_iter().map(|count| Some(Feasible::Exactly(count))).collect::<Vec<_>>(), "{source}");
        assert!(totals(&Graph::of(&lts), &LENGTHS) > numbers(left), "{source}");
    }
}

/// The settings that were used are those asked for where these come to an end, else the most that do.
#[test]
fn attempts_are_told() {
    let used = |source: &str, asked: PruneChoices| {
        let lts = lower(source);
        let outcome = run(&lts, States::new(&lts), &asked, &mut Meter::new(DEFAULT_LIMIT), &Trace::new(&mut Silent));
        (outcome.used.lookahead, outcome.used.restarts, outcome.used.max_red_length)
    };
    let of = |word: &str| PROGRAMS.iter().find(|(source, ..)| source.contains(word)).expect("one of them").0;
    assert_eq!(used(of("int n, int k"), default()), (16, true, None));
    assert_eq!(used(of("depth"), default()), (16, true, Some(80)));
    assert_eq!(used(of("p = p * 2"), default()), (16, true, Some(80)));
    assert_eq!(used(of("int cap"), default()), (16, true, Some(80)));
    assert_eq!(used(of("int cap"), PruneChoices { lookahead: 2, restarts: false, ..default() }), (2, false, None));
}

/// Whether counting overflows is all that `k` decides here. Sets that are not told of the far ends of ranges do not speak of it: else no
/// two rounds of a loop had the same set, and the construction would not end.
#[test]
fn what_is_only_counted_does_not_keep_loops_from_closing() {
    let source = "void merge(int a[], int b[], int c[], int n, int m) { int i = 0, j = 0, k = 0;
        while (i < n && j < m) { if (a[i] <= b[j]) c[k++] = a[i++]; else c[k++] = b[j++]; }
        while (i < n) c[k++] = a[i++]; while (j < m) c[k++] = b[j++]; }";
    let program = culdesac::lang::parse(source).program.expect("it parses");
    let left = |ints: IntegerModel| {
        let options = Options { ints, ..Options::default() };
        let lts = lower_with(&program, None, &options).expect("it is lowered").lts;
        let outcome = run(&lts, States::new(&lts), &default(), &mut Meter::new(DEFAULT_LIMIT), &Trace::new(&mut Silent));
        assert_eq!((outcome.cut, outcome.unended, outcome.used.lookahead), (None, None, 16));
        totals(&outcome.pruned.graph(), &LENGTHS)
    };
    assert_eq!(left(IntegerModel::C32), left(IntegerModel::Unbounded));
}

/// What did not come to an end is told with the loop that was unfolded; an attempt that would do the same once more is left out.
#[test]
fn what_does_not_end_says_why() {
    let source = "int f(int b) { int a = 1; int c = 0; while (nondet()) { while (c != a) { a = a + b; a++; } while (a == a) { a = b; } } return a; }";
    let lts = lower(source);
    let outcome = run(&lts, States::new(&lts), &default(), &mut Meter::new(400_000), &Trace::new(&mut Silent));
    let Some(Unended::Unfolded { header, times }) = outcome.unended else { panic!("{:?}", outcome.unended) };
    assert_eq!((outcome.cut, outcome.used.lookahead, times > 20), (None, 0, true));
    assert!(culdesac::lts::structure::Structure::new(&lts).is_loop_header(header));
}
