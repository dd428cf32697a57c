//! The step limit: a deterministic budget that every loop of the engine pays from.
//!
//! The meter counts steps, never seconds, so that the same input and limit give the same answer on every machine. Only
//! the caller's wish to cancel can stop a run earlier; the meter asks for it from time to time.

use std::sync::atomic::AtomicU64;
#[cfg(debug_assertions)]
use std::sync::atomic::Ordering;

/// With debug assertions, as tests have them: what all meters that are gone have counted. `tests/it/common/cases.rs` leaves it for a
/// check of the daily run.
pub static SPENT: AtomicU64 = AtomicU64::new(0);

/// What one meter adds to it. A part of the meter, which itself must not need its borrowed `poll` when it is dropped.
#[cfg(debug_assertions)]
struct SpentSteps(u64);

#[cfg(debug_assertions)]
impl Drop for SpentSteps {
    fn drop(&mut self) {
        SPENT.fetch_add(self.0, Ordering::Relaxed);
    }
}

/// Steps of the interpreter that count as one step of an analysis.
pub const RUN_STEPS: u64 = 20;

/// A budget of steps, and a way to be told to stop.
pub struct Meter<'a> {
    #[cfg(debug_assertions)]
    tally: SpentSteps,
    used: u64,
    limit: u64,
    /// A smaller limit that holds for now.
    narrowed: u64,
    cancelled: bool,
    poll: Option<&'a mut dyn FnMut(u64) -> bool>,
    next_poll: u64,
}

/// How many steps lie between two questions whether to go on.
const POLL_EVERY: u64 = 4096;

/// Work on so many edges takes as long as some thousand steps.
const LARGE: usize = 2_000;

/// Why no more steps may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The step limit was reached.
    Steps,
    /// The caller asked to stop.
    Cancelled,
}

impl<'a> Meter<'a> {
    /// A budget of `limit` steps that cannot be cancelled.
    pub fn new(limit: u64) -> Meter<'static> {
        Meter::starting(limit, None, u64::MAX)
    }

    /// A budget that asks `poll` every few thousand steps, with the number of steps used, whether to go on.
    pub fn with_poll(limit: u64, poll: &'a mut dyn FnMut(u64) -> bool) -> Meter<'a> {
        Meter::starting(limit, Some(poll), POLL_EVERY)
    }

    fn starting(limit: u64, poll: Option<&'a mut dyn FnMut(u64) -> bool>, next_poll: u64) -> Meter<'a> {
        Meter {
            #[cfg(debug_assertions)]
            tally: SpentSteps(0),
            used: 0,
            limit,
            narrowed: limit,
            cancelled: false,
            poll,
            next_poll,
        }
    }

    /// Pays for `steps` steps.
    ///
    /// # Errors
    /// When the budget does not reach or the caller cancelled; it stays exhausted from then on.
    pub fn spend(&mut self, steps: u64) -> Result<(), Exhausted> {
        self.used = self.used.saturating_add(steps);
        #[cfg(debug_assertions)]
        {
            self.tally.0 = self.used;
        }
        if self.used >= self.next_poll {
            self.next_poll = self.used.saturating_add(POLL_EVERY);
            if let Some(poll) = &mut self.poll {
                self.cancelled |= !poll(self.used);
            }
        }
        if self.cancelled {
            Err(Exhausted::Cancelled)
        } else if self.used > self.narrowed {
            Err(Exhausted::Steps)
        } else {
            Ok(())
        }
    }

    /// Asks whether to go on, before work on so many edges that no step pays for.
    ///
    /// # Errors
    /// When the caller cancelled.
    pub fn before(&mut self, edges: usize) -> Result<(), Exhausted> {
        if edges >= LARGE {
            self.next_poll = self.used;
            // Whether steps are left, the work itself sees.
            let _ = self.spend(0);
        }
        if self.cancelled { Err(Exhausted::Cancelled) } else { Ok(()) }
    }

    /// Does something with at most `steps` of the steps that are left.
    pub fn within<T>(&mut self, steps: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        within(self, |meter| meter, steps, work)
    }

    /// Whether the run as a whole has to stop.
    pub fn is_exhausted(&self) -> bool {
        self.cancelled || self.used > self.limit
    }

    /// Steps used so far.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Steps that are left for now.
    pub fn left(&self) -> u64 {
        self.narrowed.min(self.limit).saturating_sub(self.used)
    }

    /// Steps in all.
    pub fn limit(&self) -> u64 {
        self.limit
    }
}

/// As [`Meter::within`], for a type that owns a meter: `meter` gives the owner's.
pub fn within<'a, O, T>(owner: &mut O, meter: impl Fn(&mut O) -> &mut Meter<'a>, steps: u64, work: impl FnOnce(&mut O) -> T) -> T {
    let narrowed = meter(owner);
    let outer = narrowed.narrowed;
    narrowed.narrowed = outer.min(narrowed.used.saturating_add(steps));
    let result = work(owner);
    meter(owner).narrowed = outer;
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_work_is_not_begun_after_a_cancellation() {
        let mut goes_on = vec![false, true];
        let mut poll = |_| goes_on.pop().expect("two questions");
        let mut meter = Meter::with_poll(u64::MAX, &mut poll);
        // Small work asks nothing.
        assert_eq!([10, 1].map(|edges| meter.before(edges)), [Ok(()); 2]);
        assert_eq!([LARGE, LARGE, 1].map(|edges| meter.before(edges)), [Ok(()), Err(Exhausted::Cancelled), Err(Exhausted::Cancelled)]);
        assert!(goes_on.is_empty());
    }
}
