//! A search forward that goes on from each state of the program once: for machines that get to their branches after many rounds, along paths
//! of which each round multiplies the number.
//!
//! Source: state matching as in W. Visser, C. Păsăreanu and R. Pelánek, *Test Input Generation for Java Containers using State Matching*, 2006,
//! where an abstraction of the state decides that a path adds nothing.
//!
//! 1. A *state* is the last loop header that a run has passed, with the values that the variables have there which the program sets to
//!    constants and which flow into conditions.
//! 2. Of each run in turn, at each decision: the side that it does not take is tried after the run's path up to there, unless a run has taken
//!    it in the same state, or it was tried some times in it.
//! 3. A run that takes a side in a state in which none has joins the others, from where it was diverted.
//!
//! What is found are inputs, which are run again. It ends where no run is left, so always where there are finitely many states; counters make
//! infinitely many, and then it ends with the steps.

use super::model::Model;
use super::path_replay::ModelWalk;
use super::runs::KeptRun;
use crate::interp::{self, Input, Machine};
use crate::logic::{Int, Pool, SortedSet};
use crate::lts::relevance::Relevance;
use crate::lts::structure::Structure;
use crate::lts::{EdgeId, Expr, Label, LocationId, Lts, VariableId};
use crate::run::trace::Trace;
use crate::search::SearchStep;
use crate::solver::meter::{Exhausted, Meter, RUN_STEPS};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// A run is followed for so many edges.
const LONGEST: usize = 10_000;
/// Paths of so many edges together are kept.
const MOST: usize = 1_000_000;
/// A side is tried so often in a state.
const TRIES: u8 = 6;

/// The search.
pub struct Matching<'a> {
    lts: &'a Lts,
    machine: &'a Machine<'a>,
    along: ModelWalk<'a>,
    model: Model<'a>,
    tests: Vec<KeptRun>,
    /// Runs to divert, and from which position on.
    waiting: VecDeque<(usize, usize)>,
    states: PassedStates,
    /// In which states an edge was taken, and how often it was tried.
    taken: FxHashSet<(u32, EdgeId)>,
    tried: FxHashMap<(u32, EdgeId), u8>,
    /// For each edge whether a run takes it.
    edges: Vec<bool>,
}

impl<'a> Matching<'a> {
    /// Begins with no run.
    pub fn new(lts: &'a Lts, machine: &'a Machine<'a>) -> Matching<'a> {
        Matching {
            lts,
            machine,
            along: ModelWalk::new(lts),
            model: Model::new(lts),
            tests: Vec::new(),
            waiting: VecDeque::new(),
            states: PassedStates::new(lts),
            taken: FxHashSet::default(),
            tried: FxHashMap::default(),
            edges: vec![false; lts.graph.edge_count()],
        }
    }

    /// Takes over what others know: inputs whose runs take something new are kept.
    ///
    /// # Errors
    /// When the steps are used up.
    pub fn know<'i>(&mut self, inputs: impl Iterator<Item = &'i Input>, meter: &mut Meter) -> Result<(), Exhausted> {
        for input in inputs {
            self.run(input, 0, meter)?;
        }
        Ok(())
    }

    /// Searches on; gives the next input whose run takes an edge that none takes yet, if there is one.
    ///
    /// # Errors
    /// When the steps are used up; it can go on then with others.
    pub fn next(&mut self, meter: &mut Meter, trace: &Trace) -> Result<Option<Input>, Exhausted> {
        while let Some(&(number, first)) = self.waiting.front() {
            let path = self.tests[number].path.clone();
            let reached = self.model.add_run(number, &path);
            let passed = self.states.passed(self.lts, self.machine, &self.tests[number].input);
            for position in first..=path.len() {
                let location = position.checked_sub(1).map_or(self.lts.entry, |before| self.lts.edge(path[before]).2);
                let sides = self.lts.outgoing(location);
                let goes = path.get(position);
                for (edge, _) in sides.into_iter().filter(|(edge, _)| Some(edge) != goes) {
                    let key = (passed[position], edge);
                    let tried = self.tried.entry(key).or_insert(0);
                    if self.taken.contains(&key) || *tried == TRIES {
                        continue;
                    }
                    *tried += 1;
                    meter.spend(1)?;
                    let Some(input) = self.diverted(reached[position], edge, meter, trace) else { continue };
                    if self.run(&input, position + 1, meter)? {
                        return Ok(Some(input));
                    }
                }
                self.waiting[0].1 = position + 1;
            }
            self.waiting.pop_front();
        }
        Ok(None)
    }

