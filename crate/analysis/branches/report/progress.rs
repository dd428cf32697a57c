//! Progress of `branches`: the state of each branch so far. It is as sound as the document: the same rules say when a branch
//! is covered, and when it may be called infeasible.

use super::BranchesVerdict;
use super::listing::{BranchesListing, TakingTest, Verdicts, counts, takes, tested};
use super::news::{BranchesChange, BranchesNews};
use super::step_log::StepLog;
use crate::analysis::branches::method::bidirectional::Bidirectional;
use crate::analysis::branches::method::bidirectional::observer::{ModelChange, SearchObserver};
use crate::analysis::branches::method::runs::EdgeKnowledge;
use crate::analysis::branches::method::starts::believed;
use crate::load::Loaded;
use crate::logic::SortedSet;
use crate::lts::EdgeId;
use crate::lts::sides::Side;
use crate::run::assumption_tracking::assumed_after;
use crate::run::trace::Trace;
use crate::sequences::matter;
use std::cell::RefCell;

/// Why something is open while it runs.
const YET: &str = "no prover and no finder has an answer yet";

/// Tells the trace of the search: each step, and the state of each branch.
pub struct Teller<'a, 't, 'r> {
    loaded: &'a Loaded,
    sides: &'a [Side],
    trace: &'t Trace<'r>,
    steps: StepLog<'t, 'r>,
    told: RefCell<ToldBranches>,
}

/// What was told of the branches.
struct ToldBranches {
    /// Of each branch.
    verdicts: Vec<Option<BranchesVerdict>>,
    /// The first told test that takes each branch.
    first: Vec<Option<TakingTest>>,
    /// So many tests were told.
    tests: u32,
    /// So many runs were looked at.
    seen: usize,
}

impl<'a, 't, 'r> Teller<'a, 't, 'r> {
    pub fn new(loaded: &'a Loaded, sides: &'a [Side], trace: &'t Trace<'r>) -> Teller<'a, 't, 'r> {
        let told = ToldBranches { verdicts: vec![None; sides.len()], first: vec![None; sides.len()], tests: 0, seen: 0 };
        Teller { loaded, sides, trace, steps: StepLog::new(trace), told: RefCell::new(told) }
    }
}

impl SearchObserver for Teller<'_, '_, '_> {
    fn changed(&self, analysis: &Bidirectional, change: &ModelChange) {
        self.steps.changed(analysis, change);
    }

    /// Tells the runs that take something new, and what else is known than before.
    fn settled(&self, analysis: &Bidirectional) {
        let told = &mut *self.told.borrow_mut();
        let believed = matter(self.loaded).then(|| believed(self.loaded, &analysis.edges, &analysis.tests));
        let edges = believed.as_ref().unwrap_or(&analysis.edges);
        // Of each branch the first run that takes it.
        let taken = |edge: &EdgeId| match edges[edge.index()] {
            EdgeKnowledge::Taken(run) => Some(run),
            _ => None,
        };
        let first: SortedSet<usize> = self.sides.iter().filter_map(|side| side.edges.iter().filter_map(taken).min()).collect();
        let mut changed: Vec<(u32, &Side)> = Vec::new();
        for &run in first.iter().filter(|&&run| run >= told.seen) {
            let run = &analysis.tests[run];
            self.trace.result(&|| BranchesNews::BranchesTest { test: tested(self.loaded, analysis.machine, self.sides, run) });
            let test = TakingTest { number: told.tests, assumes: assumed_after(self.loaded, &run.input, &run.after) };
            for at in takes(self.sides, run) {
                told.first[at as usize].get_or_insert_with(|| test.clone());
            }
            told.tests += 1;
        }
        told.seen = analysis.tests.len();
        let verdicts = Verdicts { edges, needs: &analysis.needs, unclaimed: &analysis.deep.unclaimed, runs: &analysis.tests };
        let listing = BranchesListing::new(self.loaded, verdicts, YET);
        for ((at, side), verdict) in (0..).zip(self.sides).zip(&mut told.verdicts) {
            let now = Some(listing.verdict(side));
            if *verdict != now {
                *verdict = now;
                changed.push((at, side));
            }
        }
        let counts = counts(told.verdicts.iter().copied().flatten());
        let (cov_b, cov_f) = counts.shares();
        let (iterations, runs) = (analysis.iterations, analysis.tests.len() as u32);
        let first = &told.first;
        self.trace.result(&|| {
            let change = |&(at, side): &(u32, &Side)| BranchesChange { at, side: listing.branch(side, first[at as usize].as_ref()) };
            BranchesNews::Branches { counts, cov_b, cov_f, iterations, runs, changed: changed.iter().map(change).collect() }
        });
    }
}
