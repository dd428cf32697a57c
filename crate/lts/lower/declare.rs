//! Declarations: first values, arrays of computed length, and pointers that are set once.

use super::expression::{Effects, Step};
use super::graph::{NOWHERE, Node};
use super::object::{Leaf, Part, Root, Target};
use super::{IntegerModel, Lowerer};
use crate::lang::ast::{DeclId, Declarator, Expr as Tree, ExprKind, Init, Length, Linkage, PartPath, Shape, Stmt, StmtKind, Storage};
use crate::lang::types::Integer;
use crate::logic::Int;
use crate::lts::{Expr, Label};
use crate::source::{Diagnostic, Span};

/// Elements of a local array that may be given first values.
const MAX_FILLED: usize = 4_096;

/// First values of a global or a static array, up to the last that is given.
pub(super) const MAX_INITIAL: usize = 1 << 20;

impl<'a> Lowerer<'a> {
    /// The first values of a global or a static, in the order of their elements.
    pub(super) fn initial(&mut self, root: &Root, path: &[usize], dimensions: &[Option<Int>], ty: Integer) -> Option<Vec<Int>> {
        if let Root::Temporary(number) = root {
            return self.temporaries[*number as usize].initial.clone();
        }
        if *root == Root::Strings {
            return Some(self.strings_values());
        }
        if let Root::Joined(class) = root {
            return self.joined_initial(*class, path, dimensions, ty);
        }
        let Root::Decl(_, id) = root else { return None };
        if self.keeps_first(*id) { self.first(root, path, dimensions, ty) } else { None }
    }

    /// Whether a variable has its first value, if there is one, when the function starts: nothing has run before `main`, and nothing changes
    /// what is `const`. Before any other function others may have run, and set whatever they can, but for what is local.
    pub(super) fn keeps_first(&self, id: DeclId) -> bool {
        let decl = self.program.decl(id);
        self.frames[0].function.name.text == "main"
            || matches!(decl.storage, Storage::Memory | Storage::Local)
            || decl.qualifiers.fixed()
            || decl.linkage == Linkage::Internal && !self.uses().changes(id)
    }

    /// The values that a global or a static has when the program starts; `None` where another part of the program says them.
    pub(super) fn first(&mut self, root: &Root, path: &[usize], dimensions: &[Option<Int>], ty: Integer) -> Option<Vec<Int>> {
        let Root::Decl(_, id) = root else { return None };
        let program = self.program;
        let decl = program.decl(*id);
        let given = match (&decl.initial, decl.storage, decl.linkage) {
            (Some(given), ..) => given,
            (None, Storage::Global | Storage::Static, Linkage::External | Linkage::Internal) => return Some(Vec::new()),
            _ => return None,
        };
        let mut values: Vec<Int> = Vec::new();
        for initial in given.iter().filter(|initial| initial.path == path) {
            let value = match self.options.ints {
                IntegerModel::Unbounded => initial.value.unbounded.clone(),
                IntegerModel::C32 => self.bit_range(root, path).unwrap_or(ty.range(self.abi())).wrap(&initial.value.typed),
            };
            // The first dimension counts nothing: an index within the others is multiplied by them.
            let mut at = 0usize;
            for (index, length) in initial.indices.iter().zip(dimensions) {
                let length = length.as_ref().and_then(Int::to_i64).and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
                at = at.saturating_mul(length.max(1)).saturating_add(*index);
            }
            if at >= MAX_INITIAL {
                let text = format!("more than {MAX_INITIAL} first values, with those left out, are not supported");
                self.fail(Diagnostic::error("too-many-values", decl.span, text).help("assign them in a loop"));
                break;
            }
            if at >= values.len() {
                values.resize(at + 1, Int::ZERO);
            }
            values[at] = value;
        }
        Some(values)
    }

