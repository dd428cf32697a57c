//! `branches`: every branch tested, excluded or open.

use super::listing::{Verdicts, counts, listed, tested};
use super::progress::Teller;
use super::{
    BranchesCompared, BranchesCounts, BranchesDocument, BranchesOrder, BranchesSettings, BranchesSide, BranchesTest, BranchesVerdict,
};
use crate::analysis::branches::method::baselines::{BaselineSearch, Covered};
use crate::analysis::branches::method::constants::undecided;
use crate::analysis::branches::method::order::{Discovery, Fair, FrontierOrder};
use crate::analysis::branches::method::runs::EdgeKnowledge;
use crate::analysis::branches::method::{BranchGoals, BranchesOutcome, run};
use crate::interp::{Input, Machine};
use crate::ledger::facts::EdgeFacts;
use crate::load::{Loaded, load_assuming, refused};
use crate::lts::assume::Assumption;
use crate::lts::sides::{Side, sides};
use crate::run::listener::Listener;
use crate::run::recorder::{Used, traced};
use crate::run::trace::{Event, Trace};
use crate::search::approximation_reason;
use crate::solver::Reason;
use crate::solver::meter::Meter;
use crate::view::{Reply, Request, diagnostic, fitting};

/// Tests or excludes every branch of a program.
pub fn branches(request: &Request, settings: &BranchesSettings, listener: &mut Listener) -> Reply<BranchesDocument> {
    let loaded = match load_assuming(request, None) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let start = match given(&loaded, settings) {
        Ok(start) => start,
        Err(error) => return refused("input", error),
    };
    let goals = BranchGoals { sides: &sides(&loaded.lts), start: &start, facts: &EdgeFacts::default() };
    let (searched, used) =
        traced(request, &loaded, "looking for branches", listener, |meter, trace| search(request, &loaded, goals, settings, meter, trace));
    Reply::Document { document: document(request, &loaded, goals.sides, &searched, &used) }
}

/// The inputs of the settings that the search begins with.
///
/// # Errors
/// Which one does not fit the function.
pub fn given(loaded: &Loaded, settings: &BranchesSettings) -> Result<Vec<Input>, String> {
    let tests = (1..).zip(&settings.tests);
    tests.map(|(number, test)| fitting(&loaded.lts, test).map_err(|error| format!("test {number}: {error}"))).collect()
}

/// What the search gave, and what others cover with as many steps, where the settings ask for that.
pub struct SearchedProgram {
    pub outcome: BranchesOutcome,
    baselines: Vec<BranchesCompared>,
}

/// Searches for the branches.
pub fn search(
    request: &Request,
    loaded: &Loaded,
    goals: BranchGoals,
    settings: &BranchesSettings,
    meter: &mut Meter,
    trace: &Trace,
) -> SearchedProgram {
    let before = meter.used();
    trace.needs();
    let mut order: Box<dyn FrontierOrder> = match settings.order {
        BranchesOrder::Fair => Box::<Fair>::default(),
        BranchesOrder::Discovery => Box::<Discovery>::default(),
    };
    let teller = Teller::new(loaded, goals.sides, trace);
    let mut outcome = run(loaded, goals, &mut *order, meter, trace, &teller);
    outcome.choose(loaded, goals.sides, trace);
    let searches = if settings.baselines { &BaselineSearch::ALL[..] } else { &[] };
    let compared = searches.iter().map(|&search| {
        // The same steps for each, which are not those of the analysis.
        let mut poll = |steps| trace.emit(Event::Progress { steps });
        let mut same = Meter::with_poll(meter.used() - before, &mut poll);
        compared(search, &search.search(&loaded.lts, goals.sides, request.seed, &mut same))
    });
    let baselines = compared.collect();
    SearchedProgram { outcome, baselines }
}

/// Why something is open where only runs from some state take it.
const UNBACKED: &str = "no calls are known to leave the states that what is open needs";

/// The document.
pub fn document(
    request: &Request,
    loaded: &Loaded,
    sides: &[Side],
    SearchedProgram { outcome, baselines }: &SearchedProgram,
    used: &Used,
) -> BranchesDocument {
    let machine = Machine::deep(&loaded.lts);
    let tests: Vec<BranchesTest> = outcome.suite.iter().map(|&number| tested(loaded, &machine, sides, &outcome.runs[number])).collect();
    let why = match outcome.cut {
        Some(reason @ Reason::Steps) => used.why_open(reason),
        _ if !loaded.lts.approximated().is_empty() => approximation_reason(&loaded.lts).to_string(),
        Some(reason) => used.why_open(reason),
        None => "no finder has an input, no prover a proof".to_owned(),
    };
    let list = listed(loaded, sides, Verdicts::of(outcome), &tests, &why);
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
    let warning = outcome.determined.as_ref().and_then(|only| only.warning(&loaded.lts));
    header.diagnostics.extend(warning.map(|warning| diagnostic(&loaded.lines, &warning)));
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
        baselines: baselines.clone(),
    }
}

/// What a search has covered.
fn compared(search: BaselineSearch, found: &Covered) -> BranchesCompared {
    let covered = found.sides.iter().filter(|&&covered| covered).count() as u32;
    let counts = BranchesCounts { total: found.sides.len() as u32, covered, ..BranchesCounts::default() };
    let [steps_covered, steps] = found.steps;
    BranchesCompared { search: search.into(), covered, cov_b: counts.shares().0, runs: found.runs, steps, steps_covered }
}
