//! What values are, beyond integers, and which of them inputs can have.

use super::{Array, Variable};
use crate::lang::ast::{CommandLine, Shape};
use crate::logic::{Int, IntRange};
use std::sync::Arc;

/// What values stand for, by the numbers that [`ValueMeaning`] has.
#[derive(Clone, Debug, Default)]
pub struct ValueNames {
    /// The functions whose addresses are values.
    pub functions: Vec<String>,
    /// The names of objects that one pointer may point to.
    pub classes: Vec<Vec<String>>,
    /// The constants of the enumerations.
    pub enumerations: Arc<Vec<Vec<(String, Int)>>>,
    /// The tags of the structures whose objects are nodes.
    pub structures: Vec<(u32, String)>,
    /// The nodes that are objects of the program, by their structures and numbers.
    pub nodes: Vec<(u32, Int, String)>,
    /// Blocks ([`crate::memory`]) by their structures.
    pub blocks: Vec<BlockNames>,
}

/// Memory of any number of elements, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockNames {
    /// The number of its structure.
    pub structure: u32,
    /// The shape of its elements in the program's text.
    pub element: Shape,
    /// The name of the array that says how far the elements of a block lie from where its number says, where the program calls `realloc`.
    pub moved: Option<String>,
    /// What blocks that are there before the function starts have of the command line.
    pub line: Option<CommandLine>,
}

/// What the values of a variable or an array are, for people: their meaning is that of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueMeaning {
    Integers,
    /// Characters, as plain `char` has them.
    Characters,
    /// 1 for true, 0 for false.
    Truths,
    /// Constants of the enumeration with this number, or integers beside them.
    Constants(u32),
    /// 1 where a pointer parameter is null.
    Null,
    /// Indices of what a pointer points to; [`null_index`](super::null_index) for nothing.
    Indices,
    /// Functions: numbers of [`ValueNames::functions`] from 1, 0 for none, and any others for those of other parts of the program.
    Functions,
    /// Addresses of objects and strings; 0 for none.
    Addresses,
    /// Objects that a pointer may point to: indices of the class with this index in [`ValueNames::classes`]; [`null_index`](super::null_index) for nothing.
    Objects(u32),
    /// Members of a union, that was written last: from 1, with their names in the class with this index; 0 for one that is not known.
    Members(u32),
    /// Nodes that a pointer leads to: their numbers ([`crate::memory`]), 0 for no node, -1 for a pointer that was never set.
    Nodes {
        /// The number of their structure.
        structure: u32,
        /// The least number that an input can have: 1 where no pointer is null, -1 where earlier calls may have left one that was never set.
        least: i8,
    },
    /// Indices of the elements to which pointers into blocks lead; the blocks are the values with the same part of the text.
    ElementIndices,
    /// Pointers in nodes that a pointer to a pointer leads to: their numbers, node after node, 0 and -1 as for nodes. Each node has `count` such
    /// pointers, whose members are the class with the index `members` in [`ValueNames::classes`].
    Cells {
        /// The number of the structure of these nodes.
        structure: u32,
        may_start_null: bool,
        members: u32,
        count: u8,
    },
}

/// What the value of a pointer is called that was never set.
pub const NEVER_SET: &str = "never set";

impl ValueMeaning {
    /// Whether they are numbers, not pointers or members.
    pub fn is_numeric(self) -> bool {
        use ValueMeaning::{Characters, Constants, ElementIndices, Integers, Null, Truths};
        matches!(self, Integers | Characters | Truths | Constants(_) | Null | ElementIndices)
    }

    /// The values that an input of this meaning can have, whose type has this range.
    fn start_range(self, range: Option<IntRange>) -> Option<IntRange> {
        match self {
            ValueMeaning::Nodes { least, .. } => Some(IntRange { least: i128::from(least), greatest: i128::from(crate::memory::CALLERS) }),
            ValueMeaning::Cells { may_start_null, count, .. } => {
                Some(IntRange { least: i128::from(!may_start_null), greatest: i128::from(crate::memory::CALLERS) * i128::from(count) })
            }
            ValueMeaning::ElementIndices => Some(IntRange { least: 0, greatest: i128::from(crate::memory::MOST) }),
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
