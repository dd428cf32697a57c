//! Functions of a program that are not understood.

use crate::source::{Diagnostic, Span};

/// The name of the function that stands for all that are left out; see [`refused`](super::ast::Program::refused).
pub const LEFT_OUT: &str = "(left out)";

/// A function that is left out.
#[derive(Clone, Debug)]
pub struct RefusedFunction {
    pub name: String,
    /// Of the name.
    pub span: Span,
    /// The first reason.
    pub because: Diagnostic,
}
