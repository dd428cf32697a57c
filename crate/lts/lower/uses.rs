//! What the text of a program does with the addresses and the values of its variables.

use super::Lowerer;
use super::flow::shape_of;
use crate::lang::ast::{DeclId, Expr as Tree, ExprKind, Program, Shape, Stmt};

/// What happens to each variable somewhere in the program's functions, by [`DeclId`].
pub(in crate::lts) struct Uses {
    /// Its address is used, or all of it at once.
    pub addressed: Vec<bool>,
    /// An assignment or a step changes it, or a part of it.
    pub assigned: Vec<bool>,
}

impl Uses {
    pub fn of(program: &Program) -> Uses {
        let mut uses = Uses { addressed: vec![false; program.decls.len()], assigned: vec![false; program.decls.len()] };
        let mut open: Vec<&Stmt> = program.functions.iter().flat_map(|function| &function.body).collect();
        while let Some(stmt) = open.pop() {
            stmt.expressions(&mut |e| {
                addresses(program, e, &mut |decl| {
                    let is_pointer = matches!(program.decl(decl).shape, Shape::Pointer(_));
                    uses.addressed[decl.0 as usize] |= !is_pointer;
                });
                uses.assignments(e);
            });
            stmt.children(&mut |child| open.push(child));
        }
        uses
    }

    fn assignments(&mut self, e: &Tree) {
        if let ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } = &e.kind
            && let Some(decl) = target.root().and_then(|name| name.decl)
        {
            self.assigned[decl.0 as usize] = true;
        }
        e.kind.children(&mut |child| self.assignments(child));
    }

    /// Whether anything changes a global or a static but for its declaration, judged by the text of this part of the program.
    pub fn changes(&self, id: DeclId) -> bool {
        self.addressed[id.0 as usize] || self.assigned[id.0 as usize]
    }
}

/// The variables whose addresses the value of an expression may hold: of a place that is no number, and what stands behind a `&`.
pub(super) fn addresses(program: &Program, e: &Tree, visit: &mut dyn FnMut(DeclId)) {
    let place = match &e.kind {
        ExprKind::AddressOf(place) => place,
        _ if e.is_place() && matches!(shape_of(program, e), Some(Shape::Scalar(_))) => {
            return indices(e, &mut |index| addresses(program, index, visit));
        }
        _ if e.is_place() => e,
        kind => return kind.children(&mut |child| addresses(program, child, visit)),
    };
    place.root().and_then(|name| name.decl).into_iter().for_each(&mut *visit);
    indices(place, &mut |index| addresses(program, index, visit));
}

/// What is evaluated to find a place: its indices, and what it is a part of where that has no name.
fn indices<'e>(place: &'e Tree, visit: &mut dyn FnMut(&'e Tree)) {
    match &place.kind {
        ExprKind::Name(_) => {}
        ExprKind::Index(base, index) => {
            indices(base, visit);
            visit(index);
        }
        ExprKind::Member(base, ..) | ExprKind::Deref(base) => indices(base, visit),
        _ => visit(place),
    }
}

impl Lowerer<'_> {
    pub(super) fn uses(&self) -> &Uses {
        self.uses.get_or_init(|| Uses::of(self.program))
    }
}
