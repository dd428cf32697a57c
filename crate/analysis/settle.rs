//! The schedule of the engines: each settles what it can of a function's branches, with the facts of those before it, until none is open.
//!
//! Of a program that calls itself and has few inputs, the runs on all of them come first; of a function that compares texts with words of its
//! own, runs on texts with these. Then, while branches are open:
//!
//! 1. Cover alone, with few steps: tests of statements and branches within a bound, claims about all executions, runs that fail.
//! 2. Branches alone, where branches are open: its bidirectional search, and the provers and finders of all analyses. For the document of
//!    Branches it comes first, and 1 where branches are open; for the facts of both their order makes no difference.
//! 3. Where branches are open, the bounds of values ([`Intervals`]), which take few steps in a large graph. Then Reach for each error call that
//!    is open, as for one target: the other searches may never come past the branches before it. Then runs on random inputs, and on inputs
//!    nearer to the branches that are open: solvers leave open what long arithmetic computes.
//! 4. Where branches are open, Cover with loops unwound as often as the known runs do; then Branches with all facts.
//! 5. Cover with more steps, where branches are open or its steps did not suffice; and Branches once more, where 4 and 5 settled some branches
//!    but not all: what more steps have not brought nearer is left open.
//!
//! Both are alone at first since a search that begins with the tests of others may take longer than one that begins with none.
//!
//! Engines tell each other [facts](EdgeFacts) about the edges of one graph. Each takes over the facts of the others, so that the documents of
//! all commands say the same of a branch.

mod target;

pub use target::settled_target;

use super::branches::method::BranchGoals;
use super::branches::report::answer::{SearchedProgram, given, search};
use super::branches::report::{BranchesOrder, answer, branches};
use super::branches::{BranchesDocument, BranchesSettings};
use super::cover::method::EdgeVerdict;
use super::cover::method::others::{CoveredProgram, complete_tests, facts_of, take_over};
use super::cover::report::sized::{SizedProgram, sized};
use super::cover::report::writing;
use super::cover::{CoverDocument, CoverExclusion, CoverSettings, cover};
use super::reach::Reach;
use crate::evidence::bounded::unwind::needed;
use crate::interp::{Input, Machine};
use crate::invariants::intervals::Intervals;
use crate::invariants::{FactQuery, Prover, Quiet, find_shallow};
use crate::ledger::facts::{EdgeFacts, FactRun};
use crate::load::{Loaded, about_the_question, exact};
use crate::logic::{SortedMap, SortedSet};
use crate::lts::EdgeId;
use crate::lts::assume::{Assumption, Assumptions, under};
use crate::lts::sides::{Side, sides};
use crate::run::computed_inputs::tried_inputs;
use crate::run::enumerated::settled_inputs;
use crate::run::listener::Listener;
use crate::run::recorder::{Used, traced};
use crate::run::trace::{Event, Trace};
use crate::run::words::word_inputs;
use crate::sequences::{matter, with_first};
use crate::solver::Reason;
use crate::solver::meter::Meter;
use crate::view::{Diagnostic, Reply, Request};

/// One of so many steps is for each engine at first, then for Branches, then for Cover; Branches at last may use what is left.
const FIRST: u64 = 8;
const ERRORS: u64 = 16;
const RUNS: u64 = 16;
const EVERY_INPUT: u64 = 16;
const BOUNDS: u64 = 16;
const UNWOUND: u64 = 8;
const SECOND_BRANCHES: u64 = 4;
const SECOND_COVER: u64 = 2;
/// Loops are unwound so often where known runs have fewer rounds.
const ROUNDS: u32 = 12;
/// How many edges of a run to follow.
const LONGEST_RUN: u64 = 100_000;

/// What the engines settled.
pub struct SettledProgram {
    pub sized: SizedProgram,
    pub sides: Vec<Side>,
    /// By Cover, unless Branches searched first and left nothing open.
    pub covered: Option<CoveredProgram>,
    searched: Option<SearchedProgram>,
    pub used: Used,
    facts: EdgeFacts,
    /// The edges on the paths of Branches' runs or excluded by its claims, and the edges on the paths of tried inputs.
    by_branches: SortedSet<EdgeId>,
    by_runs: SortedSet<EdgeId>,
}

