//! Inputs, and whether they fit a function.

use crate::logic::{Int, IntRange, SortedMap};
use crate::lts::Lts;
use std::fmt;

/// What a run starts from: values of inputs by name. Names left out are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Scalars: parameters, globals and uninitialised locals.
    pub values: SortedMap<String, Int>,
    pub arrays: SortedMap<String, ArrayInput>,
    /// What `nondet()` gives back, call by call.
    pub nondet: Vec<Int>,
    /// The contents of an array, where a value of `nondet` (by its number, from 0) stands for these: that value is then 0.
    pub contents: SortedMap<u32, ArrayInput>,
    /// The text on standard input. Without one, values of `nondet` say what reads of it give; with one, these are in the text, and none of
    /// them is among the values of `nondet`.
    pub stdin: Option<Vec<u8>>,
    /// Whether more of that text may come: a read past it waits.
    pub is_open: bool,
}

/// The contents of an array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ArrayInput {
    /// Index to value.
    pub elements: SortedMap<Int, Int>,
    /// The value everywhere else.
    pub default: Int,
}

impl ArrayInput {
    /// Whether an array of this length that starts with these values, the rest zero, starts so.
    pub fn starts_as(&self, first: &[Int], length: Option<&Int>) -> bool {
        let value = |index: &Int| self.elements.get(index).unwrap_or(&self.default);
        let given = first.iter().enumerate().all(|(at, first)| value(&Int::from(at)) == first);
        let rest = self.elements.iter().all(|(index, value)| *index < Int::from(first.len()) || value.is_zero());
        let last = length.and_then(Int::to_i64).unwrap_or(i64::MAX);
        let is_listed = || (first.len() as i64..last).all(|index| self.elements.contains_key(&Int::from(index)));
        given && rest && (self.default.is_zero() || is_listed())
    }
}

impl Input {
    /// The same input by the names of the program's objects: an array of the model that keeps several comes apart into these.
    pub fn apart(&self, lts: &Lts) -> Input {
        let mut arrays = SortedMap::new();
        for (name, contents) in &self.arrays {
            let objects = lts.arrays.iter().find(|array| array.name == *name).map_or(&[][..], |array| &array.objects);
            if objects.is_empty() {
                arrays.insert(name.clone(), contents.clone());
            }
            for (turn, object) in objects.iter().enumerate().filter(|(_, object)| object.is_input) {
                let of_own = |(index, value): (&Int, &Int)| {
                    let (index, remainder) = index.div_rem_floor(&Int::from(objects.len()))?;
                    (remainder == Int::from(turn)).then(|| (index, value.clone()))
                };
                let elements = contents.elements.iter().filter_map(of_own).collect();
                arrays.insert(object.name.clone(), ArrayInput { elements, default: contents.default.clone() });
            }
        }
        Input { arrays, ..self.clone() }
    }

    /// The inverse of [`Input::apart`]: objects that one array of the model keeps become that array.
    ///
    /// # Errors
    /// Objects that are one array have different defaults, or the input names the array of the model itself.
    pub fn together(mut self, lts: &Lts) -> Result<Input, InputError> {
        for array in &lts.arrays {
            if !array.objects.is_empty() && self.arrays.contains_key(&array.name) {
                return Err(InputError::Unknown(array.name.clone()));
            }
            let count = Int::from(array.objects.len());
            let mut all: Option<ArrayInput> = None;
            for (turn, object) in array.objects.iter().enumerate().filter(|(_, object)| object.is_input) {
                let ArrayInput { elements, default } = self.arrays.remove(&object.name).unwrap_or_default();
                let all = all.get_or_insert_with(|| ArrayInput { default: default.clone(), ..ArrayInput::default() });
                if default != all.default {
                    let inputs = array.objects.iter().filter(|object| object.is_input);
                    return Err(InputError::Defaults(inputs.map(|object| object.name.clone()).collect()));
                }
                all.elements.extend(elements.into_iter().map(|(index, value)| (&(&index * &count) + &Int::from(turn), value)));
            }
            if let Some(all) = all {
                self.arrays.insert(array.name.clone(), all);
            }
        }
        Ok(self)
    }
}

/// Why an input does not fit a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputError {
    /// The function has no variable or array of this name.
    Unknown(String),
    /// The variable starts with a value that the program sets.
    Initialised(String),
    /// A value is given for an array.
    NotScalar(String),
    /// Elements are given for a scalar.
    NotArray(String),
    /// The array has no element with this index.
    NoElement { array: String, index: Int, length: Int },
    /// Arrays with these names, which are one in the model, are given different defaults.
    Defaults(Vec<String>),
    /// The variable, or an element of the array, cannot have this value.
    OutsideRange { name: String, value: Int, range: IntRange },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Unknown(name) => write!(f, "the function has no input `{name}`"),
            InputError::Initialised(name) => write!(f, "`{name}` is not an input: the program sets its first value"),
            InputError::NotScalar(name) => write!(f, "`{name}` is an array: give its elements, e.g. {{\"0\": 3, \"default\": 0}}"),
            InputError::NotArray(name) => write!(f, "`{name}` is not an array: give one integer"),
            InputError::NoElement { array, index, length } => {
                write!(f, "`{array}` has {length} elements, so there is none at index {index}")
            }
            InputError::Defaults(names) => {
                let names: Vec<String> = names.iter().map(|own| format!("`{own}`")).collect();
                write!(f, "{} need the same default, since one pointer may point to any of them", names.join(" and "))
            }
            InputError::OutsideRange { name, value, range } => {
                write!(f, "`{name}` cannot be {value}: its type has the values from {} to {}", range.least, range.greatest)
            }
        }
    }
}
impl std::error::Error for InputError {}

/// Checks that every name and index of `input` exists in the function and is an input of it, and that it can have the value given.
/// It does not check values of `nondet()`: only a run tells where they go, and brings them into the range there.
///
/// # Errors
/// The first thing that does not fit, scalars first, in alphabetical order.
pub fn check_input(lts: &Lts, input: &Input) -> Result<(), InputError> {
    let variable = |name: &String| lts.variables.iter().find(|variable| variable.name == *name);
    let array = |name: &String| lts.arrays.iter().find(|array| array.name == *name);
    let within = |name: &String, range: Option<IntRange>, value: &Int| match range {
        Some(range) if !range.contains(value) => Err(InputError::OutsideRange { name: name.clone(), value: value.clone(), range }),
        _ => Ok(()),
    };
    for (name, value) in &input.values {
        match (variable(name), array(name)) {
            (Some(variable), _) if variable.initial.is_some() => return Err(InputError::Initialised(name.clone())),
            (Some(variable), _) => within(name, variable.start_range(), value)?,
            (None, Some(_)) => return Err(InputError::NotScalar(name.clone())),
            (None, None) => return Err(InputError::Unknown(name.clone())),
        }
    }
    for (name, contents) in &input.arrays {
        match (array(name), variable(name)) {
            (Some(array), _) if array.initial.is_some() => return Err(InputError::Initialised(name.clone())),
            (Some(array), _) => {
                for value in contents.elements.values().chain([&contents.default]) {
                    within(name, array.start_range(), value)?;
                }
                let Some(length) = &array.length else { continue };
                if let Some(index) = contents.elements.keys().find(|index| index.is_negative() || *index >= length) {
                    return Err(InputError::NoElement { array: name.clone(), index: index.clone(), length: length.clone() });
                }
            }
            (None, Some(_)) => return Err(InputError::NotArray(name.clone())),
            (None, None) => return Err(InputError::Unknown(name.clone())),
        }
    }
    Ok(())
}
