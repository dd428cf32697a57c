//! Tables of pointers that `malloc` makes: `int **t = malloc(n * sizeof(int *)); t[i] = malloc(m * sizeof(int)); t[i][j] = 3; free(t[i]);`.
//!
//! Such pointers become numbers. All tables of a program with one type of elements share one array, `t.slots`, all rows another, `t.cells`: a
//! number says where a table or a row starts there, and another array how long it is. The numbers of later ones are greater, so that no two
//! meet. What a number leads to is checked where it is used ([`intrinsic::ELEMENT`]): to use what was never set, is null, was freed or ends
//! before that is undefined.
//!
//! | number | of a table | of a row |
//! |---|---|---|
//! | 0 | null | never set |
//! | 1 | never set | null |
//! | more | where it starts in the slots | where it starts in the cells |
//!
//! It is all or nothing: where a program does anything else with such a pointer, it stays as it is, and lowering refuses what it cannot follow.
//! No pointer of these may come from outside, so the function that is looked at has none among its parameters.

mod build;

use super::ast::{BinaryOp, DeclId, Expr, ExprKind, Function, Init, Item, Name, Program, Shape, Stmt, StmtKind, Storage, Type, UnaryOp};
use super::intrinsic;
use super::types::Integer;
use build::{Asked, Memory, number};
use std::collections::BTreeSet;

/// Makes numbers of the tables of a program, where it does nothing with them but what is followed.
pub fn follow(program: &mut Program) {
    let tables = program.decls.iter().filter_map(|decl| table_of(&decl.shape));
    // A number for each type, in the order of the text.
    let mut elements: Vec<Integer> = Vec::new();
    for element in tables {
        if !elements.contains(&element) {
            elements.push(element);
        }
    }
    for element in elements {
        // Whether memory is there is drawn only where the program asks for it.
        let mut asked = Asked::default();
        while let Some((followed, asks)) = followed(program, element, asked) {
            if asks == asked {
                *program = followed;
                break;
            }
            asked = asks;
        }
    }
}

/// The parameter of a function that has become a number so, by its place; `None` where there is none.
pub fn parameter(program: &Program, function: &Function) -> Option<usize> {
    function.parameters.iter().position(|parameter| is_number(&parameter.ty, &program.decl(parameter.decl).shape))
}

/// Whether what a function gives back has become a number so.
pub fn is_result(function: &Function) -> bool {
    is_number(&function.returns, &function.result)
}

fn is_number(ty: &Type, shape: &Shape) -> bool {
    matches!(ty, Type::Pointer(_) | Type::Array(..)) && matches!(shape, Shape::Scalar(_))
}

