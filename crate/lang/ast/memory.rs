//! Objects that keep the memory which calls of a program give.

use super::{Decl, DeclId, Initial, Linkage, Name, Program, Qualifiers, Shape, Storage};
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
}

impl Program {
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
