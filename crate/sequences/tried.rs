//! Calls that are tried one after another, where statics lead to memory: no chain of calls is a graph then ([`Chain`](crate::lts::calls::Chain)).
//!
//! 1. The first state is that of the program's start.
//! 2. In each state the function itself is called with some arguments; what takes a goal is a test.
//! 3. What calls of all functions leave are further states, the ones after few calls first. A state that was met before is not looked at again.

use super::Test;
use crate::evidence::sequence::{LeftValues, Statics, Unwatched, world_of_calls};
use crate::interp::{ArrayInput, Input, Machine, Outcome};
use crate::load::{Loaded, exact};
use crate::logic::{Arrange, Int, SortedSet};
use crate::lts::assume::under;
use crate::lts::inputs::inputs;
use crate::lts::node_cells::of_nodes;
use crate::lts::{Lts, Origin, ValueMeaning};
use crate::solver::meter::Meter;
use crate::view::{Call, input_view};

/// Steps of each call.
const RUN: u64 = 20_000;

/// Calls before the last one, at most.
const MOST_CALLS: usize = 6;

/// States that are looked at, at most.
const MOST_STATES: usize = 600;

/// The arguments that each function is called with, at most.
const MOST_ARGUMENTS: usize = 24;

/// Integers that are arguments besides the ones that other inputs of the function have.
const USUAL: [i64; 5] = [0, 1, 2, -1, 3];

/// The first characters of texts that are arguments.
const LETTERS: [i64; 3] = [0, 97, 98];

/// The greatest integer that is taken from another input.
const GREATEST: i64 = 1 << 31;

/// A function that calls try.
struct Tried<'l> {
    lts: &'l Lts,
    machine: Machine<'l>,
    arguments: Vec<Input>,
}

/// Gives tests whose runs take goals to `keep`, until that says that nothing is left. `from_any` are inputs of the function from any state.
pub fn tried(loaded: &Loaded, from_any: &[Input], meter: &mut Meter, keep: &mut dyn FnMut(Test) -> bool) {
    let Some(calls) = loaded.base.calls.as_ref() else { return };
    let world = world_of_calls(exact(loaded.assumed));
    let graphs: Vec<Lts> = std::iter::once(&loaded.base)
        .chain(
            calls.functions.iter().filter(|other| other.from_outside && other.lts.function != loaded.base.function).map(|other| &other.lts),
        )
        .map(|lts| under(lts, world))
        .collect();
    if graphs.iter().any(Lts::reads_stdin) {
        return;
    }
    let integers = integers(from_any);
    let functions: Vec<Tried<'_>> = graphs
        .iter()
        .enumerate()
        .map(|(at, lts)| {
            let mut arguments: Vec<Input> =
                if at == 0 { from_any.iter().map(|input| without_state(lts, input)).collect() } else { Vec::new() };
            arguments.extend(arguments_of(lts, &integers));
            arguments.truncate(MOST_ARGUMENTS);
            Tried { lts, machine: Machine::new(lts), arguments }
        })
        .collect();
    let own = Machine::new(&loaded.lts);
    // 1.
    let mut met: Vec<Statics> = vec![Statics::default()];
    let mut layer: Vec<(Statics, Vec<Call>)> = vec![(Statics::default(), Vec::new())];
    for _ in 0..=MOST_CALLS {
        let mut next = Vec::new();
        for (state, before) in &layer {
            // 2.
            for arguments in &functions[0].arguments {
                let mut input = arguments.clone();
                if state.give(functions[0].lts, &mut input).is_err() {
                    continue;
                }
                let path = own.run(&input, RUN).edges;
                if meter.spend(path.len() as u64 + 1).is_err() || keep(Test { input, path, after: before.clone() }) {
                    return;
                }
            }
            // 3.
            for function in &functions {
                for arguments in &function.arguments {
                    if met.len() >= MOST_STATES {
                        break;
                    }
                    let mut input = arguments.clone();
                    if state.give(function.lts, &mut input).is_err() {
                        continue;
                    }
                    let (run, end) = function.machine.finish(&input, RUN, &mut Unwatched);
                    if meter.spend(run.edges.len() as u64 + 1).is_err() {
                        return;
                    }
                    let mut left = state.clone();
                    let values = LeftValues { variable: &|id| end.variable(id).clone(), array: &|id| end.held(id) };
                    if run.outcome != Outcome::Returned || left.take(function.lts, &values).is_err() || met.contains(&left) {
                        continue;
                    }
                    met.push(left.clone());
                    let input = input_view(function.lts, arguments).with_parts(function.lts);
                    let call = Call { function: function.lts.function.clone(), input };
                    next.push((left, before.iter().cloned().chain([call]).collect()));
                }
            }
        }
        layer = next;
    }
}

