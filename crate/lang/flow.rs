//! Where addresses come from: which cells of a program hold nothing but addresses of its strings, or of its functions, and null pointers.
//!
//! A cell is a variable with all that it leads to, a member of this name, or what a function returns. An assignment, an argument and a
//! `return` let an address flow from cell to cell; a cell that something else can reach is *open*, and is not followed.
//! Addresses of arrays do not count: a pointer to one is the array itself, and has no value.
//!
//! [`Flow::outside`] finds the cells to which other parts of the program bring their own strings or functions, which [`Flow::open`] need
//! not: what a caller passes to a function matters there only where it outlives the call.

use super::ast::{DeclId, Expr as Tree, ExprKind, Function, Init, Item, Name, Program, Shape, Stmt, StmtKind, Storage, string_address};
use super::storage::Linkage;
use crate::logic::{Int, SortedMap, SortedSet};

/// A cell: an abstract memory location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell<'a> {
    Decl(DeclId),
    Member(&'a str),
    Result(&'a str),
}

/// Whether values of the shape are addresses.
fn is_pointer(shape: Option<&Shape>) -> bool {
    matches!(shape, Some(Shape::Pointer(_)))
}

/// Whether an array has no addresses among its elements: to name it is to name an object.
fn is_plain_array(shape: Option<&Shape>) -> bool {
    match shape {
        Some(Shape::Array { element, .. }) => matches!(**element, Shape::Scalar(_)) || is_plain_array(Some(element)),
        _ => false,
    }
}

/// The shape of an expression, where its form tells.
pub fn shape_of<'a>(program: &'a Program, e: &'a Tree) -> Option<&'a Shape> {
    match &e.kind {
        ExprKind::Name(Name { decl: Some(decl), .. }) => Some(&program.decl(*decl).shape),
        ExprKind::Index(base, _) | ExprKind::Deref(base) => match shape_of(program, base)? {
            Shape::Array { element, .. } => Some(element),
            Shape::Pointer(inner) => Some(inner),
            _ => None,
        },
        ExprKind::Member(base, _, at) => match shape_of(program, base)? {
            Shape::Struct(id) => program.structure(*id).members.as_ref()?.get(*at).map(|member| &member.shape),
            _ => None,
        },
        ExprKind::Call(name, _) => program.function(&name.text).map(|(_, function)| &function.result),
        ExprKind::Step { target, .. } | ExprKind::Assign { target, .. } => shape_of(program, target),
        ExprKind::Comma(_, last) => shape_of(program, last),
        // A long sum of numbers is not gone through from each of its parts.
        ExprKind::Binary(_, left, right) if e.ty == program.abi.address() => [left, right]
            .into_iter()
            .filter_map(|side| shape_of(program, side))
            .find(|shape| matches!(shape, Shape::Array { .. } | Shape::Pointer(_))),
        _ => None,
    }
}

/// The cell that an expression names.
pub fn cell_of<'a>(program: &'a Program, e: &'a Tree) -> Option<Cell<'a>> {
    match &e.kind {
        ExprKind::Name(name) => name.decl.map(Cell::Decl),
        ExprKind::Member(_, name, _) => Some(Cell::Member(&name.text)),
        ExprKind::Call(name, _) => program.function(&name.text).filter(|(_, function)| !function.library).map(|_| Cell::Result(&name.text)),
        ExprKind::Index(base, _) | ExprKind::Deref(base) | ExprKind::AddressOf(base) | ExprKind::Convert(base) => cell_of(program, base),
        ExprKind::Step { target, .. } | ExprKind::Assign { target, .. } => cell_of(program, target),
        ExprKind::Comma(_, last) => cell_of(program, last),
        ExprKind::Binary(_, left, right) if is_pointer(shape_of(program, left)) => {
            cell_of(program, left).or_else(|| cell_of(program, right))
        }
        ExprKind::Binary(_, left, right) => cell_of(program, right).or_else(|| cell_of(program, left)),
        _ => None,
    }
}

/// The kind of addresses that the analysis follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    Strings,
    Functions,
}

