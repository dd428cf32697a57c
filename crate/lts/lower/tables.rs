//! Tables of pointers, which the front end has made numbers ([`crate::lang`]): what such a number leads to.

use super::Lowerer;
use super::expression::Effects;
use crate::lang::ast::{Expr as Tree, Name};
use crate::lang::intrinsic::{ELEMENT, FREED, IS_NULL, is_of_tables};
use crate::lang::tables;
use crate::logic::{Int, IntRange};
use crate::lts::{BinaryOp, CompareOp, Expr, Requirement};
use crate::source::Diagnostic;

/// The first number of an object; below it are null and what was never set.
const FIRST: i64 = 2;

fn compare(op: CompareOp, a: &Expr, b: &Expr) -> Expr {
    Expr::Compare(op, Box::new(a.clone()), Box::new(b.clone()))
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}

fn where_so(requirement: Requirement, condition: Expr, value: Expr) -> Expr {
    Expr::Guarded(requirement, Box::new(condition), Box::new(value))
}

impl<'a> Lowerer<'a> {
    /// The function itself can neither be given a table by its caller nor give one back: nothing says what a number of its caller's means.
    pub(super) fn own_tables(&mut self) {
        let function = self.frames[0].function;
        let given = tables::parameter(self.program, function).map(|at| &function.parameters[at]);
        let (span, message) = match given {
            Some(parameter) => (parameter.name.span, format!("`{}` is a table of pointers that a caller passes", parameter.name.text)),
            None if tables::is_result(function) => (function.name.span, format!("`{}` gives back a table of pointers", function.name.text)),
            None => return,
        };
        let help = "look at a function that calls it: choose it as the function, or write a `main`";
        self.fail(Diagnostic::error("unsupported-pointer", span, message).help(help));
    }

    /// The value of what the front end writes where a program uses such memory; `None` of any other call.
    pub(super) fn of_memory(&mut self, name: &Name, arguments: &'a [Tree], effects: &mut Effects<'a>) -> Option<Expr> {
        if !is_of_tables(&name.text) {
            return None;
        }
        let values: Vec<Expr> = arguments.iter().map(|argument| self.value(argument, effects)).collect();
        let zero = Expr::Int(Int::ZERO);
        let first = Expr::Int(Int::from(FIRST));
        match (name.text.as_str(), &values[..]) {
            (ELEMENT, [object, index, length, null]) => {
                let place = binary(BinaryOp::Add, object.clone(), index.clone());
                let place = where_so(Requirement::Index, compare(CompareOp::Lt, index, length), place);
                let place = where_so(Requirement::Index, compare(CompareOp::Ge, index, &zero), place);
                let place = where_so(Requirement::Allocated, compare(CompareOp::Ge, length, &zero), place);
                let place = where_so(Requirement::Allocated, compare(CompareOp::Ge, object, &first), place);
                Some(where_so(Requirement::Pointer, compare(CompareOp::Ne, object, null), place))
            }
            (FREED, [object, length, null]) => {
                let is_null = compare(CompareOp::Eq, object, null);
                let there = binary(BinaryOp::And, compare(CompareOp::Ge, object, &first), compare(CompareOp::Ge, length, &zero));
                Some(where_so(Requirement::Allocated, binary(BinaryOp::Or, is_null, there), object.clone()))
            }
            (IS_NULL, [object, null]) => {
                let is_null = compare(CompareOp::Eq, object, null);
                // A table's variable is set before it is used, or that is undefined; a slot may have any contents.
                if *null == zero {
                    return Some(is_null);
                }
                let unset =
                    binary(BinaryOp::And, compare(CompareOp::Eq, object, &zero), Expr::nondet(Some(IntRange { least: 0, greatest: 1 })));
                Some(binary(BinaryOp::Or, is_null, unset))
            }
            _ => None,
        }
    }
}