    /// The edges of one declared name.
    #[inline(never)]
    pub(super) fn declaration(&mut self, declarator: &'a Declarator, next: Node) -> Node {
        if declarator.is_static || declarator.is_extern {
            // Its value is there before the program starts.
            return next;
        }
        let shape = self.program.decl(declarator.decl).shape.clone();
        if shape.is_computed() {
            return self.declared_lengths(declarator, next);
        }
        match &declarator.init {
            None => next,
            Some(Init::Expr(e)) => match &shape {
                Shape::Array { .. } | Shape::Struct(_) => self.aggregate(declarator, e, next),
                Shape::Pointer(_) => self.pointer_declaration(declarator, e, next),
                _ => {
                    let target = self.scalar_place(declarator.decl, shape.integer(self.abi()).unwrap_or(Integer::Int));
                    self.assign(&target, None, e, declarator.span, next)
                }
            },
            Some(Init::List(items, span)) => {
                let mut given = Vec::new();
                values(items, &mut given);
                if let (Shape::Scalar(_) | Shape::Pointer(_), [(_, e)]) = (&shape, given.as_slice()) {
                    let target = self.scalar_place(declarator.decl, shape.integer(self.abi()).unwrap_or(Integer::Int));
                    return self.assign(&target, None, e, declarator.span, next);
                }
                self.listed(declarator, &given, *span, next)
            }
        }
    }

    /// An array from a string, or a structure from another.
    fn aggregate(&mut self, declarator: &'a Declarator, e: &'a Tree, next: Node) -> Node {
        let root = self.root(declarator.decl);
        let part = self.whole_object(root);
        if let ExprKind::Str(bytes) = &e.kind {
            let values = self.characters(bytes, &part.shape);
            if let (Root::Joined(_), Shape::Array { length: Length::Fixed(length), .. }) = (&part.root, &part.shape) {
                let length = length.to_i64().map_or(usize::MAX, |length| length as usize);
                return self.fill_joined(&part, &[], &[length], &values, declarator.span, next);
            }
            let Leaf::Array(array) = self.leaf(&part.root, &[]) else { return next };
            return self.graph.operation(Label::Fill(array, values), declarator.span, next);
        }
        self.structure_assignment(&part, e, declarator.span, Effects::default(), next)
    }

    /// The values of a string's characters, as far as the array goes.
    fn characters(&self, bytes: &[u8], shape: &Shape) -> Vec<Expr> {
        let (ty, most) = match shape {
            Shape::Array { element, length } => {
                let most = if let Length::Fixed(length) = length { length.to_i64().map_or(usize::MAX, |n| n as usize) } else { usize::MAX };
                (element.integer(self.abi()).unwrap_or(Integer::Char), most)
            }
            _ => (Integer::Char, usize::MAX),
        };
        bytes.iter().take(most).map(|byte| Expr::Int(self.character(ty, *byte))).collect()
    }

