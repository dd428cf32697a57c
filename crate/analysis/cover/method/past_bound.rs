//! Tests beyond the bound: what other analyses reach of the statements that no execution within it takes.
//!
//! 1. Follow the runs that leave the bound, of which the search knows the beginning: some complete.
//! 2. The finders of inputs (`analysis::FINDERS`) are asked for the statements that no prover excludes.
//!
//! Each input is run: where the run completes it is a test like others, but that it leaves the bound; where it does not, it shows that
//! something is reached.
//! That no execution *within* the bound takes these statements stays as it is.
//!
//! Finding takes a share of the steps that the rest took, so that covering takes about as long as without.

use super::kept_runs::keep;
use super::test::Test;
use super::{CoverOutcome, EdgeVerdict};
use crate::analysis::FINDERS;
use crate::interp::{Input, Machine};
use crate::invariants::{FactQuery, Quiet, find_shallow};
use crate::load::{Loaded, exact};
use crate::lts::assume::{Assumption, under};
use crate::lts::{EdgeId, Lts};
use crate::run::trace::Trace;
use crate::sequences::matter;
use crate::solver::meter::Meter;

/// Steps for finding, beside a share of those used so far; and the most that there are.
const FEW_STEPS: u64 = 50_000;
const MOST_STEPS: u64 = 1_000_000;
/// The share: one of so many steps.
const SHARE: u64 = 2;
/// How often finders are asked: what lies after a statement is asked for when that is reached.
const TIMES: usize = 3;

/// Asks for what is not within the bound, and adds the tests that this gives to the outcome.
pub fn found_by_others(loaded: &Loaded, outcome: &mut CoverOutcome, meter: &mut Meter, trace: &Trace) {
    let lts = &loaded.lts;
    // Where a run in any state decides nothing, inputs are looked for that begin as a first call does.
    let first = matter(loaded).then(|| under(&loaded.base, exact(loaded.assumed).with(Assumption::FirstCall)));
    let searched = first.as_ref().unwrap_or(lts);
    let steps = (meter.used() / SHARE + FEW_STEPS).min(MOST_STEPS).min(meter.left() / 4);
    meter.within(steps, |meter| find(loaded, searched, outcome, meter, trace));
    // What only a larger bound covers may be covered now.
    outcome.enough = outcome.enough.filter(|&(_, test)| outcome.verdicts.contains(&EdgeVerdict::NotWithin(Some(test))));
}

/// Steps 1 and 2.
fn find(loaded: &Loaded, searched: &Lts, outcome: &mut CoverOutcome, meter: &mut Meter, trace: &Trace) {
    let lts = &loaded.lts;
    let machine = Machine::new(lts);
    let mut inputs: Vec<Input> = outcome.tests.iter().map(|test| test.input.clone()).collect();
    // 1.
    let unfinished: Vec<Test> = outcome.tests[outcome.complete..].to_vec();
    for test in &unfinished {
        keep(loaded, &machine, test, outcome, meter, trace);
    }
    // 2. What the finders exclude on their way holds of first calls, as far as they search only these.
    let mut quiet = Quiet(trace);
    let quiet = Trace::new(&mut quiet);
    for _ in 0..TIMES {
        let untaken: Vec<EdgeId> =
            lts.graph.edge_indices().filter(|edge| outcome.verdicts[edge.index()] == EdgeVerdict::NotWithin(None)).collect();
        if untaken.is_empty() || meter.spend(1).is_err() {
            break;
        }
        let mut is_new = false;
        for finder in FINDERS.iter().filter(|finder| finder.name() != "cover") {
            let query = FactQuery { untaken: &untaken, inputs: &inputs, ..FactQuery::default() };
            let found = find_shallow(*finder, searched, &query, 0, meter, &quiet);
            for input in found.inputs {
                let test = Test { input, path: Vec::new(), after: Vec::new() };
                is_new |= keep(loaded, &machine, &test, outcome, meter, trace);
                inputs.push(test.input);
            }
        }
        if !is_new {
            break;
        }
    }
}
