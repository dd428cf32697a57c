//! Whether a drawn path is feasible.

use crate::counting::believed;
use crate::interp::{Input, Machine};
use crate::lts::{EdgeId, Lts};
use crate::run::assumption_tracking::Needs;
use crate::run::plain_numbers::plain_numbers;
use crate::run::trace::{Event, Trace};
use crate::search::{PathPrefix, SearchStep};
use crate::sequences::Needed;
use crate::solver::Reason;
use crate::solver::meter::Meter;
use crate::view::Call;

/// A drawn path and its fate.
#[derive(Clone, Debug)]
pub struct DrawnFate {
    pub path: Vec<EdgeId>,
    pub fate: Fate,
    /// What that rests on.
    pub needs: Needs,
    /// The calls that leave the statics with which the path runs.
    pub after: Vec<Call>,
    /// The statics that it needs, where no calls are known to leave them: so it is open.
    pub state: Option<Needed>,
}

/// What became of a drawn path.
#[derive(Clone, Debug)]
pub enum Fate {
    /// The replay of this input takes it.
    Feasible(Input),
    /// No input goes beyond the edge at `dies_at` (an index into the path); `core` are the indices of the edges whose conditions
    /// contradict each other. The checker has accepted the certificate.
    Infeasible {
        dies_at: usize,
        core: Vec<usize>,
    },
    Open(Reason),
}

/// Walks along the path until a prefix is refuted or the end is reached.
pub fn decide(lts: &Lts, machine: &Machine, path: &[EdgeId], meter: &mut Meter, trace: &Trace) -> Fate {
    let mut walk = PathPrefix::new(lts);
    for (index, &edge) in path.iter().enumerate() {
        if let Err(why) = meter.spend(1) {
            return Fate::Open(why.into());
        }
        let step = walk.step(edge, meter, trace);
        if let SearchStep::Infeasible(refutation) = step {
            let claimed = trace.claim(Event::Refuted { path: &path[..=index], pool: walk.pool(), refutation: &refutation });
            return claimed.map_or_else(Fate::Open, |()| Fate::Infeasible { dies_at: index, core: refutation.core });
        }
    }
    let smallest = walk.smallest_witness(machine, meter);
    match believed(smallest.map(|found| found.map(|input| plain_numbers(lts, machine, input, path, meter)))) {
        Ok(input) => match trace.claim(Event::Reached { path, input: &input, after: &[] }) {
            Ok(()) => Fate::Feasible(input),
            Err(reason) => Fate::Open(reason),
        },
        Err(reason) => {
            trace.emit(Event::Open { path, reason });
            Fate::Open(reason)
        }
    }
}
