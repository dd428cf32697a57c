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
use crate::analysis::branches::method::{BranchGoals, BranchesOutcome, run, starts};
use crate::load::{Loaded, load_assuming, refused};
use crate::lts::assume::Assumption;
use crate::lts::sides::{Side, sides};
use crate::run::listener::Listener;
use crate::run::recorder::{Used, traced};
use crate::run::trace::Event;
use crate::search::approximation_reason;
use crate::sequences::{is_reachable_start, matter};
use crate::solver::Reason;
use crate::solver::meter::Meter;
use crate::view::{Reply, Request, diagnostic, fitting};

/// Tests or excludes every branch of a program.
pub fn branches(request: &Request, settings: &BranchesSettings, listener: &mut Listener) -> Reply<BranchesDocument> {
    let loaded = match load_assuming(request, None) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let lts = &loaded.lts;
    let mut start = Vec::new();
    for (number, given) in settings.tests.iter().enumerate() {
        match fitting(lts, given) {
            Ok(input) => start.push(input),
            Err(error) => return refused("input", format!("test {}: {error}", number + 1)),
        }
    }
    let all = sides(lts);
    let mut order: Box<dyn FrontierOrder> = match settings.order {
        BranchesOrder::Fair => Box::<Fair>::default(),
        BranchesOrder::Discovery => Box::<Discovery>::default(),
    };
    let ((outcome, baselines), used) = traced(request, &loaded, "looking for branches", listener, |meter, trace| {
        trace.needs();
        let teller = Teller::new(&loaded, &all, trace);
        let goals = BranchGoals { sides: &all, start: &start };
        let outcome = match matter(&loaded) {
            true => {
                let mut outcome = starts::run(&loaded, goals, &mut *order, meter, trace, &teller);
                outcome.choose(&all, |run| is_reachable_start(&loaded, &run.input, &run.after), trace);
                outcome
            }
            false => run(lts, goals, &mut *order, meter, trace, &teller),
        };
        let searches = if settings.baselines { &BaselineSearch::ALL[..] } else { &[] };
        let compared = searches.iter().map(|&search| {
            // The same steps for each, which are not those of the analysis.
            let mut poll = |steps| trace.emit(Event::Progress { steps });
            let mut same = Meter::with_poll(meter.used(), &mut poll);
            compared(search, &search.search(lts, &all, request.seed, &mut same))
        });
        let compared = compared.collect();
        (outcome, compared)
    });
    Reply::Document { document: document(request, &loaded, &all, &outcome, baselines, &used) }
}

/// Why something is open where only runs from some state take it.
const UNBACKED: &str = "no calls are known to leave the states that what is open needs";

/// The document.
fn document(
    request: &Request,
    loaded: &Loaded,
    sides: &[Side],
    outcome: &BranchesOutcome,
    baselines: Vec<BranchesCompared>,
    used: &Used,
) -> BranchesDocument {
    let tests: Vec<BranchesTest> = outcome.suite.iter().map(|&number| tested(loaded, sides, &outcome.runs[number])).collect();
    let why = match outcome.cut {
        Some(reason @ Reason::Steps) => used.why_open(reason),
        _ if !loaded.lts.approximated().is_empty() => approximation_reason(&loaded.lts).to_string(),
        Some(reason) => used.why_open(reason),
        None => "no finder has an input, no prover a proof".to_owned(),
    };
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
        baselines,
    }
}

/// What a search has covered.
fn compared(search: BaselineSearch, found: &Covered) -> BranchesCompared {
    let covered = found.sides.iter().filter(|&&covered| covered).count() as u32;
    let counts = BranchesCounts { total: found.sides.len() as u32, covered, ..BranchesCounts::default() };
    let [steps_covered, steps] = found.steps;
    BranchesCompared { search: search.into(), covered, cov_b: counts.shares().0, runs: found.runs, steps, steps_covered }
}
