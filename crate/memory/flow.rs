//! Which pointers to nodes a program compares with null, and what flows there: a caller's pointer is null, and a call of `malloc` fails, only
//! where the program asks for that.

use super::slots::allocation;
use super::structures::{NodeStructures, Pointee, gives_memory};
use crate::lang::ast::{BinaryOp, DeclId, Expr, ExprKind, Function, Init, Item, Name, Program, Shape, Stmt, StmtKind, UnaryOp};
use crate::lang::flow::{Cell, cell_of};
use crate::logic::{SortedMap, SortedSet};

/// Pointers that are compared with null, and assignments between pointers.
pub(super) struct NullTests<'a> {
    program: &'a Program,
    nodes: &'a NodeStructures,
    tested: SortedSet<Cell<'a>>,
    /// Variables whose own value is compared, and not only what they lead to.
    compared: SortedSet<DeclId>,
    /// To which cells the pointers of a cell are assigned, also by arguments and results.
    flows: SortedMap<Cell<'a>, Vec<Cell<'a>>>,
    /// The variables through which the program goes to a member.
    followed: SortedSet<DeclId>,
    /// What is set to memory that a call gives.
    allocated: Vec<Cell<'a>>,
}

impl<'a> NullTests<'a> {
    /// The ones in the functions that matter.
    pub fn of(program: &'a Program, nodes: &'a NodeStructures) -> NullTests<'a> {
        let mut tests = NullTests {
            program,
            nodes,
            tested: SortedSet::new(),
            compared: SortedSet::new(),
            flows: SortedMap::new(),
            followed: SortedSet::new(),
            allocated: Vec::new(),
        };
        for &at in &nodes.reached {
            let function = &program.functions[at];
            let before = function.library.then(|| (tests.tested.clone(), tests.compared.clone(), tests.followed.clone()));
            function.body.iter().for_each(|stmt| tests.statement(stmt, function));
            // Tests for null inside of the library are no tests of the program.
            if let Some((tested, compared, followed)) = before {
                (tests.tested, tests.compared, tests.followed) = (tested, compared, followed);
            }
        }
        tests
    }

    /// Whether the program asks if a pointer of this variable is null, also where it is copied to; of a pointer to a pointer, whether it asks
    /// of the variable itself.
    pub fn asks_of(&self, decl: DeclId) -> bool {
        if let Some(Pointee::Cell(_)) = self.nodes.pointed(&self.program.decl(decl).shape) {
            return self.compared.contains(&decl);
        }
        self.reaches_test(Cell::Decl(decl), |_| true)
    }

    /// Whether the program asks if a call gave memory. A pointer that it has followed before it copies it is no null pointer.
    pub fn asks_of_memory(&self) -> bool {
        let goes_on = |cell: Cell<'a>| !matches!(cell, Cell::Decl(decl) if self.followed.contains(&decl));
        self.allocated.iter().any(|&cell| self.reaches_test(cell, goes_on))
    }

    fn reaches_test(&self, from: Cell<'a>, goes_on: impl Fn(Cell<'a>) -> bool) -> bool {
        let mut open = vec![from];
        let mut seen: SortedSet<Cell<'a>> = open.iter().copied().collect();
        while let Some(cell) = open.pop() {
            if self.tested.contains(&cell) {
                return true;
            }
            if goes_on(cell) {
                open.extend(self.flows.get(&cell).into_iter().flatten().copied().filter(|next| seen.insert(*next)));
            }
        }
        false
    }

    fn statement(&mut self, stmt: &'a Stmt, function: &'a Function) {
        match &stmt.kind {
            StmtKind::Return(Some(e)) if self.nodes.pointed(&function.result).is_some() => {
                self.flow(e, Cell::Result(&function.name.text));
            }
            StmtKind::Declare(_, list) => {
                for declarator in list {
                    match &declarator.init {
                        Some(Init::Expr(e)) => self.flow(e, Cell::Decl(declarator.decl)),
                        Some(Init::List(items, _)) => self.listed(items),
                        None => {}
                    }
                }
            }
            StmtKind::If { arms, .. } => arms.iter().for_each(|(condition, _)| self.truth(condition)),
            StmtKind::While { condition, .. } | StmtKind::DoWhile { condition, .. } => self.truth(condition),
            StmtKind::For { condition: Some(condition), .. } => self.truth(condition),
            _ => {}
        }
        stmt.expressions(&mut |e| self.expression(e));
        stmt.children(&mut |child| self.statement(child, function));
    }

    /// The pointers of an initialiser's list go to members and elements: each counts as a pointer that the program compares with null.
    fn listed(&mut self, items: &'a [Item]) {
        for item in items {
            match &item.value {
                Init::Expr(e) => self.truth(e),
                Init::List(inner, _) => self.listed(inner),
            }
        }
    }

    /// A value whose truth the program asks for.
    fn truth(&mut self, e: &'a Expr) {
        if self.nodes.of_value(self.program, e).is_some() {
            match &e.kind {
                ExprKind::Conditional(_, a, b) => {
                    self.truth(a);
                    self.truth(b);
                }
                ExprKind::Name(Name { decl: Some(decl), .. }) => {
                    self.compared.insert(*decl);
                    self.tested.insert(Cell::Decl(*decl));
                }
                _ => self.tested.extend(cell_of(self.program, e)),
            }
        }
    }

    fn expression(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::Assign { target, value, .. } => {
                if let Some(to) = cell_of(self.program, target) {
                    self.flow(value, to);
                }
            }
            ExprKind::Call(name, arguments) => {
                if let Some((_, function)) = self.program.function(&name.text) {
                    for (parameter, argument) in function.parameters.iter().zip(arguments) {
                        self.flow(argument, Cell::Decl(parameter.decl));
                    }
                }
            }
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => {
                self.truth(a);
                self.truth(b);
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.truth(inner),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.truth(a);
                self.truth(b);
            }
            ExprKind::Conditional(condition, ..) => self.truth(condition),
            ExprKind::Convert(inner) if self.nodes.of_value(self.program, inner).is_some() => self.truth(inner),
            ExprKind::Deref(inner) => {
                if let ExprKind::Name(Name { decl: Some(decl), .. }) = &inner.kind {
                    self.followed.insert(*decl);
                }
            }
            _ => {}
        }
        e.kind.children(&mut |child| self.expression(child));
    }

    /// A pointer that goes to a cell; a pointer to a pointer takes what it leads to along, in both directions.
    fn flow(&mut self, e: &'a Expr, to: Cell<'a>) {
        if gives_memory(e) || allocation(self.program, e).is_some() {
            self.allocated.push(to);
        }
        match &e.kind {
            ExprKind::Conditional(_, a, b) => {
                self.flow(a, to);
                self.flow(b, to);
            }
            _ => {
                if let Some(from) = cell_of(self.program, e) {
                    self.flows.entry(from).or_default().push(to);
                    let is_address = matches!(&e.kind, ExprKind::AddressOf(_))
                        || matches!(crate::lang::flow::shape_of(self.program, e), Some(Shape::Pointer(inner) | Shape::Array { element: inner, .. }) if matches!(**inner, Shape::Pointer(_)));
                    if is_address {
                        self.flows.entry(to).or_default().push(from);
                    }
                }
            }
        }
    }
}
