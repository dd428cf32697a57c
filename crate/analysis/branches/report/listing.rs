//! The branches with what is known of each, and runs as tests, as plain data: for the document, and for the news on the way.

use super::{BranchesCounts, BranchesSide, BranchesTest, BranchesVerdict};
use crate::analysis::branches::method::runs::{EdgeKnowledge, KeptRun};
use crate::analysis::branches::method::suite::is_ended;
use crate::analysis::branches::method::{BranchesOutcome, SideStatus, status};
use crate::evidence::numbers;
use crate::interp;
use crate::load::Loaded;
use crate::logic::{SortedMap, SortedSet};
use crate::lts::assume::Assumptions;
use crate::lts::sides::{Side, without_copies};
use crate::lts::written::WrittenEdge;
use crate::lts::{EdgeId, FailureKind, Lts};
use crate::run::assumption_tracking::{Needs, assumed_after, without};
use crate::run::determined::NEVER_TAKEN;
use crate::sequences::{Needed, needed};
use crate::solver::Reason;
use crate::view::{capped, place, written_view_by};

/// A run as a test; the machine is that of the graph.
pub fn tested(loaded: &Loaded, machine: &interp::Machine, sides: &[Side], test: &KeptRun) -> BranchesTest {
    let lts = &loaded.lts;
    let (lines, lines_total) = capped(test.path.iter().map(|&edge| loaded.lines.line(lts.graph[edge].span.start)).collect());
    BranchesTest {
        input: written_view_by(lts, machine, &test.input),
        ends: ends(lts, test),
        is_defined: is_ended(test),
        path_length: test.path.len() as u32,
        edges: numbers(&test.path),
        lines,
        lines_total,
        takes: takes(sides, test),
        assumes: assumed_after(loaded, &test.input, &test.after),
        after: test.after.clone(),
    }
}

/// The branches that a run takes, by position.
pub fn takes(sides: &[Side], test: &KeptRun) -> Vec<u32> {
    let taken: SortedSet<EdgeId> = test.taken().collect();
    (0..).zip(sides).filter(|(_, side)| side.edges.iter().any(|edge| taken.contains(edge))).map(|(at, _)| at).collect()
}

/// A test that takes a branch: its number, from 0, and the assumptions that it rests on.
#[derive(Clone)]
pub struct TakingTest {
    pub number: u32,
    pub assumes: Vec<String>,
}

/// Writes branches with what is known of each, and what that rests on.
pub struct BranchesListing<'o> {
    loaded: &'o Loaded,
    verdicts: Verdicts<'o>,
    rests: Rests<'o>,
    is_determined: bool,
    /// Why what is open is open.
    why: &'o str,
}

impl<'o> BranchesListing<'o> {
    pub fn new(loaded: &'o Loaded, verdicts: Verdicts<'o>, why: &'o str) -> BranchesListing<'o> {
        let is_determined = verdicts.runs.iter().any(|run| run.only.is_some());
        BranchesListing { loaded, rests: Rests::new(verdicts.needs, verdicts.unclaimed), verdicts, is_determined, why }
    }

    /// The verdict on a branch.
    pub fn verdict(&self, side: &Side) -> BranchesVerdict {
        match status(side, self.verdicts.edges) {
            SideStatus::Covered => BranchesVerdict::Covered,
            SideStatus::Infeasible if self.rests.of(side).is_ok() => BranchesVerdict::Infeasible,
            SideStatus::Infeasible | SideStatus::Open => BranchesVerdict::Open,
        }
    }

    /// A branch; a covered one with the first test that takes it.
    pub fn branch(&self, side: &Side, test: Option<&TakingTest>) -> BranchesSide {
        let loaded = self.loaded;
        let Verdicts { edges, runs, .. } = self.verdicts;
        let mut state = None;
        let (verdict, assumes, open) = match status(side, edges) {
            SideStatus::Covered => (BranchesVerdict::Covered, test.map_or_else(Vec::new, |test| test.assumes.clone()), None),
            SideStatus::Infeasible => match self.rests.of(side) {
                Ok(assumes) => (BranchesVerdict::Infeasible, assumes, None),
                Err(why) => (BranchesVerdict::Open, Vec::new(), Some(why)),
            },
            SideStatus::Open => {
                let unbacked = side.edges.iter().find_map(|edge| match edges[edge.index()] {
                    EdgeKnowledge::Unbacked(run) => Some(needed(loaded, &runs[run].input, &side.edges)),
                    _ => None,
                });
                let open = unbacked.as_ref().map_or_else(|| self.why.to_owned(), Needed::why);
                state = unbacked.map(|needed| needed.state);
                (BranchesVerdict::Open, Vec::new(), Some(open))
            }
        };
        let place = place(&loaded.lines, side.span);
        let WrittenEdge { text, expansion } = loaded.source_text(side.edges[0]);
        let test = test.map(|test| test.number);
        BranchesSide {
            line: place.line,
            column: place.column,
            place,
            text: without_copies(&text),
            expansion,
            side: side.holds.to_string(),
            verdict,
            evidence: match (verdict, test) {
                (BranchesVerdict::Covered, Some(test)) => format!("test {} takes it, replayed", test + 1),
                (BranchesVerdict::Infeasible, _) if self.is_determined => format!("no execution takes it: {NEVER_TAKEN}"),
                (BranchesVerdict::Infeasible, _) => "no execution takes it: a certificate over all executions".to_owned(),
                _ => String::new(),
            },
            assumes,
            test,
            edges: numbers(&side.edges),
            open,
            state,
        }
    }
}

/// All branches; the tests take all that is covered, and `why` is why the rest is open.
pub fn listed(loaded: &Loaded, sides: &[Side], verdicts: Verdicts, tests: &[BranchesTest], why: &str) -> Vec<BranchesSide> {
    let listing = BranchesListing::new(loaded, verdicts, why);
    let mut first: Vec<Option<TakingTest>> = vec![None; sides.len()];
    for (number, test) in (0..).zip(tests) {
        for &at in &test.takes {
            first[at as usize].get_or_insert_with(|| TakingTest { number, assumes: test.assumes.clone() });
        }
    }
    sides.iter().zip(&first).map(|(side, test)| listing.branch(side, test.as_ref())).collect()
}

impl BranchesCounts {
    /// cov_b and cov_f.
    pub fn shares(self) -> (f64, f64) {
        let share = |all: u32| if all == 0 { 1.0 } else { f64::from(self.covered) / f64::from(all) };
        (share(self.total), share(self.total - self.infeasible))
    }
}

/// How many there are of each verdict.
pub fn counts(verdicts: impl Iterator<Item = BranchesVerdict>) -> BranchesCounts {
    let mut counts = BranchesCounts::default();
    for verdict in verdicts {
        counts.total += 1;
        match verdict {
            BranchesVerdict::Covered => counts.covered += 1,
            BranchesVerdict::Infeasible => counts.infeasible += 1,
            BranchesVerdict::Open => counts.open += 1,
        }
    }
    counts
}

/// What is known of edges.
#[derive(Clone, Copy)]
pub struct Verdicts<'o> {
    pub edges: &'o [EdgeKnowledge],
    pub needs: &'o [(Vec<EdgeId>, Needs)],
    /// Edges that deeper calls may take.
    pub unclaimed: &'o [EdgeId],
    pub runs: &'o [KeptRun],
}

