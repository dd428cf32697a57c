//! `strdup` and `strndup` (POSIX): where a pointer is declared, memory for the string, and a copy of it after the declaration; anywhere else a
//! function that does both.

use super::super::ast::{Declarator, Expr, ExprKind, Init, Name, Stmt, StmtKind};
use super::super::intrinsic;
use super::super::library::LibraryFunction;
use super::Checker;
use super::shape::has_effect;

/// How many bytes the copy needs; `B` is the bound of `strndup`.
const LENGTH: &str = "size_t length(const char *s B) { size_t i = 0; while (L s[i] != 0) i++; return i + 1; }";

const COPY: &str = "void copy(char *to, const char *from B) { size_t i = 0; if (to == 0) return; while (L from[i] != 0) { to[i] = from[i]; i++; } to[i] = 0; }";

/// Both at once, where a pointer is set elsewhere.
const DUPLICATE: &str = "char *duplicate(const char *s B) { size_t i, end = 0; char *p; while (L s[end] != 0) end++; p = malloc(end + 1); \
                         if (p == 0) return 0; for (i = 0; i < end; i++) p[i] = s[i]; p[end] = 0; return p; }";

/// The text for `strdup`, or for `strndup`, whose copy has a bound.
fn text(text: &str, bound: bool) -> String {
    if bound {
        text.replace(" B)", ", size_t n)").replace('L', "END < n &&").replace("END", if text.contains("end++") { "end" } else { "i" })
    } else {
        text.replace(" B)", ")").replace("(L ", "(")
    }
}

impl Checker<'_> {
    /// Makes a call of `strdup` or `strndup` one of a function that asks for memory and copies.
    pub(super) fn duplicate_call(&mut self, name: &mut Name) {
        let function = LibraryFunction { name: format!("{} of a string", name.text), text: text(DUPLICATE, name.text == "strndup") };
        self.instantiate(name, &function);
    }

    /// Makes the first value of the last pointer that a statement declares memory, where it is a duplicate of a string; gives what copies the
    /// string.
    pub(super) fn duplicate(&mut self, stmt: &mut Stmt) -> Option<Stmt> {
        let StmtKind::Declare(_, list) = &mut stmt.kind else { return None };
        let Declarator { name: pointer, init: Some(Init::Expr(init)), .. } = list.last_mut()? else { return None };
        let mut call = &*init;
        while let ExprKind::Cast(_, inner) = &call.kind {
            call = inner;
        }
        let span = call.span;
        let ExprKind::Call(name, arguments) = call.kind.clone() else { return None };
        let bound = match (name.text.as_str(), arguments.len()) {
            ("strdup", 1) => false,
            ("strndup", 2) => true,
            _ => return None,
        };
        if self.signatures.contains_key(&name.text) || arguments.iter().any(has_effect) {
            return None;
        }
        let made = |part: &str| LibraryFunction { name: String::new(), text: text(part, bound) };
        let function = |checker: &mut Self, part: &str, text: &str| {
            let mut called = name.clone();
            let instance = format!("{} of {part}", name.text);
            checker.instantiate(&mut called, &LibraryFunction { name: instance, ..made(text) });
            called
        };
        let length = function(self, "length", LENGTH);
        let copy = function(self, "copy", COPY);
        let from = arguments;
        let to = Expr::new(ExprKind::Name(Name { decl: None, ..pointer.clone() }), span);
        let copied = std::iter::once(to).chain(from.iter().cloned()).collect();
        let bytes = Expr::new(ExprKind::Call(length, from), span);
        let memory = Name { text: intrinsic::DUPLICATE.to_owned(), span, decl: None };
        *init = Expr::new(ExprKind::Call(memory, vec![bytes]), init.span);
        Some(Stmt { kind: StmtKind::Expr(Expr::new(ExprKind::Call(copy, copied), span)), span })
    }
}
