//! Objects that keep the memory which calls of a program give.

use super::{Decl, DeclId, Initial, Linkage, Name, Program, Qualifiers, Shape, Storage, StructId};
use crate::logic::{SortedMap, SortedSet};
use crate::source::Span;

/// Variables with numbers of nodes, or of the pointers in nodes.
#[derive(Clone, Debug, Default)]
pub struct NodeNumbers {
    /// Parameters that never hold the number of the null pointer.
    pub present: SortedSet<DeclId>,
    /// Variables with the number of a pointer in a node, and whose members these are in `members`.
    pub cells: SortedMap<DeclId, u32>,
    /// The members that are such pointers, of each structure.
    pub members: Vec<Vec<String>>,
    /// Arrays whose elements are such pointers, several of each node, and whose members these are in `members`.
    pub rows: SortedMap<DeclId, u32>,
    /// The structures to whose nodes the results of functions lead.
    pub results: SortedMap<String, StructId>,
    /// Objects that last and are nodes.
    pub objects: Vec<NodeObject>,
    /// Whether earlier calls may have left nodes in statics, whose pointers need not have been set.
    pub are_left: bool,
    /// The arrays of nodes that functions without a body may write.
    pub written_outside: Vec<DeclId>,
    /// The structures of blocks.
    pub blocks: SortedMap<StructId, BlockKind>,
    /// The structures of pointers that move along blocks, and the ones of these blocks.
    pub cursors: SortedMap<StructId, StructId>,
    /// The static pointers that lead into one array each.
    pub static_pointers: SortedMap<DeclId, StaticTarget>,
}

/// Where a static pointer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticTarget {
    pub array: DeclId,
    /// Whether it may be null.
    pub is_nullable: bool,
    /// Whether it is null before the program starts; else it leads to the first element.
    pub starts_null: bool,
}

/// What the blocks of a structure are.
#[derive(Clone, Debug)]
pub struct BlockKind {
    /// The shape of their elements in the program's text.
    pub element: Shape,
    /// The array of the distances between a block's own row and the row of its elements, where the program calls `realloc`.
    pub moved: Option<DeclId>,
    /// What the blocks that are there before `main` have of the command line.
    pub line: Option<CommandLine>,
    /// Whether the program asks for such blocks itself.
    pub is_made: bool,
}

/// A part of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandLine {
    /// The array of the pointers to all arguments.
    Arguments,
    /// The characters of an argument.
    Characters,
}

/// An object that lasts and is a node, or an array of nodes.
#[derive(Clone, Debug)]
pub struct NodeObject {
    pub structure: StructId,
    pub decl: DeclId,
    /// The number of it, or of its first element.
    pub number: i64,
    /// The number of elements; `None` of no array.
    pub length: Option<i64>,
}

impl NodeObject {
    /// The numbers of the nodes with their names, where the object has this one.
    pub fn named(&self, name: &str) -> Vec<(i64, String)> {
        match self.length {
            None => vec![(self.number, name.to_owned())],
            Some(length) => (0..length).map(|at| (self.number + at, format!("{name}[{at}]"))).collect(),
        }
    }
}

impl Program {
    /// Whether the text defines `main`, be it understood or left out.
    pub fn has_main(&self) -> bool {
        self.own().any(|function| function.name.text == "main") || self.refused.iter().any(|function| function.name == "main")
    }

    /// Whether nodes or blocks hold pointers to `void`: then all of these have values.
    pub fn keeps_addresses(&self) -> bool {
        self.decls.iter().any(|decl| decl.storage == Storage::Memory && self.holds_address(&decl.shape))
    }

    /// Whether an object of a shape holds a pointer to `void`.
    fn holds_address(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Array { element, .. } => self.holds_address(element),
            Shape::Pointer(inner) => **inner == Shape::Void,
            Shape::Struct(id) => self.structure(*id).members.iter().flatten().any(|member| self.holds_address(&member.shape)),
            _ => false,
        }
    }

    /// Adds an object that keeps memory which calls give: no text of the program declares it.
    pub fn declare_memory(&mut self, name: String, span: Span, shape: Shape, initial: Option<Vec<Initial>>) -> Name {
        let id = DeclId(u32::try_from(self.decls.len()).unwrap_or(u32::MAX));
        self.decls.push(Decl {
            name: name.clone(),
            span,
            shape,
            qualifiers: Qualifiers::default(),
            storage: Storage::Memory,
            linkage: Linkage::Internal,
            initial,
            assigned: true,
        });
        Name { text: name, span, decl: Some(id) }
    }
}
