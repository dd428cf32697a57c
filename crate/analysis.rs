//! The analyses: pure functions of program, settings and limit that report through one trace.
//!
//! An analysis pushes [`Event`]s into a [`Sink`]; statistics, progress, evidence files and the page's partial results are
//! all made from this one stream. The sink answers whether to go on: that is how a run is cancelled.

pub mod common;
pub mod cover;
pub mod explain;
pub mod paths;
pub mod prune;

use crate::interp::Input;
use crate::logic::Pool;
use crate::lts::EdgeId;
use crate::solver::certificate::Certificate;
use crate::solver::{Answer, Context, Reason, Refutation};
use common::instances::Proof;
use common::places::Pruned;
use num_bigint::BigUint;
use std::cell::{Cell, RefCell};

/// Steps a run may take when nothing else is said.
pub const DEFAULT_LIMIT: u64 = 50_000_000;

/// Something that happened.
pub enum Event<'a> {
    /// From time to time: steps used so far.
    Progress { steps: u64 },
    /// The solver was asked.
    Query { context: &'a Context, answer: &'a Answer },
    /// A path prefix was taken by a replayed input.
    Reached { path: &'a [EdgeId], input: &'a Input },
    /// A path prefix is infeasible; the certificate was accepted. The core are indices into the path.
    Refuted { path: &'a [EdgeId], pool: &'a Pool, refutation: &'a Refutation },
    /// A path prefix stays open.
    Open { path: &'a [EdgeId], reason: Reason },
    /// Paths up to a length were counted: first all of them, then, if asked for, the feasible ones.
    Counted { row: &'a paths::Row },
    /// The red–black graph changed; formulas are of this pool.
    Pruning { happened: &'a prune::Happened<'a>, pool: &'a Pool },
    /// The graph made of it is an inductive invariant: certificates of its obligations, all accepted.
    Confirmed { pruned: &'a Pruned, pool: &'a Pool, certificates: &'a [Certificate] },
    /// The paths of this graph up to this length are the feasible ones of the function: none is missing (certificates of
    /// [`common::certify`]), each is feasible (of [`common::exact`]).
    Exact { graph: &'a Pruned, length: u32, pool: &'a Pool, certificates: &'a [Certificate], proof: &'a Proof },
    /// A family of infeasible paths whose annotations were accepted; terms are of this pool.
    Generalized { certified: &'a explain::certify::Certified, pool: &'a Pool },
    /// Edges are not covered within a bound; the certificate was accepted.
    NotCovered { refuted: &'a cover::Refuted<'a>, pool: &'a Pool },
    /// From behind these edges the graph has no way to the exit.
    DeadEnds { edges: &'a [EdgeId] },
    /// Executions through these edges are within the bound; all certificates were accepted.
    Within { within: &'a cover::within::Within<'a>, pool: &'a Pool },
    /// By an inductive invariant no execution takes these edges, or (without `taken`) none gets from there to the exit; all its
    /// certificates were accepted.
    Excluded { edges: &'a [EdgeId], taken: bool, invariant: &'a cover::invariant::Invariant },
    /// A drawn path got its verdict.
    Drawn { index: u32, drawn: &'a paths::Drawn },
}

/// How many paths are feasible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasible {
    /// Exactly so many; [`paths::Basis`] says what that rests on.
    Exactly(BigUint),
    /// At least so many have a replayed input; the rest is open for this reason.
    AtLeast(BigUint, Reason),
}

/// Takes the events of a run.
pub trait Sink {
    /// Whether to go on.
    fn event(&mut self, event: Event<'_>) -> bool;
}

/// A sink that wants to know nothing.
pub struct Silent;

impl Sink for Silent {
    fn event(&mut self, _: Event<'_>) -> bool {
        true
    }
}

/// The trace of a run: hands events to the sink and remembers whether it wants to go on.
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
}
