//! What the evaluation of an expression reads and writes, judged by the text alone and rather too much than too little: so that lowering
//! knows where an order of evaluation that C leaves open makes a difference ([`super::order`]).
//!
//! An access is to a variable with all that it contains, or through a pointer. What a call reads and writes is what its function's body
//! does, with what that calls.

use super::flow::shape_of;
use crate::lang::ast::{BinaryOp, DeclId, Expr as Tree, ExprKind, Function, Name, Program, Shape, Stmt, StmtKind, Storage};
use crate::lang::intrinsic::{self, Intrinsic};
use crate::lang::types::Integer;
use crate::logic::{SortedMap, SortedSet};

/// What is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Object {
    /// A variable, or a part of it.
    Variable(DeclId),
    /// What this parameter, which never changes, points to.
    Through(DeclId),
    /// What some pointer points to.
    Somewhere,
    /// What a function without a body can reach.
    Outside,
    /// The text on standard input, of which each read takes a part.
    Stdin,
}

/// What an evaluation does that others may notice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Accesses {
    pub reads: SortedSet<Object>,
    pub writes: SortedSet<Object>,
    /// Whether it calls a function with a body.
    pub calls: bool,
    /// Whether it may end the execution, or never end.
    pub ends: bool,
}

impl Accesses {
    fn add(&mut self, other: &Accesses) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.calls |= other.calls;
        self.ends |= other.ends;
    }
}

/// What the functions of a program do.
pub(super) struct Effects<'a> {
    program: &'a Program,
    functions: SortedMap<&'a str, &'a Function>,
    of: SortedMap<&'a str, Accesses>,
    /// Variables that pointers may point to.
    escaping: SortedSet<DeclId>,
    /// Whether the program converts pointers, so that one may lead to an object of another type.
    converts: bool,
}

impl<'a> Effects<'a> {
    pub fn new(program: &'a Program) -> Effects<'a> {
        let functions: SortedMap<&'a str, &'a Function> = program.functions.iter().map(|f| (f.name.text.as_str(), f)).collect();
        let of = functions.keys().map(|&name| (name, Accesses { calls: true, ..Accesses::default() })).collect();
        let mut effects = Effects { program, functions, of, escaping: SortedSet::new(), converts: false };
        for function in &program.functions {
            function.body.iter().for_each(|stmt| effects.escapes_in(stmt));
            effects.converts |= !function.library && function.body.iter().any(|stmt| converts_pointers(program, stmt));
        }
        // The sets only grow, and are finite.
        let mut changed = true;
        while changed {
            changed = false;
            for function in &program.functions {
                let mut found = Accesses { calls: true, ..Accesses::default() };
                for stmt in &function.body {
                    effects.statement(stmt, function.library, &mut found);
                }
                // A function's own variables are others in each call.
                let outlives = |object: &Object| match object {
                    Object::Variable(id) => program.decl(*id).storage.lasts(),
                    _ => true,
                };
                found.reads.retain(outlives);
                found.writes.retain(outlives);
                if effects.of.get(function.name.text.as_str()) != Some(&found) {
                    changed = true;
                    effects.of.insert(&function.name.text, found);
                }
            }
        }
        effects
    }

    fn statement(&self, stmt: &'a Stmt, library: bool, found: &mut Accesses) {
        stmt.expressions(&mut |e| self.all(e, found));
        let endless = match &stmt.kind {
            StmtKind::While { condition, body } | StmtKind::DoWhile { condition, body } if is_true(condition) => Some(body),
            StmtKind::For { condition: None, body, .. } => Some(body),
            StmtKind::For { condition: Some(condition), body, .. } if is_true(condition) => Some(body),
            _ => None,
        };
        found.ends |= !library && endless.is_some_and(|body| !leaves(body));
        stmt.children(&mut |child| self.statement(child, library, found));
    }

    /// All that the evaluation of an expression does.
    pub fn all(&self, e: &Tree, found: &mut Accesses) {
        self.own(e, found);
        operands(self.program, e, &mut |operand| self.all(operand, found));
    }

    /// What an expression does by itself once its [`operands`] are evaluated.
    pub fn own(&self, e: &Tree, found: &mut Accesses) {
        match &e.kind {
            ExprKind::Assign { target, op, .. } => {
                found.writes.insert(self.object(target));
                if op.is_some() {
                    found.reads.insert(self.object(target));
                }
            }
            ExprKind::Step { target, .. } => {
                found.reads.insert(self.object(target));
                found.writes.insert(self.object(target));
            }
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) if !is_array(self.program, e) => {
                found.reads.insert(self.object(e));
            }
            ExprKind::Call(name, arguments) => self.call(name, arguments, found),
            _ => {}
        }
    }

