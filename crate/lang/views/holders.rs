//! The flow of `void *` between the holders of pointers, and the types of the pointers that they are converted from and to.

use crate::lang::ast::{
    BinaryOp, DeclId, Expr, ExprKind, Function, Init, Item, PointerCast, Program, Shape, Stmt, StmtKind, Storage, StructId,
};
use crate::lang::types::Integer;
use crate::logic::{SortedMap, SortedSet};
use crate::source::Span;

/// A holder of a pointer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PointerHolder {
    /// A variable, or the elements of an array.
    Decl(DeclId),
    Member(StructId, usize),
    /// The result of a function.
    Result(String),
}

/// Where the value of a pointer comes from.
#[derive(Clone)]
enum PointerSource {
    /// A null pointer, or what fits any type.
    Any,
    /// A holder of the type `void *`.
    Holder(PointerHolder),
    /// A pointer to this.
    Typed(Shape),
    /// A value of no type that is followed.
    Unresolved,
}

/// The constraints of functions on the holders of `void *`.
pub(super) struct HolderFlow<'p> {
    program: &'p Program,
    /// The function of the current statement.
    function: Option<&'p Function>,
    /// What a `void *` leads to after the casts of this function, by the spans of these; [`Shape::Opaque`] where several casts of one macro
    /// have one span.
    casts: SortedMap<Span, Shape>,
    /// Between which holders `void *` flows; they are of one class.
    edges: Vec<(PointerHolder, PointerHolder)>,
    /// What a holder is converted from or to: the shape of what the typed pointer leads to.
    pub views: Vec<(PointerHolder, Shape)>,
    /// Holders that are compared; they are of one class.
    compared: Vec<(PointerHolder, PointerHolder)>,
    /// Holders whose classes have no view.
    pub refused: SortedSet<PointerHolder>,
}

/// Whether a shape is that of `void *`, or of an array of these.
pub(super) fn is_void(shape: &Shape) -> bool {
    match shape {
        Shape::Array { element, .. } => is_void(element),
        shape => is_void_pointer(shape),
    }
}

fn is_void_pointer(shape: &Shape) -> bool {
    matches!(shape, Shape::Pointer(inner) if **inner == Shape::Void)
}

fn is_null(e: &Expr) -> bool {
    matches!(&e.unconverted().kind, ExprKind::Int(value) if value.is_zero())
}

/// The names of the functions that the body of a function calls.
pub(super) fn callees(function: &Function) -> Vec<&str> {
    fn inside<'p>(e: &'p Expr, found: &mut Vec<&'p str>) {
        if let ExprKind::Call(name, _) = &e.kind {
            found.push(&name.text);
        }
        e.kind.children(&mut |child| inside(child, found));
    }
    let mut found = Vec::new();
    let mut open: Vec<&Stmt> = function.body.iter().collect();
    while let Some(stmt) = open.pop() {
        stmt.expressions(&mut |e| inside(e, &mut found));
        stmt.children(&mut |child| open.push(child));
    }
    found
}

