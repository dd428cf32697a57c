//! What an address may point to, judged by the text alone: which array or object, not where in it. Lowering must know that before it
//! sets a pointer, because it decides which variables the pointer has ([`super::given`]). The answer is only what to expect: where a
//! pointer is set to something else in the end, [`super::given`] refuses that.

use super::Lowerer;
use super::flow::shape_of;
use super::moving::Moves;
use super::object::{Part, Pointee, Root};
use super::texts::is_null;
use crate::lang::ast::{BinaryOp, DeclId, Expr as Tree, ExprKind, Function, Length, Name, Shape, Stmt, StmtKind, Storage};
use crate::logic::Int;
use crate::lts::Expr;

/// How many expressions one question may look at.
const MAX_LOOKS: usize = 2_000;
/// How deep this may recurse.
const MAX_DEPTH: usize = 60;

/// What an address may point to.
#[derive(Clone, Default)]
pub(super) struct PointsTo {
    /// The array or the object, with any indices; `None` where there is none.
    pub pointee: Option<Pointee>,
    /// Whether it can be null.
    pub null: bool,
}

/// Where an address stands: in the current frame, or in functions that it calls.
struct Scope<'a> {
    callees: Vec<(&'a Function, Vec<(DeclId, PointsTo)>)>,
    /// Pointers that are being looked at.
    open: Vec<DeclId>,
    looks: usize,
    depth: usize,
}

impl Scope<'_> {
    fn new() -> Self {
        Scope { callees: Vec::new(), open: Vec::new(), looks: 0, depth: 0 }
    }
}

impl<'a> Lowerer<'a> {
    /// What two addresses can point to together; `None` where these are objects that are not kept together.
    fn join(&mut self, a: PointsTo, b: PointsTo) -> Option<PointsTo> {
        let null = a.null || b.null;
        let pointee = match (a.pointee, b.pointee) {
            (Some(a), Some(b)) => {
                let (left, right) = (a.part(), b.part());
                let same = left.root == right.root && left.path == right.path && left.indices.len() == right.indices.len();
                let kind = matches!((&a, &b), (Pointee::Single(_), Pointee::Single(_)) | (Pointee::Element(..), Pointee::Element(..)));
                if !(same && kind) {
                    self.want_joined(&a, &b);
                    return None;
                }
                let outside = left.outside;
                Some(match b {
                    Pointee::Element(part, index) => Pointee::Element(Part { outside: outside || part.outside, ..part }, index),
                    single => single,
                })
            }
            (a, b) => a.or(b),
        };
        Some(PointsTo { pointee, null })
    }

    /// Where an address in the current frame can point; `None` where that is not known, or it can be different objects.
    pub(super) fn points_to(&mut self, e: &'a Tree) -> Option<PointsTo> {
        self.points_to_in(e, &mut Scope::new())
    }

    /// Where a pointer of the current frame can point that is set to these.
    pub(super) fn points_to_of_all(&mut self, decl: DeclId, sources: &[&'a Tree]) -> Option<PointsTo> {
        let mut scope = Scope::new();
        scope.open.push(decl);
        self.joined(sources, &mut scope)
    }

    /// Whether a parameter can become null in its function, where it points to this at first.
    pub(super) fn becomes_null(&mut self, function: &'a Function, decl: DeclId, first: &Pointee) -> bool {
        let mut scope = Scope::new();
        scope.open.push(decl);
        scope.callees.push((function, vec![(decl, PointsTo { pointee: Some(first.clone()), null: false })]));
        let sources = Moves::of(&function.body, decl).sources;
        sources.iter().any(|source| is_null(source) || self.points_to_in(source, &mut scope).is_some_and(|points_to| points_to.null))
    }

    /// Where a pointer of the current frame can point that points to this at first and is set to these.
    pub(super) fn points_to_of_own(&mut self, decl: DeclId, sources: &[&'a Tree], first: Pointee) -> Option<PointsTo> {
        let all = self.points_to_of_all(decl, sources)?;
        self.join(PointsTo { pointee: Some(first), null: false }, all)
    }

    /// Where a parameter can point that its function sets to something else, too.
    pub(super) fn points_to_of_parameter(&mut self, function: &'a Function, decl: DeclId, arguments: &'a [Tree]) -> Option<PointsTo> {
        let moves = Moves::of(&function.body, decl);
        if moves.other || moves.sources.is_empty() {
            return None;
        }
        let mut bound = Vec::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            if matches!(self.program.decl(parameter.decl).shape, Shape::Pointer(_))
                && let Some(points_to) = self.points_to(argument)
            {
                bound.push((parameter.decl, points_to));
            }
        }
        let first = bound.iter().find(|(known, _)| *known == decl).map(|(_, points_to)| points_to.clone())?;
        let mut scope = Scope::new();
        scope.open.push(decl);
        scope.callees.push((function, bound));
        let all = self.joined(&moves.sources, &mut scope)?;
        self.join(first, all)
    }

    /// Whether a parameter is set to nothing but places in what it points to at first, and null.
    pub(super) fn comes_back(&mut self, function: &'a Function, decl: DeclId, sources: &[&'a Tree]) -> bool {
        let Shape::Pointer(element) = &self.program.decl(decl).shape else { return false };
        // Any array will do.
        let root = Root::Argument(decl, Int::MINUS_ONE);
        let shape = Shape::Array { element: element.clone(), length: Length::Unknown };
        let array = Part { root, path: Vec::new(), indices: Vec::new(), inner: 0, nullable: false, outside: false, volatile: false, shape };
        let first = PointsTo { pointee: Some(Pointee::Element(array, Expr::Int(Int::ZERO))), null: false };
        let mut scope = Scope::new();
        scope.open.push(decl);
        scope.callees.push((function, vec![(decl, first.clone())]));
        let all = self.joined(sources, &mut scope);
        all.is_some_and(|all| all.pointee.is_some() && self.join(all, first).is_some())
    }

