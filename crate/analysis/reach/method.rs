//! Reach: the condition on inputs under which execution reaches a target, an input that meets it, or a proof that none exists.
//!
//! Source: ST12. Where loops make paths too many, the paper takes the finitely many acyclic paths and summarizes any number of
//! rounds of the loops along them.
//!
//! 1. Find the backbones, the acyclic paths to the target, and the loops along them ([`tree`]).
//! 2. Summarize each loop, inner ones first ([`summary`], Algorithm 2), from its single rounds ([`effect`], Algorithm 1). Its looping
//!    condition loses its quantifiers where that is possible ([`summary::eliminate`]).
//! 3. Execute the backbones symbolically through the summaries: their abstract path conditions, of which `φ̂` is the disjunction.
//! 4. Decide each ([`satisfiability`]): first whether `φ̂` contradicts itself without quantifiers. Then looping conditions are written out round by
//!    round ([`instances`]), which is `φ̂^K` for growing `K`, but for those of loops whose rounds are alike ([`summary::uniform`]).
//! 5. A model is an input and the path that it takes; run it, and if it misses, ask of the path itself ([`replay`]). What gets to the
//!    target is *reached*.
//!    Where that misses too, the condition guides a search over path prefixes ([`guide`]).
//! 6. If no condition has a model, for which instances chosen by models may be needed ([`refine`]), prove by an invariant with
//!    ghosts for the counters that no execution reaches the target ([`proof`]), or by other provers ([`prover`]); only the check of that
//!    makes it *unreachable*.
//!
//! What stays open in a program that reads no input its one run decides ([`determined`]).
//!
//! Where the paper gives up, this goes on where that is easy: see [`summary`] and [`instances`].

pub mod determined;
pub mod effect;
pub mod guide;
pub mod instances;
pub mod program;
pub mod proof;
pub mod prover;
pub mod refine;
pub mod replay;
pub mod satisfiability;
pub mod starts;
pub mod summary;
pub mod tree;

use crate::interp::Input;
use crate::logic::Pool;
use crate::lts::EdgeId;
use crate::lts::inputs::inputs;
use crate::run::trace::{Event, Trace};
use crate::solver::Reason;
use crate::solver::meter::{Exhausted, Meter};
use crate::states::Ask;
use effect::WayEffect;
use guide::{Guide, GuidedResult};
use program::SummarizedProgram;
use replay::{By, InputTrials};
use satisfiability::Decision;

/// The default `K`: that of the paper.
pub const DEFAULT_K: u32 = 25;
/// Nodes of the tree of backbones.
pub const NODES: usize = 4_000;

/// What was found.
#[derive(Debug)]
pub struct Found {
    pub verdict: TargetVerdict,
    /// For each backbone the decision of its condition, where it was queried.
    pub decisions: Vec<Option<Decision>>,
    /// Steps for deciding the conditions without writing out rounds, and with.
    pub steps: [u64; 2],
    /// The search, where the first models did not suffice.
    pub searched: Option<GuidedResult>,
}

impl Found {
    /// Nothing was decided, for this reason.
    pub fn open(why: Why) -> Found {
        Found { verdict: TargetVerdict::Open(why), decisions: Vec::new(), steps: [0; 2], searched: None }
    }
}

/// A step of the method: what came of the condition of a backbone.
pub struct BackboneDecided<'d> {
    /// Its number among the goals of the tree.
    pub backbone: usize,
    pub decision: Option<&'d Decision>,
}

/// The verdict on the target.
#[derive(Debug)]
pub enum TargetVerdict {
    Reached { input: Input, path: Vec<EdgeId>, k: Option<u32>, by: Option<By> },
    Unreachable,
    Open(Why),
}

/// Why the verdict is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The step limit, or a question that stays open.
    Reason(Reason),
    /// There is no model with up to `K` rounds of each loop.
    Beyond,
    /// The condition can hold, and nothing that its models say gets there.
    Missed,
    /// The condition cannot hold, and there is no proof that the check accepts.
    Unproven,
    /// Calls within themselves are not followed to any depth.
    Cut,
    /// There are too many acyclic paths to look at each.
    Paths,
}

/// Steps 2 and 3: sums up the loops and gives the effects of the nodes' paths.
///
/// # Errors
/// When the steps are used up.
pub fn execute(program: &mut SummarizedProgram, pool: &mut Pool, meter: &mut Meter, trace: &Trace) -> Result<Vec<WayEffect>, Exhausted> {
    summary::build::summarise(program, pool, &mut Ask { meter, log: trace })?;
    Ok(program.effects(pool))
}