impl<'p> HolderFlow<'p> {
    /// The constraints of these functions, and of the first values of what lasts.
    pub fn of(program: &'p Program, functions: &SortedSet<usize>) -> HolderFlow<'p> {
        let mut flow = HolderFlow {
            program,
            function: None,
            casts: SortedMap::new(),
            edges: Vec::new(),
            views: Vec::new(),
            compared: Vec::new(),
            refused: SortedSet::new(),
        };
        for (decl, at) in program.decls.iter().zip(0..) {
            let decl_holder = PointerHolder::Decl(DeclId(at));
            if is_void(&decl.shape) && decl.qualifiers.names_volatile() {
                flow.refused.insert(decl_holder.clone());
            }
            for initial in decl.initial.iter().flatten().filter(|initial| !initial.value.typed.is_zero()) {
                if let Some((shape, holder)) = flow.part(DeclId(at), &initial.path)
                    && is_void_pointer(&shape)
                {
                    flow.refused.insert(holder);
                }
            }
        }
        for (own, id) in program.structs.iter().zip(0..) {
            for (member, at) in own.members.iter().flatten().zip(0..) {
                if is_void(&member.shape) && (own.union.is_some() || member.qualifiers.names_volatile()) {
                    flow.refused.insert(PointerHolder::Member(StructId(id), at));
                }
            }
        }
        for &at in functions {
            let function = &program.functions[at];
            flow.function = Some(function);
            flow.casts = SortedMap::new();
            for PointerCast { span, to } in &function.casts {
                let is_other = flow.casts.get(span).is_some_and(|other| other != to);
                flow.casts.insert(*span, if is_other { Shape::Opaque } else { to.clone() });
            }
            if function.library {
                flow.refused.extend(function.parameters.iter().map(|parameter| PointerHolder::Decl(parameter.decl)));
                flow.refused.insert(PointerHolder::Result(function.name.text.clone()));
            }
            function.body.iter().for_each(|stmt| flow.statement(stmt));
        }
        flow
    }

    /// Holders of one class.
    pub fn pairs(&self) -> impl Iterator<Item = &(PointerHolder, PointerHolder)> {
        self.edges.iter().chain(&self.compared)
    }

    /// All holders of the constraints.
    pub fn holders(&self) -> SortedSet<&PointerHolder> {
        let of_edges = self.pairs().flat_map(|(from, to)| [from, to]);
        of_edges.chain(self.views.iter().map(|(holder, _)| holder)).collect()
    }

    /// Parameters that are compared with each other, and flow nowhere else.
    pub fn only_compared(&self) -> SortedSet<PointerHolder> {
        let is_parameter = |holder: &PointerHolder| match holder {
            PointerHolder::Decl(decl) => self.program.decl(*decl).storage == Storage::Parameter,
            _ => false,
        };
        let is_constrained = |holder: &PointerHolder| {
            self.refused.contains(holder)
                || self.views.iter().any(|(viewed, _)| viewed == holder)
                || self.edges.iter().any(|(from, to)| from == holder || to == holder)
        };
        let mut found: SortedSet<PointerHolder> = SortedSet::new();
        let mut others: SortedSet<&PointerHolder> = SortedSet::new();
        for (one, other) in &self.compared {
            for (own, with) in [(one, other), (other, one)] {
                if is_parameter(own) && !is_constrained(own) {
                    found.insert(own.clone());
                    if !is_parameter(with) || is_constrained(with) {
                        others.insert(own);
                    }
                }
            }
        }
        found.into_iter().filter(|holder| !others.contains(holder)).collect()
    }

    fn statement(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Return(Some(e)) => {
                if let Some(function) = self.function {
                    self.assign(e, &function.result, Some(PointerHolder::Result(function.name.text.clone())));
                }
            }
            StmtKind::Declare(_, list) => {
                for declarator in list {
                    let decl = self.program.decl(declarator.decl);
                    match &declarator.init {
                        Some(Init::Expr(e)) => {
                            self.assign(e, &decl.shape, Some(PointerHolder::Decl(declarator.decl)));
                        }
                        Some(Init::List(items, _)) => self.listed(items, declarator.decl),
                        None => {}
                    }
                }
            }
            _ => {}
        }
        stmt.expressions(&mut |e| self.expression(e));
        stmt.children(&mut |child| self.statement(child));
    }

    fn listed(&mut self, items: &'p [Item], decl: DeclId) {
        for item in items {
            match (&item.value, item.path()) {
                (Init::Expr(e), Some(path)) => match self.part(decl, path) {
                    Some((shape, holder)) => self.assign(e, &shape, Some(holder)),
                    None => self.escapes(e),
                },
                (Init::List(inner, _), _) => self.listed(inner, decl),
                (Init::Expr(e), None) => self.escapes(e),
            }
        }
    }

    /// The shape of a part of an object that has these members on the way, and what holds it.
    fn part(&self, decl: DeclId, path: &[usize]) -> Option<(Shape, PointerHolder)> {
        let mut shape = &self.program.decl(decl).shape;
        let mut holder = PointerHolder::Decl(decl);
        let mut path = path.iter();
        loop {
            match shape {
                Shape::Array { element, .. } => shape = element,
                Shape::Struct(id) => {
                    let Some(&at) = path.next() else { return Some((shape.clone(), holder)) };
                    holder = PointerHolder::Member(*id, at);
                    shape = &self.program.structure(*id).members.as_ref()?.get(at)?.shape;
                }
                _ => return Some((shape.clone(), holder)),
            }
        }
    }

