//! What a function prints.

use super::Expr;
use crate::logic::Int;
use crate::source::Span;
use std::sync::Arc;

/// A call of `printf` or its like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    pub pieces: Vec<PrintPiece>,
    pub span: Span,
}

/// A part of what is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrintPiece {
    Text(String),
    Value(Expr, Conversion),
    /// The string at an address, by the addresses of all there are; nothing for any other address.
    String(Expr, Conversion, Strings),
}

/// Strings without the zero at their end, by their addresses.
pub type Strings = Arc<[(Int, Vec<u8>)]>;

/// How `printf` writes a number (C11 7.21.6.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    pub kind: ConversionKind,
    /// The flags `-`, `0`, `+`, space, `#`.
    pub left: bool,
    pub zero: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub width: u16,
    pub precision: Option<u16>,
}

/// How a conversion writes its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConversionKind {
    /// `%d`, `%i`; also `%u` of a value that is converted already.
    #[default]
    Decimal,
    /// `%x`, `%X`, `%o`, of values that are not negative.
    Hexadecimal,
    UpperHexadecimal,
    Octal,
    /// `%c`.
    Character,
    /// `%f`, `%e`, `%g`, of the rank of a `double`.
    Fixed,
    Exponent,
    Shorter,
}

impl ConversionKind {
    /// Whether it writes floating-point numbers.
    pub fn is_number(self) -> bool {
        matches!(self, ConversionKind::Fixed | ConversionKind::Exponent | ConversionKind::Shorter)
    }
}

impl Print {
    /// The expressions that it evaluates, in order.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        self.pieces.iter().filter_map(|piece| match piece {
            PrintPiece::Text(_) => None,
            PrintPiece::Value(value, _) | PrintPiece::String(value, ..) => Some(value),
        })
    }
}
