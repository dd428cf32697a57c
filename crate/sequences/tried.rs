//! Calls that are tried one after another, from the program's start on.
//!
//! 1. The first state is that of the program's start.
//! 2. In each state the function itself is called with some arguments; what takes a goal is a test.
//! 3. What calls of all functions leave are further states, the ones after few calls first. A state that was met before is not looked at
//!    again. Of many states after equally many calls those are kept that a run with a new edge left, then those with a new value of a
//!    static: a protocol goes on where something happens for the first time, and a counter where it grows.
//! 4. Where goals are left, the search begins anew, and the last call of each state is repeated, too.
//!
//! This is the only search where statics lead to memory: no chain of calls is a graph then ([`Chain`](crate::lts::calls::Chain)).

use super::Test;
use super::arguments::CallArguments;
use super::cut::TriedCall;
use crate::evidence::sequence::{LeftValues, Statics, world_of_calls};
use crate::interp::{Input, Machine, Outcome, RunState, Watch};
use crate::load::{Loaded, exact};
use crate::logic::{Arrange, Int, SortedMap, SortedSet};
use crate::lts::assume::under;
use crate::lts::node_cells::of_nodes;
use crate::lts::{EdgeId, Lts};
use crate::solver::meter::{Exhausted, Meter};
use crate::view::{Call, input_view};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;

/// Steps of each call.
const RUN: u64 = 20_000;

/// Calls before the last one, at most, but for repeated ones.
const MOST_CALLS: usize = 12;

/// A call is repeated so often, besides.
const REPEATED: usize = 16;

/// States after equally many calls, at most.
const MOST_STATES: usize = 60;

/// Values of statics that are arguments, at most.
const MOST_VALUES: usize = 8;

/// Values of one static that count as new, at most: a clock has many.
const MOST_NEW: usize = 64;

/// Sequences of calls after which something was new, at most.
const MOST_HISTORIES: usize = 100;

/// A function that calls try.
struct Tried<'l> {
    lts: &'l Lts,
    machine: Machine<'l>,
    arguments: CallArguments,
    /// Whether calls of it leave states: at most one call of a test reads standard input, and that is the last one.
    leaves: bool,
}

/// What statics hold after some calls.
#[derive(Clone, Default)]
struct LeftState {
    statics: Statics,
    before: Vec<Call>,
    /// The same calls.
    history: Vec<TriedCall>,
    /// 0 where the last call took a new edge, 1 where it left a new value, else 2.
    rank: u32,
}

/// What the calls up to now have taken and left.
#[derive(Default)]
struct SeenCalls {
    states: FxHashSet<Statics>,
    /// The number of the function, and the edge.
    edges: SortedSet<(usize, EdgeId)>,
    /// For each static its values.
    values: SortedMap<String, SortedSet<Int>>,
    /// Calls after which something was new.
    histories: Vec<Vec<TriedCall>>,
}

/// The edges of a run.
#[derive(Default)]
struct CallEdges(Vec<EdgeId>);

impl Watch for CallEdges {
    fn taken(&mut self, edge: EdgeId, _: &RunState<'_>) -> ControlFlow<()> {
        self.0.push(edge);
        ControlFlow::Continue(())
    }
}

/// Gives tests whose runs take goals to `keep`, until that says that nothing is left. `from_any` are inputs of the function from any state.
/// Gives calls after which a run took a new edge or left a new value.
pub fn tried(loaded: &Loaded, from_any: &[Input], meter: &mut Meter, keep: &mut dyn FnMut(Test) -> bool) -> Vec<Vec<TriedCall>> {
    let Some(calls) = loaded.base.calls.as_ref() else { return Vec::new() };
    let world = world_of_calls(exact(loaded.assumed));
    let others = calls.functions.iter().filter(|other| other.from_outside && other.lts.function != loaded.base.function);
    let graphs: Vec<Lts> = std::iter::once(&loaded.base).chain(others.map(|other| &other.lts)).map(|lts| under(lts, world)).collect();
    let functions: Vec<Tried<'_>> = graphs
        .iter()
        .enumerate()
        .map(|(at, lts)| {
            let given = if at == 0 { from_any.iter().map(|input| without_state(lts, input)).collect() } else { Vec::new() };
            let arguments = CallArguments::new(lts, given, from_any);
            Tried { lts, machine: Machine::deep(lts), arguments, leaves: !lts.reads_stdin() }
        })
        .collect();
    let own = Machine::deep(&loaded.lts);
    let mut seen = SeenCalls::default();
    for repeats in [false, true] {
        // The histories stay: they are what guesses begin with.
        seen = SeenCalls { histories: seen.histories, ..SeenCalls::default() };
        if settled(&functions, &own, repeats, &mut seen, meter, keep) {
            break;
        }
    }
    seen.histories
}