    /// An input that gets to the reached state and then takes the edge.
    fn diverted(&mut self, state: usize, edge: EdgeId, meter: &mut Meter, trace: &Trace) -> Option<Input> {
        if !self.along.go(state, &self.model, &self.tests, meter, trace) {
            return None;
        }
        match self.along.walk.step(edge, meter, trace) {
            SearchStep::Infeasible(_) => None,
            SearchStep::Open(_) => {
                self.along.walk.back();
                None
            }
            SearchStep::Feasible => {
                let found = self.along.walk.model().ok();
                let found = found.map(|model| self.along.walk.told_input(self.machine, &model, Pool::TRUE, meter));
                self.along.walk.back();
                found
            }
        }
    }

    /// Runs an input, which was diverted before this position; gives whether it takes an edge that none takes.
    fn run(&mut self, input: &Input, position: usize, meter: &mut Meter) -> Result<bool, Exhausted> {
        let Some((input, run)) = self.machine.drawn_run(input, LONGEST as u64) else { return Ok(false) };
        let input = &input;
        meter.spend(1 + run.edges.len() as u64 / RUN_STEPS)?;
        let passed = self.states.passed(self.lts, self.machine, input);
        let mut is_matched = true;
        for (&edge, &state) in run.edges.iter().zip(&passed) {
            is_matched &= !self.taken.insert((state, edge));
        }
        let is_new = run.edges.iter().fold(false, |new, edge| new | !std::mem::replace(&mut self.edges[edge.index()], true));
        if !is_matched && self.model.reached.len() < MOST {
            let number = self.tests.len();
            self.model.add_run(number, &run.edges);
            self.tests.push(KeptRun { input: input.clone(), path: run.edges, outcome: run.outcome, after: Vec::new(), only: None });
            self.waiting.push_back((number, position));
        }
        Ok(is_new)
    }
}

/// 1.: the states that runs have passed, numbered.
struct PassedStates {
    /// What is followed at each loop header; none elsewhere.
    followed: Vec<Option<Vec<VariableId>>>,
    numbers: FxHashMap<(LocationId, Vec<Int>), u32>,
}

impl PassedStates {
    fn new(lts: &Lts) -> PassedStates {
        let relevance = Relevance::flowing(lts, &|_| true);
        let set = |edge: &crate::lts::Edge| match &edge.label {
            Label::Assign(variable, Expr::Int(_)) => Some(*variable),
            _ => None,
        };
        let constants: SortedSet<VariableId> = lts.graph.edge_weights().filter_map(set).collect();
        let mut followed = vec![None; lts.graph.node_count()];
        for &header in &Structure::new(lts).loop_headers {
            followed[header.index()] = Some(constants.iter().copied().filter(|&id| relevance.variable(header, id)).collect());
        }
        PassedStates { followed, numbers: FxHashMap::default() }
    }

    /// The state in which each edge of the input's run is taken, and the last one.
    fn passed(&mut self, lts: &Lts, machine: &Machine, input: &Input) -> Vec<u32> {
        let mut passing = Passing { lts, states: self, passed: vec![0] };
        machine.watch(input, LONGEST as u64, &mut passing);
        passing.passed
    }
}

/// Watches which states a run passes.
struct Passing<'s> {
    lts: &'s Lts,
    states: &'s mut PassedStates,
    passed: Vec<u32>,
}

impl interp::Watch for Passing<'_> {
    fn taken(&mut self, edge: EdgeId, after: &interp::RunState<'_>) -> ControlFlow<()> {
        let location = self.lts.edge(edge).2;
        let state = match &self.states.followed[location.index()] {
            Some(followed) => {
                let values = followed.iter().map(|&id| after.variable(id).clone()).collect();
                let fresh = self.states.numbers.len() as u32 + 1;
                *self.states.numbers.entry((location, values)).or_insert(fresh)
            }
            None => self.passed.last().copied().unwrap_or(0),
        };
        self.passed.push(state);
        ControlFlow::Continue(())
    }
}
