//! Static pointers that lead into one array ([`crate::lang::static_pointers`]): the array, which never changes, and an index, which lasts as
//! the pointer does. An index of a null pointer has a value that no other one has ([`super::given`]).

use super::Lowerer;
use super::object::{Pointee, Root};
use crate::lang::ast::{Linkage, StaticTarget};
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::lts::{Expr, SourcePart, ValueMeaning, null_index};

impl Lowerer<'_> {
    /// Makes the indices of static pointers.
    pub(super) fn bind_static_pointers(&mut self) {
        let program = self.program;
        for (&id, &StaticTarget { array, is_nullable, starts_null }) in &program.nodes.static_pointers {
            let (root, decl) = (Root::Decl(0, id), program.decl(id));
            let mut array = self.whole_object(Root::Decl(0, array));
            let is_joined = matches!(array.root, Root::Joined(_));
            array.nullable = is_nullable;
            let pointee = Pointee::Element(array.clone(), Expr::Int(Int::ZERO));
            if is_joined && is_nullable || !self.fits(&decl.shape, &pointee) {
                self.unknown_pointer_at(&decl.name, decl.span);
                continue;
            }
            let (name, origin, span) = self.name_and_origin(&root);
            let first = if starts_null { null_index() } else { Int::ZERO };
            let keeps_first = self.keeps_first(id);
            let range = self.range(Integer::LongLong);
            let index = self.typed_variable(name.clone(), origin, span, keeps_first.then(|| first.clone()), range);
            let made = &mut self.variables[index.0 as usize];
            made.first = (!keeps_first && decl.linkage == Linkage::Internal).then_some(first);
            (made.part, made.values) = (SourcePart::whole(name), ValueMeaning::Indices);
            self.moving_pointers.insert(root.clone());
            self.pointees.insert(root, Pointee::Element(array, Expr::Var(index)));
        }
    }
}
