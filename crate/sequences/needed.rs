//! The statics that a run needs where no calls are known to leave them.

use crate::evidence::check::another_start;
use crate::interp::{ArrayInput, Input, Machine};
use crate::load::Loaded;
use crate::logic::Int;
use crate::lts::EdgeId;
use crate::view::{self, InputValue, Number, input_view};

/// Steps of a run.
const RUN: u64 = 20_000;
/// Elements of an array that are told.
const ELEMENTS: usize = 8;

/// Values of statics that a run needs, by name; elements of arrays by their index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needed {
    pub state: view::Input,
}

/// Whether a run with this input begins as a first call does, or calls before it are known.
pub fn is_reachable_start(loaded: &Loaded, input: &Input, after: &[view::Call]) -> bool {
    !after.is_empty() || another_start(&loaded.base, input).is_none()
}

/// The statics without whose values a run with this input takes none of these edges: statics with other values than their first, and statics
/// that have to keep their first values.
pub fn needed(loaded: &Loaded, input: &Input, edges: &[EdgeId]) -> Needed {
    needed_by(loaded, input, &|path| path.iter().any(|edge| edges.contains(edge)))
}

/// As [`needed`], where the run takes no such path without them.
pub fn needed_by(loaded: &Loaded, input: &Input, is_such: &dyn Fn(&[EdgeId]) -> bool) -> Needed {
    let machine = Machine::deep(&loaded.lts);
    let takes = |input: &Input| is_such(&machine.run(input, RUN).edges);
    let mut least = input.clone();
    for variable in loaded.base.variables.iter().filter(|variable| variable.first.is_some()) {
        let Some(value) = least.values.remove(&variable.name) else { continue };
        if variable.first.as_ref() == Some(&value) || takes(&least) {
            continue;
        }
        least.values.insert(variable.name.clone(), value);
    }
    let others: Vec<Int> = least.values.values().cloned().collect();
    let mut at_first = Vec::new();
    for variable in loaded.base.variables.iter().filter(|_| !others.is_empty()) {
        let Some(first) = variable.first.as_ref().filter(|_| !least.values.contains_key(&variable.name)) else { continue };
        let is_possible = |value: &&Int| variable.range.is_none_or(|range| range.contains(value)) && *value != first;
        let beside = [&Int::ONE, &Int::ZERO].into_iter().chain(&others).find(is_possible).cloned();
        let with = |value| {
            let mut other = least.clone();
            other.values.insert(variable.name.clone(), value);
            other
        };
        if beside.is_some_and(|value| !takes(&with(value))) {
            at_first.push((variable.name.clone(), InputValue::Scalar(Number::in_range(first, variable.start_range()))));
        }
    }
    for array in loaded.base.arrays.iter() {
        let Some(first) = &array.first else { continue };
        let Some(contents) = least.arrays.remove(&array.name) else { continue };
        if !contents.starts_as(first, array.length.as_ref()) && !takes(&least) {
            least.arrays.insert(array.name.clone(), fewer(contents, first));
        }
    }
    let is_static = |name: &String| {
        loaded.base.variables.iter().any(|variable| variable.first.is_some() && variable.name == *name)
            || loaded.base.arrays.iter().any(|array| array.first.is_some() && array.name == *name)
    };
    least.values.retain(|name, _| is_static(name));
    least.arrays.retain(|name, _| is_static(name));
    let (values, arrays) = (least.values, least.arrays);
    let mut state = input_view(&loaded.base, &Input { values, arrays, ..Input::default() });
    state.values.extend(at_first);
    Needed { state: state.with_parts(&loaded.base) }
}

/// The elements that are not as at first.
fn fewer(contents: ArrayInput, first: &[Int]) -> ArrayInput {
    let at_first = |index: &Int| index.to_i64().and_then(|index| first.get(usize::try_from(index).ok()?).cloned()).unwrap_or_default();
    let elements = contents.elements.iter().filter(|(index, value)| at_first(index) != **value);
    ArrayInput { elements: elements.map(|(index, value)| (index.clone(), value.clone())).collect(), default: contents.default }
}

impl Needed {
    /// Why a goal is open that only such a run takes, for people.
    pub fn why(&self) -> String {
        let mut values: Vec<String> = Vec::new();
        for (name, value) in &self.state.values {
            match value {
                InputValue::Scalar(value) => {
                    let written = self.state.written_as.iter().find(|part| part.name == *name);
                    values.push(format!("{name} = {}", written.map_or_else(|| number(value), |part| part.text.clone())));
                }
                InputValue::Array(elements) => {
                    let listed = elements.iter().filter(|(index, value)| *index != "default" || **value != Number::Small(0));
                    let named = |(index, value): (&String, &Number)| match index.as_str() {
                        "default" => format!("{name}[…] = {}", number(value)),
                        index => format!("{name}[{index}] = {}", number(value)),
                    };
                    let mut listed: Vec<String> = listed.map(named).collect();
                    if listed.len() > ELEMENTS {
                        listed.truncate(ELEMENTS);
                        listed.push("…".to_owned());
                    }
                    values.extend(listed);
                }
            }
        }
        let together = if values.len() > 1 { " together" } else { "" };
        format!("it needs `{}`, which no calls are known to leave{together}", values.join("`, `"))
    }
}

fn number(number: &Number) -> String {
    match number {
        Number::Small(small) => small.to_string(),
        Number::Large(text) => text.clone(),
    }
}
