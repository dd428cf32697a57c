//! Branches: a suite of tests for every branch that can be executed, and evidence for the others that none is.
//!
//! Source: BDP16.
//!
//! | paper | here |
//! |---|---|
//! | branch | a [`Side`]: one side of one decision of the text, with all its copies |
//! | GCFG, S-states, R-states, frontier | [`model`] |
//! | Algorithms 1 to 3, BiTe (Sections 4 and 5) | [`bidirectional`] |
//! | order of the frontier edges | [`order`] |
//! | `cov_b`, `cov_f`, `it_b`, `it_f` (Table 1) | [`BranchesOutcome`] |
//!
//! Steps:
//! 1. Begin with the tests that are given, if any. Of a program that reads no input the one run then settles every branch
//!    ([`crate::run::determined`]); else run on zeros.
//! 2. Make steps at the frontier: forward, or else backward, until none is left, or for some turns of each target.
//! 3. Of a program with few inputs the runs on all of them settle what is open ([`crate::run::enumerated`]). Else ask in turn for the open
//!    branches: forward search with state matching ([`matching`]), then the finders (`analysis::FINDERS`) and the
//!    provers (`analysis::PROVERS`). The first answer settles a branch. After each, 2 resumes with the new runs and invariants. Then all
//!    are asked again with more effort.
//! 4. Ask once more for inputs that take all that is covered, lead runs past undefined operations ([`ended`]), and choose of the runs a small
//!    suite ([`suite`]).
//!
//! Decision: 3 stands between turns of 2 and not after it, since the frontier of a branch that takes many rounds of a loop never ends, and
//! loop summaries see such a one at once; and since an invariant of a loop ends the preconditions of many branches.
//!
//! Invariants: a branch is *covered* only with a replayed test, *infeasible* only with claims that the check accepts and that exclude all its
//! copies: inductive graphs of places, or what Cover refutes where the bound does not matter; everything else is open.

pub mod baselines;
pub mod bidirectional;
pub mod constants;
mod ended;
mod matching;
pub mod model;
pub mod order;
mod path_replay;
pub mod runs;
pub mod starts;
pub mod suite;
pub mod type_ranges;

use crate::analysis::{FINDERS, PROVERS};
use crate::interp::{Input, Machine};
use crate::invariants::{FactQuery, Quiet, find_shallow};
use crate::ledger::facts::{EdgeFacts, FactRun};
use crate::load::Loaded;
use crate::logic::{SortedMap, SortedSet};
use crate::lts::sides::Side;
use crate::lts::structure::runnable;
use crate::lts::{EdgeId, Lts};
use crate::run::assumption_tracking::Needs;
use crate::run::computed_inputs::computed_inputs;
use crate::run::determined::{SettledRun, settled};
use crate::run::enumerated::settled_inputs;
use crate::run::trace::{Event, Trace};
use crate::sequences::{is_reachable_start, matter};
use crate::solver::Reason;
use crate::solver::meter::{Exhausted, Meter};
use bidirectional::observer::{ModelChange, RunOrigin, SearchObserver};
use bidirectional::{Bidirectional, Did};
use ended::end_as_said;
use matching::Matching;
use order::FrontierOrder;
use runs::{EdgeKnowledge, KeptRun, LONG_RUN, zeros};

/// What was found.
#[derive(Debug)]
pub struct BranchesOutcome {
    /// All runs.
    pub runs: Vec<KeptRun>,
    /// Those of the suite, by their numbers.
    pub suite: Vec<usize>,
    /// For each edge.
    pub edges: Vec<EdgeKnowledge>,
    /// What the claims rest on that no execution takes these edges.
    pub needs: Vec<(Vec<EdgeId>, Needs)>,
    /// Edges that no execution takes that goes no deeper than calls were inlined, and that a deeper one may take.
    pub unclaimed: Vec<EdgeId>,
    /// Steps at the frontier: all, up to the last branch that was covered, up to the last one that was settled.
    pub iterations: [u64; 3],
    /// Why the analysis ended early, if it did.
    pub cut: Option<Reason>,
    /// The only execution, where the program reads no input; the last run.
    pub determined: Option<SettledRun>,
}

