//! Which structures are nodes: the ones that pointers lead to that are members, elements, statics, or hold memory that a call gives or frees; and
//! which functions lowering a function can meet.

use crate::lang::ast::{BinaryOp, Expr, ExprKind, Function, Init, Member, Name, Program, Shape, Stmt, StmtKind, StructId, Type};
use crate::lang::flow::shape_of;
use crate::lang::intrinsic;
use crate::logic::{SortedMap, SortedSet};

/// The program does something else with a pointer to a node.
pub(super) struct NotFollowed;

pub(super) type Rewritten<T> = Result<T, NotFollowed>;

/// What a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pointee {
    /// A node of the structure.
    Node(StructId),
    /// A pointer to a node of the structure.
    Cell(StructId),
}

/// The members to which pointers to pointers lead.
#[derive(Clone, Debug)]
pub(super) struct CellMembers {
    /// The structure whose members they are.
    pub of: StructId,
    /// Their numbers in it.
    pub members: SortedSet<usize>,
}

/// The structures whose objects are nodes, and the functions that matter.
pub(super) struct NodeStructures {
    pub all: SortedSet<StructId>,
    /// By the structure of a node the members that pointers to pointers to it lead to; none where these are no numbers.
    pub cells: SortedMap<StructId, CellMembers>,
    /// The numbers of the functions that calls from the analysed one lead to, and its own.
    pub reached: SortedSet<usize>,
}

impl NodeStructures {
    /// The ones of a program for one of its functions; `None` where there is none. With `cells`, pointers to the members of nodes that are
    /// pointers are numbers, too.
    pub fn of(program: &Program, function: &Function, cells: bool) -> Option<NodeStructures> {
        let reached = reached(program, function);
        let mut found = PointerValues { program, all: SortedSet::new() };
        for member in program.structs.iter().flat_map(|structure| structure.members.iter().flatten()) {
            found.values(&member.shape);
        }
        for decl in &program.decls {
            match &decl.shape {
                Shape::Pointer(_) if !decl.storage.lasts() => {}
                shape => found.values(shape),
            }
            if let Shape::Pointer(inner) | Shape::Array { element: inner, .. } = &decl.shape
                && matches!(**inner, Shape::Pointer(_))
            {
                found.values(inner);
            }
        }
        for &at in &reached {
            let function = &program.functions[at];
            function.body.iter().for_each(|stmt| found.allocations(stmt, &function.result));
        }
        let all: SortedSet<StructId> =
            found.all.into_iter().filter(|id| is_followed(program, *id)).chain(program.nodes.blocks.keys().copied()).collect();
        let mut nodes = NodeStructures { all, reached, cells: SortedMap::new() };
        if cells {
            let mut found = Vec::new();
            for &at in &nodes.reached {
                program.functions[at].body.iter().for_each(|stmt| nodes.cells_in(program, stmt, &mut found));
            }
            for (to, of, member) in found {
                let cells = nodes.cells.entry(to).or_insert_with(|| CellMembers { of, members: SortedSet::new() });
                if cells.of != of || !is_followed(program, of) {
                    return None;
                }
                cells.members.insert(member);
                nodes.all.insert(of);
            }
        }
        let has_none = nodes.all.is_empty() || cells && nodes.cells.is_empty();
        (!has_none).then_some(nodes)
    }

    /// Finds the pointers to nodes whose addresses a statement takes: the structure of the nodes, the structure with the pointer, and the member.
    fn cells_in(&self, program: &Program, stmt: &Stmt, found: &mut Vec<(StructId, StructId, usize)>) {
        stmt.expressions(&mut |e| self.cells_taken(program, e, found));
        stmt.children(&mut |child| self.cells_in(program, child, found));
    }

    fn cells_taken(&self, program: &Program, e: &Expr, found: &mut Vec<(StructId, StructId, usize)>) {
        if let ExprKind::AddressOf(inner) = &e.kind
            && let ExprKind::Member(base, _, at) = &inner.kind
            && let Some(Shape::Struct(of)) = shape_of(program, base)
            && let Some(Pointee::Node(to)) = shape_of(program, inner).and_then(|shape| self.pointed(shape))
        {
            found.push((to, *of, *at));
        }
        e.kind.children(&mut |child| self.cells_taken(program, child, found));
    }

    /// What a pointer of this shape leads to, where its values are numbers.
    pub fn pointed(&self, shape: &Shape) -> Option<Pointee> {
        let Shape::Pointer(inner) = shape else { return None };
        match &**inner {
            Shape::Struct(id) if self.all.contains(id) => Some(Pointee::Node(*id)),
            inner => match self.pointed(inner)? {
                Pointee::Node(id) if self.cells.contains_key(&id) => Some(Pointee::Cell(id)),
                _ => None,
            },
        }
    }

    /// What the address of an object of this shape, or of its elements, leads to, where it is a number.
    fn addressed(&self, shape: &Shape) -> Option<Pointee> {
        self.pointed(&Shape::Pointer(Box::new(shape.clone())))
    }

