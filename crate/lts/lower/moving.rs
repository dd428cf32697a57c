//! Pointers that move along an array: `p++`, `p += 2`, `p = a + 3`. Such a pointer is the array, which never changes, and an index.

use super::Lowerer;
use super::expression::{Effects, Step, has_nondet};
use super::graph::{NOWHERE, Node};
use super::object::{Part, Pointee, Root, Target};
use crate::lang::ast::{BinaryOp as TreeOp, DeclId, Expr as Tree, ExprKind, Function, Init, Name, Stmt, StmtKind};
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::lts::{BinaryOp, CompareOp, Expr, Origin, Requirement, ValueMeaning};
use crate::source::Span;

/// What a function does to a pointer.
#[derive(Default)]
pub(super) struct Moves<'a> {
    /// Where it is set from something else than itself.
    pub sources: Vec<&'a Tree>,
    /// Whether something else happens to it, e.g. its own address is taken.
    pub other: bool,
    /// Whether it moves from where it is.
    steps: bool,
}

fn names(e: &Tree, decl: DeclId) -> bool {
    matches!(&e.kind, ExprKind::Name(Name { decl: Some(own), .. }) if *own == decl)
}

impl<'a> Moves<'a> {
    pub(super) fn of(body: &'a [Stmt], decl: DeclId) -> Moves<'a> {
        let mut moves = Moves::default();
        let mut open: Vec<&'a Stmt> = body.iter().rev().collect();
        while let Some(stmt) = open.pop() {
            stmt.expressions(&mut |e| moves.expression(e, decl));
            let mut inner = Vec::new();
            stmt.children(&mut |child| inner.push(child));
            open.extend(inner.into_iter().rev());
            if let StmtKind::Declare(_, list) = &stmt.kind {
                for declarator in list.iter().filter(|declarator| declarator.decl == decl) {
                    if let Some(Init::Expr(e)) = &declarator.init {
                        moves.sources.insert(0, e);
                    }
                }
            }
        }
        moves
    }

    fn expression(&mut self, e: &'a Tree, decl: DeclId) {
        match &e.kind {
            ExprKind::Assign { target, op, value, .. } if names(target, decl) => match op {
                None if moves_itself(value, decl) => self.steps = true,
                None => self.sources.push(value),
                Some(TreeOp::Add | TreeOp::Sub) => self.steps = true,
                Some(_) => self.other = true,
            },
            ExprKind::Step { target, .. } if names(target, decl) => self.steps = true,
            ExprKind::AddressOf(inner) if names(inner, decl) => self.other = true,
            _ => {}
        }
        e.kind.children(&mut |child| self.expression(child, decl));
    }
}

/// `p + 1`, `1 + p`, `p - 1`.
fn moves_itself(e: &Tree, decl: DeclId) -> bool {
    match &e.kind {
        ExprKind::Binary(TreeOp::Add, a, b) => names(a, decl) || names(b, decl),
        ExprKind::Binary(TreeOp::Sub, a, _) => names(a, decl),
        _ => false,
    }
}

/// Whether two parts of one object lie in the same array of it.
fn same_indices(a: &Part, b: &Part) -> bool {
    a.indices.len() == b.indices.len() && a.indices.iter().zip(&b.indices).all(|(a, b)| a.0 == b.0 && !has_nondet(&a.0))
}

impl<'a> Lowerer<'a> {
    /// Whether a pointer among a function's parameters only moves along what it points to at first, or becomes null.
    pub(super) fn parameter_moves(&mut self, function: &'a Function, decl: DeclId) -> bool {
        let moves = Moves::of(&function.body, decl);
        self.program.decl(decl).assigned && !moves.other && (moves.sources.is_empty() || self.comes_back(function, decl, &moves.sources))
    }

    /// Makes the index of a pointer that moves along an array.
    pub(super) fn moving_pointer(&mut self, root: Root, array: Part, first: Option<Int>) -> Target {
        let (name, _, span) = self.name_and_origin(&root);
        let range = self.range(Integer::LongLong);
        let origin = if first.is_some() { Origin::Local } else { Origin::Inlined };
        let index = self.typed_variable(format!("{name}.index"), origin, span, first, range);
        self.own_variable(index, Some(&root));
        self.variables[index.0 as usize].values = ValueMeaning::Indices;
        self.moving_pointers.insert(root.clone());
        self.pointees.insert(root, Pointee::Element(array, Expr::Var(index)));
        Target::Variable(index, Integer::LongLong)
    }

