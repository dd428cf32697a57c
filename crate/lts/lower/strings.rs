//! Strings in the text as arrays that nothing changes, and what the library's functions on strings return.

use super::Lowerer;
use super::expression::{Effects, Step, has_nondet};
use super::object::{Leaf, Part, Pointee, Root};
use crate::lang::ast::{DeclId, Expr as Tree, ExprKind, Function, Length, Name, Program, Shape, Stmt, string_address};
use crate::lang::flow::shape_of;
use crate::lang::library;
use crate::lang::types::Integer;
use crate::logic::{Int, SortedSet};
use crate::lts::{BinaryOp, CompareOp, Conversion, Expr, PrintPiece, Requirement};
use crate::source::Span;
use std::sync::Arc;

/// Calls on the way to a use of the command line, at most.
const CALLS: u32 = 8;

/// Whether a function only reads the pointers to which a parameter leads, also where it passes the parameter on.
fn only_reads(program: &Program, function: &Function, parameter: DeclId, calls: u32) -> bool {
    fn inside(program: &Program, e: &Tree, parameter: DeclId, calls: u32) -> bool {
        let is_own = |e: &Tree| matches!(&e.unconverted().kind, ExprKind::Name(name) if name.decl == Some(parameter));
        let is_element = |e: &Tree| matches!(&e.kind, ExprKind::Index(base, _) | ExprKind::Deref(base) if is_own(base));
        match &e.kind {
            ExprKind::Name(_) => !is_own(e),
            ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } | ExprKind::AddressOf(target) if is_element(target) => false,
            ExprKind::Deref(base) if is_own(base) => true,
            ExprKind::Index(base, index) if is_own(base) => inside(program, index, parameter, calls),
            ExprKind::Call(name, arguments) => arguments.iter().enumerate().all(|(at, argument)| {
                let called = program.function(&name.text).and_then(|(_, called)| Some((called, called.parameters.get(at)?.decl)));
                match called {
                    Some((called, passed)) if is_own(argument) => calls > 0 && only_reads(program, called, passed, calls - 1),
                    _ => inside(program, argument, parameter, calls),
                }
            }),
            kind => {
                let mut found = true;
                kind.children(&mut |child| found = found && inside(program, child, parameter, calls));
                found
            }
        }
    }
    fn statement(program: &Program, stmt: &Stmt, parameter: DeclId, calls: u32) -> bool {
        let mut found = true;
        stmt.expressions(&mut |e| found = found && inside(program, e, parameter, calls));
        stmt.children(&mut |child| found = found && statement(program, child, parameter, calls));
        found
    }
    function.body.iter().all(|stmt| statement(program, stmt, parameter, calls))
}

/// Whether a function, or one that it calls, sets a pointer to characters in what another pointer leads to, or in an array that lasts.
fn sets_strings(program: &Program, function: &Function) -> bool {
    fn inside<'p>(program: &'p Program, e: &'p Tree, called: &mut Vec<&'p str>) -> bool {
        let is_string =
            |shape: &Shape| matches!(shape, Shape::Pointer(inner) if matches!(**inner, Shape::Scalar(ty) if ty.size(program.abi) == 1));
        let is_elsewhere = |base: &Tree| match shape_of(program, base) {
            Some(Shape::Array { .. }) => base.root().and_then(|name| name.decl).is_none_or(|decl| program.decl(decl).storage.lasts()),
            _ => true,
        };
        let mut found = match &e.kind {
            ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } => match &target.kind {
                ExprKind::Index(base, _) | ExprKind::Deref(base) => shape_of(program, target).is_some_and(is_string) && is_elsewhere(base),
                _ => false,
            },
            ExprKind::Call(name, _) => {
                called.push(&name.text);
                false
            }
            _ => false,
        };
        e.kind.children(&mut |child| found |= inside(program, child, called));
        found
    }
    fn statement<'p>(program: &'p Program, stmt: &'p Stmt, called: &mut Vec<&'p str>) -> bool {
        let mut found = false;
        stmt.expressions(&mut |e| found |= inside(program, e, called));
        stmt.children(&mut |child| found |= statement(program, child, called));
        found
    }
    let (mut open, mut seen) = (vec![function.name.text.as_str()], SortedSet::new());
    while let Some(name) = open.pop() {
        if let Some((at, own)) = program.function(name).filter(|(at, _)| !seen.contains(at)) {
            seen.insert(at);
            if own.body.iter().any(|stmt| statement(program, stmt, &mut open)) {
                return true;
            }
        }
    }
    false
}

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
        if !self.is_own_pointer(&root) || !strings(&self.program.decl(*decl).shape) {
            return None;
        }
        // Else it is the string of another one.
        let function = self.frames[0].function;
        let is_kept = only_reads(self.program, function, *decl, CALLS) && !sets_strings(self.program, function);
        is_kept.then(|| (*decl, number.clone()))
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
        let is_kept = || only_reads(self.program, function, *decl, CALLS);
        if *decl != list.decl || !strings || !self.is_own_pointer(&root) || self.program.decl(count.decl).assigned || !is_kept() {
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
