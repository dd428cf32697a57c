//! The listener of a run, and the findings that it asks for.

use crate::evidence::Claim;
use crate::logic::{FormulaId, Pool};
use crate::solver::Answer;
use crate::view::Event;

/// Takes a question to the solver: the terms, the assertions, the answer.
pub type QueryListener<'a> = &'a mut dyn FnMut(&Pool, &[FormulaId], &Answer);

/// Takes the claims of a run, in order.
pub trait Claims {
    /// How many claims there are so far.
    fn len(&self) -> usize;
    fn push(&mut self, claim: Claim);
    /// The claims that are kept, if they are not passed on.
    fn kept(&self) -> &[Claim] {
        &[]
    }
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Claims for Vec<Claim> {
    fn len(&self) -> usize {
        self.len()
    }
    fn push(&mut self, claim: Claim) {
        self.push(claim);
    }
    fn kept(&self) -> &[Claim] {
        self
    }
}

/// The kinds of single findings. A run may have millions of them, so each is an event only for a listener that asks for its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// [`Event::Query`].
    Query,
    /// [`Event::Reached`].
    Reached,
    /// [`Event::Refuted`].
    Refuted,
    /// [`Event::Open`].
    Open,
    /// An analysis' own steps on the way.
    Step,
}

impl Finding {
    pub const ALL: &'static [Finding] = &[Finding::Query, Finding::Reached, Finding::Refuted, Finding::Open, Finding::Step];
}

/// The listener of a run.
pub struct Listener<'a> {
    /// Takes progress, results, and those single findings that `findings` names; answers whether to go on.
    pub event: &'a mut dyn FnMut(Event) -> bool,
    /// The kinds of single findings that are events too.
    pub findings: &'a [Finding],
    /// Takes the claims of the run with their evidence.
    pub claims: Option<&'a mut dyn Claims>,
    /// Takes every question to the solver.
    pub query: Option<QueryListener<'a>>,
}

impl<'a> Listener<'a> {
    /// Only progress and results.
    pub fn new(event: &'a mut dyn FnMut(Event) -> bool) -> Listener<'a> {
        Listener { event, findings: &[], claims: None, query: None }
    }
}
