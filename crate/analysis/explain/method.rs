//! Explaining and generalizing infeasible paths.
//!
//! # Source
//!
//! DBG10: M. Delahaye, B. Botella, A. Gotlieb, *Explanation-based Generalization of Infeasible Path*, 2010.
//!
//! | paper | here |
//! |---|---|
//! | consistency check Γ | [`consistency::Consistency`] in three strengths |
//! | path condition `C_π` | [`walker::Walker::constraints`], one formula per edge that has a condition |
//! | Γ-minimal explanation `K` | [`Explanation::constraints`], by [`minimal::explain`] (Fig. 4) |
//! | `onPath_π(K) = N` | [`Explanation::positions`] |
//! | path flow dependencies `D` | [`dependencies`] |
//! | `extendPath`, `extension` | [`family::extend`] |
//! | T_gen, T_exh | [`Tally`] of [`Explainer::explain`] and of [`exhaustive`] |
//!
//! # Steps
//!
//! 1. Explore the execution tree up to N instructions ([`explore`]): every minimal infeasible prefix. A path has one
//!    instruction more than edges: the entry.
//! 2. Explain each: a minimal set of constraints that Γ refutes, looking from the first constraint on, from the last, or for
//!    all such sets.
//! 3. Generalize each explanation: the automaton of the paths in which the same constraints come about in the same way.
//! 4. Confirm the explanation by the solver's refutation, and the annotated automaton by [`crate::evidence::family`]. The
//!    analysis claims only what it has confirmed.
//!
//! # Departures
//!
//! `DIVERGENCE:` "first" and "last" are the orders in which Fig. 4 gets the constraints; the paper describes the first, and made
//! its tables with the last. `DIVERGENCE:` the analysis asks Γ only what does not follow from earlier answers (see
//! [`minimal::SubsetVerdicts`]). For what departs in the construction of automata see [`family`].
//!
//! # Invariants
//!
//! Every accepted path is infeasible. An explanation without any one of its constraints is something that Γ does not refute.
//! Exploration ends since paths are bounded; a step limit ends it earlier, and what it found until then stands.

mod annotate;
pub mod causes;
pub mod consistency;
pub mod dependencies;
pub mod exhaustive;
pub mod explore;
pub mod family;
mod intervals;
mod learned;
pub mod minimal;
pub mod rounds;
pub mod run;
pub mod walker;

use crate::automaton::Automaton;
use crate::evidence::family::{Certified, check_family};
use crate::logic::{FormulaId, Pool};
use crate::lts::assume::Assumptions;
use crate::lts::{EdgeId, Lts};
use crate::solver::certificate::Certificate;
use crate::solver::meter::{Exhausted, Meter};
use crate::solver::questions::QueryCount;
use crate::solver::{Reason, Refutation};
use crate::states::Ask;
use crate::symex::State;
use annotate::{Path, annotate};
use consistency::{Consistency, ConsistencyVerdict, IntegerConsistency, Strength, check_of};
use dependencies::{Dependency, Effects, Resources, dependencies};
use family::{Extension, Family, ProgramFacts, extend};
use minimal::{SubsetVerdicts, all, minimal};
use std::time::Duration;
use walker::Walker;

/// In which order Fig. 4 looks at the constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Path order.
    #[default]
    First,
    /// From the end of the path back.
    Last,
    /// All minimal explanations, those of path order first.
    All,
}

/// How to explain.
#[derive(Clone, Copy, Debug)]
pub struct ExplainPlan {
    /// The greatest number of instructions of a prefix: its edges and one more.
    pub max_instructions: u32,
    pub order: Order,
    pub strength: Strength,
    pub extension: Extension,
    /// With [`Order::All`] the greatest number of explanations of a path.
    pub max_explanations: usize,
    /// Whether to skip prefixes that a family found before accepts.
    pub learn: bool,
}

impl Default for ExplainPlan {
    fn default() -> ExplainPlan {
        ExplainPlan {
            max_instructions: 50,
            order: Order::First,
            strength: Strength::Integer,
            extension: Extension::Detours,
            max_explanations: 32,
            learn: false,
        }
    }
}

/// So many variables of a state are one step.
const VALUES_PER_STEP: u64 = 16;

/// What something cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub time: Duration,
    /// Questions to the solver.
    pub queries: u64,
    /// Of the questions, how many the solver refuted.
    pub refutations: u64,
}

