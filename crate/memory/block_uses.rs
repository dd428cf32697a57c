//! Functions written anew with pointers to blocks: each use of a pointer that holds one.

use super::block_arrays::ITEMS;
use super::rewriting::{CursorParts, Holding, Rewriting, after, take};
use super::slots::{Slot, allocation, is_free, is_null, slot_at, slot_of};
use crate::lang::ast::{BinaryOp, DeclId, Expr, ExprKind, Init, Item, Name, Shape, Stmt, StmtKind, StructId, UnaryOp};
use crate::lang::flow::shape_of;
use crate::lang::intrinsic::BLOCK;
use crate::lang::sizes::Sizes;
use crate::lang::types::Integer;
use crate::logic::Int;

/// The first element of an array.
fn first(items: Expr) -> ExprKind {
    let zero = Expr::new(ExprKind::Int(Int::ZERO), items.span);
    ExprKind::Index(Box::new(items), Box::new(zero))
}

impl Rewriting<'_> {
    /// The structure of the block to which a pointer leads that is the value of an expression, where that is no cursor.
    pub(super) fn block_of(&self, e: &Expr) -> Option<StructId> {
        let is_added = matches!(&e.kind, ExprKind::Name(Name { decl: Some(decl), .. }) if decl.0 as usize >= self.program.decls.len());
        if is_added || self.cursor_of(e).is_some() {
            return None;
        }
        self.of_slot.get(&slot_of(self.program, e)?).map(|holding| holding.block)
    }

    /// A pointer that holds a block gets a value.
    fn block(&self, e: &mut Expr, to: Holding) {
        match &mut e.kind {
            ExprKind::Str(bytes) => {
                let (bytes, span) = (std::mem::take(bytes), e.span);
                *e = self.literal(&bytes, to, span);
            }
            ExprKind::Conditional(condition, a, b) => {
                self.pointer(condition);
                self.block(a, to);
                self.block(b, to);
            }
            ExprKind::Comma(first, last) => {
                self.dropped(first);
                self.block(last, to);
            }
            ExprKind::Convert(inner) | ExprKind::Cast(_, inner) if matches!(inner.unconverted().kind, ExprKind::Str(_)) => {
                *e = take(inner);
                self.block(e, to);
            }
            _ => self.pointer(e),
        }
    }

    /// The elements of the block to which a pointer leads.
    pub(super) fn items(&self, pointer: Expr) -> Expr {
        let (span, address) = (pointer.span, self.program.abi.address());
        let block = Expr { ty: address, ..Expr::new(ExprKind::Deref(Box::new(pointer)), span) };
        let name = Name { text: "items".to_owned(), span, decl: None };
        Expr { ty: address, ..Expr::new(ExprKind::Member(Box::new(block), name, ITEMS), span) }
    }

    /// The same where the pointer may be null, and then has none.
    fn any_items(&self, pointer: Expr) -> Expr {
        self.items(self.any_pointer(pointer))
    }

    fn any_pointer(&self, pointer: Expr) -> Expr {
        let span = pointer.span;
        let name = Name { text: BLOCK.to_owned(), span, decl: None };
        Expr { ty: self.program.abi.address(), ..Expr::new(ExprKind::Call(name, vec![pointer]), span) }
    }

    /// The block to which a pointer leads that may be null.
    pub(super) fn any_block(&self, pointer: Expr) -> Expr {
        let span = pointer.span;
        Expr { ty: self.program.abi.address(), ..Expr::new(ExprKind::Deref(Box::new(self.any_pointer(pointer))), span) }
    }

    /// Statements in a row; what sets the elements of an array follows its declaration.
    pub fn statements(&self, list: &mut Vec<Stmt>, function: &str) {
        let mut made = Vec::new();
        for mut stmt in std::mem::take(list) {
            let mut values = Vec::new();
            if let StmtKind::Declare(_, declarators) = &mut stmt.kind {
                let last = declarators.iter().rposition(|own| own.init.is_some()).unwrap_or(0);
                for (at, declarator) in declarators.iter_mut().enumerate() {
                    let set = match self.array_of(declarator.decl) {
                        // What is declared later may lead to a row.
                        Some(Slot::Rows(_)) if at < last => None,
                        Some(Slot::Rows(_)) => self.declare_rows(declarator),
                        Some(_) => self.declare_array(declarator),
                        None => continue,
                    };
                    match set {
                        Some(set) => values.extend(set),
                        None => self.fail(),
                    }
                }
            }
            self.statement(&mut stmt, function);
            made.push(stmt);
            made.append(&mut values);
        }
        *list = made;
    }

    pub fn statement(&self, stmt: &mut Stmt, function: &str) {
        match &mut stmt.kind {
            StmtKind::Expr(e) => self.dropped(e),
            StmtKind::Return(Some(e)) => match self.of_slot.get(&Slot::Result(function.to_owned())).copied() {
                Some(to) if to.cursor.is_some() => match self.returned_cursor(take(e), to) {
                    Some(kind) => stmt.kind = kind,
                    None => self.fail(),
                },
                Some(to) => self.block(e, to),
                None => self.value(e),
            },
            StmtKind::Declare(_, list) => {
                for declarator in list {
                    let decl = declarator.decl;
                    if self.array_of(decl).is_some() {
                        continue;
                    }
                    match (&mut declarator.init, self.of_slot.get(&Slot::Decl(decl)).copied()) {
                        (Some(Init::Expr(e)), Some(to)) if to.cursor.is_some() => {
                            declarator.init = self.initial_cursor(take(e), to);
                            self.added.borrow_mut().has_failed |= declarator.init.is_none();
                        }
                        (Some(Init::Expr(e)), Some(to)) => self.block(e, to),
                        (Some(Init::Expr(e)), None) => self.value(e),
                        (Some(Init::List(items, _)), _) => self.listed(items, decl),
                        (None, _) => {}
                    }
                }
            }
            StmtKind::Block(list) => self.statements(list, function),
            StmtKind::If { arms, otherwise } => {
                for (condition, stmt) in arms {
                    self.pointer(condition);
                    self.statement(stmt, function);
                }
                otherwise.iter_mut().for_each(|stmt| self.statement(stmt, function));
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                self.pointer(condition);
                self.statement(body, function);
            }
            StmtKind::For { init, condition, step, body } => {
                init.iter_mut().for_each(|stmt| self.statement(stmt, function));
                condition.iter_mut().for_each(|e| self.pointer(e));
                step.iter_mut().for_each(|e| self.dropped(e));
                self.statement(body, function);
            }
            StmtKind::Switch { value, body } => {
                self.value(value);
                self.statement(body, function);
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Labelled(_, body) => self.statement(body, function),
            StmtKind::Empty | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Return(None) | StmtKind::Error => {}
        }
    }

    fn listed(&self, items: &mut Vec<Item>, decl: DeclId) {
        for mut item in std::mem::take(items) {
            let slot = item.path().and_then(|path| slot_at(self.program, decl, path));
            let to = slot.and_then(|slot| self.of_slot.get(&slot).copied());
            match (&mut item.value, to) {
                (Init::Expr(e), Some(to)) if to.cursor.is_some() => match self.listed_cursor(take(e), to) {
                    Some(parts) => {
                        for (at, value) in parts {
                            let mut part = Item { value: Init::Expr(value), ..item.clone() };
                            part.part_path.iter_mut().for_each(|(path, _)| path.push(at));
                            items.push(part);
                        }
                        continue;
                    }
                    None => self.fail(),
                },
                (Init::Expr(e), Some(to)) => self.block(e, to),
                (Init::Expr(e), None) => self.value(e),
                (Init::List(inner, _), _) => self.listed(inner, decl),
            }
            items.push(item);
        }
    }

    /// An expression whose value stays a pointer to a block where it is one: an operand of `==`, of `free`, of an assignment to another such
    /// pointer, or of nothing.
    pub(super) fn pointer(&self, e: &mut Expr) {
        let (is_block, ty) = (self.block_of(e).is_some(), e.ty);
        let is_truth = matches!(&e.kind, ExprKind::Convert(_)) && ty == Integer::Bool;
        if let Some(to) = self.cursor_of(e).filter(|_| !is_truth) {
            let Some(CursorParts { mut before, block, at }) = self.parts(take(e), to) else { return self.fail() };
            if matches!(at.kind, ExprKind::Step { .. }) {
                before.push(at);
            }
            *e = after(before, block);
            return;
        }
        match &mut e.kind {
            ExprKind::Conditional(condition, a, b) if is_block => {
                self.pointer(condition);
                self.pointer(a);
                self.pointer(b);
            }
            ExprKind::Comma(first, last) => {
                self.dropped(first);
                self.pointer(last);
            }
            ExprKind::Convert(inner) if allocation(self.program, inner).is_some() => self.pointer(inner),
            ExprKind::Convert(inner) if ty == Integer::Bool => self.pointer(inner),
            _ if is_block => self.whole(e, |own, e| own.lvalue(e)),
            ExprKind::Call(name, arguments) if name.text == "realloc" && self.program.function("realloc").is_none() => {
                let is_pointer = |e: &Expr| self.block_of(e).or(self.cursor_of(e).map(|holding| holding.block)).is_some();
                arguments.iter_mut().for_each(|argument| if is_pointer(argument) { self.pointer(argument) } else { self.value(argument) });
            }
            _ => self.value(e),
        }
    }

    /// Writes an expression anew, with what has to be evaluated before it.
    fn whole(&self, e: &mut Expr, write: impl Fn(&Self, &mut Expr)) {
        let start = self.pending.borrow().len();
        write(self, e);
        let before: Vec<Expr> = self.pending.borrow_mut().drain(start..).collect();
        if !before.is_empty() {
            *e = after(before, take(e));
        }
    }

    /// The element so far after the one to which a cursor leads, or a pointer computed from one.
    fn element_of_cursor(&self, pointer: Expr, to: Holding, by: Option<Expr>) -> ExprKind {
        let is_open = by.as_ref().is_some_and(|by| self.is_open(&pointer, by));
        let Some(CursorParts { before, block, at }) = self.parts(pointer, to).filter(|_| !is_open) else {
            self.fail();
            return ExprKind::Error;
        };
        self.pending.borrow_mut().extend(before);
        let at = match by {
            Some(by) => self.moved(at, BinaryOp::Add, by),
            None => at,
        };
        ExprKind::Index(Box::new(self.items(block)), Box::new(at))
    }

    /// The operands of an expression that names an object, calls a function, or assigns.
    pub(super) fn lvalue(&self, e: &mut Expr) {
        if let ExprKind::Deref(base) = &mut e.kind
            && let ExprKind::AddressOf(object) = &mut base.kind
        {
            *e = take(object);
            return self.lvalue(e);
        }
        match &mut e.kind {
            ExprKind::Name(_) => {}
            ExprKind::Member(base, ..) => self.lvalue(base),
            ExprKind::Index(base, index) if let Some(to) = self.cursor_of(base) => {
                e.kind = self.element_of_cursor(take(base), to, Some(take(index)));
            }
            ExprKind::Deref(base) if let Some(to) = self.cursor_of(base) => e.kind = self.element_of_cursor(take(base), to, None),
            ExprKind::Index(base, index) => {
                match self.block_of(base) {
                    Some(_) => {
                        self.pointer(base);
                        **base = self.items(take(base));
                    }
                    None => self.lvalue(base),
                }
                self.value(index);
            }
            ExprKind::Deref(base) => match self.block_of(base) {
                Some(_) => {
                    self.pointer(base);
                    let items = self.items(take(base));
                    e.kind = first(items);
                }
                None => match &mut base.kind {
                    ExprKind::Binary(BinaryOp::Add, a, b) if self.block_of(a).is_some() => {
                        self.pointer(a);
                        self.value(b);
                        e.kind = ExprKind::Index(Box::new(self.items(take(a))), Box::new(take(b)));
                    }
                    _ => self.value(base),
                },
            },
            ExprKind::Assign { target, value, .. } => {
                match slot_of(self.program, target).and_then(|slot| self.of_slot.get(&slot).copied()) {
                    Some(to) => self.block(value, to),
                    None => self.value(value),
                }
                self.lvalue(target);
            }
            ExprKind::Call(name, arguments) => {
                let parameters = self.program.function(&name.text).map(|(_, function)| &function.parameters);
                let is_free = is_free(self.program, name);
                let is_cursor = |at: usize| {
                    let slot = parameters.and_then(|all| all.get(at)).map(|parameter| Slot::Decl(parameter.decl));
                    slot.and_then(|slot| self.of_slot.get(&slot)).is_some_and(|holding| holding.cursor.is_some())
                };
                let others = |at: usize| arguments.iter().enumerate().filter(move |(other, _)| *other != at);
                let is_open = |at: usize| others(at).any(|(_, other)| self.is_open(&arguments[at], other));
                if (0..arguments.len()).any(|at| is_cursor(at) && is_open(at)) {
                    self.fail();
                }
                for (at, argument) in arguments.iter_mut().enumerate() {
                    let slot = parameters.and_then(|all| all.get(at)).map(|parameter| Slot::Decl(parameter.decl));
                    match slot.and_then(|slot| self.of_slot.get(&slot).copied()) {
                        Some(to) if to.cursor.is_some() => match self.passed_cursor(take(argument), to) {
                            Some(passed) => *argument = passed,
                            None => self.fail(),
                        },
                        Some(to) => self.block(argument, to),
                        None if is_free => self.pointer(argument),
                        None => self.value(argument),
                    }
                }
            }
            _ => self.value(e),
        }
    }

    /// An lvalue whose address is taken: also past the last element of a block, and of a block that is not there.
    fn addressed(&self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Index(base, _) | ExprKind::Deref(base) if self.cursor_of(base).is_some() => self.lvalue(e),
            ExprKind::Index(base, index) if self.block_of(base).is_some() => {
                self.value(base);
                self.value(index);
            }
            ExprKind::Deref(base) if self.block_of(base).is_some() => {
                self.value(base);
                e.kind = first(take(base));
            }
            ExprKind::Member(base, ..) => self.addressed(base),
            ExprKind::Index(base, index) if matches!(shape_of(self.program, base), Some(Shape::Array { .. })) => {
                self.addressed(base);
                self.value(index);
            }
            _ => self.lvalue(e),
        }
    }

    /// An expression whose value is no block: a pointer to one becomes a pointer into it.
    pub(super) fn value(&self, e: &mut Expr) {
        self.whole(e, |own, e| own.value_of(e));
    }

    fn value_of(&self, e: &mut Expr) {
        let ty = e.ty;
        let is_object = matches!(e.kind, ExprKind::Convert(_) if ty == Integer::Bool) || matches!(e.kind, ExprKind::Comma(..));
        if let Some(to) = self.cursor_of(e).filter(|_| !is_object) {
            let span = e.span;
            let Some(CursorParts { before, block, at }) = self.parts(take(e), to) else { return self.fail() };
            let sum = ExprKind::Binary(BinaryOp::Add, Box::new(self.any_items(block)), Box::new(at));
            *e = after(before, Expr { ty, ..Expr::new(sum, span) });
            return;
        }
        if self.block_of(e).is_some() && !matches!(e.kind, ExprKind::Conditional(..)) {
            self.pointer(e);
            *e = self.any_items(take(e));
            return;
        }
        match &mut e.kind {
            ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Deref(_) | ExprKind::Call(..) => self.lvalue(e),
            ExprKind::Assign { .. } => self.lvalue(e),
            ExprKind::AddressOf(inner) => match &mut inner.kind {
                ExprKind::Deref(base) if self.block_of(base).is_some() => {
                    self.value(base);
                    *e = take(base);
                }
                _ => self.addressed(inner),
            },
            ExprKind::Step { target, .. } => self.lvalue(target),
            ExprKind::Binary(op, a, b) if let Some(to) = self.compared(*op, a, b) => {
                let (op, a, b) = (*op, take(a), take(b));
                match self.comparison(op, a, b, to, e.span) {
                    Some(compared) => *e = Expr { ty, span: e.span, ..compared },
                    None => self.fail(),
                }
            }
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => {
                let is_block = |e: &Expr| self.block_of(e);
                match (is_block(a), is_block(b)) {
                    (Some(x), Some(y)) if x == y => {
                        self.pointer(a);
                        self.pointer(b);
                    }
                    (Some(_), None) if is_null(b) => self.pointer(a),
                    (None, Some(_)) if is_null(a) => self.pointer(b),
                    (None, None) if is_null(b) && self.cursor_of(a).is_some() => self.pointer(a),
                    (None, None) if is_null(a) && self.cursor_of(b).is_some() => self.pointer(b),
                    _ => {
                        self.value(a);
                        self.value(b);
                    }
                }
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.pointer(inner),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.pointer(a);
                self.pointer(b);
            }
            ExprKind::Binary(_, a, b) => {
                self.value(a);
                self.value(b);
            }
            ExprKind::Conditional(condition, a, b) => {
                self.pointer(condition);
                self.value(a);
                self.value(b);
            }
            ExprKind::Comma(first, last) => {
                self.dropped(first);
                self.value(last);
            }
            ExprKind::Convert(inner) if ty == Integer::Bool => self.pointer(inner),
            ExprKind::Unary(_, inner) | ExprKind::Convert(inner) | ExprKind::Cast(_, inner) => self.value(inner),
            ExprKind::SizeofExpr(inner) => {
                let sizes = Sizes { structs: &self.program.structs, abi: self.program.abi };
                if let Some((bytes, _)) = shape_of(self.program, inner).and_then(|shape| sizes.size(shape)) {
                    e.kind = ExprKind::Int(bytes.into());
                }
            }
            ExprKind::CallAt(_, arguments) => arguments.iter_mut().for_each(|argument| self.value(argument)),
            ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::SizeofType(_) | ExprKind::Sugar(_) | ExprKind::Error => {}
        }
    }
}
