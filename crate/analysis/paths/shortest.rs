//! The shortest feasible complete path, where the lengths that were asked for are all too small: of a loop with a constant number of
//! rounds no path up to a bound may be feasible, though every run completes.
//!
//! 1. Runs on simple inputs that complete say up to which length to look.
//! 2. Otherwise a multiple of the greatest length, and a multiple of that, a few times.
//!
//! The least length of which feasible paths are counted is the answer. Where the steps do not suffice for that, the length of the shortest
//! run that is known bounds it.

use super::PathsShortest;
use crate::count::MAX_LENGTH;
use crate::counting::{Row, table};
use crate::interp::Machine;
use crate::lts::Lts;
use crate::run::assumption_tracking::Needs;
use crate::run::simple_inputs::simple_inputs;
use crate::run::trace::{Event, Sink, Trace};
use crate::solver::meter::Meter;

/// How many edges of a run to follow.
const LONGEST_RUN: u64 = 20_000;
/// So many lengths are looked through at a time.
const MOST_LENGTHS: u32 = 500;
/// How many times further to look where no run is known, and how often.
const FURTHER: u32 = 3;
const TIMES: u32 = 2;
/// Steps for it; never more than half of those that are left.
const STEPS: u64 = 300_000;

/// Hands everything on but rows: the caller did not ask for these lengths.
struct WithoutRows<'a, 'b>(&'a Trace<'b>);

impl Sink for WithoutRows<'_, '_> {
    fn event(&mut self, event: Event<'_>) -> bool {
        matches!(event, Event::News { .. }) || self.0.emit(event)
    }

    fn needs(&mut self) -> Needs {
        self.0.needs()
    }
}

/// The length of the shortest feasible complete path, where there is none of at most `least` edges.
pub fn shortest(lts: &Lts, least: u32, meter: &mut Meter, trace: &Trace) -> Option<PathsShortest> {
    let machine = Machine::new(lts);
    let runs = simple_inputs(lts).map(|input| machine.run(&input, LONGEST_RUN));
    let upper_bound = runs.iter().filter(|run| run.location == lts.exit).map(|run| run.edges.len() as u32).min();
    let bounds: Vec<u32> = match upper_bound {
        Some(upper_bound) => vec![upper_bound],
        None => (1..=TIMES).map(|times| least.max(1).saturating_mul(FURTHER.pow(times)).min(MAX_LENGTH)).collect(),
    };
    let mut sink = WithoutRows(trace);
    let quiet = Trace::new(&mut sink);
    let found = meter.within(STEPS.min(meter.left() / 2), |meter| exactly(lts, least, &bounds, meter, &quiet));
    found.map(|length| PathsShortest { length, exact: true }).or(upper_bound.map(|length| PathsShortest { length, exact: false }))
}

fn exactly(lts: &Lts, mut least: u32, bounds: &[u32], meter: &mut Meter, trace: &Trace) -> Option<u32> {
    for &bound in bounds {
        if bound <= least || bound - least > MOST_LENGTHS {
            return None;
        }
        let lengths: Vec<u32> = (least + 1..=bound).collect();
        let counted = table(lts, &lengths, true, meter, trace);
        let exact = |row: &&Row| row.counts().0.is_some();
        if let Some(row) = counted.rows.iter().take_while(exact).find(|row| row.counts().0.is_some_and(|count| count != "0")) {
            return Some(row.length);
        }
        if counted.cut.is_some() || !counted.rows.iter().all(|row| row.counts().0.is_some()) {
            return None;
        }
        least = bound;
    }
    None
}
