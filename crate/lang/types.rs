//! C's arithmetic types and their conversions (C11 6.2.5, 6.3.1), as on a machine with 8 bits in a signed `char`, 32 in an `int`, 64 in a
//! `long` and in an address. The values of `float` and `double` are the ranks of numbers ([`crate::logic::rank`]).

use crate::logic::IntRange;
use crate::logic::rank::FloatFormat;

/// A type whose values are integers. `long` and `long long` have the same values but are different types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Integer {
    Bool,
    /// Plain `char`, which is signed.
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    #[default]
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    /// Ranks of numbers of [`FloatFormat::Single`].
    Float,
    /// Ranks of numbers of [`FloatFormat::Double`].
    Double,
}
use Integer::{
    Bool, Char, Double, Float, Int, Long, LongLong, Short, SignedChar, UnsignedChar, UnsignedInt, UnsignedLong, UnsignedLongLong,
    UnsignedShort,
};

impl Integer {
    /// All types of integers.
    pub const ALL: [Integer; 12] =
        [Bool, Char, SignedChar, UnsignedChar, Short, UnsignedShort, Int, UnsignedInt, Long, UnsignedLong, LongLong, UnsignedLongLong];

    /// How many bytes a value takes.
    pub fn size(self) -> i64 {
        match self {
            Bool | Char | SignedChar | UnsignedChar => 1,
            Short | UnsignedShort => 2,
            Int | UnsignedInt | Float => 4,
            Long | UnsignedLong | LongLong | UnsignedLongLong | Double => 8,
        }
    }

    /// How many bits a value takes.
    pub fn bits(self) -> u32 {
        self.size() as u32 * 8
    }

    /// Whether the type has negative values.
    pub fn signed(self) -> bool {
        matches!(self, Char | SignedChar | Short | Int | Long | LongLong | Float | Double)
    }

    /// The values of the type.
    pub fn range(self) -> IntRange {
        match (self, self.format()) {
            (_, Some(format)) => format.range(),
            (Bool, _) => IntRange::of_bits(1, false),
            _ => IntRange::of_bits(self.bits(), self.signed()),
        }
    }

    /// The format of the numbers whose ranks are the values; `None` of a type of integers.
    pub fn format(self) -> Option<FloatFormat> {
        match self {
            Float => Some(FloatFormat::Single),
            Double => Some(FloatFormat::Double),
            _ => None,
        }
    }

    /// The conversion rank (6.3.1.1), as a number.
    fn rank(self) -> u8 {
        match self {
            Bool => 0,
            Char | SignedChar | UnsignedChar => 1,
            Short | UnsignedShort => 2,
            Int | UnsignedInt => 3,
            Long | UnsignedLong => 4,
            LongLong | UnsignedLongLong => 5,
            Float => 6,
            Double => 7,
        }
    }

    fn unsigned(self) -> Integer {
        match self {
            Int => UnsignedInt,
            Long => UnsignedLong,
            LongLong => UnsignedLongLong,
            other => other,
        }
    }

    /// What the integer promotions make of it (6.3.1.1): every smaller type fits into `int`.
    pub fn promoted(self) -> Integer {
        if self.rank() < Int.rank() { Int } else { self }
    }

    /// What an argument of this type is converted to where no parameter says it (6.5.2.2p6).
    pub fn passed(self) -> Integer {
        if self == Float { Double } else { self.promoted() }
    }

    /// The common type of two operands (6.3.1.8).
    pub fn common(self, other: Integer) -> Integer {
        let (a, b) = (self.promoted(), other.promoted());
        if a == b {
            return a;
        }
        if a.format().is_some() || b.format().is_some() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (high, low) = if a.rank() >= b.rank() { (a, b) } else { (b, a) };
        if high.signed() == low.signed() || !high.signed() {
            return if high.rank() == low.rank() && high.signed() { low } else { high };
        }
        // The one of greater rank is signed, the other unsigned.
        if high.rank() > low.rank() && high.range().covers(&low.range()) { high } else { high.unsigned() }
    }

    /// The type as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Bool => "_Bool",
            Char => "char",
            SignedChar => "signed char",
            UnsignedChar => "unsigned char",
            Short => "short",
            UnsignedShort => "unsigned short",
            Int => "int",
            UnsignedInt => "unsigned",
            Long => "long",
            UnsignedLong => "unsigned long",
            LongLong => "long long",
            UnsignedLongLong => "unsigned long long",
            Float => "float",
            Double => "double",
        }
    }
}

/// The type of an address where it is nothing but a number.
pub const ADDRESS: Integer = UnsignedLong;

/// The type of numbers with more bits than a `double` has, which is not supported.
pub const LONG_DOUBLE: &str = "long double";

/// The types that headers define, by name.
pub fn of_header(name: &str) -> Option<Integer> {
    Some(match name {
        "bool" => Bool,
        "size_t" | "uintptr_t" | "uint64_t" | "uintmax_t" | "uint_fast16_t" | "uint_fast32_t" | "uint_fast64_t" | "uint_least64_t" => {
            UnsignedLong
        }
        "ssize_t" | "ptrdiff_t" | "intptr_t" | "int64_t" | "intmax_t" | "int_fast16_t" | "int_fast32_t" | "int_fast64_t"
        | "int_least64_t" | "time_t" | "off_t" => Long,
        "int8_t" | "int_least8_t" | "int_fast8_t" => SignedChar,
        "uint8_t" | "uint_least8_t" | "uint_fast8_t" | "u_char" => UnsignedChar,
        "int16_t" | "int_least16_t" => Short,
        "uint16_t" | "uint_least16_t" | "u_short" | "ushort" => UnsignedShort,
        "int32_t" | "int_least32_t" | "wchar_t" | "sig_atomic_t" => Int,
        "uint32_t" | "uint_least32_t" | "wint_t" | "u_int" | "uint" => UnsignedInt,
        "u_long" | "ulong" => UnsignedLong,
        "float_t" => Float,
        "double_t" => Double,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_types_are_those_of_the_standard() {
        assert_eq!(Char.common(UnsignedShort), Int);
        assert_eq!(Int.common(UnsignedInt), UnsignedInt);
        assert_eq!(UnsignedInt.common(Int), UnsignedInt);
        assert_eq!(UnsignedInt.common(Long), Long);
        assert_eq!(UnsignedLong.common(LongLong), UnsignedLongLong);
        assert_eq!(UnsignedLong.common(Long), UnsignedLong);
        assert_eq!(Long.common(UnsignedLong), UnsignedLong);
        assert_eq!(Bool.common(Bool), Int);
        assert_eq!(UnsignedInt.common(LongLong), LongLong);
        assert_eq!(Long.common(LongLong), LongLong);
    }
}
