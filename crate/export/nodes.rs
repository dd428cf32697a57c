//! Nodes of a test: which there are, and how C writes pointers to them.
//!
//! The nodes of a test are the ones to which its first values lead. A program that frees nodes gets them in memory that can be freed.

use super::replay::{ModelValues, Replay, element};
use crate::lang::ast::{Length, Shape, StructId};
use crate::logic::{Int, SortedSet};
use crate::lts::node_cells::{BLOCK_STRIDE, block_items, block_lengths, led_to, of_nodes, scalars_of, scalars_of_item};
use crate::lts::node_names::{NumberedNode, block_of, node_name, object_name};
use crate::lts::{Array, FREED, Lts, ValueMeaning};
use std::collections::VecDeque;

/// Nodes of a test, at most.
const MOST: usize = 256;

/// A node with a name.
#[derive(Clone, Debug)]
pub struct TestNode {
    pub structure: u32,
    pub number: Int,
    pub name: String,
    /// Its shape in C: a structure, or an array for a block.
    pub shape: Shape,
    /// Whether it is an object of the program.
    pub is_object: bool,
}

/// The nodes of a test.
#[derive(Clone, Debug, Default)]
pub struct TestNodes {
    pub all: Vec<TestNode>,
    /// Whether the program may free them.
    pub are_freed: bool,
}

/// What the values of a test's variables lead to.
#[derive(Clone, Copy)]
pub struct TestModel<'m> {
    pub lts: &'m Lts,
    pub nodes: &'m TestNodes,
}

/// A scalar of nodes that a run looks at: its index among those of the node with these members, and its index in the array.
pub type NodeCell = (i64, Int);

/// The scalars of a node in an array that a run looks at.
pub fn cells(array: &Array, touched: Option<&(Int, Int)>, node: &Int) -> Vec<NodeCell> {
    let Some((least, greatest)) = touched else { return Vec::new() };
    let Some((first, count)) = scalars_of(&array.part.steps, node).filter(|(_, count)| *count <= super::LARGEST) else { return Vec::new() };
    let all = (0..count).map(|at| (at, &first + &Int::from(at)));
    all.filter(|(_, index)| least <= index && index <= greatest).collect()
}

/// The scalars of a block's elements in an array that a run looks at; `values` are the contents of the model at that time.
pub fn block_cells(lts: &Lts, node: &NumberedNode, items: usize, touched: &[Option<(Int, Int)>], values: &ModelValues) -> Vec<NodeCell> {
    let (structure, number) = (node.0, &node.1);
    let per_item = scalars_of_item(&lts.arrays[items]);
    let (Some((least, greatest)), Some(length), Some(per_item)) = (&touched[items], block_length(lts, structure, values, number), per_item)
    else {
        return Vec::new();
    };
    let moved = block_of(lts, structure).and_then(|block| block.moved.as_ref());
    let moved = moved.and_then(|name| lts.arrays.iter().position(|array| array.name == *name));
    let row = moved.map_or_else(|| number.clone(), |at| number + &element(&values.arrays[at], number));
    let first = &(&row * &Int::from(BLOCK_STRIDE)) * &Int::from(per_item);
    let all = (0..length.min(super::LARGEST) * per_item).map(|at| (at, &first + &Int::from(at)));
    all.filter(|(_, index)| least <= index && index <= greatest).collect()
}

/// The length of a block; `None` where the run does not look at any.
pub fn block_length(lts: &Lts, structure: u32, values: &ModelValues, number: &Int) -> Option<i64> {
    let lengths = block_lengths(lts, structure)?;
    element(&values.arrays[lengths.0 as usize], number).to_i64()
}

/// The shape of a node in C.
///
/// # Errors
/// A block is too long, in a sentence.
fn shape(lts: &Lts, replay: &Replay, structure: u32, number: &Int) -> Result<Shape, String> {
    let Some(block) = block_of(lts, structure) else { return Ok(Shape::Struct(StructId(structure))) };
    let length = block_length(lts, structure, &replay.before, number).unwrap_or(0).max(1);
    if length > super::LARGEST {
        return Err(format!("it begins with an array of {length} elements"));
    }
    Ok(Shape::Array { element: Box::new(block.element.clone()), length: Length::Fixed(Int::from(length)) })
}

impl TestNodes {
    /// The nodes of a call by the pointers that it begins with; `source` is the program's text.
    ///
    /// # Errors
    /// There are too many, in a sentence.
    pub fn of(lts: &Lts, replay: &Replay, roots: &[(ValueMeaning, Int)], source: &str) -> Result<TestNodes, String> {
        let mut found =
            TestNodes { all: Vec::new(), are_freed: lts.arrays.iter().any(|array| array.member_of_nodes.as_deref() == Some(FREED)) };
        let mut open: VecDeque<NumberedNode> = VecDeque::new();
        let mut seen: SortedSet<NumberedNode> = SortedSet::new();
        open.extend(roots.iter().filter_map(|(values, value)| Some(led_to(*values, value)?.0)));
        open.extend(lts.value_names.nodes.iter().map(|(structure, number, _)| (*structure, number.clone())));
        while let Some((structure, number)) = open.pop_front() {
            if !seen.insert((structure, number.clone())) {
                continue;
            }
            if seen.len() > MOST {
                return Err(format!("it has more than {MOST} nodes"));
            }
            for (array, at) in lts.arrays.iter().zip(0usize..).filter(|(array, _)| of_nodes(array) == Some(structure)) {
                let own = match block_items(lts, structure).any(|items| items.0 as usize == at) {
                    true => block_cells(lts, &(structure, number.clone()), at, &replay.touched, &replay.before),
                    false => cells(array, replay.touched[at].as_ref(), &number),
                };
                for (_, index) in own {
                    open.extend(led_to(array.values, &element(&replay.before.arrays[at], &index)).map(|(node, _)| node));
                }
            }
            let mut name = node_name(lts, structure, &number).ok_or("a node in it has no name")?;
            let is_object = object_name(lts, structure, &number).is_some();
            while !is_object && super::names::has_word(source, &name) {
                name.push('_');
            }
            let shape = shape(lts, replay, structure, &number)?;
            found.all.push(TestNode { structure, number, name, shape, is_object });
        }
        Ok(found)
    }

    pub fn find(&self, (structure, number): &NumberedNode) -> Option<&TestNode> {
        self.all.iter().find(|node| node.structure == *structure && node.number == *number)
    }

    /// A part of a node, by what C writes after its name.
    pub fn part(&self, node: &TestNode, suffix: &str) -> String {
        let is_memory = self.are_freed && !node.is_object && matches!(node.shape, Shape::Struct(_));
        if is_memory { format!("{}->{}", node.name, suffix.trim_start_matches('.')) } else { format!("{}{suffix}", node.name) }
    }

    /// A pointer to a node, or to a pointer in one, as C writes it; `None` where the node has no name, or the value is no such pointer.
    pub fn pointer(&self, lts: &Lts, values: ValueMeaning, value: &Int) -> Option<String> {
        let (node, which) = led_to(values, value)?;
        let node = self.find(&node)?;
        Some(match values {
            ValueMeaning::Cells { members, .. } => {
                let member = lts.value_names.classes.get(members as usize)?.get(which)?;
                format!("&{}", self.part(node, &format!(".{member}")))
            }
            _ if self.are_freed && !node.is_object || matches!(node.shape, Shape::Array { .. }) => node.name.clone(),
            _ => format!("&{}", node.name),
        })
    }

    /// Whether the test makes no nodes.
    pub fn is_empty(&self) -> bool {
        self.all.iter().all(|node| node.is_object)
    }
}