    fn call(&self, name: &Name, arguments: &[Tree], found: &mut Accesses) {
        if intrinsic::is_own(&name.text) {
            return;
        }
        let function = self.functions.get(name.text.as_str());
        let intrinsic = intrinsic::find(&name.text).filter(|_| function.is_none());
        match (intrinsic, function) {
            (Some(Intrinsic::Scan), _) => {
                found.writes.extend(arguments.iter().skip(1).filter_map(|argument| self.pointed(argument)));
                found.writes.insert(Object::Stdin);
            }
            (Some(Intrinsic::GetCharacter | Intrinsic::ClearIndicators), _) => drop(found.writes.insert(Object::Stdin)),
            (Some(Intrinsic::EndOfFile | Intrinsic::ReadError), _) => drop(found.reads.insert(Object::Stdin)),
            (Some(Intrinsic::SetObject | Intrinsic::CopyObject), _) => {
                found.writes.extend(arguments.first().and_then(|to| self.pointed(to)));
                found.reads.extend(arguments.get(1).and_then(|from| self.pointed(from)));
            }
            (Some(Intrinsic::Exit | Intrinsic::Error(_) | Intrinsic::Assert(_)), _) => found.ends = true,
            (Some(_), _) => {}
            (None, None) if intrinsic::only_draws(&name.text, arguments.len()) => {}
            (None, Some(function)) => {
                let Some(of) = self.of.get(name.text.as_str()) else { return };
                let passed = |object: &Object| match object {
                    Object::Through(id) => {
                        let at = function.parameters.iter().position(|parameter| parameter.decl == *id);
                        match at.and_then(|at| arguments.get(at)) {
                            Some(argument) => self.pointed(argument),
                            None => Some(Object::Somewhere),
                        }
                    }
                    object => Some(*object),
                };
                found.add(&Accesses {
                    reads: of.reads.iter().filter_map(passed).collect(),
                    writes: of.writes.iter().filter_map(passed).collect(),
                    ..*of
                });
            }
            // What such a function reads and writes is what others can see.
            (None, None) => {
                found.reads.insert(Object::Outside);
                found.writes.insert(Object::Outside);
                found.calls = true;
            }
        }
    }

    /// The object that a place is a part of.
    pub fn object(&self, place: &Tree) -> Object {
        match &place.kind {
            ExprKind::Name(Name { decl: Some(decl), .. }) => Object::Variable(*decl),
            ExprKind::Member(base, ..) => self.object(base),
            ExprKind::Index(base, _) | ExprKind::Deref(base) => self.pointed(base).unwrap_or(Object::Somewhere),
            _ => Object::Somewhere,
        }
    }

    /// What an address points into; `None` for null pointers and strings, which nothing changes.
    fn pointed(&self, address: &Tree) -> Option<Object> {
        match &address.kind {
            ExprKind::Str(_) => None,
            ExprKind::Int(value) if value.is_zero() => None,
            ExprKind::AddressOf(place) => Some(self.object(place)),
            ExprKind::Convert(inner) | ExprKind::Cast(_, inner) | ExprKind::Comma(_, inner) => self.pointed(inner),
            _ if is_array(self.program, address) => Some(self.object(address)),
            ExprKind::Name(Name { decl: Some(id), .. }) => {
                let decl = self.program.decl(*id);
                Some(if decl.storage == Storage::Parameter && !decl.assigned { Object::Through(*id) } else { Object::Somewhere })
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                let is_address = |e| matches!(shape_of(self.program, e), Some(Shape::Array { .. } | Shape::Pointer(_)));
                match (is_address(a), is_address(b)) {
                    (true, _) => self.pointed(a),
                    (_, true) => self.pointed(b),
                    _ => Some(Object::Somewhere),
                }
            }
            _ => Some(Object::Somewhere),
        }
    }

    /// Whether two accesses may be to one object.
    pub fn meet(&self, a: Object, b: Object) -> bool {
        match (a, b) {
            (Object::Variable(a), Object::Variable(b)) => a == b,
            (Object::Stdin, other) | (other, Object::Stdin) => other == Object::Stdin,
            // Two arbitrary changes are the same in either order.
            (Object::Outside, Object::Outside) => false,
            (Object::Variable(id), Object::Outside) | (Object::Outside, Object::Variable(id)) => {
                let is_node = self.program.nodes.written_outside.contains(&id);
                is_node || matches!(self.program.decl(id).storage, Storage::Global | Storage::Static) || self.escaping.contains(&id)
            }
            (Object::Variable(id), Object::Through(parameter)) | (Object::Through(parameter), Object::Variable(id)) => {
                self.escaping.contains(&id) && self.overlap(&self.program.decl(id).shape, self.led_to(parameter))
            }
            (Object::Variable(id), _) | (_, Object::Variable(id)) => self.escaping.contains(&id),
            (Object::Through(a), Object::Through(b)) => self.overlap(self.led_to(a), self.led_to(b)),
            _ => true,
        }
    }

