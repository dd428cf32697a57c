//! The state that earlier queries leave in a context: an answer costs at most a small multiple of what it costs in a context of its own.

use crate::common::cases;
use culdesac::analysis::paths::{Paths, PathsSettings};
use culdesac::analysis::{Listener, Query};
use culdesac::logic::{Int, Linear, Pool};
use culdesac::solver::meter::Meter;
use culdesac::solver::{Answer, Context};
use culdesac::view::{Reply, Request};
use proptest::prelude::*;

/// As long as a question may take here.
const LIMIT: u64 = 400_000;

/// What happens in a walk over a tree of questions.
#[derive(Clone, Debug)]
enum Move {
    /// One scope more, with a condition: a variable set to a term over others, and a comparison.
    Down(u8, [i8; 3], u8, i8),
    Up,
}

/// `v = ⌊(Σ c x) / 2⌋ + k` for a new `v`, and a comparison of it with another one: as halving an interval gives.
fn assert_step(context: &mut Context, known: &mut Vec<Linear>, &(kind, c, other, k): &(u8, [i8; 3], u8, i8)) {
    let pool: &mut Pool = &mut context.pool;
    let pick = |at: usize| known[at % known.len()].clone();
    let sum =
        (0..3).fold(Linear::constant(i64::from(k)), |sum, at| sum.add(&pick(usize::from(other) + at).scale(&Int::from(i64::from(c[at])))));
    let term = match kind % 4 {
        0 => pool.div_rem_trunc(&sum, &Linear::constant(2)).expect("not zero").0,
        1 => pool.div_rem_trunc(&sum, &Linear::constant(3)).expect("not zero").1,
        2 => {
            let array = pool.array_symbol("a");
            pool.select(array, &sum)
        }
        _ => sum,
    };
    let right = pick(usize::from(other));
    let formula = match kind / 4 % 3 {
        0 => pool.at_most(&term, &right),
        1 => pool.less(&right, &term),
        _ => pool.equal(&term, &right),
    };
    known.push(term);
    context.assert(formula);
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let down =
        (any::<u8>(), prop::array::uniform3(-2i8..3), any::<u8>(), -3i8..4).prop_map(|(kind, c, other, k)| Move::Down(kind, c, other, k));
    prop::collection::vec(prop_oneof![3 => down, 2 => Just(Move::Up)], 10..80)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(40)))]

    /// Steps, and the answer where both know one.
    #[test]
    fn an_answer_costs_little_more_than_alone(moves in moves()) {
        let mut context = Context::new();
        let mut known: Vec<Linear> = ["x", "y", "z"].iter().map(|name| context.pool.integer(name)).collect();
        let mut depths = Vec::new();
        for one in &moves {
            match one {
                Move::Down(kind, c, other, k) => {
                    depths.push(known.len());
                    context.push();
                    assert_step(&mut context, &mut known, &(*kind, *c, *other, *k));
                }
                Move::Up => {
                    if let Some(depth) = depths.pop() {
                        context.pop();
                        known.truncate(depth);
                    }
                    continue;
                }
            }
            let (mut meter, mut alone) = (Meter::new(LIMIT), Meter::new(LIMIT));
            let answer = context.check(&mut meter);
            let mut fresh = Context::new();
            fresh.pool = context.pool.clone();
            for &formula in context.assertions() {
                fresh.assert(formula);
            }
            let other = fresh.check(&mut alone);
            prop_assert!(meter.used() <= 8 * alone.used() + 6_000, "{} steps, alone {}", meter.used(), alone.used());
            let differ = matches!((&answer, &other), (Answer::Sat(_), Answer::Unsat(_)) | (Answer::Unsat(_), Answer::Sat(_)));
            prop_assert!(!differ, "{answer:?} and {other:?}");
        }
    }
}

fn paths(source: &str, length: u32) -> (Option<String>, bool, u64) {
    let request = Request { program: "p".to_owned(), source: source.to_owned(), ..Request::default() };
    let settings = PathsSettings { lengths: vec![length], feasible: true };
    let asked = Query { request: Some(request), settings };
    match asked.answer::<Paths>(&Default::default, &mut Listener::new(&mut |_| true)) {
        Reply::Document { document } => (document.table[0].feasible.clone(), document.header.complete, document.header.statistics.steps),
        Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
    }
}

/// Walks whose questions were left open for what came before them, though each is easy.
#[test]
fn textbook_loops_are_walked_to_the_end() {
    let search = "int search(int a[8], int n, int key) {\n  int lo = 0, hi = n - 1;\n  while (lo <= hi) {\n    int mid = lo + (hi - lo) / 2;\n    if (a[mid] == key) return mid;\n    if (a[mid] < key) lo = mid + 1; else hi = mid - 1;\n  }\n  return -1;\n}\n";
    let (feasible, complete, steps) = paths(search, 30);
    assert_eq!((feasible.as_deref(), complete), (Some("126"), true));
    assert!(steps < 200_000, "{steps}");
    let collatz = "int collatz(int n) { int s = 0; while (n != 1) { if (n % 2 == 0) n = n / 2; else n = 3 * n + 1; s++; } return s; }";
    let (feasible, complete, steps) = paths(collatz, 40);
    assert_eq!((feasible.as_deref(), complete), (Some("23"), true));
    assert!(steps < 500_000, "{steps}");
}

/// The limit grows with the text, between its two ends.
#[test]
fn long_programs_may_take_more_steps() {
    use culdesac::analysis::{DEFAULT_LIMIT, LONG_LIMIT, default_limit};
    let lines = |count: usize| default_limit(&"\n".repeat(count));
    assert_eq!([lines(0), lines(100), lines(250), lines(100_000)], [DEFAULT_LIMIT, DEFAULT_LIMIT, 25_000_000, LONG_LIMIT]);
}
