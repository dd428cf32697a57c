//! Claims about programs with few inputs: the runs on all of them say of every edge whether an execution takes it.
//!
//! A run without an input ([`Machine::alone`]) ends before an evaluation that needs a value. Where this is the value of a parameter, of a
//! variable that is not initialised, or a draw, it is given any of its range, and the run begins anew. Where a run has to know whether such a
//! value is at most another one, its range is cut there, and where it has to know the value, and its range has few, it is given each of
//! them in turn. So the runs are the leaves of a tree of ranges. They are all executions where each comes to an end of its own, as
//! [`super::determined`] has it; what is read of standard input may be any of its range, whatever was read before.

use super::determined::{DeterminedRun, RunListener};
use super::{Claim, Statement, ids, numbers};
use crate::interp::{GivenRange, Input, Machine, NeededValue, Outcome, RunState, Undetermined};
use crate::logic::{Int, IntRange, gathered};
use crate::lts::{EdgeId, Lts, Origin, VariableId};

/// Edges that all runs may take together, and what beginning a run counts as.
pub const MAX_STEPS: u64 = 5_000_000;
const BEGINNING: u64 = 16;
/// Edges of one run.
const LONGEST: u64 = 1_000_000;
/// Values that are given one by one.
const FEW: i128 = 1 << 16;
/// After one of so many of the steps one of so many parts of the tree has to be explored, and after twice as many a quarter of what was left then:
/// else the rest would take too long.
const TRIAL: u64 = 8;
const EXPLORED: u64 = 64;
/// The whole tree: what a choice leaves to others is a part of it.
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

/// A part of the range of a value that runs are given.
struct ChosenPart {
    range: IntRange,
    /// The part of the tree below it.
    part: u64,
    /// Whether its values are given one by one.
    is_one_by_one: bool,
}

/// A value that runs are given.
struct GivenChoice {
    /// The variable that has it at the entry; none for a draw.
    variable: Option<VariableId>,
    now: ChosenPart,
    /// The parts of its range that come later.
    later: Vec<ChosenPart>,
}

impl GivenChoice {
    /// The whole range of what a run needs, if it can be given.
    fn of(lts: &Lts, choices: &[GivenChoice], needed: &NeededValue) -> Option<GivenChoice> {
        let (variable, range) = match *needed {
            NeededValue::Draw(range) => (None, range),
            NeededValue::Variable(id) => {
                let variable = lts.variable(id);
                let is_given = variable.initial.is_none()
                    && variable.values.is_numeric()
                    && variable.origin != Origin::Inlined
                    // A variable that has lost its value on the way is needed again.
                    && choices.iter().all(|choice| choice.variable != Some(id));
                (Some(id), variable.range.filter(|_| is_given)?)
            }
            NeededValue::Element(_) | NeededValue::Half(..) | NeededValue::One(_) | NeededValue::Other => return None,
        };
        let part = choices.last().map_or(WHOLE, |choice| choice.now.part);
        Some(GivenChoice { variable, now: ChosenPart { range, part, is_one_by_one: false }, later: Vec::new() })
    }

    /// Cuts the present range after a value in it; the second part comes later.
    fn cut(&mut self, after: i128) {
        let ChosenPart { range, part, is_one_by_one } = &mut self.now;
        // Each value has as much of the tree as any other.
        let values = |range: i128| range.unsigned_abs().max(1);
        let share = u128::from(*part) * values(range.greatest - after) / values(range.greatest - range.least + 1);
        let later = u64::try_from(share).unwrap_or(*part);
        self.later.push(ChosenPart { range: IntRange { least: after + 1, ..*range }, part: later, is_one_by_one: *is_one_by_one });
        (range.greatest, *part) = (after, *part - later);
    }

    /// Chooses one value of the present range; the others come later.
    fn choose_one(&mut self) {
        let IntRange { least, greatest } = self.now.range;
        if least < greatest {
            self.now.is_one_by_one = true;
            self.cut(least);
        }
    }

    /// Goes on to the next part of the range; false where there is none.
    fn advance(&mut self) -> bool {
        let Some(next) = self.later.pop() else { return false };
        self.now = next;
        if self.now.is_one_by_one {
            self.choose_one();
        }
        true
    }

    /// The value nearest to zero.
    fn plain(&self) -> Int {
        let IntRange { least, greatest } = self.now.range;
        Int::from(0.clamp(least, greatest))
    }
}

/// Counts the steps of a run.
struct CountedRun<'c> {
    steps: u64,
    listener: &'c mut dyn RunListener,
}

impl RunListener for CountedRun<'_> {
    fn pays(&mut self, steps: u64) -> bool {
        self.steps += steps;
        true
    }

    fn takes(&mut self, edge: EdgeId, after: &RunState<'_>) {
        self.listener.takes(edge, after);
    }
}

