//! Functions as values. A pointer to a function is a number: 0, or that of a function whose name stands as a value somewhere in the
//! program. The checker turns a call by such a pointer into a choice among the functions that fit; by any other pointer the call is
//! undefined (6.3.2.3p8).

use super::super::ast::{BinaryOp, Declarator, Expr, ExprKind, Function, Name, Shape, Stmt};
use super::super::intrinsic::{NO_FUNCTION, ONE_OF_FUNCTIONS};
use super::super::types::Integer;
use super::{Checker, Entity};
use crate::logic::{Int, SortedSet};
use crate::source::{Diagnostic, Span};

/// How many functions one call may choose among, and how many parts of expressions all such calls may write: calls inside calls multiply.
const MAX_CHOICES: usize = 16;
const MAX_WRITTEN: usize = 40_000;

impl Checker<'_> {
    /// Notes the functions whose names stand as values, in the order of their definitions.
    pub(super) fn collect_addressed(&mut self, functions: &[Function], globals: &[Declarator]) {
        let mut named = SortedSet::new();
        let mut open: Vec<&Stmt> = functions.iter().filter(|function| !function.library).flat_map(|function| &function.body).collect();
        while let Some(stmt) = open.pop() {
            stmt.expressions(&mut |e| {
                names_in(e, &mut |name| {
                    named.insert(name);
                })
            });
            stmt.children(&mut |child| open.push(child));
        }
        for init in globals.iter().filter_map(|global| global.init.as_ref()) {
            init.expressions(&mut |e| {
                names_in(e, &mut |name| {
                    named.insert(name);
                })
            });
        }
        let own = functions.iter().filter(|function| !function.library && named.contains(function.name.text.as_str()));
        self.addressed = own.map(|function| function.name.text.clone()).collect();
    }

    /// The number and the shape of the address of a function, if the name is one.
    pub(super) fn function_address(&self, name: &str) -> Option<(Int, Shape)> {
        if self.lookup(name).is_some() {
            return None;
        }
        let at = self.addressed.iter().position(|other| other == name)?;
        let result = self.signatures.get(name)?.result.clone();
        Some((Int::from(at + 1), Shape::Pointer(Box::new(Shape::Function(Box::new(result))))))
    }

    /// The function with this number.
    pub(super) fn function_at(&self, number: &Int) -> Option<&str> {
        let at = usize::try_from(number.to_i64()?).ok()?.checked_sub(1)?;
        self.addressed.get(at).map(String::as_str)
    }

    /// Whether a call is by a pointer: the name is that of a variable.
    pub(super) fn is_pointer_call(&self, name: &Name) -> bool {
        match self.lookup(&name.text) {
            Some(Entity::Decl(id)) => {
                matches!(&self.decls[id.0 as usize].shape, Shape::Pointer(inner) if matches!(**inner, Shape::Function(_)))
            }
            _ => false,
        }
    }

    /// Checks a call by a pointer, and writes it as a choice.
    pub(super) fn pointer_call(&mut self, e: &mut Expr, callee: Expr, mut arguments: Vec<Expr>, used: bool) -> Shape {
        let span = e.span;
        let mut callee = callee;
        let mut named = &callee;
        while let ExprKind::Deref(inner) | ExprKind::AddressOf(inner) = &named.kind {
            named = inner;
        }
        if let ExprKind::Name(name) = &named.kind
            && self.function_address(&name.text).is_some()
        {
            let mut name = name.clone();
            let shape = self.call(&mut name, &mut arguments, used);
            e.kind = ExprKind::Call(name, arguments);
            return shape;
        }
        e.kind = ExprKind::Error;
        let result = match self.value(&mut callee) {
            Shape::Pointer(inner) if matches!(*inner, Shape::Function(_)) => match *inner {
                Shape::Function(result) => *result,
                _ => Shape::INT,
            },
            _ => {
                if !matches!(callee.kind, ExprKind::Error) {
                    self.refuse_call(callee.span, "only functions and pointers to them can be called");
                }
                return Shape::INT;
            }
        };
        if changes(&callee) {
            self.refuse_call(callee.span, "what is called here is looked at several times, so nothing may change in it");
            return Shape::INT;
        }
        let fits = |name: &&(usize, String)| {
            self.signatures.get(&name.1).is_some_and(|other| other.result == result && other.takes(arguments.len()))
        };
        let choices: Vec<(usize, String)> = (1..).zip(self.addressed.clone()).collect::<Vec<_>>().iter().filter(fits).cloned().collect();
        let size = arguments.iter().fold(size(&callee), |sum, argument| sum.saturating_add(size(argument)));
        self.written = self.written.saturating_add(size.saturating_mul(choices.len()));
        if choices.len() > MAX_CHOICES || self.written > MAX_WRITTEN {
            self.refuse_call(callee.span, "too many functions could be called here");
            return Shape::INT;
        }
        let ty = result.integer(self.abi()).unwrap_or(Integer::Int);
        let expr = |kind, span, ty| Expr { ty, ..Expr::new(kind, span) };
        let own =
            |name: &str, arguments, span, ty| expr(ExprKind::Call(Name { text: name.to_owned(), span, decl: None }, arguments), span, ty);
        let of_address = self.abi().address();
        let address = |number: usize| expr(ExprKind::Int(Int::from(number)), callee.span, of_address);
        let checked = |numbers: &[usize]| {
            let arguments = std::iter::once(callee.clone()).chain(numbers.iter().copied().map(address)).collect();
            own(ONE_OF_FUNCTIONS, arguments, callee.span, of_address)
        };
        let condition_span = callee.span;
        let seen = self.diagnostics.len();
        let mut calls = choices.iter().rev().map(|(number, name)| {
            let mut name = Name { text: name.clone(), span, decl: None };
            let mut given = arguments.clone();
            // What is wrong is said once.
            let before = self.diagnostics.len();
            self.call(&mut name, &mut given, used);
            if before > seen {
                self.diagnostics.truncate(before);
            }
            (*number, expr(ExprKind::Call(name, given), span, ty))
        });
        // Where the last comparison fails it is the last function, as the comparison itself is undefined for any other address.
        let first = calls.next();
        *e = match first {
            None => {
                drop(calls);
                // What another part of the program may be called with; what no call could be is left out.
                let mut given = vec![callee.clone()];
                for mut argument in arguments {
                    self.value(&mut argument);
                    if self.diagnostics.len() == seen {
                        given.push(argument);
                    }
                    self.diagnostics.truncate(seen);
                }
                own(NO_FUNCTION, given, span, ty)
            }
            Some((last, call)) => {
                let (mut chain, mut alone) = (call, true);
                for (number, call) in calls {
                    let callee = if alone { checked(&[number, last]) } else { callee.clone() };
                    alone = false;
                    let condition = ExprKind::Binary(BinaryOp::Eq, Box::new(callee), Box::new(address(number)));
                    let condition = Box::new(expr(condition, condition_span, Integer::Int));
                    chain = expr(ExprKind::Conditional(condition, Box::new(call), Box::new(chain)), span, ty);
                }
                if alone { expr(ExprKind::Comma(Box::new(checked(&[last])), Box::new(chain)), span, ty) } else { chain }
            }
        };
        result
    }

    fn refuse_call(&mut self, span: Span, message: &str) {
        self.report(
            Diagnostic::error("unsupported-function-pointer", span, message).help("call the functions by their names, e.g. in a `switch`"),
        );
    }
}

fn names_in<'e>(e: &'e Expr, visit: &mut dyn FnMut(&'e str)) {
    if let ExprKind::Name(name) = &e.kind {
        visit(&name.text);
    }
    e.kind.children(&mut |child| names_in(child, visit));
}

/// Whether evaluating the expression twice would be something else than once.
pub(super) fn changes(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Call(..) | ExprKind::CallAt(..) | ExprKind::Assign { .. } | ExprKind::Step { .. });
    e.kind.children(&mut |child| found = found || changes(child));
    found
}

fn size(e: &Expr) -> usize {
    let mut sum = 1usize;
    e.kind.children(&mut |child| sum = sum.saturating_add(size(child)));
    sum
}
