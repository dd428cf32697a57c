//! Pointer parameters that lead to arrays of structures: `p[i].x`, `p++`, `p + n`. What a parameter points to is one structure, with a scalar
//! for each member, unless the function, or a call in it, leaves that structure; then it is an array of unknown length, with an array of the
//! model for each member, as of a global array of structures.
//!
//! Which parameters these are is found by lowering ([`super::rounds`]): where an address moves away from the structure, lowering begins anew.
//! Where it is an object of a class ([`super::joined`]), an index is there already, and would be undefined outside of the structure; so
//! lowering begins anew then whatever became of it. Where it is an object alone, such an address is refused; only then it does.

use super::Lowerer;
use super::given::settled_row;
use super::object::{Part, Pointee, Root};
use crate::lang::ast::{Expr as Tree, ExprKind, Name, Shape};

impl Lowerer<'_> {
    /// The declarations of the function's own pointers to one structure of which this is the whole; of a class, of any that it may be.
    fn own_structures(&self, part: &Part) -> Vec<crate::lang::ast::DeclId> {
        let roots: Vec<&Root> = match &part.root {
            _ if !part.path.is_empty() => Vec::new(),
            Root::Joined(class) => {
                let class = &self.classes[*class as usize];
                match part.indices.first().and_then(|(row, _)| settled_row(row)) {
                    Some(row) => class.get(row).into_iter().collect(),
                    None => class.iter().collect(),
                }
            }
            root => vec![root],
        };
        let is_one = |root: &Root| self.is_own_pointer(root) && matches!(self.root_shape(root), Shape::Struct(_));
        let own = roots.into_iter().filter(|root| is_one(root));
        own.filter_map(|root| if let Root::Decl(_, id) = root { Some(*id) } else { None }).collect()
    }

    /// Notes that an address moves away from what it is that of.
    pub(super) fn moves_away(&mut self, pointee: &Pointee) {
        let own = self.own_structures(pointee.part());
        match pointee {
            Pointee::Single(_) => self.wanted_several.extend(own),
            Pointee::Element(..) => self.several.extend(own),
        }
    }

    /// As [`Lowerer::moves_away`], of a pointer by its name.
    pub(super) fn steps_away(&mut self, pointer: &Tree) {
        let ExprKind::Name(Name { decl: Some(decl), .. }) = &pointer.kind else { return };
        let root = self.root(*decl);
        if let Some(pointee) = self.pointees.get(&root).cloned().or_else(|| self.own_object(root)) {
            self.moves_away(&pointee);
        }
    }
}
