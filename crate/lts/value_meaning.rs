//! What values are, beyond integers, and which of them inputs can have.

use super::{Array, Variable};
use crate::logic::IntRange;

/// What the values of a variable or an array are, for people: their meaning is that of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueMeaning {
    Integers,
    /// Indices of what a pointer points to; [`null_index`](super::null_index) for nothing.
    Indices,
    /// Functions: numbers of [`Lts::functions`](super::Lts::functions) from 1, 0 for none, and any others for those of other parts of the program.
    Functions,
    /// Addresses of objects and strings; 0 for none.
    Addresses,
    /// Objects that a pointer may point to: indices of the class with this index in [`Lts::classes`](super::Lts::classes); [`null_index`](super::null_index) for nothing.
    Objects(u32),
    /// Members of a union, that was written last: from 1, with their names in the class with this index; 0 for one that is not known.
    Members(u32),
    /// Nodes that a pointer leads to: their numbers ([`crate::memory`]), 0 for no node, -1 for a pointer that was never set.
    Nodes {
        may_start_null: bool,
    },
    /// Pointers in nodes that a pointer to a pointer leads to: their numbers, node after node, 0 and -1 as for nodes. Each node has `count` such
    /// pointers, whose members are the class with the index `members` in [`Lts::classes`](super::Lts::classes).
    Cells {
        may_start_null: bool,
        members: u32,
        count: u8,
    },
}

/// What the value of a pointer is called that was never set.
pub const NEVER_SET: &str = "never set";

/// How the node of a structure with this tag and number is called: `node1` for the first one of `struct node`; where callers have nodes, too,
/// `new node1` for the first one that the function asks for.
pub fn node_name(tag: &str, number: i64) -> String {
    let between = if tag.ends_with(|last: char| last.is_ascii_digit()) { "_" } else { "" };
    match number - crate::memory::CALLERS {
        own if own > 0 => format!("new {tag}{between}{own}"),
        _ => format!("{tag}{between}{number}"),
    }
}

impl ValueMeaning {
    /// The values that an input of this meaning can have, whose type has this range.
    fn start_range(self, range: Option<IntRange>) -> Option<IntRange> {
        match self {
            ValueMeaning::Nodes { may_start_null } => {
                Some(IntRange { least: i128::from(!may_start_null), greatest: i128::from(crate::memory::CALLERS) })
            }
            ValueMeaning::Cells { may_start_null, count, .. } => {
                Some(IntRange { least: i128::from(!may_start_null), greatest: i128::from(crate::memory::CALLERS) * i128::from(count) })
            }
            _ => range,
        }
    }
}

impl Variable {
    /// The values that it can have before the first edge; `None` is any integer.
    pub fn start_range(&self) -> Option<IntRange> {
        self.values.start_range(self.range)
    }
}

impl Array {
    /// As [`Variable::start_range`], of an element.
    pub fn start_range(&self) -> Option<IntRange> {
        self.values.start_range(self.range)
    }
}
