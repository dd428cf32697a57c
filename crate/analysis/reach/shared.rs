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
use crate::logic::{Pool, SortedMap, SortedSet};
use crate::lts::{EdgeId, Lts};
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
        wanted.together_or_each(lts, (STEPS, ONE, SINGLE), meter, |edges, meter| excluding(lts, edges, wanted, (meter, trace)))
    }
}

/// A graph that excludes these edges.
fn excluding(lts: &Lts, edges: &[EdgeId], wanted: &Wanted, (meter, trace): (&mut Meter, &Trace)) -> Option<Shown> {
    let edges: SortedSet<EdgeId> = edges.iter().copied().collect();
    let tree = Tree::new(lts, &edges, NODES).ok()?;
    if edges.is_empty() || tree.goals.is_empty() {
        return None;
    }
    let (mut program, mut pool) = (Program::new(lts, tree), Pool::new());
    let effects = execute(&mut program, &mut pool, meter, trace).ok()?;
    let known = wanted.at_locations(&mut pool, lts);
    let (graph, certificates) = proof::prove((&program, &mut pool), &effects, &known, (meter, trace)).ok()??;
    Some(Shown { pool, graph, certificates })
}

/// Provers that take long: a search for an input comes before them.
pub const LONG: [&str; 2] = ["prune", "wide guesses"];

/// Whether the target is shown to be unreachable, by summaries or by what others show, but for those of these names; then the trace has the
/// claim.
///
/// # Errors
/// When the steps are used up.
pub fn is_excluded(
    (program, pool): (&Program, &mut Pool),
    effects: &[Effect],
    without: &[&str],
    (meter, trace): (&mut Meter, &Trace),
) -> Result<bool, Exhausted> {
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
    let wanted = Wanted { untaken: &targets, ..Wanted::default() };
    let without = [&["reach"], without].concat();
    let shown = ask((PROVERS, &without), (lts, &wanted), STEPS, (meter, trace), &mut |shown| {
        let excluded = shown.excluded(lts);
        is_shown = targets.iter().all(|edge| excluded.contains(edge));
        if is_shown {
            shown.emit("reach", (&targets, true), trace);
        }
        is_shown
    });
    let known = Wanted { known: &shown, ..wanted }.at_locations(pool, lts);
    if is_shown || known.values().all(Vec::is_empty) {
        return Ok(is_shown);
    }
    let Some((graph, certificates)) = proof::prove((program, pool), effects, &known, (meter, trace))? else { return Ok(false) };
    claim(pool, graph, certificates);
    Ok(true)
}
