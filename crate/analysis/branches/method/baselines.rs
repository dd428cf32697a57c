//! What searches without preconditions cover (BDP16, Section 7.4 and Table 2): random inputs, and forward searches that flip one decision of
//! a known run at a time, with this engine's solver.
//!
//! | paper | here |
//! |---|---|
//! | Rand | [`random`] |
//! | CREST-dfs | [`forward`] with [`Depth`] |
//! | CREST-cfg | [`forward`] with [`Distance`] |
//!
//! Steps of a forward search:
//! 1. Run an input: zeros at first. Each decision of its path, up to a depth, can be flipped unless a run has gone there; so can the one
//!    before which it ends.
//! 2. Ask the solver for an input that takes the path up to a decision and then the other side; the strategy says at which.
//! 3. If there is one, 1 with it.

use super::model::Model;
use super::path_replay::ModelWalk;
use super::runs::{KeptRun, RUN, zeros};
use crate::interp::{Input, Machine};
use crate::lts::sides::Side;
use crate::lts::{EdgeId, Lts};
use crate::run::random_inputs::RandomInputs;
use crate::search::SearchStep;
use crate::solver::meter::{Exhausted, Meter, RUN_STEPS};
use crate::solver::questions::NoLog;
use std::collections::VecDeque;

/// Decisions further along a path than this are not flipped.
const DEPTH: usize = 500;

/// A search without preconditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaselineSearch {
    Random,
    Depth,
    Distance,
}

impl BaselineSearch {
    pub const ALL: [BaselineSearch; 3] = [BaselineSearch::Random, BaselineSearch::Depth, BaselineSearch::Distance];

    /// Searches until the steps are used up or nothing is left to do; the seed decides what is random.
    pub fn search(self, lts: &Lts, sides: &[Side], seed: u64, meter: &mut Meter) -> Covered {
        match self {
            BaselineSearch::Random => random(lts, sides, seed, meter),
            BaselineSearch::Depth => forward(lts, sides, &mut Depth::default(), meter),
            BaselineSearch::Distance => forward(lts, sides, &mut Distance::new(lts), meter),
        }
    }
}

/// Steps that an input costs which is drawn.
const DRAWING: u64 = 10;

/// What a search has covered.
#[derive(Clone, Debug)]
pub struct Covered {
    /// For each side whether a run took it.
    pub sides: Vec<bool>,
    pub runs: u64,
    /// Steps that were used until the last side was covered, and in all.
    pub steps: [u64; 2],
}

/// Runs random inputs until the steps are used up or all sides are covered.
pub fn random(lts: &Lts, sides: &[Side], seed: u64, meter: &mut Meter) -> Covered {
    let machine = Machine::new(lts);
    let mut progress = BaselineProgress::new(lts, sides);
    let mut inputs = RandomInputs::new(lts, seed);
    while !progress.is_done() && !meter.is_exhausted() {
        // The search ends with the steps.
        let _ = meter.spend(DRAWING).and_then(|()| progress.run(&machine, inputs.draw(), meter));
    }
    progress.covered(meter)
}

/// Searches forward until the steps are used up, all sides are covered or nothing is left to flip.
pub fn forward(lts: &Lts, sides: &[Side], strategy: &mut dyn Strategy, meter: &mut Meter) -> Covered {
    let mut progress = BaselineProgress::new(lts, sides);
    // The search ends with the steps.
    let _ = flip(lts, &mut progress, strategy, meter);
    progress.covered(meter)
}

fn flip(lts: &Lts, progress: &mut BaselineProgress, strategy: &mut dyn Strategy, meter: &mut Meter) -> Result<(), Exhausted> {
    let (machine, mut along, mut model) = (Machine::new(lts), ModelWalk::new(lts), Model::new(lts));
    let mut tests: Vec<KeptRun> = Vec::new();
    let mut next = Some(zeros(lts));
    loop {
        // 1.
        if let Some(input) = next.take() {
            let test = progress.run(&machine, input, meter)?;
            let path = &test.path[..test.path.len().min(DEPTH)];
            let states = model.add_run(tests.len(), path);
            let (mut at, mut ways) = (lts.entry, path.iter());
            for &state in &states {
                // Where a run ends before a decision, as it is undefined, both sides are left.
                let next = ways.next();
                for (other, _) in lts.outgoing(at).into_iter().filter(|(other, _)| next != Some(other)) {
                    strategy.offer(state, other);
                }
                at = next.map_or(at, |&edge| lts.edge(edge).2);
            }
            tests.push(test);
        }
        if progress.is_done() {
            return Ok(());
        }
        // 2.
        let Some((state, edge)) = strategy.next(&progress.taken) else { return Ok(()) };
        meter.spend(1)?;
        if model.follows(state, edge) || !along.go(state, &model, &tests, meter, &NoLog) {
            continue;
        }
        // 3.
        match along.walk.step(edge, meter, &NoLog) {
            SearchStep::Infeasible(_) => {}
            SearchStep::Open(_) => along.walk.back(),
            SearchStep::Feasible => {
                let found = along.walk.model().ok();
                next = found.map(|model| along.walk.told_input(&machine, &model, crate::logic::Pool::TRUE, meter));
                along.walk.back();
            }
        }
    }
}

