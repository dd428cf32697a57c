//! Memory: structures whose pointers are values, so that lists and trees can be followed.
//!
//! Lowering follows a pointer only where it finds from the text which object the pointer leads to (`crate/lts/lower.rs`). The pointers of a
//! list or a tree are values: members, elements, results. [`with_nodes`] writes a program anew for one function, so that each pointer to such
//! a structure is the number of an object, a *node*, and all nodes of one structure are the elements of one array (the component as array of
//! Burstall 1972 and Bornat 2000):
//!
//! | in the program | written anew |
//! |---|---|
//! | `struct node *p` | a scalar of the type [`Integer::Node`] |
//! | `NULL` | 0 |
//! | `p->next` | `node[p].next`, undefined where `p` is no node |
//! | `malloc(sizeof *p)` | a call that counts up the number of the last node, and gives it or 0 |
//! | `free(p)` | `node.freed[p] = 1`, undefined where that holds before |
//! | `struct node a;`, where the program takes `&a` | a node whose number `a` holds |
//! | `struct node pool[8];` at file scope | the nodes 1 to 8 |
//! | `struct node **pp`, where the program takes `&p->next` | the number of the node whose `next` it leads to |
//! | `struct node *list;`, where `pp` may lead to it | the `next` of a node of its own |
//!
//! Nodes of callers have the numbers up to [`CALLERS`], so that there may be any number of them, and none of them is a node that the function
//! asks for later. A pointer that was never set is -1.
//!
//! It is all or nothing: where a program does anything else with such a pointer (arithmetic, a cast to another type), [`with_nodes`] gives
//! `None`. A function without a body may write all nodes and free them, [`outside`]; what lowering makes of that is approximated.
//!
//! [`structures`] chooses the structures, [`flow`] finds which pointers may be null, [`objects`] gives numbers to variables, [`follow`] and
//! [`expressions`] write functions anew, [`declarations`] their objects, [`build`] makes the arrays and calls of memory, out of [`tree`]s.
//!
//! Memory of any number of scalars is a node, too, a *block* ([`blocks`]): [`with_blocks`] writes pointers to it as pointers to a structure,
//! before [`with_nodes`] makes numbers of these. [`slots`] are the pointers, [`block_facts`] says which hold blocks, [`lifetimes`] whether it
//! matters when these are freed, [`block_uses`] writes their uses anew, [`block_arrays`] has the arrays of blocks, [`block_calls`] the functions
//! that give them.
//!
//! A pointer that moves along a block and is kept is a *cursor*, a structure of a block and an index: [`cursor_facts`] says which are,
//! [`cursor_uses`] writes their uses anew, [`cursor_objects`] the arrays and strings to which they lead, [`cursor_rows`] arrays of rows, but for
//! arrays whose declarations [`jumps`] pass. [`rewriting`] is what they share; where C leaves an order open, [`open_orders`]
//! says so, and nothing is followed.

mod block_arrays;
mod block_calls;
mod block_facts;
mod block_uses;
mod block_values;
mod blocks;
mod build;
mod cursor_facts;
mod cursor_objects;
mod cursor_rows;
mod cursor_uses;
mod declarations;
mod expressions;
mod flow;
mod follow;
mod jumps;
mod lifetimes;
mod objects;
mod open_orders;
mod outside;
mod rewriting;
mod slots;
mod structures;
mod tree;

pub use block_arrays::{ITEMS, LENGTH, MOST};
pub use cursor_uses::{CURSOR_AT, CURSOR_BLOCK};

use crate::lang::ast::{Function, Program, Shape};
use crate::lang::types::Integer;

/// The greatest number of a node that a caller may have passed.
pub const CALLERS: i64 = 1 << 30;

/// The program in which pointers to linked structures are numbers, for lowering this function; `None` where it has none, or does something
/// else with them. With `cells`, pointers to such pointers are numbers, too. Only with `outside` it may call functions without a body, and then
/// does.
pub fn with_nodes(program: &Program, function: &Function, cells: bool, outside: bool) -> Option<Program> {
    let nodes = structures::NodeStructures::of(program, function, cells)?;
    if outside && (!outside::may_be_followed(program, &nodes) || outside::may_lead_inside(program, &nodes)) {
        return None;
    }
    follow::followed(program, function, &nodes, outside)
}

/// Whether a function, or one to which its calls lead, frees structures: only as nodes they are gone afterwards.
pub fn frees_structures(program: &Program, function: &Function) -> bool {
    structures::frees_structures(program, function)
}

/// A program in which pointers that hold memory of any number of scalars lead to structures.
pub struct WithBlocks {
    /// The program, for [`with_nodes`].
    pub program: Program,
    /// Whether only that tells how long such memory lives, or that a member or a static variable is set to some.
    pub is_needed: bool,
    /// Whether pointers that are kept are ordered, or subtracted: they lead to any elements.
    pub are_ordered: bool,
}

/// Writes a program anew with blocks; `None` where it has none. With `cursors`, also pointers that move are kept, and arrays and strings of the
/// program are blocks where such pointers lead to them.
pub fn with_blocks(program: &Program, function: &Function, cursors: bool) -> Option<WithBlocks> {
    blocks::with_blocks(program, function, cursors)
}

/// Whether a scalar of this shape holds the number of a node.
pub fn is_node(shape: &Shape) -> bool {
    matches!(shape, Shape::Scalar(Integer::Node))
}