/// Which settings the engines have.
pub struct EngineSettings {
    pub cover: CoverSettings,
    pub branches: BranchesSettings,
    /// Whether Branches begins: for its document.
    pub searches: bool,
}

impl Default for EngineSettings {
    fn default() -> EngineSettings {
        let branches = BranchesSettings { tests: Vec::new(), order: BranchesOrder::Fair, baselines: false };
        let cover = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
        EngineSettings { cover, branches, searches: false }
    }
}

/// Asks the engines.
///
/// # Errors
/// Why the program or an input that the settings give is refused.
pub fn settled(request: &Request, settings: &EngineSettings, listener: &mut Listener) -> Result<SettledProgram, Vec<Diagnostic>> {
    let sized = sized(request, &settings.cover)?;
    let sides = sides(&sized.loaded.lts);
    settled_goals(request, settings, sized, sides, listener)
}

/// As [`settled`], of a program that is lowered already, and with other goals in place of its branches: sets of edges of its graph.
///
/// # Errors
/// Why an input that the settings give is refused.
pub fn settled_goals(
    request: &Request,
    settings: &EngineSettings,
    sized: SizedProgram,
    sides: Vec<Side>,
    listener: &mut Listener,
) -> Result<SettledProgram, Vec<Diagnostic>> {
    let start = given(&sized.loaded, &settings.branches).map_err(|error| vec![about_the_question("input", error)])?;
    let schedule = EngineSchedule { request, sized: &sized, sides: &sides, start: &start, settings };
    let (settled, mut used) = traced(request, &sized.loaded, "settling branches", listener, |meter, trace| schedule.run(meter, trace));
    used.gave_up = true;
    let SettledEdges { covered, searched, facts, by_branches, by_runs } = settled;
    Ok(SettledProgram { sized, sides, covered, searched, used, facts, by_branches, by_runs })
}

/// The document of Cover with the verdicts of all engines. A question about executions within a bound or under a precondition is for Cover
/// alone.
///
/// # Errors
/// As [`cover`].
pub fn settled_cover(request: &Request, settings: &CoverSettings, listener: &mut Listener) -> Reply<CoverDocument> {
    if settings.unwind.is_some() || settings.precondition.is_some() {
        return cover(request, settings, listener);
    }
    let settings = EngineSettings { cover: settings.clone(), ..EngineSettings::default() };
    match settled(request, &settings, listener) {
        Ok(settled) => Reply::Document { document: settled.cover_document(request).expect("Cover begins") },
        Err(diagnostics) => Reply::Refused { diagnostics },
    }
}

/// The document of Branches with the verdicts of all engines. A comparison with other searches is for Branches alone.
///
/// # Errors
/// As [`branches`].
pub fn settled_branches(request: &Request, settings: &BranchesSettings, listener: &mut Listener) -> Reply<BranchesDocument> {
    if settings.baselines {
        return branches(request, settings, listener);
    }
    let settings = EngineSettings { branches: settings.clone(), searches: true, ..EngineSettings::default() };
    match settled(request, &settings, listener) {
        Ok(settled) => Reply::Document { document: settled.branches_document(request).expect("Branches searched") },
        Err(diagnostics) => Reply::Refused { diagnostics },
    }
}

impl SettledProgram {
    /// The inputs of all runs that are known.
    pub fn inputs(&self) -> Vec<Input> {
        self.facts.runs.iter().map(|run| run.input.clone()).collect()
    }

    /// All runs that are known.
    pub fn runs(&self) -> &[FactRun] {
        &self.facts.runs
    }

    /// What no execution takes, with what this rests on.
    pub fn excluded(&self) -> &SortedMap<EdgeId, Assumptions> {
        &self.facts.excluded
    }

    /// The document of Cover, where it was asked.
    pub fn cover_document(&self, request: &Request) -> Option<CoverDocument> {
        Some(writing::document(request, &self.sized, self.covered.as_ref()?, &self.used))
    }

