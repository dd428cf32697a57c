//! Progress of `branches`: the state of each branch so far. It is as sound as the document: the same rules say when a branch
//! is covered, and when it may be called infeasible.

use super::listing::{Verdicts, counts, listed, tested};
use super::news::{BranchesChange, BranchesNews};
use super::step_log::StepLog;
use super::{BranchesTest, BranchesVerdict};
use crate::analysis::branches::method::bidirectional::Bidirectional;
use crate::analysis::branches::method::bidirectional::observer::{ModelChange, SearchObserver};
use crate::analysis::branches::method::runs::EdgeKnowledge;
use crate::analysis::branches::method::starts::believed;
use crate::load::Loaded;
use crate::logic::SortedSet;
use crate::lts::EdgeId;
use crate::lts::sides::Side;
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
    verdicts: Vec<Option<(BranchesVerdict, Option<u32>)>>,
    tests: Vec<BranchesTest>,
    /// So many runs were looked at.
    seen: usize,
}

impl<'a, 't, 'r> Teller<'a, 't, 'r> {
    pub fn new(loaded: &'a Loaded, sides: &'a [Side], trace: &'t Trace<'r>) -> Teller<'a, 't, 'r> {
        let told = ToldBranches { verdicts: vec![None; sides.len()], tests: Vec::new(), seen: 0 };
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
        for &run in first.iter().filter(|&&run| run >= told.seen) {
            let test = tested(self.loaded, self.sides, &analysis.tests[run]);
            self.trace.result(&|| BranchesNews::BranchesTest { test: test.clone() });
            told.tests.push(test);
        }
        told.seen = analysis.tests.len();
        let verdicts = Verdicts { edges, needs: &analysis.needs, unclaimed: &analysis.deep.unclaimed, runs: &analysis.tests };
        let now = listed(self.loaded, self.sides, &verdicts, &told.tests, YET);
        let counts = counts(now.iter().map(|side| side.verdict));
        let (cov_b, cov_f) = counts.shares();
        let mut changed = Vec::new();
        for (at, (side, verdict)) in (0..).zip(now.into_iter().zip(&mut told.verdicts)) {
            let current = Some((side.verdict, side.test));
            if *verdict != current {
                *verdict = current;
                changed.push(BranchesChange { at, side });
            }
        }
        let (iterations, runs) = (analysis.iterations, analysis.tests.len() as u32);
        self.trace.result(&|| BranchesNews::Branches { counts, cov_b, cov_f, iterations, runs, changed: changed.clone() });
    }
}
