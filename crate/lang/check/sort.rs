//! `qsort` and `bsearch` (C11 7.22.5): functions of the library for the type of the elements and for the comparator, a function of the program.
//!
//! C says neither in which order equal elements stand after a sort, nor which of them a search finds, nor which pairs are compared. So the
//! first two are choices; and a pair of any elements may be compared besides, but no run does so: it stands for all comparisons that another
//! library makes. For that the comparator must change nothing.

use super::super::ast::{Expr, ExprKind, Name, Shape, Type};
use super::super::intrinsic;
use super::super::library::{self, LibraryFunction};
use super::sugar::type_of;
use super::{Checker, constant};
use crate::source::Diagnostic;

/// Another comparison than those below, which no run makes.
const PAIR: &str =
    "c = pair(); if (c && n > 0) { i = nondet_size_t(); k = nondet_size_t(); assume(i < n && k < n); if (unknown(0.0) > 0) OTHER; } ";

/// `E` is a condition under which equal elements may change places.
const SORT: &str = "void sort(int *a, size_t n) { size_t i = 0, k = 0; int c = 0; PAIR i = 1; while (i < n) { k = i; while (k > 0) { \
    c = compare(a + k - 1, a + k); if (c == 0 E) c = choice(); if (c <= 0) break; \
    typeof(*a) x = a[k]; a[k] = a[k - 1]; a[k - 1] = x; k--; } i++; } }";

const SEARCH: &str = "int *search(int *key, int *a, size_t n) { size_t i = 0, k = 0, m = 0; int c = 0; PAIR i = 0; k = n; while (i < k) { m = (i + k) / 2; \
    c = compare(key, a + m); if (c < 0) k = m; else if (c > 0) i = m + 1; else { c = choice(); if (c) { k = nondet_size_t(); \
    assume(k < n); if (compare(key, a + k) == 0) m = k; } return a + m; } } return 0; }";

impl Checker<'_> {
    /// Makes a call of `qsort` or `bsearch` one of the function for its elements and its comparator; false, and a message, where there is none.
    pub(super) fn sort_call(&mut self, name: &mut Name, arguments: &mut Vec<Expr>) -> bool {
        let is_search = name.text == "bsearch";
        let at = usize::from(is_search);
        let before = self.diagnostics.len();
        let shapes: Vec<Shape> = arguments.iter().take(1 + at).map(|argument| self.value(&mut argument.clone())).collect();
        let reason = match &arguments[at.min(arguments.len())..] {
            [_, _, size, comparator] => self.unsorted(&shapes, size, comparator),
            _ => Some("it has another number of arguments"),
        };
        if self.diagnostics.len() > before {
            return false;
        }
        if let Some(reason) = reason {
            let message = format!("this call of `{}` is not supported: {reason}", name.text);
            let help = "pass an array of integers, structures or pointers, the size of an element, and a function of the program that changes nothing";
            self.report(Diagnostic::error("unsupported-function", name.span, message).help(help));
            return false;
        }
        let comparator = comparator_name(&arguments[at + 3]).unwrap_or_default().to_owned();
        arguments.truncate(at + 2);
        let pointees: Vec<Type> = shapes.iter().filter_map(type_of).collect();
        let is_scalar = matches!(&shapes[at], Shape::Pointer(inner) if matches!(**inner, Shape::Scalar(_)));
        let (text, other) = if is_search { (SEARCH, "compare(key, a + k)") } else { (SORT, "compare(a + i, a + k)") };
        let text =
            text.replace("PAIR", &PAIR.replace("OTHER", other)).replace("compare(", &format!("{}{comparator}(", intrinsic::OF_PROGRAM));
        let text = text.replace(" E)", if is_scalar { " && a[k - 1] != a[k])" } else { ")" });
        let instance = format!("{} of {shapes:?} by {comparator}", name.text);
        let instance = if is_search { library::of_position(&instance) } else { instance };
        self.instantiate_for(name, &LibraryFunction { name: instance, text }, &pointees);
        true
    }

    /// Why the elements cannot be compared here, if they cannot.
    fn unsorted(&mut self, shapes: &[Shape], size: &Expr, comparator: &Expr) -> Option<&'static str> {
        let Some(Shape::Pointer(element)) = shapes.last() else { return Some("it gets no array") };
        let mut size = size.clone();
        self.scalar_value(&mut size);
        let bytes = constant::evaluate(&size, self.abi()).and_then(|size| size.typed.to_i64());
        let own = comparator_name(comparator).filter(|name| self.signatures.contains_key(*name) && !self.library.names.contains(*name));
        match (&**element, own) {
            (Shape::Scalar(_) | Shape::Struct(_) | Shape::Pointer(_), Some(own)) => match () {
                () if self.size(element).map(|(size, _)| size) != bytes => Some("the size is not that of an element"),
                () if !self.library.pure.contains(own) => Some("the comparator may change something"),
                () => None,
            },
            (_, None) => Some("the comparator is no function of the program"),
            _ => Some("the elements are neither integers nor structures nor pointers"),
        }
    }
}

/// The name of the comparator, where it is the function of a name.
fn comparator_name(e: &Expr) -> Option<&str> {
    match &e.kind {
        ExprKind::Name(name) => Some(&name.text),
        ExprKind::AddressOf(inner) => comparator_name(inner),
        _ => None,
    }
}