/// The type of a table's elements.
fn table_of(shape: &Shape) -> Option<Integer> {
    let Shape::Pointer(row) = shape else { return None };
    match &**row {
        Shape::Pointer(element) => {
            if let Shape::Scalar(element) = &**element {
                Some(*element)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Whether something inside of the shape is such a table.
fn holds(shape: &Shape, element: Integer) -> bool {
    table_of(shape) == Some(element)
        || match shape {
            Shape::Pointer(inner) | Shape::Array { element: inner, .. } | Shape::Function(inner) => holds(inner, element),
            _ => false,
        }
}

/// Something else is done with a table.
struct Unknown;

type Followed<T> = Result<T, Unknown>;

struct Tables<'p> {
    program: &'p Program,
    memory: Memory,
    element: Integer,
    tables: BTreeSet<DeclId>,
    /// Whether the current function may jump over declarations, and whether it gives back a table.
    jumps: bool,
    gives: bool,
    made: bool,
}

fn followed(program: &Program, element: Integer, asked: Asked) -> Option<(Program, Asked)> {
    let mut tables = BTreeSet::new();
    for (decl, id) in program.decls.iter().zip(0..) {
        if table_of(&decl.shape) == Some(element) {
            let own = matches!(decl.storage, Storage::Local | Storage::Parameter) && !decl.qualifiers.names_volatile();
            tables.insert(DeclId(id)).then_some(own).filter(|own| *own)?;
        } else if holds(&decl.shape, element) {
            return None;
        }
    }
    // The arguments of the program are there before it starts.
    if program.function("main").is_some_and(|(_, main)| main.parameters.iter().any(|parameter| tables.contains(&parameter.decl))) {
        return None;
    }
    let members = program.structs.iter().flat_map(|structure| structure.members.iter().flatten());
    if members.into_iter().any(|member| holds(&member.shape, element)) {
        return None;
    }
    let mut new = program.clone();
    let memory = Memory::new(&mut new, element, asked);
    let mut walk = Tables { program, memory, element, tables, jumps: false, gives: false, made: false };
    for function in &mut new.functions {
        walk.jumps = function.body.iter().any(jumps);
        walk.gives = table_of(&function.result) == Some(element);
        for stmt in &mut function.body {
            walk.statement(stmt).ok()?;
        }
        if walk.gives {
            function.result = Shape::Scalar(Integer::LongLong);
        }
    }
    for id in &walk.tables {
        new.decls[id.0 as usize].shape = Shape::Scalar(Integer::LongLong);
    }
    walk.made.then_some((new, walk.memory.asks))
}

/// Whether a statement may lead behind a declaration.
fn jumps(stmt: &Stmt) -> bool {
    let mut found = matches!(stmt.kind, StmtKind::Goto(_) | StmtKind::Switch { .. });
    stmt.children(&mut |child| found = found || jumps(child));
    found
}

/// Takes an expression out of its place.
fn take(e: &mut Expr) -> Expr {
    let span = e.span;
    std::mem::replace(e, Expr::new(ExprKind::Error, span))
}

fn is_null(e: &Expr) -> bool {
    matches!(&e.unconverted().kind, ExprKind::Int(value) if value.is_zero())
}

impl Tables<'_> {
    fn statement(&mut self, stmt: &mut Stmt) -> Followed<()> {
        match &mut stmt.kind {
            StmtKind::Expr(e) => self.dropped(e),
            StmtKind::Return(Some(e)) if self.gives => self.change(e, Self::table),
            StmtKind::Return(Some(e)) => self.plain(e),
            StmtKind::Declare(_, list) => list.iter_mut().try_for_each(|declarator| {
                if declarator.ty.lengths().flatten().any(|e| self.names_table(e)) {
                    return Err(Unknown);
                }
                if !self.tables.contains(&declarator.decl) {
                    return declarator.init.iter_mut().try_for_each(|init| self.init(init));
                }
                // A jump over the declaration would leave any number.
                if self.jumps {
                    return Err(Unknown);
                }
                declarator.ty = Type::Integer(Integer::LongLong);
                match &mut declarator.init {
                    Some(Init::Expr(e)) => self.change(e, Self::table),
                    // What is not set is no table.
                    None => {
                        declarator.init = Some(Init::Expr(number(1, declarator.span)));
                        Ok(())
                    }
                    _ => Err(Unknown),
                }
            }),
            StmtKind::Block(list) => list.iter_mut().try_for_each(|stmt| self.statement(stmt)),
            StmtKind::If { arms, otherwise } => {
                for (condition, stmt) in arms {
                    self.change(condition, Self::truth)?;
                    self.statement(stmt)?;
                }
                otherwise.iter_mut().try_for_each(|stmt| self.statement(stmt))
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                self.change(condition, Self::truth)?;
                self.statement(body)
            }
            StmtKind::For { init, condition, step, body } => {
                init.iter_mut().try_for_each(|stmt| self.statement(stmt))?;
                condition.iter_mut().try_for_each(|e| self.change(e, Self::truth))?;
                step.iter_mut().try_for_each(|e| self.dropped(e))?;
                self.statement(body)
            }
            StmtKind::Switch { value, body } => {
                self.plain(value)?;
                self.statement(body)
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Labelled(_, body) => self.statement(body),
            StmtKind::Empty | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Return(None) | StmtKind::Error => Ok(()),
        }
    }

    fn init(&mut self, init: &mut Init) -> Followed<()> {
        match init {
            Init::Expr(e) => self.plain(e),
            Init::List(items, _) => items.iter_mut().try_for_each(|Item { value, .. }| self.init(value)),
        }
    }

    /// Puts what a function makes of an expression in its place.
    fn change(&mut self, e: &mut Expr, with: fn(&mut Self, Expr) -> Followed<Expr>) -> Followed<()> {
        let old = take(e);
        *e = with(self, old)?;
        Ok(())
    }

    fn is_table(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Name(Name { decl: Some(decl), .. }) if self.tables.contains(decl))
    }

    fn gives_table(&self, name: &Name) -> bool {
        self.program.function(&name.text).is_some_and(|(_, function)| table_of(&function.result) == Some(self.element))
    }

    fn names_table(&self, e: &Expr) -> bool {
        let mut found = self.is_table(e);
        e.kind.children(&mut |child| found = found || self.names_table(child));
        found
    }

    /// The bytes that a call of `malloc` asks for.
    fn asked<'e>(&self, e: &'e mut Expr) -> Option<&'e mut Expr> {
        match &mut e.kind {
            ExprKind::Call(name, arguments) if name.text == "malloc" && self.program.function("malloc").is_none() => {
                match &mut arguments[..] {
                    [bytes] => Some(bytes),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The number of a table.
    fn table(&mut self, mut e: Expr) -> Followed<Expr> {
        let span = e.span;
        if is_null(&e) {
            return Ok(number(0, span));
        }
        if let Some(bytes) = self.asked(&mut e) {
            let mut bytes = take(bytes);
            self.plain(&mut bytes)?;
            self.made = true;
            return Ok(self.memory.allocate_table(bytes, span));
        }
        match e.kind {
            ExprKind::Convert(inner) => self.table(*inner),
            ExprKind::Name(_) if self.is_table(&e) => Ok(Expr { ty: Integer::LongLong, ..e }),
            ExprKind::Call(ref name, _) if self.gives_table(name) => {
                self.arguments(&mut e)?;
                Ok(Expr { ty: Integer::LongLong, ..e })
            }
            ExprKind::Assign { mut target, op: None, value, .. } if self.is_table(&target) => {
                target.ty = Integer::LongLong;
                let value = Box::new(self.table(*value)?);
                let kind = ExprKind::Assign { target, op: None, value, at: Integer::LongLong };
                Ok(Expr { ty: Integer::LongLong, ..Expr::new(kind, span) })
            }
            _ => Err(Unknown),
        }
    }

    /// The place of a row's number, where an expression names a row.
    fn slot(&mut self, e: &Expr) -> Option<Expr> {
        let zero = number(0, e.span);
        let (base, index) = match &e.kind {
            ExprKind::Index(base, index) => (base, &**index),
            ExprKind::Deref(base) => (base, &zero),
            _ => return None,
        };
        if !self.is_table(base) || !self.is_steady(index) {
            return None;
        }
        let table = Expr { ty: Integer::LongLong, ..(**base).clone() };
        Some(self.memory.slot(table, index.clone(), e.span))
    }

    /// Whether an expression can be evaluated several times.
    fn is_steady(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) => true,
            ExprKind::Name(Name { decl: Some(id), .. }) => {
                let decl = &self.program.decls[id.0 as usize];
                matches!(decl.shape, Shape::Scalar(_)) && !decl.qualifiers.names_volatile()
            }
            ExprKind::Index(base, index) => {
                let ExprKind::Name(Name { decl: Some(id), .. }) = &base.kind else { return false };
                let decl = &self.program.decls[id.0 as usize];
                let numbers = matches!(&decl.shape, Shape::Array { element: inner, .. } | Shape::Pointer(inner) if matches!(**inner, Shape::Scalar(_)));
                numbers && !decl.qualifiers.names_volatile() && self.is_steady(index)
            }
            ExprKind::Unary(_, inner) | ExprKind::Convert(inner) => self.is_steady(inner),
            ExprKind::Binary(_, a, b) => self.is_steady(a) && self.is_steady(b),
            _ => false,
        }
    }

    /// The number of a row that goes into a slot.
    fn row(&mut self, mut e: Expr) -> Followed<Expr> {
        let span = e.span;
        if is_null(&e) {
            return Ok(number(1, span));
        }
        if let Some(bytes) = self.asked(&mut e) {
            let mut bytes = take(bytes);
            self.plain(&mut bytes)?;
            return Ok(self.memory.allocate_row(bytes, span));
        }
        if let Some(slot) = self.slot(&e) {
            return Ok(slot);
        }
        match e.kind {
            ExprKind::Convert(inner) => self.row(*inner),
            _ => Err(Unknown),
        }
    }

    /// The assignment to a slot.
    fn filled(&mut self, e: Expr) -> Followed<Expr> {
        let span = e.span;
        let ExprKind::Assign { target, op: None, value, .. } = e.kind else { return Err(Unknown) };
        let target = Box::new(self.slot(&target).ok_or(Unknown)?);
        let kind = ExprKind::Assign { target, op: None, value: Box::new(self.row(*value)?), at: Integer::LongLong };
        Ok(Expr { ty: Integer::LongLong, ..Expr::new(kind, span) })
    }

    /// A value that is a truth value where it stands.
    fn truth(&mut self, mut e: Expr) -> Followed<Expr> {
        match self.is_nothing(&mut e)? {
            Some(nothing) => Ok(Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(nothing)), e.span)),
            None => {
                self.plain(&mut e)?;
                Ok(e)
            }
        }
    }

    /// Whether a table or a row is null, where an expression names one.
    fn is_nothing(&mut self, e: &mut Expr) -> Followed<Option<Expr>> {
        let span = e.span;
        if let Some(slot) = self.slot(e.unconverted()) {
            return Ok(Some(self.memory.row_is_null(slot, span)));
        }
        if matches!(&e.kind, ExprKind::Assign { target, op: None, .. } if self.slot(target).is_some()) {
            let filled = self.filled(take(e))?;
            return Ok(Some(self.memory.row_is_null(filled, span)));
        }
        let gives = matches!(&e.unconverted().kind, ExprKind::Call(name, _) if self.gives_table(name));
        let assigns = matches!(&e.unconverted().kind, ExprKind::Assign { target, .. } if self.is_table(target));
        if !(gives || assigns || self.is_table(e.unconverted())) {
            return Ok(None);
        }
        let table = self.table(take(e))?;
        Ok(Some(self.memory.table_is_null(table, span)))
    }

    fn arguments(&mut self, e: &mut Expr) -> Followed<()> {
        let ExprKind::Call(name, arguments) = &mut e.kind else { return Err(Unknown) };
        let parameters: Vec<DeclId> = match self.program.function(&name.text) {
            Some((_, function)) => function.parameters.iter().map(|parameter| parameter.decl).collect(),
            None => Vec::new(),
        };
        for (at, argument) in arguments.iter_mut().enumerate() {
            match parameters.get(at) {
                Some(decl) if self.tables.contains(decl) => self.change(argument, Self::table)?,
                _ => self.plain(argument)?,
            }
        }
        Ok(())
    }

    /// An expression whose value nobody uses.
    fn dropped(&mut self, e: &mut Expr) -> Followed<()> {
        match &mut e.kind {
            ExprKind::Call(name, arguments) if name.text == "free" && self.program.function("free").is_none() => {
                let [argument] = &arguments[..] else { return self.plain(e) };
                let argument = argument.unconverted();
                let freed = match self.slot(argument) {
                    Some(slot) => self.memory.free_row(slot, e.span),
                    None if self.is_table(argument) => {
                        let table = Expr { ty: Integer::LongLong, ..argument.clone() };
                        self.memory.free_table(table, e.span)
                    }
                    None => return self.plain(e),
                };
                *e = freed;
                Ok(())
            }
            ExprKind::Call(name, _) if self.gives_table(name) => {
                self.arguments(e)?;
                e.ty = Integer::LongLong;
                Ok(())
            }
            ExprKind::Assign { target, op: None, .. } if self.is_table(target) => self.change(e, Self::table),
            ExprKind::Assign { target, op: None, .. } if self.slot(target).is_some() => self.change(e, Self::filled),
            ExprKind::Convert(inner) => self.dropped(inner),
            ExprKind::Comma(first, second) => {
                self.dropped(first)?;
                self.dropped(second)
            }
            _ => self.plain(e),
        }
    }

    /// An expression that is no table and no row.
    fn plain(&mut self, e: &mut Expr) -> Followed<()> {
        let span = e.span;
        let cell = match &e.kind {
            ExprKind::Index(base, index) => Some((&**base, (**index).clone())),
            ExprKind::Deref(base) => Some((&**base, number(0, span))),
            _ => None,
        };
        if let Some((base, mut index)) = cell
            && let Some(slot) = self.slot(base)
        {
            self.plain(&mut index)?;
            // The index is compared with both bounds.
            if !self.is_steady(&index) {
                return Err(Unknown);
            }
            *e = self.memory.cell(slot, index, e.ty, span);
            return Ok(());
        }
        if self.is_table(e) {
            return Err(Unknown);
        }
        match &mut e.kind {
            // A pointer there could leave the row.
            ExprKind::AddressOf(inner) if matches!(&inner.kind, ExprKind::Index(base, _) | ExprKind::Deref(base) if self.slot(base).is_some()) => {
                Err(Unknown)
            }
            // Its value is a number that is not the address.
            ExprKind::Assign { target, .. } if self.slot(target).is_some() => Err(Unknown),
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) if is_null(a) || is_null(b) => {
                let (op, side) = (*op, if is_null(b) { a } else { b });
                let Some(nothing) = self.is_nothing(side)? else { return self.parts(e) };
                *e = match op {
                    BinaryOp::Eq => nothing,
                    _ => Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(nothing)), span),
                };
                Ok(())
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let Some(nothing) = self.is_nothing(inner)? else { return self.parts(e) };
                *e = nothing;
                Ok(())
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.change(a, Self::truth)?;
                self.change(b, Self::truth)
            }
            ExprKind::Conditional(condition, a, b) => {
                self.change(condition, Self::truth)?;
                self.plain(a)?;
                self.plain(b)
            }
            ExprKind::Call(name, _) if self.gives_table(name) => Err(Unknown),
            ExprKind::Call(name, _) if intrinsic::is_own(&name.text) => self.parts(e),
            ExprKind::Call(..) => self.arguments(e),
            _ => self.parts(e),
        }
    }

    fn parts(&mut self, e: &mut Expr) -> Followed<()> {
        match &mut e.kind {
            ExprKind::Unary(_, a)
            | ExprKind::Member(a, ..)
            | ExprKind::Deref(a)
            | ExprKind::AddressOf(a)
            | ExprKind::Cast(_, a)
            | ExprKind::Convert(a)
            | ExprKind::SizeofExpr(a)
            | ExprKind::Step { target: a, .. } => self.plain(a),
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Comma(a, b) | ExprKind::Assign { target: a, value: b, .. } => {
                self.plain(a)?;
                self.plain(b)
            }
            ExprKind::Call(_, arguments) => arguments.iter_mut().try_for_each(|argument| self.plain(argument)),
            ExprKind::CallAt(..) => Err(Unknown),
            _ => Ok(()),
        }
    }
}