    /// What an expression points to, where its value is a number.
    pub fn of_value(&self, program: &Program, e: &Expr) -> Option<Pointee> {
        match &e.kind {
            ExprKind::AddressOf(inner) => self.addressed(shape_of(program, inner)?),
            ExprKind::Name(Name { decl: Some(decl), .. }) if let Shape::Array { element, .. } = &program.decl(*decl).shape => {
                self.addressed(element)
            }
            ExprKind::Conditional(_, a, b) => self.of_value(program, a).or_else(|| self.of_value(program, b)),
            ExprKind::Comma(_, last) => self.of_value(program, last),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => self.of_value(program, a).or_else(|| self.of_value(program, b)),
            ExprKind::Binary(..) => None,
            ExprKind::Call(name, _) if program.function(&name.text).is_none() => self.of_outside(program, &name.text),
            _ => self.pointed(shape_of(program, e)?),
        }
    }

    /// What the result of a function without a body points to, where it is a number.
    pub fn of_outside(&self, program: &Program, name: &str) -> Option<Pointee> {
        let prototype = program.prototypes.iter().find(|prototype| prototype.name.text == name && intrinsic::find(name).is_none())?;
        match &prototype.returns {
            Type::Pointer(inner) => match **inner {
                Type::Struct(id) if self.all.contains(&id) => Some(Pointee::Node(id)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether values of a shape, or what they lead to, hold pointers to nodes; after so many steps it is assumed.
    pub fn are_held(&self, program: &Program, shape: &Shape, depth: u32) -> bool {
        match shape {
            _ if depth == 0 || self.pointed(shape).is_some() => true,
            Shape::Pointer(inner) | Shape::Array { element: inner, .. } => self.are_held(program, inner, depth - 1),
            Shape::Struct(id) => {
                let members = program.structure(*id).members.as_ref();
                members.is_some_and(|members| members.iter().any(|member| self.are_held(program, &member.shape, depth - 1)))
            }
            _ => false,
        }
    }

    /// Whether an object of a shape is a node, or has one in it.
    pub fn has_object(&self, program: &Program, shape: &Shape) -> bool {
        match shape {
            Shape::Array { element, .. } => self.has_object(program, element),
            Shape::Struct(id) if self.all.contains(id) => true,
            Shape::Struct(id) => program.structure(*id).members.iter().flatten().any(|member| self.has_object(program, &member.shape)),
            _ => false,
        }
    }

    /// The structure to whose nodes the pointers of this shape lead.
    pub fn innermost(&self, shape: &Shape) -> Option<StructId> {
        match (self.pointed(shape), shape) {
            (Some(Pointee::Node(id)), _) => Some(id),
            // Numbers of pointers in nodes.
            (Some(Pointee::Cell(id)), _) => self.cells.get(&id).map(|cells| cells.of),
            (None, Shape::Pointer(inner) | Shape::Array { element: inner, .. }) => self.innermost(inner),
            (None, _) => None,
        }
    }

    /// The shape with numbers in place of pointers to nodes.
    pub fn numbered(&self, shape: &Shape) -> Shape {
        if self.pointed(shape).is_some() {
            return Shape::Scalar(crate::lang::types::Integer::Node);
        }
        match shape {
            Shape::Pointer(inner) => Shape::Pointer(Box::new(self.numbered(inner))),
            Shape::Array { element, length } => Shape::Array { element: Box::new(self.numbered(element)), length: length.clone() },
            Shape::Function(result) => Shape::Function(Box::new(self.numbered(result))),
            shape => shape.clone(),
        }
    }
}

/// Whether the members of a structure lie apart, and are there.
fn is_followed(program: &Program, id: StructId) -> bool {
    let structure = program.structure(id);
    structure.union.is_none() && structure.members.as_ref().is_some_and(|members| !members.is_empty())
}

struct PointerValues<'a> {
    program: &'a Program,
    all: SortedSet<StructId>,
}

impl PointerValues<'_> {
    /// Pointers to structures that values of this shape hold.
    fn values(&mut self, shape: &Shape) {
        match shape {
            Shape::Array { element, .. } => self.values(element),
            Shape::Pointer(inner) => match &**inner {
                Shape::Struct(id) => {
                    self.all.insert(*id);
                }
                inner => self.values(inner),
            },
            _ => {}
        }
    }

    /// Pointers that are set to memory that a call gives, and freed.
    fn allocations(&mut self, stmt: &Stmt, result: &Shape) {
        match &stmt.kind {
            StmtKind::Return(Some(e)) if gives_memory(e) => self.values(result),
            StmtKind::Declare(_, list) => {
                for declarator in list {
                    if let Some(Init::Expr(e)) = &declarator.init
                        && gives_memory(e)
                    {
                        self.values(&self.program.decl(declarator.decl).shape);
                    }
                }
            }
            _ => {}
        }
        stmt.expressions(&mut |e| self.in_expression(e));
        stmt.children(&mut |child| self.allocations(child, result));
    }

    fn in_expression(&mut self, e: &Expr) {
        if let ExprKind::Assign { target, op: None, value, .. } = &e.kind
            && gives_memory(value)
            && let Some(shape) = shape_of(self.program, target)
        {
            self.values(&shape.clone());
        }
        if let Some(shape) = freed(self.program, e) {
            self.values(&shape);
        }
        e.kind.children(&mut |child| self.in_expression(child));
    }
}

/// The shape of the pointer to a structure that a call frees.
fn freed(program: &Program, e: &Expr) -> Option<Shape> {
    let ExprKind::Call(name, arguments) = &e.kind else { return None };
    let frees = (name.text == "free" || name.text == "realloc") && program.function(&name.text).is_none();
    let shape = shape_of(program, arguments.first().filter(|_| frees)?.unconverted())?;
    matches!(shape, Shape::Pointer(inner) if matches!(**inner, Shape::Struct(_))).then(|| shape.clone())
}

/// Whether a function, or one to which its calls lead, frees a structure.
pub(super) fn frees_structures(program: &Program, function: &Function) -> bool {
    fn inside(program: &Program, e: &Expr) -> bool {
        let mut found = freed(program, e).is_some();
        e.kind.children(&mut |child| found = found || inside(program, child));
        found
    }
    fn within(program: &Program, stmt: &Stmt) -> bool {
        let mut found = false;
        stmt.expressions(&mut |e| found = found || inside(program, e));
        stmt.children(&mut |child| found = found || within(program, child));
        found
    }
    reached(program, function).iter().any(|&at| program.functions[at].body.iter().any(|stmt| within(program, stmt)))
}

/// Whether an expression is a call of the system's `malloc` or `calloc`.
pub(super) fn gives_memory(e: &Expr) -> bool {
    match &e.unconverted().kind {
        ExprKind::Call(name, _) => name.text == "malloc" || name.text == "calloc",
        ExprKind::Assign { value, .. } => gives_memory(value),
        _ => false,
    }
}

/// Whether a call of this function may free memory.
pub(super) fn frees(program: &Program, name: &str) -> bool {
    let Some((_, function)) = program.function(name) else { return name == "free" || name == "realloc" };
    let mut found = false;
    for at in reached(program, function) {
        program.functions[at].body.iter().for_each(|stmt| each_call(stmt, &mut |name| found |= name == "free" || name == "realloc"));
    }
    found
}

/// The functions with a body to which calls from a function lead.
pub(super) fn reached(program: &Program, function: &Function) -> SortedSet<usize> {
    let mut open: Vec<usize> = program.function(&function.name.text).map(|(at, _)| at).into_iter().collect();
    let mut found: SortedSet<usize> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        program.functions[at].body.iter().for_each(|stmt| {
            each_call(stmt, &mut |name| {
                if let Some((called, _)) = program.function(name)
                    && found.insert(called)
                {
                    open.push(called);
                }
            });
        });
    }
    found
}

/// Visits the names of the functions that a statement calls.
pub(super) fn each_call<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(&'a str)) {
    fn inside<'a>(e: &'a Expr, visit: &mut dyn FnMut(&'a str)) {
        if let ExprKind::Call(name, _) = &e.kind {
            visit(&name.text);
        }
        e.kind.children(&mut |child| inside(child, visit));
    }
    stmt.expressions(&mut |e| inside(e, visit));
    stmt.children(&mut |child| each_call(child, visit));
}

/// Whether an object of a shape with numbers in place of pointers holds the number of a node.
pub(super) fn holds_node(program: &Program, shape: &Shape) -> bool {
    match shape {
        Shape::Scalar(ty) => *ty == crate::lang::types::Integer::Node,
        Shape::Array { element, .. } => holds_node(program, element),
        Shape::Struct(id) => program.structure(*id).members.iter().flatten().any(|member| holds_node(program, &member.shape)),
        _ => false,
    }
}

/// What has these members on the way; arrays count as their elements.
pub(super) fn shape_at<'a>(program: &'a Program, shape: &'a Shape, path: &[usize]) -> Option<&'a Shape> {
    part_at(program, shape, path).map(|(part, _)| part)
}

/// The same, with the last member on the way.
pub(super) fn part_at<'a>(program: &'a Program, mut shape: &'a Shape, path: &[usize]) -> Option<(&'a Shape, Option<&'a Member>)> {
    let (mut path, mut last) = (path.iter(), None);
    loop {
        match shape {
            Shape::Array { element, .. } => shape = element,
            Shape::Struct(id) => match path.next() {
                Some(&at) => {
                    let member = program.structure(*id).members.as_ref()?.get(at)?;
                    (shape, last) = (&member.shape, Some(member));
                }
                None => return Some((shape, last)),
            },
            shape => return Some((shape, last)),
        }
    }
}
