//! C's arithmetic types and their conversions (C11 6.2.5, 6.3.1) on each target ([`Abi`]). The values of `float` and `double` are the ranks
//! of numbers ([`crate::logic::rank`]).

use crate::logic::IntRange;
use crate::logic::rank::FloatFormat;
pub use crate::source::abi::{Abi, CharSign, DataModel};

/// A type whose values are integers. `long` is another type than `int` and `long long`, also where it has the values of one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Integer {
    Bool,
    /// Plain `char`.
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
    /// Numbers of nodes: no type of C, but what stands for pointers to structures that are linked.
    Node,
}
use Integer::{
    Bool, Char, Double, Float, Int, Long, LongLong, Node, Short, SignedChar, UnsignedChar, UnsignedInt, UnsignedLong, UnsignedLongLong,
    UnsignedShort,
};

impl Integer {
    /// All types of integers.
    pub const ALL: [Integer; 12] =
        [Bool, Char, SignedChar, UnsignedChar, Short, UnsignedShort, Int, UnsignedInt, Long, UnsignedLong, LongLong, UnsignedLongLong];

    /// How many bytes a value takes.
    pub fn size(self, abi: Abi) -> i64 {
        match self {
            Bool | Char | SignedChar | UnsignedChar => 1,
            Short | UnsignedShort => 2,
            Int | UnsignedInt => abi.sizes()[0],
            Long | UnsignedLong => abi.sizes()[1],
            Float => 4,
            LongLong | UnsignedLongLong | Double => 8,
            Node => abi.address().size(abi),
        }
    }

    /// The alignment of a value.
    pub fn alignment(self, abi: Abi) -> i64 {
        self.size(abi).min(abi.greatest_alignment())
    }

    /// How many bits a value takes.
    pub fn bits(self, abi: Abi) -> u32 {
        self.size(abi) as u32 * 8
    }

    /// Whether the type has negative values.
    pub fn signed(self, abi: Abi) -> bool {
        match self {
            Char => abi.char == CharSign::Signed,
            _ => matches!(self, SignedChar | Short | Int | Long | LongLong | Float | Double | Node),
        }
    }

    /// The values of the type.
    pub fn range(self, abi: Abi) -> IntRange {
        match (self, self.format()) {
            (_, Some(format)) => format.range(),
            (Bool, _) => IntRange::of_bits(1, false),
            _ => IntRange::of_bits(self.bits(abi), self.signed(abi)),
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
            Node => 8,
        }
    }

    pub fn unsigned(self) -> Integer {
        match self {
            Int => UnsignedInt,
            Long => UnsignedLong,
            LongLong => UnsignedLongLong,
            other => other,
        }
    }

    /// What the integer promotions make of it (6.3.1.1): `int` where that has all its values.
    pub fn promoted(self, abi: Abi) -> Integer {
        match self.rank() < Int.rank() {
            true if Int.range(abi).covers(&self.range(abi)) => Int,
            true => UnsignedInt,
            false => self,
        }
    }

    /// What an argument of this type is converted to where no parameter says it (6.5.2.2p6).
    pub fn passed(self, abi: Abi) -> Integer {
        if self == Float { Double } else { self.promoted(abi) }
    }

    /// The common type of two operands (6.3.1.8).
    pub fn common(self, other: Integer, abi: Abi) -> Integer {
        let (a, b) = (self.promoted(abi), other.promoted(abi));
        if a == b {
            return a;
        }
        if a.format().is_some() || b.format().is_some() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (high, low) = if a.rank() >= b.rank() { (a, b) } else { (b, a) };
        let (is_signed, of_low) = (high.signed(abi), low.signed(abi));
        if is_signed == of_low || !is_signed {
            return if high.rank() == low.rank() && is_signed { low } else { high };
        }
        // The one of greater rank is signed, the other unsigned.
        if high.rank() > low.rank() && high.range(abi).covers(&low.range(abi)) { high } else { high.unsigned() }
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
            Node => "(node)",
        }
    }
}

impl Abi {
    /// The type of an address where it is nothing but a number, and of what `sizeof` gives.
    pub fn address(self) -> Integer {
        match self.model {
            DataModel::Lp64 => UnsignedLong,
            DataModel::Llp64 => UnsignedLongLong,
            DataModel::Ilp32 | DataModel::Int16 => UnsignedInt,
        }
    }

    /// The type of the distance of two addresses.
    pub fn distance(self) -> Integer {
        match self.model {
            DataModel::Lp64 => Long,
            DataModel::Llp64 => LongLong,
            DataModel::Ilp32 | DataModel::Int16 => Int,
        }
    }

    /// What `rand` gives, as the C library of the target has it.
    pub fn random(self) -> IntRange {
        let bits = if matches!(self.model, DataModel::Lp64 | DataModel::Ilp32) { 31 } else { 15 };
        IntRange::of_bits(bits, false)
    }

