//! Strings in the text as arrays that nothing changes, and what the library's functions on strings return.

use super::Lowerer;
use super::expression::{Effects, Step, has_nondet};
use super::object::{Leaf, Part, Pointee, Root};
use crate::lang::ast::{DeclId, Expr as Tree, ExprKind, Length, Name, Shape, string_address};
use crate::lang::library;
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::lts::{BinaryOp, CompareOp, Conversion, Expr, PrintPiece, Requirement};
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
            let values = bytes.iter().map(|&byte| self.character(Integer::Char, byte)).collect();
            self.temporaries[number as usize].initial = Some(values);
            self.literals.insert(bytes, number);
        }
        part
    }

    /// Whether an object is a string in the text.
    pub(super) fn is_literal(&self, root: &Root) -> bool {
        match root {
            Root::Strings => true,
            Root::Temporary(number) => self.literals.values().any(|known| known == number),
            _ => false,
        }
    }

    /// The number that the address of a string is, where it is a value.
    pub(super) fn address_of_string(&self, bytes: &[u8]) -> Int {
        self.program.strings.iter().position(|known| known == bytes).map_or(Int::ZERO, string_address)
    }

    /// What `%s` prints of an address that is a value.
    pub(super) fn pointed_text(&mut self, argument: &'a Tree, conversion: Conversion, effects: &mut Effects<'a>) -> PrintPiece {
        let strings = &*self.texts.get_or_insert_with(|| {
            let text = |(number, bytes): (usize, &Vec<u8>)| (string_address(number), bytes.clone());
            self.program.strings.iter().enumerate().map(text).collect()
        });
        let strings = Arc::clone(strings);
        let value = self.value(argument, effects);
        PrintPiece::String(value, conversion, strings)
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
        let is_char = |shape: &Shape| matches!(shape, Shape::Scalar(integer) if integer.size(self.abi()) == 1);
        let strings = |shape: &Shape| matches!(shape, Shape::Pointer(inner) if matches!(&**inner, Shape::Pointer(inner) if is_char(inner)));
        (self.is_own_pointer(&root) && strings(&self.program.decl(*decl).shape)).then(|| (*decl, number.clone()))
    }

    /// Whether a command line argument of a program is there, as the value of `argv[i]`: `argv[argc]` is a null pointer, what stands before
    /// it is none, and there is nothing behind it (C11 5.1.2.2.1p2).
    pub(super) fn argument_is_there(&mut self, base: &Tree, index: &'a Tree, effects: &mut Effects<'a>) -> Option<Expr> {
        let function = self.frames[0].function;
        let ([count, list], ExprKind::Name(Name { decl: Some(decl), .. }), "main") =
            (function.parameters.as_slice(), &base.kind, function.name.text.as_str())
        else {
            return None;
        };
        let root = self.root(*decl);
        let is_string = |shape: &Shape| matches!(shape, Shape::Pointer(inner) if matches!(**inner, Shape::Scalar(integer) if integer.size(self.abi()) == 1));
        let strings = matches!(&self.program.decl(*decl).shape, Shape::Pointer(inner) if is_string(inner));
        if *decl != list.decl || !strings || !self.is_own_pointer(&root) || self.program.decl(count.decl).assigned {
            return None;
        }
        let count_root = self.root(count.decl);
        let Leaf::Scalar(count) = self.leaf(&count_root, &[]) else { return None };
        let mut tried = Effects::default();
        let at = self.value(index, &mut tried);
        if has_nondet(&at) {
            return None;
        }
        effects.before.append(&mut tried.before);
        effects.after.append(&mut tried.after);
        let compare = |op, right| Box::new(Expr::Compare(op, Box::new(at.clone()), Box::new(right)));
        let (least, most) = (compare(CompareOp::Ge, Expr::Int(Int::ZERO)), compare(CompareOp::Le, Expr::Var(count)));
        let inside = Expr::Binary(BinaryOp::And, least, most);
        Some(Expr::Guarded(Requirement::Index, Box::new(inside), compare(CompareOp::Lt, Expr::Var(count))))
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