/// Turns of each target at the frontier before others are asked, and of all together, and the steps that they may take: of a counter that
/// wraps around each turn takes more than the one before.
const TURNS: u64 = 40;
const MOST: u64 = 4_000;
const AT_FRONTIER: u64 = 500_000;
/// Steps that the search forward takes to find something, without any effort; with each more, eight times as many.
const PATIENCE: u64 = 50_000;
/// Step budgets of the provers and of the finders at effort 0; four times as much per level.
const SHOWING: u64 = 1_000_000;
const FINDING: u64 = 2_000_000;
/// Levels of effort of the finders.
const EFFORTS: u32 = 3;

/// A prover or finder that is asked for the open branches, by position.
#[derive(Clone, Copy, Debug)]
enum Other {
    Prover(usize),
    Finder(usize),
}

/// The provers and finders in the order in which they are asked, with their effort: the finders first, since they see at once what they
/// can find.
fn others() -> impl Iterator<Item = (Other, u32)> {
    (0..EFFORTS).flat_map(|effort| {
        let finders = (0..FINDERS.len()).map(Other::Finder);
        finders.chain((0..PROVERS.len()).map(Other::Prover)).map(move |other| (other, effort))
    })
}

/// The branches that the analysis decides, and the inputs that it begins with.
#[derive(Clone, Copy)]
pub struct BranchGoals<'g> {
    pub sides: &'g [Side],
    pub start: &'g [Input],
    /// What other engines have settled.
    pub facts: &'g EdgeFacts,
}

/// Tests or excludes every branch; without a suite.
pub fn run(
    loaded: &Loaded,
    goals: BranchGoals,
    order: &mut dyn FrontierOrder,
    meter: &mut Meter,
    trace: &Trace,
    observer: &dyn SearchObserver,
) -> BranchesOutcome {
    let mut outcome = match matter(loaded) {
        true => starts::run(loaded, goals, order, meter, trace, observer),
        false => search(&loaded.lts, goals, order, meter, trace, observer),
    };
    outcome.take_over(loaded, goals.facts);
    outcome
}

impl BranchesOutcome {
    /// Takes over facts of others about what the search left open; gives whether there are some.
    pub fn take_over(&mut self, loaded: &Loaded, facts: &EdgeFacts) -> bool {
        let before = self.edges.clone();
        let machine = Machine::deep(&loaded.lts);
        for FactRun { input, path, after } in &facts.runs {
            if path.iter().any(|edge| !matches!(self.edges[edge.index()], EdgeKnowledge::Taken(_))) {
                let run = machine.run(input, LONG_RUN);
                for edge in &run.edges {
                    let knowledge = &mut self.edges[edge.index()];
                    if !matches!(knowledge, EdgeKnowledge::Taken(_)) {
                        *knowledge = EdgeKnowledge::Taken(self.runs.len());
                    }
                }
                self.runs.push(KeptRun { input: input.clone(), path: run.edges, outcome: run.outcome, after: after.clone(), only: None });
            }
        }
        for (&edge, &all) in &facts.excluded {
            if matches!(self.edges[edge.index()], EdgeKnowledge::Nothing | EdgeKnowledge::Unbacked(_)) {
                self.edges[edge.index()] = EdgeKnowledge::Excluded;
                self.needs.push((vec![edge], Needs { all, ..Needs::default() }));
            }
        }
        self.edges != before
    }

