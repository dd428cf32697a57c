//! Objects that keep the memory which calls of a program give.

use super::{Decl, DeclId, Initial, Linkage, Name, Program, Qualifiers, Shape, Storage};
use crate::source::Span;

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
