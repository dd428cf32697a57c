//! Storage of variables, and the linkage of their names.

use super::ast::{Decl, DeclId, Initial, Name, Program, Qualifiers, Shape};
use crate::source::Span;

/// Where a variable lives, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Global,
    /// A `static` inside a function: one variable for all calls, zero at first where not initialised.
    Static,
    Parameter,
    Local,
    /// None of the program's: what keeps the objects that its calls of `malloc` give.
    Memory,
}

impl Storage {
    /// Whether there is one variable for all calls.
    pub fn lasts(self) -> bool {
        matches!(self, Storage::Global | Storage::Static | Storage::Memory)
    }
}

/// The linkage of a global: which other parts of the program can name it (C11 6.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Other parts of the program, and only they set its first value: all its declarations say `extern`.
    Elsewhere,
    /// Other parts of the program.
    External,
    /// This part of the program alone.
    Internal,
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