    /// What the outcome says of edges, for other engines: the runs of the suite, and what claims under the assumptions that are made exclude.
    pub fn facts(&self, loaded: &Loaded) -> EdgeFacts {
        let of = |run: &KeptRun| FactRun { input: run.input.clone(), path: run.taken().collect(), after: run.after.clone() };
        let mut needs: SortedMap<EdgeId, Needs> = SortedMap::new();
        for (edges, needed) in &self.needs {
            needs.extend(edges.iter().map(|&edge| (edge, *needed)));
        }
        let is_excluded = |edge: &EdgeId| self.edges[edge.index()] == EdgeKnowledge::Excluded && !self.unclaimed.contains(edge);
        let excluded =
            loaded.lts.graph.edge_indices().filter(is_excluded).map(|edge| (edge, needs.get(&edge).copied().unwrap_or_default()));
        EdgeFacts {
            runs: self.suite.iter().map(|&run| of(&self.runs[run])).collect(),
            excluded: excluded.filter(|(_, needs)| needs.missing.is_empty()).map(|(edge, needs)| (edge, needs.all)).collect(),
        }
    }

    /// As [`BranchesOutcome::choose_among`], among the runs that begin as a first call does or after known calls, where it matters.
    pub fn choose(&mut self, loaded: &Loaded, sides: &[Side], trace: &Trace) {
        self.choose_among(sides, |run| !matter(loaded) || is_reachable_start(loaded, &run.input, &run.after), trace);
    }

    /// Chooses the suite among these runs; the trace hears of its tests.
    pub fn choose_among(&mut self, sides: &[Side], may: impl Fn(&KeptRun) -> bool, trace: &Trace) {
        let numbers: Vec<usize> = (0..self.runs.len()).filter(|&run| may(&self.runs[run])).collect();
        let runs: Vec<KeptRun> = numbers.iter().map(|&run| self.runs[run].clone()).collect();
        let chosen = suite::choose(sides, &runs);
        let count = chosen.len();
        let believed = |run: &usize| {
            let KeptRun { input, path, after, .. } = &self.runs[*run];
            trace.claim(Event::Reached { path, input, after }).is_ok()
        };
        self.suite = chosen.into_iter().map(|at| numbers[at]).filter(believed).collect();
        if self.suite.len() < count {
            // Only what the rest of the suite takes is covered.
            let taken: SortedSet<EdgeId> = self.suite.iter().flat_map(|&run| self.runs[run].taken()).collect();
            let lost = |(at, knowledge): &(usize, &mut EdgeKnowledge)| {
                matches!(knowledge, EdgeKnowledge::Taken(_)) && !taken.contains(&EdgeId::new(*at))
            };
            self.edges.iter_mut().enumerate().filter(lost).for_each(|(_, knowledge)| *knowledge = EdgeKnowledge::Nothing);
        }
    }
}

