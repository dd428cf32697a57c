//! Functions written anew with cursors: pointers that move along a block, and are kept.
//!
//! | in the program | written anew |
//! |---|---|
//! | `const char *next;` in a structure | `struct { struct text *block; long long at; } next;` |
//! | `*r->next`, `r->next[i]` | `r->next.block->items[r->next.at]`, `…[r->next.at + i]` |
//! | `r->next++`, `r->next += n` | `r->next.at++`, `r->next.at = r->next.at + n` |
//! | `r->next = p + n` | `r->next.block = p`, `r->next.at = n` |
//! | `strlen(r->next)` | `strlen(r->next.block->items + r->next.at)` |
//! | `if (r->next)` | `if (r->next.block)` |
//! | `const char **next`, where it leads to a cursor | a pointer to such a structure |

use super::block_arrays::{LENGTH, LENGTH_TYPE};
use super::rewriting::{CursorParts, Holding, Rewriting, after, take};
use super::slots::{allocation, first_slot, is_null, slot_of};
use super::tree::{assign, typed};
use crate::lang::ast::{BinaryOp, Expr, ExprKind, Init, Item, Name, Shape, Stmt, StmtKind, StructId};
use crate::lang::intrinsic::{CURSOR, OTHER_ELEMENT, SAME_BLOCK, SAME_ELEMENT, is_own};
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::source::Span;

/// The number of a cursor's member with the block to which it leads.
pub const CURSOR_BLOCK: usize = 0;

/// The number of a cursor's member with the index of the element to which it leads.
pub const CURSOR_AT: usize = 1;

/// The type of that index.
pub(super) const AT_TYPE: Integer = Integer::LongLong;

fn index(value: i64, span: Span) -> Expr {
    typed(ExprKind::Int(Int::from(value)), AT_TYPE, span)
}

/// Whether evaluating an expression changes nothing, so that it can be evaluated twice.
fn is_pure(e: &Expr) -> bool {
    let mut is = match &e.kind {
        ExprKind::Assign { .. } | ExprKind::Step { .. } | ExprKind::CallAt(..) => false,
        ExprKind::Call(name, _) => is_own(&name.text),
        _ => true,
    };
    e.kind.children(&mut |child| is = is && is_pure(child));
    is
}

/// Whether two lvalues that are written alike name one object.
fn is_same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Name(a), ExprKind::Name(b)) => a.decl.is_some() && a.decl == b.decl,
        (ExprKind::Member(a, _, m), ExprKind::Member(b, _, n)) => m == n && is_same(a, b),
        (ExprKind::Deref(a), ExprKind::Deref(b)) => is_same(a, b),
        (ExprKind::Index(a, i), ExprKind::Index(b, j)) => is_same(a, b) && is_same(i, j),
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        _ => false,
    }
}

