//! Pointers that may lead elsewhere than to the first byte of an object, because the program computes with them: what `free` does not take;
//! and pointers that may lead to a string of the program's text, which no program may change.
//!
//! Cells as in [`super::flow`]; assignments, arguments and `return` let a pointer flow from cell to cell, without the order of statements.

use super::ast::{BinaryOp, DeclId, Expr, ExprKind, Init, Member, Program, Shape, Stmt, StmtKind, string_address};
use super::flow::{Cell, cell_of, shape_of};
use crate::logic::{Int, SortedMap, SortedSet};

/// The cells that may hold a pointer which has moved, and the ones that may hold a pointer to a string.
pub struct MovedPointers<'a> {
    program: &'a Program,
    moved: SortedSet<Cell<'a>>,
    to_strings: SortedSet<Cell<'a>>,
}

/// From where a pointer comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source<'a> {
    From(Cell<'a>),
    /// It is computed from one of a cell, or from another pointer.
    Moved(Option<Cell<'a>>),
    String,
}

impl<'a> MovedPointers<'a> {
    pub fn of(program: &'a Program) -> MovedPointers<'a> {
        let mut flow = MovedFlow { program, moved: Vec::new(), to_strings: Vec::new(), edges: SortedMap::new() };
        for function in &program.functions {
            function.body.iter().for_each(|stmt| flow.statement(stmt, Cell::Result(&function.name.text)));
        }
        flow.first_values();
        let MovedFlow { moved, to_strings, edges, .. } = flow;
        MovedPointers { program, moved: with_all_that_follow(moved, &edges), to_strings: with_all_that_follow(to_strings, &edges) }
    }

    /// Whether the pointer that an expression gives may have moved.
    pub fn has(&self, e: &'a Expr) -> bool {
        sources(self.program, e).iter().any(|source| match source {
            Source::From(cell) => self.moved.contains(cell),
            Source::Moved(_) => true,
            Source::String => false,
        })
    }

    /// Whether an lvalue may name a character of a string.
    pub fn names_string(&self, lvalue: &'a Expr) -> bool {
        matches!(shape_of(self.program, lvalue), Some(Shape::Scalar(_)))
            && cell_of(self.program, lvalue).is_some_and(|cell| self.to_strings.contains(&cell))
    }
}

fn with_all_that_follow<'a>(mut open: Vec<Cell<'a>>, edges: &SortedMap<Cell<'a>, Vec<Cell<'a>>>) -> SortedSet<Cell<'a>> {
    let mut found = SortedSet::new();
    while let Some(cell) = open.pop() {
        if found.insert(cell) {
            open.extend(edges.get(&cell).into_iter().flatten().copied());
        }
    }
    found
}

struct MovedFlow<'a> {
    program: &'a Program,
    moved: Vec<Cell<'a>>,
    to_strings: Vec<Cell<'a>>,
    edges: SortedMap<Cell<'a>, Vec<Cell<'a>>>,
}

impl<'a> MovedFlow<'a> {
    fn statement(&mut self, stmt: &'a Stmt, result: Cell<'a>) {
        match &stmt.kind {
            StmtKind::Return(Some(e)) => self.set(result, e),
            StmtKind::Declare(_, list) => {
                for declarator in list {
                    let to = Cell::Decl(declarator.decl);
                    declarator.init.iter().for_each(|init| self.initial(to, init));
                }
            }
            _ => {}
        }
        stmt.expressions(&mut |e| self.expression(e));
        stmt.children(&mut |child| self.statement(child, result));
    }

    /// Members of an initialiser in braces count as the whole object; a string that is one is copied into the array.
    fn initial(&mut self, to: Cell<'a>, init: &'a Init) {
        let is_array = matches!(to, Cell::Decl(id) if matches!(self.program.decl(id).shape, Shape::Array { .. }));
        if is_array && matches!(init, Init::Expr(_)) {
            return;
        }
        let members = match (to, init) {
            (Cell::Decl(id), Init::List(..)) => members_in(self.program, &self.program.decl(id).shape),
            _ => Vec::new(),
        };
        init.expressions(&mut |e| members.iter().copied().chain([to]).for_each(|to| self.set(to, e)));
    }

