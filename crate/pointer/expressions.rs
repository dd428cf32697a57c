//! Expressions: which addresses they give, what they read, write and call.

use super::accesses::{Lvalue, PointerValue, PointerValueKind};
use super::build::{ANY_ADDRESS, Address, FactBuilder, GuardedCall};
use super::cells::{AbstractObject, AccessShape, OUTSIDE};
use super::constraints::PointerConstraint;
use crate::lang::ast::{BinaryOp, Expr, ExprKind, Name, Shape, Type, UnaryOp};
use crate::lang::flow::shape_of;
use crate::lang::intrinsic::{self, FROM_OUTSIDE, Intrinsic, ONE_OF_FUNCTIONS};
use crate::lang::types::{ADDRESS, Integer};
use crate::logic::Int;

impl<'a> FactBuilder<'a> {
    /// The value of an expression. `expected` is what a pointer that gets the value points to.
    pub(super) fn value(&mut self, e: &'a Expr, expected: Option<&'a Shape>) -> PointerValue<'a> {
        match &e.kind {
            ExprKind::Int(value) if value.is_zero() => PointerValue { node: None, kind: PointerValueKind::Null },
            ExprKind::Int(value) => match self.function_at(value).filter(|_| e.ty == ADDRESS) {
                Some(cell) => PointerValue::pointer(self.holding(cell), None),
                None => PointerValue::NUMBER,
            },
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
                value if e.ty == ADDRESS => PointerValue { kind: PointerValueKind::Pointer(None), ..value },
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
    fn pointed(&mut self, pointer: PointerValue<'a>) -> Lvalue<'a> {
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
        self.graph.attach(node, PointerConstraint::Move(moved, AccessShape::of(to)));
        PointerValue::pointer(moved, to)
    }

    /// A node that holds the address of a cell.
    fn holding(&mut self, cell: u32) -> u32 {
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

    fn conditional(&mut self, condition: &'a Expr, a: &'a Expr, b: &'a Expr, expected: Option<&'a Shape>) -> PointerValue<'a> {
        // A call by a pointer: each function is called where the pointer is to it, the last one where it is to none of the others.
        let (mut compared, mut first, mut rest) = (condition, a, b);
        let mut values = Vec::new();
        while let ExprKind::Binary(BinaryOp::Eq, pointer, number) = &compared.kind
            && let (ExprKind::Int(_), ExprKind::Call(..)) = (&number.kind, &first.kind)
            && let Some((callee, numbers)) = self.called_pointer(pointer)
        {
            let callee = self.value(callee, None);
            values.push(self.choice(callee, number, first));
            match &rest.kind {
                ExprKind::Conditional(c, a, b) => (compared, first, rest) = (c, a, b),
                _ => {
                    values.push(match numbers.and_then(<[Expr]>::last) {
                        Some(number) => self.choice(callee, number, rest),
                        None => self.value(rest, expected),
                    });
                    return self.either(values);
                }
            }
        }
        self.value(compared, None);
        values.push(self.value(first, expected));
        values.push(self.value(rest, expected));
        self.either(values)
    }

    /// The pointer to a function that a comparison is about, with the numbers of all functions that it may be to, where they are given.
    fn called_pointer(&self, pointer: &'a Expr) -> Option<(&'a Expr, Option<&'a [Expr]>)> {
        if let Some((callee, numbers)) = one_of(pointer) {
            return Some((callee, Some(numbers)));
        }
        let is_function = |shape: &Shape| matches!(shape, Shape::Pointer(inner) if matches!(**inner, Shape::Function(_)));
        shape_of(self.program, pointer).is_some_and(is_function).then_some((pointer, None))
    }

    /// One of some values.
    fn either(&mut self, values: Vec<PointerValue<'a>>) -> PointerValue<'a> {
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

    /// A call that is made where a pointer is to the function with this number.
    fn choice(&mut self, callee: PointerValue<'a>, number: &'a Expr, call: &'a Expr) -> PointerValue<'a> {
        self.names(call);
        let number = if let ExprKind::Int(number) = &number.kind { number.clone() } else { Int::ZERO };
        let (Some(pointer), Some(cell)) = (callee.node, self.function_at(&number)) else { return self.value(call, None) };
        let result = self.graph.node();
        self.choices.push(GuardedCall { call, at: self.at, result, is_taken: false });
        self.graph.attach(pointer, PointerConstraint::Guard(cell, self.choices.len() - 1));
        match shape_of(self.program, call) {
            Some(Shape::Struct(_)) => PointerValue { node: Some(result), kind: PointerValueKind::Structure },
            Some(Shape::Pointer(to)) => PointerValue::pointer(result, Some(to)),
            Some(Shape::Scalar(_) | Shape::Void) => PointerValue::NUMBER,
            _ => PointerValue::pointer(result, None),
        }
    }

    fn call(&mut self, e: &'a Expr, name: &'a Name, arguments: &'a [Expr], expected: Option<&'a Shape>) -> PointerValue<'a> {
        if intrinsic::is_own(&name.text) {
            let values: Vec<_> = arguments.iter().map(|argument| self.value(argument, None)).collect();
            let is_first = [ONE_OF_FUNCTIONS, FROM_OUTSIDE].contains(&name.text.as_str());
            return values.first().copied().filter(|_| is_first).unwrap_or(PointerValue::NUMBER);
        }
        if let Some(&function) = self.functions.get(name.text.as_str()) {
            return self.call_of(function, arguments);
        }
        let parameters: Vec<PointerValue<'a>> = arguments.iter().map(|argument| self.value(argument, None)).collect();
        let pointers: Vec<Lvalue<'a>> = parameters.iter().filter(|value| value.is_pointer()).map(|&value| self.pointed(value)).collect();
        match intrinsic::find(&name.text) {
            Some(Intrinsic::Address) => {
                let object = AbstractObject::Allocated(e.span.start);
                let (program, shape) = (self.program, expected.filter(|shape| !matches!(shape, Shape::Void)));
                let cell = self.graph.object(program, object, shape);
                // What is reallocated keeps its contents, and perhaps its address.
                let memory = self.holding(cell);
                for old in pointers {
                    let old = self.address(old);
                    self.copy_bytes(memory, old);
                    self.graph.edge(old, memory);
                }
                PointerValue::pointer(memory, expected)
            }
            Some(Intrinsic::CopyObject | Intrinsic::SetObject) => {
                let Some((&to, from)) = pointers.split_first() else { return PointerValue::NUMBER };
                self.note_write(to);
                match from {
                    [from] if to.shape == from.shape => {
                        self.note_read(*from);
                        let (to, from) = (to.element(), from.element());
                        let value = self.read(from);
                        self.put(to, value);
                    }
                    [from] => {
                        self.note_read(*from);
                        let (to, from) = (self.address(to), self.address(*from));
                        self.copy_bytes(to, from);
                    }
                    _ if matches!(parameters.get(1).map(|value| value.kind), Some(PointerValueKind::Null)) => {}
                    _ => {
                        let to = self.address(to);
                        self.graph.attach(to, PointerConstraint::Store(Some(ANY_ADDRESS), AccessShape::Bytes));
                    }
                }
                PointerValue::NUMBER
            }
            Some(Intrinsic::Scan) => {
                pointers.into_iter().for_each(|to| self.note_write(to));
                PointerValue::NUMBER
            }
            Some(_) => {
                pointers.into_iter().for_each(|from| self.note_read(from));
                PointerValue::NUMBER
            }
            None if intrinsic::only_draws(&name.text, arguments.len()) => PointerValue::pointer(ANY_ADDRESS, None),
            None => {
                parameters.into_iter().for_each(|value| self.publish(value));
                self.instances[self.at].calls_outside = true;
                PointerValue::pointer(ANY_ADDRESS, None)
            }
        }
    }

    /// A call of a function with a body.
    fn call_of(&mut self, function: usize, arguments: &'a [Expr]) -> PointerValue<'a> {
        let (program, caller) = (self.program, self.at);
        let origin = self.instances[caller].origin;
        let instance = self.instance(function, origin);
        self.instances[caller].callees.insert(instance);
        let mut parameters = program.functions[function].parameters.iter();
        for argument in arguments {
            match parameters.next() {
                Some(parameter) => {
                    let address = Address::Of(self.variable(parameter.decl));
                    let parameter = Lvalue { address, shape: Some(&program.decl(parameter.decl).shape) };
                    let value = self.value(argument, parameter.pointee());
                    self.put(parameter, value);
                }
                None => drop(self.value(argument, None)),
            }
        }
        match &program.functions[function].result {
            Shape::Void => PointerValue::NUMBER,
            shape => {
                let result = Lvalue { address: Address::Of(self.instances[instance].result), shape: Some(shape) };
                self.read(result)
            }
        }
    }
}

/// The pointer that a call compares, and the numbers of all functions that it may be to.
fn one_of(e: &Expr) -> Option<(&Expr, &[Expr])> {
    let ExprKind::Call(name, arguments) = &e.kind else { return None };
    arguments.split_first().filter(|_| name.text == ONE_OF_FUNCTIONS)
}
