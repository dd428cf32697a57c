//! What a function prints.

use super::Expr;
use crate::logic::Int;
use crate::source::Span;
use std::sync::Arc;

/// A call of `printf` or its like. One without pieces prints nothing: a statement that has no edge of its own, such as a jump.
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
    /// The width of the next value or string, or its precision: an argument for a `*`.
    Star(Expr, StarMeaning),
    /// The string at an address, by the addresses of all there are; nothing for any other address.
    String(Expr, Conversion, Strings),
}

/// The part of a conversion that an argument for a `*` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StarMeaning {
    Width,
    Precision,
}

/// Strings without the zero at their end, by their addresses.
pub type Strings = Arc<[(Int, Vec<u8>)]>;

/// The greatest width and precision that make a difference: more characters than a run keeps of its output.
pub const MAX_WIDTH: u32 = 1 << 21;

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
    /// Whether letters in a floating-point number are capitals.
    pub upper: bool,
    pub width: u32,
    pub precision: Option<u32>,
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
    /// `%f`, `%e`, `%g`, `%a`, of the rank of a `double`.
    Fixed,
    Exponent,
    Shorter,
    HexadecimalFraction,
}

impl ConversionKind {
    /// Whether it writes floating-point numbers.
    pub fn is_number(self) -> bool {
        use ConversionKind::{Exponent, Fixed, HexadecimalFraction, Shorter};
        matches!(self, Fixed | Exponent | Shorter | HexadecimalFraction)
    }
}

impl Conversion {
    /// With the width or precision that an argument says (C11 7.21.6.1p5).
    #[must_use]
    pub fn starred(mut self, meaning: StarMeaning, value: &Int) -> Conversion {
        let size = value.abs().to_i64().and_then(|size| u32::try_from(size).ok()).map_or(MAX_WIDTH, |size| size.min(MAX_WIDTH));
        match meaning {
            StarMeaning::Width => {
                self.left |= value.is_negative();
                self.width = size;
            }
            StarMeaning::Precision => self.precision = (!value.is_negative()).then_some(size),
        }
        self
    }
}

impl PrintPiece {
    /// The expression that it evaluates.
    pub fn operand(&self) -> Option<&Expr> {
        match self {
            PrintPiece::Text(_) => None,
            PrintPiece::Value(value, _) | PrintPiece::Star(value, _) | PrintPiece::String(value, ..) => Some(value),
        }
    }

    /// The same, to change it.
    pub fn operand_mut(&mut self) -> Option<&mut Expr> {
        match self {
            PrintPiece::Text(_) => None,
            PrintPiece::Value(value, _) | PrintPiece::Star(value, _) | PrintPiece::String(value, ..) => Some(value),
        }
    }
}

impl Print {
    /// The expressions that it evaluates, in order.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        self.pieces.iter().filter_map(PrintPiece::operand)
    }
}