    /// The first values of variables that last.
    fn first_values(&mut self) {
        let program = self.program;
        let is_string = |value: &Int| !program.strings.is_empty() && *value >= string_address(0);
        for (decl, id) in program.decls.iter().zip(0..) {
            let values = decl.initial.iter().flatten();
            if values.into_iter().any(|initial| is_string(&initial.value.typed)) {
                self.to_strings.push(Cell::Decl(DeclId(id)));
                self.to_strings.extend(members_in(program, &decl.shape));
            }
        }
    }

    fn expression(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::Assign { target, op, value, .. } => match (cell_of(self.program, target), op) {
                (Some(to), None) => self.set(to, value),
                (Some(to), Some(_)) if is_pointer(self.program, target) => self.moved.push(to),
                _ => {}
            },
            ExprKind::Step { target, .. } if is_pointer(self.program, target) => self.moved.extend(cell_of(self.program, target)),
            ExprKind::Call(name, arguments) => {
                let parameters = self.program.function(&name.text).into_iter().flat_map(|(_, function)| &function.parameters);
                parameters.zip(arguments).for_each(|(parameter, argument)| self.set(Cell::Decl(parameter.decl), argument));
            }
            _ => {}
        }
        e.kind.children(&mut |child| self.expression(child));
    }

    fn set(&mut self, to: Cell<'a>, value: &'a Expr) {
        for source in sources(self.program, value) {
            match source {
                Source::From(from) => self.edges.entry(from).or_default().push(to),
                Source::Moved(from) => {
                    self.moved.push(to);
                    from.into_iter().for_each(|from| self.edges.entry(from).or_default().push(to));
                }
                Source::String => self.to_strings.push(to),
            }
        }
    }
}

/// The members of the structures in an object.
fn members_in<'a>(program: &'a Program, shape: &Shape) -> Vec<Cell<'a>> {
    match shape {
        Shape::Array { element, .. } => members_in(program, element),
        Shape::Struct(id) => {
            let members = program.structure(*id).members.iter().flatten();
            let of = |member: &'a Member| [members_in(program, &member.shape), vec![Cell::Member(&member.name.text)]].concat();
            members.flat_map(of).collect()
        }
        _ => Vec::new(),
    }
}

fn is_pointer(program: &Program, e: &Expr) -> bool {
    matches!(shape_of(program, e.unconverted()), Some(Shape::Pointer(_)))
}

/// From where the pointer that an expression gives comes; nothing where it leads to the first byte of an object that the expression names.
fn sources<'a>(program: &'a Program, e: &'a Expr) -> Vec<Source<'a>> {
    let moved = |e: &'a Expr| vec![Source::Moved(cell_of(program, e))];
    match &e.kind {
        ExprKind::Convert(inner) | ExprKind::Cast(_, inner) | ExprKind::Comma(_, inner) => sources(program, inner),
        ExprKind::Conditional(_, a, b) => [sources(program, a), sources(program, b)].concat(),
        ExprKind::Assign { target, op: None, value, .. } => {
            let mut all = sources(program, value);
            all.extend(cell_of(program, target).map(Source::From));
            all
        }
        ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } => moved(target),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
            let is_zero = |e: &Expr| matches!(&e.unconverted().kind, ExprKind::Int(value) if value.is_zero());
            let is_address = |e: &Expr| matches!(shape_of(program, e.unconverted()), Some(Shape::Pointer(_) | Shape::Array { .. }));
            match (is_address(a), is_address(b)) {
                (true, false) if is_zero(b) => sources(program, a),
                (false, true) if is_zero(a) => sources(program, b),
                (false, false) => Vec::new(),
                (false, true) => moved(b),
                _ => moved(a),
            }
        }
        ExprKind::AddressOf(inner) => match &inner.unconverted().kind {
            ExprKind::Deref(base) => sources(program, base),
            ExprKind::Index(base, index) if matches!(&index.unconverted().kind, ExprKind::Int(value) if value.is_zero()) => {
                sources(program, base)
            }
            ExprKind::Name(_) => Vec::new(),
            _ => moved(inner),
        },
        ExprKind::Str(_) => vec![Source::String],
        ExprKind::Int(value) if !program.strings.is_empty() && *value >= string_address(0) => vec![Source::String],
        _ => cell_of(program, e).map(Source::From).into_iter().collect(),
    }
}