impl Rewriting<'_> {
    /// What holds the pointer that is the value of an expression, or from which its value is computed, where that is a cursor.
    pub(super) fn cursor_of(&self, e: &Expr) -> Option<Holding> {
        match &e.kind {
            ExprKind::Conditional(_, a, b) => self.cursor_of(a).or_else(|| self.cursor_of(b)),
            ExprKind::Comma(_, last) => self.cursor_of(last),
            // A variable that is none of the program's.
            ExprKind::Name(Name { decl: Some(decl), .. }) if decl.0 as usize >= self.program.decls.len() => None,
            _ => self.of_slot.get(&first_slot(self.program, e)?).copied().filter(|holding| holding.cursor.is_some()),
        }
    }

    /// Whether an expression names a cursor, or calls a function that gives one.
    fn is_cursor(&self, e: &Expr) -> bool {
        let is_object =
            matches!(e.kind, ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Deref(_) | ExprKind::Call(..));
        is_object && slot_of(self.program, e).and_then(|slot| self.of_slot.get(&slot)?.cursor).is_some()
    }

    /// A member of a cursor.
    fn part(&self, cursor: &Expr, at: usize) -> Expr {
        let span = cursor.span;
        let (name, ty) = if at == CURSOR_AT { ("at", AT_TYPE) } else { ("block", self.program.abi.address()) };
        let name = Name { text: name.to_owned(), span, decl: None };
        typed(ExprKind::Member(Box::new(cursor.clone()), name, at), ty, span)
    }

    /// The parts of a cursor that an lvalue names: its index lies in the block, or past its last element.
    fn parts_of(&self, cursor: &Expr, before: Vec<Expr>) -> CursorParts {
        let block = self.part(cursor, CURSOR_BLOCK);
        let name = Name { text: "length".to_owned(), span: cursor.span, decl: None };
        let length = typed(ExprKind::Member(Box::new(self.any_block(block.clone())), name, LENGTH), LENGTH_TYPE, cursor.span);
        let name = Name { text: CURSOR.to_owned(), span: cursor.span, decl: None };
        let inside = vec![self.part(cursor, CURSOR_AT), block.clone(), length];
        CursorParts { before, block, at: typed(ExprKind::Call(name, inside), AT_TYPE, cursor.span) }
    }

    /// A variable for a cursor.
    fn variable(&self, cursor: StructId, span: Span) -> Expr {
        let name = self.added.borrow_mut().variable("cursor", Shape::Struct(cursor), span);
        typed(ExprKind::Name(name), self.program.abi.address(), span)
    }

    /// An lvalue that is written anew and can be evaluated twice, after something else.
    fn repeated(&self, mut lvalue: Expr) -> Option<(Vec<Expr>, Expr)> {
        let mut before = Vec::new();
        self.indices_first(&mut lvalue, &mut before);
        let start = self.pending.borrow().len();
        self.lvalue(&mut lvalue);
        before.extend(self.pending.borrow_mut().drain(start..));
        is_pure(&lvalue).then_some((before, lvalue))
    }

    /// Lets what changes something in the indices of an lvalue be evaluated before it.
    fn indices_first(&self, lvalue: &mut Expr, before: &mut Vec<Expr>) {
        match &mut lvalue.kind {
            ExprKind::Member(base, ..) => self.indices_first(base, before),
            ExprKind::Index(base, at) => {
                self.indices_first(base, before);
                if !is_pure(at) {
                    let span = at.span;
                    let variable = self.index_variable(span);
                    let mut value = std::mem::replace(&mut **at, variable.clone());
                    self.value(&mut value);
                    before.push(assign(variable, typed(ExprKind::Convert(Box::new(value)), AT_TYPE, span), AT_TYPE));
                }
            }
            _ => {}
        }
    }

    fn index_variable(&self, span: Span) -> Expr {
        let name = self.added.borrow_mut().variable("index", Shape::Scalar(AT_TYPE), span);
        typed(ExprKind::Name(name), AT_TYPE, span)
    }

    /// The block and the index of an expression that is a pointer into a block; `None` where the expression is computed from no such pointer.
    /// `to` are the structures of the block and of cursors of its class.
    pub(super) fn parts(&self, mut e: Expr, to: Holding) -> Option<CursorParts> {
        let span = e.span;
        let first = |block: Expr| Some(CursorParts { before: Vec::new(), block, at: index(0, span) });
        if is_null(&e) {
            return first(e);
        }
        match &mut e.kind {
            ExprKind::Convert(inner) | ExprKind::Cast(_, inner) if allocation(self.program, inner).is_none() => {
                return self.parts(take(inner), to);
            }
            ExprKind::Str(bytes) => return first(self.literal(bytes, to, span)),
            ExprKind::Comma(before, last) => {
                self.dropped(before);
                let mut parts = self.parts(take(last), to)?;
                parts.before.insert(0, take(before));
                return Some(parts);
            }
            ExprKind::Conditional(condition, a, b) => {
                let variable = self.variable(to.cursor?, span);
                self.pointer(condition);
                let [a, b] = [a, b].map(|side| self.set_cursor(&variable, take(side), to));
                let choice = ExprKind::Conditional(Box::new(take(condition)), Box::new(a?), Box::new(b?));
                return Some(self.parts_of(&variable, vec![typed(choice, AT_TYPE, span)]));
            }
            _ => {}
        }
        if self.block_of(&e).is_some() || allocation(self.program, &e).is_some() {
            let start = self.pending.borrow().len();
            self.pointer(&mut e);
            let before = self.pending.borrow_mut().drain(start..).collect();
            return Some(CursorParts { before, block: e, at: index(0, span) });
        }
        if slot_of(self.program, &e).is_some() {
            return match e.kind {
                ExprKind::Assign { target, value, .. } => {
                    let holding = self.cursor_of(&target)?;
                    let (mut before, target) = self.repeated(*target)?;
                    before.push(self.set_cursor(&target, *value, holding)?);
                    Some(self.parts_of(&target, before))
                }
                ExprKind::Call(..) => {
                    let variable = self.variable(self.cursor_of(&e)?.cursor?, span);
                    let start = self.pending.borrow().len();
                    self.lvalue(&mut e);
                    let mut before: Vec<Expr> = self.pending.borrow_mut().drain(start..).collect();
                    before.push(assign(variable.clone(), e, self.program.abi.address()));
                    Some(self.parts_of(&variable, before))
                }
                _ => {
                    self.cursor_of(&e)?;
                    let (before, lvalue) = self.repeated(e)?;
                    Some(self.parts_of(&lvalue, before))
                }
            };
        }
        match e.kind {
            ExprKind::Step { target, increment, prefix } => {
                self.cursor_of(&target)?;
                let (before, target) = self.repeated(*target)?;
                let at = ExprKind::Step { target: Box::new(self.part(&target, CURSOR_AT)), increment, prefix };
                Some(CursorParts { at: typed(at, AT_TYPE, span), ..self.parts_of(&target, before) })
            }
            ExprKind::Assign { target, op: Some(op), value, .. } => {
                self.cursor_of(&target)?;
                let (mut before, target) = self.repeated(*target)?;
                let parts = self.parts_of(&target, Vec::new());
                before.push(assign(self.part(&target, CURSOR_AT), self.moved(parts.at.clone(), op, *value), AT_TYPE));
                Some(CursorParts { before, ..parts })
            }
            ExprKind::Binary(op, a, b) => {
                let is_first = first_slot(self.program, &a).is_some();
                let (pointer, by) = if is_first { (*a, *b) } else { (*b, *a) };
                if self.is_open(&pointer, &by) {
                    return None;
                }
                let parts = self.parts(pointer, to)?;
                Some(CursorParts { at: self.moved(parts.at, op, by), ..parts })
            }
            ExprKind::AddressOf(inner) => match inner.kind {
                ExprKind::Index(base, by) if self.is_open(&base, &by) => None,
                ExprKind::Index(base, by) => {
                    let parts = self.parts(*base, to)?;
                    Some(CursorParts { at: self.moved(parts.at, BinaryOp::Add, *by), ..parts })
                }
                ExprKind::Deref(base) => self.parts(*base, to),
                _ => None,
            },
            _ => None,
        }
    }

    /// An index so much later, or earlier.
    pub(super) fn moved(&self, at: Expr, op: BinaryOp, mut by: Expr) -> Expr {
        let span = by.span;
        self.value(&mut by);
        let by = typed(ExprKind::Convert(Box::new(by)), AT_TYPE, span);
        match (&at.kind, op) {
            (ExprKind::Int(zero), BinaryOp::Add) if zero.is_zero() => by,
            _ => typed(ExprKind::Binary(op, Box::new(at), Box::new(by)), AT_TYPE, span),
        }
    }

    /// To which blocks two pointers lead that are compared or subtracted, where one of them is a cursor.
    pub(super) fn compared(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Holding> {
        let holding = |e: &Expr| self.cursor_of(e).or_else(|| self.of_slot.get(&first_slot(self.program, e)?).copied());
        let (a, b) = (holding(a)?, holding(b)?);
        let is_compared =
            matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Sub);
        (is_compared && a.block == b.block)
            .then_some(Holding { block: a.block, cursor: a.cursor.or(b.cursor) })
            .filter(|both| both.cursor.is_some())
    }

    /// A comparison of two pointers into blocks, or the distance between them, for one that stands there in the program.
    pub(super) fn comparison(&self, op: BinaryOp, a: Expr, b: Expr, to: Holding, span: Span) -> Option<Expr> {
        if self.is_open(&a, &b) {
            return None;
        }
        let (a, b) = (self.parts(a, to)?, self.parts(b, to)?);
        let mut before = a.before;
        before.extend(b.before);
        let same = |name: &str, of: Vec<Expr>, ty| {
            let name = Name { text: name.to_owned(), span, decl: None };
            typed(ExprKind::Call(name, of), ty, span)
        };
        let compared = match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                let name = if op == BinaryOp::Eq { SAME_ELEMENT } else { OTHER_ELEMENT };
                same(name, vec![a.block, a.at.clone(), b.block, b.at], Integer::Int)
            }
            _ => {
                let at = same(SAME_BLOCK, vec![a.at.clone(), a.block, b.block], AT_TYPE);
                typed(ExprKind::Binary(op, Box::new(at), Box::new(b.at)), AT_TYPE, span)
            }
        };
        Some(after(before, compared))
    }

    /// Sets a cursor, which an lvalue that is written anew names, to the value of an expression of the program.
    pub(super) fn set_cursor(&self, target: &Expr, mut value: Expr, to: Holding) -> Option<Expr> {
        if self.is_cursor(&value) {
            let start = self.pending.borrow().len();
            self.lvalue(&mut value);
            let before = self.pending.borrow_mut().drain(start..).collect();
            return Some(after(before, assign(target.clone(), value, self.program.abi.address())));
        }
        let CursorParts { before: mut all, block, mut at } = self.parts(value, to)?;
        let [to_block, to_at] = [CURSOR_BLOCK, CURSOR_AT].map(|part| self.part(target, part));
        if !is_same(&to_block, &block) {
            if reads_memory(&at) {
                let variable = self.index_variable(target.span);
                all.push(assign(variable.clone(), at, AT_TYPE));
                at = variable;
            }
            all.push(assign(to_block, block, self.program.abi.address()));
        }
        Some(after(all, assign(to_at, at, AT_TYPE)))
    }

    /// The values of an initialiser's list that set a cursor, with the numbers of its members.
    pub(super) fn listed_cursor(&self, value: Expr, to: Holding) -> Option<[(usize, Expr); 2]> {
        let CursorParts { before, block, at } = self.parts(value, to)?;
        Some([(CURSOR_BLOCK, after(before, block)), (CURSOR_AT, at)])
    }

    /// What initialises a variable that is a cursor.
    pub(super) fn initial_cursor(&self, mut value: Expr, to: Holding) -> Option<Init> {
        if self.is_cursor(&value) {
            self.value_of_cursor(&mut value);
            return Some(Init::Expr(value));
        }
        let span = value.span;
        let item = |(at, value): (usize, Expr)| Item {
            designators: Vec::new(),
            value: Init::Expr(value),
            part_path: Some((vec![at], Vec::new())),
        };
        Some(Init::List(self.listed_cursor(value, to)?.into_iter().map(item).collect(), span))
    }

    /// A cursor that the program names, as a value.
    fn value_of_cursor(&self, value: &mut Expr) {
        let start = self.pending.borrow().len();
        self.lvalue(value);
        let before: Vec<Expr> = self.pending.borrow_mut().drain(start..).collect();
        if !before.is_empty() {
            *value = after(before, take(value));
        }
    }

    /// A statement that returns a cursor.
    pub(super) fn returned_cursor(&self, mut value: Expr, to: Holding) -> Option<StmtKind> {
        let span = value.span;
        if self.is_cursor(&value) {
            self.value_of_cursor(&mut value);
            return Some(StmtKind::Return(Some(value)));
        }
        let variable = self.variable(to.cursor?, span);
        let set = Stmt { kind: StmtKind::Expr(self.set_cursor(&variable, value, to)?), span };
        Some(StmtKind::Block(vec![set, Stmt { kind: StmtKind::Return(Some(variable)), span }]))
    }

    /// An argument for a parameter that is a cursor; what sets it is evaluated before the call.
    pub(super) fn passed_cursor(&self, mut value: Expr, to: Holding) -> Option<Expr> {
        if self.is_cursor(&value) && !matches!(value.kind, ExprKind::Call(..)) {
            self.lvalue(&mut value);
            return Some(value);
        }
        let variable = self.variable(to.cursor?, value.span);
        let set = self.set_cursor(&variable, value, to)?;
        self.pending.borrow_mut().push(set);
        Some(variable)
    }

    /// A call that gives a block with the characters of a string.
    pub(super) fn literal(&self, bytes: &[u8], to: Holding, span: Span) -> Expr {
        let name = self.added.borrow_mut().literal(to.block, bytes);
        typed(ExprKind::Call(Name { text: name, span, decl: None }, Vec::new()), self.program.abi.address(), span)
    }

    /// An expression whose value nothing uses.
    pub(super) fn dropped(&self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Comma(first, last) => {
                self.dropped(first);
                self.dropped(last);
            }
            ExprKind::Conditional(condition, a, b) if self.cursor_of(a).or(self.cursor_of(b)).is_some() => {
                self.pointer(condition);
                self.dropped(a);
                self.dropped(b);
            }
            ExprKind::Step { target, .. } if self.cursor_of(target).is_some() => {
                let is_pure = self.repeated(take(target)).map(|(before, target)| (before, self.part(&target, CURSOR_AT)));
                let Some((before, at)) = is_pure else { return self.fail() };
                **target = at;
                *e = after(before, take(e));
            }
            ExprKind::Assign { target, op, value, .. } if self.cursor_of(target).is_some() => {
                let Some(to) = self.cursor_of(target) else { return };
                let (value, op) = (take(value), *op);
                let set = self.repeated(take(target)).and_then(|(before, target)| {
                    let set = match op {
                        None => self.set_cursor(&target, value, to)?,
                        Some(op) => {
                            let at = self.parts_of(&target, Vec::new()).at;
                            assign(self.part(&target, CURSOR_AT), self.moved(at, op, value), AT_TYPE)
                        }
                    };
                    Some(after(before, set))
                });
                match set {
                    Some(set) => *e = set,
                    None => self.fail(),
                }
            }
            _ => self.pointer(e),
        }
    }

    /// Says that something is not followed.
    pub(super) fn fail(&self) {
        self.added.borrow_mut().has_failed = true;
    }
}

/// Whether an expression reads what a pointer leads to, or a member.
fn reads_memory(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Deref(_) | ExprKind::Member(..) | ExprKind::Index(..));
    e.kind.children(&mut |child| found = found || reads_memory(child));
    found
}
