//! The questions to this analysis: all infeasible prefixes of a program ([`run`]), or one path ([`judge`]).

use super::causes::causes;
use super::consistency::{Consistency, ConsistencyVerdict as Said, IntegerConsistency};
use super::dependencies::{Dependency, Resources};
use super::exhaustive::{Exhaustive, exhaustive};
use super::explore::{Exploration, explore, walker_of};
use super::family::ProgramFacts;
use super::learned::avoiding;
use super::minimal::{CachedModels, SubsetVerdicts, all};
use super::walker::{Walker, WalkerStep};
use super::{ExplainPlan, Explained, Explainer, Explanation, Tally, confirm, union};
use crate::automaton::Automaton;
use crate::evidence::family::family_claim;
use crate::interp::{Input, Machine, NoText};
use crate::logic::{Assignment, FormulaId, Pool};
use crate::lts::assume::Assumptions;
use crate::lts::inputs::inputs;
use crate::lts::{EdgeId, Lts};
use crate::run::trace::{Event, Trace};
use crate::search::{self, PathPrefix, approximation_reason, no_text, nth_draw, settle, settle_text};
use crate::solver::meter::{Exhausted, Meter};
use crate::solver::{Context, QUERY_LIMIT, Reason};
use crate::states::Ask;
use num_bigint::BigUint;
use rustc_hash::FxHashSet;
use std::time::Duration;

/// What explaining works with. The clock gives the time since some fixed moment; it decides nothing.
#[derive(Clone, Copy)]
pub struct ExplainTask<'t, 'a> {
    pub program: &'t ProgramFacts<'a>,
    pub resources: &'t Resources,
    pub plan: &'t ExplainPlan,
    pub clock: &'t dyn Fn() -> Duration,
}

/// An infeasible prefix with its families.
#[derive(Debug)]
pub struct PrefixFinding {
    pub explained: Explained,
    /// For each explanation the minimal automaton of its family.
    pub automata: Vec<Automaton>,
    /// For each of these automata how many of its words have at most the number of instructions asked for.
    pub paths: Vec<BigUint>,
    /// How many such words all of them have together.
    pub united: BigUint,
}

/// All families together.
#[derive(Debug)]
pub struct Union {
    pub automaton: Automaton,
    /// Accepted words up to the number of instructions asked for.
    pub paths: BigUint,
    /// For some lengths the number of complete paths, and how many of these no family accounts for.
    pub lengths: Vec<(u32, BigUint, BigUint)>,
}

/// Generalizing beside proving path by path, for one family.
#[derive(Debug)]
pub struct Comparison {
    pub instructions: usize,
    pub bound: u32,
    pub paths: BigUint,
    pub generation: Duration,
    pub generation_queries: u64,
    pub exhaustive: Exhaustive,
}

/// What [`run`] found.
#[derive(Debug, Default)]
pub struct ExplainOutcome {
    pub findings: Vec<PrefixFinding>,
    /// The terms of the findings.
    pub pool: Pool,
    pub union: Option<Union>,
    pub without: Tally,
    pub without_prefixes: u64,
    pub with: Option<(Tally, u64)>,
    pub skipped: u64,
    pub comparison: Vec<Comparison>,
    /// Why some prefix stays open, if one does.
    pub open: Option<Reason>,
    /// Why the run ended early, if it did.
    pub cut: Option<Reason>,
}

/// The lengths for which to count the rest: about half of the instructions, all of them, and twice as many.
fn lengths(settings: &ExplainPlan) -> Vec<u32> {
    let most = settings.max_instructions - 1;
    let mut lengths = vec![most / 2, most, most * 2];
    lengths.dedup();
    lengths
}

/// The four steps for all prefixes; then all families together, the exploration once more with what it learned, and the
/// exhaustive method for `compare` of the families. `clock` gives the time since some fixed moment; it decides nothing.
pub fn run(
    program: &ProgramFacts,
    resources: &Resources,
    settings: &ExplainPlan,
    compare: usize,
    clock: &dyn Fn() -> Duration,
    meter: &mut Meter,
    trace: &Trace,
) -> ExplainOutcome {
    let mut outcome = ExplainOutcome::default();
    let mut ask = Ask { meter, log: trace };
    let task = ExplainTask { program, resources, plan: settings, clock };
    if let Err(why) = steps(task, compare, &mut ask, trace, &mut outcome) {
        outcome.cut = Some(why.into());
    }
    outcome
}