/// One reason why a path cannot run.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The constraints, in path order.
    pub constraints: Vec<FormulaId>,
    /// Their positions on the path.
    pub positions: Vec<usize>,
    pub family: Family,
    /// For a decision that is false whatever the inputs are what makes it so, once the analysis has claimed it.
    pub causes: Vec<causes::Cause>,
    /// What it rests on that no path of the family runs.
    pub assumes: Assumptions,
}

/// A path that cannot run, with why.
#[derive(Clone, Debug)]
pub struct Explained {
    pub edges: Vec<EdgeId>,
    /// The conditions along it that are not always true, each with its position.
    pub constraints: Vec<(usize, FormulaId)>,
    pub explanations: Vec<Explanation>,
    /// Whether these are all explanations that there are; always so where the caller asks for one.
    pub is_complete: bool,
    /// Why the run left out explanations that it could not confirm.
    pub open: Option<Reason>,
    /// What explaining and generalizing took: T_gen.
    pub tally: Tally,
}

/// Explains infeasible paths and generalizes the explanations.
pub struct Explainer<'a> {
    pub resources: Resources,
    pub clock: &'a dyn Fn() -> Duration,
    gamma: Box<dyn Consistency>,
}

impl<'a> Explainer<'a> {
    /// `clock` gives the time since some fixed moment; it decides nothing.
    pub fn new(resources: Resources, strength: Strength, clock: &'a dyn Fn() -> Duration) -> Explainer<'a> {
        Explainer { resources, clock, gamma: check_of(strength) }
    }

    /// Explains the path of a walker, which Γ refutes. `core` are positions of constraints that suffice, if known; of the first
    /// `passed` constraints it is known that Γ does not refute them. Gives one minimal explanation
    /// or, with [`Order::All`], all of them, each with its family; [`confirm`] has not seen them yet.
    ///
    /// # Errors
    /// When the steps of the run are used up.
    pub fn explain(
        &mut self,
        program: &ProgramFacts,
        walker: &mut Walker,
        core: Option<&[usize]>,
        passed: usize,
        settings: &ExplainPlan,
        ask: &mut Ask,
    ) -> Result<Explained, Exhausted> {
        let started = (self.clock)();
        let count = QueryCount::new(ask.log);
        let mut counted = Ask { meter: &mut *ask.meter, log: &count };
        walker.satisfied.trim();
        let constraints = std::mem::take(&mut walker.constraints);
        let mut subset_verdicts =
            SubsetVerdicts::new(&mut walker.pool, &constraints, &mut *self.gamma, &mut walker.satisfied, &mut counted);
        if let Some(core) = core {
            subset_verdicts.learn_inconsistent(core);
        }
        subset_verdicts.learn_passed(passed);
        let candidates: Vec<usize> = match settings.order {
            Order::First | Order::All => (0..constraints.len()).collect(),
            Order::Last => (0..constraints.len()).rev().collect(),
        };
        let found = match settings.order {
            Order::First | Order::Last => minimal(&mut subset_verdicts, &candidates).map(|found| (vec![found], true)),
            Order::All => all(&mut subset_verdicts, settings.max_explanations).map(|found| (found.explanations, found.is_complete)),
        };
        walker.constraints = constraints;
        let (found, is_complete) = found?;
        let constraints = &walker.constraints;
        let explanations: Vec<Explanation> = (found.into_iter())
            .map(|found| {
                let positions: Vec<usize> = found.iter().map(|&at| walker.owners[at]).collect();
                let family = extend(program, &walker.resources, &walker.trail, &positions, settings.extension);
                Explanation {
                    constraints: found.iter().map(|&at| constraints[at]).collect(),
                    positions,
                    family,
                    causes: Vec::new(),
                    assumes: Assumptions::default(),
                }
            })
            .collect();
        counted.meter.spend(explanations.iter().map(|one| one.family.transitions.len() as u64 / 8).sum())?;
        let time = (self.clock)() - started;
        Ok(Explained {
            edges: walker.trail.edges.clone(),
            constraints: walker.owners.iter().copied().zip(constraints.iter().copied()).collect(),
            explanations,
            is_complete,
            open: None,
            tally: Tally { time, queries: count.queries(), refutations: 0 },
        })
    }

    /// The path flow dependencies of an explanation (Fig. 5).
    pub fn dependencies(&self, walker: &Walker, explanation: &Explanation) -> Vec<Dependency> {
        dependencies(&walker.resources, &walker.trail.accesses, &explanation.positions)
    }
}

/// Confirms an explanation of the walker's path: refutes it by the solver (the core are positions on the path), and annotates its
/// family so that [`check_family`] accepts it. Gives both in the walker's terms.
///
/// # Errors
/// When the steps of the run are used up; inside, why it could not confirm the explanation.
pub fn confirm(
    program: &ProgramFacts,
    walker: &mut Walker,
    explanation: &Explanation,
    ask: &mut Ask,
) -> Result<Result<(Refutation, Certified), Reason>, Exhausted> {
    let lts = program.lts;
    let mut refutation = match explanation.constraints[..] {
        [Pool::FALSE] => Refutation { core: vec![0], certificate: Certificate::default() },
        _ => match IntegerConsistency::default().decide(&mut walker.pool, &explanation.constraints, ask)? {
            ConsistencyVerdict::Inconsistent(Some(refutation)) => refutation,
            ConsistencyVerdict::Inconclusive(Some(reason)) => return Ok(Err(reason)),
            _ => return Ok(Err(Reason::Rejected)),
        },
    };
    let pool = &mut walker.pool;
    let mut state = State::initial(lts, pool);
    let mut states = Vec::with_capacity(explanation.family.indispensable.len());
    let mut ends = explanation.family.indispensable.iter().peekable();
    for (position, &edge) in walker.trail.edges.iter().enumerate() {
        if ends.next_if(|&&end| end == position).is_some() {
            states.push(state.clone());
        }
        state.apply(lts, pool, edge);
    }
    let constraints: Vec<(usize, FormulaId)> = explanation.positions.iter().copied().zip(explanation.constraints.iter().copied()).collect();
    let path = Path { resources: &walker.resources, trail: &walker.trail, states: &states };
    let certified = annotate(lts, pool, &path, &explanation.family, &constraints, refutation.certificate.clone());
    // Each transition has a state of all variables, here and in the check.
    let values = (lts.variables.len() + lts.arrays.len()) as u64;
    ask.meter.spend(1 + certified.transitions.len() as u64 * (1 + values / VALUES_PER_STEP))?;
    let verdict = check_family(lts, pool, &certified);
    debug_assert!(verdict.is_ok(), "{verdict:?}");
    refutation.core = refutation.core.iter().map(|&at| explanation.positions[at]).collect();
    Ok(verdict.map(|()| (refutation, certified)).map_err(|_| Reason::Rejected))
}

/// What an analysis of a program has to know of it beforehand: its resources, and what each edge may write.
pub fn prepare(lts: &Lts) -> (Resources, Effects) {
    let mut resources = Resources::new(lts);
    let effects = Effects::new(lts, &mut resources);
    (resources, effects)
}

/// The union of some deterministic families, minimized; `None` if it grows too large. With `shortest` it has, of words of which
/// one begins the other, only the shorter. Two of about as many families each are united at a time, so that no large union is
/// made anew for every family.
///
/// # Errors
/// When the steps of the run are used up: each union costs its size.
pub fn union<'f>(families: impl Iterator<Item = &'f Automaton>, shortest: bool, meter: &mut Meter) -> Result<Option<Automaton>, Exhausted> {
    // Unions of 1, 2, 4, … families, the largest first, each with how many.
    let mut unions: Vec<(usize, Automaton)> = Vec::new();
    let join = |(many, one): (usize, Automaton), (more, other): (usize, Automaton), meter: &mut Meter| {
        meter.spend((one.size() + other.size()) as u64)?;
        let both = one.union(&other).map(|both| if shortest { both.without_continuations() } else { both });
        Ok::<_, Exhausted>(both.and_then(|both| both.minimized()).ok().map(|both| (many + more, both)))
    };
    for family in families {
        let mut last = (1, family.clone());
        while let Some(before) = unions.pop_if(|before| before.0 <= last.0) {
            let Some(both) = join(before, last, meter)? else { return Ok(None) };
            last = both;
        }
        unions.push(last);
    }
    let mut all = (0, Automaton::empty());
    while let Some(one) = unions.pop() {
        let Some(both) = join(one, all, meter)? else { return Ok(None) };
        all = both;
    }
    Ok(Some(all.1))
}
