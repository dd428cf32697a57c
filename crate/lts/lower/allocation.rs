//! Memory that a call of `malloc` or its like gives a pointer that nothing else sets: an array of its own, whose length is computed. Whether
//! there is any is drawn once, at the call, and kept in a variable.

use super::Lowerer;
use super::expression::Effects;
use super::given::nowhere_if;
use super::graph::{NOWHERE, Node};
use super::object::{Leaf, Part, Pointee, Root};
use crate::lang::ast::{BinaryOp, Declarator, Expr as Tree, ExprKind, Length, Shape, Stmt, StmtKind};
use crate::lang::intrinsic::{DUPLICATE, Intrinsic};
use crate::lang::types::Integer;
use crate::logic::{Int, IntRange};
use crate::lts::{Expr, Label, Origin, ValueMeaning, VariableId};

/// A call that asks for memory.
#[derive(Clone)]
pub(super) struct Allocation<'a> {
    /// The number of bytes, as a product.
    bytes: Vec<&'a Tree>,
    /// Whether all bytes are zero at first (7.22.3.2).
    zero: bool,
    /// The array.
    part: Part,
    /// The bytes of an element.
    size: i64,
    /// How many elements there is room for.
    count: VariableId,
    /// 1 where the call gives a null pointer.
    null: VariableId,
}

impl<'a> Lowerer<'a> {
    /// What a call of `malloc` or its like asks for: factors of the number of bytes, and whether they are zero at first.
    fn asked_memory(&self, e: &'a Tree) -> Option<(Vec<&'a Tree>, bool)> {
        let ExprKind::Call(name, arguments) = &e.unconverted().kind else { return None };
        if self.intrinsic(name) != Some(Intrinsic::Address) {
            return None;
        }
        match (name.text.as_str(), &arguments[..]) {
            ("malloc" | DUPLICATE, [bytes]) => Some((vec![bytes], false)),
            ("calloc", [number, bytes]) => Some((vec![number, bytes], true)),
            // Of a null pointer it is `malloc` (7.22.3.5p3).
            ("realloc", [old, bytes]) if super::texts::is_null(old) => Some((vec![bytes], false)),
            _ => None,
        }
    }

    /// Makes the array and the variables of a pointer that is set to memory; false where it is set to something else.
    pub(super) fn bind_allocation(&mut self, declarator: &'a Declarator, inner: &Shape, e: &'a Tree) -> bool {
        let Some((bytes, zero)) = self.asked_memory(e) else { return false };
        let Some(size) = self.size_of(inner) else { return true };
        let decl = self.program.decl(declarator.decl);
        let root = self.root(declarator.decl);
        let shape = Shape::Array { element: Box::new(inner.clone()), length: Length::Unknown };
        let part = Part { nullable: true, ..self.temporary_object(decl.name.clone(), shape, decl.span) };
        let count = self.variable(format!("{}.length", decl.name), Origin::Inlined, decl.span, Integer::LongLong);
        let flags = IntRange { least: 0, greatest: 1 };
        let null = self.typed_variable(format!("{}.null", decl.name), Origin::Inlined, decl.span, None, Some(flags));
        self.variables[null.0 as usize].values = ValueMeaning::Null;
        self.computed_lengths.insert(part.root.clone(), vec![Some(Expr::Var(count))]);
        self.allocations.insert(root.clone(), Allocation { bytes, zero, part: part.clone(), size, count, null });
        self.pointees.insert(root, Pointee::Element(part, nowhere_if(null)));
        true
    }

    /// Whether what is lowered now may be executed several times.
    fn may_repeat(&self) -> bool {
        let Some((inner, outer)) = self.frames.split_last() else { return true };
        !inner.loops.is_empty() || !inner.labels.is_empty() || outer.iter().any(|frame| repeats(&frame.function.body))
    }

    /// The edges of the call; `None` where the pointer is set to something else.
    pub(super) fn allocate(&mut self, root: &Root, declarator: &'a Declarator, mut next: Node) -> Option<Node> {
        let Allocation { bytes, zero, part, size, count, null } = self.allocations.get(root).cloned()?;
        let span = declarator.span;
        let (Leaf::Array(array), Root::Temporary(_)) = (self.leaf(&part.root, &part.path), &part.root) else {
            self.unknown_pointer_at(&self.program.decl(declarator.decl).name.clone(), span);
            return Some(NOWHERE);
        };
        // Arbitrary contents are there at the entry; what is done once only needs no more.
        if zero {
            next = self.graph.operation(Label::Fill(array, Vec::new()), span, next);
        } else if self.may_repeat() {
            next = self.graph.operation(Label::HavocArray(array), span, next);
        }
        // Every use of the pointer stands behind the declaration, so the edges of all uses are there.
        if self.graph.any_value(&|value| value.reads(null)) {
            next = self.graph.operation(Label::Havoc(null), span, next);
        } else {
            self.variables[null.0 as usize].initial = Some(Int::ZERO);
        }
        // As many elements as there is room for.
        let mut effects = Effects::default();
        let factors: Vec<Expr> = bytes.into_iter().map(|factor| self.value(factor, &mut effects)).collect();
        let product = factors.into_iter().reduce(|a, b| self.arithmetic(BinaryOp::Mul, Integer::UnsignedLongLong, a, b))?;
        let room = self.arithmetic(BinaryOp::Div, Integer::UnsignedLongLong, product, Expr::Int(Int::from(size)));
        let room = self.converted(Integer::UnsignedLongLong, Integer::LongLong, room);
        let after = self.run_steps(effects.after, next);
        let set = self.graph.operation(Label::Assign(count, room), span, after);
        Some(self.run_steps(effects.before, set))
    }
}

/// Whether there is a loop among statements, or a jump that may make one.
fn repeats(body: &[Stmt]) -> bool {
    let mut open: Vec<&Stmt> = body.iter().collect();
    while let Some(stmt) = open.pop() {
        if matches!(stmt.kind, StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } | StmtKind::Goto(_)) {
            return true;
        }
        stmt.children(&mut |child| open.push(child));
    }
    false
}
