//! What functions with blocks and cursors need beside the program's text: variables, blocks that are arrays of the program, and strings.

use super::block_arrays::LENGTH_TYPE;
use super::rewriting::{MOST_FIRST_VALUES, Rewriting};
use super::slots::Slot;
use super::tree::{assign, giving_node, statement, typed};
use crate::lang::ast::{DeclId, Declarator, Expr, ExprKind, Function, Init, Name, Shape, Stmt, StmtKind, Storage, StructId};
use crate::lang::intrinsic::of_library;
use crate::lang::sizes::Sizes;
use crate::lang::types::{Abi, Integer};
use crate::logic::Int;
use crate::source::Span;

/// The value of a byte of a string as an element of this type.
pub(super) fn character(byte: u8, ty: Integer, abi: Abi) -> Int {
    if ty.signed(abi) { Int::from(i64::from(byte as i8)) } else { Int::from(i64::from(byte)) }
}

impl Rewriting<'_> {
    /// The array, or the rows of one, that the object of a declaration is.
    pub(super) fn array_of(&self, decl: DeclId) -> Option<Slot> {
        [Slot::Object(decl), Slot::Rows(decl)].into_iter().find(|slot| self.of_slot.contains_key(slot))
    }

    /// The functions that give the strings, and what sets these before the program starts: a string of the text is one object, which all
    /// calls give.
    pub fn strings(&self) -> (Vec<Function>, Vec<Stmt>) {
        let literals = self.added.borrow().literals.clone();
        let mut first = Vec::new();
        let mut function = |(block, bytes, name): (StructId, Vec<u8>, String)| {
            let span = Span::default();
            let shape = Shape::Pointer(Box::new(Shape::Struct(block)));
            let variable = self.added.borrow_mut().declare("string", shape.clone(), span, Storage::Memory);
            let address = self.program.abi.address();
            let pointer = || typed(ExprKind::Name(variable.clone()), address, span);
            first.push(statement(assign(pointer(), self.array("array", bytes.len() + 1, 1, span), address)));
            let values = bytes.iter().chain([&0]).zip(0..);
            first.extend(values.map(|(&byte, at)| {
                let value = typed(ExprKind::Int(character(byte, Integer::Char, self.program.abi)), Integer::Char, span);
                statement(assign(self.element(pointer(), at, Integer::Char), value, Integer::Char))
            }));
            let body = vec![Stmt { kind: StmtKind::Return(Some(pointer())), span }];
            Function { result: shape, ..giving_node(name, Vec::new(), body, span) }
        };
        let functions = literals.into_iter().map(&mut function).collect();
        (functions, first)
    }

    /// A call of a function that gives a block of so many elements of so many bytes, which is always there.
    pub(super) fn array(&self, function: &str, length: usize, size: i64, span: Span) -> Expr {
        let bytes = typed(ExprKind::Int(Int::from(length) * Int::from(size)), LENGTH_TYPE, span);
        let name = Name { text: of_library(function), span, decl: None };
        typed(ExprKind::Call(name, vec![bytes]), self.program.abi.address(), span)
    }

    pub(super) fn element(&self, pointer: Expr, at: i64, ty: Integer) -> Expr {
        let span = pointer.span;
        let index = typed(ExprKind::Int(Int::from(at)), Integer::LongLong, span);
        typed(ExprKind::Index(Box::new(self.items(pointer)), Box::new(index)), ty, span)
    }

    /// What makes arrays that last blocks, at the start of the program.
    pub fn first_statements(&self) -> Option<Vec<Stmt>> {
        let mut made = Vec::new();
        for slot in self.of_slot.keys() {
            if let Slot::Rows(id) = slot {
                made.extend(self.first_rows(*id)?);
            }
            let Slot::Object(id) = slot else { continue };
            let decl = self.program.decl(*id);
            let Shape::Array { element, .. } = &decl.shape else { continue };
            if !decl.storage.lasts() {
                continue;
            }
            let (Shape::Scalar(ty), span) = (&**element, decl.span) else { return None };
            let (length, size) = self.length(&decl.shape)?;
            let name = Name { text: decl.name.clone(), span, decl: Some(*id) };
            let pointer = || typed(ExprKind::Name(name.clone()), self.program.abi.address(), span);
            made.push(statement(assign(pointer(), self.array("zeros", length, size, span), self.program.abi.address())));
            for initial in decl.initial.iter().flatten().filter(|initial| !initial.value.typed.is_zero()) {
                let &[at] = &initial.indices[..] else { return None };
                let value = typed(ExprKind::Int(initial.value.typed.clone()), *ty, span);
                made.push(statement(assign(self.element(pointer(), i64::try_from(at).ok()?, *ty), value, *ty)));
            }
        }
        (made.len() <= MOST_FIRST_VALUES).then_some(made)
    }

    /// The number of elements of an array, and the bytes of each.
    pub(super) fn length(&self, shape: &Shape) -> Option<(usize, i64)> {
        let Shape::Array { element, .. } = shape else { return None };
        let sizes = Sizes { structs: &self.program.structs, abi: self.program.abi };
        let (size, total) = (sizes.size(element)?.0, sizes.size(shape)?.0);
        Some((usize::try_from(total / size).ok()?, size))
    }

    /// Makes the declaration of an array one of a block, and gives the statements that set its first values.
    pub(super) fn declare_array(&self, declarator: &mut Declarator) -> Option<Vec<Stmt>> {
        let Shape::Array { element, .. } = &self.program.decl(declarator.decl).shape else { return None };
        let (Shape::Scalar(ty), span) = (&**element, declarator.span) else { return None };
        if self.program.decl(declarator.decl).storage.lasts() {
            declarator.init = None;
            return Some(Vec::new());
        }
        let (length, size) = self.length(&self.program.decl(declarator.decl).shape)?;
        let first = declarator.init.replace(Init::Expr(self.array("array", length, size, span)));
        let zero = || typed(ExprKind::Int(Int::ZERO), *ty, span);
        let values: Vec<Expr> = match first {
            None => return Some(Vec::new()),
            _ if length > MOST_FIRST_VALUES => return None,
            Some(Init::Expr(Expr { kind: ExprKind::Str(bytes), .. })) => {
                let values = bytes.iter().map(|&byte| typed(ExprKind::Int(character(byte, *ty, self.program.abi)), *ty, span));
                values.chain(std::iter::repeat_with(zero)).take(length).collect()
            }
            Some(Init::Expr(_)) => return None,
            Some(Init::List(items, _)) => {
                let mut values: Vec<Expr> = std::iter::repeat_with(zero).take(length).collect();
                for item in items {
                    let (Init::Expr(mut value), Some((path, indices))) = (item.value, item.part_path) else { return None };
                    let ([], &[at]) = (&path[..], &indices[..]) else { return None };
                    if matches!(value.kind, ExprKind::Str(_)) {
                        return None;
                    }
                    self.value(&mut value);
                    *values.get_mut(at)? = value;
                }
                values
            }
        };
        let name = || Name { decl: Some(declarator.decl), ..declarator.name.clone() };
        let pointer = || typed(ExprKind::Name(name()), self.program.abi.address(), span);
        let set = |(value, at): (Expr, i64)| statement(assign(self.element(pointer(), at, *ty), value, *ty));
        Some(values.into_iter().zip(0..).map(set).collect())
    }
}