    fn expression(&mut self, e: &'p Expr) {
        if let Some(cast) = self.cast(e) {
            for source in self.sources(e, false) {
                self.view(source, &cast);
            }
        }
        match &e.kind {
            ExprKind::Assign { target, op: None, value, .. } => {
                if let Some(shape) = self.natural(target) {
                    self.assign(value, &shape, self.holder(target));
                }
            }
            ExprKind::Assign { target, op: Some(_), .. } | ExprKind::Step { target, .. } => self.moves(target),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => [a, b].into_iter().for_each(|side| self.moves(side)),
            ExprKind::Binary(op, a, b) if op.compares() => self.compare(a, b),
            ExprKind::Index(base, _) | ExprKind::Deref(base) => self.moves(base),
            ExprKind::AddressOf(inner) if self.natural(inner).is_some_and(|shape| is_void(&shape)) => {
                self.refused.extend(self.holder(inner));
            }
            ExprKind::Call(name, arguments) => {
                if let Some((_, function)) = self.program.function(&name.text) {
                    for (parameter, argument) in function.parameters.iter().zip(arguments) {
                        self.assign(argument, &self.program.decl(parameter.decl).shape, Some(PointerHolder::Decl(parameter.decl)));
                    }
                }
            }
            _ => {}
        }
        e.kind.children(&mut |child| {
            // An array of such pointers is only indexed.
            let is_indexed = matches!(&e.kind, ExprKind::Index(base, _) if std::ptr::eq(&**base, child));
            if !is_indexed
                && matches!(child.kind, ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Deref(_))
                && self.natural(child).is_some_and(|shape| matches!(shape, Shape::Array { .. }) && is_void(&shape))
            {
                self.refused.extend(self.holder(child));
            }
            self.expression(child);
        });
    }

    /// A pointer that moves, is followed, or is the side of a sum.
    fn moves(&mut self, e: &'p Expr) {
        if self.shape(e).is_some_and(|shape| is_void_pointer(&shape)) {
            self.escapes(e);
        }
    }

    /// Leaves the classes of the pointers that may be the value without a view.
    fn escapes(&mut self, e: &'p Expr) {
        for source in self.sources(e, true) {
            if let PointerSource::Holder(holder) = source {
                self.refused.insert(holder);
            }
        }
    }

    fn compare(&mut self, a: &'p Expr, b: &'p Expr) {
        let pairs: Vec<(PointerSource, PointerSource)> = {
            let (left, right) = (self.sources(a, true), self.sources(b, true));
            if !left.iter().chain(&right).any(|source| matches!(source, PointerSource::Holder(_))) {
                return;
            }
            left.into_iter().flat_map(|one| right.iter().map(move |other| (one.clone(), other.clone()))).collect()
        };
        for pair in pairs {
            match pair {
                (PointerSource::Holder(one), PointerSource::Holder(other)) => self.compared.push((one, other)),
                (holder @ PointerSource::Holder(_), PointerSource::Typed(shape))
                | (PointerSource::Typed(shape), holder @ PointerSource::Holder(_)) => self.view(holder, &shape),
                (PointerSource::Holder(holder), PointerSource::Unresolved) | (PointerSource::Unresolved, PointerSource::Holder(holder)) => {
                    self.refused.insert(holder);
                }
                _ => {}
            }
        }
    }

    fn view(&mut self, source: PointerSource, shape: &Shape) {
        if let PointerSource::Holder(holder) = source {
            self.views.push((holder, shape.clone()));
        }
    }

    /// A pointer of this shape is set to a value.
    fn assign(&mut self, e: &'p Expr, to: &Shape, holder: Option<PointerHolder>) {
        let Shape::Pointer(inner) = to else { return };
        let is_volatile = holder.as_ref().is_some_and(|holder| self.is_volatile(holder));
        for source in self.sources(e, true) {
            match (source, &holder) {
                (PointerSource::Holder(from), _) if is_volatile => _ = self.refused.insert(from),
                (PointerSource::Holder(from), Some(to)) if **inner == Shape::Void => self.edges.push((from, to.clone())),
                (PointerSource::Typed(shape), Some(to)) if **inner == Shape::Void => self.views.push((to.clone(), shape)),
                (PointerSource::Unresolved, Some(to)) if **inner == Shape::Void => _ = self.refused.insert(to.clone()),
                (source @ PointerSource::Holder(_), _) if **inner != Shape::Void => self.view(source, inner),
                _ => {}
            }
        }
    }

    fn is_volatile(&self, holder: &PointerHolder) -> bool {
        match holder {
            PointerHolder::Decl(decl) => self.program.decl(*decl).qualifiers.names_volatile(),
            PointerHolder::Member(structure, at) => {
                let members = self.program.structure(*structure).members.as_ref();
                members.and_then(|members| members.get(*at)).is_none_or(|member| member.qualifiers.names_volatile())
            }
            PointerHolder::Result(_) => false,
        }
    }

