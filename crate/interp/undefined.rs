//! How a run ends that C leaves undefined.

use crate::logic::Int;
use crate::lts::undefined::UndefinedKind;
use crate::lts::{ArrayId, Requirement};
use std::fmt;

/// What C leaves undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undefined {
    DivisionByZero,
    /// Signed arithmetic gave a value that its type does not have.
    Overflow {
        value: Int,
    },
    /// A floating-point number was converted to an integer type that has no such value.
    Conversion {
        number: String,
    },
    /// A shift by a negative count, by the width or more, or a left shift of a negative value.
    Shift,
    /// Something else that a defined execution keeps to.
    Unmet(Requirement),
    /// `index` is below zero or not below the array's known length.
    OutOfBounds {
        array: ArrayId,
        index: Int,
        length: Int,
    },
}

impl Undefined {
    /// The way in which the evaluation is undefined.
    pub fn kind(&self) -> UndefinedKind {
        match self {
            Undefined::DivisionByZero => UndefinedKind::Division,
            Undefined::Overflow { .. } => UndefinedKind::Overflow,
            Undefined::Conversion { .. } => UndefinedKind::Conversion,
            Undefined::Shift => UndefinedKind::Shift,
            Undefined::Unmet(requirement) => UndefinedKind::Unmet(*requirement),
            Undefined::OutOfBounds { array, .. } => UndefinedKind::Index(*array),
        }
    }

    /// Whether both are of one kind; of an index outside its array, also at one array.
    pub fn is_alike(&self, other: &Undefined) -> bool {
        match (self, other) {
            (Undefined::OutOfBounds { array, .. }, Undefined::OutOfBounds { array: other, .. }) => array == other,
            (Undefined::Unmet(requirement), Undefined::Unmet(other)) => requirement == other,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

/// For people. Arrays have only their numbers here: the caller that knows their names writes that message.
impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undefined::DivisionByZero => f.write_str("division by zero"),
            Undefined::Overflow { value } => write!(f, "signed overflow: the type has no value {value}"),
            Undefined::Conversion { number } => write!(f, "a conversion to an integer type, which has no value {number}"),
            Undefined::Shift => f.write_str("a shift of a negative value, by a negative count, or by the width of the type or more"),
            Undefined::Unmet(requirement) => requirement.fmt(f),
            Undefined::OutOfBounds { array, index, length } => write!(f, "index {index} outside of array {} of {length} elements", array.0),
        }
    }
}