    /// First values from a list: one edge for each array, and one for each scalar of a structure. What the list leaves out is zero.
    fn listed(&mut self, declarator: &'a Declarator, given: &[(&'a PartPath, &'a Tree)], span: Span, mut next: Node) -> Node {
        let root = self.root(declarator.decl);
        let part = self.whole_object(root);
        let mut effects = Effects::default();
        let mut values: Vec<(Vec<usize>, Vec<usize>, Expr)> = Vec::new();
        let mut copies = Vec::new();
        for (place, e) in given {
            let (path, indices) = (place.0.clone(), place.1.clone());
            // A string fills an array of characters, and is a value for a pointer.
            let inner = self.at(&part, &path, &indices);
            if let (ExprKind::Str(bytes), Some(Shape::Array { .. })) = (&e.kind, inner.as_ref().map(|inner| &inner.shape)) {
                let characters =
                    self.characters(bytes, &Shape::Array { element: Box::new(Shape::Scalar(Integer::Char)), length: Length::Unknown });
                for (at, value) in characters.into_iter().enumerate() {
                    values.push((path.clone(), indices.iter().copied().chain([at]).collect(), value));
                }
                continue;
            }
            // A structure among the values is copied member by member, behind the edges that set all the others.
            if let Some(inner) = inner.filter(|inner| matches!(inner.shape, Shape::Struct(_))) {
                if let Some(from) = self.part(e, &mut effects) {
                    copies.push(Step::Copy(inner, from, e.span));
                    continue;
                }
                self.unknown_pointer(e);
                return NOWHERE;
            }
            let mut value = self.value(e, &mut effects);
            if let Some(range) = self.bit_range(&part.root, &path) {
                value = self.wrapped(range, value);
            }
            values.push((path, indices, value));
        }
        next = self.run_steps(effects.after, next);
        next = self.run_steps(copies, next);
        let Some(leaves) = self.leaves_of(&part) else { return next };
        for (path, dimensions) in leaves.into_iter().rev() {
            let own: Vec<_> = values.iter().filter(|(at, ..)| *at == path).collect();
            let array = match &part.root {
                Root::Joined(_) => None,
                root => match self.leaf(root, &path) {
                    Leaf::Array(array) => Some(array),
                    Leaf::Scalar(variable) => {
                        let value = own.last().map_or(Expr::Int(Int::ZERO), |(_, _, value)| value.clone());
                        next = self.graph.operation(Label::Assign(variable, value), declarator.span, next);
                        continue;
                    }
                },
            };
            let mut elements: Vec<Expr> = Vec::new();
            for (_, indices, value) in own {
                let at =
                    indices.iter().zip(&dimensions).fold(0usize, |at, (index, length)| at.saturating_mul(*length).saturating_add(*index));
                if at >= MAX_FILLED {
                    self.fail(
                        Diagnostic::error("too-many-values", span, format!("more than {MAX_FILLED} first values are not supported"))
                            .help("assign them in a loop"),
                    );
                    return NOWHERE;
                }
                if at >= elements.len() {
                    elements.resize(at + 1, Expr::Int(Int::ZERO));
                }
                elements[at] = value.clone();
            }
            next = match array {
                Some(array) => self.graph.operation(Label::Fill(array, elements), declarator.span, next),
                None => self.fill_joined(&part, &path, &dimensions, &elements, declarator.span, next),
            };
        }
        self.run_steps(effects.before, next)
    }

    /// The part of an object with these members and indices on the way.
    fn at(&self, whole: &Part, path: &[usize], indices: &[usize]) -> Option<Part> {
        let mut part = whole.clone();
        let (mut path, mut indices) = (path.iter(), indices.iter());
        loop {
            part.shape = match part.shape {
                Shape::Array { element, length } => {
                    let Some(index) = indices.next() else { return Some(Part { shape: Shape::Array { element, length }, ..part }) };
                    let known = if let Length::Fixed(length) = length { Some(length) } else { None };
                    part.indices.push((Expr::Int(Int::from(*index)), known));
                    *element
                }
                Shape::Struct(id) => {
                    let Some(at) = path.next() else { return Some(Part { shape: Shape::Struct(id), ..part }) };
                    part.path.push(*at);
                    self.program.structure(id).members.as_ref()?.get(*at)?.shape.clone()
                }
                shape => return Some(Part { shape, ..part }),
            };
        }
    }

    /// The members on the way to the scalars of an object, with the lengths of the arrays on the way.
    fn leaves_of(&self, whole: &Part) -> Option<Vec<(Vec<usize>, Vec<usize>)>> {
        let mut found = Vec::new();
        let mut open = vec![(Vec::new(), Vec::new(), whole.shape.clone())];
        while let Some((path, mut dimensions, shape)) = open.pop() {
            match shape {
                Shape::Array { element, length } => {
                    let length = if let Length::Fixed(length) = length { length.to_i64()? as usize } else { usize::MAX };
                    dimensions.push(length);
                    open.push((path, dimensions, *element));
                }
                Shape::Struct(id) => {
                    for (at, member) in self.program.structure(id).members.as_ref()?.iter().enumerate().rev() {
                        let path = path.iter().copied().chain([at]).collect();
                        open.push((path, dimensions.clone(), member.shape.clone()));
                    }
                }
                _ => found.push((path, dimensions)),
            }
        }
        Some(found)
    }

    // Pointers that are set once

