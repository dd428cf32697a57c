//! What other engines settled, in an outcome: their runs become tests, and what they exclude is infeasible.
//!
//! Runs and claims have passed the door before; a run is replayed once more, since its edges decide which verdicts change.

use super::kept_runs::keep;
use super::test::Test;
use super::{CoverOutcome, EdgeVerdict, exclusion_core};
use crate::evidence::bounded::unwind::{needed, unwind};
use crate::interp::Machine;
use crate::ledger::facts::{EdgeFacts, FactRun};
use crate::load::Loaded;
use crate::logic::SortedSet;
use crate::lts::EdgeId;
use crate::lts::assume::Assumptions;
use crate::run::trace::{Event, Trace};
use crate::sequences::{is_reachable_start, matter};
use crate::solver::meter::Meter;

/// What covering a program gave.
pub struct CoveredProgram {
    pub outcome: CoverOutcome,
    /// What the verdict on each edge rests on.
    pub needs: Vec<Assumptions>,
}

/// Takes over facts about the edges of the outcome's graph.
pub fn take_over(
    loaded: &Loaded,
    CoveredProgram { outcome, needs }: &mut CoveredProgram,
    facts: &EdgeFacts,
    meter: &mut Meter,
    trace: &Trace,
) {
    let machine = Machine::deep(&loaded.lts);
    for FactRun { input, after, .. } in &facts.runs {
        let test = Test { input: input.clone(), path: Vec::new(), after: after.clone() };
        keep(loaded, &machine, &test, outcome, meter, trace);
    }
    let (mut new, mut contradicted) = (Vec::new(), Vec::new());
    for (&edge, &assumed) in &facts.excluded {
        let verdict = &mut outcome.verdicts[edge.index()];
        match verdict {
            EdgeVerdict::NotWithin(None) | EdgeVerdict::Unbacked(_) | EdgeVerdict::Open(_) => {
                (*verdict, needs[edge.index()]) = (EdgeVerdict::Infeasible, assumed);
                new.push(edge);
            }
            EdgeVerdict::Infeasible => {}
            EdgeVerdict::Covered(_) | EdgeVerdict::NeverCompletes(_) | EdgeVerdict::NotWithin(Some(_)) | EdgeVerdict::Reached(_) => {
                contradicted.push(edge);
            }
        }
    }
    if !contradicted.is_empty() {
        trace.emit(Event::Contradicted { edges: &contradicted });
    }
    explain(loaded, outcome, &new, meter, trace);
    let is_left = |verdict: &EdgeVerdict| matches!(verdict, EdgeVerdict::Open(_) | EdgeVerdict::Reached(_));
    outcome.cut = outcome.cut.filter(|_| outcome.verdicts.iter().any(is_left));
    outcome.enough = outcome.enough.filter(|&(_, test)| outcome.verdicts.contains(&EdgeVerdict::NotWithin(Some(test))));
}

/// Looks for what excludes these edges, where executions within the bound show it.
fn explain(loaded: &Loaded, outcome: &mut CoverOutcome, new: &[EdgeId], meter: &mut Meter, trace: &Trace) {
    let Ok(unwound) = unwind(&loaded.lts, outcome.unwind) else { return };
    if new.is_empty() {
        return;
    }
    // The reasons of all others stay.
    let mut only = vec![EdgeVerdict::Covered(0); outcome.verdicts.len()];
    new.iter().for_each(|edge| only[edge.index()] = EdgeVerdict::Infeasible);
    let because = exclusion_core::because(&loaded.lts, &unwound, &only, meter, trace);
    for &edge in new {
        outcome.because[edge.index()].clone_from(&because[edge.index()]);
    }
}

/// The runs of other engines that complete within the bound of loops, as tests for a search to begin with.
pub fn complete_tests(loaded: &Loaded, bound: u32, facts: &EdgeFacts) -> Vec<Test> {
    let lts = &loaded.lts;
    let completes = |run: &&FactRun| run.path.last().is_some_and(|&edge| lts.edge(edge).2 == lts.exit);
    let begins = |run: &&FactRun| run.after.is_empty() && (!matter(loaded) || is_reachable_start(loaded, &run.input, &run.after));
    let is_within = |run: &&FactRun| needed(lts, &run.path).is_some_and(|times| times <= bound);
    let runs = facts.runs.iter().filter(completes).filter(begins).filter(is_within);
    runs.map(|FactRun { input, path, after }| Test { input: input.clone(), path: path.clone(), after: after.clone() }).collect()
}

/// What the outcome says of edges, for other engines.
pub fn facts_of(loaded: &Loaded, CoveredProgram { outcome, needs }: &CoveredProgram) -> EdgeFacts {
    let fact = |input, path: &[EdgeId], after: &[_]| FactRun { input, path: path.to_vec(), after: after.to_vec() };
    let mut tests: Vec<FactRun> = outcome.tests.iter().map(|Test { input, path, after }| fact(input.clone(), path, after)).collect();
    // Of a very long run, as the only one of a program may be, the path has the first edges only.
    if let (Some(_), Some(run)) = (&outcome.determined, tests.first_mut()) {
        let seen: SortedSet<EdgeId> = run.path.iter().copied().collect();
        let is_taken = |edge: &EdgeId| matches!(outcome.verdicts[edge.index()], EdgeVerdict::Covered(_) | EdgeVerdict::NeverCompletes(_));
        run.path.extend(loaded.lts.graph.edge_indices().filter(|edge| is_taken(edge) && !seen.contains(edge)));
    }
    let failures = outcome.failures.iter().map(|failure| fact(failure.input.clone(), &failure.path, &[]));
    let is_believed = |run: &FactRun| !matter(loaded) || is_reachable_start(loaded, &run.input, &run.after);
    let mut facts = EdgeFacts::default();
    facts.add(EdgeFacts { runs: tests.into_iter().chain(failures).filter(is_believed).collect(), ..EdgeFacts::default() });
    // Where lowering cut calls off, a deeper call may take what no call here takes.
    if loaded.lts.cut.is_none() {
        let is_allowed = |edge: &EdgeId| needs[edge.index()].iter().all(|one| loaded.assumed.contains(one));
        let infeasible = loaded.lts.graph.edge_indices().filter(|edge| outcome.verdicts[edge.index()] == EdgeVerdict::Infeasible);
        facts.excluded = infeasible.filter(is_allowed).map(|edge| (edge, needs[edge.index()])).collect();
    }
    facts
}