impl Verdicts<'_> {
    pub fn of(outcome: &BranchesOutcome) -> Verdicts<'_> {
        Verdicts { edges: &outcome.edges, needs: &outcome.needs, unclaimed: &outcome.unclaimed, runs: &outcome.runs }
    }
}

/// What infeasible branches rest on.
struct Rests<'o> {
    needs: SortedMap<EdgeId, Needs>,
    unclaimed: &'o [EdgeId],
}

impl Rests<'_> {
    fn new<'o>(needs: &[(Vec<EdgeId>, Needs)], unclaimed: &'o [EdgeId]) -> Rests<'o> {
        let needs = needs.iter().flat_map(|(edges, one)| edges.iter().map(|&edge| (edge, *one))).collect();
        Rests { needs, unclaimed }
    }

    /// The assumptions of all copies together.
    ///
    /// # Errors
    /// Why the branch may not be called infeasible.
    fn of(&self, side: &Side) -> Result<Vec<String>, String> {
        if side.edges.iter().any(|edge| self.unclaimed.contains(edge)) {
            return Err(Reason::Deeper.to_string());
        }
        let needs: Vec<&Needs> = side.edges.iter().filter_map(|edge| self.needs.get(edge)).collect();
        let all = needs.iter().flat_map(|needs| needs.all.iter()).collect();
        let missing = needs.iter().flat_map(|needs| needs.missing.iter()).collect();
        without(missing).map_or_else(|| Ok(Assumptions::ids(all)), Err)
    }
}

/// How a run ends.
fn ends(lts: &Lts, test: &KeptRun) -> String {
    match &test.outcome {
        interp::Outcome::Returned => "returns".to_owned(),
        interp::Outcome::Error => match test.taken().last().and_then(|edge| lts.graph[edge].failure).map(|failure| failure.kind) {
            Some(FailureKind::Assertion) => "fails an assertion".to_owned(),
            Some(FailureKind::Abort) => "aborts".to_owned(),
            Some(FailureKind::ErrorCall) | None => "calls an error".to_owned(),
        },
        interp::Outcome::Undefined(why) => format!("is undefined: {why}"),
        interp::Outcome::AssumeFailed => "ends at an assumption that does not hold".to_owned(),
        interp::Outcome::Cut => "calls a function within itself too often".to_owned(),
        interp::Outcome::Steps if test.only.is_some() => "goes on for ever".to_owned(),
        interp::Outcome::Steps => format!("goes on for more than {} steps", test.path.len()),
        interp::Outcome::TooLarge => "computes a number that is too large".to_owned(),
        interp::Outcome::NoText(_) => "ends where no text on standard input goes on".to_owned(),
        interp::Outcome::Approximated => "goes on at a place that is approximated".to_owned(),
    }
}
