//! Builtins of gcc and clang, and functions of the library that are made for one call: for the types of its arguments, or for its format.

use super::super::ast::{Expr, ExprKind, Name, Shape, Stmt, StmtKind};
use super::super::intrinsic::{self, Intrinsic};
use super::super::library::{self, LibraryFunction};
use super::super::types::Integer;
use super::Checker;
use crate::source::{Diagnostic, Span};

/// The operator of a builtin that tells overflow, and the type that its name says.
fn overflow(name: &str) -> Option<(&'static str, Option<Integer>)> {
    let core = name.strip_prefix("__builtin_")?.strip_suffix("_overflow")?;
    let operators = [("add", "+"), ("sub", "-"), ("mul", "*")];
    operators.iter().find_map(|(word, operator)| {
        let ty = match core.split_once(word)? {
            ("", "") => None,
            ("s", "") => Some(Integer::Int),
            ("s", "l") => Some(Integer::Long),
            ("s", "ll") => Some(Integer::LongLong),
            ("u", "") => Some(Integer::UnsignedInt),
            ("u", "l") => Some(Integer::UnsignedLong),
            ("u", "ll") => Some(Integer::UnsignedLongLong),
            _ => return None,
        };
        Some((*operator, ty))
    })
}

/// A call of what the library may do to `errno`.
fn touch(span: Span) -> Expr {
    Expr::new(ExprKind::Call(Name { text: library::ERRNO.to_owned(), span, decl: None }, Vec::new()), span)
}

impl Checker<'_> {
    /// Makes a call of a builtin one of a function that means the same; false, and a message, where there is none.
    pub(super) fn builtin_call(&mut self, name: &mut Name, arguments: &mut Vec<Expr>) -> bool {
        let defines = |name: &str| self.signatures.contains_key(name) && !self.libraries.contains(name);
        if !name.text.starts_with("__builtin_") || defines(&name.text) {
            return true;
        }
        if let Some(plain) = library::of_builtin(&name.text).filter(|plain| !defines(plain)) {
            name.text = plain.to_owned();
        } else if let Some((operator, ty)) = overflow(&name.text) {
            return self.overflow_call(name, arguments, operator, ty);
        }
        true
    }

    /// Makes a call of a builtin that tells overflow one of a function for the types of its arguments.
    fn overflow_call(&mut self, name: &mut Name, arguments: &[Expr], operator: &str, ty: Option<Integer>) -> bool {
        let before = self.diagnostics.len();
        let shapes: Vec<Shape> = arguments.iter().map(|argument| self.value(&mut argument.clone())).collect();
        let wide = |integer: Integer| if integer.signed() { Integer::LongLong } else { Integer::UnsignedLongLong };
        let types = match (ty, &shapes[..]) {
            (Some(ty), _) => Some((ty, ty, ty)),
            (None, [Shape::Scalar(a), Shape::Scalar(b), Shape::Pointer(to)]) => to
                .integer()
                .filter(|integer| matches!(**to, Shape::Scalar(_)) && *integer != Integer::Bool)
                .map(|to| (wide(*a), wide(*b), to)),
            (None, list) if list.len() != 3 => Some((Integer::Int, Integer::Int, Integer::Int)),
            _ => None,
        };
        let Some((a, b, to)) = types else {
            if self.diagnostics.len() == before {
                let message = format!("`{}` takes two integers and the address of one", name.text);
                self.report(Diagnostic::error("argument-kind", name.span, message).help("pass e.g. `&r`, where `r` is an `int`"));
            }
            return false;
        };
        if self.diagnostics.len() > before {
            return false;
        }
        let (a, b, to) = (a.name(), b.name(), to.name());
        let text = format!(
            "_Bool overflow({a} a, {b} b, {to} *to) {{ _Bool beyond = overflows(a {operator} b, ({to})0); \
             *to = wraps(a {operator} b, ({to})0); return beyond; }}"
        );
        let instance = format!("{} of {a}, {b}, {to}", name.text);
        self.instantiate(name, LibraryFunction { name: instance, text });
        true
    }

    /// What a call of the library may do to `errno`, where the program looks at that. It stands in front of the call, which is the same: the
    /// library's functions do not read it.
    pub(super) fn errno_touched(&mut self, name: &Name) -> Option<Expr> {
        let of_library =
            self.libraries.contains(&name.text) || !self.signatures.contains_key(&name.text) && intrinsic::find(&name.text).is_some();
        if self.library.is_current || !of_library || !self.libraries.contains(library::ERRNO) || !library::may_set_errno(&name.text) {
            return None;
        }
        if self.library.declares && intrinsic::find(&name.text) == Some(Intrinsic::Address) {
            self.library.touched = Some(name.span);
            return None;
        }
        Some(touch(name.span))
    }

    /// Checks statements in order. What `malloc` may do to `errno` stands in front of a declaration whose pointers get memory.
    pub(super) fn statements(&mut self, list: &mut Vec<Stmt>) {
        let mut at = 0;
        while let Some(stmt) = list.get_mut(at) {
            self.library.declares = matches!(stmt.kind, StmtKind::Declare(..));
            self.statement(stmt);
            self.library.declares = false;
            if let Some(span) = self.library.touched.take() {
                list.insert(at, Stmt { kind: StmtKind::Expr(touch(span)), span });
                at += 1;
            }
            at += 1;
        }
    }

    /// Makes a call one of this function, which is read where no call before needed it.
    pub(super) fn instantiate(&mut self, name: &mut Name, function: LibraryFunction) {
        if self.libraries.insert(function.name.clone()) {
            let mut functions = library::read(&function, name.span);
            self.collect_signatures(&mut functions);
            self.library.instances.append(&mut functions);
        }
        name.text = function.name;
    }
}
