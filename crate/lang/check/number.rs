//! Calls of `strtol` and its like (C11 7.22.1): the number at the start of a text, and where it ends.

use super::super::ast::{Expr, ExprKind, Name};
use super::super::library::{self, LibraryFunction};
use super::super::number_texts::{NumberEnd, NumberText};
use super::super::types::Integer;
use super::{Checker, constant};
use crate::source::Diagnostic;

/// The type of what a function gives that reads an integer.
fn integer_of(name: &str) -> Option<Integer> {
    Some(match name {
        "strtol" => Integer::Long,
        "strtoll" => Integer::LongLong,
        "strtoul" => Integer::UnsignedLong,
        "strtoull" => Integer::UnsignedLongLong,
        _ => return None,
    })
}

fn is_null(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(value) => value.is_zero(),
        ExprKind::Cast(_, inner) => is_null(inner),
        _ => false,
    }
}

impl Checker<'_> {
    /// Makes of a call of `strtol` or its like one of a function of the text alone where that suffices: `end` is set in front of it, so that
    /// `strtol(s, &end, 10)` is `(end = place(s), strtol(s))`. Of other bases and ends it is a call of a function for them. Gives what is in
    /// front; an error where the call is another.
    pub(super) fn number_call(&mut self, name: &mut Name, arguments: &mut Vec<Expr>) -> Option<Expr> {
        let is_float = matches!(name.text.as_str(), "strtod" | "strtof");
        let integer = integer_of(&name.text);
        if !is_float && integer.is_none() || !self.library.names.contains(&name.text) {
            return None;
        }
        let (text, end, base) = match &arguments[..] {
            [text, end] if is_float => (text, end, Some(10)),
            [text, end, base] if !is_float => (text, end, self.base(base)),
            _ => return None,
        };
        // The text is looked at twice, and its end is set in between.
        let is_other = |end: &Expr, text: &Expr| match (&end.kind, &text.kind) {
            (ExprKind::Name(end), ExprKind::Name(text)) => end.text != text.text,
            (ExprKind::Name(_), ExprKind::Index(list, at)) => matches!(list.kind, ExprKind::Name(_)) && matches!(at.kind, ExprKind::Int(_)),
            _ => false,
        };
        let in_base = |base: i64, end: NumberEnd| format!("{} in base {base} with {end:?}", name.text);
        let reason = match (&end.kind, base) {
            (ExprKind::AddressOf(pointer), Some(base)) if is_other(pointer, text) => {
                let mut function = Name { text: library::of_position(&name.text), ..name.clone() };
                let (pointer, text, span) = (pointer.clone(), text.clone(), end.span);
                if let Some(ty) = integer.filter(|_| base != 10) {
                    let of_position = library::of_position(&in_base(base, NumberEnd::Returned));
                    self.number_in_base(&mut function, of_position, ty, base, NumberEnd::Returned);
                    self.number_in_base(name, in_base(base, NumberEnd::Nowhere), ty, base, NumberEnd::Nowhere);
                }
                let value = Box::new(Expr::new(ExprKind::Call(function, vec![text]), name.span));
                arguments.truncate(1);
                return Some(Expr::new(ExprKind::Assign { target: pointer, op: None, value, at: Integer::Int }, span));
            }
            (_, Some(10)) if is_null(end) => {
                arguments.truncate(1);
                return None;
            }
            (kind, Some(base)) if let Some(ty) = integer => {
                let end = match kind {
                    _ if is_null(end) => NumberEnd::Nowhere,
                    ExprKind::AddressOf(_) => NumberEnd::Set,
                    _ => NumberEnd::SetWhereNotNull,
                };
                let instance = in_base(base, end);
                arguments.truncate(if end == NumberEnd::Nowhere { 1 } else { 2 });
                self.number_in_base(name, instance, ty, base, end);
                return None;
            }
            (_, None) => "the base is not constant",
            _ => "the end of the number goes to no variable besides the text",
        };
        let message = format!("this call of `{}` is not supported: {reason}", name.text);
        let help = "write a base that is a constant, as in `strtol(s, &end, 10)`, and names for the text and its end";
        self.report(Diagnostic::error("unsupported-function", name.span, message).help(help));
        arguments.truncate(1);
        None
    }

    /// Makes a call one of the function of this name for a type, a base and an end.
    fn number_in_base(&mut self, name: &mut Name, instance: String, ty: Integer, base: i64, end: NumberEnd) {
        let sets_errno = self.library.names.contains(library::ERRNO);
        let text = NumberText { ty, base, end, sets_errno }.text(self.abi());
        self.instantiate(name, &LibraryFunction { name: instance, text });
    }

    /// The base of a number, where it is a constant that C allows.
    fn base(&mut self, e: &Expr) -> Option<i64> {
        let mut base = e.clone();
        let before = self.diagnostics.len();
        self.scalar_value(&mut base);
        self.diagnostics.truncate(before);
        let value = constant::evaluate(&base, self.abi())?.typed.to_i64()?;
        (value == 0 || (2..=36).contains(&value)).then_some(value)
    }
}
