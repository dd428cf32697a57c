//! Builtins of gcc and clang, and functions of the library that are made for one call: for the types of its arguments, or for its format.

use super::super::ast::{Expr, ExprKind, Name, Shape, Stmt, StmtKind, Type};
use super::super::intrinsic::{self, Intrinsic};
use super::super::library::{self, LibraryFunction};
use super::super::printed;
use super::super::standard;
use super::super::types::Integer;
use super::super::{scan, scanned};
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

/// Gives each argument that `printf` prints in a width or with a precision, and that is no string of the text, to the function of the
/// library that prints it: with the arguments for a `*`. `format` is the number of the format among the arguments.
fn padded_strings(format: usize, arguments: &mut Vec<Expr>) {
    let Some(ExprKind::Str(bytes)) = arguments.get(format).map(|format| &format.kind) else { return };
    let mut at = format;
    for conversion in printed::conversions(bytes) {
        at += 1;
        let given = usize::from(conversion.is_width_given) + usize::from(conversion.is_precision_given);
        let is_padded = conversion.is_padded_string();
        let Some(text) = arguments.get(at + given).filter(|text| is_padded && !matches!(text.kind, ExprKind::Str(_))) else {
            at += given;
            continue;
        };
        let span = text.span;
        let mut number = |is_given: bool, value: i64| match is_given {
            true => arguments.remove(at),
            false => Expr { ty: Integer::Int, ..Expr::new(ExprKind::Int(value.into()), span) },
        };
        let width = number(conversion.is_width_given, conversion.width.into());
        let precision = number(conversion.is_precision_given, conversion.precision.map_or(-1, i64::from));
        let left = number(false, conversion.is_left.into());
        let text = arguments.remove(at);
        let function = Name { text: library::PRINT_PADDED.to_owned(), span, decl: None };
        arguments.insert(at, Expr::new(ExprKind::Call(function, vec![text, width, precision, left]), span));
    }
}

