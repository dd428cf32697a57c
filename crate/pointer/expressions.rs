//! Expressions: which addresses they give, what they read, write and call.

use super::accesses::{Lvalue, PointerValue, PointerValueKind};
use super::build::{ANY_ADDRESS, Address, FactBuilder};
use super::calls::one_of;
use super::cells::{AccessShape, OUTSIDE};
use super::constraints::PointerConstraint;
use crate::lang::ast::{BinaryOp, Expr, ExprKind, Name, Shape, Type, UnaryOp};
use crate::lang::flow::shape_of;
use crate::lang::types::Integer;

impl<'a> FactBuilder<'a> {
    /// The value of an expression. `expected` is what a pointer that gets the value points to.
    pub(super) fn value(&mut self, e: &'a Expr, expected: Option<&'a Shape>) -> PointerValue<'a> {
        match &e.kind {
            ExprKind::Int(value) if value.is_zero() => PointerValue { node: None, kind: PointerValueKind::Null },
            ExprKind::Int(value) => match self.function_at(value).filter(|_| e.ty == self.program.abi.address()) {
                Some(cell) => PointerValue::pointer(self.holding(cell), None),
                None => PointerValue::NUMBER,
            },
            // A stream of C's library.
            ExprKind::Name(Name { decl: None, .. }) => PointerValue::pointer(ANY_ADDRESS, None),
            ExprKind::Str(_) | ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) => {
                let lvalue = self.lvalue(e);
                self.read(lvalue)
            }
            ExprKind::AddressOf(inner) => {
                let lvalue = self.lvalue(inner);
                PointerValue::pointer(self.address(lvalue), lvalue.shape)
            }
            ExprKind::Unary(op, inner) => {
                let value = self.value(inner, None);
                if *op != UnaryOp::Not {
                    self.publish(value);
                }
                PointerValue::NUMBER
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.value(a, None);
                self.value(b, None);
                PointerValue::NUMBER
            }
            ExprKind::Conditional(condition, a, b) => self.conditional(condition, a, b, expected),
            ExprKind::Comma(a, b) => match (one_of(a), &b.kind) {
                (Some((callee, [number])), ExprKind::Call(..)) => {
                    let callee = self.value(callee, None);
                    self.choice(callee, number, b)
                }
                _ => {
                    self.value(a, None);
                    self.value(b, expected)
                }
            },
            ExprKind::Assign { target, op, value, .. } => {
                let lvalue = self.lvalue(target);
                let mut value = self.value(value, lvalue.pointee());
                if op.is_some() {
                    let before = self.read(lvalue);
                    value = self.moved(before);
                }
                self.note_write(lvalue);
                self.put(lvalue, value);
                if lvalue.pointee().is_some() { self.read(lvalue) } else { value }
            }
            ExprKind::Step { target, .. } => {
                let lvalue = self.lvalue(target);
                let before = self.read(lvalue);
                let value = self.moved(before);
                self.note_write(lvalue);
                self.put(lvalue, value);
                value
            }
            ExprKind::Call(name, arguments) => self.call(e, name, arguments, expected),
            ExprKind::Cast(Type::Void, inner) => {
                self.value(inner, None);
                PointerValue::NUMBER
            }
            ExprKind::Convert(inner) | ExprKind::Cast(_, inner) => match self.value(inner, expected) {
                value if !value.is_pointer() => value,
                // A pointer is seen as one to another type.
                value if e.ty == self.program.abi.address() => PointerValue { kind: PointerValueKind::Pointer(None), ..value },
                value => {
                    if e.ty != Integer::Bool {
                        self.publish(value);
                    }
                    PointerValue::NUMBER
                }
            },
            ExprKind::SizeofType(_) | ExprKind::SizeofExpr(_) => PointerValue::NUMBER,
            ExprKind::CallAt(..) | ExprKind::Sugar(_) | ExprKind::Error => PointerValue::pointer(ANY_ADDRESS, None),
        }
    }

    fn lvalue(&mut self, e: &'a Expr) -> Lvalue<'a> {
        match &e.kind {
            ExprKind::Name(Name { decl: Some(decl), .. }) => {
                self.named[decl.0 as usize] = true;
                Lvalue { address: Address::Of(self.variable(*decl)), shape: Some(&self.program.decl(*decl).shape) }
            }
            ExprKind::Str(bytes) => {
                let address = Address::Of(self.text(bytes));
                Lvalue { address, shape: Some(super::build::CHARACTER) }
            }
            ExprKind::Index(base, index) => {
                let array = self.value(base, None);
                self.value(index, None);
                let moved = self.moved(array);
                self.pointed(moved)
            }
            ExprKind::Deref(base) => {
                let pointer = self.value(base, None);
                self.pointed(pointer)
            }
            ExprKind::Member(base, _, member) => {
                let structure = self.lvalue(base);
                self.member(structure, *member)
            }
            // A structure that an expression gives.
            _ => {
                let shape = self.structure_of(e);
                match self.value(e, None) {
                    PointerValue { kind: PointerValueKind::Structure, node: Some(node) } => Lvalue { address: Address::In(node), shape },
                    value => {
                        self.publish(value);
                        Lvalue { address: Address::In(ANY_ADDRESS), shape }
                    }
                }
            }
        }
    }

    /// The shape of a structure that is the value of an expression other than an lvalue.
    fn structure_of(&self, e: &'a Expr) -> Option<&'a Shape> {
        match &e.kind {
            ExprKind::Call(name, _) => Some(&self.program.functions[*self.functions.get(name.text.as_str())?].result),
            ExprKind::Assign { target: inner, .. } | ExprKind::Comma(_, inner) | ExprKind::Conditional(_, inner, _) => {
                shape_of(self.program, inner).or_else(|| self.structure_of(inner))
            }
            _ => None,
        }
    }

    /// What a pointer points to.
    pub(super) fn pointed(&mut self, pointer: PointerValue<'a>) -> Lvalue<'a> {
        let shape = if let PointerValueKind::Pointer(to) = pointer.kind { to } else { None };
        let node = match (pointer.kind, pointer.node) {
            (_, Some(node)) => node,
            (PointerValueKind::Null, None) => self.graph.node(),
            _ => ANY_ADDRESS,
        };
        Lvalue { address: Address::In(node), shape }
    }

    /// A pointer after arithmetic.
    fn moved(&mut self, value: PointerValue<'a>) -> PointerValue<'a> {
        let (PointerValueKind::Pointer(to), Some(node)) = (value.kind, value.node) else { return PointerValue::NUMBER };
        let moved = self.graph.node();
        self.graph.attach(node, PointerConstraint::Move(moved, AccessShape::of(self.program, to)));
        PointerValue::pointer(moved, to)
    }

    /// A node that holds the address of a cell.
    pub(super) fn holding(&mut self, cell: u32) -> u32 {
        let node = self.graph.node();
        self.graph.add(node, cell);
        node
    }

    fn binary(&mut self, op: BinaryOp, a: &'a Expr, b: &'a Expr) -> PointerValue<'a> {
        let (left, right) = (self.value(a, None), self.value(b, None));
        match (op, left.is_pointer(), right.is_pointer()) {
            (BinaryOp::Add | BinaryOp::Sub, true, false) => return self.moved(left),
            (BinaryOp::Add, false, true) => return self.moved(right),
            (BinaryOp::Sub, true, true) => {}
            _ if op.compares() && (left.is_pointer() == right.is_pointer()) => {}
            _ if op.compares() && [left, right].iter().any(|side| matches!(side.kind, PointerValueKind::Null)) => {}
            // The address is a number here.
            _ => {
                self.publish(left);
                self.publish(right);
            }
        }
        PointerValue::NUMBER
    }

    /// One of some values.
    pub(super) fn either(&mut self, values: Vec<PointerValue<'a>>) -> PointerValue<'a> {
        let is_structure = |value: &PointerValue<'a>| matches!(value.kind, PointerValueKind::Structure);
        if values.iter().any(is_structure) && !values.iter().all(is_structure) {
            values.into_iter().for_each(|value| self.publish(value));
            return PointerValue::pointer(ANY_ADDRESS, None);
        }
        let Some(kind) =
            values.iter().map(|value| value.kind).find(|kind| !matches!(kind, PointerValueKind::Null | PointerValueKind::Number))
        else {
            return values.last().copied().unwrap_or(PointerValue::NUMBER);
        };
        let node = self.graph.node();
        for value in &values {
            match (value.kind, value.node) {
                (_, Some(from)) => self.graph.edge(from, node),
                (PointerValueKind::Number, None) => self.graph.edge(OUTSIDE, node),
                _ => {}
            }
        }
        let shape = |value: &PointerValue<'a>| if let PointerValueKind::Pointer(to) = value.kind { Some(to) } else { None };
        let mut shapes = values.iter().filter_map(shape);
        let first = shapes.next();
        let kind = if shapes.all(|other| Some(other) == first) { kind } else { PointerValueKind::Pointer(None) };
        PointerValue { node: Some(node), kind }
    }
}
