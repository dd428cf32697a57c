//! What Reach shows for other analyses, and what others show for it.
//!
//! Of edges that no execution seems to take, a caller wants to know whether none does. Loop summaries with ghosts show it of those that
//! are the first on their way ([`proof`]); what lies after them follows from the graph. The other way round, a target that summaries do not
//! exclude may be excluded by an invariant or a pruned graph; or the invariants that these have at each location help the proof.

use super::effect::WayEffect;
use super::guide::Guide;
use super::program::SummarizedProgram;
use super::replay::InputTrials;
use super::satisfiability::BackboneQuery;
use super::tree::PathTree;
use super::{DEFAULT_K, NODES, execute, proof};
use crate::analysis::PROVERS;
use crate::interp::Input;
use crate::invariants::{FactQuery, Proved, Quiet, Searched, ask};
use crate::logic::{Pool, SortedMap, SortedSet};
use crate::lts::inputs::inputs;
use crate::lts::{EdgeId, Lts};
use crate::run::trace::Trace;
use crate::solver::meter::{Exhausted, Meter};

/// Steps for all that others ask, and for one edge of several.
const STEPS: u64 = 1_000_000;
const ONE: u64 = 200_000;
/// Of so many edges at most is asked one by one.
const SINGLE: usize = 12;

/// Graphs that exclude some of the edges of a query: of [`Prover::show`](crate::invariants::Prover::show).
pub fn show(lts: &Lts, query: &FactQuery, meter: &mut Meter, trace: &Trace) -> Vec<Proved> {
    query.together_or_each(lts, (STEPS, ONE, SINGLE), meter, |edges, meter| excluding(lts, edges, query, meter, trace))
}

/// Inputs that may take some of the edges of a query: of [`Finder::find`](crate::invariants::Finder::find).
pub fn find(lts: &Lts, query: &FactQuery, effort: u32, meter: &mut Meter, trace: &Trace) -> Searched {
    let mut quiet = Quiet(trace);
    let quiet = Trace::new(&mut quiet);
    let mut inputs: Vec<Input> = Vec::new();
    let edges = query.first(lts);
    let each = ONE.max(2 * STEPS / (edges.len().max(1) as u64)) << (2 * effort.min(4));
    for edge in edges.into_iter().take(SINGLE) {
        inputs.extend(meter.within(each, |meter| way_to(lts, edge, DEFAULT_K << (3 * effort.min(1)), meter, &quiet)));
        if meter.is_exhausted() {
            break;
        }
    }
    Searched { inputs, excluded: Vec::new() }
}

/// An input that takes the edge with at most so many rounds of each loop: a model's, or one that the search finds which the condition guides.
fn way_to(lts: &Lts, edge: EdgeId, most: u32, meter: &mut Meter, trace: &Trace) -> Option<Input> {
    let edges = SortedSet::from([edge]);
    let tree = PathTree::new(lts, &edges, NODES);
    let is_whole = tree.is_ok();
    let tree = tree.unwrap_or_else(|_| PathTree { targets: edges.clone(), ..PathTree::default() });
    let (mut program, mut pool) = (SummarizedProgram::new(lts, tree), Pool::new());
    let effects = if is_whole { execute(&mut program, &mut pool, meter, trace).ok()? } else { Vec::new() };
    let (inputs, replay) = (inputs(lts), InputTrials::new(lts, edges, trace));
    let mut refuted = Vec::new();
    for &goal in &program.tree.goals {
        let question = BackboneQuery { program: &program, inputs: &inputs, goal, most };
        let effect = program.whole(&mut pool, &effects, goal);
        let mut found = None;
        let is_refuted = question.is_refuted(&mut pool, &effect, meter, trace);
        if !is_refuted {
            question.models(&mut pool, &effect, meter, trace, &mut |model, meter| {
                found = replay.model(model, meter).map(|(input, _)| input);
                found.is_some()
            });
        }
        if found.is_some() || meter.is_exhausted() {
            return found;
        }
        refuted.push(is_refuted);
    }
    Guide::new(&program, &mut pool, &effects, &refuted, &replay).search(&mut pool, meter).reached
}

/// A graph that excludes these edges.
fn excluding(lts: &Lts, edges: &[EdgeId], query: &FactQuery, meter: &mut Meter, trace: &Trace) -> Option<Proved> {
    meter.before(lts.graph.edge_count()).ok()?;
    let edges: SortedSet<EdgeId> = edges.iter().copied().collect();
    let tree = PathTree::new(lts, &edges, NODES).ok()?;
    if edges.is_empty() || tree.nodes.is_empty() {
        return None;
    }
    let (mut program, mut pool) = (SummarizedProgram::new(lts, tree), Pool::new());
    let effects = execute(&mut program, &mut pool, meter, trace).ok()?;
    let facts = query.at_locations(&mut pool, lts);
    let (graph, certificates) = proof::prove(&program, &mut pool, &effects, &facts, meter, trace).ok()??;
    Some(Proved { pool, graph, certificates })
}

/// Provers that take long: a search for an input comes before them. The others.
pub const LONG: [&str; 2] = ["prune", "wide guesses"];
pub const QUICK: [&str; 2] = ["guesses", "backward"];

/// Whether the target is shown to be unreachable, by summaries (but not a second time, without the quick provers) or by what others show,
/// but for those of these names; then the trace has the claim. Without a tree of backbones only the others are asked.
///
/// # Errors
/// When the steps are used up.
pub fn is_excluded(
    program: &SummarizedProgram,
    pool: &mut Pool,
    effects: &[WayEffect],
    without: [&str; 2],
    replay: &InputTrials,
    meter: &mut Meter,
) -> Result<bool, Exhausted> {
    let (lts, trace) = (program.lts, replay.trace);
    let targets = proof::targets(program);
    let has_tree = !program.tree.nodes.is_empty();
    let claim = |pool: &mut Pool, graph, certificates| {
        let proved = Proved { pool: std::mem::take(pool), graph, certificates };
        let claimed = proved.emit("reach", (&targets, true), trace);
        *pool = proved.pool;
        claimed.is_ok()
    };
    if has_tree
        && without == LONG
        && let Some((graph, certificates)) = proof::prove(program, pool, effects, &SortedMap::new(), meter, trace)?
    {
        return Ok(claim(pool, graph, certificates));
    }
    let mut is_proved = false;
    let query = FactQuery { untaken: &targets, ..FactQuery::default() };
    let without = [&["reach"], &without[..]].concat();
    let proved = ask((PROVERS, &without), (lts, &query), STEPS, (meter, trace), &mut |proved| {
        let excluded = proved.excluded(lts);
        is_proved = targets.iter().all(|edge| excluded.contains(edge));
        is_proved = is_proved && proved.emit("reach", (&targets, true), trace).is_ok();
        is_proved
    });
    let facts = FactQuery { facts: &proved, ..query }.at_locations(pool, lts);
    if is_proved || !has_tree || facts.values().all(Vec::is_empty) {
        return Ok(is_proved);
    }
    let Some((graph, certificates)) = proof::prove(program, pool, effects, &facts, meter, trace)? else { return Ok(false) };
    Ok(claim(pool, graph, certificates))
}