fn steps(task: ExplainTask, compare: usize, ask: &mut Ask, trace: &Trace, outcome: &mut ExplainOutcome) -> Result<(), Exhausted> {
    let ExplainTask { program, resources, plan: settings, clock } = task;
    let most = settings.max_instructions as usize - 1;
    // 1. to 4.
    let mut explainer = Explainer::new(resources.clone(), settings.strength, clock);
    let mut results = Vec::new();
    let mut found = |walker: &mut Walker, explained: &mut Explained, ask: &mut Ask| {
        let on = keep(explained, |explanation| claim(program, walker, explanation, ask, trace))?;
        let (mut automata, mut paths) = (Vec::new(), Vec::new());
        for explanation in &mut explained.explanations {
            explanation.causes = causes(walker, explanation);
            let automaton = explanation.family.automaton().minimized().unwrap_or_default();
            ask.meter.spend(1 + automaton.size() as u64)?;
            paths.push(automaton.total(most).unwrap_or_default());
            automata.push(automaton);
        }
        let united = match &automata[..] {
            [] => return Ok(on),
            [_] => paths[0].clone(),
            several => union(several.iter(), false, ask.meter)?.and_then(|all| all.total(most).ok()).unwrap_or_default(),
        };
        results.push((automata, paths, united));
        Ok(on)
    };
    let Exploration { explained, open, tally, cut, pool, .. } = explore(program, &mut explainer, settings, ask, &mut found);
    let findings = explained.into_iter().zip(results).map(|(explained, (automata, paths, united))| PrefixFinding {
        explained,
        automata,
        paths,
        united,
    });
    outcome.findings = findings.collect();
    outcome.pool = pool;
    (outcome.open, outcome.cut, outcome.without) = (open, cut, tally);
    outcome.without_prefixes = outcome.findings.len() as u64;
    if cut.is_some() {
        return Ok(());
    }
    // All families together.
    let mut seen: FxHashSet<&Automaton> = FxHashSet::default();
    let distinct = outcome.findings.iter().flat_map(|finding| &finding.automata).filter(|&automaton| seen.insert(automaton));
    outcome.union = union(distinct, true, ask.meter)?.and_then(|automaton| {
        let program = Automaton::of_program(program.lts);
        let rest = avoiding(&program, &automaton);
        let counted = lengths(settings).into_iter().map(|length| {
            let total = |automaton: &Automaton| automaton.total(length as usize).unwrap_or_default();
            (length, total(&program), total(&rest))
        });
        Some(Union { paths: automaton.total(most).ok()?, lengths: counted.collect(), automaton })
    });
    // Once more, with families that skip prefixes.
    let mut explainer = Explainer::new(resources.clone(), settings.strength, clock);
    let learning = ExplainPlan { learn: true, ..*settings };
    let mut believed = |walker: &mut Walker, explained: &mut Explained, ask: &mut Ask| {
        keep(explained, |explanation| {
            Ok(confirm(program, walker, explanation, ask)?.err().map_or(Claimed::Made(Assumptions::default()), Claimed::Open))
        })
    };
    let with = explore(program, &mut explainer, &learning, ask, &mut believed);
    outcome.skipped = with.skipped;
    outcome.cut = with.cut;
    outcome.with = Some((with.tally, with.explained.len() as u64));
    if with.cut.is_some() {
        return Ok(());
    }
    compare_some(task, compare, ask, outcome)
}

/// How often to time each side; the shortest time counts.
const TIMES: usize = 3;
/// How many families to compare beyond the number of instructions asked for, by how much in each step, and how many steps.
const BEYOND: (usize, u32, u32) = (6, 10, 3);

