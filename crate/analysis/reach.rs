//! Reach: the condition on inputs under which execution reaches a target, an input that meets it, or a proof that none exists.
//!
//! Source: ST12. Where loops make paths too many, the paper takes the finitely many acyclic paths and summarizes any number of
//! rounds of the loops along them.
//!
//! 1. Find the backbones, the acyclic paths to the target, and the loops along them ([`tree`]).
//! 2. Summarize each loop, inner ones first ([`summary`], Algorithm 2), from its single rounds ([`effect`], Algorithm 1). Its looping
//!    condition loses its quantifiers where that is possible ([`summary::eliminate`]).
//! 3. Execute the backbones symbolically through the summaries: their abstract path conditions, of which `φ̂` is the disjunction.
//! 4. Decide each ([`decide`]): first whether `φ̂` contradicts itself without quantifiers. Then looping conditions are written out round by
//!    round ([`instances`]), which is `φ̂^K` for growing `K`, but for those of loops whose rounds are alike ([`summary::uniform`]).
//! 5. A model is an input and the path that it takes; run it, and if it misses, ask of the path itself ([`replay`]). What gets to the
//!    target is *reached*.
//!    Where that misses too, the condition guides a search over path prefixes ([`guide`]).
//! 6. If no condition has a model, for which instances chosen by models may be needed ([`refine`]), prove by an invariant with
//!    ghosts for the counters that no execution reaches the target ([`proof`]), or by other provers ([`shared`]); only the check of that
//!    makes it *unreachable*.
//!
//! Where the paper gives up, this goes on where that is easy: see [`summary`] and [`instances`].

#[cfg(feature = "cli")]
mod command;
mod document;
pub mod effect;
pub mod guide;
pub mod instances;
mod news;
pub mod proof;
mod prover;
pub mod refine;
pub mod replay;
mod report;
pub mod satisfiability;
mod starts;
pub mod summary;
mod target;
mod text;
pub mod tree;

pub use document::{
    ReachBackbone, ReachDocument, ReachFoundBy, ReachNearest, ReachRound, ReachSatisfiable, ReachSearch, ReachSettings, ReachSummary,
    ReachTarget, ReachValue, ReachVerdict,
};
pub use news::ReachNews;

use super::{Analysis, Question};
use crate::evidence::numbers;
use crate::interp::Input;
use crate::load::{load_assuming, refused};
use crate::logic::{Pool, SortedSet};
use crate::lts::assume::Assumption;
use crate::lts::inputs::inputs;
use crate::lts::{EdgeId, Lts};
use crate::run::assumption_tracking::{Needs, assumed_in, without};
use crate::run::listener::{Finding, Listener};
use crate::run::recorder::traced;
use crate::run::trace::{Event, Trace};
use crate::sequences::Test;
use crate::solver::Reason;
use crate::solver::meter::{Exhausted, Meter};
use crate::states::Ask;
use crate::view::{Reply, Request, capped, input_view};
use effect::{SummarizedProgram, WayEffect};
use guide::{Guide, GuidedResult, Nearest};
use replay::{By, InputTrials};
use report::Described;
use satisfiability::Decision;
use starts::{Started, started};
use tree::PathTree;

/// The default `K`: that of the paper.
pub const DEFAULT_K: u32 = 25;
/// The greatest `K`.
pub const MAX_K: u32 = 1_000;
/// Nodes of the tree of backbones.
const NODES: usize = 4_000;

/// `reach`.
pub struct Reach;

impl Analysis for Reach {
    const NAME: &'static str = "reach";
    const DOCS: &'static str = "reach";
    /// The run that gets there, and what is known before ([`ReachNews`]).
    const FINDINGS: &'static [Finding] = &[Finding::Reached, Finding::Step];
    type Settings = ReachSettings;
    type Document = ReachDocument;

    fn answer(question: &Question<ReachSettings>, listener: &mut Listener) -> Reply<ReachDocument> {
        reach(question.request, question.settings, listener)
    }

