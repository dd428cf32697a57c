//! Programs that read no input: their one run, claimed before anything is searched for.
//!
//! Where nothing outside the program has a part in its execution ([`DeterminedRun`]), one run settles every edge: it takes the edge, or no
//! execution does. A run that gets to no end within its steps shows nothing, and the search goes on without it.

use super::assumption_tracking::Needs;
use super::trace::{Event, Trace};
use crate::evidence::determined::{DeterminedRun, MAX_STEPS, determined_claim};
use crate::interp::{Input, Machine, Outcome, Undefined};
use crate::logic::{Int, gathered};
use crate::lts::inputs::inputs;
use crate::lts::{EdgeId, Lts, Origin};
use crate::solver::meter::{Meter, RUN_STEPS};
use crate::source::Diagnostic;

/// The run may take one of so many steps that are left.
const SHARE: u64 = 4;

/// Why no execution takes an edge that the run does not take, for people.
pub const NEVER_TAKEN: &str = "the program reads no input, and its one run never takes it";

/// A run that settles every edge; the trace has the claims.
#[derive(Debug)]
pub struct SettledRun {
    pub run: DeterminedRun,
    /// What the program runs on. Of a parameter no execution reads the value.
    pub input: Input,
    /// What the claims rest on.
    pub needs: Needs,
}

/// How many edges the run may take where so many steps are left.
pub fn allowed(steps_left: u64) -> u64 {
    MAX_STEPS.min((steps_left / SHARE).saturating_mul(RUN_STEPS))
}

/// The one run of a program that reads no input, with its claims told to the trace; `None` where there are inputs, where the run takes too
/// many steps, and where the check does not believe a claim. With `whole` the trace also hears of the run, and that no execution completes,
/// if so.
pub fn settled(lts: &Lts, whole: bool, meter: &mut Meter, trace: &Trace) -> Option<SettledRun> {
    let machine = Machine::deep(lts);
    if machine.reads_stdin() {
        return None;
    }
    let run = DeterminedRun::with(lts, &machine, &[], allowed(meter.left()), &mut |steps| meter.spend(steps / RUN_STEPS).is_ok()).ok()?;
    let parameters = inputs(lts).variables.into_iter().map(|id| lts.variable(id)).filter(|variable| variable.origin == Origin::Parameter);
    let value = |range| crate::symex::nearest(Int::ZERO, range);
    let values = gathered(parameters.map(|variable| (variable.name.clone(), value(variable.start_range()))));
    let input = Input { values, ..Input::default() };
    trace.needs();
    if whole {
        trace.claim(Event::Reached { path: &run.run.edges, input: &input, after: &[] }).ok()?;
    }
    trace.proved(0, &|number| determined_claim(number, true, &run.edges(false))).ok()?;
    if whole && !run.completes() {
        trace.proved(0, &|number| determined_claim(number, false, &run.edges(true))).ok()?;
    }
    Some(SettledRun { run, input, needs: trace.needs() })
}

impl SettledRun {
    /// Where and why the run ends without a defined meaning, if it does; without an edge at the entry.
    pub fn undefined(&self) -> Option<(Option<EdgeId>, &Undefined)> {
        match &self.run.run.outcome {
            Outcome::Undefined(why) => Some((self.run.run.stopped_before, why)),
            _ => None,
        }
    }

    /// A warning where the run ends without a defined meaning.
    pub fn warning(&self, lts: &Lts) -> Option<Diagnostic> {
        let (edge, why) = self.undefined()?;
        let span = lts.span_of(edge, self.run.run.stopped_in);
        let why = match why {
            Undefined::OutOfBounds { array, index, length } => {
                format!("`{}` has {length} elements, so there is none at index {index}", lts.array(*array).name)
            }
            other => other.to_string(),
        };
        let message = format!("the program reads no input, and its one run is undefined from here on: {why}");
        Some(Diagnostic::warning("undefined-run", span, message).help("C gives no meaning to what follows, so it counts as never executed"))
    }
}