/// Steps 4 to 6.
pub fn run(program: &SummarizedProgram, pool: &mut Pool, effects: &[WayEffect], most: u32, meter: &mut Meter, trace: &Trace) -> Found {
    let lts = program.lts;
    let inputs = inputs(lts);
    let replay = InputTrials::new(lts, program.tree.targets.clone(), trace);
    let mut decisions: Vec<Option<Decision>> = vec![None; program.tree.goals.len()];
    let (mut steps, mut refined) = ([0; 2], None);
    // A quarter of the steps stays for a proof.
    let reached = meter.within(meter.left() / 4 * 3, |meter| {
        for (at, &goal) in program.tree.goals.iter().enumerate() {
            let effect = program.whole(pool, effects, goal);
            let question = satisfiability::BackboneQuery { program, inputs: &inputs, goal, most };
            let mut reached = None;
            let start = meter.used();
            let is_refuted = question.is_refuted(pool, &effect, meter, trace);
            let middle = meter.used();
            decisions[at] = Some(match is_refuted {
                true => Decision::Unsatisfiable,
                false => question.models(pool, &effect, meter, trace, &mut |model, meter| {
                    reached = replay.model(model, meter).map(|(input, by)| (input, by, model.k));
                    reached.is_some()
                }),
            });
            steps = [steps[0] + middle - start, steps[1] + meter.used() - middle];
            trace.step(&BackboneDecided { backbone: at, decision: decisions[at].as_ref() });
            if let Some((input, by, k)) = reached {
                let path = replay.path(&input).unwrap_or_default();
                let claimed = trace.claim(Event::Reached { path: &path, input: &input, after: &[] });
                return Some(match claimed {
                    Ok(()) => TargetVerdict::Reached { input, path, k: Some(k), by: Some(by) },
                    Err(reason) => TargetVerdict::Open(Why::Reason(reason)),
                });
            }
            if meter.is_exhausted() {
                break;
            }
            // What needs rounds written out to contradict itself cannot be shown by the facts of the summaries.
            if !is_refuted
                && !matches!(decisions[at], Some(Decision::Model(_)))
                && refine::refute(refined.get_or_insert_with(|| program.clone()), pool, goal, meter, trace)
            {
                decisions[at] = Some(Decision::Unsatisfiable);
                trace.step(&BackboneDecided { backbone: at, decision: decisions[at].as_ref() });
            }
        }
        None
    });
    if let Some(verdict) = reached {
        return Found { verdict, decisions, steps, searched: None };
    }
    let open = decisions.iter().find_map(|decision| match decision {
        None => Some(Why::Reason(Reason::Steps)),
        Some(Decision::Open(reason)) => Some(Why::Reason(*reason)),
        Some(Decision::Model(_)) => Some(Why::Missed),
        Some(Decision::Beyond) => Some(Why::Beyond),
        Some(Decision::Unsatisfiable) => None,
    });
    // The summaries with chosen instances, if there are any.
    let (program, effects) = match &refined {
        Some(refined) => (refined, &refined.effects(pool)[..]),
        None => (program, effects),
    };
    let found = Found { verdict: TargetVerdict::Open(open.unwrap_or(Why::Unproven)), decisions, steps, searched: None };
    conclude(found, open, program, pool, effects, &replay, meter)
}

/// Where there are too many acyclic paths for a tree: other provers, and a search without a condition.
pub fn run_without_tree(program: &SummarizedProgram, pool: &mut Pool, meter: &mut Meter, trace: &Trace) -> Found {
    let replay = InputTrials::new(program.lts, program.tree.targets.clone(), trace);
    conclude(Found::open(Why::Paths), Some(Why::Paths), program, pool, &[], &replay, meter)
}

/// The last steps, where no model gets to the target: what is proved quickly, a search, and what is proved slowly; `open` is why the
/// condition leaves the verdict open, if it does.
fn conclude(
    mut found: Found,
    open: Option<Why>,
    program: &SummarizedProgram,
    pool: &mut Pool,
    effects: &[WayEffect],
    replay: &InputTrials,
    meter: &mut Meter,
) -> Found {
    if program.lts.cut.is_some() {
        found.verdict = TargetVerdict::Open(open.unwrap_or(Why::Cut));
        return guided(found, program, pool, effects, replay, meter);
    }
    for without in [prover::LONG, prover::QUICK] {
        match prover::is_excluded(program, pool, effects, without, replay, meter) {
            Ok(true) => return Found { verdict: TargetVerdict::Unreachable, ..found },
            Ok(false) => {}
            Err(why) => found.verdict = TargetVerdict::Open(open.unwrap_or(Why::Reason(why.into()))),
        }
        if found.searched.is_none() {
            found = guided(found, program, pool, effects, replay, meter);
        }
        if matches!(found.verdict, TargetVerdict::Reached { .. }) {
            break;
        }
    }
    found
}

/// Searches where the verdict is open and an input may still get to the target.
fn guided(
    found: Found,
    program: &SummarizedProgram,
    pool: &mut Pool,
    effects: &[WayEffect],
    replay: &InputTrials,
    meter: &mut Meter,
) -> Found {
    if !matches!(found.verdict, TargetVerdict::Open(Why::Reason(_) | Why::Beyond | Why::Missed | Why::Paths)) || meter.is_exhausted() {
        return found;
    }
    let refuted: Vec<bool> = found.decisions.iter().map(|decision| matches!(decision, Some(Decision::Unsatisfiable))).collect();
    let searched = Guide::new(program, pool, effects, &refuted, replay).search(pool, meter);
    let verdict = match &searched.reached {
        Some(input) => {
            let (input, path) = (input.clone(), replay.path(input).unwrap_or_default());
            match replay.trace.claim(Event::Reached { path: &path, input: &input, after: &[] }) {
                Ok(()) => TargetVerdict::Reached { input, path, k: None, by: Some(By::Search) },
                Err(reason) => TargetVerdict::Open(Why::Reason(reason)),
            }
        }
        None => found.verdict,
    };
    Found { verdict, searched: Some(searched), ..found }
}