/// As [`run`], in this graph: runs in any state that it allows count, and facts of others are told at the beginning alone.
pub fn search(
    lts: &Lts,
    BranchGoals { sides, start, facts }: BranchGoals,
    order: &mut dyn FrontierOrder,
    meter: &mut Meter,
    trace: &Trace,
    observer: &dyn SearchObserver,
) -> BranchesOutcome {
    let machine = Machine::new(lts);
    let mut analysis = Bidirectional::new(lts, &machine, order, trace, observer);
    analysis.tell_settled();
    let mut progress = BranchesProgress { sides, last: [0; 3], covered_at: 0, settled_at: 0 };
    let mut determined = None;
    let mut go = || -> Result<(), Exhausted> {
        // 1.
        let given = start.iter().chain(facts.runs.iter().map(|run| &run.input));
        for input in given {
            analysis.run(input, RunOrigin::Given, meter)?;
        }
        for (&edge, &all) in &facts.excluded {
            analysis.exclude(&[edge], Needs { all, ..Needs::default() });
        }
        determined = settled(lts, false, meter, trace);
        match &determined {
            Some(only) => analysis.settle(only, meter)?,
            None => drop(analysis.run(&zeros(lts), RunOrigin::Zeros, meter)?),
        }
        let is_open = |edge: EdgeId| analysis.edges[edge.index()] == EdgeKnowledge::Nothing;
        for (input, _) in computed_inputs(lts, &machine, is_open, meter) {
            analysis.run(&input, RunOrigin::Found, meter)?;
        }
        progress.note(&analysis);
        let mut others = others();
        let runnable = runnable(lts);
        let shallow = lts.shallow();
        let (mut matching, mut waited) = (Matching::new(&shallow, &machine), None);
        let mut turns = TURNS;
        loop {
            // What no run can take is left to the provers.
            let may_run = progress.may_run(&analysis, &runnable);
            // 2.
            let most = if may_run || waited.is_none() { MOST * (turns / TURNS) } else { 0 };
            let mut left = (turns * (analysis.model.targets.len() as u64 + 1)).min(most);
            let end = meter.used() + AT_FRONTIER * (turns / TURNS);
            while left > 0 && progress.is_open(&analysis) && meter.used() < end {
                let Some(did) = analysis.step(meter)? else { break };
                left -= 1;
                if matches!(did, Did::Forward | Did::Proved) {
                    progress.note(&analysis);
                }
            }
            analysis.prove_all(meter)?;
            progress.note(&analysis);
            // 3.
            if progress.is_open(&analysis) && waited.is_none() {
                let open = analysis.unknown();
                if let Some(every) = settled_inputs(lts, &open, meter, trace) {
                    for input in &every.inputs {
                        analysis.run(input, RunOrigin::Found, meter)?;
                    }
                    analysis.exclude(&every.excluded, every.needs);
                    progress.note(&analysis);
                }
            }
            if progress.is_open(&analysis) && waited.is_none_or(|waited| waited < turns) {
                waited = Some(turns);
                if may_run {
                    forward(&mut matching, PATIENCE * turns / TURNS, &mut analysis, &mut progress, meter, trace)?;
                }
            }
            let (true, Some((other, effort))) = (progress.is_open(&analysis), others.next()) else { break };
            turns = TURNS << (3 * effort);
            if may_run || effort == 0 || matches!(other, Other::Prover(_)) {
                ask(other, effort, &mut analysis, meter, trace)?;
                progress.note(&analysis);
            }
        }
        Ok(())
    };
    let cut = go().err().map(Reason::from);
    // Without the steps for it what is unclaimed stays open.
    let _ = analysis.close(meter);
    // 4.
    if cut.is_none() {
        fewer(sides, &mut analysis, meter, trace);
        end_as_said(sides, &mut analysis, meter, trace);
    }
    let Bidirectional { tests, edges, needs, deep, iterations, .. } = analysis;
    BranchesOutcome {
        runs: tests,
        suite: Vec::new(),
        edges,
        needs,
        unclaimed: deep.unclaimed,
        iterations: [iterations, progress.covered_at, progress.settled_at],
        cut,
        determined,
    }
}

/// Searches forward, as long as that takes at most so many steps to find something.
fn forward(
    matching: &mut Matching,
    patience: u64,
    analysis: &mut Bidirectional,
    progress: &mut BranchesProgress,
    meter: &mut Meter,
    trace: &Trace,
) -> Result<(), Exhausted> {
    matching.know(analysis.tests.iter().map(|test| &test.input), meter)?;
    loop {
        let found = meter.within(patience.min(meter.left() / 3), |meter| matching.next(meter, trace));
        let Ok(Some(input)) = found else { return meter.spend(0) };
        analysis.run(&input, RunOrigin::Found, meter)?;
        progress.note(analysis);
    }
}

