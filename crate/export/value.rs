//! Values of objects: built from what the model's variables and arrays hold, written down as initialisers, assignments and comparisons.

use super::types::{constant, string};
use crate::lang::ast::{Length, Member, Program, Shape};
use crate::lang::types::Integer;
use crate::logic::{Int, SortedMap};

/// The value of an object as far as it is known; what is left out is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ObjectValue {
    #[default]
    Unset,
    Scalar(Int),
    /// A pointer, as C writes it.
    Pointer(String),
    Elements(SortedMap<i64, ObjectValue>),
    Members(SortedMap<usize, ObjectValue>),
}

/// A scalar part of an object: how C names it after the object's name (`.m[3]`), its type, none of a pointer, and its value in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    pub suffix: String,
    pub ty: Option<Integer>,
    pub value: String,
    /// The value as a number; none of a pointer.
    pub number: Option<Int>,
}

/// How many scalars a part of this shape with these members on the way holds: the product of the lengths of its arrays. None where one of them is not known.
fn count(program: &Program, shape: &Shape, path: &[usize]) -> Option<i64> {
    match shape {
        Shape::Array { element, length: Length::Fixed(length) } => length.to_i64()?.checked_mul(count(program, element, path)?),
        Shape::Array { .. } => None,
        Shape::Struct(id) => match path.split_first() {
            Some((&at, rest)) => count(program, &program.structure(*id).members.as_ref()?.get(at)?.shape, rest),
            None => Some(1),
        },
        _ => Some(1),
    }
}

/// As [`count`], for any members.
pub fn count_of<'p>(program: &'p Program, shape: &'p Shape) -> impl Fn(&[usize]) -> Option<i64> + 'p {
    move |path| count(program, shape, path)
}

impl ObjectValue {
    /// Sets the scalar with this index among those of an object that have these members on the way.
    pub fn set(&mut self, program: &Program, shape: &Shape, path: &[usize], index: i64, value: ObjectValue) -> Option<()> {
        match shape {
            Shape::Array { element, .. } => {
                let inner = count(program, element, path)?.max(1);
                if !matches!(self, ObjectValue::Elements(_)) {
                    *self = ObjectValue::Elements(SortedMap::new());
                }
                let ObjectValue::Elements(elements) = self else { return None };
                elements.entry(index.div_euclid(inner)).or_default().set(program, element, path, index.rem_euclid(inner), value)
            }
            Shape::Struct(id) => {
                let (&at, rest) = path.split_first()?;
                if !matches!(self, ObjectValue::Members(_)) {
                    *self = ObjectValue::Members(SortedMap::new());
                }
                let ObjectValue::Members(members) = self else { return None };
                let shape = &program.structure(*id).members.as_ref()?.get(at)?.shape;
                members.entry(at).or_default().set(program, shape, rest, index, value)
            }
            _ => {
                *self = value;
                Some(())
            }
        }
    }

    /// Whether nothing in it differs from zero.
    pub fn is_zero(&self) -> bool {
        match self {
            ObjectValue::Unset => true,
            ObjectValue::Scalar(value) => value.is_zero(),
            ObjectValue::Pointer(text) => text == "0",
            ObjectValue::Elements(elements) => elements.values().all(ObjectValue::is_zero),
            ObjectValue::Members(members) => members.values().all(ObjectValue::is_zero),
        }
    }