impl Checker<'_> {
    /// Makes a call of a builtin one of a function that means the same; false, and a message, where there is none.
    pub(super) fn builtin_call(&mut self, name: &mut Name, arguments: &mut Vec<Expr>) -> bool {
        let defines = |name: &str| self.signatures.contains_key(name) && !self.library.names.contains(name);
        if defines(&name.text) {
            return true;
        }
        if matches!(name.text.as_str(), "sprintf" | "snprintf") {
            return self.print_call(name, arguments);
        }
        if matches!(name.text.as_str(), "printf" | "fprintf" | "__builtin_printf" | "__builtin_fprintf") {
            let format = usize::from(name.text.ends_with("fprintf"));
            padded_strings(format, arguments);
        }
        if name.text == "sscanf" {
            return self.scan_call(name, arguments);
        }
        if matches!(name.text.as_str(), "qsort" | "bsearch") {
            return self.sort_call(name, arguments);
        }
        if name.text.starts_with("atomic_") {
            return self.atomic_call(name, arguments);
        }
        if matches!((name.text.as_str(), arguments.len()), ("strdup", 1) | ("strndup", 2)) {
            self.duplicate_call(name);
            return true;
        }
        if let Some(plain) = library::of_builtin(&name.text).filter(|plain| !defines(plain)) {
            name.text = plain.to_owned();
        } else if let Some((operator, ty)) = overflow(&name.text) {
            return self.overflow_call(name, arguments, operator, ty);
        }
        true
    }

    /// Makes a call of `sprintf` or `snprintf` one of a function for its format.
    fn print_call(&mut self, name: &mut Name, arguments: &mut Vec<Expr>) -> bool {
        let is_bounded = name.text == "snprintf";
        let at = 1 + usize::from(is_bounded);
        let (span, reason) = match arguments.get(at).map(|format| (format.span, &format.kind)) {
            Some((span, ExprKind::Str(bytes))) => match printed::text(bytes, is_bounded) {
                Ok(text) => {
                    let instance = format!("{} of {}", name.text, String::from_utf8_lossy(bytes));
                    self.instantiate(name, &LibraryFunction { name: instance, text });
                    arguments.remove(at);
                    return true;
                }
                Err(conversion) => (span, format!("writes no `{conversion}` here")),
            },
            Some((span, _)) => (span, "needs a format that stands there".to_owned()),
            None => (name.span, "needs an array and a format".to_owned()),
        };
        let help = "write `%d`, `%i`, `%u` or `%x` with `l` and a width, `%c` or `%s`";
        self.report(Diagnostic::error("unsupported-format", span, format!("`{}` {reason}", name.text)).help(help));
        false
    }

    /// Makes a call of `sscanf` one of a function for its format and the types of its objects.
    fn scan_call(&mut self, name: &mut Name, arguments: &mut Vec<Expr>) -> bool {
        let before = self.diagnostics.len();
        let shapes: Vec<Shape> = arguments.iter().skip(2).map(|argument| self.value(&mut argument.clone())).collect();
        if self.diagnostics.len() > before {
            return false;
        }
        let object = |shape: &Shape| match shape {
            Shape::Pointer(inner) => inner.integer(self.abi()).filter(|_| matches!(**inner, Shape::Scalar(_))),
            _ => None,
        };
        let types: Option<Vec<Integer>> = shapes.iter().map(object).collect();
        let (span, reason) = match (arguments.get(1).map(|format| (format.span, &format.kind)), types) {
            (Some((span, ExprKind::Str(bytes))), Some(types)) => match scanned::text(&scan::Format::read(bytes), &types, self.abi()) {
                Ok(text) => {
                    let instance = format!("sscanf of {} into {types:?}", String::from_utf8_lossy(bytes));
                    self.instantiate(name, &LibraryFunction { name: instance, text });
                    arguments.remove(1);
                    // Objects without a conversion are not looked at.
                    let count = self.signatures.get(&name.text).map_or(0, |signature| signature.parameters.len());
                    arguments.truncate(count);
                    return true;
                }
                Err(conversion) => (span, conversion),
            },
            _ => (name.span, "it needs a format that stands there, and addresses of integers or characters".to_owned()),
        };
        let help = "write `%d`, `%i`, `%o`, `%u`, `%x`, `%f`, `%c`, `%s`, `%[…]` or `%n`, perhaps with a width";
        self.report(Diagnostic::error("unsupported-format", span, format!("this call of `sscanf` is not supported: {reason}")).help(help));
        false
    }

    /// Makes a call of a builtin that tells overflow one of a function for the types of its arguments.
    fn overflow_call(&mut self, name: &mut Name, arguments: &[Expr], operator: &str, ty: Option<Integer>) -> bool {
        let before = self.diagnostics.len();
        let shapes: Vec<Shape> = arguments.iter().map(|argument| self.value(&mut argument.clone())).collect();
        let wide = |integer: Integer| if integer.signed(self.abi()) { Integer::LongLong } else { Integer::UnsignedLongLong };
        let types = match (ty, &shapes[..]) {
            (Some(ty), _) => Some((ty, ty, ty)),
            (None, [Shape::Scalar(a), Shape::Scalar(b), Shape::Pointer(to)]) => to
                .integer(self.abi())
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
        self.instantiate(name, &LibraryFunction { name: instance, text });
        true
    }

    /// What a call of the library may do to `errno`, where the program looks at that. It stands in front of the call, which is the same: the
    /// library's functions do not read it.
    pub(super) fn errno_touched(&mut self, name: &Name, asks_for_time: bool) -> Option<Expr> {
        let of_library = self.library.names.contains(&name.text)
            || standard::is_drawn(&name.text) && !self.signatures.contains_key(&name.text)
            || !self.signatures.contains_key(&name.text) && intrinsic::find(&name.text).is_some();
        if self.library.is_current
            || !of_library
            || !self.library.names.contains(library::ERRNO)
            || !(asks_for_time || library::may_set_errno(&name.text))
        {
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
        super::late::declared_with_memory(list);
        let mut at = 0;
        while let Some(stmt) = list.get_mut(at) {
            self.library.declares = matches!(stmt.kind, StmtKind::Declare(..));
            let copy = self.duplicate(stmt);
            self.statement(stmt);
            self.library.declares = false;
            if let Some(copy) = copy {
                list.insert(at + 1, copy);
            }
            if let Some(span) = self.library.touched.take() {
                list.insert(at, Stmt { kind: StmtKind::Expr(touch(span)), span });
                at += 1;
            }
            at += 1;
        }
    }

    /// Makes a call one of this function, which is read where no call before needed it.
    pub(super) fn instantiate(&mut self, name: &mut Name, function: &LibraryFunction) {
        self.instantiate_for(name, function, &[]);
    }

    /// The same, where the first parameters have these types, and so has a result that is a pointer: that of the last of them.
    pub(super) fn instantiate_for(&mut self, name: &mut Name, function: &LibraryFunction, types: &[Type]) {
        if self.library.names.insert(function.name.clone()) {
            let mut functions = library::read(function, self.abi(), name.span);
            for read in &mut functions {
                read.parameters.iter_mut().zip(types).for_each(|(parameter, ty)| parameter.ty = ty.clone());
                if let (Type::Pointer(_), Some(last)) = (&read.returns, types.last()) {
                    read.returns = last.clone();
                }
            }
            self.collect_signatures(&mut functions);
            self.library.instances.append(&mut functions);
        }
        name.text.clone_from(&function.name);
    }
}