/// T_gen against T_exh for some of the families, evenly chosen.
fn compare_some(task: ExplainTask, compare: usize, ask: &mut Ask, outcome: &mut ExplainOutcome) -> Result<(), Exhausted> {
    let ExplainTask { program, resources, plan: settings, clock } = task;
    let count = outcome.findings.len();
    let chosen: Vec<usize> = (0..compare.min(count)).map(|number| number * count / compare.min(count)).collect();
    if chosen.is_empty() {
        return Ok(());
    }
    let mut generation: Vec<Tally> = outcome.findings.iter().map(|finding| finding.explained.tally).collect();
    for _ in 1..TIMES {
        let mut explainer = Explainer::new(resources.clone(), settings.strength, clock);
        let again = explore(program, &mut explainer, settings, ask, &mut |_, _, _| Ok(true));
        // The same prefixes in the same order; those that nothing confirmed are among them.
        let mut again = again.explained.iter();
        for (earlier, finding) in generation.iter_mut().zip(&outcome.findings) {
            if let Some(same) = again.find(|explained| explained.edges == finding.explained.edges) {
                earlier.time = earlier.time.min(same.tally.time);
            }
        }
    }
    let interval = chosen.len().div_ceil(BEYOND.0);
    for (number, at) in chosen.into_iter().enumerate() {
        let finding = &outcome.findings[at];
        let steps = if number % interval == 0 { BEYOND.2 } else { 0 };
        for step in 0..=steps {
            let bound = settings.max_instructions + step * BEYOND.1;
            let prove =
                |ask: &mut Ask| exhaustive(program, resources, &finding.automata[0], bound as usize - 1, settings.strength, ask, clock);
            let mut best = prove(ask)?;
            for _ in 1..if step == 0 { TIMES } else { 1 } {
                best.tally.time = best.tally.time.min(prove(ask)?.tally.time);
            }
            outcome.comparison.push(Comparison {
                instructions: finding.explained.edges.len() + 1,
                bound,
                paths: finding.automata[0].total(bound as usize - 1).unwrap_or_default(),
                generation: generation[at].time,
                generation_queries: generation[at].queries,
                exhaustive: best,
            });
        }
    }
    Ok(())
}

/// What came of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// It rests on these.
    Made(Assumptions),
    /// Nothing may be built on it.
    Open(Reason),
    /// The listener ended the run.
    Stopped,
}

/// Leaves only the explanations that the analysis may claim; gives whether to go on.
fn keep(explained: &mut Explained, mut claim: impl FnMut(&Explanation) -> Result<Claimed, Exhausted>) -> Result<bool, Exhausted> {
    for explanation in std::mem::take(&mut explained.explanations) {
        match claim(&explanation)? {
            Claimed::Made(assumes) => explained.explanations.push(Explanation { assumes, ..explanation }),
            Claimed::Open(reason) => explained.open = explained.open.or(Some(reason)),
            Claimed::Stopped => return Ok(false),
        }
    }
    Ok(true)
}

/// Confirms an explanation and its family, and tells the trace.
///
/// # Errors
/// When the steps of the run are used up.
pub fn claim(
    program: &ProgramFacts,
    walker: &mut Walker,
    explanation: &Explanation,
    ask: &mut Ask,
    trace: &Trace,
) -> Result<Claimed, Exhausted> {
    let confirmed = confirm(program, walker, explanation, ask)?;
    let length = explanation.positions.last().map_or(0, |last| last + 1);
    let path = &walker.trail.edges[..length];
    let _ = trace.needs();
    let (on, claimed) = match confirmed {
        Ok((refutation, certified)) => {
            let claim = |number| family_claim(number, program.lts, &walker.pool, &certified);
            let claimed = trace
                .claim(Event::Refuted { path, pool: &walker.pool, refutation: &refutation })
                .and_then(|()| if trace.goes_on() { trace.proved(1, &claim) } else { Ok(()) });
            (trace.goes_on(), claimed.map_or_else(Claimed::Open, |()| Claimed::Made(trace.needs().all)))
        }
        Err(reason) => (trace.emit(Event::Open { path, reason }), Claimed::Open(reason)),
    };
    Ok(if on { claimed } else { Claimed::Stopped })
}

/// Tells the trace that the walker's path can run, with an input that a replay confirms.
///
/// # Errors
/// Why no such input is known.
pub fn feasible(lts: &Lts, machine: &Machine, walker: &mut Walker, trace: &Trace) -> Result<(), Reason> {
    let model = walker.model().cloned().ok_or(Reason::NonLinear)?;
    walker.write_down();
    let (state, constraints) = (walker.state().clone(), walker.constraints.clone());
    let input = state.input(lts, &inputs(lts), &mut walker.pool, &model, &constraints);
    let mut input = input;
    if let Err(mismatch) = machine.replay(&input, &walker.trail.edges) {
        if mismatch.is_approximated() {
            return Err(approximation_reason(lts));
        }
        input = settled(lts, machine, walker, &model, no_text(mismatch))?;
    }
    trace.claim(Event::Reached { path: &walker.trail.edges, input: &input, after: &[] })
}