/// Whether statics of the function lead to memory.
pub fn lead_to_memory(lts: &Lts) -> bool {
    let is_pointer = |values: ValueMeaning| matches!(values, ValueMeaning::Nodes { .. });
    let is_variable = lts.variables.iter().any(|variable| variable.first.is_some() && is_pointer(variable.values));
    is_variable || lts.arrays.iter().any(|array| array.first.is_some() && is_pointer(array.values))
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

/// The integers in inputs, and usual ones.
fn integers(from_any: &[Input]) -> Vec<Int> {
    let mut found: SortedSet<Int> = SortedSet::new();
    for input in from_any {
        let elements = input.arrays.values().flat_map(|array| array.elements.values());
        found.extend(input.values.values().chain(elements).filter(|value| value.abs() <= Int::from(GREATEST)).cloned());
    }
    let usual: Vec<Int> = USUAL.into_iter().map(Int::from).collect();
    let mut others = found.into_iter().filter(|value| !usual[..3].contains(value)).collect::<Vec<_>>();
    others.arrange_by_key(Int::abs);
    others.truncate(8);
    let rest = usual[3..].iter().filter(|value| !others.contains(value)).cloned().collect::<Vec<_>>();
    usual[..3].iter().cloned().chain(others).chain(rest).collect()
}

/// Arguments of a function with these integers.
fn arguments_of(lts: &Lts, integers: &[Int]) -> Vec<Input> {
    let all = inputs(lts);
    let is_scalar = |id: &&crate::lts::VariableId| lts.variable(**id).origin == Origin::Parameter && lts.variable(**id).values.is_numeric();
    let scalars: Vec<&str> = all.variables.iter().filter(is_scalar).map(|id| lts.variable(*id).name.as_str()).collect();
    let texts = all.arrays.iter().map(|id| lts.array(*id)).filter(|array| array.first.is_none() && of_nodes(array).is_none());
    let texts: Vec<&str> = texts.filter(|array| array.values == ValueMeaning::Characters).map(|array| array.name.as_str()).collect();
    let each = match scalars.len() {
        0 | 1 => integers.len(),
        2 => 4,
        3 => 3,
        _ => 2,
    };
    let integers = &integers[..each.min(integers.len())];
    let least = if texts.is_empty() { 1 } else { LETTERS.len() };
    let count = integers.len().pow(scalars.len().min(4) as u32).clamp(least, MOST_ARGUMENTS);
    let of_number = |number: usize| {
        let mut rest = number;
        let mut input = Input::default();
        for (at, name) in scalars.iter().enumerate() {
            let value = integers.get(rest % integers.len()).cloned().unwrap_or_default();
            rest /= integers.len();
            input.values.insert((*name).to_owned(), if at < 4 { value } else { Int::ONE });
        }
        for name in &texts {
            let letter = Int::from(LETTERS[number % LETTERS.len()]);
            let elements = [(Int::ZERO, letter)].into_iter().filter(|(_, letter)| !letter.is_zero()).collect();
            input.arrays.insert((*name).to_owned(), ArrayInput { elements, default: Int::ZERO });
        }
        input
    };
    (0..count).map(of_number).collect()
}
