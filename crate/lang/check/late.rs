//! Pointers that a block declares without a value and sets to memory later, as in `int *p; … p = malloc(n);`: their declaration moves to
//! the call that gives the memory, as a declaration with a first value. No statement before the call may mention the pointer.

use super::super::ast::{BinaryOp, Declarator, Expr, ExprKind, Init, Qualifiers, Stmt, StmtKind, Type, UnaryOp};
use super::super::library::GIVING_MEMORY;

/// Moves the declarations in the statements of a block.
pub(super) fn declared_with_memory(list: &mut Vec<Stmt>) {
    let mut at = 0;
    while at < list.len() {
        if let Some(declaration) = declaration_for(list, at) {
            let is_whole = matches!(list[at].kind, StmtKind::Expr(_));
            if is_whole {
                list[at] = declaration;
            } else {
                list.insert(at, declaration);
                at += 1;
            }
        }
        at += 1;
    }
}

/// The declaration that the statement at this place becomes, or gets in front of it.
fn declaration_for(list: &mut [Stmt], at: usize) -> Option<Stmt> {
    let (before, rest) = list.split_at_mut(at);
    let (stmt, after) = rest.split_first_mut()?;
    let span = stmt.span;
    let assignment = match &mut stmt.kind {
        StmtKind::Expr(e) => e,
        StmtKind::If { arms, .. } => tested(&mut arms.first_mut()?.0)?,
        _ => return None,
    };
    let ExprKind::Assign { target, op: None, value, .. } = &assignment.kind else { return None };
    let ExprKind::Name(pointer) = &target.kind else { return None };
    let text = pointer.text.clone();
    if !gives_memory(value) || reads(value, &text) {
        return None;
    }
    let is_it = |d: &Declarator| d.name.text == text;
    let first = before.iter().rposition(|stmt| matches!(&stmt.kind, StmtKind::Declare(_, list) if list.iter().any(is_it)))?;
    // A jump may lead past the place.
    let is_jumped_into = before[first..].iter().chain(&*after).any(has_label);
    if is_jumped_into || before[first..].iter().any(|stmt| mentions(stmt, &text)) {
        return None;
    }
    let StmtKind::Declare(_, declarators) = &mut before[first].kind else { return None };
    let position = declarators.iter().position(is_it)?;
    let found = &declarators[position];
    let is_unset = match &found.init {
        None => true,
        Some(Init::Expr(value)) => is_null(value),
        Some(Init::List(..)) => false,
    };
    let is_plain = matches!(&found.ty, Type::Pointer(inner) if !matches!(**inner, Type::Array(..) | Type::Function(_)))
        && found.qualifiers.own() == Qualifiers::default();
    if !is_unset || !is_plain || found.is_static || found.is_extern {
        return None;
    }
    let mut declarator = declarators.remove(position);
    let plain = Expr::new(target.kind.clone(), target.span);
    if let ExprKind::Assign { value, .. } = std::mem::replace(assignment, plain).kind {
        declarator.init = Some(Init::Expr(*value));
    }
    declarator.span = span;
    Some(Stmt { kind: StmtKind::Declare(Vec::new(), vec![declarator]), span })
}

/// The assignment that a condition evaluates first.
fn tested(e: &mut Expr) -> Option<&mut Expr> {
    if matches!(e.kind, ExprKind::Assign { .. }) {
        return Some(e);
    }
    match &mut e.kind {
        ExprKind::Unary(UnaryOp::Not, a) | ExprKind::And(a, _) | ExprKind::Or(a, _) => tested(a),
        ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => match (is_null(a), is_null(b)) {
            (_, true) => tested(a),
            (true, _) => tested(b),
            _ => None,
        },
        _ => None,
    }
}

fn is_null(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(_, inner) => is_null(inner),
        ExprKind::Int(value) => value.is_zero(),
        _ => false,
    }
}

fn gives_memory(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(_, inner) => gives_memory(inner),
        ExprKind::Call(name, _) => GIVING_MEMORY.contains(&name.text.as_str()),
        _ => false,
    }
}

/// Whether an expression evaluates the name.
fn reads(e: &Expr, text: &str) -> bool {
    !matches!(e.kind, ExprKind::SizeofExpr(_)) && (is_name(e, text) || any(e, &|part| reads(part, text)))
}

/// Whether it stands anywhere in a statement.
fn mentions(stmt: &Stmt, text: &str) -> bool {
    fn within(e: &Expr, text: &str) -> bool {
        is_name(e, text) || any(e, &|part| within(part, text))
    }
    let mut found = false;
    stmt.expressions(&mut |e| found = found || within(e, text));
    stmt.children(&mut |child| found = found || mentions(child, text));
    found
}

fn is_name(e: &Expr, text: &str) -> bool {
    matches!(&e.kind, ExprKind::Name(name) | ExprKind::Call(name, _) if name.text == text)
}

fn any(e: &Expr, holds: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    e.kind.children(&mut |part| found = found || holds(part));
    found
}

fn has_label(stmt: &Stmt) -> bool {
    let mut found = matches!(stmt.kind, StmtKind::Labelled(..) | StmtKind::Case { .. } | StmtKind::Default(_));
    stmt.children(&mut |child| found = found || has_label(child));
    found
}