    /// Binds a local pointer that is set and moves, but always within one array.
    pub(super) fn bind_moving(&mut self, decl: DeclId) {
        let root = self.root(decl);
        let function = self.frame().function;
        let moves = Moves::of(&function.body, decl);
        if moves.other || self.pointees.contains_key(&root) {
            return;
        }
        let strings = moves.sources.iter().any(|source| !matches!(source.kind, ExprKind::Str(_)) || moves.sources.len() > 1);
        let any = strings && !moves.sources.is_empty();
        let by_pointers = any && self.leads_into_strings(decl, &moves.sources);
        if by_pointers || any && moves.sources.iter().all(|source| self.gives_string(source)) {
            // One that does not move stays a value, unless it is set from others that are none.
            if moves.steps || by_pointers {
                let (name, _, span) = self.name_and_origin(&root);
                let row = self.variable(format!("{name}.string"), Origin::Inlined, span, Integer::LongLong);
                self.own_variable(row, Some(&root));
                let outside = self.is_from_outside(Some(super::flow::Cell::Decl(decl)));
                let array = Part { outside, ..self.string_row(Expr::Var(row)) };
                self.moving_pointer(root, array, None);
            }
            return;
        }
        let Some(points_to) = self.points_to_of_all(decl, &moves.sources) else { return };
        if points_to.pointee.iter().all(|pointee| self.fits(&self.program.decl(decl).shape, pointee)) {
            self.make_given(root, points_to);
        }
    }

    /// The index of a pointer that moves, by its name.
    pub(super) fn moving_index(&mut self, e: &Tree) -> Option<Target> {
        let ExprKind::Name(Name { decl: Some(decl), .. }) = &e.kind else { return None };
        self.moving_index_of(*decl)
    }

    /// The index of a pointer that moves.
    pub(super) fn moving_index_of(&mut self, decl: DeclId) -> Option<Target> {
        let root = self.root(decl);
        match (self.pointees.get(&root), self.moving_pointers.contains(&root)) {
            (Some(Pointee::Element(_, Expr::Var(index))), true) => Some(Target::Variable(*index, Integer::LongLong)),
            _ => None,
        }
    }

    /// `p++` and its like as an address; the step goes to the effects.
    pub(super) fn stepped_pointee(
        &mut self,
        target: &'a Tree,
        increment: bool,
        prefix: bool,
        span: Span,
        effects: &mut Effects<'a>,
    ) -> Option<Pointee> {
        self.steps_away(target);
        let index = self.moving_index(target)?;
        let ExprKind::Name(Name { decl: Some(decl), .. }) = &target.kind else { return None };
        let root = self.root(*decl);
        let pointee = self.pointees.get(&root).cloned();
        let op = if increment { BinaryOp::Add } else { BinaryOp::Sub };
        let next = Expr::Binary(op, Box::new(index.read()), Box::new(Expr::Int(Int::ONE)));
        let step = Step::Set(index, next, span);
        if prefix {
            effects.before.push(step);
        } else {
            effects.after.push(step);
        }
        pointee
    }

    /// `p = …`, `p += …`: the edge that moves the pointer.
    pub(super) fn move_pointer(&mut self, place: &'a Tree, op: Option<TreeOp>, value: &'a Tree, span: Span, next: Node) -> Node {
        let (Some(index), ExprKind::Name(Name { decl: Some(decl), .. })) = (self.moving_index(place), &place.kind) else { return NOWHERE };
        let mut effects = Effects::default();
        let new = match op {
            Some(op) => {
                self.steps_away(place);
                let by = self.value(value, &mut effects);
                let op = if op == TreeOp::Add { BinaryOp::Add } else { BinaryOp::Sub };
                Expr::Binary(op, Box::new(index.read()), Box::new(by))
            }
            None => {
                let root = self.root(*decl);
                return self.point(&root, value, span, next);
            }
        };
        let after = self.run_steps(effects.after, next);
        let set = self.set(&index, new, span, after);
        self.run_steps(effects.before, set)
    }

