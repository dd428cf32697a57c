//! The generic functions of `<stdatomic.h>` (C11 7.17.7, 7.17.8) on plain objects: a function of the library for the type of the object.

use super::super::ast::{Expr, Name, Shape};
use super::super::library::LibraryFunction;
use super::Checker;
use crate::source::Diagnostic;

/// The generic functions with their texts: `T` is the type of the object, `U` the unsigned type of its size, in which sums wrap around. A weak
/// exchange may fail where a strong exchange succeeds.
const OPERATIONS: &[(&str, usize, &str)] = &[
    ("atomic_load", 1, "T operation(T *p) { return *p; }"),
    ("atomic_store", 2, "void operation(T *p, T v) { *p = v; }"),
    ("atomic_init", 2, "void operation(T *p, T v) { *p = v; }"),
    ("atomic_exchange", 2, "T operation(T *p, T v) { T old = *p; *p = v; return old; }"),
    ("atomic_fetch_add", 2, "T operation(T *p, T v) { T old = *p; *p = (T)((U)old + (U)v); return old; }"),
    ("atomic_fetch_sub", 2, "T operation(T *p, T v) { T old = *p; *p = (T)((U)old - (U)v); return old; }"),
    ("atomic_fetch_or", 2, "T operation(T *p, T v) { T old = *p; *p = old | v; return old; }"),
    ("atomic_fetch_xor", 2, "T operation(T *p, T v) { T old = *p; *p = old ^ v; return old; }"),
    ("atomic_fetch_and", 2, "T operation(T *p, T v) { T old = *p; *p = old & v; return old; }"),
    ("atomic_compare_exchange_strong", 3, "_Bool operation(T *p, T *e, T v) { if (*p == *e) { *p = v; return 1; } *e = *p; return 0; }"),
    (
        "atomic_compare_exchange_weak",
        3,
        "_Bool operation(T *p, T *e, T v) { if (*p == *e && nondet_bool()) { *p = v; return 1; } *e = *p; return 0; }",
    ),
    ("atomic_flag_test_and_set", 1, "T operation(T *p) { T old = *p; *p = 1; return old; }"),
    ("atomic_flag_clear", 1, "void operation(T *p) { *p = 0; }"),
];

impl Checker<'_> {
    /// Makes a call of such a function one of the function for the type of its object, without the orders of memory; false, and a message,
    /// where the object is no integer.
    pub(super) fn atomic_call(&mut self, name: &mut Name, arguments: &mut Vec<Expr>) -> bool {
        let plain = name.text.strip_suffix("_explicit").unwrap_or(&name.text);
        let Some((_, count, text)) = OPERATIONS.iter().find(|(other, ..)| *other == plain) else { return true };
        arguments.truncate(*count);
        let before = self.diagnostics.len();
        let shape = arguments.first().map(|object| self.value(&mut object.clone()));
        let element = match &shape {
            Some(Shape::Pointer(inner)) => inner.integer(self.abi()).filter(|_| matches!(**inner, Shape::Scalar(_))),
            _ => None,
        };
        let Some(ty) = element.filter(|ty| ty.format().is_none()) else {
            if self.diagnostics.len() == before {
                let message = format!("`{}` needs the address of an integer here", name.text);
                self.report(Diagnostic::error("unsupported-function", name.span, message).help("pass e.g. `&n` of an `atomic_int n`"));
            }
            return false;
        };
        let text = text.replace("(U)", &format!("({})", ty.unsigned().name())).replace("(T)", &format!("({})", ty.name()));
        let text = text.replace("T ", &format!("{} ", ty.name()));
        let instance = format!("{plain} of {}", ty.name());
        self.instantiate(name, &LibraryFunction { name: instance, text });
        true
    }
}
