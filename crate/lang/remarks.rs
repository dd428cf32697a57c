//! What the parser notes of a text beside its tree.

use crate::source::Span;

/// An integer constant that fits no type that C lets it have (C11 6.4.4p2).
#[derive(Clone, Copy, Debug)]
pub struct Oversized {
    pub span: Span,
    /// Whether `unsigned long` has the value: then a `u` is all that the constant lacks.
    pub lacks_suffix: bool,
}

/// What a condition reads once macros are replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    pub text: String,
    /// Whether the use of the macro holds more than the condition: others may stand at the same span of the text.
    pub is_part: bool,
}
