//! Ranges of integers: the values of a type.

use super::Int;

/// The integers from `least` to `greatest`, both included; never empty. Wide enough for every integer type of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IntRange {
    pub least: i128,
    pub greatest: i128,
}

impl IntRange {
    /// The values of a two's complement (`signed`) or binary number with this many bits, 1 to 64.
    pub fn of_bits(bits: u32, signed: bool) -> IntRange {
        if signed {
            IntRange { least: -(1 << (bits - 1)), greatest: (1 << (bits - 1)) - 1 }
        } else {
            IntRange { least: 0, greatest: (1 << bits) - 1 }
        }
    }

    /// Whether the range has the value.
    pub fn contains(&self, value: &Int) -> bool {
        match value.to_i64() {
            Some(value) => self.least <= i128::from(value) && i128::from(value) <= self.greatest,
            None => *value >= self.least() && *value <= self.greatest(),
        }
    }

    /// Whether every value of `other` is one of this range.
    pub fn covers(&self, other: &IntRange) -> bool {
        self.least <= other.least && other.greatest <= self.greatest
    }

    /// The least value.
    pub fn least(&self) -> Int {
        Int::from(self.least)
    }

    /// The greatest value.
    pub fn greatest(&self) -> Int {
        Int::from(self.greatest)
    }

    /// How many values there are.
    pub fn size(&self) -> Int {
        Int::from(self.greatest - self.least + 1)
    }

    /// The value of the range that differs from `value` by a multiple of [`IntRange::size`]: what C's conversion to an unsigned type gives
    /// (C11 6.3.1.3), and what compilers give for a signed one.
    pub fn wrap(&self, value: &Int) -> Int {
        if self.contains(value) {
            return value.clone();
        }
        // The size is not 0, so there is a remainder.
        let (_, above) = (value - &self.least()).div_rem_floor(&self.size()).unwrap_or_default();
        &above + &self.least()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_is_what_casts_do() {
        for value in [0i64, 1, -1, 127, 128, 255, 256, -128, -129, i64::from(i32::MAX) + 1, i64::MAX, i64::MIN] {
            let wrapped = |bits, signed| IntRange::of_bits(bits, signed).wrap(&Int::from(value)).to_i64();
            assert_eq!(wrapped(8, true), Some(i64::from(value as i8)), "{value}");
            assert_eq!(wrapped(8, false), Some(i64::from(value as u8)), "{value}");
            assert_eq!(wrapped(32, true), Some(i64::from(value as i32)), "{value}");
            assert_eq!(wrapped(32, false), Some(i64::from(value as u32)), "{value}");
            assert_eq!(IntRange::of_bits(64, false).wrap(&Int::from(value)).to_string(), (value as u64).to_string());
        }
    }
}
