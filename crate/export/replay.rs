//! The run of a test, recorded: the one source of what a file says of the test.

use crate::interp::{ArrayInput, Drawn, Input, Machine, Outcome, RunState, Snapshot, Watch};
use crate::logic::Int;
use crate::lts::sides::Side;
use crate::lts::{EdgeId, Expr, Lts};
use std::ops::ControlFlow;

/// Steps after which a run counts as one that does not end.
pub const ENDLESS: u64 = 2_000_000;
/// Steps of a run that is recorded, at most.
pub const RECORDED: u64 = 400_000;
/// Of a run that does not end, so many are recorded.
const BEGINNING: u64 = 20_000;

/// A recorded run.
pub struct Replay {
    pub edges: Vec<EdgeId>,
    pub outcome: Outcome,
    /// What the function gives back.
    pub value: Option<Int>,
    pub draws: Vec<LocatedDraw>,
    /// For each array of the model the least and the greatest index that the run looks at.
    pub touched: Vec<Option<(Int, Int)>>,
    /// For each array of the model whether the run may read an element that it has not written before.
    pub reads_first: Vec<bool>,
    pub output: Vec<u8>,
    /// Whether the output has a number with a sign that is not known, or a string that is not.
    pub has_unknown_output: bool,
    pub before: ModelValues,
    pub after: ModelValues,
}

/// A value that a run draws, and where.
#[derive(Clone, Debug)]
pub struct LocatedDraw {
    /// Its number in the input; none where it is read from standard input.
    pub number: Option<usize>,
    pub drawn: Drawn,
    pub edge: EdgeId,
    /// How many edges the run has taken before.
    pub step: usize,
    /// Of a write of a function without a body: the indices of [`crate::lts::Through`], where there are some.
    pub indices: Option<Vec<Int>>,
}

/// What all variables and arrays of the model hold.
#[derive(Clone, Debug, Default)]
pub struct ModelValues {
    pub scalars: Vec<Int>,
    pub arrays: Vec<ArrayInput>,
}

impl ModelValues {
    fn of(lts: &Lts, state: &RunState<'_>) -> ModelValues {
        let scalar = |number: usize| state.variable(crate::lts::VariableId(number as u32)).clone();
        let array = |number: usize| state.held(crate::lts::ArrayId(number as u32));
        ModelValues { scalars: (0..lts.variables.len()).map(scalar).collect(), arrays: (0..lts.arrays.len()).map(array).collect() }
    }
}

/// The element of an array with this index.
pub fn element(contents: &ArrayInput, index: &Int) -> Int {
    contents.elements.get(index).unwrap_or(&contents.default).clone()
}

struct RunRecorder<'l> {
    lts: &'l Lts,
    edges: Vec<EdgeId>,
    draws: Vec<LocatedDraw>,
    output: Vec<u8>,
    has_unknown_output: bool,
}

impl Watch for RunRecorder<'_> {
    fn taken(&mut self, edge: EdgeId, after: &RunState<'_>) -> ControlFlow<()> {
        self.edges.push(edge);
        self.take_draws(edge, after);
        ControlFlow::Continue(())
    }

    fn wants_output(&self) -> bool {
        true
    }

    fn printed(&mut self, bytes: &[u8]) {
        self.output.extend(bytes);
    }

    fn printed_unknown(&mut self) {
        self.has_unknown_output = true;
    }
}

impl RunRecorder<'_> {
    /// Takes over what was drawn since the last edge.
    fn take_draws(&mut self, edge: EdgeId, state: &RunState<'_>) {
        let Some(record) = state.record() else { return };
        for draw in &record.draws[self.draws.len()..] {
            let through = self.lts.graph[edge].through.as_ref();
            let value = |index: &Expr| state.value_of(index);
            let indices = through.and_then(|through| through.indices.iter().map(value).collect());
            let step = self.edges.len().saturating_sub(1);
            self.draws.push(LocatedDraw { number: draw.number, drawn: draw.drawn.clone(), edge, step, indices });
        }
    }
}

/// Follows a run to its end, or to a state that it was in before at the same edge: from there on it repeats itself. Of the states before,
/// one is kept, at steps that are powers of two (R. Brent, An improved Monte Carlo factorization algorithm, 1980).
struct Scout {
    edges: Vec<EdgeId>,
    steps: u64,
    next: u64,
    earlier: Option<(EdgeId, Snapshot)>,
    repeats: bool,
}

impl Watch for Scout {
    fn taken(&mut self, edge: EdgeId, after: &RunState<'_>) -> ControlFlow<()> {
        self.steps += 1;
        if self.edges.len() < RECORDED as usize {
            self.edges.push(edge);
        }
        if self.earlier.as_ref().is_some_and(|(at, earlier)| *at == edge && after.is_like(earlier)) {
            self.repeats = true;
            return ControlFlow::Break(());
        }
        if self.steps == self.next {
            self.next *= 2;
            self.earlier = Some((edge, after.snapshot()));
        }
        ControlFlow::Continue(())
    }
}

/// Runs a test once more and records it; none where it takes more steps than can be recorded, and is not known to go on for ever.
pub fn replay(lts: &Lts, input: &Input) -> Option<Replay> {
    let machine = Machine::deep(lts);
    // Without a record a run is fast, so that the end of a long one is found.
    let mut scout = Scout { edges: Vec::new(), steps: 0, next: 1, earlier: None, repeats: false };
    let first = machine.watch(input, ENDLESS, &mut scout);
    let Scout { edges, repeats: is_endless, .. } = scout;
    if !is_endless && (first.outcome == Outcome::Steps || edges.len() as u64 >= RECORDED) {
        return None;
    }
    let before = ModelValues::of(lts, &machine.initial(input));
    let mut recorder = RunRecorder { lts, edges: Vec::new(), draws: Vec::new(), output: Vec::new(), has_unknown_output: false };
    let (run, state) = machine.record(input, if is_endless { BEGINNING } else { RECORDED }, &mut recorder);
    if let Some(stopped) = run.stopped_before {
        recorder.take_draws(stopped, &state);
    }
    let touched = state.record().map(|record| record.touched.clone()).unwrap_or_default();
    // Of a run without an end the beginning is recorded.
    let is_whole = |_: &&crate::interp::Record| !is_endless;
    let reads_first = state.record().filter(is_whole).map_or_else(|| vec![true; lts.arrays.len()], |record| record.reads_first.clone());
    let after = ModelValues::of(lts, &state);
    let RunRecorder { draws, output, has_unknown_output, edges: recorded, .. } = recorder;
    let edges = if is_endless { edges } else { recorded };
    let outcome = if is_endless { Outcome::Steps } else { first.outcome };
    Some(Replay { edges, outcome, value: first.value, draws, touched, reads_first, output, has_unknown_output, before, after })
}

/// The sides that a run takes.
pub fn taken(sides: &[Side], replay: &Replay) -> Vec<usize> {
    (0..sides.len()).filter(|&at| sides[at].edges.iter().any(|edge| replay.edges.contains(edge))).collect()
}
