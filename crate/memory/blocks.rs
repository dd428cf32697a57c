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

use super::WithBlocks;
use super::block_arrays::MOST;
use super::block_facts::{BlockClasses, ClassTag, Facts};
use super::cursor_facts::cursors as cursors_of;
use super::cursor_uses::AT_TYPE;
use super::lifetimes::Lifetimes;
use super::open_orders::changed_by_calls;
use super::rewriting::{AddedObjects, Holding, Rewriting};
use super::slots::Slot;
use super::structures::{each_call, reached};
use super::tree::read;
use crate::lang::ast::{
    BlockKind, Decl, DeclId, Declarator, Function, Init, Layout, Length, Member, Name, Parameter, Program, Qualifiers, Shape, Stmt,
    StmtKind, Storage, Struct, StructId, Type,
};
use crate::lang::types::Integer;
use crate::logic::{Int, SortedMap};
use std::cell::RefCell;

/// The program in which pointers that hold blocks lead to structures, and whether only that tells how long a block lives, or that a member or
/// a static variable is set to one; `None` where there is none. With `cursors`, pointers that move, arrays and strings take part.
pub(super) fn with_blocks(program: &Program, function: &Function, cursors: bool) -> Option<WithBlocks> {
    let is_moved = |parameter: &Parameter| function.name.text == "main" && program.decl(parameter.decl).assigned;
    let copied: Vec<usize> = (0..function.parameters.len()).filter(|at| *at == 1 && is_moved(&function.parameters[*at])).collect();
    let found = with_copies(program, function, &copied, cursors)?;
    match found {
        Err(moved) if copied.is_empty() && !calls_itself(program, function) => with_copies(program, function, &moved, cursors)?.ok(),
        found => found.ok(),
    }
}

/// Whether calls from a function lead to it.
fn calls_itself(program: &Program, function: &Function) -> bool {
    let mut found = false;
    for at in reached(program, function) {
        program.functions[at].body.iter().for_each(|stmt| each_call(stmt, &mut |name| found |= name == function.name.text));
    }
    found
}

/// As [`with_blocks`], with variables in place of these parameters; else the numbers of the function's parameters that have to be such.
fn with_copies(program: &Program, function: &Function, copied: &[usize], cursors: bool) -> Option<Result<WithBlocks, Vec<usize>>> {
    let with_copy = with_copied_parameters(program, function, copied);
    let program = with_copy.as_ref().unwrap_or(program);
    let (_, function) = program.function(&function.name.text)?;
    let reached = reached(program, function);
    let mut facts = Facts::new(program, cursors);
    for (decl, at) in program.decls.iter().zip(0..) {
        if decl.qualifiers.names_volatile() || decl.initial.iter().flatten().any(|initial| !initial.value.typed.is_zero()) {
            facts.refused.insert(Slot::Decl(DeclId(at)));
        }
    }
    // Lowering follows these in each function, also where no block is.
    facts.refused.extend(program.nodes.static_pointers.keys().map(|pointer| Slot::Decl(*pointer)));
    for &at in &reached {
        facts.function(&program.functions[at]);
    }
    let allocated: Vec<Slot> = facts.allocated.iter().filter(|slot| facts.outlives(slot)).cloned().collect();
    facts.refuse_others(function);
    let found = cursors_of(&mut facts, function);
    let BlockClasses { of_slot: classes, cursors, are_ordered, tags } = facts.classes(function, found)?;
    let moved = |at: &usize| cursors.contains(&Slot::Decl(function.parameters[*at].decl));
    let moved: Vec<usize> = (0..function.parameters.len()).filter(moved).collect();
    if !moved.is_empty() {
        return Some(Err(moved));
    }
    let is_kept = allocated.iter().any(|slot| classes.contains_key(slot));
    let is_needed = is_kept || Lifetimes { program, reached: &reached, classes: &classes }.matter();
    let mut new = program.clone();
    let first = u32::try_from(new.structs.len()).ok()?;
    let count = u32::try_from(tags.len()).ok()?;
    let holding = |(slot, class): (Slot, usize)| {
        let block = first + u32::try_from(class).ok()?;
        let cursor = cursors.contains(&slot).then_some(StructId(block + count));
        Some((slot, Holding { block: StructId(block), cursor }))
    };
    let of_slot = classes.into_iter().map(holding).collect::<Option<_>>()?;
    let holders = Holders { of_slot };
    for (decl, at) in new.decls.iter_mut().zip(0..) {
        let of = |slot: Slot| holders.of_slot.get(&slot).map(|holding| Shape::Pointer(Box::new(Shape::Struct(holding.block))));
        decl.shape = match (of(Slot::Object(DeclId(at))), of(Slot::Rows(DeclId(at))), &decl.shape) {
            (Some(block), ..) => block,
            (None, Some(block), Shape::Array { length, .. }) => Shape::Array { element: Box::new(block), length: length.clone() },
            _ => holders.holding(&decl.shape, &Slot::Decl(DeclId(at))),
        };
    }
    for (structure, id) in new.structs.iter_mut().zip(0..) {
        for (member, at) in structure.members.iter_mut().flatten().zip(0..) {
            member.shape = holders.holding(&member.shape, &Slot::Member(StructId(id), at));
        }
    }
    for function in new.functions.iter_mut() {
        function.result = holders.holding(&function.result, &Slot::Result(function.name.text.clone()));
    }
    for tag in &tags {
        let id = declare_block(&mut new, first, tag, holders.holding(&tag.element, &tag.slot.clone().elements()));
        new.nodes.blocks.insert(id, BlockKind { element: tag.element.clone(), moved: None, line: tag.line, is_made: false });
    }
    for tag in tags.iter().filter(|_| !cursors.is_empty()) {
        declare_cursor(&mut new, first, tag);
    }
    let added = AddedObjects { next: u32::try_from(new.decls.len()).ok()?, ..AddedObjects::default() };
    let rewriting = Rewriting {
        program,
        of_slot: holders.of_slot,
        added: RefCell::new(added),
        pending: RefCell::new(Vec::new()),
        changed_by_calls: changed_by_calls(program),
    };
    for &at in &reached {
        let name = program.functions[at].name.text.clone();
        rewriting.statements(&mut new.functions[at].body, &name);
    }
    if let Some(main) = new.functions.iter_mut().find(|own| own.name.text == "main") {
        main.body.splice(0..0, rewriting.first_statements()?);
    }
    for slot in rewriting.of_slot.keys() {
        if let Slot::Object(id) | Slot::Rows(id) = slot
            && program.decl(*id).storage.lasts()
        {
            new.decls[id.0 as usize].initial = Some(Vec::new());
        }
    }
    let (strings, first) = rewriting.strings();
    if let Some(own) = new.functions.iter_mut().find(|own| own.name.text == function.name.text) {
        own.body.splice(0..0, first);
    }
    new.functions.extend(strings);
    let AddedObjects { variables, has_failed, .. } = rewriting.added.into_inner();
    new.decls.extend(variables);
    (!has_failed && rewriting.pending.into_inner().is_empty()).then_some(Ok(WithBlocks { program: new, is_needed, are_ordered }))
}