/// An input for the walker's path from a model whose own input does not take it, where operators on bits may be the reason.
///
/// # Errors
/// Why there is none.
fn settled(lts: &Lts, machine: &Machine, walker: &mut Walker, model: &Assignment, why: Option<NoText>) -> Result<Input, Reason> {
    let (state, constraints, inputs) = (walker.state().clone(), walker.constraints.clone(), inputs(lts));
    let mut context = Context::new();
    context.pool = std::mem::take(&mut walker.pool);
    for &formula in &constraints {
        context.assert(formula);
    }
    let mut found = None;
    if let Some(why) = why {
        settle_text(&mut context, model, why, &mut Meter::new(QUERY_LIMIT), &mut nth_draw, &mut |context, model| {
            let input = state.input(lts, &inputs, &mut context.pool, model, &constraints);
            machine.replay(&input, &walker.trail.edges).map(|()| found = Some(input))
        });
        walker.pool = context.pool;
        return found.ok_or(Reason::Text);
    }
    let settled = settle(&mut context, model, &mut Meter::new(QUERY_LIMIT), &mut |context, model| {
        let input = state.input(lts, &inputs, &mut context.pool, model, &constraints);
        let goes = machine.replay(&input, &walker.trail.edges).is_ok();
        found = goes.then_some(input);
        goes
    });
    walker.pool = context.pool;
    found.ok_or(settled.map_or(Reason::Rejected, |_| Reason::Bits))
}

/// What a path turned out to be.
#[derive(Clone, Debug)]
pub enum PathVerdict {
    /// A replay of this input takes it.
    Feasible(Input),
    /// From this edge on no input is left.
    Infeasible(usize),
    Open(Reason),
}

/// An explanation of the path with all that belongs to it.
#[derive(Debug)]
pub struct Reasoned {
    pub explanation: Explanation,
    pub dependencies: Vec<Dependency>,
    pub automaton: Automaton,
    pub paths: BigUint,
    pub confirmed: bool,
}

/// Constraints without which the path could run.
#[derive(Debug)]
pub struct Correction {
    pub positions: Vec<usize>,
    /// An input that satisfies all others.
    pub input: Option<Input>,
}

/// What [`judge`] found.
#[derive(Debug)]
pub struct Judged {
    pub edges: Vec<EdgeId>,
    pub verdict: PathVerdict,
    /// What the verdict rests on.
    pub assumes: Assumptions,
    pub constraints: Vec<(usize, FormulaId)>,
    pub explanations: Vec<Reasoned>,
    /// Whether these are all explanations that the settings ask for.
    pub is_complete: bool,
    pub corrections: Vec<Correction>,
    pub pool: Pool,
    pub resources: Resources,
    /// Why something is missing.
    pub cut: Option<Reason>,
}

/// Explains one path; `path` has to be one from the entry on.
pub fn judge(
    program: &ProgramFacts,
    resources: &Resources,
    path: &[EdgeId],
    settings: &ExplainPlan,
    clock: &dyn Fn() -> Duration,
    meter: &mut Meter,
    trace: &Trace,
) -> Judged {
    let mut ask = Ask { meter, log: trace };
    let _ = trace.needs();
    let verdict = verdict(program.lts, path, &mut ask, trace);
    let assumes = trace.needs().all;
    let explainer = Explainer::new(resources.clone(), settings.strength, clock);
    let mut walker = walker_of(program, &explainer, settings.strength, true);
    let mut judged = Judged {
        edges: path.to_vec(),
        verdict,
        assumes,
        constraints: Vec::new(),
        explanations: Vec::new(),
        is_complete: true,
        corrections: Vec::new(),
        pool: Pool::new(),
        resources: resources.clone(),
        cut: None,
    };
    if let Err(why) = reasons(program, explainer, &mut walker, settings, &mut ask, trace, &mut judged) {
        judged.cut = Some(why.into());
    }
    walker.write_down();
    judged.constraints = walker.owners.iter().copied().zip(walker.constraints.iter().copied()).collect();
    judged.pool = walker.pool;
    judged.resources = walker.resources;
    judged
}

fn reasons(
    program: &ProgramFacts,
    mut explainer: Explainer,
    walker: &mut Walker,
    settings: &ExplainPlan,
    ask: &mut Ask,
    trace: &Trace,
    judged: &mut Judged,
) -> Result<(), Exhausted> {
    let path = judged.edges.clone();
    let mut refuted = None;
    let mut open = None;
    for &edge in &path {
        match walker.step(edge, ask)? {
            WalkerStep::Passed => {}
            WalkerStep::Open(reason) => open = open.or(Some(reason)),
            WalkerStep::Refuted(core) => {
                refuted = Some((core, walker.constraints.len() - 1));
                break;
            }
        }
    }
    walker.follow(&path[walker.len()..]);
    walker.write_down();
    let Some((core, passed)) = refuted else {
        if matches!(judged.verdict, PathVerdict::Infeasible(_)) {
            // The path is infeasible, but Γ does not see it.
            judged.is_complete = false;
            judged.cut = open;
        }
        return Ok(());
    };
    let explained = explainer.explain(program, walker, core.as_deref(), passed, settings, ask)?;
    judged.is_complete = explained.is_complete;
    for mut explanation in explained.explanations {
        let confirmed = claim(program, walker, &explanation, ask, trace)?;
        if let Claimed::Made(assumes) = confirmed {
            explanation.assumes = assumes;
        }
        explanation.causes = causes(walker, &explanation);
        let automaton = explanation.family.automaton().minimized().unwrap_or_default();
        judged.explanations.push(Reasoned {
            dependencies: explainer.dependencies(walker, &explanation),
            paths: automaton.total(settings.max_instructions as usize - 1).unwrap_or_default(),
            automaton,
            confirmed: matches!(confirmed, Claimed::Made(_)),
            explanation,
        });
        if confirmed == Claimed::Stopped {
            return Err(Exhausted::Cancelled);
        }
    }
    judged.corrections = corrections(program, walker, &judged.explanations, ask)?;
    Ok(())
}

