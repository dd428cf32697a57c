//! Static pointers that lead into one array of the program: `static int stack[8], *top = stack;`.
//!
//! The address of such a pointer is never taken, so that each assignment to it stands in the text and names it. Its sources are found by the
//! flow of pointers between variables and results (inclusion-based, without the order of statements): an array whose elements have the shape
//! that the pointer leads to, null pointers, and other pointers with such sources. A parameter, a member, what an address leads to or a
//! string is a source of any kind, and such a pointer leads to more than one array.
//!
//! The facts are of the program alone, whatever function is analysed: each function that the pointer is left for sees the same value.

use super::ast::{
    BinaryOp, Decl, DeclId, Expr, ExprKind, Init, Length, Name, Program, Shape, StaticTarget, Stmt, StmtKind, object_address,
};
use super::flow::shape_of;
use super::storage::{Linkage, Storage};
use crate::logic::{SortedMap, SortedSet};

/// A holder of a pointer: a variable, or the result of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StaticHolder<'p> {
    Variable(DeclId),
    Result(&'p str),
}

/// From where a pointer is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StaticSource<'p> {
    Null,
    /// An element of this array.
    Array(DeclId),
    Holder(StaticHolder<'p>),
    /// Anything.
    Unknown,
}

/// The static pointers of a program that lead into one array each.
pub fn static_pointers(program: &Program) -> SortedMap<DeclId, StaticTarget> {
    let candidates = (0u32..).zip(&program.decls).filter(|(_, decl)| is_candidate(decl)).map(|(at, _)| DeclId(at));
    let candidates: Vec<DeclId> = candidates.collect();
    if candidates.is_empty() {
        return SortedMap::new();
    }
    let flow = PointerFlow::of(program);
    candidates.into_iter().filter_map(|id| Some((id, flow.target(id)?))).collect()
}

/// Whether the text says all values of a variable that lasts, which is a pointer to scalars or structures.
fn is_candidate(decl: &Decl) -> bool {
    matches!(&decl.shape, Shape::Pointer(inner) if matches!(**inner, Shape::Scalar(_) | Shape::Struct(_)))
        && matches!(decl.storage, Storage::Global | Storage::Static)
        && (decl.linkage == Linkage::Internal || decl.linkage == Linkage::External && decl.qualifiers.fixed())
        && !decl.qualifiers.names_volatile()
}

/// The sources of all holders.
struct PointerFlow<'p> {
    program: &'p Program,
    sources: SortedMap<StaticHolder<'p>, SortedSet<StaticSource<'p>>>,
}

