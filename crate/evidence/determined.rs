//! Claims about programs that read no input: their one run says of every edge whether an execution takes it.
//!
//! The run begins at the entry, under the claim's assumptions, without a value in anything that the program does not give one
//! ([`Machine::alone`]). It counts where it comes to an end of its own within [`MAX_STEPS`]: it returns, fails, does not meet an `assume`,
//! ends before an edge without a defined meaning, as executions do anywhere else, or comes back to a state that it was in before, so that
//! it goes on for ever. Then it is the only execution.

use super::{Claim, Statement, ids, numbers};
use crate::interp::{GivenRange, Machine, Outcome, Run, RunState, Snapshot, Undetermined, Watch};
use crate::logic::SortedSet;
use crate::lts::{EdgeId, Lts};
use std::ops::ControlFlow;

/// Edges that the run may take.
pub const MAX_STEPS: u64 = 20_000_000;

/// After so many edges at a time the caller may stop the run.
const PAID: u64 = 1 << 18;

/// So many edges of the run are kept in their order.
const MAX_PATH: usize = 100_000;

/// The only execution of a program.
#[derive(Debug)]
pub struct DeterminedRun {
    /// How it ends; with [`Outcome::Steps`] it goes on for ever. Its `edges` are the first ones that it takes.
    pub run: Run,
    /// The edges that it takes later for the first time, in their order.
    pub later: Vec<EdgeId>,
    /// How many edges it takes.
    pub steps: u64,
    is_taken: Vec<bool>,
}

/// What hears of runs.
pub trait RunListener {
    /// The run took so many edges; it goes on as long as this says so.
    fn pays(&mut self, steps: u64) -> bool;
    /// The run took an edge.
    fn takes(&mut self, _edge: EdgeId, _after: &RunState<'_>) {}
    /// The run came to its end, and is an execution, or (without `is_execution`) ended for want of a value.
    fn ends(&mut self, _is_execution: bool) {}
}

impl<F: FnMut(u64) -> bool> RunListener for F {
    fn pays(&mut self, steps: u64) -> bool {
        self(steps)
    }
}

struct Taken<'p> {
    path: Vec<EdgeId>,
    later: Vec<EdgeId>,
    steps: u64,
    is_taken: Vec<bool>,
    /// The state after the last step whose number is a power of two (Brent's cycle detection), and whether the run has come back to it.
    earlier: Option<(EdgeId, Snapshot)>,
    repeats: bool,
    listener: &'p mut dyn RunListener,
}

impl Watch for Taken<'_> {
    fn taken(&mut self, edge: EdgeId, after: &RunState<'_>) -> ControlFlow<()> {
        let is_first = !std::mem::replace(&mut self.is_taken[edge.index()], true);
        if self.path.len() < MAX_PATH {
            self.path.push(edge);
        } else if is_first {
            self.later.push(edge);
        }
        self.steps += 1;
        self.listener.takes(edge, after);
        self.repeats = self.earlier.as_ref().is_some_and(|(other, earlier)| *other == edge && after.is_like(earlier));
        if self.repeats || self.steps.is_multiple_of(PAID) && !self.listener.pays(PAID) {
            return ControlFlow::Break(());
        }
        if self.steps.is_power_of_two() {
            self.earlier = Some((edge, after.snapshot()));
        }
        ControlFlow::Continue(())
    }
}

impl DeterminedRun {
    /// Runs a program without an input, for at most so many edges.
    ///
    /// # Errors
    /// Why the run is not the only execution.
    pub fn of(lts: &Lts, machine: &Machine, max_steps: u64) -> Result<DeterminedRun, Undetermined> {
        DeterminedRun::with(lts, machine, &[], max_steps, &mut |_| true)
    }

    /// As [`DeterminedRun::of`], with given values: the only executions that begin with and draw these.
    ///
    /// # Errors
    /// Why there may be others.
    pub fn with(
        lts: &Lts,
        machine: &Machine,
        given: &[GivenRange],
        max_steps: u64,
        listener: &mut dyn RunListener,
    ) -> Result<DeterminedRun, Undetermined> {
        let is_taken = vec![false; lts.graph.edge_count()];
        let mut watch = Taken { path: Vec::new(), later: Vec::new(), steps: 0, is_taken, earlier: None, repeats: false, listener };
        let run = machine.alone(given, max_steps, &mut watch);
        let Taken { path, later, steps, is_taken, repeats, listener, .. } = watch;
        listener.pays(steps % PAID);
        let run = run?;
        if run.outcome == Outcome::Steps && !repeats {
            return Err(Undetermined::End(run.outcome));
        }
        Ok(DeterminedRun { run: Run { edges: path, ..run }, later, steps, is_taken })
    }

    /// Whether it gets to the exit.
    pub fn completes(&self) -> bool {
        self.run.outcome == Outcome::Returned
    }

    /// The edges on the run's path, or (without `taken`) the infeasible edges.
    pub fn edges(&self, taken: bool) -> Vec<EdgeId> {
        (0..self.is_taken.len()).filter(|&edge| self.is_taken[edge] == taken).map(EdgeId::new).collect()
    }
}

/// The claim that the one run of a program takes all edges but these, or (without `taken`) takes these and does not complete.
pub fn determined_claim(number: usize, taken: bool, edges: &[EdgeId]) -> Claim {
    Claim::new(format!("determined-{number}"), Statement::Determined { taken, edges: numbers(edges) })
}

/// Repeats the run of the program. The claimed edges have to be exactly the infeasible edges, or (without `taken`) exactly the edges on the
/// run's path.
///
/// # Errors
/// Why it does not believe the claim.
pub fn check_determined(lts: &Lts, machine: &Machine, taken: bool, edges: &[u32]) -> Result<(), String> {
    let claimed: SortedSet<EdgeId> = ids(edges).into_iter().collect();
    if claimed.iter().any(|&edge| lts.graph.edge_endpoints(edge).is_none()) {
        return Err("an edge that the function does not have".to_owned());
    }
    let run = DeterminedRun::of(lts, machine, MAX_STEPS).map_err(|why| format!("the run is not the only execution: {why}"))?;
    if !taken && run.completes() {
        return Err("the run completes".to_owned());
    }
    if let Some(edge) = run.edges(taken).into_iter().find(|edge| claimed.contains(edge)) {
        return Err(format!("the run {} edge {}", if taken { "takes" } else { "does not take" }, edge.index()));
    }
    match run.edges(!taken).into_iter().find(|edge| !claimed.contains(edge)) {
        Some(edge) => {
            Err(format!("the run {} edge {}, which the claim leaves out", if taken { "does not take" } else { "takes" }, edge.index()))
        }
        None => Ok(()),
    }
}