/// Whether nothing is left of the goals, or of the steps, after calls, each of them once or also (`repeats`) again and again.
fn settled(
    functions: &[Tried<'_>],
    own: &Machine<'_>,
    repeats: bool,
    seen: &mut SeenCalls,
    meter: &mut Meter,
    keep: &mut dyn FnMut(Test) -> bool,
) -> bool {
    // 1.
    let mut layer = vec![LeftState::default()];
    for _ in 0..=MOST_CALLS {
        let mut next = Vec::new();
        for state in &layer {
            let values: SortedSet<&Int> = state.statics.numbers().map(|(_, value)| value).collect();
            let arguments = |of: &Tried<'_>| -> Vec<Input> {
                of.arguments
                    .usual
                    .iter()
                    .cloned()
                    .chain(values.iter().take(MOST_VALUES).flat_map(|value| of.arguments.with_value(value)))
                    .collect()
            };
            // 2.
            for mut input in arguments(&functions[0]) {
                if state.statics.give(functions[0].lts, &mut input).is_err() {
                    continue;
                }
                let run = own.run(&input, RUN);
                input.nondet.truncate(run.nondet_used);
                if meter.spend(run.edges.len() as u64 + 1).is_err() || keep(Test { input, path: run.edges, after: state.before.clone() }) {
                    return true;
                }
            }
            // 3.
            if repeats {
                match repeated(functions, state, seen, meter) {
                    Ok(left) => next.extend(left),
                    Err(_) => return true,
                }
            }
            for (number, function) in functions.iter().enumerate().filter(|(_, function)| function.leaves) {
                for given in arguments(function) {
                    match left(function, number, given, state, seen, meter) {
                        Ok(Some(left)) => next.push(left),
                        Ok(None) => {}
                        Err(_) => return true,
                    }
                }
            }
        }
        next.arrange_by_key(|state: &LeftState| state.rank);
        next.truncate(MOST_STATES);
        layer = next;
    }
    false
}

/// The new states that the last call leaves once more and once more: what filters, counts or times out needs many calls that are alike.
fn repeated(functions: &[Tried<'_>], state: &LeftState, seen: &mut SeenCalls, meter: &mut Meter) -> Result<Vec<LeftState>, Exhausted> {
    let mut found: Vec<LeftState> = Vec::new();
    let Some(last) = state.history.last() else { return Ok(found) };
    let called = functions.iter().enumerate().find(|(_, function)| function.lts.function == last.function);
    let Some((number, function)) = called else { return Ok(found) };
    while found.len() < REPEATED {
        let before = found.last().unwrap_or(state);
        match left(function, number, last.input.clone(), before, seen, meter)? {
            Some(next) => found.push(next),
            None => break,
        }
    }
    Ok(found)
}

/// The state that one more call leaves, if it is new.
fn left(
    function: &Tried<'_>,
    number: usize,
    mut given: Input,
    state: &LeftState,
    seen: &mut SeenCalls,
    meter: &mut Meter,
) -> Result<Option<LeftState>, Exhausted> {
    let mut input = given.clone();
    if state.statics.give(function.lts, &mut input).is_err() {
        return Ok(None);
    }
    let mut taken = CallEdges::default();
    let (run, end) = function.machine.finish(&input, RUN, &mut taken);
    meter.spend(taken.0.len() as u64 + 1)?;
    let mut statics = state.statics.clone();
    let values = LeftValues { variable: &|id| end.variable(id).clone(), array: &|id| end.held(id) };
    if run.outcome != Outcome::Returned || statics.take(function.lts, &values).is_err() || seen.states.contains(&statics) {
        return Ok(None);
    }
    seen.states.insert(statics.clone());
    let mut rank = 2;
    for (name, value) in statics.numbers() {
        let values = seen.values.entry(name.to_owned()).or_default();
        if values.len() < MOST_NEW && values.insert(value.clone()) {
            rank = 1;
        }
    }
    for edge in taken.0 {
        if seen.edges.insert((number, edge)) {
            rank = 0;
        }
    }
    given.nondet.truncate(run.nondet_used);
    let tried = TriedCall { function: function.lts.function.clone(), input: given.clone() };
    let history: Vec<TriedCall> = state.history.iter().cloned().chain([tried]).collect();
    if rank < 2 && seen.histories.len() < MOST_HISTORIES {
        seen.histories.push(history.clone());
    }
    let call = Call { function: function.lts.function.clone(), input: input_view(function.lts, &given).with_parts(function.lts) };
    Ok(Some(LeftState { statics, before: state.before.iter().cloned().chain([call]).collect(), history, rank }))
}

/// The input without statics, and without the memory of callers.
fn without_state(lts: &Lts, input: &Input) -> Input {
    let mut own = input.clone();
    for variable in lts.variables.iter().filter(|variable| variable.first.is_some()) {
        own.values.remove(&variable.name);
    }
    for array in lts.arrays.iter().filter(|array| array.first.is_some() || of_nodes(array).is_some()) {
        own.arrays.remove(&array.name);
    }
    own
}
