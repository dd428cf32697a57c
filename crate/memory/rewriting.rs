//! What functions that are written anew with blocks and cursors share: what pointers hold, and what the program gets beside its text.

use super::slots::Slot;
use super::tree::typed;
use crate::lang::ast::{Decl, DeclId, Expr, ExprKind, Linkage, Name, Program, Qualifiers, Shape, Storage, StructId};
use crate::lang::intrinsic::of_library;
use crate::logic::{SortedMap, SortedSet};
use crate::source::Span;
use std::cell::RefCell;

/// The most elements of an array with an initialiser, or characters of a string, that are set one by one.
pub(super) const MOST_FIRST_VALUES: usize = 256;

/// What a holder of pointers holds.
#[derive(Clone, Copy)]
pub(super) struct Holding {
    /// The structure of the blocks.
    pub block: StructId,
    /// The structure of the cursors, where it is one.
    pub cursor: Option<StructId>,
}

/// Functions written anew with pointers to blocks.
pub(super) struct Rewriting<'p> {
    pub program: &'p Program,
    pub of_slot: SortedMap<Slot, Holding>,
    pub added: RefCell<AddedObjects>,
    /// The variables that a call may change.
    pub changed_by_calls: SortedSet<DeclId>,
    /// What is evaluated before the expression that is written anew.
    pub pending: RefCell<Vec<Expr>>,
}

/// Variables and functions that a program gets which is written anew.
#[derive(Default)]
pub(super) struct AddedObjects {
    /// The number of the next variable.
    pub next: u32,
    pub variables: Vec<Decl>,
    /// Strings of the program's text: the structures of their blocks, their characters, and the names of the functions that give them.
    pub literals: Vec<(StructId, Vec<u8>, String)>,
    /// Whether the program does something that is not followed.
    pub has_failed: bool,
}

impl AddedObjects {
    /// Declares a variable of a function.
    pub fn variable(&mut self, name: &str, shape: Shape, span: Span) -> Name {
        self.declare(name, shape, span, Storage::Local)
    }

    pub fn declare(&mut self, name: &str, shape: Shape, span: Span, storage: Storage) -> Name {
        let id = DeclId(self.next);
        self.next += 1;
        let name = format!("{name}#{}", self.variables.len() + 1);
        self.variables.push(Decl {
            name: name.clone(),
            span,
            shape,
            qualifiers: Qualifiers::default(),
            storage,
            linkage: Linkage::Internal,
            initial: storage.lasts().then(Vec::new),
            assigned: true,
        });
        Name { text: name, span, decl: Some(id) }
    }

    /// The name of the function that gives a block of this structure with the characters.
    pub fn literal(&mut self, block: StructId, bytes: &[u8]) -> String {
        if let Some((.., name)) = self.literals.iter().find(|(own, text, _)| *own == block && text == bytes) {
            return name.clone();
        }
        let name = of_library(&format!("string {}", self.literals.len() + 1));
        self.has_failed |= bytes.len() >= MOST_FIRST_VALUES;
        self.literals.push((block, bytes.to_vec(), name.clone()));
        name
    }
}

/// A pointer into a block: what is evaluated first, the block, and the index of an element.
pub(super) struct CursorParts {
    pub before: Vec<Expr>,
    pub block: Expr,
    pub at: Expr,
}

/// Expressions that are evaluated before another one.
pub(super) fn after(before: Vec<Expr>, e: Expr) -> Expr {
    before.into_iter().rev().fold(e, |last, first| {
        let (ty, span) = (last.ty, last.span);
        typed(ExprKind::Comma(Box::new(first), Box::new(last)), ty, span)
    })
}

/// Takes an expression out of its parent.
pub(super) fn take(e: &mut Expr) -> Expr {
    let span = e.span;
    std::mem::replace(e, Expr::new(ExprKind::Error, span))
}
