//! Blocks: memory of any number of scalars, structures or pointers that a pointer holds as a value, as the member of `struct vector { int *data; … }`.
//!
//! Such a pointer is written as a pointer to a structure of its own, a *block*, with the number of its elements and the elements, so that
//! [`super::follow`] makes a number of it as of any pointer to a node:
//!
//! | in the program | written anew |
//! |---|---|
//! | `v->data[i]` | `v->data->items[i]`, undefined where `i` is not below `v->data->length` |
//! | `v->data + i`, `sum(v->data)` | the same array, which may be that of no block and then has no elements |
//! | `v->data = malloc(n * sizeof(int))` | a call that counts up the number of the last block, with its length |
//!
//! The pointers of one class, between which the program assigns, lead to the same blocks. A pointer that moves, or whose address the program
//! takes, holds no block; it can only lead into one.

use super::block_arrays::MOST;
use super::block_facts::{ClassTag, Facts};
use super::block_uses::Rewriting;
use super::lifetimes::Lifetimes;
use super::slots::Slot;
use super::structures::reached;
use super::tree::read;
use crate::lang::ast::{
    BlockKind, Decl, DeclId, Declarator, Function, Init, Layout, Length, Member, Name, Program, Qualifiers, Shape, Stmt, StmtKind, Storage,
    Struct, StructId, Type,
};
use crate::lang::types::Integer;
use crate::logic::{Int, SortedMap};

/// The program in which pointers that hold blocks lead to structures, and whether only that tells how long a block lives, or that a member or
/// a static variable is set to one; `None` where there is none.
pub(super) fn with_blocks(program: &Program, function: &Function) -> Option<(Program, bool)> {
    let with_copy = with_copied_arguments(program, function);
    let program = with_copy.as_ref().unwrap_or(program);
    let (_, function) = program.function(&function.name.text)?;
    let reached = reached(program, function);
    let mut facts = Facts::new(program);
    for (decl, at) in program.decls.iter().zip(0..) {
        if decl.qualifiers.names_volatile() || decl.initial.iter().flatten().any(|initial| !initial.value.typed.is_zero()) {
            facts.refused.insert(Slot::Decl(DeclId(at)));
        }
    }
    for &at in &reached {
        facts.function(&program.functions[at]);
    }
    let allocated: Vec<Slot> = facts.allocated.iter().filter(|slot| facts.outlives(slot)).cloned().collect();
    let (classes, tags) = facts.classes(function)?;
    let is_kept = allocated.iter().any(|slot| classes.contains_key(slot));
    let is_needed = is_kept || Lifetimes { program, reached: &reached, classes: &classes }.matter();
    let mut new = program.clone();
    let first = u32::try_from(new.structs.len()).ok()?;
    let of_slot =
        classes.into_iter().map(|(slot, class)| Some((slot, StructId(first + u32::try_from(class).ok()?)))).collect::<Option<_>>()?;
    let holders = Holders { of_slot };
    for (decl, at) in new.decls.iter_mut().zip(0..) {
        decl.shape = holders.holding(&decl.shape, &Slot::Decl(DeclId(at)));
    }
    for (structure, id) in new.structs.iter_mut().zip(0..) {
        for (member, at) in structure.members.iter_mut().flatten().zip(0..) {
            member.shape = holders.holding(&member.shape, &Slot::Member(StructId(id), at));
        }
    }
    for function in &mut new.functions {
        function.result = holders.holding(&function.result, &Slot::Result(function.name.text.clone()));
    }
    for tag in &tags {
        let id = declare_block(&mut new, first, tag, holders.holding(&tag.element, &tag.slot.clone().elements()));
        new.nodes.blocks.insert(id, BlockKind { element: tag.element.clone(), moved: None, line: tag.line });
    }
    let rewriting = Rewriting { program, of_slot: holders.of_slot };
    for &at in &reached {
        let name = program.functions[at].name.text.clone();
        for stmt in &mut new.functions[at].body {
            rewriting.statement(stmt, &name);
        }
    }
    Some((new, is_needed))
}

