//! Arrays of which lengths are computed: where they are declared, or, of a parameter's rows, where the function is called.
//!
//! Such a length is a variable that nothing changes but the declaration. Where the text names an array, each index must lie in its own
//! row; a pointer to an element may lead through the whole array, as in `int *p = &a[0][0]; p[i * n + j]`.

use super::Lowerer;
use super::expression::{Effects, Step, has_nondet};
use super::given::followed_by;
use super::graph::Node;
use super::object::{Part, Pointee, Root, add, times};
use crate::lang::ast::{DeclId, Declarator, Expr as Tree, ExprKind, Function, Length, Parameter, Shape};
use crate::lang::types::Integer;
use crate::logic::{Int, IntRange};
use crate::lts::{BinaryOp, CompareOp, Expr, Label, Origin, Requirement};
use crate::source::Span;

/// A product in which the second factor is a length.
pub(super) fn product(a: Expr, length: &Expr) -> Expr {
    match (&a, length) {
        (_, Expr::Int(length)) => times(a, length),
        (Expr::Int(value), _) if value.is_zero() => a,
        (Expr::Int(value), _) if value.is_one() => length.clone(),
        _ => Expr::Binary(BinaryOp::Mul, Box::new(a), Box::new(length.clone())),
    }
}

/// An index where a place is below a length, and not below 0.
fn within(index: &Expr, place: &Expr, length: &Expr) -> Expr {
    not_negative(Requirement::Index, place, below(index, place, length))
}

/// An index where a place is below a length.
pub(super) fn below(index: &Expr, place: &Expr, length: &Expr) -> Expr {
    Expr::Guarded(Requirement::Index, Box::new(compare(CompareOp::Lt, place, length)), Box::new(index.clone()))
}

/// An index where a place is not below 0, which is otherwise undefined for this reason.
pub(super) fn not_negative(requirement: Requirement, place: &Expr, inside: Expr) -> Expr {
    match place {
        Expr::Int(value) if !value.is_negative() => inside,
        _ => Expr::Guarded(requirement, Box::new(compare(CompareOp::Ge, place, &Expr::Int(Int::ZERO))), Box::new(inside)),
    }
}

fn compare(op: CompareOp, a: &Expr, b: &Expr) -> Expr {
    Expr::Compare(op, Box::new(a.clone()), Box::new(b.clone()))
}

/// An index behind others: within its row, or else within the whole array. `None` where that length is not known.
fn in_row(lengths: &[Option<Expr>], indices: &[(Expr, Option<Int>)], index: Expr, row: bool) -> Option<Expr> {
    let length = lengths.get(indices.len())?.as_ref()?;
    if row {
        return Some(within(&index, &index, length));
    }
    let mut place = Expr::Int(Int::ZERO);
    for ((outer, _), length) in indices.iter().zip(lengths) {
        // Behind no index at all the length counts nothing.
        place = match length {
            Some(length) => product(place, length),
            None => place,
        };
        place = add(place, outer.clone());
    }
    place = add(product(place, length), index.clone());
    let whole = lengths[..=indices.len()].iter().try_fold(Expr::Int(Int::ONE), |whole, length| Some(product(whole, length.as_ref()?)));
    Some(match whole {
        Some(whole) => within(&index, &place, &whole),
        None => not_negative(Requirement::Index, &place, index),
    })
}

impl<'a> Lowerer<'a> {
    /// Whether an expression names an array, not a pointer.
    pub(super) fn is_row(&self, e: &Tree) -> bool {
        let place = matches!(e.kind, ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Deref(_) | ExprKind::Member(..));
        place && matches!(super::flow::shape_of(self.program, e), Some(Shape::Array { .. }))
    }

    /// An index into a part of this length, within the lengths that are computed; `None` where one is not known.
    pub(super) fn index_inside(&mut self, part: &mut Part, length: &Length, index: Expr, row: bool) -> Option<Expr> {
        if let Some(inside) = self.in_block(part, &index) {
            return Some(inside);
        }
        Some(match self.computed_lengths.get(&part.root) {
            Some(lengths) if part.indices.is_empty() => match lengths.first() {
                // There is a first row, since no length is less than one.
                Some(Some(_)) if lengths.len() > 1 && index == Expr::Int(Int::ZERO) => index,
                Some(Some(count)) => {
                    part.nullable = false;
                    followed_by(&index, |index| within(&index, &index, count))
                }
                _ => index,
            },
            Some(lengths) if *length == Length::Variable => in_row(lengths, &part.indices, index, row)?,
            _ => index,
        })
    }

    /// An index that is the same wherever it is used: its bounds are checked before it is.
    pub(super) fn drawn_once(&mut self, pointee: &Pointee, index: Expr, span: Span, effects: &mut Effects<'a>) -> Expr {
        let root = &pointee.part().root;
        if !has_nondet(&index) || !self.computed_lengths.contains_key(root) && self.block_root(root).is_none() {
            return index;
        }
        let t = self.temporary(span, Integer::LongLong);
        effects.before.push(Step::Set(t.clone(), index, span));
        t.read()
    }

