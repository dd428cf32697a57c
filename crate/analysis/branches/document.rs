//! Settings and document of `branches`.

use super::baselines::{BranchesBaseline, Covered};
use super::bidirectional::{EdgeKnowledge, KeptRun};
use super::constants::undecided;
use super::{BranchesOutcome, SideStatus, status};
use crate::evidence::numbers;
use crate::interp;
use crate::load::Loaded;
use crate::logic::{SortedMap, SortedSet};
use crate::lts::assume::Assumption;
use crate::lts::sides::{Side, without_copies};
use crate::lts::written::WrittenEdge;
use crate::lts::{EdgeId, FailureKind, Lts};
use crate::run::assumption_tracking::{Needs, assumed_after, without};
use crate::run::recorder::Used;
use crate::sequences::{Needed, needed};
use crate::view::{Call, Header, Input, Request, TextPlace, capped, document, input_view, place};
use serde::{Deserialize, Serialize};

/// How branches are looked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesSettings {
    /// Inputs to begin with.
    #[serde(default)]
    pub tests: Vec<Input>,
    /// Which frontier edge comes next.
    #[serde(default)]
    pub order: BranchesOrder,
    /// Whether other searches are given the same steps, for comparison.
    #[serde(default)]
    pub baselines: bool,
}

/// An order of frontier edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum BranchesOrder {
    /// The target with the fewest turns first.
    #[default]
    Fair,
    /// In the order of discovery.
    Discovery,
}

/// `branches`. A branch is a side of a decision in the text; it may have several copies, one for each call that is inlined.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    pub branches: BranchesCounts,
    /// The same where each copy counts for itself.
    pub copies: BranchesCounts,
    /// The same as the paper counts: without decisions that constant propagation decides.
    pub without_constants: BranchesCounts,
    /// All branches, in the order of the text.
    pub list: Vec<BranchesSide>,
    /// Covered branches of all, and of those that are not infeasible: from 0 to 1; 1 where there are none.
    pub cov_b: f64,
    pub cov_f: f64,
    /// The suite.
    pub tests: Vec<BranchesTest>,
    /// How many inputs were run in all.
    pub runs: u32,
    /// Steps at the frontier: all, up to the last branch that was covered, and up to the last one that was settled.
    pub iterations: u64,
    pub iterations_covered: u64,
    pub iterations_settled: u64,
    /// Why something is open, if so.
    pub reason: Option<String>,
    /// What other searches cover with the same steps, if that was asked.
    pub baselines: Vec<BranchesCompared>,
}

/// What another search covers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesCompared {
    pub search: BranchesBaseline,
    pub covered: u32,
    /// Covered branches of all, from 0 to 1.
    pub cov_b: f64,
    pub runs: u64,
    /// Steps in all, and until the last branch was covered.
    pub steps: u64,
    pub steps_covered: u64,
}

/// How many branches there are, and what is known of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesCounts {
    pub total: u32,
    pub covered: u32,
    pub infeasible: u32,
    pub open: u32,
}

/// A branch.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesSide {
    pub line: u32,
    pub column: u32,
    pub place: TextPlace,
    /// What holds on this side, as the program has it; the other side of a condition is `!(…)`.
    pub text: String,
    /// The same once macros are replaced, where that differs.
    pub expansion: Option<String>,
    /// `true` where the condition holds, `false` where it does not.
    pub side: String,
    pub verdict: BranchesVerdict,
    /// What makes it believable, in a sentence; empty for what is open.
    pub evidence: String,
    /// The assumptions that the verdict rests on.
    pub assumes: Vec<String>,
    /// The first test of the suite that takes it, from 0.
    pub test: Option<u32>,
    /// Its copies.
    pub edges: Vec<u32>,
    /// Why it is open.
    pub open: Option<String>,
    /// Of what is open: values of statics with which a run takes it, where no calls are known to leave these.
    pub state: Option<Input>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum BranchesVerdict {
    /// A test takes it.
    Covered,
    /// No execution takes it.
    Infeasible,
    Open,
}

