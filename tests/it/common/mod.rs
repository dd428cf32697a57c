//! What the tests against brute force share: programs made at random, inputs of a small box, and paths found one by one.

pub mod asking;
pub mod cases;
pub mod programs;
pub mod typed;

use culdesac::analysis::cover::method::EdgeVerdict;
use culdesac::interp::{ArrayInput, Input, Machine, Outcome};
use culdesac::logic::Int;
use culdesac::lts::structure::{Structure, distances};
use culdesac::lts::{EdgeId, Lts};
use culdesac::search::{PathPrefix, PathVisitor, SearchStep, complete_paths};
use culdesac::solver::meter::Meter;
use culdesac::solver::questions::{NoLog, QueryLog};
use culdesac::{lang, lts};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

pub use cases::cases;

/// What all meters of this program have counted.
fn spent() -> u64 {
    culdesac::solver::meter::SPENT.load(std::sync::atomic::Ordering::Relaxed)
}

/// The syntax tree of a program that is known to be right.
pub fn parse(source: &str) -> lang::ast::Program {
    let parsed = lang::parse(source);
    parsed.program.unwrap_or_else(|| panic!("{source}\n{:?}", parsed.diagnostics))
}

/// The graph of a program with one function.
pub fn lower(source: &str) -> Lts {
    lts::lower::lower(&parse(source), None).unwrap_or_else(|errors| panic!("{source}\n{errors:?}")).lts
}

/// The graph; with a seed small types put into it, and perhaps operators on bits ([`typed`]).
pub fn lower_typed(source: &str, seed: Option<u64>, bits: bool) -> Lts {
    match seed {
        Some(seed) => typed::typed(lower(source), seed, bits && seed % 2 == 1),
        None => lower(source),
    }
}

/// Inputs of any of these graphs: where there are types, all values of them for the first two parameters.
pub fn inputs_of(lts: &Lts, range: RangeInclusive<i64>, nondet: i64) -> Vec<Input> {
    let has_types = lts.variables.iter().any(|variable| variable.range.is_some());
    if has_types { typed::inputs(lts, nondet as u64) } else { inputs(range, nondet) }
}

/// Inputs of programs of the parameters `x`, `y` and perhaps `a`: all values of a range for `x` and `y`, each with eight arrays, and so
/// many values for `nondet()`.
pub fn inputs(range: RangeInclusive<i64>, nondet: i64) -> Vec<Input> {
    let mut all = Vec::new();
    for x in range.clone() {
        for y in range.clone() {
            for bits in 0..8i64 {
                let elements = (0..3i64).map(|k| (Int::from(k), Int::from((bits >> k & 1) * (k + 1) - 1))).collect();
                all.push(Input {
                    values: [("x", x), ("y", y)].map(|(name, value)| (name.to_owned(), Int::from(value))).into(),
                    arrays: [("a".to_owned(), ArrayInput { elements, default: Int::ZERO })].into(),
                    nondet: (0..nondet).map(|k| Int::from((x + bits + k) % 3 - 1)).collect(),
                    ..Input::default()
                });
            }
        }
    }
    all
}

/// What an input does in so many steps: its edges, whether to the end.
pub fn run_of(machine: &Machine, input: &Input, steps: u64) -> (Vec<EdgeId>, bool) {
    let run = machine.run(input, steps);
    (run.edges, run.outcome == Outcome::Returned)
}

/// The feasible complete paths of a graph, each found by itself.
pub struct OneByOne {
    /// In the order they were found; each has an input that was replayed.
    pub found: Vec<Vec<EdgeId>>,
    /// Whether there may be more.
    pub open: bool,
}

/// Finds the complete paths up to a length that are feasible, by solving each by itself within a number of steps.
pub fn one_by_one(lts: &Lts, length: u32, limit: u64) -> OneByOne {
    struct Collect<'a> {
        machine: &'a Machine<'a>,
        all: OneByOne,
    }
    impl PathVisitor for Collect<'_> {
        fn stepped(&mut self, _: &mut PathPrefix, _: EdgeId, _: &SearchStep) -> bool {
            true
        }
        fn complete(&mut self, walk: &mut PathPrefix) {
            match walk.witness(self.machine) {
                Ok(Ok(_)) => self.all.found.push(walk.path()),
                _ => self.all.open = true,
            }
        }
        fn log(&self) -> &dyn QueryLog {
            &NoLog
        }
    }
    let machine = Machine::new(lts);
    let mut collect = Collect { machine: &machine, all: OneByOne { found: Vec::new(), open: false } };
    let ended = complete_paths(lts, &distances(lts, lts.exit), length, &mut Meter::new(limit), &mut collect);
    collect.all.open |= ended.is_err();
    collect.all
}

/// That no prefix of a path that an input takes is refuted.
pub fn is_not_refuted(lts: &Lts, path: &[EdgeId], source: &str) -> Result<(), TestCaseError> {
    let mut walk = PathPrefix::new(lts);
    for &edge in path {
        let step = walk.step(edge, &mut Meter::new(100_000), &NoLog);
        prop_assert!(!matches!(step, SearchStep::Infeasible(_)), "{path:?} at {edge:?}\n{source}");
    }
    Ok(())
}

/// That no verdict about an edge, within a number of rounds of each loop, contradicts what runs do: their edges, whether to the end.
pub fn no_run_contradicts(
    lts: &Lts,
    verdicts: &[EdgeVerdict],
    unwind: u32,
    runs: impl IntoIterator<Item = (Vec<EdgeId>, bool)>,
    source: &str,
) -> Result<(), TestCaseError> {
    let back = Structure::new(lts).back_edges;
    for (edges, complete) in runs {
        // The bound counts returns to a header, by whichever edge.
        let mut returns = BTreeMap::new();
        edges.iter().filter(|edge| back.contains(edge)).for_each(|&edge| *returns.entry(lts.edge(edge).2).or_insert(0) += 1);
        let within = returns.values().all(|&count| count <= unwind);
        for edge in edges {
            let verdict = &verdicts[edge.index()];
            let contradicts = match verdict {
                EdgeVerdict::Covered(_) | EdgeVerdict::Unbacked(_) | EdgeVerdict::Reached(_) | EdgeVerdict::Open(_) => false,
                EdgeVerdict::Infeasible => true,
                EdgeVerdict::NeverCompletes(_) => complete,
                EdgeVerdict::NotWithin(_) => complete && within,
            };
            prop_assert!(!contradicts, "edge {}: {verdict:?}\n{source}", edge.index());
        }
    }
    Ok(())
}