    /// The explanations of infeasible branches on which Cover has no verdict; an empty one where no reason is known.
    pub fn reasons_of(&self, branches: &[&Side]) -> Vec<CoverExclusion> {
        let Some(CoveredProgram { outcome, .. }) = &self.covered else { return Vec::new() };
        let infeasible: Vec<bool> =
            self.sized.loaded.lts.graph.edge_indices().map(|edge| self.facts.excluded.contains_key(&edge)).collect();
        writing::reasons_of(&self.sized.loaded, outcome, &infeasible, &self.used.excluding, branches)
    }

    /// The engine that settled a branch.
    pub fn engine(&self, side: &Side) -> &'static str {
        let is_by = |edges: &SortedSet<EdgeId>| side.edges.iter().any(|edge| edges.contains(edge));
        match () {
            () if is_by(&self.by_runs) => "run",
            () if is_by(&self.by_branches) => "branches",
            () => "cover",
        }
    }

    /// The document of Branches, where it searched.
    pub fn branches_document(&self, request: &Request) -> Option<BranchesDocument> {
        Some(answer::document(request, &self.sized.loaded, &self.sides, self.searched.as_ref()?, &self.used))
    }
}

/// A question to all engines.
struct EngineSchedule<'s> {
    request: &'s Request,
    sized: &'s SizedProgram,
    sides: &'s [Side],
    start: &'s [Input],
    settings: &'s EngineSettings,
}

/// Whether Cover may give more verdicts with more steps: on statements that are open for lack of steps, or on branches that are infeasible
/// within the bound of loops alone.
fn is_cut(loaded: &Loaded, CoveredProgram { outcome, .. }: &CoveredProgram, is_open: bool) -> bool {
    let is_cut = |edge: EdgeId| outcome.verdicts[edge.index()] == EdgeVerdict::Open(Reason::Steps) && !loaded.lts.graph[edge].library;
    outcome.obstacle.is_none() && outcome.determined.is_none() && (is_open || loaded.lts.graph.edge_indices().any(is_cut))
}

/// What engines have settled so far.
struct SettledEdges {
    covered: Option<CoveredProgram>,
    searched: Option<SearchedProgram>,
    facts: EdgeFacts,
    by_branches: SortedSet<EdgeId>,
    by_runs: SortedSet<EdgeId>,
}