    /// The type of wide characters.
    pub fn wide(self) -> Integer {
        if self.model == DataModel::Llp64 { UnsignedShort } else { Int }
    }

    /// The signed type of so many bits that compilers choose, and the unsigned one.
    pub fn exact(self, bits: u32) -> [Integer; 2] {
        match bits {
            8 => [SignedChar, UnsignedChar],
            16 => [Short, UnsignedShort],
            64 if self.model == DataModel::Lp64 => [Long, UnsignedLong],
            64 => [LongLong, UnsignedLongLong],
            _ if self.model == DataModel::Int16 => [Long, UnsignedLong],
            _ => [Int, UnsignedInt],
        }
    }

    /// The signed type of at least 16 or 32 bits that is fast, and the unsigned one, as the C library of the target has it.
    pub fn fast(self, bits: u32) -> [Integer; 2] {
        match bits {
            16 | 32 if self.model == DataModel::Lp64 => [Long, UnsignedLong],
            16 => [Int, UnsignedInt],
            _ => self.exact(bits),
        }
    }
}

/// The type of numbers with more bits than a `double` has, which is not supported.
pub const LONG_DOUBLE: &str = "long double";

/// The types of integers with more bits than `long long`, or with any number of them, which are not supported.
pub const WIDE: &str = "__int128";

/// The types that headers define, by name.
pub fn of_header(name: &str, abi: Abi) -> Option<Integer> {
    // `int32_t`, `uint_fast16_t`
    let stem = name.strip_suffix("_t").map(|stem| stem.strip_prefix('u').map_or((0, stem), |stem| (1, stem)));
    if let Some((at, stem)) = stem.and_then(|(at, stem)| Some((at, stem.strip_prefix("int")?))) {
        let (stem, is_fast) = stem.strip_prefix("_fast").map_or((stem.strip_prefix("_least").unwrap_or(stem), false), |stem| (stem, true));
        let all = match stem {
            "8" => Some(abi.exact(8)),
            "16" if is_fast => Some(abi.fast(16)),
            "32" if is_fast => Some(abi.fast(32)),
            "16" => Some(abi.exact(16)),
            "32" => Some(abi.exact(32)),
            "64" | "max" => Some(abi.exact(64)),
            "ptr" => Some([abi.distance(), abi.address()]),
            _ => None,
        };
        return all.map(|all| all[at]);
    }
    Some(match name {
        "bool" => Bool,
        "size_t" => abi.address(),
        "ssize_t" | "ptrdiff_t" => abi.distance(),
        "time_t" if abi.model == DataModel::Llp64 => LongLong,
        "time_t" | "off_t" => Long,
        "u_char" => UnsignedChar,
        "u_short" | "ushort" => UnsignedShort,
        "wchar_t" => abi.wide(),
        "sig_atomic_t" | "memory_order" | "pid_t" | "errno_t" => Int,
        "clock_t" | "suseconds_t" => Long,
        "wctype_t" => UnsignedLong,
        "char16_t" => abi.exact(16)[1],
        "char32_t" => abi.exact(32)[1],
        "uid_t" | "gid_t" | "mode_t" | "useconds_t" | "socklen_t" => abi.exact(32)[1],
        "atomic_flag" | "atomic_bool" => Bool,
        "atomic_char" => Char,
        "atomic_schar" => SignedChar,
        "atomic_uchar" => UnsignedChar,
        "atomic_short" => Short,
        "atomic_ushort" => UnsignedShort,
        "atomic_int" => Int,
        "atomic_uint" => UnsignedInt,
        "atomic_long" => Long,
        "atomic_ulong" => UnsignedLong,
        "atomic_llong" => LongLong,
        "atomic_ullong" => UnsignedLongLong,
        name if name.starts_with("atomic_") && name.ends_with("_t") => return of_header(name.strip_prefix("atomic_")?, abi),
        "wint_t" if abi.model == DataModel::Llp64 => UnsignedShort,
        "wint_t" | "u_int" | "uint" => UnsignedInt,
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
        assert_eq!(Char.common(UnsignedShort, Abi::default()), Int);
        assert_eq!(Int.common(UnsignedInt, Abi::default()), UnsignedInt);
        assert_eq!(UnsignedInt.common(Int, Abi::default()), UnsignedInt);
        assert_eq!(UnsignedInt.common(Long, Abi::default()), Long);
        assert_eq!(UnsignedLong.common(LongLong, Abi::default()), UnsignedLongLong);
        assert_eq!(UnsignedLong.common(Long, Abi::default()), UnsignedLong);
        assert_eq!(Long.common(UnsignedLong, Abi::default()), UnsignedLong);
        assert_eq!(Bool.common(Bool, Abi::default()), Int);
        assert_eq!(UnsignedInt.common(LongLong, Abi::default()), LongLong);
        assert_eq!(Long.common(LongLong, Abi::default()), LongLong);
    }
}
