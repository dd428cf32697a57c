//! Merged graphs of several lengths over the same sets of states: a longer one begins with what the shorter one found.

use super::Basis;
use super::merged::{Grown, Merged, MergedExtent, Obstacle};
use crate::interp::Machine;
use crate::lts::Lts;
use crate::run::trace::Trace;
use crate::solver::Reason;
use crate::solver::meter::Meter;
use crate::states::{Ask, States};

/// Makes merged graphs, confirmed.
pub struct Merging<'a, 'm> {
    machine: &'m Machine<'a>,
    distance: &'m [Option<u32>],
    states: States<'a>,
    /// Whether some graph had too many paths for each to have evidence of its own: longer ones have more.
    is_large: bool,
}

/// Why there is no merged graph.
#[derive(Debug)]
pub struct Unmerged {
    pub obstacle: Obstacle,
    /// Where the steps did not suffice to build the graph: how much of it is there.
    pub reached: Option<MergedExtent>,
}

impl From<Obstacle> for Unmerged {
    fn from(obstacle: Obstacle) -> Unmerged {
        Unmerged { obstacle, reached: None }
    }
}

/// The merged graph of the feasible prefixes up to a length, confirmed, with the states that it consists of. Uses at most half of the
/// steps that are left. If there are not too many paths, and `each` asks for it, each path gets evidence of its own.
pub fn merge<'a>(
    lts: &'a Lts,
    machine: &Machine<'a>,
    distance: &[Option<u32>],
    length: u32,
    each: bool,
    meter: &mut Meter,
    trace: &Trace,
) -> Result<(Merged, States<'a>), Obstacle> {
    let mut merging = Merging::new(lts, machine, distance);
    match merging.up_to(length, each, left(meter) / 2, meter, trace) {
        Ok(merged) => Ok((merged, merging.states)),
        Err(unmerged) => Err(unmerged.obstacle),
    }
}

/// The steps that are left.
pub fn left(meter: &Meter) -> u64 {
    meter.limit().saturating_sub(meter.used())
}

impl<'a, 'm> Merging<'a, 'm> {
    /// No graphs yet; `distance` is that of each location to the exit, in edges.
    pub fn new(lts: &'a Lts, machine: &'m Machine<'a>, distance: &'m [Option<u32>]) -> Merging<'a, 'm> {
        Merging { machine, distance, states: States::new(lts), is_large: false }
    }

    pub fn lts(&self) -> &'a Lts {
        self.states.lts
    }

    /// The merged graph of a length; as [`merge`], with at most so many steps.
    ///
    /// # Errors
    /// Why there is none.
    pub fn up_to(&mut self, length: u32, each: bool, steps: u64, meter: &mut Meter, trace: &Trace) -> Result<Merged, Unmerged> {
        let each = each && !self.is_large;
        let merged = Ask { meter, log: trace }.within(steps, |ask| self.built(length, each, trace, ask));
        merged.and_then(|merged| merged.ok_or(Obstacle::Doubt(Reason::Rejected).into()))
    }

    /// The graph without ranges that are far from what the program compares with, or with them where it cannot do without.
    fn built(&mut self, length: u32, each: bool, trace: &Trace, ask: &mut Ask) -> Result<Option<Merged>, Unmerged> {
        if each {
            self.states.leave_out_far_ranges();
        }
        let mut merged = self.build(length, each, trace, ask);
        let is_exhausted = |obstacle| matches!(obstacle, Obstacle::Exhausted(_));
        let again = self.states.has_left_out()
            && match &merged {
                Ok(merged) => merged.is_none(),
                Err(unmerged) => !is_exhausted(unmerged.obstacle),
            };
        self.states.keep_far_ranges();
        if again {
            merged = self.build(length, each, trace, ask);
        }
        merged
    }

    /// The merged graph of this length; where so many steps do not suffice, of the one that they reach above `least`, if it has many
    /// paths.
    ///
    /// # Errors
    /// Why there is none.
    pub fn as_far_as(&mut self, length: u32, least: u32, mut steps: u64, meter: &mut Meter, trace: &Trace) -> Result<Merged, Unmerged> {
        let mut target = length;
        loop {
            match self.up_to(target, true, steps, meter, trace) {
                Err(Unmerged { reached: Some(reached), .. })
                    if reached.is_large && least < reached.length && reached.length < target && !meter.is_exhausted() =>
                {
                    (target, steps) = (reached.length, left(meter) / 2);
                }
                ended => return ended,
            }
        }
    }

    /// Builds and confirms the graph; `None` where its sets are too large for what it is wanted for.
    fn build(&mut self, length: u32, each: bool, trace: &Trace, ask: &mut Ask) -> Result<Option<Merged>, Unmerged> {
        let lts = self.lts();
        let merged = match Merged::grown(&mut self.states, self.distance, length, ask) {
            Grown::Whole(merged) => merged,
            Grown::Cut(reached, why) => return Err(Unmerged { obstacle: why.into(), reached: Some(reached) }),
            Grown::None(obstacle) => return Err(obstacle.into()),
        };
        let is_small = merged.is_small(lts, self.distance);
        self.is_large |= !is_small;
        let each = each && is_small;
        if !each && !merged.is_exact() {
            return Ok(None);
        }
        match merged.confirm(lts, self.machine, self.distance, each, trace, ask).map_err(Obstacle::from)? {
            Some(_) if !merged.is_exact() => Ok(None),
            Some(reason) => Err(Obstacle::Doubt(reason).into()),
            None => Ok(Some(merged)),
        }
    }

    /// What the counts in a merged graph rest on: shows by induction that it is exact, where not each path has evidence. Uses at most
    /// one part in `share` of the steps that are left.
    pub fn rests_on(&mut self, merged: &Merged, share: u64, meter: &mut Meter, trace: &Trace) -> Basis {
        if merged.is_small(self.lts(), self.distance) {
            return Basis::Each;
        }
        let outcome = meter.within(left(meter) / share, |meter| merged.induction(&mut self.states, trace, &mut Ask { meter, log: trace }));
        if outcome == Ok(true) { Basis::Induction } else { Basis::Projection }
    }
}