    /// Where the value of an expression may come from; without `casts` before its own cast.
    fn sources(&self, e: &'p Expr, casts: bool) -> Vec<PointerSource> {
        if is_null(e) {
            return vec![PointerSource::Any];
        }
        if casts && let Some(shape) = self.cast(e) {
            return vec![PointerSource::Typed(shape)];
        }
        match &e.kind {
            ExprKind::Conditional(_, a, b) => [a, b].into_iter().flat_map(|side| self.sources(side, true)).collect(),
            ExprKind::Comma(_, last) => self.sources(last, true),
            ExprKind::Assign { target, op: None, .. } => self.sources(target, true),
            ExprKind::Call(name, _) if self.program.function(&name.text).is_none() => vec![PointerSource::Any],
            _ => vec![match self.natural(e) {
                Some(Shape::Pointer(inner)) if *inner == Shape::Void => {
                    self.holder(e).map_or(PointerSource::Unresolved, PointerSource::Holder)
                }
                Some(Shape::Pointer(inner)) => PointerSource::Typed(*inner),
                Some(Shape::Array { element, .. }) => PointerSource::Typed(*element),
                _ => PointerSource::Unresolved,
            }],
        }
    }

    /// What holds the pointer that is an lvalue or a result.
    fn holder(&self, e: &Expr) -> Option<PointerHolder> {
        match &e.kind {
            ExprKind::Name(name) => name.decl.map(PointerHolder::Decl),
            ExprKind::Member(base, _, at) => match self.shape(base)? {
                Shape::Struct(id) => Some(PointerHolder::Member(id, *at)),
                _ => None,
            },
            // An element of an array; not of what a pointer leads to.
            ExprKind::Index(base, _) | ExprKind::Deref(base) if matches!(self.shape(base)?, Shape::Array { .. }) => self.holder(base),
            ExprKind::Call(name, _) => {
                self.program.function(&name.text).map(|(_, function)| PointerHolder::Result(function.name.text.clone()))
            }
            ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } => self.holder(target),
            _ => None,
        }
    }

    /// What a `void *` leads to after the cast that the text has here.
    fn cast(&self, e: &Expr) -> Option<Shape> {
        let cast = self.casts.get(&e.span)?;
        self.natural(e).is_some_and(|shape| is_void_pointer(&shape)).then(|| cast.clone())
    }

    /// The shape of an expression.
    fn shape(&self, e: &Expr) -> Option<Shape> {
        let natural = self.natural(e)?;
        match self.casts.get(&e.span) {
            Some(cast) if is_void_pointer(&natural) => Some(Shape::Pointer(Box::new(cast.clone()))),
            _ => Some(natural),
        }
    }

    /// The shape of an expression before its own cast.
    fn natural(&self, e: &Expr) -> Option<Shape> {
        let pointer = |inner: Shape| Some(Shape::Pointer(Box::new(inner)));
        match &e.kind {
            ExprKind::Name(name) => name.decl.map(|decl| self.program.decl(decl).shape.clone()),
            ExprKind::Index(base, _) | ExprKind::Deref(base) => match self.shape(base)? {
                Shape::Array { element: inner, .. } | Shape::Pointer(inner) => Some(*inner),
                _ => None,
            },
            ExprKind::Member(base, _, at) => match self.shape(base)? {
                Shape::Struct(id) => self.program.structure(id).members.as_ref()?.get(*at).map(|member| member.shape.clone()),
                _ => None,
            },
            ExprKind::AddressOf(inner) => pointer(self.shape(inner)?),
            ExprKind::Str(_) => pointer(Shape::Scalar(Integer::Char)),
            ExprKind::Call(name, _) => self.program.function(&name.text).map(|(_, function)| function.result.clone()),
            ExprKind::Step { target, .. } | ExprKind::Assign { target, .. } => self.natural(target),
            ExprKind::Comma(_, last) => self.shape(last),
            ExprKind::Conditional(_, a, b) if is_null(a) => self.shape(b),
            ExprKind::Conditional(_, a, b) if is_null(b) => self.shape(a),
            ExprKind::Conditional(_, a, b) => {
                let (a, b) = (self.shape(a)?, self.shape(b)?);
                Some(if is_void_pointer(&b) { b } else { a })
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => [a, b].into_iter().find_map(|side| match self.shape(side)? {
                Shape::Array { element, .. } => pointer(*element),
                shape @ Shape::Pointer(_) => Some(shape),
                _ => None,
            }),
            _ => None,
        }
    }
}