impl<'p> PointerFlow<'p> {
    fn of(program: &'p Program) -> PointerFlow<'p> {
        let mut flow = PointerFlow { program, sources: SortedMap::new() };
        for function in &program.functions {
            let result = matches!(function.result, Shape::Pointer(_)).then_some(StaticHolder::Result(&function.name.text));
            function.body.iter().for_each(|stmt| flow.statement(stmt, result));
        }
        flow
    }

    fn add(&mut self, holder: StaticHolder<'p>, source: StaticSource<'p>) {
        self.sources.entry(holder).or_default().insert(source);
    }

    fn statement(&mut self, stmt: &'p Stmt, result: Option<StaticHolder<'p>>) {
        match &stmt.kind {
            StmtKind::Return(Some(e)) => result.into_iter().for_each(|holder| self.set(holder, e)),
            StmtKind::Declare(_, list) => {
                for declarator in list.iter().filter(|own| !own.is_static && !own.is_extern) {
                    let holder = StaticHolder::Variable(declarator.decl);
                    match &declarator.init {
                        Some(Init::Expr(e)) => self.set(holder, e),
                        Some(Init::List(..)) => self.add(holder, StaticSource::Unknown),
                        None => {}
                    }
                }
            }
            _ => {}
        }
        stmt.expressions(&mut |e| self.expression(e));
        stmt.children(&mut |child| self.statement(child, result));
    }

    fn expression(&mut self, e: &'p Expr) {
        let named = |e: &Expr| if let ExprKind::Name(name) = &e.kind { name.decl.map(StaticHolder::Variable) } else { None };
        match &e.kind {
            ExprKind::Assign { target, op, value, .. } => {
                if let Some(holder) = named(target) {
                    match op {
                        None => self.set(holder, value),
                        Some(BinaryOp::Add | BinaryOp::Sub) => {}
                        Some(_) => self.add(holder, StaticSource::Unknown),
                    }
                }
            }
            ExprKind::AddressOf(inner) => named(inner).into_iter().for_each(|holder| self.add(holder, StaticSource::Unknown)),
            _ => {}
        }
        e.kind.children(&mut |child| self.expression(child));
    }

    /// A holder is set to the value of an expression.
    fn set(&mut self, holder: StaticHolder<'p>, e: &'p Expr) {
        let e = e.unconverted();
        let source = match &e.kind {
            ExprKind::Int(value) if value.is_zero() => StaticSource::Null,
            ExprKind::Name(Name { decl: Some(decl), .. }) => match &self.program.decl(*decl).shape {
                Shape::Array { .. } => StaticSource::Array(*decl),
                Shape::Pointer(_) => StaticSource::Holder(StaticHolder::Variable(*decl)),
                _ => StaticSource::Unknown,
            },
            ExprKind::AddressOf(inner) => match &inner.kind {
                ExprKind::Index(base, _) | ExprKind::Deref(base) => return self.set(holder, base),
                _ => StaticSource::Unknown,
            },
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                let is_address =
                    |e: &Expr| matches!(shape_of(self.program, e.unconverted()), Some(Shape::Pointer(_) | Shape::Array { .. }));
                match (is_address(a), is_address(b)) {
                    (true, false) => return self.set(holder, a),
                    (false, true) => return self.set(holder, b),
                    _ => StaticSource::Unknown,
                }
            }
            ExprKind::Conditional(_, a, b) => {
                self.set(holder, a);
                return self.set(holder, b);
            }
            ExprKind::Cast(_, inner) | ExprKind::Comma(_, inner) => return self.set(holder, inner),
            ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } => return self.set(holder, target),
            ExprKind::Call(name, _) => match self.program.function(&name.text) {
                Some((_, function)) if !function.library => StaticSource::Holder(StaticHolder::Result(&function.name.text)),
                _ => StaticSource::Unknown,
            },
            _ => StaticSource::Unknown,
        };
        self.add(holder, source);
    }

    /// Where a static pointer leads; `None` where that is not one array, or its elements have another shape than it says.
    fn target(&self, id: DeclId) -> Option<StaticTarget> {
        let decl = self.program.decl(id);
        let Shape::Pointer(element) = &decl.shape else { return None };
        let mut seen = SortedSet::from_iter([StaticHolder::Variable(id)]);
        let mut open = vec![StaticHolder::Variable(id)];
        let mut array = None;
        let (mut is_nullable, mut starts_null) = (false, false);
        while let Some(holder) = open.pop() {
            let shape = match holder {
                StaticHolder::Variable(id) => &self.program.decl(id).shape,
                StaticHolder::Result(name) => &self.program.function(name)?.1.result,
            };
            if !matches!(shape, Shape::Pointer(inner) if inner == element) {
                return None;
            }
            let first = self.first_source(holder);
            if holder == StaticHolder::Variable(id) {
                starts_null = first == Some(StaticSource::Null);
            }
            for source in self.sources.get(&holder).into_iter().flatten().copied().chain(first) {
                match source {
                    StaticSource::Unknown => return None,
                    StaticSource::Null => is_nullable = true,
                    StaticSource::Array(other) if array.is_none_or(|array| array == other) => array = Some(other),
                    StaticSource::Array(_) => return None,
                    StaticSource::Holder(next) => open.extend(seen.insert(next).then_some(next)),
                }
            }
        }
        let array = array.filter(|array| self.is_followed(*array, element))?;
        Some(StaticTarget { array, is_nullable, starts_null })
    }

    /// What a variable is set to beside the assignments in the text.
    fn first_source(&self, holder: StaticHolder<'p>) -> Option<StaticSource<'p>> {
        let StaticHolder::Variable(id) = holder else { return None };
        let decl = self.program.decl(id);
        match decl.storage {
            Storage::Local => None,
            Storage::Global | Storage::Static if is_candidate(decl) => Some(match decl.initial.as_deref() {
                None | Some([]) => StaticSource::Null,
                Some([initial]) if initial.value.typed.is_zero() => StaticSource::Null,
                Some([initial]) => {
                    let led_to = (0u32..).zip(&self.program.decls).map(|(at, _)| DeclId(at));
                    let mut led_to = led_to.filter(|&at| object_address(at) == initial.value.typed);
                    led_to.next().map_or(StaticSource::Unknown, StaticSource::Array)
                }
                Some(_) => StaticSource::Unknown,
            }),
            _ => Some(StaticSource::Unknown),
        }
    }

    /// Whether a pointer into this array is an index of its elements.
    fn is_followed(&self, array: DeclId, element: &Shape) -> bool {
        let decl = self.program.decl(array);
        matches!(&decl.shape, Shape::Array { element: own, length: Length::Fixed(_) } if **own == *element)
            && matches!(decl.storage, Storage::Global | Storage::Static)
            && decl.linkage != Linkage::Elsewhere
            && !decl.qualifiers.names_volatile()
    }
}