/// `main` with a variable in place of a parameter `argv` that it moves, so that the parameter leads to the first argument throughout.
fn with_copied_arguments(program: &Program, function: &Function) -> Option<Program> {
    let [_, arguments] = &function.parameters[..] else { return None };
    let decl = program.decl(arguments.decl);
    if function.name.text != "main" || !decl.assigned {
        return None;
    }
    let mut new = program.clone();
    let id = DeclId(u32::try_from(new.decls.len()).ok()?);
    new.decls.push(Decl { assigned: false, ..decl.clone() });
    new.decls[arguments.decl.0 as usize].storage = Storage::Local;
    let main = new.functions.iter_mut().find(|own| own.name.text == "main")?;
    let address = program.abi.address();
    let named = |decl: DeclId| read(&Name { decl: Some(decl), ..arguments.name.clone() }, address, arguments.name.span);
    let own = Declarator {
        name: arguments.name.clone(),
        ty: arguments.ty.clone(),
        qualifiers: arguments.qualifiers,
        init: Some(Init::Expr(named(id))),
        is_static: false,
        is_extern: false,
        span: arguments.name.span,
        decl: arguments.decl,
    };
    main.body.insert(0, Stmt { kind: StmtKind::Declare(Vec::new(), vec![own]), span: arguments.name.span });
    main.parameters[1].decl = id;
    Some(new)
}

/// The structures of the blocks to which pointers lead.
struct Holders {
    of_slot: SortedMap<Slot, StructId>,
}

impl Holders {
    /// The shape of what a pointer's holder has, with blocks in place of elements.
    fn holding(&self, shape: &Shape, slot: &Slot) -> Shape {
        match shape {
            Shape::Array { element, length } => Shape::Array { element: Box::new(self.holding(element, slot)), length: length.clone() },
            Shape::Pointer(inner) => Shape::Pointer(Box::new(match (self.of_slot.get(slot), &**inner) {
                (Some(block), _) => Shape::Struct(*block),
                (None, Shape::Pointer(_)) => self.holding(inner, &slot.clone().elements()),
                (None, inner) => inner.clone(),
            })),
            shape => shape.clone(),
        }
    }
}

/// Whether an object of a shape is a structure of the program, has one, or leads to one; blocks are `first` and the ones after it.
fn holds_structure(shape: &Shape, first: u32) -> bool {
    match shape {
        Shape::Struct(id) => id.0 < first,
        Shape::Array { element: inner, .. } | Shape::Pointer(inner) => holds_structure(inner, first),
        _ => false,
    }
}

/// Declares the structure of a class of blocks with elements of this shape; `first` is the number of the first block's structure.
fn declare_block(program: &mut Program, first: u32, tag: &ClassTag, element: Shape) -> StructId {
    let id = StructId(u32::try_from(program.structs.len()).unwrap_or(u32::MAX));
    let mut name = tag.name.text.clone();
    // Its arrays are called `data.length` and so on, as members of a structure are.
    let is_taken = |name: &str| {
        let has_members = |decl: &Decl| decl.name == name && holds_structure(&decl.shape, first);
        program.decls.iter().any(has_members) || program.structs.iter().any(|own| own.name == name)
    };
    while is_taken(&name) {
        name.push('_');
    }
    let ty = element.integer(program.abi).unwrap_or_default();
    let member = |text: &str, shape: Shape, ty: Integer| Member {
        name: Name { text: text.to_owned(), span: tag.name.span, decl: None },
        ty: Type::Integer(ty),
        qualifiers: Qualifiers::default(),
        shape,
        bits: None,
    };
    let items = Shape::Array { element: Box::new(element), length: Length::Fixed(Int::from(MOST)) };
    let members = vec![member("length", Shape::Scalar(Integer::UnsignedLongLong), Integer::UnsignedLongLong), member("items", items, ty)];
    program.structs.push(Struct {
        name,
        span: tag.name.span,
        members: Some(members),
        layout: Layout::Natural,
        gaps: Vec::new(),
        sets_padding: false,
        union: None,
    });
    id
}
