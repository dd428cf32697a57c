//! Jumps that pass declarations.

use crate::lang::ast::{DeclId, Stmt, StmtKind};
use crate::logic::SortedSet;

/// The variables whose declarations a jump may pass on the way to what follows them: a block would not be there.
pub(super) fn passed_by_jumps(body: &[Stmt]) -> SortedSet<DeclId> {
    let mut passed = SortedSet::new();
    let mut jumps = Vec::new();
    body.iter().for_each(|stmt| jumps_in(stmt, &mut jumps));
    in_row(body, &jumps, &mut passed);
    passed
}

fn in_row(row: &[Stmt], jumps: &[&str], passed: &mut SortedSet<DeclId>) {
    for (stmt, at) in row.iter().zip(1..) {
        let later = &row[at..];
        if let StmtKind::Declare(_, list) = &stmt.kind
            && list.iter().any(|declarator| !declarator.is_static)
        {
            let mut inside = Vec::new();
            later.iter().for_each(|stmt| jumps_in(stmt, &mut inside));
            let count = |of: &[&str], label: &str| of.iter().filter(|name| **name == label).count();
            let is_entered = |label: &str| count(jumps, label) > count(&inside, label);
            if later.iter().any(|stmt| has_label(stmt, &is_entered, false)) {
                passed.extend(list.iter().map(|declarator| declarator.decl));
            }
        }
        match &stmt.kind {
            StmtKind::Block(inner) => in_row(inner, jumps, passed),
            _ => stmt.children(&mut |child| in_row(std::slice::from_ref(child), jumps, passed)),
        }
    }
}

/// The labels to which a statement jumps.
fn jumps_in<'s>(stmt: &'s Stmt, jumps: &mut Vec<&'s str>) {
    if let StmtKind::Goto(label) = &stmt.kind {
        jumps.push(&label.text);
    }
    stmt.children(&mut |child| jumps_in(child, jumps));
}

/// Whether a statement has a label that a jump reaches from elsewhere, or one of a `switch` around it.
fn has_label(stmt: &Stmt, is_entered: &dyn Fn(&str) -> bool, is_in_switch: bool) -> bool {
    let mut found = match &stmt.kind {
        StmtKind::Labelled(label, _) => is_entered(&label.text),
        StmtKind::Case { .. } | StmtKind::Default(_) => !is_in_switch,
        _ => false,
    };
    let is_in_switch = is_in_switch || matches!(stmt.kind, StmtKind::Switch { .. });
    stmt.children(&mut |child| found = found || has_label(child, is_entered, is_in_switch));
    found
}