/// Which decision is flipped next.
pub trait Strategy {
    /// From a reached state along the edge.
    fn offer(&mut self, state: usize, edge: EdgeId);

    /// The next one; `taken` are the edges that runs have taken.
    fn next(&mut self, taken: &[bool]) -> Option<(usize, EdgeId)>;
}

/// The last decision of the last run first.
#[derive(Default)]
pub struct Depth(Vec<(usize, EdgeId)>);

impl Strategy for Depth {
    fn offer(&mut self, state: usize, edge: EdgeId) {
        self.0.push((state, edge));
    }

    fn next(&mut self, _: &[bool]) -> Option<(usize, EdgeId)> {
        self.0.pop()
    }
}

/// The side first from which the fewest edges lead to one that no run has taken; of these the one that was tried least.
pub struct Distance<'a> {
    lts: &'a Lts,
    waiting: Vec<VecDeque<usize>>,
    tries: Vec<u32>,
    /// For each edge, and how many edges were taken when they were counted.
    distances: Vec<Option<u32>>,
    counted: usize,
}

impl<'a> Distance<'a> {
    pub fn new(lts: &'a Lts) -> Distance<'a> {
        let edges = lts.graph.edge_count();
        Distance { lts, waiting: vec![VecDeque::new(); edges], tries: vec![0; edges], distances: Vec::new(), counted: 0 }
    }

    /// Counts anew where something new was taken.
    fn count(&mut self, taken: &[bool]) {
        let now = taken.iter().filter(|&&taken| taken).count();
        if now == self.counted && !self.distances.is_empty() {
            return;
        }
        self.counted = now;
        let lts = self.lts;
        self.distances = taken.iter().map(|&taken| (!taken).then_some(0)).collect();
        let mut queue: VecDeque<EdgeId> = lts.graph.edge_indices().filter(|edge| !taken[edge.index()]).collect();
        while let Some(edge) = queue.pop_front() {
            let before = lts.graph.edges_directed(lts.edge(edge).1, petgraph::Direction::Incoming);
            let further = self.distances[edge.index()].map(|distance| distance + 1);
            for before in before.map(|before| petgraph::visit::EdgeRef::id(&before)) {
                let distance = &mut self.distances[before.index()];
                if distance.is_none() {
                    *distance = further;
                    queue.push_back(before);
                }
            }
        }
    }
}

impl Strategy for Distance<'_> {
    fn offer(&mut self, state: usize, edge: EdgeId) {
        self.waiting[edge.index()].push_back(state);
    }

    fn next(&mut self, taken: &[bool]) -> Option<(usize, EdgeId)> {
        self.count(taken);
        let waiting = self.lts.graph.edge_indices().filter(|edge| !self.waiting[edge.index()].is_empty());
        // What leads nowhere new comes last.
        let edge = waiting.min_by_key(|edge| (self.distances[edge.index()].unwrap_or(u32::MAX), self.tries[edge.index()], *edge))?;
        self.tries[edge.index()] += 1;
        self.waiting[edge.index()].pop_front().map(|state| (state, edge))
    }
}

/// What is covered so far.
struct BaselineProgress<'s> {
    sides: &'s [Side],
    covered: Vec<bool>,
    taken: Vec<bool>,
    runs: u64,
    covered_at: u64,
}

impl<'s> BaselineProgress<'s> {
    fn new(lts: &Lts, sides: &'s [Side]) -> BaselineProgress<'s> {
        let taken = vec![false; lts.graph.edge_count()];
        BaselineProgress { sides, covered: vec![false; sides.len()], taken, runs: 0, covered_at: 0 }
    }

    fn is_done(&self) -> bool {
        self.covered.iter().all(|&covered| covered)
    }

    fn run(&mut self, machine: &Machine, input: Input, meter: &mut Meter) -> Result<KeptRun, Exhausted> {
        let Some((input, run)) = machine.drawn_run(&input, RUN) else {
            meter.spend(1)?;
            return Ok(KeptRun { input, path: Vec::new(), outcome: crate::interp::Outcome::Steps, after: Vec::new(), only: None });
        };
        meter.spend(1 + run.edges.len() as u64 / RUN_STEPS)?;
        self.runs += 1;
        let mut is_new = false;
        for edge in &run.edges {
            is_new |= !std::mem::replace(&mut self.taken[edge.index()], true);
        }
        if is_new {
            for (covered, side) in self.covered.iter_mut().zip(self.sides) {
                *covered = *covered || side.edges.iter().any(|edge| self.taken[edge.index()]);
            }
            self.covered_at = meter.used();
        }
        Ok(KeptRun { input, path: run.edges, outcome: run.outcome, after: Vec::new(), only: None })
    }

    fn covered(self, meter: &Meter) -> Covered {
        Covered { sides: self.covered, runs: self.runs, steps: [self.covered_at, meter.used()] }
    }
}