    fn joined(&mut self, sources: &[&'a Tree], scope: &mut Scope<'a>) -> Option<PointsTo> {
        let mut all = PointsTo::default();
        for source in sources {
            let more = self.points_to_in(source, scope)?;
            all = self.join(all, more)?;
        }
        Some(all)
    }

    fn points_to_in(&mut self, e: &'a Tree, scope: &mut Scope<'a>) -> Option<PointsTo> {
        scope.looks += 1;
        if scope.looks > MAX_LOOKS || scope.depth > MAX_DEPTH {
            return None;
        }
        scope.depth += 1;
        let found = self.address(e, scope);
        scope.depth -= 1;
        match found {
            // Strings that are values; those of a callee say nothing of its parameters.
            None if self.is_text_by_flow(e) => {
                let outside = self.is_from_outside(super::flow::cell_of(self.program, e));
                let row = Part { outside, ..self.string_row(Expr::Int(Int::ZERO)) };
                Some(PointsTo { pointee: Some(Pointee::Element(row, Expr::Int(Int::ZERO))), null: true })
            }
            found => found,
        }
    }

    fn address(&mut self, e: &'a Tree, scope: &mut Scope<'a>) -> Option<PointsTo> {
        if is_null(e) {
            return Some(PointsTo { pointee: None, null: true });
        }
        let some = |pointee| Some(PointsTo { pointee: Some(pointee), null: false });
        match &e.kind {
            ExprKind::Str(bytes) if scope.callees.is_empty() => some(Pointee::Element(self.literal(bytes, e.span), Expr::Int(Int::ZERO))),
            // Strings that are values.
            ExprKind::Conditional(_, a, b) if [a, b].iter().any(|side| matches!(side.kind, ExprKind::Str(_))) => None,
            ExprKind::Conditional(_, a, b) => {
                let (a, b) = (self.points_to_in(a, scope)?, self.points_to_in(b, scope)?);
                self.join(a, b)
            }
            ExprKind::Comma(_, last) => self.points_to_in(last, scope),
            ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } => self.points_to_in(target, scope),
            ExprKind::Name(Name { decl: Some(decl), .. }) => self.named(*decl, scope),
            ExprKind::AddressOf(inner) => match &inner.kind {
                ExprKind::Index(base, _) | ExprKind::Deref(base) => self.points_to_in(base, scope),
                _ => {
                    let part = self.place(inner, scope)?;
                    some(self.address_of(part))
                }
            },
            ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) => {
                if let Some(text) = self.argument_text(e) {
                    return some(text);
                }
                if matches!(shape_of(self.program, e), Some(Shape::Pointer(_))) {
                    return None;
                }
                let part = self.place(e, scope)?;
                matches!(part.shape, Shape::Array { .. }).then_some(())?;
                some(Pointee::Element(part, Expr::Int(Int::ZERO)))
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
                let side = if self.may_point(left) { left } else { right };
                if matches!(shape_of(self.program, side), Some(Shape::Pointer(inner)) if **inner == Shape::Void) {
                    return None;
                }
                self.points_to_in(side, scope)
            }
            ExprKind::Call(name, _) if name.text == crate::lang::intrinsic::NO_FUNCTION => Some(PointsTo::default()),
            ExprKind::Call(name, arguments) => self.given_back(name, arguments, scope),
            _ => None,
        }
    }

    /// Where the pointer of this name can point.
    fn named(&mut self, id: DeclId, scope: &mut Scope<'a>) -> Option<PointsTo> {
        let decl = self.program.decl(id);
        let shared = decl.storage.lasts();
        let (body, bound) = match scope.callees.last() {
            Some((function, bound)) if !shared => {
                let bound = bound.iter().find(|(known, _)| *known == id).map(|(_, points_to)| points_to.clone());
                if decl.storage == Storage::Parameter && bound.is_none() || !matches!(decl.shape, Shape::Pointer(_)) {
                    return None;
                }
                (&function.body, bound.unwrap_or_default())
            }
            _ => {
                let root = self.root(id);
                if let Some(pointee) = self.pointees.get(&root) {
                    return Some(PointsTo { pointee: Some(pointee.clone()), null: pointee.part().nullable });
                }
                if let Some(pointee) = self.own_object(root) {
                    return Some(PointsTo { pointee: Some(pointee), null: false });
                }
                if shared || decl.storage == Storage::Parameter || !matches!(decl.shape, Shape::Pointer(_)) {
                    return None;
                }
                (&self.frames.last()?.function.body, PointsTo::default())
            }
        };
        if scope.open.contains(&id) {
            return Some(bound);
        }
        let moves = Moves::of(body, id);
        if moves.other {
            return None;
        }
        scope.open.push(id);
        let all = self.joined(&moves.sources, scope);
        scope.open.pop();
        let all = self.join(bound, all?)?;
        // What it is set to from those that are being looked at is known there.
        let known = all.pointee.is_some() || all.null || !moves.sources.is_empty() || decl.storage == Storage::Parameter;
        known.then_some(all).filter(|all| all.pointee.iter().all(|p| self.fits(&decl.shape, p)))
    }

    /// Where the address can point that a call gives back.
    fn given_back(&mut self, name: &'a Name, arguments: &'a [Tree], scope: &mut Scope<'a>) -> Option<PointsTo> {
        let (_, function) = self.program.function(&name.text)?;
        if !matches!(function.result, Shape::Pointer(_)) {
            return None;
        }
        if function.library && !crate::lang::library::gives_place(&name.text) {
            return self.points_to_in(arguments.first()?, scope);
        }
        if scope.callees.iter().any(|(open, _)| std::ptr::eq(*open, function)) {
            // What the other calls give has to do for this one.
            return Some(PointsTo::default());
        }
        let mut bound = Vec::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            if matches!(self.program.decl(parameter.decl).shape, Shape::Pointer(_))
                && let Some(points_to) = self.points_to_in(argument, scope)
            {
                bound.push((parameter.decl, points_to));
            }
        }
        scope.callees.push((function, bound));
        let around = std::mem::take(&mut scope.open);
        let all = self.joined(&given(&function.body), scope);
        scope.open = around;
        scope.callees.pop();
        all.filter(|all| all.pointee.iter().all(|pointee| self.fits(&function.result, pointee)))
    }

    /// The part of an object that an expression names, with any indices.
    fn place(&mut self, e: &'a Tree, scope: &mut Scope<'a>) -> Option<Part> {
        scope.looks += 1;
        match &e.kind {
            ExprKind::Name(Name { decl: Some(decl), .. }) => {
                let shared = self.program.decl(*decl).storage.lasts();
                // A callee's own variables are gone when it is left.
                (shared || scope.callees.is_empty()).then_some(())?;
                let root = self.root(*decl);
                Some(self.whole_object(root))
            }
            ExprKind::Index(base, _) | ExprKind::Deref(base) => {
                let pointee = self.points_to_in(base, scope)?.pointee?;
                let part = self.element(pointee, Expr::Int(Int::ZERO))?;
                Some(part)
            }
            ExprKind::Member(base, name, at) => {
                let part = self.place(base, scope)?;
                self.member(part, name, *at)
            }
            _ => None,
        }
    }

    /// Whether what a pointer is set to needs variables of the pointer's own: a call or a choice gives it.
    pub(super) fn is_given(&self, e: &Tree) -> bool {
        let own = match &e.kind {
            ExprKind::Call(name, _) => self.program.function(&name.text).is_some_and(|(_, function)| {
                matches!(function.result, Shape::Pointer(_)) && (!function.library || crate::lang::library::gives_place(&name.text))
            }),
            ExprKind::Conditional(..) | ExprKind::Assign { .. } => e.ty == self.abi().address(),
            _ => false,
        };
        let mut found = own;
        match &e.kind {
            // Not what stands in an index or an argument.
            ExprKind::Index(base, _) | ExprKind::Member(base, ..) | ExprKind::Deref(base) | ExprKind::AddressOf(base) => {
                found = found || self.is_given(base);
            }
            ExprKind::Binary(_, left, right) => found = found || self.is_given(left) || self.is_given(right),
            ExprKind::Comma(_, last) => found = found || self.is_given(last),
            ExprKind::Call(_, arguments) if !own => found = arguments.first().is_some_and(|first| self.is_given(first)),
            _ => {}
        }
        found
    }

    /// An array, or what one of the function's own parameters points to.
    pub(super) fn own_object(&mut self, root: Root) -> Option<Pointee> {
        let own = self.is_own_pointer(&root);
        let part = self.whole_object(root);
        match part.shape {
            Shape::Array { .. } => Some(Pointee::Element(part, Expr::Int(Int::ZERO))),
            _ => own.then(|| self.address_of(part)),
        }
    }
}

/// What the statements give back.
fn given(body: &[Stmt]) -> Vec<&Tree> {
    let mut found = Vec::new();
    let mut open: Vec<&Stmt> = body.iter().rev().collect();
    while let Some(stmt) = open.pop() {
        if let StmtKind::Return(Some(e)) = &stmt.kind {
            found.push(e);
        }
        let mut inner = Vec::new();
        stmt.children(&mut |child| inner.push(child));
        open.extend(inner.into_iter().rev());
    }
    found
}
