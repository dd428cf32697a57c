//! Functions written anew with pointers to blocks: each use of a pointer that holds one.

use super::block_arrays::ITEMS;
use super::slots::{Slot, allocation, is_free, is_null, slot_at, slot_of};
use crate::lang::ast::{BinaryOp, DeclId, Expr, ExprKind, Init, Item, Name, Program, Shape, Stmt, StmtKind, StructId, UnaryOp};
use crate::lang::flow::shape_of;
use crate::lang::intrinsic::BLOCK;
use crate::lang::sizes::Sizes;
use crate::lang::types::Integer;
use crate::logic::{Int, SortedMap};

/// Functions written anew with pointers to blocks.
pub(super) struct Rewriting<'p> {
    pub program: &'p Program,
    pub of_slot: SortedMap<Slot, StructId>,
}

fn take(e: &mut Expr) -> Expr {
    let span = e.span;
    std::mem::replace(e, Expr::new(ExprKind::Error, span))
}

/// The first element of an array.
fn first(items: Expr) -> ExprKind {
    let zero = Expr::new(ExprKind::Int(Int::ZERO), items.span);
    ExprKind::Index(Box::new(items), Box::new(zero))
}

impl Rewriting<'_> {
    fn block_of(&self, e: &Expr) -> Option<StructId> {
        self.of_slot.get(&slot_of(self.program, e)?).copied()
    }

    /// The elements of the block to which a pointer leads.
    fn items(&self, pointer: Expr) -> Expr {
        let (span, address) = (pointer.span, self.program.abi.address());
        let block = Expr { ty: address, ..Expr::new(ExprKind::Deref(Box::new(pointer)), span) };
        let name = Name { text: "items".to_owned(), span, decl: None };
        Expr { ty: address, ..Expr::new(ExprKind::Member(Box::new(block), name, ITEMS), span) }
    }

    /// The same where the pointer may be null, and then has none.
    fn any_items(&self, pointer: Expr) -> Expr {
        let span = pointer.span;
        let name = Name { text: BLOCK.to_owned(), span, decl: None };
        let call = Expr { ty: self.program.abi.address(), ..Expr::new(ExprKind::Call(name, vec![pointer]), span) };
        self.items(call)
    }

    pub fn statement(&self, stmt: &mut Stmt, function: &str) {
        match &mut stmt.kind {
            StmtKind::Expr(e) => self.pointer(e),
            StmtKind::Return(Some(e)) if self.of_slot.contains_key(&Slot::Result(function.to_owned())) => self.pointer(e),
            StmtKind::Return(Some(e)) => self.value(e),
            StmtKind::Declare(_, list) => {
                for declarator in list {
                    let decl = declarator.decl;
                    match &mut declarator.init {
                        Some(Init::Expr(e)) if self.of_slot.contains_key(&Slot::Decl(decl)) => self.pointer(e),
                        Some(Init::Expr(e)) => self.value(e),
                        Some(Init::List(items, _)) => self.listed(items, decl),
                        None => {}
                    }
                }
            }
            StmtKind::Block(list) => list.iter_mut().for_each(|stmt| self.statement(stmt, function)),
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
                step.iter_mut().for_each(|e| self.pointer(e));
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

    fn listed(&self, items: &mut [Item], decl: DeclId) {
        for item in items {
            let slot = item.path().and_then(|path| slot_at(self.program, decl, path));
            match &mut item.value {
                Init::Expr(e) if slot.is_some_and(|slot| self.of_slot.contains_key(&slot)) => self.pointer(e),
                Init::Expr(e) => self.value(e),
                Init::List(inner, _) => self.listed(inner, decl),
            }
        }
    }

    /// An expression whose value stays a pointer to a block where it is one: an operand of `==`, of `free`, of an assignment to another such
    /// pointer, or of nothing.
    fn pointer(&self, e: &mut Expr) {
        let (is_block, ty) = (self.block_of(e).is_some(), e.ty);
        match &mut e.kind {
            ExprKind::Conditional(condition, a, b) if is_block => {
                self.pointer(condition);
                self.pointer(a);
                self.pointer(b);
            }
            ExprKind::Comma(first, last) => {
                self.pointer(first);
                self.pointer(last);
            }
            ExprKind::Convert(inner) if allocation(self.program, inner).is_some() => self.pointer(inner),
            ExprKind::Convert(inner) if ty == Integer::Bool => self.pointer(inner),
            _ if is_block => self.lvalue(e),
            ExprKind::Call(name, arguments) if name.text == "realloc" && self.program.function("realloc").is_none() => {
                arguments
                    .iter_mut()
                    .for_each(|argument| if self.block_of(argument).is_some() { self.pointer(argument) } else { self.value(argument) });
            }
            _ => self.value(e),
        }
    }

    /// The operands of an expression that names an object, calls a function, or assigns.
    fn lvalue(&self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Name(_) => {}
            ExprKind::Member(base, ..) => self.lvalue(base),
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
                if self.block_of(target).is_some() {
                    self.pointer(value)
                } else {
                    self.value(value)
                }
                self.lvalue(target);
            }
            ExprKind::Call(name, arguments) => {
                let parameters = self.program.function(&name.text).map(|(_, function)| &function.parameters);
                let is_free = is_free(self.program, name);
                for (at, argument) in arguments.iter_mut().enumerate() {
                    let slot = parameters.and_then(|all| all.get(at)).map(|parameter| Slot::Decl(parameter.decl));
                    if is_free || slot.is_some_and(|slot| self.of_slot.contains_key(&slot)) {
                        self.pointer(argument);
                    } else {
                        self.value(argument);
                    }
                }
            }
            _ => self.value(e),
        }
    }

    /// An lvalue whose address is taken: also past the last element of a block, and of a block that is not there.
    fn addressed(&self, e: &mut Expr) {
        match &mut e.kind {
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
    fn value(&self, e: &mut Expr) {
        let ty = e.ty;
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
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => {
                let is_block = |e: &Expr| self.block_of(e);
                match (is_block(a), is_block(b)) {
                    (Some(x), Some(y)) if x == y => {
                        self.pointer(a);
                        self.pointer(b);
                    }
                    (Some(_), None) if is_null(b) => self.pointer(a),
                    (None, Some(_)) if is_null(a) => self.pointer(b),
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
                self.pointer(first);
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
