//! The check of an evidence file: believes it only claim by claim, from the program's text on. It does not use the solver.
//!
//! [`open`] parses and lowers the program; [`check_claim`] replays the input of a claim, or derives anew what has to be shown and
//! checks the certificates against it.

use super::judge::{Judge, by_certificate};
use super::path::{PathConditions, read_input};
use super::sequence::Statics;
use super::{Claim, ClaimGraph, Evidence, Statement, bounded, counted, determined, enumerated, family, graph, path};
use crate::interp::{Input, Machine};
use crate::load::{Loaded, load_assuming};
use crate::logic::Pool;
use crate::lts::assume::{Assumption, Assumptions, under};
use crate::lts::undefined::with_undefined;
#[cfg(feature = "files")]
use crate::lts::unfold::GraphUnfolding;
use crate::lts::{Array, Lts};
use crate::source::files::SourceOptions;
use crate::view::{Diagnostic, Ints, Request, SCHEMA};

/// An evidence file whose program parses and lowers.
pub struct Opened {
    pub request: Request,
    pub loaded: Loaded,
    /// Why the check can believe nothing in the file, if so.
    pub unknown: Option<String>,
}

/// Reads the program of a file.
///
/// # Errors
/// What is wrong with the program.
pub fn open(evidence: &Evidence) -> Result<Opened, Vec<Diagnostic>> {
    let request = Request {
        program: evidence.program.clone(),
        source: evidence.source.clone(),
        function: Some(evidence.function.clone()),
        limit: None,
        seed: 0,
        // `unknown` tells of a name that is not known here.
        ints: Some(ints(evidence).unwrap_or(Ints::Unbounded)),
        inline_depth: evidence.inline_depth,
        assume: Vec::new(),
        no_assume: Vec::new(),
        label_steps: evidence.label_steps,
    };
    let loaded = load_assuming(&request, evidence.precondition.as_deref())?;
    let unknown = unknown_format(evidence, &loaded.base);
    #[cfg(feature = "files")]
    let loaded = match evidence.unfolding.as_deref().and_then(GraphUnfolding::named) {
        Some(unfolding) => loaded.unfold(unfolding),
        None => loaded,
    };
    Ok(Opened { request, loaded, unknown })
}

fn ints(evidence: &Evidence) -> Option<Ints> {
    match evidence.ints.as_str() {
        "unbounded" => Some(Ints::Unbounded),
        "c32" => Some(Ints::C32),
        _ => None,
    }
}

fn unknown_format(evidence: &Evidence, lts: &Lts) -> Option<String> {
    if evidence.schema != SCHEMA {
        return Some(format!("schema {} is not known here, only {SCHEMA}", evidence.schema));
    }
    if ints(evidence).is_none() {
        return Some(format!("integers `{}` are not known here, only `unbounded` and `c32`", evidence.ints));
    }
    #[cfg(feature = "files")]
    if let Some(other) = evidence.unfolding.as_deref().filter(|id| GraphUnfolding::named(id).is_none()) {
        return Some(format!("an unfolding `{other}` is not known here"));
    }
    #[cfg(not(feature = "files"))]
    if evidence.unfolding.is_some() {
        return Some("claims about an unfolded graph are not checked here".to_owned());
    }
    if evidence.options != SourceOptions::of(&evidence.source) {
        return Some("the file names other macros, folders or another target than its program does".to_owned());
    }
    (evidence.inline_depth != lts.inline_depth).then(|| match lts.inline_depth {
        Some(_) => "a function calls itself, and the file does not say how deep that was followed".to_owned(),
        None => "no function calls itself, and the file says that one does".to_owned(),
    })
}

