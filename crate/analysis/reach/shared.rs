//! What Reach shows for other analyses, and what others show for it.
//!
//! Of edges that no execution seems to take, a caller wants to know whether none does. Loop summaries with ghosts show it of those that
//! are the first on their way ([`proof`]); what lies behind them follows from the graph. The other way round, a target that summaries do not
//! exclude may be excluded by an invariant or a pruned graph; or the invariants that these have at each location help the proof.

use super::effect::{Effect, Program};
use super::tree::Tree;
use super::{NODES, Reach, execute, proof};
use crate::analysis::PROVERS;
use crate::analysis::common::known::{Prover, Shown, Wanted, ask};
use crate::analysis::common::trace::Trace;
use crate::logic::{FormulaId, Pool, SortedMap, SortedSet};
use crate::lts::{EdgeId, LocationId, Lts};
use crate::solver::meter::{Exhausted, Meter};

/// Steps for all that others ask, and for one edge of several.
const STEPS: u64 = 1_000_000;
const ONE: u64 = 200_000;
/// Of so many edges at most is asked one by one.
const SINGLE: usize = 12;

impl Prover for Reach {
    fn name(&self) -> &'static str {
        "reach"
    }

    fn show(&self, lts: &Lts, wanted: &Wanted, meter: &mut Meter, trace: &Trace) -> Vec<Shown> {
        let first = first(lts, wanted.untaken);
        let outer = meter.narrow(STEPS);
        let mut found = Vec::new();
        // All of them together, and else each.
        let together = (first.len() <= SINGLE).then(|| excluding(lts, &first, (meter, trace))).flatten();
        match together {
            Some(shown) => found.push(shown),
            None if first.len() > 1 => {
                for &edge in first.iter().take(SINGLE) {
                    let all = meter.narrow(ONE);
                    found.extend(excluding(lts, &[edge], (meter, trace)));
                    meter.widen(all);
                }
            }
            None => {}
        }
        meter.widen(outer);
        found
    }
}

/// Of these edges those to which a way leads without another one.
fn first(lts: &Lts, untaken: &[EdgeId]) -> Vec<EdgeId> {
    let mut reached = SortedSet::from([lts.entry]);
    let (mut waiting, mut found) = (vec![lts.entry], SortedSet::new());
    while let Some(location) = waiting.pop() {
        for (edge, to) in lts.outgoing(location) {
            if untaken.contains(&edge) {
                found.insert(edge);
            } else if reached.insert(to) {
                waiting.push(to);
            }
        }
    }
    found.into_iter().collect()
}

/// A graph that excludes these edges.
fn excluding(lts: &Lts, edges: &[EdgeId], (meter, trace): (&mut Meter, &Trace)) -> Option<Shown> {
    let edges: SortedSet<EdgeId> = edges.iter().copied().collect();
    let tree = Tree::new(lts, &edges, NODES).ok()?;
    if edges.is_empty() || tree.goals.is_empty() {
        return None;
    }
    let (mut program, mut pool) = (Program::new(lts, tree), Pool::new());
    let effects = execute(&mut program, &mut pool, meter, trace).ok()?;
    let (graph, certificates) = proof::prove((&program, &mut pool), &effects, &SortedMap::new(), (meter, trace)).ok()??;
    Some(Shown { pool, graph, certificates })
}

/// Whether the target is shown to be unreachable, by summaries or by whatever others show; then the trace has the claim.
///
/// # Errors
/// When the steps are used up.
pub fn is_excluded(program: &Program, pool: &mut Pool, effects: &[Effect], meter: &mut Meter, trace: &Trace) -> Result<bool, Exhausted> {
    let (lts, targets) = (program.lts, proof::targets(program));
    let claim = |pool: &mut Pool, graph, certificates| {
        let shown = Shown { pool: std::mem::take(pool), graph, certificates };
        shown.emit("reach", (&targets, true), trace);
        *pool = shown.pool;
    };
    if let Some((graph, certificates)) = proof::prove((program, pool), effects, &SortedMap::new(), (meter, trace))? {
        claim(pool, graph, certificates);
        return Ok(true);
    }
    let mut is_shown = false;
    let mut known: SortedMap<LocationId, Vec<FormulaId>> = SortedMap::new();
    ask((PROVERS, &["reach"]), (lts, &Wanted { untaken: &targets, inputs: &[] }), STEPS, (meter, trace), &mut |shown| {
        let excluded = shown.excluded(lts);
        is_shown = is_shown || targets.iter().all(|edge| excluded.contains(edge));
        if is_shown {
            shown.emit("reach", (&targets, true), trace);
        } else {
            for (location, formulas) in shown.at_locations(pool, lts) {
                known.entry(location).or_default().extend(formulas);
            }
        }
        is_shown
    });
    if is_shown || known.values().all(Vec::is_empty) {
        return Ok(is_shown);
    }
    let Some((graph, certificates)) = proof::prove((program, pool), effects, &known, (meter, trace))? else { return Ok(false) };
    claim(pool, graph, certificates);
    Ok(true)
}
