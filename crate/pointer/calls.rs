//! Calls: by name, by pointers to functions, of the library, of functions without a body.

use super::accesses::{Lvalue, PointerValue, PointerValueKind};
use super::build::{ANY_ADDRESS, Address, FactBuilder, GuardedCall};
use super::cells::{AbstractObject, AccessShape};
use super::constraints::PointerConstraint;
use crate::lang::ast::{BinaryOp, Expr, ExprKind, Name, Shape};
use crate::lang::flow::shape_of;
use crate::lang::intrinsic::{self, FROM_OUTSIDE, Intrinsic, ONE_OF_FUNCTIONS};
use crate::logic::Int;

impl<'a> FactBuilder<'a> {
    pub(super) fn conditional(&mut self, condition: &'a Expr, a: &'a Expr, b: &'a Expr, expected: Option<&'a Shape>) -> PointerValue<'a> {
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

    /// A call that is made where a pointer is to the function with this number.
    pub(super) fn choice(&mut self, callee: PointerValue<'a>, number: &'a Expr, call: &'a Expr) -> PointerValue<'a> {
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

    pub(super) fn call(&mut self, e: &'a Expr, name: &'a Name, arguments: &'a [Expr], expected: Option<&'a Shape>) -> PointerValue<'a> {
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
pub(super) fn one_of(e: &Expr) -> Option<(&Expr, &[Expr])> {
    let ExprKind::Call(name, arguments) = &e.kind else { return None };
    arguments.split_first().filter(|_| name.text == ONE_OF_FUNCTIONS)
}
