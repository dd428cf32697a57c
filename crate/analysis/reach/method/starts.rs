//! Where calls may have changed statics: a target is reached by a run that begins as the first call does, or after calls that are known
//! to leave the state ([`crate::sequences`]); and what no sequence of calls takes is unreachable.

use super::TargetVerdict;
use crate::analysis::FINDERS;
use crate::load::Loaded;
use crate::logic::SortedSet;
use crate::lts::EdgeId;
use crate::lts::assume::Assumptions;
use crate::run::trace::Trace;
use crate::sequences::{Goals, Needed, Test, finding, is_reachable_start, matter, needed, settle};
use crate::solver::meter::Meter;

/// What calls say of a target.
pub enum Started {
    /// The run begins as a first call does, or after its calls.
    Reached(Test),
    /// No sequence of calls gets there.
    Unreachable(Assumptions),
    /// Only a run with these statics is known to get there.
    Needs(Needed),
}

/// Asks what calls say of the target, where the verdict does not hold for them; `None` if they say nothing.
pub fn started(loaded: &Loaded, targets: &SortedSet<EdgeId>, verdict: &TargetVerdict, meter: &mut Meter, trace: &Trace) -> Option<Started> {
    let from = match verdict {
        TargetVerdict::Unreachable => return None,
        TargetVerdict::Reached { input, .. } if is_reachable_start(loaded, input, &[]) => return None,
        TargetVerdict::Reached { input, .. } => Some(input),
        TargetVerdict::Open(_) => None,
    };
    if !matter(loaded) {
        return None;
    }
    let from_any = from.into_iter().cloned().collect();
    let goals = Goals { edges: targets.clone(), first_searched: false, failing: loaded.lts.error.is_some(), any: true, from_any };
    let settled = settle(loaded, "reach", (goals, &SortedSet::new()), &mut *finding(FINDERS, trace), meter, trace);
    if let Some(mut test) = settled.tests.into_iter().next() {
        let last = test.path.iter().position(|edge| targets.contains(edge))?;
        test.path.truncate(last + 1);
        return Some(Started::Reached(test));
    }
    let excluded: SortedSet<EdgeId> = settled.excluded.iter().map(|(edge, _)| *edge).collect();
    if targets.iter().all(|edge| excluded.contains(edge)) {
        return Some(Started::Unreachable(settled.excluded.iter().fold(Assumptions::default(), |all, (_, one)| all.and(*one))));
    }
    let targets: Vec<EdgeId> = targets.iter().copied().collect();
    from.map(|input| Started::Needs(needed(loaded, input, &targets)))
}