/// Calls a prover or a finder for the edges without a verdict.
fn ask(other: Other, effort: u32, analysis: &mut Bidirectional, meter: &mut Meter, trace: &Trace) -> Result<(), Exhausted> {
    let lts = analysis.lts;
    let untaken = analysis.unknown();
    let inputs: Vec<Input> = analysis.tests.iter().map(|test| test.input.clone()).collect();
    let query = FactQuery { untaken: &untaken, inputs: &inputs, ..FactQuery::default() };
    let steps = if let Other::Prover(_) = other { SHOWING } else { FINDING };
    let steps = (steps << (2 * effort)).min(meter.left() / 3);
    match other {
        Other::Prover(at) => {
            let mut quiet = Quiet(trace);
            let quiet = Trace::new(&mut quiet);
            let proved = meter.within(steps, |meter| PROVERS[at].show(lts, &query, meter, &quiet));
            analysis.tell(&ModelChange::Called { name: PROVERS[at].name(), effort, inputs: 0, proved: proved.len() });
            for one in &proved {
                analysis.learn(one);
            }
        }
        Other::Finder(at) => {
            trace.needs();
            let found = meter.within(steps, |meter| find_shallow(FINDERS[at], lts, &query, effort, meter, trace));
            let name = FINDERS[at].name();
            analysis.tell(&ModelChange::Called { name, effort, inputs: found.inputs.len(), proved: found.excluded.len() });
            analysis.exclude(&found.excluded, trace.needs());
            for input in &found.inputs {
                analysis.run(input, RunOrigin::Found, meter)?;
            }
        }
    }
    meter.spend(0)
}

/// 4.: asks for a suite of all that is covered at once, as a search with few tests in mind makes it; what the steps do not suffice for
/// changes no verdict.
fn fewer(sides: &[Side], analysis: &mut Bidirectional, meter: &mut Meter, trace: &Trace) {
    let taken = |edge: &&EdgeId| matches!(analysis.edges[edge.index()], EdgeKnowledge::Taken(_));
    let one_of_each: Vec<EdgeId> = sides.iter().filter_map(|side| side.edges.iter().find(taken).copied()).collect();
    let Some(finder) = FINDERS.first().filter(|_| analysis.tests.len() > 1) else { return };
    let mut quiet = Quiet(trace);
    let quiet = Trace::new(&mut quiet);
    let found = meter.within(FINDING.min(meter.left() / 3), |meter| {
        let query = FactQuery { untaken: &one_of_each, only_inputs: true, ..FactQuery::default() };
        find_shallow(*finder, analysis.lts, &query, 0, meter, &quiet)
    });
    analysis.tell(&ModelChange::Called { name: finder.name(), effort: 0, inputs: found.inputs.len(), proved: 0 });
    for input in &found.inputs {
        if analysis.run(input, RunOrigin::Found, meter).is_err() {
            break;
        }
    }
}

/// Progress on the sides.
struct BranchesProgress<'s> {
    sides: &'s [Side],
    last: [u32; 3],
    covered_at: u64,
    settled_at: u64,
}

impl BranchesProgress<'_> {
    /// Whether an open side has an edge that a run may take.
    fn may_run(&self, analysis: &Bidirectional, runnable: &[bool]) -> bool {
        let open = self.sides.iter().filter(|side| status(side, &analysis.edges) == SideStatus::Open);
        open.flat_map(|side| &side.edges).any(|edge| runnable[edge.index()])
    }

    /// Whether something is left to find out.
    fn is_open(&self, analysis: &Bidirectional) -> bool {
        self.sides.iter().any(|side| status(side, &analysis.edges) == SideStatus::Open)
    }

    fn note(&mut self, analysis: &Bidirectional) {
        let mut counts = [0; 3];
        for side in self.sides {
            counts[status(side, &analysis.edges) as usize] += 1;
        }
        if counts[0] > self.last[0] {
            self.covered_at = analysis.iterations;
        }
        if counts[0] + counts[1] > self.last[0] + self.last[1] {
            self.settled_at = analysis.iterations;
        }
        if counts != self.last {
            self.last = counts;
            analysis.tell_settled();
        }
    }
}

/// What is known of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideStatus {
    Covered,
    Infeasible,
    Open,
}

/// Covered if one copy is, infeasible if all are.
pub fn status(side: &Side, edges: &[EdgeKnowledge]) -> SideStatus {
    let mut knowledge = side.edges.iter().map(|edge| edges[edge.index()]);
    if knowledge.clone().any(|knowledge| matches!(knowledge, EdgeKnowledge::Taken(_))) {
        SideStatus::Covered
    } else if knowledge.all(|knowledge| knowledge == EdgeKnowledge::Excluded) {
        SideStatus::Infeasible
    } else {
        SideStatus::Open
    }
}