    /// Makes the variables of an object's lengths.
    pub(super) fn make_lengths(&mut self, root: Root, shape: &Shape) {
        let (name, _, span) = self.name_and_origin(&root);
        let last = shape.lengths().enumerate().filter(|(_, length)| **length == Length::Variable).map(|(level, _)| level).last();
        let computed = last.map_or(0, |last| last + 1);
        let lengths = shape.lengths().take(computed).enumerate().map(|(level, length)| match length {
            Length::Fixed(length) => Some(Expr::Int(length.clone())),
            Length::Variable => {
                let name = format!("{name}{}.length", "[]".repeat(level));
                Some(Expr::Var(self.variable(name, Origin::Inlined, span, Integer::LongLong)))
            }
            Length::Unknown => None,
        });
        let lengths = lengths.collect();
        self.computed_lengths.insert(root, lengths);
    }

    /// As [`Lowerer::make_lengths`], of a parameter of the function itself.
    pub(super) fn make_own_lengths(&mut self, decl: DeclId) {
        let root = self.root(decl);
        let shape = self.root_shape(&root);
        if shape.is_computed() {
            self.make_lengths(root, &shape);
        }
    }

    /// The edges that compute the lengths of a declared array: they must be positive, and accesses are checked against them.
    pub(super) fn declared_lengths(&mut self, declarator: &'a Declarator, mut next: Node) -> Node {
        let root = self.root(declarator.decl);
        let Some(lengths) = self.computed_lengths.get(&root).cloned() else { return next };
        let written: Vec<Option<&'a Tree>> = declarator.ty.lengths().collect();
        for (length, written) in lengths.iter().zip(written).rev() {
            if let (Some(Expr::Var(_)), Some(written)) = (length, written) {
                next = self.set_length(length.as_ref(), written, declarator.span, next);
            }
        }
        next
    }

    fn set_length(&mut self, length: Option<&Expr>, written: &'a Tree, span: Span, next: Node) -> Node {
        let Some(&Expr::Var(variable)) = length else { return next };
        let mut effects = Effects::default();
        let value = self.value(written, &mut effects);
        let positive = IntRange { least: 1, greatest: i128::from(i64::MAX) };
        let value = Expr::Within(Requirement::Length, positive, Box::new(value));
        let after = self.run_steps(effects.after, next);
        let set = self.graph.operation(Label::Assign(variable, value), span, after);
        self.run_steps(effects.before, set)
    }

    /// The edges that compute the lengths of rows of the function's own parameters.
    pub(super) fn own_row_lengths(&mut self, mut next: Node) -> Node {
        let function = self.frames[0].function;
        for parameter in function.parameters.iter().rev() {
            let root = self.root(parameter.decl);
            let Some(lengths) = self.computed_lengths.get(&root).cloned() else { continue };
            let written: Vec<Option<&'a Tree>> = parameter.ty.lengths().collect();
            for (length, written) in lengths.iter().zip(written).rev() {
                if let Some(written) = written {
                    next = self.set_length(length.as_ref(), written, parameter.name.span, next);
                }
            }
        }
        next
    }

    /// The edges behind a call's arguments that compare the lengths of rows with those of what is passed: they must be the same (6.7.6.2p6).
    /// The current frame is the callee's.
    pub(super) fn passed_row_lengths(&mut self, function: &'a Function, mut next: Node) -> Node {
        for parameter in function.parameters.iter().rev() {
            if matches!(&self.program.decl(parameter.decl).shape, Shape::Pointer(inner) if inner.is_computed()) {
                next = self.compared_rows(parameter, next);
            }
        }
        next
    }

    fn compared_rows(&mut self, parameter: &'a Parameter, mut next: Node) -> Node {
        let root = self.root(parameter.decl);
        // What is not known is refused where it is used.
        let Some(Pointee::Element(array, _)) = self.pointees.get(&root).cloned() else { return next };
        let outer = array.indices.len();
        let lengths = self.computed_lengths.get(&array.root).cloned().unwrap_or_default();
        let (name, _, span) = self.name_and_origin(&root);
        let passed: Vec<Option<Expr>> = array
            .shape
            .lengths()
            .enumerate()
            .map(|(level, length)| match length {
                Length::Fixed(length) => Some(Expr::Int(length.clone())),
                _ => lengths.get(outer + level).cloned().flatten(),
            })
            .collect();
        for (level, (written, passed)) in parameter.ty.lengths().zip(passed).enumerate().skip(1) {
            let (Some(written), Some(passed)) = (written, passed) else { continue };
            let mut effects = Effects::default();
            let value = self.value(written, &mut effects);
            if value == passed {
                continue;
            }
            let same = compare(CompareOp::Eq, &value, &passed);
            let checked = Expr::Guarded(Requirement::Rows, Box::new(same), Box::new(value));
            let length = self.variable(format!("{name}{}.length", "[]".repeat(level)), Origin::Inlined, span, Integer::LongLong);
            let after = self.run_steps(effects.after, next);
            let set = self.graph.operation(Label::Assign(length, checked), parameter.name.span, after);
            next = self.run_steps(effects.before, set);
        }
        next
    }
}