impl EngineSchedule<'_> {
    fn run(&self, meter: &mut Meter, trace: &Trace) -> SettledEdges {
        let limit = meter.limit();
        let mut settled = SettledEdges {
            covered: None,
            searched: None,
            facts: EdgeFacts::default(),
            by_branches: SortedSet::new(),
            by_runs: SortedSet::new(),
        };
        let is_open = |settled: &SettledEdges| !settled.facts.settle(self.sides);
        // What calls itself has as many copies as there are ways through its calls: runs go deeper at no cost.
        if self.sized.loaded.lts.inline_depth.is_some() {
            meter.within(limit / EVERY_INPUT, |meter| self.try_every_input(&mut settled, meter, trace));
        }
        // No solver spells as many words as runs do.
        if !word_inputs(&self.sized.loaded.lts).is_empty() {
            meter.within(limit / RUNS, |meter| self.try_inputs(&mut settled, meter, trace));
        }
        // 1. and 2.
        let begins_with_branches = self.settings.searches;
        let together = !settled.facts.runs.is_empty();
        for is_search in [begins_with_branches, !begins_with_branches] {
            if is_search == begins_with_branches || is_open(&settled) {
                meter.within(limit / FIRST, |meter| match is_search {
                    true => self.search(&mut settled, together, meter, trace),
                    false => self.cover(&mut settled, together, meter, trace),
                });
            }
        }
        if is_open(&settled) {
            meter.within(limit / BOUNDS, |meter| self.bound_values(&mut settled, meter, trace));
        }
        // 3.
        if is_open(&settled) {
            meter.within(limit / ERRORS, |meter| self.reach_errors(&mut settled, meter, trace));
        }
        if is_open(&settled) {
            meter.within(limit / RUNS, |meter| self.try_inputs(&mut settled, meter, trace));
        }
        // 4.
        if is_open(&settled) {
            meter.within(limit / UNWOUND, |meter| self.unwind_more(&mut settled, meter, trace));
        }
        let before = settled.facts.edges().len();
        if is_open(&settled) {
            meter.within(limit / SECOND_BRANCHES, |meter| self.search(&mut settled, true, meter, trace));
        }
        // 5.
        if settled.covered.as_ref().is_some_and(|covered| is_cut(&self.sized.loaded, covered, is_open(&settled))) {
            let steps = if is_open(&settled) { limit / SECOND_COVER } else { meter.left() };
            meter.within(steps.min(meter.left()), |meter| self.cover(&mut settled, true, meter, trace));
        }
        let is_cut = settled.searched.as_ref().is_some_and(|found| found.outcome.cut == Some(Reason::Steps));
        if is_cut && is_open(&settled) && settled.facts.edges().len() > before {
            self.search(&mut settled, true, meter, trace);
        }
        if let Some(SearchedProgram { outcome, .. }) = &mut settled.searched
            && outcome.take_over(&self.sized.loaded, &settled.facts)
        {
            outcome.choose(&self.sized.loaded, self.sides, trace);
        }
        settled
    }

    /// Runs every input, where these are few.
    fn try_every_input(&self, settled: &mut SettledEdges, meter: &mut Meter, trace: &Trace) {
        let lts = &self.sized.loaded.lts;
        let all: Vec<EdgeId> = lts.graph.edge_indices().collect();
        let Some(every) = settled_inputs(lts, &all, meter, trace) else { return };
        self.run_inputs(settled, every.inputs, meter, trace);
        let excluded = every.excluded.iter().map(|&edge| (edge, every.needs.all));
        settled.facts.add(EdgeFacts { excluded: excluded.collect(), ..EdgeFacts::default() });
        settled.by_runs.extend(every.excluded);
    }

    /// Excludes branches by the bounds of the values.
    fn bound_values(&self, settled: &mut SettledEdges, meter: &mut Meter, trace: &Trace) {
        let lts = &self.sized.loaded.lts;
        // Executions that go deeper than the graph may take what it excludes.
        if lts.cut.is_some() {
            return;
        }
        let open: Vec<EdgeId> = settled.facts.open_edges(self.sides).into_iter().collect();
        let query = FactQuery { untaken: &open, ..FactQuery::default() };
        let mut quiet = Quiet(trace);
        let found = Intervals.show(lts, &query, meter, &Trace::new(&mut quiet));
        for proved in found {
            let excluded = proved.excluded(lts);
            let edges: Vec<EdgeId> = open.iter().copied().filter(|edge| excluded.contains(edge)).collect();
            trace.needs();
            if proved.emit("branches", (&edges, true), trace).is_ok() {
                let needs = trace.needs();
                settled.by_branches.extend(edges.iter().copied());
                let excluded = edges.into_iter().map(|edge| (edge, needs.all)).collect();
                settled.facts.add(EdgeFacts { excluded, ..EdgeFacts::default() });
            }
        }
        if let Some(covered) = &mut settled.covered {
            take_over(&self.sized.loaded, covered, &settled.facts, meter, trace);
        }
    }

    /// Runs inputs that take open branches.
    fn try_inputs(&self, settled: &mut SettledEdges, meter: &mut Meter, trace: &Trace) {
        let loaded = &self.sized.loaded;
        // Where a run in any state decides nothing, inputs are tried that begin as a first call does.
        let first = matter(loaded).then(|| under(&loaded.base, exact(loaded.assumed).with(Assumption::FirstCall)));
        let lts = first.as_ref().unwrap_or(&loaded.lts);
        let left = settled.facts.open_edges(self.sides);
        // With statics, a run may begin in a state that no first call has.
        let given: Vec<Input> = if first.is_none() { settled.facts.runs.iter().map(|run| run.input.clone()).collect() } else { Vec::new() };
        let inputs = tried_inputs(lts, &Machine::deep(lts), &given, |edge| left.contains(&edge), meter);
        let inputs = inputs
            .into_iter()
            .map(|(input, _)| input)
            .map(|input| if first.is_some() { with_first(&loaded.base, input) } else { input })
            .collect();
        self.run_inputs(settled, inputs, meter, trace);
    }

    /// Looks for inputs that lead to error calls.
    fn reach_errors(&self, settled: &mut SettledEdges, meter: &mut Meter, trace: &Trace) {
        let lts = &self.sized.loaded.lts;
        let decided = settled.facts.edges();
        let is_error = |edge: &EdgeId| Some(lts.edge(*edge).2) == lts.error && !decided.contains(edge);
        let errors: Vec<EdgeId> = lts.graph.edge_indices().filter(is_error).collect();
        if errors.is_empty() {
            return;
        }
        let query = FactQuery { untaken: &errors, ..FactQuery::default() };
        let inputs = find_shallow(&Reach, lts, &query, 0, meter, trace).inputs;
        self.run_inputs(settled, inputs, meter, trace);
    }

    /// Runs these inputs; the runs cover what is open.
    fn run_inputs(&self, settled: &mut SettledEdges, inputs: Vec<Input>, meter: &mut Meter, trace: &Trace) {
        let loaded = &self.sized.loaded;
        let left = settled.facts.open_edges(self.sides);
        let machine = Machine::deep(&loaded.lts);
        for input in inputs {
            let path = machine.run(&input, LONGEST_RUN).edges;
            if trace.claim(Event::Reached { path: &path, input: &input, after: &[] }).is_ok() {
                let run = FactRun { input, path, after: Vec::new() };
                settled.by_runs.extend(run.path.iter().filter(|edge| left.contains(edge)));
                settled.facts.add(EdgeFacts { runs: vec![run], ..EdgeFacts::default() });
            }
        }
        if let Some(covered) = &mut settled.covered {
            take_over(loaded, covered, &settled.facts, meter, trace);
        }
    }

    /// Covers statements, beginning with no tests or (`together`) with those of others.
    fn cover(&self, settled: &mut SettledEdges, together: bool, meter: &mut Meter, trace: &Trace) {
        let SizedProgram { loaded, plan, .. } = self.sized;
        let tests = if together { complete_tests(loaded, plan.unwind, &settled.facts) } else { Vec::new() };
        let covered = self.sized.cover(tests, meter, trace);
        let mut covered = covered.unwrap_or_else(|obstacle| self.sized.uncovered(obstacle, trace));
        take_over(loaded, &mut covered, &settled.facts, meter, trace);
        settled.facts.add(facts_of(loaded, &covered));
        settled.covered = Some(covered);
    }

    /// Covers within as many rounds of loops as known runs have, or a few more: all that executions have, where a program bounds them.
    fn unwind_more(&self, settled: &mut SettledEdges, meter: &mut Meter, trace: &Trace) {
        let loaded = &self.sized.loaded;
        let is_bounded =
            |covered: &CoveredProgram| covered.outcome.verdicts.iter().any(|verdict| matches!(verdict, EdgeVerdict::NotWithin(_)));
        if !settled.covered.as_ref().is_some_and(is_bounded) {
            return;
        }
        let most = settled.facts.runs.iter().filter_map(|run| needed(&loaded.lts, &run.path)).max().unwrap_or(0);
        let Some(unwound) = [most, ROUNDS].into_iter().filter(|&times| times > 0).find_map(|times| self.sized.unwound(times)) else {
            return;
        };
        let tests = complete_tests(loaded, unwound.plan.unwind, &settled.facts);
        let Ok(covered) = unwound.cover(tests, meter, trace) else { return };
        let facts = facts_of(loaded, &covered);
        if let Some(covered) = &mut settled.covered {
            take_over(loaded, covered, &facts, meter, trace);
        }
        settled.facts.add(facts);
    }

    /// Searches for branches, with no facts or (`together`) with those of others; what the search finds covers or excludes what Cover left.
    fn search(&self, settled: &mut SettledEdges, together: bool, meter: &mut Meter, trace: &Trace) {
        let loaded = &self.sized.loaded;
        let nothing = EdgeFacts::default();
        let facts = if together { &settled.facts } else { &nothing };
        let goals = BranchGoals { sides: self.sides, start: self.start, facts };
        let found = search(self.request, loaded, goals, &self.settings.branches, meter, trace);
        let facts = found.outcome.facts(loaded);
        if let Some(covered) = &mut settled.covered {
            take_over(loaded, covered, &facts, meter, trace);
        }
        let before = settled.facts.edges();
        settled.facts.add(facts);
        settled.by_branches.extend(settled.facts.edges().difference(&before));
        settled.searched = Some(found);
    }
}
