//! Calls of the library's functions whose arguments change their meaning: memory, words to read.

use super::super::ast::{BinaryOp, Expr, ExprKind, Length, Name, Shape};
use super::super::types::Integer;
use super::super::{library, scan};
use super::{Checker, constant};
use crate::source::Diagnostic;

impl Checker<'_> {
    /// Makes a call of `memset` or its like one on whole objects, where it is: structures, whole arrays, variables.
    pub(super) fn object_call(&mut self, name: &mut Name, arguments: &mut [Expr], shapes: &[Shape]) -> bool {
        let Shape::Pointer(element) = &shapes[0] else { return false };
        let mut bytes = arguments[2].clone();
        self.scalar_value(&mut bytes);
        let (Some((size, _)), Some(bytes)) = (self.size(element), constant::evaluate(&bytes, self.abi())) else { return false };
        let Some(bytes) = bytes.typed.to_i64().filter(|bytes| size > 0 && *bytes > 0 && bytes % size == 0) else { return false };
        let count = bytes / size;
        let whole = match &arguments[0].kind {
            ExprKind::AddressOf(_) => count == 1,
            ExprKind::Name(_) => {
                let mut named = arguments[0].clone();
                matches!(self.lvalue(&mut named), Shape::Array { length: Length::Fixed(length), .. } if length.to_i64() == Some(count))
            }
            _ => false,
        };
        let is_exact = match &**element {
            Shape::Struct(_) | Shape::Array { .. } => true,
            Shape::Scalar(_) => whole,
            _ => false,
        };
        let meant = match name.text.as_str() {
            "memset" => {
                let mut byte = arguments[1].clone();
                self.scalar_value(&mut byte);
                let Some(byte) = constant::evaluate(&byte, self.abi()) else { return false };
                arguments[1] = Expr::new(ExprKind::Int(byte.typed), arguments[1].span);
                "memset of objects"
            }
            // Elements of one array may overlap.
            "memcpy" | "memmove" if shapes[0] == shapes[1] && (whole || count == 1) => "memcpy of objects",
            _ => return false,
        };
        if is_exact {
            meant.clone_into(&mut name.text);
            self.padding_written(&shapes[0]);
            arguments[2] = Expr::new(ExprKind::Int(count.into()), arguments[2].span);
        }
        is_exact
    }

    /// Makes a call of `memset` or its like one of the function for the elements at hand; false, and a message, where there is none.
    pub(super) fn memory_call(&mut self, name: &mut Name, arguments: &mut [Expr]) -> bool {
        let called = name.text.clone();
        let instance = |element| library::of_memory(&called, element);
        if !library::is_of_memory(&name.text) || !self.signatures.contains_key(&instance(Integer::Char)) {
            return true;
        }
        let before = self.diagnostics.len();
        let shapes: Vec<Shape> = arguments.iter().map(|argument| self.value(&mut argument.clone())).collect();
        if self.diagnostics.len() > before || shapes.len() != 3 {
            // The check of the call reports a wrong number of arguments.
            name.text = instance(Integer::Char);
            return self.diagnostics.len() == before;
        }
        if self.object_call(name, arguments, &shapes) {
            return true;
        }
        let elements = |shape: &Shape| match shape {
            Shape::Pointer(inner) => inner.integer(self.abi()).filter(|_| matches!(**inner, Shape::Scalar(_))),
            _ => None,
        };
        let reason = match (elements(&shapes[0]), elements(&shapes[1])) {
            (None, _) => Some("it is called with something else than arrays of integers with one dimension"),
            (Some(to), from) if name.text != "memset" && from != Some(to) => Some("the elements are not of one type"),
            (Some(to), _) => {
                let declared = self.signatures.contains_key(&instance(to));
                let mut bytes = arguments[2].clone();
                self.scalar_value(&mut bytes);
                let whole = self.whole_elements(&bytes, to.size(self.abi()));
                name.text = if declared && whole { instance(to) } else { name.text.clone() };
                (!declared || !whole).then_some("the number of bytes may end inside of an element")
            }
        };
        if let Some(reason) = reason {
            let message = format!("this call of `{}` is not supported: {reason}", name.text);
            self.report(
                Diagnostic::error("unsupported-memory", name.span, message)
                    .help("write a loop over the elements, or give the number of bytes as `n * sizeof(int)`"),
            );
        }
        reason.is_none()
    }

    /// Whether a number of bytes is evidently one of whole elements of this size.
    fn whole_elements(&self, bytes: &Expr, size: i64) -> bool {
        if size == 1 {
            return true;
        }
        match (constant::evaluate(bytes, self.abi()), &bytes.unconverted().kind) {
            (Some(value), _) => value.typed.to_i64().is_some_and(|value| value % size == 0),
            (None, ExprKind::Binary(BinaryOp::Mul, a, b)) => self.whole_elements(a, size) || self.whole_elements(b, size),
            (None, ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b)) => self.whole_elements(a, size) && self.whole_elements(b, size),
            // Of an array whose length is computed.
            (None, ExprKind::SizeofExpr(array)) => array.root().and_then(|name| name.decl).is_some_and(|id| {
                matches!(&self.decls[id.0 as usize].shape, Shape::Array { element, .. } if self.size(element).is_some_and(|(own, _)| own % size == 0))
            }),
            _ => false,
        }
    }

    /// The arguments of `scanf`: a format, then addresses of numbers, or arrays of characters for words.
    pub(super) fn scan(&mut self, arguments: &mut [Expr], name: &Name) {
        let Some((format, addresses)) = arguments.split_first_mut() else { return };
        let format = if let ExprKind::Str(bytes) = &format.kind { scan::Format::read(bytes) } else { scan::Format::read(b"") };
        let mut reads = format.kept();
        for argument in addresses {
            let shape = self.value(argument);
            let read = reads.next();
            let (word, width) = read.map_or((false, 0), |read| (read.is_word(), read.width));
            let fits = match &shape {
                Shape::Pointer(inner) if word => {
                    matches!(**inner, Shape::Scalar(integer) if integer.size(self.abi()) == 1 && integer != Integer::Bool)
                }
                Shape::Pointer(inner) => {
                    let format = read.and_then(scan::ScanConversion::number_format);
                    matches!(**inner, Shape::Scalar(scalar) if scalar.format() == format)
                }
                _ => false,
            };
            if !fits && !constant::has_error(argument) {
                self.report(
                    Diagnostic::error("unsupported-string", argument.span, format!("`{}` cannot read into this", name.text))
                        .help("pass the address of an integer: `&x`, for `%f` of a `float`, for `%lf` of a `double`, for `%s` and `%[` an array of characters"),
                );
            } else if word {
                // Shown at the whole call.
                let span = name.span;
                let array = std::mem::replace(argument, Expr::new(ExprKind::Error, span));
                let width = Expr { ty: self.abi().distance(), ..Expr::new(ExprKind::Int(i64::from(width).into()), span) };
                let function =
                    Name { text: read.map_or(library::SCAN_STRING, scan::ScanConversion::function).to_owned(), span, decl: None };
                *argument = Expr::new(ExprKind::Call(function, vec![array, width]), span);
            }
        }
    }
}