/// A function with variables in place of these of its parameters that it moves, so that the parameters lead to first elements throughout.
fn with_copied_parameters(program: &Program, function: &Function, copied: &[usize]) -> Option<Program> {
    let mut new = (!copied.is_empty()).then(|| program.clone())?;
    for &at in copied.iter().rev() {
        let parameter = &function.parameters[at];
        let decl = program.decl(parameter.decl);
        let id = DeclId(u32::try_from(new.decls.len()).ok()?);
        new.decls.push(Decl { assigned: false, ..decl.clone() });
        new.decls[parameter.decl.0 as usize].storage = Storage::Local;
        let own = new.functions.iter_mut().find(|own| own.name.text == function.name.text)?;
        let named = read(&Name { decl: Some(id), ..parameter.name.clone() }, program.abi.address(), parameter.name.span);
        let variable = Declarator {
            name: parameter.name.clone(),
            ty: parameter.ty.clone(),
            qualifiers: parameter.qualifiers,
            init: Some(Init::Expr(named)),
            is_static: false,
            is_extern: false,
            span: parameter.name.span,
            decl: parameter.decl,
        };
        own.body.insert(0, Stmt { kind: StmtKind::Declare(Vec::new(), vec![variable]), span: parameter.name.span });
        own.parameters[at].decl = id;
    }
    Some(new)
}

/// The structures of the blocks to which pointers lead.
struct Holders {
    of_slot: SortedMap<Slot, Holding>,
}

impl Holders {
    /// The shape of what a pointer's holder has, with blocks in place of elements.
    fn holding(&self, shape: &Shape, slot: &Slot) -> Shape {
        match shape {
            Shape::Array { element, length } => Shape::Array { element: Box::new(self.holding(element, slot)), length: length.clone() },
            Shape::Pointer(_) if let Some(Holding { cursor: Some(cursor), .. }) = self.of_slot.get(slot) => Shape::Struct(*cursor),
            Shape::Pointer(inner) => Shape::Pointer(Box::new(match (self.of_slot.get(slot), &**inner) {
                (Some(holding), _) => Shape::Struct(holding.block),
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

fn member(name: &Name, text: &str, shape: Shape, ty: Integer) -> Member {
    let name = Name { text: text.to_owned(), span: name.span, decl: None };
    Member { name, ty: Type::Integer(ty), qualifiers: Qualifiers::default(), shape, bits: None }
}

/// Declares the structure of the cursors of a class.
fn declare_cursor(program: &mut Program, first: u32, tag: &ClassTag) {
    let block = StructId(first + program.nodes.cursors.len() as u32);
    let id = StructId(u32::try_from(program.structs.len()).unwrap_or(u32::MAX));
    let to_block = Shape::Pointer(Box::new(Shape::Struct(block)));
    let members =
        vec![member(&tag.name, "block", to_block, program.abi.address()), member(&tag.name, "at", Shape::Scalar(AT_TYPE), AT_TYPE)];
    program.structs.push(Struct {
        name: format!("{}.cursor", tag.name.text),
        span: tag.name.span,
        members: Some(members),
        layout: Layout::Natural,
        gaps: Vec::new(),
        union: None,
        sets_padding: false,
    });
    program.nodes.cursors.insert(id, block);
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
    let items = Shape::Array { element: Box::new(element), length: Length::Fixed(Int::from(MOST)) };
    let members = vec![
        member(&tag.name, "length", Shape::Scalar(Integer::UnsignedLongLong), Integer::UnsignedLongLong),
        member(&tag.name, "items", items, ty),
    ];
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