    fn led_to(&self, parameter: DeclId) -> &'a Shape {
        match &self.program.decl(parameter).shape {
            Shape::Pointer(to) => to,
            to => to,
        }
    }

    /// Whether objects of two shapes may have a part in common.
    fn overlap(&self, a: &Shape, b: &Shape) -> bool {
        self.converts || self.has_part(a, b) || self.has_part(b, a)
    }

    fn has_part(&self, shape: &Shape, part: &Shape) -> bool {
        let size = |shape: &Shape| shape.integer(self.program.abi).map(|ty| ty.size(self.program.abi));
        match (shape, part) {
            (Shape::Void | Shape::Opaque, _) => true,
            (Shape::Scalar(_) | Shape::Pointer(_), Shape::Scalar(_) | Shape::Pointer(_)) => size(shape) == size(part),
            (Shape::Array { element, .. }, _) if shape != part => self.has_part(element, part),
            (Shape::Struct(id), _) if shape != part => {
                self.program.structure(*id).members.iter().flatten().any(|member| self.has_part(&member.shape, part))
            }
            _ => shape == part,
        }
    }

    /// Whether the order of two evaluations makes a difference: one writes what the other reads or writes, or both may end the execution.
    pub fn conflict(&self, a: &Accesses, b: &Accesses) -> bool {
        let writes = |a: &Accesses, b: &Accesses| a.writes.iter().any(|&x| b.reads.iter().chain(&b.writes).any(|&y| self.meet(x, y)));
        writes(a, b) || writes(b, a) || a.ends && b.ends
    }

    fn escapes_in(&mut self, stmt: &'a Stmt) {
        let mut found = Vec::new();
        stmt.expressions(&mut |e| escaping(self.program, e, false, &mut found));
        self.escaping.extend(found);
        stmt.children(&mut |child| self.escapes_in(child));
    }
}

/// Visits what is evaluated before an expression itself, from left to right.
pub(super) fn operands<'a>(program: &Program, e: &'a Tree, visit: &mut dyn FnMut(&'a Tree)) {
    match &e.kind {
        ExprKind::Assign { target, value, .. } => {
            place_operands(program, target, visit);
            visit(value);
        }
        ExprKind::Step { target: place, .. } | ExprKind::AddressOf(place) => place_operands(program, place, visit),
        ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) => place_operands(program, e, visit),
        ExprKind::SizeofExpr(_) => {}
        kind => kind.children(visit),
    }
}

/// Visits what is evaluated to find a place.
pub(super) fn place_operands<'a>(program: &Program, place: &'a Tree, visit: &mut dyn FnMut(&'a Tree)) {
    let base_operands = |base: &'a Tree, visit: &mut dyn FnMut(&'a Tree)| {
        if is_array(program, base) { place_operands(program, base, visit) } else { visit(base) }
    };
    match &place.kind {
        ExprKind::Name(_) => {}
        ExprKind::Index(base, index) => {
            base_operands(base, visit);
            visit(index);
        }
        ExprKind::Deref(base) => base_operands(base, visit),
        ExprKind::Member(base, ..) if base.is_place() => place_operands(program, base, visit),
        ExprKind::Member(base, ..) => visit(base),
        _ => visit(place),
    }
}

fn is_array(program: &Program, e: &Tree) -> bool {
    e.is_place() && matches!(shape_of(program, e), Some(Shape::Array { .. }))
}

/// Collects the variables whose addresses are used as values.
fn escaping(program: &Program, e: &Tree, is_base: bool, found: &mut Vec<DeclId>) {
    let mut root = |mut place: &Tree| {
        while let ExprKind::Index(base, _) | ExprKind::Member(base, ..) = &place.kind {
            place = base;
        }
        if let ExprKind::Name(Name { decl: Some(decl), .. }) = &place.kind {
            found.push(*decl);
        }
    };
    match &e.kind {
        ExprKind::AddressOf(place) => root(place),
        _ if !is_base && is_array(program, e) => root(e),
        _ => {}
    }
    match &e.kind {
        ExprKind::Index(base, index) => {
            escaping(program, base, true, found);
            escaping(program, index, false, found);
        }
        ExprKind::Deref(base) | ExprKind::Member(base, ..) => escaping(program, base, true, found),
        kind => kind.children(&mut |child| escaping(program, child, false, found)),
    }
}

/// Whether a statement converts a pointer to another type.
fn converts_pointers(program: &Program, stmt: &Stmt) -> bool {
    fn inside(program: &Program, e: &Tree) -> bool {
        let is_address = |e: &Tree| {
            matches!(e.kind, ExprKind::AddressOf(_)) || matches!(shape_of(program, e), Some(Shape::Pointer(_) | Shape::Array { .. }))
        };
        let mut found =
            matches!(&e.kind, ExprKind::Convert(inner) | ExprKind::Cast(_, inner) if e.ty != Integer::Bool && is_address(inner));
        e.kind.children(&mut |child| found = found || inside(program, child));
        found
    }
    let mut found = false;
    stmt.expressions(&mut |e| found = found || inside(program, e));
    stmt.children(&mut |child| found = found || converts_pointers(program, child));
    found
}

fn is_true(condition: &Tree) -> bool {
    matches!(&condition.unconverted().kind, ExprKind::Int(value) if !value.is_zero())
}

/// Whether a loop's body has a jump that may leave it.
fn leaves(body: &Stmt) -> bool {
    let mut found = matches!(body.kind, StmtKind::Break | StmtKind::Return(_) | StmtKind::Goto(_));
    body.children(&mut |child| found = found || leaves(child));
    found
}
