//! The places of a program that hold nothing but addresses of its strings; see [`crate::lang::flow`].

use super::Lowerer;
use crate::lang::ast::{Decl, DeclId, Program, Shape, Storage};
use crate::lang::flow::Flow;
pub(super) use crate::lang::flow::{Cell, Of, cell_of, shape_of};
use crate::lang::types::Integer;
use crate::logic::SortedSet;

impl<'a> Lowerer<'a> {
    /// The places that can hold other addresses than those of the program's strings.
    pub(super) fn open_cells(&mut self) -> &SortedSet<Cell<'a>> {
        if self.open_cells.is_none() {
            let mut inputs = Vec::new();
            for parameter in self.frames[0].function.written_parameters() {
                let decl = self.program.decl(parameter.decl);
                match &decl.shape {
                    // The array itself.
                    Shape::Pointer(inner)
                        if matches!(**inner, Shape::Scalar(_)) && (!decl.assigned || self.walking.contains(&parameter.decl)) => {}
                    shape => inputs.push((parameter.decl, shape)),
                }
            }
            if self.has_callers_memory() {
                let decls = (0..).map(DeclId).zip(&self.program.decls);
                inputs.extend(decls.filter(|(_, decl)| decl.storage == Storage::Memory).map(|(id, decl)| (id, &decl.shape)));
            }
            self.open_cells = Some(Flow::new(self.program, Of::Strings).open(&inputs));
        }
        self.open_cells.get_or_insert_default()
    }

    /// Whether a caller's nodes or blocks are there, whose pointers may lead to other strings than the program's.
    fn has_callers_memory(&self) -> bool {
        let function = self.frames[0].function;
        let is_given = |decl: DeclId| holds_number(self.program, &self.program.decl(decl).shape, DEPTH);
        let lasts = |decl: &Decl| decl.storage.lasts() && decl.storage != Storage::Memory;
        let is_kept = |decl: &Decl| lasts(decl) && holds_number(self.program, &decl.shape, DEPTH);
        function.parameters.iter().any(|parameter| is_given(parameter.decl))
            || function.name.text != "main" && self.program.decls.iter().any(is_kept)
    }
}

/// Members and pointers on the way to the number of a node.
const DEPTH: u32 = 8;

/// Whether values of a shape, or what they lead to, hold numbers of nodes; after so many steps it is assumed.
fn holds_number(program: &Program, shape: &Shape, depth: u32) -> bool {
    match shape {
        _ if depth == 0 => true,
        Shape::Scalar(ty) => *ty == Integer::Node,
        Shape::Pointer(inner) | Shape::Array { element: inner, .. } => holds_number(program, inner, depth - 1),
        Shape::Struct(id) => program.structure(*id).members.iter().flatten().any(|member| holds_number(program, &member.shape, depth - 1)),
        _ => false,
    }
}
