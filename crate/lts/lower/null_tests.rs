//! Which pointers a program tests for null: themselves, or copies of them in other variables, parameters, members and results.
//!
//! A caller's pointer is null only where the program tests for that: else the first access would be all that there is to say of null.

use super::texts::is_null;
use crate::lang::ast::{BinaryOp, DeclId, Expr, ExprKind, Function, Init, Program, Shape, Stmt, StmtKind, UnaryOp};
use crate::lang::flow::{Cell, cell_of, shape_of};
use crate::logic::{SortedMap, SortedSet};

/// Whether the program tests the pointer of this variable, or a copy of it.
pub(super) fn tests_for_null(program: &Program, decl: DeclId) -> bool {
    let mut tests =
        TestedCopies { program, tested: SortedSet::new(), null: SortedSet::new(), compared: Vec::new(), copies: SortedMap::new() };
    for function in &program.functions {
        function.body.iter().for_each(|stmt| tests.statement(stmt, function));
    }
    // A comparison with what may be null is a test for null.
    let null = tests.copied_from(tests.null.iter().copied());
    for (one, other) in std::mem::take(&mut tests.compared) {
        for (tested, with) in [(one, other), (other, one)] {
            if null.contains(&with) {
                tests.tested.insert(tested);
            }
        }
    }
    !tests.copied_from([Cell::Decl(decl)].into_iter()).is_disjoint(&tests.tested)
}

/// Whether this is an array that is a part of a variable, so that its address is not null.
pub(super) fn is_array_in_object(program: &Program, e: &Expr) -> bool {
    let is_array = |e: &Expr| matches!(shape_of(program, e), Some(Shape::Array { .. }));
    let mut object = e;
    // A pointer on the way may lead to nothing.
    while let ExprKind::Member(of, ..) | ExprKind::Index(of, _) = &object.kind
        && (is_array(of) || matches!(shape_of(program, of), Some(Shape::Struct(_))))
    {
        object = of;
    }
    is_array(e) && matches!(object.kind, ExprKind::Name(_))
}

/// What is tested, and from which cells pointers are copied to which.
struct TestedCopies<'a> {
    program: &'a Program,
    tested: SortedSet<Cell<'a>>,
    /// The cells that are set to null.
    null: SortedSet<Cell<'a>>,
    compared: Vec<(Cell<'a>, Cell<'a>)>,
    copies: SortedMap<Cell<'a>, Vec<Cell<'a>>>,
}

impl<'a> TestedCopies<'a> {
    fn statement(&mut self, stmt: &'a Stmt, function: &'a Function) {
        match &stmt.kind {
            StmtKind::Return(Some(e)) => self.copy(e, Cell::Result(&function.name.text)),
            StmtKind::Declare(_, list) => {
                for declarator in list {
                    if let Some(Init::Expr(e)) = &declarator.init {
                        self.copy(e, Cell::Decl(declarator.decl));
                    }
                }
            }
            // Tests inside of the library are no tests of the program.
            _ if function.library => {}
            StmtKind::If { arms, .. } => arms.iter().for_each(|(condition, _)| self.test(condition)),
            StmtKind::While { condition, .. } | StmtKind::DoWhile { condition, .. } => self.test(condition),
            StmtKind::For { condition: Some(condition), .. } => self.test(condition),
            _ => {}
        }
        stmt.expressions(&mut |e| self.expression(e, function.library));
        stmt.children(&mut |child| self.statement(child, function));
    }

    fn expression(&mut self, e: &'a Expr, library: bool) {
        match &e.kind {
            ExprKind::Assign { target, value, .. } => {
                if let Some(to) = cell_of(self.program, target) {
                    self.copy(value, to);
                }
            }
            ExprKind::Call(name, arguments) => {
                if let Some((_, function)) = self.program.function(&name.text) {
                    for (parameter, argument) in function.parameters.iter().zip(arguments) {
                        self.copy(argument, Cell::Decl(parameter.decl));
                    }
                }
            }
            _ if library => {}
            ExprKind::Unary(UnaryOp::Not, inner) | ExprKind::Conditional(inner, ..) => self.test(inner),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.test(a);
                self.test(b);
            }
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) if is_null(a) || is_null(b) => {
                self.test(a);
                self.test(b);
            }
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => {
                self.pointers(a, &mut |tests, one| tests.pointers(b, &mut |tests, other| tests.compared.push((one, other))));
            }
            _ => {}
        }
        e.kind.children(&mut |child| self.expression(child, library));
    }

    /// These cells, and all to which their pointers are copied.
    fn copied_from(&self, from: impl Iterator<Item = Cell<'a>>) -> SortedSet<Cell<'a>> {
        let mut open: Vec<Cell> = from.collect();
        let mut seen: SortedSet<Cell> = open.iter().copied().collect();
        while let Some(cell) = open.pop() {
            open.extend(self.copies.get(&cell).into_iter().flatten().copied().filter(|next| seen.insert(*next)));
        }
        seen
    }

    fn copy(&mut self, value: &'a Expr, to: Cell<'a>) {
        if is_null(value) {
            self.null.insert(to);
        }
        self.pointers(value, &mut |tests, from| tests.copies.entry(from).or_default().push(to));
    }

    fn test(&mut self, e: &'a Expr) {
        self.pointers(e, &mut |tests, cell| {
            tests.tested.insert(cell);
        });
    }

    /// The variables, members and results whose pointer is the value of an expression.
    fn pointers(&mut self, e: &'a Expr, visit: &mut dyn FnMut(&mut Self, Cell<'a>)) {
        let e = e.unconverted();
        match &e.kind {
            ExprKind::Conditional(_, a, b) => {
                self.pointers(a, visit);
                self.pointers(b, visit);
            }
            ExprKind::Comma(_, last) => self.pointers(last, visit),
            ExprKind::Name(_)
            | ExprKind::Member(..)
            | ExprKind::Call(..)
            | ExprKind::Assign { .. }
            | ExprKind::Index(..)
            | ExprKind::Deref(_) => {
                if matches!(shape_of(self.program, e), Some(Shape::Pointer(_)))
                    && let Some(cell) = cell_of(self.program, e)
                {
                    visit(self, cell);
                }
            }
            _ => {}
        }
    }
}
