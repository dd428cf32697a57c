//! Claims about programs with few inputs: the runs on all of them say of every edge whether an execution takes it.
//!
//! A run without an input ([`Machine::alone`]) ends before an evaluation that needs a value. Where this is the value of a parameter, of a
//! static, or a draw, and its type has few values, it is given each of them in turn, and the run begins anew. So the runs are the leaves of
//! a tree of values. They are all executions where each comes to an end of its own, as [`super::determined`] has it.

use super::determined::DeterminedRun;
use super::{Claim, Statement, ids, numbers};
use crate::interp::{GivenValues, Input, Machine, NeededValue, Outcome, Undetermined};
use crate::logic::{Int, IntRange, gathered};
use crate::lts::{EdgeId, Lts, Origin, VariableId};

/// Edges that all runs may take together, and what beginning a run counts as.
pub const MAX_STEPS: u64 = 5_000_000;
const BEGINNING: u64 = 16;
/// Edges of one run.
const LONGEST: u64 = 200_000;
/// Values that a type may have.
const FEW: i128 = 1 << 16;
/// Where one of so many of the steps has left more than all but one of so many parts of the tree, the rest would take too long.
const TRIAL: (u64, u64) = (8, 64);
/// The whole tree: a choice among n values leaves one of n parts of it.
const WHOLE: u64 = 1 << 60;

/// The runs of a program on all its inputs.
#[derive(Debug)]
pub struct EveryRun {
    /// Inputs; the run on each takes an edge that no run on an earlier input takes.
    pub inputs: Vec<Input>,
    /// Edges that the runs take together, and what beginning them counts as.
    pub steps: u64,
    is_taken: Vec<bool>,
    /// Why there may be other executions, if so.
    others: Option<Undetermined>,
}

/// A value that runs are given.
struct GivenChoice {
    /// The variable that has it at the entry; none for a draw.
    variable: Option<VariableId>,
    value: i128,
    greatest: i128,
    /// The part of the tree below it.
    part: u64,
}

impl GivenChoice {
    /// The first of few values of what a run needs, if it can be given.
    fn of(lts: &Lts, choices: &[GivenChoice], needed: &NeededValue) -> Option<GivenChoice> {
        let (variable, range) = match *needed {
            NeededValue::Draw(range) => (None, range),
            NeededValue::Variable(id) => {
                let variable = lts.variable(id);
                let is_given = matches!(variable.origin, Origin::Parameter | Origin::Global)
                    && variable.initial.is_none()
                    && variable.values.is_numeric()
                    // A variable that has lost its value on the way is needed again.
                    && choices.iter().all(|choice| choice.variable != Some(id));
                (Some(id), variable.range.filter(|_| is_given)?)
            }
            NeededValue::Element(_) | NeededValue::Other => return None,
        };
        let IntRange { least, greatest } = range;
        let above = choices.last().map_or(WHOLE, |choice| choice.part);
        let count = greatest.checked_sub(least).filter(|&count| count < FEW)? + 1;
        Some(GivenChoice { variable, value: least, greatest, part: above / u64::try_from(count).ok()? })
    }
}

fn given(choices: &[GivenChoice]) -> GivenValues {
    let value = |choice: &GivenChoice| Int::from(choice.value);
    GivenValues {
        variables: choices.iter().filter_map(|choice| Some((choice.variable?, value(choice)))).collect(),
        draws: choices.iter().filter(|choice| choice.variable.is_none()).map(value).collect(),
    }
}

impl EveryRun {
    /// Runs a program on every input, for at most so many steps, and as long as `pays` says so, which hears of the steps of each run.
    pub fn of(lts: &Lts, machine: &Machine, max_steps: u64, pays: &mut dyn FnMut(u64) -> bool) -> EveryRun {
        let mut every = EveryRun { inputs: Vec::new(), steps: 0, is_taken: vec![false; lts.graph.edge_count()], others: None };
        every.others = every.run(lts, machine, max_steps, pays).err();
        every
    }

    fn run(&mut self, lts: &Lts, machine: &Machine, max_steps: u64, pays: &mut dyn FnMut(u64) -> bool) -> Result<(), Undetermined> {
        let mut choices: Vec<GivenChoice> = Vec::new();
        let mut explored = 0;
        loop {
            let given = given(&choices);
            let mut is_leaf = true;
            let before = self.steps;
            self.steps += BEGINNING + choices.len() as u64;
            match DeterminedRun::with(lts, machine, &given, max_steps.saturating_sub(self.steps).min(LONGEST), &mut |_| true) {
                Ok(run) => {
                    self.steps += run.steps;
                    self.take(lts, given, &run);
                    explored += choices.last().map_or(WHOLE, |choice| choice.part);
                }
                Err(Undetermined::Value(edge, needed)) => {
                    let choice = GivenChoice::of(lts, &choices, &needed).ok_or(Undetermined::Value(edge, needed))?;
                    choices.push(choice);
                    is_leaf = false;
                }
                Err(why) => return Err(why),
            }
            let takes_too_long = self.steps > max_steps / TRIAL.0 && explored < WHOLE / TRIAL.1;
            if takes_too_long || !pays(self.steps - before) {
                return Err(Undetermined::End(Outcome::Steps));
            }
            if !is_leaf {
                continue;
            }
            // The next leaf.
            while choices.pop_if(|last| last.value == last.greatest).is_some() {}
            let Some(last) = choices.last_mut() else { return Ok(()) };
            last.value += 1;
        }
    }

    /// That there is no other execution.
    ///
    /// # Errors
    /// Why there may be.
    pub fn is_all(&self) -> Result<(), String> {
        self.others.as_ref().map_or(Ok(()), |why| Err(format!("the runs are not all executions: {why}")))
    }

    fn take(&mut self, lts: &Lts, given: GivenValues, run: &DeterminedRun) {
        let mut is_new = false;
        for edge in run.edges(true) {
            is_new |= !std::mem::replace(&mut self.is_taken[edge.index()], true);
        }
        if is_new {
            let values = gathered(given.variables.into_iter().map(|(id, value)| (lts.variable(id).name.clone(), value)));
            self.inputs.push(Input { values, nondet: given.draws, ..Input::default() });
        }
    }

    /// Whether one of the runs takes the edge.
    pub fn takes(&self, edge: EdgeId) -> bool {
        self.is_taken[edge.index()]
    }
}

/// The claim that no run of a program with few inputs takes these edges.
pub fn enumerated_claim(number: usize, edges: &[EdgeId]) -> Claim {
    Claim::new(format!("enumerated-{number}"), Statement::Enumerated { edges: numbers(edges) })
}

/// Repeats the runs of the program. None of them may take a claimed edge.
///
/// # Errors
/// Why it does not believe the claim.
pub fn check_enumerated(lts: &Lts, machine: &Machine, edges: &[u32]) -> Result<(), String> {
    let edges = ids(edges);
    if edges.iter().any(|&edge| lts.graph.edge_endpoints(edge).is_none()) {
        return Err("an edge that the function does not have".to_owned());
    }
    let every = EveryRun::of(lts, machine, MAX_STEPS, &mut |_| true);
    every.is_all()?;
    match edges.into_iter().find(|&edge| every.takes(edge)) {
        Some(edge) => Err(format!("a run takes edge {}", edge.index())),
        None => Ok(()),
    }
}
