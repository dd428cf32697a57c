//! Strings in the text as arrays that nothing changes, and what the library's functions on strings return.

use super::Lowerer;
use super::expression::{Effects, Step};
use super::object::{Leaf, Part, Pointee, Root};
use crate::lang::ast::{DeclId, Expr as Tree, ExprKind, Length, Name, Shape, string_address};
use crate::lang::library;
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::lts::{Conversion, Expr, Piece};
use crate::source::Span;
use std::sync::Arc;

impl<'a> Lowerer<'a> {
    /// The array that a string in the text is; equal ones are one array.
    pub(super) fn literal(&mut self, bytes: &'a [u8], span: Span) -> Part {
        if let Some(number) = self.literals.get(bytes) {
            return self.whole_object(Root::Temporary(*number));
        }
        let shape = Shape::Array { element: Box::new(Shape::Scalar(Integer::Char)), length: Length::Fixed(Int::from(bytes.len() + 1)) };
        let part = self.temporary_object("string".to_owned(), shape, span);
        if let Root::Temporary(number) = part.root {
            let values = bytes.iter().map(|&byte| Int::from(i64::from(byte as i8))).collect();
            self.temporaries[number as usize].initial = Some(values);
            self.literals.insert(bytes, number);
        }
        part
    }

    /// The number that the address of a string is, where it is a value.
    pub(super) fn address_of_string(&self, bytes: &[u8]) -> Int {
        self.program.strings.iter().position(|known| known == bytes).map_or(Int::ZERO, string_address)
    }

    /// What `%s` prints of an address that is a value.
    pub(super) fn pointed_text(&mut self, argument: &'a Tree, conversion: Conversion, effects: &mut Effects<'a>) -> Piece {
        let strings = &*self.texts.get_or_insert_with(|| {
            let text = |(number, bytes): (usize, &Vec<u8>)| (string_address(number), bytes.clone());
            self.program.strings.iter().enumerate().map(text).collect()
        });
        let strings = Arc::clone(strings);
        let value = self.value(argument, effects);
        Piece::String(value, conversion, strings)
    }

    /// What the library's `strcpy` and its like give back: where their first argument points.
    pub(super) fn returned_address(
        &mut self,
        name: &Name,
        arguments: &'a [Tree],
        e: &'a Tree,
        effects: &mut Effects<'a>,
    ) -> Option<Pointee> {
        let (_, function) =
            self.program.function(&name.text).filter(|(_, function)| function.library && !library::gives_place(&function.name.text))?;
        let (Shape::Pointer(_), Some(first)) = (&function.result, arguments.first()) else { return None };
        // It is looked at twice, so nothing may happen in it.
        if self.has_steps(first) || matches!(first.kind, ExprKind::Step { .. }) {
            return None;
        }
        effects.before.push(Step::Effect(e));
        self.pointee(first, effects)
    }

    /// A command line argument by its number: `argv[1]` of the function's own `char **argv`.
    pub(super) fn argument(&mut self, base: &Tree, index: &Tree) -> Option<(DeclId, Int)> {
        let (ExprKind::Name(Name { decl: Some(decl), .. }), ExprKind::Int(number)) = (&base.kind, &index.unconverted().kind) else {
            return None;
        };
        let root = self.root(*decl);
        let is_char = |shape: &Shape| matches!(shape, Shape::Scalar(integer) if integer.size() == 1);
        let strings = |shape: &Shape| matches!(shape, Shape::Pointer(inner) if matches!(&**inner, Shape::Pointer(inner) if is_char(inner)));
        (self.is_own_pointer(&root) && strings(&self.program.decl(*decl).shape)).then(|| (*decl, number.clone()))
    }

    /// The characters of a command line argument.
    pub(super) fn argument_text(&mut self, e: &Tree) -> Option<Pointee> {
        let ExprKind::Index(base, index) = &e.kind else { return None };
        let (decl, number) = self.argument(base, index)?;
        Some(Pointee::Element(self.whole_object(Root::Argument(decl, number)), Expr::Int(Int::ZERO)))
    }

    /// The number that a command line argument is, as an input.
    pub(super) fn argument_value(&mut self, e: &Tree) -> Option<Expr> {
        let ExprKind::Index(base, index) = &e.kind else { return None };
        let (decl, number) = self.argument(base, index)?;
        match self.leaf(&Root::ArgumentValue(decl, number), &[]) {
            Leaf::Scalar(variable) => Some(Expr::Var(variable)),
            Leaf::Array(_) => None,
        }
    }
}
