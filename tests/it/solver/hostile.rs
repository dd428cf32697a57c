//! The solver against queries made to be hard, each with an answer known by construction.
//!
//! Every family says in its doc comment why its queries are satisfiable or not. A model must evaluate, a refutation must
//! have a certificate that the checker accepts, no answer may be wrong, and at least 95 in 100 queries must be decided.
//!
//! `cargo test --test it solver::hostile -- --nocapture` prints a table. `HOSTILE=50` makes 50 queries of each family instead of the usual
//! number, `HOSTILE_FAMILY=coins` keeps the families with that in their name, and `HOSTILE_LIMIT=5000000` is the step limit that
//! `solve` has; without it the few queries that are not decided would take most of the time.

// Odd and even, `k % 2 == 1` and `k % 2 == 0`, are read as a pair.
#![allow(clippy::manual_is_multiple_of)]

mod arrays;
mod boolean;
mod kit;
mod linear;
mod nonlinear;

use crate::common::cases::counted;
use culdesac::logic::FormulaId;
use culdesac::solver::check::check;
use culdesac::solver::meter::Meter;
use culdesac::solver::{Answer, Context};
use kit::{Family, Query};
use std::time::{Duration, Instant};

/// Steps for a query where nothing is said.
const LIMIT: u64 = 500_000;
/// Queries of each family where nothing is said.
const QUERIES: u64 = 12;

struct Outcome {
    k: u64,
    /// Right, wrong, or open.
    verdict: Option<bool>,
    time: Duration,
    steps: u64,
}

fn run(k: u64, query: Query, limit: u64) -> Outcome {
    let mut context = Context::new();
    context.pool = query.pool;
    context.query_limit = limit;
    let start = Instant::now();
    for formula in query.formulas {
        context.assert(formula);
    }
    let mut meter = Meter::new(limit);
    let answer = context.check(&mut meter);
    let time = start.elapsed();
    let verdict = match answer {
        Answer::Sat(model) => {
            let holds = context.assertions().iter().all(|&f| model.formula(&context.pool, f) == Some(true));
            Some(query.expected && holds)
        }
        Answer::Unsat(refutation) => {
            let core: Vec<FormulaId> = refutation.core.iter().map(|&position| context.assertions()[position]).collect();
            Some(!query.expected && check(&context.pool, &core, &refutation.certificate).is_ok())
        }
        Answer::Unknown(_) => None,
    };
    Outcome { k, verdict, time, steps: meter.used() }
}

/// One line of the table; gives how many were decided and how many decided wrongly.
fn report(name: &str, outcomes: &[Outcome]) -> (usize, usize) {
    let decided = outcomes.iter().filter(|outcome| outcome.verdict.is_some()).count();
    let wrong: Vec<u64> = outcomes.iter().filter(|outcome| outcome.verdict == Some(false)).map(|outcome| outcome.k).collect();
    let open: Vec<u64> = outcomes.iter().filter(|outcome| outcome.verdict.is_none()).map(|outcome| outcome.k).collect();
    let mut times: Vec<f64> = outcomes.iter().map(|outcome| outcome.time.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    let steps = outcomes.iter().map(|outcome| outcome.steps).max().unwrap_or(0);
    // Steps are there to bound time: what one costs, for queries that take long enough to tell.
    let long = outcomes.iter().filter(|outcome| outcome.time > Duration::from_millis(20));
    let cost = long.map(|outcome| outcome.time.as_secs_f64() * 1e6 / outcome.steps as f64).fold(0.0, f64::max);
    println!(
        "{name:24} {decided:4}/{:<4} wrong {wrong:?} median {:9.2} ms max {:9.1} ms max steps {steps:9} us/step {cost:6.1} open {open:?}",
        outcomes.len(),
        times[times.len() / 2],
        times[times.len() - 1],
    );
    (decided, wrong.len())
}

#[test]
fn hostile_queries_are_decided_and_never_wrongly() {
    let variable = |name: &str| std::env::var(name).ok();
    let number = |name: &str, default| variable(name).and_then(|n| n.parse().ok()).unwrap_or(default);
    let (count, limit) = (number("HOSTILE", QUERIES), number("HOSTILE_LIMIT", LIMIT));
    let wanted = variable("HOSTILE_FAMILY").unwrap_or_default();
    let all: Vec<Family> = [linear::FAMILIES, boolean::FAMILIES, arrays::FAMILIES, nonlinear::FAMILIES].concat();
    let (mut total, mut decided, mut wrong) = (0, 0, 0);
    for (name, make) in all.into_iter().filter(|(name, _)| name.contains(&wanted)) {
        counted(count);
        let outcomes: Vec<Outcome> = (0..count).map(|k| run(k, make(k), limit)).collect();
        let (d, w) = report(name, &outcomes);
        (total, decided, wrong) = (total + outcomes.len(), decided + d, wrong + w);
    }
    println!("{decided} of {total} decided, {wrong} wrong");
    assert_eq!(wrong, 0);
    assert!(decided * 100 >= total * 95, "{decided} of {total} decided");
}
