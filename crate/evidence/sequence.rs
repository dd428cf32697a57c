//! Calls one after another, from the start of the program on, and what they leave in statics.

pub use super::left_memory::LeftValues;
use super::left_memory::{LeftMemory, StaticKey};
use super::path::read_input;
use crate::interp::{ArrayInput, Input, Machine, Outcome, RunState, Watch};
use crate::logic::{Int, SortedMap};
use crate::lts::assume::{Assumption, Assumptions, under};
use crate::lts::calls::key;
use crate::lts::{ArrayId, EdgeId, Lts, VariableId};
use crate::view::Call;
use std::ops::ControlFlow;

/// Steps that each of the calls may take.
pub const CALL_STEPS: u64 = 100_000;

/// Elements of a static array that are compared.
const MAX_COMPARED: i64 = 1 << 16;

/// What statics hold; those that no call has changed have their first values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Statics {
    values: SortedMap<StaticKey, Int>,
    arrays: SortedMap<StaticKey, ArrayInput>,
    /// To what pointers among them lead.
    memory: LeftMemory,
}

/// The assumptions under which each of several calls runs.
pub fn world_of_calls(assumed: Assumptions) -> Assumptions {
    assumed.real().without(Assumption::FirstCall).without(Assumption::LeftByCalls)
}

/// Watches no edge of a run.
pub struct Unwatched;

