//! Arrays of arrays of scalars to whose rows pointers lead that are kept: each row is a block of its own, and the array holds these.

use super::cursor_objects::character;
use super::rewriting::{MOST_FIRST_VALUES, Rewriting};
use super::tree::{assign, statement, typed};
use crate::lang::ast::{DeclId, Declarator, Expr, ExprKind, Init, Item, Name, Shape, Stmt};
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::source::Span;

/// The values that the rows of an array begin with.
type RowValues = Vec<Vec<Option<Expr>>>;

/// An array of rows.
struct RowArray {
    name: Name,
    ty: Integer,
    rows: usize,
    columns: usize,
    /// The bytes of an element.
    size: i64,
}

impl Rewriting<'_> {
    fn row_array(&self, id: DeclId, span: Span) -> Option<RowArray> {
        let decl = self.program.decl(id);
        let Shape::Array { element, .. } = &decl.shape else { return None };
        let Shape::Array { element: scalar, .. } = &**element else { return None };
        let Shape::Scalar(ty) = **scalar else { return None };
        let ((rows, _), (columns, size)) = (self.length(&decl.shape)?, self.length(element)?);
        (rows <= MOST_FIRST_VALUES).then(|| RowArray {
            name: Name { text: decl.name.clone(), span, decl: Some(id) },
            ty,
            rows,
            columns,
            size,
        })
    }

    /// Statements that make each row a block and set its first values.
    fn set_rows(&self, array: &RowArray, function: &str, values: RowValues) -> Vec<Stmt> {
        let (span, address) = (array.name.span, self.program.abi.address());
        let mut made = Vec::new();
        for at in 0..array.rows {
            let row = || {
                let index = typed(ExprKind::Int(Int::from(at)), Integer::LongLong, span);
                let named = typed(ExprKind::Name(array.name.clone()), address, span);
                typed(ExprKind::Index(Box::new(named), Box::new(index)), address, span)
            };
            made.push(statement(assign(row(), self.array(function, array.columns, array.size, span), address)));
            let own = values.get(at).into_iter().flatten().zip(0..);
            made.extend(own.filter_map(|(value, column)| {
                let value = value.clone()?;
                Some(statement(assign(self.element(row(), column, array.ty), value, array.ty)))
            }));
        }
        made
    }

    /// What makes the rows of an array that lasts blocks, at the start of the program.
    pub(super) fn first_rows(&self, id: DeclId) -> Option<Vec<Stmt>> {
        let decl = self.program.decl(id);
        if !decl.storage.lasts() {
            return Some(Vec::new());
        }
        let array = self.row_array(id, decl.span)?;
        let mut values: RowValues = vec![vec![None; array.columns]; array.rows];
        for initial in decl.initial.iter().flatten().filter(|initial| !initial.value.typed.is_zero()) {
            let &[row, column] = &initial.indices[..] else { return None };
            let value = typed(ExprKind::Int(initial.value.typed.clone()), array.ty, decl.span);
            *values.get_mut(row)?.get_mut(column)? = Some(value);
        }
        Some(self.set_rows(&array, "zeros", values))
    }

    /// Makes the declaration of such an array one of an array of blocks, and gives the statements that make these.
    pub(super) fn declare_rows(&self, declarator: &mut Declarator) -> Option<Vec<Stmt>> {
        let first = declarator.init.take();
        if self.program.decl(declarator.decl).storage.lasts() {
            return Some(Vec::new());
        }
        let array = self.row_array(declarator.decl, declarator.span)?;
        let Some(first) = first else { return Some(self.set_rows(&array, "array", Vec::new())) };
        if array.rows * array.columns > MOST_FIRST_VALUES {
            return None;
        }
        let Init::List(items, _) = first else { return None };
        let zero = typed(ExprKind::Int(Int::ZERO), array.ty, declarator.span);
        let mut values: RowValues = vec![vec![Some(zero); array.columns]; array.rows];
        self.row_values(items, &array, &mut values)?;
        Some(self.set_rows(&array, "array", values))
    }

    fn row_values(&self, items: Vec<Item>, array: &RowArray, values: &mut RowValues) -> Option<()> {
        for item in items {
            let at = item.part_path;
            match item.value {
                Init::List(inner, _) => self.row_values(inner, array, values)?,
                Init::Expr(Expr { kind: ExprKind::Str(bytes), span, .. }) => {
                    let (path, indices) = at?;
                    let ([], &[row, ref rest @ ..]) = (&path[..], &indices[..]) else { return None };
                    if rest.iter().any(|&at| at != 0) {
                        return None;
                    }
                    let row = values.get_mut(row)?;
                    for (value, byte) in row.iter_mut().zip(bytes) {
                        *value = Some(typed(ExprKind::Int(character(byte, array.ty, self.program.abi)), array.ty, span));
                    }
                }
                Init::Expr(mut value) => {
                    let (path, indices) = at?;
                    let ([], &[row, column]) = (&path[..], &indices[..]) else { return None };
                    self.value(&mut value);
                    *values.get_mut(row)?.get_mut(column)? = Some(value);
                }
            }
        }
        Some(())
    }
}
