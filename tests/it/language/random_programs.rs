//! What the analyses say of random C programs, with all of C's types, against what runs on random inputs do.
//!
//! `CULDESAC_DIFFERENTIAL_PROGRAMS` and `CULDESAC_DIFFERENTIAL_FIRST` say which programs, as in `tests/it/language/gcc.rs`.

use crate::common::{is_not_refuted, no_run_contradicts};
use culdesac::analysis::cover::method::{Algorithm, CoverPlan, run};
use culdesac::analysis::{Silent, Trace};
use culdesac::interp::{Machine, Outcome};
use culdesac::lts::EdgeId;
use culdesac::solver::meter::Meter;

use crate::differential::draw::{Drawer, Random};
use crate::differential::random;
use crate::differential::subject::Subject;
use std::collections::BTreeSet;
use std::path::Path;

/// Programs of the daily run.
const USUAL: u64 = 10;
/// Inputs for each program.
const INPUTS: u64 = 60;
/// Edges of a run that are looked at.
const LENGTH: u64 = 400;
/// Of a path of which it is asked whether the solver refutes it.
const ASKED: usize = 60;
/// Such paths of each program.
const PATHS: usize = 6;
/// Of the solver for each program and number of rounds.
const STEPS: u64 = 200_000;

// Two tests, so that two threads share the work.
#[test]
fn no_verdict_contradicts_a_run_of_even_programs() {
    verdicts_contradict_no_run(random::numbers(USUAL).filter(|number| number % 2 == 0));
}

#[test]
fn no_verdict_contradicts_a_run_of_odd_programs() {
    verdicts_contradict_no_run(random::numbers(USUAL).filter(|number| number % 2 == 1));
}

fn verdicts_contradict_no_run(numbers: impl Iterator<Item = u64>) {
    for number in numbers {
        let source = random::program(number);
        let subject = Subject::read(Path::new("random.c"), &source).unwrap_or_else(|refusal| panic!("{refusal:?}\n{source}"));
        let function = &subject.functions[0];
        let lts = &function.lts;
        let machine = Machine::new(lts);
        let drawer = Drawer::new(function);
        let runs: Vec<(Vec<EdgeId>, bool)> = (0..INPUTS)
            .map(|input| {
                let run = machine.run(&drawer.input(&mut Random::new(&source, input)), LENGTH);
                (run.edges, run.outcome == Outcome::Returned)
            })
            .collect();
        let paths: BTreeSet<&[EdgeId]> = runs.iter().map(|(edges, _)| &edges[..edges.len().min(ASKED)]).collect();
        for path in paths.into_iter().take(PATHS) {
            is_not_refuted(lts, path, &source).unwrap_or_else(|error| panic!("program {number}: {error}"));
        }
        for unwind in [0, 1] {
            let settings = CoverPlan { unwind, algorithm: Algorithm::Prefer, small: false, verdicts: true };
            let cover = run(lts, &settings, &mut Meter::new(STEPS), &Trace::new(&mut Silent))
                .unwrap_or_else(|why| panic!("program {number}: {why}\n{source}"));
            no_run_contradicts(lts, &cover.verdicts, unwind, runs.iter().cloned(), &source)
                .unwrap_or_else(|error| panic!("program {number}: {error}"));
        }
    }
}
