//! The arrays that keep tables and their rows, and what is computed with them.

use super::super::ast::{BinaryOp, Constant, Expr, ExprKind, Initial, Length, Name, Program, Shape};
use super::super::intrinsic::{ALLOCATION_FAILS, ELEMENT, FREED, IS_NULL, of_library};
use super::super::types::Integer;
use crate::logic::Int;
use crate::source::Span;

/// The most elements that an object is said to have: no machine of this kind has room for more.
const MOST: i64 = (1 << 47) - 1;

/// Objects of one kind, one behind the other.
struct Kind {
    /// What stands in them.
    elements: Name,
    /// Bytes of an element.
    size: i64,
    /// How many elements each has, by its number; -1 where it was freed.
    lengths: Name,
    /// The next number, and the last that was given.
    next: Name,
    last: Name,
    /// The number of a null pointer, and whether the program asks for it.
    null: i64,
    asked: bool,
}

/// Whether the program asks for null of what such calls give.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Asked {
    table: bool,
    row: bool,
}

/// The arrays and numbers of one type of tables.
pub(super) struct Memory {
    tables: Kind,
    rows: Kind,
    /// What the program was seen to ask.
    pub asks: Asked,
}

fn typed(kind: ExprKind, ty: Integer, span: Span) -> Expr {
    Expr { ty, ..Expr::new(kind, span) }
}

