//! Pruning textbook programs with the defaults, C's integers: how many of the paths of up to 40 edges are left, and how many are feasible.
//! Prints the table (`cargo test --test it prune_textbook -- --nocapture`).

use culdesac::analysis::prune::DEFAULT_LIMIT;
use culdesac::analysis::prune::method::graph::USUAL;
use culdesac::analysis::prune::method::{MethodKind, PruneChoices, PrunePlan, run};
use culdesac::analysis::{Silent, Trace};
use culdesac::count::{Graph, totals};
use culdesac::counting::{Feasible, table};
use culdesac::evidence::graph::{Pruned, obligations};
use culdesac::lang;
use culdesac::lts::Lts;
use culdesac::lts::lower::{IntegerModel, Options, lower_with};
use culdesac::solver::Answer;
use culdesac::solver::meter::Meter;
use culdesac::solver::questions::NoLog;
use culdesac::states::{Ask, States};
use num_bigint::BigUint;

const LENGTH: u32 = 40;

const PROGRAMS: &[(&str, &str)] = &[
    (
        "countdown",
        r"int countdown(int n) {
    int up = 0, down = n;
    while (down > 0) {
        down--;
        up++;
    }
    if (n >= 0 && up != n) return 1;
    if (n < 0 && up > 0) return 2;
    return 0;
}",
    ),
    (
        "digits",
        r"int digits(int n) {
    int count = 0;
    if (n < 0) n = -n;
    while (n >= 10) {
        n = n / 10;
        count++;
    }
    if (n > 9) return -1;
    if (count < 0) return -2;
    return count + 1;
}",
    ),
    (
        "door",
        r"int door(int n) {
    int open = 0, visits = 0, alarm = 0;
    while (n > 0) {
        if (nondet()) {
            if (open) { open = 0; } else { open = 1; visits++; }
        }
        if (visits < 0) alarm = 1;
        n--;
    }
    if (alarm) return -1;
    return visits;
}",
    ),
    (
        "euclid",
        r"int euclid(int a, int b) {
    if (a <= 0 || b <= 0) return 0;
    while (a != b) {
        if (a > b) a = a - b;
        else b = b - a;
    }
    if (a <= 0) return -1;
    return a;
}",
    ),
    (
        "even",
        r"int even(int n) {
    int i = 0, odd = 0;
    while (i < n) {
        i = i + 2;
    }
    while (i > 0) {
        if (i == 1) odd = 1;
        i = i - 2;
    }
    if (i == -1) return 1;
    return odd;
}",
    ),
    (
        "handshake",
        r"int handshake(int n) {
    int sent = 0, phase = 0, ok = 1;
    for (int i = 0; i < n; i++) {
        if (phase == 0) {
            sent = sent + 1;
            phase = 1;
        } else {
            if (nondet()) { ok = 1; phase = 0; } else { ok = 0; }
        }
    }
    if (sent > 0 && n <= 0) return 2;
    if (phase == 0 && ok == 0) return 1;
    return 0;
}",
    ),
    (
        "lights",
        r"int lights(int n) {
    int state = 0, t = 0;
    while (t < n) {
        switch (state) {
        case 0: state = 1; break;
        case 1: state = 2; break;
        case 2: state = 0; break;
        default: return -1;
        }
        t++;
    }
    if (state == 0 && t == 1) return 1;
    return state;
}",
    ),
    (
        "partition",
        r"int partition(int n) {
    int i = 0, j = n - 1;
    while (i < j) {
        if (nondet()) i++;
        else j--;
    }
    if (n > 0 && i != j) return 1;
    if (n <= 0 && i > 0) return 2;
    return i;
}",
    ),
    (
        "power",
        r"int power(int n) {
    int p = 1, e = 0;
    while (p < n) {
        p = p + p;
        e++;
    }
    if (p <= 0) return 1;
    if (e == 0 && n > 1) return 2;
    return e;
}",
    ),
    (
        "retry",
        r"int retry(int limit) {
    int tries = 0, done = 0, failed = 0;
    while (!done && tries < limit) {
        tries++;
        if (nondet()) done = 1;
        else failed = 1;
    }
    if (!done && !failed && limit > 0) return 1;
    if (tries > limit && limit >= 0) return 2;
    return done;
}",
    ),
    (
        "search",
        r"int search(int n, int key) {
    int low = 0, high = n, found = 0;
    while (low < high && found == 0) {
        int mid = (low + high) / 2;
        if (nondet()) found = 1;
        else if (nondet()) low = mid + 1;
        else high = mid;
    }
    if (found && n <= 0) return -1;
    if (low > high && n >= 0) return -2;
    return found;
}",
    ),
    (
        "stack",
        r"int stack(int n) {
    int top = 0, error = 0;
    while (n > 0) {
        if (nondet()) {
            if (top < 4) top++;
        } else {
            if (top > 0) top--;
        }
        if (top < 0 || top > 4) error = 1;
        n--;
    }
    while (top > 0) top--;
    if (error) return 1;
    return 0;
}",
    ),
    (
        "words",
        r"int words(int *s, int n) {
    int in = 0, count = 0;
    for (int i = 0; i < n; i++) {
        if (s[i] == ' ') {
            in = 0;
        } else if (in == 0) {
            in = 1;
            count++;
        }
    }
    if (in && count == 0) return -1;
    return count;
}",
    ),
    (
        "twoloops",
        r"int twoloops(int n) {
    int i = 0, j = 0;
    while (i < n) i += 4;
    while (i != j + 7) j += 2;
    return i;
}",
    ),
];

