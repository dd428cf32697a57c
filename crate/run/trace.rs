//! The trace: what happens in a run, for everything that wants to know of it.
//!
//! An analysis pushes [`Event`]s into a [`Sink`], which makes statistics, progress, evidence files and the page's partial results
//! from this one stream. The sink answers whether to go on: that is how a listener cancels a run.

use crate::evidence::Claim;
use crate::interp::Input;
use crate::logic::Pool;
use crate::lts::EdgeId;
use crate::lts::assume::Assumptions;
use crate::run::assumption_tracking::Needs;
use crate::solver::questions::QueryLog;
use crate::solver::{Answer, Context, Reason, Refutation};
use crate::view::{Call, News};
use std::cell::{Cell, RefCell};

/// Something that happened. The run makes claims and news only for a sink that wants them.
pub enum Event<'a> {
    /// From time to time: steps used so far.
    Progress { steps: u64 },
    /// The solver has answered a question.
    Query { context: &'a Context, answer: &'a Answer },
    /// The replay of an input takes a path prefix, after these calls where it finds statics as they left them.
    Reached { path: &'a [EdgeId], input: &'a Input, after: &'a [Call] },
    /// A path prefix is infeasible; the checker has accepted the certificate. The core are indices into the path.
    Refuted { path: &'a [EdgeId], pool: &'a Pool, refutation: &'a Refutation },
    /// A path prefix stays open.
    Open { path: &'a [EdgeId], reason: Reason },
    /// The run has shown something else, with so many certificates, all accepted; the function makes the claim for its number in
    /// the file.
    Proved { certificates: usize, claim: &'a dyn Fn(usize) -> Claim },
    /// Tests were replayed that take these edges, of which a proof says that no execution takes them: a fault of this program.
    Contradicted { edges: &'a [EdgeId] },
    /// The results that follow rest on something that no claim proves: possibly on every assumption.
    Unproved,
    /// From now on the run goes on under these assumptions, with the same edges.
    Assuming(Assumptions),
    /// What one analysis has to tell: a result, or (`detail`) one of many steps on the way.
    News { detail: bool, news: &'a dyn Fn() -> Box<dyn News> },
}

/// A step or a result of a method, in the method's own types. The report of the analysis writes it as news: so no document gets into
/// an algorithm. A function that makes news is such a step, too.
pub trait MethodStep {
    /// The step as data for the listener; called only where a listener asks for it.
    fn news(&self) -> Box<dyn News>;
}

impl<N: News + 'static, F: Fn() -> N> MethodStep for F {
    fn news(&self) -> Box<dyn News> {
        Box::new(self())
    }
}

/// Takes the events of a run.
pub trait Sink {
    /// Whether to go on.
    fn event(&mut self, event: Event<'_>) -> bool;

    /// The assumptions that the claims since the last call rest on. Those before the first call are not read.
    fn needs(&mut self) -> Needs {
        Needs::default()
    }

    /// Why the check does not believe the claim of the last event, if so.
    fn doubt(&mut self) -> Option<Reason> {
        None
    }
}

/// A sink that wants to know nothing.
pub struct Silent;

impl Sink for Silent {
    fn event(&mut self, _: Event<'_>) -> bool {
        true
    }
}

/// The trace of a run: hands events to the sink and remembers whether the sink wants to go on.
pub struct Trace<'a> {
    sink: RefCell<&'a mut dyn Sink>,
    cancelled: Cell<bool>,
}

impl<'a> Trace<'a> {
    pub fn new(sink: &'a mut dyn Sink) -> Trace<'a> {
        Trace { sink: RefCell::new(sink), cancelled: Cell::new(false) }
    }

    /// Hands an event on; gives whether to go on.
    pub fn emit(&self, event: Event<'_>) -> bool {
        if !self.sink.borrow_mut().event(event) {
            self.cancelled.set(true);
        }
        !self.cancelled.get()
    }

    /// What the claims since the last call rest on ([`Sink::needs`]): to be called before the first claim of a verdict, and after
    /// the last one.
    pub fn needs(&self) -> Needs {
        self.sink.borrow_mut().needs()
    }

    /// Whether the sink wants to go on, as far as it has said.
    pub fn goes_on(&self) -> bool {
        !self.cancelled.get()
    }

    /// Why the check does not believe the claim of the last event, if so.
    pub fn doubt(&self) -> Option<Reason> {
        self.sink.borrow_mut().doubt()
    }

    /// Emits an event that makes a claim.
    ///
    /// # Errors
    /// Why the check does not believe the claim: the verdict is open then.
    pub fn claim(&self, event: Event<'_>) -> Result<(), Reason> {
        self.emit(event);
        self.doubt().map_or(Ok(()), Err)
    }

    /// Emits [`Event::Shown`].
    ///
    /// # Errors
    /// As [`Trace::claim`].
    pub fn proved(&self, certificates: usize, claim: &dyn Fn(usize) -> Claim) -> Result<(), Reason> {
        self.claim(Event::Proved { certificates, claim })
    }

    /// Emits [`Event::News`], a result; gives whether to go on.
    pub fn result(&self, step: &dyn MethodStep) -> bool {
        self.emit(Event::News { detail: false, news: &|| step.news() })
    }

    /// Emits [`Event::News`], a step on the way; gives whether to go on.
    pub fn step(&self, step: &dyn MethodStep) -> bool {
        self.emit(Event::News { detail: true, news: &|| step.news() })
    }
}

impl QueryLog for Trace<'_> {
    fn query(&self, context: &Context, answer: &Answer) {
        self.emit(Event::Query { context, answer });
    }
}