    /// The comparison, or the distance, of two addresses in one array.
    pub(super) fn address_comparison(&mut self, op: TreeOp, left: &'a Tree, right: &'a Tree, effects: &mut Effects<'a>) -> Option<Expr> {
        if left.ty != self.abi().address() || right.ty != self.abi().address() || !(op.compares() || op == TreeOp::Sub) {
            return None;
        }
        let mut tried = Effects::default();
        if self.is_string_value(left) && self.is_string_value(right) {
            return None;
        }
        let (mut left, mut right) = (self.pointee(left, &mut tried)?, self.pointee(right, &mut tried)?);
        if [&left, &right].iter().any(|side| side.part().root == Root::Strings) {
            (left, right) = (self.in_strings(left), self.in_strings(right));
        }
        if self.are_untyped(left.part(), right.part()) {
            return None;
        }
        if !self.frame().function.library && self.compared(op, left.part(), right.part()) {
            // Lowering begins anew.
            return Some(Expr::Int(Int::ZERO));
        }
        match (left.clone(), right.clone()) {
            (Pointee::Element(a, i), Pointee::Element(b, j)) if a.root == b.root && a.path == b.path && same_indices(&a, &b) => {
                effects.before.append(&mut tried.before);
                effects.after.append(&mut tried.after);
                let value = self.arithmetic(op, self.abi().distance(), i.clone(), j.clone());
                let value = self.in_one_object(op, &a.root, (&i, &j), value);
                Some(if matches!(op, TreeOp::Eq | TreeOp::Ne) { value } else { self.both_there(&left, &right, value) })
            }
            (Pointee::Element(a, i), Pointee::Element(b, j)) if a.root == Root::Strings && b.root == Root::Strings => {
                effects.before.append(&mut tried.before);
                effects.after.append(&mut tried.after);
                self.string_comparison(op, (&a, i), (&b, j))
            }
            (Pointee::Element(a, i), Pointee::Element(b, j))
                if matches!(a.root, Root::Joined(_)) && a.root == b.root && a.path == b.path && a.indices.len() == b.indices.len() =>
            {
                let same = self.same_object(&a, &b)?;
                if has_nondet(&i) || has_nondet(&j) {
                    return None;
                }
                effects.before.append(&mut tried.before);
                effects.after.append(&mut tried.after);
                let j_from_there = self.index_from_other(&a, &b, j.clone());
                let equal = self.arithmetic(TreeOp::Eq, Integer::LongLong, i.clone(), j_from_there);
                let equal = Expr::Binary(BinaryOp::And, Box::new(same.clone()), Box::new(equal));
                Some(match op {
                    TreeOp::Eq => equal,
                    TreeOp::Ne => Expr::Not(Box::new(equal)),
                    // `memmove` asks for the order of any two.
                    _ if self.frame().function.library => {
                        let other = Expr::Not(Box::new(same));
                        Expr::Binary(BinaryOp::Or, Box::new(other), Box::new(self.arithmetic(op, self.abi().distance(), i, j)))
                    }
                    // Which of two objects comes first is undefined (6.5.8p5, 6.5.6p9).
                    _ => {
                        let value = self.arithmetic(op, self.abi().distance(), i.clone(), j.clone());
                        let value = self.in_one_object(op, &a.root, (&i, &j), value);
                        let value = Expr::Guarded(Requirement::SameObject, Box::new(same), Box::new(value));
                        self.both_there(&left, &right, value)
                    }
                })
            }
            (Pointee::Element(a, i), Pointee::Element(b, j))
                if a.root == b.root && a.path == b.path && self.block_root(&a.root).is_some() =>
            {
                let ([(one, _)], [(other, _)]) = (&a.indices[..], &b.indices[..]) else { return None };
                if [&i, &j, one, other].into_iter().any(has_nondet) {
                    return None;
                }
                effects.before.append(&mut tried.before);
                effects.after.append(&mut tried.after);
                let same = self.arithmetic(TreeOp::Eq, Integer::LongLong, one.clone(), other.clone());
                let value = self.arithmetic(op, self.abi().distance(), i.clone(), j.clone());
                Some(match op {
                    TreeOp::Eq | TreeOp::Ne => {
                        let equal = self.arithmetic(TreeOp::Eq, Integer::LongLong, i, j);
                        let equal = Expr::Binary(BinaryOp::And, Box::new(same), Box::new(equal));
                        // A null pointer of the program's text has another number than one of a member.
                        let is_null = |row: &Expr| Expr::Compare(CompareOp::Le, Box::new(row.clone()), Box::new(Expr::Int(Int::ZERO)));
                        let nulls = Expr::Binary(BinaryOp::And, Box::new(is_null(one)), Box::new(is_null(other)));
                        let equal = Expr::Binary(BinaryOp::Or, Box::new(equal), Box::new(nulls));
                        if op == TreeOp::Eq { equal } else { Expr::Not(Box::new(equal)) }
                    }
                    _ if self.frame().function.library => Expr::Binary(BinaryOp::Or, Box::new(Expr::Not(Box::new(same))), Box::new(value)),
                    // Which of two objects comes first is undefined (6.5.8p5, 6.5.6p9).
                    _ => Expr::Guarded(Requirement::SameObject, Box::new(same), Box::new(value)),
                })
            }
            // `memmove` asks for the order of two arrays, of which it does not depend.
            (Pointee::Element(a, _), Pointee::Element(b, _)) if self.frame().function.library && (a.root != b.root || a.path != b.path) => {
                Some(Expr::Int(Int::ONE))
            }
            (left, right) if left.part().root != right.part().root => {
                self.want_joined(&left, &right);
                None
            }
            _ => None,
        }
    }
}
