//! The outcome for a program that reads no input: its one run covers a statement, or no execution takes it ([`crate::run::determined`]).
//!
//! Where the run stays within the bound, the search for what excludes a statement ([`exclusion_core`]) speaks of this run, too.

use super::errors::FailingRun;
use super::exclusion_core;
use super::test::Test;
use super::{CoverOutcome, CoverPlan, EdgeVerdict};
use crate::evidence::bounded::unwind::{needed, unwind};
use crate::interp::Outcome;
use crate::lts::Lts;
use crate::run::determined::{SettledRun, settled};
use crate::run::trace::Trace;
use crate::solver::meter::Meter;

/// Steps for what excludes statements: the verdicts need none.
const REASON_STEPS: u64 = 1_000_000;

/// Covers a program by its one run; `None` where it is not known to have only one.
pub fn cover_determined(lts: &Lts, plan: &CoverPlan, meter: &mut Meter, trace: &Trace) -> Option<CoverOutcome> {
    let only = settled(lts, true, meter, trace)?;
    let completes = only.run.completes();
    let mut verdicts = vec![EdgeVerdict::Infeasible; lts.graph.edge_count()];
    for edge in only.run.edges(true) {
        verdicts[edge.index()] = if completes { EdgeVerdict::Covered(0) } else { EdgeVerdict::NeverCompletes(0) };
    }
    let path = only.run.run.edges.clone();
    let failure = |reason| {
        let edge = only.run.run.stopped_before?;
        Some(FailingRun { edge, reason, part: only.run.run.stopped_in, input: only.input.clone(), path: path.clone() })
    };
    let failures = match &only.run.run.outcome {
        Outcome::Undefined(reason) => failure(reason.clone()).into_iter().collect(),
        _ => Vec::new(),
    };
    let because = reasons(lts, plan, &only, &verdicts, meter, trace);
    Some(CoverOutcome {
        unwind: plan.unwind,
        tests: vec![Test { input: only.input.clone(), path, after: Vec::new() }],
        complete: usize::from(completes),
        beyond: 0,
        unbacked: Vec::new(),
        verdicts,
        because: because.unwrap_or_else(|| vec![Vec::new(); lts.graph.edge_count()]),
        failures,
        queries: 0,
        cut: None,
        bounded: false,
        enough: None,
        summaries: None,
        obstacle: None,
        determined: Some(only),
    })
}

/// What excludes each statement, where the bound takes nothing away from the run.
fn reasons(
    lts: &Lts,
    plan: &CoverPlan,
    only: &SettledRun,
    verdicts: &[EdgeVerdict],
    meter: &mut Meter,
    trace: &Trace,
) -> Option<Vec<Vec<crate::lts::EdgeId>>> {
    let is_whole = only.run.steps == only.run.run.edges.len() as u64;
    // A run that comes back from a call that goes deeper than the copies is no path of the graph.
    if !is_whole || needed(lts, &only.run.run.edges).is_none_or(|times| times > plan.unwind) {
        return None;
    }
    let unwound = unwind(lts, plan.unwind).ok()?;
    Some(meter.within(REASON_STEPS, |meter| exclusion_core::because(lts, &unwound, verdicts, meter, trace)))
}