/// The flow of addresses through a program.
pub struct Flow<'a> {
    program: &'a Program,
    /// The addresses of this kind, and null.
    addresses: SortedSet<Int>,
    /// From where to where.
    edges: SortedMap<Cell<'a>, Vec<Cell<'a>>>,
    open: Vec<Cell<'a>>,
    /// Structures whose members are open.
    structures: SortedSet<u32>,
}

impl<'a> Flow<'a> {
    /// The flow of all that the bodies of the program's functions do.
    pub fn new(program: &'a Program, of: Of) -> Flow<'a> {
        let addresses: SortedSet<Int> = match of {
            Of::Strings => (0..program.strings.len()).map(string_address).chain([Int::ZERO]).collect(),
            Of::Functions => (0..=program.addressed.len()).map(Int::from).collect(),
        };
        let mut flow = Flow { program, addresses, edges: SortedMap::new(), open: Vec::new(), structures: SortedSet::new() };
        for function in program.own() {
            function.body.iter().for_each(|stmt| flow.statement(stmt, function));
        }
        for function in program.functions.iter().filter(|function| function.library) {
            function.body.iter().for_each(|stmt| flow.given(stmt));
        }
        for id in &program.nodes.written_outside {
            flow.input(Cell::Decl(*id), &program.decl(*id).shape);
        }
        flow
    }

    /// The cells that can hold other addresses, where these do.
    pub fn open(mut self, inputs: &[(DeclId, &'a Shape)]) -> SortedSet<Cell<'a>> {
        inputs.iter().for_each(|&(decl, shape)| self.input(Cell::Decl(decl), shape));
        self.first_values(|_| true);
        self.reached()
    }

    /// The cells that may hold addresses of objects and functions of other translation units; with `analysed`, also the cells that may hold
    /// addresses passed by the caller of this function.
    pub fn outside(mut self, analysed: Option<&'a Function>) -> SortedSet<Cell<'a>> {
        let program = self.program;
        self.first_values(|linkage| linkage != Linkage::Internal);
        for (decl, number) in program.decls.iter().zip(0..) {
            if matches!(decl.storage, Storage::Global | Storage::Static) && decl.linkage != Linkage::Internal && !decl.qualifiers.fixed() {
                self.input(Cell::Decl(DeclId(number)), &decl.shape);
            }
        }
        let mut always = self.open.clone();
        let of_others = self.open.len();
        self.structures = SortedSet::new();
        for parameter in analysed.iter().flat_map(|function| function.written_parameters()) {
            self.input(Cell::Decl(parameter.decl), &program.decl(parameter.decl).shape);
        }
        always.extend(self.open.drain(of_others..));
        // A caller passes what it likes, to be kept.
        self.structures = SortedSet::new();
        for function in program.own() {
            let is_called = !function.is_static || program.addressed.contains(&function.name.text);
            for parameter in function.written_parameters().iter().filter(|_| is_called && function.name.text != "main") {
                self.input(Cell::Decl(parameter.decl), &program.decl(parameter.decl).shape);
            }
        }
        let mut kept: SortedSet<&str> = SortedSet::new();
        for decl in program.decls.iter().filter(|decl| decl.storage.lasts() && !decl.qualifiers.fixed()) {
            self.members(&decl.shape, &mut kept, 8);
        }
        let lasts = |cell: &Cell| match cell {
            Cell::Decl(id) => program.decl(*id).storage.lasts() && !program.decl(*id).qualifiers.fixed(),
            Cell::Member(name) => kept.contains(name),
            Cell::Result(_) => false,
        };
        let edges = self.edges.clone();
        let mut open: Vec<Cell<'a>> = self.reached().into_iter().filter(lasts).collect();
        open.extend(always);
        reached(open, &edges)
    }

    /// The names of the members inside of a shape, and of what its pointers point to.
    fn members(&self, shape: &'a Shape, found: &mut SortedSet<&'a str>, depth: u32) {
        match shape {
            Shape::Array { element: inner, .. } | Shape::Pointer(inner) => self.members(inner, found, depth),
            Shape::Struct(id) if depth > 0 => {
                for member in self.program.structure(*id).members.iter().flatten() {
                    found.insert(&member.name.text);
                    self.members(&member.shape, found, depth - 1);
                }
            }
            _ => {}
        }
    }

    /// A cell whose values come from outside.
    fn input(&mut self, cell: Cell<'a>, shape: &'a Shape) {
        match shape {
            Shape::Array { element, .. } => self.input(cell, element),
            Shape::Pointer(inner) => {
                self.open.push(cell);
                self.input(cell, inner);
            }
            Shape::Struct(id) if self.structures.insert(id.0) => {
                for member in self.program.structure(*id).members.iter().flatten() {
                    self.input(Cell::Member(&member.name.text), &member.shape);
                }
            }
            _ => {}
        }
    }

    /// Globals and statics.
    fn first_values(&mut self, unset: impl Fn(Linkage) -> bool) {
        for (decl, number) in self.program.decls.iter().zip(0..) {
            let cell = Cell::Decl(DeclId(number));
            match (&decl.initial, decl.storage) {
                (None, Storage::Global) if unset(decl.linkage) => self.input(cell, &decl.shape),
                (Some(given), _) => {
                    for initial in given.iter().filter(|initial| !self.addresses.contains(&initial.value.typed)).collect::<Vec<_>>() {
                        if let Some((cell, Shape::Pointer(_))) = self.inside(cell, &decl.shape, &initial.path) {
                            self.open.push(cell);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The cell and the shape of what has these members on the way.
    fn inside(&self, mut cell: Cell<'a>, mut shape: &'a Shape, path: &[usize]) -> Option<(Cell<'a>, &'a Shape)> {
        let mut path = path.iter();
        loop {
            match shape {
                Shape::Array { element, .. } => shape = element,
                Shape::Struct(id) => {
                    let member = self.program.structure(*id).members.as_ref()?.get(*path.next()?)?;
                    (cell, shape) = (Cell::Member(&member.name.text), &member.shape);
                }
                shape => return Some((cell, shape)),
            }
        }
    }

    fn statement(&mut self, stmt: &'a Stmt, function: &'a Function) {
        stmt.expressions(&mut |e| self.expression(e));
        match &stmt.kind {
            StmtKind::Return(Some(e)) if is_pointer(Some(&function.result)) => self.flows(e, Cell::Result(&function.name.text)),
            StmtKind::Declare(_, list) => {
                for declarator in list {
                    let shape = &self.program.decl(declarator.decl).shape;
                    match &declarator.init {
                        Some(Init::Expr(e)) if is_pointer(Some(shape)) => self.flows(e, Cell::Decl(declarator.decl)),
                        Some(Init::List(items, _)) => self.listed(items, Cell::Decl(declarator.decl), shape),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        stmt.children(&mut |child| self.statement(child, function));
    }

    /// A variable of the library that is set to memory which a call gives holds another address.
    fn given(&mut self, stmt: &'a Stmt) {
        let is_given = |value: &Tree| matches!(value.unconverted().kind, ExprKind::Call(..));
        if let StmtKind::Declare(_, list) = &stmt.kind {
            for declarator in list {
                if matches!(&declarator.init, Some(Init::Expr(value)) if is_given(value))
                    && is_pointer(Some(&self.program.decl(declarator.decl).shape))
                {
                    self.open.push(Cell::Decl(declarator.decl));
                }
            }
        }
        stmt.expressions(&mut |e| {
            if let ExprKind::Assign { target, op: None, value, .. } = &e.kind
                && is_given(value)
                && is_pointer(shape_of(self.program, target))
            {
                self.open.extend(cell_of(self.program, target));
            }
        });
        stmt.children(&mut |child| self.given(child));
    }

    fn listed(&mut self, items: &'a [Item], cell: Cell<'a>, shape: &'a Shape) {
        for item in items {
            match (&item.value, &item.part_path) {
                (Init::Expr(e), Some((path, _))) => {
                    if let Some((cell, Shape::Pointer(_))) = self.inside(cell, shape, path) {
                        self.flows(e, cell);
                    }
                }
                (Init::List(inner, _), _) => self.listed(inner, cell, shape),
                _ => {}
            }
        }
    }

    fn expression(&mut self, e: &'a Tree) {
        match &e.kind {
            ExprKind::Assign { target, op, value, .. } if is_pointer(shape_of(self.program, target)) => {
                match (cell_of(self.program, target), op) {
                    (Some(cell), None) => self.flows(value, cell),
                    (Some(cell), Some(_)) => self.open.push(cell),
                    (None, _) => {}
                }
            }
            ExprKind::Step { target, .. } if is_pointer(shape_of(self.program, target)) => {
                self.open.extend(cell_of(self.program, target));
            }
            ExprKind::Call(name, arguments) => match self.program.function(&name.text).filter(|(_, function)| !function.library) {
                Some((_, function)) => {
                    for (parameter, argument) in function.parameters.iter().zip(arguments) {
                        if is_pointer(Some(&self.program.decl(parameter.decl).shape)) {
                            self.flows(self.moved_from(argument), Cell::Decl(parameter.decl));
                        }
                    }
                }
                // What becomes of pointers whose own addresses are passed is not known.
                None => {
                    for argument in arguments {
                        let pointers = match (&argument.kind, shape_of(self.program, argument)) {
                            (ExprKind::AddressOf(inner), _) => is_pointer(shape_of(self.program, inner)),
                            (_, Some(Shape::Pointer(inner) | Shape::Array { element: inner, .. })) => {
                                matches!(**inner, Shape::Pointer(_) | Shape::Array { .. })
                            }
                            _ => false,
                        };
                        if pointers {
                            self.open.extend(cell_of(self.program, argument));
                        }
                    }
                }
            },
            _ => {}
        }
        e.kind.children(&mut |child| self.expression(child));
    }

    /// Where a moved address that is an argument comes from: the parameter is then the index into the string itself, and no value.
    fn moved_from(&self, e: &'a Tree) -> &'a Tree {
        let pointer = |e| matches!(shape_of(self.program, e), Some(Shape::Pointer(_) | Shape::Array { .. }));
        match &e.kind {
            ExprKind::Binary(_, left, _) if pointer(left) => self.moved_from(left),
            ExprKind::Binary(_, _, right) if pointer(right) => self.moved_from(right),
            _ => e,
        }
    }

    /// A value flows to a cell.
    fn flows(&mut self, e: &'a Tree, to: Cell<'a>) {
        let shape = shape_of(self.program, e);
        match &e.kind {
            ExprKind::Str(_) => {}
            ExprKind::Int(value) if self.addresses.contains(value) => {}
            ExprKind::Convert(inner) => self.flows(inner, to),
            // A number is any address.
            _ if matches!(shape, Some(Shape::Scalar(_))) => self.open.push(to),
            ExprKind::Conditional(_, a, b) => {
                self.flows(a, to);
                self.flows(b, to);
            }
            ExprKind::Comma(_, last) => self.flows(last, to),
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) | ExprKind::Binary(..)
                if is_plain_array(shape) => {}
            ExprKind::AddressOf(inner) if matches!(shape_of(self.program, inner), Some(Shape::Scalar(_) | Shape::Struct(_))) => {}
            // A moved address of characters is none of a string's; a moved address of pointers leads to the same ones.
            ExprKind::Binary(..) if !matches!(shape, Some(Shape::Pointer(inner) | Shape::Array { element: inner, .. }) if is_pointer(Some(inner))) =>
            {
                self.open.push(to);
            }
            _ => match cell_of(self.program, e) {
                Some(from) => {
                    self.edges.entry(from).or_default().push(to);
                    // What is written through one is read through the other, unless both are addresses of characters.
                    if !matches!(shape, Some(Shape::Pointer(inner)) if matches!(**inner, Shape::Scalar(_))) {
                        self.edges.entry(to).or_default().push(from);
                    }
                }
                None => self.open.push(to),
            },
        }
    }

    /// The open cells with all that they flow to.
    fn reached(self) -> SortedSet<Cell<'a>> {
        reached(self.open, &self.edges)
    }
}

/// These cells with all that they flow to.
fn reached<'a>(mut open: Vec<Cell<'a>>, edges: &SortedMap<Cell<'a>, Vec<Cell<'a>>>) -> SortedSet<Cell<'a>> {
    let mut found = SortedSet::new();
    while let Some(cell) = open.pop() {
        if found.insert(cell) {
            open.extend(edges.get(&cell).into_iter().flatten().copied());
        }
    }
    found
}