    /// Notes what those pointers point to that only their declaration sets, and makes room for what arrays of computed length and moving
    /// indices need. It goes in the order of the text, since one pointer may be set from another; pointers that always lead to one string
    /// come first, since a pointer that is declared before them may be set from them.
    pub(super) fn bind_pointers(&mut self, body: &'a [Stmt]) {
        let program = self.program;
        let is_one_string = |declarator: &&'a Declarator| {
            let decl = program.decl(declarator.decl);
            let is_string = matches!(&declarator.init, Some(Init::Expr(e)) if matches!(e.kind, ExprKind::Str(_)));
            is_string && !decl.assigned && matches!(decl.shape, Shape::Pointer(_))
        };
        let (strings, others): (Vec<_>, Vec<_>) = declared_in(body).into_iter().partition(is_one_string);
        for declarator in strings.into_iter().chain(others) {
            self.bind_declared(declarator);
        }
    }

    fn bind_declared(&mut self, declarator: &'a Declarator) {
        let root = self.root(declarator.decl);
        let decl = self.program.decl(declarator.decl);
        match (&decl.shape, &declarator.init) {
            (shape, _) if shape.is_computed() => self.make_lengths(root, shape),
            (Shape::Pointer(inner), Some(Init::Expr(e))) if !decl.assigned => {
                if self.bind_allocation(declarator, inner, e) {
                    return;
                }
                // A value, which may be null and can be printed.
                if self.is_string_value(e) {
                    return;
                }
                if self.is_given(e) {
                    return self.bind_moving(declarator.decl);
                }
                let mut steps = Vec::new();
                // What the pointer stands for matters here; the declaration itself makes the edges.
                if let Some(pointee) = self.pointee(e, &mut Effects::default()).filter(|pointee| self.fits(&decl.shape, pointee)) {
                    let pointee = self.fixed(pointee, declarator.span, &mut steps);
                    self.moving.insert(root.clone(), steps);
                    self.pointees.insert(root, pointee);
                }
            }
            (Shape::Pointer(_), _) if decl.assigned => self.bind_moving(declarator.decl),
            _ => {}
        }
    }

    fn pointer_declaration(&mut self, declarator: &'a Declarator, e: &'a Tree, next: Node) -> Node {
        let root = self.root(declarator.decl);
        if let Some(node) = self.allocate(&root, declarator, next) {
            return node;
        }
        if self.moving_pointers.contains(&root) {
            return self.point(&root, e, declarator.span, next);
        }
        if self.pointees.contains_key(&root) {
            let mut effects = Effects::default();
            self.pointee(e, &mut effects);
            let steps = self.moving.get(&root).cloned().unwrap_or_default();
            let after = self.run_steps(effects.after, next);
            let set = self.run_steps(steps, after);
            return self.run_steps(effects.before, set);
        }
        let target = Target::Variable(self.scalar(declarator.decl), self.abi().address());
        self.assign(&target, None, e, declarator.span, next)
    }

    /// How many bytes a scalar takes.
    pub(super) fn size_of(&self, shape: &Shape) -> Option<i64> {
        match shape {
            Shape::Scalar(integer) => Some(integer.size(self.abi())),
            _ => None,
        }
    }
}

/// The variables of a body that it declares for itself, in the order of the text.
fn declared_in(body: &[Stmt]) -> Vec<&Declarator> {
    let (mut open, mut found): (Vec<&Stmt>, _) = (body.iter().rev().collect(), Vec::new());
    while let Some(stmt) = open.pop() {
        if let StmtKind::Declare(_, list) = &stmt.kind {
            found.extend(list.iter().filter(|declarator| !declarator.is_static && !declarator.is_extern));
        }
        let mut inner = Vec::new();
        stmt.children(&mut |child| inner.push(child));
        open.extend(inner.into_iter().rev());
    }
    found
}

/// The values of a list with their places, in order.
fn values<'a>(items: &'a [crate::lang::ast::Item], found: &mut Vec<(&'a PartPath, &'a Tree)>) {
    for item in items {
        match (&item.value, &item.part_path) {
            (Init::Expr(e), Some(place)) => found.push((place, e)),
            (Init::Expr(_), None) => {}
            (Init::List(inner, _), _) => values(inner, found),
        }
    }
}
