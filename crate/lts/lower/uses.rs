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
        for &decl in &program.pointed {
            uses.addressed[decl.0 as usize] |= !holds_addresses(&program.decl(decl).shape);
        }
        let mut open: Vec<&Stmt> = program.functions.iter().flat_map(|function| &function.body).collect();
        while let Some(stmt) = open.pop() {
            stmt.expressions(&mut |e| {
                addresses(program, e, &mut |decl| {
                    uses.addressed[decl.0 as usize] |= !holds_addresses(&program.decl(decl).shape);
                });
                uses.own_addresses(program, e, false);
                uses.assignments(program, e);
            });
            stmt.children(&mut |child| open.push(child));
        }
        uses
    }

    fn assignments(&mut self, program: &Program, e: &Tree) {
        if let ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } = &e.kind
            && let Some(decl) = target.root().and_then(|name| name.decl)
        {
            let is_its_own = !holds_addresses(&program.decl(decl).shape) || own_part(program, target) == Some(decl);
            self.assigned[decl.0 as usize] |= is_its_own;
        }
        e.kind.children(&mut |child| self.assignments(program, child));
    }

    /// The pointers, and arrays of pointers, whose own addresses are used: `&p`, not `p`; `t` itself, not `t[1]`.
    fn own_addresses(&mut self, program: &Program, e: &Tree, is_base: bool) {
        let whole = match &e.kind {
            ExprKind::AddressOf(place) => own_part(program, place),
            _ if !is_base && e.is_place() && matches!(shape_of(program, e), Some(Shape::Array { .. })) => own_part(program, e),
            _ => None,
        };
        if let Some(decl) = whole.filter(|&decl| holds_addresses(&program.decl(decl).shape)) {
            self.addressed[decl.0 as usize] = true;
        }
        match &e.kind {
            ExprKind::Index(base, index) => {
                self.own_addresses(program, base, true);
                self.own_addresses(program, index, false);
            }
            ExprKind::Deref(base) | ExprKind::Member(base, ..) => self.own_addresses(program, base, true),
            kind => kind.children(&mut |child| self.own_addresses(program, child, false)),
        }
    }

    /// Whether anything changes a global or a static but for its declaration, judged by the text of this part of the program.
    pub fn changes(&self, id: DeclId) -> bool {
        self.addressed[id.0 as usize] || self.assigned[id.0 as usize]
    }
}

/// Whether it is a pointer, or an array of pointers.
pub(super) fn holds_addresses(mut shape: &Shape) -> bool {
    while let Shape::Array { element, .. } = shape {
        shape = element;
    }
    matches!(shape, Shape::Pointer(_))
}

/// The variable that a place is a part of, unless a pointer leads to it.
fn own_part(program: &Program, place: &Tree) -> Option<DeclId> {
    match &place.kind {
        ExprKind::Name(name) => name.decl,
        ExprKind::Member(base, ..) => own_part(program, base),
        ExprKind::Index(base, _) | ExprKind::Deref(base) if matches!(shape_of(program, base), Some(Shape::Array { .. })) => {
            own_part(program, base)
        }
        _ => None,
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
