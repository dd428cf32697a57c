//! Strings in the text as arrays that nothing changes, and what the library's functions on strings give back.

use super::Lowerer;
use super::expression::{Effects, Step, has_steps};
use super::object::{Part, Pointee, Root};
use crate::lang::ast::{Expr as Tree, ExprKind, Length, Name, Shape, string_address};
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::lts::{Conversion, Piece};
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
        let (_, function) = self.program.function(&name.text).filter(|(_, function)| function.library)?;
        let (Shape::Pointer(_), Some(first)) = (&function.result, arguments.first()) else { return None };
        // It is looked at twice, so nothing may happen in it.
        if has_steps(first) || matches!(first.kind, ExprKind::Step { .. }) {
            return None;
        }
        effects.before.push(Step::Effect(e));
        self.pointee(first, effects)
    }
}