impl EveryRun {
    /// Runs a program on every input, for at most so many steps, and as long as the listener pays, which hears of the steps
    /// of each run.
    pub fn of(lts: &Lts, machine: &Machine, max_steps: u64, listener: &mut dyn RunListener) -> EveryRun {
        let mut every = EveryRun { inputs: Vec::new(), steps: 0, is_taken: vec![false; lts.graph.edge_count()], others: None };
        every.others = every.run(lts, machine, max_steps, listener).err();
        every
    }

    fn run(&mut self, lts: &Lts, machine: &Machine, max_steps: u64, listener: &mut dyn RunListener) -> Result<(), Undetermined> {
        let mut choices: Vec<GivenChoice> = Vec::new();
        let (mut explored, mut left_before) = (0, WHOLE);
        loop {
            let given: Vec<GivenRange> =
                choices.iter().map(|choice| GivenRange { variable: choice.variable, range: choice.now.range }).collect();
            let mut is_leaf = false;
            let before = self.steps;
            self.steps += BEGINNING + choices.len() as u64;
            let longest = max_steps.saturating_sub(self.steps).min(LONGEST);
            let mut counted = CountedRun { steps: 0, listener };
            let run = DeterminedRun::with(lts, machine, &given, longest, &mut counted);
            self.steps += counted.steps;
            listener.ends(run.is_ok());
            match run {
                Ok(run) => {
                    self.take(lts, &choices, &run);
                    explored = choices.last().map_or(WHOLE, |choice| choice.now.part).saturating_add(explored);
                    is_leaf = true;
                }
                Err(Undetermined::Value(edge, needed)) => {
                    let number = match needed {
                        NeededValue::Half(number, _) | NeededValue::One(number) => number,
                        _ => choices.len(),
                    };
                    // The values that are chosen after this one depend on it.
                    choices.truncate(number + 1);
                    match (&needed, choices.get_mut(number)) {
                        (NeededValue::Half(_, after), Some(choice)) => {
                            let IntRange { least, greatest } = choice.now.range;
                            let after = after.to_i128().filter(|after| (least..greatest).contains(after));
                            let after = after.ok_or(Undetermined::Value(edge, needed))?;
                            choice.cut(after);
                        }
                        (NeededValue::One(_), Some(choice)) if choice.now.range.greatest - choice.now.range.least < FEW => {
                            choice.choose_one()
                        }
                        _ => {
                            let choice = GivenChoice::of(lts, &choices, &needed).ok_or(Undetermined::Value(edge, needed))?;
                            choices.push(choice);
                        }
                    }
                }
                Err(why) => return Err(why),
            }
            let left = WHOLE.saturating_sub(explored);
            let takes_too_long = match self.steps {
                steps if steps > max_steps / TRIAL * 2 => left > left_before / 4 * 3,
                steps if steps > max_steps / TRIAL => explored < WHOLE / EXPLORED,
                _ => {
                    left_before = left;
                    false
                }
            };
            if takes_too_long || !listener.pays(self.steps - before) {
                return Err(Undetermined::End(Outcome::Steps));
            }
            if !is_leaf {
                continue;
            }
            // The next leaf.
            while choices.pop_if(|last| !last.advance()).is_some() {}
            if choices.is_empty() {
                return Ok(());
            }
        }
    }

    /// That there is no other execution.
    ///
    /// # Errors
    /// Why there may be.
    pub fn is_all(&self) -> Result<(), String> {
        self.others.as_ref().map_or(Ok(()), |why| Err(format!("the runs are not all executions: {why}")))
    }

    fn take(&mut self, lts: &Lts, choices: &[GivenChoice], run: &DeterminedRun) {
        let mut is_new = false;
        for edge in run.edges(true) {
            is_new |= !std::mem::replace(&mut self.is_taken[edge.index()], true);
        }
        if is_new {
            let variables = choices.iter().filter_map(|choice| Some((lts.variable(choice.variable?).name.clone(), choice.plain())));
            let draws = choices.iter().filter(|choice| choice.variable.is_none()).map(GivenChoice::plain);
            self.inputs.push(Input { values: gathered(variables), nondet: draws.collect(), ..Input::default() });
        }
    }

    /// Whether one of the runs takes the edge.
    pub fn takes(&self, edge: EdgeId) -> bool {
        self.is_taken[edge.index()]
    }
}

/// The claim that no run of a program with few inputs takes these undefined edges of the graph with undefined edges.
pub fn defined_enumerated_claim(number: usize, edges: &[EdgeId]) -> Claim {
    Claim::new(format!("defined-enumerated-{number}"), Statement::DefinedEnumerated { edges: numbers(edges) })
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