/// The smallest sets of constraints without which the rest can hold together. Each has to meet every explanation: where one
/// constraint is enough it is one of the first explanation's.
fn corrections(
    program: &ProgramFacts,
    walker: &mut Walker,
    explanations: &[Reasoned],
    ask: &mut Ask,
) -> Result<Vec<Correction>, Exhausted> {
    let constraints = walker.constraints.clone();
    let Some(first) = explanations.first() else { return Ok(Vec::new()) };
    let mut solver = IntegerConsistency::default();
    let mut pending: Vec<Vec<usize>> =
        (0..constraints.len()).filter(|&at| first.explanation.positions.contains(&walker.owners[at])).map(|at| vec![at]).collect();
    let mut found = Vec::new();
    for round in 0..2 {
        for out in std::mem::take(&mut pending) {
            let rest: Vec<FormulaId> = (0..constraints.len()).filter(|at| !out.contains(at)).map(|at| constraints[at]).collect();
            if rest.contains(&Pool::FALSE) {
                continue;
            }
            if let Said::Consistent(model) = solver.decide(&mut walker.pool, &rest, ask)? {
                let state = walker.state().clone();
                let input = state.input(program.lts, &inputs(program.lts), &mut walker.pool, &model, &rest);
                // No run shows that a text on standard input gives it.
                let input = Some(input).filter(|_| !program.lts.reads_stdin());
                found.push(Correction { positions: out.iter().map(|&at| walker.owners[at]).collect(), input });
            }
        }
        if !found.is_empty() || round == 1 {
            break;
        }
        // No single one is enough: take the smallest of those that enumerating all explanations brings up.
        let mut gamma = IntegerConsistency::default();
        let mut models = CachedModels::default();
        let mut verdicts = SubsetVerdicts::new(&mut walker.pool, &constraints, &mut gamma, &mut models, ask);
        let enumeration = all(&mut verdicts, 64)?;
        let least = enumeration.corrections.iter().map(Vec::len).min().unwrap_or(0);
        pending = enumeration.corrections.into_iter().filter(|correction| correction.len() == least).collect();
    }
    Ok(found)
}

/// Whether a path can run, with its evidence in the trace.
fn verdict(lts: &Lts, path: &[EdgeId], ask: &mut Ask, trace: &Trace) -> PathVerdict {
    let machine = Machine::new(lts);
    let mut walk = PathPrefix::new(lts);
    let mut open = None;
    for (at, &edge) in path.iter().enumerate() {
        if let Err(why) = ask.meter.spend(1) {
            return PathVerdict::Open(why.into());
        }
        match walk.step(edge, ask.meter, ask.log) {
            search::SearchStep::Feasible => {}
            search::SearchStep::Open(reason) => open = open.or(Some(reason)),
            search::SearchStep::Infeasible(refutation) => {
                let claimed = trace.claim(Event::Refuted { path: &path[..=at], pool: walk.pool(), refutation: &refutation });
                return claimed.map_or_else(PathVerdict::Open, |()| PathVerdict::Infeasible(at));
            }
        }
    }
    if let Some(reason) = open {
        return PathVerdict::Open(reason);
    }
    match walk.smallest_witness(&machine, ask.meter) {
        Ok(Ok(input)) => match trace.claim(Event::Reached { path, input: &input, after: &[] }) {
            Ok(()) => PathVerdict::Feasible(input),
            Err(reason) => PathVerdict::Open(reason),
        },
        Ok(Err(reason)) => PathVerdict::Open(reason),
        Err(_) => PathVerdict::Open(Reason::Rejected),
    }
}
