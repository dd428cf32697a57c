//! Which structures are nodes: the ones that pointers lead to that are members, elements, statics, or hold memory that a call gives; and which
//! functions lowering a function can meet.

use crate::lang::ast::{BinaryOp, Expr, ExprKind, Function, Init, Program, Shape, Stmt, StmtKind, StructId};
use crate::lang::flow::shape_of;
use crate::logic::SortedSet;

/// The structures whose objects are nodes, and the functions that matter.
pub(super) struct NodeStructures {
    pub all: SortedSet<StructId>,
    /// The numbers of the functions that calls from the analysed one lead to, and its own.
    pub reached: SortedSet<usize>,
}

impl NodeStructures {
    /// The ones of a program for one of its functions; `None` where there is none.
    pub fn of(program: &Program, function: &Function) -> Option<NodeStructures> {
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
        let all: SortedSet<StructId> = found.all.into_iter().filter(|id| is_followed(program, *id)).collect();
        (!all.is_empty()).then_some(NodeStructures { all, reached })
    }

    /// The structure to which a pointer of this shape leads, where its objects are nodes.
    pub fn pointed(&self, shape: &Shape) -> Option<StructId> {
        match shape {
            Shape::Pointer(inner) => match **inner {
                Shape::Struct(id) if self.all.contains(&id) => Some(id),
                _ => None,
            },
            _ => None,
        }
    }

    /// The structure of the node to which an expression points.
    pub fn of_value(&self, program: &Program, e: &Expr) -> Option<StructId> {
        match &e.kind {
            ExprKind::AddressOf(inner) => match shape_of(program, inner)? {
                Shape::Struct(id) if self.all.contains(id) => Some(*id),
                _ => None,
            },
            ExprKind::Conditional(_, a, b) => self.of_value(program, a).or_else(|| self.of_value(program, b)),
            ExprKind::Comma(_, last) => self.of_value(program, last),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => self.of_value(program, a).or_else(|| self.of_value(program, b)),
            ExprKind::Binary(..) => None,
            _ => self.pointed(shape_of(program, e)?),
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

    /// Pointers that are set to memory that a call gives.
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
        e.kind.children(&mut |child| self.in_expression(child));
    }
}

/// Whether an expression is a call of the system's `malloc` or `calloc`.
pub(super) fn gives_memory(e: &Expr) -> bool {
    match &e.unconverted().kind {
        ExprKind::Call(name, _) => name.text == "malloc" || name.text == "calloc",
        ExprKind::Assign { value, .. } => gives_memory(value),
        _ => false,
    }
}

/// The functions with a body to which calls from a function lead.
fn reached(program: &Program, function: &Function) -> SortedSet<usize> {
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