    /// The initialiser of an object of this shape.
    pub fn initialiser(&self, program: &Program, shape: &Shape) -> Option<String> {
        Some(match (self, shape) {
            (ObjectValue::Unset, Shape::Array { .. } | Shape::Struct(_)) => "{0}".to_owned(),
            (_, Shape::Array { .. } | Shape::Struct(_)) if self.is_zero() => "{0}".to_owned(),
            (ObjectValue::Elements(elements), Shape::Array { element, length }) => match text(elements, element, length) {
                Some(text) => text,
                None => list(elements, |value| value.inner_initialiser(program, element))?,
            },
            (ObjectValue::Members(members), Shape::Struct(id)) => {
                let all = program.structure(*id).members.as_ref()?;
                let set = members.iter().filter(|(_, value)| !value.is_zero());
                let member = |(&at, value): (&usize, &ObjectValue)| {
                    let text = value.inner_initialiser(program, &all.get(at)?.shape)?;
                    // Members of a structure without a name are named themselves.
                    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).filter(|_| all[at].name.text.is_empty());
                    Some(inner.map_or_else(|| format!("{} = {text}", all[at].suffix()), str::to_owned))
                };
                format!("{{{}}}", set.map(member).collect::<Option<Vec<_>>>()?.join(", "))
            }
            (ObjectValue::Pointer(text), _) => text.clone(),
            (ObjectValue::Scalar(value), shape) => constant(shape.integer(program.abi)?, program.abi, value),
            (_, shape) => constant(shape.integer(program.abi)?, program.abi, &Int::ZERO),
        })
    }

    /// As above, within the braces of another one.
    fn inner_initialiser(&self, program: &Program, shape: &Shape) -> Option<String> {
        match shape {
            Shape::Array { .. } | Shape::Struct(_) if self.is_zero() => Some(zeros(program, shape)),
            _ => self.initialiser(program, shape),
        }
    }

    /// Its scalars in their order, each as C names it.
    pub fn scalars(&self, program: &Program, shape: &Shape) -> Option<Vec<Scalar>> {
        let mut found = Vec::new();
        self.visit(program, shape, String::new(), &mut found)?;
        Some(found)
    }

    fn visit(&self, program: &Program, shape: &Shape, suffix: String, found: &mut Vec<Scalar>) -> Option<()> {
        match (self, shape) {
            (ObjectValue::Unset, _) => {}
            (ObjectValue::Elements(elements), Shape::Array { element, .. }) => {
                for (index, value) in elements.iter() {
                    value.visit(program, element, format!("{suffix}[{index}]"), found)?;
                }
            }
            (ObjectValue::Members(members), Shape::Struct(id)) => {
                let all = program.structure(*id).members.as_ref()?;
                for (&at, value) in members.iter() {
                    let member = all.get(at)?;
                    value.visit(program, &member.shape, format!("{suffix}{}", member.suffix()), found)?;
                }
            }
            (ObjectValue::Scalar(value), shape) => {
                let (ty, number) = (shape.integer(program.abi)?, value.clone());
                found.push(Scalar { suffix, ty: Some(ty), value: constant(ty, program.abi, value), number: Some(number) });
            }
            (ObjectValue::Pointer(text), _) => found.push(Scalar { suffix, ty: None, value: text.clone(), number: None }),
            _ => return None,
        }
        Some(())
    }
}

/// Zeros within the braces of another initialiser: compilers warn of `{0}` there where a brace or a member is missing.
fn zeros(program: &Program, shape: &Shape) -> String {
    match shape {
        Shape::Array { element, .. } => format!("{{{}}}", zeros(program, element)),
        Shape::Struct(id) => {
            let members = program.structure(*id).members.iter().flatten().filter(|member| !member.name.text.is_empty());
            let is_single = |member: &&Member| !matches!(member.shape, Shape::Array { .. } | Shape::Struct(_));
            let first = members.clone().find(is_single).or(members.clone().next());
            first.map_or_else(|| "{0}".to_owned(), |member| format!("{{{} = {}}}", member.suffix(), zeros(program, &member.shape)))
        }
        _ => "0".to_owned(),
    }
}

/// Elements in braces: one after another while few of them are zero, else with their indices.
fn list(elements: &SortedMap<i64, ObjectValue>, write: impl Fn(&ObjectValue) -> Option<String>) -> Option<String> {
    let set: Vec<(i64, &ObjectValue)> =
        elements.iter().map(|(&index, value)| (index, value)).filter(|(_, value)| !value.is_zero()).collect();
    let last = set.last()?.0;
    let mut parts = Vec::new();
    if last < 2 * set.len() as i64 + 2 {
        for index in 0..=last {
            parts.push(match (elements.get(&index), set[0].1) {
                (Some(value), _) => write(value)?,
                (None, ObjectValue::Scalar(_) | ObjectValue::Pointer(_)) => "0".to_owned(),
                // A structure or an array that is left out is zero as well.
                (None, _) => write(&ObjectValue::Unset)?,
            });
        }
    } else {
        let mut next = None;
        for (index, value) in set {
            let value = write(value)?;
            parts.push(if next == Some(index) { value } else { format!("[{index}] = {value}") });
            next = Some(index + 1);
        }
    }
    Some(format!("{{{}}}", parts.join(", ")))
}

/// The characters of a string that ends within the array, where a reader sees more in them than in their numbers.
fn text(elements: &SortedMap<i64, ObjectValue>, element: &Shape, length: &Length) -> Option<String> {
    if !matches!(element, Shape::Scalar(Integer::Char)) {
        return None;
    }
    let mut bytes = Vec::new();
    let last = elements.iter().filter(|(_, value)| !value.is_zero()).map(|(&index, _)| index).next_back()?;
    for index in 0..=last {
        let Some(ObjectValue::Scalar(value)) = elements.get(&index) else { return None };
        bytes.push(u8::try_from(value.to_i64()?).ok().filter(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'))?);
    }
    let has_room = match length {
        Length::Fixed(length) => *length > Int::from(bytes.len()),
        _ => elements.contains_key(&(last + 1)),
    };
    has_room.then(|| string(&bytes))
}
