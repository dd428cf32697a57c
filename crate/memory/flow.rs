//! Which pointers to nodes a program compares with null, and what flows there: a caller's pointer is null, and a call of `malloc` fails, only
//! where the program asks for that.

use super::block_arrays::ITEMS;
use super::slots::allocation;
use super::structures::{NodeStructures, Pointee, gives_memory, part_at};
use crate::lang::ast::{BinaryOp, DeclId, Expr, ExprKind, Function, Init, Item, Name, Program, Shape, Stmt, StmtKind, StructId, UnaryOp};
use crate::lang::flow::{Cell, cell_of, shape_of};
use crate::logic::{SortedMap, SortedSet};

/// What holds pointers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Holder<'a> {
    Cell(Cell<'a>),
    /// The elements of the blocks of a structure.
    Items(StructId),
}

/// Pointers that are compared with null, and assignments between pointers.
pub(super) struct NullTests<'a> {
    program: &'a Program,
    nodes: &'a NodeStructures,
    tested: SortedSet<Holder<'a>>,
    /// Variables whose own value is compared, and not only what they lead to.
    compared: SortedSet<DeclId>,
    /// To which cells the pointers of a cell are assigned, also by arguments and results.
    flows: SortedMap<Holder<'a>, Vec<Holder<'a>>>,
    /// The variables through which the program goes to a member.
    followed: SortedSet<DeclId>,
    /// What is set to memory that a call gives, with the structure of the nodes that it leads to.
    allocated: Vec<(Holder<'a>, StructId)>,
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
        self.reaches_test(Holder::Cell(Cell::Decl(decl)), |_| true)
    }

    /// The structures for whose nodes the program compares the result of `malloc` with a null pointer, also where the pointer is copied. A pointer
    /// that it has followed before it copies it is no null pointer.
    pub fn asks_of_memory(&self) -> SortedSet<StructId> {
        let goes_on = |cell: Holder<'a>| !matches!(cell, Holder::Cell(Cell::Decl(decl)) if self.followed.contains(&decl));
        self.allocated.iter().filter(|(cell, _)| self.reaches_test(*cell, goes_on)).map(|(_, structure)| *structure).collect()
    }

    /// The cell that an expression names, also what a function of the library gives; the elements of blocks are one for each kind of block.
    fn cell(&self, e: &'a Expr) -> Option<Holder<'a>> {
        let mut inner = e;
        while let ExprKind::Index(base, _) | ExprKind::Deref(base) = &inner.kind {
            inner = base;
        }
        match &inner.kind {
            ExprKind::Member(base, _, ITEMS)
                if let Some(Shape::Struct(id)) = shape_of(self.program, base)
                    && self.program.nodes.blocks.contains_key(id) =>
            {
                Some(Holder::Items(*id))
            }
            ExprKind::Call(name, _) => self.program.function(&name.text).map(|_| Holder::Cell(Cell::Result(&name.text))),
            _ => cell_of(self.program, e).map(Holder::Cell),
        }
    }

    fn reaches_test(&self, from: Holder<'a>, goes_on: impl Fn(Holder<'a>) -> bool) -> bool {
        let mut open = vec![from];
        let mut seen: SortedSet<Holder<'a>> = open.iter().copied().collect();
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
                self.flow(e, Holder::Cell(Cell::Result(&function.name.text)), Some(&function.result));
            }
            StmtKind::Declare(_, list) => {
                for declarator in list {
                    match &declarator.init {
                        Some(Init::Expr(e)) => {
                            self.flow(e, Holder::Cell(Cell::Decl(declarator.decl)), Some(&self.program.decl(declarator.decl).shape))
                        }
                        Some(Init::List(items, _)) => self.listed(items, declarator.decl),
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
    fn listed(&mut self, items: &'a [Item], decl: DeclId) {
        let shape = &self.program.decl(decl).shape;
        for item in items {
            match (&item.value, item.path()) {
                (Init::Expr(e), path) => {
                    self.truth(e);
                    if let Some((part, member)) = path.and_then(|path| part_at(self.program, shape, path)) {
                        let holder = member.map_or(Cell::Decl(decl), |member| Cell::Member(&member.name.text));
                        self.flow(e, Holder::Cell(holder), Some(part));
                    }
                }
                (Init::List(inner, _), _) => self.listed(inner, decl),
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
                    self.tested.insert(Holder::Cell(Cell::Decl(*decl)));
                }
                _ => self.tested.extend(self.cell(e)),
            }
        }
    }

    fn expression(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::Assign { target, value, .. } => {
                if let Some(to) = self.cell(target) {
                    self.flow(value, to, shape_of(self.program, target));
                }
            }
            ExprKind::Call(name, arguments) => {
                if let Some((_, function)) = self.program.function(&name.text) {
                    for (parameter, argument) in function.parameters.iter().zip(arguments) {
                        self.flow(argument, Holder::Cell(Cell::Decl(parameter.decl)), Some(&self.program.decl(parameter.decl).shape));
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
    fn flow(&mut self, e: &'a Expr, to: Holder<'a>, shape: Option<&'a Shape>) {
        let structure = shape.and_then(|shape| self.nodes.innermost(shape));
        if let Some(structure) = structure.filter(|_| gives_memory(e) || allocation(self.program, e).is_some()) {
            self.allocated.push((to, structure));
        }
        match &e.kind {
            ExprKind::Conditional(_, a, b) => {
                self.flow(a, to, shape);
                self.flow(b, to, shape);
            }
            _ => {
                if let Some(from) = self.cell(e) {
                    self.flows.entry(from).or_default().push(to);
                    let is_address = matches!(&e.kind, ExprKind::AddressOf(_))
                        || matches!(shape_of(self.program, e), Some(Shape::Pointer(inner) | Shape::Array { element: inner, .. }) if matches!(**inner, Shape::Pointer(_)));
                    if is_address {
                        self.flows.entry(to).or_default().push(from);
                    }
                }
            }
        }
    }
}