    #[cfg(test)]
    fn declare(protocol: &mut super::protocol::Protocol) {
        protocol.bound("DEFAULT_K", DEFAULT_K);
        protocol.bound("MAX_K", MAX_K);
        protocol.analysis::<Self>().event::<ReachNews>().parts::<(
            ReachTarget,
            ReachVerdict,
            ReachFoundBy,
            ReachSearch,
            ReachNearest,
            ReachBackbone,
            ReachSatisfiable,
            ReachSummary,
            ReachRound,
            ReachValue,
        )>();
    }
}

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
    summary::summarise(program, pool, &mut Ask { meter, log: trace })?;
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
    let outer = meter.narrow(meter.left() / 4 * 3);
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
        trace.step(&|| ReachNews::decided(at, decisions[at].as_ref()));
        if let Some((input, by, k)) = reached {
            let path = replay.path(&input).unwrap_or_default();
            let claimed = trace.claim(Event::Reached { path: &path, input: &input, after: &[] });
            meter.widen(outer);
            let verdict = match claimed {
                Ok(()) => TargetVerdict::Reached { input, path, k: Some(k), by: Some(by) },
                Err(reason) => TargetVerdict::Open(Why::Reason(reason)),
            };
            return Found { verdict, decisions, steps, searched: None };
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
            trace.step(&|| ReachNews::decided(at, decisions[at].as_ref()));
        }
    }
    let open = decisions.iter().find_map(|decision| match decision {
        None => Some(Why::Reason(Reason::Steps)),
        Some(Decision::Open(reason)) => Some(Why::Reason(*reason)),
        Some(Decision::Model(_)) => Some(Why::Missed),
        Some(Decision::Beyond) => Some(Why::Beyond),
        Some(Decision::Unsatisfiable) => None,
    });
    meter.widen(outer);
    // The summaries with chosen instances, if there are any.
    let (program, effects) = match &refined {
        Some(refined) => (refined, &refined.effects(pool)[..]),
        None => (program, effects),
    };
    let found = Found { verdict: TargetVerdict::Open(open.unwrap_or(Why::Unproven)), decisions, steps, searched: None };
    conclude(found, open, program, pool, effects, &replay, meter)
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
        match prover::is_excluded((program, pool), effects, without, replay, meter) {
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

/// Whether and how execution gets to a place of the program.
fn reach(request: &Request, settings: &ReachSettings, listener: &mut Listener) -> Reply<ReachDocument> {
    if settings.k > MAX_K {
        return refused("k", format!("K is a whole number from 0 to {MAX_K}"));
    }
    let loaded = match load_assuming(request, None) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let targets = match target::find(&loaded, &request.source, settings) {
        Ok(targets) => targets,
        Err(message) => return refused("target", message),
    };
    let edges: SortedSet<EdgeId> = targets.wanted.edges.iter().map(|&edge| EdgeId::new(edge as usize)).collect();
    let lts: &Lts = &loaded.lts;
    let tree = PathTree::new(lts, &edges, NODES);
    let is_whole = tree.is_ok();
    let mut pool = Pool::new();
    let mut program = SummarizedProgram::new(lts, tree.unwrap_or_else(|_| PathTree { targets: edges.clone(), ..PathTree::default() }));
    let targets_of_claims = edges.clone();
    let ((found, effects, mut needs, started), used) = traced(request, &loaded, "looking for a way", listener, |meter, trace| {
        trace.needs();
        let nothing = |why| Found { verdict: TargetVerdict::Open(why), decisions: Vec::new(), steps: [0; 2], searched: None };
        let (found, effects) = match is_whole.then(|| execute(&mut program, &mut pool, meter, trace)) {
            Some(Ok(effects)) => {
                trace.step(&|| ReachNews::condition(&targets.wanted, &program, &loaded.lines, (&pool, &effects), settings.k));
                (run(&program, &mut pool, &effects, settings.k, meter, trace), effects)
            }
            Some(Err(why)) => (nothing(Why::Reason(why.into())), Vec::new()),
            None => {
                let replay = InputTrials::new(lts, edges, trace);
                (conclude(nothing(Why::Paths), Some(Why::Paths), &program, &mut pool, &[], &replay, meter), Vec::new())
            }
        };
        let needs = trace.needs();
        let started = started(&loaded, &targets_of_claims, &found.verdict, meter, trace);
        (found, effects, needs, started)
    });
    let targets_found = targets.wanted;
    let said = Described::of(&program, &loaded.lines, (&mut pool, &effects), &found.decisions, settings.k);
    let missing = without(needs.missing);
    let (mut found, mut after, mut state, mut why) = (found, Vec::new(), None, None);
    match started {
        Some(Started::Reached(Test { input, path, after: calls })) => {
            found.verdict = TargetVerdict::Reached { input, path, k: None, by: None };
            (after, needs) = (calls, Needs::default());
        }
        Some(Started::Unreachable(assumed)) => {
            (found.verdict, needs) = (TargetVerdict::Unreachable, Needs { all: assumed, ..Needs::default() })
        }
        Some(Started::Needs(needed)) => {
            why = Some(needed.why());
            state = Some(needed.state);
        }
        None => {}
    }
    let missing = if needs.missing.is_empty() { None } else { missing };
    let (verdict, open) = match (&found.verdict, missing) {
        _ if why.is_some() => (ReachVerdict::Unknown, why),
        (TargetVerdict::Reached { .. }, _) => (ReachVerdict::Reached, None),
        (TargetVerdict::Unreachable, Some(why)) => (ReachVerdict::Unknown, Some(why)),
        (TargetVerdict::Unreachable, None) => (ReachVerdict::Unreachable, None),
        (TargetVerdict::Open(why), _) => (ReachVerdict::Unknown, Some(why_open(*why, settings.k, &used))),
    };
    let (input, path, k, found_by) = match &found.verdict {
        TargetVerdict::Reached { input, path, k, by } if state.is_none() => {
            (Some(input_view(lts, input)), path.clone(), *k, by.map(Into::into))
        }
        _ => (None, Vec::new(), None, None),
    };
    let assumes = match verdict {
        ReachVerdict::Reached if !after.is_empty() => assumed_in(&loaded, false),
        ReachVerdict::Reached => needs.runs.ids(),
        ReachVerdict::Unreachable => needs.all.ids(),
        ReachVerdict::Unknown => Vec::new(),
    };
    let lines_of = |path: &[EdgeId]| path.iter().map(|&edge| loaded.lines.line(lts.graph[edge].span.start)).collect();
    let search = found.searched.map(|GuidedResult { nearest, prefixes, dropped, ended, .. }| {
        let nearest = nearest.filter(|_| verdict == ReachVerdict::Unknown).map(|Nearest { input, path, distance }| {
            let (lines, lines_total) = capped(lines_of(&path));
            ReachNearest { input: input_view(lts, &input), path: numbers(&path), lines, lines_total, distance }
        });
        ReachSearch { prefixes, dropped, ended, nearest }
    });
    let (path, (lines, lines_total)) = (numbers(&path), capped(lines_of(&path)));
    let mut header = used.header(request, &loaded, verdict != ReachVerdict::Unknown);
    if needs.all.contains(Assumption::LeftByCalls) {
        header.assumptions.extend(loaded.told(Assumption::LeftByCalls));
    }
    let document = ReachDocument {
        header,
        target: targets_found,
        other_targets: targets.others.clone(),
        others: targets.others,
        verdict,
        assumes,
        open,
        condition: said.condition,
        written_out: said.written_out,
        written_out_cut: said.written_out_cut,
        condition_steps: found.steps[0],
        written_out_steps: found.steps[1],
        backbones: said.backbones,
        backbones_cut: said.backbones_cut,
        loop_summaries: said.loop_summaries,
        input,
        path,
        lines,
        lines_total,
        k,
        found_by,
        search,
        after,
        state,
    };
    Reply::Document { document }
}

/// Why the verdict is open, for people.
fn why_open(why: Why, k: u32, used: &crate::run::recorder::Used) -> String {
    match why {
        Why::Reason(reason) => used.why_open(reason),
        Why::Beyond => {
            let rounds = if k == 1 { "round" } else { "rounds" };
            format!("no input gets there with at most {k} {rounds} of each loop, and more are possible; a greater K allows more")
        }
        Why::Missed => "the condition can hold, but no model of it that was tried leads there".to_owned(),
        Why::Unproven => "the condition cannot hold, but no invariant was found that shows it".to_owned(),
        Why::Paths => format!("more than {NODES} acyclic paths lead towards the target, too many to look at each"),
        Why::Cut => "a function calls itself without bound, so this graph does not have every execution".to_owned(),
    }
}
