//! The places of a program that hold nothing but addresses of its strings; see [`crate::lang::flow`].

use super::Lowerer;
use crate::lang::ast::Shape;
use crate::lang::flow::Flow;
pub(super) use crate::lang::flow::{Cell, Of, cell_of, shape_of};
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
            self.open_cells = Some(Flow::new(self.program, Of::Strings).open(&inputs));
        }
        self.open_cells.get_or_insert_default()
    }
}