/// The assumptions that a claim names.
///
/// # Errors
/// A name that is not known here, or an assumption that a claim of this kind cannot rest on.
pub fn assumed(claim: &Claim) -> Result<Assumptions, String> {
    let named = |id: &String| Assumption::named(id).ok_or_else(|| format!("the assumption `{id}` is not known here"));
    let assumed: Assumptions = claim.assumes.iter().map(named).collect::<Result<_, _>>()?;
    // Other claims are about paths of the function alone.
    let is_by_graph = matches!(claim.statement, Statement::Excluded { .. } | Statement::Defined { .. });
    if assumed.contains(Assumption::LeftByCalls) && !is_by_graph {
        return Err(format!("only what a graph excludes can rest on `{}`", Assumption::LeftByCalls.id()));
    }
    Ok(assumed)
}

/// The function of which a claim under these assumptions speaks. What is reached is reached by parameters that do not meet.
pub fn world(base: &Lts, claim: &Claim, assumed: Assumptions) -> Lts {
    match claim.graph_kind() {
        ClaimGraph::Plain => under(base, assumed),
        ClaimGraph::OfRuns => under(base, assumed.real()),
        ClaimGraph::WithUndefined => under(&with_undefined(base).lts, assumed),
    }
}

/// Checks a claim that names its assumptions, from the function as lowering made it.
///
/// # Errors
/// Why it does not believe the claim.
pub fn check_assuming(base: &Lts, claim: &Claim) -> Result<(), String> {
    let assumed = assumed(claim)?;
    let lts = world(base, claim, assumed);
    check_claim(&lts, &Machine::deep(&lts), claim)?;
    check_state(base, claim, assumed)
}

/// Checks what a claim says beside the graph of its edges: that a run starts as the first call of the function does or as the calls before it
/// let it, if the claim does not say otherwise; that no path takes an undefined edge of the places that a claim names; and that paths that are counted run in the first call, by parameters that do not meet.
///
/// # Errors
/// Which static has another value, or why the paths do not run.
pub fn check_state(base: &Lts, claim: &Claim, assumed: Assumptions) -> Result<(), String> {
    if let Statement::Counted { .. } = claim.statement {
        let start = if assumed.contains(Assumption::AnyState) { Assumption::AnyState } else { Assumption::FirstCall };
        let real = assumed.with(start).real();
        if real.that_matter(base) == assumed.that_matter(base) {
            return Ok(());
        }
        let lts = under(base, real);
        return check_claim(&lts, &Machine::deep(&lts), claim);
    }
    let Statement::Reached { input, after, .. } = &claim.statement else { return Ok(()) };
    if !after.is_empty() {
        let given = read_input(base, input)?;
        return match Statics::left(base, after, assumed)?.differing(base, &given) {
            Some(name) => Err(format!("the calls before it leave another value in `{name}`")),
            None => Ok(()),
        };
    }
    if assumed.contains(Assumption::AnyState) || assumed.contains(Assumption::FirstCall) {
        return Ok(());
    }
    let given = crate::view::input(input).map_err(|error| error.to_string())?.together(base).map_err(|error| error.to_string())?;
    match another_start(base, &given) {
        Some(name) => {
            Err(format!("`{name}` does not start with its first value, and the claim does not assume `{}`", Assumption::AnyState.id()))
        }
        None => Ok(()),
    }
}

/// A static that a run with this input finds changed by earlier calls, if there is one.
pub fn another_start<'l>(base: &'l Lts, input: &Input) -> Option<&'l str> {
    let changed = base.variables.iter().find(|variable| {
        let first = variable.first.as_ref();
        first.is_some_and(|first| input.values.get(&variable.name).is_some_and(|value| value != first))
    });
    let is_changed = |array: &&Array| {
        let (Some(first), Some(contents)) = (&array.first, input.arrays.get(&array.name)) else { return false };
        !contents.starts_as(first, array.length.as_ref())
    };
    changed.map(|variable| variable.name.as_str()).or_else(|| base.arrays.iter().find(is_changed).map(|array| array.name.as_str()))
}

