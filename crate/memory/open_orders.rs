//! Orders of evaluation that C leaves open: a pointer that is taken apart evaluates a call before the other operands, where C has any order.

use super::rewriting::Rewriting;
use crate::lang::ast::{DeclId, Expr, ExprKind, Name, Program, Stmt};
use crate::lang::intrinsic;
use crate::logic::SortedSet;

/// The variables whose addresses a program takes, and the ones that last: a call may change them.
pub(super) fn changed_by_calls(program: &Program) -> SortedSet<DeclId> {
    fn in_expression(e: &Expr, found: &mut SortedSet<DeclId>) {
        if let ExprKind::AddressOf(inner) = &e.kind
            && let Some(Name { decl: Some(decl), .. }) = inner.root()
        {
            found.insert(*decl);
        }
        e.kind.children(&mut |child| in_expression(child, found));
    }
    fn in_statement(stmt: &Stmt, found: &mut SortedSet<DeclId>) {
        stmt.expressions(&mut |e| in_expression(e, found));
        stmt.children(&mut |child| in_statement(child, found));
    }
    let mut found: SortedSet<DeclId> =
        program.decls.iter().zip(0..).filter(|(decl, _)| decl.storage.lasts()).map(|(_, at)| DeclId(at)).collect();
    program.functions.iter().flat_map(|function| &function.body).for_each(|stmt| in_statement(stmt, &mut found));
    found
}

impl Rewriting<'_> {
    /// Whether an expression calls what may change what another one reads.
    pub(super) fn changes(&self, e: &Expr) -> bool {
        // What an operator changes no other operand may read (C11 6.5p2).
        let is_change = match &e.kind {
            ExprKind::CallAt(..) => true,
            ExprKind::Call(name, _) => changes_something(self.program, &name.text, &mut SortedSet::new()),
            _ => false,
        };
        let mut found = is_change;
        e.kind.children(&mut |child| found = found || self.changes(child));
        found
    }

    /// Whether nothing that another expression does changes the value of this one.
    pub(super) fn is_settled(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::SizeofType(_) | ExprKind::SizeofExpr(_) => true,
            ExprKind::Name(Name { decl: Some(decl), .. }) => !self.changed_by_calls.contains(decl),
            ExprKind::Binary(_, a, b) => self.is_settled(a) && self.is_settled(b),
            ExprKind::Unary(_, inner) | ExprKind::Convert(inner) | ExprKind::Cast(_, inner) => self.is_settled(inner),
            _ => false,
        }
    }

    /// Whether C may evaluate two expressions in an order that makes a difference.
    pub(super) fn is_open(&self, a: &Expr, b: &Expr) -> bool {
        self.changes(a) && !self.is_settled(b) || self.changes(b) && !self.is_settled(a)
    }
}

/// Whether a call of this function may change what is there after it; `seen` are the functions on the way.
fn changes_something(program: &Program, name: &str, seen: &mut SortedSet<String>) -> bool {
    if intrinsic::is_own(name) || reads_only(name) {
        return false;
    }
    let Some((_, function)) = program.function(name) else { return true };
    seen.insert(name.to_owned()) && function.body.iter().any(|stmt| statement_changes(program, stmt, seen))
}

fn statement_changes(program: &Program, stmt: &Stmt, seen: &mut SortedSet<String>) -> bool {
    let mut found = false;
    stmt.expressions(&mut |e| found = found || expression_changes(program, e, seen));
    stmt.children(&mut |child| found = found || statement_changes(program, child, seen));
    found
}

fn expression_changes(program: &Program, e: &Expr, seen: &mut SortedSet<String>) -> bool {
    let mut found = match &e.kind {
        ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } => {
            !matches!(&target.kind, ExprKind::Name(Name { decl: Some(decl), .. }) if !program.decl(*decl).storage.lasts())
        }
        ExprKind::Call(name, _) => changes_something(program, &name.text, seen),
        ExprKind::CallAt(..) => true,
        _ => false,
    };
    e.kind.children(&mut |child| found = found || expression_changes(program, child, seen));
    found
}

/// Whether a function of the library reads a text or a character, and changes nothing.
fn reads_only(name: &str) -> bool {
    let of_texts = ["strlen", "strnlen", "strcmp", "strncmp", "strchr", "strrchr", "strstr", "strpbrk", "strspn", "strcspn", "atoi"];
    let of_characters = ["isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower", "ispunct", "isxdigit", "toupper", "tolower"];
    of_texts.iter().chain(&of_characters).any(|own| name.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
}