/// A ten-digit number is the greatest there is: how often the loop runs is bounded by the range of `int` alone, which sets leave out.
const NOT_EXACT: &str = "digits";

fn read_example(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(format!("{name}.c"));
    std::fs::read_to_string(path).expect("an example")
}

fn lower(source: &str) -> Lts {
    let program = lang::parse(source).program.unwrap_or_else(|| panic!("{source}"));
    let options = Options { ints: IntegerModel::C32, ..Options::default() };
    lower_with(&program, None, &options).unwrap_or_else(|errors| panic!("{source}\n{errors:?}")).lts
}

/// S', each of whose obligations a solver without memory of the construction refutes once more.
fn pruned(lts: &Lts, plan: impl Into<PrunePlan>) -> Pruned {
    let outcome = run(lts, States::new(lts), plan, &mut Meter::new(DEFAULT_LIMIT), &Trace::new(&mut Silent));
    assert_eq!(outcome.cut, None);
    let mut states = outcome.states;
    let mut meter = Meter::new(DEFAULT_LIMIT);
    let mut ask = Ask { meter: &mut meter, log: &NoLog };
    for obligation in obligations(lts, &mut states.pool, &outcome.pruned) {
        let answer = ask.decide(&mut states.pool, &obligation.formulas).expect("enough steps");
        assert!(matches!(answer, Answer::Unsat(_)), "{:?}", obligation.about);
    }
    outcome.pruned
}

fn feasible(lts: &Lts) -> BigUint {
    let table = table(lts, &[LENGTH], true, &mut Meter::new(50_000_000), &Trace::new(&mut Silent));
    match &table.rows[0].feasible {
        Some(Feasible::Exactly(count)) => count.clone(),
        open => panic!("{open:?}"),
    }
}

#[test]
fn all_but_one_are_exact_with_the_defaults() {
    let examples = ["merge", "bubble", "substring"].map(|name| (name, read_example(name)));
    let programs = PROGRAMS.iter().map(|&(name, source)| (name, source.to_owned())).chain(examples);
    println!("{:12} {:>12} {:>8} {:>8} {:>7}", "program", "P(40)", "P'(40)", "FP(40)", "places");
    for (name, source) in programs {
        let lts = lower(&source);
        let graph = pruned(&lts, USUAL);
        let (all, left, feasible) = (&totals(&Graph::of(&lts), &[LENGTH])[0], &totals(&graph.graph(), &[LENGTH])[0], feasible(&lts));
        println!("{name:12} {all:>12} {left:>8} {feasible:>8} {:>7}", graph.nodes.len());
        assert_eq!(*left == feasible, name != NOT_EXACT, "{name}: {left} {feasible}");
    }
}

fn program(name: &str) -> Lts {
    lower(PROGRAMS.iter().find(|(other, _)| *other == name).expect("one of them").1)
}

/// Without invariants from outside `learn` does not close the loops over what they leave of a division.
#[test]
fn invariants_from_outside_show_that_no_path_is_feasible() {
    let lts = program("twoloops");
    let left = |invariants| totals(&pruned(&lts, PrunePlan { farther: None, invariants, ..USUAL }).graph(), &[200]);
    assert_eq!(left(true), [BigUint::ZERO]);
    assert!(left(false)[0] > BigUint::ZERO);
}

/// Machines of a phase, a flag and a counter: restarts do not end, and what does end removes nothing; a greatest red length does.
#[test]
fn a_greatest_red_length_is_tried() {
    let havoc = PruneChoices { abstraction: MethodKind::Havoc, restarts: true, lookahead: 8, max_red_length: None };
    for name in ["handshake", "lights", "door", "retry", "countdown"] {
        let lts = program(name);
        let outcome = run(&lts, States::new(&lts), &havoc, &mut Meter::new(DEFAULT_LIMIT), &Trace::new(&mut Silent));
        assert!(outcome.unended.is_some() && outcome.used.max_red_length.is_some(), "{name}");
        assert_eq!(totals(&outcome.pruned.graph(), &[LENGTH]), [feasible(&lts)], "{name}");
    }
}

/// Up to the length asked for no infeasible path is left, and beyond it no more than without.
#[test]
fn exact_up_to_a_length() {
    for name in ["bubble", "substring"] {
        let lts = lower(&read_example(name));
        let usual = PrunePlan { farther: None, ..USUAL };
        let exact = PrunePlan { exact_up_to: Some(LENGTH), ..usual };
        let outcome = run(&lts, States::new(&lts), exact, &mut Meter::new(DEFAULT_LIMIT), &Trace::new(&mut Silent));
        assert_eq!(outcome.exact, Some(Ok(LENGTH)), "{name}");
        let left = |graph: &Pruned| totals(&graph.graph(), &[LENGTH, 100]);
        let (exact, usual) = (left(&outcome.pruned), left(&pruned(&lts, usual)));
        assert_eq!(exact[0], feasible(&lts), "{name}");
        assert!(exact < usual && exact[1] < usual[1], "{name}");
    }
    // What was written into an array has no exact description.
    let lts = lower("int f(int a[], int n) { for (int i = 0; i < n; i++) a[i] = a[i] * n; if (n > 3 && a[2] == 7) return 1; return 0; }");
    let exact = PrunePlan { exact_up_to: Some(LENGTH), ..USUAL };
    let outcome = run(&lts, States::new(&lts), exact, &mut Meter::new(DEFAULT_LIMIT), &Trace::new(&mut Silent));
    assert!(matches!(outcome.exact, Some(Err(_))), "{:?}", outcome.exact);
    assert_eq!(outcome.cut, None);
}