/// The claim with those of the assumptions that it needs: without any of them the check does not believe it.
#[must_use]
pub fn needing(base: &Lts, claim: Claim, assumed: Assumptions) -> Claim {
    let mut needed = assumed.that_matter(base);
    if claim.is_run() {
        needed = needed.of_runs();
    }
    let mut claim = claim.under(needed.ids());
    for one in needed.iter() {
        let less = claim.clone().under(needed.without(one).ids());
        if check_assuming(base, &less).is_ok() {
            (claim, needed) = (less, needed.without(one));
        }
    }
    claim
}

/// Checks a claim about the program of which `lts` is the graph; `machine` runs that graph.
///
/// # Errors
/// Why it does not believe the claim.
pub fn check_claim(lts: &Lts, machine: &Machine, claim: &Claim) -> Result<(), String> {
    judge_claim(lts, machine, claim, &mut by_certificate)
}

/// As [`check_claim`], after claims about the same graph: `conditions` has the path condition of the last path among them. Without a machine one
/// is made for a run.
///
/// # Errors
/// As [`check_claim`].
pub fn check_next(lts: &Lts, machine: Option<&Machine>, conditions: &mut Option<PathConditions>, claim: &Claim) -> Result<(), String> {
    match (&claim.statement, machine) {
        (Statement::Infeasible { path, core, certificate, .. }, _) => {
            let conditions = conditions.get_or_insert_with(|| PathConditions::new(lts));
            conditions.check(lts, (path, core), certificate, &mut by_certificate)
        }
        (_, Some(machine)) => check_claim(lts, machine, claim),
        (_, None) => check_claim(lts, &Machine::deep(lts), claim),
    }
}

/// As [`check_claim`], with what becomes of each obligation.
///
/// # Errors
/// As [`check_claim`]; the judge's.
pub fn judge_claim(lts: &Lts, machine: &Machine, claim: &Claim, judge: Judge) -> Result<(), String> {
    match &claim.statement {
        Statement::Reached { path, input, .. } => path::check_reached(lts, machine, path, input),
        Statement::Infeasible { path, core, certificate, .. } => path::check_infeasible(lts, path, core, certificate, judge),
        Statement::Pruned { graph, certificates, .. } => graph::judge_pruned(lts, graph, certificates, judge),
        Statement::Counted { graph, certificates, length, count, instances, exact, .. } => {
            counted::check_counted(lts, (graph, certificates), (*length, count), (instances, exact), judge)
        }
        Statement::Family { family, .. } => {
            let mut pool = Pool::new();
            let family = super::read_family(lts, &mut pool, family)?;
            family::judge_family(lts, &mut pool, &family, judge)
        }
        Statement::NotCovered { unwind, taken, edges, certificate, .. } => {
            bounded::check_not_covered(lts, (*unwind, *taken), edges, certificate, judge)
        }
        Statement::WithinBound { unwind, taken, edges, ways, .. } => bounded::check_within(lts, (*unwind, *taken), edges, ways, judge),
        Statement::DeadEnds { edges, .. } => {
            uncut(lts)?;
            graph::check_dead_ends(lts, edges)
        }
        Statement::Determined { taken, edges } => determined::check_determined(lts, machine, *taken, edges),
        Statement::Enumerated { edges } | Statement::DefinedEnumerated { edges } => enumerated::check_enumerated(lts, machine, edges),
        Statement::Excluded { edges, graph, certificates, .. } | Statement::Defined { edges, graph, certificates } => {
            graph::judge_pruned(lts, graph, certificates, judge)?;
            // Executions that do not get to the cut are paths of the graph as a whole.
            if graph::gets_to_cut(lts, graph) {
                uncut(lts)?;
            }
            let taken = !matches!(claim.statement, Statement::Excluded { taken: false, .. });
            graph::check_excluded(lts, taken, edges, graph)
        }
    }
}

/// Checks that what holds of the graph holds of every execution.
fn uncut(lts: &Lts) -> Result<(), String> {
    match lts.cut {
        Some(_) => Err("a function calls itself without bound, so this graph does not have every execution".to_owned()),
        None => Ok(()),
    }
}