impl Watch for Unwatched {
    fn taken(&mut self, _: EdgeId, _: &RunState<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Statics {
    /// Runs these calls, each of the function itself or of one of [`Lts::calls`]; gives what they leave.
    ///
    /// # Errors
    /// Which call is not possible, and why.
    pub fn left(base: &Lts, calls: &[Call], assumed: Assumptions) -> Result<Statics, String> {
        let others = base.calls.as_ref().map_or(&[][..], |calls| &calls.functions);
        let world = world_of_calls(assumed);
        let mut statics = Statics::default();
        let mut reading = u32::from(base.reads_stdin());
        for (call, number) in calls.iter().zip(1..) {
            let wrong = |why: String| format!("call {number}, of `{}`: {why}", call.function);
            let function = [base]
                .into_iter()
                .chain(others.iter().filter(|other| other.from_outside).map(|other| &other.lts))
                .find(|lts| lts.function == call.function);
            let function = function.ok_or_else(|| wrong("it is no function that leaves anything for this one".to_owned()))?;
            let lts = under(function, world);
            // They would share one text: what the first leaves is what the next reads.
            reading += u32::from(lts.reads_stdin());
            if reading > 1 {
                return Err(wrong("more than one of the calls reads standard input".to_owned()));
            }
            let mut input = read_input(&lts, &call.input).map_err(wrong)?;
            statics.give(&lts, &mut input).map_err(wrong)?;
            let machine = Machine::deep(&lts);
            let (run, state) = machine.finish(&input, CALL_STEPS, &mut Unwatched);
            if run.outcome != Outcome::Returned {
                return Err(wrong("it does not return".to_owned()));
            }
            let left = LeftValues { variable: &|id| state.variable(id).clone(), array: &|id| state.held(id) };
            statics.take(&lts, &left).map_err(wrong)?;
        }
        Ok(statics)
    }

    /// Lets an input of a function start with these.
    ///
    /// # Errors
    /// The input says something of a static itself, or a pointer leads to what the function sees otherwise.
    pub fn give(&self, lts: &Lts, input: &mut Input) -> Result<(), String> {
        let other = |name: &str| format!("`{name}` is what the calls before it left");
        for variable in lts.variables.iter().filter(|variable| variable.first.is_some()) {
            if input.values.contains_key(&variable.name) {
                return Err(other(&variable.name));
            }
            if let Some(value) = self.values.get(&key(&variable.name, variable.span)) {
                input.values.insert(variable.name.clone(), value.clone());
            }
        }
        for array in lts.arrays.iter().filter(|array| array.first.is_some()) {
            if input.arrays.contains_key(&array.name) {
                return Err(other(&array.name));
            }
            if let Some(contents) = self.arrays.get(&key(&array.name, array.span)) {
                input.arrays.insert(array.name.clone(), contents.clone());
            }
        }
        for (name, contents) in self.memory.given(lts)? {
            if input.arrays.get(&name).is_some_and(|given| !given.elements.is_empty()) {
                return Err(other(&name));
            }
            input.arrays.insert(name, contents);
        }
        Ok(())
    }

    /// Takes what a run left that began with these.
    ///
    /// # Errors
    /// A pointer is left that no other call can start with.
    pub fn take(&mut self, lts: &Lts, left: &LeftValues<'_>) -> Result<(), String> {
        for (variable, id) in lts.variables.iter().zip(0..).filter(|(variable, _)| variable.first.is_some()) {
            self.values.insert(key(&variable.name, variable.span), (left.variable)(VariableId(id)));
        }
        for (array, id) in lts.arrays.iter().zip(0..).filter(|(array, _)| array.first.is_some()) {
            self.arrays.insert(key(&array.name, array.span), (left.array)(ArrayId(id)));
        }
        self.memory = self.memory.taken(lts, left, &mut self.values, &mut self.arrays)?;
        Ok(())
    }

    /// The statics that are no arrays: their names and values.
    pub fn numbers(&self) -> impl Iterator<Item = (&str, &Int)> {
        self.values.iter().map(|((_, name), value)| (&**name, value))
    }

    /// A static of the function that an input gives another value, if there is one.
    pub fn differing<'l>(&self, lts: &'l Lts, input: &Input) -> Option<&'l str> {
        let differs = |variable: &&crate::lts::Variable| {
            let Some(first) = &variable.first else { return false };
            let left = self.values.get(&key(&variable.name, variable.span)).unwrap_or(first);
            input.values.get(&variable.name).unwrap_or(first) != left
        };
        let is_other = |array: &&crate::lts::Array| {
            let Some(first) = &array.first else { return false };
            let first = || ArrayInput {
                elements: first.iter().cloned().enumerate().map(|(at, value)| (Int::from(at), value)).collect(),
                default: Int::ZERO,
            };
            let left = self.arrays.get(&key(&array.name, array.span)).cloned().unwrap_or_else(first);
            let given = input.arrays.get(&array.name).cloned().unwrap_or_else(first);
            let at = |contents: &ArrayInput, index: i64| contents.elements.get(&Int::from(index)).unwrap_or(&contents.default).clone();
            match array.length.as_ref().and_then(Int::to_i64) {
                Some(length) if length <= MAX_COMPARED => (0..length).any(|index| at(&left, index) != at(&given, index)),
                _ => left != given,
            }
        };
        let scalar = lts.variables.iter().find(differs).map(|variable| &*variable.name);
        scalar.or_else(|| lts.arrays.iter().find(is_other).map(|array| &*array.name)).or_else(|| self.differing_memory(lts, input))
    }

    fn differing_memory<'l>(&self, lts: &'l Lts, input: &Input) -> Option<&'l str> {
        let Ok(left) = self.memory.given(lts) else { return lts.variables.first().map(|variable| &*variable.name) };
        let none = ArrayInput::default();
        let at = |contents: &ArrayInput, index: &Int| contents.elements.get(index).unwrap_or(&contents.default).clone();
        let differs = |(name, contents): &(String, ArrayInput)| {
            let given = input.arrays.get(name).unwrap_or(&none);
            let mut indices = contents.elements.keys().chain(given.elements.keys());
            given.default != contents.default || indices.any(|index| at(given, index) != at(contents, index))
        };
        let (name, _) = left.into_iter().find(|array| differs(array))?;
        lts.arrays.iter().find(|array| array.name == name).map(|array| &*array.name)
    }
}
