//! Where the scalars of nodes lie in the arrays that hold them, and to which nodes values lead.

use super::node_names::{NumberedNode, first_cell};
use super::{Array, ArrayId, Lts, PartStep, ValueMeaning};
use crate::logic::Int;
use crate::memory::{CALLERS, ITEMS, LENGTH, MOST};

/// Whether the function asks for the node with this number, where callers have nodes, too.
pub fn is_new(node: &Int) -> bool {
    *node > Int::from(CALLERS)
}

/// The first number of such nodes.
pub fn first_new() -> Int {
    Int::from(CALLERS + 1)
}

/// The structure whose nodes have a member in an array.
pub fn of_nodes(array: &Array) -> Option<u32> {
    if let Some(PartStep::Node(structure)) = array.part.steps.first() { Some(*structure) } else { None }
}

/// The rows of blocks lie so many elements from each other, which is the greatest length of a block.
pub const BLOCK_STRIDE: i64 = MOST;

/// The array with the lengths of the blocks of a structure.
pub fn block_lengths(lts: &Lts, structure: u32) -> Option<ArrayId> {
    block_arrays(lts, structure, LENGTH).next()
}

/// The arrays with the scalars of the elements that the blocks of a structure have.
pub fn block_items(lts: &Lts, structure: u32) -> impl Iterator<Item = ArrayId> {
    block_arrays(lts, structure, ITEMS)
}

fn block_arrays(lts: &Lts, structure: u32, member: usize) -> impl Iterator<Item = ArrayId> {
    let are_blocks = lts.value_names.blocks.iter().any(|block| block.structure == structure);
    let is_part = move |array: &Array| are_blocks && of_nodes(array) == Some(structure) && array.part.path.first() == Some(&member);
    lts.arrays.iter().zip(0..).filter(move |(array, _)| is_part(array)).map(|(_, at)| ArrayId(at))
}

/// The structure of the blocks whose elements have scalars in an array.
pub fn structure_of_items(lts: &Lts, array: &Array) -> Option<u32> {
    let structure = of_nodes(array).filter(|_| array.part.path.first() == Some(&ITEMS))?;
    lts.value_names.blocks.iter().any(|block| block.structure == structure).then_some(structure)
}

/// How many scalars each element of a block has in an array; `None` of one whose dimensions are not known.
pub fn scalars_of_item(array: &Array) -> Option<i64> {
    let inner = array.part.steps.iter().skip(3);
    inner.into_iter().try_fold(1i64, |count, step| match step {
        PartStep::Elements(length) => count.checked_mul(length.as_ref()?.to_i64()?),
        _ => Some(count),
    })
}

/// The index of the first scalar that a node has in an array of a member, and how many it has there; `None` where their number is not known.
pub fn scalars_of(steps: &[PartStep], node: &Int) -> Option<(Int, i64)> {
    let count = steps.iter().try_fold(1i64, |count, step| match step {
        PartStep::Elements(length) => count.checked_mul(length.as_ref()?.to_i64()?),
        PartStep::Pointers(members) => count.checked_mul(i64::try_from(members.len()).ok()?),
        PartStep::Node(_) | PartStep::Member(_) => Some(count),
    })?;
    let first = match steps {
        [_, PartStep::Pointers(members)] => first_cell(node, members.len()),
        _ => node * &Int::from(count),
    };
    Some((first, count))
}

/// The node to which a value leads, and of a pointer to a pointer which of the node's pointers; `None` where it leads to none.
pub fn led_to(values: ValueMeaning, value: &Int) -> Option<(NumberedNode, usize)> {
    if value.is_zero() || value.is_negative() {
        return None;
    }
    match values {
        ValueMeaning::Nodes { structure, .. } => Some(((structure, value.clone()), 0)),
        ValueMeaning::Cells { structure, count, .. } => {
            let count = Int::from(i64::from(count));
            let (node, which) = (value + &(&count - &Int::ONE)).div_rem_floor(&count)?;
            Some(((structure, node), usize::try_from(which.to_i64()?).ok()?))
        }
        _ => None,
    }
}

/// The value that leads to a node, or to this one of its pointers.
pub fn leading_to(values: ValueMeaning, node: &Int, which: usize) -> Int {
    match values {
        ValueMeaning::Cells { count, .. } => first_cell(node, usize::from(count)) + Int::from(which),
        _ => node.clone(),
    }
}