/// A test of the suite.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BranchesTest {
    pub input: Input,
    /// How its run ends, in a few words: it returns, fails an assertion, …
    pub ends: String,
    /// Whether it ends as C says: in anything but that, what is printed here need not be what a compiled program does.
    pub is_defined: bool,
    /// The edges that it takes, and the line of each.
    pub path_length: u32,
    pub edges: Vec<u32>,
    pub lines: Vec<u32>,
    /// How many lines there are, where `lines` has only the first 10,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_total: Option<u32>,
    /// The branches that it takes, by their position in the list.
    pub takes: Vec<u32>,
    /// The assumptions that it rests on.
    pub assumes: Vec<String>,
    /// The calls since the program's start that leave the statics as the input has them.
    pub after: Vec<Call>,
}

document!(BranchesDocument);

/// Why something is open where only runs from some state take it.
const UNBACKED: &str = "no calls are known to leave the states that what is open needs";

/// The document.
pub fn document(
    request: &Request,
    loaded: &Loaded,
    sides: &[Side],
    (outcome, baselines): (&BranchesOutcome, Vec<BranchesCompared>),
    used: &Used,
) -> BranchesDocument {
    let tests: Vec<BranchesTest> = outcome.suite.iter().map(|&number| tested(loaded, sides, &outcome.runs[number])).collect();
    let why = outcome.cut.map_or_else(|| "nobody found an input or a proof".to_owned(), |reason| used.why_open(reason));
    let list = listed(loaded, sides, &Verdicts::of(outcome), &tests, &why);
    let branches = counts(list.iter().map(|side| side.verdict));
    let of_copy = |side: &BranchesSide, edge: &u32| match outcome.edges[*edge as usize] {
        EdgeKnowledge::Taken(_) => BranchesVerdict::Covered,
        EdgeKnowledge::Excluded if side.verdict != BranchesVerdict::Open => BranchesVerdict::Infeasible,
        _ => BranchesVerdict::Open,
    };
    let copies = counts(list.iter().flat_map(|side| side.edges.iter().map(move |edge| of_copy(side, edge))));
    let undecided = undecided(&loaded.lts, sides);
    let without_constants = counts(list.iter().zip(undecided).filter(|(_, is_undecided)| *is_undecided).map(|(side, _)| side.verdict));
    let [iterations, iterations_covered, iterations_settled] = outcome.iterations;
    let (cov_b, cov_f) = branches.shares();
    let mut header = used.header(request, loaded, branches.open == 0);
    if list.iter().any(|side| side.assumes.iter().any(|id| id == Assumption::LeftByCalls.id())) {
        header.assumptions.extend(loaded.told(Assumption::LeftByCalls));
    }
    let is_unbacked = list.iter().all(|side| side.verdict != BranchesVerdict::Open || side.state.is_some());
    BranchesDocument {
        header,
        cov_b,
        cov_f,
        branches,
        copies,
        without_constants,
        list,
        tests,
        runs: outcome.runs.len() as u32,
        iterations,
        iterations_covered,
        iterations_settled,
        reason: (branches.open > 0).then(|| if is_unbacked { UNBACKED.to_owned() } else { why }),
        baselines,
    }
}

/// A run as a test.
pub fn tested(loaded: &Loaded, sides: &[Side], test: &KeptRun) -> BranchesTest {
    let lts = &loaded.lts;
    let taken: SortedSet<EdgeId> = test.path.iter().copied().collect();
    let (lines, lines_total) = capped(test.path.iter().map(|&edge| loaded.lines.line(lts.graph[edge].span.start)).collect());
    BranchesTest {
        input: input_view(lts, &test.input),
        ends: ends(lts, test),
        is_defined: super::suite::is_ended(test),
        path_length: test.path.len() as u32,
        edges: numbers(&test.path),
        lines,
        lines_total,
        takes: (0..).zip(sides).filter(|(_, side)| side.edges.iter().any(|edge| taken.contains(edge))).map(|(at, _)| at).collect(),
        assumes: assumed_after(loaded, &test.input, &test.after),
        after: test.after.clone(),
    }
}

