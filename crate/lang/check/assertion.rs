//! Static assertions (C11 6.7.10).

use super::super::ast::{Expr, Name};
use super::{Checker, constant};
use crate::source::{Diagnostic, Severity};

impl Checker<'_> {
    /// Says so where a static assertion fails, or cannot be decided here.
    pub(super) fn static_assertion(&mut self, name: &Name, value: &mut Expr) {
        let found = self.quietly(|checker| {
            let before = checker.diagnostics.len();
            checker.truth(value);
            let is_clear = checker.diagnostics[before..].iter().all(|diagnostic| diagnostic.severity != Severity::Error);
            constant::evaluate(value, checker.abi()).filter(|_| is_clear)
        });
        match found {
            Some(value) if !value.typed.is_zero() => {}
            Some(_) => {
                let text = if name.text.is_empty() { String::new() } else { format!(": {}", name.text) };
                self.report(
                    Diagnostic::error("static-assertion", value.span, format!("this static assertion fails{text}"))
                        .help("an `int` has 4 bytes here, a `long` and an address 8"),
                );
            }
            None => self.report(
                Diagnostic::warning("unknown-assertion", value.span, "it is not known here whether this static assertion holds")
                    .help("it is taken to hold"),
            ),
        }
    }

    /// Looks at something whose errors are of no matter.
    pub(super) fn quietly<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let (before, reported) = (self.diagnostics.len(), self.reported.clone());
        let found = look(self);
        self.diagnostics.truncate(before);
        self.reported = reported;
        found
    }
}
