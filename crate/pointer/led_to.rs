//! Where the pointers that expressions give lead, and which objects hold the address of a variable: questions to the facts of a program.

use super::{AbstractObject, PointerFacts};
use crate::lang::ast::{DeclId, Expr, ExprKind, Name, Program, Shape};
use crate::lang::flow::shape_of;
use crate::logic::SortedSet;

/// Where a pointer leads: numbers of parts of objects, which only comparisons and [`PointerFacts::objects_of`] give a meaning.
pub type LedTo = SortedSet<u32>;

impl PointerFacts<'_> {
    /// The parts of objects to which the pointer that an expression gives may lead, or an array that it is; all elements of an array are one
    /// part. Where that is memory that this expression allocates, or a string in its place, there are none.
    pub fn led_to(&self, program: &Program, e: &Expr) -> LedTo {
        match &e.kind {
            ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Deref(_) => {
                let parts = self.named_by(program, e);
                if matches!(shape_of(program, e), Some(Shape::Array { .. })) { parts } else { self.held_in(&parts) }
            }
            ExprKind::AddressOf(inner) => self.named_by(program, inner),
            ExprKind::Binary(_, a, b) | ExprKind::Conditional(_, a, b) => {
                let mut all = self.led_to(program, a);
                all.extend(self.led_to(program, b));
                all
            }
            ExprKind::Comma(_, inner) | ExprKind::Cast(_, inner) | ExprKind::Convert(inner) => self.led_to(program, inner),
            ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } => self.led_to(program, target),
            ExprKind::Call(name, _) => match program.function(&name.text) {
                Some((number, _)) => self.held_in(&self.parts_of(AbstractObject::Result(number))),
                None => LedTo::new(),
            },
            _ => LedTo::new(),
        }
    }

    /// The parts of objects that an lvalue may name.
    pub fn named_by(&self, program: &Program, lvalue: &Expr) -> LedTo {
        match &lvalue.kind {
            ExprKind::Name(Name { decl: Some(decl), .. }) => self.built.cells(*decl).collect(),
            ExprKind::Member(base, _, member) => {
                let table = &self.built.graph.table;
                self.named_by(program, base).into_iter().map(|cell| table.member(cell, *member)).collect()
            }
            ExprKind::Index(base, _) | ExprKind::Deref(base) => self.led_to(program, base),
            ExprKind::Convert(inner) | ExprKind::Cast(_, inner) => self.named_by(program, inner),
            _ => LedTo::new(),
        }
    }

    /// The objects of these parts.
    pub fn objects_of(&self, parts: &LedTo) -> SortedSet<AbstractObject> {
        let table = &self.built.graph.table;
        parts.iter().map(|&cell| table.what(table.object_of(cell))).collect()
    }

    /// The objects that may hold the address of a variable, or of a part of it.
    pub fn holders(&self, decl: DeclId) -> SortedSet<AbstractObject> {
        let table = &self.built.graph.table;
        let own: LedTo = self.built.cells(decl).flat_map(|cell| table.cells_of(table.object_of(cell))).collect();
        let holds = |number: u32| table.cells_of(number).any(|cell| self.built.graph.held(cell).iter().any(|held| own.contains(held)));
        table.objects().zip(0..).filter(|(_, number)| holds(*number)).map(|(what, _)| what).collect()
    }

    fn held_in(&self, parts: &LedTo) -> LedTo {
        parts.iter().flat_map(|&cell| self.built.graph.held(cell)).copied().collect()
    }

    fn parts_of(&self, object: AbstractObject) -> LedTo {
        let table = &self.built.graph.table;
        table.objects().zip(0..).filter(|(what, _)| *what == object).flat_map(|(_, number)| table.cells_of(number)).collect()
    }
}
