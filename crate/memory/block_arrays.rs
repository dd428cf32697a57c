//! The arrays and the counter of blocks, beside the lengths and elements.

use super::structures::{each_call, holds_node};
use super::tree::typed;
use crate::lang::ast::{BinaryOp, Constant, DeclId, Expr, ExprKind, Initial, Length, Name, Program, Shape, StructId};
use crate::lang::sizes::Sizes;
use crate::lang::types::Integer;
use crate::logic::Int;

/// The number of the member with the length of a block.
pub const LENGTH: usize = 0;

/// The number of the member with the elements of a block.
pub const ITEMS: usize = 1;

/// The elements of a block, at most: no call gives more bytes than addresses of 47 bits have.
pub const MOST: i64 = 1 << 47;

/// The type of a block's length.
pub(super) const LENGTH_TYPE: Integer = Integer::UnsignedLongLong;

/// The arrays and the counter of a class of blocks, beside the lengths and elements.
pub(super) struct BlockArrays {
    pub structure: StructId,
    /// The shape of an element, with numbers in place of pointers.
    pub element: Shape,
    /// The bytes of an element.
    size: i64,
    /// Whether an element is the number of a node, or has one.
    pub has_node: bool,
    /// How far before its own number the elements of a block lie; `None` where the program does not call `realloc`.
    pub moved: Option<Name>,
    /// Counts elements.
    pub index: Name,
}

impl BlockArrays {
    /// Declares them.
    pub fn new(program: &mut Program, structure: StructId, tag: &str) -> BlockArrays {
        let declared = program.structure(structure);
        let span = declared.span;
        let items = declared.members.as_ref().and_then(|members| members.get(ITEMS)).map(|member| member.shape.clone());
        let element = match items {
            Some(Shape::Array { element, .. }) => *element,
            _ => Shape::Opaque,
        };
        let kind = program.nodes.blocks.get(&structure);
        let sizes = Sizes { structs: &program.structs, abi: program.abi };
        let size = kind.and_then(|kind| sizes.size(&kind.element)).map_or(1, |(size, _)| size);
        let has_node = holds_node(program, &element);
        let value = || Constant { typed: Int::ZERO, unbounded: Int::ZERO };
        let zero = || Some(vec![Initial { path: Vec::new(), indices: Vec::new(), value: value() }]);
        let mut calls_realloc = false;
        program.functions.iter().flat_map(|own| &own.body).for_each(|stmt| each_call(stmt, &mut |name| calls_realloc |= name == "realloc"));
        let array = Shape::Array { element: Box::new(Shape::Scalar(Integer::LongLong)), length: Length::Unknown };
        let moved = calls_realloc.then(|| program.declare_memory(format!("{tag}.moved"), span, array, Some(Vec::new())));
        let index = program.declare_memory(format!("{tag}.index"), span, Shape::Scalar(LENGTH_TYPE), zero());
        BlockArrays { structure, element, size, has_node, moved, index }
    }

    /// The array that says how far elements lie from where their block's number says.
    pub fn moved_array(&self) -> Option<DeclId> {
        self.moved.as_ref()?.decl
    }

    /// How many elements so many bytes, or so many times so many bytes, have room for; `None` of a product that may have no value, where `calloc`
    /// gives no memory.
    pub fn elements(&self, bytes: Expr, count: Option<Expr>) -> Option<Expr> {
        let size = Int::from(self.size);
        let is_size = |e: &Expr| matches!(&e.unconverted().kind, ExprKind::Int(value) if *value == size);
        let (ty, span) = (bytes.ty, bytes.span);
        let product = match (bytes, count) {
            (bytes, Some(count)) if is_size(&bytes) => return Some(count),
            (bytes, Some(count)) if is_size(&count) => return Some(bytes),
            (bytes, Some(count)) => match (&bytes.unconverted().kind, &count.unconverted().kind) {
                (ExprKind::Int(a), ExprKind::Int(b)) => typed(ExprKind::Int(a * b), ty, span),
                _ => return None,
            },
            (bytes, None) => bytes,
        };
        if size.is_one() {
            return Some(product);
        }
        let size = typed(ExprKind::Int(size), ty, span);
        Some(typed(ExprKind::Binary(BinaryOp::Div, Box::new(product), Box::new(size)), ty, span))
    }
}
