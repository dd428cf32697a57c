//! Whether it matters when memory is freed: whether something may use it, or free it, after a call of `free`.

use super::slots::{Slot, allocation, is_free, slot_of};
use crate::lang::ast::{Expr, ExprKind, Program, Stmt, StmtKind, Storage};
use crate::logic::{SortedMap, SortedSet};

/// The functions whose calls of `free` and `realloc` are compared with later uses.
pub(super) struct Lifetimes<'p> {
    pub program: &'p Program,
    /// The numbers of the functions that matter.
    pub reached: &'p SortedSet<usize>,
    /// The class of each pointer to such memory.
    pub classes: &'p SortedMap<Slot, usize>,
}

impl Lifetimes<'_> {
    /// Whether a use of memory, or another end of it, may come after its end.
    pub fn matter(&self) -> bool {
        self.reached.iter().any(|&at| {
            let function = &self.program.functions[at];
            // The calling function may use an argument again.
            let slots = function.parameters.iter().map(|parameter| Slot::Decl(parameter.decl));
            let mut later: Vec<usize> = slots.filter_map(|slot| self.classes.get(&slot).copied()).collect();
            // A jump may lead back.
            if function.body.iter().any(jumps) {
                function.body.iter().for_each(|stmt| stmt_classes(self, stmt, &mut later));
            }
            self.in_block(&function.body, &later, &later)
        })
    }

    /// As [`Lifetimes::matter`], of statements after which these classes may be used again; `returned` are the ones after the function.
    fn in_block(&self, list: &[Stmt], later: &[usize], returned: &[usize]) -> bool {
        let mut later = later.to_vec();
        for stmt in list.iter().rev() {
            if matches!(stmt.kind, StmtKind::Return(_)) {
                later = returned.to_vec();
            }
            if self.in_statement(stmt, &later, returned) {
                return true;
            }
            stmt_classes(self, stmt, &mut later);
        }
        false
    }

    fn in_statement(&self, stmt: &Stmt, later: &[usize], returned: &[usize]) -> bool {
        let mut later = later.to_vec();
        let repeats = matches!(
            stmt.kind,
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } | StmtKind::Switch { .. } | StmtKind::Labelled(..)
        );
        if repeats {
            stmt_classes(self, stmt, &mut later);
        }
        let mut found = false;
        stmt.expressions(&mut |e| found = found || self.ends(e, &later));
        if let StmtKind::Block(list) = &stmt.kind {
            return found || self.in_block(list, &later, returned);
        }
        stmt.children(&mut |child| found = found || self.in_block(std::slice::from_ref(child), &later, returned));
        found
    }

    /// Whether an expression ends the life of memory that is not of a local variable, or may be used later.
    fn ends(&self, e: &Expr, later: &[usize]) -> bool {
        let mut found = false;
        if let ExprKind::Call(name, arguments) = &e.kind
            && (is_free(self.program, name) || allocation(self.program, e).is_some_and(|(function, _)| function == "realloc"))
        {
            let freed = arguments.first().and_then(|argument| slot_of(self.program, argument));
            let class = freed.and_then(|slot| self.classes.get(&slot));
            found = class.is_some_and(|class| later.contains(class) || !self.is_local(*class));
        }
        e.kind.children(&mut |child| found = found || self.ends(child, later));
        found
    }

    /// Whether only variables of calls hold pointers of the class.
    fn is_local(&self, class: usize) -> bool {
        self.classes.iter().filter(|(_, own)| **own == class).all(|(slot, _)| match slot {
            Slot::Decl(decl) => matches!(self.program.decl(*decl).storage, Storage::Local | Storage::Parameter),
            _ => false,
        })
    }
}

fn jumps(stmt: &Stmt) -> bool {
    let mut found = matches!(stmt.kind, StmtKind::Goto(_));
    stmt.children(&mut |child| found = found || jumps(child));
    found
}

/// Adds the classes of the pointers that a statement names.
fn stmt_classes(lifetimes: &Lifetimes<'_>, stmt: &Stmt, found: &mut Vec<usize>) {
    fn inside(lifetimes: &Lifetimes<'_>, e: &Expr, found: &mut Vec<usize>) {
        let slot = slot_of(lifetimes.program, e);
        found.extend(slot.and_then(|slot| lifetimes.classes.get(&slot)).copied());
        e.kind.children(&mut |child| inside(lifetimes, child, found));
    }
    stmt.expressions(&mut |e| inside(lifetimes, e, found));
    stmt.children(&mut |child| stmt_classes(lifetimes, child, found));
}