/// All branches with what is known of each edge, and what that rests on; the tests take all that is covered, and `why` is why the rest is open.
pub fn listed(
    loaded: &Loaded,
    sides: &[Side],
    &Verdicts { edges, needs, unclaimed, runs }: &Verdicts,
    tests: &[BranchesTest],
    why: &str,
) -> Vec<BranchesSide> {
    let rests = Rests::new(needs, unclaimed);
    let mut first = vec![None; sides.len()];
    for (number, test) in tests.iter().enumerate() {
        for &at in &test.takes {
            first[at as usize].get_or_insert(number as u32);
        }
    }
    let view = |(side, test): (&Side, Option<u32>)| {
        let mut state = None;
        let (verdict, assumes, open) = match status(side, edges) {
            SideStatus::Covered => {
                (BranchesVerdict::Covered, test.map_or_else(Vec::new, |test| tests[test as usize].assumes.clone()), None)
            }
            SideStatus::Infeasible => match rests.of(side) {
                Ok(assumes) => (BranchesVerdict::Infeasible, assumes, None),
                Err(why) => (BranchesVerdict::Open, Vec::new(), Some(why)),
            },
            SideStatus::Open => {
                let unbacked = side.edges.iter().find_map(|edge| match edges[edge.index()] {
                    EdgeKnowledge::Unbacked(run) => Some(needed(loaded, &runs[run].input, &side.edges)),
                    _ => None,
                });
                let open = unbacked.as_ref().map_or_else(|| why.to_owned(), Needed::why);
                state = unbacked.map(|needed| needed.state);
                (BranchesVerdict::Open, Vec::new(), Some(open))
            }
        };
        let place = place(&loaded.lines, side.span);
        let WrittenEdge { text, expansion } = loaded.shown(side.edges[0]);
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
                (BranchesVerdict::Infeasible, _) => "no execution takes it: a certificate over all executions".to_owned(),
                _ => String::new(),
            },
            assumes,
            test,
            edges: numbers(&side.edges),
            open,
            state,
        }
    };
    sides.iter().zip(first).map(view).collect()
}

/// What a search has covered.
pub fn compared(search: BranchesBaseline, found: &Covered) -> BranchesCompared {
    let covered = found.sides.iter().filter(|&&covered| covered).count() as u32;
    let counts = BranchesCounts { total: found.sides.len() as u32, covered, ..BranchesCounts::default() };
    let [steps_covered, steps] = found.steps;
    BranchesCompared { search, covered, cov_b: counts.shares().0, runs: found.runs, steps, steps_covered }
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
    fn of(outcome: &BranchesOutcome) -> Verdicts<'_> {
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
            return Err("functions that call themselves are followed only so far, and deeper calls may take it".to_owned());
        }
        let needs: Vec<&Needs> = side.edges.iter().filter_map(|edge| self.needs.get(edge)).collect();
        let all = needs.iter().flat_map(|needs| needs.all.iter()).collect();
        let missing = needs.iter().flat_map(|needs| needs.missing.iter()).collect();
        without(missing).map_or_else(|| Ok(crate::lts::assume::Assumptions::ids(all)), Err)
    }
}

/// How a run ends.
fn ends(lts: &Lts, test: &KeptRun) -> String {
    match &test.outcome {
        interp::Outcome::Returned => "returns".to_owned(),
        interp::Outcome::Error => match test.path.last().and_then(|&edge| lts.graph[edge].failure).map(|failure| failure.kind) {
            Some(FailureKind::Assertion) => "fails an assertion".to_owned(),
            Some(FailureKind::Abort) => "aborts".to_owned(),
            Some(FailureKind::ErrorCall) | None => "calls an error".to_owned(),
        },
        interp::Outcome::Undefined(why) => format!("is undefined: {why}"),
        interp::Outcome::AssumeFailed => "ends at an assumption that does not hold".to_owned(),
        interp::Outcome::Cut => "calls a function within itself too often".to_owned(),
        interp::Outcome::Steps => format!("goes on for more than {} steps", test.path.len()),
        interp::Outcome::TooLarge => "computes a number that is too large".to_owned(),
        interp::Outcome::NoText(_) => "ends where no text on standard input goes on".to_owned(),
    }
}