/// A constant.
pub(super) fn number(value: i64, span: Span) -> Expr {
    typed(ExprKind::Int(Int::from(value)), Integer::LongLong, span)
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (a.ty, a.span);
    typed(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
}

fn read(name: &Name, span: Span) -> Expr {
    typed(ExprKind::Name(Name { span, ..name.clone() }), Integer::LongLong, span)
}

fn at(array: &Name, index: Expr, ty: Integer) -> Expr {
    let span = index.span;
    typed(ExprKind::Index(Box::new(read(array, span)), Box::new(index)), ty, span)
}

fn assign(target: Expr, value: Expr) -> Expr {
    let span = target.span;
    typed(ExprKind::Assign { target: Box::new(target), op: None, value: Box::new(value), at: Integer::LongLong }, Integer::LongLong, span)
}

fn own(name: &str, arguments: Vec<Expr>, ty: Integer, span: Span) -> Expr {
    typed(ExprKind::Call(Name { text: name.to_owned(), span, decl: None }, arguments), ty, span)
}

fn converted(e: Expr, ty: Integer) -> Expr {
    let span = e.span;
    if e.ty == ty { e } else { typed(ExprKind::Convert(Box::new(e)), ty, span) }
}

impl Kind {
    fn new(
        program: &mut Program,
        name: &str,
        element: Integer,
        size: i64,
        (null, asked): (i64, bool),
        first: Option<Vec<Initial>>,
    ) -> Kind {
        let mut decl = |suffix: &str, shape: Shape, initial: Option<Vec<Initial>>| {
            program.declare_memory(format!("{name}{suffix}"), Span::default(), shape, initial)
        };
        let array = |element| Shape::Array { element: Box::new(Shape::Scalar(element)), length: Length::Unknown };
        let value = Constant { typed: Int::from(2), unbounded: Int::from(2) };
        let two = vec![Initial { path: Vec::new(), indices: Vec::new(), value }];
        Kind {
            elements: decl("", array(element), first),
            size,
            lengths: decl(".lengths", array(Integer::LongLong), Some(Vec::new())),
            next: decl(".next", Shape::Scalar(Integer::LongLong), Some(two)),
            last: decl(".last", Shape::Scalar(Integer::LongLong), Some(Vec::new())),
            null,
            asked,
        }
    }

    /// Where an object starts that has room for so many bytes.
    fn allocate(&self, bytes: Expr, span: Span) -> Expr {
        let bytes = converted(bytes, Integer::UnsignedLongLong);
        let constant = |value: i64| typed(ExprKind::Int(Int::from(value)), Integer::UnsignedLongLong, span);
        let count = binary(BinaryOp::And, binary(BinaryOp::Div, bytes, constant(self.size)), constant(MOST));
        let length = || at(&self.lengths, read(&self.next, span), Integer::LongLong);
        let end = binary(BinaryOp::Add, binary(BinaryOp::Add, read(&self.next, span), length()), number(1, span));
        let steps = [
            assign(length(), converted(count, Integer::LongLong)),
            assign(read(&self.last, span), read(&self.next, span)),
            assign(read(&self.next, span), end),
            read(&self.last, span),
        ];
        let comma = |a: Expr, b: Expr| typed(ExprKind::Comma(Box::new(a), Box::new(b)), Integer::LongLong, span);
        let [first, second, third, value] = steps;
        let there = comma(first, comma(second, comma(third, value)));
        if !self.asked {
            return there;
        }
        let draw = own(&of_library(ALLOCATION_FAILS), Vec::new(), Integer::Bool, span);
        let kind = ExprKind::Conditional(Box::new(draw), Box::new(number(self.null, span)), Box::new(there));
        typed(kind, Integer::LongLong, span)
    }

    /// An element of the object with this number.
    fn element(&self, object: Expr, index: Expr, ty: Integer, span: Span) -> Expr {
        let length = at(&self.lengths, object.clone(), Integer::LongLong);
        let index = converted(index, Integer::LongLong);
        let place = own(ELEMENT, vec![object, index, length, number(self.null, span)], Integer::LongLong, span);
        let base = read(&self.elements, span);
        typed(ExprKind::Index(Box::new(base), Box::new(place)), ty, span)
    }

    fn free(&self, object: Expr, span: Span) -> Expr {
        let length = at(&self.lengths, object.clone(), Integer::LongLong);
        let freed = own(FREED, vec![object, length, number(self.null, span)], Integer::LongLong, span);
        Expr { span, ..assign(at(&self.lengths, freed, Integer::LongLong), number(-1, span)) }
    }

    fn is_null(&self, object: Expr, span: Span) -> Expr {
        own(IS_NULL, vec![object, number(self.null, span)], Integer::Int, span)
    }
}

impl Memory {
    /// Declares what keeps them.
    pub fn new(program: &mut Program, element: Integer, asked: Asked) -> Memory {
        let name = element.name();
        let tables = Kind::new(
            program,
            &format!("tables of {name}"),
            Integer::LongLong,
            program.abi.address().size(program.abi),
            (0, asked.table),
            Some(Vec::new()),
        );
        let rows = Kind::new(program, &format!("rows of {name}"), element, element.size(program.abi), (1, asked.row), None);
        Memory { tables, rows, asks: Asked::default() }
    }

    pub fn allocate_table(&self, bytes: Expr, span: Span) -> Expr {
        self.tables.allocate(bytes, span)
    }

    pub fn allocate_row(&self, bytes: Expr, span: Span) -> Expr {
        self.rows.allocate(bytes, span)
    }

    /// The place in a table that holds a row's number.
    pub fn slot(&self, table: Expr, index: Expr, span: Span) -> Expr {
        self.tables.element(table, index, Integer::LongLong, span)
    }

    /// An element of a row.
    pub fn cell(&self, row: Expr, index: Expr, ty: Integer, span: Span) -> Expr {
        self.rows.element(row, index, ty, span)
    }

    pub fn free_table(&self, table: Expr, span: Span) -> Expr {
        self.tables.free(table, span)
    }

    pub fn free_row(&self, row: Expr, span: Span) -> Expr {
        self.rows.free(row, span)
    }

    pub fn table_is_null(&mut self, table: Expr, span: Span) -> Expr {
        self.asks.table = true;
        self.tables.is_null(table, span)
    }

    pub fn row_is_null(&mut self, row: Expr, span: Span) -> Expr {
        self.asks.row = true;
        self.rows.is_null(row, span)
    }
}
