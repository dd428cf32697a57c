//! Progress of `branches`: the state of each branch so far. It is as sound as the document: the same rules say when a branch
//! is covered, and when it may be called infeasible.

use super::bidirectional::{Bidirectional, EdgeKnowledge};
use super::document::{BranchesCounts, BranchesSide, BranchesTest, BranchesVerdict, Verdicts, counts, listed, tested};
use super::starts::believed;
use super::step_log::BranchesStep;
use crate::load::Loaded;
use crate::logic::SortedSet;
use crate::lts::EdgeId;
use crate::lts::sides::Side;
use crate::run::trace::Trace;
use crate::sequences::matter;
use serde::Serialize;

/// News of `branches`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum BranchesNews {
    /// A run that takes branches which none before it takes. They are numbered from 0.
    BranchesTest { test: BranchesTest },
    /// What is known.
    Branches {
        counts: BranchesCounts,
        cov_b: f64,
        cov_f: f64,
        iterations: u64,
        runs: u32,
        /// The branches of which something else is known than before; at the beginning all of them. Their tests are those told so far.
        changed: Vec<BranchesChange>,
    },
    /// A step of the analysis.
    BranchesStep { step: BranchesStep },
    /// There are more steps: no more of them are told.
    BranchesMore,
}

/// A branch, and its position in the list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesChange {
    pub at: u32,
    pub side: BranchesSide,
}

/// Why something is open while it runs.
const YET: &str = "nobody has found an input or a proof yet";

/// Tells what has changed.
pub struct Teller<'a> {
    loaded: &'a Loaded,
    sides: &'a [Side],
    /// What was told of each branch.
    told: Vec<Option<(BranchesVerdict, Option<u32>)>>,
    tests: Vec<BranchesTest>,
    /// So many runs were looked at.
    seen: usize,
}

impl<'a> Teller<'a> {
    pub fn new(loaded: &'a Loaded, sides: &'a [Side]) -> Teller<'a> {
        Teller { loaded, sides, told: vec![None; sides.len()], tests: Vec::new(), seen: 0 }
    }

    /// Tells the runs that take something new, and what else is known than before.
    pub fn tell(&mut self, analysis: &Bidirectional, trace: &Trace) {
        let believed = matter(self.loaded).then(|| believed(self.loaded, &analysis.edges, &analysis.tests));
        let edges = believed.as_ref().unwrap_or(&analysis.edges);
        // Of each branch the first run that takes it.
        let taken = |edge: &EdgeId| match edges[edge.index()] {
            EdgeKnowledge::Taken(run) => Some(run),
            _ => None,
        };
        let first: SortedSet<usize> = self.sides.iter().filter_map(|side| side.edges.iter().filter_map(taken).min()).collect();
        for &run in first.iter().filter(|&&run| run >= self.seen) {
            let test = tested(self.loaded, self.sides, &analysis.tests[run]);
            trace.result(&|| BranchesNews::BranchesTest { test: test.clone() });
            self.tests.push(test);
        }
        self.seen = analysis.tests.len();
        let known = Verdicts { edges, needs: &analysis.needs, unclaimed: &analysis.deep.unclaimed, runs: &analysis.tests };
        let now = listed(self.loaded, self.sides, &known, &self.tests, YET);
        let counts = counts(now.iter().map(|side| side.verdict));
        let (cov_b, cov_f) = counts.shares();
        let mut changed = Vec::new();
        for (at, (side, told)) in (0..).zip(now.into_iter().zip(&mut self.told)) {
            let known = Some((side.verdict, side.test));
            if *told != known {
                *told = known;
                changed.push(BranchesChange { at, side });
            }
        }
        let (iterations, runs) = (analysis.iterations, analysis.tests.len() as u32);
        trace.result(&|| BranchesNews::Branches { counts, cov_b, cov_f, iterations, runs, changed: changed.clone() });
    }
}
