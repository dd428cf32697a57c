//! All minimal infeasible prefixes up to a number of instructions (DBG10, Section IV-B), each explained and generalized.
//!
//! Depth first over the execution tree, edges in their order; an edge that Γ refutes ends a minimal infeasible prefix, and the
//! exploration does not go beyond it. A decision that is false whatever the input is such a prefix too. With [`ExplainPlan::learn`]
//! it asks the families found so far first, and skips a prefix that one of them accepts.

use super::consistency::{Strength, check_of};
use super::family::ProgramFacts;
use super::learned::Learned;
use super::walker::{Walker, WalkerStep};
use super::{ExplainPlan, Explained, Explainer, Tally};
use crate::logic::Pool;
use crate::lts::{EdgeId, LocationId};
use crate::solver::Reason;
use crate::solver::meter::Exhausted;
use crate::solver::questions::QueryCount;
use crate::states::Ask;

/// What an exploration found.
#[derive(Debug, Default)]
pub struct Exploration {
    pub explained: Vec<Explained>,
    /// Prefixes that a learned family accepted.
    pub skipped: u64,
    /// Why some prefix stays open, if one does: Γ should have known more, or nothing confirms its explanations.
    pub open: Option<Reason>,
    pub tally: Tally,
    /// The terms of the constraints.
    pub pool: Pool,
    /// Why it ended early, if it did.
    pub cut: Option<Reason>,
}

/// Explores the prefixes within the settings. `found` gets each refuted prefix with its explanations, may drop some of these, and
/// says whether to go on. A prefix that keeps none stays open.
pub fn explore(
    program: &ProgramFacts,
    explainer: &mut Explainer,
    settings: &ExplainPlan,
    ask: &mut Ask,
    found: &mut dyn FnMut(&mut Walker, &mut Explained, &mut Ask) -> Result<bool, Exhausted>,
) -> Exploration {
    let mut result = Exploration::default();
    let mut walker = Walker::new(program, &explainer.resources, check_of(settings.strength), true);
    if let Err(why) = run(program, explainer, &mut walker, settings, ask, found, &mut result) {
        result.cut = Some(why.into());
    }
    result.pool = walker.pool;
    result
}

fn run(
    program: &ProgramFacts,
    explainer: &mut Explainer,
    walker: &mut Walker,
    settings: &ExplainPlan,
    ask: &mut Ask,
    found: &mut dyn FnMut(&mut Walker, &mut Explained, &mut Ask) -> Result<bool, Exhausted>,
    result: &mut Exploration,
) -> Result<(), Exhausted> {
    let most = settings.max_instructions.saturating_sub(1) as usize;
    let mut learned = Learned::default();
    let mut open: Vec<(LocationId, usize)> = vec![(program.lts.entry, 0)];
    while let Some((at, next)) = open.last_mut() {
        let way = if walker.len() < most { program.outgoing(*at).get(*next).copied() } else { None };
        *next += 1;
        let Some((edge, to)) = way else {
            open.pop();
            walker.back();
            learned.back();
            continue;
        };
        ask.meter.spend(1)?;
        if settings.learn {
            learned.step(edge.index() as u32);
            if learned.accepts() {
                result.skipped += 1;
                learned.back();
                continue;
            }
        }
        let started = (explainer.clock)();
        let count = QueryCount::new(ask.log);
        let step = walker.step(edge, &mut Ask { meter: &mut *ask.meter, log: &count });
        result.tally.queries += count.queries();
        result.tally.time += (explainer.clock)() - started;
        match step? {
            WalkerStep::Passed => {
                open.push((to, 0));
                continue;
            }
            WalkerStep::Open(reason) => {
                result.open.get_or_insert(reason);
                open.push((to, 0));
                continue;
            }
            WalkerStep::Refuted(core) => {
                result.tally.refutations += u64::from(count.queries() > 0);
                let passed = walker.constraints.len() - 1;
                let mut explained = explainer.explain(program, walker, core.as_deref(), passed, settings, ask)?;
                let on = found(walker, &mut explained, ask)?;
                walker.back();
                if settings.learn {
                    learned.back();
                    let path: Vec<u32> = walker.trail.edges.iter().map(|edge: &EdgeId| edge.index() as u32).collect();
                    for one in &explained.explanations {
                        learned.add(&one.family.automaton(), &path);
                    }
                }
                result.open = result.open.or(explained.open);
                if !explained.explanations.is_empty() {
                    result.explained.push(explained);
                }
                if !on {
                    return Err(Exhausted::Cancelled);
                }
            }
        }
    }
    Ok(())
}

/// A walker under Γ of this strength, for callers that put their own queries.
pub fn walker_of<'p, 'a>(program: &'p ProgramFacts<'a>, explainer: &Explainer, strength: Strength, follows: bool) -> Walker<'p, 'a> {
    Walker::new(program, &explainer.resources, check_of(strength), follows)
}
